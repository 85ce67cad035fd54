//! A debugging session as text: what each command printed, lanes on the lane map.

use std::io::{self, Write};
use std::path::Path;

use lanescope_core::findings::{self, Finding};
use lanescope_core::interpreter::debugger::session::{Beside, Lanes, Output, State, WaveRow};
use lanescope_core::text_format::counted;
use lanescope_inspector::debugging::beside_table;

use super::Style;
use super::page::{Line, Page, WIDTH};
use super::script::problems;
use lanescope_host::debugging::report::{Debugged, Done, RecordReport, Trace, WrittenRow};

/// Records that are listed.
const RECORDS_AT_MOST: usize = 16;
/// Slices and rows of a workgroup that are drawn.
const SLICES_AT_MOST: u32 = 16;
const ROWS_AT_MOST: u32 = 64;

/// Writes a session. `size` is the workgroup's.
///
/// # Errors
///
/// Those of `out`.
pub fn write(debugged: &Debugged, size: [u32; 3], out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    if let Some(before) = &debugged.before {
        for problem in problems(Path::new(&before.script), &before.failures, &before.findings) {
            page.whole_line(&problem)?;
        }
    }
    let rewritten = if debugged.rewritten { ", rewritten" } else { "" };
    let what = format!("{} {}{rewritten}", debugged.stage, debugged.entry);
    page.line(Line::of(style.strong, what).text(format!("  {} in the interpreter", debugged.state.place())))?;
    let waves = counted(debugged.interpreter.lanes.len(), "wave");
    let map = format!("{waves} of {}, {}", debugged.interpreter.wave, debugged.interpreter.map);
    page.line(Line::of(style.dim, "lane map: ").text(map))?;
    if let Some(others) = &debugged.others {
        page.line(Line::of(style.dim, "other workgroups: ").text(others.text()))?;
    }
    for done in &debugged.commands {
        command(page, done, size, debugged.rewritten)?;
    }
    if let (Some(beside), true) = (&debugged.beside, debugged.commands.last().is_none_or(|done| done.beside.is_none()))
    {
        self::beside(page, beside, debugged.rewritten)?;
    }
    if let Some(trace) = &debugged.trace {
        self::trace(page, trace)?;
    }
    if let Some(record) = &debugged.record {
        self::record(page, record)?;
    }
    if !debugged.findings.is_empty() {
        page.heading("Findings", "up to here")?;
        let all: Vec<&Finding> = debugged.findings.iter().collect();
        page.table(&findings::table(&all), 1)?;
    }
    Ok(())
}

/// The record of a launch, and what the launch writes.
fn record(page: &mut Page<'_>, record: &RecordReport) -> io::Result<()> {
    let style = page.style;
    let [first, count] = record.records;
    let which = match count {
        1 => format!("record {first}"),
        _ => format!("records {first} to {}", first + count.saturating_sub(1)),
    };
    page.heading("Launch", &format!("{which} of {} in generation {}", record.node, record.generation))?;
    page.line(Line::of(style.dim, " input: ").text(&record.input))?;
    let list = |page: &mut Page<'_>, rows: &[WrittenRow]| {
        for row in rows.iter().take(RECORDS_AT_MOST) {
            page.line(Line::of(style.strong, format!(" {}", row.target)).text(format!("  {}", row.fields)))?;
        }
        match rows.len().checked_sub(RECORDS_AT_MOST).filter(|more| *more > 0) {
            Some(more) => page.line(Line::of(style.dim, format!(" and {more} more; --format json has all of them"))),
            None => Ok(()),
        }
    };
    page.heading("Written", &counted(record.written.len(), "record"))?;
    list(page, &record.written)?;
    let device = &record.device;
    match record.same {
        Some(true) => page.line(Line::of(style.dim, format!(" the same as on {device}"))),
        Some(false) => {
            page.heading("Written on the device", device)?;
            list(page, &record.device_wrote)
        }
        None => page.line(Line::of(
            style.dim,
            format!(" not compared: the run on {device} does not say what this launch wrote"),
        )),
    }
}

