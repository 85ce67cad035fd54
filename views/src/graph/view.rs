//! The graph tab.

use std::collections::BTreeMap;

use egui::{Button, Panel, RichText, ScrollArea, Ui};
use lanescope_core::graph::{GraphSource, NO_EXTENSION, NodeId, WorkGraph};
use lanescope_core::run::graph::{Advance, GraphCommand, GraphMode, GraphRequest, GraphRun};
use lanescope_inspector::tasks::{StepState, Work};
use lanescope_inspector::view::{Ask, ViewInfo};

use super::activity::Activity;
use super::details::details;
use super::drawing::Drawing;
use super::input::InputPane;
use super::picture::Look;
use super::run::RunPane;
use super::strip::strip;
use crate::context::{View, ViewCommand, ViewCx};
use crate::device;
use crate::picture::canvas::Canvas;
use crate::picture::{Mark, clean};
use crate::table::Tokens;
use crate::theme::Theme;
use crate::widgets::{Cached, at_pointer, below, fact, toolbar, underway, unopened};

pub(crate) static INFO: ViewInfo = ViewInfo {
    name: "graph",
    title: "Graph",
    about: "A work graph: nodes, the records between them, and a run generation by generation",
    answers: &[
        Ask::ExportPicture,
        Ask::CopyTable,
        Ask::Run,
        Ask::Step,
        Ask::StepBack,
        Ask::Continue,
        Ask::RunToNode,
        Ask::RunToGeneration,
        Ask::ToggleBreakpoint,
        Ask::RunToEnd,
        Ask::Restart,
        Ask::GoOnFrom,
    ],
};

/// Below this width the details are under the drawing.
const NARROW: f32 = 560.0;
/// A page of a run that had less space than this would show its controls alone.
const LOWEST_PAGE: f32 = 96.0;

/// What the drawing is made from: the graph's revision, theme, generation of which run, nodes with breakpoints.
type PictureKey = (u64, bool, Option<(u64, usize)>, Vec<usize>);

/// The graphs of all programs, each looked at in its own way.
#[derive(Default)]
pub struct GraphView {
    /// By the program's number.
    panes: BTreeMap<u64, GraphPane>,
}

/// The drawing with the details of what is selected, and a run of it.
#[derive(Default)]
struct GraphPane {
    drawing: Option<(u64, Drawing)>,
    /// The ids of the nodes that are drawn, to find them again in another state of the file.
    ids: Vec<NodeId>,
    picture: Cached<PictureKey>,
    canvas: Canvas,
    selected: Option<Mark>,
    run: RunPane,
    input: InputPane,
    /// Why what was requested last cannot be run.
    refused: Option<String>,
    /// Whether the form for the first records is shown.
    inputs_shown: bool,
    /// Number of the file of records that was taken.
    taken: Option<u64>,
}

impl View for GraphView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<ViewCommand> {
        let mut commands = Vec::new();
        let Some(graph) = &cx.report.graph else {
            let hint = "Open a DXIL library with node shaders, or SPIR-V that enqueues nodes.";
            commands.extend(unopened(ui, "No work graph", hint, None));
            return commands;
        };
        self.panes.entry(cx.program).or_default().ui(ui, cx, graph, &mut commands);
        commands
    }

    fn forget(&mut self, program: u64) {
        self.panes.remove(&program);
    }
}

