//! The pipelines of the open documents: which are to be analysed, which are being analysed, and the last result of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lanescope_core::program::Program;
use lanescope_core::run::Blob;
use lanescope_host::jobs::caught;
use lanescope_host::watch::files_of;
use lanescope_host::workspace::is_manifest;

use crate::analysis::{Analyzed, Job, Refusal, Versions, internal_error};
use crate::diagnostics::{self, ByFile};
use crate::documents::{Document, Documents};
use crate::messages::messages;
use crate::project::{Pipeline, is_binary};
use crate::sites::{Source, sources};

/// How long a document rests before it is analysed: keys follow each other.
const REST: Duration = Duration::from_millis(30);
/// How long work on earlier text may go on. To stop it ends the child process, which costs a start.
const STALE: Duration = Duration::from_millis(400);
/// The largest document that is analysed, in bytes.
pub const MAX_DOCUMENT: usize = 16 << 20;

/// What tells pipelines apart: the name and the files.
pub type Key = (String, Vec<PathBuf>);

/// The pipelines.
#[derive(Default)]
pub struct Pipelines {
    all: BTreeMap<Key, State>,
    running: Option<Running>,
}

/// One of them.
struct State {
    pipeline: Pipeline,
    /// When it is to be analysed.
    due: Option<Instant>,
    /// The files that a change of changes the result: its own, and those that they included at the last success.
    involved: BTreeSet<PathBuf>,
    held: Option<Held>,
    /// The files that a result was about.
    touched: BTreeSet<PathBuf>,
}

/// A result.
pub struct Held {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// The versions of the open documents that it is about.
    versions: Versions,
    /// The report with its program and its sources; none where the files do not load.
    pub report: Option<Reported>,
    /// What is wrong with the files.
    pub diagnostics: ByFile,
}

impl Held {
    /// The versions of the open documents that it is about.
    pub fn versions(&self) -> &Versions {
        &self.versions
    }
}

/// A report, and the sources that it is about.
pub struct Reported {
    /// The report.
    pub report: Arc<lanescope_core::report::Report>,
    /// The sources, with their sites.
    pub sources: Vec<Source>,
}

/// The job that is being done.
struct Running {
    key: Key,
    since: Instant,
    /// Its text is not that of the editor any more.
    is_stale: bool,
    is_stopped: bool,
}

/// How far the answer about a document is.
pub enum Answer<'a> {
    /// Of the text that the editor has.
    Current(Vec<&'a Held>),
    /// Being worked out.
    Coming,
    /// No pipeline has the document.
    None,
}

impl Pipelines {
    /// Takes the pipelines of the open documents: new and changed ones are due, others are dropped.
    pub fn set(&mut self, wanted: Vec<Pipeline>) {
        let wanted: BTreeMap<Key, Pipeline> =
            wanted.into_iter().map(|one| ((one.name.clone(), one.files.clone()), one)).collect();
        self.all.retain(|key, _| wanted.contains_key(key));
        for (key, pipeline) in wanted {
            let involved = pipeline.files.iter().cloned().collect();
            let (held, touched) = (None, BTreeSet::new());
            let state =
                self.all.entry(key).or_insert(State { pipeline: pipeline.clone(), due: None, involved, held, touched });
            if state.held.is_none() || state.pipeline != pipeline {
                state.pipeline = pipeline;
                state.due.get_or_insert_with(Instant::now);
            }
        }
    }

    /// Lets what a change of files concerns be analysed: at once, or after the files rest.
    pub fn changed(&mut self, files: &BTreeSet<PathBuf>, rests: bool) {
        let now = Instant::now();
        for (key, state) in &mut self.all {
            if state.involved.is_disjoint(files) {
                continue;
            }
            // Until then, keys that follow move it on.
            state.due = Some(if rests { now } else { now + REST });
            if let Some(running) = self.running.as_mut().filter(|running| running.key == *key) {
                running.is_stale = true;
            }
        }
    }

    /// Lets all be analysed that could not be: a file that appears may be what was missing.
    pub fn retry(&mut self) {
        let failed =
            self.all.values_mut().filter(|state| state.held.as_ref().is_some_and(|held| held.report.is_none()));
        failed.for_each(|state| state.due = state.due.or_else(|| Some(Instant::now())));
    }

