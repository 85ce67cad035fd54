//! The groups that a scheduler launches for the records of a run.

use std::collections::BTreeMap;

use super::formats::formats;
use super::levels::of_run;
use super::report::{CountedNode, LevelCost, Measured, MeasuredNode, WalkCost, WalkKind};
use super::ring::rings;
use super::{label, scheduler, waiting};
use lanescope_base::grid;
use lanescope_passes::graph::{Launch, Node, WorkGraph};
use lanescope_run::graph::{Generation, GraphRun, GroupCounts, InputMode, NodeRun, Origin};

/// What a run's records make of a scheduler that issues these levels, needs rows, or not, and drops empty grids, or not.
pub(super) fn measured(
    graph: &WorkGraph,
    run: &GraphRun,
    levels: &[LevelCost],
    rows: bool,
    compacts: bool,
) -> Measured {
    let (mut nodes, mut walks) = (Vec::new(), Vec::new());
    for generation in run.generations.iter().filter(|generation| !generation.waiting) {
        // Levels of recursion are one node's dispatch.
        let mut by_node: BTreeMap<usize, Vec<&NodeRun>> = BTreeMap::new();
        generation.nodes.iter().for_each(|done| by_node.entry(done.node).or_default().push(done));
        for (at, runs) in by_node {
            let Some(node) = graph.nodes.get(at) else { continue };
            let at = At { run, generation, node, rows, compacts };
            let mut one = at.all(graph, &runs);
            one.counted = at.counted(&one, &runs);
            walks.extend(at.walks(&one));
            nodes.push(one);
        }
    }
    let ended = run.stopped.is_none() && waiting(run).next().is_none();
    let levels = of_run(levels, &nodes, ended);
    Measured {
        device: run.device.clone(),
        nodes,
        levels,
        walks,
        formats: formats(graph, run),
        rings: rings(graph, run),
    }
}

/// A node in a generation.
struct At<'r> {
    run: &'r GraphRun,
    generation: &'r Generation,
    node: &'r Node,
    rows: bool,
    compacts: bool,
}

/// The grid of a record, or of all of them.
#[derive(Clone, Copy)]
struct Asked {
    axes: [u32; 3],
    groups: u64,
    passes: u64,
}

/// Who starts a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// The host, which knows the records.
    Host,
    /// The device, from records in its memory that are entries.
    DeviceInput,
    /// The distribution after a level.
    Level,
}

/// How records are dispatched.
struct Dispatched {
    /// Records that run.
    records: u64,
    /// Groups for each.
    width: u64,
    /// The dispatches as issued.
    as_issued: Vec<[u64; 3]>,
}

