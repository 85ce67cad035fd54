//! The forms of a result: each is a second pass over its file of rows.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use lanescope_core::corpus::{Columns, Comparison, Summary};
use lanescope_core::findings::{Finding, Place, Severity, rule};
use lanescope_core::foreign::plain_lines;
use lanescope_core::text_format::counted;
use lanescope_pictures::corpus::Page;

use super::{Format, Output};
use crate::cli::CliError;
use crate::cli::sarif::{self, Located};
use crate::cli::streams;
use lanescope_host::corpus::{Footer, Rows};
use lanescope_host::safe_write::{NotWritten, Unfinished};
use lanescope_text::{self as text, Style};

/// Writes a result in the form that is wanted.
///
/// # Errors
/// A file that is not a whole result; an output that cannot be written.
pub fn write(rows: &Path, comparison: Option<&Comparison>, to: &Output) -> Result<Footer, CliError> {
    if to.format == Format::Parquet {
        let footer = columns(rows, to)?;
        to_stderr(comparison);
        return Ok(footer);
    }
    let Some(path) = &to.output else {
        if to.format == Format::Text {
            let (mut out, style) = streams::styled();
            let footer = in_text(rows, comparison, &mut out, style)?;
            out.flush()?;
            return Ok(footer);
        }
        let mut out = BufWriter::new(io::stdout().lock());
        let footer = form(rows, comparison, to, &mut out)?;
        out.flush()?;
        return Ok(footer);
    };
    let mut file = Unfinished::beside(path, to.force).map_err(|error| refused(path, &error))?;
    let mut out = BufWriter::new(&mut file.file);
    let footer = match to.format {
        Format::Text => in_text(rows, comparison, &mut out, Style::plain())?,
        _ => form(rows, comparison, to, &mut out)?,
    };
    out.flush()?;
    drop(out);
    file.finish().map_err(|error| refused(path, &error))?;
    Ok(footer)
}

/// The footer of a result that is the output itself; its comparison goes to standard error.
///
/// # Errors
/// A file that is not a whole result.
pub fn tell(rows: &Path, comparison: Option<&Comparison>) -> Result<Footer, CliError> {
    let footer = Rows::open(rows)?.each(|_| Ok(()))?;
    to_stderr(comparison);
    Ok(footer)
}

/// Why an output cannot be written.
pub fn refused(path: &Path, error: &io::Error) -> CliError {
    match error.kind() {
        io::ErrorKind::AlreadyExists => NotWritten::Exist(vec![path.to_owned()]).into(),
        _ => CliError::Unusable(format!("{}: cannot be written: {error}", path.display())),
    }
}

/// Writes a result as Parquet.
#[cfg(feature = "parquet")]
fn columns(rows: &Path, to: &Output) -> Result<Footer, CliError> {
    let Some(path) = &to.output else {
        if io::IsTerminal::is_terminal(&io::stdout()) {
            let why = "--format parquet: binary data is not written to a terminal (expected -o FILE)";
            return Err(CliError::Unusable(why.to_owned()));
        }
        return super::parquet::write(rows, io::stdout());
    };
    let mut file = Unfinished::beside(path, to.force).map_err(|error| refused(path, &error))?;
    let footer = super::parquet::write(rows, BufWriter::new(&mut file.file))?;
    file.finish().map_err(|error| refused(path, &error))?;
    Ok(footer)
}

/// Why a build without the feature writes none.
#[cfg(not(feature = "parquet"))]
const NO_PARQUET: &str = "--format parquet: this build has no Parquet (build it with `cargo build --release -p lanescope \
                          --features parquet`; --format csv has the same columns)";

/// Says, before anything is measured, whether this build writes a form.
///
/// # Errors
/// A form that was left out.
pub fn check(format: Format) -> Result<(), CliError> {
    match format {
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(CliError::Unusable(NO_PARQUET.to_owned())),
        _ => Ok(()),
    }
}

