//! A diagram as a small list of shapes and texts: painted by the window, written as SVG, rasterised to PNG.
//!
//! Coordinates are in points, y down. Later items lie over earlier ones. Items that represent something carry a
//! [`Mark`], by which they are hit, selected and highlighted.

mod compose;
mod file_format;
mod metrics;
mod png;
#[cfg(feature = "png")]
mod raster;
mod svg;

pub use compose::flag_in;
pub use file_format::FileFormat;
use lanescope_core::foreign::is_obeyed;
use lanescope_inspector::command::Drawing;
use lanescope_inspector::selection::Varying;
pub use metrics::{elide, text_width};
pub use png::{PNG, PngError, pixels_png, png};
pub use svg::svg;

use ecolor::Color32;
use emath::{Pos2, Rect, Vec2, pos2, vec2};

/// The longest text that a picture takes over from a file, in characters.
const LONGEST_TEXT: usize = 256;

/// A diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// What it shows, in a few words: the accessible name.
    pub title: String,
    /// Its size in points.
    pub size: Vec2,
    /// Behind everything.
    pub page: Color32,
    /// What is drawn, back to front.
    pub items: Vec<Item>,
}

impl Drawing for Picture {
    fn encode(&self, extension: &str) -> Option<Result<Vec<u8>, String>> {
        let format = FileFormat::of(extension)?;
        Some(format.bytes(self).map_err(|error| error.to_string()))
    }
}

/// One shape, and what it represents.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The shape.
    pub shape: Shape,
    /// What it represents.
    pub mark: Option<Mark>,
    /// Drawn from this zoom on (1 = a point is a point).
    pub min_zoom: f32,
    /// Drawn below this zoom.
    pub max_zoom: f32,
    /// The smallest rectangle around the shape, without its stroke.
    pub bounds: Rect,
}

/// What an item represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// A scalar of the interface, by its place as written.
    Varying(Varying),
    /// A built-in's attribute slot.
    BuiltIn(u32),
    /// An invocation of the workgroup.
    Invocation([u32; 3]),
    /// A workgroup of the dispatch.
    Group([u32; 2]),
    /// A size of workgroups, X and Y.
    Size([u32; 2]),
    /// A part of a container, by its index.
    Part(u32),
    /// An element of a container's signatures, by its index in all of them.
    Element(u32),
    /// A node of a work graph, by its index.
    Node(u32),
    /// An arrow of a work graph's drawing, by its index.
    Link(u32),
    /// A descriptor set and a binding in it.
    Binding([u32; 2]),
    /// A wave of a workgroup and a lane in it.
    Lane([u32; 2]),
}

/// A shape. Strokes are centred on its edge.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A rectangle.
    Rect {
        /// Its place.
        rect: Rect,
        /// Its inside; transparent for none.
        fill: Color32,
        /// Its edge.
        stroke: Stroke,
        /// Radius of its corners.
        radius: u8,
        /// Lines over its fill.
        pattern: Option<(Pattern, Color32)>,
    },
    /// Straight lines from point to point.
    Line {
        /// At least two points.
        points: Vec<Pos2>,
        /// The line.
        stroke: Stroke,
    },
    /// A filled convex polygon.
    Polygon {
        /// At least three points.
        points: Vec<Pos2>,
        /// Its inside.
        fill: Color32,
    },
    /// A cubic curve: start, two controls, end.
    Curve {
        /// The four points.
        points: [Pos2; 4],
        /// The line.
        stroke: Stroke,
    },
    /// One line of text.
    Text(Text),
}

/// A line's look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// In points; 0 for none.
    pub width: f32,
    /// Its colour.
    pub color: Color32,
    /// Length of dashes and of the gaps between them; 0 for a solid line.
    pub dash: f32,
}

/// One line of text.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The text, without control characters.
    pub text: String,
    /// Where it is: x by `anchor`, y at the middle of its capitals.
    pub at: Pos2,
    /// Which end of the text `at` is.
    pub anchor: Anchor,
    /// Size of the em in points.
    pub size: f32,
    /// Its typeface.
    pub font: Font,
    /// Its colour.
    pub color: Color32,
}

/// Which point of a text is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// A typeface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    /// Words: Ubuntu Light.
    Words,
    /// Numbers and code: Hack.
    Code,
}

