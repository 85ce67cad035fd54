//! Formulas against worked examples, bounds of graphs that are built here, and records that are made up.

use super::*;
use lanescope_passes::graph::{
    Access, GridField, Node, NodeId, NodeInput, NodeOutput, Overrides, RecordType, TypeSource, UNBOUNDED, link,
};
use lanescope_passes::graph::{Bound, GraphSource};
use lanescope_run::Blob;
use lanescope_run::graph::{EdgeRun, Generation, GraphMode, NodeRun, Origin, Records};
use lanescope_spirv::shape::{Field, Scalar, ScalarKind, Shape};

/// A record of so many words, the first three of which may be a grid.
fn record(words: u32, grid: bool) -> RecordType {
    let shape = Shape::Struct {
        members: vec![Field { name: "f0".to_owned(), offset: 0, shape: Shape::Words { count: words } }],
    };
    let scalar = Scalar { kind: ScalarKind::Uint, bits: 32 };
    let grid = grid.then_some(GridField { offset: 0, scalar, components: 3 });
    RecordType { name: None, bytes: 4 * words, align: 4, tracked: false, grid, shape, source: TypeSource::Size }
}

/// A node that reads records of so many words; 0 is an empty record.
fn node(name: &str, launch: Launch, words: u32) -> Node {
    let record = (words > 0).then(|| record(words, launch == Launch::Broadcasting && words > 2));
    let access = if record.is_some() { Access::Read } else { Access::Empty };
    let max_records = (launch == Launch::Coalescing).then_some(8);
    let input = NodeInput { kind: String::new(), name: None, access, max_records, coherent: false, record };
    Node {
        id: NodeId::new(name, 0),
        name: name.to_owned(),
        function: name.to_owned(),
        input: 0,
        launch,
        entry: false,
        promoted: false,
        threads: [1; 3],
        wave_size: None,
        grid: (launch == Launch::Broadcasting).then_some([1; 3]),
        max_grid: None,
        recursion: 0,
        groupshared_bytes: 0,
        local_root_table: None,
        local_root_signature: None,
        shares_input_of: None,
        inputs: vec![input],
        outputs: Vec::new(),
        finishes_sharing: false,
        asks_valid: false,
        layer: 0,
        depth: 0,
        generations: Vec::new(),
        bound: Bound::default(),
    }
}

fn entry(name: &str, grid: [u32; 3]) -> Node {
    Node { entry: true, grid: Some(grid), ..node(name, Launch::Broadcasting, 0) }
}

fn maximum(name: &str, most: [u32; 3]) -> Node {
    Node { grid: None, max_grid: Some(most), ..node(name, Launch::Broadcasting, 3) }
}

fn to(mut node: Node, target: &str, array: Option<u32>, most: u32, words: u32) -> Node {
    node.outputs.push(NodeOutput {
        kind: String::new(),
        name: None,
        target: NodeId::new(target, 0),
        array,
        sparse: array.is_some(),
        max_records: most,
        shares_budget_of: None,
        record: (words > 0).then(|| record(words, false)),
        missing: Vec::new(),
        elements: array.filter(|size| *size != UNBOUNDED).unwrap_or(1),
    });
    node
}

fn linked(nodes: impl Into<Vec<Node>>) -> WorkGraph {
    link(nodes.into(), GraphSource::Dxil, &Overrides::default())
}

fn sheet(graph: &WorkGraph, first: &[(usize, u64)]) -> GraphCost {
    graph_cost(graph, None, &GraphSettings { first: first.to_vec(), ..GraphSettings::default() })
}

fn total(cost: &GraphCost, generation: usize) -> &ArrayBound {
    &cost.declared.generations[generation].total
}

