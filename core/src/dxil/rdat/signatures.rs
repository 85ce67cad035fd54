//! Rows about entry points of other kinds: the experimental tables 13 to 21.

use serde::{Deserialize, Serialize};

use super::Tables;
use crate::dxil::bytes::Bytes;
use crate::dxil::names::{self, Name};

/// What the experimental tables say about an entry point.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Inputs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub inputs: Vec<Signature>,
    /// Outputs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub outputs: Vec<Signature>,
    /// Patch constants, or outputs of each primitive.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub patch: Vec<Signature>,
    /// Threads of a group.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub threads: Option<[u32; 3]>,
    /// Bytes of groupshared memory.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub groupshared_bytes: Option<u32>,
    /// Bytes of the payload.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payload_bytes: Option<u32>,
}

/// An element of a signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The semantic's name.
    pub semantic: String,
    /// The semantic's index of each row.
    pub indices: Vec<u32>,
    /// What the runtime knows it as.
    pub kind: Name,
    /// `float32`, `uint32` and so on.
    pub component_type: Name,
    /// How it is interpolated.
    pub interpolation: Name,
    /// The first row; absent where none was allocated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub start_row: Option<u32>,
    /// The first column.
    pub start_column: u32,
    /// How many columns.
    pub columns: u32,
    /// The stream.
    pub stream: u32,
}

/// What a function's row says about an entry point of a kind, if it says anything.
pub(super) fn entry(tables: &mut Tables<'_, '_>, function: &Bytes<'_>, kind: u32) -> Option<Entry> {
    // The table of the kind, and where in its rows inputs, outputs and patch constants are named.
    let (table, places): (u32, [Option<usize>; 3]) = match kind {
        1 => (14, [Some(0), Some(4), None]),
        0 => (15, [Some(0), Some(4), None]),
        3 => (16, [Some(0), Some(4), Some(8)]),
        4 => (17, [Some(0), Some(4), Some(8)]),
        2 => (18, [Some(0), Some(4), None]),
        5 => (19, [None; 3]),
        13 => (20, [None, Some(0), Some(4)]),
        14 => (21, [None; 3]),
        _ => return None,
    };
    let row = tables.row(function, 48, table)?;
    let mut list = |place: Option<usize>| -> Vec<Signature> {
        let rows = place.map(|at| tables.rows(&row, at, 13)).unwrap_or_default();
        rows.iter().map(|row| signature(tables, row)).collect()
    };
    let [inputs, outputs, patch] = places.map(&mut list);
    let mut out = Entry { inputs, outputs, patch, ..Entry::default() };
    // Behind the signatures of a mesh shader lie two masks of raw bytes.
    let group = match kind {
        5 | 14 => Some(0),
        13 => Some(24),
        _ => None,
    };
    if let Some(at) = group {
        let threads = tables.array(&row, at);
        out.threads = Some([0, 1, 2].map(|axis| threads.get(axis).copied().unwrap_or(1)));
        out.groupshared_bytes = Some(tables.word(&row, at + 4));
        out.payload_bytes = match kind {
            14 => Some(tables.word(&row, at + 8)),
            13 => Some(tables.word(&row, at + 12)),
            _ => None,
        };
    }
    Some(out)
}

fn signature(tables: &mut Tables<'_, '_>, row: &Bytes<'_>) -> Signature {
    let semantic = tables.text(row, 0);
    let indices = tables.array(row, 4);
    let byte = |at: usize| u32::from(row.u8(at, "row").unwrap_or(0));
    let shape = byte(12);
    Signature {
        semantic,
        indices,
        kind: names::of(names::SEMANTIC, byte(8)),
        component_type: names::of(names::COMPONENT_TYPE, byte(9)),
        interpolation: names::of(names::INTERPOLATION, byte(10)),
        start_row: (byte(11) != 0xff).then_some(byte(11)),
        start_column: shape >> 2 & 3,
        columns: (shape & 3) + 1,
        stream: shape >> 4 & 3,
    }
}
