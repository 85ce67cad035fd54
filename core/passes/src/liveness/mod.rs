//! Liveness of an entry point: which instructions remain after dead code elimination, what they read and write.
//!
//! ```text
//! EntryPoint ──reach──▶ blocks that can run ──frames──▶ functions by call ──links──▶ stores, memory ──flow──▶ leaves
//! ```
//!
//! One analysis for every pass that needs to know what is used: backward liveness by *leaves* (scalars of a type),
//! through calls, local variables and composites, over blocks that can run when constants decide their branches. A
//! driver's optimiser may see more; see `flow`.
//!
//! [`Stages`] holds the analysis of each stage of a program, and does each part of it when it is first requested.

mod blocks;
mod events;
mod flow;
mod frames;
mod leaf_sets;
mod leaves;
mod links;
mod operands;
mod ops;
mod pointer;
mod reach;
mod stages;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

pub use flow::Uses;
pub use leaves::{LeafSet, MAX_LEAVES, Shapes};
pub use ops::interpolates;
pub use pointer::{Path, Step, follow, resolve};
pub use stages::Stages;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::opcode::Memory;
use lanescope_spirv::{EntryPoint, Inst, InstId, Module};
use links::Links;
use reach::Reach;

/// The analysis of one entry point. Each part is computed when it is first requested, and kept.
pub struct Liveness<'m> {
    module: &'m Module,
    entry: &'m EntryPoint,
    shapes: Arc<OnceLock<Shapes<'m>>>,
    reach: OnceCell<Reach<'m>>,
    flow: OnceCell<(Uses, Vec<bool>)>,
    named: OnceCell<BTreeSet<Id>>,
    writes: OnceCell<Vec<Write>>,
}

/// A write into a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The variable.
    pub variable: Id,
    /// The way into it.
    pub path: Path,
    /// The value written, if it is a single one.
    pub value: Option<Id>,
}

/// An instruction that reads or writes a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The instruction.
    pub inst: InstId,
    /// The variable.
    pub variable: Id,
    /// The leaves that it may reach.
    pub leaves: std::ops::Range<u32>,
    /// Whether it writes them; otherwise it reads them.
    pub writes: bool,
}

