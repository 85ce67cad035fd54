//! The area that draws lines: only those in view, in one column or in several beside each other, with the caret, the
//! selection and the keys of each.
//!
//! A pane implements [`Contents`]; what happened in a frame is a [`Reply`].

use std::ops::Range;
use std::sync::Arc;

use egui::text::{CCursor, LayoutJob};
use egui::{
    Color32, CursorIcon, EventFilter, Galley, Id, OutputCommand, Rect, Response, Role, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};

use super::caret::{Caret, Position};
use super::document::Document;
use super::highlight::LINE_AT_MOST;
use super::keys::{Action, actions};
use super::measure::Measure;
use super::menu::{MenuAction, menu};
use super::movement::{Motion, column};
use super::state::TextState;
use super::strip::{STRIP, Strip, StripMarks};
use crate::table::Tokens;
use crate::theme::TokensOfVisuals as _;

/// The largest selection that is given to the system as the primary one.
const PRIMARY_AT_MOST: usize = 1 << 20;
/// What the speed of scrolling is given in.
const FRAMES_A_SECOND: f32 = 60.0;
/// Columns after the longest line.
const AFTER_THE_LONGEST: f32 = 8.0;

/// A line in a column.
#[derive(Debug, Clone, Copy)]
struct Cell {
    column: usize,
    /// Which row of the screen's.
    row: usize,
    line: usize,
}

/// A line that is drawn.
#[derive(Debug, Clone)]
pub(crate) struct At {
    pub column: usize,
    /// Which row of the screen's.
    pub row: usize,
    /// The line, from 0.
    pub line: usize,
    /// The caret is in it; where its column has no keyboard, only if it selects something.
    pub has_caret: bool,
    /// The selected bytes.
    pub selected: Option<Range<usize>>,
}

/// What a line looks like.
#[derive(Debug)]
pub(crate) struct LineLook {
    /// Its text; it begins with the line, and may go on with a note.
    pub job: LayoutJob,
    /// Bytes of the line that are in the job.
    pub shown: usize,
    /// The ground of the whole row.
    pub ground: Option<Color32>,
    /// It is highlighted.
    pub whole: bool,
}

/// What a pane draws in the area.
pub(crate) trait Contents {
    /// Draws a row that is not one of lines. Returns whether it is such a row.
    fn row(&mut self, _ui: &Ui, _row: usize, _place: Rect) -> bool {
        false
    }

    /// What a line looks like.
    fn line(&mut self, ui: &Ui, at: &At) -> LineLook;

    /// Draws what is before a line: its number, its signs. Takes the clicks on them.
    fn gutter(&mut self, ui: &Ui, at: &At, place: Rect);

    /// Draws what is in a column that has no line in this row.
    fn gap(&mut self, _ui: &Ui, _place: Rect) {}

    /// Draws over a finished row.
    fn over(&mut self, _ui: &Ui, _row: usize, _place: Rect) {}

    /// Adds the entries of a line to its menu.
    fn menu(&mut self, _ui: &mut Ui, _column: usize, _line: usize) {}
}

/// A text in the area.
pub(crate) struct Column<'a> {
    /// Its caret.
    pub state: &'a mut TextState,
    /// The text.
    pub document: Document<'a>,
    /// The widget that has the keyboard.
    pub id: Id,
    /// Its name for screen readers.
    pub name: String,
}

/// A place under the pointer.
#[derive(Debug)]
pub(crate) struct Under {
    pub line: usize,
    /// The byte of the line whose character it is; none after the line's end.
    pub byte: Option<usize>,
    /// The line as a widget, for explanations.
    pub response: Response,
}

/// What happened in a frame.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// Not every line in view is highlighted yet.
    pub unfinished: bool,
    /// What is under the pointer.
    pub under: Option<Under>,
    /// It was clicked, without selecting text.
    pub clicked: bool,
    /// The line on which Enter was pressed.
    pub entered: Option<usize>,
    /// The caret was moved by key or pointer.
    pub moved: bool,
    /// The text to copy.
    pub copy: Option<String>,
    /// What was chosen in the menu, for the pane to carry out.
    pub menu: Option<MenuAction>,
}

/// What is in view. Kept between frames.
#[derive(Debug, Default)]
pub(crate) struct Viewport {
    /// Rows in view.
    pub visible: Range<usize>,
    /// The row that the next frame goes to.
    pub wanted: Option<usize>,
    /// The column whose caret the next frame brings into view.
    pub follow: Option<usize>,
    size: Vec2,
    offset: Vec2,
    /// How far the next frame scrolls.
    scroll: Vec2,
    strip: Strip,
}

