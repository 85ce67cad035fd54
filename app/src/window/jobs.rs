//! Jobs off the frame thread, and the handling of their results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use lanescope_core::options::Options;
use lanescope_core::pipeline::foz::Listing;
use lanescope_core::program::Program;
use lanescope_core::run::Place;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::tasks::{TaskResults, Work};

use super::app::{App, Overlay, Page};
use super::chooser::Chooser;
use super::dialog::{PathLine, Picked, Purpose, pick_contents, pick_files};
use super::engine::{Analysis, Refusal, analyse};
use super::failure::FailurePage;
use super::gallery::CardResult;
use super::graph::{OpenedRun, Piece};
use super::loading::{broke_down, loaded, read_samples};
use super::program::{OpenProgram, ProgramId, title};
use super::samples::Group;
use super::save::Saved;
use super::tasks::MadeOutcome;
use crate::folders::{self, Found};
use crate::jobs::{News, caught};
use crate::session::Remembered;
use crate::watch::Change;
use crate::worker::{Failure, Loaded};

/// Tag of a job.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// Loading one program.
    Load(ProgramId),
    /// Analysing one program.
    Analyse(ProgramId),
    /// Reading the samples.
    Samples,
    /// A dialog of the system: one at a time.
    Dialog,
    /// Writing files that were requested: one job for each time, with its number.
    Export(u64),
    /// Reading a file of records.
    Records,
    /// What is made only on request: of one program, or the list of devices.
    Task(Work, Option<ProgramId>),
    /// Listing the pipelines of these databases.
    List(Vec<PathBuf>),
    /// Writing the session.
    Session,
}

/// Results of jobs.
pub enum Outcome {
    /// A program, loaded and analysed.
    Loaded(Box<LoadOutcome>),
    /// A program under other options.
    Analysed {
        /// The analysis.
        program: Arc<Program>,
        /// The options.
        options: Box<Options>,
        /// The second setting.
        other: Option<Box<Options>>,
        /// The reports, or the option that does not fit.
        result: Result<Box<Analysis>, String>,
    },
    /// The samples that there are.
    Samples(Result<Vec<Group>, String>),
    /// One of them, read.
    Card(usize, CardResult),
    /// The pipelines of databases, to choose one.
    Listed(Vec<PathBuf>, Result<Box<Listing>, String>),
    /// The pipelines of folders, to choose one.
    Found(Vec<PathBuf>, Result<Found, String>),
    /// Nothing more to say.
    Nothing,
    /// Files to open.
    PickedFiles(Purpose, Picked<Vec<PathBuf>>),
    /// A file that fills a buffer or an image of a program.
    PickedContents(ProgramId, Place, Picked<PathBuf>),
    /// Destination of the pending save.
    PickedSave(Picked<PathBuf>),
    /// It was written, or not.
    Saved(Saved),
    /// What was requested.
    Made(Box<MadeOutcome>),
    /// A file of records to read for a program.
    PickedRecords(ProgramId, Picked<PathBuf>),
    /// The records that were read for a program: the file's path, its bytes.
    Records(ProgramId, Result<(String, Vec<u8>), String>),
    /// A piece of a work graph's run that is led.
    GraphPiece(Box<Piece>),
    /// A saved run.
    OpenedRun(Box<OpenedRun>),
    /// The session was written, or why it was not.
    Kept(Result<(), String>),
}

/// The result of loading.
pub struct LoadOutcome {
    /// What was requested.
    pub request: Remembered,
    /// The files are a report.
    pub frozen: bool,
    /// The options are those of the description: no one has changed them yet.
    pub fresh: bool,
    /// When reading began.
    pub since: SystemTime,
    /// The program, or why there is none.
    pub result: Result<(Loaded, Analysis), Refusal>,
}

impl App {
    /// Opens files as one program, under the options of the last time, or reloads them where they are open.
    pub(super) fn open(&mut self, files: Vec<PathBuf>) {
        self.open_changed(files, None::<fn(&mut Options)>);
    }

