//! A work graph as text: nodes, outputs with their targets, records.

use std::io;

use lanescope_core::graph::{RecordType, TypeSource, WorkGraph, member_table, node_table, output_table};
use lanescope_core::report::Report;
use lanescope_core::spirv::shape::Shape;
use lanescope_core::table::Table;

use super::page::{Line, Page};

/// Rows of a table that are written; the rest is counted.
const MOST: usize = 512;
/// Members of a record that are written; the rest is counted.
const MEMBERS: usize = 64;

/// Writes the section, where there is a graph.
pub fn write(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    let Some(graph) = &report.graph else { return Ok(()) };
    let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let title =
        format!("{}, {}, depth {}", plural(graph.nodes.len(), "node"), plural(graph.edges.len(), "edge"), graph.depth);
    page.heading("Work graph", &title)?;
    listed(page, node_table(graph))?;
    page.blank()?;
    let outputs = output_table(graph);
    if outputs.rows.is_empty() {
        page.line(Line::from(" ").styled(page.style.dim, "no node writes records"))?;
    } else {
        listed(page, outputs)?;
    }
    records(page, graph)
}

/// Writes the first rows of a table, and how many there are more.
fn listed(page: &mut Page<'_>, mut table: Table) -> io::Result<()> {
    let more = table.rows.len().saturating_sub(MOST);
    table.rows.truncate(MOST);
    page.table(&table, 1)?;
    if more > 0 {
        page.line(Line::from(" ").styled(page.style.dim, format!("and {more} more")))?;
    }
    Ok(())
}

/// The records that nodes read, each once.
fn records(page: &mut Page<'_>, graph: &WorkGraph) -> io::Result<()> {
    let mut known: Vec<(&RecordType, Vec<String>)> = Vec::new();
    for node in &graph.nodes {
        let Some(record) = node.record() else { continue };
        let at = known.iter().position(|(other, _)| *other == record);
        let room = known.len() < 64;
        match at.and_then(|at| known.get_mut(at)) {
            Some((_, readers)) => readers.push(node.id.to_string()),
            None if room => known.push((record, vec![node.id.to_string()])),
            None => {}
        }
    }
    for (record, readers) in known {
        page.blank()?;
        let from = match record.source {
            TypeSource::Debug => "names from debug information",
            TypeSource::Code => "member types as accessed by the code; integers may be signed",
            TypeSource::Size => "only the size is known",
        };
        let name = record.name.as_deref().unwrap_or("record");
        let title = format!("{name}: {} bytes, aligned to {}", record.bytes, record.align);
        let title = Line::from(" ").styled(page.style.strong, title).text("  ").styled(page.style.dim, from);
        page.line(title)?;
        let more = readers.len().saturating_sub(8);
        let mut text = readers.into_iter().take(8).collect::<Vec<_>>().join(", ");
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        page.prose(Line::from(" ").styled(page.style.dim, "read by").to(10), &text)?;
        let Shape::Struct { members } = &record.shape else { continue };
        page.table(&member_table(record, MEMBERS), 3)?;
        if members.len() > MEMBERS {
            page.line(Line::from("   ").styled(page.style.dim, format!("and {} more", members.len() - MEMBERS)))?;
        }
    }
    Ok(())
}