/// What a run that stopped or waits has not run is not empty.
#[test]
fn levels_that_did_not_run_are_unknown() {
    let level = |level| LevelCost { level, nodes: 1, node_dispatches: 1, ..LevelCost::default() };
    let node = |generation| MeasuredNode { generation, dispatches: vec![[1; 3]], ..MeasuredNode::default() };
    let empty = |ended| -> Vec<Option<u64>> {
        let all = levels::of_run(&[0, 1, 2].map(level), &[0, 1].map(node), ended);
        all.into_iter().map(|level| level.empty).collect()
    };
    assert_eq!(empty(true), [Some(0), Some(0), Some(1)]);
    assert_eq!(empty(false), [Some(0), None, None]);
}

#[test]
fn widths_are_those_of_the_shaders() {
    // 04_broadcast_grids.
    assert_eq!((scheduler::width(128, 8), scheduler::width(6, 8), scheduler::compacted_width(64, 78, 7)), (64, 3, 64));
    let by_records = [0, 1, 7, 8, 64, 4096, 1 << 20].map(|records| scheduler::width(1 << 24, records));
    assert_eq!(by_records, [1024, 1024, 1024, 512, 64, 1, 1]);
    assert_eq!((scheduler::compacted_width(1, 1000, 3), scheduler::compacted_width(1, 1 << 20, 2)), (333, 1024));
    assert_eq!(
        (scheduler::host_width(128, 3), scheduler::host_width(5000, 2), scheduler::host_width(2, 9)),
        (42, 512, 1)
    );
    assert_eq!((scheduler::scratch(3), scheduler::scratch(0)), (408, 128));
    assert_eq!(scheduler::backing(3, 64 << 20), (64 << 20) + (64 << 10));
}

#[test]
fn an_array_shares_the_budget_of_an_output() {
    let mut nodes = vec![to(entry("Classify", [4, 2, 1]), "Material", Some(5), 16, 2)];
    for index in 0..5 {
        let own = to(node("Material", Launch::Broadcasting, 2), "Resolve", None, 1, 2);
        nodes.push(Node { id: NodeId::new("Material", index), ..own });
    }
    nodes.push(node("Resolve", Launch::Coalescing, 2));
    let cost = sheet(&linked(nodes), &[]);
    let all: Vec<_> = cost.declared.generations.iter().map(|is| (is.total.records, is.total.groups)).collect();
    assert_eq!(all, [(Some(1), Some(8)), (Some(128), Some(128)), (Some(128), Some(16))]);
    // Each record is an allocation of 16 bytes.
    assert_eq!((total(&cost, 0).payload, total(&cost, 1).allocations), (Some(2048), Some(128)));
    assert_eq!(cost.declared.generations[1].arrays[0].nodes, "Material[0…4]");
    assert_eq!(cost.declared.memory.smallest_ring, Some(4096));
    assert!(cost.declared.memory.rooms.iter().all(|room| room.fit == Fit::Fits));
    // Level 0: a barrier before it. Then 3 barriers and 2 dispatches each.
    let levels: Vec<_> =
        cost.declared.levels.iter().map(|is| (is.node_dispatches, is.meta_dispatches, is.barriers)).collect();
    assert_eq!(levels, [(1, 0, 1), (5, 2, 3), (1, 2, 3)]);
}

#[test]
fn groups_that_are_not_full_count_for_each_node_of_an_array() {
    let mut nodes = vec![to(entry("A", [1; 3]), "Sum", Some(3), 20, 1)];
    nodes.extend((0..3).map(|index| Node { id: NodeId::new("Sum", index), ..node("Sum", Launch::Coalescing, 1) }));
    let cost = sheet(&linked(nodes), &[]);
    // 20 records in 3 nodes, 8 to a group: 1 + 2 + 1 groups of 1 + 9 + 1, say; never more than (20 + 3 × 7) / 8.
    assert_eq!(total(&cost, 1).groups, Some(5));
}

