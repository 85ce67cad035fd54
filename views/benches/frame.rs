//! CPU time of one frame of every tab on its largest input: the tab's code, layout of text, and tessellation, without a
//! GPU.

#[path = "../../core/benches/passes/pipeline.rs"]
mod pipeline;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use egui::{Context, Event, RawInput, Rect, pos2, vec2};
use lanescope_core::analyse;
use lanescope_core::compare::Side;
use lanescope_core::findings::{LOCATION_LIMIT, Place};
use lanescope_core::options::Options;
use lanescope_core::program::StageKind;
use lanescope_core::report::{Report, StageReport};
use lanescope_inspector::comparing::{Comparing, Partner};
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::{RunSettings, Settings};
use lanescope_inspector::source::{Language, SourceText, TextRole};
use lanescope_inspector::stepping::{GraphCx, StepCommand, Stepping};
use lanescope_inspector::tasks::TaskResults;
use lanescope_inspector::view::ViewId;
use lanescope_views::context::ViewCx;
use lanescope_views::gallery;
use lanescope_views::registry::builtin_views;
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;

/// What tabs are drawn from, and which of them were measured.
struct Frames<'a> {
    criterion: &'a mut Criterion,
    settings: Settings,
    measured: BTreeSet<ViewId>,
}

impl Frames<'_> {
    /// Draws the tab of that name again and again in a window of 1600x1000 points, with the pointer moving over it.
    fn draw(&mut self, tab: &str, what: &str, cx: &ViewCx<'_>) {
        let mut views = builtin_views();
        let view =
            views.iter_mut().find(|view| view.info().id.name() == tab).unwrap_or_else(|| panic!("no tab is {tab}"));
        self.measured.insert(view.info().id);
        let cx = ViewCx { settings: &self.settings, ..*cx };
        let context = Context::default();
        context.set_visuals(Theme::dark().visuals());
        // What is asked is asked once.
        context.run_ui(RawInput::default(), |ui| drop(view.ui(ui, &cx))).drop_without_applying_deltas();
        let cx = ViewCx { ask: None, ..cx };
        let mut step = 0_u16;
        let mut frame = || {
            step = (step + 1) % 400;
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1600.0, 1000.0))),
                time: Some(f64::from(step) / 60.0),
                events: vec![Event::PointerMoved(pos2(100.0 + f32::from(step), 300.0))],
                ..Default::default()
            };
            let mut output = context.run_ui(input, |ui| {
                black_box(view.ui(ui, &cx));
            });
            // Nothing uploads here; the atlas is complete after the first frames.
            output.textures_delta.clear();
            let pixels_per_point = output.pixels_per_point;
            let shapes = std::mem::take(&mut output.shapes);
            output.drop_without_applying_deltas();
            context.tessellate(shapes, pixels_per_point)
        };
        for _ in 0..20 {
            frame();
        }
        self.criterion.bench_function(&format!("frame/{what}"), |bencher| bencher.iter(&mut frame));
    }
}

/// A fragment shader of so many lines.
fn long_source(lines: usize) -> SourceText {
    let mut text = String::new();
    for line in 0..lines {
        writeln!(text, "    vec4 t{line} = texture(albedo, uv * {line}.0) * float({line}); // line {line}")
            .expect("writes to memory");
    }
    let (language, role) = (Language::Glsl, TextRole::Module(0));
    SourceText { title: "long.frag".to_owned(), language, input: 0, role, text, marks: Vec::new(), instructions: None }
}

