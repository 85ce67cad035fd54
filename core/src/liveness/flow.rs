//! Backward liveness by leaves, to a fixpoint.
//!
//! Demand flows from what has an effect (outputs, memory others can see, control flow) back through the values that
//! make it. Arithmetic, conversion, selection, copies and composites are followed component by component, and so are
//! variables of a function that are indexed with constants; anything else demands all of its operands. A driver that
//! optimises first may differ in exotic cases: no values are reasoned about, an input times zero is used.

use std::collections::{BTreeMap, BTreeSet};

use super::leaves::{LeafSet, MAX_LEAVES, Shapes};
use super::links::{Links, input};
use super::ops::has_effect;
use super::pointer::{self, Pointer};
use super::reach::Reach;
use crate::ids::Id;
use crate::spirv::enums::StorageClass;
use crate::spirv::{EntryPoint, InstId, Module};

/// What an entry point uses of its inputs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// By input variable: the leaves that are demanded, none of them empty.
    pub leaves: BTreeMap<Id, LeafSet>,
    /// By input variable: leaves that are read by `interpolateAtOffset`.
    pub at_offset: BTreeMap<Id, LeafSet>,
    /// The same for `interpolateAtCentroid`.
    pub at_centroid: BTreeMap<Id, LeafSet>,
    /// The same for `interpolateAtSample`.
    pub at_sample: BTreeMap<Id, LeafSet>,
    /// Inputs that are indexed with a value known only at run time.
    pub dynamic: BTreeSet<Id>,
    /// An instruction that the grammar does not know can run: every input counts as used.
    pub opaque: Option<InstId>,
}

impl Uses {
    /// Whether a leaf of an input is used.
    pub fn uses(&self, variable: Id, leaf: u32) -> bool {
        self.leaves.get(&variable).is_some_and(|set| set.contains(leaf))
    }
}

/// The state of the fixpoint. Demands are kept by the index of the defining instruction.
pub struct Flow<'a, 'm> {
    pub(super) module: &'m Module,
    pub(super) shapes: &'a Shapes<'m>,
    pub(super) reach: &'a Reach<'m>,
    pub(super) links: &'a Links,
    demand: Vec<LeafSet>,
    queued: Vec<bool>,
    work: Vec<InstId>,
    /// Room for the ids of one instruction.
    pub(super) ids: Vec<Id>,
    pub(super) uses: Uses,
}

/// Runs the fixpoint: what is used of the inputs, and, by instruction, whether it is left after dead code is gone.
pub fn run<'m>(
    module: &'m Module,
    entry: &EntryPoint,
    shapes: &Shapes<'m>,
    reach: &Reach<'m>,
    links: &Links,
) -> (Uses, Vec<bool>) {
    let mut flow = Flow {
        module,
        shapes,
        reach,
        links,
        demand: vec![LeafSet::default(); module.len()],
        queued: vec![false; module.len()],
        work: Vec::new(),
        ids: Vec::new(),
        uses: Uses { dynamic: links.dynamic.clone(), opaque: links.opaque, ..Uses::default() },
    };
    let mut left = vec![false; module.len()];
    for inst in reach.insts().filter(has_effect) {
        left[inst.index.0 as usize] = true;
        flow.demand_operands_of_root(&inst);
    }
    flow.settle();
    flow.round_up(entry);
    left.iter_mut().zip(&flow.demand).for_each(|(left, demand)| *left |= !demand.is_empty());
    (flow.uses, left)
}

impl<'m> Flow<'_, 'm> {
    fn settle(&mut self) {
        while let Some(index) = self.work.pop() {
            let at = index.0 as usize;
            self.queued[at] = false;
            let demand = self.demand[at].clone();
            self.demand_operands(&self.module.inst(index), &demand);
        }
    }

    /// Inputs that are used as a whole: all where an instruction is opaque, and those too large to have leaves.
    fn round_up(&mut self, entry: &EntryPoint) {
        for &variable in &entry.interface {
            let Some(inst) = self.module.def(variable) else { continue };
            let is_input = input(self.module, &Pointer { base: inst.index, path: Vec::new() }).is_some();
            let Some(ty) = self.module.pointee(variable).filter(|_| is_input) else { continue };
            let is_collapsed = self.shapes.is_collapsed(ty);
            if self.uses.opaque.is_some() || (is_collapsed && self.uses.leaves.contains_key(&variable)) {
                let all = if is_collapsed { LeafSet::range(0..MAX_LEAVES) } else { self.shapes.all(ty) };
                self.uses.leaves.insert(variable, all);
            }
        }
    }

    /// Adds to what is demanded of a value.
    pub(super) fn want(&mut self, id: Id, leaves: &LeafSet) {
        if let Some(inst) = self.module.def(id) {
            self.want_at(inst.index, leaves);
        }
    }

    fn want_at(&mut self, index: InstId, leaves: &LeafSet) {
        let at = index.0 as usize;
        if self.reach.can_run(index) && self.demand[at].add(leaves) && !self.queued[at] {
            self.queued[at] = true;
            self.work.push(index);
        }
    }

    /// Demands a whole value.
    pub(super) fn want_all(&mut self, id: Id) {
        let Some(inst) = self.module.def(id) else { return };
        let Some(ty) = inst.result_type() else { return };
        self.want_at(inst.index, &self.shapes.all(ty));
    }

    /// Demands leaves of memory: of an input, or of a variable, and with it what is stored there.
    pub(super) fn want_memory(&mut self, pointer: &Pointer, leaves: &LeafSet) {
        if leaves.is_empty() {
            return;
        }
        if let Some(variable) = input(self.module, pointer) {
            self.uses.leaves.entry(variable).or_default().add(leaves);
            return;
        }
        // Behind a parameter is whichever input was passed.
        if pointer::class(self.module, pointer.base) == Some(StorageClass::Input) {
            return self.want_at(pointer.base, leaves);
        }
        self.want_at(self.links.memory(pointer.base), leaves);
    }
}
