//! What a state object may change before nodes are linked: names, grids, entry points, budgets, sharing.
//!
//! Launch types, group sizes and record types cannot be changed.

use crate::findings::Place;
use lanescope_base::text_format::size;
use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The largest file of overrides, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// A node's place: every node is in an array, most of them in one of length 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct NodeId {
    /// The array's name.
    pub name: String,
    /// The index in it.
    pub index: u32,
}

impl NodeId {
    /// An id.
    pub fn new(name: impl Into<String>, index: u32) -> NodeId {
        NodeId { name: name.into(), index }
    }
}

impl NodeId {
    /// The place of a finding about the node of this id.
    pub fn place(&self) -> Place {
        Place::Node { function: None, name: self.name.clone(), index: self.index }
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.name, self.index)
    }
}

/// Changes to the nodes of a library, as `--overrides` reads them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Overrides {
    /// Every node belongs to the graph, and one without producers is an entry point.
    pub include_all: bool,
    /// Elements of arrays may be missing even where the output is not sparse.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_missing: bool,
    /// Changes by node: `Name[index]`, `Name`, or the function's name, each as the library has it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub nodes: BTreeMap<String, NodeOverride>,
}

/// Changes to one node. What is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NodeOverride {
    /// Its new id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rename: Option<NodeName>,
    /// Whether the host may start it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<bool>,
    /// Its fixed grid, instead of either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<[u32; 3]>,
    /// Its largest grid, instead of either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_grid: Option<[u32; 3]>,
    /// Index into the table of local root arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_root_table: Option<u32>,
    /// The node whose input it shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_input_of: Option<NodeName>,
    /// Changes by output: its number, or its parameter's name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub outputs: BTreeMap<String, OutputOverride>,
}

/// Changes to one output. What is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OutputOverride {
    /// The node that it goes to; of an array the node of element 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rename: Option<NodeName>,
    /// The most records of one launch: a budget of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_records: Option<u32>,
    /// The output whose budget it shares: its number, or its parameter's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_records_shared_with: Option<String>,
    /// Whether nodes may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sparse: Option<bool>,
}

/// A node's id as it is written: `Name[2]`, or `Name` for index 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct NodeName(pub NodeId);

impl TryFrom<String> for NodeName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let Some(open) = text.strip_suffix(']') else { return Ok(NodeName(NodeId::new(text, 0))) };
        let bad = || format!("`{text}` is not a node id: expected Name or Name[index]");
        let (name, index) = open.rsplit_once('[').ok_or_else(bad)?;
        let index = index.parse().map_err(|_| bad())?;
        Ok(NodeName(NodeId::new(name, index)))
    }
}

impl From<NodeName> for String {
    fn from(name: NodeName) -> String {
        name.0.to_string()
    }
}

/// Overrides that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OverrideError {
    /// More than a person or a tool writes.
    #[error("overrides have {}; the limit is {}", size(*bytes as u64), size(MAX_BYTES as u64))]
    TooLong {
        /// The size.
        bytes: usize,
    },
    /// Not the JSON that was expected.
    #[error("overrides: {0}")]
    Json(String),
}

impl Default for Overrides {
    fn default() -> Self {
        Overrides { include_all: true, allow_missing: false, nodes: BTreeMap::new() }
    }
}

impl Overrides {
    /// These overrides over others: what changes nothing leaves the others as they are, and a node has the later change.
    pub fn over(&self, before: &Overrides) -> Overrides {
        if self.is_default() || before.is_default() {
            return if self.is_default() { before.clone() } else { self.clone() };
        }
        // `Name` and `Name[0]` are one node.
        let id = |name: &str| NodeName::try_from(name.to_owned()).map(|name| name.0).ok();
        let changed: Vec<_> = self.nodes.keys().map(|name| id(name)).collect();
        let mut out = self.clone();
        let others = before.nodes.iter().filter(|(name, _)| !changed.contains(&id(name)));
        out.nodes.extend(others.map(|(name, change)| (name.clone(), change.clone())));
        out
    }

    /// Whether nothing is changed.
    pub fn is_default(&self) -> bool {
        *self == Overrides::default()
    }

    /// As JSON in one line.
    pub fn text(&self) -> String {
        // Strings as keys and plain data below them: there is nothing that JSON cannot say.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads JSON.
    pub fn parse(text: &str) -> Result<Overrides, OverrideError> {
        if text.len() > MAX_BYTES {
            return Err(OverrideError::TooLong { bytes: text.len() });
        }
        serde_json::from_str(text).map_err(|error| OverrideError::Json(error.to_string()))
    }
}
