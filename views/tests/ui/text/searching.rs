//! Searches, lines to go to, bookmarks and menus.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use lanescope_inspector::view::Ask;

use super::*;
use crate::on_device::{ask, ask_with};

fn typed(text: &str) -> Event {
    Event::Text(text.to_owned())
}

#[test]
fn keys_typed_with_the_request_reach_the_search_field() {
    let mut harness = shader();
    focus(&mut harness, SHADER);
    ask_with(&mut harness, Ask::Search, vec![typed("l"), typed("o"), typed("c")]);
    harness.run_steps(2);
    assert_eq!(harness.get_by_label("Search text").value().as_deref(), Some("loc"));
    harness.get_by_label("1 of 6");
    // What is typed later replaces what was searched for.
    ask_with(&mut harness, Ask::Search, vec![typed("tint")]);
    harness.run_steps(2);
    assert_eq!(harness.get_by_label("Search text").value().as_deref(), Some("tint"));
    harness.get_by_label("1 of 2");
}

#[test]
fn a_search_goes_from_match_to_match_and_escape_returns_to_the_text() {
    let mut harness = shader();
    ask_with(&mut harness, Ask::Search, vec![typed("location")]);
    harness.run_steps(2);
    for (modifiers, pressed, expected) in [
        (Modifiers::NONE, Key::Enter, "2 of 6"),
        (Modifiers::SHIFT, Key::Enter, "1 of 6"),
        (Modifiers::SHIFT, Key::F3, "6 of 6"),
        (Modifiers::NONE, Key::F3, "1 of 6"),
    ] {
        frame(&mut harness, vec![Event::ModifiersChanged(modifiers), key(pressed, modifiers)]);
        frame(&mut harness, vec![Event::ModifiersChanged(Modifiers::NONE)]);
        harness.run_steps(2);
        harness.get_by_label(expected);
    }
    press(&mut harness, Modifiers::NONE, &[Key::Escape]);
    assert!(harness.get_by_label(SHADER).is_focused());
    assert_eq!(harness.get_by_label("Search text").value().unwrap_or_default(), "");
    assert_eq!(copied(&mut harness).as_deref(), Some("location"), "the match stays selected");
    assert!(caret(&harness, SHADER).starts_with("Line 5: "));
}

#[test]
fn a_search_begins_at_the_caret_and_scrolls_to_what_it_finds() {
    let mut harness = source(vec![data::large_text(100_000)]);
    harness.run_steps(8);
    focus(&mut harness, "Text of large");
    press(&mut harness, Modifiers::NONE, &[Key::PageDown]);
    ask_with(&mut harness, Ask::Search, vec![typed("; line 5")]);
    harness.run_steps(30);
    // Line 5 itself is above.
    assert!(caret(&harness, "Text of large").ends_with("; line 50"), "{}", caret(&harness, "Text of large"));
    ask_with(&mut harness, Ask::Search, vec![typed("; line 77777")]);
    harness.run_steps(30);
    harness.get_by_label_contains("; line 77777");
    harness.get_by_label("1 of 1");
    let count = harness.get_by_label("1 of 1").rect();
    ask_with(&mut harness, Ask::Search, vec![typed("; line 7")]);
    harness.run_steps(30);
    assert_eq!(harness.get_by_label_contains(" of 11111").rect().left(), count.left());
}

#[test]
fn goes_to_a_line_or_to_the_nearest() {
    let mut harness = source(vec![data::large_text(1000)]);
    let enter = || key(Key::Enter, Modifiers::NONE);
    for (number, expected) in [("500", "Line 500: "), ("99999999999999999999", "Line 1001: "), ("0", "Line 1: ")] {
        ask_with(&mut harness, Ask::GoToLine, vec![typed(number)]);
        assert_eq!(harness.get_by_label("Line number").value().as_deref(), Some(number));
        frame(&mut harness, vec![enter()]);
        harness.run_steps(3);
        assert!(caret(&harness, "Text of large").starts_with(expected), "{number}");
        assert!(harness.get_by_label("Text of large").is_focused());
        assert!(harness.query_by_label("Line number").is_none());
    }
    let (_, line) = (ask(&mut harness, Ask::GoToLine), harness.get_by_label("Line number").rect());
    frame(&mut harness, vec![typed("x")]);
    frame(&mut harness, vec![enter()]);
    assert!(harness.query_by_label("Line number").is_some(), "it is not a number");
    press(&mut harness, Modifiers::NONE, &[Key::Escape]);
    assert!(harness.get_by_label("Text of large").is_focused());
    assert_eq!(harness.get_by_label("Search text").rect(), line, "it takes the place of the search field");
}

