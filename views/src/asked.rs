//! What is made only when it is asked for: rewritten modules, the list of devices, runs, measurements.

use lanescope_core::gpu::DeviceInfo;
use lanescope_core::packing::rewrite::Map;
use lanescope_core::program::StageKind;
use lanescope_core::run::{Probe, Ran};
use lanescope_core::workgroup::rewrite::SwizzledStage;
use serde::{Deserialize, Serialize};

/// Which passes a program is rewritten by. Widening is an option of the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passes {
    /// Fragment inputs are packed, where there is a fragment shader.
    pub pack: bool,
    /// Ids are computed as the workgroup layout says, where there is a workgroup.
    pub swizzle: bool,
}

impl Passes {
    /// All of them.
    pub const ALL: Passes = Passes { pack: true, swizzle: true };
    /// None: the program as it was loaded.
    pub const NONE: Passes = Passes { pack: false, swizzle: false };
}

/// How programs are rewritten, run and measured. Kept by the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSettings {
    /// The device by its whole name; the first one where absent.
    pub device: Option<String>,
    /// What the original is compared with.
    pub passes: Passes,
    /// The seed of contents that nothing gives.
    pub fill: u64,
    /// Run under the validation layer.
    pub validate: bool,
    /// How long the device may work, in seconds.
    pub seconds: u32,
}

impl RunSettings {
    /// The first device, both passes, ten seconds.
    pub const DEFAULT: RunSettings =
        RunSettings { device: None, passes: Passes::ALL, fill: 0, validate: false, seconds: 10 };
}

impl Default for RunSettings {
    fn default() -> Self {
        RunSettings::DEFAULT
    }
}

/// Work that is done when it is asked for, and what the last of it brought.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked<T> {
    /// It is being done.
    pub underway: bool,
    /// What the last of it brought, or why it came to nothing.
    pub answer: Option<Answer<T>>,
}

/// What work brought, and what it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// Revision of the program.
    pub revision: u64,
    /// Counts the answers to this.
    pub number: u64,
    /// The settings.
    pub settings: RunSettings,
    /// What it brought, or why it came to nothing.
    pub result: Result<T, String>,
}

impl<T> Asked<T> {
    /// Never asked for.
    pub const NEVER: Asked<T> = Asked { underway: false, answer: None };

    /// Takes what the work brought.
    pub fn take(&mut self, revision: u64, settings: RunSettings, result: Result<T, String>) {
        let number = self.answer.as_ref().map_or(0, |answer| answer.number.wrapping_add(1));
        *self = Asked { underway: false, answer: Some(Answer { revision, number, settings, result }) };
    }

    /// What it brought, where it came to something.
    pub fn done(&self) -> Option<&T> {
        self.answer.as_ref()?.result.as_ref().ok()
    }

    /// Why it came to nothing.
    pub fn failed(&self) -> Option<&str> {
        self.answer.as_ref()?.result.as_ref().err().map(String::as_str)
    }
}

/// What is asked for of one program.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// Its modules, rewritten.
    pub rewriting: Asked<Rewriting>,
    /// Its run, with that of the rewritten program.
    pub run: Asked<Ran>,
    /// Its workgroup, measured.
    pub probe: Asked<Probe>,
}

impl Made {
    /// Nothing yet.
    pub const NOTHING: Made = Made { rewriting: Asked::NEVER, run: Asked::NEVER, probe: Asked::NEVER };
}

/// The devices, and how they are used: one for all programs.
#[derive(Debug, Clone, PartialEq)]
pub struct Devices {
    /// Those of this machine.
    pub list: Asked<Vec<DeviceInfo>>,
    /// How they are used.
    pub settings: RunSettings,
}

impl Devices {
    /// Not looked for yet.
    pub const UNKNOWN: Devices = Devices { list: Asked::NEVER, settings: RunSettings::DEFAULT };
}

/// What the passes made of a program, as texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rewriting {
    /// The modules, in the order in which they were loaded.
    pub modules: Vec<RewrittenModule>,
    /// What packing did, one an interface between two stages, the fragment shader's last.
    pub packing: Vec<Map>,
    /// What the swizzle did, one a compute, task or mesh stage.
    pub workgroup: Vec<SwizzledStage>,
}

/// One module before and after, as SPIR-V assembly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RewrittenModule {
    /// Its file: `lit.frag`.
    pub name: String,
    /// Its stages.
    pub stages: Vec<StageKind>,
    /// As it was loaded.
    pub original: String,
    /// As rewritten; the same text where no pass changed it.
    pub rewritten: String,
}

/// Work that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// List the devices.
    Devices,
    /// Rewrite the modules.
    Rewrite,
    /// Run the program, and the rewritten one.
    Run,
    /// Measure the workgroup of the layout of that index.
    Measure(usize),
}
