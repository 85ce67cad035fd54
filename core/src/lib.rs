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
//! * [`guessed_layout`]: the layout that is guessed from a shader alone, and whether it serves an application's pipeline.
//! * [`findings`]: rules that a readable shader breaks, each with a stable code.
//! * [`report`]: every artifact of one `(Program, Options)`, as plain data.
//! * [`compare`]: two reports, section by section.
//! * [`gpu`]: running shaders on a Vulkan device; [`run`]: what that brought back, as plain data.
//! * [`driver`]: the compilers that ship in drivers.
//!
//! Whatever is foreign runs in the caller's process here: glslang, SPIRV-Tools and dxil-spirv in [`load`], a device's
//! driver in [`driver`] and [`gpu`]. They are other people's C++, they may crash or hang on a hostile shader, and on a
//! software device a shader's stray write lands in this process. A caller with something to lose runs them in a child
//! (the program's module `worker` does), and chooses a chip of Mesa's null device by that child's environment.
//!
//! # A first look
//!
//! ```
//! use std::path::PathBuf;
//!
//! use lanescope_core::{analyse, load::load, options::Options};
//!
//! let files = ["vert", "frag"].map(|stage| PathBuf::from(format!("../samples/lit_surface.{stage}")));
//! let program = load(&files, &[])?;
//! let report = analyse(&program, &Options::default())?;
//! let packing = report.packing.expect("a vertex and a fragment shader have an interface");
//! for scalar in packing.map.iter().take(3) {
//!     println!("{}: location {} -> location {}", scalar.variable, scalar.from.location, scalar.to.location);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same with the layout put into the modules:
//!
//! ```
//! # use std::path::PathBuf;
//! # use lanescope_core::{load::load, options::Options};
//! use lanescope_core::packing::rewrite::rewrite;
//!
//! let program = load(&[PathBuf::from("../samples/lit_surface.vert"), PathBuf::from("../samples/lit_surface.frag")], &[])?;
//! let packed = rewrite(&program, &Options::default())?.program;
//! assert_eq!(packed.modules.len(), program.modules.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where a change goes
//!
//! | to add | goes to |
//! |---|---|
//! | a file format | a loader: a line of the table in `core/src/load/mod.rs` and a file beside it |
//! | a pass | a room of its own, a field of [`report::Report`], a call in `core/src/analyse.rs` |
//! | a broken rule | a line of [`findings`]'s table; a test that meets it |
//! | a section of `diff` | a line of the table in `core/src/compare/mod.rs` and a file beside it |
//! | a tab | a view, and a line of `views/src/registry.rs` |
//! | a command | a file in `app/src/cli`, and a line of its enum |
//! | work for the child process | a variant of `Request` and of `Reply` in `app/src/worker/mod.rs` |
//!
//! # Invariants
//!
//! `app/tests/tidy.rs` holds what can be held by reading the tree.
//! * Imports go down only: the program knows views and core, views know core, core knows neither; nothing here draws,
//!   prints, or depends on a screen.
//! * A pass is a function of its input: no I/O, no globals, no clock, no thread. Files are read in [`load`] alone.
//! * Any bytes may be opened: an answer or an error, never a panic or unbounded memory.
//! * `ash` is used in [`gpu`] and [`driver`] only, and `unsafe` stands nowhere else.
//! * Ids and units that could be taken for each other are types ([`ids`]).
//! * A list that grows is a table with a line for each entry, and a test that it is complete.
//!
//! # Errors
//!
//! Each room has one error type: what was being read, where (byte, part, instruction, line), what was expected and what
//! was found. A [`program::Program`] is whole or there is none. What is wrong with a shader that can be read is no error
//! but a [`findings::Finding`] in the report, with a stable code, a severity and a place.
//!
//! # Terms
//!
//! They are the field's: invocation, workgroup, subgroup or wave, lane, quad; varying, location, component,
//! interpolant; node, record, launch. Sizes are in bytes unless the name says otherwise; indices begin at 0.

mod analyse;
pub mod compare;
pub mod driver;
pub mod dxil;
pub mod findings;
pub mod gpu;
pub mod graph;
pub mod guessed_layout;
mod half;
pub mod ids;
mod liveness;
pub mod load;
pub mod name;
mod named_enum;
pub mod options;
pub mod packing;
pub mod pipeline;
pub mod program;
pub mod registers;
pub mod report;
pub mod run;
pub mod spirv;
pub mod target;
pub mod text_format;
pub mod workgroup;

pub use analyse::{AnalyseError, analyse, specialised};
