//! Settings of runs and compiles, and the devices that they choose from. The session saves them.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use lanescope_core::chip::{Chip, Driver, Vendor};
use lanescope_core::cost::interface::Draw;
use lanescope_core::cost::{self, Tiling};
use lanescope_core::driver::installed::driver_of;
use lanescope_core::driver::{Column, Installed, Link, Version, chips};
use lanescope_core::gpu::DeviceInfo;
use lanescope_core::target::Target;
use serde::{Deserialize, Serialize};

use crate::source::TextForm;
use crate::tasks::Task;

/// The colors of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// What the user prefers, besides settings of runs and compiles. Kept by the session.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// A start without files opens the programs of the last session.
    pub reopen: bool,
    /// Size of everything, 1 where it is normal.
    pub zoom: f32,
    /// The target of programs that are opened for the first time and say none; the built-in one where absent.
    pub target: Option<Target>,
}

impl Preferences {
    /// The smallest and the largest size of everything.
    pub const ZOOM: RangeInclusive<f32> = 0.5..=3.0;

    /// With the size of everything changed by a step, up or down.
    pub fn zoomed(self, step: f32) -> Preferences {
        let zoom = ((self.zoom + step) * 10.0).round() / 10.0;
        Preferences { zoom, ..self }.clamped()
    }

    /// With a size of everything that can be drawn; a session file may hold any number.
    pub fn clamped(self) -> Preferences {
        let zoom = if self.zoom.is_finite() { self.zoom } else { 1.0 };
        Preferences { zoom: zoom.clamp(*Preferences::ZOOM.start(), *Preferences::ZOOM.end()), ..self }
    }
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences { reopen: true, zoom: 1.0, target: None }
    }
}

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
    /// The device by its whole name, or [`crate::devices::INTERPRETER`]; the first device where absent.
    pub device: Option<String>,
    /// What the original is compared with.
    pub passes: Passes,
    /// The seed of contents that nothing gives.
    pub fill: u64,
    /// Contents that nothing gives are zero.
    pub zeros: bool,
    /// Run under the validation layer.
    pub validate: bool,
    /// How long the device may work, in seconds.
    pub seconds: u32,
    /// The memory that a run, a session of the debugger or a count of costs may take, in MiB.
    pub memory: u32,
    /// The most instructions of a session of the debugger, or of a count of costs, of all waves together.
    pub steps: u64,
}

impl RunSettings {
    /// The first device, both passes, ten seconds, 1 GiB, a billion steps.
    pub const DEFAULT: RunSettings = RunSettings {
        device: None,
        passes: Passes::ALL,
        fill: 0,
        zeros: false,
        validate: false,
        seconds: 10,
        memory: 1024,
        steps: 1_000_000_000,
    };

    /// The smallest and the largest memory limit, in MiB: those of `--memory`.
    pub const MEMORY: RangeInclusive<u32> = 64..=1 << 20;

    /// The smallest and the largest limit of steps.
    pub const STEPS: RangeInclusive<u64> = 1_000..=1_000_000_000_000;

    /// The memory limit in bytes. A session file may hold any number.
    pub fn memory_bytes(&self) -> u64 {
        u64::from(self.memory.clamp(*RunSettings::MEMORY.start(), *RunSettings::MEMORY.end())) << 20
    }

    /// The limit of steps. A session file may hold any number.
    pub fn most_steps(&self) -> u64 {
        self.steps.clamp(*RunSettings::STEPS.start(), *RunSettings::STEPS.end())
    }
}

impl Default for RunSettings {
    fn default() -> Self {
        RunSettings::DEFAULT
    }
}

