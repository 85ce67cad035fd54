//! The graph tab.

use std::collections::BTreeMap;

use egui::{Button, RichText, ScrollArea, Ui};
use lanescope_core::findings::{Finding, Severity};
use lanescope_core::graph::{GraphSource, NO_EXTENSION, Node, is_of_run};
use lanescope_core::report::Report;
use lanescope_core::run::graph::{GraphCommand, GraphRun};
use lanescope_inspector::command::{Command, PictureFile};
use lanescope_inspector::destination;
use lanescope_inspector::devices::NO_GRAPHS;
use lanescope_inspector::stepping::{GraphCx, StepCommand};
use lanescope_inspector::tasks::Work;
pub(crate) use lanescope_inspector::view::GRAPH as INFO;
use lanescope_inspector::view::{Ask, ViewInfo};

use super::costs::CostPane;
use super::details::{details, list_findings};
use super::input::InputPane;
use super::run::{RunPane, controls, state};
use super::strip::strip;
use crate::context::{View, ViewCx};
use crate::cost_sheet::Asked;
use crate::device;
use crate::pane::{at_least, in_view};
use crate::picture::canvas::Canvas;
use crate::picture::{Mark, clean};
use crate::table::Tokens;
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{Cached, actions, below, beside, beside_part, fact, toolbar, unopened, work_button};
use lanescope_pictures::graph::{Activity, Drawing, Look};

/// Space around a drawing that is not scaled, in points.
const AROUND_DRAWING: f32 = 24.0;
/// Below this width the details are under the drawing.
const NARROW: f32 = 560.0;
/// A pane lower than this scrolls.
const LOWEST: f32 = 280.0;
/// Room for the state of the run at the end of the toolbar.
const STATE: f32 = 180.0;
/// Findings in the tooltip of a node.
const HOVERED: usize = 4;
/// A page of a run that had less space than this would show its controls alone.
const LOWEST_PAGE: f32 = 180.0;

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
    picture: Cached<PictureKey>,
    canvas: Canvas,
    /// The selected edge; nodes are selected in the state.
    link: Option<u32>,
    run: RunPane,
    input: InputPane,
    /// The costs are shown in the drawing's place.
    shows_costs: bool,
    costs: CostPane,
    asked: Asked,
}

impl View for GraphView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let Some(graph) = cx.graph() else {
            let hint = "Open a DXIL library with node shaders, or SPIR-V that enqueues nodes.";
            commands.extend(unopened(ui, "No work graph", hint, None));
            return commands;
        };
        let pane = self.panes.entry(cx.program).or_default();
        // Controls and strip alone would fill a low pane.
        at_least(ui, LOWEST, |ui| pane.ui(ui, cx, &graph, &mut commands));
        commands
    }

    fn forget(&mut self, program: u64) {
        self.panes.remove(&program);
    }
}

