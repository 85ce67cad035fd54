//! The text that is debugged, with the next line and the breakpoints.

use std::collections::BTreeSet;

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::debugging::{DebugCommand, DebugStop};
use lanescope_inspector::selection::Code as SelectedCode;
use lanescope_inspector::source::{Instructions, SourceText, TextRole};

use crate::context::ViewCx;
use crate::source::code_bar;
use crate::table::{Tokens, one_line, quiet_cell};
use crate::text::area::{At, Contents, LineLook};
use crate::text::code::Code;
use crate::text::document::Document;
use crate::text::find::Find;
use crate::text::highlight::Highlighter;
use crate::text::index::Index;
use crate::text::measure::{Measure, digits};
use crate::text::reader::{Reader, with_row_below};
use crate::theme::TokensOfVisuals as _;

/// Characters of the gutter beside the digits.
const GUTTER: f32 = 4.0;

/// How the text is looked at. Kept between frames.
#[derive(Debug, Default)]
pub(super) struct SourcePane {
    reader: Reader,
    text: Option<Text>,
    /// Shows the instructions although there is a source.
    listing: bool,
    /// The stop whose line was scrolled to last: program and number.
    followed: (u64, u64),
}

#[derive(Debug)]
struct Text {
    /// Program, revision, session and number.
    key: (u64, u64, u64, usize),
    index: Index,
    highlighter: Highlighter,
    find: Find,
}

impl SourcePane {
    /// Draws the text that has the next instruction.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, stop: &DebugStop, commands: &mut Vec<Command>) {
        let all = stop.texts(cx.texts);
        let (source, listing) = texts(all, stop);
        let Some(number) = listing.filter(|_| self.listing).or(source).or(listing) else {
            quiet_cell(ui, "No text shows this module.");
            return;
        };
        let Some(shown) = all.get(number) else { return };
        self.reader.begin(ui, cx.program, &format!("debug {} {}", shown.input, shown.title));
        // A module of its own is that of the session.
        let session = if stop.texts.is_empty() { 0 } else { stop.session };
        let key = (cx.program, cx.revision, session, number);
        let mut text = self.text.take().filter(|text| text.key == key).unwrap_or_else(|| Text {
            key,
            index: Index::new(shown.language),
            highlighter: Highlighter::default(),
            find: Find::default(),
        });
        self.reader.search(&mut text.find);
        let indexed = text.index.step(&shown.text);
        let searched = text.find.step(&shown.text, &text.index) && indexed;
        let Text { index, find, highlighter, .. } = &mut text;
        let document = Document::new(&shown.text, index);
        let step = |find: &mut Find| find.step(&shown.text, index) && indexed;
        let both = source.is_some() && listing.is_some();
        self.reader.toolbar(ui, cx, &document, (find, searched), step, |ui| {
            if both {
                ui.toggle_value(&mut self.listing, "SPIR-V").on_hover_text("Show the instructions of the module");
            }
            quiet_cell(ui, format!("{}, {}", one_line(&shown.title), counted(document.lines(), "line")));
        });
        let code = |inst: u32| SelectedCode { module: stop.module, instructions: vec![inst] };
        let line_of = |inst: u32| shown.instructions.as_ref().and_then(|of| of.first_line(&code(inst)));
        let current = line_of(stop.instruction);
        if indexed && self.followed != (cx.program, stop.number) {
            self.followed = (cx.program, stop.number);
            if let Some(line) = current {
                self.reader.view.reveal(line);
            }
        }
        let breakpoints: BTreeSet<usize> =
            stop.breakpoints.iter().filter_map(|row| row.instruction).filter_map(line_of).collect();
        let measure = Measure::of(ui);
        highlighter.begin_frame();
        let show = |pane: &mut SourcePane, ui: &mut Ui| {
            let searching = &*find;
            let code =
                Code { document, language: shown.language, highlighter, find: searching, font: measure.font.clone() };
            let instructions = shown.instructions.as_ref();
            let mut lines = Lines {
                instructions,
                role: shown.role,
                code,
                current,
                breakpoints: &breakpoints,
                measure: &measure,
                commands: Vec::new(),
            };
            let gutter = measure.gutter(document.lines(), GUTTER);
            let name = format!("Debugged text {}", one_line(&shown.title));
            let mut copied = Vec::new();
            let reply = pane.reader.show(ui, document, (searching, gutter), name, &mut lines, &mut copied);
            if let Some(line) = reply.entered {
                lines.toggle(line);
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

    /// Forgets the texts of a program that was closed.
    pub fn forget(&mut self, program: u64) {
        self.reader.forget(program);
    }
}

/// The texts that have the next instruction: source, and listing of the module.
fn texts(all: &[SourceText], stop: &DebugStop) -> (Option<usize>, Option<usize>) {
    let code = SelectedCode { module: stop.module, instructions: vec![stop.instruction] };
    let of = |source: bool| {
        all.iter().position(|text| {
            let shows = text.instructions.as_ref().is_some_and(|of| of.first_line(&code).is_some());
            shows && (text.role == TextRole::Source) == source
        })
    };
    (of(true), of(false))
}

struct Lines<'a> {
    instructions: Option<&'a Instructions>,
    role: TextRole,
    code: Code<'a>,
    current: Option<usize>,
    breakpoints: &'a BTreeSet<usize>,
    measure: &'a Measure,
    commands: Vec<Command>,
}

impl Lines<'_> {
    fn code(&self, line: usize) -> Option<SelectedCode> {
        self.instructions.and_then(|instructions| instructions.code(line))
    }

