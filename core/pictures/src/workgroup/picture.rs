//! The lane map: one z slice of a workgroup as a grid, each invocation in its lane's colour and with its number.

use std::collections::{BTreeMap, BTreeSet};

use ecolor::Color32;
use emath::{Pos2, Rect, pos2, vec2};

use lanescope_core::workgroup::{Layout, Micro, tiles};

use super::facts::{Facts, Slice};
use super::grid::{FAR, Grid, MOST_CELLS, TITLE, head, number_size, walk};
use super::legend::LEGEND;
use crate::picture::{Anchor, Font, Mark, Picture, Stroke, clean, elide, text_width};
use crate::theme::Theme;

const MARGIN: f32 = 20.0;
/// Slices that are drawn at most.
const MOST_PAGES: u64 = 16;
/// Slices are beside each other up to this width.
const PAGES_WIDTH: f32 = 900.0;
/// Between slices.
const PAGE_GAP: emath::Vec2 = vec2(56.0, 44.0);
/// Above a slice, for its name.
const CAPTION: f32 = 20.0;
/// The title's height.
const HEADER: f32 = 74.0;
/// Above the numbers of a map without a title.
const UNTITLED: f32 = 12.0;
/// Between the map and its legend.
const LEGEND_GAP: f32 = 32.0;

/// Meaning of the colour of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorBy {
    /// Its wave.
    Wave,
    /// Its quad: four threads in a row.
    Quad,
    /// Its place in the hardware's order, from first to last.
    Order,
}

/// Which number is in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// The hardware thread in the group.
    Thread,
    /// The lane in its wave.
    Lane,
}

/// How a lane map is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapSettings {
    /// Meaning of the colours.
    pub color_by: ColorBy,
    /// Meaning of the numbers.
    pub numbers: Numbers,
    /// The slice that is drawn (the last one where the group has fewer); without one, all of them up to sixteen.
    pub z: Option<u32>,
    /// Where the legend is.
    pub legend: Legend,
}

/// Where the legend of a lane map is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Legend {
    /// Nowhere.
    None,
    /// To the right of the map.
    Beside,
    /// Under the map.
    Below,
}

impl Default for MapSettings {
    fn default() -> Self {
        MapSettings { color_by: ColorBy::Wave, numbers: Numbers::Thread, z: None, legend: Legend::Beside }
    }
}

/// What a map says of itself instead of the layout's own facts, and which invocations it marks.
pub struct Caption<'a> {
    /// The title.
    pub title: &'a str,
    /// The line below it.
    pub facts: &'a str,
    /// Invocations that are marked as wrong.
    pub wrong: &'a BTreeSet<[u32; 3]>,
}

/// Draws a layout as it is predicted: one z slice, or all of them.
pub fn picture(layout: &Layout, settings: &MapSettings, theme: &Theme) -> Picture {
    let [x, y, z] = layout.size;
    let title = format!("Lane map of {}: {x} x {y} x {z} in waves of {}", clean(&layout.entry), layout.wave);
    draw(layout, settings, theme, (title, Some(header(layout, settings, theme))), &BTreeSet::new())
}

/// Draws the map alone, whose title is above it elsewhere. `name` begins the picture's name.
pub fn untitled(layout: &Layout, settings: &MapSettings, theme: &Theme, name: &str) -> Picture {
    let [x, y, z] = layout.size;
    let title = format!("{name} lane map: {x} x {y} x {z} in subgroups of {}", layout.wave);
    draw(layout, settings, theme, (title, None), &BTreeSet::new())
}

/// Like the above, for a map that is not the layout's prediction.
pub fn captioned(layout: &Layout, settings: &MapSettings, theme: &Theme, caption: &Caption<'_>) -> Picture {
    let mut header = Picture::new("", theme.page);
    head(&mut header, MARGIN, caption.title, caption.facts, theme);
    let [x, y, z] = layout.size;
    let title = format!("{} lane map: {x} x {y} x {z} in subgroups of {}", caption.title, layout.wave);
    draw(layout, settings, theme, (title, Some(header)), caption.wrong)
}

