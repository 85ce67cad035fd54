//! Small pictures of samples: slot grids and lane maps as letters, graphs as lines.

use std::collections::{BTreeMap, BTreeSet};

use emath::vec2;
use lanescope_core::graph::WorkGraph;
use lanescope_core::packing::Packing;
use lanescope_core::report::Report;
use lanescope_core::table::Meaning;
use lanescope_core::workgroup::{GroupMap, Layout};
use lanescope_pictures::graph::Drawing;
use lanescope_pictures::graph::layered::{self, Boxes};

use super::super::pane::Row;
use super::super::printable::line;
use super::Rows;
use super::canvas::Canvas;
use super::workgroup::{Map, letter};

/// Columns and rows of a picture, at most.
pub const SIZE: [usize; 2] = [24, 4];
/// Nodes of a graph that is drawn, at most.
const NODES: usize = 64;
/// Points of a column and of a row in the placement of graphs: its gaps become three columns and no row.
const POINT: [f32; 2] = [18.0, 20.0];

/// The picture that says most about a report; empty where it has none.
pub fn thumbnail(out: &Rows, report: &Report) -> Vec<Row> {
    let mut rows = match () {
        () if report.graph.is_some() => report.graph.as_ref().map(|is| graph(out, is)).unwrap_or_default(),
        () if report.packing.is_some() => report.packing.as_ref().map(|is| slots(out, is)).unwrap_or_default(),
        () if !report.workgroup.is_empty() => report.workgroup.first().map(|is| lanes(out, is)).unwrap_or_default(),
        () if report.group_map.is_some() => report.group_map.as_ref().map(|is| groups(out, is)).unwrap_or_default(),
        () => parts(out, report),
    };
    rows.truncate(SIZE[1]);
    rows.into_iter().map(|row| row.cut(SIZE[0])).collect()
}

/// The slots as written and packed; a letter is a variable.
fn slots(out: &Rows, packing: &Packing) -> Vec<Row> {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let mut scalars: Vec<_> = packing.interface.iter().collect();
    scalars.sort_by_key(|scalar| (scalar.location.0, scalar.component.0));
    for scalar in &scalars {
        let next = names.len();
        names.entry(scalar.variable.as_str()).or_insert(next);
    }
    let used: BTreeSet<_> = packing.map.iter().map(|is| (is.from.location.0, is.from.component.0)).collect();
    let number = |name: &str| names.get(name).copied().unwrap_or(0);
    let written = scalars.iter().map(|scalar| {
        let at = (scalar.location.0, scalar.component.0);
        (at, used.contains(&at).then(|| number(&scalar.variable)))
    });
    let packed = packing.map.iter().map(|is| ((is.to.location.0, is.to.component.0), Some(number(&is.variable))));
    let (left, right) = (grid(written), grid(packed));
    let dim = out.style.meaning(Meaning::Dimmed);
    (0..left.len().max(right.len()).min(SIZE[1]))
        .map(|at| {
            let row = cells(out, Row::default(), left.get(at));
            let row = row.with(dim, if at == 0 { "  →  " } else { "     " }, None);
            cells(out, row, right.get(at))
        })
        .collect()
}

/// Four cells of each location, without those that have none: a variable, or a scalar that is never read.
fn grid(scalars: impl Iterator<Item = ((u32, u8), Option<usize>)>) -> Vec<[Option<Option<usize>>; 4]> {
    let mut out: BTreeMap<u32, [Option<Option<usize>>; 4]> = BTreeMap::new();
    for ((location, component), variable) in scalars {
        if let Some(cell) = out.entry(location).or_default().get_mut(usize::from(component)) {
            *cell = Some(variable);
        }
    }
    out.into_values().collect()
}

fn cells(out: &Rows, mut row: Row, cells: Option<&[Option<Option<usize>>; 4]>) -> Row {
    let dim = out.style.meaning(Meaning::Dimmed);
    let Some(cells) = cells else { return row.with(dim, " ".repeat(8), None) };
    for cell in cells {
        row = match cell {
            Some(Some(variable)) => {
                let text = letter(u32::try_from(*variable).unwrap_or(0));
                row.with(out.style.meaning(Meaning::Item(*variable)), format!("{text:<2}"), None)
            }
            Some(None) => row.with(dim, "✗ ", None),
            None => row.with(dim, "· ", None),
        };
    }
    row
}

/// Every so many items of a side, so that at most `most` are drawn.
fn sampled(side: u32, most: usize) -> impl Iterator<Item = u32> {
    let most = u32::try_from(most).unwrap_or(1).max(1);
    (0..side).step_by(usize::try_from(side.div_ceil(most)).unwrap_or(1).max(1))
}

