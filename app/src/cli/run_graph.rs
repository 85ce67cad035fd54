//! `lanescope run` of a work graph: its first records, who leads it, and what came of it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use clap::Args;
use lanescope_core::findings::Finding;
use lanescope_core::gpu::Inputs;
use lanescope_core::graph::{GraphSource, NO_EXTENSION, Overrides, WorkGraph, graph, why_not_run};
use lanescope_core::program::Program;
use lanescope_core::run::Blob;
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::graph::{
    Cut, GraphInput, GraphMode, GraphRequest, GraphRun, Growing, InputMode, LocalRoots, Resume, file,
};
use serde::Serialize;

use super::lead::Lead;
use super::on_device::{Format, OnDevice};
use super::text::{self, Style};
use super::{CliError, Verdict, graph_json, json};
use crate::files::text_at_most;
use crate::rewriting::NamedFile;
use crate::saved_runs;
use crate::worker::{Client, GraphRunRequest, Request};
use crate::writing::{may_write, write_file, write_files};

/// What only a work graph takes.
#[derive(Debug, Args)]
pub struct GraphArguments {
    /// The entry point's first records, as JSON; one record of zeros where absent
    #[arg(long, value_name = "FILE", help_heading = "Work graphs")]
    input: Option<PathBuf>,

    /// The host reads every record between two generations, or the device runs alone
    #[arg(long, value_name = "step|free", default_value = "step", help_heading = "Work graphs")]
    mode: GraphMode,

    /// Where the first records come from
    #[arg(long, value_name = "cpu|gpu|multi-cpu|multi-gpu", default_value = "cpu", help_heading = "Work graphs")]
    input_mode: InputMode,

    /// Bytes from one record to the next; 0 for the first one again and again
    #[arg(long, value_name = "BYTES", help_heading = "Work graphs")]
    stride: Option<u32>,

    /// How many records; as many as the file has where absent
    #[arg(long, value_name = "N", help_heading = "Work graphs")]
    records: Option<u64>,

    /// How often the graph is started, on the same buffers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=65536), help_heading = "Work graphs")]
    dispatches: u32,

    /// Local root arguments, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Work graphs")]
    local_root: Option<PathBuf>,

    /// Bytes for records on the way, with K, M or G behind them
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "256M", help_heading = "Work graphs")]
    ring: u64,

    /// The last generation to run
    #[arg(long, value_name = "GENERATION", help_heading = "Work graphs")]
    until: Option<u32>,

    /// Stops before a node gets records, or one that meets a condition (may be repeated)
    #[arg(long = "break", value_name = "NODE[: CONDITION]", help_heading = "Work graphs")]
    breakpoints: Vec<String>,

    /// Records to change before their generation runs, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Work graphs")]
    edit: Option<PathBuf>,

    /// A saved run to go on from, before the generation where its records wait or before that of --from
    #[arg(
        long,
        value_name = "FILE.lanescope-run",
        conflicts_with_all = ["input", "input_mode", "stride", "records"],
        help_heading = "Work graphs"
    )]
    resume: Option<PathBuf>,

    /// The generation of the saved run that runs next, of the last start that has it
    #[arg(long, value_name = "GENERATION", requires = "resume", help_heading = "Work graphs")]
    from: Option<u32>,

    /// File to save the run to, to be opened without a device
    #[arg(long, value_name = "FILE.lanescope-run", help_heading = "Work graphs")]
    save: Option<PathBuf>,

    /// Records of each node that are shown; a saved run has all of them
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Work graphs")]
    show: u64,

    /// The most records of one batch
    #[arg(long, value_name = "N", help_heading = "Work graphs")]
    batch: Option<u64>,

    /// Workgroups that share a record's grid, in place of one for each group
    #[arg(long, value_name = "N", help_heading = "Work graphs")]
    width: Option<u32>,

    /// The most records of a coalescing group, where less than the node declares
    #[arg(long, value_name = "N", help_heading = "Work graphs")]
    coalesce: Option<u32>,
}

/// Reads a size in bytes.
fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no size: a number, with K, M or G behind it, was expected");
    let (number, unit) = match text.strip_suffix(['K', 'k']) {
        Some(number) => (number, 1 << 10),
        None => match text.strip_suffix(['M', 'm']) {
            Some(number) => (number, 1 << 20),
            None => text.strip_suffix(['G', 'g']).map_or((text, 1), |number| (number, 1 << 30)),
        },
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number.checked_mul(unit).filter(|bytes| *bytes <= MAX_RING).ok_or_else(wrong)
}

/// The largest ring that is asked for.
const MAX_RING: u64 = 64 << 30;

