//! One text of a compiler: lines in view only, with what the assembly says of registers, branches and varyings.

use std::collections::BTreeMap;
use std::ops::Range;

use egui::{Grid, Label, Panel, Rect, RichText, Role, ScrollArea, Sense, TextStyle, Ui, WidgetInfo, pos2};
use lanescope_core::driver::DriverStage;
use lanescope_core::driver::isa::{IsaFacts, LiveRange, Operand, Registers, read};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::{Command, PictureFile};
use lanescope_inspector::selection::{Code, Selection, Varying};
use lanescope_inspector::source::Language;
use lanescope_inspector::tasks::Compiled;
use lanescope_inspector::view::Ask;

use super::curve::{curve, height_of, instruction_at};
use super::line::{Act, Look};
use super::origins::{Origins, origins, place};
use super::varyings::{Varyings, varyings};
use crate::context::ViewCx;
use crate::picture::{Emphasis, Picture, paint};
use crate::source::find::Find;
use crate::source::highlight::{Highlighter, LINE_AT_MOST};
use crate::source::index::Index;
use crate::source::is_marked;
use crate::source::searching::searching;
use crate::table::{Search, Tokens, quiet_cell};
use crate::theme::Theme;
use crate::widgets::Cached;

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
    /// The text.
    pub text: &'a str,
    /// Names both: what is known of them is kept while this stays the same.
    pub key: u64,
    /// The text is assembly.
    pub is_assembly: bool,
}

/// How a text is looked at. Kept between frames.
#[derive(Debug, Default)]
pub(super) struct TextPane {
    search: Search,
    known: Option<Known>,
    /// Registers whose uses stay marked.
    pinned: Option<Registers>,
    /// Registers under the pointer, with their instruction.
    hovered: Option<(Registers, u32)>,
    /// The line that was jumped to last.
    target: Option<usize>,
    scrolled_to: Option<Varying>,
    scrolled_to_code: Option<Code>,
    wanted: Option<usize>,
    visible: Range<usize>,
    height: f32,
    curve: Cached<(u64, bool, u32)>,
}

/// Known facts about the text.
#[derive(Debug)]
pub(super) struct Known {
    key: u64,
    pub index: Index,
    pub highlighter: Highlighter,
    pub find: Find,
    pub facts: IsaFacts,
    pub varyings: Varyings,
    pub origins: Origins,
    /// Descriptions of instructions.
    words: BTreeMap<u32, String>,
    /// The selected shader code and its place.
    selected: Option<(Code, String)>,
}

