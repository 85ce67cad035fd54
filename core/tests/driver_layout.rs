//! Our places and a shipping compiler's, for every sample pair and four chips: each difference has a named rule.
//!
//! A chip is chosen by a process's environment, so this executable starts itself once a chip.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use lanescope_core::analyse;
use lanescope_core::driver::isa::{QuadPurpose, read};
use lanescope_core::driver::layout::{LayoutRule, LayoutTable, layouts};
use lanescope_core::driver::{CompileOptions, DriverStage, Link, Version, chips, compile, environment, versions};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::packing::rewrite::rewrite;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::target::Target;

const CHIPS: [Target; 4] = [Target::Gfx900, Target::Gfx1010, Target::Gfx1030, Target::Gfx1100];

const PAIRS: [&str; 7] = [
    "design_note",
    "dynamic_index",
    "flat_and_smooth",
    "half_precision",
    "lit_surface",
    "matrix_and_array",
    "missing_input",
];

/// What the child is told, and where it answers.
const CHIP: &str = "LANESCOPE_TEST_CHIP";
const ANSWER: &str = "LANESCOPE_TEST_ANSWER";

fn samples(files: &[String]) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn pair(name: &str) -> Program {
    samples(&[format!("{name}.vert"), format!("{name}.frag")])
}

/// Everything that is compiled for a chip, by sample.
type Made = BTreeMap<String, Vec<DriverStage>>;

#[test]
#[ignore = "runs in a process whose environment names a chip"]
fn child() {
    let chip: Target = std::env::var(CHIP).expect("a chip is named").parse().expect("is a chip");
    let mut made = Made::new();
    let mut all = |name: &str, program: &Program, options: &Options, wanted: &[Version], apart: &[bool]| {
        for version in versions(program, options, wanted) {
            let program = version.program.unwrap_or_else(|why| panic!("{name}: {why}"));
            for &apart in apart {
                let with = CompileOptions { chip: Some(chip), apart, ..CompileOptions::default() };
                let done = compile(&program, options, version.of, &with).unwrap_or_else(|e| panic!("{name}: {e}"));
                made.entry(name.to_owned()).or_default().extend(DriverStage::rows(&done));
            }
        }
    };
    for name in PAIRS {
        all(name, &pair(name), &Options::default(), &[Version::Original, Version::Packed], &[false, true]);
    }
    // RADV has derivatives in linear groups only: the layout makes these of the quads that the sample asks for.
    for (name, wanted) in [("quad_derivatives", Version::Swizzled), ("tile_16x16", Version::Original)] {
        all(name, &samples(&[format!("{name}.comp")]), &Options::default(), &[wanted], &[false]);
    }
    let text = serde_json::to_string(&made).expect("rows are JSON");
    std::fs::write(std::env::var(ANSWER).expect("a place is named"), text).expect("writes");
}

/// Asks the compiler of one chip.
fn ask(target: Target) -> Made {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let answer = folder.path().join("answer.json");
    let chip = chips().find(|chip| chip.target == target).expect("Mesa knows it");
    let output = Command::new(std::env::current_exe().expect("this executable"))
        .args(["child", "--exact", "--ignored", "--nocapture"])
        .envs(environment(Some(chip)))
        .env(CHIP, target.name())
        .env(ANSWER, &answer)
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{target}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&std::fs::read(&answer).expect("it answered")).expect("is JSON")
}

fn table(name: &str, rows: &[DriverStage]) -> LayoutTable {
    let program = pair(name);
    let options = Options::default();
    let packing = analyse(&program, &options).expect("analyses").packing.expect("it has an interface");
    let map = rewrite(&program, &options).expect("is rewritten").map;
    let mut tables = layouts(&packing, Some(&map), rows);
    assert_eq!(tables.len(), 1, "{name}: one device");
    tables.remove(0)
}

fn text(table: &LayoutTable) -> String {
    let mut out = String::new();
    for column in &table.columns {
        let slots = column.slots.map_or(String::new(), |slots| format!(", {slots} slots"));
        let _ = writeln!(out, "{} {}: {} attributes{slots}", column.of, column.link, column.attributes);
    }
    for row in &table.rows {
        let half = if row.packed.half { "h" } else { "" };
        let place = |place: &lanescope_core::packing::Place| format!("{}.{}", place.location, place.component);
        let _ = write!(out, "{:<18} {} -> {}{half}", row.variable, place(&row.from), place(&row.packed));
        for place in &row.driver {
            let at = match (place.attribute, place.channel) {
                (Some(attribute), Some(channel)) => format!("{attribute}.{channel}"),
                _ => "-".to_owned(),
            };
            let rule = place.rule.map_or(String::new(), |rule| format!(" {rule}"));
            let _ = write!(out, " | {at}{rule}");
        }
        let _ = writeln!(out);
    }
    out
}

