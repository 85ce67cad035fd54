//! A pane: lines that scroll, with a cursor on what they select. Every view of the terminal form is one.

use std::collections::BTreeSet;
use std::sync::Arc;

use lanescope_core::driver::isa::Registers;
use lanescope_core::run::Pixels;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Code, Selection, Varying};
use lanescope_inspector::source::Language;
use lanescope_pictures::highlight::{Class, Highlighter};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::look::Look;
use super::prompt::Prompt;
use crate::cli::text::{Printed, Target};

/// What a part of a line selects or leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    /// A scalar or a variable of the interface.
    Varying(Varying),
    /// A register, by name.
    Register(String),
    /// An invocation of the workgroup.
    Invocation([u32; 3]),
    /// Instructions of a module.
    Code(Code),
    /// A node of the work graph.
    Node(usize),
    /// Another line of the pane.
    Line(usize),
    /// Registers of an assembly.
    Machine(Registers),
    /// Something to type.
    Ask(Prompt),
    /// Another look at the pane.
    Change(Change),
    /// These commands.
    Do(Vec<Command>),
}

/// Another look at a pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A z slice of lane maps.
    Slice(u32),
    /// A layer or slice of images.
    Plane(u32),
    /// The column that records are sorted by.
    Sort(usize),
    /// The first record that is listed.
    First(u64),
    /// Rows of a comparison that are the same too.
    AllRows(bool),
}

/// A text in a language, from one part of a line on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// The language.
    pub language: Language,
    /// It begins inside a comment or a string.
    pub open: bool,
    /// The first part that is of it.
    pub from: usize,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// Its style.
    pub style: anstyle::Style,
    /// Its text.
    pub text: String,
    /// What it selects or leads to.
    pub link: Option<Link>,
}

/// A line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Its parts.
    pub spans: Vec<Span>,
    /// Whether it begins a section.
    pub heading: bool,
    /// What the whole line belongs to.
    pub also: Vec<Link>,
    /// What is highlighted.
    pub code: Option<Text>,
}

impl Row {
    /// Adds a part.
    pub fn with(mut self, style: anstyle::Style, text: impl Into<String>, link: Option<Link>) -> Row {
        self.spans.push(Span { style, text: text.into(), link });
        self
    }

    /// Its text.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect::<String>()
    }

    /// Its first columns.
    pub fn cut(mut self, columns: usize) -> Row {
        let mut left = columns;
        for span in &mut self.spans {
            let mut end = 0;
            for c in span.text.chars() {
                let wide = c.width().unwrap_or(1);
                if wide > left {
                    left = 0;
                    break;
                }
                left -= wide;
                end += c.len_utf8();
            }
            span.text.truncate(end);
        }
        self
    }

    /// Its columns.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| span.text.width()).sum()
    }

    /// Whether it shows the selection.
    fn shows(&self, selection: &Selection) -> bool {
        let links = self.spans.iter().filter_map(|span| span.link.as_ref()).chain(&self.also);
        links.into_iter().any(|link| link.is_selected(selection))
    }

    /// The columns of its links: first column, and the link.
    fn links(&self) -> Vec<(usize, &Link)> {
        let mut at = 0;
        let mut out = Vec::new();
        for span in &self.spans {
            out.extend(span.link.iter().map(|link| (at, link)));
            at += span.text.width();
        }
        out
    }
}

impl From<Printed> for Row {
    fn from(line: Printed) -> Row {
        let link = |target| match target {
            Target::Varying(location, component) => Link::Varying(Varying { location, component: Some(component) }),
            Target::Register(name) => Link::Register(name),
            Target::Invocation(at) => Link::Invocation(at),
        };
        let spans = line.parts.into_iter();
        let spans = spans.map(|part| Span { style: part.style, text: part.text, link: part.target.map(link) });
        Row { spans: spans.collect(), heading: line.heading, ..Row::default() }
    }
}

impl Link {
    /// Whether this selects the same as what is selected.
    fn is_selected(&self, selection: &Selection) -> bool {
        match self {
            Link::Varying(own) => selection.varying.is_some_and(|varying| overlap(*own, varying)),
            Link::Register(name) => selection.register.as_ref() == Some(name),
            Link::Invocation(at) => selection.invocation == Some(*at),
            Link::Code(code) => {
                let holds = |of: &Code| of.holds(code.module, code.instructions.iter().copied());
                selection.code.as_ref().is_some_and(holds)
            }
            Link::Node(_) | Link::Line(_) | Link::Machine(_) | Link::Ask(_) | Link::Change(_) | Link::Do(_) => false,
        }
    }

