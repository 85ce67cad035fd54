//! The overview tab: what was loaded, its stages, its specialization constants, the options that were changed.

use crate::tokens;
use crate::tokens::space;
use std::collections::BTreeMap;

use egui::{Grid, RichText, ScrollArea, TextEdit, TextWrapMode, Ui};
use lanescope_core::options::SpecValue;
use lanescope_core::pipeline_tables::{DescriptionTable, description_tables};
use lanescope_core::report::{Report, SpecConstant};
use lanescope_core::report_tables;
use lanescope_core::table::{Key, Table};
use lanescope_inspector::command::Command;
use lanescope_inspector::view::{self, ViewInfo};

use crate::context::{View, ViewCx};
use crate::table::{GridLook, Tokens, call, cell, grid as table_grid, one_line, sort_of, sorting_title, table_id};
use crate::theme::TokensOfVisuals as _;

/// Specialization constants that are drawn: a module may declare thousands.
const CONSTANTS_AT_MOST: usize = 500;
/// Columns of the table of constants that are not drawn as its text: an editor, a button, and what one file leaves out.
const VALUE: usize = 4;
const SET: usize = 5;
const FILE: usize = 6;

/// The overview tab.
#[derive(Debug, Default)]
pub struct StagesView {
    /// What is being typed for a constant, by SpecId, with what is wrong about it.
    drafts: BTreeMap<u32, (String, Option<String>)>,
    revision: u64,
}

impl View for StagesView {
    fn info(&self) -> &'static ViewInfo {
        &view::OVERVIEW
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        if self.revision != cx.revision {
            self.revision = cx.revision;
            self.drafts.clear();
        }
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            inputs(ui, cx, &mut commands);
            stages(ui, cx, &mut commands);
            description(ui, cx, &mut commands);
            self.constants(ui, cx.report, &mut commands);
            options(ui, cx, &mut commands);
        });
        commands
    }
}

fn section(ui: &mut Ui, title: &str) {
    ui.add_space(space::BLOCK);
    ui.heading(title);
    ui.add_space(space::HAIR);
}

/// A table of the overview. Titles sort, and rows have a context menu.
fn grid(ui: &mut Ui, cx: &ViewCx<'_>, name: &'static str, table: &Table, commands: &mut Vec<Command>) {
    let look = GridLook { spacing: tokens::table::WIDE, ..GridLook::default() };
    table_grid(ui, cx, ("overview", name), table, look, |_| false, commands);
}

fn inputs(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    section(ui, "Files");
    grid(ui, cx, "files", &report_tables::inputs(cx.report), commands);
    let registers = report_tables::hlsl_registers(cx.report, CONSTANTS_AT_MOST);
    if !registers.rows.is_empty() {
        section(ui, "HLSL registers");
        grid(ui, cx, "registers", &registers, commands);
    }
}

fn stages(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    section(ui, "Stages");
    match cx.report.stages.is_empty() {
        true => _ = ui.label("No entry point was analyzed."),
        false => grid(ui, cx, "stages", &report_tables::stages(cx.report), commands),
    }
}

/// What a file says of the pipeline beside its shaders.
fn description(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    let Some(pipeline) = &cx.report.pipeline else { return };
    section(ui, "Pipeline");
    ui.label(one_line(&pipeline.title()));
    for DescriptionTable { mut table, from, more } in description_tables(pipeline, CONSTANTS_AT_MOST) {
        // Leading spaces say how deep a node lies. Sorted, nodes stay below the node that they are in.
        for row in &mut table.rows {
            let depth = row.cells.first().map_or(0, |cell| cell.text().len() - cell.text().trim_start().len());
            row.level = u8::try_from(depth).unwrap_or(u8::MAX);
        }
        ui.add_space(space::ROW);
        ui.horizontal(|ui| {
            ui.strong(&table.title);
            if !from.is_empty() {
                ui.label(RichText::new(one_line(&from)).color(Tokens::of(ui.visuals()).quiet));
            }
        });
        let look = GridLook { spacing: tokens::table::WIDE, ..GridLook::default() };
        table_grid(ui, cx, ("pipeline", &table.title), &table, look, |_| false, commands);
        if more > 0 {
            ui.label(format!("… and {more} more; the JSON report has them all."));
        }
    }
}

