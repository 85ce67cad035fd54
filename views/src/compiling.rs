//! Compiling with drivers' compilers: controls, progress and errors shared by several tabs.

use crate::tokens::space;
use std::collections::BTreeSet;
use std::path::PathBuf;

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, DragValue, Key, PopupCloseBehavior, RichText, ScrollArea, TextEdit, Ui};
use lanescope_core::chip::Chip;
use lanescope_core::driver::{DriverStage, Failure, Link, chips};
use lanescope_core::program::StageKind;
use lanescope_core::text_format::{counted, milliseconds};
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::CompileSettings;
use lanescope_inspector::tasks::{Compiled, Work};

use crate::context::ViewCx;
use crate::findings::look;
use crate::table::{Tokens, one_line, quiet_cell};
use crate::theme::TokensOfVisuals as _;
use crate::widgets::{choice, nothing, room_for_box, toolbar, unopened, work_button};

/// Draws the controls and what did not compile. Returns what did, where there is anything to show.
pub(crate) fn compiled<'a>(ui: &mut Ui, cx: &ViewCx<'a>, commands: &mut Vec<Command>) -> Option<&'a Compiled> {
    if cx.report.stages.is_empty() {
        match cx.report.not_converted() {
            Some(finding) => {
                let hint = format!("Its entry point is not converted to SPIR-V: {}", one_line(&finding.message));
                commands.extend(nothing(ui, "Not compiled", &hint, None));
            }
            None => {
                let hint = "Open a graphics pipeline or a compute shader.";
                commands.extend(unopened(ui, "Nothing to compile", hint, None));
            }
        }
        return None;
    }
    let asked = &cx.results.compiled;
    if cx.frozen {
        return of_report(ui, cx, commands);
    }
    toolbar(ui, |ui| controls(ui, cx, commands));
    let Some(compiled) = asked.done() else {
        ui.add_space(space::BLOCK);
        match asked.failed() {
            Some(why) => {
                ui.colored_label(Tokens::of(ui.visuals()).error, format!("× {why}"));
            }
            None if asked.underway => {
                ui.weak("Each compiler runs in its own process.");
            }
            None => explain(ui),
        }
        return None;
    };
    summary(ui, cx, compiled);
    failures(ui, &compiled.failures, commands);
    if compiled.sections.stages.is_empty() {
        if compiled.failures.is_empty() {
            ui.label("No pipeline of this program has one of the selected versions.");
        }
        return None;
    }
    Some(compiled)
}

/// Results saved in a report: its shaders cannot be compiled.
fn of_report<'a>(ui: &mut Ui, cx: &ViewCx<'a>, commands: &mut Vec<Command>) -> Option<&'a Compiled> {
    let compiled = cx.results.compiled.done().filter(|compiled| !compiled.sections.stages.is_empty());
    match compiled {
        Some(compiled) => {
            toolbar(ui, |ui| {
                quiet_cell(ui, "Results saved in the report.").on_hover_text(drivers(compiled));
                notes(ui, compiled);
            });
        }
        None => {
            let hint = "`lanescope inspect … --chip gfx1030 --format json` writes a report that does.";
            commands.extend(nothing(ui, "This report has no driver results", hint, None));
        }
    }
    compiled
}

/// Whether what is shown was made from the program and the settings as they are.
fn is_fresh(cx: &ViewCx<'_>) -> bool {
    cx.results.compiled.is_fresh(cx.revision, &cx.settings.compile)
}

/// Says that what is shown is older than what it was made from.
pub(crate) fn say_stale(ui: &mut Ui) {
    let text = "! The program or the settings have changed since the compile.";
    ui.colored_label(Tokens::of(ui.visuals()).warning, text);
}

