//! Objects with another mapping of user data: only that changes.

use std::collections::BTreeMap;

use lanescope_codeobject::{CodeObject, Holds, Layout, Refused, repack};

use crate::generate::elf::{Elf, packed};
use crate::generate::{CHIPS, Form, compute, kernel, pipelines};

fn entries(object: &CodeObject) -> Vec<Option<u64>> {
    let sgprs = object.pipelines[0].user_data.iter().flat_map(|data| &data.sgprs);
    sgprs.map(|sgpr| if let Holds::Entry { entry } = sgpr.holds { Some(entry) } else { None }).collect()
}

fn layout(entries: &[(u64, u64)]) -> Layout {
    Layout { entries: entries.iter().copied().collect(), hash: None }
}

#[test]
fn the_same_layout_gives_the_same_bytes() {
    let same: Vec<(u64, u64)> = (0..8).map(|entry| (entry, entry)).collect();
    for chip in CHIPS {
        for pipeline in pipelines(*chip) {
            for form in [Form::Words, Form::Named] {
                let bytes = pipeline.object(*chip, form).bytes();
                let repacked = repack("a.elf", &bytes, &layout(&same)).expect("nothing moves");
                assert!(repacked.bytes == bytes && repacked.moved == 0, "{} {} {form:?}", chip.1, pipeline.kind);
            }
        }
    }
}

#[test]
fn every_entry_moves_where_the_layout_says() {
    let mut random = fastrand::Rng::with_seed(3);
    for chip in CHIPS {
        for pipeline in pipelines(*chip) {
            for form in [Form::Words, Form::Named] {
                let name = format!("{} {} {form:?}", chip.1, pipeline.kind);
                let bytes = pipeline.object(*chip, form).bytes();
                let before = CodeObject::read(&name, &bytes).expect("is an object");
                let to = random.choose_multiple(0..160, 8);
                let moves: BTreeMap<u64, u64> = (0..8).zip(to).collect();
                let hash = Some([random.u64(..), random.u64(..)]);
                let wanted = Layout { entries: moves.clone(), hash };
                let repacked = repack(&name, &bytes, &wanted).unwrap_or_else(|why| panic!("{name}: {why}"));
                let expected: Vec<_> = entries(&before).iter().map(|entry| entry.map(|entry| moves[&entry])).collect();
                assert_eq!(entries(&repacked.object), expected, "{name}");
                let limit = expected.iter().flatten().max().map(|highest| highest + 1);
                assert_eq!(repacked.object.pipelines[0].user_data_limit, limit, "{name}");
                assert_eq!(repacked.object.pipelines[0].hash.map(|hash| hash.map(|word| word.0)), hash, "{name}");
                // Back again, with the old hash.
                let back = Layout {
                    entries: moves.iter().map(|(from, to)| (*to, *from)).collect(),
                    hash: before.pipelines[0].hash.map(|hash| hash.map(|word| word.0)),
                };
                let again = repack(&name, &repacked.bytes, &back).unwrap_or_else(|why| panic!("{name}: {why}"));
                assert_eq!(again.object.notes.len(), before.notes.len(), "{name}");
                let contents =
                    |object: &CodeObject| object.notes.iter().map(|note| note.content.clone()).collect::<Vec<_>>();
                let limit = |object: &CodeObject| object.pipelines[0].user_data_limit;
                if limit(&again.object) == limit(&before) {
                    assert_eq!(contents(&again.object), contents(&before), "{name}");
                }
            }
        }
    }
}

/// A note that grows over its padding moves what follows it, in whole steps of all alignments.
#[test]
fn a_longer_note_keeps_alignments_and_other_notes() {
    let mut elf = compute(CHIPS[3]).object(CHIPS[3], Form::Named);
    elf.notes.push(("GNU", 3, vec![1, 2, 3, 4, 5]));
    let bytes = elf.bytes();
    let repacked = repack("a.elf", &bytes, &layout(&[(0, 150), (1, 151), (2, 152)])).expect("moves");
    assert!(repacked.bytes.len() > bytes.len() && repacked.moved == 3);
    for section in repacked.object.sections.iter().filter(|section| section.align > 1) {
        assert_eq!(section.offset.0 % section.align, 0, "{section:?}");
    }
    assert_eq!(repacked.object.notes[2].content, CodeObject::read("a", &bytes).expect("reads").notes[2].content);
    assert_eq!(repacked.object.findings, []);
}

/// An object of a compute pipeline, after a change of its metadata.
fn with_metadata(change: impl Fn(&mut Vec<(rmpv::Value, rmpv::Value)>)) -> Elf {
    let pipeline = compute(CHIPS[3]);
    let mut root = pipeline.metadata(CHIPS[3].2, Form::Named);
    if let rmpv::Value::Map(entries) = &mut root {
        for (_, value) in entries.iter_mut().filter(|(key, _)| key.as_str() == Some("amdpal.pipelines")) {
            if let rmpv::Value::Array(all) = value
                && let Some(rmpv::Value::Map(entries)) = all.first_mut()
            {
                change(entries);
            }
        }
    }
    let mut elf = pipeline.object(CHIPS[3], Form::Named);
    elf.notes[1].2 = packed(&root);
    elf
}

fn set(entries: &mut [(rmpv::Value, rmpv::Value)], key: &str, to: u64) {
    entries.iter_mut().filter(|(own, _)| own.as_str() == Some(key)).for_each(|(_, value)| *value = to.into());
}

#[test]
fn spilled_entries_stay() {
    let bytes = with_metadata(|entries| set(entries, ".spill_threshold", 2)).bytes();
    let refused = |moves: &[(u64, u64)]| repack("a.elf", &bytes, &layout(moves)).expect_err("is refused");
    assert_eq!(refused(&[(0, 0), (1, 1), (2, 9)]), Refused::Spilled { entry: 2, threshold: 2 });
    assert_eq!(refused(&[(0, 0), (1, 1), (2, 2), (7, 8)]), Refused::Spilled { entry: 7, threshold: 2 });
    // Those before it may move, and the limit stays the end of the root.
    let repacked = repack("a.elf", &bytes, &layout(&[(0, 1), (1, 0), (2, 2)])).expect("moves");
    assert_eq!(repacked.object.pipelines[0].user_data_limit, Some(3));
}

#[test]
fn says_what_a_mapping_cannot_do() {
    let same = layout(&[(0, 0), (1, 1), (2, 2)]);
    let refused = |elf: &Elf| repack("a.elf", &elf.bytes(), &same).expect_err("is refused").to_string();
    let mut unlinked = compute(CHIPS[3]);
    unlinked.stages[0].user_data[3] = 0x8000_0001;
    let unlinked = refused(&unlinked.object(CHIPS[3], Form::Named));
    assert!(unlinked.contains("cs s3 holds table of set 1 (not linked): the object is not linked yet"), "{unlinked}");
    assert!(refused(&kernel(CHIPS[3])).contains("found 0 pipelines"));
    let mut elf = compute(CHIPS[3]).object(CHIPS[3], Form::Named);
    // The first key with its length in a byte of its own: legal, and not the shortest form.
    let data = &mut elf.notes[1].2;
    let at = data.iter().position(|byte| *byte == 0xb0).expect("a key of 16 bytes");
    data.splice(at..=at, [0xd9, 16]);
    assert!(refused(&elf).contains("not in its shortest form"));
    elf.notes[1].2.pop();
    assert!(refused(&elf).contains("the object is damaged"));
}