    /// Whether two places of a pane show the same.
    fn is_same(&self, other: &Link) -> bool {
        match (self, other) {
            (Link::Varying(a), Link::Varying(b)) => overlap(*a, *b),
            (Link::Machine(a), Link::Machine(b)) => a.overlaps(b),
            (Link::Line(_) | Link::Do(_) | Link::Ask(_) | Link::Change(_), _) => false,
            _ => self == other,
        }
    }
}

fn overlap(a: Varying, b: Varying) -> bool {
    a.location == b.location && (a.component.is_none() || b.component.is_none() || a.component == b.component)
}

/// A movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// By so many lines.
    Lines(isize),
    /// By so many pages of half the height.
    Half(isize),
    /// To the first line.
    First,
    /// To the last line.
    Last,
    /// To the next or the previous link of the line, or sideways where there is none.
    Sideways(isize),
    /// To the first column.
    Begin,
    /// To the next or the previous section.
    Section(isize),
    /// To the next or the previous match of the search.
    Match(isize),
    /// To the next or the previous bookmark.
    Bookmark(isize),
}

/// A list among the rows that is longer than what is made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Its first row.
    pub from: usize,
    /// The entry in that row, and how many rows there are.
    pub first: u64,
    pub rows: u64,
    /// How many entries there are.
    pub count: u64,
}

/// An image over rows: those have it as text where the terminal has no graphics.
#[derive(Debug, Clone)]
pub struct Image {
    /// Its first row, and its first column.
    pub row: usize,
    pub column: usize,
    /// Columns and rows.
    pub size: [usize; 2],
    /// The pixels.
    pub pixels: Arc<Pixels>,
}

/// What a pane shows.
#[derive(Debug, Default)]
pub struct Contents {
    /// Its rows.
    pub rows: Vec<Row>,
    /// A list among them that is longer than what is made of it.
    pub list: Option<Listed>,
    /// Images over them.
    pub images: Vec<Image>,
}

impl From<Vec<Row>> for Contents {
    fn from(rows: Vec<Row>) -> Contents {
        Contents { rows, ..Contents::default() }
    }
}

/// What the rows of a pane were made for: the state, the width, what is unfolded.
pub type Key = (u64, usize, Option<String>);

/// A pane.
#[derive(Debug, Default)]
pub struct Pane {
    rows: Vec<Row>,
    list: Option<Listed>,
    images: Vec<Image>,
    /// What the rows were made for.
    made: Option<Key>,
    cursor: usize,
    /// The column that vertical movement keeps to.
    column: usize,
    top: usize,
    left: usize,
    height: usize,
    search: String,
    bookmarks: BTreeSet<usize>,
    /// What stays marked while the cursor moves on.
    held: Option<Link>,
    highlighter: Highlighter,
}

