//! What the terminal answers, apart from what is typed meanwhile.

use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The longest answer, in bytes.
const LONGEST: usize = 4096;
/// Keys that a late part of it has at most.
const LATE: usize = 80;

/// What the terminal says that it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Kitty's graphics.
    pub kitty: bool,
    pub sixel: bool,
    /// Its name and version.
    pub name: String,
    /// Width and height of a cell in pixels.
    pub cell: Option<[u16; 2]>,
    pub background: Option<[u8; 3]>,
}

impl Answer {
    /// Whether the background is light, where it is known.
    pub fn is_light(&self) -> Option<bool> {
        self.background.map(|[r, g, b]| 2 * u32::from(r) + 5 * u32::from(g) + u32::from(b) > 8 * 128)
    }
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// A part of the answer.
    Part,
    /// The last part.
    End,
    Key(KeyCode, KeyModifiers),
}

/// A sequence that is being read.
#[derive(Debug, Default)]
struct Parser {
    bytes: Vec<u8>,
    answer: Answer,
}

impl Parser {
    /// Takes a byte. Returns what it completes.
    fn push(&mut self, byte: u8) -> Option<Piece> {
        self.bytes.push(byte);
        let piece = self.complete()?;
        self.bytes.clear();
        Some(piece)
    }

    fn complete(&mut self) -> Option<Piece> {
        let (last, is_long) = (*self.bytes.last()?, self.bytes.len() > LONGEST);
        match self.bytes.as_slice() {
            [0x1b] | [0x1b, b'O'] => None,
            [0x1b, b'[', rest @ ..] => match rest.last() {
                Some(0x40..=0x7e) => Some(self.control(last)),
                _ => is_long.then_some(Piece::Part),
            },
            [0x1b, b'_' | b'P' | b']', rest @ ..] => {
                let ends = rest.ends_with(b"\x1b\\") || rest.ends_with(b"\x07");
                if ends {
                    self.string();
                }
                (ends || is_long).then_some(Piece::Part)
            }
            // `ESC O A` is an arrow too.
            [0x1b, b'O', _] => Some(arrow(last)),
            [0x1b, _] => Some(Piece::Key(KeyCode::Char(char::from(last)), KeyModifiers::ALT)),
            bytes => match std::str::from_utf8(bytes) {
                Ok(text) => text.chars().next().map(|c| typed(c, bytes)),
                Err(error) if error.error_len().is_none() => None,
                Err(_) => Some(Piece::Part),
            },
        }
    }

    /// A control sequence: `ESC [ ? 62 ; 4 c` and the like.
    fn control(&mut self, last: u8) -> Piece {
        let inner = self.bytes.get(2..self.bytes.len() - 1).unwrap_or_default();
        let text = String::from_utf8_lossy(inner).into_owned();
        let numbers = |text: &str| text.split(';').map(|n| n.parse::<u16>().ok()).collect::<Vec<_>>();
        match (last, text.strip_prefix('?')) {
            (b'c', Some(attributes)) => self.answer.sixel = numbers(attributes).contains(&Some(4)),
            (b't', None) => {
                if let [Some(6), Some(height), Some(width)] = numbers(&text).as_slice() {
                    self.answer.cell = Some([*width, *height]);
                }
            }
            (b'n', None) => return Piece::End,
            (_, None) if text.is_empty() => return arrow(last),
            _ => {}
        }
        Piece::Part
    }

    /// A string: `ESC _ G i=31 ; OK ESC \` and the like.
    fn string(&mut self) {
        let text = String::from_utf8_lossy(&self.bytes);
        let inner = text.get(2..).unwrap_or_default().trim_end_matches(['\u{1b}', '\\', '\u{7}']);
        if inner.starts_with("Gi=31") {
            self.answer.kitty = inner.ends_with(";OK");
        } else if let Some(name) = inner.strip_prefix(">|") {
            self.answer.name = name.chars().filter(|c| !c.is_control()).take(100).collect();
        } else if let Some(color) = inner.strip_prefix("11;rgb:") {
            self.answer.background = color_of(color);
        }
    }
}

/// `ffff/8080/00`: three numbers of one to four digits each.
fn color_of(text: &str) -> Option<[u8; 3]> {
    let channel = |text: &str| {
        let most = 16u32.checked_pow(u32::try_from(text.len()).ok()?).filter(|_| (1..=4).contains(&text.len()))? - 1;
        u8::try_from(u32::from_str_radix(text, 16).ok()? * 255 / most).ok()
    };
    let channels: Vec<u8> = text.split('/').map(channel).collect::<Option<_>>()?;
    channels.try_into().ok()
}

fn arrow(last: u8) -> Piece {
    let code = match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        _ => return Piece::Part,
    };
    Piece::Key(code, KeyModifiers::NONE)
}

fn typed(c: char, bytes: &[u8]) -> Piece {
    match (c, bytes) {
        ('\r' | '\n', _) => Piece::Key(KeyCode::Enter, KeyModifiers::NONE),
        ('\t', _) => Piece::Key(KeyCode::Tab, KeyModifiers::NONE),
        ('\u{7f}' | '\u{8}', _) => Piece::Key(KeyCode::Backspace, KeyModifiers::NONE),
        (_, [control @ 1..=26]) => Piece::Key(KeyCode::Char(char::from(control - 1 + b'a')), KeyModifiers::CONTROL),
        (c, _) if c.is_control() => Piece::Part,
        (c, _) if c.is_uppercase() => Piece::Key(KeyCode::Char(c), KeyModifiers::SHIFT),
        (c, _) => Piece::Key(KeyCode::Char(c), KeyModifiers::NONE),
    }
}

