//! Labels, menus, names and keys of commands: those of the window and of the terminal form.

use lanescope_core::dxil::Signature;
use lanescope_inspector::chord::{Chord, Key};
use lanescope_inspector::command::Command;
use lanescope_inspector::corpus::CorpusCommand;
use lanescope_inspector::debugging::DebugCommand;
use lanescope_inspector::layout::Move;
use lanescope_inspector::mode::Mode;
use lanescope_inspector::settings::Theme;
use lanescope_inspector::stepping::StepCommand;

pub use crate::tab_keys::{DEBUG_TAB, keys_of_tab};

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
    /// Every menu with its label, as the menu bar shows them; Alt and the letter open it.
    pub const ALL: [(Menu, &str, char); 6] = [
        (Menu::File, "File", 'F'),
        (Menu::Edit, "Edit", 'E'),
        (Menu::View, "View", 'V'),
        (Menu::Run, "Run", 'R'),
        (Menu::Compile, "Compile", 'C'),
        (Menu::Help, "Help", 'H'),
    ];
}

/// One row of the table of commands.
#[derive(Debug)]
pub struct Row {
    /// What it does.
    pub command: Command,
    /// Its name in menus and in the palette.
    pub label: &'static str,
    /// Its name on the command line of the terminal form: `open-path`.
    pub name: &'static str,
    /// The plain key that does it in the terminal form.
    pub letter: Option<char>,
    /// The keys that do it; menus show the first.
    pub keys: &'static [Chord],
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
/// The submenu of digests.
const SIGN: &str = "Sign container";
/// The submenu of the debugger.
const DEBUGGER: &str = "Debugger";

const fn plain(key: Key) -> Chord {
    Chord::plain(key)
}

const fn ctrl(key: char) -> Chord {
    Chord::plain(Key::Char(key)).ctrl()
}

const fn f(number: u8) -> Chord {
    Chord::plain(Key::F(number))
}

const fn row(command: Command, menu: Menu, name: &'static str, label: &'static str, keys: &'static [Chord]) -> Row {
    Row { command, label, name, letter: None, keys, menu, submenu: None, new_group: false, needs_program: false }
}

impl Row {
    const fn of(mut self, submenu: &'static str) -> Row {
        self.submenu = Some(submenu);
        self
    }

