//! The window's state, and the drawing of one frame.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{CentralPanel, Context, Panel, Ui};
use lanescope_core::options::Options;
use lanescope_inspector::settings::Devices;
use lanescope_inspector::tasks::Task;
use lanescope_inspector::view::Ask;
use lanescope_views::context::{View, ViewCx};
use lanescope_views::registry::builtin_views;

use super::chooser::{Choice, Chooser};
use super::command::{Command, pressed, tab_key};
use super::compare::{PairRequest, Told};
use super::dialog::PathLine;
use super::dock::Dock;
use super::engine::Engine;
use super::failure::{Answer, FailurePage};
use super::gallery::Gallery;
use super::help::Help;
use super::jobs::{Outcome, Tag};
use super::opening::{Opening, Previous};
use super::options_panel::OptionsPanel;
use super::overlay;
use super::palette::Palette;
use super::program::{OpenProgram, ProgramId};
use super::save::{Pending, Replace};
use super::timings::Timings;
use super::toast::Toasts;
use crate::jobs::Jobs;
use crate::session::{Layout, Session, Store, Theme};
use crate::watch::Watch;

/// The session is written when nothing has changed for this long.
const SAVE_AFTER: Duration = Duration::from_secs(1);

/// Files that are dropped together arrive within this time of each other.
const DROP_GATHER: f64 = 0.08;

/// Below this width the options lie over the tabs instead of beside them, and all tabs are one group.
const NARROW: f32 = 700.0;

/// The window.
pub struct App {
    pub(super) ctx: Context,
    pub(super) engine: Engine,
    pub(super) jobs: Jobs<Tag, Outcome>,
    pub(super) watch: Watch,
    pub(super) store: Option<Store>,
    pub(super) session: Session,
    /// Files of the last session, until they are opened again.
    pub(super) previous: Previous,
    /// What is read for programs that are not open yet.
    pub(super) opening: BTreeMap<ProgramId, Opening>,
    pub(super) views: Vec<Box<dyn View>>,
    pub(super) dock: Dock,
    pub(super) programs: Vec<OpenProgram>,
    /// Index of the program that is shown.
    pub(super) active: usize,
    pub(super) page: Page,
    /// The page of the last files that did not open, where it is shown.
    pub(super) failure: Option<FailurePage>,
    pub(super) gallery: Gallery,
    pub(super) options_panel: OptionsPanel,
    pub(super) help: Help,
    pub(super) toasts: Toasts,
    pub(super) overlay: Overlay,
    /// Overlays that open next, in order.
    pub(super) questions: VecDeque<Overlay>,
    /// Request to the front tab, handled when it is next drawn.
    pub(super) ask: Option<Ask>,
    pub(super) pending: Option<Pending>,
    /// What is to be compared once it is open.
    pub(super) pairs: Vec<PairRequest>,
    pub(super) devices: Devices,
    pub(super) revision: u64,
    pub(super) next_id: ProgramId,
    /// All tabs are in one group: the window is narrow.
    pub(super) folded: bool,
    /// The user works with keys rather than with the pointer: what has the keyboard is marked.
    keys_lead: bool,
    /// The widget that had focus in the last frame.
    focused: Option<egui::Id>,
    /// What is to come into view in the next one.
    scroll_to: Option<egui::Id>,
    /// Log of frame timings.
    pub(super) timings: Option<Timings>,
    dropped: Vec<PathBuf>,
    dropped_at: f64,
    unsaved_since: Option<Instant>,
    /// Why the session could not be written the last time.
    pub(super) unkept: Option<String>,
    /// How often files that were requested have been written.
    pub(super) exports: u64,
}

/// What the middle of the window shows where no failure is in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// The samples.
    Gallery,
    /// The active program; while there is none, that one is being loaded.
    Program,
}

/// The open overlay.
#[derive(Debug, Default)]
pub enum Overlay {
    /// Nothing.
    #[default]
    None,
    /// The command palette.
    Palette(Palette),
    /// The manual.
    Help,
    /// The list of keys.
    Keys,
    /// What this is.
    About,
    /// A line for a path.
    Path(PathLine),
    /// Whether files may be replaced.
    Replace(Replace),
    /// The pipelines of a database or of folders.
    Pipelines(Chooser),
}

