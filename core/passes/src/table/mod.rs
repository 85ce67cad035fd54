//! Tables as data: columns, rows, and what each cell means. A table is declared once, by a function beside the data it
//! shows; the text report and the window draw it, and [`Table::to_csv`], [`Table::to_markdown`] and [`Table::to_tabs`]
//! export it. [`Sort`] orders the rows. Nothing here knows colours, fonts or a terminal.

mod columns;
mod export;
mod sort;

use std::borrow::Cow;

pub use columns::{TextLine, elide, shorten};
pub use export::{Formulas, csv_field, one_line};
pub use sort::{Sort, compare, order};

use lanescope_base::findings::Severity;

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// What the rows are. May be empty.
    pub title: String,
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// Titles are words in sentence case. The text report writes them in lower case, as all its titles.
    pub words: bool,
    /// The rows, from top to bottom.
    pub rows: Vec<Row>,
}

/// A column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Column {
    /// Title. May be empty.
    pub title: String,
    /// Second line of the title, where any column has one.
    pub note: String,
    /// Explanation of the title.
    pub help: String,
    /// On which side cells are aligned.
    pub align: Align,
    /// How wide the column is, and where it is shown.
    pub width: Width,
    /// Columns of one group stay together where a table is written in pieces.
    pub group: String,
    /// A drawing leaves the column out if all its cells are empty.
    pub optional: bool,
}

/// Alignment of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Align {
    /// Left-aligned.
    #[default]
    Left,
    /// Right-aligned: numbers.
    Right,
}

/// Width of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Width {
    /// As wide as the contents.
    #[default]
    Contents,
    /// As wide as the contents, at most so many columns of a terminal. Exports and pipes contain the whole text.
    AtMost(usize),
    /// In text, on a line of its own above the rows that share the cell: it is long, and the same in many rows.
    Above,
    /// One sign. The title is in exports only.
    Sign,
}

/// A row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// A cell for each column. Missing ones are empty.
    pub cells: Vec<Cell>,
    /// Depth below the row that this row details: 0 for a row of its own.
    pub level: u8,
    /// What the row selects.
    pub key: Key,
}

/// What a row selects in all views.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Key {
    /// Nothing.
    #[default]
    None,
    /// The item of this index in the data that the table shows.
    Item(usize),
    /// A register, by name.
    Register(String),
    /// A scalar of the interface, as written.
    Varying {
        /// Location.
        location: u32,
        /// Component.
        component: u8,
    },
}

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// The text, in parts.
    pub parts: Vec<Part>,
    /// The parts are items of a list: a comma is between two of them in text, else a space.
    pub list: bool,
    /// How the value differs from its base: before the value in a right-aligned column, so that digits are below digits.
    pub change: Option<Part>,
}

/// A part of a cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// Text.
    pub text: String,
    /// Meaning, for which each front end has a colour.
    pub meaning: Meaning,
    /// Code, a name or a number: in a monospace font where there are others.
    pub code: bool,
    /// Explanation. Where it has several lines, the first one is a heading.
    pub help: String,
}

/// What a part of a cell means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Meaning {
    /// Nothing in particular.
    #[default]
    Plain,
    /// What the row is about, or what stands out.
    Strong,
    /// Less important: an address, a hash, a missing value.
    Dimmed,
    /// No value: not written, unknown.
    Missing,
    /// Another value than in the base.
    Changed,
    /// A number below its base.
    Lower,
    /// A number above its base.
    Higher,
    /// Holds, agrees, passes.
    Good,
    /// A problem of this severity.
    Severity(Severity),
    /// The item of this number, where each has a colour.
    Item(usize),
}

impl Meaning {
    /// The sign that goes with the colour, for a reader who cannot tell colours apart; empty where the text suffices.
    pub fn sign(self) -> &'static str {
        match self {
            Meaning::Lower => "▼",
            Meaning::Higher => "▲",
            _ => "",
        }
    }
}

