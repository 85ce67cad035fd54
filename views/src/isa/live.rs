//! The live registers of each line: their number and a bar, on the line's own row.

use egui::{Align2, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use lanescope_core::driver::isa::IsaFacts;

use crate::table::Tokens;
use crate::text::measure::Measure;
use crate::theme::{Theme, ThemeOfUi as _, TokensOfVisuals as _};

/// Characters of the number, with the sign of the peak before it.
const NUMBER: f32 = 5.0;
/// Characters of the longest bar.
const BAR: f32 = 8.0;

/// Width of the column, in points; zero where nothing is known.
pub(super) fn width(facts: &IsaFacts, measure: &Measure) -> f32 {
    if facts.peak.is_some() { (NUMBER + BAR + 1.5) * measure.glyph } else { 0.0 }
}

/// Draws the live vector registers of an instruction. Returns whether they were clicked.
pub(super) fn ui(ui: &Ui, facts: &IsaFacts, line: usize, font: &FontId, place: Rect) -> bool {
    let at = u32::try_from(line).ok().and_then(|line| facts.at_line(line));
    let row = at.and_then(|at| facts.pressure.get(at as usize).copied().map(|row| (at, row)));
    let Some(((at, row), peak)) = row.zip(facts.peak) else { return false };
    let (tokens, theme) = (Tokens::of(ui.visuals()), Theme::of(ui));
    let glyph = place.width() / (NUMBER + BAR + 1.5);
    let most = peak.most.vgprs.max(1);
    let is_peak = row.vgprs == peak.most.vgprs;
    let ink = if is_peak { ui.visuals().strong_text_color() } else { tokens.quiet };
    let number = format!("{}{:>3}", if is_peak { "▲" } else { " " }, row.vgprs);
    let right = pos2(place.left() + NUMBER * glyph, place.center().y);
    ui.painter().text(right, Align2::RIGHT_CENTER, number, font.clone(), ink);
    let left = place.left() + (NUMBER + 0.5) * glyph;
    let wide = f32::from(row.vgprs.min(most)) / f32::from(most) * BAR * glyph;
    let bar = Rect::from_min_size(pos2(left, place.top() + 2.0), vec2(wide, (place.height() - 4.0).max(2.0)));
    let series = theme.series(0);
    ui.painter().rect_filled(bar, 0.0, if is_peak { series.line } else { series.fill });
    let edge = bar.with_min_x((bar.right() - 1.5).max(bar.left()));
    ui.painter().rect_filled(edge, 0.0, series.line);
    // Tab passes them by: Enter on the caret's line selects the same.
    let response = ui.interact(place, ui.scope_id().with(("live", line)), Sense::CLICK);
    let least = if peak.at_least { "at least " } else { "" };
    let most = if is_peak { ", the most" } else { "" };
    let about = format!("Line {}: {least}{} live{most}", line + 1, facts.dialect.live(row));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &about));
    let response = response.on_hover_ui(|ui| {
        ui.label(&about);
        ui.label(format!("Click to select instruction {at} and its source"));
    });
    response.clicked()
}
