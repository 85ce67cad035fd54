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
mod run_files;
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
