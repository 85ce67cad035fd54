//! The workgroup: what decides its layout, and the lane map with quads outlined, a z slice at a time; what was measured
//! beside what was predicted.

use std::collections::BTreeSet;

use lanescope_core::cost::{Cost, LayoutCost, MemoryKind};
use lanescope_core::report::Report;
use lanescope_core::run::Probe;
use lanescope_core::table::Meaning;
use lanescope_core::workgroup::{LaneMap, Layout, explain};

use super::super::pane::{Change, Link, Row};
use super::super::views::Views;
use super::{Rows, Section, beside, wrap};
use lanescope_workbench::state::program::OpenProgram;

/// Invocations of a slice that are drawn at most.
const MOST_CELLS: usize = 1 << 14;
/// How to see why an invocation runs in its lane.
const HINT: &str = " Enter explains a lane.";
/// From this width on two maps are beside each other.
const WIDE: usize = 110;

/// The workgroups of a report: facts, decisions, the map.
pub fn workgroup(out: &mut Rows, report: &Report, views: &Views, selected: Option<[u32; 3]>) {
    for layout in &report.workgroup {
        out.section(Section::Workgroup(layout));
        if let Some(map) = Map::of(layout) {
            map.draw(out, views.slice, "");
            explained(out, layout, selected);
        }
        out.section(Section::Decisions(layout));
        out.section(Section::Waves(layout, &|wave| letter(u32::try_from(wave).unwrap_or(u32::MAX))));
    }
    out.section(Section::Groups(report));
}

/// Why the selected invocation runs in its lane: the arithmetic with its numbers.
fn explained(out: &mut Rows, layout: &Layout, selected: Option<[u32; 3]>) {
    let dim = out.style.meaning(Meaning::Dimmed);
    let Some(found) = selected.and_then(|at| explain(layout, at)) else {
        // After what the map says of itself, where there is room.
        let about = out.rows.last_mut().filter(|row| row.width() + HINT.len() <= out.width);
        return about.into_iter().for_each(|row| *row = std::mem::take(row).with(dim, HINT, None));
    };
    let [x, y, z] = found.invocation;
    let note =
        format!("wave {}, lane {}, quad {}, place {} of 4", found.wave, found.lane, found.quad, found.quad_place);
    out.section(Section::Heading(&format!("Invocation ({x}, {y}, {z})"), &note));
    let facts = found.facts(layout.wave).map(|(name, value)| format!("{name} = {value}"));
    for text in facts.into_iter().chain(found.steps.iter().map(ToString::to_string)) {
        let lines = wrap(&text, out.width.saturating_sub(2));
        out.rows.extend(lines.into_iter().map(|text| Row::default().with(dim, format!("  {text}"), None)));
    }
}

/// A measurement beside the prediction for the measured subgroup size.
pub fn measured(out: &mut Rows, program: &OpenProgram, views: &Views) {
    let task = &program.results.probe;
    if program.frozen || !out.task(task, "Measuring", "m measures the map on a device.") {
        return;
    }
    let Some(probe) = task.done() else { return };
    out.section(Section::Heading("Measured", &probe.device));
    out.section(Section::Probe(probe));
    let maps = [(measured_map(probe), "Measured"), (predicted_map(probe), "Predicted")];
    let width = if out.width >= WIDE { (out.width - 3) / 2 } else { out.width };
    let [left, right] = maps.map(|(map, title)| {
        let mut half = out.narrower(width);
        map.draw(&mut half, views.slice, title);
        half.rows
    });
    if out.width >= WIDE {
        out.rows.extend(beside(left, right, width, out.style.meaning(Meaning::Dimmed)));
    } else {
        out.rows.extend(left.into_iter().chain(right));
    }
}

/// What runs one invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    pub wave: u32,
    /// Its lane; of other faces what an access touches, where it runs.
    number: Option<u32>,
    /// Equal in cells that have no line between them.
    pub quad: u32,
}

/// What the cells of a map show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Face {
    /// The wave as a letter, and the lane.
    #[default]
    Waves,
    /// The cache line that an access touches.
    Lines,
    /// The bank of LDS.
    Banks,
}