#[test]
fn recursion_ends_at_its_depth_and_cycles_are_unbounded() {
    let split = to(Node { recursion: 5, ..node("Split", Launch::Thread, 3) }, "Split", None, 4, 3);
    let seed = to(entry("Seed", [1; 3]), "Split", None, 1, 3);
    let cost = sheet(&linked([seed.clone(), split.clone()]), &[]);
    let records: Vec<_> = cost.declared.generations.iter().map(|is| is.total.records).collect();
    assert_eq!(records, [1, 1, 4, 16, 64, 256, 1024].map(Some));
    // The last level may still count what it may not write.
    assert_eq!(cost.declared.generations.len(), 7);
    for endless in [
        vec![seed.clone(), Node { recursion: 0, ..split.clone() }],
        vec![
            seed,
            to(node("Split", Launch::Thread, 3), "Back", None, 1, 3),
            to(node("Back", Launch::Thread, 3), "Split", None, 1, 3),
        ],
    ] {
        let cost = sheet(&linked(endless), &[]);
        let last = cost.declared.generations.last().expect("generations");
        assert_eq!((last.total.records, last.generation), (None, 2));
        let memory = &cost.declared.memory;
        let notes = (cost.declared.levels.is_empty(), cost.notes.len());
        assert!(notes == (true, 1) || notes == (false, 0), "{notes:?}");
        assert_eq!((memory.rooms[0].fit, memory.smallest_ring, memory.pieces[0].pieces), (Fit::Unbounded, None, None));
    }
}

#[test]
fn missing_declarations_are_unbounded_and_products_saturate() {
    let cost = sheet(&linked([to(entry("A", [1; 3]), "B", None, 0, 1), node("B", Launch::Thread, 1)]), &[]);
    assert_eq!((total(&cost, 0).payload, total(&cost, 1).records), (None, None));
    assert_eq!(cost.declared.nodes[0].outputs[0].max_records, None);
    let gridless = Node { grid: None, ..node("B", Launch::Broadcasting, 1) };
    let cost = sheet(&linked([to(entry("A", [1; 3]), "B", None, 1, 1), gridless]), &[]);
    assert_eq!((total(&cost, 1).records, total(&cost, 1).groups), (Some(1), None));
    assert_eq!(cost.declared.nodes[1].groups, None);
    let huge = [u32::MAX; 3];
    let cost = sheet(&linked([to(entry("A", huge), "B", None, 256, 4), node("B", Launch::Thread, 4)]), &[(0, 1 << 30)]);
    assert_eq!((total(&cost, 0).payload, total(&cost, 1).records), (Some(u64::MAX), Some(u64::MAX)));
    let memory = &cost.declared.memory;
    assert_eq!((memory.rooms[0].fit, memory.pieces[0].pieces), (Fit::TooLarge, Some(u64::MAX.div_ceil(128 << 20))));
}

#[test]
fn a_sharer_runs_over_its_owners_records() {
    let sharer = Node { shares_input_of: Some(NodeId::new("B", 0)), ..node("C", Launch::Thread, 1) };
    let cost = sheet(&linked([to(entry("A", [4, 1, 1]), "B", None, 3, 1), node("B", Launch::Thread, 1), sharer]), &[]);
    let second: Vec<_> = cost.declared.generations[1].arrays.iter().map(|is| (is.nodes.as_str(), is.records)).collect();
    assert_eq!(second, [("B[0]", Some(12)), ("C[0]", Some(12))]);
    assert_eq!(cost.declared.levels[1].nodes, 2);
}

#[test]
fn a_shared_maximum_keeps_empty_grids() {
    let start = || to(entry("A", [1; 3]), "B", None, 8, 3);
    let sharer = Node { shares_input_of: Some(NodeId::new("B", 0)), ..node("C", Launch::Thread, 3) };
    let alone = linked([start(), maximum("B", [8, 1, 1])]);
    let shared = linked([start(), maximum("B", [8, 1, 1]), sharer]);
    assert_eq!([&alone, &shared].map(scheduler::compacts), [true, false]);
    // An entry node alone drops nothing.
    let first = linked([Node { entry: true, ..maximum("B", [8, 1, 1]) }]);
    assert!(!scheduler::compacts(&first));
    assert_eq!([&alone, &shared].map(|graph| sheet(graph, &[]).declared.levels[1].barriers), [4, 3]);
}

