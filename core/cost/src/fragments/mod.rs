//! What a fragment shader accesses in a draw that the interpreter rasterizes.
//!
//! ```text
//! Machine of fragments ──step──▶ accesses of a wave ──Counter, by wave size and tiling──▶ FragmentCost ──▶ Sheet
//!                                        └──Footprints──▶ texels of each level ────────────▶ ┘
//! ```
//!
//! A fragment shader has no workgroup, and so no layout of one. The interpreter packs quads of 2×2 pixels into waves in the
//! order of primitives, then of rows and columns. How hardware packs them is not known: what is counted by wave is a guess
//! in that respect.

mod footprint;
mod report;
mod run;
mod sheet;
mod sources;
mod table;

#[cfg(test)]
mod tests;

pub use report::{
    DrawAccesses, FilteredReads, Footprint, FragmentCost, FragmentCounts, FragmentVariant, StageAccesses, TexelFilter,
};
pub use run::{FragmentCostError, FragmentMachine, FragmentSubject, LANES, fragment_cost};
pub use table::{footprints_table, fragment_accesses_table, fragment_lines_table, variants_table};
