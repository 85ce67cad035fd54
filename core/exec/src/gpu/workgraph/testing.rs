//! Nodes for tests.

use lanescope_passes::graph::{Launch, Node, NodeId};

/// A node without inputs and outputs.
pub fn node(launch: Launch) -> Node {
    Node {
        id: NodeId::new("N", 0),
        name: "N".to_owned(),
        function: "N".to_owned(),
        input: 0,
        launch,
        entry: true,
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
        inputs: Vec::new(),
        outputs: Vec::new(),
        finishes_sharing: false,
        asks_valid: false,
        layer: 0,
        depth: 0,
        generations: Vec::new(),
        bound: Default::default(),
    }
}
