//! A work graph as a picture.

use ecolor::Color32;
use emath::{Pos2, Rect, Vec2, pos2, vec2};
use lanescope_core::findings::Severity;
use lanescope_core::graph::{Launch, Node, WorkGraph};

use super::activity::Activity;
use super::drawing::{self, Arrow, CELL, CELLS_A_ROW, Drawing, MAX_CELLS, PAD, SMALL, STACK, Shown, TITLE};
use crate::picture::{Anchor, Font, Mark, Picture, Stroke, elide};
use crate::theme::{Theme, mix};

/// Around the drawing.
const MARGIN: f32 = 20.0;
/// Above it: the depth of each column.
const HEAD: f32 = 24.0;
/// A loop above a box.
const LOOP: f32 = 16.0;
const DASH: f32 = 4.0;
const ARROW: f32 = 7.0;

/// A work graph's picture. With what a generation did, boxes are coloured by it.
pub fn picture(graph: &WorkGraph, theme: &Theme) -> Picture {
    Drawing::of(graph).picture(graph, &Look::default(), theme)
}

/// What a run adds to the drawing.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// Results of a generation.
    pub activity: Option<Activity>,
    /// Nodes with a breakpoint.
    pub breakpoints: Vec<usize>,
    /// Nodes with findings, each with its worst.
    pub found: Vec<(usize, Severity)>,
}

impl Drawing {
    /// The picture, coloured by what a generation did.
    pub fn picture(&self, graph: &WorkGraph, look: &Look, theme: &Theme) -> Picture {
        let activity = look.activity.as_ref();
        let title = format!("work graph: {} nodes, {} edges", graph.nodes.len(), graph.edges.len());
        let mut pen = Pen { out: Picture::new(title, theme.page), drawing: self, graph, activity, look, theme };
        pen.depths();
        for arrow in 0..self.arrows.len() {
            pen.arrow(arrow);
        }
        for at in 0..self.shown.len() {
            pen.shown(at);
        }
        if self.not_drawn > 0 {
            let at = pos2(MARGIN, HEAD + MARGIN + self.placed.size.y + 24.0);
            let text = format!("and {} more outputs without a node", self.not_drawn);
            pen.out.words(at, SMALL, theme.ink_soft, &text);
        }
        pen.out.fit(MARGIN);
        pen.out
    }
}

struct Pen<'a> {
    out: Picture,
    drawing: &'a Drawing,
    graph: &'a WorkGraph,
    activity: Option<&'a Activity>,
    look: &'a Look,
    theme: &'a Theme,
}

