//! The compilers of drivers among the options: chips, drivers, devices, and what they compile.

use std::path::{Path, PathBuf};

use lanescope_core::chip::Chip;
use lanescope_core::driver::{Link, chips};
use lanescope_core::program::StageKind;
use lanescope_core::table::one_line;
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::CompileSettings;
use lanescope_inspector::tasks::Work;

use lanescope_workbench::palette::Item;
use lanescope_workbench::state::State;

/// The items of the palette that choose compilers for the shown program: each changes one of them.
pub fn items(state: &State) -> Vec<Item> {
    let Some(program) = state.program().filter(|program| !program.frozen) else { return Vec::new() };
    let (now, installed) = (&state.settings.compile, &state.settings.installed);
    let mut items = Vec::new();
    let mut add = |label: String, settings: CompileSettings| {
        items.push(Item::option(label, Command::SetCompileSettings(settings)));
    };
    let word = |on: bool| if on { "on" } else { "off" };
    let shown = now.places(program.options.target);
    let missing = |chip: Chip| installed.chips.iter().any(|row| row.chip == chip && row.device.is_err());
    for chip in chips().filter(|chip| !missing(*chip) || shown.contains(chip)) {
        let on = !shown.contains(&chip);
        let mut all = toggled(&shown, chip);
        all.sort_unstable();
        add(format!("Compile for {chip}: {}", word(on)), CompileSettings { chips: all, ..now.clone() });
    }
    for icd in installed.manifests.iter().chain(now.icds.iter().filter(|icd| !installed.manifests.contains(icd))) {
        let icds = toggled(&now.icds, icd.clone());
        let label = format!("Compile with driver {}: {}", file_name(icd), word(!now.icds.contains(icd)));
        add(label, CompileSettings { icds, ..now.clone() });
    }
    for device in state.settings.devices.done().map(Vec::as_slice).unwrap_or_default() {
        let devices = toggled(&now.devices, device.name.clone());
        let label = format!("Compile on {}: {}", one_line(&device.name), word(!now.devices.contains(&device.name)));
        add(label, CompileSettings { devices, ..now.clone() });
    }
    let has = |is: fn(StageKind) -> bool| program.analysis.report.stages.iter().any(|stage| is(stage.stage));
    if has(|stage| stage == StageKind::Fragment) {
        let packed = !now.packed;
        add(format!("Compile packed variant: {}", word(packed)), CompileSettings { packed, ..now.clone() });
    }
    if has(StageKind::has_workgroup) {
        let swizzled = !now.swizzled;
        add(format!("Compile swizzled variant: {}", word(swizzled)), CompileSettings { swizzled, ..now.clone() });
    }
    if has(StageKind::is_graphics) {
        let (link, name) = if now.link == Link::Whole { (Link::Apart, "apart") } else { (Link::Whole, "together") };
        add(format!("Compile stages: {name}"), CompileSettings { link, ..now.clone() });
    }
    let automatic = !now.automatic;
    add(format!("Compile automatically: {}", word(automatic)), CompileSettings { automatic, ..now.clone() });
    if state.settings.devices.answer.is_none() && !state.settings.devices.underway {
        let label = "List installed drivers and devices".to_owned();
        items.push(Item::option(label, Command::Begin(Work::Devices)));
    }
    items
}

/// The chips and devices that the shown program is compiled for, as text.
pub fn places(state: &State) -> String {
    let Some(program) = state.program() else { return String::new() };
    let settings = &state.settings.compile;
    let chips = settings.places(program.options.target).into_iter().map(|chip| chip.name().to_owned());
    chips.chain(settings.devices.iter().map(|device| one_line(device))).collect::<Vec<_>>().join(", ")
}

/// The drivers that compile, as text.
pub fn drivers(state: &State) -> String {
    let names = state.settings.compile.icds.iter().map(|icd| file_name(icd));
    let names = names.collect::<Vec<_>>().join(", ");
    if names.is_empty() { "the loader's choice".to_owned() } else { names }
}

/// Chooses chips as `--chip` does: names with commas or blanks between them, `all` for all that drivers offer, nothing
/// for the chip of the target. Chosen devices are dropped.
///
/// # Errors
/// A word that is not a chip's name.
pub fn chosen_chips(state: &State, text: &str) -> Result<CompileSettings, String> {
    let offered = &state.settings.installed.chips;
    let is_offered = |chip: &Chip| !offered.iter().any(|row| row.chip == *chip && row.device.is_err());
    let mut chosen: Vec<Chip> = Vec::new();
    for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
        if word == "all" {
            chosen.extend(chips().filter(is_offered));
            continue;
        }
        let chip = Chip::of_driver(word);
        chosen.push(chip.ok_or_else(|| format!("Not a chip name: `{word}` (expected letters and digits)"))?);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(CompileSettings { chips: chosen, devices: Vec::new(), ..state.settings.compile.clone() })
}

/// Chooses drivers as `--icd` does: manifests with commas between them, nothing for the loader's choice.
///
/// # Errors
/// A path that is not a file.
pub fn chosen_drivers(state: &State, text: &str) -> Result<CompileSettings, String> {
    let mut icds: Vec<PathBuf> = Vec::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let path = Path::new(word);
        if !path.is_file() {
            return Err(format!("Not a file: `{word}` (expected the manifest of a Vulkan driver)"));
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if !icds.contains(&path) {
            icds.push(path);
        }
    }
    Ok(CompileSettings { icds, ..state.settings.compile.clone() })
}

/// The list with an entry, or without it where it has it.
fn toggled<T: Clone + PartialEq>(all: &[T], entry: T) -> Vec<T> {
    let others = all.iter().filter(|other| **other != entry).cloned();
    let mut out: Vec<T> = others.collect();
    if out.len() == all.len() {
        out.push(entry);
    }
    out
}

fn file_name(icd: &Path) -> String {
    let name = icd.file_name().map_or_else(|| icd.display().to_string(), |name| name.to_string_lossy().into_owned());
    one_line(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_added_or_removed() {
        assert_eq!(toggled(&[1, 2], 3), [1, 2, 3]);
        assert_eq!(toggled(&[1, 2], 1), [2]);
    }
}
