//! `lanescope cost` of a work graph: what a scheduler makes of it, by its declarations and by the records of a run.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use lanescope_core::cost::graph::{GraphCost, GraphSettings, graph_addition, graph_cost};
use lanescope_core::findings::Severity;
use lanescope_core::graph::WorkGraph;
use lanescope_core::program::Program;
use lanescope_core::run::graph::{GraphInput, Stopped};
use lanescope_host::inputs::Contents;
use lanescope_host::saved_runs;
use lanescope_host::worker::Loader;
use lanescope_text as text;

use super::CostOf;
use crate::cli::driver_args::AskDrivers;
use crate::cli::graph_start::{self, FirstRecordArgs, Library};
use crate::cli::input_args::InputArgs;
use crate::cli::on_device::Format;
use crate::cli::run::OF_ANY_RUN;
use crate::cli::run_graph::{GraphArguments, Where};
use crate::cli::{CliError, Verdict, json, streams};

/// Arguments of work graphs only.
#[derive(Debug, Args)]
pub struct GraphCostArgs {
    /// Run the work graph on a device, and add what its records cost
    #[arg(long, help_heading = "Work graphs")]
    run: bool,

    /// Run it GPU-driven too, dispatched as predicted, and compare the predicted groups with the counters of the device
    #[arg(long, requires = "run", help_heading = "Work graphs")]
    count_groups: bool,

    /// Model a device that takes fewer than 2^24 - 1 workgroups along X: nodes are dispatched in rows of 32768
    #[arg(long, help_heading = "Work graphs")]
    rows: bool,

    /// Library of the state object that grows: show what AddToStateObject changes if it adds the nodes of FILE (may be
    /// repeated)
    #[arg(long, value_name = "BASE", conflicts_with = "run", help_heading = "Work graphs")]
    add_to: Vec<PathBuf>,

    #[command(flatten)]
    first: FirstRecordArgs,
}

/// Flags that only a run takes, besides those of the device and of the contents of buffers.
const OF_RUN: [&str; 2] = ["--dispatches", "--local-root"];
/// Flags of the device that runs the graph. They are those of drivers that compile graphics pipelines.
pub(super) const OF_DEVICE: [&str; 2] = ["--device", "--validate"];
/// Flags of any run that are those of a picture here.
const OF_PICTURE: [&str; 2] = ["--output", "--force"];

impl CostOf {
    /// The costs of a saved run, if the file is one.
    pub(super) fn saved_run(&self) -> Result<Option<Verdict>, CliError> {
        let Some(path) = saved_runs::only_run(self.analysis.files()) else { return Ok(None) };
        let mut others = self.given.flags::<CostOf>();
        others.retain(|flag| !["--rows", "--format"].contains(&flag.as_str()));
        if !others.is_empty() {
            let message = format!("{}: {} cannot be used with a saved run", path.display(), others.join(", "));
            return Err(CliError::Unusable(message));
        }
        let run = saved_runs::read(path).map_err(CliError::Unusable)?;
        let settings = GraphSettings { rows: self.graph.rows, ..GraphSettings::default() };
        self.print_graph(&graph_cost(&run.graph, Some(&run), &settings)).map(Some)
    }

    /// The costs of a work graph, if the files have one.
    pub(super) fn work_graph(
        &self,
        loader: &mut Loader,
        loaded: &Result<Program, CliError>,
        contents: &Contents,
    ) -> Result<Option<Verdict>, CliError> {
        let Some(library) = graph_start::library(&self.analysis, loader, loaded) else {
            // A file that does not load is the first thing to say.
            return if loaded.is_ok() { self.no_graph_flags().map(|()| None) } else { Ok(None) };
        };
        self.graph_flags()?;
        let options = self.analysis.options();
        let entry = graph_start::entry_of(&options)?;
        let mut settings = self.settings();
        let cost = if self.graph.run {
            let inputs = self.input.inputs(contents, &library.program)?;
            let on = self.interface.ask.on_device()?.limited(self.analysis.loading());
            let overrides = options.overrides.over(&library.program.overrides);
            let mut run = |arguments: GraphArguments| {
                let to = Where { child: loader.child()?, on: &on, out: None, force: false };
                arguments.run(library.clone(), &overrides, entry, inputs.clone(), to)
            };
            let GraphCostArgs { first, count_groups, rows, .. } = &self.graph;
            let mut stepped = run(GraphArguments::stepped(first.clone()))?;
            let counted = count_groups.then(|| run(GraphArguments::counting(first.clone(), *rows))).transpose()?;
            if let Some(counted) = &counted {
                stepped.take_counts(counted);
            }
            let mut cost = graph_cost(&stepped.graph, Some(&stepped), &settings);
            if let Some(Stopped { generation, why, .. }) = counted.and_then(|counted| counted.stopped) {
                cost.notes.push(format!(
                    "the run that counts stopped in generation {generation}, later counters are missing: {why}"
                ));
            }
            cost
        } else {
            let Library { graph, findings, .. } = library;
            if self.graph.first.says_records() || entry.is_some() {
                settings.first = counts(&graph, &self.graph.first.inputs(&graph, entry)?);
            }
            GraphCost { findings, ..graph_cost(&graph, None, &settings) }
        };
        self.print_graph(&cost).map(Some)
    }

