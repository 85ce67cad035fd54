//! Workgroups of task and mesh shaders: payloads, launches, and the vertices and primitives that mesh workgroups make.

use std::sync::Arc;

use super::stream::Stream;
use super::tessellation::Shared;
use crate::exec::wave::{Lanes, Wave};
use crate::input::LaneMap;
use crate::memory::Object;
use crate::program::Program;
use crate::stages::{Form, Rate};
use lanescope_base::grid;
use lanescope_spirv::enums::BuiltIn;

/// Mesh workgroups that one task workgroup, or the draw itself, launches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeshLaunch {
    /// Workgroups in each dimension.
    pub groups: [u32; 3],
    /// What the task workgroup has left in its payload.
    pub payload: Vec<u8>,
}

impl MeshLaunch {
    /// How many workgroups it has.
    pub(crate) fn count(&self) -> u64 {
        grid::saturating_volume(self.groups)
    }
}

/// The workgroups of a mesh shader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeshCall {
    /// Launches, in the order of task workgroups.
    pub launches: Vec<MeshLaunch>,
    /// The lane map of every workgroup.
    pub lanes: LaneMap,
}

/// The payload of a task or mesh shader: its object.
pub(crate) type Payload = Option<usize>;

/// Words of a task workgroup before its payload: the mesh workgroups in each dimension.
const TASK_HEAD: usize = 3;
/// Words of a mesh workgroup before its rows: vertices, primitives.
const MESH_HEAD: usize = 2;

/// Task workgroups.
#[derive(Debug)]
pub(crate) struct TaskWork {
    pub waves: Vec<Arc<Lanes>>,
    pub payload: Payload,
    /// Bytes of the payload.
    pub bytes: u64,
    /// The object that takes what each workgroup launches, and its payload.
    pub outputs: usize,
}

impl TaskWork {
    /// Words of a workgroup.
    pub fn words(bytes: u64) -> u64 {
        TASK_HEAD as u64 + bytes.div_ceil(8)
    }

    /// Takes the mesh workgroups that the first running lane asks for.
    pub fn launch(&self, group: u64, wave: &Wave, slots: [u32; 3], objects: &mut [Object]) {
        let mask = wave.exec();
        let (Some(lane), Some(object)) = (mask.iter().next(), objects.get_mut(self.outputs)) else { return };
        let first = group * Self::words(self.bytes);
        for (at, slot) in (first..).zip(slots) {
            object.write(at * 8, 8, wave.regs[slot as usize * mask.lanes + lane]);
        }
    }

    /// Keeps the payload of a workgroup.
    pub fn finish(&self, group: u64, objects: &mut [Object]) {
        let payload =
            self.payload.and_then(|at| objects.get(at)).map_or_else(Vec::new, |object| object.bytes().to_vec());
        let Some(object) = objects.get_mut(self.outputs) else { return };
        let first = (group * Self::words(self.bytes) + TASK_HEAD as u64) * 8;
        for (at, byte) in (first..).zip(payload.iter().take(self.bytes as usize)) {
            object.write(at, 1, u64::from(*byte));
        }
    }

    /// What the workgroups have launched, in their order.
    pub fn launches(&self, object: &Object) -> Vec<MeshLaunch> {
        let groups = object.bytes().chunks_exact(Self::words(self.bytes) as usize * 8);
        let launch = |bytes: &[u8]| {
            let (words, _) = bytes.as_chunks::<8>();
            let word = |at: usize| words.get(at).map_or(0, |word| u64::from_le_bytes(*word) as u32);
            let payload = bytes[TASK_HEAD * 8..][..self.bytes as usize].to_vec();
            MeshLaunch { groups: [word(0), word(1), word(2)], payload }
        };
        groups.map(launch).collect()
    }
}

/// Mesh workgroups.
#[derive(Debug)]
pub(crate) struct MeshWork {
    pub launches: Vec<MeshLaunch>,
    /// The number of the first workgroup of each launch.
    pub firsts: Vec<u64>,
    pub waves: Vec<Arc<Lanes>>,
    pub payload: Payload,
    pub outputs: usize,
    pub shared: Shared,
}

impl MeshWork {
    /// Words of a workgroup.
    pub fn words(program: &Program) -> u64 {
        MESH_HEAD as u64 + Shared::words(program, program.modes.vertices, program.modes.primitives)
    }

