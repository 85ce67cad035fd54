//! Questions: a line for a path, and whether files may be replaced.

use lanescope_views::tokens::space;
use std::path::PathBuf;

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Context, FocusDirection, Id, Key, Modal, Modifiers, ScrollArea, TextEdit, Ui, vec2};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::{Command, Purpose};

use lanescope_workbench::completion::{OFFERED, Partial, typed};
use lanescope_workbench::state::overlay::{EditedRun, PathQuestion, ReplaceQuestion};

/// Examples of conditions.
const CONDITIONS: &str = "Such as: slots-differ, results-differ, crashes on gfx1030, finding E001, text matches /v_rsq/; with and, \
                          or, not. The manual's page Reducing lists all.";

/// What is typed into the line for a path.
#[derive(Debug, Default)]
pub struct PathLine {
    text: String,
    fresh: bool,
    /// The folder whose names were requested.
    requested: Option<PathBuf>,
}

impl PathLine {
    /// Begins with the text of a question.
    pub fn begin(&mut self, question: &PathQuestion) {
        *self = PathLine { text: question.text.clone(), fresh: true, requested: None };
    }

    /// Draws the line. Returns the paths once they are typed, no paths if the user cancels; and what completes them.
    pub fn show(&mut self, question: &PathQuestion, ctx: &Context) -> Vec<Command> {
        let mut answer = None;
        let mut commands = Vec::new();
        let modal = Modal::new(Id::unique("path line")).show(ctx, |ui| {
            ui.set_width((ctx.content_rect().width() - 60.0).min(520.0));
            let (title, button) = match question.purpose {
                Purpose::Open => ("Open by path".to_owned(), "Open"),
                Purpose::Compare(_) => ("Compare with".to_owned(), "Compare"),
                Purpose::CompareResult => ("Compare with".to_owned(), "Compare"),
                Purpose::Save => ("Save as".to_owned(), "Save"),
                Purpose::SaveFolder => ("Save to folder".to_owned(), "Save"),
                Purpose::Contents(_, place) => (format!("Contents of {place}"), "Take"),
                Purpose::Records(_) => ("Load records".to_owned(), "Read"),
                Purpose::Variants(_) => ("Compare variants".to_owned(), "Compile"),
                Purpose::Reduce(_) => ("Reduce while a condition holds".to_owned(), "Reduce"),
            };
            let name = ui.heading(title).id;
            if let Some(why) = question.why {
                ui.weak(why);
            }
            let hint = match question.purpose {
                Purpose::Open | Purpose::Compare(_) => "shader.vert shader.frag",
                Purpose::CompareResult => "before.jsonl",
                Purpose::Save | Purpose::Contents(..) => "the file's name",
                Purpose::SaveFolder => "the folder's name",
                Purpose::Records(_) => "records.json",
                Purpose::Variants(_) => "shader.variants",
                Purpose::Reduce(_) => "statistic VGPRs > 64",
            };
            let id = ui.scope_id().with("path");
            self.complete(question, ui, id);
            let edit = TextEdit::singleline(&mut self.text).id(id).hint_text(hint).desired_width(f32::INFINITY);
            let edit = ui.add(edit.lock_focus(true)).labelled_by(name);
            commands.extend(self.offers(question, ui, id));
            if std::mem::take(&mut self.fresh) {
                edit.request_focus();
            }
            ui.weak(match question.purpose {
                Purpose::Open => "Several files make one pipeline; put names with spaces in quotes.",
                Purpose::Compare(_) => {
                    "A program, several files of one pipeline, a JSON report, or an AMD code object."
                }
                Purpose::CompareResult => "Another corpus result: the side before.",
                Purpose::Save => "Asks before it replaces a file.",
                Purpose::Contents(..) => "The file's bytes fill the buffer or image in each run.",
                Purpose::SaveFolder => "Created if it does not exist. Asks before it replaces files.",
                Purpose::Variants(_) => "Lines of flags (-D FOG=1), or macros with their values (FOG=|1|2).",
                Purpose::Records(_) => "JSON, CSV with member names in the first line, or the bytes of the records.",
                Purpose::Reduce(_) => CONDITIONS,
            });
            let entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            ui.horizontal(|ui| {
                let paths = typed(question, &self.text);
                let go = ui.add_enabled(!paths.is_empty(), egui::Button::new(button));
                if (entered || go.clicked()) && !paths.is_empty() {
                    answer = Some(paths);
                }
                if ui.button("Cancel").clicked() {
                    answer = Some(Vec::new());
                }
            });
        });
        if answer.is_none() && modal.should_close() {
            answer = Some(Vec::new());
        }
        commands.extend(answer.map(|paths| Command::TakePaths(question.purpose, paths)));
        commands
    }

