//! What jobs do: loading in a child, analysis, compiling, running.

pub mod loading;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant, SystemTime};

use lanescope_core::AnalyseError;
use lanescope_core::chip::Chip;
use lanescope_core::driver::speculative::SpeculativeOptions;
use lanescope_core::driver::speculative::corpus::Rows;
use lanescope_core::driver::{self, CompileOptions, Installed};
use lanescope_core::gpu::{fillable, samplers};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::pipeline::foz::Listing;
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::run::graph::{GraphCommand, GraphPart, GraphRun, Growing};
use lanescope_core::target::Target;
use lanescope_inspector::settings::{CompileSettings, SpeculativeSettings};
use lanescope_inspector::tasks::{Compiled, CompiledCorpus, CorpusQuestion, SpeculativelyCompiled};

use crate::outcome::Refusal;
use crate::state::program::Analysis;
use lanescope_host::drivers::{
    self, Ask, Cache, Chosen, KeptChild, SpeculativeAnswer, SpeculativeRequest, Stop, folder_of_user, place,
    speculate_all,
};
use lanescope_host::jobs::Control;
use lanescope_host::worker::{
    Client, Launch, Limits, LoadRequest, Loaded, OTHER_ANSWER, Reply, Request, WorkerError, answer, run_graph,
};

/// How files become reports.
#[derive(Debug, Clone)]
pub struct Engine {
    /// How the child is started; absent where this very process does its work.
    launch: Option<Launch>,
    /// Runs drivers' compilers.
    compile: fn(&Program, &Options, &Ask) -> drivers::Answer,
    /// Compiles stages ahead.
    ahead: fn(&Program, &Options, &SpeculativeRequest) -> SpeculativeAnswer,
}

impl Engine {
    /// Foreign compilers run in a child process.
    pub fn isolated() -> Engine {
        Engine { launch: Some(Launch::default()), compile: drivers::compile, ahead: drivers::speculate }
    }

    /// Everything runs in this process, and these are the compilers.
    #[cfg(any(test, feature = "testing"))]
    pub fn in_process(
        compile: fn(&Program, &Options, &Ask) -> drivers::Answer,
        ahead: fn(&Program, &Options, &SpeculativeRequest) -> SpeculativeAnswer,
    ) -> Engine {
        Engine { launch: None, compile, ahead }
    }

    /// Foreign compilers run in a child that is started so, and these are the drivers' compilers.
    #[cfg(any(test, feature = "testing"))]
    pub fn in_child(
        launch: Launch,
        compile: fn(&Program, &Options, &Ask) -> drivers::Answer,
        ahead: fn(&Program, &Options, &SpeculativeRequest) -> SpeculativeAnswer,
    ) -> Engine {
        Engine { launch: Some(launch), compile, ahead }
    }

    /// Compiles a program with drivers' compilers, under the options of its report. Blocks: for job threads only.
    /// `also` is a chip beside those of the settings, `files` are the saved files that triggered the compile, if any.
    pub fn compile<T>(
        &self,
        program: &Program,
        report: &Report,
        (settings, also): (&CompileSettings, Option<Chip>),
        files: &[PathBuf],
        job: &Control<T>,
    ) -> Compiled {
        let begin = Instant::now();
        let options = &report.options;
        let apart = settings.link == driver::Link::Apart;
        let stop = Stop::default();
        let ask = Ask {
            drivers: asked(&settings.with_chip(also), options, apart),
            versions: settings.versions(),
            limits: limits(settings),
            cache: Cache::of_user(),
            save_repro: folder_of_user("repro"),
            command: drivers::this_command(),
            stop: stop.clone(),
        };
        job.on_cancel(move || stop.stop());
        let answer = (self.compile)(program, options, &ask);
        let kept = answer.compiled.iter().filter(|compiled| compiled.kept).count();
        Compiled {
            settings: settings.clone(),
            sections: answer.sections(program, report),
            pipelines: [answer.compiled.len(), kept],
            failures: answer.failures,
            milliseconds: milliseconds(begin.elapsed()),
            since_saved: files.iter().filter_map(|file| since_saved(file)).min(),
        }
    }

