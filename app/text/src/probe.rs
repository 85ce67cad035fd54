//! A measured lane map as text, drawn beside the predicted one.

use std::io::{self, Write};

use lanescope_core::ids::Thread;
use lanescope_core::run::{Probe, disagreement_table, lane_table};
use lanescope_core::text_format::counted;
use lanescope_core::workgroup::row_major_index;

use super::page::{Line, Page};
use super::{IN_JSON, Style};

/// Slices of z that are drawn.
const SLICES_AT_MOST: u32 = 16;
/// Rows of a slice that are drawn.
const ROWS_AT_MOST: u32 = 64;
/// Invocations that are listed where no map is drawn.
const LANES_AT_MOST: usize = 256;
/// Disagreements that are listed.
const LISTED_AT_MOST: usize = 24;

/// Writes what was measured.
///
/// # Errors
///
/// Those of `out`.
pub fn write(probe: &Probe, out: &mut dyn Write, style: Style) -> io::Result<()> {
    contents(&mut Page::new(out, style), probe)
}

/// The same on a page.
pub fn contents(page: &mut Page<'_>, probe: &Probe) -> io::Result<()> {
    facts(page, probe)?;
    map(page, probe)?;
    disagreements(page, probe)
}

/// What was measured without the map.
pub fn outcome(page: &mut Page<'_>, probe: &Probe) -> io::Result<()> {
    facts(page, probe)?;
    disagreements(page, probe)
}

fn facts(page: &mut Page<'_>, probe: &Probe) -> io::Result<()> {
    let style = page.style;
    let [x, y, z] = probe.size;
    page.line(Line::of(style.strong, format!("{x}×{y}×{z} workgroup")).text(format!("  on {}", probe.device)))?;
    let [least, most] = probe.subgroup_range;
    let range = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    let subgroups = format!(
        "{} of {} (the device offers {range})",
        counted(probe.subgroups_run(), "subgroup"),
        probe.subgroup_size
    );
    page.line(format!("{subgroups}, derivatives {}", probe.derivatives).into())?;
    if probe.coarse_is_fine() {
        page.line("coarse derivatives are computed as fine ones, as SPIR-V allows".into())?;
    }
    for what in &probe.contradictions {
        page.prose(Line::of(style.error, "contradiction: "), what)?;
    }
    for what in &probe.not_measured {
        page.prose(Line::of(style.warning, "not measured: "), what)?;
    }
    Ok(())
}

/// What one map shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// The device's result; disagreements are marked.
    Measured,
    /// The prediction.
    Predicted,
    /// The device's result, if it agrees everywhere.
    Both,
}

/// `subgroup.lane` of each invocation, measured and predicted.
struct Maps {
    size: [u32; 3],
    /// In row-major order, as those that were predicted.
    measured: Vec<(u32, u32)>,
    predicted: Vec<Option<(u32, u32)>>,
    /// Columns of an invocation.
    cell: usize,
}

fn text_of((subgroup, lane): (u32, u32)) -> String {
    format!("{subgroup}.{lane}")
}

impl Maps {
    fn of(probe: &Probe) -> Maps {
        let wave = probe.subgroup_size.max(1);
        let mut predicted = vec![None; probe.lanes.len()];
        for (thread, id) in (0u32..).map(Thread).zip(&probe.predicted) {
            let slot = usize::try_from(row_major_index(probe.size, *id)).ok().and_then(|at| predicted.get_mut(at));
            if let Some(slot) = slot {
                *slot = Some((thread.0 / wave, thread.0 % wave));
            }
        }
        let measured: Vec<_> = probe.lanes.iter().map(|lane| (lane.subgroup, lane.lane)).collect();
        let both = measured.iter().copied().chain(predicted.iter().copied().flatten());
        let cell = both.map(|at| text_of(at).len()).max().unwrap_or(1) + 2;
        Maps { size: probe.size, measured, predicted, cell }
    }

    /// Columns of a map.
    fn width(&self) -> usize {
        (self.size[0] as usize).saturating_mul(self.cell)
    }

