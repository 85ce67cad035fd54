//! The slot grids: the interface as written on the left, packed on the right, and where each scalar goes.

use std::collections::{BTreeMap, BTreeSet};

use ecolor::Color32;
use emath::{Rect, pos2, vec2};
use lanescope_core::ids::{Component, Id, Location};
use lanescope_core::packing::{InterfaceScalar, Interpolation, Mapping, Packing, Place};
use lanescope_inspector::selection::Varying;

use super::caption::title;
use super::flags::Flag;
use super::names::{glsl_name, place_name};
use crate::picture::{Anchor, Font, Mark, Pattern, Picture, Shape, Stroke, clean, elide, text_width};
use crate::theme::{Series, Theme};

/// A component's cell.
pub(crate) const CELL: emath::Vec2 = vec2(84.0, 40.0);
/// From one row to the next.
const PITCH: f32 = 46.0;
/// Left edges of the two grids.
pub(crate) const LEFT: f32 = 64.0;
pub(crate) const RIGHT: f32 = LEFT + 4.0 * CELL.x + 172.0;
/// The class of each slot is right of the packed grid.
pub(crate) const END: f32 = RIGHT + 4.0 * CELL.x + 132.0;
pub(crate) const MARGIN: f32 = 20.0;
/// Rows of one grid that are drawn at most: an interface has at most 128 locations where a driver takes it.
const MOST_ROWS: usize = 512;
pub(crate) const LETTERS: [&str; 4] = ["x", "y", "z", "w"];

/// Draws a packing: both grids, the lines between them, and what is saved.
pub fn picture(packing: &Packing, theme: &Theme) -> Picture {
    flagged_picture(packing, &[], theme)
}

/// The same with findings marked where they are.
pub fn flagged_picture(packing: &Packing, flags: &[Flag], theme: &Theme) -> Picture {
    let mut sheet = Sheet { flags, ..Sheet::new(packing, theme, &title(packing), colors(packing)) };
    let top = sheet.header();
    let left = Rows::new(packing.interface.iter().map(|scalar| scalar.location.0), top);
    let right = Rows::new(slots(packing), top);
    sheet.columns([top, top]);
    sheet.curves(&left, &right);
    sheet.written(&left);
    sheet.packed(&right);
    let bottom = sheet.built_ins(&right).max(left.bottom);
    sheet.legend(bottom + 10.0);
    sheet.picture.fit(MARGIN);
    sheet.picture.size.x = END + MARGIN;
    sheet.picture
}

/// The pattern that represents a way of interpolating.
pub(crate) fn pattern(interpolation: Interpolation) -> Option<Pattern> {
    match interpolation {
        Interpolation::Smooth | Interpolation::Uninterpolated => None,
        Interpolation::NoPerspective => Some(Pattern::Hatch),
        Interpolation::Flat => Some(Pattern::Bars),
        Interpolation::Custom => Some(Pattern::Cross),
        Interpolation::PerPrimitive => Some(Pattern::Columns),
    }
}

/// Locations that are drawn, top to bottom, with the y of each.
pub(crate) struct Rows {
    tops: BTreeMap<u32, f32>,
    pub(crate) bottom: f32,
    left_out: usize,
}

impl Rows {
    pub(crate) fn new(locations: impl Iterator<Item = u32>, top: f32) -> Self {
        let locations: BTreeSet<_> = locations.collect();
        let tops: BTreeMap<_, _> =
            locations.iter().take(MOST_ROWS).enumerate().map(|(row, at)| (*at, top + row as f32 * PITCH)).collect();
        let left_out = locations.len() - tops.len();
        let bottom = top + tops.len() as f32 * PITCH;
        Rows { tops, bottom, left_out }
    }
}

/// The packed slots: every one up to the highest, where they are a handful.
pub(crate) fn slots(packing: &Packing) -> impl Iterator<Item = u32> {
    let used = packing.map.iter().map(|mapping| mapping.to.location.0);
    let all = 0..packing.slots.after.min(MOST_ROWS as u32);
    used.chain(all).chain(built_ins_between(packing))
}

/// The slots of built-ins that stand before the last input, and hold nothing else.
fn built_ins_between(packing: &Packing) -> BTreeSet<u32> {
    let used: BTreeSet<u32> = packing.map.iter().map(|mapping| mapping.to.location.0).collect();
    let slots = packing.builtins.iter().map(|built_in| built_in.location.0);
    slots.filter(|slot| used.last().is_some_and(|last| slot < last) && !used.contains(slot)).collect()
}

