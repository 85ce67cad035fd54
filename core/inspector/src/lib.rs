//! Data of the interactive inspector: what a view draws and which commands it returns, without a toolkit.
//!
//! * [`command`]: outputs of a run as files.
//! * [`tasks`]: work on request and its results; [`settings`]: how it is done.
//! * [`selection`], [`source`], [`comparing`]: what is selected, the texts, both sides of a comparison.
//! * [`view`]: views by name.
//!
//! The window and the terminal form share all of it. Nothing here draws, reads a file, or starts a thread.

#![forbid(unsafe_code)]

pub mod command;
pub mod comparing;
pub mod selection;
pub mod settings;
pub mod source;
pub mod tasks;
pub mod view;
