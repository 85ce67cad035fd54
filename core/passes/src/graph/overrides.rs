//! Overrides of nodes, applied before nodes are linked.

use super::model::{Node, NodeOutput};
use crate::findings::{self, Finding};
use lanescope_model::overrides::{NodeName, NodeOverride, OutputOverride, Overrides};

/// Changes nodes before they are linked. Names that none of them has are findings.
pub fn apply_overrides(overrides: &Overrides, nodes: &mut [Node]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // All names are those of the library: what is renamed is found before it is.
    let found: Vec<_> = overrides.nodes.iter().map(|(name, change)| (name, find(nodes, name), change)).collect();
    for (name, at, change) in found {
        match at.and_then(|at| nodes.get_mut(at)) {
            Some(node) => change_node(change, node, &mut findings),
            None => {
                let message = format!("the overrides name {name}, which is not in any library");
                findings.push(findings::GRAPH_OVERRIDE.at(None, None, message));
            }
        }
    }
    findings
}

/// The node of an id, or of a function.
fn find(nodes: &[Node], name: &str) -> Option<usize> {
    let id = NodeName::try_from(name.to_owned()).ok()?.0;
    let by_id = nodes.iter().position(|node| node.id == id);
    by_id.or_else(|| nodes.iter().position(|node| node.name == name))
}

fn output(outputs: &[NodeOutput], name: &str) -> Option<usize> {
    let by_name = outputs.iter().position(|output| output.name.as_deref() == Some(name));
    let number = || name.strip_prefix('#').unwrap_or(name).parse::<usize>().ok();
    by_name.or_else(number).filter(|at| *at < outputs.len())
}

fn change_node(change: &NodeOverride, node: &mut Node, findings: &mut Vec<Finding>) {
    let place = Some(node.place());
    for (name, of_output) in &change.outputs {
        let shared = of_output.max_records_shared_with.as_deref();
        let missing = match output(&node.outputs, name) {
            Some(at) => match shared.map(|shared| output(&node.outputs, shared)) {
                Some(None) => shared,
                shared => {
                    change_output(of_output, &mut node.outputs[at], shared.flatten());
                    None
                }
            },
            None => Some(name.as_str()),
        };
        if let Some(missing) = missing {
            let message = format!("the overrides name output {missing} of {}, which does not exist", node.label());
            findings.push(findings::GRAPH_OVERRIDE.at(None, place.clone(), message));
        }
    }
    node.entry = change.entry.unwrap_or(node.entry);
    if change.grid.is_some() || change.max_grid.is_some() {
        (node.grid, node.max_grid) = (change.grid, change.max_grid);
    }
    node.local_root_table = change.local_root_table.or(node.local_root_table);
    if let Some(NodeName(owner)) = &change.share_input_of {
        node.shares_input_of = Some(owner.clone());
    }
    if let Some(NodeName(id)) = &change.rename {
        node.id = id.clone();
    }
}

fn change_output(change: &OutputOverride, output: &mut NodeOutput, shared: Option<usize>) {
    if let Some(NodeName(target)) = &change.rename {
        output.target = target.clone();
    }
    if let Some(most) = change.max_records {
        (output.max_records, output.shares_budget_of) = (most, None);
    }
    if let Some(shared) = shared.and_then(|at| u32::try_from(at).ok()) {
        output.shares_budget_of = Some(shared);
    }
    output.sparse = change.sparse.unwrap_or(output.sparse);
}
