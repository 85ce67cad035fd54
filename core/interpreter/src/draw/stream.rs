//! What a stage hands to the next one: rows of values of vertices, and the primitives that these form.

use super::vertices::{Layout, VertexOrder};
use super::{Work, geometry, mesh, tessellation};
use crate::memory::Object;
use crate::program::{Program, StageVariable};
use crate::stages::{Form, Rate, Tessellation, Topology};
use lanescope_spirv::enums::BuiltIn;

/// Vertices and the primitives that they form.
#[derive(Debug, Clone)]
pub struct Stream {
    /// Where the values of a vertex are in its row.
    pub(crate) layout: Layout,
    /// By vertex: a row.
    pub(crate) values: Vec<u64>,
    /// The same of primitives, or of patches.
    pub(crate) own_layout: Layout,
    pub(crate) own_values: Vec<u64>,
    pub(crate) topology: Topology,
    /// The vertices of the primitives, one primitive after the other.
    pub(crate) indices: Vec<u32>,
    /// By primitive: `PrimitiveId`, where no output says it. Without them it is the primitive's number.
    pub(crate) numbers: Vec<u32>,
    /// What the control shader of patches says of their tessellation.
    pub(crate) tessellation: Tessellation,
}

impl Stream {
    /// Vertices of a primitive.
    pub(crate) fn corners(&self) -> usize {
        self.topology.vertices().max(1) as usize
    }

    /// How many primitives there are.
    pub fn primitives(&self) -> u32 {
        (self.indices.len() / self.corners()) as u32
    }

    /// What its primitives are.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// The vertices of a primitive.
    pub(crate) fn vertices_of(&self, primitive: u32) -> &[u32] {
        let first = primitive as usize * self.corners();
        self.indices.get(first..first + self.corners()).unwrap_or(&[])
    }

    /// `PrimitiveId` of a primitive, where no output says it.
    pub(crate) fn number(&self, primitive: u32) -> u32 {
        self.numbers.get(primitive as usize).copied().unwrap_or(primitive)
    }

    /// A scalar of a vertex's row.
    pub(crate) fn value(&self, vertex: u32, at: usize) -> u64 {
        self.values.get(vertex as usize * self.layout.scalars + at).copied().unwrap_or(0)
    }

    /// A scalar of a primitive's row.
    pub(crate) fn own_value(&self, primitive: u32, at: usize) -> u64 {
        self.own_values.get(primitive as usize * self.own_layout.scalars + at).copied().unwrap_or(0)
    }

    /// What is rasterised of it.
    pub(crate) fn form(&self) -> Option<Form> {
        self.topology.form()
    }
}

impl Work {
    /// What the invocations have written, in objects of the machine; nothing of stages that hand on no vertices.
    pub fn stream(&self, program: &Program, objects: &[Object]) -> Option<Stream> {
        let words = |object: usize| {
            let bytes = objects.get(object).map_or(&[][..], Object::bytes);
            bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect::<Vec<u64>>()
        };
        let empty = Stream {
            layout: Layout::of(program, Rate::Vertex),
            values: Vec::new(),
            own_layout: Layout::of(program, Rate::Primitive),
            own_values: Vec::new(),
            topology: Topology::PointList,
            indices: Vec::new(),
            numbers: Vec::new(),
            tessellation: program.modes.tessellation,
        };
        Some(match self {
            Work::Vertices(work) => {
                let topology = work.call.topology;
                let (indices, numbers) = assemble_runs(topology, work.call.count, &work.call.order);
                Stream { values: words(work.outputs), topology, indices, numbers, ..empty }
            }
            Work::Control(work) => tessellation::patches(work, program, &words(work.outputs), empty),
            Work::Evaluation(work) => tessellation::evaluated(work, words(work.outputs), empty),
            Work::Geometry(work) => geometry::stream(work, program, &words(work.outputs), empty),
            Work::Mesh(work) => mesh::stream(program, &words(work.outputs), empty),
            Work::Dispatch(_) | Work::Task(_) | Work::Fragments(_) => return None,
        })
    }
}

/// The vertices of the primitives that consecutive vertices form.
fn assemble(topology: Topology, count: u32) -> Vec<u32> {
    let each = topology.vertices().max(1);
    match topology {
        Topology::LineStrip => (1..count).flat_map(|last| [last - 1, last]).collect(),
        Topology::TriangleStrip => (2..count).flat_map(|last| strip_triangle(last - 2)).collect(),
        Topology::TriangleFan => (2..count).flat_map(|last| [last - 1, last, 0]).collect(),
        _ => (0..count / each * each).collect(),
    }
}