    /// Opens files under the options of the last time with a change, where there is one.
    pub(super) fn open_changed(&mut self, files: Vec<PathBuf>, change: Option<impl FnOnce(&mut Options)>) {
        // Absolute, so that the recent list means the same from every folder.
        let paths: Vec<_> = files.into_iter().map(|path| std::path::absolute(&path).unwrap_or(path)).collect();
        if let Some(index) = self.programs.iter().position(|program| program.paths == paths) {
            self.show_program(index);
            self.reload(index);
            return;
        }
        if paths.iter().any(|path| path.is_dir()) {
            self.search_folders(paths);
            return;
        }
        let underway = self.opening_of(&paths);
        if let Some(id) = underway {
            self.bring_to_front(id);
            if change.is_none() {
                return;
            }
        }
        let known = self.session.recall(&paths).cloned();
        // A description says its options where the user has not looked at it before.
        let fresh = known.is_none();
        let mut request = known.unwrap_or_default();
        request.paths = paths;
        if let Some(change) = change {
            change(&mut request.options);
        }
        let id = underway.unwrap_or_else(|| self.new_id());
        self.load(id, request, fresh);
    }

    /// Lists the pipelines of files and folders, for one to be chosen.
    fn search_folders(&mut self, paths: Vec<PathBuf>) {
        let tag = Tag::List(paths.clone());
        self.jobs.cancel(&tag);
        self.jobs.start(tag, format!("searching {}", title(&paths)), move |_| {
            let found = caught(|| folders::find(&paths));
            Outcome::Found(paths, found.unwrap_or_else(|panic| Err(broke_down(&panic))))
        });
    }

    /// Takes the pipelines of folders, or why there is none.
    fn take_found(&mut self, paths: Vec<PathBuf>, found: Result<Found, String>) {
        match found {
            Ok(found) => self.questions.push_back(Overlay::Pipelines(Chooser::of_folders(paths, found))),
            Err(why) => {
                self.forget_pairs(&paths);
                self.failure = Some(FailurePage { paths, failure: why.into() });
            }
        }
    }

    /// Lists the pipelines of databases, for one to be chosen.
    pub(super) fn list_pipelines(&mut self, paths: Vec<PathBuf>) {
        let (engine, tag) = (self.engine.clone(), Tag::List(paths.clone()));
        self.jobs.cancel(&tag);
        self.jobs.start(tag, format!("listing the pipelines of {}", title(&paths)), move |job| {
            let listing = caught(|| engine.loader().list(&paths, job).map(Box::new));
            Outcome::Listed(paths, listing.unwrap_or_else(|panic| Err(broke_down(&panic))))
        });
    }

    /// Takes the pipelines of databases, or why there is no list of them.
    fn take_listed(&mut self, paths: Vec<PathBuf>, listing: Result<Listing, String>) {
        match listing {
            Ok(listing) => self.questions.push_back(Overlay::Pipelines(Chooser::new(paths, listing))),
            Err(why) if self.is_open(&paths) => self.toasts.error(why),
            Err(why) => {
                self.forget_pairs(&paths);
                self.failure = Some(FailurePage { paths, failure: why.into() });
            }
        }
    }

    /// Opens the pipeline that was chosen: in the place of the one that is open, where one is.
    pub(super) fn open_pipeline(&mut self, paths: Vec<PathBuf>, name: String) {
        if let Some(index) = self.programs.iter().position(|program| program.paths == paths) {
            self.show_program(index);
            if let Some(program) = self.programs.get(index) {
                // Options from the other pipeline's description do not apply to this one, nor does a second setting.
                let options = Options { pipeline: Some(name), ..Options::default() };
                let (id, request) = (program.id, Remembered { options, other: None, ..program.remembered() });
                self.load(id, request, true);
            }
            return;
        }
        let request = Remembered {
            paths,
            options: Options { pipeline: Some(name), ..Options::default() },
            ..Remembered::default()
        };
        let id = self.opening_of(&request.paths).unwrap_or_else(|| self.new_id());
        self.load(id, request, true);
    }

    /// Reads the files of an open program again.
    pub(super) fn reload(&mut self, index: usize) {
        if let Some(program) = self.programs.get(index) {
            self.load(program.id, program.remembered(), false);
        }
    }

