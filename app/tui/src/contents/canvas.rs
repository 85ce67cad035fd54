//! A canvas of characters: lines that join, boxes, texts; and what each place leads to.

use super::super::pane::{Link, Row};

/// The character where lines meet that come from these directions.
pub fn corner(up: bool, down: bool, left: bool, right: bool) -> char {
    match (up, down, left, right) {
        (false, false, false, false) => ' ',
        (true, true, false, false) | (true, false, false, false) | (false, true, false, false) => '│',
        (false, false, true, true) | (false, false, true, false) | (false, false, false, true) => '─',
        (false, true, false, true) => '┌',
        (false, true, true, false) => '┐',
        (true, false, false, true) => '└',
        (true, false, true, false) => '┘',
        (true, true, false, true) => '├',
        (true, true, true, false) => '┤',
        (false, true, true, true) => '┬',
        (true, false, true, true) => '┴',
        (true, true, true, true) => '┼',
    }
}

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;
const DASHED: u8 = 16;

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    lines: u8,
    sign: Option<char>,
    style: usize,
    link: Option<usize>,
}

pub struct Canvas {
    width: usize,
    places: Vec<Place>,
    /// Styles, by the index that a place has.
    pub styles: Vec<anstyle::Style>,
    links: Vec<Link>,
}

impl Canvas {
    /// An empty canvas.
    pub fn new(width: usize, height: usize) -> Canvas {
        let places = vec![Place::default(); width.saturating_mul(height)];
        Canvas { width, places, styles: vec![anstyle::Style::new()], links: Vec::new() }
    }

    fn at(&mut self, x: usize, y: usize) -> Option<&mut Place> {
        if x >= self.width {
            return None;
        }
        self.places.get_mut(y * self.width + x)
    }

    fn join(&mut self, x: usize, y: usize, lines: u8, style: usize) {
        if let Some(place) = self.at(x, y) {
            let dashed = place.lines == 0 || place.lines & DASHED > 0;
            let lines = if dashed { lines } else { lines & !DASHED };
            place.lines = (place.lines & if lines & DASHED > 0 { 0xff } else { !DASHED }) | lines;
            place.style = place.style.max(style);
        }
    }

    /// A line along one axis; both ends are included.
    pub fn line(&mut self, from: [usize; 2], to: [usize; 2], dashed: bool, style: usize) {
        let extra = if dashed { DASHED } else { 0 };
        if from[1] == to[1] {
            let (a, b) = (from[0].min(to[0]), from[0].max(to[0]));
            for x in a..=b {
                let lines = if x > a { LEFT } else { 0 } | if x < b { RIGHT } else { 0 };
                self.join(x, from[1], lines | extra, style);
            }
        } else {
            let (a, b) = (from[1].min(to[1]), from[1].max(to[1]));
            for y in a..=b {
                let lines = if y > a { UP } else { 0 } | if y < b { DOWN } else { 0 };
                self.join(from[0], y, lines | extra, style);
            }
        }
    }

    /// A box, empty inside.
    pub fn frame(&mut self, [x, y]: [usize; 2], [width, height]: [usize; 2], dashed: bool, style: usize) {
        let (right, bottom) = (x + width.saturating_sub(1), y + height.saturating_sub(1));
        for at in y..=bottom {
            for column in x..=right {
                if let Some(place) = self.at(column, at) {
                    *place = Place { sign: None, ..Place::default() };
                }
            }
        }
        self.line([x, y], [right, y], dashed, style);
        self.line([x, bottom], [right, bottom], dashed, style);
        self.line([x, y], [x, bottom], dashed, style);
        self.line([right, y], [right, bottom], dashed, style);
    }

    /// A text, with what it leads to.
    pub fn text(&mut self, [x, y]: [usize; 2], text: &str, style: usize, link: Option<Link>) {
        let link = link.map(|link| {
            self.links.push(link);
            self.links.len() - 1
        });
        for (at, sign) in text.chars().enumerate() {
            if let Some(place) = self.at(x + at, y) {
                *place = Place { lines: 0, sign: Some(sign), style, link };
            }
        }
    }

    /// Its lines, without empty ones at the end.
    pub fn rows(&self) -> Vec<Row> {
        let mut out: Vec<Row> = Vec::new();
        for line in self.places.chunks(self.width.max(1)) {
            let mut row = Row::default();
            let mut from = 0;
            while let Some(first) = line.get(from) {
                let same = |place: &&Place| (place.style, place.link) == (first.style, first.link);
                let count = line[from..].iter().take_while(same).count().max(1);
                let text: String = line[from..from + count].iter().map(sign).collect();
                let link = first.link.and_then(|link| self.links.get(link)).cloned();
                row = row.with(self.styles.get(first.style).copied().unwrap_or_default(), text, link);
                from += count;
            }
            while row.spans.last().is_some_and(|span| span.text.trim().is_empty()) {
                row.spans.pop();
            }
            out.push(row);
        }
        while out.last().is_some_and(|row| row.spans.is_empty()) {
            out.pop();
        }
        out
    }
}

fn sign(place: &Place) -> char {
    let has = |bit: u8| place.lines & bit > 0;
    let plain = corner(has(UP), has(DOWN), has(LEFT), has(RIGHT));
    match (place.sign, plain, has(DASHED)) {
        (Some(sign), _, _) => sign,
        (None, '─', true) => '╌',
        (None, '│', true) => '╎',
        (None, plain, _) => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(canvas: &Canvas) -> Vec<String> {
        canvas.rows().iter().map(|row| row.text().trim_end().to_owned()).collect()
    }

    #[test]
    fn lines_join_and_boxes_cover_them() {
        let mut canvas = Canvas::new(12, 5);
        canvas.line([0, 1], [8, 1], false, 0);
        canvas.line([4, 1], [4, 4], false, 0);
        canvas.frame([6, 0], [5, 3], false, 0);
        canvas.text([7, 1], "ab", 0, Some(Link::Node(1)));
        assert_eq!(text(&canvas), ["      ┌───┐", "────┬─│ab │", "    │ └───┘", "    │", "    │"]);
        let node = canvas.rows()[1].spans.iter().find_map(|span| span.link.clone());
        assert_eq!(node, Some(Link::Node(1)));
    }

    #[test]
    fn dashed_lines_and_places_outside() {
        let mut canvas = Canvas::new(4, 1);
        canvas.line([0, 0], [9, 0], true, 0);
        canvas.text([3, 0], "▶▶", 0, None);
        canvas.line([2, 7], [2, 9], false, 0);
        assert_eq!(text(&canvas), ["╌╌╌▶"]);
    }
}
