//! Which components of which values a shader's effects depend on: what is left to read after dead code is gone.
//!
//! Backward from the instructions with effects, to a fixpoint, over the functions that the entry point reaches.
//! Component by component through component-wise arithmetic, shuffles, and local variables that are accessed whole or
//! by a constant index; anything else demands every component. There is no reasoning about values.

use std::collections::BTreeMap;

use crate::ids::Id;
use crate::spirv::enums::{Op, StorageClass};
use crate::spirv::{EntryPoint, Inst, InstId, Module, Type, grammar};

/// Components of a vector as bits; a scalar is bit 0, anything larger is [`ALL`].
pub(super) type Mask = u16;

/// Every component.
pub(super) const ALL: Mask = Mask::MAX;

/// Longest chain of pointer instructions that is followed: a broken module may define pointers in a circle.
const MAX_CHAIN: usize = 64;

/// An access to a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Access {
    /// The variable.
    pub variable: Id,
    /// The indices into it, outermost first; absent where the whole variable may be accessed in ways unseen.
    pub chain: Vec<Id>,
    /// Components of what the chain leads to.
    pub mask: Mask,
}

/// What an entry point's effects demand.
pub(super) struct Demand<'m> {
    module: &'m Module,
    /// Instructions of the reachable functions.
    insts: Vec<InstId>,
    /// By id.
    masks: Vec<Mask>,
    /// Stores to local variables, by variable.
    stores: BTreeMap<Id, Vec<InstId>>,
    work: Vec<Id>,
}

impl<'m> Demand<'m> {
    /// Runs the analysis. Cost: each instruction is visited at most once a component; memory is linear in the ids.
    pub fn of(module: &'m Module, entry: &EntryPoint) -> Demand<'m> {
        let insts: Vec<InstId> =
            module.reachable(entry).into_iter().flat_map(|f| f.insts.clone().map(InstId)).collect();
        let mut demand = Demand {
            module,
            insts,
            masks: vec![0; module.bound() as usize],
            stores: BTreeMap::new(),
            work: Vec::new(),
        };
        let mut roots = Vec::new();
        for index in demand.insts.clone() {
            let inst = module.inst(index);
            match demand.local_store(&inst) {
                Some(variable) => demand.stores.entry(variable).or_default().push(inst.index),
                None if has_effect(&inst) => roots.push(inst),
                None => {}
            }
        }
        for inst in roots {
            demand.all_operands(&inst);
        }
        while let Some(id) = demand.work.pop() {
            if let Some(inst) = module.def(id) {
                demand.propagate(&inst, demand.mask(id));
            }
        }
        demand
    }

    /// The instructions of the functions that are reachable.
    pub fn insts(&self) -> impl Iterator<Item = Inst<'m>> {
        self.insts.iter().map(|&index| self.module.inst(index))
    }

    /// Every access that reads a variable of a storage class and matters, in module order.
    pub fn reads(&self, class: StorageClass) -> Vec<Access> {
        let mut out = Vec::new();
        for inst in self.insts() {
            if inst.op() == Some(Op::Load)
                && let Some(mask) = inst.result().map(|id| self.mask(id)).filter(|&mask| mask != 0)
                && let Some((variable, chain)) = self.resolve(inst.id_at(3))
                && self.class(variable) == Some(class)
            {
                out.push(Access { variable, chain, mask });
            }
            // A pointer that is used otherwise (interpolation functions, calls, copies) reads what it leads to.
            if inst.op() != Some(Op::Variable)
                && let Some(pointer) = inst.result().filter(|&id| self.mask(id) != 0)
                && let Some((variable, chain)) = self.resolve(pointer)
                && self.class(variable) == Some(class)
            {
                out.push(Access { variable, chain, mask: ALL });
            }
        }
        for inst in self.module.insts() {
            match (inst.op(), inst.result()) {
                (Some(Op::Function), _) => break,
                (Some(Op::Variable), Some(id)) if self.mask(id) != 0 && self.class(id) == Some(class) => {
                    out.push(Access { variable: id, chain: Vec::new(), mask: ALL });
                }
                _ => {}
            }
        }
        out
    }

    /// Every load of a variable of a storage class in reachable code, whether or not anything depends on it.
    pub fn loads(&self, class: StorageClass) -> Vec<Access> {
        let loads = self.insts().filter(|inst| inst.op() == Some(Op::Load));
        let found = loads.filter_map(|inst| self.resolve(inst.id_at(3)));
        found
            .filter(|(variable, _)| self.class(*variable) == Some(class))
            .map(|(variable, chain)| Access { variable, chain, mask: ALL })
            .collect()
    }