impl Pane {
    /// Makes the contents anew, unless they were made for this.
    pub fn fill(&mut self, key: Key, make: impl FnOnce() -> Contents) {
        if self.made.as_ref() != Some(&key) {
            Contents { rows: self.rows, list: self.list, images: self.images } = make();
            self.highlighter = Highlighter::default();
            self.made = Some(key);
            self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
        }
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The line of the cursor, from 0.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Puts the cursor on a line; it is shown in the middle.
    pub fn go_to(&mut self, line: usize) {
        self.cursor = line.min(self.rows.len().saturating_sub(1));
        self.top = self.cursor.saturating_sub(self.height / 2);
    }

    /// Puts the cursor on the first line that shows the selection, unless one is in view or there is none.
    pub fn reveal(&mut self, selection: &Selection) {
        let has = |row: &Row| row.shows(selection);
        let seen = self.rows.iter().skip(self.top).take(self.height).any(has);
        if !seen && let Some(line) = self.rows.iter().position(has) {
            self.go_to(line);
        }
    }

    /// The link that the cursor is on: the nearest one of its line, else what the whole line belongs to.
    pub fn link(&self) -> Option<&Link> {
        let row = self.rows.get(self.cursor)?;
        let nearest = row.links().into_iter().min_by_key(|(at, _)| at.abs_diff(self.column));
        nearest.map(|(_, link)| link).or(row.also.first())
    }

    /// The code of the finding that the cursor is on.
    pub fn finding(&self) -> Option<String> {
        let code = |span: &Span| match &span.link {
            Some(Link::Do(commands)) => match commands.as_slice() {
                [Command::Explain(code)] => Some(code.clone()),
                _ => None,
            },
            _ => None,
        };
        // A finding of several lines has its code in the first one.
        let above = self.rows.get(..=self.cursor)?;
        above.iter().rev().find_map(|row| row.spans.iter().find_map(code))
    }

    /// Keeps uses of registers marked, or no longer.
    pub fn hold(&mut self, link: Link) {
        self.held = Some(link).filter(|link| self.held.as_ref() != Some(link));
    }

    /// The text of the cursor's line.
    pub fn line(&self) -> String {
        self.rows.get(self.cursor).map(Row::text).unwrap_or_default().trim_end().to_owned()
    }

    /// All of its text.
    pub fn text(&self) -> String {
        self.rows.iter().map(|row| format!("{}\n", row.text().trim_end())).collect()
    }

    /// Searches for a text, without regard to case; goes to the first match from the cursor on. False without one.
    pub fn search(&mut self, text: &str) -> bool {
        self.search = text.to_lowercase();
        self.search.is_empty() || self.is_match(self.cursor) || self.next(1, Pane::is_match)
    }

    /// The text that is searched for.
    pub fn searched(&self) -> &str {
        &self.search
    }

    /// Sets or removes a bookmark at the cursor.
    pub fn toggle_bookmark(&mut self) {
        if !self.bookmarks.remove(&self.cursor) {
            self.bookmarks.insert(self.cursor);
        }
    }

    fn is_match(&self, line: usize) -> bool {
        !self.search.is_empty()
            && self.rows.get(line).is_some_and(|row| row.text().to_lowercase().contains(&self.search))
    }

    /// Goes to the next line, around the end, of which this holds.
    fn next(&mut self, step: isize, is: impl Fn(&Pane, usize) -> bool) -> bool {
        let count = self.rows.len();
        let mut at = self.cursor;
        for _ in 0..count {
            at = (at + if step < 0 { count - 1 } else { 1 }) % count;
            if is(self, at) {
                self.go_to(at);
                return true;
            }
        }
        false
    }

    /// Moves the cursor. False where there is nothing to move to.
    pub fn go(&mut self, motion: Motion) -> bool {
        let last = self.rows.len().saturating_sub(1);
        match motion {
            Motion::Lines(by) => self.cursor = self.cursor.saturating_add_signed(by).min(last),
            Motion::Half(by) => {
                let by = by.saturating_mul(isize::try_from(self.height / 2).unwrap_or(1).max(1));
                self.cursor = self.cursor.saturating_add_signed(by).min(last);
                self.top = self.top.saturating_add_signed(by).min(last);
            }
            Motion::First => self.cursor = 0,
            Motion::Last => self.cursor = last,
            Motion::Begin => (self.left, self.column) = (0, 0),
            Motion::Sideways(by) => {
                let columns: Vec<usize> = self
                    .rows
                    .get(self.cursor)
                    .map(|row| row.links().iter().map(|(at, _)| *at).collect())
                    .unwrap_or_default();
                let now = columns.iter().copied().min_by_key(|at| at.abs_diff(self.column));
                let next = match now {
                    Some(now) if by > 0 => columns.iter().copied().find(|at| *at > now),
                    Some(now) => columns.iter().copied().rev().find(|at| *at < now),
                    None => None,
                };
                match next {
                    Some(next) => self.column = next,
                    None if columns.len() < 2 => self.left = self.left.saturating_add_signed(by.saturating_mul(8)),
                    None => {}
                }
            }
            Motion::Section(by) => return self.next(by, |pane, at| pane.rows.get(at).is_some_and(|row| row.heading)),
            Motion::Match(by) => return self.next(by, Pane::is_match),
            Motion::Bookmark(by) => return self.next(by, |pane, at| pane.bookmarks.contains(&at)),
        }
        true
    }

    /// Slides a list under the cursor where that nears an end of what is made of it; lines keep their place on the
    /// screen. Returns the entry that the list is to begin with then.
    pub fn slide(&mut self) -> Option<u64> {
        let list = self.list.filter(|list| list.rows < list.count)?;
        let rows = usize::try_from(list.rows).ok()?;
        let margin = (self.height + 1).min(rows / 3);
        let at = self.cursor.checked_sub(list.from).filter(|at| *at < rows)?;
        let last = list.count - list.rows;
        let first = match () {
            () if at + margin >= rows => (list.first + list.rows / 2).min(last),
            () if at < margin => list.first.saturating_sub(list.rows / 2),
            () => return None,
        };
        let by = isize::try_from(first.abs_diff(list.first)).ok().filter(|by| *by > 0)?;
        let by = if first > list.first { -by } else { by };
        self.cursor = self.cursor.saturating_add_signed(by);
        self.top = self.top.saturating_add_signed(by);
        self.bookmarks.clear();
        // There are as many rows as before: what they show follows at the next drawing.
        self.list = Some(Listed { first, ..list });
        Some(first)
    }

    /// Scrolls by so many lines; the cursor stays in view.
    pub fn scroll(&mut self, by: isize) {
        let most = self.rows.len().saturating_sub(self.height);
        self.top = self.top.saturating_add_signed(by).min(most);
        let bottom = (self.top + self.height).saturating_sub(1);
        self.cursor = self.cursor.clamp(self.top, bottom.max(self.top)).min(self.rows.len().saturating_sub(1));
    }

    /// Puts the cursor where the mouse was pressed. True if a link is there.
    pub fn press(&mut self, area: Rect, at: Position) -> bool {
        let line = self.top + usize::from(at.y.saturating_sub(area.y));
        let column = self.left + usize::from(at.x.saturating_sub(area.x + 1));
        if line >= self.rows.len() {
            return false;
        }
        self.cursor = line;
        let mut start = 0;
        for span in self.rows.get(line).map(|row| row.spans.as_slice()).unwrap_or_default() {
            let end = start + span.text.width();
            if (start..end).contains(&column) {
                self.column = start;
                return span.link.is_some();
            }
            start = end;
        }
        self.column = column;
        false
    }

    /// The images that are in view after a drawing: each with its place on the screen and how many of its rows are above
    /// that.
    pub fn images(&self, area: Rect) -> impl Iterator<Item = (&Image, Rect, usize)> {
        self.images.iter().filter_map(move |image| {
            let above = self.top.saturating_sub(image.row);
            let from = image.row.saturating_sub(self.top);
            let rows = image.size[1].checked_sub(above)?.min(usize::from(area.height).checked_sub(from)?);
            let x = (image.column + 1).checked_sub(self.left).filter(|x| *x > 0)?;
            let fits = x + image.size[0] <= usize::from(area.width);
            let cells = |n: usize| u16::try_from(n).ok();
            let place = Rect::new(area.x + cells(x)?, area.y + cells(from)?, cells(image.size[0])?, cells(rows)?);
            (fits && rows > 0).then_some((image, place, above))
        })
    }

    /// Draws the lines; the first column is the margin of the cursor and of bookmarks.
    pub fn draw(&mut self, area: Rect, buffer: &mut Buffer, look: Look, selection: &Selection, focused: bool) {
        self.height = usize::from(area.height);
        if area.width < 2 || area.height == 0 {
            return;
        }
        self.top = self.top.min(self.cursor).max((self.cursor + 1).saturating_sub(self.height));
        let current = self.link().filter(|_| focused).cloned();
        let mut highlighter = std::mem::take(&mut self.highlighter);
        let at_cursor = self.rows.get(self.cursor).map(Row::links).unwrap_or_default();
        let at_cursor = at_cursor.iter().map(|(at, _)| *at).min_by_key(|at| at.abs_diff(self.column));
        for (y, number) in (area.y..area.bottom()).zip(self.top..self.rows.len()) {
            let Some(row) = self.rows.get(number) else { break };
            let is_current = focused && number == self.cursor;
            let mut start = 0;
            let mut marked = row.also.iter().any(|link| link.is_selected(selection));
            let whole = marked;
            let classes = row.code.and_then(|code| classes(&mut highlighter, row, code, number));
            let mut bytes = 0;
            for (index, span) in row.spans.iter().enumerate() {
                let mut style = look.style(span.style);
                if whole {
                    style = style.patch(look.belongs());
                }
                if let Some(link) = &span.link {
                    let is_selected = link.is_selected(selection);
                    marked |= is_selected;
                    if is_selected {
                        style = style.patch(look.selected());
                    }
                    if is_current && Some(start) == at_cursor {
                        style = style.patch(look.cursor());
                    } else if [&current, &self.held].into_iter().flatten().any(|current| current.is_same(link)) {
                        style = style.add_modifier(Modifier::REVERSED);
                    }
                }
                match &classes {
                    Some(classes) if row.code.is_some_and(|code| index >= code.from) => {
                        let range = bytes..bytes + span.text.len();
                        let mut column = start;
                        for (piece, class) in classes {
                            let (from, to) = (piece.start.max(range.start), piece.end.min(range.end));
                            let text = span.text.get(from.saturating_sub(bytes)..to.saturating_sub(bytes));
                            let Some(text) = text.filter(|text| !text.is_empty()) else { continue };
                            self.put(area, buffer, y, column, text, look.class(*class).patch(style));
                            column += text.width();
                        }
                        // What is too long is not highlighted.
                        let shown = classes.last().map_or(0, |(piece, _)| piece.end).clamp(range.start, range.end);
                        let rest = span.text.get(shown - bytes..).unwrap_or_default();
                        self.put(area, buffer, y, column, rest, style);
                        bytes = range.end;
                    }
                    _ => self.put(area, buffer, y, start, &span.text, style),
                }
                start += span.text.width();
            }
            if self.is_match(number) {
                let text = Rect { x: area.x + 1, y, width: area.width - 1, height: 1 };
                buffer.set_style(text, Style::new().add_modifier(Modifier::UNDERLINED));
            }
            let margin = match () {
                () if is_current => "▌",
                () if self.bookmarks.contains(&number) => "●",
                () if marked => "›",
                () => " ",
            };
            buffer.set_string(area.x, y, margin, look.title());
        }
        self.highlighter = highlighter;
    }

    /// Writes a part of a line that starts at a column of the line, as far as it is in view.
    fn put(&self, area: Rect, buffer: &mut Buffer, y: u16, start: usize, text: &str, style: Style) {
        let (from, to) = (self.left, self.left + usize::from(area.width - 1));
        let mut at = start;
        for c in text.chars() {
            let wide = c.width().unwrap_or(1);
            if at >= from && at + wide <= to {
                let x = area.x + 1 + u16::try_from(at - from).unwrap_or(u16::MAX);
                match buffer.cell_mut((x, y)) {
                    Some(cell) if wide == 1 => {
                        cell.set_char(c).set_style(style);
                    }
                    _ => {
                        buffer.set_string(x, y, c.encode_utf8(&mut [0; 4]), style);
                    }
                }
            }
            at += wide;
            if at >= to {
                break;
            }
        }
    }
}

/// The classes of a line's text.
fn classes(
    highlighter: &mut Highlighter,
    row: &Row,
    code: Text,
    number: usize,
) -> Option<Vec<(std::ops::Range<usize>, Class)>> {
    let text: String = row.spans.iter().skip(code.from).map(|span| span.text.as_str()).collect();
    // Lines in view are few: each may be parsed.
    highlighter.begin_frame();
    highlighter.spans(code.language, number, lanescope_pictures::highlight::cut(&text), code.open).cloned()
}

#[cfg(test)]
mod tests {
    use super::super::look::Colors;
    use super::*;

