//! What is said of the driver's places, checked by removal: without a scalar in the fragment shader, what was computed from
//! it is no longer exported, and what carried it is read less often. Where a scalar is said to need no channel, everything
//! is exported as before without it.
//!
//! Pairs of shaders are generated: of sums and products of floats, and of everything else. Values are followed through the
//! assembly by a reader of this file, so that it shares nothing with what is checked. `ablated.sh` runs this with other
//! versions of Mesa and other chips (`LANESCOPE_ABLATED_CHIPS`). With Mesa 22.3 the driver's linker is replayed: only
//! another version checks what is found by use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use lanescope_core::analyse;
use lanescope_core::driver::layout::{DriverPlace, LayoutRule};
use lanescope_core::driver::layouts_of;
use lanescope_core::driver::{CompileOptions, DriverStage, Link, Version, Way, compile, environment};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::target::Target;

#[path = "ablated/generated.rs"]
mod generated;
#[path = "ablated/symbols.rs"]
mod symbols;

use generated::{Generated, Instead};
use symbols::{Leaves, exports, uses};

/// The arguments of the child, where it answers, and the chips that are asked for.
const CHIP: &str = "LANESCOPE_TEST_CHIP";
const ANSWER: &str = "LANESCOPE_TEST_ANSWER";
const CHIPS: &str = "LANESCOPE_ABLATED_CHIPS";
/// Pairs of each kind.
const PAIRS: u64 = 100;

/// What one chip's compiler gave.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
struct Answer {
    driver: String,
    /// Of floats, and of everything else.
    kinds: [Found; 2],
}

#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
struct Found {
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
        for (kind, found) in ["floats", "mixed"].iter().zip(&answer.kinds) {
            println!(
                "{chip} {} {kind}: {} of {} scalars attributed, {} claims, {} refuted {:?}",
                answer.driver,
                found.attributed,
                found.scalars,
                found.claims,
                found.refuted.len(),
                found.rules,
            );
            found.open.iter().chain(&found.refuted).for_each(|line| println!("  {line}"));
        }
        for (found, (least, claims)) in answer.kinds.iter().zip([(95, 500), (90, 400)]) {
            assert!(found.refuted.is_empty(), "{chip}: {}", found.refuted.join("\n"));
            assert!(found.claims > claims, "{chip}: {} claims", found.claims);
            let (attributed, scalars) = (found.attributed, found.scalars);
            assert!(attributed * 100 >= scalars * least, "{chip}: {attributed} of {scalars}");
        }
    }
}

fn ask(chip: Target) -> Answer {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let answer = folder.path().join("answer.json");
    let mut said = String::new();
    // A name that the installed version does not know ends the process.
    for way in Way::to(chip.into(), None) {
        let output = Command::new(std::env::current_exe().expect("this executable"))
            .args(["ablated::child", "--exact", "--ignored", "--nocapture"])
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
        let pairs = [Generated::of(seed), Generated::mixed(seed)];
        for (pair, found) in pairs.iter().zip(&mut answer.kinds) {
            answer.driver = one(chip, seed, pair, found);
        }
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

/// Checks a pair; the driver's name.
fn one(chip: Target, seed: u64, pair: &Generated, answer: &mut Found) -> String {
    let whole = program(&pair.texts(None));
    let mut rows = compiled(chip, &whole, false);
    let driver = rows[0].driver.clone();
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
        let removed = (row.from.location.0, row.from.component.0);
        let without = |instead| observed(&compiled(chip, &program(&pair.texts(Some((removed, instead)))), false));
        if place.attribute.is_none() {
            answer.claims += 1;
            // What is folded may be part of what is moved: the same stands in the fragment shader then.
            let is_folded = matches!(place.rule, Some(LayoutRule::Constant | LayoutRule::Uniform));
            if is_folded && pair.fixed(removed).is_none() {
                answer.refuted.push(format!("{title}: the vertex shader computes it"));
                continue;
            }
            let later = without(if is_folded { Instead::Same } else { Instead::Other }).0;
            let stays: BTreeSet<&String> = later.values().collect();
            let gone = exported.values().filter(|value| !stays.contains(value));
            answer.refuted.extend(gone.map(|value| format!("{title}: {value} is not exported without it")));
            continue;
        }
        let without = without(Instead::Other);
        // A vertex shader compiled alone may number its slots from another one on.
        let value = own.get(&(removed.0, removed.1)).filter(|_| !pair.is_made_by_loop(removed));
        let refuted = refuted(place, value, (&exported, &used), (&without.0, &without.1));
        answer.claims += place.channels().count();
        answer.refuted.extend(refuted.into_iter().map(|why| format!("{title}: {why}")));
    }
    driver
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
