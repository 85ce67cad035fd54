//! The debugger on the launch of a work graph's record.

use lanescope_core::dxil::Dxil;
use lanescope_core::gpu::{Inputs, RecordLaunch, RecordPlace};
use lanescope_core::interpreter::Options as Limits;
use lanescope_core::interpreter::debugger::session::Chosen;
use lanescope_core::options::{Options, WaveChoice};
use lanescope_core::program::StageKind;
use lanescope_core::run::graph::{GraphRun, LocalRoots};
use lanescope_inspector::debugging::DebugCommand;
use lanescope_inspector::settings::RunSettings;

use super::debug::carry_out;
use super::effects::Effects;
use super::open::show_program;
use super::run::{reply_of, unexpected};
use super::step::library_of;
use super::tabs;
use crate::engine::Engine;
use crate::outcome::Outcome;
use crate::state::State;
use crate::state::debugged_record::Record;
use crate::state::debugger::Begun;
use crate::state::program::OpenProgram;
use lanescope_host::jobs::Control;
use lanescope_host::worker::{PlanRequest, Reply, Request, module_texts};
use lanescope_inspector::view::ViewId;

/// Carries out a command on the launch of the selected record; a command that moves begins it if there is none.
pub(super) fn debug(state: &mut State, effects: &mut Effects, command: DebugCommand) {
    let Some(program) = state.program() else { return };
    if command == DebugCommand::Launch || program.debugging.launch.is_none() {
        if command == DebugCommand::Stop {
            return;
        }
        if let Err(why) = choose(state, effects) {
            state.messages.info(why);
            return;
        }
    }
    if command.has_key() && command != DebugCommand::Stop {
        // The tab is there as long as a launch is debugged.
        tabs::follow_program(state);
        tabs::show(state, ViewId::Debug);
    }
    carry_out(state, effects, command);
}

/// Chooses the launch of the selected record; of a saved run in its library, which is shown from then on.
fn choose(state: &mut State, effects: &mut Effects) -> Result<(), &'static str> {
    let not_run = "Unavailable: run the work graph and select a record first";
    let program = state.program_mut().ok_or(not_run)?;
    program.follow_run();
    let fresh = program.results.graph.answer.as_ref().filter(|answer| answer.revision == program.graph_revision);
    let run = fresh.and_then(|answer| answer.result.as_ref().ok()).ok_or(not_run)?;
    let place = program.stepping.launch(run)?;
    if program.program.dxil.is_empty() {
        let run = run.clone();
        let index = library_of(state, &run);
        let index =
            index.ok_or("A saved run contains no shaders: open its library too, then debug the launch here.")?;
        show_program(state, effects, index);
        let library = state.program_mut().ok_or(not_run)?;
        library.results.graph.take(library.graph_revision, RunSettings::DEFAULT, Ok(run));
        library.follow_run();
        library.stepping.show_record(place);
    }
    if let Some(program) = state.program_mut() {
        let run = program.results.graph.done();
        let node = |place: RecordPlace| Some(run?.generations.get(place.generation)?.nodes.get(place.run)?.node);
        // Breakpoints at instructions are of the node's module.
        if program.debugging.launch.and_then(node) != node(place) {
            program.debugging.stop = None;
        }
        program.debugger = None;
        program.debugging.launch = Some(place);
    }
    Ok(())
}

/// What a launch is made of.
pub(super) struct Source {
    dxil: Dxil,
    run: GraphRun,
    place: RecordPlace,
    roots: LocalRoots,
}

impl Source {
    /// The launch of a record of a program's run.
    pub fn of(program: &OpenProgram, place: RecordPlace) -> Option<Source> {
        let run = program.results.graph.done()?.clone();
        let dxil = program.program.dxil.first()?.dxil.clone();
        let asked = program.graph_request.as_ref().map(|request| request.local_roots.clone());
        let roots = asked.or_else(|| program.stepping.form.local_roots().ok()).unwrap_or_default();
        Some(Source { dxil, run, place, roots })
    }

    /// The launch at its start. The converter runs in a child process.
    pub fn begin(
        self,
        engine: &Engine,
        options: &Options,
        inputs: &Inputs,
        chosen: Chosen,
        limits: Limits,
        job: &Control<Outcome>,
    ) -> Result<Begun, String> {
        let Source { dxil, run, place, roots } = self;
        let request = Request::PlanNodes(Box::new(PlanRequest { dxil, overrides: options.overrides.clone() }));
        let plans = match reply_of(engine, job, &request, None)? {
            Reply::NodePlans(plans) => plans,
            _ => return Err(unexpected()),
        };
        let wave = if options.wave == WaveChoice::Wave32 { 32 } else { 64 };
        let launched = RecordLaunch::new(&plans, &run, place, wave, (inputs, &roots), &limits);
        let launched = launched.map_err(|error| error.to_string())?;
        let module = launched.launch.machine.program().module();
        let title = launched.launch.entry.clone();
        let listing = engine.loader(job).disassemble(module, &title, None).map_err(|error| error.to_string())?;
        let texts = module_texts(module, StageKind::Compute, &title, listing);
        let launch = launched.launch.clone();
        let record = Some(Record::new(launched, &run));
        Ok(Begun { launch, chosen, module: 0, texts, record })
    }
}
