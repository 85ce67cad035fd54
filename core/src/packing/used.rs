//! Which scalars of the inputs are used: backward component liveness to a fixpoint.
//!
//! Demand flows from what has an effect (outputs, memory others can see, control flow) back through the values that
//! make it. Arithmetic, conversion, selection, copies and composites are followed component by component, and so are
//! variables of a function that are indexed with constants; anything else demands all of its operands. A driver that
//! optimises first may differ in exotic cases: no values are reasoned about, an input times zero is used.

mod operands;
mod pointer;

use std::collections::{BTreeMap, BTreeSet};

use super::leaves::{LeafSet, Shapes};
use super::reach::{Reach, def_index};
use crate::ids::Id;
use crate::spirv::enums::{Op, StorageClass};
use crate::spirv::{EntryPoint, Inst, InstId, Module};
use pointer::{Pointer, Step};

/// What an entry point uses of its variables.
#[derive(Debug, Clone, Default)]
pub(super) struct Uses {
    /// By variable: the leaves that are demanded.
    pub leaves: BTreeMap<Id, LeafSet>,
    /// By variable: leaves that are read by `interpolateAtOffset`, `…Centroid`, `…Sample` and at a vertex.
    pub at_offset: BTreeMap<Id, LeafSet>,
    pub at_centroid: BTreeMap<Id, LeafSet>,
    pub at_sample: BTreeMap<Id, LeafSet>,
    pub at_vertex: BTreeMap<Id, LeafSet>,
    /// Variables that are indexed with a value known only at run time.
    pub dynamic: BTreeSet<Id>,
    /// An instruction that the grammar does not know can run: everything counts as used.
    pub opaque: Option<InstId>,
}

impl Uses {
    /// What an entry point uses of the variables it reads.
    pub fn of(module: &Module, entry: &EntryPoint) -> Uses {
        let reach = Reach::of(module, entry);
        let mut flow = Flow::new(module, &reach);
        flow.gather(&reach);
        flow.seed(&reach);
        flow.run();
        flow.uses
    }

    /// Whether a leaf of a variable is used.
    pub fn uses(&self, variable: Id, leaf: u32) -> bool {
        self.opaque.is_some() || self.leaves.get(&variable).is_some_and(|set| set.contains(leaf))
    }
}

/// The state of the fixpoint. Demands are kept by the index of the defining instruction.
struct Flow<'m> {
    module: &'m Module,
    shapes: Shapes<'m>,
    demand: Vec<LeafSet>,
    queued: Vec<bool>,
    work: Vec<InstId>,
    /// Variables and pointer parameters that name the same memory share the first of them.
    same: Vec<u32>,
    /// Memory that is indexed dynamically somewhere: it is used as a whole or not at all.
    whole: Vec<bool>,
    /// By memory: the stores into it.
    stores: BTreeMap<u32, Vec<InstId>>,
    /// By function: its calls, and its returns.
    calls: BTreeMap<Id, Vec<InstId>>,
    returns: BTreeMap<Id, Vec<InstId>>,
    /// By parameter: its function, and its place among the arguments.
    parameters: BTreeMap<InstId, (Id, u32)>,
    uses: Uses,
}

