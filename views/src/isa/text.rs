//! One text of a compiler: lines in view only, with what the assembly says of registers, branches and varyings.

use std::collections::BTreeMap;
use std::ops::Range;

use egui::{Button, CursorIcon, Grid, Label, Panel, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use lanescope_core::driver::DriverStage;
use lanescope_core::driver::isa::{Branch, IsaFacts, LiveRange, Operand, OperandKind, Registers};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::{Command, PictureFile};
use lanescope_inspector::selection::{Code, Selection, Varying};
use lanescope_inspector::source::Language;
use lanescope_inspector::tasks::Compiled;
use lanescope_inspector::view::{Ask, ViewId};

use super::line::{Act, Lines};
use super::live;
use crate::context::ViewCx;
use crate::picture::{Emphasis, Picture, paint};
use crate::source::is_marked;
use crate::table::{Tokens, one_line, quiet_cell};
use crate::text::area::{Reply, Under};
use crate::text::caret::{Caret, Position};
use crate::text::code::Code as CodeLook;
use crate::text::document::Document;
use crate::text::find::Find;
use crate::text::highlight::Highlighter;
use crate::text::index::Index;
use crate::text::measure::Measure;
use crate::text::reader::{Reader, link, with_row_below};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::theme::TokensOfVisuals as _;
use crate::widgets::Cached;
use lanescope_pictures::assembly::{Origins, Tinted, Tints, Varyings, origins, place, varyings};
use lanescope_pictures::curve::{curve, height_of, instruction_at};

/// Characters of the gutter beside the digits.
const GUTTER: f32 = 6.0;
/// Characters of the source line's number, with the sign of an estimate before it.
const SOURCE: f32 = 6.0;
/// Width of the button that unmarks the uses of registers, in points.
const PINNED_WIDTH: f32 = 170.0;
/// Below this width there is no space for the curve.
const NARROW: f32 = 560.0;

/// The widest that a fact about the text gets, in points.
const TOLD_AT_MOST: f32 = 560.0;

/// What is shown in a frame.
pub(super) struct Shown<'a> {
    /// Everything that was compiled.
    pub compiled: &'a Compiled,
    /// The row that the text is of.
    pub row: &'a DriverStage,
    pub text: &'a str,
    /// Names both: what is known of them is kept while this stays the same.
    pub key: u64,
    /// Names the text, over compiles.
    pub name: String,
    /// The text is assembly.
    pub is_assembly: bool,
}

/// How a text is looked at. Kept between frames.
#[derive(Debug, Default)]
pub(super) struct TextPane {
    reader: Reader,
    known: Option<Known>,
    /// Registers whose uses stay marked.
    pinned: Option<Registers>,
    /// Registers under the pointer, with their instruction.
    hovered: Option<(Registers, u32)>,
    /// The line that was jumped to last.
    target: Option<usize>,
    scrolled_to: Option<Varying>,
    scrolled_to_code: Option<Code>,
    curve: Cached<(u64, bool, u32)>,
}

/// Known facts about the text.
#[derive(Debug)]
pub(super) struct Known {
    key: u64,
    index: Index,
    highlighter: Highlighter,
    find: Find,
    pub facts: IsaFacts,
    pub varyings: Varyings,
    pub origins: Origins,
    /// The tints of lines, with the source line of each.
    pub tinted: BTreeMap<usize, Tinted>,
    /// Descriptions of instructions.
    words: BTreeMap<u32, String>,
    /// What the text has, by topic.
    summary: Vec<(&'static str, String)>,
    /// The selected shader code and its place.
    selected: Option<(Code, String)>,
}

impl Known {
    fn of(cx: &ViewCx<'_>, shown: &Shown<'_>) -> Known {
        let facts = shown.row.read_text().filter(|_| shown.is_assembly).unwrap_or_default();
        let varyings = varyings(shown.compiled, shown.row, &facts);
        let origins = origins(shown.row, &facts, cx.texts);
        Known {
            words: shown.row.words(&facts),
            summary: shown.row.summary(&facts),
            key: shown.key,
            index: Index::new(Language::Isa),
            highlighter: Highlighter::default(),
            find: Find::default(),
            facts,
            varyings,
            tinted: Tints::of(&shown.compiled.sections.stages, cx.texts).of_assembly(&origins),
            origins,
            selected: None,
        }
    }

