//! Mesa's compilers without their GPUs: the ways to run them, in one table.
//!
//! A chip is chosen by the environment of the process that uses the driver, before that process opens a Vulkan
//! instance.
//! * Mesa's AMD driver up to 25 has a null device: `RADV_FORCE_FAMILY` names the chip. A name that this version does not
//!   know ends the process (`radv: Unknown family: …`).
//! * A library that is preloaded can stand in for the kernel's driver. Mesa's package `mesa-drm-shim` has some: of AMD
//!   (`AMDGPU_GPU_ID` names the chip; an unknown one ends the process: `Failed to find amdgpu GPU …`), of Qualcomm, of
//!   NVIDIA, and of Apple, for one chip. That of Intel is this product's own.
//!
//! These libraries hide the real devices, and most drivers report the product's own name. Names of AMD's chips differ by
//! version ([`TargetInfo::mesa_names`](lanescope_model::target::TargetInfo)). So a way is tried in a child process only, one
//! after the other, until a device [is that chip](Way::is_device).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::installed::{Icd, library};
use crate::gpu::{DeviceInfo, GpuError, known_devices};
use lanescope_base::named_enum;
use lanescope_model::chip::{Chip, INTEL_GPU, Vendor};
use lanescope_model::target::Target;

named_enum!(
    /// A means by which a driver compiles for a chip that is not installed.
    Backend {
        /// The AMD driver's own null device, up to Mesa 25.
        NullDevice = "null-device",
        /// A preloaded library instead of the kernel's driver.
        DrmShim = "drm-shim",
    }
);

/// One means of one vendor's driver.
struct BackendInfo {
    vendor: Vendor,
    backend: Backend,
    /// The variable that chooses the chip; none where there is one chip only.
    variable: Option<&'static str>,
    /// What the device's name starts with.
    device: &'static str,
    /// The library that has to be preloaded.
    library: Option<Library>,
    /// `VkDriverId` of the driver.
    driver: i32,
}

/// A library that stands in for the kernel's driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Library {
    /// Its file name.
    pub name: &'static str,
    /// The package of Debian and Ubuntu that brings it; none for this product's own.
    pub package: Option<&'static str>,
}

/// Every means, in the order in which they are tried.
const BACKENDS: [BackendInfo; 6] = [
    BackendInfo {
        backend: Backend::NullDevice,
        variable: Some("RADV_FORCE_FAMILY"),
        device: "Null hardware",
        library: None,
        ..AMD
    },
    AMD,
    BackendInfo {
        vendor: Vendor::Intel,
        variable: Some(INTEL_GPU),
        library: Some(Library { name: "liblanescope_intel.so", package: None }),
        driver: 6,
        ..AMD
    },
    BackendInfo {
        vendor: Vendor::Nvidia,
        variable: Some("NOUVEAU_CHIPSET"),
        library: packaged("libnouveau_noop_drm_shim.so"),
        driver: 24,
        ..AMD
    },
    BackendInfo {
        vendor: Vendor::Qualcomm,
        variable: Some("FD_GPU_ID"),
        library: packaged("libfreedreno_noop_drm_shim.so"),
        driver: 18,
        ..AMD
    },
    BackendInfo {
        vendor: Vendor::Apple,
        variable: None,
        library: packaged("libasahi_noop_drm_shim.so"),
        driver: 26,
        ..AMD
    },
];

const AMD: BackendInfo = BackendInfo {
    vendor: Vendor::Amd,
    backend: Backend::DrmShim,
    variable: Some("AMDGPU_GPU_ID"),
    device: "",
    library: packaged("libamdgpu_noop_drm_shim.so"),
    driver: RADV,
};

const fn packaged(name: &'static str) -> Option<Library> {
    Some(Library { name, package: Some("mesa-drm-shim") })
}

/// The PCI vendor of every AMD GPU.
const AMD_VENDOR: u32 = 0x1002;
/// `VkDriverId` of Mesa's AMD driver (`VK_DRIVER_ID_MESA_RADV`).
const RADV: i32 = 3;

/// One way to a chip that is not installed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// Whose driver.
    pub vendor: Vendor,
    /// By which means.
    pub backend: Backend,
    /// The name of the chip there.
    pub name: String,
    /// The library to preload, for a back end that needs one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub library: Option<PathBuf>,
}

