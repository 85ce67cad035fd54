//! One text with its toolbar, with the lines of what is selected marked.

use std::collections::BTreeMap;

use egui::{FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Gone;
use lanescope_inspector::selection::{Code as SelectedCode, Selection, Varying};
use lanescope_inspector::source::{Instructions, SourceText, TextRole};
use lanescope_inspector::view::Ask;

use lanescope_pictures::assembly::Tints;

use super::name_and_place;
use crate::context::ViewCx;
use crate::table::{Tokens, is_selected, one_line, quiet_cell};
use crate::text::area::{At, Contents, LineLook};
use crate::text::code::Code;
use crate::text::document::Document;
use crate::text::find::Find;
use crate::text::highlight::Highlighter;
use crate::text::index::Index;
use crate::text::measure::{Measure, digits};
use crate::text::reader::{Reader, with_row_below};
use crate::theme::{Theme, ThemeOfUi as _, TokensOfVisuals as _};

/// Characters of the gutter beside the digits.
const GUTTER: f32 = 3.0;

/// How a text is looked at. Kept between frames.
#[derive(Debug, Default)]
pub(crate) struct TextPane {
    reader: Reader,
    text: Option<Text>,
    /// The varying whose lines were last scrolled to.
    scrolled_to: Option<Varying>,
    /// The line of a listing that was last scrolled to.
    gone_to: Gone,
    /// The instructions whose line was last scrolled to.
    scrolled_to_code: Option<SelectedCode>,
}

/// Known facts about the text that is shown.
#[derive(Debug)]
struct Text {
    /// Program, revision and number.
    key: (u64, u64, usize),
    index: Index,
    highlighter: Highlighter,
    find: Find,
    marks: BTreeMap<usize, Vec<Varying>>,
    /// The compilers' answer that the tints are for, by its number; none where there are none.
    tinted_for: Option<u64>,
    tints: Tints,
}

impl Text {
    /// Renews the tints where compilers have answered since, or where they were switched on or off.
    fn tint(&mut self, cx: &ViewCx<'_>) {
        let task = &cx.results.compiled;
        let compiled = task.answer.as_ref().zip(task.done()).filter(|_| cx.settings.texts.tints);
        let number = compiled.map(|(answer, _)| answer.number);
        if self.tinted_for != number {
            self.tinted_for = number;
            let rows = compiled.map(|(_, compiled)| compiled.sections.stages.as_slice()).unwrap_or_default();
            self.tints = Tints::of(rows, cx.texts);
        }
    }
}

impl TextPane {
    /// Draws the text of that number, with its toolbar.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, number: usize, commands: &mut Vec<Command>) {
        if let Some(source) = cx.texts.get(number) {
            self.ui_of(ui, cx, number, source, commands);
        }
    }

    /// Draws a text, with its toolbar. The number tells it from the other texts of the program.
    pub fn ui_of(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        number: usize,
        source: &SourceText,
        commands: &mut Vec<Command>,
    ) {
        if self.reader.begin(ui, cx.program, &format!("{} {}", source.input, source.title)) {
            (self.scrolled_to, self.gone_to, self.scrolled_to_code) = (None, Gone::default(), None);
        }
        let mut text = self.fresh(cx, source, number);
        text.tint(cx);
        let indexed = text.index.step(&source.text);
        let searched = text.find.step(&source.text, &text.index) && indexed;
        let Text { index, find, highlighter, marks, tints, .. } = &mut text;
        let document = Document::new(&source.text, index);
        let step = |find: &mut Find| find.step(&source.text, index) && indexed;
        self.reader.toolbar(ui, cx, &document, (find, searched), step, |ui| {
            let copy = ui.button("Copy").on_hover_text("Copy the full text").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                commands.push(Command::Copy(source.text.clone()));
            }
            quiet_cell(ui, counted(document.lines(), "line"));
        });
        if indexed {
            self.follow_selection(cx, marks);
            self.follow_listed(cx, source);
            self.follow_code(cx, source);
        }
        let measure = Measure::of(ui);
        highlighter.begin_frame();
        let show = |pane: &mut TextPane, ui: &mut Ui| {
            let searching = &*find;
            let code =
                Code { document, language: source.language, highlighter, find: searching, font: measure.font.clone() };
            let (line, found) = (listed_line(cx, source), Vec::new());
            let mut lines = Lines { cx, source, code, marks, tints, measure: &measure, listed: line, commands: found };
            let gutter = measure.gutter(document.lines(), GUTTER);
            let name = format!("Text of {}", one_line(&source.title));
            let mut copied = Vec::new();
            let reply = pane.reader.show(ui, document, (searching, gutter), name, &mut lines, &mut copied);
            let line = reply.entered.or(reply.under.as_ref().filter(|_| reply.clicked).map(|under| under.line));
            if let Some(line) = line {
                lines.select(line);
            }
            commands.append(&mut copied);
            commands.append(&mut lines.commands);
            reply
        };
        let reply = with_row_below(ui, self, show, |pane, ui| pane.reader.place(ui, &document));
        self.reader.moved(&reply, &mut text.find);
        if !indexed || !searched || reply.unfinished {
            ui.ctx().request_repaint();
        }
        self.text = Some(text);
    }

    /// Whether the text has the keyboard.
    pub fn has_keys(&self, ui: &Ui) -> bool {
        self.reader.has_keys(ui)
    }

    /// Forgets the texts of a program that was closed.
    pub fn forget(&mut self, program: u64) {
        self.reader.forget(program);
    }

    /// Known facts about the text, if it is still the same one.
    fn fresh(&mut self, cx: &ViewCx<'_>, source: &SourceText, number: usize) -> Text {
        let key = (cx.program, cx.revision, number);
        let mut text = self.text.take().filter(|text| text.key == key).unwrap_or_else(|| {
            let mut marks: BTreeMap<usize, Vec<Varying>> = BTreeMap::new();
            for (varying, line) in &source.marks {
                marks.entry(*line).or_default().push(*varying);
            }
            Text {
                key,
                index: Index::new(source.language),
                highlighter: Highlighter::default(),
                find: Find::default(),
                marks,
                tinted_for: None,
                tints: Tints::default(),
            }
        });
        self.reader.search(&mut text.find);
        text
    }

    /// Scrolls to the lines of a varying that was selected elsewhere, unless one of them is in view.
    fn follow_selection(&mut self, cx: &ViewCx<'_>, marks: &BTreeMap<usize, Vec<Varying>>) {
        if self.scrolled_to == cx.selection.varying {
            return;
        }
        self.scrolled_to = cx.selection.varying;
        let mut lines = marks.iter().filter(|(_, marks)| is_marked(cx.selection, marks)).map(|(line, _)| *line);
        let first = lines.clone().next();
        let view = &mut self.reader.view;
        if !lines.any(|line| view.visible.contains(&line)) {
            view.wanted = first.or(view.wanted);
        }
    }

    /// Scrolls to the line of a listing that was chosen elsewhere.
    fn follow_listed(&mut self, cx: &ViewCx<'_>, source: &SourceText) {
        if self.gone_to == cx.selection.gone() {
            return;
        }
        self.gone_to = cx.selection.gone();
        self.reader.view.wanted = listed_line(cx, source).or(self.reader.view.wanted);
    }

    /// Scrolls to the line of instructions that were selected elsewhere, unless it is in view.
    fn follow_code(&mut self, cx: &ViewCx<'_>, source: &SourceText) {
        if self.scrolled_to_code == cx.selection.code {
            return;
        }
        self.scrolled_to_code = cx.selection.code.clone();
        let code = self.scrolled_to_code.as_ref().zip(source.instructions.as_ref());
        let line = code.and_then(|(code, instructions)| instructions.first_line(code));
        let view = &mut self.reader.view;
        view.wanted = line.filter(|line| !view.visible.contains(line)).or(view.wanted);
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

/// The lines of a text as they are drawn.
struct Lines<'a> {
    cx: &'a ViewCx<'a>,
    source: &'a SourceText,
    code: Code<'a>,
    marks: &'a BTreeMap<usize, Vec<Varying>>,
    tints: &'a Tints,
    measure: &'a Measure,
    /// The selected line of the listing.
    listed: Option<usize>,
    commands: Vec<Command>,
}