    /// The instruction on a line.
    pub(super) fn instruction(&self, line: usize) -> Option<u32> {
        self.facts.at_line(u32::try_from(line).ok()?)
    }

    /// The line of an instruction.
    pub(super) fn line_of(&self, instruction: u32) -> Option<usize> {
        Some(self.facts.instructions.get(instruction as usize)?.line as usize)
    }

    /// The operand of a line that has a byte, with its instruction.
    pub(super) fn operand(&self, line: usize, byte: usize) -> Option<(u32, &Operand)> {
        let at = self.instruction(line)?;
        let instruction = self.facts.instructions.get(at as usize)?;
        let holds = |operand: &&Operand| (operand.columns[0] as usize..operand.columns[1] as usize).contains(&byte);
        instruction.operands.iter().find(holds).map(|operand| (at, operand))
    }

    /// Description of an instruction, where more is known than its text says.
    pub(super) fn words(&self, instruction: u32) -> Option<&str> {
        self.words.get(&instruction).map(String::as_str)
    }

    /// The line that a branch goes to: by the label under the pointer, where it names several.
    pub(super) fn target(&self, instruction: u32, under: Option<&OperandKind>) -> Option<usize> {
        let mut own = self.facts.branches.iter().filter(|branch| branch.instruction == instruction);
        let named = |branch: &&Branch| matches!(under, Some(OperandKind::Label(label)) if *label == branch.target);
        let branch = own.clone().find(named).or_else(|| own.next())?;
        Some(self.facts.blocks.get(branch.block? as usize)?.line as usize)
    }

    /// The instructions over which the value that an instruction names stays needed.
    fn live(&self, registers: Registers, at: u32) -> Option<Range<u32>> {
        let holds = |range: &&LiveRange| range.register.overlaps(&registers) && (range.from..=range.to).contains(&at);
        let ranges: Vec<_> = self.facts.ranges.iter().filter(holds).collect();
        let from = ranges.iter().map(|range| range.from).min()?;
        let to = ranges.iter().map(|range| range.to).max()?;
        Some(from..to.saturating_add(1))
    }
}

impl TextPane {
    /// Draws the controls, the text and the curve beside it.
    pub(super) fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, shown: &Shown<'_>, commands: &mut Vec<Command>) {
        self.reader.begin(ui, cx.program, &shown.name);
        let mut known = self.known.take().filter(|known| known.key == shown.key).unwrap_or_else(|| {
            (self.pinned, self.hovered, self.target) = (None, None, None);
            (self.scrolled_to, self.scrolled_to_code) = (None, None);
            Known::of(cx, shown)
        });
        self.reader.search(&mut known.find);
        let indexed = known.index.step(shown.text);
        let searched = known.find.step(shown.text, &known.index) && indexed;
        // Taken out while lines are drawn from the rest.
        let mut find = std::mem::take(&mut known.find);
        let mut highlighter = std::mem::take(&mut known.highlighter);
        select_place(cx, &mut known);
        self.toolbar(ui, cx, shown, &known, (&mut find, searched), commands);
        if indexed {
            self.follow_selection(cx, &known);
        }
        self.curve(ui, cx, shown, &known, commands);
        let document = Document::new(shown.text, &known.index);
        let show = |pane: &mut TextPane, ui: &mut Ui| {
            let name = format!("Text of {}", one_line(&shown.name));
            pane.lines(ui, cx, (document, &known), (&find, &mut highlighter), name, commands)
        };
        let mut follows = false;
        let reply = with_row_below(ui, self, show, |pane, ui| follows = pane.facts(ui, cx, &document, &known));
        if follows {
            commands.push(Command::Show(ViewId::Source));
        }
        self.reader.moved(&reply, &mut find);
        (known.find, known.highlighter) = (find, highlighter);
        if !indexed || !searched || reply.unfinished {
            ui.ctx().request_repaint();
        }
        self.known = Some(known);
    }

    /// Forgets the texts of a program that was closed.
    pub(super) fn forget(&mut self, program: u64) {
        self.reader.forget(program);
    }

