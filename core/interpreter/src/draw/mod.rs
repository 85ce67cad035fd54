//! Draws: the stages of a graphics pipeline, the primitives that they make, and a fragment shader on the samples that
//! these cover.
//!
//! ```text
//! Machine::vertices ┬─▶ Machine::control ─▶ Machine::evaluation ┬─▶ Machine::geometry ┬─▶ Raster ─▶ Machine::fragments
//!                   └───────────────────────────────────────────┴─────────────────────┤
//! Machine::tasks ─▶ Machine::mesh ────────────────────────────────────────────────────┘
//! ```
//!
//! What a stage has written is a [`Stream`]: rows of values, and the primitives that vertices form. A wave of vertices,
//! tessellated points or geometry invocations has consecutive ones, and each such wave is a workgroup of its own: they run
//! one after the other, in order. A patch is a workgroup of its control shader. A wave of fragments has quads of 2x2
//! pixels, four lanes each (top left, top right, bottom left, bottom right), in the order of primitives; a quad that a
//! primitive covers in part has helper invocations.
//!
//! By default there is no culling, no depth test and no blending, so that the last fragment at a sample stays; [`Faces`],
//! [`DepthTest`] and [`ColorAttachment`] change it. Depths are tested after the fragment has run. A primitive whose
//! `Layer` or `ViewportIndex` is not 0 is not drawn. Lines are rectangles one pixel wide, points are squares.

mod coverage;
mod fragments;
mod geometry;
mod mesh;
mod output;
mod primitive;
mod raster;
mod stream;
mod tessellation;
mod tessellator;
mod vertices;

pub use crate::stages::Topology;
pub use fragments::{ColorAttachment, FragmentAt, FragmentCall};
pub use geometry::StageCall;
pub use mesh::{MeshCall, MeshLaunch};
pub use output::{Blend, BlendOp, Channel, DepthBias, DepthTest, Factor};
pub use raster::{Covering, Faces, Picture, Raster, View};
pub use stream::Stream;
pub use vertices::{Attribute, VertexCall, VertexOrder};

pub(crate) use fragments::FragmentWork;
pub(crate) use geometry::GeometryWork;
pub(crate) use mesh::{MeshWork, TaskWork};
pub(crate) use stream::Links;
pub(crate) use tessellation::{ControlWork, EvaluationWork, PatchPoint, Shared};
pub(crate) use vertices::{Layout, VertexWork};

use std::sync::Arc;

use crate::code::{HandOver, Interpolate};
use crate::exec::derivative::NO_LANE;
use crate::exec::wave::{Lanes, Wave};
use crate::memory::Object;
use crate::program::Program;
use lanescope_base::StageKind;
use lanescope_spirv::enums::BuiltIn;

/// Whether a stage may write a built-in.
pub(crate) fn takes(stage: StageKind, builtin: BuiltIn) -> bool {
    use BuiltIn::*;
    match stage {
        StageKind::Vertex | StageKind::TessEval => {
            matches!(builtin, Position | PointSize | ClipDistance | CullDistance | Layer | ViewportIndex)
        }
        StageKind::TessControl => {
            matches!(builtin, Position | PointSize | ClipDistance | CullDistance | TessLevelOuter | TessLevelInner)
        }
        StageKind::Geometry => {
            matches!(builtin, Position | PointSize | ClipDistance | CullDistance | PrimitiveId | Layer | ViewportIndex)
        }
        StageKind::Mesh => matches!(
            builtin,
            Position
                | PointSize
                | ClipDistance
                | CullDistance
                | PrimitiveId
                | Layer
                | ViewportIndex
                | CullPrimitiveEXT
                | PrimitivePointIndicesEXT
                | PrimitiveLineIndicesEXT
                | PrimitiveTriangleIndicesEXT
        ),
        StageKind::Fragment => matches!(builtin, FragDepth | SampleMask),
        _ => false,
    }
}

/// What the invocations of a run are, workgroup by workgroup.
#[derive(Debug)]
pub(crate) enum Work {
    /// The waves of every workgroup of a dispatch.
    Dispatch(Vec<Arc<Lanes>>),
    Vertices(VertexWork),
    Control(ControlWork),
    Evaluation(EvaluationWork),
    Geometry(GeometryWork),
    Task(TaskWork),
    Mesh(MeshWork),
    Fragments(FragmentWork),
}

impl Work {
    /// The waves of every workgroup, where workgroups have several.
    fn of_group(&self) -> Option<&[Arc<Lanes>]> {
        match self {
            Work::Dispatch(waves) => Some(waves),
            Work::Control(work) => Some(&work.waves),
            Work::Task(work) => Some(&work.waves),
            Work::Mesh(work) => Some(&work.waves),
            Work::Vertices(_) | Work::Evaluation(_) | Work::Geometry(_) | Work::Fragments(_) => None,
        }
    }

