//! A picture on an egui painter.

use egui::epaint::{CornerRadius, CubicBezierShape, RectShape, StrokeKind};
use egui::{Align2, Color32, FontFamily, FontId, Mesh, Painter, Pos2, Rect, vec2};

use super::{Anchor, Font, Item, Mark, Picture, Shape, Stroke, Text};

/// Text smaller than this many points on the screen is left out.
const SMALLEST_TEXT: f32 = 4.5;
/// Patterns are left out below this zoom: they would only blur.
const PATTERN_ZOOM: f32 = 0.4;

/// Highlighted items.
#[derive(Debug, Clone, Copy)]
pub struct Emphasis<'a> {
    /// Outlined.
    pub selected: &'a [Mark],
    /// Outlined more lightly.
    pub hovered: Option<Mark>,
    /// The outline's colour.
    pub accent: Color32,
}

impl Emphasis<'_> {
    fn selects(&self, mark: Option<Mark>) -> bool {
        mark.is_some_and(|mark| self.selected.iter().any(|other| other.meets(mark)))
    }

    fn hovers(&self, mark: Option<Mark>) -> bool {
        mark.zip(self.hovered).is_some_and(|(mark, other)| other.meets(mark))
    }

    fn any_varying(&self) -> bool {
        self.selected.iter().chain(&self.hovered).any(|mark| matches!(mark, Mark::Varying(_)))
    }
}

/// Paints a picture with its upper left corner at `origin`. What the painter clips is not laid out.
pub fn paint(painter: &Painter, picture: &Picture, origin: Pos2, zoom: f32, emphasis: Emphasis<'_>) {
    let view = View { painter, origin, zoom };
    let clip = painter.clip_rect();
    let page = Rect::from_min_size(origin, picture.size * zoom);
    painter.rect_filled(page.intersect(clip), CornerRadius::ZERO, picture.page);
    let fade = emphasis.any_varying();
    let mut outlined: Vec<&Item> = Vec::new();
    // Plain rectangles in a row become one mesh: a lane map is a thousand of them.
    let mut plain = Mesh::default();
    for item in &picture.items {
        if zoom < item.min_zoom || zoom >= item.max_zoom || !clip.intersects(view.rect(item.bounds).expand(4.0)) {
            continue;
        }
        let stands_out = emphasis.selects(item.mark) || emphasis.hovers(item.mark);
        if stands_out && !matches!(item.shape, Shape::Text(_)) {
            outlined.push(item);
        }
        if let Shape::Rect { rect, fill, stroke, radius: 0, pattern: None } = &item.shape
            && stroke.width <= 0.0
        {
            if *fill != Color32::TRANSPARENT {
                plain.add_colored_rect(view.pixels(*rect), *fill);
            }
            continue;
        }
        if !plain.is_empty() {
            painter.add(std::mem::take(&mut plain));
        }
        let faded = fade && !stands_out && item.mark.is_some() && matches!(item.shape, Shape::Curve { .. });
        view.shape(&item.shape, if faded { 0.3 } else { 1.0 });
    }
    if !plain.is_empty() {
        painter.add(plain);
    }
    for item in &outlined {
        view.outline(item, emphasis.accent, emphasis.selects(item.mark));
    }
    // A frame goes around a part of a text at most: the text stays whole.
    let frames: Vec<Rect> = outlined.iter().map(|item| item.bounds).collect();
    let is_cut =
        |text: Rect| frames.iter().any(|frame| frame.expand(2.0).intersects(text) && !frame.contains_rect(text));
    for item in &picture.items {
        let is_drawn = zoom >= item.min_zoom && zoom < item.max_zoom;
        if let (true, Shape::Text(text)) = (is_drawn && !frames.is_empty(), &item.shape)
            && is_cut(item.bounds)
        {
            view.text(text);
        }
    }
}

struct View<'a> {
    painter: &'a Painter,
    origin: Pos2,
    zoom: f32,
}

