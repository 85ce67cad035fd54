//! Reports that come from files: every tab draws them, for any numbers.

use egui::{Context, RawInput, Rect, pos2, vec2};
use lanescope_core::compare::{Side, compare};
use lanescope_core::report::Report;
use lanescope_inspector::comparing::{Comparing, Partner};
use lanescope_inspector::selection::Selection;
use lanescope_inspector::tasks::TaskResults;
use lanescope_views::context::ViewCx;
use lanescope_views::gallery;
use lanescope_views::registry::builtin_views;
use serde_json::Value;

/// Replacements for a number of a report.
const ODD: [u64; 4] = [0, 7, 255, u32::MAX as u64];

/// Every number of a value, in order.
fn numbers<'v>(value: &'v mut Value, found: &mut Vec<&'v mut Value>) {
    match value {
        Value::Number(_) => found.push(value),
        Value::Array(all) => all.iter_mut().for_each(|one| numbers(one, found)),
        Value::Object(all) => all.values_mut().for_each(|one| numbers(one, found)),
        _ => {}
    }
}

/// Draws every tab of a report, compared with another.
fn draw(report: &Report, other: &Report) {
    let ctx = Context::default();
    let partners = [(Partner::Program(1), "other".to_owned())];
    let sides = [Side::from(other), Side::from(report)];
    let comparing =
        Comparing { partners: &partners, with: Some(Partner::Program(1)), sides: Some(sides), ..Comparing::NOTHING };
    let selection = Selection::default();
    let results = TaskResults::of_report(report, 1);
    let cx = ViewCx { comparing, results: &results, frozen: true, ..ViewCx::of(report, &selection) };
    for mut view in builtin_views() {
        for _ in 0..2 {
            let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 700.0)));
            let input = RawInput { screen_rect, ..RawInput::default() };
            let _ = ctx.run_ui(input, |ui| {
                view.ui(ui, &cx);
            });
        }
    }
    for section in compare(sides[0], sides[1]).sections {
        let picture =
            lanescope_views::draw::comparison(&section, sides, ["a", "b"], &lanescope_views::theme::Theme::light());
        assert!(picture.size.is_finite(), "{:?}", section.name);
    }
}

#[test]
fn draws_a_report_with_odd_numbers() {
    let mut surface = gallery::lit_report();
    surface.driver = gallery::compiled().sections.stages;
    // Long texts of compilers are looked at elsewhere.
    surface.driver.truncate(2);
    surface.driver_layouts = gallery::compiled().sections.layouts;
    surface.driver_layouts.truncate(1);
    surface.driver_registers = gallery::compiled().sections.registers;
    let group = gallery::workgroup_report(gallery::quads_8x8());
    let mut groups = group.clone();
    groups.group_map = Some(gallery::group_map());
    for report in [surface, group, groups, gallery::containers().0] {
        let json = serde_json::to_value(&report).expect("writes");
        let count = {
            let mut json = json.clone();
            let mut found = Vec::new();
            numbers(&mut json, &mut found);
            found.len()
        };
        // A few dozen places, evenly: each is a whole window to draw.
        let step = (count / 24).max(1);
        for (round, at) in (0..count).step_by(step).enumerate() {
            let mut json = json.clone();
            let mut found = Vec::new();
            numbers(&mut json, &mut found);
            *found[at] = ODD[round % ODD.len()].into();
            // A file that is not a report gives an error that says so.
            if let Ok(odd) = serde_json::from_value::<Report>(json) {
                draw(&odd, &report);
            }
        }
    }
}