/// A drawn line.
struct Drawn {
    column: usize,
    line: usize,
    galley: Arc<Galley>,
    origin: egui::Pos2,
    shown: usize,
    response: Response,
}

impl Viewport {
    /// Draws the rows in view in the space that is left, and takes keys and pointer.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        columns: &mut [Column<'_>],
        gutter: f32,
        marks: &StripMarks<'_>,
        contents: &mut dyn Contents,
    ) -> Reply {
        let measure = Measure::of(ui);
        let mut reply = Reply::default();
        for (number, column) in columns.iter_mut().enumerate() {
            if column.document.is_whole() {
                column.state.clamp(&column.document);
            }
            if ui.memory(|memory| memory.has_focus(column.id)) {
                self.keys(ui, number, column, &measure, &mut reply);
            }
        }
        let outer = ui.available_rect_before_wrap();
        let area = outer.with_max_x((outer.right() - STRIP).max(outer.left()));
        if self.size == Vec2::ZERO {
            self.size = area.size();
        }
        let rows = columns.first().map_or(0, |column| column.document.rows());
        let offset = self.next_offset(columns, rows, gutter, &measure);
        let mut drawn = Vec::new();
        let mut texts: Vec<Response> = Vec::new();
        let output = ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
            let mut scroll = ScrollArea::both().id_salt("text").auto_shrink(false).min_scrolled_height(0.0);
            if let Some(offset) = offset {
                scroll = scroll.scroll_offset(offset);
            }
            scroll.show_viewport(ui, |ui, viewport| {
                let clip = Rect::from_min_size(area.min, viewport.size());
                let frame = Frame { clip, viewport, rows, gutter, measure: &measure };
                self.visible = frame.visible();
                texts = frame.texts(ui, columns);
                frame.rows(ui, columns, contents, &mut drawn, &mut reply, self.visible.clone());
            })
        });
        let output = output.inner;
        self.offset = output.state.clamped_offset();
        self.size = output.inner_rect.size();
        for (number, (column, text)) in columns.iter_mut().zip(&texts).enumerate() {
            self.pointer(ui, number, column, text, &drawn, &mut reply);
            let document = column.document;
            if !text.secondary_clicked() && !crate::menu::is_open(text) {
                // A key opens the menu of the caret's line.
                column.state.menu_line = column.state.caret.head.line;
            }
            if let Some(action) = menu(text, column.state, &document, |ui, line| contents.menu(ui, number, line)) {
                reply.take(action, column.state, &document);
            }
            if !ui.input(|input| input.pointer.any_down())
                && let Some(text) = column.state.settle(&document).filter(|text| text.len() <= PRIMARY_AT_MOST)
            {
                ui.ctx().send_cmd(OutputCommand::TextSelectionSettled(text.to_owned()));
            }
        }
        let side = outer.with_min_x(area.right()).with_max_y(area.top() + self.size.y);
        ui.expand_to_include_rect(side);
        let fitting = (self.size.y / measure.height) as usize;
        self.wanted = self.strip.ui(ui, side, rows, fitting, marks).or(self.wanted);
        if reply.moved || self.wanted.is_some() || self.scroll != Vec2::ZERO {
            ui.ctx().request_repaint();
        }
        reply
    }

    /// The next frame goes to a line, unless it is in view.
    pub fn reveal(&mut self, row: usize) {
        // The last row in view may be cut.
        if row < self.visible.start || row + 1 >= self.visible.end {
            self.wanted = Some(row);
        }
    }

    fn keys(&mut self, ui: &Ui, number: usize, column: &mut Column<'_>, measure: &Measure, reply: &mut Reply) {
        let escape = !column.state.caret.is_empty();
        let filter = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(column.id, filter));
        let document = column.document;
        let page = ((self.size.y / measure.height) as usize).saturating_sub(1).max(1);
        for action in actions(ui) {
            let before = column.state.caret;
            match action {
                Action::Move(motion, extend) => column.state.carry_out(&document, motion, extend),
                Action::Page(up, extend) => {
                    let motion = if up { Motion::Up(page) } else { Motion::Down(page) };
                    column.state.carry_out(&document, motion, extend);
                    let by = page as f32 * measure.height;
                    self.scroll.y += if up { -by } else { by };
                }
                Action::SelectAll => column.state.select_all(&document),
                Action::Copy => reply.take(MenuAction::Copy, column.state, &document),
                Action::Enter => reply.entered = Some(before.head.line),
                Action::Leave => {
                    let head = column.state.caret.head;
                    column.state.place(Caret::at(head));
                }
            }
            if matches!(action, Action::Move(..) | Action::Page(..)) {
                self.follow = Some(number);
            }
            reply.moved |= column.state.caret != before;
        }
    }

    /// Where the view is scrolled to; nothing where it stays.
    fn next_offset(&mut self, columns: &[Column<'_>], rows: usize, gutter: f32, measure: &Measure) -> Option<Vec2> {
        let height = measure.height;
        let most = (rows as f32 * height - self.size.y).max(0.0);
        let mut offset = self.offset;
        let scrolls = std::mem::take(&mut self.scroll);
        offset += scrolls;
        offset.x = offset.x.max(0.0);
        let mut changed = scrolls != Vec2::ZERO;
        if let Some(row) = self.wanted.take_if(|row| *row < rows) {
            let above = (self.size.y / height / 3.0).floor().max(0.0);
            offset.y = (row as f32 - above).max(0.0) * height;
            changed = true;
        }
        if let Some(column) = self.follow.take().and_then(|number| columns.get(number)) {
            let head = column.state.caret.head;
            let row = column.document.row_of(head.line) as f32 * height;
            let lowest = (row + height - self.size.y).max(0.0);
            // The last lines may be below what the view was clamped to.
            offset.y = offset.y.min(most).clamp(lowest.min(row), row);
            let line = column.document.line(head.line);
            let shown = super::highlight::cut(line).len();
            let x = self::column(line, head.byte.min(shown)) as f32 * measure.glyph;
            let room = self.size.x / columns.len() as f32 - gutter;
            let margin = (4.0 * measure.glyph).min(room.max(0.0) / 2.0);
            if x - margin < offset.x {
                offset.x = (x - margin).max(0.0);
            } else if x + margin > offset.x + room {
                offset.x = x + margin - room;
            }
            changed = true;
        }
        offset.y = offset.y.clamp(0.0, most);
        changed.then_some(offset)
    }

    /// Selects by pointer.
    fn pointer(
        &mut self,
        ui: &Ui,
        number: usize,
        column: &mut Column<'_>,
        text: &Response,
        drawn: &[Drawn],
        reply: &mut Reply,
    ) {
        let (pressed, down, at, shift, time) = ui.input(|input| {
            let pointer = &input.pointer;
            let at = pointer.interact_pos();
            (pointer.primary_pressed(), pointer.primary_down(), at, input.modifiers.shift, input.time)
        });
        if text.hovered() {
            ui.ctx().set_cursor_icon(CursorIcon::Text);
        }
        let own: Vec<&Drawn> = drawn.iter().filter(|drawn| drawn.column == number).collect();
        let hover = text.hover_pos().and_then(|at| {
            let drawn = own.iter().find(|drawn| drawn.response.rect.contains(at) && text.rect.contains(at))?;
            Some(Under {
                line: drawn.line,
                byte: drawn.byte_under(&column.document, at.x),
                response: drawn.response.clone(),
            })
        });
        let Some(at) = at else { return };
        let document = column.document;
        let nearest = |at: egui::Pos2| {
            let distance = |drawn: &&&Drawn| (drawn.origin.y + drawn.response.rect.height() / 2.0 - at.y).abs();
            let nearest = own.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
            Some(Position::new(nearest.line, nearest.byte_near(&document, at.x)))
        };
        let on_it = text.is_pointer_button_down_on() || text.clicked_by(egui::PointerButton::Primary);
        let before = column.state.caret;
        if pressed && on_it {
            text.request_focus();
            if let Some(to) = nearest(at) {
                column.state.press(&document, to, (time, at), shift);
            }
        } else if down && text.is_pointer_button_down_on() && column.state.is_dragging() {
            if let Some(to) = nearest(at) {
                column.state.drag(&document, to);
            }
            let frames = ui.input(|input| input.stable_dt).min(0.1) * FRAMES_A_SECOND;
            self.scroll = beyond(text.rect, at) * frames;
        }
        if !down {
            column.state.release();
        }
        if text.secondary_clicked() {
            text.request_focus();
            let range = column.state.caret.range();
            if let Some(to) = nearest(at) {
                column.state.menu_line = to.line;
                if range.is_empty() || !(range.start..=range.end).contains(&to) {
                    column.state.place(Caret::at(to));
                }
            }
        }
        reply.moved |= column.state.caret != before;
        if hover.is_some() || text.clicked_by(egui::PointerButton::Primary) {
            let clicked = text.clicked_by(egui::PointerButton::Primary);
            reply.clicked = clicked && !shift && column.state.caret.is_empty();
            let row = || own.iter().find(|drawn| drawn.row_contains(at.y)).map(|drawn| drawn.line);
            reply.under = hover.or_else(|| {
                let line = row().filter(|_| clicked)?;
                Some(Under { line, byte: None, response: text.clone() })
            });
        }
    }
}

