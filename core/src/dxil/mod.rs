//! DXIL: the container with its parts, the bitcode of its program, and what both say about the shader.
//!
//! * [`container`]: header, parts, digest.
//! * [`parts`], [`signature`], [`psv`], [`rdat`]: what the parts beside the program hold.
//! * `bitcode`: a program without a container.
//! * [`module`]: types, values, functions and metadata of LLVM 3.7 bitcode, read by a bitstream cursor of our own.
//! * [`metadata`]: what `dx.*` metadata says: shader model, entry points, resources, annotations.
//! * `check`: where the parts do not say the same.
//! * [`ops`]: the intrinsics that it calls, stable and experimental.
//! * [`disassemble`]: a module as text.
//!
//! Any bytes give a value or a [`Fault`] that names the part, the place, what was expected and what was found; nothing
//! is reserved by a count that the file claims.

pub(crate) mod bitcode;
mod bitstream;
mod bytecode;
pub(crate) mod bytes;
pub(crate) mod check;
pub mod container;
pub mod disassemble;
mod error;
mod file;
mod hex;
pub mod metadata;
pub mod module;
mod names;
pub mod ops;
pub mod parts;
pub mod psv;
pub mod rdat;
pub mod signature;
mod sources;
pub(crate) mod substitute;
mod summary;
#[cfg(test)]
mod testing;

pub use bytecode::Bytecode;
pub use bytes::escaped;
pub use error::{Broken, Fault, Place};
pub use file::{Dxil, Program};
pub use hex::{HEX_BYTES, hex_line, hex_text};
pub use names::Name;
pub use parts::RootSignature;
pub use summary::{ContainerSummary, ModuleSummary, PartSummary, SignatureParts, Summary, about};

/// Bytes as one hexadecimal number: `0x0123`.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}
