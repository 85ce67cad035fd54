//! Descriptions of pipelines: reading them, and guessing layouts for them.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::PathBuf;
use std::sync::OnceLock;

use lanescope_core::guessed_layout::{self, Side};
use lanescope_core::load::{LoadOptions, load_description};
use lanescope_core::options::Options;
use lanescope_core::pipeline::foz::{self, Database, Writer};
use lanescope_core::pipeline::{Pipeline, pipe as text};
use lanescope_core::program::Program;
use lanescope_core::run::Blob;
use lanescope_core::sodb;

/// Pipelines of one database that are opened.
const MOST: usize = 32;

/// A description as the analysis takes it: its tables, its options, its layout against those of two programs.
fn look(pipeline: &Pipeline) {
    static PROGRAMS: OnceLock<Vec<Program>> = OnceLock::new();
    let programs = PROGRAMS.get_or_init(|| {
        let load = |name: &str| {
            let file = crate::embedded(name);
            crate::program(name, file).unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        ["textured_quad.pipe", "tiled_blur.pipe"].map(load).into()
    });
    let _ = pipeline.tables();
    for program in programs {
        let described = Program { pipeline: Some(Box::new(pipeline.clone())), ..program.clone() };
        let options = described.options(&Options::default());
        let mut findings = Vec::new();
        let stages = guessed_layout::stages(program, &options, Side::Described(pipeline, "a.pipe"), &mut findings);
        for stage in stages {
            let against = stage.against.expect("a description was given");
            // A layout that serves has the same key by the note's rule.
            let keys = [&stage.keys[0], &against.keys[0]];
            assert!(!against.hit || keys[0].hash == keys[1].hash, "a hit under another key");
        }
        let mut writer = Writer::new(Vec::new(), false).expect("writes into memory");
        let _ = foz::make(&described, &options, &mut writer);
    }
}

/// LLPC's text.
pub fn pipe(data: &[u8]) {
    let _ = text::looks_like(data);
    if let Ok(read) = text::read("a.pipe", data) {
        look(&read.pipeline);
    }
}

/// A state object database: its list, every group opened with its containers, and all copied into a new one.
pub fn sodb(data: &[u8]) {
    let Ok(database) = sodb::Database::of_bytes(data, "a.sodb") else { return };
    let _ = database.list("");
    for group in database.groups().iter().take(MOST) {
        let path = PathBuf::from("a.sodb");
        let given = BTreeMap::from([(path.clone(), Blob(data.to_vec()))]);
        let wanted = LoadOptions { pipeline: Some(group.name.clone()), given, ..LoadOptions::default() };
        if let Ok(Some((pipeline, _))) = load_description(&path, &wanted) {
            let _ = pipeline.tables();
        }
    }
    let groups: Vec<_> = database.groups().iter().take(MOST).collect();
    let file = tempfile::NamedTempFile::new().expect("a file");
    if sodb::copy(&database, &groups, file.path()).is_ok() {
        let copied = sodb::Database::open(file.path()).expect("what is written is read");
        assert_eq!(copied.groups().len(), groups.len(), "every group is copied");
    }
}

/// A database: its list, every pipeline, and each copied into a new one.
pub fn foz(data: &[u8]) {
    let Ok(database) = Database::open(vec![("a.foz".to_owned(), Cursor::new(data.to_vec()))]) else { return };
    assert!(foz::looks_like(data), "what is opened is recognized");
    let listing = database.list("", |_| true);
    for row in listing.pipelines.iter().take(MOST) {
        for place in database.pipelines(&foz::Key(row.hash.0).to_string()) {
            let Ok(opened) = foz::open(&database, &place) else { continue };
            look(&opened.pipeline);
            let mut writer = Writer::new(Vec::new(), false).expect("writes into memory");
            let _ = foz::copy(&database, &place, &mut writer);
        }
    }
}