/// A colour for each variable that the consumer reads, in the order of the interface.
pub(crate) fn colors(packing: &Packing) -> BTreeMap<Id, usize> {
    let mut colors = BTreeMap::new();
    let ids = packing.interface.iter().filter_map(|scalar| scalar.input_id);
    for id in ids.chain(packing.map.iter().map(|mapping| mapping.variable_id)) {
        let next = colors.len();
        colors.entry(id).or_insert(next);
    }
    colors
}

/// Contents of a cell of the left grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Used,
    Missing,
    /// Not read, and kept: see [`Packing::kept`].
    Kept,
    Unread,
    Dropped,
}

/// The places as written of the outputs that are kept though the consumer reads none of them, with where they go.
fn kept(packing: &Packing) -> BTreeMap<(Location, Component), Place> {
    packing.kept().map(|output| ((output.from.location, output.from.component), output.to)).collect()
}

/// A picture of a packing on its way.
pub(crate) struct Sheet<'a> {
    pub(crate) packing: &'a Packing,
    pub(crate) theme: &'a Theme,
    pub(crate) picture: Picture,
    pub(crate) colors: BTreeMap<Id, usize>,
    kept: BTreeMap<(Location, Component), Place>,
    pub(crate) flags: &'a [Flag],
    /// Left edge of the packed grid.
    pub(crate) right: f32,
}

impl<'a> Sheet<'a> {
    /// An empty picture of a packing.
    pub(crate) fn new(packing: &'a Packing, theme: &'a Theme, title: &str, colors: BTreeMap<Id, usize>) -> Sheet<'a> {
        Sheet {
            packing,
            theme,
            picture: Picture::new(title, theme.page),
            colors,
            kept: kept(packing),
            flags: &[],
            right: RIGHT,
        }
    }
}