fn controls(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    let compiling = cx.results.compiled.underway;
    let hint = "Compile with the drivers' compilers, each in its own process (F7)";
    if work_button(ui, compiling.then_some("compiling"), "Compile", hint) {
        commands.push(if compiling { Command::Stop(Work::Compile) } else { Command::Begin(Work::Compile) });
    }
    ui.separator();
    let mut settings = cx.settings.compile.clone();
    places(ui, cx, &mut settings, commands);
    let has = |what: fn(StageKind) -> bool| cx.report.stages.iter().any(|stage| what(stage.stage));
    if has(|stage| stage == StageKind::Fragment) {
        let hint = "Compile the version with packed inputs beside the original";
        ui.toggle_value(&mut settings.packed, "Packed").on_hover_text(hint);
    }
    if has(StageKind::has_workgroup) {
        let hint = "Compile the version with remapped invocation ids beside the original";
        ui.toggle_value(&mut settings.swizzled, "Swizzled").on_hover_text(hint);
    }
    if has(StageKind::is_graphics) {
        room_for_box(ui, "Stages", "together");
        choice(ui, "Stages", &mut settings.link, &[(Link::Whole, "together"), (Link::Apart, "apart")]);
    }
    let hint = "Compile when a program is opened, and again when a file or setting changes";
    ui.toggle_value(&mut settings.automatic, "Automatic").on_hover_text(hint);
    if settings != cx.settings.compile {
        commands.push(Command::SetCompileSettings(settings));
    }
}

/// What the menu of chips holds below them, in points.
const ROOM_FOR_OTHERS: f32 = 420.0;

/// The chips and devices to compile for.
pub(crate) fn places(ui: &mut Ui, cx: &ViewCx<'_>, settings: &mut CompileSettings, commands: &mut Vec<Command>) {
    let target = cx.report.options.target;
    let asked = settings.places(target);
    let names =
        asked.iter().map(|chip| chip.name().to_owned()).chain(settings.devices.iter().map(|name| one_line(name)));
    let names: Vec<_> = names.collect();
    let label = match names.as_slice() {
        [first, second, third, rest @ ..] if !rest.is_empty() => {
            format!("{first}, {second}, {third} + {}", rest.len())
        }
        all => all.join(", "),
    };
    // Several are chosen at once, and a path is typed: the menu stays until a click outside of it.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (button, _) = MenuButton::new(format!("Chips: {label}")).config(stays).ui(ui, |ui| {
        ui.weak("Offline targets (no GPU required)");
        let offered = &cx.settings.installed.chips;
        let missing =
            |chip: Chip| offered.iter().find(|row| row.chip == chip).and_then(|row| row.device.as_ref().err());
        let in_part = |chip: Chip| {
            let row = offered.iter().find(|row| row.chip == chip)?;
            row.device.as_ref().ok()?.no_pipelines.as_ref()
        };
        let most = (ui.ctx().content_rect().height() - ROOM_FOR_OTHERS).max(120.0);
        ScrollArea::vertical().id_salt("chips").max_height(most).show(ui, |ui| {
            let mut above = None;
            for chip in chips().filter(|chip| missing(*chip).is_none() || asked.contains(chip)) {
                if above.replace(chip.vendor()) != Some(chip.vendor()) {
                    ui.weak(chip.vendor().title());
                }
                let mut on = asked.contains(&chip);
                let label = ui.checkbox(&mut on, format!("{chip}  {}", chip.about()));
                let label = match (missing(chip), in_part(chip)) {
                    (Some(why), _) => label.on_hover_text(why.to_string()),
                    (_, Some(why)) => label
                        .on_hover_text(format!("Compiles single stages. Graphics pipelines of several fail: {why}")),
                    _ => label,
                };
                if label.changed() {
                    let keep = |other: &Chip| if *other == chip { on } else { asked.contains(other) };
                    settings.chips = chips().filter(keep).collect();
                }
            }
        });
        let absent: Vec<_> = offered.iter().filter_map(|row| Some((row.chip, row.device.as_ref().err()?))).collect();
        if !absent.is_empty() {
            let why = absent.iter().map(|(chip, why)| format!("{chip}: {why}")).collect::<Vec<_>>().join("\n");
            ui.weak(format!("{} not offered", counted(absent.len(), "chip"))).on_hover_text(why);
        }
        ui.separator();
        drivers_of(ui, cx, settings);
        ui.separator();
        ui.weak("Installed devices");
        let list = &cx.settings.devices;
        if list.answer.is_none() && !list.underway {
            commands.push(Command::Begin(Work::Devices));
        }
        for device in list.done().map(Vec::as_slice).unwrap_or_default() {
            let mut on = settings.devices.contains(&device.name);
            let tells = if device.executable_properties { "" } else { " (no assembly, no statistics)" };
            if ui.checkbox(&mut on, format!("{}{tells}", one_line(&device.name))).changed() {
                settings.devices.retain(|name| *name != device.name);
                settings.devices.extend(on.then(|| device.name.clone()));
            }
        }
        if let Some(why) = list.failed() {
            ui.colored_label(Tokens::of(ui.visuals()).error, "× no device").on_hover_text(why);
        }
        ui.separator();
        ui.horizontal(|ui| {
            let label = ui.label("Time limit").on_hover_text("Time limit of a compiler for one pipeline").id;
            ui.add(DragValue::new(&mut settings.seconds).range(1..=3600).speed(1.0).suffix(" s")).labelled_by(label);
        });
    });
    button.on_hover_text("Compilers to use; by default the one for the target in the options");
}

