//! Values.

use std::collections::BTreeMap;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::opcode::Effect;
use lanescope_spirv::{Inst, Module};

use super::{bodies, has_constants};
use crate::change::{Change, Instead};

/// Values that an instruction of the same block gave before, from the same operands.
pub(super) fn repeated(module: &Module) -> Vec<Change> {
    let mut known: BTreeMap<Vec<u32>, Id> = BTreeMap::new();
    let mut out = Vec::new();
    for inst in bodies(module) {
        if inst.op() == Some(Op::Label) {
            known.clear();
        }
        let depends_on_operands = inst.facts().effect == Effect::Value && inst.op() != Some(Op::Phi);
        let (Some(result), Some(ty)) = (inst.result(), inst.result_type()) else { continue };
        if depends_on_operands {
            let mut key = vec![u32::from(inst.opcode()), ty.0];
            key.extend(inst.words_from(3));
            match known.get(&key) {
                Some(before) => out.push(instead(&inst, result, Instead::Id(*before))),
                None => drop(known.insert(key, result)),
            }
        }
    }
    out
}

/// Values, each replaced by an operand of the same type, or by an operand's operand.
pub(super) fn operands(module: &Module) -> Vec<Change> {
    let mut out = Vec::new();
    for inst in bodies(module).filter(|inst| !matches!(inst.op(), Some(Op::Phi | Op::Variable | Op::FunctionParameter)))
    {
        let (Some(result), Some(ty)) = (inst.result(), inst.result_type()) else { continue };
        let direct = of_type(module, &inst, ty);
        let mut ids = Vec::new();
        module.for_each_possible_id(&inst, |id| ids.push(id));
        let further = ids.iter().filter_map(|id| module.def(*id)).filter(|def| def.op() != Some(Op::Phi));
        let further: Vec<Id> = further.flat_map(|def| of_type(module, &def, ty)).collect();
        let mut seen: Vec<Id> = Vec::new();
        for operand in direct.into_iter().chain(further) {
            if operand != result && !seen.contains(&operand) {
                seen.push(operand);
                out.push(instead(&inst, result, Instead::Id(operand)));
            }
        }
    }
    out
}

/// The operands of a type.
fn of_type(module: &Module, inst: &Inst<'_>, ty: Id) -> Vec<Id> {
    let mut out = Vec::new();
    module.for_each_possible_id(inst, |id| {
        if module.type_of(id) == Some(ty) {
            out.push(id);
        }
    });
    out
}

/// Values that are not constants, each replaced by zero, the last one first.
pub(super) fn zeros(module: &Module) -> Vec<Change> {
    replaced(module, Instead::Zero, has_constants)
}

/// Scalars that are not constants, each replaced by one.
pub(super) fn ones(module: &Module) -> Vec<Change> {
    use lanescope_spirv::Type;
    replaced(module, Instead::One, |module, ty| {
        matches!(module.ty(ty), Some(Type::Bool | Type::Int { .. } | Type::Float { .. }))
    })
}

fn replaced(module: &Module, by: Instead, takes: fn(&Module, Id) -> bool) -> Vec<Change> {
    let mut out: Vec<Change> = Vec::new();
    for inst in bodies(module).filter(|inst| !matches!(inst.op(), Some(Op::Variable | Op::FunctionCall))) {
        if let (Some(result), Some(ty)) = (inst.result(), inst.result_type())
            && inst.op() != Some(Op::Function)
            && takes(module, ty)
        {
            out.push(instead(&inst, result, by));
        }
    }
    out.reverse();
    // Constants other than these.
    let is_other = |inst: &Inst<'_>| match inst.op() {
        Some(Op::Constant) => {
            let value = inst.words_from(3);
            let is_one = by == Instead::One && is_one(module, inst);
            value.iter().any(|&word| word != 0) && !is_one
        }
        Some(Op::ConstantComposite) => true,
        _ => false,
    };
    for inst in module.globals().filter(is_other) {
        if let (Some(result), Some(ty)) = (inst.result(), inst.result_type())
            && takes(module, ty)
        {
            out.push(Change::instead(result, by));
        }
    }
    out
}

/// Whether a constant is 1.
fn is_one(module: &Module, constant: &Inst<'_>) -> bool {
    use lanescope_spirv::Type;
    let value = constant.words_from(3);
    match constant.result_type().and_then(|ty| module.ty(ty)) {
        Some(Type::Int { .. }) => value.first() == Some(&1) && value.iter().skip(1).all(|&word| word == 0),
        Some(Type::Float { bits: 16 }) => value == [0x3c00],
        Some(Type::Float { bits: 32 }) => value == [1f32.to_bits()],
        Some(Type::Float { bits: 64 }) => value == [0, (1f64.to_bits() >> 32) as u32],
        _ => false,
    }
}

/// Uses another value. A parameter stays where it is.
fn instead(inst: &Inst<'_>, result: Id, other: Instead) -> Change {
    let stays = inst.op() == Some(Op::FunctionParameter);
    Change {
        removed: if stays { Vec::new() } else { vec![inst.index] },
        instead: vec![(result, other)],
        ..Change::default()
    }
}
