//! A work graph's run as text: generation by generation, then what is in the buffers.

use std::collections::BTreeMap;
use std::io::{self, Write};

use lanescope_core::findings::Severity;
use lanescope_core::graph::{TypeSource, WorkGraph};
use lanescope_core::run::graph::{Generation, GraphRun, NodeRun, Records, push_record, record_fields, record_table};
use lanescope_core::run::{Row, Shape, buffer_cells, buffer_table};
use lanescope_core::spirv::shape::Field;
use lanescope_core::table::{Cell, Column, Meaning, Table};
use lanescope_core::text_format::{counted, size};
use serde_json::Value;

use super::Style;
use super::page::{Line, Page};

/// Columns of a list of what a node wrote.
const LIST_WIDTH: usize = 40;
/// Largest number of member offsets in one line.
const MEMBERS: usize = 6;
/// Members of a record that have a column.
const FIELDS: usize = 32;
/// Placeholder for unknown final contents.
const NOT_KEPT: &str = "final contents unknown";
/// Rows of one buffer that are shown.
const ROWS_AT_MOST: usize = 16;

/// Writes a run, with at most so many records of each node.
///
/// # Errors
///
/// Those of `out`.
pub fn write(run: &GraphRun, show: u64, out: &mut dyn Write, style: Style) -> io::Result<()> {
    contents(&mut Page::new(out, style), run, show)
}

/// The same on a page.
pub fn contents(page: &mut Page<'_>, run: &GraphRun, show: u64) -> io::Result<()> {
    let style = page.style;
    let entries: Vec<String> = run.entries.iter().map(ToString::to_string).collect();
    let what = format!("work graph from {}", entries.join(", "));
    page.line(Line::of(style.strong, what).text(format!("  on {}, {}", run.device, run.mode.words())))?;
    let last = run.generations.iter().filter(|generation| generation.dispatch == 0).count();
    let note = format!(
        "{}, {:.3} ms on the device, {:.3} ms in all, ring {}",
        counted(last, "generation"),
        run.nanoseconds as f64 / 1e6,
        run.wall_nanoseconds as f64 / 1e6,
        size(run.ring)
    );
    page.line(Line::of(style.dim, note))?;
    let about = "Generation 0 runs on the first records, each later one on the records that the one before wrote.";
    page.prose(Line::default(), about)?;
    for refused in &run.refused {
        page.prose(
            Line::of(style.warning, "not converted: "),
            &format!("{}: {}", name(&run.graph, refused.node), refused.why),
        )?;
    }
    for warning in &run.warnings {
        page.prose(Line::of(style.warning, "validation: "), warning)?;
    }
    left_out(page, "before the run", &run.left_out)?;
    for generation in &run.generations {
        write_generation(page, run, generation, show)?;
    }
    if !run.pending.is_empty() {
        page.heading("Waiting", "records of the next generation")?;
        for node in &run.pending {
            page.line(Line::from(format!(
                " {}  {}{}",
                label(&run.graph, node),
                counted(node.count, "record"),
                places(&run.graph, node)
            )))?;
            records(page, &run.graph, node, &node.records, show)?;
        }
    }
    if let Some(stopped) = &run.stopped {
        page.heading("Stopped", &format!("generation {}", stopped.generation))?;
        page.prose(Line::of(style.error, " ✗ "), &stopped.why)?;
        if let (Some(needed), Some(available)) = (stopped.needed, stopped.available) {
            page.line(Line::from(format!("   {needed} bytes needed, {available} available")))?;
        }
    }
    buffers(page, run)?;
    if !run.findings.is_empty() {
        page.heading("Findings", &run.findings.len().to_string())?;
    }
    for finding in &run.findings {
        let colour = match finding.severity {
            Severity::Error => style.error,
            Severity::Warning => style.warning,
            Severity::Note => style.dim,
        };
        let first = Line::from(" ").styled(colour, format!("{} {} ", finding.code, finding.severity));
        page.prose(first, &finding.message)?;
    }
    Ok(())
}

