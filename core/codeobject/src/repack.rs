//! Another mapping of user data in the metadata of an object: the code, which names SGPRs only, stays as it is.
//!
//! Everything else stays too: other keys, their order, other notes, sections and symbols. The result is read back and
//! compared with the object.

use std::collections::BTreeMap;

use lanescope_passes::findings::Severity;

use crate::compare::{Part, compare};
use crate::elf::NotAnObject;
use crate::metadata::{HardwareStage, NO_SPILL};
use crate::user_data::{self, Holds};
use crate::{CodeObject, Content, Note};

/// Dwords of user data that PAL has.
const ENTRIES: u64 = 160;
/// Bytes of an ELF section header.
const SECTION_HEADER: usize = 64;
/// Offset of `e_shoff` in the ELF header.
const SECTION_TABLE: usize = 0x28;
/// Offset of `e_phnum`.
const SEGMENTS: usize = 0x38;

/// Another place for each entry of user data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// The new entry of each entry that the object maps.
    pub entries: BTreeMap<u64, u64>,
    /// The new `.internal_pipeline_hash`: stable and unique.
    pub hash: Option<[u64; 2]>,
}

/// An object with another mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct Repacked {
    /// The file.
    pub bytes: Vec<u8>,
    /// The object, read back.
    pub object: CodeObject,
    /// SGPRs that hold another entry.
    pub moved: usize,
}

/// Why an object cannot be repacked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It cannot be read.
    #[error("{0}")]
    NotAnObject(#[from] NotAnObject),
    /// A part of it is damaged.
    #[error("the object is damaged: {0}")]
    Damaged(String),
    /// It has no mapping, or more than one pipeline.
    #[error("expected one pipeline of PAL metadata with a mapping of user data, found {0}")]
    NoMapping(String),
    /// It is not linked yet.
    #[error("{stage} s{sgpr} holds {holds}: the object is not linked yet, and its code is patched when it is linked")]
    Unlinked {
        /// The hardware stage.
        stage: HardwareStage,
        /// The user SGPR.
        sgpr: usize,
        /// What it holds.
        holds: String,
    },
    /// The layout does not have an entry.
    #[error("{stage} s{sgpr} holds entry {entry}, which the layout does not have")]
    NotInLayout {
        /// The hardware stage.
        stage: HardwareStage,
        /// The user SGPR.
        sgpr: usize,
        /// The entry.
        entry: u64,
    },
    /// Two entries would be in one place.
    #[error("entries {first} and {second} would both be entry {to}")]
    Doubled {
        /// An entry.
        first: u64,
        /// Another one.
        second: u64,
        /// Where both would be.
        to: u64,
    },
    /// A new place is not one that PAL has.
    #[error("entry {from} would be entry {to}; PAL has {ENTRIES} entries")]
    TooLarge {
        /// The entry.
        from: u64,
        /// Its new place.
        to: u64,
    },
    /// The entry may be read from the spill table, at an offset that is in the code.
    #[error(
        "entry {entry} would move; from entry {threshold} on (.spill_threshold) the code reads the spill table, at offsets \
         that are in its instructions"
    )]
    Spilled {
        /// The entry.
        entry: u64,
        /// The first entry in the spill table.
        threshold: u64,
    },
    /// The metadata is not written as LLVM does.
    #[error(
        "the MessagePack of note {note} is not in its shortest form: it cannot be written again without other changes"
    )]
    NotShortest {
        /// The note.
        note: usize,
    },
    /// The note's size changes, and segments have addresses.
    #[error("the note would need another size, and the file has program headers")]
    Segments,
    /// What was written is not what was meant.
    #[error("internal error: the written object differs in {0}; please report it")]
    Differs(String),
}

/// Moves the entries of user data of an object. `name` is what findings call the file.
///
/// # Errors
/// What a mapping alone cannot do.
pub fn repack(name: &str, bytes: &[u8], layout: &Layout) -> Result<Repacked, Refused> {
    let object = CodeObject::read(name, bytes)?;
    if let Some(found) = object.findings.iter().find(|finding| finding.severity == Severity::Error) {
        return Err(Refused::Damaged(found.message.clone()));
    }
    check(&object, layout)?;
    let of_pipelines = |note: &&Note| match &note.content {
        Content::Metadata { tree } => tree.get("amdpal.pipelines").is_some(),
        _ => false,
    };
    let note = object.notes.iter().find(of_pipelines).ok_or_else(|| Refused::NoMapping("no metadata".to_owned()))?;
    let from = usize::try_from(note.offset.0).unwrap_or(usize::MAX);
    let data = bytes.get(from..).and_then(|rest| rest.get(..note.size)).unwrap_or_default();
    let (data, moved) = changed(note, data, &object, layout)?;
    let bytes = with_data(bytes, &object, note, &data)?;
    let object = same_but_for_user_data(name, &object, &bytes)?;
    Ok(Repacked { bytes, object, moved })
}