/// A run in which node 1 gets records with these grids, in allocations of two.
fn run(graph: &WorkGraph, grids: &[[u32; 3]]) -> GraphRun {
    let bytes: Vec<u8> = grids.iter().flatten().flat_map(|axis| axis.to_le_bytes()).collect();
    let counts = grids.chunks(2).map(|chunk| chunk.len() as u32);
    let origins = counts.zip(0..).map(|(count, entry)| Origin { count, run: 0, entry, record: None }).collect();
    let records = Records { stride: 12, bytes: Blob(bytes), origins };
    let start = NodeRun { node: 0, entry: true, count: 1, launches: 1, ..NodeRun::default() };
    let next = NodeRun { node: 1, count: grids.len() as u64, records, ..NodeRun::default() };
    let generation = |number, node| Generation { number, nodes: vec![node], ..Generation::default() };
    GraphRun {
        counted: None,
        device: "made up".to_owned(),
        file: String::new(),
        mode: GraphMode::Step,
        input_mode: InputMode::Cpu,
        entries: Vec::new(),
        ring: 0,
        graph: graph.clone(),
        refused: Vec::new(),
        generations: vec![generation(0, start), generation(1, next)],
        pending: Vec::new(),
        stopped: None,
        findings: Vec::new(),
        buffers: Vec::new(),
        images: Vec::new(),
        start: Default::default(),
        left_out: Vec::new(),
        contents: Default::default(),
        nanoseconds: 0,
        wall_nanoseconds: 0,
        warnings: Vec::new(),
    }
}

fn measured(run: &GraphRun, rows: bool) -> MeasuredNode {
    let settings = GraphSettings { rows, ..GraphSettings::default() };
    let cost = graph_cost(&run.graph, Some(run), &settings);
    cost.measured.expect("a run").nodes.pop().expect("its last node")
}

fn with_maximum(most: [u32; 3]) -> WorkGraph {
    linked([to(entry("A", [1; 3]), "B", None, 256, 3), maximum("B", most)])
}

#[test]
fn empty_grids_are_dropped_unless_rows_are_full() {
    let few = run(&with_maximum([4, 1, 1]), &[[0, 1, 1], [4, 1, 1], [3, 1, 1]]);
    let one = measured(&few, false);
    assert_eq!((one.records, one.non_empty, one.asked, one.groups), (3, Some(2), Some(7), Some(8)));
    // Axes but the last are rounded up: 3 × 1 × 1 has 4 passes.
    assert_eq!((one.passes, one.walked, one.idle, one.useful), (Some(8), Some(1), Some(0), Some(87.5)));
    assert_eq!((one.allocations, one.payload, one.list, one.offsets), (Some(2), Some(48), Some(16), Some(8)));
    assert_eq!((one.dispatches, measured(&few, true).dispatches), (vec![[2, 1, 4]], vec![[32768, 0, 4], [2, 1, 4]]));
    let mut grids = vec![[0, 1, 1]; 40_000];
    grids[7] = [2, 1, 1];
    let many = run(&with_maximum([4, 1, 1]), &grids);
    let (whole, rows) = (measured(&many, false), measured(&many, true));
    assert_eq!((whole.groups, whole.offsets, whole.dispatches), (Some(2), Some(4), vec![[1, 1, 2]]));
    // A device that needs rows drops nothing from 32768 records on.
    assert_eq!((rows.groups, rows.offsets), (Some(40_000), Some(160_000)));
    assert_eq!((rows.passes, rows.idle), (Some(2), Some(39_999)));
    assert_eq!(rows.dispatches, [[32768, 1, 1], [40_000 - 32768, 1, 1]]);
}

