//! Constants: every one that can be evaluated, evaluated in one pass in module order.

use super::enums::Op;
use super::module::{Inst, Module};
use super::types::Type;
use crate::ids::Id;

/// The value of a scalar constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant {
    /// Its bits, zero-extended.
    pub bits: u64,
    /// Its width: 1 for booleans.
    pub width: u32,
}

impl Constant {
    fn new(bits: u64, width: u32) -> Constant {
        Constant { bits: if width >= 64 { bits } else { bits & ((1 << width) - 1) }, width }
    }

    /// The value as an unsigned number, if it fits.
    pub fn as_u32(self) -> Option<u32> {
        u32::try_from(self.bits).ok()
    }

    /// The value as a signed number.
    pub fn as_i64(self) -> i64 {
        let shift = 64 - self.width.clamp(1, 64);
        ((self.bits << shift) as i64) >> shift
    }
}

/// Values by id, sorted.
#[derive(Debug, Clone, Default)]
pub(super) struct Constants(Vec<(Id, Constant)>);

impl Constants {
    pub(super) fn of(module: &Module) -> Constants {
        let mut values = Constants::default();
        for inst in module.insts() {
            if inst.op() == Some(Op::Function) {
                break;
            }
            let Some(result) = inst.result() else { continue };
            if let Some(value) = evaluate(module, &values, &inst) {
                match values.0.binary_search_by_key(&result, |&(id, _)| id) {
                    Ok(at) => values.0[at].1 = value,
                    Err(at) => values.0.insert(at, (result, value)),
                }
            }
        }
        values
    }

    fn get(&self, id: Id) -> Option<Constant> {
        self.0.binary_search_by_key(&id, |&(id, _)| id).ok().map(|at| self.0[at].1)
    }
}

/// The width of a scalar type.
fn width(module: &Module, ty: Id) -> Option<u32> {
    match module.ty(ty)? {
        Type::Bool => Some(1),
        Type::Int { bits, .. } | Type::Float { bits } if (1..=64).contains(&bits) => Some(bits),
        _ => None,
    }
}

fn evaluate(module: &Module, known: &Constants, inst: &Inst<'_>) -> Option<Constant> {
    let width = width(module, inst.result_type()?)?;
    match inst.op()? {
        Op::ConstantTrue | Op::SpecConstantTrue => Some(Constant::new(1, width)),
        Op::ConstantFalse | Op::SpecConstantFalse | Op::ConstantNull => Some(Constant::new(0, width)),
        Op::Constant | Op::SpecConstant => {
            Some(Constant::new(u64::from(inst.word_at(3)) | u64::from(inst.word_at(4)) << 32, width))
        }
        Op::SpecConstantOp => operation(module, known, inst, width),
        _ => None,
    }
}

/// The integer and boolean operations of `OpSpecConstantOp`; others have no value here.
fn operation(module: &Module, known: &Constants, inst: &Inst<'_>, width: u32) -> Option<Constant> {
    let op = Op::from_u32(inst.word_at(3))?;
    if op == Op::CompositeExtract {
        let composite = module.def(inst.id_at(4))?;
        let [index] = inst.words_from(5) else { return None };
        return known.get(constituent(&composite, *index as usize)?);
    }
    let a = known.get(inst.id_at(4))?;
    let b = known.get(inst.id_at(5));
    let shift = |b: Constant| u32::try_from(b.bits).ok().filter(|&s| s < a.width);
    let truth = |t: bool| Some(u64::from(t));
    let bits = match op {
        Op::UConvert => Some(a.bits),
        Op::SConvert => Some(a.as_i64() as u64),
        Op::SNegate => Some(a.as_i64().wrapping_neg() as u64),
        Op::Not => Some(!a.bits),
        Op::LogicalNot => truth(a.bits == 0),
        Op::Select => known.get(if a.bits != 0 { inst.id_at(5) } else { inst.id_at(6) }).map(|c| c.bits),
        Op::IAdd => b.map(|b| a.bits.wrapping_add(b.bits)),
        Op::ISub => b.map(|b| a.bits.wrapping_sub(b.bits)),
        Op::IMul => b.map(|b| a.bits.wrapping_mul(b.bits)),
        Op::UDiv => a.bits.checked_div(b?.bits),
        Op::UMod => a.bits.checked_rem(b?.bits),
        Op::SDiv => a.as_i64().checked_div(b?.as_i64()).map(|v| v as u64),
        Op::SRem => a.as_i64().checked_rem(b?.as_i64()).map(|v| v as u64),
        Op::SMod => {
            let b = b?.as_i64();
            let rem = a.as_i64().checked_rem(b)?;
            Some((if rem != 0 && (rem < 0) != (b < 0) { rem + b } else { rem }) as u64)
        }
        Op::ShiftLeftLogical => Some(a.bits << shift(b?)?),
        Op::ShiftRightLogical => Some(a.bits >> shift(b?)?),
        Op::ShiftRightArithmetic => Some((a.as_i64() >> shift(b?)?) as u64),
        Op::BitwiseAnd | Op::LogicalAnd => b.map(|b| a.bits & b.bits),
        Op::BitwiseOr | Op::LogicalOr => b.map(|b| a.bits | b.bits),
        Op::BitwiseXor => b.map(|b| a.bits ^ b.bits),
        Op::IEqual | Op::LogicalEqual => truth(a.bits == b?.bits),
        Op::INotEqual | Op::LogicalNotEqual => truth(a.bits != b?.bits),
        Op::ULessThan => truth(a.bits < b?.bits),
        Op::ULessThanEqual => truth(a.bits <= b?.bits),
        Op::UGreaterThan => truth(a.bits > b?.bits),
        Op::UGreaterThanEqual => truth(a.bits >= b?.bits),
        Op::SLessThan => truth(a.as_i64() < b?.as_i64()),
        Op::SLessThanEqual => truth(a.as_i64() <= b?.as_i64()),
        Op::SGreaterThan => truth(a.as_i64() > b?.as_i64()),
        Op::SGreaterThanEqual => truth(a.as_i64() >= b?.as_i64()),
        _ => None,
    }?;
    Some(Constant::new(bits, width))
}

fn constituent(composite: &Inst<'_>, index: usize) -> Option<Id> {
    match composite.op()? {
        Op::ConstantComposite | Op::SpecConstantComposite => composite.words_from(3).get(index).map(|&id| Id(id)),
        Op::ConstantCompositeReplicateEXT | Op::SpecConstantCompositeReplicateEXT => Some(composite.id_at(3)),
        _ => None,
    }
}

impl Module {
    /// The value of a scalar constant (specialization constants at their set values), if it can be evaluated.
    pub fn constant(&self, id: Id) -> Option<Constant> {
        self.constants.get(id)
    }

    /// One constituent of a composite constant.
    pub fn constant_element(&self, composite: Id, index: usize) -> Option<Constant> {
        let inst = self.def(composite)?;
        if inst.op() == Some(Op::ConstantNull) {
            return Some(Constant { bits: 0, width: 32 });
        }
        self.constant(constituent(&inst, index)?)
    }
}
