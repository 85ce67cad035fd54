//! The file of a run: JSON Lines. A header says what was measured, each row is one line, a footer says that it is whole.
//!
//! Rows are appended in order, so a run that was killed leaves a file whose whole lines are right: [`start`] cuts off a
//! torn last line and continues after it.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lanescope_core::corpus::{Measure, Row};
use lanescope_core::driver::{CompileOptions, Version};
use lanescope_core::foreign::escape_json;
use lanescope_core::options::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Settings, Sources};
use crate::worker::{Compiling, Filter};

/// The version of the form.
pub const SCHEMA: u32 = 1;

/// The longest line, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// The first line: what was measured. Files of one run have the same, but for the shard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// The version of the form ([`SCHEMA`]).
    pub schema: u32,
    /// The program's version.
    pub version: String,
    /// Number of pipelines of the corpus, before filters.
    pub pipelines: u64,
    /// Digest of their names and sizes.
    pub inputs: String,
    /// What was measured.
    pub measures: Vec<Measure>,
    /// The drivers.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub drivers: Vec<String>,
    /// The versions of each program that were compiled.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub variants: Vec<Version>,
    /// Which pipelines have a row.
    #[serde(default)]
    pub filter: Filter,
    /// Options in pipeline files do not count.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub own_options: bool,
    /// The folder of AMD code objects.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub objects: Option<String>,
    /// The options.
    pub options: Options,
    /// The part of the corpus.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
}

impl Header {
    /// The header of a run.
    pub fn of(settings: &Settings, sources: &Sources, shard: Option<Shard>) -> Header {
        let driver = |compiling: &Compiling| {
            let CompileOptions { chip, icd, device, apart, .. } = &compiling.with;
            let chip = chip.map(|chip| chip.to_string());
            let icd = icd.as_ref().map(|icd| format!("icd {}", icd.display()));
            let device = device.as_ref().map(|device| format!("device {device}"));
            let apart = apart.then(|| "pipeline libraries".to_owned());
            [chip, device, icd, apart].into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        Header {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pipelines: sources.total(),
            inputs: sources.digest(),
            measures: settings.measures.iter().copied().collect(),
            drivers: settings.drivers.iter().map(driver).collect(),
            variants: settings.drivers.first().map(|driver| driver.versions.clone()).unwrap_or_default(),
            filter: settings.filter.clone(),
            own_options: settings.own_options,
            objects: settings.objects.as_ref().map(|folder| folder.to_string_lossy().into_owned()),
            options: settings.options.clone(),
            shard,
        }
    }
}

/// A part of a corpus: each pipeline whose number has this remainder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Unchecked")]
pub struct Shard {
    /// Which part, from 1.
    pub index: u64,
    /// Number of parts, at most 2^20.
    pub of: u64,
}

/// The most parts of a corpus.
const MAX_SHARDS: u64 = 1 << 20;

/// A part as a file states it.
#[derive(Deserialize, JsonSchema)]
struct Unchecked {
    index: u64,
    of: u64,
}

impl TryFrom<Unchecked> for Shard {
    type Error = String;

    fn try_from(Unchecked { index, of }: Unchecked) -> Result<Shard, String> {
        match index >= 1 && index <= of && of <= MAX_SHARDS {
            true => Ok(Shard { index, of }),
            false => Err(format!("shard {index}/{of}: expected K/N with K from 1 to N, N at most {MAX_SHARDS}")),
        }
    }
}

/// The last line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Footer {
    /// Number of rows.
    pub rows: u64,
    /// Number of rows with a failure.
    pub failed: u64,
}

/// A line of a result, for its schema: the three are read and written one by one.
#[derive(JsonSchema)]
#[serde(untagged)]
pub enum Line {
    /// The first one.
    Header(Box<Header>),
    /// Each other one.
    Row(Box<Row>),
    /// The last one: the result is whole.
    Footer(Footer),
}

impl Shard {
    /// Whether a pipeline belongs to it.
    pub fn has(self, number: u64) -> bool {
        number % self.of == self.index - 1
    }

