//! Composition of pictures.

use std::collections::BTreeSet;

use ecolor::Color32;
use emath::{Pos2, Rect, pos2, vec2};

use super::{Item, Mark, Picture, Shape, Stroke, Text};

/// The side of a flag, and the share of its cell that it takes at most.
const FLAG: f32 = 10.0;
const FLAG_SHARE: f32 = 0.45;

impl Picture {
    /// Puts another picture's items on top, `scale` times as large, with its origin at `at`. The size stays.
    pub fn append(&mut self, other: &Picture, at: Pos2, scale: f32) {
        self.items.extend(other.items.iter().map(|item| {
            let shape = item.shape.moved(at, scale);
            let [min_zoom, max_zoom] = [item.min_zoom, item.max_zoom].map(|zoom| zoom / scale);
            Item { bounds: shape.bounds(), shape, min_zoom, max_zoom, mark: item.mark }
        }));
    }

    /// Both pictures beside each other, the first to the left.
    pub fn beside(self, other: &Picture) -> Picture {
        let mut both = self;
        both.append(other, pos2(both.size.x, 0.0), 1.0);
        both.title = format!("{}; {}", both.title, other.title);
        both.size = vec2(both.size.x + other.size.x, both.size.y.max(other.size.y));
        both
    }

    /// Both pictures above each other, the first on top. The title is the first one's.
    pub fn above(self, other: &Picture) -> Picture {
        let mut both = self;
        both.append(other, pos2(0.0, both.size.y), 1.0);
        both.size = vec2(both.size.x.max(other.size.x), both.size.y + other.size.y);
        both
    }

    /// Puts a flag into the upper right corner of every rectangle that represents one of these: a mark that needs no
    /// colour to be seen.
    pub fn flag(&mut self, marks: &BTreeSet<Mark>, color: Color32) {
        let flagged = self.items.iter().filter(|item| item.mark.is_some_and(|mark| marks.contains(&mark)));
        let rects = flagged.filter(|item| matches!(item.shape, Shape::Rect { .. })).map(|item| item.bounds);
        for rect in rects.collect::<Vec<_>>() {
            self.push(flag_in(rect, color));
        }
    }
}

/// A flag in the upper right corner of a cell.
pub fn flag_in(cell: Rect, fill: Color32) -> Shape {
    let side = FLAG.min(cell.width().min(cell.height()) * FLAG_SHARE);
    let corner = cell.right_top();
    Shape::Polygon { points: vec![corner, corner + vec2(-side, 0.0), corner + vec2(0.0, side)], fill }
}

impl Shape {
    /// The shape, `scale` times as large, with what was the origin at `at`. Patterns and corners keep their measures.
    fn moved(&self, at: Pos2, scale: f32) -> Shape {
        let point = |p: Pos2| at + p.to_vec2() * scale;
        let line = |stroke: Stroke| Stroke { width: stroke.width * scale, dash: stroke.dash * scale, ..stroke };
        match self {
            Shape::Rect { rect, fill, stroke, radius, pattern } => Shape::Rect {
                rect: Rect::from_min_max(point(rect.min), point(rect.max)),
                fill: *fill,
                stroke: line(*stroke),
                radius: *radius,
                pattern: *pattern,
            },
            Shape::Line { points, stroke } => {
                Shape::Line { points: points.iter().copied().map(point).collect(), stroke: line(*stroke) }
            }
            Shape::Polygon { points, fill } => {
                Shape::Polygon { points: points.iter().copied().map(point).collect(), fill: *fill }
            }
            Shape::Curve { points, stroke } => Shape::Curve { points: points.map(point), stroke: line(*stroke) },
            Shape::Text(text) => Shape::Text(Text { at: point(text.at), size: text.size * scale, ..text.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use ecolor::Color32;

    use super::*;
    use crate::picture::{Anchor, Font, Mark};

    fn sample() -> Picture {
        let mut picture = Picture::new("sample", Color32::WHITE);
        let rect = Rect::from_min_size(pos2(10.0, 20.0), vec2(30.0, 10.0));
        picture.rect(rect, Color32::RED, Stroke::new(2.0, Color32::BLACK), 2).mark(Mark::Group([1, 2]));
        picture.line(pos2(0.0, 0.0), pos2(5.0, 6.0), Stroke::new(1.0, Color32::BLACK).dashed(3.0));
        let points = vec![pos2(0.0, 0.0), pos2(4.0, 0.0), pos2(0.0, 4.0)];
        picture.push(Shape::Polygon { points, fill: Color32::BLUE });
        let points = [pos2(0.0, 0.0), pos2(1.0, 0.0), pos2(2.0, 3.0), pos2(3.0, 3.0)];
        picture.push(Shape::Curve { points, stroke: Stroke::new(1.0, Color32::BLACK) });
        picture.text(pos2(8.0, 8.0), Anchor::Middle, 10.0, Font::Code, Color32::BLACK, "17").from_zoom(0.5);
        picture.fit(5.0);
        picture
    }

    #[test]
    fn append_keeps_proportions() {
        let one = sample();
        let mut all = Picture::new("all", Color32::WHITE);
        all.append(&one, pos2(100.0, 50.0), 2.0);
        for (was, is) in one.items.iter().zip(&all.items) {
            let expected = Rect::from_min_max(
                pos2(100.0, 50.0) + was.bounds.min.to_vec2() * 2.0,
                pos2(100.0, 50.0) + was.bounds.max.to_vec2() * 2.0,
            );
            let far = (is.bounds.min - expected.min).abs().max_elem() + (is.bounds.max - expected.max).abs().max_elem();
            assert!(far < 0.01, "{is:?}");
        }
        assert_eq!(all.items[4].min_zoom, 0.25, "a larger text is read from further away");
        assert_eq!(all.hit(pos2(100.0 + 2.0 * 25.0, 50.0 + 2.0 * 25.0)), Some(Mark::Group([1, 2])));
    }

    #[test]
    fn flags_are_in_the_corners_of_marked_rectangles() {
        let mut picture = sample();
        let count = picture.items.len();
        picture.flag(&BTreeSet::from([Mark::Group([9, 9])]), Color32::RED);
        assert_eq!(picture.items.len(), count, "nothing stands for that");
        picture.flag(&BTreeSet::from([Mark::Group([1, 2])]), Color32::RED);
        assert_eq!(picture.items.len(), count + 1);
        let flag = &picture.items[count];
        assert_eq!(flag.bounds.right_top(), pos2(40.0, 20.0));
        assert!(flag.bounds.height() <= 4.5 && flag.mark.is_none(), "{flag:?}");
    }

    #[test]
    fn stacked_pictures_do_not_overlap() {
        let (one, other) = (sample(), sample());
        let both = one.clone().above(&other);
        assert_eq!(both.size, vec2(one.size.x, one.size.y * 2.0));
        assert!(both.items[5..].iter().all(|item| item.bounds.top() >= one.size.y));
    }

    #[test]
    fn adjacent_pictures_do_not_overlap() {
        let (one, other) = (sample(), sample());
        let both = one.clone().beside(&other);
        assert_eq!(both.size, vec2(one.size.x * 2.0, one.size.y));
        assert_eq!(both.items.len(), 10);
        assert!(both.items[5..].iter().all(|item| item.bounds.left() >= one.size.x));
    }
}
