//! `lanescope foz`: lists a Fossilize database, or writes the open pipeline to a new one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lanescope_core::findings::Severity;
use lanescope_core::load::{self, LoadOptions};
use lanescope_core::options::Options;
use lanescope_core::pipeline::PipelineKind;
use lanescope_core::pipeline::foz::{self, Listing, Tag, Writer};
use lanescope_core::pipeline::layout::{DescriptorSet, Layout, PushConstantRange};
use lanescope_core::pipeline::state::State;
use lanescope_core::program::{Format as FileFormat, Program};

use super::args::Analysis;
use super::{CliError, Verdict, json};
use crate::cli::streams;
use lanescope_host::safe_write::Unfinished;
use lanescope_host::worker::Loader;
use lanescope_text::{self as text, plain};

pub const EXAMPLES: &str = "\
Examples:
  lanescope foz effects.foz             the pipelines of a database
  lanescope foz effects.foz --find fragment
                                        those with a fragment stage; also searches hashes, kinds,
                                        entry points and modules
  lanescope inspect effects.foz --pipeline 58dd
                                        one of them, by the first digits of its hash
  lanescope foz lit_surface.vert lit_surface.frag -o lit.foz
                                        shaders as a database for Fossilize's own tools
  lanescope foz effects.foz --pipeline 58dd -o one.foz
                                        one pipeline with all objects that it refers to, unchanged

Several databases are read as one. If an object is in two of them, the first one is used.
The files are in the folder samples.

Exit status: 0 no errors, 1 findings of severity error, 2 unusable input.";

/// Arguments of `foz`.
#[derive(Debug, Args)]
pub struct Foz {
    #[command(flatten)]
    analysis: Analysis,

