//! The controls of the debug tab.

use egui::{DragValue, TextEdit, Ui};
use lanescope_core::program::StageKind;
use lanescope_inspector::command::Command;
use lanescope_inspector::debugging::{DebugCommand, DebugStop, DrawTarget, PICTURE, VERTICES, draws, numbers_of};
use lanescope_inspector::tasks::Work;

use super::DebugView;
use crate::context::ViewCx;
use crate::picture::clean;
use crate::widgets::work_button;

/// The buttons that move: label, explanation with the key.
const MOVES: [(&str, &str, DebugCommand); 6] = [
    ("Step into", "To the next line or instruction, into calls (F11)", DebugCommand::StepInto),
    ("Step over", "To the next line or instruction, over calls (F10)", DebugCommand::StepOver),
    ("Step out", "To the end of the function (Shift+F11)", DebugCommand::StepOut),
    ("Step backwards", "To the line or instruction before (Ctrl+Shift+F11)", DebugCommand::StepBack),
    ("Continue", "To a breakpoint or the end (F12)", DebugCommand::Continue),
    ("Continue backwards", "To the breakpoint before, or the start (Shift+F12)", DebugCommand::ContinueBack),
];

/// Which program is stepped, and whether the values of the other one are beside.
pub(super) fn programs(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    let now = cx.debugging.is_rewritten;
    let sides = [
        (false, "Original", "Step the program as it was loaded, from the same point (Alt+F12)"),
        (true, "Rewritten", "Step the packed or swizzled program, from the same point (Alt+F12)"),
    ];
    for (is_rewritten, label, hint) in sides {
        if ui.selectable_label(now == is_rewritten, label).on_hover_text(hint).clicked() && now != is_rewritten {
            commands.push(Command::Debug(DebugCommand::SwitchProgram));
        }
    }
    let hint = "Show the variables of both programs at the same point, differing ones marked (Alt+Shift+F12)";
    if ui.selectable_label(cx.debugging.beside, "Compare values").on_hover_text(hint).clicked() {
        commands.push(Command::Debug(DebugCommand::ToggleBeside));
    }
}

/// What the control of a stage is called.
fn title(stage: StageKind) -> &'static str {
    match stage {
        StageKind::TessControl => "Control",
        StageKind::TessEval => "Evaluation",
        StageKind::Geometry => "Geometry",
        StageKind::Task => "Task",
        StageKind::Mesh => "Mesh",
        _ => "Vertex",
    }
}

impl DebugView {
    /// The controls above everything.
    pub(super) fn controls(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        let underway = cx.debugging.underway;
        let has_session = cx.debugging.stop.is_some();
        let label = if has_session { "Restart" } else { "Start" };
        if work_button(ui, underway.then_some("debugging"), label, "Go to the start of the run (Ctrl+F12)") {
            let restart = Command::Debug(DebugCommand::Restart);
            commands.push(if underway { Command::Stop(Work::Debug) } else { restart });
        }
        if draws(cx.report) {
            ui.separator();
            self.target(ui, cx, commands);
        }
        if !has_session {
            return;
        }
        ui.separator();
        for (label, hint, command) in MOVES {
            if ui.button(label).on_hover_text(hint).clicked() {
                commands.push(Command::Debug(command));
            }
        }
        ui.separator();
        if !draws(cx.report) && cx.debugging.launch.is_none() {
            self.groups(ui, cx, commands);
        }
        if ui.button("End").on_hover_text("End the session (Ctrl+Shift+F12)").clicked() {
            commands.push(Command::Debug(DebugCommand::Stop));
        }
    }

    /// The pixel of the scene, or the invocation of a stage before the fragments.
    fn target(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        let now = cx.debugging.target;
        let fragment = cx.debugging.stop.as_ref().and_then(|stop| stop.state.fragment);
        let mut target = self.target.unwrap_or(now);
        let mut ended = false;
        let pixel = match target {
            DrawTarget::Pixel(pixel) => pixel.or(fragment.map(|fragment| fragment.pixel)),
            DrawTarget::Stage(..) => None,
        };
        for other in DrawTarget::of(cx.report) {
            let (other, label, hint) = match other {
                DrawTarget::Pixel(_) => {
                    let hint = "Step the last fragment of the scene that covers a pixel".to_owned();
                    (DrawTarget::Pixel(pixel), "Fragment", hint)
                }
                DrawTarget::Stage(stage, _) => (other, title(stage), format!("Step the {} shader", stage.name())),
            };
            let is_shown = match (other, target) {
                (DrawTarget::Pixel(_), DrawTarget::Pixel(_)) => true,
                (DrawTarget::Stage(one, _), DrawTarget::Stage(other, _)) => one == other,
                _ => false,
            };
            if ui.selectable_label(is_shown, label).on_hover_text(hint).clicked() && !is_shown {
                (target, ended) = (other, true);
            }
        }
        match &mut target {
            DrawTarget::Pixel(chosen) => {
                let hint = "The pixel of the scene; another one begins at its start";
                let label = ui.label("Pixel").on_hover_text(hint).id;
                let mut pixel = chosen.or(pixel).unwrap_or([PICTURE / 2; 2]);
                let before = pixel;
                for (side, name) in pixel.iter_mut().zip(["x ", "y "]) {
                    let value = DragValue::new(side).range(0..=PICTURE - 1).speed(0.2).prefix(name);
                    let response = ui.add(value).labelled_by(label);
                    ended |= response.drag_stopped() || response.lost_focus();
                }
                if pixel != before {
                    *chosen = Some(pixel);
                }
            }
            DrawTarget::Stage(StageKind::Vertex, [vertex, ..]) => {
                let label = ui.label("Number").on_hover_text("The vertex of the scene, three for each triangle").id;
                let value = DragValue::new(vertex).range(0..=VERTICES - 1).speed(0.1);
                let response = ui.add(value).labelled_by(label);
                ended |= response.drag_stopped() || response.lost_focus();
            }
            DrawTarget::Stage(stage, numbers) => {
                let names = numbers_of(*stage);
                let hint = format!("What is stepped: {}; the stages before it run first", names.join(", "));
                let label = ui.label("At").on_hover_text(hint).id;
                for (number, name) in numbers.iter_mut().zip(names) {
                    let value = DragValue::new(number).speed(0.1).prefix(format!("{name} "));
                    let response = ui.add(value).labelled_by(label);
                    ended |= response.drag_stopped() || response.lost_focus();
                }
            }
        }
        self.target = (target != now).then_some(target);
        if ended && target != now {
            self.target = None;
            commands.push(Command::Debug(DebugCommand::Target(target)));
        }
    }

