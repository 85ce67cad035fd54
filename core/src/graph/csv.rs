//! Records from comma-separated values: a line of members' names, then a line a record.

use super::condition::find;
use super::model::RecordType;
use crate::half;
use crate::run::shape::{Scalar, ScalarKind};
use crate::words::counted;

/// The most records that are read.
const MAX_RECORDS: usize = 1 << 24;
/// The most bytes of all records.
const MAX_BYTES: usize = 1 << 30;

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
    /// Reads records, one after the other: from comma-separated values where the first line is one of words, else their
    /// own bytes.
    ///
    /// # Errors
    /// The first line that cannot be read; bytes that are no whole records.
    pub fn read_plain(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        // What only a program writes has other characters in what would be its first line.
        let is_words =
            |text: &&str| text.lines().next().is_some_and(|line| !line.contains(|c: char| c.is_control() && c != '\t'));
        if let Some(text) = std::str::from_utf8(bytes).ok().filter(is_words) {
            return self.parse_csv(text).map_err(|error| error.to_string());
        }
        let size = self.bytes.max(1);
        match bytes.is_empty() || !bytes.len().is_multiple_of(size as usize) {
            true => Err(format!("{} are no records of {}", counted(bytes.len(), "byte"), counted(size, "byte"))),
            false => Ok(bytes.to_vec()),
        }
    }

    /// Reads records, one after the other. Members that have no column are 0; a column that is no member is an error.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn parse_csv(&self, text: &str) -> Result<Vec<u8>, CsvError> {
        let bad = |line: usize, message: String| CsvError { line, message };
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, head) = lines.next().ok_or_else(|| bad(1, "a line of members' names was expected".to_owned()))?;
        let columns: Vec<(usize, Scalar)> = cells(head)
            .iter()
            .map(|name| find(self, name).ok_or_else(|| bad(1, format!("the record has no member {name}"))))
            .collect::<Result<_, _>>()?;
        let size = self.bytes as usize;
        let mut out = Vec::new();
        for (count, (at, line)) in lines.enumerate() {
            if count >= MAX_RECORDS || out.len().saturating_add(size) > MAX_BYTES {
                return Err(bad(at + 1, format!("more than {count} records")));
            }
            let cells = cells(line);
            if cells.len() != columns.len() {
                let message = format!("{} values were expected, {} found", columns.len(), cells.len());
                return Err(bad(at + 1, message));
            }
            let start = out.len();
            out.resize(start + size, 0);
            let record = &mut out[start..];
            for (cell, (offset, scalar)) in cells.iter().zip(&columns) {
                scalar.put(record, *offset, cell).map_err(|message| bad(at + 1, message))?;
            }
        }
        Ok(out)
    }
}

/// The cells of a line. A cell between quotes may hold commas.
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

impl Scalar {
    /// Writes a number that a person wrote into a record.
    ///
    /// # Errors
    /// What is no number, does not fit the type, or lies outside of the record.
    pub fn put(self, record: &mut [u8], offset: usize, text: &str) -> Result<(), String> {
        let text = text.trim();
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let wrong = || format!("`{text}` is no {:?}{}", self.kind, self.bits).to_lowercase();
        let bits: u64 = match (hex, self.kind, self.bits) {
            (Some(digits), ..) => u64::from_str_radix(digits, 16).map_err(|_| wrong())?,
            (None, ScalarKind::Float, 32) => text.parse::<f32>().map_err(|_| wrong())?.to_bits().into(),
            (None, ScalarKind::Float, 64) => text.parse::<f64>().map_err(|_| wrong())?.to_bits(),
            (None, ScalarKind::Float, _) => half::nearest(text.parse::<f32>().map_err(|_| wrong())?.into()).into(),
            (None, ScalarKind::Int, bits) => {
                let value = text.parse::<i64>().map_err(|_| wrong())?;
                let shift = 64 - bits.clamp(1, 64);
                if value << shift >> shift != value {
                    return Err(wrong());
                }
                value as u64 & (u64::MAX >> shift)
            }
            (None, ScalarKind::Uint, _) => text.parse::<u64>().map_err(|_| wrong())?,
        };
        if bits > u64::MAX >> (64 - self.bits.clamp(1, 64)) {
            return Err(wrong());
        }
        let size = self.bytes() as usize;
        let place = record.get_mut(offset..offset.saturating_add(size));
        place.ok_or("the member lies outside of the record")?.copy_from_slice(&bits.to_le_bytes()[..size]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::TypeSource;
    use crate::run::shape::{Field, Shape};

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
        let text = "place.y, tile, code, weight\n1.5,7,-3,0.1\n\n\"-2\";0xff;5\t65504\n";
        let bytes = record().parse_csv(text).expect("reads");
        let rows: Vec<String> =
            bytes.chunks(16).map(|bytes| record().shape.json(bytes).to_string().replace('"', "")).collect();
        assert_eq!(rows.len(), 2);
        assert!(rows[0].contains("tile:7") && rows[0].contains("place:[0.0,1.5]") && rows[0].contains("code:-3"));
        assert!(rows[0].contains("weight:0.0999755859375"), "{}", rows[0]);
        assert!(rows[1].contains("tile:255") && rows[1].contains("weight:65504"), "{}", rows[1]);
    }

    #[test]
    fn what_does_not_fit_is_said_with_its_line() {
        for (text, line, says) in [
            ("", 1, "names"),
            ("colour\n1", 1, "no member colour"),
            ("tile\n1,2", 2, "1 values were expected, 2 found"),
            ("tile\n1\n-1", 3, "`-1` is no uint32"),
            ("tile\n4294967296", 2, "is no uint32"),
            ("code\n32768", 2, "is no int16"),
            ("code\n0x10000", 2, "is no int16"),
            ("place.x\nx", 2, "`x` is no float32"),
        ] {
            let error = record().parse_csv(text).expect_err(text);
            assert!(error.line == line && error.message.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn what_is_no_line_of_words_is_bytes() {
        let words = record().read_plain(b"tile\n7\n").expect("reads");
        let bytes = record().read_plain(&words).expect("reads");
        assert_eq!((bytes.as_slice(), words[0]), (words.as_slice(), 7));
        let error = record().read_plain(&words[1..]).expect_err("no whole record");
        assert_eq!(error, format!("{} bytes are no records of {} bytes", words.len() - 1, words.len()));
        assert!(record().read_plain(b"").is_err());
    }
}