fn write_generation(page: &mut Page<'_>, run: &GraphRun, generation: &Generation, show: u64) -> io::Result<()> {
    let style = page.style;
    let start = if run.generations.iter().any(|other| other.dispatch > 0) {
        format!(" of start {}", generation.dispatch)
    } else {
        String::new()
    };
    let leading = match generation.leading_nanoseconds {
        0 => String::new(),
        nanoseconds => format!(", {:.3} ms scheduling", nanoseconds as f64 / 1e6),
    };
    let note = format!(
        "{:.3} ms{leading}; {} of records read, {} of the ring written",
        generation.nanoseconds as f64 / 1e6,
        size(generation.ring.input),
        size(generation.ring.used)
    );
    page.heading(&format!("Generation {}{start}", generation.number), &note)?;
    let mut written: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for edge in &generation.edges {
        let from = generation.nodes.get(edge.from).and_then(|from| run.graph.nodes.get(from.node));
        let id = from.and_then(|from| from.outputs.get(edge.output)?.id(edge.element));
        let id = id.map_or_else(|| "?".to_owned(), |id| id.to_string());
        let lost = if edge.to.is_some() { "" } else { " (lost)" };
        written.entry(edge.from).or_default().push(format!("{id} {}{lost}", edge.records));
    }
    let columns = [
        Column::left("node"),
        Column::right("records"),
        Column::right("thread groups"),
        Column::right("ms"),
        Column::left("wrote"),
    ];
    let mut table = Table::new(columns);
    for (index, node) in generation.nodes.iter().enumerate() {
        let mut wrote = in_lines(written.get(&index).map_or(&[][..], Vec::as_slice)).into_iter();
        table.row([
            Cell::of(Meaning::Strong, label(&run.graph, node)),
            Cell::from(node.count.to_string()),
            Cell::from(node.launches.to_string()),
            Cell::of(
                Meaning::Dimmed,
                if node.nanoseconds == 0 { "-".to_owned() } else { format!("{:.3}", node.nanoseconds as f64 / 1e6) },
            ),
            Cell::from(wrote.next().unwrap_or_else(|| "-".to_owned())),
        ]);
        for more in wrote {
            table.row([Cell::from(""), Cell::from(""), Cell::from(""), Cell::from(""), Cell::from(more)]);
        }
    }
    page.table(&table, 1)?;
    left_out(page, "as changed here", &generation.left_out)?;
    for node in generation.nodes.iter().filter(|node| node.shares.is_none()) {
        if !node.records.is_empty() && show > 0 {
            page.line(Line::of(style.dim, format!(" {}{}", label(&run.graph, node), places(&run.graph, node))))?;
            records(page, &run.graph, node, &node.records, show)?;
        }
    }
    Ok(())
}

/// Buffers and images whose contents were not kept.
fn left_out(page: &mut Page<'_>, when: &str, names: &[String]) -> io::Result<()> {
    let (style, names) = (page.style, names.join(", "));
    match names.is_empty() {
        true => Ok(()),
        false => page.prose(Line::of(style.warning, format!(" not kept {when}: ")), &names),
    }
}

/// Where members without a name are, and their types: `: f0 at 0 (uint32), f1 at 4 (uint32)`.
fn places(graph: &WorkGraph, node: &NodeRun) -> String {
    let record = graph.nodes.get(node.node).and_then(|node| node.record());
    let Some(record) = record.filter(|record| record.source != TypeSource::Debug) else { return String::new() };
    let Shape::Struct { members } = &record.shape else { return String::new() };
    let place = |member: &Field| format!("{} at {} ({})", member.name, member.offset, member.shape.name());
    let places: Vec<String> = members.iter().take(MEMBERS).map(place).collect();
    let more = if members.len() > MEMBERS { ", …" } else { "" };
    format!(": {}{more}", places.join(", "))
}

/// A list, broken into lines that fit the column.
fn in_lines(items: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + item.chars().count() <= LIST_WIDTH => {
                *line = format!("{line}, {item}")
            }
            _ => lines.push(item.clone()),
        }
    }
    lines
}

