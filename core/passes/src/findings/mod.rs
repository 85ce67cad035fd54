//! The table of findings. A code is never reused; `lanescope help findings` prints the table, and
//! `lanescope help CODE` what a code means.

mod code_object;
mod graph;
mod isa;
mod layout;
mod packing;
mod registers;

use std::collections::BTreeSet;

pub use lanescope_base::findings::*;
pub use lanescope_dxil::findings::*;
pub use lanescope_model::findings::*;
pub use lanescope_pipeline::findings::*;

pub use self::code_object::*;
pub use self::graph::*;
pub use self::isa::*;
pub use self::layout::*;
pub use self::packing::*;
pub use self::registers::*;

use crate::table::{Cell, Column, Key, Meaning, Table};

/// Every rule, by area.
pub const AREAS: &[Area] = &[
    LOADING,
    PACKING,
    WORKGROUP,
    REGISTERS,
    LAYOUT,
    ISA,
    CONTAINER,
    BITCODE,
    OPCODES,
    DXIL,
    GRAPH,
    EXECUTION,
    FOSSILIZE,
    STATE_OBJECTS,
    PIPE,
    SHADER_TEST,
    CODE_OBJECT,
];

/// Every rule, area by area.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    AREAS.iter().flat_map(|area| area.rules).copied()
}

/// The row of a code, in upper or lower case.
pub fn rule(code: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.code.eq_ignore_ascii_case(code))
}

/// The findings without those that say the same of the same place again, in their order.
pub fn distinct<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<&'f Finding> {
    let mut seen = BTreeSet::new();
    let key = |finding: &'f Finding| {
        let line = finding.line.map(|line| (line.input, line.line));
        (&finding.code, finding.stage, &finding.place, line, &finding.message)
    };
    findings.into_iter().filter(|finding| seen.insert(key(finding))).collect()
}

/// The area of a code, by its index in [`AREAS`]; a code that is not known is after all areas.
pub fn area_of(code: &str) -> usize {
    let has = |area: &Area| area.rules.iter().any(|rule| rule.code.eq_ignore_ascii_case(code));
    AREAS.iter().position(has).unwrap_or(AREAS.len())
}

/// Findings as a table; a row selects one by its index.
pub fn table(findings: &[&Finding]) -> Table {
    let mut out = Table::new(["Severity", "Code", "Stage", "Place", "Finding"].map(Column::left));
    for (index, finding) in findings.iter().enumerate() {
        let cells = [
            Cell::of(Meaning::Severity(finding.severity), finding.severity.name()),
            Cell::code(&finding.code).help(rule(&finding.code).map_or("", |rule| rule.about)),
            finding.stage.map(|stage| stage.name()).unwrap_or_default().into(),
            finding.place_text().into(),
            (&finding.message).into(),
        ];
        out.push(Key::Item(index), cells);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_finding_is_listed_once() {
        let at = |place: &str| ALIASED_INPUT.at(None, Some(Place::variable(place)), "read twice");
        let all = [at("a"), at("b"), at("a")];
        assert_eq!(distinct(&all), [&all[0], &all[1]]);
    }

    #[test]
    fn every_code_has_its_area() {
        for (index, area) in AREAS.iter().enumerate() {
            assert!(area.rules.iter().all(|rule| area_of(rule.code) == index), "{}", area.title);
        }
        assert_eq!(area_of("Z1"), AREAS.len());
    }

    #[test]
    fn codes_are_unique_and_ordered_within_their_area() {
        let mut codes = BTreeSet::new();
        for area in AREAS {
            assert!(area.rules.is_sorted_by(|a, b| a.code < b.code), "{}", area.title);
            for rule in area.rules {
                assert!(rule.code.starts_with(area.prefix), "{} in {}", rule.code, area.title);
                assert!(codes.insert(rule.code.to_ascii_lowercase()), "{}", rule.code);
            }
        }
    }

    #[test]
    fn the_table_of_codes_is_a_contract() {
        let table: Vec<_> = rules().map(|r| format!("{} {:7} {}", r.code, r.severity, r.about)).collect();
        insta::assert_snapshot!(table.join("\n"));
    }

    #[test]
    fn finds_rules_in_any_case() {
        assert_eq!(rule("c10"), Some(PART_OVERLAP));
        assert_eq!(rule("FOZ.CRC"), Some(FOZ_CRC));
        assert_eq!(rule("C"), None);
    }

    /// The line of a code is a clause: a lower-case subject and what is wrong with it. The rest are whole sentences.
    #[test]
    fn every_code_has_a_line_and_an_explanation() {
        for rule in rules() {
            let about = rule.about;
            let starts_with_name = about.starts_with(|c: char| c.is_uppercase()) && {
                let first = about.split([' ', '\'']).next().unwrap_or_default();
                first.chars().filter(|c| c.is_uppercase()).count() > 1
            };
            assert!(starts_with_name || about.starts_with(|c: char| !c.is_uppercase()), "{}: {about}", rule.code);
            assert!(!about.ends_with('.') && !about.contains('\n'), "{}: {about}", rule.code);
            for text in [rule.meaning, rule.remedy] {
                assert!(text.ends_with('.') && !text.contains('\n'), "{}: {text}", rule.code);
                assert!(text.split_whitespace().count() >= 2, "{}: {text}", rule.code);
                assert_ne!(text, about, "{}", rule.code);
            }
            assert!(!rule.example.text().trim().is_empty(), "{}", rule.code);
        }
    }

    #[test]
    fn examples_name_samples_that_exist() {
        let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        for rule in rules() {
            let own: Vec<&str> = rule.example.files().iter().map(|file| file.0).collect();
            for name in rule.example.samples() {
                assert!(own.contains(&name) || samples.join(name).is_file(), "{}: {name}", rule.code);
            }
            if let Example::Changed { sample, bytes, .. } = rule.example {
                let file = std::fs::read(samples.join(sample)).expect("reads");
                let changed = rule.example.changed(&file).expect("the offsets are in the file");
                assert!(changed != file && !bytes.is_empty(), "{} changes nothing", rule.code);
            }
        }
    }
}
