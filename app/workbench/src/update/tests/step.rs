//! Stepping a work graph: recorded generations at once, a paused run by commands to its child.

use std::sync::mpsc::{Receiver, channel};

use lanescope_core::run::Blob;
use lanescope_core::run::graph::{Advance, GraphCommand, GraphMode, GraphRequest, GraphRun, Replace};
use lanescope_inspector::command::Purpose;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::stepping::{InputEdit, RunPage, Stepping};
use lanescope_inspector::tasks::StepState;
use lanescope_inspector::view::ViewId;

use super::super::effects::Dialog;
use super::super::follow;
use super::*;
use crate::state::overlay::Overlay;
use crate::state::stepper::Stepper;

/// A work graph with a recorded run, which is paused before its last generation where that is wanted.
fn ran(paused: bool) -> (Bench, Receiver<GraphCommand>) {
    let mut bench = Bench::graph();
    let (commands, heard) = channel();
    let program = bench.state.program_mut().expect("a program");
    let graph = program.analysis.report.graph.clone().expect("a graph");
    let mut run: GraphRun = lanescope_fuzz::graph_run(&graph);
    if paused {
        run.pending = run.generations.pop().expect("several generations").nodes;
        run.show_waiting();
        program.begin_stepping(Stepper::new(program.graph_revision, commands));
        program.results.stepping = Some(StepState::Standing(None));
        program.results.graph.underway = true;
    }
    program.results.graph.take(program.graph_revision, RunSettings::DEFAULT, Ok(run));
    follow(&mut bench.state);
    (bench, heard)
}

fn stepping(bench: &Bench) -> &Stepping {
    &bench.program().stepping
}

#[test]
pub fn steps_through_a_run() {
    let (mut bench, _) = ran(false);
    let last = bench.program().results.graph.done().expect("a run").generations.len() - 1;
    assert_eq!(stepping(&bench).at, Some(last), "a finished run is shown at its end");
    bench.step(StepCommand::ShowGeneration(0));
    for (command, at) in [
        (StepCommand::Step, 1),
        (StepCommand::Step, 2),
        (StepCommand::StepBack, 1),
        (StepCommand::RunToEnd, last),
        (StepCommand::ShowGeneration(1), 1),
        (StepCommand::ShowGeneration(99), 1),
        (StepCommand::Continue, last),
    ] {
        bench.step(command.clone());
        assert_eq!(stepping(&bench).at, Some(at), "{command:?} has its effect at once");
    }
    let node = bench.program().results.graph.done().expect("a run").generations[1].nodes[0].node;
    bench.step(StepCommand::SelectNode(Some(node)));
    bench.step(StepCommand::ShowGeneration(0));
    bench.step(StepCommand::RunToNode);
    assert_eq!(stepping(&bench).at, Some(1));
    bench.step(StepCommand::Restart);
    let led = |bench: &Bench| bench.program().graph_request.as_ref().and_then(|request| request.led.clone());
    assert_eq!(led(&bench), Some(Advance { generations: Some(0), breakpoints: Vec::new() }));
    bench.run(Command::CancelWork);
    let (mut bench, _) = ran(false);
    bench.step(StepCommand::ShowGeneration(1));
    bench.step(StepCommand::Resume);
    let resume = bench.program().graph_request.as_ref().and_then(|request| request.resume.clone());
    assert_eq!(resume.map(|resume| resume.number), Some(1));
    bench.run(Command::CancelWork);
}

#[test]
pub fn controls_a_paused_run() {
    let (mut bench, heard) = ran(true);
    let last = bench.program().results.graph.done().expect("a run").generations.len() - 1;
    assert_eq!(stepping(&bench).at, Some(last), "it follows the run to where it is paused");
    bench.step(StepCommand::Step);
    let step = GraphCommand::Go(Advance { generations: Some(1), breakpoints: Vec::new() });
    assert_eq!(heard.try_recv(), Ok(step));
    assert_eq!(bench.program().results.stepping, Some(StepState::Working));
    bench.run(Command::ControlRun(GraphCommand::End));
    assert!(heard.try_recv().is_err(), "it is not paused now");
    bench.state.program_mut().expect("a program").results.stepping = Some(StepState::Standing(None));
    bench.run(Command::ControlRun(GraphCommand::End));
    assert_eq!(heard.try_recv(), Ok(GraphCommand::End));
    bench.run(Command::RunGraph(Box::default()));
    assert_eq!(bench.program().graph_request, Some(GraphRequest::default()));
    assert!(bench.program().results.graph.underway && heard.try_recv().is_err());
    bench.run(Command::CancelWork);
}

