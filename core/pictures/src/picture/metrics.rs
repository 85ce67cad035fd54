//! Widths of text without a font engine, so that a picture is the same with and without a window.

use super::Font;

/// Advance widths of U+0020 to U+007E in Ubuntu Light, in thousandths of the em.
const WORDS: [u16; 95] = [
    228, 274, 392, 653, 564, 831, 648, 240, 310, 310, 472, 564, 246, 282, 246, 359, 564, 564, 564, 564, 564, 564, 564,
    564, 564, 564, 246, 246, 564, 564, 564, 380, 940, 641, 630, 609, 702, 555, 520, 658, 692, 248, 487, 599, 502, 865,
    709, 774, 592, 774, 618, 517, 548, 680, 624, 921, 608, 569, 560, 310, 359, 310, 564, 490, 376, 509, 583, 460, 583,
    548, 376, 573, 569, 237, 237, 495, 255, 863, 569, 582, 583, 583, 374, 428, 387, 569, 480, 775, 499, 474, 455, 319,
    262, 319, 564,
];
/// Every glyph of Hack, in thousandths of the em.
const CODE: u16 = 602;
/// A glyph of another script: wide enough for any.
const OTHER: u16 = 1000;

/// The width of one line of text in points.
pub fn text_width(text: &str, font: Font, size: f32) -> f32 {
    text.chars().map(|c| f32::from(advance(c, font))).sum::<f32>() * size / 1000.0
}

/// The text, with its end replaced by `…` where it is wider than `width` points. Empty if not even that fits.
pub fn elide(text: &str, font: Font, size: f32, width: f32) -> String {
    if text_width(text, font, size) <= width {
        return text.to_owned();
    }
    let mut left = width * 1000.0 / size - f32::from(advance('…', font));
    if left < 0.0 {
        return String::new();
    }
    let mut out = String::new();
    for c in text.chars() {
        left -= f32::from(advance(c, font));
        if left < 0.0 {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

fn advance(c: char, font: Font) -> u16 {
    match font {
        Font::Code if (c as u32) < 0x2E80 => CODE,
        Font::Words if (' '..='~').contains(&c) => WORDS[c as usize - 0x20],
        Font::Words if c == '·' => 246,
        Font::Words if c == '–' => 496,
        Font::Words if c == '×' || c == '−' => 564,
        Font::Words if c == '…' => 996,
        _ => OTHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_end_in_an_ellipsis_and_fit() {
        for width in [0.0, 4.0, 12.0, 40.0, 400.0] {
            let text = elide("lights[1].positionInViewSpace", Font::Words, 11.0, width);
            assert!(text_width(&text, Font::Words, 11.0) <= width, "{text}");
        }
        assert_eq!(elide("uv", Font::Code, 10.0, 20.0), "uv");
        assert_eq!(elide("normal", Font::Code, 10.0, 20.0), "no…");
    }
}
