//! The same work divided in other ways gives the same records and results.

use std::collections::BTreeMap;

use lanescope_core::graph::Overrides;
use lanescope_core::run::graph::{Cut, GraphMode, GraphRun, InputMode};

use super::common::{Multisets, Sample, add, multisets, words};
use super::samples::MODES;

const SAMPLES: &[&str] = &[
    "01_tile_classify",
    "02_quadtree_recursion",
    "03_coalescing_reduce",
    "04_broadcast_grids",
    "05_sparse_array",
    "06_cross_group_sharing",
    "07_wide_dag",
];

#[test]
fn batches_of_any_size_give_the_same_records() {
    for name in SAMPLES {
        let sample = Sample::of(&format!("{name}.dxil"));
        let whole = sample.run();
        for batch in [1, 7, 32] {
            let mut cut = sample.clone();
            cut.request.cut.batch = Some(batch);
            let run = cut.run();
            // How many groups there are is the one thing that changes: sample 3 counts them.
            let skip = |words: Vec<u32>| {
                if *name == "03_coalescing_reduce" { [&words[..2], &words[3..]].concat() } else { words }
            };
            assert_eq!(skip(words(&run, 0)), skip(words(&whole, 0)), "{name}, batches of {batch}");
            assert_eq!(multisets(&run), multisets(&whole), "{name}, batches of {batch}");
        }
    }
}

#[test]
fn a_width_of_its_own_gives_the_same_records() {
    // Sample 1 is another test's.
    for name in &SAMPLES[1..] {
        let sample = Sample::of(&format!("{name}.dxil"));
        let whole = sample.run();
        for width in [1, 2, 1024] {
            let mut cut = sample.clone();
            cut.request.cut.width = Some(width);
            let run = cut.run();
            assert_eq!(words(&run, 0), words(&whole, 0), "{name}, {width} workgroups a record");
            assert_eq!(multisets(&run), multisets(&whole), "{name}, {width} workgroups a record");
        }
    }
}

/// The records of every generation after the first, from GPU-driven runs that each end one generation later.
fn of_free_runs(sample: &Sample) -> Multisets {
    let mut out = Multisets::new();
    for until in 0.. {
        let run = sample.clone().mode(GraphMode::Free).until(until).run();
        if run.pending.is_empty() {
            break;
        }
        run.pending.iter().for_each(|node| add(&mut out, &run, until + 1, node));
    }
    out.values_mut().for_each(|records| records.sort());
    out
}

/// Records and launches of every run of a node, by generation, node and levels that are left.
fn counts(run: &GraphRun) -> BTreeMap<(u32, String, u32), (u64, u64)> {
    let mut out = BTreeMap::new();
    for generation in &run.generations {
        for node in &generation.nodes {
            let id = run.graph.nodes[node.node].id.to_string();
            let before = out.insert((generation.number, id, node.remaining), (node.count, node.launches));
            assert_eq!(before, None, "a node runs once in a generation");
        }
    }
    out
}

#[test]
fn gpu_driven_run_has_the_records_of_stepping() {
    let plan = [2, 0, 1, 1, 1, 2, 1, 1, 3, 2, 3, 0, 3, 5, 3, 1, 1, 3, 4, 4];
    let mut all: Vec<Sample> = SAMPLES.iter().map(|name| Sample::of(&format!("{name}.dxil"))).collect();
    for name in
        ["17_two_level_outputs", "18_two_level_array", "19_two_level_threads_shared", "20_two_level_threads_array"]
    {
        all.push(Sample::of(&format!("scenarios/{name}.dxil")).words("Plan", &plan).from(InputMode::Gpu));
    }
    for name in ["21_empty_records", "22_recursion", "23_tracked_sharing", "24_share_input", "32_fresh_and_recursive"] {
        all.push(Sample::of(&format!("scenarios/{name}.dxil")));
    }
    for sample in all {
        let stepping = sample.run();
        let free = sample.clone().mode(GraphMode::Free).run();
        assert_eq!(counts(&free), counts(&stepping), "{:?}", sample.request.inputs[0].entry);
        let mut stepped = multisets(&stepping);
        stepped.retain(|(generation, ..), _| *generation > 0);
        assert_eq!(of_free_runs(&sample), stepped, "{:?}", sample.request.inputs[0].entry);
    }
}

#[test]
fn runs_repeat_record_by_record() {
    for name in ["01_tile_classify", "07_wide_dag"] {
        let sample = Sample::of(&format!("{name}.dxil"));
        let first = multisets(&sample.run());
        for _ in 0..19 {
            assert_eq!(multisets(&sample.run()), first, "{name}");
        }
    }
}