/// The chips that some driver compiles for without the hardware, by vendor. Which of them the installed
/// ones know, a child process finds out.
pub fn chips() -> impl Iterator<Item = Chip> {
    Chip::all().filter(|chip| chip.target().is_none_or(|target| !target.info().mesa_names.is_empty()))
}

/// The libraries that stand in for kernels' drivers, of one vendor.
pub fn libraries(vendor: Vendor) -> impl Iterator<Item = Library> {
    BACKENDS.iter().filter(move |row| row.vendor == vendor).filter_map(|row| row.library)
}

/// The name by which a way's driver knows a chip; several where versions differ, those of newer ones first.
fn names(chip: Chip) -> Vec<&'static str> {
    match chip {
        Chip::Amd(target @ Target::Named(_)) => vec![target.name()],
        Chip::Amd(target) => target.info().mesa_names.to_vec(),
        Chip::Other(other) => vec![other.info().id],
    }
}

impl Way {
    fn info(&self) -> Option<&'static BackendInfo> {
        BACKENDS.iter().find(|row| (row.vendor, row.backend) == (self.vendor, self.backend))
    }

    /// The ways to a chip, in the order in which to try them. A back end whose library is not installed, beside the driver
    /// `icd` or in the system's folders, is left out.
    pub fn to(chip: Chip, icd: Option<&Icd>) -> Vec<Way> {
        Way::with(chip, |name| library(name, icd))
    }

    fn with(chip: Chip, library: impl Fn(&str) -> Option<PathBuf>) -> Vec<Way> {
        let of = |row: &BackendInfo| -> Vec<Way> {
            let library = match row.library {
                Some(needed) => match library(needed.name) {
                    None => return Vec::new(),
                    found => found,
                },
                None => None,
            };
            let way = |name: &str| Way {
                vendor: row.vendor,
                backend: row.backend,
                name: name.to_owned(),
                library: library.clone(),
            };
            names(chip).into_iter().map(way).collect()
        };
        BACKENDS.iter().filter(|row| row.vendor == chip.vendor()).flat_map(of).collect()
    }

    /// The way that this process's environment prepares; `None` in a process that was started for installed devices.
    pub fn of_process() -> Option<Way> {
        Way::of_variables(|name| std::env::var(name).ok())
    }

    fn of_variables(value: impl Fn(&str) -> Option<String>) -> Option<Way> {
        let preloaded = value(PRELOAD).unwrap_or_default();
        let is_loaded = |row: &&BackendInfo| row.library.is_none_or(|library| preloaded.contains(library.name));
        BACKENDS.iter().filter(is_loaded).find_map(|row| {
            let name = match row.variable {
                Some(variable) => value(variable).filter(|name| !name.is_empty())?,
                None => chips().find(|chip| chip.vendor() == row.vendor).and_then(|chip| names(chip).pop())?.to_owned(),
            };
            Some(Way { vendor: row.vendor, backend: row.backend, name, library: None })
        })
    }

    /// What selects the chip, as a shell takes it: `NAME=VALUE`; the library where no variable does.
    pub fn setting(&self) -> String {
        match self.info().map(|row| (row.variable, row.library)) {
            Some((Some(variable), _)) => format!("{variable}={}", self.name),
            Some((None, Some(library))) => format!("{PRELOAD}={}", library.name),
            _ => String::new(),
        }
    }

    /// Whether it selects that chip, judging by names.
    pub fn leads_to(&self, chip: Chip) -> bool {
        self.vendor == chip.vendor() && names(chip).iter().any(|name| name.eq_ignore_ascii_case(&self.name))
    }

    /// Whether a device that a process of this way lists is the chip: by the driver, and by the name that it gives the
    /// device. AMD's is `… (RADV NAVI21)`, or `… (RADV NAVI21 (LLVM 15.0.6))` where LLVM compiles.
    pub fn is_device(&self, device: &DeviceInfo) -> bool {
        let Some(row) = self.info() else { return false };
        let is_of_driver = device.driver_id == Some(row.driver) && device.name.starts_with(row.device);
        is_of_driver
            && if self.vendor == Vendor::Amd {
                let chip = device.name.rsplit_once("(RADV ").and_then(|(_, rest)| rest.split([' ', ')']).next());
                device.vendor == Some(AMD_VENDOR) && chip.is_some_and(|chip| chip.eq_ignore_ascii_case(&self.name))
            } else {
                let own = chips().find(|chip| self.leads_to(*chip));
                own.is_some_and(|chip| !chip.driver().names_chips() || device.name.contains(&self.name.to_uppercase()))
            }
    }

    /// The name of the device that is the chip, where this process offers one.
    ///
    /// # Errors
    /// There is no loader, or Vulkan refuses.
    pub(super) fn device_name(&self) -> Result<Option<String>, GpuError> {
        Ok(known_devices()?.into_iter().find(|device| self.is_device(device)).map(|device| device.name))
    }
}

