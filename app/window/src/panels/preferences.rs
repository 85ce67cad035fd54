//! The preferences: colors, size, target, automatic compiles, driver, limits.

use egui::{ComboBox, Context, DragValue, Grid, Ui};
use lanescope_core::target::Target;
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::{CompileSettings, Preferences, RunSettings, Theme};
use lanescope_inspector::tasks::Work;
use lanescope_views::combo::pick;
use lanescope_views::tokens;

use super::dialogs::closable;
use lanescope_workbench::state::State;

/// The longest time limits that can be chosen, in seconds.
const SECONDS: std::ops::RangeInclusive<u32> = 1..=3600;

/// Draws the dialog. Each change is a command.
pub fn preferences(state: &State, ctx: &Context) -> Vec<Command> {
    let mut commands = Vec::new();
    let closes = closable(ctx, "preferences", 480.0, "Preferences", |ui| {
        Grid::new("preferences").num_columns(2).spacing(tokens::table::FORM).show(ui, |ui| {
            general(state, ui, &mut commands);
            compiling(state, ui, &mut commands);
            limits(state, ui, &mut commands);
        });
    });
    if closes {
        commands.push(Command::CloseOverlay);
    }
    commands
}

fn general(state: &State, ui: &mut Ui, commands: &mut Vec<Command>) {
    ui.label("Theme");
    ui.horizontal(|ui| {
        for (theme, name) in [(Theme::System, "System"), (Theme::Light, "Light"), (Theme::Dark, "Dark")] {
            if ui.selectable_label(state.theme() == theme, name).clicked() {
                commands.push(Command::SetTheme(theme));
            }
        }
    });
    ui.end_row();

    let mut preferences = state.session.preferences;
    let name = ui.label("Font size").id;
    ui.horizontal(|ui| {
        let mut percent = (preferences.zoom * 100.0).round();
        let range = Preferences::ZOOM.start() * 100.0..=Preferences::ZOOM.end() * 100.0;
        // Taken when the value is entered: the field would move away from the pointer.
        let field = DragValue::new(&mut percent)
            .range(range)
            .fixed_decimals(0)
            .speed(0.0)
            .suffix(" %")
            .update_while_editing(false);
        if ui.add(field).labelled_by(name).changed() {
            preferences.zoom = percent / 100.0;
        }
        for (sign, about, step) in [("−", "Smaller", -0.1), ("+", "Larger", 0.1)] {
            if ui.button(sign).on_hover_text(about).accessible_name(about).clicked() {
                preferences = preferences.zoomed(step);
            }
        }
    });
    ui.end_row();

    let name = ui.label("Default target").id;
    let built_in = format!("built-in ({})", lanescope_core::options::Options::default().target);
    let shown = preferences.target.map_or_else(|| built_in.clone(), |target| target.to_string());
    let targets = ComboBox::from_id_salt("default target").selected_text(shown).show_ui(ui, |ui| {
        pick(ui, &mut preferences.target, None, built_in.as_str());
        for target in Target::with_registers() {
            pick(ui, &mut preferences.target, Some(target), target.name());
        }
    });
    targets.response.labelled_by(name).on_hover_text("Target of programs that are opened for the first time");
    ui.end_row();

    ui.label("On start");
    ui.checkbox(&mut preferences.reopen, "Reopen the last session");
    ui.end_row();
    if preferences != state.session.preferences {
        commands.push(Command::SetPreferences(preferences));
    }
}

fn compiling(state: &State, ui: &mut Ui, commands: &mut Vec<Command>) {
    let mut settings = state.settings.compile.clone();
    ui.label("Compile");
    let hint = "Compile with the drivers' compilers when a program is opened or changes";
    ui.checkbox(&mut settings.automatic, "Automatically, in the background").on_hover_text(hint);
    ui.end_row();

    if !state.settings.devices.underway && state.settings.devices.answer.is_none() {
        commands.push(Command::Begin(Work::Devices));
    }
    let name = ui.label("Driver").id;
    let shown = match settings.icds.as_slice() {
        [] => LOADER.to_owned(),
        [only] => driver_name(only),
        more => format!("{} drivers", more.len()),
    };
    let drivers = ComboBox::from_id_salt("driver").selected_text(shown).width(220.0).show_ui(ui, |ui| {
        pick(ui, &mut settings.icds, Vec::new(), LOADER);
        for manifest in &state.settings.installed.manifests {
            pick(ui, &mut settings.icds, vec![manifest.clone()], driver_name(manifest));
        }
    });
    drivers.response.labelled_by(name).on_hover_text("Vulkan driver of compiles, by its manifest");
    ui.end_row();
    send(state, settings, commands);
}

/// Without a choice, the Vulkan loader's.
const LOADER: &str = "Vulkan loader's choice";

fn driver_name(manifest: &std::path::Path) -> String {
    manifest.file_name().unwrap_or(manifest.as_os_str()).to_string_lossy().into_owned()
}

fn limits(state: &State, ui: &mut Ui, commands: &mut Vec<Command>) {
    let mut settings = state.settings.compile.clone();
    let name = ui.label("Compile time limit").id;
    ui.add(DragValue::new(&mut settings.seconds).range(SECONDS).suffix(" s")).labelled_by(name);
    ui.end_row();
    send(state, settings, commands);

    let mut run = state.settings.run.clone();
    let name = ui.label("Run time limit").id;
    ui.add(DragValue::new(&mut run.seconds).range(SECONDS).suffix(" s")).labelled_by(name);
    ui.end_row();
    let name = ui.label("Run memory limit").on_hover_text("Memory limit of a run and of the debugger").id;
    ui.add(DragValue::new(&mut run.memory).range(RunSettings::MEMORY).speed(16.0).suffix(" MiB")).labelled_by(name);
    ui.end_row();
    let name = ui.label("Step limit").on_hover_text("Most instructions of all waves, in the debugger and for costs").id;
    ui.add(DragValue::new(&mut run.steps).range(RunSettings::STEPS).speed(1e6)).labelled_by(name);
    ui.end_row();
    if run != state.settings.run {
        commands.push(Command::SetRunSettings(run));
    }
}

fn send(state: &State, settings: CompileSettings, commands: &mut Vec<Command>) {
    if settings != state.settings.compile {
        commands.push(Command::SetCompileSettings(settings));
    }
}
