//! Choosing a pipeline of a database or of folders: a searchable list.

use std::path::PathBuf;

use egui::{Align2, Context, Id, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, TextStyle, Ui, vec2};
use lanescope_core::pipeline::foz::Listing;
use lanescope_core::text_format::counted;

use super::program::title;
use crate::folders::{Found, PipelineFiles, Prefer};

/// Files that a search left out, of which each has a line.
const SKIPPED_SHOWN: usize = 20;

/// The list while it is open.
#[derive(Debug)]
pub struct Chooser {
    /// The databases or folders.
    pub paths: Vec<PathBuf>,
    rows: Rows,
    typed: String,
    /// The rows that match what is typed.
    found: Vec<usize>,
    chosen: usize,
    drawn: bool,
}

/// The choices.
#[derive(Debug)]
enum Rows {
    /// The pipelines of databases, each with its key.
    Database(Listing, Vec<String>),
    /// The pipelines of folders in the preferred form.
    Folders { found: Found, prefer: Prefer, pipelines: Vec<PipelineFiles> },
}

impl Rows {
    fn of_folders(found: Found, prefer: Prefer) -> Rows {
        let pipelines = found.pipelines(prefer);
        Rows::Folders { found, prefer, pipelines }
    }

    fn len(&self) -> usize {
        match self {
            Rows::Database(listing, _) => listing.pipelines.len(),
            Rows::Folders { pipelines, .. } => pipelines.len(),
        }
    }

    /// The text of a row, what is at its right, and what choosing it means.
    fn row(&self, index: usize) -> Option<(String, &str, Choice)> {
        match self {
            Rows::Database(listing, names) => {
                let (row, name) = listing.pipelines.get(index).zip(names.get(index))?;
                let what = match &row.why {
                    Some(why) => format!("cannot be read: {why}"),
                    None if row.stages.is_empty() => format!("linked from {} libraries", row.libraries),
                    None => row.summary(),
                };
                Some((format!("{name}  {what}"), &row.kind, Choice::Pipeline(name.clone())))
            }
            Rows::Folders { pipelines, .. } => {
                let PipelineFiles { name, files } = pipelines.get(index)?;
                Some((name.clone(), "", Choice::Files(files.clone())))
            }
        }
    }

    /// The rows that match a text.
    fn matching(&self, typed: &str) -> Vec<usize> {
        match self {
            Rows::Database(listing, _) => {
                let rows = listing.pipelines.iter().enumerate();
                rows.filter(|(_, row)| row.matches(typed)).map(|(index, _)| index).collect()
            }
            Rows::Folders { pipelines, .. } => {
                let typed = typed.to_lowercase();
                let rows = pipelines.iter().enumerate();
                rows.filter(|(_, row)| row.name.to_lowercase().contains(&typed)).map(|(index, _)| index).collect()
            }
        }
    }

    fn hint(&self) -> &'static str {
        match self {
            Rows::Database(..) => "Hash, stage, entry point or module",
            Rows::Folders { .. } => "Part of a file name",
        }
    }

    fn nothing_matches(&self) -> &'static str {
        match self {
            Rows::Database(..) => "No pipeline matches in hash, stages, entry points or modules.",
            Rows::Folders { .. } => "No pipeline matches by file name.",
        }
    }
}

/// The outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// This pipeline, by its key.
    Pipeline(String),
    /// These files.
    Files(Vec<PathBuf>),
    /// None.
    Nothing,
}

impl Chooser {
    /// The pipelines of some databases.
    pub fn new(paths: Vec<PathBuf>, listing: Listing) -> Chooser {
        let names = listing.names();
        Chooser::of(paths, Rows::Database(listing, names))
    }

    /// The pipelines of some folders.
    pub fn of_folders(paths: Vec<PathBuf>, found: Found) -> Chooser {
        let rows = Rows::of_folders(found, Prefer::default());
        Chooser::of(paths, rows)
    }