    pub(super) fn load(&mut self, id: ProgramId, request: Remembered, fresh: bool) {
        self.note_opening(id, &request.paths);
        let tag = Tag::Load(id);
        // A load under way reads files that are about to be read again.
        self.jobs.cancel(&tag);
        let engine = self.engine.clone();
        self.jobs.start(tag, format!("loading {}", title(&request.paths)), move |job| {
            let since = SystemTime::now();
            // The result is always delivered, because a user waits for these files.
            caught(|| loaded(&engine, request.clone(), fresh, since, job)).unwrap_or_else(|panic| {
                let result = Err(Refusal::Failed(broke_down(&panic).into()));
                Outcome::Loaded(Box::new(LoadOutcome { request, frozen: false, fresh, since, result }))
            })
        });
    }

    /// Analyses a program under the options that are requested.
    pub(super) fn analyse_again(&mut self, index: usize) {
        let Some(program) = self.programs.get(index).filter(|program| !program.frozen) else { return };
        let (id, loaded) = (program.id, Arc::clone(&program.program));
        let (options, other) = (program.options.clone(), program.other.clone());
        let name = format!("analyzing {}", program.title());
        self.jobs.start(Tag::Analyse(id), name, move |_| {
            let result = analyse(&loaded, &options, other.as_ref()).map(Box::new);
            Outcome::Analysed { program: loaded, options: Box::new(options), other: other.map(Box::new), result }
        });
        self.touch_session();
    }

    /// Shows the gallery, and reads the samples that have not been read.
    pub(super) fn show_gallery(&mut self) {
        self.page = Page::Gallery;
        self.failure = None;
        self.ctx.send_viewport_cmd(egui::ViewportCommand::Title("Lanescope".to_owned()));
        let waiting = self.gallery.waiting();
        let is_full = self.gallery.samples().next().is_some() && waiting.is_empty();
        if is_full || self.jobs.is_busy(&Tag::Samples) {
            return;
        }
        let engine = self.engine.clone();
        self.jobs.start(Tag::Samples, "reading the samples", move |job| {
            read_samples(&engine, waiting, job);
            Outcome::Nothing
        });
    }

    /// Asks for files to open, or to compare with.
    pub(super) fn ask_for_files(&mut self, purpose: Purpose) {
        let folder = self
            .program()
            .and_then(|program| program.paths.first())
            .or_else(|| self.session.recent.front().and_then(|recent| recent.paths.first()));
        let folder = folder.and_then(|path| path.parent()).map(Path::to_owned);
        self.jobs.start(Tag::Dialog, "waiting for the file dialog", move |_| {
            Outcome::PickedFiles(purpose, pick_files(purpose, folder))
        });
    }

    /// Asks for a file that fills a buffer or an image.
    pub(super) fn ask_for_contents(&mut self, place: Place) {
        if self.jobs.is_busy(&Tag::Dialog) {
            self.toasts.info("Another file dialog is already open.");
            return;
        }
        let Some(program) = self.program() else { return };
        let (id, folder) = (program.id, program.paths.first().and_then(|path| path.parent()).map(Path::to_owned));
        self.jobs.start(Tag::Dialog, "waiting for the file dialog", move |_| {
            Outcome::PickedContents(id, place, pick_contents(folder, &place.to_string()))
        });
    }

    /// Fills a buffer or an image of a program from a file, or with its default contents.
    pub(super) fn set_contents(&mut self, id: ProgramId, place: Place, file: Option<PathBuf>) {
        let revision = self.next_revision();
        let Some(program) = self.programs.iter_mut().find(|program| program.id == id) else { return };
        match file {
            Some(file) => program.contents.insert(place, std::path::absolute(&file).unwrap_or(file)),
            None => program.contents.remove(&place),
        };
        // What ran before ran with other contents.
        program.revision = revision;
        program.list_inputs();
        self.touch_session();
        self.ctx.request_repaint();
    }

    /// Writes the session in the background.
    pub(super) fn save_session(&mut self) {
        let Some(store) = self.store.clone() else { return };
        let session = self.session_now().clone();
        self.jobs.start(Tag::Session, "saving the session", move |_| Outcome::Kept(store.save(&session)));
    }