impl Sheet<'_> {
    /// Contents of the cell of a scalar as written.
    pub(crate) fn state(&self, scalar: &InterfaceScalar) -> State {
        match (scalar.input_id, scalar.used, scalar.written) {
            (Some(_), true, true) => State::Used,
            (Some(_), true, false) => State::Missing,
            _ if self.kept.contains_key(&(scalar.location, scalar.component)) => State::Kept,
            (Some(_), false, _) => State::Unread,
            (None, _, _) => State::Dropped,
        }
    }

    fn series(&self, id: Option<Id>) -> Series {
        let grey = Series { fill: self.theme.panel, pattern: self.theme.hairline, line: self.theme.outline };
        id.and_then(|id| self.colors.get(&id)).map_or(grey, |index| self.theme.series(*index))
    }

    fn curves(&mut self, left: &Rows, right: &Rows) {
        for mapping in &self.packing.map {
            let (Some(from), Some(to)) =
                (left.tops.get(&mapping.from.location.0), right.tops.get(&mapping.to.location.0))
            else {
                continue;
            };
            // Four places a row, in the order of the components; 16-bit halves share one of them.
            let half = match (mapping.bits < 32, mapping.to.half) {
                (false, _) => 0.5,
                (true, false) => 0.3,
                (true, true) => 0.7,
            };
            let port = |top: f32, component: u8, part: f32| top + CELL.y * (f32::from(component.min(3)) + part) / 4.0;
            let start = pos2(LEFT + 4.0 * CELL.x + 7.0, port(*from, mapping.from.component.0, 0.5));
            let end = pos2(RIGHT - 36.0, port(*to, mapping.to.component.0, half));
            let bend = vec2((end.x - start.x) * 0.5, 0.0);
            let line = self.series(Some(mapping.variable_id)).line;
            let stroke = Stroke::new(if mapping.bits < 32 { 1.3 } else { 2.2 }, line);
            let mark = mark(mapping.from);
            self.picture.push(Shape::Curve { points: [start, start + bend, end - bend, end], stroke }).mark(mark);
            for at in [start, end] {
                self.picture.rect(Rect::from_center_size(at, vec2(4.0, 4.0)), line, Stroke::NONE, 2);
            }
        }
    }

    pub(crate) fn written(&mut self, rows: &Rows) {
        let mut cells: BTreeMap<(u32, u8), Vec<&InterfaceScalar>> = BTreeMap::new();
        for scalar in &self.packing.interface {
            cells.entry((scalar.location.0, scalar.component.0)).or_default().push(scalar);
        }
        let targets: BTreeMap<_, _> =
            self.packing.map.iter().map(|m| ((m.from.location, m.from.component), m)).collect();
        for (location, top) in &rows.tops {
            self.row(LEFT, *top, *location, self.theme.hairline);
            self.registers(*top, Location(*location));
            let mut run: Vec<(u8, &InterfaceScalar)> = Vec::new();
            for component in 0..=4 {
                // Aliased variables share a place: the one that is read is shown, the tab's hover names all.
                let here = cells.get(&(*location, component)).filter(|_| component < 4);
                let scalar = here.and_then(|all| all.iter().find(|s| s.used).or(all.first()).copied());
                let joins = match (run.last(), scalar) {
                    (Some((_, last)), Some(next)) => {
                        (&last.variable, self.state(last), last.interpolation, last.bits)
                            == (&next.variable, self.state(next), next.interpolation, next.bits)
                    }
                    _ => run.is_empty(),
                };
                if !joins {
                    self.written_run(*top, &run, &targets);
                    run.clear();
                }
                run.extend(scalar.map(|scalar| (component, scalar)));
            }
        }
        self.left_out(LEFT, rows);
    }

    fn written_run(
        &mut self,
        top: f32,
        run: &[(u8, &InterfaceScalar)],
        targets: &BTreeMap<(Location, Component), &Mapping>,
    ) {
        let (Some((first, scalar)), theme) = (run.first(), self.theme) else { return };
        let small = scalar.bits < 32;
        let height = if small { CELL.y / 2.0 - 0.5 } else { CELL.y };
        let corner = pos2(LEFT + f32::from(*first) * CELL.x, top);
        let rect = Rect::from_min_size(corner, vec2(CELL.x * run.len() as f32, height)).shrink2(vec2(1.5, 0.0));
        let state = self.state(scalar);
        let series = self.series(scalar.input_id);
        let (fill, stroke, ink) = match state {
            State::Used | State::Missing => (series.fill, Stroke::new(1.2, series.line), theme.ink),
            State::Unread => (Color32::TRANSPARENT, Stroke::new(1.2, series.line), theme.ink_soft),
            State::Kept | State::Dropped => {
                (Color32::TRANSPARENT, Stroke::new(1.0, theme.outline).dashed(4.0), theme.ink_soft)
            }
        };
        let lines = pattern(scalar.interpolation).filter(|_| matches!(state, State::Used | State::Missing));
        self.block(rect, run.len(), fill, stroke, lines.map(|pattern| (pattern, series.pattern)));

        let flag = self.flag(state == State::Missing, run.iter().map(|(_, at)| (at.location, at.component)));
        let room = rect.width() - 14.0 - if flag.is_some() { 20.0 } else { 0.0 };
        let name = elide(&clean(&scalar.variable), Font::Words, 12.0, room);
        let at = rect.left_top() + vec2(7.0, if small { height / 2.0 } else { 13.0 });
        self.picture.words(at, 12.0, ink, &name).from_zoom(0.45);
        if state == State::Dropped {
            let end = at + vec2(text_width(&name, Font::Words, 12.0), 0.0);
            self.picture.line(at - vec2(2.0, 0.0), end + vec2(2.0, 0.0), Stroke::new(1.0, theme.ink_soft));
        }
        if let Some(severity) = flag {
            self.badge(pos2(rect.right() - 11.0, rect.top() + if small { height / 2.0 } else { 12.0 }), severity);
        }
        for (component, scalar) in run {
            let cell = Rect::from_min_size(pos2(LEFT + f32::from(*component) * CELL.x, top), CELL);
            let target = targets.get(&(scalar.location, scalar.component));
            let note = match (state, target) {
                (State::Used | State::Missing, Some(target)) => format!("→ {}", place_name(target.to, target.bits)),
                (State::Used | State::Missing, None) => String::new(),
                (State::Kept, _) => {
                    let to = self.kept.get(&(scalar.location, scalar.component));
                    to.map_or_else(String::new, |to| format!("→ {}", place_name(*to, 32)))
                }
                (State::Unread, _) => "not read".to_owned(),
                (State::Dropped, _) => "dropped".to_owned(),
            };
            let at = pos2(cell.left() + 8.5, top + if small { 30.5 } else { 29.5 });
            let ink = if small { theme.ink_soft } else { ink };
            self.picture.text(at, Anchor::Start, 9.5, Font::Code, ink, &note).from_zoom(0.6);
            let mark = Mark::Varying(Varying { location: scalar.location.0, component: Some(scalar.component.0) });
            self.picture.rect(cell.shrink2(vec2(1.5, 0.0)), Color32::TRANSPARENT, Stroke::NONE, 4).mark(mark);
        }
    }

    pub(crate) fn packed(&mut self, rows: &Rows) {
        let mut cells: BTreeMap<Place, &Mapping> = BTreeMap::new();
        for mapping in &self.packing.map {
            cells.entry(mapping.to).or_insert(mapping);
        }
        let built_ins = built_ins_between(self.packing);
        for (slot, top) in rows.tops.iter().filter(|(slot, _)| !built_ins.contains(slot)) {
            self.row(self.right, *top, *slot, self.theme.hairline);
            for half in [false, true] {
                let mut run: Vec<&Mapping> = Vec::new();
                for component in 0..=4 {
                    let place = Place { location: Location(*slot), component: Component(component), half };
                    let next = cells.get(&place).copied().filter(|_| component < 4);
                    let joins = match (run.last(), next) {
                        (Some(last), Some(next)) => {
                            (&last.variable, last.bits, last.interpolation, last.written)
                                == (&next.variable, next.bits, next.interpolation, next.written)
                        }
                        _ => run.is_empty(),
                    };
                    if !joins {
                        self.packed_run(*top, &run);
                        run.clear();
                    }
                    run.extend(next);
                }
            }
            let here = cells.values().filter(|m| m.to.location.0 == *slot);
            let classes: BTreeSet<_> = here.clone().map(|m| m.interpolation).filter(|class| !class.is_none()).collect();
            let widths: BTreeSet<_> = here.map(|m| if m.bits < 32 { "16-bit" } else { "32-bit" }).collect();
            let at = pos2(self.right + 4.0 * CELL.x + 12.0, *top + CELL.y / 2.0);
            let classes = classes.iter().map(|class| class.name()).collect::<Vec<_>>().join(" + ");
            let widths = widths.into_iter().collect::<Vec<_>>().join(" + ");
            let room = self.end() - at.x;
            let size = if text_width(&classes, Font::Words, 12.0) > room { 10.5 } else { 12.0 };
            let (classes, widths) = (elide(&classes, Font::Words, size, room), elide(&widths, Font::Words, 11.0, room));
            self.picture.words(at - vec2(0.0, 8.0), size, self.theme.ink, &classes);
            self.picture.words(at + vec2(0.0, 8.0), 11.0, self.theme.ink_soft, &widths);
        }
        self.left_out(self.right, rows);
    }

    fn packed_run(&mut self, top: f32, run: &[&Mapping]) {
        let (Some(first), theme) = (run.first(), self.theme) else { return };
        let small = first.bits < 32;
        let height = if small { CELL.y / 2.0 - 0.5 } else { CELL.y };
        let down = if first.to.half { CELL.y - height } else { 0.0 };
        let corner = pos2(self.right + f32::from(first.to.component.0) * CELL.x, top + down);
        let rect = Rect::from_min_size(corner, vec2(CELL.x * run.len() as f32, height)).shrink2(vec2(1.5, 0.0));
        let series = self.series(Some(first.variable_id));
        let lines = pattern(first.interpolation).map(|pattern| (pattern, series.pattern));
        self.block(rect, run.len(), series.fill, Stroke::new(1.2, series.line), lines);
        let flag = self.flag(!first.written, run.iter().map(|at| (at.from.location, at.from.component)));
        if let Some(severity) = flag {
            self.badge(pos2(rect.right() - 11.0, rect.top() + if small { height / 2.0 } else { 12.0 }), severity);
        }
        let name = clean(&first.variable);
        let warned = if flag.is_none() { 0.0 } else { 20.0 };
        // In half a cell the name goes before its place as written: the line and the left grid show that too.
        let half_room = CELL.x - 28.0 - if run.len() == 1 { warned } else { 0.0 };
        let source_width = 9.5 * 0.602 * 4.0 + 6.0;
        let both = text_width(&name, Font::Words, 12.0) + source_width <= half_room;
        for (index, mapping) in run.iter().enumerate() {
            let cell = Rect::from_min_size(corner + vec2(CELL.x * index as f32, 0.0), vec2(CELL.x, height));
            let source = format!("← {}", place_name(mapping.from, 32));
            if small {
                // The badge says which half of the component it is.
                let at = cell.left_center() + vec2(12.0, 0.0);
                let badge = Rect::from_center_size(at, vec2(12.0, 12.0));
                self.picture.rect(badge, theme.page, Stroke::new(1.0, series.line), 2).from_zoom(0.45);
                let letter = if mapping.to.half { "H" } else { "L" };
                self.picture.text(at, Anchor::Middle, 9.0, Font::Code, theme.ink, letter).from_zoom(0.6);
            }
            let (source, at, anchor) = if small {
                (source.replace(' ', ""), cell.right_center() - vec2(6.0, 0.0), Anchor::End)
            } else {
                (source, pos2(cell.left() + 8.5, top + 29.5), Anchor::Start)
            };
            let last_warned = flag.is_some() && index + 1 == run.len();
            if !small || (!last_warned && (index > 0 || both)) {
                self.picture.text(at, anchor, 9.5, Font::Code, theme.ink, &source).from_zoom(0.6);
            }
            let cell = cell.shrink2(vec2(1.5, 0.0));
            self.picture.rect(cell, Color32::TRANSPARENT, Stroke::NONE, 4).mark(mark(mapping.from));
        }
        let (indent, y) = if small { (20.0, height / 2.0) } else { (7.0, 13.0) };
        let room = if small { half_room } else { rect.width() - 14.0 - warned };
        let name = elide(&name, Font::Words, 12.0, room);
        self.picture.words(rect.left_top() + vec2(indent, y), 12.0, theme.ink, &name).from_zoom(0.45);
    }

    /// The slots of built-ins: in their rows, or below all of these. Returns where they end.
    pub(crate) fn built_ins(&mut self, rows: &Rows) -> f32 {
        let theme = self.theme;
        let mut bottom = rows.bottom;
        let between = built_ins_between(self.packing);
        for built_in in self.packing.builtins.iter().take(MOST_ROWS) {
            let row = rows.tops.get(&built_in.location.0).filter(|_| between.contains(&built_in.location.0));
            let top = row.copied().unwrap_or_else(|| {
                bottom += PITCH;
                bottom - PITCH
            });
            let number = pos2(self.right - 10.0, top + CELL.y / 2.0);
            let slot = built_in.location.to_string();
            self.picture.text(number, Anchor::End, 13.0, Font::Code, theme.ink, &slot);
            let rect = Rect::from_min_size(pos2(self.right, top), vec2(4.0 * CELL.x, CELL.y)).shrink2(vec2(1.5, 0.0));
            let mark = Mark::BuiltIn(built_in.location.0);
            self.picture.rect(rect, theme.panel, Stroke::new(1.2, theme.outline), 4).mark(mark);
            let at = rect.left_center() + vec2(7.0, 0.0);
            self.picture.text(at, Anchor::Start, 12.0, Font::Code, theme.ink, glsl_name(built_in.built_in));
            let at = rect.right_center() + vec2(13.5, 0.0);
            self.picture.words(at, 12.0, theme.ink_soft, "built-in");
        }
        bottom
    }

    /// An empty row with its number.
    fn row(&mut self, left: f32, top: f32, number: u32, hairline: Color32) {
        let at = pos2(left - 10.0, top + CELL.y / 2.0);
        // A number with ten digits still fits the page.
        let size = if number > 9_999 { 8.0 } else { 13.0 };
        self.picture.text(at, Anchor::End, size, Font::Code, self.theme.ink, &number.to_string());
        for component in 0..4 {
            let rect = Rect::from_min_size(pos2(left + component as f32 * CELL.x, top), CELL);
            self.picture.rect(rect.shrink2(vec2(1.5, 0.0)), Color32::TRANSPARENT, Stroke::new(1.0, hairline), 4);
        }
    }

    /// The registers of DXIL that are in a row as written: those of the producer, then those of the consumer.
    fn registers(&mut self, top: f32, location: Location) {
        let here = || self.packing.semantics.iter().filter(|place| place.location == location);
        let number = |register: &String| register.split('.').next().unwrap_or_default().to_owned();
        let outputs: BTreeSet<String> = here().filter_map(|place| place.output.as_ref().map(number)).collect();
        let inputs: BTreeSet<String> = here().filter_map(|place| place.input.as_ref().map(number)).collect();
        let sides = [outputs, inputs].map(|side| side.into_iter().collect::<Vec<_>>().join(" "));
        let text = sides.into_iter().filter(|side| !side.is_empty()).collect::<Vec<_>>().join("→");
        if text.is_empty() {
            return;
        }
        let text = elide(&text, Font::Code, 9.0, LEFT - 12.0);
        let at = pos2(LEFT - 10.0, top + CELL.y / 2.0 + 13.0);
        self.picture.text(at, Anchor::End, 9.0, Font::Code, self.theme.ink_soft, &text).from_zoom(0.6);
    }

    /// The cells of one variable in one row, as one block with its components distinguished.
    fn block(&mut self, rect: Rect, cells: usize, fill: Color32, stroke: Stroke, pattern: Option<(Pattern, Color32)>) {
        // Covers the empty cells' outlines.
        let fill_under = if fill == Color32::TRANSPARENT { self.theme.page } else { fill };
        self.picture.push(Shape::Rect { rect, fill: fill_under, stroke, radius: 4, pattern });
        let tick = Stroke::new(1.0, stroke.color);
        for cell in 1..cells {
            let x = rect.left() - 1.5 + cell as f32 * CELL.x;
            for (from, to) in [(rect.top(), rect.top() + 4.0), (rect.bottom() - 4.0, rect.bottom())] {
                self.picture.line(pos2(x, from), pos2(x, to), tick);
            }
        }
    }

    fn left_out(&mut self, left: f32, rows: &Rows) {
        if rows.left_out > 0 {
            let text = format!("… and {} more locations", rows.left_out);
            self.picture.words(pos2(left, rows.bottom + 4.0), 12.0, self.theme.warn, &text);
        }
    }
}

