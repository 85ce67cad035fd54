//! PSV0: what the runtime checks when it creates a pipeline. Its versions differ in size only.

use super::bytes::{Bytes, MAX_NAME};
use super::error::Fault;
use super::names::{self, Name};

mod masks;

pub use masks::Dependency;
use masks::Masks;

/// Sizes of the runtime info, version 0 to 4.
const SIZES: [usize; 5] = [24, 36, 48, 52, 56];
/// Offset of the flags, by which version 4 grew later.
const FLAGS_AT: usize = 56;
/// The flags, from bit 0.
const FLAGS: &[&str] = &[LINALG];
/// The flag of data about linear algebra.
pub(crate) const LINALG: &str = "linalg";

#[cfg(feature = "serde")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Pipeline state validation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Psv {
    /// 0 to 4; a size larger than any known one counts as the newest.
    pub version: u32,
    /// Bytes of the runtime info.
    pub info_bytes: u32,
    /// The shader's kind.
    pub stage: Name,
    /// Properties of that kind.
    pub info: StageInfo,
    /// The fewest and the most lanes of a wave; absent where any number will do.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub wave_lanes: Option<[u32; 2]>,
    /// Whether the view's number is read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub uses_view_id: Option<bool>,
    /// Threads of a group, from version 2.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub threads: Option<[u32; 3]>,
    /// The entry point, from version 3.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub entry: Option<String>,
    /// Bytes of groupshared memory, from version 4.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub groupshared_bytes: Option<u32>,
    /// Flags, from runtime info of 60 bytes: `linalg` says that data about linear algebra follows.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub flags: Option<Vec<Name>>,
    /// Bytes at the end of the part that are not read: data of linear algebra, or what a newer compiler has there.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero", default))]
    pub unread_bytes: u32,
    /// Bindings.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub resources: Vec<Binding>,
    /// Inputs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub inputs: Vec<Element>,
    /// Outputs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub outputs: Vec<Element>,
    /// Patch constants, or outputs of each primitive.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub patch: Vec<Element>,
    /// Dependencies of the outputs; [`Psv::described`] fills them in.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub dependencies: Vec<Dependency>,
    #[cfg_attr(feature = "serde", serde(skip))]
    masks: Masks,
}

impl Psv {
    /// The part with its dependencies formatted as text, which are not formatted by reading.
    pub fn described(&self) -> Psv {
        let dependencies = self.masks.dependencies();
        Psv { dependencies, masks: Masks::default(), ..self.clone() }
    }
}

/// Properties of one kind of shader.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[allow(missing_docs, reason = "the fields are the format's own")]
pub enum StageInfo {
    Vertex {
        writes_position: bool,
    },
    Hull {
        input_points: u32,
        output_points: u32,
        domain: Name,
        output: Name,
    },
    Domain {
        input_points: u32,
        writes_position: bool,
        domain: Name,
    },
    Geometry {
        input: Name,
        output: Name,
        streams: u32,
        writes_position: bool,
        max_vertices: Option<u32>,
    },
    Pixel {
        writes_depth: bool,
        per_sample: bool,
    },
    Mesh {
        groupshared: u32,
        groupshared_by_view: u32,
        payload: u32,
        max_vertices: u32,
        max_primitives: u32,
        topology: Option<Name>,
    },
    Amplification {
        payload: u32,
    },
    None {},
}

/// A binding.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Binding {
    /// `cbv`, `srv_structured` and so on.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub binding: Name,
    /// Register space.
    pub space: u32,
    /// The first register.
    pub lower: u32,
    /// The last register; absent if unbounded.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub upper: Option<u32>,
    /// The resource's kind, from version 2.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub kind: Option<Name>,
    /// Whether 64-bit atomics are used on it, from version 2.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not", default))]
    pub atomic64: bool,
}

/// An element of a signature: one or more rows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Element {
    /// The semantic's name; empty for a system value.
    pub semantic: String,
    /// The semantic's index of each row.
    pub indices: Vec<u32>,
    /// Its system-value kind.
    pub kind: Name,
    /// `float32`, `uint32` and so on.
    pub component_type: Name,
    /// Interpolation mode.
    pub interpolation: Name,
    /// The first row; absent where none was allocated.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub start_row: Option<u32>,
    /// The first column.
    pub start_column: u32,
    /// Number of columns.
    pub columns: u32,
    /// Columns that are indexed dynamically: `xy--`.
    pub dynamic: Name,
    /// The stream.
    pub stream: u32,
}

/// A cursor over the part.
struct Cursor<'a> {
    part: Bytes<'a>,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn word(&mut self, what: &str) -> Result<u32, Fault> {
        let word = self.part.u32(self.at, what)?;
        self.at += 4;
        Ok(word)
    }

    /// `count` records of `size` bytes each.
    fn records(&mut self, count: u32, size: usize, what: &'static str) -> Result<Records<'a>, Fault> {
        let bytes = (count as usize).checked_mul(size);
        let left = self.part.len().saturating_sub(self.at);
        let Some(bytes) = bytes.filter(|bytes| *bytes <= left) else {
            return Err(self.part.fault(self.at, format!("{count} {what} of {size} bytes, but {left} bytes remain")));
        };
        let at = self.at;
        self.at += bytes;
        Ok(Records { part: self.part, at, size, what, left: count })
    }
}