/// The variables of both programs.
fn beside(page: &mut Page<'_>, beside: &Beside, is_rewritten: bool) -> io::Result<()> {
    let other = if is_rewritten { "original" } else { "rewritten" };
    page.heading("Compared", &format!("{}, step {} of the {other} program", beside.point.text(), beside.step))?;
    if !beside.instruction.is_empty() {
        page.line(Line::of(page.style.dim, format!(" {}", beside.instruction)))?;
    }
    page.table(&beside_table(beside, is_rewritten), 1)
}

/// Writes what one command printed. `size` is the workgroup's.
///
/// # Errors
///
/// Those of `out`.
pub fn write_printed(output: &Output, size: [u32; 3], out: &mut dyn Write, style: Style) -> io::Result<()> {
    printed(&mut Page::new(out, style), output, size)
}

fn printed(page: &mut Page<'_>, output: &Output, size: [u32; 3]) -> io::Result<()> {
    let style = page.style;
    match output {
        Output::Stopped(why) => page.line(why.as_str().into())?,
        Output::Breakpoint { number, at } => page.line(format!("breakpoint {number}: {at}").into())?,
        Output::Value { name, value } => page.line(format!("{name} = {value}").into())?,
        Output::Lanes(lanes) => self::lanes(page, lanes, size)?,
        Output::Writers(writers) => {
            for text in writers.lines(usize::MAX) {
                page.line(text.into())?;
            }
        }
        Output::Waves(waves) => self::waves(page, waves)?,
        Output::Locals(locals) => {
            for variable in locals {
                let line = Line::from(format!("{} = {}", variable.name, variable.value));
                page.line(line.text("  ").styled(style.dim, &variable.ty))?;
            }
        }
        Output::Breakpoints(all) => {
            for row in all {
                let hits = format!("  hit {}", counted_times(row.hits));
                let line = Line::from(format!("{}  {}", row.number, row.at)).styled(style.dim, hits);
                page.line(match row.ignored.saturating_sub(row.hits) {
                    0 => line,
                    more => line.styled(style.dim, format!(", the next {more} are ignored")),
                })?;
            }
        }
    }
    Ok(())
}

fn command(page: &mut Page<'_>, done: &Done, size: [u32; 3], is_rewritten: bool) -> io::Result<()> {
    let style = page.style;
    page.blank()?;
    page.line(Line::of(style.strong, format!("> {}", done.command)))?;
    printed(page, &done.printed, size)?;
    if let Some(state) = &done.state {
        self::state(page, state)?;
    }
    for lanes in &done.watched {
        self::lanes(page, lanes, size)?;
    }
    match &done.beside {
        Some(beside) => self::beside(page, beside, is_rewritten),
        None => Ok(()),
    }
}

fn counted_times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn state(page: &mut Page<'_>, state: &State) -> io::Result<()> {
    let style = page.style;
    let invocation = state.invocation.map_or_else(String::new, |index| format!(", invocation {index}"));
    let active = if state.active { "active" } else { "inactive" };
    let place = format!("step {}, lane {}.{}{invocation}, {active}", state.step, state.wave, state.lane);
    page.line(Line::of(style.dim, place))?;
    if state.finished {
        return Ok(());
    }
    if let Some(line) = &state.line {
        page.line(Line::of(style.dim, format!("{}:{}", line.file, line.line)))?;
    }
    for row in &state.source {
        let (sign, styled) = if row.current { ("→", style.strong) } else { (" ", style.dim) };
        page.line(Line::of(styled, format!("{sign}{:>5}  {}", row.line, row.text.replace('\t', "    "))))?;
    }
    waves(page, &state.waves)
}

fn waves(page: &mut Page<'_>, waves: &[WaveRow]) -> io::Result<()> {
    let style = page.style;
    for wave in waves {
        let line = Line::of(style.hue(wave.wave as usize), format!("wave {:<3}", wave.wave));
        page.line(line.text(format!(" {}  {}", wave.exec, wave.status)))?;
    }
    Ok(())
}

