//! Results of `lanescope corpus`: their lines, filters of their rows, thresholds.

use std::sync::OnceLock;

use lanescope_core::corpus::{Columns, Comparison, Measure, ResultTable, Row, RowFilter, Summary, Threshold, measure};
use lanescope_core::options::Options;

/// Rows that are read of an input.
const MOST: usize = 64;

/// Lines of a result: as the table shows them, as CSV, compared with themselves.
pub fn rows(data: &[u8]) {
    let read = |line: &[u8]| serde_json::from_slice::<Row>(line).ok();
    let rows: Vec<Row> = data.split(|byte| *byte == b'\n').filter_map(read).take(MOST).collect();
    let (mut table, mut columns) = (ResultTable::default(), Columns::default());
    let (mut comparison, mut summary) = (Comparison::default(), Summary::default());
    for (offset, row) in rows.iter().enumerate() {
        table.push(row, offset as u64);
        columns.add(row);
        summary.add(row);
        comparison.add_before(row.clone());
    }
    for row in &rows {
        let _ = columns.lines(row);
        comparison.add_after(row.clone());
    }
    for column in table.columns() {
        let order = table.order(column, true);
        assert_eq!(order.len(), table.len(), "each row has its place");
        for row in 0..table.len() {
            let _ = (table.text(row, column), table.number(row, column));
        }
    }
    let _ = (summary.tables(), comparison.lines(), comparison.table(), comparison.extremes());
}

/// Rows of a sample, as a result has them.
pub fn sample_rows() -> Vec<Row> {
    let all = ["design_note.vert", "tiled_blur.pipe", "shared_location.spvasm"];
    let rows = all.iter().enumerate().map(|(number, name)| {
        let program = crate::program(name, crate::embedded(name)).unwrap_or_else(|error| panic!("{error}"));
        let mut row = Row::new(number as u64, (*name).to_owned(), String::new());
        let wanted = Measure::USUAL.into_iter().collect();
        measure(&mut row, &program, &Options::default(), &wanted, &())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        row
    });
    rows.collect()
}

/// A filter of the rows of samples, and the same text as a threshold.
pub fn filter(data: &[u8]) {
    static TABLE: OnceLock<ResultTable> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = ResultTable::default();
        for row in sample_rows() {
            table.push(&row, 0);
        }
        table
    });
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = text.parse::<Threshold>();
    if let Ok(filter) = RowFilter::parse(text, table) {
        let mut found = 0;
        table.filtered(&filter, None, |rows| {
            found += rows.len();
            true
        });
        assert!(found <= table.len() && (found == table.len() || !filter.is_empty()), "an empty filter keeps all rows");
    }
}
