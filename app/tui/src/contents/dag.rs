//! The work graph drawn by layers, from left to right or from top to bottom: boxes, arrows, stacks for arrays, loops,
//! dashes for what is optional or missing.

use emath::{Pos2, Rect, Vec2, pos2, vec2};
use lanescope_core::graph::{Node, WorkGraph};
use lanescope_core::run::graph::Generation;
use lanescope_core::table::{Meaning, elide};
use lanescope_core::text_format::counted;
use lanescope_pictures::graph::layered::{self, Boxes, Placed};
use lanescope_pictures::graph::{Activity, Drawing, Shown};
use unicode_width::UnicodeWidthStr as _;

use super::super::pane::Link;
use super::super::printable::line;
use super::Rows;
use super::canvas::Canvas;

/// Columns of a name, at most.
const NAME: usize = 26;
/// Nodes that are drawn, at most.
const NODES: usize = 200;
/// Points of a column and of a row.
const COLUMN: f32 = 8.0;
const ROW: f32 = 16.0;
/// Lines of the drawing, at most.
const HEIGHT: usize = 400;

/// What is marked in the drawing.
pub struct Marks<'a> {
    /// The selected node.
    pub selected: Option<usize>,
    /// Nodes with a breakpoint.
    pub breakpoints: &'a [usize],
    /// The generation that is shown.
    pub shown: Option<&'a Generation>,
}

/// A box: its text, and whether it stands for several nodes or none.
struct Block {
    lines: [String; 2],
    stack: bool,
    missing: bool,
    /// The node that Enter selects.
    node: Option<usize>,
    selected: bool,
}

/// Draws the graph. False where it does not fit the width; nothing is drawn then.
pub fn dag(out: &mut Rows, graph: &WorkGraph, marks: &Marks<'_>) -> bool {
    if graph.nodes.is_empty() || graph.nodes.len() > NODES {
        return false;
    }
    let drawing = Drawing::of(graph);
    let activity = marks.shown.map(Activity::of);
    let blocks: Vec<Block> = drawing
        .shown
        .iter()
        .zip(&drawing.recursion)
        .map(|(shown, recursion)| block(graph, shown, *recursion, activity.as_ref(), marks))
        .collect();
    let wide =
        |block: &Block| block.lines.iter().map(|line| line.width()).max().unwrap_or(0) + 4 + usize::from(block.stack);
    let size = |block: &Block| vec2(wide(block) as f32 * COLUMN, (4 + usize::from(block.stack)) as f32 * ROW);
    let place = |down: bool| {
        let turned = |size: Vec2| if down { vec2(size.y, size.x) } else { size };
        let placed = layered::place(&Boxes {
            sizes: blocks.iter().map(size).map(turned).collect(),
            edges: drawing.arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect(),
            beside: drawing.arrows.iter().filter(|arrow| arrow.shared).map(|arrow| (arrow.from, arrow.to)).collect(),
        });
        let placed = if down { turn(placed) } else { placed };
        let size = (cell(placed.size.x, COLUMN) + 2, cell(placed.size.y, ROW) + 3);
        (size.0 < out.width && size.1 <= HEIGHT).then_some((placed, size, down))
    };
    let Some((placed, (width, height), down)) = place(false).or_else(|| place(true)) else { return false };
    let mut canvas = Canvas::new(width, height);
    let (dim, plain) = (out.style.meaning(Meaning::Dimmed), anstyle::Style::new());
    canvas.styles = vec![plain, dim, out.style.meaning(Meaning::Changed), out.style.meaning(Meaning::Strong)];
    // Colours of nodes come after the four of lines.
    canvas.styles.extend((0..graph.nodes.len()).map(|node| out.style.meaning(Meaning::Item(node))));
    for (number, (arrow, route)) in drawing.arrows.iter().zip(&placed.routes).enumerate() {
        let dashed = arrow.optional || blocks[arrow.to].missing;
        draw_arrow(&mut canvas, route, dashed, arrow.shared, number, down);
    }
    for (block, rect) in blocks.iter().zip(&placed.boxes) {
        let at = [1 + cell(rect.min.x, COLUMN), cell(rect.min.y, ROW)];
        let edge = if block.selected { 2 } else { 1 };
        let size = [wide(block) - usize::from(block.stack), 4];
        if block.stack {
            canvas.frame([at[0] + 1, at[1] + 1], size, block.missing, edge);
        }
        canvas.frame(at, size, block.missing, edge);
        let style = block.node.map_or(1, |node| 4 + node);
        canvas.text([at[0] + 2, at[1] + 1], &block.lines[0], style, block.node.map(Link::Node));
        canvas.text([at[0] + 2, at[1] + 2], &block.lines[1], 1, None);
    }
    heads(&mut canvas, &drawing, &placed, down);
    out.rows.extend(canvas.rows());
    if drawing.not_drawn > 0 {
        out.prose(&format!("and {} more that are missing", counted(drawing.not_drawn, "node")));
    }
    true
}

