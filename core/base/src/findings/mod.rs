//! Violated rules: what a finding says, and the table of a code.

mod example;
mod place;
mod stored;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

pub use self::example::Example;
pub use self::place::{Place, SourceLine};
use self::stored::Stored;
use crate::StageKind;
use crate::named_enum;

named_enum!(
    /// Severity of a finding. Errors decide the exit status.
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
#[serde(from = "Stored", into = "Stored")]
pub struct Finding {
    /// The rule's stable code.
    pub code: String,
    /// Its severity, from the table.
    pub severity: Severity,
    /// The stage that breaks it.
    pub stage: Option<StageKind>,
    /// The message, with its numbers: one line.
    pub message: String,
    /// Variable, instruction or entry point.
    pub place: Option<Place>,
    /// Line of a container's disassembly.
    pub line: Option<ListingLine>,
    /// Full output of the tool that the message quotes, where the message leaves something out.
    pub details: Option<String>,
}

impl JsonSchema for Finding {
    fn schema_name() -> Cow<'static, str> {
        Stored::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        Stored::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Stored::json_schema(generator)
    }
}

impl Finding {
    /// Whether it is of one of these rules.
    pub fn is_of(&self, rules: &[&Rule]) -> bool {
        rules.iter().any(|rule| rule.code == self.code)
    }

    /// The text of the place; empty where the finding names none.
    pub fn place_text(&self) -> String {
        self.place.as_ref().map(Place::to_string).unwrap_or_default()
    }
}

/// A line of the numbered disassembly of one container's program, as `Dxil::disassembly` of lanescope-dxil gives it. What
/// shows that text can mark the line, or go there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// Severity.
    pub severity: Severity,
    /// The violation, in one line: a subject and a verb, lower case, without a period.
    pub about: &'static str,
    /// The rule of the code, in one or more sentences.
    pub meaning: &'static str,
    /// An input that raises it.
    pub example: Example,
    /// The remedy.
    pub remedy: &'static str,
}

/// Rules of one part of the program.
#[derive(Debug)]
pub struct Area {
    /// Prefix of the codes.
    pub prefix: &'static str,
    /// The heading in lists of codes.
    pub title: &'static str,
    /// The rules, in the order of their codes.
    pub rules: &'static [&'static Rule],
}

/// Defines the table of one area. A rule without an explanation does not compile.
#[macro_export]
macro_rules! rule_table {
    (area: $area:ident = $prefix:literal, $title:literal; $($name:ident = $code:literal, $severity:ident, $about:literal {
        meaning: $meaning:literal,
        example: $example:expr,
        remedy: $remedy:literal,
    })+) => {
        $(
            #[doc = $about]
            pub const $name: &$crate::findings::Rule = &$crate::findings::Rule {
                code: $code,
                severity: $crate::findings::Severity::$severity,
                about: $about,
                meaning: $meaning,
                example: $example,
                remedy: $remedy,
            };
        )+

        /// The rules of this file.
        pub const $area: $crate::findings::Area = $crate::findings::Area { prefix: $prefix, title: $title, rules: &[$($name),+] };
    };
}

impl Rule {
    /// A finding under this rule.
    pub fn at(&self, stage: Option<StageKind>, place: Option<Place>, message: impl Into<String>) -> Finding {
        let code = self.code.to_owned();
        Finding { code, severity: self.severity, stage, message: message.into(), place, line: None, details: None }
    }
}
