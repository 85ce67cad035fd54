//! Backward liveness by leaves, to a fixpoint.
//!
//! Demand flows from what has an effect (outputs, memory others can see, control flow) back through the values that
//! make it. Arithmetic, conversion, selection, copies and composites are followed component by component, and so are
//! variables of a function that are indexed with constants; anything else demands all of its operands. Calls are
//! followed as if they were inlined, and a load from a variable of the invocation's own demands the stores that it may
//! see, found backwards through blocks and calls. A driver that optimises first may differ in exotic cases: no values
//! are reasoned about, an input times zero is used.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::ops::Range;

use super::events::Event;
use super::frames::{FrameId, Node, Place};
use super::leaf_sets::LeafSets;
use super::leaves::{LeafSet, MAX_LEAVES, Shapes};
use super::links::{Links, input};
use super::ops::has_effect;
use super::pointer::{self, Path, Pointer};
use super::reach::Reach;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::{EntryPoint, InstId, Module};

/// Uses of an entry point's inputs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// By input variable: the leaves that are demanded, none of them empty.
    pub leaves: BTreeMap<Id, LeafSet>,
    /// By input variable: leaves that are read as they are, by no interpolation function.
    pub plain: BTreeMap<Id, LeafSet>,
    /// By input variable: leaves that are read by `interpolateAtOffset`.
    pub at_offset: BTreeMap<Id, LeafSet>,
    /// By input variable: leaves that are read by `interpolateAtCentroid`.
    pub at_centroid: BTreeMap<Id, LeafSet>,
    /// By input variable: leaves that are read by `interpolateAtSample`.
    pub at_sample: BTreeMap<Id, LeafSet>,
    /// Inputs that are indexed with a value known only at run time.
    pub dynamic: BTreeSet<Id>,
    /// An instruction that is not in the grammar can run: every input counts as used.
    pub opaque: Option<InstId>,
}

impl Uses {
    /// Whether a leaf of an input is used.
    pub fn uses(&self, variable: Id, leaf: u32) -> bool {
        self.leaves.get(&variable).is_some_and(|set| set.contains(leaf))
    }
}

/// Maximum number of stores and blocks that are visited backwards from loads, before every store of a variable counts.
/// Each step may keep a set of leaves, so this bounds memory too.
const PATIENCE_PER_NODE: usize = 2;
const MIN_PATIENCE: usize = 1 << 19;

/// The state of the fixpoint. Demands are kept by node.
pub struct Flow<'a, 'm> {
    pub(super) module: &'m Module,
    pub(super) shapes: &'a Shapes<'m>,
    pub(super) reach: &'a Reach<'m>,
    pub(super) links: &'a Links<'m>,
    /// The frame whose instruction is looked at.
    pub(super) frame: FrameId,
    demand: LeafSets,
    /// Demand that has not been propagated yet: empty, unless the instruction is in the work list.
    fresh: LeafSets,
    /// The last instruction comes first: most of what uses a value follows it, so that the value is looked at once
    /// all of its demand is known.
    work: BinaryHeap<(FrameId, InstId)>,
    /// By memory, frame and instruction: the leaves that are demanded just before it.
    before: BTreeMap<(Node, FrameId, u32), LeafSet>,
    /// Stores and blocks that may still be looked at on the way back from loads.
    patience: usize,
    /// Buffer for the ids of one instruction.
    pub(super) ids: Vec<Id>,
    pub(super) uses: Uses,
}

/// Runs the fixpoint: what is used of the inputs, and, by slot of [`Reach`], whether the instruction is left after dead
/// code is gone.
pub fn run<'m>(
    module: &'m Module,
    entry: &EntryPoint,
    shapes: &Shapes<'m>,
    reach: &Reach<'m>,
    links: &Links<'m>,
) -> (Uses, Vec<bool>) {
    let nodes = links.frames.nodes();
    let mut flow = Flow {
        module,
        shapes,
        reach,
        links,
        frame: 0,
        demand: LeafSets::new(nodes),
        fresh: LeafSets::new(nodes),
        work: BinaryHeap::new(),
        before: BTreeMap::new(),
        patience: nodes.saturating_mul(PATIENCE_PER_NODE).max(MIN_PATIENCE),
        ids: Vec::new(),
        uses: Uses { dynamic: links.dynamic.clone(), opaque: links.opaque, ..Uses::default() },
    };
    let mut left = vec![false; reach.slots()];
    let mut keep = |index: InstId| _ = reach.slot(index).and_then(|slot| left.get_mut(slot)).map(|left| *left = true);
    for (frame, function) in links.frames.iter() {
        flow.frame = frame;
        for inst in reach.insts_of(function).filter(has_effect) {
            keep(inst.index);
            flow.demand_operands_of_root(&inst);
        }
    }
    flow.settle();
    flow.round_up(entry);
    for (frame, function) in links.frames.iter() {
        for inst in reach.insts_of(function) {
            if flow.is_demanded(frame, inst.index) {
                keep(inst.index);
            }
        }
    }
    (flow.uses, left)
}

