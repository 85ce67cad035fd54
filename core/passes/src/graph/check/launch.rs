//! Group sizes and grids.

use super::Out;
use crate::findings;
use crate::graph::model::{GraphSource, Launch, Node};

/// Threads of a group.
const MAX_THREADS: u64 = 1024;
/// Groups of a grid, on one axis and in all.
const MAX_AXIS: u32 = 65535;
const MAX_GROUPS: u64 = (1 << 24) - 1;

pub(super) fn check(out: &mut Out<'_>) {
    for (_, node) in out.nodes() {
        threads(out, node);
        grids(out, node);
    }
}

fn volume(size: [u32; 3]) -> u64 {
    size.iter().fold(1, |all, axis| all.saturating_mul(u64::from(*axis)))
}

fn threads(out: &mut Out<'_>, node: &Node) {
    let allowed = match node.launch {
        Launch::Thread => node.threads == [1; 3],
        Launch::Broadcasting | Launch::Coalescing => (1..=MAX_THREADS).contains(&volume(node.threads)),
        Launch::Mesh => true,
    };
    if !allowed {
        let [x, y, z] = node.threads;
        let message = format!("{}: group size {x}x{y}x{z} not allowed for {}", node.label(), node.launch);
        out.add(findings::GRAPH_GROUP_SIZE, Some(node), message);
    }
}

fn grids(out: &mut Out<'_>, node: &Node) {
    let name = node.labelled();
    for [x, y, z] in [node.grid, node.max_grid].into_iter().flatten() {
        let axes = [x, y, z].iter().all(|axis| (1..=MAX_AXIS).contains(axis));
        if !axes || volume([x, y, z]) > MAX_GROUPS {
            let message = format!("{name}: grid {x}x{y}x{z} exceeds {MAX_AXIS} per axis or 2^24-1 in total");
            let message = if [x, y, z].contains(&0) { format!("{name}: grid {x}x{y}x{z} is empty") } else { message };
            out.add(findings::GRAPH_GRID_SIZE, Some(node), message);
        }
    }
    let in_record = node.record().and_then(|record| record.grid);
    if node.launch != Launch::Broadcasting {
        for (attribute, there) in [("NodeDispatchGrid", node.grid), ("NodeMaxDispatchGrid", node.max_grid)] {
            if there.is_some() && node.launch != Launch::Mesh {
                let message = format!("{name}: {attribute} only applies to broadcasting launch");
                out.add(findings::GRAPH_GRID_ELSEWHERE, Some(node), message);
            }
        }
        return;
    }
    // Elsewhere a grid may be the record's alone.
    let choice = out.graph.source == GraphSource::Dxil || node.grid.is_some();
    if choice && node.grid.is_some() == node.max_grid.is_some() {
        let message = format!("{name}: needs NodeDispatchGrid or NodeMaxDispatchGrid, not both");
        let neither = format!("{name}: needs NodeDispatchGrid or NodeMaxDispatchGrid, has neither");
        let message = if node.grid.is_some() { message } else { neither };
        out.add(findings::GRAPH_GRID_CHOICE, Some(node), message);
    }
    if node.max_grid.is_some() && node.grid.is_none() && in_record.is_none() {
        let message = format!("{name}: NodeMaxDispatchGrid without SV_DispatchGrid in the input record");
        out.add(findings::GRAPH_GRID_MEMBER, Some(node), message);
    }
    if node.grid.is_some() && in_record.is_some() {
        let message = format!("{name}: SV_DispatchGrid is plain data here, the grid is fixed");
        out.add(findings::GRAPH_GRID_PLAIN, Some(node), message);
    }
}
