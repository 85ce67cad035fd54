//! From a module to a [`Program`]: one pass over the functions that an entry point reaches.

mod arithmetic;
mod chains;
mod composite;
mod flow;
mod globals;
mod glsl;
mod images;
mod instruction;
mod interface;
mod memory;
mod model;
mod subgroup;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::code::{Block, Code, Function, LaneOp, Pc, Slot, Space, Tables, Watch};
use crate::error::DecodeError;
use crate::kernels::LaneKernel;
use crate::program::{InterfaceScalar, Program, Resource, Shown, StageVariable};
use crate::race::Model;
use crate::stages::{Modes, SharedScalar};
use crate::types::{Kind, MatrixLayout, ScalarAt, Ty, Types};
use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{BuiltIn, Op, StorageClass};
use lanescope_spirv::{EntryPoint, Inst, InstId, Lines, Module};

/// The most scalar registers of a lane.
const MAX_REGISTERS: u32 = 1 << 20;

/// The stages that run.
const STAGES: [StageKind; 8] = [
    StageKind::Compute,
    StageKind::Vertex,
    StageKind::TessControl,
    StageKind::TessEval,
    StageKind::Geometry,
    StageKind::Task,
    StageKind::Mesh,
    StageKind::Fragment,
];

/// A value in registers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Val {
    pub ty: Ty,
    pub slot: Slot,
}

/// A pointer, with what is known of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ptr {
    pub class: StorageClass,
    pub pointee: Ty,
    /// Of a matrix that it leads to, or that contains the column that it leads to.
    pub matrix: MatrixLayout,
    /// Distance of components where it leads to a column of a row-major matrix.
    pub column: Option<u32>,
    /// The slot that it leads to, where that is known.
    pub fixed: Option<Slot>,
    /// The register that has it.
    pub slot: Option<Slot>,
    /// The resource whose descriptor array it leads to.
    pub descriptors: Option<u32>,
    /// Bytes between the elements of the array that it leads to an element of, where that array is known.
    pub stride: Option<u64>,
    /// Whether the memory is coherent, where that is known.
    pub coherent: Option<bool>,
}

/// An operation: of an instruction, or of an `OpSpecConstantOp`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation<'a> {
    pub inst: Inst<'a>,
    pub op: Op,
    /// The operands after result type and result id.
    pub args: &'a [u32],
}

impl<'a> Operation<'a> {
    /// Operand `i`, or 0 where there are fewer.
    pub fn word(&self, i: usize) -> u32 {
        self.args.get(i).copied().unwrap_or(0)
    }

    /// Operand `i` as an id.
    pub fn id(&self, i: usize) -> Id {
        Id(self.word(i))
    }

    /// The operands from `i` on.
    pub fn rest(&self, i: usize) -> &'a [u32] {
        self.args.get(i..).unwrap_or(&[])
    }

    pub fn unsupported(&self, reason: impl Into<String>) -> DecodeError {
        DecodeError::unsupported(&self.inst, reason)
    }

    pub fn invalid(&self, reason: impl Into<String>) -> DecodeError {
        DecodeError::invalid(&self.inst, reason)
    }
}

type Result<T> = std::result::Result<T, DecodeError>;

/// A function before its body is decoded.
#[derive(Debug, Clone)]
struct Signature {
    parameters: Vec<(Id, Val)>,
    /// First slot and number of scalars.
    result: (Slot, u32),
    /// First slot and number of scalars of its variables.
    variables: (Slot, u32),
}

/// The state of decoding.
pub(crate) struct Decoder<'m> {
    module: &'m Module,
    entry: &'m EntryPoint,
    types: Types,
    values: BTreeMap<Id, Val>,
    pointers: BTreeMap<Id, Ptr>,
    shown: BTreeMap<Id, Shown>,
    /// The next free slot.
    slots: u32,
    /// Values of the first slots.
    constants: Vec<u64>,
    code: Vec<Code>,
    origin: Vec<InstId>,
    /// The instruction that is decoded.
    at: InstId,
    tables: Tables,
    functions: Vec<Function>,
    signatures: Vec<Signature>,
    indices: BTreeMap<Id, u32>,
    /// Index of the entry point's function.
    entry_index: u32,
    blocks: Vec<Block>,
    stage: StageKind,
    inputs: Vec<StageVariable>,
    /// Slots of all input variables.
    input_slots: Vec<std::ops::Range<Slot>>,
    varyings: Vec<InterfaceScalar>,
    outputs: Vec<InterfaceScalar>,
    output_builtins: Vec<StageVariable>,
    shared: Vec<SharedScalar>,
    payload: Option<u32>,
    resources: Vec<Resource>,
    initializers: Vec<(Slot, Slot, u32)>,
    /// Values of which instructions replace a part.
    partial: BTreeSet<Id>,
    glsl: BTreeSet<Id>,
    nonsemantic: BTreeSet<Id>,
    narrow: bool,
    size_dependent: BTreeMap<Pc, BuiltIn>,
    model: Model,
    /// Whether any memory is coherent.
    has_coherent_memory: bool,
    /// By id of a loaded image: whether it is coherent.
    coherent_images: BTreeMap<Id, bool>,
    /// Scalars in memory, by type and layout of matrices: a large type may be accessed often.
    layouts: BTreeMap<(Ty, MatrixLayout, Option<u32>), Arc<[ScalarAt]>>,
}

