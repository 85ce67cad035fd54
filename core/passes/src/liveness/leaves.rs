//! Types flattened into scalars, and sets of them.
//!
//! A *leaf* is one scalar of a composite, counted depth first: a vec3 has three, a mat2 four. A 64-bit scalar is one
//! leaf. A type with more than [`MAX_LEAVES`] of them (or a number known only at run time) is *collapsed*: one leaf
//! stands for all of it, so that memory stays linear in the module.

use std::ops::Range;

use lanescope_base::ids::Id;
use lanescope_spirv::{Module, Type};

/// Maximum number of leaves of a type before it is collapsed.
pub const MAX_LEAVES: u32 = 4096;

/// A set of leaves, as bits of words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeafSet {
    pub(super) first: u64,
    /// The words after the first, as far as there are leaves: the last of them is never 0.
    pub(super) rest: Vec<u64>,
}

impl LeafSet {
    fn of_words(words: impl IntoIterator<Item = u64>) -> LeafSet {
        let mut words = words.into_iter();
        let first = words.next().unwrap_or(0);
        let mut rest: Vec<u64> = words.collect();
        rest.truncate(rest.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1));
        LeafSet { first, rest }
    }

    fn word(&self, index: usize) -> u64 {
        match index.checked_sub(1) {
            None => self.first,
            Some(index) => self.rest.get(index).copied().unwrap_or(0),
        }
    }

    /// The leaf after the last one.
    fn end(&self) -> u32 {
        64 * (1 + self.rest.len() as u32) - self.rest.last().unwrap_or(&self.first).leading_zeros()
    }

    /// The leaves of a range.
    pub fn range(range: Range<u32>) -> LeafSet {
        let words = range.end.min(MAX_LEAVES).div_ceil(64);
        LeafSet::of_words((0..words).map(|word| bits(word, &range)))
    }

    /// Adds a leaf. No type has [`MAX_LEAVES`] of them or more, so what a broken module asks for beyond is not kept.
    pub fn insert(&mut self, leaf: u32) {
        if leaf >= MAX_LEAVES {
            return;
        }
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

    /// Whether a leaf is in the set.
    pub fn contains(&self, leaf: u32) -> bool {
        self.word((leaf / 64) as usize) >> (leaf % 64) & 1 != 0
    }

    /// Whether no leaf is in the set.
    pub fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.is_empty()
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
        std::iter::once(&self.first).chain(&self.rest).zip(0u32..).flat_map(|(&word, index)| {
            let some = |word: u64| Some(word).filter(|&word| word != 0);
            // Each time less its lowest bit.
            let left = std::iter::successors(some(word), move |&word| some(word & (word - 1)));
            left.map(move |word| index * 64 + word.trailing_zeros())
        })
    }

    /// The first 16 leaves, as bits.
    pub fn low_bits(&self) -> u16 {
        self.first as u16
    }

    /// The leaves of a range, counted from its start.
    pub fn within(&self, range: Range<u32>) -> LeafSet {
        let inside = 0..range.end.min(self.end()).saturating_sub(range.start);
        let (skip, shift) = ((range.start / 64) as usize, range.start % 64);
        LeafSet::of_words((0..inside.end.div_ceil(64)).map(|word| {
            let at = skip + word as usize;
            let high = self.word(at + 1).checked_shl(64 - shift).unwrap_or(0);
            (self.word(at) >> shift | high) & bits(word, &inside)
        }))
    }

    /// The leaves outside a range.
    pub fn without(&self, range: Range<u32>) -> LeafSet {
        LeafSet::of_words((0..).zip(0..=self.rest.len()).map(|(word, at)| self.word(at) & !bits(word, &range)))
    }

    /// The leaves that are not in `other`.
    pub fn less(&self, other: &LeafSet) -> LeafSet {
        LeafSet::of_words((0..=self.rest.len()).map(|at| self.word(at) & !other.word(at)))
    }

    /// The leaves, each counted from `start` instead of 0.
    pub fn moved_by(&self, start: u32) -> LeafSet {
        let (skip, shift) = ((start / 64) as usize, start % 64);
        let words = start.saturating_add(self.end()).min(MAX_LEAVES).div_ceil(64) as usize;
        let moved = |at: usize| {
            let low = at.checked_sub(skip).map_or(0, |at| self.word(at) << shift);
            let carried = at.checked_sub(skip + 1).and_then(|at| self.word(at).checked_shr(64 - shift));
            low | carried.unwrap_or(0)
        };
        LeafSet::of_words((0..words).map(moved))
    }
}

/// The bits of a word that are leaves of a range.
fn bits(word: u32, range: &Range<u32>) -> u64 {
    let start = word.saturating_mul(64);
    ones(range.end.saturating_sub(start)) & !ones(range.start.saturating_sub(start))
}

