//! The lane maps of all layouts side by side: each invocation in the colour of the line that it touches first, each wave with
//! its edge, and the figures of the layout.

use std::collections::BTreeSet;

use emath::{pos2, vec2};

use lanescope_core::cost::{Cost, LayoutCost, MemoryKind};
use lanescope_core::ids::Thread;
use lanescope_core::workgroup::LaneMap;

use crate::picture::{Anchor, Font, Mark, Picture, Stroke, clean, elide};
use crate::theme::Theme;
use crate::workgroup::grid::{FAR, Grid, number_size};

const MARGIN: f32 = 20.0;
/// Maps are beside each other up to this width.
const WIDTH: f32 = 1000.0;
/// Between maps.
const GAP: emath::Vec2 = vec2(36.0, 40.0);
/// Above a map, for its layout and its figures.
const CAPTION: f32 = 56.0;
/// The title's height.
const HEADER: f32 = 70.0;

/// Draws an access of a report, by its index: the first slice of the workgroup in each layout that it can have. None where
/// there is no such access.
pub fn picture(cost: &Cost, access: usize, theme: &Theme) -> Option<Picture> {
    let site = cost.accesses.get(access)?;
    let [x, y, z] = cost.size;
    let what = format!("{} {} {}", site.name, site.memory, clean(&site.resource));
    let is_shared = site.memory == MemoryKind::Shared;
    let things = if is_shared { "Banks" } else { "Lines" };
    let mut picture = Picture::new(format!("{things} of #{} {what} in each layout", site.instruction), theme.page);
    let title = elide(&format!("{things} that {what} touches"), Font::Words, 19.0, WIDTH - MARGIN);
    picture.words(pos2(MARGIN, 28.0), 19.0, theme.ink, &title);
    let place = clean(site.place());
    let place = if place.is_empty() { String::new() } else { format!(" · {place}") };
    let slice = if z > 1 { " · z = 0" } else { "" };
    let unit = if is_shared { "banks of 4 bytes".to_owned() } else { format!("lines of {} bytes", cost.line) };
    let facts = format!("#{} · {x}×{y}×{z} in waves of {} · {unit}{slice}{place}", site.instruction, cost.wave);
    picture.text(pos2(MARGIN, 52.0), Anchor::Start, 12.0, Font::Code, theme.ink_soft, &facts);
    // A long, flat map is folded into bands of 32.
    let side = if x.min(y) <= 4 { x.max(y).min(32) } else { x.max(y) };
    let cell = if side <= 16 { 22.0 } else { (WIDTH / 2.0 / side as f32).clamp(4.0, 14.0) };
    let mut corner = pos2(MARGIN - 6.0, HEADER);
    let mut bottom = corner.y;
    for layout in &cost.layouts {
        let Some(map) = LaneMap::new(layout.micro, layout.macro_tile, cost.size).filter(|_| layout.total.is_some())
        else {
            continue;
        };
        let Some(grid) = Grid::new(corner + vec2(0.0, CAPTION), [x, y], cell) else {
            picture.words(corner + vec2(6.0, 16.0), 13.0, theme.warn, "The group is too large to draw.");
            break;
        };
        caption(&mut picture, (corner.x + 34.0, corner.y), layout, cost.figures(layout, access), theme);
        cells(&mut picture, &grid, (cost, access), theme);
        let wave = |x, y| map.thread([x, y, 0]).map(|Thread(thread)| thread / cost.wave.max(1));
        grid.edges_on_ramp(&mut picture, 2.0, theme, wave);
        let bounds = grid.bounds();
        bottom = bottom.max(bounds.bottom());
        corner.x = bounds.right() + GAP.x;
        if corner.x + bounds.width() + 40.0 > WIDTH {
            corner = pos2(MARGIN - 6.0, bottom + GAP.y);
        }
    }
    let lines: BTreeSet<u32> = site.touched.iter().flatten().copied().collect();
    let thing = if is_shared { "bank" } else { "line" };
    let text = format!(
        "Color and number: the {thing} that an invocation touches first in the first workgroup, of {}. Edges: waves.",
        lines.len()
    );
    picture.words(pos2(MARGIN, bottom + 26.0), 12.0, theme.ink_soft, &text);
    picture.fit(MARGIN);
    Some(picture)
}

