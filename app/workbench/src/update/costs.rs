//! Counting the memory accesses of a compute shader in each layout of its workgroup.

use lanescope_core::cost::Settings;
use lanescope_inspector::tasks::{CostQuestion, CountedCosts, Work};
use lanescope_inspector::view::ViewId;

use super::debug::MAX_STEPS;
use super::effects::Effects;
use super::options::is_frozen;
use super::run::{Input, begin, tag};
use super::tabs;
use crate::engine::loading::broke_down;
use crate::outcome::{Outcome, WorkOutcome, WorkResult};
use crate::state::State;
use lanescope_host::costs::{costs, limits};
use lanescope_host::jobs::caught;

/// Bytes that the shader's memory may take, and its log.
const MEMORY: u64 = 512 << 20;

/// Shows the tab of workgroups, and counts the accesses of the shown program.
pub(super) fn count(state: &mut State, effects: &mut Effects) {
    let Some(program) = state.program() else { return };
    if !CostQuestion::applies(&program.analysis.report) {
        state.messages.info("Unavailable: memory accesses are counted of one compute shader.");
        return;
    }
    if is_frozen(state, "its memory accesses cannot be counted") {
        return;
    }
    if let Some(program) = state.program_mut() {
        program.results.costs_shown += 1;
    }
    tabs::show(state, ViewId::Workgroup);
    begin(state, effects, Work::Costs);
}

/// Begins counting. A newer question replaces the one that is being answered.
pub(super) fn begin_costs(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let Some(program) = state.program() else { return false };
    let question = CostQuestion::of(input.revision, &state.settings, &program.inputs, &program.typed);
    let filled = program.filled();
    let Input { id, title, program, options, settings, revision, .. } = input;
    let work = tag(Work::Costs, Some(id));
    effects.cancel(state, work.clone());
    effects.start(state, work, format!("counting the memory accesses of {title}"), move |_, job| {
        let counted = || {
            let contents = filled.read()?;
            let inputs = contents.inputs(&program, question.seed.unwrap_or(0), question.seed.is_none())?;
            let (limits, accesses) = limits(MAX_STEPS, MEMORY);
            let counting = Settings { accesses, ..question.settings.counting() };
            let cost = costs(&program, &options, &inputs, &counting, limits, &mut || job.is_cancelled());
            cost.map(|cost| Box::new(CountedCosts { question, cost })).map_err(|why| why.to_string())
        };
        let result = caught(counted).unwrap_or_else(|panic| Err(broke_down(&panic)));
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result: WorkResult::Counted(result) }))
    });
    true
}
