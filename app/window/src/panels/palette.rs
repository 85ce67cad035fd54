//! The command palette: every command, option, tab, varying, register, node, program and sample, found by typing.

use egui::{Align2, Context, Id, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, vec2};
use lanescope_inspector::command::Command;
use lanescope_views::tokens::space;

use crate::keys::key_text;
use lanescope_workbench::palette::{items, matching};
use lanescope_workbench::state::State;

/// What is typed into the palette.
#[derive(Debug, Default)]
pub struct Palette {
    typed: String,
    chosen: usize,
    drawn: bool,
}

impl Palette {
    /// Draws the palette over everything. Returns what was chosen; nothing of it closes the palette only.
    pub fn show(&mut self, state: &State, ctx: &Context) -> Option<Vec<Command>> {
        let items = &items(state, |row| row.keys.first().map(|key| key_text(ctx, key)).unwrap_or_default());
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
                TextEdit::singleline(&mut self.typed)
                    .hint_text("Command, option, name or file")
                    .desired_width(f32::INFINITY),
            );
            edit.request_focus();
            let edit = edit.accessible_name("Command, option, name or file");
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
            ui.add_space(space::SNUG);
            if found.is_empty() {
                ui.weak("Nothing matches.");
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
                        answer = Some(item.commands.clone());
                    }
                }
            });
        });
        if answer.is_none() && modal.should_close() {
            answer = Some(Vec::new());
        }
        answer
    }
}
