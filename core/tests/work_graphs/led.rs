//! Stepped runs: they are paused, their records are changed, they resume.

use lanescope_core::gpu::{DeviceOptions, run_graph_telling};
use lanescope_core::run::Blob;
use lanescope_core::run::graph::{Advance, Breakpoint, GraphCommand, GraphPart, GraphRun, Growing, Reached, Replace};

use super::common::{Sample, multisets, words};

/// Runs a sample; `says` gives the command at each pause. Returns the run, and the parts that were reported.
fn led(sample: &Sample, mut says: impl FnMut(&Growing) -> GraphCommand) -> (GraphRun, Growing, Vec<String>) {
    let device = DeviceOptions {
        device: Some("llvmpipe".to_owned()),
        validate: sample.validate,
        timeout: sample.timeout,
        ..DeviceOptions::default()
    };
    let (mut growing, mut refused) = (Growing::default(), Vec::new());
    let mut listen = |part: GraphPart| {
        let stands = matches!(part, GraphPart::Standing { .. });
        if let GraphPart::Refused(why) = &part {
            refused.push(why.clone());
        }
        growing.take(part);
        stands.then(|| says(&growing))
    };
    let Sample { dxil, graph, request, inputs, .. } = sample;
    let run = run_graph_telling(&device, dxil, graph, request, inputs, Some(&mut listen));
    let run = run.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.warnings, Vec::<String>::new());
    (run, growing, refused)
}

fn going(generations: Option<u32>, breakpoints: Vec<Breakpoint>) -> Advance {
    Advance { generations, breakpoints }
}

fn steps(name: &str) -> Sample {
    let mut sample = Sample::of(name);
    sample.request.led = Some(going(Some(0), Vec::new()));
    sample
}

fn step() -> GraphCommand {
    GraphCommand::Go(going(Some(1), Vec::new()))
}

fn place(growing: &Growing) -> (u32, u32) {
    let Reached { dispatch, number, .. } = growing.reached().expect("it stands somewhere");
    (dispatch, number)
}

fn waiting(growing: &Growing, node: &str) -> usize {
    let run = growing.run().expect("it has begun");
    let node = run.graph.named(node).expect("a node");
    run.pending.iter().position(|is| is.node == node).expect("it has records")
}

#[test]
fn stepping_pauses_before_every_generation_with_equal_results() {
    for name in ["01_tile_classify.dxil", "02_quadtree_recursion.dxil", "06_cross_group_sharing.dxil"] {
        let whole = Sample::of(name).run();
        let mut places = Vec::new();
        let (run, growing, _) = led(&steps(name), |growing| {
            places.push(place(growing));
            step()
        });
        let expected: Vec<(u32, u32)> = whole.generations.iter().map(|is| (is.dispatch, is.number)).collect();
        assert_eq!(places, expected, "{name}");
        assert_eq!((multisets(&run), &run.contents), (multisets(&whole), &whole.contents), "{name}");
        let reported = growing.finish(GraphRun { generations: Vec::new(), ..run.clone() });
        assert_eq!(multisets(&reported), multisets(&whole), "{name}");
    }
}

#[test]
fn node_runs_with_edited_pending_records() {
    let mut old = Vec::new();
    let (run, growing, refused) = led(&steps("01_tile_classify.dxil"), |growing| {
        let is = growing.run().expect("it has begun");
        if place(growing) != (0, 1) {
            return step();
        }
        let run = waiting(growing, "Material[0]");
        if !is.pending[run].edited.is_empty() {
            return step();
        }
        // The tile stays, its material becomes 3.
        let record = is.pending[run].records.get(5).expect("it is kept").to_vec();
        old.clone_from(&record);
        let bytes = Blob([&record[..4], &3u32.to_le_bytes()].concat());
        GraphCommand::Replace(Replace { run, record: 5, bytes })
    });
    assert_eq!(refused, Vec::<String>::new());
    let found = words(&run, 0);
    assert_eq!(found[..5], [54080 - 2080, 108_160, 162_240, 208_000 + 4 * 2080, 260_000]);
    assert_eq!(found[8..13], [25, 26, 26, 26, 25]);
    for run in [&run, &growing.finish(GraphRun { generations: Vec::new(), ..run.clone() })] {
        let node = run.generations[1].nodes.iter().find(|node| !node.edited.is_empty()).expect("it was changed");
        assert_eq!((node.edited[0].record, &node.edited[0].was.0), (5, &old), "what it was is kept");
        assert_eq!(node.records.get(5).expect("kept")[4..], 3u32.to_le_bytes());
    }
}