fn benches(criterion: &mut Criterion) {
    let mut settings = Settings::DEFAULT;
    settings.devices.take(0, RunSettings::DEFAULT, Ok(Vec::new()));
    let mut frames = Frames { criterion, settings, measured: BTreeSet::new() };
    let selection = Selection::default();
    fn of<'a>(report: &'a Report, results: &'a TaskResults, selection: &'a Selection) -> ViewCx<'a> {
        ViewCx { results, ..ViewCx::of(report, selection) }
    }

    let lanes = gallery::workgroup_report(gallery::large_layout());
    frames.draw("workgroup", "lane map of 1,024 invocations", &ViewCx::of(&lanes, &selection));
    let packing = gallery::packing_report(gallery::many_slots(32));
    frames.draw("packing", "packing of 32 slots", &ViewCx::of(&packing, &selection));

    let (_, instructions) = pipeline::SIZES[2];
    let program = pipeline::program(instructions);
    let mut large = analyse(&program, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    frames.draw("registers", "registers of a pipeline", &ViewCx::of(&large, &selection));
    frames.draw("overview", "overview of a pipeline", &ViewCx::of(&large, &selection));
    frames.draw(
        "layout",
        "layout beside an application's",
        &ViewCx::of(&gallery::guessed_layout_report(gallery::guessed_miss()), &selection),
    );
    let place = |location: u32| {
        let text = format!("location {location} is above the limit of 31");
        LOCATION_LIMIT.at(Some(StageKind::Fragment), Some(Place::variable(format!("far{location}"))), &text)
    };
    large.findings = (32..5032).map(place).collect();
    frames.draw("findings", "5,000 findings", &ViewCx::of(&large, &selection));
    let source = [long_source(20_000)];
    frames.draw("source", "source of 20,000 lines", &ViewCx { texts: &source, ..ViewCx::of(&large, &selection) });
    let source = [long_source(420_000)];
    frames.draw("source", "source of 420,000 lines", &ViewCx { texts: &source, ..ViewCx::of(&large, &selection) });
    let (report, texts, containers) = gallery::containers();
    frames.draw(
        "dxil",
        "two DXIL containers",
        &ViewCx { texts: &texts, containers: &containers, ..ViewCx::of(&report, &selection) },
    );

    let mut compute = lanes;
    let entry = StageReport {
        stage: StageKind::Compute,
        entry: "main".to_owned(),
        input: 0,
        workgroup_size: None,
        driver_hashes: None,
    };
    compute.stages = vec![entry];
    let mut results = TaskResults::NOTHING;
    results.rewriting.take(1, RunSettings::DEFAULT, Ok(gallery::rewriting(20_000)));
    results.run.take(1, RunSettings::DEFAULT, Ok(gallery::particles(1_000_000, &[77])));
    frames.draw("rewritten", "two texts of 20,000 lines", &of(&compute, &results, &selection));
    frames.draw("run", "table of 2,000,000 rows", &of(&compute, &results, &selection));
    results.run.take(1, RunSettings::DEFAULT, Ok(gallery::graphics_run(true)));
    frames.draw("run", "three pictures and a pixel", &of(&compute, &results, &selection));

    let lit = gallery::lit_report();
    results.compiled.take(1, RunSettings::DEFAULT, Ok(gallery::long_compiled(20_000)));
    frames.draw("isa", "assembly of 20,000 lines", &of(&lit, &results, &selection));
    let long = [gallery::long_compiled(20_000).sections.stages, gallery::long_compiled(19_000).sections.stages];
    let partners = [(Partner::Program(7), "the other".to_owned())];
    let sides = Some([0, 1].map(|at: usize| Side { report: [&packing, &lit][at], driver: &long[at] }));
    let comparing = Comparing {
        partners: &partners,
        with: Some(Partner::Program(7)),
        names: ["the other", "this"],
        titles: ["the other", "this"],
        sides,
        object: None,
        objects: None,
        shown: 1,
        key: [1, 2, 3, 4],
        compiling: false,
        stale: false,
    };
    frames.draw("compare", "two programs compared", &ViewCx { comparing, ..ViewCx::of(&lit, &selection) });
    results.compiled.take(1, RunSettings::DEFAULT, Ok(gallery::compiled()));
    frames.draw("statistics", "statistics of two chips", &of(&lit, &results, &selection));

    let (many, wide) = (gallery::large_graph(), gallery::work_graph(7));
    frames.draw("graph", "graph of 500 nodes", &ViewCx::of(&many, &selection));
    if let Some(graph) = &wide.graph {
        results.graph.take(1, RunSettings::DEFAULT, Ok(gallery::many_records(graph, 1_000_000)));
        // The generation with the million records.
        let mut stepping = Stepping::NONE;
        let cx = GraphCx { graph, revision: 1, results: &results, frozen: false };
        stepping.follow(&cx);
        stepping.update(&cx, StepCommand::Step);
        let stepped = ViewCx { stepping: &stepping, ..of(&wide, &results, &selection) };
        frames.draw("graph", "1,000,000 records of a work graph", &stepped);
    }
    for view in builtin_views() {
        assert!(frames.measured.contains(&view.info().id), "the frame of {} is not measured", view.info().title);
    }
    if let Some(graph) = &many.graph {
        frames.criterion.bench_function("graph of 500 nodes: laid out and drawn", |bencher| {
            bencher.iter(|| black_box(lanescope_views::graph::picture(graph, &Theme::dark())));
        });
    }
}

criterion_group!(frame, benches);
criterion_main!(frame);
