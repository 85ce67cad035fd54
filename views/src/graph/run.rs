//! A run of the graph beside the drawing: the shown generation, what ran in it, records and buffers.

use crate::tokens::space;
use egui::{Button, DragValue, Grid, RichText, ScrollArea, TextEdit, Ui};
use lanescope_core::gpu::RecordPlace;
use lanescope_core::graph::{RecordType, WorkGraph};
use lanescope_core::run::graph::{Generation, GraphRun, NodeRun};
use lanescope_core::run::{Shape, hash};
use lanescope_core::text_format::{counted, duration};
use lanescope_inspector::command::Command;
use lanescope_inspector::debugging::DebugCommand;
use lanescope_inspector::stepping::{GraphCx, NodeBreakpoint, Position, RunPage, StepCommand, Stepping};
use lanescope_inspector::view::Ask;

use super::buffers::BufferPane;
use super::edit::EditPane;
use super::facts::facts;
use super::lineage::Lineage;
use crate::combo::pick;
use crate::context::ViewCx;
use crate::picture::clean;
use crate::records::{RecordsShown, RecordsTable};
use crate::table::{Tokens, call};
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{fact, steady_menu};

const PAGES: [(RunPage, &str); 3] =
    [(RunPage::Records, "Records"), (RunPage::Buffers, "Buffers"), (RunPage::Counts, "Counts")];

/// The least room for the state of the run.
const LEAST_STATE: f32 = 60.0;

/// What is drawn of a run, and texts that are being typed.
#[derive(Default)]
pub(super) struct RunPane {
    /// The run that was drawn last, and how far it had come: what is known of its records depends on both.
    key: ((u64, u64), (usize, bool)),
    /// Selections of records that the table has taken.
    record_moves: u64,
    table: RecordsTable,
    buffers: BufferPane,
    /// The condition of a new breakpoint.
    condition: String,
    edit: EditPane,
    /// Known facts about the selected record.
    lineage: Option<Lineage>,
    /// Where the origins of the shown records end: generation, run.
    origins: Option<((usize, usize), Vec<u64>)>,
}

/// The buttons: what they do, sign, name, key.
const BUTTONS: [(StepCommand, &str, &str, &str); 6] = [
    (StepCommand::Restart, "⏮", "Restart", "Ctrl+Shift+F10"),
    (StepCommand::StepBack, "◀", "Step back", "Ctrl+F6"),
    (StepCommand::Step, "▶", "Step", "F10"),
    (StepCommand::RunToNode, "▶●", "Run to the selected node", "Ctrl+F10"),
    (StepCommand::Continue, "▶▶", "Run to a breakpoint", "F6"),
    (StepCommand::RunToEnd, "⏭", "Run to the end", "Shift+F6"),
];

impl RunPane {
    /// Drops what is known of another run, and shows the selected record.
    pub fn follow(&mut self, stepping: &Stepping) {
        let key = stepping.run_key();
        if self.key != key {
            (self.lineage, self.origins) = (None, None);
        }
        if self.key.0 != key.0 {
            self.buffers.forget();
        }
        self.key = key;
        if std::mem::replace(&mut self.record_moves, stepping.record_moves) != stepping.record_moves {
            self.table.select(stepping.record);
        }
    }

    /// The button that resumes from the shown generation, unless the run is paused there.
    fn resume(ui: &mut Ui, cx: &GraphCx<'_>, stepping: &Stepping, run: &GraphRun, commands: &mut Vec<Command>) {
        let why_not = stepping.why_not_resume(cx, run);
        let hint = "Restore records and buffers as before this generation, and pause there; continuing replaces the \
                    later generations (Ctrl+Shift+F6)";
        let elsewhere = "Resume before this generation in the library of this run, which must be open too; records \
                         can be changed first (Ctrl+Shift+F6)";
        let hint = if cx.frozen { elsewhere } else { hint };
        let button = ui.add_enabled(why_not.is_none(), Button::new("Resume from here")).on_hover_text(hint);
        if button.on_disabled_hover_text(why_not.unwrap_or_default()).clicked() {
            commands.push(Command::Step(StepCommand::Resume));
        }
    }

