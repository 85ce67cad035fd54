//! Rules that only a run can break: what the host passes in, and what nodes wrote.

use crate::findings::{self, Finding, Place, Rule};
use crate::graph::layers::LAST_GENERATION;
use crate::graph::model::{NodeId, RecordType, WorkGraph};
use lanescope_base::text_format::counted;

/// Rules that only a run breaks.
const OF_RUN: &[&Rule] = &[
    findings::GRAPH_STRIDE,
    findings::GRAPH_ENTRY_INDEX,
    findings::GRAPH_GRID_ASKED,
    findings::GRAPH_BUDGET_BROKEN,
    findings::GRAPH_DROPPED,
    findings::GRAPH_TOO_DEEP,
    findings::GRAPH_GENERATION,
    findings::GRAPH_UNFINISHED,
    findings::GRAPH_NODE_REFUSED,
    findings::GRAPH_ALWAYS_VALID,
    findings::GRAPH_WIDTH,
    findings::GRAPH_GRID_UNUSED,
];

/// Findings about one launch of a graph.
#[derive(Debug, Clone, Copy)]
pub struct Launched<'g> {
    /// The graph.
    pub graph: &'g WorkGraph,
}

impl Launched<'_> {
    fn at(&self, node: usize) -> (Option<Place>, String) {
        let label = self.graph.nodes.get(node).map(|node| node.label()).unwrap_or_default();
        (self.place(node), label)
    }

    fn place(&self, node: usize) -> Option<Place> {
        self.graph.nodes.get(node).map(|node| node.id.place())
    }

    fn id(&self, node: usize) -> String {
        self.graph.nodes.get(node).map(|node| node.id.to_string()).unwrap_or_default()
    }

    fn output(&self, node: usize, output: usize) -> String {
        let output_at = self.graph.nodes.get(node).and_then(|node| node.outputs.get(output));
        output_at.map_or_else(|| format!("#{output}"), |is| is.label(output))
    }

    /// The stride of the records that the host passes to a node: 0 repeats the first.
    pub fn stride(&self, node: usize, stride: u64) -> Option<Finding> {
        let record = self.graph.nodes.get(node)?.record()?;
        let (bytes, align) = (u64::from(record.bytes), u64::from(record.align.max(4)));
        if stride == 0 || (stride >= bytes && stride.is_multiple_of(align)) {
            return None;
        }
        let (place, name) = self.at(node);
        let message = format!("entry {name}: stride {stride} invalid for {bytes}-byte records");
        Some(findings::GRAPH_STRIDE.at(None, place, message))
    }

    /// The address of a structure that the device reads: a multiple of 8.
    pub fn address(&self, node: usize, address: u64) -> Option<Finding> {
        if address.is_multiple_of(8) {
            return None;
        }
        let (place, name) = self.at(node);
        let message = format!("entry {name}: input at address {address:#x}, expected a multiple of 8");
        Some(findings::GRAPH_STRIDE.at(None, place, message))
    }

    /// The index of an entry point in a structure that the device reads.
    pub fn entry_index(&self, index: u32) -> Option<Finding> {
        let entries = self.graph.nodes.iter().filter(|node| node.starts()).count();
        if (index as usize) < entries {
            return None;
        }
        Some(findings::GRAPH_ENTRY_INDEX.at(None, None, format!("entry index {index}, graph has {entries}")))
    }

    /// The grid that a record asks for.
    pub fn grid(&self, node: usize, record: u64, grid: [u32; 3]) -> Option<Finding> {
        let most = self.graph.nodes.get(node).filter(|node| node.has_dynamic_grid())?.max_grid?;
        if grid.iter().zip(&most).all(|(asked, most)| asked <= most) {
            return None;
        }
        let ([x, y, z], [mx, my, mz]) = (grid, most);
        let id = self.id(node);
        let message = format!("{id} record #{record}: grid {x},{y},{z} exceeds declared {mx},{my},{mz}");
        Some(findings::GRAPH_GRID_ASKED.at(None, self.place(node), message))
    }

    /// The records of one output, of so many launches together, against what they declare.
    pub fn written(&self, node: usize, output: usize, launches: u64, records: u64) -> Option<Finding> {
        let declared = u64::from(self.graph.nodes.get(node)?.outputs.get(output)?.max_records);
        if records <= declared.saturating_mul(launches) {
            return None;
        }
        let (place, name) = self.at(node);
        let output = self.output(node, output);
        let who = if launches == 1 { "launch".to_owned() } else { format!("{launches} launches") };
        let records = counted(records, "record");
        let message = format!("{name} {who}: {records} on {output}, declared {declared} each");
        Some(findings::GRAPH_BUDGET_BROKEN.at(None, place, message))
    }

    /// Records that were sent to an absent node.
    pub fn dropped(&self, node: usize, records: u64, to: &NodeId) -> Finding {
        let (place, name) = self.at(node);
        findings::GRAPH_DROPPED.at(
            None,
            place,
            format!("{name}: {} sent to absent node {to}", counted(records, "record")),
        )
    }

    /// Records that a node sent to itself at its last level.
    pub fn too_deep(&self, node: usize, records: u64) -> Finding {
        let (place, name) = self.at(node);
        let message = format!("{name}: {} sent to itself with no recursion level left", counted(records, "record"));
        findings::GRAPH_TOO_DEEP.at(None, place, message)
    }

    /// A generation that has records.
    pub fn generation(&self, generation: u32) -> Option<Finding> {
        let message = format!("generation {generation} still has records, limit {LAST_GENERATION}");
        (generation > LAST_GENERATION).then(|| findings::GRAPH_GENERATION.at(None, None, message))
    }

    /// A tracked record that some of its groups did not finish with: legal only where none did.
    pub fn unfinished(&self, node: usize, record: u64, left: u64, groups: u64) -> Option<Finding> {
        if left == 0 || left == groups {
            return None;
        }
        let id = self.id(node);
        let message =
            format!("{id} record #{record}: {left} of {groups} groups did not call FinishedCrossGroupSharing");
        Some(findings::GRAPH_UNFINISHED.at(None, self.place(node), message))
    }
}

