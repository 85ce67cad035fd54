//! The rewritten program beside the original in the debugger.

use lanescope_core::interpreter::Options as Limits;
use lanescope_core::interpreter::debugger::session::Chosen;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::specialised;
use lanescope_core::spirv::Module;
use lanescope_inspector::debugging::Debugging;
use lanescope_inspector::settings::{Passes, RunSettings};

use super::debug::{launch, limits, place};
use super::run::Input;
use crate::engine::Engine;
use crate::outcome::Outcome;
use crate::state::debugger::{Begun, DebugSession};
use lanescope_host::debugging::{rewritten, with_position};
use lanescope_host::inputs::Filled;
use lanescope_host::jobs::Control;
use lanescope_host::worker::program_texts;

/// What the rewritten program is made of.
pub(super) struct Source {
    program: Program,
    options: Options,
    settings: RunSettings,
    filled: Filled,
}

impl Source {
    pub fn new(input: &Input, filled: &Filled) -> Source {
        Source {
            program: input.program.clone(),
            options: input.options.clone(),
            settings: input.settings.clone(),
            filled: filled.clone(),
        }
    }

    /// Adds the rewritten program to a session of the original.
    ///
    /// # Errors
    /// Why there is none.
    pub fn add(
        self,
        engine: &Engine,
        session: &DebugSession,
        debugging: &Debugging,
        job: &Control<Outcome>,
    ) -> Result<(), String> {
        if debugging.launch.is_some() {
            return Err("Unavailable: nodes of a work graph are not rewritten".to_owned());
        }
        let Source { program: given, options, settings, filled } = self;
        let contents = filled.read()?;
        let inputs = contents.inputs(&given, settings.fill, settings.zeros)?;
        let inputs = with_position(&inputs, &given);
        // Without a pass there is nothing to compare.
        let passes = if settings.passes == Passes::NONE { Passes::ALL } else { settings.passes };
        // The session of the original has its memory too.
        let limits = limits(&settings);
        let limits = Limits { max_memory: limits.max_memory / 2, ..limits };
        let original = specialised(&given, &options).map_err(|error| error.to_string())?;
        let place = place(&original, debugging);
        let (original, _) = launch(&original, &options, &inputs, debugging, limits)?;
        let (launch, program) = rewritten(&given, &options, passes, &original, place, &inputs, limits)?;
        let stage = launch.machine.program().stage();
        let module = program.stages.iter().find(|row| row.stage == stage).map_or(0, |row| row.module);
        let disassemble = |shown: &Module| {
            let text = engine.loader(job).disassemble(shown, "the rewritten module", None);
            text.unwrap_or_else(|why| format!("; {why}"))
        };
        let mut texts = program_texts(&program, disassemble);
        texts.retain(|text| text.instructions.as_ref().is_some_and(|of| of.module == module));
        texts.iter_mut().for_each(|text| text.title = format!("{}, rewritten", text.title));
        let chosen = Chosen { wave: 0, lane: 0 };
        session.add_rewritten(Begun { launch, chosen, module, texts, record: None });
        Ok(())
    }
}