    /// Handles results of jobs and events of watched files since the last frame.
    pub(super) fn take_news(&mut self) {
        self.end_old_runs();
        for (tag, news) in self.jobs.poll() {
            match news {
                News::Part(outcome) | News::Done(outcome) => self.take(&tag, outcome),
                News::Panicked(text) => {
                    if let Tag::Task(work, id) = tag {
                        self.forget(work, id);
                    }
                    self.toasts.error(format!("Internal error: {text}"));
                }
            }
            // A load has one piece of news: its end.
            self.forget_opening(&tag);
        }
        for change in self.watch.poll() {
            match change {
                Change::Unwatched(why) => {
                    self.toasts.info(format!("File watching is unavailable ({why}); reload with F5."));
                }
                Change::Files(files) => {
                    let changed: Vec<_> = (0..self.programs.len())
                        .filter(|&index| self.programs[index].watched().any(|path| files.contains(&path)))
                        .collect();
                    for index in changed {
                        self.reload(index);
                    }
                }
            }
        }
    }

    fn take(&mut self, tag: &Tag, outcome: Outcome) {
        match outcome {
            Outcome::Loaded(outcome) => {
                if let Tag::Load(id) = tag {
                    self.take_loaded(*id, *outcome);
                }
            }
            Outcome::Analysed { program, options, other, result } => {
                if let Tag::Analyse(id) = tag {
                    self.take_analysed((*id, &program), *options, other.map(|other| *other), result);
                }
            }
            Outcome::Samples(samples) => self.gallery.set_samples(samples),
            Outcome::Card(index, result) => self.gallery.set_card(index, result),
            Outcome::Listed(paths, listing) => self.take_listed(paths, listing.map(|listing| *listing)),
            Outcome::Found(paths, found) => self.take_found(paths, found),
            Outcome::Nothing => {}
            Outcome::PickedFiles(purpose, Picked::Chosen(files)) => self.take_path(purpose, files),
            Outcome::PickedFiles(_, Picked::Nothing) => {}
            Outcome::PickedSave(picked) => self.take_place(picked),
            Outcome::PickedFiles(purpose, Picked::Unavailable) => {
                self.overlay = Overlay::Path(PathLine::new(purpose, String::new(), Some(NO_DIALOG)));
            }
            Outcome::PickedContents(id, place, Picked::Chosen(file)) => self.set_contents(id, place, Some(file)),
            Outcome::PickedContents(_, _, Picked::Nothing) => {}
            Outcome::PickedContents(id, place, Picked::Unavailable) => {
                let line = PathLine::new(Purpose::Contents(id, place), String::new(), Some(NO_DIALOG));
                self.overlay = Overlay::Path(line);
            }
            Outcome::Saved(saved) => self.take_saved(saved),
            Outcome::PickedRecords(id, picked) => self.take_picked_records(id, picked),
            Outcome::Records(id, read) => self.take_records(id, read),
            Outcome::GraphPiece(piece) => {
                if let Tag::Task(_, Some(id)) = tag {
                    self.take_graph_piece(*id, *piece);
                }
            }
            Outcome::OpenedRun(opened) => {
                if let Tag::Load(id) = tag {
                    self.take_run(*id, *opened);
                }
            }
            Outcome::Made(made) => {
                if let Tag::Task(work, id) = tag {
                    self.take_made(*work, *id, *made);
                }
            }
            Outcome::Kept(kept) => {
                // Once said is enough, as long as it stays so.
                if let (Err(error), None) = (&kept, &self.unkept) {
                    self.toasts.error(error.clone());
                }
                self.unkept = kept.err();
            }
        }
    }

    fn take_loaded(&mut self, id: ProgramId, outcome: LoadOutcome) {
        let LoadOutcome { request, frozen, fresh, since, result } = outcome;
        let index = self.programs.iter().position(|program| program.id == id);
        if let Some(program) = index.and_then(|index| self.programs.get_mut(index)) {
            program.read_since = since;
        }
        match (result, index) {
            (Err(Refusal::Cancelled), _) => {}
            (Err(Refusal::Failed(failure)), None) if failure.pipelines => self.list_pipelines(request.paths),
            (Err(Refusal::Failed(failure)), Some(index)) => {
                self.programs[index].stale = Some(failure);
                self.follow_files();
            }
            (Err(Refusal::Failed(failure)), None) => {
                self.forget_pairs(&request.paths);
                self.failure = Some(FailurePage { paths: request.paths, failure });
            }
            (Ok((loaded, analysis)), Some(index)) => {
                let revision = self.next_revision();
                let program = &mut self.programs[index];
                if fresh {
                    program.selection = Selection::default();
                }
                let asked = !fresh && (&program.options, &program.other) != (&request.options, &request.other);
                if !asked {
                    (program.options, program.other) = analysis.options();
                    if let Some(left_out) = &analysis.left_out {
                        self.toasts.info(left_out);
                    }
                }
                program.renew(loaded, analysis, revision);
                program.frozen = frozen;
                if frozen {
                    program.made = TaskResults::of_report(&program.analysis.report, revision);
                } else if asked {
                    self.analyse_again(index);
                }
                if fresh {
                    // Another pipeline may have nothing for the tab in front.
                    self.show_program(index);
                }
                self.follow_files();
            }
            (Ok((loaded, analysis)), None) => {
                self.add_program(id, request, frozen, since, (loaded, analysis));
            }
        }
    }

