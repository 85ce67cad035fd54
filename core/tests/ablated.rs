//! What is said of the driver's places, checked by removal: without a scalar in the fragment shader, what was computed from
//! it is no longer exported, and what carried it is read less often.
//!
//! Pairs of shaders are generated. Values are followed through the assembly by a reader of this file, so that it shares
//! nothing with what is checked. `ablated.sh` runs this with other versions of Mesa and other chips
//! (`LANESCOPE_ABLATED_CHIPS`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use lanescope_core::analyse;
use lanescope_core::driver::layout::{DriverPlace, LayoutRule, layouts_of};
use lanescope_core::driver::{CompileOptions, DriverStage, Link, Version, Way, compile, environment};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::target::Target;

#[path = "ablated/generated.rs"]
mod generated;
#[path = "ablated/symbols.rs"]
mod symbols;

use generated::Generated;
use symbols::{Leaves, exports, uses};

/// The arguments of the child, where it answers, and the chips that are asked for.
const CHIP: &str = "LANESCOPE_TEST_CHIP";
const ANSWER: &str = "LANESCOPE_TEST_ANSWER";
const CHIPS: &str = "LANESCOPE_ABLATED_CHIPS";
const PAIRS: u64 = 100;

/// What one chip's compiler gave.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
struct Answer {
    driver: String,
    scalars: usize,
    attributed: usize,
    claims: usize,
    rules: BTreeMap<String, usize>,
    refuted: Vec<String>,
    open: Vec<String>,
}

#[test]
fn no_place_is_refuted_by_removal() {
    let chips = std::env::var(CHIPS).unwrap_or_else(|_| "gfx1030".to_owned());
    for chip in chips.split(',') {
        let answer = ask(chip.parse().expect("is a chip"));
        println!(
            "{chip} {}: {} of {} scalars attributed, {} claims, {} refuted {:?}",
            answer.driver,
            answer.attributed,
            answer.scalars,
            answer.claims,
            answer.refuted.len(),
            answer.rules,
        );
        answer.open.iter().chain(&answer.refuted).for_each(|line| println!("  {line}"));
        assert!(answer.refuted.is_empty(), "{chip}: {}", answer.refuted.join("\n"));
        assert!(answer.claims > 500, "{chip}: {} claims", answer.claims);
        assert!(answer.attributed * 100 >= answer.scalars * 95, "{chip}: {} of {}", answer.attributed, answer.scalars);
    }
}

fn ask(chip: Target) -> Answer {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let answer = folder.path().join("answer.json");
    let mut said = String::new();
    // A name that the installed version does not know ends the process.
    for way in Way::to(chip.into(), None) {
        let output = Command::new(std::env::current_exe().expect("this executable"))
            .args(["child", "--exact", "--ignored", "--nocapture"])
            .envs(environment(Some(&way)))
            .env(CHIP, chip.name())
            .env(ANSWER, &answer)
            .output()
            .expect("it starts");
        if output.status.success() {
            return serde_json::from_slice(&std::fs::read(&answer).expect("it answered")).expect("is JSON");
        }
        said.push_str(&String::from_utf8_lossy(&output.stdout));
        said.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    panic!("{chip}: {said}")
}

#[test]
#[ignore = "runs in a process whose environment names a chip"]
fn child() {
    let chip: Target = std::env::var(CHIP).expect("a chip is named").parse().expect("is a chip");
    let mut answer = Answer::default();
    for seed in 0..PAIRS {
        one(chip, seed, &mut answer);
    }
    let text = serde_json::to_string(&answer).expect("an answer is JSON");
    std::fs::write(std::env::var(ANSWER).expect("a place is named"), text).expect("writes");
}

fn program(texts: &[(&str, String); 2]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files: Vec<PathBuf> = texts
        .iter()
        .map(|(stage, text)| {
            let path = folder.path().join(format!("pair.{stage}"));
            std::fs::write(&path, text).expect("writes");
            path
        })
        .collect();
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}\n{}\n{}", texts[0].1, texts[1].1))
}

