//! Which instructions every invocation of an entry point runs.

use std::collections::{BTreeMap, BTreeSet};

use super::enums::Op;
use super::module::{Inst, InstId, Module};
use super::opcode::Control;
use super::{EntryPoint, Function};
use lanescope_base::ids::Id;

/// The instructions that every invocation runs, and all of them together: those outside of every selection and loop, in
/// the entry point's function and in functions that are only called from such places.
///
/// Careful: an instruction that is not among them may be run by all the same. After a construct that an invocation may
/// leave the function from there are none.
pub fn always_run(module: &Module, entry: &EntryPoint) -> BTreeSet<InstId> {
    // All invocations of a workgroup launch meshes together.
    let discards =
        module.insts().any(|inst| inst.facts().leaves_invocation() && inst.op() != Some(Op::EmitMeshTasksEXT));
    let mut outside = BTreeMap::new();
    let mut calls: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    let mut apart = Vec::new();
    for function in module.reachable(entry) {
        let found = outside_constructs(module, function, discards);
        for call in module.insts_in(function.insts.clone()).filter(|inst| inst.op() == Some(Op::FunctionCall)) {
            calls.entry(function.id).or_default().insert(call.id_at(3));
            if !found.contains(&call.index) {
                apart.push(call.id_at(3));
            }
        }
        outside.insert(function.id, found);
    }
    while let Some(function) = apart.pop() {
        if outside.remove(&function).is_some() {
            apart.extend(calls.get(&function).into_iter().flatten());
        }
    }
    outside.into_values().flatten().collect()
}

/// A function's instructions outside of every construct, up to the first one that may leave it. `discards` says whether
/// invocations may end inside of a call.
fn outside_constructs(module: &Module, function: &Function, discards: bool) -> BTreeSet<InstId> {
    let insts: Vec<Inst<'_>> = module.insts_in(function.insts.clone()).collect();
    let is_label = |(_, inst): &(usize, &Inst<'_>)| inst.op() == Some(Op::Label);
    let labels: BTreeMap<Id, usize> =
        (0..).zip(&insts).filter(is_label).filter_map(|(at, inst)| Some((inst.result()?, at))).collect();
    // With one end in all, every path into a construct comes out at its merge block.
    let calls = insts.iter().any(|inst| inst.op() == Some(Op::FunctionCall));
    let rejoins = insts.iter().filter(|inst| is_end(inst)).count() <= 1 && !(calls && discards);
    let mut out = BTreeSet::new();
    let mut at = insts.iter().position(|inst| inst.op() == Some(Op::Label));
    while let Some(start) = at.take() {
        for inst in insts.get(start..).unwrap_or(&[]) {
            if !out.insert(inst.index) {
                break;
            }
            match inst.op() {
                Some(Op::SelectionMerge | Op::LoopMerge) => {
                    at = labels.get(&inst.id_at(1)).copied().filter(|_| rejoins);
                    break;
                }
                Some(Op::Branch) => {
                    at = labels.get(&inst.id_at(1)).copied();
                    break;
                }
                Some(Op::BranchConditional | Op::Switch) => break,
                _ if is_end(inst) => break,
                _ => {}
            }
        }
    }
    out
}

/// Whether an instruction ends an invocation's way through a function.
fn is_end(inst: &Inst<'_>) -> bool {
    let facts = inst.facts();
    facts.leaves_invocation() || facts.is_terminator() && facts.control != Control::Branch
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_base::StageKind;

    use crate::testing::glsl;

    /// The values that are stored where every invocation comes by.
    fn stored(body: &str) -> Vec<u32> {
        let source = format!("layout(local_size_x = 8) in; layout(binding = 0) buffer B {{ uint b[]; }};\n{body}");
        let module = &glsl(StageKind::Compute, &source);
        let always = always_run(module, &module.entry_points()[0]);
        let stores = module.insts().filter(|inst| inst.op() == Some(Op::Store) && always.contains(&inst.index));
        let mut out: Vec<u32> =
            stores.filter_map(|inst| module.constant(inst.id_at(2))).filter_map(|c| c.as_u32()).collect();
        out.sort_unstable();
        out
    }

    #[test]
    fn finds_instructions_outside_constructs() {
        let f = "void f() { b[9] = 7; }";
        for (body, expected) in [
            ("void main() { b[0] = 11; if (b[1] > 2) { b[2] = 12; } b[3] = 13; }", &[11, 13][..]),
            ("void main() { b[0] = 11; if (b[1] > 2) { return; } b[3] = 13; }", &[11]),
            ("void main() { b[0] = 11; while (b[1] > 2) { b[2] = 12; } b[3] = 13; }", &[11, 13]),
            ("void main() { switch (b[1]) { case 1: b[2] = 12; default: b[3] = 13; } b[0] = 11; }", &[11]),
        ] {
            assert_eq!(stored(body), expected, "{body}");
        }
        assert_eq!(stored(&format!("{f} void main() {{ f(); }}")), [7]);
        assert_eq!(stored(&format!("{f} void main() {{ if (b[0] > 1) f(); }}")), [0u32; 0]);
        assert_eq!(stored(&format!("{f} void main() {{ f(); if (b[0] > 1) f(); b[1] = 8; }}")), [8]);
    }
}
