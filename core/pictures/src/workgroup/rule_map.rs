//! Where two rule sets lay workgroups out differently: a cell for each size.

use ecolor::Color32;
use emath::{Pos2, Rect, pos2, vec2};
use lanescope_core::workgroup::{RuleMap, RuleVerdict};

use super::grid::Grid;
use crate::picture::{Anchor, Font, Mark, Pattern, Picture, Shape, Stroke};
use crate::theme::Theme;

const MARGIN: f32 = 20.0;
const CELL: f32 = 16.0;
/// Between rows of the legend.
const ROW: f32 = 22.0;
/// A column of the legend.
const COLUMN: f32 = 270.0;

/// Draws a map; `own` is the size that is outlined.
pub fn picture(map: &RuleMap, own: [u32; 2], theme: &Theme) -> Picture {
    let side = RuleMap::SIDE;
    let title = format!("LLPC's code and its design note for workgroups up to {side} x {side}");
    let mut picture = Picture::new(title, theme.page);
    picture.words(pos2(MARGIN, 28.0), 19.0, theme.ink, "LLPC's code and its design note by size");
    let facts = format!("{} shader, {}, {}", map.facts.stage, map.facts.target, map.options());
    picture.text(pos2(MARGIN, 52.0), Anchor::Start, 12.0, Font::Code, theme.ink_soft, &facts);
    let Some(grid) = Grid::new(pos2(MARGIN - 6.0, 74.0), [side, side], CELL) else { return picture };
    picture.rect(grid.bounds().expand(0.5), theme.hairline, Stroke::NONE, 0);
    axes(&mut picture, &grid, theme);
    for [x, y] in (1..=side).flat_map(|y| (1..=side).map(move |x| [x, y])) {
        let Some(sets) = map.at([x, y]) else { continue };
        let rect = grid.place(x - 1, y - 1).shrink(0.5);
        cell(&mut picture, rect, sets.verdict, theme).mark(Mark::Size([x, y]));
    }
    if let [Some(x), Some(y)] = own.map(|side| side.checked_sub(1))
        && map.at(own).is_some()
    {
        let rect = grid.place(x, y);
        picture.rect(rect.expand(1.5), Color32::TRANSPARENT, Stroke::new(3.0, theme.page), 2);
        picture.rect(rect.expand(0.5), Color32::TRANSPARENT, Stroke::new(2.0, theme.accent), 2);
    }
    legend(&mut picture, grid.bounds().left_bottom() + vec2(0.0, 24.0), map, theme);
    picture.fit(MARGIN);
    picture
}

/// A cell, told apart by its pattern too.
fn cell<'p>(picture: &'p mut Picture, rect: Rect, verdict: RuleVerdict, theme: &Theme) -> &'p mut crate::picture::Item {
    let (differs, alike) = (theme.series(1), theme.series(0));
    let (fill, pattern) = match verdict {
        RuleVerdict::Differ => (differs.fill, Some((Pattern::Hatch, differs.line))),
        RuleVerdict::SameIds => (alike.fill, None),
        RuleVerdict::Same => (theme.page, None),
        RuleVerdict::NotAllowed => (theme.panel, Some((Pattern::Cross, theme.hairline))),
    };
    picture.push(Shape::Rect { rect, fill, stroke: Stroke::NONE, radius: 0, pattern })
}

/// Sizes along both axes: 1, and each multiple of 4.
fn axes(picture: &mut Picture, grid: &Grid, theme: &Theme) {
    let span = grid.bounds();
    let mut label = |at: Pos2, anchor: Anchor, text: &str| {
        picture.text(at, anchor, 10.0, Font::Code, theme.ink_soft, text);
    };
    for size in (1..=RuleMap::SIDE).filter(|size| *size == 1 || size % 4 == 0) {
        let (across, down) = (grid.place(size - 1, 0).center().x, grid.place(0, size - 1).center().y);
        label(pos2(across, span.top() - 10.0), Anchor::Middle, &size.to_string());
        label(pos2(span.left() - 8.0, down), Anchor::End, &size.to_string());
    }
    label(span.left_top() - vec2(8.0, 10.0), Anchor::End, "Y\\X");
}

fn legend(picture: &mut Picture, corner: Pos2, map: &RuleMap, theme: &Theme) {
    let walks = map.facts.hardware_walks();
    let words = [
        (RuleVerdict::Differ, if walks { "another interleave" } else { "other invocation ids" }),
        (RuleVerdict::SameIds, "other tiles, the same ids"),
        (RuleVerdict::Same, if walks { "the same interleave" } else { "the same tiles" }),
        (RuleVerdict::NotAllowed, "size not allowed"),
    ];
    for (number, (verdict, words)) in words.into_iter().enumerate() {
        let at = corner + vec2((number % 2) as f32 * COLUMN, (number / 2) as f32 * ROW);
        let swatch = Rect::from_min_size(at - vec2(0.0, 7.0), vec2(28.0, 14.0));
        picture.rect(swatch.expand(1.0), theme.hairline, Stroke::NONE, 0);
        cell(picture, swatch, verdict, theme);
        let text = format!("{words}: {}", map.count(verdict));
        picture.words(at + vec2(38.0, 0.0), 12.0, theme.ink, &text);
    }
}
