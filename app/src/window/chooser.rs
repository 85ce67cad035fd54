//! Choosing a pipeline of a database: a searchable list.

use std::path::PathBuf;

use egui::{Align2, Context, Id, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, TextStyle, vec2};
use lanescope_core::pipeline::foz::Listing;

use super::program::title;

/// The list while it is open.
#[derive(Debug)]
pub struct Chooser {
    /// The databases.
    pub paths: Vec<PathBuf>,
    listing: Listing,
    /// By what each pipeline is asked for.
    names: Vec<String>,
    typed: String,
    /// The rows that match what is typed.
    found: Vec<usize>,
    chosen: usize,
    drawn: bool,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// This pipeline: what it is asked for by.
    Pipeline(String),
    /// None.
    Nothing,
}

impl Chooser {
    /// The pipelines of some databases.
    pub fn new(paths: Vec<PathBuf>, listing: Listing) -> Chooser {
        let found = (0..listing.pipelines.len()).collect();
        let names = listing.names();
        Chooser { paths, listing, names, typed: String::new(), found, chosen: 0, drawn: false }
    }

    /// Draws the list over everything. Answers once something is chosen, or nothing is wanted.
    pub fn show(&mut self, ctx: &Context) -> Option<Choice> {
        let screen = ctx.content_rect();
        let id = Id::unique("pipelines");
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, (screen.height() * 0.08).min(60.0)));
        let mut answer = None;
        let modal = Modal::new(id).area(area).show(ctx, |ui| {
            ui.set_width((screen.width() - 40.0).min(820.0));
            ui.heading(format!("A pipeline of {}", title(&self.paths)));
            // Taken before the text field sees them.
            let (up, down, page_up, page_down, enter) = ui.input_mut(|input| {
                let mut take = |key| input.consume_key(Modifiers::NONE, key);
                (take(Key::ArrowUp), take(Key::ArrowDown), take(Key::PageUp), take(Key::PageDown), take(Key::Enter))
            });
            let edit = ui.add(
                TextEdit::singleline(&mut self.typed)
                    .hint_text("Digits of a hash, a stage, an entry point")
                    .desired_width(f32::INFINITY),
            );
            edit.request_focus();
            let edit = edit.accessible_name("Digits of a hash, a stage, an entry point");
            let first = !std::mem::replace(&mut self.drawn, true);
            if edit.changed() {
                self.search();
            }
            let steps = isize::from(down) - isize::from(up) + 20 * (isize::from(page_down) - isize::from(page_up));
            self.chosen = self.chosen.saturating_add_signed(steps).min(self.found.len().saturating_sub(1));
            let all = self.listing.pipelines.len();
            ui.weak(if self.found.len() == all {
                format!("{all} pipelines")
            } else {
                format!("{} of {all} pipelines", self.found.len())
            });
            ui.add_space(4.0);
            let height = ui.text_style_height(&TextStyle::Button) + 2.0 * ui.spacing().button_padding.y;
            let room = (screen.height() * 0.65).clamp(80.0, 560.0);
            let mut scroll = ScrollArea::vertical().max_height(room).auto_shrink([false, true]);
            if steps != 0 || first {
                // The chosen row stays in view, whether it is drawn yet or not.
                let step = height + ui.spacing().item_spacing.y;
                scroll = scroll.vertical_scroll_offset((self.chosen as f32 * step - room / 2.0).max(0.0));
            }
            scroll.show_rows(ui, height, self.found.len(), |ui, rows| {
                for at in rows {
                    let Some(&index) = self.found.get(at) else { continue };
                    let (rows, names) = (&self.listing.pipelines, &self.names);
                    let Some((row, name)) = rows.get(index).zip(names.get(index)) else { continue };
                    let what = match &row.why {
                        Some(why) => format!("cannot be read: {why}"),
                        None if row.stages.is_empty() => format!("linked from {} libraries", row.libraries),
                        None => row.summary(),
                    };
                    let button = egui::Button::selectable(
                        at == self.chosen,
                        RichText::new(format!("{name}  {what}")).monospace(),
                    )
                    .truncate()
                    .right_text(RichText::new(&row.kind).weak())
                    .min_size(vec2(ui.available_width(), height));
                    if ui.add(button).clicked() || (enter && at == self.chosen) {
                        answer = Some(Choice::Pipeline(name.clone()));
                    }
                }
            });
            if self.found.is_empty() {
                ui.weak("No pipeline has that in its hash, its stages, its entry points or its modules.");
            }
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                if ui.button("Cancel").clicked() {
                    answer = Some(Choice::Nothing);
                }
                ui.weak("Enter opens the marked one; the arrows and Page Up and Down move the mark.");
            });
        });
        if answer.is_none() && modal.should_close() {
            answer = Some(Choice::Nothing);
        }
        answer
    }

    fn search(&mut self) {
        self.chosen = 0;
        let rows = self.listing.pipelines.iter().enumerate();
        self.found = rows.filter(|(_, row)| row.matches(&self.typed)).map(|(index, _)| index).collect();
    }
}
