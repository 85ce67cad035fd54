//! SRCI: the sources and arguments in a PDB.

use super::unpack;
use crate::bytes::{Bytes, escaped};
use crate::error::Fault;

/// The most files and arguments that are kept.
const MOST: usize = 4096;

/// The sources that a container names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Sources {
    /// The file passed to the compiler, where it is known.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub main: Option<String>,
    /// The files.
    pub files: Vec<SourceFile>,
    /// Arguments of the compiler: name and value; the value is empty if there is none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub arguments: Vec<(String, String)>,
    /// Macros passed to the compiler.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub defines: Vec<String>,
    /// Size of the contents once unpacked, where they are in a part of their own.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub contents_bytes: Option<u32>,
    /// Whether they are compressed.
    pub compressed: bool,
}

/// A file of the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SourceFile {
    /// Its name.
    pub name: String,
    /// Size of its contents in bytes.
    pub bytes: u32,
}

/// The sections of a part, by type.
#[derive(Default)]
struct Sections<'a> {
    contents: Option<Bytes<'a>>,
    names: Option<Bytes<'a>>,
    arguments: Option<Bytes<'a>>,
}

impl<'a> Sections<'a> {
    fn of(part: &Bytes<'a>) -> Result<Sections<'a>, Fault> {
        let mut out = Sections::default();
        let count = part.u16(6, "section count")?;
        let mut at = 8usize;
        for _ in 0..count {
            let size = part.u32(at, "section size")? as usize;
            let section = part.sub(at, size, "section")?;
            if size < 8 {
                return Err(part.fault(at, format!("section has {size} bytes, expected at least 8")));
            }
            let kind = section.u16(6, "section type")?;
            let slot = match kind {
                0 => &mut out.contents,
                1 => &mut out.names,
                2 => &mut out.arguments,
                _ => &mut None,
            };
            if slot.replace(section).is_some() {
                return Err(part.fault(at, format!("section type {kind} appears twice")));
            }
            at = at.saturating_add(size);
        }
        Ok(out)
    }
}

/// Reads SRCI. Compressed contents are unpacked and measured, then let go.
pub(crate) fn read(part: Bytes<'_>) -> Result<Sources, Fault> {
    let sections = Sections::of(&part)?;
    let mut out = Sources::default();
    if let Some(section) = &sections.names {
        out.set_files(files(section)?);
    }
    if let Some(section) = &sections.arguments {
        out.set_arguments(arguments(section)?);
    }
    if let Some(section) = &sections.contents {
        let contents = Contents::of(section)?;
        let sizes: Vec<usize> = contents.entries(section)?.iter().map(|entry| entry.len()).collect();
        let named: Vec<usize> = out.files.iter().map(|file| file.bytes as usize).collect();
        if sections.names.is_some() && sizes.len() != named.len() {
            return Err(section.fault(24, format!("section has {} contents for {} names", sizes.len(), named.len())));
        }
        if let Some((file, bytes)) = out.files.iter().zip(&sizes).find(|(file, bytes)| file.bytes as usize != **bytes) {
            let message = format!("{} has {} bytes, but its contents have {bytes}", file.name, file.bytes);
            return Err(section.fault(8, message));
        }
        out.compressed = contents.compressed;
        out.contents_bytes = Some(contents.data.len() as u32);
    }
    Ok(out)
}

/// The files of SRCI with their contents; empty where the part cannot be read.
pub(crate) fn texts(part: Bytes<'_>) -> Vec<(String, Vec<u8>)> {
    let read = || -> Result<Vec<(String, Vec<u8>)>, Fault> {
        let sections = Sections::of(&part)?;
        let (Some(names), Some(section)) = (&sections.names, &sections.contents) else { return Ok(Vec::new()) };
        let contents = Contents::of(section)?;
        let entries = contents.entries(section)?;
        Ok(files(names)?.into_iter().map(|file| file.name).zip(entries.into_iter().map(<[u8]>::to_vec)).collect())
    };
    read().unwrap_or_default()
}

/// The section of contents, unpacked.
struct Contents<'a> {
    data: std::borrow::Cow<'a, [u8]>,
    compressed: bool,
    count: u32,
}

