//! A deterministic interpreter of SPIR-V: invocations in waves that run in lockstep, and a debugger that steps them
//! forwards and backwards.
//!
//! ```text
//! Module ──decode──▶ Program ┐
//! Inputs, Dispatch, Options ─┴──▶ Machine ──run──▶ contents, events
//!                                    └──▶ debugger::Debugger ──step, resume, back──▶ waves, values
//! ```
//!
//! * [`draw`]: the stages of a graphics pipeline; the primitives in between.
//! * [`Program`]: an entry point, decoded once. Ids become slots of a register file (slot × lane), opcodes and types
//!   become kernels: an instruction is a loop over the lanes of a wave. An instruction that is not implemented is an
//!   error here, before anything runs.
//! * [`Inputs`], [`Dispatch`]: buffers, images, samplers, push constants, and the [`LaneMap`] that places each
//!   invocation of a workgroup in a lane of a wave. Values of specialization constants are those of the module
//!   ([`lanescope_spirv::Module::specialised`]).
//! * [`Machine`]: runs it. Workgroups run one after the other, waves of a workgroup take turns. Equal inputs give equal
//!   results, events and step counts.
//! * [`Event`]: what was found: data races, accesses beyond memory, values that were never written, NaNs.
//! * [`LoggedAccess`]: what each invocation accesses in memory, for a caller that asks for it.
//! * [`debugger`]: steps, breakpoints, values, and the way back.
//!
//! # What runs
//!
//! Compute entry points and those of graphics pipelines. Arithmetic of 8 to 64 bits, GLSL.std.450, control flow, calls,
//! memory (descriptors, workgroup, private and function memory, push constants, physical storage buffers), atomics,
//! barriers, subgroup and quad operations, derivatives, images and sampling.
//!
//! | stage | what runs | limits |
//! |---|---|---|
//! | vertex | lists, strips and fans; lists with adjacency before a geometry shader | |
//! | tessellation control | a patch is a workgroup: outputs in shared memory, barriers, levels | patches of 64 vertices |
//! | fixed tessellator | triangles, quads, isolines, points; equal and fractional spacing | 1 048 576 points |
//! | tessellation evaluation | tessellated points in waves | |
//! | geometry | invocations, strips, adjacency | 4096 vertices, 128 invocations; one vertex stream |
//! | task, mesh | payloads; outputs of vertices and primitives; culled primitives | 4096 vertices and primitives |
//! | fragment | quads with helper invocations, sample shading | 4 194 304 fragments |
//! | fixed function | culling, depth test, sample mask, blending, write masks, formats of 8 to 32 bits | 1, 2, 4 or 8 samples |
//!
//! Not implemented: ray tracing stages, vertex streams other than 0, layers and viewports other than 0, fragment shading
//! rates, stencil and depth bounds tests, depth bias and clamping, polygon modes, logic operations, alpha to coverage,
//! `NV_mesh_shader`, multisampled images, sparse access, ray queries, cooperative matrices, variable pointers to function or private memory in phi instructions, `OpCopyMemorySized`, floating-point execution modes
//! (subnormals are kept, rounding is to nearest even), subgroups of 128.
//!
//! # Lockstep
//!
//! A wave has one position for all lanes of its exec mask. Blocks are ordered so that a merge block comes after its
//! construct; lanes that diverge wait at the first block where they may meet, and the lanes that are furthest behind
//! run. A control barrier of the workgroup suspends a wave until the others arrive or end.
//!
//! # Results
//!
//! Where SPIR-V or Vulkan demand one result, it is that result. Elsewhere the result is fixed:
//!
//! | case | result |
//! |---|---|
//! | unsigned or signed division by 0 | all bits set; the remainder is the dividend |
//! | shift by the width or more | the amount modulo the width |
//! | float to integer beyond the range, NaN | the nearest end of the range, 0 |
//! | transcendental functions | computed in 64 bits, rounded once; the math library is that of the platform |
//! | `Fma` | rounded once |
//! | dot products | added from the first component on, without fusing |
//! | products with a matrix | added from the last column on, without fusing |
//! | reductions over a subgroup | in the order of lanes |
//! | memory that was never written | 0 |
//! | access beyond a buffer, null, or misaligned | reads give 0, writes are dropped |
//! | `OpDPdx`, `OpDPdy` | the difference within the row or column of the quad |
//! | interpolation | computed in 64 bits, rounded once |
//! | centroid | the centre of a pixel that is covered whole, else its first covered sample |
//! | inputs that the stage before does not write | 0 |
//! | points of tessellated patches | those of Direct3D 11, in units of 1/65536 |
//! | lines | rectangles one pixel wide |
//! | points of a size that nothing writes | one pixel |
//! | vertices and counts beyond what is declared | dropped, clamped |
//! | mesh primitives with indices beyond the vertices | not drawn |
//! | helper invocations | run all instructions; take part in subgroup operations; write nothing |
//!
//! # Data races
//!
//! Two accesses to the same bytes by two invocations race if at least one writes, not both are atomic with a scope that
//! includes both, and they are not location-ordered by the Vulkan specification's memory model: release and acquire
//! through control barriers, memory barriers and atomics, with their scopes and storage classes; availability and
//! visibility; private accesses. Lockstep orders nothing. An access is compared with the last write to its bytes and the
//! reads since.
//!
//! | case | how it is judged |
//! |---|---|
//! | module of the `GLSL450` model | accesses are non-private, available and visible in their workgroup; on the device if decorated `Coherent` or `Volatile` |
//! | memory barriers before a control barrier, in such a module | hold after it, too: `memoryBarrierBuffer(); barrier();` |
//! | availability chains | followed, as with `vulkanMemoryModelAvailabilityVisibilityChains` |
//! | visibility chains | one visibility operation must cover the domain |
//! | a pointer from an unknown place, in a `GLSL450` module with coherent memory | coherent |
//! | reads of other workgroups | four waves are remembered for a word |
//!
//! Outputs that the invocations of a patch or of a mesh workgroup share, and payloads, are watched in the same way; a
//! barrier of a patch orders its outputs. A write of the value that is there already is not counted.

#![forbid(unsafe_code)]

mod access_log;
mod code;
pub mod debugger;
mod decode;
pub mod draw;
mod error;
mod event;
mod exec;
mod image;
mod index;
mod input;
mod kernels;
mod launch;
mod machine;
mod memory;
mod objects;
mod program;
mod race;
mod registers;
mod stages;
mod types;
mod value;

pub use access_log::{LoggedAccess, LoggedFilter, LoggedKind, LoggedObject};
pub use error::{DecodeError, LaunchError};
pub use event::{Address, Event, EventKind, OtherAccess};
pub use image::{AddressMode, Compare, Image, Sampler};
pub use input::{Buffer, Checks, Dispatch, Inputs, LaneMap, Options};
pub use launch::MAX_INVOCATIONS;
pub use machine::{Machine, NotReached, Others, Outcome};
pub use program::{DerivativeGroup, Place, Program};
pub use value::Value;
