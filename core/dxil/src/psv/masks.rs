//! Which outputs depend on which inputs, and on the view id.

use super::Cursor;
use crate::bytes::Bytes;
use crate::error::Fault;

/// The outputs that one component influences.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Dependency {
    /// `input 2.y`, `patch 0.x` or `view id`.
    pub from: String,
    /// `output` (with the stream, where there are several) or `patch`.
    pub to: String,
    /// The components, register by register: `0.xyz 2.w`.
    pub components: String,
}

/// The masks as stored in the part; [`Masks::dependencies`] formats them as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Masks {
    tables: Vec<Table>,
    words: Vec<u32>,
}

/// Masks of one kind: a row for each component on one side, a bit for each component on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Table {
    from: Source,
    to: Sink,
    rows: usize,
    /// Registers on the other side.
    vectors: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    ViewId,
    Input,
    Patch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sink {
    Output,
    Stream(usize),
    Patch,
}

impl Table {
    fn words(&self) -> usize {
        self.vectors.div_ceil(8)
    }
}

/// Reads the masks after the signature elements.
pub(super) fn read(cursor: &mut Cursor<'_>, info: &Bytes<'_>, kind: u32) -> Result<Masks, Fault> {
    let tables = tables(info, kind)?;
    let count: usize = tables.iter().map(|table| table.rows * table.words()).sum();
    let bytes = cursor.part.slice(cursor.at, 4 * count, "dependency masks")?;
    cursor.at += 4 * count;
    let words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    Ok(Masks { tables, words })
}

/// The tables that a kind of shader has, in the order of the part.
fn tables(info: &Bytes<'_>, kind: u32) -> Result<Vec<Table>, Fault> {
    let byte = |at: usize| info.u8(at, "vector counts").map(usize::from);
    let (geometry, hull, domain, mesh) = (kind == 2, kind == 3, kind == 4, kind == 13);
    let inputs = byte(31)?;
    let outputs = [byte(32)?, byte(33)?, byte(34)?, byte(35)?];
    let outputs = &outputs[..if geometry { 4 } else { 1 }];
    // A geometry shader has its vertex count there.
    let patch = if hull || domain || mesh { byte(26)? } else { 0 };
    let to = |stream: usize| if geometry { Sink::Stream(stream) } else { Sink::Output };
    let mut out = Vec::with_capacity(4);
    let mut add = |from: Source, to: Sink, rows: usize, vectors: usize| {
        if rows > 0 && vectors > 0 {
            out.push(Table { from, to, rows, vectors });
        }
    };
    if byte(25)? != 0 {
        for (stream, vectors) in outputs.iter().enumerate() {
            add(Source::ViewId, to(stream), 1, *vectors);
        }
        if hull || mesh {
            add(Source::ViewId, Sink::Patch, 1, patch);
        }
    }
    if !mesh {
        for (stream, vectors) in outputs.iter().enumerate() {
            add(Source::Input, to(stream), inputs * 4, *vectors);
        }
    }
    if hull {
        add(Source::Input, Sink::Patch, inputs * 4, patch);
    }
    if domain {
        add(Source::Patch, Sink::Output, patch * 4, outputs[0]);
    }
    Ok(out)
}

impl Masks {
    /// Dependencies in the order of the part; outputs without dependencies are omitted.
    pub fn dependencies(&self) -> Vec<Dependency> {
        let mut out = Vec::new();
        let mut words = self.words.as_slice();
        for table in &self.tables {
            for row in 0..table.rows {
                let Some((mask, rest)) = words.split_at_checked(table.words()) else { return out };
                words = rest;
                let components = components(mask);
                if !components.is_empty() {
                    out.push(Dependency { from: table.from.text(row), to: table.to.text(), components });
                }
            }
        }
        out
    }
}

impl Source {
    fn text(self, component: usize) -> String {
        let place = format!("{}.{}", component / 4, ["x", "y", "z", "w"][component % 4]);
        match self {
            Source::ViewId => "view id".to_owned(),
            Source::Input => format!("input {place}"),
            Source::Patch => format!("patch {place}"),
        }
    }
}

impl Sink {
    fn text(self) -> String {
        match self {
            Sink::Output => "output".to_owned(),
            Sink::Stream(stream) => format!("output, stream {stream}"),
            Sink::Patch => "patch".to_owned(),
        }
    }
}

/// The components of a mask: `0.xyz 2.w`.
fn components(mask: &[u32]) -> String {
    let mut out = String::new();
    for (word, bits) in mask.iter().enumerate() {
        for register in 0..8 {
            let columns = bits >> (4 * register) & 15;
            if columns != 0 {
                let names = ["x", "y", "z", "w"].iter().enumerate().filter(|(bit, _)| columns >> bit & 1 == 1);
                let names: String = names.map(|(_, name)| *name).collect();
                let space = if out.is_empty() { "" } else { " " };
                out.push_str(&format!("{space}{}.{names}", word * 8 + register));
            }
        }
    }
    out
}
