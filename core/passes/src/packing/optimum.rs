//! The least number of slots that the constraints of packing allow, whichever order places the scalars.
//!
//! After scalarisation every span is one scalar: 32 bits take a component, 16 bits a half of one. What may share a slot is
//! decided by classes alone, and sharing is an equivalence between them. So the least number of slots of a set of classes
//! that share follows from their components, without a search. Only a scalar that is read in several classes leaves a
//! choice: it needs a place in one of them. That choice is searched, with a bound on the steps.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Place;
use super::assign::READ_STREAM;
use super::class::Class;
use super::link::Linkage;
use lanescope_model::options::PackingOrder;

/// Components of a slot.
const COMPONENTS: u32 = 4;
/// Steps of the search at most.
const MOST_STEPS: u32 = 4096;

/// The least number of slots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Optimum {
    /// No packing has fewer.
    pub low: u32,
    /// A packing with so many exists. Larger than `low` only if the search was given up.
    pub high: u32,
    /// Classes that may share slots together, each set with what it takes: of the packing with `high` slots.
    pub sets: Vec<SharingSet>,
    /// Nothing may be packed after a mesh shader: the slots are those of the renumbered interface.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub fixed: bool,
}

/// Classes whose scalars may share slots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SharingSet {
    /// The classes that have scalars, in the order of LLPC's keys.
    pub classes: Vec<ClassCount>,
    /// Components that they take together.
    pub components: u32,
    /// Slots that they take together.
    pub slots: u32,
}

/// The scalars of a class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassCount {
    /// The class: `32-bit interpolated`.
    pub class: Cow<'static, str>,
    /// Scalars.
    pub scalars: u32,
    /// Slots that they take if they share with no other class.
    pub slots: u32,
}

impl SharingSet {
    /// Components of its slots that stay free.
    pub fn free(&self) -> u32 {
        (self.slots * COMPONENTS).saturating_sub(self.components)
    }
}

impl Linkage {
    /// The least number of slots of the consumer's generic inputs, of the order that packs them best or of none.
    pub fn optimum(&self) -> Optimum {
        if self.is_after_mesh() {
            let slots = self.renumber().used(READ_STREAM);
            return Optimum { low: slots, high: slots, sets: Vec::new(), fixed: true };
        }
        let read = self.entries();
        optimum(read.iter().filter(|entry| entry.stream == READ_STREAM).map(|entry| (entry.from, entry.class)))
    }
}

/// As [`Linkage::optimum`], of scalars with their places as written and their classes.
pub(super) fn optimum(scalars: impl Iterator<Item = (Place, Class)>) -> Optimum {
    let mut by_place: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
    for (place, class) in scalars {
        let classes = by_place.entry(place).or_default();
        let class = index(class);
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    let mut counts = Counts::default();
    let mut choices = Vec::new();
    for classes in by_place.into_values() {
        match classes.as_slice() {
            [one] => counts[*one] += 1,
            _ => choices.push(classes),
        }
    }
    let low = slots(&counts);
    let mut search = Search { choices: &choices, best: u32::MAX, best_counts: counts, steps: 0 };
    search.choose(0, &mut counts);
    let is_exact = search.steps <= MOST_STEPS;
    Optimum {
        low: if is_exact { search.best } else { low },
        high: search.best,
        sets: sets(&search.best_counts),
        fixed: false,
    }
}

/// All classes, in the order of LLPC's keys.
const CLASSES: [Class; 6] = {
    const fn class(custom: bool, flat: bool, is_16: bool) -> Class {
        Class { custom, flat, is_16 }
    }
    [
        class(false, false, false),
        class(false, false, true),
        class(false, true, false),
        class(false, true, true),
        class(true, false, false),
        class(true, false, true),
    ]
};

/// Scalars by class.
type Counts = [u32; CLASSES.len()];

/// The number of a class. A flat bit of a custom class decides nothing.
fn index(class: Class) -> usize {
    let kind = if class.custom { 2 } else { usize::from(class.flat) };
    2 * kind + usize::from(class.is_16)
}

/// Whether scalars of two classes may be in one slot: in any order of packing.
fn may_share(one: Class, other: Class) -> bool {
    PackingOrder::ALL.iter().any(|order| one.shares_with(other, *order) || other.shares_with(one, *order))
}

/// The classes that share with this one, if it is the first of them.
fn set_of(first: usize) -> Option<Vec<usize>> {
    let share = |at: &usize| may_share(CLASSES[first], CLASSES[*at]);
    let set: Vec<usize> = (0..CLASSES.len()).filter(share).collect();
    (set.first() == Some(&first)).then_some(set)
}

/// Components that the scalars of some classes take. Halves of two classes share no component.
fn components(counts: &Counts, classes: &[usize]) -> u32 {
    let of = |at: &usize| if CLASSES[*at].is_16 { counts[*at].div_ceil(2) } else { counts[*at] };
    classes.iter().map(of).sum()
}

/// The least number of slots of scalars whose class is decided.
fn slots(counts: &Counts) -> u32 {
    let sets = (0..CLASSES.len()).filter_map(set_of);
    sets.map(|set| components(counts, &set).div_ceil(COMPONENTS)).sum()
}

fn sets(counts: &Counts) -> Vec<SharingSet> {
    let sets = (0..CLASSES.len()).filter_map(set_of).map(|set| {
        let classes = set.iter().filter(|at| counts[**at] > 0).map(|at| ClassCount {
            class: CLASSES[*at].label().into(),
            scalars: counts[*at],
            slots: components(counts, &[*at]).div_ceil(COMPONENTS),
        });
        let components = components(counts, &set);
        SharingSet { classes: classes.collect(), components, slots: components.div_ceil(COMPONENTS) }
    });
    sets.filter(|set| set.slots > 0).collect()
}

/// The search for the classes of scalars that are read in several.
struct Search<'c> {
    choices: &'c [Vec<usize>],
    best: u32,
    best_counts: Counts,
    steps: u32,
}

