//! Graphs that no compiler makes: cyclic, huge, contradictory.

use proptest::prelude::*;

use super::*;

#[test]
fn edges_are_limited() {
    // 600 outputs, each to all of 600 nodes.
    let array = NodeOutput { array: Some(UNBOUNDED), sparse: true, ..to("M", 0) };
    let mut nodes = vec![entry("A").with(vec![array; 600])];
    nodes.extend((0..600).map(|index| node("M", index)));
    let graph = linked(nodes);
    assert!(graph.edges_left_out && graph.edges.len() == MAX_EDGES);
    assert!(check(&graph).iter().any(|finding| finding.code == "G48"));
}

#[test]
fn huge_arrays_cost_nothing() {
    let array = NodeOutput { array: Some(u32::MAX - 1), ..to("M", 1) };
    let wraps = NodeOutput { array: Some(16), sparse: true, ..to("M", u32::MAX - 3) };
    let graph = linked(vec![entry("A").with([array, wraps]), node("M", 7), node("M", u32::MAX)]);
    assert_eq!(graph.nodes[0].outputs[0].missing, [[0, 5], [7, u32::MAX - 2]]);
    assert_eq!(graph.edges.iter().filter_map(|edge| Some(edge.slot?.element)).collect::<Vec<_>>(), [6, 3]);
    assert!(graph.nodes[0].outputs[1].missing == [[0, 2], [4, 15]], "{:?}", graph.nodes[0].outputs[1].missing);
    assert!(graph.slots > u64::from(u32::MAX));
    check(&graph);
}

/// Arrays that feed each other without any node in a circle: their common start moves on without end.
#[test]
fn arrays_in_a_cycle_finish() {
    let nodes = vec![
        entry("A").with([to("P", 0)]),
        node("P", 0).with([to("Q", 0)]),
        node("Q", 0),
        node("Q", 1).with([to("P", 1)]),
        node("P", 1),
    ];
    let graph = linked(nodes);
    assert!(check(&graph).iter().any(|finding| finding.code == "G02"));
}

#[test]
fn empty_graph_is_valid() {
    let graph = linked(Vec::new());
    assert_eq!((graph.depth, graph.slots, check(&graph)), (0, 0, Vec::new()));
}

pub(super) fn any_node() -> impl Strategy<Value = Node> {
    let output = (
        0..4u32,
        0..4u32,
        prop::option::of(prop_oneof![Just(UNBOUNDED), 0..6u32]),
        any::<bool>(),
        0..300u32,
        prop::option::of(0..4u32),
        0..9u32,
    );
    let output = output.prop_map(|(name, base, array, sparse, max_records, shares_budget_of, words)| NodeOutput {
        array,
        sparse,
        max_records,
        shares_budget_of,
        record: (words > 0).then(|| record(words)),
        ..to(&format!("N{name}"), base)
    });
    let facts = (0..4u32, 0..4u32, 0..4u32, any::<bool>(), prop::option::of((0..4u32, 0..4u32)), 0..40u32);
    (facts, prop::collection::vec(output, 0..4)).prop_map(
        |((name, index, launch, entry, shares, recursion), outputs)| Node {
            launch: Launch::ALL[launch as usize],
            entry,
            recursion: recursion / 8,
            shares_input_of: shares.map(|(name, index)| NodeId::new(format!("N{name}"), index)),
            ..node(&format!("N{name}"), index).with(outputs)
        },
    )
}

proptest! {
    #[test]
    fn any_nodes_form_a_graph(nodes in prop::collection::vec(any_node(), 0..12)) {
        let graph = linked(nodes);
        check(&graph);
        for edge in &graph.edges {
            prop_assert!(edge.from < graph.nodes.len() && edge.to < graph.nodes.len());
            // Outside of cycles, a target is below its producer.
            let in_circle = |at: &usize| graph.cycles.iter().any(|cycle| cycle.contains(at));
            if graph.cycles.is_empty() && edge.kind == EdgeKind::Records && edge.from != edge.to && !in_circle(&edge.to) {
                prop_assert!(graph.nodes[edge.from].layer < graph.nodes[edge.to].layer);
            }
            if let Some(slot) = edge.slot {
                prop_assert_eq!(graph.nodes[edge.from].outputs[slot.output].id(slot.element), Some(graph.nodes[edge.to].id.clone()));
            }
        }
        for node in &graph.nodes {
            prop_assert!(node.layer as usize <= graph.nodes.len());
        }
        let text = serde_json::to_string(&graph).expect("plain data");
        let mut again: WorkGraph = serde_json::from_str(&text).expect("reads");
        for (node, was) in again.nodes.iter_mut().zip(&graph.nodes) {
            node.local_root_signature.clone_from(&was.local_root_signature);
        }
        prop_assert_eq!(again, graph);
    }
}
