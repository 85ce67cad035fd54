//! Tables of a stop.

use lanescope_core::table::{Cell, Column, Key, Meaning, Table, Width};

use super::DebugStop;

/// Variables of the chosen lane. Keys are their indices.
pub fn variable_table(stop: &DebugStop) -> Table {
    let mut table = Table::new([
        Column::left("Variable"),
        Column::left("Type").width(Width::AtMost(24)),
        Column::left("Value").width(Width::AtMost(48)),
    ])
    .titled("Variables")
    .with_words();
    for (index, variable) in stop.variables.iter().enumerate() {
        table.push(
            Key::Item(index),
            [Cell::code(&variable.name), Cell::of(Meaning::Dimmed, &variable.ty), Cell::code(&variable.value)],
        );
    }
    table
}

/// Breakpoints and watchpoints. Keys are their indices.
pub fn breakpoint_table(stop: &DebugStop) -> Table {
    let columns = [Column::left("Breakpoint"), Column::left("At"), Column::right("Hits"), Column::right("Ignored")];
    let mut table = Table::new(columns).titled("Breakpoints").with_words();
    for (index, row) in stop.breakpoints.iter().enumerate() {
        let ignored = match row.ignored.saturating_sub(row.hits) {
            0 => Cell::of(Meaning::Dimmed, "-"),
            more => Cell::code(format!("next {more}")),
        };
        table.push(Key::Item(index), [Cell::code(row.number), Cell::code(&row.text), Cell::code(row.hits), ignored]);
    }
    table
}
