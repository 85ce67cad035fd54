//! `lanescope slots`: attribute slots of many pipelines, before and after packing, as one table.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use clap::{Args, ValueEnum};
use lanescope_core::load::{Corpus, Wanted, stage_of_extension, stage_of_profile};
use lanescope_core::options::{Options, PackingOrder};
use lanescope_core::packing::rewrite::rewrite;
use lanescope_core::program::{Program, StageKind};
use serde::Serialize;

use super::args::load;
use super::conversion::ConversionArgs;
use super::text::{self, Style};
use super::{CliError, Verdict, json};

pub const EXAMPLES: &str = "\
Examples:
  lanescope slots .                     every pipeline of a folder
  lanescope slots . --format markdown
                                        the table of samples/README.md
  lanescope slots lit_surface.vert lit_surface.frag --format json
                                        these files alone, as JSON

Shaders of one folder whose names differ in the stage only (`lit.vert` and `lit.frag`, `lit.vs.dxil` \
and `lit.ps.dxil`) are one pipeline; a database (.foz) has a row for each of its pipelines, every other \
file is one by itself. Those without fragment inputs have no row.
The folder is samples.

Exit status: 0 all were read, 2 some could not be (the others are counted).";

/// What `slots` takes.
#[derive(Debug, Args)]
pub struct Slots {
    /// Files, or folders of files
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    conversion: ConversionArgs,

    /// How to print the table
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
    /// Locations as written.
    before: u32,
    /// Slots after packing, in each order.
    packed: BTreeMap<PackingOrder, u32>,
    /// Locations of the modules that `lanescope rewrite` makes in the default order: what Vulkan can say. Absent where it
    /// refuses.
    rewritten: Option<u32>,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Table<'a> {
    /// A row a pipeline, in the order in which they were found.
    pipelines: &'a [Row],
}

impl Row {
    /// The columns of counts.
    pub fn titles() -> impl Iterator<Item = &'static str> {
        ["as written"].into_iter().chain(PackingOrder::ALL.iter().map(|order| order.name())).chain(["rewritten"])
    }

    /// Its counts, one a column.
    pub fn counts(&self) -> impl Iterator<Item = String> {
        let rewritten = self.rewritten.map_or_else(|| "-".to_owned(), |count| count.to_string());
        [self.before.to_string()].into_iter().chain(self.packed.values().map(u32::to_string)).chain([rewritten])
    }
}

impl Slots {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let mut rows = Vec::new();
        let mut failed = 0;
        let options = Options { dxil: self.conversion.conversion(), ..Options::default() };
        let mut take = |made: Result<Option<Row>, CliError>| match made {
            Ok(row) => rows.extend(row),
            Err(error) => {
                failed += 1;
                anstream::eprintln!("{error}");
            }
        };
        for files in pipelines(&self.paths)? {
            if let [only] = files.as_slice()
                && is_database(only)
            {
                of_database(only, &mut take);
            } else {
                take(load(&files, &Wanted::of(&options), false).and_then(|program| row(title(&files), &program)));
            }
        }
        match self.format {
            Format::Text => {
                let mut out = AutoStream::auto(io::stdout().lock());
                let style = Style::of(out.current_choice());
                text::write_slots(&rows, &mut out, style)?;
                out.flush()?;
            }
            Format::Markdown => io::stdout().lock().write_all(markdown(&rows).as_bytes())?,
            Format::Json => json::print_versioned(&Table { pipelines: &rows })?,
        }
        if failed > 0 {
            let plural = if failed == 1 { "" } else { "s" };
            return Err(CliError::Unusable(format!("{failed} pipeline{plural} could not be read")));
        }
        Ok(Verdict::Clean)
    }
}

