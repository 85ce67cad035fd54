//! Labels, menus and keys of commands.

use egui::{Key, KeyboardShortcut, Modifiers};
use lanescope_inspector::command::Command;
use lanescope_inspector::layout::Move;
use lanescope_inspector::mode::Mode;
use lanescope_inspector::settings::Theme;
use lanescope_inspector::stepping::StepCommand;

/// A menu of the menu bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Menu {
    /// Files and programs.
    File,
    /// What is on the clipboard, what is selected.
    Edit,
    /// The shown contents.
    View,
    /// Runs on a device, and the steps of a work graph.
    Run,
    /// Drivers' compilers.
    Compile,
    /// How to find out.
    Help,
}

impl Menu {
    /// Every menu with its label, as the menu bar shows them; Alt and the key open it.
    pub const ALL: [(Menu, &str, Key); 6] = [
        (Menu::File, "File", Key::F),
        (Menu::Edit, "Edit", Key::E),
        (Menu::View, "View", Key::V),
        (Menu::Run, "Run", Key::R),
        (Menu::Compile, "Compile", Key::C),
        (Menu::Help, "Help", Key::H),
    ];
}

/// One row of the table of commands.
#[derive(Debug)]
pub struct Row {
    /// What it does.
    pub command: Command,
    /// Its name in menus and in the palette.
    pub label: &'static str,
    /// The keys that do it; menus show the first.
    pub keys: &'static [KeyboardShortcut],
    /// Its menu; a row that opens a new group has a line above it.
    pub menu: Menu,
    /// Its submenu, where it is in one.
    pub submenu: Option<&'static str>,
    /// Whether a line is above it in its menu.
    pub new_group: bool,
    /// Whether it needs a program.
    pub needs_program: bool,
}

/// The submenu of the tabs and their panes.
pub const TABS: &str = "Tabs and panes";
const APPEARANCE: &str = "Appearance";

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

const ALT_SHIFT: Modifiers = Modifiers::ALT.plus(Modifiers::SHIFT);
const ALT_PLUS: KeyboardShortcut = key(Modifiers::ALT, Key::Plus);

