//! What a batch wrote: read from the ring, checked, and passed to its target nodes.

use std::collections::BTreeMap;

use super::batching::Piece;
use super::block::OutputBlock;
use super::job::Job;
use super::parents::Noted;
use super::plan::NodePlan;
use super::report;
use lanescope_base::text_format::counted;
use lanescope_passes::graph::{Node, NodeId, WorkGraph};
use lanescope_run::graph::{EdgeRun, Generation, GraphRun, NodeRun, Origin, Stopped};

/// A batch that ran.
pub(super) struct Batched<'b> {
    pub output: &'b OutputBlock,
    pub plan: &'b NodePlan,
    pub node: &'b Node,
    /// The number of its first entry among its node's.
    pub first_entry: u64,
}

/// What it wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Written {
    /// Requested bytes of payload.
    pub used: u64,
    /// Requested entries.
    pub listed: u64,
    /// Records by slot.
    pub totals: Vec<u64>,
    /// Records that found no room, or no slot.
    pub sunk: u64,
    /// The entries: slot, records, offset in `payload`.
    pub entries: Vec<(u32, u32, u32)>,
    /// The number of the first one.
    pub first_entry: u64,
    /// The payload as far as it was used.
    pub payload: Vec<u8>,
    /// Which launches wrote it.
    pub noted: Noted,
    /// Why none of it can be believed.
    pub broken: Option<String>,
}

impl Batched<'_> {
    /// Reads the output half.
    pub fn read(&self, half: &[u8]) -> Written {
        let output = self.output;
        let (used, listed) = output.used(half);
        let mut out = Written {
            used: u64::from(used),
            listed: u64::from(listed),
            totals: (0..output.slots).map(|slot| u64::from(output.total(half, slot))).collect(),
            sunk: u64::from(output.total(half, output.slots)),
            first_entry: self.first_entry,
            ..Written::default()
        };
        let length = used.min(output.limit) as usize;
        let payload = half.get(output.payload as usize..).and_then(|rest| rest.get(..length)).unwrap_or_default();
        out.payload = payload.to_vec();
        if let Some(at) = output.damage(half) {
            out.broken = Some(format!("the guard after the payload was overwritten at byte {at}"));
        }
        let mut sums = vec![0u64; output.slots as usize];
        for index in 0..listed.min(output.entries) {
            let (slot, count, offset) = output.entry(half, index);
            let stride = self.stride(slot);
            let end = u64::from(offset) + u64::from(count) * u64::from(stride.unwrap_or(0));
            if stride.is_none() || end > u64::from(output.limit) {
                let message = format!("entry {index} refers to output {slot} and {count} records at byte {offset}");
                out.broken.get_or_insert(message);
                continue;
            }
            if let Some(sum) = sums.get_mut(slot as usize) {
                *sum += u64::from(count);
            }
            out.entries.push((slot, count, offset));
        }
        for (slot, (sum, total)) in (0u32..).zip(sums.iter().zip(&out.totals)) {
            if self.stride(slot).is_some_and(|stride| stride > 0) && sum != total && out.sunk == 0 {
                out.broken.get_or_insert(format!("output {slot} counts {total} records, but its entries have {sum}"));
            }
        }
        out
    }

    /// Bytes of a record of a slot; 0 for empty ones, none where there is no such slot.
    fn stride(&self, slot: u32) -> Option<u32> {
        if slot >= self.plan.slots {
            return None;
        }
        let output = self.node.outputs.get(self.plan.element(slot)?.output)?;
        Some(output.record.as_ref().map_or(0, |record| record.stride()))
    }
}

/// Records that no node received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lost {
    /// Index of the writer.
    pub node: usize,
    /// The id that they were sent to.
    pub id: NodeId,
    /// How many.
    pub records: u64,
    /// Whether it is the writer itself, with no level of recursion left.
    pub beyond: bool,
}

/// Who wrote a batch.
#[derive(Clone, Copy)]
pub(super) struct Writer<'w> {
    pub graph: &'w WorkGraph,
    pub plan: &'w NodePlan,
    pub node: &'w Node,
    pub done: &'w NodeRun,
    /// Its index among the generation's nodes.
    pub from: usize,
}

impl Writer<'_> {
    /// The node and levels of recursion that a slot's records get, with the output.
    fn destination(&self, slot: u32) -> Option<((usize, u32), usize)> {
        let element = self.plan.element(slot)?;
        let target = self.graph.target(self.done.node, element.output, element.element)?;
        if target == self.done.node {
            return Some(((target, self.done.remaining.checked_sub(1)?), element.output));
        }
        Some(((target, self.graph.nodes.get(target)?.recursion), element.output))
    }
}

