//! A strip of memory: what lies where, in the colours of the nodes.

use egui::{Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use lanescope_core::cost::strip::{Strip, StripPart};
use lanescope_core::text_format::counted;

use crate::picture::clean;
use crate::theme::Theme;

const HEIGHT: f32 = 22.0;
/// The widest strip.
const WIDEST: f32 = 900.0;
/// Items that the legend lists.
const LISTED: usize = 24;
/// The side of a colour in the legend.
const SWATCH: f32 = 10.0;

/// Draws the title, the strip, and what its colours stand for.
pub(crate) fn memory_strip(ui: &mut Ui, theme: &Theme, strip: &Strip) {
    ui.label(clean(&strip.title));
    let width = (ui.clip_rect().width() - 16.0).clamp(64.0, WIDEST);
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
    let name = format!("Memory map, {}", strip.title);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Image, true, &name));
    let scale = f64::from(width) / strip.bytes.max(1) as f64;
    let x = |bytes: u64| rect.left() + (bytes as f64 * scale) as f32;
    for part in &strip.parts {
        let (left, right) = (x(part.offset), x(part.offset.saturating_add(part.bytes)));
        let bar = Rect::from_min_max(pos2(left, rect.top()), pos2(right.max(left + 0.5), rect.bottom()));
        let series = theme.series(part.item);
        ui.painter().rect_filled(bar, 0.0, series.fill);
        if bar.width() > 3.0 {
            ui.painter().vline(bar.left(), bar.y_range(), Stroke::new(1.0, series.line));
        }
    }
    ui.painter().rect_stroke(rect, 0.0, Stroke::new(1.0, theme.outline), StrokeKind::Inside);
    if let Some(part) = response.hover_pos().and_then(|at| under(strip, f64::from(at.x - rect.left()) / scale)) {
        let end = part.offset.saturating_add(part.bytes);
        response.on_hover_text(format!(
            "{}: {} at {} to {end}",
            clean(&part.label),
            counted(part.bytes, "byte"),
            part.offset
        ));
    }
    legend(ui, theme, strip);
}

/// The part at a place, in bytes.
fn under(strip: &Strip, at: f64) -> Option<&StripPart> {
    let at = at.max(0.0) as u64;
    let after = strip.parts.partition_point(|part| part.offset <= at);
    strip.parts.get(after.checked_sub(1)?)
}

fn legend(ui: &mut Ui, theme: &Theme, strip: &Strip) {
    let items = strip.items();
    ui.scope(|ui| {
        ui.set_max_width(ui.clip_rect().width() - 8.0);
        ui.horizontal_wrapped(|ui| {
            for (item, label) in items.iter().take(LISTED) {
                let (rect, _) = ui.allocate_exact_size(vec2(SWATCH, SWATCH), Sense::hover());
                let series = theme.series(*item);
                ui.painter().rect(rect, 1.0, series.fill, Stroke::new(1.0, series.line), StrokeKind::Inside);
                ui.label(clean(label));
            }
            let more = items.len().saturating_sub(LISTED);
            if more > 0 {
                ui.weak(format!("and {more} more"));
            }
        });
    });
}
