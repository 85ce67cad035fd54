//! The cost sheet of a work graph, as plain data.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::Source;
use lanescope_base::{grid, named_enum};
use lanescope_passes::findings::Finding;
use lanescope_passes::graph::{Launch, WorkGraph};
use lanescope_run::graph::{GraphRun, GroupCounts, InputMode};

/// What a scheduler makes of a work graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphCost {
    /// The scheduler that is modelled.
    pub scheduler: String,
    /// Whether nodes are dispatched in rows of 32768 workgroups, for devices that take fewer than 2^24 - 1 along X.
    pub rows: bool,
    /// Whether records with an empty grid are dropped before their node runs.
    pub compacts: bool,
    /// Where the first records come from.
    pub input_mode: InputMode,
    /// The first records.
    pub first: Vec<FirstRecords>,
    /// What follows from declarations.
    pub declared: Declared,
    /// What follows from the records of a run; absent without a run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub measured: Option<Measured>,
    /// Findings of the run, and of its figures.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<Finding>,
    /// What limits the sheet.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// What the figures are based on.
    pub sources: Vec<Source>,
}

/// Records that start a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FirstRecords {
    /// The entry node's id.
    pub node: String,
    /// How many.
    pub records: u64,
}

/// What follows from declarations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Declared {
    /// The nodes, in the order of the files.
    pub nodes: Vec<DeclaredNode>,
    /// The most that each generation has, for the first records, up to the first one that is unbounded.
    pub generations: Vec<GenerationBound>,
    /// What is issued for each level, whether it has records or not; empty for a graph that the scheduler refuses.
    pub levels: Vec<LevelCost>,
    /// Memory.
    pub memory: Memory,
}

/// What a node declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeclaredNode {
    /// Its id.
    pub node: String,
    /// How it is launched.
    pub launch: Launch,
    /// Bytes from one input record to the next, hidden counter included; 0 for empty ones.
    pub record_bytes: u32,
    /// Records of one launch: 1, or the most of a coalescing group.
    pub records_per_launch: u32,
    /// The fixed grid.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub grid: Option<[u32; 3]>,
    /// The declared maximum of the grid that a record asks for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_grid: Option<[u32; 3]>,
    /// The most groups that a record starts; absent where a broadcasting node declares no grid.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub groups: Option<u64>,
    /// Threads of a group.
    pub threads: [u32; 3],
    /// How often it may follow itself.
    pub recursion: u32,
    /// Whether the runtime counts the groups that finished with a record.
    pub tracked: bool,
    /// The node whose records it reads once more.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shares_input_of: Option<String>,
    /// Levels in which it is dispatched.
    pub levels: Vec<u32>,
    /// The outputs.
    pub outputs: Vec<DeclaredOutput>,
}

/// What an output declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeclaredOutput {
    /// Its name, or `#` and its number.
    pub output: String,
    /// The id that it reaches; of an array that of element 0.
    pub target: String,
    /// Elements that can be addressed.
    pub elements: u32,
    /// The most records of one launch; absent where none is declared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_records: Option<u32>,
    /// Bytes from one record to the next, hidden counter included; 0 for empty ones.
    pub record_bytes: u32,
    /// The output whose budget it shares.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shares_budget_of: Option<String>,
}

/// The most that a generation has. Absent numbers are unbounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GenerationBound {
    /// The generation.
    pub generation: u32,
    /// The node arrays that may have records; a node outside of an array is one of one element.
    pub arrays: Vec<ArrayBound>,
    /// The sums over them.
    pub total: ArrayBound,
}

/// The most that the nodes of an array have in one generation, together. Absent numbers are unbounded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArrayBound {
    /// The node, or the array with its first and last index; empty in the total.
    pub nodes: String,
    /// Records that go in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub records: Option<u64>,
    /// Groups that they ask for; each 32 records of a thread node are one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub groups: Option<u64>,
    /// Records that are unrolled to an offset each: those with contents, but those of a shared input.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub offsets: Option<u64>,
    /// Records that come out, empty ones too.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub written: Option<u64>,
    /// Allocations of records with contents, if each record is allocated alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub allocations: Option<u64>,
    /// Bytes of their payload, each rounded up to 16.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payload: Option<u64>,
}

/// What a level takes besides its nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LevelCost {
    /// The level: a generation.
    pub level: u32,
    /// Nodes that are dispatched.
    pub nodes: u64,
    /// Their dispatches.
    pub node_dispatches: u64,
    /// Dispatches that distribute records.
    pub meta_dispatches: u64,
    /// Barriers.
    pub barriers: u64,
}