/// Checks that a mapping can do it.
fn check(object: &CodeObject, layout: &Layout) -> Result<(), Refused> {
    let [pipeline] = object.pipelines.as_slice() else {
        return Err(Refused::NoMapping(format!("{} pipelines", object.pipelines.len())));
    };
    if pipeline.user_data.is_empty() {
        return Err(Refused::NoMapping("none".to_owned()));
    }
    for data in &pipeline.user_data {
        for sgpr in &data.sgprs {
            let (stage, number) = (data.stage, sgpr.sgpr);
            match sgpr.holds {
                Holds::Entry { entry } if !layout.entries.contains_key(&entry) => {
                    return Err(Refused::NotInLayout { stage, sgpr: number, entry });
                }
                Holds::UnlinkedSet { .. } | Holds::UnlinkedPushConstant { .. } => {
                    return Err(Refused::Unlinked { stage, sgpr: number, holds: sgpr.holds.text() });
                }
                _ => {}
            }
        }
    }
    let mut taken: BTreeMap<u64, u64> = BTreeMap::new();
    for (from, to) in &layout.entries {
        if *from >= ENTRIES || *to >= ENTRIES {
            return Err(Refused::TooLarge { from: *from, to: *to });
        }
        if let Some(first) = taken.insert(*to, *from) {
            return Err(Refused::Doubled { first, second: *from, to: *to });
        }
        if let Some(threshold) = pipeline.spill_threshold.filter(|threshold| from != to && from >= threshold) {
            return Err(Refused::Spilled { entry: *from, threshold });
        }
    }
    Ok(())
}

/// The MessagePack of a note with the new mapping, and how many SGPRs hold another entry.
fn changed(note: &Note, data: &[u8], object: &CodeObject, layout: &Layout) -> Result<(Vec<u8>, usize), Refused> {
    let malformed = || Refused::Damaged("its metadata cannot be read".to_owned());
    let mut root = rmpv::decode::read_value(&mut &*data).map_err(|_| malformed())?;
    // Integers, texts and lengths that are not in their shortest form would become so.
    if written(&root).as_deref() != Some(data) {
        return Err(Refused::NotShortest { note: note.index });
    }
    let pipeline = value_of(&mut root, "amdpal.pipelines").and_then(|all| match all {
        rmpv::Value::Array(all) => all.first_mut(),
        _ => None,
    });
    let pipeline = pipeline.ok_or_else(malformed)?;
    let mut moved = 0;
    let mut highest = None;
    let mut take = |value: &mut rmpv::Value| {
        let Some(new) = value.as_u64().and_then(|entry| layout.entries.get(&entry).map(|new| (entry, *new))) else {
            return;
        };
        moved += usize::from(new.0 != new.1);
        highest = highest.max(Some(new.1));
        *value = new.1.into();
    };
    let mut has_maps = false;
    for (_, stage) in entries_of(value_of(pipeline, ".hardware_stages")) {
        if let Some(rmpv::Value::Array(map)) = value_of(stage, ".user_data_reg_map") {
            has_maps = true;
            map.iter_mut().for_each(&mut take);
        }
    }
    if !has_maps {
        let chip = object.header.chip.as_deref();
        for (address, value) in entries_of(value_of(pipeline, ".registers")) {
            if address.as_u64().is_some_and(|address| user_data::register(chip, address).is_some()) {
                take(value);
            }
        }
    }
    let is_spilled =
        value_of(pipeline, ".spill_threshold").and_then(|own| own.as_u64()).is_some_and(|own| own != NO_SPILL);
    if let Some(limit) = value_of(pipeline, ".user_data_limit").filter(|_| moved > 0) {
        // Where something is spilled, the limit is the end of the whole root.
        let old = limit.as_u64().filter(|_| is_spilled).unwrap_or(1);
        *limit = old.max(highest.map_or(1, |highest| highest + 1)).into();
    }
    if let (Some(hash), Some(own)) = (layout.hash, value_of(pipeline, ".internal_pipeline_hash")) {
        *own = rmpv::Value::Array(hash.map(rmpv::Value::from).to_vec());
    }
    Ok((written(&root).ok_or_else(malformed)?, moved))
}

fn written(value: &rmpv::Value) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    rmpv::encode::write_value(&mut out, value).ok()?;
    Some(out)
}

fn value_of<'v>(map: &'v mut rmpv::Value, key: &str) -> Option<&'v mut rmpv::Value> {
    entries_of(Some(map)).find(|(own, _)| own.as_str() == Some(key)).map(|(_, value)| value)
}

fn entries_of(map: Option<&mut rmpv::Value>) -> impl Iterator<Item = (&rmpv::Value, &mut rmpv::Value)> {
    let entries = if let Some(rmpv::Value::Map(entries)) = map { entries.as_mut_slice() } else { &mut [] };
    entries.iter_mut().map(|(key, value)| (&*key, value))
}

