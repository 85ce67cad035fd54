//! The small parts: program header, features, hash, debug name, compiler version, root signature, sources.

mod debug_info;
mod root_signature;
mod sources;
mod unpack;

pub use debug_info::DebugInfo;
pub(crate) use debug_info::{lines, read as debug_info, texts as debug_info_texts};
pub(crate) use root_signature::read as root_signature;
pub use root_signature::{Parameter, Range, RootSignature, StaticSampler};
pub use sources::{SourceFile, Sources};
pub(crate) use sources::{read as sources, texts as source_texts};

use super::bytes::{Bytes, escaped};
use super::error::Fault;
use crate::{findings, names};

/// Bytes of a program header.
const PROGRAM_HEADER: usize = 24;
/// Offset of the magic, from which the bitcode's offset counts.
const MAGIC_AT: usize = 8;

/// The header of a part that contains bitcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgramHeader {
    /// Shader model, major.
    pub major: u32,
    /// Shader model, minor; 15 is the offline library target.
    pub minor: u32,
    /// Shader kind.
    pub kind: u32,
    /// DXIL version: major, minor.
    pub dxil: (u32, u32),
    /// Offset of the bitcode in the file.
    pub bitcode: u64,
    /// Size of the bitcode in bytes.
    pub size: u32,
}

impl ProgramHeader {
    /// `6.8`, or `6.x` for the offline library target.
    pub fn model(&self) -> String {
        names::model(self.major, self.minor)
    }
}

/// Reads a program header and finds its bitcode. What can be shown all the same is added to `faults`.
pub(crate) fn program<'a>(part: Bytes<'a>, faults: &mut Vec<Fault>) -> Result<(ProgramHeader, Bytes<'a>), Fault> {
    let at = |offset: usize| part.place(offset);
    if part.len() < PROGRAM_HEADER {
        let message = format!("program header truncated: expected {PROGRAM_HEADER} bytes, found {}", part.len());
        return Err(Fault::at_byte(findings::PROGRAM_HEADER, at(0), message));
    }
    let word = |offset: usize| part.u32(offset, "program header");
    let magic = part.slice(MAGIC_AT, 4, "magic")?;
    if magic != b"DXIL" {
        let message = format!("program header magic is {magic:02x?}, expected `DXIL`");
        return Err(Fault::at_byte(findings::PROGRAM_MAGIC, at(MAGIC_AT), message));
    }
    let (version, words, dxil, offset, size) = (word(0)?, word(4)?, word(12)?, word(16)?, word(20)?);
    if offset < 16 || !offset.is_multiple_of(4) {
        let message = format!("bitcode offset is {offset}, expected a multiple of 4, at least 16");
        return Err(Fault::at_byte(findings::BITCODE_OFFSET, at(16), message));
    }
    let start = MAGIC_AT as u64 + u64::from(offset);
    let end = start + u64::from(size);
    if end > part.len() as u64 || u64::from(words) * 4 > part.len() as u64 {
        let message = format!(
            "bitcode {start}..{end} of a program of {} bytes lies outside the part of {} bytes",
            u64::from(words) * 4,
            part.len()
        );
        return Err(Fault::at_byte(findings::BITCODE_RANGE, at(16), message));
    }
    let kind = version >> 16;
    if kind > 15 {
        let message = format!("shader kind is {kind}, expected 0 to 15");
        return Err(Fault::at_byte(findings::SHADER_KIND, at(2), message));
    }
    if matches!(kind, 7..=12 | 15) {
        let message = format!("shader kind {kind} is for entry points of a library, not for a program");
        faults.push(Fault::at_byte(findings::SHADER_KIND, at(2), message));
    }
    let header = ProgramHeader {
        major: version >> 4 & 15,
        minor: version & 15,
        kind,
        dxil: (dxil >> 8, dxil & 0xff),
        bitcode: part.place(start as usize),
        size,
    };
    Ok((header, part.sub(start as usize, size as usize, "bitcode")?))
}

/// The kind of a program, whose header may be broken otherwise.
pub(crate) fn program_kind(part: &Bytes<'_>) -> Option<u32> {
    let magic = part.slice(MAGIC_AT, 4, "magic").ok()?;
    let kind = part.u32(0, "program header").ok()? >> 16;
    (magic == b"DXIL" && kind <= 15).then_some(kind)
}

/// Reads SFI0: the feature bits.
pub(crate) fn features(part: Bytes<'_>) -> Result<u64, Fault> {
    exact(&part, 8)?;
    part.u64(0, "feature bits")
}

fn exact(part: &Bytes<'_>, size: usize) -> Result<(), Fault> {
    if part.len() == size {
        return Ok(());
    }
    Err(part.fault(0, format!("expected {size} bytes, found {}", part.len())))
}

/// The hash of the bitcode, by which its PDB is called.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ShaderHash {
    /// MD5 as the part holds it.
    pub md5: String,
    /// Whether sources went into it.
    pub includes_source: bool,
    /// Whether it is the MD5 of this file's bitcode (of the part with debug information, if any). Absent
    /// where the file does not have the bitcode that it may be of: a PDB has the one with debug information alone.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub matches: Option<bool>,
}

/// Reads HASH.
pub(crate) fn hash(part: Bytes<'_>) -> Result<(bool, [u8; 16]), Fault> {
    exact(&part, 20)?;
    let mut md5 = [0; 16];
    md5.copy_from_slice(part.slice(4, 16, "hash")?);
    Ok((part.u32(0, "hash flags")? & 1 != 0, md5))
}

/// Reads ILDN: the name of the PDB.
pub(crate) fn debug_name(part: Bytes<'_>) -> Result<String, Fault> {
    let length = usize::from(part.u16(2, "name length")?);
    let expected = (4 + length + 1).next_multiple_of(4);
    exact(&part, expected)?;
    Ok(escaped(part.slice(4, length, "debug name")?))
}

/// The compiler that made a library.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CompilerVersion {
    /// Major and minor: `1.9`.
    pub version: String,
    /// Bit 0: a debug build; bit 1: an internal validator.
    pub flags: u32,
    /// Commits since the release.
    pub commits: u32,
    /// The commit it was built from.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub commit: String,
    /// The version name given by the builder.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub custom: String,
}

/// Reads VERS.
pub(crate) fn compiler(part: Bytes<'_>) -> Result<CompilerVersion, Fault> {
    let text = part.u32(12, "version strings")? as usize;
    let expected = text.checked_add(16).map(|size| size.next_multiple_of(4));
    if expected != Some(part.len()) {
        return Err(part.fault(12, format!("{text} bytes of text in a part of {} bytes", part.len())));
    }
    let strings = part.slice(16, text, "version strings")?;
    let mut strings = strings.split(|byte| *byte == 0).map(escaped);
    Ok(CompilerVersion {
        version: format!("{}.{}", part.u16(0, "version")?, part.u16(2, "version")?),
        flags: part.u32(4, "flags")?,
        commits: part.u32(8, "commits")?,
        commit: strings.next().unwrap_or_default(),
        custom: strings.next().unwrap_or_default(),
    })
}
