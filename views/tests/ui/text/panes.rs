//! The same in each other pane: assembly, disassembly, differences.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::view::Ask;
use lanescope_views::gallery;

use super::*;
use crate::on_device::{WIDE, ask, ask_with};

const ASSEMBLY: &str = "Text of fragment gfx1030 original Assembly";

fn isa() -> Harness<'static, Stage> {
    let mut stage = Stage::new("isa");
    stage.report = gallery::lit_report();
    let compiled = gallery::compiled();
    stage.settings.compile = compiled.settings.clone();
    stage.results.compiled.take(1, RunSettings::DEFAULT, Ok(compiled));
    stage.texts = gallery::lit_texts();
    stage.show(WIDE, Theme::Dark)
}

#[test]
fn assembly_is_selected_searched_and_bookmarked() {
    let mut harness = isa();
    let at = place(&harness, "v_interp_p1_f32_e32 v2, v0, attr2.x", 1);
    click(&mut harness, at, 1, Modifiers::NONE);
    press(&mut harness, Modifiers::COMMAND | Modifiers::SHIFT, &[Key::ArrowRight]);
    assert_eq!(copied(&mut harness).as_deref(), Some("v_interp_p1_f32_e32 "));
    ask(&mut harness, Ask::ToggleBookmark);
    harness.get_by_label("Line 9: bookmark");
    ask_with(&mut harness, Ask::Search, vec![Event::Text("image_sample".to_owned())]);
    harness.run_steps(2);
    harness.get_by_label("1 of 1");
    press(&mut harness, Modifiers::NONE, &[Key::Escape]);
    assert_eq!(copied(&mut harness).as_deref(), Some("image_sample"));
    // Enter selects the source of the caret's line.
    taken(&mut harness);
    press(&mut harness, Modifiers::NONE, &[Key::Enter]);
    assert!(matches!(&taken(&mut harness)[..], [Command::Select(selection)] if selection.code.is_some()));
    ask(&mut harness, Ask::NextBookmark);
    assert!(caret(&harness, ASSEMBLY).starts_with("Line 9: "));
}

#[test]
fn nothing_moves_when_registers_are_marked_or_code_is_selected() {
    let mut harness = isa();
    let line = "v_interp_p1_f32_e32 v2, v0, attr2.x";
    let top = harness.get_by_label_contains(line).rect().top();
    let at = place(&harness, line, 21);
    click(&mut harness, at, 1, Modifiers::NONE);
    assert_eq!(harness.get_by_label_contains(line).rect().top(), top);
    harness.get_by_label("Line 14: Select its source").click();
    harness.run_steps(4);
    harness.get_by_label_contains("» lit_surface.frag in lit_surface.spv line 17");
    assert_eq!(harness.get_by_label_contains(line).rect().top(), top);
    ask_with(&mut harness, Ask::Search, vec![Event::Text("v2".to_owned())]);
    harness.run_steps(2);
    assert_eq!(harness.get_by_label_contains(line).rect().top(), top);
}

#[test]
fn the_menu_of_an_instruction_marks_its_registers() {
    let mut harness = isa();
    let at = place(&harness, "v_interp_p1_f32_e32 v2, v0, attr2.x", 1);
    frame(&mut harness, vec![Event::PointerMoved(at)]);
    for pressed in [true, false] {
        frame(&mut harness, vec![button(at, PointerButton::Secondary, pressed, Modifiers::NONE)]);
    }
    harness.run_steps(4);
    harness.get_by_label("Mark the uses of v2").click();
    harness.run_steps(4);
    harness.get_by_label("× v2: 7 uses");
}

fn rewritten(size: [f32; 2]) -> Harness<'static, Stage> {
    Stage::rewritten(Ok(gallery::rewriting(300))).show(size, Theme::Dark)
}

