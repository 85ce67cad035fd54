//! Pure functions over a program: what its stages read and write, how fragment inputs pack, which lane runs which
//! invocation, which registers follow, which layout a shader suggests, which node feeds which.
//!
//! Nothing here reads a file, runs a compiler, looks at a clock or starts a thread.

#![forbid(unsafe_code)]

pub mod color_export;
pub mod findings;
pub mod graph;
pub mod guessed_layout;
pub mod liveness;
pub mod packing;
pub mod registers;
pub mod speculative;
pub mod speculative_corpus;
pub mod table;
pub mod workgroup;