pub(crate) fn mark(place: Place) -> Mark {
    Mark::Varying(Varying { location: place.location.0, component: Some(place.component.0) })
}

#[cfg(test)]
mod tests {
    use lanescope_core::packing::{AttributeBuiltIn, BuiltInSlot, OutputMapping, SemanticPlace};

    use super::*;
    use crate::gallery;
    use crate::picture::{png, svg};

    #[test]
    fn draws_the_notes_example() {
        insta::assert_snapshot!(svg(&picture(&gallery::note_example(), &Theme::light())));
    }

    #[test]
    fn every_scalar_can_be_hit_on_both_sides() {
        for packing in [gallery::note_example(), gallery::every_case(), gallery::many_slots(128)] {
            let picture = picture(&packing, &Theme::dark());
            for mapping in &packing.map {
                let mark = mark(mapping.from);
                let rects: Vec<_> = picture
                    .items
                    .iter()
                    .filter(|item| item.mark == Some(mark) && matches!(item.shape, Shape::Rect { .. }))
                    .map(|item| item.bounds)
                    .collect();
                assert_eq!(rects.len(), 2, "{mapping:?}");
                assert!(rects[0].right() < RIGHT && rects[1].left() > RIGHT, "{rects:?}");
                assert!(rects.iter().all(|rect| picture.hit(rect.center()) == Some(mark)), "{mapping:?}");
            }
        }
    }

