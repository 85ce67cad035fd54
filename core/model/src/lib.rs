//! What is analysed, and how: [`program`] (files, modules, stages), [`options`], [`target`] (AMD's chips), [`chip`] (those of all vendors), [`overrides`]
//! (changes to the nodes of a work graph), [`file_types`] (what can be opened), [`driver_hashes`] (the names of shaders in
//! dumps of AMD's drivers).
//!
//! Plain data: nothing here reads a file, runs a compiler or decides a layout.

#![forbid(unsafe_code)]

pub mod chip;
pub mod driver_hashes;
pub mod dxil_interface;
pub mod file_types;
pub mod findings;
pub mod options;
pub mod overrides;
pub mod program;
pub mod specialised;
pub mod target;
