//! The debug tab: a shader in the interpreter, stepped forwards and backwards on its lane map.

mod controls;
mod launch;
mod picture;
mod source;
mod strip;

use crate::tokens;
use crate::tokens::space;
use egui::{CursorIcon, Label, RichText, ScrollArea, Sense, Ui, UiBuilder};
use lanescope_core::interpreter::debugger::session::Chosen;
use lanescope_core::program::StageKind;
use lanescope_core::table;
use lanescope_core::text_format::counted;
use lanescope_inspector::command::{Command, PictureFile};
use lanescope_inspector::debugging::{
    DebugCommand, DebugStop, DrawTarget, breakpoint_table, draws, variable_name, variable_table,
};
use lanescope_inspector::tasks::OF_REPORT;
pub(crate) use lanescope_inspector::view::DEBUG as INFO;
use lanescope_inspector::view::{Ask, ViewInfo};

pub use picture::lane_picture;

use crate::context::{View, ViewCx};
use crate::findings::look;
use crate::findings::of_run::{of_run, to_place};
use crate::picture::Mark;
use crate::picture::canvas::Canvas;
use crate::table::{GridLook, Tokens, grid, one_line, quiet_cell};
use crate::theme::{Theme, ThemeOfUi as _, TokensOfVisuals as _};
use crate::widgets::{Cached, below, beside, beside_part, fact, heading, nothing, toolbar};
use source::SourcePane;

/// Below this width the lanes are under the text.
const NARROW: f32 = 720.0;
/// Height of the lane map.
const MAP: f32 = 250.0;

/// The debug tab.
#[derive(Default)]
pub struct DebugView {
    source: SourcePane,
    canvas: Canvas,
    /// By program, stop and theme.
    lanes: Cached<(u64, u64, bool)>,
    /// What is typed: a variable, a breakpoint.
    map: String,
    breakpoint: String,
    /// The breakpoint whose hits are to be passed over, and how many.
    ignore: (usize, u64),
    group: Option<[u32; 3]>,
    /// The target of a draw that is being chosen.
    target: Option<DrawTarget>,
}

impl View for DebugView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        if cx.frozen {
            commands.extend(nothing(ui, "Nothing to debug", OF_REPORT, None));
            return commands;
        }
        toolbar(ui, |ui| self.controls(ui, cx, &mut commands));
        let tokens = Tokens::of(ui.visuals());
        if let Some(why) = &cx.debugging.refused {
            ui.add(Label::new(RichText::new(format!("× {why}")).color(tokens.error)).wrap());
        }
        let Some(stop) = &cx.debugging.stop else {
            explain(ui, cx);
            return commands;
        };
        if stop.revision != cx.revision {
            let text = "! The program or its options have changed since this session began.";
            ui.colored_label(tokens.warning, text);
        }
        status(ui, cx, stop, &mut commands);
        let room = ui.available_size();
        let panel = if room.x < NARROW {
            below(ui, "lanes under", room.y).default_size(room.y * 0.55)
        } else {
            beside(ui, "lanes", room.x * 0.5)
        };
        panel.show(ui, |ui| self.state(ui, cx, stop, &mut commands));
        let rest = UiBuilder::new().max_rect(ui.available_rect_before_wrap());
        ui.scope_builder(rest, |ui| self.source.ui(ui, cx, stop, &mut commands));
        if cx.asked(Ask::CopyTable) {
            commands.push(Command::Copy(variable_table(stop).to_tabs()));
        }
        if cx.asked(Ask::ExportPicture)
            && let Some(picture) = self.lanes.last()
        {
            commands.push(Command::SavePicture { picture: PictureFile::new(picture.clone()), name: "lanes" });
        }
        commands
    }

    fn forget(&mut self, program: u64) {
        self.source.forget(program);
    }
}

fn explain(ui: &mut Ui, cx: &ViewCx<'_>) {
    ui.add_space(space::BLOCK);
    ui.label(match (cx.debugging.launch.is_some(), draws(cx.report)) {
        (true, _) => "Start steps the launch of the chosen record in the interpreter.",
        (_, true) => "Start draws the fixed scene in the interpreter, and steps the wave of the chosen invocation.",
        _ => "Start runs the compute shader in the interpreter, wave by wave, on the predicted lane map.",
    });
    ui.weak("Every step can be taken back. Ctrl+F12 starts, F11 steps into, F10 over, F12 continues.");
}

/// Where the session is, in a line.
fn status(ui: &mut Ui, cx: &ViewCx<'_>, stop: &DebugStop, commands: &mut Vec<Command>) {
    let state = &stop.state;
    let mut parts = vec![format!("step {}", state.step), state.place()];
    let active = if state.active { "active" } else { "inactive" };
    parts.push(match state.invocation {
        Some(_) if stop.stage != StageKind::Compute => format!("lane {}, {active}", state.lane),
        Some(index) => format!("lane {}.{}, invocation {index}, {active}", state.wave, state.lane),
        None => format!("lane {}.{}, no invocation", state.wave, state.lane),
    });
    if let Some(line) = &state.line {
        let file = line.file.rsplit(['/', '\\']).next().unwrap_or(&line.file);
        parts.push(format!("{}:{}", one_line(file), line.line));
    }
    ui.horizontal_wrapped(|ui| {
        if !matches!(stop.why.as_str(), "" | "step") {
            ui.label(RichText::new(&stop.why).strong());
        }
        quiet_cell(ui, parts.join(" · "));
        let Some(worst) = stop.findings.iter().min_by_key(|finding| finding.severity) else { return };
        let (icon, colour) = look(ui, worst.severity);
        let text = format!("{icon} {}", counted(stop.findings.len(), "finding"));
        let link = ui.add(Label::new(RichText::new(text).color(colour)).sense(Sense::click()));
        let link = link.on_hover_cursor(CursorIcon::PointingHand);
        if link.on_hover_text(format!("{} {}", worst.code, worst.message)).clicked() {
            commands.extend(to_place(cx, worst));
        }
    });
    if let Some(others) = &stop.others {
        ui.weak(format!("Other workgroups: {}", others.text()));
    }
    ui.add(Label::new(RichText::new(&state.instruction).monospace()).truncate());
}

