//! The rows of a section as a table: both values, the change, the reason.

use super::{Kind, Part, Row, Section};
use lanescope_passes::table::{Cell, Column, Key, Meaning, Part as CellPart, Row as Line, Table, Width};

/// Names and values in a table are cut at this many columns of a terminal.
const CELL_AT_MOST: usize = 44;

/// The rows that a table shows.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowFilter<'a> {
    /// Only rows that differ.
    pub changed_only: bool,
    /// Each must be found in a row or in what it belongs to, in lower case.
    pub words: &'a [String],
}

impl Kind {
    /// What its sign means.
    pub fn about(self) -> &'static str {
        match self {
            Kind::Same => "equal",
            Kind::Changed => "different",
            Kind::Removed => "only in A",
            Kind::Added => "only in B",
        }
    }

    /// The signs with their meanings: `= equal, ≠ different, …`.
    pub fn legend() -> String {
        let all = Kind::ALL.iter().map(|kind| format!("{} {}", kind.sign(), kind.about()));
        all.collect::<Vec<_>>().join(", ")
    }

    fn meaning(self) -> Meaning {
        if self == Kind::Same { Meaning::Dimmed } else { Meaning::Changed }
    }
}

impl Part {
    /// The title of the column of names.
    fn head(self) -> &'static str {
        match self {
            Part::Packing => "Scalar",
            Part::Lanes => "Fact",
            Part::Registers => "Register",
            Part::Statistics => "Statistic",
            Part::Isa => "Text",
        }
    }
}

impl Section {
    /// The rows as a table, with these titles of both sides. The parts of a row follow it, one level below; both have the
    /// index of the row as their key.
    pub fn table(&self, names: [&str; 2], filter: RowFilter<'_>) -> Table {
        let side = |name: &str| Column::left(name).help(name).width(Width::AtMost(CELL_AT_MOST));
        let why = if self.name == Part::Statistics { "Meaning" } else { "Why" };
        let mut out = Table::new([
            Column::left("Sign").help(Kind::legend()).width(Width::Sign),
            Column::left("Belongs to").width(Width::Above),
            Column::left(self.name.head()).width(Width::AtMost(CELL_AT_MOST)),
            side(names[0]),
            side(names[1]),
            Column::left("Change").optional(),
            Column::left(why).optional(),
        ]);
        for (index, row) in self.rows.iter().enumerate().filter(|(_, row)| filter.shows(row)) {
            let parts = row.rows.iter().map(|part| line(&row.of, part, 1, index));
            out.rows.extend(std::iter::once(line(&row.of, row, 0, index)).chain(parts));
        }
        out.with_words()
    }
}

impl RowFilter<'_> {
    fn shows(&self, row: &Row) -> bool {
        if self.changed_only && row.kind == Kind::Same {
            return false;
        }
        if self.words.is_empty() {
            return true;
        }
        let parts = row.rows.iter().map(|part| part.name.as_str());
        let values = row.left.iter().chain(&row.right).map(String::as_str);
        let all: Vec<_> = [row.of.as_str(), row.name.as_str()].into_iter().chain(values).chain(parts).collect();
        let text = all.join(" ").to_lowercase();
        self.words.iter().all(|word| text.contains(word.as_str()))
    }
}

fn line(of: &str, row: &Row, level: u8, index: usize) -> Line {
    let value = |value: &Option<String>, meaning: Meaning| match value {
        Some(value) => Cell::code(value).meaning(meaning),
        None => Cell::of(Meaning::Missing, "–"),
    };
    let strong = if row.kind == Kind::Same { Meaning::Plain } else { Meaning::Strong };
    let cells = vec![
        CellPart::of(row.kind.meaning(), row.kind.sign()).help(row.kind.about()).into(),
        of.into(),
        Cell::code(&row.name),
        value(&row.left, Meaning::Plain),
        value(&row.right, strong),
        row.change.map(|change| change.part().into()).unwrap_or_default(),
        Cell::of(Meaning::Dimmed, &row.why),
    ];
    Line { cells, level, key: Key::Item(index) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section() -> Section {
        let row = |of: &str, name: &str, kind, parts: &[&str]| Row {
            of: of.to_owned(),
            name: name.to_owned(),
            kind,
            left: Some("1".to_owned()),
            right: Some("2".to_owned()),
            rows: parts.iter().map(|name| Row { name: (*name).to_owned(), ..Row::default() }).collect(),
            ..Row::default()
        };
        Section {
            name: Part::Registers,
            equal: false,
            present: [true, true],
            rows: vec![
                row("fragment", "SPI_A", Kind::Same, &[]),
                row("fragment", "SPI_B", Kind::Changed, &["OFFSET [4:0]"]),
                row("vertex", "SPI_C", Kind::Added, &[]),
            ],
            layouts: Vec::new(),
            texts: Vec::new(),
        }
    }

    #[test]
    fn hides_equal_rows_with_their_parts() {
        let section = section();
        let shown = |changed_only: bool, words: &str| -> Vec<(usize, u8)> {
            let words: Vec<_> = words.split_whitespace().map(str::to_owned).collect();
            let table = section.table(["A", "B"], RowFilter { changed_only, words: &words });
            let item = |line: &Line| if let Key::Item(index) = line.key { index } else { usize::MAX };
            table.rows.iter().map(|line| (item(line), line.level)).collect()
        };
        assert_eq!(shown(false, ""), [(0, 0), (1, 0), (1, 1), (2, 0)]);
        assert_eq!(shown(true, ""), [(1, 0), (1, 1), (2, 0)]);
        assert_eq!(shown(true, "offset"), [(1, 0), (1, 1)]);
        assert_eq!(shown(false, "vertex spi"), [(2, 0)]);
        assert_eq!(shown(false, "nowhere"), []);
    }

    #[test]
    fn rows_are_copied_with_their_sign() {
        let text = section().table(["old", "new"], RowFilter { changed_only: true, words: &[] }).to_tabs();
        assert_eq!(
            text,
            "Sign\tBelongs to\tRegister\told\tnew\tChange\tWhy\n≠\tfragment\tSPI_B\t1\t2\t\t\n  \
             =\tfragment\tOFFSET [4:0]\t–\t–\t\t\n+\tvertex\tSPI_C\t1\t2\t\t\n"
        );
    }

    #[test]
    fn text_names_what_rows_belong_to_once() {
        let text = section().table(["A", "B"], RowFilter::default()).to_text(80);
        let expected = "   register        A  B\nfragment\n=  SPI_A           1  2\n≠  SPI_B           1  2\n\
                        =    OFFSET [4:0]  –  –\nvertex\n+  SPI_C           1  2\n";
        assert_eq!(text, expected);
    }
}
