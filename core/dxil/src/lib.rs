//! DXIL: the container with its parts, the bitcode of its program, and what both contain about the shader.
//!
//! * [`container`]: header, parts, digest.
//! * [`parts`], [`signature`], [`psv`], [`rdat`]: the other parts.
//! * `bitcode`: a program without a container.
//! * [`module`]: types, values, functions and metadata of LLVM 3.7 bitcode, with its own bitstream reader.
//! * [`metadata`]: the `dx.*` metadata: shader model, entry points, resources, annotations.
//! * `check`: where parts and metadata disagree.
//! * [`ops`]: the `dx.op` intrinsics, stable and experimental.
//! * [`disassemble`]: a module as text.
//!
//! Any bytes give a value or a [`Fault`] that names the part, the place, what was expected and what was found; nothing
//! is reserved by a count that the file claims.

#![forbid(unsafe_code)]

pub(crate) mod bitcode;
mod bitstream;
mod bytecode;
pub(crate) mod bytes;
pub(crate) mod check;
pub mod container;
pub mod disassemble;
mod error;
mod file;
pub mod findings;
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
pub mod substitute;
mod summary;
#[cfg(test)]
mod testing;

pub use bitcode::MAGIC as BITCODE_MAGIC;
pub use bytecode::Bytecode;
pub use bytes::escaped;
pub use error::{Broken, Fault, Place};
pub use file::{Dxil, Program};
pub use hex::{HEX_BYTES, hex_line, hex_text};
pub use names::Name;
pub use parts::RootSignature;
pub use summary::{ContainerSummary, ModuleSummary, PartSummary, SignatureParts, Summary};

/// Bytes as one hexadecimal number: `0x0123`.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}
