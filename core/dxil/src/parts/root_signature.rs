//! RTS0: a serialised root signature, versions 1.0 and 1.1.

use crate::bytes::Bytes;
use crate::error::Fault;
use crate::findings;
use crate::names::{self, Name};

/// A root signature.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RootSignature {
    /// `1.0`, `1.1`; another number's tables are not read.
    pub version: String,
    /// The flags' number.
    pub flags: u32,
    /// Parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Static samplers.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub samplers: Vec<StaticSampler>,
}

/// A root parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Parameter {
    /// `table`, `constants`, `cbv`, `srv` or `uav`.
    pub kind: Name,
    /// Who sees it: `all`, `vertex` and so on.
    pub visibility: Name,
    /// Where it begins in the root arguments, in dwords: parameters follow each other in order.
    #[cfg_attr(feature = "serde", serde(default))]
    pub dword: u32,
    /// Dwords that it takes: a table 1, a descriptor 2, constants one each; absent for an unknown kind, after which no
    /// place is known.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub dwords: Option<u32>,
    /// The register of constants or of a descriptor.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub register: Option<u32>,
    /// Its space.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub space: Option<u32>,
    /// Number of 32-bit constants.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub constants: Option<u32>,
    /// Flags of a descriptor, from version 1.1.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub flags: Option<u32>,
    /// The ranges of a table.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub ranges: Vec<Range>,
}

/// A range of a descriptor table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Range {
    /// `srv`, `uav`, `cbv` or `sampler`.
    pub class: Name,
    /// Number of descriptors; absent if unbounded.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub count: Option<u32>,
    /// The first register.
    pub register: u32,
    /// Its space.
    pub space: u32,
    /// Flags, from version 1.1.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub flags: Option<u32>,
    /// Offset in the table; absent where it follows the range before.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub offset: Option<u32>,
    /// Where it begins in the table, in descriptors, also where it follows the range before; absent behind an unbounded one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub begin: Option<u32>,
}

/// A static sampler.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StaticSampler {
    /// The filter's number.
    pub filter: u32,
    /// Address modes in u, v and w: `wrap`, `clamp` and so on.
    pub address: [Name; 3],
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// The most samples of anisotropic filtering.
    pub max_anisotropy: u32,
    /// The comparison's number.
    pub comparison: u32,
    /// The border colour's number.
    pub border: u32,
    /// Least and greatest level of detail.
    pub lod: [f32; 2],
    /// Its register.
    pub register: u32,
    /// Its space.
    pub space: u32,
    /// Who sees it.
    pub visibility: Name,
}

const VISIBILITY: &[&str] = &["all", "vertex", "hull", "domain", "geometry", "pixel", "amplification", "mesh"];
const PARAMETER: &[&str] = &["table", "constants", "cbv", "srv", "uav"];
const RANGE: &[&str] = &["srv", "uav", "cbv", "sampler"];
const ADDRESS: &[&str] = &["", "wrap", "mirror", "clamp", "border", "mirror_once"];

/// The bytes of a parameter, of a range in both versions, and of a static sampler.
const PARAMETER_BYTES: usize = 12;
const RANGE_BYTES: [usize; 2] = [20, 24];
const SAMPLER_BYTES: usize = 52;
/// Ranges that the tables of any root signature may have, however short it is.
const MOST_RANGES: usize = 1024;

impl RootSignature {
    /// Reads a serialised root signature: the contents of an RTS0 part.
    ///
    /// # Errors
    /// What is not as the format says, and where.
    pub fn parse(bytes: &[u8]) -> Result<RootSignature, Fault> {
        read(Bytes::new(bytes, 0, findings::BAD_ROOT_SIGNATURE))
    }

    /// Whether its tables were read: those of versions 1.0 and 1.1 are.
    pub fn is_read(&self) -> bool {
        matches!(self.version.as_str(), "1.0" | "1.1")
    }

    /// Dwords of the root arguments; `None` where that is not known.
    pub fn dwords(&self) -> Option<u64> {
        let all = self.parameters.iter().map(|parameter| parameter.dwords.map(u64::from));
        all.sum::<Option<u64>>().filter(|_| self.is_read())
    }
}

