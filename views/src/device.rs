//! The choice of a device, shared by every tab that uses one.

use egui::{ComboBox, Ui};
use lanescope_core::gpu::DeviceInfo;
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::Work;

use crate::combo::entry_of;
use crate::context::ViewCx;
use crate::table::{Tokens, one_line};
use crate::theme::TokensOfVisuals as _;

/// A box that picks the device. The devices are listed once they are first requested.
pub(crate) fn choose(ui: &mut Ui, cx: &ViewCx<'_>, commands: &mut Vec<Command>) {
    let list = &cx.settings.devices;
    if list.answer.is_none() && !list.underway {
        commands.push(Command::Begin(Work::Devices));
    }
    let settings = &cx.settings.run;
    let devices = list.done().map(Vec::as_slice).unwrap_or_default();
    let chosen = settings.device.as_deref();
    let mut picked = None;
    let label = ui.label("Device").id;
    let shown = match (chosen, devices.first()) {
        (Some(name), _) => one_line(name),
        (None, Some(first)) => one_line(&first.name),
        (None, None) if list.underway => "looking…".to_owned(),
        (None, None) => "none".to_owned(),
    };
    let combo = ComboBox::from_id_salt("device").width(150.0).truncate().selected_text(shown).show_ui(ui, |ui| {
        for (index, device) in devices.iter().enumerate() {
            let name = name_of(devices, index);
            let on = chosen.map_or(index == 0, |chosen| chosen == name);
            let text = format!("{index}  {} ({})", one_line(&device.name), device.kind);
            let about = format!("Vulkan {}, {}", device.api_version, one_line(&device.driver));
            if entry_of(ui, on, text).on_hover_text(about).clicked() {
                picked = Some(Some(name));
            }
        }
        ui.separator();
        if entry_of(ui, chosen.is_none(), "First device").clicked() {
            picked = Some(None);
        }
        if ui.add_enabled(!list.underway, egui::Button::new("Refresh")).clicked() {
            commands.push(Command::Begin(Work::Devices));
        }
    });
    combo.response.labelled_by(label);
    if let Some(device) = picked {
        commands.push(Command::SetRunSettings(RunSettings { device, ..settings.clone() }));
    }
    if let Some(why) = list.failed() {
        ui.colored_label(Tokens::of(ui.visuals()).error, "× no device").on_hover_text(why);
    }
}

/// The selector of a device: its name, or its index if another device has the same name.
fn name_of(devices: &[DeviceInfo], index: usize) -> String {
    let Some(device) = devices.get(index) else { return index.to_string() };
    let alike = devices.iter().filter(|other| other.name.contains(&device.name)).count();
    if alike == 1 { device.name.clone() } else { index.to_string() }
}
