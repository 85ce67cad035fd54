//! Temporary messages above the status bar.

use std::time::Duration;

use egui::{Align2, Area, Context, Id, Order, RichText, vec2};
use lanescope_views::theme::Theme;

/// How long an informational message stays.
const STAY: f64 = 6.0;

/// The most messages shown at a time: the newest. Errors that newer ones cover are shown again once those are gone.
const MOST: usize = 4;

/// Messages that are shown, or will be.
#[derive(Debug, Default)]
pub struct Toasts {
    kept: Vec<Toast>,
    next: u64,
}

#[derive(Debug)]
struct Toast {
    number: u64,
    text: String,
    /// Errors stay until they are dismissed.
    error: bool,
    /// When it goes, in the time of the input; set when it is first drawn.
    until: Option<f64>,
}

impl Toasts {
    /// Says something that may be missed.
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(text.into(), false);
    }

    /// Says something that must be read: it stays until it is dismissed.
    pub fn error(&mut self, text: impl Into<String>) {
        self.push(text.into(), true);
    }

    /// The shown contents.
    #[cfg(test)]
    pub fn texts(&self) -> Vec<&str> {
        self.shown().map(|toast| toast.text.as_str()).collect()
    }

    fn shown(&self) -> impl Iterator<Item = &Toast> {
        self.kept.iter().skip(self.kept.len().saturating_sub(MOST))
    }

    fn push(&mut self, text: String, error: bool) {
        // The same again only stays longer.
        self.kept.retain(|toast| toast.text != text);
        self.next += 1;
        self.kept.push(Toast { number: self.next, text, error, until: None });
        // What may be missed is not shown later.
        let covered = self.kept.len().saturating_sub(MOST);
        let mut index = 0..;
        self.kept.retain(|toast| index.next() >= Some(covered) || toast.error);
    }

    /// Draws them, and asks for the frame in which the next one goes.
    pub fn show(&mut self, ctx: &Context, bottom: f32) {
        if self.kept.is_empty() {
            return;
        }
        let now = ctx.input(|input| input.time);
        self.kept.retain_mut(|toast| toast.error || now < *toast.until.get_or_insert(now + STAY));
        let next = self.shown().filter_map(|toast| toast.until.filter(|_| !toast.error)).fold(f64::MAX, f64::min);
        if next < f64::MAX {
            ctx.request_repaint_after(Duration::from_secs_f64((next - now).max(0.0)));
        }

        let mut dismissed = None;
        let width = (ctx.content_rect().width() - 24.0).min(460.0);
        Area::new(Id::unique("toasts"))
            .order(Order::Foreground)
            .anchor(Align2::RIGHT_BOTTOM, vec2(-12.0, -bottom))
            .show(ctx, |ui| {
                ui.set_max_width(width);
                let theme = Theme::of(ui);
                for toast in self.shown() {
                    let mut frame = egui::Frame::popup(ui.style());
                    frame.stroke.color = if toast.error { theme.warn } else { theme.outline };
                    frame.show(ui, |ui| {
                        ui.horizontal_top(|ui| {
                            ui.set_width(width - 24.0);
                            let buttons = if toast.error { 92.0 } else { 28.0 };
                            ui.vertical(|ui| {
                                ui.set_width(ui.available_width() - buttons);
                                ui.label(&toast.text);
                            });
                            ui.with_layout(egui::Layout::right_to_left(egui::Align::TOP), |ui| {
                                if ui.small_button("×").on_hover_text("Dismiss").accessible_name("Dismiss").clicked() {
                                    dismissed = Some(toast.number);
                                }
                                if toast.error && ui.small_button(RichText::new("Copy")).clicked() {
                                    ui.copy_text(toast.text.clone());
                                }
                            });
                        });
                    });
                }
            });
        if let Some(number) = dismissed {
            self.kept.retain(|toast| toast.number != number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_messages_and_shows_each_once() {
        let mut toasts = Toasts::default();
        for i in 0..10 {
            toasts.info(format!("{}", i % 5));
        }
        assert_eq!(toasts.texts(), ["1", "2", "3", "4"]);
        toasts.error("2");
        assert_eq!(toasts.texts(), ["1", "3", "4", "2"]);
    }

    #[test]
    fn errors_stay_until_dismissed() {
        let mut toasts = Toasts::default();
        toasts.error("lost");
        for text in ["a", "b", "c", "d", "e"] {
            toasts.info(text);
        }
        assert_eq!(toasts.texts(), ["b", "c", "d", "e"]);
        let ctx = Context::default();
        for time in [1.0, 1.0 + STAY] {
            let input = egui::RawInput { time: Some(time), ..Default::default() };
            let _ = ctx.run_ui(input, |ui| toasts.show(ui.ctx(), 0.0));
        }
        assert_eq!(toasts.texts(), ["lost"], "it is shown again");
    }
}