/// Says what this build leaves out.
#[cfg(not(feature = "parquet"))]
fn columns(_: &Path, _: &Output) -> Result<Footer, CliError> {
    Err(CliError::Unusable(NO_PARQUET.to_owned()))
}

fn to_stderr(comparison: Option<&Comparison>) {
    for line in comparison.iter().flat_map(|comparison| comparison.lines()) {
        streams::tell(&line);
    }
}

fn summed(rows: &Path) -> Result<(Summary, Footer), CliError> {
    let mut summary = Summary::default();
    let footer = Rows::open(rows)?.each(|row| {
        summary.add(&row);
        Ok(())
    })?;
    Ok((summary, footer))
}

fn in_text(
    rows: &Path,
    comparison: Option<&Comparison>,
    out: &mut dyn Write,
    style: Style,
) -> Result<Footer, CliError> {
    let (summary, footer) = summed(rows)?;
    text::write_corpus_summary(&summary, comparison, out, style)?;
    Ok(footer)
}

/// The findings of a code in a pipeline: a result keeps their number only.
fn summed_finding(pipeline: &str, code: &str, count: u64) -> Finding {
    let about = rule(code).map_or("finding of another version of this program", |rule| rule.about);
    Finding {
        code: code.to_owned(),
        severity: rule(code).map_or(Severity::Warning, |rule| rule.severity),
        stage: None,
        message: format!("{about} ({})", counted(count, "time")),
        place: Some(Place::description(pipeline)),
        line: None,
        details: None,
    }
}

fn form(
    rows: &Path,
    comparison: Option<&Comparison>,
    output: &Output,
    out: &mut impl Write,
) -> Result<Footer, CliError> {
    match output.format {
        // It is written before this.
        Format::Parquet => Rows::open(rows)?.each(|_| Ok(())).map_err(CliError::from),
        Format::Text | Format::Markdown => {
            let (summary, footer) = summed(rows)?;
            if let Some(comparison) = comparison {
                writeln!(out, "### Comparison\n\n```\n{}\n```\n", plain_lines(&comparison.lines().join("\n")))?;
                for table in std::iter::once(comparison.table()).chain(comparison.extremes()) {
                    writeln!(out, "{}", table.to_markdown())?;
                }
            }
            for table in summary.tables() {
                writeln!(out, "{}", table.to_markdown())?;
            }
            Ok(footer)
        }
        Format::Jsonl => {
            let footer = tell(rows, comparison)?;
            io::copy(&mut File::open(rows)?, out)?;
            Ok(footer)
        }
        Format::Csv => {
            let mut columns = Columns::with(output.csv.formulas());
            Rows::open(rows)?.each(|row| {
                columns.add(&row);
                Ok(())
            })?;
            out.write_all(columns.header().as_bytes())?;
            let footer = Rows::open(rows)?.each(|row| out.write_all(columns.lines(&row).as_bytes()))?;
            to_stderr(comparison);
            Ok(footer)
        }
        Format::Sarif => {
            let mut log = sarif::Log::begin(out)?;
            let footer = Rows::open(rows)?.each(|row| {
                row.findings.iter().try_for_each(|(code, count)| {
                    let finding = summed_finding(&row.pipeline, code, *count);
                    log.add(&Located { finding: &finding, file: &row.database, line: None })
                })
            })?;
            log.end()?;
            to_stderr(comparison);
            Ok(footer)
        }
        Format::Html => {
            let (mut page, mut summary) = (Page::default(), Summary::default());
            let reader = Rows::open(rows)?;
            let title = format!("{} pipelines", reader.header.pipelines);
            out.write_all(page.begin(&title).as_bytes())?;
            let footer = reader.each(|row| {
                summary.add(&row);
                out.write_all(page.row(&row).as_bytes())
            })?;
            out.write_all(page.end(&summary, comparison).as_bytes())?;
            Ok(footer)
        }
    }
}
