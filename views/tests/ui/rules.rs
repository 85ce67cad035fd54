//! Where the rule sets of workgroup layouts differ.

use egui::Theme;
use egui_kittest::SnapshotResults;
use egui_kittest::kittest::Queryable as _;
use lanescope_core::options::LayoutRules;
use lanescope_core::workgroup::{Macro, Micro, OtherRules};
use lanescope_inspector::command::Command;
use lanescope_inspector::view::Ask;

use crate::on_device::{Stage, WIDE, ask, drawn, taken};

fn rules(size: [f32; 2], theme: Theme) -> egui_kittest::Harness<'static, Stage> {
    let mut stage = Stage::new("workgroup");
    stage.report.options.force_swizzle = true;
    let mut harness = stage.show(size, theme);
    harness.get_by_label("Rule sets").click();
    harness.run_steps(6);
    harness
}

#[test]
fn the_sizes_of_another_set_of_options_are_shown() {
    let mut harness = rules(WIDE, Theme::Dark);
    let title = |harness: &mut egui_kittest::Harness<'static, Stage>| {
        ask(harness, Ask::ExportPicture);
        match taken(harness).pop() {
            Some(Command::SavePicture { picture, name: "rules" }) => {
                let text = drawn(&picture).items.iter().filter_map(|item| match &item.shape {
                    lanescope_views::picture::Shape::Text(text) => Some(text.text.clone()),
                    _ => None,
                });
                text.collect::<Vec<_>>().join("\n")
            }
            other => panic!("{other:?}"),
        }
    };
    let own = title(&mut harness);
    assert!(own.contains("derivatives quads, force on, reconfig off, Z = 1"), "{own}");
    harness.get_all_by_label("linear").next().expect("a row").click();
    harness.run_steps(4);
    let linear = title(&mut harness);
    assert!(linear.contains("derivatives linear, force off, reconfig off, Z = 1"), "{linear}");
    assert!(linear.contains("other invocation ids: 0"), "{linear}");
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(Command::Copy(text)) => assert!(text.starts_with("derivatives\tforce\treconfig\tdiffer"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_other_rule_set_is_below_the_decision() {
    let mut stage = Stage::new("workgroup");
    let (micro, macro_tile) = (Micro::None, Macro::Block8);
    let layout_rules = LayoutRules::DesignNote;
    let other = OtherRules { layout_rules, micro, macro_tile, interleave: None, hardware_walks: false, same_ids: true };
    stage.report.workgroup[0].other_rules = Some(other);
    stage.show(WIDE, Theme::Dark).get_by_label("the design note: 8×N strips, the same invocation ids");
}

#[test]
fn the_rules_match_their_pictures() {
    let mut results = SnapshotResults::new();
    for (name, size, theme) in
        [("dark", WIDE, Theme::Dark), ("light", [1700.0, 900.0], Theme::Light), ("small", [400.0, 300.0], Theme::Dark)]
    {
        let mut harness = rules(size, theme);
        harness.remove_cursor();
        harness.run_steps(2);
        results.add(harness.try_snapshot(format!("rules/{name}")));
    }
}
