//! A pane: lines that scroll, with a cursor on what they select. Every view of the terminal form is one.
//!
//! [`row`]: its lines; [`draw`]: how it is drawn; [`search`]: where a searched text is.

mod draw;
mod row;
mod search;

use std::collections::BTreeSet;

use lanescope_core::program::StageKind;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::source::Language;
use lanescope_pictures::highlight::Highlighter;
use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr as _;

pub use draw::Visible;
pub use row::{Change, Contents, Image, Link, Listed, Origin, Row, Span, Spot, Text};

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
    /// To the next or the previous link of the line, or sideways if there is none.
    Sideways(isize),
    /// To the first column.
    Begin,
    /// To the next or the previous section.
    Section(isize),
    /// To the next or the previous change of a text.
    Change(isize),
    /// To the next or the previous match of the search.
    Match(isize),
    /// To the next or the previous bookmark.
    Bookmark(isize),
}

/// What the rows of a pane are made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeFor {
    /// Counts changes of the state.
    pub state: u64,
    /// Columns.
    pub width: usize,
    /// What is unfolded or under way.
    pub part: Option<String>,
}

#[derive(Debug, Default)]
pub struct Pane {
    /// The lines from `base` on.
    rows: Vec<Row>,
    base: usize,
    /// Number of lines.
    count: usize,
    list: Option<Listed>,
    images: Vec<Image>,
    /// What the rows were made for.
    made: Option<MadeFor>,
    cursor: usize,
    /// The column that vertical movement keeps to.
    column: usize,
    /// The next drawing scrolls sideways as far as that column needs.
    shows_column: bool,
    top: usize,
    left: usize,
    height: usize,
    search: String,
    bookmarks: BTreeSet<usize>,
    /// Rows that commands lead to, in order.
    spots: Vec<(Spot, usize)>,
    /// A row to go to once it is made.
    wanted: Option<Spot>,
    /// The stage whose text was gone to last.
    followed: Option<StageKind>,
    /// What stays marked while the cursor moves on.
    held: Option<Link>,
    highlighter: Highlighter,
    /// How often the rows were made.
    #[cfg(test)]
    makings: usize,
}

impl Pane {
    /// Makes the contents anew, unless they were made for this.
    pub fn fill(&mut self, key: MadeFor, make: impl FnOnce() -> Contents) {
        if self.made.as_ref() != Some(&key) {
            let is_other = self.made.as_ref().is_some_and(|made| made.part != key.part);
            let (entry, before) = (self.entry(), self.count);
            Contents { rows: self.rows, list: self.list, images: self.images, spots: self.spots } = make();
            (self.base, self.count) = (0, self.rows.len());
            #[cfg(test)]
            {
                self.makings += 1;
            }
            self.highlighter = Highlighter::default();
            self.made = Some(key);
            self.keep_entry(entry);
            self.cursor = self.cursor.min(self.count.saturating_sub(1));
            let wanted = self.wanted.take();
            if let Some(line) = self.spots.iter().find(|(spot, _)| Some(*spot) == wanted).map(|(_, line)| *line) {
                (self.cursor, self.top) = (line, line);
            }
            let unfolded = self.spots.iter().find(|(spot, line)| *spot == Spot::Unfolded && *line >= self.cursor);
            if let Some((_, end)) = unfolded.filter(|_| is_other) {
                self.top = self.top.max((end + 1).saturating_sub(self.height)).min(self.cursor);
            }
            if self.count < before || wanted.is_some() {
                self.top = self.top.min(self.count.saturating_sub(self.height));
            }
        }
    }

    /// Goes to a row once the contents are made anew, where they have it then.
    pub fn want(&mut self, spot: Spot) {
        self.wanted = Some(spot);
    }

    /// Goes to the first text of the stage that came to the front since the last call, unless the cursor is in one.
    pub fn follow_stage(&mut self, stage: Option<StageKind>) {
        if self.followed != stage {
            self.followed = stage;
            stage.into_iter().for_each(|stage| self.go_to_stage(stage));
        }
    }

    /// Goes to the first text of a stage, unless the cursor is in one.
    pub fn go_to_stage(&mut self, stage: StageKind) {
        let of_text = |(spot, line): &(Spot, usize)| match spot {
            Spot::Text(stage) => Some((*line, *stage)),
            Spot::Generation | Spot::Record | Spot::Section | Spot::Unfolded => None,
        };
        let texts: Vec<(usize, Option<StageKind>)> = self.spots.iter().filter_map(of_text).collect();
        let here = texts.iter().rev().find(|(line, _)| *line <= self.cursor).map(|(line, _)| *line);
        let is_here = texts.iter().any(|(line, of)| Some(*line) == here && *of == Some(stage));
        if let Some((line, _)) = texts.iter().find(|(_, of)| *of == Some(stage)).filter(|_| !is_here) {
            (self.cursor, self.top) = (*line, (*line).min(self.count.saturating_sub(self.height)));
        }
    }