/// How far a selection that is drawn out of its text scrolls in a frame of a sixtieth of a second.
fn beyond(text: Rect, at: egui::Pos2) -> Vec2 {
    let of = |low: f32, high: f32, at: f32| {
        let outside = if at < low { at - low } else { (at - high).max(0.0) };
        (outside * 0.5).clamp(-200.0, 200.0)
    };
    vec2(of(text.left(), text.right(), at.x), of(text.top(), text.bottom(), at.y))
}

impl Reply {
    fn take(&mut self, action: MenuAction, state: &mut TextState, document: &Document<'_>) {
        match action {
            MenuAction::Copy => {
                let text = document.slice(state.caret.range());
                self.copy = (!text.is_empty()).then(|| text.to_owned()).or(self.copy.take());
            }
            MenuAction::SelectAll => {
                state.select_all(document);
                self.moved = true;
            }
            MenuAction::ToggleBookmark => {
                state.toggle_bookmark(state.menu_line);
                self.moved = true;
            }
            MenuAction::GoToLine | MenuAction::Find => self.menu = Some(action),
        }
    }
}

impl Drawn {
    fn row_contains(&self, y: f32) -> bool {
        (self.origin.y..self.origin.y + self.response.rect.height()).contains(&y)
    }

    /// The place between two characters that is nearest.
    fn byte_near(&self, document: &Document<'_>, x: f32) -> usize {
        let at = self.galley.cursor_from_pos(vec2(x - self.origin.x, self.galley.size().y / 2.0));
        let line = document.line(self.line).get(..self.shown).unwrap_or("");
        line.char_indices().nth(at.index.0).map_or(line.len(), |(byte, _)| byte)
    }