/// Records of one size, one after the other, which were checked to be there.
struct Records<'a> {
    part: Bytes<'a>,
    at: usize,
    size: usize,
    what: &'static str,
    left: u32,
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Bytes<'a>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let record = self.part.sub(self.at, self.size, self.what);
        self.at += self.size;
        Some(record)
    }
}

/// Reads the part of a shader of this kind.
pub(crate) fn read(part: Bytes<'_>, kind: u32) -> Result<Psv, Fault> {
    let mut cursor = Cursor { part, at: 0 };
    let size = cursor.word("runtime info size")? as usize;
    let Some(version) = SIZES.iter().rposition(|known| *known <= size) else {
        return Err(part.fault(0, format!("runtime info has {size} bytes, expected at least {}", SIZES[0])));
    };
    let info = part.sub(4, size, "runtime info")?;
    cursor.at += size;
    let mut psv = runtime_info(&info, version as u32, kind)?;
    bindings(&mut cursor, &mut psv)?;
    if version == 0 {
        return Ok(psv);
    }
    let strings = cursor.word("string table size")? as usize;
    if !strings.is_multiple_of(4) {
        return Err(part.fault(cursor.at - 4, format!("string table has {strings} bytes, expected a multiple of 4")));
    }
    let table = part.sub(cursor.at, strings, "string table")?;
    if strings > 0 && table.all().last() != Some(&0) {
        return Err(part.fault(cursor.at, "string table is not terminated"));
    }
    cursor.at += strings;
    let count = cursor.word("semantic indices")?;
    let indices = cursor.records(count, 4, "semantic indices")?;
    let indices: Vec<u32> = indices.map(|word| word?.u32(0, "semantic index")).collect::<Result<_, _>>()?;
    let counts = [info.u8(28, "counts")?, info.u8(29, "counts")?, info.u8(30, "counts")?];
    if counts != [0; 3] {
        let size = cursor.word("element size")? as usize;
        if size < 16 {
            return Err(part.fault(cursor.at - 4, format!("signature element has {size} bytes, expected at least 16")));
        }
        let lists = [&mut psv.inputs, &mut psv.outputs, &mut psv.patch];
        for (list, count) in lists.into_iter().zip(counts) {
            for record in cursor.records(u32::from(count), size, "signature elements")? {
                list.push(element(&record?, &table, &indices)?);
            }
        }
    }
    psv.masks = masks::read(&mut cursor, &info, kind)?;
    psv.unread_bytes = part.len().saturating_sub(cursor.at) as u32;
    if version >= 3 {
        let at = info.u32(48, "entry name")? as usize;
        let name = table.text(at, MAX_NAME);
        psv.entry = Some(name.ok_or_else(|| info.fault(48, format!("name of the entry at {at} is not terminated")))?);
    }
    Ok(psv)
}

fn runtime_info(info: &Bytes<'_>, version: u32, kind: u32) -> Result<Psv, Fault> {
    let word = |at: usize| info.u32(at, "runtime info");
    let byte = |at: usize| info.u8(at, "runtime info");
    let (least, most) = (word(16)?, word(20)?);
    let stage = match kind {
        1 => StageInfo::Vertex { writes_position: byte(0)? != 0 },
        3 => StageInfo::Hull {
            input_points: word(0)?,
            output_points: word(4)?,
            domain: names::of(names::DOMAIN, word(8)?),
            output: names::of(names::TESS_OUTPUT, word(12)?),
        },
        4 => StageInfo::Domain {
            input_points: word(0)?,
            writes_position: byte(4)? != 0,
            domain: names::of(names::DOMAIN, word(8)?),
        },
        2 => StageInfo::Geometry {
            input: names::input_primitive(word(0)?),
            output: names::of(names::TOPOLOGY, word(4)?),
            streams: word(8)?,
            writes_position: byte(12)? != 0,
            max_vertices: if version > 0 { Some(u32::from(info.u16(26, "runtime info")?)) } else { None },
        },
        0 => StageInfo::Pixel { writes_depth: byte(0)? != 0, per_sample: byte(1)? != 0 },
        13 => StageInfo::Mesh {
            groupshared: word(0)?,
            groupshared_by_view: word(4)?,
            payload: word(8)?,
            max_vertices: u32::from(info.u16(12, "runtime info")?),
            max_primitives: u32::from(info.u16(14, "runtime info")?),
            topology: if version > 0 { Some(names::of(names::MESH_TOPOLOGY, u32::from(byte(27)?))) } else { None },
        },
        14 => StageInfo::Amplification { payload: word(0)? },
        _ => StageInfo::None {},
    };
    let threads = if version >= 2 { Some([word(36)?, word(40)?, word(44)?]) } else { None };
    Ok(Psv {
        version,
        info_bytes: info.len() as u32,
        stage: names::of(names::KIND, if version > 0 { u32::from(byte(24)?) } else { kind }),
        info: stage,
        wave_lanes: ((least, most) != (0, u32::MAX)).then_some([least, most]),
        uses_view_id: if version > 0 { Some(byte(25)? != 0) } else { None },
        // Stages without groups have zeros there.
        threads: threads.filter(|threads| *threads != [0; 3]),
        entry: None,
        groupshared_bytes: if version >= 4 { Some(word(52)?) } else { None },
        flags: if info.len() >= FLAGS_AT + 4 { Some(flags(word(FLAGS_AT)?)) } else { None },
        unread_bytes: 0,
        resources: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        patch: Vec::new(),
        dependencies: Vec::new(),
        masks: Masks::default(),
    })
}