    /// As after a mesh shader: those of vertices come before the inputs of primitives.
    #[test]
    fn built_ins_between_inputs_are_in_their_rows() {
        let mut packing = gallery::note_example();
        let last = packing.map.iter().map(|mapping| mapping.to.location.0).max().expect("inputs");
        for mapping in packing.map.iter_mut().filter(|mapping| mapping.to.location.0 == last) {
            mapping.to.location.0 += 1;
        }
        let at =
            |location| BuiltInSlot { built_in: AttributeBuiltIn::Layer, location: Location(location), written: true };
        packing.builtins = vec![at(last), at(last + 2)];
        let picture = picture(&packing, &Theme::dark());
        let numbers = picture.items.iter().filter_map(|item| match &item.shape {
            Shape::Text(text) if item.bounds.right() < RIGHT && item.bounds.left() > RIGHT - 40.0 => {
                Some((text.text.parse::<u32>().ok()?, item.bounds.center().y))
            }
            _ => None,
        });
        let mut numbers: Vec<(u32, f32)> = numbers.collect();
        numbers.sort_by(|a, b| a.1.total_cmp(&b.1));
        let shown: Vec<u32> = numbers.iter().map(|(number, _)| *number).collect();
        assert_eq!(shown, (0..=last + 2).collect::<Vec<_>>(), "each slot once, from top to bottom");
        assert!(numbers.windows(2).all(|pair| (pair[1].1 - pair[0].1 - PITCH).abs() < 1.0), "{numbers:?}");
    }

