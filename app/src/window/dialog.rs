//! File dialogs: the system's, on their own thread, and a field to type a path into.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::{Context, Id, Key, Modal, TextEdit};
use lanescope_core::run::Place;

use super::program::ProgramId;

/// The result of a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picked<T> {
    /// This.
    Chosen(T),
    /// The user thought otherwise.
    Nothing,
    /// The system has no dialogs.
    Unavailable,
}

/// A dialog that ends sooner than this was never shown: the system has no dialog, and rfd does not report that.
const SEEN: Duration = Duration::from_millis(400);

/// Extensions of what can be opened.
const FILTER: &[&str] = &[
    "spv",
    "spvasm",
    "vert",
    "frag",
    "comp",
    "geom",
    "tesc",
    "tese",
    "task",
    "mesh",
    "rgen",
    "rint",
    "rahit",
    "rchit",
    "rmiss",
    "rcall",
    "glsl",
    "hlsl",
    "dxil",
    "cso",
    "dxbc",
    "bc",
    "pipe",
    "foz",
    "json",
    "lanescope-run",
];

/// Asks for files to open, or to compare with. Blocks: for job threads only.
pub fn pick_files(purpose: Purpose, folder: Option<PathBuf>) -> Picked<Vec<PathBuf>> {
    let begin = Instant::now();
    let compare = matches!(purpose, Purpose::Compare(_));
    let title = if compare { "Compare with shaders or a report" } else { "Open shaders as one pipeline" };
    let mut dialog = rfd::FileDialog::new()
        .set_title(title)
        .add_filter("Shaders, reports and saved runs", FILTER)
        .add_filter("All files", &["*"]);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let files = dialog.pick_files().filter(|files| !files.is_empty());
    picked(files, begin)
}

/// Asks for a file that fills a buffer or an image. Blocks: for job threads only.
pub fn pick_contents(folder: Option<PathBuf>, of: &str) -> Picked<PathBuf> {
    let begin = Instant::now();
    let mut dialog = rfd::FileDialog::new().set_title(format!("Contents of {of}")).add_filter("All files", &["*"]);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    picked(dialog.pick_file(), begin)
}

/// Asks for a folder to save into. Blocks: for job threads only.
pub fn pick_folder() -> Picked<PathBuf> {
    let begin = Instant::now();
    picked(rfd::FileDialog::new().set_title("Save rewritten modules to").pick_folder(), begin)
}

/// Asks where to save. The dialog itself asks before a file is replaced. Blocks: for job threads only.
pub fn pick_save(name: &str) -> Picked<PathBuf> {
    let begin = Instant::now();
    let dialog = rfd::FileDialog::new().set_title("Save").set_file_name(name);
    let dialog = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("svg") => dialog.add_filter("SVG", &["svg"]).add_filter("PNG", &["png"]),
        Some(extension) => dialog.add_filter(extension.to_ascii_uppercase(), &[extension]),
        None => dialog,
    };
    picked(dialog.save_file(), begin)
}

/// Asks for a file of records. Blocks: for job threads only.
pub fn pick_records() -> Picked<PathBuf> {
    let begin = Instant::now();
    let dialog = rfd::FileDialog::new()
        .set_title("Load records")
        .add_filter("Records", &["json", "csv", "bin"])
        .add_filter("All files", &["*"]);
    picked(dialog.pick_file(), begin)
}

fn picked<T>(found: Option<T>, begin: Instant) -> Picked<T> {
    match found {
        Some(found) => Picked::Chosen(found),
        None if begin.elapsed() < SEEN => Picked::Unavailable,
        None => Picked::Nothing,
    }
}

/// What a typed path is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Open these files.
    Open,
    /// Compare this program with these files.
    Compare(ProgramId),
    /// Save a file here.
    Save,
    /// Save files into this folder.
    SaveFolder,
    /// Fill this buffer or image of this program.
    Contents(ProgramId, Place),
    /// Load records for this program from this file.
    Records(ProgramId),
}

/// A line to type a path into.
#[derive(Debug)]
pub struct PathLine {
    /// What it is for.
    pub purpose: Purpose,
    text: String,
    why: Option<&'static str>,
    fresh: bool,
}

impl PathLine {
    /// An empty line, or one with a name to begin with. `why` says why the system's dialog is not used.
    pub fn new(purpose: Purpose, text: String, why: Option<&'static str>) -> PathLine {
        PathLine { purpose, text, why, fresh: true }
    }

    /// Draws it. Returns the paths once they are typed; no paths if the user cancels.
    pub fn show(&mut self, ctx: &Context) -> Option<Vec<PathBuf>> {
        let mut answer = None;
        let modal = Modal::new(Id::unique("path line")).show(ctx, |ui| {
            ui.set_width((ctx.content_rect().width() - 60.0).min(520.0));
            let (title, button) = match self.purpose {
                Purpose::Open => ("Open by path".to_owned(), "Open"),
                Purpose::Compare(_) => ("Compare with".to_owned(), "Compare"),
                Purpose::Save => ("Save as".to_owned(), "Save"),
                Purpose::SaveFolder => ("Save to folder".to_owned(), "Save"),
                Purpose::Contents(_, place) => (format!("Contents of {place}"), "Take"),
                Purpose::Records(_) => ("Load records".to_owned(), "Read"),
            };
            let name = ui.heading(title).id;
            if let Some(why) = self.why {
                ui.weak(why);
            }
            let hint = match self.purpose {
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
            ui.weak(match self.purpose {
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
        answer
    }
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