fn draw(
    layout: &Layout,
    settings: &MapSettings,
    theme: &Theme,
    (title, header): (String, Option<Picture>),
    wrong: &BTreeSet<[u32; 3]>,
) -> Picture {
    let [x, y, z] = layout.size;
    let mut picture = Picture::new(title, theme.page);
    let scale = text_scale(layout);
    let mut corner = pos2(MARGIN - 6.0, UNTITLED);
    if let Some(header) = header {
        picture.append(&header, Pos2::ZERO, scale);
        corner.y = HEADER * scale;
    }
    let cell = cell_size([x, y]);
    let Some(first) = Grid::new(corner, [x, y], cell) else {
        let text = if x == 0 || y == 0 { "The group is empty." } else { "The group is too large to draw." };
        picture.words(corner + vec2(6.0, 16.0), 13.0, theme.warn, text);
        picture.fit(MARGIN);
        return picture;
    };
    let pages = pages(settings, layout);
    let captioned = pages.len() > 1;
    let size = first.bounds().size() + PAGE_GAP;
    let across = ((PAGES_WIDTH / size.x) as usize).clamp(1, pages.len().max(1));
    let mut maps = Vec::new();
    let mut right = first.bounds().right();
    for (index, z) in pages.iter().enumerate() {
        let caption = if captioned { CAPTION } else { 0.0 };
        let shift = vec2((index % across) as f32 * size.x, (index / across) as f32 * (size.y + caption) + caption);
        let Some(grid) = Grid::new(corner + shift, [x, y], cell) else { continue };
        right = right.max(grid.bounds().right());
        if captioned {
            let at = grid.bounds().left_top() - vec2(0.0, 30.0);
            picture.text(at, Anchor::Start, 12.0, Font::Code, theme.ink, &format!("z = {z}"));
        }
        grid.axes(&mut picture, theme);
        match Slice::new(layout, *z, MOST_CELLS) {
            Some(threads) => {
                let map = Map { layout, settings, theme, grid, slice: *z, threads };
                map.cells(&mut picture);
                map.lines(&mut picture);
                map.wrong(&mut picture, wrong);
                maps.push(map);
            }
            None => without_map(&mut picture, layout, &grid, theme),
        }
    }
    let left = first.bounds().left();
    let legend = match maps.first() {
        Some(map) => map.legend(&all_waves(&maps), captioned, (right - left) / scale),
        None => explain(layout, theme),
    };
    let bottom = maps.last().map_or(first, |map| map.grid).bounds().bottom();
    match settings.legend {
        Legend::Beside => picture.append(&legend, pos2(right + LEGEND_GAP, first.bounds().top()), scale),
        Legend::Below => picture.append(&legend, pos2(left, bottom + 24.0), scale),
        Legend::None if maps.is_empty() => picture.append(&legend, pos2(left, bottom + 24.0), scale),
        Legend::None => {}
    }
    let drawn = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    if settings.z.is_none() && drawn < z {
        let bottom = picture.items.iter().fold(0.0_f32, |far, item| far.max(item.bounds.bottom()));
        let text = format!("… and {} more slices", z - drawn);
        picture.words(pos2(MARGIN, bottom + 20.0), 12.0, theme.warn, &text);
    }
    picture.fit(MARGIN);
    picture
}

/// A cell's side: smaller ones for larger groups.
fn cell_size([x, y]: [u32; 2]) -> f32 {
    match x.max(y) {
        0..=8 => 38.0,
        9..=32 => 30.0,
        _ if x.min(y) <= 4 => 28.0,
        33..=64 => 24.0,
        65..=128 => 12.0,
        _ => 6.0,
    }
}

/// Title and legend grow with the map: a large one is looked at from further away.
fn text_scale(layout: &Layout) -> f32 {
    let [x, y, _] = layout.size;
    let map = Grid::new(Pos2::ZERO, [x, y], cell_size([x, y])).map_or(0.0, |grid| grid.bounds().width());
    (map / 560.0).clamp(1.0, 1.7)
}

/// Where the legend leaves more space to one slice of the map, in a tab of that size: beside it unless that makes it
/// smaller than life.
pub fn roomier_legend(layout: &Layout, tab: emath::Vec2) -> Legend {
    let [x, y, _] = layout.size;
    let Some(grid) = Grid::new(pos2(MARGIN - 6.0, HEADER), [x, y], cell_size([x, y])) else { return Legend::Below };
    let map = grid.bounds().max;
    let beside = tab.x / (map.x + LEGEND_GAP + LEGEND * text_scale(layout) + MARGIN);
    if beside >= (tab.y / (map.y + MARGIN)).min(1.0) { Legend::Beside } else { Legend::Below }
}

/// The slices that are drawn.
fn pages(settings: &MapSettings, layout: &Layout) -> Vec<u32> {
    let [x, y, z] = layout.size;
    match settings.z {
        Some(page) => vec![page.min(z.saturating_sub(1))],
        None => {
            let cells = (u64::from(x) * u64::from(y)).max(1);
            // A group without lanes is the same on every slice.
            let most = if layout.lanes.is_some() { (MOST_CELLS / cells).clamp(1, MOST_PAGES) } else { 1 };
            (0..z.max(1)).take(most as usize).collect()
        }
    }
}

