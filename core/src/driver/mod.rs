//! The compilers that ship inside Vulkan drivers, asked what they make of a program.
//!
//! * [`chips`]: AMD chips that nobody has plugged in, through Mesa's null device.
//! * [`executable`]: what a driver hands back, as plain data.
//! * [`isa`]: what an AMD assembly text says of interfaces, lanes and registers.
//! * [`compile`]: asks a device's driver, in this process; [`versions`], [`pipelines`]: what it is asked about.
//! * [`DriverStage`]: the report's `driver` section; [`tables`]: its statistics side by side.
//! * [`Failure`]: what became of a compiler that did not answer.
//!
//! Drivers are foreign code: a caller with something to lose runs [`compile`] in a child process. A chip is chosen by
//! that process's environment ([`environment`]), so several chips compile side by side in as many children.

#![allow(unsafe_code, reason = "Vulkan is a C interface")]

mod compile;
pub mod executable;
mod failure;
mod fingerprint;
mod graphics;
pub mod isa;
mod offline;
mod partner;
mod read;
mod report;
mod table;
mod versions;

pub use compile::{CompileOptions, choose, compile};
pub use executable::{Compilation, CompiledPipeline, Executable, Link, Representation, Statistic, Value, Version};
pub use failure::{Failure, Fate};
pub use fingerprint::fingerprint;
pub use offline::{Chip, FAMILY_VARIABLE, chips, environment};
pub use report::DriverStage;
pub use table::{Cell, Change, Column, Row, StatisticsTable, is_hash, tables};
pub use versions::{Versioned, only, pipelines, versions};
