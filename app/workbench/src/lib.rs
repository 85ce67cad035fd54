//! The state of an interactive front end, and how commands change it.
//!
//! ```text
//! keys, menus, palette ──Command──▶ update ──▶ state ──▶ (a front end draws it)
//!                                     │
//!                                  Effects ──▶ services (jobs, watched files, session) ──Outcome──▶ update
//! ```
//!
//! Jobs do their work with an [`engine::Engine`], which runs foreign code in a child process.
//!
//! `commands` is the table of labels and keys, `manual` the pages of help, `completion` offers paths. The window and the
//! terminal form share all of it.

#![forbid(unsafe_code)]

pub mod about;
pub mod commands;
pub mod completion;
pub mod engine;
pub mod manual;
pub mod outcome;
pub mod palette;
pub mod services;
pub mod state;
pub mod tab_keys;
pub mod update;