#[test]
fn each_side_of_a_difference_has_its_own_text() {
    let mut harness = rewritten(WIDE);
    let [before, after] = ["Text of original", "Text of rewritten"];
    focus(&mut harness, before);
    press(&mut harness, Modifiers::COMMAND, &[Key::A]);
    let first = copied(&mut harness).expect("the first text");
    assert!(!first.contains("hardware_local_id") && first.contains("gl_LocalInvocationID"));
    press(&mut harness, Modifiers::NONE, &[Key::Tab]);
    assert!(harness.get_by_label(after).is_focused());
    press(&mut harness, Modifiers::COMMAND, &[Key::A]);
    assert!(copied(&mut harness).is_some_and(|text| text.contains("hardware_local_id")));
    // Folded lines are selected too; the caret goes over a fold, and into it from its side.
    press(&mut harness, Modifiers::COMMAND, &[Key::Home]);
    assert!(caret(&harness, after).starts_with("Line 1: "));
    assert_eq!(harness.query_all_by_label_contains("OpCapability Shader").count(), 2);
}

#[test]
fn the_caret_passes_a_fold_and_enter_opens_it() {
    let mut harness = rewritten(WIDE);
    let after = "Text of rewritten";
    ask(&mut harness, Ask::NextChange);
    let at = place(&harness, "%new20 = OpUDiv", 9);
    click(&mut harness, at, 1, Modifiers::NONE);
    assert!(caret(&harness, after).starts_with("Line 24: "));
    press(&mut harness, Modifiers::NONE, &[Key::ArrowDown; 3]);
    assert!(caret(&harness, after).starts_with("Line 27: "));
    press(&mut harness, Modifiers::NONE, &[Key::ArrowDown]);
    assert!(caret(&harness, after).starts_with("Line 41: "), "{}", caret(&harness, after));
    let folds = harness.query_all_by_label("⋯ 13 unchanged lines").count();
    press(&mut harness, Modifiers::NONE, &[Key::Enter]);
    assert!(harness.query_all_by_label("⋯ 13 unchanged lines").count() < folds);
    press(&mut harness, Modifiers::NONE, &[Key::ArrowUp]);
    assert!(caret(&harness, after).starts_with("Line 40: "));
}

#[test]
fn a_difference_is_searched_and_gone_through_by_lines() {
    let mut harness = rewritten(WIDE);
    ask_with(&mut harness, Ask::Search, vec![Event::Text("new20".to_owned())]);
    harness.run_steps(3);
    harness.get_by_label("1 of 1");
    press(&mut harness, Modifiers::NONE, &[Key::Escape]);
    assert!(harness.get_by_label("Text of rewritten").is_focused());
    assert_eq!(copied(&mut harness).as_deref(), Some("new20"));
    ask_with(&mut harness, Ask::GoToLine, vec![Event::Text("60".to_owned())]);
    frame(&mut harness, vec![key(Key::Enter, Modifiers::NONE)]);
    harness.run_steps(4);
    assert!(caret(&harness, "Text of rewritten").starts_with("Line 60: "), "a folded line is shown");
    ask(&mut harness, Ask::ToggleBookmark);
    harness.get_by_label("Line 60: bookmark");
}

#[test]
fn both_texts_in_one_column_are_one_text() {
    let mut harness = rewritten([520.0, 520.0]);
    let both = "Text of original and rewritten";
    let at = place(&harness, "%v20 = OpLoad %v3uint", 0);
    click(&mut harness, at, 1, Modifiers::NONE);
    press(&mut harness, Modifiers::SHIFT, &[Key::ArrowDown, Key::ArrowDown]);
    let text = copied(&mut harness).expect("a selection");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("%new20 = OpUDiv"), "{text}");
    press(&mut harness, Modifiers::COMMAND, &[Key::End]);
    assert!(caret(&harness, both).starts_with("Line "));
    ask_with(&mut harness, Ask::Search, vec![Event::Text("new20".to_owned())]);
    harness.run_steps(3);
    harness.get_by_label("1 of 1");
}

#[test]
fn the_controls_of_a_narrow_pane_are_in_view() {
    let mut stage = Stage::new("source");
    stage.texts = data::texts();
    let narrow = stage.show([230.0, 520.0], Theme::Dark);
    for (harness, width) in [(narrow, 230.0), (rewritten([260.0, 520.0]), 260.0), (rewritten([520.0, 520.0]), 520.0)] {
        for name in ["Copy", "Next match"] {
            let place = harness.get_by_label(name).rect();
            assert!(place.left() >= 0.0 && place.right() <= width, "{name}: {place:?} in {width}");
        }
    }
}
