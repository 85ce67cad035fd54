//! Shader layout, computed: bytes → [`program::Program`] → passes → [`report::Report`].
//!
//! ```text
//! bytes ──load──▶ Program ──analyse──▶ Report ──▶ text · JSON · pictures · window
//! ```
//!
//! Rooms, in the order in which data goes:
//! * [`load`]: what a file is, and how it becomes SPIR-V (SPIR-V, SPIR-V assembly, GLSL, DXIL, HLSL;
//!   pipelines of `.pipe` and `.foz` files).
//! * [`spirv`]: an indexed view of one module: types, decorations, entry points, uses; and edits of it.
//! * [`program`], [`options`], [`target`]: what is analysed, and every knob.
//! * [`pipeline`]: what an application says of a pipeline beside its shaders: layout, state, constants, options.
//! * `liveness`: what an entry point still reads, writes and runs once dead code is gone.
//! * [`packing`]: fragment inputs into attribute slots, and what that does to the previous stage: as a map, and
//!   rewritten.
//! * [`workgroup`]: which lane of which wave runs which invocation: as a map, and rewritten.
//! * [`dxil`]: DXIL containers: parts, bitcode, metadata.
//! * [`graph`]: work graphs: nodes, which node feeds which, limits.
//! * [`registers`]: the register values that follow, one table per graphics IP.
//! * [`partial`]: the layout that is guessed from a shader alone, and whether it serves an application's pipeline.
//! * [`findings`]: rules that a readable shader breaks, each with a stable code.
//! * [`report`]: every artifact of one `(Program, Options)`, as plain data.
//! * [`compare`]: two reports, section by section.
//! * [`gpu`]: running shaders on a Vulkan device; [`run`]: what that brought back, as plain data.
//! * [`driver`]: the compilers that ship in drivers.
//!
//! Invariants:
//! * Nothing here draws or prints, and nothing here depends on a screen.
//! * A pass is a function of its input: no I/O, no globals, no clock, no thread.
//! * Any bytes may be opened: an answer or an error, never a panic or unbounded memory.
//! * `ash` is used in [`gpu`] and [`driver`] only.

mod analyse;
pub mod compare;
pub mod driver;
pub mod dxil;
pub mod findings;
pub mod gpu;
pub mod graph;
pub mod ids;
mod liveness;
pub mod load;
mod named_enum;
pub mod options;
pub mod packing;
pub mod partial;
pub mod pipeline;
pub mod program;
pub mod registers;
pub mod report;
pub mod run;
pub mod spirv;
pub mod target;
pub mod words;
pub mod workgroup;

pub use analyse::{AnalyseError, analyse, specialised};
