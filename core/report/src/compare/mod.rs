//! Two reports, section by section: what one says, what the other says, and what differs.
//!
//! ```text
//! Side + Side ──compare──▶ Comparison ──▶ text · JSON · pictures · the window's tab
//! ```
//!
//! What is compared is what a driver does: where a scalar lands, which thread runs an invocation, what a register holds.
//! SPIR-V ids are not: they change with every compilation. Rows are paired by name, and the rest by
//! position, so that a varying that moved or was renamed is one changed row, not one removed and one added.
//!
//! A new section is one line in `SECTIONS` and one file.

pub use table::RowFilter;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::Report;
use lanescope_base::named_enum;
use lanescope_driver::isa::without_encodings;
use lanescope_driver::{Change, DriverStage};
use lanescope_passes::packing::Packing;

mod driver;
mod lanes;
mod packing;
mod pairing;
mod registers;
mod table;
#[cfg(test)]
mod tests;

/// One of the two that are compared.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// Its report.
    pub report: &'a Report,
    /// What drivers' compilers produced: the report's own rows, or those that were requested in addition.
    pub driver: &'a [DriverStage],
}

impl<'a> Side<'a> {
    /// Its interfaces: the fragment shader's first.
    pub fn interfaces(self) -> Vec<&'a Packing> {
        self.report.packing.iter().chain(&self.report.inner_packing).collect()
    }
}

impl<'a> From<&'a Report> for Side<'a> {
    fn from(report: &'a Report) -> Self {
        Side { report, driver: &report.driver }
    }
}

named_enum!(
    /// A part of the reports.
    Part {
        /// Where the scalars of an interface land.
        Packing = "packing",
        /// Which thread of a workgroup runs which invocation.
        Lanes = "lanes",
        /// Register values.
        Registers = "registers",
        /// The numbers of drivers' compilers.
        Statistics = "statistics",
        /// Their assembly.
        Isa = "isa",
    }
);

/// Compares a part.
type Compare = fn([Side<'_>; 2]) -> Section;

/// The parts that are compared, in the order in which they are shown.
const SECTIONS: [Compare; 5] = [packing::section, lanes::section, registers::section, driver::statistics, driver::isa];

/// What two reports have to say about each other.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// Nothing differs in any section. Options do not count: they are not what a driver does.
    pub equal: bool,
    /// The options that differ; both values as reports spell them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub options: Vec<Row>,
    /// One a part, in a fixed order.
    pub sections: Vec<Section>,
}

/// One part of the reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// Which it is.
    pub name: Part,
    /// Nothing in it differs.
    pub equal: bool,
    /// Whether the first and the second report have anything of it.
    pub present: [bool; 2],
    /// What is compared, row by row.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rows: Vec<Row>,
    /// The pairs of layouts and the invocations that differ in each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub layouts: Vec<LayoutPair>,
    /// The pairs of texts.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub texts: Vec<TextPair>,
}

/// One thing that both sides, or one of them, say something about.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// What it belongs to: `fragment inputs`, `compute main`, `fragment, packed`; empty for what belongs to all.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub of: String,
    /// What it is: `uv.x`, `SPI_PS_INPUT_CNTL_0`, `VGPRS [5:0]`.
    pub name: String,
    /// What became of it.
    pub kind: Kind,
    /// What the first side says of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub left: Option<String>,
    /// What the second side says of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub right: Option<String>,
    /// The difference of two numbers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub change: Option<Change>,
    /// The second side's reason (the first one's, where the second has none).
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub why: String,
    /// Its parts that differ: the fields of a register.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rows: Vec<Row>,
    /// Where each side has it: an index into the list of the report that its section is about.
    #[serde(skip)]
    pub source: [Option<usize>; 2],
}

named_enum!(
    /// What became of a row.
    Kind {
        /// Both sides say the same.
        Same = "same",
        /// They say different things.
        Changed = "changed",
        /// Only the first side has it.
        Removed = "removed",
        /// Only the second side has it.
        Added = "added",
    }
);

#[allow(clippy::derivable_impls, reason = "the enum is declared by a macro")]
impl Default for Kind {
    fn default() -> Self {
        Kind::Same
    }
}

