//! PDBI: a PDB's information about its program, as tables like those of RDAT, compressed or not.

use std::borrow::Cow;

use super::sources::{SourceFile, Sources};
use super::unpack;
use crate::bytes::{Bytes, escaped};
use crate::error::{Fault, Place};
use crate::findings;
use crate::{hex, rdat};

/// Start of the data.
const DATA: usize = 12;
/// Types of the tables.
const INFO: u32 = 0x1_0001;
const SOURCES: u32 = 0x1_0002;
const LIBRARIES: u32 = 0x1_0003;

/// Information of a PDB about its program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DebugInfo {
    /// Whether it is compressed.
    pub compressed: bool,
    /// Its size in bytes once unpacked.
    pub bytes: u32,
    /// The hash that names the PDB, as a number in hexadecimal.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub hash: String,
    /// The PDB's name.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub name: String,
    /// The number of a toolchain other than the usual one, and the bytes that it left.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub toolchain: Option<(u32, u32)>,
    /// Bytes of a whole container that is kept inside.
    pub container_bytes: u32,
    /// Libraries that were linked: name, and size in bytes.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub libraries: Vec<(String, u32)>,
}

/// Reads PDBI. References that point nowhere are added to `faults`.
pub(crate) fn read(part: Bytes<'_>, faults: &mut Vec<Fault>) -> Result<(DebugInfo, Sources), Fault> {
    let data = Data::of(&part)?;
    let mut inner = Vec::new();
    let read = tables(&data, &mut inner);
    faults.extend(inner.into_iter().map(|fault| data.fault(fault)));
    read.map_err(|fault| data.fault(fault))
}

/// The sources of PDBI with their contents; empty where the part cannot be read.
pub(crate) fn texts(part: Bytes<'_>) -> Vec<(String, Vec<u8>)> {
    let Ok(data) = Data::of(&part) else { return Vec::new() };
    let mut faults = Vec::new();
    let Ok((mut tables, _)) = rdat::open(data.bytes(), &mut faults) else { return Vec::new() };
    let Some(info) = tables.table(INFO).and_then(|table| table.row(0)) else { return Vec::new() };
    let rows = tables.rows(&info, 0, SOURCES);
    rows.iter().map(|row| (tables.text(row, 0), tables.contents(row, 4).unwrap_or_default().to_vec())).collect()
}

/// The part's data, unpacked.
struct Data<'a> {
    data: Cow<'a, [u8]>,
    /// Start in the file, packed or not.
    place: u64,
    compressed: bool,
}

impl<'a> Data<'a> {
    fn of(part: &Bytes<'a>) -> Result<Data<'a>, Fault> {
        let version = part.u16(0, "version")?;
        if version != 0 {
            return Err(part.fault(0, format!("version is {version}, expected 0")));
        }
        let compression = part.u16(2, "compression")?;
        let packed = part.slice(DATA, part.u32(4, "size")? as usize, "data")?;
        let claimed = part.u32(8, "uncompressed size")?;
        let data = unpack::contents(part, (compression, 2), packed, (claimed, 8))?;
        Ok(Data { data, place: part.place(DATA), compressed: compression == 1 })
    }

    fn bytes(&self) -> Bytes<'_> {
        Bytes::new(&self.data, if self.compressed { 0 } else { self.place }, findings::BAD_SOURCES)
    }

    /// A fault inside the data. Places in unpacked data are none of the file.
    fn fault(&self, mut fault: Fault) -> Fault {
        if self.compressed {
            fault.message = format!("unpacked data, {}: {}", fault.at, fault.message);
            fault.at = Place::Byte(self.place);
        }
        fault
    }
}

fn tables(data: &Data<'_>, faults: &mut Vec<Fault>) -> Result<(DebugInfo, Sources), Fault> {
    let (mut tables, _) = rdat::open(data.bytes(), faults)?;
    let mut out = DebugInfo { compressed: data.compressed, bytes: data.data.len() as u32, ..DebugInfo::default() };
    let mut sources = Sources { compressed: data.compressed, ..Sources::default() };
    let Some(info) = tables.table(INFO).and_then(|table| table.row(0)) else { return Ok((out, sources)) };
    let mut files = Vec::new();
    for row in tables.rows(&info, 0, SOURCES) {
        let bytes = tables.contents(&row, 4).map_or(0, <[u8]>::len);
        files.push(SourceFile { name: tables.text(&row, 0), bytes: bytes as u32 });
    }
    sources.set_files(files);
    for row in tables.rows(&info, 4, LIBRARIES) {
        let bytes = tables.raw(&row, 4).map_or(0, <[u8]>::len);
        out.libraries.push((tables.text(&row, 0), bytes as u32));
    }
    let mut arguments = tables.texts(&info, 8).into_iter();
    let pairs = std::iter::from_fn(|| Some((arguments.next()?, arguments.next().unwrap_or_default())));
    sources.set_arguments(pairs.collect());
    out.hash = tables
        .raw(&info, 12)
        .filter(|hash| !hash.is_empty())
        .map(|hash| hex(hash.get(..64).unwrap_or(hash)))
        .unwrap_or_default();
    out.name = tables.text(&info, 20);
    let (toolchain, left) = (tables.word(&info, 24), tables.raw(&info, 28).map_or(0, <[u8]>::len));
    out.toolchain = (toolchain != 0 || left > 0).then_some((toolchain, left as u32));
    out.container_bytes = tables.raw(&info, 36).map_or(0, <[u8]>::len) as u32;
    Ok((out, sources))
}

/// Contents of a source as lines of text: what would steer a terminal is escaped.
pub(crate) fn lines(contents: &[u8]) -> String {
    let mut out = String::with_capacity(contents.len());
    for (at, line) in contents.split(|byte| *byte == b'\n').enumerate() {
        out.push_str(if at > 0 { "\n" } else { "" });
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        for (at, word) in line.split(|byte| *byte == b'\t').enumerate() {
            out.push_str(if at > 0 { "\t" } else { "" });
            out.push_str(&escaped(word));
        }
    }
    out
}
