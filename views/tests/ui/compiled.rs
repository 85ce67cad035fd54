//! Results of drivers' compilers: assembly and statistics.

use std::collections::BTreeMap;

use egui::Theme;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lanescope_core::chip::Chip;
use lanescope_core::driver::{DriverStage, Link, Version};
use lanescope_core::target::Target;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Code, Selection, Varying};
use lanescope_inspector::settings::{CompileSettings, RunSettings, StatisticsSettings};
use lanescope_inspector::tasks::{Compiled, Work};
use lanescope_inspector::view::{Ask, ViewId};
use lanescope_views::gallery;

use super::on_device::{Stage, WIDE, ask, drawn, taken};

fn stage(name: &str, compiled: Compiled) -> Stage {
    let mut stage = Stage::new(name);
    stage.report = gallery::lit_report();
    stage.settings.compile = compiled.settings.clone();
    stage.results.compiled.take(1, RunSettings::DEFAULT, Ok(compiled));
    stage
}

fn isa() -> Harness<'static, Stage> {
    stage("isa", gallery::compiled()).show(WIDE, Theme::Dark)
}

#[test]
fn compiles_on_request_and_marks_outdated_results() {
    let mut first = Stage::new("isa");
    first.report = gallery::lit_report();
    let mut harness = first.show(WIDE, Theme::Dark);
    assert_eq!(taken(&mut harness), []);
    harness.get_by_label("Compile").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Compile)]);
    harness.state_mut().results.compiled.underway = true;
    harness.run_steps(2);
    harness.get_by_label("Cancel").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::Stop(Work::Compile)]);

    let mut stage = stage("isa", gallery::compiled());
    stage.settings.compile.link = Link::Whole;
    let mut harness = stage.show(WIDE, Theme::Dark);
    assert_eq!(taken(&mut harness), [], "automatic compiles are not the view's");
    harness.get_by_label_contains("have changed since the compile");
}

#[test]
fn chips_and_versions_are_settings_of_the_window() {
    let mut harness = isa();
    harness.get_by_label("Chips: gfx1030, gfx1100").click();
    harness.run_steps(4);
    harness.get_by_label("gfx900  Vega 10: driver only").click();
    harness.run_steps(4);
    let before = gallery::compiled().settings;
    let chips = [Target::Gfx900, Target::Gfx1030, Target::Gfx1100].map(Chip::Amd).to_vec();
    let settings = CompileSettings { chips, ..before.clone() };
    assert_eq!(taken(&mut harness), [Command::SetCompileSettings(settings)]);
    let mut harness = isa();
    harness.get_by_label("Packed").click();
    harness.run_steps(4);
    let settings = CompileSettings { packed: false, ..before };
    assert_eq!(taken(&mut harness), [Command::SetCompileSettings(settings)]);
}

#[test]
fn slots_of_compilers_stand_beside_the_packed_ones() {
    let mut harness = stage("packing", gallery::compiled()).show(WIDE, Theme::Dark);
    harness.get_by_label("Compilers").click();
    harness.run_steps(4);
    harness.get_by_label("Varyings by compiler");
    harness.get_by_label("Export picture").click();
    harness.run_steps(4);
    let commands = taken(&mut harness);
    let [Command::SavePicture { picture, name: "varyings" }] = commands.as_slice() else { panic!("{commands:?}") };
    let text = lanescope_views::draw::svg(drawn(picture));
    assert!(text.contains("RADV gfx1030, RADV gfx1100") && text.contains("Lanescope, packed"), "{text}");
    // Before anything is compiled, that is offered.
    let mut first = Stage::new("packing");
    first.report = gallery::lit_report();
    let mut harness = first.show(WIDE, Theme::Dark);
    harness.get_by_label("Compilers").click();
    harness.run_steps(4);
    harness.get_by_label("Compile").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Compile)]);
}

