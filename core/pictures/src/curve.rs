//! The pressure curve: how many registers are live at each instruction, from the top of the text to its end.

use emath::{Rect, Vec2, pos2, vec2};
use lanescope_core::driver::isa::{IsaFacts, Pressure};

use crate::picture::{Anchor, Font, Picture, Shape, Stroke, clean, elide};
use crate::theme::Theme;

/// Where the curve lies in its picture.
pub const LEFT: f32 = 12.0;
/// Its width; that of each of two is the second.
const WIDTHS: [f32; 2] = [168.0, 104.0];
/// Above it.
pub const TOP: f32 = 56.0;
const BELOW: f32 = 16.0;
const RIGHT: f32 = 16.0;
/// Of the name above one of two.
const HEAD: f32 = 20.0;
/// More steps than this are not distinguished: neighbours share the larger value.
const STEPS_AT_MOST: usize = 400;
/// A step is at least that high, in points: a line that comes and goes in lower ones is a blur.
const STEP_AT_LEAST: f32 = 3.0;

/// Draws the curve at a height in points. `None` if nothing could be followed.
pub fn curve(facts: &IsaFacts, height: f32, theme: &Theme) -> Option<Picture> {
    scaled(facts, vec2(WIDTHS[0], height), theme, scale(facts.peak?.most))
}

/// Draws two curves beside each other, to one scale, each under its name; what cannot be drawn says so. `None` if
/// neither can.
pub fn curves(sides: [Option<&IsaFacts>; 2], names: [&str; 2], height: f32, theme: &Theme) -> Option<Picture> {
    let peaks = sides.iter().filter_map(|facts| Some((*facts)?.peak?.most));
    let scale = peaks.map(scale).reduce(f32::max)?;
    let width = WIDTHS[1];
    let side = |facts: Option<&IsaFacts>, name: &str| {
        let mut head = Picture::new("", theme.page);
        let name = elide(&clean(name), Font::Words, 12.0, width);
        head.words(pos2(LEFT, 10.0), 12.0, theme.ink, &name);
        head.size = vec2(LEFT + width + RIGHT, HEAD);
        let drawn = facts.and_then(|facts| scaled(facts, vec2(width, height - HEAD), theme, scale));
        head.above(&drawn.unwrap_or_else(|| {
            let mut missing = Picture::new("", theme.page);
            let why = if facts.is_some() { "live registers unknown" } else { "no text" };
            missing.words(pos2(LEFT, 26.0), 12.0, theme.ink_soft, why);
            missing.size = vec2(LEFT + width + RIGHT, 40.0);
            missing
        }))
    };
    let [left, right] = sides;
    let mut both = side(left, names[0]).beside(&side(right, names[1]));
    let most = |facts: Option<&IsaFacts>| {
        let facts = facts?;
        let peak = facts.peak?;
        Some(format!("{}{}", if peak.at_least { "at least " } else { "" }, facts.dialect.live(peak.most)))
    };
    let [left, right] = [most(left), most(right)].map(|most| most.unwrap_or_else(|| "unknown".to_owned()));
    both.title = format!("Register pressure: a peak of {left} in A, {right} in B");
    Some(both)
}