/// Which lane runs each invocation.
#[derive(Default)]
pub struct Map {
    size: [u32; 3],
    /// At `(z * Y + y) * X + x`.
    cells: Vec<Option<Cell>>,
    wrong: BTreeSet<[u32; 3]>,
    face: Face,
}

impl Map {
    fn empty(size: [u32; 3]) -> Option<Map> {
        let count = size.iter().try_fold(1u32, |product, side| product.checked_mul(*side))?;
        let count = usize::try_from(count).ok().filter(|count| *count <= 1 << 16)?;
        Some(Map { size, cells: vec![None; count], wrong: BTreeSet::new(), face: Face::Waves })
    }

    fn index(&self, [x, y, z]: [u32; 3]) -> Option<usize> {
        let [width, height, depth] = self.size;
        if x >= width || y >= height || z >= depth {
            return None;
        }
        usize::try_from((u64::from(z) * u64::from(height) + u64::from(y)) * u64::from(width) + u64::from(x)).ok()
    }

    fn put(&mut self, at: [u32; 3], cell: Cell) {
        if let Some(slot) = self.index(at).and_then(|index| self.cells.get_mut(index)) {
            *slot = Some(cell);
        }
    }

    /// What runs an invocation.
    pub fn at(&self, at: [u32; 3]) -> Option<Cell> {
        self.cells.get(self.index(at)?).copied().flatten()
    }

    /// The map of threads to invocations.
    fn of_threads(size: [u32; 3], wave: u32, threads: &[[u32; 3]]) -> Option<Map> {
        let mut map = Map::empty(size)?;
        let wave = wave.max(1);
        for (thread, at) in (0u32..).zip(threads) {
            map.put(*at, Cell { wave: thread / wave, number: Some(thread % wave), quad: thread / 4 });
        }
        Some(map)
    }

    /// The map of a layout, where it is known.
    pub fn of(layout: &Layout) -> Option<Map> {
        Map::of_threads(layout.size, layout.wave, layout.lanes.as_deref()?)
    }

    /// The map of what an access touches, with lines between waves.
    pub fn of_access(cost: &Cost, layout: &LayoutCost, access: usize) -> Option<Map> {
        let lanes = LaneMap::new(layout.micro, layout.macro_tile, cost.size)?;
        let mut map = Map::empty(cost.size)?;
        let is_shared = cost.accesses.get(access).is_some_and(|site| site.memory == MemoryKind::Shared);
        map.face = if is_shared { Face::Banks } else { Face::Lines };
        for (thread, at) in (0u32..).zip(lanes.invocations()) {
            let wave = thread / cost.wave.max(1);
            map.put(at, Cell { wave, number: cost.touched(access, at), quad: wave });
        }
        Some(map)
    }

