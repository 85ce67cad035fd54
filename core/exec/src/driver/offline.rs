//! Mesa's AMD compiler without an AMD GPU: the ways to run it, in one table.
//!
//! A chip is chosen by the environment of the process that uses the driver, before that process opens a Vulkan
//! instance.
//! * Mesa up to 25 has a null device: `RADV_FORCE_FAMILY` names the chip. A name that this version does not know ends
//!   the process (`radv: Unknown family: …`).
//! * Mesa 26 has none. Its package `mesa-drm-shim` brings a library that stands in for the kernel's driver when it is
//!   preloaded; `AMDGPU_GPU_ID` names the chip. An unknown name ends the process too (`Failed to find amdgpu GPU …`).
//!   The library hides the real devices, and the driver reports the product's own name.
//!
//! The names of a chip differ by version ([`TargetInfo::mesa_names`](lanescope_model::target::TargetInfo)). So a way is tried in a
//! child process only, one after the other, until a device [is that chip](Way::is_device).

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::installed::{Icd, library};
use crate::gpu::{DeviceInfo, GpuError, known_devices};
use lanescope_base::named_enum;
use lanescope_model::target::{TARGETS, Target};

named_enum!(
    /// A means by which Mesa's AMD driver compiles for a chip that is not installed.
    Backend {
        /// The driver's own null device, up to Mesa 25.
        NullDevice = "null-device",
        /// A preloaded library instead of the kernel's driver: Mesa 26, and some versions before.
        DrmShim = "drm-shim",
    }
);

/// What distinguishes a back end.
struct BackendInfo {
    backend: Backend,
    /// The variable that chooses the chip.
    variable: &'static str,
    /// What the device's name starts with.
    device: &'static str,
    /// The library that has to be preloaded.
    library: Option<&'static str>,
}

/// Every back end, in the order in which they are tried.
const BACKENDS: [BackendInfo; 2] = [
    BackendInfo { backend: Backend::NullDevice, variable: "RADV_FORCE_FAMILY", device: "Null hardware", library: None },
    BackendInfo {
        backend: Backend::DrmShim,
        variable: "AMDGPU_GPU_ID",
        device: "",
        library: Some("libamdgpu_noop_drm_shim.so"),
    },
];

/// The PCI vendor of every AMD GPU.
const AMD: u32 = 0x1002;
/// `VkDriverId` of Mesa's AMD driver (`VK_DRIVER_ID_MESA_RADV`).
const RADV: i32 = 3;

/// One way to a chip that is not installed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// By which means.
    pub backend: Backend,
    /// The name of the chip there.
    pub name: String,
    /// The library to preload, for a back end that needs one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub library: Option<PathBuf>,
}

/// The chips that some version of Mesa's driver compiles for without the hardware, oldest first. Which of them the
/// installed version knows, a child process finds out.
pub fn chips() -> impl Iterator<Item = Target> {
    TARGETS.iter().filter(|row| !row.mesa_names.is_empty()).map(|row| row.target)
}

impl Backend {
    fn info(self) -> &'static BackendInfo {
        // One row per variant: a test walks them.
        BACKENDS.iter().find(|row| row.backend == self).unwrap_or(&BACKENDS[0])
    }

    /// The variable that chooses the chip.
    pub fn variable(self) -> &'static str {
        self.info().variable
    }

    /// Whether a device is of this back end, judging by its name.
    pub fn is_device(self, device: &DeviceInfo) -> bool {
        device.driver_id == Some(RADV) && device.name.starts_with(self.info().device)
    }

    /// The file name of the library that it needs, if it needs one.
    pub fn library(self) -> Option<&'static str> {
        self.info().library
    }
}

impl Way {
    /// The ways to a chip, in the order in which to try them. A back end whose library is not installed, beside the driver
    /// `icd` or in the system's folders, is left out.
    pub fn to(chip: Target, icd: Option<&Icd>) -> Vec<Way> {
        Way::with(chip, |name| library(name, icd))
    }

