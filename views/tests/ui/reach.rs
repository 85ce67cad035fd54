//! Every control of every tab can be brought into view, in a window of any size: what is cut off scrolls.

use std::collections::BTreeSet;

use egui::accesskit::{Action, ActionRequest, TreeId};
use egui::{Id, Rect, Theme, vec2};
use egui_kittest::Harness;
use lanescope_core::report::Report;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::TaskResults;
use lanescope_views::{gallery, theme};

use crate::graph::open_with;
use crate::on_device::Stage;

/// Sizes of a tab that fills a window: the smallest window, two common ones, and 4K.
const SIZES: [[f32; 2]; 4] = [[400.0, 300.0], [1280.0, 720.0], [1600.0, 1000.0], [3840.0, 2160.0]];
/// A common one at a scale: its size in points, and pixels per point.
const SCALED: ([f32; 2], f32) = ([1280.0 / 1.75, 720.0 / 1.75], 1.75);
/// What is seen of a control at least, in points.
const SEEN: f32 = 4.0;
/// Controls that are scrolled to in one tab: those of one row are cut alike.
const TRIED: usize = 24;

/// Controls that take the keyboard, each with its place and what is seen of it.
fn controls<S>(harness: &Harness<'_, S>) -> Vec<(Id, Rect, Rect)> {
    harness.ctx.viewport(|viewport| {
        let widgets = viewport.prev_pass.widgets.layers().flat_map(|(_, widgets)| widgets);
        let works = widgets.filter(|widget| widget.enabled && widget.sense.is_focusable() && widget.rect.is_positive());
        works.map(|widget| (widget.id, widget.rect, widget.interact_rect)).collect()
    })
}

fn is_seen(rect: Rect, seen: Rect) -> bool {
    seen.width() >= SEEN.min(rect.width()) && seen.height() >= SEEN.min(rect.height())
}

/// The controls that cannot be brought into view.
fn out_of_reach<S>(what: &str, harness: &mut Harness<'_, S>) -> Vec<String> {
    let mut tried: BTreeSet<u64> = BTreeSet::new();
    let mut complaints = Vec::new();
    while tried.len() < TRIED {
        let all = controls(harness);
        let hidden = all.iter().find(|(id, rect, seen)| !is_seen(*rect, *seen) && !tried.contains(&id.value()));
        let Some((id, rect, _)) = hidden.copied() else { break };
        tried.insert(id.value());
        harness.ctx.memory_mut(|memory| memory.request_focus(id));
        for _ in 0..4 {
            harness.event(egui::Event::AccessKitActionRequest(ActionRequest {
                action: Action::ScrollIntoView,
                target_tree: TreeId::ROOT,
                target_node: id.accesskit_id(),
                data: None,
            }));
            harness.run_steps(6);
        }
        let now = controls(harness).into_iter().find(|(other, ..)| *other == id);
        // A row that scrolled away is no control any more.
        if now.is_some_and(|(_, rect, seen)| !is_seen(rect, seen)) {
            complaints.push(format!("{what}: {id:?} at {rect:?}"));
        }
    }
    complaints
}

fn compiled(name: &str) -> Stage {
    let mut stage = Stage::new(name);
    let compiled = gallery::compiled();
    stage.report = gallery::lit_report();
    stage.settings.compile = compiled.settings.clone();
    stage.results.compiled.take(1, RunSettings::DEFAULT, Ok(compiled));
    stage
}

fn with_report(name: &str, report: Report) -> Stage {
    let mut stage = Stage::new(name);
    stage.report = report;
    stage
}

#[test]
fn every_control_of_every_tab_is_in_reach() {
    let mut complaints = Vec::new();
    for (size, scale) in SIZES.map(|size| (size, 1.0)).into_iter().chain([SCALED]) {
        for (what, stage) in [
            ("packing", with_report("packing", gallery::packing_report(gallery::every_case()))),
            ("workgroup", Stage::new("workgroup")),
            ("measured", Stage::measured(false)),
            ("costs", crate::costs::counted()),
            ("registers", compiled("registers")),
            ("isa", compiled("isa")),
            ("statistics", compiled("statistics")),
            ("overview", compiled("overview")),
            ("run", Stage::new("run")),
            ("layout", compiled("layout")),
            ("compare", compiled("compare")),
        ] {
            let mut harness = stage.show(size, Theme::Dark);
            harness.set_pixels_per_point(scale);
            harness.run_steps(2);
            complaints.extend(out_of_reach(&format!("{what} at {size:?}"), &mut harness));
        }
        let report = gallery::work_graph(7);
        let mut results = TaskResults::NOTHING;
        results.graph.take(1, RunSettings::DEFAULT, Ok(gallery::graph_run(report.graph.as_ref().expect("a graph"))));
        let mut harness = open_with(&theme::Theme::dark(), report, results, vec2(size[0], size[1]));
        harness.set_pixels_per_point(scale);
        harness.run_steps(2);
        complaints.extend(out_of_reach(&format!("graph at {size:?}"), &mut harness));
    }
    assert!(complaints.is_empty(), "{} out of reach:\n{}", complaints.len(), complaints.join("\n"));
}
