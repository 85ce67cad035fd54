//! What differs between two reports, as pictures: both sides beside each other, differences flagged.

use std::collections::BTreeSet;

use emath::{Rect, pos2, vec2};
use lanescope_core::compare::{Kind, LayoutPair, Part, Row, Section, Side};
use lanescope_core::driver::Change;
use lanescope_core::packing::Packing;
use lanescope_core::workgroup::{Layout, tiles};

use crate::curve;
use crate::packing::{Beside, MOVED, beside, flag_legend, varying_of};
use crate::picture::{Anchor, Font, Mark, Picture, Stroke, clean, elide, text_width};
use crate::theme::{Theme, Tokens};
use crate::workgroup::{Caption, Legend, MapSettings, captioned, untitled};

const MARGIN: f32 = 20.0;
/// Rows of a table that are drawn at most.
const ROWS_AT_MOST: usize = 200;
/// Texts whose curves are drawn at most.
const TEXTS_AT_MOST: usize = 8;
/// From one row of a table to the next.
const PITCH: f32 = 18.0;
/// The widest that a column of a table gets.
const COLUMN_AT_MOST: f32 = 330.0;
/// The widest that the line of a side's name gets.
const NAMES_AT_MOST: f32 = 560.0;
const CURVE_HEIGHT: f32 = 420.0;
/// Invocations of a group, at most, that are looked through for those that stayed.
const MOST_FLAGS: u64 = 1 << 16;

/// A section's picture: the diagrams of both sides where it has any, then the rows that differ.
pub fn picture(section: &Section, sides: [Side<'_>; 2], names: [&str; 2], theme: &Theme) -> Picture {
    let mut page = Picture::new(format!("{}: {} and {}", title(section.name), names[0], names[1]), theme.page);
    page.words(pos2(MARGIN, 28.0), 19.0, theme.ink, title(section.name));
    // Beside each other there is space for a part of the names only.
    let sides_named = ["A", "B"].iter().zip(names).map(|(letter, name)| format!("{letter}  {}", clean(name)));
    let same = section.equal.then(|| "The same on both sides.".to_owned());
    for (line, words) in (0u8..).zip(sides_named.chain(same)) {
        let words = elide(&words, Font::Words, 12.0, NAMES_AT_MOST);
        page.words(pos2(MARGIN, 52.0 + 17.0 * f32::from(line)), 12.0, theme.ink_soft, &words);
    }
    page.fit(10.0);
    let together = |[left, right]: [Option<Picture>; 2]| match (left, right) {
        (Some(left), Some(right)) => Some(left.beside(&right)),
        (one, other) => one.or(other),
    };
    let diagrams: Vec<Picture> = match section.name {
        Part::Packing => interfaces(sides)
            .into_iter()
            .filter_map(|pair| together(packing_sides(section, pair, Titles::drawn(names), theme)))
            .collect(),
        Part::Lanes => section
            .layouts
            .iter()
            .filter_map(|pair| together(lane_sides(pair, sides, Titles::drawn(names), &MapSettings::default(), theme)))
            .collect(),
        Part::Isa => curves(section, sides, theme),
        Part::Registers | Part::Statistics => Vec::new(),
    };
    for diagram in &diagrams {
        page = page.above(diagram);
    }
    page.above(&rows(section, names, theme))
}

/// Name of a part in the window.
pub fn title(part: Part) -> &'static str {
    match part {
        Part::Packing => "Packing",
        Part::Lanes => "Lanes",
        Part::Registers => "Registers",
        Part::Statistics => "Statistics",
        Part::Isa => "ISA",
    }
}

