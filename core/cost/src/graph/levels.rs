//! Dispatches and barriers of each level. All levels of a graph are issued, whether they have records or not.

use std::collections::BTreeSet;

use super::report::{LevelCost, LevelRun, MeasuredNode};
use super::scheduler::{MAX_LEVELS, ROW, records_per_group};
use lanescope_passes::graph::{EdgeKind, Launch, WorkGraph};
use lanescope_run::graph::InputMode;

/// The levels of a graph that starts with these records; none of one that the scheduler refuses.
pub(super) fn levels(
    graph: &WorkGraph,
    first: &[(usize, u64)],
    mode: InputMode,
    rows: bool,
    compacts: bool,
) -> Vec<LevelCost> {
    let last = graph.nodes.iter().filter_map(|node| node.generations.last()).max().copied().unwrap_or(0);
    if !graph.cycles.is_empty() || last >= MAX_LEVELS {
        return Vec::new();
    }
    let mut out = Vec::new();
    // Several GPU inputs are not implemented.
    if mode != InputMode::MultiGpu {
        out.push(start(graph, first, mode, rows));
    }
    for level in 1..=last {
        let nodes = graph.nodes.iter().filter(|node| node.generations.contains(&level)).count() as u64;
        let extra = u64::from(compacts);
        out.push(LevelCost {
            level,
            nodes,
            node_dispatches: nodes * indirect(rows),
            meta_dispatches: 2 + extra,
            barriers: 3 + extra,
        });
    }
    out
}

/// How many of the dispatches of each level have no groups in a run: every start issues all levels. Of a run that did not end,
/// the last generation that it has and those after it are unknown.
pub(super) fn of_run(levels: &[LevelCost], nodes: &[MeasuredNode], ended: bool) -> Vec<LevelRun> {
    let last = nodes.iter().map(|node| (node.dispatch, node.generation)).max();
    let is_known = |at: (u32, u32)| ended || last.is_some_and(|last| at < last);
    let starts: BTreeSet<u32> = nodes.iter().map(|node| node.dispatch).collect();
    let has_groups = |axes: &&[u64; 3]| axes.iter().all(|axis| *axis > 0);
    let of = |dispatch: u32, level: &LevelCost| {
        let mut all = nodes.iter().filter(|node| (node.dispatch, node.generation) == (dispatch, level.level));
        let run = all.try_fold(0u64, |sum, node| {
            // What was not computed is unknown.
            let known = !node.dispatches.is_empty();
            known.then(|| sum + node.dispatches.iter().filter(has_groups).count() as u64)
        });
        let run = run.filter(|_| is_known((dispatch, level.level)));
        let empty = run.and_then(|run| level.node_dispatches.checked_sub(run));
        LevelRun { dispatch, level: level.level, issued: level.node_dispatches, empty }
    };
    starts.iter().flat_map(|dispatch| levels.iter().map(|level| of(*dispatch, level))).collect()
}

/// Indirect dispatches of a node.
fn indirect(rows: bool) -> u64 {
    if rows { 2 } else { 1 }
}

/// Level 0: the host dispatches those nodes that have records; for a GPU input all entry nodes are dispatched.
fn start(graph: &WorkGraph, first: &[(usize, u64)], mode: InputMode, rows: bool) -> LevelCost {
    // One barrier comes before the graph.
    let before = LevelCost { barriers: 1, ..LevelCost::default() };
    if mode == InputMode::Gpu {
        let nodes = graph.nodes.iter().filter(|node| node.generations.contains(&0)).count() as u64;
        return LevelCost { nodes, node_dispatches: nodes * indirect(rows), meta_dispatches: 1, barriers: 2, ..before };
    }
    let mut out = before;
    let mut started = BTreeSet::new();
    for (node, records) in first.iter().filter(|(_, records)| *records > 0) {
        let sharers = graph.edges.iter().filter(|edge| edge.kind == EdgeKind::SharedInput && edge.from == *node);
        for node in std::iter::once(*node).chain(sharers.map(|edge| edge.to)) {
            let Some(is) = graph.nodes.get(node) else { continue };
            let groups = records.div_ceil(records_per_group(is));
            out.nodes += u64::from(started.insert(node));
            out.node_dispatches += match is.launch {
                Launch::Broadcasting if *records == 1 => 1,
                _ => u64::from(groups >= ROW) + u64::from(!groups.is_multiple_of(ROW)),
            };
        }
    }
    out
}
