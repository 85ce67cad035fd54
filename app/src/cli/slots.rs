//! `lanescope slots`: attribute slots of many pipelines, before and after packing, as one table: a view of a corpus.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lanescope_core::corpus::Measure;
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use serde::Serialize;

use super::loading::Loading;
use super::{CliError, Verdict, corpus, json};
use crate::cli::streams;
use lanescope_host::corpus::Settings;
use lanescope_host::corpus::slots::Row;
use lanescope_host::flags::conversion::ConversionArgs;
use lanescope_host::folders::{Prefer, Skipped};
use lanescope_text as text;

pub const EXAMPLES: &str = "\
Examples:
  lanescope slots .                     every pipeline of a folder
  lanescope slots . --format markdown
                                        the table of samples/README.md
  lanescope slots lit_surface.vert lit_surface.frag --format json
                                        these files alone, as JSON

Shaders of one folder whose names differ in the stage only (`lit.vert` and `lit.frag`, `lit.vs.dxil` and \
`lit.ps.dxil`) are one pipeline; a database (.foz) has a row for each of its pipelines, any other file is one by \
itself. Source and binary of one shader (`lit.vert` and `lit.vert.spv`) count once: --prefer chooses one. Pipelines \
without fragment inputs have no row.
Folders are searched recursively. Links to folders, FIFOs, sockets and devices in them are skipped and named.
The folder is samples.

Exit status: 0 all files were read, 2 some could not be read (the others are counted), or nothing was found.";

/// Arguments of `slots`.
#[derive(Debug, Args)]
pub struct Slots {
    /// Files, or folders of files
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// Form to use if a folder has both source and binary of a shader
    #[arg(long, value_enum, value_name = "source|binary", default_value = "binary", hide_possible_values = true)]
    prefer: Prefer,

    #[command(flatten)]
    conversion: ConversionArgs,

    #[command(flatten)]
    loading: Loading,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Markdown,
    Json,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Table<'a> {
    /// One row per pipeline, in the order in which they were found.
    pipelines: &'a [Row],
}

impl Slots {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let (dxil, no_validate) = (self.conversion.conversion(), self.conversion.no_validate());
        let validator = self.conversion.validator();
        let options = Options { stage: self.conversion.stage(), dxil, no_validate, validator, ..Options::default() };
        let wanted = LoadOptions::of(&options);
        let (sources, wanted) = corpus::find_sources(&self.paths, self.prefer, &wanted, &mut self.loading.loader())?;
        let (mut rows, mut failed) = (Vec::new(), 0);
        let view = corpus::view(&self.loading, &wanted);
        let settings = Settings { measures: BTreeSet::from([Measure::Orders]), ..view };
        corpus::each_row(&settings, &sources, |row| match row.failure {
            Some(why) => {
                failed += 1;
                streams::tell(&why);
            }
            None => rows.extend(row.packing.map(|packing| Row {
                pipeline: row.pipeline,
                before: packing.before,
                packed: packing.orders,
                rewritten: packing.rewritten,
            })),
        })?;
        // A file that was named is known to be what it is; a folder may be another than was meant.
        if rows.is_empty() && failed == 0 && self.paths.iter().any(|path| path.is_dir()) {
            let paths: Vec<_> = self.paths.iter().map(|path| path.display().to_string()).collect();
            return Err(CliError::Unusable(format!("{}: no pipeline with fragment inputs", paths.join(", "))));
        }
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_slots(&rows, &mut out, style)?;
                out.flush()?;
            }
            Format::Markdown => streams::plain().write_all(markdown(&rows).as_bytes())?,
            Format::Json => json::print_versioned(1, &Table { pipelines: &rows })?,
        }
        if failed > 0 {
            let plural = if failed == 1 { "" } else { "s" };
            return Err(CliError::Unusable(format!("{failed} pipeline{plural} could not be read")));
        }
        Ok(Verdict::Clean)
    }
}

/// Lists skipped files on stderr, the first ones by name.
pub fn report_skipped(skipped: &[Skipped]) {
    for Skipped { path, why } in skipped.iter().take(SKIPPED_SHOWN) {
        streams::tell(&format!("{}: skipped: {why}", path.display()));
    }
    if let Some(more) = skipped.len().checked_sub(SKIPPED_SHOWN).filter(|more| *more > 0) {
        streams::tell(&format!("{more} more skipped"));
    }
}

/// Number of skipped files that are listed by name.
const SKIPPED_SHOWN: usize = 20;

fn markdown(rows: &[Row]) -> String {
    let titles: Vec<_> = Row::titles().collect();
    let mut out = format!("| pipeline | {} |\n|---|{}\n", titles.join(" | "), "--:|".repeat(titles.len()));
    for row in rows {
        let counts: Vec<_> = row.counts().collect();
        out.push_str(&format!("| `{}` | {} |\n", row.pipeline, counts.join(" | ")));
    }
    out
}