    /// Number of its pipelines among the first ones.
    pub fn count(self, first: u64) -> u64 {
        (first + self.of - self.index) / self.of
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || format!("invalid shard `{text}`: expected K/N with K from 1 to N, such as 2/8");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        let (index, of) = (number(index)?, number(of)?);
        Unchecked { index, of }.try_into()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// Writes a result, line by line.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    footer: Footer,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(mut out: W, header: &Header) -> io::Result<Writer<W>> {
        line(&mut out, header)?;
        Ok(Writer { out, footer: Footer::default() })
    }

    /// Continues after these rows.
    pub fn after(out: W, footer: Footer) -> Writer<W> {
        Writer { out, footer }
    }

    /// Writes rows, all at once.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn rows(&mut self, rows: &[Row]) -> io::Result<()> {
        let mut text = Vec::new();
        for row in rows {
            line(&mut text, row)?;
            self.footer.rows += 1;
            self.footer.failed += u64::from(row.has_failed());
        }
        self.out.write_all(&text)?;
        self.out.flush()
    }

    /// Writes the footer.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn end(mut self) -> io::Result<Footer> {
        line(&mut self.out, &self.footer)?;
        self.out.flush()?;
        Ok(self.footer)
    }
}

fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut text = escape_json(&serde_json::to_string(value)?).into_owned();
    text.push('\n');
    out.write_all(text.as_bytes())
}

/// Why a result cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", .path.display())]
pub struct ReadError {
    path: PathBuf,
    what: String,
}

impl ReadError {
    /// The error of a file.
    pub fn new(path: &Path, what: String) -> ReadError {
        ReadError { path: path.to_owned(), what }
    }
}

/// The rows of a result, in order.
#[derive(Debug)]
pub struct Rows {
    path: PathBuf,
    /// What was measured.
    pub header: Header,
    /// The last line, once it was read.
    pub footer: Option<Footer>,
    lines: BufReader<File>,
    /// Offset after the last whole line, in bytes.
    end: u64,
    number: u64,
}