/// The lane map: a letter is a wave, or a quad where there is one wave.
fn lanes(out: &Rows, layout: &Layout) -> Vec<Row> {
    let Some(map) = Map::of(layout) else { return Vec::new() };
    let [width, height, _] = layout.size;
    let cells = || sampled(height, SIZE[1]).flat_map(|y| sampled(width, SIZE[0]).map(move |x| [x, y, 0]));
    let has_waves = cells().filter_map(|at| map.at(at)).any(|cell| cell.wave > 0);
    let row = |y: u32| {
        sampled(width, SIZE[0]).fold(Row::default(), |row, x| match map.at([x, y, 0]) {
            Some(cell) => {
                let number = if has_waves { cell.wave } else { cell.quad };
                row.with(out.style.meaning(Meaning::Item(number as usize)), letter(number % 52), None)
            }
            None => row.with(out.style.meaning(Meaning::Dimmed), "·", None),
        })
    };
    sampled(height, SIZE[1]).map(row).collect()
}

/// The order of workgroups: a letter is a tile's column.
fn groups(out: &Rows, map: &GroupMap) -> Vec<Row> {
    let [width, height, _] = map.groups;
    let row = |y: u32| {
        sampled(width, SIZE[0]).fold(Row::default(), |row, x| {
            let at = u64::from(y) * u64::from(width) + u64::from(x);
            let id = usize::try_from(at).ok().and_then(|at| map.ids.get(at)).copied().unwrap_or([x, y]);
            let number = id[0] / map.tile.max(1);
            row.with(out.style.meaning(Meaning::Item(number as usize)), letter(number % 52), None)
        })
    };
    sampled(height, SIZE[1]).map(row).collect()
}

/// The nodes, and the edges between them.
fn graph(out: &Rows, graph: &WorkGraph) -> Vec<Row> {
    if graph.nodes.len() > NODES {
        return Vec::new();
    }
    let drawing = Drawing::of(graph);
    let edges: Vec<(usize, usize)> = drawing.arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect();
    // A box is one column, and no higher than a line.
    let sizes = vec![vec2(POINT[0], 2.0); drawing.shown.len()];
    let placed = layered::place(&Boxes { sizes, edges, beside: Vec::new() });
    let cell = |points: f32, size: f32| (points / size).round().clamp(0.0, 1000.0) as usize;
    let (width, height) = (cell(placed.size.x, POINT[0]) + 2, cell(placed.size.y, POINT[1]) + 1);
    let mut canvas = Canvas::new(width.min(SIZE[0]), height.min(SIZE[1]));
    canvas.styles = vec![anstyle::Style::new(), out.style.meaning(Meaning::Dimmed)];
    canvas.styles.extend((0..drawing.shown.len()).map(|node| out.style.meaning(Meaning::Item(node))));
    for route in &placed.routes {
        let points: Vec<[usize; 2]> = route.iter().map(|at| [cell(at.x, POINT[0]), cell(at.y, POINT[1])]).collect();
        for pair in points.windows(2) {
            let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
            let turn = x0.midpoint(x1);
            canvas.line([x0, y0], [turn, y0], false, 1);
            canvas.line([turn, y0], [turn, y1], false, 1);
            canvas.line([turn, y1], [x1, y1], false, 1);
        }
    }
    for (node, rect) in placed.boxes.iter().enumerate() {
        canvas.text([cell(rect.min.x, POINT[0]), cell(rect.center().y, POINT[1])], "■", 2 + node, None);
    }
    canvas.rows()
}

/// The parts of a container, as long as their shares of its bytes.
fn parts(out: &Rows, report: &Report) -> Vec<Row> {
    let Some(summary) = &report.dxil else { return Vec::new() };
    let parts = &summary.container.parts;
    let all: u64 = parts.iter().map(|part| u64::from(part.bytes)).sum();
    let mut sorted: Vec<_> = parts.iter().enumerate().collect();
    sorted.sort_by_key(|(_, part)| std::cmp::Reverse(part.bytes));
    let room = SIZE[0] - 5;
    let bar = |(at, part): (usize, &lanescope_core::dxil::PartSummary)| {
        let length = usize::try_from(u64::from(part.bytes) * room as u64 / all.max(1)).unwrap_or(0).max(1);
        let row = Row::default().with(out.style.meaning(Meaning::Dimmed), format!("{:<5}", line(&part.fourcc)), None);
        row.with(out.style.meaning(Meaning::Item(at)), "█".repeat(length), None)
    };
    sorted.into_iter().take(SIZE[1]).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use lanescope_pictures::gallery::{containers, work_graph};

    use super::super::super::look::{Colors, Look};
    use super::*;

    const LOOK: Look = Look { colors: Colors::None, light: false, ascii: false };

    fn drawn(report: &Report) -> Vec<String> {
        let rows = thumbnail(&Rows::new(LOOK, 80), report);
        assert!(rows.len() <= SIZE[1] && rows.iter().all(|row| row.width() <= SIZE[0]));
        rows.iter().map(|row| row.text().trim_end().to_owned()).collect()
    }

    #[test]
    fn graphs_have_a_square_for_each_node() {
        let report = work_graph(7);
        let text = drawn(&report).join("\n");
        assert!(text.contains('─') && text.matches('■').count() > 3, "{text}");
    }

    #[test]
    fn containers_have_a_bar_for_each_large_part() {
        let text = drawn(&containers().0);
        assert!(text[0].starts_with("DXIL") && text[0].contains('█'), "{text:?}");
    }
}
