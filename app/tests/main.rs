//! The behaviour of the program, run as a user runs it: a module for each subject. One executable, so that it is linked once
//! and all tests run beside each other.

mod bad_input;
#[path = "../../core/tests/bytecode/mod.rs"]
mod bytecode;
mod child;
mod cli;
mod common;
mod constructs;
mod corpus;
mod debug;
#[path = "common/display.rs"]
mod display;
mod driver;
mod drivers;
mod dxc;
mod dxc_libraries;
mod dxil;
mod dxil_compiled;
mod earlier_formats;
mod explanations;
mod exports;
mod graph;
mod help;
mod hostile;
mod isa;
mod lean;
mod limits;
mod manual;
mod modules;
mod opcodes;
mod overwriting;
mod partial;
mod pipelines;
mod promises;
mod proof;
mod rewrite;
mod run;
mod run_graph;
mod run_inputs;
mod schemas;
mod script_resources;
mod scripts;
mod slang;
mod source_options;
mod sources;
mod streams;
mod strings;
#[path = "common/terminal.rs"]
mod terminal;
mod tidy;
mod tui;
mod validators;
mod variants;
mod watching;

// Parts of the program that some of them drive.
#[path = "../src/disk_cache.rs"]
#[allow(dead_code, unused_imports, reason = "each is more than a test needs")]
mod disk_cache;
#[path = "../src/excerpt.rs"]
#[allow(dead_code, unused_imports, reason = "each is more than a test needs")]
mod excerpt;
#[path = "../src/files.rs"]
#[allow(dead_code, unused_imports, reason = "each is more than a test needs")]
mod files;
#[path = "../src/json.rs"]
#[allow(dead_code, unused_imports, reason = "each is more than a test needs")]
mod json;
#[path = "../src/rewriting.rs"]
#[allow(dead_code, unused_imports, reason = "each is more than a test needs")]
mod rewriting;
#[path = "../src/worker/mod.rs"]
#[allow(dead_code, unused_imports, reason = "each is more than a test needs")]
mod worker;
