//! The focused widget, and the hint for dropped files.

use egui::accesskit::{Action, ActionRequest, TreeId};
use egui::{Align2, Color32, Context, Event, FontId, Id, LayerId, Order, Rect, Stroke, StrokeKind, Vec2};
use lanescope_views::theme::Theme;

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
    let (hovering, folder) = ctx.input(|input| {
        let files = &input.raw.hovered_files;
        // A look at the file system could make the window wait: what has no extension may be a folder.
        let is_folder = files.iter().all(|file| file.path.as_ref().is_some_and(|path| path.extension().is_none()));
        (files.len(), is_folder && files.len() == 1)
    });
    if hovering == 0 {
        return;
    }
    let painter = ctx.layer_painter(LayerId::new(Order::Foreground, Id::unique("drop hint")));
    let screen = ctx.content_rect();
    painter.rect_filled(screen, 0.0, Color32::from_black_alpha(190));
    let text = match hovering {
        1 if compare => "Drop to compare with this file".to_owned(),
        count if compare => format!("Drop to compare with {count} files as one pipeline"),
        _ if folder => "Drop to open it; of a folder a pipeline is chosen".to_owned(),
        1 => "Drop to open this file".to_owned(),
        count => format!("Drop to open {count} files as one pipeline"),
    };
    painter.text(screen.center(), Align2::CENTER_CENTER, text, FontId::proportional(22.0), Color32::WHITE);
}
