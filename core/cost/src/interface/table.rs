//! Tables of an interface's costs.

use lanescope_passes::table::{Cell, Column, Key, Meaning, Table};

use super::measured::{Agreement, MeasuredStage};
use super::report::{CostFigure, DrawSheet, InterfaceCost, SlotRow, SlotsBy, Value};

/// A row for each way to give out slots.
pub(super) fn slots_table(cost: &InterfaceCost) -> Table {
    let mut table = Table::new([
        Column::left("slots"),
        Column::right("generic").help("Slots of generic inputs"),
        Column::right("built-ins").help("Slots of built-ins that are passed as attributes"),
        Column::right("of a vertex").help("Slots that each vertex has"),
        Column::left("mark"),
        Column::left("").optional(),
    ]);
    for (at, row) in cost.slots.rows.iter().enumerate() {
        let number = |count: Option<u32>| count.map(|count| count.to_string()).unwrap_or_default();
        let generic = match row.at_most {
            Some(most) => format!("{} to {most}", row.generic),
            None => row.generic.to_string(),
        };
        let why = row.fallback.map(super::slots::fallback_words).unwrap_or_default();
        let cells = [
            Cell::from(slots_by(row, cost)),
            Cell::from(generic),
            Cell::from(number(row.built_ins)),
            Cell::from(number(row.of_vertex)),
            Cell::from(&*row.mark),
            Cell::from(why),
        ];
        table.push(Key::Item(at), cells);
    }
    table
}

/// The name of a row, with a mark for the selected one.
fn slots_by(row: &SlotRow, cost: &InterfaceCost) -> String {
    let name = match (row.by, row.order) {
        (SlotsBy::Written, _) => {
            let stage = cost.producer.map(|stage| stage.name()).unwrap_or_default();
            format!("written by the {stage} shader")
        }
        (SlotsBy::Original, _) => "read, as numbered by the shader".to_owned(),
        (SlotsBy::Order, Some(order)) => order.name().to_owned(),
        (SlotsBy::Order, None) => "packed".to_owned(),
        (SlotsBy::Optimum, _) => "optimum".to_owned(),
    };
    if row.selected { format!("{name} (selected)") } else { name }
}

/// Figures before and after packing.
fn figures_table<'f>(title: &str, figures: impl Iterator<Item = &'f CostFigure>) -> Table {
    let mut table = Table::new([
        Column::left(title),
        Column::right("original").help("As the shader numbers its locations"),
        Column::right("selected").help("Under the selected options"),
        Column::right("optimum").help("With the least number of slots"),
        Column::left("mark"),
        Column::left("rule"),
    ]);
    let value = |value: &Value| match value {
        Value::Unknown(why) => Cell::of(Meaning::Dimmed, value.text()).help(why.clone()),
        known => Cell::code(known.text()),
    };
    for (at, row) in figures.enumerate() {
        let optimum = row.optimum.as_ref().map_or_else(|| Cell::of(Meaning::Dimmed, "–"), value);
        let cells = [
            Cell::from(&*row.figure),
            value(&row.original),
            value(&row.selected),
            optimum,
            Cell::from(&*row.mark),
            Cell::from(&*row.rule),
        ];
        table.push(Key::Item(at), cells);
    }
    table
}

/// Figures of the stage before.
pub(super) fn previous_table(cost: &InterfaceCost) -> Table {
    figures_table("figure", cost.previous.iter())
}

/// Instructions that read inputs.
pub(super) fn interpolation_table(cost: &InterfaceCost) -> Table {
    // Packing changes none of them.
    figures_table("figure", cost.interpolation.iter()).only(&["figure", "selected", "mark", "rule"])
}

/// Figures of a draw.
pub(super) fn draw_table(draw: &DrawSheet) -> Table {
    figures_table("figure", draw.figures.iter())
}

/// The interface on other vendors' chips.
pub(super) fn vendors_table(cost: &InterfaceCost) -> Table {
    figures_table("figure", cost.vendors.iter())
}

/// LDS and waves by the number of primitives of a wave.
pub(super) fn lds_table(cost: &InterfaceCost) -> Table {
    let sheet = &cost.lds;
    let mark = &*sheet.mark;
    let [original, selected, optimum] = sheet.slots;
    let mut columns = vec![Column::right("primitives").note("of a wave"), Column::right("granule").note("S")];
    for (title, slots) in [("original", original), ("selected", selected), ("optimum", optimum)] {
        let help = format!("Bytes that a wave is allocated, with {slots} slots");
        columns.push(Column::right(format!("{title} B")).note(mark).help(help));
        columns.push(Column::right("waves").note(mark).help("Waves of a SIMD that fit"));
    }
    columns.push(Column::left("limited by").help("By the selected packing"));
    let mut table = Table::new(columns);
    for (at, row) in sheet.rows.iter().enumerate() {
        let by = if row.granule_by.is_empty() { String::new() } else { format!(" {}", row.granule_by) };
        let mut cells = vec![Cell::code(row.primitives), Cell::code(format!("{}{by}", row.granule))];
        for case in row.cases {
            cells.push(Cell::code(case.allocated));
            cells.push(Cell::code(case.occupancy.waves));
        }
        cells.push(Cell::from(row.cases[1].occupancy.limiter.name()));
        table.push(Key::Item(at), cells);
    }
    table
}

/// A driver's figures beside the predictions.
pub(super) fn measured_table(stage: &MeasuredStage) -> Table {
    let mut table = Table::new([
        Column::left("figure"),
        Column::right("predicted"),
        Column::right("driver"),
        Column::left("verdict"),
        Column::left("mark"),
        Column::left("note"),
    ]);
    for (at, row) in stage.figures.iter().enumerate() {
        let number = |count: Option<u64>| count.map_or_else(|| Cell::of(Meaning::Dimmed, "–"), Cell::code);
        let verdict = match row.verdict {
            Agreement::Agree => Cell::of(Meaning::Good, row.verdict.name()),
            Agreement::Differ => Cell::of(Meaning::Changed, row.verdict.name()),
            Agreement::NotCompared => Cell::of(Meaning::Dimmed, "–"),
        };
        let cells = [
            Cell::from(&row.figure),
            number(row.predicted),
            number(row.driver),
            verdict,
            Cell::from(&row.mark),
            Cell::from(&row.note),
        ];
        table.push(Key::Item(at), cells);
    }
    table
}
