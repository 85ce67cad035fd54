//! Graphs built here: rules that no compiler violates, and facts about layers, depth and generations.

mod addition;
mod bad;
mod files;
mod rules;

use super::*;
use lanescope_spirv::shape::{Field, Scalar, Shape};

/// A record of so many words.
fn record(words: u32) -> RecordType {
    let shape = Shape::Struct {
        members: vec![Field { name: "f0".to_owned(), offset: 0, shape: Shape::Words { count: words } }],
    };
    RecordType { name: None, bytes: 4 * words, align: 4, tracked: false, grid: None, shape, source: TypeSource::Size }
}

fn input(record: Option<RecordType>) -> NodeInput {
    let access = if record.is_some() { Access::Read } else { Access::Empty };
    NodeInput { kind: String::new(), name: None, access, max_records: None, coherent: false, record }
}

/// A thread node with input records of one word.
fn node(name: &str, index: u32) -> Node {
    Node {
        id: NodeId::new(name, index),
        name: name.to_owned(),
        function: name.to_owned(),
        input: 0,
        launch: Launch::Thread,
        entry: false,
        promoted: false,
        threads: [1; 3],
        wave_size: None,
        grid: None,
        max_grid: None,
        recursion: 0,
        groupshared_bytes: 0,
        local_root_table: None,
        local_root_signature: None,
        shares_input_of: None,
        inputs: vec![input(Some(record(1)))],
        outputs: Vec::new(),
        finishes_sharing: false,
        asks_valid: false,
        layer: 0,
        depth: 0,
        generations: Vec::new(),
        bound: Bound::default(),
    }
}

fn entry(name: &str) -> Node {
    Node { entry: true, inputs: vec![input(None)], ..node(name, 0) }
}

/// An output of one record of one word.
fn to(name: &str, index: u32) -> NodeOutput {
    NodeOutput {
        kind: String::new(),
        name: None,
        target: NodeId::new(name, index),
        array: None,
        sparse: false,
        max_records: 1,
        shares_budget_of: None,
        record: Some(record(1)),
        missing: Vec::new(),
        elements: 1,
    }
}

impl Node {
    fn with(mut self, outputs: impl IntoIterator<Item = NodeOutput>) -> Node {
        self.outputs.extend(outputs);
        self
    }

    fn broadcasting(self, grid: [u32; 3]) -> Node {
        Node { launch: Launch::Broadcasting, grid: Some(grid), threads: [32, 1, 1], ..self }
    }
}

fn linked(nodes: Vec<Node>) -> WorkGraph {
    link(nodes, GraphSource::Dxil, &Overrides::default())
}

/// The findings of nodes: code and message.
fn found(nodes: Vec<Node>) -> Vec<String> {
    check(&linked(nodes)).into_iter().map(|finding| format!("{} {}", finding.code, finding.message)).collect()
}

#[test]
fn layers_are_longest_paths_and_generations_are_all_path_lengths() {
    let nodes = vec![
        entry("Root").with([to("Sink", 0), to("A", 0)]),
        node("A", 0).with([to("B", 0)]),
        node("B", 0).with([to("Sink", 0)]),
        node("Sink", 0),
    ];
    let graph = linked(nodes);
    let facts: Vec<_> = graph.nodes.iter().map(|n| (n.layer, n.depth, n.generations.clone())).collect();
    assert_eq!(facts, [(0, 1, vec![0]), (1, 2, vec![1]), (2, 3, vec![2]), (3, 4, vec![1, 3])]);
    assert_eq!((graph.depth, graph.longest.clone()), (4, vec![0, 1, 2, 3]));
}

#[test]
fn recursion_is_unrolled_in_depth_and_generations() {
    let again = Node { recursion: 3, ..node("Again", 0).with([to("Again", 0), to("After", 0)]) };
    let graph = linked(vec![entry("Root").with([to("Again", 0)]), again, node("After", 0)]);
    let facts: Vec<_> = graph.nodes.iter().map(|n| (n.layer, n.depth, n.generations.clone())).collect();
    assert_eq!(facts, [(0, 1, vec![0]), (1, 5, vec![1, 2, 3, 4]), (2, 6, vec![2, 3, 4, 5])]);
    let kinds: Vec<_> = graph.edges.iter().map(|edge| edge.kind).collect();
    assert_eq!(kinds, [EdgeKind::Records, EdgeKind::Recursion, EdgeKind::Records]);
}

/// Two members that are reached at different depths start together, at the later one; recursion of one does not raise
/// the other.
#[test]
fn members_of_an_array_start_together() {
    let again = Node { recursion: 5, ..node("Leaf", 1).with([to("Leaf", 1)]) };
    let nodes = vec![
        entry("Root").with([to("Leaf", 0), to("Middle", 0)]),
        node("Middle", 0).with([to("Leaf", 1)]),
        node("Leaf", 0).with([to("After", 0)]),
        again,
        node("After", 0),
    ];
    let graph = linked(nodes);
    let depths: Vec<_> = graph.nodes.iter().map(|n| n.depth).collect();
    assert_eq!(depths, [1, 2, 3, 8, 4]);
}

#[test]
fn sharers_are_placed_beside_the_owner() {
    let tap = Node { shares_input_of: Some(NodeId::new("Owner", 0)), ..node("Tap", 0).with([to("Leaf", 0)]) };
    let graph = linked(vec![entry("Root").with([to("Owner", 0)]), tap, node("Owner", 0), node("Leaf", 0)]);
    let facts: Vec<_> = graph.nodes.iter().map(|n| (n.layer, n.depth, n.generations.clone())).collect();
    assert_eq!(facts, [(0, 1, vec![0]), (1, 2, vec![1]), (1, 2, vec![1]), (2, 3, vec![2])]);
    assert_eq!(graph.sharers(2).collect::<Vec<_>>(), [1]);
}

