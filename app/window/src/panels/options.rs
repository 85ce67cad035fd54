//! The options panel: every option of the shown program.

use lanescope_views::tokens;
use lanescope_views::tokens::space;
use std::collections::BTreeMap;

use egui::{ComboBox, DragValue, Grid, Label, RichText, ScrollArea, Sense, TextEdit, Ui};
use lanescope_core::options::{
    ColorTarget, Conversion, ConversionSwitch, Derivatives, HlslCompiler, LayoutRules, Options, PackingOrder,
    ProducerChoice, RegisterBindings, SpecValue, WaveChoice,
};
use lanescope_core::packing::PRODUCERS;
use lanescope_core::program::{Format, StageKind};
use lanescope_core::target::{TARGETS, Target};
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::Command;
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;

use super::sources::SourceFields;
use lanescope_host::flags::conversion::{typed_path, typed_validator};
use lanescope_views::combo::pick;
use lanescope_workbench::state::program::OpenProgram;
use lanescope_workbench::state::sources::has_sources;

/// Of a field that has the keyboard: what was set when the typing began, and the text.
type Typed = Option<(String, String)>;

/// The text being typed, until it is applied.
#[derive(Debug, Default)]
pub struct OptionsPanel {
    /// The program of these texts; another program's are dropped.
    of: Option<(ProgramId, bool)>,
    /// Of the specialization constant whose field has the keyboard, by file and id: what was set when the typing began,
    /// and the text.
    spec: BTreeMap<(usize, u32), (String, String)>,
    validator: Typed,
    opcode_table: Typed,
    feature_names: Typed,
    /// The lists of what sources are compiled with.
    sources: SourceFields,
    /// Whether the second setting is the one being edited.
    second: bool,
}

