//! The lane map of a workgroup in the debugger: the shown value of each lane as a heat map, with waves, quads and the
//! exec mask.

use egui::{Rect, pos2, vec2};
use lanescope_inspector::debugging::{DebugStop, LaneCell, LaneGrid, LaneState};

use crate::picture::{Anchor, Font, Mark, Pattern, Picture, Shape, Stroke, elide};
use crate::theme::Theme;

/// Size of a cell.
const CELL: [f32; 2] = [46.0, 26.0];
/// Width of the numbers of waves before rows.
const NUMBERS: f32 = 64.0;
/// Characters of a value that fit.
const DIGITS: usize = 6;
/// Lanes of a quad.
const QUAD: u32 = 4;

/// Draws the lanes.
pub fn lane_picture(stop: &DebugStop, theme: &Theme) -> Picture {
    let grid = LaneGrid::of(stop);
    let shown = if stop.lanes.name.is_empty() { String::new() } else { format!(", {}", stop.lanes.name) };
    let mut picture = Picture::new(format!("Lanes of {}{shown}", stop.entry), theme.page);
    let left = if grid.by_wave { NUMBERS } else { 2.0 };
    let place = |x: usize, y: usize| {
        Rect::from_min_size(pos2(left + x as f32 * CELL[0], 2.0 + y as f32 * CELL[1]), vec2(CELL[0], CELL[1]))
    };
    let mut last = None;
    for (y, row) in grid.rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate().filter_map(|(x, cell)| Some((x, cell.as_ref()?))) {
            if grid.by_wave && x == 0 && last != Some(cell.lane.wave) {
                last = Some(cell.lane.wave);
                let at = pos2(2.0, place(0, y).center().y);
                picture.words(at, 12.0, theme.ink_soft, &format!("wave {}", cell.lane.wave));
            }
            draw_cell(&mut picture, cell, place(x, y), theme);
        }
    }
    boundaries(&mut picture, &grid, place, theme);
    legend(&mut picture, &grid, stop, theme, 2.0 + grid.rows.len() as f32 * CELL[1] + 16.0);
    picture.fit(4.0);
    picture
}

fn draw_cell(picture: &mut Picture, cell: &LaneCell, rect: Rect, theme: &Theme) {
    let (fill, ink) = match (cell.state, cell.share) {
        (LaneState::Ended, _) => (theme.page, theme.ink_soft),
        (_, Some(share)) => theme.ramp(share as f32),
        (_, None) => (theme.panel, theme.ink),
    };
    // An inactive lane has a margin without its colour, with lines: neither rests on colour vision.
    let inside = if cell.state == LaneState::Inactive { rect.shrink2(vec2(7.0, 4.0)) } else { rect };
    let mark = Mark::Lane([cell.lane.wave, cell.lane.lane]);
    let pattern = match cell.state {
        LaneState::Active => None,
        LaneState::Inactive => Some((Pattern::Hatch, theme.outline)),
        LaneState::Ended => Some((Pattern::Bars, theme.hairline)),
    };
    let stroke = Stroke::new(1.0, theme.hairline);
    picture
        .push(Shape::Rect { rect, fill: if pattern.is_some() { theme.page } else { fill }, stroke, radius: 0, pattern })
        .mark(mark);
    if cell.state == LaneState::Inactive {
        picture.rect(inside, fill, Stroke::NONE, 0).mark(mark);
    }
    let text = cell.short(DIGITS).filter(|text| !text.is_empty()).unwrap_or_else(|| cell.lane.lane.to_string());
    let ink = if cell.value.is_some() { ink } else { theme.ink_soft };
    if cell.helper {
        // A corner: it does not rest on colour vision.
        corner(picture, rect.right_top(), theme);
    }
    let text = elide(&text, Font::Code, 10.0, inside.width() - 4.0);
    picture.text(rect.center(), Anchor::Middle, 10.0, Font::Code, ink, &text).mark(mark).from_zoom(0.45);
}

