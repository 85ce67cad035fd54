//! The graph as plain data.

use std::fmt::{self, Display};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bound::Bound;
use crate::findings::Place;
use lanescope_base::named_enum;
pub use lanescope_model::overrides::NodeId;
use lanescope_spirv::shape::{Scalar, Shape};

/// The array size of an output without end.
pub const UNBOUNDED: u32 = u32::MAX;

named_enum!(
    /// How a node is launched.
    Launch {
        /// One record starts a grid of groups.
        Broadcasting = "broadcasting",
        /// One to so many records start one group.
        Coalescing = "coalescing",
        /// One record starts one thread.
        Thread = "thread",
        /// A graphics node, which no compute pipeline runs.
        Mesh = "mesh",
    }
);

named_enum!(
    /// What a node may do with the records that go into it.
    Access {
        /// Read them.
        Read = "read",
        /// Read and write them.
        ReadWrite = "read_write",
        /// Count them: they are empty.
        Empty = "empty",
    }
);

named_enum!(
    /// Where a record's type is known from.
    TypeSource {
        /// Debug information: names, and whether integers have a sign.
        Debug = "debug",
        /// The code that reads or writes it: members without names; integers read as unsigned.
        Code = "code",
        /// Its size only: words.
        Size = "size",
    }
);

named_enum!(
    /// What a graph's nodes come from.
    GraphSource {
        /// DXIL libraries.
        Dxil = "dxil",
        /// SPIR-V modules.
        Spirv = "spirv",
    }
);

named_enum!(
    /// How one node feeds another.
    EdgeKind {
        /// Records of an output.
        Records = "records",
        /// Records of an output to the node's own id.
        Recursion = "recursion",
        /// The other node reads this node's input once more.
        SharedInput = "shared_input",
    }
);

/// A work graph, linked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkGraph {
    /// What it was read from.
    pub source: GraphSource,
    /// Its nodes, in the order of the files.
    pub nodes: Vec<Node>,
    /// Its edges: by producer, output and element, then shared inputs.
    pub edges: Vec<Edge>,
    /// Node arrays, by name.
    pub arrays: Vec<NodeArray>,
    /// Whether edges were left out because there are more than [`super::MAX_EDGES`].
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub edges_left_out: bool,
    /// Whether a node that nothing reaches is an entry point.
    pub include_all: bool,
    /// Whether elements of arrays that are not sparse may be missing.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub allow_missing: bool,
    /// Nodes on the longest chain, recursion counted at its limit.
    pub depth: u32,
    /// Slots that the runtime keeps: gaps in arrays and levels of recursion count.
    pub slots: u64,
    /// Groups of nodes that feed each other in a circle, self recursion aside: each in the order of the circle.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cycles: Vec<Vec<usize>>,
    /// The longest chain: nodes from an entry point on, each once.
    pub longest: Vec<usize>,
}

/// Nodes of one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NodeArray {
    /// Their name.
    pub name: String,
    /// Indices into [`WorkGraph::nodes`], in the order of their ids.
    pub nodes: Vec<usize>,
    /// The highest index plus one.
    pub size: u64,
}

/// One node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Node {
    /// Its id, by which outputs reach it.
    pub id: NodeId,
    /// Its function's name, as the source has it.
    pub name: String,
    /// Its function's name in the bitcode, which may be mangled.
    pub function: String,
    /// Index of its file in the program's inputs.
    pub input: usize,
    /// How it is launched.
    pub launch: Launch,
    /// Whether the host may start it.
    pub entry: bool,
    /// Whether it became an entry point because nothing reaches it.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub promoted: bool,
    /// Threads of a group.
    pub threads: [u32; 3],
    /// Lanes of a wave: least, greatest, preferred (0 for none).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wave_size: Option<[u32; 3]>,
    /// The fixed grid, in groups.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub grid: Option<[u32; 3]>,
    /// The largest grid that a record may ask for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_grid: Option<[u32; 3]>,
    /// How often it may follow itself in a chain: it runs at most once more.
    pub recursion: u32,
    /// Bytes of groupshared memory.
    pub groupshared_bytes: u32,
    /// Index into the table of local root arguments.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub local_root_table: Option<u32>,
    /// The serialised local root signature that is associated with it.
    #[serde(skip)]
    pub local_root_signature: Option<Vec<u8>>,
    /// The node whose input it reads once more.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shares_input_of: Option<NodeId>,
    /// What goes in: nothing (records are counted), or one; more break a rule.
    pub inputs: Vec<NodeInput>,
    /// What comes out, in the order of the metadata.
    pub outputs: Vec<NodeOutput>,
    /// Whether it calls `FinishedCrossGroupSharing`.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub finishes_sharing: bool,
    /// Whether it calls IsValid() on an output.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub asks_valid: bool,
    /// The layer to draw it in: edges on the longest path from an entry point.
    pub layer: u32,
    /// Nodes on the longest chain that ends here, recursion counted at its limit.
    pub depth: u32,
    /// The generations in which it can run, 0 being the host's own records; those above 32 are left out.
    pub generations: Vec<u32>,
    /// The most that one launch may write.
    pub bound: Bound,
}

