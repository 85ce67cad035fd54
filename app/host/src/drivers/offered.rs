//! Chips that the installed drivers compile for: tried in child processes, one chip each, and cached until a driver
//! changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lanescope_core::chip::{Chip, Vendor};
use lanescope_core::driver::{
    CompileOptions, Offer, Offered, Unavailable, Version, chips, inherited, installed, libraries,
};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::run::{Blob, hash};

use super::start::{StartError, named, start};
use crate::disk_cache::{DiskCache, Found};
use crate::worker::{Client, CompileRequest, Launch, Limits, LoadRequest, Reply, Request, WorkerError};

/// Every chip of the tables with what the driver of a manifest, or the installed ones, offer for it; by vendor, oldest
/// first.
/// `base` says which executable the children are.
pub fn offered(icd: Option<&Path>, base: &Launch) -> Vec<Offered> {
    let kept = kept();
    let key = state(icd);
    let known = kept.as_ref().and_then(|kept| match kept.load(&key) {
        Ok(Found::Entry(json)) => serde_json::from_slice::<Vec<Offered>>(&json).ok(),
        _ => None,
    });
    // A build of this program with another table asks again.
    let all: Vec<Chip> = chips().collect();
    if let Some(known) = known.filter(|known| known.iter().map(|offered| offered.chip).eq(all.iter().copied())) {
        return known;
    }
    let asked = ask(&all, icd, base);
    if let Some((kept, json)) = kept.zip(serde_json::to_vec(&asked).ok()) {
        // Nothing is lost but time where this fails.
        let _ = kept.keep(&key, &json);
    }
    asked
}

/// The chips of some vendors that at least one of the drivers offers for all pipelines, oldest first.
///
/// # Errors
/// No driver offers any: the reason of the last one asked.
pub fn chips_of_any(icds: &[Option<&Path>], vendors: &[Vendor]) -> Result<Vec<Chip>, String> {
    let asked = |offered: &Offered| vendors.contains(&offered.chip.vendor());
    let all: Vec<Offered> = icds.iter().flat_map(|icd| offered(*icd, &Launch::default())).filter(asked).collect();
    let found: BTreeSet<Chip> = all.iter().filter(|offered| is_whole(offered)).map(|offered| offered.chip).collect();
    let why = all.iter().rev().find_map(|offered| offered.device.as_ref().err());
    match (found.is_empty(), why) {
        (true, Some(why)) => Err(why.to_string()),
        _ => Ok(found.into_iter().collect()),
    }
}

/// Whether pipelines compile for a chip, not single stages only.
fn is_whole(offered: &Offered) -> bool {
    offered.device.as_ref().is_ok_and(|offer| offer.no_pipelines.is_none())
}

/// Asks a driver for chips, several at a time.
fn ask(all: &[Chip], icd: Option<&Path>, base: &Launch) -> Vec<Offered> {
    let (next, trial) = (AtomicUsize::new(0), trial(base));
    let out = Mutex::new(Vec::new());
    let at_once = std::thread::available_parallelism().map_or(2, usize::from).min(all.len());
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(chip) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let offered = Offered { chip: *chip, device: one(*chip, icd, base, trial.as_ref()) };
                    out.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(offered);
                }
            });
        }
    });
    let mut out = out.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    out.sort_by_key(|offered| offered.chip);
    out
}

fn one(chip: Chip, icd: Option<&Path>, base: &Launch, trial: Option<&Trial>) -> Result<Offer, Unavailable> {
    let with = CompileOptions { chip: Some(chip), icd: icd.map(Path::to_owned), ..CompileOptions::default() };
    let limits = Limits { time: Duration::from_secs(20), ..Limits::default() };
    let launch = Launch { limits, ..base.clone() };
    let started = start(&with, &launch, &|_| {});
    let other = |why: String| Unavailable { why, package: None };
    match started {
        Ok(mut started) => match (started.device, started.way) {
            (Some(device), Some(way)) if device.executable_properties => {
                // Some null devices list a chip, and die on its first pipeline with two stages (Mesa 22.3: gfx1034 to
                // gfx1036).
                let mut no_pipelines = None;
                if let Some(trial) = trial {
                    let compile = |client: &mut Client, program: &Program| {
                        let (program, options, with) = (program.clone(), Options::default(), with.clone());
                        let request = CompileRequest { program, of: Version::Original, options, with };
                        client.ask(&Request::Compile(Box::new(request)))
                    };
                    if let Err(error) = compile(&mut started.client, &trial.pipeline) {
                        let why = line(&error);
                        let again = start(&with, &launch, &|_| {}).ok();
                        if again.is_none_or(|mut again| compile(&mut again.client, &trial.fragment).is_err()) {
                            return Err(other(format!("{} cannot compile a graphics pipeline: {why}", device.driver)));
                        }
                        no_pipelines = Some(why);
                    }
                }
                Ok(Offer {
                    name: device.name,
                    driver: device.driver,
                    backend: way.backend,
                    pipeline_libraries: device.pipeline_libraries,
                    no_pipelines,
                })
            }
            (device, _) => {
                let name = device.map_or(String::new(), |device| device.name);
                Err(other(format!("{name} does not support VK_KHR_pipeline_executable_properties")))
            }
        },
        Err(StartError::Unavailable(why)) => Err(why),
        Err(StartError::Worker(error)) => Err(other(line(&error))),
    }
}

