//! What drivers' compilers made: assembly and statistics.

use egui::Theme;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lanescope_core::driver::Link;
use lanescope_core::target::Target;
use lanescope_views::asked::{CompileSettings, Compiled, RunSettings, Work};
use lanescope_views::context::{Ask, Selection, Varying, ViewCommand};
use lanescope_views::gallery;

use super::on_device::{Stage, WIDE, ask, taken};

fn stage(name: &str, compiled: Compiled) -> Stage {
    let mut stage = Stage::new(name);
    stage.report = gallery::lit_report();
    stage.devices.compile = compiled.settings.clone();
    stage.made.compiled.take(1, RunSettings::DEFAULT, Ok(compiled));
    stage
}

fn isa() -> Harness<'static, Stage> {
    stage("isa", gallery::compiled()).show(WIDE, Theme::Dark)
}

#[test]
fn nothing_compiles_until_it_is_asked_for_and_then_with_every_change() {
    let mut first = Stage::new("isa");
    first.report = gallery::lit_report();
    let mut harness = first.show(WIDE, Theme::Dark);
    assert_eq!(taken(&mut harness), []);
    harness.get_by_label("Compile").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [ViewCommand::Begin(Work::Compile)]);
    harness.state_mut().made.compiled.underway = true;
    harness.run_steps(2);
    harness.get_by_label("Cancel").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [ViewCommand::Stop(Work::Compile)]);

    for (automatic, expected) in [(true, &[ViewCommand::Begin(Work::Compile)][..]), (false, &[])] {
        let mut stage = stage("isa", gallery::compiled());
        stage.devices.compile.automatic = automatic;
        stage.devices.compile.link = Link::Whole;
        let mut harness = stage.show(WIDE, Theme::Dark);
        assert_eq!(taken(&mut harness), expected, "once, not with every frame");
        harness.get_by_label_contains("have changed since this was compiled");
    }
}

#[test]
fn chips_and_versions_are_settings_of_the_window() {
    let mut harness = isa();
    harness.get_by_label("Chips: gfx1030, gfx1100").click();
    harness.run_steps(4);
    harness.get_by_label("gfx900  Vega 10: driver only").click();
    harness.run_steps(4);
    let before = gallery::compiled().settings;
    let chips = vec![Target::Gfx900, Target::Gfx1030, Target::Gfx1100];
    let settings = CompileSettings { chips, ..before.clone() };
    assert_eq!(taken(&mut harness), [ViewCommand::SetCompileSettings(settings)]);
    let mut harness = isa();
    harness.get_by_label("Packed").click();
    harness.run_steps(4);
    let settings = CompileSettings { packed: false, ..before };
    assert_eq!(taken(&mut harness), [ViewCommand::SetCompileSettings(settings)]);
}

#[test]
fn a_compiler_that_died_is_a_finding_and_the_rest_is_there() {
    let harness = isa();
    harness.get_by_label_contains("I001");
    harness.get_by_label_contains("RADV for gfx900 (radv Mesa 22.3.6) died on the packed fragment shader: SIGSEGV");
    harness.get_by_label_contains("4 pipelines in 87 ms, 1 of them from the cache, 312 ms after the file was saved");
    harness.get_by_label_contains("v_interp_p1_f32_e32 v2, v0, attr2.x");
}

#[test]
fn a_varying_marks_its_instructions_and_they_select_it() {
    let mut harness = isa();
    // attr2 is the third location in use: texcoord, at location 3.
    harness.get_by_label("Line 9: Select texcoord at location 3, component 0").click();
    harness.run_steps(4);
    let varying = Some(Varying { location: 3, component: Some(0) });
    let selection = Selection { varying, ..Selection::default() };
    assert_eq!(taken(&mut harness), [ViewCommand::Select(selection)]);
    // The packed version reads it from another slot.
    harness.get_all_by_role_and_label(Role::ComboBox, "of").next().expect("a choice").click();
    harness.run_steps(4);
    harness.get_by_label("gfx1030 packed").click();
    harness.run_steps(4);
    let marks = harness.query_all_by_label_contains("Select texcoord at location 3, component 0").count();
    assert_eq!(marks, 2, "both steps of its interpolation");
}

