//! The scheduler of vkd3d-proton, as its source of August 2026 has it (commit d01924b: `workgraphs.c` and the shaders
//! `cs_workgraph_*`).

use super::{EdgeKind, Launch, Node, WorkGraph};

/// Its name.
pub const NAME: &str = "vkd3d-proton of 2026-08";
/// Bytes of each of the two payload rings, and of the unrolled offsets.
pub const RING: u64 = 128 << 20;
/// Bytes of the list that the least and the most backing memory have room for.
pub const LIST: [u64; 2] = [64 << 20, 256 << 20];
/// Backing memory is a multiple of so many bytes.
pub const BACKING_UNIT: u64 = 64 << 10;
/// Bytes of a list's entry: an allocation.
pub const LIST_ENTRY: u64 = 8;
/// Bytes of a record's offset.
pub const OFFSET: u64 = 4;
/// Payload of an allocation is a multiple of so many bytes.
pub const PAYLOAD_UNIT: u64 = 16;
/// Records of a thread node that one group has.
pub const THREADS: u64 = 32;
/// Workgroups of a row.
pub const ROW: u64 = 32768;
/// Devices that take fewer workgroups along X get rows.
pub const MAX_ROW: u64 = 0x00ff_ffff;
/// The most groups for each record of a broadcasting node.
pub const MAX_WIDTH: u64 = 1024;
/// The most levels.
pub const MAX_LEVELS: u32 = 32;

/// Bytes of scratch for a graph of so many nodes: counters, commands, dividers, shared inputs, tables of the expander, each
/// aligned to 64.
pub fn scratch(nodes: u64) -> u64 {
    let parts = [4 * (2 + nodes), 16 + 48 * nodes, 4 * nodes, 4 * nodes, 8 * nodes];
    parts.iter().fold(0u64, |end, part| end.next_multiple_of(64) + part)
}

/// Backing memory with room for so many bytes of list.
pub fn backing(nodes: u64, list: u64) -> u64 {
    (scratch(nodes) + list).next_multiple_of(BACKING_UNIT)
}

/// Whether records with an empty grid are dropped: a node after level 0 has `NodeMaxDispatchGrid`, and no such node shares
/// its input.
pub fn compacts(graph: &WorkGraph) -> bool {
    let later = |node: &Node| node.generations.iter().any(|level| *level > 0);
    let dynamic = |node: usize| graph.nodes.get(node).filter(|node| node.has_dynamic_grid() && later(node)).is_some();
    let shared = graph.edges.iter().any(|edge| edge.kind == EdgeKind::SharedInput && dynamic(edge.from));
    !shared && (0..graph.nodes.len()).any(dynamic)
}

/// Groups for each record of a broadcasting node with so many records, before grids are looked at. `most` is the number of
/// groups of the grid, fixed or at most.
pub fn width(most: u64, records: u64) -> u64 {
    let shift = (records >> 2).max(1).ilog2();
    (most.min(MAX_WIDTH) >> shift).max(1)
}

/// The same for records of which those with an empty grid were dropped: at least the mean of their groups.
pub fn compacted_width(width: u64, asked: u64, records: u64) -> u64 {
    // The shader adds up 32 bits, and divides floats.
    let mean = (asked as u32 as f32 / records.max(1) as u32 as f32) as u64;
    width.max(mean.min(MAX_WIDTH))
}

/// Groups for each of several records of the host, whose grids are known: `most` is the product of their largest axes.
pub fn host_width(most: u64, records: u64) -> u64 {
    (most.min(MAX_WIDTH) / records.max(1)).max(1)
}

/// Records of one workgroup along X.
pub fn records_per_group(node: &Node) -> u64 {
    match node.launch {
        Launch::Thread => THREADS,
        Launch::Coalescing => u64::from(node.records_per_launch()),
        Launch::Broadcasting | Launch::Mesh => 1,
    }
}
