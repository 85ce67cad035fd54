//! Many pipelines: the figures by which one would decide whether compiling ahead is worth it.

use std::path::PathBuf;

use lanescope_core::driver::ahead::Ahead;
use lanescope_core::driver::pipelines;
use lanescope_core::load::{Corpus, Wanted};
use lanescope_core::options::Options;
use lanescope_core::partial::{Break, BreakKind, PartialStage};
use lanescope_core::program::{Program, StageKind};
use serde::Serialize;

use super::super::args::load_here;
use super::super::slots;
use crate::cli::CliError;
use crate::drivers::{AheadAsk, compile_ahead, partial};
use crate::worker::WorkerError;

/// One stage of one pipeline.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The pipeline's files.
    pub pipeline: String,
    /// The stage.
    pub stage: StageKind,
    /// Its entry point.
    pub entry: String,
    /// A layout was guessed.
    pub eligible: bool,
    /// What was compiled ahead serves the pipeline.
    pub hit: bool,
    /// What breaks it, the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<BreakKind>,
    /// The same with its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Nanoseconds that the application waits without compiling ahead.
    pub without: u64,
    /// The same with it.
    pub with: u64,
    /// Nanoseconds that the worker compiled.
    pub worker: u64,
    /// Nanoseconds to link it from libraries; none for compute, or where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<u64>,
    /// Bytes of code that a cache would hold, where the driver tells it; else what it gives of its own cache.
    pub bytes: u64,
}

/// A pipeline that is no part of the sums: what it needs is not there, or the compiler did not survive it.
#[derive(Debug, Clone, Serialize)]
pub struct LeftOut {
    /// The pipeline's files.
    pub pipeline: String,
    /// Why.
    pub why: String,
    /// The driver lacks something, rather than failed.
    pub lacking: bool,
}

/// Every pipeline that was looked at.
#[derive(Debug, Default)]
pub struct Rows {
    /// The stages of those that were compiled.
    pub rows: Vec<Row>,
    /// Those that were not.
    pub left_out: Vec<LeftOut>,
    /// How many files or entries could not be read; each was told on standard error.
    pub unreadable: usize,
    /// Pipelines without a stage that can be compiled ahead.
    pub without: usize,
}

/// All of them together.
#[derive(Debug, Clone, Serialize)]
pub struct Summary<'r> {
    /// Stages that could be compiled ahead.
    pub stages: usize,
    /// Those for which a layout was guessed.
    pub eligible: usize,
    /// Those whose pipeline was served.
    pub hits: usize,
    /// Compiles that served nothing.
    pub wasted: usize,
    /// Nanoseconds of those.
    pub wasted_ns: u64,
    /// Nanoseconds that applications wait without compiling ahead.
    pub without_ns: u64,
    /// The same with it.
    pub with_ns: u64,
    /// Bytes of the cache.
    pub bytes: u64,
    /// The rows.
    pub rows: &'r [Row],
    /// Pipelines that are not among them.
    pub left_out: &'r [LeftOut],
}

impl<'r> Summary<'r> {
    /// Sums rows up.
    pub fn of(all: &'r Rows) -> Summary<'r> {
        let rows = all.rows.as_slice();
        let wasted = || rows.iter().filter(|row| row.eligible && !row.hit);
        let sum = |value: fn(&Row) -> u64| rows.iter().map(value).fold(0, u64::saturating_add);
        Summary {
            stages: rows.len(),
            eligible: rows.iter().filter(|row| row.eligible).count(),
            hits: rows.iter().filter(|row| row.hit).count(),
            wasted: wasted().count(),
            wasted_ns: wasted().map(|row| row.worker).fold(0, u64::saturating_add),
            without_ns: sum(|row| row.without),
            with_ns: sum(|row| row.with),
            bytes: sum(|row| row.bytes),
            rows,
            left_out: &all.left_out,
        }
    }

    /// How often each kind of break came first, most often first.
    pub fn breaks(&self) -> Vec<(BreakKind, usize)> {
        let count = |kind: &BreakKind| (*kind, self.rows.iter().filter(|row| row.broken == Some(*kind)).count());
        let mut all: Vec<_> = BreakKind::ALL.iter().map(count).filter(|(_, count)| *count > 0).collect();
        all.sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), *kind));
        all
    }
}

