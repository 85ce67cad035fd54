//! The controls of a search: the field, from match to match, how many there are.

use egui::{Key, Modifiers, RichText, Ui};

use super::find::{FOUND_AT_MOST, Find};
use crate::context::ViewCx;
use crate::table::{Search, call};

/// Draws the controls; `done` where the whole text was searched, `from` the first line in view. Returns the line
/// to go to.
pub(crate) fn searching(
    ui: &mut Ui,
    cx: &ViewCx<'_>,
    search: &mut Search,
    find: &mut Find,
    done: bool,
    from: usize,
) -> Option<usize> {
    let field = search.ui(ui, cx, "Search text", 220.0);
    let key = |ui: &mut Ui, modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let shift = ui.input(|input| input.modifiers.shift);
    let any = !find.found.is_empty();
    let button = |ui: &mut Ui, sign: &str, name: &'static str, keys: &str| {
        let response = ui.add_enabled(any, egui::Button::new(RichText::new(sign).monospace()));
        call(&response, name);
        response.on_hover_text(format!("{name} ({keys})")).clicked()
    };
    let back = button(ui, "▲", "Previous match", "Shift+Enter, Shift+F3")
        || key(ui, Modifiers::SHIFT, Key::F3)
        || (entered && shift);
    let on = button(ui, "▼", "Next match", "Enter, F3") || key(ui, Modifiers::NONE, Key::F3) || (entered && !shift);
    if entered {
        field.request_focus();
    }
    let wanted = if back || on { find.go(back, from) } else { None };
    if !find.query.is_empty() {
        let count = find.found.len();
        let more = if count >= FOUND_AT_MOST {
            "+"
        } else if done {
            ""
        } else {
            "…"
        };
        ui.label(match find.at {
            Some(at) => format!("{} of {count}{more}", at + 1),
            None if count == 0 && done => "no match".to_owned(),
            None if count == 1 => format!("1 match{more}"),
            None => format!("{count}{more} matches"),
        });
    }
    wanted
}
