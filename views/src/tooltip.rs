//! Tooltips beside what they explain.

use egui::{Rect, RectAlign, Response, Tooltip, Ui};

/// A tooltip of a widget beside a place in it.
pub fn beside_place(response: &Response, place: Rect, contents: impl FnOnce(&mut Ui)) {
    const SIDES: [RectAlign; 8] = [
        RectAlign::RIGHT_START,
        RectAlign::LEFT_START,
        RectAlign::RIGHT_END,
        RectAlign::LEFT_END,
        RectAlign::BOTTOM_START,
        RectAlign::TOP_START,
        RectAlign::BOTTOM_END,
        RectAlign::TOP_END,
    ];
    let mut tooltip = Tooltip::for_widget(response).gap(10.0);
    tooltip.popup = tooltip.popup.anchor(place).align(SIDES[0]).align_alternatives(&SIDES);
    tooltip.show(contents);
}