/// The first records of a node, a column a member.
fn records(page: &mut Page<'_>, graph: &WorkGraph, node: &NodeRun, records: &Records, show: u64) -> io::Result<()> {
    let style = page.style;
    let Some(record) = graph.nodes.get(node.node).and_then(|node| node.record()) else { return Ok(()) };
    let (fields, unlisted) = record_fields(record, FIELDS);
    let mut table = record_table(&fields);
    for index in 0..records.len().min(show) {
        push_record(&mut table, &fields, index, "", records.get(index).unwrap_or_default());
    }
    if table.rows.is_empty() {
        return Ok(());
    }
    page.table(&table, 3)?;
    if unlisted > 0 {
        page.line(Line::of(style.dim, format!("   {} not listed", counted(unlisted, "more member"))))?;
    }
    for edit in node.edited.iter().take(usize::try_from(show).unwrap_or(usize::MAX)) {
        let was = record.shape.json(&edit.was.0);
        page.line(Line::of(style.warning, format!("   record {} was changed; it was {was}", edit.record)))?;
    }
    let more = node.count.saturating_sub(table.rows.len() as u64);
    if more > 0 {
        let how = style.hint("--show shows them, --save keeps them", "Enter on a node above lists them");
        page.line(Line::of(style.dim, format!("   and {more} more{how}")))?;
    }
    Ok(())
}

fn buffers(page: &mut Page<'_>, run: &GraphRun) -> io::Result<()> {
    let known = |name: &str| run.contents.contains_key(name);
    for buffer in &run.buffers {
        let contents = run.contents.get(&buffer.name).map_or(&[][..], |blob| &blob.0);
        let is = if known(&buffer.name) { buffer.hash.to_string() } else { NOT_KEPT.to_owned() };
        let note = format!("{}  {} bytes  {is}", buffer.label(), buffer.bytes);
        page.heading(buffer.variable.as_deref().unwrap_or("Buffer"), &note)?;
        if !known(&buffer.name) {
            continue;
        }
        let (rows, _) = buffer.shape.rows(contents, usize::MAX);
        values(page, &rows)?;
    }
    for image in &run.images {
        let contents = run.contents.get(&image.name).map_or(&[][..], |blob| &blob.0);
        let is = if known(&image.name) { image.hash.to_string() } else { NOT_KEPT.to_owned() };
        let ([x, y, z], layers, format) = (image.size, image.layers, &image.format);
        let texels = format!("{x}x{y}x{z} texels, {}, {format}", counted(layers, "layer"));
        page.heading(image.variable.as_deref().unwrap_or("Image"), &format!("{}  {texels}  {is}", image.label()))?;
        if !known(&image.name) {
            continue;
        }
        let (mut rows, _) = image.shape().rows(contents, usize::MAX);
        for (number, row) in (0u64..).zip(&mut rows) {
            let [x, y, layer] = image.place(number);
            row.path = format!("({x}, {y}, {layer})");
        }
        values(page, &rows)?;
    }
    Ok(())
}

/// The rows that are not all zero, the first of them.
fn values(page: &mut Page<'_>, rows: &[Row]) -> io::Result<()> {
    let style = page.style;
    let is_zero = |value: &Value| value.as_f64() == Some(0.0);
    let nonzero: Vec<_> = rows.iter().filter(|row| !row.values.iter().all(is_zero)).collect();
    let mut table = buffer_table(false);
    nonzero.iter().take(ROWS_AT_MOST).for_each(|row| table.row(buffer_cells(row, None)));
    page.table(&table, 1)?;
    let more = nonzero.len().saturating_sub(ROWS_AT_MOST);
    let zeros = rows.len() - nonzero.len();
    let more = if more == 0 { String::new() } else { format!("{more} more that are not 0; ") };
    page.line(Line::of(style.dim, format!(" {more}{zeros} of {} are 0", counted(rows.len(), "row"))))
}

fn name(graph: &WorkGraph, node: usize) -> String {
    graph.nodes.get(node).map_or_else(|| format!("#{node}"), |node| node.id.to_string())
}

fn label(graph: &WorkGraph, run: &NodeRun) -> String {
    let node = graph.nodes.get(run.node);
    let mut out = name(graph, run.node);
    if run.entry {
        out += " (entry)";
    }
    if run.shares.is_some() {
        out += " (shared input)";
    }
    if node.is_some_and(|node| node.recursion > 0) {
        out = format!("{out}, {} left", counted(run.remaining, "level"));
    }
    out
}
