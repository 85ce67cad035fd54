//! `lanescope diff`: two programs, or two reports, section by section.

use std::io::{self, Write};
use std::path::PathBuf;

use anstream::AutoStream;
use clap::Args;
use lanescope_core::driver::is_hash;
use lanescope_core::load::Wanted;
use lanescope_core::options::Options;
use lanescope_core::report::Report;
use lanescope_core::target::Target;
use lanescope_views::diff::unified;
use serde::Serialize;

use super::ask::AskDrivers;
use super::conversion::ConversionArgs;
use super::on_device::Format;
use super::{CliError, Verdict, args, json};

pub const EXAMPLES: &str = "\
Examples:
  lanescope diff old.vert,old.frag new.vert,new.frag
                                        packing, lanes and registers of two pipelines
  lanescope diff old.comp new.comp --chip gfx1030,gfx1100
                                        and what the AMD compiler makes of them: statistics, assembly
  lanescope inspect a.frag --format json > a.json
  lanescope inspect a.frag --no-pack --format json > b.json
  lanescope diff a.json b.json          two settings of one shader, as two reports

Exit status: 0 the same, 1 they differ, 2 unusable input, 3 something asked for is missing.";

/// What `diff` takes.
#[derive(Debug, Args)]
pub struct Diff {
    /// The first program, its files with commas between them, or a report as JSON
    #[arg(value_name = "A")]
    left: String,

    /// The second one
    #[arg(value_name = "B")]
    right: String,

    /// Chip whose registers are compared, where programs are
    #[arg(long, value_name = "CHIP", default_value = "gfx1030")]
    target: Target,

    #[command(flatten)]
    conversion: ConversionArgs,

    #[command(flatten)]
    ask: AskDrivers,

    /// How to print the differences
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// One part of the reports.
#[derive(Debug, Serialize)]
struct Section {
    name: &'static str,
    equal: bool,
    /// The difference as `diff -u` writes it: one row of the report a line.
    #[serde(skip_serializing_if = "String::is_empty")]
    diff: String,
}

/// What `--format json` prints.
#[derive(Serialize)]
struct Differences<'a> {
    schema: u32,
    left: &'a str,
    right: &'a str,
    equal: bool,
    sections: &'a [Section],
}

/// A part of a report, as lines.
type Lines = fn(&Report) -> io::Result<String>;

/// The parts that are compared, in the order of the report.
const SECTIONS: [(&str, Lines); 5] = [
    ("packing", |report| rows(&(&report.packing, &report.inner_packing))),
    ("lanes", |report| rows(&(&report.workgroup, &report.group_map))),
    ("registers", |report| rows(&report.registers)),
    ("statistics", |report| Ok(statistics(report))),
    ("isa", |report| Ok(assembly(report))),
];

/// `game.foz@5b1e` names a pipeline of a database.
fn of_database(mut files: Vec<PathBuf>) -> (Vec<PathBuf>, Option<String>) {
    let named = files.last().filter(|last| !last.exists()).and_then(|last| {
        let (path, hash) = last.to_str()?.rsplit_once('@')?;
        Some((PathBuf::from(path), hash.to_owned()))
    });
    let Some((path, hash)) = named else { return (files, None) };
    files.pop();
    files.push(path);
    (files, Some(hash))
}

impl Diff {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let (left, right) = (self.report(&self.left)?, self.report(&self.right)?);
        let section = |&(name, lines): &(&'static str, Lines)| -> io::Result<Section> {
            let (old, new) = (lines(&left)?, lines(&right)?);
            let equal = old == new;
            let diff = if equal { String::new() } else { unified([&self.left, &self.right], &old, &new) };
            Ok(Section { name, equal, diff })
        };
        let sections = SECTIONS.iter().map(section).collect::<io::Result<Vec<_>>>()?;
        let equal = sections.iter().all(|section| section.equal);
        match self.format {
            Format::Text => print(&sections, &mut AutoStream::auto(io::stdout().lock()))?,
            Format::Json => {
                let (left, right) = (self.left.as_str(), self.right.as_str());
                let all = Differences { schema: 1, left, right, equal, sections: &sections };
                json::write(&all, &mut io::BufWriter::new(io::stdout().lock()))?;
            }
        }
        Ok(if equal { Verdict::Clean } else { Verdict::Findings })
    }

    /// The report of one side: read where it is one, else made.
    fn report(&self, side: &str) -> Result<Report, CliError> {
        let files: Vec<PathBuf> = side.split(',').map(PathBuf::from).collect();
        if let [only] = files.as_slice()
            && only.extension().is_some_and(|extension| extension == "json")
        {
            let bytes =
                std::fs::read(only).map_err(|error| CliError::Unusable(format!("{side}: cannot be read: {error}")))?;
            return serde_json::from_slice(&bytes)
                .map_err(|error| CliError::Unusable(format!("{side}: is no report: {error}")));
        }
        let (files, pipeline) = of_database(files);
        let asked = Options { target: self.target, pipeline, dxil: self.conversion.conversion(), ..Options::default() };
        let program = args::load_here(&files, &Wanted::of(&asked))?;
        let options = program.options(&asked);
        let mut report = lanescope_core::analyse(&program, &options)
            .map_err(|error| CliError::Unusable(format!("{side}: {error}")))?;
        if self.ask.names_one() {
            self.ask.ask(&program, &options, &mut report)?;
        }
        Ok(report)
    }
}

fn print(sections: &[Section], out: &mut impl Write) -> io::Result<()> {
    for section in sections {
        let words = if section.equal { "the same" } else { "differs" };
        writeln!(out, "{:10}  {words}", section.name)?;
    }
    for section in sections.iter().filter(|section| !section.equal) {
        writeln!(out, "\n{}", section.name)?;
        for line in section.diff.lines() {
            // What a terminal would obey is replaced; tabs are the compilers' own.
            let line: String = line.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect();
            writeln!(out, "{line}")?;
        }
    }
    out.flush()
}

/// A section as the report prints it: a row a line.
fn rows(section: &impl Serialize) -> io::Result<String> {
    let mut out = Vec::new();
    json::write(section, &mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// One line a statistic; hashes only say that something else differs.
fn statistics(report: &Report) -> String {
    let mut out = String::new();
    for row in &report.driver {
        for statistic in row.statistics.iter().filter(|statistic| !is_hash(&statistic.name)) {
            let (place, of, name) = (row.place(), row.of, &row.name);
            out.push_str(&format!("{place} {of} {name}: {} = {}\n", statistic.name, statistic.value));
        }
    }
    out
}

fn assembly(report: &Report) -> String {
    let mut out = String::new();
    for row in &report.driver {
        out.push_str(&format!("; {} {} {}\n{}\n", row.place(), row.of, row.name, row.isa.as_deref().unwrap_or("")));
    }
    out
}