/// How drivers' compilers are run. Kept by the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompileSettings {
    /// Chips that need not be installed, oldest first. Where none is chosen and no device, see
    /// [`CompileSettings::places`].
    pub chips: Vec<Chip>,
    /// Installed devices, by their whole names.
    pub devices: Vec<String>,
    /// Manifests of drivers: each compiles for all chips and devices. The loader's own choice if there is none.
    pub icds: Vec<PathBuf>,
    /// The packed version beside the original.
    pub packed: bool,
    /// The swizzled version beside the original.
    pub swizzled: bool,
    /// What a compiler sees of a graphics pipeline at once.
    pub link: Link,
    /// Compile again when the program or these settings change, once a compilation was requested.
    pub automatic: bool,
    /// How long a compiler may take for one pipeline, in seconds.
    pub seconds: u32,
}

impl CompileSettings {
    /// The chip of the options, every version, whole pipelines, half a minute.
    pub const DEFAULT: CompileSettings = CompileSettings {
        chips: Vec::new(),
        devices: Vec::new(),
        icds: Vec::new(),
        packed: true,
        swizzled: true,
        link: Link::Whole,
        automatic: true,
        seconds: 30,
    };

    /// The chips that are asked: those that were chosen; where nothing was, that of the options or, where no compiler
    /// is known for it, the newest one that has a compiler.
    pub fn places(&self, target: Target) -> Vec<Chip> {
        if !self.chips.is_empty() || !self.devices.is_empty() {
            return self.chips.clone();
        }
        let known: Vec<_> = chips().filter(|chip| chip.vendor() == Vendor::Amd).collect();
        known.iter().copied().find(|chip| *chip == target.into()).or(known.last().copied()).into_iter().collect()
    }

    /// These settings with one more chip after the others, where chips were chosen and it is not among them.
    pub fn with_chip(&self, chip: Option<Chip>) -> CompileSettings {
        let mut out = self.clone();
        if !self.chips.is_empty() {
            out.chips.extend(chip.filter(|chip| !self.chips.contains(chip)));
        }
        out
    }

    /// The first of what compiles, in one word: a chip or a device; where only a driver was chosen that compiles for no
    /// chip, its manifest's name. Reads the manifest.
    pub fn first_place(&self, target: Target) -> Option<String> {
        let manifest = self.icds.first().filter(|_| self.chips.is_empty() && self.devices.is_empty());
        let manifest = manifest.filter(|manifest| driver_of(manifest) != Some(Driver::Radv));
        if let Some(name) = manifest.and_then(|manifest| manifest.file_stem()) {
            return Some(name.to_string_lossy().into_owned());
        }
        let chip = self.places(target).first().map(|chip| format!("{} {chip}", chip.driver()));
        chip.or_else(|| self.devices.first().cloned())
    }

    /// These settings with changes from `before` to `after`. Chips, devices and manifests that did not change stay as they
    /// are here: the command line may have named those of `before`.
    pub fn with_changes(&self, before: &CompileSettings, after: CompileSettings) -> CompileSettings {
        let mut out = after;
        if (&before.chips, &before.devices) == (&out.chips, &out.devices) {
            (out.chips, out.devices) = (self.chips.clone(), self.devices.clone());
        }
        if before.icds == out.icds {
            out.icds.clone_from(&self.icds);
        }
        out
    }

    /// Whether both ask compilers for the same.
    pub fn is_same_question(&self, other: &CompileSettings) -> bool {
        let question = |settings: &CompileSettings| CompileSettings { automatic: true, seconds: 0, ..settings.clone() };
        question(self) == question(other)
    }

    /// The versions that are asked about.
    pub fn versions(&self) -> Vec<Version> {
        let on = |version: &Version| match version {
            Version::Original => true,
            Version::Packed => self.packed,
            Version::Swizzled => self.swizzled,
        };
        Version::ALL.iter().copied().filter(on).collect()
    }
}

impl Default for CompileSettings {
    fn default() -> Self {
        CompileSettings::DEFAULT
    }
}

/// How statistics are looked at. Kept by the session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StatisticsSettings {
    /// Columns that are not shown.
    pub hidden: Vec<Column>,
    /// Only what is not the same in every column.
    pub differences_only: bool,
}

