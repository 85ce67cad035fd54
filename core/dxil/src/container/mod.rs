//! The container: header, table of parts, digest. The bytes of each part are ranges of the file.

mod digest;
mod md5;

use std::fmt;

pub(crate) use digest::{DIGEST, hash};
pub use digest::{Digest, DigestState};
pub(crate) use md5::md5;

use super::bytes::Bytes;
use super::error::Fault;
use crate::findings;

/// Bytes before the table of parts.
const HEADER: usize = 32;
/// Bytes before a part's data.
const PART_HEADER: usize = 8;
/// The most parts a container may have here; compilers write at most 12.
const MAX_PARTS: u32 = 64;
/// The largest size a container may declare.
const MAX_SIZE: u32 = 0x8000_0000;

/// A part's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FourCc(pub [u8; 4]);

impl fmt::Display for FourCc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_printable() {
            self.0.iter().try_for_each(|byte| write!(f, "{}", *byte as char))
        } else {
            write!(f, "0x{:08x}", u32::from_le_bytes(self.0))
        }
    }
}

impl FourCc {
    fn is_printable(self) -> bool {
        self.0.iter().all(u8::is_ascii_graphic)
    }
}

/// One part, as stored in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// Its name.
    pub name: FourCc,
    /// Offset of its header in the file.
    pub offset: u32,
    /// Size of its data in bytes; the data starts 8 bytes after `offset`.
    pub size: u32,
}

impl Part {
    /// Offset of its data in the file.
    pub fn data_offset(&self) -> u64 {
        u64::from(self.offset) + PART_HEADER as u64
    }
}

/// The header and the table of parts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Container {
    /// Major and minor version.
    pub version: (u16, u16),
    /// Size that the header declares.
    pub size: u32,
    /// The digest, checked.
    pub digest: Digest,
    /// The parts, in the order of the table.
    pub parts: Vec<Part>,
}

impl Container {
    /// The first part of a name.
    pub fn part(&self, name: &[u8; 4]) -> Option<&Part> {
        self.parts.iter().find(|part| part.name.0 == *name)
    }

    /// A part's data, with the rule that a read past its end breaks.
    pub(crate) fn data<'a>(&self, file: &'a [u8], part: &Part, rule: &'static findings::Rule) -> Bytes<'a> {
        let start = part.data_offset() as usize;
        // `read` has checked the range; an empty range would only say that there is nothing to read.
        let data = file.get(start..start.saturating_add(part.size as usize)).unwrap_or_default();
        Bytes::new(data, start as u64, rule)
    }
}

/// Reads header and table. `Err` stops the file; what can be shown all the same is added to `faults`.
pub fn read(file: &[u8], faults: &mut Vec<Fault>) -> Result<Container, Fault> {
    let bytes = Bytes::new(file, 0, findings::SHORT_FILE);
    if file.len() < HEADER {
        return Err(bytes.fault(0, format!("not a DXIL container: need {HEADER} header bytes, have {}", file.len())));
    }
    if bytes.slice(0, 4, "magic")? != b"DXBC" {
        let message = format!("expected `DXBC` (44 58 42 43), found {}", known_magic(file));
        return Err(Fault::at_byte(findings::MAGIC, 0, message));
    }
    let version = (bytes.u16(20, "version")?, bytes.u16(22, "version")?);
    if version.0 != 1 {
        let message = format!("unsupported container version {}.{}, expected 1.0", version.0, version.1);
        return Err(Fault::at_byte(findings::CONTAINER_VERSION, 20, message));
    }
    let size = bytes.u32(24, "size")?;
    if size < HEADER as u32 || size > MAX_SIZE {
        let message = format!("container size is {size}, expected {HEADER} to {MAX_SIZE}");
        return Err(Fault::at_byte(findings::CONTAINER_SIZE, 24, message));
    }
    let whole = file.get(..size as usize).ok_or_else(|| {
        let message = format!("container says {size} bytes, file has {}: truncated", file.len());
        Fault::at_byte(findings::TRUNCATED, 24, message)
    })?;
    let rest = file.len() - whole.len();
    if rest > 0 {
        let message = format!("{rest} bytes after the container");
        faults.push(Fault::at_byte(findings::TRAILING_BYTES, u64::from(size), message));
    }
    let parts = parts(whole, faults)?;
    let digest = Digest::of(whole);
    Ok(Container { version, size, digest, parts })
}

