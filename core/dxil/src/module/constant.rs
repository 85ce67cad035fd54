//! Constants.

use super::instruction::{BinaryOp, CastOp, Predicate};
use super::read::Reader;
use super::types::{Type, TypeId, bytes_of};
use super::{Value, ValueId, ValueKind};
use crate::error::Fault;
use crate::findings;

/// A constant. Its type is that of its value.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// Zero of any type.
    Null,
    /// Undefined.
    Undef,
    /// An integer of up to 64 bits, sign-extended from its stored form.
    Integer(i64),
    /// A float's bits, as wide as its type.
    Float(u64),
    /// The parts of an array, a vector or a structure.
    Aggregate(Box<[ValueId]>),
    /// The numbers of an array or a vector, as bits.
    Data(Box<[u64]>),
    /// Bytes; `true` where a zero follows that is not stored.
    Text(Box<[u8]>, bool),
    /// A cast: operation, value.
    Cast(CastOp, ValueId),
    /// An arithmetic operation.
    Binary(BinaryOp, ValueId, ValueId),
    /// A comparison.
    Compare(Predicate, ValueId, ValueId),
    /// The address of a part: base, then indices.
    Gep {
        /// No index leaves the object.
        inbounds: bool,
        /// Base and indices.
        operands: Box<[ValueId]>,
    },
    /// A rarer operation, by its record's code.
    Other(u64, Box<[u64]>),
}

/// Undoes the sign rotation of an integer.
#[inline]
pub(super) fn unrotate(value: u64) -> i64 {
    match (value & 1, value >> 1) {
        (0, magnitude) => magnitude as i64,
        (_, 0) => i64::MIN,
        (_, magnitude) => (magnitude as i64).wrapping_neg(),
    }
}

