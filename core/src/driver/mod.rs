//! The compilers that ship inside Vulkan drivers.

mod offline;

pub use offline::{Chip, FAMILY_VARIABLE, chips};