/// Places that differ where the stages were compiled apart: each with its rule. All others are exact.
const EXCEPTIONS: [(&str, &str, LayoutRule); 6] = [
    // Only the low half of the 64-bit value is needed for what it is converted to.
    ("design_note", "v3", LayoutRule::ValueUnneeded),
    // One component of an array that is indexed at run time.
    ("dynamic_index", "layers[0]", LayoutRule::ValueUnneeded),
    ("dynamic_index", "layers[1]", LayoutRule::ValueUnneeded),
    ("dynamic_index", "layers[2]", LayoutRule::ValueUnneeded),
    ("dynamic_index", "layers[3]", LayoutRule::ValueUnneeded),
    // The array's second element is not read, and keeps its slot.
    ("matrix_and_array", "*", LayoutRule::ArrayWhole),
];

#[test]
fn every_difference_of_every_sample_has_a_rule_on_every_chip() {
    let mut report = String::new();
    let mut wrong: Vec<String> = Vec::new();
    for chip in CHIPS {
        let made = ask(chip);
        for name in PAIRS {
            let table = table(name, &made[name]);
            let columns: Vec<_> = table.columns.iter().map(|column| (column.of, column.link)).collect();
            use Version::{Original, Packed};
            let all = [(Original, Link::Apart), (Original, Link::Whole), (Packed, Link::Apart), (Packed, Link::Whole)];
            assert_eq!(columns, all, "{chip} {name}");
            let shown = text(&table);
            for row in &table.rows {
                for (place, (of, link)) in row.driver.iter().zip(&columns) {
                    if place.rule == Some(LayoutRule::Unattributed) {
                        wrong.push(format!("{chip} {name} {of} {link} {}: no rule", row.variable));
                    }
                    if let (Link::Apart, Some(rule)) = (link, place.rule) {
                        let listed = EXCEPTIONS.iter().any(|(sample, variable, known)| {
                            (*sample, *known) == (name, rule) && (*variable == "*" || *variable == row.variable)
                        });
                        if !listed {
                            wrong.push(format!("{chip} {name} {of} {link} {}: {rule} is not listed", row.variable));
                        }
                    }
                }
            }
            // Nobody puts two values into one place, unless they are the same one.
            for (index, column) in columns.iter().enumerate() {
                let places = table.rows.iter().filter_map(|row| {
                    let place = row.driver.get(index)?;
                    Some((place.attribute?, place.channel?)).filter(|_| place.rule != Some(LayoutRule::Duplicate))
                });
                let places: Vec<_> = places.collect();
                let different: BTreeSet<_> = places.iter().collect();
                if different.len() != places.len() {
                    wrong.push(format!("{chip} {name} {column:?}: two values in one place"));
                }
            }
            let _ = writeln!(report, "== {name} {chip}\n{shown}");
        }
    }
    insta::assert_snapshot!(report);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn quads_are_differentiated_by_the_permutes_of_their_lanes() {
    for chip in CHIPS {
        let made = ask(chip);
        for row in &made["quad_derivatives"] {
            let facts = read(row.isa.as_deref().expect("it has assembly"), StageKind::Compute);
            let lanes = |purpose| {
                let all = facts.quad_permutes.iter().filter(move |permute| permute.purpose == purpose);
                all.map(|permute| permute.lanes).collect::<BTreeSet<_>>()
            };
            // Lanes 4n to 4n+3 hold (0,0), (1,0), (0,1), (1,1): coarse x is lane 1 less lane 0, y lane 2 less lane 0.
            let x = BTreeSet::from([[0; 4], [1; 4]]);
            let y = BTreeSet::from([[0; 4], [2; 4]]);
            assert_eq!(lanes(QuadPurpose::DerivativeX), x, "{chip} {}", row.of);
            assert_eq!(lanes(QuadPurpose::DerivativeY), y, "{chip} {}", row.of);
        }
        // Without derivatives there is nothing to permute.
        for row in &made["tile_16x16"] {
            let facts = read(row.isa.as_deref().expect("it has assembly"), StageKind::Compute);
            assert!(facts.quad_permutes.is_empty(), "{chip} {}", row.of);
        }
    }
}