impl App {
    /// A window as the session left it, without programs.
    pub fn new(ctx: &Context, engine: Engine, store: Option<Store>, mut session: Session) -> App {
        let previous = Previous { programs: std::mem::take(&mut session.open), active: session.active };
        for program in previous.programs.iter().rev() {
            session.remember(program.clone());
        }
        let waker = ctx.clone();
        let wake: crate::jobs::Wake = Arc::new(move || waker.request_repaint());
        let views = builtin_views();
        let names: Vec<_> = views.iter().map(|view| view.info().name).collect();
        let devices = Devices {
            list: Task::NEVER,
            installed: lanescope_core::driver::Installed::default(),
            settings: session.run.clone(),
            compile: session.compile.clone(),
            ahead: session.ahead.clone(),
            statistics: session.statistics.clone(),
        };
        let dock = Dock::new(session.layout.as_ref(), &names);
        for theme in [lanescope_views::theme::Theme::light(), lanescope_views::theme::Theme::dark()] {
            let mode = if theme.dark { egui::Theme::Dark } else { egui::Theme::Light };
            let mut visuals = theme.visuals();
            // A cursor that blinks draws the window twice a second for nothing.
            visuals.text_cursor.blink = false;
            ctx.set_visuals_of(mode, visuals);
        }
        ctx.all_styles_mut(|style| style.spacing.item_spacing = egui::vec2(8.0, 4.0));
        // The table of commands has these keys.
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let frame = App {
            ctx: ctx.clone(),
            engine,
            jobs: Jobs::new(Arc::clone(&wake)),
            watch: Watch::new(wake),
            store,
            session,
            previous,
            opening: BTreeMap::new(),
            views,
            dock,
            programs: Vec::new(),
            active: 0,
            page: Page::Gallery,
            failure: None,
            gallery: Gallery::default(),
            options_panel: OptionsPanel::default(),
            help: Help::default(),
            toasts: Toasts::default(),
            overlay: Overlay::None,
            questions: VecDeque::new(),
            ask: None,
            pending: None,
            pairs: Vec::new(),
            devices,
            revision: 0,
            next_id: 0,
            folded: false,
            keys_lead: false,
            focused: None,
            scroll_to: None,
            timings: None,
            dropped: Vec::new(),
            dropped_at: 0.0,
            unsaved_since: None,
            unkept: None,
            exports: 0,
        };
        frame.apply_theme();
        frame
    }

    /// Opens the files that the window was started with, compared with others where there are any, or the gallery.
    pub fn begin(&mut self, files: Vec<PathBuf>, against: Vec<PathBuf>) {
        if files.is_empty() {
            self.show_gallery();
            return;
        }
        self.page = Page::Program;
        if !against.is_empty() {
            let absolute = |files: &[PathBuf]| -> Vec<PathBuf> {
                files.iter().map(|path| std::path::absolute(path).unwrap_or(path.clone())).collect()
            };
            let (shown, with) = (absolute(&files), absolute(&against));
            if shown == with {
                self.toasts.info("A program cannot be compared with itself.");
            } else {
                self.pairs.push(PairRequest { shown, with, show: true });
                self.open(against);
            }
        }
        self.open(files);
    }

    /// The program that is shown.
    pub(super) fn program(&self) -> Option<&OpenProgram> {
        self.programs.get(self.active)
    }

    /// The program that is shown.
    pub(super) fn program_mut(&mut self) -> Option<&mut OpenProgram> {
        self.programs.get_mut(self.active)
    }

    /// Whether the options are shown. The tabs have switches of their own for what is changed most, so these take no
    /// room until they are requested.
    pub(super) fn shows_options(&self) -> bool {
        self.session.options_shown.unwrap_or(false)
    }

    /// Notes the arrangement of the tabs.
    pub(super) fn keep_layout(&mut self) {
        // Folded tabs are for now; what is kept is how they were before.
        if !self.folded {
            self.session.layout = self.dock.layout();
            self.touch_session();
        }
    }

    /// Puts all tabs into one group where the window is too narrow for several, and back where it is not.
    fn fold_tabs(&mut self) {
        let narrow = self.ctx.content_rect().width() < NARROW;
        if narrow == self.folded {
            return;
        }
        self.folded = narrow;
        let names: Vec<_> = self.views.iter().map(|view| view.info().name).collect();
        let focus = self.dock.focus().to_owned();
        let one = || Layout::Tabs {
            children: names.iter().map(|name| Layout::View((*name).to_owned())).collect(),
            active: 0,
        };
        self.dock =
            if narrow { Dock::new(Some(&one()), &names) } else { Dock::new(self.session.layout.as_ref(), &names) };
        self.dock.show_view(&focus);
    }

    /// Notes that the session has changed.
    pub(super) fn touch_session(&mut self) {
        self.unsaved_since = Some(Instant::now());
    }

    pub(super) fn apply_theme(&self) {
        self.ctx.set_theme(match self.session.theme {
            Theme::System => egui::ThemePreference::System,
            Theme::Light => egui::ThemePreference::Light,
            Theme::Dark => egui::ThemePreference::Dark,
        });
    }