/// Where every wave lies in the slices that are drawn.
fn all_waves(maps: &[Map<'_>]) -> BTreeMap<u32, WavePlace> {
    let mut all: BTreeMap<u32, WavePlace> = BTreeMap::new();
    for map in maps {
        for (wave, place) in map.waves() {
            match all.get_mut(&wave) {
                None => {
                    all.insert(wave, place);
                }
                Some(seen) => {
                    for axis in 0..3 {
                        seen.from[axis] = seen.from[axis].min(place.from[axis]);
                        seen.to[axis] = seen.to[axis].max(place.to[axis]);
                    }
                    seen.lanes += place.lanes;
                }
            }
        }
    }
    all
}

fn header(layout: &Layout, settings: &MapSettings, theme: &Theme) -> Picture {
    let mut picture = Picture::new("", theme.page);
    let [x, y, z] = layout.size;
    let title = format!("Workgroup of {}", elide(&clean(&layout.entry), Font::Words, TITLE, 260.0));
    let tiles = tiles(layout.micro, layout.macro_tile);
    let mut facts = format!("{} {x}×{y}×{z} · predicted for wave{} · {tiles}", layout.stage, layout.wave);
    if layout.size != layout.declared_size {
        let [x, y, z] = layout.declared_size;
        facts.push_str(&format!(" · declared {x}×{y}×{z}"));
    }
    head(&mut picture, MARGIN, &title, &facts, theme);
    if let Some(page) = settings.z.filter(|_| z > 1) {
        let slice = page.min(z - 1);
        let width = text_width(&title, Font::Words, TITLE);
        let page = format!("z = {slice} of 0..{}", z - 1);
        picture.text(pos2(MARGIN + width + 16.0, 28.5), Anchor::Start, 13.0, Font::Code, theme.ink, &page);
    }
    picture
}

/// One slice of a lane map.
pub(crate) struct Map<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) settings: &'a MapSettings,
    pub(crate) theme: &'a Theme,
    grid: Grid,
    slice: u32,
    threads: Slice,
}

