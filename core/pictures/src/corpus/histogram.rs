//! How often values occur: a bar for each range, which is before it, and the number after it.

use ecolor::Color32;
use emath::{Rect, pos2, vec2};
use lanescope_core::corpus::Histogram;
use lanescope_core::text_format::counted;

use crate::picture::{Anchor, Font, Mark, Picture, Stroke, clean, elide, text_width};
use crate::theme::Theme;

/// The most bars of a histogram.
pub const BARS: usize = 24;

/// Sizes in points.
const ROW: f32 = 16.0;
const LENGTH: f32 = 150.0;
const LEFT: f32 = 12.0;
const TOP: f32 = 44.0;
const LABEL: f32 = 11.0;
/// Between a range, its bar and its number.
const GAP: f32 = 6.0;
/// The width of the widest range and of the largest number at least.
const TEXT: f32 = 44.0;

/// Draws a histogram under its title: each range with a bar and its number. Each row has the mark [`Mark::Part`] with its
/// index.
pub fn histogram(title: &str, values: &Histogram, theme: &Theme) -> Picture {
    let bars = values.joined(BARS);
    let total: u64 = bars.iter().map(|(_, count)| count).sum();
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    let mut out = Picture::new(format!("Histogram of {title}: {}", counted(total, "shader")), theme.page);
    let next = |at: usize| bars.get(at + 1).map(|(bound, _)| *bound);
    let ranges: Vec<String> = bars.iter().enumerate().map(|(at, (from, _))| range_text(*from, next(at))).collect();
    let widest = |texts: &mut dyn Iterator<Item = String>| {
        texts.map(|text| text_width(&text, Font::Code, LABEL)).fold(TEXT, f32::max)
    };
    let (range, number) = (widest(&mut ranges.iter().cloned()), widest(&mut bars.iter().map(|(_, n)| n.to_string())));
    let bar_left = LEFT + range + GAP;
    let right = bar_left + LENGTH + GAP + number;
    out.words(pos2(LEFT, 12.0), 13.0, theme.ink, &elide(&clean(title), Font::Words, 13.0, right - LEFT));
    out.words(pos2(LEFT, 28.0), LABEL, theme.ink_soft, &counted(total, "shader"));
    let colour = theme.series(0);
    for (at, ((_, count), label)) in (0u32..).zip(bars.iter().zip(&ranges)) {
        let top = TOP + at as f32 * ROW;
        let middle = top + ROW / 2.0;
        out.text(pos2(LEFT + range, middle), Anchor::End, LABEL, Font::Code, theme.ink_soft, label);
        // Every bar can be seen.
        let length = (*count as f32 / most as f32 * LENGTH).max(1.0);
        let bar = Rect::from_min_max(pos2(bar_left, top + 1.0), pos2(bar_left + length, top + ROW - 1.0));
        out.rect(bar, colour.fill, Stroke::new(1.0, colour.line), 0).mark(Mark::Part(at));
        let place = pos2(bar_left + LENGTH + GAP + number, middle);
        out.text(place, Anchor::End, LABEL, Font::Code, theme.ink, &count.to_string());
        // All of the row is one target.
        let row = Rect::from_min_max(pos2(LEFT, top), pos2(right, top + ROW));
        out.rect(row, Color32::TRANSPARENT, Stroke::NONE, 0).mark(Mark::Part(at));
    }
    let bottom = TOP + bars.len() as f32 * ROW;
    out.line(pos2(bar_left, TOP), pos2(bar_left, bottom), Stroke::new(1.0, theme.outline));
    out.size = vec2(right + LEFT, bottom + 12.0);
    out
}

/// The values of a range of whole numbers, from the first and below the second: `7`, `960–1023`, `1.31M+` for the last one.
pub fn range_text(from: i64, to: Option<i64>) -> String {
    match to.map(|to| to.saturating_sub(1)) {
        None => format!("{}+", short(from)),
        Some(last) if last <= from => short(from),
        Some(last) => format!("{}–{}", short(from), short(last)),
    }
}

