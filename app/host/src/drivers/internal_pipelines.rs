//! Where the AMD driver keeps its internal pipelines (of copies, clears, resolves) for chips that are not installed.

use std::path::PathBuf;

use lanescope_core::chip::Vendor;
use lanescope_core::driver::CompileOptions;
use lanescope_core::run::hash;

use super::folder_of_user;

/// The folder for a child without pipeline libraries, one for each chip and driver: the driver keeps one file for all of
/// them, and a null device's must not take the place of the one of the installed GPU.
///
/// `None` without a home, and where the driver's own cache could answer instead of its compiler: only pipelines that
/// capture internal representations are never looked up there.
pub fn folder(with: &CompileOptions) -> Option<PathBuf> {
    let chip = with.chip.filter(|chip| chip.vendor() == Vendor::Amd)?;
    if with.bare || with.statistics_only {
        return None;
    }
    let driver = match &with.icd {
        Some(icd) => hash(icd.as_os_str().as_encoded_bytes()).to_string().replace("0x", "-"),
        None => String::new(),
    };
    Some(folder_of_user("internal")?.join(format!("{chip}{driver}")))
}

#[cfg(test)]
mod tests {
    use lanescope_core::target::Target;

    use super::*;

    #[test]
    fn each_chip_and_driver_has_a_folder_of_its_own() {
        let captured = CompileOptions { chip: Some(Target::Gfx1030.into()), ..CompileOptions::default() };
        let others = [
            CompileOptions { chip: Some(Target::Gfx1100.into()), ..captured.clone() },
            CompileOptions { icd: Some("/nowhere/radv.json".into()), ..captured.clone() },
        ];
        let own = folder(&captured).expect("a home");
        assert!(own.ends_with("internal/gfx1030"), "{}", own.display());
        assert!(others.iter().all(|other| folder(other).is_some_and(|other| other != own)));
    }

    #[test]
    fn a_driver_whose_cache_could_answer_keeps_nothing() {
        let captured = CompileOptions { chip: Some(Target::Gfx1030.into()), ..CompileOptions::default() };
        let others = [
            CompileOptions { bare: true, ..captured.clone() },
            CompileOptions { statistics_only: true, ..captured.clone() },
            CompileOptions { chip: None, ..captured },
        ];
        assert!(others.iter().all(|with| folder(with).is_none()));
    }
}
