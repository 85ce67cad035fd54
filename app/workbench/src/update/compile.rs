//! Compiling with drivers' compilers, and speculatively.

use std::path::PathBuf;
use std::time::Instant;

use lanescope_core::load::of_database;
use lanescope_core::program::{Format, Program};
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::strip::wants_compile;
use lanescope_inspector::survey::SurveyQuestion;
use lanescope_inspector::tasks::{CorpusQuestion, Work};
use lanescope_inspector::view::ViewId;

use super::effects::Effects;
use super::options::is_frozen;
use super::run::{Input, begin, mark, tag};
use super::tabs;
use crate::outcome::{Outcome, WorkOutcome, WorkResult};
use crate::state::State;
use crate::state::program::{Asked, title};

/// Compiles a program under its first setting, or under its second. A compile under way for an older question is
/// cancelled; the same question is not asked twice.
pub(super) fn begin_compile(state: &mut State, effects: &mut Effects, index: usize, second: bool) {
    let (settings, run) = (state.settings.compile.clone(), state.settings.run.clone());
    let Some(program) = state.programs.get_mut(index).filter(|program| !program.frozen) else { return };
    let report = if second { program.analysis.other.as_ref() } else { Some(&program.analysis.report) };
    let Some(report) = report.cloned() else { return };
    let also = program.own_target(second, &settings);
    let question = Asked { revision: program.revision, settings: settings.clone(), also };
    let [first_asked, second_asked] = &mut program.compiling;
    let (asked, underway, work) = if second {
        (second_asked, program.results.second.underway, Work::CompileSecond)
    } else {
        (first_asked, program.results.compiled.underway, Work::Compile)
    };
    if underway && asked.as_ref() == Some(&question) {
        return;
    }
    // A change of the files triggers a new compile, and the time that it took is shown.
    let compiled_before = asked.as_ref().map(|asked| asked.revision);
    let saved = compiled_before.is_some_and(|revision| revision < program.loaded_at);
    *asked = Some(question);
    let files = if saved { program.watched().collect() } else { Vec::new() };
    let (id, revision, title) = (program.id, program.revision, program.title());
    let loaded = Program::clone(&program.program);
    let tag = tag(work, Some(id));
    effects.cancel(state, tag.clone());
    effects.start(state, tag, format!("compiling {title}"), move |engine, job| {
        let compiled = engine.compile(&loaded, &report, &settings, also, &files, job);
        let result = WorkResult::Compiled(Box::new(compiled), Instant::now());
        Outcome::Done(Box::new(WorkOutcome { revision, settings: run, result }))
    });
    mark(state, work, Some(id), true);
}

pub(super) fn begin_speculative(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let Input { id, title, program, options, settings, revision, .. } = input;
    let (compile, speculative) = (state.settings.compile.clone(), state.settings.speculative.clone());
    let name = format!("compiling {title} speculatively");
    effects.start(state, tag(Work::SpeculativeCompile, Some(id)), name, move |engine, job| {
        let compiled = engine.compile_speculatively(&program, &options, &compile, &speculative, job);
        let result = WorkResult::SpeculativeCompile(compiled.map(Box::new));
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result }))
    });
    true
}

/// The databases of a program that may be opened as one pipeline of them: `effects.foz@58dd`.
fn databases(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().map(|path| of_database(path).map_or_else(|| path.clone(), |(file, _)| file)).collect()
}

pub(super) fn begin_corpus(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let Some(program) = state.program() else { return false };
    let report = &program.analysis.report;
    let question = CorpusQuestion::of(report, &state.settings.compile, &state.settings.speculative);
    let paths = databases(&program.paths);
    let Input { id, settings, revision, .. } = input;
    let name = format!("compiling the pipelines of {} speculatively", title(&paths));
    effects.start(state, tag(Work::Corpus, Some(id)), name, move |engine, job| {
        let result = WorkResult::Corpus(engine.compile_corpus(&paths, question, job).map(Box::new));
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result }))
    });
    true
}

pub(super) fn begin_survey(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let Some(program) = state.program() else { return false };
    let question = SurveyQuestion::of(&program.analysis.report);
    let paths = databases(&program.paths);
    let Input { id, settings, revision, .. } = input;
    let name = format!("guessing the layouts of {}", title(&paths));
    effects.start(state, tag(Work::Survey, Some(id)), name, move |engine, job| {
        let result = WorkResult::Survey(engine.survey_guesses(&paths, question, job).map(Box::new));
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result }))
    });
    true
}

