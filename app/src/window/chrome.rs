//! Around the tabs: menu bar, toolbar, status bar.

use std::time::Duration;

use egui::{Align, Button, ComboBox, Layout, MenuBar, RichText, Ui};
use lanescope_core::findings::Severity;
use lanescope_core::options::Options;
use lanescope_views::theme::Theme;

use super::app::{App, Page};
use super::command::{Command, Menu, TABLE};
use super::program::title;
use crate::worker::Failure;

/// Work that ends sooner than this is not worth a spinner.
const SPIN_AFTER: Duration = Duration::from_millis(150);

impl App {
    /// The menus.
    pub(super) fn menu_bar(&mut self, ui: &mut Ui) {
        let mut chosen = None;
        MenuBar::new().ui(ui, |ui| {
            for (menu, name) in Menu::ALL {
                ui.menu_button(name, |ui| self.menu(ui, menu, &mut chosen));
            }
        });
        if let Some(command) = chosen {
            self.act(command);
        }
    }

    fn menu(&self, ui: &mut Ui, menu: Menu, chosen: &mut Option<Command>) {
        ui.set_min_width(210.0);
        for row in TABLE.iter().filter(|row| row.menu == menu) {
            if row.new_group {
                ui.separator();
            }
            let key = row.keys.first().map(|key| ui.ctx().format_shortcut(key)).unwrap_or_default();
            let button = Button::new(row.label).shortcut_text(key).selected(self.is_on(&row.command));
            if ui.add_enabled(self.offers(&row.command, row.needs_program), button).clicked() {
                *chosen = Some(row.command.clone());
                ui.close();
            }
            if row.command == Command::Samples {
                self.recent_menu(ui, chosen);
            }
            if row.command == Command::PreviousTab {
                ui.menu_button("Tabs", |ui| {
                    for (index, view) in self.views.iter().enumerate() {
                        let key = super::command::tab_key(index).map(|key| ui.ctx().format_shortcut(&key));
                        let button = Button::new(view.info().title).shortcut_text(key.unwrap_or_default());
                        if ui.add_enabled(self.program().is_some(), button).on_hover_text(view.info().about).clicked() {
                            *chosen = Some(Command::ShowTab(view.info().name.to_owned()));
                            ui.close();
                        }
                    }
                });
            }
        }
    }

    /// Whether what a command switches is on.
    pub(super) fn is_on(&self, command: &Command) -> bool {
        match command {
            Command::SetTheme(theme) => *theme == self.session.theme,
            Command::Options => self.shows_options(),
            Command::SideBySide => self.program().is_some_and(|program| program.other.is_some()),
            _ => false,
        }
    }

    fn recent_menu(&self, ui: &mut Ui, chosen: &mut Option<Command>) {
        ui.add_enabled_ui(!self.session.recent.is_empty(), |ui| {
            ui.menu_button("Open recent", |ui| {
                for recent in &self.session.recent {
                    let folder = recent.paths.first().and_then(|path| path.parent());
                    let line = ui.button(title(&recent.paths));
                    let line = match folder {
                        Some(folder) => line.on_hover_text(folder.to_string_lossy()),
                        None => line,
                    };
                    if line.clicked() {
                        *chosen = Some(Command::OpenFiles(recent.paths.clone()));
                        ui.close();
                    }
                }
            });
        });
    }

    /// Whether a command can do anything now.
    fn offers(&self, command: &Command, needs_program: bool) -> bool {
        match command {
            Command::CloseProgram | Command::Reload if self.failure.is_some() => true,
            Command::Reopen => !self.previous.programs.is_empty(),
            Command::CancelWork => self.jobs.statuses().next().is_some(),
            _ => !needs_program || (self.page == Page::Program && self.program().is_some()),
        }
    }

    /// The switcher and what is done most.
    pub(super) fn toolbar(&mut self, ui: &mut Ui) {
        let mut chosen = None;
        let Some(program) = self.program() else { return };
        ui.horizontal(|ui| {
            ui.set_min_height(26.0);
            if ui.selectable_label(self.shows_options(), "Options").on_hover_text("Show or hide the options").clicked()
            {
                chosen = Some(Command::Options);
            }
            ui.separator();
            let width = (ui.available_width() - 130.0).clamp(80.0, 420.0);
            let files: Vec<_> = program.paths.iter().map(|path| path.display().to_string()).collect();
            let switcher = ui.scope(|ui| {
                // The text is cut at the end of the space, not at the width.
                ui.set_max_width(width);
                let switcher = ComboBox::from_id_salt("programs").width(width).truncate();
                switcher.selected_text(program.title()).show_ui(ui, |ui| {
                    for (index, program) in self.programs.iter().enumerate() {
                        if ui.selectable_label(index == self.active, program.title()).clicked() {
                            chosen = Some(Command::ShowProgram(index));
                        }
                    }
                })
            });
            switcher.response.on_hover_text(files.join("\n")).accessible_name("Program");
            for (command, sign, name) in
                [(Command::CloseProgram, "×", "Close this program"), (Command::Reload, "⟳", "Reload the files")]
            {
                let key = super::command::row_of(&command).and_then(|row| row.keys.first());
                let key = key.map(|key| format!(" ({})", ui.ctx().format_shortcut(key))).unwrap_or_default();
                let button = ui.button(sign).on_hover_text(format!("{name}{key}"));
                if button.accessible_name(name).clicked() {
                    chosen = Some(command);
                }
            }
        });
        if let Some(command) = chosen {
            self.act(command);
        }
    }

