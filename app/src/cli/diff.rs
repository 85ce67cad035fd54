//! `lanescope diff`: two programs, or two reports, section by section.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use lanescope_core::compare::{Comparison, Side, compare};
use lanescope_core::findings::{COMPILER_DIED, COMPILER_HUNG, COMPILER_MEMORY, Finding, NOT_COMPILED, NOT_UNDERSTOOD};
use lanescope_core::report::Report;
use lanescope_core::run::Blob;
use lanescope_pictures::align::unified;
use lanescope_pictures::draw::{self, FileFormat};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::{OptionArgs, of_database};
use super::draw::{Theme, is_built};
use super::driver_args::AskDrivers;
use super::explicit_flags::Given;
use super::workspace::WorkspaceArgs;
use super::{CliError, Verdict, code_object, json, tell_findings, variants};
use crate::cli::streams;
use lanescope_host::reports;
use lanescope_host::rewriting::NamedFile;
use lanescope_host::safe_write::write_files;
use lanescope_host::worker::Loader;
use lanescope_text as text;

pub const EXAMPLES: &str = "\
Examples:
  lanescope diff design_note.vert,design_note.frag lit_surface.vert,lit_surface.frag
                                        packing, lanes and registers of two pipelines
  lanescope diff tile_16x16.comp odd_size.comp --chip gfx1030,gfx1100 --wave 64
                                        with the AMD compiler's statistics and assembly
  lanescope diff tile_16x16.comp odd_size.comp --reconfig --format svg -o changes
                                        pictures of the differences, side by side
  lanescope inspect lit_surface.frag --format json > a.json
  lanescope inspect lit_surface.frag --no-pack --format json > b.json
  lanescope diff a.json b.json          two settings of one shader, as two reports
  lanescope diff row_sums.comp.wgsl --variants inputs/row_sums.variants
                                        the variants of one program, and what each macro changes
  lanescope diff code_objects/fill.elf code_objects/fill_moved.elf
                                        two AMD code objects: metadata, user data, registers, code

Analysis options apply to both sides; a report keeps its own options. `lanescope B --compare A` shows the same in the \
window. The files are in the folder samples.

Exit status: 0 no differences, 1 differences, 2 unusable input, 3 something requested is missing.";

/// Nothing waits for this in a frame, so only texts whose diff would take too long are compared coarsely.
const PATIENCE: Duration = Duration::from_secs(20);

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub struct Diff {
    #[command(flatten)]
    explicit: Given,

    /// First program (its files separated by commas), JSON report or AMD code object
    #[arg(value_name = "A")]
    left: String,

    /// Second program, JSON report or AMD code object
    #[arg(value_name = "B", required_unless_present = "variants")]
    right: Option<String>,

    /// With --variants: more files of the program
    #[arg(value_name = "FILE", requires = "variants")]
    more: Vec<String>,

    /// Compare the variants of one program with the first one: FILE has in each line flags of sources, or a macro with its
    /// values (NAME=VALUE|VALUE), of which all combinations are made
    #[arg(long, value_name = "FILE")]
    variants: Option<PathBuf>,

    #[command(flatten)]
    workspace: WorkspaceArgs,

    #[command(flatten)]
    option_args: OptionArgs,

    #[command(flatten)]
    ask: AskDrivers,

    /// Output format; pictures are written to a folder
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Folder for pictures, one for each section that differs: `packing.svg`, `lanes.svg` and so on
    #[arg(short, long, value_name = "DIR", required_if_eq_any([("format", "svg"), ("format", "png")]))]
    output: Option<PathBuf>,

    /// Overwrite files in that folder
    #[arg(long, requires = "output")]
    force: bool,

    /// Color theme of pictures
    #[arg(long, value_enum, default_value = "light")]
    theme: Theme,

    /// Print all rows, equal rows too
    #[arg(long)]
    all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Svg,
    Png,
}

/// What `--format json` prints.
#[derive(Serialize, JsonSchema)]
pub struct Differences<'a> {
    schema: u32,
    left: &'a str,
    right: &'a str,
    #[serde(flatten)]
    comparison: &'a Comparison,
}

impl<'a> Differences<'a> {
    /// What differs between two sides.
    pub(super) fn of([left, right]: [&'a str; 2], comparison: &'a Comparison) -> Differences<'a> {
        Differences { schema: 2, left, right, comparison }
    }
}

impl Diff {
    pub fn run(&self) -> Result<Verdict, CliError> {
        if let Some(variants) = &self.variants {
            return self.variants(variants);
        }
        if self.format == Format::Png {
            is_built(FileFormat::Png)?;
        }
        let [left, right] = self.names();
        if let Some(paths) = code_object::pair(left, right)? {
            return self.code_objects(paths);
        }
        let names = self.names();
        let reports = self.reports()?;
        let sides = [Side::from(&reports[0]), Side::from(&reports[1])];
        let mut comparison = compare(sides[0], sides[1]);
        match self.format {
            Format::Svg => self.pictures(FileFormat::Svg, "svg", &comparison, names, sides)?,
            Format::Png => self.pictures(FileFormat::Png, "png", &comparison, names, sides)?,
            Format::Text | Format::Json => self.complete(&mut comparison, sides),
        }
        if self.format == Format::Json {
            json::print(&Differences::of(names, &comparison))?;
        } else {
            let (mut out, style) = streams::styled();
            text::write_comparison(&comparison, names, self.format == Format::Text, &mut out, style)?;
            out.flush()?;
        }
        Ok(if comparison.equal && !has_failed(&reports) { Verdict::Clean } else { Verdict::Findings })
    }