    /// List only pipelines with this text in their hash, kind, stages, entry points or modules
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, conflicts_with = "output")]
    find: String,

    /// Write the pipeline to this database
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,

    /// Compress objects with deflate if that makes them smaller
    #[arg(long, requires = "output")]
    compress: bool,

    /// Overwrite the file
    #[arg(long, requires = "output")]
    force: bool,

    /// Output format
    #[arg(long, value_enum, default_value = "text", conflicts_with = "output")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Foz {
    pub fn run(&self) -> Result<Verdict, CliError> {
        match &self.output {
            Some(out) => self.write(out),
            None => self.list(),
        }
    }

    fn list(&self) -> Result<Verdict, CliError> {
        let listing = load::listing(self.analysis.files(), &self.find)
            .map_err(|error| CliError::Unusable(format!("{error}; use --output to write other files to a database")))?;
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                // Whole first: a stream that is written line by line is slow for ten thousand.
                let mut page = Vec::new();
                text::write_foz(&listing, &mut page, style)?;
                out.write_all(&page)?;
                out.flush()?;
            }
            Format::Json => json::print_versioned(2, &listing)?,
        }
        let has_errors = |listing: &Listing| listing.findings.iter().any(|f| f.severity == Severity::Error);
        Ok(if has_errors(&listing) { Verdict::Findings } else { Verdict::Clean })
    }

    fn write(&self, path: &Path) -> Result<Verdict, CliError> {
        if path.exists() && !self.force {
            return Err(CliError::Unusable(format!("{}: exists (use --force to overwrite)", path.display())));
        }
        let mut loader = self.analysis.loading().loader();
        let (program, report) = self.analysis.load_with(&mut loader)?;
        let unusable = |why: String| CliError::Unusable(format!("{}: {why}", path.display()));
        let io_error = |error: io::Error| unusable(format!("cannot be written: {error}"));
        // The whole file takes the old one's place, or nothing does.
        let unfinished = Unfinished::beside(path, self.force).map_err(io_error)?;
        let mut writer = Writer::new(io::BufWriter::new(&unfinished.file), self.compress).map_err(io_error)?;
        let filled = self.fill(&program, &mut writer)?;
        let count = writer.count();
        drop(writer.finish().map_err(io_error)?);
        let bytes = unfinished.file.metadata().map_err(io_error)?.len();
        self.read_back(&unfinished.path, &filled, &program, &mut loader).map_err(unusable)?;
        let Filled { hash, notes, .. } = filled;
        unfinished.finish().map_err(io_error)?;
        let mut out = streams::plain();
        let path = plain(&path.display().to_string());
        writeln!(out, "{path}: pipeline {hash}, {count} objects, {bytes} bytes; read back and compared")?;
        for note in notes {
            writeln!(out, "  {}", plain(&note))?;
        }
        Ok(if report.has_errors() { Verdict::Findings } else { Verdict::Clean })
    }

    /// Writes the pipeline: copied from its database, or built from the open program.
    fn fill<W: Write>(&self, program: &Program, writer: &mut Writer<W>) -> Result<Filled, CliError> {
        let unusable = |why: String| CliError::Unusable(why);
        let of_database = program.pipeline.as_ref().filter(|p| p.origin.format == FileFormat::Fossilize);
        if let Some((pipeline, hash)) = of_database.and_then(|p| Some((p, p.origin.hash?))) {
            if let Some(flag) = changes(&self.analysis.typed_options(program)) {
                let why = format!("a pipeline of a database is copied unchanged, so {flag} cannot be applied");
                return Err(unusable(why));
            }
            let database = load::database(self.analysis.files()).map_err(|error| unusable(error.to_string()))?;
            let hash_text = foz::Key(hash.0).to_string();
            let tag = match pipeline.kind {
                PipelineKind::Graphics | PipelineKind::Library | PipelineKind::StateObject => Tag::Graphics,
                PipelineKind::Compute => Tag::Compute,
                PipelineKind::RayTracing => Tag::RayTracing,
            };
            let Some(place) = database.find(tag, hash.0) else {
                return Err(unusable(format!("pipeline {hash_text} is no longer in the database")));
            };
            let missing = foz::copy(&database, place, writer).map_err(|fault| unusable(fault.to_string()))?;
            let notes = missing.into_iter().map(|what| format!("missing in the database too: {what}")).collect();
            return Ok(Filled {
                hash: hash_text,
                notes,
                layout: pipeline.layout.clone(),
                state: Some(pipeline.state.clone()),
            });
        }
        let options = self.analysis.options_for(program);
        let made = foz::make(program, &options, writer).map_err(|error| unusable(error.to_string()))?;
        let hash = foz::Key(made.pipeline.0).to_string();
        Ok(Filled { hash, notes: made.notes, layout: made.layout, state: None })
    }

    /// Opens the written database and compares stages, constants, layout, and the known state.
    fn read_back(&self, path: &Path, filled: &Filled, program: &Program, loader: &mut Loader) -> Result<(), String> {
        let wanted = LoadOptions { pipeline: Some(filled.hash.clone()), ..LoadOptions::default() };
        let read = loader
            .load(&[path.to_owned()], &wanted)
            .map_err(|error| format!("the written database cannot be read back: {}", CliError::from(error)))?
            .program;
        let stages = |program: &Program| -> Vec<_> {
            let stages = program.stages.iter();
            stages.map(|s| (s.stage, s.entry.clone(), program.module_of(s).words().to_vec())).collect()
        };
        let constants = |program: &Program, options: &Options| -> Result<Vec<_>, String> {
            let set = lanescope_core::specialised(program, options).map_err(|error| error.to_string())?;
            let all = set.stages.iter().flat_map(|stage| set.module_of(stage).spec_constants());
            Ok(all.map(|constant| (constant.spec_id, constant.value)).collect())
        };
        let Some(pipeline) = &read.pipeline else {
            return Err("the written database has no pipeline description".to_owned());
        };
        let same = [
            ("stages", stages(&read) == stages(program)),
            (
                "constants",
                constants(&read, &Options::default())? == constants(program, &self.analysis.typed_options(program))?,
            ),
            ("layout", places(&pipeline.layout) == places(&filled.layout)),
            (
                "multiview",
                has_views(&read, &read.options(&Options::default()))
                    == has_views(program, &self.analysis.options_for(program)),
            ),
            ("state", filled.state.as_ref().is_none_or(|state| *state == pipeline.state)),
        ];
        match same.iter().find(|(_, same)| !same) {
            Some((what, _)) => Err(format!("the written database differs from the program: {what}")),
            None => Ok(()),
        }
    }
}

/// Whether a graphics program draws to several views.
fn has_views(program: &Program, options: &Options) -> bool {
    options.multiview && program.stages.iter().any(|stage| stage.stage.is_graphics())
}

/// What was written.
struct Filled {
    /// The pipeline's key.
    hash: String,
    notes: Vec<String>,
    layout: Layout,
    /// Where it was copied.
    state: Option<State>,
}

/// The written part of a layout: sets without their keys, push constants.
fn places(layout: &Layout) -> (Vec<DescriptorSet>, &[PushConstantRange]) {
    let set = |set: &DescriptorSet| DescriptorSet { hash: None, ..set.clone() };
    (layout.sets.iter().map(set).collect(), &layout.push_constants)
}

/// The first flag that would change a pipeline of a database.
fn changes(options: &Options) -> Option<&'static str> {
    let plain = Options::default();
    let flags = [
        ("--spec", options.spec != plain.spec),
        ("--entry", options.entry != plain.entry),
        ("--wave", options.wave != plain.wave),
        ("--color", options.color != plain.color),
        ("--alpha-to-coverage", options.alpha_to_coverage),
        ("--sample-shading", options.sample_shading),
        ("--multiview", options.multiview),
    ];
    flags.iter().find(|(_, set)| *set).map(|(flag, _)| *flag)
}
