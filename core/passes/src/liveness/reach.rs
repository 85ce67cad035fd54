//! Which blocks of which functions an entry point can run: calls followed, branches on constants taken one way.

use std::collections::BTreeSet;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::{EntryPoint, Function, Inst, InstId, Module};

/// The instructions that can run, function by function, in module order. Memory follows what the entry point calls, not
/// the module: a module may have thousands of entry points.
pub struct Reach<'m> {
    module: &'m Module,
    /// The functions that can run, in module order.
    functions: Vec<Reached<'m>>,
    /// The number of instructions before the first function.
    globals: u32,
}

/// A function that can run.
struct Reached<'m> {
    function: &'m Function,
    /// By instruction, from the function's first: whether it can run.
    live: Vec<bool>,
    /// The slot of its first instruction.
    slot: usize,
}

impl<'m> Reach<'m> {
    /// Follows an entry point. Cost: each instruction of what it calls is visited once; memory is a byte of it each.
    pub fn of(module: &'m Module, entry: &EntryPoint) -> Reach<'m> {
        let globals = module.functions().first().map_or(module.len() as u32, |f| f.insts.start);
        let mut functions: Vec<Reached<'m>> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![entry.function];
        while let Some(id) = work.pop() {
            let Some(function) = module.function(id).filter(|f| seen.insert(f.insts.start)) else { continue };
            let reached = Reached { function, live: live(module, function), slot: 0 };
            work.extend(reached.insts(module).filter(|i| i.op() == Some(Op::FunctionCall)).map(|i| i.id_at(3)));
            functions.push(reached);
        }
        functions.sort_by_key(|reached| reached.function.insts.start);
        let mut slot = 0;
        for reached in &mut functions {
            reached.slot = slot;
            slot += reached.live.len();
        }
        Reach { module, functions, globals }
    }

    /// The functions that can run, in module order.
    pub fn functions(&self) -> impl Iterator<Item = &'m Function> + '_ {
        self.functions.iter().map(|reached| reached.function)
    }

    /// The instructions of a function that can run.
    pub fn insts_of(&self, function: &Function) -> impl Iterator<Item = Inst<'m>> + '_ {
        let reached = self.reached(InstId(function.insts.start));
        reached.into_iter().flat_map(|reached| reached.insts(self.module))
    }

    /// Every instruction that can run.
    pub fn insts(&self) -> impl Iterator<Item = Inst<'m>> + '_ {
        self.functions.iter().flat_map(|reached| reached.insts(self.module))
    }

    /// Whether an instruction can run. True too for what comes before every function: types, constants, variables.
    pub fn can_run(&self, index: InstId) -> bool {
        index.0 < self.globals || self.reached(index).is_some_and(|reached| reached.is_live(index))
    }

    /// Number of slots: one for each instruction of the functions that can run.
    pub fn slots(&self) -> usize {
        self.functions.last().map_or(0, |last| last.slot + last.live.len())
    }

    /// The slot of an instruction; none outside of the functions that can run.
    pub fn slot(&self, index: InstId) -> Option<usize> {
        self.reached(index).map(|reached| reached.slot + (index.0 - reached.function.insts.start) as usize)
    }

    /// The function that an instruction is in, if it can run.
    fn reached(&self, index: InstId) -> Option<&Reached<'m>> {
        let after = self.functions.partition_point(|reached| reached.function.insts.start <= index.0);
        self.functions.get(after.checked_sub(1)?).filter(|reached| reached.function.insts.contains(&index.0))
    }
}

impl<'m> Reached<'m> {
    fn is_live(&self, index: InstId) -> bool {
        self.live.get((index.0 - self.function.insts.start) as usize).copied().unwrap_or(false)
    }

    /// The instructions that can run.
    fn insts(&self, module: &'m Module) -> impl Iterator<Item = Inst<'m>> + '_ {
        let insts = self.function.insts.clone().map(InstId).zip(&self.live);
        insts.filter(|(_, live)| **live).map(|(index, _)| module.inst(index))
    }
}

/// Which instructions of a function can run: what comes before its first block, and the blocks that can run.
fn live(module: &Module, function: &Function) -> Vec<bool> {
    let first = function.insts.start;
    let mut live = vec![false; function.insts.len()];
    let mut at = first;
    while at < function.insts.end && module.inst(InstId(at)).op() != Some(Op::Label) {
        live[(at - first) as usize] = true;
        at += 1;
    }
    let mut work = vec![at];
    while let Some(start) = work.pop() {
        // A block without an end runs on into the next one.
        for index in start..function.insts.end {
            if std::mem::replace(&mut live[(index - first) as usize], true) {
                break;
            }
            let inst = module.inst(InstId(index));
            if inst.is_terminator() {
                successors(module, &inst, |target| {
                    let label = module.def(target).filter(|inst| inst.op() == Some(Op::Label));
                    work.extend(label.map(|inst| inst.index.0).filter(|at| function.insts.contains(at)));
                });
                break;
            }
        }
    }
    live
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
