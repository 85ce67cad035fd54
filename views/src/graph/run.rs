//! A run of the graph beside the drawing: where it stands, what ran there, the records, the buffers.

use egui::{Button, Grid, RichText, ScrollArea, TextEdit, Ui};
use lanescope_core::graph::WorkGraph;
use lanescope_core::run::graph::{Generation, GraphRun, NodeRun};

use super::buffers::BufferPane;
use super::stops::{Breakpoint, Hit, next_run_of, next_stop};
use crate::context::{Ask, ViewCommand, ViewCx};
use crate::picture::{Mark, clean};
use crate::records::{RecordsShown, RecordsTable};
use crate::table::{Tokens, call, quiet_cell};
use crate::widgets::fact;

/// What is shown below the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Page {
    #[default]
    Records,
    Buffers,
    Generation,
}

const PAGES: [(Page, &str); 3] =
    [(Page::Records, "Records"), (Page::Buffers, "Buffers"), (Page::Generation, "Generation")];

/// How a run is looked at.
#[derive(Default)]
pub(super) struct RunPane {
    /// The run that is looked at: revision and number.
    key: (u64, u64),
    /// Index of the generation that it stands at; none before the first one.
    pub at: Option<usize>,
    page: Page,
    /// Index of the node's run whose records are shown.
    shown: usize,
    table: RecordsTable,
    buffers: BufferPane,
    pub breakpoints: Vec<Breakpoint>,
    /// Where a breakpoint stopped it.
    hit: Option<Hit>,
    /// The condition of a new breakpoint.
    condition: String,
}

