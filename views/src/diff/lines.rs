//! The rows of a diff: numbers and signs in the gutter, the lines with their marks.

use std::ops::Range;

use egui::{Align2, Color32, Rect, Role, Sense, Ui, WidgetInfo, pos2};

use super::known::{Known, Row};
use super::{Kind, Pair, Texts, parts};
use crate::table::Tokens;
use crate::text::area::{At, Contents, LineLook};
use crate::text::code::Code;
use crate::text::document::Document;
use crate::text::highlight::{self, Highlighter};
use crate::text::measure::Measure;
use crate::theme::TokensOfVisuals as _;

/// The lines of two texts as they are drawn.
pub(super) struct Lines<'a> {
    pub(super) texts: &'a Texts<'a>,
    pub(super) known: &'a Known,
    pub(super) highlighters: &'a mut [Highlighter; 2],
    pub(super) measure: &'a Measure,
    pub(super) gutter: f32,
    pub(super) digits: usize,
    /// The pairs of the change that was gone to.
    pub(super) current: Option<Range<usize>>,
    /// The fold that was clicked, by its first pair.
    pub(super) open: Option<usize>,
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

impl Lines<'_> {
    fn one_column(&self) -> bool {
        self.known.shape.1
    }

    /// The pair and the side of a row.
    fn pair(&self, at: &At) -> Option<(Pair, usize)> {
        let row = self.known.rows.get(at.row)?;
        let side = match row {
            Row::One(_, side) => *side,
            _ if self.one_column() => 0,
            _ => at.column,
        };
        self.known.alignment.pairs.get(row.pair()).map(|pair| (*pair, side))
    }

    /// The parts of a changed line that differ from the other side's.
    fn differing(&self, pair: &Pair, side: usize, ground: Color32) -> Vec<(Range<usize>, Color32)> {
        let (Some(left), Some(right)) = (pair.left, pair.right) else { return Vec::new() };
        let line =
            |side: usize, number| highlight::cut(self.known.sides[side].index.line(self.texts.texts[side], number));
        let [old, new] = parts(line(0, left), line(1, right));
        let ranges = if side == 0 { old } else { new };
        ranges.into_iter().map(|range| (range, ground)).collect()
    }
}

impl Contents for Lines<'_> {
    /// A stretch that is folded away.
    fn row(&mut self, ui: &Ui, row: usize, place: Rect) -> bool {
        let Some(Row::Fold(pairs)) = self.known.rows.get(row) else { return false };
        // Tab passes folds by: Enter beside one opens it, and so does the caret.
        let response = ui.interact(place, ui.scope_id().with(("fold", pairs.start)), Sense::CLICK);
        let text = format!("⋯ {} unchanged lines", pairs.len());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, text.clone()));
        let visuals = ui.style().interact(&response);
        let lit = response.hovered();
        ui.painter().rect_filled(place, 0.0, if lit { visuals.bg_fill } else { ui.visuals().faint_bg_color });
        let colour = if lit { visuals.text_color() } else { Tokens::of(ui.visuals()).quiet };
        let left = pos2(place.left() + self.gutter, place.center().y);
        ui.painter().text(left, Align2::LEFT_CENTER, text, self.measure.font.clone(), colour);
        if response.on_hover_text("Show these lines").clicked() {
            self.open = Some(pairs.start);
        }
        true
    }

    fn line(&mut self, ui: &Ui, at: &At) -> LineLook {
        let tokens = Tokens::of(ui.visuals());
        let Some((pair, side)) = self.pair(at) else {
            return LineLook { job: Default::default(), shown: 0, ground: None, whole: true };
        };
        let number = if side == 0 { pair.left } else { pair.right };
        let mark = Mark::of(pair.kind, side, tokens);
        let differing = mark.as_ref().map_or(Vec::new(), |mark| self.differing(&pair, side, mark.part));
        let lines = &self.known.sides[side];
        let document = Document::new(self.texts.texts[side], &lines.index);
        let font = self.measure.font.clone();
        let highlighter = &mut self.highlighters[side];
        let mut code = Code { document, language: self.texts.language, highlighter, find: &lines.find, font };
        let at = At { line: number.unwrap_or(0), ..at.clone() };
        LineLook { ground: mark.map(|mark| mark.ground), ..code.line(ui, &at, differing) }
    }

    /// The line's number and sign.
    fn gutter(&mut self, ui: &Ui, at: &At, place: Rect) {
        let Some((pair, side)) = self.pair(at) else { return };
        let tokens = Tokens::of(ui.visuals());
        let digits = self.digits;
        let number = |line: Option<usize>| line.map_or_else(String::new, |line| (line + 1).to_string());
        let text = match (self.one_column(), side) {
            (true, 0) if pair.kind == Kind::Same => {
                format!("{:>digits$} {:>digits$}", number(pair.left), number(pair.right))
            }
            (true, 0) => format!("{:>digits$} {:>digits$}", number(pair.left), ""),
            (true, _) => format!("{:>digits$} {:>digits$}", "", number(pair.right)),
            (false, 0) => format!("{:>digits$}", number(pair.left)),
            (false, _) => format!("{:>digits$}", number(pair.right)),
        };
        let mark = Mark::of(pair.kind, side, tokens);
        let font = &self.measure.font;
        let glyph = font.size * 0.6;
        let strong = mark.is_some() || at.has_caret;
        let colour = if strong { ui.visuals().strong_text_color() } else { tokens.quiet };
        let right = pos2(place.left() + self.gutter - 2.0 * glyph, place.center().y);
        ui.painter().text(right, Align2::RIGHT_CENTER, text, font.clone(), colour);
        let Some(mark) = mark else { return };
        let sign = pos2(place.left() + self.gutter - 1.2 * glyph, place.center().y);
        ui.painter().text(sign, Align2::CENTER_CENTER, mark.sign, font.clone(), colour);
        let line = if side == 0 { pair.left } else { pair.right };
        let response = ui.interact(place, ui.scope_id().with(("sign", line, side)), Sense::hover());
        response
            .widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Line {}: {}", number(line), mark.name)));
    }

    /// No line on this side.
    fn gap(&mut self, ui: &Ui, place: Rect) {
        ui.painter().rect_filled(place, 0.0, ui.visuals().faint_bg_color);
    }

    /// The line between both texts, and a bar at the rows of the change that was gone to.
    fn over(&mut self, ui: &Ui, row: usize, place: Rect) {
        if !self.one_column() {
            let stroke = ui.visuals().widgets.noninteractive.bg_stroke;
            ui.painter().vline(place.center().x, place.y_range(), stroke);
        }
        let pair = self.known.rows.get(row).map(Row::pair);
        if pair.zip(self.current.as_ref()).is_some_and(|(pair, current)| current.contains(&pair)) {
            let bar = place.with_max_x(place.left() + 3.0);
            ui.painter().rect_filled(bar, 0.0, ui.visuals().hyperlink_color);
        }
    }
}
