//! The run of a work graph in the graph tab: steps, breakpoints, edited records, saved runs.

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};
use lanescope_core::run::graph::{Advance, Breakpoint, GraphCommand, GraphMode, GraphRun, Hit, NodeRun, file};
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::tasks::{StepState, TaskResults};
use lanescope_inspector::view::Ask;
use lanescope_views::gallery;
use lanescope_views::theme::Theme;

use crate::graph::{Tab, ask, open, open_tab, open_with, ran, stands_at, step};

#[test]
fn breakpoints_stop_where_a_record_meets_a_condition() {
    let mut results = SnapshotResults::new();
    let mut harness = ran(&Theme::light(), 7);
    // The second generation's first node, through the table of what ran.
    step(&mut harness, StepCommand::Step);
    harness.get_all_by_label("1").next().expect("a row").click();
    harness.run_steps(2);
    harness.get_all_by_label_contains(" (4)").next().expect("a link to what it caused").click();
    harness.run_steps(4);
    step(&mut harness, StepCommand::ToggleBreakpoint);
    assert!(harness.query_by_label("Breakpoints (1)").is_some(), "the selected node has one");
    results.add(harness.try_snapshot("graph/breakpoint"));
    step(&mut harness, StepCommand::ToggleBreakpoint);
    assert!(harness.query_by_label("Breakpoints").is_some(), "and has none again");
    harness.get_by_label("Breakpoints").click();
    harness.run_steps(4);
    harness.get_by_label("Condition of the breakpoint").focus();
    harness.run_steps(2);
    harness.get_by_label("Condition of the breakpoint").type_text("nobody > 3");
    harness.run_steps(4);
    assert!(harness.query_by_label_contains("nobody").is_some(), "its error is shown");
}

/// A run that is paused before its third generation.
fn stands(theme: &Theme, hit: Option<Hit>) -> Harness<'static, Tab> {
    let report = gallery::work_graph(1);
    let mut run: GraphRun = gallery::graph_run(report.graph.as_ref().expect("a graph"));
    run.generations.truncate(3);
    run.pending = run.generations.pop().expect("three generations").nodes;
    run.show_waiting();
    let mut results = TaskResults::NOTHING;
    results.graph.take(1, RunSettings::DEFAULT, Ok(run));
    results.graph.underway = true;
    results.stepping = Some(StepState::Standing(hit));
    open_with(theme, report, results, vec2(1250.0, 860.0))
}

fn led(harness: &mut Harness<'static, Tab>) -> Vec<GraphCommand> {
    let commands = std::mem::take(&mut harness.state_mut().commands);
    let led = commands.into_iter().filter_map(|command| match command {
        Command::ControlRun(command) => Some(command),
        _ => None,
    });
    led.collect()
}

#[test]
fn continues_a_paused_run_with_edited_records() {
    let mut results = SnapshotResults::new();
    for (theme, mode) in [(Theme::light(), "light"), (Theme::dark(), "dark")] {
        let mut harness = stands(&theme, None);
        assert_eq!(stands_at(&harness), "2", "it goes along to where the run stands");
        results.add(harness.try_snapshot(format!("graph/stands_{mode}")));
    }
    let go = |generations, breakpoints| GraphCommand::Go(Advance { generations, breakpoints });
    let mut harness = stands(&Theme::light(), None);
    step(&mut harness, StepCommand::Step);
    assert_eq!(led(&mut harness), [go(Some(1), Vec::new())]);
    step(&mut harness, StepCommand::RunToEnd);
    assert_eq!(led(&mut harness), [go(None, Vec::new())]);
    // What is kept is gone through first.
    step(&mut harness, StepCommand::StepBack);
    step(&mut harness, StepCommand::StepBack);
    assert_eq!(stands_at(&harness), "0");
    step(&mut harness, StepCommand::Step);
    assert_eq!((stands_at(&harness).as_str(), led(&mut harness).len()), ("1", 0));
    step(&mut harness, StepCommand::Continue);
    assert_eq!((stands_at(&harness).as_str(), led(&mut harness)), ("2", vec![go(None, Vec::new())]));
    assert!(harness.query_by_label("Paused before generation 2").is_some());
    assert!(harness.query_by_label_contains("running").is_none(), "nothing computes");
    // Beginning again is asked of the window, with the records of the form.
    step(&mut harness, StepCommand::Restart);
    assert_eq!(begun(&mut harness), Some(Some(Advance { generations: Some(0), breakpoints: Vec::new() })));
    harness.get_by_label("End").click();
    harness.run_steps(2);
    assert_eq!(led(&mut harness), [GraphCommand::End]);
}