/// The rows of every pipeline in these files and folders.
///
/// Shaders whose names go together are one pipeline, so is a description; a database has many.
pub fn rows(paths: &[PathBuf], options: impl Fn(&Program) -> Options, ask: &AheadAsk) -> Result<Rows, CliError> {
    let mut out = Rows::default();
    let mut take = |name: &str, program: Result<Program, String>| match program {
        Ok(program) => {
            let options = options(&program);
            for pipeline in pipelines(&program) {
                compiled(name, &pipeline, &options, ask, &mut out);
            }
        }
        Err(error) => {
            out.unreadable += 1;
            anstream::eprintln!("{error}");
        }
    };
    for files in slots::pipelines(paths)? {
        let name = slots::title(&files);
        if !matches!(files.as_slice(), [only] if slots::is_database(only)) {
            take(&name, load_here(&files, &Wanted::default()).map_err(|error| error.to_string()));
            continue;
        }
        let corpus = Corpus::open(&files).map_err(|error| CliError::Unusable(error.to_string()))?;
        for key in corpus.pipelines() {
            let name = format!("{name}@{key}");
            take(&name, corpus.program(key).map_err(|error| format!("{name}: {error}")));
        }
    }
    Ok(out)
}

/// Takes what came of one pipeline: its rows, or why there are none.
fn compiled(name: &str, program: &Program, options: &Options, ask: &AheadAsk, out: &mut Rows) {
    let mut stages = partial(program, options, &mut Vec::new());
    if stages.is_empty() {
        out.without += 1;
        return;
    }
    let done = compile_ahead(program, options, &mut stages, ask);
    out.rows.extend(stages.iter().filter_map(|stage| Some(row(name, stage, stage.ahead.as_deref()?))));
    if let Err(error) = done {
        let lacking = matches!(&error, WorkerError::Failed(_));
        out.left_out.push(LeftOut { pipeline: name.to_owned(), why: error.to_string(), lacking });
    }
}

fn row(name: &str, stage: &PartialStage, ahead: &Ahead) -> Row {
    let broken = stage.against.as_ref().and_then(|against| against.breaks.first());
    Row {
        pipeline: name.to_owned(),
        stage: stage.stage,
        entry: stage.entry.clone(),
        eligible: stage.ineligible.is_empty(),
        hit: ahead.hit,
        broken: broken.map(|broken| broken.kind),
        why: broken.map(Break::message),
        without: Ahead::median(&ahead.without),
        with: Ahead::median(&ahead.with),
        worker: Ahead::median(&ahead.worker),
        link: ahead.libraries.as_ref().map(|libraries| libraries.link),
        bytes: ahead.code.or(ahead.bytes).map_or(0, |bytes| bytes.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_summed_up() {
        let row = |hit, eligible, broken| Row {
            pipeline: "a".to_owned(),
            stage: StageKind::Fragment,
            entry: "main".to_owned(),
            eligible,
            hit,
            broken,
            why: None,
            without: 10,
            with: if hit { 2 } else { 11 },
            worker: if eligible { 8 } else { 0 },
            link: None,
            bytes: 100,
        };
        let rows = [
            row(true, true, None),
            row(false, true, Some(BreakKind::ExportFormat)),
            row(false, true, Some(BreakKind::ExportFormat)),
            row(false, false, Some(BreakKind::TooLarge)),
        ];
        let all = Rows { rows: rows.to_vec(), ..Rows::default() };
        let sum = Summary::of(&all);
        assert_eq!((sum.stages, sum.eligible, sum.hits, sum.wasted, sum.wasted_ns), (4, 3, 1, 2, 16));
        assert_eq!((sum.without_ns, sum.with_ns, sum.bytes), (40, 35, 400));
        assert_eq!(sum.breaks(), [(BreakKind::ExportFormat, 2), (BreakKind::TooLarge, 1)]);
    }
}