impl GraphPane {
    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, graph: &WorkGraph, commands: &mut Vec<ViewCommand>) {
        if self.drawing.as_ref().is_none_or(|(revision, _)| *revision != cx.graph_revision) {
            self.drawing = Some((cx.graph_revision, Drawing::of(graph)));
            self.selected = self.selected.and_then(|mark| self.found_again(graph, mark));
            self.ids = graph.nodes.iter().map(|node| node.id.clone()).collect();
            self.refused = None;
        }
        if let Some(file) = cx.made.records.as_ref().filter(|file| self.taken != Some(file.number)) {
            self.taken = Some(file.number);
            self.inputs_shown = true;
            self.input.take(graph, &file.bytes);
        }
        // A run of an older program is of another graph.
        let answer = cx.made.graph.answer.as_ref().filter(|answer| answer.revision == cx.graph_revision);
        let run = answer
            .and_then(|answer| answer.result.as_ref().ok())
            .filter(|run| run.graph.nodes.len() == graph.nodes.len());
        if let (Some(run), Some(answer)) = (run, answer) {
            let stopped = self.run.follow((answer.revision, answer.number), run, cx.made.led);
            self.selected = stopped.and_then(|node| u32::try_from(node).ok()).map(Mark::Node).or(self.selected);
        }
        let node = match self.selected {
            Some(Mark::Node(node)) => Some(node as usize),
            _ => None,
        };
        toolbar(ui, |ui| {
            self.running(ui, cx, graph, run, commands);
            if let Some(run) = run {
                ui.separator();
                let can_restart = self.can_restart(cx);
                let asking = self.run.controls(ui, cx, run, node, can_restart, commands);
                self.selected = asking.select.or(self.selected);
                if asking.restart {
                    self.begin(graph, true, commands);
                }
            }
            if run.is_some() || !cx.frozen && graph.source != GraphSource::Spirv {
                self.run.breakpoint_menu(ui, graph, node);
            }
            let hint = "Save the run to a file that opens without a device";
            if run.is_some() && ui.button("Save run…").on_hover_text(hint).clicked() {
                commands.push(ViewCommand::SaveGraphRun);
            }
            ui.separator();
            self.canvas.zoom_buttons(ui);
        });
        if let Some(why) = &self.refused {
            ui.colored_label(Tokens::of(ui.visuals()).error, format!("× {}", clean(why)));
        }
        if let Some(why) = answer.and_then(|answer| answer.result.as_ref().err()) {
            let text = RichText::new(format!("× It did not run: {}", clean(why))).color(Tokens::of(ui.visuals()).error);
            ui.add(egui::Label::new(text).wrap());
        }
        if self.inputs_shown {
            egui::Frame::group(ui.style()).show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                if self.input.ui(ui, graph) {
                    commands.push(ViewCommand::LoadRecords);
                }
            });
        }
        if let Some(id) = node.filter(|_| cx.asked(Ask::ToggleBreakpoint)).and_then(|node| self.ids.get(node)) {
            self.run.toggle_breakpoint(id);
        }
        let theme = Theme::of(ui);
        if let Some(run) = run {
            run_notes(ui, run);
            if let Some(at) = strip(ui, run, self.run.at, &theme) {
                self.run.go_to(at);
            }
        }
        self.below(ui, cx, graph, run, node, commands);
        self.beside(ui, cx, graph, run, node);
        self.drawing(ui, cx, graph, run, &theme, commands);
    }

    /// What was selected in the graph that was drawn last, in this one.
    fn found_again(&self, graph: &WorkGraph, mark: Mark) -> Option<Mark> {
        let Mark::Node(node) = mark else { return None };
        let node = graph.find(self.ids.get(node as usize)?)?;
        u32::try_from(node).ok().map(Mark::Node)
    }

    /// The button that runs it, and what it runs with.
    fn running(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        graph: &WorkGraph,
        run: Option<&GraphRun>,
        commands: &mut Vec<ViewCommand>,
    ) {
        if graph.source == GraphSource::Spirv {
            ui.add_enabled(false, Button::new("Run")).on_disabled_hover_text(NO_EXTENSION);
            ui.weak(NO_EXTENSION);
            return;
        }
        if cx.frozen {
            let why = "A saved run contains no shaders: open its library to run it again";
            ui.add_enabled(false, Button::new("Run again")).on_disabled_hover_text(why);
            return;
        }
        if is_working(cx) {
            if underway(ui, "running") {
                commands.push(ViewCommand::Stop(Work::Graph));
            }
        } else {
            let title = if run.is_some() { "Run again" } else { "Run" };
            let button = ui.add(Button::new(RichText::new(title).strong()));
            let hint = "Run to the end or to a breakpoint, in its own process, recording all records (F9)";
            if button.on_hover_text(hint).clicked() || cx.asked(Ask::Run) {
                self.begin(graph, false, commands);
            }
            if run.is_none() && self.input.is_stepped() {
                let button = ui.button("Step").on_hover_text("Start, and pause before the first generation (F10)");
                if button.clicked() || cx.asked(Ask::Step) || cx.asked(Ask::Restart) {
                    self.begin(graph, true, commands);
                }
            }
            if cx.made.led.is_some() {
                let hint = "Stop the run here and release the device; its records stay waiting";
                if ui.button("End").on_hover_text(hint).clicked() {
                    commands.push(ViewCommand::LeadGraph(GraphCommand::End));
                }
            }
        }
        ui.toggle_value(&mut self.inputs_shown, "Input").on_hover_text("Records of the entry node");
        device::choose(ui, cx, commands);
    }

    /// Requests a run: paused before its first generation, to the first breakpoint, or to the end.
    fn begin(&mut self, graph: &WorkGraph, step: bool, commands: &mut Vec<ViewCommand>) {
        self.refused = None;
        match self.input.request(graph) {
            Ok(mut request) => {
                let breakpoints = self.run.active(graph);
                if self.input.is_stepped() && (step || !breakpoints.is_empty()) {
                    request.led = Some(Advance { generations: step.then_some(0), breakpoints });
                }
                commands.push(ViewCommand::RunGraph(Box::new(request)));
            }
            Err(why) => self.refused = Some(why),
        }
    }

    /// Requests a run that resumes before a generation of the shown run, and pauses there.
    fn go_on(&mut self, graph: &WorkGraph, run: &GraphRun, at: usize, commands: &mut Vec<ViewCommand>) {
        self.refused = None;
        let request = self.input.request(graph).and_then(|request| {
            let resume = run.resume(at)?;
            let more = request.dispatches > resume.dispatch.saturating_add(1);
            let inputs = if more { run.first_inputs()? } else { Vec::new() };
            let led = Some(Advance { generations: Some(0), breakpoints: self.run.active(graph) });
            let (input_mode, ring) = (run.input_mode, run.ring);
            let mode = GraphMode::Step;
            Ok(GraphRequest { mode, input_mode, ring, inputs, led, resume: Some(Box::new(resume)), ..request })
        });
        match request {
            Ok(request) => commands.push(ViewCommand::RunGraph(Box::new(request))),
            Err(why) => self.refused = Some(why),
        }
    }

    /// Whether a run that is stepped can begin now.
    fn can_restart(&self, cx: &ViewCx<'_>) -> bool {
        !cx.frozen && self.input.is_stepped() && !is_working(cx)
    }

    fn below(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        graph: &WorkGraph,
        run: Option<&GraphRun>,
        node: Option<usize>,
        commands: &mut Vec<ViewCommand>,
    ) {
        let Some(run) = run.filter(|_| self.run.at.is_some()) else { return };
        // A low window is the drawing's first.
        let height = (ui.available_height() * 0.35).clamp(110.0, 230.0);
        let panel = below(ui, "run", height);
        let can_restart = self.can_restart(cx);
        let asking = panel.show(ui, |ui| {
            // The panel keeps its height, however little a page shows; what is higher than the panel scrolls in it.
            let height = ui.available_height().max(LOWEST_PAGE);
            ScrollArea::vertical().id_salt("page").auto_shrink(false).min_scrolled_height(0.0).show(ui, |ui| {
                ui.set_height(height);
                self.run.below(ui, cx, run, node, can_restart, commands)
            })
        });
        let asking = asking.inner.inner;
        self.selected = asking.select.or(self.selected);
        if let Some(at) = asking.from {
            self.go_on(graph, run, at, commands);
        }
    }

    fn beside(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, graph: &WorkGraph, run: Option<&GraphRun>, node: Option<usize>) {
        let Some((_, drawing)) = &self.drawing else { return };
        let id = ui.scope_id().with("details");
        let panel = match ui.available_width() < NARROW {
            true => below(ui, "details", 180.0),
            false => Panel::right(id).resizable(true).default_size(300.0),
        };
        let (selected, pane) = (self.selected, &mut self.run);
        let chosen = panel.show(ui, |ui| {
            ScrollArea::both().auto_shrink(false).min_scrolled_height(0.0).show(ui, |ui| {
                if let (Some(run), Some(node)) = (run, node) {
                    pane.node_details(ui, run, node);
                }
                details(ui, graph, drawing, &cx.report.findings, selected)
            })
        });
        if let Some(mark) = chosen.inner.inner {
            self.selected = Some(mark);
        }
    }

    fn drawing(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        graph: &WorkGraph,
        run: Option<&GraphRun>,
        theme: &Theme,
        commands: &mut Vec<ViewCommand>,
    ) {
        let Some((_, drawing)) = &self.drawing else { return };
        let number = cx.made.graph.answer.as_ref().map_or(0, |answer| answer.number);
        let shown = run.and_then(|run| Some((self.run.at?, self.run.generation(run)?)));
        let broken = self.run.broken(graph);
        let place = shown.map(|(at, is)| (number, 2 * at + usize::from(is.waiting)));
        let key = (cx.graph_revision, theme.dark, place, broken.clone());
        let picture = self.picture.get(key, || {
            let activity = shown.map(|(_, generation)| Activity::of(generation));
            drawing.picture(graph, &Look { activity, breakpoints: broken }, theme)
        });
        if cx.asked(Ask::ExportPicture) {
            commands.push(ViewCommand::Export { picture: Box::new(picture.clone()), name: "graph" });
        }
        let selected: Vec<Mark> = self.selected.into_iter().collect();
        let reply = self.canvas.show(ui, picture, theme, &selected);
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
    }
}