    fn toggle(&mut self, line: usize) {
        let command = self.code(line).map(|code| DebugCommand::ToggleBreakpoint(code, self.role));
        self.commands.extend(command.map(Command::Debug));
    }
}

impl Contents for Lines<'_> {
    fn line(&mut self, ui: &Ui, at: &At) -> LineLook {
        let ground = (self.current == Some(at.line)).then_some(Tokens::of(ui.visuals()).selected);
        LineLook { ground, ..self.code.line(ui, at, Vec::new()) }
    }

    /// The line's number, its breakpoint, and the arrow of the next line.
    fn gutter(&mut self, ui: &Ui, at: &At, place: Rect) {
        let (visuals, tokens, line) = (ui.visuals(), Tokens::of(ui.visuals()), at.line);
        let is_current = self.current == Some(line);
        let colour = if is_current || at.has_caret { visuals.strong_text_color() } else { tokens.quiet };
        let text = format!("{:>width$}", line + 1, width = digits(self.code.document.lines()));
        let right = pos2(place.right() - 4.0, place.center().y);
        ui.painter().text(right, egui::Align2::RIGHT_CENTER, text, self.measure.font.clone(), colour);
        let sign = |x: f32, sign: &str, colour| {
            let at = pos2(place.left() + x, place.center().y);
            ui.painter().text(at, egui::Align2::LEFT_CENTER, sign, self.measure.font.clone(), colour);
        };
        let has_breakpoint = self.breakpoints.contains(&line);
        if has_breakpoint {
            sign(1.0, "●", tokens.error);
        }
        if is_current {
            sign(1.0 + self.measure.glyph, "→", visuals.strong_text_color());
            code_bar(ui, place);
        }
        if self.instructions.is_some_and(|instructions| instructions.of_line(line).next().is_some()) {
            // Tab passes the lines by: Enter on the caret's line does the same.
            let response = ui.interact(place, ui.scope_id().with(("breakpoint", line)), Sense::CLICK);
            response.widget_info(|| {
                let what = if has_breakpoint { "remove the breakpoint" } else { "set a breakpoint" };
                WidgetInfo::labeled(Role::Button, true, format!("Line {}: {what}", line + 1))
            });
            if response.clicked() {
                self.toggle(line);
            }
        }
    }

    fn menu(&mut self, ui: &mut Ui, _column: usize, line: usize) {
        let Some(code) = self.code(line) else { return };
        ui.separator();
        if ui.button("Toggle breakpoint").clicked() {
            self.toggle(line);
            ui.close();
        }
        if ui.button("Run to this line").clicked() {
            self.commands.push(Command::Debug(DebugCommand::RunTo(code)));
            ui.close();
        }
    }
}
