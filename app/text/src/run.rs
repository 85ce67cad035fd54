//! A run as text: what it wrote, as typed tables.

use std::io::{self, Write};

use lanescope_core::findings::{self, Finding};
use lanescope_core::options::DerivativesBy;
use lanescope_core::run::inputs::{InputRun, InputSource};
use lanescope_core::run::{Compare, DerivativesRun, Execution, InterpreterRun, Run, buffer_cells, buffer_table};
use lanescope_core::text_format::counted;
use lanescope_core::workgroup::rewrite::Emulated;

use super::page::{Line, Page};
use super::{IN_JSON, Style};

/// Rows of one buffer that are shown; files contain them all.
const ROWS_AT_MOST: usize = 16;
/// Whose findings a run has.
pub const FINDINGS_NOTE: &str = "of the interpreter, in the order in which they appear";

/// Writes the results of a run.
///
/// # Errors
///
/// Those of `out`.
pub fn write(done: &Execution, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    summary(page, done)?;
    if !done.run.findings.is_empty() {
        page.heading("Findings", FINDINGS_NOTE)?;
        let all: Vec<&Finding> = done.run.findings.iter().collect();
        page.table(&findings::table(&all), 1)?;
    }
    outputs(page, done)
}

/// The facts of a run, and what it was compared with.
pub fn summary(page: &mut Page<'_>, done: &Execution) -> io::Result<()> {
    let run = &done.run;
    header(page, run)?;
    run.compare.as_ref().map_or(Ok(()), |compare| comparison(page, compare, run.differs()))
}

/// What a run wrote.
pub fn outputs(page: &mut Page<'_>, done: &Execution) -> io::Result<()> {
    let style = page.style;
    let run = &done.run;
    for buffer in &run.buffers {
        let note = format!("{}  {} bytes  {}", buffer.label(), buffer.bytes, buffer.hash);
        page.heading(buffer.variable.as_deref().unwrap_or("Buffer"), &note)?;
        let (rows, all) = buffer.shape.rows(done.contents(&buffer.name), ROWS_AT_MOST);
        let mut table = buffer_table(false);
        rows.iter().for_each(|row| table.row(buffer_cells(row, None)));
        page.table(&table, 1)?;
        let more = all.saturating_sub(rows.len() as u64);
        if more > 0 {
            let how = style.hint("--output writes them all", "");
            page.line(Line::of(style.dim, format!(" and {more} more{how}")))?;
        }
    }
    for image in &run.images {
        let [x, y, z] = image.size;
        let layers = if image.layers > 1 { format!(", {} layers", image.layers) } else { String::new() };
        let name = image.label();
        let note = format!("{name}  {x}×{y}×{z}{layers}  {}  {}", image.format, image.hash);
        page.heading(image.variable.as_deref().unwrap_or("Image"), &note)?;
    }
    for attachment in &run.attachments {
        let [x, y] = attachment.size;
        let samples = counted(attachment.samples as usize, "sample");
        let note = format!("{x}×{y}, {samples}  {}", attachment.hash);
        page.heading(&attachment.name, &note)?;
    }
    if run.buffers.is_empty() && run.images.is_empty() && run.attachments.is_empty() {
        page.blank()?;
        page.line(" The shader writes no buffer and no image.".into())?;
    }
    Ok(())
}

fn header(page: &mut Page<'_>, run: &Run) -> io::Result<()> {
    let style = page.style;
    let what = format!("{} {}", run.mode, run.entries.join(" + "));
    page.line(Line::of(style.strong, what).text(format!("  on {}", run.device)))?;
    if let Some([x, y, z]) = run.groups {
        let reason = run.groups_reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        page.line(Line::of(style.dim, "groups: ").text(format!("{x}×{y}×{z}{reason}")))?;
    }
    let fill = if run.zeros { "zeros".to_owned() } else { format!("seed {}", run.fill) };
    let time = format!("{:.3} ms, {fill}", run.nanoseconds as f64 / 1e6);
    page.line(Line::of(style.dim, time))?;
    given(page, run)?;
    if let Some(interpreter) = &run.interpreter {
        let waves = counted(interpreter.lanes.len(), "wave");
        let text = match interpreter.lanes.is_empty() {
            true => format!("waves of {}: {}", interpreter.wave, interpreter.map),
            false => format!("{waves} of {} in each workgroup, {}", interpreter.wave, interpreter.map),
        };
        page.line(Line::of(style.dim, "lane map: ").text(text))?;
        let InterpreterRun { steps, lane_steps, .. } = interpreter;
        page.line(Line::of(style.dim, "steps: ").text(format!("{steps} ({lane_steps} lane-instructions)")))?;
    }
    if let Some(why) = &run.not_rewritten {
        page.prose(Line::of(style.dim, "not rewritten: "), why)?;
    }
    if let Some(derivatives) = &run.derivatives {
        self::derivatives(page, derivatives)?;
    }
    if let Some(described) = &run.described {
        for what in &described.taken {
            page.prose(Line::of(style.dim, "described: "), what)?;
        }
        for what in &described.left {
            page.prose(Line::of(style.warning, "not applied: "), what)?;
        }
    }
    for what in &run.adapted {
        page.prose(Line::of(style.dim, "adapted: "), what)?;
    }
    for why in &run.order_dependent {
        page.prose(Line::of(style.warning, "order-dependent: "), why)?;
    }
    for warning in &run.warnings {
        page.prose(Line::of(style.warning, "validation: "), warning)?;
    }
    Ok(())
}

