//! UI tests of the views: one crate, because each needs a renderer.

mod code_object;
mod compare;
mod compiled;
mod cost_sheets;
mod costs;
mod dxil;
mod frozen;
mod graph;
mod graphs;
mod layouts;
mod on_device;
mod pictures;
mod reach;
mod rules;
mod stepping;
mod strip;
mod tables;
mod text;
mod tokens;
