//! What `AddToStateObject` changes of a work graph.
//!
//! ```text
//! WorkGraph ──Addition::of──▶ base, whole ──links, figures──▶ GraphAddition ──▶ Sheet
//! ```
//!
//! Rules: D3D12 work graphs specification, section *AddToStateObject*. The modelled scheduler adds nothing to work graphs: the
//! figures with the addition are those of a state object that is created with all nodes.

mod figures;
mod links;
mod report;
mod sheet;
mod table;

pub use report::{
    AddedLink, AddedNode, ChangedNode, EntryPoint, Figure, GenerationFigure, GraphAddition, LinkKind, Unit,
};

use super::declared::declared;
use super::report::{Declared, FirstRecords};
use super::{GraphSettings, first_records, label, notes, scheduler};
use crate::report::Source;
use lanescope_passes::findings::{Finding, GRAPH_ADDED_DEPTH};
use lanescope_passes::graph::{Addition, Node, WorkGraph, check};
use lanescope_run::graph::{GraphRun, InputMode};

/// What changes if some nodes of a graph are added to the others; `None` where that is none or all of them. The first records
/// are those of `run`, where there is one.
pub fn graph_addition(
    graph: &WorkGraph,
    is_added: impl Fn(&Node) -> bool,
    run: Option<&GraphRun>,
    settings: &GraphSettings,
) -> Option<GraphAddition> {
    let both = Addition::of(graph, is_added)?;
    let input_mode = run.map(|run| run.input_mode).or(settings.input_mode).unwrap_or(InputMode::Cpu);
    let first = First::of(&both, graph, run, settings);
    let costs = |graph: &WorkGraph, first: &[(usize, u64)]| -> Declared {
        declared(graph, first, input_mode, settings.rows, scheduler::compacts(graph))
    };
    let (before, after) = (costs(&both.base, &first.before), costs(&both.whole, &first.after));
    let named = |graph: &WorkGraph, first: &[(usize, u64)]| {
        let named = first.iter().map(|(node, records)| FirstRecords { node: label(graph, *node), records: *records });
        named.collect::<Vec<_>>()
    };
    let findings = both.check();
    Some(GraphAddition {
        scheduler: scheduler::NAME.to_owned(),
        rows: settings.rows,
        input_mode,
        first_before: named(&both.base, &first.before),
        first_after: named(&both.whole, &first.after),
        existing_nodes: both.base.nodes.len() as u64,
        nodes: links::nodes(&both),
        links: links::links(&both),
        entries: entries(&both),
        changed: changed(&both),
        figures: figures::figures(&both, &before, &after),
        generations: figures::generations(&before.generations, &after.generations),
        base_findings: check(&both.base),
        notes: limits(&both, &findings, &first, input_mode),
        findings,
        sources: sources(),
    })
}

impl GraphAddition {
    /// All findings, those of the base first.
    pub fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        self.base_findings.iter().chain(&self.findings)
    }
}

/// The first records, as node and how many.
struct First {
    before: Vec<(usize, u64)>,
    after: Vec<(usize, u64)>,
}

impl First {
    /// Those that are known of the graph that the addition was made from; else one for each entry point.
    fn of(both: &Addition, graph: &WorkGraph, run: Option<&GraphRun>, settings: &GraphSettings) -> First {
        let nothing = GraphSettings::default();
        if run.is_none() && settings.first.is_empty() {
            let [before, after] = [&both.base, &both.whole].map(|graph| first_records(graph, None, &nothing));
            return First { before, after };
        }
        let place = |node: usize| both.origins.iter().position(|origin| *origin == node);
        let known = first_records(graph, run, settings);
        let after: Vec<(usize, u64)> =
            known.iter().filter_map(|(node, records)| Some((place(*node)?, *records))).collect();
        let before = after.iter().copied().filter(|(node, _)| !both.is_added(*node)).collect();
        First { before, after }
    }
}