#[test]
fn a_compiler_crash_is_a_finding_beside_other_results() {
    let harness = isa();
    harness.get_by_label_contains("I001");
    harness.get_by_label_contains("RADV for gfx900 (radv Mesa 22.3.6) crashed on the packed fragment shader: SIGSEGV");
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
    assert_eq!(taken(&mut harness), [Command::Select(selection)]);
    // The packed version reads it from another slot.
    harness.get_all_by_role_and_label(Role::ComboBox, "of").next().expect("a choice").click();
    harness.run_steps(4);
    harness.get_by_label("gfx1030 packed").click();
    harness.run_steps(4);
    let marks = harness.query_all_by_label_contains("Select texcoord at location 3, component 0").count();
    assert_eq!(marks, 2, "both steps of its interpolation");
}

#[test]
fn instructions_and_source_lines_select_each_other() {
    let with_texts = |name| {
        let mut stage = stage(name, gallery::compiled());
        stage.texts = gallery::lit_texts();
        stage
    };
    let mut harness = with_texts("isa").show(WIDE, Theme::Dark);
    // The sample of the texture passes no varying: it is known by the source line alone.
    harness.get_by_label("Line 14: Select its source").click();
    harness.run_steps(4);
    let code = Code { module: 1, instructions: vec![71] };
    let selection = Selection { code: Some(code.clone()), ..Selection::default() };
    assert_eq!(taken(&mut harness), [Command::Select(selection)]);
    harness.get_by_label_contains("» lit_surface.frag in lit_surface.spv line 17: vec3 base = texture(").click();
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Show(ViewId::Source)]);
    // An interpolation is both: its varying, and the load that it comes from.
    harness.get_by_label("Line 9: Select texcoord at location 3, component 0").click();
    harness.run_steps(4);
    let code = Code { module: 1, instructions: vec![70] };
    let varying = Some(Varying { location: 3, component: Some(0) });
    let selection = Selection { varying, code: Some(code.clone()), ..Selection::default() };
    assert_eq!(taken(&mut harness), [Command::Select(selection.clone())]);

    // The tab Source goes to the source, not to the listing, and its line selects everything on it.
    let mut source = with_texts("source");
    source.selection = selection;
    let mut harness = source.show(WIDE, Theme::Dark);
    harness.get_by_label_contains("color = vec4(base * shade").click();
    harness.run_steps(4);
    let code = Code { module: 1, instructions: vec![75] };
    let selection = Selection { varying, code: Some(code), ..Selection::default() };
    assert_eq!(taken(&mut harness), [Command::Select(selection.clone())]);

    // The tab ISA goes to the export.
    let mut isa = with_texts("isa");
    isa.selection = selection;
    let harness = isa.show([1200.0, 420.0], Theme::Dark);
    harness.get_by_label_contains("exp mrt0 v2, v2, v0, v0 done compr vm");
    harness.get_by_label_contains("» lit_surface.frag in lit_surface.spv line 19: color = ");
}

/// The ISA tab beside the texts of the program.
fn with_texts(tints: bool, selected: Option<Code>) -> Harness<'static, Stage> {
    let mut stage = stage("isa", gallery::compiled());
    stage.texts = gallery::lit_texts();
    stage.settings.texts.tints = tints;
    stage.selection.code = selected;
    stage.show(WIDE, Theme::Light)
}

#[test]
fn an_instruction_between_two_certain_ones_has_an_estimated_source() {
    let mut harness = with_texts(true, None);
    harness.get_by_label("Line 13: Select its estimated source").click();
    harness.run_steps(4);
    let Some(Command::Select(Selection { code: Some(code), varying: None, .. })) = taken(&mut harness).pop() else {
        panic!("it selects the source of the nearer certain one");
    };
    let alone = Code { instructions: vec![71], ..code };
    assert_eq!(alone.module, 1);
    // Line 14 certainly comes from the sample; what is only an estimate is not said to come from it.
    let harness = with_texts(true, Some(alone));
    harness.get_by_label_contains("» lit_surface.frag in lit_surface.spv line 17: vec3 base = texture(");
}