impl<'m> Flow<'m> {
    fn new(module: &'m Module, _reach: &Reach<'m>) -> Flow<'m> {
        let count = module.len();
        Flow {
            module,
            shapes: Shapes::of(module),
            demand: vec![LeafSet::default(); count],
            queued: vec![false; count],
            work: Vec::new(),
            same: (0..count as u32).collect(),
            whole: vec![false; count],
            stores: BTreeMap::new(),
            calls: BTreeMap::new(),
            returns: BTreeMap::new(),
            parameters: BTreeMap::new(),
            uses: Uses::default(),
        }
    }

    /// The memory that stands for a variable or pointer parameter.
    fn memory(&self, mut index: u32) -> u32 {
        while self.same[index as usize] != index {
            index = self.same[index as usize];
        }
        index
    }

    /// Learns calls, returns, stores, and which pointers name the same memory.
    fn gather(&mut self, reach: &Reach<'m>) {
        for (function, insts) in &reach.functions {
            let mut place = 0;
            for inst in insts {
                match inst.op() {
                    Some(Op::FunctionParameter) => {
                        self.parameters.insert(inst.index, (function.id, place));
                        place += 1;
                    }
                    Some(Op::FunctionCall) => self.calls.entry(inst.id_at(3)).or_default().push(inst.index),
                    Some(Op::ReturnValue) => self.returns.entry(function.id).or_default().push(inst.index),
                    None if self.uses.opaque.is_none() => self.uses.opaque = Some(inst.index),
                    _ => {}
                }
            }
        }
        self.alias_parameters();
        for inst in reach.insts() {
            match inst.op() {
                Some(Op::Store) => {
                    if let Some(pointer) = self.tracked(inst.id_at(1)) {
                        self.note_dynamic(&pointer);
                        let memory = self.memory(pointer.base.0);
                        self.stores.entry(memory).or_default().push(inst.index);
                    }
                }
                Some(Op::Load) => {
                    if let Some(pointer) = self.tracked(inst.id_at(3)) {
                        self.note_dynamic(&pointer);
                    }
                }
                _ => {}
            }
        }
    }

    /// Joins each pointer parameter with the variables that are passed for it.
    fn alias_parameters(&mut self) {
        let parameters: Vec<(InstId, (Id, u32))> = self.parameters.iter().map(|(&p, &of)| (p, of)).collect();
        for (parameter, (function, place)) in parameters {
            let inst = self.module.inst(parameter);
            let is_pointer = inst.result().and_then(|id| self.module.pointee(id)).is_some();
            if !is_pointer {
                continue;
            }
            for call in self.calls.get(&function).cloned().unwrap_or_default() {
                let argument = self.module.inst(call).id_at(4 + place as usize);
                let passed = pointer::resolve(self.module, argument);
                match passed {
                    Some(passed) => {
                        // A part of a variable stands for all of it: only whole-memory demands stay exact.
                        if !passed.path.is_empty() {
                            let memory = self.memory(passed.base.0);
                            self.whole[memory as usize] = true;
                        }
                        let (a, b) = (self.memory(parameter.0), self.memory(passed.base.0));
                        let (low, high) = (a.min(b), a.max(b));
                        self.same[high as usize] = low;
                        self.whole[low as usize] |= self.whole[high as usize] || !passed.path.is_empty();
                    }
                    None => {
                        let memory = self.memory(parameter.0);
                        self.whole[memory as usize] = true;
                    }
                }
            }
        }
    }

    /// A pointer into memory that only this invocation sees, if it can be followed.
    fn tracked(&self, pointer: Id) -> Option<Pointer> {
        let found = pointer::resolve(self.module, pointer)?;
        let class = pointer::class(self.module, found.base);
        let own = matches!(class, Some(StorageClass::Function | StorageClass::Private | StorageClass::Input));
        own.then_some(found)
    }

    fn note_dynamic(&mut self, pointer: &Pointer) {
        if !pointer.path.iter().any(|step| matches!(step, Step::Any(_))) {
            return;
        }
        if pointer::class(self.module, pointer.base) == Some(StorageClass::Input) {
            self.uses.dynamic.extend(self.module.inst(pointer.base).result());
        } else {
            let memory = self.memory(pointer.base.0);
            self.whole[memory as usize] = true;
        }
    }

    /// Starts from everything that has an effect of its own.
    fn seed(&mut self, reach: &Reach<'m>) {
        for inst in reach.insts() {
            match inst.op() {
                Some(op) if operands::is_root(op, inst) => self.demand_operands_of_root(inst),
                None => self.demand_raw(inst),
                _ => {}
            }
        }
    }

    fn run(&mut self) {
        while let Some(index) = self.work.pop() {
            self.queued[index.0 as usize] = false;
            let inst = self.module.inst(index);
            self.demand_operands(&inst);
        }
    }

    /// Adds to what is demanded of a value.
    fn want(&mut self, id: Id, leaves: &LeafSet) {
        if let Some(index) = def_index(self.module, id) {
            self.want_at(index, leaves);
        }
    }

    fn want_at(&mut self, index: InstId, leaves: &LeafSet) {
        let at = index.0 as usize;
        if self.demand[at].add(leaves) && !self.queued[at] {
            self.queued[at] = true;
            self.work.push(index);
        }
    }

    /// Demands a whole value.
    fn want_all(&mut self, id: Id) {
        let Some(ty) = self.module.type_of(id) else { return };
        let all = self.shapes.all(ty);
        self.want(id, &all);
    }

    /// Demands leaves of memory: of an input, or of a variable, and with it what is stored there.
    fn want_memory(&mut self, pointer: &Pointer, leaves: &LeafSet) {
        let inst = self.module.inst(pointer.base);
        let Some(id) = inst.result() else { return };
        if pointer::class(self.module, pointer.base) == Some(StorageClass::Input) {
            self.uses.leaves.entry(id).or_default().add(leaves);
            return;
        }
        let memory = InstId(self.memory(pointer.base.0));
        let whole = self.whole[memory.0 as usize];
        if whole && let Some(ty) = self.module.pointee(id) {
            let mut all = self.shapes.all(ty);
            all.add(leaves);
            self.want_at(memory, &all);
        } else {
            self.want_at(memory, leaves);
        }
    }

    /// An instruction without grammar may use anything that its words name.
    fn demand_raw(&mut self, inst: &Inst<'m>) {
        for &word in inst.words_from(1) {
            self.want_anything(Id(word));
        }
    }

    /// Demands all of a value, and all of the memory behind a pointer.
    fn want_anything(&mut self, id: Id) {
        self.want_all(id);
        if let Some(found) = self.tracked(id)
            && let Some(ty) = self.module.inst(found.base).result().and_then(|id| self.module.pointee(id))
        {
            let all = self.shapes.all(ty);
            self.want_memory(&found, &all);
        }
    }
}
