//! Selections by pointer and by keyboard, and the caret.

use egui::{Key, Modifiers, OutputCommand, vec2};
use egui_kittest::kittest::Queryable as _;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Selection, Varying};

use super::*;

const SHIFT: Modifiers = Modifiers::SHIFT;
const CTRL: Modifiers = Modifiers::COMMAND;

fn ctrl_shift() -> Modifiers {
    CTRL | SHIFT
}

#[test]
fn a_drag_selects_over_lines_and_is_the_primary_selection() {
    let mut harness = shader();
    let (from, to) = (place(&harness, "void main() {", 5), place(&harness, "vec3 n = normalize", 8));
    drag(&mut harness, from, to, 0);
    assert_eq!(copied(&mut harness).as_deref(), Some("main() {\n    vec3"));
    assert!(harness.state().selection.varying.is_none(), "a drag selects text, not the line's varying");
    harness.get_by_label("Line 16 of 23, column 9 · 2 lines selected");
    // Backward, and the system is given it once the button is up.
    let (from, to) = (place(&harness, "vec3 n = normalize", 8), place(&harness, "void main() {", 5));
    frame(&mut harness, vec![Event::PointerMoved(from)]);
    frame(&mut harness, vec![button(from, PointerButton::Primary, true, Modifiers::NONE)]);
    frame(&mut harness, vec![Event::PointerMoved(to)]);
    frame(&mut harness, vec![button(to, PointerButton::Primary, false, Modifiers::NONE)]);
    let settled = |harness: &Harness<'_, Stage>| {
        let mut commands = harness.output().platform_output.commands.iter();
        commands.any(|c| matches!(c, OutputCommand::TextSelectionSettled(text) if text == "main() {\n    vec3"))
    };
    assert!(settled(&harness));
    harness.run_steps(1);
    assert!(!settled(&harness), "it is given once");
}

#[test]
fn clicks_select_words_and_lines_and_extend() {
    let mut harness = shader();
    let at = place(&harness, "if (material.x >", 10);
    click(&mut harness, at, 2, Modifiers::NONE);
    assert_eq!(copied(&mut harness).as_deref(), Some("material"));
    harness.run_steps(4);
    click(&mut harness, at, 3, Modifiers::NONE);
    assert_eq!(copied(&mut harness).as_deref(), Some("    if (material.x > 0x10u || gl_FrontFacing == false) {\n"));
    harness.run_steps(4);
    click(&mut harness, at, 1, Modifiers::NONE);
    assert_eq!(copied(&mut harness), None, "a click selects nothing");
    let end = place(&harness, "discard;", 15);
    click(&mut harness, end, 1, SHIFT);
    assert_eq!(
        copied(&mut harness).as_deref(),
        Some("terial.x > 0x10u || gl_FrontFacing == false) {\n        discard")
    );
}

#[test]
fn keys_move_the_caret_and_select() {
    let mut harness = shader();
    let at = place(&harness, "void main() {", 0);
    click(&mut harness, at, 1, Modifiers::NONE);
    assert_eq!(caret(&harness, SHADER), "Line 15: void main() {");
    press(&mut harness, SHIFT, &[Key::End]);
    assert_eq!(copied(&mut harness).as_deref(), Some("void main() {"));
    press(&mut harness, SHIFT, &[Key::Home]);
    assert_eq!(copied(&mut harness), None);
    press(&mut harness, ctrl_shift(), &[Key::ArrowRight, Key::ArrowRight]);
    assert_eq!(copied(&mut harness).as_deref(), Some("void main"));
    press(&mut harness, SHIFT, &[Key::ArrowDown, Key::ArrowLeft]);
    assert_eq!(copied(&mut harness).as_deref(), Some("void main() {\n    vec3"));
    press(&mut harness, Modifiers::NONE, &[Key::ArrowDown]);
    assert_eq!(caret(&harness, SHADER), "Line 17:     vec4 base = texture(albedo, vec2(uv)) * float(tint);");
    assert_eq!(copied(&mut harness), None);
    press(&mut harness, ctrl_shift(), &[Key::Home]);
    let text = data::texts()[0].text.clone();
    let lines: Vec<_> = text.lines().take(16).collect();
    assert_eq!(copied(&mut harness), Some(format!("{}\n    vec4", lines.join("\n"))));
    press(&mut harness, ctrl_shift(), &[Key::End]);
    assert_eq!(copied(&mut harness), text.find(" base = texture").map(|from| text[from..].to_owned()));
    press(&mut harness, CTRL, &[Key::A]);
    assert_eq!(copied(&mut harness), Some(text));
}

