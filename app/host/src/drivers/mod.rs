//! Drivers' compilers, run in parallel: one child process per driver, with a disk cache of results.
//!
//! A child that dies, hangs or takes too much memory is a [`Failure`]; a new child does the remaining work.

mod asked;
mod cache;
mod internal_pipelines;
mod known_device;
mod offered;
mod repro;
mod speculative;
mod start;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lanescope_core::chip::Vendor;
use lanescope_core::driver::origin;
use lanescope_core::driver::verified::MesaVersion;
use lanescope_core::driver::{
    self, Compilation, Compilations, CompileOptions, DriverSections, Failure, Outcome, Version, Versioned, only,
    pipelines,
};
use lanescope_core::gpu::DeviceInfo;
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::report::Report;

pub use asked::{Chosen, place};
pub use cache::{Cache, folder_of_user};
pub use offered::{chips_of_any, offered};
pub use repro::this_command;
#[cfg(any(test, feature = "testing"))]
pub use speculative::compile_speculatively_with;
pub use speculative::{
    KeptChild, SpeculativeAnswer, SpeculativeRequest, compile_speculatively, partial, speculate, speculate_all,
};
pub use start::start;
use start::start_linking;

use crate::jobs::caught;
use crate::worker::{Client, CompileRequest, Launch, Limits, Reply, Request, Stopper, WorkerError};

/// How long a compiler may take for one pipeline, where nothing else is said.
pub const TIME: Duration = Duration::from_secs(30);

/// The compilers to run, and their settings.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Chips and devices, in the order of the answer.
    pub drivers: Vec<CompileOptions>,
    /// The versions of the program.
    pub versions: Vec<Version>,
    /// What a child may use; the time is that of one pipeline.
    pub limits: Limits,
    /// The cache of compilations; `None` to compile each time.
    pub cache: Option<Cache>,
    /// A folder for what a report of a compiler's bug needs.
    pub save_repro: Option<PathBuf>,
    /// The command that a repro names.
    pub command: Vec<String>,
    /// Stops all of it.
    pub stop: Stop,
}

/// Stops compilers from another thread: those that run, and those that would be started.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    shared: Arc<Mutex<Children>>,
}

#[derive(Debug, Default)]
struct Children {
    all: Vec<Stopper>,
    stopped: bool,
}

impl Stop {
    /// Ends every child; what is compiled then fails.
    pub fn stop(&self) {
        let mut children = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        children.stopped = true;
        children.all.drain(..).for_each(|child| child.stop());
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).stopped
    }

    pub(crate) fn add(&self, child: Stopper) {
        let mut children = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if children.stopped {
            child.stop();
        } else {
            children.all.push(child);
        }
    }
}

/// What came back, in the order of the drivers, then of the versions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// What was compiled, a pipeline each.
    pub compiled: Vec<Compiled>,
    /// The same pipelines compiled the other way, together or apart: what the layouts are read from too.
    pub beside: Vec<Compiled>,
    /// The loaded program's pipelines compiled with the driver's debug information, for the origins of instructions.
    pub traced: Vec<Compiled>,
    /// What was not.
    pub failures: Vec<Failure>,
}

/// One compilation.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// Result of the driver's compiler.
    pub compilation: Compilation,
    /// It was kept from an earlier time.
    pub kept: bool,
}

impl Answer {
    /// The driver sections of the program's report.
    pub fn sections(&self, program: &Program, report: &Report) -> DriverSections {
        fn all(compiled: &[Compiled]) -> Vec<&Compilation> {
            compiled.iter().map(|compiled| &compiled.compilation).collect()
        }
        let from = Compilations {
            compiled: self.compiled.iter().map(|compiled| (&compiled.compilation, compiled.kept)).collect(),
            beside: all(&self.beside),
            traced: all(&self.traced),
            failures: self.failures.iter().collect(),
        };
        DriverSections::of(program, report, &from)
    }
}

