//! Shader layout, computed: bytes → [`program::Program`] → passes → [`report::Report`].
//!
//! ```text
//! bytes ──load──▶ Program ──analyse──▶ Report ──▶ text · JSON · pictures · window
//! ```
//!
//! Modules, in the order of the data flow:
//! * [`load`]: what a file is, and how it becomes SPIR-V (SPIR-V, SPIR-V assembly, GLSL, DXIL, HLSL;
//!   pipelines of `.pipe` and `.foz` files).
//! * [`spirv`]: an indexed view of one module: types, decorations, entry points, uses; and edits of it.
//! * [`program`], [`options`], [`target`], [`chip`]: what is analysed, and all options.
//! * [`pipeline`]: an application's description of a pipeline besides its shaders: layout, state, constants, options.
//! * `liveness`: what an entry point still reads, writes and runs once dead code is gone.
//! * [`packing`]: fragment inputs into attribute slots, and the effect on the previous stage: as a map, and
//!   rewritten.
//! * [`workgroup`]: which lane of which wave runs which invocation: as a map, and rewritten.
//! * [`dxil`]: DXIL containers: parts, bitcode, metadata.
//! * [`codeobject`]: AMD code objects: metadata, user data, registers by field.
//! * [`graph`]: work graphs: nodes, which node feeds which, limits.
//! * [`registers`]: the register values that follow, one table per graphics IP.
//! * [`guessed_layout`]: the layout that is guessed from a shader alone, and whether it serves an application's
//!   pipeline.
//! * [`table`]: tables as data, which the text report and the window draw.
//! * [`findings`]: rules that a readable shader breaks, each with a stable code.
//! * [`report`]: every artifact of one `(Program, Options)`, as plain data.
//! * [`compare`]: two reports, section by section.
//! * [`gpu`]: running shaders on a Vulkan device; [`run`]: the results of that, as plain data.
//! * [`driver`]: the compilers that ship in drivers.
//! * [`hunt`]: programs that try compilers; [`reduce`]: programs made smaller while a condition holds.
//! * [`cost`]: what a workgroup layout does to memory accesses; what an interface between stages costs; what a scheduler makes
//!   of a work graph.
//! * [`interpreter`]: running shaders without a device: waves in lockstep, a debugger, data races.
//!
//! Foreign code runs in the caller's process here: glslang, SPIRV-Tools and dxil-spirv in [`load`], a device's
//! driver in [`driver`] and [`gpu`]. They are other people's C++, they may crash or hang on a hostile shader, and on a
//! software device a shader's stray write lands in this process. A caller with something to lose runs them in a child
//! (the program's crate `lanescope-host` does), and chooses a chip of Mesa's null device by that child's environment.
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
//! The same with the layout applied to the modules:
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
//! Which lane runs which invocation, and the register values that follow:
//!
//! ```
//! # use std::path::PathBuf;
//! # use lanescope_core::{analyse, load::load, options::Options};
//! let program = load(&[PathBuf::from("../samples/tile_16x16.comp")], &[])?;
//! let report = analyse(&program, &Options { reconfig: true, ..Options::default() })?;
//! let layout = report.workgroup.first().expect("a compute shader has a workgroup");
//! let map = layout.lane_map().expect("16×16 has whole tiles");
//! let thread = map.thread([3, 5, 0]).expect("it is in the workgroup");
//! let (wave, lane) = layout.wave_and_lane(thread);
//! println!("invocation (3, 5, 0) runs in lane {} of wave {}", lane.0, wave.0);
//! for register in &report.registers {
//!     println!("{} {} = {:?}", register.address, register.name, register.value.map(|value| value.to_string()));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What another setting changes:
//!
//! ```
//! # use std::path::PathBuf;
//! # use lanescope_core::{analyse, load::load, options::Options};
//! use lanescope_core::compare::{Side, compare};
//!
//! let program = load(&[PathBuf::from("../samples/tile_16x16.comp")], &[])?;
//! let plain = analyse(&program, &Options::default())?;
//! let swizzled = analyse(&program, &Options { reconfig: true, ..Options::default() })?;
//! let comparison = compare(Side::from(&plain), Side::from(&swizzled));
//! assert!(!comparison.equal);
//! for section in comparison.sections.iter().filter(|section| !section.equal) {
//!     println!("{} rows of {:?} differ", section.rows.len(), section.name);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Crates
//!
//! This crate re-exports what a user of the library names; each part is a crate below `core`. Imports go down only:
//!
//! | crate | contents | imports |
//! |---|---|---|
//! | `lanescope-base` | units, stages, findings, text of counts | |
//! | `lanescope-amber` | Amber scripts as plain data, read, written and checked | base |
//! | `lanescope-spirv` | view of a SPIR-V module, edits | base |
//! | `lanescope-interpreter` | runs SPIR-V in waves, debugger, data races | base, spirv |
//! | `lanescope-dxil` | containers, bitcode, metadata, ops, disassembly | base |
//! | `lanescope-pipeline` | `.pipe` and `.foz` as plain data | base, spirv |
//! | `lanescope-sodb` | D3D12's state object databases, read and copied in part | base, pipeline |
//! | `lanescope-model` | program, options, targets, overrides | the above |
//! | `lanescope-passes` | the passes: pure functions | the above |
//! | `lanescope-codeobject` | AMD code objects: sections, metadata, registers, user data; predictions against them | base, pipeline, model, passes |
//! | `lanescope-driver` | what drivers return, read and compared with the passes | base, spirv, model, passes |
//! | `lanescope-report` | the passes together, comparison, corpora, tables | the above |
//! | `lanescope-reduce` | programs made smaller: edits, search, conditions | base, spirv |
//! | `lanescope-run` | what runs return and are given: buffers, images, probes, work graphs | the above |
//! | `lanescope-cost` | memory accesses by workgroup layout, and of a draw: lines, sectors, passes of LDS; costs of an interface; groups, lists and memory of a work graph | base, spirv, interpreter, model, passes, driver, run |
//! | `lanescope-dxc` | libdxcompiler's COM interface | |
//! | `lanescope-glslang` | glslang's interface, and the heap of its process | base |
//! | `lanescope-slang` | the interface of the Slang compiler's library | base |
//! | `lanescope-load` | files to programs: glslang, SPIRV-Tools, dxil-spirv, DXC, Slang | all but passes, driver, report and run |
//! | `lanescope-exec` | Vulkan: running, stepping, compiling; runs in the interpreter | the above |
//!
//! `cargo check -p lanescope-passes` compiles no C++. Above this crate are `lanescope-inspector` (the data that views draw, the
//! commands that they return) and `lanescope-pictures` (diagrams without a toolkit).
//!
//! # Where a change goes
//!
//! | to add | goes to |
//! |---|---|
//! | a file type | a row of `core/model/src/file_types.rs`; a loader: a line of the table in `core/load/src/lib.rs` and a file beside it |
//! | a chip of AMD | a row of `core/model/src/target/table.rs` |
//! | a pass | a module, a field of [`report::Report`], a call in `core/report/src/analyse.rs` |
//! | a broken rule | a line of [`findings`]'s table; a test that meets it |
//! | a section of `diff` | a line of the table in `core/report/src/compare/mod.rs` and a file beside it |
//! | a tab | a view, and a line of `views/src/registry.rs` |
//! | a command | a file in `app/src/cli`, and a line of its enum |
//! | work for the child process | a variant of `Request` and of `Reply` in `app/host/src/worker/mod.rs`, answered in `app/host/src/worker/host.rs` |
//!
//! `.github/CONTRIBUTING.md` has all of them, with their files.
//!
//! # Invariants
//!
//! `app/tests/tidy.rs` checks what can be checked by reading the tree.
//! * Imports go down only: the program uses views and core, views use core, core uses neither; nothing here draws,
//!   prints, or depends on a screen.
//! * A pass is a function of its input: no I/O, no globals, no clock, no thread. Files are read in [`load`] alone.
//! * Any bytes may be opened: an answer or an error, never a panic or unbounded memory.
//! * `ash` is in `lanescope-exec` only. `unsafe` is there and in the crates of other C interfaces (dxc, glslang, slang, the
//!   library for Intel GPUs); every other crate forbids it.
//! * Ids and units that could be confused are types ([`ids`]).
//! * A list that grows is a table with a line for each entry, and a test that it is complete.
//!
//! # Errors
//!
//! Each module has one error type: what was being read, where (byte, part, instruction, line), what was expected and
//! what was found. A [`program::Program`] is whole or there is none. A defect of a readable shader is
//! not an error but a [`findings::Finding`] in the report, with a stable code, a severity and a place.
//!
//! # Terms
//!
//! They are the field's: invocation, workgroup, subgroup or wave, lane, quad; varying, location, component,
//! interpolant; node, record, launch. Sizes are in bytes unless the name says otherwise; indices start at 0.

#![forbid(unsafe_code)]

mod fossilize;
pub mod pipeline;

pub use lanescope_amber as amber;
pub use lanescope_base::{foreign, ids, name, text_format};
pub use lanescope_codeobject as codeobject;
pub use lanescope_cost as cost;
pub use lanescope_dxil as dxil;
pub use lanescope_exec::{driver, gpu, script};
pub use lanescope_hunt as hunt;
pub use lanescope_interpreter as interpreter;
pub use lanescope_load as load;
pub use lanescope_model::specialised::{AnalyseError, specialised};
pub use lanescope_model::{chip, driver_hashes, options, overrides, program, target};
pub use lanescope_passes::{findings, graph, guessed_layout, packing, registers, table, workgroup};
pub use lanescope_pipeline::{SourceSection, source_sections};
pub use lanescope_reduce as reduce;
pub use lanescope_report::{
    analyse, compare, corpus, dxil_tables, guess_tables, object_assembly, object_prediction, object_tables,
    pipeline_tables, registers_for, report, report_tables,
};
pub use lanescope_run as run;
pub use lanescope_sodb as sodb;
pub use lanescope_spirv as spirv;
