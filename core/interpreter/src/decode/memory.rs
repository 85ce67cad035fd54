//! Loads, stores, atomics, barriers.

use std::sync::Arc;

use super::model::MemoryOperands;
use super::{Decoder, Operation, Ptr, Result};
use crate::code::{Access, Atomic, Check, Code, HandOver, Slot, Space, Watch};
use crate::kernels::kernel1;
use crate::types::{Kind, ScalarAt};
use lanescope_base::StageKind;
use lanescope_spirv::enums::{BuiltIn, Op, Scope, StorageClass};

impl Decoder<'_> {
    /// The register of a pointer.
    pub(super) fn register(&mut self, op: &Operation<'_>, pointer: Ptr, i: usize) -> Result<Slot> {
        match pointer.slot {
            Some(slot) => Ok(slot),
            None => Ok(self.arg(op, i)?.slot),
        }
    }

    /// The row of a load or store of what a pointer leads to.
    fn access(
        &mut self,
        op: &Operation<'_>,
        pointer: Ptr,
        operands: MemoryOperands,
        (space, writes): (Space, bool),
    ) -> Result<u32> {
        self.types.scalars(pointer.pointee, &op.inst)?;
        let key = (pointer.pointee, pointer.matrix, pointer.column);
        let scalars = match self.layouts.get(&key) {
            Some(scalars) => scalars.clone(),
            None => {
                let mut scalars = Vec::new();
                self.types.layout(pointer.pointee, 0, pointer.matrix, pointer.column, &mut scalars);
                self.narrow |= scalars.iter().any(|scalar| scalar.bytes < 4);
                let scalars: Arc<[ScalarAt]> = scalars.into();
                self.layouts.insert(key, scalars.clone());
                scalars
            }
        };
        let way = self.way(op, pointer, operands, writes)?;
        let align = operands.align;
        let writable = match pointer.class {
            StorageClass::Workgroup
            | StorageClass::StorageBuffer
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::Uniform
            | StorageClass::Output => true,
            StorageClass::TaskPayloadWorkgroupEXT => self.stage == StageKind::Task,
            _ => false,
        };
        let access = self.tables.accesses.len() as u32;
        self.tables.accesses.push(Access { space, scalars, align, writable, way });
        Ok(access)
    }

    /// Emits a load of what a pointer leads to into new registers.
    fn load_from(
        &mut self,
        op: &Operation<'_>,
        pointer: Ptr,
        i: usize,
        operands: MemoryOperands,
    ) -> Result<(Slot, u32)> {
        let n = self.types.scalars(pointer.pointee, &op.inst)?;
        let whole = matches!(self.types.kind_of(pointer.pointee), Kind::Array { .. } | Kind::Struct { .. });
        let partial = op.inst.result().is_some_and(|id| self.partial.contains(&id));
        let check = match pointer.class {
            StorageClass::Function | StorageClass::Private if !partial => {
                if whole {
                    Check::All
                } else {
                    Check::Any
                }
            }
            _ => Check::No,
        };
        let space = self.space(pointer.class).ok_or_else(|| op.unsupported("this storage class"))?;
        if let (Space::Slots, Some(src)) = (space, pointer.fixed) {
            let dst = self.allocate(n)?;
            if let Some(input) = self.inputs.iter().find(|input| (input.slot..input.slot + input.n).contains(&src))
                && crate::launch::depends_on_size(input.builtin)
            {
                self.size_dependent.insert(self.code.len() as u32, input.builtin);
            }
            self.emit(Code::LoadVariable { dst, src, n, check });
            return Ok((dst, n));
        }
        let register = self.register(op, pointer, i)?;
        let dst;
        if space == Space::Slots {
            dst = self.allocate(n)?;
            self.emit(Code::LoadSlots { dst, pointer: register, n, check });
        } else {
            let access = self.access(op, pointer, operands, (space, false))?;
            dst = self.allocate(n)?;
            self.emit(Code::Load { dst, pointer: register, access });
        }
        Ok((dst, n))
    }

    /// Emits a store of registers to what a pointer, operand `i`, leads to.
    pub(super) fn store_to(&mut self, op: &Operation<'_>, pointer: Ptr, src: Slot, n: u32, i: usize) -> Result<()> {
        if self.types.scalars(pointer.pointee, &op.inst)? != n {
            return Err(op.invalid("the pointer leads to a value of another size"));
        }
        let space = self.space(pointer.class).ok_or_else(|| op.unsupported("this storage class"))?;
        if matches!(pointer.class, StorageClass::Input | StorageClass::UniformConstant | StorageClass::PushConstant) {
            return Err(op.invalid("a write to memory that is read only"));
        }
        if let (Space::Slots, Some(dst)) = (space, pointer.fixed) {
            self.emit(Code::StoreVariable { dst, src, n });
            return Ok(());
        }
        let register = self.register(op, pointer, i)?;
        if space == Space::Slots {
            self.emit(Code::StoreSlots { pointer: register, src, n });
        } else {
            let operands = MemoryOperands::of(op.rest(2));
            let access = self.access(op, pointer, operands, (space, true))?;
            self.emit(Code::Store { pointer: register, src, access });
        }
        Ok(())
    }

    /// Decodes an instruction of this kind; false if it is of another one.
    pub(super) fn memory(&mut self, op: &Operation<'_>) -> Result<bool> {
        match op.op {
            Op::Load => self.load(op)?,
            Op::Store => {
                let pointer = self.pointer(op, op.id(0))?;
                let value = self.arg(op, 1)?;
                let n = self.scalars(op, value)?;
                self.store_to(op, pointer, value.slot, n, 0)?;
            }
            Op::CopyMemory => {
                let (target, source) = (self.pointer(op, op.id(0))?, self.pointer(op, op.id(1))?);
                // The second operands, if there are two, are those of the source.
                let of_target = MemoryOperands::of(op.rest(2));
                let of_source = op.rest(2 + of_target.words);
                let of_source = if of_source.is_empty() { of_target } else { MemoryOperands::of(of_source) };
                let (slot, n) = self.load_from(op, source, 1, of_source)?;
                self.store_to(op, target, slot, n, 0)?;
            }
            Op::ArrayLength => {
                let pointer = self.pointer(op, op.id(0))?;
                let Kind::Struct { members, .. } = self.types.kind_of(pointer.pointee) else {
                    return Err(op.invalid("the pointer does not lead to a structure"));
                };
                let member = members.get(op.word(1) as usize).copied();
                let member = member.ok_or_else(|| op.invalid("no such member"))?;
                let &Kind::RuntimeArray { stride, .. } = self.types.kind_of(member.ty) else {
                    return Err(op.invalid("the member is not a runtime array"));
                };
                if self.space(pointer.class) != Some(Space::Object) {
                    return Err(op.unsupported("the length of an array that is not in a descriptor"));
                }
                let register = self.register(op, pointer, 0)?;
                let dst = self.define_one(op)?;
                let (offset, stride) = (member.offset as u32, stride.clamp(1, 1 << 31) as u32);
                self.emit(Code::ArrayLength { dst: dst.slot, pointer: register, offset, stride });
            }
            Op::ControlBarrier => {
                let scope = self.constant(op, 0)?;
                if !matches!(Scope::from_u32(scope), Some(Scope::Workgroup | Scope::Subgroup | Scope::Invocation)) {
                    return Err(op.unsupported(format!("a control barrier of scope {scope}")));
                }
                let (named, unnamed) = (self.barrier_semantics(op, 1, 2)?, self.unnamed_semantics());
                let all = [(!named.is_empty() || unnamed.is_none()).then_some(named), unnamed];
                // One after the other: what a barrier names, it may acquire or release only.
                for semantics in all.into_iter().flatten() {
                    self.emit(Code::ControlBarrier { execution: crate::race::level(scope), semantics });
                }
            }
            Op::EmitVertex | Op::EndPrimitive => {
                if self.stage != StageKind::Geometry {
                    return Err(op.invalid("not in a geometry shader"));
                }
                let what = if op.op == Op::EmitVertex { HandOver::Vertex } else { HandOver::EndPrimitive };
                self.emit(Code::HandOver { what });
            }
            Op::SetMeshOutputsEXT => {
                if self.stage != StageKind::Mesh {
                    return Err(op.invalid("not in a mesh shader"));
                }
                let slots = [self.integer(op, 0)?.slot, self.integer(op, 1)?.slot];
                self.emit(Code::HandOver { what: HandOver::Counts(slots) });
            }
            Op::EmitStreamVertex | Op::EndStreamPrimitive => {
                return Err(op.unsupported("vertex streams"));
            }
            Op::DemoteToHelperInvocation => {
                let helper = self.inputs.iter().find(|input| input.builtin == BuiltIn::HelperInvocation);
                let helper = helper.map(|input| input.slot);
                self.emit(Code::Demote { helper });
            }
            Op::IsHelperInvocationEXT => {
                let dst = self.define_one(op)?;
                self.emit(Code::IsHelper { dst: dst.slot });
            }
            Op::MemoryBarrier => {
                let semantics = self.barrier_semantics(op, 0, 1)?;
                self.emit(Code::MemoryBarrier { semantics });
            }
            _ => return self.atomic(op),
        }
        Ok(true)
    }

    fn load(&mut self, op: &Operation<'_>) -> Result<()> {
        let pointer = self.pointer(op, op.id(0))?;
        let result = self.result_type(op)?;
        match self.types.kind_of(pointer.pointee) {
            // A handle is the pointer to its descriptor.
            Kind::Image(_) | Kind::Sampler => {
                let slot = self.register(op, pointer, 0)?;
                self.handle(op, result, slot)?;
                if let Some((id, coherent)) = op.inst.result().zip(pointer.coherent) {
                    self.coherent_images.insert(id, coherent);
                }
                return Ok(());
            }
            Kind::SampledImage { .. } => {
                let a = self.register(op, pointer, 0)?;
                let dst = self.define_one(op)?;
                let f = kernel1!(|a| a >> crate::memory::OFFSET_BITS | a & !((1 << crate::memory::OFFSET_BITS) - 1));
                self.emit(Code::Unary { f, dst: dst.slot, a, n: 1, watch: Watch::No });
                return Ok(());
            }
            _ => {}
        }
        let (slot, n) = self.load_from(op, pointer, 0, MemoryOperands::of(op.rest(1)))?;
        if self.types.scalars(result, &op.inst)? != n {
            return Err(op.invalid("the pointer leads to a value of another type"));
        }
        self.name(op, result, slot)?;
        Ok(())
    }

    fn atomic(&mut self, op: &Operation<'_>) -> Result<bool> {
        use Op::*;
        // Where value and comparator are.
        let (value, comparator) = match op.op {
            AtomicLoad | AtomicIIncrement | AtomicIDecrement => (None, None),
            AtomicStore | AtomicExchange | AtomicIAdd | AtomicISub | AtomicSMin | AtomicUMin | AtomicSMax
            | AtomicUMax | AtomicAnd | AtomicOr | AtomicXor | AtomicFAddEXT | AtomicFMinEXT | AtomicFMaxEXT => {
                (Some(3), None)
            }
            AtomicCompareExchange => (Some(4), Some(5)),
            _ => return Ok(false),
        };
        let pointer = self.pointer(op, op.id(0))?;
        if matches!(self.types.kind_of(pointer.pointee), Kind::Vector { .. }) {
            return Err(op.unsupported("an atomic operation on a vector"));
        }
        let space = self.space(pointer.class).filter(|&space| space != Space::Slots);
        let space = space.ok_or_else(|| op.unsupported("an atomic operation on memory of one invocation"))?;
        let (bits, is_float) = (self.types.bits(pointer.pointee), self.types.is_float(pointer.pointee));
        let is_int = matches!(self.types.kind_of(pointer.pointee), Kind::Int { .. });
        let float_op = matches!(op.op, AtomicFAddEXT | AtomicFMinEXT | AtomicFMaxEXT);
        let moves = matches!(op.op, AtomicLoad | AtomicStore | AtomicExchange);
        let fits = if float_op { is_float } else { is_int || (moves && is_float) };
        if !fits {
            return Err(op.invalid("the pointer leads to another kind of number"));
        }
        self.narrow |= bits < 32;
        let register = self.register(op, pointer, 0)?;
        let semantics = self.atomic_semantics(op, 1, 2)?;
        let unequal = match op.op {
            AtomicCompareExchange => self.atomic_semantics(op, 1, 3)?,
            _ => semantics,
        };
        let value = match value {
            Some(at) => self.sized(op, at, 1)?.slot,
            None => register,
        };
        let comparator = match comparator {
            Some(at) => self.sized(op, at, 1)?.slot,
            None => register,
        };
        let dst = if op.op == AtomicStore { None } else { Some(self.define_one(op)?.slot) };
        let atomic = self.tables.atomics.len() as u32;
        let row = Atomic { op: op.op, space, dst, pointer: register, value, comparator, bits, semantics, unequal };
        self.tables.atomics.push(row);
        self.emit(Code::Atomic { atomic });
        Ok(true)
    }
}