impl Pen<'_> {
    fn place(&self, rect: Rect) -> Rect {
        rect.translate(vec2(MARGIN, MARGIN + HEAD))
    }

    /// Above each column, the depth of its nodes: a range where a node feeds itself.
    fn depths(&mut self) {
        for (column, (left, width)) in self.drawing.placed.columns.iter().enumerate() {
            let layers = self.drawing.placed.layers.iter();
            let here = (0..).zip(layers).filter(|(_, layer)| **layer == column).flat_map(|(at, _)| self.nodes_of(at));
            let nodes: Vec<&Node> = here.filter_map(|node| self.graph.nodes.get(node)).collect();
            let first = nodes.iter().map(|node| node.depth.saturating_sub(node.recursion)).min();
            let Some((first, last)) = first.zip(nodes.iter().map(|node| node.depth).max()) else { continue };
            let at = pos2(MARGIN + left + width / 2.0, MARGIN);
            let text = if first == last { format!("depth {last}") } else { format!("depth {first}–{last}") };
            self.out.text(at, Anchor::Middle, SMALL, Font::Words, self.theme.ink_soft, &text).from_zoom(0.3);
        }
    }

    fn arrow(&mut self, index: usize) {
        let Some(arrow) = self.drawing.arrows.get(index) else { return };
        let Some(route) = self.drawing.placed.routes.get(index).filter(|route| route.len() > 1) else { return };
        let points: Vec<Pos2> = route.iter().map(|at| *at + vec2(MARGIN, MARGIN + HEAD)).collect();
        let records = self.records_over(arrow);
        let color = match (arrow.edges.is_empty(), arrow.shared, records) {
            (true, ..) => self.theme.warn,
            (_, true, _) => self.theme.series(2).line,
            (.., Some(1..)) => self.theme.accent,
            // While a run is shown, what carries nothing steps back.
            (.., Some(0)) => self.theme.hairline,
            (.., None) => self.theme.outline,
        };
        // As thick as the records are many, in powers of ten.
        let width = records.filter(|records| *records > 0).map_or(1.2, |r| 1.4 + 0.8 * (r as f32).log10()).min(6.0);
        let stroke = Stroke::new(width, color);
        let stroke = if arrow.optional && !arrow.shared { stroke.dashed(DASH) } else { stroke };
        let stroke = if arrow.shared { stroke.dashed(2.0) } else { stroke };
        let mark = Mark::Link(u32::try_from(index).unwrap_or(u32::MAX));
        let last = points.len() - 1;
        let back = points[0].x > points[last].x;
        // Within a layer the line goes out to the left and comes back.
        let within = self.drawing.placed.layers.get(arrow.from) == self.drawing.placed.layers.get(arrow.to);
        let tip = points[last];
        let enters = if within || !back { 1.0 } else { -1.0 };
        let end = tip - vec2(ARROW * enters, 0.0);
        let mut ends: Vec<Pos2> = points.clone();
        ends[last] = end;
        if within {
            let out = -24.0;
            let controls = [ends[0], ends[0] + vec2(out, 0.0), end + vec2(out, 0.0), end];
            self.curve(controls, stroke, mark);
        } else {
            for pair in ends.windows(2) {
                let reach = (pair[1].x - pair[0].x) / 2.0;
                let level = (pair[0].y - pair[1].y).abs() < 0.5;
                if level {
                    self.line(vec![pair[0], pair[1]], stroke, mark);
                } else {
                    let controls = [pair[0], pair[0] + vec2(reach, 0.0), pair[1] - vec2(reach, 0.0), pair[1]];
                    self.curve(controls, stroke, mark);
                }
            }
        }
        let wing = vec2(ARROW * enters, 0.0);
        let head = vec![tip, tip - wing + vec2(0.0, ARROW * 0.45), tip - wing - vec2(0.0, ARROW * 0.45)];
        self.out.push(crate::picture::Shape::Polygon { points: head, fill: color }).mark(mark);
        if let Some(records) = records.filter(|records| *records > 0) {
            let middle = points[points.len() / 2 - 1].lerp(points[points.len() / 2], 0.5);
            let text = short(records);
            let width = crate::picture::text_width(&text, Font::Code, SMALL) + 6.0;
            let label = Rect::from_center_size(middle, vec2(width, 14.0));
            self.out.rect(label, self.theme.page, Stroke::NONE, 3).from_zoom(0.5);
            self.out.text(middle, Anchor::Middle, SMALL, Font::Code, self.theme.ink, &text).from_zoom(0.5);
        }
    }

    fn records_over(&self, arrow: &Arrow) -> Option<u64> {
        let activity = self.activity?;
        if arrow.edges.is_empty() {
            let from = self.nodes_of(arrow.from);
            let dropped = from.iter().map(|node| activity.dropped.get(node).copied().unwrap_or(0));
            return Some(dropped.fold(0, u64::saturating_add));
        }
        let edges = arrow.edges.iter().filter_map(|edge| self.graph.edges.get(*edge));
        let mut pairs: Vec<(usize, usize)> = edges.map(|edge| (edge.from, edge.to)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let records = pairs.iter().map(|pair| activity.edges.get(pair).copied().unwrap_or(0));
        Some(records.fold(0, u64::saturating_add))
    }

    fn nodes_of(&self, shown: usize) -> Vec<usize> {
        match self.drawing.shown.get(shown) {
            Some(Shown::Node(node)) => vec![*node],
            Some(Shown::Array(members)) => members.clone(),
            _ => Vec::new(),
        }
    }

    fn curve(&mut self, points: [Pos2; 4], stroke: Stroke, mark: Mark) {
        if stroke.dash <= 0.0 {
            self.out.push(crate::picture::Shape::Curve { points, stroke }).mark(mark);
            return;
        }
        // Dashes need straight pieces.
        let steps = 24;
        let points = (0..=steps).map(|step| crate::picture::cubic(&points, step as f32 / steps as f32)).collect();
        self.line(points, stroke, mark);
    }

    fn line(&mut self, points: Vec<Pos2>, stroke: Stroke, mark: Mark) {
        self.out.push(crate::picture::Shape::Line { points, stroke }).mark(mark);
    }

    fn shown(&mut self, at: usize) {
        let (Some(shown), Some(rect)) = (self.drawing.shown.get(at), self.drawing.placed.boxes.get(at)) else { return };
        let mut rect = self.place(*rect);
        let recursion = self.drawing.recursion.get(at).copied().unwrap_or(0);
        if recursion > 0 {
            rect.min.y += LOOP;
            self.recursion(rect, recursion);
        }
        match shown {
            Shown::Node(node) => self.node(*node, rect),
            Shown::Array(members) => self.array(members, rect),
            Shown::Missing(name, ids) => self.missing(name, *ids, rect),
        }
    }

    /// A loop above a box, with the number of runs.
    fn recursion(&mut self, rect: Rect, recursion: u32) {
        let (right, left, top) = (rect.right() - 14.0, rect.left() + 14.0, rect.top() - LOOP + 3.0);
        let stroke = Stroke::new(1.4, self.theme.outline);
        let corner = 10.0;
        let points = vec![
            pos2(right, rect.top()),
            pos2(right, top + corner * 0.4),
            pos2(right - corner, top),
            pos2(left + corner, top),
            pos2(left, top + corner * 0.4),
            pos2(left, rect.top() - ARROW),
        ];
        self.out.push(crate::picture::Shape::Line { points, stroke });
        let tip = pos2(left, rect.top());
        let head = vec![tip, tip + vec2(ARROW * 0.45, -ARROW), tip + vec2(-ARROW * 0.45, -ARROW)];
        self.out.push(crate::picture::Shape::Polygon { points: head, fill: self.theme.outline });
        let middle = pos2(rect.center().x, top);
        let text = format!("≤{recursion}×");
        let width = crate::picture::text_width(&text, Font::Code, SMALL) + 8.0;
        self.out.rect(Rect::from_center_size(middle, vec2(width, 13.0)), self.theme.page, Stroke::NONE, 0);
        self.out.text(middle, Anchor::Middle, SMALL, Font::Code, self.theme.ink_soft, &text);
    }

    fn node(&mut self, node: usize, rect: Rect) {
        let Some(is) = self.graph.nodes.get(node) else { return };
        let mark = Mark::Node(u32::try_from(node).unwrap_or(u32::MAX));
        let (fill, ink) = self.fill(is.launch, self.activity.and_then(|activity| activity.level(node)));
        self.out.rect(rect, fill, Stroke::new(1.2, self.edge(is.launch)), 6).mark(mark);
        if is.starts() {
            self.entry(rect, is.promoted, mark);
        }
        let lines = drawing::lines(self.graph, node);
        self.text(rect, &lines, ink, mark);
        if self.look.breakpoints.contains(&node) {
            self.breakpoint(rect.left_top(), mark);
        }
        self.found(node, rect.left_bottom() + vec2(14.0, 0.0), mark);
        self.count(node, rect, mark);
    }

    fn array(&mut self, members: &[usize], rect: Rect) {
        let Some(first) = members.first().and_then(|node| self.graph.nodes.get(*node)) else { return };
        let launch = first.launch;
        let front = Rect::from_min_size(rect.min + vec2(0.0, STACK * 2.0), rect.size() - Vec2::splat(STACK * 2.0));
        let (fill, ink) = self.fill(launch, None);
        let edge = self.edge(launch);
        for step in [2.0, 1.0] {
            let shadow = front.translate(vec2(STACK * step, -STACK * step));
            self.out.rect(shadow, mix(fill, self.theme.page, 0.3), Stroke::new(1.0, edge), 6);
        }
        let mark = Mark::Node(u32::try_from(members[0]).unwrap_or(u32::MAX));
        self.out.rect(front, fill, Stroke::new(1.2, edge), 6).mark(mark);
        if members.iter().filter_map(|node| self.graph.nodes.get(*node)).any(|node| node.starts()) {
            self.entry(front, first.promoted, mark);
        }
        let lines = drawing::array_lines(self.graph, members);
        let head = Rect::from_min_size(front.min, vec2(front.width(), 46.0));
        self.text(head, &lines, ink, mark);
        let start = front.min + vec2(PAD, 42.0);
        for (at, node) in members.iter().take(MAX_CELLS).enumerate() {
            let Some(is) = self.graph.nodes.get(*node) else { continue };
            let offset = vec2((at % CELLS_A_ROW) as f32 * CELL.x, (at / CELLS_A_ROW) as f32 * CELL.y);
            let cell = Rect::from_min_size(start + offset, CELL - Vec2::splat(2.0));
            let mark = Mark::Node(u32::try_from(*node).unwrap_or(u32::MAX));
            let level = self.activity.and_then(|activity| activity.level(*node));
            let (fill, ink) = match level {
                Some(_) => self.fill(is.launch, level),
                None => (self.theme.page, self.theme.ink),
            };
            self.out.rect(cell, fill, Stroke::new(0.8, edge), 2).mark(mark);
            let text = elide(&is.id.index.to_string(), Font::Code, 9.0, cell.width() - 2.0);
            self.out.text(cell.center(), Anchor::Middle, 9.0, Font::Code, ink, &text).mark(mark).from_zoom(0.6);
            if self.look.breakpoints.contains(node) {
                self.breakpoint(cell.left_top(), mark);
            }
            self.found(*node, cell.right_bottom(), mark);
        }
        if members.len() > MAX_CELLS {
            let rows = MAX_CELLS.div_ceil(CELLS_A_ROW) as f32;
            let at = start + vec2(0.0, rows * CELL.y + CELL.y / 2.0 - 1.0);
            let text = format!("and {} more", members.len() - MAX_CELLS);
            self.out.words(at, SMALL, self.theme.ink_soft, &text);
        }
    }

    fn missing(&mut self, name: &str, ids: u64, rect: Rect) {
        let stroke = Stroke::new(1.2, self.theme.warn).dashed(DASH);
        self.out.rect(rect, Color32::TRANSPARENT, stroke, 6);
        let what = if ids > 1 { format!("{ids} nodes missing") } else { "no such node".to_owned() };
        let name = elide(name, Font::Words, TITLE, rect.width() - 2.0 * PAD);
        let ink = self.theme.warn;
        self.out.words(pos2(rect.left() + PAD, rect.center().y - 7.0), TITLE, ink, &name);
        self.out.words(pos2(rect.left() + PAD, rect.center().y + 8.0), SMALL, ink, &what).from_zoom(0.4);
    }

    /// A bar and a triangle: the host starts it. Without the triangle's inside where only nothing else does.
    fn entry(&mut self, rect: Rect, promoted: bool, mark: Mark) {
        let x = rect.left() - 3.0;
        let y = rect.center().y;
        let points = vec![pos2(x, y), pos2(x - 9.0, y - 6.0), pos2(x - 9.0, y + 6.0)];
        if promoted {
            let closed = [&points[..], &points[..1]].concat();
            let stroke = Stroke::new(1.2, self.theme.accent);
            self.out.push(crate::picture::Shape::Line { points: closed, stroke }).mark(mark);
        } else {
            self.out.push(crate::picture::Shape::Polygon { points, fill: self.theme.accent }).mark(mark);
        }
        let bar = Rect::from_min_max(pos2(rect.left(), rect.top() + 6.0), pos2(rect.left() + 3.0, rect.bottom() - 6.0));
        self.out.rect(bar, self.theme.accent, Stroke::NONE, 0).mark(mark);
    }

    /// The sign of a node's findings.
    fn found(&mut self, node: usize, at: Pos2, mark: Mark) {
        let Some((_, severity)) = self.look.found.iter().find(|(found, _)| *found == node) else { return };
        let (points, color, letter) = match severity {
            Severity::Note => {
                let angle = |step: u8| std::f32::consts::TAU * f32::from(step) / 16.0;
                let circle = (0..16).map(|step| at + vec2(angle(step).cos(), angle(step).sin()) * 7.0);
                (circle.collect(), self.theme.accent, "i")
            }
            Severity::Warning | Severity::Error => {
                let triangle = vec![at + vec2(-7.5, 6.0), at + vec2(0.0, -7.0), at + vec2(7.5, 6.0)];
                (triangle, self.theme.warn, if *severity == Severity::Error { "×" } else { "!" })
            }
        };
        let ink = self.theme.ink_on(color);
        self.out.push(crate::picture::Shape::Polygon { points, fill: color }).mark(mark);
        let at = at + vec2(0.0, if *severity == Severity::Note { 0.0 } else { 1.5 });
        self.out.text(at, Anchor::Middle, 9.0, Font::Code, ink, letter).mark(mark);
    }

    /// A stop sign on a box's corner.
    fn breakpoint(&mut self, corner: Pos2, mark: Mark) {
        let point = |step: usize| {
            let angle = std::f32::consts::TAU * (step as f32 + 0.5) / 8.0;
            corner + vec2(angle.cos(), angle.sin()) * 6.0
        };
        let points: Vec<Pos2> = (0..8).map(point).collect();
        self.out.push(crate::picture::Shape::Polygon { points, fill: self.theme.warn }).mark(mark);
    }

    fn text(&mut self, rect: Rect, [title, small]: &[String; 2], ink: Color32, mark: Mark) {
        let room = rect.width() - 2.0 * PAD;
        let left = rect.left() + PAD;
        let title = elide(title, Font::Words, TITLE, room);
        let small = elide(small, Font::Words, SMALL, room);
        self.out.words(pos2(left, rect.top() + 16.0), TITLE, ink, &title).mark(mark);
        self.out.words(pos2(left, rect.top() + 32.0), SMALL, ink, &small).mark(mark).from_zoom(0.45);
    }

    /// How many records the node got, on the corner of its box.
    fn count(&mut self, node: usize, rect: Rect, mark: Mark) {
        let Some(records) = self.activity.and_then(|activity| activity.nodes.get(&node)) else { return };
        let text = short(records.records);
        let width = crate::picture::text_width(&text, Font::Code, SMALL) + 8.0;
        let label = Rect::from_min_size(pos2(rect.right() - width - 4.0, rect.top() - 7.0), vec2(width, 14.0));
        self.out.rect(label, self.theme.accent, Stroke::NONE, 4).mark(mark).from_zoom(0.35);
        let ink = self.theme.ink_on(self.theme.accent);
        self.out.text(label.center(), Anchor::Middle, SMALL, Font::Code, ink, &text).mark(mark).from_zoom(0.35);
    }

    /// A box's inside: by its launch, or by what it did where a run is shown.
    fn fill(&self, launch: Launch, level: Option<f32>) -> (Color32, Color32) {
        match (level, self.activity) {
            (Some(level), _) => self.theme.ramp(level),
            (None, Some(_)) => (self.theme.panel, self.theme.ink_soft),
            (None, None) => (self.theme.series(launch_color(launch)).fill, self.theme.ink),
        }
    }

    fn edge(&self, launch: Launch) -> Color32 {
        self.theme.series(launch_color(launch)).line
    }
}

fn launch_color(launch: Launch) -> usize {
    match launch {
        Launch::Broadcasting => 0,
        Launch::Coalescing => 1,
        Launch::Thread => 2,
        Launch::Mesh => 3,
    }
}

/// A count in few characters: `12345` is `12.3k`.
pub fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{:.1}k", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1}M", count as f64 / 1e6),
        _ => format!("{:.1}G", count as f64 / 1e9),
    }
}
