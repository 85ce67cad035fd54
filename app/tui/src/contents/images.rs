//! Images as half blocks: two pixels in each cell.

use anstyle::{Color, RgbColor, Style};
use lanescope_core::run::Pixels;

use super::super::look::{Colors, Look};
use super::super::pane::Row;

/// Cells that a small image is enlarged to at most, and its largest enlargement.
const ENLARGED: [u32; 2] = [48, 32];
const LARGEST: u32 = 8;
/// From dark to light, where there are no colours.
const SHADES: &[u8] = b" .:-=+*#%@";

/// Pixels of an image of at most so many columns and rows, two in each cell.
fn fitted(pixels: &Pixels, columns: usize, rows: usize) -> [u32; 2] {
    let [width, height] = pixels.size.map(|side| side.max(1));
    let (columns, rows) = (to_u32(columns).max(1), to_u32(rows).max(1));
    // Cells are twice as high as wide: a pixel is a square.
    let (wide, high) = (columns, rows.saturating_mul(2));
    if width <= wide && height <= high {
        let most = (ENLARGED[0].min(wide) / width).min(ENLARGED[1].min(high) / height).clamp(1, LARGEST);
        [width * most, height * most]
    } else {
        let scale = (f64::from(wide) / f64::from(width)).min(f64::from(high) / f64::from(height));
        [width, height].map(|side| ((f64::from(side) * scale) as u32).max(1))
    }
}

/// Columns and rows of an image of at most so many.
pub fn cells(pixels: &Pixels, columns: usize, rows: usize) -> [usize; 2] {
    let [width, height] = fitted(pixels, columns, rows);
    [width, height.div_ceil(2)].map(|side| usize::try_from(side).unwrap_or(0))
}

/// An image of at most so many columns and rows, after an empty column.
pub fn image(pixels: &Pixels, look: Look, columns: usize, rows: usize) -> Vec<Row> {
    let [out_width, out_height] = fitted(pixels, columns, rows);
    let color = |x: u32, y: u32| average(pixels, [x, y], [out_width, out_height]);
    let mut out = Vec::new();
    for y in (0..out_height).step_by(2) {
        let mut row = Row::default();
        let (mut run, mut style) = (String::from(" "), Style::new());
        for x in 0..out_width {
            let top = color(x, y);
            let bottom = if y + 1 < out_height { Some(color(x, y + 1)) } else { None };
            let (sign, next) = cell(top, bottom, look);
            if next != style {
                row = row.with(style, std::mem::take(&mut run), None);
                style = next;
            }
            run.push(sign);
        }
        out.push(row.with(style, run, None));
    }
    out
}

/// A cell: its character and its colours.
fn cell(top: [u8; 3], bottom: Option<[u8; 3]>, look: Look) -> (char, Style) {
    let both = || {
        let bottom = bottom.unwrap_or(top);
        [0, 1, 2].map(|at| ((u16::from(top[at]) + u16::from(bottom[at])) / 2) as u8)
    };
    let rgb = |[r, g, b]: [u8; 3]| Some(Color::Rgb(RgbColor(r, g, b)));
    match (look.colors, bottom) {
        (Colors::None, _) => {
            let [r, g, b] = both().map(usize::from);
            let light = (2 * r + 5 * g + b) / 8;
            (char::from(SHADES[light * (SHADES.len() - 1) / 255]), Style::new())
        }
        _ if look.ascii => (' ', Style::new().bg_color(rgb(both()))),
        (_, Some(bottom)) => ('▀', Style::new().fg_color(rgb(top)).bg_color(rgb(bottom))),
        (_, None) => ('▀', Style::new().fg_color(rgb(top))),
    }
}

/// The mean of the pixels that one pixel of the smaller image stands for.
fn average(pixels: &Pixels, at: [u32; 2], out: [u32; 2]) -> [u8; 3] {
    let range = |axis: usize| {
        let side = u64::from(pixels.size[axis]);
        let from = u64::from(at[axis]) * side / u64::from(out[axis]);
        let to = (u64::from(at[axis]) + 1) * side / u64::from(out[axis]);
        from..to.max(from + 1)
    };
    let (mut sum, mut count) = ([0u64; 3], 0u64);
    for y in range(1) {
        for x in range(0) {
            let pixel = usize::try_from((y * u64::from(pixels.size[0]) + x) * 4).unwrap_or(usize::MAX);
            if let Some(rgb) = pixels.rgba.get(pixel..pixel.saturating_add(3)) {
                sum.iter_mut().zip(rgb).for_each(|(sum, channel)| *sum += u64::from(*channel));
                count += 1;
            }
        }
    }
    sum.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX))
}

fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Look = Look { colors: Colors::True, light: false, ascii: false };

    fn checks(width: u32, height: u32) -> Pixels {
        let pixel =
            |at: u32| if (at % width + at / width).is_multiple_of(2) { [255, 0, 0, 255] } else { [0, 0, 0, 255] };
        Pixels { size: [width, height], rgba: (0..width * height).flat_map(pixel).collect() }
    }

    #[test]
    fn a_cell_holds_two_pixels() {
        let rows = image(&checks(2, 2), LOOK, 2, 1);
        assert_eq!((rows.len(), cells(&checks(2, 2), 2, 1)), (1, [2, 1]));
        assert_eq!(rows[0].text(), " ▀▀");
        let red = Some(Color::Rgb(RgbColor(255, 0, 0)));
        assert_eq!(rows[0].spans[1].style.get_fg_color(), red);
        assert_eq!(rows[0].spans[2].style.get_bg_color(), red);
    }

    #[test]
    fn large_images_are_averaged_and_small_ones_enlarged() {
        let rows = image(&checks(400, 400), LOOK, 40, 10);
        assert_eq!((rows.len(), rows[0].text().chars().count()), (10, 21));
        assert_eq!(rows[0].spans[1].style.get_fg_color(), Some(Color::Rgb(RgbColor(127, 0, 0))));
        assert_eq!(image(&checks(4, 4), LOOK, 80, 40)[0].text().chars().count(), 1 + 32);
        assert!(image(&Pixels { size: [3, 3], rgba: Vec::new() }, LOOK, 80, 20).len() > 1, "missing pixels are black");
    }

    #[test]
    fn without_colors_light_is_a_character() {
        let look = Look { colors: Colors::None, ..LOOK };
        let white = Pixels { size: [1, 2], rgba: vec![255; 8] };
        assert!(image(&white, look, 4, 4)[0].text().trim().starts_with('@'));
        assert!(image(&white, look, 4, 4).iter().all(|row| row.text().is_ascii()));
    }
}
