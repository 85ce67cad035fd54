//! Local root arguments: where their buffers and each node's arguments are in one piece of memory.

use std::collections::BTreeMap;

use super::plan::NodePlan;
use crate::gpu::{GpuError, MAX_BUFFER};
use lanescope_passes::graph::WorkGraph;
use lanescope_run::graph::LocalRoots;

/// What each buffer and the arguments are aligned to.
const ALIGN: u64 = 256;

/// Buffers, then the arguments of nodes, in one piece of memory. It begins with bytes that nothing uses.
pub(super) struct RootLayout {
    /// Buffers by name: offset and size in bytes.
    pub buffers: BTreeMap<String, (u64, u64)>,
    /// Offset of a node's arguments.
    pub arguments: BTreeMap<usize, u64>,
    /// Bytes of everything.
    pub bytes: u64,
}

impl RootLayout {
    /// # Errors
    /// A buffer that is too large.
    pub fn new(
        graph: &WorkGraph,
        plans: &[Result<NodePlan, String>],
        roots: &LocalRoots,
    ) -> Result<RootLayout, GpuError> {
        let mut at = ALIGN;
        let mut buffers = BTreeMap::new();
        for (name, buffer) in &roots.buffers {
            let bytes = buffer.bytes();
            if bytes > MAX_BUFFER {
                let what = format!("the buffer `{name}` of local root arguments (bytes)");
                return Err(GpuError::TooLarge { what, needed: bytes, limit: MAX_BUFFER });
            }
            buffers.insert(name.clone(), (at, bytes));
            at += bytes.max(4).next_multiple_of(ALIGN);
        }
        let mut arguments = BTreeMap::new();
        for (node, plan) in plans.iter().take(graph.nodes.len()).enumerate() {
            let Ok(plan) = plan else { continue };
            if plan.local.is_empty() {
                continue;
            }
            arguments.insert(node, at);
            let size = plan.local.iter().map(|p| 8 + 4 * u64::from(p.constants.unwrap_or(0))).sum::<u64>();
            at += size.next_multiple_of(ALIGN);
        }
        Ok(RootLayout { buffers, arguments, bytes: at })
    }
}

/// The bytes of a node's local root arguments; absent where it has none. `address` says where a buffer is.
///
/// # Errors
/// An entry that the table does not have; values that do not fit the node's local root signature.
pub(super) fn arguments(
    graph: &WorkGraph,
    plans: &[Result<NodePlan, String>],
    roots: &LocalRoots,
    node: usize,
    address: impl Fn(&str) -> Option<u64>,
) -> Result<Option<Vec<u8>>, GpuError> {
    let wrong = |why: String| GpuError::Unusable(format!("local root arguments: {why}"));
    let (Some(is), Some(Ok(plan))) = (graph.nodes.get(node), plans.get(node)) else { return Ok(None) };
    if plan.local.is_empty() {
        return Ok(None);
    }
    let entry = is.local_root_table.unwrap_or(0);
    let values = roots.table.get(entry as usize).ok_or_else(|| {
        let there = roots.table.len();
        wrong(format!(
            "{} uses entry {entry} of the table, which has {there} entries; set them with --local-root",
            is.id
        ))
    })?;
    plan.arguments(values, address).map(Some).map_err(|why| wrong(format!("{}: {why}", is.id)))
}
