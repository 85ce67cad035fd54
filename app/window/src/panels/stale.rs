//! The banner of files that have changed and do not load any more. One line high, so that little moves when it comes.

use egui::{Align, Label, Layout, RichText, Ui};
use lanescope_inspector::command::Command;
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;

use lanescope_host::worker::Failure;

/// Draws the banner.
pub fn stale_banner(failure: &Failure, ui: &mut Ui) -> Option<Command> {
    let theme = Theme::of(ui);
    let mut chosen = None;
    egui::Frame::new().fill(theme.panel).inner_margin(4).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("Reload").clicked() {
                    chosen = Some(Command::Reload);
                }
                if ui.button("Details").on_hover_text("Show the message and the lines that it names").clicked() {
                    chosen = Some(Command::ShowFailure);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let first = failure.message.lines().last().unwrap_or_default();
                    let text = format!("The files changed and no longer load; the previous version is shown. {first}");
                    let label = ui.add(Label::new(RichText::new(text).color(theme.warn)).truncate());
                    label.on_hover_text(failure.to_string());
                });
            });
        });
    });
    chosen
}
