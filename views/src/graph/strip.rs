//! Records per node and generation, as a strip of columns above the drawing.

use egui::{Pos2, Rect, Sense, Ui, pos2, vec2};
use lanescope_core::run::graph::{Generation, GraphRun};
use lanescope_core::text_format::counted;

use crate::picture::clean;
use crate::theme::Theme;
use lanescope_pictures::graph::short;

const HEIGHT: f32 = 76.0;
/// Space for the number above a column.
const HEAD: f32 = 12.0;
const BAR: f32 = 40.0;
const COLUMN: f32 = 46.0;
const NARROWEST: f32 = 14.0;
/// Nodes of a column that a hint lists.
const LISTED: usize = 16;

/// Draws the strip. Returns the generation (an index into the run's) that was clicked.
pub(super) fn strip(ui: &mut Ui, run: &GraphRun, shown: Option<usize>, theme: &Theme) -> Option<usize> {
    let count = run.generations.len();
    if count == 0 {
        return None;
    }
    let mut chosen = None;
    let width = (ui.available_width() / count as f32).clamp(NARROWEST, COLUMN);
    egui::ScrollArea::horizontal().id_salt("strip").auto_shrink([false, true]).show(ui, |ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(width * count as f32, HEIGHT), Sense::hover());
        let total = |is: &Generation| is.nodes.iter().map(|node| node.count).fold(0, u64::saturating_add);
        let totals: Vec<u64> = run.generations.iter().map(total).collect();
        let most = totals.iter().copied().max().unwrap_or(1).max(1);
        // Counts grow by powers: height by the number of digits, so that one record beside a million is still seen.
        let height = |records: u64| match records {
            0 => 0.0,
            records => 3.0 + (BAR - 3.0) * ((records as f32).ln_1p() / (most as f32).ln_1p()),
        };
        for (at, (generation, total)) in run.generations.iter().zip(&totals).enumerate() {
            let left = rect.left() + at as f32 * width;
            let column = Rect::from_min_size(pos2(left, rect.top()), vec2(width, HEIGHT));
            let id = ui.scope_id().with(("generation", at));
            let response = ui.interact(column, id, Sense::click());
            let name = match run.generations.iter().any(|other| other.dispatch > 0) {
                true => format!("start {}, generation {}", generation.dispatch, generation.number),
                false => format!("generation {}", generation.number),
            };
            let name = if generation.waiting { name + ", not run yet" } else { name };
            response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, &name));
            if shown == Some(at) {
                ui.painter().rect_filled(column.shrink2(vec2(1.0, 0.0)), 3.0, theme.field);
            } else if response.hovered() {
                ui.painter().rect_filled(column.shrink2(vec2(1.0, 0.0)), 3.0, theme.panel);
            }
            let base = rect.top() + HEAD + BAR + 4.0;
            let mut top = base;
            let whole = height(*total);
            for node in generation.nodes.iter().filter(|node| node.count > 0) {
                let part = whole * node.count as f32 / (*total).max(1) as f32;
                let bar = Rect::from_min_max(pos2(left + 3.0, top - part), pos2(left + width - 3.0, top));
                let past = shown.is_none_or(|shown| at > shown);
                let series = theme.series(node.node);
                if generation.waiting {
                    let line = egui::Stroke::new(1.5, series.line);
                    ui.painter().rect_stroke(bar, 0.0, line, egui::StrokeKind::Inside);
                } else {
                    ui.painter().rect_filled(bar, 0.0, if past { series.fill } else { series.line });
                }
                if part > 3.0 {
                    let line = egui::Stroke::new(1.0, theme.page);
                    ui.painter().hline(bar.x_range(), bar.top(), line);
                }
                top -= part;
            }
            text(ui, pos2(column.center().x, base + 8.0), &generation.number.to_string(), theme, 11.0);
            if width > 30.0 {
                text(ui, pos2(column.center().x, base - whole - 6.0), &short(*total), theme, 9.5);
            }
            let response = response.on_hover_ui(|ui| {
                ui.strong(&name);
                for node in generation.nodes.iter().take(LISTED) {
                    let id = run.graph.nodes.get(node.node).map(|is| clean(&is.id.to_string())).unwrap_or_default();
                    let (records, groups) = (counted(node.count, "record"), counted(node.launches, "thread group"));
                    ui.monospace(format!("{id}: {records}, {groups}"));
                }
                if generation.nodes.len() > LISTED {
                    ui.weak(format!("and {} more", generation.nodes.len() - LISTED));
                }
            });
            if response.clicked() {
                chosen = Some(at);
            }
        }
    });
    chosen
}

fn text(ui: &Ui, at: Pos2, text: &str, theme: &Theme, size: f32) {
    let font = egui::FontId::monospace(size);
    ui.painter().text(at, egui::Align2::CENTER_CENTER, text, font, theme.ink_soft);
}
