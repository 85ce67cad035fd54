//! Keys of the terminal: chords of the table of commands, plain letters, movements.

use lanescope_inspector::chord::{Chord, Key};
use lanescope_inspector::command::Command;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::pane::Motion;
use lanescope_inspector::view::ViewId;
use lanescope_workbench::commands::{Row, TABLE, keys_of_tab};

/// What a key does where nothing is typed.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A command.
    Do(Command),
    /// Move the cursor of the pane.
    Go(Motion),
    /// Follow the link at the cursor: select it, or go where it leads.
    Follow,
    /// Copy the line of the cursor.
    CopyLine,
    /// Explain the finding at the cursor.
    Explain,
    /// Cancel, leave or clear what is in front.
    Escape,
    /// Stop the program until the shell continues it.
    Suspend,
    /// Draw everything again.
    Redraw,
}

/// Keys that are not in the table of commands, for the list of keys.
pub const MOVEMENTS: [(&str, &str); 15] = [
    ("j, k, arrows", "Next or previous line"),
    ("h, l, arrows", "Next or previous item of the line, or scroll sideways"),
    ("Ctrl+D, Ctrl+U", "Half a page down or up"),
    ("Space, PageDown, PageUp", "A page down or up"),
    ("g, G, Home, End", "First or last line"),
    ("0", "First column"),
    ("J, K", "Next or previous section"),
    ("Enter", "Select the item, or go where it leads"),
    ("n, N", "Next or previous match"),
    ("y", "Copy the line"),
    ("!", "Explain the finding at the cursor, or a code"),
    ("Tab, Shift+Tab", "Next or previous tab, through all panes"),
    ("Esc", "Cancel work, close, clear the selection"),
    ("Ctrl+L", "Draw everything again"),
    ("Ctrl+Z", "Suspend; fg continues"),
];

/// What a key does.
pub fn action(key: KeyEvent) -> Option<Action> {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    let own = match (key.code, ctrl, alt) {
        (KeyCode::Char('z'), true, false) => Action::Suspend,
        (KeyCode::Char('c'), true, false) => Action::Do(Command::Quit),
        (KeyCode::Char('p'), true, false) => Action::Do(Command::Palette),
        (KeyCode::Char('l'), true, false) => Action::Redraw,
        (KeyCode::Char('d'), true, false) => Action::Go(Motion::Half(1)),
        (KeyCode::Char('u'), true, false) => Action::Go(Motion::Half(-1)),
        (KeyCode::Tab, false, false) => Action::Do(Command::NextTab),
        (KeyCode::BackTab, false, false) => Action::Do(Command::PreviousTab),
        (KeyCode::Char(c), false, false) => return letter(c),
        (code, false, false) => match code {
            KeyCode::Down => Action::Go(Motion::Lines(1)),
            KeyCode::Up => Action::Go(Motion::Lines(-1)),
            KeyCode::Left => Action::Go(Motion::Sideways(-1)),
            KeyCode::Right => Action::Go(Motion::Sideways(1)),
            KeyCode::PageDown => Action::Go(Motion::Half(2)),
            KeyCode::PageUp => Action::Go(Motion::Half(-2)),
            KeyCode::Home => Action::Go(Motion::First),
            KeyCode::End => Action::Go(Motion::Last),
            KeyCode::Enter => Action::Follow,
            KeyCode::Esc => Action::Escape,
            _ => return command(key).map(Action::Do),
        },
        _ => return command(key).map(Action::Do),
    };
    Some(own)
}

fn letter(c: char) -> Option<Action> {
    Some(match c {
        'j' => Action::Go(Motion::Lines(1)),
        'k' => Action::Go(Motion::Lines(-1)),
        'h' => Action::Go(Motion::Sideways(-1)),
        'l' => Action::Go(Motion::Sideways(1)),
        ' ' => Action::Go(Motion::Half(2)),
        'g' => Action::Go(Motion::First),
        'G' => Action::Go(Motion::Last),
        '0' => Action::Go(Motion::Begin),
        'J' => Action::Go(Motion::Section(1)),
        'K' => Action::Go(Motion::Section(-1)),
        'n' => Action::Go(Motion::Match(1)),
        'N' => Action::Go(Motion::Match(-1)),
        'y' => Action::CopyLine,
        '!' => Action::Explain,
        _ => Action::Do(TABLE.iter().find(|row| row.letter == Some(c))?.command.clone()),
    })
}

/// The command of a chord.
fn command(key: KeyEvent) -> Option<Command> {
    let chord = chord(key)?;
    TABLE.iter().find(|row| row.keys.contains(&chord)).map(|row| row.command.clone())
}

/// What a key does in this tab alone.
pub fn of_tab(key: KeyEvent, tab: Option<ViewId>) -> Option<Command> {
    let chord = chord(key)?;
    keys_of_tab(tab).iter().find(|(own, _)| *own == chord).map(|(_, command)| command.clone())
}

