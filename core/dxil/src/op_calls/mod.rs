//! Calls of ops in a module: which op each is, whether it fits its callee, and whether it is allowed where it stands.

mod calls;
mod check;
#[cfg(test)]
pub(crate) mod files_tests;
mod shape;
mod stages;

pub use calls::{OpCall, calls, decode};
pub(crate) use check::{CallPlace, Facts, check};
pub(crate) use shape::{allows, before, earlier_name, suffix};
pub(crate) use stages::stages_of;