impl RecordType {
    /// The grid that a record asks for; components that it has not are 1.
    pub fn grid_of(&self, record: &[u8]) -> Option<[u32; 3]> {
        let grid = self.grid?;
        let mut out = [1; 3];
        let size = grid.scalar.bytes() as usize;
        for (axis, value) in out.iter_mut().enumerate().take(grid.components as usize) {
            let at = grid.offset as usize + axis * size;
            *value = u32::try_from(grid.scalar.value(record.get(at..)?).as_u64()?).ok()?;
        }
        Some(out)
    }
}
/// Rules that a graph which runs may not break: a reader would not get what was written, or the amount of work is
/// unknown.
const UNSAFE: &[&Rule] = &[
    findings::GRAPH_ID_TWICE,
    findings::GRAPH_SIZE_DIFFERS,
    findings::GRAPH_TRACKING_DIFFERS,
    findings::GRAPH_EMPTY_DIFFERS,
    findings::GRAPH_INPUTS,
    findings::GRAPH_GROUP_SIZE,
    findings::GRAPH_GRID_SIZE,
    findings::GRAPH_GRID_CHOICE,
    findings::GRAPH_GRID_MEMBER,
    findings::GRAPH_BUDGET,
];

/// Whether a finding is of a rule that only a run breaks.
pub fn is_of_run(finding: &Finding) -> bool {
    finding.is_of(OF_RUN)
}

/// Why a graph is not run, by what was found in it.
pub fn why_not_run(findings: &[Finding]) -> Option<String> {
    let first = findings.iter().find(|finding| finding.is_of(UNSAFE))?;
    Some(format!("the graph cannot run: {} {}", first.code, first.message))
}