    /// Draws one slice. Quads of two by two have an outline, four in a row have lines between them.
    pub fn draw(&self, out: &mut Rows, slice: u32, title: &str) {
        let [width, height, depth] = self.size;
        let z = slice.min(depth.saturating_sub(1));
        let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
        let strong = out.style.meaning(Meaning::Strong);
        let slice_cells = usize::try_from(u64::from(width) * u64::from(height)).unwrap_or(usize::MAX);
        if slice_cells > MOST_CELLS {
            return out.prose(&format!("{slice_cells} invocations are too many to draw."));
        }
        if depth > 1 {
            let page = |z: u32| Some(Link::Change(Change::Slice(z)));
            let row = Row::default().with(strong, format!(" {}  ", format!("{title} z {z} of {depth}").trim()), None);
            let row = row.with(plain, "← previous", page(z.checked_sub(1).unwrap_or(depth - 1)));
            out.rows.push(row.with(plain, "   ", None).with(plain, "next →", page((z + 1) % depth)));
        } else if !title.is_empty() {
            out.rows.push(Row::default().with(strong, format!(" {title}"), None));
        }
        let Some(grid) = Grid::new(self, z, out.width) else {
            return out.prose("A wider terminal shows the map.");
        };
        let head = Row::default().with(dim, grid.columns(), None);
        out.rows.push(head);
        for y in 0..height {
            if grid.lined && (y == 0 || grid.has_rule(y)) {
                out.rows.push(Row::default().with(dim, grid.rule(y), None));
            }
            let mut row = Row::default().with(dim, format!("{y:>margin$} ", margin = grid.margin), None);
            for x in 0..width {
                let at = [x, y, z];
                if grid.lined {
                    row = row.with(dim, if grid.is_edge(x, y) { "│" } else { " " }, None);
                }
                let text = grid.text(self.at(at));
                let heat = self.at(at).and_then(|cell| out.look.heat(grid.heat(cell)?));
                let style = match self.at(at) {
                    _ if self.wrong.contains(&at) => out.style.meaning(Meaning::Changed),
                    Some(_) if heat.is_some() => heat.unwrap_or_default(),
                    Some(Cell { wave, .. }) if self.face == Face::Waves => {
                        out.style.meaning(Meaning::Item(wave as usize))
                    }
                    Some(Cell { number: Some(number), .. }) => out.style.meaning(Meaning::Item(number as usize)),
                    Some(_) | None => dim,
                };
                let link = self.at(at).map(|_| Link::Invocation(at));
                row = row.with(style, text, link);
            }
            if grid.lined {
                row = row.with(dim, "│", None);
            }
            out.rows.push(row);
        }
        if grid.lined {
            out.rows.push(Row::default().with(dim, grid.rule(height), None));
        }
        out.rows.push(Row::default().with(dim, format!(" {}", grid.about()), None));
        if let Some([first, last]) = grid.ends().filter(|_| out.look.heat(0.0).is_some()) {
            let ramp = (0..=6).filter_map(|step| out.look.heat(step as f32 / 6.0));
            let row = Row::default().with(dim, format!(" {first} "), None);
            let row = ramp.fold(row, |row, style| row.with(style, "  ", None));
            out.rows.push(row.with(dim, format!(" {last}"), None));
        }
    }
}

/// How a slice is drawn.
struct Grid<'m> {
    map: &'m Map,
    z: u32,
    margin: usize,
    /// Columns of a cell.
    cell: usize,
    letters: usize,
    /// Columns of a lane's number.
    digits: usize,
    /// The highest wave, and the highest lane or line.
    most: [u32; 2],
    /// Lines separate quads.
    lined: bool,
    /// A quad has more than one row.
    squares: bool,
}

