//! Loading on job threads: programs, reports, saved runs, samples.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use lanescope_core::codeobject::{CodeObject, Content};
use lanescope_core::load::{LoadOptions, disassemble_object};
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_inspector::source::{Language, SourceText, TextRole};

use super::{Engine, analyse, analyse_fitting};
use crate::outcome::{LoadOutcome, OpenedRun, Outcome, Read, Refusal};
use crate::state::program::{Analysis, OpenObject};
use lanescope_host::code_objects::{self, only_object};
use lanescope_host::excerpt::excerpts;
use lanescope_host::jobs::Control;
use lanescope_host::reports;
use lanescope_host::samples::{self, Sample};
use lanescope_host::saved_runs::{self, only_run};
use lanescope_host::scripts;
use lanescope_host::session::Remembered;
use lanescope_host::worker::{Failure, Loaded};
use lanescope_host::workspace;

/// Columns that a line of metadata has, where it can be broken.
const METADATA_WIDTH: usize = 98;

/// Loads files, and analyses what they are.
pub fn loaded(
    engine: &Engine,
    mut request: Remembered,
    fresh: bool,
    since: SystemTime,
    job: &Control<Outcome>,
) -> Outcome {
    if let Some(path) = only_run(&request.paths) {
        let run = saved_runs::read(path).map_err(Failure::from);
        return Outcome::OpenedRun(Box::new(OpenedRun { request, since, run }));
    }
    if let Some(path) = reports::only_report(&request.paths) {
        let result = reports::read(path).map(of_report).map_err(|why| Refusal::Failed(why.into()));
        return Outcome::Loaded(Box::new(LoadOutcome { request, frozen: true, fresh: false, since, result }));
    }
    if let Some(path) = only_object(&request.paths) {
        job.progress("disassembling");
        let result = code_objects::read(path).and_then(|object| of_object(path, object));
        let result = result.map_err(|why| Refusal::Failed(why.into()));
        return Outcome::Loaded(Box::new(LoadOutcome { request, frozen: true, fresh: false, since, result }));
    }
    let is_named = request.options.pipeline.is_some();
    if !is_named
        && let [path] = request.paths.as_slice()
        && let Ok(Some(script)) = scripts::of_file(path)
    {
        // Of several pipelines the first one that runs is shown; the script runs whole.
        request.options.pipeline = scripts::shown_pipeline(&script);
    }
    // A pipeline that was chosen by name has its options: those of its own workspace file, wherever that is.
    if fresh && !is_named {
        match workspace::of_files(&request.paths, None) {
            Ok(Some(described)) => request.options = described.beneath(&request.options),
            Ok(None) => {}
            Err(why) => {
                let result = Err(Refusal::Failed(why.into()));
                return Outcome::Loaded(Box::new(LoadOutcome { request, frozen: false, fresh, since, result }));
            }
        }
    }
    let wanted = LoadOptions::of(&request.options);
    let loaded = engine.loader(job).load(&request.paths, &wanted).map_err(Refusal::from);
    let result = loaded.and_then(|loaded| {
        let program = Arc::new(loaded.program);
        if fresh {
            request.options = program.options(&request.options);
        }
        // Remembered options may not fit the file as it is now.
        let analysis = analyse_fitting(&program, &request.options, request.other.as_ref());
        let analysis = analysis.map_err(|message| Refusal::Failed(message.into()))?;
        let program = Arc::unwrap_or_clone(program);
        Ok(Read { loaded: Loaded { program, texts: loaded.texts }, analysis })
    });
    let result = result.map_err(|refusal| match refusal {
        Refusal::Failed(failure) => {
            let excerpts = excerpts(&request.paths, &failure.message);
            Refusal::Failed(Failure { excerpts, ..failure })
        }
        other => other,
    });
    Outcome::Loaded(Box::new(LoadOutcome { request, frozen: false, fresh, since, result }))
}

/// Reads these samples, by their places on the page, or all of them.
pub fn read_samples(engine: &Engine, mut some: Vec<(usize, Sample)>, job: &Control<Outcome>) {
    if some.is_empty() {
        let found = samples::folder()
            .map_err(|tried| {
                let tried: Vec<_> = tried.iter().map(|folder| folder.display().to_string()).collect();
                format!("No samples were found. Looked in: {}", tried.join(", "))
            })
            .and_then(|folder| samples::list(&folder).map_err(|error| format!("{}: {error}", folder.display())));
        some = found.iter().flatten().flat_map(|group| group.samples.clone()).enumerate().collect();
        job.part(Outcome::Samples(found));
    }
    let mut loader = engine.loader(job);
    for (done, (index, sample)) in some.iter().enumerate() {
        if job.is_cancelled() {
            break;
        }
        job.progress(format!("{} of {}", done + 1, some.len()));
        let usual = LoadOptions::of(&Options::default());
        let mut loaded = loader.load(&sample.paths, &usual).map_err(Refusal::from);
        if matches!(&loaded, Err(Refusal::Failed(failure)) if failure.pipelines) {
            // The first of several pipelines is drawn.
            let names = loader.list(&sample.paths).map(|list| list.names());
            let pipeline = names.ok().and_then(|names| names.into_iter().next());
            loaded = loader.load(&sample.paths, &LoadOptions { pipeline, ..usual }).map_err(Refusal::from);
        }
        let result = loaded
            .map_err(|refusal| match refusal {
                Refusal::Failed(failure) => failure.to_string(),
                Refusal::Cancelled => "cancelled".to_owned(),
            })
            .and_then(|loaded| analyse(&Arc::new(loaded.program), &Options::default(), None))
            .map(|analysis| Box::new(analysis.report));
        job.part(Outcome::Card(*index, result));
    }
}

/// The message for an internal error.
pub fn broke_down(panic: &str) -> String {
    format!("Internal error: {panic}")
}

/// An AMD code object: a report without stages, with the object's findings. Its texts are the metadata, and the code where
/// it can be disassembled.
fn of_object(path: &Path, object: CodeObject) -> Result<Read, String> {
    let analysis = analyse(&Arc::default(), &Options::default(), None)?;
    let mut texts: Vec<SourceText> = Vec::new();
    let mut add = |title: String, text: String| {
        texts.push(SourceText {
            title,
            language: Language::Isa,
            input: texts.len(),
            role: TextRole::Source,
            text,
            marks: Vec::new(),
            instructions: None,
        });
    };
    let mut no_listing = None;
    match disassemble_object(path, object.header.chip.as_deref()) {
        Ok((_, listing)) => add("Disassembly".to_owned(), listing),
        Err(why) => {
            add("Disassembly".to_owned(), format!("; no disassembly: {why}\n"));
            no_listing = Some(why.to_string());
        }
    }
    for note in &object.notes {
        if let Content::Metadata { tree } = &note.content {
            let lines = tree.lines(METADATA_WIDTH);
            let text = lines.into_iter().map(|(indent, line)| format!("{:indent$}{line}\n", "")).collect();
            add(format!("Metadata, note {}", note.index), text);
        }
    }
    let report = Report { findings: object.findings.clone(), ..analysis.report };
    let loaded = Loaded { program: Program::default(), texts };
    let object = Some(Arc::new(OpenObject { object, no_listing }));
    Ok(Read { loaded, analysis: Analysis { report, object, ..analysis } })
}

/// A report without a program.
fn of_report(report: Report) -> Read {
    let loaded = Loaded { program: Program::default(), texts: Vec::new() };
    let (fillable, samplers) = (Vec::new(), Vec::new());
    Read { loaded, analysis: Analysis { report, other: None, fillable, samplers, left_out: None, object: None } }
}
