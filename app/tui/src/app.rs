//! The terminal form between two drawings: messages become commands, commands change the state.

use std::collections::BTreeMap;
use std::time::Duration;

use lanescope_core::compare::compare;
use lanescope_core::options::Options;
use lanescope_core::target::Target;
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::{Command, PictureFile, Screen};
use lanescope_inspector::corpus::CorpusCommand;
use lanescope_inspector::settings::CompileSettings;
use lanescope_inspector::view::{Ask, BUILTIN, ViewId};
use lanescope_pictures::draw::{PictureKind, comparison, picture};
use lanescope_pictures::theme::Theme as PictureTheme;
use ratatui::crossterm::event::{Event, KeyEvent, KeyEventKind};
use ratatui::layout::{Position, Rect};

use super::Begin;
use super::divider::{Divider, Dragged};
use super::field::{Edited, Field};
use super::graphics::{Answer, Graphics, Images, cell_of_window};
use super::keys::{self, Action};
use super::look::Look;
use super::overlay::Dialog;
use super::pane::{Motion, Pane, Spot};
use super::pane_id::PaneId;
use super::prompt::Prompt;
use super::terminal::COPIED_AT_MOST;
use super::typed::Typed;
use super::views::Views;
use lanescope_host::jobs::Wake;
use lanescope_host::session::{Session, Store};
use lanescope_workbench::engine::Engine;
use lanescope_workbench::outcome::{Outcome, Picked};
use lanescope_workbench::services::{Services, until_saved};
use lanescope_workbench::state::comparing::ComparisonNames;
use lanescope_workbench::state::overlay::Overlay;
use lanescope_workbench::state::program::GivenTarget;
use lanescope_workbench::state::tasks::Tag;
use lanescope_workbench::state::{Page, State};
use lanescope_workbench::update::effects::{self, Effect, Effects};
use lanescope_workbench::update::{start, update};

/// How often the time of work that is under way is drawn again.
const TICK: Duration = Duration::from_millis(500);
/// Below this width all panes are one.
pub const NARROW: u16 = 110;

/// The terminal form.
pub struct App {
    pub state: State,
    pub services: Services,
    pub look: Look,
    /// Panes, with their cursors.
    pub panes: BTreeMap<PaneId, Pane>,
    /// How each program's panes are looked at.
    pub views: BTreeMap<ProgramId, Views>,
    /// Counts changes of what panes show.
    pub epoch: u64,
    received: u64,
    /// What is typed, and for what.
    pub prompt: Option<(Prompt, Field)>,
    pub dialog: Dialog,
    /// What was said last about a key.
    pub notice: Option<String>,
    /// Where panes were drawn.
    pub areas: Vec<(Rect, PaneId)>,
    /// Lines between panes.
    pub dividers: Vec<Divider>,
    /// The line that is dragged.
    pub dragged: Option<Dragged>,
    /// Where commands were drawn.
    pub buttons: Vec<(Rect, Command)>,
    pub caret: Option<Position>,
    /// Texts for the clipboard.
    pub copied: Vec<String>,
    pub title: Option<String>,
    pub quits: bool,
    pub suspends: bool,
    pub redraws: bool,
    /// How the terminal draws images, where it does.
    pub graphics: Option<Graphics>,
    /// Those that it has.
    pub images: Images,
    /// The terminal's own background is light.
    light: bool,
    /// The target of the program that is opened first.
    target: Option<Target>,
}

impl App {
    /// The terminal form as the session left it, without programs.
    pub fn new(engine: Engine, store: Option<Store>, session: Session, look: Look, wake: Wake) -> App {
        let mut state = State::new(session, BUILTIN.to_vec());
        state.is_terminal = true;
        App {
            state,
            services: Services::new(engine, store, wake),
            look,
            panes: BTreeMap::new(),
            views: BTreeMap::new(),
            epoch: 1,
            received: 0,
            prompt: None,
            dialog: Dialog::default(),
            notice: None,
            areas: Vec::new(),
            dividers: Vec::new(),
            dragged: None,
            buttons: Vec::new(),
            caret: None,
            copied: Vec::new(),
            title: None,
            quits: false,
            suspends: false,
            redraws: false,
            graphics: None,
            images: Images::default(),
            light: look.light,
            target: None,
        }
    }

