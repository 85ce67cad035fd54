//! Updates of the state: a command, or the result of a job, and the effects that follow.
//!
//! ```text
//! command ──update──▶ state, effects ──services──▶ jobs ──outcomes──▶ take ──▶ state, effects
//! ```
//!
//! * `open`: files, programs, samples; `options`: options, settings, the selection; `session`.
//! * `run`: work on request; `compile`: drivers' compilers; `step`: the run of a work graph.
//! * `corpus`: a result over many pipelines.
//! * `compare`; `save`; `tabs`: the arrangement of the tabs, requests to the tab in front.
//! * [`effects`]: what is to be done outside; [`crate::outcome`]: results of jobs.
//!
//! Nothing here draws or waits: commands can be tested without a window.

mod compare;
mod compile;
pub mod corpus;
mod costs;
mod debug;
mod debug_launch;
mod debug_rewritten;
pub mod effects;
mod export;
mod open;
mod options;
mod pipeline_lists;
mod reduce;
mod run;
mod save;
mod script;
mod session;
mod sign;
mod step;
mod tabs;
#[cfg(test)]
mod tests;
mod variants;

use std::path::PathBuf;

use lanescope_inspector::command::Command;
use lanescope_inspector::corpus::CorpusPart;
use lanescope_inspector::settings::Preferences;
use lanescope_inspector::tasks;
use lanescope_inspector::view::Ask;

use crate::outcome::Outcome;
use crate::state::overlay::{HelpAt, Overlay};
use crate::state::tasks::Tag;
use crate::state::{Page, State};
use effects::{Effect, Effects};
use lanescope_host::jobs::News;
use lanescope_host::watch::Change;

/// Carries out a command.
pub fn update(state: &mut State, command: Command) -> Effects {
    let mut effects = Effects::default();
    apply(state, &mut effects, command);
    tabs::follow_program(state);
    compile::follow_shown(state, &mut effects);
    ask_next(state);
    effects
}

/// Opens the files that the program was started with, compared with others if any, or the gallery.
pub fn start(state: &mut State, files: Vec<PathBuf>, against: Vec<PathBuf>) -> Effects {
    let mut effects = Effects::default();
    open::start(state, &mut effects, files, against);
    effects
}

/// Takes the result of a job.
pub fn take(state: &mut State, tag: &Tag, news: News<Outcome>) -> Effects {
    let mut effects = Effects::default();
    match news {
        News::Part(outcome) | News::Done(outcome) => take_outcome(state, &mut effects, tag, outcome),
        News::Panicked(text) => {
            if let Tag::Task(work, id) = tag {
                run::mark(state, *work, *id, false);
            }
            state.messages.error(format!("Internal error: {text}"));
        }
    }
    // A load has one piece of news: its end.
    state.forget_opening(tag);
    tabs::follow_program(state);
    ask_next(state);
    effects
}

/// Takes a change of watched files.
pub fn take_change(state: &mut State, change: Change) -> Effects {
    let mut effects = Effects::default();
    match change {
        Change::Unwatched(why) => {
            state.messages.info(format!("File watching is unavailable ({why}); reload with F5."));
        }
        Change::Files(files) => {
            let changed: Vec<_> = (0..state.programs.len())
                .filter(|&index| state.programs[index].watched().any(|path| files.contains(&path)))
                .collect();
            for index in changed {
                open::reload(state, &mut effects, index);
            }
        }
    }
    effects
}

/// Follows changes: ends stepped runs of a graph that has changed, shows the views of the shown program, compiles it and
/// the compared programs. To be called after results were taken.
pub fn follow(state: &mut State) -> Effects {
    let mut effects = Effects::default();
    for program in &mut state.programs {
        if program.stepper.as_ref().is_some_and(|stepper| stepper.revision != program.graph_revision) {
            program.end_stepping();
        }
        program.follow_run();
    }
    tabs::follow_program(state);
    compile::follow_shown(state, &mut effects);
    compile::follow_compared(state, &mut effects);
    effects
}

/// Opens the next question once no overlay is open.
fn ask_next(state: &mut State) {
    if matches!(state.overlay, Overlay::None)
        && let Some(question) = state.questions.pop_front()
    {
        state.show_overlay(question);
    }
}