    /// The entry of the list that the cursor is on.
    fn entry(&self) -> Option<u64> {
        let list = self.list?;
        let at = u64::try_from(self.cursor.checked_sub(list.from)?).ok()?;
        (at < list.rows).then_some(list.first + at)
    }

    /// Keeps the cursor on an entry of the list and at its place on the screen: rows above it come and go.
    fn keep_entry(&mut self, entry: Option<u64>) {
        let Some((list, entry)) = self.list.zip(entry) else { return };
        let at = entry.checked_sub(list.first).filter(|at| *at < list.rows);
        let Some(at) = at.and_then(|at| usize::try_from(at).ok()) else { return };
        let line = list.from + at;
        let seen = self.cursor.saturating_sub(self.top);
        (self.cursor, self.top) = (line, line.saturating_sub(seen));
    }

    /// Makes the lines that are in view at this height, of `count`: there are too many to make all.
    pub fn fill_view(&mut self, count: usize, height: u16, make: impl FnMut(usize) -> Row) {
        (self.count, self.height) = (count, usize::from(height));
        self.cursor = self.cursor.min(count.saturating_sub(1));
        self.follow_cursor();
        self.base = self.top;
        self.rows = (self.top..count.min(self.top + self.height)).map(make).collect();
    }

    /// Number of lines.
    pub fn count(&self) -> usize {
        self.count
    }

    fn row(&self, line: usize) -> Option<&Row> {
        self.rows.get(line.checked_sub(self.base)?)
    }

    /// Scrolls as far as the cursor needs.
    fn follow_cursor(&mut self) {
        self.top = self.top.min(self.cursor).max((self.cursor + 1).saturating_sub(self.height));
    }

    /// Scrolls sideways, once the cursor went to a column, as far as that needs.
    fn follow_column(&mut self, width: usize) {
        if !std::mem::take(&mut self.shows_column) {
            return;
        }
        let links = self.row(self.cursor).map(Row::linked).unwrap_or_default();
        let end = links.iter().find(|link| link.contains(&self.column)).map_or(self.column + 1, |link| link.end);
        self.left = self.left.max(end.saturating_sub(width)).min(self.column);
    }

    /// The first column that is in view.
    pub fn left(&self) -> usize {
        self.left
    }

    /// How often the rows were made.
    #[cfg(test)]
    pub fn made(&self) -> usize {
        self.makings
    }

    /// The line of the cursor, from 0.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Puts the cursor on a line; it is shown in the middle.
    pub fn go_to(&mut self, line: usize) {
        self.cursor = line.min(self.count.saturating_sub(1));
        self.top = self.cursor.saturating_sub(self.height / 2);
    }

    /// Puts the cursor on the first line that shows the selection, unless one is in view or there is none. Where lines
    /// show selected instructions, on the first of those.
    pub fn reveal(&mut self, selection: &Selection) {
        let of_code = self.of_code(selection);
        let has = |line: usize| match &of_code {
            Some(is) => is(&self.rows[line]),
            None => self.rows[line].shows(selection),
        };
        let end = self.rows.len().min(self.top + self.height);
        let seen = (self.top..end).any(has);
        if let Some(line) = (0..self.rows.len()).find(|line| has(*line)).filter(|_| !seen) {
            self.go_to(line);
        }
    }

    /// Which lines show selected instructions, where any does: those of a source, else those of a listing.
    fn of_code(&self, selection: &Selection) -> Option<impl Fn(&Row) -> bool + use<>> {
        let is_listing = |row: &Row| row.code.is_some_and(|code| code.language == Language::Spvasm);
        let mut lines = self.rows.iter().filter(|row| row.shows_code(selection)).peekable();
        lines.peek()?;
        let in_source = lines.any(|row| !is_listing(row));
        let selection = selection.clone();
        Some(move |row: &Row| row.shows_code(&selection) && !(in_source && is_listing(row)))
    }

    /// How many lines show selected instructions.
    pub fn lines_of_code(&self, selection: &Selection) -> usize {
        self.rows.iter().filter(|row| row.shows_code(selection)).count()
    }