impl Lines<'_> {
    fn marks(&self, line: usize) -> &[Varying] {
        self.marks.get(&line).map(Vec::as_slice).unwrap_or_default()
    }

    fn is_code(&self, line: usize) -> bool {
        is_code(self.cx.selection, self.source.instructions.as_ref(), line)
    }

    fn is_selected(&self, line: usize) -> bool {
        is_marked(self.cx.selection, self.marks(line)) || self.listed == Some(line) || self.is_code(line)
    }

    /// Selects the varying and the instructions of a line.
    fn select(&mut self, line: usize) {
        let varying = next(self.cx.selection, self.marks(line));
        let code = self.source.instructions.as_ref().and_then(|instructions| instructions.code(line));
        if varying.is_some() || code.is_some() {
            let varying = varying.or(self.cx.selection.varying);
            self.commands.push(Command::Select(Selection { varying, code, ..self.cx.selection.clone() }));
        }
    }

    /// The names of a line's varyings.
    fn about(&self, line: usize) -> String {
        let all: Vec<_> = self.marks(line).iter().take(8).map(|mark| name_and_place(self.cx, mark)).collect();
        all.join(", ")
    }
}

impl Contents for Lines<'_> {
    fn line(&mut self, ui: &Ui, at: &At) -> LineLook {
        let tint = || Some(Theme::of(ui).tint(self.tints.of_line(self.source, at.line)?.tint)[0]);
        let ground = self.is_selected(at.line).then_some(Tokens::of(ui.visuals()).selected).or_else(tint);
        LineLook { ground, ..self.code.line(ui, at, Vec::new()) }
    }

    /// The line's number and mark.
    fn gutter(&mut self, ui: &Ui, at: &At, place: Rect) {
        let (visuals, tokens, line) = (ui.visuals(), Tokens::of(ui.visuals()), at.line);
        let selected = self.is_selected(line);
        let strong = selected || at.has_caret;
        let colour = if strong { visuals.strong_text_color() } else { tokens.quiet };
        let text = format!("{:>width$}", line + 1, width = digits(self.code.document.lines()));
        let right = pos2(place.right() - 4.0, place.center().y);
        ui.painter().text(right, egui::Align2::RIGHT_CENTER, text, self.measure.font.clone(), colour);
        if !self.marks(line).is_empty() {
            let (sign, colour) = if selected { ("◆", visuals.strong_text_color()) } else { ("●", tokens.note) };
            let left = pos2(place.left() + 3.0, place.center().y);
            let size = FontId::monospace(self.measure.font.size * 0.75);
            ui.painter().text(left, egui::Align2::LEFT_CENTER, sign, size, colour);
            // Tab passes the marks by: Enter on the caret's line does the same.
            let response = ui.interact(place, ui.scope_id().with(("mark", line)), Sense::CLICK);
            response.widget_info(|| {
                WidgetInfo::labeled(Role::Button, true, format!("Line {}: select {}", line + 1, self.about(line)))
            });
            let response = response.on_hover_ui(|ui| {
                ui.label(format!("Select {}", self.about(line)));
            });
            if response.clicked() {
                self.select(line);
            }
        }
        if self.is_code(line) {
            code_bar(ui, place);
        }
    }

    fn menu(&mut self, ui: &mut Ui, _column: usize, line: usize) {
        let code = self.source.instructions.as_ref().is_some_and(|of| of.of_line(line).next().is_some());
        let varying = next(self.cx.selection, self.marks(line)).map(|varying| name_and_place(self.cx, &varying));
        if !code && varying.is_none() {
            return;
        }
        ui.separator();
        let label = varying.map_or("Select the instructions of this line".to_owned(), |name| format!("Select {name}"));
        if ui.button(label).clicked() {
            self.select(line);
            ui.close();
        }
    }
}
