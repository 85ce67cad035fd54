//! Images as sixel or kitty graphics, where the terminal says that it has them.
//!
//! [`ask`] writes the questions, [`mod@answers`] reads what the terminal says. Without an answer images are half blocks.

mod answers;
mod encoded;

use std::io::{self, Write as _, stdout};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::terminal::window_size;

pub use answers::{Answer, Late, answers};
use encoded::Encoded;

use super::look::{Colors, Look};
use super::pane::{Image, Visible};

/// Terminals that answer to have kitty graphics, and do not place images by characters, as they are placed here.
const NO_PLACEHOLDERS: [&str; 2] = ["WezTerm", "Konsole"];
/// How the terminal draws images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Sixel,
    /// Kitty's graphics.
    Kitty,
}

/// What the terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Graphics {
    /// How it draws images.
    pub protocol: Protocol,
    /// Width and height of a cell in pixels.
    pub cell: [u16; 2],
}

impl Graphics {
    /// What an answer says; `window` is the size of a cell by the size of the terminal. None where that is unknown: an
    /// image would be drawn over what is beside it.
    pub fn of(answer: &Answer, window: Option<[u16; 2]>) -> Option<Graphics> {
        let protocol = match (answer.kitty && has_placeholders(&answer.name), answer.sixel) {
            (true, _) => Protocol::Kitty,
            (false, true) => Protocol::Sixel,
            (false, false) => return None,
        };
        let sizes = [answer.cell, window].into_iter().flatten();
        let cell = sizes.into_iter().find(|cell| cell.iter().all(|side| (2..=256).contains(side)))?;
        Some(Graphics { protocol, cell })
    }
}

