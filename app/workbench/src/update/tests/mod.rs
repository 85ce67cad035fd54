//! Every command, without a window.

mod compare;
mod corpus;
mod debug;
mod debug_launch;
mod debug_rewritten;
mod open;
mod options;
mod reduce;
mod run;
mod save;
mod session;
mod step;
mod tabs;
mod variants;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lanescope_inspector::command::Command;
use lanescope_inspector::corpus::CorpusCommand;
use lanescope_inspector::debugging::DebugCommand;
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::view::{Ask, ViewId, ViewInfo};

use super::effects::Effect;
use super::{start, update};
use crate::engine::Engine;
use crate::engine::testing;
use crate::services::Services;
use crate::state::State;
use crate::state::program::OpenProgram;
use crate::state::tasks::Tag;
use lanescope_host::session::{Session, Store};

const FRAGMENT: &str = "#version 450
layout(location = 0) in vec2 uv;
layout(location = 3) in float gloss;
layout(location = 0) out vec4 color;
void main() { color = vec4(uv, gloss, 1.0); }
";

const COMPUTE: &str = "#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) buffer Out { uint at[]; };
void main() { at[gl_LocalInvocationIndex] = gl_LocalInvocationIndex; }
";

/// The views of the tabs.
static VIEWS: [ViewInfo; 16] = [
    view(ViewId::Packing, &[Ask::CopyTable, Ask::ExportPicture]),
    view(ViewId::Workgroup, &[Ask::CopyTable, Ask::ExportPicture]),
    view(ViewId::GuessedLayout, &[]),
    view(ViewId::Rewritten, &[Ask::NextChange, Ask::PreviousChange]),
    view(ViewId::Registers, &[]),
    view(ViewId::Statistics, &[]),
    view(ViewId::Overview, &[]),
    view(ViewId::Run, &[]),
    view(ViewId::Debug, &[]),
    view(ViewId::Isa, &[Ask::Search]),
    view(ViewId::Compare, &[]),
    view(ViewId::Graph, &[Ask::Generation]),
    view(ViewId::Dxil, &[]),
    view(ViewId::CodeObject, &[]),
    view(ViewId::Findings, &[]),
    view(ViewId::Source, SOURCE),
];

const SOURCE: &[Ask] = &[Ask::Search, Ask::GoToLine, Ask::ToggleBookmark, Ask::NextBookmark, Ask::PreviousBookmark];

const fn view(id: ViewId, answers: &'static [Ask]) -> ViewInfo {
    ViewInfo { id, title: id.name(), about: "", answers }
}

/// State and services without a window.
struct Bench {
    state: State,
    services: Services,
    /// Effects that a window would carry out.
    left: Vec<Effect>,
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Bench {
        Bench::with(Session::default())
    }

    fn with(session: Session) -> Bench {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = Store::at(folder.path().join("session.json"));
        let engine = Engine::in_process(testing::compile, testing::speculate);
        let services = Services::new(engine, Some(store), std::sync::Arc::new(|| {}));
        Bench { state: State::new(session, VIEWS.iter().collect()), services, left: Vec::new(), folder }
    }

    /// With a program of this text open.
    fn opened(name: &str, text: &str) -> Bench {
        let mut bench = Bench::new();
        let path = bench.file(name, text);
        bench.open(&[&path]);
        bench
    }

    /// With a work graph open.
    fn graph() -> Bench {
        let mut bench = Bench::new();
        bench.open(&[&sample("work_graphs/01_tile_classify.dxil")]);
        bench
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("the folder is writable");
        path
    }

    fn run(&mut self, command: Command) {
        let effects = update(&mut self.state, command);
        self.left.extend(self.services.carry_out(effects));
    }

    fn step(&mut self, command: StepCommand) {
        self.run(Command::Step(command));
    }

    fn open(&mut self, paths: &[&Path]) {
        let count = self.state.programs.len();
        self.run(Command::OpenFiles(paths.iter().map(|path| path.to_path_buf()).collect()));
        self.until("it opens", |state| state.programs.len() > count || state.failure.is_some());
    }