/// Draws a curve of a size, to a scale.
fn scaled(facts: &IsaFacts, size: Vec2, theme: &Theme, scale: f32) -> Option<Picture> {
    let (width, height) = (size.x, size.y);
    let peak = facts.peak?;
    let count = facts.pressure.len();
    if count == 0 {
        return None;
    }
    let most = peak.most;
    let least = if peak.at_least { "at least " } else { "" };
    let title = format!("Register pressure: a peak of {least}{}", facts.dialect.live(most));
    let mut picture = Picture::new(title, theme.page);
    let span = (height - TOP - BELOW).max(40.0);
    let x = |registers: u16| LEFT + f32::from(registers) / scale * width;
    let y = |at: f32| TOP + at / count as f32 * span;
    grid(&mut picture, theme, scale, vec2(width, span));

    let steps = count.min(STEPS_AT_MOST).min(((span / STEP_AT_LEAST) as usize).max(1));
    let (vgprs, sgprs) = (theme.series(0), theme.series(1));
    let names = facts.dialect.counted(most);
    let mut line = Vec::with_capacity(steps * 2);
    for step in 0..steps {
        let (from, to) = (step * count / steps, ((step + 1) * count / steps).max(step * count / steps + 1));
        let rows = facts.pressure.get(from..to.min(count)).unwrap_or_default();
        let most = |of: fn(&Pressure) -> u16| rows.iter().map(of).max().unwrap_or(0);
        let (top, bottom) = (y(from as f32), y(to as f32));
        let bar = Rect::from_min_max(pos2(LEFT, top), pos2(x(most(|row| row.vgprs)), bottom));
        picture.rect(bar, vgprs.fill, Stroke::NONE, 0);
        let edge = Rect::from_min_max(pos2((bar.right() - 1.5).max(LEFT), top), pos2(bar.right(), bottom));
        picture.rect(edge, vgprs.line, Stroke::NONE, 0);
        let at = x(most(|row| row.sgprs));
        line.extend([pos2(at, top), pos2(at, bottom)]);
    }
    let wave = names.1.map(|_| (most.sgprs, peak.sgprs_at, sgprs));
    if wave.is_some() {
        picture.push(Shape::Line { points: line, stroke: Stroke::new(1.5, sgprs.line).dashed(4.0) });
    }

    for (registers, at, series) in std::iter::once((most.vgprs, peak.vgprs_at, vgprs)).chain(wave) {
        let tip = pos2(x(registers), y(at as f32 + 0.5));
        let points = vec![tip, tip + vec2(9.0, -5.0), tip + vec2(9.0, 5.0)];
        picture.push(Shape::Polygon { points, fill: series.line });
    }
    legend(&mut picture, theme, names, (most, peak.at_least));
    picture.size = vec2(LEFT + width + RIGHT, TOP + span + BELOW);
    Some(picture)
}

/// What the right edge represents: a multiple of eight, so that the grid falls on whole numbers.
fn scale(most: Pressure) -> f32 {
    f32::from(most.vgprs.max(most.sgprs).max(1).div_ceil(8).saturating_mul(8))
}

fn grid(picture: &mut Picture, theme: &Theme, scale: f32, size: Vec2) {
    let span = size.y;
    for part in 0..=4 {
        let share = part as f32 / 4.0;
        let x = LEFT + share * size.x;
        picture.line(pos2(x, TOP), pos2(x, TOP + span), Stroke::new(1.0, theme.hairline));
        let text = format!("{}", (scale * share) as u32);
        picture.text(pos2(x, TOP - 9.0), Anchor::Middle, 10.0, Font::Code, theme.ink_soft, &text);
    }
}

fn legend(
    picture: &mut Picture,
    theme: &Theme,
    (lane, wave): (&str, Option<&str>),
    (most, at_least): (Pressure, bool),
) {
    let least = if at_least { "at least " } else { "" };
    let (vgprs, sgprs) = (theme.series(0), theme.series(1));
    let [first, second] = [10.0, 26.0];
    let swatch = Rect::from_min_size(pos2(LEFT, first - 5.0), vec2(12.0, 10.0));
    picture.rect(swatch, vgprs.fill, Stroke::new(1.0, vgprs.line), 0);
    picture.words(pos2(LEFT + 17.0, first), 12.0, theme.ink, &format!("{lane}, peak {least}{}", most.vgprs));
    let Some(wave) = wave else { return };
    picture.push(Shape::Line {
        points: vec![pos2(LEFT, second), pos2(LEFT + 12.0, second)],
        stroke: Stroke::new(1.5, sgprs.line).dashed(4.0),
    });
    picture.words(pos2(LEFT + 17.0, second), 12.0, theme.ink, &format!("{wave}, peak {least}{}", most.sgprs));
}

/// The instruction at a height in the picture that [`curve`] drew.
pub fn instruction_at(count: usize, picture: &Picture, y: f32) -> Option<u32> {
    let span = picture.size.y - TOP - BELOW;
    let share = (y - TOP) / span;
    let at = (0.0..1.0).contains(&share).then_some((share * count as f32) as usize)?;
    u32::try_from(at.min(count.checked_sub(1)?)).ok()
}

/// The height of an instruction's upper edge in the picture that [`curve`] drew.
pub fn height_of(count: usize, picture: &Picture, instruction: usize) -> f32 {
    let span = picture.size.y - TOP - BELOW;
    TOP + instruction.min(count) as f32 / count.max(1) as f32 * span
}

