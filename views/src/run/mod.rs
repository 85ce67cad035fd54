//! The run tab: the program on a device, beside the rewritten one, and what both wrote.

mod buffers;
mod pictures;
mod script;
mod verdict;

use crate::tokens;
use crate::tokens::space;
use egui::{Button, DragValue, RichText, ScrollArea, Ui};
use lanescope_core::findings::{Finding, Severity};
use lanescope_core::program::StageKind;
use lanescope_core::run::{DescribedRun, Execution, Ran};
use lanescope_core::text_format::{counted, duration};
use lanescope_inspector::command::{Command, Output, OutputFile};
use lanescope_inspector::debugging::can_debug;
use lanescope_inspector::devices::INTERPRETER;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::{OF_REPORT, RunText, Task, Work, is_script};
pub(crate) use lanescope_inspector::view::RUN as INFO;
use lanescope_inspector::view::{Ask, ViewInfo};

use crate::combo::pick;
use crate::context::{View, ViewCx};
use crate::device;
use crate::findings::of_run::of_run;
use crate::graph;
use crate::rewritten::{can_rewrite, passes};
use crate::table::{Tokens, call, one_line, quiet_cell};
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{Draft, nothing, toolbar, unopened, work_button};
use buffers::BufferTable;
use pictures::Pictures;
use script::ScriptTable;
use verdict::{Tone, differs, verdict};

/// What a cached table or picture belongs to: the program's revision, the run's number, the output.
type Id = (u64, u64, String);

/// More outputs than this are chosen from a list.
const LABELS_AT_MOST: usize = 8;

/// The run tab.
#[derive(Default)]
pub struct RunView {
    /// Name of the output that is shown.
    shown: String,
    pictures: Pictures,
    buffer: BufferTable,
    script: ScriptTable,
    draft: Draft,
}

impl View for RunView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        if cx.report.graph.is_some() {
            // Its contents are chosen here: the graph's run takes them.
            toolbar(ui, |ui| filling(ui, cx, &mut commands));
            let hint = "It runs generation by generation, starting with its records.";
            commands.extend(nothing(ui, "Work graphs run in the tab Graph", hint, Some(&graph::INFO)));
            return commands;
        }
        if cx.report.stages.is_empty() {
            let hint = "Open a compute shader or a graphics pipeline.";
            commands.extend(unopened(ui, "Nothing to run", hint, None));
            return commands;
        }
        if cx.frozen {
            commands.extend(nothing(ui, "Nothing to run", OF_REPORT, None));
            return commands;
        }
        if is_script(cx.report) {
            self.of_script(ui, cx, &mut commands);
            return commands;
        }
        toolbar(ui, |ui| self.controls(ui, cx, &mut commands));
        let Task { answer, .. } = &cx.results.run;
        let Some(answer) = answer else {
            ui.add_space(space::BLOCK);
            if cx.results.run.underway {
                ui.weak("The program runs in its own process.");
            } else {
                explain(ui, cx);
            }
            return commands;
        };
        if answer.revision != cx.revision || answer.settings != cx.settings.run {
            let text = "! The program or the settings have changed since the run.";
            ui.colored_label(Tokens::of(ui.visuals()).warning, text);
        }
        match &answer.result {
            Ok(ran) => self.result(ui, cx, ran, (answer.revision, answer.number), &mut commands),
            Err(why) => failed(ui, cx, why, &mut commands),
        }
        commands
    }
}

/// The size of the dispatch: the requested one, else that of the last run. Returns whether it was changed.
fn groups(ui: &mut Ui, cx: &ViewCx<'_>, requested: &mut Option<[u32; 3]>) -> bool {
    let last = cx.results.run.done().and_then(|ran| ran.execution.run.groups);
    let shown = requested.or(last).unwrap_or([1, 1, 1]);
    let mut groups = shown;
    let label = ui.label("Groups").on_hover_text("Size of the dispatch in workgroups").id;
    for side in &mut groups {
        ui.add(DragValue::new(side).range(1..=65_535).speed(1.0)).labelled_by(label);
    }
    let rule = "Covers the largest 2D storage image, else one workgroup";
    if requested.is_none() {
        ui.weak("auto").on_hover_text(rule);
    } else if ui.small_button("Auto").on_hover_text(rule).clicked() {
        *requested = None;
        return true;
    }
    if groups != shown {
        *requested = Some(groups);
    }
    groups != shown
}

