//! One row of a diff: numbers and signs in the gutter, the lines with their marks.

use std::ops::Range;

use egui::{Align, Align2, Color32, FontId, Label, Layout, Rect, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::{Kind, Known, Pair, Row, Texts, parts};
use crate::source::highlight::{self, Class};
use crate::source::line;
use crate::table::Tokens;

/// The measures of a row.
pub(super) struct Look {
    pub(super) font: FontId,
    pub(super) gutter: f32,
    pub(super) height: f32,
    pub(super) digits: usize,
    pub(super) one_column: bool,
    /// The pairs of the change that was gone to.
    pub(super) current: Option<Range<usize>>,
}

/// What marks a line: sign, ground, ground of the part that differs, name.
struct Mark {
    sign: &'static str,
    ground: Color32,
    part: Color32,
    name: &'static str,
}

impl Mark {
    fn of(kind: Kind, side: usize, tokens: &Tokens) -> Option<Mark> {
        let [ground, part] = if side == 0 { tokens.removed } else { tokens.added };
        let (sign, name) = match (kind, side) {
            (Kind::Same, _) => return None,
            (Kind::Changed, 0) => ("−", "old"),
            (Kind::Changed, _) => ("+", "new"),
            (_, 0) => ("−", "removed"),
            (_, _) => ("+", "added"),
        };
        Some(Mark { sign, ground, part, name })
    }
}

impl Look {
    /// Draws a row of lines. Returns whether they are highlighted.
    pub(super) fn row(&self, ui: &mut Ui, texts: &Texts<'_>, known: &mut Known, row: &Row, top: f32) -> bool {
        let Some(pair) = known.alignment.pairs.get(row.pair()).copied() else { return true };
        let clip = ui.clip_rect();
        let whole = Rect::from_min_size(pos2(clip.left(), top), vec2(clip.width(), self.height));
        if self.one_column {
            let side = if let Row::One(_, side) = row { *side } else { 0 };
            let done = self.half(ui, texts, known, &pair, side, whole);
            self.bar(ui, row, whole);
            return done;
        }
        let (left, right) = whole.split_left_right_at_fraction(0.5);
        let done = [left, right].into_iter().enumerate().map(|(side, rect)| {
            let rect = if side == 0 { rect } else { rect.with_min_x(rect.left() + 1.0) };
            self.half(ui, texts, known, &pair, side, rect)
        });
        let done = done.fold(true, |all, one| all & one);
        let line = ui.visuals().widgets.noninteractive.bg_stroke;
        ui.painter().vline(right.left(), whole.y_range(), line);
        self.bar(ui, row, whole);
        done
    }

    /// A bar at the rows of the change that was gone to.
    fn bar(&self, ui: &Ui, row: &Row, whole: Rect) {
        if self.current.as_ref().is_some_and(|current| current.contains(&row.pair())) {
            let bar = whole.with_max_x(whole.left() + 3.0);
            ui.painter().rect_filled(bar, 0.0, ui.visuals().hyperlink_color);
        }
    }

    /// One side of a pair.
    fn half(&self, ui: &mut Ui, texts: &Texts<'_>, known: &mut Known, pair: &Pair, side: usize, rect: Rect) -> bool {
        let tokens = Tokens::of(ui.visuals());
        let number = if side == 0 { pair.left } else { pair.right };
        let Some(number) = number else {
            // No line on this side.
            ui.painter().rect_filled(rect, 0.0, ui.visuals().faint_bg_color);
            return true;
        };
        let mark = Mark::of(pair.kind, side, tokens);
        if let Some(mark) = &mark {
            ui.painter().rect_filled(rect, 0.0, mark.ground);
        }
        let differing = mark.as_ref().map_or(Vec::new(), |mark| differing(texts, known, pair, side, mark.part));
        let (Some(lines), Some(text)) = (known.sides.get_mut(side), texts.texts.get(side)) else { return true };
        let code = lines.index.line(text, number);
        let cut = highlight::cut(code);
        let marks: Vec<_> = differing.into_iter().chain(lines.find.marks(number, tokens)).collect();
        let spans = lines.highlighter.spans(texts.language, number, cut, lines.index.begins_open(number));
        let done = spans.is_some();
        let plain = [(0..cut.len(), Class::Text)];
        let spans = spans.map_or(&plain[..], Vec::as_slice);
        let job = line::job(ui.visuals(), &self.font, cut, spans, &marks, cut.len() < code.len());
        let scrolled = ui.clip_rect().left() - ui.max_rect().left();
        let seen = rect.with_min_x(rect.left() + self.gutter);
        let at = Rect::from_min_size(pos2(seen.left() - scrolled, rect.top()), vec2(f32::INFINITY, self.height));
        let place = UiBuilder::new().id_salt((number, side)).max_rect(at).layout(Layout::left_to_right(Align::Center));
        let clip = ui.clip_rect();
        ui.scope_builder(place, |ui| {
            ui.set_clip_rect(clip.intersect(seen));
            ui.add(Label::new(job).extend().selectable(true));
        });
        self.gutter(ui, pair, side, mark.as_ref(), rect);
        done
    }

    /// The line's number and sign, drawn over the scrolled text.
    fn gutter(&self, ui: &Ui, pair: &Pair, side: usize, mark: Option<&Mark>, rect: Rect) {
        let tokens = Tokens::of(ui.visuals());
        let digits = self.digits;
        let number = |line: Option<usize>| line.map_or_else(String::new, |line| (line + 1).to_string());
        let text = match (self.one_column, side) {
            (true, 0) if pair.kind == Kind::Same => {
                format!("{:>digits$} {:>digits$}", number(pair.left), number(pair.right))
            }
            (true, 0) => format!("{:>digits$} {:>digits$}", number(pair.left), ""),
            (true, _) => format!("{:>digits$} {:>digits$}", "", number(pair.right)),
            (false, 0) => format!("{:>digits$}", number(pair.left)),
            (false, _) => format!("{:>digits$}", number(pair.right)),
        };
        let glyph = self.font.size * 0.6;
        let colour = mark.map_or(tokens.quiet, |_| ui.visuals().strong_text_color());
        let right = pos2(rect.left() + self.gutter - 2.0 * glyph, rect.center().y);
        ui.painter().text(right, Align2::RIGHT_CENTER, text, self.font.clone(), colour);
        let Some(mark) = mark else { return };
        let sign = pos2(rect.left() + self.gutter - 1.2 * glyph, rect.center().y);
        ui.painter().text(sign, Align2::CENTER_CENTER, mark.sign, self.font.clone(), colour);
        let place = rect.with_max_x(rect.left() + self.gutter);
        let line = if side == 0 { pair.left } else { pair.right };
        let response = ui.interact(place, ui.scope_id().with(("sign", line, side)), Sense::hover());
        response
            .widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Line {}: {}", number(line), mark.name)));
    }

    /// A stretch that is folded away. Returns whether it was opened.
    pub(super) fn fold(&self, ui: &Ui, count: usize, (at, top): (usize, f32)) -> bool {
        let clip = ui.clip_rect();
        let rect = Rect::from_min_size(pos2(clip.left(), top), vec2(clip.width(), self.height));
        let response = ui.interact(rect, ui.scope_id().with(("fold", at)), Sense::click());
        let text = format!("⋯ {count} unchanged lines");
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, text.clone()));
        let visuals = ui.style().interact(&response);
        let lit = response.hovered() || response.has_focus();
        ui.painter().rect_filled(rect, 0.0, if lit { visuals.bg_fill } else { ui.visuals().faint_bg_color });
        let colour = if lit { visuals.text_color() } else { Tokens::of(ui.visuals()).quiet };
        let left = pos2(rect.left() + self.gutter, rect.center().y);
        ui.painter().text(left, Align2::LEFT_CENTER, text, self.font.clone(), colour);
        response.on_hover_text("Show these lines").clicked()
    }
}

/// The parts of a changed line that differ from the other side's.
fn differing(
    texts: &Texts<'_>,
    known: &Known,
    pair: &Pair,
    side: usize,
    ground: Color32,
) -> Vec<(Range<usize>, Color32)> {
    let (Some(left), Some(right)) = (pair.left, pair.right) else { return Vec::new() };
    let line = |side: usize, number| highlight::cut(known.sides[side].index.line(texts.texts[side], number));
    let [old, new] = parts(line(0, left), line(1, right));
    let ranges = if side == 0 { old } else { new };
    ranges.into_iter().map(|range| (range, ground)).collect()
}
