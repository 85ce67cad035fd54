//! The choice of a device or the interpreter, shared by every tab that uses one.

use egui::{Button, ComboBox, Ui};
use lanescope_inspector::command::Command;
use lanescope_inspector::devices::{INTERPRETER, selector};
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::Work;

use crate::combo::entry_of;
use crate::context::ViewCx;
use crate::table::{Tokens, one_line};
use crate::theme::TokensOfVisuals as _;

/// What the interpreter does, in the box.
const ABOUT: &str = "Compute shaders and graphics pipelines without a device, on the predicted lane map. Data races, \
                     uninitialized reads and other errors are findings.";

/// A box that picks the device or the interpreter. The devices are listed once they are first requested. `refuses` is
/// why the tab cannot use the interpreter; the first device is used and shown then.
pub(crate) fn choose(ui: &mut Ui, cx: &ViewCx<'_>, refuses: Option<&str>, commands: &mut Vec<Command>) {
    let list = &cx.settings.devices;
    if list.answer.is_none() && !list.underway {
        commands.push(Command::Begin(Work::Devices));
    }
    let settings = &cx.settings.run;
    let devices = list.done().map(Vec::as_slice).unwrap_or_default();
    let is_interpreter = settings.is_interpreter() && refuses.is_none();
    let chosen = if is_interpreter { Some(INTERPRETER) } else { settings.real_device() };
    let mut picked = None;
    let label = ui.label("Device").id;
    let shown = match (chosen, devices.first()) {
        _ if is_interpreter => "Interpreter".to_owned(),
        (Some(name), _) => one_line(name),
        (None, Some(first)) => one_line(&first.name),
        (None, None) if list.underway => "looking…".to_owned(),
        (None, None) => "none".to_owned(),
    };
    let combo = ComboBox::from_id_salt("device").width(150.0).truncate().selected_text(shown).show_ui(ui, |ui| {
        // The devices may follow while the box is open: what is there from the beginning keeps its place.
        if entry_of(ui, chosen.is_none(), "First device").clicked() {
            picked = Some(None);
        }
        let interpreter = ui.add_enabled_ui(refuses.is_none(), |ui| entry_of(ui, is_interpreter, "Interpreter")).inner;
        let interpreter = interpreter.on_disabled_hover_text(refuses.unwrap_or_default());
        if interpreter.on_hover_text(ABOUT).clicked() {
            picked = Some(Some(INTERPRETER.to_owned()));
        }
        ui.separator();
        for (index, device) in devices.iter().enumerate() {
            let name = selector(devices, index);
            let on = chosen.map_or(index == 0, |chosen| chosen == name);
            let text = format!("{index}  {} ({})", one_line(&device.name), device.kind);
            let about = format!("Vulkan {}, {}", device.api_version, one_line(&device.driver));
            if entry_of(ui, on, text).on_hover_text(about).clicked() {
                picked = Some(Some(name));
            }
        }
        ui.separator();
        if ui.add_enabled(!list.underway, Button::new("Refresh")).clicked() {
            commands.push(Command::Begin(Work::Devices));
        }
    });
    combo.response.labelled_by(label);
    if let Some(device) = picked {
        commands.push(Command::SetRunSettings(RunSettings { device, ..settings.clone() }));
    }
    let tokens = Tokens::of(ui.visuals());
    if let Some(why) = list.failed().filter(|_| !is_interpreter) {
        ui.colored_label(tokens.error, "× no device").on_hover_text(why);
    }
    if let Some(refuses) = refuses.filter(|_| settings.is_interpreter()) {
        ui.colored_label(tokens.warning, format!("! {refuses}"));
    }
}
