//! `lanescope doctor`: what this machine offers, and what is missing, with the package that contains it.

use std::io::{self, Write};
use std::time::Duration;

use clap::{Args, ValueEnum};
use lanescope_core::chip::{Chip, Vendor};
use lanescope_core::driver::Offered;
use lanescope_core::gpu::{DeviceInfo, DeviceOptions};
use lanescope_core::load::{
    BUILT_IN_HLSL_COMPILER, HLSL_LIBRARY_VARIABLE, HlslCompilers, SLANG_LIBRARY_VARIABLE, Validators,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{CliError, Verdict, capabilities, json};
use crate::cli::streams;
use lanescope_host::drivers;
use lanescope_host::flags::choices;
use lanescope_host::worker::{Client, Launch, Limits, OTHER_ANSWER, Reply, Request, WorkerError};

pub const EXAMPLES: &str = "\
Examples:
  lanescope doctor
  lanescope doctor --format json
  lanescope doctor --features --chip gfx1030
                                        capabilities of SPIR-V that the chip's driver offers
  lanescope doctor --capabilities       capabilities with what is supported of each

States: found; partial: some things work, and the lines below say what; missing.

Exit status: 0 the loader, a device that runs shaders and the compiler of at least one AMD chip are installed, 3 one of \
these is missing. Neither a display nor the DirectX shader compiler is required: without them, all commands work, and \
the built-in compiler opens HLSL of shader model 5 and parts of 6.";

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// List what a device or chip offers of each SPIR-V capability, instead of checking this machine
    #[arg(long, conflicts_with = "capabilities")]
    features: bool,

    /// GPU of --features (none needs to be installed): a name in `lanescope help targets`, or any RADV family name
    #[arg(
        long,
        value_name = "CHIP",
        requires = "features",
        conflicts_with = "device",
        value_parser = choices::chip(),
        hide_possible_values = true,
    )]
    chip: Option<Chip>,

    /// Installed device of --features: part of its name, or its index; the first one where neither it nor a chip is named
    #[arg(long, value_name = "NAME|INDEX", requires = "features")]
    device: Option<String>,

    /// List every SPIR-V capability with what is supported of it, instead of checking this machine
    #[arg(long)]
    capabilities: bool,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Findings {
    loader: Part,
    devices: Vec<DevicePart>,
    chips: Vec<ChipPart>,
    hlsl: Part,
    slang: Part,
    validator: Part,
    display: Part,
}

/// An item that is found or missing.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Part {
    found: bool,
    about: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Partial>,
}

/// What works and what fails of an item that is found in part.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Partial {
    works: String,
    fails: String,
}

/// A device, and whether it was seen to run a shader.
#[derive(Debug, Serialize, JsonSchema)]
struct DevicePart {
    #[serde(flatten)]
    info: DeviceInfo,
    runs_shaders: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<String>,
}

/// An offline target: its compiler runs without the chip.
#[derive(Debug, Serialize, JsonSchema)]
struct ChipPart {
    target: Chip,
    vendor: Vendor,
    #[serde(flatten)]
    part: Part,
}

impl Part {
    fn found(about: impl Into<String>) -> Part {
        Part { found: true, about: about.into(), package: None, partial: None }
    }

    fn missing(about: impl Into<String>, package: Option<String>) -> Part {
        Part { found: false, about: about.into(), package, partial: None }
    }

    fn partial(about: impl Into<String>, works: impl Into<String>, fails: impl Into<String>) -> Part {
        let partial = Some(Partial { works: works.into(), fails: fails.into() });
        Part { partial, ..Part::missing(about, None) }
    }

    /// The state in a word.
    fn state(&self) -> &'static str {
        match (self.found, &self.partial) {
            (true, _) => "found",
            (false, Some(_)) => "partial",
            (false, None) => "missing",
        }
    }
}