    /// Opens the files that the program was started with, compared with others if any, or the start page.
    pub fn begin(&mut self, begin: Begin) {
        let Begin { files, against, chips, icds, target } = begin;
        if !chips.is_empty() || !icds.is_empty() {
            let now = self.state.settings.compile.clone();
            let devices = if chips.is_empty() { now.devices.clone() } else { Vec::new() };
            let chips = if chips.is_empty() { now.chips.clone() } else { chips };
            let icds = if icds.is_empty() { now.icds.clone() } else { icds };
            // Not with a command: what the command line names is not kept by the session.
            self.state.settings.compile = CompileSettings { chips, devices, icds, ..now };
        }
        self.target = target;
        let effects = start(&mut self.state, files, against);
        self.carry_out(effects);
    }

    /// Gives the first program the target that the command line names.
    fn set_target(&mut self) {
        let Some(program) = self.state.in_front().filter(|program| !program.frozen) else { return };
        let options = program.options.clone();
        if let Some(target) = self.target.take().filter(|target| *target != options.target) {
            let before = options.target;
            self.act(Command::SetOptions(Box::new(Options { target, ..options })));
            if let Some(program) = self.state.program_mut() {
                program.given_target = Some(GivenTarget { target, before });
            }
        }
    }

    /// Ends all work, and writes the session.
    pub fn end(&mut self) {
        if let Err(error) = self.services.end(&mut self.state) {
            eprintln!("lanescope: {error}");
        }
    }

    /// Carries out a command.
    pub fn act(&mut self, command: Command) {
        if changes_panes(&command) {
            self.epoch += 1;
        }
        // Options have no panel here: the palette lists their values.
        self.dialog.only_options = match command {
            Command::Options => true,
            Command::Palette => false,
            _ => self.dialog.only_options,
        };
        let command = if command == Command::Options { Command::Palette } else { command };
        let effects = update(&mut self.state, command);
        self.carry_out(effects);
    }

    /// Takes results of jobs, and writes the session once it rests.
    pub fn poll(&mut self) {
        let left = self.services.poll(&mut self.state);
        if std::mem::replace(&mut self.received, self.services.received) != self.services.received {
            self.epoch += 1;
        }
        self.show(left);
        self.set_target();
        if until_saved(&self.state).is_some_and(|rest| rest.is_zero()) {
            self.act(Command::SaveSession);
        }
    }

    /// How long to wait for messages at most.
    pub fn next_wait(&self) -> Option<Duration> {
        let save = until_saved(&self.state);
        // A paused run computes nothing: there is no time to show.
        let works = self.state.running.iter().any(|(tag, _)| !self.is_paused(tag));
        let sorts = self.is_sorting().then_some(Duration::ZERO);
        save.into_iter().chain(works.then_some(TICK)).chain(sorts).min()
    }

    /// Continues to sort and filter the records of the shown program.
    pub fn follow_order(&mut self) {
        let program = match self.state.in_front() {
            Some(program) if program.analysis.report.graph.is_some() => program,
            _ => return,
        };
        let views = self.views.entry(program.id).or_default();
        views.order.follow(program, &views.records, self.received);
    }

    /// Whether records are still being sorted.
    fn is_sorting(&self) -> bool {
        let views = self.state.in_front().and_then(|program| self.views.get(&program.id));
        views.is_some_and(|views| views.order.is_working())
    }

    /// Whether this is the job of a paused run.
    pub fn is_paused(&self, tag: &Tag) -> bool {
        let Tag::Task(_, Some(id)) = tag else { return false };
        let of = self.state.programs.iter().find(|program| program.id == *id);
        of.is_some_and(|program| program.results.paused_text().is_some())
    }

    fn carry_out(&mut self, effects: Effects) {
        let left = self.services.carry_out(effects);
        self.show(left);
    }

