//! Arguments of commands that run drivers' compilers.

use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::chip::{Chip, Vendor};
use lanescope_core::driver::{self, CompileOptions, Version};
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::report::Report;

use super::CliError;
use super::loading::Loading;
use super::on_device::OnDevice;
use lanescope_host::drivers::{self, Ask, Cache, Chosen, Stop};
use lanescope_host::flags::choices;

/// Which drivers compile which versions of the program.
#[derive(Debug, Clone, Args)]
pub struct ChosenDrivers {
    /// GPUs to compile for, of any vendor (none needs to be installed): names in `lanescope help targets`, or any RADV
    /// family name
    #[arg(
        long,
        value_name = "CHIP[,CHIP…]",
        value_delimiter = ',',
        help_heading = "Drivers",
        value_parser = choices::chip(),
        hide_possible_values = true,
    )]
    chip: Vec<Chip>,

    /// Compile for all GPUs that the drivers offer, or for those of some vendors
    #[arg(
        long,
        value_name = "VENDOR[,VENDOR…]",
        value_delimiter = ',',
        num_args = 0..,
        require_equals = true,
        default_missing_values = Vendor::ALL.iter().map(|vendor| vendor.name()),
        conflicts_with = "chip",
        help_heading = "Drivers",
        value_parser = choices::one_of(Vendor::ALL, Vendor::name),
    )]
    all_chips: Vec<Vendor>,

    /// Installed device: part of its name, or its index in the list of `lanescope doctor` (may be repeated)
    #[arg(long, value_name = "NAME|INDEX", help_heading = "Drivers")]
    device: Vec<String>,

    /// Vulkan drivers to compile with and compare, by their manifests (installed, or in unpacked packages)
    ///
    /// A manifest in an unpacked package (DIR/usr/share/vulkan/icd.d/NAME.json) finds the libraries of that package
    /// first. The other drivers are compared with the first one.
    #[arg(long, value_name = "FILE[,FILE…]", value_delimiter = ',', help_heading = "Drivers")]
    icd: Vec<PathBuf>,

    /// Variants of the program to compile: original, with packed inputs, with swizzled IDs
    #[arg(
        long,
        alias = "of",
        value_name = "original,packed,swizzled",
        value_delimiter = ',',
        default_value = "original",
        help_heading = "Drivers",
        value_parser = choices::one_of(Version::ALL, Version::name),
        hide_possible_values = true,
    )]
    variant: Vec<Version>,

    /// Compile pre-rasterization and fragment stages as pipeline libraries that are not linked
    /// (VK_EXT_graphics_pipeline_library)
    #[arg(long, alias = "apart", help_heading = "Drivers")]
    pipeline_libraries: bool,

    /// Enable the validation layer; its errors fail the compilation
    #[arg(long, help_heading = "Drivers")]
    validate: bool,
}

/// Which drivers compile, and what is kept of it.
#[derive(Debug, Args)]
pub struct AskDrivers {
    #[command(flatten)]
    chosen: ChosenDrivers,

    /// Do not use the disk cache
    #[arg(long, help_heading = "Drivers")]
    no_cache: bool,

    /// Folder for compiler bug reports: modules, command and versions of each failure
    #[arg(long, value_name = "DIR", help_heading = "Drivers")]
    save_repro: Option<PathBuf>,
}

impl AskDrivers {
    /// Whether a driver was named.
    pub fn names_one(&self) -> bool {
        self.chosen.names_one()
    }

    /// The device, for a command that runs on one.
    ///
    /// # Errors
    /// Several devices.
    pub fn on_device(&self) -> Result<OnDevice, CliError> {
        match self.chosen.device.as_slice() {
            [] => Ok(OnDevice::new(None, self.chosen.validate)),
            [one] => Ok(OnDevice::new(Some(one.clone()), self.chosen.validate)),
            several => {
                let why = format!("--device: a run has one device; {} are given", several.len());
                Err(CliError::Unusable(why))
            }
        }
    }

