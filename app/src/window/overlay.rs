//! Overlays: the list of keys, the about box, the drop hint.

use egui::accesskit::{Action, ActionRequest, TreeId};
use egui::{
    Align2, Color32, Context, Event, FontId, Grid, Id, LayerId, Modal, Order, Rect, RichText, ScrollArea, Stroke,
    StrokeKind, Vec2,
};
use lanescope_views::context::View;
use lanescope_views::theme::Theme;

use super::command::{Menu, TABLE, tab_key};

/// Lists every key. Returns true where it is to close.
pub fn keys(ctx: &Context, views: &[Box<dyn View>]) -> bool {
    let screen = ctx.content_rect();
    let modal = Modal::new(Id::unique("keys")).show(ctx, |ui| {
        ui.set_width((screen.width() - 60.0).min(460.0));
        ui.heading("Keys");
        ui.add_space(4.0);
        ScrollArea::vertical().max_height(screen.height() - 140.0).show(ui, |ui| {
            // One table, so that the keys of all menus are below each other.
            Grid::new("keys").num_columns(2).spacing([24.0, 4.0]).min_col_width(160.0).show(ui, |ui| {
                for (menu, name) in Menu::ALL {
                    ui.label(RichText::new(name).strong());
                    ui.end_row();
                    for row in TABLE.iter().filter(|row| row.menu == menu && !row.keys.is_empty()) {
                        let keys: Vec<_> = row.keys.iter().map(|key| ctx.format_shortcut(key)).collect();
                        line(ui, row.label.trim_end_matches('…'), &keys.join(", "));
                    }
                    if menu == Menu::View {
                        for (index, view) in views.iter().enumerate() {
                            if let Some(key) = tab_key(index) {
                                line(ui, &format!("Tab {}", view.info().title), &ctx.format_shortcut(&key));
                            }
                        }
                    }
                    ui.add_space(4.0);
                    ui.end_row();
                }
            });
            ui.label("Tab and Shift+Tab move between controls; Space or Enter activates one; Esc closes.");
        });
        ui.add_space(6.0);
        ui.button("Close").clicked()
    });
    modal.inner || modal.should_close()
}

fn line(ui: &mut egui::Ui, what: &str, key: &str) {
    ui.label(what);
    ui.monospace(key);
    ui.end_row();
}

/// Says what this is. Returns true where it is to close.
pub fn about(ctx: &Context) -> bool {
    let modal = Modal::new(Id::unique("about")).show(ctx, |ui| {
        ui.set_width((ctx.content_rect().width() - 60.0).min(420.0));
        ui.heading(format!("Lanescope {}", env!("CARGO_PKG_VERSION")));
        ui.add_space(4.0);
        ui.label(
            "An inspector for shader layouts: attribute slots of varyings, lanes of invocations, and the register \
             values that follow.",
        );
        ui.add_space(4.0);
        ui.weak(concat!("License: ", env!("CARGO_PKG_LICENSE")));
        ui.add_space(6.0);
        ui.button("Close").clicked()
    });
    modal.inner || modal.should_close()
}

/// The focused widget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Focused {
    /// Its widget.
    pub id: Id,
    /// The part in view.
    pub place: Rect,
    /// All of it, or of something large a good part, is in view.
    pub seen: bool,
}

/// Draws a ring around the focused widget: many widgets' own focus marks are faint.
pub fn focus_ring(ctx: &Context) -> Option<Focused> {
    let id = ctx.memory(|memory| memory.focused())?;
    let response = ctx.read_response(id)?;
    let place = response.interact_rect.intersect(ctx.content_rect());
    let wanted = response.rect.size().min(Vec2::splat(LARGE)) - Vec2::splat(1.0);
    let seen = place.width() >= wanted.x && place.height() >= wanted.y;
    let theme = if ctx.global_style().visuals.dark_mode { Theme::dark() } else { Theme::light() };
    if place.is_positive() {
        let ring = place.expand(1.0).intersect(ctx.content_rect());
        let painter = ctx.layer_painter(response.layer_id);
        painter.rect_stroke(ring, 3.0, Stroke::new(2.0, theme.accent), StrokeKind::Inside);
    }
    Some(Focused { id, place, seen })
}

/// Of a widget this large, it is enough to see so much.
const LARGE: f32 = 260.0;

/// Has what holds a widget scroll to it in the frame that is about to be drawn, as screen readers ask for it.
pub fn scroll_to(ctx: &Context, id: Id) {
    let request = ActionRequest {
        action: Action::ScrollIntoView,
        target_tree: TreeId::ROOT,
        target_node: id.accesskit_id(),
        data: None,
    };
    ctx.input_mut(|input| input.events.push(Event::AccessKitActionRequest(request)));
}

/// Says what dropping would do, while files hover over the window: open them, or compare with them.
pub fn drop_hint(ctx: &Context, compare: bool) {
    let hovering = ctx.input(|input| input.raw.hovered_files.len());
    if hovering == 0 {
        return;
    }
    let painter = ctx.layer_painter(LayerId::new(Order::Foreground, Id::unique("drop hint")));
    let screen = ctx.content_rect();
    painter.rect_filled(screen, 0.0, Color32::from_black_alpha(190));
    let text = match hovering {
        1 if compare => "Drop to compare with this file".to_owned(),
        count if compare => format!("Drop to compare with {count} files as one pipeline"),
        1 => "Drop to open this file".to_owned(),
        count => format!("Drop to open {count} files as one pipeline"),
    };
    painter.text(screen.center(), Align2::CENTER_CENTER, text, FontId::proportional(22.0), Color32::WHITE);
}

#[cfg(test)]
mod tests {
    use egui::{RawInput, Shape, pos2, vec2};

    use super::*;

    #[test]
    fn all_keys_are_in_one_column() {
        let ctx = Context::default();
        let mut columns: Vec<i32> = Vec::new();
        for _ in 0..4 {
            let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 3000.0)));
            let output = ctx.run_ui(RawInput { screen_rect, ..RawInput::default() }, |ui| {
                keys(ui.ctx(), &[]);
            });
            let keys: Vec<String> =
                TABLE.iter().filter_map(|row| row.keys.first()).map(|key| ctx.format_shortcut(key)).collect();
            let place = |shape: &Shape| match shape {
                Shape::Text(text) if keys.iter().any(|key| key == text.galley.text()) => {
                    Some(text.pos.x.round() as i32)
                }
                _ => None,
            };
            columns = output.shapes.iter().filter_map(|clipped| place(&clipped.shape)).collect();
        }
        assert!(columns.len() > 12, "{columns:?}");
        columns.dedup();
        assert_eq!(columns.len(), 1, "{columns:?}");
    }
}
