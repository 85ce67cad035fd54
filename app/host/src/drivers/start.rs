//! Starts the child that hosts a driver. Ways to reach an offline target are tried in order.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lanescope_core::chip::{Chip, Driver, Vendor};
use lanescope_core::driver::installed::{self, Icd};
use lanescope_core::driver::{self, CompileOptions, Unavailable, Way};
use lanescope_core::gpu::DeviceInfo;
use lanescope_core::target::Target;

use super::internal_pipelines;
use crate::worker::{Client, Failure, Launch, Reply, Request, WorkerError};

/// A child whose environment offers what was requested.
#[derive(Debug)]
pub struct Started {
    /// The child.
    pub client: Client,
    /// The device; `None` where an installed one was requested and is not found. The child says so when it is used.
    pub device: Option<DeviceInfo>,
    /// The way to the chip, where one was requested.
    pub way: Option<Way>,
}

/// Why no child was started.
#[derive(Debug)]
pub enum StartError {
    /// No driver offers what was requested.
    Unavailable(Unavailable),
    /// The child itself.
    Worker(WorkerError),
}

impl From<Unavailable> for StartError {
    fn from(why: Unavailable) -> StartError {
        StartError::Unavailable(why)
    }
}

impl From<WorkerError> for StartError {
    fn from(error: WorkerError) -> StartError {
        StartError::Worker(error)
    }
}

impl From<StartError> for WorkerError {
    fn from(error: StartError) -> WorkerError {
        match error {
            StartError::Unavailable(why) => {
                WorkerError::Failed(Failure { missing: true, ..Failure::from(why.to_string()) })
            }
            StartError::Worker(error) => error,
        }
    }
}

/// Starts a child for one device or chip, and asks it for its devices. `on_start` sees each child before it is asked
/// anything. `base` holds the limits, and variables of the caller's own.
///
/// # Errors
/// The reason where no driver offers the chip; else see [`Client::ask`].
pub fn start(with: &CompileOptions, base: &Launch, on_start: &dyn Fn(&Client)) -> Result<Started, StartError> {
    start_linking(with, true, base, on_start)
}

/// The same for a child that makes pipeline libraries, or that makes none.
pub(super) fn start_linking(
    with: &CompileOptions,
    libraries: bool,
    base: &Launch,
    on_start: &dyn Fn(&Client),
) -> Result<Started, StartError> {
    let icd = with.icd.as_deref().map(named);
    let Some(chip) = with.chip else {
        let Listed { client, devices, said } = list((with, libraries), base, None, icd.as_ref(), on_start)?;
        let found = driver::choose(&devices, None, with).and_then(|index| devices.get(index)).cloned();
        return match (&with.icd, found) {
            (Some(manifest), None) if devices.is_empty() => {
                Err(Unavailable { why: no_driver(&manifest.display().to_string(), &said), package: None }.into())
            }
            (_, device) => Ok(Started { client, device, way: None }),
        };
    };
    let icds = icds_of(chip, icd);
    if let Some(why) = no_driver_of(chip, with, &icds) {
        return Err(why.into());
    }
    let known = known_way(with, chip, None);
    let ways_of = |icd: &Option<Icd>| -> Vec<(Way, Option<Icd>)> {
        Way::to(chip, icd.as_ref()).into_iter().map(|way| (way, icd.clone())).collect()
    };
    let mut ways: Vec<(Way, Option<Icd>)> = icds.iter().flat_map(ways_of).collect();
    ways.sort_by_key(|(way, _)| known.as_ref() != Some(way));
    let mut tried = Vec::new();
    for (way, icd) in ways {
        match list((with, libraries), base, Some(&way), icd.as_ref(), on_start) {
            Ok(Listed { client, devices, said }) => {
                if let Some(index) = driver::choose(&devices, Some(&way), with) {
                    known_way(with, chip, Some(&way));
                    return Ok(Started { client, device: devices.into_iter().nth(index), way: Some(way) });
                }
                tried.push((way, Ok((devices, said))));
            }
            // Neither the driver nor the chip is at fault.
            Err(error @ (WorkerError::Start(_) | WorkerError::Cancelled { .. } | WorkerError::TimedOut { .. })) => {
                return Err(error.into());
            }
            Err(error) => tried.push((way, Err(error))),
        }
    }
    Err(match chip.vendor() {
        Vendor::Amd => unavailable(chip, with, icds.first().and_then(Option::as_ref), tried),
        _ => not_offered(chip, tried),
    })
}

/// The driver of a manifest; copies of manifests are kept in the user's cache folder.
pub fn named(manifest: &Path) -> Icd {
    let copies = super::folder_of_user("icd").unwrap_or_else(|| std::env::temp_dir().join("lanescope-icd"));
    Icd::named(manifest, &copies)
}

/// The way that leads to a chip: the one that did, else the first that would be tried.
pub fn way_to(with: &CompileOptions, chip: Chip) -> Option<Way> {
    known_way(with, chip, None).or_else(|| Way::to(chip, with.icd.as_deref().map(named).as_ref()).into_iter().next())
}