#[test]
fn a_breakpoint_selects_its_record_for_editing() {
    let mut harness = stands(&Theme::light(), Some(Hit { run: 0, record: Some(3) }));
    assert!(harness.query_by_label_contains("breakpoint, record #3").is_some());
    let field = harness.get_by_label("f0 of waiting record 3");
    assert!(field.accesskit_node().numeric_value().is_some());
    field.increment_accesskit();
    harness.run_steps(4);
    harness.get_by_label("Change").click();
    harness.run_steps(2);
    let commands = led(&mut harness);
    let [GraphCommand::Replace(replace)] = commands.as_slice() else { panic!("{commands:?}") };
    assert_eq!((replace.run, replace.record), (0, 3));
    assert_eq!(replace.bytes.0[..4], 4u32.to_le_bytes());
    // A run that begins now stops where the selected node gets records.
    step(&mut harness, StepCommand::ToggleBreakpoint);
    step(&mut harness, StepCommand::Run);
    let going = begun(&mut harness).expect("it runs").expect("it is led");
    assert_eq!((going.generations, going.breakpoints.len()), (None, 1));
    assert_eq!(going.breakpoints.first().map(|is: &Breakpoint| is.condition.as_str()), Some(""));
}

/// A requested run: stepped or not, and how far it runs first.
fn begun(harness: &mut Harness<'static, Tab>) -> Option<Option<Advance>> {
    let commands = std::mem::take(&mut harness.state_mut().commands);
    commands.into_iter().find_map(|command| match command {
        Command::RunGraph(request) => Some(request.led),
        _ => None,
    })
}

#[test]
fn a_step_starts_a_run_paused_before_its_first_generation() {
    let mut harness = open(&Theme::light(), gallery::work_graph(1), vec2(1250.0, 860.0));
    step(&mut harness, StepCommand::Step);
    assert_eq!(begun(&mut harness), Some(Some(Advance { generations: Some(0), breakpoints: Vec::new() })));
    step(&mut harness, StepCommand::Run);
    assert_eq!(begun(&mut harness), Some(None), "nothing stops it");
}

#[test]
fn a_generation_can_be_typed() {
    let mut harness = ran(&Theme::light(), 7);
    ask(&mut harness, Ask::Generation);
    harness.get_by_role_and_label(Role::SpinButton, "Generation").increment_accesskit();
    harness.run_steps(4);
    assert_eq!(stands_at(&harness), "1");
}

#[test]
fn steps_through_a_saved_run_without_running_it() {
    let report = gallery::work_graph(7);
    let run = gallery::graph_run(report.graph.as_ref().expect("a graph"));
    let mut results = TaskResults::NOTHING;
    results.graph.take(1, RunSettings::DEFAULT, Ok(run));
    let tab = Tab { frozen: true, ..Tab::new(report, results) };
    let mut harness = open_tab(tab, vec2(1000.0, 600.0));
    harness.run_steps(4);
    step(&mut harness, StepCommand::ShowGeneration(0));
    step(&mut harness, StepCommand::Run);
    step(&mut harness, StepCommand::Step);
    assert_eq!(stands_at(&harness), "1");
    assert!(!harness.state().commands.iter().any(|command| matches!(command, Command::RunGraph(_))));
}