/// Reads a root signature.
pub(crate) fn read(part: Bytes<'_>) -> Result<RootSignature, Fault> {
    let word = |at: usize| part.u32(at, "root signature header");
    let (version, flags) = (word(0)?, word(20)?);
    let name = match version {
        1 => "1.0".to_owned(),
        2 => "1.1".to_owned(),
        3 => "1.2".to_owned(),
        other => other.to_string(),
    };
    let mut out = RootSignature { version: name, flags, parameters: Vec::new(), samplers: Vec::new() };
    if !matches!(version, 1 | 2) {
        return Ok(out);
    }
    let newer = version == 2;
    // Tables may share their ranges, but what they are together is bounded by the part, not by its square.
    let mut ranges = MOST_RANGES.max(part.len() / RANGE_BYTES[0]);
    for at in rows(&part, word(4)?, word(8)?, PARAMETER_BYTES, 4)? {
        let parameter = parameter(&part, at, newer)?;
        let Some(left) = ranges.checked_sub(parameter.ranges.len()) else {
            return Err(part.fault(at, "root parameters refer to the same ranges too often"));
        };
        ranges = left;
        out.parameters.push(parameter);
    }
    place(&mut out.parameters);
    for at in rows(&part, word(12)?, word(16)?, SAMPLER_BYTES, 12)? {
        out.samplers.push(sampler(&part, at)?);
    }
    Ok(out)
}

/// Fills in where parameters are in the root arguments, and ranges in their tables (D3D12's root signature limits).
fn place(parameters: &mut [Parameter]) {
    let mut next = 0u32;
    for parameter in parameters {
        parameter.dwords = match &*parameter.kind {
            "table" => Some(1),
            "constants" => parameter.constants,
            "cbv" | "srv" | "uav" => Some(2),
            _ => None,
        };
        parameter.dword = next;
        next = next.saturating_add(parameter.dwords.unwrap_or(0));
        let mut end = Some(0u32);
        for range in &mut parameter.ranges {
            range.begin = range.offset.or(end);
            end = range.begin.zip(range.count).and_then(|(begin, count)| begin.checked_add(count));
        }
    }
}

/// The offsets of the rows of a table, checked to lie inside the part.
fn rows(part: &Bytes<'_>, count: u32, offset: u32, bytes: usize, at: usize) -> Result<Vec<usize>, Fault> {
    let (count, offset) = (count as usize, offset as usize);
    let end = count.checked_mul(bytes).and_then(|size| size.checked_add(offset));
    if count > 0 && end.is_none_or(|end| end > part.len()) {
        let message =
            format!("{count} rows of {bytes} bytes at offset {offset}, but the part has {} bytes", part.len());
        return Err(part.fault(at, message));
    }
    Ok((0..count).map(|row| offset + row * bytes).collect())
}

fn parameter(part: &Bytes<'_>, at: usize, newer: bool) -> Result<Parameter, Fault> {
    let word = |at: usize| part.u32(at, "root parameter");
    let (kind, payload) = (word(at)?, word(at + 8)? as usize);
    let place = |offset: usize| payload.saturating_add(offset);
    let mut out = Parameter {
        kind: names::of(PARAMETER, kind),
        visibility: names::of(VISIBILITY, word(at + 4)?),
        dword: 0,
        dwords: None,
        register: None,
        space: None,
        constants: None,
        flags: None,
        ranges: Vec::new(),
    };
    match kind {
        0 => {
            for at in rows(part, word(payload)?, word(place(4))?, RANGE_BYTES[usize::from(newer)], payload)? {
                out.ranges.push(range(part, at, newer)?);
            }
        }
        1 => {
            (out.register, out.space) = (Some(word(payload)?), Some(word(place(4))?));
            out.constants = Some(word(place(8))?);
        }
        2..=4 => {
            (out.register, out.space) = (Some(word(payload)?), Some(word(place(4))?));
            out.flags = if newer { Some(word(place(8))?) } else { None };
        }
        _ => {}
    }
    Ok(out)
}

fn range(part: &Bytes<'_>, at: usize, newer: bool) -> Result<Range, Fault> {
    let word = |index: usize| part.u32(at + 4 * index, "descriptor range");
    let known = |number: u32| (number != u32::MAX).then_some(number);
    Ok(Range {
        class: names::of(RANGE, word(0)?),
        count: known(word(1)?),
        register: word(2)?,
        space: word(3)?,
        flags: if newer { Some(word(4)?) } else { None },
        offset: known(word(if newer { 5 } else { 4 })?),
        begin: None,
    })
}

fn sampler(part: &Bytes<'_>, at: usize) -> Result<StaticSampler, Fault> {
    let word = |index: usize| part.u32(at + 4 * index, "static sampler");
    let address = |index: usize| Ok::<_, Fault>(names::of(ADDRESS, word(index)?));
    let float = |index: usize| Ok::<_, Fault>(f32::from_bits(word(index)?));
    Ok(StaticSampler {
        filter: word(0)?,
        address: [address(1)?, address(2)?, address(3)?],
        lod_bias: float(4)?,
        max_anisotropy: word(5)?,
        comparison: word(6)?,
        border: word(7)?,
        lod: [float(8)?, float(9)?],
        register: word(10)?,
        space: word(11)?,
        visibility: names::of(VISIBILITY, word(12)?),
    })
}
