//! The graph tab of several programs: state of one is not shown for another.

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lanescope_core::report::Report;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::view::Ask;
use lanescope_views::context::{View, ViewCommand, ViewCx};
use lanescope_views::gallery;
use lanescope_views::graph::GraphView;

#[test]
fn each_program_has_its_own_graph_view_state() {
    struct Two {
        view: GraphView,
        reports: [Report; 2],
        shown: usize,
        ask: Option<Ask>,
        commands: Vec<ViewCommand>,
    }
    let reports = [1, 7].map(gallery::work_graph);
    let two = Two { view: GraphView::default(), reports, shown: 0, ask: None, commands: Vec::new() };
    let draw = |ui: &mut egui::Ui, two: &mut Two| {
        let selection = Selection::default();
        let (program, graph_revision) = (two.shown as u64, two.shown as u64 + 1);
        let cx = ViewCx::of(&two.reports[two.shown], &selection);
        let cx = ViewCx { ask: two.ask.take(), program, graph_revision, ..cx };
        two.commands.extend(two.view.ui(ui, &cx));
    };
    let mut harness = Harness::builder().with_size(vec2(1000.0, 620.0)).build_ui_state(draw, two);
    let show = |harness: &mut Harness<'static, Two>, shown: usize, ask: Option<Ask>| {
        (harness.state_mut().shown, harness.state_mut().ask) = (shown, ask);
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
    show(&mut harness, 0, Some(Ask::ToggleBreakpoint));
    assert!(harness.query_by_label("Breakpoints (1)").is_some(), "the node that was clicked has one");
    let begun = |harness: &mut Harness<'static, Two>| {
        let commands = std::mem::take(&mut harness.state_mut().commands);
        commands.into_iter().find_map(|command| match command {
            ViewCommand::RunGraph(request) => Some((request.inputs[0].entry.name.clone(), request.led)),
            _ => None,
        })
    };
    show(&mut harness, 1, Some(Ask::Run));
    assert!(harness.query_by_label("Breakpoints").is_some(), "the other graph has none");
    let (entry, led) = begun(&mut harness).expect("it runs");
    assert!(entry != "ClassifyTiles" && led.is_none(), "{entry}: {led:?}");
    show(&mut harness, 0, Some(Ask::Run));
    assert!(harness.query_by_label("Breakpoints (1)").is_some(), "and is kept");
    let (entry, led) = begun(&mut harness).expect("it runs");
    assert_eq!((entry.as_str(), led.map(|led| led.breakpoints.len())), ("ClassifyTiles", Some(1)));
    // What was closed is forgotten.
    harness.state_mut().view.forget(0);
    show(&mut harness, 0, None);
    assert!(harness.query_by_label("Breakpoints").is_some());
}
