//! Work graphs: nodes, what goes into and out of them, which node feeds which, and what a graph may not do.
//!
//! ```text
//! containers ──read──▶ nodes ──overrides──▶ nodes ──link──▶ WorkGraph ──check──▶ findings
//! ```
//!
//! * [`model`](WorkGraph): the graph as plain data; [`Node::function`] names the function to compile for a node.
//! * [`nodes`]: nodes from a container's metadata; record types from debug information, from the code, or from sizes.
//! * `spirv`: nodes of SPIR-V modules that use `SPV_AMDX_shader_enqueue`.
//! * [`Overrides`]: what a state object may change before nodes are linked.
//! * [`link`]: outputs to nodes, layers and generations.
//! * [`Addition`]: a graph in a state object, and the graph with nodes that `AddToStateObject` adds.
//! * [`Condition`]: an expression over a record's members, for breakpoints and filters.
//! * [`check`]: the rules of D3D12's work graphs as findings.
//! * [`scheduler`]: how vkd3d-proton dispatches nodes, and what it has memory for.
//!
//! Three names are kept apart: a node's [`NodeId`], by which outputs reach it; its function's name; and the name of an
//! output, a parameter of that function, which only debug information has.

mod addition;
mod bound;
mod check;
mod condition;
mod csv;
mod debug;
mod export;
mod layers;
mod link;
mod model;
mod overrides;
mod read;
mod records;
pub mod scheduler;
mod spirv;
mod table;
#[cfg(test)]
mod tests;

pub use addition::{Addition, Reached};
pub use bound::{Bound, Budget};
pub use check::{Launched, check, is_of_run, why_not_run};
pub use condition::{Condition, ConditionError};
pub use csv::{CsvError, plain_text};
pub use lanescope_model::overrides::{NodeName, NodeOverride, OutputOverride, OverrideError, Overrides};
pub use layers::LAST_GENERATION;
pub use link::{MAX_EDGES, link};
pub use model::{
    Access, Edge, EdgeKind, Element, GraphSource, GridField, Launch, Node, NodeArray, NodeId, NodeInput, NodeOutput,
    RecordType, TypeSource, UNBOUNDED, WorkGraph,
};
pub use overrides::apply_overrides;
pub use read::nodes;
pub use records::natural_layout;
pub use table::{member_table, node_table, output_table, tables_of};

use crate::findings::Finding;
use lanescope_model::program::Program;

/// Why a graph that SPIR-V describes is not run.
pub const NO_EXTENSION: &str =
    "SPV_AMDX_shader_enqueue nodes need VK_AMDX_shader_enqueue and cannot be run yet; the graph is drawn and checked";

/// The work graph of everything that was loaded, with what is wrong with it; `None` where nothing in it is a node.
pub fn graph(program: &Program, overrides: &Overrides) -> Option<(WorkGraph, Vec<Finding>)> {
    let mut all = Vec::new();
    for loaded in &program.dxil {
        all.extend(nodes(&loaded.dxil, loaded.input));
    }
    let mut source = GraphSource::Dxil;
    if all.is_empty() {
        source = GraphSource::Spirv;
        for loaded in &program.modules {
            all.extend(spirv::nodes(&loaded.module, loaded.input));
        }
    }
    if all.is_empty() {
        return None;
    }
    let mut findings = apply_overrides(overrides, &mut all);
    let graph = link(all, source, overrides);
    findings.extend(check(&graph));
    Some((graph, findings))
}
