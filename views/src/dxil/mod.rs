//! A DXIL container: its parts as a map of the file, signatures as register slots, ops by table, resources, reflection.

mod code;
mod facts;
mod file_map;
mod ops;
mod sheet;
mod signature;
mod view;

pub use file_map::file_map;
pub use signature::{has_signatures, signatures};
pub use view::DxilView;
