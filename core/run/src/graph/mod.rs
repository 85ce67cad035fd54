//! The results of a work graph run, as plain data: generation by generation the records of every node, what was
//! launched for them, what they wrote, and what was in the buffers afterwards.
//!
//! * [`GraphRequest`]: what is to be run, and how. [`GraphInput`]: the records that it starts with.
//! * [`GraphRun`]: the results. With [`WorkGraph`] in it, it can be shown without the library or a device.
//! * [`GraphPart`]: a run as it grows, so that nothing that was read is lost if the rest never comes.
//! * [`GraphCommand`]: what a stepped run does next.
//! * [`Resume`]: the state from which a run resumes.
//! * [`input`]: records from JSON. [`gpu_input`]: records that a structure in device memory describes. [`file`](mod@file): saved runs.

pub mod file;
pub mod gpu_input;
pub mod input;
mod lineage;
mod parts;
mod records;
mod records_table;
mod resume;
mod stepper;
mod valid;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Blob, BufferRun, ImageRun};
use lanescope_base::named_enum;
use lanescope_passes::findings::{Finding, Severity};
use lanescope_passes::graph::{NodeId, WorkGraph};

pub use input::{GraphInput, InputError, LocalRoots, RootValue};
pub use lineage::{Caused, Writer, records_in};
pub use parts::{GraphPart, Growing, Reached};
pub use records::{Origin, Records};
pub use records_table::{Reading, RecordField, push_record, record_fields, record_table};
pub use resume::{Held, Resume};
pub use stepper::{Advance, Breakpoint, Edited, GraphCommand, Hit, Replace};

/// What names of buffers of local root arguments start with: they are not descriptors.
pub const LOCAL_BUFFER: &str = "local.";
/// Starts that a run has at most.
pub const MAX_DISPATCHES: u32 = 1 << 16;
/// The default ring size: 256 MiB.
pub const DEFAULT_RING: u64 = 256 << 20;
/// The largest ring.
pub const MAX_RING: u64 = 64 << 30;

named_enum!(
    /// Who schedules the generations of a graph.
    GraphMode {
        /// The host: it reads every record between two generations.
        Step = "step",
        /// The device alone; the host sees what is left at the end.
        Free = "free",
    }
);

impl GraphMode {
    /// The mode in a word.
    pub fn words(self) -> &'static str {
        match self {
            GraphMode::Step => "stepped",
            GraphMode::Free => "GPU-driven",
        }
    }
}

named_enum!(
    /// Where a graph's first records come from.
    InputMode {
        /// The host names one entry point and passes its records.
        Cpu = "cpu",
        /// As above, described in device memory.
        Gpu = "gpu",
        /// Several entry points, from the host.
        MultiCpu = "multi-cpu",
        /// Several entry points, described in device memory.
        MultiGpu = "multi-gpu",
    }
);

/// How a graph is to be run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphRequest {
    /// Who schedules the generations.
    pub mode: GraphMode,
    /// Where its first records come from.
    pub input_mode: InputMode,
    /// Its first records: one entry point, or several.
    pub inputs: Vec<GraphInput>,
    /// How often it is started, one run after the other on the same buffers.
    pub dispatches: u32,
    /// Bytes for records on the way: half of them for what goes in, half for what comes out.
    pub ring: u64,
    /// The last generation to run; all where absent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub until: Option<u32>,
    /// Interactive: it runs so far, then pauses and waits for a command. Stepped runs only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub led: Option<Advance>,
    /// State to resume from, instead of its first records. Stepped runs only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub resume: Option<Box<Resume>>,
    /// Reads the device's clock between the generations of a GPU-driven run.
    pub timed: bool,
    /// Local root arguments.
    #[serde(default)]
    pub local_roots: LocalRoots,
    /// What varies how the same work is cut up; results do not depend on it.
    #[serde(default)]
    pub cut: Cut,
    /// GPU-driven runs: dispatch each generation after the first as vkd3d-proton does, for such a device or one that has
    /// less, and count its workgroups.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub counted: Option<CountedAs>,
}

impl Default for GraphRequest {
    /// One start, stepped, with a ring of the usual size and without any record.
    fn default() -> Self {
        GraphRequest {
            mode: GraphMode::Step,
            input_mode: InputMode::Cpu,
            inputs: Vec::new(),
            dispatches: 1,
            ring: DEFAULT_RING,
            until: None,
            led: None,
            resume: None,
            timed: true,
            local_roots: LocalRoots::default(),
            cut: Cut::default(),
            counted: None,
        }
    }
}

