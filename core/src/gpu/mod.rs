//! The Vulkan devices of this machine, and running shaders on them.
//!
//! Drivers are foreign code, and on a software device a shader's stray write or endless loop is this process's own: a
//! caller with something to lose runs all of this in a child process, and kills it when its time is up.

#![allow(unsafe_code, reason = "Vulkan is a C interface")]

mod attachments;
mod bind;
mod compute;
mod device;
mod devices;
mod error;
mod features;
mod formats;
mod images;
mod memory;
mod probe;
mod program;
mod raster;
mod resources;
pub mod scene;

pub use compute::{order_dependence, run_compute};
pub use device::{Device, DeviceOptions, Used, chosen_device, with_device};
pub use devices::{DeviceInfo, devices};
pub use error::GpuError;
pub use features::Needs;
pub use memory::MAX_BUFFER;
pub use probe::probe;
pub use program::run_program;
pub use raster::{needs_of, run_graphics};
pub use resources::{Content, Given, Inputs, OPEN_DESCRIPTORS, OPEN_ELEMENTS, Resources};