impl GraphPane {
    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, graph: &GraphCx<'_>, commands: &mut Vec<Command>) {
        let stepping = cx.stepping;
        if self.drawing.as_ref().is_none_or(|(revision, _)| *revision != cx.graph_revision) {
            self.drawing = Some((cx.graph_revision, Drawing::of(graph.graph)));
            self.link = None;
        }
        self.run.follow(stepping);
        self.shows_costs |= self.asked.is_new(cx);
        let run = graph.run().map(|(_, run)| run);
        toolbar(ui, |ui| {
            running(ui, cx, graph, commands);
            if graph.graph.source != GraphSource::Spirv {
                ui.separator();
                controls(ui, cx, graph, run, commands);
                self.run.breakpoint_menu(ui, graph.graph, stepping, commands);
            }
            ui.separator();
            let hint = "What a scheduler makes of the graph: groups, levels, memory, record lists (Ctrl+Shift+F9)";
            ui.toggle_value(&mut self.shows_costs, "Costs").on_hover_text(hint);
            if !self.shows_costs {
                self.canvas.zoom_buttons(ui);
            }
            if run.is_some() {
                let save = ("Save run…", "Save the run to a file that opens without a device");
                let export = ("Export picture…", "Save this picture as SVG or PNG");
                match actions(ui, &[save, export], STATE) {
                    Some(0) => commands.push(Command::SaveGraphRun),
                    Some(_) => commands.push(Command::ExportPicture),
                    None => {}
                }
            }
            if let Some(run) = run {
                state(ui, cx, run);
            }
        });
        if let Some(why) = &stepping.refused {
            ui.colored_label(Tokens::of(ui.visuals()).error, format!("× {}", clean(why)));
        }
        let answer = cx.results.graph.answer.as_ref().filter(|answer| answer.revision == cx.graph_revision);
        if let Some(why) = answer.and_then(|answer| answer.result.as_ref().err()) {
            let text = RichText::new(format!("× It did not run: {}", clean(why))).color(Tokens::of(ui.visuals()).error);
            ui.add(egui::Label::new(text).wrap());
        }
        if stepping.form_shown {
            egui::Frame::group(ui.style()).show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                let reply = self.input.ui(ui, graph.graph, &stepping.form);
                commands.extend(reply.edits.into_iter().map(|edit| Command::Step(StepCommand::Edit(edit))));
                commands.extend(reply.load.then_some(Command::LoadRecords));
            });
        }
        let theme = Theme::of(ui);
        if let Some(run) = run {
            run_notes(ui, run);
            if let Some(at) = strip(ui, run, stepping.at, &theme) {
                commands.push(Command::Step(StepCommand::ShowGeneration(at)));
            }
        }
        self.below(ui, cx, graph, run, commands);
        self.beside(ui, cx, graph, run, commands);
        self.make_picture(cx, graph, run, &theme);
        if let Some(picture) = self.picture.last().filter(|_| cx.asked(Ask::ExportPicture)) {
            commands.push(Command::SavePicture { picture: PictureFile::new(picture.clone()), name: "graph" });
        }
        if self.shows_costs {
            if let Some(node) = self.costs.ui(ui, cx, graph, commands) {
                self.select(cx, u32::try_from(node).ok().map(Mark::Node), commands);
            }
        } else {
            self.drawing(ui, cx, graph, run, &theme, commands);
        }
    }

    /// The selected node or edge.
    fn selected(&self, cx: &ViewCx<'_>) -> Option<Mark> {
        let node = cx.stepping.node.and_then(|node| u32::try_from(node).ok());
        node.map(Mark::Node).or(self.link.map(Mark::Link))
    }

    fn select(&mut self, cx: &ViewCx<'_>, mark: Option<Mark>, commands: &mut Vec<Command>) {
        self.link = match mark {
            Some(Mark::Link(link)) => Some(link),
            _ => None,
        };
        let node = match mark {
            Some(Mark::Node(node)) => Some(node as usize),
            _ => None,
        };
        if node != cx.stepping.node {
            commands.push(Command::Step(StepCommand::SelectNode(node)));
        }
    }

    fn below(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        graph: &GraphCx<'_>,
        run: Option<&GraphRun>,
        commands: &mut Vec<Command>,
    ) {
        let Some(run) = run.filter(|_| cx.stepping.at.is_some()) else { return };
        // A low window is the drawing's first; what a small drawing leaves is the records'.
        let room = ui.available_height();
        let left = self.picture.last().map_or(0.0, |picture| room - picture.size.y - AROUND_DRAWING);
        let height = (room * 0.45).clamp(110.0, 260.0).max(left.min(room * 0.65));
        let panel = below(ui, "run", height);
        panel.show(ui, |ui| {
            // The panel keeps its height, however little a page shows; what is higher than the panel scrolls in it.
            let height = ui.available_height().max(LOWEST_PAGE);
            ScrollArea::vertical().id_salt("page").auto_shrink(false).min_scrolled_height(0.0).show(ui, |ui| {
                ui.set_height(height);
                in_view(ui, |ui| self.run.below(ui, cx, graph, run, commands));
            })
        });
    }

    fn beside(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        graph: &GraphCx<'_>,
        run: Option<&GraphRun>,
        commands: &mut Vec<Command>,
    ) {
        let Some((_, drawing)) = &self.drawing else { return };
        let panel = match ui.available_width() < NARROW {
            true => below(ui, "details", 180.0),
            false => beside(ui, "details", 300.0),
        };
        let selected = self.selected(cx);
        let chosen = panel.show(ui, |ui| {
            ScrollArea::vertical().auto_shrink(false).min_scrolled_height(0.0).show(ui, |ui| {
                if let (Some(run), Some(node)) = (run, cx.stepping.node) {
                    RunPane::node_details(ui, cx.stepping, run, node, commands);
                }
                details(ui, graph.graph, drawing, &cx.report.findings, selected)
            })
        });
        if let Some(mark) = chosen.inner.inner {
            self.select(cx, Some(mark), commands);
        }
    }

    /// Makes the drawing's picture, where what it shows has changed.
    fn make_picture(&mut self, cx: &ViewCx<'_>, graph: &GraphCx<'_>, run: Option<&GraphRun>, theme: &Theme) {
        let Some((_, drawing)) = &self.drawing else { return };
        let number = cx.results.graph.answer.as_ref().map_or(0, |answer| answer.number);
        let shown = run.and_then(|run| Some((cx.stepping.at?, cx.stepping.generation(run)?)));
        let breakpoints = cx.stepping.nodes_with_breakpoint(graph.graph);
        let place = shown.map(|(at, is)| (number, 2 * at + usize::from(is.waiting)));
        let key = (cx.graph_revision, theme.dark, place, breakpoints.clone());
        self.picture.get(key, || {
            let activity = shown.map(|(_, generation)| Activity::of(generation));
            let found = worst(cx.report);
            drawing.picture(graph.graph, &Look { activity, breakpoints, found }, theme)
        });
    }

    fn drawing(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        graph: &GraphCx<'_>,
        run: Option<&GraphRun>,
        theme: &Theme,
        commands: &mut Vec<Command>,
    ) {
        let selected: Vec<Mark> = self.selected(cx).into_iter().collect();
        let Some(picture) = self.picture.last() else { return };
        let reply = self.canvas.show(ui, picture, theme, &selected);
        if let Some(Mark::Node(node)) = reply.hovered
            && let Some(node) = graph.graph.nodes.get(node as usize)
        {
            beside_part(&reply, |ui| {
                ui.strong(clean(&node.label()));
                egui::Grid::new("hovered").num_columns(2).show(ui, |ui| {
                    fact(ui, "launch", node.launch.name());
                    let record = node.record().map_or("empty".to_owned(), |record| format!("{} bytes", record.bytes));
                    fact(ui, "records", record);
                    fact(ui, "outputs", node.outputs.len().to_string());
                });
                list_findings(ui, of_node(cx, node).take(HOVERED));
            });
        }
        let mut chosen = None;
        self.canvas.menu(&reply, selected.first().copied(), commands, |menu, mark, commands| {
            let Some(Mark::Node(at)) = mark else { return };
            let Some(node) = graph.graph.nodes.get(at as usize) else { return };
            menu.command("Copy name", || Command::Copy(clean(&node.id.to_string())), commands);
            if !cx.frozen && graph.graph.source != GraphSource::Spirv {
                menu.separator();
                let has = cx.stepping.nodes_with_breakpoint(graph.graph).contains(&(at as usize));
                if menu.item(if has { "Remove breakpoint" } else { "Add breakpoint" }) {
                    commands.push(Command::Step(StepCommand::SelectNode(Some(at as usize))));
                    commands.push(Command::Step(StepCommand::ToggleBreakpoint));
                }
            }
            if run.is_some_and(|run| cx.stepping.has_more(graph, run)) && menu.item("Run to this node") {
                commands.push(Command::Step(StepCommand::SelectNode(Some(at as usize))));
                commands.push(Command::Step(StepCommand::RunToNode));
            }
            if menu.item("Show details") {
                chosen = mark;
            }
            menu.separator();
        });
        if let Some(mark) = chosen {
            self.select(cx, Some(mark), commands);
        }
        if reply.chosen.is_some() || reply.cleared {
            self.select(cx, reply.chosen, commands);
        }
    }
}

