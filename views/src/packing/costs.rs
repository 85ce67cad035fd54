//! What the interface to the fragment shader costs, with the picture of its slots.

use egui::{DragValue, Ui};
use lanescope_core::cost::sheet::Sheet;
use lanescope_inspector::command::Command;
use lanescope_inspector::costs::{InterfaceQuestion, Made};
use lanescope_inspector::tasks::{CostQuestion, OF_REPORT, Work};

use crate::context::ViewCx;
use crate::cost_sheet::{panel, sheet, tiling};
use crate::picture::clean;
use crate::table::Tokens;
use crate::theme::TokensOfVisuals as _;

/// The share of a low tab that the sheet takes.
const SHARE: f32 = 0.55;

/// The sheet as it was made last.
#[derive(Default)]
pub(super) struct CostPane {
    made: Made<InterfaceQuestion, Result<Sheet, String>>,
    /// What was asked last of the draw's accesses, so that it is asked once.
    asked: Option<(u64, CostQuestion)>,
}

impl CostPane {
    /// Draws the draw that is summed up, and the sheet.
    pub(super) fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
        panel(ui, SHARE).show(ui, |ui| {
            let Some(program) = cx.loaded else {
                ui.label(OF_REPORT);
                return;
            };
            let question = InterfaceQuestion::of(cx.revision, cx.settings, cx.results, cx.inputs, cx.typed);
            self.ask(cx, &question, commands);
            let made = self.made.get(question, |asked| asked.sheet(program, cx.report, cx.settings, cx.results));
            ui.horizontal_wrapped(|ui| {
                draw(ui, cx, commands);
                if cx.other.is_some() {
                    ui.weak("of the first setting");
                }
                let copy = ui.button("Copy costs").on_hover_text("Copy all tables as text, with tabs between columns");
                if let (true, Ok(made)) = (copy.clicked(), made) {
                    commands.push(Command::Copy(made.to_tabs()));
                }
            });
            match made {
                Ok(made) => _ = sheet(ui, cx, made, None, commands),
                Err(why) => _ = ui.colored_label(Tokens::of(ui.visuals()).error, format!("× {}", clean(why))),
            }
        });
    }

    /// Counts the accesses of the draw, once for each change of what is asked.
    fn ask(&mut self, cx: &ViewCx<'_>, question: &InterfaceQuestion, commands: &mut Vec<Command>) {
        let wanted = (cx.program, question.accesses.clone());
        if !question.has_accesses() && self.asked.as_ref() != Some(&wanted) {
            self.asked = Some(wanted);
            commands.push(Command::Begin(Work::Costs));
        }
    }
}

/// The vertices and triangles of the draw, and how texels lie in that of the interpreter.
fn draw(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    let mut settings = cx.settings.costs.clone();
    let count = |ui: &mut Ui, name: &str, value: &mut u32| {
        let label = ui.label(name).id;
        ui.add(DragValue::new(value).speed(1000.0)).labelled_by(label);
    };
    count(ui, "Vertices of the draw", &mut settings.vertices);
    count(ui, "Triangles", &mut settings.triangles);
    tiling(ui, &mut settings);
    if settings != cx.settings.costs {
        commands.push(Command::SetCostSettings(settings));
    }
}
