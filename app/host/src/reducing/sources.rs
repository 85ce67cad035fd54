//! Reduction of source texts, where the compiler that reads them is what shows the condition.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lanescope_core::load::LoadOptions;
use lanescope_core::reduce::search::{Progress, reduce};
use lanescope_core::reduce::text::Sources;
use lanescope_core::run::Blob;

use super::compilers::ended;
use super::examiner::{Baseline, Definedness, Examiner, NotLoaded, Try};
use super::pool::{Accepts, Pool};
use super::{Given, ReduceError, askable, steady};
use crate::drivers::Stop;
use crate::files::text_at_most;
use crate::worker::{Failure, Loader, WorkerError};

/// The source texts that are reduced. The program of `given` is not used: each try is loaded.
pub struct GivenSources<'g> {
    /// The condition, and what is asked.
    pub given: &'g Given,
    /// The files.
    pub files: &'g [PathBuf],
    /// What is wanted of them.
    pub wanted: &'g LoadOptions,
}

/// What a reduction of sources leaves.
#[derive(Debug, Clone)]
pub struct SourcesOutcome {
    /// The texts, in the order of the files.
    pub sources: Sources,
    /// Bytes before, and after.
    pub bytes: [usize; 2],
    /// What the sources showed at first.
    pub before: Vec<String>,
    /// What the smallest ones show.
    pub after: Vec<String>,
    /// How the undefined behaviour of tries was looked for.
    pub definedness: Definedness,
    /// Undefined behaviour that the program showed already: codes of findings.
    pub known: BTreeSet<String>,
    /// How far it came.
    pub progress: Progress,
    /// Nothing smaller was found; else it was stopped.
    pub is_complete: bool,
}

/// The largest text that is reduced, in bytes.
const MAX_TEXT: u64 = 4 << 20;

/// Reduces source texts by lines, by what is in brackets, and by tokens. What they include is left as it is.
///
/// # Errors
/// A file that is no text; else as [`super::reduced`].
pub fn reduced_sources(
    of: &GivenSources<'_>,
    tell: &mut dyn FnMut(&Progress, &Sources),
) -> Result<SourcesOutcome, ReduceError> {
    askable(of.given)?;
    let names: BTreeSet<String> = of.files.iter().map(|file| name_of(file)).collect();
    if names.len() < of.files.len() {
        return Err(ReduceError::Program(
            "two of the files have one name, under which both would be written".to_owned(),
        ));
    }
    if of.files.iter().any(|file| file == Path::new("-")) {
        return Err(ReduceError::Program(
            "standard input cannot be reduced as text: it can be read only once".to_owned(),
        ));
    }
    let read = |file: &PathBuf| text_at_most(file, MAX_TEXT).map_err(|error| ReduceError::Program(error.to_string()));
    let sources = Sources(of.files.iter().map(read).collect::<Result<_, _>>()?);
    let bytes = |sources: &Sources| sources.0.iter().map(String::len).sum();
    let mut first = SourceExaminer::new(of, None);
    let (before, baseline) = steady(of.given, || {
        let tried = first.tried(&sources);
        first.examiner.first_of(tried)
    })?;
    let examiners = (0..of.given.jobs.max(1)).map(|_| SourceExaminer::new(of, Some(&baseline))).collect();
    let size = bytes(&sources);
    let found = reduce(sources, &mut Pool::new(&of.given.stop, examiners, tell));
    // What is left is looked at even if the search was stopped.
    let given = Given { stop: Stop::default(), ..of.given.clone() };
    let again = GivenSources { given: &given, ..*of };
    let mut last = SourceExaminer::new(&again, Some(&baseline));
    let mut tried = last.tried(&found.best);
    let after = last.examiner.seen_of(&mut tried).at_the_end();
    Ok(SourcesOutcome {
        bytes: [size, bytes(&found.best)],
        after,
        sources: found.best,
        before,
        definedness: baseline.definedness,
        known: baseline.undefined,
        progress: found.progress,
        is_complete: found.is_complete,
    })
}

/// Loads tries, and examines what they are.
struct SourceExaminer<'g> {
    of: &'g GivenSources<'g>,
    loader: Loader,
    examiner: Examiner<'g>,
}

impl<'g> SourceExaminer<'g> {
    fn new(of: &'g GivenSources<'g>, baseline: Option<&'g Baseline>) -> SourceExaminer<'g> {
        let examiner = Examiner::new(of.given);
        let mut examiner = match baseline {
            Some(baseline) => examiner.comparing(baseline),
            None => examiner,
        };
        examiner.reads_sources = true;
        SourceExaminer { of, loader: Loader::new(of.given.loader.clone()), examiner }
    }

    fn tried(&mut self, sources: &Sources) -> Try {
        let mut wanted = self.of.wanted.clone();
        let mut files = Vec::new();
        for (path, text) in self.of.files.iter().zip(&sources.0) {
            wanted.given.insert(path.clone(), Blob(text.clone().into_bytes()));
            files.push((name_of(path), text.clone().into_bytes()));
        }
        let loaded = self.loader.load(self.of.files, &wanted).map(|loaded| loaded.program);
        let loaded = loaded.map_err(|error| {
            let is_refused = |failure: &Failure| failure.invalid && !failure.unjudged;
            let is_invalid = matches!(&error.0, WorkerError::Failed(failure) if is_refused(failure));
            NotLoaded { ended: ended(&error.0), is_invalid }
        });
        Try::of_sources(loaded, (self.of.given.inputs.clone(), self.of.given.groups), files)
    }
}

impl Accepts<Sources> for SourceExaminer<'_> {
    fn accepts(&mut self, sources: &Sources) -> bool {
        let tried = self.tried(sources);
        self.examiner.accepts_try(tried)
    }
}

/// The name of a file, without its folder.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| "source".to_owned(), |name| name.to_string_lossy().into_owned())
}
