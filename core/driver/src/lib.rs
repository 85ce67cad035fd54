//! What drivers return of a program, read and compared with our passes.
//!
//! * [`executable`]: what a driver returns, as plain data.
//! * [`isa`]: facts of an AMD assembly text about interfaces, lanes and registers.
//! * [`texts`]: the same facts of other vendors' assembly.
//! * [`verified`]: the versions whose output the readers were tested on; others are marked.
//! * [`layout`]: where the driver puts varyings, compared with our packing.
//! * [`assignment`]: those places, ours and the program's own in one shape, slot by slot.
//! * [`registers`]: our register values, compared with what the driver reveals of its own.
//! * [`origin`]: which SPIR-V instructions, and source lines, an instruction of the assembly comes from.
//! * [`DriverStage`]: a row of `driver`; [`tables`]: their statistics side
//!   by side.
//! * [`versions`], [`pipelines`]: what is compiled.
//! * [`Failure`]: how a compiler failed.
//!
//! Where Mesa's AMD compiler (RADV) and our passes choose differently. [`layout`] names the rule of each scalar where
//! the texts show it, and [`registers`] the choice of each field. For 22.3 on GFX9 to GFX11 tests hold that there is no
//! other difference; of 25.0 and 26.2 the list says what their texts of the sample pairs show.
//! * All: it packs by values too. Constants move into the fragment shader, outputs with the same value are passed once,
//!   and what arithmetic shows not to matter is not read. Our liveness never looks at values, as LLPC's does not.
//! * 25.0 and 26.2: it moves arithmetic of the fragment shader before the rasteriser too, so a slot may hold a value that
//!   the shader computes from a varying instead of the varying.
//! * 22.3: its slots hold one kind of interpolation each: smooth, noperspective, centroid and sample have slots of
//!   their own. 25.0 and 26.2: a slot may mix these, and one channel may be read in two of these ways; flat values, and
//!   16-bit ones, have slots of their own. LLPC's classes distinguish interpolated, flat and custom, and smooth shares
//!   a slot with noperspective.
//! * 22.3: values that are declared of reduced precision (`RelaxedPrecision`) have slots of their own too; neither LLPC
//!   nor we look at that decoration.
//! * All: its order of slots is its own, where LLPC orders by class and then by location.
//! * 22.3: 16-bit and 64-bit values are not moved: they keep their component, and 16-bit ones take a whole one. 25.0 and
//!   26.2: 16-bit values move, and two may share a component, as LLPC puts them. In our rewritten modules they take a
//!   component, since Vulkan has no halves; so they do where each side is compiled apart, in all versions.
//! * All: compiled apart, it renumbers locations like LLPC without packing; but an array, a matrix or a structure keeps
//!   the slots of its unread parts on 22.3, and the stage before passes the primitive's number in a slot of its own:
//!   after the others, on GFX9 (where it makes no primitives itself) with 22.3 before them. Compiled together, 22.3
//!   does not move their parts.
//! * 22.3, 25.0: from GFX10 on it runs compute and fragment shaders in waves of 64 unless requested otherwise; LLPC
//!   gives compute shaders waves of 32. On GFX11 the stage before stores its slots to memory, as many as it would export.
//! * All: an input that no stage writes gets no slot when the stages are compiled together; LLPC keeps its place,
//!   undefined.
//!
//! Other vendors' compilers, by what [`layout`] finds in their texts: Turnip links as RADV 26.2 does, and numbers locations.
//! ANV, HASVK and NVK keep the shader's locations. ANV and HASVK pass equal values once and no constants; NVK passes all.

#![forbid(unsafe_code)]

pub mod assignment;
mod common;
pub mod executable;
mod failure;
pub mod isa;
pub mod layout;
pub mod origin;
pub mod registers;
mod report;
mod statistics;
mod table;
pub mod texts;
pub mod verified;
mod versions;
mod waves;

pub use common::{CommonStatistic, Measure, common_measure, common_tables};
pub use executable::{Compilation, CompiledPipeline, Executable, Link, Representation, Statistic, Value, Version};
pub use failure::{Failure, Outcome};
pub use report::{DriverCost, DriverFailure, DriverStage, ReadAttribute};
pub use statistics::{Titles, statistics_markdown, statistics_values};
pub use table::{Cell, Change, Column, Row, StatisticsTable, is_hash, tables};
pub use versions::{Versioned, only, pipelines, versions};
