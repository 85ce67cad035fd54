//! DXIL: the container with its parts, the bitcode of its program, and what both say about the shader.
//!
//! * [`container`]: header, parts, digest.
//! * [`module`]: types, values, functions and metadata of LLVM 3.7 bitcode, read by a bitstream cursor of our own.
//! * [`ops`]: the intrinsics that it calls, stable and experimental.
//! * [`disassemble`]: a module as text.
//!
//! Any bytes give a value or a [`Fault`] that names the part, the place, what was expected and what was found; nothing
//! is reserved by a count that the file claims.

mod bitstream;
mod bytes;
pub mod container;
pub mod disassemble;
mod error;
pub mod module;
pub mod ops;
#[cfg(test)]
mod testing;

pub use bytes::escaped;
pub use error::{Fault, Place};
