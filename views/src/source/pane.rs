//! One text: lines in view only, highlighted, searched, with the lines of what is selected marked.

use std::collections::BTreeMap;
use std::ops::Range;

use egui::{
    Align, FontId, Label, Layout, Rect, Role, ScrollArea, Sense, TextStyle, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Gone;
use lanescope_inspector::selection::{Code, Selection, Varying};
use lanescope_inspector::source::{Instructions, SourceText, TextRole};
use lanescope_inspector::view::Ask;

use super::find::Find;
use super::highlight::{self, Class, Highlighter, LINE_AT_MOST};
use super::index::Index;
use super::searching::searching;
use super::{line, name_and_place};
use crate::context::ViewCx;
use crate::table::{Search, Tokens, is_selected, quiet_cell};

/// How a text is looked at. Kept between frames.
#[derive(Debug, Default)]
pub(crate) struct TextPane {
    search: Search,
    text: Option<Text>,
    /// The varying whose lines were last scrolled to.
    scrolled_to: Option<Varying>,
    /// The line of a listing that was last scrolled to.
    gone_to: Gone,
    /// The instructions whose line was last scrolled to.
    scrolled_to_code: Option<Code>,
    /// The line that the next frame scrolls to.
    wanted: Option<usize>,
    /// What was drawn last.
    visible: Range<usize>,
    height: f32,
}

/// Known facts about the text that is shown.
#[derive(Debug)]
struct Text {
    revision: u64,
    number: usize,
    index: Index,
    highlighter: Highlighter,
    find: Find,
    marks: BTreeMap<usize, Vec<Varying>>,
}

impl TextPane {
    /// Draws the text of that number, with its toolbar.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, number: usize, commands: &mut Vec<Command>) {
        let Some(source) = cx.texts.get(number) else { return };
        if self.text.as_ref().is_some_and(|text| text.number != number) {
            (self.wanted, self.scrolled_to, self.gone_to, self.scrolled_to_code) =
                (Some(0), None, Gone::default(), None);
        }
        let mut text = self.fresh(cx, source, number);
        let indexed = text.index.step(&source.text);
        let searched = text.find.step(&source.text, &text.index) && indexed;
        self.toolbar(ui, cx, source, &mut text, searched, commands);
        self.follow_selection(cx, &text, indexed);
        self.follow_listed(cx, source, indexed);
        self.follow_code(cx, source, indexed);
        let whole = self.lines(ui, cx, source, &mut text, commands);
        if !indexed || !searched || !whole {
            ui.ctx().request_repaint();
        }
        self.text = Some(text);
    }

    /// Known facts about the text, if it is still the same one.
    fn fresh(&mut self, cx: &ViewCx<'_>, source: &SourceText, number: usize) -> Text {
        let same = |text: &Text| text.revision == cx.revision && text.number == number;
        let mut text = self.text.take().filter(same).unwrap_or_else(|| {
            let mut marks: BTreeMap<usize, Vec<Varying>> = BTreeMap::new();
            for (varying, line) in &source.marks {
                marks.entry(*line).or_default().push(*varying);
            }
            Text {
                revision: cx.revision,
                number,
                index: Index::new(source.language),
                highlighter: Highlighter::default(),
                find: Find::default(),
                marks,
            }
        });
        if text.find.query != self.search.text {
            text.find = Find::new(&self.search.text);
        }
        text
    }

    fn toolbar(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        source: &SourceText,
        text: &mut Text,
        searched: bool,
        commands: &mut Vec<Command>,
    ) {
        ui.horizontal_wrapped(|ui| {
            let from = self.visible.start;
            self.wanted = searching(ui, cx, &mut self.search, &mut text.find, searched, from).or(self.wanted);
            let copy = ui.button("Copy").on_hover_text("Copy the full text").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                commands.push(Command::Copy(source.text.clone()));
            }
            quiet_cell(ui, counted(text.index.lines(), "line"));
        });
    }

    /// Scrolls to the lines of a varying that was selected elsewhere, unless one of them is in view.
    fn follow_selection(&mut self, cx: &ViewCx<'_>, text: &Text, indexed: bool) {
        if self.scrolled_to == cx.selection.varying || !indexed {
            return;
        }
        self.scrolled_to = cx.selection.varying;
        let mut lines = text.marks.iter().filter(|(_, marks)| is_marked(cx.selection, marks)).map(|(line, _)| *line);
        let first = lines.clone().next();
        if !lines.any(|line| self.visible.contains(&line)) {
            self.wanted = first.or(self.wanted);
        }
    }

    /// Scrolls to the line of a listing that was chosen elsewhere.
    fn follow_listed(&mut self, cx: &ViewCx<'_>, source: &SourceText, indexed: bool) {
        if self.gone_to == cx.selection.gone() || !indexed {
            return;
        }
        self.gone_to = cx.selection.gone();
        if let Some(line) = listed_line(cx, source) {
            self.wanted = Some(line);
        }
    }

    /// Scrolls to the line of instructions that were selected elsewhere, unless it is in view.
    fn follow_code(&mut self, cx: &ViewCx<'_>, source: &SourceText, indexed: bool) {
        if self.scrolled_to_code == cx.selection.code || !indexed {
            return;
        }
        self.scrolled_to_code = cx.selection.code.clone();
        let code = self.scrolled_to_code.as_ref().zip(source.instructions.as_ref());
        let line = code.and_then(|(code, instructions)| instructions.first_line(code));
        self.wanted = line.filter(|line| !self.visible.contains(line)).or(self.wanted);
    }

    /// Draws the lines in view. Returns whether all of them are highlighted.
    fn lines(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        source: &SourceText,
        text: &mut Text,
        commands: &mut Vec<Command>,
    ) -> bool {
        let font = TextStyle::Monospace.resolve(ui.style());
        let (height, glyph) = ui.fonts_mut(|fonts| (fonts.row_height(&font), fonts.glyph_width(&font, '0')));
        let digits = text.index.lines().to_string().len().max(3);
        let gutter = (digits as f32 + 3.0) * glyph;
        let width = gutter + (text.index.longest().min(LINE_AT_MOST) as f32 + 4.0) * glyph;
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::both().id_salt(("source", text.number)).auto_shrink(false);
        if let Some(line) = self.wanted.filter(|line| *line < text.index.lines()) {
            self.wanted = None;
            // Nothing was drawn yet: all that is left will be.
            let room = if self.height > 0.0 { self.height } else { ui.available_height() };
            let above = (room / height / 3.0).floor().max(0.0);
            area = area.vertical_scroll_offset((line as f32 - above).max(0.0) * height);
        }
        let mut whole = true;
        text.highlighter.begin_frame();
        let output = area.show_rows(ui, height, text.index.lines(), |ui, range| {
            ui.set_min_width(width);
            let look = Look { font: font.clone(), gutter, height, digits };
            for line in range.clone() {
                let top = ui.max_rect().top() + (line - range.start) as f32 * height;
                whole &= look.line(ui, cx, source, text, (line, top), commands);
            }
            range
        });
        self.visible = output.inner;
        self.height = output.inner_rect.height();
        whole
    }
}

