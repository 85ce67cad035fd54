//! The stages of tessellation: a workgroup of a control shader for each patch, and waves of an evaluation shader over the
//! points of all patches.

use std::sync::Arc;

use super::geometry::StageCall;
use super::stream::{self, Links, Stream};
use super::tessellator::{self, tessellate};
use super::vertices::Layout;
use crate::error::LaunchError;
use crate::exec::wave::{Lanes, Wave};
use crate::memory::Object;
use crate::program::Program;
use crate::stages::{Rate, Tessellation, Topology};
use lanescope_spirv::enums::BuiltIn;

/// The most points of all patches.
const MAX_POINTS: u64 = 1 << 20;

/// Outputs in memory that invocations share, read row by row.
#[derive(Debug)]
pub(crate) struct Shared {
    /// By shared scalar: its object.
    objects: Vec<usize>,
    layout: Layout,
    own_layout: Layout,
}

impl Shared {
    /// `object` gives the object of a resource.
    pub fn new(program: &Program, object: impl Fn(u32) -> usize) -> Shared {
        let objects = program.shared.iter().map(|scalar| object(scalar.resource)).collect();
        Shared { objects, layout: Layout::of(program, Rate::Vertex), own_layout: Layout::of(program, Rate::Primitive) }
    }

    fn layout(&self, rate: Rate) -> &Layout {
        match rate {
            Rate::Vertex => &self.layout,
            Rate::Primitive => &self.own_layout,
        }
    }

    /// The row of a vertex or primitive.
    pub fn row(&self, program: &Program, rate: Rate, number: u32, objects: &[Object]) -> Vec<u64> {
        let scalar = |slot: u32| {
            let scalar = program.shared.get(slot as usize).filter(|scalar| number < scalar.count)?;
            let object = objects.get(*self.objects.get(slot as usize)?)?;
            object.read(scalar.offset + u64::from(number) * scalar.stride, scalar.bytes)
        };
        self.layout(rate).slots().map(|slot| scalar(slot).unwrap_or(0)).collect()
    }

    /// Words of the rows of so many vertices and primitives.
    pub fn words(program: &Program, vertices: u32, primitives: u32) -> u64 {
        let each = |rate| Layout::of(program, rate).scalars as u64;
        each(Rate::Vertex) * u64::from(vertices) + each(Rate::Primitive) * u64::from(primitives)
    }
}

/// Patches of a control shader: each is a workgroup.
#[derive(Debug)]
pub(crate) struct ControlWork {
    pub call: StageCall,
    /// The object that takes outputs: of each patch its vertices' rows, then its own.
    pub outputs: usize,
    /// The waves of each patch.
    pub waves: Vec<Arc<Lanes>>,
    pub links: Links,
    pub shared: Shared,
}

impl ControlWork {
    pub fn fill(&self, program: &Program, group: u64, lanes: &Lanes, regs: &mut [u64]) {
        let patch = u32::try_from(group).unwrap_or(u32::MAX);
        let input = &self.call.input;
        let size = lanes.invocations.len();
        for (lane, invocation) in lanes.invocations.iter().enumerate() {
            let Some(invocation) = *invocation else { continue };
            self.links.fill(program, input, patch, (lane, size), regs);
            let set = |builtin, value: u32, regs: &mut [u64]| {
                stream::set(program, builtin, &[u64::from(value)], (lane, size), regs);
            };
            set(BuiltIn::InvocationId, invocation, regs);
            set(BuiltIn::PrimitiveId, input.number(patch), regs);
            set(BuiltIn::PatchVertices, input.corners() as u32, regs);
        }
    }

    pub fn finish(&self, program: &Program, group: u64, objects: &mut [Object]) {
        let vertices = program.modes.vertices;
        let mut words = Vec::new();
        for vertex in 0..vertices {
            words.extend(self.shared.row(program, Rate::Vertex, vertex, objects));
        }
        words.extend(self.shared.row(program, Rate::Primitive, 0, objects));
        let Some(object) = objects.get_mut(self.outputs) else { return };
        let first = group * words.len() as u64;
        for (at, word) in (first..).zip(words) {
            object.write(at * 8, 8, word);
        }
    }
}

/// The patches that a control shader has written.
pub(super) fn patches(work: &ControlWork, program: &Program, words: &[u64], empty: Stream) -> Stream {
    let vertices = program.modes.vertices;
    let input = &work.call.input;
    let count = input.primitives();
    let mut out = Stream {
        topology: Topology::Patches(vertices),
        indices: (0..count.saturating_mul(vertices)).collect(),
        numbers: (0..count).map(|patch| input.number(patch)).collect(),
        ..empty
    };
    let own = out.own_layout.scalars;
    let row = out.layout.scalars * vertices as usize;
    for patch in words.chunks_exact((row + own).max(1)) {
        out.values.extend_from_slice(&patch[..row]);
        out.own_values.extend_from_slice(&patch[row..]);
    }
    out
}