impl Kind {
    /// One character for it.
    pub fn sign(self) -> &'static str {
        match self {
            Kind::Same => "=",
            Kind::Changed => "≠",
            Kind::Removed => "−",
            Kind::Added => "+",
        }
    }
}

/// Two layouts of one entry point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutPair {
    /// The entry point and its stage: `main (compute)`.
    pub name: String,
    /// Their indices in each report's `workgroup`.
    pub source: [Option<usize>; 2],
    /// The invocations that both have and that another thread runs, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub moved: Vec<[u32; 3]>,
}

/// Two texts of one stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextPair {
    /// What they are: `fragment, gfx1030 packed`.
    pub name: String,
    /// Both exist and are equal.
    pub equal: bool,
    /// Their indices in each side's `driver` rows.
    pub source: [Option<usize>; 2],
    /// The difference as `diff -u` writes it, where it was filled in: see [`Comparison::fill_diffs`].
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub diff: String,
}

/// Compares two reports.
pub fn compare(left: Side<'_>, right: Side<'_>) -> Comparison {
    let sections: Vec<Section> = SECTIONS.iter().map(|section| section([left, right])).collect();
    let options = left.report.options.differences(&right.report.options).into_iter();
    let options = options.map(|found| Row::new("", found.name, [Some(found.value), Some(found.base)], [None, None]));
    Comparison { equal: sections.iter().all(|section| section.equal), options: options.collect(), sections }
}

impl Comparison {
    /// A section.
    pub fn section(&self, name: Part) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// Leaves out every row and text that is the same on both sides.
    pub fn keep_changes(&mut self) {
        for section in &mut self.sections {
            section.rows.retain(|row| row.kind != Kind::Same);
            section.texts.retain(|text| !text.equal);
            section.layouts.retain(|pair| !pair.moved.is_empty());
        }
    }

    /// Fills in the differences of texts with a line diff: `diff` gets the name and both texts, without encodings and
    /// addresses.
    pub fn fill_diffs(&mut self, sides: [Side<'_>; 2], diff: impl Fn(&str, [&str; 2]) -> String) {
        for text in self.sections.iter_mut().flat_map(|section| &mut section.texts).filter(|text| !text.equal) {
            let [left, right] = text.texts(sides).map(without_encodings);
            text.diff = diff(&text.name, [&left, &right]);
        }
    }
}

impl Section {
    fn new(name: Part, present: [bool; 2], rows: Vec<Row>) -> Section {
        let equal = rows.iter().all(|row| row.kind == Kind::Same);
        Section { name, equal, present, rows, layouts: Vec::new(), texts: Vec::new() }
    }

    /// How many of its rows and texts differ. Texts that one side lacks do not count.
    pub fn differences(&self) -> usize {
        let rows = self.rows.iter().filter(|row| row.kind != Kind::Same).count();
        let both = self.texts.iter().filter(|text| text.source.iter().all(Option::is_some));
        rows + both.filter(|text| !text.equal).count()
    }
}

impl Row {
    fn new(of: &str, name: impl Into<String>, values: [Option<String>; 2], source: [Option<usize>; 2]) -> Row {
        let [left, right] = values;
        let kind = match (&left, &right) {
            (Some(left), Some(right)) if left != right => Kind::Changed,
            (Some(_), None) => Kind::Removed,
            (None, Some(_)) => Kind::Added,
            _ => Kind::Same,
        };
        Row { of: of.to_owned(), name: name.into(), kind, left, right, source, ..Row::default() }
    }

    /// A row of something that both sides have, which is looked at in one way.
    fn both<T>(of: &str, name: &str, sides: [Option<&T>; 2], show: impl Fn(&T) -> String) -> Row {
        Row::new(of, name, sides.map(|side| side.map(&show)), [None, None])
    }

    fn because(self, why: impl Into<String>) -> Row {
        Row { why: why.into(), ..self }
    }
}

impl TextPair {
    /// Both texts; an empty one where a side has none.
    pub fn texts<'a>(&self, sides: [Side<'a>; 2]) -> [&'a str; 2] {
        let [left, right] = self.source;
        let text = |side: Side<'a>, index: Option<usize>| {
            index.and_then(|index| side.driver.get(index)).and_then(|row| row.isa.as_deref()).unwrap_or("")
        };
        [text(sides[0], left), text(sides[1], right)]
    }
}
