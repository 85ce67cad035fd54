//! Saving pictures, rewritten modules and results of runs. Asks for the place, and before it replaces files.

use std::path::{Path, PathBuf};

use egui::{Context, Id, Modal};
use lanescope_core::run::graph::{GraphRun, file};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Output;
use lanescope_inspector::tasks::Work;
use lanescope_views::draw;

use super::app::{App, Overlay};
use super::dialog::{PathLine, Picked, Purpose, pick_folder, pick_save};
use super::jobs::{NO_DIALOG, Outcome, Tag};
use crate::outputs;
use crate::rewriting::NamedFile;
use crate::safe_write::{NotWritten, write_file, write_files};

/// What waits for a place to be written to, as it was when it was requested.
#[derive(Debug, Clone)]
pub enum Pending {
    /// A picture, with the name that is proposed for its file.
    Picture(draw::Picture, String),
    /// A file's contents, with the name that is proposed.
    File(Vec<u8>, String),
    /// Files for a folder.
    Files(Vec<NamedFile>),
    /// A work graph's run, with the name that is proposed.
    Run(Box<GraphRun>, String),
}

/// The outcome.
#[derive(Debug)]
pub enum Saved {
    /// It is there.
    Done(String),
    /// Files are there already: where it was to go, they, and what waits on.
    WouldReplace(PathBuf, Vec<PathBuf>, Box<Pending>),
    /// It is not there.
    Failed(String),
}

/// Asks whether files may be replaced.
#[derive(Debug)]
pub struct Replace {
    /// Where it is to be written to: a file or a folder.
    place: PathBuf,
    pending: Box<Pending>,
    folder: PathBuf,
    names: Vec<String>,
}

