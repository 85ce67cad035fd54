//! Nodes that are added to a graph that exists.

use proptest::prelude::*;

use super::bad::any_node;
use super::*;

/// The first nodes are those of the base.
fn grown(nodes: Vec<Node>, base: usize) -> Addition {
    let mut nodes = nodes;
    nodes.iter_mut().skip(base).for_each(|node| node.input = 1);
    Addition::of(&linked(nodes), |node| node.input == 1).expect("both have nodes")
}

fn found(addition: &Addition) -> Vec<String> {
    addition.check().into_iter().map(|finding| format!("{} {}", finding.code, finding.message)).collect()
}

fn sparse(name: &str, length: u32) -> NodeOutput {
    NodeOutput { array: Some(length), sparse: true, ..to(name, 0) }
}

#[test]
fn added_nodes_fill_gaps_and_new_entry_points_come_last() {
    // The added nodes are in an earlier file.
    let all = vec![
        Node { input: 0, ..node("Bin", 2) },
        Node { input: 0, ..entry("Refill").with([to("Bin", 1), to("Bin", 2)]) },
        Node { input: 1, ..entry("Scatter").with([sparse("Bin", 4)]) },
        Node { input: 1, ..node("Bin", 1) },
    ];
    let addition = Addition::of(&linked(all), |node| node.input == 0).expect("both have nodes");
    assert_eq!(addition.origins, [2, 3, 0, 1]);
    let id = |at: usize| addition.whole.nodes[at].id.to_string();
    assert_eq!(addition.entries().map(id).collect::<Vec<_>>(), ["Scatter[0]", "Refill[0]"]);
    let reached = addition.reached();
    assert_eq!(reached.len(), 3, "{reached:?}");
    assert_eq!(reached[0], Reached { node: 0, output: 0, nodes: vec![2] });
    assert_eq!((reached[1].node, &reached[1].nodes, &reached[2].nodes), (3, &vec![1], &vec![2]));
    assert_eq!(addition.base.nodes[0].outputs[0].missing, [[0, 0], [2, 3]]);
    assert_eq!(addition.whole.nodes[0].outputs[0].missing, [[0, 0], [3, 3]]);
    assert!(found(&addition).is_empty(), "{:?}", found(&addition));
    assert!(Addition::of(&addition.base, |_| false).is_none() && Addition::of(&addition.base, |_| true).is_none());
}

#[test]
fn the_longest_chain_to_an_existing_node_may_not_grow() {
    let base = || vec![entry("A").with([to("B", 0)]), node("B", 0).with([to("C", 0)]), node("C", 0)];
    let with = |added: Vec<Node>| found(&grown([base(), added].concat(), 3));
    assert!(with(vec![entry("X").with([to("C", 0)])]).is_empty(), "C comes later by A and B");
    assert!(with(vec![entry("X").with([to("Y", 0)]), node("Y", 0).with([to("C", 0)])]).is_empty());
    let late = with(vec![entry("X").with([to("Y", 0)]), node("Y", 0).with([to("B", 0)])]);
    let words = "nodes are before it on the longest chain from an entry point";
    assert_eq!(
        late,
        [format!("G55 B: 2 {words}, 1 without the addition"), format!("G55 C: 3 {words}, 2 without the addition")]
    );
    // Recursion counts at its limit.
    let recursive = Node { recursion: 2, entry: true, ..node("X", 0).with([to("X", 0), to("C", 0)]) };
    assert_eq!(with(vec![recursive]), [format!("G55 C: 3 {words}, 2 without the addition")]);
}

#[test]
fn nodes_that_started_by_themselves_remain_entry_points() {
    let base = vec![node("Alone", 0)];
    let addition = grown([base, vec![entry("X").with([to("Alone", 0)])]].concat(), 1);
    assert!(addition.base.nodes[0].promoted && addition.whole.nodes[0].promoted);
    assert_eq!(addition.entries().collect::<Vec<_>>(), [0, 1]);
    assert_eq!(addition.whole.nodes[0].generations, [0, 1]);
    assert_eq!(found(&addition).len(), 1, "{:?}", found(&addition));
}

#[test]
fn ids_inputs_and_targets_of_the_base_are_not_taken() {
    let base = || vec![entry("A").with([sparse("B", 4)]), node("B", 0)];
    let with = |added: Node| found(&grown([base(), vec![added]].concat(), 2));
    assert_eq!(with(Node { name: "Again".to_owned(), ..node("B", 0) }), ["G08 B[0] is defined by B and Again"]);
    let sharer = Node { shares_input_of: Some(NodeId::new("B", 0)), ..node("S", 0) };
    assert_eq!(with(sharer), ["G56 S: shares the input of B, which is in the base"]);
    // Among themselves added nodes may share an input.
    let within = vec![node("B", 1), Node { shares_input_of: Some(NodeId::new("B", 1)), ..node("S", 0) }];
    assert!(found(&grown([base(), within].concat(), 2)).is_empty());
    let dense = || vec![entry("A").with([NodeOutput { array: Some(2), ..to("B", 0) }]), node("B", 0)];
    let addition = grown([dense(), vec![node("B", 1)]].concat(), 2);
    assert_eq!(found(&addition), ["G57 B (B[1]): target of A.#0, an output of the base that is not sparse"]);
}

#[test]
fn members_of_an_array_move_on_without_a_longer_chain() {
    let base = vec![entry("A").with([sparse("M", 4), to("B", 0)]), node("M", 0), node("B", 0).with([sparse("M", 4)])];
    let base = base.into_iter().map(|node| match node.name.as_str() {
        // B reaches M[3] only, which does not exist yet.
        "B" => Node { outputs: vec![NodeOutput { array: Some(1), sparse: true, ..to("M", 3) }], ..node },
        _ => node,
    });
    let addition = grown(base.chain([node("M", 3)]).collect(), 3);
    assert!(found(&addition).is_empty(), "{:?}", found(&addition));
    assert_eq!((addition.base.nodes[1].depth, addition.whole.nodes[1].depth), (2, 3));
}

proptest! {
    #[test]
    fn any_nodes_are_added_to_any_others(nodes in prop::collection::vec((any_node(), any::<bool>()), 0..12)) {
        let nodes = nodes.into_iter().map(|(node, added)| Node { input: usize::from(added), ..node }).collect();
        let graph = linked(nodes);
        let Some(addition) = Addition::of(&graph, |node| node.input == 1) else { return Ok(()) };
        addition.check();
        prop_assert_eq!(addition.origins.len(), graph.nodes.len());
        for (at, node) in addition.base.nodes.iter().enumerate() {
            let after = &addition.whole.nodes[at];
            prop_assert_eq!((&node.id, node.starts()), (&after.id, after.starts()));
            prop_assert!(node.generations.iter().all(|level| after.generations.contains(level)) || !addition.whole.cycles.is_empty());
        }
        // Each link of the base is one of the whole graph.
        for edge in &addition.base.edges {
            prop_assert!(addition.whole.edges.iter().any(|other| (other.from, other.slot, other.to) == (edge.from, edge.slot, edge.to)));
        }
    }
}
