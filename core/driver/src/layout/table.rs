//! Driver places of varyings as a table: rows are scalars, columns compilations.

use super::{DriverPlace, LayoutColumn, LayoutRow, LayoutRule, LayoutTable};
use crate::{Link, Version};
use lanescope_base::findings::Severity;
use lanescope_base::text_format::counted;
use lanescope_passes::table::{Cell, Column, Key, Meaning, Part, Table};

impl LayoutTable {
    /// The places side by side: as written, as packed, and one column for each compilation.
    pub fn table(&self) -> Table {
        let ours = [
            Column::left("varying").help("name in the fragment shader"),
            Column::left("original").help("location and component in the original program"),
            Column::left("packed").help("slot and channel in the computed packing"),
        ];
        let driver = self.columns.iter().map(|column| {
            Column::left(format!("{}, {}", column.of, link(column.link)))
                .note(column.read_count("slot"))
                .help(about(column))
        });
        let mut out = Table::new(ours.into_iter().chain(driver));
        for row in &self.rows {
            let ours = [row.name(), row.from.to_string(), row.packed.to_string()].map(Cell::code);
            let key = Key::Varying { location: row.from.location.0, component: row.from.component.0 };
            out.push(key, ours.into_iter().chain(row.driver.iter().map(place)));
        }
        out
    }
}

impl LayoutRow {
    /// The scalar's name: `uv.x`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.variable, self.part())
    }
}

impl LayoutRule {
    /// The meaning of the rule's name in a table: an unattributed place is an error.
    pub fn meaning(self) -> Meaning {
        Meaning::Severity(if self == LayoutRule::Unattributed { Severity::Error } else { Severity::Note })
    }
}

fn place(place: &DriverPlace) -> Cell {
    let at = Cell::code(place);
    match place.rule {
        None => at,
        Some(rule) => at.and(Part::of(rule.meaning(), rule.name()).help(rule.why())),
    }
}

fn link(link: Link) -> &'static str {
    if link == Link::Apart { "apart" } else { "together" }
}

/// Which compilation a column is of, in a sentence.
fn about(column: &LayoutColumn) -> String {
    let of = match column.of {
        Version::Original => "Original program",
        Version::Packed => "Program with packed inputs",
        Version::Swizzled => "Program with swizzled ids",
    };
    let how = match column.link {
        Link::Apart => "pre-rasterization and fragment stages compiled apart",
        Link::Whole => "all stages compiled together, relinked by the driver",
    };
    let reads = format!("the fragment shader reads {}", column.read_count("slot"));
    let writes = column.slots.map(|slots| format!(", the previous stage exports {}", counted(slots, "slot")));
    format!("{of}, {how}; {reads}{}.", writes.unwrap_or_default())
}