/// A step that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Go {
    Step,
    Back,
    Continue,
    ToNode,
    End,
    Restart,
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
    /// Takes another run: it stands at its first generation.
    pub fn follow(&mut self, key: (u64, u64), run: &GraphRun) {
        if self.key != key {
            self.key = key;
            self.hit = None;
            self.at = (!run.generations.is_empty()).then_some(0);
            self.shown = 0;
        }
        self.at = self.at.map(|at| at.min(run.generations.len().saturating_sub(1)));
    }

    /// The generation that it stands at.
    pub fn generation<'r>(&self, run: &'r GraphRun) -> Option<&'r Generation> {
        run.generations.get(self.at?)
    }

    /// The buttons that go through the run. Answers with the node to select, where one stopped it.
    pub fn controls(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, run: &GraphRun, selected: Option<usize>) -> Option<usize> {
        let mut go = None;
        let last = run.generations.len().checked_sub(1);
        for (what, ask, sign, name, key) in BUTTONS {
            let possible = match what {
                Go::Step | Go::Continue | Go::End => self.at != last,
                Go::Back | Go::Restart => self.at.is_some_and(|at| at > 0),
                Go::ToNode => selected.is_some() && self.at != last,
            };
            let button = ui.add_enabled(possible, Button::new(RichText::new(sign).monospace()));
            call(&button, name);
            if button.on_hover_text(format!("{name} ({key})")).clicked() || (possible && cx.asked(ask)) {
                go = Some(what);
            }
        }
        let stopped = go.and_then(|go| self.go(go, run, selected));
        if let Some(at) = self.at {
            let of = last.unwrap_or(0);
            ui.monospace(format!("generation {} of {of}", run.generations.get(at).map_or(0, |is| is.number)));
        }
        if let Some(hit) = self.hit.filter(|hit| Some(hit.generation) == self.at) {
            let record = hit.record.map(|record| format!(", record #{record}")).unwrap_or_default();
            ui.colored_label(Tokens::of(ui.visuals()).changed, format!("● breakpoint{record}"));
        }
        stopped
    }

    fn go(&mut self, go: Go, run: &GraphRun, selected: Option<usize>) -> Option<usize> {
        let last = run.generations.len().checked_sub(1)?;
        let next = self.at.map_or(0, |at| at + 1);
        let stop = match go {
            Go::Continue => next_stop(run, &self.breakpoints, next),
            Go::ToNode => next_run_of(run, selected?, next),
            _ => None,
        };
        self.hit = stop.filter(|_| go == Go::Continue);
        self.at = Some(match go {
            Go::Step => next.min(last),
            Go::Back => self.at.map_or(0, |at| at.saturating_sub(1)),
            Go::Restart => 0,
            Go::End => last,
            Go::Continue => stop.map_or(last, |hit| hit.generation),
            // Where it runs no more, it stays.
            Go::ToNode => stop.map_or(self.at.unwrap_or(0), |hit| hit.generation),
        });
        let hit = stop?;
        self.show_run(hit.run, hit.record);
        run.generations.get(hit.generation)?.nodes.get(hit.run).map(|node| node.node)
    }

    fn show_run(&mut self, run: usize, record: Option<u64>) {
        (self.page, self.shown) = (Page::Records, run);
        self.wanted_record(record);
    }

    fn wanted_record(&mut self, record: Option<u64>) {
        self.table.select(record);
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
                    let name =
                        graph.nodes.get(breakpoint.node).map(|node| clean(&node.id.to_string())).unwrap_or_default();
                    ui.checkbox(&mut breakpoint.on, name);
                    ui.monospace(if breakpoint.text.is_empty() { "any record" } else { breakpoint.text.as_str() });
                    if let Err(why) = breakpoint.condition(graph) {
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
            match selected.and_then(|node| graph.nodes.get(node).map(|is| (node, is))) {
                Some((node, is)) => {
                    ui.label(format!("Stop where {} runs with a record for which", clean(&is.id.to_string())));
                    let hint = "any: nothing; or tile >= 16 && mode != 2";
                    let field = TextEdit::singleline(&mut self.condition).hint_text(hint).desired_width(280.0);
                    call(&ui.add(field.char_limit(500)), "Condition of the breakpoint");
                    let new = Breakpoint { node, text: self.condition.trim().to_owned(), on: true };
                    let condition = new.condition(graph);
                    if let Err(why) = &condition {
                        ui.colored_label(Tokens::of(ui.visuals()).error, clean(why));
                    }
                    if ui.add_enabled(condition.is_ok(), Button::new("Add")).clicked() {
                        self.breakpoints.push(new);
                        self.condition.clear();
                    }
                }
                None => {
                    ui.weak("Select a node to stop where it runs.");
                }
            }
        });
        menu.response.on_hover_text("Where going on through the run stops");
    }

    /// What a node did in the generation, beside its other details.
    pub fn node_details(&mut self, ui: &mut Ui, run: &GraphRun, node: usize) {
        let Some(generation) = self.generation(run) else { return };
        let runs: Vec<(usize, &NodeRun)> =
            generation.nodes.iter().enumerate().filter(|(_, is)| is.node == node).collect();
        ui.add_space(4.0);
        if runs.is_empty() {
            ui.weak("It does not run in this generation.");
            ui.separator();
            return;
        }
        for (at, is) in runs {
            let tracked = run.graph.nodes.get(node).is_some_and(|node| node.recursion > 0);
            let level = if tracked { format!(", {} levels left", is.remaining) } else { String::new() };
            ui.horizontal(|ui| {
                ui.strong(format!("Generation {}{level}", generation.number));
                if ui.link("records").clicked() {
                    self.show_run(at, None);
                }
            });
            Grid::new(("ran", at)).num_columns(2).show(ui, |ui| {
                fact(ui, "records", format!("{}{}", is.count, if is.entry { " from the host" } else { "" }));
                fact(ui, "launches", is.launches.to_string());
                fact(ui, "batches", is.batches.len().to_string());
                let used: u64 = is.batches.iter().map(|batch| batch.used).sum();
                let bound = is.batches.iter().map(|batch| batch.bound).max().unwrap_or(0);
                fact(ui, "payload written", format!("{used} of at most {bound} bytes a batch"));
                fact(ui, "time", format!("{:.3} ms", is.nanoseconds as f64 / 1e6));
                let wrote: u64 = generation.edges.iter().filter(|edge| edge.from == at).map(|edge| edge.records).sum();
                fact(ui, "records written", wrote.to_string());
            });
        }
        ui.separator();
    }

    /// The pages below the drawing. Answers with the node to select, where a record leads to one.
    pub fn below(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        run: &GraphRun,
        selected: Option<usize>,
        commands: &mut Vec<ViewCommand>,
    ) -> Option<Mark> {
        let at = self.at?;
        let generation = run.generations.get(at)?;
        // The selected node's own run comes forward; one of several stays.
        let is_selected = |is: &NodeRun| selected == Some(is.node);
        if !generation.nodes.get(self.shown).is_some_and(is_selected)
            && let Some(first) = generation.nodes.iter().position(is_selected)
        {
            self.shown = first;
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
        });
        match self.page {
            Page::Records => return self.records(ui, cx, run, at, commands),
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
        None
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
        let label = ui.label("Node").id;
        let combo = egui::ComboBox::from_id_salt("node runs").width(180.0).selected_text(shown).show_ui(ui, |ui| {
            for (at, is) in generation.nodes.iter().enumerate() {
                ui.selectable_value(&mut self.shown, at, name(is));
            }
        });
        combo.response.labelled_by(label);
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
            ui.weak("Nothing ran.");
            return None;
        };
        let node = run.graph.nodes.get(is.node)?;
        let records = run.records_of(generation, is);
        let before = at.checked_sub(1).and_then(|before| run.generations.get(before));
        let before = before.filter(|before| before.dispatch == generation.dispatch);
        let writer = |record: u64| -> String {
            let origin = records.origin(record);
            let from = origin.and_then(|origin| before?.nodes.get(origin.run as usize));
            let id = from.and_then(|from| run.graph.nodes.get(from.node)).map(|node| node.id.to_string());
            id.map_or_else(|| "the host".to_owned(), |id| clean(&id))
        };
        let key = (cx.revision.wrapping_add(self.key.1 << 32), at, self.shown);
        let shown = RecordsShown {
            key,
            record: node.record(),
            count: is.count,
            bytes: &records.bytes.0,
            stride: records.stride,
            after: is.after.as_ref().map(|after| after.0.as_slice()),
            writer: &writer,
        };
        let mut go = None;
        if let Some(record) = self.table.selected() {
            go = self.lineage(ui, run, at, record);
        }
        let reply = self.table.ui(ui, &shown, cx.asked(Ask::CopyTable));
        commands.extend(reply.copy.map(ViewCommand::Copy));
        go
    }

    /// Where the selected record came from, and what its launch caused: links to both.
    fn lineage(&mut self, ui: &mut Ui, run: &GraphRun, at: usize, record: u64) -> Option<Mark> {
        let generation = run.generations.get(at)?;
        let is = generation.nodes.get(self.shown)?;
        let records = run.records_of(generation, is);
        let mut go: Option<(usize, usize)> = None;
        let name =
            |is: &NodeRun| run.graph.nodes.get(is.node).map(|node| clean(&node.id.to_string())).unwrap_or_default();
        ui.horizontal_wrapped(|ui| {
            ui.strong(format!("#{record}"));
            let before = at.checked_sub(1).and_then(|before| Some((before, run.generations.get(before)?)));
            match records.origin(record).zip(before) {
                Some((origin, (index, before))) => {
                    if let Some(from) = before.nodes.get(origin.run as usize) {
                        ui.weak("written by");
                        if ui.link(name(from)).clicked() {
                            go = Some((index, origin.run as usize));
                        }
                        let batch = from.batches.iter().position(|batch| {
                            (batch.first_entry..batch.first_entry + batch.entries).contains(&origin.entry)
                        });
                        let of =
                            batch.and_then(|batch| from.batches.get(batch)).map_or(from.count, |batch| batch.records);
                        // A batch of one record leaves no doubt about the parent.
                        quiet_cell(
                            ui,
                            match of {
                                1 => format!("in allocation {}, from its only record", origin.entry),
                                of => format!("in allocation {}, from one of {of} records", origin.entry),
                            },
                        );
                    }
                }
                None => {
                    ui.weak("from the host");
                }
            }
            let caused = caused(run, at, self.shown, record);
            if caused.is_empty() {
                ui.weak("; its launch wrote no record");
            } else {
                ui.weak("; its launch wrote for");
                for (index, count) in caused {
                    let Some(to) = run.generations.get(at + 1).and_then(|next| next.nodes.get(index)) else { continue };
                    if ui.link(format!("{} ({count})", name(to))).clicked() {
                        go = Some((at + 1, index));
                    }
                }
            }
        });
        let (generation, shown) = go?;
        self.at = Some(generation);
        self.show_run(shown, None);
        let node = run.generations.get(generation)?.nodes.get(shown)?.node;
        u32::try_from(node).ok().map(Mark::Node)
    }
}

