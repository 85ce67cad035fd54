//! The keys of a text that has the keyboard.

use egui::{Event, Key, Modifiers, Ui};

use super::movement::Motion;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Moves the caret; extends the selection where that is said.
    Move(Motion, bool),
    /// Moves by a page, and the view with it: up where the first is said, extends where the second is.
    Page(bool, bool),
    /// Selects the whole text.
    SelectAll,
    /// Copies what is selected.
    Copy,
    /// Selects what the caret's line represents.
    Enter,
    /// Selects nothing.
    Leave,
}

/// Takes the keys of a text out of the input.
pub(crate) fn actions(ui: &Ui) -> Vec<Action> {
    let mut actions = Vec::new();
    ui.input_mut(|input| {
        input.events.retain(|event| match action(event) {
            Some(action) => {
                actions.push(action);
                false
            }
            None => true,
        });
    });
    actions
}

fn action(event: &Event) -> Option<Action> {
    match event {
        Event::Copy => Some(Action::Copy),
        Event::Key { key, pressed: true, modifiers, .. } => of_key(*key, *modifiers),
        _ => None,
    }
}

fn of_key(key: Key, modifiers: Modifiers) -> Option<Action> {
    let (extend, ctrl) = (modifiers.shift, modifiers.command);
    if modifiers.alt {
        return None;
    }
    let to = |motion| Some(Action::Move(motion, extend));
    match (key, ctrl) {
        (Key::ArrowLeft, false) => to(Motion::Left),
        (Key::ArrowRight, false) => to(Motion::Right),
        (Key::ArrowLeft, true) => to(Motion::WordLeft),
        (Key::ArrowRight, true) => to(Motion::WordRight),
        (Key::ArrowUp, false) => to(Motion::Up(1)),
        (Key::ArrowDown, false) => to(Motion::Down(1)),
        (Key::Home, false) => to(Motion::LineStart),
        (Key::End, false) => to(Motion::LineEnd),
        (Key::Home, true) => to(Motion::TextStart),
        (Key::End, true) => to(Motion::TextEnd),
        (Key::PageUp, false) => Some(Action::Page(true, extend)),
        (Key::PageDown, false) => Some(Action::Page(false, extend)),
        (Key::A, true) if !extend => Some(Action::SelectAll),
        (Key::Enter, false) if !extend => Some(Action::Enter),
        (Key::Escape, false) if !extend => Some(Action::Leave),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_window_are_left_to_it() {
        let all = Modifiers::COMMAND | Modifiers::SHIFT;
        for (key, modifiers) in [
            (Key::PageDown, Modifiers::COMMAND),
            (Key::A, all),
            (Key::ArrowRight, Modifiers::ALT),
            (Key::ArrowDown, Modifiers::ALT | Modifiers::SHIFT),
            (Key::Tab, Modifiers::NONE),
            (Key::L, Modifiers::COMMAND),
        ] {
            assert_eq!(of_key(key, modifiers), None, "{key:?} {modifiers:?}");
        }
    }

    #[test]
    fn shift_extends_and_control_goes_by_words_and_texts() {
        let all = Modifiers::COMMAND | Modifiers::SHIFT;
        assert_eq!(of_key(Key::ArrowRight, all), Some(Action::Move(Motion::WordRight, true)));
        assert_eq!(of_key(Key::End, all), Some(Action::Move(Motion::TextEnd, true)));
        assert_eq!(of_key(Key::Home, Modifiers::SHIFT), Some(Action::Move(Motion::LineStart, true)));
        assert_eq!(of_key(Key::A, Modifiers::COMMAND), Some(Action::SelectAll));
    }
}
