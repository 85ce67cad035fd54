//! A rectangle of cells on a picture, with axes, and the lines between regions of it.

use ecolor::Color32;
use emath::{Pos2, Rect, Vec2, pos2, vec2};

use crate::picture::{Anchor, Font, Picture, Shape, Stroke, elide};
use crate::theme::Theme;

/// More cells than this are not drawn one by one.
pub(crate) const MOST_CELLS: u64 = 1 << 16;
/// A map this long and at most [`FLAT`] cells across is folded into bands.
const LONG: u32 = 32;
const FLAT: u32 = 4;
/// Below this zoom, what is in a cell cannot be read.
pub(crate) const FAR: f32 = 0.5;
/// Below this zoom, the numbers along the axes are larger and fewer.
const FAR_AXIS: f32 = 0.75;
/// The size of the numbers along the axes, and of those that are larger from afar.
const AXIS: f32 = 10.0;
const AXIS_FROM_AFAR: f32 = 20.0;
/// The size of a map's title: not smaller than any number along its axes.
pub(crate) const TITLE: f32 = AXIS_FROM_AFAR;
/// The size of the line below the title, and from afar.
const FACTS: f32 = 12.0;
const FACTS_FROM_AFAR: f32 = 16.0;
/// Between bands, for the axis of the next one.
const BAND_GAP: f32 = 26.0;

/// Writes the title of a map and the line below it, which is as wide as a map at most where it grows from afar.
pub(crate) fn head(picture: &mut Picture, left: f32, title: &str, facts: &str, theme: &Theme) {
    picture.words(pos2(left, 28.0), TITLE, theme.ink, title);
    let at = pos2(left, 54.0);
    picture.text(at, Anchor::Start, FACTS, Font::Code, theme.ink_soft, facts).from_zoom(FAR_AXIS);
    let from_afar = elide(facts, Font::Code, FACTS_FROM_AFAR, HEAD_WIDTH);
    picture.text(at, Anchor::Start, FACTS_FROM_AFAR, Font::Code, theme.ink_soft, &from_afar).below_zoom(FAR_AXIS);
}

/// The widest line below a title, from afar.
const HEAD_WIDTH: f32 = 520.0;

/// Where each cell of a `width` x `height` map lies. A long, flat map is folded into bands of 32.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    origin: Pos2,
    pub(crate) cell: f32,
    width: u32,
    height: u32,
    /// Cells of one band.
    band: [u32; 2],
}

impl Grid {
    /// A grid whose axes' labels begin at `corner`. `None` if there are no cells, or too many to draw.
    pub(crate) fn new(corner: Pos2, [width, height]: [u32; 2], cell: f32) -> Option<Self> {
        let cells = u64::from(width) * u64::from(height);
        if cells == 0 || cells > MOST_CELLS {
            return None;
        }
        let band = match (width > LONG && height <= FLAT, height > LONG && width <= FLAT) {
            (true, _) => [LONG, height],
            (_, true) => [width, LONG],
            _ => [width, height],
        };
        Some(Grid { origin: corner + vec2(34.0, 26.0), cell, width, height, band })
    }

    pub(crate) fn place(&self, x: u32, y: u32) -> Rect {
        let [bx, by] = [x / self.band[0], y / self.band[1]];
        let [lx, ly] = [x % self.band[0], y % self.band[1]];
        // Bands along x lie below each other, bands along y beside each other.
        let step = vec2(
            by as f32 * (self.band[0] as f32 * self.cell + BAND_GAP + 14.0),
            bx as f32 * (self.band[1] as f32 * self.cell + BAND_GAP),
        );
        let corner = self.origin + step + vec2(lx as f32, ly as f32) * self.cell;
        Rect::from_min_size(corner, Vec2::splat(self.cell))
    }

    pub(crate) fn bounds(&self) -> Rect {
        self.bands().fold(Rect::NOTHING, |all, [xs, ys]| all.union(self.span(xs, ys)))
    }

    /// The bands, each as its range of x and of y.
    fn bands(&self) -> impl Iterator<Item = [[u32; 2]; 2]> {
        let grid = *self;
        let ranges = |size: u32, band: u32| {
            (0..size).step_by(band.max(1) as usize).map(move |from| [from, from.saturating_add(band).min(size)])
        };
        ranges(grid.height, grid.band[1]).flat_map(move |ys| ranges(grid.width, grid.band[0]).map(move |xs| [xs, ys]))
    }

