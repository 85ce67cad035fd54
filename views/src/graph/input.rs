//! Inputs of a run: records as a form built from their type, or as text; and the run's settings.

use egui::{Button, CollapsingHeader, DragValue, TextEdit, Ui};
use lanescope_core::graph::{RecordType, WorkGraph};
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::graph::{Cut, GraphInput, GraphMode, GraphRequest, InputMode, LocalRoots, MAX_DISPATCHES};
use lanescope_core::text_format::counted;

use super::form::{Form, packed};
use crate::picture::clean;
use crate::table::{Tokens, call, quiet_cell};
use crate::widgets::choice;

/// The input mode, and stepped or GPU-driven mode.
const MODES: [(GraphMode, &str); 2] = [(GraphMode::Step, "stepped"), (GraphMode::Free, "GPU-driven")];
const SOURCES: [(bool, &str); 2] = [(false, "the host"), (true, "device memory")];
/// The largest ring, in MiB.
const MAX_RING: u64 = 64 << 10;

/// Inputs of the next run.
#[derive(Debug)]
pub(super) struct InputPane {
    /// One form for each entry point that gets records; at least one where there are entry points.
    forms: Vec<Form>,
    text: String,
    roots: String,
    error: Option<String>,
    mode: GraphMode,
    /// Records are described in device memory.
    described: bool,
    starts: u32,
    /// In MiB.
    ring: u64,
    /// The most records of a batch; any number where 0.
    batch: u64,
}

impl Default for InputPane {
    fn default() -> Self {
        InputPane {
            forms: Vec::new(),
            text: String::new(),
            roots: String::new(),
            error: None,
            mode: GraphMode::Step,
            described: false,
            starts: 1,
            ring: lanescope_core::run::graph::DEFAULT_RING >> 20,
            batch: 0,
        }
    }
}

impl InputPane {
    /// Forms for entry points that are still there; the first entry point's where there is none.
    fn fit(&mut self, graph: &WorkGraph) {
        self.forms.retain(|form| form.fits(graph));
        if self.forms.is_empty()
            && let Some(entry) = first_entry(graph)
        {
            self.forms.push(Form::new(graph, entry));
        }
    }

    /// The run that is requested, or what is wrong with it.
    pub fn request(&mut self, graph: &WorkGraph) -> Result<GraphRequest, String> {
        self.fit(graph);
        let inputs: Vec<GraphInput> = self.forms.iter().filter_map(|form| form.input(graph)).collect();
        let input_mode = match (inputs.len() > 1, self.described) {
            (false, false) => InputMode::Cpu,
            (false, true) => InputMode::Gpu,
            (true, false) => InputMode::MultiCpu,
            (true, true) => InputMode::MultiGpu,
        };
        let local_roots = match self.roots.trim() {
            "" => LocalRoots::default(),
            text => serde_json::from_str(text).map_err(|error| format!("local root arguments: {error}"))?,
        };
        Ok(GraphRequest {
            mode: self.mode,
            input_mode,
            inputs,
            dispatches: self.starts,
            ring: self.ring << 20,
            until: None,
            led: None,
            resume: None,
            timed: true,
            local_roots,
            cut: Cut { batch: (self.batch > 0).then_some(self.batch), ..Cut::default() },
        })
    }

    /// Whether the run is stepped.
    pub fn is_stepped(&self) -> bool {
        self.mode == GraphMode::Step
    }

    /// Draws the form. True if a file of records is requested.
    pub fn ui(&mut self, ui: &mut Ui, graph: &WorkGraph) -> bool {
        self.fit(graph);
        if self.forms.is_empty() {
            ui.weak("This graph has no entry point.");
            return false;
        }
        let mut load = false;
        let mut remove = None;
        let several = self.forms.len() > 1;
        let height = if several { 120.0 } else { 200.0 };
        for (at, form) in self.forms.iter_mut().enumerate() {
            ui.push_id(("form", at), |ui| {
                ui.horizontal_wrapped(|ui| {
                    form.head(ui, graph);
                    if several && ui.button("Remove").clicked() {
                        remove = Some(at);
                    }
                    if at == 0 {
                        load = ui
                            .button("Load…")
                            .on_hover_text("Records from a file: JSON, CSV, or their bytes")
                            .clicked();
                    }
                });
                form.rows(ui, graph, height);
            });
        }
        if let Some(at) = remove {
            self.forms.remove(at);
        }
        let unused = (0..graph.nodes.len())
            .find(|at| graph.nodes[*at].starts() && !self.forms.iter().any(|form| form.entry(graph) == Some(*at)));
        if let Some(entry) = unused {
            let more = ui.button("Add entry node");
            if more.on_hover_text("Start the graph at several entry nodes").clicked() {
                self.forms.push(Form::new(graph, entry));
            }
        }
        if let Some(error) = &self.error {
            ui.colored_label(Tokens::of(ui.visuals()).error, clean(error));
        }
        ui.separator();
        self.settings(ui);
        self.texts(ui, graph);
        load
    }