    /// Every access that writes a variable of a storage class. A variable handed to a call counts as written.
    pub fn writes(&self, class: StorageClass) -> Vec<Access> {
        let mut out = Vec::new();
        for inst in self.insts() {
            let pointers: &[u32] = match inst.op() {
                Some(Op::Store | Op::CopyMemory) => &inst.words_from(1)[..1.min(inst.words_from(1).len())],
                Some(Op::FunctionCall) => inst.words_from(4),
                _ => continue,
            };
            for &pointer in pointers {
                if let Some((variable, chain)) = self.resolve(Id(pointer))
                    && self.class(variable) == Some(class)
                {
                    out.push(Access { variable, chain, mask: ALL });
                }
            }
        }
        out
    }

    /// The variable that a pointer leads into, and the indices on the way.
    pub fn resolve(&self, pointer: Id) -> Option<(Id, Vec<Id>)> {
        let mut chain: Vec<Id> = Vec::new();
        let mut at = pointer;
        for _ in 0..MAX_CHAIN {
            let inst = self.module.def(at)?;
            match inst.op()? {
                Op::Variable => {
                    chain.reverse();
                    return Some((at, chain));
                }
                Op::AccessChain | Op::InBoundsAccessChain => {
                    chain.extend(inst.words_from(4).iter().rev().map(|&id| Id(id)));
                    at = inst.id_at(3);
                }
                Op::CopyObject => at = inst.id_at(3),
                _ => return None,
            }
        }
        None
    }

    /// The storage class of a variable.
    pub fn class(&self, variable: Id) -> Option<StorageClass> {
        let inst = self.module.def(variable).filter(|inst| inst.op() == Some(Op::Variable))?;
        StorageClass::from_u32(inst.word_at(3))
    }

    /// The demanded components of a value.
    fn mask(&self, id: Id) -> Mask {
        self.masks.get(id.0 as usize).copied().unwrap_or(0)
    }

    fn demand(&mut self, id: Id, mask: Mask) {
        if let Some(known) = self.masks.get_mut(id.0 as usize)
            && *known | mask != *known
        {
            *known |= mask;
            self.work.push(id);
        }
    }

    fn all_operands(&mut self, inst: &Inst<'_>) {
        let mut ids = Vec::new();
        if grammar::for_each_id_used(inst.words, |id| ids.push(id)).is_err() {
            // Raw words: each may be an id.
            ids.extend(inst.words_from(1).iter().map(|&word| Id(word)));
        }
        for id in ids {
            self.demand(id, ALL);
        }
    }

    /// The local variable that a store writes, if it is one.
    fn local_store(&self, inst: &Inst<'_>) -> Option<Id> {
        let (variable, _) = (inst.op()? == Op::Store).then(|| self.resolve(inst.id_at(1)))??;
        self.is_local(variable).then_some(variable)
    }

    fn is_local(&self, variable: Id) -> bool {
        matches!(self.class(variable), Some(StorageClass::Function | StorageClass::Private))
    }

    /// Number of components of a vector type, 1 for a scalar; absent for anything larger.
    fn width_of_type(&self, ty: Id) -> Option<u32> {
        match self.module.ty(ty)? {
            Type::Bool | Type::Int { .. } | Type::Float { .. } => Some(1),
            Type::Vector { count, .. } => Some(count),
            _ => None,
        }
    }

    fn width(&self, value: Id) -> Option<u32> {
        self.width_of_type(self.module.type_of(value)?)
    }

    /// The components that an access reaches, of a variable that is a vector or a scalar; otherwise all.
    fn reached(&self, variable: Id, chain: &[Id], mask: Mask) -> Mask {
        let width = self.module.pointee(variable).and_then(|ty| self.width_of_type(ty));
        match (width, chain) {
            (Some(_), []) => mask,
            (Some(_), [index]) => self.constant_bit(*index).unwrap_or(ALL),
            _ => ALL,
        }
    }

    fn constant_bit(&self, index: Id) -> Option<Mask> {
        (1 as Mask).checked_shl(self.module.constant(index)?.as_u32()?)
    }

