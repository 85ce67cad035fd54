//! What every front end of Lanescope does outside the frame.
//!
//! ```text
//! files, folders ── watch ──▶ worker (a child: loads, compiles, runs) ──▶ corpus, drivers, scripts, variants
//!                                                                      └▶ outputs, reports, saved_runs, session (files)
//! ```
//!
//! Foreign code (compilers, drivers) runs in the child process (`worker`) only, which is this executable once more.

#![forbid(unsafe_code)]

pub mod bisecting;
pub mod code_objects;
pub mod corpus;
pub mod costs;
pub mod debugging;
pub mod disk_cache;
pub mod draw_accesses;
pub mod drivers;
pub mod excerpt;
pub mod exports;
pub mod files;
pub mod flags;
pub mod folders;
pub mod framing;
pub mod hunting;
pub mod image_files;
pub mod inputs;
pub mod jobs;
pub mod json;
pub mod layout_times;
pub mod leftovers;
pub mod meshes;
pub mod outputs;
pub mod reducing;
pub mod reports;
pub mod rewriting;
pub mod safe_write;
pub mod samples;
pub mod saved_runs;
pub mod scripts;
pub mod session;
pub mod signing;
pub mod variants;
pub mod watch;
pub mod watchdog;
pub mod worker;
pub mod workspace;
