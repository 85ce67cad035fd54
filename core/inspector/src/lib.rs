//! Data of the interactive inspector: what a view draws and which commands it returns, without a toolkit.
//!
//! * [`command`]: all commands; [`chord`]: keys.
//! * [`tasks`]: work on request and its results; [`settings`]: how it is done; [`devices`]: on what.
//! * [`selection`], [`source`], [`comparing`]: what is selected, the texts, both sides of a comparison.
//! * [`destination`]: where findings lead.
//! * [`corpus`]: the result over many pipelines; [`survey`]: guesses over those of a database; [`costs`]: cost sheets that take no run.
//! * [`stepping`]: the run of a work graph, step by step; [`debugging`]: a program in the debugger.
//! * [`view`]: views by name; [`mode`]: where each is shown; [`layout`]: their arrangement.
//! * [`strip`]: the answers in one line.
//!
//! The window and the terminal form share all of it. Nothing here draws, reads a file, or starts a thread.

#![forbid(unsafe_code)]

pub mod chord;
pub mod command;
pub mod comparing;
pub mod corpus;
pub mod costs;
pub mod debugging;
pub mod destination;
pub mod devices;
pub mod found;
pub mod layout;
pub mod mode;
pub mod selection;
pub mod settings;
pub mod source;
pub mod stepping;
pub mod strip;
pub mod survey;
pub mod tasks;
pub mod view;

/// Names a program for as long as the inspector runs.
pub type ProgramId = u64;
