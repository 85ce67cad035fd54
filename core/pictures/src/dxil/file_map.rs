//! The parts of a container as a map of its file.

use emath::{Rect, pos2, vec2};
use lanescope_core::dxil::{PartSummary, Summary};
use lanescope_core::text_format::counted;

use crate::picture::{Anchor, Font, Mark, Pattern, Picture, Shape, Stroke};
use crate::theme::Theme;

/// The bar's left edge and width.
const LEFT: f32 = 112.0;
const WIDTH: f32 = 132.0;
/// Height that is shared out by bytes, and what each part has at least.
const SHARED: f32 = 320.0;
const LEAST: f32 = 24.0;
const MARGIN: f32 = 20.0;
/// Bytes before the table of parts, and of a part's own header.
const HEADER: u64 = 32;
const PART_HEADER: u64 = 8;

/// Which kind of part has which colour of the series, and what the legend calls it.
const KINDS: [(&str, &[&str]); 5] = [
    ("program", &["DXIL", "ILDB", "SHEX", "SHDR"]),
    ("reflection", &["STAT", "RDEF"]),
    ("interface", &["ISG1", "OSG1", "PSG1", "ISGN", "OSGN", "OSG5", "PCSG"]),
    ("validation data for the runtime", &["PSV0", "RDAT", "SFI0", "RTS0"]),
    ("other", &[]),
];

/// Draws a container: one block a part, at least so high that its name reads, otherwise as high as it is large.
pub fn file_map(summary: &Summary, theme: &Theme) -> Picture {
    let container = &summary.container;
    let title =
        format!("Container of {} with {}", counted(container.bytes, "byte"), counted(container.parts.len(), "part"));
    let mut picture = Picture::new(title, theme.page);
    let words = |picture: &mut Picture, x: f32, y: f32, text: &str| {
        picture.words(pos2(x, y), 12.0, theme.ink_soft, text);
    };
    words(&mut picture, LEFT, 20.0, "part");
    words(&mut picture, LEFT + WIDTH + 16.0, 20.0, "bytes");
    words(&mut picture, LEFT + WIDTH + 96.0, 20.0, "holds");
    picture.text(pos2(LEFT - 10.0, 20.0), Anchor::End, 12.0, Font::Words, theme.ink_soft, "offset");

    let total = container.bytes.max(1) as f32;
    let mut top = 36.0;
    let table = HEADER + 4 * container.parts.len() as u64;
    block(
        &mut picture,
        theme,
        &mut top,
        &Block { name: "header", offset: 0, bytes: table, about: "digest, size, table of parts", mark: None, total },
    );
    let mut end = table;
    for (index, part) in container.parts.iter().enumerate() {
        let offset = u64::from(part.offset);
        if offset > end {
            let gap = Block { name: "unused", offset: end, bytes: offset - end, about: "", mark: None, total };
            block(&mut picture, theme, &mut top, &gap);
        }
        let bytes = u64::from(part.bytes);
        let mark = u32::try_from(index).ok().map(Mark::Part);
        let shown = Block { name: &part.fourcc, offset, bytes, about: &part.about, mark, total };
        block(&mut picture, theme, &mut top, &shown);
        end = offset.saturating_add(bytes).saturating_add(PART_HEADER);
    }
    let bottom = format!("0x{:06x}", container.bytes);
    picture.text(pos2(LEFT - 10.0, top + 8.0), Anchor::End, 12.0, Font::Code, theme.ink_soft, &bottom);
    legend(&mut picture, theme, &container.parts, top + 34.0);
    picture.fit(MARGIN);
    picture.size.x = picture.size.x.max(620.0);
    picture
}

struct Block<'a> {
    name: &'a str,
    offset: u64,
    bytes: u64,
    about: &'a str,
    mark: Option<Mark>,
    total: f32,
}

fn block(picture: &mut Picture, theme: &Theme, top: &mut f32, block: &Block<'_>) {
    let height = (block.bytes as f32 / block.total * SHARED).max(LEAST);
    let rect = Rect::from_min_size(pos2(LEFT, *top), vec2(WIDTH, height - 2.0));
    let middle = rect.center().y;
    let (fill, line, pattern) = match block.mark {
        Some(_) => {
            let series = theme.series(kind(block.name));
            (series.fill, series.line, None)
        }
        None => (theme.panel, theme.hairline, (block.name == "unused").then_some((Pattern::Hatch, theme.hairline))),
    };
    let shape = Shape::Rect { rect, fill, stroke: Stroke::new(1.0, line), radius: 3, pattern };
    let item = picture.push(shape);
    if let Some(mark) = block.mark {
        item.mark(mark);
    }
    let offset = format!("0x{:06x}", block.offset);
    picture.text(pos2(LEFT - 10.0, *top + 9.0), Anchor::End, 12.0, Font::Code, theme.ink_soft, &offset);
    let ink = if block.mark.is_some() { theme.ink } else { theme.ink_soft };
    picture.text(pos2(rect.center().x, middle), Anchor::Middle, 13.0, Font::Code, ink, block.name);
    let bytes = block.bytes.to_string();
    picture.text(pos2(LEFT + WIDTH + 72.0, middle), Anchor::End, 12.0, Font::Code, theme.ink, &bytes);
    picture.words(pos2(LEFT + WIDTH + 96.0, middle), 13.0, theme.ink, block.about);
    *top += height;
}

fn kind(name: &str) -> usize {
    KINDS.iter().position(|(_, names)| names.contains(&name)).unwrap_or(KINDS.len() - 1)
}

fn legend(picture: &mut Picture, theme: &Theme, parts: &[PartSummary], y: f32) {
    let mut x = LEFT;
    for (index, (name, _)) in KINDS.iter().enumerate() {
        if !parts.iter().any(|part| kind(&part.fourcc) == index) {
            continue;
        }
        let series = theme.series(index);
        let rect = Rect::from_center_size(pos2(x + 6.0, y), vec2(12.0, 12.0));
        picture.rect(rect, series.fill, Stroke::new(1.0, series.line), 2);
        picture.words(pos2(x + 18.0, y), 12.0, theme.ink_soft, name);
        x += 36.0 + crate::picture::text_width(name, Font::Words, 12.0);
    }
}
