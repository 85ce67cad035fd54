//! The drawing of a work graph: boxes for nodes, node arrays and missing nodes, with their places.

use std::collections::BTreeMap;

use emath::{Vec2, vec2};
use lanescope_core::graph::{EdgeKind, Node, NodeId, WorkGraph};

use super::layered::{self, Boxes, Placed};
use crate::picture::{Font, text_width};

/// Sizes of text.
pub(crate) const TITLE: f32 = 13.0;
pub(crate) const SMALL: f32 = 10.5;
/// A box.
const HEIGHT: f32 = 46.0;
const NARROWEST: f32 = 104.0;
const WIDEST: f32 = 200.0;
pub(crate) const PAD: f32 = 10.0;
/// A member's cell in the box of an array.
pub(crate) const CELL: Vec2 = vec2(30.0, 16.0);
pub(crate) const CELLS_A_ROW: usize = 8;
/// More members than these are counted, not shown.
pub(crate) const MAX_CELLS: usize = 64;
/// How far the boxes behind an array's stand out.
pub(crate) const STACK: f32 = 4.0;
/// The most missing nodes that are drawn.
const MAX_MISSING: usize = 64;

/// What a box represents.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// A node.
    Node(usize),
    /// Nodes of one name.
    Array(Vec<usize>),
    /// Nodes that outputs name and that are not there: how many ids.
    Missing(String, u64),
}

/// An arrow: every edge between two boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrow {
    /// Indices of boxes.
    pub from: usize,
    /// The other end.
    pub to: usize,
    /// The graph's edges; `None` for arrows to what is missing.
    pub edges: Vec<usize>,
    /// Whether all of them may lead nowhere.
    pub optional: bool,
    /// Whether it is an input that is shared.
    pub shared: bool,
}

/// A work graph's drawing, without colours.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The boxes.
    pub shown: Vec<Shown>,
    /// The arrows between them.
    pub arrows: Vec<Arrow>,
    /// For each box, how often it may follow itself: the most of its nodes.
    pub recursion: Vec<u32>,
    /// The box of each node.
    pub of_node: Vec<usize>,
    /// Missing nodes that are not drawn.
    pub not_drawn: usize,
    /// Where everything is: as many routes as arrows.
    pub placed: Placed,
}

impl Drawing {
    /// Lays a graph out.
    pub fn of(graph: &WorkGraph) -> Drawing {
        let mut shown = Vec::new();
        let mut of_node = vec![0; graph.nodes.len()];
        let mut arrays: BTreeMap<&str, &[usize]> = BTreeMap::new();
        for array in graph.arrays.iter().filter(|array| array.nodes.len() > 1) {
            arrays.insert(&array.name, &array.nodes);
        }
        let mut done: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, node) in graph.nodes.iter().enumerate() {
            let name = node.id.name.as_str();
            of_node[at] = match (arrays.get(name), done.get(name)) {
                (_, Some(there)) => *there,
                (Some(members), None) => {
                    done.insert(name, shown.len());
                    shown.push(Shown::Array(members.to_vec()));
                    shown.len() - 1
                }
                (None, None) => {
                    shown.push(Shown::Node(at));
                    shown.len() - 1
                }
            };
        }
        let mut arrows: BTreeMap<(usize, usize, bool), Arrow> = BTreeMap::new();
        let mut recursion = vec![0u32; shown.len()];
        for (index, edge) in graph.edges.iter().enumerate() {
            let (from, to) = (of_node[edge.from], of_node[edge.to]);
            if edge.kind == EdgeKind::Recursion {
                recursion[to] = recursion[to].max(graph.nodes[edge.to].recursion.max(1));
                continue;
            }
            let shared = edge.kind == EdgeKind::SharedInput;
            let arrow = arrows.entry((from, to, shared)).or_insert_with(|| Arrow {
                from,
                to,
                edges: Vec::new(),
                optional: true,
                shared,
            });
            arrow.edges.push(index);
            arrow.optional &= edge.optional;
        }
        let mut arrows: Vec<Arrow> = arrows.into_values().collect();
        let not_drawn = missing(graph, &of_node, &mut shown, &mut arrows);
        recursion.resize(shown.len(), 0);
        let boxes = Boxes {
            sizes: shown.iter().zip(&recursion).map(|(shown, recursion)| size(graph, shown, *recursion)).collect(),
            edges: arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect(),
            beside: arrows.iter().filter(|arrow| arrow.shared).map(|arrow| (arrow.from, arrow.to)).collect(),
        };
        let placed = layered::place(&boxes);
        Drawing { shown, arrows, recursion, of_node, not_drawn, placed }
    }
}