    /// Draws one frame.
    pub fn draw(&mut self, ui: &mut Ui) {
        self.take_news();
        self.follow_compared();
        self.take_dropped();
        self.fold_tabs();
        let ctx = ui.ctx().clone();
        if let Some(id) = self.scroll_to.take() {
            overlay::scroll_to(&ctx, id);
        }
        if matches!(self.overlay, Overlay::None) {
            for command in pressed(&ctx) {
                self.act(command);
            }
            for index in 0..self.views.len() {
                let Some(key) = tab_key(index) else { break };
                if ctx.input_mut(|input| input.consume_shortcut(&key)) {
                    self.act(Command::ShowTab(self.views[index].info().name.to_owned()));
                }
            }
        }

        Panel::top("menu").show(ui, |ui| self.menu_bar(ui));
        if self.page == Page::Program && self.failure.is_none() && self.program().is_some() {
            Panel::top("toolbar").show(ui, |ui| self.toolbar(ui));
        }
        let status = Panel::bottom("status").show(ui, |ui| self.status_bar(ui)).response.rect.height();
        self.options_panel(ui);
        CentralPanel::no_frame().show(ui, |ui| {
            ui.painter().rect_filled(ui.max_rect(), 0.0, ui.visuals().panel_fill);
            self.middle(ui);
        });

        self.overlays(&ctx);
        overlay::drop_hint(&ctx, self.drops_compare());
        self.keys_lead = ctx.input(|input| {
            let pressed = |event: &egui::Event| matches!(event, egui::Event::Key { pressed: true, .. });
            !input.pointer.any_pressed() && (self.keys_lead || input.events.iter().any(pressed))
        });
        let focused = if self.keys_lead { overlay::focus_ring(&ctx) } else { None };
        let moved = focused.filter(|now| self.focused != Some(now.id));
        self.focused = focused.map(|now| now.id);
        // The Tab key goes to what is out of sight too.
        if let Some(hidden) = moved.filter(|now| !now.seen) {
            self.scroll_to = Some(hidden.id);
            ctx.request_repaint();
        }
        self.toasts.show(&ctx, status + 10.0);
        self.keep_session(&ctx);
    }

    fn middle(&mut self, ui: &mut Ui) {
        if let Some(failure) = &self.failure {
            match failure.ui(ui) {
                Answer::None => {}
                Answer::Again => {
                    let paths = failure.paths.clone();
                    self.open(paths);
                }
                Answer::Entry(entry) => {
                    let paths = failure.paths.clone();
                    self.open_changed(paths, Some(|options: &mut Options| options.entry = vec![entry]));
                }
                Answer::Invalid => {
                    let paths = failure.paths.clone();
                    self.open_changed(paths, Some(|options: &mut Options| options.no_validate = true));
                }
                Answer::Back => self.leave_failure(),
                Answer::Do(command) => self.act(command),
            }
            return;
        }
        if self.page == Page::Gallery {
            if let Some(command) = self.gallery.ui(ui, &self.session) {
                self.act(command);
            }
            return;
        }
        let Some(program) = self.programs.get(self.active) else {
            // Behind the list of pipelines nothing is on its way: one is to be chosen first.
            let asks = |overlay: &Overlay| matches!(overlay, Overlay::Pipelines(_));
            if !asks(&self.overlay) && !self.questions.iter().any(asks) {
                ui.centered_and_justified(|ui| ui.weak("Loading…"));
            }
            return;
        };
        if let Some(stale) = program.stale.clone() {
            self.stale_banner(ui, &stale);
        }
        let Some(program) = self.programs.get(self.active) else { return };
        let told = Told::new(&self.programs, self.active);
        let comparing = told.comparing(&self.programs, self.active, &self.devices.compile);
        let cx = ViewCx { comparing, ..program.cx(&self.devices) };
        let (commands, edited) = self.dock.ui(ui, &mut self.views, &cx, self.ask.take());
        if edited {
            self.keep_layout();
        }
        for command in commands {
            self.obey_view(command);
        }
    }

    fn options_panel(&mut self, ui: &mut Ui) {
        let in_front = self.page == Page::Program && self.failure.is_none();
        let Some(program) = self.programs.get(self.active).filter(|_| in_front) else { return };
        if !self.shows_options() {
            return;
        }
        let narrow = ui.ctx().content_rect().width() < NARROW;
        let mut change = Default::default();
        let mut shown = true;
        if narrow {
            egui::Window::new("Options")
                .id(egui::Id::unique("options over"))
                .open(&mut shown)
                .default_width(240.0)
                .show(ui.ctx(), |ui| {
                    ui.add_enabled_ui(!program.frozen, |ui| change = self.options_panel.ui(ui, program));
                });
        } else {
            Panel::left("options").default_size(248.0).size_range(200.0..=420.0).show(ui, |ui| {
                ui.add_space(4.0);
                ui.add_enabled_ui(!program.frozen, |ui| change = self.options_panel.ui(ui, program));
            });
        }
        if !shown {
            self.session.options_shown = Some(false);
            self.touch_session();
        }
        if let Some(options) = change.options {
            self.set_options(options);
        }
        if let Some(other) = change.other {
            self.set_other(other);
        }
    }

