//! Tables and strips of what lies in the payload rings of a run.

use lanescope_base::text_format::{counted, size};
use lanescope_passes::table::{Cell, Column, Key, Meaning, Table};

use super::report::{GraphCost, RingMap};
use crate::strip::{Strip, StripPart};

/// Allocations of a generation that a table lists.
const ROWS: usize = 24;

impl RingMap {
    /// The map as a strip; `None` where allocations are unknown.
    pub(super) fn strip(&self) -> Option<Strip> {
        let (bytes, allocations) = (self.bytes?, self.allocations?);
        let name =
            |node: usize| self.nodes.iter().find(|is| is.index == node).map_or_else(String::new, |is| is.node.clone());
        let part = |span: &super::report::RingSpan| StripPart {
            item: span.node,
            label: name(span.node),
            offset: span.offset,
            bytes: span.bytes,
        };
        let allocations = counted(allocations, "allocation");
        let title = format!(
            "{}: {} in {allocations}, {} of {}",
            place(self),
            counted(bytes, "byte"),
            share(self.nodes.iter().map(|node| node.ring_share).sum(), bytes),
            size(self.ring)
        );
        Some(Strip { title, bytes, parts: self.spans.iter().map(part).collect() })
    }
}

/// A generation in words.
fn place(map: &RingMap) -> String {
    match map.dispatch {
        0 => format!("generation {}", map.generation),
        dispatch => format!("start {dispatch}, generation {}", map.generation),
    }
}

/// A share of the ring in percent.
fn share(percent: f64, bytes: u64) -> String {
    match bytes > 0 && percent < 1e-4 {
        true => "<0.0001 %".to_owned(),
        false => format!("{} %", (percent * 1e4).round() / 1e4),
    }
}

/// A row for each node in each generation, with what its records take; none where no record has contents from nodes.
pub(super) fn ring_nodes_table(cost: &GraphCost) -> Option<Table> {
    let rings = &cost.measured.as_ref()?.rings;
    let mut table = Table::new([
        Column::right("start").help("Call of DispatchGraph").optional(),
        Column::right("generation").help("Generation that reads the records"),
        Column::left("node").note("H"),
        Column::right("allocations").note("H").help("Allocations that its records lie in"),
        Column::right("records").note("H"),
        Column::right("used").note("C").help("Bytes of the records, hidden counters included"),
        Column::right("padding").note("C").help("Bytes between the records and the next multiple of 16"),
        Column::right("of payload").note("C").help("Both, of all known allocations of the generation"),
        Column::right("of ring").note("S, C").help("Both, of a payload ring"),
    ]);
    let starts = rings.iter().any(|map| map.dispatch > 0);
    for map in rings {
        let start = if starts { map.dispatch.to_string() } else { String::new() };
        for node in &map.nodes {
            let bytes = node.used.saturating_add(node.padding);
            let cells = [
                Cell::from(&start),
                map.generation.to_string().into(),
                Cell::of(Meaning::Item(node.index), &node.node),
                node.allocations.to_string().into(),
                node.records.to_string().into(),
                node.used.to_string().into(),
                node.padding.to_string().into(),
                format!("{} %", node.share).into(),
                share(node.ring_share, bytes).into(),
            ];
            table.push(Key::Item(node.index), cells);
        }
        for what in &map.unknown {
            let cells = [start.clone(), map.generation.to_string(), format!("unknown: {what}")].map(Cell::from);
            table.row(cells);
        }
    }
    (!rings.is_empty()).then_some(table)
}

/// A row for each allocation, of each generation the first ones; `None` inside where all are unknown.
pub(super) fn ring_pieces_table(cost: &GraphCost) -> Option<Option<Table>> {
    let rings = &cost.measured.as_ref()?.rings;
    let mut table = Table::new([
        Column::right("start").help("Call of DispatchGraph").optional(),
        Column::right("generation").help("Generation that reads the records"),
        Column::right("offset")
            .note("G")
            .help("Bytes from the start of the ring, in the order of writers and their allocations"),
        Column::left("node").note("H"),
        Column::left("written by").note("H"),
        Column::right("records").note("H"),
        Column::right("used").note("C").help("Bytes of the records, hidden counters included"),
        Column::right("padding").note("C").help("Bytes up to the next multiple of 16"),
    ]);
    let starts = rings.iter().any(|map| map.dispatch > 0);
    for map in rings {
        let start = if starts { map.dispatch.to_string() } else { String::new() };
        for piece in map.pieces.iter().take(ROWS) {
            let cells = [
                Cell::from(&start),
                map.generation.to_string().into(),
                piece.offset.to_string().into(),
                Cell::of(Meaning::Item(piece.index), &piece.node),
                piece.writer.as_deref().unwrap_or("unknown").into(),
                piece.records.to_string().into(),
                piece.used.to_string().into(),
                piece.padding.to_string().into(),
            ];
            table.push(Key::Item(piece.index), cells);
        }
        let more = (map.pieces.len().saturating_sub(ROWS) as u64).saturating_add(map.left_out);
        if more > 0 {
            let rest = Cell::of(Meaning::Dimmed, format!("and {}", counted(more, "more allocation")));
            table.row([Cell::from(&start), map.generation.to_string().into(), Cell::default(), rest]);
        }
    }
    let is_empty = table.rows.is_empty();
    Some((!is_empty).then_some(table))
}
