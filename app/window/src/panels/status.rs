//! The status bar: work under way at the left, findings at the right.

use std::time::Duration;

use egui::{Align, Layout, RichText, Ui};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::found::FoundCounts;
use lanescope_inspector::tasks::Work;
use lanescope_views::theme::{Theme, ThemeOfUi as _, Tokens, TokensOfVisuals as _};

use lanescope_workbench::state::State;
use lanescope_workbench::state::tasks::Tag;

/// Work that ends sooner than this has no spinner.
const SPIN_AFTER: Duration = Duration::from_millis(150);

/// Draws the status bar.
pub fn status_bar(state: &State, ui: &mut Ui) -> Option<Command> {
    let mut chosen = None;
    ui.horizontal(|ui| {
        ui.set_min_height(22.0);
        let can_cancel = work(state, ui);
        if can_cancel && ui.small_button("Cancel").clicked() {
            chosen = Some(Command::CancelWork);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if findings(state, ui) {
                chosen = Some(Command::Findings);
            }
        });
    });
    chosen
}

/// Draws the counts of findings and the target. True where the findings are to be shown.
fn findings(state: &State, ui: &mut Ui) -> bool {
    let Some(program) = state.in_front() else { return false };
    let (theme, tokens) = (Theme::of(ui), Tokens::of(ui.visuals()));
    let FoundCounts { errors, warnings, notes } = program.found(&state.settings.compile).counts();
    let counts = [(errors, "error"), (warnings, "warning"), (notes, "note")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let text = counts.map(|(count, what)| counted(count, what)).collect::<Vec<_>>().join(", ");
    let mut clicked = false;
    if text.is_empty() {
        ui.label(RichText::new("no findings").color(theme.ink_soft));
    } else {
        let text = match (errors, warnings) {
            (0, 0) => RichText::new(text),
            (0, _) => RichText::new(text).color(tokens.warning),
            _ => RichText::new(text).color(tokens.error).strong(),
        };
        clicked = ui.small_button(text).on_hover_text("Show the findings").clicked();
    }
    ui.separator();
    ui.add(egui::Label::new(RichText::new(program.target_line()).color(theme.ink_soft)).truncate());
    clicked
}

/// Where the run of a work graph is paused, if this is its job.
fn paused_text(state: &State, tag: &Tag) -> Option<String> {
    let Tag::Task(Work::Graph, Some(id)) = tag else { return None };
    state.programs.iter().find(|program| program.id == *id)?.results.paused_text()
}

/// Draws the work that is under way; true where it can be cancelled.
fn work(state: &State, ui: &mut Ui) -> bool {
    // A paused run computes nothing: work that does is shown first.
    let longest = state.running.iter().max_by_key(|(tag, status)| (paused_text(state, tag).is_none(), status.since));
    let Some((tag, status)) = longest else { return false };
    if let Some(text) = paused_text(state, tag) {
        ui.label(text);
        return true;
    }
    if let Some(rest) = SPIN_AFTER.checked_sub(status.since) {
        ui.ctx().request_repaint_after(rest);
        return false;
    }
    let waits_for_system = *tag == Tag::Dialog;
    if !waits_for_system {
        ui.add(egui::Spinner::new().size(14.0));
    }
    let mut text = status.name.clone();
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
