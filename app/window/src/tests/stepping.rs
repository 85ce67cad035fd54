//! A work graph that is stepped from the window: on the software device, generation by generation.

use lanescope_core::gpu::DeviceOptions;
use lanescope_core::options::Options;
use lanescope_core::run::graph::file as saved;
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::graph::{Advance, GraphCommand, GraphRequest, GraphRun, Replace};
use lanescope_core::run::{Blob, Place};
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::tasks::StepState;

use super::*;

/// The tiles sample, stepped from its first generation on.
fn tiles() -> Stage {
    let mut stage = Stage::new(Session::default());
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/work_graphs/01_tile_classify.dxil");
    stage.open(&[&sample]);
    let seconds = DeviceOptions::default().timeout.as_secs() as u32 * 6;
    let settings = RunSettings { device: Some("llvmpipe".to_owned()), seconds, ..RunSettings::DEFAULT };
    stage.frame.act(Command::SetRunSettings(settings));
    stage
}

fn begin(stage: &mut Stage) {
    let graph = stage.frame.state.program().and_then(|program| program.analysis.report.graph.clone()).expect("a graph");
    let inputs = input::counted(1, &graph, InputOptions { entry: Some("ClassifyTiles"), ..InputOptions::default() });
    let led = Some(Advance { generations: Some(0), breakpoints: Vec::new() });
    let request = GraphRequest { inputs: inputs.expect("records"), led, ..GraphRequest::default() };
    stage.frame.act(Command::RunGraph(Box::new(request)));
    stands(stage, 1);
}

/// Waits until the run is paused with so many generations, the one that waits among them.
fn stands(stage: &mut Stage, generations: usize) {
    stage.until("the run stands", |frame| {
        let made = &frame.state.program().expect("a program").results;
        matches!(made.stepping, Some(StepState::Standing(_)))
            && made.graph.done().is_some_and(|run| run.generations.len() == generations)
    });
}

fn say(stage: &mut Stage, command: GraphCommand) {
    stage.frame.act(Command::ControlRun(command));
}

fn step() -> GraphCommand {
    GraphCommand::Go(Advance { generations: Some(1), breakpoints: Vec::new() })
}

fn shown(stage: &Stage) -> &GraphRun {
    stage.frame.state.program().expect("a program").results.graph.done().expect("a run")
}

#[test]
fn steps_a_graph_with_an_edited_record() {
    let mut stage = tiles();
    begin(&mut stage);
    assert!(shown(&stage).generations[0].waiting);
    say(&mut stage, step());
    stands(&mut stage, 2);
    let waits = &shown(&stage).generations[1];
    assert!(waits.waiting && !shown(&stage).generations[0].waiting);
    let old = waits.nodes[0].records.get(0).expect("kept").to_vec();
    let bytes = Blob([&old[..4], &3u32.to_le_bytes()].concat());
    say(&mut stage, GraphCommand::Replace(Replace { run: 0, record: 0, bytes }));
    stage.until("the record is changed", |frame| {
        let run = frame.state.program().and_then(|program| program.results.graph.done());
        run.is_some_and(|run| !run.generations[1].nodes[0].edited.is_empty())
    });
    stands(&mut stage, 2);
    let now = |stage: &Stage| shown(stage).generations[1].nodes[0].records.get(0).expect("kept").to_vec();
    for (command, word) in [(Command::Undo, &old[4..8]), (Command::Redo, &3u32.to_le_bytes()[..])] {
        stage.frame.act(command);
        stands(&mut stage, 2);
        assert_eq!(&now(&stage)[4..8], word);
    }
    // To run it again would lose the edit: a question, whose first answer continues.
    stage.frame.act(Command::Step(StepCommand::Run));
    assert!(matches!(stage.frame.state.overlay, Overlay::EditedRun(_)));
    stage.frame.act(Command::RestartEdited(false));
    ended(&mut stage);
    let run = shown(&stage);
    assert_eq!((run.generations.len(), run.stopped.as_ref()), (3, None));
    let result = run.contents.values().next().expect("a buffer");
    let words: Vec<u32> = result.0.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    assert_eq!(words[8..13], [25, 26, 26, 26, 25]);
    assert_eq!(run.generations[1].nodes[0].edited[0].was.0, old);
    assert_eq!(run.generations[1].nodes[0].records.get(0).expect("kept")[4..], 3u32.to_le_bytes());
}

/// Waits until nothing computes and nothing is paused.
fn ended(stage: &mut Stage) {
    stage.until("it has ended", |frame| {
        let made = &frame.state.program().expect("a program").results;
        made.stepping.is_none() && !made.graph.underway
    });
}

