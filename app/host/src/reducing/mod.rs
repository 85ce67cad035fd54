//! Reduction of a program while a condition holds: who judges the tries, and what is left in a folder.
//!
//! ```text
//! Given ──▶ start (what the program shows, three times) ──▶ search (core/reduce) ⇄ pool of examiners ──▶ Outcome
//! ```
//!
//! An examiner has children of its own: one that validates, one for each compiler, one for each device. A try that
//! takes a child along costs a new child, and nothing else.

pub(crate) mod compilers;
pub(crate) mod examiner;
mod pool;
pub(crate) mod results;
mod sources;
pub(crate) mod tests_of;

use std::collections::BTreeSet;
use std::time::Duration;

use lanescope_core::AnalyseError;
use lanescope_core::driver::{CompileOptions, Version};
use lanescope_core::gpu::{DeviceOptions, Inputs};
use lanescope_core::options::Options;
use lanescope_core::program::{LoadedModule, Program};
use lanescope_core::reduce::condition::{Condition, Test};
use lanescope_core::reduce::search::{Progress, reduce};
use lanescope_core::reduce::subject::{Size, Subject};
use lanescope_core::run::inputs::Given as GivenInput;
use lanescope_core::spirv::edit::ungrouped;

pub use examiner::{Baseline, Definedness};
pub use results::{README, Written, files, write, write_sources};
pub use sources::{GivenSources, SourcesOutcome, reduced_sources};

use crate::drivers::{Stop, place};
use crate::worker::{Limits, LoaderOptions};
use examiner::{Examiner, First};
use pool::Pool;

/// What is reduced, and under which condition.
#[derive(Clone)]
pub struct Given {
    /// The program.
    pub program: Program,
    /// All options.
    pub options: Options,
    /// What has to stay true.
    pub condition: Condition,
    /// The compilers.
    pub compilers: Vec<CompileOptions>,
    /// The versions of the program that they compile.
    pub versions: Vec<Version>,
    /// How children that validate and run are started.
    pub loader: LoaderOptions,
    /// What a compiler's child may use; the time is that of one pipeline.
    pub limits: Limits,
    /// The device of runs that name none.
    pub device: DeviceOptions,
    /// What runs are given.
    pub inputs: Inputs,
    /// The dispatch in workgroups, where it is given.
    pub groups: Option<[u32; 3]>,
    /// Tries that are judged at once.
    pub jobs: usize,
    /// Tries may show undefined behaviour that the program does not.
    pub allow_undefined: bool,
    /// Stops all of it; the best one so far counts.
    pub stop: Stop,
}

/// What a reduction leaves.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The smallest program.
    pub program: Program,
    /// Its parts.
    pub subject: Subject,
    /// What it runs with.
    pub inputs: Inputs,
    /// How large the program was, and is.
    pub size: [Size; 2],
    /// What the program showed at first.
    pub before: Vec<String>,
    /// What the smallest one shows.
    pub after: Vec<String>,
    /// How the undefined behaviour of tries was looked for.
    pub definedness: Definedness,
    /// Undefined behaviour, or what may come of it, that the program showed already: codes of findings.
    pub known: BTreeSet<String>,
    /// How far it came.
    pub progress: Progress,
    /// Nothing smaller was found; else it was stopped.
    pub is_complete: bool,
}

/// Why a program is not reduced.
#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    /// Nothing to change.
    #[error("{0}")]
    Program(String),
    /// A test of the condition cannot be asked.
    #[error("{0}")]
    Condition(String),
    /// The condition does not hold for the program as it is.
    #[error("the condition does not hold for the program itself ({condition}):\n  {}", .seen.join("\n  "))]
    DoesNotHold {
        /// The condition.
        condition: Condition,
        /// What was seen.
        seen: Vec<String>,
    },
    /// It holds now and then.
    #[error(
        "the condition holds {held} of {tried} times for the program itself ({condition}): what differs from try to try \
         cannot lead a reduction. Last seen:\n  {}", .seen.join("\n  ")
    )]
    NotSteady {
        /// The condition.
        condition: Condition,
        /// How often it held.
        held: u32,
        /// How often it was asked.
        tried: u32,
        /// What was seen last.
        seen: Vec<String>,
    },
    /// The report of the program.
    #[error("{0}")]
    Analyse(#[from] AnalyseError),
    /// It was stopped before anything was smaller.
    #[error("stopped before anything was tried")]
    Stopped,
}

/// How often the condition is asked at the start.
const STEADY: u32 = 3;

