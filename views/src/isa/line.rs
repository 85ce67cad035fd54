//! One line of assembly: its operands under the pointer, the marks in it, its gutter.

use std::ops::Range;

use egui::text::CCursor;
use egui::{
    Align, Align2, Color32, CursorIcon, FontId, Label, Layout, Rect, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use lanescope_core::driver::isa::{Access, OperandKind, Registers};
use lanescope_inspector::selection::{Code, Varying};
use lanescope_inspector::source::Language;

use super::text::Known;
use crate::context::ViewCx;
use crate::source::highlight::{self, Class};
use crate::source::{code_bar, is_marked, line, name_and_place, next};
use crate::table::Tokens;

/// What a click on a line asks for.
pub(super) enum Act {
    /// Keep the uses of these registers marked, or no longer.
    Pin(Registers),
    /// Go to a line.
    Go(usize),
    /// Select a varying, and what the line comes from; each where there is one.
    Select(Option<Varying>, Option<Code>),
}

/// What happened on a line.
pub(super) struct Reply {
    /// It is highlighted.
    pub whole: bool,
    /// The registers under the pointer, with their instruction.
    pub under: Option<(Registers, u32)>,
    /// The clicked item.
    pub act: Option<Act>,
}

/// The measures of a line, and what is marked in all of them.
pub(super) struct Look {
    pub font: FontId,
    pub gutter: f32,
    pub height: f32,
    pub digits: usize,
    /// Registers whose uses are marked.
    pub lit: Option<Registers>,
    /// Instructions over which the value under the pointer is needed.
    pub live: Option<Range<u32>>,
    /// The line that was jumped to.
    pub target: Option<usize>,
}

impl Look {
    /// Draws a line.
    pub(super) fn line(
        &self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        text: &str,
        known: &mut Known,
        (number, top): (usize, f32),
    ) -> Reply {
        let tokens = Tokens::of(ui.visuals());
        let clip = ui.clip_rect();
        let row = Rect::from_min_size(pos2(clip.left(), top), vec2(clip.width(), self.height));
        let marks = known.varyings.of_line.get(&number).cloned().unwrap_or_default();
        let from = known.origins.code(number);
        let is_code = known.origins.is_marked(cx.selection, number);
        let selected = is_marked(cx.selection, &marks) || is_code;
        if selected {
            ui.painter().rect_filled(row, 0.0, tokens.selected);
        } else if self.target == Some(number) {
            ui.painter().rect_filled(row, 0.0, ui.visuals().faint_bg_color);
        }
        let instruction = known.instruction(number);
        let uses = instruction.map(|at| self.uses(known, at)).unwrap_or_default();
        let whole_line = known.index.line(text, number);
        let cut = highlight::cut(whole_line);
        let ground = |access: Access| if access.writes() { tokens.found_here } else { tokens.found };
        let grounds = uses.iter().map(|(range, access)| (range.clone(), ground(*access)));
        let grounds: Vec<(Range<usize>, Color32)> = grounds.chain(known.find.marks(number, tokens)).collect();
        let spans = known.highlighter.spans(Language::Isa, number, cut, false);
        let whole = spans.is_some();
        let plain = [(0..cut.len(), Class::Text)];
        let spans = spans.map_or(&plain[..], Vec::as_slice);
        let job = line::job(ui.visuals(), &self.font, cut, spans, &grounds, cut.len() < whole_line.len());
        // Laid out once: the label finds it in the cache.
        let galley = ui.painter().layout_job(job.clone());
        let at = Rect::from_min_size(pos2(ui.max_rect().left() + self.gutter, top), vec2(f32::INFINITY, self.height));
        let code = UiBuilder::new().id_salt(number).max_rect(at).layout(Layout::left_to_right(Align::Center));
        let response = ui.scope_builder(code, |ui| {
            ui.set_clip_rect(clip.with_min_x(clip.left() + self.gutter));
            ui.add(Label::new(job).extend().selectable(true).sense(Sense::click()))
        });
        let response = response.inner;
        let pointer = response.hover_pos().filter(|at| response.rect.contains(*at));
        let operand = pointer.and_then(|at| {
            let x = at.x - response.rect.left();
            // A cursor is between two characters, so the edges of a character decide whether the pointer is over it.
            let edge = |column: u32| {
                let characters = cut.get(..column as usize).map_or(0, |before| before.chars().count());
                galley.pos_from_cursor(CCursor::new(characters)).left()
            };
            known.operand(number, |[from, to]| (edge(from)..edge(to)).contains(&x))
        });
        let mut reply = Reply { whole, under: None, act: None };
        let clicked = response.clicked();
        match operand.map(|(at, operand)| (at, &operand.kind)) {
            Some((at, OperandKind::Registers(registers))) => {
                reply.under = Some((*registers, at));
                reply.act = clicked.then_some(Act::Pin(*registers));
                response.on_hover_text_at_pointer(self.about(known, *registers));
            }
            Some((at, _)) if known.target(at).is_some() => {
                let target = known.target(at);
                reply.act = target.filter(|_| clicked).map(Act::Go);
                let line = target.map(|line| format!("branches to line {}", line + 1)).unwrap_or_default();
                response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text_at_pointer(line);
            }
            _ => {
                reply.act = select(cx, &marks, from.as_ref()).filter(|_| clicked);
                // After the end of the line there is nothing to explain.
                let words = instruction.filter(|_| pointer.is_some()).and_then(|at| known.words(at));
                if let Some(words) = words {
                    response.on_hover_text_at_pointer(words);
                }
            }
        }
        let access = uses.iter().map(|(_, access)| *access).reduce(Access::and);
        let mark = Mark { marks: &marks, origin: known.origins.about(number), selected };
        if self.gutter(ui, cx, &mark, (number, row), (instruction, access)) {
            reply.act = reply.act.or(select(cx, &marks, from.as_ref()));
        }
        if is_code {
            code_bar(ui, row);
        }
        reply
    }

    /// Where an instruction names the registers that are marked.
    fn uses(&self, known: &Known, instruction: u32) -> Vec<(Range<usize>, Access)> {
        let Some((lit, row)) = self.lit.zip(known.facts.instructions.get(instruction as usize)) else {
            return Vec::new();
        };
        let named = row
            .operands
            .iter()
            .filter(|o| matches!(o.kind, OperandKind::Registers(registers) if registers.overlaps(&lit)));
        named.map(|operand| (operand.columns[0] as usize..operand.columns[1] as usize, operand.access)).collect()
    }

    fn about(&self, known: &Known, registers: Registers) -> String {
        let (mut reads, mut writes) = (0_usize, 0_usize);
        for (_, access) in known.facts.uses(registers) {
            reads += usize::from(access.reads());
            writes += usize::from(access.writes());
        }
        let mut text = format!("{registers}: written {writes}×, read {reads}×");
        let line = |at: u32| known.line_of(at).map_or(0, |line| line + 1);
        if let Some(live) = &self.live {
            let (from, to) = (line(live.start), line(live.end.saturating_sub(1)));
            text.push_str(&format!("\nvalue live from line {from} to {to}"));
        }
        text.push_str("\nclick to keep its uses marked");
        text
    }

    /// Number, sign of a varying, how the marked registers are used; drawn over the scrolled text.
    /// Returns whether it was clicked.
    fn gutter(
        &self,
        ui: &Ui,
        cx: &ViewCx<'_>,
        mark: &Mark<'_>,
        (number, row): (usize, Rect),
        (instruction, access): (Option<u32>, Option<Access>),
    ) -> bool {
        let visuals = ui.visuals();
        let tokens = Tokens::of(visuals);
        let place = row.with_max_x(row.left() + self.gutter - 4.0);
        let Mark { marks, origin, selected } = mark;
        let selected = *selected;
        let ground = if selected { tokens.selected } else { visuals.panel_fill };
        ui.painter().rect_filled(place, 0.0, ground);
        if instruction.zip(self.live.as_ref()).is_some_and(|(at, live)| live.contains(&at)) {
            let bar = place.with_min_x(place.right() - 2.0);
            ui.painter().rect_filled(bar, 0.0, visuals.hyperlink_color);
        }
        let colour = if selected { visuals.strong_text_color() } else { tokens.quiet };
        let used = match access {
            Some(Access::Write) => "w",
            Some(Access::Both) => "rw",
            Some(Access::Read) => "r",
            _ => "",
        };
        let text = format!("{:>width$} {used:<2}", number + 1, width = self.digits);
        let right = pos2(place.right() - 4.0, place.center().y);
        ui.painter().text(right, Align2::RIGHT_CENTER, text, self.font.clone(), colour);
        if marks.is_empty() && origin.is_none() {
            return false;
        }
        let (sign, colour) = match (selected, marks.is_empty()) {
            (true, _) => ("▶", visuals.strong_text_color()),
            (false, false) => ("●", tokens.note),
            (false, true) => ("○", tokens.note),
        };
        let left = pos2(place.left() + 3.0, place.center().y);
        let size = FontId::monospace(self.font.size * 0.75);
        ui.painter().text(left, Align2::LEFT_CENTER, sign, size, colour);
        let response = ui.interact(place, ui.scope_id().with(("mark", number)), Sense::click());
        let names: Vec<_> = marks.iter().map(|mark| name_and_place(cx, mark)).collect();
        let about =
            if names.is_empty() { "Select its source".to_owned() } else { format!("Select {}", names.join(", ")) };
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Line {}: {about}", number + 1)));
        let from = origin.map(|from| format!("\nfrom {from}")).unwrap_or_default();
        response.on_hover_text(about + &from).clicked()
    }
}

/// What a line is marked for.
struct Mark<'a> {
    marks: &'a [Varying],
    /// What it comes from, as text.
    origin: Option<&'a str>,
    selected: bool,
}

/// What a click on a line selects, where there is anything.
fn select(cx: &ViewCx<'_>, marks: &[Varying], code: Option<&Code>) -> Option<Act> {
    let varying = next(cx.selection, marks);
    (varying.is_some() || code.is_some()).then(|| Act::Select(varying, code.cloned()))
}
