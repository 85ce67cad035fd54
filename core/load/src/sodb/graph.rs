//! The work graph of a state object: its overrides, in the words of the library.

use lanescope_dxil::Dxil;
use lanescope_model::overrides::{NodeId, NodeName, NodeOverride, OutputOverride, Overrides};
use lanescope_sodb::Record;

/// What a state object says of nodes.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The overrides, where it has a work graph.
    pub overrides: Option<Overrides>,
    /// Parts that are not applied: where, and what.
    pub not_applied: Vec<(String, String)>,
}

/// Reads the overrides of a state object's work graph, whose libraries are these.
pub(super) fn read(object: &Record<'_>, libraries: &[&Dxil]) -> Graph {
    let mut out = Graph::default();
    let graphs = object.list("so_to_work_graph_associations");
    let mut graphs = graphs.iter().filter_map(|row| row.named_row("WorkGraphKey").ok().flatten());
    let Some(graph) = graphs.next() else { return out };
    for other in graphs {
        out.not_applied.push((other.place(), "a second work graph; the first one is shown".to_owned()));
    }
    // D3D12_WORK_GRAPH_FLAG_INCLUDE_ALL_AVAILABLE_NODES.
    let include_all = graph.word("Flags").is_some_and(|flags| flags & 1 != 0);
    let mut overrides = Overrides { include_all, ..Overrides::default() };
    // The name in the library of what is renamed to an id.
    let mut renamed: Vec<(NodeId, String)> = Vec::new();
    for row in graph.list("work_graph_to_work_graph_node_associations") {
        let Ok(Some(node)) = row.named_row("WorkGraphNodeKey") else { continue };
        let Some(shader) = node.text("ShaderOrProgram") else { continue };
        if node.number("NodeType") != Some(0) {
            out.not_applied.push((node.place(), "a node that is a program".to_owned()));
            continue;
        }
        let name = name_of(shader, libraries);
        let mut change = of_node(&node);
        // Names of outputs and budgets.
        for row in node.list("workgraph_node_to_node_output_overrides_associations") {
            let Ok(Some(output)) = row.named_row("NodeOutputOverridesKey") else { continue };
            let Some(index) = output.word("OutputIndex") else { continue };
            change.outputs.insert(index.to_string(), of_output(&output));
        }
        if let Some(NodeName(id)) = &change.rename {
            renamed.push((id.clone(), name.clone()));
        }
        if overrides.nodes.contains_key(&name) {
            out.not_applied.push((node.place(), "a second node of the same shader".to_owned()));
            continue;
        }
        if let Some(count) = node.number("MaxInputRecordsPerGraphEntryRecord_RecordCount").filter(|count| *count > 0) {
            out.not_applied.push((node.place(), format!("MaxInputRecordsPerGraphEntryRecord {count}")));
        }
        overrides.nodes.insert(name, change);
    }
    for row in graph.list("work_graph_to_entrypoint_node_id_associations") {
        let Ok(Some(id)) = row.named_row("NodeIDKey") else { continue };
        let Some(id) = node_id(&id) else { continue };
        let known = renamed.iter().find(|(new, _)| *new == id).map(|(_, name)| name.clone());
        overrides.nodes.entry(known.unwrap_or_else(|| id.to_string())).or_default().entry = Some(true);
    }
    out.overrides = Some(overrides);
    out
}

/// The id of the node that a function of a library is; overrides look for ids first.
fn name_of(function: &str, libraries: &[&Dxil]) -> String {
    for dxil in libraries {
        let Some(program) = &dxil.program else { continue };
        for entry in &program.dx.entries {
            if let Some(node) = &entry.properties.node
                && (entry.name == function || dxil.entry_name(entry) == function)
            {
                let id =
                    if node.name.is_empty() { NodeId::new(function, 0) } else { NodeId::new(&node.name, node.index) };
                return id.to_string();
            }
        }
    }
    function.to_owned()
}

fn node_id(record: &Record<'_>) -> Option<NodeId> {
    Some(NodeId::new(record.text("Name")?, record.word("ArrayIndex")?))
}

fn named_id(record: &Record<'_>, column: &str) -> Option<NodeName> {
    node_id(&record.named_row(column).ok().flatten()?).map(NodeName)
}

fn of_node(node: &Record<'_>) -> NodeOverride {
    let grid = |columns: [&str; 3]| -> Option<[u32; 3]> {
        let [x, y, z] = columns.map(|column| node.word(column));
        Some([x?, y?, z?])
    };
    NodeOverride {
        rename: named_id(node, "NewName"),
        entry: node.number("ProgramEntry").map(|value| value != 0),
        grid: grid(["DispatchGridX", "DispatchGridY", "DispatchGridZ"]),
        max_grid: grid(["MaxDispatchGridX", "MaxDispatchGridY", "MaxDispatchGridZ"]),
        local_root_table: node.word("LocalRootArgumentsTableIndex"),
        share_input_of: named_id(node, "ShareInputOf"),
        ..NodeOverride::default()
    }
}

fn of_output(output: &Record<'_>) -> OutputOverride {
    OutputOverride {
        rename: named_id(output, "NewName"),
        max_records: output.word("MaxRecords"),
        max_records_shared_with: output.word("MaxRecordsSharedWithOutputIndex").map(|index| index.to_string()),
        sparse: output.number("AllowSparseNodes").map(|value| value != 0),
    }
}