/// The varying that a click on its line selects: several take turns.
pub(crate) fn next(selection: &Selection, marks: &[Varying]) -> Option<Varying> {
    let now = marks.iter().position(|mark| selection.varying == Some(*mark));
    now.and_then(|now| marks.get(now + 1)).or(marks.first()).copied()
}

/// Whether one of these varyings is selected.
pub(crate) fn is_marked(selection: &Selection, marks: &[Varying]) -> bool {
    marks.iter().any(|mark| is_selected(selection.varying, mark.location, mark.component))
}

/// The line of a text, from 0, that is selected as a line of a listing.
fn listed_line(cx: &ViewCx<'_>, source: &SourceText) -> Option<usize> {
    let listed = cx.selection.listed?;
    let same = source.role == TextRole::Listing && source.input == listed.input;
    (listed.line as usize).checked_sub(1).filter(|_| same)
}

/// Whether a line of a text represents one of the instructions that are selected.
fn is_code(selection: &Selection, instructions: Option<&Instructions>, line: usize) -> bool {
    let selected = selection.code.as_ref().zip(instructions);
    selected.is_some_and(|(code, instructions)| code.holds(instructions.module, instructions.of_line(line)))
}

/// The bar at the left of a line that is of the instructions that are selected.
pub(crate) fn code_bar(ui: &Ui, row: Rect) {
    ui.painter().rect_filled(row.with_max_x(row.left() + 3.0), 0.0, ui.visuals().hyperlink_color);
}