/// The mark of a helper invocation in the right upper corner of its cell.
fn corner(picture: &mut Picture, at: egui::Pos2, theme: &Theme) {
    let points = vec![at, at - vec2(9.0, 0.0), at + vec2(0.0, 9.0)];
    picture.push(Shape::Polygon { points, fill: theme.ink });
}

/// Lines between waves, and thinner ones between the quads of a wave.
fn boundaries(picture: &mut Picture, grid: &LaneGrid, place: impl Fn(usize, usize) -> Rect, theme: &Theme) {
    let at = |x: usize, y: usize| grid.rows.get(y).and_then(|row| row.get(x)).and_then(Option::as_ref);
    let wave = |cell: Option<&LaneCell>| cell.map(|cell| cell.lane.wave);
    let quad = |cell: Option<&LaneCell>| cell.map(|cell| (cell.lane.wave, cell.lane.lane / QUAD));
    let stroke = |a: Option<&LaneCell>, b: Option<&LaneCell>| match (wave(a) != wave(b), quad(a) != quad(b)) {
        (true, _) => Some(Stroke::new(3.0, theme.ink)),
        (_, true) => Some(Stroke::new(1.4, theme.outline)),
        _ => None,
    };
    let width = grid.rows.iter().map(Vec::len).max().unwrap_or(0);
    for y in 0..=grid.rows.len() {
        for x in 0..=width {
            let above = y.checked_sub(1).and_then(|y| at(x, y));
            let before = x.checked_sub(1).and_then(|x| at(x, y));
            let rect = place(x, y);
            if let Some(stroke) = stroke(above, at(x, y)) {
                picture.line(rect.left_top(), rect.right_top(), stroke);
            }
            if let Some(stroke) = stroke(before, at(x, y)) {
                picture.line(rect.left_top(), rect.left_bottom(), stroke);
            }
        }
    }
}

fn legend(picture: &mut Picture, grid: &LaneGrid, stop: &DebugStop, theme: &Theme, y: f32) {
    let mut x = 2.0;
    let words = |picture: &mut Picture, x: &mut f32, text: &str| {
        picture.words(pos2(*x, y), 12.0, theme.ink, text);
        *x += crate::picture::text_width(text, Font::Words, 12.0) + 16.0;
    };
    if let Some([least, most]) = grid.range {
        words(picture, &mut x, &format!("{} {}", stop.lanes.name, number(least)));
        x -= 8.0;
        for step in 0..20 {
            let cell = Rect::from_min_size(pos2(x + 3.0 * step as f32, y - 7.0), vec2(3.0, 14.0));
            picture.rect(cell, theme.ramp(step as f32 / 19.0).0, Stroke::NONE, 0);
        }
        x += 68.0;
        words(picture, &mut x, &number(most));
    } else {
        words(picture, &mut x, "number: lane");
    }
    let swatch = |picture: &mut Picture, x: &mut f32, pattern: Pattern, color| {
        let rect = Rect::from_min_size(pos2(*x, y - 7.0), vec2(22.0, 14.0));
        let stroke = Stroke::new(1.0, theme.outline);
        picture.push(Shape::Rect { rect, fill: theme.page, stroke, radius: 0, pattern: Some((pattern, color)) });
        *x += 28.0;
    };
    swatch(picture, &mut x, Pattern::Hatch, theme.outline);
    words(picture, &mut x, "inactive");
    swatch(picture, &mut x, Pattern::Bars, theme.hairline);
    words(picture, &mut x, "ended");
    if stop.fragments.is_empty() {
        picture.line(pos2(x, y), pos2(x + 22.0, y), Stroke::new(3.0, theme.ink));
        x += 28.0;
        words(picture, &mut x, "wave boundary");
    } else {
        corner(picture, pos2(x + 10.0, y - 5.0), theme);
        x += 16.0;
        words(picture, &mut x, "helper invocation");
    }
}

/// A bound of the heat map, short.
fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e9 { format!("{value:.0}") } else { format!("{value:.4}") }
}