    fn propagate(&mut self, inst: &Inst<'m>, mask: Mask) {
        let Some(op) = inst.op() else { return self.all_operands(inst) };
        match op {
            Op::Variable => self.variable(inst, mask),
            Op::Load => match self.resolve(inst.id_at(3)) {
                Some((variable, chain)) => {
                    for &index in &chain {
                        self.demand(index, ALL);
                    }
                    if self.is_local(variable) {
                        self.demand(variable, self.reached(variable, &chain, mask));
                    }
                }
                None => self.demand(inst.id_at(3), ALL),
            },
            Op::CompositeExtract => {
                let composite = inst.id_at(3);
                let bit = match inst.words_from(4) {
                    [index] if self.width(composite).is_some() => (1 as Mask).checked_shl(*index),
                    _ => None,
                };
                self.demand(composite, bit.unwrap_or(ALL));
            }
            Op::CompositeInsert => {
                let (object, composite) = (inst.id_at(3), inst.id_at(4));
                let bit = match inst.words_from(5) {
                    [index] if self.width(composite).is_some() => (1 as Mask).checked_shl(*index),
                    _ => None,
                };
                if bit.is_none_or(|bit| mask & bit != 0) {
                    self.demand(object, ALL);
                }
                self.demand(composite, bit.map_or(ALL, |bit| mask & !bit));
            }
            Op::CompositeConstruct => self.construct(inst, mask),
            Op::VectorShuffle => self.shuffle(inst, mask),
            Op::Phi => {
                for pair in inst.words_from(3).chunks_exact(2) {
                    self.demand(Id(pair[0]), mask);
                }
            }
            _ if is_component_wise(op, inst) => {
                let own = inst.result_type().and_then(|ty| self.width_of_type(ty));
                let first = if op == Op::ExtInst { 5 } else { 3 };
                for &operand in inst.words_from(first) {
                    let same = own.is_some() && self.width(Id(operand)) == own;
                    self.demand(Id(operand), if same { mask } else { ALL });
                }
            }
            _ => self.all_operands(inst),
        }
    }

    /// A demanded variable demands what is stored to it.
    fn variable(&mut self, inst: &Inst<'_>, mask: Mask) {
        let Some(variable) = inst.result().filter(|&id| self.is_local(id)) else { return };
        for store in self.stores.get(&variable).cloned().unwrap_or_default() {
            let store = self.module.inst(store);
            let Some((_, chain)) = self.resolve(store.id_at(1)) else { continue };
            let reached = self.reached(variable, &chain, ALL);
            if reached & mask == 0 {
                continue;
            }
            for &index in &chain {
                self.demand(index, ALL);
            }
            let whole = chain.is_empty() && self.width(store.id_at(2)).is_some();
            self.demand(store.id_at(2), if whole { mask } else { ALL });
        }
    }

    fn construct(&mut self, inst: &Inst<'_>, mask: Mask) {
        let vector = inst.result_type().is_some_and(|ty| self.width_of_type(ty).is_some());
        let mut at = 0u32;
        for &part in inst.words_from(3) {
            let width = self.width(Id(part)).filter(|_| vector);
            let wanted = match width {
                Some(width) => {
                    let own =
                        mask.checked_shr(at).unwrap_or(0) & ALL.checked_shr(16u32.saturating_sub(width)).unwrap_or(0);
                    at = at.saturating_add(width);
                    own
                }
                None => ALL,
            };
            self.demand(Id(part), wanted);
        }
    }

    fn shuffle(&mut self, inst: &Inst<'_>, mask: Mask) {
        let (first, second) = (inst.id_at(3), inst.id_at(4));
        let split = self.width(first).unwrap_or(0);
        for (i, &literal) in inst.words_from(5).iter().enumerate().take(16) {
            if mask & (1 << i) == 0 || literal == u32::MAX {
                continue;
            }
            let (vector, at) = if literal < split { (first, literal) } else { (second, literal - split) };
            self.demand(vector, (1 as Mask).checked_shl(at).unwrap_or(0));
        }
    }
}

/// Whether an instruction does more than give its result.
fn has_effect(inst: &Inst<'_>) -> bool {
    let Some(op) = inst.op() else { return true };
    if inst.result().is_none() {
        return !matches!(op, Op::Line | Op::NoLine | Op::Nop | Op::FunctionEnd);
    }
    !match op as u32 {
        // Functions, parameters, labels, variables and undefined values.
        1 | 54 | 55 | 59 | 248 => true,
        // Extended instructions, but those of GLSL.std.450 that write through a pointer (Modf, Frexp).
        12 => !matches!(inst.word_at(4), 35 | 51),
        // Texel pointers, loads and address arithmetic.
        60 | 61 | 65..=70 => true,
        // Composites, images, conversions, arithmetic, comparison, bits, derivatives, phi.
        77..=84 | 86..=98 | 100..=107 | 109..=124 | 126..=152 | 154..=191 | 194..=205 | 207..=215 | 245 => true,
        // Sparse image reads and logical copies.
        305..=316 | 320 | 400 => true,
        _ => false,
    }
}

/// Whether component i of the result depends on component i of the operands only.
fn is_component_wise(op: Op, inst: &Inst<'_>) -> bool {
    match op as u32 {
        // GLSL.std.450: rounding to square roots, minima to fused multiply-add, the minima that handle NaN.
        12 => matches!(inst.word_at(4), 1..=32 | 37..=50 | 79..=81),
        83 | 109..=116 | 124 | 126..=142 | 156..=191 | 194..=205 | 207..=215 => true,
        _ => false,
    }
}