    /// The maps to draw, side by side or one below the other; empty if the page is too narrow for one.
    fn arranged(&self, room: usize) -> &'static [&'static [Shown]] {
        let alike = self.measured.iter().zip(&self.predicted).all(|(here, there)| Some(*here) == *there);
        let row = self.width();
        match () {
            () if row.saturating_mul(2).saturating_add(8) <= room => &[&[Shown::Measured, Shown::Predicted]],
            () if row.saturating_add(1) > room => &[],
            () if alike => &[&[Shown::Both]],
            () => &[&[Shown::Measured], &[Shown::Predicted]],
        }
    }

    /// Appends a row of a map.
    fn row(&self, mut line: Line, style: Style, shown: Shown, [row, slice]: [u32; 2]) -> Line {
        for column in 0..self.size[0] {
            let at = row_major_index(self.size, [column, row, slice]) as usize;
            let there = self.predicted.get(at).copied().flatten();
            let here = self.measured.get(at).copied();
            let Some(place) = (if shown == Shown::Predicted { there } else { here }) else { continue };
            let differs = shown == Shown::Measured && here != there;
            let (mark, styled) = if differs { ("!", style.error) } else { ("", style.hue(place.0 as usize)) };
            let start = line.width();
            line = line.styled(styled, format!("{}{mark}", text_of(place))).to(start + self.cell);
        }
        line
    }
}

/// Draws the maps side by side if they fit, else one below the other, and as one map if they agree.
fn map(page: &mut Page<'_>, probe: &Probe) -> io::Result<()> {
    let style = page.style;
    let [_, y, z] = probe.size;
    let maps = Maps::of(probe);
    page.heading("Lanes", "subgroup.lane, x to the right, y down; ! marks a disagreement")?;
    let arranged = maps.arranged(page.width());
    if arranged.is_empty() {
        page.line(Line::of(style.dim, " The rows are too wide to draw a map. Each invocation:"))?;
        let mut table = lane_table(probe);
        let more = table.rows.len().saturating_sub(LANES_AT_MOST);
        table.rows.truncate(LANES_AT_MOST);
        page.table(&table, 1)?;
        if more > 0 {
            page.line(Line::of(style.dim, format!(" and {more} more{}", style.hint(IN_JSON, ""))))?;
        }
        return Ok(());
    }
    let start = |index: usize| 1 + index * (maps.width() + 4);
    for slice in 0..z.min(SLICES_AT_MOST) {
        if z > 1 {
            page.line(Line::of(style.dim, format!(" z = {slice}")))?;
        }
        for beside in arranged {
            let title = |line: Line, (index, shown): (usize, &Shown)| {
                let title = match shown {
                    Shown::Measured => "measured",
                    Shown::Predicted => "predicted",
                    Shown::Both => "measured, as predicted",
                };
                line.to(start(index)).styled(style.dim, title)
            };
            page.line(beside.iter().enumerate().fold(Line::default(), title))?;
            for row in 0..y.min(ROWS_AT_MOST) {
                let each = beside.iter().enumerate();
                let line = each.fold(Line::default(), |line, (index, shown)| {
                    maps.row(line.to(start(index)), style, *shown, [row, slice])
                });
                page.line(line)?;
            }
            if y > ROWS_AT_MOST {
                page.line(Line::of(style.dim, format!(" and {} more rows", y - ROWS_AT_MOST)))?;
            }
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
        let what = match probe.contradictions.is_empty() {
            true => "the device matches the prediction",
            false => "the lanes match the prediction; the device contradicts itself (see above)",
        };
        page.heading("Agreement", what)?;
        return Ok(());
    }
    page.heading("Disagreements", &format!("{count}"))?;
    let listed = probe.disagreements.get(..LISTED_AT_MOST).unwrap_or(&probe.disagreements);
    page.table(&disagreement_table(listed), 1)?;
    if count > LISTED_AT_MOST {
        let how = style.hint(IN_JSON, "");
        page.line(Line::of(style.dim, format!(" and {} more{how}", count - LISTED_AT_MOST)))?;
    }
    Ok(())
}