/// The drivers that compile, where they are chosen by manifest: the installed ones, and any other by its path.
fn drivers_of(ui: &mut Ui, cx: &ViewCx<'_>, settings: &mut CompileSettings) {
    ui.weak("Drivers to compare (none checked: the loader's choice)");
    let installed = &cx.settings.installed.manifests;
    let others = settings.icds.iter().filter(|icd| !installed.contains(icd));
    let all: Vec<PathBuf> = installed.iter().chain(others).cloned().collect();
    for icd in all {
        let mut on = settings.icds.contains(&icd);
        let name = icd.file_name().map_or(icd.display().to_string(), |name| name.to_string_lossy().into_owned());
        if ui.checkbox(&mut on, one_line(&name)).on_hover_text(one_line(&icd.display().to_string())).changed() {
            settings.icds.retain(|other| *other != icd);
            settings.icds.extend(on.then(|| icd.clone()));
        }
    }
    let id = ui.scope_id().with("manifest");
    let mut path = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        let hint = "/…/vulkan/icd.d/radeon_icd.json";
        let field = ui.add(TextEdit::singleline(&mut path).hint_text(hint).desired_width(240.0));
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let add = ui.add_enabled(!path.trim().is_empty(), Button::new("Add manifest"));
        let hint = "Add a driver by its manifest, installed or in an unpacked package";
        if (add.on_hover_text(hint).clicked() || entered) && !path.trim().is_empty() {
            let icd = PathBuf::from(path.trim());
            if !settings.icds.contains(&icd) {
                settings.icds.push(icd);
            }
            path.clear();
        }
    });
    ui.data_mut(|data| data.insert_temp(id, path));
}

/// What compiling would do, before it was done.
fn explain(ui: &mut Ui) {
    ui.label("Compile uses the compilers in Vulkan drivers. No GPU is required for the chips listed here.");
    ui.weak(
        "They return assembly, statistics and intermediate representations. Each runs in its own process; a crash or \
         hang is reported. F7 compiles from any tab.",
    );
}

/// How long it took; whether what is shown is older than the program.
fn summary(ui: &mut Ui, cx: &ViewCx<'_>, compiled: &Compiled) {
    ui.horizontal_wrapped(|ui| {
        if !is_fresh(cx) && !cx.results.compiled.underway {
            say_stale(ui);
        }
        let [pipelines, kept] = compiled.pipelines;
        let mut text = format!("{} in {}", counted(pipelines, "pipeline"), milliseconds(compiled.milliseconds));
        if kept > 0 {
            text.push_str(&format!(", {kept} of them from the cache"));
        }
        if let Some(since) = compiled.since_saved {
            text.push_str(&format!(", {} after the file was saved", milliseconds(since)));
        }
        quiet_cell(ui, text).on_hover_text(drivers(compiled));
        notes(ui, compiled);
    });
}