impl Program {
    /// Decodes an entry point. Values of specialization constants are those of the module (see
    /// [`Module::specialised`]).
    ///
    /// # Errors
    /// An instruction that is not implemented or breaks a rule, by opcode, id and word; a stage of ray
    /// tracing; a stage without the execution modes that it needs.
    pub fn decode(module: &Module, entry: &EntryPoint) -> std::result::Result<Program, DecodeError> {
        let stage = entry.stage.filter(|stage| STAGES.contains(stage));
        let Some(stage) = stage else {
            return Err(DecodeError::Stage { entry: entry.name.clone() });
        };
        let modes = Modes::of(entry, stage)?;
        let mut decoder = Decoder {
            module,
            entry,
            types: Types::of(module),
            values: BTreeMap::new(),
            pointers: BTreeMap::new(),
            shown: BTreeMap::new(),
            slots: 0,
            constants: Vec::new(),
            code: Vec::new(),
            origin: Vec::new(),
            at: InstId(0),
            tables: Tables::default(),
            functions: Vec::new(),
            signatures: Vec::new(),
            indices: BTreeMap::new(),
            entry_index: 0,
            blocks: Vec::new(),
            stage,
            inputs: Vec::new(),
            input_slots: Vec::new(),
            varyings: Vec::new(),
            outputs: Vec::new(),
            output_builtins: Vec::new(),
            shared: Vec::new(),
            payload: None,
            resources: Vec::new(),
            initializers: Vec::new(),
            partial: BTreeSet::new(),
            glsl: BTreeSet::new(),
            nonsemantic: BTreeSet::new(),
            narrow: false,
            size_dependent: BTreeMap::new(),
            model: model::declared(module),
            has_coherent_memory: model::has_coherent_memory(module),
            coherent_images: BTreeMap::new(),
            layouts: BTreeMap::new(),
        };
        decoder.globals()?;
        let variables = decoder.variables()?;
        decoder.bodies()?;
        let local_size = decoder.local_size(&modes);
        let derivatives = decoder.derivative_group();
        let sample_rate = decoder.sample_rate();
        decoder.blocks.sort_by_key(|block| block.start);
        Ok(Program {
            module: module.clone(),
            lines: Lines::of(module),
            types: decoder.types,
            entry: entry.name.clone(),
            local_size,
            derivatives,
            code: decoder.code,
            origin: decoder.origin,
            tables: decoder.tables,
            functions: decoder.functions,
            entry_function: decoder.entry_index,
            blocks: decoder.blocks,
            constants: decoder.constants,
            variables,
            slots: decoder.slots,
            stage,
            sample_rate,
            inputs: decoder.inputs,
            input_slots: decoder.input_slots,
            varyings: decoder.varyings,
            outputs: decoder.outputs,
            output_builtins: decoder.output_builtins,
            shared: decoder.shared,
            payload: decoder.payload,
            modes,
            resources: decoder.resources,
            values: decoder.shown,
            initializers: decoder.initializers,
            narrow: decoder.narrow,
            model: decoder.model,
            size_dependent: decoder.size_dependent,
        })
    }
}

impl<'m> Decoder<'m> {
    /// Where pointers of a storage class lead.
    fn space(&self, class: StorageClass) -> Option<Space> {
        use StorageClass as C;
        Some(match class {
            C::Output if self.shares_outputs() => Space::Object,
            C::Function | C::Private | C::Input | C::Output => Space::Slots,
            C::TaskPayloadWorkgroupEXT if matches!(self.stage, StageKind::Task | StageKind::Mesh) => Space::Object,
            C::Workgroup | C::Uniform | C::StorageBuffer | C::PushConstant | C::UniformConstant | C::Image => {
                Space::Object
            }
            C::PhysicalStorageBuffer => Space::Physical,
            _ => return None,
        })
    }

    /// Whether the invocations of a patch or workgroup write their outputs to the same memory.
    fn shares_outputs(&self) -> bool {
        matches!(self.stage, StageKind::TessControl | StageKind::Mesh)
    }

    /// Takes slots.
    fn allocate(&mut self, n: u32) -> Result<Slot> {
        let slot = self.slots;
        let end = slot.checked_add(n).filter(|&end| end <= MAX_REGISTERS);
        self.slots =
            end.ok_or_else(|| DecodeError::Registers { entry: self.entry.name.clone(), limit: MAX_REGISTERS })?;
        Ok(slot)
    }

