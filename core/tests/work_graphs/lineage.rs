//! Records and the launches that wrote them.

use std::collections::BTreeMap;

use lanescope_core::graph::Launch;
use lanescope_core::run::graph::{GraphMode, GraphRun};

use super::common::Sample;

/// Writer's record and written record with the node that each is for, and how often they came together. Every writer is
/// one record's launch.
fn pairs(run: &GraphRun) -> BTreeMap<(String, Vec<u8>, String, Vec<u8>), u64> {
    let mut out = BTreeMap::new();
    for (at, generation) in run.generations.iter().enumerate() {
        for (index, node) in generation.nodes.iter().enumerate().filter(|(_, node)| node.shares.is_none()) {
            for record in 0..node.records.len() {
                let Some(writer) = run.writer(at, index, record) else { continue };
                let [of] = writer.records.as_slice() else { panic!("{writer:?}") };
                assert_eq!((writer.exact, of.end - of.start), (true, 1), "{:?}", writer.records);
                let before = &run.generations[writer.generation];
                let from = &before.nodes[writer.run];
                let bytes = run.records_of(before, from).get(of.start).map(<[u8]>::to_vec).unwrap_or_default();
                let id = |node: usize| run.graph.nodes[node].id.to_string();
                let written = node.records.get(record).expect("kept").to_vec();
                *out.entry((id(from.node), bytes, id(node.node), written)).or_insert(0) += 1;
                let caused = run.caused(writer.generation, writer.run, of.start);
                let is_there = caused.iter().any(|is| {
                    (is.generation, is.run) == (at, index) && is.records.iter().any(|range| range.contains(&record))
                });
                assert!(is_there, "what a launch caused leads back to it");
            }
        }
    }
    out
}

fn two_levels(name: &str) -> Sample {
    Sample::of(name).words("Plan", &[2, 0, 1, 1, 1, 2, 1, 1, 3, 2, 3, 0, 3, 5, 3, 1, 1, 3, 4, 4])
}

#[test]
fn records_have_their_writing_launch() {
    for sample in [
        Sample::of("01_tile_classify.dxil"),
        Sample::of("02_quadtree_recursion.dxil"),
        Sample::of("04_broadcast_grids.dxil"),
        Sample::of("05_sparse_array.dxil"),
        Sample::of("07_wide_dag.dxil"),
        Sample::of("scenarios/22_recursion.dxil"),
        Sample::of("scenarios/32_fresh_and_recursive.dxil"),
        Sample::of("scenarios/42_mixed_alignment.dxil"),
        two_levels("scenarios/17_two_level_outputs.dxil"),
        two_levels("scenarios/18_two_level_array.dxil"),
        two_levels("scenarios/19_two_level_threads_shared.dxil"),
        two_levels("scenarios/20_two_level_threads_array.dxil"),
    ] {
        // With one record a batch there is no other that could have written it.
        let mut alone = sample.clone();
        alone.request.cut.batch = Some(1);
        let (found, expected) = (pairs(&sample.run()), pairs(&alone.run()));
        assert!(!expected.is_empty());
        assert_eq!(found, expected, "{:?}", sample.request.inputs);
    }
}

#[test]
fn divided_grids_keep_their_record() {
    let mut sample = two_levels("scenarios/19_two_level_threads_shared.dxil").ring(1 << 14);
    let expected = pairs(&two_levels("scenarios/19_two_level_threads_shared.dxil").run());
    let run = sample.run();
    assert!(run.generations[0].nodes[0].batches.len() > 4, "{:?}", run.generations[0].nodes[0].batches.len());
    assert_eq!(pairs(&run), expected);
    sample.request.cut.batch = Some(3);
    assert_eq!(pairs(&sample.run()), expected);
}

#[test]
fn a_coalescing_group_is_one_launch() {
    let run = Sample::of("rules/ok17_shared_budget.dxil").strided("Pour", "[3]", Some(0), Some(5)).run();
    let mut groups = 0;
    for (at, generation) in run.generations.iter().enumerate() {
        for (index, node) in generation.nodes.iter().enumerate() {
            for record in 0..node.records.len() {
                let Some(writer) = run.writer(at, index, record) else { continue };
                let is = &run.graph.nodes[run.generations[writer.generation].nodes[writer.run].node];
                let [of] = writer.records.as_slice() else { panic!("{writer:?}") };
                let most = u64::from(is.records_per_launch());
                assert!(writer.exact && of.end - of.start <= most && of.start.is_multiple_of(most), "{writer:?}");
                groups += u64::from(is.launch == Launch::Coalescing);
            }
        }
    }
    assert_eq!(groups, 10, "each of five groups writes two records");
}

#[test]
fn gpu_driven_run_records_no_launches() {
    let run = Sample::of("07_wide_dag.dxil").mode(GraphMode::Free).run();
    let origins = run.generations.iter().flat_map(|is| &is.nodes).flat_map(|node| &node.records.origins);
    assert_eq!(origins.filter(|origin| origin.record.is_some()).count(), 0);
}
