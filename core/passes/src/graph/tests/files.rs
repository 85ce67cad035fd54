//! The samples: those that violate a rule, those that obey it, and all others.

use std::path::{Path, PathBuf};

use super::*;
use crate::findings::{Finding, Severity};
use lanescope_dxil::Dxil;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/work_graphs").join(name)
}

fn libraries(name: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder(name)).expect("the samples are there");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("reads").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "dxil"));
    files.sort();
    files
}

fn read(path: &Path) -> (WorkGraph, Vec<Finding>) {
    let dxil = Dxil::read(std::fs::read(path).expect("reads")).expect("is a container");
    let graph = linked(nodes(&dxil, 0));
    let findings = check(&graph);
    (graph, findings)
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}

/// Each library's findings: the rule in its name is among them, and those that keep the limits have none.
#[test]
fn rules() {
    let mut lines = Vec::new();
    for path in libraries("rules") {
        let (name, (_, findings)) = (stem(&path), read(&path));
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
        match name.strip_prefix('g') {
            Some(rest) => {
                // That grids differ in kind is a rule of its own, as runtimes are known to take it.
                let code = if name == "g11_array_grids" { "G52".to_owned() } else { format!("G{}", &rest[..2]) };
                assert!(codes.contains(&code.as_str()), "{name}: {code} expected, {codes:?} found");
            }
            None => {
                // One note that the limit is reached, and outputs, most of which have no target on purpose.
                let besides = match name.as_str() {
                    "ok02_recursion_chain" => "G46",
                    "ok16_outputs_1024" => "G10",
                    _ => "",
                };
                assert!(codes.iter().all(|code| *code == besides), "{name}: {codes:?}");
                assert!(findings.iter().all(|finding| finding.severity != Severity::Error), "{name}");
            }
        }
        lines.push(name.to_string());
        let shown = findings.iter().take(4);
        lines.extend(shown.map(|f| format!("  {} {:7} {}", f.code, f.severity, f.message)));
        if findings.len() > 4 {
            lines.push(format!("  … {} in all", findings.len()));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// Graphs as lines: nodes, what goes in and out, edges.
fn lines(graph: &WorkGraph) -> String {
    let mut out = Vec::new();
    let record = |record: Option<&RecordType>| match record {
        None => "empty".to_owned(),
        Some(record) => {
            let tracked = if record.tracked { " tracked" } else { "" };
            let grid = record
                .grid
                .map_or_else(String::new, |g| format!(" grid {}x{}@{}", g.scalar.bits, g.components, g.offset));
            let name = record.name.as_deref().unwrap_or("?");
            format!(
                "{name} {}b align {}{tracked}{grid} {} {}",
                record.bytes,
                record.align,
                record.source,
                record.shape.name()
            )
        }
    };
    out.push(format!("depth {} slots {}", graph.depth, graph.slots));
    for (index, node) in graph.nodes.iter().enumerate() {
        let marks = [
            (node.entry, " entry"),
            (node.promoted, " promoted"),
            (node.finishes_sharing, " finishes"),
            (node.asks_valid, " asks"),
        ];
        let marks: String = marks.iter().filter(|(on, _)| *on).map(|(_, mark)| *mark).collect();
        out.push(format!(
            "{index} {} {}{marks} threads {:?} grid {:?} max {:?} recursion {} shared {} layer {} generations {:?}",
            node.label(),
            node.launch,
            node.threads,
            node.grid,
            node.max_grid,
            node.recursion,
            node.groupshared_bytes,
            node.layer,
            node.generations
        ));
        for input in &node.inputs {
            out.push(format!(
                "  in {:?} {} {} {:?}: {}",
                input.name,
                input.kind,
                input.access,
                input.max_records,
                record(input.record.as_ref())
            ));
        }
        for (at, output) in node.outputs.iter().enumerate() {
            out.push(format!(
                "  out {} {} -> {} array {:?} sparse {} max {} shares {:?} missing {:?}: {}",
                output.label(at),
                output.kind,
                output.target,
                output.array,
                output.sparse,
                output.max_records,
                output.shares_budget_of,
                output.missing,
                record(output.record.as_ref())
            ));
        }
    }
    for edge in &graph.edges {
        let slot = edge.slot.map_or_else(String::new, |slot| format!(" {}.{}", slot.output, slot.element));
        out.push(format!(
            "{}{slot} -> {} {}{}",
            edge.from,
            edge.to,
            edge.kind,
            if edge.optional { " optional" } else { "" }
        ));
    }
    out.join("\n")
}

#[test]
fn samples_and_scenarios() {
    for path in [libraries(""), libraries("scenarios")].concat() {
        let (graph, findings) = read(&path);
        let findings: Vec<_> = findings.iter().map(|f| format!("{} {}", f.code, f.message)).collect();
        insta::assert_snapshot!(
            format!("graph_{}", stem(&path)),
            format!("{}\n{}", lines(&graph), findings.join("\n"))
        );
    }
}
