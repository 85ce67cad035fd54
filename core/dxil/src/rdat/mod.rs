//! RDAT: the runtime data of a library: functions, resources, nodes, subobjects.

mod nodes;
mod rows;
mod signatures;

pub use nodes::{Node, NodeIo};
pub use rows::{Function, Resource, Subobject};
pub use signatures::{Entry, Signature};

use super::bytes::Bytes;
use super::error::Fault;
use crate::findings;

/// The supported version.
const VERSION: u32 = 0x10;
/// The null reference.
const NULL: u32 = u32::MAX;

/// The tables by type: name, and the fewest bytes of a row. Type 12 was a preview's. Compilers up to 1.8.2405 had no
/// number for that one: what they count from 12 is counted from 13 since.
const TABLES: &[(u32, &str, usize)] = &[
    (3, "resources", 32),
    (4, "functions", 44),
    (6, "subobjects", 24),
    (7, "node ids", 8),
    (8, "node io attributes", 8),
    (9, "node function attributes", 8),
    (10, "io nodes", 8),
    (11, "node shader infos", 20),
    (13, "signature elements", 16),
    (14, "vertex shader infos", 16),
    (15, "pixel shader infos", 8),
    (16, "hull shader infos", 48),
    (17, "domain shader infos", 40),
    (18, "geometry shader infos", 28),
    (19, "compute shader infos", 8),
    (20, "mesh shader infos", 48),
    (21, "amplification shader infos", 12),
    // Tables of PDBI.
    (0x1_0001, "pdb infos", 44),
    (0x1_0002, "pdb sources", 8),
    (0x1_0003, "pdb libraries", 12),
];

/// Types of tables that only previews write, and the offline target.
const EXPERIMENTAL: std::ops::RangeInclusive<u32> = 13..=21;

/// Runtime data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Rdat {
    /// Its parts, in the order of the file.
    pub parts: Vec<RdatPart>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Resources.
    pub resources: Vec<Resource>,
    /// Subobjects of the state object.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub subobjects: Vec<Subobject>,
}

impl Rdat {
    /// Whether it has tables that only previews write, and the offline target.
    pub(crate) fn has_experimental_tables(&self) -> bool {
        let names = TABLES.iter().filter(|(kind, ..)| EXPERIMENTAL.contains(kind));
        self.parts.iter().any(|part| names.clone().any(|(_, name, _)| *name == part.name))
    }
}

/// A part of the runtime data.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RdatPart {
    /// Its type's number.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: u32,
    /// Name of the contents.
    pub name: String,
    /// Offset in the file.
    pub offset: u64,
    /// Size in bytes.
    pub bytes: u32,
    /// Rows, for a table.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub rows: Option<u32>,
    /// Bytes of a row, for a table.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub stride: Option<u32>,
}

/// A table: its rows, all of one size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table<'a> {
    rows: Bytes<'a>,
    stride: usize,
}

impl<'a> Table<'a> {
    pub(crate) fn row(&self, index: u32) -> Option<Bytes<'a>> {
        let at = (index as usize).checked_mul(self.stride)?;
        self.rows.sub(at, self.stride, "row").ok()
    }

    fn len(&self) -> u32 {
        self.rows.len().checked_div(self.stride).unwrap_or(0) as u32
    }

    fn all(self) -> impl Iterator<Item = Bytes<'a>> {
        (0..self.len()).filter_map(move |index| self.row(index))
    }
}