impl Search<'_> {
    fn choose(&mut self, at: usize, counts: &mut Counts) {
        self.steps = self.steps.saturating_add(1);
        // More scalars never take fewer slots.
        let least = slots(counts);
        let is_first = self.best == u32::MAX;
        if least >= self.best || (self.steps > MOST_STEPS && !is_first) {
            return;
        }
        let Some(classes) = self.choices.get(at) else {
            (self.best, self.best_counts) = (least, *counts);
            return;
        };
        for class in classes {
            counts[*class] += 1;
            self.choose(at + 1, counts);
            counts[*class] -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::assign::{Entry, pack};
    use super::super::tests::kept_cases;
    use super::*;
    use lanescope_base::ids::{Component, Location};
    use proptest::prelude::*;

    fn place(number: u32) -> Place {
        Place { location: Location(number / 4), component: Component((number % 4) as u8), half: false }
    }

    /// Sharing is an equivalence, so that classes fall into sets.
    #[test]
    fn sharing_is_an_equivalence_of_classes() {
        for one in CLASSES {
            assert!(may_share(one, one));
            for two in CLASSES {
                assert_eq!(may_share(one, two), may_share(two, one));
                for three in CLASSES {
                    assert!(!(may_share(one, two) && may_share(two, three)) || may_share(one, three));
                }
            }
        }
        for (at, class) in CLASSES.into_iter().enumerate() {
            assert_eq!(index(class), at);
        }
        let sets: Vec<_> = (0..CLASSES.len()).filter_map(set_of).collect();
        assert_eq!(sets, [vec![0], vec![1], vec![2, 3], vec![4], vec![5]], "flat scalars share, whatever their width");
    }

    /// Whether these scalars fit into one slot.
    fn fits(slot: &[Class]) -> bool {
        let mut halves: BTreeMap<usize, u32> = BTreeMap::new();
        let mut whole = 0;
        for class in slot {
            if class.is_16 { *halves.entry(index(*class)).or_default() += 1 } else { whole += 1 }
        }
        let pairs = slot.iter().all(|one| slot.iter().all(|other| may_share(*one, *other)));
        pairs && whole + halves.values().map(|count| count.div_ceil(2)).sum::<u32>() <= COMPONENTS
    }

    /// The least slots of all ways to distribute the scalars.
    fn by_trying(rest: &[Vec<Class>], slots: &mut Vec<Vec<Class>>, best: &mut usize) {
        let Some((first, rest)) = rest.split_first() else {
            *best = (*best).min(slots.len());
            return;
        };
        for class in first {
            for at in 0..=slots.len() {
                if at == slots.len() {
                    slots.push(Vec::new());
                }
                slots[at].push(*class);
                if fits(&slots[at]) {
                    by_trying(rest, slots, best);
                }
                slots[at].pop();
                if slots[at].is_empty() {
                    slots.pop();
                }
            }
        }
    }

    fn classes() -> impl Strategy<Value = Vec<Class>> {
        prop_oneof![
            6 => (0..CLASSES.len()).prop_map(|at| vec![CLASSES[at]]),
            1 => (0..CLASSES.len(), 1..CLASSES.len())
                .prop_map(|(at, by)| vec![CLASSES[at], CLASSES[(at + by) % CLASSES.len()]]),
        ]
    }

    fn entries(scalars: &[Vec<Class>]) -> Vec<Entry> {
        let each = (0..).zip(scalars).flat_map(|(at, classes)| classes.iter().map(move |class| (at, *class)));
        each.map(|(at, class)| Entry { stream: 0, from: place(at), class }).collect()
    }

    fn of(scalars: &[Vec<Class>]) -> Optimum {
        optimum(entries(scalars).into_iter().map(|entry| (entry.from, entry.class)))
    }

    proptest! {
        #![proptest_config(kept_cases(128))]

        #[test]
        fn is_what_trying_all_distributions_finds(scalars in proptest::collection::vec(classes(), 0..8)) {
            let mut best = usize::MAX;
            by_trying(&scalars, &mut Vec::new(), &mut best);
            let found = of(&scalars);
            prop_assert_eq!((found.low, found.high), (best as u32, best as u32));
        }

        #[test]
        fn is_at_most_what_each_order_takes(scalars in proptest::collection::vec(classes(), 0..100)) {
            let found = of(&scalars);
            prop_assert!(found.low <= found.high);
            prop_assert_eq!(found.sets.iter().map(|set| set.slots).sum::<u32>(), found.high);
            for order in PackingOrder::ALL {
                let taken = pack(&entries(&scalars), *order).locations(0);
                prop_assert!(found.low <= taken, "{}: {} of {}", order, taken, found.low);
            }
        }
    }

    /// Many scalars with a choice: the search ends, and says that it did not look at all.
    #[test]
    fn gives_up_a_long_search_with_bounds() {
        let both = vec![vec![CLASSES[0], CLASSES[2]]; 120];
        let found = of(&both);
        assert!(found.low <= 30 && found.high >= 30 && found.high <= 31, "{found:?}");
    }
}
