//! Calls of functions.

use std::collections::BTreeMap;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::{Function, Inst, InstId, Module};

use super::{bodies, body, has_constants, words};
use crate::change::{Change, Instead, fresh};

/// Calls, each removed: its result becomes zero.
pub(super) fn calls(module: &Module) -> Vec<Change> {
    bodies(module)
        .filter(|inst| inst.op() == Some(Op::FunctionCall))
        .filter_map(|call| {
            let (result, ty) = (call.result()?, call.result_type()?);
            let is_void = module.def(ty)?.op() == Some(Op::TypeVoid);
            (is_void || has_constants(module, ty)).then(|| Change {
                removed: vec![call.index],
                instead: if is_void { Vec::new() } else { vec![(result, Instead::Zero)] },
                ..Change::default()
            })
        })
        .collect()
}

/// The same, each without what it calls, which stays though nothing calls it.
pub(super) fn alone(module: &Module) -> Vec<Change> {
    let callee = |change: &Change| change.removed.first().map(|call| module.inst(*call).id_at(3));
    let keeping = |change: Change| Change { kept: callee(&change).into_iter().collect(), ..change };
    calls(module).into_iter().map(keeping).collect()
}

/// Functions that are called once and return once, put in place of the call.
pub(super) fn inlined(module: &Module) -> Vec<Change> {
    let mut calls: BTreeMap<Id, usize> = BTreeMap::new();
    for call in bodies(module).filter(|inst| inst.op() == Some(Op::FunctionCall)) {
        *calls.entry(call.id_at(3)).or_default() += 1;
    }
    let mut out = Vec::new();
    for caller in module.functions() {
        let insts: Vec<Inst<'_>> = body(module, caller).collect();
        for (at, call) in insts.iter().enumerate().filter(|(_, inst)| inst.op() == Some(Op::FunctionCall)) {
            let callee = call.id_at(3);
            let once = calls.get(&callee) == Some(&1);
            let is_entry = module.entry_points().iter().any(|entry| entry.function == callee);
            let function = module.function(callee).filter(|_| once && !is_entry && callee != caller.id);
            out.extend(function.and_then(|function| inline(module, (&insts, at), function)));
        }
    }
    out
}

/// A function in place of the call at `at`.
fn inline(module: &Module, (caller, at): (&[Inst<'_>], usize), function: &Function) -> Option<Change> {
    let call = caller.get(at)?;
    let insts: Vec<Inst<'_>> = body(module, function).collect();
    let returns = insts.iter().filter(|inst| matches!(inst.op(), Some(Op::Return | Op::ReturnValue)));
    let blocks = insts.iter().filter(|inst| inst.op() == Some(Op::Label)).count();
    let is_initialised = insts.iter().any(|inst| inst.is_variable() && inst.words.len() > 4);
    if returns.count() != 1 || is_initialised {
        return None;
    }
    let mut change = Change { removed: vec![call.index], ..Change::default() };
    let (mut moved, mut variables): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut arguments = call.words_from(4).iter();
    for inst in &insts {
        change.removed.push(inst.index);
        match inst.op()? {
            Op::FunctionParameter => change.instead.push((inst.result()?, Instead::Id(Id(*arguments.next()?)))),
            Op::Variable => variables.extend(inst.words),
            Op::Label if blocks > 1 => {
                if moved.is_empty() {
                    moved.extend(words(Op::Branch, &[inst.result()?.0]));
                }
                moved.extend(inst.words);
            }
            Op::Function | Op::Label | Op::FunctionEnd => {}
            op @ (Op::Return | Op::ReturnValue) => {
                if op == Op::ReturnValue {
                    change.instead.push((call.result()?, Instead::Id(inst.id_at(1))));
                }
                if blocks > 1 {
                    moved.extend(words(Op::Branch, &[fresh(0).0]));
                }
            }
            // Its literals would not be read again.
            Op::Switch => return None,
            _ => moved.extend(inst.words),
        }
    }
    if blocks > 1 {
        moved.extend(words(Op::Label, &[fresh(0).0]));
        change.replaced.extend(leaving_from(module, caller, at)?);
    }
    change.inserted.push((call.index, moved));
    let first = caller.iter().position(|inst| inst.op() == Some(Op::Label))?;
    change.inserted.push((caller.get(first + 1)?.index, variables));
    Some(change)
}

/// The phis after the block of a call, which is left from a new block; `None` in the header of a loop, which would be
/// another block than its merge instruction's.
fn leaving_from(module: &Module, caller: &[Inst<'_>], at: usize) -> Option<Vec<(InstId, Vec<u32>)>> {
    let block = caller.get(..at)?.iter().rev().find(|inst| inst.op() == Some(Op::Label))?.result()?;
    let end = caller.get(at..)?.iter().position(Inst::is_terminator)?;
    if caller[at..at + end].iter().any(|inst| inst.op() == Some(Op::LoopMerge)) {
        return None;
    }
    let phis = bodies(module).filter(|inst| inst.op() == Some(Op::Phi));
    let renamed = phis.filter_map(|phi| {
        let mut words = phi.words.to_vec();
        let places: Vec<usize> = (4..words.len()).step_by(2).filter(|&place| phi.id_at(place) == block).collect();
        places.iter().for_each(|&place| words[place] = fresh(0).0);
        (!places.is_empty()).then_some((phi.index, words))
    });
    Some(renamed.collect())
}
