//! A table for other programs: CSV, Markdown, and cells with tabs between them.

use std::borrow::Cow;

use lanescope_base::foreign::is_obeyed;

use super::{Align, Cell, Table};

impl Table {
    /// The table as CSV (RFC 4180): titles, then a line for each row. Cells contain the text as it is, without changes.
    pub fn to_csv(&self) -> String {
        self.to_csv_with(Formulas::Kept)
    }

    /// The table as CSV, for a spreadsheet if formulas are guarded.
    pub fn to_csv_with(&self, formulas: Formulas) -> String {
        let titles = self.columns.iter().map(|column| csv_field(&formulas.field(&column.title)));
        let mut out = titles.collect::<Vec<_>>().join(",") + "\r\n";
        for row in &self.rows {
            let text = |at: usize| row.cells.get(at).map(Cell::text).unwrap_or_default();
            let cells = (0..self.columns.len()).map(|at| csv_field(&formulas.field(&text(at))));
            out.push_str(&cells.collect::<Vec<_>>().join(","));
            out.push_str("\r\n");
        }
        out
    }

    /// The table as a Markdown table, below its title where it has one.
    pub fn to_markdown(&self) -> String {
        let shown = self.shown();
        let line = |cells: &mut dyn Iterator<Item = String>| {
            let cells = cells.map(|cell| if cell.is_empty() { " ".to_owned() } else { format!(" {cell} ") });
            format!("|{}|\n", cells.collect::<Vec<_>>().join("|"))
        };
        let mut out = String::new();
        if !self.title.is_empty() {
            out.push_str(&format!("### {}\n\n", markdown_cell(&self.title)));
        }
        let columns = shown.iter().filter_map(|at| self.columns.get(*at));
        out.push_str(&line(&mut columns.clone().map(|column| markdown_cell(&column.title))));
        out.push('|');
        for column in columns {
            out.push_str(if column.align == Align::Right { "---:|" } else { "---|" });
        }
        out.push('\n');
        for row in &self.rows {
            let cells = shown.iter().map(|at| row.cells.get(*at).map(with_change).unwrap_or_default());
            out.push_str(&line(&mut cells.map(|cell| markdown_cell(&cell))));
        }
        out
    }

    /// The table for the clipboard: tabs between cells, a line for each row.
    pub fn to_tabs(&self) -> String {
        let titles = self.columns.iter().map(|column| one_line(&column.title));
        let mut out = titles.collect::<Vec<_>>().join("\t") + "\n";
        for row in &self.rows {
            out.push_str(&"  ".repeat(row.level.into()));
            let cells = (0..self.columns.len()).map(|at| row.cells.get(at).map(with_change).unwrap_or_default());
            let cells: Vec<_> = cells.map(|cell| one_line(&cell)).collect();
            out.push_str(&cells.join("\t"));
            out.push('\n');
        }
        out
    }
}

/// A cell's text, then its change with its sign: `12 ▼ -4 (-25%)`.
fn with_change(cell: &Cell) -> String {
    let mut out = cell.text().into_owned();
    if let Some(change) = &cell.change {
        for text in [change.meaning.sign(), &change.text].into_iter().filter(|text| !text.is_empty()) {
            out.push_str(if out.is_empty() { "" } else { " " });
            out.push_str(text);
        }
    }
    out
}

/// The text on one line: control characters and controls of direction become spaces.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_obeyed(c) { ' ' } else { c }).collect()
}

/// What becomes of CSV fields that a spreadsheet computes: names in shaders may begin like formulas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Formulas {
    /// Fields are the texts as they are, for programs.
    #[default]
    Kept,
    /// An apostrophe is in front, so that a spreadsheet shows the text.
    Guarded,
}

impl Formulas {
    /// A field. Numbers are none that need a guard.
    pub fn field(self, text: &str) -> Cow<'_, str> {
        let computes = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
        match self {
            Formulas::Guarded if computes => Cow::Owned(format!("'{text}")),
            _ => Cow::Borrowed(text),
        }
    }
}

