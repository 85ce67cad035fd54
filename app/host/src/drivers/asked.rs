//! Which compilers are asked: chips and devices, each with every chosen driver.

use std::path::{Path, PathBuf};

use lanescope_core::chip::{Chip, Driver};
use lanescope_core::driver::{CompileOptions, installed};

/// What was chosen to compile with.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    /// Chips, each compiled by the drivers of its vendor.
    pub chips: &'a [Chip],
    /// Devices, by a part of their names or by index.
    pub devices: &'a [String],
    /// Manifests of drivers; the loader's own choice if there is none.
    pub icds: &'a [PathBuf],
    /// The chip where neither a chip nor a device is chosen.
    pub default: Option<Chip>,
}

impl Chosen<'_> {
    /// The compilers, each once; `with` is how all of them compile. A chip goes to the chosen drivers that are not
    /// those of other chips; to all of them where each is, to be refused by name. Where nothing was chosen but a driver that is
    /// not AMD's, its first device compiles.
    pub fn compilers(&self, with: &CompileOptions) -> Vec<CompileOptions> {
        let icds: Vec<Option<&Path>> = match self.icds {
            [] => vec![None],
            all => all.iter().map(|icd| Some(icd.as_path())).collect(),
        };
        let is_radv = |icd: &Path| installed::driver_of(icd) == Some(Driver::Radv);
        let mut out: Vec<CompileOptions> = Vec::new();
        let mut add = |icd: Option<&Path>, chip: Option<Chip>, device: Option<String>| {
            let one = CompileOptions { chip, device, icd: icd.map(Path::to_owned), ..with.clone() };
            if !out.contains(&one) {
                out.push(one);
            }
        };
        for &chip in self.chips {
            // A manifest of no known driver may be any.
            let fits =
                |icd: &Option<&Path>| icd.and_then(installed::driver_of).is_none_or(|driver| driver == chip.driver());
            let any = icds.iter().any(fits);
            icds.iter().filter(|icd| !any || fits(icd)).for_each(|icd| add(*icd, Some(chip), None));
        }
        for device in self.devices {
            icds.iter().for_each(|icd| add(*icd, None, Some(device.clone())));
        }
        if self.chips.is_empty() && self.devices.is_empty() {
            let default = self.default;
            icds.iter().for_each(|icd| add(*icd, default.filter(|_| icd.is_none_or(is_radv)), None));
        }
        out
    }
}

/// The short name of what compiles: the chip or the device; of a driver's first device, the manifest's name.
pub fn place(with: &CompileOptions) -> String {
    let named = with.chip.map(|chip| chip.to_string()).or_else(|| with.device.clone());
    let manifest = || Some(with.icd.as_ref()?.file_stem()?.to_string_lossy().into_owned());
    named.or_else(manifest).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use lanescope_core::target::Target;

    use super::*;

    /// A manifest that names a library.
    fn manifest(folder: &Path, library: &str) -> PathBuf {
        let file = folder.join(format!("{library}.json"));
        std::fs::write(&file, format!("{{\"ICD\":{{\"library_path\":\"{library}.so\"}}}}")).expect("writable");
        file
    }

    #[test]
    fn a_driver_without_chips_compiles_with_its_first_device() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let icds = ["libvulkan_radeon", "libvulkan_lvp"].map(|library| manifest(folder.path(), library));
        let asked = |chips: &[Chip], devices: &[String], icds: &[PathBuf]| {
            let chosen = Chosen { chips, devices, icds, default: Some(Target::Gfx1030.into()) };
            let all = chosen.compilers(&CompileOptions::default());
            all.iter().map(|with| (with.icd.is_some(), with.chip, with.device.clone(), place(with))).collect::<Vec<_>>()
        };
        let of_chip = |icd, chip: Target| (icd, Some(Chip::from(chip)), None, chip.to_string());
        assert_eq!(asked(&[], &[], &[]), [of_chip(false, Target::Gfx1030)]);
        let first = (true, None, None, "libvulkan_lvp".to_owned());
        assert_eq!(asked(&[], &[], &icds), [of_chip(true, Target::Gfx1030), first]);
        let device = "0".to_owned();
        assert_eq!(
            asked(&[Target::Gfx900.into()], std::slice::from_ref(&device), &icds[1..]),
            [of_chip(true, Target::Gfx900), (true, None, Some(device.clone()), device)]
        );
    }
}
