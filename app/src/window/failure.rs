//! The page of files that did not open.

use std::path::PathBuf;

use egui::{RichText, ScrollArea, Ui};
use lanescope_views::theme::Theme;

use super::command::Command;
use super::program::title;
use crate::worker::Failure;

/// Files that did not open, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailurePage {
    /// The files.
    pub paths: Vec<PathBuf>,
    /// Why.
    pub failure: Failure,
}

/// The user's choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Nothing yet.
    None,
    /// Try again.
    Again,
    /// Try again with this entry point.
    Entry(String),
    /// Try again without validation.
    Invalid,
    /// Go on with what was shown before.
    Back,
    /// Something else.
    Do(Command),
}

impl FailurePage {
    /// Draws the page.
    pub fn ui(&self, ui: &mut Ui) -> Answer {
        let theme = Theme::of(ui);
        let mut answer = Answer::None;
        let width = (ui.available_width() - 32.0).min(860.0);
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.add_space(((ui.available_width() - width) / 2.0).max(8.0));
                ui.vertical(|ui| {
                    ui.set_width(width);
                    ui.add_space(24.0);
                    ui.label(RichText::new(format!("Cannot open {}", title(&self.paths))).size(20.0).strong());
                    ui.add_space(4.0);
                    if let Some(file) = &self.failure.file {
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
                            ui.label(RichText::new(&self.failure.message).monospace());
                        });
                    ui.add_space(12.0);
                    if !self.failure.entries.is_empty() {
                        ui.label("Open with the entry point");
                        ui.horizontal_wrapped(|ui| {
                            for entry in &self.failure.entries {
                                if ui.button(RichText::new(entry).monospace()).clicked() {
                                    answer = Answer::Entry(entry.clone());
                                }
                            }
                        });
                        ui.add_space(8.0);
                    }
                    if self.failure.invalid {
                        let hint = "Opens the invalid module. Results may be incomplete, and drivers may fail.";
                        if ui.button("Open without validation").on_hover_text(hint).clicked() {
                            answer = Answer::Invalid;
                        }
                        ui.add_space(8.0);
                    }
                    ui.horizontal_wrapped(|ui| {
                        if ui.button("Try again").clicked() {
                            answer = Answer::Again;
                        }
                        if ui.button("Copy message").clicked() {
                            ui.copy_text(self.failure.to_string());
                        }
                        if ui.button("Open…").clicked() {
                            answer = Answer::Do(Command::Open);
                        }
                        if ui.button("Back").on_hover_text("Esc").clicked() {
                            answer = Answer::Back;
                        }
                    });
                });
            });
        });
        if ui.input(|input| input.key_pressed(egui::Key::Escape)) && !egui::Popup::is_any_open(ui.ctx()) {
            answer = Answer::Back;
        }
        answer
    }
}
