//! The compilers that ship inside Vulkan drivers, asked what they make of a program.
//!
//! * [`chips`]: AMD chips that nobody has plugged in, through Mesa's null device.
//! * [`executable`]: what a driver hands back, as plain data.
//! * [`compile`]: asks a device's driver, in this process.
//!
//! Drivers are foreign code: a caller with something to lose runs [`compile`] in a child process. A chip is chosen by
//! that process's environment ([`environment`]), so several chips compile side by side in as many children.

#![allow(unsafe_code, reason = "Vulkan is a C interface")]

mod compile;
pub mod executable;
mod graphics;
mod offline;
mod partner;
mod read;

pub use compile::{CompileOptions, compile};
pub use executable::{Compilation, CompiledPipeline, Executable, Link, Representation, Statistic, Value, Version};
pub use offline::{Chip, FAMILY_VARIABLE, chips, environment};
