//! Diagrams and highlighted texts, without a toolkit: what the window paints, `lanescope draw` writes, and the terminal
//! form colours.
//!
//! Invariants:
//! * Every diagram is a [`picture::Picture`]: a list of shapes, written as SVG and (feature `png`) as PNG.
//! * Text is measured by the widths of the window's fonts: a picture is the same with and without a window.
//! * Colours come from [`theme`] only; meaning never rests on colour alone.
//!
//! Modules have the names of core's: the picture of `lanescope_core::packing` is in [`packing`]. [`highlight`] has
//! classes of texts, [`index`] their lines, [`align`] lines of two texts, [`assembly`] what lines of assembly come from,
//! [`records`] the order of records, [`gallery`] sample artifacts for tests, benchmarks and pictures.
//!
//! ```
//! use lanescope_pictures::draw::{PictureKind, picture, svg};
//! use lanescope_pictures::{gallery, theme::Theme};
//!
//! let report = gallery::packing_report(gallery::note_example());
//! let drawn = picture(PictureKind::Packing, &report, &Theme::light()).expect("the report has a packing");
//! assert!(svg(&drawn).starts_with("<svg"));
//! ```

#![forbid(unsafe_code)]

pub mod align;
pub mod assembly;
pub mod compare;
pub mod corpus;
pub mod cost;
pub mod curve;
pub mod draw;
pub mod dxil;
pub mod gallery;
pub mod graph;
pub mod guessed_layout;
pub mod highlight;
pub mod index;
pub mod packing;
pub mod picture;
pub mod records;
pub mod theme;
pub mod workgroup;
