//! A table as lines of a terminal: columns as wide as their contents, narrower if the page is too narrow.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use lanescope_base::foreign::plain_name;

use super::{Align, Cell, Column, Meaning, Part, Row, Table, Width};

/// Columns between two columns of a table.
const GAP: usize = 2;
/// What is before each level of a row below another one.
const LEVEL: &str = "  ";

/// A line of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextLine {
    /// What goes on a line of its own above this one, because it is another one than for the row before.
    pub above: Option<String>,
    /// Index of the row that it shows; `None` for titles.
    pub row: Option<usize>,
    /// Text with its meaning; spaces between cells are parts of their own.
    pub parts: Vec<(Meaning, String)>,
}

impl Table {
    /// The table as lines of at most `room` columns: titles if any, then a line for each row. With
    /// `usize::MAX`, nothing is cut.
    pub fn lines(&self, room: usize) -> Vec<TextLine> {
        let shown: Vec<_> = self.shown();
        let above = |at: &usize| self.columns.get(*at).is_some_and(|column| column.width == Width::Above);
        let (above, shown): (Vec<usize>, Vec<usize>) = shown.into_iter().partition(above);
        let columns: Vec<_> = shown.iter().filter_map(|at| self.columns.get(*at)).collect();
        let title = |text: &str| vec![(Meaning::Dimmed, plain_name(text))];
        let mut rows: Vec<Vec<Parts>> = Vec::new();
        if columns.iter().any(|column| !column.title.is_empty()) {
            rows.push(columns.iter().map(|column| title(&self.text_title(column))).collect());
        }
        if self.has_notes() {
            rows.push(columns.iter().map(|column| title(&column.note)).collect());
        }
        let heads = rows.len();
        // Signs are below each other: what they belong to is indented.
        let indented = columns.iter().position(|column| column.width != Width::Sign).unwrap_or(0);
        for row in &self.rows {
            let cells = shown.iter().zip(&columns).enumerate().map(|(number, (at, column))| {
                let level = if number == indented { usize::from(row.level) } else { 0 };
                let parts = row.cells.get(*at).map(|cell| text_of(cell, level)).unwrap_or_default();
                match column.width {
                    Width::AtMost(most) if room < usize::MAX => cut(parts, most),
                    _ => parts,
                }
            });
            rows.push(cells.collect());
        }
        let widths = widths(&rows, columns.len(), room);
        let mut out: Vec<TextLine> = Vec::new();
        let mut before = None;
        for (number, row) in rows.into_iter().enumerate() {
            let number = number.checked_sub(heads);
            let of = number.and_then(|number| self.rows.get(number));
            let of = of.map(|row| above.iter().filter_map(|at| Some(row.cells.get(*at)?.text())).collect::<String>());
            let mut line = TextLine { above: None, row: number, parts: Vec::new() };
            if of.is_some() && of != before {
                line.above = of.as_ref().filter(|text| !text.is_empty()).map(|text| plain_name(text));
                before = of;
            }
            let (mut used, mut start) = (0, 0);
            for ((cell, width), column) in row.into_iter().zip(&widths).zip(&columns) {
                let cell = cut(cell, *width);
                let wide = width_of(&cell);
                let at = if column.align == Align::Right { start + width - wide } else { start };
                if at > used && wide > 0 {
                    line.parts.push((Meaning::Plain, " ".repeat(at - used)));
                    used = at;
                }
                used += wide;
                line.parts.extend(cell);
                start += width + GAP;
            }
            out.push(line);
        }
        out
    }

    fn text_title(&self, column: &Column) -> String {
        match column.width {
            Width::Sign => String::new(),
            // A and B are names.
            _ if self.words && column.title.chars().nth(1).is_some() => {
                let mut chars = column.title.chars();
                chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect()
            }
            _ => column.title.clone(),
        }
    }

