//! The parts of DXIL containers, their signatures, and their root signature.

mod file_map;
mod root_signature;
mod signature;

pub use file_map::file_map;
pub use root_signature::root_signature;
pub use signature::{elements, has_signatures, name, signatures};
