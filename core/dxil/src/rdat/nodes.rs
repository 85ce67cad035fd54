//! Rows about nodes of work graphs.

use super::{NULL, Tables};
use crate::bytes::Bytes;
use crate::names::{self, Name};

/// Properties of a function as a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Its index in the array of that name.
    pub index: u32,
    /// Launch type.
    pub launch: Name,
    /// Whether the host may start it.
    pub program_entry: bool,
    /// Bytes of groupshared memory.
    pub groupshared_bytes: u32,
    /// Threads of a group.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub threads: Option<[u32; 3]>,
    /// The fixed grid.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub grid: Option<[u32; 3]>,
    /// The largest grid that its input may ask for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub max_grid: Option<[u32; 3]>,
    /// Maximum recursion depth.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub max_recursion: Option<u32>,
    /// Index into the table of local root arguments.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub local_root_arguments: Option<u32>,
    /// The node whose input it shares: name and index.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub shares_input_of: Option<(String, u32)>,
    /// Inputs.
    pub inputs: Vec<NodeIo>,
    /// Outputs.
    pub outputs: Vec<NodeIo>,
}

/// An input or output of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NodeIo {
    /// Its kind: `NodeOutput`, `GroupNodeInputRecords` and so on.
    pub kind: Name,
    /// The flags' number.
    pub flags: u32,
    /// The node that an output goes to: name and index.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub target: Option<(String, u32)>,
    /// The most records.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub max_records: Option<u32>,
    /// The output that it shares this limit with.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub shares_max_with: Option<u32>,
    /// Bytes of a record.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub record_bytes: Option<u32>,
    /// Alignment of a record in bytes.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub record_align: Option<u32>,
    /// Location of the grid in a record: byte offset, component type, components.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub grid: Option<(u32, Name, u32)>,
    /// The length of an array of outputs; `u32::MAX` for one without end.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub array_size: Option<u32>,
    /// Whether members of the array may be missing.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not", default))]
    pub sparse: bool,
}

pub(super) fn node(tables: &mut Tables<'_, '_>, info: &Bytes<'_>) -> Node {
    let mut out = Node {
        launch: names::of(names::LAUNCH, tables.word(info, 0)),
        groupshared_bytes: tables.word(info, 4),
        ..Node::default()
    };
    for row in tables.rows(info, 8, 9) {
        let value = tables.word(&row, 4);
        match tables.word(&row, 0) {
            1 => (out.name, out.index) = id(tables, &row),
            2 => out.threads = Some(size(tables, &row)),
            3 => out.shares_input_of = Some(id(tables, &row)),
            4 => out.grid = Some(size(tables, &row)),
            5 => out.max_recursion = Some(value),
            6 => out.local_root_arguments = (value != NULL).then_some(value),
            7 => out.max_grid = Some(size(tables, &row)),
            _ => {}
        }
    }
    out.outputs = tables.rows(info, 12, 10).iter().map(|row| io(tables, row)).collect();
    out.inputs = tables.rows(info, 16, 10).iter().map(|row| io(tables, row)).collect();
    out
}

/// A node's name and index.
fn id(tables: &mut Tables<'_, '_>, row: &Bytes<'_>) -> (String, u32) {
    match tables.row(row, 4, 7) {
        Some(id) => (tables.text(&id, 0), tables.word(&id, 4)),
        None => (String::new(), 0),
    }
}

/// Three numbers; the axes that are missing are 1.
fn size(tables: &mut Tables<'_, '_>, row: &Bytes<'_>) -> [u32; 3] {
    let values = tables.array(row, 4);
    [0, 1, 2].map(|axis| values.get(axis).copied().unwrap_or(1))
}

fn io(tables: &mut Tables<'_, '_>, row: &Bytes<'_>) -> NodeIo {
    let flags = tables.word(row, 0);
    let mut out = NodeIo { kind: names::node_io(flags), flags, ..NodeIo::default() };
    for row in tables.rows(row, 4, 8) {
        let value = tables.word(&row, 4);
        match tables.word(&row, 0) {
            1 => out.target = Some(id(tables, &row)),
            2 => out.max_records = Some(value),
            3 => out.shares_max_with = Some(value),
            4 => out.record_bytes = Some(value),
            5 => {
                let kind = names::of(names::COMPONENT_TYPE, value >> 18);
                out.grid = Some((value & 0xffff, kind, value >> 16 & 3));
            }
            6 => out.array_size = Some(value),
            7 => out.sparse = value != 0,
            8 => out.record_align = Some(value),
            _ => {}
        }
    }
    out
}
