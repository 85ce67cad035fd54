//! Panes that may be lower than what is in them.

use egui::accesskit::Action;
use egui::style::ScrollStyle;
use egui::{Id, ScrollArea, Ui, vec2};

/// Draws contents that need some height: in a lower pane they scroll.
pub fn at_least(ui: &mut Ui, height: f32, contents: impl FnOnce(&mut Ui)) {
    if ui.available_height() >= height {
        return contents(ui);
    }
    // What is cut has a bar that is always in sight.
    let own = std::mem::replace(&mut ui.spacing_mut().scroll, ScrollStyle::solid());
    ScrollArea::vertical().id_salt("low").auto_shrink(false).min_scrolled_height(0.0).show(ui, |ui| {
        ui.spacing_mut().scroll = own;
        let size = vec2(ui.available_width(), height);
        in_view(ui, |ui| {
            ui.allocate_ui(size, |ui| {
                ui.set_min_size(size);
                contents(ui);
            })
        });
    });
    ui.spacing_mut().scroll = own;
}

/// Contents of a scroll area with others in it. The inner ones keep what the keyboard goes to in their own view, and do not
/// say how far the outer one is to scroll, so this scrolls there.
pub fn in_view<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let focused = ui.ctx().memory(|memory| memory.focused());
    // Looked at before the contents: what is wanted takes the request.
    let is_wanted = |id: &Id| ui.input(|input| input.has_accesskit_action_request(*id, Action::ScrollIntoView));
    let wanted = focused.filter(is_wanted);
    let result = contents(ui);
    if let Some(id) = wanted
        && let Some(response) = ui.ctx().read_response(id)
    {
        ui.scroll_to_rect(response.rect, None);
    }
    result
}
