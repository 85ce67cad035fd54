//! Panels at the edges of the window. One that a small window narrowed has its size again in a larger one.

use std::ops::RangeInclusive;

use egui::containers::PanelState;
use egui::{Id, IdSalt, Panel, Ui};

/// Where a panel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Left,
    Right,
    Bottom,
}

impl Edge {
    /// The axis of its size: x or y.
    fn axis(self) -> usize {
        usize::from(self == Edge::Bottom)
    }
}

/// Draws a panel whose size the user changes within a range. `name` is unique among the panels of `ui`.
pub fn panel(
    ui: &mut Ui,
    edge: Edge,
    name: &'static str,
    default: f32,
    sizes: RangeInclusive<f32>,
    contents: impl FnOnce(&mut Ui),
) {
    let id = ui.scope_id().with_salt(IdSalt::new(name));
    let most = *sizes.end();
    grow(ui, id, edge, most);
    let panel = match edge {
        Edge::Left => Panel::left(name),
        Edge::Right => Panel::right(name),
        Edge::Bottom => Panel::bottom(name),
    };
    panel.default_size(default).size_range(sizes).resizable(true).show(ui, contents);
    note(ui, id, edge, most);
}

/// Where the size is kept that the user chose.
fn chosen(id: Id) -> Id {
    id.with("chosen")
}

/// Gives the panel back what it had, as far as there is room.
fn grow(ui: &Ui, id: Id, edge: Edge, most: f32) {
    let axis = edge.axis();
    let Some(size) = ui.data(|data| data.get_temp::<f32>(chosen(id))).map(|size| size.min(most)) else { return };
    let Some(mut state) = PanelState::load(ui.ctx(), id).filter(|state| state.size()[axis] < size) else { return };
    // Of its place, only the size counts.
    state.outer_rect.max[axis] = state.outer_rect.min[axis] + size;
    ui.data_mut(|data| data.insert_persisted(id, state));
}

/// Keeps the size, unless it is only the largest that the window has room for.
fn note(ui: &Ui, id: Id, edge: Edge, most: f32) {
    const ROUNDING: f32 = 0.5;
    let Some(size) = PanelState::load(ui.ctx(), id).map(|state| state.size()[edge.axis()]) else { return };
    ui.data_mut(|data| {
        let chosen = data.get_temp_mut_or(chosen(id), size);
        *chosen = if size + ROUNDING < most { size } else { chosen.max(size) };
    });
}

#[cfg(test)]
mod tests {
    use egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};

    use super::*;

    /// Draws a panel at the right of a window of this width, which has half of it at most; returns where the panel is.
    fn drawn(ctx: &Context, width: f32, events: Vec<Event>) -> Rect {
        let mut state = None;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(width, 300.0)));
        let _ = ctx.run_ui(RawInput { screen_rect, events, ..RawInput::default() }, |ui| {
            let room = ui.available_width();
            let fill = |ui: &mut Ui| _ = ui.allocate_space(ui.available_size());
            panel(ui, Edge::Right, "panel", 400.0, 100.0..=room / 2.0, fill);
            state = PanelState::load(ui.ctx(), ui.scope_id().with_salt(IdSalt::new("panel")));
        });
        state.expect("it was drawn").outer_rect
    }

    /// Its width in the second frame in a window of this width.
    fn width(ctx: &Context, window: f32) -> f32 {
        drawn(ctx, window, Vec::new());
        drawn(ctx, window, Vec::new()).width()
    }

    #[test]
    fn a_narrowed_panel_grows_with_the_window() {
        let ctx = Context::default();
        let wide = width(&ctx, 1000.0);
        let narrow = width(&ctx, 300.0);
        assert!(narrow < wide / 2.0, "{narrow} of {wide}");
        let between = width(&ctx, 600.0);
        assert!(narrow < between && between < wide, "{between}");
        assert_eq!(width(&ctx, 1000.0), wide);
    }

    #[test]
    fn a_panel_keeps_the_size_that_it_is_dragged_to() {
        let ctx = Context::default();
        let wide = width(&ctx, 1000.0);
        let edge = drawn(&ctx, 1000.0, Vec::new()).left();
        let at = |x: f32| Event::PointerMoved(pos2(x, 150.0));
        let button = |x: f32, pressed| {
            let (pos, button, modifiers) = (pos2(x, 150.0), PointerButton::Primary, Modifiers::NONE);
            Event::PointerButton { pos, button, pressed, modifiers }
        };
        let by = 150.0;
        for event in [at(edge), button(edge, true), at(edge + by), button(edge + by, false)] {
            drawn(&ctx, 1000.0, vec![event]);
        }
        let dragged = width(&ctx, 1000.0);
        assert!((wide - by - dragged).abs() < 10.0, "{dragged} of {wide}");
        assert!(width(&ctx, 300.0) < dragged);
        assert_eq!(width(&ctx, 1000.0), dragged);
    }
}
