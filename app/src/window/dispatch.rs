//! Dispatch of commands: the window's own, and those of views.

use egui::ViewportCommand;
use lanescope_core::load;
use lanescope_core::options::Options;
use lanescope_core::program::Format;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::view::Ask;
use lanescope_views::context::ViewCommand;

use super::app::{App, Overlay, Page};
use super::command::Command;
use super::compare::Told;
use super::dialog::{PathLine, Purpose};
use super::dock::Dock;
use super::jobs::Tag;
use super::palette::{Item, Palette, fixed};
use super::program::title;
use super::tasks::OF_A_PROGRAM;
use crate::session::Theme;

impl App {
    /// Carries out a command.
    pub(super) fn act(&mut self, command: Command) {
        match command {
            Command::Open => self.ask_for_files(Purpose::Open),
            Command::OpenPath => {
                self.overlay = Overlay::Path(PathLine::new(Purpose::Open, String::new(), None));
            }
            Command::OpenFiles(files) => self.open(files),
            Command::ChoosePipeline => self.choose_pipeline(),
            Command::Samples => self.show_gallery(),
            Command::Reopen => self.reopen(),
            Command::Reload => match self.failure.take() {
                Some(failure) => self.open(failure.paths),
                None => self.reload(self.active),
            },
            Command::CloseProgram => self.close_program(),
            Command::Quit => self.ctx.send_viewport_cmd(ViewportCommand::Close),
            Command::CopyTable => self.copy_table(),
            Command::ExportPicture => self.export_picture(),
            Command::Search => self.search(),
            Command::SaveRewritten => self.save_rewritten(),
            Command::Run => self.run_program(),
            Command::Graph(ask) => self.ask_graph(ask),
            Command::Measure => self.measure(),
            Command::Compile => self.compile(),
            Command::CompileSpeculatively => self.compile_speculatively(),
            Command::CompileCorpus => self.compile_corpus(),
            Command::NextChange => self.go_to_change(Ask::NextChange),
            Command::PreviousChange => self.go_to_change(Ask::PreviousChange),
            Command::ClearSelection => self.select(Selection::default()),
            Command::NextTab => self.step_tab(1),
            Command::PreviousTab => self.step_tab(-1),
            Command::MoveTab(to) => self.arrange(|dock| dock.move_tab(to)),
            Command::LargerGroup => self.arrange(|dock| dock.resize(1.25)),
            Command::SmallerGroup => self.arrange(|dock| dock.resize(0.8)),
            Command::ShowTab(name) => {
                self.show_tab(&name);
                self.dock.enter();
            }
            Command::NextProgram => self.step_program(1),
            Command::PreviousProgram => self.step_program(-1),
            Command::ShowProgram(index) => self.show_program(index),
            Command::Options => {
                self.session.options_shown = Some(!self.shows_options());
                self.touch_session();
            }
            Command::ResetOptions => {
                let untouched = self.program().map(|program| program.analysis.report.untouched_options());
                self.set_options(untouched.unwrap_or_default());
            }
            Command::SideBySide => {
                let Some(program) = self.program() else { return };
                let other = if program.other.is_some() { None } else { Some(program.options.clone()) };
                self.set_other(other);
            }
            Command::Compare => self.ask_to_compare(),
            Command::CompareFiles(files) => self.compare_files(files),
            Command::CompareWith(partner) => self.compare_with(Some(partner)),
            Command::Findings => {
                self.show_tab("findings");
                self.dock.enter();
            }
            Command::ResetLayout => {
                self.session.layout = None;
                self.touch_session();
                let names: Vec<_> = self.views.iter().map(|view| view.info().name).collect();
                self.dock = Dock::new(None, &names);
                self.folded = false;
            }
            Command::ToggleTheme => {
                let dark = self.ctx.global_style().visuals.dark_mode;
                self.set_theme(if dark { Theme::Light } else { Theme::Dark });
            }
            Command::SetTheme(theme) => self.set_theme(theme),
            Command::ZoomIn => egui::gui_zoom::zoom_in(&self.ctx),
            Command::ZoomOut => egui::gui_zoom::zoom_out(&self.ctx),
            Command::ZoomReset => self.ctx.set_zoom_factor(1.0),
            Command::CancelWork => self.cancel_work(),
            Command::Palette => self.overlay = Overlay::Palette(Palette::default()),
            Command::Help => self.show_help(),
            Command::Keys => self.overlay = Overlay::Keys,
            Command::About => self.overlay = Overlay::About,
        }
    }

