//! Work graphs through the loader: SPIR-V that enqueues nodes, and sizes.

use std::path::Path;
use std::time::{Duration, Instant};

use lanescope_core::analyse;
use lanescope_core::graph::{EdgeKind, GraphSource, Launch};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::report::Report;

fn report(name: &str) -> Report {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/work_graphs").join(name);
    let program = load(&[path], &[]).unwrap_or_else(|error| panic!("{error}"));
    analyse(&program, &Options::default()).expect("analyses")
}

#[test]
fn spirv_nodes_and_edges_are_the_same_model() {
    let report = report("enqueue.spvasm");
    let graph = report.graph.as_ref().expect("a graph");
    assert_eq!(graph.source, GraphSource::Spirv);
    let [start, leaf] = &graph.nodes[..] else { panic!("two nodes: {:?}", graph.nodes) };
    assert_eq!(
        (start.label(), start.entry, start.grid, start.threads),
        ("Start".to_owned(), true, Some([4, 1, 1]), [32, 1, 1])
    );
    assert_eq!((leaf.launch, leaf.entry, leaf.max_grid), (Launch::Broadcasting, false, Some([16, 1, 1])));
    let record = leaf.record().expect("a payload");
    assert_eq!(
        (record.name.as_deref(), record.bytes, record.grid.map(|grid| grid.offset)),
        (Some("Payload"), 8, Some(4))
    );
    assert_eq!((start.outputs[0].max_records, start.outputs[0].array), (8, None));
    let edges: Vec<_> = graph.edges.iter().map(|edge| (edge.from, edge.to, edge.kind)).collect();
    assert_eq!(edges, [(0, 1, EdgeKind::Records)]);
    let codes: Vec<_> = report.findings.iter().filter(|f| f.code.starts_with('G')).collect();
    assert!(codes.is_empty(), "{codes:?}");
}

/// What a user waits for when the largest bundled graphs are opened, short of the device.
#[test]
fn hundreds_of_nodes_link_at_once() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/work_graphs/rules/g33_sharers_257.dxil");
    let dxil = lanescope_core::dxil::Dxil::read(std::fs::read(path).expect("reads")).expect("a container");
    let begin = Instant::now();
    let nodes = lanescope_core::graph::nodes(&dxil, 0);
    let graph = lanescope_core::graph::link(nodes, GraphSource::Dxil, &lanescope_core::graph::Overrides::default());
    lanescope_core::graph::check(&graph);
    assert_eq!(graph.nodes.len(), 259);
    // Unoptimised and on a machine that does other things too.
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
}
