//! The legend of a lane map: what its lines, numbers and colours say, and where each wave lies.

use std::collections::BTreeMap;

use ecolor::Color32;
use emath::{Pos2, Rect, pos2, vec2};
use lanescope_core::workgroup::Micro;

use super::picture::{ColorBy, Legend, Map, Numbers, WavePlace, spread};
use crate::picture::{Anchor, Font, Picture, Stroke};

/// The legend's width.
pub(crate) const LEGEND: f32 = 280.0;
/// Waves that the legend lists at most.
const LISTED_WAVES: usize = 32;
/// From a list of waves to the one beside it, and the fewest waves of one.
const LIST_GAP: f32 = 28.0;
const SHORTEST_LIST: usize = 8;

impl Map<'_> {
    /// The legend at the origin. Under a wide map, and only there, the lists of waves are beside the key.
    pub(crate) fn legend(&self, waves: &BTreeMap<u32, WavePlace>, deep: bool, width: f32) -> Picture {
        let theme = self.theme;
        let mut picture = Picture::new("", theme.page);
        let corner = Pos2::ZERO;
        let mut y = corner.y + 4.0;
        let mut line = |picture: &mut Picture, text: &str, color: Color32| {
            picture.words(pos2(corner.x + 38.0, y), 12.0, color, text);
            y += 22.0;
            y - 22.0
        };
        let at = line(&mut picture, "wave boundary", theme.ink);
        let sample = Stroke::new(3.0, theme.ink);
        picture.line(pos2(corner.x, at), pos2(corner.x + 28.0, at), sample);
        let group = match self.layout.micro {
            Micro::Quads => Some("derivative quad"),
            Micro::Linear => Some("linear derivative group"),
            Micro::None => None,
        };
        if let Some(group) = group {
            let at = line(&mut picture, group, theme.ink);
            picture.line(pos2(corner.x, at), pos2(corner.x + 28.0, at), Stroke::new(1.3, theme.outline));
        }
        let number = match self.settings.numbers {
            Numbers::Thread => "hardware thread in the group",
            Numbers::Lane => "lane in the wave",
        };
        let at = line(&mut picture, number, theme.ink);
        picture.text(pos2(corner.x + 14.0, at), Anchor::Middle, 12.0, Font::Code, theme.ink, "0…");
        match self.settings.color_by {
            ColorBy::Quad => {
                let at = line(&mut picture, "each color is a quad; colors repeat", theme.ink);
                for index in 0..4 {
                    let cell = Rect::from_min_size(pos2(corner.x + 7.0 * index as f32, at - 7.0), vec2(7.0, 14.0));
                    picture.rect(cell, theme.series(index).fill, Stroke::new(1.0, theme.outline), 0);
                }
            }
            ColorBy::Order => {
                let at = line(&mut picture, &format!("order: thread 0 to {}", self.last_thread()), theme.ink);
                for step in 0..14 {
                    let cell = Rect::from_min_size(pos2(corner.x + 2.0 * step as f32, at - 7.0), vec2(2.0, 14.0));
                    picture.rect(cell, theme.ramp(step as f32 / 13.0).0, Stroke::NONE, 0);
                }
            }
            ColorBy::Wave => {}
        }
        let shown: Vec<_> = waves.iter().take(LISTED_WAVES).collect();
        let below = self.settings.legend == Legend::Below;
        let columns = if below { ((width + LIST_GAP) / (LEGEND + LIST_GAP)) as usize } else { 1 }.max(1);
        // The key is a column too.
        let lists = columns.saturating_sub(1).max(1);
        let at = if columns > 1 { pos2(LEGEND + LIST_GAP, 4.0) } else { pos2(0.0, y + 8.0) };
        let long = shown.len().div_ceil(lists).max(SHORTEST_LIST);
        let mut bottom = at.y;
        for (index, part) in shown.chunks(if lists == 1 { LISTED_WAVES } else { long }).enumerate() {
            let at = at + vec2((LEGEND + LIST_GAP) * index as f32, 0.0);
            bottom = bottom.max(self.list_waves(&mut picture, at, part, deep));
        }
        if waves.len() > LISTED_WAVES {
            let text = format!("… and {} more waves", waves.len() - LISTED_WAVES);
            picture.words(pos2(at.x, bottom), 12.0, theme.ink_soft, &text);
        }
        picture
    }

    /// A list of waves and where they lie; returns its lower end.
    fn list_waves(&self, picture: &mut Picture, corner: Pos2, waves: &[(&u32, &WavePlace)], deep: bool) -> f32 {
        let theme = self.theme;
        let mut y = corner.y;
        // Depth only where there is more than one slice.
        let lanes = if deep { 236.0 } else { 204.0 };
        let all = [(0.0, "wave"), (72.0, "x"), (138.0, "y"), (204.0, "z"), (lanes, "lanes")];
        for (column, name) in all.into_iter().filter(|(_, name)| deep || *name != "z") {
            picture.words(pos2(corner.x + column, y), 11.0, theme.ink_soft, name);
        }
        y += 10.0;
        picture.line(pos2(corner.x, y), pos2(corner.x + LEGEND - 10.0, y), Stroke::new(1.0, theme.hairline));
        y += 13.0;
        let span = |place: &WavePlace, axis: usize| {
            let (from, to) = (place.from[axis], place.to[axis]);
            if from == to { from.to_string() } else { format!("{from}–{to}") }
        };
        let colored = self.settings.color_by == ColorBy::Wave;
        for (wave, place) in waves {
            if colored {
                let swatch = Rect::from_min_size(pos2(corner.x, y - 7.0), vec2(28.0, 14.0));
                let fill = theme.series(spread(**wave)).fill;
                picture.rect(swatch, fill, Stroke::new(1.0, theme.outline), 2);
            }
            let mut cell = |column: f32, text: &str| {
                let at = pos2(corner.x + column, y);
                picture.text(at, Anchor::Start, 11.0, Font::Code, theme.ink, text);
            };
            cell(if colored { 38.0 } else { 0.0 }, &wave.to_string());
            cell(72.0, &span(place, 0));
            cell(138.0, &span(place, 1));
            if deep {
                cell(204.0, &span(place, 2));
            }
            cell(lanes, &place.lanes.to_string());
            y += 20.0;
        }
        y
    }
}
