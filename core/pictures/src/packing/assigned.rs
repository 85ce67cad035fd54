//! Slot assignments as small multiples: the program's, ours and each compiler's, in the same colours.

use std::collections::BTreeMap;

use ecolor::Color32;
use emath::{Pos2, Rect, pos2, vec2};
use lanescope_core::driver::assignment::{Carried, SlotAssignment, SlotChannel, assignments};
use lanescope_core::driver::layout::{LayoutRule, LayoutTable};
use lanescope_core::ids::Id;
use lanescope_core::packing::Packing;

use super::picture::{LETTERS, MARGIN, colors, mark, pattern};
use crate::picture::{Anchor, Font, Picture, Shape, Stroke, clean, elide, text_width};
use crate::theme::Theme;

/// A channel's cell.
const CELL: emath::Vec2 = vec2(62.0, 26.0);
/// From one row to the next.
const PITCH: f32 = 30.0;
/// Between two cells of a row, on each side.
const INSET: emath::Vec2 = vec2(1.5, 0.0);
/// The size of a name in a cell, and its letters at most.
const NAME: f32 = 10.5;
const LONGEST: usize = 80;
/// Room for the number of a slot, left of its cells.
const NUMBER: f32 = 34.0;
/// The width of one grid, and between two.
const WIDTH: f32 = NUMBER + 4.0 * CELL.x;
const GAP: f32 = 36.0;
/// From one line of text to the next.
const LINE: f32 = 16.0;
/// Rows of one grid, and lines below it, that are drawn at most.
const MOST_ROWS: usize = 128;
const MOST_LINES: usize = 24;
/// Grids that are drawn at most, and beside each other.
const MOST_GRIDS: usize = 64;
const BESIDE: usize = 4;

/// Draws the assignments of a fragment shader's interface beside each other. The place of a scalar in one is marked by
/// its place as written, so that it can be followed through all.
pub fn assigned(packing: &Packing, tables: &[LayoutTable], theme: &Theme) -> Picture {
    let all = assignments(packing, tables);
    let mut sheet =
        Sheet { packing, theme, colors: colors(packing), picture: Picture::new("Varyings by compiler", theme.page) };
    let from = packing.producer.map_or("no previous stage", |stage| stage.name());
    sheet.picture.words(pos2(MARGIN, 28.0), 19.0, theme.ink, "Varyings by compiler");
    let flow = format!("{from} → {}", packing.reader());
    sheet.picture.text(pos2(MARGIN, 52.0), Anchor::Start, 12.0, Font::Code, theme.ink_soft, &flow);
    let mut top = 84.0;
    // Eight of them are two rows of four; five are three and two.
    let shown = all.len().min(MOST_GRIDS);
    let beside = shown.div_ceil(shown.div_ceil(BESIDE).max(1)).max(1);
    for row in all.get(..shown).unwrap_or_default().chunks(beside) {
        let bottoms =
            row.iter().zip(0u8..).map(|(own, at)| sheet.grid(own, pos2(MARGIN + f32::from(at) * (WIDTH + GAP), top)));
        top = bottoms.collect::<Vec<_>>().into_iter().fold(top, f32::max) + 30.0;
    }
    if all.len() > shown {
        let text = format!("… and {} more", all.len() - shown);
        sheet.picture.words(pos2(MARGIN, top), 12.0, theme.warn, &text);
        top += LINE;
    }
    sheet.legend(&all, top);
    sheet.picture.fit(MARGIN);
    sheet.picture
}

struct Sheet<'a> {
    packing: &'a Packing,
    theme: &'a Theme,
    colors: BTreeMap<Id, usize>,
    picture: Picture,
}

