//! The start of a session of `lanescope debug`: what its flags choose, loaded and launched. `lanescope dap` starts sessions
//! in the same way.

use std::path::Path;

use lanescope_core::amber::Script;
use lanescope_core::gpu::interpret::{DrawCall, Launch, Waves};
use lanescope_core::gpu::{GpuError, Inputs};
use lanescope_core::interpreter::debugger::session::{Chosen, Session};
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::specialised;
use lanescope_host::debugging::report::Before;
use lanescope_host::debugging::{self, LaunchPlace, with_position};
use lanescope_host::scripts::{self, Scripted};
use lanescope_host::watchdog::Watchdog;
use lanescope_host::worker::Loader;
use lanescope_inspector::settings::Passes;

use super::debug::{Debug, FLAGS_OF_SCRIPTS};
use super::debug_record::{self, Reached};
use super::on_device::{Device, TIME};
use super::run_script::{self, CommandHost};
use super::{CliError, args};

/// Starts the watch over a launch; none where there are to be no limits.
pub(super) type Watch<'w> = &'w dyn Fn() -> Option<Watchdog>;

/// A session at its start.
pub(super) struct Started {
    /// The launch.
    pub launch: Launch,
    /// The session: on the original, or on the rewritten program where that is stepped.
    pub session: Session,
    /// The program that it is compared with.
    pub other: Option<Session>,
    /// Of an Amber script, what came before.
    pub before: Option<Before>,
    /// Whether the report of the program has errors.
    pub has_errors: bool,
    /// The record whose launch this is.
    pub record: Option<Box<Reached>>,
    /// Watches from the launch on.
    pub watchdog: Option<Watchdog>,
}

impl Debug {
    /// Loads the program, and launches what the flags choose of it. `watch` starts the watch over the launch.
    ///
    /// # Errors
    /// What the flags or the files are refused for.
    pub(super) fn start(&self, loader: &mut Loader, watch: Watch<'_>) -> Result<Started, CliError> {
        let contents = self.input.read()?;
        if let [file] = self.analysis.files()
            && let Some(script) = run_script::of_file(file)?
        {
            return self.start_script(file, &script, loader, watch);
        }
        let program = self.analysis.program(loader)?;
        if self.saved.is_some() && self.record.is_none() {
            let why = "--run is the saved run of --record, or the run of an Amber script; the program is not one";
            return Err(CliError::Unusable(why.to_owned()));
        }
        if self.record.is_some()
            && let Some(flag) = self.input.of_programs_only()
        {
            return Err(CliError::Unusable(format!("{flag} cannot be used with --record")));
        }
        let inputs = self.input.inputs(&contents, &program)?;
        match &self.record {
            Some(record) => self.start_record(record, &program, &inputs, loader, watch),
            None => self.start_program(&program, &self.analysis.options_for(&program), &inputs, watch),
        }
    }

    /// The launch of a record of a work graph.
    fn start_record(
        &self,
        record: &str,
        program: &Program,
        inputs: &Inputs,
        loader: &mut Loader,
        watch: Watch<'_>,
    ) -> Result<Started, CliError> {
        let reached = debug_record::reach(self, record, program, inputs, loader)?;
        let watchdog = watch();
        let reached = reached.launch(inputs, &self.limits())?;
        let launch = reached.launched.launch.clone();
        let session = Session::new(launch.machine.clone(), self.chosen(&launch)?);
        let record = Some(Box::new(reached));
        Ok(Started { launch, session, other: None, before: None, has_errors: false, record, watchdog })
    }

    /// A run of an Amber script, with what the commands before it give to it.
    fn start_script(
        &self,
        file: &Path,
        script: &Script,
        loader: &mut Loader,
        watch: Watch<'_>,
    ) -> Result<Started, CliError> {
        let mut others = self.given.flags::<Debug>();
        others.retain(|flag| !run_script::FLAGS.iter().chain(&FLAGS_OF_SCRIPTS).any(|known| known == flag));
        if !others.is_empty() {
            let others = others.join(", ");
            let file = file.display();
            return Err(CliError::Unusable(format!("{file}: {others} cannot be used with an Amber script")));
        }
        let wanted = match &self.saved {
            Some(number) => number.to_str().and_then(|text| text.parse().ok()).filter(|number| *number > 0),
            None => Some(1),
        };
        let wanted: u64 = wanted.ok_or_else(|| {
            let found = self.saved.as_deref().unwrap_or(Path::new("")).display().to_string();
            CliError::Unusable(format!("--run: expected the number of a run, from 1, found `{found}`"))
        })?;
        let limits = run_script::limits(self.analysis.loading());
        let (load, options) = (self.analysis.wanted(), self.analysis.options());
        let of = Scripted { file, script, wanted: &load, options: &options };
        // The commands before it run where it is stepped.
        let on = Device::interpreter(limits.run);
        let (program, reached) = scripts::reach(of, &mut CommandHost { loader, on: &on }, limits, wanted)?;
        let options = Options { groups: reached.groups, ..self.analysis.options_for(&program) };
        let before = Before::of(file, reached.before);
        Ok(Started { before, ..self.start_program(&program, &options, &reached.inputs, watch)? })
    }

