//! The views, driven and looked at: one crate, since each needs a renderer.

mod compare;
mod compiled;
mod dxil;
mod frozen;
mod graph;
mod graphs;
mod layouts;
mod on_device;
mod pictures;
mod tables;
