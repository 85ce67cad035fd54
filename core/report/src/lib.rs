//! The report of a program: [`analyse()`] runs the passes and gathers what they found, drivers' compilers add theirs
//! ([`DriverSections`]), and reports are compared, counted over a corpus and shown as tables.
//!
//! Nothing here reads a file, runs a compiler, looks at a clock or starts a thread.

#![forbid(unsafe_code)]

mod analyse;
pub mod compare;
pub mod corpus;
pub mod dxil_tables;
pub mod guess_tables;
pub mod object_assembly;
pub mod object_prediction;
pub mod object_tables;
pub mod pipeline_tables;
pub mod report;
pub mod report_tables;
mod sections;
#[cfg(test)]
mod tests;

pub use analyse::{Parts, analyse, analyse_parts, registers_for};
pub use sections::{Compilations, DriverSections, layouts_of, registers_of};