/// A point of a patch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PatchPoint {
    pub patch: u32,
    pub coordinate: [f32; 3],
}

/// Points of patches in waves of an evaluation shader.
#[derive(Debug)]
pub(crate) struct EvaluationWork {
    pub call: StageCall,
    /// The object that takes outputs: a row for each point.
    pub outputs: usize,
    pub points: Vec<PatchPoint>,
    /// The points of primitives, and the patch of each.
    indices: Vec<u32>,
    numbers: Vec<u32>,
    modes: Tessellation,
    links: Links,
}

impl EvaluationWork {
    /// Tessellates all patches, to `most` points.
    ///
    /// # Errors
    /// More points than are supported; no domain.
    pub fn new(program: &Program, call: StageCall, most: u64) -> Result<EvaluationWork, LaunchError> {
        let input = &call.input;
        let modes = program.modes.tessellation.or(input.tessellation);
        if modes.domain.is_none() {
            let (entry, reason) = (program.entry.clone(), "no execution mode says the domain of patches".to_owned());
            return Err(LaunchError::Mode { entry, reason });
        }
        let corners = tessellator::form(modes).list().vertices() as usize;
        let (mut points, mut indices, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let level = |patch: u32, builtin, at: usize| {
            let found = input.own_layout.builtin(builtin).filter(|(_, n)| at < *n);
            found.map_or(0.0, |(first, _)| f32::from_bits(input.own_value(patch, first + at) as u32))
        };
        for patch in 0..input.primitives() {
            let outer = [0, 1, 2, 3].map(|at| level(patch, BuiltIn::TessLevelOuter, at));
            let inner = [0, 1].map(|at| level(patch, BuiltIn::TessLevelInner, at));
            let one = tessellate(modes, outer, inner);
            let most = most.min(MAX_POINTS);
            if (points.len() + one.points.len()) as u64 > most {
                let reason = format!("the patches are tessellated to more than {most} points");
                return Err(LaunchError::Mode { entry: program.entry.clone(), reason });
            }
            let first = points.len() as u32;
            points.extend(one.points.into_iter().map(|coordinate| PatchPoint { patch, coordinate }));
            numbers.extend(std::iter::repeat_n(input.number(patch), one.indices.len() / corners));
            indices.extend(one.indices.into_iter().map(|index| first + index));
        }
        let links = Links::new(program, input);
        Ok(EvaluationWork { call, outputs: 0, points, indices, numbers, modes, links })
    }

    /// The point of a lane.
    pub fn at(&self, group: u64, lane: usize, size: usize) -> Option<(u32, PatchPoint)> {
        let number = usize::try_from(group).ok()?.checked_mul(size)?.checked_add(lane)?;
        Some((u32::try_from(number).ok()?, *self.points.get(number)?))
    }

    pub fn lanes(&self, group: u64, size: usize) -> Lanes {
        super::first_lanes(size, (0..size).take_while(|lane| self.at(group, *lane, size).is_some()).count(), 0)
    }

    pub fn fill(&self, program: &Program, group: u64, lanes: &Lanes, regs: &mut [u64]) {
        let input = &self.call.input;
        let size = lanes.invocations.len();
        for lane in 0..size {
            let Some((_, PatchPoint { patch, coordinate })) = self.at(group, lane, size) else { break };
            self.links.fill(program, input, patch, (lane, size), regs);
            let coordinate = coordinate.map(|part| u64::from(part.to_bits()));
            stream::set(program, BuiltIn::TessCoord, &coordinate, (lane, size), regs);
            stream::set(program, BuiltIn::PrimitiveId, &[u64::from(input.number(patch))], (lane, size), regs);
            stream::set(program, BuiltIn::PatchVertices, &[input.corners() as u64], (lane, size), regs);
        }
    }

    pub fn finish(&self, program: &Program, group: u64, wave: &Wave, objects: &mut [Object]) {
        let Some(object) = objects.get_mut(self.outputs) else { return };
        let size = wave.lanes.invocations.len();
        let layout = Layout::of(program, Rate::Vertex);
        for lane in 0..size {
            let Some((number, _)) = self.at(group, lane, size) else { break };
            super::vertices::write_row(&layout, number as usize, lane, wave, object);
        }
    }
}

/// The vertices that an evaluation shader has written.
pub(super) fn evaluated(work: &EvaluationWork, values: Vec<u64>, empty: Stream) -> Stream {
    let topology = tessellator::form(work.modes).list();
    Stream { values, topology, indices: work.indices.clone(), numbers: work.numbers.clone(), ..empty }
}