    fn settings(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            choice(ui, "Mode", &mut self.mode, &MODES);
            choice(ui, "Records described by", &mut self.described, &SOURCES);
            let label = ui.label("Starts").id;
            let starts =
                ui.add(DragValue::new(&mut self.starts).range(1..=MAX_DISPATCHES).speed(1.0)).labelled_by(label);
            starts.on_hover_text("Number of DispatchGraph calls on the same buffers");
            let label = ui.label("Ring").id;
            let ring = DragValue::new(&mut self.ring).range(1..=MAX_RING).speed(1.0).suffix(" MiB");
            ui.add(ring).labelled_by(label).on_hover_text("Memory for records in flight");
            let label = ui.label("Batch").id;
            let shown = |value: f64, _| if value == 0.0 { "any size".to_owned() } else { value.to_string() };
            let batch =
                DragValue::new(&mut self.batch).range(0..=input::MAX_RECORDS).speed(1.0).custom_formatter(shown);
            let hint = "Largest number of records in a batch; results do not depend on it";
            ui.add(batch).labelled_by(label).on_hover_text(hint);
        });
    }

    /// Records as text, and local root arguments.
    fn texts(&mut self, ui: &mut Ui, graph: &WorkGraph) {
        CollapsingHeader::new("Records from text: JSON or CSV").show(ui, |ui| {
            let hint = "{ \"records\": [ { \"tile\": 1 } ] }   or   tile,place.x,place.y⏎1,0.5,2";
            area(ui, &mut self.text, hint, "Records as text");
            if ui.button("Read").clicked() {
                let text = std::mem::take(&mut self.text);
                self.take(graph, text.as_bytes());
                self.text = text;
            }
        });
        if graph.nodes.iter().any(|node| node.local_root_table.is_some()) {
            CollapsingHeader::new("Local root arguments").show(ui, |ui| {
                let hint = "{ \"buffers\": { \"buf\": 4096 }, \"table\": [ [\"buf\", 30, 20] ] }";
                area(ui, &mut self.roots, hint, "Local root arguments");
            });
        }
    }

    /// Takes a file's or a text's records: JSON, CSV, or the records' own bytes.
    pub fn take(&mut self, graph: &WorkGraph, bytes: &[u8]) {
        self.fit(graph);
        self.error = self.read(graph, bytes).err();
    }

    fn read(&mut self, graph: &WorkGraph, bytes: &[u8]) -> Result<(), String> {
        let form = self.forms.first_mut().ok_or("this graph has no entry point")?;
        let node = form.node(graph).ok_or("the entry node no longer exists")?;
        if let Some(text) = input::json_text(bytes) {
            let name = node.id.to_string();
            let options = InputOptions { entry: Some(&name), ..InputOptions::default() };
            let inputs = input::parse(text, graph, options).map_err(|error| error.to_string())?;
            let forms = inputs.iter().filter_map(|input| {
                let entry = graph.find(&input.entry)?;
                let mut form = Form::new(graph, entry);
                match graph.nodes.get(entry)?.record() {
                    Some(record) => form.set(packed(input, record)),
                    None => form.count = input.count,
                }
                Some(form)
            });
            self.forms = forms.collect();
            return Ok(());
        }
        let record = node.record().ok_or("the entry node has empty records: only their number can be set")?;
        form.set(record.read_plain(bytes, None)?);
        Ok(())
    }
}

/// The default entry point of a run.
fn first_entry(graph: &WorkGraph) -> Option<usize> {
    let declared = graph.nodes.iter().position(|node| node.entry);
    declared.or_else(|| graph.nodes.iter().position(|node| node.starts()))
}

fn area(ui: &mut Ui, text: &mut String, hint: &str, name: &str) {
    let field = TextEdit::multiline(text).hint_text(hint).desired_rows(4).desired_width(f32::INFINITY);
    call(&ui.add(field.font(egui::TextStyle::Monospace)), name);
}

/// The buttons after a form's title.
pub(super) fn record_buttons(ui: &mut Ui, count: usize, record: &RecordType) -> Option<RecordButton> {
    quiet_cell(ui, format!("{} of {}", counted(count, "record"), counted(record.bytes, "byte")));
    let mut pressed = None;
    if ui.button("Add").on_hover_text("Add a copy of the last record").clicked() {
        pressed = Some(RecordButton::Add);
    }
    if ui.add_enabled(count > 0, Button::new("Remove last")).clicked() {
        pressed = Some(RecordButton::RemoveLast);
    }
    if ui.button("Reset").on_hover_text("One record of zeros, with a grid of one group").clicked() {
        pressed = Some(RecordButton::Reset);
    }
    pressed
}

/// A button after a form's title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordButton {
    Add,
    RemoveLast,
    Reset,
}
