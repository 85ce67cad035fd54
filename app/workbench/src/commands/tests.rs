use std::collections::BTreeSet;

use super::*;

/// The command after this one: a new variant does not compile until it has its place here.
fn next(command: &Command) -> Option<Command> {
    Some(match command {
        Command::Open => Command::OpenPath,
        Command::OpenPath => Command::ChoosePipeline,
        Command::ChoosePipeline => Command::Samples,
        Command::Samples => Command::Reopen,
        Command::Reopen => Command::Reload,
        Command::Reload => Command::CloseProgram,
        Command::CloseProgram => Command::Quit,
        Command::Quit => Command::CopyTable,
        Command::CopyTable => Command::ExportPicture,
        Command::ExportPicture => Command::ExportScript,
        Command::ExportScript => Command::Sign(None),
        Command::Sign(None) => Command::Sign(Some(Signature::Retail)),
        Command::Sign(Some(Signature::Retail)) => Command::Sign(Some(Signature::Debug)),
        Command::Sign(Some(Signature::Debug)) => Command::Sign(Some(Signature::Preview)),
        Command::Sign(Some(Signature::Preview)) => Command::Sign(Some(Signature::Bypass)),
        Command::Sign(Some(Signature::Bypass)) => Command::Sign(Some(Signature::None)),
        Command::Sign(Some(Signature::None)) => Command::Reduce(String::new()),
        Command::Reduce(_) => Command::SaveRewritten,
        Command::SaveRewritten => Command::Run,
        Command::Run => Command::Step(StepCommand::Step),
        Command::Step(StepCommand::Step) => Command::Step(StepCommand::StepBack),
        Command::Step(StepCommand::StepBack) => Command::Step(StepCommand::RunToNode),
        Command::Step(StepCommand::RunToNode) => Command::Step(StepCommand::RunToGeneration),
        Command::Step(StepCommand::RunToGeneration) => Command::Step(StepCommand::Continue),
        Command::Step(StepCommand::Continue) => Command::Step(StepCommand::RunToEnd),
        Command::Step(StepCommand::RunToEnd) => Command::Step(StepCommand::Restart),
        Command::Step(StepCommand::Restart) => Command::Step(StepCommand::Resume),
        Command::Step(StepCommand::Resume) => Command::Step(StepCommand::ToggleBreakpoint),
        Command::Step(StepCommand::ToggleBreakpoint) => Command::Debug(DebugCommand::Restart),
        Command::Debug(DebugCommand::Restart) => Command::Debug(DebugCommand::Launch),
        Command::Debug(DebugCommand::Launch) => Command::Debug(DebugCommand::StepInto),
        Command::Debug(DebugCommand::StepInto) => Command::Debug(DebugCommand::StepOver),
        Command::Debug(DebugCommand::StepOver) => Command::Debug(DebugCommand::StepOut),
        Command::Debug(DebugCommand::StepOut) => Command::Debug(DebugCommand::StepBack),
        Command::Debug(DebugCommand::StepBack) => Command::Debug(DebugCommand::Continue),
        Command::Debug(DebugCommand::Continue) => Command::Debug(DebugCommand::ContinueBack),
        Command::Debug(DebugCommand::ContinueBack) => Command::Debug(DebugCommand::SwitchProgram),
        Command::Debug(DebugCommand::SwitchProgram) => Command::Debug(DebugCommand::ToggleBeside),
        Command::Debug(DebugCommand::ToggleBeside) => Command::Debug(DebugCommand::Stop),
        Command::Debug(DebugCommand::Stop) => Command::Measure,
        Command::Measure => Command::ShowCosts,
        Command::ShowCosts => Command::TimeLayouts,
        Command::TimeLayouts => Command::Compile,
        Command::Compile => Command::CompileSpeculatively,
        Command::CompileSpeculatively => Command::CompileCorpus,
        Command::CompileCorpus => Command::SurveyGuesses,
        Command::SurveyGuesses => Command::NextChange,
        Command::NextChange => Command::PreviousChange,
        Command::PreviousChange => Command::Search,
        Command::Search => Command::GoToLine,
        Command::GoToLine => Command::ToggleBookmark,
        Command::ToggleBookmark => Command::NextBookmark,
        Command::NextBookmark => Command::PreviousBookmark,
        Command::PreviousBookmark => Command::ClearSelection,
        Command::ClearSelection => Command::NextTab,
        Command::NextTab => Command::PreviousTab,
        Command::PreviousTab => Command::MoveTab(Move::NextGroup),
        Command::MoveTab(Move::NextGroup) => Command::MoveTab(Move::Right),
        Command::MoveTab(Move::Right) => Command::MoveTab(Move::Below),
        Command::MoveTab(Move::Below) => Command::LargerGroup,
        Command::LargerGroup => Command::SmallerGroup,
        Command::SmallerGroup => Command::NextProgram,
        Command::NextProgram => Command::PreviousProgram,
        Command::PreviousProgram => Command::Options,
        Command::Options => Command::ResetOptions,
        Command::ResetOptions => Command::Undo,
        Command::Undo => Command::Redo,
        Command::Redo => Command::Preferences,
        Command::Preferences => Command::SideBySide,
        Command::SideBySide => Command::Compare,
        Command::Compare => Command::Variants,
        Command::Variants => Command::Corpus(CorpusCommand::Show),
        Command::Corpus(CorpusCommand::Show) => Command::SetMode(Mode::Layout),
        Command::SetMode(Mode::Layout) => Command::SetMode(Mode::Compiled),
        Command::SetMode(Mode::Compiled) => Command::SetMode(Mode::Run),
        Command::SetMode(Mode::Run) => Command::SetMode(Mode::Compare),
        Command::SetMode(Mode::Compare) => Command::Inspect,
        Command::Inspect => Command::Findings,
        Command::Findings => Command::ResetLayout,
        Command::ResetLayout => Command::ToggleTheme,
        Command::ToggleTheme => Command::SetTheme(Theme::Light),
        Command::SetTheme(Theme::Light) => Command::SetTheme(Theme::Dark),
        Command::SetTheme(Theme::Dark) => Command::SetTheme(Theme::System),
        Command::SetTheme(Theme::System) => Command::ZoomIn,
        Command::ZoomIn => Command::ZoomOut,
        Command::ZoomOut => Command::ZoomReset,
        Command::ZoomReset => Command::ToggleTints,
        Command::ToggleTints => Command::CancelWork,
        Command::CancelWork => Command::Palette,
        Command::Palette => Command::Help,
        Command::Help => Command::Keys,
        Command::Keys => Command::About,
        Command::About => return None,
        // Only views, panels and dialogs return these: what they name is known only at run time.
        Command::Step(
            StepCommand::Run
            | StepCommand::ShowGeneration(_)
            | StepCommand::ShowPage(_)
            | StepCommand::ShowRun(_)
            | StepCommand::FollowRecords { .. }
            | StepCommand::SelectRecord(_)
            | StepCommand::SelectNode(_)
            | StepCommand::AddBreakpoint(_)
            | StepCommand::RemoveBreakpoint(_)
            | StepCommand::EnableBreakpoint(..)
            | StepCommand::ShowForm(_)
            | StepCommand::Edit(_),
        )
        | Command::Debug(
            DebugCommand::RunTo(_)
            | DebugCommand::Seek(_)
            | DebugCommand::ToggleBreakpoint(..)
            | DebugCommand::AddBreakpoint(_)
            | DebugCommand::Watch(_)
            | DebugCommand::RemoveBreakpoint(_)
            | DebugCommand::Ignore(..)
            | DebugCommand::Choose(_)
            | DebugCommand::Group(_)
            | DebugCommand::Target(_)
            | DebugCommand::Map(_),
        )
        | Command::Corpus(
            CorpusCommand::Close
            | CorpusCommand::Part(_)
            | CorpusCommand::Filter(_)
            | CorpusCommand::Sort(_)
            | CorpusCommand::Choose(_)
            | CorpusCommand::OpenRow(_)
            | CorpusCommand::OpenPipeline(_),
        )
        | Command::OpenFiles(_)
        | Command::OpenChanged(..)
        | Command::OpenPipeline(..)
        | Command::ShowPipeline(_)
        | Command::ChooseListed(_)
        | Command::ReopenEarlier(_)
        | Command::PreferSource(_)
        | Command::MeasureListed
        | Command::CloseProgramAt(_)
        | Command::ShowFailure
        | Command::LeaveFailure
        | Command::ShowProgram(_)
        | Command::Select(_)
        | Command::SetOptions(_)
        | Command::SetOther(_)
        | Command::SetRunSettings(_)
        | Command::SetCompileSettings(_)
        | Command::SetSpeculativeSettings(_)
        | Command::SetCostSettings(_)
        | Command::SetStatisticsSettings(_)
        | Command::SetTextSettings(_)
        | Command::SetPreferences(_)
        | Command::ChooseContents(_)
        | Command::DropContents(_)
        | Command::SetRunText(..)
        | Command::Begin(_)
        | Command::Stop(_)
        | Command::CompileCompared
        | Command::RunGraph(_)
        | Command::ControlRun(_)
        | Command::LoadRecords
        | Command::CompareFiles(_)
        | Command::CompareWith(_)
        | Command::SwapCompared
        | Command::Copy(_)
        | Command::SavePicture { .. }
        | Command::SaveText { .. }
        | Command::SaveOutput(_)
        | Command::SaveGraphRun
        | Command::Replace(_)
        | Command::RestartEdited(_)
        | Command::TakePaths(..)
        | Command::Show(_)
        | Command::ShowTab(_)
        | Command::Arrange { .. }
        | Command::Focus(_)
        | Command::SetScreen(_)
        | Command::SaveSession
        | Command::ListNames(_)
        | Command::Explain(_)
        | Command::Read(..)
        | Command::CloseOverlay
        | Command::Dismiss(_) => return None,
    })
}