/// A field as RFC 4180 quotes it.
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn markdown_cell(text: &str) -> String {
    one_line(text).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Column, Meaning, Part};
    use super::*;

    fn table(rows: &[[&str; 2]]) -> Table {
        let mut table = Table::new([Column::left("name"), Column::right("n")]);
        rows.iter().for_each(|row| table.row(row.map(Cell::from)));
        table
    }

    /// Reads CSV as RFC 4180 defines it.
    fn read_csv(text: &str) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        let mut chars = text.chars().peekable();
        while chars.peek().is_some() {
            let mut row = vec![String::new()];
            let mut quoted = false;
            while let Some(c) = chars.next() {
                let cell = row.last_mut().expect("a row has a cell");
                match c {
                    '"' if quoted && chars.peek() == Some(&'"') => cell.extend(chars.next()),
                    '"' => quoted = !quoted,
                    ',' if !quoted => row.push(String::new()),
                    '\r' if !quoted && chars.peek() == Some(&'\n') => {
                        chars.next();
                        break;
                    }
                    c => cell.push(c),
                }
            }
            rows.push(row);
        }
        rows
    }

    #[test]
    fn quotes_csv_fields() {
        let text = table(&[["a,b", "say \"x\""], ["two\nlines", "1"]]).to_csv();
        assert_eq!(text, "name,n\r\n\"a,b\",\"say \"\"x\"\"\"\r\n\"two\nlines\",1\r\n");
    }

    #[test]
    fn escapes_pipes_in_markdown() {
        let table = table(&[["a|b", "1\n2"], ["", "3"]]).titled("T | U");
        assert_eq!(table.to_markdown(), "### T \\| U\n\n| name | n |\n|---|---:|\n| a\\|b | 1 2 |\n| | 3 |\n");
    }

    #[test]
    fn a_cell_cannot_break_the_copied_table() {
        let text = table(&[["a\tb", "c\nd"], ["e", ""]]).to_tabs();
        assert_eq!(text, "name\tn\na b\tc d\ne\t\n");
    }

    #[test]
    fn guards_formulas_but_not_numbers() {
        let table = table(&[["=1+1", "-4"], ["@a", "-x"], ["a=1", "+1e3"], ["-", "\t=2"]]);
        assert_eq!(table.to_csv_with(Formulas::Kept), table.to_csv());
        assert_eq!(table.to_csv_with(Formulas::Guarded), "name,n\r\n'=1+1,-4\r\n'@a,'-x\r\na=1,+1e3\r\n'-,'\t=2\r\n");
    }

    #[test]
    fn exports_signs_of_changes_but_not_to_csv() {
        let mut table = Table::new([Column::right("n")]);
        table.row([Cell::code(12).change(Some(Part::of(Meaning::Lower, "-4")))]);
        assert_eq!(table.to_tabs(), "n\n12 ▼ -4\n");
        assert_eq!(table.to_csv(), "n\r\n12\r\n");
    }

    #[test]
    fn empty_tables_have_titles_only() {
        assert_eq!((table(&[]).to_csv(), table(&[]).to_tabs()), ("name,n\r\n".to_owned(), "name\tn\n".to_owned()));
    }

    proptest! {
        #[test]
        fn csv_of_any_cells_reads_back(cells in proptest::collection::vec(any::<[String; 3]>(), 0..5)) {
            let mut table = Table::new(["a", "b", "c"].map(Column::left));
            cells.iter().for_each(|row| table.row(row.each_ref().map(Cell::from)));
            let mut expected = vec![["a", "b", "c"].map(str::to_owned).to_vec()];
            expected.extend(cells.iter().map(|row| row.to_vec()));
            prop_assert_eq!(read_csv(&table.to_csv()), expected);
        }
    }
}