#[cfg(test)]
mod tests {
    use lanescope_core::driver::isa::Peak;
    use lanescope_core::driver::texts::Dialect;

    use super::*;

    fn facts(count: u16) -> IsaFacts {
        let pressure: Vec<_> = (0..count).map(|at| Pressure { vgprs: at % 24, sgprs: 9 }).collect();
        let most = Pressure { vgprs: 23, sgprs: 9 };
        IsaFacts {
            pressure,
            peak: Some(Peak { most, vgprs_at: 23, sgprs_at: 0, at_least: false }),
            ..IsaFacts::default()
        }
    }

    #[test]
    fn maps_curve_places_to_instructions_and_back() {
        for count in [24, 100, 5000] {
            let picture = curve(&facts(count), 500.0, &Theme::dark()).expect("it was followed");
            let count = usize::from(count);
            for instruction in [0, 1, count / 2, count - 1] {
                let y = height_of(count, &picture, instruction);
                let found = instruction_at(count, &picture, y + 0.01).expect("inside");
                assert!((found as usize).abs_diff(instruction) <= 1, "{found} for {instruction}");
            }
            assert_eq!(instruction_at(count, &picture, TOP - 1.0), None);
            assert_eq!(instruction_at(count, &picture, picture.size.y), None);
            assert!(picture.items.len() < 3 * STEPS_AT_MOST, "bounded");
        }
    }

    #[test]
    fn neighbours_that_share_a_step_show_the_larger_value() {
        let picture = curve(&facts(5000), 300.0, &Theme::light()).expect("it was followed");
        let widest = picture.items.iter().filter_map(|item| match item.shape {
            Shape::Rect { rect, .. } if rect.top() > TOP => Some(rect.right()),
            _ => None,
        });
        let widest = widest.fold(0.0, f32::max);
        assert!((widest - (LEFT + 23.0 / 24.0 * WIDTHS[0])).abs() < 0.1, "{widest}");
    }

    #[test]
    fn two_curves_share_a_scale() {
        let (theme, small, large) = (Theme::dark(), facts(9), facts(24));
        let ends = |picture: &Picture| -> Vec<String> {
            let texts = picture.items.iter().filter_map(|item| match &item.shape {
                Shape::Text(text) => Some(text.text.clone()),
                _ => None,
            });
            texts.filter(|text| text.parse::<u32>().is_ok()).collect()
        };
        let both = curves([Some(&small), Some(&large)], ["a", "b"], 300.0, &theme).expect("they were followed");
        let scale = ["0", "6", "12", "18", "24"];
        assert_eq!(ends(&both), [scale, scale].concat());
        assert!(both.size.x < 2.2 * (LEFT + WIDTHS[1] + RIGHT), "{:?}", both.size);
        assert!(curves([None, Some(&large)], ["a", "b"], 300.0, &theme).is_some());
        assert_eq!(curves([None, Some(&IsaFacts::default())], ["a", "b"], 300.0, &theme), None);
    }

    #[test]
    fn registers_of_a_wave_that_another_vendors_text_does_not_use_are_not_drawn() {
        let drawn = |dialect, sgprs| {
            let mut facts = IsaFacts { dialect, ..facts(24) };
            facts.peak.iter_mut().for_each(|peak| peak.most.sgprs = sgprs);
            let picture = curve(&facts, 300.0, &Theme::dark()).expect("it was followed");
            let texts = picture.items.iter().filter_map(|item| match &item.shape {
                Shape::Text(text) => Some(text.text.clone()),
                _ => None,
            });
            texts.filter(|text| text.contains("peak")).collect::<Vec<_>>()
        };
        assert_eq!(drawn(Dialect::Nak, 0), ["GPRs, peak 23"]);
        assert_eq!(drawn(Dialect::Nak, 2), ["GPRs, peak 23", "uniform GPRs, peak 2"]);
        assert_eq!(drawn(Dialect::Amd, 0), ["VGPRs, peak 23", "SGPRs, peak 0"]);
    }

    #[test]
    fn unknown_live_registers_have_no_curve() {
        assert_eq!(curve(&IsaFacts::default(), 300.0, &Theme::dark()), None);
    }
}