impl Sheet<'_> {
    /// Draws one assignment and returns where it ends.
    fn grid(&mut self, own: &SlotAssignment, at: Pos2) -> f32 {
        let theme = self.theme;
        let mut top = at.y;
        let title = clean(&own.title(self.packing));
        for line in lines(&title, Font::Words, 14.0, WIDTH) {
            self.picture.words(pos2(at.x, top), 14.0, theme.ink, &line);
            top += LINE + 2.0;
        }
        let facts = elide(&own.facts(), Font::Words, 12.0, WIDTH);
        self.picture.words(pos2(at.x, top), 12.0, theme.ink_soft, &facts);
        top += LINE + 4.0;
        if !own.channels.is_empty() {
            for (letter, column) in LETTERS.iter().zip(0u8..) {
                let x = at.x + NUMBER + (f32::from(column) + 0.5) * CELL.x;
                self.picture.text(pos2(x, top), Anchor::Middle, 11.0, Font::Code, theme.ink_soft, letter);
            }
            top += 10.0;
        }
        let numbers: Vec<u32> = own.numbers().collect();
        for slot in numbers.iter().take(MOST_ROWS) {
            self.row(own, *slot, pos2(at.x, top));
            top += PITCH;
        }
        if numbers.len() > MOST_ROWS {
            let text = format!("… and {} more slots", numbers.len() - MOST_ROWS);
            self.picture.words(pos2(at.x, top + 6.0), 12.0, theme.warn, &text);
            top += LINE;
        }
        self.unplaced(own, pos2(at.x, top + 12.0))
    }

    fn row(&mut self, own: &SlotAssignment, slot: u32, at: Pos2) {
        let theme = self.theme;
        // A number with ten digits still fits its column.
        let size = if slot > 9_999 { 5.5 } else { 12.0 };
        let number = pos2(at.x + NUMBER - 8.0, at.y + CELL.y / 2.0);
        self.picture.text(number, Anchor::End, size, Font::Code, theme.ink, &slot.to_string());
        let corner = |channel: u8| pos2(at.x + NUMBER + f32::from(channel) * CELL.x, at.y);
        let mut run: Vec<(Rect, &[Carried])> = Vec::new();
        for channel in 0..4u8 {
            let cell = Rect::from_min_size(corner(channel), CELL);
            self.picture.rect(cell.shrink2(INSET), theme.page, Stroke::new(1.0, theme.hairline), 3);
            let held = |high| own.channels.get(&SlotChannel { slot, channel, high }).map(Vec::as_slice);
            let (low, high) = (held(false), held(true));
            if low.is_none() || high.is_some() || !self.joins(&run, low) {
                self.block(&std::mem::take(&mut run));
            }
            match (low, high) {
                (Some(low), None) => run.push((cell, low)),
                (None, None) => {}
                // The low half is on the left, as in a text.
                (low, Some(high)) => {
                    let (left, right) = cell.split_left_right_at_fraction(0.5);
                    low.into_iter().for_each(|low| self.block(&[(left, low)]));
                    self.block(&[(right, high)]);
                }
            }
        }
        self.block(&run);
    }

    /// Whether a channel goes on with the variable of those before it.
    fn joins(&self, run: &[(Rect, &[Carried])], next: Option<&[Carried]>) -> bool {
        let look = |carried: &[Carried]| {
            let first = carried.first()?;
            let mapping = self.packing.map.get(first.scalar)?;
            Some((mapping.variable.clone(), mapping.interpolation, mapping.bits, first.computed, carried.len() > 1))
        };
        run.last().is_none_or(|(_, last)| next.is_some_and(|next| look(last) == look(next)))
    }

    /// The channels of one variable, as one block: of each the first scalar, with a sign where there are more.
    fn block(&mut self, run: &[(Rect, &[Carried])]) {
        let (Some((first, carried)), Some((last, _))) = (run.first(), run.last()) else { return };
        let Some(one) = carried.first() else { return };
        let Some(mapping) = self.packing.map.get(one.scalar) else { return };
        let rect = first.union(*last).shrink2(INSET);
        let series = self.theme.series(self.colors.get(&mapping.variable_id).copied().unwrap_or_default());
        let lines = pattern(mapping.interpolation).filter(|_| !one.computed).map(|pattern| (pattern, series.pattern));
        let stroke = Stroke::new(1.2, series.line);
        // What is computed from a scalar is not the scalar: no fill, and dashes around it.
        let (fill, stroke) = if one.computed { (self.theme.page, stroke.dashed(3.0)) } else { (series.fill, stroke) };
        self.picture.push(Shape::Rect { rect, fill, stroke, radius: 3, pattern: lines });
        for (cell, _) in run.iter().skip(1) {
            for (from, to) in [(rect.top(), rect.top() + 4.0), (rect.bottom() - 4.0, rect.bottom())] {
                self.picture.line(pos2(cell.left(), from), pos2(cell.left(), to), Stroke::new(1.0, series.line));
            }
        }
        let parts = run.iter().filter_map(|(_, carried)| self.packing.map.get(carried.first()?.scalar));
        let parts: String = parts.map(|mapping| mapping.part().to_string()).collect();
        let sign = if one.computed { "ƒ " } else { "" };
        let end = format!(".{parts}{}", if carried.len() > 1 { " +" } else { "" });
        let text = fitted(&format!("{sign}{}", clean(&mapping.variable)), &end, rect.width() - 6.0);
        let at = rect.center() + vec2(0.0, 0.5);
        self.picture.text(at, Anchor::Middle, NAME, Font::Words, self.theme.ink, &text).from_zoom(0.45);
        // Each scalar of a channel is found there.
        for (cell, carried) in run {
            for other in carried.iter().filter_map(|other| self.packing.map.get(other.scalar)) {
                let cell = cell.shrink2(INSET);
                self.picture.rect(cell, Color32::TRANSPARENT, Stroke::NONE, 3).mark(mark(other.from));
            }
        }
    }

    /// The scalars without a channel, below a grid; returns where they end.
    fn unplaced(&mut self, own: &SlotAssignment, at: Pos2) -> f32 {
        let theme = self.theme;
        let mut top = at.y;
        let mut count = 0;
        for unplaced in own.unplaced_names(self.packing) {
            let is_open = unplaced.rule == LayoutRule::Unattributed;
            let ink = if is_open { theme.warn } else { theme.ink_soft };
            for line in lines(&unplaced.text(), Font::Words, 11.5, WIDTH) {
                if count == MOST_LINES {
                    self.picture.words(pos2(at.x, top), 11.5, theme.warn, "…");
                    return top + LINE;
                }
                self.picture.words(pos2(at.x, top), 11.5, ink, &line);
                top += LINE;
                count += 1;
            }
        }
        top
    }

    /// What the looks mean, for those that are there.
    fn legend(&mut self, all: &[SlotAssignment], top: f32) {
        let theme = self.theme;
        let carried = || all.iter().flat_map(|own| own.channels.values());
        let is_computed = carried().flatten().any(|one| one.computed);
        let mut entries: Vec<&str> = Vec::new();
        entries.extend(is_computed.then_some("ƒ, dashed: a value that the previous stage computes from it"));
        entries.extend(carried().any(|all| all.len() > 1).then_some("+: for more than one scalar"));
        entries.extend((!self.packing.builtins.is_empty()).then_some("slots of built-ins are not shown"));
        let mut top = top;
        for entry in entries {
            self.picture.words(pos2(MARGIN, top), 12.0, theme.ink_soft, entry);
            top += LINE;
        }
        let mut rules: Vec<LayoutRule> = all.iter().flat_map(|own| &own.unplaced).map(|one| one.rule).collect();
        rules.sort();
        rules.dedup();
        for rule in rules {
            self.picture.words(pos2(MARGIN, top), 12.0, theme.ink_soft, &format!("{rule}: {}", rule.why()));
            top += LINE;
        }
    }
}

