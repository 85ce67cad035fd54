//! An entry point, decoded once: what a machine runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::{Block, Code, Function, Pc, Slot, Tables};
use crate::race::Model;
use crate::stages::{Modes, Rate, SharedScalar};
use crate::types::{Ty, Types};
use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::BuiltIn;
use lanescope_spirv::{InstId, Lines, Module, SourceLine};

/// A decoded entry point. Made by [`Program::decode`]; independent of inputs and of the wave size.
#[derive(Debug, Clone)]
pub struct Program {
    pub(crate) module: Module,
    pub(crate) lines: Lines,
    pub(crate) types: Types,
    pub(crate) entry: String,
    pub(crate) local_size: [u32; 3],
    pub(crate) derivatives: DerivativeGroup,
    pub(crate) code: Vec<Code>,
    /// By [`Pc`]: the instruction of the module.
    pub(crate) origin: Vec<InstId>,
    pub(crate) tables: Tables,
    pub(crate) functions: Vec<Function>,
    /// Index of the entry point's function.
    pub(crate) entry_function: u32,
    /// By start.
    pub(crate) blocks: Vec<Block>,
    /// The first slots: the same value in all lanes.
    pub(crate) constants: Vec<u64>,
    /// Slots of variables, after the constants.
    pub(crate) variables: std::ops::Range<Slot>,
    /// All slots.
    pub(crate) slots: u32,
    pub(crate) stage: StageKind,
    /// Whether a fragment shader runs once for each sample.
    pub(crate) sample_rate: bool,
    /// Built-in inputs.
    pub(crate) inputs: Vec<StageVariable>,
    /// Slots of all input variables.
    pub(crate) input_slots: Vec<std::ops::Range<Slot>>,
    /// Inputs with a location, and built-in inputs that are interpolated.
    pub(crate) varyings: Vec<InterfaceScalar>,
    /// Outputs with a location.
    pub(crate) outputs: Vec<InterfaceScalar>,
    /// Built-in outputs.
    pub(crate) output_builtins: Vec<StageVariable>,
    /// Outputs that the invocations of a patch or of a mesh workgroup share: their slots are indices into this.
    pub(crate) shared: Vec<SharedScalar>,
    /// The resource that is the payload of a task or mesh shader.
    pub(crate) payload: Option<u32>,
    /// What execution modes say of the stages between vertices and fragments.
    pub(crate) modes: Modes,
    pub(crate) resources: Vec<Resource>,
    /// By id: what a debugger shows.
    pub(crate) values: BTreeMap<Id, Shown>,
    /// Private variables with initializers: first slot, source, scalars.
    pub(crate) initializers: Vec<(Slot, Slot, u32)>,
    /// Whether memory is accessed in units below 32 bits.
    pub(crate) narrow: bool,
    /// What barriers, atomics and accesses say about the memory model.
    pub(crate) model: Model,
    /// Loads of built-ins that depend on the wave size.
    pub(crate) size_dependent: BTreeMap<Pc, BuiltIn>,
}

/// How invocations of a workgroup form quads for derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DerivativeGroup {
    /// Four consecutive lanes, as for quad operations: no execution mode is set.
    Lanes,
    /// Blocks of 2x2 invocations (`DerivativeGroupQuadsKHR`).
    Quads,
    /// Four consecutive local invocation indices (`DerivativeGroupLinearKHR`).
    Linear,
    /// Fragments of 2x2 pixels, in four consecutive lanes.
    Fragments,
}

/// A built-in variable or a member of one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StageVariable {
    pub builtin: BuiltIn,
    pub slot: Slot,
    pub n: u32,
    pub rate: Rate,
    /// The vertex of the primitive that it is of, where it is one of an array.
    pub vertex: Option<u32>,
}

/// How a fragment's input follows from the values at the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interpolation {
    Perspective,
    /// Linear on the screen.
    Linear,
    /// The value of the first vertex.
    Flat,
}

/// Where in the pixel a fragment's input is interpolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    Center,
    Centroid,
    Sample,
}

/// A scalar of an input or an output with a location, or of a built-in input that is interpolated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InterfaceScalar {
    pub slot: Slot,
    /// The built-in: its components count on beyond four, and it has no location.
    pub builtin: Option<BuiltIn>,
    pub location: u32,
    /// In units of 32 bits: a 64-bit scalar takes two of them, a 16-bit one takes one.
    pub component: u32,
    pub bits: u32,
    pub is_float: bool,
    pub interpolation: Interpolation,
    pub at: At,
    pub rate: Rate,
    /// The vertex whose value it is: of an input that has one for each vertex.
    pub vertex: Option<u32>,
}

