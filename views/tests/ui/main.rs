//! The views, driven and looked at: one crate, since each needs a renderer.

mod compiled;
mod dxil;
mod layouts;
mod on_device;
mod pictures;
mod tables;
