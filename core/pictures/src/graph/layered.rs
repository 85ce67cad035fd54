//! A layered drawing of any directed graph: boxes in columns, edges from left to right.
//!
//! Layers by longest paths (edges that close a circle turned round for it), order in the layers by medians with the
//! fewest crossings that the sweeps find, places by least squares under the order, so that boxes never meet. The same
//! input gives the same drawing. Work is bounded: very large graphs get fewer sweeps, and long edges without bends.

use emath::{Pos2, Rect, Vec2, pos2, vec2};

/// What is to be placed.
#[derive(Debug, Clone, Default)]
pub struct Boxes {
    /// The boxes' sizes.
    pub sizes: Vec<Vec2>,
    /// Pairs of boxes; from a box to itself is left out.
    pub edges: Vec<(usize, usize)>,
    /// Pairs of boxes that are in one layer.
    pub beside: Vec<(usize, usize)>,
}

/// Where everything is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Placed {
    /// The boxes.
    pub boxes: Vec<Rect>,
    /// Each box's layer.
    pub layers: Vec<usize>,
    /// For each edge of the input, the points that it passes, both ends included; empty for one that was left out.
    pub routes: Vec<Vec<Pos2>>,
    /// Left edge and width of each layer.
    pub columns: Vec<(f32, f32)>,
    /// The whole.
    pub size: Vec2,
}

/// Between boxes of a layer, between edges that pass, between layers.
const GAP: f32 = 18.0;
const EDGE_GAP: f32 = 8.0;
const LAYER_GAP: f32 = 56.0;
/// Long edges are bent around boxes where all of them together pass so many layers.
const MAX_BENDS: usize = 20_000;
/// Work on the order ends after about so many steps.
const MAX_WORK: usize = 4_000_000;
const SWEEPS: usize = 12;

/// A box, or a bend of a long edge.
#[derive(Debug, Clone)]
struct Vertex {
    layer: usize,
    height: f32,
    /// Of the layer before, of the layer after.
    before: Vec<usize>,
    behind: Vec<usize>,
    bend: bool,
    /// Its middle.
    y: f32,
}

/// Places boxes.
pub fn place(input: &Boxes) -> Placed {
    let count = input.sizes.len();
    if count == 0 {
        return Placed::default();
    }
    let inside = |&(from, to): &(usize, usize)| from < count && to < count && from != to;
    let layers = layers(count, input, inside);
    let mut vertices: Vec<Vertex> = input
        .sizes
        .iter()
        .zip(&layers)
        .map(|(size, layer)| Vertex {
            layer: *layer,
            height: size.y,
            before: Vec::new(),
            behind: Vec::new(),
            bend: false,
            y: 0.0,
        })
        .collect();
    let paths = bends(input, &layers, inside, &mut vertices);
    let mut order = ordered(&vertices, layers.iter().copied().max().unwrap_or(0) + 1);
    uncross(&vertices, &mut order);
    settle(&mut vertices, &order);
    finish(input, &layers, &vertices, &order, &paths)
}

