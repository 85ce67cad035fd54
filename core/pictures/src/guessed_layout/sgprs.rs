//! The user SGPRs of guessed code between the guessed root and the application's: which dword each one holds before and after the
//! remap.

use std::collections::{BTreeMap, BTreeSet};

use ecolor::Color32;
use emath::{Pos2, Rect, pos2, vec2};
use lanescope_core::guessed_layout::{Against, Holds, Layout, RootItem, RootNode, UserData};

use crate::picture::{Anchor, Font, Picture, Stroke, elide};
use crate::theme::Theme;

/// Points from one row to the next, and of a box.
const ROW: f32 = 22.0;
const BOX: f32 = 18.0;
/// Left edges of the columns: guessed root, SGPRs, the application's root.
const COLUMNS: [f32; 3] = [118.0, 408.0, 658.0];
const WIDTHS: [f32; 3] = [200.0, 160.0, 220.0];

/// Columns from the left: dwords of the guessed root that are loaded, SGPRs, dwords of the application's root. Lines join an SGPR
/// with what it holds.
pub fn sgprs(data: &UserData, layout: &Layout, against: Option<&Against>, theme: &Theme) -> Picture {
    let mut drawing = Drawing { picture: Picture::new("User SGPRs", theme.page), theme };
    let held = data.sgprs();
    let theirs = against.map(|against| &against.application.layout);
    let titles = ["guessed root, dword", "user SGPR", if theirs.is_some() { "given root, dword" } else { "" }];
    for (title, x) in titles.into_iter().zip(COLUMNS) {
        drawing.picture.words(pos2(x, 8.0), 12.0, theme.ink_soft, title);
    }
    let sgpr_y = |sgpr: usize| 26.0 + sgpr as f32 * ROW;
    let entry = |holds: Holds| match holds {
        Holds::Entry { entry } => Some(entry),
        _ => None,
    };
    let guessed: Vec<Option<u32>> = held.iter().map(|holds| entry(*holds)).collect();
    let left = drawing.dwords(layout, guessed.iter().flatten().copied(), 0);
    let moved: Vec<Option<u32>> = match against {
        Some(against) => against.sgprs.iter().map(|moved| moved.moved.and_then(entry)).collect(),
        None => Vec::new(),
    };
    let right = match theirs {
        Some(theirs) => drawing.dwords(theirs, moved.iter().flatten().copied(), 2),
        None => BTreeMap::new(),
    };
    for (sgpr, holds) in held.iter().enumerate() {
        let rect = Rect::from_min_size(pos2(COLUMNS[1], sgpr_y(sgpr)), vec2(WIDTHS[1], BOX));
        let text = match holds {
            Holds::Entry { .. } => format!("s{sgpr}"),
            other => format!("s{sgpr}  {}", other.text()),
        };
        let of_root = guessed[sgpr].map(|entry| drawing.look(layout, entry));
        let (fill, line) = of_root.unwrap_or((theme.page, theme.hairline));
        let ink = if of_root.is_some() { theme.ink } else { theme.ink_soft };
        drawing.boxed(rect, (fill, line), ink, &text);

        if let Some(from) = guessed[sgpr].and_then(|entry| left.get(&entry).copied()) {
            let from = pos2(COLUMNS[0] + WIDTHS[0], from.y);
            drawing.picture.line(from, rect.left_center(), Stroke::new(1.5, theme.outline));
        }
        match (guessed[sgpr], moved.get(sgpr).copied().flatten()) {
            (Some(before), Some(after)) => {
                if let Some(to) = right.get(&after) {
                    // Where the number changes, the line is thicker and in ink.
                    let changed = Stroke::new(2.0, theme.ink);
                    let stroke = if before == after { Stroke::new(1.5, theme.outline) } else { changed };
                    drawing.picture.line(rect.right_center(), pos2(COLUMNS[2], to.y), stroke);
                }
            }
            (Some(_), None) if theirs.is_some() => {
                let at = rect.right_center() + vec2(8.0, 0.0);
                drawing.picture.words(at, 11.0, theme.warn, "not in the layout");
            }
            _ => {}
        }
    }
    if let Some(from) = data.spilled_from {
        let text = format!("Loads from dword {from} on are read from the spill table, at offsets that are in the code");
        let y = sgpr_y(held.len()) + 8.0;
        drawing.picture.words(pos2(COLUMNS[0], y), 12.0, theme.warn, &text);
    }
    drawing.picture.fit(4.0);
    drawing.picture
}

struct Drawing<'t> {
    picture: Picture,
    theme: &'t Theme,
}

impl Drawing<'_> {
    /// Boxes of dwords of a root, ascending; the left centre of each.
    fn dwords(&mut self, layout: &Layout, entries: impl Iterator<Item = u32>, column: usize) -> BTreeMap<u32, Pos2> {
        let entries: BTreeSet<u32> = entries.collect();
        let mut out = BTreeMap::new();
        // The first SGPR holds no dword of the root.
        for (row, entry) in (1..).zip(entries) {
            let at = pos2(COLUMNS[column], 26.0 + row as f32 * ROW);
            let rect = Rect::from_min_size(at, vec2(WIDTHS[column], BOX));
            let what = layout.entry(u64::from(entry)).unwrap_or_default();
            let look = self.look(layout, entry);
            self.boxed(rect, look, self.theme.ink, &format!("{entry}  {what}"));
            out.insert(entry, rect.left_center());
        }
        out
    }

    /// Fill and line of a dword of a root, as the strips have them.
    fn look(&self, layout: &Layout, entry: u32) -> (Color32, Color32) {
        let entry = u64::from(entry);
        let holds = |root: &&RootNode| (root.offset..root.offset.saturating_add(root.size)).contains(&entry);
        match layout.root.iter().find(holds).map(|root| &root.item) {
            Some(item) => root_look(item, self.theme),
            None => (self.theme.page, self.theme.hairline),
        }
    }

    fn boxed(&mut self, rect: Rect, (fill, line): (Color32, Color32), ink: Color32, text: &str) {
        self.picture.rect(rect, fill, Stroke::new(1.5, line), 2);
        let text = elide(text, Font::Words, 11.0, rect.width() - 10.0);
        self.picture.text(rect.left_center() + vec2(6.0, 0.0), Anchor::Start, 11.0, Font::Words, ink, &text);
    }
}

/// Fill and line of an item of a root.
pub(super) fn root_look(item: &RootItem, theme: &Theme) -> (Color32, Color32) {
    let series = |series: usize| (theme.series(series).fill, theme.series(series).line);
    match item {
        RootItem::Table { .. } => (theme.panel, theme.outline),
        RootItem::Buffer(_) => series(0),
        RootItem::PushConstants => series(6),
        RootItem::Other { .. } => (theme.page, theme.hairline),
    }
}