    /// The job that is to begin now, if none is running.
    pub fn next(&mut self, documents: &Documents) -> Option<Job> {
        if self.running.is_some() {
            return None;
        }
        let now = Instant::now();
        let listed: BTreeSet<PathBuf> =
            self.all.values().flat_map(|state| state.pipeline.files.iter().cloned()).collect();
        let due = self.all.iter_mut().filter(|(_, state)| state.due.is_some_and(|due| due <= now));
        let (key, state) = due.min_by_key(|(_, state)| state.due)?;
        state.due = None;
        self.running = Some(Running { key: key.clone(), since: now, is_stale: false, is_stopped: false });
        // What other pipelines list is seldom included here. Where it is, that is known after the first result, which is not
        // one about the text that the editor has then.
        let is_of_use = |path: &Path| state.involved.contains(path) || !listed.contains(path);
        let open = || documents.iter().filter(|(path, document)| is_given(path, document) && is_of_use(path));
        Some(Job {
            pipeline: state.pipeline.clone(),
            given: open().map(|(path, document)| (path.clone(), Blob(document.text.clone().into_bytes()))).collect(),
            versions: open().map(|(path, document)| (path.clone(), document.version)).collect(),
        })
    }

    /// When [`Pipelines::next`] or [`Pipelines::is_to_stop`] may say something else.
    pub fn wake_at(&self) -> Option<Instant> {
        match &self.running {
            Some(running) if running.is_stale && !running.is_stopped => Some(running.since + STALE),
            Some(_) => None,
            None => self.all.values().filter_map(|state| state.due).min(),
        }
    }

    /// Whether the running job is to be stopped: it works on earlier text for too long. Said once of a job.
    pub fn is_to_stop(&mut self) -> bool {
        let running = self.running.as_mut();
        running.is_some_and(|running| {
            let is_late = running.is_stale && running.since.elapsed() >= STALE;
            is_late && !std::mem::replace(&mut running.is_stopped, true)
        })
    }

    /// Takes a result. Returns its key, with the program where there is one; none where it is about earlier text, or of a
    /// pipeline that is not wanted any more.
    pub fn take(&mut self, analyzed: Analyzed, documents: &Documents) -> Option<(Key, Option<Arc<Program>>)> {
        let running = self.running.take()?;
        let state = self.all.get_mut(&running.key)?;
        let Analyzed { pipeline, versions, result } = analyzed;
        if pipeline != state.pipeline {
            return None;
        }
        let read = |path: &Path| match documents.get(path) {
            Some(document) => Some(document.text.clone()),
            None => lanescope_host::files::text_at_most(path, MAX_DOCUMENT as u64).ok(),
        };
        let mut loaded = None;
        let held = match result {
            // Whoever stopped it wanted another text, unless the child that was stopped was the next one.
            Err(Refusal::Stopped) => {
                state.due.get_or_insert_with(Instant::now);
                return None;
            }
            Err(Refusal::Failed(failure)) => {
                let found = messages(&failure, &pipeline.files, |path| path.is_file() || documents.get(path).is_some());
                state.involved.extend(found.iter().map(|message| message.file.clone()));
                Held { pipeline, versions, report: None, diagnostics: diagnostics::of_messages(found) }
            }
            Ok(analysis) => {
                let (program, report) = (analysis.program, analysis.report);
                state.involved = files_of(&pipeline.files, &program).collect();
                // A text that the editor changed since then has other places.
                if running.is_stale || !is_current(&versions, &state.involved, documents) {
                    state.due.get_or_insert_with(Instant::now);
                    return None;
                }
                let made = caught(|| {
                    let sources = sources(&program, &report, &pipeline.files, &read);
                    let diagnostics = diagnostics::of_findings(&program, &report, &pipeline.files, &sources);
                    (sources, diagnostics)
                });
                match made {
                    Ok((sources, diagnostics)) => {
                        loaded = Some(program);
                        let report = Some(Reported { report: Arc::new(report), sources });
                        Held { pipeline, versions, report, diagnostics }
                    }
                    Err(panic) => {
                        let found = messages(&internal_error(&panic), &pipeline.files, |_| false);
                        Held { pipeline, versions, report: None, diagnostics: diagnostics::of_messages(found) }
                    }
                }
            }
        };
        if running.is_stale || !is_current(&held.versions, &state.involved, documents) {
            state.due.get_or_insert_with(Instant::now);
            return None;
        }
        state.touched.extend(held.diagnostics.keys().chain(&state.involved).cloned());
        state.held = Some(held);
        Some((running.key, loaded))
    }

    /// The last result of a pipeline.
    pub fn held(&self, key: &Key) -> Option<&Held> {
        self.all.get(key)?.held.as_ref()
    }

    /// Lets all be analysed once more.
    pub fn again(&mut self) {
        let now = Instant::now();
        self.all.values_mut().for_each(|state| state.due = state.due.or(Some(now)));
    }

