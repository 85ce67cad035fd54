//! Pending records of a node.

use super::batching::Grid;
use crate::gpu::GpuError;
use lanescope_passes::graph::{LAST_GENERATION, Launch, Node, RecordType, WorkGraph};
use lanescope_run::graph::input::MAX_RECORDS;
use lanescope_run::graph::{Edited, GraphInput, MAX_DISPATCHES, NodeRun, Origin, Records, Resume};

/// Records of one node with the same levels of recursion left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Job {
    /// Index of the node.
    pub node: usize,
    /// Levels of recursion that are left.
    pub remaining: u32,
    /// Whether the records come from the host.
    pub entry: bool,
    /// How many.
    pub count: u64,
    /// Their bytes.
    pub records: Records,
    /// Those that were changed while they waited.
    pub edited: Vec<Edited>,
}

impl From<Job> for NodeRun {
    /// Records that wait, without having run.
    fn from(job: Job) -> NodeRun {
        let Job { node, remaining, entry, count, records, edited } = job;
        NodeRun { node, remaining, entry, count, records, edited, ..NodeRun::default() }
    }
}

/// The records that a run resumes with.
///
/// # Errors
/// A place that a run of this graph cannot be at; records that do not fit its nodes.
pub(super) fn resumed(graph: &WorkGraph, resume: &Resume) -> Result<Vec<Job>, GpuError> {
    let Resume { dispatch, number, .. } = *resume;
    let wrong = |what: String| GpuError::Unusable(format!("resuming before generation {number}: {what}"));
    if number > LAST_GENERATION {
        return Err(wrong(format!("the last generation is {LAST_GENERATION}")));
    }
    if dispatch >= MAX_DISPATCHES {
        return Err(wrong(format!("start {dispatch}; the last start is {}", MAX_DISPATCHES - 1)));
    }
    let mut out: Vec<Job> = Vec::new();
    for run in &resume.nodes {
        let there = graph.nodes.len();
        let unknown = || wrong(format!("records of node {}; this graph has {there} nodes", run.node));
        let node = graph.nodes.get(run.node).ok_or_else(unknown)?;
        let NodeRun { node: index, remaining, entry, count, ref records, ref edited, .. } = *run;
        let wrong = |what: String| wrong(format!("{}: {what}", node.id));
        let from = if entry { "host records" } else { "records written by a node" };
        match number {
            0 if !entry || !node.starts() => {
                return Err(wrong(format!("{from}; a start needs entry points with host records")));
            }
            1.. if entry => return Err(wrong(format!("{from}; expected only in generation 0"))),
            _ => {}
        }
        if remaining > node.recursion {
            return Err(wrong(format!("{remaining} levels of recursion left; the node has {}", node.recursion)));
        }
        // The host may pass several lists for one entry point.
        if !entry && out.iter().any(|job| (job.node, job.remaining) == (index, remaining)) {
            return Err(wrong(format!("two lists of records with {remaining} levels of recursion left; expected one")));
        }
        if count > MAX_RECORDS {
            return Err(wrong(format!("{count} records; the limit is {MAX_RECORDS}")));
        }
        let (stride, bytes) = (node.record().map_or(0, RecordType::stride), records.bytes.0.len() as u64);
        let expected = count.saturating_mul(u64::from(stride));
        if bytes != expected || stride != records.stride && bytes > 0 {
            let found = format!("{bytes} bytes at stride {}", records.stride);
            return Err(wrong(format!("{count} records: expected {expected} bytes at stride {stride}, found {found}")));
        }
        let (records, edited) = (records.clone(), edited.clone());
        out.push(Job { node: index, remaining, entry, count, records, edited });
    }
    Ok(out)
}

impl Job {
    /// The host's records for an entry point, one after the other.
    pub fn of_input(node: usize, of: &Node, input: &GraphInput) -> Job {
        let mut job = Job { node, remaining: of.recursion, entry: true, count: input.count, ..Job::default() };
        let Some(record) = of.record() else { return job };
        let (size, stride) = (record.bytes as usize, record.stride());
        job.records.stride = stride;
        job.records.bytes.0.reserve(usize::try_from(input.count * u64::from(stride)).unwrap_or(0));
        for index in 0..input.count {
            let at = usize::try_from(index * u64::from(input.stride)).unwrap_or(usize::MAX);
            let bytes = input.bytes.0.get(at..).and_then(|rest| rest.get(..size)).unwrap_or_default();
            job.records.bytes.0.extend_from_slice(bytes);
            job.records.bytes.0.resize(((index + 1) * u64::from(stride)) as usize, 0);
        }
        job
    }

    /// Adds records that one thread or group wrote.
    pub fn add(&mut self, bytes: &[u8], stride: u32, origin: Origin) {
        self.count += u64::from(origin.count);
        self.records.stride = stride;
        self.records.bytes.0.extend_from_slice(bytes);
        match self.records.origins.last_mut() {
            Some(last) if (last.run, last.entry, last.record) == (origin.run, origin.entry, origin.record) => {
                last.count += origin.count;
            }
            _ => self.records.origins.push(origin),
        }
    }

    /// The grids of its records; one where all have the same.
    pub fn grids(&self, node: &Node) -> Vec<Grid> {
        if node.launch != Launch::Broadcasting {
            return vec![Grid::fixed([1; 3])];
        }
        match node.record().filter(|_| node.has_dynamic_grid()) {
            Some(record) if record.grid.is_some() => self.records.iter().map(|bytes| grid_of(record, bytes)).collect(),
            _ => vec![Grid::fixed(node.grid.or(node.max_grid).unwrap_or([1; 3]))],
        }
    }
}

/// The grid that a record asks for.
fn grid_of(record: &RecordType, bytes: &[u8]) -> Grid {
    let components = record.grid.map_or(3, |grid| grid.components);
    Grid::dynamic(record.grid_of(bytes).unwrap_or([0; 3]), components)
}