impl OptionsPanel {
    /// Draws the panel's content.
    pub fn ui(&mut self, program: &OpenProgram, ui: &mut Ui) -> Vec<Command> {
        let mut commands = Vec::new();
        let two = program.other.is_some();
        self.second &= two;
        ui.horizontal(|ui| {
            ui.strong("Options");
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let mut on = two;
                if ui.checkbox(&mut on, "Two settings").on_hover_text("Show two settings side by side").changed() {
                    commands.push(Command::SetOther(on.then(|| Box::new(program.options.clone()))));
                    self.second = on;
                }
            });
        });
        if two {
            ui.horizontal(|ui| {
                let hint = "The setting that every tab shows";
                ui.selectable_value(&mut self.second, false, "First").on_hover_text(hint);
                let hint = "The setting that Compare and Workgroup show beside the first one";
                let second = ui.selectable_value(&mut self.second, true, "Second").on_hover_text(hint);
                if second.middle_clicked() {
                    commands.push(Command::SetOther(None));
                    self.second = false;
                }
            });
            let place = match self.second {
                true => "Second setting: shown beside the first one, in Compare and Workgroup.",
                false => "First setting: shown in every tab.",
            };
            ui.weak(place);
        }
        ui.separator();
        if self.of != Some((program.id, self.second)) {
            self.of = Some((program.id, self.second));
            self.spec.clear();
            self.validator = None;
            self.sources.clear();
        }
        if let Some(misfit) = &program.misfit {
            ui.colored_label(Theme::of(ui).warn, misfit);
            ui.separator();
        }

        let before = if self.second { program.other.as_ref() } else { None }.unwrap_or(&program.options);
        let mut options = before.clone();
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().combo_width = 120.0;
            if !self.second {
                entries(ui, &mut options, program);
            }
            target(ui, &mut options);
            if has(program, |stage| stage.is_graphics()) {
                packing(ui, &mut options, has(program, |stage| PRODUCERS.contains(&stage)));
                state(ui, &mut options);
            }
            if has(program, StageKind::has_workgroup) {
                workgroup(ui, &mut options, program);
                swizzle(ui, &mut options);
            }
            self.spec_constants(ui, &mut options, program);
            if !self.second && has_sources(&program.program) {
                section(ui, "Sources", |ui| self.sources.rows(ui, 100.0, &mut options.dxil));
            }
            if !self.second && program.program.inputs.iter().any(|input| input.format == Format::Hlsl) {
                section(ui, "HLSL", |ui| choice(ui, "Compiler", &mut options.dxil.hlsl_compiler, HlslCompiler::ALL));
            }
            if !self.second && !program.program.dxil.is_empty() {
                conversion(ui, &mut options.dxil, (&mut self.opcode_table, &mut self.feature_names));
            }
            if !self.second {
                section(ui, "Loading", |ui| {
                    let hint = "Open SPIR-V that the validator rejects too; finding L006 gives the reason";
                    switch(ui, "No validation", &mut options.no_validate, hint);
                    validator(ui, &mut options.validator, &mut self.validator);
                });
            }
            ui.add_space(space::BLOCK);
            let untouched = program.analysis.report.untouched_options();
            // Both settings are of one program: what it is loaded by is the first one's to say.
            let untouched = match self.second {
                true => Options {
                    entry: options.entry.clone(),
                    dxil: options.dxil.clone(),
                    no_validate: options.no_validate,
                    validator: options.validator.clone(),
                    ..untouched
                },
                false => untouched,
            };
            if ui.add_enabled(options != untouched, egui::Button::new("Reset")).clicked() {
                options = untouched;
            }
        });
        if options != *before {
            let options = Box::new(options);
            let command = if self.second { Command::SetOther(Some(options)) } else { Command::SetOptions(options) };
            commands.push(command);
        }
        commands
    }

    fn spec_constants(&mut self, ui: &mut Ui, options: &mut Options, program: &OpenProgram) {
        let constants = &program.analysis.report.spec_constants;
        if constants.is_empty() {
            return;
        }
        section(ui, "Specialization constants", |ui| {
            for constant in constants {
                let name = constant.name.clone().unwrap_or_else(|| format!("#{}", constant.id));
                let hint = format!("SpecId {}, {}; default {}", constant.id, constant.type_name, constant.default);
                let label = ui.label(&name).on_hover_text(&hint).id;
                let set = options.spec.get(&constant.id).map(|value| value.0.clone()).unwrap_or_default();
                let place = (constant.input, constant.id);
                // What was set meanwhile is shown, whoever set it.
                let typed = self.spec.remove(&place).filter(|(over, _)| *over == set);
                let mut text = typed.map_or_else(|| set.clone(), |(_, text)| text);
                let edit = ui.add(TextEdit::singleline(&mut text).hint_text(&constant.default).desired_width(96.0));
                let edit = edit.labelled_by(label).on_hover_text(hint);
                // Taken as a whole: half a number is another number.
                if edit.lost_focus() {
                    match text.trim() {
                        "" => options.spec.remove(&constant.id),
                        value => options.spec.insert(constant.id, SpecValue(value.to_owned())),
                    };
                } else if edit.has_focus() {
                    self.spec.insert(place, (set, text));
                }
                ui.end_row();
            }
        });
    }
}

/// A path in a field: its label, its hint, and what an empty one stands for.
struct PathField {
    label: &'static str,
    hint: &'static str,
    empty: &'static str,
    /// Makes what was typed a full path.
    read: fn(&str) -> Result<Option<String>, String>,
}

impl PathField {
    /// Taken as a whole: half a path is another file. `typed` is what was typed, and over which path.
    fn ui(&self, ui: &mut Ui, set: &mut Option<String>, typed: &mut Typed) {
        let label = ui.label(self.label).on_hover_text(self.hint).id;
        let before = set.clone().unwrap_or_default();
        let kept = typed.take().filter(|(over, _)| *over == before);
        let mut text = kept.map_or_else(|| before.clone(), |(_, text)| text);
        let edit = ui.add(TextEdit::singleline(&mut text).hint_text(self.empty).desired_width(120.0));
        let edit = edit.labelled_by(label).on_hover_text(self.hint);
        if edit.lost_focus() {
            // What has no full path is kept as it is typed, and refused where it is used.
            *set = (self.read)(&text).unwrap_or_else(|_| Some(text.clone()));
        } else if edit.has_focus() {
            *typed = Some((before, text));
        }
        ui.end_row();
    }
}