    #[test]
    fn texts_of_128_locations_do_not_overlap() {
        let mut packing = gallery::many_slots(128);
        for scalar in &mut packing.interface {
            scalar.variable = format!("aVeryLongNameOfAVaryingNumber{}", scalar.variable).into();
        }
        let picture = picture(&packing, &Theme::light());
        let mut texts: Vec<_> = picture
            .items
            .iter()
            .filter(|item| matches!(item.shape, Shape::Text(_)))
            .map(|item| item.bounds.shrink2(vec2(0.5, 1.5)))
            .collect();
        texts.sort_by(|a, b| a.top().total_cmp(&b.top()));
        for (index, text) in texts.iter().enumerate() {
            let below = texts[index + 1..].iter().take_while(|other| other.top() < text.bottom());
            for other in below {
                assert!(!text.intersects(*other), "{text:?} lies over {other:?}");
            }
        }
    }

    #[test]
    fn draws_hostile_packings_within_bounds() {
        let mut packing = gallery::every_case();
        for (index, mapping) in packing.map.iter_mut().enumerate() {
            mapping.variable = "\u{202e}</svg>\n".repeat(1000).into();
            mapping.from.component = Component((index % 6) as u8);
            mapping.to.location = Location(u32::MAX - index as u32);
            mapping.to.component = Component(255);
        }
        for (index, scalar) in packing.interface.iter_mut().enumerate() {
            scalar.location = Location(u32::MAX - index as u32);
            scalar.component = Component(index as u8);
            scalar.bits = index as u32 * 1000;
        }
        packing.slots.after = u32::MAX;
        packing.saving.lds_per_primitive = [lanescope_core::ids::Bytes(u64::MAX); 2];
        let picture = picture(&packing, &Theme::light());
        assert!(picture.items.iter().all(|item| item.bounds.right() <= picture.size.x), "nothing leaves the page");
        assert!(picture.size.y < 60.0 * PITCH + MOST_ROWS as f32 * PITCH);
        assert!(png(&picture, 0.25).is_ok());
    }

