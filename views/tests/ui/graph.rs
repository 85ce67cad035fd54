//! The graph tab: the drawing, details of the selection, navigation between nodes.

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};
use lanescope_core::report::Report;
use lanescope_core::run::graph::Origin;
use lanescope_core::run::{Blob, ImageRun, hash};
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::stepping::{GraphCx, StepCommand, StepRequest, Stepping};
use lanescope_inspector::tasks::{StepState, TaskResults, Work};
use lanescope_inspector::view::Ask;
use lanescope_views::context::{View, ViewCx};
use lanescope_views::gallery;
use lanescope_views::graph::{GraphView, picture};
use lanescope_views::picture::{Mark, Shape};
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;

/// The tab with the state of stepping, on which its commands are carried out as the program does.
pub struct Tab {
    pub view: GraphView,
    pub report: Report,
    pub results: TaskResults,
    pub stepping: Stepping,
    pub graph_revision: u64,
    pub frozen: bool,
    pub ask: Option<Ask>,
    pub commands: Vec<Command>,
}

impl Tab {
    pub fn new(report: Report, results: TaskResults) -> Tab {
        let (view, stepping, commands) = (GraphView::default(), Stepping::NONE, Vec::new());
        Tab { view, report, results, stepping, graph_revision: 1, frozen: false, ask: None, commands }
    }

    fn draw(&mut self, ui: &mut egui::Ui) {
        let Tab { view, report, results, stepping, graph_revision, frozen, ask, .. } = self;
        let (selection, ask) = (Selection::default(), ask.take());
        if let Some(graph) = &report.graph {
            stepping.follow(&GraphCx { graph, revision: *graph_revision, results, frozen: *frozen });
        }
        let (graph_revision, frozen) = (*graph_revision, *frozen);
        let cx = ViewCx { ask, results, stepping, graph_revision, frozen, ..ViewCx::of(report, &selection) };
        for command in view.ui(ui, &cx) {
            match command {
                Command::Step(command) => self.step(command),
                command => self.commands.push(command),
            }
        }
    }

    pub fn step(&mut self, command: StepCommand) {
        let Tab { report, results, stepping, graph_revision, frozen, .. } = self;
        let Some(graph) = &report.graph else { return };
        let cx = GraphCx { graph, revision: *graph_revision, results, frozen: *frozen };
        self.commands.extend(stepping.update(&cx, command).map(|request| match request {
            StepRequest::Run(request) => Command::RunGraph(request),
            StepRequest::Control(command) => Command::ControlRun(command),
        }));
    }
}

pub fn open(theme: &Theme, report: Report, size: egui::Vec2) -> Harness<'static, Tab> {
    open_with(theme, report, TaskResults::NOTHING, size)
}

/// A graph with a run of it, at its first generation.
pub fn ran(theme: &Theme, number: u32) -> Harness<'static, Tab> {
    let mut harness = finished(theme, number);
    step(&mut harness, StepCommand::ShowGeneration(0));
    harness
}

/// A graph with a run of it, as it is shown first.
fn finished(theme: &Theme, number: u32) -> Harness<'static, Tab> {
    let report = gallery::work_graph(number);
    let run = gallery::graph_run(report.graph.as_ref().expect("a graph"));
    let mut results = TaskResults::NOTHING;
    results.graph.take(1, RunSettings::DEFAULT, Ok(run));
    open_with(theme, report, results, vec2(1250.0, 860.0))
}

pub fn ask(harness: &mut Harness<'static, Tab>, ask: Ask) {
    harness.state_mut().ask = Some(ask);
    harness.run_steps(4);
}

pub fn step(harness: &mut Harness<'static, Tab>, command: StepCommand) {
    harness.state_mut().step(command);
    harness.run_steps(4);
}

pub fn open_with(theme: &Theme, report: Report, results: TaskResults, size: egui::Vec2) -> Harness<'static, Tab> {
    let tab = Tab::new(report, results);
    let draw = |ui: &mut egui::Ui, tab: &mut Tab| tab.draw(ui);
    let mut harness = Harness::builder().with_size(size).with_pixels_per_point(1.0).build_ui_state(draw, tab);
    harness.ctx.set_theme(if theme.dark { egui::Theme::Dark } else { egui::Theme::Light });
    harness.ctx.set_visuals(theme.visuals());
    harness.run_steps(8);
    harness
}

/// A tab of this size, as it is.
pub fn open_tab(tab: Tab, size: egui::Vec2) -> Harness<'static, Tab> {
    Harness::builder().with_size(size).build_ui_state(|ui: &mut egui::Ui, tab: &mut Tab| tab.draw(ui), tab)
}

