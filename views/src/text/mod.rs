//! Text that is read: the panes of all tabs that show a text share it.
//!
//! [`area`] draws the lines in view and takes keys and pointer; [`reader`] adds the search and the bookmarks of a pane
//! with one text. Below them, without egui: [`caret`] has places and selections, [`document`] a text by its lines,
//! [`movement`] where the caret goes, [`state`] what is kept of each text. [`index`] and [`find`] go through a text a
//! step at a time; [`highlight`], [`line`] and [`code`] make a line's look.

pub(crate) mod area;
pub(crate) mod caret;
pub(crate) mod code;
pub(crate) mod document;
pub(crate) mod find;
mod keys;
pub(crate) mod line;
pub(crate) mod measure;
pub(crate) mod menu;
mod movement;
pub(crate) mod reader;
pub(crate) mod search;
pub(crate) mod state;
pub(crate) mod strip;

pub(crate) use lanescope_pictures::{highlight, index};
