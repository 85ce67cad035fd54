//! What is said of the driver's places, checked by removal: without a scalar in the fragment shader, what was computed from
//! it is no longer exported, and what carried it is read less often. Where a scalar is said to need no channel, everything
//! is exported as before without it.
//!
//! Pairs of shaders are generated: of sums and products of floats, and of everything else. Values are followed by readers
//! of this folder, so that they share nothing with what is checked: through AMD's assembly, and through the forms of other
//! vendors. What these say to be read, NVIDIA's and Qualcomm's assembly must read too; Intel's names no input. `ablated.sh`
//! runs this with other versions of Mesa and other chips (`LANESCOPE_ABLATED_CHIPS`). With AMD's of Mesa 22.3 the driver's
//! linker is replayed: only another version checks what is found by use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use lanescope_core::analyse;
use lanescope_core::chip::{Chip, Vendor};
use lanescope_core::driver::layout::{DriverPlace, LayoutRule, LayoutTable};
use lanescope_core::driver::layouts_of;
use lanescope_core::driver::{CompileOptions, DriverStage, Link, Version, Way, compile, environment, versions};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};

#[path = "ablated/assembly.rs"]
mod assembly;
#[path = "ablated/forms.rs"]
mod forms;
#[path = "ablated/generated.rs"]
mod generated;
#[path = "ablated/symbols.rs"]
mod symbols;

use generated::{Generated, Instead};
use symbols::Leaves;

/// The arguments of the child, where it answers, and the chips that are asked for.
const CHIP: &str = "LANESCOPE_TEST_CHIP";
const ANSWER: &str = "LANESCOPE_TEST_ANSWER";
const CHIPS: &str = "LANESCOPE_ABLATED_CHIPS";
/// The folder of the samples, where it is another one than that of the source.
const SAMPLES: &str = "LANESCOPE_ABLATED_SAMPLES";
/// Pairs of each kind.
const PAIRS: u64 = 100;