#[test]
fn graphs_match_their_pictures() {
    let mut results = SnapshotResults::new();
    for (theme, mode) in [(Theme::light(), "light"), (Theme::dark(), "dark")] {
        for (number, name) in [(1, "array"), (2, "recursion"), (5, "sparse"), (7, "wide")] {
            let mut harness = open(&theme, gallery::work_graph(number), vec2(1100.0, 620.0));
            results.add(harness.try_snapshot(format!("graph/{name}_{mode}")));
        }
    }
}

#[test]
fn clicking_a_node_shows_its_details() {
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
fn clicking_any_box_of_an_array_selects_it() {
    let report = gallery::work_graph(1);
    let graph = report.graph.as_ref().expect("a graph");
    let picture = picture(graph, &Theme::light());
    let first = graph.nodes.iter().position(|node| node.id.name == "Material" && node.id.index == 0).expect("an array");
    let mark = Mark::Node(first as u32);
    let around = picture.items.iter().filter(|item| item.mark == Some(mark)).map(|item| item.bounds);
    let around = around.max_by(|a, b| a.area().total_cmp(&b.area())).expect("it is drawn");
    for corner in [around.left_bottom() + vec2(2.0, -2.0), around.right_top() + vec2(-2.0, 2.0)] {
        assert_eq!(picture.hit(corner), Some(mark), "{corner:?} in {around:?}");
    }
    assert!(around.height() > 60.0, "all of its box: {around:?}");
}

#[test]
fn panels_share_the_available_height() {
    let mut results = SnapshotResults::new();
    let run = |size| {
        let report = gallery::work_graph(1);
        let run = gallery::graph_run(report.graph.as_ref().expect("a graph"));
        let mut results = TaskResults::NOTHING;
        results.graph.take(1, RunSettings::DEFAULT, Ok(run));
        open_with(&Theme::light(), report, results, size)
    };
    for size in [vec2(520.0, 420.0), vec2(520.0, 330.0)] {
        let mut harness = run(size);
        let places = ["work graph:", "Work graph", "Records"].map(|label| match label {
            "work graph:" => harness.get_by_label_contains(label).rect().top(),
            _ => harness.get_by_label(label).rect().top(),
        });
        let steps = [places[1] - places[0], places[2] - places[1], size.y - places[2]];
        assert!(steps.iter().all(|step| *step > 30.0), "drawing, details and page, each below the other: {steps:?}");
        results.add(harness.try_snapshot(format!("graph/low_{}", size.y)));
    }
}

#[test]
fn exports_the_picture_and_ignores_other_programs() {
    let mut harness = open(&Theme::light(), gallery::work_graph(7), vec2(900.0, 500.0));
    harness.state_mut().ask = Some(Ask::ExportPicture);
    harness.run_steps(2);
    let exported = harness.state().commands.iter().any(|c| matches!(c, Command::SavePicture { name: "graph", .. }));
    assert!(exported);
    let report = Report { graph: None, ..gallery::work_graph(7) };
    let harness = open(&Theme::light(), report, vec2(900.0, 500.0));
    assert!(harness.query_by_label("No work graph").is_some());
}

/// The generation that the field shows.
pub fn stands_at(harness: &Harness<'_, Tab>) -> String {
    let field = harness.get_by_role_and_label(Role::SpinButton, "Generation");
    field.accesskit_node().numeric_value().map_or_else(String::new, |at| at.to_string())
}

#[test]
fn steps_through_a_run_and_matches_its_pictures() {
    let mut results = SnapshotResults::new();
    for (theme, mode) in [(Theme::light(), "light"), (Theme::dark(), "dark")] {
        let mut harness = ran(&theme, 7);
        assert_eq!(stands_at(&harness), "0");
        step(&mut harness, StepCommand::Step);
        step(&mut harness, StepCommand::Step);
        assert_eq!(stands_at(&harness), "2");
        results.add(harness.try_snapshot(format!("graph/run_{mode}")));
        harness.get_by_label("Buffers").click();
        harness.run_steps(4);
        results.add(harness.try_snapshot(format!("graph/buffers_{mode}")));
        harness.get_by_label("Counts").click();
        harness.run_steps(4);
        results.add(harness.try_snapshot(format!("graph/generation_{mode}")));
        for (what, at) in [
            (StepCommand::StepBack, 1),
            (StepCommand::RunToEnd, 4),
            (StepCommand::StepBack, 3),
            (StepCommand::Continue, 4),
        ] {
            step(&mut harness, what.clone());
            assert_eq!(stands_at(&harness), at.to_string(), "{what:?}");
        }
    }
}

#[test]
fn a_finished_run_is_shown_at_its_last_generation() {
    let harness = finished(&Theme::light(), 7);
    let run = harness.state().results.graph.done().expect("a run");
    assert_eq!(stands_at(&harness), (run.generations.len() - 1).to_string());
    assert!(harness.query_by_label_contains("Paused").is_none());
}

#[test]
fn columns_are_named_by_depth() {
    let texts = |number: u32| {
        let report = gallery::work_graph(number);
        let graph = report.graph.expect("a graph");
        let picture = picture(&graph, &Theme::light());
        let texts = picture.items.iter().filter_map(|item| match &item.shape {
            Shape::Text(text) if text.text.starts_with("depth") => Some(text.text.clone()),
            _ => None,
        });
        texts.collect::<Vec<_>>()
    };
    assert_eq!(texts(1), ["depth 1", "depth 2", "depth 3"]);
    assert_eq!(texts(2)[..2], ["depth 1", "depth 2–7"], "a node that feeds itself five times");
}

#[test]
fn filters_records_and_links_to_their_writers() {
    let mut results = SnapshotResults::new();
    let mut harness = ran(&Theme::light(), 7);
    step(&mut harness, StepCommand::Step);
    step(&mut harness, StepCommand::Step);
    harness.get_by_label("Filter records").focus();
    harness.run_steps(2);
    harness.get_by_label("Filter records").type_text("f0 >= 1");
    harness.run_steps(6);
    assert!(harness.query_by_label_contains(" of 8 records").is_some(), "the filter says how many are left");
    results.add(harness.try_snapshot("graph/filtered"));
    ask(&mut harness, Ask::CopyTable);
    let copied = harness.state().commands.iter().find_map(|command| match command {
        Command::Copy(text) => Some(text.clone()),
        _ => None,
    });
    assert!(copied.is_some_and(|text| text.starts_with("#\twritten by\tf0")));
}

#[test]
fn running_sends_the_records_of_the_form() {
    let mut harness = open(&Theme::light(), gallery::work_graph(1), vec2(1000.0, 620.0));
    harness.get_by_label("Input").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("Empty records").is_some(), "its entry point takes empty records");
    step(&mut harness, StepCommand::Run);
    let request = harness.state().commands.iter().find_map(|command| match command {
        Command::RunGraph(request) => Some(request.clone()),
        _ => None,
    });
    let request = request.expect("it asks to be run");
    assert_eq!((request.inputs.len(), request.inputs[0].count), (1, 1));
    assert_eq!(request.inputs[0].entry.to_string(), "ClassifyTiles[0]");
    let mut results = TaskResults::NOTHING;
    results.graph.underway = true;
    let mut harness = open_with(&Theme::light(), gallery::work_graph(1), results, vec2(1000.0, 620.0));
    harness.get_by_label("Cancel").click();
    harness.run_steps(2);
    assert!(harness.state().commands.contains(&Command::Stop(Work::Graph)));
}