    fn toolbar(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        shown: &Shown<'_>,
        known: &Known,
        (find, searched): (&mut Find, bool),
        commands: &mut Vec<Command>,
    ) {
        let document = Document::new(shown.text, &known.index);
        let step = |find: &mut Find| find.step(shown.text, &known.index) && known.index.is_done();
        self.reader.toolbar(ui, cx, &document, (find, searched), step, |ui| {
            let copy = ui.button("Copy").on_hover_text("Copy the full text").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                commands.push(Command::Copy(shown.text.to_owned()));
            }
            let note = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).color(Tokens::of(ui.visuals()).note));
            if let Some(verified) = shown.row.verified.as_ref().filter(|v| shown.is_assembly && !v.is_yes()) {
                let text = if shown.row.is_interpreted() { "· not verified" } else { "· not interpreted" };
                note(ui, text).on_hover_text(verified.text());
            }
            if let Some(unknown) = known.varyings.unknown {
                note(ui, "· varyings are not marked")
                    .on_hover_text(format!("Varyings are not marked: {}.", unknown.why()));
            }
            let counts = quiet_cell(ui, summary(known));
            if !known.facts.instructions.is_empty() {
                counts.on_hover_ui(|ui| counts_of(ui, &known.summary));
            }
        });
    }

    /// Draws what is below the text: the caret's place, the marked registers, the selected shader code. Returns whether
    /// that code is to be shown.
    fn facts(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, document: &Document<'_>, known: &Known) -> bool {
        self.reader.place(ui, document);
        let size = vec2(PINNED_WIDTH.min(ui.available_width()).max(0.0), ui.spacing().interact_size.y);
        ui.allocate_ui(size, |ui| {
            ui.set_width(size.x);
            if let Some(registers) = self.pinned {
                let uses = known.facts.uses(registers).count();
                let text = format!("{registers}: {}", counted(uses, "use"));
                let clear = ui.add(Button::new(format!("× {text}")).truncate());
                if clear.on_hover_text(format!("Unmark {text}")).clicked() {
                    self.pinned = None;
                }
            }
        });
        origin(ui, cx, known)
    }

    /// Scrolls to the lines of what was selected elsewhere, unless one of them is in view: of an instruction where one
    /// was, else of a varying.
    fn follow_selection(&mut self, cx: &ViewCx<'_>, known: &Known) {
        let (varying, code) = (cx.selection.varying, &cx.selection.code);
        let of_varying = || known.varyings.of_line.iter().filter(|(_, marks)| is_marked(cx.selection, marks));
        let lines: Vec<usize> = if self.scrolled_to_code != *code && code.is_some() {
            known.origins.marked(cx.selection).collect()
        } else if self.scrolled_to != varying {
            of_varying().map(|(line, _)| *line).collect()
        } else {
            Vec::new()
        };
        if self.scrolled_to_code != *code {
            self.scrolled_to_code = code.clone();
        }
        self.scrolled_to = varying;
        let view = &mut self.reader.view;
        if !lines.iter().any(|line| view.visible.contains(line)) {
            view.wanted = lines.first().copied().or(view.wanted);
        }
    }

    /// The pressure curve of a text that is longer than the view, with what is in view framed; a click goes there. Of a
    /// text that is all in view, the lines have it.
    fn curve(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, shown: &Shown<'_>, known: &Known, commands: &mut Vec<Command>) {
        if known.facts.peak.is_none() {
            return;
        }
        let theme = Theme::of(ui);
        let narrow = ui.available_width() < NARROW;
        // Steps of eight points: a window that is dragged does not draw it anew with each of them.
        let height = (ui.available_height() / 8.0).floor().max(20.0) * 8.0;
        let picture = self.curve.get((shown.key, theme.dark, height as u32), || {
            curve(&known.facts, height, &theme).unwrap_or_else(|| Picture::new("", theme.page))
        });
        if cx.asked(Ask::ExportPicture) {
            commands
                .push(Command::SavePicture { picture: PictureFile::new(picture.clone()), name: "register-pressure" });
        }
        let is_in_view = known.index.lines() as f32 * Measure::of(ui).height <= ui.available_height();
        if narrow || is_in_view {
            return;
        }
        let panel = Panel::right(ui.scope_id().with("pressure")).resizable(false).exact_size(picture.size.x);
        let view = &mut self.reader.view;
        let visible = view.visible.clone();
        let clicked = panel.frame(egui::Frame::NONE).show(ui, |ui| beside(ui, known, picture, &visible, &theme));
        view.wanted = clicked.inner.or(view.wanted);
    }

    /// Draws the lines, and carries out what was clicked on them.
    fn lines(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        (document, known): (Document<'_>, &Known),
        (find, highlighter): (&Find, &mut Highlighter),
        name: String,
        commands: &mut Vec<Command>,
    ) -> Reply {
        let measure = Measure::of(ui);
        let lit = self.pinned.or(self.hovered.map(|(registers, _)| registers));
        let live = self.hovered.and_then(|(registers, at)| known.live(registers, at));
        highlighter.begin_frame();
        let code = CodeLook { document, language: Language::Isa, highlighter, find, font: measure.font.clone() };
        let (target, act) = (self.target, None);
        let live_width = live::width(&known.facts, &measure);
        let source_width =
            if known.tinted.is_empty() || !cx.settings.texts.tints { 0.0 } else { SOURCE * measure.glyph };
        let mut lines = Lines { cx, known, code, live_width, source_width, lit, live, target, act };
        let gutter = measure.gutter(document.lines(), GUTTER) + source_width + live_width;
        let reply = self.reader.show(ui, document, (find, gutter), name, &mut lines, commands);
        let mut act = lines.act.take();
        if let Some(line) = reply.entered {
            act = act.or_else(|| lines.enter(line));
        }
        let under = reply.under.as_ref().and_then(|under| {
            let (hovered, clicked) = explain(ui, &lines, under);
            act = act.take().or(clicked.filter(|_| reply.clicked));
            hovered
        });
        if under != self.hovered {
            self.hovered = under;
            ui.ctx().request_repaint();
        }
        if let Some(act) = act {
            if let Act::At(line) = act
                && let Some(select) = lines.select(line)
            {
                self.carry_out(cx, select, commands);
            }
            self.carry_out(cx, act, commands);
            ui.ctx().request_repaint();
        }
        reply
    }

    fn carry_out(&mut self, cx: &ViewCx<'_>, act: Act, commands: &mut Vec<Command>) {
        match act {
            Act::Pin(registers) => {
                self.pinned = if self.pinned == Some(registers) { None } else { Some(registers) };
            }
            Act::Go(line) => {
                (self.reader.view.wanted, self.target) = (Some(line), Some(line));
                self.reader.state.place(Caret::at(Position::new(line, 0)));
            }
            Act::At(line) => self.reader.state.place(Caret::at(Position::new(line, 0))),
            Act::Select(varying, code) => {
                let varying = varying.or(cx.selection.varying);
                (self.scrolled_to, self.scrolled_to_code) = (varying, code.clone());
                commands.push(Command::Select(Selection { varying, code, ..cx.selection.clone() }));
            }
        }
    }
}