/// Hatching that distinguishes classes without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Diagonal lines.
    Hatch,
    /// Horizontal lines.
    Bars,
    /// Diagonal lines both ways.
    Cross,
    /// Vertical lines.
    Columns,
}

/// The next item from a marked one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To smaller x.
    Left,
    /// To larger x.
    Right,
    /// To smaller y.
    Up,
    /// To larger y.
    Down,
}

impl Stroke {
    /// No line.
    pub const NONE: Stroke = Stroke { width: 0.0, color: Color32::TRANSPARENT, dash: 0.0 };

    /// A solid line.
    pub fn new(width: f32, color: Color32) -> Self {
        Stroke { width, color, dash: 0.0 }
    }

    /// The same line with dashes of that length.
    pub fn dashed(self, dash: f32) -> Self {
        Stroke { dash, ..self }
    }
}

impl Mark {
    /// Whether both represent the same thing, or one for a part of the other.
    pub fn meets(self, other: Mark) -> bool {
        match (self, other) {
            (Mark::Varying(a), Mark::Varying(b)) => {
                a.location == b.location
                    && (a.component.is_none() || b.component.is_none() || a.component == b.component)
            }
            _ => self == other,
        }
    }
}

impl Item {
    /// The item, standing for `mark`.
    pub fn mark(&mut self, mark: Mark) -> &mut Self {
        self.mark = Some(mark);
        self
    }

    /// The item, drawn only from that zoom on.
    pub fn from_zoom(&mut self, zoom: f32) -> &mut Self {
        self.min_zoom = zoom;
        self
    }

    /// The item, drawn only below that zoom.
    pub fn below_zoom(&mut self, zoom: f32) -> &mut Self {
        self.max_zoom = zoom;
        self
    }
}

impl Picture {
    /// An empty picture; it grows with what is put into it (see [`Picture::fit`]).
    pub fn new(title: impl Into<String>, page: Color32) -> Self {
        Picture { title: clean(&title.into()), size: Vec2::ZERO, page, items: Vec::new() }
    }

    /// Puts a shape on top.
    pub fn push(&mut self, shape: Shape) -> &mut Item {
        let bounds = shape.bounds();
        let item = Item { shape, mark: None, min_zoom: 0.0, max_zoom: f32::INFINITY, bounds };
        let at = self.items.len();
        self.items.push(item);
        &mut self.items[at]
    }

    /// Puts a rectangle on top.
    pub fn rect(&mut self, rect: Rect, fill: Color32, stroke: Stroke, radius: u8) -> &mut Item {
        self.push(Shape::Rect { rect, fill, stroke, radius, pattern: None })
    }

    /// Puts a straight line on top.
    pub fn line(&mut self, from: Pos2, to: Pos2, stroke: Stroke) -> &mut Item {
        self.push(Shape::Line { points: vec![from, to], stroke })
    }

    /// Puts words on top.
    pub fn words(&mut self, at: Pos2, size: f32, color: Color32, text: &str) -> &mut Item {
        self.text(at, Anchor::Start, size, Font::Words, color, text)
    }

    /// Puts text on top. Control characters are replaced, and what is longer than a line is cut.
    pub fn text(&mut self, at: Pos2, anchor: Anchor, size: f32, font: Font, color: Color32, text: &str) -> &mut Item {
        self.push(Shape::Text(Text { text: clean(text), at, anchor, size, font, color }))
    }

    /// Sets the size to what the items take plus a margin to the right and below.
    pub fn fit(&mut self, margin: f32) {
        let far = self.items.iter().fold(Pos2::ZERO, |far, item| far.max(item.bounds.max));
        self.size = vec2((far.x + margin).ceil(), (far.y + margin).ceil());
    }

    /// The topmost marked item at a point; curves are hit within three points.
    pub fn hit(&self, at: Pos2) -> Option<Mark> {
        self.items.iter().rev().find(|item| item.mark.is_some() && item.shape.hit(at)).and_then(|item| item.mark)
    }