#[test]
fn source_lines_stand_beside_their_instructions_until_switched_off() {
    let left = |tints: bool| {
        let harness = with_texts(tints, None);
        harness.get_by_label_contains("image_sample").rect().left()
    };
    assert!(left(true) > left(false) + 20.0, "{} {}", left(true), left(false));
}

#[test]
fn shows_driver_places_of_varyings_as_a_table() {
    let mut harness = isa();
    harness.get_by_label("Varyings").click();
    harness.run_steps(4);
    harness.get_by_label("gfx1030, gfx1100");
    harness.get_by_label("original, together");
    assert_eq!(harness.query_all_by_label("constant").count(), 7, "a colour's components twice, and what it means");
    harness.get_by_label("compacted: earlier slots were removed");
    harness.get_by_label("material.x").click();
    harness.run_steps(4);
    let varying = Some(Varying { location: 5, component: Some(0) });
    assert_eq!(taken(&mut harness), [Command::Select(Selection { varying, ..Selection::default() })]);
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(Command::Copy(text)) => {
            assert!(text.contains("\nmaterial.x\t5.x\t3.x\t4.x\t2.x closed-up\t3.x\t2.x closed-up\n"), "{text}");
        }
        other => panic!("{other:?}"),
    }
    harness.get_by_label("fragment").click();
    harness.run_steps(4);
    harness.get_by_label_contains("v_interp_mov_f32_e32 v1, p0, attr4.x");

    let mut none = gallery::compiled();
    none.sections.layouts.clear();
    let mut harness = stage("isa", none).show(WIDE, Theme::Dark);
    harness.get_by_label_contains("· varyings are not marked");
    harness.get_by_label("Varyings").click();
    harness.run_steps(4);
    harness.get_by_label("No driver layout");
}

#[test]
fn registers_that_differ_name_the_choice() {
    let mut harness = isa();
    harness.get_by_label("Registers").click();
    harness.run_steps(4);
    harness.get_by_label("1 of 4 fields as computed");
    harness.get_by_label("fragment: gfx1030 original apart, gfx1030 packed apart");
    harness.get_by_label_contains("compiled separately, the previous stage passes all outputs");
    harness.get_by_label("SPI_VS_OUT_CONFIG").click();
    harness.run_steps(4);
    let register = Some("SPI_VS_OUT_CONFIG".to_owned());
    assert_eq!(taken(&mut harness), [Command::Select(Selection { register, ..Selection::default() })]);
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(Command::Copy(text)) => {
            let row = "SPI_VS_OUT_CONFIG\tVS_EXPORT_COUNT\t4\t6\t7 slots exported\twhole-interface\tvertex: gfx1030 \
                       original apart";
            assert!(text.contains(row), "{text}");
        }
        other => panic!("{other:?}"),
    }
    let mut none = gallery::compiled();
    none.sections.registers.clear();
    let mut harness = stage("isa", none).show(WIDE, Theme::Light);
    harness.get_by_label("Registers").click();
    harness.run_steps(4);
    harness.get_by_label("No driver registers");
}

/// Where a character of a word in a line of assembly is, `part` of its width from its left.
fn place_of(harness: &Harness<'_, Stage>, line: &str, word: &str, character: usize, part: f32) -> egui::Pos2 {
    let node = harness.get_by_label_contains(line);
    let text = node.value().or_else(|| node.accesskit_node().label()).expect("its text");
    // A tab is four columns wide; everything else in these texts is one.
    let columns = |text: &str| text.chars().map(|c| if c == '\t' { 4.0 } else { 1.0 }).sum::<f32>();
    let start = text.find(word).unwrap_or_else(|| panic!("{word} is in {text}"));
    let glyph = node.rect().width() / columns(&text);
    let x = node.rect().left() + (columns(&text[..start]) + character as f32 + part) * glyph;
    egui::pos2(x, node.rect().center().y)
}