    /// What an addition to a state object changes, if one is asked for.
    pub(super) fn addition(&self, loader: &mut Loader) -> Result<Option<Verdict>, CliError> {
        let bases = &self.graph.add_to;
        if bases.is_empty() {
            return Ok(None);
        }
        let analysis = self.analysis.after(bases);
        let loaded = analysis.program(loader);
        let Some(library) = graph_start::library(&analysis, loader, &loaded) else {
            loaded?;
            return Err(CliError::Unusable(format!("{}: not a work graph, so --add-to cannot be used", self.file())));
        };
        self.graph_flags()?;
        if library.program.inputs.len() != analysis.files().len() {
            let message = "--add-to takes libraries, not databases: a file has several programs".to_owned();
            return Err(CliError::Unusable(message));
        }
        let options = analysis.options();
        let entry = graph_start::entry_of(&options)?;
        let mut settings = self.settings();
        if self.graph.first.says_records() || entry.is_some() {
            settings.first = counts(&library.graph, &self.graph.first.inputs(&library.graph, entry)?);
        }
        let addition = graph_addition(&library.graph, |node| node.input >= bases.len(), None, &settings);
        let addition = addition.ok_or_else(|| {
            let has_base = library.graph.nodes.iter().any(|node| node.input < bases.len());
            let empty = if has_base { self.file() } else { named(bases) };
            CliError::Unusable(format!("{empty}: contains no work graph nodes"))
        })?;
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_cost_sheet(&addition.sheet(), &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print_versioned(1, &addition)?,
        }
        let failed = addition.all_findings().any(|finding| finding.severity == Severity::Error);
        Ok(Some(if failed { Verdict::Findings } else { Verdict::Clean }))
    }

    /// What the sheet assumes, without first records.
    fn settings(&self) -> GraphSettings {
        let input_mode = Some(self.graph.first.input_mode);
        GraphSettings { rows: self.graph.rows, input_mode, ..GraphSettings::default() }
    }

    fn print_graph(&self, cost: &GraphCost) -> Result<Verdict, CliError> {
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_cost_sheet(&cost.sheet(), &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print_versioned(1, cost)?,
        }
        let failed = cost.findings.iter().any(|finding| finding.severity == Severity::Error);
        Ok(if failed { Verdict::Findings } else { Verdict::Clean })
    }

    /// Rejects flags that have no effect on a work graph's costs.
    fn graph_flags(&self) -> Result<(), CliError> {
        let own = self.given.flags::<GraphCostArgs>();
        let mut others = self.given.flags::<CostOf>();
        let of_any_run = |flag: &str| OF_ANY_RUN.contains(&flag) && !OF_PICTURE.contains(&flag);
        others.retain(|flag| !own.contains(flag) && !of_any_run(flag));
        if !others.is_empty() {
            let message = format!("{}: {} cannot be used with a work graph", self.file(), others.join(", "));
            return Err(CliError::Unusable(message));
        }
        let mut of_run = self.given.flags::<AskDrivers>();
        of_run.retain(|flag| OF_DEVICE.contains(&flag.as_str()));
        of_run.extend(self.given.flags::<InputArgs>());
        of_run.extend(own.into_iter().filter(|flag| OF_RUN.contains(&flag.as_str())));
        if !self.graph.run && !of_run.is_empty() {
            return Err(CliError::Unusable(format!("{}: {} needs --run", self.file(), of_run.join(", "))));
        }
        Ok(())
    }

    /// Rejects flags that only work graphs accept.
    fn no_graph_flags(&self) -> Result<(), CliError> {
        let flags = self.given.flags::<GraphCostArgs>();
        if flags.is_empty() {
            return Ok(());
        }
        let message = format!("{}: not a work graph, so {} cannot be used", self.file(), flags.join(", "));
        Err(CliError::Unusable(message))
    }

    /// The files, for messages.
    fn file(&self) -> String {
        named(self.analysis.files())
    }
}

/// Files, for messages.
fn named(files: &[PathBuf]) -> String {
    match files {
        [file] => file.display().to_string(),
        _ => "several files".to_owned(),
    }
}

/// The first records by node, without their contents.
fn counts(graph: &WorkGraph, inputs: &[GraphInput]) -> Vec<(usize, u64)> {
    inputs.iter().filter_map(|input| Some((graph.find(&input.entry)?, input.count))).collect()
}
