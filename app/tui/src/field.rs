//! A line that is typed: at the bottom of the screen, in the palette, in lists, for a path.

use lanescope_core::foreign::is_obeyed;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use tui_input::backend::crossterm::to_input_request;
use tui_input::{Input, InputRequest};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::printable::line;

/// What a key did to a typed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// It is still being typed.
    Going,
    /// It is complete.
    Entered,
    /// It is not wanted.
    Cancelled,
}

/// A text with a caret.
#[derive(Debug, Default)]
pub struct Field {
    input: Input,
    /// Where its text was drawn, and the first column of it that was.
    area: Rect,
    first: usize,
}

impl Field {
    /// A text with the caret at its end.
    pub fn new(text: &str) -> Field {
        Field { input: Input::new(text.to_owned()), ..Field::default() }
    }

    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// Another text.
    pub fn set(&mut self, text: &str) {
        self.input = Input::new(text.to_owned());
    }

    /// Takes a key: letters, the keys of readline, arrows.
    pub fn key(&mut self, key: KeyEvent) -> Edited {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => return Edited::Entered,
            KeyCode::Esc => return Edited::Cancelled,
            KeyCode::Char('c') if ctrl => return Edited::Cancelled,
            _ => {
                if let Some(request) = to_input_request(&Event::Key(key)) {
                    self.input.handle(request);
                }
            }
        }
        Edited::Going
    }

    /// Takes pasted text; what a terminal would obey is left out.
    pub fn paste(&mut self, text: &str) {
        for c in text.chars().filter(|c| !is_obeyed(*c)) {
            self.input.handle(InputRequest::InsertChar(c));
        }
    }

    /// Puts the caret where the mouse was pressed. False where that is beside the text.
    pub fn press(&mut self, at: Position) -> bool {
        if !self.area.contains(at) {
            return false;
        }
        let column = self.first + usize::from(at.x - self.area.x);
        let mut end = 0;
        let before = self.text().chars().take_while(|c| {
            end += c.width().unwrap_or(0);
            end <= column
        });
        let before = before.count();
        self.input.handle(InputRequest::SetCursor(before));
        true
    }

    /// Draws the text after what is before it, on one line; the caret stays in view. Returns the caret.
    pub fn draw(&mut self, before: &str, area: Rect, buffer: &mut Buffer, style: Style) -> Position {
        let width = usize::from(area.width);
        let x = buffer.set_stringn(area.x, area.y, before, width, style).0;
        self.area = Rect { x, width: area.right().saturating_sub(x), height: 1, ..area };
        let room = usize::from(self.area.width).max(1);
        self.first = self.input.visual_scroll(room.saturating_sub(1));
        let mut at = 0;
        let from = self.text().char_indices().find(|(_, c)| {
            let start = at;
            at += c.width().unwrap_or(0);
            start >= self.first
        });
        let shown = from.map_or("", |(from, _)| self.text().get(from..).unwrap_or_default());
        // Widths differ by one where a wide character is cut.
        let cut = self.text().width().saturating_sub(shown.width() + self.first);
        // A completed name may have what a terminal would obey.
        buffer.set_stringn(x, area.y, line(shown), room, style);
        let caret = self.input.visual_cursor().saturating_sub(self.first + cut);
        let caret = u16::try_from(caret).unwrap_or(u16::MAX).saturating_add(x);
        Position::new(caret.min(area.right().saturating_sub(1)), area.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(field: &mut Field, code: KeyCode, modifiers: KeyModifiers) -> Edited {
        field.key(KeyEvent::new(code, modifiers))
    }

    fn shown(field: &mut Field, width: u16) -> (String, u16) {
        let area = Rect::new(0, 0, width, 1);
        let mut buffer = Buffer::empty(area);
        let caret = field.draw("> ", area, &mut buffer, Style::new());
        let text: String = (0..width).map(|x| buffer[(x, 0)].symbol().to_owned()).collect();
        (text.trim_end().to_owned(), caret.x)
    }

    #[test]
    fn keys_of_readline_edit_it() {
        let mut field = Field::default();
        for c in "one two".chars() {
            assert_eq!(press(&mut field, KeyCode::Char(c), KeyModifiers::NONE), Edited::Going);
        }
        press(&mut field, KeyCode::Char('w'), KeyModifiers::CONTROL);
        press(&mut field, KeyCode::Backspace, KeyModifiers::NONE);
        press(&mut field, KeyCode::Home, KeyModifiers::NONE);
        press(&mut field, KeyCode::Char('X'), KeyModifiers::SHIFT);
        assert_eq!(field.text(), "Xone");
        press(&mut field, KeyCode::Char('k'), KeyModifiers::CONTROL);
        assert_eq!(field.text(), "X");
        press(&mut field, KeyCode::Char('u'), KeyModifiers::CONTROL);
        assert_eq!(field.text(), "");
        assert_eq!(press(&mut field, KeyCode::Enter, KeyModifiers::NONE), Edited::Entered);
        assert_eq!(press(&mut field, KeyCode::Esc, KeyModifiers::NONE), Edited::Cancelled);
        assert_eq!(press(&mut field, KeyCode::Char('c'), KeyModifiers::CONTROL), Edited::Cancelled);
    }

    #[test]
    fn the_caret_stays_in_view_and_follows_the_mouse() {
        let mut field = Field::new("abcdefgh");
        assert_eq!(shown(&mut field, 12), ("> abcdefgh".to_owned(), 10));
        assert_eq!(shown(&mut field, 7), ("> efgh".to_owned(), 6));
        assert!(field.press(Position::new(3, 0)) && !field.press(Position::new(1, 0)));
        field.paste("X\u{1b}\n");
        assert_eq!(field.text(), "abcdeXfgh");
        press(&mut field, KeyCode::Home, KeyModifiers::NONE);
        assert_eq!(shown(&mut field, 7), ("> abcde".to_owned(), 2));
    }

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(shown(&mut Field::new("a\u{1b}b"), 12).0, "> a\u{fffd}b");
    }

    #[test]
    fn wide_characters_are_not_split() {
        let mut field = Field::new("漢字漢字");
        assert_eq!(shown(&mut field, 20).1, 10);
        for width in 2..12 {
            let (_, caret) = shown(&mut field, width);
            assert!(caret < width, "{width}");
        }
        shown(&mut field, 20);
        field.press(Position::new(4, 0));
        field.paste("x");
        assert_eq!(field.text(), "漢x字漢字");
    }
}