/// Asks every driver for every pipeline of every version. Blocks until all have answered, or have been given up.
pub fn compile(program: &Program, options: &Options, ask: &Ask) -> Answer {
    let versions = driver::versions(program, options, &ask.versions);
    // A driver's compiler keeps one processor busy: more children than processors only wait for each other.
    let at_once = std::thread::available_parallelism().map_or(2, usize::from).max(2);
    let mut answer = Answer::default();
    for some in ask.drivers.chunks(at_once) {
        let parts = std::thread::scope(|scope| {
            let versions = &versions;
            let one = |with| {
                let ask_it = move || one_driver(program, options, versions, with, ask);
                scope.spawn(move || whole(program, options, with, ask, ask_it))
            };
            let threads: Vec<_> = some.iter().map(one).collect();
            // What breaks down in one of them is caught there.
            threads.into_iter().filter_map(|thread| thread.join().ok()).collect::<Vec<_>>()
        });
        for part in parts {
            answer.compiled.extend(part.compiled);
            answer.beside.extend(part.beside);
            answer.traced.extend(part.traced);
            answer.failures.extend(part.failures);
        }
    }
    answer
}

/// Results of one driver. An internal error is a failure for each version.
fn whole(
    program: &Program,
    options: &Options,
    with: &CompileOptions,
    ask: &Ask,
    ask_it: impl FnOnce() -> Answer,
) -> Answer {
    caught(ask_it).unwrap_or_else(|panic| {
        let driver = Driver::new(with, ask, options);
        let stages: Vec<_> = program.stages.iter().map(|stage| stage.stage).collect();
        let fate = Outcome::Refused(format!("internal error: {panic}"));
        let failure = |of: &Version| driver.failure(*of, stages.clone(), fate.clone(), false);
        Answer { failures: ask.versions.iter().map(failure).collect(), ..Answer::default() }
    })
}

/// Whether a program has graphics stages before the rasterizer, and after it.
fn sides(program: &Program) -> [bool; 2] {
    let graphics = || program.stages.iter().map(|stage| stage.stage).filter(|stage| stage.is_graphics());
    [graphics().any(|stage| stage != StageKind::Fragment), graphics().any(|stage| stage == StageKind::Fragment)]
}

/// One driver, with the children that host it.
struct Driver<'a> {
    with: CompileOptions,
    ask: &'a Ask,
    options: &'a Options,
    /// One without and one with pipeline libraries.
    children: [Option<Client>; 2],
    /// What the device says of itself; none before it was asked, or where it cannot say.
    device: Option<DeviceInfo>,
}

fn one_driver(
    program: &Program,
    options: &Options,
    versions: &[Versioned],
    with: &CompileOptions,
    ask: &Ask,
) -> Answer {
    let mut driver = Driver::new(with, ask, options);
    let mut other = Driver::new(&CompileOptions { apart: !with.apart, ..with.clone() }, ask, options);
    let mut answer = Answer::default();
    for version in versions {
        let made = match &version.program {
            Ok(made) => made,
            Err(why) => {
                let stages = program.stages.iter().map(|stage| stage.stage).collect();
                answer.failures.push(driver.failure(version.of, stages, Outcome::Refused(why.clone()), false));
                continue;
            }
        };
        for pipeline in pipelines(made) {
            let (compiled, beside) = driver.both(&mut other, &pipeline, version.of);
            match compiled {
                Ok(mut compiled) => {
                    compiled.compilation.notes.extend(version.note.iter().cloned());
                    match driver.traced(&pipeline, &compiled.compilation) {
                        Some(Ok(traced)) => answer.traced.push(traced),
                        Some(Err(failure)) => compiled.compilation.notes.push(format!(
                            "without debug information, fewer instructions are traced to SPIR-V: {}",
                            failure.finding().message
                        )),
                        None => {}
                    }
                    answer.compiled.push(compiled);
                    match beside {
                        Some(Ok(compiled)) => answer.beside.push(compiled),
                        Some(Err(failure)) => answer.failures.push(*failure),
                        None => {}
                    }
                }
                Err(failure) => answer.failures.push(*failure),
            }
        }
    }
    answer
}

impl Drop for Driver<'_> {
    /// Closes the device whose driver writes its internal pipelines then; nothing is lost but time if it cannot.
    fn drop(&mut self) {
        if let Some(child) = &mut self.children[0]
            && internal_pipelines::folder(&self.with).is_some()
        {
            let _ = child.ask(&Request::CloseDevice);
        }
    }
}

/// What came of one pipeline.
type Made = Result<Compiled, Box<Failure>>;