fn click_at(harness: &mut Harness<'_, Stage>, at: egui::Pos2) {
    harness.drag_at(at);
    harness.run_steps(1);
    harness.drop_at(at);
    harness.run_steps(8);
}

/// A line of the sample that reads an attribute into v2.
const INTERPOLATION: &str = "v_interp_p1_f32_e32 v2, v0, attr2.x";

#[test]
fn an_operand_under_the_pointer_marks_its_uses_over_its_whole_width() {
    let mut harness = isa();
    for (word, character, part, expected) in [
        ("v2,", 0, 0.1, Some("v2: written ")),
        // The last pixels of its last character are still of it, and the first ones of the comma are not.
        ("v2,", 1, 0.9, Some("v2: written ")),
        ("v2,", 2, 0.3, None),
        ("v0,", 0, 0.05, Some("v0: ")),
        (" v0,", 0, 0.9, None),
    ] {
        harness.hover_at(place_of(&harness, INTERPOLATION, word, character, part));
        harness.run_steps(8);
        let found = harness.query_by_label_contains("click to keep its uses marked").is_some();
        assert_eq!(found, expected.is_some(), "{word} {character} {part}");
        if let Some(expected) = expected {
            harness.get_by_label_contains(expected);
        }
    }
}

#[test]
fn a_click_on_an_operand_keeps_its_uses_marked_until_the_next() {
    let mut harness = isa();
    let at = place_of(&harness, INTERPOLATION, "v2,", 0, 0.5);
    click_at(&mut harness, at);
    let pinned = |harness: &Harness<'_, Stage>| harness.query_by_label_contains("v2: ").is_some();
    harness.hover_at(egui::pos2(4.0, 4.0));
    harness.run_steps(8);
    assert!(pinned(&harness), "though the pointer is elsewhere");
    click_at(&mut harness, at);
    harness.hover_at(egui::pos2(4.0, 4.0));
    harness.run_steps(8);
    assert!(!pinned(&harness));
}

#[test]
fn clicking_a_branch_goes_to_its_target() {
    let mut compiled = gallery::long_compiled(10);
    let body = "\tv_mov_b32_e32 v1, v2                          ; 7e020302\n".repeat(400);
    let text = format!("BB0:\n\ts_cbranch_scc1 BB1                       ; bf850190\n{body}BB1:\n\ts_endpgm\n");
    compiled.sections.stages[0].isa = Some(text);
    let mut harness = stage("isa", compiled).show(WIDE, Theme::Dark);
    assert!(harness.query_by_label_contains("s_endpgm").is_none(), "it is far below");
    let at = place_of(&harness, "s_cbranch_scc1 BB1", "BB1", 1, 0.5);
    harness.hover_at(at);
    harness.run_steps(8);
    harness.get_by_label("branches to line 403");
    click_at(&mut harness, at);
    harness.get_by_label_contains("s_endpgm");
}