fn apply(state: &mut State, effects: &mut Effects, command: Command) {
    match command {
        Command::Open => open::choose_files(state, effects),
        Command::OpenPath => open::type_paths(state),
        Command::OpenFiles(files) => open::open(state, effects, files, None),
        Command::OpenChanged(files, change) => open::open(state, effects, files, Some(change)),
        Command::ChoosePipeline => pipeline_lists::choose_pipeline(state, effects),
        Command::OpenPipeline(paths, name) => open::open_pipeline(state, effects, paths, name),
        Command::ShowPipeline(name) => open::show_pipeline(state, effects, name),
        Command::ChooseListed(index) => pipeline_lists::choose_listed(state, effects, index),
        Command::PreferSource(source) => pipeline_lists::prefer_source(state, source),
        Command::MeasureListed => pipeline_lists::measure_listed(state, effects),
        Command::Samples => open::show_gallery(state, effects),
        Command::Reopen => open::reopen(state, effects),
        Command::ReopenEarlier(index) => open::reopen_earlier(state, effects, index),
        Command::Reload if state.page == Page::Corpus => corpus::reload(state, effects),
        Command::Reload => open::reload_shown(state, effects),
        Command::CloseProgram => open::close_program(state, effects),
        Command::CloseProgramAt(index) => open::close_program_at(state, effects, index),
        Command::ShowFailure => open::show_failure(state),
        Command::LeaveFailure => open::leave_failure(state, effects),
        Command::Quit => effects.push(Effect::Close),
        Command::NextProgram => open::step_program(state, effects, 1),
        Command::PreviousProgram => open::step_program(state, effects, -1),
        Command::ShowProgram(index) => open::show_program(state, effects, index),

        Command::Select(selection) => options::select(state, selection),
        Command::ClearSelection => options::clear_selection(state),
        Command::Options => options::toggle_panel(state),
        Command::SetOptions(options) => options::set_options(state, effects, *options),
        Command::SetOther(other) => options::set_other(state, effects, other.map(|other| *other)),
        Command::Undo => options::undo(state, effects, false),
        Command::Redo => options::undo(state, effects, true),
        Command::SetPreferences(preferences) => session::set_preferences(state, effects, preferences),
        Command::ResetOptions => options::reset(state, effects),
        Command::SideBySide => options::side_by_side(state, effects),
        Command::SetRunSettings(settings) => options::set_run(state, settings),
        Command::SetCompileSettings(settings) => options::set_compile(state, settings),
        Command::SetSpeculativeSettings(settings) => options::set_speculative(state, settings),
        Command::SetCostSettings(settings) => options::set_costs(state, settings),
        Command::SetStatisticsSettings(settings) => options::set_statistics(state, settings),
        Command::SetTextSettings(settings) => options::set_texts(state, settings),
        Command::ChooseContents(place) => options::choose_contents(state, effects, place),
        Command::DropContents(place) => options::drop_contents(state, place),
        Command::SetRunText(of, text) => options::set_run_text(state, of, text),

        Command::Begin(work) => run::begin(state, effects, work),
        Command::Stop(work) => run::stop_shown(state, effects, work),
        Command::CancelWork => run::cancel_work(state, effects),
        Command::Run => run::run_program(state, effects),
        Command::Measure => run::measure(state, effects),
        Command::ShowCosts => costs::show(state, effects),
        Command::TimeLayouts => costs::time(state, effects),
        Command::Compile => compile::compile(state, effects),
        Command::CompileSpeculatively => compile::compile_speculatively(state, effects),
        Command::CompileCorpus => compile::begin_of_database(state, effects, tasks::Work::Corpus),
        Command::SurveyGuesses => compile::begin_of_database(state, effects, tasks::Work::Survey),
        Command::CompileCompared => compile::compile_compared(state, effects),

        Command::Debug(command) => debug::debug(state, effects, command),

        Command::Corpus(command) => corpus::corpus(state, effects, command),

        Command::Step(command) => step::step(state, effects, command),
        Command::RunGraph(request) => step::run_graph(state, effects, *request),
        Command::ControlRun(command) => step::control_run(state, command),
        Command::LoadRecords => step::choose_records(state, effects),

        Command::Compare if state.page == Page::Corpus => corpus::choose_other(state, effects),
        Command::CompareFiles(files) if state.page == Page::Corpus => corpus::compare_files(state, effects, &files),
        Command::Compare => compare::choose_files(state, effects),
        Command::CompareFiles(files) => compare::compare_files(state, effects, files),
        Command::Variants => variants::choose_file(state, effects),
        Command::CompareWith(partner) => compare::compare_with(state, effects, partner),
        Command::SwapCompared => compare::swap(state, effects),

        Command::Copy(text) => save::copy(state, effects, text),
        Command::CopyTable => match state.corpus_in_front() {
            Some(page) => save::copy(state, effects, page.copied()),
            None => tabs::copy_table(state, effects),
        },
        Command::ExportPicture => tabs::export_picture(state, effects),
        Command::SavePicture { picture, name } => save::save_picture(state, effects, picture, name),
        Command::ExportScript => export::begin(state, effects),
        Command::Sign(signature) => sign::begin(state, effects, signature),
        Command::Reduce(text) => reduce::ask(state, text),
        Command::SaveRewritten => save::save_rewritten(state, effects),
        Command::SaveText { text, name } => save::save_text(state, effects, text, &name),
        Command::SaveOutput(output) => save::save_output(state, effects, &output),
        Command::SaveGraphRun => save::save_graph_run(state, effects),
        Command::Replace(yes) => save::replace(state, effects, yes),
        Command::RestartEdited(yes) => step::restart_edited(state, effects, yes),
        Command::TakePaths(purpose, paths) => save::take_typed(state, effects, purpose, paths),

        Command::Show(view) => tabs::show(state, view),
        Command::ShowTab(view) => tabs::show_and_enter(state, effects, view),
        Command::SetMode(mode) => match state.page {
            // The keys of the modes show the parts of a result.
            Page::Corpus => corpus::show_part(state, effects, mode),
            _ => tabs::set_mode(state, effects, mode),
        },
        Command::Inspect => tabs::toggle_drawer(state, effects),
        Command::Findings => tabs::toggle_findings(state, effects),
        Command::NextTab | Command::PreviousTab if state.page == Page::Corpus => {
            corpus::step_part(state, if command == Command::NextTab { 1 } else { CorpusPart::ALL.len() - 1 });
        }
        Command::NextTab => tabs::step(state, effects, 1),
        Command::PreviousTab => tabs::step(state, effects, -1),
        Command::MoveTab(to) => tabs::arrange(state, |tabs| tabs.move_tab(to)),
        Command::LargerGroup => tabs::arrange(state, |tabs| tabs.resize(1.25)),
        Command::SmallerGroup => tabs::arrange(state, |tabs| tabs.resize(0.8)),
        Command::ResetLayout => tabs::reset(state),
        Command::Arrange { layout, edited, dragged } => tabs::take_arrangement(state, layout, edited, &dragged),
        Command::Focus(view) => state.tabs.set_focus(view),
        Command::Search if state.page == Page::Corpus => effects.push(Effect::Ask(Ask::Search)),
        Command::Search => tabs::search(state, effects),
        Command::GoToLine => tabs::ask_text(state, effects, Ask::GoToLine),
        Command::ToggleBookmark => tabs::ask_text(state, effects, Ask::ToggleBookmark),
        Command::NextBookmark => tabs::ask_text(state, effects, Ask::NextBookmark),
        Command::PreviousBookmark => tabs::ask_text(state, effects, Ask::PreviousBookmark),
        Command::NextChange => tabs::go_to_change(state, effects, Ask::NextChange),
        Command::PreviousChange => tabs::go_to_change(state, effects, Ask::PreviousChange),

        Command::ToggleTints => options::toggle_tints(state),
        Command::ToggleTheme => session::toggle_theme(state, effects),
        Command::SetTheme(theme) => session::set_theme(state, effects, theme),
        Command::ZoomIn => session::zoom(state, effects, |preferences| preferences.zoomed(0.1)),
        Command::ZoomOut => session::zoom(state, effects, |preferences| preferences.zoomed(-0.1)),
        Command::ZoomReset => session::zoom(state, effects, |preferences| Preferences { zoom: 1.0, ..preferences }),
        Command::SetScreen(screen) => session::set_screen(state, screen),
        Command::SaveSession => session::save_session(state, effects),
        Command::Preferences => state.show_overlay(Overlay::Preferences),
        Command::Palette => state.show_overlay(Overlay::Palette),
        Command::Help => session::show_help(state),
        Command::Read(page, section) => state.show_overlay(Overlay::Help(HelpAt::Section(page, section))),
        Command::Keys => state.show_overlay(Overlay::Keys),
        Command::About => state.show_overlay(Overlay::About),
        Command::Explain(code) => session::explain(state, &code),
        Command::ListNames(folder) => session::list_names(state, effects, folder),
        Command::CloseOverlay => session::close_overlay(state, effects),
        Command::Dismiss(number) => state.messages.dismiss(number),
    }
}

