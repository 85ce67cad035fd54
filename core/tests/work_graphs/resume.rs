//! Runs that go on from a generation that another run was at.

use lanescope_core::gpu::{DeviceOptions, run_graph, run_graph_telling};
use lanescope_core::run::graph::{GraphMode, GraphPart, GraphRun, Growing, Held, LocalRoots};

use super::common::{Sample, multisets, words};

/// The sample, from before a generation of a run on: what its parts and its end make together.
fn resumed(sample: &Sample, from: &GraphRun, at: usize, change: impl FnOnce(&mut Sample)) -> GraphRun {
    let mut sample = sample.clone();
    sample.request.resume = Some(Box::new(from.resume(at).unwrap_or_else(|why| panic!("{why}"))));
    change(&mut sample);
    let device =
        DeviceOptions { device: Some("llvmpipe".to_owned()), validate: sample.validate, timeout: sample.timeout };
    let mut growing = Growing::going_on_from(from.before_generation(at));
    let mut listen = |part: GraphPart| {
        growing.take(part);
        None
    };
    let Sample { dxil, graph, request, inputs, .. } = &sample;
    let run = run_graph_telling(&device, dxil, graph, request, inputs, Some(&mut listen));
    let run = run.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.warnings, Vec::<String>::new());
    growing.finish(GraphRun { generations: Vec::new(), ..run })
}

#[test]
fn a_run_comes_to_the_same_end_from_each_of_its_generations() {
    for name in [
        "01_tile_classify.dxil",
        "02_quadtree_recursion.dxil",
        "05_sparse_array.dxil",
        "06_cross_group_sharing.dxil",
        "07_wide_dag.dxil",
        "scenarios/23_tracked_sharing.dxil",
        "scenarios/24_share_input.dxil",
        "scenarios/32_fresh_and_recursive.dxil",
    ] {
        let sample = Sample::of(name);
        let whole = sample.run();
        for at in 0..whole.generations.len() {
            let run = resumed(&sample, &whole, at, |_| {});
            assert_eq!((multisets(&run), &run.contents), (multisets(&whole), &whole.contents), "{name}, {at}");
            assert_eq!((&run.start, &run.findings), (&whole.start, &whole.findings), "{name}, {at}");
            assert_eq!(run.generations.len(), whole.generations.len(), "{name}, {at}");
        }
    }
}

#[test]
fn a_changed_record_changes_what_comes_and_nothing_before() {
    let sample = Sample::of("01_tile_classify.dxil");
    let whole = sample.run();
    let material = whole.graph.named("Material[0]").expect("a node");
    let run = resumed(&sample, &whole, 1, |sample| {
        let resume = sample.request.resume.as_mut().expect("it goes on");
        let node = resume.nodes.iter_mut().find(|node| node.node == material).expect("it has records");
        let mut bytes = node.records.get(0).expect("kept").to_vec();
        bytes[4..].copy_from_slice(&3u32.to_le_bytes());
        node.records.replace(0, &bytes, 8, &mut node.edited).expect("it fits");
    });
    assert_eq!(words(&run, 0)[8..13], [25, 26, 26, 26, 25]);
    assert_eq!(run.generations[0], whole.generations[0]);
    let changed = run.generations[1].nodes.iter().find(|node| node.node == material).expect("it ran");
    assert_eq!((changed.edited.len(), whole.generations[1].nodes[0].edited.len()), (1, 0));
}

#[test]
fn a_grid_that_was_refused_is_made_smaller_and_runs() {
    let sample = Sample::of("scenarios/01_counter_box.dxil").words("Box", &[1, 1, 1, 3, 1, 1]);
    let refused = sample.try_run().expect("a run");
    assert!(refused.stopped.is_some() && refused.findings.iter().any(|finding| finding.code == "G40"));
    let run = resumed(&sample, &refused, 0, |sample| {
        let node = &mut sample.request.resume.as_mut().expect("it goes on").nodes[0];
        let grid: Vec<u8> = [2u32, 1, 1].iter().flat_map(|axis| axis.to_le_bytes()).collect();
        node.records.replace(1, &grid, 12, &mut node.edited).expect("it fits");
    });
    let plain = Sample::of("scenarios/01_counter_box.dxil").words("Box", &[1, 1, 1, 2, 1, 1]).run();
    assert_eq!((&run.contents, &run.stopped, &run.findings), (&plain.contents, &None, &plain.findings));
}

