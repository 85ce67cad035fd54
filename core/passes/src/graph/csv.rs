//! Records from comma-separated values: a line of members' names, then a line a record.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::condition::find;
use super::model::{RecordType, TypeSource};
use lanescope_base::text_format::counted;
use lanescope_spirv::shape::{Scalar, ScalarKind, path};

/// The most records that are read.
const MAX_RECORDS: usize = 1 << 24;
/// The most bytes of all records.
const MAX_BYTES: usize = 1 << 30;
/// Columns that are missing and are named.
const NAMED: usize = 4;

/// A file's text, where all of it is one, without the mark that some programs put in front. What only a program writes has
/// other characters, regardless of how it starts.
pub fn plain_text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let is_text = !text.contains(|c: char| c.is_control() && !matches!(c, '\t' | '\r' | '\n'));
    is_text.then(|| text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Why a text gives no records.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CsvError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected, what was found.
    pub message: String,
}

impl RecordType {
    /// Reads records, to lie one after the other: from comma-separated values where it is text, else their own bytes, at a
    /// stride if any. What lies between two of them is left out; the last one needs nothing after it.
    ///
    /// # Errors
    /// The first line that cannot be read; bytes that are not whole records.
    pub fn read_plain(&self, bytes: &[u8], stride: Option<u32>) -> Result<Vec<u8>, String> {
        if let Some(text) = plain_text(bytes) {
            return self.parse_csv(text).map_err(|error| error.to_string());
        }
        let size = self.bytes.max(1) as usize;
        let stride = stride.filter(|stride| *stride > 0).map_or(size, |stride| stride as usize).max(size);
        let rest = bytes.len() % stride;
        if bytes.is_empty() || rest > 0 && (rest < size || stride == size) {
            let at = if stride == size { String::new() } else { format!(" at stride {stride}") };
            return Err(format!(
                "{} are not a whole number of records of {}{at}",
                counted(bytes.len(), "byte"),
                counted(size, "byte")
            ));
        }
        Ok(bytes.chunks(stride).flat_map(|record| record.get(..size).unwrap_or_default()).copied().collect())
    }

    /// Reads records, one after the other. Each number of a record has one column, as JSON has each member.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn parse_csv(&self, text: &str) -> Result<Vec<u8>, CsvError> {
        let bad = |line: usize, message: String| CsvError { line, message };
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (at, head) = lines.next().ok_or_else(|| bad(1, "expected a line of member names".to_owned()))?;
        let columns = self.columns(head).map_err(|message| bad(at + 1, message))?;
        let size = self.bytes as usize;
        let mut out = Vec::new();
        for (count, (at, line)) in lines.enumerate() {
            if count >= MAX_RECORDS || out.len().saturating_add(size) > MAX_BYTES {
                return Err(bad(at + 1, format!("more than {count} records")));
            }
            let cells = cells(line);
            if cells.len() != columns.len() {
                let message = format!("expected {} values, found {}", columns.len(), cells.len());
                return Err(bad(at + 1, message));
            }
            let start = out.len();
            out.resize(start + size, 0);
            let record = &mut out[start..];
            for (cell, (offset, scalar)) in cells.iter().zip(&columns) {
                let negative = cell.starts_with('-') && self.may_have_sign(*offset, *scalar);
                let scalar = if negative { Scalar { kind: ScalarKind::Int, ..*scalar } } else { *scalar };
                scalar.put(record, *offset, cell).map_err(|message| bad(at + 1, message))?;
            }
        }
        Ok(out)
    }

    /// Where the numbers of a line's columns are.
    fn columns(&self, head: &str) -> Result<Vec<(usize, Scalar)>, String> {
        let mut out = Vec::new();
        let mut names: BTreeMap<usize, String> = BTreeMap::new();
        for name in cells(head) {
            let (offset, scalar) = find(self, &name).ok_or_else(|| format!("the record has no member {name}"))?;
            out.push((offset, scalar));
            if let Some(before) = names.get(&offset) {
                return Err(match *before == name {
                    true => format!("column {name} appears twice"),
                    false => format!("columns {before} and {name} are the same member"),
                });
            }
            names.insert(offset, name);
        }
        // A grid without values would start nothing.
        let there: BTreeSet<u64> = names.keys().map(|offset| *offset as u64).collect();
        let mut missing = Vec::new();
        let mut more = 0;
        self.shape.visit(u64::from(self.bytes), |steps, leaf| {
            for (part, _) in (0..).zip(leaf.offsets()).filter(|(_, offset)| !there.contains(offset)) {
                match missing.len() < NAMED {
                    true => missing.push(format!("{}{}", path(steps), part_name(part, leaf.count))),
                    false => more += 1,
                }
            }
            ControlFlow::Continue(())
        });
        if missing.is_empty() {
            return Ok(out);
        }
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Err(format!("no column for {}{more}; each member needs one", missing.join(", ")))
    }

    /// Whether a number may be negative although it reads as unsigned: where only code is known, signs are not. A grid counts
    /// groups, regardless of its type.
    pub(super) fn may_have_sign(&self, offset: usize, scalar: Scalar) -> bool {
        let in_grid = self.grid.is_some_and(|grid| {
            let from = grid.offset as usize;
            (from..from + grid.components as usize * grid.scalar.bytes() as usize).contains(&offset)
        });
        scalar.kind == ScalarKind::Uint && self.source != TypeSource::Debug && !in_grid
    }
}

