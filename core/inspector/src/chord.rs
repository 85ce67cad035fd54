//! Keys of commands, without a toolkit: the window and the terminal form translate them.

use std::fmt;

/// A key, with the modifiers that are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chord {
    /// Ctrl is held; Cmd where the system uses that.
    pub ctrl: bool,
    /// Alt is held.
    pub alt: bool,
    /// Shift is held.
    pub shift: bool,
    /// The key.
    pub key: Key,
}

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A letter in upper case, a digit or a punctuation mark.
    Char(char),
    /// A function key, from 1.
    F(u8),
    /// Tab.
    Tab,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Arrow to the right.
    Right,
    /// Arrow down.
    Down,
}

impl Chord {
    /// A key without modifiers.
    pub const fn plain(key: Key) -> Chord {
        Chord { ctrl: false, alt: false, shift: false, key }
    }

    /// The same, with Ctrl held.
    pub const fn ctrl(self) -> Chord {
        Chord { ctrl: true, ..self }
    }

    /// The same, with Alt held.
    pub const fn alt(self) -> Chord {
        Chord { alt: true, ..self }
    }

    /// The same, with Shift held.
    pub const fn shift(self) -> Chord {
        Chord { shift: true, ..self }
    }
}

impl fmt::Display for Chord {
    /// As manuals write it: `Ctrl+Shift+P`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, name) in [(self.ctrl, "Ctrl+"), (self.alt, "Alt+"), (self.shift, "Shift+")] {
            if held {
                f.write_str(name)?;
            }
        }
        match self.key {
            Key::Char(c) => f.write_str(named(c).unwrap_or(c.encode_utf8(&mut [0; 4]))),
            Key::F(number) => write!(f, "F{number}"),
            Key::Tab => f.write_str("Tab"),
            Key::PageUp => f.write_str("PageUp"),
            Key::PageDown => f.write_str("PageDown"),
            Key::Right => f.write_str("Right"),
            Key::Down => f.write_str("Down"),
        }
    }
}

/// Names of marks that are hard to read in a list of keys.
fn named(c: char) -> Option<&'static str> {
    Some(match c {
        ',' => "Comma",
        '.' => "Period",
        '-' => "Minus",
        '+' => "Plus",
        '=' => "Equals",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_modifiers_before_the_key() {
        let p = Chord::plain(Key::Char('P')).ctrl().shift();
        assert_eq!(p.to_string(), "Ctrl+Shift+P");
        assert_eq!(Chord::plain(Key::Char(',')).ctrl().to_string(), "Ctrl+Comma");
        assert_eq!(Chord::plain(Key::F(10)).shift().to_string(), "Shift+F10");
    }
}