    const LOOK: Look = Look { colors: Colors::None, light: false, ascii: false };

    fn pane(lines: &[&str]) -> Pane {
        let mut pane = Pane::default();
        let row = |text: &&str| Row::default().with(anstyle::Style::new(), *text, None);
        pane.fill((1, 80, None), || lines.iter().map(row).collect::<Vec<_>>().into());
        pane
    }

    fn shown(pane: &mut Pane, width: u16, height: u16) -> Vec<String> {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        pane.draw(area, &mut buffer, LOOK, &Selection::default(), true);
        let line = |y| (0..width).map(|x| buffer[(x, y)].symbol().to_owned()).collect::<String>();
        (0..height).map(|y| line(y).trim_end().to_owned()).collect()
    }

    #[test]
    fn scrolls_with_the_cursor_and_sideways() {
        let mut pane = pane(&["abcdefghijkl", "b", "c", "d", "e"]);
        assert_eq!(shown(&mut pane, 6, 3), ["▌abcde", " b", " c"]);
        pane.go(Motion::Lines(3));
        assert_eq!(shown(&mut pane, 6, 3), [" b", " c", "▌d"]);
        pane.go(Motion::First);
        pane.go(Motion::Sideways(1));
        assert_eq!(shown(&mut pane, 6, 3)[0], "▌ijkl");
        pane.go(Motion::Last);
        assert_eq!(pane.cursor(), 4);
        assert!(pane.go(Motion::Lines(9)) && pane.cursor() == 4, "it stays on the last line");
    }

