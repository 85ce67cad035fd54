//! Programs that run on the interpreter.

#[path = "../support/mod.rs"]
mod support;

mod control;
mod debugger;
mod harness;
mod memory;
mod race;
mod subgroup;
mod images;