    #[test]
    fn captured_outputs_are_not_drawn_as_dropped() {
        let mut packing = gallery::every_case();
        let scalar = packing.interface.iter().find(|scalar| scalar.input_id.is_none()).cloned();
        let scalar = scalar.expect("an output is dropped");
        let dropped = |packing: &Packing| svg(&picture(packing, &Theme::light())).matches(">dropped<").count();
        let before = dropped(&packing);
        let place = |location, component| Place { location, component, half: false };
        packing.outputs.push(OutputMapping {
            variable: scalar.variable.clone(),
            variable_id: Id(100),
            part: None,
            stream: 0,
            from: place(scalar.location, scalar.component),
            to: place(Location(77), Component(3)),
            per_primitive: false,
            captured: true,
            reserved: false,
        });
        assert_eq!((before > 0, dropped(&packing)), (true, before - 1));
        let text = svg(&picture(&packing, &Theme::light()));
        assert!(text.contains("→ 77.w") && text.contains("captured, not read"));
    }

    #[test]
    fn dxil_registers_are_under_their_location() {
        let mut packing = gallery::note_example();
        assert!(!svg(&picture(&packing, &Theme::light())).contains("o2→v1"));
        packing.semantics = vec![SemanticPlace {
            location: packing.map[0].from.location,
            component: Component(0),
            columns: 3,
            semantic: "NORMAL0".to_owned(),
            output: Some("o2.xyz".to_owned()),
            input: Some("v1.xyz".to_owned()),
        }];
        assert!(svg(&picture(&packing, &Theme::light())).contains("o2→v1"));
    }

    #[test]
    fn an_empty_interface_has_a_message() {
        let packing = gallery::many_slots(0);
        assert!(svg(&picture(&packing, &Theme::light())).contains("No inputs from a previous stage."));
    }
}