impl<'m> Liveness<'m> {
    /// The analysis of an entry point of a module. Computed lazily.
    pub fn of(module: &'m Module, entry: &'m EntryPoint) -> Liveness<'m> {
        Liveness::sharing(module, entry, Arc::default())
    }

    /// The analysis of one of several entry points of a module, which share the shapes of its types.
    fn sharing(module: &'m Module, entry: &'m EntryPoint, shapes: Arc<OnceLock<Shapes<'m>>>) -> Liveness<'m> {
        let (reach, flow) = (OnceCell::new(), OnceCell::new());
        Liveness { module, entry, shapes, reach, flow, named: OnceCell::new(), writes: OnceCell::new() }
    }

    /// The module.
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// The entry point.
    pub fn entry(&self) -> &'m EntryPoint {
        self.entry
    }

    /// Number of leaves of the module's types.
    pub fn shapes(&self) -> &Shapes<'m> {
        self.shapes.get_or_init(|| Shapes::of(self.module))
    }

    /// Uses of the inputs.
    pub fn uses(&self) -> &Uses {
        &self.flow().0
    }

    /// The instructions that are left after dead code is gone, in module order: those that can run, and have an effect
    /// or a result that something with an effect depends on.
    pub fn insts(&self) -> impl Iterator<Item = Inst<'m>> + '_ {
        let (left, reach) = (&self.flow().1, self.reach());
        let is_left = |inst: &Inst<'m>| reach.slot(inst.index).and_then(|slot| left.get(slot)) == Some(&true);
        reach.insts().filter(is_left)
    }

    /// What is left after dead code is gone and reads or writes a variable through a pointer that can be followed:
    /// loads, interpolations and stores, in module order.
    pub fn touches(&self) -> Vec<Touch> {
        let touch = |inst: Inst<'m>| {
            let (pointer, writes) = match inst.op()? {
                Op::Load => (inst.id_at(3), false),
                Op::Store => (inst.id_at(1), true),
                Op::ExtInst if interpolates(&inst) => (inst.id_at(5), false),
                _ => return None,
            };
            let pointer = resolve(self.module, pointer)?;
            let variable = self.module.inst(pointer.base);
            let variable = variable.result().filter(|_| variable.op() == Some(Op::Variable))?;
            let leaves = links::reached(self.module, self.shapes(), &pointer)?;
            Some(Touch { inst: inst.index, variable, leaves, writes })
        };
        self.insts().filter_map(touch).collect()
    }

    /// The leaves of inputs that any load names *before* dead code goes, whether or not it can run.
    pub fn met_inputs(&self) -> BTreeMap<Id, LeafSet> {
        let mut out: BTreeMap<Id, LeafSet> = BTreeMap::new();
        let functions = self.module.reachable(self.entry);
        for inst in functions.into_iter().flat_map(|function| self.module.insts_in(function.insts.clone())) {
            if inst.op() == Some(Op::Load)
                && let Some(pointer) = resolve(self.module, inst.id_at(3))
                && let Some(variable) = links::input(self.module, &pointer)
                && let Some(leaves) = links::reached(self.module, self.shapes(), &pointer)
            {
                out.entry(variable).or_default().add(&LeafSet::range(leaves));
            }
        }
        out
    }

    /// What code that can run writes into variables of the storage class `Output`, then their initial values. An
    /// output whose pointer is handed to a function counts as written.
    pub fn writes(&self) -> &[Write] {
        self.writes.get_or_init(|| self.find_writes())
    }

    /// The variables of the storage class `Output` that are read by what is left after dead code is gone, each with the
    /// way into it: a tessellation control shader may read what its other invocations wrote.
    pub fn output_reads(&self) -> Vec<(Id, Path)> {
        let loads = self.insts().filter(|inst| inst.op() == Some(Op::Load));
        let read = |inst: Inst<'m>| {
            let pointer = resolve(self.module, inst.id_at(3))?;
            Some((self.output(pointer.base)?, pointer.path))
        };
        loads.filter_map(read).collect()
    }

    fn find_writes(&self) -> Vec<Write> {
        let mut out = Vec::new();
        for inst in self.reach().insts() {
            let (pointers, value) = match inst.op() {
                Some(Op::Store) => (inst.words_from(1).get(..1), Some(inst.id_at(2))),
                Some(_) if inst.facts().memory == Memory::Copy => (inst.words_from(1).get(..1), None),
                Some(Op::FunctionCall) => (Some(inst.words_from(4)), None),
                Some(Op::ExtInst) if ops::stores_second_result(&inst) => (inst.words_from(6).get(..1), None),
                _ => continue,
            };
            for &pointer in pointers.unwrap_or(&[]) {
                if let Some(to) = resolve(self.module, Id(pointer))
                    && let Some(variable) = self.output(to.base)
                {
                    out.push(Write { variable, path: to.path, value });
                }
            }
        }
        for &id in &self.entry.interface {
            let variable = self.module.def(id).filter(|inst| inst.words.len() > 4);
            if let Some(variable) = variable.and_then(|inst| self.output(inst.index)) {
                out.push(Write { variable, path: Path::new(), value: None });
            }
        }
        out
    }

    /// The variables of a storage class that are named by an instruction which is left after dead code is gone.
    pub fn variables(&self, class: StorageClass) -> BTreeSet<Id> {
        let is = |inst: Inst<'_>| inst.is_variable() && inst.word_at(3) == class as u32;
        // Many modules have none of it, and then nothing needs to be known of the rest.
        if class != StorageClass::Function && !self.module.definitions().any(is) {
            return BTreeSet::new();
        }
        let of_class = |id: &Id| self.module.def(*id).is_some_and(is);
        self.named().iter().copied().filter(of_class).collect()
    }

    /// Whether an instruction that is left after dead code is gone names a variable.
    pub fn names(&self, variable: Id) -> bool {
        self.named().contains(&variable)
    }

    /// The variables that are named by what is left.
    fn named(&self) -> &BTreeSet<Id> {
        self.named.get_or_init(|| {
            let is_variable = |id: Id| self.module.def(id).is_some_and(|inst| inst.is_variable());
            let mut out = BTreeSet::new();
            let mut used = Vec::new();
            for inst in self.insts() {
                let could_be = || inst.words_from(1).iter().map(|&word| Id(word)).filter(|&id| is_variable(id));
                // Most instructions hold no word that could be one; in the others it may still be a number.
                if could_be().all(|id| out.contains(&id)) {
                    continue;
                }
                used.clear();
                self.module.for_each_possible_id(&inst, |id| used.push(id));
                out.extend(used.iter().copied().filter(|&id| is_variable(id)));
            }
            out
        })
    }

    fn output(&self, base: InstId) -> Option<Id> {
        let inst = self.module.inst(base);
        let is_output = inst.op() == Some(Op::Variable) && inst.word_at(3) == StorageClass::Output as u32;
        is_output.then(|| inst.result())?
    }

    fn reach(&self) -> &Reach<'m> {
        self.reach.get_or_init(|| Reach::of(self.module, self.entry))
    }

    fn flow(&self) -> &(Uses, Vec<bool>) {
        self.flow.get_or_init(|| {
            let (shapes, reach) = (self.shapes(), self.reach());
            let links = Links::of(self.module, self.entry, shapes, reach);
            flow::run(self.module, self.entry, shapes, reach, &links)
        })
    }
}
