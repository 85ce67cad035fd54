//! Rows of controls above what a window is for.

use egui::{ScrollArea, Ui};

/// Below this height of the window, in points, controls keep to one row.
const LOW: f32 = 420.0;

/// A row of controls. It wraps; in a low window it is one row that scrolls sideways, so that what is below it stays in
/// sight. The name tells it from others of the same parent.
pub fn controls<R>(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui) -> R) -> R {
    if ui.ctx().content_rect().height() >= LOW {
        return ui.horizontal_wrapped(contents).inner;
    }
    let row = ScrollArea::horizontal().id_salt(name).auto_shrink([false, true]).min_scrolled_height(0.0);
    row.show(ui, |ui| ui.horizontal(contents).inner).inner
}