/// One value on the workgroup: x to the right, y down. Lanes that do not run the next instruction are in parentheses.
fn lanes(page: &mut Page<'_>, lanes: &Lanes, [x, y, z]: [u32; 3]) -> io::Result<()> {
    let style = page.style;
    let count = [x, y, z].iter().map(|&d| d as usize).fold(1, usize::saturating_mul);
    let mut cells: Vec<Option<(String, usize)>> = vec![None; count.min(1 << 16)];
    let rows = lanes.values.iter().zip(&lanes.active).zip(&lanes.invocations).enumerate();
    for (wave, ((values, active), invocations)) in rows {
        for (lane, ((value, active), invocation)) in values.iter().zip(active).zip(invocations).enumerate() {
            let Some(index) = *invocation else { continue };
            let Some(cell) = cells.get_mut(lanes.position(index, [x, y, z]) as usize) else { continue };
            let helper = lanes.helpers.get(wave).and_then(|wave| wave.get(lane)).is_some_and(|helper| *helper);
            let value = format!("{}{}", value.as_deref().unwrap_or("-"), if helper { "h" } else { "" });
            *cell = Some((if *active { value } else { format!("({value})") }, wave));
        }
    }
    let width = cells.iter().flatten().map(|(text, _)| text.chars().count()).max().unwrap_or(1) + 1;
    let note = match lanes.helpers.is_empty() {
        true => "x to the right, y down; in parentheses: inactive",
        false => "quads of 2×2 pixels; in parentheses: inactive; h: helper invocation",
    };
    page.line(Line::of(style.strong, &lanes.name).text("  ").styled(style.dim, note))?;
    // Long rows go on in the next line; quads stay whole.
    let columns = (WIDTH / width).max(1);
    let (columns, together) = if lanes.helpers.is_empty() { (columns, 1) } else { ((columns & !1).max(2), 2) };
    for slice in 0..z.min(SLICES_AT_MOST) {
        if z > 1 {
            page.line(Line::of(style.dim, format!(" z = {slice}")))?;
        }
        let rows: Vec<&[Option<(String, usize)>]> = (0..y.min(ROWS_AT_MOST))
            .map(|row| {
                let first = (slice as usize * y as usize + row as usize) * x as usize;
                cells.get(first..first + x as usize).unwrap_or_default()
            })
            .collect();
        for rows in rows.chunks(together) {
            for first in (0..x as usize).step_by(columns) {
                for row in rows {
                    let mut line = Line::default();
                    for (at, cell) in row.iter().skip(first).take(columns).enumerate() {
                        line = line.to(at * width);
                        if let Some((text, wave)) = cell {
                            line = line.styled(style.hue(*wave), text);
                        }
                    }
                    page.line(line)?;
                }
            }
        }
    }
    if z > SLICES_AT_MOST || y > ROWS_AT_MOST {
        page.line(Line::of(style.dim, " and more; --format json has all of them"))?;
    }
    Ok(())
}

/// Each instruction with its exec mask: divergence over time.
fn trace(page: &mut Page<'_>, trace: &Trace) -> io::Result<()> {
    let style = page.style;
    page.heading("Trace", "step, active lanes, exec mask (# active, . inactive), instruction")?;
    for row in &trace.rows {
        let mut line = Line::of(style.dim, format!("{:>7} {:>3} ", row.step, row.active)).text(row.exec.to_string());
        line = line.text(format!("  {}", row.instruction));
        for (name, value) in trace.watched.iter().zip(&row.watched) {
            line = line.text(format!("  {name}={value}"));
        }
        if let Some(at) = &row.line {
            line = line.styled(style.dim, format!("  {at}"));
        }
        page.line(line)?;
    }
    if trace.more {
        page.line(Line::of(style.dim, " and more; --format json has more of them"))?;
    }
    Ok(())
}
