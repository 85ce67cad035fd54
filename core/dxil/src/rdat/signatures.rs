//! Rows about entry points of other kinds: the experimental tables 13 to 21.

use super::Tables;
use crate::bytes::Bytes;
use crate::names::{self, Name};

/// Properties of an entry point from the experimental tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Entry {
    /// Inputs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub inputs: Vec<Signature>,
    /// Outputs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub outputs: Vec<Signature>,
    /// Patch constants, or outputs of each primitive.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub patch: Vec<Signature>,
    /// Threads of a group.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub threads: Option<[u32; 3]>,
    /// Bytes of groupshared memory.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub groupshared_bytes: Option<u32>,
    /// Bytes of the payload.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub payload_bytes: Option<u32>,
    /// Properties of its kind, as name and value: control points, domain, topology.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub values: Vec<(Name, String)>,
}

/// An element of a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Signature {
    /// The semantic's name.
    pub semantic: String,
    /// The semantic's index of each row.
    pub indices: Vec<u32>,
    /// Its system-value kind.
    pub kind: Name,
    /// `float32`, `uint32` and so on.
    pub component_type: Name,
    /// Interpolation mode.
    pub interpolation: Name,
    /// The first row; absent where none was allocated.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub start_row: Option<u32>,
    /// The first column.
    pub start_column: u32,
    /// Number of columns.
    pub columns: u32,
    /// The stream.
    pub stream: u32,
}

/// Properties of an entry point of a kind from a function's row, if any.
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
    // After the signatures of a mesh shader lie two masks of raw bytes.
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
    out.values = values(&row, kind);
    Some(out)
}

/// Fields of one kind's rows: bytes after the signatures and the masks, of which each takes two words.
fn values(row: &Bytes<'_>, kind: u32) -> Vec<(Name, String)> {
    // Fields beyond the end of a short row are absent.
    let byte = |at: usize| row.u8(at, "row").ok().map(u32::from);
    let count = |at: usize| byte(at).map(|number| number.to_string());
    let half = |at: usize| row.u16(at, "row").ok().map(|number| number.to_string());
    let word = |at: usize| row.u32(at, "row").ok().map(|number| number.to_string());
    let named =
        |table: &'static [&'static str], at: usize| byte(at).map(|number| names::of(table, number).into_owned());
    let all: Vec<(&'static str, Option<String>)> = match kind {
        3 => vec![
            ("input_points", count(44)),
            ("output_points", count(45)),
            ("domain", named(names::DOMAIN, 46)),
            ("output", named(names::TESS_OUTPUT, 47)),
        ],
        4 => vec![("input_points", count(36)), ("domain", named(names::DOMAIN, 37))],
        2 => vec![
            ("input", byte(24).map(|number| names::input_primitive(number).into_owned())),
            ("output", named(names::TOPOLOGY, 25)),
            ("max_vertices", count(26)),
            ("streams", byte(27).map(|streams| format!("{streams:#x}"))),
        ],
        13 => vec![
            ("groupshared_by_view", word(32)),
            ("max_vertices", half(40)),
            ("max_primitives", half(42)),
            ("topology", named(names::MESH_TOPOLOGY, 44)),
        ],
        _ => Vec::new(),
    };
    all.into_iter().filter_map(|(name, value)| Some((name.into(), value?))).collect()
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

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::findings;

    /// Runtime data of these parts: type and words.
    fn part(parts: &[(u32, Vec<u32>)]) -> Vec<u8> {
        let mut at = 8 + 4 * parts.len() as u32;
        let (mut head, mut data) = (vec![0x10, parts.len() as u32], Vec::new());
        for (kind, words) in parts {
            head.push(at);
            data.extend([*kind, 4 * words.len() as u32]);
            data.extend(words);
            at += 8 + 4 * words.len() as u32;
        }
        head.into_iter().chain(data).flat_map(u32::to_le_bytes).collect()
    }

    /// Properties of a function of this kind with one row in its table.
    fn said(kind: u32, table: u32, row: &[u32]) -> Entry {
        let words = |text: &[u8; 16]| text.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
        let null = u32::MAX;
        let function = [1, 1, null, null, kind, 0, 0, 0, 0, 1 << kind, 0x6a, 0, 0];
        let rows = |words: &[u32]| [&[1, 4 * words.len() as u32], words].concat();
        // COLOR2 and COLOR3, of three components from y on.
        let element = [6, 0, 2 | 9 << 8 | 2 << 16 | 5 << 24, 2 | 1 << 2 | 1 << 4];
        let bytes = part(&[
            (1, words(b"\0Main\0COLOR\0\0\0\0\0")),
            // Two indices, one row, three numbers of threads.
            (2, vec![2, 2, 3, 1, 0, 3, 8, 4, 2]),
            (4, rows(&function)),
            (13, rows(&element)),
            (table, rows(row)),
        ]);
        let mut faults = Vec::new();
        let rdat =
            read(Bytes::new(&bytes, 0, findings::BAD_RDAT), &mut faults).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(faults.is_empty(), "{faults:?}");
        rdat.functions[0].entry.clone().expect("the row is there")
    }

    #[test]
    fn reads_whole_rows_of_every_kind() {
        let (one, none) = (3, u32::MAX);
        let values =
            |entry: &Entry| entry.values.iter().map(|(k, v)| format!("{k} {v}")).collect::<Vec<_>>().join(", ");
        let bytes = |all: [u8; 4]| u32::from_le_bytes(all);
        let hull = [&[one, none, one][..], &[0; 8], &[bytes([3, 4, 2, 3])]].concat();
        let hull = said(3, 16, &hull);
        assert_eq!(values(&hull), "input_points 3, output_points 4, domain tri, output triangle_cw");
        let element = &hull.inputs[0];
        assert_eq!((element.semantic.as_str(), &*element.indices), ("COLOR", &[2, 3][..]));
        assert_eq!((element.start_row, element.start_column, element.columns, element.stream), (Some(5), 1, 3, 1));
        assert_eq!((hull.outputs.len(), hull.patch.len()), (0, 1));
        let domain = said(4, 17, &[&[one, one, none][..], &[0; 6], &[bytes([4, 3, 0, 0])]].concat());
        assert_eq!((values(&domain).as_str(), domain.outputs.len()), ("input_points 4, domain quad", 1));
        let geometry = said(2, 18, &[&[one, one][..], &[0; 4], &[bytes([3, 5, 12, 3])]].concat());
        assert_eq!(values(&geometry), "input triangle, output triangle_strip, max_vertices 12, streams 0x3");
        let mesh = [&[one, none][..], &[0; 4], &[5, 64, 16, 32, 64 | 126 << 16, 2]].concat();
        let mesh = said(13, 20, &mesh);
        let expected = "groupshared_by_view 16, max_vertices 64, max_primitives 126, topology triangle";
        assert_eq!((values(&mesh).as_str(), mesh.threads), (expected, Some([8, 4, 2])));
        assert_eq!((mesh.groupshared_bytes, mesh.payload_bytes), (Some(64), Some(32)));
        let amplification = said(14, 21, &[5, 12, 48]);
        assert_eq!((amplification.groupshared_bytes, amplification.payload_bytes), (Some(12), Some(48)));
        let compute = said(5, 19, &[5, 12]);
        assert_eq!((compute.threads, values(&compute).as_str()), (Some([8, 4, 2]), ""));
    }
}