impl Rows {
    /// Opens a result and reads its header.
    ///
    /// # Errors
    /// A file that cannot be opened, or that is not a result.
    pub fn open(path: &Path) -> Result<Rows, ReadError> {
        let failed = |what: String| ReadError { path: path.to_owned(), what };
        let file = File::open(path).map_err(|error| failed(format!("cannot be read: {error}")))?;
        let mut lines = BufReader::with_capacity(1 << 16, file);
        let first = next_line(&mut lines).map_err(|error| failed(error.to_string()))?;
        let expected = "not a corpus result (expected JSON Lines that `lanescope corpus` wrote)";
        let first = first.ok_or_else(|| failed(expected.to_owned()))?;
        let header: Header =
            serde_json::from_slice(&first).map_err(|error| failed(format!("{expected}: line 1: {error}")))?;
        if header.schema != SCHEMA {
            return Err(failed(format!("result of schema {}; this version reads schema {SCHEMA}", header.schema)));
        }
        let end = first.len() as u64;
        Ok(Rows { path: path.to_owned(), header, footer: None, lines, end, number: 1 })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Offset of the next line, in bytes.
    pub fn position(&self) -> u64 {
        self.end
    }

    /// The row whose line begins at an offset.
    ///
    /// # Errors
    /// A file that cannot be read, or that has no row there.
    pub fn row_at(path: &Path, offset: u64) -> Result<Row, ReadError> {
        let failed = |what: String| ReadError { path: path.to_owned(), what };
        let read = || {
            let mut lines = BufReader::new(File::open(path)?);
            lines.seek(SeekFrom::Start(offset))?;
            next_line(&mut lines)
        };
        let line = read().map_err(|error| failed(format!("cannot be read: {error}")))?;
        let row = line.and_then(|line| serde_json::from_slice(&line).ok());
        row.ok_or_else(|| failed(format!("no row at offset {offset}: the file has changed (reload it)")))
    }

    /// The next row; `None` at the end. A torn last line is the end.
    ///
    /// # Errors
    /// A line that is not a row, with its number.
    pub fn next_row(&mut self) -> Result<Option<Row>, ReadError> {
        if self.footer.is_some() {
            return Ok(None);
        }
        let line = next_line(&mut self.lines).map_err(|error| self.error(&error.to_string()))?;
        self.number += 1;
        let Some(line) = line else { return Ok(None) };
        self.end += line.len() as u64;
        match serde_json::from_slice::<Row>(&line) {
            Ok(row) => Ok(Some(row)),
            Err(error) => {
                let footer = serde_json::from_slice(&line).map_err(|_| self.error(&error.to_string()))?;
                self.footer = Some(footer);
                Ok(None)
            }
        }
    }

    /// Does something with each row that is left.
    ///
    /// # Errors
    /// As [`Rows::next_row`]; a file that ends before its footer.
    pub fn each(mut self, mut act: impl FnMut(Row) -> io::Result<()>) -> Result<Footer, ReadError> {
        while let Some(row) = self.next_row()? {
            act(row).map_err(|error| self.error(&error.to_string()))?;
        }
        self.footer.ok_or_else(|| self.incomplete())
    }

    /// The error of a result that has no footer.
    pub fn incomplete(&self) -> ReadError {
        let what = "incomplete result: the run did not end (use --resume to continue it)";
        ReadError { path: self.path.clone(), what: what.to_owned() }
    }

    fn error(&self, what: &str) -> ReadError {
        ReadError { path: self.path.clone(), what: format!("line {}: {what}", self.number) }
    }
}

/// The next line with its end; `None` at the end of the file, and for a last line without an end.
fn next_line(from: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    from.take(MAX_LINE).read_until(b'\n', &mut line)?;
    match line.last() {
        Some(b'\n') => Ok(Some(line)),
        _ if line.len() as u64 >= MAX_LINE => Err(io::Error::other(format!("longer than {MAX_LINE} bytes"))),
        _ => Ok(None),
    }
}

/// How a run starts.
#[derive(Debug)]
pub enum Start {
    /// Its result is whole.
    Done,
    /// Rows are appended to this file, from a pipeline on.
    From(Writer<File>, u64),
}

/// Makes the file of a run, or continues it.
///
/// # Errors
/// A file that exists, and is neither to be replaced nor continued; the result of another run.
pub fn start(path: &Path, header: &Header, resume: bool, force: bool) -> Result<Start, ReadError> {
    let failed = |what: String| ReadError { path: path.to_owned(), what };
    let system = |error: io::Error| failed(format!("cannot be written: {error}"));
    let is_empty = std::fs::metadata(path).map_or(true, |there| there.is_file() && there.len() == 0);
    if resume && !is_empty {
        if !is_torn_header(path, header).map_err(system)? {
            return resumed(path, header);
        }
    } else if !force && !is_empty && std::fs::metadata(path).is_ok_and(|there| there.is_file()) {
        return Err(failed("exists (use --resume to continue it, or --force to overwrite it)".to_owned()));
    }
    let file = File::create(path).map_err(system)?;
    Ok(Start::From(Writer::new(file, header).map_err(system)?, 0))
}

/// Whether a file ends within the header of this run. Such a file has nothing to continue, and nothing to lose.
fn is_torn_header(path: &Path, header: &Header) -> io::Result<bool> {
    let whole = serde_json::to_string(header)?;
    let whole = escape_json(&whole);
    let mut torn = Vec::new();
    File::open(path)?.take(whole.len() as u64 + 1).read_to_end(&mut torn)?;
    Ok(whole.as_bytes().starts_with(&torn))
}

fn resumed(path: &Path, header: &Header) -> Result<Start, ReadError> {
    let failed = |what: String| ReadError { path: path.to_owned(), what };
    let mut there = Rows::open(path)?;
    if there.header != *header {
        let what = difference(&there.header, header);
        return Err(failed(format!("cannot be continued: it is the result of another run ({what} differs)")));
    }
    let (mut footer, mut next) = (Footer::default(), 0);
    while let Some(row) = there.next_row()? {
        footer.rows += 1;
        footer.failed += u64::from(row.has_failed());
        next = row.number + 1;
    }
    if there.footer.is_some() {
        return Ok(Start::Done);
    }
    let system = |error: io::Error| failed(format!("cannot be written: {error}"));
    let mut file = OpenOptions::new().write(true).open(path).map_err(system)?;
    file.set_len(there.end).map_err(system)?;
    file.seek(SeekFrom::End(0)).map_err(system)?;
    Ok(Start::From(Writer::after(file, footer), next))
}

/// The first key in which two headers differ.
pub(super) fn difference(a: &Header, b: &Header) -> String {
    let json = |header: &Header| serde_json::to_value(header).unwrap_or_default();
    let (a, b) = (json(a), json(b));
    let keys = a.as_object().into_iter().chain(b.as_object()).flat_map(|object| object.keys());
    keys.into_iter().find(|key| a.get(key) != b.get(key)).cloned().unwrap_or_default()
}

#[cfg(test)]
pub(super) mod tests {
    pub use super::super::testing::header;
    use super::*;