#[test]
fn shows_why_a_run_failed() {
    let mut results = TaskResults::NOTHING;
    results.graph.take(1, RunSettings::DEFAULT, Err("no device has room for the ring".to_owned()));
    let harness = open_with(&Theme::light(), gallery::work_graph(1), results, vec2(1000.0, 620.0));
    assert!(harness.query_by_label_contains("no device has room for the ring").is_some());
}

#[test]
fn a_record_links_to_its_writer_and_to_those_it_caused() {
    let mut results = SnapshotResults::new();
    let mut harness = ran(&Theme::dark(), 7);
    step(&mut harness, StepCommand::Step);
    harness.get_all_by_label("1").next().expect("a row").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("written by").is_some(), "where the record came from");
    results.add(harness.try_snapshot("graph/lineage"));
    harness.get_all_by_label_contains(" (4)").next().expect("a link to what it caused").click();
    harness.run_steps(4);
    assert_eq!(stands_at(&harness), "2");
    assert!(harness.query_by_label("caused by #1 ×").is_some(), "the table is kept to those records");
    results.add(harness.try_snapshot("graph/caused"));
    harness.get_by_label("caused by #1 ×").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("caused by #1 ×").is_none(), "all records again");
    harness.get_all_by_label("0").next().expect("a row").click();
    harness.run_steps(4);
    // Links come before the table's cells, which name the writer too.
    harness
        .get_all_by_label_contains("A")
        .find(|node| node.accesskit_node().role() == Role::Link)
        .expect("a link")
        .click();
    harness.run_steps(4);
    assert_eq!(stands_at(&harness), "1");
    assert!(harness.query_by_label("wrote #0 ×").is_some(), "the records of the launch that wrote it");
}

