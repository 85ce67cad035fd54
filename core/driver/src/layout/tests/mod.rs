//! The tables of what three versions of Mesa returned for sample pairs: `layout_samples/VERSION/PAIR.LINK.STAGE.CHIP`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

mod other_vendors;

use super::super::isa::read;
use super::nir::Nir;
use super::reads::Reads;
use super::*;
use crate::Representation;
use lanescope_load::load;
use lanescope_model::options::Options;

/// The versions, as folders and as their drivers name them.
const VERSIONS: [(&str, &str); 3] = [
    ("mesa-22.3.6", "radv Mesa 22.3.6"),
    ("mesa-25.0.7", "radv Mesa 25.0.7-2+deb13u1"),
    ("mesa-26.2.6", "radv Mesa 26.2.6-1"),
];
const CHIPS: [&str; 4] = ["gfx900", "gfx1030", "gfx1100", "gfx1201"];
/// The pairs, and the product's samples that they are of.
const PAIRS: [(&str, &str); 5] = [
    ("design", "design_note"),
    ("flat", "flat_and_smooth"),
    ("half", "half_precision"),
    ("lit_surface", "lit_surface"),
    ("matrix", "matrix_and_array"),
];

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What one chip's driver returned for a pair, by what was compiled at once and by stage.
fn rows(version: &(&str, &str), chip: &str, pair: &str) -> Vec<DriverStage> {
    let folder = crate_folder().join("tests/data/layout_samples").join(version.0);
    let mut out = Vec::new();
    for link in Link::ALL {
        for stage in [StageKind::Vertex, StageKind::Fragment] {
            let read =
                |kind: &str| std::fs::read_to_string(folder.join(format!("{pair}.{link}.{stage}.{chip}.{kind}")));
            let Ok(nir) = read("nir") else { continue };
            let text = |name: &str, text| Representation { name: name.to_owned(), description: String::new(), text };
            out.push(DriverStage {
                device: chip.to_owned(),
                driver: version.1.to_owned(),
                target: chip.parse().ok(),
                icd: None,
                verified: None,
                of: Version::Original,
                link: *link,
                stage,
                entry: None,
                merged: Vec::new(),
                name: stage.to_string(),
                subgroup_size: Some(64),
                statistics: Vec::new(),
                common: Vec::new(),
                isa: read("s").ok(),
                facts: None,
                attributes: Vec::new(),
                origins: Vec::new(),
                lines: Vec::new(),
                derivatives: Vec::new(),
                texts: vec![text("NIR Shader(s)", nir)],
                notes: Vec::new(),
            });
        }
    }
    out
}

pub(super) fn program(sample: &str) -> Program {
    let folder = crate_folder().join("../../samples");
    let files: Vec<PathBuf> = ["vert", "frag"].iter().map(|kind| folder.join(format!("{sample}.{kind}"))).collect();
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Every pair, version and chip of which there are texts.
fn all() -> Vec<(&'static str, &'static str, &'static str, Program, Vec<DriverStage>)> {
    let mut out = Vec::new();
    for (pair, sample) in PAIRS {
        let program = program(sample);
        for version in &VERSIONS {
            for chip in CHIPS {
                let rows = rows(version, chip, pair);
                if !rows.is_empty() {
                    out.push((pair, version.0, chip, program.clone(), rows));
                }
            }
        }
    }
    assert_eq!(out.len(), 32);
    out
}

/// The packing of a sample.
pub(crate) fn packing(sample: &str) -> Packing {
    let report = lanescope_report::analyse(&program(sample), &Options::default()).expect("is analysed");
    report.packing.expect("a pair has an interface")
}

fn table_of(program: &Program, rows: &[DriverStage]) -> LayoutTable {
    let report = lanescope_report::analyse(program, &Options::default()).expect("is analysed");
    let packing = report.packing.expect("a pair has an interface");
    let mut tables = layouts_of(program, &report.options, &packing, rows);
    assert_eq!(tables.len(), 1, "one device");
    tables.remove(0)
}

fn text(table: &LayoutTable) -> String {
    let mut out = String::new();
    for column in &table.columns {
        let slots = column.slots.map_or(String::new(), |slots| format!(", {slots} slots"));
        let _ = writeln!(out, "{}: {} attributes{slots}", column.link, column.attributes);
    }
    for row in &table.rows {
        let _ = write!(out, "{:<18} {} -> {}", row.variable, row.from, row.packed);
        for place in &row.driver {
            let rule = place.rule.map_or(String::new(), |rule| format!(" {rule}"));
            let reason = place.reason.map_or(String::new(), |reason| format!(" ({reason})"));
            let _ = write!(out, " | {place}{rule}{reason}");
        }
        let _ = writeln!(out);
    }
    out
}

/// The channels of attributes that an assembly names, by a scan of its own.
fn channels_of(isa: &str) -> BTreeSet<(u32, u8)> {
    let mut out = BTreeSet::new();
    for line in isa.lines() {
        let code = line.split(';').next().unwrap_or_default();
        for part in code.split("attr").skip(1) {
            let Some((attribute, channel)) = part.split_once('.') else { continue };
            let channel = channel.chars().next().and_then(|letter| "xyzw".find(letter));
            if let (Ok(attribute), Some(channel)) = (attribute.parse(), channel) {
                out.insert((attribute, channel as u8));
            }
        }
    }
    out
}

#[test]
fn every_version_has_its_tables() {
    /// Tables as text, each with the chips that have it.
    type Tables<'a> = Vec<(String, Vec<&'a str>)>;
    let mut groups: BTreeMap<(&str, &str), Tables<'_>> = BTreeMap::new();
    for (pair, version, chip, program, rows) in all() {
        let text = text(&table_of(&program, &rows));
        let known = groups.entry((pair, version)).or_default();
        match known.iter_mut().find(|(other, _)| *other == text) {
            Some((_, chips)) => chips.push(chip),
            None => known.push((text, vec![chip])),
        }
    }
    let mut report = String::new();
    for ((pair, version), texts) in groups {
        for (text, chips) in texts {
            let _ = writeln!(report, "== {pair} {version} {}\n{text}", chips.join(" "));
        }
    }
    insta::assert_snapshot!(report);
}