impl DebugView {
    /// The strip, the lanes, the findings, the variables, the breakpoints.
    fn state(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, stop: &DebugStop, commands: &mut Vec<Command>) {
        let theme = Theme::of(ui);
        strip::strip(ui, stop, &theme, commands);
        ui.add_space(space::HAIR);
        self.map_row(ui, cx, stop, commands);
        let height = MAP.min(ui.available_height() * 0.6);
        let size = egui::vec2(ui.available_width(), height);
        ui.allocate_ui(size, |ui| {
            ui.set_min_size(size);
            let key = (cx.program, stop.number, theme.dark);
            let picture = self.lanes.get(key, || lane_picture(stop, &theme));
            let chosen = Mark::Lane([stop.state.wave, stop.state.lane]);
            let reply = ui.push_id("lane map", |ui| self.canvas.show(ui, picture, &theme, &[chosen])).inner;
            if let Some(Mark::Lane(at)) = reply.hovered {
                beside_part(&reply, |ui| describe(ui, stop, at));
            }
            if let Some(Mark::Lane([wave, lane])) = reply.chosen {
                commands.push(Command::Debug(DebugCommand::Choose(Chosen { wave, lane })));
            }
        });
        ui.separator();
        ScrollArea::both().id_salt("debug tables").auto_shrink(false).min_scrolled_height(0.0).show(ui, |ui| {
            if let Some(of) = &stop.launch {
                launch::launch(ui, cx, of, &theme, commands);
            }
            if !stop.findings.is_empty() {
                heading(ui, &theme, "Findings");
                ui.set_max_width(ui.clip_rect().width());
                of_run(ui, cx, &stop.findings, commands);
                ui.add_space(space::ROW);
            }
            ui.horizontal(|ui| {
                heading(ui, &theme, "Variables");
                if stop.launch.is_none() {
                    controls::programs(ui, cx, commands);
                }
            });
            if let Some(beside) = &stop.beside {
                let other = if stop.is_rewritten { "original" } else { "rewritten" };
                let place = beside.point.text();
                quiet_cell(ui, format!("Compared {place}; step {} of the {other} program", beside.step));
            }
            let look = GridLook { spacing: tokens::table::DENSE, select: "Show in all lanes", ..GridLook::default() };
            let variables = variable_table(stop);
            let shown = |key: &table::Key| {
                let table::Key::Item(index) = key else { return false };
                variable_name(stop, *index).is_some_and(|name| name == stop.lanes.name)
            };
            let clicked = grid(ui, cx, "debug variables", &variables, look, shown, commands);
            if let Some(table::Key::Item(index)) = clicked
                && let Some(name) = variable_name(stop, *index)
            {
                name.clone_into(&mut self.map);
                commands.push(Command::Debug(DebugCommand::Map(name.to_owned())));
            }
            if variables.rows.is_empty() {
                ui.weak("No variables here.");
            }
            ui.add_space(space::ROW);
            heading(ui, &theme, "Breakpoints");
            self.breakpoint_row(ui, commands);
            let look = GridLook { spacing: tokens::table::DENSE, select: "Remove", ..GridLook::default() };
            let all = breakpoint_table(stop);
            if !all.rows.is_empty() {
                let clicked = grid(ui, cx, "debug breakpoints", &all, look, |_| false, commands);
                if let Some(table::Key::Item(index)) = clicked
                    && let Some(row) = stop.breakpoints.get(*index)
                {
                    commands.push(Command::Debug(DebugCommand::RemoveBreakpoint(row.number)));
                }
                self.ignore_row(ui, stop, commands);
            }
        });
    }
}

/// A lane under the pointer.
fn describe(ui: &mut Ui, stop: &DebugStop, [wave, lane]: [u32; 2]) {
    let of = |all: &[Vec<Option<String>>]| all.get(wave as usize)?.get(lane as usize)?.clone();
    let invocation = stop.lanes.invocations.get(wave as usize).and_then(|wave| wave.get(lane as usize).copied()?);
    let active = stop.lanes.active.get(wave as usize).and_then(|wave| wave.get(lane as usize)).copied();
    egui::Grid::new("lane").num_columns(2).show(ui, |ui| {
        fact(ui, "lane", format!("{wave}.{lane}"));
        if let Some(index) = invocation.filter(|_| stop.stage == StageKind::Compute) {
            fact(ui, "invocation", index.to_string());
        }
        if let Some(fragment) = stop.fragments.get(lane as usize) {
            let [x, y] = fragment.pixel;
            fact(ui, "pixel", format!("{x},{y}"));
            fact(ui, "triangle", fragment.triangle.to_string());
            if fragment.helper {
                fact(ui, "fragment", "helper invocation");
            }
        }
        fact(ui, "exec mask", if active == Some(true) { "active" } else { "inactive" });
        if let Some(value) = of(&stop.lanes.values) {
            fact(ui, &stop.lanes.name, value);
        }
    });
}