fn entries(both: &Addition) -> Vec<EntryPoint> {
    let all = both.entries().enumerate();
    let entry = |(index, at): (usize, usize)| {
        let origin = *both.origins.get(at)?;
        Some(EntryPoint { index: index as u64, node: label(&both.whole, at), origin, added: both.is_added(at) })
    };
    all.filter_map(entry).collect()
}

/// Existing nodes that end later on their longest chain, or are dispatched in other levels.
fn changed(both: &Addition) -> Vec<ChangedNode> {
    let pairs = both.base.nodes.iter().zip(&both.whole.nodes).zip(&both.origins);
    let differ =
        pairs.filter(|((before, after), _)| (before.depth, &before.generations) != (after.depth, &after.generations));
    differ
        .map(|((before, after), origin)| ChangedNode {
            node: after.id.to_string(),
            origin: *origin,
            depth: [before.depth, after.depth],
            levels_before: before.generations.clone(),
            levels_after: after.generations.clone(),
        })
        .collect()
}

/// What limits the sheet.
fn limits(both: &Addition, found: &[Finding], first: &First, mode: InputMode) -> Vec<String> {
    let mut out = notes(&both.whole, None, &first.after, mode);
    let mut of_base = notes(&both.base, None, &first.before, mode);
    of_base.retain(|note| !out.contains(note));
    out.extend(of_base.into_iter().map(|note| format!("base: {note}")));
    for reached in both.reached() {
        let Some(node) = both.whole.nodes.get(reached.node).filter(|_| !both.is_added(reached.node)) else { continue };
        if let Some(output) = node.outputs.get(reached.output).filter(|output| output.sparse && output.array.is_none())
        {
            out.push(format!(
                "{}.{} is sparse, but not an array: the specification names gaps of output arrays only",
                node.label(),
                output.label(reached.output)
            ));
        }
    }
    let found: Vec<_> = found.iter().filter(|finding| finding.is_of(&[GRAPH_ADDED_DEPTH])).collect();
    for (before, after) in both.base.nodes.iter().zip(&both.whole.nodes) {
        let is_found = found.iter().any(|finding| finding.place == Some(after.place()));
        if after.depth > before.depth && !is_found {
            out.push(format!(
                "{}: depth {} instead of {}, as nodes of an array start together; the specification does not say whether \
                 that counts for existing nodes",
                after.label(),
                after.depth,
                before.depth
            ));
        }
    }
    out
}

/// What the statements and figures are based on.
fn sources() -> Vec<Source> {
    let rows: [(&str, &str, &str); 12] = [
        (
            "entry point indices",
            "D",
            "existing ones stay; new ones come after them; their order is that of the files (C)",
        ),
        ("node ids", "D", "those of added nodes exist in no earlier version"),
        ("existing nodes", "D", "an addition lists new nodes only: overrides of existing ones are those of the base"),
        ("gaps", "D", "added nodes fill elements of output arrays with AllowSparseNodes or UnboundedSparseNodes"),
        ("depth", "D", "added nodes write to existing ones only if no longest chain to an existing node grows"),
        ("shared inputs", "D", "added nodes share inputs with each other only"),
        ("limits", "D", "the graph with the addition keeps all rules of graphs"),
        (
            "what is asked for anew",
            "D",
            "GetProgramIdentifier and GetWorkGraphMemoryRequirements; backing memory is initialized again; the earlier version \
             stays usable, and only the latest one grows",
        ),
        ("ALLOW_STATE_OBJECT_ADDITIONS", "D", "both state objects need the flag; it is not read here"),
        (
            "other indices",
            "D",
            "not stated for existing nodes: ask GetNodeIndex, and GetNodeLocalRootArgumentsTableIndex where no index is \
             declared, again",
        ),
        (
            "figures with the addition",
            "S, C",
            "those of a state object that is created with all nodes: the scheduler refuses additions to work graphs",
        ),
        ("figures", "D, S, C", "as in the cost sheet of each graph"),
    ];
    let source = |(figure, mark, rule): (&str, &str, &str)| Source {
        figure: figure.to_owned(),
        mark: mark.to_owned(),
        rule: rule.to_owned(),
    };
    rows.map(source).to_vec()
}