impl Table {
    /// An empty table with these columns.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Table {
        Table { columns: columns.into_iter().collect(), ..Table::default() }
    }

    /// The same table with a title.
    pub fn titled(self, title: impl Into<String>) -> Table {
        Table { title: title.into(), ..self }
    }

    /// The same table; its titles are words in sentence case.
    pub fn with_words(self) -> Table {
        Table { words: true, ..self }
    }

    /// The columns of these titles, in this order: what a drawing with less room shows. Titles that no column has are left
    /// out.
    pub fn only(&self, titles: &[&str]) -> Table {
        let at = |title: &&str| self.columns.iter().position(|column| column.title == **title);
        let places: Vec<usize> = titles.iter().filter_map(at).collect();
        let columns = places.iter().filter_map(|at| self.columns.get(*at).cloned()).collect();
        let cells = |row: &Row| places.iter().map(|at| row.cells.get(*at).cloned().unwrap_or_default()).collect();
        let rows = self.rows.iter().map(|row| Row { cells: cells(row), ..row.clone() }).collect();
        Table { title: self.title.clone(), columns, words: self.words, rows }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.push(Key::None, cells);
    }

    /// Adds a row that selects something.
    pub fn push(&mut self, key: Key, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(Row { cells: cells.into_iter().collect(), level: 0, key });
    }

    /// Indices of the columns that a drawing shows: all but the optional ones without contents.
    pub fn shown(&self) -> Vec<usize> {
        let filled = |at: usize| self.rows.iter().any(|row| row.cells.get(at).is_some_and(|cell| !cell.is_empty()));
        let all = self.columns.iter().enumerate();
        all.filter(|(at, column)| !column.optional || filled(*at)).map(|(at, _)| at).collect()
    }

    /// Whether a column has a second line in its title.
    pub fn has_notes(&self) -> bool {
        self.columns.iter().any(|column| !column.note.is_empty())
    }
}

impl Column {
    /// A left-aligned column.
    pub fn left(title: impl Into<String>) -> Column {
        Column { title: title.into(), ..Column::default() }
    }

    /// A right-aligned column: numbers.
    pub fn right(title: impl Into<String>) -> Column {
        Column { align: Align::Right, ..Column::left(title) }
    }

    /// The same with an explanation.
    pub fn help(self, help: impl Into<String>) -> Column {
        Column { help: help.into(), ..self }
    }

    /// The same with a second line of the title.
    pub fn note(self, note: impl Into<String>) -> Column {
        Column { note: note.into(), ..self }
    }

    /// The same with another width.
    pub fn width(self, width: Width) -> Column {
        Column { width, ..self }
    }

    /// The same, not drawn where all cells are empty.
    pub fn optional(self) -> Column {
        Column { optional: true, ..self }
    }
}

impl Row {
    /// The cell of a column.
    pub fn cell(&self, column: usize) -> Option<&Cell> {
        self.cells.get(column).filter(|cell| !cell.is_empty())
    }
}

impl Cell {
    /// A cell of one part with a meaning.
    pub fn of(meaning: Meaning, text: impl AsRef<str>) -> Cell {
        Part::of(meaning, text).into()
    }

    /// A name or a number.
    pub fn code(text: impl ToString) -> Cell {
        Part::code(text).into()
    }

    /// The same cell with one more part.
    pub fn and(mut self, part: Part) -> Cell {
        self.parts.push(part);
        self
    }

    /// The same cell with another meaning of all parts.
    pub fn meaning(mut self, meaning: Meaning) -> Cell {
        self.parts.iter_mut().for_each(|part| part.meaning = meaning);
        self
    }

    /// The same cell with an explanation of its first part.
    pub fn help(mut self, help: impl Into<String>) -> Cell {
        if let Some(first) = self.parts.first_mut() {
            first.help = help.into();
        }
        self
    }

    /// The same cell with its change.
    pub fn change(self, change: Option<Part>) -> Cell {
        Cell { change, ..self }
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.change.is_none() && self.parts.iter().all(|part| part.text.is_empty())
    }

    /// The text without its change.
    pub fn text(&self) -> Cow<'_, str> {
        match self.parts.as_slice() {
            [] => Cow::Borrowed(""),
            [one] => Cow::Borrowed(&one.text),
            many => {
                let texts = many.iter().map(|part| part.text.as_str()).filter(|text| !text.is_empty());
                Cow::Owned(texts.collect::<Vec<_>>().join(if self.list { ", " } else { " " }))
            }
        }
    }
}

impl Part {
    /// A part with a meaning.
    pub fn of(meaning: Meaning, text: impl AsRef<str>) -> Part {
        Part { text: text.as_ref().to_owned(), meaning, ..Part::default() }
    }

    /// A name or a number.
    pub fn code(text: impl ToString) -> Part {
        Part { text: text.to_string(), code: true, ..Part::default() }
    }

    /// The same with an explanation.
    pub fn help(self, help: impl Into<String>) -> Part {
        Part { help: help.into(), ..self }
    }
}

impl From<Part> for Cell {
    fn from(part: Part) -> Cell {
        Cell { parts: vec![part], ..Cell::default() }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        text.to_owned().into()
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Part::of(Meaning::Plain, text).into()
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Cell {
        text.clone().into()
    }
}