impl<'a> Contents<'a> {
    fn of(section: &Bytes<'a>) -> Result<Contents<'a>, Fault> {
        let compression = section.u16(14, "compression")?;
        let packed = section.slice(28, section.u32(16, "size of the contents")? as usize, "contents")?;
        let claimed = section.u32(20, "uncompressed size")?;
        let count = section.u32(24, "content count")?;
        let data = unpack::contents(section, (compression, 14), packed, (claimed, 20))?;
        Ok(Contents { data, compressed: compression == 1, count })
    }

    /// The bytes of each file, without the zero that ends it.
    fn entries(&self, section: &Bytes<'_>) -> Result<Vec<&[u8]>, Fault> {
        let data = Bytes::new(&self.data, 0, crate::findings::BAD_SOURCES);
        // Places in unpacked data are none of the file: the fault is at the section.
        let at_section = |fault: Fault| section.fault(8, format!("unpacked contents, {}: {}", fault.at, fault.message));
        let mut out = Vec::new();
        let mut at = 0usize;
        for _ in 0..self.count {
            let entry = || -> Result<(usize, &[u8]), Fault> {
                let size = data.u32(at, "content entry")? as usize;
                let bytes = data.u32(at.saturating_add(8), "content entry")? as usize;
                if size < 12 {
                    return Err(data.fault(at, format!("content entry has {size} bytes, expected at least 12")));
                }
                Ok((size, data.slice(at.saturating_add(12), bytes, "contents of a file")?))
            };
            let (size, bytes) = entry().map_err(at_section)?;
            if out.len() >= MOST {
                return Err(section.fault(24, format!("more than {MOST} files")));
            }
            out.push(bytes.strip_suffix(&[0]).unwrap_or(bytes));
            at = at.saturating_add(size);
        }
        Ok(out)
    }
}

fn files(section: &Bytes<'_>) -> Result<Vec<SourceFile>, Fault> {
    let count = section.u32(12, "file count")?;
    let mut out = Vec::new();
    let mut at = 18usize;
    for _ in 0..count {
        let size = section.u32(at, "file entry")? as usize;
        let name_bytes = section.u32(at.saturating_add(8), "file entry")? as usize;
        if size < 16 {
            return Err(section.fault(at, format!("file entry has {size} bytes, expected at least 16")));
        }
        let name = section.slice(at + 16, name_bytes, "file name")?;
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        // The zero that ends the contents is counted in the file, and is none of them.
        let bytes = section.u32(at + 12, "file entry")?.saturating_sub(1);
        if out.len() >= MOST {
            return Err(section.fault(12, format!("more than {MOST} files")));
        }
        out.push(SourceFile { name: escaped(name), bytes });
        at = at.saturating_add(size);
    }
    Ok(out)
}

fn arguments(section: &Bytes<'_>) -> Result<Vec<(String, String)>, Fault> {
    let bytes = section.u32(12, "argument bytes")? as usize;
    let count = section.u32(16, "argument count")? as usize;
    let text = section.slice(20, bytes, "arguments")?;
    let mut strings = text.split(|byte| *byte == 0).map(escaped);
    let mut out = Vec::new();
    for _ in 0..count.min(MOST) {
        let (Some(name), Some(value)) = (strings.next(), strings.next()) else {
            return Err(section.fault(16, format!("expected {count} arguments, found {}", out.len())));
        };
        out.push((name, value));
    }
    Ok(out)
}

impl Sources {
    /// Takes the compiler's arguments as a PDB keeps them: the name of each option, without its dash, and its value.
    pub(super) fn set_arguments(&mut self, pairs: Vec<(String, String)>) {
        for (name, value) in pairs {
            if name == "D" && !value.is_empty() {
                self.defines.push(value.clone());
            }
            self.arguments.push(match name.as_str() {
                // The file that is compiled.
                "" | "<input>" => (value, String::new()),
                dashed if dashed.starts_with('-') => (name, value),
                _ => (format!("-{name}"), value),
            });
        }
    }

    /// Takes the files. The first is the one that is compiled, the others are included.
    pub(super) fn set_files(&mut self, files: Vec<SourceFile>) {
        self.main = files.first().map(|file| file.name.clone());
        self.files = files;
    }
}
