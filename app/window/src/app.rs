//! A frame of the window: results of jobs and keys, then panels and views, then their commands.

use lanescope_views::tokens::space;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{CentralPanel, Context, Panel, Ui, ViewportCommand};
use lanescope_core::foreign::plain_name;
use lanescope_inspector::command::{Command, Screen};
use lanescope_inspector::settings::Theme;
use lanescope_inspector::view::Ask;
use lanescope_views::context::{View, ViewCx};
use lanescope_views::registry::builtin_views;
use lanescope_views::theme::ThemeOfUi as _;
use lanescope_views::type_ahead;

use super::dock::{Dock, PaneCx};
use super::keys::pressed;
use super::panels::Panels;
use super::panels::about::{about, explanation, keys};
use super::panels::dialogs::{edited_run, replace};
use super::panels::drawer::{drawer, findings_panel};
use super::panels::edge::{self, Edge};
use super::panels::failure::{failure_dialog, failure_page};
use super::panels::menu::menu_bar;
use super::panels::preferences::preferences;
use super::panels::stale::stale_banner;
use super::panels::status::status_bar;
use super::panels::strip::strip;
use super::panels::toolbar::toolbar;
use super::timings::Timings;
use super::{file_dialogs, focus};
use lanescope_host::session::{Session, Store};
use lanescope_workbench::engine::Engine;
use lanescope_workbench::services::{Services, until_saved};
use lanescope_workbench::state::comparing::ComparisonNames;
use lanescope_workbench::state::overlay::Overlay;
use lanescope_workbench::state::program::OpenProgram;
use lanescope_workbench::state::tasks::Tag;
use lanescope_workbench::state::{Page, State};
use lanescope_workbench::update::effects::{Effect, Effects};
use lanescope_workbench::update::{start, update};

/// Files that are dropped together arrive within this time of each other.
const DROP_GATHER: f64 = 0.08;

/// For so many frames a widget that got the keyboard is scrolled to. After that whoever scrolls away from it means it.
const SCROLL_FRAMES: u32 = 20;

/// Below this width the options lie over the tabs instead of beside them, and all tabs are one group.
const NARROW: f32 = 700.0;

/// The window.
pub struct App {
    pub(super) ctx: Context,
    pub(super) state: State,
    pub(super) services: Services,
    pub(super) panels: Panels,
    pub(super) views: Vec<Box<dyn View>>,
    dock: Dock,
    /// Request to the front tab, handled when it is next drawn.
    ask: Option<Ask>,
    /// The keyboard goes into the front tab when it is next drawn.
    enter: bool,
    /// The user works with keys instead of the pointer: the focused widget is marked.
    keys_lead: bool,
    /// The widget that had focus in the last frame, and for how many frames it has had it.
    focused: Option<(egui::Id, u32)>,
    /// The widget to bring into view in the next one.
    scroll_to: Option<egui::Id>,
    /// A dialog was over the rest in the last frame.
    covered: bool,
    /// The next frame begins without a pointer.
    forgets_pointer: bool,
    /// Log of frame timings.
    pub(super) timings: Option<Timings>,
    dropped: Vec<PathBuf>,
    dropped_at: f64,
}

impl App {
    /// A window as the session left it, without programs.
    pub fn new(ctx: &Context, engine: Engine, store: Option<Store>, session: Session) -> App {
        let waker = ctx.clone();
        let wake: lanescope_host::jobs::Wake = Arc::new(move || waker.request_repaint());
        let views = builtin_views();
        let state = State::new(session, views.iter().map(|view| view.info()).collect());
        for theme in [lanescope_views::theme::Theme::light(), lanescope_views::theme::Theme::dark()] {
            let mode = if theme.dark { egui::Theme::Dark } else { egui::Theme::Light };
            let mut visuals = theme.visuals();
            // A cursor that blinks draws the window twice a second for nothing.
            visuals.text_cursor.blink = false;
            ctx.set_visuals_of(mode, visuals);
        }
        ctx.all_styles_mut(|style| style.spacing.item_spacing = egui::vec2(8.0, 4.0));
        ctx.set_fonts(lanescope_views::theme::fonts());
        // The table of commands has these keys.
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        set_theme(ctx, state.theme());
        ctx.set_zoom_factor(state.session.preferences.clamped().zoom);
        App {
            ctx: ctx.clone(),
            state,
            services: Services::new(engine, store, wake),
            panels: Panels::default(),
            views,
            dock: Dock::new(),
            ask: None,
            enter: false,
            keys_lead: false,
            focused: None,
            scroll_to: None,
            covered: false,
            forgets_pointer: false,
            timings: None,
            dropped: Vec::new(),
            dropped_at: 0.0,
        }
    }