/// How texts of programs are shown. Kept by the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TextSettings {
    /// The form that was chosen by hand for programs that have these forms, once for each kind.
    pub chosen: Vec<(BTreeSet<TextForm>, TextForm)>,
    /// A source line and the instructions from it have one tint.
    pub tints: bool,
}

impl Default for TextSettings {
    fn default() -> Self {
        TextSettings::DEFAULT
    }
}

impl TextSettings {
    /// The form that a program has by itself, with tints.
    pub const DEFAULT: TextSettings = TextSettings { chosen: Vec::new(), tints: true };

    /// The form for programs of a kind, where one was chosen.
    pub fn form(&self, kind: &BTreeSet<TextForm>) -> Option<TextForm> {
        self.chosen.iter().find(|(of, _)| of == kind).map(|(_, form)| *form)
    }

    /// With another form for programs of a kind.
    pub fn with(&self, kind: BTreeSet<TextForm>, form: TextForm) -> TextSettings {
        let others = self.chosen.iter().filter(|(of, _)| *of != kind).cloned();
        TextSettings { chosen: others.chain([(kind.clone(), form)]).collect(), ..*self }
    }
}

/// Settings of speculative compiles; [`CompileSettings`] choose the compilers. Saved in the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpeculativeSettings {
    /// How often each time is taken.
    pub repeats: u32,
    /// Milliseconds between the creation of the module and that of the pipeline; until the worker is done where absent.
    pub gap: Option<u64>,
    /// Keep what was compiled on disk, and look there first.
    pub keep: bool,
}

impl SpeculativeSettings {
    /// Three times, with all the time that the worker needs, kept on disk.
    pub const DEFAULT: SpeculativeSettings = SpeculativeSettings { repeats: 3, gap: None, keep: true };
}

impl Default for SpeculativeSettings {
    fn default() -> Self {
        SpeculativeSettings::DEFAULT
    }
}

/// How costs are counted. Kept by the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CostSettings {
    /// How texels lie in memory.
    pub tiling: Tiling,
    /// Bytes from a row of a linear image to the next, at least; of the row where 0.
    pub pitch: u32,
    /// The most workgroups that run.
    pub sample: u32,
    /// Consecutive workgroups whose lines are taken together.
    pub window: u32,
    /// Vertices of the draw that an interface's costs are summed up for.
    pub vertices: u32,
    /// Triangles of that draw.
    pub triangles: u32,
    /// Nodes of work graphs are dispatched in rows, as on devices that take few workgroups along X.
    pub rows: bool,
    /// The file, by index, whose nodes are added to a state object with those of the others.
    pub added: Option<usize>,
}

impl CostSettings {
    /// The most workgroups, and the largest window.
    pub const MOST: u32 = 1 << 16;

    /// Those of the command line.
    pub const DEFAULT: CostSettings = CostSettings {
        tiling: cost::Settings::DEFAULT.tiling,
        pitch: 0,
        sample: 256,
        window: 32,
        vertices: 1_000_000,
        triangles: 500_000,
        rows: false,
        added: None,
    };

    /// What is counted with them. A session file may hold any number.
    pub fn counting(&self) -> cost::Settings {
        let pitch = (self.tiling == Tiling::Linear && self.pitch > 0).then_some(self.pitch.into());
        let bounded = |count: u32| count.clamp(1, CostSettings::MOST);
        let (sample, window) = (bounded(self.sample).into(), bounded(self.window));
        cost::Settings { tiling: self.tiling, pitch, sample, window, ..cost::Settings::DEFAULT }
    }

    /// The draw that an interface's costs are summed up for.
    pub fn draw(&self) -> Draw {
        Draw { vertices: self.vertices.into(), triangles: self.triangles.into() }
    }
}

impl Default for CostSettings {
    fn default() -> Self {
        CostSettings::DEFAULT
    }
}