#[test]
fn every_read_channel_is_attributed() {
    for (pair, version, chip, program, rows) in all() {
        let table = table_of(&program, &rows);
        // Alone the driver may read scalars that our liveness does not: they have no row. Compiled together, no more of
        // them may be without one.
        let mut without_row = 0;
        for (index, column) in table.columns.iter().enumerate() {
            let title = format!("{pair} {version} {chip} {}", column.link);
            let fragment = rows.iter().find(|row| (row.stage, row.link) == (StageKind::Fragment, column.link));
            let read = channels_of(fragment.and_then(|row| row.isa.as_deref()).expect("assembly"));
            let places: Vec<_> = table.rows.iter().map(|row| (row.from, &row.driver[index])).collect();
            let placed = places.iter().flat_map(|(_, place)| place.channels());
            let placed: BTreeSet<_> = placed.map(|at| (at.attribute, at.channel)).collect();
            assert!(placed.is_subset(&read), "{title}: a place that nothing reads");
            let is_open = places.iter().any(|(_, place)| place.rule == Some(LayoutRule::Unattributed));
            let rest = read.difference(&placed).count();
            match column.link {
                Link::Apart => without_row = rest,
                Link::Whole => {
                    assert!(is_open || rest <= without_row, "{title}: {read:?} is read, {placed:?} is explained");
                }
            }
            // A location's attribute is that of its scalars that have one.
            for (from, _) in places.iter().filter(|(_, place)| place.rule == Some(LayoutRule::ValueUnneeded)) {
                let beside = places.iter().filter(|(other, _)| other.location == from.location);
                for attribute in beside.filter_map(|(_, place)| place.attribute) {
                    let is_read = read.contains(&(attribute, from.component.0));
                    assert!(column.link == Link::Whole || !is_read, "{title}: {from} is read");
                }
            }
        }
    }
}

#[test]
fn no_scalar_is_unneeded_where_texts_disagree() {
    let mut cut = 0;
    for (pair, version, chip, program, rows) in all() {
        let is_load = |line: &str| line.contains("load_interpolated_input") || line.contains("load_input");
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.stage == StageKind::Fragment) {
            let count = row.texts[0].text.lines().filter(|line| is_load(line)).count();
            // The first and the last load, and one between.
            for gone in [0, count / 2, count - 1] {
                let mut rows = rows.clone();
                let mut seen = 0;
                let lines = row.texts[0].text.lines().filter(|line| {
                    seen += usize::from(is_load(line));
                    !is_load(line) || seen != gone + 1
                });
                rows[index].texts[0].text = lines.collect::<Vec<_>>().join("\n");
                // Where both halves of a channel are read, one alone leaves it read.
                let nir = Nir::read(&rows[index].texts[0].text).expect("a form");
                let isa = read(row.isa.as_deref().expect("assembly"), StageKind::Fragment);
                let there = isa.interpolations.iter().map(|read| (read.attribute, read.channel)).collect();
                if Reads::of(&nir).agrees(&there) {
                    continue;
                }
                cut += 1;
                let table = table_of(&program, &rows);
                let column = table.columns.iter().position(|column| column.link == row.link).expect("a column");
                for scalar in &table.rows {
                    let rule = scalar.driver[column].rule;
                    assert_ne!(rule, Some(LayoutRule::ValueUnneeded), "{pair} {version} {chip} {}", scalar.variable);
                }
            }
        }
    }
    assert!(cut > 100, "{cut} texts were cut");
}

#[test]
fn a_line_that_is_not_understood_may_read_any_channel() {
    let mut changed = 0;
    for (pair, version, chip, program, rows) in all() {
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.stage == StageKind::Fragment) {
            let mut rows = rows.clone();
            let code = row.isa.as_deref().expect("assembly");
            rows[index].isa = Some(format!("{code}\n(invalid instruction)\n"));
            let table = table_of(&program, &rows);
            let at = table.columns.iter().position(|column| column.link == row.link).expect("a column");
            let title = format!("{pair} {version} {chip} {}", row.link);
            assert!(table.columns[at].at_least, "{title}");
            let count = table.columns[at].read_count("slot");
            assert!(count.starts_with("at least "), "{title}: {count}");
            for scalar in &table.rows {
                let place = &scalar.driver[at];
                assert_ne!(place.rule, Some(LayoutRule::ValueUnneeded), "{title}: {}", scalar.variable);
                changed += usize::from(place.reason == Some(Reason::NotUnderstood));
            }
        }
    }
    assert!(changed > 0, "some scalars were unneeded before");
}