impl<'m> Flow<'_, 'm> {
    fn settle(&mut self) {
        while let Some((frame, index)) = self.work.pop() {
            let Some(node) = self.links.frames.node(frame, index) else { continue };
            self.frame = frame;
            let fresh = self.fresh.take(node);
            self.demand_operands(&self.module.inst(index), &fresh);
        }
    }

    fn is_demanded(&self, frame: FrameId, index: InstId) -> bool {
        let node = self.links.frames.node(frame, index);
        node.is_some_and(|node| !self.demand.is_empty(node))
    }

    /// Inputs that are used as a whole: all where an instruction is opaque, and those too large to have leaves.
    fn round_up(&mut self, entry: &EntryPoint) {
        for &variable in &entry.interface {
            let Some(inst) = self.module.def(variable) else { continue };
            let is_input = input(self.module, &Pointer { base: inst.index, path: Path::new() }).is_some();
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
        let Some(node) = self.links.frames.node(self.frame, index).filter(|_| self.reach.can_run(index)) else {
            return;
        };
        let new = self.demand.add(node, leaves);
        if new.is_empty() {
            return;
        }
        if self.fresh.is_empty(node) {
            self.work.push((self.frame, index));
        }
        self.fresh.add(node, &new);
    }

    /// Does something as seen from another frame.
    pub(super) fn inside(&mut self, frame: FrameId, act: impl FnOnce(&mut Self)) {
        let here = std::mem::replace(&mut self.frame, frame);
        act(self);
        self.frame = here;
    }

    /// Demands a whole value.
    pub(super) fn want_all(&mut self, id: Id) {
        let Some(inst) = self.module.def(id) else { return };
        let Some(ty) = inst.result_type() else { return };
        self.want_at(inst.index, &self.shapes.all(ty));
    }

    /// Demands leaves of memory that an instruction reads: of an input, or of a variable, and with it what is stored
    /// there.
    pub(super) fn want_memory(&mut self, reader: InstId, place: &Place, leaves: &LeafSet) {
        if leaves.is_empty() {
            return;
        }
        let base = place.pointer.base;
        if let Some(variable) = input(self.module, &place.pointer) {
            self.uses.leaves.entry(variable).or_default().add(leaves);
            // Of extended instructions, only interpolation functions read through a pointer to an input.
            if self.module.inst(reader).op() != Some(Op::ExtInst) {
                self.uses.plain.entry(variable).or_default().add(leaves);
            }
            return;
        }
        // After a parameter is whichever input was passed.
        if pointer::class(self.module, base) == Some(StorageClass::Input) {
            return self.inside(place.frame, |flow| flow.want_at(base, leaves));
        }
        let Some(memory) = self.links.memory(place.frame, base) else { return };
        let class = pointer::class(self.module, base);
        let home = Some(place.frame).filter(|_| class == Some(StorageClass::Function));
        if self.links.is_ordered(memory) && self.want_seen(memory, home, reader, leaves).is_some() {
            return;
        }
        // Every store counts: see `demand_stores`.
        self.inside(place.frame, |flow| flow.want_at(base, leaves));
    }

    /// Demands what is stored in leaves of a memory by the stores that a reader may see: backwards from the reader,
    /// until each leaf is stored on every way, or the start of the memory's own frame (of the entry point, where it has
    /// none) is reached. Stops at the limit of steps.
    fn want_seen(&mut self, memory: Node, home: Option<FrameId>, reader: InstId, leaves: &LeafSet) -> Option<()> {
        let mut work = vec![(self.frame, reader.0, leaves.clone())];
        while let Some((frame, before, mut wanted)) = work.pop() {
            let blocks = self.links.blocks(frame)?;
            // The place just before the end of a block belongs to that block.
            let block = blocks.of_inst(InstId(before.saturating_sub(1)));
            let entered = self.want_stored_in(memory, frame, block..before, &mut wanted)?;
            let mut next: Vec<(FrameId, u32)> = Vec::new();
            if let Some(callee) = entered {
                let blocks = self.links.blocks(callee)?;
                next.extend(blocks.exits().iter().map(|&exit| (callee, blocks.end(exit))));
            } else if !blocks.is_first(block) {
                next.extend(blocks.before(block).iter().map(|&block| (frame, blocks.end(block))));
            } else if Some(frame) != home {
                next.extend(self.links.frames.callers(frame).iter().map(|&(caller, call)| (caller, call.0)));
            }
            if wanted.is_empty() {
                continue;
            }
            for (frame, before) in next {
                self.patience = self.patience.checked_sub(1)?;
                if self.before.entry((memory, frame, before)).or_default().add(&wanted) {
                    work.push((frame, before, wanted.clone()));
                }
            }
        }
        Some(())
    }

    /// Demands what the stores of a part of a block put into wanted leaves, and takes those leaves away. Returns
    /// the call that it stops at, because what it calls stores there too.
    fn want_stored_in(
        &mut self,
        memory: Node,
        frame: FrameId,
        part: Range<u32>,
        wanted: &mut LeafSet,
    ) -> Option<Option<FrameId>> {
        let links = self.links;
        self.patience = self.patience.checked_sub(1)?;
        for event in links.events(memory, frame, part) {
            self.patience = self.patience.checked_sub(1)?;
            match event {
                Event::Call(callee) => return Some(Some(callee)),
                Event::Store(index) => {
                    let store = links.stores(memory).get(index)?;
                    if self.want_stored(store, wanted) {
                        *wanted = wanted.without(store.leaves.clone());
                    }
                }
            }
            if wanted.is_empty() {
                break;
            }
        }
        Some(None)
    }
}