fn validator(ui: &mut Ui, set: &mut Option<String>, typed: &mut Typed) {
    let field = PathField {
        label: "Validator",
        hint: "Executable spirv-val to validate with: a path, or auto for the newest one on PATH",
        empty: "built in",
        read: typed_validator,
    };
    field.ui(ui, set, typed);
}

fn opcode_table(ui: &mut Ui, set: &mut Option<String>, typed: &mut Typed) {
    let field = PathField {
        label: "Opcode table",
        hint: "Op tables to read DXIL with: a JSON file, hctdb.py, or a folder of DXC's sources or build",
        empty: "of this build",
        read: typed_path,
    };
    field.ui(ui, set, typed);
}

fn feature_names(ui: &mut Ui, set: &mut Option<String>, typed: &mut Typed) {
    let field = PathField {
        label: "Feature names",
        hint: "Names of ops in private partitions (FeatureIDs that DXC does not use): a JSON file",
        empty: "none",
        read: typed_path,
    };
    field.ui(ui, set, typed);
}

fn has(program: &OpenProgram, what: impl Fn(StageKind) -> bool) -> bool {
    program.program.stages.iter().any(|stage| what(stage.stage))
}

fn section(ui: &mut Ui, title: &str, rows: impl FnOnce(&mut Ui)) {
    ui.add_space(space::BLOCK);
    ui.label(RichText::new(title).strong());
    ui.add_space(space::HAIR);
    Grid::new(title).num_columns(2).spacing(tokens::table::FORM).min_col_width(92.0).show(ui, rows);
}

fn choice<T: Copy + PartialEq + std::fmt::Display>(ui: &mut Ui, label: &str, value: &mut T, all: &[T]) {
    list(ui, label, "", value.to_string(), |ui| {
        for &one in all {
            pick(ui, value, one, one.to_string());
        }
    });
}

/// A box with a list of choices, after its label; the row ends.
fn list(ui: &mut Ui, label: &str, hint: &str, shown: impl Into<egui::WidgetText>, choices: impl FnOnce(&mut Ui)) {
    let name = hinted(ui.label(label), hint).id;
    let shown = ComboBox::from_id_salt(label).selected_text(shown).show_ui(ui, choices);
    hinted(shown.response, hint).labelled_by(name);
    ui.end_row();
}

fn hinted(response: egui::Response, hint: &str) -> egui::Response {
    if hint.is_empty() { response } else { response.on_hover_text(hint) }
}

fn switch(ui: &mut Ui, label: &str, value: &mut bool, hint: &str) {
    // Tab passes the label by; a click on it does what one on the box does.
    let name = ui.add(Label::new(label).selectable(false).sense(Sense::CLICK)).on_hover_text(hint);
    ui.checkbox(value, "").on_hover_text(hint).labelled_by(name.id);
    *value ^= name.clicked();
    ui.end_row();
}

fn entries(ui: &mut Ui, options: &mut Options, program: &OpenProgram) {
    let names = program.entry_names();
    if names.len() < 2 {
        return;
    }
    let mut chosen = options.entry.first().cloned();
    let before = chosen.clone();
    section(ui, "Entry point", |ui| {
        let shown = chosen.clone().unwrap_or_else(|| "all".to_owned());
        list(ui, "Entry point", "", shown, |ui| {
            pick(ui, &mut chosen, None, "all");
            for name in names {
                pick(ui, &mut chosen, Some(name.clone()), name);
            }
        });
    });
    if chosen != before {
        options.entry = chosen.into_iter().collect();
    }
}

