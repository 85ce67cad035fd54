//! The results of a GPU-driven run: counts of every generation, why it ended, and pending records.

use std::collections::BTreeMap;

use super::memory::Status;
use super::rows::BEYOND;
use super::{First, Free, Start, Times};
use crate::gpu::GpuError;
use crate::gpu::workgraph::batching::Grid;
use crate::gpu::workgraph::expand::Lost;
use crate::gpu::workgraph::report;
use crate::gpu::workgraph::stage::Stage;
use lanescope_passes::graph::{LAST_GENERATION, Launch, NodeId};
use lanescope_run::graph::{Batch, EdgeRun, Generation, GraphRun, GroupCounts, NodeRun, Records, Stopped};

impl Free<'_> {
    /// Reads what the device says of a pass.
    pub(super) fn read(
        &self,
        stage: &mut Stage<'_, '_>,
        Start { dispatch, job, .. }: Start<'_>,
        first: &[First<'_>],
        ran: usize,
        times: &Times,
        run: &mut GraphRun,
    ) -> Result<Option<Stopped>, GpuError> {
        let status = self.memory.status()?;
        let start = run.generations.iter().position(|generation| generation.dispatch == dispatch);
        let start = start.unwrap_or(run.generations.len());
        let last = if status.reason == 0 { ran } else { (status.generation as usize).min(ran) };
        for number in 0..last {
            let mut counts: Vec<Counted> = Vec::new();
            if number == 0 {
                counts.extend(first.iter().map(Counted::of));
            } else {
                let active = self.rows.active.get(number).into_iter().flatten();
                counts.extend(active.map(|row| self.counted(stage, number, *row)).filter(|of| of.records > 0));
            }
            if counts.is_empty() {
                break;
            }
            if run.generations.len() <= start + number {
                let mut generation = Generation { dispatch, number: number as u32, ..Generation::default() };
                generation.ring.half = self.memory.payload_room;
                run.generations.push(generation);
            }
            let Some(generation) = run.generations.get_mut(start + number) else { break };
            let mut at_of_row = BTreeMap::new();
            for Counted { row, records, launches, groups } in counts {
                let Some(is) = self.rows.rows.get(row) else { continue };
                let at = generation
                    .nodes
                    .iter()
                    .position(|node| (node.node, node.remaining, node.entry) == (is.node, is.remaining, number == 0));
                let at = at.unwrap_or_else(|| {
                    generation.nodes.push(NodeRun {
                        node: is.node,
                        remaining: is.remaining,
                        entry: number == 0,
                        ..NodeRun::default()
                    });
                    generation.nodes.len() - 1
                });
                at_of_row.insert(row, at);
                if is.shares.is_none() {
                    let record = run.graph.nodes.get(is.node).and_then(|node| node.record());
                    generation.ring.input += records * record.map_or(0, |record| u64::from(record.stride()));
                }
                let Some(node) = generation.nodes.get_mut(at) else { continue };
                node.count += records;
                node.launches += launches;
                node.groups = match (node.groups, groups) {
                    (Some(one), Some(other)) => Some(one.plus(other)),
                    (one, other) => one.or(other),
                };
                if let Some(First { piece, .. }) = first.iter().find(|first| number == 0 && first.row == row) {
                    node.batches.push(Batch {
                        records: piece.records.len(),
                        which: piece.records.runs(),
                        dispatches: piece.dispatches().iter().map(|(groups, _)| *groups).collect(),
                        nanoseconds: times.of(0).map_or(times.all, |[ran, _]| ran),
                        ..Batch::default()
                    });
                }
            }
            for (row, at) in &at_of_row {
                let owner = self.rows.rows.get(*row).and_then(|row| row.shares).and_then(|owner| at_of_row.get(&owner));
                if let (Some(owner), Some(node)) = (owner, generation.nodes.get_mut(*at)) {
                    node.shares = Some(*owner);
                }
            }
            match times.of(number) {
                Some([ran, led]) => {
                    generation.nanoseconds += ran;
                    generation.leading_nanoseconds += led;
                    // Nodes of one generation run side by side: only one that is alone has a time of its own.
                    let mut alone = at_of_row.values();
                    if let (Some(at), None) = (alone.next(), alone.next())
                        && let Some(node) = generation.nodes.get_mut(*at)
                    {
                        node.nanoseconds += ran;
                    }
                }
                None if number == 0 => generation.nanoseconds += times.all,
                None => {}
            }
            let entry = first.first().filter(|entry| number == 0 && !entry.piece.goes_on());
            if let Some(entry) = entry
                && let Some(node) = at_of_row.get(&entry.row).and_then(|at| generation.nodes.get_mut(*at))
            {
                node.records.stride = job.records.stride;
                for record in entry.piece.records.iter().filter_map(|index| job.records.get(index)) {
                    node.records.bytes.0.extend_from_slice(record);
                }
            }
            self.edges(stage, number, &at_of_row, generation)?;
        }
        self.lost(stage, ran, run);
        if status.reason != 0 {
            return Ok(Some(self.stopped(stage, dispatch, status, run)));
        }
        self.pending(stage, ran, run)?;
        Ok(None)
    }

    /// What each row wrote in a generation, slot by slot.
    fn edges(
        &self,
        stage: &Stage<'_, '_>,
        number: usize,
        at_of_row: &BTreeMap<usize, usize>,
        generation: &mut Generation,
    ) -> Result<(), GpuError> {
        for (row, at) in at_of_row {
            let Some(is) = self.rows.rows.get(*row) else { continue };
            let plan = stage.plan(is.node)?;
            let Some(base) = is.bases.first() else { continue };
            for slot in 0..plan.slots {
                let records = self.memory.sent(number + 1, (base + slot) as usize, &self.rows);
                let Some(element) = plan.element(slot).filter(|_| records > 0) else { continue };
                let to = self.rows.slots.get((base + slot) as usize).and_then(|to| self.rows.rows.get(*to as usize));
                let same = |edge: &&mut EdgeRun| {
                    (edge.from, edge.output, edge.element) == (*at, element.output, element.element)
                };
                match generation.edges.iter_mut().find(same) {
                    Some(edge) => edge.records += records,
                    None => generation.edges.push(EdgeRun {
                        from: *at,
                        output: element.output,
                        element: element.element,
                        to: to.map(|to| to.node),
                        records,
                    }),
                }
            }
        }
        generation.ring.used = generation.ring.used.max(self.memory.used(number + 1));
        Ok(())
    }

    /// Findings about records that no node received.
    fn lost(&self, stage: &Stage<'_, '_>, ran: usize, run: &mut GraphRun) {
        report::dropped(run, self.memory.dropped());
        for (row, is) in self.rows.rows.iter().enumerate() {
            let Ok(plan) = stage.plan(is.node) else { continue };
            let Some(base) = is.bases.first() else { continue };
            for slot in 0..plan.slots {
                let at = (base + slot) as usize;
                let leads = self.rows.slots.get(at).copied().unwrap_or(BEYOND);
                if (leads as usize) < self.rows.rows.len() {
                    continue;
                }
                let records: u64 = (1..=ran).map(|number| self.memory.sent(number, at, &self.rows)).sum();
                let Some(element) = plan.element(slot).filter(|_| records > 0) else { continue };
                let output = stage.graph.nodes.get(is.node).and_then(|node| node.outputs.get(element.output));
                let id = output
                    .and_then(|output| output.id(element.element))
                    .unwrap_or_else(|| NodeId::new("?", row as u32));
                let lost = Lost { node: is.node, id, records, beyond: leads == BEYOND };
                report::lost(run, &lost);
            }
        }
    }

    /// Why the device went no further.
    fn stopped(&self, stage: &Stage<'_, '_>, dispatch: u32, status: Status, run: &GraphRun) -> Stopped {
        let graph = stage.graph;
        let writers = status.generation.saturating_sub(1);
        let generation = Generation { dispatch, number: writers, ..Generation::default() };
        // The rows that ran; the one that might write most is named first.
        let ran = run.generation(dispatch, writers).map(|generation| generation.nodes.as_slice()).unwrap_or_default();
        let mut names: Vec<_> = ran
            .iter()
            .filter_map(|node| {
                graph
                    .nodes
                    .get(node.node)
                    .map(|of| (of.bound.payload.saturating_mul(node.launches.max(node.count)), of))
            })
            .filter(|(most, _)| *most > 0)
            .collect();
        names.sort_by_key(|(most, node)| (std::cmp::Reverse(*most), node.id.clone()));
        let node = names.first().map(|(_, node)| *node);
        let who: Vec<String> = names.iter().map(|(_, node)| node.id.to_string()).collect();
        let (needed, available) = (u64::from(status.needed), u64::from(status.available));
        let short = |what: &str, unit: u64| {
            let why = format!(
                "{} wrote {what} than fit into the ring: {} bytes needed, {} available; use a larger --ring, or \
                 a stepped run, which needs less",
                who.join(", "),
                needed * unit,
                available * unit
            );
            Stopped {
                needed: Some(needed * unit),
                available: Some(available * unit),
                ..report::stopped(&generation, node, why)
            }
        };
        let next = Generation { dispatch, number: status.generation, ..Generation::default() };
        match status.reason {
            1 => short("more payload", 1),
            2 => short("more allocations", 8),
            3 => {
                let why = format!("{}: records beyond the declared allocations", who.join(", "));
                report::stopped(&generation, node, why)
            }
            4 => short("more records", 4),
            5 => {
                let why = format!("generation {} still has records, limit {LAST_GENERATION}", status.generation);
                report::stopped(&next, None, why)
            }
            6 => {
                let requester = self.rows.rows.get(status.row as usize).and_then(|row| graph.nodes.get(row.node));
                let id = requester.map_or_else(String::new, |node| node.id.to_string());
                report::stopped(
                    &next,
                    requester,
                    format!("{id}: a record requests a larger grid than the node declares"),
                )
            }
            _ => {
                let why = format!("{} sent itself records with no recursion level left", who.join(", "));
                report::stopped(&generation, node, why)
            }
        }
    }

    /// Records that wait for the generation after the last one.
    fn pending(&self, stage: &mut Stage<'_, '_>, ran: usize, run: &mut GraphRun) -> Result<(), GpuError> {
        for (at, row) in self.rows.rows.iter().enumerate().filter(|(_, row)| row.shares.is_none()) {
            let count = self.memory.records(ran, at, &self.rows);
            let Some(node) = stage.graph.nodes.get(row.node).filter(|_| count > 0) else { continue };
            let stride = node.record().map_or(0, |record| record.stride());
            let mut records = Records { stride, ..Records::default() };
            if stride > 0 && stage.may_keep(count * u64::from(stride)) {
                records.bytes.0 = self.memory.waiting(ran, at, count, stride)?;
            }
            let same = |run: &&mut NodeRun| (run.node, run.remaining) == (row.node, row.remaining);
            match run.pending.iter_mut().find(same) {
                Some(run) => {
                    run.count += count;
                    run.records.bytes.0.extend(records.bytes.0);
                }
                None => run.pending.push(NodeRun {
                    node: row.node,
                    remaining: row.remaining,
                    count,
                    records,
                    ..NodeRun::default()
                }),
            }
        }
        Ok(())
    }
}