/// The findings of a node.
fn of_node<'a>(cx: &ViewCx<'a>, node: &Node) -> impl Iterator<Item = &'a Finding> + use<'a> {
    let places = [node.place(), node.id.place()];
    let is_its = move |finding: &&Finding| {
        finding.code.starts_with('G') && finding.place.as_ref().is_some_and(|place| places.contains(place))
    };
    cx.report.findings.iter().filter(is_its)
}

/// Nodes with findings, each with its worst.
fn worst(report: &Report) -> Vec<(usize, Severity)> {
    let of_graph = report.findings.iter().filter(|finding| finding.code.starts_with('G'));
    let of_node =
        of_graph.filter_map(|found| Some((destination::node(found.place.as_ref()?, report)?, found.severity)));
    let mut found: Vec<(usize, Severity)> = of_node.collect();
    found.sort_unstable();
    found.dedup_by_key(|(node, _)| *node);
    found
}

/// The button that runs it, and what it runs with.
fn running(ui: &mut Ui, cx: &ViewCx<'_>, graph: &GraphCx<'_>, commands: &mut Vec<Command>) {
    if graph.graph.source == GraphSource::Spirv {
        ui.add_enabled(false, Button::new("Run")).on_disabled_hover_text(NO_EXTENSION);
        ui.weak(NO_EXTENSION);
        return;
    }
    if cx.frozen {
        let why = "A saved run contains no shaders: open its library to run it again";
        ui.add_enabled(false, Button::new("Run again")).on_disabled_hover_text(why);
        return;
    }
    let running = graph.is_working();
    let hint = "Run to the end or to a breakpoint, in its own process, recording all records (F9)";
    if work_button(ui, running.then_some("running"), "Run", hint) {
        commands.push(if running { Command::Stop(Work::Graph) } else { Command::Step(StepCommand::Run) });
    }
    let hint = "Stop the run here and release the device; its records stay waiting";
    let end = ui.add_enabled(graph.is_paused(), Button::new("End"));
    if end.on_hover_text(hint).on_disabled_hover_text("Unavailable: no run is paused").clicked() {
        commands.push(Command::ControlRun(GraphCommand::End));
    }
    let mut shown = cx.stepping.form_shown;
    if ui.toggle_value(&mut shown, "Input").on_hover_text("Records of the entry node").changed() {
        commands.push(Command::Step(StepCommand::ShowForm(shown)));
    }
    device::choose(ui, cx, Some(NO_GRAPHS), commands);
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
    // Findings of other rules are among those of the report.
    for finding in run.findings.iter().filter(|finding| is_of_run(finding)).take(4) {
        let text = format!("{} {}", finding.code, finding.message);
        ui.colored_label(tokens.warning, clean(&format!("! {text}")));
    }
}
