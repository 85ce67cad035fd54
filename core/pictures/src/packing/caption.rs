//! The surroundings of the slot grids: the header with the saving, column names, legend.

use ecolor::Color32;
use emath::{Rect, pos2, vec2};
use lanescope_core::packing::{Fallback, Interpolation, Packing};
use lanescope_core::program::StageKind;

use super::picture::{CELL, END, LEFT, LETTERS, MARGIN, RIGHT, Sheet, State, pattern};
use crate::picture::{Anchor, Font, Pattern, Shape, Stroke, elide, text_width};

/// The title of a picture of a packing.
pub(crate) fn title(packing: &Packing) -> String {
    format!("Packing: {} original locations, {} packed slots", packing.slots.before, packing.slots.after)
}

impl Sheet<'_> {
    /// Writes the header and returns where the grids begin.
    pub(crate) fn header(&mut self) -> f32 {
        let (packing, theme, end, stacked) = (self.packing, self.theme, self.end(), self.is_stacked());
        let picture = &mut self.picture;
        let is_attribute = packing.consumer == StageKind::Fragment;
        let title = match (is_attribute, packing.per_patch) {
            (true, _) => "Attribute slots",
            (false, true) => "Locations of a patch",
            (false, false) => "Locations of a vertex",
        };
        picture.words(pos2(MARGIN, 28.0), 19.0, theme.ink, title);
        let from = packing.producer.map_or("no previous stage", |stage| stage.name());
        let flow = format!("{from} → {}, order {}", packing.reader(), packing.order);
        picture.text(pos2(MARGIN, 52.0), Anchor::Start, 12.0, Font::Code, theme.ink_soft, &flow);
        let ([cache, cache_after], [lds, lds_after]) =
            (packing.saving.parameter_cache_per_vertex, packing.saving.lds_per_primitive);
        let stored = format!("{} per vertex", packing.saving.stored_in);
        // What per-primitive slots take of it is not known.
        let of_lds = if packing.slots.per_primitive > 0 { "LDS of its 3 vertices" } else { "LDS filled per primitive" };
        let tiles = [
            ("slots", format!("{} → {}", packing.slots.before, packing.slots.after), 118.0),
            (&stored, format!("{cache} → {cache_after} B"), 188.0),
            (of_lds, format!("{lds} → {lds_after} B"), 160.0),
        ];
        // Where the grids are one above the other, there is no room beside the title.
        let down = if stacked { 56.0 } else { 0.0 };
        let mut x = end;
        // What lies between other stages is laid out by the driver.
        let shown = if is_attribute { &tiles[..] } else { &tiles[..1] };
        for (what, value, width) in shown.iter().rev() {
            x -= width;
            picture.rect(
                Rect::from_min_size(pos2(x, 14.0 + down), vec2(*width, 48.0)),
                theme.panel,
                Stroke::new(1.0, theme.hairline),
                5,
            );
            picture.words(pos2(x + 12.0, 28.0 + down), 11.0, theme.ink_soft, what);
            let value = elide(value, Font::Code, 15.0, width - 20.0);
            picture.text(pos2(x + 12.0, 47.0 + down), Anchor::Start, 15.0, Font::Code, theme.ink, &value);
            x -= 10.0;
        }
        let mut top = 82.0 + down;
        if let Some(fallback) = packing.fallback {
            let why = match fallback {
                Fallback::DynamicIndex => "an input is indexed with a value known only at run time",
                Fallback::Option => "packing is disabled",
                Fallback::Mesh if packing.producer.is_none() => {
                    "only mesh shaders write per-primitive inputs; variables stay whole"
                }
                Fallback::Mesh => "the previous stage is a mesh shader; variables stay whole",
                Fallback::TransformFeedback => "transform feedback is done in software on this chip",
                Fallback::Tessellation => "interfaces between tessellation stages are not packed",
            };
            let text = [format!("Not packed: {why}."), "Locations are only renumbered; components stay.".to_owned()];
            let lines = if stacked { text.to_vec() } else { vec![text.join(" ")] };
            let high = 28.0 + 18.0 * (lines.len() - 1) as f32;
            let banner = Rect::from_min_size(pos2(MARGIN, top - 4.0), vec2(end - MARGIN, high));
            picture.rect(banner, theme.panel, Stroke::new(1.0, theme.warn), 5);
            let at = banner.left_top() + vec2(0.0, 14.0);
            for (line, row) in lines.iter().zip(0u8..) {
                picture.words(at + vec2(34.0, 18.0 * f32::from(row)), 12.0, theme.ink, line);
            }
            self.warning(at + vec2(18.0, 0.0));
            top += high + 8.0;
        }
        top + 38.0
    }

    /// Right edge of what is drawn.
    pub(crate) fn end(&self) -> f32 {
        self.right + END - RIGHT
    }

    /// Whether the grids are one above the other.
    pub(crate) fn is_stacked(&self) -> bool {
        self.right <= LEFT
    }

    /// The titles over both grids, which begin there.
    pub(crate) fn columns(&mut self, [top, packed_top]: [f32; 2]) {
        self.column(LEFT, "original", "location", top);
        self.column(self.right, self.packed_word(), "slot", packed_top);
        if self.packing.interface.is_empty() && self.packing.map.is_empty() {
            self.no_inputs(LEFT, top);
        }
    }

    /// The packing result of the interface.
    pub(crate) fn packed_word(&self) -> &'static str {
        if self.packing.fallback.is_some() { "renumbered" } else { "packed" }
    }

    /// The titles over one grid.
    pub(crate) fn column(&mut self, left: f32, what: &str, number: &str, top: f32) {
        let theme = self.theme;
        self.picture.words(pos2(left, top - 32.0), 14.0, theme.ink, what);
        self.picture.text(pos2(left - 10.0, top - 11.0), Anchor::End, 10.5, Font::Words, theme.ink_soft, number);
        for (component, letter) in LETTERS.iter().enumerate() {
            let at = pos2(left + (component as f32 + 0.5) * CELL.x, top - 11.0);
            self.picture.text(at, Anchor::Middle, 11.0, Font::Code, theme.ink_soft, letter);
        }
    }

    pub(crate) fn no_inputs(&mut self, left: f32, top: f32) {
        self.picture.words(pos2(left, top + 20.0), 13.0, self.theme.ink_soft, "No inputs from a previous stage.");
    }

    /// What each look means, for the looks that are there.
    pub(crate) fn legend(&mut self, top: f32) {
        let (packing, theme) = (self.packing, self.theme);
        let line = Stroke::new(1.2, theme.outline);
        let states: Vec<State> = packing.interface.iter().map(|scalar| self.state(scalar)).collect();
        let any = |wanted: State| states.contains(&wanted);
        let (mut x, end) = (MARGIN, self.end());
        let mut y = top + 10.0;
        let mut entry =
            |sheet: &mut Self, text: &str, fill: bool, stroke: Stroke, pattern: Option<Pattern>, half: bool| {
                let width = 34.0 + text_width(text, Font::Words, 12.0) + 22.0;
                if x + width > end && x > MARGIN {
                    x = MARGIN;
                    y += 26.0;
                }
                let swatch = Rect::from_min_size(
                    pos2(x, if half { y - 4.5 } else { y - 9.0 }),
                    vec2(28.0, if half { 9.0 } else { 18.0 }),
                );
                let fill = if fill { theme.panel } else { Color32::TRANSPARENT };
                let pattern = pattern.map(|pattern| (pattern, theme.outline));
                sheet.picture.push(Shape::Rect { rect: swatch, fill, stroke, radius: 3, pattern });
                sheet.picture.words(pos2(x + 35.0, y), 12.0, theme.ink_soft, text);
                x += width;
                swatch
            };
        let classes = Interpolation::ALL.iter().filter(|class| !class.is_none());
        for class in classes.filter(|class| packing.map.iter().any(|m| m.interpolation == **class)) {
            entry(self, class.name(), true, line, pattern(*class), false);
        }
        if packing.map.iter().any(|mapping| mapping.bits < 32) {
            entry(self, "16-bit: half a component, L low, H high", true, line, None, true);
        }
        if any(State::Unread) {
            entry(self, "declared, not read", false, line, None, false);
        }
        let dashed = Stroke::new(1.0, theme.outline).dashed(4.0);
        if any(State::Kept) {
            entry(self, &packing.kept_why(), false, dashed, None, false);
        }
        if any(State::Dropped) {
            let swatch = entry(self, "output, not read", false, dashed, None, false);
            let strike = Stroke::new(1.0, theme.ink_soft);
            self.picture.line(swatch.left_center() + vec2(5.0, 0.0), swatch.right_center() - vec2(5.0, 0.0), strike);
        }
        if any(State::Missing) {
            let swatch = entry(self, "read, but never written", true, line, None, false);
            self.warning(swatch.center());
        }
    }
}