/// What one chip's compiler gave.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
struct Answer {
    driver: String,
    /// Of floats, of everything else, and of the samples' pairs, from which nothing is removed.
    kinds: [Found; 3],
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
    let chips = std::env::var(CHIPS).unwrap_or_else(|_| "gfx1030,tgl".to_owned());
    let mut failed = Vec::new();
    for chip in chips.split(',') {
        let of: Chip = chip.parse().expect("is a chip");
        let answer = ask(of);
        for (kind, found) in ["floats", "mixed", "samples"].iter().zip(&answer.kinds) {
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
        for (found, (least, claims)) in answer.kinds.iter().zip(least(of.vendor())) {
            let (attributed, scalars) = (found.attributed, found.scalars);
            let checks = [
                (found.refuted.is_empty(), format!("{chip}: {}", found.refuted.join("\n"))),
                (found.claims >= claims, format!("{chip}: {} claims", found.claims)),
                (attributed * 100 >= scalars * least, format!("{chip}: {attributed} of {scalars} scalars")),
            ];
            failed.extend(checks.into_iter().filter(|(holds, _)| !holds).map(|(_, message)| message));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The least percentage of scalars that is attributed, and the number of statements that are checked: of each kind.
/// Intel's driver of Mesa 22.3 compiles no stages apart, and some of the samples' values are equal.
fn least(vendor: Vendor) -> [(usize, usize); 3] {
    match vendor {
        Vendor::Amd => [(95, 500), (90, 400), (85, 0)],
        Vendor::Intel => [(90, 500), (90, 400), (75, 0)],
        _ => [(95, 500), (95, 400), (95, 0)],
    }
}

fn ask(chip: Chip) -> Answer {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let answer = folder.path().join("answer.json");
    let mut said = String::new();
    // A name that the installed version does not know ends the process.
    for way in Way::to(chip, None) {
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
    let chip: Chip = std::env::var(CHIP).expect("a chip is named").parse().expect("is a chip");
    let mut answer = Answer::default();
    for seed in 0..PAIRS {
        let pairs = [Generated::of(seed), Generated::mixed(seed)];
        for (pair, found) in pairs.iter().zip(&mut answer.kinds) {
            answer.driver = one(chip, seed, pair, found);
        }
    }
    samples(chip, &mut answer.kinds[2]);
    let text = serde_json::to_string(&answer).expect("an answer is JSON");
    std::fs::write(std::env::var(ANSWER).expect("a place is named"), text).expect("writes");
}

/// Counts the scalars of the samples' pairs that are attributed, as written and packed, of those that the chip's driver
/// compiles.
fn samples(chip: Chip, answer: &mut Found) {
    let folder =
        std::env::var(SAMPLES).unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../samples").to_owned());
    let all = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut pairs: Vec<[PathBuf; 2]> = all
        .filter(|path| path.extension().is_some_and(|end| end == "vert"))
        .map(|path| [path.clone(), path.with_extension("frag")])
        .filter(|[vertex, fragment]| fragment.is_file() && !vertex.with_extension("geom").is_file())
        .filter(|[vertex, _]| !vertex.with_extension("tesc").is_file())
        .collect();
    pairs.sort();
    assert!(pairs.len() > 5, "{pairs:?}");
    for pair in pairs {
        let whole = load(&pair, &[]).unwrap_or_else(|error| panic!("{error}"));
        let with = |apart| CompileOptions { chip: Some(chip), apart, keep_device: true, ..CompileOptions::default() };
        let options = Options::default();
        let mut rows = Vec::new();
        for version in versions(&whole, &options, &[Version::Original, Version::Packed]) {
            let Ok(program) = version.program else { continue };
            // A driver may lack what a sample needs.
            let made = [false, true].map(|apart| compile(&program, &options, version.of, &with(apart)));
            rows.extend(DriverStage::rows(made.iter().flatten()));
        }
        let report = analyse(&whole, &options).expect("is analysed");
        for table in layouts_of(&whole, &report, &rows) {
            count(&table, &pair[0].display().to_string(), answer);
        }
    }
}

/// Counts the scalars of the stages that were compiled together.
fn count(table: &LayoutTable, title: &str, answer: &mut Found) {
    for (index, column) in table.columns.iter().enumerate().filter(|(_, column)| column.link == Link::Whole) {
        for row in &table.rows {
            let place = &row.driver[index];
            *answer.rules.entry(place.rule.map_or("none", |rule| rule.name()).to_owned()).or_default() += 1;
            answer.scalars += 1;
            match place.rule {
                Some(LayoutRule::Unattributed) => {
                    answer.open.push(format!("{title} {} {} {:?}", column.of, row.name(), place.reason));
                }
                _ => answer.attributed += 1,
            }
        }
    }
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

/// The rows of a pair; none where the driver does not compile stages apart.
fn compiled(chip: Chip, program: &Program, apart: bool) -> Vec<DriverStage> {
    // Opening a device takes Mesa 22.3 longer than compiling a pair.
    let with = CompileOptions { chip: Some(chip), apart, keep_device: true, ..CompileOptions::default() };
    match compile(program, &Options::default(), Version::Original, &with) {
        Ok(done) => DriverStage::rows([&done]),
        Err(error) if apart && error.to_string().contains("VK_EXT_graphics_pipeline_library") => Vec::new(),
        Err(error) => panic!("{error}"),
    }
}

/// What a pair does, as one text of each stage shows it.
struct Observed {
    /// What is passed in each channel.
    exported: Leaves,
    /// How often the fragment shader uses each value that is passed.
    used: BTreeMap<String, usize>,
    /// The channels that its assembly reads, where that names them and is another text.
    read: Option<BTreeSet<(u32, u8)>>,
}

/// The text of a stage in which values are followed.
fn text(vendor: Vendor, rows: &[DriverStage], stage: StageKind) -> Option<&str> {
    let mut own = rows.iter().filter(|row| row.stage == stage);
    match vendor {
        Vendor::Amd => own.next()?.isa.as_deref(),
        _ => own.find_map(|row| row.text("Final NIR").or(row.text("NIR shader"))),
    }
}

/// What a stage before the rasterizer passes.
fn exports(vendor: Vendor, rows: &[DriverStage]) -> Option<Leaves> {
    let text = text(vendor, rows, StageKind::Vertex)?;
    Some(if vendor == Vendor::Amd { symbols::exports(text) } else { forms::exports(text, vendor) })
}

fn observed(vendor: Vendor, rows: &[DriverStage]) -> Observed {
    let exported = exports(vendor, rows).expect("a vertex shader");
    let fragment = text(vendor, rows, StageKind::Fragment).expect("a fragment shader");
    let used = if vendor == Vendor::Amd { symbols::uses } else { forms::uses }(fragment, &exported);
    let isa = rows.iter().find(|row| row.stage == StageKind::Fragment).and_then(|row| row.isa.as_deref());
    Observed { exported, used, read: assembly::reads(vendor, isa.expect("assembly")) }
}

/// Checks a pair; the driver's name.
fn one(chip: Chip, seed: u64, pair: &Generated, answer: &mut Found) -> String {
    let vendor = chip.vendor();
    let whole = program(&pair.texts(None));
    let mut rows = compiled(chip, &whole, false);
    let driver = rows[0].driver.clone();
    let before = observed(vendor, &rows);
    let alone = compiled(chip, &whole, true);
    let own = exports(vendor, &alone).unwrap_or_default();
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
        let without =
            |instead| observed(vendor, &compiled(chip, &program(&pair.texts(Some((removed, instead)))), false));
        if place.attribute.is_none() {
            answer.claims += 1;
            // What is folded may be part of what is moved: the same stands in the fragment shader then.
            let is_folded = matches!(place.rule, Some(LayoutRule::Constant | LayoutRule::Uniform));
            if is_folded && pair.fixed(removed).is_none() {
                answer.refuted.push(format!("{title}: the vertex shader computes it"));
                continue;
            }
            let later = without(if is_folded { Instead::Same } else { Instead::Other }).exported;
            let stays: BTreeSet<&String> = later.values().collect();
            // Intel's driver links first: what it then finds unneeded is still written.
            let counts = |value: &&String| vendor != Vendor::Intel || before.used.contains_key(*value);
            let gone = before.exported.values().filter(counts).filter(|value| !stays.contains(value));
            answer.refuted.extend(gone.map(|value| format!("{title}: {value} is not exported without it")));
            continue;
        }
        let without = without(Instead::Other);
        // A vertex shader compiled alone may number its slots from another one on.
        let value = own.get(&(removed.0, removed.1)).filter(|_| !pair.is_made_by_loop(removed));
        let refuted = refuted(place, value, &before, &without);
        answer.claims += place.channels().count();
        answer.refuted.extend(refuted.into_iter().map(|why| format!("{title}: {why}")));
    }
    driver
}

/// What removal refutes.
fn refuted(place: &DriverPlace, own: Option<&String>, before: &Observed, later: &Observed) -> Vec<String> {
    let stays: BTreeSet<&String> = later.exported.values().collect();
    let mut out = Vec::new();
    for (index, at) in place.channels().enumerate() {
        let name = format!("{}.{}", at.attribute, at.channel);
        if before.read.as_ref().is_some_and(|read| !read.contains(&(at.attribute, at.channel))) {
            out.push(format!("{name} is not read by the assembly"));
        }
        let Some(value) = before.exported.get(&(at.attribute, at.channel)) else {
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
        if own.is_some_and(|own| forms::without_offsets(own) != forms::without_offsets(value)) {
            out.push(format!("{name} is {value}, not {own:?}"));
        }
        let used = [before, later].map(|observed| observed.used.get(value).copied());
        if used[1].unwrap_or(0) >= used[0].unwrap_or(0) {
            out.push(format!("{name} is {value}, used {:?} times, and {:?} times without it", used[0], used[1]));
        }
    }
    out
}