/// The lowest `count` bits, of at most 64.
fn ones(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Number of leaves of each type of a module.
pub struct Shapes<'m> {
    module: &'m Module,
    /// By index of the type's instruction: leaves, or 0 where the type is collapsed.
    counts: Vec<u32>,
}

impl<'m> Shapes<'m> {
    /// Counts the leaves of every type, in one pass over what comes before the first function.
    pub fn of(module: &'m Module) -> Shapes<'m> {
        let globals = module.globals();
        let mut shapes = Shapes { module, counts: Vec::with_capacity(globals.len()) };
        for inst in globals {
            let count = inst.ty().and_then(|ty| shapes.count(ty)).filter(|&n| n <= MAX_LEAVES).unwrap_or(0);
            shapes.counts.push(count);
        }
        shapes
    }

    /// Leaves of a type whose parts are known; absent if a part is collapsed or the number does not fit.
    fn count(&self, ty: Type<'_>) -> Option<u32> {
        let of = |id: Id| Some(self.known(id)).filter(|&n| n != 0);
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

    /// Leaves of a type; 0 where it is collapsed or not (yet) known.
    fn known(&self, ty: Id) -> u32 {
        let index = self.module.def_index(ty);
        index.and_then(|index| self.counts.get(index.0 as usize).copied()).unwrap_or(0)
    }

    /// Leaves of a type: 1 where it is collapsed.
    pub fn leaves(&self, ty: Id) -> u32 {
        self.known(ty).max(1)
    }

    /// Whether one leaf stands for the whole type.
    pub fn is_collapsed(&self, ty: Id) -> bool {
        self.known(ty) == 0
    }

    /// Leaves of a value: 1 where it is collapsed or has no type.
    pub fn leaves_of_value(&self, value: Id) -> u32 {
        self.module.type_of(value).map_or(1, |ty| self.leaves(ty))
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
                let start = before.iter().map(|&m| self.leaves(Id(m))).fold(0, u32::saturating_add);
                members.get(index as usize).map(|&member| (Id(member), start))
            }
            _ => None,
        }
    }

    /// The leaves that a path of constant indices leads to; the whole of what is collapsed on the way.
    pub fn range(&self, ty: Id, path: impl IntoIterator<Item = u32>) -> Range<u32> {
        let (mut ty, mut start) = (ty, 0);
        for index in path {
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
    fn large_sets_behave_like_small_ones() {
        for start in [0, 3, 60, 64, 200] {
            let mut set = LeafSet::range(start..start + 10);
            assert_eq!(set.iter().collect::<Vec<_>>(), (start..start + 10).collect::<Vec<_>>());
            assert_eq!(set.within(start + 2..start + 5), LeafSet::range(0..3));
            assert_eq!(LeafSet::range(0..10).moved_by(start), set);
            let ends: Vec<u32> = set.without(start + 1..start + 9).iter().collect();
            assert_eq!(ends, [start, start + 9]);
            assert_eq!(set.less(&LeafSet::range(start + 1..start + 9)).iter().collect::<Vec<_>>(), ends);
            assert_eq!(set.without(0..start + 10), LeafSet::default());
            assert!(!set.add(&LeafSet::range(start + 1..start + 2)));
            assert!(set.add(&LeafSet::range(start + 10..start + 11)) && set.contains(start + 10));
        }
        assert!(LeafSet::default().is_empty());
        assert_eq!(LeafSet::range(0..u32::MAX).iter().count(), MAX_LEAVES as usize, "bounded, whatever is asked for");
        assert!(LeafSet::range(3..4).moved_by(u32::MAX).is_empty());
        assert!(LeafSet::range(3..4).moved_by(MAX_LEAVES - 3).is_empty());
    }

    /// Every way to cut and to move a set, against the same done leaf by leaf.
    #[test]
    fn cuts_and_moves_sets_like_their_leaves() {
        let of = |leaves: &[u32]| {
            let mut set = LeafSet::default();
            leaves.iter().for_each(|&leaf| set.insert(leaf));
            set
        };
        let leaves = [0, 1, 31, 62, 63, 64, 65, 100, 127, 128, 190, 191, 192, 250];
        let set = of(&leaves);
        assert_eq!(set.iter().collect::<Vec<_>>(), leaves);
        for start in (0..260).step_by(3) {
            let moved: Vec<u32> = leaves.iter().map(|leaf| leaf + start).collect();
            assert_eq!(set.moved_by(start), of(&moved), "{start}");
            for end in start..260 {
                let (inside, outside): (Vec<u32>, Vec<u32>) = leaves.iter().partition(|&l| (start..end).contains(l));
                let counted: Vec<u32> = inside.iter().map(|leaf| leaf - start).collect();
                assert_eq!(set.within(start..end), of(&counted), "{start}..{end}");
                assert_eq!(set.without(start..end), of(&outside), "{start}..{end}");
                assert_eq!(set.less(&of(&inside)), of(&outside), "{start}..{end}");
            }
        }
    }
}