    pub fn row(number: u64) -> Row {
        Row::new(number, format!("{number}.spv"), format!("{number}.spv"))
    }

    /// A whole result.
    pub fn whole(numbers: &[u64], shard: Option<&str>) -> Vec<u8> {
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out, &header(shard)).expect("memory");
        writer.rows(&numbers.iter().map(|number| row(*number)).collect::<Vec<_>>()).expect("memory");
        writer.end().expect("memory");
        out
    }

    #[test]
    fn parses_shards_and_counts_their_pipelines() {
        let shard: Shard = "2/3".parse().expect("a shard");
        assert_eq!((0..7).filter(|number| shard.has(*number)).collect::<Vec<_>>(), [1, 4]);
        for index in 1..=3 {
            let shard = Shard { index, of: 3 };
            for first in 0..10 {
                assert_eq!(shard.count(first), (0..first).filter(|number| shard.has(*number)).count() as u64);
            }
        }
        for wrong in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err_and(|why| why.contains("expected K/N")), "{wrong}");
        }
    }

    /// Wherever the file is cut, the run continues to the same bytes.
    #[test]
    fn continues_from_every_torn_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        let all = whole(&[0, 1, 2, 3, 4], None);
        for cut in 0..=all.len() {
            std::fs::write(&path, &all[..cut]).expect("writable");
            match start(&path, &header(None), true, false).unwrap_or_else(|error| panic!("cut at {cut}: {error}")) {
                Start::Done => assert_eq!(cut, all.len()),
                Start::From(mut writer, next) => {
                    let rows: Vec<Row> = (next..5).map(row).collect();
                    writer.rows(&rows).expect("writable");
                    writer.end().expect("writable");
                }
            }
            assert_eq!(std::fs::read(&path).expect("reads"), all, "cut at {cut}");
        }
    }

    #[test]
    fn does_not_resume_into_a_file_that_is_not_a_result() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("note.txt");
        let all = String::from_utf8(whole(&[0], None)).expect("JSON");
        let header_line = all.lines().next().expect("a header");
        let longer = format!("{header_line} and more");
        for foreign in ["a note without an end of line", "two\nlines\n", "{\"schema\":1", "{", longer.as_str()] {
            std::fs::write(&path, foreign).expect("writable");
            let is_of_this_run = header_line.starts_with(foreign);
            let started = start(&path, &header(None), true, false);
            assert_eq!(started.is_ok(), is_of_this_run, "{foreign}");
            if let Err(why) = started {
                assert!(why.to_string().contains("not a corpus result"), "{why}");
                assert_eq!(std::fs::read_to_string(&path).expect("reads"), foreign);
            }
        }
    }

    #[test]
    fn does_not_continue_another_run_or_replace_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        std::fs::write(&path, whole(&[0], None)).expect("writable");
        let other = Header { measures: vec![Measure::Layout], ..header(None) };
        let error = start(&path, &other, true, false).expect_err("another run").to_string();
        assert!(error.ends_with("it is the result of another run (measures differs)"), "{error}");
        let error = start(&path, &other, false, false).expect_err("it exists").to_string();
        assert!(error.contains("exists (use --resume"), "{error}");
        assert!(matches!(start(&path, &other, false, true), Ok(Start::From(_, 0))));
        std::fs::write(&path, "{}\n").expect("writable");
        let error = start(&path, &other, true, false).expect_err("not a result").to_string();
        assert!(error.contains("not a corpus result") && error.contains("line 1"), "{error}");
    }

    #[test]
    fn names_the_line_that_is_not_a_row() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        let mut text = whole(&[0, 1], None);
        text.truncate(text.iter().position(|byte| *byte == b'\n').expect("lines") + 1);
        text.extend(b"{\"number\":0}\n");
        std::fs::write(&path, &text).expect("writable");
        let error = Rows::open(&path).expect("a header").each(|_| Ok(())).expect_err("not a row").to_string();
        assert!(error.contains("line 2") && error.contains("missing field"), "{error}");
    }
}