/// The dispatches of nodes in one level of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LevelRun {
    /// The start, from 0.
    pub dispatch: u32,
    /// The level: a generation.
    pub level: u32,
    /// Dispatches that are issued.
    pub issued: u64,
    /// Those without groups; absent where that is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub empty: Option<u64>,
}

named_enum!(
    /// Whether something fits.
    Fit {
        /// Also in the worst case.
        Fits = "fits",
        /// Not in the worst case.
        TooLarge = "too-large",
        /// The worst case has no bound.
        Unbounded = "unbounded",
    }
);

/// Memory in bytes, and the worst case of the first records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// Counters, commands and tables at the start of the backing memory.
    pub scratch: u64,
    /// The least and the most backing memory that the application is asked for.
    pub backing: [u64; 2],
    /// Rooms with the worst generation's use of each.
    pub rooms: Vec<Room>,
    /// The smallest ring of two halves that holds each generation's payload in a half; absent where it is unbounded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub smallest_ring: Option<u64>,
    /// Pieces that the worst generation needs with larger rings.
    pub pieces: Vec<RingPieces>,
}

/// A room that each generation fills anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Room {
    /// What it holds.
    pub holds: String,
    /// Its bytes.
    pub bytes: u64,
    /// The most bytes that a generation needs; absent where it is unbounded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub worst: Option<u64>,
    /// The first generation that needs them.
    pub generation: u32,
    /// Whether they fit.
    pub fit: Fit,
}

/// Pieces that a generation's launches are cut into so that the payload of each fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RingPieces {
    /// Bytes of the ring: two halves.
    pub ring: u64,
    /// Pieces of the worst generation: 1 means no split; absent where it is unbounded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pieces: Option<u64>,
}

/// What follows from the records of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// The device that the records are from.
    pub device: String,
    /// What each node is in each generation, by start, generation and node.
    pub nodes: Vec<MeasuredNode>,
    /// Dispatches of each level that have no groups, by start and level; none of a graph that the scheduler refuses.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub levels: Vec<LevelRun>,
    /// Nodes with `NodeMaxDispatchGrid`: their records, in three ways of walking their grids.
    pub walks: Vec<WalkCost>,
    /// The lists of all records with contents that nodes wrote, in three formats.
    pub formats: Vec<ListFormat>,
    /// Where the allocations of each generation's records lie in a payload ring; generations without contents are left out.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rings: Vec<RingMap>,
}

/// A node in one generation of a run. Absent numbers are unknown: the run has not kept the records.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredNode {
    /// The start, from 0.
    pub dispatch: u32,
    /// The generation.
    pub generation: u32,
    /// The node's id.
    pub node: String,
    /// The node whose records it read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shares_input_of: Option<String>,
    /// Whether the records are the first ones, of the host: they have no allocations, lists and offsets.
    pub from_host: bool,
    /// Records.
    pub records: u64,
    /// Records that ask for a group.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub non_empty: Option<u64>,
    /// Groups that they ask for. Those of a thread node have 32 threads.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub asked: Option<u64>,
    /// Groups that are launched.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub groups: Option<u64>,
    /// Passes of their loops over grids, each at most one group.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub passes: Option<u64>,
    /// Passes for ids outside of the grid.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub walked: Option<u64>,
    /// Launched groups without a pass.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub idle: Option<u64>,
    /// Useful share in percent: of passes and idle groups, those that run a group; of thread and coalescing nodes, records
    /// of those that the groups have room for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub useful: Option<f64>,
    /// Allocations that its records lie in; absent for those of the host too.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub allocations: Option<u64>,
    /// Bytes of their payload.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payload: Option<u64>,
    /// Bytes of their list.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub list: Option<u64>,
    /// Bytes of the offsets that are written for them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub offsets: Option<u64>,
    /// The dispatches as issued, in workgroups; of indirect ones also those that are empty.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub dispatches: Vec<[u64; 3]>,
    /// What a device counted that dispatched it so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub counted: Option<CountedNode>,
}

/// Groups of a node in one generation, as a device counted them in a GPU-driven run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CountedNode {
    /// The counters.
    #[serde(flatten)]
    pub groups: GroupCounts,
    /// Useful share in percent, as [`MeasuredNode::useful`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub useful: Option<f64>,
    /// Whether they are the numbers of the node; absent where those are unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub agrees: Option<bool>,
}