    /// Carries out what a view asks for.
    pub(super) fn obey_view(&mut self, command: ViewCommand) {
        match command {
            ViewCommand::Select(selection) => self.select(selection),
            ViewCommand::SetOptions(options) => self.set_options(*options),
            ViewCommand::SetOther(other) => self.set_other(other.map(|other| *other)),
            ViewCommand::Copy(text) => {
                let lines = text.lines().count();
                self.ctx.copy_text(text);
                self.toasts.info(if lines == 1 { "Copied.".to_owned() } else { format!("Copied {lines} lines.") });
            }
            ViewCommand::Export { picture, name } => self.ask_where_to_export(*picture, name),
            ViewCommand::Show(name) => self.show_tab(name),
            ViewCommand::ShowSamples => self.show_gallery(),
            ViewCommand::ShowPipeline(name) => {
                let Some(paths) = self.program().map(|program| program.paths.clone()) else { return };
                self.open_pipeline(paths, name);
            }
            ViewCommand::Begin(work) => self.begin_work(work),
            ViewCommand::Stop(work) => self.stop_work(work),
            ViewCommand::SetRunSettings(settings) => {
                self.devices.settings = settings.clone();
                self.session.run = settings;
                self.touch_session();
                self.ctx.request_repaint();
            }
            ViewCommand::ChooseContents(place) => self.ask_for_contents(place),
            ViewCommand::DropContents(place) => {
                if let Some(id) = self.program().map(|program| program.id) {
                    self.set_contents(id, place, None);
                }
            }
            ViewCommand::SetCompileSettings(settings) => {
                self.devices.compile = settings.clone();
                self.session.compile = settings;
                self.touch_session();
                self.ctx.request_repaint();
            }
            ViewCommand::SetSpeculativeSettings(settings) => {
                self.devices.ahead = settings.clone();
                self.session.ahead = settings;
                self.touch_session();
                self.ctx.request_repaint();
            }
            ViewCommand::SetStatisticsSettings(settings) => {
                self.devices.statistics = settings.clone();
                self.session.statistics = settings;
                self.touch_session();
                self.ctx.request_repaint();
            }
            ViewCommand::CompareWith(with) => self.compare_with(with),
            ViewCommand::OpenToCompare => self.ask_to_compare(),
            ViewCommand::SwapCompared => self.swap_compared(),
            ViewCommand::CompileCompared => self.compile_compared(),
            ViewCommand::RunGraph(request) => self.run_graph(*request),
            ViewCommand::LeadGraph(command) => self.lead_graph(command),
            ViewCommand::SaveGraphRun => self.save_graph_run(),
            ViewCommand::LoadRecords => self.load_records(),
            ViewCommand::SaveRewritten => self.save_rewritten(),
            ViewCommand::SaveText { text, name } => self.save_text(text, &name),
            ViewCommand::SaveOutput(output) => self.save_output(&output),
        }
    }

    /// Shows the manual, at the page of the tab that is in front.
    fn show_help(&mut self) {
        let in_front = self.page == Page::Program && self.failure.is_none() && self.program().is_some();
        self.help.open(in_front.then(|| self.dock.focus()));
        self.overlay = Overlay::Help;
    }

    /// Everything that the palette lists.
    pub(super) fn palette_items(&self) -> Vec<Item> {
        let has_program = self.program().is_some();
        let item = |label: String, note: &str, command| Item { label, note: note.to_owned(), command };
        let mut items: Vec<_> = fixed(&self.ctx, has_program).collect();
        if has_program {
            items.extend(self.views.iter().map(|view| {
                let info = view.info();
                item(info.title.to_owned(), "tab", Command::ShowTab(info.name.to_owned()))
            }));
        }
        for (index, program) in self.programs.iter().enumerate() {
            items.push(item(program.title(), "open", Command::ShowProgram(index)));
        }
        for (partner, name) in Told::new(&self.programs, self.active).partners {
            items.push(item(format!("Compare with {name}"), "compare", Command::CompareWith(partner)));
        }
        for recent in self.session.recent.iter().filter(|recent| !self.is_open(&recent.paths)) {
            items.push(item(title(&recent.paths), "recent", Command::OpenFiles(recent.paths.clone())));
        }
        for (group, sample) in self.gallery.samples() {
            let note = format!("sample, {}", group.to_lowercase());
            items.push(item(sample.name.clone(), &note, Command::OpenFiles(sample.paths.clone())));
        }
        items
    }