#[test]
fn run_settings_are_beside_the_records() {
    let mut results = SnapshotResults::new();
    for (theme, mode) in [(Theme::light(), "light"), (Theme::dark(), "dark")] {
        let mut harness = open(&theme, gallery::work_graph(1), vec2(1100.0, 620.0));
        harness.get_by_label("Input").click();
        harness.run_steps(4);
        results.add(harness.try_snapshot(format!("graph/input_{mode}")));
        harness.get_by_role_and_label(Role::SpinButton, "Starts").increment_accesskit();
        harness.run_steps(4);
        step(&mut harness, StepCommand::Run);
        let request = harness.state().commands.iter().find_map(|command| match command {
            Command::RunGraph(request) => Some(request.clone()),
            _ => None,
        });
        let request = request.expect("it asks to be run");
        assert_eq!((request.dispatches, request.ring, request.cut.batch), (2, 256 << 20, None));
    }
}

#[test]
fn filters_a_million_records_over_several_frames() {
    let report = gallery::work_graph(7);
    let run = gallery::many_records(report.graph.as_ref().expect("a graph"), 1_000_000);
    let mut results = TaskResults::NOTHING;
    results.graph.take(1, RunSettings::DEFAULT, Ok(run));
    let mut harness = open_with(&Theme::light(), report, results, vec2(1250.0, 860.0));
    step(&mut harness, StepCommand::ShowGeneration(1));
    assert!(harness.query_by_label("1000000 records").is_some());
    harness.get_by_label("Filter records").focus();
    harness.run_steps(2);
    harness.get_by_label("Filter records").type_text("f0 % 1000 == 7");
    harness.run_steps(3);
    // Only a part was looked at; the window lives on in between.
    assert!(harness.query_by_label_contains(" %").is_some(), "how far it is");
    harness.run_steps(40);
    let left = (0..1_000_000u32).filter(|record| (record.wrapping_mul(2_654_435_761) >> 8) % 1000 == 7).count();
    assert!(harness.query_by_label(&format!("{left} of 1000000 records")).is_some(), "{left}");
}

#[test]
fn five_hundred_nodes_are_laid_out_within_a_second() {
    let report = gallery::large_graph();
    let graph = report.graph.as_ref().expect("a graph");
    assert_eq!((graph.nodes.len(), graph.edges.len()), (500, 1000));
    // The best of three: other work on the machine is not ours.
    let once = || {
        let begin = std::time::Instant::now();
        let picture = picture(graph, &Theme::light());
        (begin.elapsed(), picture.size)
    };
    let best = (0..3).map(|_| once()).min_by_key(|(time, _)| *time).expect("three times");
    assert!(best.0.as_secs_f64() < 1.0, "{:?}", best.0);
}

#[test]
fn shows_texels_of_images_that_nodes_write() {
    let mut harness = ran(&Theme::light(), 7);
    let mut run = harness.state().results.graph.done().expect("a run").clone();
    let texels: Vec<u8> = (0..16u32).flat_map(|texel| [texel, 0, 7, 1]).flat_map(u32::to_le_bytes).collect();
    run.images = vec![ImageRun {
        name: "set0.binding3".to_owned(),
        register: Some("u3".to_owned()),
        variable: Some("Map".to_owned()),
        set: 0,
        binding: 3,
        element: 0,
        size: [4, 4, 1],
        layers: 1,
        format: "R32G32B32A32_UINT".to_owned(),
        texel_bytes: 16,
        bytes: 256,
        hash: hash(&texels),
    }];
    run.buffers.clear();
    run.generations[1].changed.insert("set0.binding3".to_owned(), Blob(texels));
    run.generations[2].left_out.push("set0.binding3".to_owned());
    harness.state_mut().results.graph.take(1, RunSettings::DEFAULT, Ok(run));
    harness.run_steps(4);
    step(&mut harness, StepCommand::ShowGeneration(1));
    harness.get_by_label("Buffers").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("image of 4×4×1 texels, R32G32B32A32_UINT").is_some());
    assert!(harness.query_by_label("Changes only (16)").is_some());
    assert!(harness.query_by_label("(1, 0, 0)").is_some() && harness.query_by_label("1, 0, 7, 1").is_some());
    // What a run does not keep is not shown as zeros.
    step(&mut harness, StepCommand::Step);
    assert!(harness.query_by_label_contains("exceed what a run records").is_some());
    assert!(harness.query_by_label("(1, 0, 0)").is_none());
}

