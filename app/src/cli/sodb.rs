//! `lanescope sodb`: lists a state object database of D3D12, or writes some of its groups to a new one.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lanescope_core::findings::Severity;
use lanescope_core::load;
use lanescope_core::sodb::{self, Group, Listing};
use schemars::JsonSchema;
use serde::Serialize;

use super::loading::Loading;
use super::{CliError, Verdict, json};
use crate::cli::streams;
use lanescope_host::safe_write::{Unfinished, may_write};
use lanescope_text::{self as text, plain};

pub const EXAMPLES: &str = "\
Examples:
  lanescope sodb pipelines.sodb         the groups of a database
  lanescope sodb pipelines.sodb --find compute
                                        those with a compute shader; also searches keys, kinds, hashes,
                                        containers, work graphs and programs
  lanescope inspect pipelines.sodb@prefix
                                        one of them, by its key or by how its key starts
  lanescope graph pipelines.sodb@quadtree
                                        a work graph, with the overrides of its state object
  lanescope sodb pipelines.sodb quadtree -o one.sodb
                                        a group with everything that it refers to, as a new database

A key is shown as text if it is printable ASCII, else as 0x and hexadecimal digits.
Groups with the same hash have equal objects.
The files are in the folder samples.

Exit status: 0 no errors, 1 findings of severity error, 2 unusable input.";

/// Arguments of `sodb`.
#[derive(Debug, Args)]
pub struct Sodb {
    /// State object database (.sodb)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Keys of groups, or how they start; all groups by default
    #[arg(value_name = "KEY")]
    keys: Vec<String>,

    /// List only groups with this text in their key, kind, hash, stages, containers, work graphs or programs
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, conflicts_with = "output")]
    find: String,

    /// Write the groups to a new database, with everything that they refer to
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", conflicts_with = "output")]
    format: Format,

    #[command(flatten)]
    loading: Loading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// What `--format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Page<'a> {
    /// The version of this form.
    schema: u32,
    /// The database.
    #[serde(flatten)]
    listing: &'a Listing,
}

impl Sodb {
    pub fn run(&self) -> Result<Verdict, CliError> {
        match &self.output {
            Some(out) => self.write(out),
            None => self.list(),
        }
    }

    fn list(&self) -> Result<Verdict, CliError> {
        let mut listing = self.loading.loader().list_groups(&self.file, &self.find)?;
        if !self.keys.is_empty() {
            let is_missing = |key: &&String| listing.groups.iter().all(|row| !row.key.starts_with(*key));
            if let Some(key) = self.keys.iter().find(is_missing) {
                return Err(self.missing(key));
            }
            let exact = |key: &String| listing.groups.iter().any(|row| row.key == *key);
            let exact: Vec<bool> = self.keys.iter().map(exact).collect();
            let wanted = |own: &str| {
                let named = |(key, exact): (&String, &bool)| if *exact { own == key } else { own.starts_with(key) };
                self.keys.iter().zip(&exact).any(named)
            };
            listing.groups.retain(|row| wanted(&row.key));
        }
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                // Whole first: a stream that is written line by line is slow for ten thousand.
                let mut page = Vec::new();
                text::write_sodb(&listing, &mut page, style)?;
                out.write_all(&page)?;
                out.flush()?;
            }
            Format::Json => json::print(&Page { schema: 1, listing: &listing })?,
        }
        let has_errors = listing.findings.iter().any(|finding| finding.severity == Severity::Error);
        Ok(if has_errors { Verdict::Findings } else { Verdict::Clean })
    }

    fn write(&self, path: &Path) -> Result<Verdict, CliError> {
        may_write(path, false).map_err(|error| CliError::Unusable(error.to_string()))?;
        let unusable = |why: String| CliError::Unusable(format!("{}: {why}", path.display()));
        let database = load::state_objects(&self.file).map_err(|error| CliError::Unusable(error.to_string()))?;
        let mut groups: Vec<&Group> = Vec::new();
        for key in &self.keys {
            let named = database.named(key);
            if named.is_empty() {
                return Err(self.missing(key));
            }
            groups.extend(named);
        }
        if self.keys.is_empty() {
            groups.extend(database.groups());
        }
        groups.sort_by(|a, b| a.key.cmp(&b.key));
        groups.dedup();
        let unfinished =
            Unfinished::beside(path, false).map_err(|error| unusable(format!("cannot be written: {error}")))?;
        let rows =
            sodb::copy(&database, &groups, &unfinished.path).map_err(|fault| CliError::Unusable(fault.to_string()))?;
        let written = sodb::Database::open(&unfinished.path).and_then(|written| written.list(""));
        let written =
            written.map_err(|fault| unusable(format!("the written database cannot be read back: {fault}")))?;
        let before = database.list("").map_err(|fault| CliError::Unusable(fault.to_string()))?;
        let is_same = |row: &sodb::Row| before.groups.iter().any(|own| own == row);
        if written.groups.len() != groups.len() || !written.groups.iter().all(is_same) {
            return Err(unusable("the written database differs from the groups".to_owned()));
        }
        let bytes = unfinished.file.metadata()?.len();
        unfinished.finish().map_err(|error| unusable(format!("cannot be written: {error}")))?;
        let path = plain(&path.display().to_string());
        let count = lanescope_core::text_format::counted(groups.len(), "group");
        writeln!(streams::plain(), "{path}: {count}, {rows} rows, {bytes} bytes; read back and compared")?;
        Ok(Verdict::Clean)
    }

    fn missing(&self, key: &str) -> CliError {
        CliError::Unusable(format!("{}: no group has the key {}", self.file.display(), plain(key)))
    }
}
