//! The graph tab of several programs: state of one is not shown for another.

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lanescope_core::report::Report;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::stepping::{GraphCx, StepCommand, StepRequest, Stepping};
use lanescope_inspector::tasks::TaskResults;
use lanescope_views::context::{View, ViewCx};
use lanescope_views::gallery;
use lanescope_views::graph::GraphView;

#[test]
fn each_program_has_its_own_graph_view_state() {
    struct Two {
        view: GraphView,
        reports: [Report; 2],
        steppings: [Stepping; 2],
        shown: usize,
        step: Option<StepCommand>,
        commands: Vec<Command>,
    }
    let reports = [1, 7].map(gallery::work_graph);
    let steppings = [Stepping::NONE, Stepping::NONE];
    let two = Two { view: GraphView::default(), reports, steppings, shown: 0, step: None, commands: Vec::new() };
    let draw = |ui: &mut egui::Ui, two: &mut Two| {
        let Two { view, reports, steppings, shown, step, commands } = two;
        let selection = Selection::default();
        let (program, graph_revision) = (*shown as u64, *shown as u64 + 1);
        let (report, stepping) = (&reports[*shown], &mut steppings[*shown]);
        let graph = report.graph.as_ref().expect("a graph");
        let graph = GraphCx { graph, revision: graph_revision, results: &TaskResults::NOTHING, frozen: false };
        stepping.follow(&graph);
        let drawn = view.ui(ui, &ViewCx { program, graph_revision, stepping, ..ViewCx::of(report, &selection) });
        let steps = drawn.into_iter().filter_map(|command| match command {
            Command::Step(command) => Some(command),
            _ => None,
        });
        for command in steps.chain(step.take()) {
            if let Some(StepRequest::Run(request)) = stepping.update(&graph, command) {
                commands.push(Command::RunGraph(request));
            }
        }
    };
    let mut harness = Harness::builder().with_size(vec2(1000.0, 620.0)).build_ui_state(draw, two);
    let show = |harness: &mut Harness<'static, Two>, shown: usize, step: Option<StepCommand>| {
        (harness.state_mut().shown, harness.state_mut().step) = (shown, step);
        harness.run_steps(4);
    };
    show(&mut harness, 0, None);
    let canvas = harness.get_by_label_contains("work graph:").rect();
    for down in (30..canvas.height() as u32).step_by(10) {
        let pos = canvas.min + vec2(60.0, down as f32);
        harness.hover_at(pos);
        harness.run_steps(2);
        for pressed in [true, false] {
            let modifiers = egui::Modifiers::NONE;
            harness.event(egui::Event::PointerButton { pos, button: egui::PointerButton::Primary, pressed, modifiers });
        }
        harness.run_steps(4);
        if harness.query_by_label("ClassifyTiles[0]").is_some() {
            break;
        }
    }
    show(&mut harness, 0, Some(StepCommand::ToggleBreakpoint));
    assert!(harness.query_by_label("Breakpoints (1)").is_some(), "the node that was clicked has one");
    let begun = |harness: &mut Harness<'static, Two>| {
        let commands = std::mem::take(&mut harness.state_mut().commands);
        commands.into_iter().find_map(|command| match command {
            Command::RunGraph(request) => Some((request.inputs[0].entry.name.clone(), request.led)),
            _ => None,
        })
    };
    show(&mut harness, 1, Some(StepCommand::Run));
    assert!(harness.query_by_label("Breakpoints").is_some(), "the other graph has none");
    let (entry, led) = begun(&mut harness).expect("it runs");
    assert!(entry != "ClassifyTiles" && led.is_none(), "{entry}: {led:?}");
    show(&mut harness, 0, Some(StepCommand::Run));
    assert!(harness.query_by_label("Breakpoints (1)").is_some(), "and is kept");
    let (entry, led) = begun(&mut harness).expect("it runs");
    assert_eq!((entry.as_str(), led.map(|led| led.breakpoints.len())), ("ClassifyTiles", Some(1)));
    // What was closed is forgotten.
    harness.state_mut().view.forget(0);
    harness.state_mut().steppings[0] = Stepping::NONE;
    show(&mut harness, 0, None);
    assert!(harness.query_by_label("Breakpoints").is_some());
}
