//! DXIL: the container with its parts, the bitcode of its program, and what both contain about the shader.
//!
//! * [`container`]: header, parts, digest.
//! * [`parts`], [`signature`], [`psv`], [`rdat`]: the other parts.
//! * [`pdb`]: containers in the PDBs that DXC writes.
//! * `bitcode`: a program without a container.
//! * [`module`]: types, values, functions and metadata of LLVM 3.7 bitcode, with its own bitstream reader.
//! * [`metadata`]: the `dx.*` metadata: shader model, entry points, resources, annotations.
//! * `check`: where parts and metadata disagree.
//! * [`ops`]: the `dx.op` intrinsics, stable and experimental.
//! * [`uses`]: the ops that a container's program calls, for the report.
//! * [`disassemble`]: a module as text.
//! * [`substitute`]: other ops in place, in the bitcode itself.
//! * [`adapt`]: small changes in the bitcode itself, for a converter.
//! * [`source_lines`]: the lines of the source that instructions come from.
//! * [`strip`]: the bitcode without debug information in its functions.
//! * [`mark`]: the bitcode with marks of source lines, for a converter that drops them.
//! * [`findings`]: the rules that a file can break, each with a stable code.
//!
//! Any bytes give a value or a [`Fault`] that names the part, the place, what was expected and what was found; nothing
//! is reserved by a count that the file claims.
//!
//! # A container
//!
//! [`Dxil::read`] reads everything. A broken part is a fault of the file, and the other parts are read.
//!
//! ```
//! use lanescope_dxil::Dxil;
//!
//! let mut file = std::fs::read("assets/example.dxil")?;
//! let dxil = Dxil::read(file.clone())?;
//! for part in &dxil.container.parts {
//!     println!("{} at {:#x}, {} bytes", part.name, part.offset, part.size);
//! }
//! let program = dxil.program.as_ref().expect("a program");
//! assert_eq!(program.dx.entries[0].kind, "compute");
//!
//! // A changed byte of an instruction.
//! let at = file.len() - 20;
//! file[at] ^= 0xff;
//! let broken = Dxil::read(file)?;
//! assert!(broken.program.is_none());
//! assert_eq!(
//!     broken.faults[0].to_string(),
//!     "DXIL, byte 0xcc8 (bit 5): call at instruction 17: value 34 is not a function"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A module
//!
//! [`module::Module`] is LLVM 3.7's module: functions with instructions, types and metadata. [`op_calls::calls`] finds the calls
//! of ops.
//!
//! ```
//! use lanescope_dxil::Dxil;
//! use lanescope_dxil::op_calls::calls;
//!
//! let dxil = Dxil::read(std::fs::read("assets/example.dxil")?)?;
//! let module = &dxil.program.as_ref().expect("a program").module;
//! for (function, body) in module.defined() {
//!     println!("{}: {} instructions", module.function_name(function), body.instructions.len());
//! }
//! let names: Vec<&str> = calls(module).iter().filter_map(|call| Some(call.op()?.name.as_str())).collect();
//! assert_eq!(names[..3], ["CreateHandleFromBinding", "ThreadIdInGroup", "ThreadIdInGroup"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Op tables
//!
//! They need no file.
//!
//! ```
//! use lanescope_dxil::ops::{ShaderKind, by_name};
//!
//! let op = by_name("DerivCoarseX").expect("an op");
//! assert_eq!((op.opcode.0, op.function_prefix.as_deref()), (83, Some("dx.op.unary")));
//! assert!(op.allowed_in(ShaderKind::Pixel) && !op.allowed_in(ShaderKind::Vertex));
//! ```
//!
//! # Features
//!
//! `serde`: `Serialize` and `Deserialize` for what is read.

#![forbid(unsafe_code)]

pub mod adapt;
pub(crate) mod bitcode;
mod bitstream;
mod bytecode;
pub(crate) mod bytes;
pub(crate) mod check;
pub mod container;
mod copy;
pub mod disassemble;
mod error;
mod feedback;
mod file;
pub mod findings;
mod hex;
pub mod linkage;
pub mod mark;
pub mod metadata;
pub mod module;
mod names;
pub mod op_calls;
pub mod ops;
pub mod partial_program;
pub mod parts;
pub mod pdb;
pub mod psv;
pub mod rdat;
pub mod root_places;
mod sign;
pub mod signature;
pub mod source_lines;
mod sources;
pub mod strip;
pub mod substitute;
mod summary;
#[cfg(test)]
mod testing;
pub mod uses;

pub use bitcode::MAGIC as BITCODE_MAGIC;
pub use bytecode::Bytecode;
pub use bytes::escaped;
pub use error::{Broken, Fault, Place};
pub use file::{Dxil, Program, root_signature};
pub use hex::{HEX_BYTES, hex_line, hex_text, hex_text_of};
pub use names::Name;
pub use parts::RootSignature;
pub use sign::{SignError, Signature};
pub use summary::{ContainerSummary, ModuleSummary, PartSummary, SignatureParts, Summary};

/// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Bytes as one hexadecimal number: `0x0123`.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}
