//! Operations that are not alike: channels are looked for in what the form alone computes.

use std::collections::{BTreeSet, HashSet};

use super::super::nir::Node;
use super::super::values::follow;
use super::search::Search;

/// A way to put channels in place of what the form alone computes: each channel with its place; none where there is no
/// such way.
type Cover = Option<Vec<(Node, Node)>>;

impl Search<'_, '_, '_, '_> {
    /// The operations are not alike: each channel is looked for in what the form alone computes, from the top. What is
    /// found holds only where it has a place for every channel, and a channel for every scalar. None where too many
    /// steps are taken.
    pub fn covered(&mut self, left: Node, right: Node) -> Option<()> {
        if self.is_open(self.linked, left)? || self.is_open(self.alone, right)? {
            return Some(());
        }
        let channels = self.varyings(self.linked, left)?;
        if channels.is_empty() {
            for node in self.below(right)? {
                self.folded(left, node);
            }
            return Some(());
        }
        if let Some(cover) = self.cover(&channels, right)? {
            for (left, right) in cover {
                self.carried(left, right)?;
            }
        } else if let (Some(only), true) = (channels.first().filter(|_| channels.len() == 1), self.all_vary(right)?) {
            self.contained(*only, right)?;
        }
        Some(())
    }

    /// Whether each varying that a value is made of differs between the invocations of a wave: what does not, the linked
    /// form may have by itself.
    fn all_vary(&self, right: Node) -> Option<bool> {
        let varies = |node: &Node| self.alone.varies.contains(node) || self.alone.is_constant(*node);
        Some(self.below(right)?.iter().all(varies))
    }

    fn cover(&mut self, channels: &BTreeSet<Node>, right: Node) -> Option<Cover> {
        let mut out = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![right];
        while let Some(node) = open.pop() {
            let Some(node) = follow(self.alone.nir, node).filter(|node| seen.insert(*node)) else { continue };
            if !self.alone.depends(node) {
                continue;
            }
            self.step(1)?;
            let fits: Vec<Node> =
                self.fits(node)?.iter().copied().filter(|channel| channels.contains(channel)).collect();
            let kin = || fits.iter().filter(|channel| self.are_kin(**channel, node));
            let channel = match fits.as_slice() {
                [] => None,
                [one] => Some(*one),
                _ => match kin().collect::<Vec<_>>().as_slice() {
                    [one] => Some(**one),
                    _ => return Some(None),
                },
            };
            match channel {
                Some(channel) => out.push((channel, node)),
                None if self.alone.is_constant(node) => {}
                None if self.alone.loads.contains_key(&node) => return Some(None),
                None => open.extend(self.alone.parts(node)),
            }
        }
        let used: BTreeSet<Node> = out.iter().map(|(channel, _)| *channel).collect();
        Some((used == *channels).then_some(out))
    }

    /// The channels that have the value of a component of the form alone.
    fn fits(&mut self, node: Node) -> Option<&Vec<Node>> {
        if !self.fits.contains_key(&node) {
            let channels = self.linked.loads.keys();
            self.step(channels.len())?;
            let found = channels.copied().filter(|channel| self.same(*channel, node)).collect();
            self.fits.insert(node, found);
        }
        self.fits.get(&node)
    }
}
