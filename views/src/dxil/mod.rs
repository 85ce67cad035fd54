//! A DXIL container: its parts as a map of the file, signatures as register slots, ops by table, resources, reflection.

mod bytes;
mod code;
mod facts;
mod ops;
mod view;

pub use lanescope_pictures::dxil::{file_map, has_signatures, root_signature, signatures};
pub use view::DxilView;