    /// The table in as many pieces as a page of `room` columns needs: the first column is in each, and columns of one
    /// group stay together unless they alone are too wide.
    pub fn pieces(&self, room: usize) -> Vec<Table> {
        let cells = |at: usize| self.rows.iter().filter_map(move |row| row.cells.get(at));
        let contents = |at: usize| cells(at).map(|cell| width_of(&text_of(cell, 0))).max().unwrap_or(0);
        let first = contents(0);
        let width = |at: usize, column: &Column| GAP + contents(at).max(column.title.width()).max(column.note.width());
        let mut pieces: Vec<Vec<usize>> = Vec::new();
        let mut used = 0;
        let mut group = None;
        for (at, column) in self.columns.iter().enumerate().skip(1) {
            let wide = width(at, column);
            let all = (at..).zip(self.columns.iter().skip(at)).take_while(|(_, other)| other.group == column.group);
            let together: usize = all.map(|(at, column)| width(at, column)).sum();
            let begins = group.replace(&column.group) != Some(&column.group);
            let needed = if begins && first + together <= room { together } else { wide };
            match pieces.last_mut() {
                Some(piece) if used + needed <= room => piece.push(at),
                _ => {
                    pieces.push(vec![at]);
                    used = first;
                }
            }
            used += wide;
        }
        let pieces = pieces.into_iter().map(|piece| {
            let kept = || std::iter::once(0).chain(piece.iter().copied());
            let columns = kept().filter_map(|at| self.columns.get(at).cloned()).collect();
            let cells = |row: &Row| kept().map(|at| row.cells.get(at).cloned().unwrap_or_default()).collect();
            let rows = self.rows.iter().map(|row| Row { cells: cells(row), ..row.clone() }).collect();
            Table { title: self.title.clone(), columns, rows, words: self.words }
        });
        pieces.collect()
    }

    /// The table as text of at most `room` columns, without colours.
    pub fn to_text(&self, room: usize) -> String {
        let mut out = String::new();
        for line in self.lines(room) {
            let text: String = line.parts.iter().map(|(_, text)| text.as_str()).collect();
            for line in line.above.as_deref().into_iter().chain([text.as_str()]) {
                out.push_str(elide(line, room).trim_end());
                out.push('\n');
            }
        }
        out
    }
}

/// Text with its meaning, free of control characters.
type Parts = Vec<(Meaning, String)>;

fn text_of(cell: &Cell, level: usize) -> Parts {
    let mut out: Parts = Vec::new();
    if level > 0 {
        out.push((Meaning::Plain, LEVEL.repeat(level)));
    }
    // A change has its own sign: -4.
    let parts = cell.change.iter().chain(&cell.parts).filter(|part| !part.text.is_empty());
    for (number, Part { text, meaning, .. }) in parts.enumerate() {
        if number > 0 {
            out.push((Meaning::Plain, if cell.list { ", " } else { " " }.to_owned()));
        }
        out.push((*meaning, plain_name(text)));
    }
    out
}

fn width_of(parts: &Parts) -> usize {
    parts.iter().map(|(_, text)| text.width()).sum()
}

/// The width of each column: that of its contents, and where all do not fit, the widest one narrower.
fn widths(rows: &[Vec<Parts>], columns: usize, room: usize) -> Vec<usize> {
    let mut widths = vec![0; columns];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(width_of(cell));
        }
    }
    let room = room.saturating_sub(GAP * columns.saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        // Ends because one column each always fits.
        let Some(widest) = widths.iter_mut().max().filter(|width| **width > 1) else { break };
        *widest -= 1;
    }
    widths
}

/// Parts cut to at most `width` columns; what is cut ends in `…`.
fn cut(parts: Parts, width: usize) -> Parts {
    let mut left = width_of(&parts);
    if left <= width {
        return parts;
    }
    let mut room = width;
    let mut out = Vec::new();
    for (meaning, text) in parts {
        let wide = text.width();
        left -= wide;
        // A part that fills the room is whole only where nothing follows.
        if wide < room || (wide == room && left == 0) {
            room -= wide;
            out.push((meaning, text));
        } else {
            out.push((meaning, shorten(&text, room)));
            break;
        }
    }
    out
}

/// The text cut to at most `width` columns; a cut text ends in `…`.
pub fn elide(text: &str, width: usize) -> String {
    if text.width() <= width { text.to_owned() } else { shorten(text, width) }
}