/// The vertices of the primitives of all runs, and the number of each in its instance.
fn assemble_runs(topology: Topology, count: u32, order: &VertexOrder) -> (Vec<u32>, Vec<u32>) {
    if order.runs.is_empty() {
        return (assemble(topology, count), Vec::new());
    }
    let each = topology.vertices().max(1) as usize;
    let (mut indices, mut numbers) = (Vec::new(), Vec::new());
    let (mut first, mut number, mut last) = (0u32, 0, None);
    for run in &order.runs {
        let run = (*run).min(count.saturating_sub(first));
        let instance = order.places.get(first as usize).map(|[_, instance]| *instance);
        if instance != last {
            (number, last) = (0, instance);
        }
        let own = assemble(topology, run);
        let primitives = (own.len() / each) as u32;
        numbers.extend(number..number + primitives);
        number += primitives;
        indices.extend(own.iter().map(|index| first + index));
        first += run;
    }
    (indices, numbers)
}

/// The vertices of a triangle of a strip: every other one is turned, so that all face the same way.
pub(super) fn strip_triangle(number: u32) -> [u32; 3] {
    let odd = number % 2;
    [number, number + 1 + odd, number + 2 - odd]
}

/// From where the inputs of a stage come: columns of the rows of the stage before.
#[derive(Debug, Clone)]
pub(crate) struct Links {
    varyings: Vec<Option<usize>>,
    /// The built-in, its first column, and its scalars.
    builtins: Vec<(StageVariable, usize, u32)>,
}

impl Links {
    pub fn new(program: &Program, stream: &Stream) -> Links {
        let layout = |rate| match rate {
            Rate::Vertex => &stream.layout,
            Rate::Primitive => &stream.own_layout,
        };
        let varyings = program.varyings.iter().map(|scalar| layout(scalar.rate).find(scalar)).collect();
        let builtin = |input: &StageVariable| {
            let of_row = input.vertex.is_some() || input.rate == Rate::Primitive;
            let (at, n) = layout(input.rate).builtin(input.builtin).filter(|_| of_row)?;
            Some((*input, at, input.n.min(n as u32)))
        };
        let builtins = program.inputs.iter().filter_map(builtin).collect();
        Links { varyings, builtins }
    }

    /// The column that an input comes from.
    pub fn column(&self, varying: usize) -> Option<usize> {
        self.varyings.get(varying).copied().flatten()
    }

    /// Fills the inputs of a lane that runs for a primitive.
    pub fn fill(
        &self,
        program: &Program,
        stream: &Stream,
        primitive: u32,
        (lane, size): (usize, usize),
        regs: &mut [u64],
    ) {
        let vertices = stream.vertices_of(primitive);
        let value = |rate, vertex: Option<u32>, at| match rate {
            Rate::Primitive => Some(stream.own_value(primitive, at)),
            Rate::Vertex => Some(stream.value(*vertices.get(vertex? as usize)?, at)),
        };
        for (scalar, column) in program.varyings.iter().zip(&self.varyings) {
            if let Some(value) = column.and_then(|at| value(scalar.rate, scalar.vertex, at)) {
                regs[scalar.slot as usize * size + lane] = value;
            }
        }
        for &(input, first, n) in &self.builtins {
            for at in 0..n {
                if let Some(value) = value(input.rate, input.vertex, first + at as usize) {
                    regs[(input.slot + at) as usize * size + lane] = value;
                }
            }
        }
    }
}

/// Sets the scalar of a built-in of a lane.
pub(super) fn set(program: &Program, builtin: BuiltIn, values: &[u64], (lane, size): (usize, usize), regs: &mut [u64]) {
    for input in program.inputs.iter().filter(|input| input.builtin == builtin) {
        for (slot, value) in (input.slot..input.slot + input.n).zip(values) {
            regs[slot as usize * size + lane] = *value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_form_the_primitives_of_a_topology() {
        assert_eq!(assemble(Topology::PointList, 2), [0, 1]);
        assert_eq!(assemble(Topology::LineList, 5), [0, 1, 2, 3]);
        assert_eq!(assemble(Topology::LineStrip, 3), [0, 1, 1, 2]);
        assert_eq!(assemble(Topology::TriangleList, 7), [0, 1, 2, 3, 4, 5]);
        assert_eq!(assemble(Topology::TriangleStrip, 5), [0, 1, 2, 1, 3, 2, 2, 3, 4]);
        assert_eq!(assemble(Topology::TriangleFan, 4), [1, 2, 0, 2, 3, 0]);
        assert_eq!(assemble(Topology::Patches(4), 9), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(assemble(Topology::TriangleStrip, 1).is_empty());
    }
}
