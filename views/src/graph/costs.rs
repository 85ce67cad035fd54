//! What a scheduler makes of the graph, in the drawing's place.

use egui::{Frame, Margin, Ui};
use lanescope_core::cost::sheet::Sheet;
use lanescope_inspector::command::Command;
use lanescope_inspector::costs::{GraphQuestion, Made};
use lanescope_inspector::stepping::GraphCx;

use crate::context::ViewCx;
use crate::cost_sheet::sheet;

/// Rows of a table: one has a row for each node in each generation.
const ROWS: usize = 300;

/// The sheet as it was made last.
#[derive(Default)]
pub(super) struct CostPane {
    made: Made<GraphQuestion, Sheet>,
}

impl CostPane {
    /// Draws what is assumed, and the sheet. Returns the node that was chosen.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        graph: &GraphCx<'_>,
        commands: &mut Vec<Command>,
    ) -> Option<usize> {
        let question = GraphQuestion::of(graph, cx.stepping, &cx.settings.costs);
        let made = self.made.get(question, |asked| asked.sheet(graph).at_most(ROWS));
        let frame = Frame::new().inner_margin(Margin { left: 6, ..Margin::ZERO });
        let drawn = frame.show(ui, |ui| {
            ui.horizontal_wrapped(|ui| controls(ui, cx, graph, commands));
            sheet(ui, cx, made, cx.stepping.node, commands)
        });
        drawn.inner
    }
}

/// How nodes are dispatched, and the button that copies the sheet.
fn controls(ui: &mut Ui, cx: &ViewCx<'_>, graph: &GraphCx<'_>, commands: &mut Vec<Command>) {
    let mut settings = cx.settings.costs.clone();
    let hint =
        "Model a device that takes fewer than 2^24 - 1 workgroups along X: nodes are dispatched in rows of 32768";
    if ui.checkbox(&mut settings.rows, "Rows of workgroups").on_hover_text(hint).changed() {
        commands.push(Command::SetCostSettings(settings));
    }
    let copy = ui.button("Copy costs").on_hover_text("Copy all tables as text, with tabs between columns");
    if copy.clicked() {
        let whole = GraphQuestion::of(graph, cx.stepping, &cx.settings.costs).sheet(graph);
        commands.push(Command::Copy(whole.to_tabs()));
    }
}
