//! DXIL containers, on to SPIR-V: each entry point is converted by dxil-spirv into a module of its own.
//!
//! Our own reader goes first: broken containers, and ops that the converter does not support, are not passed on.

mod bindings;
mod convert;
mod failure;
mod interface;
mod lines;
mod nodes;
mod rename;
mod repair;
mod unsupported;

pub(super) use bindings::{Bindings, Register};
pub(super) use convert::{convert, registers};
pub use failure::Failure as ConversionFailure;
pub use nodes::{NodeFunction, NodeModules, node_modules};

use std::ffi::OsString;

use super::Loaded;
use super::error::Problem;
use lanescope_dxil::Dxil;
use lanescope_model::program::LoadedDxil;

/// Reads a container; its entry points are converted once every file is read, for they depend on each other.
pub(super) fn load(bytes: Vec<u8>) -> Result<Loaded, Problem> {
    let dxil = Box::new(Dxil::read(bytes).map_err(Problem::Dxil)?);
    Ok(Loaded::Dxil { dxil, source: None, includes: Vec::new(), warnings: Vec::new() })
}

/// The container of an input, before its entry points are converted.
pub(super) fn unconverted(input: usize, dxil: Dxil, source: Option<String>, includes: Vec<OsString>) -> LoadedDxil {
    let (warnings, entries, before, bindings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    LoadedDxil { input, dxil, source, includes, warnings, entries, before, bindings }
}