    /// The topmost marked item at a point, with its rectangle: of a line or a curve, the point's surroundings.
    pub fn hit_place(&self, at: Pos2) -> Option<(Mark, Rect)> {
        const NEAR: f32 = 6.0;
        let item = self.items.iter().rev().find(|item| item.mark.is_some() && item.shape.hit(at))?;
        let place = match item.shape {
            Shape::Line { .. } | Shape::Curve { .. } => Rect::from_center_size(at, vec2(NEAR, NEAR)),
            _ => item.bounds,
        };
        Some((item.mark?, place))
    }

    /// The rectangle that represents a mark: the first one that was drawn.
    pub fn place(&self, mark: Mark) -> Option<Rect> {
        let (rect, mark) = self.marked_rects().find(|(_, other)| other.meets(mark))?;
        Some(self.innermost(rect, mark))
    }

    /// The smallest rectangle of a mark in one of its rectangles: an array's box is that of its first member, which has
    /// a cell in it.
    fn innermost(&self, rect: Rect, mark: Mark) -> Rect {
        let inside = self.marked_rects().filter(|(inner, other)| *other == mark && rect.contains_rect(*inner));
        inside.map(|(inner, _)| inner).min_by(|a, b| a.area().total_cmp(&b.area())).unwrap_or(rect)
    }

    /// The marked rectangle next to `from` in a direction; without `from`, the first one.
    pub fn step(&self, from: Option<Mark>, step: Step) -> Option<Mark> {
        let Some(start) = from.and_then(|mark| self.place(mark)) else {
            return self.marked_rects().next().map(|(_, mark)| mark);
        };
        let mut seen = std::collections::BTreeSet::new();
        self.marked_rects()
            .filter(|(_, mark)| seen.insert(*mark))
            .filter_map(|(rect, mark)| {
                let delta = self.innermost(rect, mark).center() - start.center();
                let (along, across) = match step {
                    Step::Left => (-delta.x, delta.y.abs()),
                    Step::Right => (delta.x, delta.y.abs()),
                    Step::Up => (-delta.y, delta.x.abs()),
                    Step::Down => (delta.y, delta.x.abs()),
                };
                // What lies mostly in that direction; across counts double, so that rows and columns are kept.
                (along > 0.5 && across <= along).then_some((along + 2.0 * across, mark))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, mark)| mark)
    }

    fn marked_rects(&self) -> impl Iterator<Item = (Rect, Mark)> {
        self.items.iter().filter_map(|item| match (&item.shape, item.mark) {
            (Shape::Rect { rect, .. }, Some(mark)) => Some((*rect, mark)),
            _ => None,
        })
    }
}

impl Shape {
    /// The smallest rectangle around the shape, without its stroke.
    pub fn bounds(&self) -> Rect {
        match self {
            Shape::Rect { rect, .. } => *rect,
            Shape::Line { points, .. } | Shape::Polygon { points, .. } => Rect::from_points(points),
            Shape::Curve { points, .. } => Rect::from_points(points),
            Shape::Text(text) => text.bounds(),
        }
    }

    fn hit(&self, at: Pos2) -> bool {
        const NEAR: f32 = 3.0;
        match self {
            Shape::Rect { rect, .. } => rect.contains(at),
            Shape::Polygon { points, .. } => Rect::from_points(points).contains(at),
            Shape::Line { points, .. } => points.windows(2).any(|pair| near_segment(at, pair[0], pair[1]) <= NEAR),
            Shape::Curve { points, .. } => {
                if !Rect::from_points(points).expand(NEAR).contains(at) {
                    return false;
                }
                let mut from = points[0];
                (1..=24).any(|step| {
                    let to = cubic(points, step as f32 / 24.0);
                    let near = near_segment(at, from, to) <= NEAR;
                    from = to;
                    near
                })
            }
            Shape::Text(text) => text.bounds().contains(at),
        }
    }
}

impl Text {
    /// The box that the text takes, from the widths of the fonts' glyphs.
    pub fn bounds(&self) -> Rect {
        let width = text_width(&self.text, self.font, self.size);
        let left = match self.anchor {
            Anchor::Start => self.at.x,
            Anchor::Middle => self.at.x - width / 2.0,
            Anchor::End => self.at.x - width,
        };
        Rect::from_min_size(pos2(left, self.at.y - self.size * 0.6), vec2(width, self.size * 1.2))
    }
}