#[test]
fn the_stage_before_marks_its_exports() {
    let mut harness = isa();
    harness.get_by_label("vertex").click();
    harness.run_steps(4);
    harness.state_mut().selection.varying = Some(Varying { location: 4, component: None });
    harness.run_steps(8);
    assert!(harness.query_all_by_label_contains("Select ").count() > 0, "it scrolls there");
}

#[test]
fn two_versions_stand_side_by_side_and_the_difference_is_copied() {
    let mut harness = isa();
    harness.get_by_label("Beside").click();
    harness.run_steps(6);
    ask(&mut harness, Ask::NextChange);
    harness.get_by_label_contains("change 1 of ");
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(ViewCommand::Copy(text)) => {
            assert!(text.starts_with("--- gfx1030 original\n+++ gfx1030 packed\n@@ "), "{text}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn text_and_curve_are_taken_along() {
    let mut harness = isa();
    harness.get_by_label_contains("Register pressure: at most ");
    ask(&mut harness, Ask::CopyTable);
    ask(&mut harness, Ask::ExportPicture);
    let commands = taken(&mut harness);
    assert!(matches!(&commands[0], ViewCommand::Copy(text) if text.contains("s_endpgm")), "{commands:?}");
    assert!(matches!(&commands[1], ViewCommand::Export { name: "register-pressure", .. }));
    harness.get_by_label("Search text").focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text("attr4".to_owned()));
    harness.run_steps(4);
    harness.get_by_label("1 match");
}

#[test]
fn statistics_are_told_with_their_change_and_saved() {
    let mut harness = stage("statistics", gallery::compiled()).show(WIDE, Theme::Dark);
    harness.get_by_label("▼ -8 (-25%)");
    harness.get_by_label("▲ +2");
    harness.get_by_label("Differences only").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("SGPRs").is_none(), "the same in every column");
    harness.get_by_label("Save").click();
    harness.run_steps(4);
    harness.get_by_label("CSV, a value a row…").click();
    harness.run_steps(4);
    match taken(&mut harness).pop() {
        Some(ViewCommand::SaveText { text, name }) => {
            assert_eq!(name, "statistics.csv");
            assert!(text.contains("vertex,Vertex Shader,VGPRs,gfx1030,packed,apart,24,-8,-25.00\r\n"), "{text}");
        }
        other => panic!("{other:?}"),
    }
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(ViewCommand::Copy(text)) => assert!(text.contains("| VGPRs | 32 | 24 ▼ -8 (-25%) | 24 | 24 |"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_long_text_is_a_text_like_any_other() {
    let mut harness = stage("isa", gallery::long_compiled(20_000)).show(WIDE, Theme::Dark);
    harness.get_by_label_contains("400 branches");
    harness.run_steps(4);
}

#[test]
fn the_tabs_look_as_they_should() {
    let mut results = egui_kittest::SnapshotResults::new();
    let mut look = |name: &str, stage: Stage, size: [f32; 2], theme: Theme| {
        let mut harness = stage.show(size, theme);
        if name.starts_with("beside") {
            harness.get_by_label("Beside").click();
        }
        harness.run_steps(8);
        harness.remove_cursor();
        harness.run_steps(2);
        results.add(harness.try_snapshot(format!("compiled/{name}")));
    };
    for (theme, mode) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let mut isa = stage("isa", gallery::compiled());
        isa.selection.varying = Some(Varying { location: 3, component: None });
        look(&format!("isa_{mode}"), isa, WIDE, theme);
        look(&format!("beside_{mode}"), stage("isa", gallery::compiled()), WIDE, theme);
        look(&format!("statistics_{mode}"), stage("statistics", gallery::compiled()), WIDE, theme);
    }
    let small = [400.0, 300.0];
    look("isa_small", stage("isa", gallery::compiled()), small, Theme::Dark);
    look("statistics_small", stage("statistics", gallery::compiled()), small, Theme::Light);
    look("isa_long", stage("isa", gallery::long_compiled(5_000)), WIDE, Theme::Dark);
}