    /// The answer about a document.
    pub fn about(&self, file: &Path, documents: &Documents) -> Answer<'_> {
        let with: Vec<_> = self.all.iter().filter(|(_, state)| state.involved.contains(file)).collect();
        if with.is_empty() {
            // A pipeline whose first result is not there yet may turn out to include it.
            let is_open = self.all.values().any(|state| state.held.is_none());
            return if is_open { Answer::Coming } else { Answer::None };
        }
        let current: Vec<&Held> = with.iter().filter_map(|(key, state)| self.current(key, state, documents)).collect();
        if current.len() == with.len() { Answer::Current(current) } else { Answer::Coming }
    }

    /// The result of a pipeline, if it is about the text that the editor has.
    fn current<'s>(&self, key: &Key, state: &'s State, documents: &Documents) -> Option<&'s Held> {
        let is_running = self.running.as_ref().is_some_and(|running| running.key == *key);
        let is_awaited = is_running || state.due.is_some();
        state.held.as_ref().filter(|held| !is_awaited && is_current(&held.versions, &state.involved, documents))
    }

    /// What is wrong in each file, as far as results are about the text that the editor has; and the files with a result
    /// that is not.
    pub fn diagnostics(&self, documents: &Documents) -> (ByFile, BTreeSet<PathBuf>) {
        let (mut out, mut open) = (ByFile::new(), BTreeSet::new());
        for (key, state) in &self.all {
            let Some(held) = self.current(key, state, documents) else {
                open.extend(state.involved.iter().cloned());
                open.extend(state.held.iter().flat_map(|held| held.diagnostics.keys().cloned()));
                continue;
            };
            for (file, all) in &held.diagnostics {
                let known = out.entry(file.clone()).or_default();
                for one in all {
                    if !known.contains(one) {
                        known.push(one.clone());
                    }
                }
            }
        }
        (out, open)
    }

    /// The files that a result of a pipeline was about, the last one or an earlier one.
    pub fn touched(&self, key: &Key) -> BTreeSet<PathBuf> {
        self.all.get(key).map(|state| state.touched.clone()).unwrap_or_default()
    }

    /// The files that results depend on.
    pub fn involved(&self) -> BTreeSet<PathBuf> {
        self.all.values().flat_map(|state| state.involved.iter().cloned()).collect()
    }

    /// The pipelines that list a file.
    pub fn with<'a>(&'a self, file: &'a Path) -> impl Iterator<Item = &'a Pipeline> {
        let all = self.all.values().map(|state| &state.pipeline);
        all.filter(move |pipeline| pipeline.files.iter().any(|own| own == file))
    }

    /// The files that the first pipeline that lists a file depends on: its own and those that they include.
    pub fn involved_with(&self, file: &Path) -> BTreeSet<PathBuf> {
        let lists = |state: &&State| state.pipeline.files.iter().any(|own| own == file);
        self.all.values().find(lists).map(|state| state.involved.clone()).unwrap_or_default()
    }

    /// How each pipeline with a file was found.
    pub fn how<'a>(&'a self, file: &'a Path) -> impl Iterator<Item = String> + 'a {
        self.with(file).map(Pipeline::how)
    }
}

/// Whether the text of a document is compiled instead of its file.
fn is_given(path: &Path, document: &Document) -> bool {
    !is_binary(path) && !is_manifest(path) && document.text.len() <= MAX_DOCUMENT
}