    /// Compiles the stages of a program ahead, with one driver after the other: the times are those of a compiler that
    /// has the machine for itself. Blocks: for job threads only.
    ///
    /// # Errors
    /// Why all drivers failed, as text.
    pub fn compile_speculatively<T>(
        &self,
        program: &Program,
        options: &Options,
        (settings, ahead): (&CompileSettings, &SpeculativeSettings),
        job: &Control<T>,
    ) -> Result<SpeculativelyCompiled, String> {
        let begin = Instant::now();
        let stop = Stop::default();
        let stopping = stop.clone();
        job.on_cancel(move || stopping.stop());
        let drivers = asked(settings, options, false);
        let (mut stages, mut failures) = (Vec::new(), Vec::new());
        for (index, with) in drivers.iter().enumerate() {
            if job.is_cancelled() {
                return Err("stopped".to_owned());
            }
            let place = place(with);
            job.progress(format!("{place}, {} of {}", index + 1, drivers.len()));
            let ask = speculative_request(with, settings, ahead, &stop);
            let answer = (self.ahead)(program, &of_chip(options, with), &ask);
            stages.extend(answer.stages.into_iter().filter(|stage| stage.ahead.is_some()));
            failures.extend(answer.failed.map(|error| format!("{place}: {error}")));
        }
        if stages.is_empty() {
            return Err(failures.join("; "));
        }
        let (compile, settings) = (settings.clone(), ahead.clone());
        Ok(SpeculativelyCompiled { compile, settings, stages, failures, milliseconds: milliseconds(begin.elapsed()) })
    }

    /// Compiles every pipeline of databases ahead, with one driver after the other. Blocks: for job threads only.
    ///
    /// # Errors
    /// The error in the files, as text.
    pub fn compile_corpus<T>(
        &self,
        paths: &[PathBuf],
        question: CorpusQuestion,
        job: &Control<T>,
    ) -> Result<CompiledCorpus, String> {
        let begin = Instant::now();
        let CorpusQuestion { guess, compile, ahead, .. } = &question;
        let mut loader = self.loader();
        let listing = loader.list(paths, job)?;
        let (all, damages) = (listing.names(), listing.findings.len());
        let drivers = asked(compile, guess, false);
        let mut places: Vec<(String, Rows)> =
            drivers.iter().map(|with| (place(with), Rows { damages, ..Rows::default() })).collect();
        let stop = Stop::default();
        for (index, (name, row)) in all.iter().zip(&listing.pipelines).enumerate() {
            if row.has_no_shader() {
                places.iter_mut().for_each(|(_, rows)| rows.without_stage += 1);
                continue;
            }
            job.progress(format!("{name}, {} of {}", index + 1, all.len()));
            let wanted = Options { pipeline: Some(name.clone()), ..guess.clone() };
            let loaded = loader.load(paths, &wanted, job);
            if job.is_cancelled() {
                return Err("stopped".to_owned());
            }
            let stopping = stop.clone();
            job.on_cancel(move || stopping.stop());
            for (with, (_, rows)) in drivers.iter().zip(&mut places) {
                match &loaded {
                    Ok(Loaded { program, .. }) => {
                        let options = of_chip(&program.options(guess), with);
                        let ask = speculative_request(with, compile, ahead, &stop);
                        speculate_all(name, program, &options, &ask, self.ahead, rows);
                    }
                    Err(_) => rows.unreadable += 1,
                }
            }
        }
        let milliseconds = milliseconds(begin.elapsed());
        Ok(CompiledCorpus { question, places, milliseconds })
    }

    /// Something that loads programs one after the other.
    pub fn loader(&self) -> Loader {
        Loader { launch: self.launch.clone(), client: None }
    }
}

impl Engine {
    /// The chips and drivers of this machine; nothing where foreign compilers run in this process, which an unknown
    /// chip would end. Blocks: for job threads only.
    pub fn installed(&self) -> Installed {
        let Some(base) = &self.launch else { return Installed::default() };
        Installed { chips: drivers::offered(None, base), manifests: driver::installed::manifests() }
    }
}

/// Receives a work graph's run while it grows, and decides how it continues when it is paused.
type Tell<'t> = dyn FnMut(GraphPart) -> Option<GraphCommand> + 't;

/// Loads programs one after the other in one child: compilers start only once. A child that dies is replaced.
#[derive(Debug)]
pub struct Loader {
    launch: Option<Launch>,
    client: Option<Client>,
}

impl Loader {
    /// Loads files as one program; the options say which entry points, and how DXIL is converted. Blocks: for job
    /// threads only.
    ///
    /// # Errors
    /// The error in the files, or the failure of the child.
    pub fn load<T>(&mut self, paths: &[PathBuf], options: &Options, job: &Control<T>) -> Result<Loaded, Refusal> {
        self.load_wanted(paths, &LoadOptions::of(options), job)
    }

