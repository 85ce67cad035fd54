//! The most records, groups and bytes of each generation, by node array.
//!
//! The nodes of an array are taken together: an output has one budget for all elements of the array that it reaches. Numbers
//! saturate at 2^64 - 1; `None` is unbounded.

use std::collections::{BTreeMap, BTreeSet};

use super::report::{ArrayBound, GenerationBound};
use super::scheduler::THREADS;
use lanescope_passes::graph::{EdgeKind, LAST_GENERATION, Launch, Node, NodeArray, WorkGraph};

/// A number that may be unbounded.
type Count = Option<u64>;

fn add(one: Count, other: Count) -> Count {
    Some(one?.saturating_add(other?))
}

/// 0 times anything is 0.
fn times(one: Count, other: Count) -> Count {
    if one == Some(0) || other == Some(0) { Some(0) } else { Some(one?.saturating_mul(other?)) }
}

/// The larger one; unbounded is larger than any number.
fn larger(one: Count, other: Count) -> Count {
    Some(one?.max(other?))
}

/// What one launch of any node of an array may write.
#[derive(Debug, Clone, Default)]
struct Written {
    records: Count,
    allocations: Count,
    payload: Count,
    /// Records for each other array.
    to: BTreeMap<usize, Count>,
    /// Records for the node itself.
    again: Count,
}

/// The nodes of an array.
#[derive(Debug)]
struct Pool {
    label: String,
    members: u64,
    launch: Launch,
    /// Records of a coalescing group: the fewest of its nodes.
    coalesced: u64,
    /// Groups of a record of a broadcasting node.
    grid: Count,
    /// The most runs in a chain, less one.
    recursion: u32,
    written: Written,
    /// Arrays that share its input.
    sharers: Vec<usize>,
    /// Its records are unrolled to offsets: they have contents, and are not those of a shared input.
    has_offsets: bool,
}

impl Pool {
    /// Launches of so many records, as budgets count them, and the groups that they ask for.
    fn launches(&self, records: Count) -> (Count, Count) {
        let grouped = |size: u64| {
            records.map(|records| {
                // Each node may have one group that is not full.
                let partial = self.members.min(records).saturating_mul(size.saturating_sub(1));
                (records.saturating_add(partial) / size.max(1)).min(records)
            })
        };
        match self.launch {
            Launch::Thread => (records, grouped(THREADS)),
            Launch::Coalescing => (grouped(self.coalesced), grouped(self.coalesced)),
            Launch::Broadcasting | Launch::Mesh => (times(records, self.grid), times(records, self.grid)),
        }
    }
}

/// Records of an array in a generation.
#[derive(Debug, Clone, Default)]
struct Waiting {
    /// By levels of recursion that are left.
    by_level: BTreeMap<u32, Count>,
}

impl Waiting {
    fn total(&self) -> Count {
        self.by_level.values().try_fold(0, |sum, count| add(Some(sum), *count))
    }

    fn add(&mut self, level: u32, count: Count) {
        if count != Some(0) {
            let own = self.by_level.entry(level).or_insert(Some(0));
            *own = add(*own, count);
        }
    }
}

