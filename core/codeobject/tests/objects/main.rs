//! Generated objects: what is written is read, both forms of metadata say the same, and damaged files do no harm.

mod generate;
mod llvm;
mod predicted;
mod repack;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use generate::elf::packed;
use generate::{CHIPS, Form, Pipeline, Stage, all, pipelines};
use lanescope_codeobject::{
    Abi, CodeObject, Content, HardwareStage, Holds, Part, Value, compare, comparison_table, pipeline_table,
    registers_table, sections_table, semantics_table, shaders_table, stages_table, symbols_table, user_data_table,
};

fn read(name: &str, bytes: &[u8]) -> CodeObject {
    CodeObject::read(name, bytes).unwrap_or_else(|why| panic!("{name}: {why}"))
}

fn tables(object: &CodeObject) -> usize {
    let mut rows = sections_table(object).rows.len() + symbols_table(object).rows.len();
    rows += registers_table(&object.registers).rows.len();
    for pipeline in &object.pipelines {
        let all = [pipeline_table, shaders_table, stages_table, user_data_table, semantics_table];
        rows += all.iter().map(|table| table(pipeline).rows.len()).sum::<usize>();
    }
    rows
}

#[test]
fn reads_every_stage_ip_form_and_abi() {
    let objects = all();
    assert!(objects.len() >= 40, "{} objects", objects.len());
    let mut stages = Vec::new();
    let mut abis = Vec::new();
    for (name, elf) in &objects {
        let object = read(name, &elf.bytes());
        assert_eq!(object.findings, [], "{name}");
        assert_eq!(object.header.chip.as_deref(), name.split(' ').next(), "{name}");
        assert_eq!(object.symbols.len(), elf.code.len(), "{name}");
        assert_eq!(object.notes.len(), elf.notes.len(), "{name}");
        assert!(tables(&object) > 0, "{name}");
        abis.extend(object.header.abi);
        stages.extend(object.symbols.iter().filter_map(|symbol| symbol.stage));
        assert_eq!(compare(&object, &object).sections.iter().filter(|section| !section.equal).count(), 0, "{name}");
    }
    assert!(HardwareStage::ALL.iter().all(|stage| stages.contains(stage)), "{stages:?}");
    assert!(Abi::ALL.iter().all(|abi| abis.contains(abi)));
}

#[test]
fn user_data_is_read_from_both_forms() {
    for chip in CHIPS {
        for pipeline in pipelines(*chip) {
            for form in [Form::Words, Form::Named] {
                let name = format!("{} {} {form:?}", chip.1, pipeline.kind);
                let object = read(&name, &pipeline.object(*chip, form).bytes());
                let found = &object.pipelines[0].user_data;
                assert_eq!(found.len(), pipeline.stages.len(), "{name}");
                for Stage { name: stage, user_data, .. } in &pipeline.stages {
                    let of_stage = found.iter().find(|data| data.stage.name() == *stage).expect("the stage is found");
                    let mut values = vec![u64::from(u32::MAX); user_data.len()];
                    of_stage.sgprs.iter().for_each(|sgpr| values[sgpr.sgpr] = sgpr.value.0);
                    let written: Vec<u64> = user_data.iter().copied().map(u64::from).collect();
                    assert_eq!(values, written, "{name} {stage}");
                }
            }
        }
    }
}

#[test]
fn both_forms_have_equal_registers() {
    for chip in CHIPS.iter().filter(|chip| chip.2.is_some()) {
        for pipeline in pipelines(*chip) {
            let known = Pipeline { unknown: None, ..pipeline };
            let [words, named] =
                [Form::Words, Form::Named].map(|form| read(known.kind, &known.object(*chip, form).bytes()));
            let comparison = compare(&words, &named);
            let differing = |part: Part| {
                let section = comparison.sections.iter().find(|section| section.name == part).expect("is a part");
                section.rows.iter().filter(|row| !row.is_equal()).map(|row| row.name.clone()).collect::<Vec<_>>()
            };
            assert_eq!(differing(Part::Registers), Vec::<String>::new(), "{} {}", chip.1, known.kind);
            assert_eq!(differing(Part::UserData), Vec::<String>::new(), "{} {}", chip.1, known.kind);
        }
    }
}

