//! Pure functions over a program: what its stages read and write, how fragment inputs pack, which lane runs which
//! invocation, which registers follow, which layout a shader suggests, which node feeds which; and over what drivers and
//! devices return. [`analyse()`] makes a [`report::Report`] of all of it.
//!
//! Nothing here reads a file, runs a compiler, looks at a clock or starts a thread.

#![forbid(unsafe_code)]

mod analyse;
pub mod compare;
pub mod corpus;
pub mod driver;
pub mod dxil_tables;
pub mod findings;
pub mod graph;
pub mod guessed_layout;
pub mod liveness;
pub mod packing;
pub mod pipeline_tables;
pub mod registers;
pub mod report;
pub mod report_tables;
pub mod table;
pub mod user_data;
pub mod workgroup;

pub use analyse::{AnalyseError, Parts, analyse, analyse_parts, registers_for, specialised};