    /// Whether these files are open as one program.
    pub(super) fn is_open(&self, paths: &[std::path::PathBuf]) -> bool {
        self.programs.iter().any(|program| program.paths == paths)
    }

    /// Shows a program, and a tab that has something to show for it.
    pub(super) fn show_program(&mut self, index: usize) {
        let Some(program) = self.programs.get(index) else { return };
        self.ctx.send_viewport_cmd(ViewportCommand::Title(format!("{} - Lanescope", program.title())));
        self.active = index;
        self.page = Page::Program;
        self.failure = None;
        let report = &program.analysis.report;
        // Of those, the first that has something to show; a tab in front that has is left in front.
        let tabs = [
            ("graph", report.graph.is_some()),
            ("packing", report.packing.is_some()),
            ("workgroup", !report.workgroup.is_empty()),
            ("dxil", report.dxil.is_some()),
            ("layout", !report.partial.is_empty()),
        ];
        let in_front = |full: bool| tabs.iter().any(|(name, has)| *has == full && self.dock.shows(name));
        if in_front(false)
            && !in_front(true)
            && let Some((name, _)) = tabs.iter().find(|(_, has)| *has)
        {
            self.dock.show_view(name);
        }
    }

    /// Goes back to what was shown before the failure.
    pub(super) fn leave_failure(&mut self) {
        self.failure = None;
        if self.programs.is_empty() {
            self.show_gallery();
        }
    }

    pub(super) fn set_options(&mut self, mut options: Options) {
        let Some(program) = self.program_mut() else { return };
        // No option leaves a pipeline: another one is chosen from the list.
        options.pipeline = options.pipeline.or_else(|| program.options.pipeline.clone());
        if program.options == options || self.is_frozen("its options cannot be changed") {
            return;
        }
        let Some(program) = self.program_mut() else { return };
        // Other entry points, another pipeline, or another conversion, make another program of the same files.
        let loaded_by = load::LoadOptions::of;
        let other_program = loaded_by(&program.options) != loaded_by(&options);
        if let Some(other) = &mut program.other {
            let load::LoadOptions { entries, pipeline, conversion, no_validate, .. } = loaded_by(&options);
            (other.entry, other.pipeline, other.dxil) = (entries, pipeline, conversion);
            other.no_validate = no_validate;
        }
        program.options = options;
        if other_program {
            self.reload(self.active);
        } else {
            self.analyse_again(self.active);
        }
    }

    /// Asks which pipeline of the program's database is wanted.
    fn choose_pipeline(&mut self) {
        let Some(program) = self.program() else { return };
        let of_database = program.program.pipeline.as_ref().is_some_and(|p| p.origin.format == Format::Fossilize);
        if of_database {
            let paths = program.paths.clone();
            self.list_pipelines(paths);
        } else {
            self.toasts.info("Not loaded from a Fossilize database.".to_owned());
        }
    }

    pub(super) fn set_other(&mut self, other: Option<Options>) {
        if self.program().is_none_or(|program| program.other == other)
            || self.is_frozen(
                "it cannot have a second \
                                                                                          setting",
            )
        {
            return;
        }
        if let Some(program) = self.program_mut() {
            program.other = other;
            self.analyse_again(self.active);
        }
    }

    /// Whether the program that is shown is a report that was read from a file; says so, with what follows.
    pub(super) fn is_frozen(&mut self, so: &str) -> bool {
        let revision = self.revision + 1;
        let Some(program) = self.program_mut().filter(|program| program.frozen) else { return false };
        // Controls that showed what was requested show the report again.
        program.revision = revision;
        self.revision = revision;
        self.toasts.info(format!("A report contains no shaders: {so}."));
        true
    }

    /// Notes the open programs in the recent list, as they are looked at now.
    pub(super) fn remember_open(&mut self) {
        for program in &self.programs {
            self.session.remember(program.remembered());
        }
    }

