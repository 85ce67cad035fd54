//! The drawer *Details* at the right, and the panel of findings at the bottom: views beside those of the mode.

use egui::{Align, Layout, Sense, Ui};
use lanescope_inspector::command::Command;
use lanescope_inspector::mode::FINDINGS;
use lanescope_views::tokens::space;

use super::edge::{self, Edge};
use crate::dock::PaneCx;
use lanescope_workbench::state::State;

/// The share of the window beside the options that the drawer has at most, and of its height the findings. Both keep
/// their sizes over those of the window.
const SHARE: f32 = 0.6;

/// Draws the drawer where it is open.
pub fn drawer(state: &State, ui: &mut Ui, panes: &mut PaneCx<'_>) {
    let Some(shown) = state.tabs.drawer() else { return };
    let room = ui.available_width();
    let sizes = 200.0..=(room * SHARE).max(200.0);
    edge::panel(ui, Edge::Right, "inspect", (room * 0.42).clamp(260.0, 620.0), sizes, |ui| {
        head(ui, panes, &Command::Inspect, "Close Inspect", |ui, panes| {
            for view in state.tabs.drawer_views() {
                let Some(info) = panes.info(view) else { continue };
                let title = ui.selectable_label(view == shown, info.title).on_hover_text(info.about);
                if title.clicked() {
                    panes.commands.push(Command::ShowTab(view));
                } else if title.middle_clicked() {
                    panes.commands.push(Command::Inspect);
                }
            }
        });
        panes.draw(ui, shown);
    });
}

/// Draws the panel of findings where it is open.
pub fn findings_panel(state: &State, ui: &mut Ui, panes: &mut PaneCx<'_>) {
    if !state.tabs.shows_findings() {
        return;
    }
    let room = ui.available_height();
    let sizes = 80.0..=(room * SHARE).max(80.0);
    edge::panel(ui, Edge::Bottom, "findings", 190.0, sizes, |ui| {
        let mut closes = false;
        head(ui, panes, &Command::Findings, "Close the findings", |ui, _| {
            let title = ui.add(egui::Label::new(egui::RichText::new("Findings").strong()).sense(Sense::CLICK));
            closes |= title.middle_clicked();
        });
        if closes {
            close_findings(panes);
        }
        panes.draw(ui, FINDINGS);
    });
}

/// Draws titles to the left and the button that closes to the right.
fn head(
    ui: &mut Ui,
    panes: &mut PaneCx<'_>,
    close: &Command,
    name: &str,
    titles: impl FnOnce(&mut Ui, &mut PaneCx<'_>),
) {
    ui.horizontal(|ui| {
        ui.set_min_height(24.0);
        ui.add_space(space::BLOCK);
        titles(ui, panes);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.small_button("×").on_hover_text(name).accessible_name(name).clicked() {
                match close {
                    Command::Findings => close_findings(panes),
                    close => panes.commands.push(close.clone()),
                }
            }
        });
    });
}

/// The command closes the panel that keys go to.
fn close_findings(panes: &mut PaneCx<'_>) {
    panes.focus = Some(FINDINGS);
    panes.commands.extend([Command::Focus(FINDINGS), Command::Findings]);
}
