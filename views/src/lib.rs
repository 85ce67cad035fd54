//! One view per artifact of [`lanescope_core::report::Report`].
//!
//! Invariants:
//! * A view draws its inputs. It starts no thread, opens no file, calls no driver.
//! * A view never changes what it draws: it returns [`lanescope_inspector::command::Command`]s.
//! * Every diagram is a [`picture::Picture`] of [`lanescope_pictures`]: painted here, written as SVG and PNG by the same list
//!   of shapes.
//! * Colours and sizes come from [`theme::Theme`] only; meaning never rests on colour alone.
//!
//! Modules have the names of core's: the view of `lanescope_core::packing` is in [`packing`]. [`registry`]
//! lists the tabs, [`context`] has their inputs, [`lanescope_inspector`] data and commands (settings, results
//! of runs and compiles, the selection), [`gallery`] sample artifacts for tests, benchmarks and pictures.
//!
//! A diagram without a window:
//!
//! ```
//! use lanescope_views::draw::{PictureKind, picture, svg};
//! use lanescope_views::{gallery, theme::Theme};
//!
//! let report = gallery::packing_report(gallery::note_example());
//! let drawn = picture(PictureKind::Packing, &report, &Theme::light()).expect("the report has a packing");
//! assert!(svg(&drawn).starts_with("<svg"));
//! ```

#![forbid(unsafe_code)]

pub use lanescope_pictures::{draw, gallery};

pub mod code_object;
pub mod combo;
pub mod compare;
mod compiling;
pub mod context;
mod cost_sheet;
pub mod debug;
mod device;
pub mod diff;
pub mod dxil;
pub mod findings;
pub mod graph;
pub mod guessed_layout;
pub mod isa;
mod memory_strip;
pub mod menu;
pub mod names;
pub mod packing;
pub mod pane;
pub mod picture;
pub mod records;
pub mod registers;
pub mod registry;
pub mod rewritten;
pub mod rows;
pub mod run;
mod sheet;
pub mod source;
pub mod stages;
pub mod statistics;
pub mod table;
mod text;
pub mod theme;
pub mod tokens;
pub mod tooltip;
pub mod type_ahead;
mod widgets;
pub mod workgroup;
