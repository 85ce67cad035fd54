//! What a scheduler makes of a work graph: groups, passes, lists and memory, from declarations and from a run's records.
//!
//! ```text
//! WorkGraph ──bounds, levels, memory──▶ Declared ─┐
//! GraphRun ──walk, formats──▶ Measured ───────────┴▶ GraphCost ──▶ Sheet
//! ```
//!
//! The scheduler is the one of vkd3d-proton of August 2026 (commit d01924b), read in its source: [`scheduler`]. The records
//! are those of a stepped run of Lanescope, which schedules otherwise: its groups and batches are in no figure but those
//! that say so.

mod addition;
mod bounds;
mod declared;
mod formats;
mod levels;
mod memory;
mod report;
mod ring;
mod ring_table;
mod sheet;
mod sources;
mod table;
mod walk;

#[cfg(test)]
mod tests;

pub use addition::{
    AddedLink, AddedNode, ChangedNode, EntryPoint, Figure, GenerationFigure, GraphAddition, LinkKind, Unit,
    graph_addition,
};
pub use report::{
    ArrayBound, CountedNode, Declared, DeclaredNode, DeclaredOutput, FirstRecords, Fit, GenerationBound, GraphCost,
    LevelCost, LevelRun, ListFormat, Measured, MeasuredNode, Memory, RingMap, RingNode, RingPiece, RingPieces,
    RingSpan, Room, WalkCost, WalkKind,
};

use std::collections::BTreeMap;

use lanescope_passes::findings::{self, Finding};
pub use lanescope_passes::graph::scheduler;
use lanescope_passes::graph::{Launch, WorkGraph};
use lanescope_run::graph::{GraphRun, InputMode, NodeRun};

use report::largest_grids;

/// What a cost sheet assumes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphSettings {
    /// The device takes fewer than [`scheduler::MAX_ROW`] workgroups along X: nodes are dispatched in rows. A run whose groups
    /// were counted has its own answer.
    pub rows: bool,
    /// Where the first records come from; the run's own where there is a run.
    pub input_mode: Option<InputMode>,
    /// The first records, as node and how many; one for each entry node where empty.
    pub first: Vec<(usize, u64)>,
}

/// The cost sheet of a graph. `run` has its records; without one only what is declared is known.
pub fn graph_cost(graph: &WorkGraph, run: Option<&GraphRun>, settings: &GraphSettings) -> GraphCost {
    let first = first_records(graph, run, settings);
    let input_mode = run.map(|run| run.input_mode).or(settings.input_mode).unwrap_or(InputMode::Cpu);
    let compacts = scheduler::compacts(graph);
    let rows = run.and_then(|run| run.counted).map_or(settings.rows, |counted| counted.rows);
    let declared = declared::declared(graph, &first, input_mode, rows, compacts);
    let measured = run.map(|run| walk::measured(graph, run, &declared.levels, rows, compacts));
    let mut findings: Vec<Finding> = run.map(|run| run.findings.clone()).unwrap_or_default();
    if let Some(run) = run {
        findings.extend(unused_grids(graph, run));
    }
    GraphCost {
        scheduler: scheduler::NAME.to_owned(),
        rows,
        compacts,
        input_mode,
        first: first
            .iter()
            .map(|(node, records)| FirstRecords { node: label(graph, *node), records: *records })
            .collect(),
        notes: notes(graph, run, &first, input_mode),
        declared,
        measured,
        findings,
        sources: sources::sources(),
    }
}

/// The records that wait in a run that is paused; where it is stepped through, they are its last generation.
fn waiting(run: &GraphRun) -> impl Iterator<Item = &NodeRun> + Clone {
    let shown = run.generations.iter().filter(|generation| generation.waiting).flat_map(|generation| &generation.nodes);
    run.pending.iter().chain(shown)
}

/// The name of a node: its id.
fn label(graph: &WorkGraph, node: usize) -> String {
    graph.nodes.get(node).map_or_else(|| format!("node {node}"), |node| node.id.to_string())
}

