//! Which row of one list belongs to which of another.

use std::collections::{BTreeMap, VecDeque};

/// One name of a thing; none where it has no such name.
pub(super) type Key<'k, T> = &'k dyn Fn(&T) -> Option<String>;

/// Pairs two lists: by the first key, then what is left by the next. Things of one name are paired in order.
///
/// In the order of the first list; what only the second one has follows what it follows there. Each is given by its
/// index.
pub(super) fn pairs<T>(left: &[T], right: &[T], keys: &[Key<'_, T>]) -> Vec<[Option<usize>; 2]> {
    let mut partner: Vec<Option<usize>> = vec![None; right.len()];
    let mut free = vec![true; left.len()];
    for key in keys {
        let mut named: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
        for (index, thing) in left.iter().enumerate().filter(|(index, _)| free.get(*index) == Some(&true)) {
            if let Some(name) = key(thing) {
                named.entry(name).or_default().push_back(index);
            }
        }
        for (thing, partner) in right.iter().zip(&mut partner).filter(|(_, partner)| partner.is_none()) {
            *partner = key(thing).and_then(|name| named.get_mut(&name)?.pop_front());
            if let Some(free) = partner.and_then(|index| free.get_mut(index)) {
                *free = false;
            }
        }
    }
    // What is only in the second list, by the thing of the first that it follows.
    let mut unpaired: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    let mut of_left: Vec<Option<usize>> = vec![None; left.len()];
    let mut last = None;
    for (index, partner) in partner.iter().enumerate() {
        match partner {
            Some(found) => {
                last = *partner;
                if let Some(slot) = of_left.get_mut(*found) {
                    *slot = Some(index);
                }
            }
            None => unpaired.entry(last).or_default().push(index),
        }
    }
    let mut out = Vec::with_capacity(left.len().max(right.len()));
    let mut alone = |at: Option<usize>, out: &mut Vec<[Option<usize>; 2]>| {
        out.extend(unpaired.remove(&at).into_iter().flatten().map(|index| [None, Some(index)]));
    };
    alone(None, &mut out);
    for (index, found) in of_left.into_iter().enumerate() {
        out.push([Some(index), found]);
        alone(Some(index), &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(left: &[&str], right: &[&str]) -> String {
        let whole = |text: &&str| Some((*text).to_owned());
        let first = |text: &&str| text.chars().next().map(String::from);
        let pairs = pairs(left, right, &[&whole, &first]);
        let name = |list: &[&str], index: Option<usize>| index.map_or("·".to_owned(), |index| list[index].to_owned());
        pairs.iter().map(|[l, r]| format!("{}{}", name(left, *l), name(right, *r))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pairs_equal_entries_in_order() {
        for (left, right, expected) in [
            (&[][..], &[][..], ""),
            (&["a", "b"], &["a", "b"], "aa bb"),
            (&["a", "b"], &["b", "a"], "aa bb"),
            (&["a", "c"], &["x", "a", "b", "c", "d"], "·x aa ·b cc ·d"),
            (&["a", "a"], &["a", "a", "a"], "aa aa ·a"),
            (&["a1", "b1"], &["b2", "b1"], "·b2 a1· b1b1"),
            (&["a1", "b1"], &["a2", "b1"], "a1a2 b1b1"),
        ] {
            assert_eq!(paired(left, right), expected, "{left:?} {right:?}");
        }
    }
}
