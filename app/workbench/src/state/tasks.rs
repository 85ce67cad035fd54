//! Jobs that run, as data.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use lanescope_inspector::ProgramId;
use lanescope_inspector::tasks::Work;

use lanescope_host::jobs::Status;

/// Names a job: one of each tag runs at a time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// Loading one program.
    Load(ProgramId),
    /// Analyzing one program.
    Analyse(ProgramId),
    /// Reading the samples.
    Samples,
    /// A dialog of the system: one at a time.
    Dialog,
    /// Writing files that were requested: one job for each time, with its number.
    Export(u64),
    /// Writing a program as a script, which runs it.
    ExportScript,
    /// Writing another digest into containers.
    Sign,
    /// Making a program smaller.
    Reduce,
    /// Reading a file of records.
    Records,
    /// Work on request: of one program, or the list of devices.
    Task(Work, Option<ProgramId>),
    /// Listing the pipelines of these databases or folders.
    List(Vec<PathBuf>),
    /// Listing the names in a folder, to complete a path.
    Names,
    /// Reading a result over many pipelines.
    CorpusRead,
    /// Looking for rows of it.
    CorpusRows,
    /// Reading one of its rows again.
    CorpusRow,
    /// Comparing it with another one.
    CorpusCompare,
    /// Writing the session.
    Session,
}

/// Jobs that run.
#[derive(Debug, Default)]
pub struct Running(BTreeMap<Tag, Status>);

impl Running {
    /// Whether a job of this tag runs.
    pub fn is_busy(&self, tag: &Tag) -> bool {
        self.0.contains_key(tag)
    }

    /// Whether nothing runs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The jobs by tag.
    pub fn iter(&self) -> impl Iterator<Item = (&Tag, &Status)> {
        self.0.iter()
    }

    /// Takes the jobs as they are now.
    pub fn refresh<'t>(&mut self, now: impl Iterator<Item = (&'t Tag, Status)>) {
        self.0 = now.map(|(tag, status)| (tag.clone(), status)).collect();
    }

    /// Notes that a job begins, or waits for one of its tag.
    pub(crate) fn begin(&mut self, tag: Tag, name: &str) {
        self.0.entry(tag).or_insert_with(|| Status {
            name: name.to_owned(),
            progress: String::new(),
            since: Duration::ZERO,
        });
    }

    /// Notes that a job is cancelled.
    pub(crate) fn end(&mut self, tag: &Tag) {
        self.0.remove(tag);
    }
}
