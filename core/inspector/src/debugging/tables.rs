//! Tables of a stop.

use lanescope_core::interpreter::debugger::session::Beside;
use lanescope_core::table::{Cell, Column, Key, Meaning, Table, Width};

use super::DebugStop;

/// The variables of two programs. Keys are their indices.
pub fn beside_table(beside: &Beside, is_rewritten: bool) -> Table {
    let value = |title| Column::left(title).width(Width::AtMost(48));
    let mut table = Table::new([
        Column::left("Variable"),
        Column::left("Compared"),
        value("Original"),
        value("Rewritten"),
        Column::left("Type").width(Width::AtMost(24)),
    ])
    .titled("Variables")
    .with_words();
    for (index, row) in beside.variables.iter().enumerate() {
        let (own, other) = (row.value.as_deref().unwrap_or("-"), row.other.as_deref().unwrap_or("-"));
        let [original, rewritten] = if is_rewritten { [other, own] } else { [own, other] };
        let word = match (row.differs, row.value.is_some() == is_rewritten, row.value.is_some() && row.other.is_some())
        {
            (true, ..) => Cell::of(Meaning::Changed, "differs"),
            (false, _, true) => Cell::of(Meaning::Dimmed, "same"),
            (false, true, false) => Cell::of(Meaning::Dimmed, "only rewritten"),
            (false, false, false) => Cell::of(Meaning::Dimmed, "only original"),
        };
        let ty = Cell::of(Meaning::Dimmed, &row.ty);
        let cells = [Cell::code(&row.name), word, Cell::code(original), Cell::code(rewritten), ty];
        table.push(Key::Item(index), cells);
    }
    table
}

/// The name of the variable of a row of [`variable_table`].
pub fn variable_name(stop: &DebugStop, index: usize) -> Option<&str> {
    match &stop.beside {
        Some(beside) => beside.variables.get(index).map(|row| row.name.as_str()),
        None => stop.variables.get(index).map(|variable| variable.name.as_str()),
    }
}

/// Variables of the chosen lane; with those of the other program, where it is compared. Keys are their indices.
pub fn variable_table(stop: &DebugStop) -> Table {
    if let Some(beside) = &stop.beside {
        return beside_table(beside, stop.is_rewritten);
    }
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