#[test]
fn rejects_or_shows_a_corrupted_saved_run() {
    let runs = [2, 5].map(|number| {
        let run = gallery::full_run(gallery::work_graph(number).graph.as_ref().expect("a graph"));
        let bytes = file::write(&run).expect("writes");
        assert_eq!(file::read(&bytes).expect("it is sound"), run);
        gallery::hostile_runs(&run)
    });
    let report = gallery::work_graph(5);
    let tab = Tab { frozen: true, ..Tab::new(report, TaskResults::NOTHING) };
    let mut harness = open_tab(tab, vec2(1000.0, 600.0));
    let (mut refused, mut shown) = (0, 0);
    for (revision, (what, opened)) in (1..).zip(runs.into_iter().flatten()) {
        let Ok(mut run) = opened.inspect_err(|_| refused += 1) else { continue };
        shown += 1;
        // What is shown last panicked.
        println!("{what}");
        for (at, is) in run.generations.iter().enumerate() {
            for node in 0..is.nodes.len() {
                let _ = (run.writer(at, node, 0), run.caused(at, node, 0));
            }
            let _ = (run.resume(at), run.before_generation(at));
        }
        let _ = run.first_inputs();
        run.clone().break_off(None, "it is gone");
        run.show_waiting();
        let tab = harness.state_mut();
        tab.graph_revision = revision;
        tab.report.graph = Some(run.graph.clone());
        tab.report.findings = run.findings.clone();
        tab.results.graph.take(revision, RunSettings::DEFAULT, Ok(run));
        // A node and its first record are selected, and what is known of both is shown.
        tab.results.stepping = Some(StepState::Standing(Some(Hit { run: 0, record: Some(0) })));
        harness.run_steps(1);
        for (page, to) in
            [("Buffers", StepCommand::RunToEnd), ("Counts", StepCommand::StepBack), ("Records", StepCommand::Resume)]
        {
            harness.state_mut().step(to);
            if let Some(page) = harness.query_all_by_label(page).next() {
                page.click();
            }
            harness.run_steps(1);
        }
    }
    assert!(refused > 300 && shown > 50, "{refused} refused, {shown} shown");
}

#[test]
fn resumes_a_run_from_the_shown_generation() {
    let mut harness = ran(&Theme::light(), 7);
    step(&mut harness, StepCommand::Step);
    harness.get_by_label("Resume from here").click();
    harness.run_steps(4);
    let asked = |harness: &Harness<'_, Tab>| {
        harness.state().commands.iter().rev().find_map(|command| match command {
            Command::RunGraph(request) => Some((**request).clone()),
            _ => None,
        })
    };
    let request = asked(&harness).expect("it asks for a run");
    let resume = request.resume.expect("that goes on");
    assert_eq!((resume.dispatch, resume.number, request.led.and_then(|led| led.generations)), (0, 1, Some(0)));
    let run = harness.state().results.graph.done().expect("a run").clone();
    let own = run.generations[1].nodes.iter().filter(|node| node.shares.is_none());
    let records = |nodes: &mut dyn Iterator<Item = &NodeRun>| nodes.map(|is| is.records.clone()).collect::<Vec<_>>();
    assert_eq!(records(&mut resume.nodes.iter()), records(&mut own.into_iter()));
    assert_eq!(resume.contents, run.generations[0].changed, "what the first generation left");
    // A key does the same; a run that the device led itself cannot.
    harness.state_mut().commands.clear();
    step(&mut harness, StepCommand::Resume);
    assert!(asked(&harness).is_some());
    let free = GraphRun { mode: GraphMode::Free, ..run };
    harness.state_mut().results.graph.take(1, RunSettings::DEFAULT, Ok(free));
    harness.state_mut().commands.clear();
    step(&mut harness, StepCommand::Resume);
    assert_eq!(asked(&harness), None);
}