impl Replace {
    /// Draws the question. Returns what was decided, once it is.
    pub fn show(&self, ctx: &Context) -> Option<bool> {
        let mut answer = None;
        let modal = Modal::new(Id::unique("replace")).show(ctx, |ui| {
            ui.set_width((ctx.content_rect().width() - 60.0).min(440.0));
            ui.heading(format!("Replace {}?", counted(self.names.len(), "file")));
            let these = if self.names.len() == 1 { "this file" } else { "these files" };
            ui.label(format!("{} already contains {these}:", self.folder.display()));
            for name in self.names.iter().take(8) {
                ui.monospace(name);
            }
            if self.names.len() > 8 {
                ui.weak(format!("and {} more", self.names.len() - 8));
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
        answer.or_else(|| modal.should_close().then_some(false))
    }
}

impl App {
    /// Asks where to save a picture of the program that is shown.
    pub(super) fn ask_where_to_export(&mut self, picture: draw::Picture, what: &str) {
        let Some(stem) = self.stem() else { return };
        self.ask_where(Pending::Picture(picture, format!("{stem}-{what}.svg")));
    }

    /// Asks where to save the rewritten modules; rewrites them first where that has not been done.
    pub(super) fn save_rewritten(&mut self) {
        let Some(program) = self.program() else { return };
        let (revision, settings) = (program.revision, &self.devices.settings);
        let answer = program.made.rewriting.answer.as_ref();
        let fresh = answer.filter(|made| made.revision == revision && made.settings.passes == settings.passes);
        match fresh.map(|made| &made.result) {
            Some(Ok(_)) => self.ask_where(Pending::Files(program.rewritten_files.clone())),
            Some(Err(why)) => self.toasts.error(format!("Cannot be rewritten: {why}")),
            None => {
                self.show_tab("rewritten");
                self.begin_work(Work::Rewrite);
                self.toasts.info("The modules are being rewritten. Save them when that is done.");
            }
        }
    }

    /// Asks where to save what a run wrote.
    pub(super) fn save_output(&mut self, output: &Output) {
        let Some((stem, ran)) = self.stem().zip(self.program().and_then(|program| program.made.run.done())) else {
            return;
        };
        match outputs::file(ran, output) {
            Ok((name, bytes)) => self.ask_where(Pending::File(bytes, format!("{stem}-{name}"))),
            Err(why) => self.toasts.error(why),
        }
    }

    /// Asks where to save a text of the program that is shown.
    pub(super) fn save_text(&mut self, text: String, name: &str) {
        let Some(stem) = self.stem() else { return };
        self.ask_where(Pending::File(text.into_bytes(), format!("{stem}-{name}")));
    }

    /// What files of the program that is shown are called by.
    fn stem(&self) -> Option<String> {
        let last = self.program()?.paths.last()?;
        Some(last.file_stem().unwrap_or_default().to_string_lossy().into_owned())
    }

    pub(super) fn ask_where(&mut self, pending: Pending) {
        if self.jobs.is_busy(&Tag::Dialog) {
            self.toasts.info("Another file dialog is already open.");
            return;
        }
        let name = pending.proposed();
        self.pending = Some(pending);
        let work = move || match name {
            Some(name) => pick_save(&name),
            None => pick_folder(),
        };
        self.jobs.start(Tag::Dialog, "waiting for the file dialog", move |_| Outcome::PickedSave(work()));
    }

    /// Takes what was typed as a path.
    pub(super) fn take_path(&mut self, purpose: Purpose, mut paths: Vec<PathBuf>) {
        match purpose {
            Purpose::Open | Purpose::Compare(_) if paths.is_empty() => {}
            Purpose::Open => self.open(paths),
            Purpose::Contents(..) if paths.is_empty() => {}
            Purpose::Contents(id, place) => self.set_contents(id, place, Some(paths.swap_remove(0))),
            Purpose::Compare(id) => self.compare_program(id, paths),
            Purpose::Records(id) => paths.into_iter().take(1).for_each(|path| self.read_records(id, path)),
            _ if paths.is_empty() => self.pending = None,
            // One path: a folder's or a file's.
            _ => self.save_to(paths.swap_remove(0), false),
        }
    }

    /// Handles the result of the dialog for a place.
    pub(super) fn take_place(&mut self, picked: Picked<PathBuf>) {
        let folder = matches!(self.pending, Some(Pending::Files(_)));
        match picked {
            // The dialog has asked before a file is replaced; a folder's files it does not know.
            Picked::Chosen(path) => self.save_to(path, !folder),
            Picked::Nothing => self.pending = None,
            Picked::Unavailable => {
                let name = self.pending.as_ref().and_then(Pending::proposed).unwrap_or_else(|| "rewritten".to_owned());
                let path = std::path::absolute(&name).map_or(name, |path| quoted(&path));
                let purpose = if folder { Purpose::SaveFolder } else { Purpose::Save };
                self.overlay = Overlay::Path(PathLine::new(purpose, path, Some(NO_DIALOG)));
            }
        }
    }

    /// Writes what waits, unless files may not be replaced.
    pub(super) fn save_to(&mut self, path: PathBuf, may_replace: bool) {
        if let Some(pending) = self.pending.take() {
            self.write(pending, path, may_replace);
        }
    }

    fn write(&mut self, pending: Pending, path: PathBuf, may_replace: bool) {
        // Of one tag a newer job takes the place of one that waits, and none of these may vanish.
        self.exports += 1;
        self.jobs.start(Tag::Export(self.exports), format!("writing {}", path.display()), move |_| {
            Outcome::Saved(pending.write(path, may_replace))
        });
    }

    /// Handles the result of saving.
    pub(super) fn take_saved(&mut self, saved: Saved) {
        match saved {
            Saved::Done(what) => self.toasts.info(format!("Saved: {what}")),
            Saved::Failed(error) => self.toasts.error(error),
            Saved::WouldReplace(place, paths, pending) => {
                let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let folder = paths.first().and_then(|path| path.parent()).unwrap_or(&place).to_owned();
                let names = paths.iter().map(name).collect();
                // What lies over the window by now is answered first.
                self.questions.push_back(Overlay::Replace(Replace { place, pending, folder, names }));
            }
        }
    }

    /// Replaces files.
    pub(super) fn replace(&mut self, Replace { place, pending, .. }: Replace) {
        self.write(*pending, place, true);
    }
}

impl Pending {
    /// The file's name that is proposed; `None` for a folder.
    fn proposed(&self) -> Option<String> {
        match self {
            Pending::Picture(_, name) | Pending::File(_, name) | Pending::Run(_, name) => Some(name.clone()),
            Pending::Files(_) => None,
        }
    }

    fn write(self, path: PathBuf, may_replace: bool) -> Saved {
        let one = |bytes: &[u8]| write_file(&path, bytes, may_replace).map(|()| path.display().to_string());
        let written = match &self {
            Pending::Files(files) => Ok(write_files(&path, files, may_replace)
                .map(|()| format!("{} in {}", counted(files.len(), "file"), path.display()))),
            Pending::Picture(picture, _) => picture_bytes(picture, &path).map(|bytes| one(&bytes)),
            Pending::File(bytes, _) => Ok(one(bytes)),
            Pending::Run(run, _) => file::write(run).map(|bytes| one(&bytes)).map_err(|error| error.to_string()),
        };
        match written {
            Ok(Ok(what)) => Saved::Done(what),
            Ok(Err(NotWritten::Exist(there))) => Saved::WouldReplace(path, there, Box::new(self)),
            Ok(Err(error)) => Saved::Failed(error.to_string()),
            Err(why) => Saved::Failed(why),
        }
    }
}

fn picture_bytes(picture: &draw::Picture, path: &Path) -> Result<Vec<u8>, String> {
    let format = draw::FileFormat::of(&path.extension().unwrap_or_default().to_string_lossy());
    let format = format.ok_or_else(|| format!("{}: unknown extension (expected .svg or .png)", path.display()))?;
    format.bytes(picture).map_err(|error| error.to_string())
}

/// A path as the line for paths reads it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.contains(char::is_whitespace) { format!("\"{text}\"") } else { text.into_owned() }
}