    /// Loads what is wanted of files as one program. Blocks: for job threads only.
    ///
    /// # Errors
    /// As for [`Loader::load`].
    pub fn load_wanted<T>(
        &mut self,
        paths: &[PathBuf],
        wanted: &LoadOptions,
        job: &Control<T>,
    ) -> Result<Loaded, Refusal> {
        let request = LoadRequest::new(paths, wanted);
        let mut reply = self.ask(&Request::Load(request.clone()), None, job);
        if let Err(error) = &reply
            && let Some(request) = request.without_converter(error)
            && let Ok(loaded @ Reply::Loaded(_)) = self.ask(&Request::Load(request), None, job)
        {
            reply = Ok(loaded);
        }
        match reply {
            Ok(Reply::Loaded(loaded)) => Ok(*loaded),
            Ok(Reply::Failed(failure)) | Err(WorkerError::Failed(failure)) => Err(Refusal::Failed(failure)),
            Ok(_) => Err(Refusal::Failed(OTHER_ANSWER.to_owned().into())),
            Err(WorkerError::Cancelled { .. }) => Err(Refusal::Cancelled),
            Err(error) => Err(Refusal::Failed(error.to_string().into())),
        }
    }

    /// Lists the pipelines of databases. Blocks: for job threads only.
    ///
    /// # Errors
    /// The error in the files, as text.
    pub fn list<T>(&mut self, paths: &[PathBuf], job: &Control<T>) -> Result<Listing, String> {
        let paths = paths.iter().map(|path| OsString::from(path.as_path())).collect();
        match self.request(&Request::List(paths), None, job)? {
            Reply::Listed(listing) => Ok(*listing),
            _ => Err(OTHER_ANSWER.to_owned()),
        }
    }

    /// Sends any other request. Blocks: for job threads only. `limit` overrides the child's time limit.
    ///
    /// # Errors
    /// The failure, as text.
    pub fn request<T>(
        &mut self,
        request: &Request,
        limit: Option<Duration>,
        job: &Control<T>,
    ) -> Result<Reply, String> {
        match self.ask(request, limit, job) {
            Ok(Reply::Failed(failure)) => Err(failure.to_string()),
            reply => reply.map_err(|error| error.to_string()),
        }
    }

    /// Runs a work graph. Blocks: for job threads only. `limit` is for each piece of the device's work.
    ///
    /// # Errors
    /// Why it could not start, as text.
    pub fn run_graph<T>(&mut self, request: &Request, limit: Duration, job: &Control<T>) -> Result<GraphRun, String> {
        let ask =
            |request: &Request, limit: Duration, tell: &mut Tell<'_>| self.ask_telling(request, Some(limit), job, tell);
        let news = |growing: &Growing, _| {
            job.progress(growing.doing().unwrap_or_default());
            None
        };
        run_graph(Growing::default(), request, limit, ask, news).map_err(|error| error.to_string())
    }