    /// Cancels what the user waits for. Dialogs belong to the system and are closed there.
    pub(super) fn cancel_work(&mut self) {
        let tags: Vec<_> = self.jobs.statuses().map(|(tag, _)| tag.clone()).collect();
        for tag in tags {
            match tag {
                Tag::Load(_) | Tag::Analyse(_) | Tag::Samples | Tag::List(_) | Tag::Records => {
                    self.jobs.cancel(&tag);
                    self.forget_opening(&tag);
                }
                Tag::Task(work, id) => self.stop(work, id),
                Tag::Dialog | Tag::Export(_) | Tag::Session => {}
            }
        }
        if self.page == Page::Program && self.programs.is_empty() && self.failure.is_none() {
            self.show_gallery();
        }
    }

    fn select(&mut self, selection: Selection) {
        let Some(program) = self.program_mut() else { return };
        if program.selection != selection {
            program.selection = selection;
            self.touch_session();
            // What is drawn already this frame shows the old selection.
            self.ctx.request_repaint();
        }
    }

    pub(super) fn show_tab(&mut self, name: &str) {
        if self.programs.is_empty() {
            return;
        }
        self.page = Page::Program;
        self.dock.show_view(name);
        self.keep_layout();
    }

    /// Arranges the tabs anew, or says that there is nothing to arrange.
    fn arrange(&mut self, change: impl FnOnce(&mut Dock) -> bool) {
        if self.folded {
            self.toasts.info("The window is too narrow for a second pane.");
        } else if change(&mut self.dock) {
            self.keep_layout();
        } else {
            self.toasts.info("This pane has only one tab, and there is no other pane.");
        }
    }

    fn step_tab(&mut self, step: isize) {
        self.dock.step(step);
        self.dock.enter();
        self.keep_layout();
    }

    fn step_program(&mut self, step: isize) {
        let count = self.programs.len() as isize;
        if count > 0 {
            self.show_program((self.active as isize + step).rem_euclid(count) as usize);
        }
    }

    fn close_program(&mut self) {
        if self.failure.is_some() {
            self.leave_failure();
            return;
        }
        if self.page == Page::Gallery || self.active >= self.programs.len() {
            return;
        }
        let program = self.programs.remove(self.active);
        self.jobs.cancel(&Tag::Load(program.id));
        self.jobs.cancel(&Tag::Analyse(program.id));
        for work in OF_A_PROGRAM {
            self.jobs.cancel(&Tag::Task(work, Some(program.id)));
        }
        self.session.remember(program.remembered());
        self.forget_partner(program.id);
        self.views.iter_mut().for_each(|view| view.forget(program.id));
        self.active = self.active.min(self.programs.len().saturating_sub(1));
        self.follow_files();
        self.touch_session();
        if self.programs.is_empty() {
            self.show_gallery();
        } else {
            self.show_program(self.active);
        }
    }

    /// Asks the tab that keys go to. False if it does not answer to that.
    fn ask(&mut self, ask: Ask) -> bool {
        let answers = self.answers(self.dock.focus(), ask);
        if answers {
            self.ask = Some(ask);
            self.ctx.request_repaint();
        }
        answers
    }

    fn answers(&self, view: &str, ask: Ask) -> bool {
        self.views.iter().map(|view| view.info()).any(|info| info.name == view && info.answers.contains(&ask))
    }

    fn search(&mut self) {
        self.ask(Ask::Search);
    }

    fn go_to_change(&mut self, ask: Ask) {
        if !self.ask(ask) {
            self.toasts.info("This tab shows no changes; the tabs Rewritten, ISA and Compare do.");
        }
    }

    fn copy_table(&mut self) {
        if !self.ask(Ask::CopyTable) {
            self.toasts.info("This tab has no table to copy.");
        }
    }

    /// Saves the picture of the tab in front; where that has none, shows the tab that has one first.
    fn export_picture(&mut self) {
        let Some(program) = self.program() else { return };
        let report = &program.analysis.report;
        let tabs = [
            (self.dock.focus().to_owned(), true),
            ("packing".to_owned(), report.packing.is_some()),
            ("workgroup".to_owned(), !report.workgroup.is_empty()),
        ];
        for (name, _) in tabs.into_iter().filter(|(_, has)| *has) {
            if self.answers(&name, Ask::ExportPicture) {
                self.show_tab(&name);
                self.ask(Ask::ExportPicture);
                return;
            }
        }
        self.toasts.info("This tab has no picture to export.");
    }

    fn set_theme(&mut self, theme: Theme) {
        self.session.theme = theme;
        self.apply_theme();
        self.touch_session();
    }
}