impl RunView {
    /// The run of the script that the program is of: it states all but the device.
    fn of_script(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        toolbar(ui, |ui| {
            run_button(ui, cx, commands);
            more_menu(ui, cx, commands);
        });
        let Some(answer) = &cx.results.script.answer else {
            ui.add_space(space::BLOCK);
            if cx.results.run.underway {
                ui.weak("The script runs in its own process.");
            } else {
                ui.label("Run carries out all commands of the script in order, and shows what each EXPECT expects and finds.");
                ui.weak(
                    "Pipelines run in their own process. The time limit is that of each run. F9 runs it from any tab.",
                );
            }
            return;
        };
        if answer.revision != cx.revision || answer.settings != cx.settings.run {
            let text = "! The script or the settings have changed since the run.";
            ui.colored_label(Tokens::of(ui.visuals()).warning, text);
        }
        match &answer.result {
            Ok(ran) => {
                let copy = cx.asked(Ask::CopyTable);
                self.script.ui(ui, ran, (answer.revision, answer.number), copy, commands);
            }
            Err(why) => failed(ui, cx, why, commands),
        }
    }

    fn controls(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        run_button(ui, cx, commands);
        let mut options = self.draft.options(ui, &cx.report.options, cx.revision);
        let is_compute = cx.report.stages.iter().any(|stage| stage.stage == StageKind::Compute);
        if is_compute && groups(ui, cx, &mut options.groups) {
            self.draft.send(&options, cx.revision);
            commands.push(Command::SetOptions(Box::new(options)));
        }
        if can_rewrite(cx.report) {
            ui.label("Compare with")
                .on_hover_text("Passes that rewrite the program; without a pass, only the original runs");
            passes(ui, cx, &mut self.draft, commands);
        }
        filling(ui, cx, commands);
    }

    fn result(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, ran: &Ran, of: (u64, u64), commands: &mut Vec<Command>) {
        summary(ui, ran);
        found(ui, cx, ran, commands);
        let outputs = outputs(&ran.execution);
        if outputs.is_empty() {
            ui.add_space(space::BLOCK);
            ui.label("The shader writes no buffer and no image.");
            return;
        }
        if !outputs.iter().any(|(name, _)| *name == self.shown) {
            // What differs is looked at first.
            let differing = outputs.iter().find(|(name, _)| state(ran, name).1);
            self.shown = differing.or(outputs.first()).map(|(name, _)| name.clone()).unwrap_or_default();
        }
        ui.horizontal_wrapped(|ui| {
            self.outputs(ui, ran, &outputs);
            ui.separator();
            self.saving(ui, ran, commands);
        });
        let id = (of.0, of.1, self.shown.clone());
        let copy = cx.asked(Ask::CopyTable);
        let run = &ran.execution.run;
        if run.surface(&self.shown, 0).is_some() {
            commands.extend(self.pictures.ui(ui, ran, &self.shown, &id, copy, can_debug(cx.report)));
        } else if let Some(buffer) = run.buffers.iter().find(|buffer| buffer.name == self.shown) {
            self.buffer.ui(ui, ran, buffer, &id, copy, commands);
        } else {
            image(ui, ran, &self.shown);
        }
    }

    /// The outputs, each with whether it differs.
    fn outputs(&mut self, ui: &mut Ui, ran: &Ran, outputs: &[(String, String)]) {
        let label = |(name, title): &(String, String)| format!("{} {}", state(ran, name).0, one_line(title));
        if outputs.len() > LABELS_AT_MOST {
            let shown = outputs.iter().find(|(name, _)| *name == self.shown).map(label).unwrap_or_default();
            let combo = egui::ComboBox::from_id_salt("outputs").width(220.0).selected_text(shown).show_ui(ui, |ui| {
                for output in outputs {
                    pick(ui, &mut self.shown, output.0.clone(), label(output));
                }
            });
            call(&combo.response, "Output");
        } else {
            for output in outputs {
                pick(ui, &mut self.shown, output.0.clone(), label(output)).on_hover_text(&output.0);
            }
        }
    }

