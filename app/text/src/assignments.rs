//! Slot assignments beside each other: the program's, ours and each compiler's, as small grids.

use std::collections::BTreeMap;
use std::io;

use lanescope_core::driver::assignment::{Carried, SlotAssignment, SlotChannel, assignments};
use lanescope_core::driver::layout::LayoutTable;
use lanescope_core::packing::Packing;
use unicode_width::UnicodeWidthStr as _;

use super::labels::{Labels, Letter};
use super::packing::centred;
use super::page::{Line, Page, Target, wrap};

/// Columns of one channel's cell, and of a half of it.
const CELL: usize = 7;
const HALF: usize = 3;
/// Columns of a grid: the slot's number, four cells and the lines around them.
const GRID: usize = 5 + 4 * (CELL + 1);
/// Columns between two grids.
const GAP: usize = 3;
/// Rows of one grid that are written at most.
const MOST_ROWS: usize = 512;

/// Writes the grids of a fragment shader's interface, as many beside each other as the page has columns for.
pub fn write(page: &mut Page<'_>, packing: &Packing, tables: &[LayoutTable]) -> io::Result<()> {
    let all = assignments(packing, tables);
    let from = packing.producer.map_or("no previous stage".to_owned(), |stage| stage.to_string());
    page.heading("Varyings by compiler", &format!("{from} → {}", packing.reader()))?;
    let labels = Labels::within(packing, CELL, HALF);
    let grids: Vec<Vec<Line>> = all.iter().map(|own| grid(page, packing, own, &labels)).collect();
    let beside = (page.width() + GAP) / (1 + GRID + GAP);
    for (index, row) in grids.chunks(beside.max(1)).enumerate() {
        if index > 0 {
            page.blank()?;
        }
        let height = row.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let cells = row.iter().enumerate().map(|(at, grid)| (at, grid.get(line)));
            let joined = cells.fold(Line::default(), |out, (at, part)| {
                let out = out.to(1 + at * (GRID + GAP));
                part.map_or_else(|| out.clone(), |part| out.clone().join(part.clone()))
            });
            page.line(joined)?;
        }
    }
    legend(page, packing, &all, &labels)
}

fn grid(page: &Page<'_>, packing: &Packing, own: &SlotAssignment, labels: &Labels) -> Vec<Line> {
    let style = page.style;
    let mut out: Vec<Line> =
        wrap(&own.title(packing), GRID).into_iter().map(|line| Line::of(style.strong, line)).collect();
    out.extend(wrap(&own.facts(), GRID).into_iter().map(|line| Line::of(style.dim, line)));
    if !own.channels.is_empty() {
        let letters =
            ["x", "y", "z", "w"].iter().fold(Line::from("     "), |line, c| line.text(centred(c, CELL)).text(" "));
        out.push(letters);
    }
    let mut last = None;
    for (count, slot) in own.numbers().enumerate() {
        if count == MOST_ROWS {
            out.push(Line::of(style.warning, "…"));
            break;
        }
        if last.map_or(slot > 0, |last: u32| slot > last.saturating_add(1)) {
            out.push(Line::of(style.dim, "  ⋮"));
        }
        last = Some(slot);
        let number = Line::of(style.dim, format!("{slot:>3} │"));
        out.push((0..4).fold(number, |line, channel| {
            cell(page, packing, own, labels, line, SlotChannel { slot, channel, high: false }).styled(style.dim, "│")
        }));
    }
    for unplaced in own.unplaced_names(packing) {
        out.extend(wrap(&unplaced.text(), GRID).into_iter().map(|line| Line::of(style.dim, line)));
    }
    out
}

/// Adds a channel's cell, in halves where a scalar is in its high one.
fn cell(
    page: &Page<'_>,
    packing: &Packing,
    own: &SlotAssignment,
    labels: &Labels,
    line: Line,
    at: SlotChannel,
) -> Line {
    let low = own.channels.get(&at).map(Vec::as_slice).unwrap_or_default();
    let high = own.channels.get(&SlotChannel { high: true, ..at }).map(Vec::as_slice);
    let part = |line: Line, carried: &[Carried], width: usize| {
        let Some((first, mapping)) = carried.first().and_then(|one| Some((one, packing.map.get(one.scalar)?))) else {
            return line.styled(page.style.dim, centred("·", width));
        };
        let (hue, label) = labels.of(&mapping.variable);
        let letter = mapping.part().component.letter();
        let sign = if first.computed { "ƒ" } else { "" };
        let more = if carried.len() > 1 { "+" } else { "" };
        let dotted = format!("{sign}{label}.{letter}{more}");
        let text = if dotted.width() <= width { dotted } else { format!("{sign}{label}{letter}{more}") };
        let target = Target::Varying(mapping.from.location.0, mapping.from.component.0);
        line.targeted(page.style.hue(hue), centred(&text, width), Some(target))
    };
    match high {
        None => part(line, low, CELL),
        Some(high) => part(part(line, low, HALF).styled(page.style.dim, centred("│", CELL - 2 * HALF)), high, HALF),
    }
}

/// What signs, letters and rules mean, for those that are there.
fn legend(page: &mut Page<'_>, packing: &Packing, all: &[SlotAssignment], labels: &Labels) -> io::Result<()> {
    page.blank()?;
    let carried = || all.iter().flat_map(|own| own.channels.values());
    let dim = page.style.dim;
    if carried().flatten().any(|one| one.computed) {
        page.prose(Line::of(dim, " ƒ "), "computed from it by the previous stage")?;
    }
    if carried().any(|all| all.len() > 1) {
        page.prose(Line::of(dim, " + "), "for more than one scalar")?;
    }
    for Letter { letter, name, hue } in labels.letters() {
        page.line(Line::from(" ").styled(page.style.hue(hue), letter).text(" ").text(name))?;
    }
    let unplaced = all.iter().flat_map(|own| &own.unplaced);
    let rules: BTreeMap<_, _> = unplaced.map(|one| (one.rule, one.rule.why())).collect();
    for (rule, why) in rules {
        page.prose(Line::of(dim, format!(" {rule}: ")), why)?;
    }
    if !packing.builtins.is_empty() {
        page.prose(Line::of(dim, " "), "Slots of built-ins are not shown.")?;
    }
    Ok(())
}