    /// Carries out effects on the screen.
    fn show(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                // A terminal has no dialog of the system: the path is typed.
                Effect::Dialog(dialog) => {
                    self.services.jobs.start(Tag::Dialog, "asking for a path", move |_| typed(dialog));
                }
                Effect::Copy(text) => self.copy(text),
                Effect::Title(title) => self.title = Some(title),
                Effect::Close => self.quits = true,
                Effect::Theme(theme) => {
                    self.look = self.look.with_theme(theme, self.light);
                    self.epoch += 1;
                }
                Effect::Ask(ask) => self.answer(ask),
                Effect::Forget(id) => {
                    self.panes.retain(|pane, _| pane.program() != Some(id));
                    self.views.remove(&id);
                }
                Effect::Zoom(_) => self.notice = Some("The size of text is set in the terminal.".to_owned()),
                Effect::EnterTab | Effect::Start(_) | Effect::Cancel(_) | Effect::Watch(_) | Effect::SaveSession(_) => {
                }
            }
        }
    }

    fn copy(&mut self, text: String) {
        if text.len() > COPIED_AT_MOST {
            self.notice = Some(format!("Not copied: {} bytes, terminals take {COPIED_AT_MOST} at most.", text.len()));
        } else {
            self.notice = Some(format!("Copied {} bytes.", text.len()));
            self.copied.push(text);
        }
    }

    /// The pane that has the keys.
    pub fn focus(&self) -> PaneId {
        if self.state.failure.is_some() {
            return PaneId::Failure;
        }
        if let Some(page) = self.state.corpus_in_front() {
            return PaneId::Corpus(page.part);
        }
        match self.state.in_front() {
            Some(program) => self.state.tabs.focus().map_or(PaneId::Loading, |view| PaneId::View(program.id, view)),
            None if self.state.page == Page::Program => PaneId::Loading,
            None => PaneId::Gallery,
        }
    }

    /// The pane that has the keys.
    pub fn focused(&mut self) -> &mut Pane {
        let id = self.focus();
        self.panes.entry(id).or_default()
    }

    /// Does what is requested of the pane that has the keys.
    fn answer(&mut self, ask: Ask) {
        match ask {
            Ask::Search if self.state.corpus_in_front().is_some() => self.ask(Prompt::Rows),
            Ask::Search => self.ask(Prompt::Search),
            Ask::GoToLine => self.ask(Prompt::Line),
            Ask::Generation => self.ask(Prompt::Generation),
            Ask::CopyTable => {
                let text = self.focused().text();
                self.copy(text);
            }
            Ask::NextChange => self.go(self.change(1)),
            Ask::PreviousChange => self.go(self.change(-1)),
            Ask::ToggleBookmark => self.focused().toggle_bookmark(),
            Ask::NextBookmark => self.go(Motion::Bookmark(1)),
            Ask::PreviousBookmark => self.go(Motion::Bookmark(-1)),
            Ask::ExportPicture => self.export(),
        }
    }

    /// To a change of the tab: of rewritten modules a stretch of lines, elsewhere a section.
    fn change(&self, by: isize) -> Motion {
        if self.state.tabs.focus() == Some(ViewId::Rewritten) { Motion::Change(by) } else { Motion::Section(by) }
    }

    /// Begins to type something.
    pub fn ask(&mut self, prompt: Prompt) {
        if prompt.applies(&self.state) {
            let text = self.begins(prompt);
            self.prompt = Some((prompt, Field::new(&text)));
        } else {
            self.notice = Some("Not available here.".to_owned());
        }
    }

    /// Saves the picture of the pane that has the keys, as the window draws it.
    fn export(&mut self) {
        let Some(program) = self.state.in_front() else { return };
        let Some(view) = self.state.tabs.focus() else { return };
        let theme = if self.look.light { PictureTheme::light() } else { PictureTheme::dark() };
        let report = &program.analysis.report;
        let drawn = |kind: PictureKind, name: &'static str| Some((picture(kind, report, &theme)?, name));
        let drawn = match view {
            ViewId::Packing => drawn(PictureKind::Packing, "packing"),
            ViewId::Workgroup => drawn(PictureKind::Workgroup, "workgroup"),
            ViewId::GuessedLayout => drawn(PictureKind::Layout, "layout"),
            ViewId::Graph => drawn(PictureKind::Graph, "graph"),
            ViewId::Dxil => drawn(PictureKind::DxilParts, "parts"),
            ViewId::Compare => {
                let names = ComparisonNames::new(&self.state);
                let comparing = names.comparing(&self.state);
                let compared = comparing.sides.map(|sides| (sides, compare(sides[0], sides[1])));
                compared.and_then(|(sides, found)| {
                    let section = found.sections.iter().find(|section| !section.equal)?;
                    Some((comparison(section, sides, comparing.names, &theme), "comparison"))
                })
            }
            ViewId::Registers
            | ViewId::Rewritten
            | ViewId::Run
            | ViewId::Debug
            | ViewId::Isa
            | ViewId::Statistics
            | ViewId::CodeObject
            | ViewId::Source
            | ViewId::Overview
            | ViewId::Findings => None,
        };
        match drawn {
            Some((picture, name)) => self.act(Command::SavePicture { picture: PictureFile::new(picture), name }),
            None => self.notice = Some("This tab has no picture.".to_owned()),
        }
    }

    /// The text that a prompt begins with.
    fn begins(&mut self, prompt: Prompt) -> String {
        match prompt {
            Prompt::Explain => self.focused().finding().unwrap_or_default(),
            _ => prompt.begins(&self.state),
        }
    }

    /// Explains the finding at the cursor; asks for a code if there is none.
    fn explain(&mut self) {
        match self.focused().finding() {
            Some(code) => self.act(Command::Explain(code)),
            None => self.ask(Prompt::Explain),
        }
    }

    /// Slides the list of records under the cursor.
    pub fn slide(&mut self, id: &PaneId) {
        let first = self.panes.get_mut(id).and_then(Pane::slide);
        if let (Some(first), Some(views)) = (first, id.program().and_then(|program| self.views.get_mut(&program))) {
            views.records.first = first;
        }
    }

    fn go(&mut self, motion: Motion) {
        let found = self.focused().go(motion);
        let focus = self.focus();
        self.slide(&focus);
        if !found {
            self.notice = Some(
                match motion {
                    Motion::Match(_) if self.focused().searched().is_empty() => "Nothing is searched for; / searches.",
                    Motion::Match(_) => "No match.",
                    Motion::Bookmark(_) => "No bookmark; M sets one.",
                    Motion::Change(_) => "No change.",
                    _ => "No other section.",
                }
                .to_owned(),
            );
        }
    }

    /// Takes input.
    pub fn input(&mut self, event: Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                self.notice = None;
                self.key(key);
            }
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => self.paste(&text),
            Event::Resize(..) | Event::FocusGained | Event::FocusLost | Event::Key(_) => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        let suspends = keys::action(key) == Some(Action::Suspend);
        if suspends {
            self.suspends = true;
            return;
        }
        if let Some((prompt, mut field)) = self.prompt.take() {
            match field.key(key) {
                Edited::Going => self.prompt = Some((prompt, field)),
                Edited::Cancelled => {}
                Edited::Entered => self.prompted(prompt, field.text()),
            }
            return;
        }
        if self.has_dialog() {
            let commands = self.dialog.key(&self.state, key);
            return self.requested(commands);
        }
        let tab = self.state.in_front().and_then(|_| self.state.tabs.focus());
        match keys::of_tab(key, tab).map(Action::Do).or_else(|| keys::action(key)) {
            None => {}
            Some(Action::Do(Command::Search)) => self.answer(Ask::Search),
            Some(Action::Do(command)) => self.act(command),
            Some(Action::Go(motion)) => self.go(motion),
            Some(Action::Follow) => self.follow(),
            Some(Action::CopyLine) => {
                let line = self.focused().line();
                self.copy(line);
            }
            Some(Action::Explain) => self.explain(),
            Some(Action::Escape) => self.escape(),
            Some(Action::Suspend) => self.suspends = true,
            Some(Action::Redraw) => self.redraws = true,
        }
    }

    /// Whether a dialog is open.
    pub fn has_dialog(&self) -> bool {
        !matches!(self.state.overlay, Overlay::None)
    }

    /// Does what a dialog requests.
    pub fn requested(&mut self, commands: Vec<Command>) {
        for command in commands {
            self.act(command);
        }
        if let Some(prompt) = self.dialog.prompt.take() {
            self.ask(prompt);
        }
    }

    fn paste(&mut self, text: &str) {
        if let Some((_, field)) = &mut self.prompt {
            field.paste(text);
        } else if self.has_dialog() {
            self.dialog.paste(&self.state, text);
        }
    }

    /// Takes what was typed at the bottom.
    fn prompted(&mut self, prompt: Prompt, text: &str) {
        match prompt {
            Prompt::Search => {
                let found = if self.has_dialog() { self.dialog.search(text) } else { self.focused().search(text) };
                if !found {
                    self.notice = Some(format!("No match of `{text}`."));
                }
            }
            Prompt::Line => match text.trim().parse::<usize>() {
                Ok(line) => self.focused().go_to(line.saturating_sub(1)),
                Err(_) => self.notice = Some(format!("Not a line number: `{text}`")),
            },
            prompt => match prompt.typed(&self.state, text) {
                Typed::Do(commands) => {
                    commands.into_iter().for_each(|command| self.act(command));
                    if prompt == Prompt::Generation {
                        self.focused().want(Spot::Generation);
                    }
                }
                Typed::Wrong(why) => self.notice = Some(why),
                Typed::Filter(text) => {
                    let Some(id) = self.state.program().map(|program| program.id) else { return };
                    let records = &mut self.views.entry(id).or_default().records;
                    (records.filter, records.first) = (text, 0);
                    self.epoch += 1;
                }
            },
        }
    }

    /// Cancels, leaves or clears what is in front.
    fn escape(&mut self) {
        let corpus = self.state.corpus_in_front().map(|page| page.filter.is_empty());
        let command = if self.state.failure.is_some() {
            Command::LeaveFailure
        } else if corpus == Some(false) {
            Command::Corpus(CorpusCommand::Filter(String::new()))
        } else if self.state.page != Page::Program && self.state.program().is_some() {
            Command::ShowProgram(self.state.active)
        } else if self.state.running.iter().any(|(tag, _)| !self.is_paused(tag) && *tag != Tag::Samples) {
            Command::CancelWork
        } else if let Some(message) = self.state.messages.all().last() {
            Command::Dismiss(message.number)
        } else {
            self.focused().search("");
            Command::ClearSelection
        };
        self.act(command);
    }

    /// Notes what the terminal answered.
    pub fn answered(&mut self, answer: &Answer) {
        self.graphics = Graphics::of(answer, cell_of_window());
        self.light = answer.is_light().unwrap_or(self.light);
        self.look = self.look.with_theme(self.state.theme(), self.light);
        self.epoch += 1;
    }

    /// Notes the size of the terminal.
    pub fn sized(&mut self, area: Rect) {
        let screen = Screen { size: None, narrow: area.width < NARROW, dark: !self.look.light };
        if screen != self.state.screen {
            self.act(Command::SetScreen(screen));
        }
    }

    /// Where the terminal's own cursor is.
    pub fn caret(&self) -> Option<Position> {
        self.caret
    }
}

/// Whether a command can change what panes show, beside what is marked in them.
fn changes_panes(command: &Command) -> bool {
    !matches!(
        command,
        Command::Select(_)
            | Command::ClearSelection
            | Command::Focus(_)
            | Command::Arrange { .. }
            | Command::SetScreen(_)
            | Command::SaveSession
            | Command::Copy(_)
            | Command::Palette
            | Command::Keys
            | Command::Help
            | Command::Read(..)
            | Command::About
            | Command::Explain(_)
            | Command::CloseOverlay
            | Command::Dismiss(_)
            | Command::ListNames(_)
    )
}

/// The answer of a dialog that a terminal does not have: the path is typed.
fn typed(dialog: effects::Dialog) -> Outcome {
    match dialog {
        effects::Dialog::Files(purpose, _) => Outcome::PickedFiles(purpose, Picked::Unavailable),
        effects::Dialog::Contents(id, place, _) => Outcome::PickedContents(id, place, Picked::Unavailable),
        effects::Dialog::Save(_) | effects::Dialog::Folder => Outcome::PickedSave(Picked::Unavailable),
        effects::Dialog::Records(id) => Outcome::PickedRecords(id, Picked::Unavailable),
    }
}
