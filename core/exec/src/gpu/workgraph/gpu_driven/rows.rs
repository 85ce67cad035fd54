//! Nodes and levels of recursion as rows of a table, and every slot that one of them can write to.
//!
//! A row's slots are its own, so that a slot says who wrote and which row reads, the level of recursion included.

use std::collections::BTreeSet;

use crate::gpu::workgraph::batching::{Grid, MAX_AXIS, THREADS};
use crate::gpu::workgraph::plan::NodePlan;
use lanescope_passes::graph::{LAST_GENERATION, Launch, Node, WorkGraph, scheduler};
use lanescope_run::graph::CountedAs;

/// A slot without a target node, and one whose target is the node itself at its last level.
pub(super) const NONE: u32 = u32::MAX;
pub(super) const BEYOND: u32 = u32::MAX - 1;
/// The most slots of all rows together.
const MAX_SLOTS: u64 = 1 << 20;
/// Slots of a cache line of counters, and the first one that begins a line: two words stand before the slots.
const LINE: u64 = 32;
const FIRST_OF_LINE: u64 = LINE - 2;
/// Slots up to which rows have lines of their own: the scheduling shader goes through all of them.
const MAX_SPREAD: u64 = 2048;
/// A node at one level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// Index of the node.
    pub node: usize,
    /// Levels of recursion that are left.
    pub remaining: u32,
    /// The first slot of each of its outputs.
    pub bases: Vec<u32>,
    /// The row whose records it reads once more.
    pub shares: Option<usize>,
}

/// Every row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rows {
    pub rows: Vec<Row>,
    /// The row that a slot's records go to, or one of [`NONE`] and [`BEYOND`].
    pub slots: Vec<u32>,
    /// Rows that can run in each generation from the first on, for these entry points.
    pub active: Vec<Vec<usize>>,
}

impl Rows {
    /// The rows of the nodes that entry points reach.
    pub fn of(graph: &WorkGraph, plans: &[Result<NodePlan, String>], entries: &[usize]) -> Result<Rows, String> {
        let mut out = Rows::default();
        let mut first: Vec<Option<usize>> = vec![None; graph.nodes.len()];
        let mut slots = 0u64;
        let spread = is_spread(graph, plans);
        for (index, node) in graph.nodes.iter().enumerate() {
            let Some(Ok(plan)) = plans.get(index) else { continue };
            first[index] = Some(out.rows.len());
            // From the most levels to the last one.
            for remaining in (0..=node.recursion).rev() {
                // Rows that write at the same time do not wait for each other's counters.
                if spread && plan.slots > 0 {
                    slots = line_behind(slots);
                }
                let base = slots as u32;
                let bases = plan.bases.iter().map(|at| base + at).collect();
                slots += u64::from(plan.slots);
                if slots > MAX_SLOTS {
                    return Err(format!("its nodes have more than {MAX_SLOTS} outputs; use a stepped run"));
                }
                out.rows.push(Row { node: index, remaining, bases, shares: None });
            }
        }
        out.slots = vec![NONE; slots as usize];
        for at in 0..out.rows.len() {
            out.link(graph, plans, &first, at);
        }
        for owner in 0..graph.nodes.len() {
            for sharer in graph.sharers(owner) {
                // Neither of them is recursive.
                if let (Some(owner), Some(sharer)) = (first[owner], first[sharer]) {
                    out.rows[sharer].shares = Some(owner);
                }
            }
        }
        out.reach(graph, &first, entries)?;
        Ok(out)
    }

    /// Sets the targets of one row's slots.
    fn link(&mut self, graph: &WorkGraph, plans: &[Result<NodePlan, String>], first: &[Option<usize>], at: usize) {
        let row = self.rows[at].clone();
        let Some(Ok(plan)) = plans.get(row.node) else { return };
        let Some(base) = row.bases.first() else { return };
        for slot in 0..plan.slots {
            let Some(element) = plan.element(slot) else { continue };
            let Some(target) = graph.target(row.node, element.output, element.element) else { continue };
            let to = match first.get(target).copied().flatten() {
                Some(_) if target == row.node && row.remaining == 0 => BEYOND,
                Some(_) if target == row.node => at as u32 + 1,
                Some(first) => first as u32,
                None => NONE,
            };
            if let Some(place) = self.slots.get_mut((base + slot) as usize) {
                *place = to;
            }
        }
    }