fn take_outcome(state: &mut State, effects: &mut Effects, tag: &Tag, outcome: Outcome) {
    match (outcome, tag) {
        (Outcome::Loaded(outcome), Tag::Load(id)) => open::take_loaded(state, effects, *id, *outcome),
        (Outcome::OpenedRun(opened), Tag::Load(id)) => open::take_run(state, effects, *id, *opened),
        (Outcome::Analysed { program, options, other, result }, Tag::Analyse(id)) => {
            options::take_analyzed(state, *id, &program, *options, other.map(|other| *other), result);
        }
        (Outcome::CorpusRead { path, with, result }, _) => corpus::take_result(state, effects, path, with, *result),
        (Outcome::CorpusRows(found), _) => corpus::take_rows(state, *found),
        (Outcome::CorpusRow(files), _) => corpus::take_row(state, effects, files),
        (Outcome::CorpusCompared(after, compared), _) => corpus::take_comparison(state, &after, compared),
        (Outcome::Samples(samples), _) => state.samples.set_groups(samples),
        (Outcome::Card(index, result), _) => state.samples.set_card(index, result),
        (Outcome::Listed(paths, listing), _) => {
            pipeline_lists::take_listed(state, paths, listing.map(|listing| *listing))
        }
        (Outcome::Groups(paths, listing), _) => {
            pipeline_lists::take_groups(state, paths, listing.map(|listing| *listing))
        }
        (Outcome::Found(paths, found), _) => pipeline_lists::take_found(state, paths, found),
        (Outcome::Workspace(paths, listed), _) => pipeline_lists::take_workspace(state, paths, listed),
        (Outcome::PickedFiles(purpose, picked), _) => save::take_files(state, effects, purpose, picked),
        (Outcome::PickedContents(id, place, picked), _) => options::take_contents(state, id, place, picked),
        (Outcome::PickedSave(picked), _) => save::take_place(state, effects, picked),
        (Outcome::PickedRecords(id, picked), _) => step::take_picked_records(state, effects, id, picked),
        (Outcome::Records(id, read), _) => step::take_records(state, id, read),
        (Outcome::Names(folder, names), _) => session::take_names(state, folder, names),
        (Outcome::Script(script), _) => export::take_script(state, effects, script),
        (Outcome::Signed(signed), _) => sign::take(state, effects, signed),
        (Outcome::Reduced(id, result), _) => reduce::take(state, effects, id, result),
        (Outcome::Saved(saved), _) => save::take_saved(state, effects, saved),
        (Outcome::RunPart(part), Tag::Task(_, Some(id))) => step::take_part(state, *id, *part),
        (Outcome::Done(outcome), Tag::Task(work, id)) => run::take_done(state, *work, *id, *outcome),
        (Outcome::SavedSession(saved), _) => session::take_saved(state, saved),
        (
            Outcome::Nothing
            | Outcome::Loaded(_)
            | Outcome::OpenedRun(_)
            | Outcome::Analysed { .. }
            | Outcome::RunPart(_)
            | Outcome::Done(_),
            _,
        ) => {}
    }
}
