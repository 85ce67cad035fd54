//! CPU time of one frame: the tab's code, layout of text, and tessellation, without a GPU.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use egui::{Context, Event, RawInput, Rect, pos2, vec2};
use lanescope_core::program::StageKind;
use lanescope_core::report::{Report, StageReport};
use lanescope_views::asked::{Devices, Made, RunSettings};
use lanescope_views::context::{Ask, Selection, View, ViewCx};
use lanescope_views::gallery;
use lanescope_views::graph::GraphView;
use lanescope_views::isa::IsaView;
use lanescope_views::packing::PackingView;
use lanescope_views::rewritten::RewrittenView;
use lanescope_views::run::RunView;
use lanescope_views::statistics::StatisticsView;
use lanescope_views::theme::Theme;
use lanescope_views::workgroup::WorkgroupView;

/// Draws a tab again and again in a window of 1600x1000 points, with the pointer moving over it.
fn frames(criterion: &mut Criterion, name: &str, view: &mut dyn View, report: &Report, made: &Made) {
    let (selection, mut devices) = (Selection::default(), Devices::UNKNOWN);
    devices.list.take(0, RunSettings::DEFAULT, Ok(Vec::new()));
    let cx = ViewCx { made, devices: &devices, ..ViewCx::of(report, &selection) };
    let context = Context::default();
    context.set_visuals(Theme::dark().visuals());
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
    criterion.bench_function(name, |bencher| bencher.iter(&mut frame));
}

fn benches(criterion: &mut Criterion) {
    let lanes = gallery::workgroup_report(gallery::large_layout());
    frames(criterion, "frame/lane map of 1,024 invocations", &mut WorkgroupView::default(), &lanes, &Made::NOTHING);
    let packing = gallery::packing_report(gallery::many_slots(32));
    frames(criterion, "frame/packing of 32 slots", &mut PackingView::default(), &packing, &Made::NOTHING);
    let mut compute = lanes;
    let entry = StageReport { stage: StageKind::Compute, entry: "main".to_owned(), input: 0, workgroup_size: None };
    compute.stages = vec![entry];
    let mut made = Made::NOTHING;
    made.rewriting.take(1, RunSettings::DEFAULT, Ok(gallery::rewriting(20_000)));
    made.run.take(1, RunSettings::DEFAULT, Ok(gallery::particles(1_000_000, &[77])));
    frames(criterion, "frame/two texts of 20,000 lines", &mut RewrittenView::default(), &compute, &made);
    frames(criterion, "frame/table of 2,000,000 rows", &mut RunView::default(), &compute, &made);
    made.run.take(1, RunSettings::DEFAULT, Ok(gallery::graphics_run(true)));
    frames(criterion, "frame/three pictures and a pixel", &mut RunView::default(), &compute, &made);
    let lit = gallery::lit_report();
    made.compiled.take(1, RunSettings::DEFAULT, Ok(gallery::long_compiled(20_000)));
    frames(criterion, "frame/assembly of 20,000 lines", &mut IsaView::default(), &lit, &made);
    made.compiled.take(1, RunSettings::DEFAULT, Ok(gallery::compiled()));
    let (large, wide) = (gallery::large_graph(), gallery::work_graph(7));
    frames(criterion, "frame/graph of 500 nodes", &mut GraphView::default(), &large, &Made::NOTHING);
    if let Some(graph) = &large.graph {
        criterion.bench_function("graph of 500 nodes: laid out and drawn", |bencher| {
            bencher.iter(|| black_box(lanescope_views::graph::picture(graph, &Theme::dark())));
        });
    }
    if let Some(graph) = &wide.graph {
        made.graph.take(1, RunSettings::DEFAULT, Ok(gallery::many_records(graph, 1_000_000)));
        let mut view = GraphView::default();
        let (selection, devices) = (Selection::default(), Devices::UNKNOWN);
        let cx = ViewCx { made: &made, devices: &devices, ask: Some(Ask::Step), ..ViewCx::of(&wide, &selection) };
        // The generation with the million records.
        Context::default().run_ui(RawInput::default(), |ui| drop(view.ui(ui, &cx))).drop_without_applying_deltas();
        frames(criterion, "frame/1,000,000 records of a work graph", &mut view, &wide, &made);
    }
    frames(criterion, "frame/statistics of two chips", &mut StatisticsView::default(), &lit, &made);
}

criterion_group!(frame, benches);
criterion_main!(frame);