impl Map<'_> {
    fn facts(&self, x: u32, y: u32) -> Option<Facts> {
        self.threads.thread(x, y).map(|thread| Facts::new(self.layout, thread, [x, y, self.slice]))
    }

    fn wave(&self, x: u32, y: u32) -> Option<u32> {
        self.facts(x, y).map(|facts| facts.wave)
    }

    pub(crate) fn last_thread(&self) -> u32 {
        let count = self.layout.lanes.as_ref().map_or(0, Vec::len);
        u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX)
    }

    fn look(&self, facts: &Facts) -> (Color32, Color32) {
        match self.settings.color_by {
            ColorBy::Wave => (self.theme.series(spread(facts.wave)).fill, self.theme.ink),
            ColorBy::Quad => (self.theme.series(spread(facts.quad)).fill, self.theme.ink),
            ColorBy::Order => self.theme.ramp(facts.thread as f32 / self.last_thread().max(1) as f32),
        }
    }

    fn cells(&self, picture: &mut Picture) {
        // All grounds first: they become one mesh in the window.
        let all = || (0..self.threads.height).flat_map(|y| (0..self.threads.width).map(move |x| (x, y)));
        let gap = if self.grid.cell >= 12.0 { 0.5 } else { 0.0 };
        for (x, y) in all() {
            let rect = self.grid.place(x, y).shrink(gap);
            let fill = self.facts(x, y).map_or(self.theme.page, |facts| self.look(&facts).0);
            picture.rect(rect, fill, Stroke::NONE, 0).mark(Mark::Invocation([x, y, self.slice]));
        }
        if self.settings.color_by == ColorBy::Order {
            self.path(picture);
        }
        if self.grid.cell < 16.0 {
            return;
        }
        for (x, y) in all() {
            let Some(facts) = self.facts(x, y) else { continue };
            let number = match self.settings.numbers {
                Numbers::Thread => facts.thread,
                Numbers::Lane => facts.lane,
            };
            let (number, cell) = (number.to_string(), self.grid.place(x, y));
            let ink = self.look(&facts).1;
            let size = number_size(self.grid.cell, &number);
            picture.text(cell.center(), Anchor::Middle, size, Font::Code, ink, &number).from_zoom(FAR);
            if facts.lane == 0 && self.grid.cell >= 24.0 {
                let at = cell.left_top() + vec2(4.0, 5.5);
                picture.text(at, Anchor::Start, 7.0, Font::Code, ink, &format!("w{}", facts.wave)).from_zoom(0.9);
            }
        }
    }

    /// The walk from thread to thread within this slice.
    fn path(&self, picture: &mut Picture) {
        let Some(lanes) = &self.layout.lanes else { return };
        let cells = lanes.iter().filter(|id| id[2] == self.slice).filter_map(|[x, y, _]| {
            let facts = self.facts(*x, *y)?;
            Some((self.grid.place(*x, *y), self.look(&facts).1))
        });
        walk(picture, cells);
    }

    fn lines(&self, picture: &mut Picture) {
        if self.layout.micro != Micro::None && self.grid.cell >= 12.0 {
            let stroke = Stroke::new(1.3, self.theme.outline);
            self.grid.edges(picture, stroke, |x, y| self.facts(x, y).map(|facts| facts.quad));
        }
        let width = if self.grid.cell >= 12.0 { 3.0 } else { 1.5 };
        if self.settings.color_by == ColorBy::Order {
            self.grid.edges_on_ramp(picture, width, self.theme, |x, y| self.wave(x, y));
        } else {
            self.grid.edges(picture, Stroke::new(width, self.theme.ink), |x, y| self.wave(x, y));
        }
        // From afar a wave is named where its cells' numbers cannot be read.
        for (wave, place) in self.waves() {
            let at = place.cells.center();
            let size = (place.cells.width().min(place.cells.height()) * 0.5).clamp(8.0, 30.0);
            let (ink, text) = (self.theme.ink, format!("w{wave}"));
            let ink = if self.settings.color_by == ColorBy::Order { Color32::WHITE } else { ink };
            picture.text(at, Anchor::Middle, size, Font::Code, ink, &text).below_zoom(FAR);
        }
    }

    /// Marks invocations as wrong: a frame, and a sign on a ground of its own.
    fn wrong(&self, picture: &mut Picture, wrong: &BTreeSet<[u32; 3]>) {
        for [x, y, _] in wrong.iter().filter(|id| id[2] == self.slice) {
            if *x >= self.threads.width || *y >= self.threads.height {
                continue;
            }
            let cell = self.grid.place(*x, *y);
            let stroke = Stroke::new(2.5, self.theme.warn);
            picture.rect(cell.shrink(2.0), Color32::TRANSPARENT, stroke, 0);
            if self.grid.cell >= 24.0 {
                let badge = Rect::from_min_size(cell.right_top() + vec2(-13.0, 1.0), vec2(12.0, 12.0));
                picture.rect(badge, self.theme.page, Stroke::NONE, 0);
                picture.text(badge.center(), Anchor::Middle, 11.0, Font::Code, self.theme.warn, "≠");
            }
        }
    }

    fn waves(&self) -> BTreeMap<u32, WavePlace> {
        let mut waves: BTreeMap<u32, WavePlace> = BTreeMap::new();
        for y in 0..self.threads.height {
            for x in 0..self.threads.width {
                let Some(wave) = self.wave(x, y) else { continue };
                let cells = self.grid.place(x, y);
                let place = waves.entry(wave).or_insert(WavePlace {
                    from: [x, y, self.slice],
                    to: [x, y, self.slice],
                    lanes: 0,
                    cells: Rect::NOTHING,
                });
                for (axis, at) in [x, y].into_iter().enumerate() {
                    place.from[axis] = place.from[axis].min(at);
                    place.to[axis] = place.to[axis].max(at);
                }
                place.lanes += 1;
                place.cells = place.cells.union(cells);
            }
        }
        waves
    }
}

/// The colour of the `index`-th region: shifted each time they repeat, so that rows of eight do not line up.
pub(crate) fn spread(index: u32) -> usize {
    let index = index as usize;
    index + index / crate::theme::SERIES
}

/// Where a wave lies.
pub(crate) struct WavePlace {
    pub(crate) from: [u32; 3],
    pub(crate) to: [u32; 3],
    pub(crate) lanes: u32,
    cells: Rect,
}

/// A group whose lanes the compiler does not lay out: its cells, and the hardware's tiles.
fn without_map(picture: &mut Picture, layout: &Layout, grid: &Grid, theme: &Theme) {
    let [width, height, _] = layout.size;
    for y in 0..height {
        for x in 0..width {
            picture.rect(grid.place(x, y).shrink(0.5), theme.panel, Stroke::NONE, 0);
        }
    }
    if let Some(log2) = layout.interleave {
        let tile = log2.map(tile_side);
        let stroke = Stroke::new(2.0, theme.ink);
        grid.edges(picture, stroke, |cx, cy| [u64::from(cx) / tile[0], u64::from(cy) / tile[1]]);
    }
}

