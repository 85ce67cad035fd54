//! The views, driven and looked at: one crate, since each needs a renderer.

mod pictures;
mod tables;
