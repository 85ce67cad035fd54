//! The lines of an assembly: the marks in them, their gutter, what a click on them does.

use std::ops::Range;

use egui::{Align2, Color32, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2};
use lanescope_core::driver::isa::{Access, OperandKind, Registers};
use lanescope_inspector::selection::{Code as SelectedCode, Varying};
use lanescope_pictures::assembly::Tinted;

use super::live;
use super::text::Known;
use crate::context::ViewCx;
use crate::source::{code_bar, is_marked, name_and_place, next};
use crate::table::Tokens;
use crate::text::area::{At, Contents, LineLook};
use crate::text::code::Code;
use crate::text::measure::digits;
use crate::theme::{Theme, ThemeOfUi as _, TokensOfVisuals as _};

/// Width of the sign of a varying, as a part of the font's size.
const GLYPHS_OF_SIGN: f32 = 0.8;

/// What a click on a line asks for.
pub(super) enum Act {
    /// Keep the uses of these registers marked, or no longer.
    Pin(Registers),
    /// Go to a line.
    Go(usize),
    /// Put the caret on a line, and select what it comes from.
    At(usize),
    /// Select a varying, and what the line comes from; each if any.
    Select(Option<Varying>, Option<SelectedCode>),
}

/// The lines of an assembly as they are drawn.
pub(super) struct Lines<'a> {
    pub cx: &'a ViewCx<'a>,
    pub known: &'a Known,
    pub code: Code<'a>,
    /// Width of the live registers at the right of the gutter, in points.
    pub live_width: f32,
    /// Width of the numbers of source lines, in points; zero where lines have no tints.
    pub source_width: f32,
    /// Registers whose uses are marked.
    pub lit: Option<Registers>,
    /// Instructions over which the value under the pointer is needed.
    pub live: Option<Range<u32>>,
    /// The line that was jumped to.
    pub target: Option<usize>,
    /// What a click on the gutter or in the menu requests.
    pub act: Option<Act>,
}

impl Lines<'_> {
    fn marks(&self, line: usize) -> &[Varying] {
        self.known.varyings.of_line.get(&line).map(Vec::as_slice).unwrap_or_default()
    }

    fn is_code(&self, line: usize) -> bool {
        self.known.origins.is_marked(self.cx.selection, line)
    }

    fn is_estimated(&self, line: usize) -> bool {
        self.known.origins.is_estimated(self.cx.selection, line)
    }

    /// The source line of an instruction, with its tint.
    fn tint(&self, line: usize) -> Option<Tinted> {
        self.known.tinted.get(&line).copied().filter(|_| self.source_width > 0.0)
    }

    fn is_selected(&self, line: usize) -> bool {
        is_marked(self.cx.selection, self.marks(line)) || self.is_code(line)
    }

    /// What a click on a line selects, where there is anything.
    pub fn select(&self, line: usize) -> Option<Act> {
        let (varying, code) = (next(self.cx.selection, self.marks(line)), self.known.origins.code(line));
        (varying.is_some() || code.is_some()).then_some(Act::Select(varying, code))
    }

    /// What Enter does on a line: selects what it comes from, else goes where it branches to.
    pub fn enter(&self, line: usize) -> Option<Act> {
        let target = || self.known.target(self.known.instruction(line)?, None);
        self.select(line).or_else(|| target().map(Act::Go))
    }

    /// What a click on the signs of a line does, as text.
    fn about_signs(&self, line: usize) -> String {
        let names: Vec<_> = self.marks(line).iter().map(|mark| name_and_place(self.cx, mark)).collect();
        let what =
            if self.known.origins.is_estimate(line) { "Select its estimated source" } else { "Select its source" };
        if names.is_empty() { what.to_owned() } else { format!("Select {}", names.join(", ")) }
    }

    /// Where an instruction names the registers that are marked.
    fn uses(&self, line: usize) -> Vec<(Range<usize>, Access)> {
        let row = self.known.instruction(line).and_then(|at| self.known.facts.instructions.get(at as usize));
        let Some((lit, row)) = self.lit.zip(row) else {
            return Vec::new();
        };
        let named = row
            .operands
            .iter()
            .filter(|o| matches!(o.kind, OperandKind::Registers(registers) if registers.overlaps(&lit)));
        named.map(|operand| (operand.columns[0] as usize..operand.columns[1] as usize, operand.access)).collect()
    }

    /// How often registers are used, as text.
    pub fn about(&self, registers: Registers) -> String {
        let (mut reads, mut writes) = (0_usize, 0_usize);
        for (_, access) in self.known.facts.uses(registers) {
            reads += usize::from(access.reads());
            writes += usize::from(access.writes());
        }
        let mut text = format!("{registers}: written {writes}×, read {reads}×");
        let line = |at: u32| self.known.line_of(at).map_or(0, |line| line + 1);
        if let Some(live) = &self.live {
            let (from, to) = (line(live.start), line(live.end.saturating_sub(1)));
            text.push_str(&format!("\nvalue live from line {from} to {to}"));
        }
        text.push_str("\nclick to keep its uses marked");
        text
    }
}