    /// Runs a work graph that is stepped: forwards each piece of it, and waits for a command when it is paused. If no
    /// one can send one, the run ends there. Blocks: for job threads only. Returns the end of the run, without the
    /// forwarded pieces.
    ///
    /// # Errors
    /// Why it could not start or was interrupted, as text.
    pub fn step_graph<T>(
        &mut self,
        request: &Request,
        limit: Duration,
        job: &Control<T>,
        commands: &Receiver<GraphCommand>,
        piece: impl Fn(GraphPart) -> T,
    ) -> Result<GraphRun, String> {
        let reply = self.ask_telling(request, Some(limit), job, &mut |part| {
            let stands = match &part {
                GraphPart::Standing { number, .. } => {
                    job.progress(format!("paused before generation {number}"));
                    true
                }
                GraphPart::Running { number, .. } => {
                    job.progress(format!("generation {number}"));
                    false
                }
                _ => false,
            };
            job.part(piece(part));
            stands.then(|| commands.recv().ok()).flatten()
        });
        match reply {
            Ok(Reply::RanGraph(end)) => Ok(*end),
            Ok(Reply::Failed(failure)) => Err(failure.to_string()),
            Ok(_) => Err(OTHER_ANSWER.to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn ask<T>(&mut self, request: &Request, limit: Option<Duration>, job: &Control<T>) -> Result<Reply, WorkerError> {
        self.ask_telling(request, limit, job, &mut |_| None)
    }

    fn ask_telling<T>(
        &mut self,
        request: &Request,
        limit: Option<Duration>,
        job: &Control<T>,
        tell: &mut Tell<'_>,
    ) -> Result<Reply, WorkerError> {
        let Some(launch) = &self.launch else { return Ok(answer(request, tell)) };
        let mut client = match self.client.take() {
            Some(client) => client,
            None => {
                let client = Client::start(launch)?;
                let stopper = client.stopper();
                job.on_cancel(move || stopper.stop());
                client
            }
        };
        let reply = match limit {
            Some(limit) => client.ask_telling(request, limit, tell),
            None => client.ask(request),
        };
        if matches!(reply, Ok(_) | Err(WorkerError::Failed(_))) {
            self.client = Some(client);
        }
        reply
    }
}

/// The compilers to run: chips, then devices, each with every chosen driver.
fn asked(settings: &CompileSettings, options: &Options, apart: bool) -> Vec<CompileOptions> {
    let default = settings.places(options.target).first().copied();
    let CompileSettings { chips, devices, icds, .. } = settings;
    Chosen { chips, devices, icds, default }.compilers(&CompileOptions { apart, ..CompileOptions::default() })
}

/// The options as they are for a chip: it is what keys and export formats are made for.
fn of_chip(options: &Options, with: &CompileOptions) -> Options {
    let named = |chip: &Target| matches!(chip, Target::Named(_));
    let own = with.chip.and_then(Chip::target).filter(|chip| !named(chip));
    Options { target: own.unwrap_or(options.target), ..options.clone() }
}

/// The speculative compile of one driver.
fn speculative_request(
    with: &CompileOptions,
    compile: &CompileSettings,
    ahead: &SpeculativeSettings,
    stop: &Stop,
) -> SpeculativeRequest {
    SpeculativeRequest {
        with: SpeculativeOptions { with: with.clone(), repeats: ahead.repeats, gap: ahead.gap },
        limits: limits(compile),
        cache: SpeculativeRequest::folder_of_user().filter(|_| ahead.keep),
        stop: stop.clone(),
        child: KeptChild::default(),
    }
}

/// Resource limits of a child.
fn limits(settings: &CompileSettings) -> Limits {
    let time = Duration::from_secs(u64::from(settings.seconds.clamp(1, 86_400)));
    Limits { time, ..Limits::default() }
}

/// Milliseconds since a file was written, by the file system's clock.
fn since_saved(file: &Path) -> Option<u64> {
    let saved = std::fs::metadata(file).and_then(|about| about.modified()).ok()?;
    SystemTime::now().duration_since(saved).ok().map(milliseconds)
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Analyses a program under one or two settings. Pure Rust, but for large programs no work for the frame thread.
///
/// # Errors
/// The text of the option that does not fit the program.
pub fn analyse(program: &Arc<Program>, options: &Options, other: Option<&Options>) -> Result<Analysis, String> {
    let one = |options| lanescope_core::analyse(program, options).map_err(|error| error.to_string());
    let (report, other) = (one(options)?, other.map(one).transpose()?);
    Ok(Analysis { report, other, fillable: fillable(program), samplers: samplers(program), left_out: None })
}

/// Analyses a program under the settings that another state of its files had: what does not fit any more is left out of
/// the options of the reports, with a message. Not for the frame thread.
///
/// # Errors
/// What the files themselves say that does not fit.
pub fn analyse_fitting(program: &Arc<Program>, options: &Options, other: Option<&Options>) -> Result<Analysis, String> {
    let mut misfits: Vec<String> = Vec::new();
    let mut one = |options: &Options| {
        let mut options = options.clone();
        loop {
            match lanescope_core::analyse(program, &options) {
                Err(AnalyseError::Spec { path, error }) if options.spec.remove(&error.spec_id).is_some() => {
                    misfits.push(AnalyseError::Spec { path, error }.to_string());
                }
                result => return result.map_err(|error| error.to_string()),
            }
        }
    };
    let (report, other) = (one(options)?, other.map(one).transpose()?);
    // Both settings may say the same.
    misfits.dedup();
    let left_out = (!misfits.is_empty()).then(|| {
        format!(
            "Ignored because it no longer applies: {}",
            misfits.join(
                "; \
                                                          "
            )
        )
    });
    Ok(Analysis { report, other, fillable: fillable(program), samplers: samplers(program), left_out })
}
