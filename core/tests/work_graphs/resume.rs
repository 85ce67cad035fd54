//! Runs that resume from a generation of another run.

use lanescope_core::gpu::{Content, DeviceOptions, Given, run_graph, run_graph_telling};
use lanescope_core::graph::LAST_GENERATION;
use lanescope_core::run::Blob;
use lanescope_core::run::graph::{
    GraphMode, GraphPart, GraphRun, Growing, Held, LocalRoots, MAX_DISPATCHES, Resume, file,
};

use super::common::{Sample, multisets, words};

/// The sample, from before a generation of a run on: what its parts and its end make together.
fn resumed(sample: &Sample, from: &GraphRun, at: usize, change: impl FnOnce(&mut Sample)) -> GraphRun {
    let mut sample = sample.clone();
    let from = &file::write(from).and_then(|saved| file::read(&saved)).unwrap_or_else(|error| panic!("{error}"));
    assert!(sample.graph.is_as_saved(&from.graph));
    sample.request.resume = Some(Box::new(from.resume(at).unwrap_or_else(|why| panic!("{why}"))));
    change(&mut sample);
    let device = DeviceOptions {
        device: Some("llvmpipe".to_owned()),
        validate: sample.validate,
        timeout: sample.timeout,
        ..DeviceOptions::default()
    };
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
fn resuming_from_any_generation_gives_the_same_result() {
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
fn resumed_run_keeps_earlier_findings() {
    let text = r#"{"nodes": {"Material[2]": {"rename": "Other"}}, "allow_missing": true, "include_all": false}"#;
    let sample = Sample::with("01_tile_classify.dxil", &serde_json::from_str(text).expect("overrides"));
    let whole = sample.run();
    assert_eq!(whole.findings.iter().map(|is| is.code.as_str()).collect::<Vec<_>>(), ["G42"]);
    assert_eq!((&whole.generations[0].findings, whole.generations[1].findings.len()), (&whole.findings, 0));
    assert_eq!(resumed(&sample, &whole, 1, |_| {}).findings, whole.findings);
    assert_eq!(resumed(&sample, &whole, 0, |_| {}).findings, whole.findings, "it is found once more, not twice");
}

#[test]
fn edited_record_changes_later_results_only() {
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
fn refused_grid_runs_after_an_edit() {
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
fn ended_run_resumes_at_its_pending_records() {
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
fn later_start_follows_the_resumed_one() {
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
fn restores_local_root_buffers_and_explicit_sizes() {
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

/// The error of resuming a sample from a state.
fn refusal(sample: &Sample, resume: Resume) -> String {
    let mut sample = sample.clone();
    sample.request.resume = Some(Box::new(resume));
    sample.try_run().expect_err("it does not go on").to_string()
}

#[test]
fn refuses_invalid_resume_states() {
    let sample = Sample::of("02_quadtree_recursion.dxil");
    let whole = sample.run();
    let (first, second) = (whole.resume(0).expect("kept"), whole.resume(1).expect("kept"));
    let changed = |from: &Resume, change: &dyn Fn(&mut Resume)| {
        let mut resume = from.clone();
        change(&mut resume);
        resume
    };
    let recursion = whole.graph.nodes[second.nodes[0].node].recursion;
    let levels = format!("{} levels of recursion left; the node has {recursion}", recursion + 1);
    type Case<'c> = (&'c Resume, &'c dyn Fn(&mut Resume), &'c str);
    let cases: [Case<'_>; 10] = [
        (&second, &|at| at.number = u32::MAX, "the last generation is 32"),
        (&second, &|at| at.number = LAST_GENERATION + 1, "before generation 33"),
        (&second, &|at| at.dispatch = MAX_DISPATCHES, "start 65536; the last start is 65535"),
        (&second, &|at| at.dispatch = u32::MAX, "start 4294967295"),
        (&second, &|at| at.nodes[0].node = 999, "records of node 999; this graph has"),
        (&second, &|at| at.nodes[0].remaining = recursion + 1, &levels),
        (&second, &|at| at.nodes[0].entry = true, "host records; expected only in generation 0"),
        (&first, &|at| at.nodes[0].entry = false, "records written by a node; a start needs"),
        (&second, &|at| at.nodes.extend_from_within(0..1), "two lists of records with"),
        (&second, &|at| at.nodes[0].count = 1 << 40, "the limit is 16777216"),
    ];
    for (from, change, words) in cases {
        let error = refusal(&sample, changed(from, change));
        assert!(error.contains(words), "{words}: {error}");
    }
    let error = refusal(&sample, changed(&second, &|at| at.nodes[0].records.bytes.0.push(0)));
    assert!(error.contains("bytes at stride") && error.contains(": expected "), "{error}");
}

#[test]
fn refuses_contents_without_a_matching_resource() {
    let sample = Sample::of("03_coalescing_reduce.dxil");
    let whole = sample.run();
    let resume = whole.resume(1).expect("kept");
    let is = whole.buffers[0].clone();
    let mut given = sample.clone();
    let (set, binding, element) = (is.set, is.binding, Some(is.element));
    let content = Content::Bytes(Blob(vec![1; is.bytes as usize]));
    given.inputs.buffers.push(Given { set, binding, element, content });
    let error = refusal(&given, resume.clone());
    assert!(error.contains(&format!("the contents of {} cannot be set", is.name)), "{error}");
    let mut other = resume.clone();
    other.contents.insert("local.gone".to_owned(), Blob(vec![0; 4]));
    let error = refusal(&sample, other);
    assert!(error.contains("wrote local.gone, which no node of this graph writes; written are: "), "{error}");
    // Zeros have a size too.
    let mut larger = sample.clone();
    larger.inputs.buffers.push(Given { set, binding, element, content: Content::Size(is.bytes + 4) });
    let mut zeros = resume;
    zeros.contents.clear();
    let error = refusal(&larger, zeros);
    assert!(error.contains(&format!("{} bytes; the resumed run had {}", is.bytes + 4, is.bytes)), "{error}");
}

#[test]
fn edited_record_is_original_in_later_starts() {
    let whole = Sample::of("scenarios/01_counter_box.dxil").words("Box", &[1, 2, 2]).run();
    let first = whole.first_inputs().expect("kept");
    let mut edited = whole.clone();
    let node = &mut edited.generations[0].nodes[0];
    let size = first[0].bytes.0.len();
    node.records.replace(0, &vec![9; size], size as u32, &mut node.edited).expect("it fits");
    assert_eq!(node.edited.len(), 1);
    assert_eq!(edited.first_inputs().expect("kept"), first);
    edited.generations[0].nodes[0].edited[0].record = u64::MAX;
    assert!(edited.first_inputs().expect_err("no such record").contains("there are 1"));
}

#[test]
fn refuses_to_resume_from_unknown_state() {
    let free = Sample::of("01_tile_classify.dxil").mode(GraphMode::Free).run();
    assert!(free.resume(1).expect_err("it led itself").contains("a GPU-driven run does not"));
    let mut run = Sample::of("03_coalescing_reduce.dxil").dispatches(2).run();
    let name = run.buffers[0].name.clone();
    let last = run.generations.len() - 1;
    for generation in &mut run.generations {
        generation.left_out.extend(std::mem::take(&mut generation.changed).into_keys());
    }
    assert_eq!(run.contents_after(Some(last), &name), Held::NotKept);
    assert!(run.resume(last).expect_err("not kept").contains("too large to keep"));
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