/// A saved run that is gone on from.
struct Before {
    /// As it was before the generation that runs next.
    run: GraphRun,
    /// What it takes to stand there.
    resume: Resume,
    /// The first records, where more starts follow.
    first: Vec<GraphInput>,
}

/// Where a graph's run goes.
pub struct Where<'w> {
    pub child: &'w mut Client,
    pub on: &'w OnDevice,
    pub format: Format,
    /// The folder that buffers and images are written to.
    pub out: Option<&'w Path>,
    /// Files that are there already are overwritten.
    pub force: bool,
}

/// What `--format json` prints.
#[derive(Serialize)]
struct Page<'p> {
    schema: u32,
    run: serde_json::Value,
    findings: &'p [Finding],
}

/// Prints a run, with at most so many records of each node.
pub fn print(run: &GraphRun, show: u64, format: Format) -> Result<Verdict, CliError> {
    match format {
        Format::Text => {
            let mut out = AutoStream::auto(io::stdout().lock());
            let style = Style::of(out.current_choice());
            text::write_graph_run(run, show, &mut out, style)?;
            out.flush()?;
        }
        Format::Json => {
            let page = Page { schema: 1, run: graph_json::short(run, show), findings: &run.findings };
            json::write(&page, &mut io::BufWriter::new(io::stdout().lock()))?;
        }
    }
    Ok(if run.has_errors() { Verdict::Findings } else { Verdict::Clean })
}

impl GraphArguments {
    /// Whether the run goes into a file.
    pub fn saves(&self) -> bool {
        self.save.is_some()
    }

    /// Whether anything was said that only a work graph takes.
    pub fn is_used(&self) -> bool {
        let stops = self.until.is_some() || self.edit.is_some() || !self.breakpoints.is_empty();
        let begins = self.input.is_some() || self.local_root.is_some() || self.resume.is_some();
        begins || self.save.is_some() || stops
    }

    /// Runs the work graph of a program, if it has one.
    pub fn run(
        &self,
        program: &Program,
        overrides: &Overrides,
        entry: Option<&str>,
        inputs: Inputs,
        to: Where<'_>,
    ) -> Result<Option<Verdict>, CliError> {
        let Some((graph, findings)) = graph(program, overrides) else { return Ok(None) };
        if graph.source == GraphSource::Spirv {
            return Err(CliError::Missing(NO_EXTENSION.to_owned()));
        }
        let [library] = program.dxil.as_slice() else {
            return Err(CliError::Unusable("a work graph is run from one DXIL library".to_owned()));
        };
        if let Some(why) = why_not_run(&findings) {
            return Err(CliError::Unusable(format!("{why}; `lanescope graph` shows every broken rule")));
        }
        let before = self.resume.as_deref().map(|path| self.resumed(path, &graph, entry)).transpose()?;
        let edits = self.edit.as_deref().map(read).transpose()?;
        let mut lead = Lead::new(&graph, &self.breakpoints, edits.as_deref())?;
        let report = to.out.map(|folder| folder.join("run.json"));
        for path in self.save.iter().chain(&report) {
            may_write(path, to.force)?;
        }
        let (growing, resume, first) = match before {
            Some(before) => (Growing::going_on_from(before.run), Some(Box::new(before.resume)), before.first),
            None => (Growing::default(), None, self.inputs(&graph, entry)?),
        };
        let request = GraphRequest {
            mode: self.mode,
            input_mode: self.input_mode,
            inputs: first,
            dispatches: self.dispatches,
            ring: self.ring,
            until: self.until,
            led: lead.start(self.mode)?,
            resume,
            timed: true,
            local_roots: self.local_roots()?,
            cut: Cut { batch: self.batch, width: self.width, coalesce: self.coalesce },
        };
        let request = Request::RunGraph(Box::new(GraphRunRequest {
            dxil: library.dxil.clone(),
            overrides: overrides.clone(),
            request,
            device: to.on.options(),
            inputs,
        }));
        let mut run = to.on.run_graph(to.child, growing, &request, |growing| lead.next(growing))?;
        if let Some(place) = lead.end(&run)? {
            anstream::eprintln!("stopped by a breakpoint {place}");
        }
        run.name_registers(program);
        run.file = program.inputs.first().map(|input| input.path.clone()).unwrap_or_default();
        run.findings.splice(0..0, findings);
        if let Some(path) = &self.save {
            save(path, &run, to.force)?;
        }
        if let Some(folder) = to.out {
            export(folder, &run, self.show, to.force)?;
        }
        print(&run, self.show, to.format).map(Some)
    }