/// Names what other formats start with.
fn known_magic(file: &[u8]) -> String {
    let head = file.get(..4).unwrap_or(file);
    let name = match head {
        [0x03, 0x02, 0x23, 0x07] => " (SPIR-V)",
        [0xde, 0xc0, 0x17, 0x0b] => " (wrapped LLVM bitcode)",
        [b'M', b'i', b'c', b'r'] => " (a PDB)",
        [b'M', b'Z', ..] => " (a Windows executable)",
        _ => "",
    };
    let hex: Vec<String> = head.iter().map(|byte| format!("{byte:02X}")).collect();
    format!("{}{name}", hex.join(" "))
}

fn parts(whole: &[u8], faults: &mut Vec<Fault>) -> Result<Vec<Part>, Fault> {
    let bytes = Bytes::new(whole, 0, findings::PART_TABLE);
    let count = bytes.u32(28, "part count")?;
    let table = u64::from(count) * 4;
    let left = (whole.len() - HEADER) as u64;
    if count > MAX_PARTS {
        let message = format!("part count is {count}, expected at most {MAX_PARTS}");
        return Err(Fault::at_byte(findings::PART_COUNT, 28, message));
    }
    if table > left {
        return Err(bytes.fault(28, format!("part table needs {table} bytes, but {left} remain")));
    }
    let first = HEADER as u64 + table;
    let mut parts: Vec<Part> = Vec::with_capacity(count as usize);
    let mut expected = first;
    for index in 0..count as usize {
        let at = HEADER + 4 * index;
        let offset = bytes.u32(at, "part offset")?;
        let part = part(&bytes, index, offset, first)?;
        let start = u64::from(offset);
        let overlapped = parts.iter().position(|other| {
            start < other.data_offset() + u64::from(other.size)
                && u64::from(other.offset) < part.data_offset() + u64::from(part.size)
        });
        if let Some(other) = overlapped {
            let message = format!("parts {other} and {index} overlap at {start:#x}");
            return Err(Fault::at_byte(findings::PART_OVERLAP, at as u64, message));
        }
        if start != expected {
            let message = match start.checked_sub(expected) {
                Some(gap) => format!("{gap} unused bytes before part {index} ({})", part.name),
                None => format!("part {index} ({}) lies before the part that precedes it in the table", part.name),
            };
            faults.push(Fault::at_byte(findings::PART_GAP, expected.min(start), message));
        }
        expected = part.data_offset() + u64::from(part.size);
        note_oddities(&part, &parts, faults)?;
        parts.push(part);
    }
    if expected < whole.len() as u64 && !parts.is_empty() {
        let message = format!("{} bytes after the last part", whole.len() as u64 - expected);
        faults.push(Fault::at_byte(findings::LAST_PART, expected, message));
    }
    Ok(parts)
}

fn part(bytes: &Bytes<'_>, index: usize, offset: u32, first: u64) -> Result<Part, Fault> {
    let at = (HEADER + 4 * index) as u64;
    let (start, end) = (u64::from(offset), bytes.len() as u64);
    if start < first {
        let message = format!("part {index} at {start:#x} lies inside the part table, which ends at {first:#x}");
        return Err(Fault::at_byte(findings::PART_OFFSET, at, message));
    }
    if start + PART_HEADER as u64 > end {
        let message = format!("part {index} at {start:#x} lies outside the container of {end} bytes");
        return Err(Fault::at_byte(findings::PART_OFFSET, at, message));
    }
    let mut name = [0; 4];
    name.copy_from_slice(bytes.slice(offset as usize, 4, "part name")?);
    let name = FourCc(name);
    let size = bytes.u32(offset as usize + 4, "part size")?;
    let left = end - start - PART_HEADER as u64;
    if u64::from(size) > left {
        let wraps = start + PART_HEADER as u64 + u64::from(size) > u64::from(u32::MAX);
        let rule = if wraps { findings::PART_WRAP } else { findings::PART_SIZE };
        let message = format!("part {index} ({name}) claims {size} bytes, but {left} remain");
        return Err(Fault::at_byte(rule, start + 4, message));
    }
    Ok(Part { name, offset, size })
}

fn note_oddities(part: &Part, before: &[Part], faults: &mut Vec<Fault>) -> Result<(), Fault> {
    let at = u64::from(part.offset);
    if before.iter().any(|other| other.name == part.name) {
        let fault = Fault::at_byte(findings::PART_TWICE, at, format!("part {} appears twice", part.name));
        if part.name.0 == *b"DXIL" {
            // It is not known which of the two runs.
            return Err(fault);
        }
        faults.push(fault);
    }
    if !part.name.is_printable() {
        let message = format!("the part's name is {}, expected four printable characters", part.name);
        faults.push(Fault::at_byte(findings::PART_NAME, at, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_unprintable_name_as_number() {
        assert_eq!(FourCc(*b"DXIL").to_string(), "DXIL");
        assert_eq!(FourCc([1, 2, 3, 4]).to_string(), "0x04030201");
    }
}
