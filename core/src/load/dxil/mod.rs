//! DXIL containers, on to SPIR-V: each entry point is converted by dxil-spirv into a module of its own.
//!
//! Our own reader goes first: what it finds broken, or made of ops that the converter does not know, is not handed on.

mod bindings;
mod convert;
mod interface;
mod nodes;
mod refuse;
mod rename;

use std::path::Path;

pub(super) use bindings::Bindings;
pub(super) use convert::convert;
pub use interface::{linked, semantics};
pub use nodes::{NodeFunction, NodeModules, node_modules, root_signature};

use super::Loaded;
use super::error::Problem;
use crate::dxil::Dxil;
use crate::program::LoadedDxil;

/// How DXIL is converted. The default is what any Vulkan 1.3 device takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Conversion {
    /// Lanes of a wave that the shader is converted for, where it does not say itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wave_size: Option<u32>,
    /// Types of minimum precision become 16-bit types; otherwise they stay 32-bit, relaxed.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub native_16bit: bool,
    /// Raw and structured buffers are reached by address in place of descriptors.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub physical_buffers: bool,
    /// Descriptors keep their registers as binding numbers and their spaces as sets, even where two collide.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub register_bindings: bool,
}

/// Reads a container; its entry points are converted once every file is read, for they depend on each other.
pub(super) fn load(_path: &Path, bytes: Vec<u8>) -> Result<Loaded, Problem> {
    Ok(Loaded::Dxil(Box::new(Dxil::read(bytes).map_err(Problem::Dxil)?)))
}

/// The container of an input, before its entry points are converted.
pub(super) fn unconverted(input: usize, dxil: Dxil) -> LoadedDxil {
    LoadedDxil { input, dxil, entries: Vec::new(), bindings: Vec::new() }
}