impl At<'_> {
    /// What a device counted of the node. Levels of recursion are counted apart, so that several have no counters.
    fn counted(&self, one: &MeasuredNode, runs: &[&NodeRun]) -> Option<CountedNode> {
        let [NodeRun { groups: Some(groups), .. }] = runs else { return None };
        let useful = match self.node.launch {
            Launch::Broadcasting | Launch::Mesh => percent(groups.asked, groups.passes.saturating_add(groups.idle)),
            Launch::Thread | Launch::Coalescing => {
                percent(one.records, groups.dispatched.saturating_mul(scheduler::records_per_group(self.node)))
            }
        };
        let predicted = (|| {
            let (non_empty, asked, dispatched) = (one.non_empty?, one.asked?, one.groups?);
            Some(GroupCounts { non_empty, asked, dispatched, passes: one.passes?, idle: one.idle? })
        })();
        Some(CountedNode { groups: *groups, useful, agrees: predicted.map(|predicted| predicted == *groups) })
    }

    /// The node's records. Inputs of the host are dispatched one after the other.
    fn all(&self, graph: &WorkGraph, runs: &[&NodeRun]) -> MeasuredNode {
        let is_apart = runs.len() > 1 && self.run.input_mode == InputMode::MultiCpu;
        let each = || runs.iter().map(|done| self.measured(graph, &[*done]));
        match is_apart && each().all(|one| one.from_host) {
            true => each().reduce(|sum, one| self.together(sum, one)).unwrap_or_default(),
            false => self.measured(graph, runs),
        }
    }

    /// Two inputs of a node together.
    fn together(&self, one: MeasuredNode, other: MeasuredNode) -> MeasuredNode {
        let sum = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
        let (groups, passes) = (sum(one.groups, other.groups), sum(one.passes, other.passes));
        let (asked, idle) = (sum(one.asked, other.asked), sum(one.idle, other.idle));
        let records = one.records.saturating_add(other.records);
        let useful = match self.node.launch {
            Launch::Broadcasting | Launch::Mesh => asked
                .zip(passes.zip(idle))
                .and_then(|(asked, (passes, idle))| percent(asked, passes.saturating_add(idle))),
            Launch::Thread | Launch::Coalescing => groups
                .and_then(|groups| percent(records, groups.saturating_mul(scheduler::records_per_group(self.node)))),
        };
        MeasuredNode {
            records,
            non_empty: sum(one.non_empty, other.non_empty),
            asked,
            groups,
            passes,
            walked: sum(one.walked, other.walked),
            idle,
            useful,
            dispatches: one.dispatches.iter().chain(&other.dispatches).copied().collect(),
            ..one
        }
    }

    fn measured(&self, graph: &WorkGraph, runs: &[&NodeRun]) -> MeasuredNode {
        let owner = |done: &NodeRun| done.shares.and_then(|owner| self.generation.nodes.get(owner));
        let records = runs.iter().fold(0u64, |sum, done| sum.saturating_add(done.count));
        let shares = runs.iter().find_map(|done| owner(done)).map(|owner| label(graph, owner.node));
        let from_host = runs.iter().any(|done| done.entry || owner(done).is_some_and(|owner| owner.entry));
        let out = MeasuredNode {
            dispatch: self.generation.dispatch,
            generation: self.generation.number,
            node: self.node.id.to_string(),
            from_host,
            records,
            ..MeasuredNode::default()
        };
        let by = match (from_host, self.run.input_mode) {
            (false, _) => By::Level,
            (true, InputMode::Cpu | InputMode::MultiCpu) => By::Host,
            (true, InputMode::Gpu) => By::DeviceInput,
            (true, InputMode::MultiGpu) => return MeasuredNode { shares_input_of: shares, ..out },
        };
        let mut out = match self.node.launch {
            Launch::Broadcasting => self.broadcast(out, runs, by, shares.is_some()),
            Launch::Thread | Launch::Coalescing => self.grouped(out, by),
            Launch::Mesh => out,
        };
        if !from_host && shares.is_none() {
            self.listed(&mut out, runs);
        }
        MeasuredNode { shares_input_of: shares, ..out }
    }

    /// A thread or coalescing node: records fill groups.
    fn grouped(&self, out: MeasuredNode, by: By) -> MeasuredNode {
        let size = scheduler::records_per_group(self.node);
        let groups = out.records.div_ceil(size);
        MeasuredNode {
            non_empty: Some(out.records),
            asked: Some(groups),
            groups: Some(groups),
            passes: Some(groups),
            walked: Some(0),
            idle: Some(0),
            useful: percent(out.records, groups.saturating_mul(size)),
            dispatches: self.rows(groups, groups, 1, by),
            ..out
        }
    }

    /// A broadcasting node: each record starts a grid, in loops of a width.
    fn broadcast(&self, out: MeasuredNode, runs: &[&NodeRun], by: By, shares: bool) -> MeasuredNode {
        let Some(grids) = self.grids(runs, out.records) else { return out };
        let non_empty = grids.iter().filter(|(asked, _)| asked.groups > 0).map(|(_, count)| count).sum::<u64>();
        let sum = |of: &dyn Fn(&Asked) -> u64| {
            grids.iter().fold(0u64, |sum, (asked, count)| sum.saturating_add(of(asked).saturating_mul(*count)))
        };
        let asked = sum(&|asked| asked.groups);
        let out = MeasuredNode { non_empty: Some(non_empty), asked: Some(asked), ..out };
        if by == By::Host && out.records == 1 {
            // The dispatch is the grid: no loop.
            let dispatches = grids.first().map(|(asked, _)| asked.axes.map(u64::from)).into_iter().collect();
            let (passes, walked) = (Some(asked), Some(0));
            let useful = percent(asked, asked);
            return MeasuredNode { groups: Some(asked), passes, walked, idle: Some(0), useful, dispatches, ..out };
        }
        let Some(how) = self.dispatched(&grids, out.records, non_empty, asked, by, shares) else { return out };
        let passes = sum(&|asked| asked.passes);
        let runs_empty = how.records > non_empty;
        let idle = sum(&|asked| match asked.passes {
            0 if !runs_empty => 0,
            passes => how.width.saturating_sub(passes),
        });
        MeasuredNode {
            groups: Some(how.records.saturating_mul(how.width)),
            passes: Some(passes),
            walked: Some(passes.saturating_sub(asked)),
            idle: Some(idle),
            useful: percent(asked, passes.saturating_add(idle)),
            dispatches: how.as_issued,
            ..out
        }
    }

    /// How a broadcasting node's records are dispatched; `None` where that is unknown.
    fn dispatched(
        &self,
        grids: &[(Asked, u64)],
        records: u64,
        non_empty: u64,
        asked: u64,
        by: By,
        shares: bool,
    ) -> Option<Dispatched> {
        let most = self.node.bound.groups;
        if by == By::Host {
            // The axes that the records ask for, at most the declared ones.
            let declared = self.node.grid.or(self.node.max_grid)?;
            let mut axes = [1; 3];
            grids.iter().for_each(|(asked, _)| axes = std::array::from_fn(|at| asked.axes[at].max(axes[at])));
            let axes = std::array::from_fn(|at| declared[at].min(axes[at]));
            let width = scheduler::host_width(grid::saturating_volume(axes), records);
            return Some(Dispatched { records, width, as_issued: self.rows(records, records, width, by) });
        }
        let width = scheduler::width(most, records);
        let dropped = by == By::Level
            && self.compacts
            && self.node.has_dynamic_grid()
            && !(self.rows && records >= scheduler::ROW);
        if !dropped {
            return Some(Dispatched { records, width, as_issued: self.rows(records, records, width, by) });
        }
        // Records are counted for the owner of a shared input alone.
        if shares {
            return None;
        }
        let wide = scheduler::compacted_width(width, asked, non_empty);
        let mut as_issued = self.rows(records, non_empty, wide, by);
        // What has no groups keeps its width.
        if let Some([first, _]) = as_issued.first_chunk_mut::<2>() {
            first[2] = width;
        }
        Some(Dispatched { records: non_empty, width: wide, as_issued })
    }

    /// The dispatches of so many groups along X, of which so many are left where records were dropped.
    fn rows(&self, groups: u64, left: u64, width: u64, by: By) -> Vec<[u64; 3]> {
        let (rows, rest) = (groups / scheduler::ROW, groups % scheduler::ROW);
        if by == By::Host {
            let whole = (rows > 0).then_some([scheduler::ROW, rows, width]);
            let rest = (rest > 0).then_some([rest, 1, width]);
            return whole.into_iter().chain(rest).collect();
        }
        match self.rows {
            true => {
                let rest = if rows == 0 { left } else { rest };
                vec![[scheduler::ROW, rows, width], [rest, 1, width]]
            }
            false => vec![[left, 1, width]],
        }
    }

    /// The grids of the records, with how many have each; `None` where the run has not kept them.
    fn grids(&self, runs: &[&NodeRun], records: u64) -> Option<Vec<(Asked, u64)>> {
        if !self.node.has_dynamic_grid() {
            let axes = self.node.grid?;
            let groups = grid::saturating_volume(axes);
            return Some(vec![(Asked { axes, groups, passes: groups }, records)]);
        }
        let ty = self.node.record()?;
        let components = ty.grid?.components;
        let mut out: BTreeMap<[u32; 3], u64> = BTreeMap::new();
        let mut kept = 0u64;
        for done in runs {
            for record in self.run.records_of(self.generation, done).iter() {
                *out.entry(ty.grid_of(record)?).or_default() += 1;
                kept += 1;
            }
        }
        let asked = |axes: [u32; 3]| {
            let passes = grid::rounded_volume(axes, components);
            Asked { axes, groups: grid::saturating_volume(axes), passes }
        };
        (kept == records).then(|| out.into_iter().map(|(axes, count)| (asked(axes), count)).collect())
    }

    /// The lists and the payload of the node's own records.
    fn listed(&self, out: &mut MeasuredNode, runs: &[&NodeRun]) {
        let (mut allocations, mut payload) = (0u64, 0u64);
        for done in runs {
            let Some(counts) = allocations_of(self.node, done) else { return };
            allocations = allocations.saturating_add(counts.len() as u64);
            let stride = u64::from(done.records.stride);
            let rounded = |count: &u64| {
                count.saturating_mul(stride).checked_next_multiple_of(scheduler::PAYLOAD_UNIT).unwrap_or(u64::MAX)
            };
            payload = counts.iter().map(rounded).fold(payload, u64::saturating_add);
        }
        // Empty records have no offsets. Where those with an empty grid are dropped, theirs are not written.
        let dropped = self.compacts && self.node.has_dynamic_grid() && !(self.rows && out.records >= scheduler::ROW);
        let offsets = match (self.node.record().is_some(), dropped) {
            (false, _) => Some(0),
            (true, true) => out.non_empty,
            (true, false) => Some(out.records),
        };
        out.allocations = Some(allocations);
        out.payload = Some(payload);
        out.list = Some(allocations.saturating_mul(scheduler::LIST_ENTRY));
        out.offsets = offsets.map(|records| records.saturating_mul(scheduler::OFFSET));
    }

    /// The three ways to walk the grids of a node with a maximum.
    fn walks(&self, one: &MeasuredNode) -> Vec<WalkCost> {
        let (Some(asked), Some(groups), Some(passes), Some(idle)) = (one.asked, one.groups, one.passes, one.idle)
        else {
            return Vec::new();
        };
        if !self.node.has_dynamic_grid() {
            return Vec::new();
        }
        let whole = one.records.saturating_mul(self.node.bound.groups);
        let ways = [
            (WalkKind::Maximum, whole, whole, whole),
            (WalkKind::Rounded, groups, passes, passes.saturating_add(idle)),
            (WalkKind::Exact, asked, asked, asked),
        ];
        let walk = |(walk, groups, passes, slots)| WalkCost {
            dispatch: one.dispatch,
            generation: one.generation,
            node: one.node.clone(),
            walk,
            groups,
            passes,
            useful: percent(asked, slots).unwrap_or(0.0),
        };
        ways.map(walk).into()
    }
}

/// The records of each allocation that a node's records lie in; `None` where the run has not kept that.
pub(super) fn allocations_of(node: &Node, done: &NodeRun) -> Option<Vec<u64>> {
    if node.record().is_none() {
        return Some(Vec::new());
    }
    let mut out: BTreeMap<(u32, u64), u64> = BTreeMap::new();
    for Origin { count, run, entry, .. } in &done.records.origins {
        let own = out.entry((*run, *entry)).or_default();
        *own = own.saturating_add(u64::from(*count));
    }
    (out.values().fold(0, |sum: u64, count| sum.saturating_add(*count)) == done.count)
        .then(|| out.into_values().collect())
}

/// A share in percent, to one digit; `None` of nothing.
pub(super) fn percent(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| (part as f64 * 1000.0 / whole as f64).round() / 10.0)
}