fn cell(points: f32, size: f32) -> usize {
    (points / size).round().clamp(0.0, 100_000.0) as usize
}

fn block(graph: &WorkGraph, shown: &Shown, recursion: u32, activity: Option<&Activity>, marks: &Marks<'_>) -> Block {
    let members: &[usize] = match shown {
        Shown::Node(node) => std::slice::from_ref(node),
        Shown::Array(nodes) => nodes,
        Shown::Missing(..) => &[],
    };
    let selected = members.iter().any(|node| marks.selected == Some(*node));
    let stop = if members.iter().any(|node| marks.breakpoints.contains(node)) { "● " } else { "" };
    let mark = if selected { "› " } else { "" };
    let records: u64 = members
        .iter()
        .filter_map(|node| activity?.nodes.get(node))
        .fold(0u64, |sum, node| sum.saturating_add(node.records));
    let ran = if records > 0 { format!(", {}", counted(records, "record")) } else { String::new() };
    let turn = if recursion > 0 { format!(" ↺{recursion}") } else { String::new() };
    let first = members.first().and_then(|node| graph.nodes.get(*node));
    let (name, note) = match (shown, first) {
        (Shown::Missing(name, ids), _) => {
            (elide(name, NAME), if *ids > 1 { format!("{ids} missing") } else { "missing".to_owned() })
        }
        (Shown::Array(nodes), Some(node)) => {
            (format!("{}[{}]", elide(&node.id.name, NAME), nodes.len()), format!("{}{ran}", launch(node)))
        }
        (_, Some(node)) => {
            let entry = if node.entry { " (entry)" } else { "" };
            (format!("{}{entry}", elide(&node.id.to_string(), NAME)), format!("{}{ran}", launch(node)))
        }
        (_, None) => (String::new(), String::new()),
    };
    let node = marks.selected.filter(|node| members.contains(node)).or(members.first().copied());
    Block {
        lines: [line(&format!("{mark}{stop}{name}{turn}")), note],
        stack: matches!(shown, Shown::Array(_)),
        missing: matches!(shown, Shown::Missing(..)),
        node,
        selected,
    }
}

fn launch(node: &Node) -> String {
    let [x, y, z] = node.threads;
    format!("{} {x}×{y}×{z}", node.launch)
}

/// The drawing with layers from top to bottom.
fn turn(placed: Placed) -> Placed {
    let point = |at: Pos2| pos2(at.y, at.x);
    Placed {
        boxes: placed.boxes.iter().map(|rect| Rect::from_min_max(point(rect.min), point(rect.max))).collect(),
        routes: placed.routes.into_iter().map(|route| route.into_iter().map(point).collect()).collect(),
        size: vec2(placed.size.y, placed.size.x),
        layers: placed.layers,
        columns: placed.columns,
    }
}

/// The place of a point of a route.
fn spot(at: Pos2, down: bool) -> [usize; 2] {
    match down {
        true => [1 + cell(at.x - COLUMN / 2.0, COLUMN), cell(at.y, ROW)],
        false => [1 + cell(at.x, COLUMN), cell(at.y - ROW / 2.0, ROW)],
    }
}

/// An arrow: along its row, then to another row between two layers, and so on.
fn draw_arrow(canvas: &mut Canvas, route: &[Pos2], dashed: bool, shared: bool, number: usize, down: bool) {
    let points: Vec<[usize; 2]> = route.iter().map(|at| spot(*at, down)).collect();
    let style = usize::from(!shared);
    for pair in points.windows(2) {
        let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
        if y0 == y1 || x0 == x1 {
            canvas.line([x0, y0], [x1, y1], dashed, style);
            continue;
        }
        if down {
            let gap = y1.abs_diff(y0).saturating_sub(2).max(1);
            let turn = y0.min(y1) + 1 + number % gap;
            canvas.line([x0, y0], [x0, turn], dashed, style);
            canvas.line([x0, turn], [x1, turn], dashed, style);
            canvas.line([x1, turn], [x1, y1], dashed, style);
            continue;
        }
        // Arrows of one gap turn at different columns where there is room.
        let gap = x1.abs_diff(x0).saturating_sub(3).max(1);
        let turn = x0.min(x1) + 1 + number % gap;
        canvas.line([x0, y0], [turn, y0], dashed, style);
        canvas.line([turn, y0], [turn, y1], dashed, style);
        canvas.line([turn, y1], [x1, y1], dashed, style);
    }
}

/// The heads, over the boxes' edges.
fn heads(canvas: &mut Canvas, drawing: &Drawing, placed: &Placed, down: bool) {
    for (arrow, route) in drawing.arrows.iter().zip(&placed.routes) {
        let (Some(end), false) = (route.last(), arrow.shared) else { continue };
        let [x, y] = spot(*end, down);
        // Before the box.
        let (at, sign) = if down { ([x, y.saturating_sub(1)], "▼") } else { ([x.saturating_sub(1), y], "▶") };
        canvas.text(at, sign, 0, None);
    }
}