/// A paused run with an edited record among those that wait; its bytes before and after.
fn edited() -> (Bench, Receiver<GraphCommand>, [Blob; 2]) {
    let (mut bench, heard) = ran(true);
    let run = bench.program().results.graph.done().expect("a run");
    let node = &run.generations.last().expect("it waits").nodes[0];
    let size = run.graph.nodes[node.node].record().expect("records").bytes as usize;
    let was = node.records.get(0).expect("kept")[..size].to_vec();
    let is = was.iter().map(|byte| byte ^ 1).collect::<Vec<u8>>();
    let both = [was, is].map(Blob);
    let replace = Replace { run: 0, record: 0, bytes: both[1].clone() };
    bench.run(Command::ControlRun(GraphCommand::Replace(replace.clone())));
    assert_eq!(heard.try_recv(), Ok(GraphCommand::Replace(replace.clone())));
    took(&mut bench, replace);
    (bench, heard, both)
}

/// The run has taken an edit, and is paused again.
fn took(bench: &mut Bench, Replace { run, record, bytes }: Replace) {
    let program = bench.state.program_mut().expect("a program");
    program.change_run(|shown| {
        let node = &mut shown.generations.last_mut().expect("it waits").nodes[run];
        node.records.replace(record, &bytes.0, bytes.0.len() as u32, &mut node.edited).expect("it fits");
    });
    program.results.stepping = Some(StepState::Standing(None));
}

#[test]
fn asks_before_edited_records_are_lost() {
    for (command, restart) in [(StepCommand::Run, false), (StepCommand::Restart, true)] {
        let (mut bench, heard, _) = edited();
        bench.step(command);
        let Overlay::EditedRun(question) = &bench.state.overlay else { panic!("{:?}", bench.state.overlay) };
        assert_eq!(question.text(), "The run is paused. A restart loses 1 edited record.");
        assert!(
            bench.program().graph_request.is_none() && heard.try_recv().is_err(),
            "nothing runs until it is answered"
        );
        bench.run(Command::RestartEdited(restart));
        assert!(matches!(bench.state.overlay, Overlay::None));
        let go = GraphCommand::Go(Advance { generations: None, breakpoints: Vec::new() });
        assert_eq!(
            (bench.program().graph_request.is_some(), heard.try_recv().ok()),
            (restart, (!restart).then_some(go))
        );
        bench.run(Command::CancelWork);
    }
    let (mut bench, _) = ran(true);
    bench.step(StepCommand::Run);
    assert!(matches!(bench.state.overlay, Overlay::None), "no record is lost");
    bench.run(Command::CancelWork);
}

#[test]
fn undoes_the_edit_of_a_record() {
    let (mut bench, heard, [was, is]) = edited();
    for (command, bytes) in [(Command::Undo, was.clone()), (Command::Redo, is), (Command::Undo, was)] {
        bench.run(command);
        let replace = Replace { run: 0, record: 0, bytes };
        assert_eq!(heard.try_recv(), Ok(GraphCommand::Replace(replace.clone())));
        took(&mut bench, replace);
    }
    bench.step(StepCommand::Run);
    assert!(matches!(bench.state.overlay, Overlay::None), "the record is as it came");
    bench.run(Command::CancelWork);
    bench.run(Command::Redo);
    assert_eq!(bench.message(), "No change was undone.", "its run has ended");
}

#[test]
pub fn puts_the_keyboard_into_the_generation() {
    let (mut bench, _) = ran(false);
    bench.run(Command::Show(ViewId::Source));
    bench.step(StepCommand::RunToGeneration);
    assert!(bench.state.tabs.shows(ViewId::Graph));
    assert!(bench.had(|effect| matches!(effect, Effect::Ask(Ask::Generation))));
}