impl<'a> Driver<'a> {
    fn new(with: &CompileOptions, ask: &'a Ask, options: &'a Options) -> Driver<'a> {
        Driver { with: with.clone(), ask, options, children: [None, None], device: None }
    }

    /// Compiles a pipeline, and the same one the other way where that passes varyings: together where it is apart. `other`
    /// does that, at the same time where it needs another child anyway.
    fn both(&mut self, other: &mut Driver<'_>, program: &Program, of: Version) -> (Made, Option<Made>) {
        let is_wanted =
            |compiled: &Made| compiled.as_ref().is_ok_and(|compiled| compiled.compilation.passes_varyings());
        // The device that cannot do it refuses.
        let if_possible = |compiled: Made| match compiled {
            Err(failure) if matches!(failure.fate, Outcome::Refused(_)) => None,
            other => Some(other),
        };
        let is_linked = sides(program) == [true, true] && !self.with.bare && !self.with.statistics_only;
        if is_linked && self.libraries(program) != other.libraries(program) {
            let (compiled, beside) = std::thread::scope(|scope| {
                let beside = scope.spawn(|| other.pipeline(program, of));
                let compiled = self.pipeline(program, of);
                (compiled, beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            });
            let is_wanted = is_wanted(&compiled);
            return (compiled, Some(beside).filter(|_| is_wanted).and_then(if_possible));
        }
        let compiled = self.pipeline(program, of);
        let beside = is_wanted(&compiled).then(|| {
            // The same child compiles both ways.
            std::mem::swap(&mut self.children, &mut other.children);
            other.device.clone_from(&self.device);
            let beside = other.pipeline(program, of);
            std::mem::swap(&mut self.children, &mut other.children);
            beside
        });
        (compiled, beside.and_then(if_possible))
    }

    /// Whether the child that compiles a program makes pipeline libraries: of an AMD GPU that is not installed only where
    /// they are used, as making them costs more than the compilation.
    fn libraries(&self, program: &Program) -> bool {
        let is_offline = self.with.chip.is_some_and(|chip| chip.vendor() == Vendor::Amd);
        !is_offline || self.with.apart || matches!(sides(program), [true, false] | [false, true])
    }

    /// The same pipeline with the driver's debug information; `None` if the driver writes none that leads to SPIR-V,
    /// and for a module that is not as it was loaded: offsets into it mean nothing to the reader.
    fn traced(&self, program: &Program, of: &Compilation) -> Option<Result<Compiled, Box<Failure>>> {
        let version = MesaVersion::of(&of.driver).filter(|_| of.driver.starts_with("radv"))?;
        let as_loaded = of.of == Version::Original && self.options.spec.is_empty();
        if version.major < origin::debug_info::FIRST_MAJOR || !as_loaded {
            return None;
        }
        let with = CompileOptions { debug_information: true, ..self.with.clone() };
        Some(Driver::new(&with, self.ask, self.options).pipeline(program, of.of))
    }

    /// Compiles one pipeline, or takes what is kept of it.
    fn pipeline(&mut self, program: &Program, of: Version) -> Result<Compiled, Box<Failure>> {
        let key = match &self.ask.cache {
            Some(_) => self.key(program, of)?,
            None => None,
        };
        if let Some((cache, key)) = self.ask.cache.as_ref().zip(key.as_deref())
            && let Some(compilation) = cache.load(key)
        {
            return Ok(Compiled { compilation, kept: true });
        }
        match self.request(program, of) {
            Ok(compilation) => {
                if let Some((cache, key)) = self.ask.cache.as_ref().zip(key.as_deref()) {
                    cache.store(key, &compilation);
                }
                Ok(Compiled { compilation, kept: false })
            }
            Err(error) => Err(Box::new(self.given_up(program, of, error))),
        }
    }

    /// The cache key of the compilation; `None` if the device does not say what it is.
    fn key(&mut self, program: &Program, of: Version) -> Result<Option<String>, Box<Failure>> {
        if self.device.is_none() {
            self.device = known_device::load(&self.with);
        }
        if self.device.is_none()
            && let Err(error) = self.child(self.libraries(program))
        {
            let stages = program.stages.iter().map(|stage| stage.stage).collect();
            let (fate, missing) = self.end(&error);
            return Err(Box::new(self.failure(of, stages, fate, missing)));
        }
        let key = |device| driver::fingerprint(program, of, self.options, &self.with, device);
        Ok(self.device.as_ref().map(key))
    }

    fn request(&mut self, program: &Program, of: Version) -> Result<Compilation, WorkerError> {
        let libraries = self.libraries(program);
        // The child does nothing else: its device serves all that it compiles.
        let with = CompileOptions { keep_device: true, ..self.with.clone() };
        let (program, options) = (program.clone(), self.options.clone());
        let request = Request::Compile(Box::new(CompileRequest { program, of, options, with }));
        match self.ask(&request, libraries)? {
            Reply::Compiled(compilation) => Ok(*compilation),
            _ => Err(WorkerError::Protocol { doing: request.doing(), what: "unexpected reply".to_owned() }),
        }
    }

    /// The child that hosts the driver, with pipeline libraries or without; one that is gone is replaced.
    fn child(&mut self, libraries: bool) -> Result<&mut Client, WorkerError> {
        match &mut self.children[usize::from(libraries)] {
            Some(child) => Ok(child),
            none => {
                let base = Launch { limits: self.ask.limits, ..Launch::default() };
                let on_start = |child: &Client| self.ask.stop.add(child.stopper());
                let started = start_linking(&self.with, libraries, &base, &on_start)?;
                if let Some(device) = &started.device {
                    known_device::keep(&self.with, device);
                }
                self.device = started.device.or(self.device.take());
                Ok(none.insert(started.client))
            }
        }
    }

    /// Asks the child.
    fn ask(&mut self, request: &Request, libraries: bool) -> Result<Reply, WorkerError> {
        let reply = self.child(libraries)?.ask(request);
        if !matches!(reply, Ok(_) | Err(WorkerError::Failed(_))) {
            self.children[usize::from(libraries)] = None;
        }
        reply
    }

    /// A pipeline that was not compiled: which stage the compiler cannot take, and what is kept of it.
    fn given_up(&mut self, program: &Program, of: Version, error: WorkerError) -> Failure {
        let stages: Vec<_> = program.stages.iter().map(|stage| stage.stage).collect();
        let (fate, missing) = self.end(&error);
        if matches!(fate, Outcome::Refused(_)) {
            return self.failure(of, stages, fate, missing);
        }
        let stages = self.culprit(program, of).unwrap_or(stages);
        let mut failure = self.failure(of, stages, fate, missing);
        if let Some(folder) = &self.ask.save_repro {
            let repro = repro::Repro {
                program,
                options: self.options,
                of,
                failure: &failure,
                with: &self.with,
                limits: self.ask.limits,
                command: &self.ask.command,
            };
            let text = repro::in_child(Launch::default(), |child| self.ask.stop.add(child.stopper()));
            match repro::save(folder, &repro, text) {
                Ok(folder) => failure.repro = Some(folder.display().to_string()),
                Err(why) => failure.repro = Some(format!("(not cached: {why})")),
            }
        }
        failure
    }

    /// The compiler's failure, or why it could not start.
    fn end(&self, error: &WorkerError) -> (Outcome, bool) {
        let (fate, missing) = self.fate(error);
        if matches!(fate, Outcome::Refused(_) | Outcome::Died(_) | Outcome::Ended(_)) && self.is_starved() {
            let why = format!("it cannot start with {} MiB of memory", self.ask.limits.memory >> 20);
            return (Outcome::Refused(why), false);
        }
        (fate, missing)
    }

    /// Whether the driver starts within the usual memory only. What it says itself where it cannot start is anything.
    fn is_starved(&self) -> bool {
        let starts = |limits| {
            let base = Launch { limits, ..Launch::default() };
            start(&self.with, &base, &|_| {}).is_ok_and(|started| started.device.is_some())
        };
        let (own, usual) = (self.ask.limits, Limits::default());
        own.memory < usual.memory && !starts(own) && starts(Limits { memory: usual.memory, ..own })
    }

    /// The side of the rasteriser that the compiler cannot take alone; `None` if it takes each of them.
    fn culprit(&mut self, program: &Program, of: Version) -> Option<Vec<StageKind>> {
        let (after, before): (Vec<_>, Vec<_>) =
            program.stages.iter().map(|stage| stage.stage).partition(|stage| *stage == StageKind::Fragment);
        if after.is_empty() || before.is_empty() {
            return None;
        }
        let dies = |side: &Vec<StageKind>| {
            let program = only(program, |stage| side.contains(&stage.stage));
            let mut alone = Driver::new(&self.with, self.ask, self.options);
            let error = alone.request(&program, of).err()?;
            (!matches!(alone.fate(&error).0, Outcome::Refused(_))).then(|| side.clone())
        };
        [before, after].iter().find_map(dies)
    }

    fn fate(&self, error: &WorkerError) -> (Outcome, bool) {
        match error {
            WorkerError::TimedOut { limit, .. } => {
                (Outcome::Hung(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)), false)
            }
            WorkerError::Crashed { how, out_of_memory: true, .. } => {
                (Outcome::OutOfMemory(self.ask.limits.memory >> 20, how.clone()), false)
            }
            WorkerError::Crashed { how, by_itself, .. } => {
                // Not every driver says that a small limit was in its way.
                let memory = Some(self.ask.limits.memory).filter(|memory| *memory < Limits::default().memory);
                let limit = memory.map(|memory| format!(", with a memory limit of {} MiB", memory >> 20));
                let how = format!("{how}{}", limit.unwrap_or_default());
                (if *by_itself { Outcome::Ended(how) } else { Outcome::Died(how) }, false)
            }
            WorkerError::Failed(failure) => (Outcome::Refused(failure.to_string()), failure.missing),
            other => (Outcome::Refused(other.to_string()), false),
        }
    }

    fn failure(&self, of: Version, stages: Vec<StageKind>, fate: Outcome, missing: bool) -> Failure {
        let version = self.device.as_ref().map(|device| format!(" ({})", device.driver)).unwrap_or_default();
        let compiler = match (self.with.chip, &self.with.device, &self.with.icd) {
            (Some(chip), ..) => format!("{} for {chip}", chip.driver()),
            (None, Some(device), _) => format!("the compiler of `{device}`"),
            (None, None, Some(icd)) => format!("the compiler of the first device of {}", icd.display()),
            (None, None, None) => "the compiler of the first device".to_owned(),
        };
        let place = place(&self.with);
        let icd = self.with.icd.clone();
        Failure { compiler: format!("{compiler}{version}"), of, stages, fate, place, icd, missing, repro: None }
    }
}

