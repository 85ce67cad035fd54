//! `lanescope slots`: attribute slots of many pipelines, before and after packing, as one table.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use clap::{Args, ValueEnum};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::{Options, PackingOrder};
use lanescope_core::packing::rewrite::rewrite;
use lanescope_core::program::Program;
use serde::Serialize;

use super::conversion::ConversionArgs;
use super::loading::{Loader, Loading};
use super::text::{self, Style};
use super::{CliError, Verdict, json};
use crate::folders::{self, PipelineFiles, Prefer, Skipped};

pub const EXAMPLES: &str = "\
Examples:
  lanescope slots .                     every pipeline of a folder
  lanescope slots . --format markdown
                                        the table of samples/README.md
  lanescope slots lit_surface.vert lit_surface.frag --format json
                                        these files alone, as JSON

Shaders of one folder whose names differ in the stage only (`lit.vert` and `lit.frag`, `lit.vs.dxil` \
and `lit.ps.dxil`) are one pipeline; a database (.foz) has a row for each of its pipelines, any other \
file is one by itself. Source and binary of one shader (`lit.vert` and `lit.vert.spv`) count once: --prefer \
chooses one. Pipelines without fragment inputs have no row.
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

/// The attribute slots of one pipeline.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Its files' names.
    pub pipeline: String,
    /// Locations of the original program.
    before: u32,
    /// Slots after packing, in each order.
    packed: BTreeMap<PackingOrder, u32>,
    /// Locations of the modules that `lanescope rewrite` writes in the default order. Absent if the program cannot be
    /// rewritten.
    rewritten: Option<u32>,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Table<'a> {
    /// One row per pipeline, in the order in which they were found.
    pipelines: &'a [Row],
}

impl Row {
    /// The columns of counts.
    pub fn titles() -> impl Iterator<Item = &'static str> {
        ["original"].into_iter().chain(PackingOrder::ALL.iter().map(|order| order.name())).chain(["rewritten"])
    }

    /// Its counts, one per column.
    pub fn counts(&self) -> impl Iterator<Item = String> {
        let rewritten = self.rewritten.map_or_else(|| "-".to_owned(), |count| count.to_string());
        [self.before.to_string()].into_iter().chain(self.packed.values().map(u32::to_string)).chain([rewritten])
    }
}

impl Slots {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let mut rows = Vec::new();
        let mut failed = 0;
        let (dxil, no_validate) = (self.conversion.conversion(), self.conversion.no_validate());
        let options = Options { dxil, no_validate, ..Options::default() };
        let wanted = LoadOptions { stage: self.conversion.stage(), ..LoadOptions::of(&options) };
        let mut loader = self.loading.loader();
        let mut take = |made: Result<Option<Row>, CliError>| match made {
            Ok(row) => rows.extend(row),
            Err(error) => {
                failed += 1;
                anstream::eprintln!("{error}");
            }
        };
        let found = folders::find(&self.paths).map_err(CliError::Unusable)?;
        report_skipped(&found.skipped);
        for PipelineFiles { name, files } in found.pipelines(self.prefer) {
            if let [only] = files.as_slice()
                && is_database(only)
            {
                of_database(only, &name, &wanted, &mut loader, &mut take);
            } else {
                take(loader.load(&files, &wanted).and_then(|program| row(name, &program)));
            }
        }
        // A file that was named is known to be what it is; a folder may be another than was meant.
        if rows.is_empty() && failed == 0 && self.paths.iter().any(|path| path.is_dir()) {
            let paths: Vec<_> = self.paths.iter().map(|path| path.display().to_string()).collect();
            return Err(CliError::Unusable(format!("{}: no pipeline with fragment inputs", paths.join(", "))));
        }
        match self.format {
            Format::Text => {
                let mut out = AutoStream::auto(io::stdout().lock());
                let style = Style::of(out.current_choice());
                text::write_slots(&rows, &mut out, style)?;
                out.flush()?;
            }
            Format::Markdown => io::stdout().lock().write_all(markdown(&rows).as_bytes())?,
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
        anstream::eprintln!("{}: skipped: {why}", path.display());
    }
    if let Some(more) = skipped.len().checked_sub(SKIPPED_SHOWN).filter(|more| *more > 0) {
        anstream::eprintln!("{more} more skipped");
    }
}

/// Number of skipped files that are listed by name.
const SKIPPED_SHOWN: usize = 20;

/// Whether a file is a database of pipelines, by its extension.
pub fn is_database(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("foz"))
}

/// One row for each pipeline of a database.
fn of_database(
    path: &PathBuf,
    title: &str,
    wanted: &LoadOptions,
    loader: &mut Loader,
    take: &mut impl FnMut(Result<Option<Row>, CliError>),
) {
    let each = |key: &str, program: Result<Option<Program>, String>| {
        let name = format!("{title}@{key}");
        let program = program.map_err(|error| CliError::Unusable(format!("{name}: {error}")));
        take(program.and_then(|program| program.map_or(Ok(None), |program| row(name, &program))));
    };
    if let Err(error) = loader.each_of(std::slice::from_ref(path), wanted, |_| {}, each) {
        take(Err(CliError::Unusable(error)));
    }
}

/// `None` if no fragment input is read.
fn row(pipeline: String, program: &Program) -> Result<Option<Row>, CliError> {
    let mut row = None;
    for &order in PackingOrder::ALL {
        let options = Options { order, ..Options::default() };
        let report =
            lanescope_core::analyse(program, &options).map_err(|error| CliError::Unusable(error.to_string()))?;
        let Some(packing) = report.packing.filter(|packing| packing.slots.before > 0) else { return Ok(None) };
        let row = row.get_or_insert_with(|| Row {
            pipeline: pipeline.clone(),
            before: packing.slots.before,
            packed: BTreeMap::new(),
            rewritten: rewrite(program, &Options::default()).ok().map(|rewritten| rewritten.map.slots.after),
        });
        row.packed.insert(order, packing.slots.after);
    }
    Ok(row)
}

fn markdown(rows: &[Row]) -> String {
    let titles: Vec<_> = Row::titles().collect();
    let mut out = format!("| pipeline | {} |\n|---|{}\n", titles.join(" | "), "--:|".repeat(titles.len()));
    for row in rows {
        let counts: Vec<_> = row.counts().collect();
        out.push_str(&format!("| `{}` | {} |\n", row.pipeline, counts.join(" | ")));
    }
    out
}