/// Whether a terminal with kitty graphics places images by characters. Kitty itself does from 0.28 on.
fn has_placeholders(name: &str) -> bool {
    let kitty = name.strip_prefix("kitty(").and_then(|rest| {
        let mut numbers = rest.trim_end_matches(')').split('.').map(str::parse::<u32>);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    kitty.is_none_or(|version| version >= (0, 28)) && !NO_PLACEHOLDERS.iter().any(|other| name.starts_with(other))
}

/// Width and height of a cell by the size of the terminal, which not all say in pixels.
pub fn cell_of_window() -> Option<[u16; 2]> {
    let size = window_size().ok()?;
    Some([size.width.checked_div(size.columns)?, size.height.checked_div(size.rows)?])
}

/// Asks the terminal for its graphics and its background. Whether it was asked: one without colours is not.
///
/// # Errors
/// Those of the terminal.
pub fn ask(look: Look) -> io::Result<bool> {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let term = variable("TERM");
    if look.colors == Colors::None || ["", "dumb", "linux"].contains(&term.as_str()) {
        return Ok(false);
    }
    let mut out = stdout();
    // Screen and tmux take kitty's question for a title; they may have sixels themselves.
    if !term.starts_with("screen") && !term.starts_with("tmux") && variable("TMUX").is_empty() {
        out.write_all(b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\")?;
    }
    // Its name, its background, its attributes, the size of a cell, and last what every terminal answers.
    out.write_all(b"\x1b[>q\x1b]11;?\x1b\\\x1b[c\x1b[16t\x1b[5n")?;
    out.flush()?;
    Ok(true)
}

/// How long the terminal has to answer.
pub const PATIENCE: Duration = Duration::from_millis(1500);

/// Images that were encoded for the terminal.
#[derive(Default)]
pub struct Images {
    encoded: Vec<Encoded>,
}

impl Images {
    /// Draws images over their text. What is no longer shown is forgotten.
    pub fn draw(&mut self, graphics: Graphics, images: &[Visible], buffer: &mut Buffer) {
        for encoded in &mut self.encoded {
            encoded.used = false;
        }
        for visible in images {
            let known = self.encoded.iter().position(|encoded| encoded.is(visible));
            let at = known.or_else(|| {
                self.encoded.push(Encoded::new(graphics, visible)?);
                self.encoded.len().checked_sub(1)
            });
            if let Some(encoded) = at.and_then(|at| self.encoded.get_mut(at)) {
                encoded.draw(visible, buffer);
            }
        }
        self.encoded.retain(Encoded::is_kept);
    }

    /// Forgets all: the terminal was cleared.
    pub fn clear(&mut self) {
        self.encoded.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lanescope_core::run::Pixels;
    use ratatui::layout::Rect;

    use super::*;

    const CELL: [u16; 2] = [10, 20];

    fn image() -> Image {
        let pixels = Arc::new(Pixels { size: [4, 4], rgba: [255, 0, 0, 255].repeat(16) });
        Image { row: 0, column: 0, size: [4, 2], pixels }
    }

    fn drawn(images: &mut Images, protocol: Protocol, image: &Image, place: Rect, above: usize) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 5));
        images.draw(Graphics { protocol, cell: CELL }, &[Visible { image: image.clone(), place, above }], &mut buffer);
        buffer
    }

    #[test]
    fn what_a_terminal_says_decides() {
        let answer = |kitty, sixel, name: &str| Answer {
            kitty,
            sixel,
            name: name.to_owned(),
            cell: Some([8, 17]),
            background: None,
        };
        let of = |answer: Answer| Graphics::of(&answer, None).map(|graphics| graphics.protocol);
        assert_eq!(of(answer(true, true, "kitty(0.40)")), Some(Protocol::Kitty));
        assert_eq!(of(answer(true, false, "kitty(0.26.5)")), None, "it has no placeholders");
        assert_eq!(of(answer(true, false, "ghostty 1.2")), Some(Protocol::Kitty));
        assert_eq!(of(answer(true, true, "WezTerm 2024")), Some(Protocol::Sixel));
        assert_eq!(of(answer(true, false, "Konsole 24")), None);
        assert_eq!(of(answer(false, false, "xterm")), None);
        let cell = |cell, window| {
            Graphics::of(&Answer { cell, ..answer(true, false, "") }, window).map(|graphics| graphics.cell)
        };
        assert_eq!(cell(Some([8, 17]), Some(CELL)), Some([8, 17]));
        assert_eq!([cell(Some([0, 17]), Some(CELL)), cell(None, Some(CELL))], [Some(CELL); 2]);
        assert_eq!([cell(None, None), cell(None, Some([0, 0]))], [None; 2]);
    }

    #[test]
    fn sixels_are_written_once_for_each_visible_part() {
        let (mut images, image) = (Images::default(), image());
        let whole = drawn(&mut images, Protocol::Sixel, &image, Rect::new(2, 1, 4, 2), 0);
        assert!(whole[(2, 1)].symbol().contains("\u{1b}P"), "{:?}", whole[(2, 1)].symbol());
        let again = drawn(&mut images, Protocol::Sixel, &image, Rect::new(2, 1, 4, 2), 0);
        assert_eq!(whole, again);
        let part = drawn(&mut images, Protocol::Sixel, &image, Rect::new(2, 0, 4, 1), 1);
        assert_ne!(whole[(2, 1)].symbol(), part[(2, 0)].symbol());
        assert_eq!(images.encoded.len(), 1, "the other part is forgotten");
    }

    #[test]
    fn any_size_is_drawn() {
        for [width, height] in [[1, 1], [1, 300], [300, 1], [0, 4], [7, 0], [37, 61], [3000, 2000]] {
            let pixels = Arc::new(Pixels { size: [width, height], rgba: vec![127; (width * height * 4) as usize] });
            let image = Image { row: 0, column: 0, size: [9, 4], pixels };
            for protocol in [Protocol::Sixel, Protocol::Kitty] {
                for (rows, above) in [(4, 0), (1, 3), (2, 1)] {
                    drawn(&mut Images::default(), protocol, &image, Rect::new(0, 0, 9, rows), above);
                }
            }
        }
        let short = Image { pixels: Arc::new(Pixels { size: [9, 9], rgba: vec![0; 3] }), ..image() };
        let none = drawn(&mut Images::default(), Protocol::Sixel, &short, Rect::new(0, 0, 4, 2), 0);
        assert_eq!(none, Buffer::empty(none.area), "pixels are missing");
    }

    #[test]
    fn kitty_has_the_pixels_once() {
        let (mut images, image) = (Images::default(), image());
        let first = drawn(&mut images, Protocol::Kitty, &image, Rect::new(2, 1, 4, 2), 0);
        assert!(first[(2, 1)].symbol().starts_with("\u{1b}_G"));
        let second = drawn(&mut images, Protocol::Kitty, &image, Rect::new(2, 0, 4, 1), 1);
        assert!(second[(2, 0)].symbol().starts_with('\u{10eeee}'), "{:?}", second[(2, 0)].symbol());
        images.clear();
        let cleared = drawn(&mut images, Protocol::Kitty, &image, Rect::new(2, 1, 4, 2), 0);
        assert!(cleared[(2, 1)].symbol().starts_with("\u{1b}_G"));
        let none = Images::draw;
        none(&mut images, Graphics { protocol: Protocol::Kitty, cell: CELL }, &[], &mut Buffer::empty(Rect::ZERO));
        assert_eq!(images.encoded.len(), 1, "it is kept as long as the image");
        drop(image);
        images.draw(Graphics { protocol: Protocol::Kitty, cell: CELL }, &[], &mut Buffer::empty(Rect::ZERO));
        assert!(images.encoded.is_empty());
    }
}
