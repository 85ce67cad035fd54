//! The shown program as an Amber script: it runs on the device of the settings, and a place for the file is asked for.

use std::path::Path;

use lanescope_core::load::LoadOptions;
use lanescope_core::options::WaveChoice;
use lanescope_core::script::Limits;
use lanescope_host::exports::{Asked, ScriptFile, script_of};
use lanescope_host::scripts::WHOLE_TIME;

use super::effects::Effects;
use super::options::is_frozen;
use super::run::Input;
use super::save;
use super::script::JobHost;
use crate::outcome::Outcome;
use crate::state::State;
use crate::state::saving::Pending;
use crate::state::tasks::Tag;

/// Begins to write the shown program.
pub(super) fn begin(state: &mut State, effects: &mut Effects) {
    if is_frozen(state, "it cannot be written as a script") {
        return;
    }
    let Some(program) = state.program() else { return };
    let (Some(stem), files, filled) = (program.stem(), program.paths.clone(), program.filled()) else { return };
    let name = format!("{stem}.amber");
    let Input { title, program, options, device, settings, .. } = Input::new(state, program);
    effects.start(state, Tag::ExportScript, format!("writing {title} as a script"), move |engine, job| {
        let limits = Limits { whole: device.timeout.max(WHOLE_TIME), run: device.timeout };
        let wanted = LoadOptions::of(&options);
        let inputs = filled.read().and_then(|read| read.inputs(&program, settings.fill, settings.zeros));
        let script = inputs.and_then(|inputs| {
            let asked = Asked {
                program: &program,
                name: Path::new(&name),
                files: &files,
                wanted: &wanted,
                options: &options,
                inputs: &inputs,
                wave: (options.wave != WaveChoice::Auto).then_some("the wave size of the options"),
                tolerance: None,
                first_level: false,
            };
            script_of(asked, &mut JobHost { device, loader: engine.loader(job) }, limits).map_err(|fault| fault.why)
        });
        Outcome::Script(script.map(|script| Box::new((script, name))))
    });
}

/// Asks where to save a script, and says what it checks.
pub(super) fn take_script(state: &mut State, effects: &mut Effects, script: Result<Box<(ScriptFile, String)>, String>) {
    let (script, name) = match script {
        Ok(script) => *script,
        Err(why) => return state.messages.error(why),
    };
    let is_clean = script.is_clean();
    let found = script.first.findings.iter().map(|found| &found.finding);
    let found = found.map(|finding| format!("{} {}: {}", finding.severity, finding.code, finding.message));
    let said: Vec<String> = std::iter::once(script.summary).chain(script.remarks).chain(found).collect();
    let said = format!("{name}: {}", said.join("; "));
    if is_clean {
        state.messages.info(said)
    } else {
        state.messages.error(said)
    }
    save::ask_where(state, effects, Pending::File(script.text.into_bytes(), name));
}
