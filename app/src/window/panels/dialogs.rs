//! Questions: a line for a path, and whether files may be replaced.

use std::path::{Path, PathBuf};

use egui::{Context, Id, Key, Modal, TextEdit};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::{Command, Purpose};

use crate::state::overlay::{PathQuestion, ReplaceQuestion};

/// What is typed into the line for a path.
#[derive(Debug, Default)]
pub struct PathLine {
    text: String,
    fresh: bool,
}

impl PathLine {
    /// Begins with the text of a question.
    pub fn begin(&mut self, question: &PathQuestion) {
        *self = PathLine { text: question.text.clone(), fresh: true };
    }

    /// Draws the line. Returns the paths once they are typed; no paths if the user cancels.
    pub fn show(&mut self, question: &PathQuestion, ctx: &Context) -> Option<Command> {
        let mut answer = None;
        let modal = Modal::new(Id::unique("path line")).show(ctx, |ui| {
            ui.set_width((ctx.content_rect().width() - 60.0).min(520.0));
            let (title, button) = match question.purpose {
                Purpose::Open => ("Open by path".to_owned(), "Open"),
                Purpose::Compare(_) => ("Compare with".to_owned(), "Compare"),
                Purpose::Save => ("Save as".to_owned(), "Save"),
                Purpose::SaveFolder => ("Save to folder".to_owned(), "Save"),
                Purpose::Contents(_, place) => (format!("Contents of {place}"), "Take"),
                Purpose::Records(_) => ("Load records".to_owned(), "Read"),
            };
            let name = ui.heading(title).id;
            if let Some(why) = question.why {
                ui.weak(why);
            }
            let hint = match question.purpose {
                Purpose::Open | Purpose::Compare(_) => "shader.vert shader.frag",
                Purpose::Save | Purpose::Contents(..) => "the file's name",
                Purpose::SaveFolder => "the folder's name",
                Purpose::Records(_) => "records.json",
            };
            let edit = ui.add(TextEdit::singleline(&mut self.text).hint_text(hint).desired_width(f32::INFINITY));
            let edit = edit.labelled_by(name);
            if std::mem::take(&mut self.fresh) {
                edit.request_focus();
            }
            ui.weak(match question.purpose {
                Purpose::Open => "Several files make one pipeline; put names with spaces in quotes.",
                Purpose::Compare(_) => "A program, several files of one pipeline, or a JSON report.",
                Purpose::Save => "Asks before it replaces a file.",
                Purpose::Contents(..) => "The file's bytes fill the buffer or image in each run.",
                Purpose::SaveFolder => "Created if it does not exist. Asks before it replaces files.",
                Purpose::Records(_) => "JSON, CSV with member names in the first line, or the bytes of the records.",
            });
            let entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            ui.horizontal(|ui| {
                let paths = split(&self.text);
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
        answer.map(|paths| Command::TakePaths(question.purpose, paths))
    }
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
        ui.add_space(6.0);
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

/// Paths apart at spaces; quotes hold them together, `~/` is the home folder.
fn split(text: &str) -> Vec<PathBuf> {
    let mut paths: Vec<String> = Vec::new();
    let mut open = false;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                if !std::mem::replace(&mut open, true) {
                    paths.push(String::new());
                }
            }
            None if c.is_whitespace() => open = false,
            _ => {
                if !std::mem::replace(&mut open, true) {
                    paths.push(String::new());
                }
                if let Some(path) = paths.last_mut() {
                    path.push(c);
                }
            }
        }
    }
    paths.into_iter().filter(|path| !path.is_empty()).map(|path| home(&path)).collect()
}

fn home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), etcetera::home_dir()) {
        (Some(rest), Ok(home)) => home.join(rest),
        _ => Path::new(path).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_typed_paths() {
        for (text, expected) in [
            ("", &[][..]),
            ("  a.frag ", &["a.frag"]),
            ("a.vert b.frag", &["a.vert", "b.frag"]),
            ("\"my shader.frag\" 'b c'.vert", &["my shader.frag", "b c.vert"]),
            ("\"open end", &["open end"]),
        ] {
            let expected: Vec<_> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(split(text), expected, "{text}");
        }
    }
}