#[cfg(test)]
mod tests {
    use lanescope_core::program::Stage;
    use lanescope_core::target::Target;

    use super::*;

    fn ask() -> Ask {
        Ask {
            drivers: Vec::new(),
            versions: vec![Version::Original, Version::Packed],
            limits: Limits::default(),
            cache: None,
            save_repro: None,
            command: Vec::new(),
            stop: Stop::default(),
        }
    }

    #[test]
    fn only_what_is_compiled_apart_has_pipeline_libraries() {
        let stage = |stage| Stage { stage, entry: "main".to_owned(), module: 0, entry_index: 0 };
        let program = |stages: &[StageKind]| Program {
            stages: stages.iter().map(|kind| stage(*kind)).collect(),
            ..Program::default()
        };
        let has = |chip: &str, apart, stages: &[StageKind]| {
            let with = CompileOptions { chip: chip.parse().ok(), apart, ..CompileOptions::default() };
            Driver::new(&with, &ask(), &Options::default()).libraries(&program(stages))
        };
        let pair = [StageKind::Vertex, StageKind::Fragment];
        assert!(!has("gfx1030", false, &pair) && has("gfx1030", true, &pair));
        assert!(!has("gfx1030", false, &[StageKind::Compute]));
        // One side alone is compiled as a library.
        assert!(has("gfx1030", false, &pair[..1]) && has("gfx1030", false, &pair[1..]));
        // Other drivers do not need to be told, and compile both ways in one child.
        assert!(has("dg2", false, &pair) && has("", false, &pair));
    }

    #[test]
    fn reports_a_failure_of_one_driver() {
        let ask = ask();
        let with = CompileOptions { chip: Some(Target::Gfx1100.into()), ..CompileOptions::default() };
        let answer = whole(&Program::default(), &Options::default(), &with, &ask, || panic!("row 3 of {}", 2));
        let messages: Vec<_> = answer.failures.iter().map(|failure| failure.finding().message).collect();
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(
            messages.iter().all(|text| text.contains("gfx1100") && text.contains("internal error: row 3 of 2")),
            "{messages:?}"
        );
    }
}
