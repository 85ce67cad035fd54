//! Decoded instructions: ids are resolved to slots of the register file, opcodes and types to kernels.
//!
//! A slot holds one scalar of each lane. The operands of an instruction have lower slots than its result, so that one
//! split of the register file gives operands to read and a result to write.

use std::sync::Arc;

pub(crate) use crate::index::{Pc, Slot};

use crate::kernels::{Kernel1, Kernel2, Kernel3, LaneKernel};
use crate::race::{Level, Semantics, Way};
use crate::types::{ImageType, ScalarAt};
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{GroupOperation, Op};
use lanescope_spirv::facts;

/// What is looked for in operands and results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watch {
    /// Nothing.
    No,
    /// A NaN of a width in bits that no operand has.
    Nan(u8),
    /// A divisor of 0.
    Zero,
}

/// When a load from a variable reads what was never written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// Never: an input, or a value of which a part is replaced.
    No,
    /// If any scalar was not written.
    Any,
    /// If no scalar was written: aggregates are copied whole.
    All,
}

/// An instruction for one wave.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Code {
    /// Component by component.
    Unary { f: Kernel1, dst: Slot, a: Slot, n: u32, watch: Watch },
    /// Component by component.
    Binary { f: Kernel2, dst: Slot, a: Slot, b: Slot, n: u32, watch: Watch },
    /// Each component with the same scalar.
    Scale { f: Kernel2, dst: Slot, a: Slot, b: Slot, n: u32, watch: Watch },
    /// Component by component.
    Ternary { f: Kernel3, dst: Slot, a: Slot, b: Slot, c: Slot, n: u32, watch: Watch },
    /// `OpSelect` with one condition for all components.
    Select { dst: Slot, condition: Slot, a: Slot, b: Slot, n: u32 },
    /// Lane by lane: index into [`Tables::lane_ops`].
    Lane { op: u32 },
    /// Scalars from `n` slots of the list.
    Gather { dst: Slot, list: u32, n: u32 },
    /// The same value in all lanes.
    Broadcast { dst: Slot, value: u64 },
    /// `OpVectorExtractDynamic`.
    Extract { dst: Slot, vector: Slot, index: Slot, n: u32 },
    /// `OpVectorInsertDynamic`.
    Insert { dst: Slot, vector: Slot, value: Slot, index: Slot, n: u32 },
    /// From a variable whose slot is known.
    LoadVariable { dst: Slot, src: Slot, n: u32, check: Check },
    /// To a variable whose slot is known.
    StoreVariable { dst: Slot, src: Slot, n: u32 },
    /// From a variable that a pointer in a register selects.
    LoadSlots { dst: Slot, pointer: Slot, n: u32, check: Check },
    /// To a variable that a pointer in a register selects.
    StoreSlots { pointer: Slot, src: Slot, n: u32 },
    /// Variables of a function that is entered: not written yet.
    Enter { first: Slot, n: u32 },
    /// An access chain: index into [`Tables::chains`].
    Chain { chain: u32 },
    /// From memory: index into [`Tables::accesses`].
    Load { dst: Slot, pointer: Slot, access: u32 },
    /// To memory.
    Store { pointer: Slot, src: Slot, access: u32 },
    /// Index into [`Tables::atomics`].
    Atomic { atomic: u32 },
    /// Elements of a runtime array `offset` bytes into a buffer.
    ArrayLength { dst: Slot, pointer: Slot, offset: u32, stride: u32 },
    /// Index into [`Tables::subgroup_ops`].
    Subgroup { op: u32 },
    /// Index into [`Tables::derivatives`].
    Derivative { op: u32 },
    /// Index into [`Tables::image_ops`].
    Image { op: u32 },
    /// Edges are indices into [`Tables::edges`].
    Branch { edge: u32 },
    /// `OpBranchConditional`.
    BranchIf { condition: Slot, yes: u32, no: u32 },
    /// Index into [`Tables::switches`].
    Switch { value: Slot, switch: u32 },
    /// `OpReturn`.
    Return,
    /// `OpReturnValue`: to the function's result slots.
    ReturnValue { dst: Slot, src: Slot, n: u32 },
    /// Index into [`Tables::calls`].
    Call { call: u32 },
    /// An input at another place of the pixel: index into [`Tables::interpolations`].
    Interpolate { op: u32 },
    /// What goes to the next stage.
    HandOver { what: HandOver },
    /// `OpDemoteToHelperInvocation`. The slot of the built-in `HelperInvocation`, where the program has it.
    Demote { helper: Option<Slot> },
    /// `OpIsHelperInvocationEXT`.
    IsHelper { dst: Slot },
    /// The end of invocations: `OpKill`, `OpTerminateInvocation`.
    Kill,
    /// `OpUnreachable`.
    Unreachable,
    /// `OpControlBarrier`.
    ControlBarrier { execution: Level, semantics: Semantics },
    /// `OpMemoryBarrier`.
    MemoryBarrier { semantics: Semantics },
}

