//! Waves of vertices: their inputs from attributes, their outputs into an object.

use crate::exec::wave::{Lanes, Wave};
use crate::kernels::int::ones;
use crate::memory::Object;
use crate::program::{InterfaceScalar, Program, StageVariable};
use crate::stages::{Rate, Topology};
use lanescope_spirv::enums::BuiltIn;

/// The values of a vertex attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The location.
    pub location: u32,
    /// By invocation: the bits of four 32-bit components.
    pub values: Vec<[u32; 4]>,
}

/// Which vertex of which instance each invocation is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VertexOrder {
    /// By invocation: `VertexIndex` and `InstanceIndex`. Empty where they are 0, 1, 2 and so on of instance 0.
    pub places: Vec<[u32; 2]>,
    /// How many invocations form primitives without the ones after them: those of an instance, or those up to a restart. Empty
    /// where all of them do together.
    pub runs: Vec<u32>,
    /// `BaseVertex` and `BaseInstance`.
    pub base: [u32; 2],
}

/// The vertices of a draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VertexCall {
    /// How many there are.
    pub count: u32,
    /// What they form.
    pub topology: Topology,
    /// Their attributes. One that is not here is 0, 0, 0, 1.
    pub attributes: Vec<Attribute>,
    /// Which vertices they are.
    pub order: VertexOrder,
    /// Lanes of a wave: a power of two from 1 to 64.
    pub wave: u32,
    /// The only wave that runs; absent for all of them.
    pub only: Option<u32>,
}

/// Vertices in waves.
#[derive(Debug)]
pub(crate) struct VertexWork {
    pub call: VertexCall,
    /// The object that takes outputs: for each vertex the scalars of its [`Layout`], 8 bytes each.
    pub outputs: usize,
}

/// Where the outputs of a vertex, or those of a primitive, are in its row.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// Scalars of a row.
    pub scalars: usize,
    /// Scalars with a location: those of the program, in its order, from the start of the row on.
    pub located: Vec<InterfaceScalar>,
    /// Built-ins, and where each begins.
    pub builtins: Vec<(StageVariable, usize)>,
}

impl Layout {
    pub fn of(program: &Program, rate: Rate) -> Layout {
        let located: Vec<_> = program.outputs.iter().filter(|output| output.rate == rate).copied().collect();
        let mut scalars = located.len();
        let mut builtins = Vec::new();
        for builtin in program.output_builtins.iter().filter(|output| output.rate == rate) {
            builtins.push((*builtin, scalars));
            scalars += builtin.n as usize;
        }
        Layout { scalars, located, builtins }
    }

    /// The column of the output that an input of the next stage is of.
    pub fn find(&self, input: &InterfaceScalar) -> Option<usize> {
        if let Some(builtin) = input.builtin {
            let (first, n) = self.builtin(builtin)?;
            let at = input.component as usize;
            return (at < n).then_some(first + at);
        }
        self.located.iter().position(|output| {
            (output.location, output.component, output.bits) == (input.location, input.component, input.bits)
        })
    }

    /// Where a built-in begins, and how many scalars it has.
    pub fn builtin(&self, wanted: BuiltIn) -> Option<(usize, usize)> {
        let found = self.builtins.iter().find(|(variable, _)| variable.builtin == wanted);
        found.map(|(variable, at)| (*at, variable.n as usize))
    }

    /// The slots of a row's scalars, in order.
    pub fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        let builtins = self.builtins.iter().flat_map(|(variable, _)| variable.slot..variable.slot + variable.n);
        self.located.iter().map(|scalar| scalar.slot).chain(builtins)
    }
}

impl VertexWork {
    /// The vertices of a wave: the first one, and how many.
    fn range(&self, group: u64, size: usize) -> (u32, usize) {
        let first = u32::try_from(group.saturating_mul(size as u64)).unwrap_or(u32::MAX);
        (first, (self.call.count.saturating_sub(first) as usize).min(size))
    }

    pub fn lanes(&self, group: u64, size: usize) -> Lanes {
        super::first_lanes(size, self.range(group, size).1, 0)
    }

    pub fn fill(&self, program: &Program, group: u64, lanes: &Lanes, regs: &mut [u64]) {
        let size = lanes.invocations.len();
        let (first, count) = self.range(group, size);
        for input in &program.inputs {
            let order = &self.call.order;
            for lane in 0..count {
                let number = first as usize + lane;
                let place = order.places.get(number).copied();
                let value = match input.builtin {
                    BuiltIn::VertexIndex => place.map_or(number as u64, |[vertex, _]| u64::from(vertex)),
                    BuiltIn::InstanceIndex => place.map_or(0, |[_, instance]| u64::from(instance)),
                    BuiltIn::BaseVertex => u64::from(order.base[0]),
                    BuiltIn::BaseInstance => u64::from(order.base[1]),
                    _ => continue,
                };
                regs[input.slot as usize * size + lane] = value;
            }
        }
        for scalar in &program.varyings {
            let attribute = self.call.attributes.iter().find(|attribute| attribute.location == scalar.location);
            for lane in 0..count {
                let values = attribute.and_then(|attribute| attribute.values.get(first as usize + lane));
                let values = values.copied().unwrap_or([0, 0, 0, if scalar.is_float { 0x3f80_0000 } else { 1 }]);
                let component = |at: u32| u64::from(values.get(at as usize).copied().unwrap_or(0));
                regs[scalar.slot as usize * size + lane] = match (scalar.bits, scalar.is_float) {
                    (64, _) => component(scalar.component) | component(scalar.component + 1) << 32,
                    // An attribute of 32 bits is converted.
                    (16, true) => {
                        let value = f32::from_bits(component(scalar.component) as u32);
                        u64::from(crate::kernels::half::from_f32(value))
                    }
                    (bits, _) => component(scalar.component) & ones(u64::from(bits)),
                };
            }
        }
    }

    pub fn finish(&self, program: &Program, group: u64, wave: &Wave, objects: &mut [Object]) {
        let Some(object) = objects.get_mut(self.outputs) else { return };
        let size = wave.lanes.invocations.len();
        let (first, count) = self.range(group, size);
        let layout = Layout::of(program, Rate::Vertex);
        for lane in 0..count {
            write_row(&layout, first as usize + lane, lane, wave, object);
        }
    }
}

/// Writes the outputs of a lane to a row.
pub(super) fn write_row(layout: &Layout, row: usize, lane: usize, wave: &Wave, object: &mut Object) {
    let size = wave.lanes.invocations.len();
    let first = row * layout.scalars * 8;
    for (at, slot) in layout.slots().enumerate() {
        object.write((first + at * 8) as u64, 8, wave.regs[slot as usize * size + lane]);
    }
}
