//! Which blocks of which functions an entry point can run: calls followed, branches on constants taken one way.

use std::collections::{BTreeMap, BTreeSet};

use crate::ids::Id;
use crate::spirv::enums::Op;
use crate::spirv::{EntryPoint, Function, Inst, InstId, Module};

/// The instructions that can run, function by function, in module order.
pub(super) struct Reach<'m> {
    pub functions: Vec<(&'m Function, Vec<Inst<'m>>)>,
}

impl<'m> Reach<'m> {
    pub fn of(module: &'m Module, entry: &EntryPoint) -> Reach<'m> {
        let by_id: BTreeMap<Id, &Function> = module.functions().iter().map(|f| (f.id, f)).collect();
        let mut seen = BTreeSet::from([entry.function]);
        let mut work = vec![entry.function];
        let mut functions = Vec::new();
        while let Some(function) = work.pop().and_then(|id| by_id.get(&id)) {
            let insts = live_insts(module, function);
            for inst in &insts {
                if inst.op() == Some(Op::FunctionCall) && seen.insert(inst.id_at(3)) {
                    work.push(inst.id_at(3));
                }
            }
            functions.push((*function, insts));
        }
        functions.sort_by_key(|(function, _)| function.insts.start);
        Reach { functions }
    }

    /// Every instruction that can run.
    pub fn insts(&self) -> impl Iterator<Item = &Inst<'m>> {
        self.functions.iter().flat_map(|(_, insts)| insts)
    }
}

fn live_insts<'m>(module: &'m Module, function: &Function) -> Vec<Inst<'m>> {
    let all: Vec<Inst<'m>> = module.insts_in(function.insts.clone()).collect();
    let labels: BTreeMap<Id, usize> =
        all.iter().enumerate().filter(|(_, i)| i.op() == Some(Op::Label)).map(|(at, i)| (i.id_at(1), at)).collect();
    let Some(&first) = labels.values().min() else { return all };
    let mut live = BTreeSet::from([first]);
    let mut work = vec![first];
    let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
    while let Some(start) = work.pop() {
        let length = all[start..].iter().position(is_terminator).map_or(all.len() - start, |n| n + 1);
        ends.insert(start, start + length);
        let Some(last) = all.get(start + length - 1) else { continue };
        for target in successors(module, last) {
            if let Some(&at) = labels.get(&target)
                && live.insert(at)
            {
                work.push(at);
            }
        }
    }
    let mut out: Vec<Inst<'m>> = all[..first].to_vec();
    let mut next = first;
    for (&start, &end) in &ends {
        out.extend_from_slice(&all[start.max(next)..end.max(next)]);
        next = next.max(end);
    }
    out
}

fn is_terminator(inst: &Inst<'_>) -> bool {
    matches!(
        inst.op(),
        Some(
            Op::Branch
                | Op::BranchConditional
                | Op::Switch
                | Op::Return
                | Op::ReturnValue
                | Op::Kill
                | Op::TerminateInvocation
                | Op::Unreachable
                | Op::IgnoreIntersectionKHR
                | Op::TerminateRayKHR
                | Op::EmitMeshTasksEXT
        )
    )
}

fn successors(module: &Module, last: &Inst<'_>) -> Vec<Id> {
    match last.op() {
        Some(Op::Branch) => vec![last.id_at(1)],
        Some(Op::BranchConditional) => match module.constant(last.id_at(1)) {
            Some(known) => vec![last.id_at(if known.bits != 0 { 2 } else { 3 })],
            None => vec![last.id_at(2), last.id_at(3)],
        },
        Some(Op::Switch) => {
            let width = module.type_of(last.id_at(1)).map(|ty| module.ty(ty));
            let literal = match width {
                Some(Some(crate::spirv::Type::Int { bits, .. })) if bits > 32 => 2,
                _ => 1,
            };
            let cases = || last.words_from(3).chunks_exact(literal + 1);
            let target = |case: &[u32]| Id(case[literal]);
            if let (Some(known), 1) = (module.constant(last.id_at(1)), literal) {
                let hit = cases().find(|case| u64::from(case[0]) == known.bits & 0xffff_ffff).map(target);
                return vec![hit.unwrap_or(last.id_at(2))];
            }
            std::iter::once(last.id_at(2)).chain(cases().map(target)).collect()
        }
        _ => Vec::new(),
    }
}

/// Index of the instruction that defines an id.
pub(super) fn def_index(module: &Module, id: Id) -> Option<InstId> {
    module.def(id).map(|inst| inst.index)
}
