//! The graph tab.

use egui::{Panel, ScrollArea, Ui};
use lanescope_core::graph::WorkGraph;

use super::details::details;
use super::drawing::Drawing;
use crate::context::{Ask, View, ViewCommand, ViewCx, ViewInfo};
use crate::picture::canvas::Canvas;
use crate::picture::{Mark, clean};
use crate::theme::Theme;
use crate::widgets::{Cached, at_pointer, fact, nothing, toolbar};

pub(crate) static INFO: ViewInfo = ViewInfo {
    name: "graph",
    title: "Graph",
    about: "a work graph: its nodes, which node feeds which, the records between them",
    answers: &[Ask::ExportPicture],
};

/// Below this width the details stand under the drawing.
const NARROW: f32 = 560.0;

/// The drawing with the details of what is selected.
#[derive(Default)]
pub struct GraphView {
    drawing: Option<(u64, Drawing)>,
    picture: Cached<(u64, bool)>,
    canvas: Canvas,
    selected: Option<Mark>,
}

impl View for GraphView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<ViewCommand> {
        let mut commands = Vec::new();
        let Some(graph) = &cx.report.graph else {
            let hint = "Work graphs are DXIL libraries with node shaders, or SPIR-V that enqueues nodes.";
            commands.extend(nothing(ui, "No work graph", hint, None));
            return commands;
        };
        if self.drawing.as_ref().is_none_or(|(revision, _)| *revision != cx.revision) {
            self.drawing = Some((cx.revision, Drawing::of(graph)));
            self.selected = self.selected.filter(|mark| is_there(graph, *mark));
        }
        toolbar(ui, |ui| {
            self.canvas.zoom_buttons(ui);
            ui.separator();
            let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
            ui.label(format!(
                "{}, {}, depth {}",
                plural(graph.nodes.len(), "node"),
                plural(graph.edges.len(), "edge"),
                graph.depth
            ));
        });
        let (Some((_, drawing)), narrow) = (&self.drawing, ui.available_width() < NARROW) else { return commands };
        let id = ui.scope_id().with("details");
        let panel = match narrow {
            true => Panel::bottom(id).resizable(true).default_size(180.0),
            false => Panel::right(id).resizable(true).default_size(300.0),
        };
        let chosen = panel.show(ui, |ui| {
            ScrollArea::both()
                .auto_shrink(false)
                .show(ui, |ui| details(ui, graph, drawing, &cx.report.findings, self.selected))
        });
        if let Some(mark) = chosen.inner.inner {
            self.selected = Some(mark);
        }
        let theme = Theme::of(ui);
        let picture = self.picture.get((cx.revision, theme.dark), || drawing.picture(graph, None, &theme));
        if cx.asked(Ask::ExportPicture) {
            commands.push(ViewCommand::Export { picture: Box::new(picture.clone()), name: "graph" });
        }
        let selected: Vec<Mark> = self.selected.into_iter().collect();
        let reply = self.canvas.show(ui, picture, &theme, &selected);
        if let Some(Mark::Node(node)) = reply.hovered
            && let Some(node) = graph.nodes.get(node as usize)
        {
            at_pointer(&reply.response, |ui| {
                ui.strong(clean(&node.label()));
                egui::Grid::new("hovered").num_columns(2).show(ui, |ui| {
                    fact(ui, "launch", node.launch.name());
                    let record = node.record().map_or("empty".to_owned(), |record| format!("{} bytes", record.bytes));
                    fact(ui, "records", record);
                    fact(ui, "outputs", node.outputs.len().to_string());
                });
            });
        }
        match reply.chosen {
            Some(mark) => self.selected = Some(mark),
            None if reply.cleared => self.selected = None,
            None => {}
        }
        commands
    }
}

/// Whether what was selected is still there.
fn is_there(graph: &WorkGraph, mark: Mark) -> bool {
    matches!(mark, Mark::Node(node) if (node as usize) < graph.nodes.len())
}
