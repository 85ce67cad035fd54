//! The overview tab: what was loaded, its stages, its specialization constants, the options that were changed.

use std::collections::BTreeMap;

use egui::{Grid, Key, RichText, ScrollArea, TextEdit, Ui};
use lanescope_core::options::{Options, SpecValue, flag};
use lanescope_core::pipeline_tables::{DescriptionTable, description_tables};
use lanescope_core::report::{Report, SpecConstant};
use lanescope_inspector::command::Command;
use lanescope_inspector::view::{self, ViewInfo};

use crate::context::{View, ViewCx};
use crate::table::{GridLook, Tokens, call, cell, grid as table_grid, one_line, quiet_cell};
use crate::theme::TokensOfVisuals as _;

/// Specialization constants that are drawn: a module may declare thousands.
const CONSTANTS_AT_MOST: usize = 500;

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
            inputs(ui, cx.report);
            stages(ui, cx.report);
            description(ui, cx, &mut commands);
            self.constants(ui, cx.report, &mut commands);
            options(ui, cx.report, &mut commands);
        });
        commands
    }
}

fn section(ui: &mut Ui, title: &str) {
    ui.add_space(8.0);
    ui.heading(title);
    ui.add_space(2.0);
}

fn titles(ui: &mut Ui, titles: &[&str]) {
    for title in titles {
        ui.label(RichText::new(*title).color(Tokens::of(ui.visuals()).quiet));
    }
    ui.end_row();
}

fn grid(name: &str) -> Grid {
    Grid::new(name).num_columns(2).spacing([24.0, 6.0])
}

fn inputs(ui: &mut Ui, report: &Report) {
    section(ui, "Files");
    grid("inputs").show(ui, |ui| {
        let compiled = report.inputs.iter().any(|input| input.compiler.is_some());
        let columns = ["Path", "Holds", "Bytes", "Hash", "Compiler"];
        titles(ui, if compiled { &columns } else { &columns[..4] });
        for input in &report.inputs {
            ui.strong(one_line(&input.path));
            ui.label(input.format.name());
            ui.monospace(input.bytes.to_string());
            ui.monospace(input.hash.to_string()).on_hover_text("XXH3 of the file's bytes");
            if let Some(compiler) = &input.compiler {
                ui.label(one_line(compiler)).on_hover_text("Compiler of the file");
            }
            ui.end_row();
        }
    });
    registers(ui, report);
}

/// Where the registers of HLSL went that glslang compiled; a container lists its own.
fn registers(ui: &mut Ui, report: &Report) {
    if report.inputs.iter().all(|input| input.bindings.is_empty()) {
        return;
    }
    section(ui, "HLSL registers");
    grid("registers").show(ui, |ui| {
        titles(ui, &["Register", "Descriptor", "File"]);
        for input in &report.inputs {
            for row in input.bindings.iter().take(CONSTANTS_AT_MOST) {
                ui.monospace(row.name());
                ui.monospace(row.place());
                ui.label(one_line(&input.path));
                ui.end_row();
            }
        }
    });
}

fn stages(ui: &mut Ui, report: &Report) {
    section(ui, "Stages");
    if report.stages.is_empty() {
        ui.label("No entry point was analyzed.");
        return;
    }
    grid("stages").show(ui, |ui| {
        let sized = report.stages.iter().any(|stage| stage.workgroup_size.is_some());
        titles(
            ui,
            if sized { &["Stage", "Entry point", "File", "Workgroup"] } else { &["Stage", "Entry point", "File"] },
        );
        for stage in &report.stages {
            ui.strong(stage.stage.name());
            ui.monospace(one_line(&stage.entry));
            ui.label(file(report, stage.input));
            if let Some([x, y, z]) = stage.workgroup_size {
                ui.monospace(format!("{x}×{y}×{z}"));
            }
            ui.end_row();
        }
    });
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
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            ui.strong(&table.title);
            if !from.is_empty() {
                ui.label(RichText::new(one_line(&from)).color(Tokens::of(ui.visuals()).quiet));
            }
        });
        let look = GridLook { spacing: [24.0, 4.0], ..GridLook::default() };
        table_grid(ui, cx, ("pipeline", &table.title), &table, look, |_| false, commands);
        if more > 0 {
            ui.label(format!("… and {more} more; the JSON report has them all."));
        }
    }
}

fn file(report: &Report, input: usize) -> String {
    report.inputs.get(input).map(|input| one_line(&input.path)).unwrap_or_default()
}

impl StagesView {
    fn constants(&mut self, ui: &mut Ui, report: &Report, commands: &mut Vec<Command>) {
        if report.spec_constants.is_empty() {
            return;
        }
        section(ui, "Specialization constants");
        let files = report.inputs.len() > 1;
        let set = &report.options.spec;
        grid("constants").show(ui, |ui| {
            let columns: &[&str] = &["Id", "Name", "Type", "Default", "Value", "", "File"];
            titles(ui, if files { columns } else { &columns[..6] });
            for (row, constant) in report.spec_constants.iter().take(CONSTANTS_AT_MOST).enumerate() {
                ui.monospace(constant.id.to_string());
                ui.label(one_line(constant.name.as_deref().unwrap_or("—")));
                ui.monospace(&constant.type_name);
                ui.monospace(one_line(&constant.default));
                if let Some(value) = self.editor(ui, row, constant) {
                    let mut options = report.options.clone();
                    options.spec.insert(constant.id, SpecValue(value));
                    commands.push(Command::SetOptions(Box::new(options)));
                }
                if set.contains_key(&constant.id) {
                    let reset = ui.button("Reset").on_hover_text("Reset to the module's value");
                    call(&reset, format!("Reset constant {}", constant.id));
                    if reset.clicked() {
                        self.drafts.remove(&constant.id);
                        let mut options = report.options.clone();
                        options.spec.remove(&constant.id);
                        commands.push(Command::SetOptions(Box::new(options)));
                    }
                } else {
                    ui.label("");
                }
                if files {
                    ui.label(file(report, constant.input));
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
            if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
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

fn options(ui: &mut Ui, report: &Report, commands: &mut Vec<Command>) {
    section(ui, "Options");
    let differences = report.options.differences(&Options::default());
    if differences.is_empty() {
        ui.label("All options have their default values.");
        return;
    }
    grid("options").show(ui, |ui| {
        titles(ui, &["Option", "Value", "Default"]);
        for option in &differences {
            ui.monospace(flag(option.name));
            ui.strong(one_line(&option.value));
            quiet_cell(ui, &option.base);
            ui.end_row();
        }
    });
    ui.add_space(4.0);
    if ui.button("Reset all options").clicked() {
        commands.push(Command::SetOptions(Box::new(report.untouched_options())));
    }
}
