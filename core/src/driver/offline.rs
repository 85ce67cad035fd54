//! Mesa's AMD compiler without an AMD GPU.
//!
//! The driver offers a null device when the variable `RADV_FORCE_FAMILY` names a chip that it knows, and ends the
//! whole process when it does not. So a name is tried in a child process only, and only names of the target table.

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
