//! The parts of DXIL containers, and their signatures.

mod file_map;
mod signature;

pub use file_map::file_map;
pub use signature::{elements, has_signatures, name, signatures};
