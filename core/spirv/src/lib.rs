//! An indexed view of one SPIR-V module: types, decorations, entry points, constants.
//!
//! The module keeps its words; everything else is an index into them, built in one pass. Instructions are read by
//! their words: an instruction that is not in the grammar keeps its words and is marked (see [`Module::raw`]).
//! Passes run after SPIRV-Tools has validated the module, but nothing here relies on it: an operand that is not there
//! reads as 0, which no id has.
//!
//! [`edit`] builds a new module from an old one and a list of changes.

#![forbid(unsafe_code)]

mod by_id;
mod constants;
mod decorations;
pub mod edit;
mod entry;
mod flow;
pub mod grammar;
mod lines;
mod module;
pub mod opcode;
mod roots;
pub mod shape;
mod slice;
mod spec_value;
mod specialise;
mod stripped;
#[cfg(test)]
mod testing;
mod types;

pub use constants::Constant;
pub use decorations::{Decoration, Member};
pub use entry::{EntryPoint, Function, entry_name};
pub use flow::always_run;
pub use lines::{Lines, SourceFile, SourceLine, source_files};
pub use module::{Inst, InstId, MAX_BOUND, MAX_INSTRUCTIONS, Module, ParseError};
pub use opcode::{Facts, facts};
pub use roots::{Led, Roots};
pub use rspirv::spirv as enums;
pub use slice::Slices;
pub use spec_value::SpecValue;
pub use specialise::{SpecDeclaration, SpecError, is_value_of};
pub use types::{Dimension, Peeled, Type};
