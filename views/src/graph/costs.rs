//! What a scheduler makes of the graph, in the drawing's place.

use egui::{ComboBox, Frame, Margin, Ui};
use lanescope_core::cost::sheet::Sheet;
use lanescope_inspector::command::Command;
use lanescope_inspector::costs::{GraphQuestion, Made, file_name, files_to_add};
use lanescope_inspector::stepping::GraphCx;

use crate::combo::pick;
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

/// How nodes are dispatched, what is added, and the button that copies the sheet.
fn controls(ui: &mut Ui, cx: &ViewCx<'_>, graph: &GraphCx<'_>, commands: &mut Vec<Command>) {
    let mut settings = cx.settings.costs.clone();
    let hint =
        "Model a device that takes fewer than 2^24 - 1 workgroups along X: nodes are dispatched in rows of 32768";
    if ui.checkbox(&mut settings.rows, "Rows of workgroups").on_hover_text(hint).changed() {
        commands.push(Command::SetCostSettings(settings));
    }
    addition(ui, cx, graph, commands);
    let copy = ui.button("Copy costs").on_hover_text("Copy all tables as text, with tabs between columns");
    if copy.clicked() {
        let whole = GraphQuestion::of(graph, cx.stepping, &cx.settings.costs).sheet(graph);
        commands.push(Command::Copy(whole.to_tabs()));
    }
}

/// Which file's nodes are added to those of the others, where nodes are of several files.
fn addition(ui: &mut Ui, cx: &ViewCx<'_>, graph: &GraphCx<'_>, commands: &mut Vec<Command>) {
    let files = files_to_add(graph.graph);
    if files.is_empty() {
        return;
    }
    let name = |file: usize| file_name(&cx.report.inputs, file);
    let mut settings = cx.settings.costs.clone();
    let shown = settings.added.filter(|file| files.contains(file));
    let hint = "Show what AddToStateObject changes if it adds the nodes of this file to those of the others";
    let label = ui.label("Addition").on_hover_text(hint);
    let combo = ComboBox::from_id_salt("addition").selected_text(shown.map_or("None".to_owned(), name));
    let combo = combo.show_ui(ui, |ui| {
        pick(ui, &mut settings.added, None, "None");
        for file in files {
            pick(ui, &mut settings.added, Some(file), name(file));
        }
    });
    combo.response.labelled_by(label.id);
    if settings.added != cx.settings.costs.added {
        commands.push(Command::SetCostSettings(settings));
    }
}