/// The text cut so that a `…` fits after it in `width` columns.
pub fn shorten(text: &str, width: usize) -> String {
    let mut kept = String::new();
    let mut used = 0;
    for c in text.chars() {
        let wide = c.width().unwrap_or(1);
        if used + wide + 1 > width {
            break;
        }
        used += wide;
        kept.push(c);
    }
    if width > 0 {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[[&str; 2]]) -> Table {
        let mut table = Table::new([Column::left("name"), Column::right("n")]);
        rows.iter().for_each(|row| table.row(row.map(Cell::from)));
        table
    }

    #[test]
    fn aligns_wide_characters() {
        assert_eq!(table(&[["漢字", "1"], ["abc", "20"]]).to_text(40), "name   n\n漢字   1\nabc   20\n");
    }

    #[test]
    fn narrows_the_widest_column() {
        let text = table(&[[&"x".repeat(300), "12345"]]).to_text(30);
        assert!(text.ends_with("…  12345\n") && text.lines().all(|line| line.width() <= 30), "{text}");
    }

    #[test]
    fn empty_tables_have_titles_only() {
        assert_eq!(table(&[]).to_text(40), "name  n\n");
        assert_eq!(Table::default().to_text(40), "");
        let mut untitled = Table::new([Column::left(""), Column::left("")]);
        untitled.row(["a", "b"].map(Cell::from));
        assert_eq!(untitled.to_text(40), "a  b\n");
    }

    #[test]
    fn changes_are_before_values_and_notes_below_titles() {
        let mut table = Table::new([Column::left("of"), Column::right("gfx1030").note("packed")]);
        let change = Some(Part::of(Meaning::Lower, "-4"));
        table.row([Cell::from("VGPRs"), Cell::code(12).change(change)]);
        table.row([Cell::from("SGPRs"), Cell::code(8)]);
        assert_eq!(table.to_text(40), "of     gfx1030\n        packed\nVGPRs    -4 12\nSGPRs        8\n");
    }

    #[test]
    fn writes_shared_cells_above_and_omits_empty_optional_columns() {
        let mut table =
            Table::new([Column::left("a"), Column::left("where").width(Width::Above), Column::left("b").optional()]);
        for (name, of) in [("x", "here"), ("y", "here"), ("z", "there")] {
            table.row([name, of, ""].map(Cell::from));
        }
        assert_eq!(table.to_text(40), "a\nhere\nx\ny\nthere\nz\n");
    }

    #[test]
    fn keeps_groups_together_in_pieces() {
        let group = |name: &str| Column { group: name.to_owned(), ..Column::right(name.to_owned()) };
        let mut table = Table::new([Column::left(""), group("aaaa"), group("bbbb"), group("bbbb")]);
        table.row(["name", "1", "2", "3"].map(Cell::from));
        let widths = |room| table.pieces(room).iter().map(|piece| piece.columns.len()).collect::<Vec<_>>();
        assert_eq!((widths(22), widths(21), widths(10), widths(1)), (vec![4], vec![2, 3], vec![2; 3], vec![2; 3]));
        assert!(Table::default().pieces(10).is_empty());
    }

    #[test]
    fn cuts_cells_and_indents_levels() {
        let mut table = Table::new([Column::left("name").width(Width::AtMost(6)), Column::left("b")]);
        table.row(["abcdefgh", "1"].map(Cell::from));
        table.row(["abcdef", "2"].map(Cell::from));
        table.rows.iter_mut().skip(1).for_each(|row| row.level = 1);
        assert_eq!(table.to_text(40), "name    b\nabcde…  1\n  abc…  2\n");
        assert_eq!(table.to_text(usize::MAX), "name      b\nabcdefgh  1\n  abcdef  2\n");
    }

    #[test]
    fn names_cannot_control_the_terminal() {
        let text = table(&[["a\u{1b}[31mb\nc", "\t"]]).to_text(40);
        assert!(!text.replace('\n', "").contains(char::is_control) && text.lines().count() == 2, "{text:?}");
    }
}