/// The payload ring that the records of a generation lie in.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RingMap {
    /// The start, from 0.
    pub dispatch: u32,
    /// The generation that reads the records.
    pub generation: u32,
    /// Bytes of the ring.
    pub ring: u64,
    /// Bytes of all allocations; absent where some are unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes: Option<u64>,
    /// Allocations; absent where some are unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub allocations: Option<u64>,
    /// What the records of each node take, of those that are known.
    pub nodes: Vec<RingNode>,
    /// The allocations, the first ones where there are many; none where some are unknown. Their order is assumed: by writer,
    /// then by the number of its allocation.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub pieces: Vec<RingPiece>,
    /// Allocations after those of `pieces`.
    #[serde(skip_serializing_if = "crate::report::is_zero", default)]
    pub left_out: u64,
    /// What hides allocations.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unknown: Vec<String>,
    /// The map as it is drawn.
    #[serde(skip)]
    pub spans: Vec<RingSpan>,
}

/// What the records of a node take of a payload ring.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RingNode {
    /// The node's id.
    pub node: String,
    /// Its index in the graph.
    #[serde(skip)]
    pub index: usize,
    /// Allocations.
    pub allocations: u64,
    /// Records.
    pub records: u64,
    /// Bytes of the records, hidden counters included.
    pub used: u64,
    /// Bytes between the records and the next multiple of 16.
    pub padding: u64,
    /// Both, in percent of all allocations that are known.
    pub share: f64,
    /// Both, in percent of the ring.
    pub ring_share: f64,
}

/// An allocation in a payload ring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RingPiece {
    /// Bytes from the start of the ring, in the assumed order.
    pub offset: u64,
    /// The node that reads the records.
    pub node: String,
    /// Its index in the graph.
    #[serde(skip)]
    pub index: usize,
    /// The node that wrote them; absent where the run has not kept the generation before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub writer: Option<String>,
    /// Records.
    pub records: u64,
    /// Bytes of the records, hidden counters included.
    pub used: u64,
    /// Bytes up to the next multiple of 16.
    pub padding: u64,
}

/// Allocations of one node that follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingSpan {
    /// The node, by index.
    pub node: usize,
    /// Bytes from the start of the ring.
    pub offset: u64,
    /// Bytes.
    pub bytes: u64,
}

named_enum!(
    /// How the grids of records are walked.
    WalkKind {
        /// The declared maximum is dispatched for each record.
        Maximum = "declared maximum",
        /// As the scheduler does: axes but the last are rounded up to powers of two, and walked in a loop.
        Rounded = "rounded passes",
        /// Each record's grid exactly.
        Exact = "exact",
    }
);

/// Grids of a node's records, walked in one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WalkCost {
    /// The start, from 0.
    pub dispatch: u32,
    /// The generation.
    pub generation: u32,
    /// The node's id.
    pub node: String,
    /// The way.
    pub walk: WalkKind,
    /// Groups that are launched.
    pub groups: u64,
    /// Passes of their loops.
    pub passes: u64,
    /// Groups that are asked for, in percent of passes and of launched groups without one.
    pub useful: f64,
}

/// A format of the lists that say where records are. Absent numbers are unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListFormat {
    /// The format.
    pub format: String,
    /// Entries.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub entries: Option<u64>,
    /// Bytes of the entries.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes: Option<u64>,
    /// Bytes of room that the launches of the run may need by their declarations.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reserved: Option<u64>,
    /// Room that stays unused, in percent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub waste: Option<f64>,
}

/// By node with `NodeMaxDispatchGrid`: the grid with the most groups that a record of the run asks for, and their number.
/// Nodes whose records are not all kept are left out.
pub(super) fn largest_grids(graph: &WorkGraph, run: &GraphRun) -> BTreeMap<usize, ([u32; 3], u64)> {
    let mut out: BTreeMap<usize, ([u32; 3], u64)> = BTreeMap::new();
    let mut unknown = BTreeSet::new();
    for generation in run.generations.iter().filter(|generation| !generation.waiting) {
        for done in &generation.nodes {
            let Some(node) = graph.nodes.get(done.node).filter(|node| node.has_dynamic_grid()) else { continue };
            let Some(ty) = node.record() else { continue };
            let records = run.records_of(generation, done);
            let grids: Vec<[u32; 3]> = records.iter().filter_map(|record| ty.grid_of(record)).collect();
            if grids.len() as u64 != done.count {
                unknown.insert(done.node);
            }
            for grid in grids {
                let groups = grid::saturating_volume(grid);
                let largest = out.entry(done.node).or_insert((grid, groups));
                if groups > largest.1 {
                    *largest = (grid, groups);
                }
            }
        }
    }
    out.retain(|node, _| !unknown.contains(node));
    out
}
