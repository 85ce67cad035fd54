//! The debugger on the launch of a work graph's record, of a run on the software device.

use lanescope_core::gpu::PairState;
use lanescope_core::run::graph::{GraphMode, GraphRun};
use lanescope_inspector::debugging::{DebugStop, LaunchVerdict, written_table};
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::view::ViewId;

use super::super::follow;
use super::*;

fn with_run(change: impl FnOnce(&mut GraphRun)) -> Bench {
    let mut bench = Bench::new();
    bench.open(&[&sample("work_graphs/02_quadtree_recursion.dxil")]);
    let mut run = testing::graph_run(bench.program(), "Seed");
    change(&mut run);
    let program = bench.state.program_mut().expect("a program");
    program.results.graph.take(program.graph_revision, RunSettings::DEFAULT, Ok(run));
    follow(&mut bench.state);
    bench
}

fn debug(bench: &mut Bench, command: DebugCommand) -> std::sync::Arc<DebugStop> {
    bench.run(Command::Debug(command));
    bench.settle();
    let debugging = &bench.program().debugging;
    debugging.stop.clone().unwrap_or_else(|| panic!("no session: {:?}", debugging.refused))
}

fn select(bench: &mut Bench, generation: usize, record: Option<u64>) {
    bench.step(StepCommand::ShowGeneration(generation));
    bench.step(StepCommand::SelectRecord(record));
}

#[test]
pub fn debugs_the_launch_of_a_record() {
    let mut bench = with_run(|_| {});
    bench.run(Command::SetMode(lanescope_inspector::mode::Mode::Run));
    assert!(bench.state.tabs.applicable().all(|view| view.id != ViewId::Debug), "without a launch there is no tab");
    select(&mut bench, 2, None);
    bench.run(Command::Debug(DebugCommand::Launch));
    assert_eq!(bench.message(), "Unavailable: select a record in the table of records first");
    select(&mut bench, 2, Some(3));
    let start = debug(&mut bench, DebugCommand::Launch);
    assert!(bench.state.tabs.shows(ViewId::Debug));
    let launch = start.launch.as_ref().expect("a launch");
    assert_eq!((start.state.step, launch.title.as_str()), (0, "record 3 of Split[0] in generation 2"));
    assert_eq!((&launch.verdict, launch.input.as_str()), (&LaunchVerdict::Running, "f0=32 f1=32 f2=32"));
    assert!(launch.rows.iter().all(|row| row.state == PairState::OnlySecond && row.word(false) == "not yet"));
    assert_eq!(launch.rows.len(), 4);
    // The text is that of the node's module.
    let code = |stop: &DebugStop| lanescope_inspector::selection::Code {
        module: stop.module,
        instructions: vec![stop.instruction],
    };
    let listed = |stop: &DebugStop| stop.texts[0].instructions.as_ref().and_then(|of| of.first_line(&code(stop)));
    let first = listed(&start).expect("a line");
    let stop = debug(&mut bench, DebugCommand::StepInto);
    assert!(stop.state.step > 0 && listed(&stop).is_some_and(|line| line != first));
    let end = debug(&mut bench, DebugCommand::Continue);
    let launch = end.launch.as_ref().expect("a launch");
    assert_eq!((&launch.verdict, end.session), (&LaunchVerdict::Same, start.session));
    assert!(launch.rows.iter().all(|row| row.state == PairState::Same && row.ours == row.theirs), "{launch:?}");
    assert_eq!(written_table(launch).rows.len(), 4);
    let back = debug(&mut bench, DebugCommand::Restart);
    assert_eq!(back.launch.as_ref().map(|launch| &launch.verdict), Some(&LaunchVerdict::Running));
    // Another record is another session.
    bench.run(Command::Show(ViewId::Graph));
    select(&mut bench, 1, Some(0));
    let other = debug(&mut bench, DebugCommand::Launch);
    assert!(other.session != start.session && other.state.step == 0);
    assert_eq!(other.launch.as_ref().map(|launch| launch.title.as_str()), Some("record 0 of Split[0] in generation 1"));
    bench.run(Command::Debug(DebugCommand::Stop));
    assert!(bench.program().debugging.launch.is_none() && bench.program().debugging.stop.is_none());
    assert!(bench.state.tabs.applicable().all(|view| view.id != ViewId::Debug));
}

#[test]
fn what_the_device_wrote_otherwise_is_beside() {
    let mut bench = with_run(|run| {
        let records = &mut run.generations[3].nodes[0].records.bytes.0;
        records.iter_mut().for_each(|byte| *byte ^= 1);
    });
    select(&mut bench, 2, Some(0));
    debug(&mut bench, DebugCommand::Launch);
    let end = debug(&mut bench, DebugCommand::Continue);
    let launch = end.launch.as_ref().expect("a launch");
    assert_eq!(launch.verdict, LaunchVerdict::Different);
    for row in &launch.rows {
        assert_eq!((row.state, row.word(true)), (PairState::Different, "different"));
        assert!(row.ours.is_some() && row.theirs.is_some() && row.ours != row.theirs, "{row:?}");
    }
}

#[test]
fn a_generation_that_waits_is_not_compared() {
    let mut bench = with_run(|run| {
        run.pending = run.generations.drain(2..).next().expect("a generation").nodes;
        run.show_waiting();
    });
    select(&mut bench, 2, Some(1));
    debug(&mut bench, DebugCommand::Launch);
    let end = debug(&mut bench, DebugCommand::Continue);
    let launch = end.launch.as_ref().expect("a launch");
    assert_eq!(launch.verdict_text(), "Not compared: the device has not run this generation");
    assert_eq!(launch.rows.len(), 4);
}

#[test]
fn runs_without_records_are_refused() {
    let mut bench = with_run(|run| run.mode = GraphMode::Free);
    bench.run(Command::Debug(DebugCommand::Launch));
    let expected = "Unavailable: a GPU-driven run does not record the state between generations";
    assert_eq!(bench.message(), expected);
    let mut bench = Bench::graph();
    bench.run(Command::Debug(DebugCommand::Restart));
    assert_eq!(bench.message(), "Unavailable: run the work graph and select a record first");
    assert!(!bench.program().debugging.underway);
    let mut bench = Bench::opened("one.comp", COMPUTE);
    bench.run(Command::Debug(DebugCommand::Launch));
    assert_eq!(bench.message(), "This program has no work graph.");
}

#[test]
fn a_saved_run_is_debugged_in_its_open_library() {
    let mut bench = with_run(|_| {});
    let run = bench.program().results.graph.done().cloned().expect("a run");
    let path = bench.folder.path().join("quad.lanescope-run");
    let bytes = lanescope_core::run::graph::file::write(&run).expect("small enough");
    std::fs::write(&path, bytes).expect("the folder is writable");
    bench.open(&[&path]);
    let id = bench.program().id;
    assert!(bench.program().frozen);
    select(&mut bench, 2, Some(1));
    let start = debug(&mut bench, DebugCommand::Launch);
    assert!(bench.program().id != id && !bench.program().frozen, "the library is shown");
    assert_eq!(bench.program().stepping.record, Some(1));
    let launch = start.launch.as_ref().expect("a launch");
    assert_eq!(launch.title, "record 1 of Split[0] in generation 2");
}
