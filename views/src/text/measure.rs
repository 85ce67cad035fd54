//! The measures of text of one width.

use egui::{FontId, TextStyle, Ui};

/// The font of texts and its measures, in points.
#[derive(Debug, Clone)]
pub(crate) struct Measure {
    pub font: FontId,
    /// Height of a row.
    pub height: f32,
    /// Width of a character.
    pub glyph: f32,
}

impl Measure {
    /// The measures of the current style.
    pub fn of(ui: &Ui) -> Measure {
        let font = TextStyle::Monospace.resolve(ui.style());
        let (height, glyph) = ui.fonts_mut(|fonts| (fonts.row_height(&font), fonts.glyph_width(&font, '0')));
        Measure { font, height, glyph }
    }

    /// The width of a gutter: digits of line numbers, and so many characters more.
    pub fn gutter(&self, lines: usize, more: f32) -> f32 {
        (digits(lines) as f32 + more) * self.glyph
    }
}

/// Digits of the numbers of so many lines: at least three, so that short texts look alike.
pub(crate) fn digits(lines: usize) -> usize {
    lines.to_string().len().max(3)
}