    /// The character that is there: the edges of a character decide whether the pointer is over it.
    fn byte_under(&self, document: &Document<'_>, x: f32) -> Option<usize> {
        let near = self.byte_near(document, x);
        let line = document.line(self.line).get(..self.shown).unwrap_or("");
        let left = self.x_of(document, near);
        if x < left {
            return line.get(..near)?.char_indices().next_back().map(|(byte, _)| byte);
        }
        (near < line.len()).then_some(near)
    }

    /// Where a place of the line is on the screen.
    fn x_of(&self, document: &Document<'_>, byte: usize) -> f32 {
        let line = document.line(self.line);
        let before = line.get(..byte.min(self.shown)).unwrap_or("");
        self.origin.x + self.galley.pos_from_cursor(CCursor::new(before.chars().count())).left()
    }
}

/// The geometry of one frame.
struct Frame<'f> {
    clip: Rect,
    viewport: Rect,
    rows: usize,
    gutter: f32,
    measure: &'f Measure,
}

impl Frame<'_> {
    fn visible(&self) -> Range<usize> {
        let height = self.measure.height;
        let first = (self.viewport.min.y / height).floor().max(0.0) as usize;
        let last = ((self.viewport.max.y / height).ceil().max(0.0) as usize).min(self.rows);
        first.min(last)..last
    }

    /// The top of a row. Lines of a long text are further down than numbers of this size can tell apart.
    fn top(&self, row: usize) -> f32 {
        let below = row as f64 * f64::from(self.measure.height) - f64::from(self.viewport.min.y);
        self.clip.top() + below as f32
    }

    fn column(&self, number: usize, of: usize) -> Rect {
        let width = self.clip.width() / of.max(1) as f32;
        let left = self.clip.left() + number as f32 * width;
        let rect = self.clip.with_min_x(left).with_max_x(left + width);
        if number == 0 { rect } else { rect.with_min_x(left + 1.0) }
    }

    /// Sets the size of everything, and makes the texts widgets that take keys and pointer.
    fn texts(&self, ui: &mut Ui, columns: &[Column<'_>]) -> Vec<Response> {
        let longest = columns.iter().map(|column| column.document.longest().min(LINE_AT_MOST)).max().unwrap_or(0);
        let half = self.clip.width() / columns.len().max(1) as f32;
        let beyond = self.gutter + (longest as f32 + AFTER_THE_LONGEST) * self.measure.glyph - half;
        // Columns stay where they are; what they show of their lines is scrolled, in step.
        ui.set_min_width(self.clip.width() + beyond.max(0.0));
        ui.set_min_height(self.rows as f32 * self.measure.height);
        let text = |(number, column): (usize, &Column<'_>)| {
            let rect = self.column(number, columns.len());
            let rect = rect.with_min_x((rect.left() + self.gutter).min(rect.right()));
            // With fingers a drag scrolls.
            let touched = ui.input(|input| input.has_touch_screen());
            let sense = if touched { Sense::click() } else { Sense::click_and_drag() };
            let response = ui.interact(rect, column.id, sense);
            response.widget_info(|| {
                let line = column.state.caret.head.line;
                let mut info = WidgetInfo::labeled(Role::MultilineTextInput, ui.is_enabled(), &column.name);
                info.current_text_value = Some(format!("Line {}: {}", line + 1, column.document.line(line)));
                info
            });
            ui.ctx().accesskit_node_builder(column.id, |node| node.set_read_only());
            response
        };
        columns.iter().enumerate().map(text).collect()
    }

    fn rows(
        &self,
        ui: &mut Ui,
        columns: &[Column<'_>],
        contents: &mut dyn Contents,
        drawn: &mut Vec<Drawn>,
        reply: &mut Reply,
        visible: Range<usize>,
    ) {
        let mut children: Vec<Ui> = Vec::new();
        for number in 0..columns.len() {
            let rect = self.column(number, columns.len());
            let mut child = ui.new_child(UiBuilder::new().id_salt(("column", number)).max_rect(rect));
            child.set_clip_rect(rect.intersect(ui.clip_rect()));
            children.push(child);
        }
        for row in visible {
            let top = self.top(row);
            let place = Rect::from_min_size(pos2(self.clip.left(), top), vec2(self.clip.width(), self.measure.height));
            if contents.row(ui, row, place) {
                continue;
            }
            for (number, (column, child)) in columns.iter().zip(&mut children).enumerate() {
                let rect = self.column(number, columns.len()).with_min_y(top).with_max_y(place.bottom());
                match column.document.line_at(row) {
                    Some(line) => {
                        let at = Cell { column: number, row, line };
                        reply.unfinished |= !self.line(child, column, at, rect, contents, drawn);
                    }
                    None => contents.gap(child, rect),
                }
            }
            contents.over(ui, row, place);
        }
    }

    /// Draws a line in a column. Returns whether it is highlighted.
    fn line(
        &self,
        ui: &mut Ui,
        column: &Column<'_>,
        cell: Cell,
        rect: Rect,
        contents: &mut dyn Contents,
        drawn: &mut Vec<Drawn>,
    ) -> bool {
        let Cell { column: number, row, line } = cell;
        let text = column.document.line(line);
        let has_focus = ui.memory(|memory| memory.has_focus(column.id));
        let caret = column.state.caret;
        let selected = caret.in_line(line, text.len());
        let breaks = selected.as_ref().is_some_and(|(_, breaks)| *breaks);
        let has_caret = caret.head.line == line && (has_focus || !caret.is_empty());
        let at = At { column: number, row, line, has_caret, selected: selected.map(|(range, _)| range) };
        let LineLook { job, shown, ground, whole } = contents.line(ui, &at);
        if let Some(ground) = ground {
            ui.painter().rect_filled(rect, 0.0, ground);
        }
        let clip = ui.clip_rect();
        let seen = rect.with_min_x((rect.left() + self.gutter).min(rect.right()));
        ui.set_clip_rect(clip.intersect(seen));
        let galley = ui.painter().layout_job(job);
        let origin = pos2(seen.left() - self.viewport.min.x, rect.top());
        let place = Rect::from_min_size(origin, vec2(galley.size().x, self.measure.height));
        if breaks {
            let end = place.with_min_x(place.right()).with_max_x(place.right() + self.measure.glyph / 2.0);
            ui.painter().rect_filled(end, 0.0, Tokens::of(ui.visuals()).text_selection);
        }
        ui.painter().galley(origin, galley.clone(), ui.visuals().text_color());
        let response = ui.interact(place, column.id.with(("line", line)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, galley.text()));
        let this = Drawn { column: number, line, galley, origin, shown, response };
        if has_caret && has_focus {
            let x = this.x_of(&column.document, caret.head.byte);
            ui.painter().vline(x, rect.y_range(), ui.visuals().text_cursor.stroke);
        }
        drawn.push(this);
        ui.set_clip_rect(clip);
        let gutter = rect.with_max_x((rect.left() + self.gutter - 4.0).max(rect.left()));
        contents.gutter(ui, &at, gutter);
        if column.state.bookmarks.contains(&line) {
            let stroke = Stroke::new(1.5, ui.visuals().hyperlink_color);
            ui.painter().rect_stroke(gutter.shrink(1.0), 3.0, stroke, StrokeKind::Inside);
            let mark = ui.interact(gutter, column.id.with(("bookmark", line)), Sense::hover());
            mark.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Line {}: bookmark", line + 1)));
        }
        whole
    }
}