/// The measures of a line.
struct Look {
    font: FontId,
    gutter: f32,
    height: f32,
    digits: usize,
}

impl Look {
    fn line(
        &self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        source: &SourceText,
        text: &mut Text,
        (number, top): (usize, f32),
        commands: &mut Vec<Command>,
    ) -> bool {
        let tokens = Tokens::of(ui.visuals());
        let clip = ui.clip_rect();
        let row = Rect::from_min_size(pos2(clip.left(), top), vec2(clip.width(), self.height));
        let marks = text.marks.get(&number).map(Vec::as_slice).unwrap_or_default();
        let instructions = source.instructions.as_ref();
        let is_code = is_code(cx.selection, instructions, number);
        let selected = is_marked(cx.selection, marks) || listed_line(cx, source) == Some(number) || is_code;
        if selected {
            ui.painter().rect_filled(row, 0.0, tokens.selected);
        }

        let line = text.index.line(&source.text, number);
        let cut = highlight::cut(line);
        let spans = text.highlighter.spans(source.language, number, cut, text.index.begins_open(number));
        let whole = spans.is_some();
        let plain = [(0..cut.len(), Class::Text)];
        let spans = spans.map_or(&plain[..], Vec::as_slice);
        let found = text.find.marks(number, tokens);
        let job = line::job(ui.visuals(), &self.font, cut, spans, &found, cut.len() < line.len());
        let at = Rect::from_min_size(pos2(ui.max_rect().left() + self.gutter, top), vec2(f32::INFINITY, self.height));
        let code = UiBuilder::new().id_salt(number).max_rect(at).layout(Layout::left_to_right(Align::Center));
        let clicked = ui
            .scope_builder(code, |ui| {
                ui.set_clip_rect(clip.with_min_x(clip.left() + self.gutter));
                ui.add(Label::new(job).extend().selectable(true).sense(Sense::click())).clicked()
            })
            .inner;
        if self.gutter(ui, cx, marks, (number, row), selected) || clicked {
            let varying = next(cx.selection, marks);
            let code = instructions.and_then(|instructions| instructions.code(number));
            if varying.is_some() || code.is_some() {
                let varying = varying.or(cx.selection.varying);
                commands.push(Command::Select(Selection { varying, code, ..cx.selection.clone() }));
            }
        }
        if is_code {
            code_bar(ui, row);
        }
        whole
    }

    /// The line's number and mark, drawn over the scrolled text. Returns whether it was clicked.
    fn gutter(
        &self,
        ui: &Ui,
        cx: &ViewCx<'_>,
        marks: &[Varying],
        (number, row): (usize, Rect),
        selected: bool,
    ) -> bool {
        let visuals = ui.visuals();
        let tokens = Tokens::of(visuals);
        let place = row.with_max_x(row.left() + self.gutter - 4.0);
        let ground = if selected { tokens.selected } else { visuals.panel_fill };
        ui.painter().rect_filled(place, 0.0, ground);
        let colour = if selected { visuals.strong_text_color() } else { tokens.quiet };
        let text = format!("{:>width$}", number + 1, width = self.digits);
        let right = pos2(place.right() - 4.0, place.center().y);
        ui.painter().text(right, egui::Align2::RIGHT_CENTER, text, self.font.clone(), colour);
        if marks.is_empty() {
            return false;
        }
        let (sign, colour) = if selected { ("▶", visuals.strong_text_color()) } else { ("●", tokens.note) };
        let left = pos2(place.left() + 3.0, place.center().y);
        let size = FontId::monospace(self.font.size * 0.75);
        ui.painter().text(left, egui::Align2::LEFT_CENTER, sign, size, colour);
        let response = ui.interact(place, ui.scope_id().with(("mark", number)), Sense::click());
        let about = || {
            let all: Vec<_> = marks.iter().take(8).map(|mark| name_and_place(cx, mark)).collect();
            all.join(", ")
        };
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Button, true, format!("Line {}: select {}", number + 1, about()))
        });
        response
            .on_hover_ui(|ui| {
                ui.label(format!("Select {}", about()));
            })
            .clicked()
    }
}