    const fn letter(mut self, letter: char) -> Row {
        self.letter = Some(letter);
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
    row(Command::Open, Menu::File, "open", "Open…", &[ctrl('O')]).letter('o'),
    row(Command::OpenPath, Menu::File, "open-path", "Open by path…", &[ctrl('O').shift()]),
    row(Command::ChoosePipeline, Menu::File, "pipeline", "Choose pipeline…", &[ctrl('L').shift()])
        .letter('P')
        .program(),
    row(Command::Samples, Menu::File, "samples", "Samples", &[ctrl('G')]).letter('A'),
    row(Command::Reopen, Menu::File, "reopen", "Reopen last session", &[ctrl('T').shift()]),
    row(Command::Reload, Menu::File, "reload", "Reload", &[f(5), ctrl('R')]).letter('R').group().program(),
    row(Command::ExportPicture, Menu::File, "export-picture", "Export picture…", &[ctrl('E')]).program(),
    row(Command::ExportScript, Menu::File, "export-script", "Export as Amber script…", &[]).program(),
    row(Command::Sign(None), Menu::File, "sign", "Sign as DXC does…", &[]).of(SIGN).program(),
    row(Command::Sign(Some(Signature::Retail)), Menu::File, "sign-retail", "Sign with the hash…", &[])
        .of(SIGN)
        .program(),
    row(Command::Sign(Some(Signature::Debug)), Menu::File, "sign-debug", "Sign with the debug hash…", &[])
        .of(SIGN)
        .program(),
    row(Command::Sign(Some(Signature::Preview)), Menu::File, "sign-preview", "Sign as preview…", &[])
        .of(SIGN)
        .program(),
    row(Command::Sign(Some(Signature::Bypass)), Menu::File, "sign-bypass", "Sign as bypass…", &[]).of(SIGN).program(),
    row(Command::Sign(Some(Signature::None)), Menu::File, "sign-none", "Sign with no digest…", &[]).of(SIGN).program(),
    row(Command::Reduce(String::new()), Menu::File, "reduce", "Reduce…", &[]).program(),
    row(Command::SaveRewritten, Menu::File, "save-rewritten", "Save rewritten modules…", &[ctrl('S')])
        .letter('w')
        .program(),
    row(Command::CloseProgram, Menu::File, "close", "Close", &[ctrl('W')]).letter('X').group().program(),
    row(Command::Quit, Menu::File, "quit", "Quit", &[ctrl('Q')]).letter('q'),
    row(Command::Undo, Menu::Edit, "undo", "Undo change", &[ctrl('Z')]).letter('u').program(),
    row(Command::Redo, Menu::Edit, "redo", "Redo change", &[ctrl('Z').shift(), ctrl('Y')]).letter('U').program(),
    row(Command::ResetOptions, Menu::Edit, "reset-options", "Reset options", &[]).program(),
    row(Command::CopyTable, Menu::Edit, "copy-table", "Copy table", &[ctrl('C').shift()]).letter('Y').group().program(),
    row(Command::Search, Menu::Edit, "search", "Search", &[ctrl('F')]).letter('/').program(),
    row(Command::GoToLine, Menu::Edit, "line", "Go to line…", &[ctrl('L')]).letter('L').program(),
    row(Command::ToggleBookmark, Menu::Edit, "bookmark", "Toggle bookmark", &[f(2).ctrl()]).letter('M').program(),
    row(Command::NextBookmark, Menu::Edit, "next-bookmark", "Next bookmark", &[f(2)]).letter('\'').program(),
    row(Command::PreviousBookmark, Menu::Edit, "previous-bookmark", "Previous bookmark", &[f(2).shift()])
        .letter('"')
        .program(),
    row(Command::NextChange, Menu::Edit, "next-change", "Next change", &[f(8)]).letter('}').program(),
    row(Command::PreviousChange, Menu::Edit, "previous-change", "Previous change", &[f(8).shift()])
        .letter('{')
        .program(),
    row(Command::ClearSelection, Menu::Edit, "clear", "Clear selection", &[ctrl('A').shift()]).letter('z').program(),
    row(Command::Preferences, Menu::Edit, "preferences", "Preferences…", &[ctrl(',').shift()]).group(),
    row(Command::Palette, Menu::View, "palette", "Command palette…", &[ctrl('P').shift(), ctrl('K')]).letter(':'),
    row(Command::SetMode(Mode::Layout), Menu::View, "mode-layout", "Layout mode", &[ctrl('1')])
        .letter('1')
        .group()
        .program(),
    row(Command::SetMode(Mode::Compiled), Menu::View, "mode-compiled", "Compiled mode", &[ctrl('2')])
        .letter('2')
        .program(),
    row(Command::SetMode(Mode::Run), Menu::View, "mode-run", "Run mode", &[ctrl('3')]).letter('3').program(),
    row(Command::SetMode(Mode::Compare), Menu::View, "mode-compare", "Compare mode", &[ctrl('4')])
        .letter('4')
        .program(),
    row(Command::Inspect, Menu::View, "details", "Details", &[ctrl('I')]).letter('i').group().program(),
    row(Command::Findings, Menu::View, "findings", "Findings", &[ctrl('M').shift()]).letter('F').program(),
    row(Command::Options, Menu::View, "options", "Options", &[ctrl(',')]).letter('O').program(),
    row(Command::SideBySide, Menu::View, "side-by-side", "Compare two settings", &[ctrl('D')])
        .letter('D')
        .group()
        .program(),
    row(Command::Compare, Menu::View, "compare", "Compare with…", &[ctrl('D').shift()]).letter('=').program(),
    row(Command::Variants, Menu::View, "variants", "Compare variants…", &[]).program(),
    row(Command::Corpus(CorpusCommand::Show), Menu::View, "corpus", "Corpus result", &[ctrl('R').shift()]).letter('Q'),
    row(Command::NextProgram, Menu::View, "next-program", "Next program", &[plain(Key::Tab).ctrl()])
        .letter(']')
        .group()
        .program(),
    row(
        Command::PreviousProgram,
        Menu::View,
        "previous-program",
        "Previous program",
        &[plain(Key::Tab).ctrl().shift()],
    )
    .letter('[')
    .program(),
    row(Command::NextTab, Menu::View, "next-tab", "Next tab", &[plain(Key::PageDown).ctrl()])
        .letter('>')
        .of(TABS)
        .group()
        .program(),
    row(Command::PreviousTab, Menu::View, "previous-tab", "Previous tab", &[plain(Key::PageUp).ctrl()])
        .letter('<')
        .of(TABS)
        .program(),
    row(
        Command::MoveTab(Move::NextGroup),
        Menu::View,
        "move-tab-next",
        "Move tab to next pane",
        &[plain(Key::Right).alt()],
    )
    .of(TABS)
    .group()
    .program(),
    row(
        Command::MoveTab(Move::Right),
        Menu::View,
        "move-tab-right",
        "Move tab to right pane",
        &[plain(Key::Right).alt().shift()],
    )
    .of(TABS)
    .program(),
    row(
        Command::MoveTab(Move::Below),
        Menu::View,
        "move-tab-below",
        "Move tab to lower pane",
        &[plain(Key::Down).alt().shift()],
    )
    .of(TABS)
    .program(),
    row(
        Command::LargerGroup,
        Menu::View,
        "grow-pane",
        "Grow pane",
        &[plain(Key::Char('+')).alt(), plain(Key::Char('=')).alt()],
    )
    .letter('+')
    .of(TABS)
    .program(),
    row(Command::SmallerGroup, Menu::View, "shrink-pane", "Shrink pane", &[plain(Key::Char('-')).alt()])
        .letter('-')
        .of(TABS)
        .program(),
    row(Command::ResetLayout, Menu::View, "reset-layout", "Reset layout", &[]).of(TABS).group().program(),
    row(Command::ToggleTheme, Menu::View, "theme", "Switch between light and dark", &[ctrl('T')])
        .letter('T')
        .of(APPEARANCE),
    row(Command::SetTheme(Theme::Light), Menu::View, "theme-light", "Light", &[]).of(APPEARANCE),
    row(Command::SetTheme(Theme::Dark), Menu::View, "theme-dark", "Dark", &[]).of(APPEARANCE),
    row(Command::SetTheme(Theme::System), Menu::View, "theme-system", "Follow the system", &[]).of(APPEARANCE),
    row(Command::ZoomIn, Menu::View, "zoom-in", "Larger", &[ctrl('+'), ctrl('=')]).of(APPEARANCE).group(),
    row(Command::ZoomOut, Menu::View, "zoom-out", "Smaller", &[ctrl('-')]).of(APPEARANCE),
    row(Command::ZoomReset, Menu::View, "zoom-reset", "Normal size", &[ctrl('0')]).of(APPEARANCE),
    row(Command::ToggleTints, Menu::View, "tints", "Source lines: tints on or off", &[]).of(APPEARANCE).group(),
    row(Command::Run, Menu::Run, "run", "Run on the device", &[f(9)]).letter('r').program(),
    row(Command::Measure, Menu::Run, "measure", "Measure the workgroup on the device", &[f(9).shift()])
        .letter('m')
        .program(),
    row(Command::ShowCosts, Menu::Run, "costs", "Show the costs of the layout", &[f(9).ctrl().shift()])
        .letter('%')
        .program(),
    row(Command::TimeLayouts, Menu::Run, "time-layouts", "Time the layouts on the device", &[f(9).alt()])
        .letter('^')
        .program(),
    row(Command::Step(StepCommand::Step), Menu::Run, "step", "Step a work graph", &[f(10)])
        .letter('s')
        .group()
        .program(),
    row(Command::Step(StepCommand::StepBack), Menu::Run, "step-back", "Step back", &[f(6).ctrl()])
        .letter('S')
        .program(),
    row(Command::Step(StepCommand::RunToNode), Menu::Run, "run-to-node", "Run to the selected node", &[f(10).ctrl()])
        .letter('t')
        .program(),
    row(
        Command::Step(StepCommand::RunToGeneration),
        Menu::Run,
        "run-to-generation",
        "Run to a generation",
        &[ctrl('G').shift()],
    )
    .letter('a')
    .program(),
    row(Command::Step(StepCommand::Continue), Menu::Run, "continue", "Run to a breakpoint", &[f(6)])
        .letter('c')
        .program(),
    row(Command::Step(StepCommand::RunToEnd), Menu::Run, "run-to-end", "Run to the end", &[f(6).shift()])
        .letter('e')
        .program(),
    row(Command::Step(StepCommand::Restart), Menu::Run, "restart", "Restart, step by step", &[f(10).ctrl().shift()])
        .letter('E')
        .program(),
    row(
        Command::Step(StepCommand::Resume),
        Menu::Run,
        "resume",
        "Resume from the shown generation",
        &[f(6).ctrl().shift()],
    )
    .letter('C')
    .program(),
    row(
        Command::Step(StepCommand::ToggleBreakpoint),
        Menu::Run,
        "breakpoint",
        "Toggle breakpoint at the selected node",
        &[ctrl('B')],
    )
    .letter('b')
    .program(),
    row(Command::Debug(DebugCommand::Restart), Menu::Run, "debug", "Start or restart the debugger", &[f(12).ctrl()])
        .letter('d')
        .of(DEBUGGER)
        .group()
        .program(),
    row(Command::Debug(DebugCommand::Launch), Menu::Run, "debug-launch", "Debug this launch", &[f(9).ctrl()])
        .letter('I')
        .of(DEBUGGER)
        .program(),
    row(Command::Debug(DebugCommand::StepInto), Menu::Run, "step-into", "Step into", &[f(11)])
        .letter('f')
        .of(DEBUGGER)
        .group()
        .program(),
    row(Command::Debug(DebugCommand::StepOver), Menu::Run, "step-over", "Step over", &[f(11).ctrl()])
        .letter(',')
        .of(DEBUGGER)
        .program(),
    row(Command::Debug(DebugCommand::StepOut), Menu::Run, "step-out", "Step out", &[f(11).shift()])
        .letter('V')
        .of(DEBUGGER)
        .program(),
    row(Command::Debug(DebugCommand::StepBack), Menu::Run, "step-backwards", "Step backwards", &[f(11).ctrl().shift()])
        .letter('B')
        .of(DEBUGGER)
        .program(),
    row(Command::Debug(DebugCommand::Continue), Menu::Run, "debug-continue", "Continue", &[f(12)])
        .letter('p')
        .of(DEBUGGER)
        .program(),
    row(
        Command::Debug(DebugCommand::ContinueBack),
        Menu::Run,
        "continue-backwards",
        "Continue backwards",
        &[f(12).shift()],
    )
    .letter('W')
    .of(DEBUGGER)
    .program(),
    row(
        Command::Debug(DebugCommand::SwitchProgram),
        Menu::Run,
        "debug-switch",
        "Debug the original or the rewritten program",
        &[plain(Key::F(12)).alt()],
    )
    .of(DEBUGGER)
    .group()
    .program(),
    row(
        Command::Debug(DebugCommand::ToggleBeside),
        Menu::Run,
        "debug-beside",
        "Compare values with the other program",
        &[plain(Key::F(12)).alt().shift()],
    )
    .of(DEBUGGER)
    .program(),
    row(Command::Debug(DebugCommand::Stop), Menu::Run, "debug-stop", "End the debugger", &[f(12).ctrl().shift()])
        .letter('Z')
        .of(DEBUGGER)
        .program(),
    row(Command::CancelWork, Menu::Run, "cancel", "Cancel work", &[ctrl('.')]).letter('.').group(),
    row(Command::Compile, Menu::Compile, "compile", "Compile with drivers' compilers", &[f(7)]).letter('x').program(),
    row(
        Command::CompileSpeculatively,
        Menu::Compile,
        "compile-speculatively",
        "Compile speculatively",
        &[f(7).shift()],
    )
    .program(),
    row(
        Command::CompileCorpus,
        Menu::Compile,
        "compile-corpus",
        "Compile all pipelines of the database speculatively",
        &[],
    )
    .program(),
    row(
        Command::SurveyGuesses,
        Menu::Compile,
        "survey-guesses",
        "Guess the layouts of all pipelines of the database",
        &[],
    )
    .program(),
    row(Command::Help, Menu::Help, "help", "Manual", &[f(1)]).letter('H'),
    row(Command::Keys, Menu::Help, "keys", "Keys", &[f(1).shift()]).letter('?'),
    row(Command::About, Menu::Help, "about", "About Lanescope", &[]),
];

impl Row {
    /// Every key of the command, as this writes them: `Ctrl+F11, F10 in Debug`.
    pub fn key_list(&self, text: impl Fn(&Chord) -> String) -> String {
        let everywhere = self.keys.iter().map(&text);
        let own = keys_of_tab(Some(DEBUG_TAB)).iter().filter(|(_, command)| *command == self.command);
        everywhere.chain(own.map(|(key, _)| format!("{} in Debug", text(key)))).collect::<Vec<_>>().join(", ")
    }
}

/// The row of a command, if it is one of the table.
pub fn row_of(command: &Command) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.command == *command)
}

#[cfg(test)]
mod tests;