/// What a row did in a generation of a pass.
struct Counted {
    row: usize,
    records: u64,
    /// Groups: threads of a thread node.
    launches: u64,
    /// What the device counted.
    groups: Option<GroupCounts>,
}

impl Counted {
    /// In the first one: a record whose grid is run in parts is counted with the first part.
    fn of(first: &First<'_>) -> Counted {
        let records = if first.piece.goes_on() { 0 } else { first.piece.records.len() };
        Counted { row: first.row, records, launches: first.piece.launches, groups: None }
    }
}

impl Free<'_> {
    /// In a later one.
    fn counted(&self, stage: &Stage<'_, '_>, number: usize, row: usize) -> Counted {
        let records = self.memory.records(number, row, &self.rows);
        let node = self.rows.rows.get(row).and_then(|row| stage.graph.nodes.get(row.node));
        let launches = node.map_or(0, |node| match node.launch {
            Launch::Thread => records,
            Launch::Coalescing => records.div_ceil(u64::from(node.records_per_launch())),
            _ if node.has_dynamic_grid() => self.memory.groups(number, row, &self.rows),
            _ => records * Grid::fixed(node.grid.unwrap_or([1; 3])).volume,
        });
        Counted { row, records, launches, groups: self.memory.counts(number, row) }
    }
}
