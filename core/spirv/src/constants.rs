//! Constants: all that can be evaluated, in one pass in module order.

use super::enums::Op;
use super::module::{Inst, Module};
use super::types::Type;
use lanescope_base::ids::Id;

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

/// The components of a vector that can be evaluated: shaders have no wider ones.
const MAX_COMPONENTS: u32 = 4;

/// The values of scalar and vector constants. Memory is linear in what comes before the first function.
#[derive(Debug, Clone, Default)]
pub(super) struct Constants {
    /// By index of the defining instruction: where its components start in `components`, and how many it has.
    spans: Vec<(u32, u32)>,
    components: Vec<Constant>,
}

impl Constants {
    pub(super) fn of(module: &Module) -> Constants {
        let globals = module.globals();
        let mut known = Constants { spans: Vec::with_capacity(globals.len()), components: Vec::new() };
        for inst in globals {
            let start = known.components.len();
            if evaluate(module, &mut known, &inst).is_none() {
                known.components.truncate(start);
            }
            known.spans.push((start as u32, (known.components.len() - start) as u32));
        }
        known
    }

    /// The components of a constant: none where it has no value, one for a scalar.
    fn get(&self, module: &Module, id: Id) -> &[Constant] {
        let span = module.def_index(id).and_then(|index| self.spans.get(index.0 as usize).copied());
        let (start, len) = span.unwrap_or_default();
        self.components.get(start as usize..(start as usize).saturating_add(len as usize)).unwrap_or(&[])
    }

    /// One component of a constant; a scalar stands for each of them.
    fn component(&self, module: &Module, id: Id, index: u32) -> Option<Constant> {
        match self.get(module, id) {
            [scalar] => Some(*scalar),
            vector => vector.get(index as usize).copied(),
        }
    }

    /// The constituent that a path of indices selects in a composite, and one component of it.
    fn part(&self, module: &Module, composite: Id, path: &[u32], index: u32) -> Option<Constant> {
        let mut id = composite;
        for (at, &step) in path.iter().enumerate() {
            if self.get(module, id).len() > 1 {
                return (at + 1 == path.len()).then(|| self.component(module, id, step))?;
            }
            id = constituent(&module.def(id)?, step as usize)?;
        }
        self.component(module, id, index)
    }
}

/// The width of a scalar type.
fn width(module: &Module, ty: Id) -> Option<u32> {
    match module.ty(ty)? {
        Type::Bool => Some(1),
        Type::Int { bits, .. } | Type::Float { bits } | Type::OtherFloat { bits, .. } if (1..=64).contains(&bits) => {
            Some(bits)
        }
        _ => None,
    }
}

/// Adds the components of a constant's value, if it can be evaluated.
fn evaluate(module: &Module, known: &mut Constants, inst: &Inst<'_>) -> Option<()> {
    let op = inst.op().filter(|_| inst.facts().constant.is_some())?;
    let ty = inst.result_type()?;
    let (scalar, count) = match module.ty(ty)? {
        Type::Vector { component, count } if count <= MAX_COMPONENTS => (component, count),
        _ => (ty, 1),
    };
    let width = width(module, scalar)?;
    for index in 0..count {
        let bits = match op {
            Op::ConstantTrue | Op::SpecConstantTrue => 1,
            Op::ConstantFalse | Op::SpecConstantFalse | Op::ConstantNull => 0,
            Op::Constant | Op::SpecConstant => u64::from(inst.word_at(3)) | u64::from(inst.word_at(4)) << 32,
            Op::SpecConstantOp => operation(module, known, inst, index, width)?,
            _ => known.component(module, constituent(inst, index as usize)?, 0)?.bits,
        };
        known.components.push(Constant::new(bits, width));
    }
    Some(())
}

/// One component of what `OpSpecConstantOp` gives: integer, boolean and composite operations; others have no value
/// here.
fn operation(module: &Module, known: &Constants, inst: &Inst<'_>, index: u32, width: u32) -> Option<u64> {
    let op = Op::from_u32(inst.word_at(3))?;
    let operand = |at: usize| known.component(module, inst.id_at(at), index);
    match op {
        Op::CompositeExtract => {
            return known.part(module, inst.id_at(4), inst.words_from(5), index).map(|c| c.bits);
        }
        Op::CompositeInsert => {
            let [at] = inst.words_from(6) else { return None };
            return operand(if *at == index { 4 } else { 5 }).map(|c| c.bits);
        }
        Op::VectorShuffle => {
            let component = *inst.words_from(6).get(index as usize)?;
            let (first, second) = (known.get(module, inst.id_at(4)), known.get(module, inst.id_at(5)));
            return first.iter().chain(second).nth(component as usize).map(|c| c.bits);
        }
        _ => {}
    }
    let a = operand(4)?;
    let b = operand(5);
    let shift = |b: Constant| u32::try_from(b.bits).ok().filter(|&s| s < a.width);
    let truth = |t: bool| Some(u64::from(t));
    let bits = match op {
        Op::UConvert => Some(a.bits),
        Op::SConvert => Some(a.as_i64() as u64),
        Op::SNegate => Some(a.as_i64().wrapping_neg() as u64),
        Op::Not => Some(!a.bits),
        Op::LogicalNot => truth(a.bits == 0),
        Op::Select => operand(if a.bits != 0 { 5 } else { 6 }).map(|c| c.bits),
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
    // An operation's own width decides, as in the shader: what overflows is cut off.
    Some(Constant::new(bits, width).bits)
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
        match self.constants.get(self, id) {
            [scalar] => Some(*scalar),
            _ => None,
        }
    }

    /// One component of a vector constant.
    pub fn constant_element(&self, vector: Id, index: u32) -> Option<Constant> {
        self.constants.get(self, vector).get(index as usize).copied()
    }
}
