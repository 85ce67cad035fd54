//! Which blocks of which functions an entry point can run: calls followed, branches on constants taken one way.

use std::collections::BTreeMap;

use crate::ids::Id;
use crate::spirv::enums::Op;
use crate::spirv::{EntryPoint, Function, Inst, InstId, Module};

/// The instructions that can run, function by function, in module order.
pub struct Reach<'m> {
    module: &'m Module,
    functions: Vec<&'m Function>,
    /// By instruction: whether it can run, or stands before every function.
    live: Vec<bool>,
}

impl<'m> Reach<'m> {
    /// Follows an entry point. Cost: each instruction of what it calls is visited once; memory is a bit of it each.
    pub fn of(module: &'m Module, entry: &EntryPoint) -> Reach<'m> {
        let by_id: BTreeMap<Id, &Function> = module.functions().iter().map(|f| (f.id, f)).collect();
        let mut live = vec![false; module.len()];
        let global = module.functions().first().map_or(live.len(), |f| f.insts.start as usize);
        live[..global].fill(true);
        let mut reach = Reach { module, functions: Vec::new(), live };
        let mut work = vec![entry.function];
        while let Some(id) = work.pop() {
            let Some(function) = by_id.get(&id).filter(|f| !reach.can_run(InstId(f.insts.start))) else { continue };
            reach.mark(function);
            work.extend(reach.insts_of(function).filter(|i| i.op() == Some(Op::FunctionCall)).map(|i| i.id_at(3)));
            reach.functions.push(function);
        }
        reach.functions.sort_by_key(|function| function.insts.start);
        reach
    }

    /// The functions that can run, in module order.
    pub fn functions(&self) -> impl Iterator<Item = &'m Function> + '_ {
        self.functions.iter().copied()
    }

    /// The instructions of a function that can run.
    pub fn insts_of(&self, function: &Function) -> impl Iterator<Item = Inst<'m>> + '_ {
        function.insts.clone().map(InstId).filter(|&index| self.can_run(index)).map(|index| self.module.inst(index))
    }

    /// Every instruction that can run.
    pub fn insts(&self) -> impl Iterator<Item = Inst<'m>> + '_ {
        self.functions.iter().flat_map(|function| self.insts_of(function))
    }

    /// Whether an instruction can run. True too for what stands before every function: types, constants, variables.
    pub fn can_run(&self, index: InstId) -> bool {
        self.live.get(index.0 as usize).copied().unwrap_or(false)
    }

    /// Marks what stands before a function's first block, and the blocks that can run.
    fn mark(&mut self, function: &Function) {
        let mut work = Vec::new();
        let mut at = function.insts.start;
        while at < function.insts.end && self.module.inst(InstId(at)).op() != Some(Op::Label) {
            self.live[at as usize] = true;
            at += 1;
        }
        work.push(at);
        while let Some(start) = work.pop() {
            // A block without an end runs on into the next one.
            for index in start..function.insts.end {
                if std::mem::replace(&mut self.live[index as usize], true) {
                    break;
                }
                let inst = self.module.inst(InstId(index));
                if inst.is_terminator() {
                    let module = self.module;
                    successors(module, &inst, |target| {
                        let label = module.def(target).filter(|inst| inst.op() == Some(Op::Label));
                        work.extend(label.map(|inst| inst.index.0).filter(|at| function.insts.contains(at)));
                    });
                    break;
                }
            }
        }
    }
}

/// Names the blocks that can come next.
pub fn successors(module: &Module, last: &Inst<'_>, mut next: impl FnMut(Id)) {
    match last.op() {
        Some(Op::Branch) => next(last.id_at(1)),
        Some(Op::BranchConditional) => match module.constant(last.id_at(1)) {
            Some(known) => next(last.id_at(if known.bits != 0 { 2 } else { 3 })),
            None => [2, 3].into_iter().for_each(|at| next(last.id_at(at))),
        },
        Some(Op::Switch) => {
            let literal = module.case_words(last);
            let cases = last.words_from(3).chunks_exact(literal + 1);
            if let (Some(known), 1) = (module.constant(last.id_at(1)), literal) {
                // Literals narrower than a word are sign-extended, constants are not.
                let mask = if known.width >= 32 { u64::from(u32::MAX) } else { (1 << known.width) - 1 };
                let mut cases = cases;
                let hit = cases.find(|case| u64::from(case[0]) & mask == known.bits & mask);
                return next(hit.map_or(last.id_at(2), |case| Id(case[literal])));
            }
            next(last.id_at(2));
            cases.for_each(|case| next(Id(case[literal])));
        }
        _ => {}
    }
}
