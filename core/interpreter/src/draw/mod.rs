//! Draws: a vertex shader, triangles, and a fragment shader on the samples that they cover.
//!
//! ```text
//! Machine::vertices ──run──▶ Raster::new ──▶ Machine::fragments ──run──▶ attachments
//! ```
//!
//! A wave of vertices has consecutive vertices. A wave of fragments has quads of 2x2 pixels, four lanes each (top left,
//! top right, bottom left, bottom right), in the order of triangles; a quad that a triangle covers in part has helper
//! invocations. Each wave is a workgroup of its own: waves run one after the other, in order.
//!
//! Every three vertices are a triangle. There is no culling, no depth test and no blending, so that the last fragment at
//! a sample stays.

mod coverage;
mod fragments;
mod machine;
mod raster;
mod triangle;
mod vertices;

pub use fragments::{ColorAttachment, FragmentAt, FragmentCall};
pub use raster::{Covering, Raster};
pub use vertices::{Attribute, VertexCall};

pub(crate) use fragments::FragmentWork;
pub(crate) use vertices::{Layout, VertexWork};

use std::sync::Arc;

use crate::code::Interpolate;
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
        StageKind::Vertex => matches!(builtin, Position | PointSize | ClipDistance | CullDistance),
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
    Fragments(FragmentWork),
}

impl Work {
    /// The most waves of a workgroup.
    pub fn waves(&self) -> usize {
        match self {
            Work::Dispatch(waves) => waves.len(),
            Work::Vertices(_) | Work::Fragments(_) => 1,
        }
    }

    /// The waves of a workgroup.
    pub fn lanes(&self, group: u64, size: usize) -> Vec<Arc<Lanes>> {
        match self {
            Work::Dispatch(waves) => waves.clone(),
            Work::Vertices(work) => vec![Arc::new(work.lanes(group, size))],
            Work::Fragments(work) => vec![Arc::new(work.lanes(group, size))],
        }
    }

    /// Fills the inputs of a wave of a draw.
    pub fn fill(&self, program: &Program, group: u64, lanes: &Lanes, regs: &mut [u64]) {
        match self {
            Work::Dispatch(_) => {}
            Work::Vertices(work) => work.fill(program, group, lanes, regs),
            Work::Fragments(work) => work.fill(program, group, lanes, regs),
        }
    }

    /// Interpolates an input of fragments at another place of the pixel.
    pub fn interpolate(&self, program: &Program, group: u64, wave: &mut Wave, op: &Interpolate) {
        if let Work::Fragments(work) = self {
            work.interpolate(program, group, wave, op);
        }
    }

    /// Takes the outputs of a wave that has ended.
    pub fn finish(&self, program: &Program, group: u64, wave: &Wave, objects: &mut [Object]) {
        match self {
            Work::Dispatch(_) => {}
            Work::Vertices(work) => work.finish(program, group, wave, objects),
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
