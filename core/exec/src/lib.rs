//! Vulkan: running programs on a device ([`gpu`]), and compiling them with the driver of one ([`driver`]). Scripts that
//! run programs and check what they leave ([`script`]).
//!
//! The only crate with `ash`. Drivers are foreign code in this process: a caller with something to lose
//! runs this crate in a child.

#![allow(unsafe_code, reason = "Vulkan is a C interface")]

pub mod driver;
pub mod gpu;
pub mod script;