    /// Completes the path with the Tab key as far as the names in its folder agree. Without names to complete with, Tab
    /// goes on to the next control.
    fn complete(&mut self, question: &PathQuestion, ui: &mut Ui, field: Id) {
        let has_keys = ui.memory(|memory| memory.has_focus(field));
        if !question.purpose.is_of_paths()
            || !has_keys
            || !ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab))
        {
            return;
        }
        let partial = Partial::of(&self.text);
        let names = question.names.as_ref().filter(|(folder, _)| *folder == partial.lookup());
        let names = names.map(|(_, names)| partial.matching(names)).unwrap_or_default();
        match partial.common(&names) {
            Some(text) => self.put(ui, field, text),
            None => ui.memory_mut(|memory| memory.move_focus(FocusDirection::Next)),
        }
    }

    /// Draws names that the path can go on with. Returns the request for those of another folder.
    fn offers(&mut self, question: &PathQuestion, ui: &mut Ui, field: Id) -> Option<Command> {
        if !question.purpose.is_of_paths() {
            return None;
        }
        let partial = Partial::of(&self.text);
        let folder = partial.lookup();
        let known = question.names.as_ref().filter(|(of, _)| *of == folder);
        let mut chosen = None;
        // The room is there always: nothing below moves while names come and go.
        ui.allocate_ui(vec2(ui.available_width(), 44.0), |ui| {
            ui.set_min_height(44.0);
            ui.horizontal_wrapped(|ui| {
                let all = known.map(|(_, names)| partial.matching(names)).unwrap_or_default();
                for name in all.iter().take(OFFERED) {
                    if ui.small_button(*name).on_hover_text("Complete the path (Tab)").clicked() {
                        chosen = Some(partial.with(name));
                    }
                }
                if all.len() > OFFERED {
                    ui.weak(format!("and {} more", all.len() - OFFERED));
                }
            });
        });
        if let Some(text) = chosen {
            self.put(ui, field, text);
        }
        let is_new = known.is_none() && self.requested.as_ref() != Some(&folder);
        is_new.then(|| {
            self.requested = Some(folder.clone());
            Command::ListNames(folder)
        })
    }

    /// Replaces the text, with the keyboard at its end.
    fn put(&mut self, ui: &Ui, field: Id, text: String) {
        let mut state = TextEditState::load(ui.ctx(), field).unwrap_or_default();
        state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(text.chars().count()))));
        state.store(ui.ctx(), field);
        self.text = text;
        ui.memory_mut(|memory| memory.request_focus(field));
    }
}

/// Draws a dialog of contents that scroll where the window is too small for them. True where it is to close.
pub fn closable(ctx: &Context, id: &'static str, width: f32, title: &str, contents: impl FnOnce(&mut Ui)) -> bool {
    let screen = ctx.content_rect();
    let modal = Modal::new(Id::unique(id)).show(ctx, |ui| {
        ui.set_width((screen.width() - 60.0).min(width));
        ui.heading(title);
        ui.add_space(space::SNUG);
        let room = (screen.height() - 130.0).max(50.0);
        ScrollArea::both().max_height(room).auto_shrink([false, true]).show(ui, contents);
        ui.add_space(space::ROW);
        ui.button("Close").clicked()
    });
    modal.inner || modal.should_close()
}

/// Draws the question whether a paused run with edited records restarts.
pub fn edited_run(question: &EditedRun, ctx: &Context) -> Option<Command> {
    let mut answer = None;
    let modal = Modal::new(Id::unique("edited run")).show(ctx, |ui| {
        ui.set_width((ctx.content_rect().width() - 60.0).min(440.0));
        ui.heading(EditedRun::TITLE);
        ui.label(question.text());
        ui.add_space(space::ROW);
        ui.horizontal(|ui| {
            let resume = ui.button("Continue").on_hover_text("Run on from here, with the edited records");
            // What nothing is lost by has the keyboard.
            if ui.memory(|memory| memory.focused().is_none()) {
                resume.request_focus();
            }
            if resume.clicked() {
                answer = Some(Command::RestartEdited(false));
            }
            if ui.button("Restart").on_hover_text("Begin anew, with the records of the input").clicked() {
                answer = Some(Command::RestartEdited(true));
            }
            if ui.button("Cancel").clicked() {
                answer = Some(Command::CloseOverlay);
            }
        });
    });
    answer.or_else(|| modal.should_close().then_some(Command::CloseOverlay))
}

/// Draws the question whether files may be replaced.
pub fn replace(question: &ReplaceQuestion, ctx: &Context) -> Option<Command> {
    let mut answer = None;
    let modal = Modal::new(Id::unique("replace")).show(ctx, |ui| {
        ui.set_width((ctx.content_rect().width() - 60.0).min(440.0));
        ui.heading(format!("Replace {}?", counted(question.names.len(), "file")));
        let these = if question.names.len() == 1 { "this file" } else { "these files" };
        ui.label(format!("{} already contains {these}:", question.folder.display()));
        for name in question.names.iter().take(8) {
            ui.monospace(name);
        }
        if question.names.len() > 8 {
            ui.weak(format!("and {} more", question.names.len() - 8));
        }
        ui.add_space(space::ROW);
        ui.horizontal(|ui| {
            if ui.button("Replace").clicked() {
                answer = Some(true);
            }
            let keep = ui.button("Keep");
            // What nothing is lost by has the keyboard.
            if ui.memory(|memory| memory.focused().is_none()) {
                keep.request_focus();
            }
            if keep.clicked() {
                answer = Some(false);
            }
        });
    });
    answer.or_else(|| modal.should_close().then_some(false)).map(Command::Replace)
}
