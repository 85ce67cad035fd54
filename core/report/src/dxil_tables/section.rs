//! Facts and tables of one part of a file.

use lanescope_passes::table::{Cell, Column, Meaning, Table, one_line};

/// Bytes of a cell that are kept: a file may have one long name in each of many rows.
const KEPT: usize = 1 << 10;

/// What one part says.
#[derive(Debug, Default, PartialEq)]
pub struct Section {
    /// Name: `PSV0`.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Facts: what, and its value. Those without a value are left out.
    pub facts: Vec<(&'static str, String)>,
    /// Tables. Those without a row are left out.
    pub tables: Vec<Table>,
}

impl Section {
    /// A section without contents.
    pub(crate) fn new(name: &'static str, about: &'static str) -> Section {
        Section { name, about, ..Section::default() }
    }

    /// Adds a fact.
    pub(crate) fn fact(&mut self, what: &'static str, value: impl ToString) {
        self.facts.push((what, value.to_string()));
    }

    /// Adds a table, unless it has no rows.
    pub(crate) fn add(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.tables.push(table);
        }
    }

    /// Adds a table of codes, unless it has no rows.
    pub(super) fn table<const N: usize>(
        &mut self,
        title: &str,
        columns: [&'static str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        self.add(codes(title, columns, rows));
    }

    /// Whether it has no facts and no tables.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.facts.iter().all(|(_, value)| value.is_empty())
    }

    /// Facts and tables as text, with tabs between columns.
    pub fn to_tabs(&self) -> String {
        let facts = self.facts.iter().filter(|(_, value)| !value.is_empty());
        let facts = facts.map(|(what, value)| format!("{what}\t{}\n", one_line(value)));
        let tables = self.tables.iter().map(|table| format!("{}\n{}", table.title, table.to_tabs()));
        facts.chain(tables).collect()
    }
}

/// Columns of plain numbers: digits are below digits.
const NUMBERS: [&str; 17] = [
    "Alignment",
    "Anisotropy",
    "Attributes",
    "Bytes",
    "Constants",
    "Count",
    "First",
    "Groupshared",
    "Last",
    "Max records",
    "Number",
    "Offset",
    "Payload",
    "Record bytes",
    "Row bytes",
    "Rows",
    "Space",
];

/// A table whose cells are names and numbers. The first column names the row.
pub(super) fn codes<const N: usize>(
    title: &str,
    columns: [&'static str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Table {
    let column = |title| if NUMBERS.contains(&title) { Column::right(title) } else { Column::left(title) };
    let mut table = Table::new(columns.map(column)).titled(title).with_words();
    for row in rows {
        let cells = row.map(|text| Cell::code(cut(text))).into_iter().enumerate();
        table.row(cells.map(|(at, cell)| if at == 0 { cell.meaning(Meaning::Strong) } else { cell }));
    }
    table
}

/// A text, no longer than what is kept of one.
fn cut(mut text: String) -> String {
    if text.len() > KEPT {
        text.truncate(text.floor_char_boundary(KEPT));
        text.push('…');
    }
    text
}
