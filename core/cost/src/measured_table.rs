//! Times as tables.

use lanescope_passes::table::{Cell, Column, Key, Table};

use crate::measured::{LayoutTimes, Measured, time};

/// A row for each layout: its times beside what is predicted.
pub fn measured_table(measured: &Measured) -> Table {
    let predicted = "Lines and passes of LDS: what is predicted to decide the time";
    times_table(&measured.layouts, measured.dispatches, ["layout", "layouts", predicted])
}

/// A row for each order of workgroups.
pub fn measured_orders_table(measured: &Measured) -> Option<Table> {
    let predicted = "Lines of windows of workgroups: what is predicted to decide the time";
    let orders = measured.orders.as_ref()?;
    Some(times_table(&orders.orders, measured.dispatches, ["order of workgroups", "orders", predicted]))
}

fn times_table(rows: &[LayoutTimes], dispatches: u32, [noun, plural, predicted]: [&str; 3]) -> Table {
    let right = |title: &str, mark: &str, help: &str| Column {
        note: mark.to_owned(),
        help: help.to_owned(),
        ..Column::right(title)
    };
    let mut columns = vec![
        Column::left(noun),
        right("predicted", "C, G", predicted),
        right("median", "", "The middle of the times of a dispatch"),
        right("middle half", "", "Half of the times lie between these"),
        right("ratio", "", "The median beside that of the fastest"),
        right("place", "", &format!("One more than the number of {plural} that are faster beyond the spread of both")),
    ];
    // Each has a time, or a reason.
    let reasons = rows.iter().any(|one| one.not_timed.is_some());
    columns.extend(reasons.then(|| Column::left("not timed")));
    let mut table = Table::new(columns);
    let least = rows.iter().filter_map(LayoutTimes::spread).map(|spread| spread.median).min();
    for (at, one) in rows.iter().enumerate() {
        let predicted = one.predicted.map(|count| count.to_string()).unwrap_or_default();
        let of = |one| time(one, dispatches);
        let times = one.spread().map(|spread| {
            [
                of(spread.median),
                format!("{} to {}", of(spread.lower), of(spread.upper)),
                format!("{:.3}", spread.median as f64 / least.unwrap_or(0).max(1) as f64),
                one.place.map(|place| place.to_string()).unwrap_or_default(),
            ]
        });
        let reason = reasons.then(|| one.not_timed.clone().unwrap_or_default());
        let cells = [one.layout.clone(), predicted].into_iter().chain(times.unwrap_or_default()).chain(reason);
        table.push(Key::Item(at), cells.map(Cell::from));
    }
    table
}

/// The device and how it was timed: `llvmpipe, subgroups of 8, 31 samples of 12 dispatches`.
pub fn measured_on(measured: &Measured) -> String {
    let samples = measured.layouts.iter().map(|one| one.samples.len()).max().unwrap_or(0);
    let samples = lanescope_base::text_format::counted(samples, "sample");
    let dispatches = lanescope_base::text_format::counted(measured.dispatches as usize, "dispatch");
    format!("{}, subgroups of {}, {samples} of {dispatches}", measured.device, measured.subgroup)
}
