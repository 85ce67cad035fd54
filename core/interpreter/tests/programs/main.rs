//! Programs that run on the interpreter.

#[path = "../support/mod.rs"]
mod support;

mod back;
mod control;
mod debugger;
mod draw;
mod harness;
mod images;
mod interface;
mod logged;
mod memory;
mod mutated;
mod race;
mod resume;
mod subgroup;
