//! What an addition to a work graph changes, as plain data.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::report::FirstRecords;
use crate::report::Source;
use lanescope_base::named_enum;
use lanescope_passes::findings::Finding;
use lanescope_passes::graph::Launch;
use lanescope_run::graph::InputMode;

/// What `AddToStateObject` changes of a work graph, and of what a scheduler makes of it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GraphAddition {
    /// The scheduler that is modelled.
    pub scheduler: String,
    /// Whether nodes are dispatched in rows of 32768 workgroups.
    pub rows: bool,
    /// Where the first records come from.
    pub input_mode: InputMode,
    /// The first records of the graph as it was.
    pub first_before: Vec<FirstRecords>,
    /// The first records with the addition.
    pub first_after: Vec<FirstRecords>,
    /// Nodes of the graph as it was.
    pub existing_nodes: u64,
    /// The nodes that are added.
    pub nodes: Vec<AddedNode>,
    /// Outputs that newly reach nodes, and outputs of added nodes.
    pub links: Vec<AddedLink>,
    /// All entry points, in the order of their indices.
    pub entries: Vec<EntryPoint>,
    /// Existing nodes of which something changes.
    pub changed: Vec<ChangedNode>,
    /// Figures of the whole graph.
    pub figures: Vec<Figure>,
    /// The most of each generation, for the first records.
    pub generations: Vec<GenerationFigure>,
    /// Rules that the graph as it was violates: it is the base of nothing if one is an error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub base_findings: Vec<Finding>,
    /// Rules that the addition violates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What limits the sheet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What the statements and figures are based on.
    pub sources: Vec<Source>,
}

/// A node that is added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AddedNode {
    /// Its id.
    pub node: String,
    /// Its index in the graph that the addition was made from.
    #[serde(skip)]
    pub origin: usize,
    /// How it is launched.
    pub launch: Launch,
    /// Bytes from one input record to the next, hidden counter included; 0 for empty ones.
    pub record_bytes: u32,
    /// Whether it is an entry point.
    pub entry: bool,
    /// Existing nodes that write to it.
    pub existing_writers: u64,
    /// Existing nodes that it writes to.
    pub existing_targets: u64,
    /// The node whose records it reads once more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shares_input_of: Option<String>,
    /// Levels in which it is dispatched.
    pub levels: Vec<u32>,
}

named_enum!(
    /// Which side of a new link is new.
    LinkKind {
        /// An existing output reaches an added node.
        GapFilled = "gap-filled",
        /// An added output reaches an existing node.
        ToExisting = "to-existing",
        /// Both are added.
        Within = "within",
    }
);

/// An output, and nodes that it newly reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AddedLink {
    /// The node that writes.
    pub node: String,
    /// Its index in the graph that the addition was made from.
    #[serde(skip)]
    pub origin: usize,
    /// The output: its name, or `#` and its number.
    pub output: String,
    /// Which side is new.
    pub kind: LinkKind,
    /// Whether the output is sparse.
    pub sparse: bool,
    /// The nodes that it newly reaches: ids, consecutive indices as one range.
    pub targets: Vec<String>,
    /// How many nodes these are.
    pub count: u64,
    /// Elements of the output that reached a node before; 0 for an added output.
    pub reached_before: u64,
    /// Elements that can be addressed, with the addition.
    pub elements: u32,
}

/// An entry point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EntryPoint {
    /// Its index: the order of the nodes that are entry points, added ones last.
    pub index: u64,
    /// The node.
    pub node: String,
    /// Its index in the graph that the addition was made from.
    #[serde(skip)]
    pub origin: usize,
    /// Whether it is added.
    pub added: bool,
}

/// An existing node of which something changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedNode {
    /// The node.
    pub node: String,
    /// Its index in the graph that the addition was made from.
    #[serde(skip)]
    pub origin: usize,
    /// Nodes on the longest chain that ends at it, before and after; nodes of an array start together, recursion counts at
    /// its limit.
    pub depth: [u32; 2],
    /// Levels in which it is dispatched, before.
    pub levels_before: Vec<u32>,
    /// The same with the addition.
    pub levels_after: Vec<u32>,
}

named_enum!(
    /// What a figure counts.
    Unit {
        /// Things.
        Count = "count",
        /// Bytes.
        Bytes = "bytes",
    }
);

/// A figure before and after. Absent numbers are unbounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Figure {
    /// What it is of.
    pub figure: String,
    /// Its mark, as in the sources.
    pub mark: String,
    /// What it counts.
    pub unit: Unit,
    /// Without the addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// With the addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

/// A figure of a generation before and after. Absent numbers are unbounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GenerationFigure {
    /// The generation.
    pub generation: u32,
    /// What it is of.
    pub figure: String,
    /// What it counts.
    pub unit: Unit,
    /// Without the addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// With the addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}