impl Contents for Lines<'_> {
    fn line(&mut self, ui: &Ui, at: &At) -> LineLook {
        let tokens = Tokens::of(ui.visuals());
        let ground = if self.is_selected(at.line) {
            Some(tokens.selected)
        } else {
            let tint = || {
                let tints = Theme::of(ui).tint(self.tint(at.line)?.tint);
                Some(tints[usize::from(self.known.origins.is_estimate(at.line))])
            };
            (self.target == Some(at.line)).then_some(ui.visuals().faint_bg_color).or_else(tint)
        };
        let mark = |access: Access| if access.writes() { tokens.found_here } else { tokens.found };
        let uses: Vec<(Range<usize>, Color32)> =
            self.uses(at.line).into_iter().map(|(range, access)| (range, mark(access))).collect();
        LineLook { ground, ..self.code.line(ui, at, uses) }
    }

    /// Sign of a varying, source line, number, how the marked registers are used, how many are live.
    fn gutter(&mut self, ui: &Ui, at: &At, place: Rect) {
        let live = place.with_min_x((place.right() - self.live_width).max(place.left()));
        let place = place.with_max_x(live.left());
        if live.is_positive() && live::ui(ui, &self.known.facts, at.line, &self.code.font, live) {
            self.act = Some(Act::At(at.line));
        }
        let (visuals, tokens, line) = (ui.visuals(), Tokens::of(ui.visuals()), at.line);
        let selected = self.is_selected(line);
        let instruction = self.known.instruction(line);
        if instruction.zip(self.live.as_ref()).is_some_and(|(at, live)| live.contains(&at)) {
            let bar = place.with_min_x(place.right() - 2.0);
            ui.painter().rect_filled(bar, 0.0, visuals.hyperlink_color);
        }
        let strong = selected || at.has_caret;
        let colour = if strong { visuals.strong_text_color() } else { tokens.quiet };
        let used = match self.uses(line).into_iter().map(|(_, access)| access).reduce(Access::and) {
            Some(Access::Write) => "w",
            Some(Access::Both) => "rw",
            Some(Access::Read) => "r",
            _ => "",
        };
        let text = format!("{:>width$} {used:<2}", line + 1, width = digits(self.code.document.lines()));
        let right = pos2(place.right() - 4.0, place.center().y);
        ui.painter().text(right, Align2::RIGHT_CENTER, text, self.code.font.clone(), colour);
        if let Some(tinted) = self.tint(line) {
            let estimate = if self.known.origins.is_estimate(line) { "~" } else { "" };
            let right = pos2(place.left() + GLYPHS_OF_SIGN * self.code.font.size + self.source_width, place.center().y);
            // A line of an included file has a letter: a, b, …
            let file = match tinted.source {
                0 => String::new(),
                file => char::from_u32(96 + file.min(26) as u32).map(String::from).unwrap_or_default(),
            };
            let text = format!("{estimate}{file}{}", tinted.line + 1);
            ui.painter().text(right, Align2::RIGHT_CENTER, text, self.code.font.clone(), tokens.quiet);
        }
        if self.is_estimated(line) {
            // Half as wide as that of a certain one.
            ui.painter().rect_filled(place.with_max_x(place.left() + 1.5), 0.0, visuals.hyperlink_color);
        }
        let estimate = self.known.origins.is_estimate(line);
        let (sign, colour) = match (selected, self.marks(line).is_empty(), self.known.origins.has_about(line)) {
            (_, true, false) => return,
            (false, true, _) if estimate => (" ", tokens.note),
            (true, ..) => ("◆", visuals.strong_text_color()),
            (false, false, _) => ("●", tokens.note),
            (false, true, _) => ("○", tokens.note),
        };
        let left = pos2(place.left() + 3.0, place.center().y);
        let size = FontId::monospace(self.code.font.size * 0.75);
        ui.painter().text(left, Align2::LEFT_CENTER, sign, size, colour);
        if self.is_code(line) {
            code_bar(ui, place);
        }
        // Tab passes the signs by: Enter on the caret's line does the same.
        let response = ui.interact(place, ui.scope_id().with(("mark", line)), Sense::CLICK);
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Button, true, format!("Line {}: {}", line + 1, self.about_signs(line)))
        });
        let response = response.on_hover_ui(|ui| {
            let from = self.known.origins.about(line).map(|from| format!("\nfrom {from}")).unwrap_or_default();
            ui.label(self.about_signs(line) + &from);
        });
        if response.clicked() {
            self.act = self.select(line);
        }
    }

    fn menu(&mut self, ui: &mut Ui, _column: usize, line: usize) {
        let entries = [
            (self.select(line), self.about_signs(line)),
            (
                self.known.instruction(line).and_then(|at| self.known.target(at, None)).map(Act::Go),
                "Go to the branch target".to_owned(),
            ),
        ];
        if entries.iter().all(|(act, _)| act.is_none()) && self.registers(line).is_empty() {
            return;
        }
        ui.separator();
        for (act, label) in entries {
            if let Some(act) = act
                && ui.button(label).clicked()
            {
                self.act = Some(act);
                ui.close();
            }
        }
        for registers in self.registers(line) {
            if ui.button(format!("Mark the uses of {registers}")).clicked() {
                self.act = Some(Act::Pin(registers));
                ui.close();
            }
        }
    }
}

impl Lines<'_> {
    /// The registers that a line names, each once.
    fn registers(&self, line: usize) -> Vec<Registers> {
        let row = self.known.instruction(line).and_then(|at| self.known.facts.instructions.get(at as usize));
        let mut all = Vec::new();
        for operand in row.map(|row| row.operands.as_slice()).unwrap_or_default() {
            if let OperandKind::Registers(registers) = operand.kind
                && !all.contains(&registers)
            {
                all.push(registers);
            }
        }
        all
    }
}
