//! Temporary messages above the status bar.

use std::collections::BTreeMap;
use std::time::Duration;

use egui::{Align2, Area, Context, Id, Order, RichText, vec2};
use lanescope_inspector::command::Command;
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;

use lanescope_workbench::state::messages::{MOST, Message, Messages};

/// How long an informational message stays.
const STAY: f64 = 6.0;

/// When messages go.
#[derive(Debug, Default)]
pub struct Toasts {
    /// In the time of the input, by the message's number; set when it is first drawn.
    until: BTreeMap<u64, f64>,
}

impl Toasts {
    /// Draws the messages, and asks for the frame in which the next one goes.
    pub fn show(&mut self, messages: &Messages, ctx: &Context, bottom: f32) -> Vec<Command> {
        let all = messages.all();
        self.until.retain(|number, _| all.iter().any(|message| message.number == *number));
        if all.is_empty() {
            return Vec::new();
        }
        let now = ctx.input(|input| input.time);
        let mut commands = Vec::new();
        let mut stays =
            |message: &&Message| message.error || now < *self.until.entry(message.number).or_insert(now + STAY);
        let (kept, gone): (Vec<&Message>, Vec<&Message>) = all.iter().partition(|message| stays(message));
        commands.extend(gone.iter().map(|message| Command::Dismiss(message.number)));
        let shown = kept.get(kept.len().saturating_sub(MOST)..).unwrap_or_default();
        let ends = shown.iter().filter(|message| !message.error).filter_map(|message| self.until.get(&message.number));
        let next = ends.copied().fold(f64::MAX, f64::min);
        if next < f64::MAX {
            ctx.request_repaint_after(Duration::from_secs_f64((next - now).max(0.0)));
        }
        if shown.is_empty() {
            return commands;
        }

        let mut dismissed = None;
        let width = (ctx.content_rect().width() - 24.0).min(460.0);
        Area::new(Id::unique("toasts"))
            .order(Order::Foreground)
            .anchor(Align2::RIGHT_BOTTOM, vec2(-12.0, -bottom))
            .show(ctx, |ui| {
                ui.set_max_width(width);
                let theme = Theme::of(ui);
                for toast in shown {
                    let mut frame = egui::Frame::popup(ui.style());
                    frame.stroke.color = if toast.error { theme.warn } else { theme.outline };
                    let shown = frame.show(ui, |ui| {
                        ui.horizontal_top(|ui| {
                            ui.set_width(width - 24.0);
                            let buttons = if toast.error { 92.0 } else { 28.0 };
                            ui.vertical(|ui| {
                                ui.set_width(ui.available_width() - buttons);
                                ui.label(&toast.text);
                            });
                            ui.with_layout(egui::Layout::right_to_left(egui::Align::TOP), |ui| {
                                let dismiss = ui.small_button("×").on_hover_text("Dismiss");
                                if dismiss.accessible_name("Dismiss").clicked() {
                                    dismissed = Some(toast.number);
                                }
                                if toast.error && ui.small_button(RichText::new("Copy")).clicked() {
                                    ui.copy_text(toast.text.clone());
                                }
                            });
                        });
                    });
                    if middle_clicked(&shown.response) {
                        dismissed = Some(toast.number);
                    }
                }
            });
        commands.extend(dismissed.map(Command::Dismiss));
        commands
    }
}

/// Whether the middle button was clicked in a part that senses no clicks.
fn middle_clicked(part: &egui::Response) -> bool {
    let clicked = part.ctx.input(|input| input.pointer.button_clicked(egui::PointerButton::Middle));
    clicked && part.contains_pointer()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_go_after_a_while_and_errors_stay() {
        let mut messages = Messages::default();
        messages.error("lost");
        for text in ["a", "b", "c", "d", "e"] {
            messages.info(text);
        }
        assert_eq!(messages.texts(), ["b", "c", "d", "e"]);
        let (ctx, mut toasts) = (Context::default(), Toasts::default());
        for time in [1.0, 1.0 + STAY] {
            let input = egui::RawInput { time: Some(time), ..Default::default() };
            let mut commands = Vec::new();
            let _ = ctx.run_ui(input, |ui| commands.extend(toasts.show(&messages, ui.ctx(), 0.0)));
            for command in commands {
                let Command::Dismiss(number) = command else { panic!("{command:?}") };
                messages.dismiss(number);
            }
        }
        assert_eq!(messages.texts(), ["lost"], "it is shown again");
    }
}
