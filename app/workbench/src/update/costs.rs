//! What a layout costs: counting the memory accesses of a compute shader or of a draw, timing layouts, and showing the sheets
//! of other programs.

use std::time::Duration;

use lanescope_core::cost::Settings;
use lanescope_core::run::Repeat;
use lanescope_inspector::costs::CostsOf;
use lanescope_inspector::tasks::{CostQuestion, CountedCosts, CountedDraw, TimedCosts, Work};
use lanescope_inspector::view::ViewId;

use super::effects::Effects;
use super::options::is_frozen;
use super::run::{Input, begin, reply_of, tag, unexpected};
use super::tabs;
use crate::engine::loading::broke_down;
use crate::outcome::{Outcome, WorkOutcome, WorkResult};
use crate::state::State;
use lanescope_host::costs::{costs, limits};
use lanescope_host::draw_accesses::{DrawSettings, draw_accesses};
use lanescope_host::jobs::caught;
use lanescope_host::layout_times::TimeRequest;
use lanescope_host::worker::{Reply, Request};

/// Shows what the layout of the shown program costs. Memory accesses are counted; the sheets of an interface and of a work
/// graph are made where they are drawn, that of an interface with the accesses of its draw.
pub(super) fn show(state: &mut State, effects: &mut Effects) {
    let Some(program) = state.program() else { return };
    let Some(of) = CostsOf::program(&program.analysis.report) else {
        let what = "costs are those of one compute shader, of a fragment shader's interface, or of a work graph";
        state.messages.info(format!("Unavailable: {what}."));
        return;
    };
    if of != CostsOf::Graph && is_frozen(state, "its costs cannot be counted") {
        return;
    }
    if let Some(program) = state.program_mut() {
        program.results.costs_shown += 1;
    }
    let tab = match of {
        CostsOf::Accesses => ViewId::Workgroup,
        CostsOf::Interface => ViewId::Packing,
        CostsOf::Graph => ViewId::Graph,
    };
    tabs::show(state, tab);
    if of != CostsOf::Graph {
        begin(state, effects, Work::Costs);
    }
}

/// Begins counting. A newer question replaces the one that is being answered.
pub(super) fn begin_costs(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let Some(program) = state.program() else { return false };
    if CostsOf::program(&program.analysis.report) == Some(CostsOf::Interface) {
        return begin_draw(state, effects, input);
    }
    let question = CostQuestion::of(input.revision, &state.settings, &program.inputs, &program.typed);
    let filled = program.filled();
    let Input { id, title, program, options, settings, revision, .. } = input;
    let work = tag(Work::Costs, Some(id));
    effects.cancel(state, work.clone());
    effects.start(state, work, format!("counting the memory accesses of {title}"), move |_, job| {
        let counted = || {
            let contents = filled.read()?;
            let inputs = contents.inputs(&program, question.seed.unwrap_or(0), question.seed.is_none())?;
            let (limits, accesses) = limits(settings.most_steps(), settings.memory_bytes() / 2);
            let counting = Settings { accesses, ..question.counting };
            let cost = costs(&program, &options, &inputs, &counting, limits, &mut || job.is_cancelled());
            cost.map(|cost| Box::new(CountedCosts { question, cost })).map_err(|why| why.to_string())
        };
        let result = caught(counted).unwrap_or_else(|panic| Err(broke_down(&panic)));
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result: WorkResult::Counted(result) }))
    });
    true
}

/// Begins counting the accesses of a draw. A newer question replaces the one that is being answered.
fn begin_draw(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let Some(program) = state.program() else { return false };
    let question = CostQuestion::of_draw(input.revision, &state.settings, &program.inputs, &program.typed);
    let filled = program.filled();
    let Input { id, title, program, options, settings, revision, .. } = input;
    let time = Duration::from_secs(settings.seconds.into());
    let work = tag(Work::Costs, Some(id));
    effects.cancel(state, work.clone());
    effects.start(state, work, format!("counting the memory accesses of {title}"), move |_, job| {
        let counted = || {
            let contents = filled.read()?;
            let inputs = contents.inputs(&program, question.seed.unwrap_or(0), question.seed.is_none())?;
            let (limits, accesses) = limits(settings.most_steps(), settings.memory_bytes() / 2);
            let counting = Settings { accesses, ..question.counting };
            let settings = DrawSettings { counting, limits, time };
            let accesses = draw_accesses(&program, &options, &inputs, &settings, &mut || job.is_cancelled());
            Ok(Box::new(CountedDraw { question, accesses }))
        };
        let result = caught(counted).unwrap_or_else(|panic| Err(broke_down(&panic)));
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result: WorkResult::CountedDraw(result) }))
    });
    true
}

/// Shows what the layout costs, and times the layouts on the device.
pub(super) fn time(state: &mut State, effects: &mut Effects) {
    let Some(program) = state.program() else { return };
    if CostsOf::program(&program.analysis.report) != Some(CostsOf::Accesses) {
        state.messages.info("Unavailable: layouts are timed of one compute shader.");
        return;
    }
    if is_frozen(state, "its layouts cannot be timed") {
        return;
    }
    if let Some(program) = state.program_mut() {
        program.results.costs_shown += 1;
    }
    tabs::show(state, ViewId::Workgroup);
    begin(state, effects, Work::Times);
}

/// Begins timing, in a child; then the accesses are counted in waves of the device.
pub(super) fn begin_times(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let Some(program) = state.program() else { return false };
    let question = CostQuestion::of(input.revision, &state.settings, &program.inputs, &program.typed);
    let filled = program.filled();
    let Input { id, title, program, options, device, settings, revision } = input;
    let work = tag(Work::Times, Some(id));
    effects.start(state, work, format!("timing the layouts of {title}"), move |engine, job| {
        let timed = || {
            let contents = filled.read()?;
            let inputs = contents.inputs(&program, question.seed.unwrap_or(0), question.seed.is_none())?;
            let request = TimeRequest { program, options, device, inputs: inputs.clone(), repeat: Repeat::DEFAULT };
            let limit = Some(request.limit());
            let timed = match reply_of(engine, job, &Request::TimeLayouts(Box::new(request.clone())), limit)? {
                Reply::TimedLayouts(timed) => timed,
                _ => return Err(unexpected()),
            };
            let (limits, accesses) = limits(settings.most_steps(), settings.memory_bytes() / 2);
            let counting = Settings { accesses, ..question.counting };
            let TimeRequest { program, options, .. } = &request;
            let cost = timed.beside_costs(program, options, &inputs, &counting, limits, &mut || job.is_cancelled());
            let measured = cost.map_err(|why| why.to_string())?.measured.ok_or_else(unexpected)?;
            Ok(Box::new(TimedCosts { question, measured }))
        };
        let result = caught(timed).unwrap_or_else(|panic| Err(broke_down(&panic)));
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result: WorkResult::Timed(result) }))
    });
    true
}