    /// The button that debugs the launch of the selected record.
    fn debug(ui: &mut Ui, stepping: &Stepping, run: &GraphRun, commands: &mut Vec<Command>) {
        let why_not = stepping.launch(run).err();
        let hint = "Step the launch of the selected record in the interpreter, and compare what it writes with what \
                    the device wrote (Ctrl+F9)";
        let button = ui.add_enabled(why_not.is_none(), Button::new("Debug this launch")).on_hover_text(hint);
        if button.on_disabled_hover_text(why_not.unwrap_or_default()).clicked() {
            commands.push(Command::Debug(DebugCommand::Launch));
        }
    }

    pub fn breakpoint_menu(
        &mut self,
        ui: &mut Ui,
        graph: &WorkGraph,
        stepping: &Stepping,
        commands: &mut Vec<Command>,
    ) {
        let mut step = |command| commands.push(Command::Step(command));
        let on = stepping.breakpoints.iter().filter(|breakpoint| breakpoint.on).count();
        let title = if on == 0 { "Breakpoints".to_owned() } else { format!("Breakpoints ({on})") };
        let menu = steady_menu(ui, &title, "Breakpoints (00)", |ui| {
            ui.set_min_width(320.0);
            for (at, breakpoint) in stepping.breakpoints.iter().enumerate() {
                ui.horizontal(|ui| {
                    let mut on = breakpoint.on;
                    if ui.checkbox(&mut on, clean(&breakpoint.id.to_string())).changed() {
                        step(StepCommand::EnableBreakpoint(at, on));
                    }
                    let condition = breakpoint.condition.as_str();
                    ui.monospace(if condition.is_empty() { "any record" } else { condition });
                    if let Some(why) = breakpoint.wrong(graph) {
                        ui.colored_label(Tokens::of(ui.visuals()).error, why);
                    }
                    let button = ui.button("×");
                    call(&button, "Remove breakpoint");
                    if button.clicked() {
                        step(StepCommand::RemoveBreakpoint(at));
                    }
                });
            }
            ui.separator();
            match stepping.node.and_then(|node| graph.nodes.get(node)) {
                Some(is) => {
                    ui.label(format!("Stop before {} gets a record with", clean(&is.id.to_string())));
                    let member = is.record().and_then(first_member);
                    let hint = member.map_or_else(
                        || "Empty matches every record".to_owned(),
                        |member| format!("Empty matches every record; {} >= 16 some", clean(member)),
                    );
                    let field = TextEdit::singleline(&mut self.condition).hint_text(hint).desired_width(280.0);
                    call(&ui.add(field.char_limit(500)), "Condition of the breakpoint");
                    let condition = self.condition.trim().to_owned();
                    let new = NodeBreakpoint { id: is.id.clone(), condition, on: true };
                    let wrong = new.wrong(graph);
                    if let Some(why) = &wrong {
                        ui.colored_label(Tokens::of(ui.visuals()).error, clean(why));
                    }
                    if ui.add_enabled(wrong.is_none(), Button::new("Add")).clicked() {
                        step(StepCommand::AddBreakpoint(new.condition));
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
    pub fn node_details(ui: &mut Ui, stepping: &Stepping, run: &GraphRun, node: usize, commands: &mut Vec<Command>) {
        let Some(generation) = stepping.generation(run) else { return };
        let runs: Vec<(usize, &NodeRun)> =
            generation.nodes.iter().enumerate().filter(|(_, is)| is.node == node).collect();
        ui.add_space(space::SNUG);
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
                    commands.push(Command::Step(StepCommand::ShowRun(at)));
                }
            });
            Grid::new(("ran", at)).num_columns(2).show(ui, |ui| {
                fact(ui, "records", format!("{}{}", is.count, if is.entry { " from the host" } else { "" }));
                if generation.waiting {
                    fact(ui, "state", "not run yet");
                    return;
                }
                fact(ui, "thread groups", is.launches.to_string());
                fact(ui, "batches", is.batches.len().to_string());
                let used = is.batches.iter().map(|batch| batch.used).fold(0, u64::saturating_add);
                let bound = is.batches.iter().map(|batch| batch.bound).max().unwrap_or(0);
                fact(ui, "payload written", format!("{used} bytes in the largest batch, worst case {bound}"));
                fact(ui, "time", duration(is.nanoseconds));
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
        graph: &GraphCx<'_>,
        run: &GraphRun,
        commands: &mut Vec<Command>,
    ) {
        let stepping = cx.stepping;
        let Some((at, generation)) = stepping.at.and_then(|at| Some((at, run.generations.get(at)?))) else { return };
        ui.horizontal_wrapped(|ui| {
            for (page, name) in PAGES {
                if ui.selectable_label(stepping.page == page, name).clicked() && stepping.page != page {
                    commands.push(Command::Step(StepCommand::ShowPage(page)));
                }
            }
            if stepping.page == RunPage::Records {
                ui.separator();
                choose_run(ui, stepping, run, generation, commands);
            }
            ui.separator();
            RunPane::resume(ui, graph, stepping, run, commands);
            if stepping.page == RunPage::Records {
                RunPane::debug(ui, stepping, run, commands);
            }
        });
        match stepping.page {
            RunPage::Records => {
                self.records(ui, cx, run, at, commands);
            }
            RunPage::Buffers => {
                self.buffers.ui(ui, run, at, cx.asked(Ask::CopyTable), commands);
            }
            RunPage::Counts => {
                ScrollArea::both()
                    .id_salt("generation facts")
                    .auto_shrink(false)
                    .show(ui, |ui| facts(ui, cx, run, generation, commands));
            }
        }
    }

    fn records(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        run: &GraphRun,
        at: usize,
        commands: &mut Vec<Command>,
    ) -> Option<()> {
        let (stepping, shown) = (cx.stepping, cx.stepping.shown);
        let generation = run.generations.get(at)?;
        let Some(is) = generation.nodes.get(shown) else {
            ui.weak("No generation ran.");
            return None;
        };
        let node = run.graph.nodes.get(is.node)?;
        let records = run.records_of(generation, is);
        let before = run.before(at).and_then(|before| run.generations.get(before));
        let known = self.origins.take().filter(|(of, _)| *of == (at, shown));
        let (of, ends) = known.unwrap_or_else(|| ((at, shown), records.ends()));
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
        let key = (cx.graph_revision.wrapping_add(self.key.0.1 << 32) ^ changed, 2 * at + waits, shown);
        let rows = RecordsShown {
            key,
            record: node.record(),
            count: is.count,
            bytes: &records.bytes.0,
            stride: records.stride,
            after: is.after.as_ref().map(|after| after.0.as_slice()),
            edited: &is.edited,
            writer: &writer,
            writer_key: &|record| records.writer_key(&ends, record),
        };
        let mut go = None;
        let top = ui.cursor().top();
        if self.table.selected().is_none() {
            ui.weak("Select a record to see the launch that wrote it, and the records that it caused.");
        }
        if let Some(record) = self.table.selected() {
            let place = RecordPlace { generation: at, run: shown, record };
            let lineage = Lineage::of(self.lineage.take(), run, place);
            go = lineage.ui(ui, run);
            self.lineage = Some(lineage);
            let ty = node.record();
            if let Some((ty, edit)) = ty.zip(is.edited.iter().find(|edit| edit.record == record)) {
                let was = ty.shape.json(&edit.was.0);
                ui.colored_label(Tokens::of(ui.visuals()).changed, clean(&format!("edited; it was {was}")));
            }
            if let (true, true, Some(ty)) = (generation.waiting, cx.results.is_graph_paused(), ty)
                && let Some(bytes) = records.get(record)
            {
                let command = self.edit.ui(ui, place, ty, bytes);
                commands.extend(command.map(Command::ControlRun));
            }
        }
        // A selection needs no more room than this: the table stays in place.
        let waits = generation.waiting && cx.results.is_graph_paused();
        let row = ui.spacing().interact_size.y + ui.spacing().item_spacing.y;
        ui.add_space((top + if waits { 2.0 * row } else { row } - ui.cursor().top()).max(0.0));
        let reply = self.table.ui(ui, &rows, cx.asked(Ask::CopyTable));
        commands.extend(reply.copy.map(Command::Copy));
        self.origins = Some((of, ends));
        let selected = self.table.selected();
        if selected != stepping.record {
            commands.push(Command::Step(StepCommand::SelectRecord(selected)));
        }
        if reply.debug {
            commands.push(Command::Debug(DebugCommand::Launch));
        }
        if let Some(go) = go {
            let (generation, run, record) = (go.generation, go.run, go.kept.only());
            self.table.keep_to(go.kept);
            commands.push(Command::Step(StepCommand::FollowRecords { generation, run, record }));
        }
        Some(())
    }
}

/// A box that picks the node's run whose records are shown.
fn choose_run(ui: &mut Ui, stepping: &Stepping, run: &GraphRun, generation: &Generation, commands: &mut Vec<Command>) {
    let name = |is: &NodeRun| {
        let node = run.graph.nodes.get(is.node);
        let id = node.map(|node| clean(&node.id.to_string())).unwrap_or_default();
        let level = match node.is_some_and(|node| node.recursion > 0) {
            true => format!(", {} left", is.remaining),
            false => String::new(),
        };
        format!("{id}{level} ({})", is.count)
    };
    let mut shown = stepping.shown;
    let text = generation.nodes.get(shown).map(&name).unwrap_or_default();
    let label = ui.label("Node").id;
    let combo = egui::ComboBox::from_id_salt("node runs").width(180.0).selected_text(text).show_ui(ui, |ui| {
        for (at, is) in generation.nodes.iter().enumerate() {
            pick(ui, &mut shown, at, name(is));
        }
    });
    combo.response.labelled_by(label);
    if shown != stepping.shown {
        commands.push(Command::Step(StepCommand::ShowRun(shown)));
    }
}

/// The buttons that step through the recorded generations, and continue a paused run. Without a run the first step
/// starts one.
pub(super) fn controls(
    ui: &mut Ui,
    cx: &ViewCx<'_>,
    graph: &GraphCx<'_>,
    run: Option<&GraphRun>,
    commands: &mut Vec<Command>,
) {
    let stepping = cx.stepping;
    let more = run.is_some_and(|run| stepping.has_more(graph, run));
    let can_go_back = stepping.at.is_some_and(|at| at > 0);
    for (command, sign, name, key) in BUTTONS {
        let possible = match command {
            StepCommand::StepBack => can_go_back,
            StepCommand::Step if run.is_none() => stepping.can_restart(graph),
            StepCommand::Restart => can_go_back || stepping.can_restart(graph),
            StepCommand::RunToNode => stepping.node.is_some() && more,
            _ => more,
        };
        let button = ui.add_enabled(possible, Button::new(RichText::new(sign).monospace()));
        call(&button, name);
        if button.on_hover_text(format!("{name} ({key})")).clicked() {
            commands.push(Command::Step(command));
        }
    }
    if let Some(shown) = run.and_then(|run| stepping.position(run)) {
        position(ui, cx, shown, commands);
    }
}

/// The shown generation, as a field that can be edited.
fn position(ui: &mut Ui, cx: &ViewCx<'_>, shown: Position, commands: &mut Vec<Command>) {
    let label = ui.label("Generation").id;
    // Of several starts the field counts all generations; the text after it gives the start and its generation.
    let mut to = shown.at;
    let field = ui.add(DragValue::new(&mut to).range(0..=shown.last).speed(1.0)).labelled_by(label);
    let field = field.on_hover_text("Run to this generation (Ctrl+Shift+G)");
    if cx.asked(Ask::Generation) {
        field.request_focus();
    }
    if to != shown.at {
        commands.push(Command::Step(StepCommand::ShowGeneration(to)));
    }
    ui.label(shown.rest());
}

/// Where the run is paused or ended, at the end of the toolbar: nothing moves when it changes.
pub(super) fn state(ui: &mut Ui, cx: &ViewCx<'_>, run: &GraphRun) {
    let stepping = cx.stepping;
    let changed = Tokens::of(ui.visuals()).changed;
    let hit = stepping.stop.filter(|stop| Some(stop.generation) == stepping.at);
    let hit = hit.map(|stop| {
        let record = stop.record.map(|record| format!(", record #{record}")).unwrap_or_default();
        format!("breakpoint{record}")
    });
    let waits = stepping.generation(run).is_some_and(|is| is.waiting);
    let (text, hint) = match (cx.results.paused_text(), hit) {
        (Some(paused), hit) => {
            let hint = "The records of this generation wait, and can be changed";
            (hit.map_or_else(|| paused.clone(), |hit| format!("{paused}: {hit}")), hint)
        }
        (None, Some(hit)) => (hit, "The breakpoint stopped the run here"),
        (None, None) if waits => ("Not run".to_owned(), "The run ended before this generation; Resume continues it"),
        (None, None) => return,
    };
    // In this row or not at all; the status bar says it too.
    let size = egui::vec2(ui.available_size_before_wrap().x - 2.0, ui.spacing().interact_size.y);
    if size.x < LEAST_STATE {
        return;
    }
    ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.add(egui::Label::new(RichText::new(text).color(changed)).truncate()).on_hover_text(hint);
    });
}

/// The name of a record's first member.
fn first_member(record: &RecordType) -> Option<&str> {
    let Shape::Struct { members } = &record.shape else { return None };
    members.first().map(|member| member.name.as_str())
}