    /// By wave and lane: local invocation indices, where all workgroups have the same.
    pub fn invocations(&self) -> Vec<u32> {
        let lanes = self.of_group().unwrap_or(&[]).iter().flat_map(|wave| &wave.invocations);
        lanes.map(|invocation| invocation.unwrap_or(u32::MAX)).collect()
    }

    /// The most waves of a workgroup.
    pub fn waves(&self) -> usize {
        self.of_group().map_or(1, <[_]>::len)
    }

    /// The waves of a workgroup.
    pub fn lanes(&self, group: u64, size: usize) -> Vec<Arc<Lanes>> {
        let one = match self {
            Work::Vertices(work) => work.lanes(group, size),
            Work::Evaluation(work) => work.lanes(group, size),
            Work::Geometry(work) => work.lanes(group, size),
            Work::Fragments(work) => work.lanes(group, size),
            _ => return self.of_group().unwrap_or(&[]).to_vec(),
        };
        vec![Arc::new(one)]
    }

    /// The workgroups of the launch that a mesh workgroup is of, and its place among them.
    pub fn place(&self, group: u64) -> Option<([u32; 3], [u32; 3])> {
        if let Work::Mesh(work) = self { work.place(group) } else { None }
    }

    /// Fills the memory that a workgroup begins with.
    pub fn begin(&self, group: u64, objects: &mut [Object]) {
        if let Work::Mesh(work) = self {
            work.begin(group, objects);
        }
    }

    /// Fills the inputs of a wave of a draw.
    pub fn fill(&self, program: &Program, group: u64, lanes: &Lanes, regs: &mut [u64]) {
        match self {
            Work::Dispatch(_) | Work::Task(_) | Work::Mesh(_) => {}
            Work::Vertices(work) => work.fill(program, group, lanes, regs),
            Work::Control(work) => work.fill(program, group, lanes, regs),
            Work::Evaluation(work) => work.fill(program, group, lanes, regs),
            Work::Geometry(work) => work.fill(program, group, lanes, regs),
            Work::Fragments(work) => work.fill(program, group, lanes, regs),
        }
    }

    /// Interpolates an input of fragments at another place of the pixel.
    pub fn interpolate(&self, program: &Program, group: u64, wave: &mut Wave, op: &Interpolate) {
        if let Work::Fragments(work) = self {
            work.interpolate(program, group, wave, op);
        }
    }

    /// Runs an instruction that hands something to the next stage. Returns the lanes that hand over more than they may.
    pub fn hand_over(&self, program: &Program, group: u64, wave: &Wave, objects: &mut [Object], what: HandOver) -> u64 {
        match (self, what) {
            (Work::Geometry(work), HandOver::Vertex) => return work.emit(group, wave, objects),
            (Work::Geometry(work), HandOver::EndPrimitive) => work.end(group, wave, objects),
            (Work::Mesh(work), HandOver::Counts(slots)) => return work.set(program, group, wave, slots, objects),
            (Work::Task(work), HandOver::Tasks(slots)) => work.launch(group, wave, slots, objects),
            _ => {}
        }
        0
    }

    /// Takes the outputs of a workgroup that has ended. `wave` is its first wave.
    pub fn finish(&self, program: &Program, group: u64, wave: &Wave, objects: &mut [Object]) {
        match self {
            Work::Dispatch(_) | Work::Geometry(_) => {}
            Work::Vertices(work) => work.finish(program, group, wave, objects),
            Work::Control(work) => work.finish(program, group, objects),
            Work::Evaluation(work) => work.finish(program, group, wave, objects),
            Work::Task(work) => work.finish(group, objects),
            Work::Mesh(work) => work.finish(program, group, objects),
            Work::Fragments(work) => work.finish(program, group, wave, objects),
        }
    }
}

/// The first `count` lanes of a wave, in quads of consecutive lanes.
fn first_lanes(size: usize, count: usize, helpers: u64) -> Lanes {
    let invocations: Vec<Option<u32>> = (0..size).map(|lane| (lane < count).then_some(lane as u32)).collect();
    let quads = (0..size).map(|lane| {
        [0, 1, 2, 3].map(|at| {
            let other = (lane & !3) + at;
            if lane < count && other < count { other as u8 } else { NO_LANE }
        })
    });
    Lanes { bits: if count >= 64 { u64::MAX } else { (1 << count) - 1 }, quads: quads.collect(), invocations, helpers }
}