#[test]
pub fn edits_breakpoints_of_the_selected_node() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.step(StepCommand::ToggleBreakpoint);
    assert_eq!(bench.message(), "This program has no work graph.");
    let (mut bench, _) = ran(false);
    bench.step(StepCommand::ToggleBreakpoint);
    assert!(stepping(&bench).breakpoints.is_empty(), "nothing is selected");
    bench.step(StepCommand::SelectNode(Some(1)));
    bench.step(StepCommand::ToggleBreakpoint);
    bench.step(StepCommand::AddBreakpoint("x > 3".to_owned()));
    bench.step(StepCommand::EnableBreakpoint(0, false));
    let shown: Vec<_> = stepping(&bench).breakpoints.iter().map(|is| (is.condition.as_str(), is.on)).collect();
    assert_eq!(shown, [("", false), ("x > 3", true)]);
    bench.step(StepCommand::ToggleBreakpoint);
    assert_eq!(stepping(&bench).breakpoints.len(), 1, "the one without a condition");
    bench.step(StepCommand::RemoveBreakpoint(0));
    assert!(stepping(&bench).breakpoints.is_empty());
}

#[test]
pub fn shows_records() {
    let (mut bench, _) = ran(false);
    bench.step(StepCommand::ShowPage(RunPage::Buffers));
    assert_eq!(stepping(&bench).page, RunPage::Buffers);
    bench.step(StepCommand::ShowRun(0));
    assert_eq!((stepping(&bench).page, stepping(&bench).shown), (RunPage::Records, 0));
    bench.step(StepCommand::SelectRecord(Some(0)));
    assert_eq!(stepping(&bench).record, Some(0));
    bench.step(StepCommand::FollowRecords { generation: 1, run: 0, record: Some(1) });
    assert_eq!((stepping(&bench).at, stepping(&bench).record), (Some(1), Some(1)));
    let node = bench.program().results.graph.done().expect("a run").generations[1].nodes[0].node;
    assert_eq!(stepping(&bench).node, Some(node), "with its node");
}

#[test]
pub fn edits_the_form_of_the_next_run() {
    let mut bench = Bench::graph();
    bench.step(StepCommand::ShowForm(true));
    assert!(stepping(&bench).form_shown);
    for edit in [InputEdit::Starts(3), InputEdit::Ring(16), InputEdit::Batch(4), InputEdit::Described(true)] {
        bench.step(StepCommand::Edit(edit));
    }
    bench.step(StepCommand::Run);
    let request = bench.program().graph_request.clone().expect("a run");
    assert_eq!((request.dispatches, request.ring, request.cut.batch), (3, 16 << 20, Some(4)));
    bench.run(Command::CancelWork);
    // Groups are counted where the device schedules.
    for (mode, counts) in [(GraphMode::Step, false), (GraphMode::Free, true)] {
        bench.step(StepCommand::Edit(InputEdit::CountGroups(true)));
        bench.step(StepCommand::Edit(InputEdit::Mode(mode)));
        bench.step(StepCommand::Run);
        let request = bench.program().graph_request.clone().expect("a run");
        assert_eq!((request.mode, request.counted.is_some()), (mode, counts));
        bench.run(Command::CancelWork);
    }
    bench.step(StepCommand::Edit(InputEdit::Roots("{".to_owned())));
    bench.step(StepCommand::Run);
    assert!(stepping(&bench).refused.as_ref().is_some_and(|why| why.starts_with("local root arguments")));
}

#[test]
pub fn reads_records() {
    let mut bench = Bench::graph();
    let id = bench.program().id;
    bench.run(Command::LoadRecords);
    assert!(bench.had(|effect| matches!(effect, Effect::Dialog(Dialog::Records(of)) if *of == id)));
    let path = bench.file("records.json", "{ \"count\": 5 }");
    bench.run(Command::TakePaths(Purpose::Records(id), vec![path]));
    bench.until("they are read", |state| state.program().is_some_and(|program| program.results.records.is_some()));
    bench.step(StepCommand::Run);
    assert!(stepping(&bench).form_shown);
    let request = bench.program().graph_request.clone().expect("a run");
    assert_eq!(request.inputs[0].count, 5);
    bench.run(Command::CancelWork);
}