    /// Finds the rows of each generation.
    fn reach(&mut self, graph: &WorkGraph, first: &[Option<usize>], entries: &[usize]) -> Result<(), String> {
        let mut targets: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.rows.len()];
        let mut starts: Vec<(u32, usize)> =
            self.rows.iter().enumerate().filter_map(|(at, row)| Some((*row.bases.first()?, at))).collect();
        starts.sort_unstable();
        let mut writer = 0;
        for (slot, to) in (0u32..).zip(&self.slots) {
            while starts.get(writer + 1).is_some_and(|(base, _)| *base <= slot) {
                writer += 1;
            }
            if let (Some((_, from)), true) = (starts.get(writer), (*to as usize) < self.rows.len()) {
                targets[*from].insert(*to as usize);
            }
        }
        let with_sharers = |rows: BTreeSet<usize>, all: &[Row]| {
            let mut out: Vec<usize> = rows.iter().copied().collect();
            out.extend((0..all.len()).filter(|at| all[*at].shares.is_some_and(|owner| rows.contains(&owner))));
            out
        };
        let mut now = BTreeSet::new();
        for entry in entries {
            let row = first.get(*entry).copied().flatten();
            let id = graph.nodes.get(*entry).map_or_else(String::new, |node| node.id.to_string());
            now.insert(row.ok_or_else(|| format!("{id} was not converted"))?);
        }
        for _ in 0..=LAST_GENERATION {
            if now.is_empty() {
                break;
            }
            let active = with_sharers(now, &self.rows);
            now = active.iter().flat_map(|row| targets[*row].iter().copied()).collect();
            self.active.push(active);
        }
        Ok(())
    }

    /// The table of rows as the helper shaders read it.
    pub fn table(&self, graph: &WorkGraph, plans: &[Result<NodePlan, String>], counted: Option<CountedAs>) -> Vec<u8> {
        let drops = scheduler::compacts(graph);
        let drops_below = if counted.is_some_and(|as_on| as_on.rows) { scheduler::ROW as u32 } else { u32::MAX };
        let mut out = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            let Some(node) = graph.nodes.get(row.node) else { continue };
            let divergent = plans.get(row.node).is_some_and(|plan| plan.as_ref().is_ok_and(|plan| plan.divergent));
            let asks = |row: &Row| graph.nodes.get(row.node).is_some_and(Node::has_dynamic_grid);
            let needed = asks(row) || self.rows.iter().any(|other| other.shares == Some(at) && asks(other));
            let mut words = describe(node, row.shares, needed, divergent);
            let is_counted = counted.is_some() && !divergent && row.shares.is_none();
            words[13] |= u32::from(is_counted) << 2 | u32::from(drops && node.has_dynamic_grid()) << 3;
            words[14] = node.bound.groups.min(scheduler::MAX_WIDTH) as u32;
            words[15] = drops_below;
            out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        out
    }
}

/// The next slot that begins a cache line.
fn line_behind(slots: u64) -> u64 {
    slots.saturating_sub(FIRST_OF_LINE).next_multiple_of(LINE) + FIRST_OF_LINE
}

/// Whether every row's slots may begin a cache line.
fn is_spread(graph: &WorkGraph, plans: &[Result<NodePlan, String>]) -> bool {
    let mut slots = 0u64;
    for (node, plan) in graph.nodes.iter().zip(plans) {
        let Ok(plan) = plan else { continue };
        let lines = (u64::from(plan.slots)).div_ceil(LINE) * LINE;
        slots = slots.saturating_add(lines.saturating_mul(u64::from(node.recursion) + 1));
    }
    slots + LINE <= MAX_SPREAD
}

/// The words of a row.
fn describe(node: &Node, shares: Option<usize>, passes: bool, divergent: bool) -> [u32; 16] {
    let mut words = [0; 16];
    let record = node.record();
    let grid = Grid::fixed(node.grid.or(node.max_grid).unwrap_or([1; 3]));
    let (launch, per_group) = match node.launch {
        Launch::Thread => (0, THREADS as u32),
        Launch::Coalescing => (1, node.records_per_launch()),
        _ if node.has_dynamic_grid() => (3, 1),
        _ => (2, 1),
    };
    words[0] = launch;
    words[1] = per_group;
    words[2] = record.map_or(0, |record| record.stride());
    words[3] = u32::from(record.is_some_and(|record| record.tracked));
    words[4] = shares.map_or(NONE, |owner| owner as u32);
    words[5] = grid.passes.min(MAX_AXIS) as u32;
    if let Some(grid) = record.and_then(|record| record.grid) {
        (words[6], words[7], words[8]) = (grid.offset, grid.scalar.bits, grid.components);
    }
    let most = node.max_grid.unwrap_or([u32::MAX; 3]);
    words[9..12].copy_from_slice(&most);
    words[12] = if node.launch == Launch::Broadcasting { grid.volume as u32 } else { 1 };
    words[13] = u32::from(passes) | u32::from(divergent) << 1;
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_at_line_starts_are_a_line_apart() {
        assert_eq!([0, 30, 31, 62, 63].map(line_behind), [30, 30, 62, 62, 94]);
        // Two words stand before the slots.
        assert!([0, 31, 63, 1000].iter().all(|slots| (4 * (2 + line_behind(*slots))).is_multiple_of(128)));
    }
}
