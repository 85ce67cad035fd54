//! `lanescope foz`: what is in a Fossilize database, and a database of what is open.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use clap::{Args, ValueEnum};
use lanescope_core::findings::Severity;
use lanescope_core::load::{self, Wanted};
use lanescope_core::pipeline::foz::{self, Listing, Writer};
use lanescope_core::program::{Format as FileFormat, Program};

use super::args::Analysis;
use super::text::{self, Style};
use super::{CliError, Verdict, json};

pub const EXAMPLES: &str = "\
Examples:
  lanescope foz effects.foz             the pipelines of a database
  lanescope foz effects.foz --find fragment
                                        those with a fragment stage; a hash's digits, a module's
                                        and an entry point's name are found as well
  lanescope inspect effects.foz --pipeline 58dd
                                        one of them; the hash's first digits are enough
  lanescope foz lit_surface.vert lit_surface.frag --out lit.foz
                                        shaders as a database for Fossilize's own tools
  lanescope foz effects.foz --pipeline 58dd --out one.foz
                                        one pipeline with what it refers to, as it lies there

Several databases make one set: of an object that is in two of them the first one's counts.
The files are those of the folder samples.

Exit status: 0 nothing found, 1 findings of severity error, 2 unusable input.";

/// What `foz` takes.
#[derive(Debug, Args)]
pub struct Foz {
    #[command(flatten)]
    analysis: Analysis,

    /// List only pipelines with this text in their hash, kind, stages, entry points or modules
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, conflicts_with = "out")]
    find: String,

    /// Write the pipeline that the files make into a database
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Deflate what is written, where that makes it smaller
    #[arg(long, requires = "out")]
    compress: bool,

    /// Overwrite the file
    #[arg(long, requires = "out")]
    force: bool,

    /// How to print the list
    #[arg(long, value_enum, default_value = "text", conflicts_with = "out")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Foz {
    pub fn run(&self) -> Result<Verdict, CliError> {
        match &self.out {
            Some(out) => self.write(out),
            None => self.list(),
        }
    }

    fn list(&self) -> Result<Verdict, CliError> {
        let listing = load::listing(self.analysis.files(), &self.find)
            .map_err(|error| CliError::Unusable(format!("{error}; --out writes a database of other files")))?;
        match self.format {
            Format::Text => {
                let mut out = AutoStream::auto(io::stdout().lock());
                let style = Style::of(out.current_choice());
                // Whole first: a stream that is written line by line is slow for ten thousand.
                let mut page = Vec::new();
                text::write_foz(&listing, &mut page, style)?;
                out.write_all(&page)?;
                out.flush()?;
            }
            Format::Json => {
                let mut out = io::BufWriter::new(io::stdout().lock());
                json::write(&listing, &mut out)?;
                out.flush()?;
            }
        }
        let has_errors = |listing: &Listing| listing.findings.iter().any(|f| f.severity == Severity::Error);
        Ok(if has_errors(&listing) { Verdict::Findings } else { Verdict::Clean })
    }

    fn write(&self, path: &Path) -> Result<Verdict, CliError> {
        if path.exists() && !self.force {
            return Err(CliError::Unusable(format!("{} exists; --force overwrites it", path.display())));
        }
        let (program, report) = self.analysis.load()?;
        let unusable = |why: String| CliError::Unusable(format!("{}: {why}", path.display()));
        let io_error = |error: io::Error| unusable(format!("cannot be written: {error}"));
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // The whole file takes the old one's place, or nothing does.
        let file = tempfile::NamedTempFile::new_in(folder).map_err(io_error)?;
        let mut writer = Writer::new(io::BufWriter::new(file), self.compress).map_err(io_error)?;
        let (hash, notes) = self.fill(&program, &mut writer)?;
        let count = writer.count();
        let file = writer.finish().map_err(io_error)?.into_inner().map_err(|error| io_error(error.into_error()))?;
        let bytes = file.as_file().metadata().map_err(io_error)?.len();
        self.read_back(file.path(), &hash, &program).map_err(unusable)?;
        file.persist(path).map_err(|error| io_error(error.error))?;
        let mut out = AutoStream::auto(io::stdout().lock());
        writeln!(out, "{}: pipeline {hash}, {count} objects, {bytes} bytes; read back and compared", path.display())?;
        for note in notes {
            writeln!(out, "  {note}")?;
        }
        Ok(if report.has_errors() { Verdict::Findings } else { Verdict::Clean })
    }

    /// Writes the pipeline: as it lies in its database, or made of what is open.
    fn fill<W: Write>(&self, program: &Program, writer: &mut Writer<W>) -> Result<(String, Vec<String>), CliError> {
        let unusable = |why: String| CliError::Unusable(why);
        let of_database = program.pipeline.as_ref().filter(|p| p.origin.format == FileFormat::Fossilize);
        if let Some((hash, files)) = of_database.and_then(|p| Some((p.origin.hash?, self.analysis.files()))) {
            let database = load::database(files).map_err(|error| unusable(error.to_string()))?;
            let digits = foz::Key(hash.0).to_string();
            let [place] = database.pipelines(&digits)[..] else {
                return Err(unusable(format!("pipeline {digits} is gone from the database")));
            };
            let missing = foz::copy(&database, &place, writer).map_err(|fault| unusable(fault.to_string()))?;
            let notes = missing.into_iter().map(|what| format!("missing in the database too: {what}")).collect();
            return Ok((digits, notes));
        }
        let options = self.analysis.options_for(program);
        let made = foz::make(program, &options, writer).map_err(|error| unusable(error.to_string()))?;
        Ok((foz::Key(made.pipeline.0).to_string(), made.notes))
    }

    /// Opens what was written, and compares.
    fn read_back(&self, path: &Path, hash: &str, program: &Program) -> Result<(), String> {
        let wanted = Wanted { pipeline: Some(hash.to_owned()), ..Wanted::default() };
        let read = load::load_wanted(&[path.to_owned()], &wanted).map_err(|error| format!("read back: {error}"))?;
        let stages = |program: &Program| -> Vec<_> {
            let stages = program.stages.iter();
            stages.map(|s| (s.stage, s.entry.clone(), program.module_of(s).words().to_vec())).collect()
        };
        if stages(&read) == stages(program) {
            Ok(())
        } else {
            Err("read back, the stages differ from those that were written".to_owned())
        }
    }
}