/// A ring that nothing enters, a chain of nodes that feed themselves, and nodes that break one rule each: what is said
/// of each node is not looked for among all.
#[test]
fn many_nodes_are_placed_and_checked_at_once() {
    const COUNT: u32 = 20_000;
    let ring = |at: u32| node(&format!("R{at}"), 0).with([to(&format!("R{}", (at + 1) % COUNT), 0)]);
    let chain = |at: u32| {
        let outputs = [to(&format!("N{at}"), 0), to(&format!("N{}", at + 1), 0)];
        Node { recursion: 1, ..node(&format!("N{at}"), 0).with(outputs) }
    };
    let graphs: [Vec<Node>; 3] = [
        (0..COUNT).map(ring).collect(),
        (0..COUNT).map(chain).collect(),
        (0..COUNT).map(|at| node(&format!("N{at}"), 0)).collect(),
    ];
    for nodes in graphs {
        let found = found(nodes);
        assert!(!found.is_empty());
    }
}

#[test]
fn outputs_resolve_by_base_and_element() {
    let array = |size, sparse| NodeOutput { array: Some(size), sparse, max_records: 8, ..to("Bin", 2) };
    let bins = [2, 3, 5, 9].map(|index| node("Bin", index));
    let graph = linked([vec![entry("Root").with([array(5, true), array(UNBOUNDED, true)])], bins.to_vec()].concat());
    let edges: Vec<_> =
        graph.edges.iter().filter_map(|e| Some((e.slot?.output, e.slot?.element, e.to, e.optional))).collect();
    let expected = [(0, 0, 1), (0, 1, 2), (0, 3, 3), (1, 0, 1), (1, 1, 2), (1, 3, 3), (1, 7, 4)];
    assert_eq!(edges, expected.map(|(output, element, to)| (output, element, to, true)));
    let [bounded, unbounded] = &graph.nodes[0].outputs[..] else { panic!("two outputs") };
    assert_eq!((bounded.elements, bounded.missing.clone()), (5, vec![[2, 2], [4, 4]]));
    assert_eq!((unbounded.elements, unbounded.missing.clone()), (8, vec![[2, 2], [4, 6]]));
    assert_eq!(graph.target(0, 0, 3), Some(3));
    assert_eq!(graph.target(0, 0, 2), None);
    assert_eq!((graph.named("Bin[9]"), graph.named("Root"), graph.named("Bin")), (Some(4), Some(0), Some(1)));
}

#[test]
fn budgets_are_counted_once() {
    let shared = NodeOutput { shares_budget_of: Some(0), max_records: 0, record: Some(record(4)), ..to("B", 0) };
    let empty = NodeOutput { record: None, max_records: 99, ..to("C", 0) };
    let node = entry("Root").with([NodeOutput { max_records: 3, ..to("A", 0) }, shared, empty]);
    let budgets: Vec<_> = node.budgets().into_iter().map(|b| (b.outputs, b.max_records, b.stride)).collect();
    assert_eq!(budgets, [(vec![0, 1], 3, 16), (vec![2], 99, 0)]);
    let bound = node.bounded();
    assert_eq!((bound.records, bound.record_bytes, bound.payload, bound.bytes(10)), (3, 48, 48, 720));
}

#[test]
fn overrides_change_what_they_name() {
    let text = r##"{ "nodes": {
        "Root": { "outputs": { "0": { "rename": "B[1]", "max_records": 7 }, "#1": { "max_records_shared_with": "0", "sparse": true } } },
        "Leaf[3]": { "rename": "B[1]", "entry": true, "max_grid": [4, 2, 1], "local_root_table": 2 },
        "Gone": {},
        "Other": { "share_input_of": "B[1]", "outputs": { "5": {} } } } }"##;
    let overrides = Overrides::parse(text).expect("reads");
    let mut nodes = vec![
        entry("Root").with([to("Leaf", 3), to("Nowhere", 0)]),
        node("Leaf", 3).broadcasting([1; 3]),
        node("Other", 0),
    ];
    let findings: Vec<_> = apply_overrides(&overrides, &mut nodes).into_iter().map(|f| f.message).collect();
    assert_eq!(
        findings,
        [
            "the overrides name Gone, which is not in any library",
            "the overrides name output 5 of Other, which does not exist"
        ]
    );
    let graph = link(nodes, GraphSource::Dxil, &overrides);
    assert_eq!((graph.target(0, 0, 0), graph.nodes[0].outputs[0].max_records), (Some(1), 7));
    assert_eq!((graph.nodes[0].outputs[1].shares_budget_of, graph.nodes[0].outputs[1].sparse), (Some(0), true));
    let leaf = &graph.nodes[1];
    assert_eq!((leaf.entry, leaf.grid, leaf.max_grid, leaf.local_root_table), (true, None, Some([4, 2, 1]), Some(2)));
    assert_eq!(graph.nodes[2].shares_input_of, Some(NodeId::new("B", 1)));
    assert_eq!(Overrides::parse(&overrides.text()), Ok(overrides));
    let error = Overrides::parse(r#"{ "nodes": { "A": { "launch": "thread" } } }"#).expect_err("no such change");
    assert!(error.to_string().contains("launch"), "{error}");
    assert!(Overrides::parse(r#"{ "nodes": { "A": { "rename": "B[x]" } } }"#).is_err());
}