#[test]
fn a_record_names_the_launch_that_wrote_it() {
    let mut harness = ran(&Theme::light(), 7);
    let mut run = harness.state().results.graph.done().expect("a run").clone();
    // Each of the second generation's launches writes two records next to each other.
    for node in &mut run.generations[2].nodes {
        let split = |origin: &Origin| -> Vec<Origin> {
            let of = |at: u32| Origin { count: 2, record: Some(at / 2), ..*origin };
            (0..origin.count).step_by(2).map(of).collect()
        };
        node.records.origins = node.records.origins.iter().flat_map(split).collect();
    }
    harness.state_mut().results.graph.take(1, RunSettings::DEFAULT, Ok(run));
    harness.run_steps(4);
    step(&mut harness, StepCommand::ShowGeneration(2));
    harness.get_all_by_label("2").next_back().expect("a row").click();
    harness.run_steps(4);
    assert!(harness.query_by_label_contains("from record #1, in allocation").is_some());
    step(&mut harness, StepCommand::StepBack);
    harness.get_all_by_label("1").next().expect("a row").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("· its launch wrote records for").is_some());
    let mut links = harness.get_all_by_label_contains(" (2)");
    assert!(links.any(|node| node.accesskit_node().role() == Role::Link), "two of the four that its batch wrote");
}

#[test]
fn a_node_has_a_context_menu_with_its_breakpoint() {
    let mut harness = ran(&Theme::light(), 7);
    let canvas = harness.get_by_label_contains("work graph:").rect();
    step(&mut harness, StepCommand::SelectNode(Some(1)));
    harness.get_by_label_contains("work graph:").focus();
    harness.run_steps(2);
    harness.key_press(egui::Key::Menu);
    harness.run_steps(4);
    harness.get_by_label("Add breakpoint").click();
    harness.run_steps(4);
    let graph = harness.state().report.graph.clone().expect("a graph");
    assert_eq!(harness.state().stepping.nodes_with_breakpoint(&graph), [1]);
    // The background's menu has what the picture has.
    let corner = canvas.right_bottom() - vec2(8.0, 8.0);
    harness.hover_at(corner);
    harness.run_steps(2);
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Secondary, egui::Modifiers::NONE);
        harness.event(egui::Event::PointerButton { pos: corner, button, pressed, modifiers });
    }
    harness.run_steps(4);
    assert!(harness.query_by_label("Remove breakpoint").is_none());
    harness.get_by_label("Export picture…").click();
    harness.run_steps(4);
    assert!(harness.state().commands.contains(&Command::ExportPicture));
}

/// How many rows the toolbar has: the controls above the strip or the drawing, by their upper edges.
fn toolbar_rows(harness: &Harness<'_, Tab>) -> usize {
    let labels = ["Run", "Restart", "Run to the end", "Zoom in", "Fit"];
    let tops = labels.iter().filter_map(|label| Some(harness.query_by_label(label)?.rect().center().y.round() as i32));
    tops.collect::<std::collections::BTreeSet<_>>().len()
}

#[test]
fn the_toolbar_is_one_line_and_keeps_its_place_during_a_run() {
    for paused in [false, true] {
        let report = gallery::work_graph(7);
        let run = gallery::graph_run(report.graph.as_ref().expect("a graph"));
        let mut results = TaskResults::NOTHING;
        results.graph.take(1, RunSettings::DEFAULT, Ok(run));
        if paused {
            results.graph.underway = true;
            results.stepping = Some(StepState::Standing(None));
        }
        let mut harness = open_with(&Theme::light(), report, results, vec2(1280.0, 720.0));
        assert_eq!(toolbar_rows(&harness), 1, "paused: {paused}");
        let place =
            |harness: &Harness<'_, Tab>| ["Restart", "Fit", "Records"].map(|label| harness.get_by_label(label).rect());
        let before = place(&harness);
        harness.state_mut().results.stepping = None;
        harness.state_mut().results.graph.underway = true;
        harness.run_steps(4);
        assert!(harness.query_by_label("Cancel").is_some());
        assert_eq!(place(&harness), before, "paused: {paused}");
        harness.state_mut().results.graph.underway = false;
        step(&mut harness, StepCommand::SelectNode(Some(1)));
        step(&mut harness, StepCommand::ToggleBreakpoint);
        assert_eq!(place(&harness), before, "with a count of breakpoints");
    }
}

#[test]
fn a_selected_record_does_not_move_the_table() {
    let mut harness = ran(&Theme::light(), 7);
    step(&mut harness, StepCommand::ShowGeneration(1));
    let before = harness.get_by_label("Filter records").rect();
    harness.get_all_by_label("1").next().expect("a row").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("written by").is_some());
    assert_eq!(harness.get_by_label("Filter records").rect(), before);
}
