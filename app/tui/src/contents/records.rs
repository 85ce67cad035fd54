//! Records of a node's run as a table with filter and order; the selected one with its lineage.

use lanescope_core::gpu::RecordPlace;
use lanescope_core::run::graph::{Caused, GraphRun, NodeRun, record_fields, records_in};
use lanescope_core::table::{Meaning, elide};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::debugging::DebugCommand;
use lanescope_inspector::stepping::StepCommand;
use unicode_width::UnicodeWidthStr as _;

use super::super::order::COLUMNS;
use super::super::pane::{Change, Link, Listed, Row, Spot};
use super::super::printable::line;
use super::super::prompt::{Prompt, waiting};
use super::super::views::Views;
use super::{Rows, Section};
use lanescope_workbench::state::program::OpenProgram;

/// Records that are listed: the list slides over all of them with the cursor.
pub const LISTED: u64 = 400;
/// Columns of a value, at most.
const VALUE: usize = 24;
/// Links to other records in a line.
const LINKS: usize = 8;

/// The records of the shown run of the shown generation.
pub fn records(out: &mut Rows, program: &OpenProgram, run: &GraphRun, views: &Views) -> Option<()> {
    let stepping = &program.stepping;
    let at = stepping.at?;
    let generation = run.generations.get(at)?;
    let shown = generation.nodes.get(stepping.shown)?;
    let node = run.graph.nodes.get(shown.node)?;
    let name = line(&node.id.to_string());
    out.section(Section::Heading("Records", &format!("of {name}, {}", counted(shown.count, "record"))));
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    if stepping.launch(run).is_ok() {
        let debug = Link::Do(vec![Command::Debug(DebugCommand::Launch)]);
        let row = Row::default().with(plain, " ", None).with(plain, "Debug this launch", Some(debug));
        let of = stepping.record.map_or_else(String::new, |record| format!("  of record #{record}"));
        out.rows.push(row.with(dim, of, None));
    }
    let Some(record) = node.record() else {
        out.prose("Empty records: only their number is known.");
        return Some(());
    };
    let look = &views.records;
    let condition = look.condition(record);
    let text = if look.filter.is_empty() { "all (Enter types a condition)".to_owned() } else { line(&look.filter) };
    let row = Row::default().with(dim, " filter ", None);
    out.rows.push(row.with(plain, text, Some(Link::Ask(Prompt::Filter))));
    if let Err(why) = &condition {
        out.rows.push(Row::default().with(out.style.meaning(Meaning::Changed), format!(" {}", line(why)), None));
    }
    if let Some(record) = stepping.record {
        lineage(out, run, RecordPlace { generation: at, run: stepping.shown, record });
        if waiting(program).is_some() {
            let row = Row::default().with(plain, " ", None);
            out.rows.push(row.with(
                plain,
                format!("Edit record #{record}, which waits"),
                Some(Link::Ask(Prompt::Record)),
            ));
        }
    }
    let (fields, left_out) = record_fields(record, COLUMNS);
    let order = &views.order;
    if !order.is_complete() {
        out.prose(&format!("Sorting and filtering, {} % …", order.percent()));
        return Some(());
    }
    let held = run.records_of(generation, shown);
    let count = order.len();
    let first = look.first.min(count.saturating_sub(LISTED));
    let end = count.min(first + LISTED);
    let mut lines: Vec<(u64, Vec<String>)> = Vec::new();
    for record in (first..end).filter_map(|row| order.record(row)) {
        let bytes = held.get(record).unwrap_or_default();
        let values = fields.iter().map(|field| elide(&line(&field.values(bytes)), VALUE));
        lines.push((record, values.collect()));
    }
    let wide: Vec<usize> = (0..fields.len())
        .map(|column| {
            let values = lines.iter().filter_map(|(_, values)| values.get(column)).map(|value| value.width());
            values.chain([fields[column].name.width() + 2]).max().unwrap_or(0)
        })
        .collect();
    let number = end.max(1).to_string().len().max(4) + 1;
    let mut head = Row::default().with(dim, format!(" {:>number$}", "#"), None);
    for (column, field) in fields.iter().enumerate() {
        let sign = match look.sort {
            Some((of, false)) if of == column => "▲",
            Some((of, true)) if of == column => "▼",
            _ => " ",
        };
        let text = format!("{} {sign}", elide(&line(&field.name), VALUE));
        let pad = " ".repeat((wide[column] + 2).saturating_sub(text.width()));
        head =
            head.with(dim, "  ", None).with(dim, text, Some(Link::Change(Change::Sort(column)))).with(dim, pad, None);
    }
    pages(out, first, end, count);
    out.rows.push(head);
    out.list = Some(Listed { from: out.rows.len(), first, rows: end - first, count });
    for (record, values) in &lines {
        let is_selected = stepping.record == Some(*record);
        if is_selected {
            out.spots.push((Spot::Record, out.rows.len()));
        }
        let edited = shown.edited.iter().any(|edit| edit.record == *record);
        let select = Link::Do(vec![Command::Step(StepCommand::SelectRecord(Some(*record).filter(|_| !is_selected)))]);
        let sign = if is_selected { "›" } else { " " };
        let style = if is_selected { out.style.meaning(Meaning::Strong) } else { plain };
        let mut row = Row::default().with(style, sign, None).with(dim, format!("{record:>number$}"), Some(select));
        let style = if edited { out.style.meaning(Meaning::Changed) } else { style };
        for (value, wide) in values.iter().zip(&wide) {
            row = row.with(style, format!("  {value}{}", " ".repeat((wide + 2).saturating_sub(value.width()))), None);
        }
        out.rows.push(row);
    }
    if left_out > 0 {
        out.prose(&format!("and {} more of each", counted(left_out, "member")));
    }
    Some(())
}