fn chord(key: KeyEvent) -> Option<Chord> {
    let code = match key.code {
        KeyCode::Char(c) => Key::Char(c.to_ascii_uppercase()),
        KeyCode::F(number) => Key::F(number),
        KeyCode::Tab | KeyCode::BackTab => Key::Tab,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Right => Key::Right,
        KeyCode::Down => Key::Down,
        _ => return None,
    };
    let held = |modifier| key.modifiers.contains(modifier);
    let shift = held(KeyModifiers::SHIFT) || key.code == KeyCode::BackTab;
    Some(Chord { ctrl: held(KeyModifiers::CONTROL), alt: held(KeyModifiers::ALT), shift, key: code })
}

/// Whether terminals deliver a chord, so that it runs the command: not all letters with Ctrl are keys of their own, and
/// some are this form's.
fn is_delivered(chord: &Chord, command: &Command) -> bool {
    let code = match chord.key {
        Key::Char(c) => KeyCode::Char(c.to_ascii_lowercase()),
        Key::F(number) => KeyCode::F(number),
        Key::PageUp => KeyCode::PageUp,
        Key::PageDown => KeyCode::PageDown,
        Key::Right => KeyCode::Right,
        Key::Down => KeyCode::Down,
        _ => return false,
    };
    let is_key = match chord.key {
        // Backspace, Tab, Enter.
        Key::Char(c) if chord.ctrl => c.is_ascii_alphabetic() && !chord.shift && !"HIJM".contains(c),
        Key::F(_) => true,
        _ => chord.ctrl || chord.alt,
    };
    let modifiers =
        [(chord.ctrl, KeyModifiers::CONTROL), (chord.alt, KeyModifiers::ALT), (chord.shift, KeyModifiers::SHIFT)];
    let held = modifiers.into_iter().filter(|(held, _)| *held).fold(KeyModifiers::NONE, |all, (_, one)| all | one);
    is_key && action(KeyEvent::new(code, held)) == Some(Action::Do(command.clone()))
}

/// How the terminal runs a command: its letter, the first key that terminals deliver, its name.
pub fn text(row: &Row) -> String {
    let letter = row.letter.map(String::from);
    let key = row.keys.iter().find(|chord| is_delivered(chord, &row.command)).map(ToString::to_string);
    let name = format!(":{}", row.name);
    letter.into_iter().chain(key).chain([name]).collect::<Vec<_>>().join("  ")
}

#[cfg(test)]
mod tests {
    use lanescope_inspector::stepping::StepCommand;

    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<Action> {
        action(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn keys_of_the_window_work_where_the_terminal_has_them() {
        let done = |command| Some(Action::Do(command));
        assert_eq!(press(KeyCode::F(7), KeyModifiers::NONE), done(Command::Compile));
        assert_eq!(press(KeyCode::F(6), KeyModifiers::CONTROL), done(Command::Step(StepCommand::StepBack)));
        assert_eq!(press(KeyCode::Char('o'), KeyModifiers::CONTROL), done(Command::Open));
        assert_eq!(press(KeyCode::Char('x'), KeyModifiers::NONE), done(Command::Compile));
        assert_eq!(press(KeyCode::BackTab, KeyModifiers::SHIFT), done(Command::PreviousTab));
    }

    #[test]
    fn f10_steps_the_debugger_in_its_tab() {
        use lanescope_inspector::debugging::DebugCommand;
        let in_tab = |tab, modifiers| of_tab(KeyEvent::new(KeyCode::F(10), modifiers), Some(tab));
        assert_eq!(in_tab(ViewId::Debug, KeyModifiers::NONE), Some(Command::Debug(DebugCommand::StepOver)));
        assert_eq!(in_tab(ViewId::Graph, KeyModifiers::NONE), None);
    }

    #[test]
    fn the_terminals_own_keys_come_first() {
        assert_eq!(press(KeyCode::Char('z'), KeyModifiers::CONTROL), Some(Action::Suspend));
        assert_eq!(press(KeyCode::Char('u'), KeyModifiers::NONE), Some(Action::Do(Command::Undo)));
        assert_eq!(press(KeyCode::Char('&'), KeyModifiers::NONE), None);
    }

    #[test]
    fn keys_that_do_something_else_here_are_not_listed() {
        let of = |command: Command| text(lanescope_workbench::commands::row_of(&command).expect("a row"));
        assert_eq!(of(Command::SideBySide), "D  :side-by-side", "Ctrl+D moves");
        assert_eq!(of(Command::Inspect), "i  :details", "Ctrl+I is Tab");
        assert_eq!(of(Command::Undo), "u  :undo", "Ctrl+Z suspends");
        assert_eq!(of(Command::Open), "o  Ctrl+O  :open");
        assert_eq!(of(Command::Step(StepCommand::StepBack)), "S  Ctrl+F6  :step-back");
    }

    #[test]
    fn every_letter_of_the_table_works() {
        for row in TABLE.iter().filter(|row| row.letter.is_some()) {
            let key = KeyCode::Char(row.letter.unwrap_or_default());
            assert_eq!(press(key, KeyModifiers::NONE), Some(Action::Do(row.command.clone())));
        }
    }
}
