//! What can be found in a readable shader. A code is never reused; `lanescope help findings` prints the table, and
//! `lanescope help CODE` what a code means.

mod bitcode;
mod container;
mod dxil;
mod example;
mod fossilize;
mod graph;
mod isa;
mod layout;
mod load;
mod opcodes;
mod packing;
mod pipe;
mod registers;
mod workgroup;

use serde::{Deserialize, Serialize};

pub use self::bitcode::*;
pub use self::container::*;
pub use self::dxil::*;
pub use self::example::Example;
pub use self::fossilize::*;
pub use self::graph::*;
pub use self::isa::*;
pub use self::layout::*;
pub use self::load::*;
pub use self::opcodes::*;
pub use self::packing::*;
pub use self::pipe::*;
pub use self::registers::*;
pub use self::workgroup::*;
use crate::options::named_enum;
use crate::program::StageKind;

named_enum!(
    /// How bad a finding is. Errors decide the exit status.
    Severity {
        /// A rule is broken.
        Error = "error",
        /// Legal, but likely not what was meant.
        Warning = "warning",
        /// Worth knowing.
        Note = "note",
    }
);

/// One violation of a rule, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule's stable code.
    pub code: String,
    /// Its severity, from the table.
    pub severity: Severity,
    /// The stage that breaks it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stage: Option<StageKind>,
    /// What was found, with its numbers: one line.
    pub message: String,
    /// Variable, instruction or entry point.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<String>,
    /// Line of a container's disassembly.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<ListingLine>,
    /// Full output of the tool that the message quotes, where the message leaves something out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub details: Option<String>,
}

/// A line of the numbered disassembly of one container's program, as [`crate::dxil::Dxil::disassembly`] gives it. What
/// shows that text can mark the line, or go there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListingLine {
    /// Index of the container's file in the report's `inputs`.
    pub input: usize,
    /// The line, from 1.
    pub line: u32,
}

/// One row of the table of findings.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code: the letter of an area, then a number; for pipeline files and databases the format, then a word.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The violation, in one line: a subject and a verb, lower case, without a period.
    pub about: &'static str,
    /// The rule behind the code, in one or more sentences.
    pub meaning: &'static str,
    /// An input that raises it.
    pub example: Example,
    /// What to do about it.
    pub remedy: &'static str,
}

/// Rules of one part of the program.
#[derive(Debug)]
pub struct Area {
    /// What the codes start with.
    pub prefix: &'static str,
    /// The heading in lists of codes.
    pub title: &'static str,
    /// The rules, in the order of their codes.
    pub rules: &'static [&'static Rule],
}

/// Defines the table of one area. A rule without an explanation does not compile.
macro_rules! table {
    (area: $area:ident = $prefix:literal, $title:literal; $($name:ident = $code:literal, $severity:ident, $about:literal {
        meaning: $meaning:literal,
        example: $example:expr,
        remedy: $remedy:literal,
    })+) => {
        $(
            #[doc = $about]
            pub const $name: &Rule = &Rule {
                code: $code,
                severity: Severity::$severity,
                about: $about,
                meaning: $meaning,
                example: $example,
                remedy: $remedy,
            };
        )+

        pub(super) const $area: Area = Area { prefix: $prefix, title: $title, rules: &[$($name),+] };
    };
}
use table;

/// Every rule, by area.
pub const AREAS: &[Area] =
    &[LOADING, PACKING, WORKGROUP, REGISTERS, LAYOUT, ISA, CONTAINER, BITCODE, OPCODES, DXIL, GRAPH, FOSSILIZE, PIPE];

impl Rule {
    /// A finding under this rule.
    pub fn at(&self, stage: Option<StageKind>, place: Option<String>, message: impl Into<String>) -> Finding {
        let code = self.code.to_owned();
        Finding { code, severity: self.severity, stage, message: message.into(), place, line: None, details: None }
    }
}

/// Every rule, area by area.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    AREAS.iter().flat_map(|area| area.rules).copied()
}

/// The row of a code, in upper or lower case.
pub fn rule(code: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.code.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

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
        let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
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