/// The file with other data of a note. Where the note needs more bytes, what follows it moves by a multiple of all
/// alignments.
fn with_data(bytes: &[u8], object: &CodeObject, note: &Note, data: &[u8]) -> Result<Vec<u8>, Refused> {
    let damaged = || Refused::Damaged("its note is not in a section".to_owned());
    let from = usize::try_from(note.offset.0).map_err(|_| damaged())?;
    let section = object.sections.iter().find(|section| {
        let begin = section.offset.0;
        section.kind == "NOTE" && (begin..begin.saturating_add(section.size)).contains(&note.offset.0)
    });
    let section = section.ok_or_else(damaged)?;
    let align = usize::try_from(section.align.max(4)).map_err(|_| damaged())?;
    let end = usize::try_from(section.offset.0.saturating_add(section.size)).map_err(|_| damaged())?;
    let padded = |size: usize| size.next_multiple_of(align);
    // The last note of a section may lack its padding.
    let old_end = (from + padded(note.size)).min(end);
    let after = bytes.get(old_end..end).ok_or_else(damaged)?;
    let mut contents = data.to_vec();
    contents.resize(if old_end == from + padded(note.size) { padded(data.len()) } else { data.len() }, 0);
    contents.extend(after);
    let mut out = bytes.to_vec();
    // The size is the second word of the header, before the name and its padding.
    let name = note_name_bytes(note, align);
    let size_at = from.checked_sub(name + 8).ok_or_else(damaged)?;
    let size = |size: usize| Some(u32::try_from(size).ok()?.to_le_bytes());
    let place = out
        .get_mut(size_at..size_at + 4)
        .filter(|place| Some(&**place) == size(note.size).as_ref().map(|own| &own[..]));
    place.ok_or_else(damaged)?.copy_from_slice(&size(data.len()).ok_or_else(damaged)?);
    let (old, new) = (end - from, contents.len());
    if old != new {
        if bytes.get(SEGMENTS..SEGMENTS + 2) != Some(&[0, 0]) {
            return Err(Refused::Segments);
        }
        let alignments = object.sections.iter().map(|section| section.align).max().unwrap_or(1).max(8);
        let step = usize::try_from(alignments).map_err(|_| damaged())?;
        // A smaller note leaves a gap.
        let shift = new.saturating_sub(old).next_multiple_of(step);
        let mut moved = contents;
        moved.resize(old.max(new).max(old + shift), 0);
        out.splice(from..end, moved);
        move_sections(&mut out, section.index, end as u64, shift as u64, new as i64 - old as i64)
            .ok_or_else(damaged)?;
    } else {
        out.splice(from..end, contents);
    }
    Ok(out)
}

/// Bytes of a note's name with its padding and a terminating zero.
fn note_name_bytes(note: &Note, align: usize) -> usize {
    // The header has 12 bytes; data is aligned from its begin.
    (12 + note.name.len() + 1).next_multiple_of(align) - 12
}

/// Moves the section headers and what they name, from an offset on; changes the size of one section.
fn move_sections(out: &mut [u8], index: usize, from: u64, shift: u64, grown: i64) -> Option<()> {
    let word = |out: &[u8], at: usize| Some(u64::from_le_bytes(*out.get(at..)?.first_chunk()?));
    let put = |out: &mut [u8], at: usize, value: u64| {
        out.get_mut(at..at + 8).map(|bytes| bytes.copy_from_slice(&value.to_le_bytes()))
    };
    let mut table = word(out, SECTION_TABLE)?;
    if table >= from {
        table = table.checked_add(shift)?;
        put(out, SECTION_TABLE, table)?;
    }
    let table = usize::try_from(table).ok()?;
    let count = usize::from(*out.get(0x3c)?) | usize::from(*out.get(0x3d)?) << 8;
    for at in 0..count {
        let header = table.checked_add(at * SECTION_HEADER)?;
        let offset = word(out, header + 0x18)?;
        if offset >= from {
            put(out, header + 0x18, offset.checked_add(shift)?)?;
        }
        if at == index {
            let size = word(out, header + 0x20)?;
            put(out, header + 0x20, size.checked_add_signed(grown)?)?;
        }
    }
    Some(())
}

/// The written object, read back: nothing differs but user data, their limit and the pipeline's hash.
fn same_but_for_user_data(name: &str, before: &CodeObject, bytes: &[u8]) -> Result<CodeObject, Refused> {
    let after = CodeObject::read(name, bytes)?;
    if let Some(found) = after.findings.iter().find(|finding| finding.severity == Severity::Error) {
        return Err(Refused::Differs(found.message.clone()));
    }
    for section in compare(before, &after).sections {
        let may_differ = |row: &crate::Difference| match section.name {
            Part::UserData => true,
            Part::Pipeline => row.name == ".user_data_limit" || row.name.starts_with(".internal_pipeline_hash"),
            _ => false,
        };
        if let Some(row) = section.rows.iter().find(|row| !row.is_equal() && !may_differ(row)) {
            return Err(Refused::Differs(row.name.clone()));
        }
    }
    let contents = |object: &CodeObject| {
        let is_content = |section: &&crate::Section| section.kind != "NOTE";
        let content = |section: &crate::Section| (section.name.clone(), section.size, section.hash);
        object.sections.iter().filter(is_content).map(content).collect::<Vec<_>>()
    };
    if contents(before) != contents(&after) || before.symbols != after.symbols {
        return Err(Refused::Differs("sections or symbols".to_owned()));
    }
    Ok(after)
}