/// The files of each pipeline, by name.
pub fn pipelines(paths: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>, CliError> {
    let mut by_name: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in paths {
        if path.is_dir() {
            let unreadable = |error| CliError::Unusable(format!("{}: {error}", path.display()));
            for entry in std::fs::read_dir(path).map_err(unreadable)? {
                let file = entry.map_err(unreadable)?.path();
                if let Some(name) = pipeline_of(&file) {
                    by_name.entry(name).or_default().push(file);
                }
            }
        } else {
            let name = pipeline_of(path).unwrap_or_else(|| path.clone());
            by_name.entry(name).or_default().push(path.clone());
        }
    }
    let mut pipelines: Vec<_> = by_name.into_values().collect();
    for files in &mut pipelines {
        files.sort_by_key(|file| (stage_of(file), file.clone()));
        files.dedup();
    }
    Ok(pipelines)
}

/// The stage that a file's name says.
fn stage_of(file: &Path) -> Option<StageKind> {
    stage_of_extension(&without_binary_extension(file)).or_else(|| stage_of_profile(file))
}

/// What the files of one pipeline have in common; nothing where the name is no shader's.
fn pipeline_of(file: &Path) -> Option<PathBuf> {
    if stage_of_profile(file).is_some() {
        // Containers and sources of one name in one folder are pipelines of their own.
        let extension = file.extension().unwrap_or_default();
        return Some(file.with_extension("").with_extension(extension));
    }
    let stem = without_binary_extension(file);
    match stage_of_extension(&stem) {
        // `lit.frag.glsl` has two extensions.
        Some(_) if stem.extension().is_some_and(|extension| extension == "glsl") => {
            Some(stem.with_extension("").with_extension(""))
        }
        Some(_) => Some(stem.with_extension("")),
        None => {
            let alone = ["pipe", "dxil", "cso"];
            let is_alone = file.extension().is_some_and(|extension| alone.iter().any(|own| extension == *own));
            (stem != file || is_alone || is_database(file)).then(|| file.to_owned())
        }
    }
}

fn without_binary_extension(file: &Path) -> PathBuf {
    let is_binary = file.extension().is_some_and(|extension| extension == "spv" || extension == "spvasm");
    if is_binary { file.with_extension("") } else { file.to_owned() }
}

/// Whether a file is a database of pipelines, by its extension.
pub fn is_database(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("foz"))
}

/// One row for each pipeline of a database.
fn of_database(path: &PathBuf, take: &mut impl FnMut(Result<Option<Row>, CliError>)) {
    let corpus = match Corpus::open(std::slice::from_ref(path)) {
        Ok(corpus) => corpus,
        Err(error) => return take(Err(CliError::Unusable(error.to_string()))),
    };
    let name = title(std::slice::from_ref(path));
    for (key, place) in corpus.pipelines() {
        let name = format!("{name}@{key}");
        let program = corpus.program(&place).map_err(|error| CliError::Unusable(format!("{name}: {error}")));
        take(program.and_then(|program| program.map_or(Ok(None), |program| row(name, &program))));
    }
}

/// Nothing where no fragment input is read.
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

/// The files' names.
pub fn title(files: &[PathBuf]) -> String {
    let names: Vec<_> =
        files.iter().filter_map(|file| file.file_name()).map(|name| name.to_string_lossy().into_owned()).collect();
    names.join(" + ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_whose_names_differ_in_the_stage_only_are_one_pipeline() {
        let name = |file: &str| pipeline_of(Path::new(file)).map(|path| path.display().to_string());
        assert_eq!(name("a/lit.vert").as_deref(), Some("a/lit"));
        assert_eq!(name("a/lit.frag.glsl"), name("a/lit.vert"));
        assert_eq!(name("a/lit.frag.spv"), name("a/lit.vert"));
        assert_eq!(name("a/lit.spvasm").as_deref(), Some("a/lit.spvasm"));
        assert_eq!(name("a/quad.pipe").as_deref(), Some("a/quad.pipe"));
        assert_eq!(name("a/game.foz").as_deref(), Some("a/game.foz"));
        assert_eq!(name("a/lit.vs.dxil").as_deref(), Some("a/lit.dxil"));
        assert_eq!(name("a/lit.ps.dxil"), name("a/lit.vs.dxil"));
        assert_ne!(name("a/lit.ps.hlsl"), name("a/lit.vs.dxil"));
        assert_eq!(name("a/nodes.lib.dxil").as_deref(), Some("a/nodes.lib.dxil"));
        // HLSL that says no stage is mostly there to be included.
        assert_eq!(name("a/lit.hlsl"), None);
        assert_eq!(name("README.md"), None);
    }
}
