//! The pressure curve: how many registers are live at each instruction, from the top of the text to its end.

use egui::{Rect, pos2, vec2};
use lanescope_core::driver::isa::{IsaFacts, Pressure};

use crate::picture::{Anchor, Font, Picture, Shape, Stroke};
use crate::theme::Theme;

/// Where the curve lies in its picture.
pub const LEFT: f32 = 12.0;
/// Its width.
pub const WIDTH: f32 = 168.0;
/// Above it.
pub const TOP: f32 = 56.0;
const BELOW: f32 = 16.0;
const RIGHT: f32 = 16.0;
/// More steps than this are not told apart: neighbours share the larger value.
const STEPS_AT_MOST: usize = 400;

/// Draws the curve at a height in points. None where nothing could be followed.
pub fn curve(facts: &IsaFacts, height: f32, theme: &Theme) -> Option<Picture> {
    let peak = facts.peak?;
    let count = facts.pressure.len();
    if count == 0 {
        return None;
    }
    let most = peak.most;
    let title = format!("Register pressure: at most {} VGPRs and {} SGPRs at once", most.vgprs, most.sgprs);
    let mut picture = Picture::new(title, theme.page);
    let span = (height - TOP - BELOW).max(40.0);
    let scale = scale(most);
    let x = |registers: u16| LEFT + f32::from(registers) / scale * WIDTH;
    let y = |at: f32| TOP + at / count as f32 * span;
    grid(&mut picture, theme, scale, span);

    let steps = count.min(STEPS_AT_MOST).min((span as usize).max(1));
    let (vgprs, sgprs) = (theme.series(0), theme.series(1));
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
    picture.push(Shape::Line { points: line, stroke: Stroke::new(1.5, sgprs.line).dashed(4.0) });

    for (registers, at, series) in [(most.vgprs, peak.vgprs_at, vgprs), (most.sgprs, peak.sgprs_at, sgprs)] {
        let tip = pos2(x(registers), y(at as f32 + 0.5));
        let points = vec![tip, tip + vec2(9.0, -5.0), tip + vec2(9.0, 5.0)];
        picture.push(Shape::Polygon { points, fill: series.line });
    }
    legend(&mut picture, theme, most);
    picture.size = vec2(LEFT + WIDTH + RIGHT, TOP + span + BELOW);
    Some(picture)
}

/// What the right edge stands for: a multiple of eight, so that the grid falls on whole numbers.
fn scale(most: Pressure) -> f32 {
    f32::from(most.vgprs.max(most.sgprs).max(1).div_ceil(8).saturating_mul(8))
}

fn grid(picture: &mut Picture, theme: &Theme, scale: f32, span: f32) {
    for part in 0..=4 {
        let share = part as f32 / 4.0;
        let x = LEFT + share * WIDTH;
        picture.line(pos2(x, TOP), pos2(x, TOP + span), Stroke::new(1.0, theme.hairline));
        let text = format!("{}", (scale * share) as u32);
        picture.text(pos2(x, TOP - 9.0), Anchor::Middle, 10.0, Font::Code, theme.ink_soft, &text);
    }
}

fn legend(picture: &mut Picture, theme: &Theme, most: Pressure) {
    let (vgprs, sgprs) = (theme.series(0), theme.series(1));
    let [first, second] = [10.0, 26.0];
    let swatch = Rect::from_min_size(pos2(LEFT, first - 5.0), vec2(12.0, 10.0));
    picture.rect(swatch, vgprs.fill, Stroke::new(1.0, vgprs.line), 0);
    picture.words(pos2(LEFT + 17.0, first), 12.0, theme.ink, &format!("VGPRs, peak {}", most.vgprs));
    picture.push(Shape::Line {
        points: vec![pos2(LEFT, second), pos2(LEFT + 12.0, second)],
        stroke: Stroke::new(1.5, sgprs.line).dashed(4.0),
    });
    picture.words(pos2(LEFT + 17.0, second), 12.0, theme.ink, &format!("SGPRs, peak {}", most.sgprs));
}

/// The instruction at a height in the picture that [`curve`] drew.
pub(super) fn instruction_at(count: usize, picture: &Picture, y: f32) -> Option<u32> {
    let span = picture.size.y - TOP - BELOW;
    let share = (y - TOP) / span;
    let at = (0.0..1.0).contains(&share).then_some((share * count as f32) as usize)?;
    u32::try_from(at.min(count.checked_sub(1)?)).ok()
}

/// The height of an instruction's upper edge in the picture that [`curve`] drew.
pub(super) fn height_of(count: usize, picture: &Picture, instruction: usize) -> f32 {
    let span = picture.size.y - TOP - BELOW;
    TOP + instruction.min(count) as f32 / count.max(1) as f32 * span
}

#[cfg(test)]
mod tests {
    use lanescope_core::driver::isa::Peak;

    use super::*;

    fn facts(count: u16) -> IsaFacts {
        let pressure: Vec<_> = (0..count).map(|at| Pressure { vgprs: at % 24, sgprs: 9 }).collect();
        let most = Pressure { vgprs: 23, sgprs: 9 };
        IsaFacts { pressure, peak: Some(Peak { most, vgprs_at: 23, sgprs_at: 0 }), ..IsaFacts::default() }
    }

    #[test]
    fn a_place_in_the_curve_is_an_instruction_and_back() {
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
        assert!((widest - (LEFT + 23.0 / 24.0 * WIDTH)).abs() < 0.1, "{widest}");
    }

    #[test]
    fn what_could_not_be_followed_has_no_curve() {
        assert_eq!(curve(&IsaFacts::default(), 300.0, &Theme::dark()), None);
    }
}