    fn saving(&self, ui: &mut Ui, ran: &Ran, commands: &mut Vec<Command>) {
        let run = &ran.execution.run;
        let is_picture = run.surface(&self.shown, 0).is_some();
        let is_buffer = run.buffers.iter().any(|buffer| buffer.name == self.shown);
        let two = ran.against.is_some();
        ui.menu_button("Save", |ui| {
            let mut entry = |ui: &mut Ui, text: String, what, rewritten| {
                if ui.button(text).clicked() {
                    let (name, plane) = (self.shown.clone(), if is_picture { self.pictures.plane } else { 0 });
                    commands.push(Command::SaveOutput(Output { name, what, rewritten, plane }));
                    ui.close();
                }
            };
            for (side, rewritten) in [("original", false), ("rewritten", true)].into_iter().take(1 + usize::from(two)) {
                entry(ui, format!("Binary, {side}…"), OutputFile::Binary, rewritten);
                if is_buffer {
                    entry(ui, format!("JSON, {side}…"), OutputFile::Json, rewritten);
                }
                if is_picture {
                    entry(ui, format!("PNG, {side}…"), OutputFile::Png, rewritten);
                }
            }
            if is_picture && two {
                entry(ui, "PNG, difference…".to_owned(), OutputFile::DifferencePng, false);
            }
        });
    }
}

/// Runs and stops, and the device.
fn run_button(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    // First, so that it stays in place.
    let running = cx.results.run.underway;
    if work_button(ui, running.then_some("running"), "Run", "Run in a separate process (F9)") {
        commands.push(if running { Command::Stop(Work::Run) } else { Command::Begin(Work::Run) });
    }
    ui.separator();
    device::choose(ui, cx, None, commands);
}

/// What fills the buffers and images, and what is rarely changed.
fn filling(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    if !cx.inputs.is_empty() {
        let files = cx.inputs.iter().filter(|input| input.file.is_some()).count();
        let is_typed = !cx.typed.get(RunText::Buffers).text.is_empty();
        let title = match (files, is_typed) {
            (0, false) => "Contents".to_owned(),
            (0, true) => "Contents (given)".to_owned(),
            (files, _) => format!("Contents ({files})"),
        };
        let menu = ui.menu_button(title, |ui| contents(ui, cx, commands));
        menu.response.on_hover_text("Which files fill the buffers and images");
    }
    for (of, hover) in [
        (RunText::Push, "Values of push constants by name"),
        (RunText::Samplers, "Filters, address modes and comparisons of samplers"),
        (RunText::Draw, "Vertices, depths, size and topology of what is drawn"),
    ] {
        let input = cx.typed.get(of);
        if !input.known.is_empty() {
            let given = if input.text.is_empty() { "" } else { " (given)" };
            let menu = ui.menu_button(format!("{}{given}", of.title()), |ui| typed(ui, cx, of, commands));
            menu.response.on_hover_text(hover);
        }
    }
    more_menu(ui, cx, commands);
}

/// What is rarely changed.
fn more_menu(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    let mut settings = cx.settings.run.clone();
    let interpreter = settings.is_interpreter() && cx.report.graph.is_none();
    ui.menu_button("More", |ui| more(ui, &mut settings, interpreter))
        .response
        .on_hover_text("Contents, validation, limits");
    if settings != cx.settings.run {
        commands.push(Command::SetRunSettings(settings));
    }
}

