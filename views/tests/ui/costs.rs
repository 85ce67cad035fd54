//! Counted memory accesses in the tab of the workgroup.

use egui::Theme;
use egui::accesskit::Role;
use egui_kittest::SnapshotResults;
use egui_kittest::kittest::Queryable as _;
use lanescope_core::cost::Tiling;
use lanescope_core::program::StageKind;
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::{CostSettings, RunSettings};
use lanescope_inspector::tasks::{CostQuestion, CountedCosts, OF_REPORT, TimedCosts, TypedInputs, Work};
use lanescope_inspector::view::Ask;
use lanescope_views::gallery;

use crate::on_device::{Stage, WIDE, ask, drawn, taken};

/// The tables are beside the maps.
const LARGE: [f32; 2] = [1700.0, 900.0];

/// The tab of a compute shader whose accesses were counted.
pub fn counted() -> Stage {
    let mut stage = Stage::new("workgroup");
    let question = CostQuestion::of(1, &stage.settings, &[], &TypedInputs::NONE);
    let done = CountedCosts { question, cost: gallery::cost() };
    stage.results.costs.take(1, RunSettings::DEFAULT, Ok(done));
    stage
}

fn costs(mut stage: Stage) -> egui_kittest::Harness<'static, Stage> {
    stage.selection.invocation = None;
    let mut harness = stage.show(WIDE, Theme::Dark);
    harness.get_by_label("Costs").click();
    harness.run_steps(6);
    harness
}

#[test]
fn counts_once_when_it_is_shown() {
    let mut harness = costs(Stage::new("workgroup"));
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Costs)]);
    // Stopped: it does not begin again by itself.
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), []);
    harness.get_by_label("Count").click();
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Costs)]);
    let mut harness = costs(counted());
    assert_eq!(taken(&mut harness), [], "the answer is fresh");
    harness.state_mut().settings.costs.tiling = Tiling::Linear;
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Costs)]);
    harness.get_by_label("! Counted with other settings, options or inputs.");
    harness.get_by_label("Pitch");
}

/// Counting takes a few milliseconds: it may never be seen under way.
#[test]
fn a_command_shows_what_was_counted() {
    let mut harness = Stage::new("workgroup").show(WIDE, Theme::Dark);
    harness.state_mut().results = counted().results;
    harness.run_steps(2);
    assert!(harness.query_by_label("Tiling").is_none(), "it was counted for itself");
    harness.state_mut().results.costs_shown = 1;
    harness.run_steps(2);
    harness.get_by_label("Lines of #7 OpImageRead image source in each layout");
    // Another program whose costs were asked for before the tab was drawn, and then seen, does not change what is shown.
    harness.get_by_label("Predicted").click();
    harness.run_steps(2);
    harness.state_mut().program = 7;
    harness.run_steps(2);
    harness.get_by_label("Tiling");
    harness.get_by_label("Predicted").click();
    harness.run_steps(2);
    harness.state_mut().program = 0;
    harness.run_steps(2);
    assert!(harness.query_by_label("Tiling").is_none());
}

#[test]
fn layouts_are_timed_on_request() {
    let mut harness = costs(counted());
    harness.get_by_label("Time").click();
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Times)]);
    harness.state_mut().results.times.underway = true;
    harness.run_steps(4);
    harness.get_by_label("Cancel").click();
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Stop(Work::Times)]);
    let mut harness = costs(timed());
    harness.get_by_label("Measured: A device, subgroups of 32, 5 samples of 20 dispatches");
    harness.get_by_label_contains("layouts with equal counts take different times");
    harness.get_by_label_contains("the device's clock was steady");
    let stale = "! Timed on another device, or with other settings, options or inputs.";
    assert!(harness.query_by_label(stale).is_none());
    harness.state_mut().settings.run.device = Some("another".to_owned());
    harness.run_steps(4);
    harness.get_by_label(stale);
    let mut stage = counted();
    stage.results.times.take(1, RunSettings::DEFAULT, Err("no device".to_owned()));
    let harness = costs(stage);
    harness.get_by_label("× Not timed");
    harness.get_by_label("no device");
}

/// The same with the times of its layouts.
fn timed() -> Stage {
    let mut stage = counted();
    let question = CostQuestion::of(1, &stage.settings, &[], &TypedInputs::NONE);
    let measured = gallery::measured_cost().expect("it was measured");
    stage.results.times.take(1, RunSettings::DEFAULT, Ok(TimedCosts { question, measured }));
    stage
}

#[test]
fn settings_are_chosen_above_the_maps() {
    let mut harness = costs(counted());
    harness.get_by_role_and_label(Role::ComboBox, "Tiling").click();
    harness.run_steps(4);
    harness.get_by_label("standard").click();
    harness.run_steps(4);
    let chosen = CostSettings { tiling: Tiling::Standard, ..CostSettings::DEFAULT };
    assert_eq!(taken(&mut harness), [Command::SetCostSettings(chosen)]);
}

#[test]
fn the_lines_of_another_access_are_shown() {
    let mut harness = counted().show(LARGE, Theme::Dark);
    harness.get_by_label("Costs").click();
    harness.run_steps(6);
    harness.get_by_label("Lines of #7 OpImageRead image source in each layout");
    harness.get_by_label_contains("8×N strips have the fewest lines of 128 bytes");
    harness.get_by_label_contains("addresses of #7 may depend on the contents of index (set 0, binding 2)");
    harness.get_by_label("#9 OpStore").click();
    harness.run_steps(4);
    harness.get_by_label("Banks of #9 OpStore shared tile in each layout");
    ask(&mut harness, Ask::ExportPicture);
    match taken(&mut harness).pop() {
        Some(Command::SavePicture { picture, name: "costs" }) => assert!(drawn(&picture).title.contains("#9")),
        other => panic!("{other:?}"),
    }
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(Command::Copy(text)) => assert!(text.contains("8×N strips\t8\t4\t16"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn says_why_nothing_is_counted() {
    let mut stage = Stage::new("workgroup");
    stage.results.costs.take(1, RunSettings::DEFAULT, Err("`main` does not end within 9 steps".to_owned()));
    costs(stage).get_by_label("`main` does not end within 9 steps");
    let mut stage = Stage::new("workgroup");
    stage.frozen = true;
    costs(stage).get_by_label(OF_REPORT);
    let mut stage = Stage::new("workgroup");
    stage.report.workgroup[0].stage = StageKind::Mesh;
    assert!(stage.show(WIDE, Theme::Dark).query_by_label("Costs").is_none());
}

#[test]
fn the_costs_match_their_pictures() {
    let mut results = SnapshotResults::new();
    for (name, size, theme) in [
        ("dark", WIDE, Theme::Dark),
        ("light", WIDE, Theme::Light),
        ("large", LARGE, Theme::Light),
        ("small", [400.0, 300.0], Theme::Dark),
    ] {
        let mut harness = counted().show(size, theme);
        harness.get_by_label("Costs").click();
        harness.state_mut().selection.invocation = Some([9, 3, 0]);
        harness.run_steps(6);
        harness.remove_cursor();
        harness.run_steps(2);
        results.add(harness.try_snapshot(format!("costs/{name}")));
    }
    for (name, size, theme) in [("timed", LARGE, Theme::Light), ("timed_dark", WIDE, Theme::Dark)] {
        let mut harness = costs(timed());
        harness.set_size(size.into());
        harness.ctx.set_theme(theme);
        harness.run_steps(6);
        harness.remove_cursor();
        harness.run_steps(2);
        results.add(harness.try_snapshot(format!("costs/{name}")));
    }
}