    fn emit(&mut self, code: Code) {
        self.code.push(code);
        self.origin.push(self.at);
    }

    /// The type of an operation's result.
    fn result_type(&self, op: &Operation<'_>) -> Result<Ty> {
        let id = op.inst.result_type().ok_or_else(|| op.invalid("no result type"))?;
        self.types.get(id).ok_or_else(|| op.invalid(format!("%{id} is not a type")))
    }

    /// Registers for an operation's result.
    fn define(&mut self, op: &Operation<'_>) -> Result<Val> {
        let ty = self.result_type(op)?;
        let n = self.types.scalars(ty, &op.inst)?;
        let slot = self.allocate(n)?;
        self.name(op, ty, slot)
    }

    /// Gives an operation's result slots that are there already.
    fn name(&mut self, op: &Operation<'_>, ty: Ty, slot: Slot) -> Result<Val> {
        let id = op.inst.result().ok_or_else(|| op.invalid("no result id"))?;
        // Operands are below results: a value may not reach beyond the slots that there are.
        let end = self.types.info(ty).scalars.and_then(|n| slot.checked_add(n));
        if end.is_none_or(|end| end > self.slots) {
            return Err(op.invalid("the result is of another type than what it shares its value with"));
        }
        let val = Val { ty, slot };
        self.values.insert(id, val);
        self.pointers.remove(&id);
        self.shown.insert(id, Shown::Value(slot, ty));
        Ok(val)
    }

    /// Gives an operation's result the slot of a pointer or a handle.
    fn handle(&mut self, op: &Operation<'_>, ty: Ty, slot: Slot) -> Result<Val> {
        match self.types.info(ty).scalars {
            Some(1) => self.name(op, ty, slot),
            _ => Err(op.invalid("the result is of another type than the pointer leads to")),
        }
    }

    /// An operand in registers.
    fn value(&mut self, op: &Operation<'_>, id: Id) -> Result<Val> {
        if let Some(val) = self.values.get(&id) {
            return Ok(*val);
        }
        let fixed = self.pointers.get(&id).and_then(|pointer| pointer.fixed);
        let ty = self.module.def(id).and_then(|def| def.result_type()).and_then(|ty| self.types.get(ty));
        match fixed.zip(ty) {
            Some((_, ty)) if self.types.info(ty).scalars != Some(1) => {
                Err(op.invalid(format!("%{id} is not of a pointer type")))
            }
            Some((fixed, ty)) => {
                let slot = self.allocate(1)?;
                self.emit(Code::Broadcast { dst: slot, value: u64::from(fixed) });
                Ok(Val { ty, slot })
            }
            None => Err(op.invalid(format!("%{id} is used before its definition"))),
        }
    }

    /// Operand `i` of an operation.
    fn arg(&mut self, op: &Operation<'_>, i: usize) -> Result<Val> {
        self.value(op, op.id(i))
    }

    /// The number of scalars of a value.
    fn scalars(&self, op: &Operation<'_>, val: Val) -> Result<u32> {
        self.types.scalars(val.ty, &op.inst)
    }

    /// Operand `i`, which must have `n` scalars.
    fn sized(&mut self, op: &Operation<'_>, i: usize, n: u32) -> Result<Val> {
        let val = self.arg(op, i)?;
        let found = self.scalars(op, val)?;
        if found != n {
            return Err(op.invalid(format!("operand %{} has {found} components, expected {n}", op.id(i))));
        }
        Ok(val)
    }

    /// Operand `i`, which must be an integer scalar.
    fn integer(&mut self, op: &Operation<'_>, i: usize) -> Result<Val> {
        let val = self.sized(op, i, 1)?;
        match self.types.kind_of(val.ty) {
            Kind::Int { .. } => Ok(val),
            _ => Err(op.invalid(format!("operand %{} is not an integer", op.id(i)))),
        }
    }

    /// Operand `i` as a constant number.
    fn constant(&self, op: &Operation<'_>, i: usize) -> Result<u32> {
        let constant = self.module.constant(op.id(i)).and_then(|constant| constant.as_u32());
        constant.ok_or_else(|| op.unsupported(format!("operand %{} is not a constant", op.id(i))))
    }

    /// Emits an operation that is computed lane by lane.
    fn lane_op(&mut self, f: LaneKernel, operands: &[(Slot, u32)], literals: &[u64], dst: (Slot, u32), watch: Watch) {
        let op = self.tables.lane_ops.len() as u32;
        let (dst, n) = dst;
        self.tables.lane_ops.push(LaneOp { f, operands: operands.into(), literals: literals.into(), dst, n, watch });
        self.emit(Code::Lane { op });
    }
}