/// The device whose dispatches are counted ([`lanescope_passes::graph::scheduler`]).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CountedAs {
    /// It takes fewer than [`MAX_ROW`](lanescope_passes::graph::scheduler::MAX_ROW) workgroups along X: of many records
    /// those without a group are not dropped.
    pub rows: bool,
}

/// How work is cut into device work. Results do not depend on it, but for shaders that break their word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cut {
    /// The most records of one batch.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub batch: Option<u64>,
    /// Workgroups that share a record's grid, instead of one for every group. A node that allocates for targets of its
    /// threads has at least one for every group: with fewer, some devices lose groups.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub width: Option<u32>,
    /// The most records of a coalescing group, where less than the node declares.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub coalesce: Option<u32>,
}

/// A run of a work graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphRun {
    /// The device's name.
    pub device: String,
    /// The file that the graph was read from.
    pub file: String,
    /// How it was run; the bytes of its inputs are in the first generation.
    pub mode: GraphMode,
    /// Where its first records came from.
    pub input_mode: InputMode,
    /// The entry points.
    pub entries: Vec<NodeId>,
    /// The ring's size.
    pub ring: u64,
    /// The device that groups were dispatched for, where they were counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub counted: Option<CountedAs>,
    /// The graph that was run. [`NodeRun::node`] is an index into its nodes.
    pub graph: WorkGraph,
    /// Nodes that could not be converted, and why.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub refused: Vec<Refused>,
    /// What ran: by start, then by generation.
    pub generations: Vec<Generation>,
    /// Records that wait for the generation after the last one.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub pending: Vec<NodeRun>,
    /// Why it ended before its work was done.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped: Option<Stopped>,
    /// What was found while it ran.
    pub findings: Vec<Finding>,
    /// The buffers that a node may write, with their final contents' hashes; the contents are those of the last generation.
    pub buffers: Vec<BufferRun>,
    /// The images that a node may write.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub images: Vec<ImageRun>,
    /// Contents before anything ran, but for those that were all zero.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub start: BTreeMap<String, Blob>,
    /// Initial contents that were too large to keep.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub left_out: Vec<String>,
    /// Contents at the end, by the names of `buffers` and `images`.
    pub contents: BTreeMap<String, Blob>,
    /// How long the device took in all.
    pub nanoseconds: u64,
    /// How long all of it took, conversion and pipelines aside.
    pub wall_nanoseconds: u64,
    /// The validation layer's warnings.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
}

/// A node that the converter did not take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refused {
    /// Index of the node.
    pub node: usize,
    /// Why.
    pub why: String,
}

/// Why a run ended before its work was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stopped {
    /// The start.
    pub dispatch: u32,
    /// The generation that it happened in, or that was refused.
    pub generation: u32,
    /// The node, where one is to blame.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub node: Option<NodeId>,
    /// What happened.
    pub why: String,
    /// Bytes that were needed, where memory was short.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub needed: Option<u64>,
    /// Bytes that there were.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub available: Option<u64>,
}

/// One generation of one start: everything that had crossed as many edges.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Generation {
    /// The start, from 0.
    pub dispatch: u32,
    /// Edges that its records have crossed.
    pub number: u32,
    /// What ran: by node, then by remaining levels of recursion.
    pub nodes: Vec<NodeRun>,
    /// What was written: by writer, output and element. Elements that got nothing are left out.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub edges: Vec<EdgeRun>,
    /// What it took of the ring.
    pub ring: RingUse,
    /// Contents of the buffers and images that changed, after it; others are as they were.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub changed: BTreeMap<String, Blob>,
    /// Buffers and images that changed too, whose contents are too large to keep.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub left_out: Vec<String>,
    /// What was found while it ran.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<Finding>,
    /// How long the device took.
    pub nanoseconds: u64,
    /// GPU-driven runs only: how long the device took to schedule the next generation.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub leading_nanoseconds: u64,
    /// It has not run: its records wait. See [`GraphRun::show_waiting`].
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub waiting: bool,
}

