//! Statistics as text: Markdown for people, CSV and JSON for programs.

use lanescope_core::driver::StatisticsTable;

use super::{column_name, title, with_arrow};
use crate::table::one_line;

/// One table a stage, columns as on the screen.
pub fn markdown(tables: &[StatisticsTable]) -> String {
    let cell = |text: &str| one_line(text).replace('|', "\\|");
    let mut out = String::new();
    for table in tables {
        let columns: Vec<_> = table.columns.iter().map(|column| cell(&column_name(column, &table.columns))).collect();
        out.push_str(&format!("### {}\n\n| | {} |\n|---|", cell(&title(table)), columns.join(" | ")));
        out.push_str(&"---:|".repeat(columns.len()));
        out.push('\n');
        for row in &table.rows {
            let values = row.cells.iter().map(|value| match value {
                Some(value) => {
                    let change = value.change.map(|change| format!(" {}", with_arrow(change))).unwrap_or_default();
                    format!("{}{change}", value.value)
                }
                None => "–".to_owned(),
            });
            let values: Vec<_> = values.collect();
            out.push_str(&format!("| {} | {} |\n", cell(&row.name), values.join(" | ")));
        }
        out.push('\n');
    }
    out
}

/// One value a row (RFC 4180), with its change where there is one.
pub fn csv(tables: &[StatisticsTable]) -> String {
    let mut out = "stage,executable,statistic,place,version,stages,value,change,percent,driver\r\n".to_owned();
    for table in tables {
        for row in &table.rows {
            for (column, cell) in table.columns.iter().zip(&row.cells) {
                let Some(cell) = cell else { continue };
                let by = cell.change.map(|change| change.by.to_string()).unwrap_or_default();
                let percent = cell.change.and_then(|change| change.percent);
                let percent = percent.map(|percent| format!("{percent:.2}")).unwrap_or_default();
                let fields = [
                    table.stage.name(),
                    &table.name,
                    &row.name,
                    &column.place,
                    column.of.name(),
                    column.link.name(),
                    &cell.value.to_string(),
                    &by,
                    &percent,
                    column.driver.as_deref().unwrap_or_default(),
                ];
                out.push_str(&fields.map(field).join(","));
                out.push_str("\r\n");
            }
        }
    }
    out
}

/// The tables as they are in the report's own terms.
pub fn json(tables: &[StatisticsTable]) -> String {
    // Plain data with text keys: nothing in it cannot be written.
    serde_json::to_string_pretty(tables).unwrap_or_default() + "\n"
}

/// A field as RFC 4180 quotes it. It has no line break, so the crate `csv` would add nothing.
fn field(text: &str) -> String {
    let text = one_line(text);
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
pub(super) mod tests {
    use lanescope_core::driver::{Cell, Change, Column, Link, Row, Value, Version};
    use lanescope_core::program::StageKind;

    use super::*;

    pub fn table() -> StatisticsTable {
        let column = |of| Column { place: "gfx1030".to_owned(), driver: None, of, link: Link::Whole, failed: None };
        let row = |name: &str, old: u64, new: Option<u64>| {
            let value = |value, change| Some(Cell { value: Value::Uint(value), change });
            let other = new.and_then(|new| value(new, Change::between(Value::Uint(old), Value::Uint(new))));
            Row { name: name.to_owned(), description: String::new(), cells: vec![value(old, None), other] }
        };
        StatisticsTable {
            stage: StageKind::Fragment,
            entry: None,
            name: "Fragment | \"PS\", hardware".to_owned(),
            columns: vec![column(Version::Original), column(Version::Packed)],
            rows: vec![row("VGPRs", 16, Some(12)), row("SGPRs", 8, Some(8)), row("Spills", 0, None)],
        }
    }

    #[test]
    fn exports_tables_as_markdown_and_csv() {
        let text = format!("{}----\n{}", markdown(&[table()]), csv(&[table()]).replace('\r', ""));
        insta::assert_snapshot!(text);
    }

    #[test]
    fn json_is_the_tables_themselves() {
        let text = json(&[table()]);
        assert_eq!(serde_json::from_str::<Vec<StatisticsTable>>(&text).expect("reads back"), [table()]);
    }
}