/// Whether a device is AMD's null one.
pub fn is_null_device(device: &DeviceInfo) -> bool {
    device.driver_id == Some(RADV) && device.name.starts_with(BACKENDS[0].device)
}

/// The variable of the dynamic loader that names libraries to load first.
const PRELOAD: &str = "LD_PRELOAD";
/// The variable of the AMD driver's debugging switches.
const DEBUG: &str = "RADV_DEBUG";

/// The word there that turns off the driver's caches.
const NO_CACHE: &str = "nocache";
/// The variable of the folder below which programs keep caches (XDG Base Directory Specification).
const CACHE_FOLDER: &str = "XDG_CACHE_HOME";

/// The variable of the AMD driver's features that are off by default.
const FEATURES: &str = "RADV_PERFTEST";
/// The word there for pipeline libraries.
const LIBRARIES: &str = "gpl";

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

/// The environment of a process that makes no pipeline libraries. With them, Mesa 22's AMD driver makes all of its internal
/// pipelines with each device, which takes several times as long as a compilation.
pub fn without_pipeline_libraries(environment: &mut [(&'static str, OsString)]) {
    for (_, value) in environment.iter_mut().filter(|(name, _)| *name == FEATURES) {
        *value = words(value).filter(|word| word != LIBRARIES).collect::<Vec<_>>().join(",").into();
    }
}

/// The environment of a process in which the AMD driver keeps its internal pipelines in that folder: Mesa 22 makes all of
/// them with each device, which takes longer than a compilation. Its file there (`radv_builtin_shaders64`) is
/// written when a device is closed, and read unless `nocache` is set or pipeline libraries are on.
///
/// For processes whose pipelines capture internal representations: the driver looks up none of those in its caches, which
/// `nocache` otherwise turns off. A user's own `nocache` stays, and then nothing is kept.
pub fn with_kept_internal_pipelines(environment: &mut Vec<(&'static str, OsString)>, folder: &Path) {
    let is_users = std::env::var_os(DEBUG).is_some_and(|value| words(&value).any(|word| word == NO_CACHE));
    if is_users {
        return;
    }
    for (_, value) in environment.iter_mut().filter(|(name, _)| *name == DEBUG) {
        *value = words(value).filter(|word| word != NO_CACHE).collect::<Vec<_>>().join(",").into();
    }
    environment.push((CACHE_FOLDER, folder.into()));
}

/// The words of a variable that lists them with commas.
fn words(value: &OsStr) -> impl Iterator<Item = String> {
    value.to_string_lossy().split(',').map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// The environment of a process that requests the driver's debug information ([`super::origin::debug_info`]).
pub fn debug_information(environment: &mut [(&'static str, OsString)]) {
    for (_, value) in environment.iter_mut().filter(|(name, _)| *name == DEBUG) {
        value.push(",");
        value.push(super::origin::debug_info::SETTING);
    }
}

/// NVIDIA's cache on disk, which keeps what any process has compiled: a compile that it serves takes a tenth of the time.
const NVIDIA_CACHE: &str = "__GL_SHADER_DISK_CACHE";

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
        (FEATURES, "gpl,ext_ms,nv_ms,rt".into()),
        ("MESA_SHADER_CACHE_DISABLE", "true".into()),
        (DEBUG, joined(DEBUG, NO_CACHE.into(), false)),
        (NVIDIA_CACHE, "0".into()),
    ];
    if let Some(way) = way {
        let variable = way.info().and_then(|row| row.variable);
        out.extend(variable.map(|variable| (variable, way.name.clone().into())));
        let library = way.library.as_deref().map(Path::as_os_str);
        out.extend(library.map(|library| (PRELOAD, joined(PRELOAD, library.to_owned(), true))));
    }
    out
}

/// What the names of variables start with that change what Mesa's compilers make, and how its drivers are loaded.
/// Settings of its drivers are variables too, in lower case. The last one hides extensions.
const LOOKED_AT: [&str; 24] = [
    "ACO_",
    "AGX_",
    "AMD_",
    "AMDGPU_",
    "ANV_",
    "ASAHI_",
    "FD_",
    "HK_",
    "INTEL_",
    "IR3_",
    INTEL_GPU,
    "LP_",
    "LVP_",
    "MESA_",
    "NAK_",
    "NIR_",
    "NOUVEAU_",
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
pub fn inherited(chip: Option<Chip>) -> Vec<(String, String)> {
    looked_at(std::env::vars_os(), chip)
}

fn looked_at(all: impl Iterator<Item = (OsString, OsString)>, chip: Option<Chip>) -> Vec<(String, String)> {
    let text = |text: OsString| text.to_string_lossy().into_owned();
    let mut out: Vec<_> = all.map(|(name, value)| (text(name), text(value))).collect();
    let is_set = |name: &str| {
        let chooses = BACKENDS.iter().any(|row| row.variable == Some(name));
        [FEATURES, "MESA_SHADER_CACHE_DISABLE"].contains(&name) || chip.is_some() && chooses
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

    fn ways(chip: impl Into<Chip>, shim: bool) -> Vec<String> {
        let all = Way::with(chip.into(), |_| shim.then(|| SHIM.into()));
        all.iter().map(|way| format!("{} {}", way.backend, way.name)).collect()
    }

    #[test]
    fn each_back_end_is_tried_under_every_name_of_the_chip() {
        for backend in Backend::ALL {
            assert!(BACKENDS.iter().any(|row| row.backend == *backend));
        }
        for vendor in Vendor::ALL {
            assert!(BACKENDS.iter().any(|row| row.vendor == *vendor));
        }
        assert_eq!(ways(Target::Gfx1100, false), ["null-device navi31", "null-device gfx1100"]);
        assert_eq!(
            ways(Target::Gfx1150, true),
            ["null-device strix1", "null-device gfx1150", "drm-shim strix1", "drm-shim gfx1150"]
        );
        let hawaii = Target::of_driver("hawaii").expect("a name");
        assert_eq!(ways(hawaii, false), ["null-device hawaii"]);
        assert!(chips().any(|chip| chip == Target::Gfx803.into()));
        assert_eq!(ways(Chip::of_driver("ga102").expect("a name"), true), ["drm-shim 172"]);
        assert_eq!(ways(Chip::of_driver("tgl").expect("a name"), false), [""; 0]);
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
        let way = Way { vendor: Vendor::Amd, backend: Backend::NullDevice, name: "gfx1100".to_owned(), library: None };
        assert!(way.leads_to(Target::Gfx1100.into()) && !way.leads_to(Target::Gfx1030.into()));
    }

    #[test]
    fn a_device_is_the_chip_by_vendor_driver_and_name() {
        let device = |name: &str, driver_id, vendor| DeviceInfo {
            name: name.to_owned(),
            driver_id: Some(driver_id),
            vendor: Some(vendor),
            ..DeviceInfo::default()
        };
        let way = |backend, name: &str| Way { vendor: Vendor::Amd, backend, name: name.to_owned(), library: None };
        let (null, shim) = (way(Backend::NullDevice, "navi21"), way(Backend::DrmShim, "navi21"));
        let (made_up, product) = ("Null hardware (RADV NAVI21)", "AMD Radeon RX 6800 (RADV NAVI21)");
        assert!(null.is_device(&device(made_up, RADV, AMD_VENDOR)));
        // LLVM compiles instead of ACO; names of other chips may start with a chip's.
        assert!(null.is_device(&device("Null hardware (RADV NAVI21 (LLVM 15.0.6))", RADV, AMD_VENDOR)));
        let raven = way(Backend::NullDevice, "raven");
        assert!(!raven.is_device(&device("Null hardware (RADV RAVEN2 (LLVM 15.0.6))", RADV, AMD_VENDOR)));
        assert!(!raven.is_device(&device("Null hardware (RADV RAVEN2)", RADV, AMD_VENDOR)));
        // An installed GPU of the same chip does not stand in for the null device.
        assert!(!null.is_device(&device(product, RADV, AMD_VENDOR)));
        assert!(shim.is_device(&device(product, RADV, AMD_VENDOR)));
        assert!(!way(Backend::DrmShim, "navi31").is_device(&device(product, RADV, AMD_VENDOR)));
        assert!(!shim.is_device(&device(product, 2, AMD_VENDOR)));
        assert!(!shim.is_device(&device(product, RADV, 0x10005)));
    }

    #[test]
    fn each_vendors_driver_is_known_by_its_number_and_the_name_of_its_device() {
        let device = |name: &str, driver_id| DeviceInfo {
            name: name.to_owned(),
            driver_id: Some(driver_id),
            ..DeviceInfo::default()
        };
        let way = |chip: &str| Way::with(chip.parse().expect("a chip"), |_| Some("/x.so".into())).remove(0);
        let (adreno, intel, nvidia, apple) = (way("adreno630"), way("dg2"), way("ga102"), way("m1"));
        assert!(adreno.is_device(&device("Turnip Adreno (TM) 630", 18)));
        assert!(!adreno.is_device(&device("Turnip Adreno (TM) 650", 18)));
        assert!(intel.is_device(&device("Intel(R) Arc(tm) A770 Graphics (DG2)", 6)));
        assert!(!intel.is_device(&device("llvmpipe (LLVM 15.0.6, 256 bits)", 13)));
        assert!(nvidia.is_device(&device("NVK ", 24)) && apple.is_device(&device("Apple M1 (G13G A0)", 26)));
        let preloaded = |name: &str| (name == PRELOAD).then(|| "/lib/libasahi_noop_drm_shim.so".to_owned());
        let found = Way::of_variables(preloaded).expect("a way");
        assert!(found.leads_to("m1".parse().expect("a chip")));
        assert_eq!(
            (adreno.setting(), found.setting()),
            ("FD_GPU_ID=630".to_owned(), "LD_PRELOAD=libasahi_noop_drm_shim.so".to_owned(),)
        );
    }

    #[test]
    fn the_environment_keeps_the_users_switches() {
        let shim = Way {
            vendor: Vendor::Amd,
            backend: Backend::DrmShim,
            name: "navi21".to_owned(),
            library: Some(SHIM.into()),
        };
        let set = |way: Option<&Way>, theirs: &[(&str, &str)]| {
            let found = |name: &str| theirs.iter().find(|row| row.0 == name).map(|row| row.1.into());
            let all = environment_with(way, found).into_iter();
            all.map(|(name, value)| format!("{name}={}", value.to_string_lossy())).collect::<Vec<_>>()
        };
        let own = [
            "RADV_PERFTEST=gpl,ext_ms,nv_ms,rt",
            "MESA_SHADER_CACHE_DISABLE=true",
            "RADV_DEBUG=nocache",
            "__GL_SHADER_DISK_CACHE=0",
        ];
        assert_eq!(set(None, &[]), own);
        let all = set(Some(&shim), &[("RADV_DEBUG", "llvm"), (PRELOAD, "/x.so")]);
        let preload = format!("LD_PRELOAD={SHIM}:/x.so");
        assert_eq!(
            (all[2].as_str(), &all[4..]),
            ("RADV_DEBUG=llvm,nocache", &["AMDGPU_GPU_ID=navi21".to_owned(), preload][..])
        );
        assert_eq!(set(None, &[("RADV_DEBUG", "nocache,llvm")])[2], "RADV_DEBUG=nocache,llvm");
        let mut whole = environment_with(None, |_| None);
        without_pipeline_libraries(&mut whole);
        assert_eq!(whole[0], ("RADV_PERFTEST", "ext_ms,nv_ms,rt".into()));
        let mut kept = environment_with(None, |_| None);
        with_kept_internal_pipelines(&mut kept, Path::new("/kept"));
        assert_eq!((&kept[2], &kept[4..]), (&("RADV_DEBUG", "".into()), &[("XDG_CACHE_HOME", "/kept".into())][..]));
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
        let named = |chip: Option<Chip>| {
            let all = all.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
            let names = looked_at(all, chip).into_iter();
            names.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        let family = "RADV_FORCE_FAMILY=vega10".to_owned();
        let others = ["ACO_DEBUG=noopt".to_owned(), "radv_zero_vram=true".to_owned()];
        assert_eq!(named(Some(Target::Gfx803.into())), others);
        assert_eq!(named(None), [others[0].clone(), family, others[1].clone()]);
    }
}