const fn key(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

const fn row(command: Command, menu: Menu, label: &'static str, keys: &'static [KeyboardShortcut]) -> Row {
    Row { command, label, keys, menu, submenu: None, new_group: false, needs_program: false }
}

impl Row {
    const fn of(mut self, submenu: &'static str) -> Row {
        self.submenu = Some(submenu);
        self
    }

    const fn group(mut self) -> Row {
        self.new_group = true;
        self
    }

    const fn program(mut self) -> Row {
        self.needs_program = true;
        self
    }
}

/// Every command without parameters, in the order of the menus.
pub const TABLE: &[Row] = &[
    row(Command::Open, Menu::File, "Open…", &[key(CTRL, Key::O)]),
    row(Command::OpenPath, Menu::File, "Open by path…", &[key(CTRL_SHIFT, Key::O)]),
    row(Command::ChoosePipeline, Menu::File, "Choose pipeline…", &[key(CTRL_SHIFT, Key::L)]).program(),
    row(Command::Samples, Menu::File, "Samples", &[key(CTRL, Key::G)]),
    row(Command::Reopen, Menu::File, "Reopen last session", &[key(CTRL_SHIFT, Key::T)]),
    row(Command::Reload, Menu::File, "Reload", &[key(Modifiers::NONE, Key::F5), key(CTRL, Key::R)]).group().program(),
    row(Command::ExportPicture, Menu::File, "Export picture…", &[key(CTRL, Key::E)]).program(),
    row(Command::SaveRewritten, Menu::File, "Save rewritten modules…", &[key(CTRL, Key::S)]).program(),
    row(Command::CloseProgram, Menu::File, "Close", &[key(CTRL, Key::W)]).group().program(),
    row(Command::Quit, Menu::File, "Quit", &[key(CTRL, Key::Q)]),
    row(Command::Undo, Menu::Edit, "Undo change of options", &[key(CTRL, Key::Z)]).program(),
    row(Command::Redo, Menu::Edit, "Redo change of options", &[key(CTRL_SHIFT, Key::Z), key(CTRL, Key::Y)]).program(),
    row(Command::ResetOptions, Menu::Edit, "Reset options", &[]).program(),
    row(Command::CopyTable, Menu::Edit, "Copy table", &[key(CTRL_SHIFT, Key::C)]).group().program(),
    row(Command::Search, Menu::Edit, "Search", &[key(CTRL, Key::F)]).program(),
    row(Command::GoToLine, Menu::Edit, "Go to line…", &[key(CTRL, Key::L)]).program(),
    row(Command::ToggleBookmark, Menu::Edit, "Toggle bookmark", &[key(CTRL, Key::F2)]).program(),
    row(Command::NextBookmark, Menu::Edit, "Next bookmark", &[key(Modifiers::NONE, Key::F2)]).program(),
    row(Command::PreviousBookmark, Menu::Edit, "Previous bookmark", &[key(Modifiers::SHIFT, Key::F2)]).program(),
    row(Command::NextChange, Menu::Edit, "Next change", &[key(Modifiers::NONE, Key::F8)]).program(),
    row(Command::PreviousChange, Menu::Edit, "Previous change", &[key(Modifiers::SHIFT, Key::F8)]).program(),
    row(Command::ClearSelection, Menu::Edit, "Clear selection", &[key(CTRL_SHIFT, Key::A)]).program(),
    row(Command::Preferences, Menu::Edit, "Preferences…", &[key(CTRL_SHIFT, Key::Comma)]).group(),
    row(Command::Palette, Menu::View, "Command palette…", &[key(CTRL_SHIFT, Key::P), key(CTRL, Key::K)]),
    row(Command::SetMode(Mode::Layout), Menu::View, "Layout mode", &[key(CTRL, Key::Num1)]).group().program(),
    row(Command::SetMode(Mode::Compiled), Menu::View, "Compiled mode", &[key(CTRL, Key::Num2)]).program(),
    row(Command::SetMode(Mode::Run), Menu::View, "Run mode", &[key(CTRL, Key::Num3)]).program(),
    row(Command::SetMode(Mode::Compare), Menu::View, "Compare mode", &[key(CTRL, Key::Num4)]).program(),
    row(Command::Inspect, Menu::View, "Inspect", &[key(CTRL, Key::I)]).group().program(),
    row(Command::Findings, Menu::View, "Findings", &[key(CTRL_SHIFT, Key::M)]).program(),
    row(Command::Options, Menu::View, "Options", &[key(CTRL, Key::Comma)]).program(),
    row(Command::SideBySide, Menu::View, "Compare two settings", &[key(CTRL, Key::D)]).group().program(),
    row(Command::Compare, Menu::View, "Compare with…", &[key(CTRL_SHIFT, Key::D)]).program(),
    row(Command::NextProgram, Menu::View, "Next program", &[key(CTRL, Key::PageDown)]).group().program(),
    row(Command::PreviousProgram, Menu::View, "Previous program", &[key(CTRL, Key::PageUp)]).program(),
    row(Command::NextTab, Menu::View, "Next tab", &[key(CTRL, Key::Tab)]).of(TABS).group().program(),
    row(Command::PreviousTab, Menu::View, "Previous tab", &[key(CTRL_SHIFT, Key::Tab)]).of(TABS).program(),
    row(
        Command::MoveTab(Move::NextGroup),
        Menu::View,
        "Move tab to next pane",
        &[key(Modifiers::ALT, Key::ArrowRight)],
    )
    .of(TABS)
    .group()
    .program(),
    row(Command::MoveTab(Move::Right), Menu::View, "Move tab to right pane", &[key(ALT_SHIFT, Key::ArrowRight)])
        .of(TABS)
        .program(),
    row(Command::MoveTab(Move::Below), Menu::View, "Move tab to lower pane", &[key(ALT_SHIFT, Key::ArrowDown)])
        .of(TABS)
        .program(),
    row(Command::LargerGroup, Menu::View, "Grow pane", &[ALT_PLUS, key(Modifiers::ALT, Key::Equals)])
        .of(TABS)
        .program(),
    row(Command::SmallerGroup, Menu::View, "Shrink pane", &[key(Modifiers::ALT, Key::Minus)]).of(TABS).program(),
    row(Command::ResetLayout, Menu::View, "Reset layout", &[]).of(TABS).group().program(),
    row(Command::ToggleTheme, Menu::View, "Switch between light and dark", &[key(CTRL, Key::T)]).of(APPEARANCE),
    row(Command::SetTheme(Theme::Light), Menu::View, "Light", &[]).of(APPEARANCE),
    row(Command::SetTheme(Theme::Dark), Menu::View, "Dark", &[]).of(APPEARANCE),
    row(Command::SetTheme(Theme::System), Menu::View, "Follow the system", &[]).of(APPEARANCE),
    row(Command::ZoomIn, Menu::View, "Larger", &[key(CTRL, Key::Plus), key(CTRL, Key::Equals)]).of(APPEARANCE).group(),
    row(Command::ZoomOut, Menu::View, "Smaller", &[key(CTRL, Key::Minus)]).of(APPEARANCE),
    row(Command::ZoomReset, Menu::View, "Normal size", &[key(CTRL, Key::Num0)]).of(APPEARANCE),
    row(Command::Run, Menu::Run, "Run on the device", &[key(Modifiers::NONE, Key::F9)]).program(),
    row(Command::Measure, Menu::Run, "Measure the workgroup on the device", &[key(Modifiers::SHIFT, Key::F9)])
        .program(),
    row(Command::Step(StepCommand::Step), Menu::Run, "Step a work graph", &[key(Modifiers::NONE, Key::F10)])
        .group()
        .program(),
    row(Command::Step(StepCommand::StepBack), Menu::Run, "Step back", &[key(Modifiers::SHIFT, Key::F10)]).program(),
    row(Command::Step(StepCommand::RunToNode), Menu::Run, "Run to the selected node", &[key(CTRL, Key::F10)]).program(),
    row(Command::Step(StepCommand::RunToGeneration), Menu::Run, "Run to a generation", &[key(CTRL_SHIFT, Key::G)])
        .program(),
    row(Command::Step(StepCommand::Continue), Menu::Run, "Run to a breakpoint", &[key(Modifiers::NONE, Key::F6)])
        .program(),
    row(Command::Step(StepCommand::RunToEnd), Menu::Run, "Run to the end", &[key(Modifiers::SHIFT, Key::F6)]).program(),
    row(Command::Step(StepCommand::Restart), Menu::Run, "Restart, step by step", &[key(CTRL_SHIFT, Key::F10)])
        .program(),
    row(Command::Step(StepCommand::Resume), Menu::Run, "Resume from the shown generation", &[key(CTRL_SHIFT, Key::F6)])
        .program(),
    row(
        Command::Step(StepCommand::ToggleBreakpoint),
        Menu::Run,
        "Toggle breakpoint at the selected node",
        &[key(CTRL, Key::B)],
    )
    .program(),
    row(Command::CancelWork, Menu::Run, "Cancel work", &[key(CTRL, Key::Period)]).group(),
    row(Command::Compile, Menu::Compile, "Compile with drivers' compilers", &[key(Modifiers::NONE, Key::F7)]).program(),
    row(Command::CompileSpeculatively, Menu::Compile, "Compile speculatively", &[key(Modifiers::SHIFT, Key::F7)])
        .program(),
    row(Command::CompileCorpus, Menu::Compile, "Compile all pipelines of the database speculatively", &[]).program(),
    row(Command::Help, Menu::Help, "Manual", &[key(Modifiers::NONE, Key::F1)]),
    row(Command::Keys, Menu::Help, "Keys", &[key(Modifiers::SHIFT, Key::F1)]),
    row(Command::About, Menu::Help, "About Lanescope", &[]),
];

/// The row of a command, if it is one of the table.
pub fn row_of(command: &Command) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.command == *command)
}