#[test]
fn chooses_and_keeps_columns_of_statistics() {
    let mut harness = stage("statistics", gallery::compiled()).show(WIDE, Theme::Dark);
    harness.get_by_label("Columns").click();
    harness.run_steps(4);
    harness.get_by_role_and_label(Role::CheckBox, "gfx1030 packed").click();
    harness.run_steps(4);
    let hidden = match taken(&mut harness).pop() {
        Some(Command::SetStatisticsSettings(settings)) => settings,
        other => panic!("{other:?}"),
    };
    assert_eq!(hidden.hidden.len(), 1);
    harness.state_mut().settings.statistics = hidden;
    harness.run_steps(4);
    harness.get_by_label("Columns: 3 of 4");
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(Command::Copy(text)) => {
            assert!(text.contains("| VGPRs | 32 | 24 | 24 |") && !text.contains("gfx1030 packed"), "{text}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn shows_results_of_a_report_without_compiling() {
    let mut report = stage("statistics", gallery::compiled());
    report.frozen = true;
    let mut harness = report.show(WIDE, Theme::Dark);
    harness.get_by_label("Results saved in the report.");
    assert!(harness.query_by_label("Compile").is_none());
    harness.get_by_label("▼ -8 (-25%)");
    assert_eq!(taken(&mut harness), []);
    let mut empty = Stage::new("isa");
    empty.report = gallery::lit_report();
    empty.frozen = true;
    empty.show(WIDE, Theme::Dark).get_by_label_contains("has no driver results");
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
fn shows_two_versions_side_by_side_and_copies_the_diff() {
    let mut harness = isa();
    harness.get_by_label("Beside").click();
    harness.run_steps(6);
    ask(&mut harness, Ask::NextChange);
    harness.get_by_label_contains("change 1 of ");
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(Command::Copy(text)) => {
            assert!(text.starts_with("--- gfx1030 original\n+++ gfx1030 packed\n@@ "), "{text}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn copies_the_text_and_exports_the_curve() {
    let mut harness = isa();
    harness.get_by_label_contains("Register pressure: a peak of ");
    ask(&mut harness, Ask::CopyTable);
    ask(&mut harness, Ask::ExportPicture);
    let commands = taken(&mut harness);
    assert!(matches!(&commands[0], Command::Copy(text) if text.contains("s_endpgm")), "{commands:?}");
    assert!(matches!(&commands[1], Command::SavePicture { name: "register-pressure", .. }));
    harness.get_by_label("Search text").focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text("attr4".to_owned()));
    harness.run_steps(4);
    harness.get_by_label("1 of 1");
}

#[test]
fn shows_statistics_with_changes_and_saves_them() {
    let mut harness = stage("statistics", gallery::compiled()).show(WIDE, Theme::Dark);
    harness.get_by_label("▼ -8 (-25%)");
    harness.get_by_label("▲ +2");
    harness.get_by_label("Differences only").click();
    harness.run_steps(4);
    let settings = StatisticsSettings { differences_only: true, ..StatisticsSettings::default() };
    assert_eq!(taken(&mut harness), [Command::SetStatisticsSettings(settings.clone())]);
    harness.state_mut().settings.statistics = settings;
    harness.run_steps(4);
    assert!(harness.query_by_label("SGPRs").is_none(), "the same in every column");
    harness.get_by_label("Save").click();
    harness.run_steps(4);
    harness.get_by_label("CSV, one value per row…").click();
    harness.run_steps(4);
    match taken(&mut harness).pop() {
        Some(Command::SaveText { text, name }) => {
            assert_eq!(name, "statistics.csv");
            assert!(text.contains("vertex,Vertex Shader,VGPRs,gfx1030,packed,apart,24,-8,-25.00,\r\n"), "{text}");
        }
        other => panic!("{other:?}"),
    }
    ask(&mut harness, Ask::CopyTable);
    match taken(&mut harness).pop() {
        Some(Command::Copy(text)) => assert!(text.contains("| VGPRs | 32 | 24 ▼ -8 (-25%) | 24 | 24 |"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn shows_a_long_text() {
    let mut harness = stage("isa", gallery::long_compiled(20_000)).show(WIDE, Theme::Dark);
    harness.get_by_label_contains("400 branches");
    harness.run_steps(4);
}

#[test]
fn the_tabs_match_their_pictures() {
    let mut results = egui_kittest::SnapshotResults::new();
    let mut look = |name: &str, stage: Stage, size: [f32; 2], theme: Theme| {
        let mut harness = stage.show(size, theme);
        if name.starts_with("beside") {
            harness.get_by_label("Beside").click();
        }
        for (begin, page) in [("varyings", "Varyings"), ("registers", "Registers")] {
            if name.starts_with(begin) {
                harness.get_by_label(page).click();
            }
        }
        harness.run_steps(8);
        harness.remove_cursor();
        harness.run_steps(2);
        results.add(harness.try_snapshot(format!("compiled/{name}")));
    };
    for (theme, mode) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let mut isa = stage("isa", gallery::compiled());
        isa.texts = gallery::lit_texts();
        isa.selection.varying = Some(Varying { location: 3, component: None });
        isa.selection.code = Some(Code { module: 1, instructions: vec![71] });
        look(&format!("isa_{mode}"), isa, WIDE, theme);
        look(&format!("beside_{mode}"), stage("isa", gallery::compiled()), WIDE, theme);
        look(&format!("statistics_{mode}"), stage("statistics", gallery::compiled()), WIDE, theme);
        let mut varyings = stage("isa", gallery::compiled());
        varyings.selection.varying = Some(Varying { location: 3, component: Some(0) });
        look(&format!("varyings_{mode}"), varyings, WIDE, theme);
        look(&format!("registers_{mode}"), stage("isa", gallery::compiled()), WIDE, theme);
    }
    let small = [400.0, 300.0];
    look("varyings_small", stage("isa", gallery::compiled()), small, Theme::Light);
    look("isa_small", stage("isa", gallery::compiled()), small, Theme::Dark);
    look("statistics_small", stage("statistics", gallery::compiled()), small, Theme::Light);
    look("isa_long", stage("isa", gallery::long_compiled(5_000)), WIDE, Theme::Dark);
}

#[test]
fn equal_code_of_both_versions_is_one_sentence() {
    let text = "The driver already packs this; both versions compile to the same code.";
    let mut compiled = gallery::compiled();
    let original = compiled.sections.stages.iter().find(|row| row.of == Version::Original).cloned();
    let original = original.expect("an original");
    compiled.sections.stages =
        [Version::Original, Version::Packed].map(|of| DriverStage { of, ..original.clone() }).to_vec();
    let mut harness = stage("isa", compiled.clone()).show(WIDE, Theme::Dark);
    assert!(harness.query_by_label(text).is_none());
    harness.get_by_label("Beside").click();
    harness.run_steps(4);
    harness.get_by_label(text);
    let harness = stage("statistics", compiled.clone()).show(WIDE, Theme::Dark);
    harness.get_by_label(text);
    if let Some(isa) = &mut compiled.sections.stages[1].isa {
        isa.push_str("\ts_nop 0\n");
    }
    let harness = stage("statistics", compiled).show(WIDE, Theme::Dark);
    assert!(harness.query_by_label(text).is_none());
}

#[test]
fn live_registers_stand_on_the_row_of_their_line_at_every_size() {
    let mut has_most = false;
    for size in [WIDE, [900.0, 1400.0], [560.0, 500.0]] {
        let mut harness = stage("isa", gallery::compiled()).show(size, Theme::Light);
        let mut live = BTreeMap::new();
        for row in harness.query_all_by_label_contains(" live") {
            let label = row.accesskit_node().label().unwrap_or_default();
            if let Some((line, _)) = label.split_once(": ").filter(|(line, _)| line.starts_with("Line ")) {
                live.insert(line.to_owned(), (row.rect(), label.ends_with("the most")));
            }
        }
        assert!(live.len() > 4, "{size:?}: {live:?}");
        has_most |= live.values().any(|(_, most)| *most);
        let signs = harness.query_all_by_label_contains(": Select ").collect::<Vec<_>>();
        let place_of = |label: &str| live.get(label.split_once(": ").expect("a line").0);
        let same: Vec<_> =
            signs.iter().filter_map(|sign| Some((sign.rect(), place_of(&sign.accesskit_node().label()?)?.0))).collect();
        assert!(!same.is_empty() && same.iter().all(|(sign, live)| sign.y_range() == live.y_range()), "{same:?}");
        let (_, live) = same[0];
        harness.hover_at(live.center());
        harness.run_steps(2);
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
            harness.event(egui::Event::PointerButton { pos: live.center(), button, pressed, modifiers });
            harness.run_steps(2);
        }
        let commands = taken(&mut harness);
        assert!(commands.iter().any(|command| matches!(command, Command::Select(_))), "{commands:?}");
    }
    assert!(has_most, "the most is marked");
}
