//! The nodes of an addition, and the outputs that reach them.

use std::collections::{BTreeMap, BTreeSet};

use super::report::{AddedLink, AddedNode, LinkKind};
use lanescope_passes::graph::{Addition, EdgeKind, WorkGraph};

/// The added nodes, in the order of the files.
pub(super) fn nodes(both: &Addition) -> Vec<AddedNode> {
    let mut writers: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut targets: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for edge in both.whole.edges.iter().filter(|edge| edge.kind != EdgeKind::SharedInput) {
        match (both.is_added(edge.from), both.is_added(edge.to)) {
            (false, true) => _ = writers.entry(edge.to).or_default().insert(edge.from),
            (true, false) => _ = targets.entry(edge.from).or_default().insert(edge.to),
            _ => {}
        }
    }
    let count = |of: &BTreeMap<usize, BTreeSet<usize>>, at: usize| of.get(&at).map_or(0, |all| all.len() as u64);
    let all = both.whole.nodes.iter().zip(&both.origins).enumerate().skip(both.base.nodes.len());
    all.map(|(at, (node, origin))| AddedNode {
        node: node.id.to_string(),
        origin: *origin,
        launch: node.launch,
        record_bytes: node.record().map_or(0, |record| record.stride()),
        entry: node.starts(),
        existing_writers: count(&writers, at),
        existing_targets: count(&targets, at),
        shares_input_of: node.shares_input_of.as_ref().map(ToString::to_string),
        levels: node.generations.clone(),
    })
    .collect()
}

/// The outputs that newly reach nodes: existing ones first.
pub(super) fn links(both: &Addition) -> Vec<AddedLink> {
    let before = elements_reached(&both.base);
    let mut out = Vec::new();
    for reached in both.reached() {
        let (Some(node), Some(origin)) = (both.whole.nodes.get(reached.node), both.origins.get(reached.node)) else {
            continue;
        };
        let Some(output) = node.outputs.get(reached.output) else { continue };
        let is_new = both.is_added(reached.node);
        let (added, existing): (Vec<usize>, Vec<usize>) = reached.nodes.iter().partition(|to| both.is_added(**to));
        let kinds =
            [(if is_new { LinkKind::Within } else { LinkKind::GapFilled }, added), (LinkKind::ToExisting, existing)];
        for (kind, targets) in kinds.into_iter().filter(|(_, targets)| !targets.is_empty()) {
            // An existing output reaches existing nodes as before.
            if kind == LinkKind::ToExisting && !is_new {
                continue;
            }
            out.push(AddedLink {
                node: node.id.to_string(),
                origin: *origin,
                output: output.label(reached.output),
                kind,
                sparse: output.sparse,
                count: targets.len() as u64,
                targets: ranges(&both.whole, &targets),
                reached_before: before.get(&(reached.node, reached.output)).copied().unwrap_or(0),
                elements: output.elements,
            });
        }
    }
    out
}

/// By node and output, how many of its elements reach a node.
fn elements_reached(graph: &WorkGraph) -> BTreeMap<(usize, usize), u64> {
    let mut out = BTreeMap::new();
    for edge in &graph.edges {
        if let Some(slot) = edge.slot {
            *out.entry((edge.from, slot.output)).or_insert(0) += 1;
        }
    }
    out
}

/// Ids of nodes of one array, in the order of their indices; consecutive ones as one range.
fn ranges(graph: &WorkGraph, nodes: &[usize]) -> Vec<String> {
    let mut runs: Vec<(&str, u32, u32)> = Vec::new();
    let mut last = None;
    for id in nodes.iter().filter_map(|at| graph.nodes.get(*at)).map(|node| &node.id) {
        match runs.last_mut() {
            Some((name, _, end))
                if *name == id.name && last.and_then(|last: u32| last.checked_add(1)) == Some(id.index) =>
            {
                *end = id.index;
            }
            _ => runs.push((&id.name, id.index, id.index)),
        }
        last = Some(id.index);
    }
    let text = |(name, first, last): (&str, u32, u32)| match first == last {
        true => format!("{name}[{first}]"),
        false => format!("{name}[{first}…{last}]"),
    };
    runs.into_iter().map(text).collect()
}
