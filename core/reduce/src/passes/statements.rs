//! Instructions with effects.

use lanescope_spirv::enums::Op;
use lanescope_spirv::{Inst, Module};

use super::{bodies, has_constants};
use crate::change::{Change, Instead};

/// Instructions with effects, the last one first: a result becomes zero.
pub(super) fn statements(module: &Module) -> Vec<Change> {
    let mut out: Vec<Change> = bodies(module).filter_map(|inst| removed(module, &inst)).collect();
    out.reverse();
    out
}

/// The same of instructions without a result, whose operands stay though nothing uses them.
pub(super) fn alone(module: &Module) -> Vec<Change> {
    let mut out: Vec<Change> = bodies(module)
        .filter(|inst| inst.result().is_none())
        .filter_map(|inst| {
            let mut kept = Vec::new();
            module.for_each_possible_id(&inst, |id| kept.push(id));
            Some(Change { kept, ..removed(module, &inst)? })
        })
        .collect();
    out.reverse();
    out
}

fn removed(module: &Module, inst: &Inst<'_>) -> Option<Change> {
    use Op::*;
    let op = inst.op()?;
    let shapes = matches!(
        op,
        Label
            | Function
            | FunctionParameter
            | FunctionEnd
            | FunctionCall
            | SelectionMerge
            | LoopMerge
            | Variable
            | Line
            | NoLine
            | Load
            | Phi
            | ExtInst
    );
    if shapes || inst.is_terminator() || inst.facts().is_pure() {
        return None;
    }
    match (inst.result(), inst.result_type()) {
        (Some(result), Some(ty)) if has_constants(module, ty) => {
            Some(Change { removed: vec![inst.index], instead: vec![(result, Instead::Zero)], ..Change::default() })
        }
        (None, _) => Some(Change::remove(inst.index)),
        _ => None,
    }
}