/// Adds boxes for names of which no node is there that an output could reach. How many were too many.
fn missing(graph: &WorkGraph, of_node: &[usize], shown: &mut Vec<Shown>, arrows: &mut Vec<Arrow>) -> usize {
    let mut boxes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut known = BTreeMap::new();
    let mut left_out = 0;
    for (from, node) in graph.nodes.iter().enumerate() {
        for output in &node.outputs {
            let ids: u64 = output.missing.iter().map(|[first, last]| u64::from(last - first) + 1).sum();
            let some_there = ids < u64::from(output.elements);
            // Of an output without end that reaches nothing no element is listed.
            let nothing = output.elements == 0;
            if !nothing && (ids == 0 || some_there) {
                continue;
            }
            let name = output.target.name.as_str();
            let at = match boxes.get(name) {
                Some(at) => *at,
                None if boxes.len() >= MAX_MISSING => {
                    left_out += 1;
                    continue;
                }
                None => {
                    boxes.insert(name, shown.len());
                    shown.push(Shown::Missing(missing_name(&output.target, ids), ids));
                    shown.len() - 1
                }
            };
            let (from, optional) = (of_node[from], output.sparse);
            match known.get(&(from, at)).and_then(|arrow: &usize| arrows.get_mut(*arrow)) {
                Some(arrow) => arrow.optional &= optional,
                None => {
                    known.insert((from, at), arrows.len());
                    arrows.push(Arrow { from, to: at, edges: Vec::new(), optional, shared: false });
                }
            }
        }
    }
    left_out
}

fn missing_name(id: &NodeId, ids: u64) -> String {
    if ids > 1 { format!("{}[{}…]", id.name, id.index) } else { id.to_string() }
}

/// The lines of a node's box.
pub(crate) fn lines(graph: &WorkGraph, node: usize) -> [String; 2] {
    let Some(node) = graph.nodes.get(node) else { return Default::default() };
    let title = if node.id.index == 0 { node.id.name.clone() } else { node.id.to_string() };
    [title, launch(node)]
}

/// `broadcasting 4×1×1`.
fn launch(node: &Node) -> String {
    let size = |[x, y, z]: [u32; 3]| match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x}×{y}"),
        _ => format!("{x}×{y}×{z}"),
    };
    let grid = match (node.grid, node.max_grid) {
        (Some(grid), _) => format!(" {}", size(grid)),
        (None, Some(most)) => format!(" ≤{}", size(most)),
        (None, None) => match node.node_input().and_then(|input| input.max_records) {
            Some(most) => format!(" ≤{most}"),
            None => String::new(),
        },
    };
    format!("{}{grid}", node.launch)
}

/// The lines of an array's box.
pub(crate) fn array_lines(graph: &WorkGraph, members: &[usize]) -> [String; 2] {
    let first = members.first().and_then(|at| graph.nodes.get(*at));
    let Some(first) = first else { return Default::default() };
    [format!("{}[{}]", first.id.name, members.len()), launch(first)]
}

fn size(graph: &WorkGraph, shown: &Shown, recursion: u32) -> Vec2 {
    let text = |[title, small]: [String; 2]| {
        text_width(&title, Font::Words, TITLE).max(text_width(&small, Font::Words, SMALL)) + 2.0 * PAD + 6.0
    };
    // Above the box a loop.
    let loop_room = if recursion > 0 { 16.0 } else { 0.0 };
    match shown {
        Shown::Node(node) => vec2(text(lines(graph, *node)).clamp(NARROWEST, WIDEST).ceil(), HEIGHT + loop_room),
        Shown::Missing(name, _) => {
            vec2(text([name.clone(), String::new()]).clamp(NARROWEST, WIDEST).ceil(), HEIGHT - 12.0)
        }
        Shown::Array(members) => {
            let cells = members.len().min(MAX_CELLS);
            let (columns, rows) = (cells.min(CELLS_A_ROW), cells.div_ceil(CELLS_A_ROW));
            let more = if members.len() > MAX_CELLS { CELL.y } else { 0.0 };
            let width = text(array_lines(graph, members)).max(columns as f32 * CELL.x + 2.0 * PAD);
            let width = width.clamp(NARROWEST, CELLS_A_ROW as f32 * CELL.x + 2.0 * PAD).ceil();
            vec2(width + STACK * 2.0, HEIGHT + rows as f32 * CELL.y + more + STACK * 2.0 + loop_room)
        }
    }
}
