//! Graphs, shaders and records that are malformed: each ends with an error, and with what was read back until then.

use std::time::Duration;

use lanescope_core::graph::Overrides;
use lanescope_core::run::graph::GraphMode;
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::hash;

use super::common::{Sample, samples, words};

#[test]
fn a_small_ring_changes_the_batches_only() {
    let large = Sample::of("08_million_records.dxil").run();
    let small = Sample::of("08_million_records.dxil").ring(1 << 20).run();
    assert_eq!(words(&small, 0), words(&large, 0));
    let batches = |run: &lanescope_core::run::graph::GraphRun| -> Vec<usize> {
        run.generations.iter().map(|generation| generation.nodes[0].batches.len()).collect()
    };
    assert_eq!(batches(&large)[..2], [1, 1]);
    assert!(batches(&small)[1] > 20, "{:?}", batches(&small));
}

#[test]
fn gpu_driven_run_reports_a_full_ring() {
    let run = Sample::of("08_million_records.dxil").mode(GraphMode::Free).ring(8 << 20).try_run().expect("a run");
    let stopped = run.stopped.as_ref().expect("it stops");
    assert!(stopped.why.contains("Produce[0] wrote more"), "{}", stopped.why);
    assert!(stopped.needed > stopped.available, "{stopped:?}");
    assert_eq!(stopped.generation, 1);
    let found = words(&run, 0);
    assert_eq!((found[0], found[10]), (0, 131_072), "the consumer did not run");
    // Records from the host that might not fit are run in passes.
    let records: Vec<u32> = (0..5000u32).flat_map(|_| [200]).collect();
    let sample =
        Sample::of("scenarios/27_big_bound.dxil").words("Heavy", &records).mode(GraphMode::Free).ring(32 << 20);
    let run = sample.run();
    assert!(run.generations[0].nodes[0].batches.len() > 5);
    assert_eq!(words(&run, 0)[..2], [5000 * 200, 5000 * 200 * 199 / 2]);
    let none = Sample::of("scenarios/27_big_bound.dxil")
        .words("Heavy", &[300])
        .mode(GraphMode::Free)
        .try_run()
        .expect("a run");
    assert!(none.stopped.expect("it stops").why.contains("beyond the declared allocations"));
}

#[test]
fn a_record_that_may_need_more_than_the_ring_is_named_before_anything_runs() {
    let run = Sample::of("scenarios/27_big_bound.dxil").words("Heavy", &[10]).ring(32 << 10).try_run().expect("a run");
    let stopped = run.stopped.expect("it stops");
    assert!(stopped.why.contains("Heavy[0]: one record may need"), "{}", stopped.why);
    assert!(stopped.needed > stopped.available && stopped.available == Some(16 << 10), "{stopped:?}");
    assert_eq!((stopped.generation, run.generations[0].nodes[0].launches), (0, 0));
    // Who does as it says runs, and with less does not.
    for mode in [GraphMode::Step, GraphMode::Free] {
        let sample = Sample::of("scenarios/27_big_bound.dxil").words("Heavy", &[256, 10]).mode(mode);
        let stop = |ring: u64| sample.clone().ring(ring).try_run().expect("a run").stopped;
        let stopped = stop(64 << 10).expect("it stops");
        let (_, rest) = stopped.why.split_once("--ring ").unwrap_or_else(|| panic!("{}", stopped.why));
        let enough: u64 = rest.trim_end_matches("K is sufficient").parse().expect("a size");
        assert!(stopped.needed > stopped.available && stopped.available > Some(16 << 10), "{stopped:?}");
        assert_eq!((stop(enough << 10), stop((enough - 1) << 10).is_some()), (None, true), "{mode} {enough}");
    }
    let fits = Sample::of("scenarios/27_big_bound.dxil").words("Heavy", &[256, 10]).run();
    assert_eq!(words(&fits, 0)[..2], [266, 256 * 255 / 2 + 45]);
}

#[test]
fn exceeded_budget_stops_the_run() {
    let run = Sample::of("scenarios/27_big_bound.dxil").words("Heavy", &[300]).try_run().expect("a run");
    let stopped = run.stopped.as_ref().expect("it stops");
    assert!(stopped.why.contains("300"), "{}", stopped.why);
    assert_eq!(stopped.node.as_ref().map(ToString::to_string).as_deref(), Some("Heavy[0]"));
    assert_eq!(run.findings.iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>(), ["G41"]);
    assert_eq!((run.generations.len(), run.generations[0].nodes[0].count), (1, 1));
}

