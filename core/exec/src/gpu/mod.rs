//! The Vulkan devices of this machine, and running shaders on them.
//!
//! In the order in which a run goes:
//! * [`Needs`]: what the modules' capabilities require of a device, from one table; nothing else is enabled.
//! * [`with_device`]: loader, instance, validation layer, device; [`Device`] waits with a time limit.
//! * [`Resources`]: what the descriptors need, read from SPIR-V; [`Inputs`]: what fills them.
//! * [`run_compute`], [`run_graphics`] with its [`scene`], [`probe`]: each returns plain data ([`lanescope_run`]).
//! * [`time_programs`]: variants of one dispatch, many times.
//! * [`run_graph`]: work graphs; [`run_chain`]: the same kind of work, hand-written.
//!
//! Drivers are foreign code, and on a software device a shader's stray write or endless loop is this process's own: a
//! caller with something to lose runs all of this in a child process, and kills it when its time is up. After a time-out
//! nothing of the device is destroyed, for it may still be at work: the process has to end.
//!
//! Each `unsafe` block names what makes it sound. What is made from a device borrows it and destroys itself, so the
//! order of destruction is the borrow checker's to keep.

#![allow(unsafe_code, reason = "Vulkan is a C interface")]

mod addressed;
mod applied_state;
mod attachments;
pub(crate) mod bind;
mod chain;
pub(crate) mod compute;
mod contents;
mod coverage;
mod declared;
mod derivative_extension;
mod derivative_support;
pub mod describe_program;
mod descriptor_types;
mod device;
mod devices;
mod dispatch;
mod error;
mod features;
pub(crate) mod fixed_function;
mod formats;
mod given_image;
mod given_places;
mod given_vertices;
pub(crate) mod group;
mod group_starts;
mod guessed_layout;
pub(crate) mod heaps;
mod images;
pub mod interpret;
mod limits;
pub(crate) mod linked;
mod loader;
pub(crate) mod memory;
pub(crate) mod moved_sets;
pub(crate) mod pipeline;
pub(crate) mod pipeline_binaries;
pub(crate) mod pipeline_from_description;
mod position;
mod probe;
mod program;
mod raster;
pub(crate) mod resources;
mod sampler_uses;
pub mod scene;
pub(crate) mod stage_order;
mod store;
pub(crate) mod subpass;
#[cfg(test)]
mod testing;
mod timing;
mod unformatted;
mod vertices;
pub mod waiting;
pub(crate) mod wave;
mod workgraph;

pub use chain::{By, Chain, Chained, Link, run_chain};
pub use compute::{run_compute, run_compute_with};
pub use coverage::{Coverage, NO_SAMPLE, coverage};
pub use declared::{
    Declared, DescriptorOf, Starting, StartingContents, StartingDescriptor, StartingDraw, StartingImage, declared,
    starting,
};
pub use derivative_support::DerivativeSupport;
pub(crate) use device::with_kept_device;
pub use device::{
    Device, DeviceOptions, Used, choose, chosen_device, close_kept_device, executes, list_devices,
    offered_capabilities, with_device,
};
pub(crate) use devices::known_devices;
pub use devices::{DeviceInfo, HIDDEN_EXTENSIONS, devices};
pub use dispatch::default_dispatch;
pub use error::{GpuError, NeededBy};
pub use features::{
    IsOffered, Named, Needs, OfferedCapabilities, OfferedCapability, Requirement, all_capabilities, is_known, not_run,
};
pub use given_image::{image_of_rgba8, texel_bytes};
pub use given_vertices::attributes_of;
pub use group_starts::{GroupStarts, group_starts};
pub use guessed_layout::Descriptors;
pub use lanescope_run::inputs::{Addressed, Content, Given, Inputs};
pub use memory::MAX_BUFFER;
pub use position::position_of;
pub use probe::probe;
pub use program::{run_program, run_program_with};
pub use raster::{needs_of, run_graphics, run_graphics_with};
pub use resources::{Described, Fillable, OPEN_DESCRIPTORS, OPEN_ELEMENTS, Resources, fillable, samplers};
pub use timing::time_programs;
pub use workgraph::{
    NodePlans, PairState, RecordLaunch, RecordPlace, WrittenPair, WrittenRecord, pairs, record_of, record_text,
    run_graph, run_graph_telling, same_records,
};