fn caption(picture: &mut Picture, (left, top): (f32, f32), layout: &LayoutCost, figures: String, theme: &Theme) {
    let name = if layout.selected { format!("{} (selected)", layout.layout) } else { layout.layout.clone() };
    picture.words(pos2(left, top + 20.0), 14.0, theme.ink, &name);
    picture.text(pos2(left, top + 42.0), Anchor::Start, 12.0, Font::Code, theme.ink_soft, &figures);
}

/// The invocations of the first slice.
fn cells(picture: &mut Picture, grid: &Grid, (cost, access): (&Cost, usize), theme: &Theme) {
    grid.axes(picture, theme);
    let line = |id: [u32; 3]| cost.touched(access, id);
    let all_touched = cost.accesses.get(access).map(|site| site.touched.iter().flatten());
    let last = all_touched.and_then(|all| all.max()).copied().unwrap_or(0);
    let gap = if grid.cell >= 12.0 { 0.5 } else { 0.0 };
    let all = || (0..cost.size[1]).flat_map(|y| (0..cost.size[0]).map(move |x| [x, y, 0]));
    let look = |line: u32| theme.ramp(line as f32 / last.max(1) as f32);
    for id in all() {
        let fill = line(id).map_or(theme.page, |line| look(line).0);
        picture.rect(grid.place(id[0], id[1]).shrink(gap), fill, Stroke::NONE, 0).mark(Mark::Invocation(id));
    }
    if grid.cell < 16.0 {
        return;
    }
    for id in all() {
        let Some(line) = line(id) else { continue };
        let (number, at) = (line.to_string(), grid.place(id[0], id[1]).center());
        let size = number_size(grid.cell, &number);
        picture.text(at, Anchor::Middle, size, Font::Code, look(line).1, &number).from_zoom(FAR);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery::cost;
    use crate::picture::{Shape, svg};

    #[test]
    fn each_layout_that_there_is_has_its_map_and_figures() {
        let cost = cost();
        let drawn = picture(&cost, 0, &Theme::light()).expect("there is an access");
        let cells = drawn.items.iter().filter(|item| matches!(item.shape, Shape::Rect { .. }) && item.mark.is_some());
        assert_eq!(cells.count(), 2 * 128);
        let text = svg(&drawn);
        assert!(text.contains("8 lines, 16 sectors") && text.contains("4 lines, 16 sectors"), "{text}");
        assert!(!text.contains(">2×2 quads<") && text.contains("8×N strips"), "{text}");
        assert!(picture(&cost, 2, &Theme::dark()).is_none());
    }

    #[test]
    fn shared_memory_has_banks() {
        let text = svg(&picture(&cost(), 1, &Theme::light()).expect("there is an access"));
        assert!(text.contains("Banks that") && text.contains("banks of 4 bytes") && !text.contains("lines"), "{text}");
        assert!(text.contains("4 LDS passes, at least 4") && text.contains(">31<"), "{text}");
    }

    #[test]
    fn an_invocation_has_a_wave_in_each_layout() {
        let cost = cost();
        let waves = cost.waves_of(0, [9, 3, 0]);
        let found: Vec<_> = waves.iter().map(|wave| (wave.layout, wave.wave, wave.lane, wave.words())).collect();
        assert_eq!(found, [(0, 1, 25, "2: 0, 1".to_owned()), (2, 2, 25, "1: 1".to_owned())]);
        assert_eq!((cost.touched(0, [9, 3, 0]), cost.touched(1, [9, 3, 0])), (Some(1), Some(25)));
        assert_eq!((cost.touched(0, [16, 0, 0]), cost.waves_of(0, [16, 0, 0])), (None, Vec::new()));
    }

    #[test]
    fn the_access_that_differs_most_tells_most() {
        let mut cost = cost();
        assert_eq!(cost.telling_access(), Some(0));
        cost.accesses.clear();
        assert_eq!(cost.telling_access(), None);
    }
}
