//! How a pane is drawn: its lines with the cursor, marks and matches; where its images are.

use lanescope_inspector::selection::Selection;
use lanescope_pictures::highlight::{Class, Highlighter};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::super::look::Look;
use super::{Image, Pane, Row, Text};

/// An image that is in view.
#[derive(Debug, Clone)]
pub struct Visible {
    pub image: Image,
    /// Where it is on the screen.
    pub place: Rect,
    /// How many of its rows are above that.
    pub above: usize,
}

impl Pane {
    /// The images that are in view after a drawing.
    pub fn images(&self, area: Rect) -> impl Iterator<Item = Visible> {
        self.images.iter().filter_map(move |image| {
            let above = self.top.saturating_sub(image.row);
            let from = image.row.saturating_sub(self.top);
            let rows = image.size[1].checked_sub(above)?.min(usize::from(area.height).checked_sub(from)?);
            let x = (image.column + 1).checked_sub(self.left).filter(|x| *x > 0)?;
            let fits = x + image.size[0] <= usize::from(area.width);
            let cells = |n: usize| u16::try_from(n).ok();
            let place = Rect::new(area.x + cells(x)?, area.y + cells(from)?, cells(image.size[0])?, cells(rows)?);
            (fits && rows > 0).then(|| Visible { image: image.clone(), place, above })
        })
    }

    /// Draws the lines; the first column is the margin of the cursor and of bookmarks.
    pub fn draw(&mut self, area: Rect, buffer: &mut Buffer, look: Look, selection: &Selection, focused: bool) {
        self.height = usize::from(area.height);
        if area.width < 2 || area.height == 0 {
            return;
        }
        self.follow_cursor();
        self.follow_column(usize::from(area.width - 1));
        let current = self.link().filter(|_| focused).cloned();
        let mut highlighter = std::mem::take(&mut self.highlighter);
        let at_cursor = self.row(self.cursor).map(Row::links).unwrap_or_default();
        let at_cursor = at_cursor.iter().map(|(at, _)| *at).min_by_key(|at| at.abs_diff(self.column));
        for (y, number) in (area.y..area.bottom()).zip(self.top..self.count) {
            let Some(row) = self.row(number) else { break };
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
                        // What is reversed twice is not marked.
                        let mark = if is_selected { look.selected_cursor() } else { look.cursor() };
                        style = style.patch(mark);
                    } else if !is_selected
                        && [&current, &self.held].into_iter().flatten().any(|current| current.is_same(link))
                    {
                        style = style.add_modifier(Modifier::REVERSED);
                    }
                }
                match &classes {
                    Some(classes) if row.code.is_some_and(|code| code.has(index)) => {
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
            for found in self.matches(number) {
                let inside = |column: usize| {
                    let at = column.saturating_sub(self.left).min(usize::from(area.width - 1));
                    area.x + 1 + u16::try_from(at).unwrap_or(u16::MAX)
                };
                let (from, to) = (inside(found.start), inside(found.end));
                let text = Rect { x: from, y, width: to - from, height: 1 };
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
    let spans = row.spans.iter().enumerate().filter(|(index, _)| code.has(*index));
    let text: String = spans.map(|(_, span)| span.text.as_str()).collect();
    // Lines in view are few: each may be parsed.
    highlighter.begin_frame();
    highlighter.spans(code.language, number, lanescope_pictures::highlight::cut(&text), code.open).cloned()
}