/// An error in one line; of a child that died, how it ended: its inputs are this module's own.
fn line(error: &WorkerError) -> String {
    match error {
        WorkerError::Crashed { how, by_itself: true, .. } => return format!("it ended without an answer: {how}"),
        WorkerError::Crashed { how, .. } => return how.clone(),
        _ => {}
    }
    error.to_string().lines().collect::<Vec<_>>().join(" ")
}

/// What a chip has to compile to count as offered; loaded in a child, as all that foreign compilers produce.
struct Trial {
    /// A vertex and a fragment shader with a varying.
    pipeline: Program,
    /// The fragment shader alone.
    fragment: Program,
}

fn trial(base: &Launch) -> Option<Trial> {
    let mut client = Client::start(base).ok()?;
    let mut load = |request: &Request| match client.ask(request) {
        Ok(Reply::Loaded(loaded)) => Some(loaded.program),
        _ => None,
    };
    Some(Trial {
        pipeline: load(&trial_request(&["trial.vert", "trial.frag"]))?,
        fragment: load(&trial_request(&["trial.frag"]))?,
    })
}

/// Loads some of a vertex and a fragment shader with a varying, without files.
fn trial_request(names: &[&str]) -> Request {
    let vertex =
        "layout(location = 0) in vec4 p; layout(location = 0) out vec2 a; void main() { gl_Position = p; a = p.xy; }";
    let fragment = "layout(location = 0) in vec2 a; layout(location = 0) out vec4 c; void main() { c = a.xyxy; }";
    let given = [("trial.vert", vertex), ("trial.frag", fragment)].into_iter().filter(|(name, _)| names.contains(name));
    let text = |text: &str| Blob(format!("#version 450\n{text}").into_bytes());
    let given: Vec<_> = given.map(|(name, source)| (PathBuf::from(name), text(source))).collect();
    let paths: Vec<_> = given.iter().map(|(path, _)| path.clone()).collect();
    let wanted = LoadOptions { given: given.into_iter().collect(), ..LoadOptions::default() };
    Request::Load(LoadRequest { texts: false, ..LoadRequest::new(&paths, &wanted) })
}

/// What changes when a driver does, as the name of an entry.
pub(super) fn state(icd: Option<&Path>) -> String {
    let icd = icd.map(named);
    let libraries: Vec<&str> =
        Vendor::ALL.iter().flat_map(|vendor| libraries(*vendor)).map(|library| library.name).collect();
    let variables = inherited(chips().next()).into_iter().map(|(name, value)| format!("{name}={value}"));
    let variables = variables.collect::<Vec<_>>().join("\n");
    let text = format!("7\n{}\n{variables}", installed::state(icd.as_ref(), &libraries));
    format!("{}", hash(text.as_bytes())).replace("0x", "")
}

/// The entries about chips.
pub(super) fn kept() -> Option<DiskCache> {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    super::folder_of_user("chips").map(|folder| DiskCache {
        folder,
        extension: "json",
        is_name,
        largest: 1 << 20,
        most: 8 << 20,
    })
}

#[cfg(test)]
mod tests {
    use lanescope_core::target::Target;

    use super::*;
    use crate::worker::answer;

    /// The request holds its sources: a child reads no file for it.
    #[test]
    fn the_trial_is_a_pipeline_without_files() {
        for (names, expected) in
            [(&["trial.vert", "trial.frag"][..], &["vertex", "fragment"][..]), (&["trial.frag"], &["fragment"])]
        {
            let Reply::Loaded(loaded) = answer(&trial_request(names), &mut |_| None) else { panic!("does not load") };
            let stages: Vec<_> = loaded.program.stages.iter().map(|stage| stage.stage.name()).collect();
            assert_eq!(stages, expected);
            assert!(loaded.texts.is_empty());
        }
    }

    #[test]
    fn a_partly_offered_chip_is_not_in_all_chips() {
        let offer = |no_pipelines: Option<&str>| Offer {
            name: "Null hardware".to_owned(),
            driver: "radv".to_owned(),
            backend: lanescope_core::driver::Backend::NullDevice,
            pipeline_libraries: false,
            no_pipelines: no_pipelines.map(str::to_owned),
        };
        let offered = |device| Offered { chip: Target::Gfx1030.into(), device };
        assert!(is_whole(&offered(Ok(offer(None)))) && !is_whole(&offered(Ok(offer(Some("signal 11"))))));
        assert!(!is_whole(&offered(Err(Unavailable { why: String::new(), package: None }))));
    }
}
