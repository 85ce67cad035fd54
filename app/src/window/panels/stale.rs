//! The banner of files that have changed and do not load any more.

use egui::{Align, Layout, RichText, Ui};
use lanescope_inspector::command::Command;
use lanescope_views::theme::Theme;

use crate::worker::Failure;

/// Draws the banner.
pub fn stale_banner(failure: &Failure, ui: &mut Ui) -> Option<Command> {
    let theme = Theme::of(ui);
    let mut chosen = None;
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
                    chosen = Some(Command::Reload);
                }
                if ui.button("Copy").clicked() {
                    ui.copy_text(failure.to_string());
                }
            });
        });
    });
    chosen
}