    /// Takes results of jobs until something holds.
    fn until(&mut self, what: &str, holds: impl Fn(&State) -> bool) {
        let limit = Instant::now() + Duration::from_secs(30);
        while !holds(&self.state) {
            self.left.extend(self.services.poll(&mut self.state));
            assert!(Instant::now() < limit, "{what}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Takes results until no job runs.
    fn settle(&mut self) {
        self.left.extend(self.services.poll(&mut self.state));
        self.until("all jobs end", |state| state.running.is_empty());
    }

    fn program(&self) -> &OpenProgram {
        self.state.program().expect("a program")
    }

    /// The text of the newest message.
    fn message(&self) -> &str {
        self.state.messages.texts().last().copied().unwrap_or_default()
    }

    fn is_busy(&self, tag: &Tag) -> bool {
        self.state.running.is_busy(tag)
    }

    /// Whether a window would be asked for such an effect; forgets all effects until now.
    fn had(&mut self, is: impl Fn(&Effect) -> bool) -> bool {
        std::mem::take(&mut self.left).iter().any(is)
    }
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)
}

/// The test of a command: a new variant does not compile until it names its test.
#[expect(dead_code, reason = "its match is the check")]
fn test_of(command: &Command) -> fn() {
    match command {
        Command::Open | Command::OpenPath => open::asks_for_files_or_a_path,
        Command::OpenFiles(_) => open::opens_files_once,
        Command::OpenChanged(..) => open::opens_with_an_entry_point_or_without_validation,
        Command::ChoosePipeline | Command::ChooseListed(_) | Command::OpenPipeline(..) | Command::ShowPipeline(_) => {
            open::chooses_pipelines_of_a_database
        }
        Command::PreferSource(_) => open::prefers_sources_of_a_folder,
        Command::MeasureListed => corpus::measures_a_listed_folder,
        Command::CloseProgramAt(_) => open::closes_a_program_that_is_not_shown,
        Command::Samples => open::reads_the_samples,
        Command::Reopen | Command::ReopenEarlier(_) => open::reopens_the_last_session,
        Command::Reload => open::reloads_files,
        Command::CloseProgram | Command::LeaveFailure | Command::ShowFailure => open::closes_programs_and_failures,
        Command::Quit => session::quits,
        Command::NextProgram | Command::PreviousProgram | Command::ShowProgram(_) => open::switches_programs,

        Command::Select(_) | Command::ClearSelection => options::changes_the_selection,
        Command::Options => options::shows_the_options,
        Command::SetOptions(_) | Command::ResetOptions => options::changes_and_resets_options,
        Command::Undo | Command::Redo => options::undoes_and_redoes_changes,
        Command::SetPreferences(_) => session::changes_the_preferences,
        Command::SetOther(_) | Command::SideBySide => options::shows_two_settings,
        Command::SetRunSettings(_)
        | Command::SetCompileSettings(_)
        | Command::SetSpeculativeSettings(_)
        | Command::SetCostSettings(_)
        | Command::SetStatisticsSettings(_)
        | Command::SetTextSettings(_) => options::keeps_settings_in_the_session,
        Command::ChooseContents(_) | Command::DropContents(_) => options::fills_a_buffer_from_a_file,
        Command::SetRunText(..) => options::texts_of_runs_are_typed,

        Command::Begin(_) | Command::Stop(_) => run::begins_and_stops_work,
        Command::CancelWork => run::cancels_all_work,
        Command::Run => run::runs_a_program_or_its_work_graph,
        Command::Measure => run::measures_a_workgroup,
        Command::ShowCosts => run::shows_costs,
        Command::TimeLayouts => run::times_layouts,
        Command::Compile => run::compiles_a_program,
        Command::CompileSpeculatively | Command::CompileCorpus | Command::SurveyGuesses => run::compiles_speculatively,
        Command::CompileCompared => compare::compiles_both_sides,

        Command::Debug(command) => match command {
            DebugCommand::Restart
            | DebugCommand::StepInto
            | DebugCommand::StepOver
            | DebugCommand::StepOut
            | DebugCommand::StepBack
            | DebugCommand::Seek(_) => debug::steps_forwards_and_backwards,
            DebugCommand::Continue
            | DebugCommand::ContinueBack
            | DebugCommand::RunTo(_)
            | DebugCommand::ToggleBreakpoint(..)
            | DebugCommand::AddBreakpoint(_)
            | DebugCommand::Watch(_)
            | DebugCommand::Ignore(..)
            | DebugCommand::RemoveBreakpoint(_) => debug::stops_at_breakpoints,
            DebugCommand::Launch => debug_launch::debugs_the_launch_of_a_record,
            DebugCommand::SwitchProgram | DebugCommand::ToggleBeside => debug_rewritten::compares_both_programs,
            DebugCommand::Target(_) => debug::steps_a_fragment_and_a_vertex_of_the_scene,
            DebugCommand::Choose(_) | DebugCommand::Map(_) | DebugCommand::Group(_) => {
                debug::shows_a_value_in_all_lanes
            }
            DebugCommand::Stop => debug::ends_and_interrupts_sessions,
        },

        Command::Corpus(command) => match command {
            CorpusCommand::Show | CorpusCommand::Part(_) => corpus::shows_and_closes_a_result,
            CorpusCommand::Close => corpus::measures_a_listed_folder,
            CorpusCommand::Filter(_) | CorpusCommand::Sort(_) => corpus::filters_and_sorts_rows,
            CorpusCommand::Choose(_) | CorpusCommand::OpenRow(_) | CorpusCommand::OpenPipeline(_) => {
                corpus::opens_the_pipeline_of_a_row
            }
        },

        Command::Step(command) => match command {
            StepCommand::Run
            | StepCommand::Step
            | StepCommand::StepBack
            | StepCommand::Continue
            | StepCommand::RunToNode
            | StepCommand::RunToEnd
            | StepCommand::Restart
            | StepCommand::Resume
            | StepCommand::ShowGeneration(_) => step::steps_through_a_run,
            StepCommand::RunToGeneration => step::puts_the_keyboard_into_the_generation,
            StepCommand::ToggleBreakpoint
            | StepCommand::AddBreakpoint(_)
            | StepCommand::RemoveBreakpoint(_)
            | StepCommand::EnableBreakpoint(..)
            | StepCommand::SelectNode(_) => step::edits_breakpoints_of_the_selected_node,
            StepCommand::ShowPage(_)
            | StepCommand::ShowRun(_)
            | StepCommand::FollowRecords { .. }
            | StepCommand::SelectRecord(_) => step::shows_records,
            StepCommand::ShowForm(_) | StepCommand::Edit(_) => step::edits_the_form_of_the_next_run,
        },
        Command::RunGraph(_) | Command::ControlRun(_) => step::controls_a_paused_run,
        Command::LoadRecords => step::reads_records,

        Command::Compare | Command::CompareFiles(_) => compare::compares_with_files,
        Command::Variants => variants::compiles_and_compares_variants,
        Command::CompareWith(_) | Command::SwapCompared => compare::chooses_and_swaps_the_partner,

        Command::Copy(_) => save::copies_text,
        Command::CopyTable
        | Command::Search
        | Command::GoToLine
        | Command::ToggleBookmark
        | Command::NextBookmark
        | Command::PreviousBookmark
        | Command::NextChange
        | Command::PreviousChange => tabs::forwards_requests_to_the_tab_in_front,
        Command::ExportPicture => tabs::exports_the_picture_of_the_first_tab_that_has_one,
        Command::SavePicture { .. } | Command::SaveText { .. } => save::asks_where_to_save,
        Command::ExportScript => save::writes_a_program_as_a_script,
        Command::Sign(_) => save::signs_containers,
        Command::Reduce(_) => reduce::reduces_a_program_and_compares,
        Command::SaveRewritten => save::rewrites_before_it_saves,
        Command::SaveOutput(_) | Command::SaveGraphRun => save::saves_results_that_exist,
        Command::Replace(_) => save::replaces_only_if_confirmed,
        Command::RestartEdited(_) => step::controls_a_paused_run,
        Command::TakePaths(..) => save::takes_typed_paths,

        Command::Show(_) | Command::ShowTab(_) => tabs::shows_tabs,
        Command::SetMode(_) => tabs::shows_modes,
        Command::Inspect | Command::Findings => tabs::opens_and_closes_the_drawer_and_the_findings,
        Command::NextTab | Command::PreviousTab | Command::Focus(_) => tabs::steps_through_tabs,
        Command::MoveTab(_) | Command::LargerGroup | Command::SmallerGroup | Command::ResetLayout => {
            tabs::arranges_tabs
        }
        Command::Arrange { .. } => tabs::takes_the_drawn_arrangement,

        Command::ToggleTints => options::tints_lines_or_not,
        Command::ToggleTheme | Command::SetTheme(_) => session::sets_the_theme,
        Command::ZoomIn | Command::ZoomOut | Command::ZoomReset => session::zooms,
        Command::SetScreen(_) => session::folds_tabs_of_a_narrow_window,
        Command::SaveSession => session::writes_the_session,
        Command::Palette
        | Command::Preferences
        | Command::Help
        | Command::Read(..)
        | Command::Keys
        | Command::About
        | Command::CloseOverlay => session::opens_and_closes_overlays,
        Command::Explain(_) => session::explains_codes_of_findings,
        Command::ListNames(_) => session::lists_names_of_a_folder,
        Command::Dismiss(_) => session::dismisses_messages,
    }
}
