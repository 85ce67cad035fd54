//! Records that wait for a node.

use super::cut::Grid;
use crate::gpu::GpuError;
use crate::graph::{Launch, Node, RecordType, WorkGraph};
use crate::run::graph::{Edited, GraphInput, NodeRun, Origin, Records, Resume};

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

/// The records that a run goes on with.
///
/// # Errors
/// Records that are not those of this graph's nodes.
pub(super) fn resumed(graph: &WorkGraph, resume: &Resume) -> Result<Vec<Job>, GpuError> {
    let wrong = |what: &str| GpuError::Unusable(format!("generation {}: {what}", resume.number));
    let mut out = Vec::new();
    for run in &resume.nodes {
        let node = graph.nodes.get(run.node).ok_or_else(|| wrong("its nodes are not those of this graph"))?;
        let fits = match node.record() {
            None => run.records.bytes.0.is_empty(),
            Some(record) => run.records.stride == record.stride() && run.records.len() == run.count,
        };
        if !fits {
            return Err(wrong(&format!("the records of {} are not as this graph has them", node.id)));
        }
        let NodeRun { node, remaining, entry, count, .. } = *run;
        out.push(Job { node, remaining, entry, count, records: run.records.clone(), edited: run.edited.clone() });
    }
    Ok(out)
}

impl Job {
    /// The host's records for an entry point, one behind the other.
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
