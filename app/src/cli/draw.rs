//! `lanescope draw`: a picture of the report, without display or GPU.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lanescope_core::foreign::plain_name;
use lanescope_core::report::Report;
use lanescope_pictures::draw::{self, FileFormat, PictureKind, PngError};

use super::args::{Analysis, some_stage};
use super::driver_args::AskDrivers;
use super::{CliError, Verdict, streams};
use lanescope_host::safe_write::{may_write, write_file};

pub const EXAMPLES: &str = "\
Examples:
  lanescope draw lit_surface.vert lit_surface.frag --view packing -o packing.svg
  lanescope draw lit_surface.vert lit_surface.frag --view varyings -o slots.svg
  lanescope draw tile_16x16.comp --view workgroup --theme dark -o lanes.png
  lanescope draw tile_16x16.comp --view rules --force-swizzle -o rules.svg
  lanescope draw work_graphs/07_wide_dag.dxil --view graph -o graph.png
  lanescope draw tile_16x16.comp --view groups --group-tile 4 --groups 20,12,1 -o groups.svg

The files are in the folder samples.";

/// Arguments of `draw`.
#[derive(Debug, Args)]
pub struct Draw {
    #[command(flatten)]
    analysis: Analysis,

    #[command(flatten)]
    ask: AskDrivers,

    /// Picture to draw
    #[arg(long, value_enum)]
    view: Picture,

    /// File to write; the extension selects SVG or PNG
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Overwrite the file
    #[arg(long)]
    force: bool,

    /// Color theme
    #[arg(long, value_enum, default_value = "light")]
    theme: Theme,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Picture {
    /// Attribute slots before and after packing
    Packing,
    /// The slots of each varying: the program's own, Lanescope's, and those of drivers' compilers (--chip, --device)
    Varyings,
    /// The lane map of a workgroup: of the first one, or of that of --entry
    Workgroup,
    /// The map of workgroups under the workgroup-id swizzle
    Groups,
    /// The workgroup sizes for which LLPC's code and its design note differ, of the same workgroup
    Rules,
    /// The guessed descriptor layout against the application's
    #[value(alias = "partial")]
    Layout,
    /// The parts of a DXIL container
    DxilParts,
    /// A DXIL container's signatures by register
    DxilSignatures,
    /// A DXIL container's root signature by dword
    RootSignature,
    /// A work graph's nodes and edges
    Graph,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    Light,
    Dark,
}

impl Theme {
    /// Its colours.
    pub fn theme(self) -> lanescope_pictures::theme::Theme {
        match self {
            Theme::Light => lanescope_pictures::theme::Theme::light(),
            Theme::Dark => lanescope_pictures::theme::Theme::dark(),
        }
    }
}

/// Whether this build writes files of a format.
pub fn is_built(format: FileFormat) -> Result<(), CliError> {
    if format.is_built() { Ok(()) } else { Err(CliError::Missing(PngError::NotBuilt.to_string())) }
}

impl Draw {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let format = self.format()?;
        is_built(format)?;
        may_write(&self.output, self.force)?;
        let report = self.report()?;
        let (kind, needs) = match self.view {
            Picture::Packing => (PictureKind::Packing, "a fragment shader"),
            Picture::Varyings => (PictureKind::Varyings, "a fragment shader, and a compiler whose varyings are read"),
            Picture::Workgroup => (PictureKind::Workgroup, "a compute, task or mesh shader"),
            Picture::Groups => (PictureKind::GroupMap, "--group-tile and --groups"),
            Picture::Rules => (PictureKind::Rules, "a compute, task or mesh shader"),
            Picture::Layout => (PictureKind::Layout, "a fragment, compute or ray tracing shader"),
            Picture::DxilParts => (PictureKind::DxilParts, "a DXIL container"),
            Picture::DxilSignatures => (PictureKind::DxilSignatures, "a DXIL container with signatures"),
            Picture::RootSignature => (PictureKind::RootSignature, "a DXIL container with a root signature"),
            Picture::Graph => (PictureKind::Graph, "a work graph"),
        };
        let picture = draw::picture(kind, &report, &self.theme.theme())
            .ok_or_else(|| CliError::Unusable(format!("nothing to draw: this picture needs {needs}")))?;
        let bytes = format.bytes(&picture).map_err(|error| CliError::Unusable(error.to_string()))?;
        write_file(&self.output, &bytes, self.force)?;
        if let (Picture::Workgroup | Picture::Rules, [first, _, ..]) = (self.view, report.workgroup.as_slice()) {
            let (entry, count) = (plain_name(&first.entry), report.workgroup.len());
            streams::tell(&format!("drawn: `{entry}`, the first of {count} workgroups; --entry NAME chooses another"));
        }
        Ok(if report.has_errors() { Verdict::Findings } else { Verdict::Clean })
    }

    /// The report; with what drivers' compilers make of the program where the picture shows it.
    fn report(&self) -> Result<Report, CliError> {
        if self.view != Picture::Varyings {
            if self.ask.names_one() {
                let message = "drivers compile for --view varyings only (remove --chip, --all-chips, --device, --icd)";
                return Err(CliError::Unusable(message.to_owned()));
            }
            return self.analysis.report();
        }
        let (program, mut report) = self.analysis.load()?;
        some_stage(&program, &report)?;
        self.ask.ask(&program, &self.analysis.options_for(&program), self.analysis.loading(), &mut report)?;
        Ok(report)
    }

    /// The format selected by the output's extension.
    fn format(&self) -> Result<FileFormat, CliError> {
        format_of(&self.output)
    }
}

/// The format selected by the extension of a file.
pub fn format_of(output: &Path) -> Result<FileFormat, CliError> {
    let extension = output.extension().unwrap_or_default().to_string_lossy();
    FileFormat::of(&extension).ok_or_else(|| {
        let output = output.display();
        CliError::Unusable(format!("{output}: unknown extension (expected .svg or .png)"))
    })
}