impl Known {
    fn of(cx: &ViewCx<'_>, shown: &Shown<'_>) -> Known {
        let facts = if shown.is_assembly && shown.row.is_interpreted() {
            read(shown.text, shown.row.stage)
        } else {
            IsaFacts::default()
        };
        let varyings = varyings(shown.compiled, shown.row, &facts);
        let origins = origins(shown.row, &facts, cx.texts);
        Known {
            words: facts.words(),
            key: shown.key,
            index: Index::new(Language::Isa),
            highlighter: Highlighter::default(),
            find: Find::default(),
            facts,
            varyings,
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

    /// The operand of a line that is at columns (bytes from and up to) for which something holds, with its
    /// instruction.
    pub(super) fn operand(&self, line: usize, holds: impl Fn([u32; 2]) -> bool) -> Option<(u32, &Operand)> {
        let at = self.instruction(line)?;
        let instruction = self.facts.instructions.get(at as usize)?;
        instruction.operands.iter().find(|operand| holds(operand.columns)).map(|operand| (at, operand))
    }

    /// Description of an instruction, where more is known than its text says.
    pub(super) fn words(&self, instruction: u32) -> Option<&str> {
        self.words.get(&instruction).map(String::as_str)
    }

    /// The line that a branch goes to.
    pub(super) fn target(&self, instruction: u32) -> Option<usize> {
        let branch = self.facts.branches.iter().find(|branch| branch.instruction == instruction)?;
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
        let mut known = self.known.take().filter(|known| known.key == shown.key).unwrap_or_else(|| {
            (self.pinned, self.hovered, self.target) = (None, None, None);
            (self.scrolled_to, self.scrolled_to_code) = (None, None);
            Known::of(cx, shown)
        });
        if known.find.query != self.search.text {
            known.find = Find::new(&self.search.text);
        }
        let indexed = known.index.step(shown.text);
        let searched = known.find.step(shown.text, &known.index) && indexed;
        self.toolbar(ui, cx, shown, &mut known, searched, commands);
        if indexed {
            self.follow_selection(cx, &known);
        }
        self.curve(ui, cx, shown, &known, commands);
        let whole = self.lines(ui, cx, shown, &mut known, commands);
        if !indexed || !searched || !whole {
            ui.ctx().request_repaint();
        }
        self.known = Some(known);
    }

    fn toolbar(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        shown: &Shown<'_>,
        known: &mut Known,
        searched: bool,
        commands: &mut Vec<Command>,
    ) {
        ui.horizontal_wrapped(|ui| {
            let from = self.visible.start;
            self.wanted = searching(ui, cx, &mut self.search, &mut known.find, searched, from).or(self.wanted);
            let copy = ui.button("Copy").on_hover_text("Copy the full text").clicked();
            if copy || cx.asked(Ask::CopyTable) {
                commands.push(Command::Copy(shown.text.to_owned()));
            }
            if let Some(registers) = self.pinned {
                let uses = known.facts.uses(registers).count();
                let clear = ui.button(format!("{registers}: {} ×", counted(uses, "use")));
                if clear.on_hover_text("Unmark its uses").clicked() {
                    self.pinned = None;
                }
            }
            let counts = quiet_cell(ui, summary(known));
            if !known.facts.instructions.is_empty() {
                counts.on_hover_ui(|ui| counts_of(ui, &known.facts));
            }
            if let Some(verified) = shown.row.verified.as_ref().filter(|v| shown.is_assembly && !v.is_yes()) {
                let text = if shown.row.is_interpreted() { "· not verified" } else { "· not interpreted" };
                ui.label(RichText::new(text).color(Tokens::of(ui.visuals()).note)).on_hover_text(verified.text());
            }
            if let Some(unknown) = known.varyings.unknown {
                let text = RichText::new("· varyings are not marked").color(Tokens::of(ui.visuals()).note);
                ui.label(text).on_hover_text(format!("Varyings are not marked: {}.", unknown.why()));
            }
            origin(ui, cx, known, commands);
        });
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
        if !lines.iter().any(|line| self.visible.contains(line)) {
            self.wanted = lines.first().copied().or(self.wanted);
        }
    }

    /// The pressure curve, with what is in view framed; a click goes there.
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
        if narrow {
            return;
        }
        let panel = Panel::right(ui.scope_id().with("pressure")).resizable(false).exact_size(picture.size.x);
        let visible = self.visible.clone();
        let clicked = panel.frame(egui::Frame::NONE).show(ui, |ui| beside(ui, known, picture, &visible, &theme));
        self.wanted = clicked.inner.or(self.wanted);
    }

    /// Draws the lines in view. Returns whether all of them are highlighted.
    fn lines(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        shown: &Shown<'_>,
        known: &mut Known,
        commands: &mut Vec<Command>,
    ) -> bool {
        let font = TextStyle::Monospace.resolve(ui.style());
        let (height, glyph) = ui.fonts_mut(|fonts| (fonts.row_height(&font), fonts.glyph_width(&font, '0')));
        let digits = known.index.lines().to_string().len().max(3);
        let gutter = (digits as f32 + 6.0) * glyph;
        let width = gutter + (known.index.longest().min(LINE_AT_MOST) as f32 + 8.0) * glyph;
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::both().id_salt("isa").auto_shrink(false);
        if let Some(line) = self.wanted.filter(|line| *line < known.index.lines()) {
            self.wanted = None;
            // Nothing was drawn yet: all that is left will be.
            let room = if self.height > 0.0 { self.height } else { ui.available_height() };
            let above = (room / height / 3.0).floor().max(0.0);
            area = area.vertical_scroll_offset((line as f32 - above).max(0.0) * height);
        }
        let lit = self.pinned.or(self.hovered.map(|(registers, _)| registers));
        let live = self.hovered.and_then(|(registers, at)| known.live(registers, at));
        let look = Look { font, gutter, height, digits, lit, live, target: self.target };
        let mut whole = true;
        let mut under = None;
        let mut done = Vec::new();
        known.highlighter.begin_frame();
        let output = area.show_rows(ui, height, known.index.lines(), |ui, range| {
            ui.set_min_width(width);
            for line in range.clone() {
                let top = ui.max_rect().top() + (line - range.start) as f32 * height;
                let reply = look.line(ui, cx, shown.text, known, (line, top));
                whole &= reply.whole;
                under = under.or(reply.under);
                done.extend(reply.act);
            }
            range
        });
        self.visible = output.inner;
        self.height = output.inner_rect.height();
        if under != self.hovered {
            self.hovered = under;
            ui.ctx().request_repaint();
        }
        for act in done {
            match act {
                Act::Pin(registers) => {
                    self.pinned = if self.pinned == Some(registers) { None } else { Some(registers) };
                }
                Act::Go(line) => (self.wanted, self.target) = (Some(line), Some(line)),
                Act::Select(varying, code) => {
                    let varying = varying.or(cx.selection.varying);
                    (self.scrolled_to, self.scrolled_to_code) = (varying, code.clone());
                    commands.push(Command::Select(Selection { varying, code, ..cx.selection.clone() }));
                }
            }
            ui.ctx().request_repaint();
        }
        whole
    }
}

/// The selected shader code: its place, and whether its instructions here are known.
fn origin(ui: &mut Ui, cx: &ViewCx<'_>, known: &mut Known, commands: &mut Vec<Command>) {
    let Some(code) = cx.selection.code.as_ref().filter(|code| known.origins.is_here(code)) else { return };
    if known.selected.as_ref().is_none_or(|(of, _)| of != code) {
        known.selected = Some((code.clone(), place(code, cx.texts).unwrap_or_default()));
    }
    let Some(place) = known.selected.as_ref().map(|(_, place)| place).filter(|place| !place.is_empty()) else { return };
    let none = known.origins.marked(cx.selection).next().is_none();
    let text = if none { format!("· no instruction is known to come from {place}") } else { format!("▶ {place}") };
    let tokens = Tokens::of(ui.visuals());
    let colour = if none { tokens.note } else { ui.visuals().hyperlink_color };
    let link = ui.add(Label::new(RichText::new(text).color(colour)).truncate().sense(Sense::click()));
    let link = link.on_hover_cursor(egui::CursorIcon::PointingHand);
    if link.on_hover_text("Show in the tab Source").clicked() {
        commands.push(Command::Show("source"));
    }
}

/// What the text says, fact by fact.
fn counts_of(ui: &mut Ui, facts: &IsaFacts) {
    Grid::new("counts").num_columns(2).show(ui, |ui| {
        for (about, what) in facts.summary() {
            ui.weak(about);
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
    response.on_hover_text_at_pointer(format!("line {}: {} VGPRs, {} SGPRs live", line + 1, row.vgprs, row.sgprs));
    clicked.then_some(line)
}
