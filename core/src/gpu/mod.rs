//! The Vulkan devices of this machine.
//!
//! Drivers are foreign code: a caller with something to lose asks in a child process.

#![allow(unsafe_code, reason = "Vulkan is a C interface")]

mod devices;

pub use devices::{DeviceInfo, GpuError, devices};
