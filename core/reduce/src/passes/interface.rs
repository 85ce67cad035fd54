//! Variables.

use std::collections::BTreeMap;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::{Inst, Module};

use super::{bodies, has_constants};
use crate::change::{Change, Instead};

/// Variables of every storage class, each with what leads into it: what is read becomes zero, and what is written is not
/// kept. One whose pointer is handed on stays.
pub(super) fn variables(module: &Module) -> Vec<Change> {
    // Each pointer with the variable that it leads into.
    let mut pointers: BTreeMap<Id, Id> = BTreeMap::new();
    let mut changes: BTreeMap<Id, Option<Change>> = BTreeMap::new();
    for inst in module.insts().filter(Inst::is_variable) {
        if let Some(id) = inst.result() {
            pointers.insert(id, id);
            changes.insert(id, Some(Change::default()));
        }
    }
    for inst in bodies(module) {
        if let (Some(Op::AccessChain | Op::InBoundsAccessChain), Some(result)) = (inst.op(), inst.result())
            && let Some(&variable) = pointers.get(&inst.id_at(3))
        {
            pointers.insert(result, variable);
        }
    }
    for inst in bodies(module) {
        let mut variables: Vec<Id> = Vec::new();
        module.for_each_possible_id(&inst, |id| variables.extend(pointers.get(&id)));
        for variable in variables {
            let Some(change) = changes.get_mut(&variable) else { continue };
            *change = change.take().and_then(|change| without(module, &inst, change));
        }
    }
    let mut out: Vec<(Id, Change)> = changes.into_iter().filter_map(|(id, change)| Some((id, change?))).collect();
    for (id, change) in &mut out {
        change.removed.extend(module.def_index(*id));
    }
    out.into_iter().map(|(_, change)| change).collect()
}

/// The change, without an instruction that uses the variable too; `None` if it cannot go.
fn without(module: &Module, inst: &Inst<'_>, mut change: Change) -> Option<Change> {
    match inst.op()? {
        Op::Load | Op::ImageTexelPointer => {
            let (result, ty) = (inst.result()?, inst.result_type()?);
            if !has_constants(module, ty) {
                return None;
            }
            change.removed.push(inst.index);
            change.instead.push((result, Instead::Zero));
        }
        Op::Store if module.def(inst.id_at(2)).is_none_or(|value| !value.is_variable()) => {
            change.removed.push(inst.index)
        }
        Op::AccessChain | Op::InBoundsAccessChain => change.removed.push(inst.index),
        Op::Variable => {}
        _ if inst.facts().is_atomic() => {
            change.removed.push(inst.index);
            if let Some(result) = inst.result() {
                change.instead.push((result, Instead::Zero));
            }
        }
        Op::ArrayLength => {
            change.removed.push(inst.index);
            change.instead.push((inst.result()?, Instead::Zero));
        }
        _ => return None,
    }
    Some(change)
}