/// What goes into a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NodeInput {
    /// Its kind as the language writes it: `DispatchNodeInputRecord`.
    pub kind: String,
    /// The parameter's name, from debug information.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// What the node may do with it.
    pub access: Access,
    /// The most records that one group gets, of a coalescing launch.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_records: Option<u32>,
    /// Whether writes are seen by all groups.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub coherent: bool,
    /// A record; absent for empty ones.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub record: Option<RecordType>,
}

/// What comes out of a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NodeOutput {
    /// Its kind as the language writes it: `NodeOutputArray`.
    pub kind: String,
    /// The parameter's name, from debug information.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// The node that it goes to; of an array the node of element 0.
    pub target: NodeId,
    /// The array's length, [`UNBOUNDED`] for one without end; absent for a single output.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub array: Option<u32>,
    /// Whether nodes may be missing.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub sparse: bool,
    /// The most records of one launch; of one that shares another's budget, that one's.
    pub max_records: u32,
    /// Index of the output whose budget it shares.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shares_budget_of: Option<u32>,
    /// A record; absent for empty ones.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub record: Option<RecordType>,
    /// Elements without a node: first and last of each run, at most 64 runs. Of an array without end, up to the last
    /// node that exists.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub missing: Vec<[u32; 2]>,
    /// Elements that can be addressed: the array's length, or what a graph makes of one without end.
    pub elements: u32,
}

impl NodeOutput {
    /// The parameter's name, or `#` and its number.
    pub fn label(&self, index: usize) -> String {
        self.labelled(index).to_string()
    }

    /// [`NodeOutput::label`], written where it is needed.
    pub(super) fn labelled(&self, index: usize) -> impl Display + '_ {
        fmt::from_fn(move |f| match &self.name {
            Some(name) => f.write_str(name),
            None => write!(f, "#{index}"),
        })
    }

    /// Whether any element's target may be missing without breaking a rule.
    pub fn may_miss(&self) -> bool {
        self.sparse
    }

    /// The id that an element reaches; none beyond the last index that there is.
    pub fn id(&self, element: u32) -> Option<NodeId> {
        Some(NodeId::new(self.target.name.clone(), self.target.index.checked_add(element)?))
    }
}

/// What a record holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordType {
    /// The structure's name, where it is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Its size, without a hidden counter.
    pub bytes: u32,
    /// Its alignment.
    pub align: u32,
    /// Whether the runtime counts the groups that finished with it, in a hidden word after it.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub tracked: bool,
    /// The grid that it asks for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub grid: Option<GridField>,
    /// Its members: always a structure whose members lie inside `bytes`.
    #[serde(rename = "type")]
    pub shape: Shape,
    /// Where the members are known from.
    pub source: TypeSource,
}

/// The member of a record that says how many groups it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GridField {
    /// Its offset in bytes.
    pub offset: u32,
    /// 32 or 16 bits.
    pub scalar: Scalar,
    /// Components, 1 to 3; those that are missing count as 1.
    pub components: u32,
}

impl RecordType {
    /// Bytes from one record of an allocation to the next: the hidden counter lies after the record.
    pub fn stride(&self) -> u32 {
        if self.tracked { self.bytes.next_multiple_of(4).saturating_add(4) } else { self.bytes }
    }
}

/// An element of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Element {
    /// Index into [`Node::outputs`].
    pub output: usize,
    /// Element of its array; 0 of a single output.
    pub element: u32,
}

/// How one node feeds another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edge {
    /// The node that writes, or whose input is shared.
    pub from: usize,
    /// The element of its output; absent for a shared input.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub slot: Option<Element>,
    /// The node that reads.
    pub to: usize,
    /// What it is.
    pub kind: EdgeKind,
    /// Whether the target node is optional.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub optional: bool,
}

