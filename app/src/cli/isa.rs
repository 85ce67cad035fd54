//! `lanescope isa`: assembly and statistics from drivers' compilers.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lanescope_core::driver::assignment::{varyings_markdown, varyings_values};
use lanescope_core::driver::origin::line_costs::line_cost_values;
use lanescope_core::driver::{DriverStage, StatisticsTable, statistics_markdown, statistics_values, tables};
use lanescope_core::foreign::plain_lines;
use lanescope_core::report::Report;
use lanescope_core::run::Blob;

use super::args::{Analysis, some_stage};
use super::csv::CsvArgs;
use super::driver_args::AskDrivers;
use super::{CliError, Verdict, json, tell_findings};
use crate::cli::streams;
use lanescope_host::rewriting::NamedFile;
use lanescope_host::safe_write::write_files;
use lanescope_text as text;

pub const EXAMPLES: &str = "\
Examples:
  lanescope isa lit_surface.vert lit_surface.frag --chip navi21,gfx1100
                                        assembly and statistics, no GPU required
  lanescope isa lit_surface.vert lit_surface.frag --chip gfx1100 --pipeline-libraries --stat --variant original,packed
                                        both sides of the rasterizer, not linked
  lanescope isa tile_16x16.comp --reconfig --all-chips --variant original,swizzled
                                        assembly and statistics of all chips
  lanescope isa tile_16x16.comp --reconfig --all-chips --variant original,swizzled --format csv
                                        the same for a spreadsheet, one value per row
  lanescope isa tile_16x16.comp --device 0
                                        the compiler of an installed device
  lanescope isa lit_surface.vert lit_surface.frag --chip gfx1030,tgl --varyings
                                        the slots that each compiler gives the varyings
  lanescope isa lit_surface.vert lit_surface.frag --chip gfx1030 --lines
                                        the source lines by live registers, scratch accesses, instructions
  lanescope isa lit_surface.frag --chip gfx1030 --save-repro bug
                                        modules, command and versions if the compiler crashes

The files are in the folder samples.

Without --chip and --device, the program is compiled for the chip of --target. Each compiler runs in its own process, \
with time and memory limits. Results are cached on disk by module, options and driver version.

Exit status: 0 compiled, 1 findings of severity error (such as a compiler crash), 2 unusable input, 3 the driver, \
chip or device is not available, or lacks what the program needs.";

/// Arguments of `isa`.
#[derive(Debug, Args)]
pub struct Isa {
    #[command(flatten)]
    analysis: Analysis,

    #[command(flatten)]
    ask: AskDrivers,

    /// Print the statistics only, as one table: a column for each chip, driver and variant
    #[arg(long)]
    stat: bool,

    /// Print only where each compiler puts the varyings: slots side by side, then one table for compilers that agree
    #[arg(long, conflicts_with = "stat")]
    varyings: bool,

    /// Print only what each source line costs: live registers, accesses to scratch memory, instructions; JSON contains it too
    #[arg(long, conflicts_with_all = ["stat", "varyings"])]
    lines: bool,

    /// Include the compiler's intermediate representations
    #[arg(long, conflicts_with_all = ["stat", "varyings", "lines"])]
    ir: bool,

    /// Folder to write all texts and report.json to
    #[arg(short, long, alias = "out", value_name = "DIR")]
    output: Option<PathBuf>,

    /// Overwrite files in that folder
    #[arg(long, requires = "output")]
    force: bool,

    /// Output format; JSON is the whole report, CSV and Markdown are the statistics, the places of varyings, or the lines
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    csv: CsvArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
    Markdown,
}

impl Isa {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let report = self.reported()?;
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_isa(&report, self.detail(), &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print(&report)?,
            Format::Csv => {
                let table = match (self.varyings, self.lines) {
                    (true, _) => varyings_values(&report.driver_layouts),
                    (_, true) => line_cost_values(&report.driver),
                    _ => statistics_values(&statistics(&report)),
                };
                print_table(&report, &table.to_csv_with(self.csv.formulas()))?;
            }
            Format::Markdown if self.varyings => print_table(&report, &varyings_markdown(&report.driver_layouts))?,
            Format::Markdown if self.lines => print_table(&report, &line_cost_values(&report.driver).to_markdown())?,
            Format::Markdown => print_table(&report, &plain_lines(&statistics_markdown(&statistics(&report))))?,
        }
        Ok(if report.has_errors() { Verdict::Findings } else { Verdict::Clean })
    }

    /// The report with what the compilers made, written to the folder of `--output`.
    pub(super) fn reported(&self) -> Result<Report, CliError> {
        let (program, mut report) = self.analysis.load()?;
        some_stage(&program, &report)?;
        self.ask.ask(&program, &self.analysis.options_for(&program), self.analysis.loading(), &mut report)?;
        if self.lines {
            for row in &mut report.driver {
                row.lines = row.line_costs();
            }
        }
        if let Some(folder) = &self.output {
            export(folder, self.force, &report)?;
        }
        Ok(report)
    }

    /// What of it is text.
    pub(super) fn detail(&self) -> text::Detail {
        match () {
            () if self.varyings => text::Detail::Varyings,
            () if self.lines => text::Detail::Lines,
            () if self.stat || self.ask.all_chips() => text::Detail::Statistics,
            () if self.ir => text::Detail::Everything,
            () => text::Detail::Assembly,
        }
    }
}

fn statistics(report: &Report) -> Vec<StatisticsTable> {
    tables(&report.driver, &report.driver_failures)
}

/// Prints a table alone. Findings go to standard error where the output is a table.
fn print_table(report: &Report, table: &str) -> io::Result<()> {
    streams::put(table.as_bytes())?;
    tell_findings(&report.findings);
    Ok(())
}

/// Writes each assembly as `VERSION.STAGE.PLACE.s`, with the entry point after the stage where it has several,
/// the other texts next to it, and the report.
fn export(folder: &Path, force: bool, report: &Report) -> Result<(), CliError> {
    let mut all: Vec<NamedFile> = Vec::new();
    for row in &report.driver {
        let called = |row: &DriverStage| {
            let entry = row.entry.as_ref().map(|entry| format!(".{entry}")).unwrap_or_default();
            format!("{}.{}{entry}.{}", row.of, row.stage, row.place())
        };
        let alike = |other: &&DriverStage| called(other) == called(row);
        let number = report.driver.iter().take_while(|other| !std::ptr::eq(*other, row)).filter(alike).count();
        let again = if number > 0 { format!(".{}", number + 1) } else { String::new() };
        let stem = file_name(&format!("{}{again}", called(row)));
        all.extend(row.isa.as_ref().map(|isa| (format!("{stem}.s"), Blob(isa.clone().into_bytes()))));
        for text in &row.texts {
            let name = file_name(&format!("{stem}.{}", text.name.to_lowercase()));
            all.push((format!("{name}.txt"), Blob(text.text.clone().into_bytes())));
        }
    }
    let mut whole = Vec::new();
    json::write(report, &mut whole)?;
    all.push(("report.json".to_owned(), Blob(whole)));
    Ok(write_files(folder, &all, force)?)
}

/// A driver's text as a file name.
fn file_name(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    text.chars().map(plain).collect::<String>().trim_end_matches('_').to_owned()
}
