//! The page of files that did not open.

use egui::{RichText, ScrollArea, Ui};
use lanescope_inspector::command::{Command, OpenChange};
use lanescope_views::theme::Theme;

use crate::state::failure::FailurePage;
use crate::state::program::title;

/// Draws the page.
pub fn failure_page(page: &FailurePage, ui: &mut Ui) -> Option<Command> {
    let theme = Theme::of(ui);
    let mut answer = None;
    let width = (ui.available_width() - 32.0).min(860.0);
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.add_space(((ui.available_width() - width) / 2.0).max(8.0));
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.add_space(24.0);
                ui.label(RichText::new(format!("Cannot open {}", title(&page.paths))).size(20.0).strong());
                ui.add_space(4.0);
                if let Some(file) = &page.failure.file {
                    ui.label(RichText::new(file).color(theme.ink_soft));
                }
                ui.add_space(10.0);
                egui::Frame::new()
                    .fill(theme.panel)
                    .stroke(egui::Stroke::new(1.0, theme.warn))
                    .corner_radius(4)
                    .inner_margin(12)
                    .show(ui, |ui| {
                        ui.set_width(width - 26.0);
                        ui.label(RichText::new(&page.failure.message).monospace());
                    });
                ui.add_space(12.0);
                if !page.failure.entries.is_empty() {
                    ui.label("Open with the entry point");
                    ui.horizontal_wrapped(|ui| {
                        for entry in &page.failure.entries {
                            if ui.button(RichText::new(entry).monospace()).clicked() {
                                let change = OpenChange::Entry(entry.clone());
                                answer = Some(Command::OpenChanged(page.paths.clone(), change));
                            }
                        }
                    });
                    ui.add_space(8.0);
                }
                if page.failure.invalid {
                    let hint = "Opens the invalid module. Results may be incomplete, and drivers may fail.";
                    if ui.button("Open without validation").on_hover_text(hint).clicked() {
                        answer = Some(Command::OpenChanged(page.paths.clone(), OpenChange::NoValidation));
                    }
                    ui.add_space(8.0);
                }
                ui.horizontal_wrapped(|ui| {
                    if ui.button("Try again").clicked() {
                        answer = Some(Command::OpenFiles(page.paths.clone()));
                    }
                    if ui.button("Copy message").clicked() {
                        ui.copy_text(page.failure.to_string());
                    }
                    if ui.button("Open…").clicked() {
                        answer = Some(Command::Open);
                    }
                    if ui.button("Back").on_hover_text("Esc").clicked() {
                        answer = Some(Command::LeaveFailure);
                    }
                });
            });
        });
    });
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) && !egui::Popup::is_any_open(ui.ctx()) {
        answer = Some(Command::LeaveFailure);
    }
    answer
}