    /// The workgroup.
    fn groups(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        let Some(stop) = &cx.debugging.stop else { return };
        let label = ui.label("Workgroup").on_hover_text("Another workgroup begins at its start").id;
        let now = cx.debugging.group;
        let mut group = self.group.unwrap_or(now);
        let mut ended = false;
        for (side, count) in group.iter_mut().zip(stop.groups) {
            let value = DragValue::new(side).range(0..=count.saturating_sub(1)).speed(0.1);
            let response = ui.add(value).labelled_by(label);
            ended |= response.drag_stopped() || response.lost_focus();
        }
        self.group = (group != now).then_some(group);
        if ended && group != now {
            self.group = None;
            commands.push(Command::Debug(DebugCommand::Group(group)));
        }
    }

    /// The field of the variable that is shown in all lanes.
    pub(super) fn map_row(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, stop: &DebugStop, commands: &mut Vec<Command>) {
        ui.horizontal(|ui| {
            let label = ui.label("Show in all lanes").id;
            let width = (ui.available_width() * 0.45).clamp(60.0, 180.0);
            let edit = TextEdit::singleline(&mut self.map).desired_width(width).hint_text("color[0]");
            let field = ui.add(edit).labelled_by(label);
            if !field.has_focus() && !field.lost_focus() && self.map != cx.debugging.map {
                self.map.clone_from(&cx.debugging.map);
            }
            if field.lost_focus() && self.map.trim() != cx.debugging.map {
                commands.push(Command::Debug(DebugCommand::Map(self.map.trim().to_owned())));
            }
            if !cx.debugging.map.is_empty() && stop.lanes.name != cx.debugging.map {
                ui.weak("not in scope here");
            }
            self.canvas.zoom_buttons(ui);
        });
        ui.weak(format!("Lane map: {}", stop.lane_map));
        for text in &stop.writers {
            ui.label(clean(text));
        }
    }

    /// The field of a new breakpoint.
    pub(super) fn breakpoint_row(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 150.0).clamp(60.0, 240.0);
            let edit = TextEdit::singleline(&mut self.breakpoint).desired_width(width).hint_text("%42 if i > 3");
            let label = ui.label("At").id;
            let field = ui.add(edit).labelled_by(label);
            let text = self.breakpoint.trim().to_owned();
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let hint = "A line, an id or a condition: lit.comp:12, %42, sum >= 100";
            let set = ui.button("Break").on_hover_text(hint).clicked();
            let watch =
                ui.button("Watch").on_hover_text("Stop where this variable changes in the chosen lane").clicked();
            if text.is_empty() {
                return;
            }
            if watch {
                commands.push(Command::Debug(DebugCommand::Watch(text)));
                self.breakpoint.clear();
            } else if set || entered {
                commands.push(Command::Debug(DebugCommand::AddBreakpoint(text)));
                self.breakpoint.clear();
            }
        });
    }

    /// The fields that pass over hits of a breakpoint.
    pub(super) fn ignore_row(&mut self, ui: &mut Ui, stop: &DebugStop, commands: &mut Vec<Command>) {
        let numbers: Vec<usize> = stop.breakpoints.iter().map(|row| row.number).collect();
        let Some(&first) = numbers.first() else { return };
        ui.horizontal(|ui| {
            let (number, count) = &mut self.ignore;
            if !numbers.contains(number) {
                *number = first;
            }
            let label = ui.label("Ignore").id;
            ui.add(DragValue::new(count).range(0..=u32::MAX).speed(0.2)).labelled_by(label);
            let of = ui.label("hits of breakpoint").id;
            let last = numbers.last().copied().unwrap_or(first);
            ui.add(DragValue::new(number).range(first..=last).speed(0.1)).labelled_by(of);
            let hint = "Pass over the next hits of this breakpoint; 0 stops at each one";
            if ui.button("Set").on_hover_text(hint).clicked() {
                commands.push(Command::Debug(DebugCommand::Ignore(*number, *count)));
            }
        });
    }
}