    #[test]
    fn finds_matches_around_the_end() {
        let mut pane = pane(&["one", "Two", "three", "two"]);
        assert!(pane.search("two") && pane.cursor() == 1);
        assert!(pane.go(Motion::Match(1)) && pane.cursor() == 3);
        assert!(pane.go(Motion::Match(1)) && pane.cursor() == 1);
        assert!(pane.go(Motion::Match(-1)) && pane.cursor() == 3);
        assert!(!pane.search("four") && pane.cursor() == 3);
    }

    #[test]
    fn a_varying_is_marked_wherever_it_is_shown() {
        let varying = |component| Some(Link::Varying(Varying { location: 3, component }));
        let mut pane = Pane::default();
        let plain = anstyle::Style::new();
        pane.fill((1, 80, None), || {
            vec![Row::default().with(plain, "a", varying(Some(0))).with(plain, " b", varying(Some(1)))].into()
        });
        let selection = Selection { varying: Some(Varying { location: 3, component: Some(1) }), ..Default::default() };
        let area = Rect::new(0, 0, 8, 1);
        let mut buffer = Buffer::empty(area);
        pane.draw(area, &mut buffer, LOOK, &selection, false);
        let marked = |x: u16| buffer[(x, 0)].modifier.contains(Modifier::UNDERLINED);
        assert!(!marked(1) && marked(3) && buffer[(0, 0)].symbol() == "›");
        pane.go(Motion::Sideways(1));
        assert_eq!(pane.link(), varying(Some(1)).as_ref());
    }

