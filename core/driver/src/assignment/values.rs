//! The places of varyings as values: one scalar of one compilation for each row, for programs.

use crate::layout::{LayoutTable, agreeing};
use lanescope_base::ids::Component;
use lanescope_passes::table::{Column, Table, one_line};

/// The columns: the compilation, the scalar and our places of it, then the compiler's.
const TITLES: [&str; 15] = [
    "place",
    "driver",
    "version",
    "stages",
    "variable",
    "part",
    "original",
    "packed",
    "rewritten",
    "slot",
    "channel",
    "half",
    "more",
    "rule",
    "reason",
];

/// One row for each scalar of each compilation. `slot` and `channel` are empty where the compiler has none for it, or
/// where its place is not known: `rule` tells these apart, `reason` says why it is not known. `more` has the other
/// channels that carry it, or what is computed from it.
pub fn varyings_values(tables: &[LayoutTable]) -> Table {
    let mut out = Table::new(TITLES.map(Column::left));
    for table in tables {
        for (at, column) in table.columns.iter().enumerate() {
            for row in &table.rows {
                let Some(place) = row.driver.get(at) else { continue };
                let more = place.more.iter().map(|at| format!("{}.{}", at.attribute, Component(at.channel).letter()));
                let number = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
                let rewritten = row.rewritten.map(|place| place.to_string()).unwrap_or_default();
                out.row(
                    [
                        table.place().to_owned(),
                        table.driver.clone(),
                        column.of.name().to_owned(),
                        column.link.name().to_owned(),
                        row.variable.clone(),
                        row.part().to_string(),
                        row.from.to_string(),
                        row.packed.to_string(),
                        rewritten,
                        number(place.attribute),
                        place.channel.map(|channel| Component(channel).letter().to_string()).unwrap_or_default(),
                        if place.high { "high" } else { "" }.to_owned(),
                        more.collect::<Vec<_>>().join(" "),
                        place.rule.map(|rule| rule.name()).unwrap_or_default().to_owned(),
                        place.reason.map(|reason| reason.name()).unwrap_or_default().to_owned(),
                    ]
                    .map(|text| one_line(&text).into()),
                );
            }
        }
    }
    out
}

/// For people: a Markdown table for the compilers that agree.
pub fn varyings_markdown(tables: &[LayoutTable]) -> String {
    let titled = |(places, table): (Vec<String>, &LayoutTable)| {
        let title = one_line(&places.join(", "));
        table.table().titled(title).to_markdown() + "\n"
    };
    agreeing(tables).into_iter().map(titled).collect()
}