impl Grid<'_> {
    /// None where not even the numbers of lines fit.
    fn new(map: &Map, z: u32, room: usize) -> Option<Grid<'_>> {
        let [width, height, _] = map.size;
        let digits = |n: u32| n.to_string().len();
        let margin = digits(height.saturating_sub(1)).max(1);
        let known = || map.cells.iter().flatten();
        let waves = known().map(|cell| cell.wave).max().unwrap_or(0);
        let lanes = known().filter_map(|cell| cell.number).max().unwrap_or(0);
        let letters = if map.face == Face::Waves { letter(waves).len() } else { 0 };
        let across = usize::try_from(width).unwrap_or(usize::MAX);
        let fits = |cell: usize, lined: bool| {
            let each = cell + usize::from(lined);
            across.saturating_mul(each).saturating_add(margin + 2) <= room
        };
        let whole = letters + digits(lanes);
        let choices = [(whole, true), (whole + 1, false), (whole, false), (letters, true), (letters, false)];
        let of_face = choices.into_iter().take(if letters == 0 { 3 } else { choices.len() });
        let found = of_face.into_iter().find(|(cell, lined)| fits(*cell, *lined));
        let (cell, lined) = found.or((letters > 0).then_some((letters, false)))?;
        let digits = digits(lanes);
        let mut grid = Grid { map, z, margin, cell, letters, digits, most: [waves, lanes], lined, squares: false };
        grid.squares = lined && (1..height).any(|y| (0..width).any(|x| !grid.is_above(x, y)));
        Some(grid)
    }

    fn quad(&self, x: Option<u32>, y: Option<u32>) -> Option<(u32, u32)> {
        let cell = self.map.at([x?, y?, self.z])?;
        Some((cell.wave, cell.quad))
    }

    /// Whether a line is at the left of a cell.
    fn is_edge(&self, x: u32, y: u32) -> bool {
        self.quad(x.checked_sub(1), Some(y)) != self.quad(Some(x), Some(y)) || x == 0
    }

    /// Whether a line is above a cell.
    fn is_above(&self, x: u32, y: u32) -> bool {
        let [_, height, _] = self.map.size;
        y == 0 || y >= height || self.quad(Some(x), y.checked_sub(1)) != self.quad(Some(x), Some(y))
    }

    /// Whether a rule is drawn above a row: where a quad ends, and another one does not. Quads in one row need none.
    fn has_rule(&self, y: u32) -> bool {
        let [width, _, _] = self.map.size;
        self.squares && (0..width).any(|x| self.is_above(x, y))
    }

    /// The numbers of the columns: of each, or of every eighth where a cell is narrower than a number.
    fn columns(&self) -> String {
        let [width, _, _] = self.map.size;
        let each = self.cell + usize::from(self.lined);
        let is_wide = width.saturating_sub(1).to_string().len() <= self.cell;
        let mut out = " ".repeat(self.margin + 1);
        let first = out.len();
        for x in (0..width).step_by(if is_wide { 1 } else { 8 }) {
            // Where the cell begins, after its line.
            let at = first + x as usize * each + usize::from(self.lined);
            let number = if is_wide { format!("{x:>cell$}", cell = self.cell) } else { x.to_string() };
            out.extend(std::iter::repeat_n(' ', at.saturating_sub(out.len())));
            out.push_str(&number);
        }
        out
    }

    /// The rule above a row.
    fn rule(&self, y: u32) -> String {
        let [width, height, _] = self.map.size;
        let mut out = " ".repeat(self.margin + 1);
        for x in 0..=width {
            let up = y > 0 && (x == width || self.is_edge(x, y - 1));
            let down = y < height && (x == width || self.is_edge(x, y));
            let left = x > 0 && self.is_above(x - 1, y);
            let right = x < width && self.is_above(x, y);
            out.push(super::canvas::corner(up, down, left, right));
            if x < width {
                out.push_str(&(if right { "─" } else { " " }).repeat(self.cell));
            }
        }
        out
    }

    fn text(&self, cell: Option<Cell>) -> String {
        let wide = self.cell;
        match cell {
            Some(Cell { number: None, .. }) | None => format!("{:>wide$}", "·"),
            Some(Cell { number: Some(number), .. }) if self.map.face != Face::Waves => format!("{number:>wide$}"),
            Some(cell) if wide <= self.letters => format!("{:>wide$}", letter(cell.wave)),
            Some(cell) => {
                let lane = cell.number.unwrap_or_default();
                let name = format!("{}{lane:0digits$}", letter(cell.wave), digits = self.digits);
                format!("{name:>wide$}")
            }
        }
    }

    /// Where a cell is from the first to the last, from 0 to 1: of lanes in the order of waves, of lines by number.
    fn heat(&self, cell: Cell) -> Option<f32> {
        let [wave, number] = self.most;
        let (at, last) = match self.map.face {
            Face::Waves => {
                let lanes = number.saturating_add(1);
                let of = |wave: u32, lane: u32| wave.saturating_mul(lanes).saturating_add(lane);
                (of(cell.wave, cell.number?), of(wave, number))
            }
            Face::Lines => (cell.number?, number),
            Face::Banks => return None,
        };
        Some(at as f32 / last.max(1) as f32)
    }

    /// What the first and the last colour of the heat mean.
    fn ends(&self) -> Option<[&'static str; 2]> {
        match self.map.face {
            Face::Waves => Some(["first lane", "last lane"]),
            Face::Lines => Some(["first line", "last line"]),
            Face::Banks => None,
        }
    }

    fn about(&self) -> &'static str {
        match self.map.face {
            Face::Lines if self.lined => return "Cache line by number; waves are outlined.",
            Face::Lines => return "Cache line by number.",
            Face::Banks if self.lined => return "Bank of LDS; waves are outlined.",
            Face::Banks => return "Bank of LDS.",
            Face::Waves => {}
        }
        match (self.cell > self.letters, self.lined) {
            (true, true) => "Wave as a letter, then the lane; lines separate quads.",
            (true, false) => "Wave as a letter, then the lane.",
            (false, true) => "The wave as a letter; lines separate quads.",
            (false, false) => "The wave as a letter; a wider terminal shows lanes too.",
        }
    }
}

