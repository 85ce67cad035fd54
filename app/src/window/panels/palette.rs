//! The command palette: every command, tab, program and sample, found by typing.

use egui::{Align2, Context, Id, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, vec2};
use lanescope_inspector::command::Command;

use crate::state::State;
use crate::state::comparing::ComparisonNames;
use crate::state::program::title;
use crate::window::commands::TABLE;

/// What is typed into the palette.
#[derive(Debug, Default)]
pub struct Palette {
    typed: String,
    chosen: usize,
    drawn: bool,
}

/// One line of the palette.
#[derive(Debug, Clone, PartialEq)]
struct Item {
    /// What is shown and searched.
    pub label: String,
    /// Shown at the right: a key, or what kind of thing it is.
    pub note: String,
    /// What it does.
    pub command: Command,
}

/// Everything that the palette lists.
fn items(state: &State, ctx: &Context) -> Vec<Item> {
    let has_program = state.program().is_some();
    let item = |label: String, note: &str, command| Item { label, note: note.to_owned(), command };
    let mut items: Vec<_> = fixed(ctx, has_program).collect();
    if has_program {
        let views = state.tabs.applicable();
        items.extend(views.map(|info| item(info.title.to_owned(), "tab", Command::ShowTab(info.name.to_owned()))));
    }
    for (index, program) in state.programs.iter().enumerate() {
        items.push(item(program.title(), "open", Command::ShowProgram(index)));
    }
    for (partner, name) in ComparisonNames::new(state).partners {
        items.push(item(format!("Compare with {name}"), "compare", Command::CompareWith(Some(partner))));
    }
    for recent in state.session.recent.iter().filter(|recent| !state.is_open(&recent.paths)) {
        items.push(item(title(&recent.paths), "recent", Command::OpenFiles(recent.paths.clone())));
    }
    for (group, sample) in state.samples.iter() {
        let note = format!("sample, {}", group.to_lowercase());
        items.push(item(sample.name.clone(), &note, Command::OpenFiles(sample.paths.clone())));
    }
    items
}

/// The lines of the fixed commands.
fn fixed(ctx: &Context, has_program: bool) -> impl Iterator<Item = Item> {
    TABLE.iter().filter(move |row| has_program || !row.needs_program).map(|row| Item {
        label: row.label.trim_end_matches('…').to_owned(),
        note: row.keys.first().map(|key| ctx.format_shortcut(key)).unwrap_or_default(),
        command: row.command.clone(),
    })
}

impl Palette {
    /// Draws the palette over everything. Returns what was chosen; `Some(None)` closes it.
    pub fn show(&mut self, state: &State, ctx: &Context) -> Option<Option<Command>> {
        let items = &items(state, ctx);
        let screen = ctx.content_rect();
        let id = Id::unique("palette");
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, (screen.height() * 0.1).min(80.0)));
        let mut answer = None;
        let modal = Modal::new(id).area(area).show(ctx, |ui| {
            ui.set_width((screen.width() - 40.0).min(560.0));
            // Taken before the text field sees them.
            let (up, down, enter) = ui.input_mut(|input| {
                let mut take = |key| input.consume_key(Modifiers::NONE, key);
                (take(Key::ArrowUp), take(Key::ArrowDown), take(Key::Enter))
            });
            let edit = ui.add(
                TextEdit::singleline(&mut self.typed).hint_text("Command, tab or file").desired_width(f32::INFINITY),
            );
            edit.request_focus();
            let edit = edit.accessible_name("Command, tab or file");
            let first = !std::mem::replace(&mut self.drawn, true);
            if edit.changed() {
                self.chosen = 0;
            }
            let found = matching(items, &self.typed);
            if down {
                self.chosen = self.chosen.saturating_add(1);
            }
            if up {
                self.chosen = self.chosen.saturating_sub(1);
            }
            self.chosen = self.chosen.min(found.len().saturating_sub(1));
            ui.add_space(4.0);
            if found.is_empty() {
                ui.weak("No matching command, tab or file.");
            }
            ScrollArea::vertical().max_height((screen.height() * 0.6).min(420.0)).show(ui, |ui| {
                ui.set_width(ui.available_width());
                for (index, item) in found.iter().enumerate() {
                    let button = egui::Button::selectable(index == self.chosen, item.label.as_str())
                        .truncate()
                        .right_text(RichText::new(&item.note).weak())
                        .min_size(vec2(ui.available_width(), 0.0));
                    let line = ui.add(button);
                    if index == self.chosen && (up || down || first) {
                        line.scroll_to_me(None);
                    }
                    if line.clicked() || (enter && index == self.chosen) {
                        answer = Some(Some(item.command.clone()));
                    }
                }
            });
        });
        if answer.is_none() && modal.should_close() {
            answer = Some(None);
        }
        answer
    }
}

/// The items whose labels hold the typed letters in order, the best first.
fn matching<'i>(items: &'i [Item], typed: &str) -> Vec<&'i Item> {
    let wanted: Vec<char> = typed.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let mut found: Vec<(usize, &Item)> =
        items.iter().filter_map(|item| Some((distance(&item.label, &wanted)?, item))).collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().map(|(_, item)| item).collect()
}

/// How badly a label matches: letters skipped between the first and the last match, more where a word is entered in
/// its middle. `None` if a letter is missing.
fn distance(label: &str, wanted: &[char]) -> Option<usize> {
    let letters: Vec<char> = label.to_lowercase().chars().collect();
    let starts: Vec<usize> = match wanted.first() {
        None => return Some(0),
        Some(first) => (0..letters.len()).filter(|&at| letters[at] == *first).collect(),
    };
    let from = |start: usize| {
        let mut cost = if start == 0 {
            0
        } else if letters[start - 1].is_alphanumeric() {
            8
        } else {
            1
        };
        let mut at = start;
        for wanted in &wanted[1..] {
            let next = (at + 1..letters.len()).find(|&next| letters[next] == *wanted)?;
            let begins_word = !letters[next - 1].is_alphanumeric();
            cost += if next == at + 1 {
                0
            } else if begins_word {
                1
            } else {
                3 + (next - at)
            };
            at = next;
        }
        Some(cost)
    };
    starts.into_iter().filter_map(from).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(label: &str) -> Item {
        Item { label: label.to_owned(), note: String::new(), command: Command::About }
    }

    #[test]
    fn matches_letters_in_order_and_ranks_whole_words_first() {
        let items = ["Open", "Open by path", "Export picture", "Next tab", "Switch between light and dark"].map(item);
        for (typed, expected) in [
            ("op", &["Open", "Open by path", "Export picture"][..]),
            ("obp", &["Open by path"]),
            ("pic", &["Export picture"]),
            ("DARK", &["Switch between light and dark"]),
            ("nt", &["Next tab", "Switch between light and dark", "Open by path"]),
            ("zz", &[]),
        ] {
            let found: Vec<_> = matching(&items, typed).iter().map(|item| item.label.as_str()).collect();
            assert_eq!(found, expected, "{typed}");
        }
        assert_eq!(matching(&items, " ").len(), items.len());
    }

    #[test]
    fn every_row_is_in_the_palette() {
        let ctx = Context::default();
        let listed: Vec<_> = fixed(&ctx, true).map(|item| item.command).collect();
        assert!(TABLE.iter().all(|row| listed.contains(&row.command)));
        assert!(fixed(&ctx, false).all(|item| item.command != Command::Reload), "nothing is there to reload");
    }
}