fn tile_side(log2: u32) -> u64 {
    1_u64.checked_shl(log2).unwrap_or(u64::MAX)
}

/// Why there are no lanes.
fn explain(layout: &Layout, theme: &Theme) -> Picture {
    let mut picture = Picture::new("", theme.page);
    let lines: Vec<String> = match layout.interleave {
        Some([x, y]) => vec![
            format!("x_interleave = {x}"),
            format!("y_interleave = {y}"),
            String::new(),
            format!("The hardware assigns ids in tiles of {}×{}.", tile_side(x), tile_side(y)),
            "The compiler does not define the order inside a tile,".to_owned(),
            "so lanes are not shown.".to_owned(),
        ],
        None => {
            vec!["No lane map: the compiler does not lay out".to_owned(), "this group on this target.".to_owned()]
        }
    };
    for (index, text) in lines.iter().enumerate() {
        let at = pos2(0.0, 6.0 + 20.0 * index as f32);
        if text.contains('=') {
            picture.text(at, Anchor::Start, 13.0, Font::Code, theme.ink, text);
        } else {
            picture.words(at, 12.0, theme.ink_soft, text);
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;
    use crate::picture::{png, svg};

    #[test]
    fn draws_the_8x8_group_with_quads() {
        insta::assert_snapshot!(svg(&picture(&gallery::quads_8x8(), &MapSettings::default(), &Theme::light())));
    }

    #[test]
    fn every_invocation_can_be_hit() {
        let layout = gallery::layout([6, 4, 2], 32, Micro::Quads, lanescope_core::workgroup::Macro::None);
        for z in 0..2 {
            let picture = picture(&layout, &MapSettings { z: Some(z), ..MapSettings::default() }, &Theme::dark());
            for (x, y) in (0..6).flat_map(|x| (0..4).map(move |y| (x, y))) {
                let mark = Mark::Invocation([x, y, z]);
                let place = picture.place(mark).expect("a cell");
                assert_eq!(picture.hit(place.center()), Some(mark));
            }
        }
    }

    #[test]
    fn without_a_page_every_slice_is_drawn() {
        let layout = gallery::layout([4, 4, 20], 32, Micro::None, lanescope_core::workgroup::Macro::None);
        let all = picture(&layout, &MapSettings::default(), &Theme::light());
        for z in 0..20 {
            let place = all.place(Mark::Invocation([3, 3, z]));
            assert_eq!(place.is_some(), z < 16, "slice {z}");
        }
        assert!(svg(&all).contains("… and 4 more slices"));
        let cells: Vec<_> = all.items.iter().filter(|item| item.mark.is_some()).map(|item| item.bounds).collect();
        let apart = |a: &Rect, b: &Rect| !a.shrink(1.0).intersects(*b);
        assert!(cells.iter().enumerate().all(|(index, a)| cells[index + 1..].iter().all(|b| apart(a, b))));
    }

    #[test]
    fn distinguishes_waves_without_colour() {
        let picture = picture(&gallery::strips_16x16(64), &MapSettings::default(), &Theme::light());
        let thick = picture.items.iter().filter(|item| match &item.shape {
            crate::picture::Shape::Line { stroke, points } => stroke.width == 3.0 && points[0].x < 540.0,
            _ => false,
        });
        // Four waves in a square: two lines across, and four around.
        assert_eq!(thick.count(), 6);
        let text = svg(&picture);
        assert!((0..4).all(|wave| text.contains(&format!(">w{wave}</text>"))), "{text}");
    }

    #[test]
    fn draws_hostile_layouts_within_bounds() {
        let base = gallery::quads_8x8();
        let sizes = [[0, 0, 0], [8, 0, 1], [u32::MAX; 3], [65_536, 1, 1], [1, 65_536, 1], [256, 256, 1], [3, 3, 3]];
        for size in sizes {
            for lanes in [None, base.lanes.clone(), Some(vec![[u32::MAX; 3]; 100])] {
                for interleave in [None, Some([u32::MAX, 3])] {
                    let layout = Layout { size, lanes: lanes.clone(), interleave, wave: 0, ..base.clone() };
                    let settings =
                        MapSettings { color_by: ColorBy::Order, z: Some(u32::MAX), ..MapSettings::default() };
                    let picture = picture(&layout, &settings, &Theme::light());
                    assert!(picture.size.max_elem() < 150_000.0, "{size:?}: {}", picture.size);
                }
            }
        }
        let small = picture(&base, &MapSettings::default(), &Theme::dark());
        assert!(png(&small, 1.0).is_ok());
    }
}