#[test]
fn resumes_a_run_from_an_earlier_generation() {
    let mut stage = tiles();
    begin(&mut stage);
    say(&mut stage, GraphCommand::Go(Advance::default()));
    ended(&mut stage);
    let whole = shown(&stage).clone();
    assert_eq!((whole.generations.len(), whole.buffers[0].register.as_deref()), (3, Some("u0")));
    let led = Some(Advance { generations: Some(0), breakpoints: Vec::new() });
    let resume = whole.resume(1).expect("all is kept");
    let request = GraphRequest { led, resume: Some(Box::new(resume)), ..GraphRequest::default() };
    stage.frame.act(Command::RunGraph(Box::new(request.clone())));
    stands(&mut stage, 2);
    let run = shown(&stage);
    assert!(run.generations[1].waiting && run.generations[0] == whole.generations[0]);
    let old = run.generations[1].nodes[0].records.get(0).expect("kept").to_vec();
    let bytes = Blob([&old[..4], &3u32.to_le_bytes()].concat());
    say(&mut stage, GraphCommand::Replace(Replace { run: 0, record: 0, bytes }));
    stands(&mut stage, 2);
    say(&mut stage, GraphCommand::Go(Advance::default()));
    ended(&mut stage);
    let run = shown(&stage).clone();
    let result = run.contents.values().next().expect("a buffer");
    let words: Vec<u32> = result.0.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    assert_eq!((run.generations.len(), &words[8..13]), (3, &[25, 26, 26, 26, 25][..]));
    // What cannot continue leaves the run that is shown.
    let mut broken = request.clone();
    broken.resume.as_mut().expect("it goes on").nodes[0].records.bytes.0.clear();
    stage.frame.act(Command::RunGraph(Box::new(broken)));
    ended(&mut stage);
    assert_eq!((shown(&stage).generations.len(), shown(&stage).contents.len()), (3, run.contents.len()));
    // So does a file that is gone, whose contents it was to begin with.
    let (id, gone) = (stage.frame.state.program().expect("a program").id, stage.folder.path().join("gone.bin"));
    stage.frame.act(Command::TakePaths(Purpose::Contents(id, Place::Register('u', 0, 0)), vec![gone]));
    stage.frame.act(Command::RunGraph(Box::new(request.clone())));
    ended(&mut stage);
    assert_eq!((&shown(&stage).generations, &shown(&stage).contents), (&run.generations, &run.contents));
    assert!(stage.frame.state.messages.texts().iter().any(|text| text.contains("gone.bin")));
    stage.frame.act(Command::DropContents(Place::Register('u', 0, 0)));
    // So does what fails once it has begun, before its records wait.
    stage.frame.act(Command::RunGraph(Box::new(GraphRequest { ring: 16, ..request })));
    ended(&mut stage);
    assert_eq!((&shown(&stage).generations, &shown(&stage).stopped), (&run.generations, &None));
}

#[test]
fn keeps_a_run_when_unrelated_options_change() {
    let mut stage = tiles();
    begin(&mut stage);
    let before = stage.revision();
    let options = stage.frame.state.program().expect("a program").options.clone();
    stage.frame.act(Command::SetOptions(Box::new(Options { no_pack: true, ..options })));
    stage.until("it is analysed again", |frame| frame.state.program().is_some_and(|program| program.revision > before));
    stage.frame.act(Command::SideBySide);
    stage.until("both are analysed", |frame| {
        frame.state.program().is_some_and(|program| program.analysis.other.is_some())
    });
    say(&mut stage, step());
    stands(&mut stage, 2);
    let program = stage.frame.state.program().expect("a program");
    let shown = program.results.graph.answer.as_ref().map(|answer| answer.revision);
    assert_eq!(shown, Some(program.graph_revision), "and the tab shows it");
    // Read again, the library may be another.
    stage.frame.act(Command::Reload);
    ended(&mut stage);
    stage.settle();
}

#[test]
fn assigns_records_to_the_program_they_were_read_for() {
    let mut stage = tiles();
    let (id, path) =
        (stage.frame.state.program().expect("a program").id, stage.file("records.json", "{ \"records\": [] }"));
    let other = stage.file("other.comp", COMPUTE);
    stage.open(&[&other]);
    stage.frame.act(Command::TakePaths(Purpose::Records(id), vec![path]));
    stage.settle();
    let read: Vec<_> = stage.frame.state.programs.iter().map(|program| program.results.records.is_some()).collect();
    assert_eq!(read, [true, false]);
}

#[test]
fn resumes_a_saved_run_in_its_library() {
    let mut stage = tiles();
    begin(&mut stage);
    say(&mut stage, GraphCommand::Go(Advance::default()));
    ended(&mut stage);
    let whole = shown(&stage).clone();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tiles.lanescope-run");
    std::fs::write(&path, saved::write(&whole).expect("writes")).expect("writes");
    let led = Some(Advance { generations: Some(0), breakpoints: Vec::new() });
    let resume = Some(Box::new(whole.resume(1).expect("all is kept")));
    let request = GraphRequest { led, resume, ..GraphRequest::default() };
    // Without the library beside it there is nothing to run.
    let mut alone = Stage::new(Session::default());
    alone.open(&[&path]);
    alone.frame.act(Command::RunGraph(Box::new(request.clone())));
    alone.settle();
    assert!(
        alone
            .frame
            .state
            .program()
            .is_some_and(|program| program.results.stepping.is_none() && program.results.graph.done().is_some())
    );
    stage.open(&[&path]);
    assert!(stage.frame.state.program().is_some_and(|program| program.frozen));
    stage.frame.act(Command::RunGraph(Box::new(request)));
    stands(&mut stage, 2);
    assert!(stage.frame.state.program().is_some_and(|program| !program.frozen));
    say(&mut stage, GraphCommand::Go(Advance::default()));
    ended(&mut stage);
    assert_eq!(shown(&stage).contents, whole.contents);
}

#[test]
fn ends_a_paused_run_on_request_and_when_its_program_closes() {
    let mut stage = tiles();
    begin(&mut stage);
    say(&mut stage, step());
    stands(&mut stage, 2);
    say(&mut stage, GraphCommand::End);
    ended(&mut stage);
    let run = shown(&stage);
    assert!(run.generations[1].waiting, "its records are still shown");
    let mut saved = run.clone();
    saved.settle();
    assert_eq!((saved.generations.len(), saved.pending.iter().map(|is| is.count).sum::<u64>()), (1, 128));
    // Once more; then the run is stopped while it is paused.
    begin(&mut stage);
    stage.frame.act(Command::Stop(lanescope_inspector::tasks::Work::Graph));
    assert_eq!(stage.frame.state.program().expect("a program").results.stepping, None);
    stage.settle();
}