#[test]
fn one_records_grid_in_parts_loses_no_group() {
    // The entry's record may write more than the ring takes at once: its grid is dispatched in parts, group by group.
    let run = Sample::of("01_tile_classify.dxil").ring(4096).run();
    let batches = &run.generations[0].nodes[0].batches;
    assert!(batches.len() > 1 && batches.iter().all(|batch| batch.which == [[0, 1]]), "{batches:?}");
    let whole = Sample::of("01_tile_classify.dxil").run();
    assert_eq!((multisets(&run), words(&run, 0)), (multisets(&whole), words(&whole, 0)));
}

#[test]
fn input_is_the_bytes_of_the_records() {
    for mode in [GraphMode::Step, GraphMode::Free] {
        let run = Sample::of("01_tile_classify.dxil").mode(mode).run();
        // One empty record, then 128 of 8 bytes.
        let bytes: Vec<_> = run.generations.iter().map(|generation| generation.ring.input).collect();
        assert_eq!(bytes.get(..2), Some(&[0, 128 * 8][..]), "{mode}");
    }
    // A grid that is cut into parts has its record once.
    let run = Sample::of("01_tile_classify.dxil").ring(4096).run();
    assert_eq!(run.generations[1].ring.input, 128 * 8);
}

#[test]
fn default_width_is_one_group_each() {
    // A loop over groups of 4 threads that allocate for targets of their own leaves after its first pass on some
    // software devices. What is chosen by itself has one pass, and so has a requested one.
    let run = Sample::of("01_tile_classify.dxil").run();
    assert_eq!(run.generations[0].nodes[0].batches[0].dispatches, [[1, 1, 8]]);
    assert_eq!(run.generations[1].nodes.iter().map(|node| node.count).sum::<u64>(), 128);
    for width in [1, 2, 8] {
        let mut sample = Sample::of("01_tile_classify.dxil");
        sample.request.cut = Cut { width: Some(width), ..Cut::default() };
        let run = sample.run();
        let records: u64 = run.generations[1].nodes.iter().map(|node| node.count).sum();
        assert_eq!((records, run.generations[0].nodes[0].batches[0].dispatches[0][2]), (128, 8), "{width}");
        let reported =
            run.findings.iter().any(|is| is.code == "G53" && is.message.starts_with("ClassifyTiles: width "));
        assert_eq!(reported, width < 8, "{width}: {:?}", run.findings);
    }
}

#[test]
fn widths_and_batches_do_not_change_results() {
    for name in ["02_quadtree_recursion", "04_broadcast_grids", "06_cross_group_sharing"] {
        let sample = Sample::of(&format!("{name}.dxil"));
        let whole = sample.run();
        for (width, batch) in [(1, 7), (2, 1), (1024, 32)] {
            for &mode in MODES {
                let mut cut = sample.clone().mode(mode);
                cut.request.cut = Cut { width: Some(width), batch: Some(batch), ..Cut::default() };
                let run = cut.run();
                assert_eq!((counts(&run), words(&run, 0)), (counts(&whole), words(&whole, 0)), "{name} {mode} {width}");
            }
        }
    }
}

#[test]
fn a_record_whose_grid_is_run_in_parts_is_one_record() {
    // What its groups might write is more than the ring takes at once.
    let mut sample = Sample::of("06_cross_group_sharing.dxil").ring(64 << 10);
    for (name, payload) in [("GatherDynamic", 1024), ("GatherFixed", 8192)] {
        let node = sample.graph.named(name).expect("a node");
        sample.graph.nodes[node].bound.payload = payload;
    }
    let run = sample.run();
    assert!(run.generations[1].nodes.iter().all(|node| node.batches.len() > 1 && node.count == 1));
    assert_eq!(words(&run, 0)[..5], [701520, 1, 12880, 1, 42], "every part has what the parts before wrote");
    assert_eq!(run.findings, []);
    let fixed = sample.graph.named("GatherFixed").expect("a node");
    sample.graph.nodes[fixed].entry = true;
    let sample = sample.count("GatherFixed", 1);
    for &mode in MODES {
        let run = sample.clone().mode(mode).run();
        assert!(run.generations[0].nodes[0].batches.len() > 1);
        assert_eq!(words(&run, 0)[..5], [0, 0, 12880, 1, 5], "{mode}");
        assert_eq!(counts(&run), BTreeMap::from([((0, "GatherFixed[0]".to_owned(), 0), (1, 5))]), "{mode}");
    }
}

