//! What a driver says of the device that it offers for a chip, kept until the driver changes: with it, compilations of
//! earlier starts are found before the driver is loaded.

use lanescope_core::driver::CompileOptions;
use lanescope_core::gpu::DeviceInfo;
use lanescope_core::run::hash;

use super::offered::{kept, state};
use crate::disk_cache::Found;

/// The device, where the same driver was asked for the same chip before. Installed devices are asked each time: what
/// they are does not depend on files alone.
pub fn load(with: &CompileOptions) -> Option<DeviceInfo> {
    match kept()?.load(&name(with)?) {
        Ok(Found::Entry(json)) => serde_json::from_slice(&json).ok(),
        _ => None,
    }
}

/// Keeps a device that was asked.
pub fn keep(with: &CompileOptions, device: &DeviceInfo) {
    if let Some(((kept, name), json)) = kept().zip(name(with)).zip(serde_json::to_vec(device).ok()) {
        // Nothing is lost but time where this fails.
        let _ = kept.keep(&name, &json);
    }
}

/// The name of the entry; `None` if no chip is asked for.
fn name(with: &CompileOptions) -> Option<String> {
    let chip = with.chip?;
    let version = env!("CARGO_PKG_VERSION");
    let device = with.device.as_deref().unwrap_or_default();
    let text = format!("device 1 {version}\n{chip}\n{device}\n{}", state(with.icd.as_deref()));
    Some(hash(text.as_bytes()).to_string().replace("0x", ""))
}

#[cfg(test)]
mod tests {
    use lanescope_core::target::Target;

    use super::*;

    #[test]
    fn an_entry_is_of_one_chip_and_driver() {
        let of = |chip, icd: Option<&str>| {
            name(&CompileOptions { chip, icd: icd.map(Into::into), ..CompileOptions::default() })
        };
        assert_eq!(of(None, None), None, "an installed device is asked each time");
        let names = [
            of(Some(Target::Gfx1030.into()), None),
            of(Some(Target::Gfx1100.into()), None),
            of(Some(Target::Gfx1030.into()), Some("/nowhere/radv.json")),
        ];
        assert!(
            names.iter().all(|name| name.as_deref().is_some_and(|name| name.bytes().all(|b| b.is_ascii_hexdigit())))
        );
        assert!(names[0] != names[1] && names[0] != names[2], "{names:?}");
        assert_eq!(names[0], of(Some(Target::Gfx1030.into()), None));
    }
}