/// The tables while they are read; references that point nowhere become faults.
pub(crate) struct Tables<'a, 'f> {
    strings: Option<Bytes<'a>>,
    indices: Option<Bytes<'a>>,
    raw: Option<Bytes<'a>>,
    tables: Vec<(u32, Table<'a>)>,
    faults: &'f mut Vec<Fault>,
    /// References are followed at most so often in all: rows may share the lists they point at.
    steps: usize,
}

/// The most references that are followed.
const MAX_STEPS: usize = 1 << 16;
/// The longest text that is taken: mangled names can be long.
const MAX_TEXT: usize = 1 << 16;
/// The most faults that are noted.
const MAX_FAULTS: usize = 64;

impl<'a> Tables<'a, '_> {
    pub(crate) fn table(&self, kind: u32) -> Option<Table<'a>> {
        self.tables.iter().find(|(other, _)| *other == kind).map(|(_, table)| *table)
    }

    fn bad(&mut self, row: &Bytes<'_>, at: usize, what: &str, value: u32) -> String {
        if self.faults.len() < MAX_FAULTS {
            let message = format!("{what} {value:#x} points at nothing");
            self.faults.push(Fault::at_byte(findings::RDAT_REFERENCE, row.place(at), message));
        }
        format!("<bad ref {value}>")
    }

    fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps <= MAX_STEPS
    }

    /// A word of a row; 0 where the row is too short to have it.
    pub(crate) fn word(&self, row: &Bytes<'_>, at: usize) -> u32 {
        row.u32(at, "row").unwrap_or(0)
    }

    fn string(&mut self, offset: u32) -> Option<String> {
        let text = self.strings?.text(offset as usize, MAX_TEXT)?;
        self.steps = self.steps.saturating_add(text.len() / 64);
        Some(text)
    }

    pub(crate) fn text(&mut self, row: &Bytes<'_>, at: usize) -> String {
        let offset = self.word(row, at);
        if !self.step() {
            return String::new();
        }
        match self.string(offset) {
            Some(text) => text,
            None if offset == 0 || offset == NULL => String::new(),
            None => self.bad(row, at, "string", offset),
        }
    }

    /// The bytes of a string, which may be long.
    pub(crate) fn contents(&mut self, row: &Bytes<'_>, at: usize) -> Option<&'a [u8]> {
        let offset = self.word(row, at);
        if offset == NULL || !self.step() {
            return None;
        }
        let rest = self.strings.and_then(|strings| strings.all().get(offset as usize..));
        let end = rest.and_then(|rest| rest.iter().position(|byte| *byte == 0));
        let found = rest.zip(end).and_then(|(rest, end)| rest.get(..end));
        if found.is_none() {
            self.bad(row, at, "string", offset);
        }
        found
    }

    /// The raw bytes that an offset and a size name.
    pub(crate) fn raw(&mut self, row: &Bytes<'_>, at: usize) -> Option<&'a [u8]> {
        let (offset, size) = (self.word(row, at), self.word(row, at.saturating_add(4)));
        if size == 0 || offset == NULL || !self.step() {
            return None;
        }
        let found = self.raw.and_then(|raw| raw.slice(offset as usize, size as usize, "raw bytes").ok());
        if found.is_none() {
            self.bad(row, at, "raw bytes", offset);
        }
        found
    }

    /// The numbers of an index array.
    fn array(&mut self, row: &Bytes<'_>, at: usize) -> Vec<u32> {
        let offset = self.word(row, at);
        if offset == NULL || !self.step() {
            return Vec::new();
        }
        let read = |indices: Bytes<'_>| -> Option<Vec<u32>> {
            let at = (offset as usize).checked_mul(4)?;
            let count = indices.u32(at, "index array").ok()? as usize;
            let data = indices.slice(at.checked_add(4)?, count.checked_mul(4)?, "index array").ok()?;
            Some(data.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
        };
        match self.indices.and_then(read) {
            Some(values) => {
                self.steps = self.steps.saturating_add(values.len());
                values
            }
            None => {
                self.bad(row, at, "index array", offset);
                Vec::new()
            }
        }
    }

    /// The texts that an index array points at.
    pub(crate) fn texts(&mut self, row: &Bytes<'_>, at: usize) -> Vec<String> {
        let offsets = self.array(row, at);
        let mut out = Vec::new();
        for offset in offsets {
            if !self.step() {
                break;
            }
            match self.string(offset) {
                Some(text) => out.push(text),
                None => out.push(self.bad(row, at, "string", offset)),
            }
        }
        out
    }

    /// A row of another table.
    fn row(&mut self, row: &Bytes<'_>, at: usize, kind: u32) -> Option<Bytes<'a>> {
        let index = self.word(row, at);
        if index == NULL || !self.step() {
            return None;
        }
        let found = self.table(kind).and_then(|table| table.row(index));
        if found.is_none() {
            self.bad(row, at, "row", index);
        }
        found
    }

    /// The rows of another table that an index array names.
    pub(crate) fn rows(&mut self, row: &Bytes<'_>, at: usize, kind: u32) -> Vec<Bytes<'a>> {
        let indices = self.array(row, at);
        let mut out = Vec::with_capacity(indices.len());
        for index in indices {
            if !self.step() {
                break;
            }
            match self.table(kind).and_then(|table| table.row(index)) {
                Some(found) => out.push(found),
                None => drop(self.bad(row, at, "row", index)),
            }
        }
        out
    }
}

/// Reads the part. References that point nowhere are added to `faults`.
pub(crate) fn read(part: Bytes<'_>, faults: &mut Vec<Fault>) -> Result<Rdat, Fault> {
    let (mut tables, parts) = open(part, faults)?;
    let mut out = Rdat { parts, ..Rdat::default() };
    rows::read(&mut tables, &mut out);
    Ok(out)
}

/// Reads the tables, not their rows.
pub(crate) fn open<'a, 'f>(
    part: Bytes<'a>,
    faults: &'f mut Vec<Fault>,
) -> Result<(Tables<'a, 'f>, Vec<RdatPart>), Fault> {
    let version = part.u32(0, "version")?;
    if version != VERSION {
        return Err(part.fault(0, format!("version is {version:#x}, expected {VERSION:#x}")));
    }
    let count = part.u32(4, "part count")? as usize;
    let table_end = count.checked_mul(4).and_then(|size| size.checked_add(8)).filter(|end| *end <= part.len());
    let Some(table_end) = table_end else {
        return Err(part.fault(4, format!("table of {count} parts does not fit into {} bytes", part.len())));
    };
    // More than compilers write are found as they come.
    let mut parts = Vec::with_capacity(count.min(16));
    let tables = Vec::with_capacity(count.min(16));
    let mut tables = Tables { strings: None, indices: None, raw: None, tables, faults, steps: 0 };
    let mut before = table_end;
    let mut found = Vec::with_capacity(count.min(16));
    for index in 0..count {
        let at = 8 + 4 * index;
        let offset = part.u32(at, "part offset")? as usize;
        if offset < before {
            return Err(part.fault(at, format!("part {index} starts at {offset}, expected at or after {before}")));
        }
        let kind = part.u32(offset, "part type")?;
        let size = part.u32(offset.saturating_add(4), "part size")? as usize;
        let data = part.sub(offset + 8, size, "part")?;
        before = offset + 8 + size;
        found.push((kind, data));
    }
    let shift = u32::from(counts_from_12(&found));
    for (kind, data) in found {
        let of = if EXPERIMENTAL.contains(&kind.saturating_add(shift)) { kind + shift } else { kind };
        parts.push(RdatPart { kind, ..add(of, data, &mut tables)? });
    }
    Ok((tables, parts))
}

/// Whether the tables of previews are counted from 12, as earlier compilers do: by the size of their rows.
fn counts_from_12(parts: &[(u32, Bytes<'_>)]) -> bool {
    let row_size = |data: &Bytes<'_>| data.u32(4, "row size").unwrap_or(0) as usize;
    let are = |shift: u32| {
        let known = |kind: u32| TABLES.iter().find(|(other, ..)| *other == kind).map(|(_, _, size)| *size);
        let first = EXPERIMENTAL.start() - shift;
        let last = EXPERIMENTAL.end() - shift;
        let mut of_previews = parts.iter().filter(|(kind, _)| (first..=last).contains(kind));
        of_previews.all(|(kind, data)| known(kind + shift) == Some(row_size(data)))
    };
    let has_12 = parts.iter().any(|(kind, _)| *kind == EXPERIMENTAL.start() - 1);
    (has_12 || !are(0)) && are(1)
}

fn add<'a>(kind: u32, data: Bytes<'a>, tables: &mut Tables<'a, '_>) -> Result<RdatPart, Fault> {
    let mut described = RdatPart {
        kind,
        name: String::new(),
        offset: data.place(0),
        bytes: data.len() as u32,
        rows: None,
        stride: None,
    };
    let described_as = match kind {
        1 => {
            if data.all().last().is_some_and(|last| *last != 0) {
                let place = data.place(data.len());
                tables.faults.push(Fault::at_byte(findings::RDAT_REFERENCE, place, "string buffer is not terminated"));
            }
            tables.strings = Some(data);
            "strings"
        }
        2 => {
            tables.indices = Some(data);
            "index arrays"
        }
        5 => {
            tables.raw = Some(data);
            "raw bytes"
        }
        12 => "reserved",
        _ => match TABLES.iter().find(|(other, ..)| *other == kind) {
            None => "unknown",
            Some((_, name, least)) => {
                let (rows, stride) = (data.u32(0, "row count")?, data.u32(4, "row size")?);
                let size = stride as usize;
                let bytes = (rows as usize).checked_mul(size);
                let fits = bytes.is_some_and(|bytes| bytes <= data.len() - 8);
                if !fits || size < *least || !size.is_multiple_of(4) {
                    let message = format!(
                        "table {kind} ({name}): {rows} rows of {stride} bytes, expected rows of at least {least} bytes \
                         that fit into {} bytes",
                        data.len()
                    );
                    return Err(Fault::at_byte(findings::RDAT_TABLE, data.place(0), message));
                }
                let all = data.sub(8, bytes.unwrap_or(0), "rows")?;
                tables.tables.push((kind, Table { rows: all, stride: size }));
                (described.rows, described.stride) = (Some(rows), Some(stride));
                name
            }
        },
    };
    described.name = described_as.to_owned();
    Ok(described)
}