#[test]
fn every_command_has_one_row_with_a_label() {
    let all: Vec<_> = std::iter::successors(Some(Command::Open), next).collect();
    assert_eq!(all.len(), TABLE.len());
    for command in &all {
        let rows: Vec<_> = TABLE.iter().filter(|row| row.command == *command).collect();
        assert_eq!(rows.len(), 1, "{command:?}");
        assert!(!rows[0].label.is_empty(), "{command:?}");
    }
    let labels: BTreeSet<_> = TABLE.iter().map(|row| row.label).collect();
    assert_eq!(labels.len(), TABLE.len(), "labels are unique");
}

#[test]
fn the_layout_tab_has_no_work_graph_commands() {
    let starts = |command| row_of(&command).is_some_and(|row| row.new_group);
    assert!(starts(Command::Step(StepCommand::Step)) && starts(Command::ResetLayout));
}

#[test]
fn no_key_runs_two_commands() {
    let mut seen = BTreeSet::new();
    for key in TABLE.iter().flat_map(|row| row.keys.iter().copied()) {
        assert!(seen.insert(format!("{key:?}")), "{key:?} is taken twice");
    }
}

#[test]
fn the_terminal_has_one_name_and_at_most_one_letter_for_each_command() {
    let names: BTreeSet<_> = TABLE.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), TABLE.len(), "names are unique");
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    assert!(names.iter().all(|name| !name.is_empty() && plain(name)));
    let mut letters = BTreeSet::new();
    for letter in TABLE.iter().filter_map(|row| row.letter) {
        assert!(letters.insert(letter), "{letter} is taken twice");
        assert!(!"hjklgGnNyv0$!".contains(letter), "{letter} moves, searches or copies");
    }
}