impl Doctor {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let as_json = self.format == Format::Json;
        if self.features {
            capabilities::features(self.chip, self.device.as_deref(), as_json)?;
            return Ok(Verdict::Clean);
        }
        if self.capabilities {
            capabilities::capabilities(as_json)?;
            return Ok(Verdict::Clean);
        }
        let found = look(true);
        match self.format {
            Format::Text => {
                let mut out = streams::plain();
                print(&found, &mut out)?;
                out.flush()?;
            }
            Format::Json => json::print_versioned(1, &found)?,
        }
        // One chip is enough: no version of Mesa knows all of them.
        let of_amd = || found.chips.iter().filter(|chip| chip.vendor == Vendor::Amd).map(|chip| &chip.part);
        let chips = of_amd().filter(|_| !of_amd().any(|part| part.found));
        let missing: Vec<String> = std::iter::once(&found.loader)
            .chain(chips)
            .filter(|part| !part.found)
            .map(|part| {
                part.package.as_ref().map_or_else(|| part.about.clone(), |package| format!("package {package}"))
            })
            .collect();
        let runs = found.devices.iter().any(|device| device.runs_shaders);
        if missing.is_empty() && runs {
            return Ok(Verdict::Clean);
        }
        let mut unique: Vec<String> = Vec::new();
        missing.into_iter().for_each(|text| {
            if !unique.contains(&text) {
                unique.push(text)
            }
        });
        if !runs {
            unique.push(
                "a Vulkan device that runs shaders (package mesa-vulkan-drivers contains a software device)".to_owned(),
            );
        }
        Err(CliError::Missing(format!("missing: {}", unique.join("; "))))
    }
}

/// Looks for everything. Shaders are tried on the devices where that is wanted.
pub(super) fn look(tries: bool) -> Findings {
    let devices = ask();
    let loader = match &devices {
        Ok(_) => Part::found("Vulkan loader"),
        Err(error) => Part::missing(error.to_string(), Some("libvulkan1".to_owned())),
    };
    let devices = devices.unwrap_or_default();
    let devices = if tries { try_devices(devices) } else { devices.into_iter().map(not_tried).collect() };
    let chips = if loader.found { look_for_chips() } else { Vec::new() };
    Findings { loader, devices, chips, hlsl: hlsl(), slang: slang(), validator: validator(), display: display() }
}

/// What stands for the outcome of a shader that was not run.
const NOT_TRIED: &str = "no shader was tried: nothing runs on a device without --allow-run";

/// How long a compiler may take to load.
const LOOKING: Duration = Duration::from_secs(20);

/// Asks a child process for a compiler, because loading an unknown library can crash.
fn asked<T>(request: &Request, time: Duration, answer: impl FnOnce(Reply) -> Option<T>) -> Result<T, String> {
    let limits = Limits { time, ..Limits::default() };
    let reply = Client::start(&Launch { limits, ..Launch::default() }).and_then(|mut child| child.ask(request));
    answer(reply.map_err(|error| error.to_string())?).ok_or_else(|| OTHER_ANSWER.to_owned())
}

/// Looks for the Slang compiler.
fn slang() -> Part {
    let asked = asked(&Request::SlangCompiler, LOOKING, |reply| match reply {
        Reply::SlangCompiler(found) => Some(found),
        _ => None,
    });
    match asked.and_then(|found| found) {
        Ok(found) => Part::found(found),
        Err(why) => Part::missing(
            format!("Slang compiler: {why}; a release of Slang has it, {SLANG_LIBRARY_VARIABLE} names its library"),
            None,
        ),
    }
}

/// Looks for HLSL compilers.
fn hlsl() -> Part {
    let asked = asked(&Request::HlslCompilers, LOOKING, |reply| match reply {
        Reply::HlslCompilers(found) => Some(found),
        _ => None,
    });
    match asked {
        Ok(HlslCompilers { built_in, dxc: Ok(dxc), .. }) => Part::found(format!("{dxc}; {built_in}, built in")),
        Ok(HlslCompilers { dxc: Err(why), dxc_is_named: true, .. }) => {
            let works = format!("{BUILT_IN_HLSL_COMPILER}, built in, with --hlsl-compiler glslang");
            Part::partial(format!("HLSL compiler named by {HLSL_LIBRARY_VARIABLE}"), works, why)
        }
        Ok(HlslCompilers { built_in, dxc: Err(why), .. }) => {
            Part::found(format!("{built_in}, built in; DirectX shader compiler not available: {why}"))
        }
        Err(why) => {
            let works = format!("{BUILT_IN_HLSL_COMPILER}, built in, with --hlsl-compiler glslang");
            Part::partial("HLSL compilers", works, format!("DirectX shader compiler: {why}"))
        }
    }
}