#[test]
fn the_caret_stays_in_view() {
    let mut harness = source(vec![data::large_text(100_000)]);
    harness.run_steps(8);
    focus(&mut harness, "Text of large");
    press(&mut harness, CTRL, &[Key::End]);
    harness.get_by_label_contains("; line 99999");
    assert_eq!(caret(&harness, "Text of large"), "Line 100001: ");
    press(&mut harness, Modifiers::NONE, &[Key::PageUp]);
    assert!(harness.query_by_label_contains("; line 99999").is_none());
    press(&mut harness, Modifiers::NONE, &[Key::PageDown, Key::ArrowUp]);
    assert!(caret(&harness, "Text of large").ends_with("; line 99999"));
    press(&mut harness, CTRL, &[Key::Home]);
    harness.get_by_label_contains("; line 0");
    press(&mut harness, Modifiers::NONE, &[Key::PageDown; 3]);
    let at = caret(&harness, "Text of large");
    let line = at.split_once(": ").expect("a number").1.to_owned();
    harness.get_by_label(&line);
}

#[test]
fn drawing_a_selection_out_of_the_view_scrolls() {
    let mut harness = source(vec![data::large_text(10_000)]);
    let from = place(&harness, "; line 3", 0);
    let below = harness.get_by_label("Text of large").rect().center_bottom() + vec2(0.0, 30.0);
    drag(&mut harness, from, below, 40);
    let text = copied(&mut harness).expect("a selection");
    assert!(text.starts_with("%3 = ") && text.lines().count() > 60, "{} lines", text.lines().count());
    assert!(harness.query_by_label_contains("; line 3").is_none(), "it has scrolled");
}

#[test]
fn tab_leaves_the_text_and_enter_selects_what_its_line_represents() {
    let mut harness = shader();
    focus(&mut harness, SHADER);
    // Line 17 uses the varyings at 3 and 4.
    press(&mut harness, Modifiers::NONE, &[Key::ArrowDown; 16]);
    taken(&mut harness);
    press(&mut harness, Modifiers::NONE, &[Key::Enter]);
    let selection =
        |location| Selection { varying: Some(Varying { location, component: None }), ..Selection::default() };
    assert_eq!(taken(&mut harness), [Command::Select(selection(3))]);
    press(&mut harness, Modifiers::NONE, &[Key::Enter]);
    assert_eq!(taken(&mut harness), [Command::Select(selection(4))]);
    press(&mut harness, SHIFT, &[Key::Tab]);
    assert!(harness.get_by_label("Copy").is_focused(), "one step to the control before");
    press(&mut harness, Modifiers::NONE, &[Key::Tab]);
    assert!(harness.get_by_label(SHADER).is_focused());
    press(&mut harness, Modifiers::NONE, &[Key::Tab]);
    assert!(!harness.get_by_label(SHADER).is_focused());
    let marks = harness.query_all_by_label_contains(": select ").filter(|mark| mark.is_focused()).count();
    assert_eq!(marks, 0, "marks are no stops of the Tab key");
}

#[test]
fn a_text_of_420_000_lines_draws_only_what_is_in_view() {
    let mut harness = source(vec![data::large_text(420_000)]);
    harness.run_steps(30);
    focus(&mut harness, "Text of large");
    press(&mut harness, CTRL, &[Key::End]);
    let lines: Vec<_> = harness.query_all_by_label_contains("OpFAdd").collect();
    assert!((20..60).contains(&lines.len()), "{} lines", lines.len());
    // Far down rows are as far from each other as at the top.
    let tops: Vec<f32> = lines.iter().map(|line| line.rect().top()).collect();
    let mut tops = tops;
    tops.sort_by(f32::total_cmp);
    let height = tops[1] - tops[0];
    assert!(tops.windows(2).all(|pair| (pair[1] - pair[0] - height).abs() < 0.1), "{tops:?}");
    press(&mut harness, CTRL, &[Key::A]);
    let text = copied(&mut harness).expect("everything");
    assert_eq!(text, harness.state().texts[0].text);
}

#[test]
fn another_text_keeps_its_caret_and_bookmarks() {
    let mut harness = shader();
    focus(&mut harness, SHADER);
    press(&mut harness, Modifiers::NONE, &[Key::ArrowDown, Key::ArrowDown]);
    harness.get_by_label("lit.frag (SPIR-V)").click();
    harness.run_steps(4);
    assert!(caret(&harness, "Text of lit.frag (SPIR-V)").starts_with("Line 1: "));
    harness.get_by_label("lit.frag").click();
    harness.run_steps(4);
    assert!(caret(&harness, SHADER).starts_with("Line 3: "));
}