/// A part of what has so many, as a column or a condition names it.
fn part_name(part: u32, count: u32) -> String {
    match ["x", "y", "z", "w"].get(part as usize) {
        _ if count == 1 => String::new(),
        Some(letter) if count <= 4 => format!(".{letter}"),
        _ => format!("[{part}]"),
    }
}

/// The cells of a line. A cell between quotes may hold commas. Hand-written, since spreadsheets of other languages separate
/// by semicolons or tabs, and a reader of the crate `csv` takes one separator.
fn cells(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' | ';' | '\t' if !quoted => out.push(String::new()),
            c => out.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
    }
    out.iter().map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::GridField;
    use lanescope_spirv::shape::{Field, Shape};

    fn record() -> RecordType {
        let scalar = |kind, bits| Scalar { kind, bits };
        let field = |name: &str, offset, shape| Field { name: name.to_owned(), offset, shape };
        let members = vec![
            field("tile", 0, Shape::Scalar(Scalar::WORD)),
            field("place", 4, Shape::Vector { scalar: scalar(ScalarKind::Float, 32), count: 2 }),
            field("code", 12, Shape::Scalar(scalar(ScalarKind::Int, 16))),
            field("weight", 14, Shape::Scalar(scalar(ScalarKind::Float, 16))),
        ];
        let shape = Shape::Struct { members };
        RecordType { name: None, bytes: 16, align: 4, tracked: false, grid: None, shape, source: TypeSource::Debug }
    }

    #[test]
    fn lines_become_records() {
        let text = "place.y, tile, code, weight, place.x\n1.5,7,-3,0.1,0\n\n\"-2\";0xff;5\t65504,0\n";
        let bytes = record().parse_csv(text).expect("reads");
        let rows: Vec<String> =
            bytes.chunks(16).map(|bytes| record().shape.json(bytes).to_string().replace('"', "")).collect();
        assert_eq!(rows.len(), 2);
        assert!(rows[0].contains("tile:7") && rows[0].contains("place:[0.0,1.5]") && rows[0].contains("code:-3"));
        assert!(rows[0].contains("weight:0.0999755859375"), "{}", rows[0]);
        assert!(rows[1].contains("tile:255") && rows[1].contains("weight:65504"), "{}", rows[1]);
    }

    #[test]
    fn reports_invalid_values_with_their_line() {
        for (text, line, says) in [
            ("", 1, "names"),
            ("colour\n1", 1, "no member colour"),
            ("HEAD\n1,2", 2, "expected 5 values, found 2"),
            ("HEAD\n1,1,1,1,1\n-1,1,1,1,1", 3, "`-1` is not a valid uint32"),
            ("HEAD\n4294967296,1,1,1,1", 2, "is not a valid uint32"),
            ("HEAD\n1,1,1,32768,1", 2, "is not a valid int16"),
            ("HEAD\n1,1,1,0x10000,1", 2, "is not a valid int16"),
            ("HEAD\n1,x,1,1,1", 2, "`x` is not a valid float32"),
            ("\nHEAD,tile\n1,1,1,1,1,2", 2, "column tile appears twice"),
            ("HEAD,place[0]\n1,1,1,1,1,2", 1, "columns place.x and place[0] are the same member"),
            ("tile,place.x,weight\n1,1,1", 1, "no column for place.y, code; each member needs one"),
            ("weight\n1", 1, "no column for tile, place.x, place.y, code; each"),
        ] {
            let text = &text.replace("HEAD", "tile,place.x,place.y,code,weight");
            let error = record().parse_csv(text).expect_err(text);
            assert!(error.line == line && error.message.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn other_data_is_read_as_bytes() {
        let text = "\u{feff}tile,place.x,place.y,code,weight\r\n7,1,2,3,4\r\n";
        let words = record().read_plain(text.as_bytes(), None).expect("reads");
        let bytes = record().read_plain(&words, None).expect("reads");
        assert_eq!((bytes.as_slice(), words[0]), (words.as_slice(), 7));
        let error = record().read_plain(&words[1..], None).expect_err("no whole record");
        assert_eq!(
            error,
            format!("{} bytes are not a whole number of records of {} bytes", words.len() - 1, words.len())
        );
        assert!(record().read_plain(b"", None).is_err());
        // A record may begin like a line, a list or an object.
        for first in *b"\n[{1" {
            let mut own = words.clone();
            own[0] = first;
            assert_eq!(record().read_plain(&own, None).as_ref(), Ok(&own));
        }
    }

    #[test]
    fn bytes_lie_at_their_stride() {
        let own: Vec<u8> = (0..32).collect();
        let mut apart = own[..16].to_vec();
        apart.extend([0xee; 8]);
        apart.extend(&own[16..]);
        let read = |bytes: &[u8], stride| record().read_plain(bytes, Some(stride));
        assert_eq!(
            (read(&apart, 24).as_ref(), read(&own, 0).as_ref()),
            (Ok(&own), Ok(&own)),
            "the last one ends early"
        );
        apart.extend([0xee; 8]);
        assert_eq!(read(&apart, 24).as_ref(), Ok(&own));
        let error = read(&apart[..47], 32).expect_err("half of a record");
        assert_eq!(error, "47 bytes are not a whole number of records of 16 bytes at stride 32");
    }

    #[test]
    fn accepts_negative_values_except_for_grids_where_signs_are_unknown() {
        let scalar = |bits| Shape::Scalar(Scalar { kind: ScalarKind::Uint, bits });
        let field = |name: &str, offset, shape| Field { name: name.to_owned(), offset, shape };
        let members =
            vec![field("f0", 0, scalar(32)), field("SV_DispatchGrid", 4, scalar(32)), field("f2", 8, scalar(16))];
        let grid = Some(GridField { offset: 4, scalar: Scalar::WORD, components: 1 });
        let shape = Shape::Struct { members };
        let mut record = RecordType { bytes: 12, grid, shape, source: TypeSource::Code, ..record() };
        let head = "f0,SV_DispatchGrid,f2";
        let bytes = record.parse_csv(&format!("{head}\n-1,3,-32768\n")).expect("reads");
        assert_eq!(bytes, [0xff, 0xff, 0xff, 0xff, 3, 0, 0, 0, 0, 0x80, 0, 0]);
        for (line, says) in [("1,-1,1", "`-1` is not a valid uint32"), ("1,1,-32769", "`-32769` is not a valid int16")]
        {
            let error = record.parse_csv(&format!("{head}\n{line}")).expect_err(line);
            assert!(error.message.contains(says), "{error}");
        }
        record.source = TypeSource::Debug;
        assert!(record.parse_csv(&format!("{head}\n-1,3,1")).is_err());
    }
}
