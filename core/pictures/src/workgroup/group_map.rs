//! The map of groups: in which order a dispatch's workgroups are launched under the workgroup-id swizzle.

use emath::{Rect, pos2, vec2};
use lanescope_core::workgroup::GroupMap;

use super::grid::{FAR, Grid, head, number_size, walk};
use crate::picture::{Anchor, Font, Mark, Picture, Stroke};
use crate::theme::Theme;

const MARGIN: f32 = 20.0;

/// Draws one z slice of a dispatch: each group with its place in the launch order, tiles outlined.
pub fn picture(map: &GroupMap, theme: &Theme) -> Picture {
    let [width, height, depth] = map.groups;
    let title = format!("Launch order of {width} x {height} x {depth} workgroups in tiles of {}", map.tile);
    let mut picture = Picture::new(title, theme.page);
    let applies = if map.applies { "" } else { " · dispatch too small: not swizzled" };
    let facts = format!("{width}×{height}×{depth} groups · tiles of {0}×{0}{applies}", map.tile);
    head(&mut picture, MARGIN, "Workgroups in launch order", &facts, theme);
    let cell = match width.max(height) {
        0..=32 => 30.0,
        33..=64 => 14.0,
        65..=128 => 7.0,
        _ => 4.0,
    };
    let corner = pos2(MARGIN - 6.0, 74.0);
    let Some(grid) = Grid::new(corner, [width, height], cell) else {
        let text =
            if width == 0 || height == 0 { "The dispatch is empty." } else { "The dispatch is too large to draw." };
        picture.words(corner + vec2(6.0, 16.0), 13.0, theme.warn, text);
        picture.fit(MARGIN);
        return picture;
    };
    grid.axes(&mut picture, theme);
    let inside = |[x, y]: &[u32; 2]| *x < width && *y < height;
    let last = map.ids.len().saturating_sub(1).max(1) as f32;
    let gap = if cell >= 7.0 { 0.5 } else { 0.0 };
    for (order, [x, y]) in map.ids.iter().enumerate().filter(|(_, id)| inside(id)) {
        let (fill, _) = theme.ramp(order as f32 / last);
        picture.rect(grid.place(*x, *y).shrink(gap), fill, Stroke::NONE, 0).mark(Mark::Group([*x, *y]));
    }
    let cells = map.ids.iter().enumerate().filter(|(_, id)| inside(id));
    walk(&mut picture, cells.map(|(order, [x, y])| (grid.place(*x, *y), theme.ramp(order as f32 / last).1)));
    if cell >= 30.0 {
        for (order, [x, y]) in map.ids.iter().enumerate().filter(|(_, id)| inside(id)) {
            let (_, ink) = theme.ramp(order as f32 / last);
            let at = grid.place(*x, *y).center();
            let order = order.to_string();
            picture.text(at, Anchor::Middle, number_size(cell, &order), Font::Code, ink, &order).from_zoom(FAR);
        }
    }
    if map.applies && map.tile > 0 {
        // Whole tiles; what is left to the right and below is walked apart.
        let tile = map.tile;
        let (across, down) = (width / tile, height / tile);
        let region = |x: u32, y: u32| {
            let (tx, ty) = (x / tile, y / tile);
            match (tx < across && ty < down, ty < down) {
                (true, _) => (0, tx, ty),
                (false, true) => (1, 0, 0),
                (false, false) => (2, 0, 0),
            }
        };
        let width = if cell >= 7.0 { 2.5 } else { 1.5 };
        grid.edges_on_ramp(&mut picture, width, theme, region);
    }
    legend(&mut picture, &grid, map, theme);
    picture.fit(MARGIN);
    picture
}

fn legend(picture: &mut Picture, grid: &Grid, map: &GroupMap, theme: &Theme) {
    let corner = grid.bounds().left_bottom() + vec2(0.0, 28.0);
    for step in 0..14 {
        let cell = Rect::from_min_size(corner + vec2(2.0 * step as f32, -7.0), vec2(2.0, 14.0));
        picture.rect(cell, theme.ramp(step as f32 / 13.0).0, Stroke::NONE, 0);
    }
    let last = map.ids.len().saturating_sub(1);
    picture.words(corner + vec2(38.0, 0.0), 12.0, theme.ink, &format!("launched first (0) to last ({last})"));
    if map.applies {
        let stroke = Stroke::new(2.5, theme.ink);
        picture.line(corner + vec2(0.0, 22.0), corner + vec2(28.0, 22.0), stroke);
        picture.words(corner + vec2(38.0, 22.0), 12.0, theme.ink, "tile, and groups outside full tiles");
    }
}