/// Longest paths; an edge that leads back in the order of a depth-first walk counts the other way round.
fn layers(count: usize, input: &Boxes, inside: impl Fn(&(usize, usize)) -> bool) -> Vec<usize> {
    // Boxes that are beside each other are one.
    let mut group: Vec<usize> = (0..count).collect();
    fn root(group: &mut [usize], mut at: usize) -> usize {
        while group[at] != at {
            group[at] = group[group[at]];
            at = group[at];
        }
        at
    }
    for (a, b) in input.beside.iter().filter(|pair| inside(pair)) {
        let (a, b) = (root(&mut group, *a), root(&mut group, *b));
        let (low, high) = (a.min(b), a.max(b));
        group[high] = low;
    }
    let group: Vec<usize> = (0..count).map(|at| root(&mut group, at)).collect();
    let mut behind: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in input.edges.iter().filter(|edge| inside(edge)) {
        if group[*from] != group[*to] {
            behind[group[*from]].push(group[*to]);
        }
    }
    let mut fed = vec![false; count];
    for to in behind.iter().flatten() {
        fed[*to] = true;
    }
    // A walk without recursion: starts first, then nodes that only cycles reach.
    let mut state = vec![0u8; count];
    let mut done: Vec<usize> = Vec::with_capacity(count);
    let mut back: Vec<(usize, usize)> = Vec::new();
    let starts = (0..count).filter(|at| !fed[*at]).chain((0..count).filter(|at| fed[*at])).collect::<Vec<_>>();
    for start in starts {
        if state[start] != 0 {
            continue;
        }
        state[start] = 1;
        let mut stack = vec![(start, 0usize)];
        while let Some((at, next)) = stack.last_mut() {
            match behind[*at].get(*next).copied() {
                Some(to) => {
                    *next += 1;
                    match state[to] {
                        0 => {
                            state[to] = 1;
                            stack.push((to, 0));
                        }
                        1 => back.push((*at, to)),
                        _ => {}
                    }
                }
                None => {
                    state[*at] = 2;
                    done.push(*at);
                    stack.pop();
                }
            }
        }
    }
    back.sort_unstable();
    let mut layer = vec![0usize; count];
    for at in done.iter().rev() {
        for to in &behind[*at] {
            if back.binary_search(&(*at, *to)).is_err() {
                layer[*to] = layer[*to].max(layer[*at] + 1);
            }
        }
    }
    group.iter().map(|group| layer[*group]).collect()
}

/// Joins the layers: an edge over several gets a bend in each. For each edge, its vertices from left to right.
fn bends(
    input: &Boxes,
    layers: &[usize],
    inside: impl Fn(&(usize, usize)) -> bool,
    vertices: &mut Vec<Vertex>,
) -> Vec<Vec<usize>> {
    let spans = input.edges.iter().filter(|edge| inside(edge));
    let passed: usize = spans.map(|(from, to)| layers[*from].abs_diff(layers[*to]).saturating_sub(1)).sum();
    let bent = passed <= MAX_BENDS;
    let mut paths = Vec::with_capacity(input.edges.len());
    for edge in &input.edges {
        if !inside(edge) {
            paths.push(Vec::new());
            continue;
        }
        let (mut left, mut right) = *edge;
        if layers[left] > layers[right] {
            (left, right) = (right, left);
        }
        let mut path = vec![left];
        if layers[left] < layers[right] {
            let mut last = left;
            if bent {
                for layer in layers[left] + 1..layers[right] {
                    let at = vertices.len();
                    let height = EDGE_GAP;
                    vertices.push(Vertex { layer, height, before: vec![last], behind: Vec::new(), bend: true, y: 0.0 });
                    vertices[last].behind.push(at);
                    path.push(at);
                    last = at;
                }
                vertices[last].behind.push(right);
                vertices[right].before.push(last);
            } else if layers[right] - layers[left] == 1 {
                vertices[left].behind.push(right);
                vertices[right].before.push(left);
            }
        }
        path.push(right);
        paths.push(path);
    }
    paths
}

/// A first order: as a walk from the first boxes on meets them, so that what belongs together lies together.
fn ordered(vertices: &[Vertex], layers: usize) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); layers];
    let mut seen = vec![false; vertices.len()];
    for start in 0..vertices.len() {
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            out[vertices[at].layer].push(at);
            stack.extend(vertices[at].behind.iter().rev().filter(|next| !seen[**next]));
        }
    }
    out
}