impl Reader<'_> {
    /// Reads a block of constants into the values and constants of the module or of the function being read.
    pub(super) fn constants(&mut self) -> Result<(), Fault> {
        let first = self.next_value();
        let mut nested = false;
        // Most take a byte or two; reserving for those that take four stays within the input's size.
        let room = self.stream.block_bits() / 32;
        let (constants, values) = self.constant_target();
        constants.reserve(room);
        values.reserve(room);
        let mut ty = self.module.types.intern(Type::Integer(32));
        while let Some((code, ops)) = self.record()? {
            if code == 1 {
                ty = self.type_id(ops.first().copied().unwrap_or(u64::MAX))?;
                if matches!(self.module.types.get(ty), Some(Type::Void | Type::Label | Type::Function { .. })) {
                    return Err(self.bad_constant(ty, "constants cannot have this type"));
                }
            } else {
                let constant = self.constant(code, &ops, ty)?;
                self.stream.charge(2 * (size_of::<Constant>() + size_of::<Value>()) + 8 * ops.len())?;
                nested |= matches!(constant, Constant::Aggregate(_) | Constant::Gep { .. } | Constant::Cast(..));
                self.add_constant(ty, constant);
            }
            self.stream.recycle(ops);
        }
        if nested { self.check_constants(first) } else { Ok(()) }
    }

    fn add_constant(&mut self, ty: TypeId, constant: Constant) {
        let (constants, values) = self.constant_target();
        let index = constants.len() as u32;
        constants.push(constant);
        values.push(Value { ty, kind: ValueKind::Constant(index) });
    }

    /// Destination of constants and their values: the function that is being read, or the module.
    fn constant_target(&mut self) -> (&mut Vec<Constant>, &mut Vec<Value>) {
        match &mut self.body {
            Some(body) => (&mut body.constants, &mut body.values),
            None => (&mut self.module.constants, &mut self.module.values),
        }
    }

    fn bad_constant(&self, ty: TypeId, why: &str) -> Fault {
        let message = format!("constant {} of type {}: {why}", self.next_value(), self.module.types.name(ty));
        self.stream.fault(findings::BAD_CONSTANT, message)
    }

    fn constant(&mut self, code: u64, ops: &[u64], ty: TypeId) -> Result<Constant, Fault> {
        let bad = |why: &str| self.bad_constant(ty, why);
        let op = |at: usize| ops.get(at).copied().ok_or_else(|| bad("an operand is missing"));
        let value = |at: usize| op(at).map(|id| ValueId(u32::try_from(id).unwrap_or(u32::MAX)));
        let described = self.module.types.get(ty);
        Ok(match code {
            2 => Constant::Null,
            3 => Constant::Undef,
            4 => match described {
                Some(Type::Integer(bits)) => {
                    let value = unrotate(op(0)?);
                    let spare = 64 - bits.min(&64);
                    let signed = value << spare >> spare == value;
                    let unsigned = ((value as u64) << spare >> spare) as i64 == value;
                    if !signed && !unsigned {
                        return Err(bad(&format!("{value} does not fit the type")));
                    }
                    Constant::Integer(value)
                }
                _ => return Err(bad("an integer does not fit the type")),
            },
            6 => match described {
                Some(Type::Half | Type::Float | Type::Double) => Constant::Float(op(0)?),
                _ => return Err(bad("a float does not fit the type")),
            },
            7 => {
                let parts: Box<[ValueId]> =
                    ops.iter().map(|id| ValueId(u32::try_from(*id).unwrap_or(u32::MAX))).collect();
                self.check_count(ty, parts.len())?;
                Constant::Aggregate(parts)
            }
            8 | 9 => {
                self.check_count(ty, ops.len() + usize::from(code == 9))?;
                Constant::Text(bytes_of(ops).into(), code == 9)
            }
            22 => {
                self.check_count(ty, ops.len())?;
                Constant::Data(ops.into())
            }
            10 => {
                let operation = BinaryOp::new(op(0)?, self.module.types.is_float(ty));
                Constant::Binary(operation.ok_or_else(|| bad("unknown operation"))?, value(1)?, value(2)?)
            }
            11 => {
                self.type_id(op(1)?)?;
                let operation = CastOp::new(op(0)?).ok_or_else(|| bad("unknown cast"))?;
                Constant::Cast(operation, value(2)?)
            }
            17 => {
                let predicate = Predicate::new(op(3)?).ok_or_else(|| bad("unknown predicate"))?;
                Constant::Compare(predicate, value(1)?, value(2)?)
            }
            12 | 20 => {
                // An odd count starts with the pointee's type.
                let pairs = ops.get(ops.len() % 2..).unwrap_or_default();
                let operands: Box<[ValueId]> =
                    pairs.iter().skip(1).step_by(2).map(|id| ValueId(u32::try_from(*id).unwrap_or(u32::MAX))).collect();
                if operands.is_empty() {
                    return Err(bad("getelementptr without operands"));
                }
                Constant::Gep { inbounds: code == 20, operands }
            }
            5 | 13..=16 | 18 | 19 | 21 | 23 => Constant::Other(code, ops.into()),
            _ => return Err(bad(&format!("code {code} is not a constant of LLVM 3.7"))),
        })
    }

    fn check_count(&self, ty: TypeId, found: usize) -> Result<(), Fault> {
        let expected = match self.module.types.get(ty) {
            Some(Type::Array(count, _)) => *count,
            Some(Type::Vector(count, _)) => u64::from(*count),
            Some(Type::Struct { members, .. }) => members.len() as u64,
            _ => return Err(self.bad_constant(ty, "the type has no elements")),
        };
        if expected == found as u64 {
            return Ok(());
        }
        Err(self.bad_constant(ty, &format!("expected {expected} elements, found {found}")))
    }

    /// Parts of constants exist and have the types that they should have, and none is a part of itself.
    fn check_constants(&self, first: u32) -> Result<(), Fault> {
        let next = self.next_value();
        let constant = |id: u32| -> Option<(TypeId, &Constant)> {
            let (values, constants, base) = match &self.body {
                Some(body) => (&body.values, &body.constants, self.module.values.len() as u32),
                None => (&self.module.values, &self.module.constants, 0),
            };
            let Value { ty, kind } = id.checked_sub(base).and_then(|index| values.get(index as usize))?;
            let ValueKind::Constant(index) = kind else { return None };
            Some((*ty, constants.get(*index as usize)?))
        };
        let parts = |id: u32| -> &[ValueId] {
            match constant(id) {
                Some((_, Constant::Aggregate(parts))) => parts,
                Some((_, Constant::Gep { operands, .. })) => operands,
                Some((_, Constant::Cast(_, of))) => std::slice::from_ref(of),
                _ => &[],
            }
        };
        // What an element of an aggregate is instead of what it should be.
        let other_type = |id: u32, at: usize, part: ValueId| -> Option<[TypeId; 2]> {
            let Some((ty, Constant::Aggregate(_))) = constant(id) else { return None };
            let types = &self.module.types;
            let (is, wanted) = (self.module.value(self.body.as_ref(), part)?.ty, types.element(ty, at as u64)?);
            (is != wanted && types.get(is) != types.get(wanted)).then_some([is, wanted])
        };
        let fault = |id: u32, why: String| self.stream.fault(findings::BAD_CONSTANT, format!("constant {id}: {why}"));
        // 0 not seen, 1 being looked at, 2 done. Only what this block defines can be part of itself.
        let mut state = vec![0u8; (next - first) as usize];
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for start in first..next {
            if state[(start - first) as usize] != 0 {
                continue;
            }
            state[(start - first) as usize] = 1;
            stack.push((start, 0));
            while let Some((id, at)) = stack.last_mut() {
                let (owner, index) = (*id, *at);
                let part = parts(owner).get(index).copied();
                *at += 1;
                let Some(part) = part else {
                    state[(owner - first) as usize] = 2;
                    stack.pop();
                    continue;
                };
                if part.0 >= next {
                    return Err(fault(owner, format!("element, value {}, is not defined", part.0)));
                }
                if let Some(types) = other_type(owner, index, part) {
                    let [is, wanted] = types.map(|ty| self.module.types.name(ty));
                    return Err(fault(owner, format!("element {index} is {is}, expected {wanted}")));
                }
                let Some(index) = part.0.checked_sub(first) else { continue };
                match state[index as usize] {
                    0 => {
                        state[index as usize] = 1;
                        stack.push((part.0, 0));
                    }
                    1 => return Err(fault(owner, "it contains itself".to_owned())),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}