/// A wave's letters: `a` to `z`, `A` to `Z`, then `aa` and so on.
pub fn letter(wave: u32) -> String {
    let one = |at: u32| char::from_u32(if at < 26 { 'a' as u32 + at } else { 'A' as u32 + at - 26 }).unwrap_or('?');
    if wave < 52 { one(wave).to_string() } else { [one((wave / 52 - 1) % 52), one(wave % 52)].iter().collect() }
}

fn measured_map(probe: &Probe) -> Map {
    let mut map = Map::empty(probe.size).unwrap_or_default();
    for lane in &probe.lanes {
        // A quad is named by the least of its invocations; where it was not measured, by four lanes in a row.
        let quad = lane.quad.and_then(|quad| quad.into_iter().min()).unwrap_or(lane.lane / 4);
        map.put(lane.id, Cell { wave: lane.subgroup, number: Some(lane.lane), quad });
    }
    map.wrong = probe.disagreements.iter().map(|disagreement| disagreement.id).collect();
    map
}

fn predicted_map(probe: &Probe) -> Map {
    let wave = probe.subgroup_size;
    let map = Map::of_threads(probe.size, wave, &probe.predicted);
    let mut map = map.unwrap_or_default();
    map.wrong = probe.disagreements.iter().map(|disagreement| disagreement.id).collect();
    map
}

#[cfg(test)]
mod tests {
    use super::super::super::look::{Colors, Look};
    use super::*;

    fn drawn(map: &Map, width: usize) -> Vec<String> {
        let mut out = Rows::new(Look { colors: Colors::None, light: false, ascii: false }, width);
        map.draw(&mut out, 0, "");
        out.rows.iter().map(|row| row.text().trim_end().to_owned()).collect()
    }

    fn squares() -> Map {
        let mut map = Map::empty([4, 2, 1]).expect("small");
        for thread in 0..8u32 {
            let (quad, lane) = (thread / 4, thread % 4);
            map.put([quad * 2 + lane % 2, lane / 2, 0], Cell { wave: 0, number: Some(thread), quad });
        }
        map
    }

    #[test]
    fn quads_of_two_by_two_are_outlined() {
        let expected = [
            "    0  1  2  3",
            "  ┌─────┬─────┐",
            "0 │a0 a1│a4 a5│",
            "1 │a2 a3│a6 a7│",
            "  └─────┴─────┘",
            " Wave as a letter, then the lane; lines separate quads.",
        ];
        assert_eq!(drawn(&squares(), 60), expected);
    }

    #[test]
    fn narrow_maps_show_letters_only() {
        let expected = ["  0123", "0 aaaa", "1 aaaa", " The wave as a letter; a wider terminal shows lanes too."];
        assert_eq!(drawn(&squares(), 8), expected);
    }

    #[test]
    fn narrow_columns_have_whole_numbers() {
        let threads: Vec<[u32; 3]> = (0..32).map(|thread| [thread, 0, 0]).collect();
        let map = Map::of_threads([32, 1, 1], 32, &threads).expect("small");
        assert_eq!(drawn(&map, 40)[0], "  0       8       16      24");
        assert!(drawn(&map, 140)[0].starts_with("     0   1   2"), "{:?}", drawn(&map, 140));
    }

    #[test]
    fn rows_of_quads_have_no_rules_between_them() {
        let threads: Vec<[u32; 3]> = (0..16).map(|thread| [thread % 8, thread / 8, 0]).collect();
        let map = Map::of_threads([8, 2, 1], 32, &threads).expect("small");
        let lines = drawn(&map, 60);
        assert_eq!(lines.len(), 1 + 1 + 2 + 1 + 1, "{lines:#?}");
        assert!(lines[2].starts_with("0 │a00 a01 a02 a03│a04"), "{lines:#?}");
    }

    #[test]
    fn waves_have_letters() {
        assert_eq!([0, 25, 26, 51, 52, 104].map(letter), ["a", "z", "A", "Z", "aa", "ba"]);
    }

    #[test]
    fn absurd_sizes_are_not_drawn() {
        assert!(Map::empty([u32::MAX, 2, 2]).is_none() && Map::empty([1 << 10, 1 << 10, 1]).is_none());
    }
}
