//! Notes: MessagePack as a tree, older forms by their fields, all else as bytes.

use lanescope_base::Blob;
use lanescope_base::ids::{Hex, RegisterValue};
use lanescope_base::text_format::counted;
use lanescope_passes::findings::{OBJECT_DAMAGED, OBJECT_LIMIT, OBJECT_METADATA};
use object::LittleEndian as LE;
use object::elf::FileHeader64;
use object::read::elf::NoteIterator;
use schemars::JsonSchema;
use serde::Serialize;

use crate::elf::NoteBytes;
use crate::findings::Findings;
use crate::value::Value;

/// Bytes of one MessagePack map that are read.
const METADATA: usize = 2 << 20;

/// A note.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Note {
    /// Its index in the file.
    pub index: usize,
    /// The section or segment that it is in.
    pub section: String,
    /// The name: its owner.
    pub name: String,
    /// The type: a number of the owner's.
    #[serde(rename = "type")]
    pub kind: u32,
    /// The name of the type, where it is known: `NT_AMDGPU_METADATA`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind_name: Option<&'static str>,
    /// Where its data begins in the file.
    pub offset: Hex<1>,
    /// Bytes of its data.
    pub size: usize,
    /// The data.
    pub content: Content,
}

/// The data of a note.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum Content {
    /// MessagePack.
    Metadata {
        /// All of it.
        tree: Value,
    },
    /// A text: the name of an ISA, YAML.
    Text {
        /// The text.
        text: String,
    },
    /// PAL's oldest metadata: dword addresses of registers with their values.
    Pairs {
        /// Address and value.
        pairs: Vec<[RegisterValue; 2]>,
    },
    /// A structure of numbers and names.
    Fields {
        /// Its fields.
        fields: Vec<NoteField>,
    },
    /// Data of a form that is not known.
    Bytes {
        /// The bytes.
        bytes: Blob,
    },
}

/// A field of a note's structure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteField {
    /// Its name, as llvm-readelf writes it.
    pub name: &'static str,
    /// Its value.
    pub value: String,
}

impl Note {
    /// The note in words: `note 0`.
    pub fn place(&self) -> String {
        format!("note {}", self.index)
    }
}

/// Reads the notes of all sections.
pub(crate) fn read(all: &[NoteBytes<'_>], file: &[u8], findings: &mut Findings<'_>) -> Vec<Note> {
    let mut out = Vec::new();
    for from in all {
        let mut notes = match NoteIterator::<FileHeader64<LE>>::new(LE, from.align, from.bytes) {
            Ok(notes) => notes,
            Err(why) => {
                findings.add(OBJECT_DAMAGED, &from.place, format!("alignment {}: {why}", from.align));
                continue;
            }
        };
        loop {
            let note = match notes.next() {
                Ok(Some(note)) => note,
                Ok(None) => break,
                Err(why) => {
                    let message = format!("note {} cannot be read: {why}", out.len());
                    findings.add(OBJECT_DAMAGED, &from.place, message);
                    break;
                }
            };
            let data = note.desc();
            let offset = (data.as_ptr() as usize).saturating_sub(file.as_ptr() as usize);
            let name = String::from_utf8_lossy(note.name()).into_owned();
            let kind = note.n_type(LE).0;
            let mut read = Note {
                index: out.len(),
                section: from.place.clone(),
                kind_name: kind_name(&name, kind),
                name,
                kind,
                offset: Hex(if data.is_empty() { 0 } else { offset as u64 }),
                size: data.len(),
                content: Content::Bytes { bytes: Blob(Vec::new()) },
            };
            let content = content(&read, data, findings);
            read.content = content.unwrap_or_else(|| Content::Bytes { bytes: Blob(data.to_vec()) });
            out.push(read);
        }
    }
    out
}

fn kind_name(name: &str, kind: u32) -> Option<&'static str> {
    Some(match (name, kind) {
        ("AMD", 1) => "NT_AMD_HSA_CODE_OBJECT_VERSION",
        ("AMD", 2) => "NT_AMD_HSA_HSAIL",
        ("AMD", 3) => "NT_AMD_HSA_ISA_VERSION",
        ("AMD", 10) => "NT_AMD_HSA_METADATA",
        ("AMD", 11) => "NT_AMD_HSA_ISA_NAME",
        ("AMD", 12) => "NT_AMD_PAL_METADATA",
        ("AMDGPU", 32) => "NT_AMDGPU_METADATA",
        _ => return None,
    })
}

/// The data of a note, where its form is known and it has it.
fn content(note: &Note, data: &[u8], findings: &mut Findings<'_>) -> Option<Content> {
    let text = || Some(String::from_utf8(data.to_vec()).ok()?.trim_end_matches('\0').to_owned());
    match (note.name.as_str(), note.kind) {
        ("AMD", 1) => fields(data, &[("Major", 4), ("Minor", 4)]),
        ("AMD", 2) => fields(
            data,
            &[("HSAIL Major", 4), ("HSAIL Minor", 4), ("Profile", 1), ("Machine Model", 1), ("Default Float Round", 1)],
        ),
        ("AMD", 3) => isa_version(data),
        ("AMD", 10 | 11) => text().map(|text| Content::Text { text }),
        ("AMD", 12) => pairs(data),
        ("AMDGPU", 32) => metadata(note, data, findings),
        _ => None,
    }
}