/// A variable's name and its components in so many points: without the middle of the name, else the components alone.
fn fitted(name: &str, end: &str, room: f32) -> String {
    let whole = format!("{name}{end}");
    if text_width(&whole, Font::Words, NAME) <= room {
        return whole;
    }
    let letters: Vec<char> = name.chars().collect();
    let without_middle = |kept: usize| {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let head: String = letters.iter().take(head).collect();
        let tail: String = letters.iter().skip(letters.len().saturating_sub(tail)).collect();
        format!("{head}…{tail}{end}")
    };
    let fits = |text: &String| text_width(text, Font::Words, NAME) <= room;
    let short = (2..letters.len().min(LONGEST)).rev().map(without_middle).find(fits);
    short.unwrap_or_else(|| elide(end.trim_start_matches('.'), Font::Words, NAME, room))
}

/// A text in lines of so many points, broken at spaces; a longer word is cut.
fn lines(text: &str, font: Font, size: f32, width: f32) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let joined = out.last().map(|line| format!("{line} {word}"));
        match joined.filter(|line| text_width(line, font, size) <= width) {
            Some(line) => {
                out.pop();
                out.push(line);
            }
            None => out.push(elide(word, font, size, width)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;
    use crate::picture::{Mark, png, svg};

    fn sample() -> (Packing, Vec<LayoutTable>) {
        (gallery::lit_report().packing.expect("a packing"), gallery::compiled().sections.layouts)
    }

    #[test]
    fn a_scalar_is_marked_in_each_grid_that_has_it() {
        let (packing, tables) = sample();
        let all = assignments(&packing, &tables);
        assert!(all.len() >= 3, "{all:?}");
        let picture = assigned(&packing, &tables, &Theme::light());
        for (index, mapping) in packing.map.iter().enumerate() {
            let has = |own: &&SlotAssignment| own.channels.values().flatten().any(|one| one.scalar == index);
            let filled = |item: &&crate::picture::Item| {
                item.mark == Some(mark(mapping.from)) && matches!(item.shape, Shape::Rect { .. })
            };
            let drawn = picture.items.iter().filter(filled).count();
            assert_eq!(drawn, all.iter().filter(has).count(), "{mapping:?}");
        }
        assert!(picture.items.iter().all(|item| item.bounds.right() <= picture.size.x));
    }

    #[test]
    fn what_has_no_slot_is_named_with_its_rule() {
        let (packing, tables) = sample();
        let text = svg(&assigned(&packing, &tables, &Theme::dark()));
        let rules: Vec<_> =
            assignments(&packing, &tables).iter().flat_map(|own| own.unplaced.clone()).map(|one| one.rule).collect();
        assert!(!rules.is_empty());
        assert!(rules.iter().all(|rule| text.contains(&format!(">{rule}"))), "{rules:?}");
    }

    #[test]
    fn names_lose_their_middle() {
        let room = CELL.x - 9.0;
        assert_eq!(fitted("uv", ".x", room), "uv.x");
        let [position, normal] = ["world_position", "world_normal"].map(|name| fitted(name, ".x", room));
        assert!(
            position.starts_with('w') && position.ends_with("n.x") && normal.ends_with("l.x"),
            "{position} {normal}"
        );
        assert_eq!(fitted("world_position", ".xyz", 3.0 * CELL.x), "world_position.xyz");
        assert_eq!(fitted("漢字漢字漢字漢字", ".x", 12.0), "x");
    }

    #[test]
    fn texts_of_two_grids_do_not_overlap() {
        let (mut packing, mut tables) = sample();
        for (mapping, row) in packing.map.iter_mut().zip(&mut tables[0].rows) {
            mapping.variable = format!("aVeryLongNameOfAVarying{}", mapping.variable).into();
            row.variable = (*mapping.variable).to_owned();
        }
        tables.truncate(1);
        let picture = assigned(&packing, &tables, &Theme::light());
        let texts = |from: usize| picture.items.iter().skip(from).filter(|i| matches!(i.shape, Shape::Text(_)));
        for (index, item) in picture.items.iter().enumerate().filter(|(_, i)| matches!(i.shape, Shape::Text(_))) {
            let own = item.bounds.shrink2(vec2(0.5, 1.5));
            let over = texts(index + 1).find(|other| other.bounds.shrink2(vec2(0.5, 1.5)).intersects(own));
            assert!(over.is_none(), "{item:?} lies under {over:?}");
        }
    }

    #[test]
    fn hostile_places_are_drawn_within_bounds() {
        let (packing, mut tables) = sample();
        for place in tables.iter_mut().flat_map(|table| &mut table.rows).flat_map(|row| &mut row.driver) {
            (place.attribute, place.channel) = (Some(u32::MAX), Some(255));
        }
        let picture = assigned(&packing, &tables, &Theme::light());
        assert!(picture.items.iter().all(|item| item.bounds.right() <= picture.size.x));
        assert!(png(&picture, 0.25).is_ok());
        assert!(picture.items.iter().any(|item| matches!(item.mark, Some(Mark::Varying(_)))));
    }
}
