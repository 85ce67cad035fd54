//! The graph tab: the drawing, the details of what is selected, the way from node to node.

use egui::vec2;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};
use lanescope_core::report::Report;
use lanescope_views::context::{Ask, Selection, View, ViewCommand, ViewCx};
use lanescope_views::gallery;
use lanescope_views::graph::GraphView;
use lanescope_views::theme::Theme;

struct Tab {
    view: GraphView,
    report: Report,
    ask: Option<Ask>,
    commands: Vec<ViewCommand>,
}

fn open(theme: &Theme, report: Report, size: egui::Vec2) -> Harness<'static, Tab> {
    let tab = Tab { view: GraphView::default(), report, ask: None, commands: Vec::new() };
    let draw = |ui: &mut egui::Ui, tab: &mut Tab| {
        let selection = Selection::default();
        let cx = ViewCx { ask: tab.ask.take(), ..ViewCx::of(&tab.report, &selection) };
        tab.commands.extend(tab.view.ui(ui, &cx));
    };
    let mut harness = Harness::builder().with_size(size).with_pixels_per_point(1.0).build_ui_state(draw, tab);
    harness.ctx.set_theme(if theme.dark { egui::Theme::Dark } else { egui::Theme::Light });
    harness.ctx.set_visuals(theme.visuals());
    harness.run_steps(8);
    harness
}

#[test]
fn graphs_look_as_drawn() {
    let mut results = SnapshotResults::new();
    for (theme, mode) in [(Theme::light(), "light"), (Theme::dark(), "dark")] {
        for (number, name) in [(1, "array"), (2, "recursion"), (5, "sparse"), (7, "wide")] {
            let mut harness = open(&theme, gallery::work_graph(number), vec2(1100.0, 620.0));
            results.add(harness.try_snapshot(format!("graph/{name}_{mode}")));
        }
    }
}

#[test]
fn a_node_that_is_clicked_shows_what_is_known_of_it() {
    let mut results = SnapshotResults::new();
    let mut harness = open(&Theme::light(), gallery::work_graph(1), vec2(1000.0, 620.0));
    let canvas = harness.get_by_label_contains("work graph:").rect();
    let mut shown = false;
    for down in (30..canvas.height() as u32).step_by(10) {
        harness.hover_at(canvas.min + vec2(60.0, down as f32));
        harness.run_steps(2);
        for pressed in [true, false] {
            let pos = canvas.min + vec2(60.0, down as f32);
            let modifiers = egui::Modifiers::NONE;
            harness.event(egui::Event::PointerButton { pos, button: egui::PointerButton::Primary, pressed, modifiers });
        }
        harness.run_steps(4);
        shown = harness.query_by_label("ClassifyTiles[0]").is_some();
        if shown {
            break;
        }
    }
    assert!(shown, "a click on the first box selects its node");
    results.add(harness.try_snapshot("graph/selected"));
    // A link leads on to the node that is fed.
    harness.get_by_label("Material[0]").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("ClassifyTiles[0]").is_some(), "it says who feeds it");
}

#[test]
fn the_picture_is_exported_and_nothing_is_said_of_other_programs() {
    let mut harness = open(&Theme::light(), gallery::work_graph(7), vec2(900.0, 500.0));
    harness.state_mut().ask = Some(Ask::ExportPicture);
    harness.run_steps(2);
    let exported = harness.state().commands.iter().any(|c| matches!(c, ViewCommand::Export { name: "graph", .. }));
    assert!(exported);
    let report = Report { graph: None, ..gallery::work_graph(7) };
    let harness = open(&Theme::light(), report, vec2(900.0, 500.0));
    assert!(harness.query_by_label("No work graph").is_some());
}
