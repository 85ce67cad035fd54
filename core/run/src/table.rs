//! Outputs of a run as tables: rows of a buffer, disagreements of a probe.

use super::mapping::{Disagreement, Probe};
use lanescope_base::findings::Severity;
use lanescope_passes::table::{Cell, Column, Key, Meaning, Part, Table, Width};
use lanescope_spirv::shape::Row;

/// A table for rows of a buffer, without rows yet: of one run, or of the original and the rewritten program.
pub fn buffer_table(two: bool) -> Table {
    let place = [Column::right("Offset"), Column::left("Member")];
    let values = if two {
        let differs = Column::left("Differs").width(Width::Sign);
        vec![Column::left("Original"), differs, Column::left("Rewritten")]
    } else {
        vec![Column::left("Value")]
    };
    Table::new(place.into_iter().chain(values)).with_words()
}

/// The cells of a row of a buffer: of one run, or of both, with whether they differ.
pub fn buffer_cells(row: &Row, other: Option<(Option<&Row>, bool)>) -> Vec<Cell> {
    let differs = other.is_some_and(|(_, differs)| differs);
    let meaning = if differs { Meaning::Changed } else { Meaning::Plain };
    let value = |row: Option<&Row>| {
        let values = row.map(|row| row.values.as_slice()).unwrap_or_default();
        let values: Vec<_> = values.iter().map(|value| value.to_string().replace('"', "")).collect();
        Cell::code(values.join(", ")).meaning(meaning)
    };
    let path = if row.path.is_empty() { "-" } else { row.path.as_str() };
    let mut cells = vec![Cell::code(row.offset).meaning(Meaning::Dimmed), Cell::code(path), value(Some(row))];
    if let Some((other, differs)) = other {
        let sign = if differs { Cell::of(Meaning::Changed, "≠") } else { Cell::default() };
        cells.extend([sign, value(other)]);
    }
    cells
}

/// Where each invocation ran, and where that is not as predicted; a row selects an invocation by its index.
pub fn lane_table(probe: &Probe) -> Table {
    let numbers = ["x", "y", "z", "index", "subgroup", "lane", "order"].map(Column::right);
    let rest = [Column::left("quad").optional(), Column::left("disagrees").optional()];
    let mut out = Table::new(numbers.into_iter().chain(rest));
    for (index, lane) in probe.lanes.iter().enumerate() {
        let wrong = probe.disagreements.iter().filter(|found| found.id == lane.id);
        let wrong = wrong.map(|found| format!("{} {}, expected {}", found.what, found.measured, found.predicted));
        let wrong = wrong.collect::<Vec<_>>().join("; ");
        let [x, y, z] = lane.id;
        let numbers = [x, y, z, lane.index, lane.subgroup, lane.lane, lane.order].map(Cell::code);
        let quad = lane.quad.map(|quad| format!("[{}]", quad.map(|lane| lane.to_string()).join(", ")));
        let quad = quad.unwrap_or_default();
        let rest = [Cell::code(quad), Cell::of(Meaning::Severity(Severity::Error), wrong)];
        out.push(Key::Item(index), numbers.into_iter().chain(rest));
    }
    out
}

/// What was measured otherwise than predicted; a row selects a disagreement by its index.
pub fn disagreement_table(all: &[Disagreement]) -> Table {
    let numbers = ["Predicted", "Measured"].map(Column::right);
    let mut out = Table::new(["Invocation", "What"].map(Column::left).into_iter().chain(numbers)).with_words();
    for (index, found) in all.iter().enumerate() {
        let [x, y, z] = found.id;
        let measured = Part::code(format!("≠ {}", found.measured));
        let cells = [
            Cell::code(format!("({x}, {y}, {z})")),
            Cell::code(&found.what),
            Cell::code(&found.predicted),
            Part { meaning: Meaning::Severity(Severity::Error), ..measured }.into(),
        ];
        out.push(Key::Item(index), cells);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(offset: u64, value: u32) -> Row {
        Row { path: String::new(), offset, values: vec![value.into(), "NaN".into()] }
    }

    #[test]
    fn marks_rows_that_differ() {
        let mut one = buffer_table(false);
        one.row(buffer_cells(&row(4, 7), None));
        assert_eq!(one.to_text(80), "offset  member  value\n     4  -       7, NaN\n");
        let mut two = buffer_table(true);
        two.row(buffer_cells(&row(0, 7), Some((Some(&row(0, 8)), true))));
        two.row(buffer_cells(&row(4, 7), Some((None, false))));
        assert_eq!(
            two.to_tabs(),
            "Offset\tMember\tOriginal\tDiffers\tRewritten\n0\t-\t7, NaN\t≠\t8, NaN\n4\t-\t7, NaN\t\t\n"
        );
    }
}