/// The interfaces of both sides by their consumer, the fragment shader's first.
pub fn interfaces(sides: [Side<'_>; 2]) -> Vec<[Option<&Packing>; 2]> {
    let all = sides.map(Side::interfaces);
    let mut readers: Vec<_> = all.iter().flatten().map(|packing| packing.reader()).collect();
    let mut seen = BTreeSet::new();
    readers.retain(|reader| seen.insert(reader.clone()));
    let of = |reader: String| all.each_ref().map(|side| side.iter().find(|p| p.reader() == reader).copied());
    readers.into_iter().map(of).collect()
}

/// Names of both sides, and whether each picture begins with its name.
#[derive(Debug, Clone, Copy)]
pub struct Titles<'a> {
    /// The names.
    pub names: [&'a str; 2],
    /// Without it the title is above the picture elsewhere.
    pub are_drawn: bool,
}

impl<'a> Titles<'a> {
    /// Each picture begins with its name.
    pub fn drawn(names: [&'a str; 2]) -> Titles<'a> {
        Titles { names, are_drawn: true }
    }

    /// The names are elsewhere.
    pub fn elsewhere(names: [&'a str; 2]) -> Titles<'a> {
        Titles { names, are_drawn: false }
    }
}

/// The facts of a lane map in a line: `compute 16×16×1 · wave64 · row-major`.
pub fn lane_facts(layout: &Layout) -> String {
    let [x, y, z] = layout.size;
    let tiles = tiles(layout.micro, layout.macro_tile);
    format!("{} {x}×{y}×{z} · wave{} · {tiles}", layout.stage, layout.wave)
}

/// The packed grids of both sides, with flags at what differs.
pub fn packing_sides(
    section: &Section,
    pair: [Option<&Packing>; 2],
    titles: Titles<'_>,
    theme: &Theme,
) -> [Option<Picture>; 2] {
    let reader = pair.iter().flatten().next().map(|packing| packing.reader());
    let of = reader.map(|reader| format!("{reader} inputs")).unwrap_or_default();
    let differing = |side: usize| -> BTreeSet<Mark> {
        let Some(packing) = pair.get(side).copied().flatten() else { return BTreeSet::new() };
        let rows = section.rows.iter().filter(|row| row.of == of && row.kind != Kind::Same);
        let indices = rows.filter_map(|row| row.source.get(side).copied().flatten());
        indices.filter_map(|index| packing.map.get(index)).map(|m| Mark::Varying(varying_of(m))).collect()
    };
    let flagged = [differing(0), differing(1)];
    let side = |side: usize| {
        let packing = pair.get(side).copied().flatten()?;
        Some(Beside { packing, name: titles.names.get(side)?, flagged: flagged.get(side)? })
    };
    beside([side(0), side(1)], titles.are_drawn, theme)
}

/// The lane maps of both sides, with flags at the invocations that another thread runs.
pub fn lane_sides(
    pair: &LayoutPair,
    sides: [Side<'_>; 2],
    titles: Titles<'_>,
    settings: &MapSettings,
    theme: &Theme,
) -> [Option<Picture>; 2] {
    let none = BTreeSet::new();
    [0, 1].map(|index| {
        let (side, name) = (sides.get(index)?, titles.names.get(index)?);
        let layout = side.report.workgroup.get(pair.source.get(index).copied().flatten()?)?;
        let settings = MapSettings { legend: Legend::None, ..*settings };
        let mut picture = if titles.are_drawn {
            let (title, facts) = (elide(&clean(name), Font::Words, 20.0, 420.0), lane_facts(layout));
            captioned(layout, &settings, theme, &Caption { title: &title, facts: &facts, wrong: &none })
        } else {
            untitled(layout, &settings, theme, &clean(name))
        };
        if let Some((flagged, text)) = moved(pair, layout.size) {
            picture.flag(&flagged, theme.warn);
            if titles.are_drawn {
                let bottom = picture.size.y;
                flag_legend(&mut picture, bottom, &text, theme);
                picture.fit(MARGIN);
            }
        }
        Some(picture)
    })
}

/// What a flag in the packed grids or the lane maps of a pair says, where there is one.
pub fn flag_text(section: &Section, pair: Option<&LayoutPair>, sides: [Side<'_>; 2]) -> Option<String> {
    match section.name {
        Part::Packing => {
            let has_flags =
                section.rows.iter().any(|row| row.kind != Kind::Same && row.source.iter().any(Option::is_some));
            has_flags.then(|| MOVED.to_owned())
        }
        _ => {
            let pair = pair?;
            let layout = sides.iter().zip(pair.source).find_map(|(side, index)| side.report.workgroup.get(index?))?;
            moved(pair, layout.size).map(|(_, text)| text)
        }
    }
}

/// The invocations to flag, and what a flag says: those that moved, or those that stayed where most moved.
fn moved(pair: &LayoutPair, size: [u32; 3]) -> Option<(BTreeSet<Mark>, String)> {
    if pair.moved.is_empty() {
        return None;
    }
    let all = size.iter().fold(1u64, |product, side| product.saturating_mul(u64::from(*side)));
    let count = pair.moved.len() as u64;
    if count.saturating_mul(2) <= all || all > MOST_FLAGS {
        let flagged = pair.moved.iter().map(|id| Mark::Invocation(*id)).collect();
        return Some((flagged, "runs on a different thread on the other side".to_owned()));
    }
    let [x, y, z] = size;
    let ids = (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z])));
    let stayed: BTreeSet<Mark> = ids.filter(|id| pair.moved.binary_search(id).is_err()).map(Mark::Invocation).collect();
    let text = match stayed.is_empty() {
        true => format!("none here: all {all} invocations run on a different thread on the other side"),
        false => format!("runs on the same thread on both sides; the other {count} invocations do not"),
    };
    Some((stayed, text))
}

/// The pressure curves of the texts that differ.
fn curves(section: &Section, sides: [Side<'_>; 2], theme: &Theme) -> Vec<Picture> {
    let differing = section.texts.iter().filter(|text| !text.equal);
    let draw = |pair: &lanescope_core::compare::TextPair| {
        let mut page = Picture::new("", theme.page);
        page.words(pos2(MARGIN, 16.0), 14.0, theme.ink, &pair.name);
        page.fit(10.0);
        let facts = [0, 1].map(|at| {
            let row = pair.source.get(at).copied().flatten().and_then(|index| sides.get(at)?.driver.get(index))?;
            row.read_text()
        });
        let both = curve::curves(facts.each_ref().map(Option::as_ref), ["A", "B"], CURVE_HEIGHT, theme);
        both.map_or(page.clone(), |both| page.above(&both))
    };
    differing.take(TEXTS_AT_MOST).map(draw).collect()
}

/// One line of a table.
struct Line<'a> {
    heading: bool,
    kind: Kind,
    cells: [String; 4],
    /// The direction of its change.
    is_lower: bool,
    of: &'a str,
}

/// The rows that differ, as a table.
fn rows(section: &Section, names: [&str; 2], theme: &Theme) -> Picture {
    let mut page = Picture::new("", theme.page);
    let lines = lines(section);
    if lines.is_empty() {
        return page;
    }
    let cell = |value: &Option<String>| value.as_deref().map_or("–".to_owned(), clean);
    let drawn = lines.iter().take(ROWS_AT_MOST).map(|(row, indent)| Line {
        heading: false,
        kind: row.kind,
        cells: [
            format!("{}{}", if *indent { "  " } else { "" }, clean(&row.name)),
            cell(&row.left),
            cell(&row.right),
            row.change.map(Change::with_sign).unwrap_or_default(),
        ],
        is_lower: row.change.is_some_and(|change| change.by < 0.0),
        of: &row.of,
    });
    let mut all: Vec<Line<'_>> = Vec::new();
    let mut of = "";
    for line in drawn {
        if !line.of.is_empty() && line.of != of {
            of = line.of;
            let cells = [clean(of), String::new(), String::new(), String::new()];
            all.push(Line { heading: true, kind: Kind::Same, cells, is_lower: false, of });
        }
        all.push(line);
    }
    let heads = ["".to_owned(), format!("A  {}", clean(names[0])), format!("B  {}", clean(names[1])), String::new()];
    let width = |column: usize| {
        let cells = all.iter().filter(|line| !line.heading || column == 0).filter_map(|line| line.cells.get(column));
        let widths = cells.map(|text| text_width(text, Font::Code, 11.0));
        widths.fold(60.0_f32, f32::max).min(COLUMN_AT_MOST)
    };
    let widths = [0, 1, 2, 3].map(width);
    let mut left = MARGIN + 18.0;
    let lefts = widths.map(|width| {
        let here = left;
        left += width + 18.0;
        here
    });
    let mut y = 16.0;
    for (column, head) in heads.iter().enumerate() {
        let head = elide(head, Font::Words, 12.0, widths[column] + 10.0);
        page.words(pos2(lefts[column], y), 12.0, theme.ink_soft, &head);
    }
    let right = lefts[3] + widths[3];
    for line in &all {
        y += PITCH;
        if line.heading {
            y += 6.0;
            page.words(pos2(MARGIN, y), 12.0, theme.ink, line.cells.first().map_or("", String::as_str));
            continue;
        }
        let ground = Rect::from_min_max(pos2(MARGIN - 4.0, y - PITCH / 2.0), pos2(right + 4.0, y + PITCH / 2.0));
        page.rect(ground.shrink2(vec2(0.0, 0.5)), theme.panel, Stroke::NONE, 0);
        page.text(pos2(MARGIN + 4.0, y), Anchor::Middle, 11.0, Font::Code, theme.warn, line.kind.sign());
        for (column, text) in line.cells.iter().enumerate() {
            let text = elide(text, Font::Code, 11.0, widths[column]);
            let ink = match (column, line.is_lower) {
                (3, true) => Tokens::on(theme.dark).lower(),
                (3, false) => Tokens::on(theme.dark).higher(),
                _ => theme.ink,
            };
            page.text(pos2(lefts[column], y), Anchor::Start, 11.0, Font::Code, ink, &text);
        }
    }
    if lines.len() > ROWS_AT_MOST {
        y += PITCH;
        let more = lines.len() - ROWS_AT_MOST;
        let text = if more == 1 { "… and one more row".to_owned() } else { format!("… and {more} more rows") };
        page.words(pos2(MARGIN, y), 12.0, theme.warn, &text);
    }
    page.fit(MARGIN);
    page
}

/// The rows that differ and their parts; whether a line is a part.
fn lines(section: &Section) -> Vec<(&Row, bool)> {
    let mut lines = Vec::new();
    for row in section.rows.iter().filter(|row| row.kind != Kind::Same) {
        lines.push((row, false));
        lines.extend(row.rows.iter().map(|part| (part, true)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_the_fewer_invocations() {
        let pair = |moved: Vec<[u32; 3]>| LayoutPair { name: String::new(), source: [Some(0), Some(0)], moved };
        let ids: Vec<[u32; 3]> = (0..4).flat_map(|y| (0..4).map(move |x| [x, y, 0])).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        let flagged = |count: usize| moved(&pair(sorted[..count].to_vec()), [4, 4, 1]).map(|(flags, _)| flags.len());
        assert_eq!(
            (flagged(0), flagged(2), flagged(8), flagged(15), flagged(16)),
            (None, Some(2), Some(8), Some(1), Some(0))
        );
    }
}