impl Code {
    /// Whether it decides itself which instruction is next.
    #[inline(always)]
    pub fn is_control(&self) -> bool {
        matches!(
            self,
            Code::Branch { .. }
                | Code::BranchIf { .. }
                | Code::Switch { .. }
                | Code::Return
                | Code::ReturnValue { .. }
                | Code::Call { .. }
                | Code::Kill
                | Code::Unreachable
        )
    }
}

/// What an instruction hands to the next stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HandOver {
    /// `OpEmitVertex`.
    Vertex,
    /// `OpEndPrimitive`.
    EndPrimitive,
    /// `OpSetMeshOutputsEXT`: the numbers of vertices and primitives.
    Counts([Slot; 2]),
    /// `OpEmitMeshTasksEXT`: workgroups in each dimension. The invocations end.
    Tasks([Slot; 3]),
}

/// A branch to a block, with what its phi instructions copy.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub target: Pc,
    /// Destination, source, number of scalars.
    pub moves: Box<[(Slot, Slot, u32)]>,
    /// Whether a move reads what an earlier one writes.
    pub overlaps: bool,
}

/// An operation that is computed lane by lane.
#[derive(Debug, Clone)]
pub(crate) struct LaneOp {
    pub f: LaneKernel,
    /// First slot and number of scalars of each operand.
    pub operands: Box<[(Slot, u32)]>,
    pub literals: Box<[u64]>,
    pub dst: Slot,
    pub n: u32,
    pub watch: Watch,
}

/// One index of an access chain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    pub index: Slot,
    /// Width of the index, which is signed.
    pub bits: u32,
    /// Bytes or slots of an element.
    pub stride: u64,
    /// Elements, where an index beyond them leaves the object.
    pub count: Option<u64>,
    /// The descriptor array that the index selects from.
    pub descriptors: Option<u32>,
}

/// Where a pointer leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    /// Slots of variables of the invocation.
    Slots,
    /// An object and an offset.
    Object,
    /// An address.
    Physical,
}

/// An access chain.
#[derive(Debug, Clone)]
pub(crate) struct Chain {
    pub dst: Slot,
    pub base: Slot,
    pub space: Space,
    /// Bytes or slots.
    pub offset: u64,
    pub terms: Box<[Term]>,
}

/// A load or store of a type in memory.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub space: Space,
    /// Shared by the accesses to one type.
    pub scalars: Arc<[ScalarAt]>,
    /// Alignment that a physical address must have.
    pub align: u32,
    /// Whether writes are allowed.
    pub writable: bool,
    pub way: Way,
}

/// An atomic operation.
#[derive(Debug, Clone)]
pub(crate) struct Atomic {
    pub op: Op,
    pub space: Space,
    pub dst: Option<Slot>,
    pub pointer: Slot,
    pub value: Slot,
    pub comparator: Slot,
    /// Width in bits.
    pub bits: u32,
    pub semantics: Semantics,
    /// Those of a comparison that fails.
    pub unequal: Semantics,
}

/// An `OpSwitch`.
#[derive(Debug, Clone)]
pub(crate) struct Switch {
    /// Sorted by value: the edge.
    pub cases: Box<[(u64, u32)]>,
    pub default: u32,
}

/// A function call.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub function: u32,
    /// Parameter, argument, number of scalars.
    pub arguments: Box<[(Slot, Slot, u32)]>,
    pub dst: Slot,
    pub n: u32,
}

/// A subgroup operation.
#[derive(Debug, Clone)]
pub(crate) struct SubgroupOp {
    pub op: Op,
    pub dst: Slot,
    pub value: Slot,
    pub n: u32,
    /// A lane index, a mask, a delta or a cluster size, if any.
    pub argument: Option<Slot>,
    pub detail: SubgroupDetail,
    pub combine: Option<(Kernel2, u64)>,
}

