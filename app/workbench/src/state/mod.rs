//! State of the inspector, without a toolkit: the window and the terminal form show it.
//!
//! * [`program`]: open programs; [`history`]: their earlier options; [`opening`]: files that are being opened; [`failure`]: files that did not open.
//! * [`tabs`]: the mode and its tabs; [`arrangement`]: operations on them; [`overlay`]: dialogs; [`messages`]; [`samples`].
//! * [`corpus`]: the result over many pipelines.
//! * [`comparing`]: what a program is compared with; [`stepper`]: the run of a work graph that is stepped;
//!   [`debugger`]: a session of the debugger.
//! * [`saving`]: files that wait for a place; [`tasks`]: what is under way.
//!
//! Only [`crate::update`] changes it.

pub mod arrangement;
pub mod comparing;
pub mod corpus;
pub mod debugged_record;
pub mod debugger;
pub mod failure;
pub mod history;
pub mod messages;
pub mod opening;
pub mod overlay;
pub mod program;
pub mod samples;
pub mod saving;
pub mod sources;
pub mod stepper;
pub mod tabs;
pub mod tasks;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::time::Instant;

use comparing::PairRequest;
use corpus::CorpusPage;
use failure::FailurePage;
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::Screen;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::settings::Settings;
use lanescope_inspector::tasks::Task;
use lanescope_inspector::view::{ViewId, ViewInfo};
use messages::Messages;
use opening::{Opening, Previous};
use overlay::Overlay;
use program::OpenProgram;
use samples::Samples;
use saving::Pending;
use tabs::Tabs;
use tasks::Running;

use lanescope_host::drivers::Stop;
use lanescope_host::session::{Earlier, Session};

/// All of it.
pub struct State {
    /// What the session file keeps.
    pub session: Session,
    /// Programs of the last session, until they are opened again.
    pub previous: Previous,
    /// Other sessions that were closed, the one that was closed last first.
    pub earlier: Vec<Earlier>,
    /// Files that are read for programs that are not open yet.
    pub opening: BTreeMap<ProgramId, Opening>,
    /// Open programs, in the order of the switcher.
    pub programs: Vec<OpenProgram>,
    /// Index of the shown program.
    pub active: usize,
    /// What is shown where no failure is in front.
    pub page: Page,
    /// Files that did not open, where that is shown.
    pub failure: Option<FailurePage>,
    /// The result over many pipelines that is open.
    pub corpus: Option<CorpusPage>,
    /// The samples.
    pub samples: Samples,
    /// The tabs.
    pub tabs: Tabs,
    /// Messages.
    pub messages: Messages,
    /// The open overlay.
    pub overlay: Overlay,
    /// Counts overlays: another number is another overlay.
    pub overlay_number: u64,
    /// Overlays that open next, in order.
    pub questions: VecDeque<Overlay>,
    /// What waits for a place to be written to.
    pub pending: Option<Pending>,
    /// Stops the reduction that runs, whose best program so far is its result.
    pub reducing: Option<Stop>,
    /// Programs to compare once both are open.
    pub pairs: Vec<PairRequest>,
    /// Devices, and settings of runs and compiles.
    pub settings: Settings,
    /// Jobs that run.
    pub running: Running,
    /// Properties of the window.
    pub screen: Screen,
    /// Whether a terminal shows it.
    pub is_terminal: bool,
    /// When the session changed after it was written.
    pub unsaved_since: Option<Instant>,
    /// Why the session could not be written the last time.
    pub save_error: Option<String>,
    /// Counts changes of what is shown.
    revision: u64,
    /// The next program's number.
    next_id: ProgramId,
    /// Counts files that were written on request.
    exports: u64,
}

/// What is shown where no failure is in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// The samples.
    Gallery,
    /// The active program; while there is none, the one that is being loaded.
    Program,
    /// The result over many pipelines.
    Corpus,
}

impl State {
    /// State as the session left it, without programs, for these views.
    pub fn new(mut session: Session, views: Vec<&'static ViewInfo>) -> State {
        let previous = Previous { programs: std::mem::take(&mut session.open), active: session.active };
        // The one that was opened last comes first.
        for program in &previous.programs {
            session.remember(program.clone());
        }
        let settings = Settings {
            devices: Task::NEVER,
            installed: lanescope_core::driver::Installed::default(),
            run: session.run.clone(),
            compile: session.compile.clone(),
            speculative: session.ahead.clone(),
            statistics: session.statistics.clone(),
            texts: session.texts.clone(),
            costs: session.costs.clone(),
        };
        let tabs = Tabs::new(&session.tabs, views);
        State {
            session,
            previous,
            earlier: Vec::new(),
            opening: BTreeMap::new(),
            programs: Vec::new(),
            active: 0,
            page: Page::Gallery,
            failure: None,
            corpus: None,
            samples: Samples::default(),
            tabs,
            messages: Messages::default(),
            overlay: Overlay::None,
            overlay_number: 0,
            questions: VecDeque::new(),
            pending: None,
            reducing: None,
            pairs: Vec::new(),
            settings,
            running: Running::default(),
            screen: Screen::default(),
            is_terminal: false,
            unsaved_since: None,
            save_error: None,
            revision: 0,
            next_id: 0,
            exports: 0,
        }
    }