#[test]
fn records_that_were_not_kept_are_unknown() {
    let graph = with_maximum([4, 1, 1]);
    let mut lost = run(&graph, &[[1, 1, 1], [2, 1, 1]]);
    lost.generations[1].nodes[0].records = Records::default();
    let one = measured(&lost, false);
    assert_eq!((one.records, one.non_empty, one.asked, one.groups, one.passes), (2, None, None, None, None));
    assert_eq!((one.payload, one.list, one.useful), (None, None, None));
    let cost = graph_cost(&graph, Some(&lost), &GraphSettings::default());
    let formats = cost.measured.expect("a run").formats;
    assert_eq!((formats[0].bytes, formats[1].bytes, formats[2].bytes), (Some(8), None, None));
}

#[test]
fn records_of_the_host_have_the_groups_that_they_ask_for() {
    let graph = linked([Node { entry: true, ..maximum("A", [65535, 1, 1]) }]);
    let with = |grids: &[[u32; 3]], mode| {
        let mut run = run(&with_maximum([1; 3]), grids);
        run.graph = graph.clone();
        run.input_mode = mode;
        let node = NodeRun { node: 0, entry: true, ..run.generations[1].nodes[0].clone() };
        run.generations = vec![Generation { nodes: vec![node], ..Generation::default() }];
        measured(&run, false)
    };
    let one = with(&[[300, 1, 1]], InputMode::Cpu);
    assert_eq!(
        (one.groups, one.passes, one.useful, one.dispatches),
        (Some(300), Some(300), Some(100.0), vec![[300, 1, 1]])
    );
    // The largest axes are looked at, and empty grids run.
    let two = with(&[[300, 1, 1], [0, 1, 1]], InputMode::Cpu);
    assert_eq!((two.groups, two.dispatches, two.payload), (Some(300), vec![[2, 1, 150]], None));
    // The device knows the maximum only.
    let device = with(&[[300, 1, 1], [0, 1, 1]], InputMode::Gpu);
    assert_eq!((device.groups, device.dispatches), (Some(2048), vec![[2, 1, 1024]]));
    assert_eq!(with(&[[300, 1, 1]], InputMode::MultiGpu).groups, None);
}

#[test]
fn a_declared_maximum_far_above_the_largest_grid_is_found() {
    let found = |most, grid| {
        let run = run(&with_maximum(most), &[grid, [0, 1, 1]]);
        let cost = graph_cost(&run.graph, Some(&run), &GraphSettings::default());
        cost.findings.iter().map(|finding| finding.code.clone()).collect::<Vec<_>>()
    };
    assert_eq!(found([9, 1, 1], [2, 1, 1]), ["G54"]);
    assert!(found([8, 1, 1], [2, 1, 1]).is_empty() && found([8, 1, 1], [0, 1, 1]).is_empty());
}

/// Each side of an addition is the sheet of its own graph, and a generation that one of them does not have has nothing.
#[test]
fn an_addition_has_the_figures_of_both_graphs() {
    let sparse = |node: Node| {
        let mut node = to(node, "B", Some(4), 3, 1);
        node.outputs[0].sparse = true;
        node
    };
    let mut added = Node { input: 1, ..to(node("B", Launch::Thread, 1), "C", None, 2, 4) };
    added.id.index = 2;
    let last = Node { input: 1, ..node("C", Launch::Thread, 4) };
    let nodes = vec![sparse(entry("A", [2, 1, 1])), added, last];
    let addition =
        |nodes: &[Node]| graph_addition(&linked(nodes), |node| node.input == 1, None, &GraphSettings::default());
    let changed = addition(&nodes).expect("nodes of two files");
    let figure = |name: &str| {
        let is = changed.figures.iter().find(|figure| figure.figure == name).expect(name);
        (is.before, is.after)
    };
    assert_eq!(figure("nodes"), (Some(1), Some(3)));
    assert_eq!(figure("levels"), (Some(1), Some(3)));
    assert_eq!(figure("scratch"), (Some(scheduler::scratch(1)), Some(scheduler::scratch(3))));
    let records: Vec<_> =
        changed.generations.iter().filter(|is| is.figure == "records in").map(|is| (is.before, is.after)).collect();
    // A writes 3 records of each group whether there is a node for them or not.
    assert_eq!(records, [(Some(1), Some(1)), (Some(0), Some(6)), (Some(0), Some(12))]);
    assert_eq!(changed.links[0].targets, ["B[2]"]);
    assert_eq!(
        (changed.links[0].kind, changed.links[0].reached_before, changed.links[0].elements),
        (LinkKind::GapFilled, 0, 4)
    );
    assert!(changed.findings.is_empty(), "{:?}", changed.findings);
    assert!(addition(&nodes[..1]).is_none());
}