/// Runs of the next generation that got records of the batch which a record was in, each with how many.
fn caused(run: &GraphRun, at: usize, shown: usize, record: u64) -> Vec<(usize, u64)> {
    let Some((generation, next)) = run.generations.get(at).zip(run.generations.get(at + 1)) else { return Vec::new() };
    let Some(is) = generation.nodes.get(shown).filter(|_| next.dispatch == generation.dispatch) else {
        return Vec::new();
    };
    let mut first = 0u64;
    let batch = is.batches.iter().find(|batch| {
        first += batch.records;
        record < first
    });
    let entries = batch.map(|batch| batch.first_entry..batch.first_entry + batch.entries);
    let mut out = Vec::new();
    for (index, to) in next.nodes.iter().enumerate() {
        let of_this = to.records.origins.iter().filter(|origin| {
            origin.run as usize == shown && entries.as_ref().is_none_or(|entries| entries.contains(&origin.entry))
        });
        let count: u64 = of_this.map(|origin| u64::from(origin.count)).sum();
        if count > 0 {
            out.push((index, count));
        }
    }
    out
}

/// The generation's own facts: what ran, what went where, the ring.
fn facts(ui: &mut Ui, run: &GraphRun, generation: &Generation) {
    let id = |node: usize| run.graph.nodes.get(node).map(|node| clean(&node.id.to_string())).unwrap_or_default();
    let ring = &generation.ring;
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("{:.3} ms on the device.", generation.nanoseconds as f64 / 1e6));
        ui.label(format!(
            "Ring: {} bytes went in, {} were written, {} might have been, of {} in each half.",
            ring.input, ring.used, ring.bound, ring.half
        ));
    });
    Grid::new("ran here").num_columns(6).striped(true).show(ui, |ui| {
        for title in ["Node", "Records", "Launches", "Batches", "ms", "Dispatches"] {
            ui.weak(title);
        }
        ui.end_row();
        for is in generation.nodes.iter().take(500) {
            ui.monospace(id(is.node));
            ui.monospace(is.count.to_string());
            ui.monospace(is.launches.to_string());
            ui.monospace(is.batches.len().to_string());
            ui.monospace(format!("{:.3}", is.nanoseconds as f64 / 1e6));
            let dispatches = is.batches.iter().flat_map(|batch| &batch.dispatches).take(3);
            let text: Vec<_> = dispatches.map(|[x, y, z]| format!("{x}×{y}×{z}")).collect();
            ui.monospace(text.join(", "));
            ui.end_row();
        }
    });
    if generation.edges.is_empty() {
        return;
    }
    ui.add_space(6.0);
    Grid::new("edges here").num_columns(4).striped(true).show(ui, |ui| {
        for title in ["From", "Output", "To", "Records"] {
            ui.weak(title);
        }
        ui.end_row();
        for edge in generation.edges.iter().take(500) {
            let from = generation.nodes.get(edge.from).map(|from| from.node).unwrap_or(usize::MAX);
            ui.monospace(id(from));
            let output = run.graph.nodes.get(from).and_then(|node| node.outputs.get(edge.output));
            let element =
                output.and_then(|output| output.array).map(|_| format!("[{}]", edge.element)).unwrap_or_default();
            ui.monospace(clean(&output.map(|output| output.label(edge.output)).unwrap_or_default()) + &element);
            match edge.to {
                Some(to) => ui.monospace(id(to)),
                None => ui.colored_label(ui.visuals().warn_fg_color, "nowhere"),
            };
            ui.monospace(edge.records.to_string());
            ui.end_row();
        }
    });
}
