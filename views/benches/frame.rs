//! CPU time of one frame: the tab's code, layout of text, and tessellation, without a GPU.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use egui::{Context, Event, RawInput, Rect, pos2, vec2};
use lanescope_core::report::Report;
use lanescope_views::context::{Selection, View, ViewCx};
use lanescope_views::gallery;
use lanescope_views::packing::PackingView;
use lanescope_views::theme::Theme;
use lanescope_views::workgroup::WorkgroupView;

/// Draws a tab again and again in a window of 1600x1000 points, with the pointer moving over it.
fn frames(criterion: &mut Criterion, name: &str, view: &mut dyn View, report: &Report) {
    let selection = Selection::default();
    let cx = ViewCx::of(report, &selection);
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
    frames(criterion, "frame/lane map of 1,024 invocations", &mut WorkgroupView::default(), &lanes);
    let packing = gallery::packing_report(gallery::many_slots(32));
    frames(criterion, "frame/packing of 32 slots", &mut PackingView::default(), &packing);
}

criterion_group!(frame, benches);
criterion_main!(frame);