/// Whether the device computes.
fn is_working(cx: &ViewCx<'_>) -> bool {
    cx.made.graph.underway && !matches!(cx.made.led, Some(StepState::Standing(_)))
}

/// What went wrong in a run, and what was left out of it.
fn run_notes(ui: &mut Ui, run: &GraphRun) {
    let tokens = Tokens::of(ui.visuals());
    if let Some(stopped) = &run.stopped {
        let node = stopped.node.as_ref().map(|node| format!(" at {node}")).unwrap_or_default();
        let text = format!("× Stopped in generation {}{node}: {}", stopped.generation, stopped.why);
        ui.colored_label(tokens.error, clean(&text));
    }
    for refused in run.refused.iter().take(4) {
        let id = run.graph.nodes.get(refused.node).map(|node| node.id.to_string()).unwrap_or_default();
        ui.colored_label(tokens.warning, clean(&format!("! {id} could not be converted: {}", refused.why)));
    }
    for finding in run.findings.iter().filter(|finding| is_of_run(&finding.code)).take(4) {
        let text = format!("{} {}", finding.code, finding.message);
        ui.colored_label(tokens.warning, clean(&format!("! {text}")));
    }
}

/// Whether a rule is one that only a run breaks: the others are reported elsewhere.
fn is_of_run(code: &str) -> bool {
    matches!(code, "G38" | "G39" | "G40" | "G41" | "G42" | "G43" | "G44" | "G49" | "G50" | "G51" | "G53")
}