impl View<'_> {
    fn point(&self, point: Pos2) -> Pos2 {
        self.origin + point.to_vec2() * self.zoom
    }

    fn rect(&self, rect: Rect) -> Rect {
        Rect::from_min_max(self.point(rect.min), self.point(rect.max))
    }

    /// The rectangle with its edges on pixels: meshes are not smoothed.
    fn pixels(&self, rect: Rect) -> Rect {
        let scale = self.painter.pixels_per_point();
        let snap = |v: f32| (v * scale).round() / scale;
        let rect = self.rect(rect);
        Rect::from_min_max(Pos2::new(snap(rect.min.x), snap(rect.min.y)), Pos2::new(snap(rect.max.x), snap(rect.max.y)))
    }

    fn stroke(&self, stroke: &Stroke, strength: f32) -> egui::Stroke {
        // Lines thinner than a pixel only turn grey.
        let thinnest = 1.0 / self.painter.pixels_per_point();
        let width = if stroke.width > 0.0 { (stroke.width * self.zoom).max(thinnest) } else { 0.0 };
        egui::Stroke::new(width, stroke.color.gamma_multiply(strength))
    }

    fn shape(&self, shape: &Shape, strength: f32) {
        match shape {
            Shape::Rect { rect, fill, stroke, radius, pattern } => {
                let place = self.rect(*rect);
                let radius = CornerRadius::same((f32::from(*radius) * self.zoom).round() as u8);
                let dashed = stroke.dash > 0.0;
                let edge = if dashed { egui::Stroke::NONE } else { self.stroke(stroke, strength) };
                match pattern {
                    Some((pattern, color)) if self.zoom >= PATTERN_ZOOM => {
                        self.painter.rect_filled(place, radius, *fill);
                        let line = self.stroke(&Stroke::new(1.0, *color), strength);
                        for [from, to] in pattern.segments(*rect) {
                            self.painter.line_segment([self.point(from), self.point(to)], line);
                        }
                        self.painter.rect_stroke(place, radius, edge, StrokeKind::Middle);
                    }
                    _ => {
                        self.painter.add(RectShape::new(place, radius, *fill, edge, StrokeKind::Middle));
                    }
                }
                if dashed {
                    let corners =
                        [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
                    self.dashes(&corners, stroke, strength);
                }
            }
            Shape::Line { points, stroke } if stroke.dash > 0.0 => self.dashes(points, stroke, strength),
            Shape::Line { points, stroke } => {
                let points = points.iter().map(|point| self.point(*point)).collect();
                self.painter.line(points, self.stroke(stroke, strength));
            }
            Shape::Polygon { points, fill } => {
                let points = points.iter().map(|point| self.point(*point)).collect();
                self.painter.add(egui::Shape::convex_polygon(points, *fill, egui::Stroke::NONE));
            }
            Shape::Curve { points, stroke } => {
                self.curve(points, self.stroke(stroke, strength));
            }
            Shape::Text(text) => self.text(text),
        }
    }

    fn curve(&self, points: &[Pos2; 4], stroke: egui::Stroke) {
        let points = points.map(|point| self.point(point));
        self.painter.add(CubicBezierShape::from_points_stroke(points, false, Color32::TRANSPARENT, stroke));
    }

    fn dashes(&self, points: &[Pos2], stroke: &Stroke, strength: f32) {
        let points: Vec<_> = points.iter().map(|point| self.point(*point)).collect();
        let dash = (stroke.dash * self.zoom).max(1.0);
        self.painter.extend(egui::Shape::dashed_line(&points, self.stroke(stroke, strength), dash, dash));
    }

    fn text(&self, text: &Text) {
        let size = text.size * self.zoom;
        if size < SMALLEST_TEXT || text.text.is_empty() {
            return;
        }
        let (family, lift) = match text.font {
            // The middle of a line lies below the middle of its capitals by this much of the em.
            Font::Words => (FontFamily::Proportional, 0.02),
            Font::Code => (FontFamily::Monospace, 0.0),
        };
        let align = match text.anchor {
            Anchor::Start => Align2::LEFT_CENTER,
            Anchor::Middle => Align2::CENTER_CENTER,
            Anchor::End => Align2::RIGHT_CENTER,
        };
        let at = self.point(text.at) - vec2(0.0, lift * size);
        self.painter.text(at, align, &text.text, FontId::new(size, family), text.color);
    }

    fn outline(&self, item: &Item, accent: Color32, selected: bool) {
        let width = if selected { 2.5 } else { 1.5 };
        match &item.shape {
            Shape::Rect { rect, radius, .. } => {
                let radius = CornerRadius::same((f32::from(*radius) * self.zoom).round() as u8);
                let stroke = egui::Stroke::new(width, accent);
                self.painter.rect_stroke(self.rect(*rect), radius, stroke, StrokeKind::Middle);
            }
            Shape::Curve { points, stroke } => {
                // In its own colour, as the others fade.
                let line = self.stroke(stroke, 1.0);
                self.curve(points, egui::Stroke::new(line.width + width, line.color));
            }
            Shape::Line { .. } | Shape::Polygon { .. } | Shape::Text(_) => {}
        }
    }
}