    /// Work under way at the left, what was found at the right.
    pub(super) fn status_bar(&mut self, ui: &mut Ui) {
        let mut chosen = None;
        let theme = Theme::of(ui);
        ui.horizontal(|ui| {
            ui.set_min_height(22.0);
            let busy = self.work(ui);
            if busy && ui.small_button("Cancel").clicked() {
                chosen = Some(Command::CancelWork);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let Some(program) = self.program().filter(|_| self.page == Page::Program && self.failure.is_none())
                else {
                    return;
                };
                let mut text = String::new();
                let mut bad = false;
                for (severity, count) in
                    program.findings(&self.devices.compile).into_iter().filter(|(_, count)| *count > 0)
                {
                    let name = match severity {
                        Severity::Error => "error",
                        Severity::Warning => "warning",
                        Severity::Note => "note",
                    };
                    let plural = if count == 1 { "" } else { "s" };
                    let comma = if text.is_empty() { "" } else { ", " };
                    text.push_str(&format!("{comma}{count} {name}{plural}"));
                    bad |= severity == Severity::Error;
                }
                if text.is_empty() {
                    ui.label(RichText::new("no findings").color(theme.ink_soft));
                } else {
                    let text = if bad { RichText::new(text).color(theme.warn).strong() } else { RichText::new(text) };
                    if ui.small_button(text).on_hover_text("Show the findings").clicked() {
                        chosen = Some(Command::Findings);
                    }
                }
                ui.separator();
                let options = &program.options;
                let changed = options.differences(&Options::default()).len();
                let mut line = options.target.name().to_owned();
                if changed > 0 {
                    let plural = if changed == 1 { "" } else { "s" };
                    line.push_str(&format!(", {changed} option{plural} changed"));
                }
                ui.add(egui::Label::new(RichText::new(line).color(theme.ink_soft)).truncate());
            });
        });
        if let Some(command) = chosen {
            self.act(command);
        }
    }

    /// Says what is under way; true where that can be cancelled.
    fn work(&self, ui: &mut Ui) -> bool {
        let longest = self.jobs.statuses().max_by_key(|(_, status)| status.since);
        let Some((tag, status)) = longest else { return false };
        if let Some(rest) = SPIN_AFTER.checked_sub(status.since) {
            ui.ctx().request_repaint_after(rest);
            return false;
        }
        let waits_for_system = *tag == super::jobs::Tag::Dialog;
        if !waits_for_system {
            ui.add(egui::Spinner::new().size(14.0));
        }
        let mut text = status.name;
        if !status.progress.is_empty() {
            text.push_str(&format!(" ({})", status.progress));
        }
        let room = (ui.available_width() - 200.0).max(60.0);
        ui.scope(|ui| {
            ui.set_max_width(room);
            ui.add(egui::Label::new(text).truncate());
        });
        !waits_for_system
    }

    /// Says that the files have changed into something that does not load.
    pub(super) fn stale_banner(&mut self, ui: &mut Ui, failure: &Failure) {
        let theme = Theme::of(ui);
        egui::Frame::new().fill(theme.panel).inner_margin(8).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                ui.vertical(|ui| {
                    ui.set_width((ui.available_width() - 130.0).max(80.0));
                    let title = "The files changed and no longer load; the previous version is shown.";
                    ui.label(RichText::new(title).color(theme.warn).strong());
                    let message = failure.to_string();
                    let mut lines = message.lines();
                    let head: Vec<_> = lines.by_ref().take(4).collect();
                    ui.label(RichText::new(head.join("\n")).monospace());
                    if lines.next().is_some() {
                        ui.weak("… Copy has the full message");
                    }
                });
                ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
                    if ui.button("Reload").clicked() {
                        self.act(Command::Reload);
                    }
                    if ui.button("Copy").clicked() {
                        ui.copy_text(failure.to_string());
                    }
                });
            });
        });
    }
}