#[test]
fn registers_without_a_table_have_no_name() {
    for chip in CHIPS {
        for pipeline in pipelines(*chip) {
            let object = read(chip.1, &pipeline.object(*chip, Form::Words).bytes());
            let (address, word) = pipeline.unknown.expect("one is generated");
            let found = object.registers.iter().find(|own| own.address.is_some_and(|own| own.0 == u64::from(address)));
            let found = found.expect("is kept");
            assert_eq!((found.name.as_str(), found.value.map(|value| value.0)), ("", Some(u64::from(word))));
            assert_eq!(found.shown(), format!("{address:#06x}"));
        }
    }
}

#[test]
fn keeps_keys_that_are_not_known() {
    let pipeline = generate::compute(CHIPS[3]);
    let mut root = pipeline.metadata(CHIPS[3].2, Form::Named);
    let rmpv::Value::Map(entries) = &mut root else { panic!("is a map") };
    entries.push(("vendor.extra".into(), 7.into()));
    for (_, value) in entries.iter_mut().filter(|(key, _)| key.as_str() == Some("amdpal.pipelines")) {
        let rmpv::Value::Array(all) = value else { panic!("is an array") };
        let rmpv::Value::Map(entries) = &mut all[0] else { panic!("is a map") };
        entries.push((".new_key".into(), "value of a new key".into()));
        entries.push((".graphics_registers".into(), rmpv::Value::Map(vec![(".new_register".into(), 9.into())])));
    }
    let mut elf = pipeline.object(CHIPS[3], Form::Named);
    elf.notes[1].2 = packed(&root);
    let object = read("new", &elf.bytes());
    assert_eq!(object.pipelines[0].values.get(".new_key").and_then(Value::text), Some("value of a new key"));
    assert!(object.registers.iter().any(|register| register.name == ".new_register"));
    let Content::Metadata { tree } = &object.notes[1].content else { panic!("is metadata") };
    assert_eq!(tree.get("vendor.extra"), Some(&Value::Uint(7)));
    // Each value of the tree is in its lines.
    let lines: String = tree.lines(98).into_iter().map(|(_, line)| line + "\n").collect();
    tree.leaves("", &mut |path, value| assert!(lines.contains(&value.flow()), "{path}"));
}

#[test]
fn semantics_of_unlinked_objects_are_read() {
    let library =
        pipelines(CHIPS[4]).into_iter().find(|pipeline| !pipeline.semantics.is_empty()).expect("is generated");
    let object = read("library", &library.object(CHIPS[4], Form::Named).bytes());
    let pipeline = &object.pipelines[0];
    let pairs =
        |all: &[lanescope_codeobject::Semantic]| all.iter().map(|own| (own.semantic, own.index)).collect::<Vec<_>>();
    assert_eq!((pairs(&pipeline.outputs), pairs(&pipeline.inputs)), (vec![(3, 0), (7, 1)], vec![(3, 0), (7, 1)]));
}