/// The way that led to a chip last time in this process; `found` keeps one.
fn known_way(with: &CompileOptions, chip: Chip, found: Option<&Way>) -> Option<Way> {
    static KNOWN: Mutex<BTreeMap<(Option<PathBuf>, Chip), Way>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (with.icd.clone(), chip);
    match found {
        Some(way) => known.insert(key, way.clone()),
        None => known.get(&key).cloned(),
    }
}

/// A child that was started, and its devices.
struct Listed {
    client: Client,
    devices: Vec<DeviceInfo>,
    /// What it said on standard error where it has no device.
    said: String,
}

/// Starts a child, and lists its devices.
fn list(
    (with, libraries): (&CompileOptions, bool),
    base: &Launch,
    way: Option<&Way>,
    icd: Option<&Icd>,
    on_start: &dyn Fn(&Client),
) -> Result<Listed, WorkerError> {
    let mut set = driver::environment(way);
    if !libraries {
        driver::without_pipeline_libraries(&mut set);
        // The driver makes a file, and no folder for it.
        if let Some(folder) = internal_pipelines::folder(with)
            && std::fs::create_dir_all(&folder).is_ok()
        {
            driver::with_kept_internal_pipelines(&mut set, &folder);
        }
    }
    if with.debug_information {
        driver::debug_information(&mut set);
    }
    let set = set.into_iter().map(|(name, value)| (OsString::from(name), value));
    let environment = set.chain(icd.iter().flat_map(|icd| icd.environment())).chain(base.environment.iter().cloned());
    let mut client = Client::start(&Launch { environment: environment.collect(), ..base.clone() })?;
    on_start(&client);
    match client.ask(&Request::Devices) {
        Ok(Reply::Devices(devices)) => {
            let said = if devices.is_empty() { client.said() } else { String::new() };
            Ok(Listed { client, devices, said })
        }
        // A loader that is missing, or that refuses: the next request says it again.
        Err(WorkerError::Failed(_)) if way.is_none() && icd.is_none() => {
            Ok(Listed { client, devices: Vec::new(), said: String::new() })
        }
        Ok(_) => Err(WorkerError::Protocol { doing: Request::Devices.doing(), what: "unexpected reply".to_owned() }),
        Err(error) => Err(error),
    }
}

/// Result of one way: devices and messages, or the failure of the child.
type Tried = (Way, Result<(Vec<DeviceInfo>, String), WorkerError>);

/// The drivers to try for a chip: the chosen one, else the loader's choice for AMD's, else each installed manifest of the
/// chip's driver. Some are for programs of another architecture.
fn icds_of(chip: Chip, chosen: Option<Icd>) -> Vec<Option<Icd>> {
    match (chosen, chip.driver()) {
        (Some(icd), _) => vec![Some(icd)],
        (None, Driver::Radv) => vec![None],
        (None, driver) => {
            let own = |manifest: &PathBuf| installed::driver_of(manifest) == Some(driver);
            installed::manifests()
                .iter()
                .filter(|manifest| own(manifest))
                .map(|manifest| Some(named(manifest)))
                .collect()
        }
    }
}

/// Why no way leads to a chip of another vendor than AMD, before one is tried: its driver, or the library that stands in
/// for the kernel's, is missing.
fn no_driver_of(chip: Chip, with: &CompileOptions, icds: &[Option<Icd>]) -> Option<Unavailable> {
    let driver = chip.driver();
    if driver == Driver::Radv {
        return None;
    }
    if let Some(manifest) = &with.icd {
        let is_own = installed::driver_of(manifest) == Some(driver);
        let why = || format!("{} is not a manifest of {driver}", manifest.display());
        if !is_own {
            return Some(Unavailable { why: why(), package: None });
        }
    } else if icds.is_empty() {
        // The package has the drivers of one version: where one of them is there, the others are not missing parts of it.
        let has_mesa = installed::manifests().iter().any(|manifest| installed::driver_of(manifest).is_some());
        let (why, package) = match has_mesa {
            true => (format!("the loader finds manifests of drivers of Mesa, and none of {driver}"), None),
            false => {
                (format!("the loader does not find a manifest of {driver}"), Some("mesa-vulkan-drivers".to_owned()))
            }
        };
        return Some(Unavailable { why, package });
    }
    let is_missing =
        |library: &driver::Library| icds.iter().all(|icd| installed::library(library.name, icd.as_ref()).is_none());
    let missing = driver::libraries(chip.vendor()).find(is_missing)?;
    let why = format!("{}, which {driver} needs where the GPU is not installed, was not found", missing.name);
    Some(Unavailable { why, package: missing.package.map(str::to_owned) })
}

