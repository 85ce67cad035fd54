//! Budgets, inputs and root arguments that are shared.

use std::collections::BTreeMap;

use super::Out;
use crate::findings;
use crate::graph::model::{Access, EdgeKind, Node};

/// Nodes that may read one input beside its owner.
const MAX_SHARERS: usize = 256;

pub(super) fn check(out: &mut Out<'_>) {
    for (_, node) in out.nodes() {
        budgets(out, node);
        finishing(out, node);
    }
    inputs(out);
    root_arguments(out);
}

fn budgets(out: &mut Out<'_>, node: &Node) {
    for (index, output) in node.outputs.iter().enumerate() {
        let Some(other) = output.shares_budget_of.map(|other| other as usize) else { continue };
        let why = match node.outputs.get(other) {
            None => "which does not exist",
            Some(_) if other == index => "which is itself",
            Some(other) if other.shares_budget_of.is_some() => "which has none",
            Some(_) if other > index => "which comes later",
            Some(_) => continue,
        };
        let other = node.outputs.get(other).map_or_else(|| format!("#{other}"), |output| output.label(other));
        let label = output.label(index);
        let message = format!("{}.{label}: shares the budget of {other}, {why}", node.label());
        out.add(findings::GRAPH_BUDGET, Some(node), message);
    }
}

fn finishing(out: &mut Out<'_>, node: &Node) {
    if !node.finishes_sharing {
        return;
    }
    let input = node.node_input();
    let tracked = node.record().is_some_and(|record| record.tracked);
    let why = if node.entry {
        "an entry node"
    } else if !tracked || input.is_none_or(|input| input.access != Access::ReadWrite) {
        "an untracked record"
    } else {
        return;
    };
    let message = format!("{}: FinishedCrossGroupSharing on {why}", node.label());
    out.add(findings::GRAPH_FINISHED, Some(node), message);
}

fn inputs(out: &mut Out<'_>) {
    let graph = out.graph;
    let count = graph.nodes.len();
    let (mut fed, mut recursive, mut sharing) = (vec![None; count], vec![false; count], vec![0usize; count]);
    for edge in &graph.edges {
        match edge.kind {
            EdgeKind::Records => _ = fed[edge.to].get_or_insert(edge.from),
            EdgeKind::Recursion => recursive[edge.to] = true,
            EdgeKind::SharedInput => sharing[edge.from] += 1,
        }
    }
    for (at, node) in out.nodes() {
        if sharing[at] > MAX_SHARERS {
            let message = format!("{}: input shared by {} nodes, limit {MAX_SHARERS}", node.id, sharing[at]);
            out.add(findings::GRAPH_SHARERS, Some(node), message);
        }
        let Some(owner_id) = &node.shares_input_of else { continue };
        let name = node.label();
        let own = [
            (recursive[at] || node.recursion > 0).then(|| "recursive".to_owned()),
            node.entry.then(|| "an entry".to_owned()),
            fed[at].and_then(|from| graph.nodes.get(from)).map(|from| format!("targeted by {}", from.label())),
        ];
        for why in own.into_iter().flatten() {
            let message = format!("{name}: shares the input of {owner_id} but is itself {why}");
            out.add(findings::GRAPH_SHARER, Some(node), message);
        }
        let Some(owner) = graph.find(owner_id) else {
            let message = format!("{name}: cannot share the input of {owner_id}: the node does not exist");
            out.add(findings::GRAPH_SHARED, Some(node), message);
            continue;
        };
        let is = &graph.nodes[owner];
        let writable = |node: &Node| node.node_input().is_some_and(|input| input.access == Access::ReadWrite);
        let whys = [
            (recursive[owner] || is.recursion > 0).then(|| format!("{} is recursive", is.label())),
            is.shares_input_of.is_some().then(|| format!("{} itself shares an input", is.label())),
            (is.entry && fed[owner].is_some()).then(|| format!("{} is both fed by nodes and an entry", is.label())),
            (writable(is) || writable(node)).then(|| "the input is writable".to_owned()),
        ];
        for why in whys.into_iter().flatten() {
            let message = format!("{name}: cannot share the input of {owner_id}: {why}");
            out.add(findings::GRAPH_SHARED, Some(node), message);
        }
    }
}

fn root_arguments(out: &mut Out<'_>) {
    let mut by_entry: BTreeMap<u32, &Node> = BTreeMap::new();
    for (_, node) in out.nodes() {
        let (Some(entry), Some(signature)) = (node.local_root_table, &node.local_root_signature) else { continue };
        let first = *by_entry.entry(entry).or_insert(node);
        if first.local_root_signature.as_ref() != Some(signature) {
            let message = format!(
                "{} and {} use table entry {entry} with different local root signatures",
                first.label(),
                node.label()
            );
            out.add(findings::GRAPH_ROOT_TABLE, Some(node), message);
        }
    }
}
