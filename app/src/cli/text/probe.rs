//! A measured lane map as text, drawn beside the predicted one.

use std::io::{self, Write};

use lanescope_core::ids::Thread;
use lanescope_core::run::Probe;
use lanescope_core::words::counted;
use lanescope_core::workgroup::row_major_index;

use super::Style;
use super::page::{Align, Line, Page, Table, WIDTH};

/// Slices of z that are drawn.
const SLICES_AT_MOST: u32 = 16;
/// Rows of a slice that are drawn.
const ROWS_AT_MOST: u32 = 64;
/// Disagreements that are listed.
const LISTED_AT_MOST: usize = 24;

/// Writes what was measured.
///
/// # Errors
///
/// Those of `out`.
pub fn write(probe: &Probe, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let [x, y, z] = probe.size;
    page.line(Line::of(style.strong, format!("{x}×{y}×{z} workgroup")).text(format!("  on {}", probe.device)))?;
    let [least, most] = probe.subgroup_range;
    let range = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    let subgroups =
        format!("{} of {} (the device offers {range})", counted(probe.subgroups, "subgroup"), probe.subgroup_size);
    page.line(format!("{subgroups}, derivatives {}", probe.derivatives).into())?;
    for what in &probe.not_measured {
        page.prose(Line::of(style.warning, "not measured: "), what)?;
    }
    map(page, probe)?;
    disagreements(page, probe)
}

/// `subgroup.lane` of each invocation, measured at the left, predicted at the right; a disagreement is marked.
fn map(page: &mut Page<'_>, probe: &Probe) -> io::Result<()> {
    let style = page.style;
    let [x, y, z] = probe.size;
    let wave = probe.subgroup_size.max(1);
    let mut predicted = vec![None; probe.lanes.len()];
    for (thread, id) in (0u32..).map(Thread).zip(&probe.predicted) {
        let slot = usize::try_from(row_major_index(probe.size, *id)).ok().and_then(|at| predicted.get_mut(at));
        if let Some(slot) = slot {
            *slot = Some((thread.0 / wave, thread.0 % wave));
        }
    }
    let measured: Vec<_> = probe.lanes.iter().map(|lane| (lane.subgroup, lane.lane)).collect();
    let text = |(subgroup, lane): (u32, u32)| format!("{subgroup}.{lane}");
    let both = measured.iter().copied().chain(predicted.iter().copied().flatten());
    let cell = both.map(|at| text(at).len()).max().unwrap_or(1) + 2;
    let row = (x as usize).saturating_mul(cell);
    page.heading("Lanes", "subgroup.lane, x to the right, y down; ! marks a disagreement")?;
    if row.saturating_mul(2).saturating_add(8) > WIDTH {
        return page.line(" The rows are too wide to draw two maps side by side; --format json has them all.".into());
    }
    let gap = row + 4;
    let title = Line::from(" ").styled(style.dim, "measured").to(1 + gap).styled(style.dim, "predicted");
    for slice in 0..z.min(SLICES_AT_MOST) {
        if z > 1 {
            page.line(Line::of(style.dim, format!(" z = {slice}")))?;
        }
        page.line(title.clone())?;
        for row in 0..y.min(ROWS_AT_MOST) {
            let at = |column: u32| row_major_index(probe.size, [column, row, slice]) as usize;
            let mut line = Line::from(" ");
            for column in 0..x {
                let (Some(&here), there) = (measured.get(at(column)), predicted.get(at(column)).copied().flatten())
                else {
                    continue;
                };
                let differs = there != Some(here);
                let mark = if differs { "!" } else { " " };
                let start = line.width();
                let styled = if differs { style.error } else { style.hue(here.0 as usize) };
                line = line.styled(styled, format!("{}{mark}", text(here))).to(start + cell);
            }
            line = line.to(1 + gap);
            for column in 0..x {
                let Some(there) = predicted.get(at(column)).copied().flatten() else { continue };
                let start = line.width();
                line = line.styled(style.hue(there.0 as usize), text(there)).to(start + cell);
            }
            page.line(line)?;
        }
        if y > ROWS_AT_MOST {
            page.line(Line::of(style.dim, format!(" and {} more rows", y - ROWS_AT_MOST)))?;
        }
    }
    if z > SLICES_AT_MOST {
        page.line(Line::of(style.dim, format!(" and {} more slices", z - SLICES_AT_MOST)))?;
    }
    Ok(())
}

fn disagreements(page: &mut Page<'_>, probe: &Probe) -> io::Result<()> {
    let style = page.style;
    let count = probe.disagreements.len();
    if count == 0 {
        page.heading("Agreement", "the device does what the closed form says")?;
        return Ok(());
    }
    page.heading("Disagreements", &format!("{count}"))?;
    let columns =
        [("invocation", Align::Left), ("what", Align::Left), ("predicted", Align::Right), ("measured", Align::Right)];
    let mut table = Table::new(&columns);
    for found in probe.disagreements.iter().take(LISTED_AT_MOST) {
        let [x, y, z] = found.id;
        table.row([
            Line::from(format!("({x}, {y}, {z})")),
            Line::from(found.what.as_str()),
            Line::from(found.predicted.as_str()),
            Line::of(style.error, &found.measured),
        ]);
    }
    page.table(table, 1)?;
    if count > LISTED_AT_MOST {
        page.line(Line::of(style.dim, format!(" and {} more; --format json has them all", count - LISTED_AT_MOST)))?;
    }
    Ok(())
}