/// Rarely changed settings.
fn more(ui: &mut Ui, settings: &mut RunSettings, interpreter: bool) {
    egui::Grid::new("more").num_columns(2).spacing(tokens::table::FORM).show(ui, |ui| {
        let label = ui.label("Fill").on_hover_text("Seed of contents without a file").id;
        ui.add_enabled(!settings.zeros, DragValue::new(&mut settings.fill).speed(1.0)).labelled_by(label);
        ui.end_row();
        ui.label("Zeros").on_hover_text("Zero contents without a file");
        call(&ui.checkbox(&mut settings.zeros, "on"), "Zeros");
        ui.end_row();
        ui.label("Validation layer").on_hover_text("Errors of the validation layer fail the run");
        let validate = ui.add_enabled(!interpreter, egui::Checkbox::new(&mut settings.validate, "on"));
        call(&validate, "Validation layer");
        validate.on_disabled_hover_text("Unavailable: the interpreter uses no driver");
        ui.end_row();
        let label = ui.label("Time limit").on_hover_text("Time limit of a run").id;
        ui.add(DragValue::new(&mut settings.seconds).range(1..=3600).speed(1.0).suffix(" s")).labelled_by(label);
        ui.end_row();
        let label = ui.label("Memory limit").on_hover_text("Memory limit of a run and of the debugger").id;
        let memory = DragValue::new(&mut settings.memory).range(RunSettings::MEMORY).speed(16.0).suffix(" MiB");
        ui.add(memory).labelled_by(label);
        ui.end_row();
        let label =
            ui.label("Step limit").on_hover_text("Most instructions of all waves, in the debugger and for costs").id;
        ui.add(DragValue::new(&mut settings.steps).range(RunSettings::STEPS).speed(1e6)).labelled_by(label);
        ui.end_row();
    });
}

/// The text that gives something, and the names that it may have.
fn typed(ui: &mut Ui, cx: &ViewCx<'_>, of: RunText, commands: &mut Vec<Command>) {
    typed_field(ui, cx, of, commands);
    egui::Grid::new(of.title()).num_columns(2).spacing(tokens::table::FORM).show(ui, |ui| {
        for (name, about) in &cx.typed.get(of).known {
            ui.monospace(one_line(name));
            ui.weak(one_line(about));
            ui.end_row();
        }
    });
}

/// The text itself, and why it does not fit.
fn typed_field(ui: &mut Ui, cx: &ViewCx<'_>, of: RunText, commands: &mut Vec<Command>) {
    let input = cx.typed.get(of);
    let place = egui::Id::unique((of.title(), cx.program));
    let typed = ui.data(|data| data.get_temp::<String>(place));
    let mut text = typed.unwrap_or_else(|| input.text.clone());
    let label = ui.label(of.label()).id;
    let edit = egui::TextEdit::singleline(&mut text).desired_width(320.0).hint_text(of.example());
    let field = ui.add(edit).labelled_by(label);
    if field.lost_focus() {
        commands.push(Command::SetRunText(of, text.trim().to_owned()));
        ui.data_mut(|data| data.remove_temp::<String>(place));
    } else if field.has_focus() {
        ui.data_mut(|data| data.insert_temp(place, text));
    }
    if let Some(why) = &input.wrong {
        ui.label(RichText::new(one_line(why)).color(Tokens::of(ui.visuals()).error));
    }
}

/// The buffers and images, and what fills them.
fn contents(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    typed_field(ui, cx, RunText::Buffers, commands);
    egui::Grid::new("contents").num_columns(4).spacing(tokens::table::FORM).show(ui, |ui| {
        for input in cx.inputs {
            let place = input.place.to_string();
            let name = input.variable.as_ref().map(|name| format!("{} ({place})", one_line(name)));
            ui.label(name.unwrap_or(place.clone()));
            ui.weak(input.kind);
            match &input.file {
                Some(file) => {
                    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
                    ui.monospace(one_line(&name)).on_hover_text(file.display().to_string());
                }
                None => {
                    ui.weak(if cx.settings.run.zeros { "zeros" } else { "from the seed" });
                }
            }
            ui.horizontal(|ui| {
                if ui.button("File…").on_hover_text(format!("Choose the file that fills {place}")).clicked() {
                    commands.push(Command::ChooseContents(input.place));
                    ui.close();
                }
                let drop = ui.add_enabled(input.file.is_some(), Button::new("×"));
                if drop.on_hover_text("Revert to default contents").clicked() {
                    commands.push(Command::DropContents(input.place));
                }
            });
            ui.end_row();
        }
    });
}