impl StagesView {
    fn constants(&mut self, ui: &mut Ui, report: &Report, commands: &mut Vec<Command>) {
        if report.spec_constants.is_empty() {
            return;
        }
        section(ui, "Specialization constants");
        let set = &report.options.spec;
        let table = report_tables::constants(report);
        let id = table_id(("overview", "constants"));
        let several = report.inputs.len() > 1;
        let shown = (0..table.columns.len()).filter(|column| several || *column != FILE);
        let shown: Vec<usize> = shown.collect();
        Grid::new("constants").num_columns(shown.len()).spacing(tokens::table::WIDE).show(ui, |ui| {
            for (at, column) in shown.iter().filter_map(|at| Some((*at, table.columns.get(*at)?))) {
                match column.title.is_empty() {
                    true => _ = ui.label(""),
                    false => _ = sorting_title(ui, id, at, &column.title, &column.help, TextWrapMode::Extend),
                }
            }
            ui.end_row();
            let rows = table.order(sort_of(ui.ctx(), id)).into_iter().filter_map(|at| table.rows.get(at));
            for row in rows.take(CONSTANTS_AT_MOST) {
                let Key::Item(index) = row.key else { continue };
                let Some(constant) = report.spec_constants.get(index) else { continue };
                for &column in &shown {
                    match column {
                        VALUE => {
                            if let Some(value) = self.editor(ui, index, constant) {
                                let mut options = report.options.clone();
                                options.spec.insert(constant.id, SpecValue(value));
                                commands.push(Command::SetOptions(Box::new(options)));
                            }
                        }
                        SET if set.contains_key(&constant.id) => {
                            let reset = ui.button("Reset").on_hover_text("Reset to the module's value");
                            call(&reset, format!("Reset constant {}", constant.id));
                            if reset.clicked() {
                                self.drafts.remove(&constant.id);
                                let mut options = report.options.clone();
                                options.spec.remove(&constant.id);
                                commands.push(Command::SetOptions(Box::new(options)));
                            }
                        }
                        SET => _ = ui.label(""),
                        _ => {
                            let text = row.cell(column).map(|cell| cell.text()).unwrap_or_default();
                            ui.label(RichText::new(if text.is_empty() { "—".to_owned() } else { one_line(&text) }));
                        }
                    }
                }
                ui.end_row();
            }
        });
        if report.spec_constants.len() > CONSTANTS_AT_MOST {
            let rest = report.spec_constants.len() - CONSTANTS_AT_MOST;
            ui.label(format!("… and {rest} more; use --spec on the command line to set them."));
        }
    }

    /// The editor of one constant. Returns the value once it is whole and another one.
    fn editor(&mut self, ui: &mut Ui, row: usize, constant: &SpecConstant) -> Option<String> {
        let name = format!("Value of constant {}", constant.id);
        if constant.type_name == "bool" {
            let mut on = constant.value == "true";
            let response = ui.checkbox(&mut on, constant.value.as_str());
            call(&response, name);
            return response.changed().then(|| on.to_string());
        }
        let draft = self.drafts.get(&constant.id);
        let wrong = draft.and_then(|(_, wrong)| wrong.clone());
        let mut text = draft.map_or_else(|| constant.value.clone(), |(text, _)| text.clone());
        let colour = wrong.as_ref().map(|_| Tokens::of(ui.visuals()).error);
        let mut answer = None;
        ui.horizontal(|ui| {
            let edit = TextEdit::singleline(&mut text).id_salt(("constant", row)).desired_width(110.0).char_limit(64);
            let edit = edit.min_size(egui::vec2(110.0, 0.0));
            let response = ui.add(edit.font(egui::TextStyle::Monospace).text_color_opt(colour));
            call(&response, name.as_str());
            if response.changed() {
                let wrong = why_not(constant, &text);
                self.drafts.insert(constant.id, (text.clone(), wrong));
            }
            if response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape)) {
                self.drafts.remove(&constant.id);
            } else if response.lost_focus() && wrong.is_none() && text != constant.value {
                answer = Some(text.trim().to_owned());
            }
            if let Some(wrong) = &wrong {
                cell(ui, RichText::new(format!("× {wrong}")).color(Tokens::of(ui.visuals()).error));
            }
        });
        answer
    }
}

/// Why a text is not a value of a constant, or `None`.
fn why_not(constant: &SpecConstant, text: &str) -> Option<String> {
    let what = if constant.type_name.starts_with("float") { "a number" } else { "a whole number, decimal or 0x…," };
    (!constant.takes(text.trim())).then(|| format!("expected {what} that fits {}", constant.type_name))
}

fn options(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    section(ui, "Options");
    let differences = report_tables::options(cx.report);
    if differences.rows.is_empty() {
        ui.label("All options have their default values.");
        return;
    }
    grid(ui, cx, "options", &differences, commands);
    ui.add_space(space::SNUG);
    if ui.button("Reset all options").clicked() {
        commands.push(Command::SetOptions(Box::new(cx.report.untouched_options())));
    }
}
