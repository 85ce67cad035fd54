//! The compilers inside Vulkan drivers: which there are, and how they are called.
//!
//! * [`chips`]: chips that need not be installed; [`Way`]: how a process selects one; [`Offered`]: which ones are
//!   available.
//! * [`installed`]: the manifests and libraries of Vulkan drivers.
//! * [`compile`]: compiles with a device's driver, in this process; [`creations`]: how long it takes.
//! * [`speculative`]: compiling with a guessed layout before the pipeline is created, with timings.
//! * Everything that is read from what they return: lanescope-driver, re-exported here.
//!
//! Drivers are foreign code: a caller with something to lose runs [`compile`] in a child process. A chip is chosen by
//! that process's environment ([`environment`]), so several chips compile side by side in as many children. What compilers
//! find there beside it ([`inherited`]) changes what they make, and is part of a [`fingerprint`].

mod compile;
mod fingerprint;
pub(crate) mod graphics;
pub mod installed;
mod offered;
mod offline;
mod rays;
mod read;
pub mod speculative;
mod stub_vertex;

pub use lanescope_driver::*;
pub use lanescope_report::{Compilations, DriverSections, layouts_of, registers_of};

pub use compile::{CompileOptions, capabilities, choose, compile, creations};
pub use fingerprint::fingerprint;
pub use offered::{Installed, Offer, Offered, Unavailable};
pub use offline::{
    Backend, Library, Way, chips, debug_information, environment, inherited, is_null_device, libraries,
    with_kept_internal_pipelines, with_pipeline_caches, without_pipeline_libraries,
};