/// Reads what the terminal answers, at most so long; keys that are typed meanwhile are passed on. None where the answer
/// did not come.
pub fn answers(patience: Duration, mut key: impl FnMut(Event)) -> Option<Answer> {
    let end = Instant::now() + patience;
    let (stdin, mut parser) = (std::io::stdin(), Parser::default());
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        let wait = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        let mut polled = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut polled, Some(&wait)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(_) => return None,
        }
        // One byte at a time: what comes after the answer is left to others.
        let mut byte = [0];
        match rustix::io::read(stdin.as_fd(), &mut byte) {
            Ok(1) => {}
            Err(rustix::io::Errno::INTR) => continue,
            _ => return None,
        }
        match parser.push(byte[0]) {
            Some(Piece::End) => return Some(parser.answer),
            Some(Piece::Key(code, modifiers)) => key(Event::Key(KeyEvent::new(code, modifiers))),
            Some(Piece::Part) | None => {}
        }
    }
}

/// Parts of an answer that come late, as a reader of keys sees them.
#[derive(Debug, Default)]
pub struct Late {
    /// Keys that are taken for the part that has begun.
    left: usize,
}

impl Late {
    /// Whether a key belongs to an answer.
    pub fn takes(&mut self, key: &KeyEvent) -> bool {
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let was_within = self.left > 0;
        self.left = match key.code {
            KeyCode::Char('_' | 'P' | ']') if alt => LATE,
            KeyCode::Char('\\') if alt => 0,
            KeyCode::Char('g') if ctrl && was_within => 0,
            _ => self.left.saturating_sub(1),
        };
        was_within || self.left > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> (Answer, Vec<Piece>) {
        let mut parser = Parser::default();
        let pieces = bytes.iter().filter_map(|byte| parser.push(*byte)).filter(|piece| *piece != Piece::Part).collect();
        (parser.answer, pieces)
    }

    #[test]
    fn answers_are_apart_from_keys() {
        let kitty = b"j\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.40.1)\x1b\\k\x1b[?62;52c\x1b[6;20;10t\x1b[A\x1b[0n";
        let (answer, pieces) = read(kitty);
        let name = "kitty(0.40.1)".to_owned();
        assert_eq!(answer, Answer { kitty: true, sixel: false, name, cell: Some([10, 20]), background: None });
        let key = |code| Piece::Key(code, KeyModifiers::NONE);
        assert_eq!(pieces, [key(KeyCode::Char('j')), key(KeyCode::Char('k')), key(KeyCode::Up), Piece::End]);
        let (xterm, _) = read(b"\x1bP>|XTerm(390)\x1b\\\x1b[?64;1;2;4;6;9c\x1b[6;13;6t\x1b[0n");
        assert!(xterm.sixel && !xterm.kitty && xterm.cell == Some([6, 13]));
        let (refused, _) = read(b"\x1b_Gi=31;ENOTSUP:no\x1b\\\x1b[?6c\x1b[0n");
        assert_eq!(refused, Answer::default());
    }

    #[test]
    fn the_background_is_light_or_dark() {
        let of = |text: &str| read(format!("\u{1b}]11;rgb:{text}\u{7}\u{1b}[0n").as_bytes()).0.is_light();
        assert_eq!(
            [of("ffff/ffff/ffff"), of("f/f/e"), of("1818/1919/1e1e"), of("00/00/ff")].map(|is| is == Some(true)),
            [true, true, false, false]
        );
        assert_eq!([of(""), of("ff/ff"), of("fffff/0/0"), of("x/y/z")], [None; 4]);
    }

    #[test]
    fn late_answers_are_not_typed() {
        let mut late = Late::default();
        let mut takes = |code, modifiers| late.takes(&KeyEvent::new(KeyCode::Char(code), modifiers));
        assert!(!takes('j', KeyModifiers::NONE) && !takes('g', KeyModifiers::CONTROL));
        assert!(takes('_', KeyModifiers::ALT) && takes('G', KeyModifiers::SHIFT) && takes('\\', KeyModifiers::ALT));
        assert!(!takes('G', KeyModifiers::SHIFT));
        assert!(takes(']', KeyModifiers::ALT) && takes('1', KeyModifiers::NONE) && takes('g', KeyModifiers::CONTROL));
        assert!(!takes('1', KeyModifiers::NONE));
        takes('P', KeyModifiers::ALT);
        assert!((0..200).any(|_| !takes('q', KeyModifiers::NONE)), "it ends by itself");
    }

    #[test]
    fn any_bytes_are_read() {
        assert_eq!(read("é漢".as_bytes()).1.len(), 2);
        assert!(read(b"\xff\xfe").1.is_empty());
        let control = |c| Piece::Key(KeyCode::Char(c), KeyModifiers::CONTROL);
        assert_eq!(read(b"\x1a\x03").1, [control('z'), control('c')]);
        let long = [b"\x1b_".as_slice(), &[b'x'; 3 * LONGEST]].concat();
        assert!(read(&long).1.len() <= 3 * LONGEST);
        assert_eq!(read(b"\x1b[99999999999;t\x1b[6;0;0t\x1b[;c").0.cell, Some([0, 0]));
    }
}