    fn span(&self, xs: [u32; 2], ys: [u32; 2]) -> Rect {
        self.place(xs[0], ys[0]).union(self.place(xs[1] - 1, ys[1] - 1))
    }

    /// Numbers along the axes, as many as fit, and the ground under the cells.
    pub(crate) fn axes(&self, picture: &mut Picture, theme: &Theme) {
        let digits = (self.width.max(self.height) - 1).max(1).ilog10() + 1;
        for [xs, ys] in self.bands() {
            picture.rect(self.span(xs, ys).expand(0.5), theme.hairline, Stroke::NONE, 0);
            // From afar there are fewer numbers, and larger ones.
            for (size, far) in [(AXIS, false), (AXIS_FROM_AFAR, true)] {
                let step_x = self.step(digits as f32 * 0.61 * size + 5.0);
                let step_y = self.step(1.2 * size);
                self.axis(picture, theme, [xs, ys], [step_x, step_y], size, far);
            }
        }
    }

    /// The smallest power of two whose cells take `least` points.
    fn step(&self, least: f32) -> u32 {
        (0..16).map(|power| 1 << power).find(|step| *step as f32 * self.cell >= least).unwrap_or(1 << 16)
    }

    fn axis(
        &self,
        picture: &mut Picture,
        theme: &Theme,
        [xs, ys]: [[u32; 2]; 2],
        [step_x, step_y]: [u32; 2],
        size: f32,
        far: bool,
    ) {
        let span = self.span(xs, ys);
        let mut label = |at: Pos2, anchor: Anchor, text: &str| {
            let item = picture.text(at, anchor, size, Font::Code, theme.ink_soft, text);
            if far {
                item.below_zoom(FAR_AXIS)
            } else {
                item.from_zoom(FAR_AXIS)
            };
        };
        for x in (xs[0]..xs[1]).filter(|x| x % step_x == 0) {
            let at = pos2(self.place(x, ys[0]).center().x, span.top() - size);
            label(at, Anchor::Middle, &x.to_string());
        }
        for y in (ys[0]..ys[1]).filter(|y| y % step_y == 0) {
            let at = pos2(span.left() - 0.8 * size, self.place(xs[0], y).center().y);
            label(at, Anchor::End, &y.to_string());
        }
        if !far {
            label(span.left_top() - vec2(8.0, 10.0), Anchor::End, "y\\x");
        }
    }

    /// The same edges with a rim of the page's colour, seen on the dark end of a ramp as on its light end.
    pub(crate) fn edges_on_ramp<K: PartialEq>(
        &self,
        picture: &mut Picture,
        width: f32,
        theme: &Theme,
        key: impl Fn(u32, u32) -> K,
    ) {
        self.edges(picture, Stroke::new(width + 2.0, theme.page), &key);
        self.edges(picture, Stroke::new(width, theme.ink), &key);
    }

    /// Draws the edges between cells whose keys differ, and around the map; edges in line become one line.
    pub(crate) fn edges<K: PartialEq>(&self, picture: &mut Picture, stroke: Stroke, key: impl Fn(u32, u32) -> K) {
        // Lines meet at their corners.
        let reach = stroke.width / 2.0;
        for [xs, ys] in self.bands() {
            // Where a region continues in the next band, its edge stays open.
            let at = |x: u32, y: u32| (x < self.width && y < self.height).then(|| key(x, y));
            let corner = |x: u32, y: u32| {
                let origin = self.place(xs[0], ys[0]).min;
                origin + vec2((x - xs[0]) as f32, (y - ys[0]) as f32) * self.cell
            };
            for x in xs[0]..=xs[1] {
                runs(
                    ys,
                    |y| at(x.wrapping_sub(1), y) != at(x, y),
                    |from, to| {
                        picture.line(corner(x, from) - vec2(0.0, reach), corner(x, to) + vec2(0.0, reach), stroke);
                    },
                );
            }
            for y in ys[0]..=ys[1] {
                runs(
                    xs,
                    |x| at(x, y.wrapping_sub(1)) != at(x, y),
                    |from, to| {
                        picture.line(corner(from, y) - vec2(reach, 0.0), corner(to, y) + vec2(reach, 0.0), stroke);
                    },
                );
            }
        }
    }
}

