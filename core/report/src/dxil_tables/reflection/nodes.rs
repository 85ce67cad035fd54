//! Nodes of work graphs, as metadata and runtime data have them.

use lanescope_dxil::rdat::{Node, NodeIo};

use super::{size, text, yes};
use crate::dxil_tables::Section;

/// Adds the tables of nodes.
pub fn nodes(out: &mut Section, nodes: &[&Node]) {
    let named = |(name, index): &(String, u32)| format!("{name}[{index}]");
    out.table(
        "Nodes",
        [
            "Node",
            "Launch",
            "Program entry",
            "Threads",
            "Grid",
            "Max grid",
            "Recursion",
            "Groupshared",
            "Local arguments",
            "Shares the input of",
        ],
        nodes.iter().map(|node| {
            [
                format!("{}[{}]", node.name, node.index),
                node.launch.to_string(),
                yes(node.program_entry),
                node.threads.map(size).unwrap_or_default(),
                node.grid.map(size).unwrap_or_default(),
                node.max_grid.map(size).unwrap_or_default(),
                text(node.max_recursion),
                text(Some(node.groupshared_bytes).filter(|bytes| *bytes > 0)),
                text(node.local_root_arguments),
                node.shares_input_of.as_ref().map(named).unwrap_or_default(),
            ]
        }),
    );
    let row = |node: &Node, side: &str, io: &NodeIo| {
        let grid = io.grid.as_ref();
        let grid = grid.map(|(offset, kind, components)| format!("{components} {kind} at byte {offset}"));
        let array = io.array_size.map(|size| if size == u32::MAX { "unbounded".to_owned() } else { size.to_string() });
        [
            format!("{}[{}]", node.name, node.index),
            side.to_owned(),
            io.kind.to_string(),
            io.target.as_ref().map(named).unwrap_or_default(),
            text(io.max_records),
            text(io.shares_max_with),
            text(io.record_bytes),
            text(io.record_align),
            grid.unwrap_or_default(),
            array.unwrap_or_default(),
            yes(io.sparse),
        ]
    };
    out.table(
        "Inputs and outputs of nodes",
        [
            "Node",
            "Side",
            "Kind",
            "Target",
            "Max records",
            "Max shared with",
            "Record bytes",
            "Alignment",
            "Grid in the record",
            "Array",
            "Sparse",
        ],
        nodes.iter().flat_map(|node| {
            let sides = [("input", &node.inputs), ("output", &node.outputs)];
            sides.into_iter().flat_map(move |(side, all)| all.iter().map(move |io| row(node, side, io)))
        }),
    );
}