    /// The launch of a workgroup, and its number in it.
    fn launch(&self, group: u64) -> Option<(&MeshLaunch, u64)> {
        let at = self.firsts.partition_point(|first| *first <= group).checked_sub(1)?;
        Some((self.launches.get(at)?, group - self.firsts[at]))
    }

    /// The workgroups of the launch that a workgroup is of, and its place among them.
    pub fn place(&self, group: u64) -> Option<([u32; 3], [u32; 3])> {
        let (launch, number) = self.launch(group)?;
        Some((launch.groups, grid::place(launch.groups, number)))
    }

    /// Gives a workgroup its payload.
    pub fn begin(&self, group: u64, objects: &mut [Object]) {
        let Some(object) = self.payload.and_then(|at| objects.get_mut(at)) else { return };
        let payload = self.launch(group).map_or(&[][..], |(launch, _)| &launch.payload);
        let size = object.bytes().len();
        for (at, byte) in object.range_mut(0..size).into_iter().flatten().enumerate() {
            *byte = payload.get(at).copied().unwrap_or(0);
        }
        // What the task shader has not written is 0.
        object.written = None;
    }

    /// Takes the counts that the first running lane sets. Returns that lane if they are beyond what is declared.
    pub fn set(&self, program: &Program, group: u64, wave: &Wave, slots: [u32; 2], objects: &mut [Object]) -> u64 {
        let mask = wave.exec();
        let (Some(lane), Some(object)) = (mask.iter().next(), objects.get_mut(self.outputs)) else { return 0 };
        let first = group * Self::words(program);
        let limits = [program.modes.vertices, program.modes.primitives];
        let mut beyond = 0;
        for ((at, slot), limit) in (first..).zip(slots).zip(limits) {
            let count = wave.regs[slot as usize * mask.lanes + lane] & 0xffff_ffff;
            beyond |= u64::from(count > u64::from(limit)) << lane;
            object.write(at * 8, 8, count.min(u64::from(limit)));
        }
        beyond
    }

    pub fn finish(&self, program: &Program, group: u64, objects: &mut [Object]) {
        let first = group * Self::words(program);
        let count =
            |at: u64| objects.get(self.outputs).and_then(|object| object.read((first + at) * 8, 8)).unwrap_or(0);
        let (vertices, primitives) = (count(0) as u32, count(1) as u32);
        let mut words = Vec::new();
        for vertex in 0..vertices {
            words.extend(self.shared.row(program, Rate::Vertex, vertex, objects));
        }
        for primitive in 0..primitives {
            words.extend(self.shared.row(program, Rate::Primitive, primitive, objects));
        }
        let Some(object) = objects.get_mut(self.outputs) else { return };
        for (at, word) in (first + MESH_HEAD as u64..).zip(words) {
            object.write(at * 8, 8, word);
        }
    }
}

/// What mesh workgroups have made. A primitive whose indices are beyond the vertices is dropped.
pub(super) fn stream(program: &Program, words: &[u64], empty: Stream) -> Stream {
    let form = program.modes.output.unwrap_or(Form::Triangles);
    let topology = form.list();
    let mut out = Stream { topology, ..empty };
    let indices = match form {
        Form::Points => BuiltIn::PrimitivePointIndicesEXT,
        Form::Lines => BuiltIn::PrimitiveLineIndicesEXT,
        Form::Triangles => BuiltIn::PrimitiveTriangleIndicesEXT,
    };
    let corners = topology.vertices() as usize;
    let found = out.own_layout.builtin(indices).filter(|(_, n)| *n >= corners);
    let culls = out.own_layout.builtin(BuiltIn::CullPrimitiveEXT).map(|(at, _)| at);
    let (row, own) = (out.layout.scalars, out.own_layout.scalars);
    let mut base = 0u32;
    for group in words.chunks_exact(MeshWork::words(program) as usize) {
        let (vertices, primitives) = (group[0] as usize, group[1] as usize);
        let (rows, rest) = group[MESH_HEAD..].split_at(vertices * row);
        out.values.extend_from_slice(rows);
        for primitive in 0..primitives {
            let values = &rest[primitive * own..][..own];
            let Some((first, _)) = found.filter(|_| culls.is_none_or(|at| values[at] == 0)) else { continue };
            let corners = &values[first..first + corners];
            if corners.iter().all(|index| *index < vertices as u64) {
                out.indices.extend(corners.iter().map(|index| base + *index as u32));
                out.own_values.extend_from_slice(values);
            }
        }
        base += vertices as u32;
    }
    out
}