fn compiled(chip: Target, program: &Program, apart: bool) -> Vec<DriverStage> {
    // Opening a device takes Mesa 22.3 longer than compiling a pair.
    let with = CompileOptions { chip: Some(chip.into()), apart, keep_device: true, ..CompileOptions::default() };
    let done = compile(program, &Options::default(), Version::Original, &with).unwrap_or_else(|e| panic!("{e}"));
    DriverStage::rows([&done])
}

/// What a pair exports to each channel, and how often the fragment shader uses each exported value.
fn observed(rows: &[DriverStage]) -> (Leaves, BTreeMap<String, usize>) {
    let isa = |stage| rows.iter().find(|row| row.stage == stage).and_then(|row| row.isa.as_deref()).expect("assembly");
    let exported = exports(isa(StageKind::Vertex));
    let used = uses(isa(StageKind::Fragment), &exported);
    (exported, used)
}

fn one(chip: Target, seed: u64, answer: &mut Answer) {
    let pair = Generated::of(seed);
    let whole = program(&pair.texts(None));
    let mut rows = compiled(chip, &whole, false);
    answer.driver.clone_from(&rows[0].driver);
    let (exported, used) = observed(&rows);
    let alone = compiled(chip, &whole, true);
    let vertex = alone.iter().find(|row| row.stage == StageKind::Vertex).and_then(|row| row.isa.as_deref());
    let own = exports(vertex.expect("assembly"));
    rows.extend(alone);
    let report = analyse(&whole, &Options::default()).expect("is analysed");
    let tables = layouts_of(&whole, &report, &rows);
    let table = tables.first().expect("a table");
    let column = table.columns.iter().position(|column| column.link == Link::Whole).expect("a column");
    for row in &table.rows {
        let place = &row.driver[column];
        let rule = place.rule.map_or("none", |rule| rule.name());
        *answer.rules.entry(rule.to_owned()).or_default() += 1;
        answer.scalars += 1;
        let title = format!("pair {seed} {}.{} {rule}", row.variable, row.part().component.letter());
        if place.rule == Some(LayoutRule::Unattributed) {
            answer.open.push(format!("{title} {:?}", place.reason));
            continue;
        }
        answer.attributed += 1;
        if place.attribute.is_none() {
            continue;
        }
        let removed = (row.from.location.0, row.from.component.0);
        let without = observed(&compiled(chip, &program(&pair.texts(Some(removed))), false));
        // A vertex shader compiled alone may number its slots from another one on.
        let value = own.get(&(removed.0, removed.1));
        let refuted = refuted(place, value, (&exported, &used), (&without.0, &without.1));
        answer.claims += place.channels().count();
        answer.refuted.extend(refuted.into_iter().map(|why| format!("{title}: {why}")));
    }
}

/// What removal refutes.
fn refuted(
    place: &DriverPlace,
    own: Option<&String>,
    (exported, used): (&Leaves, &BTreeMap<String, usize>),
    (later, later_used): (&Leaves, &BTreeMap<String, usize>),
) -> Vec<String> {
    let stays: BTreeSet<&String> = later.values().collect();
    let mut out = Vec::new();
    for (index, at) in place.channels().enumerate() {
        let name = format!("{}.{}", at.attribute, at.channel);
        let Some(value) = exported.get(&(at.attribute, at.channel)) else {
            out.push(format!("{name} is not exported"));
            continue;
        };
        if place.rule == Some(LayoutRule::Computed) || index > 0 {
            if stays.contains(value) {
                out.push(format!("{name} is {value}, which is exported without it too"));
            }
            if place.rule == Some(LayoutRule::Computed) && own == Some(value) {
                out.push(format!("{name} is the scalar itself: {value}"));
            }
            continue;
        }
        if own.is_some_and(|own| own != value) {
            out.push(format!("{name} is {value}, not {own:?}"));
        }
        let (before, after) = (used.get(value).copied(), later_used.get(value).copied());
        if after.unwrap_or(0) >= before.unwrap_or(0) {
            out.push(format!("{name} is {value}, used {before:?} times, and {after:?} times without it"));
        }
    }
    out
}