/// The most of each generation that may have records, up to the first in which all are unbounded.
pub(super) fn bounds(graph: &WorkGraph, first: &[(usize, u64)]) -> Vec<GenerationBound> {
    let (pools, pool_of) = pools(graph);
    let mut waiting: BTreeMap<usize, Waiting> = BTreeMap::new();
    let mut out = Vec::new();
    for (node, records) in first {
        let Some(pool) = pool_of.get(*node).copied() else { continue };
        let level = pools.get(pool).map_or(0, |pool| pool.recursion);
        waiting.entry(pool).or_default().add(level, Some(*records));
    }
    for generation in 0..=LAST_GENERATION {
        let owners: Vec<(usize, Waiting)> = waiting.iter().map(|(pool, is)| (*pool, is.clone())).collect();
        for (owner, is) in owners {
            for sharer in pools.get(owner).map(|pool| pool.sharers.clone()).unwrap_or_default() {
                waiting.entry(sharer).or_default().add(0, is.total());
            }
        }
        waiting.retain(|_, is| is.total() != Some(0));
        if waiting.is_empty() {
            break;
        }
        let mut next: BTreeMap<usize, Waiting> = BTreeMap::new();
        let mut arrays = Vec::new();
        for (at, is) in &waiting {
            let Some(pool) = pools.get(*at) else { continue };
            arrays.push(array(pool, is));
            spread(&pools, *at, is, &mut next);
        }
        let total = arrays.iter().fold(ArrayBound::none(), |sum, array| sum.and(array));
        // Later generations are unbounded as well.
        let is_last = arrays.iter().all(|array| array.records.is_none());
        out.push(GenerationBound { generation, arrays, total });
        if is_last {
            break;
        }
        waiting = next;
    }
    out
}

/// Passes what an array's launches write on to the next generation.
fn spread(pools: &[Pool], at: usize, is: &Waiting, next: &mut BTreeMap<usize, Waiting>) {
    let Some(pool) = pools.get(at) else { return };
    let (launches, _) = pool.launches(is.total());
    for (target, most) in &pool.written.to {
        let level = pools.get(*target).map_or(0, |pool| pool.recursion);
        next.entry(*target).or_default().add(level, times(launches, *most));
    }
    for (level, records) in is.by_level.iter().filter(|(level, _)| **level > 0) {
        let (launches, _) = pool.launches(*records);
        next.entry(at).or_default().add(level - 1, times(launches, pool.written.again));
    }
}

fn array(pool: &Pool, is: &Waiting) -> ArrayBound {
    let records = is.total();
    let (launches, groups) = pool.launches(records);
    ArrayBound {
        nodes: pool.label.clone(),
        records,
        groups,
        offsets: if pool.has_offsets { records } else { Some(0) },
        written: times(launches, pool.written.records),
        allocations: times(launches, pool.written.allocations),
        payload: times(launches, pool.written.payload),
    }
}

impl ArrayBound {
    fn none() -> ArrayBound {
        let zero = Some(0);
        ArrayBound {
            nodes: String::new(),
            records: zero,
            groups: zero,
            offsets: zero,
            written: zero,
            allocations: zero,
            payload: zero,
        }
    }

    fn and(self, other: &ArrayBound) -> ArrayBound {
        ArrayBound {
            nodes: self.nodes,
            records: add(self.records, other.records),
            groups: add(self.groups, other.groups),
            offsets: add(self.offsets, other.offsets),
            written: add(self.written, other.written),
            allocations: add(self.allocations, other.allocations),
            payload: add(self.payload, other.payload),
        }
    }
}

/// The arrays of a graph, and the array of each node.
fn pools(graph: &WorkGraph) -> (Vec<Pool>, Vec<usize>) {
    let mut pool_of = vec![0usize; graph.nodes.len()];
    for (pool, array) in graph.arrays.iter().enumerate() {
        for node in &array.nodes {
            if let Some(at) = pool_of.get_mut(*node) {
                *at = pool;
            }
        }
    }
    let mut pools: Vec<Pool> = graph.arrays.iter().map(|array| pool(graph, array)).collect();
    // The arrays that the outputs of each node reach.
    let mut reached: BTreeMap<(usize, usize), (usize, bool)> = BTreeMap::new();
    for edge in &graph.edges {
        let (Some(from), Some(to)) = (pool_of.get(edge.from).copied(), pool_of.get(edge.to).copied()) else { continue };
        match (edge.kind, edge.slot) {
            (EdgeKind::SharedInput, _) => {
                if let Some(pool) = pools.get_mut(from).filter(|pool| from != to && !pool.sharers.contains(&to)) {
                    pool.sharers.push(to);
                }
            }
            (_, Some(slot)) => drop(reached.insert((edge.from, slot.output), (to, edge.kind == EdgeKind::Recursion))),
            (_, None) => {}
        }
    }
    let cycles: BTreeSet<usize> =
        graph.cycles.iter().flatten().filter_map(|node| pool_of.get(*node).copied()).collect();
    for (at, node) in graph.nodes.iter().enumerate() {
        let Some(pool) = pool_of.get(at).copied() else { continue };
        let is_endless = |to: usize| to == pool || cycles.contains(&to) && cycles.contains(&pool);
        let own = written(node, pool, |output| reached.get(&(at, output)).copied(), is_endless);
        if let Some(pool) = pools.get_mut(pool) {
            pool.written.most(own);
        }
    }
    (pools, pool_of)
}