#[test]
fn a_grid_in_parts_is_counted_once() {
    let text = r#"{"nodes": {"Plan": {"grid": [10, 20, 1]}}}"#;
    let sample = Sample::with("04_broadcast_grids.dxil", &serde_json::from_str(text).expect("overrides"));
    let stepped = sample.clone().ring(64 << 10).run();
    let free = sample.mode(GraphMode::Free).ring(64 << 10).run();
    assert!(free.generations[0].nodes[0].batches.len() > 1);
    assert_eq!(counts(&stepped)[&(0, "Plan[0]".to_owned(), 0)], (1, 200));
    assert_eq!((counts(&free), words(&free, 0)), (counts(&stepped), words(&stepped, 0)));
    let times: u64 = free.generations[0].nodes[0].batches.iter().map(|batch| batch.nanoseconds).sum();
    assert_eq!(times, free.generations[0].nanoseconds, "not those of later generations");
}

/// Two nodes of scenario 17 on their own: the second one reads what the first one gets.
fn shared(owner: [u32; 3], sharer: [u32; 3]) -> Sample {
    let text = format!(
        r#"{{"nodes": {{"Plan": {{"outputs": {{
            "0": {{"rename": "GoneEven", "sparse": true}}, "1": {{"rename": "GoneOdd", "sparse": true}} }} }},
            "PutEven": {{"grid": {owner:?}}}, "PutOdd": {{"grid": {sharer:?}, "share_input_of": "PutEven"}} }} }}"#
    );
    let overrides: Overrides = serde_json::from_str(&text).expect("overrides");
    // Cells from 5 on, 3 for each thread.
    Sample::with("scenarios/17_two_level_outputs.dxil", &overrides)
        .words("PutEven", &[0, 5, 3, 0, 5, 3])
        .buffer(0, 16384)
        .buffer(1, 16384)
}

#[test]
fn a_sharer_of_the_hosts_records_has_a_grid_of_its_own() {
    // More groups than a dispatch has along an axis: one of the two is dispatched as a grid, the other over its records.
    for (owner, sharer) in [([300, 300, 1], [4, 4, 1]), ([4, 4, 1], [300, 300, 1]), ([4, 2, 1], [2, 4, 1])] {
        let cells = |grid: [u32; 3], records: u32| {
            let mut out = vec![0u32; 4096];
            out[5..5 + 8 * grid[0] as usize].fill(3 * grid[1] * records);
            out
        };
        let mut all = Vec::new();
        for &mode in MODES {
            let mut sample = shared(owner, sharer).mode(mode);
            sample.validate = false;
            let run = sample.run();
            assert_eq!(words(&run, 0), cells(owner, 2), "{owner:?}, {sharer:?}, {mode}");
            assert_eq!(words(&run, 1), cells(sharer, 2), "{owner:?}, {sharer:?}, {mode}");
            all.push(counts(&run));
        }
        assert_eq!(all[0], all[1]);
    }
}

#[test]
fn a_sharer_runs_once_for_a_record_in_parts() {
    for &mode in MODES {
        let mut sample = shared([6, 6, 1], [2, 3, 1]).mode(mode).ring(64 << 10);
        let owner = sample.graph.named("PutEven").expect("a node");
        sample.graph.nodes[owner].bound.payload = 2048;
        let run = sample.run();
        let nodes = &run.generations[0].nodes;
        assert!(nodes[0].batches.len() > 2 && nodes[1].shares == Some(0), "{mode}");
        assert_eq!((nodes[0].count, nodes[0].launches, nodes[1].count, nodes[1].launches), (2, 72, 2, 12), "{mode}");
        assert_eq!(words(&run, 1)[5..22], [&[18; 16][..], &[0]].concat(), "{mode}");
    }
}

#[test]
fn unwritten_record_members_are_zero() {
    // A batch of one record, then one whose payload lies where things after the first one's were.
    let text = r#"{"inputs": [{"entry": "Heavy", "records": [[1]]},
        {"entry": "Heavy", "records": [[256]], "stride": 0, "count": 200}]}"#;
    let sample = Sample::of("scenarios/27_big_bound.dxil").records("Heavy", text);
    let run = sample.run();
    let weigh = &run.generations[1].nodes[0];
    assert_eq!((weigh.count, weigh.records.len()), (1 + 200 * 256, 1 + 200 * 256));
    assert!(weigh.records.iter().all(|record| record[4..].iter().all(|byte| *byte == 0)));
}
