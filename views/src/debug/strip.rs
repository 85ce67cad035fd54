//! Active lanes of the chosen wave over its run. A click goes to that time.

use egui::{EventFilter, Key, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use lanescope_inspector::command::Command;
use lanescope_inspector::debugging::{DebugCommand, DebugStop};

use crate::theme::Theme;

/// Height of the strip.
const HEIGHT: f32 = 34.0;

/// Draws the strip.
pub(super) fn strip(ui: &mut Ui, stop: &DebugStop, theme: &Theme, commands: &mut Vec<Command>) {
    let strip = &stop.strip;
    let width = ui.available_width().max(40.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::click());
    let now = strip.row_at(stop.state.step);
    let active = stop.state.waves.get(stop.state.wave as usize).map_or(0, |wave| wave.active);
    response.widget_info(|| {
        let text = format!(
            "Active lanes of wave {} over the run: {active} of {} at step {}",
            stop.state.wave, strip.lanes, stop.state.step
        );
        WidgetInfo::labeled(Role::Button, ui.is_enabled(), text)
    });
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, theme.panel);
    let count = strip.rows.len().max(1) as f32;
    let x_of = |at: f32| rect.left() + rect.width() * at / count;
    let y_of = |lanes: u32| rect.bottom() - rect.height() * lanes as f32 / strip.lanes.max(1) as f32;
    let (strong, weak) = (theme.series(0).line, theme.series(0).fill);
    for (at, row) in strip.rows.iter().enumerate() {
        let (left, right) = (x_of(at as f32), x_of(at as f32 + 1.0));
        // One lane of 64 is seen too.
        let low = rect.bottom() - 3.0;
        let top = |lanes: u32| if lanes == 0 { rect.bottom() } else { y_of(lanes).min(low) };
        let bar = |lanes: u32| Rect::from_min_max(pos2(left, top(lanes)), pos2(right, rect.bottom()));
        painter.rect_filled(bar(row.most), 0.0, weak);
        painter.rect_filled(bar(row.least), 0.0, strong);
    }
    if let Some(now) = now {
        let x = x_of(now as f32 + 0.5);
        painter.vline(x, rect.y_range(), egui::Stroke::new(2.0, theme.ink));
        painter.add(egui::Shape::convex_polygon(
            vec![pos2(x - 5.0, rect.top()), pos2(x + 5.0, rect.top()), pos2(x, rect.top() + 7.0)],
            theme.ink,
            egui::Stroke::NONE,
        ));
    }
    let mut go = |row: Option<usize>| {
        if let Some(row) = row.and_then(|row| strip.rows.get(row)) {
            commands.push(Command::Debug(DebugCommand::Seek(row.first)));
        }
    };
    if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        go(Some(((at.x - rect.left()) / rect.width() * count).clamp(0.0, count - 1.0) as usize));
    }
    if response.has_focus() {
        let filter = EventFilter { horizontal_arrows: true, ..Default::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let pressed = |key| ui.input(|input| input.modifiers.is_none() && input.key_pressed(key));
        if pressed(Key::ArrowRight) {
            go(now.map(|now| now + 1));
        } else if pressed(Key::ArrowLeft) {
            go(now.and_then(|now| now.checked_sub(1)));
        }
        painter.rect_stroke(rect, 2.0, egui::Stroke::new(1.0, theme.accent), egui::StrokeKind::Inside);
    }
    response.on_hover_text("Active lanes of the chosen wave over its run; click to go there");
}