/// Why a driver that was tried does not offer a chip of another vendor than AMD.
fn not_offered(chip: Chip, tried: Vec<Tried>) -> StartError {
    let driver = chip.driver();
    let mut found = "it lists no device".to_owned();
    for (_, result) in tried {
        match result {
            Ok((devices, _)) => {
                // A device of Vulkan 1.0 does not say its driver.
                let about = |device: &DeviceInfo| {
                    format!("its device is `{}`, with Vulkan {} (1.3 is needed)", device.name, device.api_version)
                };
                found = devices.first().map_or(found, about)
            }
            // Mesa's drivers that do not know a GPU refuse to list devices.
            Err(WorkerError::Failed(failure)) => found = failure.to_string(),
            Err(error) => return error.into(),
        }
    }
    Unavailable { why: format!("the installed {driver} does not offer {chip}: {found}"), package: None }.into()
}

/// Why none of the ways led to the chip: what the driver itself says of its name, else what is missing.
fn unavailable(chip: Chip, with: &CompileOptions, icd: Option<&Icd>, tried: Vec<Tried>) -> StartError {
    let is_radv = |manifest: &Path| installed::driver_of(manifest) == Some(Driver::Radv);
    let radv = match &with.icd {
        Some(manifest) => is_radv(manifest),
        None => installed::manifests().iter().any(|manifest| is_radv(manifest)),
    };
    let shim = driver::libraries(Vendor::Amd).next().map_or("", |library| library.name);
    let said = tried.iter().find_map(|(_, result)| result.as_ref().ok().filter(|(devices, _)| devices.is_empty()));
    let said = said.map_or("", |(_, said)| said.as_str());
    let unknown = tried.iter().find_map(|(_, result)| match result {
        Err(WorkerError::Crashed { last_words, .. }) => unknown_chip(last_words),
        _ => None,
    });
    let listed: Vec<&DeviceInfo> =
        tried.iter().filter_map(|(_, result)| result.as_ref().ok()).flat_map(|(devices, _)| devices).collect();
    let null_device = listed.iter().find(|device| driver::is_null_device(device));
    let other = listed.first().filter(|_| !radv).map(|device| device.name.clone());
    let null_device = null_device.map(|device| device.name.clone());
    let (why, package) = match (&with.icd, unknown) {
        (_, Some(line)) if matches!(chip, Chip::Amd(Target::Named(_))) => {
            (format!("neither `lanescope help targets` nor the installed RADV has a chip of this name: {line}"), None)
        }
        (_, Some(line)) => (format!("the installed Mesa does not offer {chip}: {line}"), None),
        (Some(manifest), None) if let Some(device) = &other => (no_chips(manifest, chip, device), None),
        (Some(manifest), None) if !said.is_empty() || !radv => (no_driver(&manifest.display().to_string(), said), None),
        (None, None) if !radv => {
            let why = format!("no compiler for {chip}: the loader does not find a manifest of Mesa's AMD driver");
            (why, Some("mesa-vulkan-drivers"))
        }
        _ => match tried.into_iter().find_map(|(_, result)| result.err()) {
            Some(error) => return error.into(),
            None if let Some(name) = null_device => {
                (format!("no compiler for {chip}: the driver's null device is `{name}`"), None)
            }
            None if installed::library(shim, icd).is_none() => {
                let why = format!(
                    "no compiler for {chip}: the driver offers no null device (Mesa 26 and newer have none), and {shim} \
                     was not found"
                );
                (why, Some("mesa-drm-shim"))
            }
            None => (format!("no compiler for {chip}: neither the null device nor {shim} supports it"), None),
        },
    };
    Unavailable { why, package: package.map(str::to_owned) }.into()
}

/// The line in which a driver says that it does not know a chip's name.
fn unknown_chip(last_words: &str) -> Option<&str> {
    let says = |line: &&str| line.contains("Unknown family") || line.contains("Failed to find amdgpu GPU");
    last_words.lines().rev().find(says).map(str::trim)
}

/// A driver without chips to choose from.
fn no_chips(manifest: &Path, chip: Chip, device: &str) -> String {
    format!(
        "no compiler for {chip}: {} is not Mesa's AMD driver; its device is `{device}` (`--device` names one)",
        manifest.display()
    )
}

/// A driver that offers no device, with the loader's reason.
fn no_driver(manifest: &str, said: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in said.lines().map(str::trim).filter(|line| line.contains("ERROR") || line.contains("WARNING")) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    match lines.as_slice() {
        [] => format!("{manifest}: the driver offers no device"),
        all => format!("{manifest}: the driver offers no device: {}", all.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_the_drivers_message_as_reason() {
        let words = "error: XDG_RUNTIME_DIR is invalid\nradv: Unknown family: gfx1201\nAborted";
        assert_eq!(unknown_chip(words), Some("radv: Unknown family: gfx1201"));
        let shim = "MESA: error: Failed to find amdgpu GPU named \"foo\"\n";
        assert_eq!(unknown_chip(shim), Some("MESA: error: Failed to find amdgpu GPU named \"foo\""));
        assert_eq!(unknown_chip("Segmentation fault"), None);
    }

    #[test]
    fn gives_the_loaders_reason_once() {
        let said = "ERROR: libLLVM.so.99: cannot open\nINFO: x\nERROR: libLLVM.so.99: cannot open\n";
        let expected = "/a.json: the driver offers no device: ERROR: libLLVM.so.99: cannot open";
        assert_eq!(no_driver("/a.json", said), expected);
    }
}