/// The first records: those of the run, those that are given, or one for each entry node.
fn first_records(graph: &WorkGraph, run: Option<&GraphRun>, settings: &GraphSettings) -> Vec<(usize, u64)> {
    if let Some(run) = run {
        let starts = run.generations.iter().filter(|generation| (generation.dispatch, generation.number) == (0, 0));
        let own = starts.flat_map(|generation| &generation.nodes).filter(|node| node.entry && node.shares.is_none());
        // Inputs of the host are dispatched one after the other.
        let is_apart = run.input_mode == InputMode::MultiCpu;
        let mut all: Vec<(usize, u64)> = Vec::new();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for node in own {
            let known = places.get(&node.node).filter(|_| !is_apart).and_then(|at| all.get_mut(*at));
            match known {
                Some((_, records)) => *records = records.saturating_add(node.count),
                None => {
                    places.insert(node.node, all.len());
                    all.push((node.node, node.count));
                }
            }
        }
        if !all.is_empty() {
            return all;
        }
    }
    if !settings.first.is_empty() {
        return settings.first.clone();
    }
    let starts = graph.nodes.iter().enumerate().filter(|(_, node)| node.starts() && node.shares_input_of.is_none());
    starts.map(|(at, _)| (at, 1)).collect()
}

/// A largest grid is far below the declared maximum if the maximum has more than so many times its groups.
pub const FAR_BELOW: u64 = 4;

/// Nodes whose records ask for far fewer groups than the node declares.
fn unused_grids(graph: &WorkGraph, run: &GraphRun) -> Vec<Finding> {
    let mut out = Vec::new();
    for (node, (largest, groups)) in largest_grids(graph, run) {
        let Some(node) = graph.nodes.get(node) else { continue };
        let most = node.bound.groups;
        if groups == 0 || groups.saturating_mul(FAR_BELOW) >= most {
            continue;
        }
        let ([x, y, z], [mx, my, mz]) = (largest, node.max_grid.unwrap_or([1; 3]));
        let message = format!(
            "{}: the largest grid of the run is {x}×{y}×{z} ({groups} groups); NodeMaxDispatchGrid declares \
             {mx}×{my}×{mz} ({most})",
            node.id
        );
        out.push(findings::GRAPH_GRID_UNUSED.at(None, Some(node.id.place()), message));
    }
    out
}

/// What limits the sheet.
fn notes(graph: &WorkGraph, run: Option<&GraphRun>, first: &[(usize, u64)], mode: InputMode) -> Vec<String> {
    let mut out = Vec::new();
    let last = graph.nodes.iter().filter_map(|node| node.generations.last()).max();
    if last.is_some_and(|last| *last >= scheduler::MAX_LEVELS) {
        out.push(format!("{} has at most {} levels and refuses this graph", scheduler::NAME, scheduler::MAX_LEVELS));
    }
    if !graph.cycles.is_empty() {
        out.push(format!("nodes form a cycle, which {} refuses: figures of levels are not known", scheduler::NAME));
    }
    if mode == InputMode::MultiGpu {
        out.push(format!(
            "{} does not implement several GPU inputs: figures of level 0 are not known",
            scheduler::NAME
        ));
    }
    for (node, records) in first {
        let launch = graph.nodes.get(*node).map(|node| node.launch);
        let host = matches!(mode, InputMode::Cpu | InputMode::MultiCpu);
        if host && *records >= scheduler::ROW && matches!(launch, Some(Launch::Thread | Launch::Coalescing)) {
            out.push(format!(
                "{}: {} starts the second dispatch of a host's records at a multiple of 32768 records for each launch mode \
                 (S): from 32768 records on it skips some of a {} node, and figures of later levels are of all records",
                label(graph, *node),
                scheduler::NAME,
                launch.map_or("", Launch::name)
            ));
        }
    }
    if let Some(run) = run {
        out.push(format!("allocations are those of the waves of {} (H); other wave sizes make others", run.device));
        if let Some(stopped) = &run.stopped {
            let rest = "later figures are missing";
            out.push(format!("the run stopped in generation {}, {rest}: {}", stopped.generation, stopped.why));
        } else if waiting(run).next().is_some() {
            out.push("the run is paused: figures of later generations are missing".to_owned());
        }
    }
    out
}
