//! An indexed view of one SPIR-V module: types, decorations, entry points, constants.
//!
//! The module keeps its words; everything else is an index into them, built in one pass. Instructions are read by
//! their words: an instruction that the grammar does not know keeps its words and is marked (see [`Module::raw`]).
//! Passes run after SPIRV-Tools has validated the module, but nothing here relies on it: an operand that is not there
//! reads as 0, which no id has.
//!
//! [`edit`] makes a new module of an old one and what is to change in it.

mod by_id;
mod constants;
mod decorations;
pub mod edit;
mod entry;
mod flow;
pub mod grammar;
mod lines;
mod module;
mod specialise;
mod types;

pub use constants::Constant;
pub use decorations::{Decoration, Member};
pub use entry::{EntryPoint, Function};
pub use flow::always_run;
pub use lines::{Lines, SourceFile, SourceLine, source_files};
pub use module::{Inst, InstId, MAX_BOUND, MAX_INSTRUCTIONS, Module, ParseError};
pub use rspirv::spirv as enums;
pub(crate) use specialise::is_value_of;
pub use specialise::{SpecDeclaration, SpecError};
pub use types::Type;