/// Explains what is under the pointer. Returns the registers there, with their instruction, and what a click does.
fn explain(ui: &Ui, lines: &Lines<'_>, under: &Under) -> (Option<(Registers, u32)>, Option<Act>) {
    let Under { line, byte, response } = under;
    let known = lines.known;
    let operand = byte.and_then(|byte| known.operand(*line, byte));
    match operand.map(|(at, operand)| (at, &operand.kind)) {
        Some((at, OperandKind::Registers(registers))) => {
            response.clone().on_hover_text_at_pointer(lines.about(*registers));
            (Some((*registers, at)), Some(Act::Pin(*registers)))
        }
        Some((at, kind)) if known.target(at, Some(kind)).is_some() => {
            let target = known.target(at, Some(kind));
            let text = target.map(|line| format!("branches to line {}", line + 1)).unwrap_or_default();
            response.clone().on_hover_text_at_pointer(text);
            ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
            (None, target.map(Act::Go))
        }
        _ => {
            // After the end of the line there is nothing to explain.
            let words = byte.and_then(|_| known.words(known.instruction(*line)?));
            if let Some(words) = words {
                response.clone().on_hover_text_at_pointer(words);
            }
            (None, lines.select(*line))
        }
    }
}

/// Finds the place of the selected shader code, once.
fn select_place(cx: &ViewCx<'_>, known: &mut Known) {
    let Some(code) = cx.selection.code.as_ref().filter(|code| known.origins.is_here(code)) else { return };
    if known.selected.as_ref().is_none_or(|(of, _)| of != code) {
        known.selected = Some((code.clone(), place(code, cx.texts).unwrap_or_default()));
    }
}

