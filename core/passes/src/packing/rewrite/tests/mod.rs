//! Rewritten pipelines: valid, packed as the map says, and unchanged by a second rewrite.

mod cases;
mod errors;
mod generated;
mod halves;
mod inner;
mod odd;
mod prepared;
mod text;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Map, Rewritten, StoredHalf, rewrite, rewrite_half};
use lanescope_load::{check, disassemble, load};
use lanescope_model::options::{Options, ProducerChoice};
use lanescope_model::program::{Program, StageKind};
use lanescope_testing::program;

const COLOUR: &str = "layout(location = 0) out vec4 colour;\n";

fn widening() -> Options {
    Options { widen: true, ..Options::default() }
}

/// Rewrites, and checks the properties of every rewrite.
#[track_caller]
fn rewritten(program: &Program, options: &Options) -> Rewritten {
    let done = rewrite(program, options).unwrap_or_else(|error| panic!("{error}"));
    for stage in &done.program.stages {
        let module = done.program.module_of(stage);
        if let Err(message) = check(module) {
            panic!("{} shader: {message}\n{}", stage.stage, text(&done.program, stage.stage));
        }
    }
    for stage in done.widened.iter().flat_map(|widened| widened.stages.iter().map(move |stage| (widened, stage))) {
        check(stage.0.module_of(stage.1)).unwrap_or_else(|message| panic!("widened {}: {message}", stage.1.stage));
    }
    done.inner.iter().chain([&done.map]).for_each(check_map);
    check_halves(program, options, &done);
    let again = rewrite(&done.program, options).unwrap_or_else(|error| panic!("again: {error}"));
    assert_eq!(again.map.changed, [], "a second rewrite changes nothing");
    assert!(again.program == done.program && again.map.slots.after == done.map.slots.after);
    for (first, second) in done.inner.iter().zip(&again.inner) {
        assert_eq!(first.slots.after, second.slots.after);
    }
    assert!(again.map.carried.iter().all(|row| row.from.location == row.to.location));
    done
}

/// A part-pipeline's halves, rewritten together and each alone, are those of the whole pipeline.
#[track_caller]
fn check_halves(program: &Program, options: &Options, whole: &Rewritten) {
    if whole.map.producer == Some(StageKind::Mesh) {
        return;
    }
    let part = Options { part_pipeline: true, ..options.clone() };
    let mut halves = rewrite(program, &part).unwrap_or_else(|error| panic!("in halves: {error}"));
    let stored = halves.stored.take().expect("a half stores its map");
    assert!(halves == *whole, "the halves differ from the whole: {:#?}\n{:#?}", halves.map, whole.map);
    let only = |is_fragment: bool| {
        let mut half = program.clone();
        half.stages.retain(|stage| (stage.stage == StageKind::Fragment) == is_fragment);
        half
    };
    let producer = match whole.map.producer {
        Some(StageKind::Geometry) => ProducerChoice::Geometry,
        _ => options.producer,
    };
    let fragment = rewrite(&only(true), &Options { producer, ..part });
    let fragment = fragment.unwrap_or_else(|error| panic!("the fragment half: {error}"));
    // Alone it widens only what it reads; whether the other half widens more is not its to say.
    let alone = fragment.stored.clone().expect("a half stores its map");
    assert_eq!(StoredHalf { widened: stored.widened, ..alone }, stored);
    let same = |half: &Rewritten, kind: StageKind| {
        let modules = [&half.program, &whole.program].map(|p| p.stage(kind).map(|stage| p.module_of(stage)));
        assert!(modules[0] == modules[1], "the {kind} shader differs");
    };
    same(&fragment, StageKind::Fragment);
    if whole.map.producer.is_some() {
        let json = serde_json::to_string(&stored).expect("is written");
        let stored: StoredHalf = serde_json::from_str(&json).expect("is read");
        let before = rewrite_half(&only(false), &stored, options).unwrap_or_else(|error| panic!("{error}"));
        before.program.stages.iter().for_each(|stage| same(&before, stage.stage));
        assert_eq!((&before.map.dropped, &before.map.kept), (&whole.map.dropped, &whole.map.kept));
        let places = |map: &Map| map.missing.iter().map(|m| (m.location, m.component)).collect::<Vec<_>>();
        assert_eq!(places(&before.map), places(&whole.map));
        assert_eq!(slots_of(&before.inner), slots_of(&whole.inner));
    }
}

fn slots_of(maps: &[Map]) -> Vec<super::RewrittenSlots> {
    maps.iter().map(|map| map.slots).collect()
}

/// Each scalar once, in a variable of the interface, and no more locations than before.
#[track_caller]
fn check_map(map: &Map) {
    let moved = map.not_carried.iter().map(|row| (row.from, row.rewritten));
    let rows: Vec<_> = map.carried.iter().map(|row| (row.from, row.to)).chain(moved).collect();
    let places: BTreeSet<_> = rows.iter().map(|(_, to)| *to).collect();
    assert_eq!(places.len(), rows.len(), "two scalars in one place: {rows:?}");
    assert!(map.slots.after <= map.slots.before, "{:?}", map.slots);
    if map.producer != Some(StageKind::Mesh) {
        for to in places {
            let holds = |v: &&super::RewrittenVariable| {
                let components = u32::from(v.component.0)..u32::from(v.component.0) + v.components;
                v.location == to.location && components.contains(&u32::from(to.component.0))
            };
            assert_eq!(map.variables.iter().filter(holds).count(), 1, "{to:?} in {:?}", map.variables);
        }
    }
}

fn text(program: &Program, stage: StageKind) -> String {
    let stage = program.stage(stage).expect("the stage is there");
    disassemble(program.module_of(stage)).expect("disassembles")
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

#[test]
fn rewrites_every_sample_pipeline() {
    let mut fragments: Vec<PathBuf> = std::fs::read_dir(samples())
        .expect("the samples are there")
        .map(|entry| entry.expect("reads").path())
        .filter(|path| path.extension().is_some_and(|e| e == "frag") || path.ends_with("shared_location.spvasm"))
        .collect();
    fragments.sort();
    assert!(fragments.len() >= 8);
    for fragment in fragments {
        let before = ["vert", "tesc", "tese", "geom", "mesh"].map(|stage| fragment.with_extension(stage));
        let files: Vec<PathBuf> = before.into_iter().filter(|path| path.exists()).chain([fragment]).collect();
        let program = load(&files, &[]).unwrap_or_else(|error| panic!("{error}"));
        for options in [Options::default(), widening(), Options { no_pack: true, ..Options::default() }] {
            rewritten(&program, &options);
        }
    }
}
