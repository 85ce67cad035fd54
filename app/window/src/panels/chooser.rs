//! Choosing a pipeline of a database or of folders: a searchable list.

use egui::{Align2, Context, Id, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, TextStyle, Ui, vec2};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_views::tokens::space;

use lanescope_host::folders::Prefer;
use lanescope_workbench::state::overlay::{PipelineList, PipelineRows};
use lanescope_workbench::state::program::title;

/// Files that a search left out, of which each has a line.
const SKIPPED_SHOWN: usize = 20;

/// What the button that measures does.
const MEASURES: &str = "Packing, workgroups, registers, layouts and findings of every pipeline as a table, without a \
                        driver";

/// What is typed into the list.
#[derive(Debug, Default)]
pub struct Chooser {
    typed: String,
    /// The rows that match what is typed.
    found: Vec<usize>,
    chosen: usize,
    drawn: bool,
    /// Number of rows that were searched, in which form.
    searched: Option<(usize, bool)>,
}

impl Chooser {
    /// Draws the list over everything.
    pub fn show(&mut self, list: &PipelineList, ctx: &Context) -> Option<Command> {
        let screen = ctx.content_rect();
        let id = Id::unique("pipelines");
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, (screen.height() * 0.08).min(60.0)));
        let mut answer = None;
        let rows = &list.rows;
        if self.searched != Some(form(rows)) {
            self.search(rows);
        }
        let modal = Modal::new(id).area(area).show(ctx, |ui| {
            ui.set_width((screen.width() - 40.0).min(820.0));
            ui.heading(format!("Choose a pipeline of {}", title(&list.paths)));
            // Taken before the text field sees them.
            let (up, down, page_up, page_down, enter) = ui.input_mut(|input| {
                let mut take = |key| input.consume_key(Modifiers::NONE, key);
                (take(Key::ArrowUp), take(Key::ArrowDown), take(Key::PageUp), take(Key::PageDown), take(Key::Enter))
            });
            let edit = ui.add(TextEdit::singleline(&mut self.typed).hint_text(hint(rows)).desired_width(f32::INFINITY));
            edit.request_focus();
            let edit = edit.accessible_name(hint(rows));
            let first = !std::mem::replace(&mut self.drawn, true);
            if edit.changed() {
                self.search(rows);
            }
            let steps = isize::from(down) - isize::from(up) + 20 * (isize::from(page_down) - isize::from(page_up));
            self.chosen = self.chosen.saturating_add_signed(steps).min(self.found.len().saturating_sub(1));
            let all = rows.count();
            let counts = match self.found.len() == all {
                true => counted(all, "pipeline"),
                false => format!("{} of {}", self.found.len(), counted(all, "pipeline")),
            };
            ui.horizontal(|ui| {
                ui.weak(counts);
                answer = of_search(rows, ui);
                if let Some(label) = list.measures()
                    && ui.button(label).on_hover_text(MEASURES).clicked()
                {
                    answer = Some(Command::MeasureListed);
                }
            });
            ui.add_space(space::SNUG);
            let height = ui.text_style_height(&TextStyle::Button) + 2.0 * ui.spacing().button_padding.y;
            let room = (screen.height() * 0.65).clamp(80.0, 560.0);
            let mut scroll = ScrollArea::vertical().max_height(room).auto_shrink([false, true]);
            if steps != 0 || first {
                // The chosen row stays in view, whether it is drawn yet or not.
                let step = height + ui.spacing().item_spacing.y;
                scroll = scroll.vertical_scroll_offset((self.chosen as f32 * step - room / 2.0).max(0.0));
            }
            scroll.show_rows(ui, height, self.found.len(), |ui, shown| {
                for at in shown {
                    let Some(&index) = self.found.get(at) else { continue };
                    let Some((text, right)) = rows.row(index) else { continue };
                    let button = egui::Button::selectable(at == self.chosen, RichText::new(text).monospace())
                        .truncate()
                        .right_text(RichText::new(right).weak())
                        .min_size(vec2(ui.available_width(), height));
                    if ui.add(button).clicked() || (enter && at == self.chosen) {
                        answer = Some(Command::ChooseListed(index));
                    }
                }
            });
            if self.found.is_empty() {
                ui.weak(nothing_matches(rows));
            }
            ui.add_space(space::SNUG);
            ui.horizontal(|ui| {
                if ui.button("Cancel").clicked() {
                    answer = Some(Command::CloseOverlay);
                }
                ui.weak("Enter opens the selected pipeline; arrow keys, Page Up and Page Down move the selection.");
            });
        });
        if answer.is_none() && modal.should_close() {
            answer = Some(Command::CloseOverlay);
        }
        answer
    }

    fn search(&mut self, rows: &PipelineRows) {
        self.chosen = 0;
        self.found = rows.matching(&self.typed);
        self.searched = Some(form(rows));
    }
}

/// Which rows a list has: their number, and whether sources are preferred.
fn form(rows: &PipelineRows) -> (usize, bool) {
    (rows.count(), matches!(rows, PipelineRows::Folders { prefer: Prefer::Source, .. }))
}

fn hint(rows: &PipelineRows) -> &'static str {
    match rows {
        PipelineRows::Database(..) => "Hash, stage, entry point or module",
        PipelineRows::Groups(..) => "Key, kind, hash, stage or container",
        PipelineRows::Folders { .. } => "Part of a file name",
        PipelineRows::Workspace(_) => "Part of a pipeline's or a file's name",
    }
}

fn nothing_matches(rows: &PipelineRows) -> &'static str {
    match rows {
        PipelineRows::Database(..) => "No pipeline matches in hash, stages, entry points or modules.",
        PipelineRows::Groups(..) => "No group matches in key, kind, hash, stages or containers.",
        PipelineRows::Folders { .. } => "No pipeline matches by file name.",
        PipelineRows::Workspace(_) => "No pipeline matches in its name or those of its files.",
    }
}

/// Draws what a search of folders left out, and the preferred form of a shader.
fn of_search(rows: &PipelineRows, ui: &mut Ui) -> Option<Command> {
    let PipelineRows::Folders { found, prefer, .. } = rows else { return None };
    if !found.skipped.is_empty() {
        let lines = found.skipped.iter().take(SKIPPED_SHOWN).map(|one| format!("{}: {}", one.path.display(), one.why));
        let more = found.skipped.len().saturating_sub(SKIPPED_SHOWN);
        let more = (more > 0).then(|| format!("{more} more"));
        let lines: Vec<_> = lines.chain(more).collect();
        ui.weak(format!("{} skipped", found.skipped.len())).on_hover_text(lines.join("\n"));
    }
    let mut source = *prefer == Prefer::Source;
    if !found.has_forms() {
        return None;
    }
    let switch = ui.checkbox(&mut source, "Prefer source");
    let switch = switch.on_hover_text("List GLSL, HLSL, WGSL and Slang sources instead of their compiled modules");
    switch.changed().then_some(Command::PreferSource(source))
}
