//! The shown program made smaller while a condition holds: the condition is asked for, then a folder, and the result is
//! compared with the program.

use std::path::{Path, PathBuf};

use lanescope_core::gpu::{DeviceOptions, interpret};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::{Options, WaveChoice};
use lanescope_core::reduce::condition::{Condition, Test};
use lanescope_core::script::Limits;
use lanescope_core::text_format::counted;
use lanescope_host::drivers::Stop;
use lanescope_host::exports::{Asked, script_of};
use lanescope_host::reducing::{Given, files, reduced};
use lanescope_host::scripts::WHOLE_TIME;
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::Purpose;

use super::effects::Effects;
use super::options::is_frozen;
use super::run::Input;
use super::save;
use super::script::JobHost;
use crate::outcome::{Outcome, Reduced};
use crate::state::State;
use crate::state::overlay::{Overlay, PathQuestion};
use crate::state::saving::Pending;
use crate::state::tasks::Tag;

/// Asks for the condition.
pub(super) fn ask(state: &mut State, text: String) {
    if is_frozen(state, "it cannot be reduced") {
        return;
    }
    let Some(id) = state.program().map(|program| program.id) else { return };
    state.show_overlay(Overlay::Path(PathQuestion { text, ..PathQuestion::new(Purpose::Reduce(id), None) }));
}

/// Begins to reduce a program under the condition that was typed.
pub(super) fn begin(state: &mut State, effects: &mut Effects, id: ProgramId, typed: Vec<PathBuf>) {
    let Some(text) = typed.first().map(|text| text.to_string_lossy().into_owned()) else { return };
    let condition: Condition = match text.parse() {
        Ok(condition) => condition,
        Err(error) => {
            // It is typed again from there.
            let question = PathQuestion { text, ..PathQuestion::new(Purpose::Reduce(id), None) };
            state.messages.error(format!("{error}"));
            return state.show_overlay(Overlay::Path(question));
        }
    };
    let Some(program) = state.programs.iter().find(|program| program.id == id) else { return };
    let filled = program.filled();
    let Input { title, program, options, device, settings, .. } = Input::new(state, program);
    let compile = state.settings.compile.clone();
    let stop = Stop::default();
    state.reducing = Some(stop.clone());
    effects.start(state, Tag::Reduce, format!("reducing {title}"), move |engine, job| {
        let inputs = filled.read().and_then(|read| read.inputs(&program, settings.fill, settings.zeros));
        let result = inputs.and_then(|inputs| {
            // A finding may be a driver's.
            let of_driver = |test: &&Test| test.compiles() || matches!(test, Test::Finding { .. });
            let compiles = condition.tests().iter().any(of_driver);
            let (compilers, limits) = engine.compilers(&compile, &options);
            let processors = std::thread::available_parallelism().map_or(1, usize::from);
            let given = Given {
                compilers: if compiles { compilers } else { Vec::new() },
                versions: compile.versions(),
                loader: engine.loader_options(),
                limits,
                groups: options.groups,
                jobs: processors,
                allow_undefined: false,
                program,
                options,
                condition,
                device,
                inputs,
                stop,
            };
            let outcome = reduced(&given, &mut |progress, size| {
                job.progress(format!("{}, {}", counted(size.code, "instruction"), progress.step));
            });
            let outcome = outcome.map_err(|error| error.to_string())?;
            let [before, after] = outcome.size;
            let seen = outcome.after.join("; ");
            let summary = format!("{} to {}: {seen}", before.code, counted(after.code, "instruction"));
            let script = {
                let interpreter = DeviceOptions { device: Some(interpret::NAME.to_owned()), ..given.device.clone() };
                let limits = Limits { whole: interpreter.timeout.max(WHOLE_TIME), run: interpreter.timeout };
                let asked = Asked {
                    program: &outcome.program,
                    name: Path::new("reduced.amber"),
                    files: &[],
                    wanted: &LoadOptions::of(&given.options),
                    options: &Options { groups: outcome.subject.groups, ..given.options.clone() },
                    inputs: &outcome.inputs,
                    wave: (given.options.wave != WaveChoice::Auto).then_some("the wave size of the options"),
                    tolerance: None,
                    first_level: true,
                };
                let mut host = JobHost { device: interpreter, loader: engine.loader(job) };
                script_of(asked, &mut host, limits).map(|script| script.text).map_err(|fault| fault.why)
            };
            let files = files(&given, &outcome, &[], script);
            Ok(Box::new(Reduced { summary, files }))
        });
        Outcome::Reduced(id, result)
    });
}

/// Says what was reached, and asks for a folder.
pub(super) fn take(state: &mut State, effects: &mut Effects, id: ProgramId, result: Result<Box<Reduced>, String>) {
    state.reducing = None;
    match result {
        Ok(reduced) => {
            let Reduced { summary, files } = *reduced;
            state.messages.info(summary);
            save::ask_where(state, effects, Pending::Reduced(id, files));
        }
        Err(why) => state.messages.error(why),
    }
}
