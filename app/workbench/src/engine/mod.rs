//! What jobs do: loading in a child, analysis, compiling, running.

pub mod graph_run;
pub mod loading;
mod survey;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use lanescope_core::AnalyseError;
use lanescope_core::chip::Chip;
use lanescope_core::driver::speculative::SpeculativeOptions;
use lanescope_core::driver::speculative::corpus::Rows;
use lanescope_core::driver::{self, CompileOptions, Installed};
use lanescope_core::gpu::{fillable, samplers};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::target::Target;
use lanescope_inspector::settings::{CompileSettings, SpeculativeSettings};
use lanescope_inspector::tasks::{Compiled, CompiledCorpus, CorpusQuestion, SpeculativelyCompiled};

use crate::state::program::Analysis;
use lanescope_host::drivers::{
    self, Ask, Cache, Chosen, KeptChild, SpeculativeAnswer, SpeculativeRequest, Stop, folder_of_user, place,
    speculate_all,
};
use lanescope_host::jobs::Control;
use lanescope_host::worker::{HearWaiting, Launch, Limits, Loaded, Loader, LoaderOptions};

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

    /// The compilers of the settings, and their limits.
    pub fn compilers(&self, settings: &CompileSettings, options: &Options) -> (Vec<CompileOptions>, Limits) {
        (asked(settings, options, settings.link == driver::Link::Apart), limits(settings))
    }

    /// Compiles a program with drivers' compilers, under the options of its report. Blocks: for job threads only.
    /// `also` is a chip beside those of the settings, `files` are the saved files that triggered the compile, if any.
    pub fn compile<T>(
        &self,
        program: &Program,
        report: &Report,
        settings: &CompileSettings,
        also: Option<Chip>,
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
        settings: &CompileSettings,
        ahead: &SpeculativeSettings,
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
        let mut loader = self.loader(job);
        let listing = loader.list(paths).map_err(|error| error.to_string())?;
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
            let loaded = loader.load(paths, &LoadOptions::of(&wanted));
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

    /// What loads programs one after the other, and asks a child for all else; it is stopped with the job.
    pub fn loader<T>(&self, job: &Control<T>) -> Loader {
        let hear_waiting = Some(HearWaiting(Arc::new(job.progress_writer())));
        Loader::new(LoaderOptions { canceller: Some(job.canceller()), hear_waiting, ..self.loader_options() })
    }

    /// How loaders are made that no job stops.
    pub fn loader_options(&self) -> LoaderOptions {
        let (launch, here): (_, Option<fn()>) = match &self.launch {
            Some(launch) => (launch.clone(), None),
            None => (Launch::default(), Some(|| {})),
        };
        LoaderOptions { launch, here, ..LoaderOptions::default() }
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
    Ok(Analysis {
        report,
        other,
        fillable: fillable(program),
        samplers: samplers(program),
        left_out: None,
        object: None,
    })
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
    Ok(Analysis { report, other, fillable: fillable(program), samplers: samplers(program), left_out, object: None })
}