/// The name of a switch as a label: `ignore-wave-size` is `Ignore wave size`.
fn sentence_case(name: &str) -> String {
    let name = name.replace('-', " ");
    let mut rest = name.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// How DXIL becomes SPIR-V; a change loads the files again.
fn conversion(ui: &mut Ui, conversion: &mut Conversion, (table, names): (&mut Typed, &mut Typed)) {
    section(ui, "DXIL to SPIR-V", |ui| {
        opcode_table(ui, &mut conversion.opcode_table, table);
        feature_names(ui, &mut conversion.feature_names, names);
        choice(ui, "Bindings", &mut conversion.bindings, RegisterBindings::ALL);
        let shown = conversion.wave_size.map_or("as in the shader".to_owned(), |size| size.to_string());
        let hint = "Overrides the shader's wave size for the conversion";
        list(ui, "DXIL wave size", hint, shown, |ui| {
            pick(ui, &mut conversion.wave_size, None, "as in the shader");
            for size in Conversion::WAVE_SIZES {
                pick(ui, &mut conversion.wave_size, Some(size), size.to_string());
            }
        });
        for &one in ConversionSwitch::ALL {
            let mut on = conversion.has(one);
            switch(ui, &sentence_case(one.name()), &mut on, one.about());
            if on {
                conversion.with.insert(one)
            } else {
                conversion.with.remove(&one)
            };
        }
    });
}

fn target(ui: &mut Ui, options: &mut Options) {
    section(ui, "Target", |ui| {
        list(ui, "Target", "", options.target.name(), |ui| {
            for target in Target::with_registers() {
                let about = TARGETS.iter().find(|row| row.target == target).map_or("", |row| row.about);
                pick(ui, &mut options.target, target, format!("{target}  {about}"));
            }
        });
        choice(ui, "Wave size", &mut options.wave, WaveChoice::ALL);
    });
}

fn packing(ui: &mut Ui, options: &mut Options, has_producer: bool) {
    section(ui, "Packing", |ui| {
        choice(ui, "Order", &mut options.order, PackingOrder::ALL);
        let mut pack = !options.no_pack;
        switch(ui, "Pack", &mut pack, "When off, locations are renumbered and components stay");
        options.no_pack = !pack;
        if has_producer {
            choice(ui, "Producer", &mut options.producer, ProducerChoice::ALL);
        }
        let hint = "Compile the fragment shader first, alone; the stages before read its stored map";
        switch(ui, "Part-pipeline", &mut options.part_pipeline, hint);
    });
}

fn state(ui: &mut Ui, options: &mut Options) {
    section(ui, "Pipeline state", |ui| {
        switch(
            ui,
            "Alpha to coverage",
            &mut options.alpha_to_coverage,
            "The alpha of attachment 0 becomes the coverage mask",
        );
        switch(ui, "Sample shading", &mut options.sample_shading, "The fragment shader runs once per sample");
        switch(ui, "Multiview", &mut options.multiview, "Each view draws to its own layer");
        switch(ui, "Drop point size", &mut options.optimize_point_size, "Drop writes of 1.0 to PointSize");
        let hint = "Outputs without an attachment below have none, instead of one with a default format";
        switch(ui, "Listed targets only", &mut options.no_default_color, hint);
        ui.label("Attachments");
        if ui
            .small_button("Add")
            .on_hover_text("Set the format of a color attachment")
            .accessible_name("Add an attachment")
            .clicked()
        {
            let free = (0..).find(|location| !options.color.contains_key(location)).unwrap_or(0);
            options.color.insert(free, ColorTarget::new("R8G8B8A8_UNORM", false));
        }
        ui.end_row();
    });
    let mut removed = None;
    for (location, target) in &mut options.color {
        ui.horizontal(|ui| {
            ui.monospace(location.to_string());
            let format = ui.add(TextEdit::singleline(&mut target.format).desired_width(140.0));
            format.on_hover_text("Vulkan format").accessible_name(format!("Format of attachment {location}"));
            let blend = ui.checkbox(&mut target.blend, "Blend");
            blend.accessible_name(format!("Blend attachment {location}"));
            if target.blend {
                let by_alpha = ui.checkbox(&mut target.blends_by_alpha, "By alpha");
                by_alpha.accessible_name(format!("Blend attachment {location} by the output's alpha"));
            }
            let drop = ui.small_button("×").on_hover_text("Reset to the default format");
            if drop.accessible_name(format!("Reset attachment {location} to the default format")).clicked() {
                removed = Some(*location);
            }
        });
    }
    if let Some(location) = removed {
        options.color.remove(&location);
    }
}

fn workgroup(ui: &mut Ui, options: &mut Options, program: &OpenProgram) {
    section(ui, "Workgroup", |ui| {
        choice(ui, "Layout rules", &mut options.layout_rules, LayoutRules::ALL);
        let shown = options.derivatives.map_or("as in the module", Derivatives::name);
        list(ui, "Derivatives", "Overrides the module's execution mode", shown, |ui| {
            pick(ui, &mut options.derivatives, None, "as in the module");
            for &one in Derivatives::ALL {
                pick(ui, &mut options.derivatives, Some(one), one.name());
            }
        });
        switch(ui, "Force swizzle", &mut options.force_swizzle, "forceCsThreadIdSwizzling");
        switch(ui, "Reconfigure layout", &mut options.reconfig, "reconfigWorkgroupLayout");
        ui.label("Interleave").on_hover_text("log2 of the tile's width and height");
        ui.horizontal(|ui| {
            for (value, side) in options.interleave.iter_mut().zip(["Width", "Height"]) {
                let number = ui.add(DragValue::new(value).range(0..=10).speed(0.1));
                number.on_hover_text(side).accessible_name(format!("Interleave, {}", side.to_lowercase()));
            }
        });
        ui.end_row();
        let stages = program.analysis.report.stages.iter();
        let declared = stages.filter_map(|stage| stage.workgroup_size).next().unwrap_or([8, 8, 1]);
        sizes(ui, "Size", "Overrides the module's workgroup size", &mut options.group_size, declared);
    });
}

fn swizzle(ui: &mut Ui, options: &mut Options) {
    section(ui, "Workgroup-id swizzle", |ui| {
        let before = options.group_tile;
        let shown = before.map_or("none".to_owned(), |tile| tile.to_string());
        list(ui, "Tile", "Tile size in workgroups", shown, |ui| {
            pick(ui, &mut options.group_tile, None, "none");
            for tile in [4, 8, 16, 32, 64] {
                pick(ui, &mut options.group_tile, Some(tile), tile.to_string());
            }
        });
        if options.group_tile.is_some() {
            // Who chooses a tile wants to see it in a dispatch; a description that has one keeps its own.
            if options.group_tile != before {
                options.groups.get_or_insert([16, 16, 1]);
            }
            sizes(ui, "Groups", "Size of the dispatch in workgroups", &mut options.groups, [16, 16, 1]);
        }
    });
}

fn sizes(ui: &mut Ui, label: &str, hint: &str, value: &mut Option<[u32; 3]>, default: [u32; 3]) {
    let name = ui.label(label).on_hover_text(hint).id;
    ui.horizontal(|ui| {
        let mut on = value.is_some();
        if ui.checkbox(&mut on, "").on_hover_text(hint).labelled_by(name).changed() {
            *value = on.then_some(default);
        }
        let mut shown = value.unwrap_or(default);
        for (side, axis) in shown.iter_mut().zip(["x", "y", "z"]) {
            let number = ui.add_enabled(on, DragValue::new(side).range(0..=65_535).speed(0.2));
            number.on_hover_text(axis).accessible_name(format!("{label} {axis}"));
        }
        if on {
            *value = Some(shown);
        }
    });
    ui.end_row();
}