/// Looks for validators in a child process: those on PATH are started.
fn validator() -> Part {
    // Each of those on PATH has some seconds.
    let asked = asked(&Request::Validators, Duration::from_secs(60), |reply| match reply {
        Reply::Validators(found) => Some(found),
        _ => None,
    });
    match asked {
        Ok(found) => Part::found(validators_text(&found)),
        Err(why) => Part::partial("Validators", "SPIRV-Tools, built in", why),
    }
}

/// `SPIRV-Tools v2025.3, built in; /usr/bin/spirv-val: SPIRV-Tools v2025.5, which --validator auto takes`.
fn validators_text(found: &Validators) -> String {
    let row = |(path, about): &(String, Result<String, String>)| {
        let about = match about {
            Ok(about) => about.clone(),
            Err(why) => format!("cannot be used: {why}"),
        };
        let taken = if found.auto.as_ref() == Some(path) { ", which --validator auto takes" } else { "" };
        format!("; {path}: {about}{taken}")
    };
    let none = if found.on_path.is_empty() { "; no spirv-val on PATH" } else { "" };
    format!("{}, built in{none}{}", found.built_in, found.on_path.iter().map(row).collect::<String>())
}

fn look_for_chips() -> Vec<ChipPart> {
    let part = |row: Offered| {
        let part = match row.device {
            Ok(offer) => {
                let apart = if offer.pipeline_libraries { ", pipeline libraries" } else { "" };
                let about = format!("{} ({}, {}){apart}", offer.name, offer.driver, offer.backend);
                match offer.no_pipelines {
                    None => Part::found(about),
                    Some(why) => {
                        let fails = format!("graphics pipelines of several stages: {why}");
                        Part::partial(about, "single stages, such as a fragment or compute shader", fails)
                    }
                }
            }
            Err(why) => Part::missing(why.why, why.package),
        };
        ChipPart { target: row.chip, vendor: row.chip.vendor(), part }
    };
    drivers::offered(None, &Launch::default()).into_iter().map(part).collect()
}

fn ask() -> Result<Vec<DeviceInfo>, WorkerError> {
    let limits = Limits { time: Duration::from_secs(20), ..Limits::default() };
    match Client::start(&Launch { limits, ..Launch::default() })?.ask(&Request::Devices)? {
        Reply::Devices(devices) => Ok(devices),
        _ => Ok(Vec::new()),
    }
}

/// Runs a shader on each device, in a process each: a driver may crash on work.
fn try_devices(devices: Vec<DeviceInfo>) -> Vec<DevicePart> {
    let limits = Limits { time: Duration::from_secs(20), ..Limits::default() };
    let run = |index: usize| {
        let options = DeviceOptions { device: Some(index.to_string()), ..DeviceOptions::default() };
        Client::start(&Launch { limits, ..Launch::default() })?.ask(&Request::Executes(options)).map(|_| ())
    };
    let part = |(index, info): (usize, DeviceInfo)| {
        let why_not = run(index).err().map(|error| error.to_string().lines().next().unwrap_or_default().to_owned());
        DevicePart { info, runs_shaders: why_not.is_none(), why_not }
    };
    devices.into_iter().enumerate().map(part).collect()
}

fn not_tried(info: DeviceInfo) -> DevicePart {
    DevicePart { info, runs_shaders: false, why_not: Some(NOT_TRIED.to_owned()) }
}

fn display() -> Part {
    let named = ["WAYLAND_DISPLAY", "DISPLAY"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()).map(|value| format!("{name}={value}")));
    match named {
        Some(named) => Part::found(format!("display {named}")),
        None => Part::missing("no display: the window cannot open; all commands work", None),
    }
}