    fn with(chip: Target, library: impl Fn(&str) -> Option<PathBuf>) -> Vec<Way> {
        let own = [chip.name()];
        let names: &[&str] = match chip {
            Target::Named(_) => &own,
            _ => chip.info().mesa_names,
        };
        let of = |backend: &BackendInfo| -> Vec<Way> {
            let library = match backend.library {
                Some(name) => match library(name) {
                    None => return Vec::new(),
                    found => found,
                },
                None => None,
            };
            let way =
                |name: &&str| Way { backend: backend.backend, name: (*name).to_owned(), library: library.clone() };
            names.iter().map(way).collect()
        };
        BACKENDS.iter().flat_map(of).collect()
    }

    /// The way that this process's environment prepares; `None` in a process that was started for installed devices.
    pub fn of_process() -> Option<Way> {
        Way::of_variables(|name| std::env::var(name).ok())
    }

    fn of_variables(value: impl Fn(&str) -> Option<String>) -> Option<Way> {
        let preloaded = value(PRELOAD).unwrap_or_default();
        let is_loaded = |row: &BackendInfo| row.library.is_none_or(|library| preloaded.contains(library));
        BACKENDS.iter().filter(|row| is_loaded(row)).find_map(|row| {
            let name = value(row.variable).filter(|name| !name.is_empty())?;
            Some(Way { backend: row.backend, name, library: None })
        })
    }

    /// Whether it selects that chip, judging by names.
    pub fn leads_to(&self, chip: Target) -> bool {
        let is = |name: &&str| name.eq_ignore_ascii_case(&self.name);
        match chip {
            Target::Named(family) => is(&family.name()),
            _ => chip.info().mesa_names.iter().any(is),
        }
    }

    /// Whether a device that a process of this way lists is the chip: by PCI vendor, driver, and by the name that the
    /// driver gives the chip: `… (RADV NAVI21)`, or `… (RADV NAVI21 (LLVM 15.0.6))` where LLVM compiles.
    pub fn is_device(&self, device: &DeviceInfo) -> bool {
        let chip = device.name.rsplit_once("(RADV ").and_then(|(_, rest)| rest.split([' ', ')']).next());
        let is_chip = chip.is_some_and(|chip| chip.eq_ignore_ascii_case(&self.name));
        is_chip && device.vendor == Some(AMD) && self.backend.is_device(device)
    }

    /// The name of the device that is the chip, where this process offers one.
    ///
    /// # Errors
    /// There is no loader, or Vulkan refuses.
    pub(super) fn device_name(&self) -> Result<Option<String>, GpuError> {
        Ok(known_devices()?.into_iter().find(|device| self.is_device(device)).map(|device| device.name))
    }
}

/// The variable of the dynamic loader that names libraries to load first.
const PRELOAD: &str = "LD_PRELOAD";
/// The variable of the AMD driver's debugging switches.
const DEBUG: &str = "RADV_DEBUG";

/// The environment of a process that uses drivers, for one way to a chip or for the installed devices: set
/// before the process opens a Vulkan instance.
///
/// Mesa 22's AMD driver offers pipeline libraries, ray tracing pipelines, and on installed devices mesh shaders, only
/// where `RADV_PERFTEST` enables them; newer versions enable them by default. Caches are off, the driver's own in
/// memory too (`RADV_DEBUG=nocache`): every compilation is one. Other switches of that variable stay as they are.
pub fn environment(way: Option<&Way>) -> Vec<(&'static str, OsString)> {
    environment_with(way, |name| std::env::var_os(name))
}

/// Variables, after those of [`environment`], of a process that compiles through pipeline caches which begin empty: with
/// `nocache` the AMD driver returns no data of any pipeline cache.
pub fn with_pipeline_caches() -> Vec<(OsString, OsString)> {
    vec![(DEBUG.into(), std::env::var_os(DEBUG).unwrap_or_default())]
}

