//! Waves of a geometry shader: consecutive invocations of consecutive primitives, and the vertices that they emit.

use std::sync::Arc;

use super::stream::{self, Links, Stream, strip_triangle};
use super::vertices::Layout;
use crate::exec::wave::{Lanes, Wave};
use crate::memory::Object;
use crate::program::Program;
use crate::stages::{Form, Rate};
use lanescope_spirv::enums::BuiltIn;

/// A stage that runs on what the stage before it has written.
#[derive(Debug, Clone)]
pub struct StageCall {
    /// What the stage before has written.
    pub input: Arc<Stream>,
    /// Lanes of a wave: a power of two from 1 to 64.
    pub wave: u32,
    /// The only wave, or of a control shader the only patch, that runs; absent for all of them.
    pub only: Option<u32>,
}

/// Invocations of a geometry shader in waves.
#[derive(Debug)]
pub(crate) struct GeometryWork {
    pub call: StageCall,
    /// The object that takes emitted vertices. Of each invocation: their number, whether the strip ended after the last
    /// one, then rows of [`Layout`], each after a word that says whether it begins a strip.
    pub outputs: usize,
    links: Links,
    layout: Layout,
    /// Invocations of a primitive, and the most vertices of each.
    invocations: u32,
    vertices: u32,
}

/// Words of an invocation before its rows.
const HEAD: usize = 2;

impl GeometryWork {
    pub fn new(program: &Program, call: StageCall, outputs: usize) -> GeometryWork {
        let links = Links::new(program, &call.input);
        let layout = Layout::of(program, Rate::Vertex);
        let (invocations, vertices) = (program.modes.invocations, program.modes.vertices);
        GeometryWork { call, outputs, links, layout, invocations, vertices }
    }

    /// Bytes of the object that takes emitted vertices.
    pub fn bytes(program: &Program, input: &Stream) -> u64 {
        let words = words(&Layout::of(program, Rate::Vertex), program.modes.vertices) as u64;
        let count = u64::from(input.primitives()) * u64::from(program.modes.invocations);
        count.saturating_mul(words * 8)
    }

    /// All invocations.
    pub fn count(&self) -> u32 {
        self.call.input.primitives().saturating_mul(self.invocations)
    }

    /// The primitive and the invocation of a lane.
    pub fn at(&self, group: u64, lane: usize, size: usize) -> Option<(u32, u32)> {
        let number = group.checked_mul(size as u64)?.checked_add(lane as u64)?;
        let number = u32::try_from(number).ok().filter(|number| *number < self.count())?;
        Some((number / self.invocations, number % self.invocations))
    }

    pub fn lanes(&self, group: u64, size: usize) -> Lanes {
        super::first_lanes(size, (0..size).take_while(|lane| self.at(group, *lane, size).is_some()).count(), 0)
    }

    pub fn fill(&self, program: &Program, group: u64, lanes: &Lanes, regs: &mut [u64]) {
        let size = lanes.invocations.len();
        for lane in 0..size {
            let Some((primitive, invocation)) = self.at(group, lane, size) else { break };
            self.links.fill(program, &self.call.input, primitive, (lane, size), regs);
            let number = u64::from(self.call.input.number(primitive));
            stream::set(program, BuiltIn::PrimitiveId, &[number], (lane, size), regs);
            stream::set(program, BuiltIn::InvocationId, &[u64::from(invocation)], (lane, size), regs);
        }
    }

    /// The first word of a lane's invocation.
    fn first(&self, group: u64, lane: usize, size: usize) -> u64 {
        let number = group * size as u64 + lane as u64;
        number * words(&self.layout, self.vertices) as u64
    }

    /// Takes the outputs of the running lanes as a vertex. Returns the lanes that have emitted as many as they may.
    pub fn emit(&self, group: u64, wave: &Wave, objects: &mut [Object]) -> u64 {
        let Some(object) = objects.get_mut(self.outputs) else { return 0 };
        let mask = wave.exec();
        let mut beyond = 0;
        for lane in mask.iter() {
            let first = self.first(group, lane, mask.lanes);
            let count = object.read(first * 8, 8).unwrap_or(0);
            if count >= u64::from(self.vertices) {
                beyond |= 1 << lane;
                continue;
            }
            let ended = object.read((first + 1) * 8, 8).unwrap_or(0);
            let row = first + HEAD as u64 + count * (self.layout.scalars as u64 + 1);
            object.write(row * 8, 8, u64::from(count == 0 || ended != 0));
            for (at, slot) in (1..).zip(self.layout.slots()) {
                object.write((row + at) * 8, 8, wave.regs[slot as usize * mask.lanes + lane]);
            }
            object.write(first * 8, 8, count + 1);
            object.write((first + 1) * 8, 8, 0);
        }
        beyond
    }

    /// Ends the strips of the running lanes.
    pub fn end(&self, group: u64, wave: &Wave, objects: &mut [Object]) {
        let Some(object) = objects.get_mut(self.outputs) else { return };
        let mask = wave.exec();
        for lane in mask.iter() {
            object.write((self.first(group, lane, mask.lanes) + 1) * 8, 8, 1);
        }
    }
}

/// Words of an invocation.
fn words(layout: &Layout, vertices: u32) -> usize {
    HEAD + vertices as usize * (layout.scalars + 1)
}

/// What the invocations have emitted, in their order.
pub(super) fn stream(work: &GeometryWork, program: &Program, words_of_all: &[u64], empty: Stream) -> Stream {
    let form = program.modes.output.unwrap_or(Form::Triangles);
    let mut out = Stream { topology: form.list(), ..empty };
    let row = work.layout.scalars + 1;
    let mut vertices = 0u32;
    for one in words_of_all.chunks_exact(words(&work.layout, work.vertices)) {
        let rows = one[HEAD..].chunks_exact(row).take(one[0] as usize);
        // Vertices of the strip so far.
        let mut strip = 0u32;
        for row in rows {
            if row[0] != 0 {
                strip = 0;
            }
            out.values.extend_from_slice(&row[1..]);
            let first = vertices - strip;
            match form {
                Form::Points => out.indices.push(vertices),
                Form::Lines if strip >= 1 => out.indices.extend([vertices - 1, vertices]),
                Form::Triangles if strip >= 2 => out.indices.extend(strip_triangle(strip - 2).map(|at| first + at)),
                _ => {}
            }
            vertices += 1;
            strip += 1;
        }
    }
    out
}