/// Shows the results of compilers, unless a tab with that is in front, and compiles the shown program.
pub(super) fn compile(state: &mut State, effects: &mut Effects) {
    if state.program().is_none() {
        return;
    }
    if state.tabs.shows(ViewId::Compare) && state.compared_with().is_some() {
        compile_compared(state, effects);
        return;
    }
    if is_frozen(state, "it cannot be compiled") {
        return;
    }
    if !state.tabs.shows(ViewId::Isa) && !state.tabs.shows(ViewId::Statistics) {
        tabs::show(state, ViewId::Isa);
    }
    begin(state, effects, Work::Compile);
}

/// Shows the tab of layouts, and compiles what can be compiled speculatively.
pub(super) fn compile_speculatively(state: &mut State, effects: &mut Effects) {
    let Some(program) = state.program() else { return };
    if program.analysis.report.partial.is_empty() {
        state.messages.info("Unavailable: a speculative compile needs a fragment or compute shader.");
        return;
    }
    if is_frozen(state, "it cannot be compiled") {
        return;
    }
    tabs::show(state, ViewId::GuessedLayout);
    begin(state, effects, Work::SpeculativeCompile);
}

/// Shows the tab of layouts, and works on every pipeline of the program's database.
pub(super) fn begin_of_database(state: &mut State, effects: &mut Effects, work: Work) {
    let Some(program) = state.program() else { return };
    let pipeline = program.analysis.report.pipeline.as_ref();
    if pipeline.is_none_or(|pipeline| pipeline.origin.format != Format::Fossilize) {
        state.messages.info("Not loaded from a Fossilize database.");
        return;
    }
    if is_frozen(state, "it cannot be compiled") {
        return;
    }
    tabs::show(state, ViewId::GuessedLayout);
    begin(state, effects, work);
}

/// Compiles both sides of the comparison.
pub(super) fn compile_compared(state: &mut State, effects: &mut Effects) {
    begin_compile(state, effects, state.active, false);
    match (state.compared_with(), state.partner()) {
        (Some(Partner::SecondSetting), _) => begin_compile(state, effects, state.active, true),
        (_, Some(partner)) => begin_compile(state, effects, partner, false),
        _ => {}
    }
}

/// Compiles the shown program in the background, once for each revision and setting, where that is not switched off.
pub(super) fn follow_shown(state: &mut State, effects: &mut Effects) {
    if state.in_front().is_some() && wants(state, state.active, false) {
        begin_compile(state, effects, state.active, false);
    }
}

/// Compiles both sides of the shown comparison in the background, once for each revision and setting.
pub(super) fn follow_compared(state: &mut State, effects: &mut Effects) {
    if !state.tabs.shows(ViewId::Compare) {
        return;
    }
    let Some(with) = state.compared_with() else { return };
    let other = match with {
        Partner::SecondSetting => Some((state.active, true)),
        Partner::Program(_) => state.partner().map(|partner| (partner, false)),
        // Analysed, and put before no driver.
        Partner::Variants | Partner::Variant(_) => return,
    };
    for (index, second) in other.into_iter().chain([(state.active, false)]) {
        if wants(state, index, second) {
            begin_compile(state, effects, index, second);
        }
    }
}

/// Whether a program is to be compiled in the background under its first setting, or under its second.
fn wants(state: &State, index: usize, second: bool) -> bool {
    let settings = &state.settings.compile;
    let Some(program) = state.programs.get(index).filter(|program| !program.frozen) else { return false };
    let ([first_asked, second_asked], results) = (&program.compiling, &program.results);
    let (asked, task) = if second { (second_asked, &results.second) } else { (first_asked, &results.compiled) };
    let also = program.own_target(second, settings);
    let is_asked = |asked: &Asked| {
        let is_same = asked.settings.is_same_question(settings) && (also.is_none() || asked.also == also);
        asked.revision == program.revision && is_same
    };
    let report = &program.analysis.report;
    let is_missing = also.is_some() && settings.automatic && !report.stages.is_empty();
    (is_missing || wants_compile(report, task, program.revision, settings)) && !asked.as_ref().is_some_and(is_asked)
}