/// The names of flags; those that are not known are a number.
fn flags(bits: u32) -> Vec<Name> {
    let (mut out, unknown) = names::of_bits(FLAGS, u64::from(bits));
    out.extend((unknown != 0).then(|| Name::Owned(format!("{unknown:#x}"))));
    out
}

fn bindings(cursor: &mut Cursor<'_>, psv: &mut Psv) -> Result<(), Fault> {
    let count = cursor.word("resource count")?;
    if count == 0 {
        return Ok(());
    }
    let size = cursor.word("binding size")? as usize;
    if size < 16 {
        return Err(cursor.part.fault(cursor.at - 4, format!("binding has {size} bytes, expected at least 16")));
    }
    for record in cursor.records(count, size, "bindings")? {
        let record = record?;
        let word = |index: usize| record.u32(4 * index, "binding");
        let upper = word(3)?;
        psv.resources.push(Binding {
            binding: names::of(names::BINDING, word(0)?),
            space: word(1)?,
            lower: word(2)?,
            upper: (upper != u32::MAX).then_some(upper),
            kind: if size >= 24 { Some(names::of(names::RESOURCE, word(4)?)) } else { None },
            atomic64: size >= 24 && word(5)? & 1 != 0,
        });
    }
    Ok(())
}

fn element(record: &Bytes<'_>, strings: &Bytes<'_>, indices: &[u32]) -> Result<Element, Fault> {
    let byte = |at: usize| record.u8(at, "signature element").map(u32::from);
    let name = record.u32(0, "signature element")? as usize;
    let semantic =
        strings.text(name, MAX_NAME).ok_or_else(|| record.fault(0, format!("name at {name} is not terminated")))?;
    let (first, rows) = (record.u32(4, "signature element")? as usize, byte(8)? as usize);
    let own = first.checked_add(rows).and_then(|end| indices.get(first..end));
    let own = own.ok_or_else(|| {
        record.fault(4, format!("semantic indices {first}..{} of {}", first.saturating_add(rows), indices.len()))
    })?;
    let shape = byte(10)?;
    let dynamic = byte(14)?;
    Ok(Element {
        semantic,
        indices: own.to_vec(),
        // The list of this part ends before that of the metadata.
        kind: names::of(names::SEMANTIC.get(..31).unwrap_or_default(), byte(11)?),
        component_type: names::of(names::SIGNATURE_TYPE, byte(12)?),
        interpolation: names::of(names::INTERPOLATION, byte(13)?),
        start_row: if shape & 0x40 != 0 { Some(byte(9)?) } else { None },
        start_column: shape >> 4 & 3,
        columns: shape & 15,
        dynamic: names::mask(dynamic as u8 & 15),
        stream: dynamic >> 4 & 3,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// PSV0 of a sample whose runtime info has 56 bytes.
    fn part() -> Vec<u8> {
        let dxil = testing::file("preview_debugging.cs.dxil");
        let part = dxil.container.part(b"PSV0").expect("is there");
        let start = part.data_offset() as usize;
        dxil.file()[start..start + part.size as usize].to_vec()
    }

    /// The part with words after the known runtime info, and bytes after all of it.
    fn grown(words: &[u32], rest: &[u8]) -> Psv {
        let mut part = part();
        assert_eq!(part[..4], 56u32.to_le_bytes());
        let more: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        part[..4].copy_from_slice(&(56 + more.len() as u32).to_le_bytes());
        part.splice(60..60, more);
        part.extend(rest);
        read(Bytes::new(&part, 0, crate::findings::BAD_PSV), 5).expect("reads")
    }

    #[test]
    fn version_4_has_flags_in_later_compilers() {
        let old = grown(&[], &[]);
        assert_eq!((old.version, old.info_bytes, old.flags, old.unread_bytes), (4, 56, None, 0));
        let none = grown(&[0], &[]);
        assert_eq!((none.version, none.info_bytes, none.flags), (4, 60, Some(Vec::new())));
        let linalg = grown(&[1], &[8, 0, 0, 0, 1, 2, 3, 4]);
        assert_eq!((linalg.flags, linalg.unread_bytes), (Some(vec!["linalg".into()]), 8));
        let unknown = grown(&[6, 7], &[]);
        assert_eq!((unknown.flags, unknown.info_bytes), (Some(vec!["0x6".into()]), 64));
    }
}