/// The environment of a process that requests the driver's debug information ([`super::origin::debug_info`]).
pub fn debug_information(environment: &mut [(&'static str, OsString)]) {
    for (_, value) in environment.iter_mut().filter(|(name, _)| *name == DEBUG) {
        value.push(",");
        value.push(super::origin::debug_info::SETTING);
    }
}

fn environment_with(way: Option<&Way>, inherited: impl Fn(&str) -> Option<OsString>) -> Vec<(&'static str, OsString)> {
    let joined = |name: &str, own: OsString, own_first: bool| match inherited(name).filter(|value| !value.is_empty()) {
        Some(theirs) if theirs.to_string_lossy().split([',', ':']).any(|word| own == *word) => theirs,
        Some(theirs) => {
            let [first, last] = if own_first { [&own, &theirs] } else { [&theirs, &own] };
            let mut all = first.clone();
            all.push(if name == PRELOAD { ":" } else { "," });
            all.push(last);
            all
        }
        None => own,
    };
    let mut out = vec![
        ("RADV_PERFTEST", "gpl,ext_ms,nv_ms,rt".into()),
        ("MESA_SHADER_CACHE_DISABLE", "true".into()),
        (DEBUG, joined(DEBUG, "nocache".into(), false)),
    ];
    if let Some(way) = way {
        out.push((way.backend.variable(), way.name.clone().into()));
        let library = way.library.as_deref().map(Path::as_os_str);
        out.extend(library.map(|library| (PRELOAD, joined(PRELOAD, library.to_owned(), true))));
    }
    out
}

/// What the names of variables start with that change what Mesa's compilers make, and how its drivers are loaded.
/// Settings of its drivers are variables too, in lower case. The last one hides extensions.
const LOOKED_AT: [&str; 18] = [
    "ACO_",
    "AMD_",
    "AMDGPU_",
    "ANV_",
    "INTEL_",
    "IR3_",
    "LP_",
    "LVP_",
    "MESA_",
    "NAK_",
    "NIR_",
    "NVK_",
    "RADV_",
    "SPIRV_",
    "TU_",
    "V3D_",
    "VK_",
    crate::gpu::HIDDEN_EXTENSIONS,
];

/// The variables that compilers look at, as the process that runs them inherits them from this one: in order, without
/// those of [`environment`] except for the driver's debugging switches.
pub fn inherited(chip: Option<Target>) -> Vec<(String, String)> {
    looked_at(std::env::vars_os(), chip)
}

fn looked_at(all: impl Iterator<Item = (OsString, OsString)>, chip: Option<Target>) -> Vec<(String, String)> {
    let text = |text: OsString| text.to_string_lossy().into_owned();
    let mut out: Vec<_> = all.map(|(name, value)| (text(name), text(value))).collect();
    let is_set = |name: &str| {
        let chooses = BACKENDS.iter().any(|row| row.variable == name);
        ["RADV_PERFTEST", "MESA_SHADER_CACHE_DISABLE"].contains(&name) || chip.is_some() && chooses
    };
    out.retain(|(name, _)| {
        let upper = name.to_ascii_uppercase();
        LOOKED_AT.iter().any(|prefix| upper.starts_with(prefix)) && !is_set(name)
    });
    out.sort();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIM: &str = "/lib/libamdgpu_noop_drm_shim.so";

    fn ways(chip: Target, shim: bool) -> Vec<String> {
        let all = Way::with(chip, |_| shim.then(|| SHIM.into()));
        all.iter().map(|way| format!("{} {}", way.backend, way.name)).collect()
    }

    #[test]
    fn each_back_end_is_tried_under_every_name_of_the_chip() {
        for backend in Backend::ALL {
            assert_eq!(backend.info().backend, *backend);
        }
        assert_eq!(ways(Target::Gfx1100, false), ["null-device navi31", "null-device gfx1100"]);
        assert_eq!(
            ways(Target::Gfx1150, true),
            ["null-device strix1", "null-device gfx1150", "drm-shim strix1", "drm-shim gfx1150"]
        );
        let hawaii = Target::of_driver("hawaii").expect("a name");
        assert_eq!(ways(hawaii, false), ["null-device hawaii"]);
        assert!(chips().any(|chip| chip == Target::Gfx803));
    }

    #[test]
    fn process_finds_its_backend_in_the_environment() {
        let of = |all: &[(&str, &str)]| {
            let found = |name: &str| all.iter().find(|row| row.0 == name).map(|row| row.1.to_owned());
            Way::of_variables(found).map(|way| (way.backend, way.name))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("RADV_FORCE_FAMILY", "vega10")]), Some((Backend::NullDevice, "vega10".to_owned())));
        assert_eq!(of(&[("AMDGPU_GPU_ID", "navi21")]), None);
        let shim = [("AMDGPU_GPU_ID", "navi21"), (PRELOAD, SHIM)];
        assert_eq!(of(&shim), Some((Backend::DrmShim, "navi21".to_owned())));
        let way = Way { backend: Backend::NullDevice, name: "gfx1100".to_owned(), library: None };
        assert!(way.leads_to(Target::Gfx1100) && !way.leads_to(Target::Gfx1030));
    }

    #[test]
    fn a_device_is_the_chip_by_vendor_driver_and_name() {
        let device = |name: &str, driver_id, vendor| DeviceInfo {
            name: name.to_owned(),
            driver_id: Some(driver_id),
            vendor: Some(vendor),
            ..DeviceInfo::default()
        };
        let way = |backend, name: &str| Way { backend, name: name.to_owned(), library: None };
        let (null, shim) = (way(Backend::NullDevice, "navi21"), way(Backend::DrmShim, "navi21"));
        let (made_up, product) = ("Null hardware (RADV NAVI21)", "AMD Radeon RX 6800 (RADV NAVI21)");
        assert!(null.is_device(&device(made_up, RADV, AMD)));
        // LLVM compiles instead of ACO; names of other chips may start with a chip's.
        assert!(null.is_device(&device("Null hardware (RADV NAVI21 (LLVM 15.0.6))", RADV, AMD)));
        let raven = way(Backend::NullDevice, "raven");
        assert!(!raven.is_device(&device("Null hardware (RADV RAVEN2 (LLVM 15.0.6))", RADV, AMD)));
        assert!(!raven.is_device(&device("Null hardware (RADV RAVEN2)", RADV, AMD)));
        // An installed GPU of the same chip does not stand in for the null device.
        assert!(!null.is_device(&device(product, RADV, AMD)));
        assert!(shim.is_device(&device(product, RADV, AMD)));
        assert!(!way(Backend::DrmShim, "navi31").is_device(&device(product, RADV, AMD)));
        assert!(!shim.is_device(&device(product, 2, AMD)));
        assert!(!shim.is_device(&device(product, RADV, 0x10005)));
    }

    #[test]
    fn the_environment_keeps_the_users_switches() {
        let shim = Way { backend: Backend::DrmShim, name: "navi21".to_owned(), library: Some(SHIM.into()) };
        let set = |way: Option<&Way>, theirs: &[(&str, &str)]| {
            let found = |name: &str| theirs.iter().find(|row| row.0 == name).map(|row| row.1.into());
            let all = environment_with(way, found).into_iter();
            all.map(|(name, value)| format!("{name}={}", value.to_string_lossy())).collect::<Vec<_>>()
        };
        let own = ["RADV_PERFTEST=gpl,ext_ms,nv_ms,rt", "MESA_SHADER_CACHE_DISABLE=true", "RADV_DEBUG=nocache"];
        assert_eq!(set(None, &[]), own);
        let all = set(Some(&shim), &[("RADV_DEBUG", "llvm"), (PRELOAD, "/x.so")]);
        let preload = format!("LD_PRELOAD={SHIM}:/x.so");
        assert_eq!(all[2..], ["RADV_DEBUG=llvm,nocache", "AMDGPU_GPU_ID=navi21", &preload]);
        assert_eq!(set(None, &[("RADV_DEBUG", "nocache,llvm")])[2], "RADV_DEBUG=nocache,llvm");
        let mut traced = environment_with(None, |_| None);
        debug_information(&mut traced);
        assert_eq!(traced[2], ("RADV_DEBUG", "nocache,nirdebuginfo".into()));
    }

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
            let names = looked_at(all, chip).into_iter();
            names.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        let family = "RADV_FORCE_FAMILY=vega10".to_owned();
        let others = ["ACO_DEBUG=noopt".to_owned(), "radv_zero_vram=true".to_owned()];
        assert_eq!(named(Some(Target::Gfx803)), others);
        assert_eq!(named(None), [others[0].clone(), family, others[1].clone()]);
    }
}