/// Numbers of so many bytes, one after another.
fn fields(data: &[u8], form: &[(&'static str, usize)]) -> Option<Content> {
    let mut rest = data;
    let mut fields = Vec::new();
    for (name, size) in form {
        let (number, after) = rest.split_at_checked(*size)?;
        rest = after;
        let value = number.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
        fields.push(NoteField { name, value: value.to_string() });
    }
    // Padding to a multiple of 4.
    rest.iter().all(|byte| *byte == 0).then_some(Content::Fields { fields })
}

/// Vendor and architecture with their sizes, and three numbers.
fn isa_version(data: &[u8]) -> Option<Content> {
    let (head, names) = data.split_at_checked(16)?;
    let half = |at: usize| head.get(at..at + 2).map(|two| usize::from(two[0]) | usize::from(two[1]) << 8);
    let word = |at: usize| Some(u32::from_le_bytes(*head.get(at..)?.first_chunk()?));
    let (vendor, rest) = names.split_at_checked(half(0)?)?;
    let (arch, rest) = rest.split_at_checked(half(2)?)?;
    if rest.iter().any(|byte| *byte != 0) {
        return None;
    }
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned();
    let mut fields =
        vec![NoteField { name: "Vendor", value: name(vendor) }, NoteField { name: "Architecture", value: name(arch) }];
    for (name, at) in [("Major", 4), ("Minor", 8), ("Stepping", 12)] {
        fields.push(NoteField { name, value: word(at)?.to_string() });
    }
    Some(Content::Fields { fields })
}

fn pairs(data: &[u8]) -> Option<Content> {
    let (pairs, rest) = data.as_chunks::<8>();
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    let pair = |pair: &[u8; 8]| [Hex(word(&pair[..4])), Hex(word(&pair[4..]))];
    rest.is_empty().then(|| Content::Pairs { pairs: pairs.iter().map(pair).collect() })
}

fn metadata(note: &Note, data: &[u8], findings: &mut Findings<'_>) -> Option<Content> {
    let place = note.place();
    if data.len() > METADATA {
        let message = format!("metadata of {} bytes is not decoded; the limit is {METADATA}", data.len());
        findings.add(OBJECT_LIMIT, &place, message);
        return None;
    }
    match Value::read(data) {
        Err(why) => {
            findings.add(OBJECT_METADATA, &place, why.to_string());
            None
        }
        Ok((tree, used)) => {
            if used < data.len() {
                let message =
                    format!("{} after the map, which ends at byte {used:#x}", counted(data.len() - used, "byte"));
                findings.add(OBJECT_METADATA, &place, message);
            }
            if !matches!(tree, Value::Map(_)) {
                findings.add(OBJECT_METADATA, &place, format!("expected a map, found {}", short(&tree)));
            }
            doubled(&tree, &place, findings);
            Some(Content::Metadata { tree })
        }
    }
}

/// A value for a message: its beginning.
pub(crate) fn short(value: &Value) -> String {
    const LONGEST: usize = 60;
    if value.is_nested() {
        return if matches!(value, Value::Map(_)) { "a map" } else { "an array" }.to_owned();
    }
    let text = value.flow();
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

/// Notes keys that a map has twice.
fn doubled(value: &Value, place: &str, findings: &mut Findings<'_>) {
    let mut keys: Vec<String> = value.entries().iter().map(|(key, _)| key.key().into_owned()).collect();
    keys.sort_unstable();
    for pair in keys.windows(2).filter(|pair| pair[0] == pair[1]) {
        let key = short(&Value::Text(pair[0].clone()));
        findings.add(OBJECT_METADATA, place, format!("key {key} occurs twice in a map; the first value is decoded"));
    }
    value.entries().iter().for_each(|(_, value)| doubled(value, place, findings));
    value.items().iter().for_each(|value| doubled(value, place, findings));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_one_map() {
        let messages = |data: &[u8]| {
            let content = Content::Bytes { bytes: Blob(Vec::new()) };
            let (name, section) = ("AMDGPU".to_owned(), ".note".to_owned());
            let note = Note { index: 0, section, name, kind: 32, kind_name: None, offset: Hex(0), size: 0, content };
            let mut findings = Findings::of("a.elf");
            metadata(&note, data, &mut findings);
            let all = findings.done();
            assert!(all.iter().all(|finding| finding.code == "object.metadata"));
            all.into_iter().map(|finding| finding.message).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(messages(b"\x80"), "");
        assert_eq!(messages(b"\x80\x07"), "1 byte after the map, which ends at byte 0x1");
        assert_eq!(messages(b"\x07"), "expected a map, found 7");
        assert_eq!(messages(b"\x82\xa1a\x01\xa1a\x02"), "key a occurs twice in a map; the first value is decoded");
        assert_eq!(messages(b"\x81\xa1a"), "byte 0x3: expected the rest of a MessagePack value, found the end");
    }

    #[test]
    fn decodes_the_older_notes() {
        let named = |content: Option<Content>| match content {
            Some(Content::Fields { fields }) => {
                fields.iter().map(|field| format!("{} {}", field.name, field.value)).collect::<Vec<_>>().join(", ")
            }
            _ => "none".to_owned(),
        };
        let isa = b"\x04\0\x07\0\x0a\0\0\0\x03\0\0\0\0\0\0\0AMD\0AMDGPU\0";
        assert_eq!(named(isa_version(isa)), "Vendor AMD, Architecture AMDGPU, Major 10, Minor 3, Stepping 0");
        assert_eq!(named(isa_version(&isa[..20])), "none");
        assert_eq!(named(fields(b"\x02\0\0\0\x01\0\0\0", &[("Major", 4), ("Minor", 4)])), "Major 2, Minor 1");
        let Some(Content::Pairs { pairs }) = pairs(b"\x0a\x2c\0\0\0\0\x2c\0") else { panic!("is a pair") };
        assert_eq!(pairs[0].map(|word| word.0), [0x2c0a, 0x2c_0000]);
        assert_eq!(super::pairs(b"\x0a\x2c\0\0\0"), None);
    }
}