/// A walk through cells as lines from neighbour to neighbour, low in the cells so that numbers stay readable. Longer
/// steps are left out: the numbers show where it continues. `ink` is the text's colour on the cell of a step.
pub(crate) fn walk(picture: &mut Picture, cells: impl Iterator<Item = (Rect, Color32)>) {
    let mut line: Vec<Pos2> = Vec::new();
    let mut ink = Color32::TRANSPARENT;
    let mut flush = |line: &mut Vec<Pos2>, ink: Color32, width: f32| {
        let points = std::mem::take(line);
        if points.len() > 1 {
            picture.push(Shape::Line { points, stroke: Stroke::new(width, ink.gamma_multiply(0.4)) });
        }
    };
    let mut width = 1.0;
    for (cell, next_ink) in cells {
        let at = pos2(cell.center().x, cell.top() + cell.height() * 0.8);
        width = (cell.height() / 25.0).clamp(0.4, 1.2);
        let near = line.last().is_some_and(|last| (*last - at).abs().max_elem() < cell.width() * 1.5);
        if !near {
            flush(&mut line, ink, width);
        } else if next_ink != ink {
            // The step itself belongs to the line before.
            line.push(at);
            flush(&mut line, ink, width);
        }
        ink = next_ink;
        line.push(at);
    }
    flush(&mut line, ink, width);
}

/// The size of a number that fits into a cell.
pub(crate) fn number_size(cell: f32, number: &str) -> f32 {
    (cell * 0.44).min(14.0).min(cell * 0.86 / (number.len().max(1) as f32 * 0.602))
}

/// Calls `found` with the bounds of every run of a range for which `holds`.
fn runs([from, to]: [u32; 2], holds: impl Fn(u32) -> bool, mut found: impl FnMut(u32, u32)) {
    let mut start = None;
    for at in from..=to {
        match (start, at < to && holds(at)) {
            (None, true) => start = Some(at),
            (Some(first), false) => {
                found(first, at);
                start = None;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_maps_fold_and_nothing_overlaps() {
        for size in [[1024, 1], [1, 1024], [200, 3], [64, 1], [32, 32], [7, 5]] {
            let grid = Grid::new(Pos2::ZERO, size, 10.0).expect("not too large");
            let mut seen = std::collections::BTreeSet::new();
            for x in 0..size[0] {
                for y in 0..size[1] {
                    let at = grid.place(x, y).min;
                    assert!(seen.insert((at.x as i32, at.y as i32)), "{size:?} {x} {y}");
                    assert!(grid.bounds().contains_rect(grid.place(x, y)));
                }
            }
            assert!(grid.bounds().size().max_elem() < 1700.0, "{size:?}: {:?}", grid.bounds());
        }
        assert!(Grid::new(Pos2::ZERO, [u32::MAX, u32::MAX], 10.0).is_none());
        assert!(Grid::new(Pos2::ZERO, [0, 4], 10.0).is_none());
    }

    #[test]
    fn edges_in_line_are_one_line() {
        let grid = Grid::new(Pos2::ZERO, [4, 4], 10.0).expect("small");
        let mut picture = Picture::new("edges", Color32::WHITE);
        grid.edges(&mut picture, Stroke::new(2.0, Color32::BLACK), |x, _| x / 2);
        // Left, middle, right, top, bottom.
        assert_eq!(picture.items.len(), 5, "{:?}", picture.items);
        assert!(picture.items.iter().all(|item| matches!(item.shape, Shape::Line { .. })));
    }

    #[test]
    fn a_region_stays_open_where_it_goes_on_in_the_next_band() {
        let grid = Grid::new(Pos2::ZERO, [64, 1], 10.0).expect("small");
        let mut picture = Picture::new("edges", Color32::WHITE);
        grid.edges(&mut picture, Stroke::new(2.0, Color32::BLACK), |_, _| 0);
        // Left of the first band, right of the second, and above and below both.
        assert_eq!(picture.items.len(), 6, "{:?}", picture.items);
    }
}