/// Sweeps from left to right and back, each layer ordered by the medians of its neighbours; the best order is kept.
fn uncross(vertices: &[Vertex], order: &mut Vec<Vec<usize>>) {
    let links: usize = vertices.iter().map(|vertex| vertex.behind.len()).sum();
    let sweeps = (MAX_WORK / (8 * (links + vertices.len()) + 1)).clamp(1, SWEEPS);
    let mut place = vec![0usize; vertices.len()];
    let number = |layer: &[usize], place: &mut [usize]| {
        for (at, vertex) in layer.iter().enumerate() {
            place[*vertex] = at;
        }
    };
    order.iter().for_each(|layer| number(layer, &mut place));
    let mut best = order.clone();
    let mut fewest = crossings(vertices, order, &place);
    for sweep in 0..sweeps {
        let forward = sweep % 2 == 0;
        let count = order.len();
        for step in 1..count {
            let layer = if forward { step } else { count - 1 - step };
            let key = |vertex: usize, place: &[usize]| {
                let of = &vertices[vertex];
                let neighbours = if forward { &of.before } else { &of.behind };
                median(neighbours, place).unwrap_or(place[vertex] as f32)
            };
            let mut keyed: Vec<(f32, usize)> =
                order[layer].iter().map(|vertex| (key(*vertex, &place), *vertex)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            order[layer] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
            number(&order[layer], &mut place);
        }
        let now = crossings(vertices, order, &place);
        if now < fewest {
            (fewest, best) = (now, order.clone());
        }
    }
    *order = best;
}

fn median(neighbours: &[usize], place: &[usize]) -> Option<f32> {
    let mut places: Vec<usize> = neighbours.iter().map(|at| place[*at]).collect();
    places.sort_unstable();
    let middle = places.len() / 2;
    match places.len() {
        0 => None,
        count if count % 2 == 1 => Some(places[middle] as f32),
        _ => Some((places[middle - 1] + places[middle]) as f32 / 2.0),
    }
}

/// How many pairs of edges cross, counted with a tree of sums.
fn crossings(vertices: &[Vertex], order: &[Vec<usize>], place: &[usize]) -> u64 {
    let mut all = 0u64;
    for pair in order.windows(2) {
        let size = pair[1].len().next_power_of_two();
        let mut tree = vec![0u64; 2 * size];
        let mut targets = Vec::new();
        for vertex in &pair[0] {
            targets.clear();
            targets.extend(vertices[*vertex].behind.iter().map(|to| place[*to]));
            targets.sort_unstable();
            for target in &targets {
                // Edges that started above and end below.
                let mut at = size + target;
                while at > 1 {
                    if at % 2 == 0 {
                        all += tree[at + 1];
                    }
                    at /= 2;
                }
            }
            for target in &targets {
                let mut at = size + target;
                while at > 0 {
                    tree[at] += 1;
                    at /= 2;
                }
            }
        }
    }
    all
}

/// Places within the layers: each vertex as near as its order allows to the middle of its neighbours.
fn settle(vertices: &mut [Vertex], order: &[Vec<usize>]) {
    for layer in order {
        let wanted: Vec<f32> = vec![0.0; layer.len()];
        spread(vertices, layer, &wanted);
    }
    for round in 0..10 {
        let forward = round % 2 == 0;
        let count = order.len();
        for step in 0..count {
            let layer = &order[if forward { step } else { count - 1 - step }];
            let wanted: Vec<f32> = layer
                .iter()
                .map(|vertex| {
                    let vertex = &vertices[*vertex];
                    // The last rounds look both ways.
                    let (first, second) =
                        if forward { (&vertex.before, &vertex.behind) } else { (&vertex.behind, &vertex.before) };
                    let near: Vec<usize> = match round >= 6 {
                        true => first.iter().chain(second).copied().collect(),
                        false => first.clone(),
                    };
                    let sum: f32 = near.iter().map(|at| vertices[*at].y).sum();
                    if near.is_empty() { vertex.y } else { sum / near.len() as f32 }
                })
                .collect();
            spread(vertices, layer, &wanted);
        }
    }
}

/// Puts a layer's vertices in their order with gaps between them, as near to the wanted places as least squares allow:
/// neighbours that would meet move as one.
fn spread(vertices: &mut [Vertex], layer: &[usize], wanted: &[f32]) {
    struct Block {
        first: usize,
        /// Sum of what its members want its first one to be, weighted, and the weights.
        sum: f32,
        weight: f32,
    }
    let mut offsets = Vec::with_capacity(layer.len());
    let mut blocks: Vec<Block> = Vec::new();
    let mut offset = 0.0;
    for (at, vertex) in layer.iter().enumerate() {
        if at > 0 {
            let (above, here) = (&vertices[layer[at - 1]], &vertices[*vertex]);
            let gap = if above.bend && here.bend { 0.0 } else { GAP };
            offset += (above.height + here.height) / 2.0 + gap;
        }
        offsets.push(offset);
        // Bends count more: long edges run straight.
        let weight = if vertices[*vertex].bend { 4.0 } else { 1.0 };
        blocks.push(Block { first: at, sum: (wanted[at] - offset) * weight, weight });
        while let [.., above, here] = &blocks[..] {
            if above.sum / above.weight <= here.sum / here.weight {
                break;
            }
            let (sum, weight) = (here.sum, here.weight);
            blocks.pop();
            if let Some(above) = blocks.last_mut() {
                above.sum += sum;
                above.weight += weight;
            }
        }
    }
    for (number, block) in blocks.iter().enumerate() {
        let end = blocks.get(number + 1).map_or(layer.len(), |next| next.first);
        for at in block.first..end {
            vertices[layer[at]].y = block.sum / block.weight + offsets[at];
        }
    }
}

/// Columns, and edges from side to side.
fn finish(input: &Boxes, layers: &[usize], vertices: &[Vertex], order: &[Vec<usize>], paths: &[Vec<usize>]) -> Placed {
    let mut widths = vec![0.0f32; order.len()];
    for (size, layer) in input.sizes.iter().zip(layers) {
        widths[*layer] = widths[*layer].max(size.x);
    }
    let mut columns = Vec::with_capacity(widths.len());
    let mut left = 0.0;
    for width in widths {
        columns.push((left, width));
        left += width + LAYER_GAP;
    }
    let top = vertices.iter().map(|vertex| vertex.y - vertex.height / 2.0).fold(f32::INFINITY, f32::min);
    let boxes: Vec<Rect> = input
        .sizes
        .iter()
        .zip(vertices)
        .map(|(size, vertex)| {
            let (left, width) = columns[vertex.layer];
            let min = pos2(left + (width - size.x) / 2.0, vertex.y - vertex.height / 2.0 - top);
            // Whole points: edges of boxes stay sharp.
            Rect::from_min_size(pos2(min.x.round(), min.y.round()), *size)
        })
        .collect();
    let middle = |vertex: usize| vertices[vertex].y - top;
    let ports = ports(input, &boxes, paths, &middle);
    let mut routes = Vec::with_capacity(paths.len());
    for (path, [start, end]) in paths.iter().zip(ports) {
        let (Some(first), Some(last)) = (path.first(), path.last()) else {
            routes.push(Vec::new());
            continue;
        };
        let mut points = Vec::with_capacity(2 * path.len());
        if vertices[*first].layer == vertices[*last].layer {
            // Within a layer: from the left side of one to the left side of the other.
            points.push(pos2(boxes[*first].left(), start));
            points.push(pos2(boxes[*last].left(), end));
        } else {
            points.push(pos2(boxes[*first].right(), start));
            for bend in path.get(1..path.len() - 1).unwrap_or_default() {
                let (left, width) = columns[vertices[*bend].layer];
                points.push(pos2(left, middle(*bend)));
                points.push(pos2(left + width, middle(*bend)));
            }
            points.push(pos2(boxes[*last].left(), end));
        }
        routes.push(points);
    }
    // Edges that were turned round for the layers run as they are.
    for ((from, _), (path, route)) in input.edges.iter().zip(paths.iter().zip(&mut routes)) {
        if path.first().is_some_and(|first| first != from) {
            route.reverse();
        }
    }
    let size = boxes.iter().fold(Vec2::ZERO, |size, rect| size.max(rect.max.to_vec2()));
    let far = routes.iter().flatten().fold(size, |size, point| size.max(vec2(0.0, point.y)));
    Placed { boxes, layers: layers.to_vec(), routes, columns, size: far }
}

/// Where each edge leaves its left box and reaches its right one: spread along the side, in the order of their ends.
fn ports(input: &Boxes, boxes: &[Rect], paths: &[Vec<usize>], middle: &impl Fn(usize) -> f32) -> Vec<[f32; 2]> {
    let count = input.sizes.len();
    let (mut leaving, mut reaching): (Vec<Vec<usize>>, Vec<Vec<usize>>) =
        (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (edge, path) in paths.iter().enumerate() {
        if let (Some(first), Some(last)) = (path.first(), path.last()) {
            leaving[*first].push(edge);
            reaching[*last].push(edge);
        }
    }
    let mut out = vec![[0.0f32; 2]; paths.len()];
    for (side, lists) in [leaving, reaching].into_iter().enumerate() {
        for (at, mut edges) in lists.into_iter().enumerate() {
            let next = |edge: usize| {
                let path = &paths[edge];
                let neighbour =
                    if side == 0 { path.get(1) } else { path.len().checked_sub(2).and_then(|at| path.get(at)) };
                neighbour.map_or(0.0, |vertex| middle(*vertex))
            };
            edges.sort_by(|a, b| next(*a).total_cmp(&next(*b)));
            let room = (boxes[at].height() - 12.0).max(0.0);
            let step = if edges.len() > 1 { (room / (edges.len() - 1) as f32).min(10.0) } else { 0.0 };
            let first = boxes[at].center().y - step * (edges.len().saturating_sub(1)) as f32 / 2.0;
            for (number, edge) in edges.into_iter().enumerate() {
                out[edge][side] = first + step * number as f32;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn graph() -> impl Strategy<Value = Boxes> {
        (1usize..40).prop_flat_map(|count| {
            let sizes = prop::collection::vec((40.0f32..200.0, 20.0f32..90.0), count);
            let pairs = || prop::collection::vec((0..count, 0..count), 0..80);
            let beside = prop::collection::vec((0..count, 0..count), 0..3);
            (sizes, pairs(), beside).prop_map(|(sizes, edges, beside)| Boxes {
                sizes: sizes.into_iter().map(|(x, y)| vec2(x.round(), y.round())).collect(),
                edges,
                beside,
            })
        })
    }

    proptest! {
        #[test]
        fn boxes_never_overlap_and_drawings_are_deterministic(input in graph()) {
            let placed = place(&input);
            prop_assert_eq!(&placed, &place(&input));
            prop_assert_eq!(placed.boxes.len(), input.sizes.len());
            for (at, a) in placed.boxes.iter().enumerate() {
                prop_assert!(a.is_finite() && a.min.x >= 0.0 && a.min.y >= 0.0 && a.max.x <= placed.size.x && a.max.y <= placed.size.y);
                prop_assert_eq!(a.size(), input.sizes[at]);
                for b in &placed.boxes[at + 1..] {
                    prop_assert!(!a.intersects(*b), "{a:?} {b:?}");
                }
            }
            for (a, b) in &input.beside {
                prop_assert_eq!(placed.layers[*a], placed.layers[*b]);
            }
            for ((from, to), route) in input.edges.iter().zip(&placed.routes) {
                prop_assert_eq!(route.is_empty(), from == to);
                if let [first, .., last] = &route[..] {
                    let near = |point: &Pos2, rect: Rect| rect.expand(1.0).contains(*point);
                    prop_assert!(near(first, placed.boxes[*from]) && near(last, placed.boxes[*to]), "{route:?}");
                }
            }
        }
    }

    #[test]
    fn a_tree_has_no_crossing_and_a_chain_is_straight() {
        let chain = Boxes { sizes: vec![vec2(80.0, 40.0); 4], edges: vec![(0, 1), (1, 2), (2, 3)], beside: vec![] };
        let placed = place(&chain);
        assert_eq!(placed.layers, [0, 1, 2, 3]);
        assert!(placed.boxes.iter().all(|rect| rect.min.y == placed.boxes[0].min.y));
        // Children are declared in an order that would cross.
        let tree = Boxes {
            sizes: vec![vec2(80.0, 40.0); 7],
            edges: vec![(0, 1), (0, 2), (2, 3), (1, 4), (2, 5), (1, 6)],
            beside: vec![],
        };
        let placed = place(&tree);
        let middle = |at: usize| placed.boxes[at].center().y;
        let first_above = middle(1) < middle(2);
        for (child, of_first) in [(3, false), (4, true), (5, false), (6, true)] {
            let others = [3, 4, 5, 6].into_iter().filter(|other| (*other == 4 || *other == 6) != of_first);
            assert!(others.into_iter().all(|other| (middle(child) < middle(other)) == (of_first == first_above)));
        }
    }

    #[test]
    fn draws_cycles_and_long_edges() {
        let ring = Boxes { sizes: vec![vec2(50.0, 30.0); 3], edges: vec![(0, 1), (1, 2), (2, 0)], beside: vec![] };
        let placed = place(&ring);
        assert_eq!(placed.layers, [0, 1, 2]);
        let back = &placed.routes[2];
        assert!(back[0].x > back[back.len() - 1].x, "it runs from right to left");
    }
}
