//! `lanescope watch`: a report whenever a file changes.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::SystemTime;

use clap::{Args, ValueEnum};
use lanescope_core::foreign::plain_lines;
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::table::one_line;
use schemars::JsonSchema;
use serde::Serialize;
use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;

use super::args::Analysis;
use super::{CliError, Verdict, json};
use crate::cli::streams;
use lanescope_host::watch::{Change, Watch, files_of};
use lanescope_host::worker::Loader;
use lanescope_text as text;

pub const EXAMPLES: &str = "\
Examples:
  lanescope watch lit_surface.vert lit_surface.frag
                                        the report as text, again after each change
  lanescope watch tile_16x16.comp --wave 64 --format json
                                        a line of JSON for each change, for editors

Included files are watched too. A file that cannot be read or compiled is reported, as a line with `error` in JSON, \
and watching goes on. Ctrl+C ends it.

Exit status: 0 ended by Ctrl+C, 2 files cannot be watched.";

/// Arguments of `watch`.
#[derive(Debug, Args)]
pub struct WatchFiles {
    #[command(flatten)]
    analysis: Analysis,

    /// Output format; `json` writes one line for each change
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// A line of `--format json`: `report` or `error`.
#[derive(Serialize, JsonSchema)]
pub struct Line<'a> {
    schema: u32,
    /// The files that changed since the line before; all files in the first line.
    changed: &'a [PathBuf],
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<&'a Report>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// What ends a wait.
enum Event {
    Changed,
    Interrupted,
}

impl WatchFiles {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let (sender, events) = mpsc::channel();
        // Before the first report: one that is interrupted ends in the same way.
        interrupted(sender.clone())?;
        let watch = Watch::new(Arc::new(move || {
            // Nobody waits any more once the receiver is gone.
            let _ = sender.send(Event::Changed);
        }));
        let mut loader = self.analysis.loading().loader();
        let mut changed: Vec<PathBuf> = self.paths()?;
        let mut files = changed.clone();
        loop {
            let since = SystemTime::now();
            let read = self.read(&mut loader);
            if let Ok((program, _)) = &read {
                files = files_of(&self.paths()?, program).collect();
            }
            watch.set(files.iter().map(|file| (file.clone(), since)).collect::<BTreeMap<_, _>>());
            self.print(&changed, &read)?;
            changed.clear();
            while changed.is_empty() {
                match events.recv() {
                    Ok(Event::Changed) => changed = changes(&watch)?,
                    Ok(Event::Interrupted) | Err(mpsc::RecvError) => return Ok(Verdict::Clean),
                }
            }
        }
    }

    /// The files as absolute paths, so that a change of the current folder changes nothing.
    fn paths(&self) -> Result<Vec<PathBuf>, CliError> {
        let absolute = self.analysis.files().iter().map(std::path::absolute);
        Ok(absolute.collect::<io::Result<_>>()?)
    }

    fn read(&self, loader: &mut Loader) -> Result<(Program, Report), CliError> {
        self.analysis.load_with(loader)
    }

    fn print(&self, changed: &[PathBuf], read: &Result<(Program, Report), CliError>) -> io::Result<()> {
        let report = read.as_ref().ok().map(|(_, report)| report);
        let error = read.as_ref().err().map(CliError::to_string);
        if self.format == Format::Json {
            return json::print_line(&Line { schema: 1, changed, report, error });
        }
        let (mut out, style) = streams::styled();
        let names: Vec<String> = changed.iter().map(|file| one_line(&file.display().to_string())).collect();
        writeln!(out, "── {} ──", names.join(", "))?;
        match (report, error) {
            (Some(report), _) => text::write(report, &mut out, style)?,
            (None, error) => writeln!(out, "error: {}", plain_lines(&error.unwrap_or_default()))?,
        }
        out.flush()
    }
}

/// Files that have changed.
///
/// # Errors
/// The system does not watch one of them.
fn changes(watch: &Watch) -> Result<Vec<PathBuf>, CliError> {
    let mut out = Vec::new();
    for change in watch.poll() {
        match change {
            Change::Files(files) => out.extend(files),
            Change::Unwatched(why) => return Err(CliError::Unusable(format!("cannot be watched: {why}"))),
        }
    }
    Ok(out)
}

/// Sends an event for Ctrl+C, which then no longer ends the process itself.
fn interrupted(events: mpsc::Sender<Event>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT])?;
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            // Nobody waits any more once the receiver is gone.
            let _ = events.send(Event::Interrupted);
        }
    });
    Ok(())
}