    /// A saved run, to go on from.
    fn resumed(&self, path: &Path, graph: &WorkGraph, entry: Option<&str>) -> Result<Before, CliError> {
        let wrong = |why: &str| CliError::Unusable(format!("{}: {why}", path.display()));
        if entry.is_some() {
            return Err(wrong("--entry: a run that goes on has its entry points"));
        }
        if self.mode == GraphMode::Free {
            return Err(wrong("only a run that the host leads goes on from a generation: --resume needs --mode step"));
        }
        let run = saved_runs::read(path).map_err(CliError::Unusable)?;
        if run.graph != *graph {
            return Err(wrong("it is a run of another graph than this file's"));
        }
        let at = match self.from {
            None if run.pending.is_empty() => {
                return Err(wrong("no records wait in it; --from says before which generation it goes on"));
            }
            None => run.generations.len(),
            Some(number) => {
                let ran = run.generations.iter().rposition(|generation| generation.number == number);
                let waits = !run.pending.is_empty() && run.waits_for().1 == number;
                let behind = waits.then_some(run.generations.len());
                behind.or(ran).ok_or_else(|| wrong(&format!("it has no generation {number}")))?
            }
        };
        let resume = run.resume(at).map_err(|why| wrong(&why))?;
        let more = self.dispatches > resume.dispatch.saturating_add(1);
        let first = if more { run.first_inputs().map_err(|why| wrong(&why))? } else { Vec::new() };
        Ok(Before { run: run.before_generation(at), resume, first })
    }

    fn inputs(&self, graph: &WorkGraph, entry: Option<&str>) -> Result<Vec<GraphInput>, CliError> {
        let options = InputOptions { entry: entry.or(only_entry(graph)), stride: self.stride, count: self.records };
        let inputs = match &self.input {
            Some(path) => input::parse(&read(path)?, graph, options)
                .map_err(|error| CliError::Unusable(format!("{}: {error}", path.display())))?,
            None => input::counted(self.records.unwrap_or(1), graph, options)
                .map_err(|error| CliError::Unusable(error.to_string()))?,
        };
        let several = matches!(self.input_mode, InputMode::MultiCpu | InputMode::MultiGpu);
        if inputs.len() != 1 && !several {
            let message = format!("{} inputs; --input-mode multi-cpu or multi-gpu takes several", inputs.len());
            return Err(CliError::Unusable(message));
        }
        Ok(inputs)
    }

    fn local_roots(&self) -> Result<LocalRoots, CliError> {
        let Some(path) = &self.local_root else { return Ok(LocalRoots::default()) };
        serde_json::from_str(&read(path)?).map_err(|error| CliError::Unusable(format!("{}: {error}", path.display())))
    }
}

/// The entry point of a graph that has no other.
fn only_entry(graph: &WorkGraph) -> Option<&str> {
    let mut entries = graph.nodes.iter().filter(|node| node.starts());
    entries.next().filter(|_| entries.next().is_none()).map(|node| node.name.as_str())
}

/// Text of records and arguments is read up to this size.
const MAX_TEXT: u64 = 256 << 20;

fn read(path: &Path) -> Result<String, CliError> {
    text_at_most(path, MAX_TEXT).map_err(CliError::Unusable)
}

/// Writes contents as `NAME.bin`, buffers as typed `NAME.json` too, and the report as `run.json`. Nothing is written where
/// one of the files is there already, unless `force` says so.
fn export(folder: &Path, run: &GraphRun, show: u64, force: bool) -> Result<(), CliError> {
    let mut files: Vec<NamedFile> = Vec::new();
    for (name, blob) in &run.contents {
        let typed = run.buffers.iter().find(|buffer| buffer.name == *name);
        // Buffers of local root arguments have names of their own.
        let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && !"._-".contains(c), "_");
        files.push((format!("{name}.bin"), blob.clone()));
        if let Some(buffer) = typed {
            let mut text = Vec::new();
            json::write(&buffer.shape.json(&blob.0), &mut text)?;
            files.push((format!("{name}.json"), Blob(text)));
        }
    }
    let mut text = Vec::new();
    json::write(&Page { schema: 1, run: graph_json::short(run, show), findings: &run.findings }, &mut text)?;
    files.push(("run.json".to_owned(), Blob(text)));
    Ok(write_files(folder, &files, force)?)
}

fn save(path: &Path, run: &GraphRun, force: bool) -> Result<(), CliError> {
    let bytes = file::write(run).map_err(|error| CliError::Unusable(format!("{}: {error}", path.display())))?;
    Ok(write_file(path, &bytes, force)?)
}

#[cfg(test)]
mod tests {
    use lanescope_core::run::graph::DEFAULT_RING;

    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!((bytes("4096"), bytes("1M"), bytes("2g")), (Ok(4096), Ok(1 << 20), Ok(2 << 30)));
        for wrong in ["", "M", "1T", "-1", "99999999G"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(bytes("256M"), Ok(DEFAULT_RING));
    }
}