    /// Puts the cursor on the first line that shows selected instructions, unless it is on one.
    pub fn go_to_code(&mut self, selection: &Selection) {
        let Some(is) = self.of_code(selection) else { return };
        let is_there = self.row(self.cursor).is_some_and(&is);
        if let Some(line) = self.rows.iter().position(is).filter(|_| !is_there) {
            self.go_to(line);
        }
    }

    /// The link that the cursor is on: the nearest one of its line, else what the whole line belongs to.
    pub fn link(&self) -> Option<&Link> {
        let row = self.row(self.cursor)?;
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
        self.row(self.cursor).map(Row::text).unwrap_or_default().trim_end().to_owned()
    }

    /// All of its text.
    pub fn text(&self) -> String {
        self.rows.iter().map(|row| format!("{}\n", row.text().trim_end())).collect()
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

    /// Goes to the next line, around the end, of which this holds.
    fn next(&mut self, step: isize, is: impl Fn(&Pane, usize) -> bool) -> bool {
        let count = self.count;
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
        let last = self.count.saturating_sub(1);
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
                    .row(self.cursor)
                    .map(|row| row.links().iter().map(|(at, _)| *at).collect())
                    .unwrap_or_default();
                let now = columns.iter().copied().min_by_key(|at| at.abs_diff(self.column));
                let next = match now {
                    Some(now) if by > 0 => columns.iter().copied().find(|at| *at > now),
                    Some(now) => columns.iter().copied().rev().find(|at| *at < now),
                    None => None,
                };
                match next {
                    Some(next) => (self.column, self.shows_column) = (next, true),
                    None if columns.len() < 2 => self.left = self.left.saturating_add_signed(by.saturating_mul(8)),
                    None => {}
                }
            }
            Motion::Section(by) => return self.next(by, |pane, at| pane.row(at).is_some_and(|row| row.heading)),
            Motion::Change(by) => return self.next(by, |pane, at| pane.row(at).is_some_and(|row| row.change)),
            Motion::Match(by) => return self.next_match(by),
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
        let most = self.count.saturating_sub(self.height);
        self.top = self.top.saturating_add_signed(by).min(most);
        let bottom = (self.top + self.height).saturating_sub(1);
        self.cursor = self.cursor.clamp(self.top, bottom.max(self.top)).min(self.count.saturating_sub(1));
    }

    /// Puts the cursor where the mouse was pressed. True if a link is there.
    pub fn press(&mut self, area: Rect, at: Position) -> bool {
        let line = self.top + usize::from(at.y.saturating_sub(area.y));
        let column = self.left + usize::from(at.x.saturating_sub(area.x + 1));
        if line >= self.count {
            return false;
        }
        self.cursor = line;
        let mut start = 0;
        let mut found = (column, false);
        for span in self.row(line).map(|row| row.spans.as_slice()).unwrap_or_default() {
            let end = start + span.text.width();
            if (start..end).contains(&column) {
                found = (start, span.link.is_some());
                break;
            }
            start = end;
        }
        self.column = found.0;
        found.1
    }
}

#[cfg(test)]
mod tests {
    use lanescope_inspector::selection::Varying;
    use ratatui::buffer::Buffer;
    use ratatui::style::Modifier;

    use super::super::look::{Colors, Look};
    use super::*;

    const LOOK: Look = Look { colors: Colors::None, light: false, ascii: false };

    fn made_for(state: u64) -> MadeFor {
        MadeFor { state, width: 80, part: None }
    }

    fn pane(lines: &[&str]) -> Pane {
        let mut pane = Pane::default();
        let row = |text: &&str| Row::default().with(anstyle::Style::new(), *text, None);
        pane.fill(made_for(1), || lines.iter().map(row).collect::<Vec<_>>().into());
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
        pane.fill(made_for(1), || {
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
            pane.fill(made_for(first), || Contents { rows, list, ..Contents::default() });
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
    fn makes_only_the_lines_in_view() {
        let mut pane = Pane::default();
        let view = |pane: &mut Pane| {
            let mut made = Vec::new();
            pane.fill_view(700_000, 3, |line| {
                made.push(line);
                Row::default().with(anstyle::Style::new(), line.to_string(), None)
            });
            (made, shown(pane, 9, 3))
        };
        assert_eq!(view(&mut pane).0, [0, 1, 2]);
        pane.go(Motion::Last);
        let (made, lines) = view(&mut pane);
        assert_eq!(made, [699_997, 699_998, 699_999]);
        assert_eq!((lines[2].as_str(), pane.line().as_str()), ("▌699999", "699999"));
        pane.fill_view(2, 3, |line| Row::default().with(anstyle::Style::new(), line.to_string(), None));
        assert_eq!((pane.cursor(), pane.count()), (1, 2));
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