#[test]
fn bookmarks_are_set_visited_and_kept() {
    let mut harness = source(vec![data::large_text(1000)]);
    harness.state_mut().program = 7;
    focus(&mut harness, "Text of large");
    ask(&mut harness, Ask::ToggleBookmark);
    harness.get_by_label("Line 1: bookmark");
    press(&mut harness, Modifiers::NONE, &[Key::PageDown; 6]);
    ask(&mut harness, Ask::ToggleBookmark);
    let second = caret(&harness, "Text of large");
    ask(&mut harness, Ask::NextBookmark);
    assert!(caret(&harness, "Text of large").starts_with("Line 1: "), "after the last comes the first");
    harness.get_by_label("Line 1: bookmark");
    for request in [Ask::PreviousBookmark, Ask::PreviousBookmark, Ask::NextBookmark] {
        ask(&mut harness, request);
    }
    assert_eq!(caret(&harness, "Text of large"), second);
    // Another program has none; the first one's come back.
    harness.state_mut().program = 8;
    harness.run_steps(4);
    assert!(harness.query_by_label_contains(": bookmark").is_none());
    harness.state_mut().program = 7;
    harness.run_steps(4);
    assert!(harness.query_by_label_contains(": bookmark").is_some());
    ask(&mut harness, Ask::ToggleBookmark);
    assert!(harness.query_by_label_contains(": bookmark").is_none());
}

/// Opens the menu of a place in the text.
fn menu(harness: &mut Harness<'_, Stage>, at: Pos2) {
    frame(harness, vec![Event::PointerMoved(at)]);
    for pressed in [true, false] {
        frame(harness, vec![button(at, PointerButton::Secondary, pressed, Modifiers::NONE)]);
    }
    harness.run_steps(4);
}

#[test]
fn the_menu_of_a_line_copies_finds_and_selects() {
    let mut harness = shader();
    let at = place(&harness, "in float fog;", 30);
    menu(&mut harness, at);
    harness.get_by_label_contains("Set bookmark").click();
    harness.run_steps(4);
    harness.get_by_label("Line 6: bookmark");
    menu(&mut harness, at);
    harness.get_by_label_contains("Remove bookmark");
    harness.get_by_label("Select fog at location 1").click();
    harness.run_steps(4);
    assert_eq!(harness.state().selection.varying.map(|varying| varying.location), Some(1));
    menu(&mut harness, at);
    harness.get_by_label_contains("Select all").click();
    harness.run_steps(4);
    // In what is selected the selection stays, and the menu is of the line that was clicked.
    menu(&mut harness, at);
    harness.get_by_label_contains("Remove bookmark");
    taken(&mut harness);
    harness.get_by_label_contains("Copy selection").click();
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Copy(data::texts()[0].text.clone())]);
    menu(&mut harness, at);
    harness.get_by_label_contains("Find").click();
    harness.run_steps(4);
    assert!(harness.get_by_label("Search text").is_focused());
    menu(&mut harness, at);
    harness.get_by_label_contains("Go to line…").click();
    harness.run_steps(4);
    assert!(harness.get_by_label("Line number").is_focused());
}

#[test]
fn the_chosen_form_holds_for_other_programs() {
    let mut harness = shader();
    harness.get_by_label("lit.frag (SPIR-V)").click();
    harness.run_steps(4);
    harness.state_mut().program = 1;
    harness.run_steps(4);
    harness.get_by_label("Text of lit.frag (SPIR-V)");
    harness.get_by_label("lit.frag").click();
    harness.run_steps(4);
    harness.state_mut().program = 0;
    harness.run_steps(4);
    harness.get_by_label("Text of lit.frag (SPIR-V)");
}

#[test]
fn a_match_far_to_the_right_is_scrolled_to() {
    let mut text = data::texts().remove(0);
    text.text = format!("first\n{}needle\nlast\n", "wide ".repeat(300));
    (text.title, text.marks) = ("wide.frag".to_owned(), Vec::new());
    let mut harness = source(vec![text]);
    assert!(harness.get_by_label_contains("needle").rect().left() > 0.0);
    ask_with(&mut harness, Ask::Search, vec![typed("needle")]);
    harness.run_steps(3);
    let view = harness.get_by_label("Text of wide.frag").rect();
    let line = harness.get_by_label_contains("needle").rect();
    assert!(line.left() < 0.0 && line.right() < view.right(), "{line:?} in {view:?}");
    press(&mut harness, Modifiers::NONE, &[Key::Escape, Key::Home]);
    assert!(harness.get_by_label_contains("needle").rect().left() > 0.0);
}