/// The commands whose keys were pressed; the keys are taken out of the input.
///
/// Without a work graph Shift+F10 steps nothing back: it opens context menus.
pub fn pressed(ctx: &egui::Context, has_graph: bool) -> Vec<Command> {
    // A field that is typed into has an undo of its own.
    let typing = ctx.egui_wants_keyboard_input();
    let is_for_field = |row: &&Row| typing && matches!(row.command, Command::Undo | Command::Redo);
    let is_for_menus = |row: &&Row| !has_graph && row.command == Command::Step(StepCommand::StepBack);
    let rows = TABLE.iter().filter(|row| !is_for_field(row) && !is_for_menus(row));
    // The most specific first: Ctrl+Tab also matches while Shift is held.
    let mut keys: Vec<_> = rows.flat_map(|row| row.keys.iter().map(move |key| (key, &row.command))).collect();
    keys.sort_by_key(|(key, _)| !key.modifiers.shift);
    ctx.input_mut(|input| {
        keys.into_iter().filter(|(key, _)| input.consume_shortcut(key)).map(|(_, command)| command.clone()).collect()
    })
}

#[cfg(test)]
mod tests {
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
            Command::ExportPicture => Command::SaveRewritten,
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
            Command::Step(StepCommand::ToggleBreakpoint) => Command::Measure,
            Command::Measure => Command::Compile,
            Command::Compile => Command::CompileSpeculatively,
            Command::CompileSpeculatively => Command::CompileCorpus,
            Command::CompileCorpus => Command::NextChange,
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
            Command::Compare => Command::SetMode(Mode::Layout),
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
            Command::ZoomReset => Command::CancelWork,
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
            | Command::OpenFiles(_)
            | Command::OpenChanged(..)
            | Command::OpenPipeline(..)
            | Command::ShowPipeline(_)
            | Command::ChooseListed(_)
            | Command::ReopenEarlier(_)
            | Command::PreferSource(_)
            | Command::ShowFailure
            | Command::LeaveFailure
            | Command::ShowProgram(_)
            | Command::Select(_)
            | Command::SetOptions(_)
            | Command::SetOther(_)
            | Command::SetRunSettings(_)
            | Command::SetCompileSettings(_)
            | Command::SetSpeculativeSettings(_)
            | Command::SetStatisticsSettings(_)
            | Command::SetPreferences(_)
            | Command::ChooseContents(_)
            | Command::DropContents(_)
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
            | Command::TakePaths(..)
            | Command::Show(_)
            | Command::ShowTab(_)
            | Command::Arrange { .. }
            | Command::Focus(_)
            | Command::SetScreen(_)
            | Command::SaveSession
            | Command::ListNames(_)
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
    fn the_most_specific_key_wins() {
        let ctx = egui::Context::default();
        let modifiers = Modifiers { ctrl: true, command: true, shift: true, ..Modifiers::NONE };
        let event = egui::Event::Key { key: Key::Tab, physical_key: None, pressed: true, repeat: false, modifiers };
        let input = egui::RawInput { events: vec![event], ..Default::default() };
        let mut found = Vec::new();
        let _ = ctx.run_ui(input, |ui| found.extend(pressed(ui.ctx(), true)));
        assert_eq!(found, [Command::PreviousTab]);
    }
}
