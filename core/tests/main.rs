//! The behaviour of the library: a module for each subject. One executable, so that it is linked once and all tests run
//! beside each other. Those beside it (Cargo.toml) measure the memory of their process.

mod ablated;
mod altered;
mod bytecode;
mod capabilities;
mod conversion;
mod databases;
mod described;
mod device;
mod drawing;
mod driver_layout;
mod dxbc;
mod dxil;
mod dxil_lines;
mod dxil_readers;
mod dxil_sources;
mod findings;
mod foreign;
mod graph;
mod guessed;
mod pipe_registers;
mod raster;
mod rewritten;
mod swizzled;
mod work_graphs;
