//! What a state object may change before nodes are linked: names, grids, entry points, budgets, sharing.
//!
//! Launch types, group sizes and record types cannot be changed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model::{Node, NodeId, NodeOutput};
use crate::findings::{self, Finding};

/// The largest file of overrides, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// Changes to the nodes of a library, as `--overrides` reads them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Overrides {
    /// Every node belongs to the graph, and one that nobody feeds is an entry point.
    pub include_all: bool,
    /// Elements of arrays may be missing even where the output is not sparse.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_missing: bool,
    /// Changes by node: `Name[index]`, `Name`, or the function's name, each as the library has it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub nodes: BTreeMap<String, NodeOverride>,
}

/// Changes to one node. What is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NodeOverride {
    /// Its new id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rename: Option<NodeName>,
    /// Whether the host may start it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<bool>,
    /// Its fixed grid, in place of either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<[u32; 3]>,
    /// Its largest grid, in place of either.
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    #[error("overrides of {bytes} bytes; at most {MAX_BYTES} are read")]
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

    /// Changes the nodes. Names that none of them has are findings.
    pub fn apply(&self, nodes: &mut [Node]) -> Vec<Finding> {
        let mut findings = Vec::new();
        // All names are those of the library: what is renamed is found before it is.
        let found: Vec<_> = self.nodes.iter().map(|(name, change)| (name, find(nodes, name), change)).collect();
        for (name, at, change) in found {
            match at.and_then(|at| nodes.get_mut(at)) {
                Some(node) => change.apply(node, &mut findings),
                None => {
                    let message = format!("the overrides name {name}, which is in no library");
                    findings.push(findings::GRAPH_OVERRIDE.at(None, None, message));
                }
            }
        }
        findings
    }
}

/// The node of an id, or of a function.
fn find(nodes: &[Node], name: &str) -> Option<usize> {
    let id = NodeName::try_from(name.to_owned()).ok()?.0;
    let by_id = nodes.iter().position(|node| node.id == id);
    by_id.or_else(|| nodes.iter().position(|node| node.name == name))
}

fn output(outputs: &[NodeOutput], name: &str) -> Option<usize> {
    let by_name = outputs.iter().position(|output| output.name.as_deref() == Some(name));
    let number = || name.strip_prefix('#').unwrap_or(name).parse::<usize>().ok();
    by_name.or_else(number).filter(|at| *at < outputs.len())
}

impl NodeOverride {
    fn apply(&self, node: &mut Node, findings: &mut Vec<Finding>) {
        let place = Some(node.label());
        for (name, change) in &self.outputs {
            let shared = change.max_records_shared_with.as_deref();
            let missing = match output(&node.outputs, name) {
                Some(at) => match shared.map(|shared| output(&node.outputs, shared)) {
                    Some(None) => shared,
                    shared => {
                        change.apply(&mut node.outputs[at], shared.flatten());
                        None
                    }
                },
                None => Some(name.as_str()),
            };
            if let Some(missing) = missing {
                let message = format!("the overrides name output {missing} of {}, which does not exist", node.label());
                findings.push(findings::GRAPH_OVERRIDE.at(None, place.clone(), message));
            }
        }
        node.entry = self.entry.unwrap_or(node.entry);
        if self.grid.is_some() || self.max_grid.is_some() {
            (node.grid, node.max_grid) = (self.grid, self.max_grid);
        }
        node.local_root_table = self.local_root_table.or(node.local_root_table);
        if let Some(NodeName(owner)) = &self.share_input_of {
            node.shares_input_of = Some(owner.clone());
        }
        if let Some(NodeName(id)) = &self.rename {
            node.id = id.clone();
        }
    }
}

impl OutputOverride {
    fn apply(&self, output: &mut NodeOutput, shared: Option<usize>) {
        if let Some(NodeName(target)) = &self.rename {
            output.target = target.clone();
        }
        if let Some(most) = self.max_records {
            (output.max_records, output.shares_budget_of) = (most, None);
        }
        if let Some(shared) = shared.and_then(|at| u32::try_from(at).ok()) {
            output.shares_budget_of = Some(shared);
        }
        output.sparse = self.sparse.unwrap_or(output.sparse);
    }
}
