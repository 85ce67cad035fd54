//! A run of the graph beside the drawing: the shown generation, what ran in it, records and buffers.

use egui::{Button, DragValue, Grid, RichText, ScrollArea, TextEdit, Ui};
use lanescope_core::graph::{NodeId, RecordType, WorkGraph};
use lanescope_core::run::graph::{Advance, Breakpoint, Generation, GraphCommand, GraphMode, GraphRun, NodeRun};
use lanescope_core::run::{Shape, hash};
use lanescope_core::text_format::counted;
use lanescope_inspector::tasks::StepState;
use lanescope_inspector::view::Ask;

use super::breakpoints::{Hit, Stop, next_stop};
use super::buffers::BufferPane;
use super::edit::EditPane;
use super::facts::facts;
use super::lineage::Lineage;
use crate::context::{ViewCommand, ViewCx};
use crate::picture::{Mark, clean};
use crate::records::{RecordsShown, RecordsTable};
use crate::table::{Tokens, call};
use crate::widgets::fact;

/// What is shown below the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Page {
    #[default]
    Records,
    Buffers,
    Generation,
}

const PAGES: [(Page, &str); 3] = [(Page::Records, "Records"), (Page::Buffers, "Buffers"), (Page::Generation, "Counts")];

/// How a run is looked at.
#[derive(Default)]
pub(super) struct RunPane {
    /// The run that is looked at: revision and number.
    key: (u64, u64),
    /// Generations that there are, and whether the last of them waits: what is known of records depends on it.
    grown: (usize, bool),
    /// Whether the view follows a continuing run until it is paused.
    following: bool,
    /// Index of the shown generation; `None` before the first one.
    pub at: Option<usize>,
    page: Page,
    /// Index of the node's run whose records are shown.
    shown: usize,
    table: RecordsTable,
    buffers: BufferPane,
    pub breakpoints: Vec<Stop>,
    /// Where a breakpoint stopped it.
    hit: Option<Hit>,
    /// The condition of a new breakpoint.
    condition: String,
    edit: EditPane,
    /// Known facts about the selected record.
    lineage: Option<Lineage>,
    /// Where the origins of the shown records end: generation, run.
    origins: Option<((usize, usize), Vec<u64>)>,
}

/// A step that was requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Go {
    Step,
    Back,
    Continue,
    ToNode,
    End,
    Restart,
}

/// A request to the tab.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Asking {
    /// The node to select.
    pub select: Option<Mark>,
    /// The run is to begin again.
    pub restart: bool,
    /// The run is to continue from a generation: an index.
    pub from: Option<usize>,
}

/// The buttons: what they do, sign, name, key.
const BUTTONS: [(Go, Ask, &str, &str, &str); 6] = [
    (Go::Restart, Ask::Restart, "⏮", "Restart", "Ctrl+Shift+F10"),
    (Go::Back, Ask::StepBack, "◀", "Step back", "Shift+F10"),
    (Go::Step, Ask::Step, "▶", "Step", "F10"),
    (Go::ToNode, Ask::RunToNode, "▶●", "Run to the selected node", "Ctrl+F10"),
    (Go::Continue, Ask::Continue, "▶▶", "Run to a breakpoint", "F6"),
    (Go::End, Ask::RunToEnd, "⏭", "Run to the end", "Shift+F6"),
];

impl RunPane {
    /// Takes another run, at its first generation, and goes along with one that grows. Returns the node to select,
    /// where one stopped it.
    pub fn follow(&mut self, key: (u64, u64), run: &GraphRun, led: Option<StepState>) -> Option<usize> {
        let grown = (run.generations.len(), run.generations.last().is_some_and(|last| last.waiting));
        if self.key != key || self.grown != grown {
            (self.lineage, self.origins) = (None, None);
        }
        if self.key != key {
            (self.key, self.hit, self.at, self.shown) = (key, None, None, 0);
            self.table.select(None);
            self.buffers.forget();
            self.following = led.is_some();
        }
        self.grown = grown;
        let last = grown.0.checked_sub(1)?;
        self.at = Some(self.at.unwrap_or(0).min(last));
        if !self.following {
            return None;
        }
        self.go_to(last);
        if led == Some(StepState::Working) {
            return None;
        }
        self.following = false;
        let Some(StepState::Standing(Some(hit))) = led else { return None };
        self.hit = Some(Hit { generation: last, run: hit.run, record: hit.record });
        self.show_run(hit.run, hit.record);
        run.generations.get(last)?.nodes.get(hit.run).map(|node| node.node)
    }