/// Whether versions are those of the documents that the editor has, as far as these files go.
fn is_current(versions: &Versions, files: &BTreeSet<PathBuf>, documents: &Documents) -> bool {
    let given = |file: &PathBuf| documents.get(file).filter(|document| is_given(file, document));
    let now = |file: &PathBuf| given(file).map(|document| document.version);
    files.iter().all(|file| now(file) == versions.get(file).copied())
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use lanescope_core::load::LoadOptions;
    use lanescope_core::options::Options;
    use lanescope_host::worker::Failure;
    use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};

    use super::*;
    use crate::position::Encoding;

    const FILE: &str = "/w/a.frag";

    fn open(documents: &mut Documents, path: &str) {
        let uri = Uri::from_str(&format!("file://{path}")).expect("a URI");
        documents.open(TextDocumentItem { uri, language_id: "glsl".to_owned(), version: 1, text: "x".to_owned() });
    }

    fn edit(documents: &mut Documents, path: &str, version: i32) {
        let change = TextDocumentContentChangeEvent { range: None, range_length: None, text: "y".to_owned() };
        let document = documents.get_mut(Path::new(path)).expect("is open");
        document.change(version, vec![change], Encoding::Utf8);
    }

    fn files(paths: &[&str]) -> BTreeSet<PathBuf> {
        paths.iter().map(PathBuf::from).collect()
    }

    fn pipeline() -> Pipeline {
        Pipeline {
            name: "a".to_owned(),
            files: vec![PathBuf::from(FILE)],
            wanted: LoadOptions::default(),
            options: Options::default(),
            manifest: None,
        }
    }

    /// The result of a job: a compiler's message about a file.
    fn failed(job: Job, message: &str) -> Analyzed {
        let failure = Failure { file: Some(FILE.to_owned()), ..Failure::from(message.to_owned()) };
        let Job { pipeline, versions, .. } = job;
        Analyzed { pipeline, versions, result: Err(Refusal::Failed(Box::new(failure))) }
    }

    /// An open document, and the job that it is due for.
    fn begun() -> (Pipelines, Documents, Job) {
        let (mut pipelines, mut documents) = (Pipelines::default(), Documents::default());
        open(&mut documents, FILE);
        pipelines.set(vec![pipeline()]);
        let job = pipelines.next(&documents).expect("is due");
        assert_eq!((job.versions.get(Path::new(FILE)), job.given.len()), (Some(&1), 1));
        assert!(pipelines.next(&documents).is_none(), "one at a time");
        (pipelines, documents, job)
    }

    #[test]
    fn a_result_about_earlier_text_is_dropped() {
        let (mut pipelines, mut documents, job) = begun();
        edit(&mut documents, FILE, 2);
        pipelines.changed(&files(&[FILE]), false);
        assert!(pipelines.take(failed(job, "ERROR: a.frag:1: old"), &documents).is_none());
        assert!(matches!(pipelines.about(Path::new(FILE), &documents), Answer::Coming));
        let (found, open) = pipelines.diagnostics(&documents);
        assert!(found.is_empty() && open == files(&[FILE]));
        // The newer text rests, and is analysed then.
        std::thread::sleep(pipelines.wake_at().expect("is due").saturating_duration_since(Instant::now()));
        let job = pipelines.next(&documents).expect("is due");
        assert!(pipelines.take(failed(job, "ERROR: a.frag:1: new"), &documents).is_some());
        assert!(matches!(pipelines.about(Path::new(FILE), &documents), Answer::Current(held) if held.len() == 1));
        let (found, open) = pipelines.diagnostics(&documents);
        assert_eq!((found[Path::new(FILE)][0].message.as_str(), open.len()), ("new", 0));
        // One that is edited and not yet noted as changed is not answered about either.
        edit(&mut documents, FILE, 3);
        assert!(matches!(pipelines.about(Path::new(FILE), &documents), Answer::Coming));
        assert_eq!(pipelines.diagnostics(&documents).0.len(), 0);
    }

    #[test]
    fn work_on_earlier_text_is_stopped_after_a_while() {
        let (mut pipelines, mut documents, job) = begun();
        assert!(!pipelines.is_to_stop() && pipelines.wake_at().is_none());
        edit(&mut documents, FILE, 2);
        pipelines.changed(&files(&[FILE]), false);
        let at = pipelines.wake_at().expect("is stale");
        std::thread::sleep(at.saturating_duration_since(Instant::now()));
        assert!(pipelines.is_to_stop() && !pipelines.is_to_stop(), "once");
        let Job { pipeline, versions, .. } = job;
        let stopped = Analyzed { pipeline, versions, result: Err(Refusal::Stopped) };
        assert!(pipelines.take(stopped, &documents).is_none());
        assert!(pipelines.next(&documents).is_some(), "the newer text follows");
    }

    #[test]
    fn what_a_message_names_is_waited_for_too() {
        let (mut pipelines, mut documents, job) = begun();
        open(&mut documents, "/w/inc.glsl");
        assert!(
            pipelines.take(failed(job, "ERROR: /w/inc.glsl:1: x"), &documents).is_none(),
            "it was opened since then"
        );
        let job = pipelines.next(&documents).expect("is due again");
        assert_eq!(job.given.len(), 2);
        assert!(pipelines.take(failed(job, "ERROR: /w/inc.glsl:1: x"), &documents).is_some());
        let of = |pipelines: &Pipelines, path: &str| {
            matches!(pipelines.about(Path::new(path), &Documents::default()), Answer::None)
        };
        assert!(!of(&pipelines, "/w/inc.glsl") && of(&pipelines, "/w/other.glsl"));
        pipelines.changed(&files(&["/w/other.glsl"]), true);
        assert!(pipelines.next(&documents).is_none());
        pipelines.changed(&files(&["/w/inc.glsl"]), true);
        assert!(pipelines.next(&documents).is_some());
        // A pipeline without open documents is dropped.
        pipelines.set(Vec::new());
        assert!(matches!(pipelines.about(Path::new(FILE), &documents), Answer::None));
    }
}