    fn overlays(&mut self, ctx: &Context) {
        let mut overlay = std::mem::take(&mut self.overlay);
        if matches!(overlay, Overlay::None) {
            overlay = self.questions.pop_front().unwrap_or_default();
        }
        let mut open = true;
        let mut command = None;
        let mut replaces = false;
        match &mut overlay {
            Overlay::None => return,
            Overlay::Palette(palette) => {
                if let Some(answer) = palette.show(ctx, &self.palette_items()) {
                    open = false;
                    command = answer;
                }
            }
            Overlay::Pipelines(chooser) => {
                if let Some(choice) = chooser.show(ctx) {
                    open = false;
                    match choice {
                        Choice::Pipeline(name) => self.open_pipeline(chooser.paths.clone(), name),
                        Choice::Files(files) => self.open(files),
                        Choice::Nothing => {
                            if !self.is_open(&chooser.paths) {
                                self.forget_pairs(&chooser.paths);
                            }
                            self.leave_failure();
                        }
                    }
                }
            }
            Overlay::Help => open = !self.help.show(ctx),
            Overlay::Keys => open = !overlay::keys(ctx, &self.views),
            Overlay::About => open = !overlay::about(ctx),
            Overlay::Replace(replace) => {
                if let Some(yes) = replace.show(ctx) {
                    (open, replaces) = (false, yes);
                }
            }
            Overlay::Path(line) => {
                if let Some(paths) = line.show(ctx) {
                    open = false;
                    self.take_path(line.purpose, paths);
                }
            }
        }
        if open {
            self.overlay = overlay;
        } else {
            if let (Overlay::Replace(replace), true) = (overlay, replaces) {
                self.replace(replace);
            }
            // The frame that closes is drawn with what it covered.
            ctx.request_repaint();
        }
        if let Some(command) = command {
            self.act(command);
        }
    }

    /// Opens what was dropped, once all of it has arrived.
    fn take_dropped(&mut self) {
        let (now, arrived) = self.ctx.input(|input| {
            let arrived: Vec<_> = input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect();
            (input.time, arrived)
        });
        if !arrived.is_empty() {
            self.dropped.extend(arrived);
            self.dropped_at = now;
        }
        if self.dropped.is_empty() {
            return;
        }
        let rest = self.dropped_at + DROP_GATHER - now;
        if rest > 0.0 {
            self.ctx.request_repaint_after(Duration::from_secs_f64(rest));
        } else {
            let files = std::mem::take(&mut self.dropped);
            self.act(if self.drops_compare() { Command::CompareFiles(files) } else { Command::OpenFiles(files) });
        }
    }

    /// Whether files that are dropped are compared with the program that is shown: the keys go to that tab.
    fn drops_compare(&self) -> bool {
        let in_front = self.page == Page::Program && self.failure.is_none() && self.program().is_some();
        in_front && self.dock.focus() == "compare" && self.dock.shows("compare")
    }

    /// Writes the session once it rests.
    fn keep_session(&mut self, ctx: &Context) {
        // In points of a window that is not zoomed: the zoom is not kept.
        let zoom = ctx.zoom_factor();
        let size = ctx.input(|input| input.viewport().inner_rect.map(|rect| rect.size() * zoom));
        let size = size.map(|size| [size.x.round(), size.y.round()]);
        if size.is_some() && size != self.session.size {
            self.session.size = size;
            self.touch_session();
        }
        let Some(since) = self.unsaved_since else { return };
        match SAVE_AFTER.checked_sub(since.elapsed()) {
            Some(rest) if !rest.is_zero() => ctx.request_repaint_after(rest),
            _ => {
                self.unsaved_since = None;
                self.save_session();
            }
        }
    }

    /// The session as it is now.
    pub(super) fn session_now(&mut self) -> &Session {
        self.session.open = self.programs.iter().map(OpenProgram::remembered).collect();
        self.session.active = self.active;
        &self.session
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let begin = Instant::now();
        self.draw(ui);
        if let Some(timings) = &mut self.timings {
            eprintln!("{}", timings.frame(begin.elapsed()));
        }
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.jobs.cancel_all();
        self.remember_open();
        if let Some(store) = self.store.clone()
            && let Err(error) = store.save_last(self.session_now())
        {
            // No window is left to say it in.
            eprintln!("lanescope: {error}");
        }
    }
}