#[test]
fn a_run_that_was_ended_goes_on_where_its_records_wait() {
    let mut ended = Sample::of("scenarios/22_recursion.dxil");
    ended.request.until = Some(2);
    let before = ended.run();
    assert_eq!((before.generations.len(), before.waits_for()), (3, (0, 3)));
    let whole = Sample::of("scenarios/22_recursion.dxil").run();
    let run = resumed(&Sample::of("scenarios/22_recursion.dxil"), &before, 3, |_| {});
    assert_eq!((multisets(&run), &run.contents), (multisets(&whole), &whole.contents));
    assert!(before.resume(4).is_err() && whole.resume(whole.generations.len()).is_err(), "nothing waits there");
}

#[test]
fn a_later_start_follows_the_one_that_goes_on() {
    let sample = Sample::of("03_coalescing_reduce.dxil").dispatches(2);
    let whole = sample.run();
    for at in 0..whole.generations.len() {
        let run = resumed(&sample, &whole, at, |_| {});
        assert_eq!((multisets(&run), &run.contents), (multisets(&whole), &whole.contents), "{at}");
    }
    let inputs = whole.first_inputs().expect("kept");
    assert_eq!((inputs.len(), inputs[0].count), (1, whole.generations[0].nodes[0].count));
}

#[test]
fn buffers_of_local_root_arguments_and_given_sizes_are_put_back() {
    let roots = r#"{ "buffers": { "buf": 1024 }, "table": [["buf", 30, 20], ["buf", 40, 50]] }"#;
    let mut sample = Sample::of("scenarios/25_local_roots.dxil");
    sample.request.local_roots = serde_json::from_str::<LocalRoots>(roots).expect("arguments");
    let whole = sample.run();
    let last = whole.generations.len() - 1;
    assert_eq!(resumed(&sample, &whole, last, |_| {}).contents, whole.contents);
    let gather = [100, 50, 150, 40, 200, 79, 300, 40, 400, 30, 490, 20, 530, 10, 32, 32];
    let sized = Sample::of("scenarios/16_coalescing_entry.dxil").words("Gather", &gather).buffer(0, 8192);
    let whole = sized.run();
    // Nobody gives the size once more.
    let plain = Sample::of("scenarios/16_coalescing_entry.dxil").words("Gather", &gather);
    assert_eq!(resumed(&plain, &whole, 0, |_| {}).contents, whole.contents);
}

#[test]
fn what_is_not_known_is_not_gone_on_from() {
    let free = Sample::of("01_tile_classify.dxil").mode(GraphMode::Free).run();
    assert!(free.resume(1).expect_err("it led itself").contains("the device led itself"));
    let mut run = Sample::of("03_coalescing_reduce.dxil").dispatches(2).run();
    let name = run.buffers[0].name.clone();
    let last = run.generations.len() - 1;
    for generation in &mut run.generations {
        generation.left_out.extend(std::mem::take(&mut generation.changed).into_keys());
    }
    assert_eq!(run.contents_after(Some(last), &name), Held::NotKept);
    assert!(run.resume(last).expect_err("not kept").contains("more than a run keeps"));
    assert!(run.resume(0).is_ok(), "before anything ran it held zeros");
    let mut run = Sample::of("01_tile_classify.dxil").run();
    run.generations[1].nodes[0].records.bytes.0.clear();
    assert!(run.resume(1).expect_err("not kept").contains("the records of Material[0]"));
    // Another graph's records.
    let mut other = Sample::of("02_quadtree_recursion.dxil");
    let resume = Sample::of("01_tile_classify.dxil").run().resume(1).expect("kept");
    other.request.resume = Some(Box::new(resume.clone()));
    let device = DeviceOptions { device: Some("llvmpipe".to_owned()), ..DeviceOptions::default() };
    let error =
        run_graph(&device, &other.dxil, &other.graph, &other.request, &other.inputs).expect_err("another graph");
    assert!(error.to_string().contains("graph"), "{error}");
    let mut free = Sample::of("01_tile_classify.dxil").mode(GraphMode::Free);
    free.request.resume = Some(Box::new(resume));
    assert!(run_graph(&device, &free.dxil, &free.graph, &free.request, &free.inputs).is_err());
}
