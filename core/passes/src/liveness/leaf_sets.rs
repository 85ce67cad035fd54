//! Sets of leaves by node, in little memory: most nodes have none, and hardly any has more than a word of leaves.

use std::collections::BTreeMap;

use super::frames::Node;
use super::leaves::LeafSet;

/// A set of leaves for each node, at first empty.
#[derive(Debug)]
pub struct LeafSets {
    /// By node: the first word of its set. Zeroed memory that is not written to costs nothing.
    first: Vec<u64>,
    /// The words after the first, if any.
    rest: BTreeMap<Node, Vec<u64>>,
}

impl LeafSets {
    /// Empty sets for this many nodes.
    pub fn new(nodes: usize) -> LeafSets {
        LeafSets { first: vec![0; nodes], rest: BTreeMap::new() }
    }

    /// Whether a node's set is empty.
    pub fn is_empty(&self, node: Node) -> bool {
        self.first.get(node as usize).is_none_or(|&first| first == 0) && !self.rest.contains_key(&node)
    }

    /// Adds leaves to a node's set. Returns those that were not in it.
    pub fn add(&mut self, node: Node, leaves: &LeafSet) -> LeafSet {
        let Some(first) = self.first.get_mut(node as usize) else { return LeafSet::default() };
        if leaves.rest.is_empty() {
            let new = leaves.first & !*first;
            *first |= new;
            return LeafSet { first: new, rest: Vec::new() };
        }
        let rest = self.rest.entry(node).or_default();
        let mut set = LeafSet { first: *first, rest: std::mem::take(rest) };
        let new = leaves.less(&set);
        set.add(&new);
        (*first, *rest) = (set.first, set.rest);
        new
    }

    /// A node's set, which is empty afterwards.
    pub fn take(&mut self, node: Node) -> LeafSet {
        let first = self.first.get_mut(node as usize).map(std::mem::take).unwrap_or_default();
        LeafSet { first, rest: self.rest.remove(&node).unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(leaves: &[u32]) -> LeafSet {
        let mut out = LeafSet::default();
        leaves.iter().for_each(|&leaf| out.insert(leaf));
        out
    }

    #[test]
    fn adds_what_is_new_to_one_node() {
        let mut sets = LeafSets::new(3);
        assert_eq!(sets.add(1, &set(&[0, 63])), set(&[0, 63]));
        assert_eq!(sets.add(1, &set(&[1, 63, 64, 200])), set(&[1, 64, 200]));
        assert_eq!(sets.add(1, &set(&[0, 200, 130])), set(&[130]));
        assert_eq!(sets.add(1, &set(&[0, 200])), set(&[]));
        assert!(sets.is_empty(0) && !sets.is_empty(1) && sets.is_empty(2));
        assert_eq!(sets.take(1), set(&[0, 1, 63, 64, 130, 200]));
        assert!(sets.is_empty(1));
        assert_eq!(sets.add(1, &set(&[130])), set(&[130]));
        assert!(!sets.is_empty(1));
        assert_eq!(sets.take(1), set(&[130]));
    }

    #[test]
    fn has_no_sets_beyond_its_nodes() {
        let mut sets = LeafSets::new(1);
        assert_eq!(sets.add(1, &set(&[0, 100])), set(&[]));
        assert!(sets.is_empty(1));
        assert_eq!(sets.take(1), set(&[]));
    }
}