impl Node {
    /// What goes in, where the node has an input.
    pub fn node_input(&self) -> Option<&NodeInput> {
        self.inputs.first()
    }

    /// The record that goes in; `None` for empty ones.
    pub fn record(&self) -> Option<&RecordType> {
        self.inputs.first()?.record.as_ref()
    }

    /// Whether the host may start it, by its own word or because nothing else does.
    pub fn starts(&self) -> bool {
        self.entry || self.promoted
    }

    /// Whether a record says how many groups it starts.
    pub fn has_dynamic_grid(&self) -> bool {
        self.launch == Launch::Broadcasting && self.grid.is_none() && self.max_grid.is_some()
    }

    /// The most records that one launch takes: 1, or those of a coalescing group.
    pub fn records_per_launch(&self) -> u32 {
        match self.launch {
            Launch::Coalescing => self.inputs.first().and_then(|input| input.max_records).unwrap_or(1).max(1),
            _ => 1,
        }
    }

    /// Its name for people: the id, and the function's name where that is another.
    pub fn label(&self) -> String {
        self.labelled().to_string()
    }

    /// The place of a finding about the node as its function declares it.
    pub fn place(&self) -> Place {
        let NodeId { name, index } = &self.id;
        Place::Node { function: Some(self.name.clone()), name: name.clone(), index: *index }
    }

    /// [`Node::label`], written where it is needed: checks of many nodes write few.
    pub(super) fn labelled(&self) -> impl Display + '_ {
        fmt::from_fn(|f| match self.id.index == 0 && self.id.name == self.name {
            true => f.write_str(&self.name),
            false => write!(f, "{} ({})", self.name, self.id),
        })
    }
}

impl WorkGraph {
    /// Whether a saved run's graph is this one, in all that a saved run keeps of it: no signatures.
    pub fn is_as_saved(&self, saved: &WorkGraph) -> bool {
        let kept = |graph: &WorkGraph| {
            let mut graph = graph.clone();
            graph.nodes.iter_mut().for_each(|node| node.local_root_signature = None);
            graph
        };
        kept(self) == kept(saved)
    }

    /// The node of an id: the first one that has it.
    pub fn find(&self, id: &NodeId) -> Option<usize> {
        let array = self.arrays.binary_search_by(|array| array.name.as_str().cmp(&id.name)).ok()?;
        let nodes = &self.arrays.get(array)?.nodes;
        let at = nodes.partition_point(|node| self.nodes.get(*node).is_some_and(|node| node.id.index < id.index));
        nodes.get(at).copied().filter(|node| self.nodes.get(*node).is_some_and(|node| node.id == *id))
    }

    /// A node by what a person writes: `Name`, `Name[index]` or the function's name.
    pub fn named(&self, text: &str) -> Option<usize> {
        if let Some((name, index)) = text.strip_suffix(']').and_then(|text| text.rsplit_once('['))
            && let Ok(index) = index.parse()
            && let Some(node) = self.find(&NodeId::new(name, index))
        {
            return Some(node);
        }
        let exact = self.find(&NodeId::new(text, 0));
        exact.or_else(|| self.nodes.iter().position(|node| node.name == text))
    }

    /// Edges that leave a node.
    pub fn edges_from(&self, node: usize) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.from == node)
    }

    /// Edges into a node.
    pub fn edges_to(&self, node: usize) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.to == node)
    }

    /// Nodes that read a node's input once more.
    pub fn sharers(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.edges_from(node).filter(|edge| edge.kind == EdgeKind::SharedInput).map(|edge| edge.to)
    }

    /// The node that an element of an output reaches.
    pub fn target(&self, node: usize, output: usize, element: u32) -> Option<usize> {
        let output = self.nodes.get(node)?.outputs.get(output)?;
        self.find(&output.id(element)?)
    }

    /// Every slot that a node's outputs can address, in order: output by output, element by element. A slot's number is
    /// what a launch counts its records under.
    ///
    /// Arrays can be huge: `most` bounds how many are listed.
    pub fn slots_of(&self, node: usize, most: usize) -> Vec<Element> {
        let outputs = self.nodes.get(node).map(|node| node.outputs.as_slice()).unwrap_or_default();
        let all = outputs.iter().enumerate();
        all.flat_map(|(output, is)| (0..is.elements).map(move |element| Element { output, element }))
            .take(most)
            .collect()
    }
}