#[test]
fn an_entry_that_writes_nothing_ends_the_run() {
    let run = Sample::of("scenarios/29_nothing_emitted.dxil").words("Maybe", &[0]).run();
    assert_eq!((run.generations.len(), run.generations[0].edges.len(), run.findings.len()), (1, 0, 0));
    let none = Sample::of("scenarios/29_nothing_emitted.dxil").strided("Maybe", "[0]", Some(0), Some(0)).run();
    assert_eq!(none.generations.len(), 0);
    assert_eq!(words(&none, 0)[..4], [0; 4]);
}

#[test]
fn records_beyond_the_last_level_are_counted_and_end_the_run() {
    let run = Sample::of("scenarios/31_recursion_beyond.dxil").words("Loop", &[0, 0]).try_run().expect("a run");
    let stopped = run.stopped.as_ref().expect("it stops");
    assert!(stopped.why.contains("2 records with no recursion level left"), "{}", stopped.why);
    assert_eq!((stopped.generation, run.findings[0].code.as_str()), (3, "G43"));
    let one = Sample::of("scenarios/31_recursion_beyond.dxil").words("Loop", &[0]).try_run().expect("a run");
    let why = one.stopped.expect("it stops").why;
    assert_eq!(why, "Loop[0] sent itself 1 record with no recursion level left");
    assert!(one.findings[0].message.contains(": 1 record sent"), "{}", one.findings[0].message);
    let last = &run.generations[3].changed;
    assert_eq!(last.len(), 1);
    let bytes = &last.values().next().expect("a buffer").0;
    assert_eq!(bytes[..20], [2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn a_grid_above_the_declared_one_is_refused_before_it_runs() {
    let run = Sample::of("scenarios/01_counter_box.dxil").words("Box", &[1, 1, 1, 3, 1, 1]).try_run().expect("a run");
    assert_eq!(run.findings[0].code, "G40");
    assert!(run.findings[0].message.contains("record #1: grid 3,1,1 exceeds declared 2,2,2"));
    assert_eq!(run.generations[0].nodes[0].count, 2);
    assert!(words(&run, 0).iter().all(|word| *word == 0));
}

#[test]
fn reads_records_by_member_or_reports_the_place() {
    let sample = Sample::of("scenarios/42_mixed_alignment.dxil");
    let graph = &sample.graph;
    let check = graph.named("Check").expect("a node");
    let record = graph.nodes[check].record().expect("a record");
    let encode = |text: &str| input::encode("r", &serde_json::from_str(text).expect("JSON"), record);
    let whole = r#"{"serial": 7, "place": [0.5, -2, 4], "code": 513, "weight": 1.25}"#;
    let bytes = encode(whole).expect("a record");
    assert_eq!((bytes.len(), bytes[0], bytes[16], bytes[17], bytes[31]), (32, 7, 1, 2, 0x3f));
    for (text, words) in [
        (r#"{"serial": 7, "place": [0.5, -2, 4], "code": 513}"#, "r.weight: missing"),
        (r#"{"serial": 7, "place": [0, 0, 0], "code": 1, "weight": 1, "more": 1}"#, "r.more: unknown member"),
        (
            r#"{"serial": 4294967296, "place": [0, 0, 0], "code": 1, "weight": 1}"#,
            "r.serial: expected an integer from 0 to 4294967295",
        ),
        (r#"{"serial": -1, "place": [0, 0, 0], "code": 1, "weight": 1}"#, "r.serial: expected an integer"),
        (r#"{"serial": 1, "place": [0, 0], "code": 1, "weight": 1}"#, "r.place: expected a list of 3"),
        (
            r#"{"serial": 1, "place": [0, 0, 0], "code": 65536, "weight": 1}"#,
            "r.code: expected an integer from 0 to 65535",
        ),
        (r#"{"serial": 1, "place": [0, "x", 0], "code": 1, "weight": 1}"#, "r.place[1]: expected a number"),
        ("[1, 2]", "r: 2 words found, expected 8"),
        ("7", "r: expected an object of members or a list of words"),
    ] {
        let error = encode(text).expect_err(text).to_string();
        assert!(error.contains(words), "{error}");
    }
    let options = |count, stride| InputOptions { entry: Some("Box"), count, stride };
    let graph = Sample::of("scenarios/01_counter_box.dxil").graph;
    for (text, options, words) in [
        ("[1, 1]", options(None, None), "2 words found, expected a multiple of 3"),
        ("[1, 1, 1]", options(Some(2), None), "1 records found, expected 2"),
        ("[1, 1, 1]", options(Some(1 << 40), Some(0)), "the limit per input is"),
        ("[1, 1, 1]", options(None, Some(8)), "stride 8 invalid for 12-byte records"),
        ("[1, 1, 1]", options(None, Some(14)), "stride 14 invalid"),
        ("{\"records\": 3}", options(None, None), "expected a list of records"),
        ("{\"recods\": []}", options(None, None), "recods: unknown key"),
        ("{", options(None, None), "invalid JSON"),
        (
            "[1, 1, 1]",
            InputOptions { entry: Some("Nobody"), ..InputOptions::default() },
            "is not an entry point; entry points: Box[0]",
        ),
    ] {
        assert_eq!(input::read(text.as_bytes(), &graph, options), input::parse(text, &graph, options));
        let error = input::parse(text, &graph, options).expect_err(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn abandons_an_endless_node_and_keeps_what_was_read() {
    // Half a billion groups of one thread each take a software device minutes.
    let mut sample = Sample::of("scenarios/45_entry_kinds.dxil").count("CountEmpty", 1 << 24);
    sample.validate = false;
    sample.timeout = Duration::from_millis(1);
    let run = sample.try_run().expect("a run");
    let stopped = run.stopped.expect("it stops");
    assert!(stopped.why.contains("did not finish generation 0: CountEmpty[0]"), "{}", stopped.why);
    assert_eq!((stopped.generation, run.generations[0].nodes[0].count), (0, 1 << 24));
    // Its buffers are no longer read back: they keep their last contents.
    for buffer in &run.buffers {
        let held = &run.contents.get(&buffer.name).unwrap_or_else(|| panic!("{}", buffer.name)).0;
        assert_eq!((held.len() as u64, buffer.hash), (buffer.bytes, hash(held)));
    }
    assert!(!run.buffers.is_empty());
    // The device is still at work: nothing of it was destroyed.
    std::thread::sleep(Duration::from_secs(5));
}

#[test]
fn reports_unavailable_memory() {
    let error = Sample::of("scenarios/45_entry_kinds.dxil").ring(1 << 50).try_run().expect_err("no such memory");
    assert!(error.to_string().contains("no device memory for the ring"), "{error}");
    let error = Sample::of("scenarios/45_entry_kinds.dxil").ring(16).try_run().expect_err("too small");
    assert!(error.to_string().contains("at least 4096"), "{error}");
}

#[test]
fn a_library_whose_bitcode_is_cut_short_refuses_every_node() {
    let mut bytes = std::fs::read(samples().join("01_tile_classify.dxil")).expect("reads");
    let sound = Sample::of_bytes(bytes.clone(), &Overrides::default());
    // The program's bitcode, not the container around it.
    let at = bytes.windows(4).position(|four| four == [0x42, 0x43, 0xc0, 0xde]).expect("bitcode") + 200;
    bytes[at..at + 64].fill(0xff);
    let Ok(dxil) = lanescope_core::dxil::Dxil::read(bytes) else { return };
    let mut broken = sound.mode(GraphMode::Step);
    broken.dxil = dxil;
    let run = broken.try_run();
    let text = match run {
        Ok(run) => run.refused.first().map(|refused| refused.why.clone()).unwrap_or_default(),
        Err(error) => error.to_string(),
    };
    assert!(text.contains("invalid parts") || text.contains("dxil-spirv"), "{text}");
}

#[test]
fn a_node_that_is_not_converted_ends_the_run_when_it_gets_records() {
    let mut sample = Sample::of("07_wide_dag.dxil");
    let node = sample.graph.named("D").expect("a node");
    sample.graph.nodes[node].local_root_signature = Some(vec![1, 2, 3, 4]);
    let run = sample.try_run().expect("a run");
    assert_eq!(run.refused.iter().map(|refused| refused.node).collect::<Vec<_>>(), [node]);
    assert_eq!(run.findings[0].code, "G50");
    let stopped = run.stopped.expect("it stops");
    assert_eq!((stopped.generation, stopped.node.map(|id| id.to_string()).as_deref()), (3, Some("D[0]")));
    assert_eq!(run.generations.len(), 4);
    assert_eq!(run.generations[3].nodes.iter().map(|node| node.count).sum::<u64>(), 24, "its records are kept");
}

#[test]
fn names_the_node_of_an_unsupported_workgroup() {
    for mode in [GraphMode::Step, GraphMode::Free] {
        let mut sample = Sample::of("01_tile_classify.dxil").mode(mode);
        let node = sample.graph.named("Resolve").expect("a node");
        sample.graph.nodes[node].threads = [2048, 1, 1];
        let error = sample.try_run().expect_err("too large").to_string();
        assert!(error.contains("Resolve[0]: one dimension of the workgroup (invocations) needs 2048"), "{error}");
    }
}
