//! What runs shaders: the devices of this machine, or the interpreter. How each is named in [`RunSettings`].

use lanescope_core::gpu::DeviceInfo;
pub use lanescope_core::gpu::interpret::NAME as INTERPRETER;

use crate::settings::{RunSettings, Settings};

/// Why the tab of work graphs uses a device although the interpreter is chosen.
pub const NO_GRAPHS: &str = "The interpreter does not run work graphs; the first device does.";
/// The same for measured lane maps.
pub const NO_LANE_MAPS: &str = "The interpreter runs on the predicted lane map; the first device is measured.";
/// The same for times of layouts.
pub const NO_TIMES: &str = "The interpreter's time says nothing of layouts; the first device is timed.";

impl RunSettings {
    /// Whether programs run in the interpreter instead of on a device.
    pub fn is_interpreter(&self) -> bool {
        self.device.as_deref() == Some(INTERPRETER)
    }

    /// The device for what the interpreter cannot do: the first one where the interpreter is chosen.
    pub fn real_device(&self) -> Option<&str> {
        self.device.as_deref().filter(|_| !self.is_interpreter())
    }
}

/// The name that chooses a device: its name, or its index if another device has the same name.
pub fn selector(devices: &[DeviceInfo], index: usize) -> String {
    let Some(device) = devices.get(index) else { return index.to_string() };
    let alike = devices.iter().filter(|other| other.name.contains(&device.name)).count();
    if alike == 1 { device.name.clone() } else { index.to_string() }
}

/// The choice after the present one: the first device, each device by name, the interpreter, and so on.
pub fn after(settings: &Settings) -> Option<String> {
    let devices = settings.devices.done().map(Vec::as_slice).unwrap_or_default();
    let mut all = (0..devices.len()).map(|index| selector(devices, index)).chain([INTERPRETER.to_owned()]);
    match &settings.run.device {
        None => all.next(),
        Some(now) => {
            all.find(|name| name == now);
            all.next()
        }
    }
}

/// Letters of `interpreter` that are enough.
const LETTERS: usize = 3;

/// The choice that a user typed: nothing for the first device, an index, a part of a device's name, `interpreter` or how
/// it begins.
///
/// # Errors
/// A text that names none of the listed devices. Where none are listed the run finds the device.
pub fn typed(settings: &Settings, text: &str) -> Result<Option<String>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let is_interpreter = text.len() >= LETTERS && INTERPRETER.starts_with(&text.to_lowercase());
    let Some(devices) = settings.devices.done().filter(|devices| !devices.is_empty() && !is_interpreter) else {
        let name = if is_interpreter { INTERPRETER } else { text };
        return Ok(Some(name.to_owned()));
    };
    let index = text.parse::<usize>().ok().filter(|index| *index < devices.len());
    let named = || devices.iter().position(|device| device.name.to_lowercase().contains(&text.to_lowercase()));
    let index = index.or_else(named).ok_or_else(|| {
        let names: Vec<_> = devices.iter().map(|device| device.name.as_str()).collect();
        format!("Not a device: `{text}` (found: {}; or `{INTERPRETER}`)", names.join(", "))
    })?;
    Ok(Some(selector(devices, index)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(names: &[&str]) -> Settings {
        let devices = names.iter().map(|name| DeviceInfo { name: (*name).to_owned(), ..DeviceInfo::default() });
        let mut settings = Settings::DEFAULT;
        settings.devices.take(0, RunSettings::DEFAULT, Ok(devices.collect()));
        settings
    }

    #[test]
    fn each_choice_follows_the_one_before() {
        for names in [&["llvmpipe", "Radeon"][..], &["twin", "twin"], &[]] {
            let mut settings = settings(names);
            let mut seen = vec![None];
            loop {
                settings.run.device = after(&settings);
                if settings.run.device.is_none() {
                    break;
                }
                seen.push(settings.run.device.clone());
                assert!(seen.len() < 9, "it comes back to the first device: {seen:?}");
            }
            assert_eq!(seen.len(), names.len() + 2, "{seen:?}");
            assert_eq!(seen.last(), Some(&Some(INTERPRETER.to_owned())));
        }
    }

    #[test]
    fn reads_a_typed_device() {
        let known = settings(&["llvmpipe (LLVM)", "Radeon"]);
        for (text, expected) in [
            ("", Some(None)),
            ("Interpreter", Some(Some("interpreter"))),
            ("interp", Some(Some("interpreter"))),
            ("1", Some(Some("Radeon"))),
            ("radeon", Some(Some("Radeon"))),
            ("llvm", Some(Some("llvmpipe (LLVM)"))),
            ("7", None),
            ("GeForce", None),
        ] {
            let found = typed(&known, text);
            assert_eq!(found.as_ref().ok().map(Option::as_deref), expected, "{text}: {found:?}");
        }
        assert_eq!(typed(&Settings::DEFAULT, "GeForce"), Ok(Some("GeForce".to_owned())), "no list yet");
    }

    #[test]
    fn the_interpreter_leaves_other_work_to_the_first_device() {
        let of = |device: &str| RunSettings { device: Some(device.to_owned()), ..RunSettings::DEFAULT };
        assert_eq!((of(INTERPRETER).is_interpreter(), of(INTERPRETER).real_device()), (true, None));
        assert_eq!((of("Radeon").is_interpreter(), of("Radeon").real_device()), (false, Some("Radeon")));
    }
}