impl Pattern {
    /// The pattern's lines within a rectangle, the same for every output.
    pub fn segments(self, rect: Rect) -> Vec<[Pos2; 2]> {
        const BAR_GAP: f32 = 4.0;
        const COLUMN_GAP: f32 = 6.0;
        const HATCH_GAP: f32 = 7.0;
        const CROSS_GAP: f32 = 8.0;
        let rect = rect.shrink(1.0);
        let mut lines = Vec::new();
        if !rect.is_positive() || !rect.is_finite() || rect.width() > 4096.0 || rect.height() > 4096.0 {
            return lines;
        }
        match self {
            Pattern::Bars => {
                let mut y = rect.top() + BAR_GAP / 2.0;
                while y < rect.bottom() {
                    lines.push([pos2(rect.left(), y), pos2(rect.right(), y)]);
                    y += BAR_GAP;
                }
            }
            Pattern::Columns => {
                let mut x = rect.left() + COLUMN_GAP / 2.0;
                while x < rect.right() {
                    lines.push([pos2(x, rect.top()), pos2(x, rect.bottom())]);
                    x += COLUMN_GAP;
                }
            }
            Pattern::Hatch => diagonals(rect, HATCH_GAP, false, &mut lines),
            Pattern::Cross => {
                diagonals(rect, CROSS_GAP, false, &mut lines);
                diagonals(rect, CROSS_GAP, true, &mut lines);
            }
        }
        lines
    }
}

/// Lines at 45 degrees, rising to the right, or falling where `falling`.
fn diagonals(rect: Rect, gap: f32, falling: bool, lines: &mut Vec<[Pos2; 2]>) {
    let (width, height) = (rect.width(), rect.height());
    let mut offset = gap / 2.0;
    while offset < width + height {
        // The line u + v = offset, in distances from the lower left corner (upper left where falling).
        let start = vec2((offset - height).max(0.0), offset.min(height));
        let end = vec2(offset.min(width), (offset - width).max(0.0));
        let place = |p: Vec2| pos2(rect.left() + p.x, if falling { rect.bottom() - p.y } else { rect.top() + p.y });
        lines.push([place(start), place(end)]);
        offset += gap;
    }
}

/// A point of a cubic curve, from 0 (start) to 1 (end).
pub fn cubic([a, b, c, d]: &[Pos2; 4], t: f32) -> Pos2 {
    let s = 1.0 - t;
    let sum = a.to_vec2() * (s * s * s)
        + b.to_vec2() * (3.0 * s * s * t)
        + c.to_vec2() * (3.0 * s * t * t)
        + d.to_vec2() * (t * t * t);
    sum.to_pos2()
}