/// Which records are listed, and where the others are.
fn pages(out: &mut Rows, first: u64, end: u64, count: u64) {
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    if count == 0 {
        return out.prose("No record.");
    }
    if count > LISTED {
        let mut row =
            Row::default().with(dim, format!(" {}–{} of {count}; the cursor scrolls on", first + 1, end), None);
        let last = count - LISTED;
        for (text, to) in [
            ("|← first", 0),
            ("← previous", first.saturating_sub(LISTED)),
            ("next →", end.min(last)),
            ("last →|", last),
        ] {
            row = row.with(plain, "   ", None).with(plain, text, Some(Link::Change(Change::First(to))));
        }
        out.rows.push(row);
    }
}

/// Where the record came from, and what its launch wrote.
fn lineage(out: &mut Rows, run: &GraphRun, place: RecordPlace) {
    let RecordPlace { generation: at, run: shown, record } = place;
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    let node = |generation: usize, at: usize| run.generations.get(generation)?.nodes.get(at);
    let name = |of: &NodeRun| run.graph.nodes.get(of.node).map(|node| line(&node.id.to_string())).unwrap_or_default();
    let go = |generation: usize, run: usize, ranges: &[std::ops::Range<u64>]| {
        let record = ranges.first().map(|range| range.start);
        Some(Link::Do(vec![Command::Step(StepCommand::FollowRecords { generation, run, record })]))
    };
    let row = Row::default().with(out.style.meaning(Meaning::Strong), format!(" #{record}"), None);
    let writer = run.writer(at, shown, record);
    let row = match writer.as_ref().and_then(|writer| Some((writer, node(writer.generation, writer.run)?))) {
        None if node(at, shown).is_some_and(|of| of.entry) => row.with(dim, " from the host", None),
        None => row.with(dim, " written by an unrecorded launch", None),
        Some((writer, from)) => {
            let first = writer.records.first().map_or(0, |range| range.start);
            let of = match (records_in(&writer.records), writer.exact) {
                (1, _) => format!(" record #{first}"),
                (of, true) => format!(" {} from #{first} on", counted(of, "record")),
                (of, false) => format!(" one of {}", counted(of, "record")),
            };
            let row = row.with(dim, " written by ", None);
            let row = row.with(plain, name(from), go(writer.generation, writer.run, &writer.records));
            row.with(dim, format!(" from{of}, in allocation {}", writer.entry), None)
        }
    };
    out.rows.push(row);
    if run.generations.get(at).is_some_and(|generation| generation.waiting) {
        return out.rows.push(Row::default().with(dim, "    not run yet", None));
    }
    let caused: Vec<Caused> = run.caused(at, shown, record);
    if caused.is_empty() {
        return out.rows.push(Row::default().with(dim, "    its launch wrote no record with contents", None));
    }
    let exact = caused.iter().all(|caused| caused.exact);
    let begin = if exact { "    its launch wrote records for" } else { "    its batch wrote records for" };
    let mut row = Row::default().with(dim, begin, None);
    for caused in caused.iter().take(LINKS) {
        let Some(to) = node(caused.generation, caused.run) else { continue };
        let text = format!("{} ({})", name(to), records_in(&caused.records));
        row = row.with(dim, " ", None).with(plain, text, go(caused.generation, caused.run, &caused.records));
    }
    out.rows.push(row);
}