    #[test]
    fn a_long_list_slides_under_the_cursor() {
        const COUNT: u64 = 1000;
        let mut pane = Pane::default();
        let fill = |pane: &mut Pane, first: u64| {
            let row = |text: String| Row::default().with(anstyle::Style::new(), text, None);
            let entries = (first..first + 60).map(|entry| row(entry.to_string()));
            let rows = [row("title".to_owned())].into_iter().chain(entries).collect();
            let list = Some(Listed { from: 1, first, rows: 60, count: COUNT });
            pane.fill((first, 80, None), || Contents { rows, list, ..Contents::default() });
        };
        fill(&mut pane, 0);
        let mut seen = Vec::new();
        for _ in 0..COUNT + 5 {
            let before = shown(&mut pane, 12, 10);
            seen.push(pane.line());
            if let Some(first) = pane.slide() {
                fill(&mut pane, first);
                assert_eq!(shown(&mut pane, 12, 10), before, "nothing moves on the screen");
            }
            pane.go(Motion::Lines(1));
        }
        let expected: Vec<String> = (0..COUNT).map(|entry| entry.to_string()).collect();
        seen.dedup();
        assert_eq!(seen[1..], expected);
        for _ in 0..COUNT + 5 {
            if let Some(first) = pane.slide() {
                fill(&mut pane, first);
            }
            pane.go(Motion::Lines(-1));
        }
        assert_eq!(pane.line(), "title");
    }

    #[test]
    fn empty_panes_do_nothing() {
        let mut pane = Pane::default();
        for motion in [Motion::Lines(1), Motion::Half(-1), Motion::Last, Motion::Sideways(1), Motion::Section(1)] {
            pane.go(motion);
        }
        pane.scroll(3);
        assert!(
            pane.link().is_none() && pane.line().is_empty() && !pane.press(Rect::new(0, 0, 9, 9), Position::new(3, 3))
        );
        assert_eq!(shown(&mut pane, 4, 2), ["", ""]);
    }
}
