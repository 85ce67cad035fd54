//! Loads whose value is known.

use std::collections::BTreeMap;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::{Inst, Module};

use super::{bodies, body};
use crate::change::{Change, Instead};

/// Loads of an invocation's own variable whose value is stored once, or before in the same block: the stored value.
pub(super) fn forwarded(module: &Module) -> Vec<Change> {
    let mut out = stored_once(module);
    for function in module.functions() {
        // By variable: the pointer that was stored through, and the value.
        let mut stored: BTreeMap<Id, (Id, Id)> = BTreeMap::new();
        for inst in body(module, function) {
            match inst.op() {
                Some(Op::Label | Op::FunctionCall) => stored.clear(),
                Some(Op::Store) => {
                    if let Some(variable) = own_variable(module, inst.id_at(1)) {
                        stored.insert(variable, (inst.id_at(1), inst.id_at(2)));
                    }
                }
                Some(Op::Load) => out.extend(value(module, &inst, &stored)),
                Some(Op::AccessChain | Op::InBoundsAccessChain) => {}
                _ => module.for_each_possible_id(&inst, |id| {
                    if let Some(variable) = own_variable(module, id) {
                        stored.remove(&variable);
                    }
                }),
            }
        }
    }
    out
}

/// Variables with one store, each with its loads: they become the stored value. One that is not defined where a load is
/// leaves no valid module.
fn stored_once(module: &Module) -> Vec<Change> {
    let mut uses: BTreeMap<Id, Vec<Inst<'_>>> = BTreeMap::new();
    for inst in bodies(module).filter(|inst| !inst.is_variable()) {
        module.for_each_possible_id(&inst, |id| {
            if module.def(id).is_some_and(|def| def.is_variable()) && own_variable(module, id).is_some() {
                uses.entry(id).or_default().push(inst);
            }
        });
    }
    let of_variable = |(variable, uses): (&Id, &Vec<Inst<'_>>)| {
        let store = |inst: &&Inst<'_>| inst.op() == Some(Op::Store) && inst.id_at(1) == *variable;
        let [only] = uses.iter().filter(store).collect::<Vec<_>>()[..] else { return None };
        let mut change = Change::remove(only.index);
        for load in uses.iter().filter(|inst| inst.index != only.index) {
            if load.op() != Some(Op::Load) {
                return None;
            }
            change.removed.push(load.index);
            change.instead.push((load.result()?, Instead::Id(only.id_at(2))));
        }
        Some(change)
    };
    uses.iter().filter_map(of_variable).collect()
}

fn value(module: &Module, load: &Inst<'_>, stored: &BTreeMap<Id, (Id, Id)>) -> Option<Change> {
    let variable = own_variable(module, load.id_at(3))?;
    let (pointer, value) = stored.get(&variable)?;
    if *pointer != load.id_at(3) {
        return None;
    }
    Some(Change {
        removed: vec![load.index],
        instead: vec![(load.result()?, Instead::Id(*value))],
        ..Change::default()
    })
}

/// The variable that a pointer leads into, if only its own invocation has it.
fn own_variable(module: &Module, pointer: Id) -> Option<Id> {
    let mut at = module.def(pointer)?;
    for _ in 0..64 {
        match at.op()? {
            Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject => at = module.def(at.id_at(3))?,
            _ => break,
        }
    }
    let class = StorageClass::from_u32(at.word_at(3))?;
    let is_own = at.op() == Some(Op::Variable) && matches!(class, StorageClass::Function | StorageClass::Private);
    is_own.then(|| at.result()).flatten()
}