#[test]
fn mappings_that_pal_refuses_are_findings() {
    let of = |values: &[u32], limit: u32| {
        let mut pipeline = generate::compute(CHIPS[3]);
        pipeline.stages[0].user_data = values.to_vec();
        pipeline.limit = limit;
        let object = read("a.elf", &pipeline.object(CHIPS[3], Form::Named).bytes());
        object.findings.iter().map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    let table = 0x1000_0000;
    assert_eq!(of(&[table, 0, 1], 2), Vec::<String>::new());
    assert_eq!(of(&[0, 1], 2), ["s0 holds entry 0; PAL expects GlobalTable"]);
    assert_eq!(of(&[table, 3], 2), ["s1 holds entry 3; .user_data_limit is 2"]);
    assert_eq!(of(&[table, 200], 201), ["s1 holds entry 200; PAL has 160 entries"]);
    assert_eq!(of(&[table, 0x1000_0003, 0], 1), ["s1 holds BaseVertex; expected BaseInstance in s2, found entry 0"]);
    assert_eq!(of(&[table, 5, 1], 6), ["s1 holds entry 5, and s2 entry 1"]);
}

/// Each rule, by an object that breaks it.
#[test]
fn findings_have_codes() {
    let codes = |elf: &generate::elf::Elf, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = elf.bytes();
        change(&mut bytes);
        let object = read("a.elf", &bytes);
        let codes: std::collections::BTreeSet<String> = object.findings.iter().map(|own| own.code.clone()).collect();
        codes.into_iter().collect::<Vec<_>>().join(" ")
    };
    let elf = |change: &dyn Fn(&mut Pipeline)| {
        let mut pipeline = generate::compute(CHIPS[3]);
        change(&mut pipeline);
        pipeline.object(CHIPS[3], Form::Named)
    };
    let plain = elf(&|_| {});
    assert_eq!(codes(&plain, &|_| {}), "");
    assert_eq!(codes(&plain, &|bytes| bytes.truncate(700)), "object.damaged");
    let mut long = plain.clone();
    long.code[0].0 = "x".repeat(2000);
    assert_eq!(codes(&long, &|_| {}), "object.limit");
    let mut more = plain.clone();
    more.notes[1].2.push(7);
    assert_eq!(codes(&more, &|_| {}), "object.metadata");
    let mut twice = plain.clone();
    twice.notes[1].2 = b"\x82\xa1a\x01\xa1a\x02".to_vec();
    assert_eq!(codes(&twice, &|_| {}), "object.metadata");
    assert_eq!(codes(&elf(&|own| own.stages[0].user_data[0] = 0x1000_0002), &|_| {}), "object.user-data");
    assert_eq!(codes(&elf(&|own| own.stages[0].user_data.swap(3, 4)), &|_| {}), "object.user-data-order");
    let mut odd = plain.clone();
    odd.notes[1].2 = b"\x81\xb0amdpal.pipelines\x07".to_vec();
    assert_eq!(codes(&odd, &|_| {}), "object.value");
}

#[test]
fn older_notes_and_config_are_read() {
    let mut elf = generate::mesa(CHIPS[3]);
    elf.notes.push(("AMD", 12, vec![0x0a, 0x2c, 0, 0, 0, 0, 0x2c, 0]));
    elf.notes.push(("AMD", 10, b"Version: [ 1, 0 ]\n".to_vec()));
    elf.notes.push(("GNU", 3, vec![1, 2, 3, 4, 5]));
    let object = read("mesa", &elf.bytes());
    let names: Vec<String> = object.registers.iter().map(|register| register.shown()).collect();
    assert_eq!(names, ["SPI_SHADER_PGM_RSRC1_PS", "COMPUTE_PGM_RSRC1", "COMPUTE_PGM_RSRC2", "0x0002"]);
    let forms: Vec<String> = object.notes.iter().map(|note| format!("{:?}", note.content)).collect();
    assert!(forms[2].contains("Version: [ 1, 0 ]") && forms[3].contains("[1, 2, 3, 4, 5]"), "{forms:?}");
    assert_eq!(object.findings, []);
}

/// What of an object's samples is unlike a plain file: cut, changed, with a field of a header replaced.
fn damaged(bytes: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..random.usize(1..6) {
        match random.u8(0..5) {
            0 => out.truncate(random.usize(0..=out.len())),
            1 if !out.is_empty() => {
                let at = random.usize(0..out.len());
                out[at] = random.u8(..);
            }
            // A word of the header or of a table, as large as can be.
            2 if out.len() >= 8 => {
                let at = random.usize(0..out.len() / 8) * 8;
                out[at..at + 8].copy_from_slice(&[random.u8(..), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff][..]);
            }
            // A byte of MessagePack that says a length.
            3 if !out.is_empty() => {
                let at = random.usize(0..out.len());
                out[at] = random.choice([0xdf, 0xdd, 0xc6, 0xdb, 0x8f, 0x9f, 0xc1]).unwrap_or_default();
            }
            _ if out.len() > 16 => {
                let (from, to) = (random.usize(0..out.len() - 16), random.usize(0..out.len() - 16));
                out.copy_within(from..from + 16, to);
            }
            _ => {}
        }
    }
    out
}

