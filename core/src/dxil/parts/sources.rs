//! SRCI and PDBI: what a PDB says about the sources. Compressed contents are measured, not unpacked.

use serde::{Deserialize, Serialize};

use crate::dxil::bytes::{Bytes, escaped};
use crate::dxil::error::Fault;

/// The most bytes that compressed contents may claim to have.
const MAX_CONTENTS: u32 = 256 << 20;

/// The sources that a PDB names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// The files.
    pub files: Vec<SourceFile>,
    /// Arguments of the compiler: name and value.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub arguments: Vec<(String, String)>,
    /// Size of the contents once unpacked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub contents_bytes: Option<u32>,
    /// Whether they are compressed.
    pub compressed: bool,
}

/// A file of the sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name.
    pub name: String,
    /// Size of its contents in bytes.
    pub bytes: u32,
}

/// Reads SRCI.
pub(crate) fn read(part: Bytes<'_>) -> Result<Sources, Fault> {
    let mut out = Sources::default();
    let sections = part.u16(6, "section count")?;
    let mut at = 8usize;
    for _ in 0..sections {
        let size = part.u32(at, "section size")? as usize;
        let section = part.sub(at, size, "section")?;
        if size < 8 {
            return Err(part.fault(at, format!("a section of {size} bytes, at least 8 expected")));
        }
        match section.u16(6, "section type")? {
            0 => contents(&section, &mut out)?,
            1 => files(&section, &mut out)?,
            2 => arguments(&section, &mut out)?,
            _ => {}
        }
        at = at.saturating_add(size);
    }
    Ok(out)
}

fn contents(section: &Bytes<'_>, out: &mut Sources) -> Result<(), Fault> {
    let compression = section.u16(14, "compression")?;
    let bytes = section.u32(20, "uncompressed size")?;
    check_size(section, 20, bytes)?;
    out.compressed = compression != 0;
    out.contents_bytes = Some(bytes);
    Ok(())
}

fn check_size(part: &Bytes<'_>, at: usize, bytes: u32) -> Result<(), Fault> {
    if bytes <= MAX_CONTENTS {
        return Ok(());
    }
    Err(part.fault(at, format!("compressed data claims {bytes} bytes, at most {MAX_CONTENTS} are taken")))
}

fn files(section: &Bytes<'_>, out: &mut Sources) -> Result<(), Fault> {
    let count = section.u32(12, "file count")?;
    let mut at = 18usize;
    for _ in 0..count {
        let size = section.u32(at, "file entry")? as usize;
        let name_bytes = section.u32(at.saturating_add(8), "file entry")? as usize;
        if size < 16 {
            return Err(section.fault(at, format!("a file entry of {size} bytes, at least 16 expected")));
        }
        let name = section.slice(at + 16, name_bytes, "file name")?;
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        out.files.push(SourceFile { name: escaped(name), bytes: section.u32(at + 12, "file entry")? });
        at = at.saturating_add(size);
    }
    Ok(())
}

fn arguments(section: &Bytes<'_>, out: &mut Sources) -> Result<(), Fault> {
    let bytes = section.u32(12, "argument bytes")? as usize;
    let count = section.u32(16, "argument count")? as usize;
    let text = section.slice(20, bytes, "arguments")?;
    let mut strings = text.split(|byte| *byte == 0).map(escaped);
    for _ in 0..count {
        let (Some(name), Some(value)) = (strings.next(), strings.next()) else { break };
        out.arguments.push((name, value));
    }
    Ok(())
}

/// Reads the header of PDBI: the size of the data once unpacked, and whether it is compressed.
pub(crate) fn read_debug_info(part: Bytes<'_>) -> Result<(u32, bool), Fault> {
    let compression = part.u16(2, "compression")?;
    let bytes = part.u32(8, "uncompressed size")?;
    check_size(&part, 8, bytes)?;
    part.slice(12, part.u32(4, "size")? as usize, "compressed data")?;
    Ok((bytes, compression != 0))
}
