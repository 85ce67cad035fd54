//! Mesa's AMD compiler without an AMD GPU.
//!
//! The driver offers a null device when the variable `RADV_FORCE_FAMILY` names a chip that it knows, and ends the
//! whole process when it does not. So a name is tried in a child process only, and only names of the target table.

use std::ffi::OsString;

use crate::target::{TARGETS, Target};

/// The variable that chooses the chip.
pub const FAMILY_VARIABLE: &str = "RADV_FORCE_FAMILY";

/// A chip for which a null device may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chip {
    /// The target.
    pub target: Target,
    /// The name that the driver takes.
    pub family: &'static str,
}

/// The chips that Mesa's driver may know, oldest first. Whether the installed one does, a child process finds out.
pub fn chips() -> impl Iterator<Item = Chip> {
    TARGETS.iter().filter_map(|row| Some(Chip { target: row.target, family: row.mesa_family? }))
}

/// What the environment of a process that asks drivers holds, for one chip or for the devices that are there: set
/// before the process opens a Vulkan instance.
///
/// Mesa's AMD driver offers pipeline libraries, and on devices that are there mesh shaders, only where these words ask
/// for them (Mesa 22.3; its null devices have no mesh shaders), and keeps compiled shaders on disk unless told
/// otherwise: a compilation here is one every time.
pub fn environment(chip: Option<Chip>) -> Vec<(&'static str, &'static str)> {
    let family = chip.map(|chip| (FAMILY_VARIABLE, chip.family));
    [("RADV_PERFTEST", "gpl,ext_ms,nv_ms"), ("MESA_SHADER_CACHE_DISABLE", "true")].into_iter().chain(family).collect()
}

/// What the names of variables begin with that change what Mesa's compilers make, and how its drivers are loaded. Settings
/// of its drivers are variables too, in lower case.
const LOOKED_AT: [&str; 16] = [
    "ACO_", "AMD_", "ANV_", "INTEL_", "IR3_", "LP_", "LVP_", "MESA_", "NAK_", "NIR_", "NVK_", "RADV_", "SPIRV_", "TU_",
    "V3D_", "VK_",
];

/// The variables that compilers look at, as the process that asks them inherits them from this one: in order, without
/// those of [`environment`].
pub fn inherited(chip: Option<Chip>) -> Vec<(String, String)> {
    looked_at(std::env::vars_os(), &environment(chip))
}

fn looked_at(all: impl Iterator<Item = (OsString, OsString)>, set: &[(&str, &str)]) -> Vec<(String, String)> {
    let text = |text: OsString| text.to_string_lossy().into_owned();
    let mut out: Vec<_> = all.map(|(name, value)| (text(name), text(value))).collect();
    out.retain(|(name, _)| {
        let upper = name.to_ascii_uppercase();
        LOOKED_AT.iter().any(|prefix| upper.starts_with(prefix)) && !set.iter().any(|(own, _)| own == name)
    });
    out.sort();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_compilers_are_inherited_and_our_own_are_not() {
        let all = [
            ("RADV_PERFTEST", "bolist"),
            ("PATH", "/bin"),
            ("radv_zero_vram", "true"),
            ("ACO_DEBUG", "noopt"),
            ("RADV_FORCE_FAMILY", "vega10"),
        ];
        let named = |chip| {
            let all = all.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
            let names = looked_at(all, &environment(chip)).into_iter();
            names.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        let family = "RADV_FORCE_FAMILY=vega10".to_owned();
        let others = ["ACO_DEBUG=noopt".to_owned(), "radv_zero_vram=true".to_owned()];
        assert_eq!(named(chips().next()), others);
        assert_eq!(named(None), [others[0].clone(), family, others[1].clone()]);
    }
}