/// What a run would do, before there is one.
fn explain(ui: &mut Ui, cx: &ViewCx<'_>) {
    let compute = cx.report.stages.iter().any(|stage| stage.stage == StageKind::Compute);
    let is_given = !cx.typed.get(RunText::Draw).given().is_empty();
    let what = if compute {
        "Run dispatches the original and the rewritten shader with the same contents, and compares all written bytes."
    } else if is_given {
        "Run draws what Draw states with the original and the rewritten pipeline, and compares all samples of all outputs."
    } else {
        "Run draws a fixed scene with the original and the rewritten pipeline, and compares all samples of all outputs."
    };
    ui.label(what);
    ui.weak("The program runs in its own process and is stopped at the time limit. F9 runs it from any tab.");
}

/// Why it did not run.
fn failed(ui: &mut Ui, cx: &ViewCx<'_>, why: &str, commands: &mut Vec<Command>) {
    let tokens = Tokens::of(ui.visuals());
    ui.add_space(space::ROW);
    let what = if is_script(cx.report) { "× The script did not run to its end" } else { "× The program did not run" };
    ui.label(RichText::new(what).color(tokens.error).strong());
    ScrollArea::vertical().auto_shrink([false, true]).show(ui, |ui| {
        ui.add(egui::Label::new(RichText::new(why).monospace()).wrap());
    });
    let narrow = cx.report.packing.iter().flat_map(|packing| &packing.map).any(|mapping| mapping.bits < 32);
    if narrow && !cx.report.options.widen {
        ui.label(
            "The program has 8- or 16-bit varyings, which few devices support; Widen carries them as 32-bit \
                  ones.",
        );
    }
    ui.horizontal(|ui| {
        if ui.button("Copy message").clicked() {
            ui.copy_text(why.to_owned());
        }
        // It has all features, and needs no driver.
        let hint = "Choose the interpreter instead of the device, and run again";
        let offers = !cx.settings.run.is_interpreter() && can_debug(cx.report);
        if offers && ui.button("Run in the interpreter").on_hover_text(hint).clicked() {
            let device = Some(INTERPRETER.to_owned());
            commands.push(Command::SetRunSettings(RunSettings { device, ..cx.settings.run.clone() }));
            commands.push(Command::Begin(Work::Run));
        }
    });
}

/// What it means, and the run's own facts.
fn summary(ui: &mut Ui, ran: &Ran) {
    let tokens = Tokens::of(ui.visuals());
    let verdict = verdict(ran);
    let colour = match verdict.tone {
        Tone::Good => tokens.note,
        Tone::Plain => ui.visuals().text_color(),
        Tone::Warning => tokens.warning,
        Tone::Bad => tokens.error,
    };
    let text =
        RichText::new(format!("{} {}", verdict.sign, verdict.text)).size(tokens::text::LEAD).color(colour).strong();
    ui.add(egui::Label::new(text).wrap());
    let run = &ran.execution.run;
    let mut facts = format!("{} on {}, {}", run.entries.join(" + "), run.device, duration(run.nanoseconds));
    if let Some(against) = &ran.against {
        facts.push_str(&format!(", rewritten {}", duration(against.run.nanoseconds)));
    }
    if let Some([x, y, z]) = run.groups {
        let reason = run.groups_reason.as_ref().map(|reason| format!(" ({})", one_line(reason))).unwrap_or_default();
        facts.push_str(&format!(", {x}×{y}×{z} workgroups{reason}"));
    }
    ui.weak(facts);
    if let Some(of) = &run.interpreter {
        let waves = match of.lanes.len() {
            0 => format!("waves of {}", of.wave),
            count => format!("{} of {} in each workgroup", counted(count, "wave"), of.wave),
        };
        ui.weak(format!("{waves}, {}; {} steps", one_line(&of.map), of.steps));
    }
    if let Some(of) = &run.described {
        described(ui, of);
    }
    for what in &run.adapted {
        ui.weak(format!("adapted: {what}"));
    }
    for why in &run.order_dependent {
        ui.colored_label(tokens.warning, format!("≈ order-dependent: {why}"));
    }
    if !run.warnings.is_empty() {
        egui::CollapsingHeader::new(format!("! {} validation warnings", run.warnings.len())).show(ui, |ui| {
            for warning in &run.warnings {
                ui.monospace(warning);
            }
        });
    }
}