/// What a generation wrote so far.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    jobs: BTreeMap<(usize, u32), Job>,
    edges: BTreeMap<(usize, u32), EdgeRun>,
    lost: Vec<Lost>,
    mismatched: Option<String>,
}

impl Outputs {
    /// Adds what a batch wrote.
    pub fn add(&mut self, writer: Writer<'_>, piece: &Piece, written: &Written) {
        let Writer { graph, node, .. } = writer;
        for (slot, total) in (0u32..).zip(&written.totals) {
            if *total > 0 {
                self.edge(writer, slot, *total);
            }
        }
        let run = u32::try_from(writer.from).unwrap_or(u32::MAX);
        for (index, (slot, count, offset)) in (0u64..).zip(&written.entries) {
            let Some((key, output)) = writer.destination(*slot) else { continue };
            let Some(stride) = node.outputs.get(output).and_then(|output| output.record.as_ref()).map(|r| r.stride())
            else {
                continue;
            };
            let size = *count as usize * stride as usize;
            let bytes = written.payload.get(*offset as usize..).and_then(|rest| rest.get(..size)).unwrap_or_default();
            let expected = graph.nodes.get(key.0).and_then(Node::record).map_or(0, |record| record.stride());
            if expected != stride {
                let (to, from) = (graph.nodes.get(key.0).map(|node| node.id.clone()), &node.id);
                let to = to.map_or_else(String::new, |id| id.to_string());
                self.mismatched
                    .get_or_insert(format!("{from} writes {stride}-byte records, {to} reads {expected} bytes"));
                continue;
            }
            let job = self.jobs.entry(key).or_insert_with(|| Job { node: key.0, remaining: key.1, ..Job::default() });
            let mut rest = bytes;
            for (count, number) in written.noted.runs(*offset, stride, *count) {
                let (these, tail) = rest.split_at(rest.len().min(count as usize * stride as usize));
                let record = number.and_then(|number| piece.record(number));
                job.add(these, stride, Origin { count, run, entry: written.first_entry + index, record });
                rest = tail;
            }
        }
    }

    fn edge(&mut self, writer: Writer<'_>, slot: u32, records: u64) {
        let Writer { graph, plan, node, done, from } = writer;
        let Some(element) = plan.element(slot) else { return };
        let to = writer.destination(slot).map(|((to, _), _)| to);
        let edge = self.edges.entry((from, slot)).or_insert(EdgeRun {
            from,
            output: element.output,
            element: element.element,
            to,
            records: 0,
        });
        edge.records += records;
        let output = node.outputs.get(element.output);
        match to {
            None => {
                let id = output.and_then(|output| output.id(element.element)).unwrap_or_else(|| NodeId::new("?", slot));
                let beyond = graph.find(&id) == Some(done.node);
                match self.lost.iter_mut().find(|lost| (lost.node, &lost.id) == (done.node, &id)) {
                    Some(lost) => lost.records += records,
                    None => self.lost.push(Lost { node: done.node, id, records, beyond }),
                }
            }
            Some(_) if output.is_some_and(|output| output.record.is_none()) => {
                if let Some((key, _)) = writer.destination(slot) {
                    let job =
                        self.jobs.entry(key).or_insert_with(|| Job { node: key.0, remaining: key.1, ..Job::default() });
                    job.count += records;
                }
            }
            Some(_) => {}
        }
    }

    /// What was written, by writer and slot.
    pub fn edges(&self) -> Vec<EdgeRun> {
        self.edges.values().cloned().collect()
    }

    /// Notes the records that no node received.
    pub fn findings(&self, run: &mut GraphRun) {
        for lost in &self.lost {
            report::lost(run, lost);
        }
    }

    /// Why nothing more may run.
    pub fn stop(&self, graph: &WorkGraph, generation: &Generation) -> Option<Stopped> {
        if let Some(why) = &self.mismatched {
            return Some(report::stopped(generation, None, why.clone()));
        }
        let beyond = self.lost.iter().find(|lost| lost.beyond)?;
        let node = graph.nodes.get(beyond.node)?;
        let records = counted(beyond.records, "record");
        let why = format!("{} sent itself {records} with no recursion level left", node.id);
        Some(report::stopped(generation, Some(node), why))
    }

    /// The next generation's jobs.
    pub fn into_jobs(self) -> Vec<Job> {
        self.jobs.into_values().collect()
    }
}