    /// The shown program.
    pub fn program(&self) -> Option<&OpenProgram> {
        self.programs.get(self.active)
    }

    /// The shown program.
    pub fn program_mut(&mut self) -> Option<&mut OpenProgram> {
        self.programs.get_mut(self.active)
    }

    /// The shown program, where the samples are not in front of it.
    pub fn in_front(&self) -> Option<&OpenProgram> {
        self.program().filter(|_| self.page == Page::Program)
    }

    /// The result over many pipelines, where it is shown.
    pub fn corpus_in_front(&self) -> Option<&CorpusPage> {
        self.corpus.as_ref().filter(|_| self.page == Page::Corpus)
    }

    /// A program by its number.
    pub fn find(&mut self, id: ProgramId) -> Option<&mut OpenProgram> {
        self.programs.iter_mut().find(|program| program.id == id)
    }

    /// Whether a failure is shown over the open programs, as a question is. Without one it has the window to itself.
    pub fn failure_covers(&self) -> bool {
        self.failure.is_some() && !self.programs.is_empty()
    }

    /// Index of the program that these files are.
    pub fn index_of(&self, paths: &[PathBuf]) -> Option<usize> {
        self.programs.iter().position(|program| program.paths == paths)
    }

    /// Whether these files are open as one program.
    pub fn is_open(&self, paths: &[PathBuf]) -> bool {
        self.index_of(paths).is_some()
    }

    /// Whether the options are shown. The tabs have switches of their own for what is changed most, so these take no
    /// room until they are requested.
    pub fn shows_options(&self) -> bool {
        self.session.options_shown.unwrap_or(false)
    }

    /// Whether the list of pipelines is open or opens next: nothing loads until one is chosen.
    pub fn asks_for_pipeline(&self) -> bool {
        std::iter::once(&self.overlay).chain(&self.questions).any(|overlay| matches!(overlay, Overlay::Pipelines(_)))
    }

    /// Whether dropped files are compared with the shown program: the keys go to that tab.
    pub fn drops_compare(&self) -> bool {
        self.in_front().is_some() && self.tabs.focus() == Some(ViewId::Compare) && self.tabs.shows(ViewId::Compare)
    }

    /// The partner of the shown program's comparison, while it exists.
    pub fn compared_with(&self) -> Option<Partner> {
        let program = self.program()?;
        let with = program.against.as_ref()?.with;
        let exists = match with {
            Partner::SecondSetting => program.analysis.other.is_some(),
            Partner::Program(_) => self.partner().is_some(),
            Partner::Variants => program.variants_file.is_some(),
            Partner::Variant(number) => {
                program.results.variants.done().is_some_and(|done| number < done.programs.len())
            }
        };
        exists.then_some(with)
    }

    /// Index of the program that the shown one is compared with.
    pub fn partner(&self) -> Option<usize> {
        let Partner::Program(id) = self.program()?.against.as_ref()?.with else { return None };
        self.programs.iter().position(|program| program.id == id)
    }

    /// The session as it is now.
    pub fn session_now(&mut self) -> &Session {
        self.keep_shown();
        self.session.open = self.programs.iter().map(OpenProgram::remembered).collect();
        self.session.active = self.active;
        &self.session
    }

    /// The theme of windows or of terminals, whichever shows it.
    pub fn theme(&self) -> lanescope_inspector::settings::Theme {
        if self.is_terminal { self.session.terminal_theme } else { self.session.theme }
    }

    /// Notes the open programs in the recent list, as they are now.
    pub fn remember_open(&mut self) {
        self.keep_shown();
        for program in &self.programs {
            self.session.remember(program.remembered());
        }
    }

    /// Keeps how the tabs are in the session.
    pub(crate) fn keep_tabs(&mut self) {
        let shown = self.keep_shown();
        if shown || self.session.tabs != *self.tabs.saved() {
            self.session.tabs = self.tabs.saved().clone();
            self.touch_session();
        }
    }

    /// Keeps how the tabs are in the program that they show. Whether that has changed.
    pub(crate) fn keep_shown(&mut self) -> bool {
        let Some((of, shown)) = self.tabs.shown_of() else { return false };
        let Some(program) = self.find(of) else { return false };
        let changed = program.tabs.as_ref() != Some(&shown);
        program.tabs = Some(shown);
        changed
    }

    /// Notes that the session has changed.
    pub(crate) fn touch_session(&mut self) {
        self.unsaved_since = Some(Instant::now());
    }

    /// Opens an overlay instead of the open one.
    pub(crate) fn show_overlay(&mut self, overlay: Overlay) {
        self.overlay = overlay;
        self.overlay_number += 1;
    }

    pub(crate) fn next_revision(&mut self) -> u64 {
        self.revision += 1;
        self.revision
    }

    /// The next program's number.
    pub(crate) fn new_id(&mut self) -> ProgramId {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// The number of the next file that is written on request.
    pub(crate) fn next_export(&mut self) -> u64 {
        self.exports += 1;
        self.exports
    }
}