    /// Opens the files that the window was started with, compared with others if any, or the gallery.
    pub fn begin(&mut self, files: Vec<PathBuf>, against: Vec<PathBuf>) {
        let effects = start(&mut self.state, files, against);
        self.carry_out(effects);
    }

    /// Carries out a command.
    pub(super) fn act(&mut self, command: Command) {
        let effects = update(&mut self.state, command);
        self.carry_out(effects);
    }

    pub(super) fn carry_out(&mut self, effects: Effects) {
        let left = self.services.carry_out(effects);
        self.show(left);
    }

    /// Carries out effects on the screen.
    fn show(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Dialog(dialog) => {
                    let work = move |_: &_| file_dialogs::ask(dialog);
                    self.services.jobs.start(Tag::Dialog, "waiting for the file dialog", work);
                }
                Effect::Copy(text) => self.ctx.copy_text(text),
                Effect::Title(title) => self.ctx.send_viewport_cmd(ViewportCommand::Title(plain_name(&title))),
                Effect::Close => self.ctx.send_viewport_cmd(ViewportCommand::Close),
                Effect::Zoom(zoom) => self.ctx.set_zoom_factor(zoom),
                Effect::Theme(theme) => set_theme(&self.ctx, theme),
                Effect::Ask(ask) => self.ask = Some(ask),
                Effect::EnterTab => self.enter = true,
                Effect::Forget(id) => self.views.iter_mut().for_each(|view| view.forget(id)),
                Effect::Start(_) | Effect::Cancel(_) | Effect::Watch(_) | Effect::SaveSession(_) => {}
            }
        }
    }

    /// Takes the results of jobs that ended.
    fn take_results(&mut self) {
        let left = self.services.poll(&mut self.state);
        self.show(left);
    }

    /// Draws one frame.
    pub fn draw(&mut self, ui: &mut Ui) {
        self.take_results();
        let ctx = ui.ctx().clone();
        for command in self.input(&ctx) {
            self.act(command);
        }
        let commands = self.panels(ui, &ctx);
        type_ahead::end(&ctx);
        self.mark_focus(&ctx);
        if !commands.is_empty() {
            // What is drawn already this frame shows the old state.
            ctx.request_repaint();
        }
        for command in commands {
            self.act(command);
        }
        self.keep_session(&ctx);
    }

    /// Commands of the window's size, dropped files and keys.
    fn input(&mut self, ctx: &Context) -> Vec<Command> {
        let mut commands = Vec::new();
        // In points of a window that is not zoomed.
        let zoom = ctx.zoom_factor();
        let size = ctx.input(|input| input.viewport().inner_rect.map(|rect| rect.size() * zoom));
        let screen = Screen {
            size: size.map(|size| [size.x.round(), size.y.round()]),
            narrow: ctx.content_rect().width() < NARROW,
            dark: ctx.global_style().visuals.dark_mode,
        };
        if screen != self.state.screen {
            commands.push(Command::SetScreen(screen));
        }
        commands.extend(self.take_dropped(ctx));
        if let Some(id) = self.scroll_to.take() {
            focus::scroll_to(ctx, id);
        }
        if matches!(self.state.overlay, Overlay::None) && !self.state.failure_covers() {
            let tab = self.state.in_front().and_then(|_| self.state.tabs.focus());
            commands.extend(pressed(ctx, tab));
        }
        commands
    }

    /// Draws panels and views. Returns their commands.
    fn panels(&mut self, ui: &mut Ui, ctx: &Context) -> Vec<Command> {
        let covered = !matches!(self.state.overlay, Overlay::None) || self.state.failure_covers();
        let begins = covered && !std::mem::replace(&mut self.covered, covered);
        self.covered = covered;
        if begins {
            self.forgets_pointer = true;
            ctx.request_repaint();
        }
        self.parts(ui, ctx)
    }

    /// Changes the input of a frame before it is drawn. A tooltip stays while the pointer rests on its widget, even where
    /// a dialog has come between: the pointer is forgotten once, until it moves again.
    pub(super) fn before_input(&mut self, input: &mut egui::RawInput) {
        if std::mem::take(&mut self.forgets_pointer) {
            input.events.insert(0, egui::Event::PointerGone);
        }
    }

    fn parts(&mut self, ui: &mut Ui, ctx: &Context) -> Vec<Command> {
        let mut commands = Vec::new();
        commands.extend(Panel::top("menu").show(ui, |ui| menu_bar(&self.state, ui)).inner);
        if self.state.program().is_some() {
            commands.extend(Panel::top("toolbar").show(ui, |ui| toolbar(&self.state, ui)).inner);
        }
        if self.state.in_front().is_some() {
            commands.extend(Panel::top("strip").show(ui, |ui| strip(&self.state, ui)).inner);
        }
        let status = Panel::bottom("status").show(ui, |ui| status_bar(&self.state, ui));
        commands.extend(status.inner);
        commands.extend(self.options(ui));
        self.middle(ui, &mut commands);
        self.overlay(ctx, &mut commands);
        focus::drop_hint(ctx, self.state.drops_compare());
        let bottom = status.response.rect.height() + 10.0;
        commands.extend(self.panels.toasts.show(&self.state.messages, ctx, bottom));
        commands
    }

    /// Draws what is between the bars: the views of the shown program, or a page.
    fn middle(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let (state, panels) = (&self.state, &mut self.panels);
        let page = |ui: &mut Ui, draw: &mut dyn FnMut(&mut Ui)| {
            CentralPanel::no_frame().show(ui, |ui| {
                ui.painter().rect_filled(ui.max_rect(), 0.0, ui.visuals().panel_fill);
                draw(ui);
            });
        };
        if let Some(failure) = state.failure.as_ref().filter(|_| !state.failure_covers()) {
            return page(ui, &mut |ui| commands.extend(failure_page(failure, &mut panels.failed_sources, ui)));
        }
        if state.page == Page::Gallery {
            return page(ui, &mut |ui| commands.extend(panels.gallery.ui(state, ui)));
        }
        if state.page == Page::Corpus {
            panels.corpus.search |= self.ask.take() == Some(Ask::Search);
            return page(ui, &mut |ui| commands.extend(panels.corpus.ui(state, ui)));
        }
        let Some(program) = state.program() else {
            return page(ui, &mut |ui| {
                if !state.asks_for_pipeline() {
                    ui.centered_and_justified(|ui| ui.weak("Loading…"));
                }
            });
        };
        let names = ComparisonNames::new(state);
        let cx = ViewCx { comparing: names.comparing(state), ..view_cx(state, program) };
        let (ask, enter) = (self.ask.take(), std::mem::take(&mut self.enter));
        let focus = state.tabs.focus();
        let mut panes = PaneCx { views: &mut self.views, cx: &cx, ask, focus, enter, commands: Vec::new() };
        findings_panel(state, ui, &mut panes);
        drawer(state, ui, &mut panes);
        let dock = &mut self.dock;
        page(ui, &mut |ui| {
            if let Some(stale) = &program.stale {
                panes.commands.extend(stale_banner(stale, ui));
            }
            dock.ui(ui, &state.tabs, &mut panes);
        });
        let PaneCx { focus, commands: requested, .. } = panes;
        commands.extend(requested);
        if let Some(focus) = focus.filter(|focus| state.tabs.focus() != Some(*focus)) {
            commands.push(Command::Focus(focus));
        }
    }

    fn options(&mut self, ui: &mut Ui) -> Vec<Command> {
        let mut commands = Vec::new();
        let Some(program) = self.state.in_front().filter(|_| self.state.shows_options()) else { return commands };
        let panel = &mut self.panels.options;
        let mut draw = |ui: &mut Ui| {
            let drawn = ui.add_enabled_ui(!program.frozen, |ui| panel.ui(program, ui));
            commands.extend(drawn.inner);
        };
        let mut shown = true;
        if self.state.screen.narrow {
            egui::Window::new("Options")
                .id(egui::Id::unique("options over"))
                .open(&mut shown)
                .default_width(240.0)
                .show(ui.ctx(), draw);
        } else {
            let most = (ui.available_width() * 0.4).clamp(200.0, 420.0);
            edge::panel(ui, Edge::Left, "options", 248.0, 200.0..=most, |ui| {
                ui.add_space(space::SNUG);
                draw(ui);
            });
        }
        if !shown {
            commands.push(Command::Options);
        }
        commands
    }

    fn overlay(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        let (state, panels) = (&self.state, &mut self.panels);
        if let Some(failure) = state.failure.as_ref().filter(|_| state.failure_covers()) {
            commands.extend(failure_dialog(failure, &mut panels.failed_sources, ctx));
            return;
        }
        let begins = std::mem::replace(&mut panels.overlay, state.overlay_number) != state.overlay_number;
        let close = |closes: bool| closes.then_some(Command::CloseOverlay);
        match &state.overlay {
            Overlay::None => {}
            Overlay::Palette => {
                if begins {
                    panels.palette = Default::default();
                }
                if let Some(chosen) = panels.palette.show(state, ctx) {
                    commands.push(Command::CloseOverlay);
                    commands.extend(chosen);
                }
            }
            Overlay::Help(tab) => {
                if begins {
                    panels.help.open(*tab);
                }
                commands.extend(close(panels.help.show(ctx)));
            }
            Overlay::Preferences => commands.extend(preferences(state, ctx)),
            Overlay::Keys => commands.extend(close(keys(ctx))),
            Overlay::About => commands.extend(close(about(ctx))),
            Overlay::Explanation(code) => commands.extend(close(explanation(code, ctx))),
            Overlay::Path(question) => {
                if begins {
                    panels.path.begin(question);
                }
                commands.extend(panels.path.show(question, ctx));
            }
            Overlay::Replace(question) => commands.extend(replace(question, ctx)),
            Overlay::EditedRun(question) => commands.extend(edited_run(question, ctx)),
            Overlay::Pipelines(list) => {
                if begins {
                    panels.chooser = Default::default();
                }
                commands.extend(panels.chooser.show(list, ctx));
            }
        }
    }

    /// Opens what was dropped, once all of it has arrived.
    fn take_dropped(&mut self, ctx: &Context) -> Option<Command> {
        let (now, arrived) = ctx.input(|input| {
            let arrived: Vec<_> = input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect();
            (input.time, arrived)
        });
        if !arrived.is_empty() {
            self.dropped.extend(arrived);
            self.dropped_at = now;
        }
        if self.dropped.is_empty() {
            return None;
        }
        let rest = self.dropped_at + DROP_GATHER - now;
        if rest > 0.0 {
            ctx.request_repaint_after(Duration::from_secs_f64(rest));
            return None;
        }
        let files = std::mem::take(&mut self.dropped);
        Some(if self.state.drops_compare() { Command::CompareFiles(files) } else { Command::OpenFiles(files) })
    }

    /// Marks the focused widget while the user works with keys, and has it scrolled to.
    fn mark_focus(&mut self, ctx: &Context) {
        self.keys_lead = ctx.input(|input| {
            let pressed = |event: &egui::Event| matches!(event, egui::Event::Key { pressed: true, .. });
            !input.pointer.any_pressed() && (self.keys_lead || input.events.iter().any(pressed))
        });
        let focused = if self.keys_lead { focus::focus_ring(ctx) } else { None };
        let frames = match self.focused {
            Some((id, frames)) if focused.is_some_and(|now| now.id == id) => frames + 1,
            _ => 0,
        };
        self.focused = focused.map(|now| (now.id, frames));
        // The Tab key goes to what is out of sight too. A row may come into view before its cell does.
        if let Some(hidden) = focused.filter(|now| !now.seen && frames < SCROLL_FRAMES) {
            self.scroll_to = Some(hidden.id);
            ctx.request_repaint();
        }
    }

    /// Writes the session once it rests.
    fn keep_session(&mut self, ctx: &Context) {
        match until_saved(&self.state) {
            None => {}
            Some(Duration::ZERO) => self.act(Command::SaveSession),
            Some(rest) => ctx.request_repaint_after(rest),
        }
    }
}