    /// Takes what was read of a file without shaders, or why nothing was.
    pub(super) fn take_frozen(
        &mut self,
        id: ProgramId,
        request: Remembered,
        since: SystemTime,
        read: Result<(Loaded, Analysis), Failure>,
    ) {
        let result = read.map_err(Refusal::Failed);
        self.take_loaded(id, LoadOutcome { request, frozen: true, fresh: false, since, result });
    }

    fn add_program(
        &mut self,
        id: ProgramId,
        request: Remembered,
        frozen: bool,
        since: SystemTime,
        (loaded, analysis): (Loaded, Analysis),
    ) {
        let revision = self.next_revision();
        // In the order of the requests, not of loading.
        let index = self.programs.partition_point(|program| program.id < id);
        let (options, other) = analysis.options();
        let mut program = OpenProgram {
            id,
            paths: request.paths,
            program: Arc::new(loaded.program),
            texts: loaded.texts,
            options,
            other,
            made: if frozen { TaskResults::of_report(&analysis.report, revision) } else { TaskResults::NOTHING },
            misfit: analysis.left_out.clone(),
            analysis,
            selection: request.selection,
            contents: request.contents,
            inputs: Vec::new(),
            against: None,
            frozen,
            graph_request: None,
            graph_lead: None,
            compiling: [None, None],
            loaded_at: revision,
            graph_revision: revision,
            read_since: since,
            rewritten_files: Vec::new(),
            revision,
            stale: None,
        };
        if let Some(left_out) = &program.misfit {
            self.toasts.info(left_out);
        }
        program.list_inputs();
        self.session.remember(program.remembered());
        let behind = self.opens_behind(id);
        self.programs.insert(index, program);
        if behind {
            self.active += usize::from(index <= self.active);
        } else {
            self.show_program(index);
        }
        self.pair_up();
        self.follow_files();
        self.touch_session();
    }

    fn take_analysed(
        &mut self,
        (id, of): (ProgramId, &Arc<Program>),
        options: Options,
        other: Option<Options>,
        result: Result<Box<Analysis>, String>,
    ) {
        let revision = self.next_revision();
        let Some(program) = self.programs.iter_mut().find(|program| program.id == id) else { return };
        if !Arc::ptr_eq(&program.program, of) {
            // The files were reloaded meanwhile, with a new report.
            return;
        }
        match result {
            Ok(analysis) => {
                // Nothing else of the options makes another graph: a run of it continues.
                if program.analysis.report.options.overrides != analysis.report.options.overrides {
                    program.graph_revision = revision;
                }
                program.analysis = *analysis;
                program.list_inputs();
                program.revision = revision;
                program.misfit = None;
            }
            // Options that have been changed again since have their own answer coming.
            Err(misfit) if program.options == options && program.other == other => program.misfit = Some(misfit),
            Err(_) => {}
        }
    }

    pub(super) fn next_revision(&mut self) -> u64 {
        self.revision += 1;
        self.revision
    }

    /// Watches the files of all open programs.
    pub(super) fn follow_files(&self) {
        let mut files = BTreeMap::new();
        for program in &self.programs {
            for file in program.watched() {
                let since = files.entry(file).or_insert(program.read_since);
                *since = program.read_since.max(*since);
            }
        }
        self.watch.set(files);
    }
}

pub(super) const NO_DIALOG: &str = "No file dialog is available: install xdg-desktop-portal or zenity.";