/// A module-scope variable that leads to memory outside of registers.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    pub id: Id,
    /// The constant slot that gets its pointer.
    pub slot: Slot,
    pub kind: ResourceKind,
    /// Descriptors; absent for an array whose length the inputs give.
    pub count: Option<u32>,
    /// Whether nothing may write to it.
    pub read_only: bool,
}

/// What a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    /// A buffer, image or sampler of a descriptor.
    Descriptor { set: u32, binding: u32 },
    /// Push constants.
    PushConstants,
    /// Workgroup memory of a size in bytes. Blocks share one object. It starts as zeros from a byte on, where it has an
    /// initializer.
    Workgroup { size: u64, shared: bool, zeroed: Option<u64> },
    /// Outputs that the invocations of a patch or of a mesh workgroup share, or the payload of a task.
    Output { size: u64 },
}

impl ResourceKind {
    /// Bytes of outputs that invocations share; 0 for other resources.
    pub fn output_bytes(&self) -> u64 {
        if let ResourceKind::Output { size } = self { *size } else { 0 }
    }
}

/// What an id shows: a value in registers, or a pointer to a variable.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shown {
    /// First slot and type of a value.
    Value(Slot, Ty),
    /// First slot and type of the variable that a pointer leads to.
    Variable(Slot, Ty),
}

/// The place of an instruction in its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The function.
    pub function: Id,
    /// The block: its label.
    pub block: Id,
    /// Index in the block: 0 is the first instruction after the label.
    pub index: u32,
    /// The instruction.
    pub inst: InstId,
    /// Its result id, if it has one.
    pub result: Option<Id>,
}

impl Program {
    /// The name of the entry point.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// The stage.
    pub fn stage(&self) -> StageKind {
        self.stage
    }

    /// The primitives that a geometry shader takes; absent for other stages.
    pub fn input_topology(&self) -> Option<crate::stages::Topology> {
        self.modes.input
    }

    /// Invocations of a geometry shader for each primitive; 1 for other stages.
    pub fn invocations(&self) -> u32 {
        self.modes.invocations
    }

    /// Whether a fragment shader runs once for each sample.
    pub fn is_sample_rate(&self) -> bool {
        self.sample_rate
    }

    /// Whether a slot is one of an input variable.
    pub(crate) fn is_input(&self, slot: Slot) -> bool {
        self.input_slots.iter().any(|slots| slots.contains(&slot))
    }

    /// Invocations of a workgroup in each dimension; 1 for stages without workgroups.
    pub fn local_size(&self) -> [u32; 3] {
        self.local_size
    }

    /// How invocations form quads for derivatives.
    pub fn derivative_group(&self) -> DerivativeGroup {
        self.derivatives
    }

    /// The module, with specialization constants set.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Whether results may depend on how invocations are put into waves: it has subgroup operations, or reads built-ins
    /// of subgroups.
    pub fn depends_on_waves(&self) -> bool {
        !self.tables.subgroup_ops.is_empty() || !self.size_dependent.is_empty()
    }

    /// Scalar registers of a lane: constants, variables and values.
    pub fn registers(&self) -> u32 {
        self.slots
    }

    /// Number of decoded instructions.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// The place of a decoded instruction.
    pub(crate) fn place(&self, pc: Pc) -> Place {
        let inst = self.origin.get(pc as usize).copied().unwrap_or(InstId(0));
        let at = self.blocks.partition_point(|block| block.start <= pc).saturating_sub(1);
        let block = self.blocks.get(at);
        Place {
            function: block.and_then(|b| self.functions.get(b.function as usize)).map_or(Id(0), |f| f.id),
            block: block.map_or(Id(0), |b| b.id),
            index: block.map_or(0, |b| inst.0.saturating_sub(b.label + 1)),
            inst,
            result: self.module.inst(inst).result(),
        }
    }

    /// The place of an instruction, by its index among the decoded ones ([`crate::LoggedAccess::instruction`]).
    pub fn instruction(&self, index: u32) -> Place {
        self.place(index)
    }

    /// Whether the module has source lines.
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// By source file: its lines that have an instruction which is run.
    pub fn lines_of_files(&self) -> BTreeMap<String, BTreeSet<u32>> {
        let mut out: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for line in self.origin.iter().filter_map(|&inst| self.line(inst)) {
            out.entry(line.file).or_default().insert(line.line);
        }
        out
    }

    /// The functions that may run, each with its first instruction.
    pub fn functions(&self) -> impl Iterator<Item = (Id, InstId)> + '_ {
        let first = |function: &Function| Some((function.id, *self.origin.get(function.start as usize)?));
        self.functions.iter().filter_map(first)
    }

    /// The source line of an instruction, if the module has lines.
    pub fn line(&self, inst: InstId) -> Option<SourceLine> {
        self.lines.line(inst)
    }
}
