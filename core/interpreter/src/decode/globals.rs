//! Constants, module-scope variables and execution modes.

use super::{Decoder, Operation, Ptr, Result, Val};
use crate::code::{Code, Slot, Space};
use crate::error::DecodeError;
use crate::exec::pure;
use crate::program::{DerivativeGroup, Resource, ResourceKind, Shown};
use crate::stages::Modes;
use crate::types::{Kind, MatrixLayout, Ty};
use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_spirv::Inst;
use lanescope_spirv::enums::{BuiltIn, Decoration, ExecutionMode, Op, StorageClass};

/// The most workgroup memory of one variable, in bytes.
const MAX_WORKGROUP: u64 = 1 << 28;

impl Decoder<'_> {
    /// Gives every constant its slots, and computes them.
    pub(super) fn globals(&mut self) -> Result<()> {
        for inst in self.module.globals() {
            if inst.op() == Some(Op::ExtInstImport) {
                let (name, _) = inst.string_at(2);
                let id = inst.result().unwrap_or_default();
                if name == "GLSL.std.450" {
                    self.glsl.insert(id);
                } else if name.starts_with("NonSemantic.") {
                    self.nonsemantic.insert(id);
                }
            }
        }
        let mut undefined = Vec::new();
        for inst in self.module.definitions() {
            self.at = inst.index;
            let first = 1 + usize::from(inst.result_type().is_some()) + usize::from(inst.result().is_some());
            let Some(op) = inst.op() else { continue };
            self.global(&Operation { inst, op, args: inst.words_from(first) })?;
        }
        for function in self.module.reachable(self.entry) {
            let undefs = self.module.insts_in(function.insts.clone()).filter(|inst| inst.op() == Some(Op::Undef));
            undefined.extend(undefs);
        }
        for inst in undefined {
            self.define(&Operation { inst, op: Op::Undef, args: &[] })?;
        }
        self.constants.resize(self.slots as usize, 0);
        // Operations on constants run once, on one lane.
        let code = std::mem::take(&mut self.code);
        self.origin.clear();
        for code in &code {
            pure(code, &self.tables, &mut self.constants);
        }
        Ok(())
    }

    fn global(&mut self, op: &Operation<'_>) -> Result<()> {
        match op.op {
            Op::Constant | Op::SpecConstant => {
                let val = self.define(op)?;
                let bits = self.types.bits(val.ty);
                let value = u64::from(op.word(0)) | u64::from(op.word(1)) << 32;
                self.set(val.slot, value & crate::kernels::int::ones(u64::from(bits)));
            }
            Op::ConstantTrue | Op::SpecConstantTrue => {
                let val = self.define(op)?;
                self.set(val.slot, 1);
            }
            Op::ConstantFalse | Op::SpecConstantFalse | Op::Undef => {
                self.define(op)?;
            }
            // A null of a type that has no values in registers is an error where it is used.
            Op::ConstantNull => {
                let ty = self.result_type(op)?;
                if self.types.info(ty).scalars.is_some() {
                    self.define(op)?;
                }
            }
            Op::ConstantComposite | Op::SpecConstantComposite => self.construct(op, op.args)?,
            Op::ConstantCompositeReplicateEXT | Op::SpecConstantCompositeReplicateEXT => {
                let ty = self.result_type(op)?;
                self.types.scalars(ty, &op.inst)?;
                let args = vec![op.word(0); self.types.count(ty) as usize];
                self.construct(op, &args)?;
            }
            Op::SpecConstantOp => {
                let inner = Op::from_u32(op.word(0)).ok_or_else(|| op.invalid("unknown opcode"))?;
                self.instruction(&Operation { op: inner, args: op.rest(1), ..*op })?;
            }
            Op::Variable => {}
            _ => {}
        }
        Ok(())
    }

    fn set(&mut self, slot: Slot, value: u64) {
        self.constants.resize(self.slots as usize, 0);
        // A constant of a type without scalars has none.
        if let Some(constant) = self.constants.get_mut(slot as usize) {
            *constant = value;
        }
    }

    /// Gives every variable its slots: first those of module scope that the entry point uses, then those of functions.
    /// Returns the slots of all of them.
    pub(super) fn variables(&mut self) -> Result<std::ops::Range<Slot>> {
        let reachable = self.module.reachable(self.entry);
        let used = self.module.ids_used_by(self.entry);
        let globals: Vec<Inst<'_>> = self
            .module
            .definitions()
            .filter(|inst| inst.op() == Some(Op::Variable))
            .filter(|inst| inst.result().is_some_and(|id| used.contains(&id) || self.zeroes_for_others(inst, id)))
            .collect();
        let mut slots = Vec::new();
        // Pointers are constants: their slots come before those of variables.
        for inst in globals {
            self.at = inst.index;
            let op = Operation { inst, op: Op::Variable, args: inst.words_from(4) };
            let ty = self.result_type(&op)?;
            let Kind::Pointer { class, to } = *self.types.kind_of(ty) else {
                return Err(op.invalid("its type is not a pointer"));
            };
            let pointee = self.types.get(to).ok_or_else(|| op.invalid(format!("%{to} is not a type")))?;
            match self.space(class) {
                Some(Space::Slots) => slots.push((op, class, pointee)),
                Some(Space::Object) => {
                    self.resource(&op, ty, class, pointee)?;
                    if class == StorageClass::Output {
                        self.shared_output(&op, pointee)?;
                    }
                }
                _ => return Err(op.unsupported(format!("a variable of storage class {}", class as u32))),
            }
        }
        self.constants.resize(self.slots as usize, 0);
        let start = self.slots;
        for (op, class, pointee) in slots {
            self.slot_variable(&op, class, pointee)?;
        }
        for (index, function) in reachable.into_iter().enumerate() {
            let first = self.slots;
            for inst in self.module.insts_in(function.insts.clone()) {
                if inst.op() == Some(Op::Variable) {
                    self.at = inst.index;
                    let op = Operation { inst, op: Op::Variable, args: inst.words_from(4) };
                    let ty = self.result_type(&op)?;
                    match *self.types.kind_of(ty) {
                        Kind::Pointer { class: StorageClass::Function, to } => {
                            let pointee =
                                self.types.get(to).ok_or_else(|| op.invalid(format!("%{to} is not a type")))?;
                            self.slot_variable(&op, StorageClass::Function, pointee)?;
                        }
                        _ => return Err(op.invalid("a variable of a function has another storage class")),
                    }
                }
            }
            self.indices.insert(function.id, index as u32);
            let variables = (first, self.slots - first);
            self.signatures.push(super::Signature { parameters: Vec::new(), result: (0, 0), variables });
        }
        Ok(start..self.slots)
    }

    /// Whether a variable that no instruction uses makes memory zero that others share with it: a block of workgroup memory.
    fn zeroes_for_others(&self, inst: &Inst<'_>, id: Id) -> bool {
        let is_zeroed = inst.word_at(3) == StorageClass::Workgroup as u32 && !inst.words_from(4).is_empty();
        is_zeroed
            && self.entry.interface.contains(&id)
            && self.module.pointee(id).is_some_and(|block| self.module.is_decorated(block, None, Decoration::Block))
    }

    /// A variable in registers.
    fn slot_variable(&mut self, op: &Operation<'_>, class: StorageClass, pointee: Ty) -> Result<()> {
        let n = self.types.scalars(pointee, &op.inst)?;
        let slot = self.allocate(n)?;
        let id = op.inst.result().ok_or_else(|| op.invalid("no result id"))?;
        let pointer = Ptr {
            class,
            pointee,
            matrix: MatrixLayout::default(),
            column: None,
            fixed: Some(slot),
            slot: None,
            descriptors: None,
            stride: None,
            coherent: None,
        };
        self.pointers.insert(id, pointer);
        self.shown.insert(id, Shown::Variable(slot, pointee));
        match class {
            StorageClass::Input => self.interface(op, (id, class), pointee, slot)?,
            StorageClass::Output => {
                self.interface(op, (id, class), pointee, slot)?;
                self.initializer(op, slot, n)?;
            }
            StorageClass::Private => self.initializer(op, slot, n)?,
            _ => {}
        }
        Ok(())
    }

    fn initializer(&mut self, op: &Operation<'_>, slot: Slot, n: u32) -> Result<()> {
        if !op.args.is_empty() {
            let value = self.sized(op, 0, n)?;
            self.initializers.push((slot, value.slot, n));
        }
        Ok(())
    }

    /// A variable that leads to memory: its pointer is a constant that the machine fills in.
    fn resource(&mut self, op: &Operation<'_>, ty: Ty, class: StorageClass, pointee: Ty) -> Result<()> {
        let id = op.inst.result().ok_or_else(|| op.invalid("no result id"))?;
        let slot = self.allocate(1)?;
        let (mut count, mut is_array) = (Some(1), false);
        if matches!(class, StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::UniformConstant) {
            match *self.types.kind_of(pointee) {
                Kind::Array { of, count: n, .. } if self.is_descriptor(of) => (count, is_array) = (Some(n), true),
                Kind::RuntimeArray { of, .. } if self.is_descriptor(of) => (count, is_array) = (None, true),
                _ => {}
            }
        }
        let decoration = |kind| self.module.decoration(id, None, kind).unwrap_or(0);
        let kind = match class {
            StorageClass::Workgroup => {
                let info = self.types.info(pointee);
                if info.size > MAX_WORKGROUP || info.scalars.is_none() {
                    return Err(op.unsupported(format!("workgroup memory of {} bytes", info.size)));
                }
                let size = info.size;
                let shared = matches!(info.kind, Kind::Struct { is_block: true, .. });
                let null = self.module.def(op.id(0)).is_some_and(|def| def.op() == Some(Op::ConstantNull));
                if !op.args.is_empty() && !null {
                    return Err(op.unsupported("an initializer that is not null"));
                }
                let first = match &info.kind {
                    Kind::Struct { members, .. } if shared => members.iter().map(|member| member.offset).min(),
                    _ => None,
                };
                let zeroed = (!op.args.is_empty()).then_some(first.unwrap_or(0));
                ResourceKind::Workgroup { size, shared, zeroed }
            }
            StorageClass::Output | StorageClass::TaskPayloadWorkgroupEXT => {
                let info = self.types.info(pointee);
                if info.size > MAX_WORKGROUP || info.scalars.is_none() {
                    return Err(op.unsupported(format!("outputs of {} bytes", info.size)));
                }
                if !op.args.is_empty() {
                    return Err(op.unsupported("an initializer of an output that invocations share"));
                }
                if class == StorageClass::TaskPayloadWorkgroupEXT
                    && self.payload.replace(self.resources.len() as u32).is_some()
                {
                    return Err(op.invalid("a second payload"));
                }
                ResourceKind::Output { size: info.size }
            }
            StorageClass::PushConstant => ResourceKind::PushConstants,
            _ => ResourceKind::Descriptor {
                set: decoration(Decoration::DescriptorSet),
                binding: decoration(Decoration::Binding),
            },
        };
        let descriptors = is_array.then_some(self.resources.len() as u32);
        let read_only = self.is_read_only(id, class, pointee);
        self.resources.push(Resource { id, slot, kind, count, read_only });
        self.values.insert(id, Val { ty, slot });
        let pointer = Ptr {
            class,
            pointee,
            matrix: MatrixLayout::default(),
            column: None,
            fixed: None,
            slot: Some(slot),
            descriptors,
            stride: None,
            coherent: Some(self.is_coherent(id, None)),
        };
        self.pointers.insert(id, pointer);
        Ok(())
    }

    /// Whether nothing may write through a variable.
    fn is_read_only(&self, id: Id, class: StorageClass, mut ty: Ty) -> bool {
        if let Kind::Array { of, .. } | Kind::RuntimeArray { of, .. } = *self.types.kind_of(ty) {
            ty = of;
        }
        let block = self.types.info(ty).id;
        let uniform = class == StorageClass::Uniform && !self.module.is_decorated(block, None, Decoration::BufferBlock);
        let non_writable = |member| self.module.is_decorated(block, Some(member), Decoration::NonWritable);
        let members = match self.types.kind_of(ty) {
            Kind::Struct { members, .. } => members.len() as u32,
            _ => 0,
        };
        uniform
            || class == StorageClass::PushConstant
            || (class == StorageClass::TaskPayloadWorkgroupEXT && self.stage == StageKind::Mesh)
            || self.module.is_decorated(id, None, Decoration::NonWritable)
            || (members > 0 && (0..members).all(non_writable))
    }

    /// Whether a type is what one descriptor leads to.
    fn is_descriptor(&self, ty: Ty) -> bool {
        match self.types.kind_of(ty) {
            Kind::Struct { is_block, .. } => *is_block,
            Kind::Image(_) | Kind::Sampler | Kind::SampledImage { .. } => true,
            _ => false,
        }
    }

    /// Parameters and results of the functions, and their bodies.
    pub(super) fn bodies(&mut self) -> Result<()> {
        let reachable: Vec<_> = self.module.reachable(self.entry).into_iter().cloned().collect();
        self.reject_recursion(&reachable)?;
        for (index, function) in reachable.iter().enumerate() {
            for inst in self.module.insts_in(function.insts.clone()) {
                let op = Operation { inst, op: inst.op().unwrap_or(Op::Nop), args: &[] };
                if op.op == Op::Function {
                    let ty = self.result_type(&op)?;
                    let n = match self.types.kind_of(ty) {
                        Kind::Void => 0,
                        _ => self.types.scalars(ty, &inst)?,
                    };
                    self.signatures[index].result = (self.allocate(n)?, n);
                } else if op.op == Op::FunctionParameter {
                    let val = self.define(&op)?;
                    let id = inst.result().unwrap_or_default();
                    self.signatures[index].parameters.push((id, val));
                }
            }
        }
        let entry = self.indices.get(&self.entry.function).copied();
        let Some(entry) = entry else { return Err(DecodeError::Stage { entry: self.entry.name.clone() }) };
        for (index, function) in reachable.iter().enumerate() {
            self.function(index as u32, function)?;
        }
        self.entry_index = entry;
        Ok(())
    }

    fn reject_recursion(&self, functions: &[lanescope_spirv::Function]) -> Result<()> {
        // By function: its callees, by index.
        let calls: Vec<Vec<(u32, Inst<'_>)>> = functions
            .iter()
            .map(|function| {
                let insts = self.module.insts_in(function.insts.clone());
                let calls = insts.filter(|inst| inst.op() == Some(Op::FunctionCall));
                calls.filter_map(|inst| Some((*self.indices.get(&inst.id_at(3))?, inst))).collect()
            })
            .collect();
        let mut state = vec![0u8; functions.len()];
        for start in 0..functions.len() {
            if state[start] != 0 {
                continue;
            }
            let mut stack = vec![(start, 0)];
            state[start] = 1;
            while let Some((at, next)) = stack.pop() {
                match calls[at].get(next) {
                    None => state[at] = 2,
                    Some(&(callee, inst)) => {
                        stack.push((at, next + 1));
                        match state[callee as usize] {
                            0 => {
                                state[callee as usize] = 1;
                                stack.push((callee as usize, 0));
                            }
                            1 => return Err(DecodeError::unsupported(&inst, "recursion")),
                            _ => {}
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Invocations of a workgroup in each dimension: of a patch its vertices, else the constant `WorkgroupSize`, or the execution mode.
    pub(super) fn local_size(&self, modes: &Modes) -> [u32; 3] {
        if self.stage == StageKind::TessControl {
            return [modes.vertices.max(1), 1, 1];
        }
        let sized = self.module.definitions().find(|inst| {
            inst.result().is_some_and(|id| {
                self.module.decoration(id, None, Decoration::BuiltIn) == Some(BuiltIn::WorkgroupSize as u32)
            })
        });
        let mut size = [1; 3];
        if let Some(constant) = sized.and_then(|inst| inst.result()).and_then(|id| self.values.get(&id)) {
            let at = constant.slot as usize;
            for (size, value) in size.iter_mut().zip(self.constants.get(at..at + 3).unwrap_or(&[])) {
                *size = *value as u32;
            }
        } else if let Some(ids) = self.entry.mode(ExecutionMode::LocalSizeId) {
            for (size, &id) in size.iter_mut().zip(ids) {
                *size = self.module.constant(Id(id)).and_then(|c| c.as_u32()).unwrap_or(1);
            }
        } else if let Some(literals) = self.entry.mode(ExecutionMode::LocalSize) {
            for (size, &literal) in size.iter_mut().zip(literals) {
                *size = literal;
            }
        }
        size.map(|d| d.max(1))
    }

    pub(super) fn derivative_group(&self) -> DerivativeGroup {
        if self.stage == StageKind::Fragment {
            DerivativeGroup::Fragments
        } else if self.entry.mode(ExecutionMode::DerivativeGroupQuadsKHR).is_some() {
            DerivativeGroup::Quads
        } else if self.entry.mode(ExecutionMode::DerivativeGroupLinearKHR).is_some() {
            DerivativeGroup::Linear
        } else {
            DerivativeGroup::Lanes
        }
    }

    /// Initializes a function's variables where they have initializers, and marks the others as not written.
    pub(super) fn enter(&mut self, index: u32, function: &lanescope_spirv::Function) -> Result<()> {
        let (first, n) = self.signatures[index as usize].variables;
        if n > 0 {
            self.emit(Code::Enter { first, n });
        }
        for inst in self.module.insts_in(function.insts.clone()) {
            if inst.op() == Some(Op::Variable) && inst.words.len() > 4 {
                self.at = inst.index;
                let op = Operation { inst, op: Op::Variable, args: inst.words_from(4) };
                let pointer = inst.result().and_then(|id| self.pointers.get(&id).copied());
                let Some((pointer, dst)) = pointer.and_then(|p| Some((p, p.fixed?))) else { continue };
                let n = self.types.scalars(pointer.pointee, &inst)?;
                let value = self.sized(&op, 0, n)?;
                self.emit(Code::StoreVariable { dst, src: value.slot, n });
            }
        }
        Ok(())
    }
}