/// What a node did in one generation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NodeRun {
    /// Index of the node.
    pub node: usize,
    /// Levels of recursion that were left.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub remaining: u32,
    /// Whether the records came from the host.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub entry: bool,
    /// The run (an index into the same list) whose records it read once more.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shares: Option<usize>,
    /// How many records there were.
    pub count: u64,
    /// How many groups ran: threads of a thread node.
    pub launches: u64,
    /// The records: those of a sharing run are its owner's.
    #[serde(skip_serializing_if = "Records::is_empty", default)]
    pub records: Records,
    /// Records that were changed while they waited, and what they were.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub edited: Vec<Edited>,
    /// The records as the node left them, where it may write them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<Blob>,
    /// The device's work, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub batches: Vec<Batch>,
    /// How long the device took.
    pub nanoseconds: u64,
    /// The groups that the device counted, where that was requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub groups: Option<GroupCounts>,
}

/// Groups of a node as a device dispatched and counted them: see [`GraphRequest::counted`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GroupCounts {
    /// Records that ask for a group.
    pub non_empty: u64,
    /// Groups that they ask for; those of a thread node have 32 threads.
    pub asked: u64,
    /// Groups that were dispatched.
    pub dispatched: u64,
    /// Passes of their loops over grids.
    pub passes: u64,
    /// Dispatched groups without a pass.
    pub idle: u64,
}

impl GroupCounts {
    /// Both together.
    pub fn plus(self, other: GroupCounts) -> GroupCounts {
        GroupCounts {
            non_empty: self.non_empty.saturating_add(other.non_empty),
            asked: self.asked.saturating_add(other.asked),
            dispatched: self.dispatched.saturating_add(other.dispatched),
            passes: self.passes.saturating_add(other.passes),
            idle: self.idle.saturating_add(other.idle),
        }
    }
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// Records that ran together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Batch {
    /// How many records.
    pub records: u64,
    /// Which, as the first and how many; where empty, those after the records of the batches before.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub which: Vec<[u32; 2]>,
    /// The dispatches, in workgroups.
    pub dispatches: Vec<[u32; 3]>,
    /// The first entry that it wrote, of all those of its node's run; [`Origin::entry`] counts like this.
    pub first_entry: u64,
    /// Entries that it wrote.
    pub entries: u64,
    /// Bytes of payload that it may write.
    pub bound: u64,
    /// Bytes of payload that it wrote.
    pub used: u64,
    /// How long the device took.
    pub nanoseconds: u64,
}

/// Records that went from a node to an element of one of its outputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EdgeRun {
    /// The writer: an index into [`Generation::nodes`].
    pub from: usize,
    /// The output.
    pub output: usize,
    /// The element of its array.
    pub element: u32,
    /// The node that gets them; none where there is no such node, or no level of recursion is left.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to: Option<usize>,
    /// How many.
    pub records: u64,
}

/// What a generation took of the ring.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RingUse {
    /// Bytes of the records that went in, each once; empty ones have none.
    pub input: u64,
    /// Bytes that a batch might have written, of the batch that might write most.
    pub bound: u64,
    /// Bytes that were written in all, with those between records.
    pub used: u64,
    /// Bytes of one half of the ring.
    pub half: u64,
}

impl GraphRun {
    /// The generation of a start.
    pub fn generation(&self, dispatch: u32, number: u32) -> Option<&Generation> {
        self.generations.iter().find(|generation| (generation.dispatch, generation.number) == (dispatch, number))
    }

    /// Whether something went wrong.
    pub fn has_errors(&self) -> bool {
        self.stopped.is_some() || self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Takes over the groups that a device counted in another run of the same graph on the same records.
    pub fn take_counts(&mut self, counted: &GraphRun) {
        self.counted = counted.counted;
        for generation in &mut self.generations {
            let Some(same) = counted.generation(generation.dispatch, generation.number) else { continue };
            for node in &mut generation.nodes {
                let key = (node.node, node.remaining, node.entry, node.count);
                let is_same = |other: &&NodeRun| (other.node, other.remaining, other.entry, other.count) == key;
                node.groups = same.nodes.iter().find(is_same).and_then(|other| other.groups);
            }
        }
    }

    /// The records that a run of a node had: its own, or those that it shares.
    pub fn records_of<'g>(&self, generation: &'g Generation, run: &'g NodeRun) -> &'g Records {
        run.shares.and_then(|owner| generation.nodes.get(owner)).map_or(&run.records, |owner| &owner.records)
    }
}