    /// Breakpoints that count.
    pub fn active(&self, graph: &WorkGraph) -> Vec<Breakpoint> {
        self.breakpoints.iter().filter(|stop| stop.on).filter_map(|stop| stop.at(graph)).collect()
    }

    /// Goes to a generation.
    pub fn go_to(&mut self, at: usize) {
        if self.at != Some(at) {
            (self.at, self.hit, self.shown) = (Some(at), None, 0);
            self.table.select(None);
        }
    }

    /// The shown generation.
    pub fn generation<'r>(&self, run: &'r GraphRun) -> Option<&'r Generation> {
        run.generations.get(self.at?)
    }

    /// The buttons that step through the recorded generations, and continue a paused run.
    pub fn controls(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        run: &GraphRun,
        selected: Option<usize>,
        can_restart: bool,
        commands: &mut Vec<ViewCommand>,
    ) -> Asking {
        let mut go = None;
        let last = run.generations.len().checked_sub(1);
        let stands = matches!(cx.made.led, Some(StepState::Standing(_)));
        let more = self.at != last || stands;
        for (what, ask, sign, name, key) in BUTTONS {
            let possible = match what {
                Go::Step | Go::Continue | Go::End => more,
                Go::Back => self.at.is_some_and(|at| at > 0),
                Go::Restart => can_restart || self.at.is_some_and(|at| at > 0),
                Go::ToNode => selected.is_some() && more,
            };
            let button = ui.add_enabled(possible, Button::new(RichText::new(sign).monospace()));
            call(&button, name);
            if button.on_hover_text(format!("{name} ({key})")).clicked() || (possible && cx.asked(ask)) {
                go = Some(what);
            }
        }
        let restart = go == Some(Go::Restart) && can_restart;
        let select = go.filter(|_| !restart).and_then(|go| {
            let (stopped, command) = self.go(go, run, selected, stands);
            commands.extend(command.map(ViewCommand::LeadGraph));
            stopped
        });
        if let (Some(at), Some(last)) = (self.at, last) {
            self.position(ui, cx, run, at, last);
        }
        if let Some(hit) = self.hit.filter(|hit| Some(hit.generation) == self.at) {
            let record = hit.record.map(|record| format!(", record #{record}")).unwrap_or_default();
            ui.colored_label(Tokens::of(ui.visuals()).changed, format!("breakpoint{record}"));
        }
        let select = select.and_then(|node| u32::try_from(node).ok()).map(Mark::Node);
        Asking { select, restart, from: None }
    }

    /// The button that resumes from the shown generation, unless the run is paused there. Returns that generation.
    fn go_on_from(&self, ui: &mut Ui, cx: &ViewCx<'_>, run: &GraphRun, can_restart: bool) -> Option<usize> {
        let at = self.at?;
        let stands_here = run.generations.get(at).is_some_and(|is| is.waiting) && cx.made.led.is_some();
        let why_not = match () {
            () if run.mode == GraphMode::Free => Some("Unavailable: a GPU-driven run cannot be resumed"),
            () if stands_here => Some("Unavailable: the run is already paused here"),
            () if !can_restart && !cx.frozen => Some("Unavailable during a run and in GPU-driven mode"),
            () => None,
        };
        let hint = "Restore records and buffers as before this generation, and pause there; continuing replaces the \
                    later generations (Ctrl+Shift+F6)";
        let elsewhere = "Resume before this generation in the library of this run, which must be open too; records \
                         can be changed first (Ctrl+Shift+F6)";
        let hint = if cx.frozen { elsewhere } else { hint };
        let button = ui.add_enabled(why_not.is_none(), Button::new("Resume from here")).on_hover_text(hint);
        let button = button.on_disabled_hover_text(why_not.unwrap_or_default());
        (button.clicked() || why_not.is_none() && cx.asked(Ask::GoOnFrom)).then_some(at)
    }

    /// The shown generation, as a field that can be edited.
    fn position(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, run: &GraphRun, at: usize, last: usize) {
        let label = ui.label("Generation").id;
        let number = |at: usize| run.generations.get(at).map_or(0, |is| is.number);
        let starts = run.generations.last().is_some_and(|last| last.dispatch > 0);
        // Of several starts the field counts all generations; the text after it gives the start and its generation.
        let mut to = at;
        let field = ui.add(DragValue::new(&mut to).range(0..=last).speed(1.0)).labelled_by(label);
        let field = field.on_hover_text("Run to this generation (Ctrl+Shift+G)");
        if cx.asked(Ask::RunToGeneration) {
            field.request_focus();
        }
        if to != at {
            self.go_to(to);
        }
        let dispatch = run.generations.get(at).map_or(0, |is| is.dispatch);
        match starts {
            true => ui.label(format!("of {last}: start {dispatch}, generation {}", number(at))),
            false => ui.label(format!("of {last}")),
        };
        if run.generations.get(at).is_some_and(|is| is.waiting) {
            let text = RichText::new("waits").color(Tokens::of(ui.visuals()).changed);
            ui.label(text).on_hover_text("Not run yet: its records wait, and can be changed while the device is held");
        }
    }

    /// Steps through recorded generations; at the last one, continues a paused run.
    fn go(
        &mut self,
        go: Go,
        run: &GraphRun,
        selected: Option<usize>,
        stands: bool,
    ) -> (Option<usize>, Option<GraphCommand>) {
        let Some(last) = run.generations.len().checked_sub(1) else { return (None, None) };
        let next = self.at.map_or(0, |at| at + 1);
        let breakpoints = match go {
            Go::Continue => self.active(&run.graph),
            Go::ToNode => selected.map(|node| Breakpoint { node, condition: String::new() }).into_iter().collect(),
            _ => Vec::new(),
        };
        let stop = next_stop(run, &breakpoints, next);
        let on = match go {
            Go::Step => stands && next > last,
            Go::Continue | Go::ToNode => stands && stop.is_none(),
            Go::End => stands,
            Go::Back | Go::Restart => false,
        };
        if on {
            self.go_to(last);
            self.following = true;
            let generations = (go == Go::Step).then_some(1);
            return (None, Some(GraphCommand::Go(Advance { generations, breakpoints })));
        }
        let to = match go {
            Go::Step => next.min(last),
            Go::Back => self.at.map_or(0, |at| at.saturating_sub(1)),
            Go::Restart => 0,
            Go::End => last,
            Go::Continue => stop.map_or(last, |hit| hit.generation),
            // Where it runs no more, it stays.
            Go::ToNode => stop.map_or(self.at.unwrap_or(0), |hit| hit.generation),
        };
        self.go_to(to);
        self.hit = stop.filter(|_| go == Go::Continue);
        let Some(hit) = stop else { return (None, None) };
        self.show_run(hit.run, hit.record);
        let node = run.generations.get(hit.generation).and_then(|is| is.nodes.get(hit.run));
        (node.map(|node| node.node), None)
    }

    fn show_run(&mut self, run: usize, record: Option<u64>) {
        (self.page, self.shown) = (Page::Records, run);
        self.table.select(record);
    }

    /// Stops where a node runs, or does no more.
    pub fn toggle_breakpoint(&mut self, id: &NodeId) {
        let before = self.breakpoints.len();
        self.breakpoints.retain(|stop| stop.id != *id || !stop.condition.is_empty());
        if self.breakpoints.len() == before {
            self.breakpoints.push(Stop { id: id.clone(), condition: String::new(), on: true });
        }
    }

    /// Nodes with a breakpoint that counts.
    pub fn broken(&self, graph: &WorkGraph) -> Vec<usize> {
        let mut nodes: Vec<usize> =
            self.breakpoints.iter().filter(|is| is.on).filter_map(|is| graph.find(&is.id)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Breakpoints, in a menu.
    pub fn breakpoint_menu(&mut self, ui: &mut Ui, graph: &WorkGraph, selected: Option<usize>) {
        let on = self.breakpoints.iter().filter(|breakpoint| breakpoint.on).count();
        let title = if on == 0 { "Breakpoints".to_owned() } else { format!("Breakpoints ({on})") };
        let menu = ui.menu_button(title, |ui| {
            ui.set_min_width(320.0);
            let mut remove = None;
            for (at, breakpoint) in self.breakpoints.iter_mut().enumerate() {
                ui.horizontal(|ui| {
                    ui.checkbox(&mut breakpoint.on, clean(&breakpoint.id.to_string()));
                    let condition = breakpoint.condition.as_str();
                    ui.monospace(if condition.is_empty() { "any record" } else { condition });
                    if let Some(why) = breakpoint.wrong(graph) {
                        ui.colored_label(Tokens::of(ui.visuals()).error, why);
                    }
                    let button = ui.button("×");
                    call(&button, "Remove breakpoint");
                    if button.clicked() {
                        remove = Some(at);
                    }
                });
            }
            if let Some(at) = remove {
                self.breakpoints.remove(at);
            }
            ui.separator();
            match selected.and_then(|node| graph.nodes.get(node)) {
                Some(is) => {
                    ui.label(format!("Stop before {} gets a record with", clean(&is.id.to_string())));
                    let member = is.record().and_then(first_member);
                    let hint = member.map_or_else(
                        || "any: its records are empty".to_owned(),
                        |member| format!("empty for any record, or {} >= 16", clean(member)),
                    );
                    let field = TextEdit::singleline(&mut self.condition).hint_text(hint).desired_width(280.0);
                    call(&ui.add(field.char_limit(500)), "Condition of the breakpoint");
                    let condition = self.condition.trim().to_owned();
                    let new = Stop { id: is.id.clone(), condition, on: true };
                    let wrong = new.wrong(graph);
                    if let Some(why) = &wrong {
                        ui.colored_label(Tokens::of(ui.visuals()).error, clean(why));
                    }
                    if ui.add_enabled(wrong.is_none(), Button::new("Add")).clicked() {
                        self.breakpoints.push(new);
                        self.condition.clear();
                    }
                }
                None => {
                    ui.weak("Select a node to add a breakpoint.");
                }
            }
        });
        menu.response.on_hover_text("Breakpoints stop a run before the node gets its records");
    }

    /// Results of a node in the generation, beside its other details.
    pub fn node_details(&mut self, ui: &mut Ui, run: &GraphRun, node: usize) {
        let Some(generation) = self.generation(run) else { return };
        let runs: Vec<(usize, &NodeRun)> =
            generation.nodes.iter().enumerate().filter(|(_, is)| is.node == node).collect();
        ui.add_space(4.0);
        if runs.is_empty() {
            ui.weak("The node does not run in this generation.");
            ui.separator();
            return;
        }
        for (at, is) in runs {
            let tracked = run.graph.nodes.get(node).is_some_and(|node| node.recursion > 0);
            let level = if tracked { format!(", {} left", counted(is.remaining, "level")) } else { String::new() };
            ui.horizontal(|ui| {
                ui.strong(format!("Generation {}{level}", generation.number));
                if ui.link("records").clicked() {
                    self.show_run(at, None);
                }
            });
            Grid::new(("ran", at)).num_columns(2).show(ui, |ui| {
                fact(ui, "records", format!("{}{}", is.count, if is.entry { " from the host" } else { "" }));
                if generation.waiting {
                    fact(ui, "state", "waiting");
                    return;
                }
                fact(ui, "launches", is.launches.to_string());
                fact(ui, "batches", is.batches.len().to_string());
                let used = is.batches.iter().map(|batch| batch.used).fold(0, u64::saturating_add);
                let bound = is.batches.iter().map(|batch| batch.bound).max().unwrap_or(0);
                fact(ui, "payload written", format!("{used} bytes in the largest batch, worst case {bound}"));
                fact(ui, "time", format!("{:.3} ms", is.nanoseconds as f64 / 1e6));
                let wrote = generation.edges.iter().filter(|edge| edge.from == at).map(|edge| edge.records);
                fact(ui, "records written", wrote.fold(0, u64::saturating_add).to_string());
            });
        }
        ui.separator();
    }

    /// The pages below the drawing.
    pub fn below(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        run: &GraphRun,
        selected: Option<usize>,
        can_restart: bool,
        commands: &mut Vec<ViewCommand>,
    ) -> Asking {
        let mut asking = Asking::default();
        let Some((at, generation)) = self.at.and_then(|at| Some((at, run.generations.get(at)?))) else {
            return asking;
        };
        // The selected node's own run comes forward; one of several stays.
        let is_selected = |is: &NodeRun| selected == Some(is.node);
        if !generation.nodes.get(self.shown).is_some_and(is_selected)
            && let Some(first) = generation.nodes.iter().position(is_selected)
        {
            self.shown = first;
            self.table.select(None);
        }
        self.shown = self.shown.min(generation.nodes.len().saturating_sub(1));
        ui.horizontal_wrapped(|ui| {
            for (page, name) in PAGES {
                ui.selectable_value(&mut self.page, page, name);
            }
            if self.page == Page::Records {
                ui.separator();
                self.choose_run(ui, run, generation);
            }
            ui.separator();
            asking.from = self.go_on_from(ui, cx, run, can_restart);
        });
        match self.page {
            Page::Records => asking.select = self.records(ui, cx, run, at, commands),
            Page::Buffers => {
                let copied = self.buffers.ui(ui, run, at, cx.asked(Ask::CopyTable));
                commands.extend(copied.map(ViewCommand::Copy));
            }
            Page::Generation => {
                ScrollArea::both()
                    .id_salt("generation facts")
                    .auto_shrink(false)
                    .show(ui, |ui| facts(ui, run, generation));
            }
        }
        asking
    }

    fn choose_run(&mut self, ui: &mut Ui, run: &GraphRun, generation: &Generation) {
        let name = |is: &NodeRun| {
            let node = run.graph.nodes.get(is.node);
            let id = node.map(|node| clean(&node.id.to_string())).unwrap_or_default();
            let level = match node.is_some_and(|node| node.recursion > 0) {
                true => format!(", {} left", is.remaining),
                false => String::new(),
            };
            format!("{id}{level} ({})", is.count)
        };
        let shown = generation.nodes.get(self.shown).map(&name).unwrap_or_default();
        let (label, before) = (ui.label("Node").id, self.shown);
        let combo = egui::ComboBox::from_id_salt("node runs").width(180.0).selected_text(shown).show_ui(ui, |ui| {
            for (at, is) in generation.nodes.iter().enumerate() {
                ui.selectable_value(&mut self.shown, at, name(is));
            }
        });
        combo.response.labelled_by(label);
        if self.shown != before {
            self.table.select(None);
        }
    }

    fn records(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        run: &GraphRun,
        at: usize,
        commands: &mut Vec<ViewCommand>,
    ) -> Option<Mark> {
        let generation = run.generations.get(at)?;
        let Some(is) = generation.nodes.get(self.shown) else {
            ui.weak("No generation ran.");
            return None;
        };
        let node = run.graph.nodes.get(is.node)?;
        let records = run.records_of(generation, is);
        let before = run.before(at).and_then(|before| run.generations.get(before));
        let known = self.origins.take().filter(|(of, _)| *of == (at, self.shown));
        let (of, ends) = known.unwrap_or_else(|| ((at, self.shown), records.ends()));
        let writer = |record: u64| -> String {
            let origin = records.origin_by(&ends, record);
            let from = origin.and_then(|origin| before?.nodes.get(origin.run as usize));
            let id = from.and_then(|from| run.graph.nodes.get(from.node)).map(|node| node.id.to_string());
            let number =
                origin.and_then(|origin| origin.record).map(|record| format!(" #{record}")).unwrap_or_default();
            let unknown = if is.entry { "the host" } else { "unknown" };
            id.map_or_else(|| unknown.to_owned(), |id| clean(&format!("{id}{number}")))
        };
        // Records that were changed are other ones.
        let changed = is.edited.iter().filter_map(|edit| Some(hash(records.get(edit.record)?).0));
        let changed = changed.fold(is.edited.len() as u64, |sum, hash| sum.rotate_left(7) ^ hash);
        let waits = usize::from(generation.waiting);
        let key = (cx.graph_revision.wrapping_add(self.key.1 << 32) ^ changed, 2 * at + waits, self.shown);
        let shown = RecordsShown {
            key,
            record: node.record(),
            count: is.count,
            bytes: &records.bytes.0,
            stride: records.stride,
            after: is.after.as_ref().map(|after| after.0.as_slice()),
            edited: &is.edited,
            writer: &writer,
        };
        let mut go = None;
        if let Some(record) = self.table.selected() {
            let lineage = Lineage::of(self.lineage.take(), run, (at, self.shown, record));
            go = lineage.ui(ui, run);
            self.lineage = Some(lineage);
            let ty = node.record();
            if let Some((ty, edit)) = ty.zip(is.edited.iter().find(|edit| edit.record == record)) {
                let was = ty.shape.json(&edit.was.0);
                ui.colored_label(Tokens::of(ui.visuals()).changed, clean(&format!("edited; it was {was}")));
            }
            if let (true, Some(StepState::Standing(_)), Some(ty)) = (generation.waiting, cx.made.led, ty)
                && let Some(bytes) = records.get(record)
            {
                let command = self.edit.ui(ui, (at, self.shown, record), ty, bytes);
                commands.extend(command.map(ViewCommand::LeadGraph));
            }
        }
        let reply = self.table.ui(ui, &shown, cx.asked(Ask::CopyTable));
        commands.extend(reply.copy.map(ViewCommand::Copy));
        self.origins = Some((of, ends));
        let go = go?;
        self.go_to(go.generation);
        self.shown = go.run;
        self.table.keep_to(go.kept);
        let node = run.generations.get(go.generation)?.nodes.get(go.run)?.node;
        u32::try_from(node).ok().map(Mark::Node)
    }
}

/// The name of a record's first member.
fn first_member(record: &RecordType) -> Option<&str> {
    let Shape::Struct { members } = &record.shape else { return None };
    members.first().map(|member| member.name.as_str())
}