#[test]
fn records_of_the_host_can_be_changed_before_they_run() {
    let mut sample = Sample::of("scenarios/01_counter_box.dxil").records("Box", r#"[{"SV_DispatchGrid": [1, 2, 2]}]"#);
    sample.request.led = Some(going(Some(0), Vec::new()));
    let mut changed = false;
    let (run, ..) = led(&sample, |_| {
        if std::mem::replace(&mut changed, true) {
            return step();
        }
        let bytes = Blob([2u32, 1, 1].iter().flat_map(|word| word.to_le_bytes()).collect());
        GraphCommand::Replace(Replace { run: 0, record: 0, bytes })
    });
    let plain = Sample::of("scenarios/01_counter_box.dxil").records("Box", r#"[{"SV_DispatchGrid": [2, 1, 1]}]"#);
    assert_eq!(words(&run, 0), plain.result());
}

#[test]
fn breakpoints_stop_a_run_before_the_records_run() {
    let mut sample = Sample::of("01_tile_classify.dxil");
    let node = sample.graph.named("Material[2]").expect("a node");
    let conditioned = Breakpoint { node, condition: "f0 >= 100".to_owned() };
    sample.request.led = Some(going(None, vec![conditioned]));
    let mut stops = Vec::new();
    let (run, ..) = led(&sample, |growing| {
        let hit = growing.hit().expect("a breakpoint stopped it");
        let is = &growing.run().expect("it has begun").pending[hit.run];
        let record = is.records.get(hit.record.expect("it has a condition")).expect("kept");
        let tile = u32::from_le_bytes(record[..4].try_into().expect("four bytes"));
        stops.push((place(growing), is.node, tile >= 100));
        GraphCommand::End
    });
    assert_eq!(stops, [((0, 1), node, true)]);
    assert_eq!((run.generations.len(), run.stopped.as_ref()), (1, None), "it ended before they ran");
    assert_eq!(run.pending.iter().map(|is| is.count).sum::<u64>(), 128);
    assert_eq!(words(&run, 0)[..16], [0; 16]);
    // Where nothing meets it, nothing stops.
    let never = Breakpoint { node, condition: "f0 > 1000".to_owned() };
    sample.request.led = Some(going(None, vec![never]));
    let (run, ..) = led(&sample, |_| panic!("it does not stop"));
    assert_eq!(run.generations.len(), 3);
    // A node that reads another one's records stops where that one gets them.
    let mut shared = Sample::of("scenarios/24_share_input.dxil");
    let sharer = shared.graph.nodes.iter().position(|node| node.shares_input_of.is_some()).expect("a sharer");
    let any = Breakpoint { node: sharer, condition: String::new() };
    shared.request.led = Some(going(None, vec![any]));
    let (run, growing, _) = led(&shared, |_| GraphCommand::End);
    assert!(growing.hit().is_some() && !run.pending.is_empty());
}

#[test]
fn refuses_invalid_edits_and_stays_paused() {
    let mut asked = 0;
    let (run, _, refused) = led(&steps("01_tile_classify.dxil"), |growing| {
        if place(growing) != (0, 1) {
            return step();
        }
        asked += 1;
        let (run, record, bytes) = match asked {
            1 => (99, 0, 8),
            2 => (0, 26, 8),
            3 => (0, 0, 7),
            _ => return step(),
        };
        GraphCommand::Replace(Replace { run, record, bytes: Blob(vec![0; bytes]) })
    });
    assert_eq!((asked, refused.len()), (4, 3), "{refused:?}");
    assert_eq!(run.contents, Sample::of("01_tile_classify.dxil").run().contents);
}

#[test]
fn pauses_before_every_start() {
    let sample = steps("03_coalescing_reduce.dxil").dispatches(2);
    let mut starts = Vec::new();
    let (run, ..) = led(&sample, |growing| {
        starts.push(place(growing));
        GraphCommand::Go(going(Some(2), Vec::new()))
    });
    assert!(starts.iter().any(|(dispatch, _)| *dispatch == 1), "{starts:?}");
    let whole = Sample::of("03_coalescing_reduce.dxil").dispatches(2).run();
    assert_eq!(run.contents, whole.contents);
}
