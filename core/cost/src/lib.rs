//! What the layout of a workgroup does to memory accesses: cache lines, sectors, passes of LDS, for each layout side by side.
//! What the interface of a graphics pipeline costs: [`interface`], and what its fragment shader accesses: [`fragments`]. What
//! a scheduler makes of a work graph: [`graph`]. These are read as a [`sheet`].
//!
//! ```text
//! Machine ──step──▶ accesses of a workgroup ──Counter, by layout──▶ Counts ──advise──▶ Cost ──tables──▶ text, picture
//! Timing of a device ──Cost::measure──▶ Measured, beside the counts in waves of the device
//! ```
//!
//! The interpreter runs each workgroup once and logs what each invocation accesses; a layout only groups invocations into
//! waves. Only where results depend on waves, or on the order of invocations, is there a machine for each layout
//! ([`Machines::Each`]).
//!
//! # Model
//!
//! * Lanes of a wave that run one instruction for the n-th time access memory together, also if they reach it in different
//!   turns of a loop that diverges.
//! * An access of a wave touches the lines of 64 and 128 bytes, and the sectors of 32 bytes, that its lanes name, each once.
//! * Buffers, images and shared variables begin at the first byte of a line, and at bank 0.
//! * Texels lie as [`Tiling`] says.
//! * Passes of LDS: 32 banks of 4 bytes ([`Counts::lds_passes`]).
//! * Caches keep nothing between accesses, but for the figures that count reuse: [`Counts::wave_lines`],
//!   [`Counts::group_lines`], [`Orders`].

#![forbid(unsafe_code)]

mod advise;
mod count;
mod depends;
pub mod fragments;
pub mod graph;
pub mod interface;
mod layouts;
mod lds;
mod measure;
mod measured;
mod measured_table;
mod names;
mod orders;
mod report;
pub mod sheet;
mod sources;
pub mod strip;
mod table;
mod tiling;
mod touch;
mod words;

#[cfg(test)]
mod tests;

pub use layouts::{Layout, layouts, layouts_of_stage};
pub use measure::{CostError, Machines, Settings, Subject, cost, line_of};
pub use measured::{Agreement, LayoutTimes, Measured, MeasuredOrders, TimedOrder};
pub use measured_table::{measured_on, measured_orders_table, measured_table};
pub use report::{
    AccessKind, AccessSite, Advice, Cost, Counts, Dependence, Figure, LayoutCost, MemoryKind, OrderCost, Orders,
    Source, Verdict,
};
pub use table::{accesses_table, layouts_table, marked_sources_table, orders_table, sources_table};
pub use tiling::Tiling;
pub use touch::WaveTouch;