/// Reduces a program. `tell` is called now and then, with how far it is and how large the best program is.
///
/// # Errors
/// A program that has nothing to change, a condition that cannot be asked, does not hold, or not each time.
pub fn reduced(given: &Given, tell: &mut dyn FnMut(&Progress, Size)) -> Result<Outcome, ReduceError> {
    let given = &plain(given)?;
    askable(given)?;
    let subject = subject_of(given);
    let mut examiner = Examiner::new(given);
    let (seen, baseline) = steady(given, || examiner.first(&subject))?;
    let before = subject.size();
    let mut examiners = vec![examiner.comparing(&baseline)];
    examiners.resize_with(given.jobs.max(1), || Examiner::with(given, &baseline));
    let mut tell = |progress: &Progress, best: &Subject| tell(progress, best.size());
    let mut pool = Pool::new(&given.stop, examiners, &mut tell);
    let found = reduce(subject, &mut pool);
    let program = examiner::program_of(given, &found.best)
        .ok_or_else(|| ReduceError::Program("internal error: the reduced program has lost a stage".to_owned()))?;
    // What is left is looked at even if the search was stopped.
    let again = Given { stop: Stop::default(), ..given.clone() };
    let after = Examiner::with(&again, &baseline).seen(&found.best).at_the_end();
    Ok(Outcome {
        program,
        size: [before, found.best.size()],
        inputs: examiner::inputs_of(given, &found.best),
        subject: found.best,
        before: seen,
        after,
        definedness: baseline.definedness,
        known: baseline.undefined,
        progress: found.progress,
        is_complete: found.is_complete,
    })
}

/// What is seen at the start, where the condition holds each time.
fn steady(
    given: &Given,
    mut first: impl FnMut() -> Result<First, ReduceError>,
) -> Result<(Vec<String>, Baseline), ReduceError> {
    let (mut held, mut last) = (0, None);
    for _ in 0..STEADY {
        let First { seen, baseline } = first()?;
        held += u32::from(seen.holds == Some(true));
        last = Some((seen.lines, baseline));
        if held == 0 {
            break;
        }
    }
    if given.stop.is_stopped() {
        return Err(ReduceError::Stopped);
    }
    let condition = given.condition.clone();
    match last {
        Some(last) if held == STEADY => Ok(last),
        Some((seen, _)) if held > 0 => Err(ReduceError::NotSteady { condition, held, tried: STEADY, seen }),
        last => Err(ReduceError::DoesNotHold { condition, seen: last.unwrap_or_default().0 }),
    }
}

/// The program without what a module that changes cannot keep: sources, containers, groups of decorations.
fn plain(given: &Given) -> Result<Given, ReduceError> {
    let mut given = given.clone();
    if given.program.stages.is_empty() {
        return Err(ReduceError::Program("the program has no stage in SPIR-V, which is what is reduced".to_owned()));
    }
    for loaded in &mut given.program.modules {
        let module = ungrouped(&loaded.module).map_err(|why| ReduceError::Program(why.to_string()))?;
        let module = module.unwrap_or_else(|| loaded.module.clone());
        let (broken_rules, validator) = (loaded.broken_rules.clone(), loaded.validator.clone());
        *loaded = LoadedModule { broken_rules, validator, ..LoadedModule::new(loaded.input, module) };
    }
    given.program.dxil.clear();
    given.inputs.spare = true;
    Ok(given)
}

/// What becomes smaller of it.
fn subject_of(given: &Given) -> Subject {
    let modules = given.program.modules.iter().map(|loaded| loaded.module.clone()).collect();
    Subject::new(modules, given.groups, given.inputs.buffers.iter().map(named).collect())
}

/// The place of an input.
fn named(input: &GivenInput) -> String {
    let element = input.element.map(|element| format!("[{element}]")).unwrap_or_default();
    format!("{}:{}{element}", input.set, input.binding)
}

/// Whether each test has what it asks.
pub(crate) fn askable(given: &Given) -> Result<(), ReduceError> {
    let names: Vec<String> = given.compilers.iter().map(place).collect();
    for test in given.condition.tests() {
        if let Some(on) = test.on()
            && !given.compilers.iter().any(|with| compilers::is_named(with, on))
        {
            let known = names.join(", ");
            return Err(ReduceError::Condition(format!("`{test}`: no compiler is named `{on}`: there is {known}")));
        }
        if let Test::Time { than: lanescope_core::reduce::condition::Than::Times(_), .. } = test
            && given.compilers.len() * given.versions.len() < 2
        {
            return Err(ReduceError::Condition(format!(
                "`{test}`: a factor compares two compilations: name two compilers, or two variants"
            )));
        }
    }
    Ok(())
}

/// How long one run may take.
const RUN: Duration = Duration::from_secs(10);
