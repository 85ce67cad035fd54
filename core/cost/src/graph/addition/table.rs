//! Tables of what an addition changes.

use lanescope_base::text_format::size;
use lanescope_passes::table::{Cell, Column, Key, Meaning, Table};

use super::super::table::ranges;
use super::report::{Figure, GraphAddition, LinkKind, Unit};

fn right(title: &str, mark: &str, help: &str) -> Column {
    Column::right(title).note(mark).help(help)
}

/// A row for each added node.
pub(super) fn nodes_table(addition: &GraphAddition) -> Table {
    let mut table = Table::new([
        Column::left("node").note("D"),
        Column::left("launch").note("D"),
        right("record", "D, S", "Bytes from one input record to the next, hidden counter included"),
        right("fed by", "D", "Existing nodes that write to it"),
        right("feeds", "D", "Existing nodes that it writes to"),
        Column::left("levels").note("C").help("Levels in which the node is dispatched"),
        Column::left("").note("D"),
    ]);
    for node in &addition.nodes {
        let mut remarks = Vec::new();
        remarks.extend(node.entry.then(|| "entry".to_owned()));
        remarks.extend(node.shares_input_of.as_ref().map(|owner| format!("shares input of {owner}")));
        let cells = [
            Cell::from(&node.node),
            node.launch.name().into(),
            node.record_bytes.to_string().into(),
            node.existing_writers.to_string().into(),
            node.existing_targets.to_string().into(),
            ranges(&node.levels).into(),
            Cell::of(Meaning::Dimmed, remarks.join(", ")),
        ];
        table.push(Key::Item(node.origin), cells);
    }
    table
}

/// A row for each output that newly reaches nodes.
pub(super) fn links_table(addition: &GraphAddition) -> Table {
    let mut table = Table::new([
        Column::left("link"),
        Column::left("node").note("D"),
        Column::left("output").note("D"),
        Column::left("reaches").note("D"),
        right("nodes", "D", "Nodes that it newly reaches"),
        right("before", "D", "Elements that reached a node before, of those that can be addressed now"),
    ]);
    for link in &addition.links {
        let what = match link.kind {
            LinkKind::GapFilled => "existing output, added nodes",
            LinkKind::ToExisting => "added output, existing nodes",
            LinkKind::Within => "added output, added nodes",
        };
        let before = match link.kind {
            LinkKind::GapFilled => format!("{} of {}", link.reached_before, link.elements),
            LinkKind::ToExisting | LinkKind::Within => String::new(),
        };
        let sparse = if link.sparse { " (sparse)" } else { "" };
        let cells = [
            Cell::from(what),
            (&link.node).into(),
            format!("{}{sparse}", link.output).into(),
            link.targets.join(", ").into(),
            link.count.to_string().into(),
            before.into(),
        ];
        table.push(Key::Item(link.origin), cells);
    }
    table
}

/// A row for each entry point.
pub(super) fn entries_table(addition: &GraphAddition) -> Table {
    let mut table = Table::new([
        right("index", "D, C", "As EntrypointIndex of DispatchGraph counts them"),
        Column::left("node").note("D"),
        Column::left("").note("D"),
    ]);
    for entry in &addition.entries {
        let kind =
            if entry.added { Cell::of(Meaning::Strong, "added") } else { Cell::of(Meaning::Dimmed, "as before") };
        table.push(Key::Item(entry.origin), [Cell::from(entry.index.to_string()), (&entry.node).into(), kind]);
    }
    table
}

/// A row for each existing node of which something changes.
pub(super) fn changed_table(addition: &GraphAddition) -> Table {
    let mut table = Table::new([
        Column::left("node").note("D"),
        right("depth", "C", "Nodes on the longest chain that ends at it, recursion counted at its limit"),
        right("with the addition", "C", "The same with the addition"),
        Column::left("levels").note("C").help("Levels in which the node is dispatched"),
        Column::left("with the addition").note("C").help("The same with the addition"),
    ]);
    for node in &addition.changed {
        let [before, after] = node.depth.map(|depth| Cell::from(depth.to_string()));
        let cells = [
            Cell::from(&node.node),
            before,
            after,
            ranges(&node.levels_before).into(),
            ranges(&node.levels_after).into(),
        ];
        table.push(Key::Item(node.origin), cells);
    }
    table
}

/// A row for each figure.
pub(super) fn figures_table(figures: &[Figure]) -> Table {
    let mut table = Table::new([
        Column::left("figure"),
        right("before", "", "Without the addition"),
        right("after", "", "With the addition"),
        right("difference", "C", "After less before"),
        Column::left("").help("What the figure is based on"),
    ]);
    for figure in figures {
        let pair = Pair { unit: figure.unit, before: figure.before, after: figure.after };
        let [before, after, difference] = pair.cells();
        table.row([Cell::from(&figure.figure), before, after, difference, Cell::of(Meaning::Dimmed, &figure.mark)]);
    }
    table
}

/// A row for each figure of a generation that changes.
pub(super) fn generations_table(addition: &GraphAddition) -> Table {
    let mut table = Table::new([
        right("generation", "", "Edges that the records have crossed"),
        Column::left("figure"),
        right("before", "C", "The most without the addition"),
        right("after", "C", "The most with the addition"),
        right("difference", "C", "After less before"),
    ]);
    for figure in addition.generations.iter().filter(|figure| figure.before != figure.after) {
        let pair = Pair { unit: figure.unit, before: figure.before, after: figure.after };
        let [before, after, difference] = pair.cells();
        table.row([figure.generation.to_string().into(), Cell::from(&figure.figure), before, after, difference]);
    }
    table
}

/// A number before and after; `None` is unbounded.
struct Pair {
    unit: Unit,
    before: Option<u64>,
    after: Option<u64>,
}

impl Pair {
    /// Before, after and difference.
    fn cells(&self) -> [Cell; 3] {
        let text = |count: u64| match self.unit {
            Unit::Count => count.to_string(),
            Unit::Bytes => size(count),
        };
        let number = |count: Option<u64>| {
            count.map_or_else(|| Cell::of(Meaning::Missing, "unbounded"), |count| Cell::from(text(count)))
        };
        let difference = match (self.before, self.after) {
            (Some(before), Some(after)) if before == after => Cell::of(Meaning::Dimmed, "0"),
            (Some(before), Some(after)) => {
                let sign = if after > before { "+" } else { "-" };
                Cell::of(Meaning::Strong, format!("{sign}{}", text(after.abs_diff(before))))
            }
            (None, None) => Cell::of(Meaning::Dimmed, "unknown"),
            (None, Some(_)) | (Some(_), None) => Cell::of(Meaning::Strong, "unbounded"),
        };
        [number(self.before), number(self.after), difference]
    }
}
