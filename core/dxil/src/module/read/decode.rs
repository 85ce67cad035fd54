//! Records of instructions.

use smallvec::SmallVec;

use super::Reader;
use crate::error::Fault;
use crate::findings;
use crate::module::function::Operands;
use crate::module::instruction::{Atomic, BinaryOp, Call, CastOp, Kind, Predicate};
use crate::module::types::{Type, TypeId};
use crate::module::{BlockId, Operand, ValueId};

impl Reader<'_> {
    /// An instruction, and the type of its result.
    pub(in crate::module) fn decode(&mut self, code: u64, ops: &mut Operands<'_>) -> Result<(Kind, TypeId), Fault> {
        match code {
            2 => self.binary(ops),
            3 => {
                let (value, _) = self.typed_value(ops)?;
                let to = self.type_id(self.op(ops)?)?;
                let op = CastOp::new(self.op(ops)?).ok_or_else(|| self.malformed("unknown cast"))?;
                Ok((Kind::Cast { op, value }, to))
            }
            4 | 30 | 43 => self.gep(code, ops),
            5 | 29 => {
                let (yes, ty) = self.typed_value(ops)?;
                let no = self.value(ops)?;
                let condition = if code == 29 { self.typed_value(ops)?.0 } else { self.value(ops)? };
                Ok((Kind::Select { condition, yes, no }, ty))
            }
            6..=8 => self.vector(code, ops),
            9 | 28 => {
                let (left, ty) = self.typed_value(ops)?;
                let right = self.value(ops)?;
                let predicate = Predicate::new(self.op(ops)?);
                let predicate = predicate.ok_or_else(|| self.malformed("unknown predicate"))?;
                let flags = ops.try_next().unwrap_or(0) as u8;
                let bit = self.module.types.intern(Type::Integer(1));
                let ty = match self.module.types.get(ty) {
                    Some(Type::Vector(count, _)) => {
                        let count = *count;
                        self.module.types.intern(Type::Vector(count, bit))
                    }
                    _ => bit,
                };
                Ok((Kind::Compare { predicate, left, right, flags }, ty))
            }
            10 | 11 | 12 | 15 => self.terminator(code, ops),
            16 => self.phi(ops),
            19 | 20 | 24 | 41 | 44 | 45 => self.memory(code, ops),
            26 | 27 => self.aggregate(code, ops),
            34 => self.call(ops),
            36 => Ok((Kind::Fence(self.atomic(ops)?), self.void())),
            38 => {
                let (pointer, ty) = self.typed_value(ops)?;
                let value = self.value(ops)?;
                let operation = self.op(ops)? as u8;
                let volatile = self.op(ops)? != 0;
                Ok((
                    Kind::AtomicRmw { pointer, value, operation, volatile, atomic: self.atomic(ops)? },
                    self.pointee(ty)?,
                ))
            }
            37 | 46 => self.compare_exchange(code, ops),
            _ => Err(self.malformed(&format!("code {code} is not an instruction of LLVM 3.7 that DXIL allows"))),
        }
    }

    fn void(&mut self) -> TypeId {
        self.module.types.intern(Type::Void)
    }

    fn block(&self, ops: &mut Operands<'_>) -> Result<BlockId, Fault> {
        Ok(BlockId(u32::try_from(self.op(ops)?).unwrap_or(u32::MAX)))
    }

    fn pointee(&self, ty: TypeId) -> Result<TypeId, Fault> {
        match self.module.types.get(ty) {
            Some(Type::Pointer(to, _)) => Ok(*to),
            _ => Err(self.malformed(&format!("expected a pointer, found {}", self.module.types.name(ty)))),
        }
    }

    fn binary(&mut self, ops: &mut Operands<'_>) -> Result<(Kind, TypeId), Fault> {
        let (left, ty) = self.typed_value(ops)?;
        let right = self.value(ops)?;
        let op = BinaryOp::new(self.op(ops)?, self.module.types.is_float(ty));
        let op = op.ok_or_else(|| self.malformed("unknown operation for its type"))?;
        let flags = ops.try_next().unwrap_or(0) as u8;
        Ok((Kind::Binary { op, left, right, flags }, ty))
    }

    fn gep(&mut self, code: u64, ops: &mut Operands<'_>) -> Result<(Kind, TypeId), Fault> {
        let (inbounds, mut element) = match code {
            43 => (self.op(ops)? != 0, Some(self.type_id(self.op(ops)?)?)),
            _ => (code == 30, None),
        };
        let (base, base_type) = self.typed_value(ops)?;
        let mut operands = SmallVec::new();
        operands.push(base);
        while ops.left() > 0 {
            operands.push(self.typed_value(ops)?.0);
        }
        let Some(Type::Pointer(to, space)) = self.module.types.get(base_type).cloned() else {
            return Err(self.malformed("GEP of a value that is not a pointer"));
        };
        let element = *element.get_or_insert(to);
        let mut ty = element;
        for index in operands.get(2..).unwrap_or_default() {
            // Only members of structures need their index; it is a constant then.
            let index = match self.module.types.get(ty) {
                Some(Type::Struct { .. }) => self.module.integer(self.body.as_ref(), *index).unwrap_or(-1) as u64,
                _ => 0,
            };
            ty = self
                .module
                .types
                .indexed(ty, index)
                .ok_or_else(|| self.malformed("an index into a type that is not an aggregate"))?;
        }
        let ty = self.module.types.intern(Type::Pointer(ty, space));
        Ok((Kind::Gep { inbounds, element, operands }, ty))
    }

    fn vector(&mut self, code: u64, ops: &mut Operands<'_>) -> Result<(Kind, TypeId), Fault> {
        let (vector, ty) = self.typed_value(ops)?;
        let Some(Type::Vector(_, element)) = self.module.types.get(ty).cloned() else {
            return Err(self.malformed("expected a vector"));
        };
        match code {
            6 => Ok((Kind::ExtractElement { vector, index: self.typed_value(ops)?.0 }, element)),
            7 => {
                let value = self.value(ops)?;
                Ok((Kind::InsertElement { vector, value, index: self.typed_value(ops)?.0 }, ty))
            }
            _ => {
                let right = self.value(ops)?;
                let (mask, mask_type) = self.typed_value(ops)?;
                let Some(Type::Vector(count, _)) = self.module.types.get(mask_type).cloned() else {
                    return Err(self.malformed("the mask is not a vector"));
                };
                let ty = self.module.types.intern(Type::Vector(count, element));
                Ok((Kind::ShuffleVector { left: vector, right, mask }, ty))
            }
        }
    }

    fn terminator(&mut self, code: u64, ops: &mut Operands<'_>) -> Result<(Kind, TypeId), Fault> {
        let void = self.void();
        let kind = match code {
            10 if ops.left() == 0 => Kind::Return(None),
            10 => Kind::Return(Some(self.typed_value(ops)?.0)),
            11 => {
                let yes = self.block(ops)?;
                if ops.left() == 0 {
                    Kind::Branch(yes)
                } else {
                    let no = self.block(ops)?;
                    Kind::ConditionalBranch { condition: self.value(ops)?, yes, no }
                }
            }
            12 => {
                self.type_id(self.op(ops)?)?;
                let value = self.value(ops)?;
                let default = self.block(ops)?;
                let rest = ops.rest();
                if !rest.len().is_multiple_of(2) {
                    return Err(self.malformed("a switch case has no block"));
                }
                let number = |op: u64| u32::try_from(op).unwrap_or(u32::MAX);
                let cases = rest.chunks_exact(2).map(|pair| (ValueId(number(pair[0])), BlockId(number(pair[1]))));
                Kind::Switch { value, default, cases: cases.collect() }
            }
            _ => Kind::Unreachable,
        };
        Ok((kind, void))
    }

    fn phi(&mut self, ops: &mut Operands<'_>) -> Result<(Kind, TypeId), Fault> {
        let ty = self.type_id(self.op(ops)?)?;
        let rest = ops.rest();
        if !rest.len().is_multiple_of(2) {
            return Err(self.malformed("an incoming value of a phi has no block"));
        }
        let incoming = rest.chunks_exact(2);
        let incoming =
            incoming.map(|pair| (self.signed_value(pair[0]), BlockId(u32::try_from(pair[1]).unwrap_or(u32::MAX))));
        Ok((Kind::Phi(incoming.collect()), ty))
    }

    fn memory(&mut self, code: u64, ops: &mut Operands<'_>) -> Result<(Kind, TypeId), Fault> {
        let align_of = |op: u64| match op & 31 {
            0 => 0,
            log2 => 1u32 << (log2 - 1),
        };
        if code == 19 {
            let named = self.type_id(self.op(ops)?)?;
            self.type_id(self.op(ops)?)?;
            let count = ValueId(u32::try_from(self.op(ops)?).unwrap_or(u32::MAX));
            let flags = self.op(ops)?;
            let element = if flags & (1 << 6) != 0 { named } else { self.pointee(named)? };
            let ty = self.module.types.intern(Type::Pointer(element, 0));
            return Ok((Kind::Alloca { element, count, align: align_of(flags) }, ty));
        }
        let (pointer, pointer_type) = self.typed_value(ops)?;
        let atomic_access = matches!(code, 41 | 45);
        let fixed = if atomic_access { 4 } else { 2 };
        if matches!(code, 20 | 41) {
            let ty = if ops.left() > fixed { self.type_id(self.op(ops)?)? } else { self.pointee(pointer_type)? };
            let (align, volatile) = (align_of(self.op(ops)?), self.op(ops)? != 0);
            let atomic = if atomic_access { Some(self.atomic(ops)?) } else { None };
            return Ok((Kind::Load { pointer, align, volatile, atomic }, ty));
        }
        let value = if code == 24 { self.value(ops)? } else { self.typed_value(ops)?.0 };
        let (align, volatile) = (align_of(self.op(ops)?), self.op(ops)? != 0);
        let atomic = if atomic_access { Some(self.atomic(ops)?) } else { None };
        Ok((Kind::Store { pointer, value, align, volatile, atomic }, self.void()))
    }

    fn aggregate(&mut self, code: u64, ops: &mut Operands<'_>) -> Result<(Kind, TypeId), Fault> {
        let (aggregate, ty) = self.typed_value(ops)?;
        let value = if code == 27 { Some(self.typed_value(ops)?.0) } else { None };
        let mut part = ty;
        let mut indices = SmallVec::new();
        for index in ops.rest() {
            part = self
                .module
                .types
                .element(part, *index)
                .ok_or_else(|| self.malformed("an index into a type that is not an aggregate"))?;
            indices.push(*index as u32);
        }
        Ok(match value {
            Some(value) => (Kind::InsertValue { aggregate, value, indices }, ty),
            None => (Kind::ExtractValue { aggregate, indices }, part),
        })
    }

    fn call(&mut self, ops: &mut Operands<'_>) -> Result<(Kind, TypeId), Fault> {
        let attributes = self.op(ops)? as u32;
        let flags = self.op(ops)?;
        let explicit = if flags & (1 << 15) != 0 { Some(self.type_id(self.op(ops)?)?) } else { None };
        let (callee, callee_type) = self.typed_value(ops)?;
        let bad = |why: String| {
            let count = self.body.as_ref().map_or(0, |body| body.instructions.len());
            self.stream.fault(findings::BAD_CALL, format!("call at instruction {count}: {why}"))
        };
        let pointee = match self.module.types.get(callee_type) {
            Some(Type::Pointer(to, _)) => *to,
            _ => return Err(bad(format!("value {} is not a function", callee.0))),
        };
        let function_type = explicit.unwrap_or(pointee);
        let Some(Type::Function { vararg, result, parameters }) = self.module.types.get(function_type) else {
            return Err(bad(format!("value {} is not a function", callee.0)));
        };
        if pointee != function_type {
            return Err(bad("the callee's type differs from the call's".to_owned()));
        }
        let left = ops.left();
        if left < parameters.len() || (left > parameters.len() && !vararg) {
            return Err(bad(format!("expected {} arguments, found {left}", parameters.len())));
        }
        let mut arguments = SmallVec::with_capacity(left);
        for parameter in parameters {
            arguments.push(self.argument(ops, *parameter)?);
        }
        while ops.left() > 0 {
            arguments.push(Operand::Value(self.typed_value(ops)?.0));
        }
        let ty = *result;
        let call = Call { callee, function_type, arguments, attributes, flags: flags as u32 };
        Ok((Kind::Call(Box::new(call)), ty))
    }

    fn atomic(&self, ops: &mut Operands<'_>) -> Result<Atomic, Fault> {
        Ok(Atomic { ordering: self.op(ops)? as u8, scope: self.op(ops)? as u8 })
    }

    fn compare_exchange(&mut self, code: u64, ops: &mut Operands<'_>) -> Result<(Kind, TypeId), Fault> {
        let (pointer, _) = self.typed_value(ops)?;
        let (expected, ty) = if code == 46 {
            self.typed_value(ops)?
        } else {
            let expected = self.value(ops)?;
            let value = self.module.value(self.body.as_ref(), expected);
            (expected, value.ok_or_else(|| self.malformed("a value is not defined"))?.ty)
        };
        let new = self.value(ops)?;
        let volatile = self.op(ops)? != 0;
        let atomic = self.atomic(ops)?;
        let failure = ops.try_next().unwrap_or(0) as u8;
        let bit = self.module.types.intern(Type::Integer(1));
        let ty =
            self.module.types.intern(Type::Struct { name: None, packed: false, members: [ty, bit].as_slice().into() });
        Ok((Kind::CompareExchange { pointer, expected, new, volatile, atomic, failure }, ty))
    }
}