/// Inputs of the views of a program.
fn view_cx<'a>(state: &'a State, program: &'a OpenProgram) -> ViewCx<'a> {
    ViewCx {
        report: &program.analysis.report,
        other: program.analysis.other.as_ref(),
        texts: &program.texts,
        loaded: (!program.frozen).then_some(&*program.program),
        containers: &program.program.dxil,
        object: program.analysis.object.as_deref().map(|open| &open.object),
        selection: &program.selection,
        revision: program.revision,
        program: program.id,
        graph_revision: program.graph_revision,
        results: &program.results,
        stepping: &program.stepping,
        debugging: &program.debugging,
        settings: &state.settings,
        inputs: &program.inputs,
        typed: &program.typed,
        comparing: lanescope_inspector::comparing::Comparing::NOTHING,
        frozen: program.frozen,
        options_shown: state.shows_options(),
        ask: None,
    }
}

fn set_theme(ctx: &Context, theme: Theme) {
    ctx.set_theme(match theme {
        Theme::System => egui::ThemePreference::System,
        Theme::Light => egui::ThemePreference::Light,
        Theme::Dark => egui::ThemePreference::Dark,
    });
}

impl eframe::App for App {
    fn raw_input_hook(&mut self, _ctx: &Context, input: &mut egui::RawInput) {
        self.before_input(input);
    }

    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        // A window that is minimized or behind others is not drawn: its jobs end and its session is kept all the same.
        if ctx.input(|input| input.viewport().visible() == Some(false)) {
            self.take_results();
            self.keep_session(ctx);
        }
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let begin = Instant::now();
        self.draw(ui);
        if let Some(timings) = &mut self.timings {
            eprintln!("{}", timings.frame(begin.elapsed()));
        }
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        if let Err(error) = self.services.end(&mut self.state) {
            // No window is left to show the error in.
            eprintln!("lanescope: {error}");
        }
    }
}