/// The maps of a run's generations.
fn rings(run: &GraphRun) -> Vec<RingMap> {
    graph_cost(&run.graph, Some(run), &GraphSettings::default()).measured.expect("a run").rings
}

#[test]
fn allocations_lie_one_after_the_other_from_the_start_of_a_ring() {
    // Allocations of 24 and 12 bytes.
    let run = run(&with_maximum([4, 1, 1]), &[[1, 1, 1], [2, 1, 1], [3, 1, 1]]);
    let [map] = rings(&run).try_into().expect("the host's records have no allocation");
    assert_eq!((map.generation, map.bytes, map.allocations, map.left_out), (1, Some(48), Some(2), 0));
    let pieces: Vec<_> = map.pieces.iter().map(|one| (one.offset, one.records, one.used, one.padding)).collect();
    assert_eq!(pieces, [(0, 2, 24, 8), (32, 1, 12, 4)]);
    assert_eq!((map.pieces[0].node.as_str(), map.pieces[0].writer.as_deref()), ("B[0]", Some("A[0]")));
    let [node] = map.nodes.try_into().expect("one node");
    assert_eq!((node.used, node.padding, node.share, node.ring_share), (36, 12, 100.0, 0.0));
    assert_eq!(map.spans, [RingSpan { node: 1, offset: 0, bytes: 48 }]);
}

#[test]
fn places_are_unknown_where_allocations_are() {
    let mut lost = run(&with_maximum([4, 1, 1]), &[[1, 1, 1], [2, 1, 1]]);
    let edge = EdgeRun { from: 0, output: 0, element: 0, to: None, records: 3 };
    lost.generations[0].edges.push(edge);
    let [map] = rings(&lost).try_into().expect("one map");
    assert_eq!((map.bytes, map.pieces.len(), map.nodes[0].used), (None, 0, 24));
    assert_eq!(map.unknown, ["3 records for absent nodes"]);
    lost.generations[0].edges.clear();
    lost.generations[1].nodes[0].records = Records::default();
    assert_eq!(rings(&lost)[0].unknown, ["records of B[0], which the run has not kept"]);
}

#[test]
fn records_that_wait_have_a_map_too() {
    let mut paused = run(&with_maximum([4, 1, 1]), &[[1, 1, 1]]);
    paused.pending = paused.generations.pop().expect("the second one").nodes;
    let [map] = rings(&paused).try_into().expect("one map");
    assert_eq!((map.generation, map.bytes, map.pieces[0].writer.as_deref()), (1, Some(16), Some("A[0]")));
}

#[test]
fn long_maps_are_cut_and_say_so() {
    let grids = vec![[1, 1, 1]; 20_000];
    let run = run(&with_maximum([4, 1, 1]), &grids);
    let [map] = rings(&run).try_into().expect("one map");
    assert_eq!((map.pieces.len(), map.left_out, map.bytes), (4096, 10_000 - 4096, Some(320_000)));
    let sheet = graph_cost(&run.graph, Some(&run), &GraphSettings::default()).sheet();
    assert!(sheet.to_tabs().contains("and 9976 more allocations"), "{}", sheet.to_tabs());
}