/// The compilers that ran, each once, with notes on unverified assembly.
fn drivers(compiled: &Compiled) -> String {
    let named = |stage: &DriverStage| match stage.verified.as_ref().filter(|verified| !verified.is_yes()) {
        Some(verified) => format!("{} (assembly {})", one_line(&stage.driver), one_line(&verified.text())),
        None => one_line(&stage.driver),
    };
    let drivers: BTreeSet<_> = compiled.sections.stages.iter().map(named).collect();
    drivers.into_iter().collect::<Vec<_>>().join(", ")
}

/// What was left out or chosen, where there is anything of that.
fn notes(ui: &mut Ui, compiled: &Compiled) {
    let notes: BTreeSet<&str> =
        compiled.sections.stages.iter().flat_map(|stage| &stage.notes).map(String::as_str).collect();
    if !notes.is_empty() {
        let text = RichText::new(format!("· {}", counted(notes.len(), "note")));
        let text = text.color(Tokens::of(ui.visuals()).note);
        ui.label(text).on_hover_text(notes.into_iter().collect::<Vec<_>>().join("\n"));
    }
}

/// What did not compile: the findings that a crash, a hang or a refusal is.
fn failures(ui: &mut Ui, failures: &[Failure], commands: &mut Vec<Command>) {
    if failures.is_empty() {
        return;
    }
    let most = (ui.available_height() * 0.3).max(40.0);
    ScrollArea::vertical().id_salt("failures").max_height(most).auto_shrink([false, true]).show(ui, |ui| {
        for failure in failures {
            let finding = failure.finding();
            let (sign, colour) = look(ui, finding.severity);
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(format!("{sign} {}", finding.code)).monospace().color(colour).strong());
                ui.label(one_line(&finding.message));
                if ui.small_button("Copy").on_hover_text("Copy message").clicked() {
                    commands.push(Command::Copy(finding.message.clone()));
                }
            });
        }
    });
}

/// What a row is called beside others of its stage: `gfx1030 packed`.
pub(crate) fn place_and_version(place: &str, of: lanescope_core::driver::Version) -> String {
    format!("{} {of}", one_line(place))
}

/// What a row is called beside all of its stage: with its driver, where another one compiled for the same place.
pub(crate) fn row_name(row: &DriverStage, all: &[DriverStage]) -> String {
    let name = place_and_version(row.place(), row.of);
    let several = all.iter().any(|other| other.place() == row.place() && !other.is_of_same_compiler(row));
    if several { format!("{name}, {}", one_line(&row.driver)) } else { name }
}

/// The rows that are the same stage for different chips and versions: what is compared with each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// Name: `fragment`, or the driver's own name where two stages are alike.
    pub title: String,
    /// Indices of its rows.
    pub rows: Vec<usize>,
}

/// A stage, with its entry point if there are several of its kind.
type OfStage<'a> = (StageKind, Option<&'a str>);

/// Groups rows by stage and by the driver's name for it.
pub(crate) fn groups(stages: &[DriverStage]) -> Vec<Group> {
    let mut out: Vec<(OfStage<'_>, &str, Vec<usize>)> = Vec::new();
    fn of(row: &DriverStage) -> OfStage<'_> {
        (row.stage, row.entry.as_deref())
    }
    for (index, row) in stages.iter().enumerate() {
        let same = |other: &usize| {
            let other = stages.get(*other);
            other.is_some_and(|other| {
                other.is_of_same_compiler(row) && (other.place(), other.of) == (row.place(), row.of)
            })
        };
        let found = out
            .iter_mut()
            .find(|(stage, name, rows)| (*stage, *name) == (of(row), row.name.as_str()) && !rows.iter().any(same));
        match found {
            Some((.., rows)) => rows.push(index),
            None => out.push((of(row), &row.name, vec![index])),
        }
    }
    let alike = |of: OfStage<'_>| out.iter().filter(|(other, ..)| *other == of).count() > 1;
    let title = |(of, name, _): &(OfStage<'_>, &str, Vec<usize>)| {
        let stage = one_line(&of.0.with_entry(of.1));
        if alike(*of) { format!("{stage}: {}", one_line(name)) } else { stage }
    };
    let titles: Vec<_> = out.iter().map(title).collect();
    titles.into_iter().zip(out).map(|(title, (.., rows))| Group { title, rows }).collect()
}
