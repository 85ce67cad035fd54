//! Keys of commands in the window.

use egui::{Context, Event, InputState, Key, KeyboardShortcut, Modifiers};
use lanescope_inspector::chord::{self, Chord};
use lanescope_inspector::command::Command;

use lanescope_inspector::view::ViewId;
use lanescope_workbench::commands::{Row, TABLE, keys_of_tab};

/// A key as the toolkit has it.
fn shortcut(chord: Chord) -> KeyboardShortcut {
    let mut modifiers = Modifiers::NONE;
    for (held, modifier) in
        [(chord.ctrl, Modifiers::COMMAND), (chord.alt, Modifiers::ALT), (chord.shift, Modifiers::SHIFT)]
    {
        if held {
            modifiers = modifiers.plus(modifier);
        }
    }
    KeyboardShortcut::new(modifiers, key(chord.key))
}

/// A key as the toolkit has it; one that it does not have is the last function key, which no keyboard has.
pub fn key(key: chord::Key) -> Key {
    let found = match key {
        chord::Key::Char(c) => Key::from_name(c.encode_utf8(&mut [0; 4])),
        chord::Key::F(number) => Key::from_name(&format!("F{number}")),
        chord::Key::Tab => Some(Key::Tab),
        chord::Key::PageUp => Some(Key::PageUp),
        chord::Key::PageDown => Some(Key::PageDown),
        chord::Key::Right => Some(Key::ArrowRight),
        chord::Key::Down => Some(Key::ArrowDown),
    };
    found.unwrap_or(Key::F35)
}

/// A key as the window writes it: `Ctrl+Shift+P`, with the signs of the system where those are usual.
pub fn key_text(ctx: &Context, chord: &Chord) -> String {
    ctx.format_shortcut(&shortcut(*chord))
}

/// The commands whose keys were pressed; the keys are taken out of the input.
///
/// The tab that has the keys may give some another meaning.
pub fn pressed(ctx: &Context, tab: Option<ViewId>) -> Vec<Command> {
    // A field that is typed into has an undo of its own.
    let typing = ctx.egui_wants_keyboard_input();
    let is_for_field = |row: &&Row| typing && matches!(row.command, Command::Undo | Command::Redo);
    let rows = TABLE.iter().filter(|row| !is_for_field(row));
    let of_tab = keys_of_tab(tab);
    let everywhere = rows.flat_map(|row| row.keys.iter().map(move |key| (*key, &row.command)));
    let everywhere = everywhere.filter(|(key, _)| !of_tab.iter().any(|(own, _)| own == key));
    // The most specific first: Ctrl+Tab also matches while Shift is held.
    let all = of_tab.iter().map(|(key, command)| (*key, command)).chain(everywhere);
    let mut keys: Vec<_> = all.map(|(key, command)| (shortcut(key), command)).collect();
    keys.sort_by_key(|(key, _)| !key.modifiers.shift);
    ctx.input_mut(|input| {
        let pressed = keys.into_iter().filter(|(key, _)| !is_menu_key(input, key) && input.consume_shortcut(key));
        pressed.map(|(_, command)| command.clone()).collect()
    })
}

/// Whether F10 is asked for while Shift+F10 was pressed, which egui takes for F10 too: it opens a context menu.
fn is_menu_key(input: &InputState, shortcut: &KeyboardShortcut) -> bool {
    let is_held = |event: &Event| match event {
        Event::Key { key, pressed: true, modifiers, .. } => *key == Key::F10 && modifiers.shift,
        _ => false,
    };
    shortcut.logical_key == Key::F10 && !shortcut.modifiers.shift && input.events.iter().any(is_held)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_has_every_key_of_the_table() {
        for row in TABLE {
            assert!(row.keys.iter().all(|chord| key(chord.key) != Key::F35), "{:?}", row.keys);
        }
    }

    #[test]
    fn the_most_specific_key_wins() {
        let ctx = Context::default();
        let modifiers = Modifiers { ctrl: true, command: true, shift: true, ..Modifiers::NONE };
        let event = Event::Key { key: Key::Tab, physical_key: None, pressed: true, repeat: false, modifiers };
        let input = egui::RawInput { events: vec![event], ..Default::default() };
        let mut found = Vec::new();
        let _ = ctx.run_ui(input, |ui| found.extend(pressed(ui.ctx(), Some(ViewId::Source))));
        assert_eq!(found, [Command::PreviousProgram]);
    }

    #[test]
    fn f10_steps_what_the_tab_shows() {
        use lanescope_inspector::debugging::DebugCommand;
        use lanescope_inspector::stepping::StepCommand;
        let press = |shift, tab: ViewId| {
            let ctx = Context::default();
            let modifiers = Modifiers { shift, ..Modifiers::NONE };
            let event = Event::Key { key: Key::F10, physical_key: None, pressed: true, repeat: false, modifiers };
            let input = egui::RawInput { events: vec![event], ..Default::default() };
            let mut found = Vec::new();
            let _ = ctx.run_ui(input, |ui| found.extend(pressed(ui.ctx(), Some(tab))));
            found
        };
        assert_eq!(press(false, ViewId::Graph), [Command::Step(StepCommand::Step)]);
        assert_eq!(press(false, ViewId::Debug), [Command::Debug(DebugCommand::StepOver)]);
        for tab in [ViewId::Debug, ViewId::Graph, ViewId::Source] {
            assert!(press(true, tab).is_empty(), "it opens a context menu in {tab}");
        }
    }
}