    fn of(paths: Vec<PathBuf>, rows: Rows) -> Chooser {
        let found = (0..rows.len()).collect();
        Chooser { paths, rows, typed: String::new(), found, chosen: 0, drawn: false }
    }

    /// Draws the list over everything. Answers once something is chosen, or nothing is wanted.
    pub fn show(&mut self, ctx: &Context) -> Option<Choice> {
        let screen = ctx.content_rect();
        let id = Id::unique("pipelines");
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, (screen.height() * 0.08).min(60.0)));
        let mut answer = None;
        let modal = Modal::new(id).area(area).show(ctx, |ui| {
            ui.set_width((screen.width() - 40.0).min(820.0));
            ui.heading(format!("Choose a pipeline of {}", title(&self.paths)));
            // Taken before the text field sees them.
            let (up, down, page_up, page_down, enter) = ui.input_mut(|input| {
                let mut take = |key| input.consume_key(Modifiers::NONE, key);
                (take(Key::ArrowUp), take(Key::ArrowDown), take(Key::PageUp), take(Key::PageDown), take(Key::Enter))
            });
            let edit =
                ui.add(TextEdit::singleline(&mut self.typed).hint_text(self.rows.hint()).desired_width(f32::INFINITY));
            edit.request_focus();
            let edit = edit.accessible_name(self.rows.hint());
            let first = !std::mem::replace(&mut self.drawn, true);
            if edit.changed() {
                self.search();
            }
            let steps = isize::from(down) - isize::from(up) + 20 * (isize::from(page_down) - isize::from(page_up));
            self.chosen = self.chosen.saturating_add_signed(steps).min(self.found.len().saturating_sub(1));
            let all = self.rows.len();
            let counts = match self.found.len() == all {
                true => counted(all, "pipeline"),
                false => format!("{} of {}", self.found.len(), counted(all, "pipeline")),
            };
            ui.horizontal(|ui| {
                ui.weak(counts);
                self.of_search(ui);
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
                    let Some((text, right, choice)) = self.rows.row(index) else { continue };
                    let button = egui::Button::selectable(at == self.chosen, RichText::new(text).monospace())
                        .truncate()
                        .right_text(RichText::new(right).weak())
                        .min_size(vec2(ui.available_width(), height));
                    if ui.add(button).clicked() || (enter && at == self.chosen) {
                        answer = Some(choice);
                    }
                }
            });
            if self.found.is_empty() {
                ui.weak(self.rows.nothing_matches());
            }
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                if ui.button("Cancel").clicked() {
                    answer = Some(Choice::Nothing);
                }
                ui.weak("Enter opens the selected pipeline; arrow keys, Page Up and Page Down move the selection.");
            });
        });
        if answer.is_none() && modal.should_close() {
            answer = Some(Choice::Nothing);
        }
        answer
    }

    fn search(&mut self) {
        self.chosen = 0;
        self.found = self.rows.matching(&self.typed);
    }

    /// What a search of folders left out, and which form of a shader it lists.
    fn of_search(&mut self, ui: &mut Ui) {
        let Rows::Folders { found, prefer, .. } = &mut self.rows else { return };
        if !found.skipped.is_empty() {
            let lines =
                found.skipped.iter().take(SKIPPED_SHOWN).map(|one| format!("{}: {}", one.path.display(), one.why));
            let more = found.skipped.len().saturating_sub(SKIPPED_SHOWN);
            let more = (more > 0).then(|| format!("{more} more"));
            let lines: Vec<_> = lines.chain(more).collect();
            ui.weak(format!("{} skipped", found.skipped.len())).on_hover_text(lines.join("\n"));
        }
        let mut source = *prefer == Prefer::Source;
        if found.has_forms()
            && ui
                .checkbox(&mut source, "Prefer source")
                .on_hover_text("List GLSL and HLSL sources instead of their compiled modules")
                .changed()
        {
            let prefer = if source { Prefer::Source } else { Prefer::Binary };
            self.rows = Rows::of_folders(std::mem::take(found), prefer);
            self.search();
        }
    }
}