/// Which inputs the user gave and which the run filled, where any was given.
fn given(page: &mut Page<'_>, run: &Run) -> io::Result<()> {
    if run.inputs.iter().all(|input| input.source == InputSource::Filled) {
        return Ok(());
    }
    let style = page.style;
    let (given, filled): (Vec<_>, Vec<_>) = run.inputs.iter().map(InputRun::texts).unzip();
    for (label, texts) in [("given: ", given.concat()), ("filled: ", filled.concat())] {
        let mut shown: Vec<&str> = texts.iter().take(ROWS_AT_MOST).map(String::as_str).collect();
        let more = format!("{} more", texts.len().saturating_sub(shown.len()));
        if texts.len() > shown.len() {
            shown.push(&more);
        }
        if !shown.is_empty() {
            page.prose(Line::of(style.dim, label), &shown.join("; "))?;
        }
    }
    Ok(())
}

/// How derivatives in compute shaders were computed, and the caveats of computing them.
fn derivatives(page: &mut Page<'_>, run: &DerivativesRun) -> io::Result<()> {
    let style = page.style;
    let of = |by: DerivativesBy| match by {
        DerivativesBy::Quad | DerivativesBy::Shuffle => format!("computed by {by} operations"),
        _ => "computed by the device".to_owned(),
    };
    let mut text = of(run.original);
    if let Some(rewritten) = run.rewritten.filter(|rewritten| *rewritten != run.original) {
        text = format!("{text}; {} in the other program", of(rewritten));
    }
    page.prose(Line::of(style.dim, "derivatives: "), &text)?;
    for Emulated { instruction, opcode, quad_rule, caveats } in run.computed.iter().take(ROWS_AT_MOST) {
        let text: Vec<&str> = std::iter::once(quad_rule).chain(caveats).map(String::as_str).collect();
        page.prose(Line::of(style.dim, format!("  #{instruction} {opcode}: ")), &text.join("; "))?;
    }
    let more = run.computed.len().saturating_sub(ROWS_AT_MOST);
    if more > 0 {
        page.line(Line::of(style.dim, format!("  and {more} more{}", style.hint(IN_JSON, ""))))?;
    }
    Ok(())
}

fn comparison(page: &mut Page<'_>, compare: &Compare, differs: bool) -> io::Result<()> {
    let style = page.style;
    let verdict = match (compare.equal, differs) {
        (true, _) => "equal, bit for bit",
        (false, true) => "different",
        (false, false) => "different, order-dependent",
    };
    page.heading("Compared", verdict)?;
    for output in &compare.outputs {
        let (colour, sign) = if output.is_equal() { (style.good, "✓") } else { (style.error, "✗") };
        let first = Line::from(" ").styled(colour, sign).text(format!(" {}", output.name));
        match (&output.first, output.unlike) {
            (None, None) => page.line(first)?,
            (None, Some(unlike)) => page.line(first.text(format!(" {}", unlike.sentence())))?,
            (Some(found), _) => {
                let pixel = found.pixel.map(|[x, y, z]| format!("pixel ({x}, {y}, {z})"));
                let sample = found.sample.map(|sample| format!(", sample {sample}")).unwrap_or_default();
                let place = pixel.unwrap_or_else(|| format!("offset {}", found.offset));
                let first = first.text("  ");
                let text = format!(
                    "{} differ; first at {place}{sample}: {} in the first, {} in the second",
                    output.differing, found.original, found.rewritten
                );
                page.prose(first, &text)?;
            }
        }
    }
    Ok(())
}