/// The selected shader code: its place, and whether its instructions here are known. Returns whether it is to be shown.
fn origin(ui: &mut Ui, cx: &ViewCx<'_>, known: &Known) -> bool {
    let selected = known.selected.as_ref().filter(|(code, _)| cx.selection.code.as_ref() == Some(code));
    let Some(place) = selected.map(|(_, place)| place).filter(|place| !place.is_empty()) else { return false };
    let none = known.origins.marked(cx.selection).next().is_none();
    let estimated = if none { known.origins.estimated(cx.selection) } else { 0 };
    let text = match (none, estimated) {
        (false, _) => format!("» {place}"),
        (true, 0) => format!("· no instruction is known to come from {place}"),
        (true, count) => format!("· {} estimated to come from {place}", counted(count, "instruction")),
    };
    let colour = if none { Tokens::of(ui.visuals()).note } else { ui.visuals().hyperlink_color };
    link(ui, RichText::new(text).color(colour), "Show in the tab Source")
}

/// What the text says, fact by fact.
fn counts_of(ui: &mut Ui, summary: &[(&str, String)]) {
    Grid::new("counts").num_columns(2).show(ui, |ui| {
        for (about, what) in summary {
            ui.weak(*about);
            ui.scope(|ui| {
                ui.set_max_width(TOLD_AT_MOST);
                ui.add(Label::new(RichText::new(what).monospace()).wrap());
            });
            ui.end_row();
        }
    });
}

/// What the text holds, in numbers.
fn summary(known: &Known) -> String {
    let facts = &known.facts;
    if facts.instructions.is_empty() {
        return counted(known.index.lines(), "line");
    }
    let counts = [
        (facts.instructions.len(), "instruction"),
        (facts.branches.len(), "branch"),
        (facts.interpolations.len(), "interpolation"),
        (facts.exports.len(), "export"),
        (facts.inputs.len(), "input"),
        (facts.outputs.len(), "output"),
        (facts.derivatives.len(), "derivative"),
        (facts.quad_permutes.len(), "quad permute"),
        (facts.memory.len(), "memory access"),
        (facts.waits.len(), "wait"),
    ];
    let text: Vec<_> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun)).collect();
    text.join(", ")
}

/// Draws the curve. Returns the line that was clicked.
fn beside(ui: &mut Ui, known: &Known, picture: &Picture, visible: &Range<usize>, theme: &Theme) -> Option<usize> {
    let count = known.facts.pressure.len();
    let (rect, response) = ui.allocate_exact_size(picture.size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &picture.title));
    let emphasis = Emphasis { selected: &[], hovered: None, accent: theme.accent };
    paint(&ui.painter_at(rect.intersect(ui.clip_rect())), picture, rect.min, 1.0, emphasis);
    let instruction = |line: usize| known.facts.instructions.partition_point(|i| (i.line as usize) < line);
    let [top, bottom] =
        [visible.start, visible.end].map(|line| rect.top() + height_of(count, picture, instruction(line)));
    let frame = Rect::from_min_max(pos2(rect.left() + 2.0, top), pos2(rect.right() - 2.0, bottom));
    ui.painter().rect_stroke(frame, 2, egui::Stroke::new(1.0, theme.accent), egui::StrokeKind::Inside);
    let at = response.hover_pos().and_then(|at| instruction_at(count, picture, at.y - rect.top()))?;
    let (line, row) = known.line_of(at).zip(known.facts.pressure.get(at as usize))?;
    let clicked = response.clicked();
    let least = if known.facts.peak.is_some_and(|peak| peak.at_least) { "at least " } else { "" };
    response.on_hover_text_at_pointer(format!("line {}: {least}{} live", line + 1, known.facts.dialect.live(*row)));
    clicked.then_some(line)
}