/// What a subgroup operation has besides its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SubgroupDetail {
    None,
    /// Of a count, a reduction or a scan.
    Group(GroupOperation),
    /// The width in bits of floats that are compared: a NaN equals nothing, zeros of both signs are equal.
    Floats(u32),
    /// The number of lanes of a cluster in which lanes rotate: a power of two.
    Cluster(u32),
}

/// A derivative.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Derivative {
    pub dst: Slot,
    pub a: Slot,
    pub n: u32,
    pub bits: u32,
    pub kind: DerivativeKind,
    pub coarse: bool,
}

/// Which derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DerivativeKind {
    X,
    Y,
    /// The sum of both magnitudes.
    Width,
    /// 0: of a stage with workgroups and no derivative group.
    Zero,
}

/// An input that is interpolated where the shader says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interpolate {
    pub dst: Slot,
    pub input: Interpolant,
    /// Its scalars.
    pub n: u32,
    pub place: InterpolateAt,
}

/// The first slot of an input, or of an element or member of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interpolant {
    Slot(Slot),
    /// Where the pointer in this slot leads: it has an index that is not constant.
    Pointer(Slot),
}

/// Where in the pixel an input is interpolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InterpolateAt {
    Centroid,
    /// A sample, by its number in this slot.
    Sample(Slot),
    /// So far from the centre, in pixels: the first of two slots.
    Offset(Slot),
}

/// An image instruction.
#[derive(Debug, Clone)]
pub(crate) struct ImageOp {
    pub op: Op,
    pub ty: ImageType,
    /// The image, or image and sampler.
    pub image: Slot,
    /// First slot and number of scalars; of queries the level.
    pub coordinate: (Slot, u32),
    /// Width in bits of a coordinate, and whether it is a float.
    pub coordinate_bits: u32,
    /// First slot and number of scalars of the result, or of the texel that is written.
    pub value: (Slot, u32),
    /// Width in bits of a component of the result or the texel.
    pub bits: u32,
    pub is_float: bool,
    /// Whether the coordinates end with a divisor.
    pub projected: bool,
    /// A depth reference, or the component that is gathered.
    pub extra: Option<Slot>,
    pub lod: Option<(Slot, bool)>,
    pub bias: Option<Slot>,
    pub gradients: Option<(Slot, Slot)>,
    pub offset: Option<(Slot, u32)>,
    pub way: Way,
}

impl ImageOp {
    /// Whether the level of detail follows from the coordinates of the quad.
    pub fn is_implicit(&self) -> bool {
        facts(self.op).samples_implicitly() && self.lod.is_none() && self.gradients.is_none()
    }
}

/// What instructions refer to by index.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tables {
    pub edges: Vec<Edge>,
    pub lists: Vec<Slot>,
    pub lane_ops: Vec<LaneOp>,
    pub chains: Vec<Chain>,
    pub accesses: Vec<Access>,
    pub atomics: Vec<Atomic>,
    pub switches: Vec<Switch>,
    pub calls: Vec<Call>,
    pub subgroup_ops: Vec<SubgroupOp>,
    pub derivatives: Vec<Derivative>,
    pub interpolations: Vec<Interpolate>,
    pub image_ops: Vec<ImageOp>,
}

impl Tables {
    /// The edges of an instruction that branches; none of others.
    pub fn edges_of(&self, code: &Code) -> impl Iterator<Item = &Edge> {
        let own = match *code {
            Code::Branch { edge } => vec![edge],
            Code::BranchIf { yes, no, .. } => vec![yes, no],
            Code::Switch { switch, .. } => self.switches.get(switch as usize).map_or_else(Vec::new, |switch| {
                switch.cases.iter().map(|(_, edge)| *edge).chain([switch.default]).collect()
            }),
            _ => Vec::new(),
        };
        own.into_iter().filter_map(|edge| self.edges.get(edge as usize))
    }
}

/// A function.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub id: Id,
    pub start: Pc,
    /// Result: first slot and number of scalars.
    pub result: (Slot, u32),
}

/// A block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub id: Id,
    pub function: u32,
    pub start: Pc,
    /// Index of its label in the module.
    pub label: u32,
}