    /// A program with these inputs.
    fn start_program(
        &self,
        program: &Program,
        options: &Options,
        inputs: &Inputs,
        watch: Watch<'_>,
    ) -> Result<Started, CliError> {
        let unusable = |why: &dyn std::fmt::Display| CliError::Unusable(why.to_string());
        let report = self.analysis.report_of(program)?;
        args::some_stage(program, &report)?;
        let inputs = with_position(inputs, program);
        let given = program;
        let program = specialised(given, options).map_err(|why| unusable(&why))?;
        let watchdog = watch();
        let (launch, place) = self.launch(&program, options, &inputs)?;
        let chosen = self.chosen(&launch)?;
        let session = |launch: &Launch, program: &Program| {
            let session = Session::new(launch.machine.clone(), chosen);
            program.source_files().into_iter().fold(session, Session::with_source)
        };
        let own = session(&launch, &program);
        let (launch, session, other) = if self.rewritten || self.beside {
            let made = debugging::rewritten(given, options, Passes::ALL, &launch, place, &inputs, self.limits());
            let flag = if self.rewritten { "--rewritten" } else { "--beside" };
            let (second, program) = made.map_err(|why| CliError::Unusable(format!("{flag}: {why}")))?;
            let other = session(&second, &program);
            match self.rewritten {
                true => (second, other, Some(own)),
                false => (launch, own, Some(other)),
            }
        } else {
            (launch, own, None)
        };
        let has_errors = report.has_errors();
        Ok(Started { launch, session, other, before: None, has_errors, record: None, watchdog })
    }

    /// The program at its start, at the place that was asked for.
    fn launch(&self, program: &Program, options: &Options, inputs: &Inputs) -> Result<(Launch, LaunchPlace), CliError> {
        let waves = Waves::predicted(program, options);
        let limits = self.limits();
        if let Some(place) =
            self.place.of_program(program, self.group, self.invocation.is_some() || self.lane.is_some())?
        {
            let call = DrawCall { wave: waves.lanes.subgroup_size, place, groups: options.groups };
            let launch = Launch::draw(program, call, inputs, limits, TIME).map_err(failed)?;
            return Ok((launch, LaunchPlace::Draw(place)));
        }
        let group = self.group.unwrap_or_default();
        let launch = Launch::new(program, &waves, (options.groups, Some(group)), inputs, limits).map_err(failed)?;
        Ok((launch, LaunchPlace::Group(group)))
    }

    /// The lane that was asked for.
    pub(super) fn chosen(&self, launch: &Launch) -> Result<Chosen, CliError> {
        let map = &launch.waves.lanes;
        if !launch.machine.program().stage().has_workgroup() {
            let (wave, lane) = launch.chosen;
            return Ok(Chosen { wave, lane });
        }
        let local = launch.machine.program().local_size();
        if let Some([x, y, z]) = self.invocation {
            let inside = x < local[0] && y < local[1] && z < local[2];
            let index = inside.then(|| (z * local[1] + y) * local[0] + x);
            for (wave, lanes) in (0..).zip(&map.waves) {
                if let Some(lane) = lanes.iter().position(|lane| index.is_some() && *lane == index) {
                    return Ok(Chosen { wave, lane: lane as u32 });
                }
            }
            let [sx, sy, sz] = local;
            return Err(CliError::Unusable(format!("--invocation {x},{y},{z}: the workgroup has {sx}×{sy}×{sz}")));
        }
        let chosen = self.lane.unwrap_or(Chosen { wave: 0, lane: 0 });
        let lanes = map.waves.get(chosen.wave as usize);
        match lanes.is_some_and(|lanes| (chosen.lane as usize) < lanes.len()) {
            true => Ok(chosen),
            false => Err(CliError::Unusable(format!(
                "--lane {}.{}: the workgroup has {} waves of {}",
                chosen.wave,
                chosen.lane,
                map.waves.len(),
                map.subgroup_size
            ))),
        }
    }
}

/// What keeps a launch from starting.
pub(super) fn failed(why: GpuError) -> CliError {
    match why.is_missing() {
        true => CliError::Missing(why.to_string()),
        false => CliError::Unusable(why.to_string()),
    }
}