/// The devices, and settings of runs and compiles: one for all programs.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The devices of this machine.
    pub devices: Task<Vec<DeviceInfo>>,
    /// The chips and drivers of this machine, once the devices were listed.
    pub installed: Installed,
    /// Settings of runs.
    pub run: RunSettings,
    /// Settings of compiles.
    pub compile: CompileSettings,
    /// Settings of speculative compiles.
    pub speculative: SpeculativeSettings,
    /// Settings of the table of statistics.
    pub statistics: StatisticsSettings,
    /// Which form of their text programs are shown in.
    pub texts: TextSettings,
    /// How memory accesses are counted.
    pub costs: CostSettings,
}

impl Settings {
    /// Devices that are not listed yet, and default settings.
    pub const DEFAULT: Settings = Settings {
        devices: Task::NEVER,
        installed: Installed { chips: Vec::new(), manifests: Vec::new() },
        run: RunSettings::DEFAULT,
        compile: CompileSettings::DEFAULT,
        speculative: SpeculativeSettings::DEFAULT,
        statistics: StatisticsSettings { hidden: Vec::new(), differences_only: false },
        texts: TextSettings::DEFAULT,
        costs: CostSettings::DEFAULT,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_more_chip_comes_after_the_chosen_ones() {
        let chosen = |chips: &[Target], devices: &[&str]| CompileSettings {
            chips: chips.iter().copied().map(Chip::Amd).collect(),
            devices: devices.iter().map(|device| (*device).to_owned()).collect(),
            ..CompileSettings::DEFAULT
        };
        let with = |settings: CompileSettings| -> Vec<Target> {
            let chips = settings.with_chip(Some(Target::Gfx900.into())).chips;
            chips.iter().filter_map(|chip| chip.target()).collect()
        };
        assert_eq!(with(chosen(&[Target::Gfx1100], &[])), [Target::Gfx1100, Target::Gfx900]);
        assert_eq!(with(chosen(&[Target::Gfx1100, Target::Gfx900], &[])), [Target::Gfx1100, Target::Gfx900]);
        assert_eq!(with(chosen(&[], &["llvmpipe"])), [], "no chip was asked for");
        assert_eq!(with(CompileSettings::DEFAULT), []);
    }

    #[test]
    fn accesses_are_counted_as_on_the_command_line() {
        assert_eq!(CostSettings::DEFAULT.counting(), cost::Settings::default());
        assert_eq!(CostSettings::DEFAULT.draw(), Draw::default());
        let odd = CostSettings { tiling: Tiling::Tiled, pitch: 4096, sample: 0, window: 0, ..CostSettings::DEFAULT };
        let counting = odd.counting();
        assert_eq!((counting.pitch, counting.sample, counting.window), (None, 1, 1));
        let endless = CostSettings { sample: u32::MAX, window: u32::MAX, ..odd }.counting();
        assert_eq!((endless.sample, endless.window), (1 << 16, 1 << 16));
        assert_eq!(CostSettings { tiling: Tiling::Linear, ..odd }.counting().pitch, Some(4096));
    }

    #[test]
    fn a_driver_that_compiles_for_chips_is_named_by_its_chip() {
        let folder = std::env::temp_dir().join(format!("lanescope-settings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let place = |library: &str| {
            let manifest = folder.join(format!("{library}_icd.json"));
            let text = format!("{{\"ICD\":{{\"library_path\":\"libvulkan_{library}.so\"}}}}");
            std::fs::write(&manifest, text).expect("writes");
            CompileSettings { icds: vec![manifest], ..CompileSettings::DEFAULT }.first_place(Target::Gfx1030)
        };
        assert_eq!([place("radeon"), place("lvp")], [Some("RADV gfx1030".to_owned()), Some("lvp_icd".to_owned())]);
        std::fs::remove_dir_all(&folder).expect("is removed");
    }
}