/// What the interpreter found in the original, then what it found only in the rewritten program. The list leaves room
/// for the outputs.
fn found(ui: &mut Ui, cx: &ViewCx<'_>, ran: &Ran, commands: &mut Vec<Command>) {
    let of = &ran.execution.run.findings;
    let is_new = |finding: &&Finding| !of.iter().any(|known| known.code == finding.code);
    let against = ran.against.iter().flat_map(|against| &against.run.findings);
    let added: Vec<Finding> = against.filter(is_new).cloned().collect();
    if of.is_empty() && added.is_empty() {
        return;
    }
    let all = || of.iter().chain(&added);
    let count = |severity: Severity| all().filter(|finding| finding.severity == severity).count();
    let counts =
        Severity::ALL.iter().map(|severity| (count(*severity), severity.name())).filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, name)| counted(count, name)).collect();
    let height = (ui.available_height() * 0.35).max(60.0);
    let title = format!("Findings of the interpreter: {}", counts.join(", "));
    egui::CollapsingHeader::new(title).id_salt("run findings").default_open(true).show(ui, |ui| {
        ScrollArea::vertical().id_salt("run findings").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
            of_run(ui, cx, of, commands);
            if !added.is_empty() {
                ui.add_space(space::SNUG);
                ui.strong("Only in the rewritten program");
                of_run(ui, cx, &added, commands);
            }
        });
    });
}

/// What the run has of the pipeline's description, folded; what it has not is open.
fn described(ui: &mut Ui, of: &DescribedRun) {
    for what in &of.left {
        let text = format!("! not applied from the pipeline file: {}", one_line(what));
        ui.colored_label(Tokens::of(ui.visuals()).warning, text);
    }
    if !of.taken.is_empty() {
        let title = format!("{} from the pipeline file", counted(of.taken.len(), "setting"));
        egui::CollapsingHeader::new(title).show(ui, |ui| {
            for what in &of.taken {
                ui.weak(one_line(what));
            }
        });
    }
}

/// The outputs by name, with what they are called in the shader.
fn outputs(of: &Execution) -> Vec<(String, String)> {
    let run = &of.run;
    let titled = |name: &String, register: &Option<String>, variable: &Option<String>| {
        let place = register.as_ref().map_or_else(|| name.clone(), |register| format!("{register}, {name}"));
        let title = variable.as_ref().map_or_else(|| place.clone(), |variable| format!("{variable} ({place})"));
        (name.clone(), title)
    };
    let attachments = run.attachments.iter().map(|a| (a.name.clone(), a.name.clone()));
    let buffers = run.buffers.iter().map(|b| titled(&b.name, &b.register, &b.variable));
    let images = run.images.iter().map(|i| titled(&i.name, &i.register, &i.variable));
    attachments.chain(buffers).chain(images).collect()
}

/// The sign of an output's comparison, and whether it differs.
fn state(ran: &Ran, name: &str) -> (&'static str, bool) {
    let compare = ran.execution.run.compare.as_ref();
    let found = compare.and_then(|compare| compare.outputs.iter().find(|output| output.name == name));
    match found {
        Some(output) if !output.is_equal() => ("≠", true),
        Some(_) => ("=", false),
        None => ("·", false),
    }
}

/// The facts of an image in a format that no picture shows.
fn image(ui: &mut Ui, ran: &Ran, name: &str) {
    let run = &ran.execution.run;
    let Some(image) = run.images.iter().find(|image| image.name == name) else { return };
    ui.add_space(space::ROW);
    ui.label(pictures::facts(image));
    quiet_cell(ui, format!("{} bytes, {}", image.bytes, image.hash));
    let compare = run.compare.as_ref();
    let Some(output) = compare.and_then(|compare| compare.outputs.iter().find(|output| output.name == name)) else {
        return;
    };
    if let Some(first) = &output.first {
        let colour = Tokens::of(ui.visuals()).changed;
        ui.colored_label(colour, format!("≠ {}", differs(&ran.execution, output)));
        let [x, y, z] = first.pixel.unwrap_or_default();
        ui.monospace(format!("first at ({x}, {y}, {z}): {} original, {} rewritten", first.original, first.rewritten));
    }
}
