//! The strip under the program's name: its answers in one line, each leading to its place.

use egui::{RichText, Ui};
use lanescope_inspector::command::Command;
use lanescope_inspector::strip::{FactState, StripCx, facts};
use lanescope_views::rows::controls;
use lanescope_views::theme::{Theme, ThemeOfUi as _, Tokens, TokensOfVisuals as _};

use lanescope_workbench::state::State;

/// Draws the strip.
pub fn strip(state: &State, ui: &mut Ui) -> Option<Command> {
    let program = state.in_front()?;
    let (theme, tokens) = (Theme::of(ui), Tokens::of(ui.visuals()));
    let cx = StripCx {
        report: &program.analysis.report,
        results: &program.results,
        revision: program.revision,
        compile: &state.settings.compile,
        findings: program.found(&state.settings.compile).counts(),
        frozen: program.frozen,
    };
    let mut chosen = None;
    controls(ui, "strip", |ui| {
        ui.set_min_height(24.0);
        ui.spacing_mut().item_spacing.x = 4.0;
        for (index, fact) in facts(&cx).into_iter().enumerate() {
            if index > 0 {
                ui.label(RichText::new("·").color(theme.ink_soft));
            }
            let text = match fact.state {
                FactState::Known => RichText::new(&fact.text).color(theme.ink),
                FactState::Open => RichText::new(&fact.text).color(theme.ink_soft).italics(),
                FactState::Warning => RichText::new(&fact.text).color(tokens.warning).strong(),
                FactState::Error => RichText::new(&fact.text).color(tokens.error).strong(),
            };
            if ui.add(egui::Button::new(text).frame_when_inactive(false)).on_hover_text(&fact.about).clicked() {
                chosen = Some(fact.command);
            }
        }
    });
    chosen
}