/// A bound in at most four digits: `960`, `1.31M`. Bounds have four significant bits, so that three digits keep them
/// apart.
fn short(bound: i64) -> String {
    let units = [(1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let value = bound as f64;
    let unit = units.into_iter().find(|(unit, _)| value.abs() >= 10_000.0 && value.abs() >= *unit);
    let Some((unit, letter)) = unit else { return bound.to_string() };
    let scaled = value / unit;
    let digits = if scaled.abs() < 10.0 { 2 } else { usize::from(scaled.abs() < 100.0) };
    format!("{scaled:.digits$}{letter}")
}

/// The values of a bar: from the first, below the second; the last bar has no end.
pub fn bar_at(values: &Histogram, at: usize) -> Option<(i64, Option<i64>)> {
    let bars = values.joined(BARS);
    let (from, _) = bars.get(at)?;
    Some((*from, bars.get(at + 1).map(|(bound, _)| *bound)))
}

/// The range and the number of a bar: `VGPRs: 960 to 1023, 12 shaders`.
pub fn about_bar(title: &str, values: &Histogram, at: usize) -> Option<String> {
    let (_, count) = values.joined(BARS).get(at).copied()?;
    let range = match bar_at(values, at)? {
        (from, Some(to)) if to - from == 1 => from.to_string(),
        (from, Some(to)) => format!("{from} to less than {to}"),
        (from, None) => format!("{from} and more"),
    };
    Some(format!("{}: {range}, {}", clean(title), counted(count, "shader")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short_and_distinct() {
        let bounds = [0, 15, 960, 9216, 10_240, 229_376, 983_040, 1_310_720, 18_874_368, 73_819_750, -36, -1_310_720];
        let expected = ["0", "15", "960", "9216", "10.2k", "229k", "983k", "1.31M", "18.9M", "73.8M", "-36", "-1.31M"];
        assert_eq!(bounds.map(short), expected);
        let mut all = Histogram::default();
        (0..4_000_000).step_by(7).for_each(|value| all.add(f64::from(value) - 0.5));
        let mut labels: Vec<String> = all.ranges().map(|(bound, _)| short(bound)).collect();
        let count = labels.len();
        labels.sort();
        labels.dedup();
        assert_eq!(labels.len(), count);
    }

    fn texts(picture: &Picture) -> Vec<&str> {
        let all = picture.items.iter().filter_map(|item| match &item.shape {
            crate::picture::Shape::Text(text) => Some(text.text.as_str()),
            _ => None,
        });
        all.collect()
    }

    #[test]
    fn draws_a_bar_for_each_range_and_says_its_values() {
        let mut values = Histogram::default();
        [0.0, 1.0, 1.0, 2.0, 1000.0].into_iter().for_each(|value| values.add(value));
        let picture = histogram("VGPRs", &values, &Theme::light());
        let bars: Vec<Rect> = (0..5).filter_map(|at| picture.place(Mark::Part(at))).collect();
        assert_eq!(bars.len(), 4);
        assert!(bars[1].width() > bars[0].width() && bars[0].width() == bars[2].width());
        assert!(bars.windows(2).all(|pair| pair[0].height() == pair[1].height()), "rows are equally high");
        let texts: Vec<&str> = texts(&picture);
        for text in ["0", "1", "2–959", "960+"] {
            assert!(texts.contains(&text), "{text} in {texts:?}");
        }
        assert_eq!(picture.title, "Histogram of VGPRs: 5 shaders");
        assert_eq!((bar_at(&values, 1), bar_at(&values, 3)), (Some((1, Some(2))), Some((960, None))));
        assert_eq!(bar_at(&values, 4), None);
        assert_eq!(about_bar("VGPRs", &values, 1).as_deref(), Some("VGPRs: 1, 2 shaders"));
        assert_eq!(about_bar("VGPRs", &values, 3).as_deref(), Some("VGPRs: 960 and more, 1 shader"));
        (0..10_000).for_each(|value| values.add(f64::from(value)));
        let picture = histogram("VGPRs", &values, &Theme::dark());
        assert!(picture.place(Mark::Part(BARS as u32)).is_none(), "ranges are joined");
        histogram("none", &Histogram::default(), &Theme::light());
    }
}