    /// What the sides are called.
    pub(super) fn names(&self) -> [&str; 2] {
        [self.left.as_str(), self.right.as_deref().unwrap_or_default()]
    }

    /// The reports of both sides.
    pub(super) fn reports(&self) -> Result<[Report; 2], CliError> {
        let mut loader = self.option_args.loading().loader();
        let [left, right] = self.names();
        Ok([self.report(left, &mut loader)?, self.report(right, &mut loader)?])
    }

    /// Adds the differences of texts, and leaves out what is equal unless all is wanted.
    pub(super) fn complete(&self, comparison: &mut Comparison, sides: [Side<'_>; 2]) {
        let names = self.names();
        if !self.all {
            comparison.keep_changes();
        }
        comparison.fill_diffs(sides, |_, texts| unified(names, texts[0], texts[1], PATIENCE));
    }

    fn code_objects(&self, paths: [&Path; 2]) -> Result<Verdict, CliError> {
        let flags = [self.explicit.flags::<OptionArgs>(), self.explicit.flags::<AskDrivers>()].concat();
        code_object::no_flags(paths[0], &flags)?;
        if let Format::Svg | Format::Png = self.format {
            let why = "AMD code objects are compared as text (expected --format text or json)";
            return Err(CliError::Unusable(why.to_owned()));
        }
        code_object::print_differences(paths, self.all, self.format == Format::Json)
    }

    /// The variants of one program, each against the first one.
    fn variants(&self, variants: &Path) -> Result<Verdict, CliError> {
        if let Format::Svg | Format::Png = self.format {
            let why = "--variants: pictures are of two programs (expected --format text or json)";
            return Err(CliError::Unusable(why.to_owned()));
        }
        let names = std::iter::once(&self.left).chain(&self.right).chain(&self.more);
        let files: Vec<PathBuf> = names.flat_map(|name| name.split(',')).map(PathBuf::from).collect();
        let (files, pipeline) = of_database(files);
        let options = self.option_args.of_pipeline(pipeline);
        let (files, options) = options.in_workspace(&files, self.workspace).map_err(CliError::Unusable)?;
        let request = variants::Request { files, variants, options: &options, ask: &self.ask, all: self.all };
        request.run(self.format == Format::Json)
    }

    /// Writes a picture of each section that differs.
    fn pictures(
        &self,
        format: FileFormat,
        extension: &str,
        comparison: &Comparison,
        names: [&str; 2],
        sides: [Side<'_>; 2],
    ) -> Result<(), CliError> {
        let folder = self.output.as_deref().unwrap_or(Path::new("."));
        let names = names.map(short);
        let theme = self.theme.theme();
        let mut files: Vec<NamedFile> = Vec::new();
        for section in comparison.sections.iter().filter(|section| !section.equal) {
            let picture = draw::comparison(section, sides, [&names[0], &names[1]], &theme);
            let bytes = format.bytes(&picture).map_err(|error| CliError::Unusable(error.to_string()))?;
            files.push((format!("{}.{extension}", section.name), Blob(bytes)));
        }
        Ok(write_files(folder, &files, self.force)?)
    }

    /// The report of one side: read if the file is a report, else computed.
    fn report(&self, side: &str, loader: &mut Loader) -> Result<Report, CliError> {
        let files: Vec<PathBuf> = side.split(',').map(PathBuf::from).collect();
        if let Some(path) = reports::only_report(&files) {
            return reports::read(path).map_err(CliError::Unusable);
        }
        let (files, pipeline) = of_database(files);
        let option_args = self.option_args.of_pipeline(pipeline);
        let (files, option_args) = option_args.in_workspace(&files, self.workspace).map_err(CliError::Unusable)?;
        let (program, mut report) = option_args.load(&files, loader)?;
        if self.ask.names_one() {
            self.ask.ask(&program, &option_args.options_for(&program), option_args.loading(), &mut report)?;
            let of_driver = |finding: &&Finding| is_failure(finding) || finding.code == NOT_UNDERSTOOD.code;
            tell_findings(report.findings.iter().filter(of_driver));
        }
        Ok(report)
    }
}

/// Whether a compilation of either side failed: what one side lacks is in no section, and no one knows whether it differs.
pub(super) fn has_failed(reports: &[Report; 2]) -> bool {
    reports.iter().any(|report| report.findings.iter().any(is_failure))
}

/// Whether a finding is a failed compilation.
pub(super) fn is_failure(finding: &Finding) -> bool {
    [COMPILER_DIED, COMPILER_HUNG, COMPILER_MEMORY, NOT_COMPILED].iter().any(|rule| finding.code == rule.code)
}

/// File names without folders, to fit into a picture.
fn short(side: &str) -> String {
    let name = |file: &str| Path::new(file).file_name().map_or(file.into(), |name| name.to_string_lossy().into_owned());
    side.split(',').map(name).collect::<Vec<_>>().join(" + ")
}
