//! Statistics as tables: chips and versions side by side, or one value for each row.

use super::executable::Link;
use super::table::{Cell, Change, Column, StatisticsTable, is_hash};
use lanescope_passes::table::{self, Meaning, Part, Table, one_line};

/// How a table of statistics names its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Titles {
    /// In two short lines, drivers by number; hashes are left out, because they say that something changed, not what.
    Short,
    /// In one line, drivers by name.
    Full,
}

impl Change {
    /// The change as a part of a cell: its meaning has the direction.
    pub fn part(self) -> Part {
        let meaning = if self.by > 0.0 { Meaning::Higher } else { Meaning::Lower };
        Part { meaning, ..Part::code(self) }
    }

    /// The change with its direction as a sign: `▼ -4 (-25%)`.
    pub fn with_sign(self) -> String {
        let part = self.part();
        format!("{} {}", part.meaning.sign(), part.text)
    }
}

impl StatisticsTable {
    /// The statistics side by side: a row each, a column for each compilation.
    pub fn table(&self, titles: Titles) -> Table {
        let columns = self.columns.iter().enumerate().map(|(at, column)| match titles {
            Titles::Short => {
                let short = table::Column::right(self.short_title(at)).note(self.short_note(column));
                table::Column { group: column.place.clone(), ..short }
            }
            Titles::Full => table::Column::right(column.title(&self.columns)),
        });
        let title = format!("{}: {}", self.stage, one_line(&self.title()));
        let mut out = Table::new(std::iter::once(table::Column::left("")).chain(columns)).titled(title);
        for row in self.rows.iter().filter(|row| titles == Titles::Full || !is_hash(&row.name)) {
            let name = Part::of(Meaning::Plain, one_line(&row.name)).help(one_line(&row.description));
            let cells = row.cells.iter().map(|cell| match cell {
                None => table::Cell::of(Meaning::Dimmed, "–"),
                Some(Cell { value, change }) => {
                    let meaning = if is_hash(&row.name) { Meaning::Dimmed } else { Meaning::Plain };
                    table::Cell::code(value).meaning(meaning).change(change.map(Change::part))
                }
            });
            out.row(std::iter::once(name.into()).chain(cells));
        }
        out
    }

    /// The number of a column's driver among those of the table, from 1: what its short title shows.
    pub fn driver_number(&self, index: usize) -> usize {
        let mut drivers: Vec<Option<&str>> = Vec::new();
        for column in self.columns.iter().take(index + 1) {
            if !drivers.contains(&column.driver.as_deref()) {
                drivers.push(column.driver.as_deref());
            }
        }
        let of = self.columns.get(index).and_then(|column| column.driver.as_deref());
        drivers.iter().position(|driver| *driver == of).map_or(0, |at| at + 1)
    }

    /// A column's place, with the number of its driver where there are several.
    fn short_title(&self, index: usize) -> String {
        match self.columns.get(index) {
            Some(Column { place, driver: Some(_), .. }) => format!("{place} [{}]", self.driver_number(index)),
            Some(column) => column.place.clone(),
            None => String::new(),
        }
    }

    /// A column's version; empty where all columns are of the original program.
    fn short_note(&self, column: &Column) -> String {
        let plain = |c: &Column| c.of == super::Version::Original && c.link == Link::Whole && c.failed.is_none();
        match &column.failed {
            Some(_) => "failed".to_owned(),
            None if self.columns.iter().all(plain) => String::new(),
            None => format!("{}{}", column.of, if column.link == Link::Apart { " apart" } else { "" }),
        }
    }
}

impl Column {
    /// Place, version and driver in one line; with how the stages were linked, where another column differs only in that.
    pub fn title(&self, all: &[Column]) -> String {
        let name = format!("{} {}", one_line(&self.place), self.of);
        let name = match &self.driver {
            Some(driver) => format!("{name}, {}", one_line(driver)),
            None => name,
        };
        let who = |column: &Column| (column.place.clone(), column.driver.clone(), column.of);
        let alike = |other: &&Column| who(other) == who(self);
        if all.iter().filter(alike).count() > 1 { format!("{name} {}", self.link) } else { name }
    }
}

/// Statistics for people: a Markdown table for each stage.
pub fn statistics_markdown(tables: &[StatisticsTable]) -> String {
    tables.iter().map(|table| table.table(Titles::Full).to_markdown() + "\n").collect()
}

/// One value for each row, with its change where there is one: for programs.
pub fn statistics_values(tables: &[StatisticsTable]) -> Table {
    let titles =
        ["stage", "executable", "statistic", "place", "version", "stages", "value", "change", "percent", "driver"];
    let mut out = Table::new(titles.map(table::Column::left));
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
                out.row(fields.map(|text| one_line(text).into()));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use lanescope_model::program::StageKind;

    use super::super::{Row, Value, Version};
    use super::*;

    fn statistics() -> StatisticsTable {
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
        let all = [statistics()];
        let csv = statistics_values(&all).to_csv().replace('\r', "");
        insta::assert_snapshot!(format!("{}----\n{csv}", statistics_markdown(&all)));
    }

    #[test]
    fn short_titles_have_two_lines() {
        let text = statistics().table(Titles::Short).to_text(80);
        assert!(text.starts_with("         gfx1030       gfx1030\n        original        packed\nVGPRs "), "{text}");
        let mut plain = statistics();
        plain.columns.truncate(1);
        assert!(!plain.table(Titles::Short).has_notes());
    }
}