#[test]
fn a_thousand_damaged_objects_do_no_harm() {
    let objects: Vec<Vec<u8>> = all().iter().map(|(_, elf)| elf.bytes()).collect();
    let whole = read("whole", &objects[3]);
    let mut random = fastrand::Rng::with_seed(7);
    let mut opened = 0;
    let start = Instant::now();
    for at in 0..1000 {
        let bytes = damaged(&objects[at % objects.len()], &mut random);
        let Ok(object) = CodeObject::read("damaged", &bytes) else { continue };
        opened += 1;
        tables(&object);
        let comparison = compare(&whole, &object);
        comparison.sections.iter().for_each(|section| drop(comparison_table(section)));
        serde_json::to_string(&object).expect("is JSON");
        for note in &object.notes {
            if let Content::Metadata { tree } = &note.content {
                assert!(tree.lines(98).iter().map(|(_, line)| line.len()).sum::<usize>() < 64 * bytes.len() + 1000);
            }
        }
    }
    assert!(opened > 300, "{opened} were opened");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// Objects whose headers name the same bytes many times take no more than the file has.
#[test]
fn overlapping_sections_are_read_once() {
    let elf = generate::compute(CHIPS[3]).object(CHIPS[3], Form::Named);
    let mut bytes = elf.bytes();
    let word = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight"));
    let table = word(&bytes, 0x28) as usize;
    let note = bytes[table + 2 * 64..table + 3 * 64].to_vec();
    let first = bytes[table..].to_vec();
    bytes.extend(&first);
    let count = 3000u16;
    for _ in 0..count {
        bytes.extend(&note);
    }
    let moved = (table + first.len()) as u64;
    bytes[0x28..0x30].copy_from_slice(&moved.to_le_bytes());
    bytes[0x3c..0x3e].copy_from_slice(&(count + 6).to_le_bytes());
    let object = read("many", &bytes);
    let read: usize = object.notes.iter().map(|note| note.size).sum();
    assert!(read <= bytes.len(), "{read} of {}", bytes.len());
    assert!(object.findings.iter().any(|finding| finding.code == "object.damaged"));
}

/// A file of a folder of the repository; `UPDATE_SAMPLES=1` writes it.
fn is_current(folder: &str, name: &str, bytes: &[u8]) {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder).join(name);
    if std::env::var_os("UPDATE_SAMPLES").is_some() {
        std::fs::create_dir_all(path.parent().expect("has a folder")).expect("writable");
        std::fs::write(&path, bytes).expect("writable");
    }
    assert!(std::fs::read(&path).is_ok_and(|found| found == bytes), "{name}: write it with UPDATE_SAMPLES=1");
    assert_eq!(read(name, bytes).findings, [], "{name}");
}

#[test]
fn samples_are_current() {
    for (name, elf) in generate::samples::all() {
        is_current("samples/code_objects", name, &elf.bytes());
    }
}

/// The objects beside the shaders that `app/tests/code_objects.rs` compares with them.
#[test]
fn objects_of_llpc_are_current() {
    for (name, elf) in generate::llpc::all() {
        is_current("app/tests/data/llpc", &format!("{name}.elf"), &elf.bytes());
    }
}

/// An object that is not linked, with the semantics of locations 3 and 7, beside shaders that have these.
#[test]
fn the_library_of_the_program_s_tests_is_current() {
    let library = pipelines(CHIPS[4]).into_iter().find(|own| !own.semantics.is_empty()).expect("is generated");
    is_current("app/tests/data/objects", "library.elf", &library.object(CHIPS[4], Form::Named).bytes());
}

#[test]
fn a_reserved_value_is_named() {
    let object = read("fill.elf", &generate::samples::all()[0].1.bytes());
    let data = &object.pipelines[0].user_data[0];
    assert_eq!(data.sgprs[0].holds, Holds::Reserved { name: "GlobalTable" });
    assert_eq!(data.sgprs[0].register.as_deref(), Some("COMPUTE_USER_DATA_0"));
}