/// Writes the list, and what works and fails of a partial item below it.
pub(super) fn print(found: &Findings, out: &mut impl Write) -> io::Result<()> {
    let line = |out: &mut dyn Write, part: &Part, about: &str| {
        let package = part.package.as_ref().map(|p| format!("  (Debian/Ubuntu package {p})")).unwrap_or_default();
        writeln!(out, "  {:7}  {about}{package}", part.state())?;
        match &part.partial {
            Some(Partial { works, fails }) => {
                writeln!(out, "{:21}works: {works}", "")?;
                writeln!(out, "{:21}fails: {fails}", "")
            }
            None => Ok(()),
        }
    };
    writeln!(out, "Vulkan")?;
    line(out, &found.loader, &found.loader.about)?;
    writeln!(out, "\nDevices")?;
    for DevicePart { info: device, why_not, .. } in &found.devices {
        writeln!(
            out,
            "  {} ({}), Vulkan {}, subgroup {}",
            device.name, device.kind, device.api_version, device.subgroup_size
        )?;
        let derivatives = device.derivatives.words();
        let offers = [
            (device.executable_properties, "assembly and statistics"),
            (device.executable_properties && device.pipeline_libraries, "pipeline libraries"),
            (device.compute_derivatives, derivatives.as_str()),
        ];
        let runs = if why_not.is_none() { "runs shaders" } else { "not seen to run shaders" };
        let offers = offers.into_iter().filter(|(has, _)| *has).map(|(_, what)| what);
        let offers: Vec<&str> = std::iter::once(runs).chain(offers).collect();
        writeln!(out, "      {}: {}", device.driver, offers.join(", "))?;
        if let Some(why) = why_not {
            writeln!(out, "      {why}")?;
        }
    }
    if found.devices.is_empty() {
        writeln!(out, "  none")?;
    }
    for vendor in Vendor::ALL {
        let chips: Vec<&ChipPart> = found.chips.iter().filter(|chip| chip.vendor == *vendor).collect();
        let Some(first) = chips.first() else { continue };
        writeln!(out, "\n{} chips to compile for (no GPU required)", vendor.title())?;
        // One reason is one line, where no chip of the vendor is offered.
        let is_alike = |chip: &&ChipPart| !chip.part.found && chip.part.about == first.part.about;
        if chips.len() > 1 && chips.iter().all(is_alike) {
            let names: Vec<&str> = chips.iter().map(|chip| chip.target.name()).collect();
            line(out, &first.part, &format!("{}: {}", names.join(", "), first.part.about))?;
            continue;
        }
        for chip in chips {
            line(out, &chip.part, &format!("{:10} {}", chip.target, chip.part.about))?;
        }
    }
    if found.chips.is_empty() {
        writeln!(out, "\nChips to compile for (no GPU required)")?;
        writeln!(out, "  not checked: Vulkan is not available (see above)")?;
    }
    writeln!(out, "\nHLSL (optional)")?;
    line(out, &found.hlsl, &found.hlsl.about)?;
    writeln!(out, "\nSlang (optional)")?;
    line(out, &found.slang, &found.slang.about)?;
    writeln!(out, "\nSPIR-V validator")?;
    line(out, &found.validator, &found.validator.about)?;
    writeln!(out, "\nWindow")?;
    line(out, &found.display, &found.display.about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_was_not_asked_to_its_end_is_not_said_to_run_nothing() {
        let device = |why_not: Option<&str>| DevicePart {
            info: DeviceInfo { name: "X".to_owned(), driver: "x 1".to_owned(), ..DeviceInfo::default() },
            runs_shaders: why_not.is_none(),
            why_not: why_not.map(str::to_owned),
        };
        let part = || Part::found("there");
        let devices = vec![device(None), device(Some("the process did not answer within 20 s"))];
        let found = Findings {
            loader: part(),
            devices,
            chips: Vec::new(),
            hlsl: part(),
            slang: part(),
            validator: part(),
            display: part(),
        };
        let mut out = Vec::new();
        print(&found, &mut out).expect("memory");
        let text = String::from_utf8(out).expect("text");
        assert!(text.contains("x 1: runs shaders\n"), "{text}");
        let expected = "x 1: not seen to run shaders\n      the process did not answer within 20 s\n";
        assert!(text.contains(expected) && !text.contains("runs no shaders"), "{text}");
    }
}
