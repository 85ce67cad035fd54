//! Types flattened into scalars, and sets of them.
//!
//! A *leaf* is one scalar of a composite, counted depth first: a vec3 has three, a mat2 four. A 64-bit scalar is one
//! leaf. A type with more than [`MAX_LEAVES`] of them (or a number known only at run time) is *collapsed*: one leaf
//! stands for all of it, so that memory stays linear in the module.

use crate::ids::Id;
use crate::spirv::{Module, Type};

/// How many leaves a type may have before it is collapsed.
pub(super) const MAX_LEAVES: u32 = 4096;

/// A set of leaves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LeafSet {
    first: u64,
    rest: Vec<u64>,
}

impl LeafSet {
    pub fn range(range: std::ops::Range<u32>) -> LeafSet {
        let mut set = LeafSet::default();
        for leaf in range {
            set.insert(leaf);
        }
        set
    }

    pub fn insert(&mut self, leaf: u32) {
        let (word, bit) = ((leaf / 64) as usize, 1u64 << (leaf % 64));
        if word == 0 {
            self.first |= bit;
        } else {
            if self.rest.len() < word {
                self.rest.resize(word, 0);
            }
            self.rest[word - 1] |= bit;
        }
    }

    pub fn contains(&self, leaf: u32) -> bool {
        let word = (leaf / 64) as usize;
        let bits = if word == 0 { self.first } else { self.rest.get(word - 1).copied().unwrap_or(0) };
        bits >> (leaf % 64) & 1 != 0
    }

    pub fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.iter().all(|&word| word == 0)
    }

    /// Adds every leaf of `other`; says whether that changed anything.
    pub fn add(&mut self, other: &LeafSet) -> bool {
        let mut changed = other.first & !self.first != 0;
        self.first |= other.first;
        if self.rest.len() < other.rest.len() {
            self.rest.resize(other.rest.len(), 0);
        }
        for (to, from) in self.rest.iter_mut().zip(&other.rest) {
            changed |= from & !*to != 0;
            *to |= from;
        }
        changed
    }

    /// The leaves of the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(&self.first)
            .chain(&self.rest)
            .zip(0u32..)
            .flat_map(|(&word, index)| (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| index * 64 + bit))
    }

    /// The leaves of a range, counted from its start.
    pub fn within(&self, range: std::ops::Range<u32>) -> LeafSet {
        if range.start == 0 && range.end <= 64 && self.rest.is_empty() {
            let mask = if range.end == 64 { u64::MAX } else { (1 << range.end) - 1 };
            return LeafSet { first: self.first & mask, rest: Vec::new() };
        }
        let mut out = LeafSet::default();
        self.iter().filter(|leaf| range.contains(leaf)).for_each(|leaf| out.insert(leaf - range.start));
        out
    }

    /// The leaves, each counted from `start` instead of 0.
    pub fn moved_by(&self, start: u32) -> LeafSet {
        if start == 0 {
            return self.clone();
        }
        let mut out = LeafSet::default();
        self.iter().for_each(|leaf| out.insert(leaf + start));
        out
    }
}

/// How many leaves each type of a module has.
pub(super) struct Shapes<'m> {
    module: &'m Module,
    /// By type id: leaves, or 0 where the type is collapsed.
    counts: std::collections::BTreeMap<Id, u32>,
}

impl<'m> Shapes<'m> {
    pub fn of(module: &'m Module) -> Shapes<'m> {
        let mut shapes = Shapes { module, counts: std::collections::BTreeMap::new() };
        for inst in module.insts() {
            if inst.op() == Some(crate::spirv::enums::Op::Function) {
                break;
            }
            let Some(id) = inst.result() else { continue };
            let Some(ty) = module.ty(id) else { continue };
            let count = shapes.count(ty).filter(|&n| n <= MAX_LEAVES).unwrap_or(0);
            shapes.counts.insert(id, count);
        }
        shapes
    }

    /// Leaves of a type whose parts are known; absent if a part is collapsed or the number does not fit.
    fn count(&self, ty: Type<'_>) -> Option<u32> {
        let of = |id: Id| self.counts.get(&id).copied().filter(|&n| n != 0);
        match ty {
            Type::Vector { component, count } => of(component)?.checked_mul(count),
            Type::Matrix { column, count } => of(column)?.checked_mul(count),
            Type::Array { element, length } => of(element)?.checked_mul(self.module.array_length(length)?),
            Type::Struct { members } => {
                members.iter().try_fold(0u32, |sum, &member| sum.checked_add(of(Id(member))?)).map(|n| n.max(1))
            }
            Type::RuntimeArray { .. } => None,
            _ => Some(1),
        }
        .filter(|&n| n != 0)
    }

    /// Leaves of a type: 1 where it is collapsed.
    pub fn leaves(&self, ty: Id) -> u32 {
        self.counts.get(&ty).copied().unwrap_or(1).max(1)
    }

    fn is_collapsed(&self, ty: Id) -> bool {
        self.counts.get(&ty).is_none_or(|&n| n == 0)
    }

    /// All leaves of a type.
    pub fn all(&self, ty: Id) -> LeafSet {
        LeafSet::range(0..self.leaves(ty))
    }

    /// A part of a composite: its type, and where its leaves start. Absent for an index that is out of range.
    pub fn part(&self, ty: Id, index: u32) -> Option<(Id, u32)> {
        let at = |part: Id| Some((part, self.leaves(part).checked_mul(index)?));
        match self.module.ty(ty)? {
            Type::Vector { component, count } if index < count => at(component),
            Type::Matrix { column, count } if index < count => at(column),
            Type::Array { element, length } if self.module.array_length(length).is_none_or(|n| index < n) => {
                at(element)
            }
            Type::RuntimeArray { element } => Some((element, 0)),
            Type::Struct { members } => {
                let before = members.get(..index as usize)?;
                let start = before.iter().map(|&m| self.leaves(Id(m))).sum();
                members.get(index as usize).map(|&member| (Id(member), start))
            }
            _ => None,
        }
    }

    /// The leaves that a path of constant indices leads to; the whole of what is collapsed on the way.
    pub fn range(&self, ty: Id, path: &[u32]) -> std::ops::Range<u32> {
        let (mut ty, mut start) = (ty, 0);
        for &index in path {
            if self.is_collapsed(ty) {
                break;
            }
            let Some((part, offset)) = self.part(ty, index) else { break };
            (ty, start) = (part, start + offset);
        }
        start..start + self.leaves(ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_many_leaves_behave_like_sets_of_few() {
        for start in [0, 3, 60, 64, 200] {
            let mut set = LeafSet::range(start..start + 10);
            assert_eq!(set.iter().collect::<Vec<_>>(), (start..start + 10).collect::<Vec<_>>());
            assert_eq!(set.within(start + 2..start + 5), LeafSet::range(0..3));
            assert_eq!(LeafSet::range(0..10).moved_by(start), set);
            assert!(!set.add(&LeafSet::range(start + 1..start + 2)));
            assert!(set.add(&LeafSet::range(start + 10..start + 11)) && set.contains(start + 10));
        }
        assert!(LeafSet::default().is_empty());
    }
}