    /// Whether all chips are requested: too many to print the assembly of each.
    pub fn all_chips(&self) -> bool {
        !self.chosen.all_chips.is_empty()
    }

    /// Compiles with the requested drivers, or for the options' target, within these limits, and adds the results to
    /// the report.
    ///
    /// # Errors
    /// Fails if no driver supports a chip, or if no driver has anything to compile.
    pub fn ask(
        &self,
        program: &Program,
        options: &Options,
        limits: &Loading,
        report: &mut Report,
    ) -> Result<(), CliError> {
        let ask = Ask {
            drivers: self.chosen.drivers(options)?,
            versions: self.chosen.variant.clone(),
            limits: limits.limits_or(drivers::TIME),
            cache: if self.no_cache { None } else { Cache::of_user() },
            save_repro: self.save_repro.clone(),
            command: drivers::this_command(),
            stop: Stop::default(),
        };
        let answer = drivers::compile(program, options, &ask);
        let sections = answer.sections(program, report);
        let messages: Vec<_> = sections.findings.iter().map(|finding| finding.message.clone()).collect();
        report.set_drivers(sections);
        let refused = |failure: &driver::Failure| matches!(failure.fate, driver::Outcome::Refused(_));
        if answer.compiled.is_empty() && answer.failures.iter().all(refused) {
            let nothing = "the program has none of the requested versions: packing needs a fragment shader, swizzling \
                           a compute, task or mesh shader";
            let message = if messages.is_empty() { nothing.to_owned() } else { messages.join("\n") };
            let missing = !messages.is_empty() && answer.failures.iter().all(|failure| failure.missing);
            return Err(if missing { CliError::Missing(message) } else { CliError::Unusable(message) });
        }
        Ok(())
    }
}

impl ChosenDrivers {
    /// Whether a driver was named.
    pub fn names_one(&self) -> bool {
        !self.chip.is_empty() || !self.all_chips.is_empty() || !self.device.is_empty() || !self.icd.is_empty()
    }

    /// The versions of the program.
    pub fn versions(&self) -> &[Version] {
        &self.variant
    }

    /// The manifests that were named.
    pub fn icds(&self) -> &[PathBuf] {
        &self.icd
    }

    /// The same choice of one driver's.
    pub fn of_icd(&self, icd: &Path) -> ChosenDrivers {
        ChosenDrivers { icd: vec![icd.to_owned()], ..self.clone() }
    }

    /// The installed devices that were named.
    pub fn devices(&self) -> &[String] {
        &self.device
    }

    /// The compilers; where none is named, Mesa's AMD one for the options' target, and the first device of another driver.
    ///
    /// # Errors
    /// A manifest that is not a file; no driver for any chip.
    pub fn drivers(&self, options: &Options) -> Result<Vec<CompileOptions>, CliError> {
        if let Some(missing) = self.icd.iter().find(|icd| !icd.is_file()) {
            return Err(CliError::Unusable(not_a_manifest(missing)));
        }
        // Without a manifest, the drivers of the loader.
        let icds: Vec<Option<&Path>> = match self.icd.as_slice() {
            [] => vec![None],
            all => all.iter().map(|icd| Some(icd.as_path())).collect(),
        };
        let chips = match self.all_chips.as_slice() {
            [] => self.chip.clone(),
            vendors => drivers::chips_of_any(&icds, vendors).map_err(CliError::Missing)?,
        };
        let with =
            CompileOptions { apart: self.pipeline_libraries, validate: self.validate, ..CompileOptions::default() };
        let default = Some(options.target.into());
        Ok(Chosen { chips: &chips, devices: &self.device, icds: &self.icd, default }.compilers(&with))
    }
}

/// Why a path is not a driver's manifest.
pub fn not_a_manifest(path: &Path) -> String {
    format!("{}: not a file (expected the manifest of a Vulkan driver)", path.display())
}
