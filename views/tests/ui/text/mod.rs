//! Text that is read: the caret, selections, searches, bookmarks and menus of the panes that show text.

mod panes;
mod searching;
mod selecting;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Theme, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lanescope_inspector::command::Command;
use lanescope_inspector::source::SourceText;

use super::on_device::{Stage, taken};
use super::tables::data;

/// The tab Source with these texts.
fn source(texts: Vec<SourceText>) -> Harness<'static, Stage> {
    let mut stage = Stage::new("source");
    stage.report = data::report();
    stage.texts = texts;
    stage.show([900.0, 520.0], Theme::Dark)
}

/// The tab Source with a fragment shader and its module.
fn shader() -> Harness<'static, Stage> {
    source(data::texts())
}

const SHADER: &str = "Text of lit.frag";

/// Runs a frame with all of these events.
fn frame(harness: &mut Harness<'_, Stage>, events: Vec<Event>) {
    harness.input_mut().events.extend(events);
    harness.run_steps(1);
}

fn key(key: Key, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
}

/// Presses keys, a frame for each.
fn press(harness: &mut Harness<'_, Stage>, modifiers: Modifiers, keys: &[Key]) {
    for one in keys {
        frame(harness, vec![key(*one, modifiers)]);
    }
    harness.run_steps(3);
}

/// Puts the keyboard into a text.
fn focus(harness: &mut Harness<'_, Stage>, text: &str) {
    harness.get_by_label(text).focus();
    harness.run_steps(3);
    assert!(harness.get_by_label(text).is_focused());
}

/// What is copied by Ctrl+C; nothing where nothing is selected.
fn copied(harness: &mut Harness<'_, Stage>) -> Option<String> {
    taken(harness);
    frame(harness, vec![Event::Copy]);
    let copied = taken(harness).into_iter().find_map(|command| match command {
        Command::Copy(text) => Some(text),
        _ => None,
    });
    harness.run_steps(2);
    copied
}

/// The line with the caret, as a screen reader has it.
fn caret(harness: &Harness<'_, Stage>, text: &str) -> String {
    harness.get_by_label(text).value().expect("the caret's line")
}

/// The place before a character of a line that is drawn.
fn place(harness: &Harness<'_, Stage>, line: &str, character: usize) -> Pos2 {
    let node = harness.get_by_label_contains(line);
    let text = node.value().or_else(|| node.accesskit_node().label()).expect("its text");
    let columns = |text: &str| text.chars().map(|c| if c == '\t' { 4.0 } else { 1.0 }).sum::<f32>();
    let glyph = node.rect().width() / columns(&text);
    let before: String = text.chars().take(character).collect();
    pos2(node.rect().left() + columns(&before) * glyph + 0.5, node.rect().center().y)
}

fn button(pos: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) -> Event {
    Event::PointerButton { pos, button, pressed, modifiers }
}

/// Presses and releases the primary button in one frame, as often as said.
fn click(harness: &mut Harness<'_, Stage>, at: Pos2, count: usize, modifiers: Modifiers) {
    frame(harness, vec![Event::PointerMoved(at), Event::ModifiersChanged(modifiers)]);
    for _ in 0..count {
        let events = [true, false].map(|pressed| button(at, PointerButton::Primary, pressed, modifiers));
        frame(harness, events.into());
    }
    frame(harness, vec![Event::ModifiersChanged(Modifiers::NONE)]);
    harness.run_steps(2);
}

/// Draws from one place to another.
fn drag(harness: &mut Harness<'_, Stage>, from: Pos2, to: Pos2, hold: usize) {
    frame(harness, vec![Event::PointerMoved(from)]);
    frame(harness, vec![button(from, PointerButton::Primary, true, Modifiers::NONE)]);
    for step in 1..=4 {
        frame(harness, vec![Event::PointerMoved(from + (to - from) * (step as f32 / 4.0))]);
    }
    harness.run_steps(hold);
    frame(harness, vec![button(to, PointerButton::Primary, false, Modifiers::NONE)]);
    harness.run_steps(2);
}