fn near_segment(at: Pos2, from: Pos2, to: Pos2) -> f32 {
    let along = to - from;
    let length = along.length_sq();
    let t = if length > 0.0 { ((at - from).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
    at.distance(from + along * t)
}

/// The text as one line that can be shown: names come from files, and files may be hostile.
pub fn clean(text: &str) -> String {
    let hidden = |c: char| {
        is_obeyed(c)
            || matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2065}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
    };
    let mut out: String = text.chars().take(LONGEST_TEXT).map(|c| if hidden(c) { '\u{FFFD}' } else { c }).collect();
    if text.chars().nth(LONGEST_TEXT).is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varying(location: u32, component: Option<u8>) -> Mark {
        Mark::Varying(Varying { location, component })
    }

    fn cell(picture: &mut Picture, x: f32, y: f32, mark: Mark) {
        let rect = Rect::from_min_size(pos2(x, y), vec2(10.0, 10.0));
        picture.rect(rect, Color32::WHITE, Stroke::NONE, 0).mark(mark);
    }

    fn grid() -> Picture {
        let mut picture = Picture::new("grid", Color32::WHITE);
        for y in 0..3_u8 {
            for x in 0..3_u8 {
                cell(&mut picture, 12.0 * f32::from(x), 12.0 * f32::from(y), Mark::Group([x.into(), y.into()]));
            }
        }
        picture.fit(5.0);
        picture
    }

    #[test]
    fn the_topmost_marked_item_is_hit() {
        let mut picture = grid();
        assert_eq!(picture.size, vec2(39.0, 39.0));
        assert_eq!(picture.hit(pos2(14.0, 1.0)), Some(Mark::Group([1, 0])));
        assert_eq!(picture.hit(pos2(11.0, 1.0)), None, "between two cells");
        cell(&mut picture, 12.0, 0.0, Mark::BuiltIn(3));
        picture.words(pos2(14.0, 2.0), 9.0, Color32::BLACK, "unmarked items are no obstacle");
        assert_eq!(picture.hit(pos2(14.0, 1.0)), Some(Mark::BuiltIn(3)));
    }

    #[test]
    fn a_curve_is_hit_on_its_line_only() {
        let mut picture = Picture::new("curve", Color32::WHITE);
        let points = [pos2(0.0, 0.0), pos2(50.0, 0.0), pos2(50.0, 100.0), pos2(100.0, 100.0)];
        picture.push(Shape::Curve { points, stroke: Stroke::new(2.0, Color32::RED) }).mark(varying(1, Some(2)));
        assert_eq!(picture.hit(pos2(50.0, 50.0)), Some(varying(1, Some(2))));
        assert_eq!(picture.hit(pos2(90.0, 10.0)), None);
    }

    #[test]
    fn a_location_matches_its_components() {
        assert!(varying(1, None).meets(varying(1, Some(2))));
        assert!(varying(1, Some(2)).meets(varying(1, None)));
        assert!(!varying(1, Some(1)).meets(varying(1, Some(2))));
        assert!(!varying(1, None).meets(varying(2, None)));
        assert!(!varying(1, None).meets(Mark::BuiltIn(1)));
    }

    #[test]
    fn steps_keep_to_row_and_column() {
        let picture = grid();
        let at = |x, y| Some(Mark::Group([x, y]));
        assert_eq!(picture.step(None, Step::Right), at(0, 0));
        assert_eq!(picture.step(at(1, 1), Step::Right), at(2, 1));
        assert_eq!(picture.step(at(1, 1), Step::Left), at(0, 1));
        assert_eq!(picture.step(at(1, 1), Step::Up), at(1, 0));
        assert_eq!(picture.step(at(1, 1), Step::Down), at(1, 2));
        assert_eq!(picture.step(at(2, 1), Step::Right), None);
    }

    #[test]
    fn a_box_around_cells_represents_its_first_cell() {
        let mut picture = Picture::new("an array", Color32::WHITE);
        let edge = Stroke::new(1.0, Color32::BLACK);
        let around = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 60.0));
        picture.rect(around, Color32::WHITE, edge, 0).mark(Mark::Node(0));
        for cell in 0..4_u32 {
            let rect = Rect::from_min_size(pos2(10.0 + 20.0 * cell as f32, 30.0), vec2(18.0, 18.0));
            picture.rect(rect, Color32::WHITE, edge, 0).mark(Mark::Node(cell));
        }
        assert_eq!(picture.hit(pos2(300.0, 10.0)), Some(Mark::Node(0)));
        assert_eq!(picture.place(Mark::Node(0)).map(|rect| rect.left()), Some(10.0));
        assert_eq!(picture.step(Some(Mark::Node(0)), Step::Right), Some(Mark::Node(1)));
        assert_eq!(picture.step(Some(Mark::Node(1)), Step::Left), Some(Mark::Node(0)));
    }

    #[test]
    fn patterns_stay_inside() {
        let rect = Rect::from_min_size(pos2(10.0, 20.0), vec2(84.0, 19.0));
        for pattern in [Pattern::Hatch, Pattern::Bars, Pattern::Cross, Pattern::Columns] {
            let lines = pattern.segments(rect);
            assert!(lines.len() >= 4, "{pattern:?}");
            assert!(lines.iter().flatten().all(|point| rect.contains(*point)), "{pattern:?}: {lines:?}");
        }
        assert!(Pattern::Hatch.segments(Rect::NOTHING).is_empty());
        assert!(Pattern::Hatch.segments(Rect::EVERYTHING).is_empty());
    }

    #[test]
    fn hostile_names_become_one_line() {
        assert_eq!(clean("a\nb\u{1b}[31m\u{202e}c"), "a\u{FFFD}b\u{FFFD}[31m\u{FFFD}c");
        assert_eq!(clean(&"x".repeat(1000)).chars().count(), LONGEST_TEXT + 1);
    }
}