/// An array without what it writes.
fn pool(graph: &WorkGraph, array: &NodeArray) -> Pool {
    let nodes = || array.nodes.iter().filter_map(|node| graph.nodes.get(*node));
    let label = match (nodes().next(), nodes().next_back()) {
        (Some(first), Some(last)) if first.id != last.id => {
            format!("{}[{}…{}]", array.name, first.id.index, last.id.index)
        }
        (Some(only), _) => only.id.to_string(),
        (None, _) => array.name.clone(),
    };
    let grid = |node: &Node| node.grid.or(node.max_grid).map(|_| node.bound.groups);
    let zero = Some(0);
    Pool {
        label,
        members: nodes().count() as u64,
        launch: nodes().next().map_or(Launch::Thread, |node| node.launch),
        coalesced: nodes().map(|node| u64::from(node.records_per_launch())).min().unwrap_or(1),
        grid: nodes().map(grid).fold(zero, larger),
        recursion: nodes().map(|node| node.recursion).max().unwrap_or(0),
        written: Written { records: zero, allocations: zero, payload: zero, to: BTreeMap::new(), again: zero },
        sharers: Vec::new(),
        has_offsets: nodes().any(|node| node.record().is_some() && node.shares_input_of.is_none()),
    }
}

/// What one launch of a node of an array may write. `reached` says which array an output reaches, and whether as recursion;
/// `is_endless` which arrays lead back to this one.
fn written(
    node: &Node,
    own: usize,
    reached: impl Fn(usize) -> Option<(usize, bool)>,
    is_endless: impl Fn(usize) -> bool,
) -> Written {
    let mut out = Written { records: Some(0), again: Some(0), ..Written::default() };
    let (bound, mut undeclared) = (&node.bound, false);
    for budget in node.budgets() {
        // No launch writes nothing by declaration: 0 is a missing one.
        let most = (budget.max_records > 0).then_some(u64::from(budget.max_records));
        undeclared |= most.is_none() && budget.stride > 0;
        out.records = add(out.records, most);
        let mut targets: Vec<(usize, bool)> = budget.outputs.iter().filter_map(|output| reached(*output)).collect();
        targets.sort_unstable();
        targets.dedup();
        for (target, recursion) in targets {
            if recursion {
                let most = if node.recursion > 0 { most } else { None };
                out.again = add(out.again, most);
            } else {
                let entry = out.to.entry(target).or_insert(Some(0));
                *entry = add(*entry, if is_endless(target) { None } else { most });
            }
        }
    }
    // A node that targets itself without a recursion depth goes on without end.
    if out.again.is_none() && node.recursion == 0 {
        out.to.insert(own, None);
    }
    (out.allocations, out.payload) = if undeclared { (None, None) } else { (Some(bound.records), Some(bound.payload)) };
    out
}

impl Written {
    /// The most of two.
    fn most(&mut self, other: Written) {
        self.records = larger(self.records, other.records);
        self.allocations = larger(self.allocations, other.allocations);
        self.payload = larger(self.payload, other.payload);
        self.again = larger(self.again, other.again);
        for (target, most) in other.to {
            let own = self.to.entry(target).or_insert(Some(0));
            *own = larger(*own, most);
        }
    }
}
