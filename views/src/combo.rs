//! Entries of combo boxes.

use egui::{Response, Ui, WidgetText};

use crate::type_ahead;

/// An entry that sets a value. The box closes, whether it was chosen by pointer or by key.
pub fn pick<T: PartialEq>(ui: &mut Ui, value: &mut T, entry: T, text: impl Into<WidgetText>) -> Response {
    let is_chosen = *value == entry;
    let response = entry_of(ui, is_chosen, text);
    if response.clicked() && !is_chosen {
        *value = entry;
    }
    response
}

/// An entry; the caller does what it is for.
pub fn entry_of<'a>(ui: &mut Ui, is_chosen: bool, text: impl egui::IntoAtoms<'a>) -> Response {
    let text = text.into_atoms();
    let name = text.text().map(std::borrow::Cow::into_owned).unwrap_or_default();
    let response = ui.selectable_label(is_chosen, text);
    type_ahead::row(ui.layer_id().id, &response, &name);
    // A click by pointer closes the box in any case, one by key does not.
    if response.clicked() {
        ui.close();
    }
    response
}
