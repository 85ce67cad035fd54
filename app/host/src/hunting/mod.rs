//! A hunt: programs by number, asked of every compiler and device and of the interpreter; what differs is reduced and kept.
//!
//! ```text
//! number ──programs──▶ program ──ask──▶ Suspects ──(reduced)──▶ Finding, a folder of its own
//!                                          └ known already: counted
//! ```
//!
//! The same numbers give the same programs. How far the hunt came is in a file of its folder, from which it goes on.

mod ask;
mod found;
mod keep;
mod programs;
mod state;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lanescope_core::driver::{CompileOptions, Version};
use lanescope_core::hunt::generate::Kind;
use lanescope_core::load::LoadOptions;
use lanescope_core::program::Program;
use lanescope_core::reduce::condition::Condition;
use lanescope_core::run::inputs::Inputs;

pub use found::{Finding, Signature, What};
pub use state::{Counts, STATE, State, StateError};

use crate::drivers::{Stop, place};
use crate::folders::PipelineFiles;
use crate::reducing::{Given, Outcome};
use crate::worker::{Limits, LoaderOptions};

/// What a hunt is asked to do.
pub struct Hunt {
    /// The kinds of programs that are generated, in turn.
    pub kinds: Vec<Kind>,
    /// Programs that are altered in place of generated ones.
    pub corpus: Vec<PipelineFiles>,
    /// How the corpus is loaded.
    pub wanted: LoadOptions,
    /// The first number: programs `seed`, `seed + 1`, and so on.
    pub seed: u64,
    /// Most changes of a program that keep its meaning.
    pub changes: u32,
    /// The compilers.
    pub compilers: Vec<CompileOptions>,
    /// The versions of each program that they compile.
    pub versions: Vec<Version>,
    /// The devices that programs run on.
    pub devices: Vec<String>,
    /// How children that load, validate and run are started.
    pub loader: LoaderOptions,
    /// What a compiler's child may use.
    pub limits: Limits,
    /// Programs at once.
    pub jobs: usize,
    /// Programs after which it ends.
    pub programs: Option<u64>,
    /// Time after which it ends.
    pub budget: Option<Duration>,
    /// How long one reduction may take; `None` to reduce nothing.
    pub reduction: Option<Duration>,
    /// Where everything is written.
    pub folder: PathBuf,
    /// Stops all of it.
    pub stop: Stop,
}

/// A reduced program as an Amber script, or why there is none.
pub type ScriptOf<'s> = &'s (dyn Fn(&Given, &Outcome) -> Result<String, String> + Sync);

/// Why a hunt ended before it should.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// Its folder.
    #[error(transparent)]
    State(#[from] StateError),
    /// A compiler or a device is not here.
    #[error("{0}")]
    Missing(String),
}

impl Hunt {
    /// What makes a hunt the same one, as it is kept beside what it found.
    pub fn setup(&self) -> Vec<String> {
        let mut out = vec![format!("seed {}", self.seed), format!("changes {}", self.changes)];
        match self.corpus.as_slice() {
            [] => out.extend(self.kinds.iter().map(|kind| format!("kind {}", kind.name()))),
            corpus => out.push(format!("corpus of {}: {}", corpus.len(), corpus[0].name)),
        }
        out.extend(self.versions.iter().map(|version| format!("variant {version}")));
        out.extend((0..self.compilers.len()).map(|at| {
            let CompileOptions { icd, apart, validate, .. } = &self.compilers[at];
            let icd = icd.as_ref().map(|icd| format!(" of {}", icd.display())).unwrap_or_default();
            let apart = if *apart { ", stages apart" } else { "" };
            let validate = if *validate { ", under the validation layer" } else { "" };
            format!("compiler {}{icd}{apart}{validate}", place(&self.compilers[at]))
        }));
        out.extend(self.devices.iter().map(|device| format!("device {device}")));
        out
    }

    /// A compiler's name: its short one, with its driver's manifest where another one has that name.
    fn name_of(&self, compiler: usize) -> String {
        let Some(with) = self.compilers.get(compiler) else { return String::new() };
        let name = place(with);
        let is_alone = self.compilers.iter().filter(|other| place(other) == name).count() < 2;
        match with.icd.as_ref().filter(|_| !is_alone) {
            Some(icd) => format!("{name} of {}", icd.display()),
            None => name,
        }
    }
}

/// Hunts until the programs, the time or the patience are at an end. `tell` is called after each program.
///
/// # Errors
/// A compiler or a device that is not here; a folder that cannot be written.
pub fn hunt(
    of: &Hunt,
    mut state: State,
    script_of: ScriptOf<'_>,
    tell: &(dyn Fn(&State) + Sync),
) -> Result<State, HuntError> {
    let begun = Instant::now();
    let last = of.programs.map(|programs| of.seed.saturating_add(programs));
    let next = AtomicU64::new(state.next);
    let given = ask::given(of, Program::default(), Inputs::default(), Condition::All(Vec::new()));
    state.drivers.extend(ask::Asker::new(of, &given).check().map_err(HuntError::Missing)?);
    let shared = Shared { of, script_of, state: Mutex::new(state), failed: Mutex::new(None), saved: Mutex::new(None) };
    let is_over = || {
        let time = of.budget.is_some_and(|budget| begun.elapsed() >= budget);
        time || of.stop.is_stopped() || shared.has_failed()
    };
    std::thread::scope(|scope| {
        for _ in 0..of.jobs.max(1) {
            scope.spawn(|| {
                let mut asker = ask::Asker::new(of, &given);
                while !is_over() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if last.is_some_and(|last| number >= last) {
                        break;
                    }
                    if !shared.locked().has_done(number) {
                        shared.one(&mut asker, number);
                        tell(&shared.locked());
                    }
                }
            });
        }
    });
    let state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.save(&of.folder)?;
    match shared.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error.into()),
        None => Ok(state),
    }
}

/// What the threads of a hunt share.
struct Shared<'h> {
    of: &'h Hunt,
    script_of: ScriptOf<'h>,
    state: Mutex<State>,
    failed: Mutex<Option<StateError>>,
    saved: Mutex<Option<Instant>>,
}

/// How often the state is written.
const OFTEN: Duration = Duration::from_secs(5);

impl Shared<'_> {
    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_failed(&self) -> bool {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Asks one program, and keeps what it shows.
    fn one(&self, asker: &mut ask::Asker<'_>, number: u64) {
        let answer = asker.ask(number);
        // Stopped in its middle, it is not done.
        if self.of.stop.is_stopped() {
            return;
        }
        let mut known = BTreeSet::new();
        for suspect in &answer.suspects {
            let first = suspect.signature();
            // One program may show the same thing twice.
            if !known.insert(first.clone()) || self.locked().count_again(&first) {
                continue;
            }
            let is_enough = self.locked().is_enough(&first);
            let kept = keep::keep(self.of, number, &answer, suspect, (self.script_of, !is_enough));
            let kept = kept.and_then(|finding| match self.locked().add(finding) {
                // Another program showed the same while this one was reduced, or what is left is the same.
                Some(extra) => keep::remove(self.of, &extra),
                None => Ok(()),
            });
            if let Err(error) = kept {
                *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        }
        let mut state = self.locked();
        state.done(number, &answer.counts);
        let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        if !answer.suspects.is_empty() || saved.is_none_or(|saved| saved.elapsed() >= OFTEN) {
            *saved = Some(Instant::now());
            if let Err(error) = state.save(&self.of.folder) {
                *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        }
    }
}
