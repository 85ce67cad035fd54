//! Assembly of compilers that are not AMD's, read into the same facts ([`IsaFacts`]).
//!
//! A [`Dialect`] is a form of assembly text; the driver's name says which one a compiler prints. Each reader is a module:
//! * `nak`: NVK's (NVIDIA), `NAK assembly`.
//! * `ir3`: Turnip's (Qualcomm), `IR3 Assembly`.
//! * `gen`: ANV's and HASVK's (Intel), `GEN Assembly`.
//!
//! What the facts of all dialects share: instructions with line, name and operands, blocks and branches, memory accesses,
//! barriers, waits, live registers. What AMD's has as `interpolations` and `exports`, the others have as `inputs` and
//! `outputs`: places as the compiler numbers them after linking. A topic that a text does not show, or not whole,
//! is in `not_known`; what its list lacks means nothing.

mod r#gen;
mod ir3;
mod nak;
mod summary;
#[cfg(test)]
mod tests;

pub use super::isa::{Axis, Derivative, Dialect, Input, InputKind, Output, Sampled, Slot, SlotKind, Topic};

use super::isa::{IsaFacts, Unread};
use lanescope_model::program::StageKind;

/// Reads an assembly of a dialect.
pub fn read(dialect: Dialect, text: &str, stage: StageKind) -> IsaFacts {
    match dialect {
        Dialect::Amd => super::isa::read(text, stage),
        Dialect::Nak => nak::read(text, stage),
        Dialect::Ir3 => ir3::read(text, stage),
        Dialect::Gen => r#gen::read(text, stage),
    }
}

/// The most lines that [`unread`] names.
pub const UNREAD_AT_MOST: usize = 1000;

/// The lines of a text of which its facts may miss something, up to [`UNREAD_AT_MOST`]; of AMD's the first one. `facts`
/// are those that [`read`] gives for it.
pub fn unread(text: &str, facts: &IsaFacts) -> Vec<Unread> {
    match facts.dialect {
        Dialect::Amd => super::isa::not_understood(text, facts).into_iter().collect(),
        Dialect::Nak => nak::unread(text, facts),
        Dialect::Ir3 => ir3::unread(text, facts),
        Dialect::Gen => r#gen::unread(text, facts),
    }
}

/// The first line of a text of which its facts may miss something.
pub fn not_understood(text: &str, facts: &IsaFacts) -> Option<Unread> {
    unread(text, facts).into_iter().next()
}
