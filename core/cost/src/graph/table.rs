//! Tables of a cost sheet.

use lanescope_base::text_format::size;
use lanescope_passes::table::{Cell, Column, Key, Meaning, Table};

use super::report::{ArrayBound, CountedNode, DeclaredNode, Fit, GraphCost, LevelCost, LevelRun, MeasuredNode};
use crate::table::marked_sources_table;

fn column(title: &str, mark: &str, help: &str) -> Column {
    Column::right(title).note(mark).help(help)
}

fn left(title: &str, mark: &str) -> Column {
    Column::left(title).note(mark)
}

/// A number, else a word for why there is none.
fn number(count: Option<u64>, none: &str) -> Cell {
    count.map_or_else(|| Cell::of(Meaning::Missing, none), |count| Cell::from(count.to_string()))
}

fn percent(share: Option<f64>) -> Cell {
    share.map_or_else(Cell::default, |share| Cell::from(format!("{share} %")))
}

fn axes(size: &[impl ToString]) -> String {
    size.iter().map(ToString::to_string).collect::<Vec<_>>().join("×")
}

/// Generations as ranges: `0`, `1-6`, `2, 5`.
pub(super) fn ranges(levels: &[u32]) -> String {
    let mut out: Vec<[u32; 2]> = Vec::new();
    for level in levels {
        match out.last_mut() {
            Some([_, last]) if last.checked_add(1) == Some(*level) => *last = *level,
            _ => out.push([*level; 2]),
        }
    }
    let text = |[first, last]: &[u32; 2]| if first == last { first.to_string() } else { format!("{first}-{last}") };
    out.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// A row for each node, with what it declares.
pub(super) fn nodes_table(cost: &GraphCost) -> Table {
    let mut table = Table::new([
        left("node", "D"),
        left("launch", "D"),
        column("record", "D, S", "Bytes from one input record to the next, hidden counter included"),
        Column::left("grid").note("D").help("The fixed grid, or the declared maximum with a ≤"),
        column("groups", "C", "The most groups that a record starts"),
        left("threads", "D"),
        Column::left("levels").note("C").help("Levels in which the node is dispatched"),
        Column::left("").note("D"),
    ]);
    for (at, node) in cost.declared.nodes.iter().enumerate() {
        let grid = match (node.grid, node.max_grid) {
            (Some(grid), _) => axes(&grid),
            (None, Some(most)) => format!("≤{}", axes(&most)),
            (None, None) => String::new(),
        };
        let cells = [
            Cell::from(&node.node),
            node.launch.name().into(),
            node.record_bytes.to_string().into(),
            grid.into(),
            number(node.groups, "unbounded"),
            axes(&node.threads).into(),
            ranges(&node.levels).into(),
            Cell::of(Meaning::Dimmed, remarks(node)),
        ];
        table.push(Key::Item(at), cells);
    }
    table
}

fn remarks(node: &DeclaredNode) -> String {
    let mut out = Vec::new();
    if node.records_per_launch > 1 {
        out.push(format!("≤{} records for each group", node.records_per_launch));
    }
    if node.recursion > 0 {
        out.push(format!("recursion {}", node.recursion));
    }
    if node.tracked {
        out.push("tracked".to_owned());
    }
    out.extend(node.shares_input_of.as_ref().map(|owner| format!("shares input of {owner}")));
    out.join(", ")
}

/// A row for each output, with its budget.
pub(super) fn outputs_table(cost: &GraphCost) -> Table {
    let mut table = Table::new([
        left("node", "D"),
        left("output", "D"),
        left("to", "D"),
        column("nodes", "D", "Elements that can be addressed"),
        column("records", "D", "The most records of one launch: a thread of a thread node, a group of others"),
        column("bytes", "D, S", "Bytes from one record to the next, hidden counter included"),
        Column::left("").note("D"),
    ]);
    for (at, node) in cost.declared.nodes.iter().enumerate() {
        for output in &node.outputs {
            let shared = output.shares_budget_of.as_ref().map(|other| format!("shares the budget of {other}"));
            let cells = [
                Cell::from(&node.node),
                (&output.output).into(),
                (&output.target).into(),
                output.elements.to_string().into(),
                number(output.max_records.map(u64::from), "not declared"),
                output.record_bytes.to_string().into(),
                Cell::of(Meaning::Dimmed, shared.unwrap_or_default()),
            ];
            table.push(Key::Item(at), cells);
        }
    }
    table
}

/// A row for each generation, and one for each node array in it that may have records.
pub(super) fn bounds_table(cost: &GraphCost) -> Table {
    let mut table = Table::new([
        column("generation", "", "Edges that the records have crossed"),
        Column::left("nodes"),
        column("records in", "C", "The most records that go in"),
        column("groups", "C", "The most groups that they ask for"),
        column("records out", "C", "The most records that come out, empty ones too"),
        column("payload", "C", "Bytes of the records that come out, each rounded up to 16"),
        column("list", "C", "Bytes of the list of their allocations, 8 for each record"),
    ]);
    let cells = |bound: &ArrayBound| {
        [
            bound.records,
            bound.groups,
            bound.written,
            bound.payload,
            bound.allocations.map(|count| count.saturating_mul(8)),
        ]
        .map(|count| number(count, "unbounded"))
    };
    for bound in &cost.declared.generations {
        // One array is its own total.
        let total = (bound.arrays.len() != 1).then_some(("all", &bound.total));
        let arrays = bound.arrays.iter().map(|array| (array.nodes.as_str(), array));
        for (at, (nodes, array)) in arrays.chain(total).enumerate() {
            let generation = if at == 0 { bound.generation.to_string() } else { String::new() };
            let meaning = if nodes == "all" { Meaning::Strong } else { Meaning::Plain };
            table.row([Cell::from(generation), Cell::of(meaning, nodes)].into_iter().chain(cells(array)));
        }
    }
    table
}

/// A row for each level, and one for their sum.
pub(super) fn levels_table(cost: &GraphCost) -> Table {
    let mut table = Table::new([
        column("level", "", "Generation that the level runs"),
        column("nodes", "S", "Nodes that are dispatched, with records or without"),
        column("node dispatches", "S", "Dispatches of the nodes"),
        column("other dispatches", "S", "Dispatches that distribute the records of the level before"),
        column("barriers", "S", "Pipeline barriers"),
    ]);
    let cells = |level: &LevelCost| {
        [level.nodes, level.node_dispatches, level.meta_dispatches, level.barriers].map(|n| Cell::from(n.to_string()))
    };
    let mut sum = LevelCost::default();
    for level in &cost.declared.levels {
        table.row([Cell::from(level.level.to_string())].into_iter().chain(cells(level)));
        sum.nodes += level.nodes;
        sum.node_dispatches += level.node_dispatches;
        sum.meta_dispatches += level.meta_dispatches;
        sum.barriers += level.barriers;
    }
    if cost.declared.levels.len() > 1 {
        table.row([Cell::of(Meaning::Strong, "all")].into_iter().chain(cells(&sum)));
    }
    table
}

/// A row for each room, with the worst case of the generations.
pub(super) fn memory_table(cost: &GraphCost) -> Table {
    let mut table = Table::new([
        left("memory", "S"),
        column("bytes", "S", "Room"),
        column("worst case", "C", "The most bytes that a generation needs"),
        column("generation", "C", "The first generation that needs them"),
        Column::left("").note("C"),
    ]);
    for room in &cost.declared.memory.rooms {
        let meaning = if room.fit == Fit::Fits { Meaning::Good } else { Meaning::Strong };
        let fit = match room.fit {
            Fit::Fits => "fits",
            Fit::TooLarge => "may not fit",
            Fit::Unbounded => "unbounded",
        };
        table.row([
            Cell::from(&room.holds),
            size(room.bytes).into(),
            number(room.worst, "unbounded"),
            room.generation.to_string().into(),
            Cell::of(meaning, fit),
        ]);
    }
    table
}

/// A row for each size of a ring of two halves.
pub(super) fn rings_table(cost: &GraphCost) -> Table {
    let memory = &cost.declared.memory;
    let mut table = Table::new([
        Column::left("ring of two halves").note("C"),
        column("pieces", "C", "Pieces that the worst generation needs: 1 means no split"),
    ]);
    if let Some(smallest) = memory.smallest_ring {
        table.row([Cell::from(format!("{}, the smallest without a split", size(smallest))), Cell::from("1")]);
    }
    for ring in &memory.pieces {
        table.row([Cell::from(size(ring.ring)), number(ring.pieces, "unbounded")]);
    }
    table
}

/// A row for each node in each generation of the run.
pub(super) fn run_table(cost: &GraphCost) -> Option<Table> {
    let measured = cost.measured.as_ref()?;
    let starts = measured.nodes.iter().any(|node| node.dispatch > 0);
    let mut table = Table::new([
        column("start", "", "Call of DispatchGraph").optional(),
        column("generation", "", "Edges that the records have crossed"),
        Column::left("node"),
        column("records", "H", "Records that went in"),
        column("non-empty", "H", "Records that ask for a group"),
        column("asked", "H", "Groups that they ask for; those of a thread node have 32 threads"),
        column("launched", "C", "Groups that are launched"),
        column("passes", "C", "Passes of the groups' loops over grids"),
        column("walked", "C", "Passes for ids outside of the grid"),
        column("idle", "C", "Launched groups without a pass"),
        column(
            "useful",
            "C",
            "Passes that run a group, of passes and idle groups; of thread and coalescing nodes, filled places of records",
        ),
        column("payload", "H, C", "Bytes of the records' allocations"),
        column("list", "H, C", "Bytes of the list of allocations: 8 each"),
        column("offsets", "C", "Bytes of the records' offsets: 4 each"),
        Column::left("dispatches").note("C").help("The dispatches as issued, in workgroups"),
    ]);
    for (at, node) in measured.nodes.iter().enumerate() {
        let number = |count| number(count, "unknown");
        let dispatches: Vec<String> = node.dispatches.iter().map(|size| axes(size)).collect();
        let [payload, list, offsets] = lists(node);
        let cells = [
            Cell::from(if starts { node.dispatch.to_string() } else { String::new() }),
            node.generation.to_string().into(),
            (&node.node).into(),
            node.records.to_string().into(),
            number(node.non_empty),
            number(node.asked),
            number(node.groups),
            number(node.passes),
            number(node.walked),
            number(node.idle),
            percent(node.useful),
            payload,
            list,
            offsets,
            dispatches.join(" + ").into(),
        ];
        table.push(Key::Item(at), cells);
    }
    Some(table)
}

/// A row for each level of each start: dispatches, and those without groups. None where no level is known.
pub(super) fn level_runs_table(cost: &GraphCost) -> Option<Table> {
    let levels = &cost.measured.as_ref()?.levels;
    let starts = levels.iter().any(|level| level.dispatch > 0);
    let mut table = Table::new([
        column("start", "", "Call of DispatchGraph").optional(),
        column("level", "", "Generation that the level runs"),
        column("node dispatches", "S", "Dispatches of the nodes: all are issued"),
        column("empty", "C", "Those without groups"),
    ]);
    for LevelRun { dispatch, level, issued, empty } in levels {
        table.row([
            Cell::from(if starts { dispatch.to_string() } else { String::new() }),
            level.to_string().into(),
            issued.to_string().into(),
            number(*empty, "unknown"),
        ]);
    }
    (!levels.is_empty()).then_some(table)
}

/// Payload, list and offsets. Those of the host, and of a shared input, are not the node's.
fn lists(node: &MeasuredNode) -> [Cell; 3] {
    let none = if node.from_host || node.shares_input_of.is_some() { "-" } else { "unknown" };
    [node.payload, node.list, node.offsets].map(|count| number(count, none))
}

/// A row for each way to walk the grids of a node with `NodeMaxDispatchGrid`; none where no such node ran.
pub(super) fn walks_table(cost: &GraphCost) -> Option<Table> {
    let walks = &cost.measured.as_ref()?.walks;
    let mut table = Table::new([
        column("start", "", "Call of DispatchGraph").optional(),
        column("generation", "", "Edges that the records have crossed"),
        Column::left("node"),
        Column::left("walk"),
        column("launched", "C", "Groups that are launched"),
        column("passes", "C", "Passes of their loops"),
        column("useful", "C", "Groups that are asked for, of passes and of launched groups without one"),
    ]);
    let starts = walks.iter().any(|walk| walk.dispatch > 0);
    for walk in walks {
        table.row([
            Cell::from(if starts { walk.dispatch.to_string() } else { String::new() }),
            walk.generation.to_string().into(),
            (&walk.node).into(),
            walk.walk.name().into(),
            walk.groups.to_string().into(),
            walk.passes.to_string().into(),
            percent(Some(walk.useful)),
        ]);
    }
    (!walks.is_empty()).then_some(table)
}

/// What is predicted of each node that was counted, where it is, and what was counted; none where nothing was.
pub(super) fn counted_table(cost: &GraphCost) -> Option<Table> {
    let nodes = &cost.measured.as_ref()?.nodes;
    let counted: Vec<_> = nodes.iter().filter_map(|node| Some((node, node.counted.as_ref()?))).collect();
    let mut table = Table::new([
        column("start", "", "Call of DispatchGraph").optional(),
        column("generation", "", "Edges that the records have crossed"),
        Column::left("node"),
        Column::left(""),
        column("non-empty", "H", "Records that ask for a group"),
        column("asked", "H", "Groups that they ask for"),
        column("launched", "C, H", "Groups that are launched"),
        column("passes", "C, H", "Passes of their loops over grids"),
        column("idle", "C, H", "Launched groups without a pass"),
        column("useful", "C, H", "As in the table of the run"),
        Column::left(""),
    ]);
    let starts = counted.iter().any(|(node, _)| node.dispatch > 0);
    for (node, CountedNode { groups, useful, agrees }) in &counted {
        let head = |way: &str| {
            let start = if starts { node.dispatch.to_string() } else { String::new() };
            [Cell::from(start), node.generation.to_string().into(), (&node.node).into(), way.into()]
        };
        let predicted = [node.non_empty, node.asked, node.groups, node.passes, node.idle];
        let predicted = predicted.map(|count| number(count, "unknown"));
        if agrees.is_some() {
            table.row(head("predicted").into_iter().chain(predicted).chain([percent(node.useful), Cell::default()]));
        }
        let counts = [groups.non_empty, groups.asked, groups.dispatched, groups.passes, groups.idle];
        let verdict = match agrees {
            Some(true) => Cell::of(Meaning::Good, "agree"),
            Some(false) => Cell::of(Meaning::Strong, "differ"),
            None => Cell::of(Meaning::Missing, "not compared"),
        };
        let counts = counts.map(|count| Cell::from(count.to_string()));
        table.row(head("counted").into_iter().chain(counts).chain([percent(*useful), verdict]));
    }
    (!counted.is_empty()).then_some(table)
}

/// A row for each format of record lists.
pub(super) fn formats_table(cost: &GraphCost) -> Option<Table> {
    let measured = cost.measured.as_ref()?;
    let mut table = Table::new([
        left("format", "D, S"),
        column("entries", "H", "Entries for the records of the run"),
        column("bytes", "C", "Bytes of the entries"),
        column("room", "C", "Bytes that the launches of the run may need by their declarations"),
        column("unused", "C", "Room that stays unused"),
    ]);
    for format in &measured.formats {
        table.row([
            Cell::from(&format.format),
            number(format.entries, "unknown"),
            number(format.bytes, "unknown"),
            number(format.reserved, "unknown"),
            percent(format.waste),
        ]);
    }
    Some(table)
}

/// A row for each source.
pub(super) fn graph_sources_table(cost: &GraphCost) -> Table {
    marked_sources_table(&cost.sources)
}
