//! Signatures as register slots: a row a register, a cell a column.

use std::collections::BTreeMap;

use emath::{Rect, pos2, vec2};
use lanescope_core::dxil::Summary;
use lanescope_core::dxil::signature::Element;

use crate::picture::{Anchor, Font, Mark, Pattern, Picture, Shape, Stroke, elide};
use crate::theme::Theme;

const CELL: emath::Vec2 = vec2(78.0, 34.0);
const PITCH: f32 = 40.0;
const LEFT: f32 = 64.0;
const MARGIN: f32 = 20.0;
const LETTERS: [&str; 4] = ["x", "y", "z", "w"];
/// From one signature to the next.
const APART: f32 = LEFT + 4.0 * CELL.x + 176.0;
/// Registers of one signature that are drawn; a stage has 32.
const MOST_ROWS: usize = 128;

/// Every element in the order of the marks: inputs, outputs, patch constants.
pub fn elements(summary: &Summary) -> impl Iterator<Item = &Element> {
    let parts = &summary.signatures;
    parts.input.iter().chain(&parts.output).chain(&parts.patch)
}

/// Whether a container has any signature to draw.
pub fn has_signatures(summary: &Summary) -> bool {
    elements(summary).next().is_some()
}

/// Draws the signature parts beside each other.
pub fn signatures(summary: &Summary, theme: &Theme) -> Picture {
    let parts = &summary.signatures;
    let patch = if summary.kind.as_deref() == Some("mesh") { "Primitive outputs" } else { "Patch constants" };
    let all = [("Inputs", &parts.input), ("Outputs", &parts.output), (patch, &parts.patch)];
    let mut picture = Picture::new("Signatures by register", theme.page);
    let (mut left, mut first) = (LEFT, 0);
    for (title, elements) in all {
        if !elements.is_empty() {
            signature(&mut picture, theme, left, title, elements, first);
            left += APART;
        }
        first += elements.len();
    }
    picture.fit(MARGIN);
    let bottom = picture.size.y;
    let patterns = [(None, "user-defined"), (Some(Pattern::Bars), "system value")];
    let mut x = LEFT;
    for (pattern, name) in patterns {
        let rect = Rect::from_center_size(pos2(x + 8.0, bottom), vec2(16.0, 12.0));
        cell(&mut picture, theme, rect, 0, pattern);
        picture.words(pos2(x + 22.0, bottom), 12.0, theme.ink_soft, name);
        x += 44.0 + crate::picture::text_width(name, Font::Words, 12.0);
    }
    picture.fit(MARGIN);
    picture
}

fn signature(picture: &mut Picture, theme: &Theme, left: f32, title: &str, elements: &[Element], first: usize) {
    picture.words(pos2(left, 18.0), 15.0, theme.ink, title);
    for (column, letter) in LETTERS.iter().enumerate() {
        let x = left + (column as f32 + 0.5) * CELL.x;
        picture.text(pos2(x, 40.0), Anchor::Middle, 12.0, Font::Code, theme.ink_soft, letter);
    }
    let mut rows: BTreeMap<(u32, Option<u32>), Vec<usize>> = BTreeMap::new();
    let mut outside = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        match element.register {
            Some(register) => rows.entry((element.stream, Some(register))).or_default().push(index),
            None => outside.push(index),
        }
    }
    let streams = elements.iter().any(|element| element.stream > 0);
    let mut top = 52.0;
    for ((stream, register), row) in rows.iter().take(MOST_ROWS) {
        let name = register.map_or(String::new(), |register| register.to_string());
        let name = if streams { format!("{stream}:{name}") } else { name };
        let middle = top + CELL.y / 2.0;
        picture.text(pos2(left - 10.0, middle), Anchor::End, 13.0, Font::Code, theme.ink_soft, &name);
        for column in 0..4 {
            let rect = Rect::from_min_size(pos2(left + column as f32 * CELL.x, top), CELL).shrink(1.0);
            picture.rect(rect, theme.panel, Stroke::new(1.0, theme.hairline), 3);
        }
        let mut types = Vec::new();
        for index in row {
            let Some(element) = elements.get(*index) else { continue };
            draw(picture, theme, pos2(left, top), element, first + index, *index);
            types.push(&*element.component_type);
        }
        types.dedup();
        picture.words(pos2(left + 4.0 * CELL.x + 10.0, middle), 12.0, theme.ink_soft, &types.join(", "));
        top += PITCH;
    }
    let left_out = rows.len().saturating_sub(MOST_ROWS);
    if left_out > 0 {
        picture.words(pos2(left, top + 10.0), 12.0, theme.warn, &format!("{left_out} more registers"));
        top += PITCH;
    }
    for index in outside {
        let Some(element) = elements.get(index) else { continue };
        let rect = Rect::from_min_size(pos2(left, top), vec2(4.0 * CELL.x, CELL.y)).shrink(1.0);
        let line = Stroke::new(1.0, theme.hairline).dashed(4.0);
        let item = picture.rect(rect, theme.page, line, 3);
        if let Ok(mark) = u32::try_from(first + index) {
            item.mark(Mark::Element(mark));
        }
        let text = format!("{} · no register", name(element));
        picture.text(rect.center(), Anchor::Middle, 12.0, Font::Words, theme.ink, &text);
        top += PITCH;
    }
}

/// An element's cells: each run of columns is one block.
fn draw(picture: &mut Picture, theme: &Theme, at: emath::Pos2, element: &Element, mark: usize, color: usize) {
    let has = |mask: &str, column: usize| mask.chars().nth(column).is_some_and(|c| c != '-');
    let mut column = 0;
    while column < 4 {
        if !has(&element.mask, column) {
            column += 1;
            continue;
        }
        let end = (column..4).find(|c| !has(&element.mask, *c)).unwrap_or(4);
        let rect = Rect::from_min_size(
            pos2(at.x + column as f32 * CELL.x, at.y),
            vec2((end - column) as f32 * CELL.x, CELL.y),
        );
        let system = element.system_value != "none";
        let pattern = if system { Some(Pattern::Bars) } else { None };
        cell(picture, theme, rect.shrink(1.0), color, pattern);
        if let Some(item) = picture.items.last_mut()
            && let Ok(mark) = u32::try_from(mark)
        {
            item.mark(Mark::Element(mark));
        }
        let text = elide(&name(element), Font::Words, 13.0, rect.width() - 10.0);
        picture.text(rect.center(), Anchor::Middle, 13.0, Font::Words, theme.ink, &text);
        column = end;
    }
}

fn cell(picture: &mut Picture, theme: &Theme, rect: Rect, color: usize, pattern: Option<Pattern>) {
    let series = theme.series(color);
    let pattern = pattern.map(|pattern| (pattern, series.pattern));
    let stroke = Stroke::new(1.0, series.line);
    picture.push(Shape::Rect { rect, fill: series.fill, stroke, radius: 3, pattern });
}

/// `TEXCOORD0`, `SV_Position`.
pub fn name(element: &Element) -> String {
    let bare = element.index == 0 && element.semantic.starts_with("SV_");
    let index = if bare { String::new() } else { element.index.to_string() };
    format!("{}{index}", element.semantic)
}
