//! `lanescope debug --record`: the launch of a record of a work graph, and what it wrote beside what the device wrote.

use lanescope_core::gpu::{
    Inputs, NodePlans, RecordLaunch, RecordPlace, WrittenRecord, record_of, record_text, same_records,
};
use lanescope_core::graph::{GraphSource, NO_EXTENSION, WorkGraph, graph, why_not_run};
use lanescope_core::interpreter::{Machine, Options as Limits};
use lanescope_core::options::WaveChoice;
use lanescope_core::program::Program;
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::graph::{GraphCommand, GraphRequest, GraphRun, Growing, LocalRoots};

use super::CliError;
use super::debug::Debug;
use super::debug_start::failed;
use super::graph_start::only_entry;
use super::on_device::{Device, TIME};
use lanescope_host::debugging::report::{RecordReport, WrittenRow};
use lanescope_host::saved_runs;
use lanescope_host::worker::{GraphRunRequest, Loader, OTHER_ANSWER, PlanRequest, Reply, Request};

/// A record of a run, and how its node is launched.
pub(super) struct Found {
    graph: WorkGraph,
    node: usize,
    run: GraphRun,
    place: RecordPlace,
    plans: Box<NodePlans>,
    roots: LocalRoots,
    wave: u32,
}

/// The launch of a record.
pub(super) struct Reached {
    graph: WorkGraph,
    node: usize,
    run: GraphRun,
    place: RecordPlace,
    /// The launch, and what it runs with.
    pub launched: RecordLaunch,
}

/// Finds a record, in a saved run or in one that is made here.
///
/// # Errors
/// A file without such a record, or one that cannot be run.
pub(super) fn reach(
    debug: &Debug,
    record: &str,
    program: &Program,
    inputs: &Inputs,
    loader: &mut Loader,
) -> Result<Found, CliError> {
    let options = debug.analysis.options_for(program);
    let Some((graph, found)) = graph(program, &options.overrides) else {
        return Err(CliError::Unusable("--record: the file has no work graph".to_owned()));
    };
    if graph.source == GraphSource::Spirv {
        return Err(CliError::Missing(NO_EXTENSION.to_owned()));
    }
    if let Some(why) = why_not_run(&found) {
        return Err(CliError::Unusable(format!("{why}; `lanescope graph` lists all violated rules")));
    }
    let [library] = program.dxil.as_slice() else {
        return Err(CliError::Unusable("expected one DXIL library with the work graph".to_owned()));
    };
    let (node, number) = named(record, &graph)?;
    let roots = debug.local_roots()?;
    let run = match debug.saved_run() {
        Some(path) => {
            let run = saved_runs::read(path).map_err(CliError::Unusable)?;
            if !graph.is_as_saved(&run.graph) {
                let message = format!("{}: is a run of a different graph", path.display());
                return Err(CliError::Unusable(message));
            }
            run
        }
        None => {
            let only = InputOptions { entry: only_entry(&graph), stride: None, count: None };
            let first = input::counted(1, &graph, only).map_err(|why| CliError::Unusable(why.to_string()))?;
            let request = Request::RunGraph(Box::new(GraphRunRequest {
                dxil: library.dxil.clone(),
                overrides: options.overrides.clone(),
                request: GraphRequest { inputs: first, local_roots: roots.clone(), ..GraphRequest::default() },
                device: Device::first(TIME).options(),
                inputs: inputs.clone(),
            }));
            Device::first(TIME).run_graph(loader.child()?, Growing::default(), &request, |_| GraphCommand::End)?
        }
    };
    let place = record_of(&run, node, number).map_err(failed)?;
    let request = PlanRequest { dxil: library.dxil.clone(), overrides: options.overrides.clone() };
    let plans = match Device::first(TIME).ask(loader.child()?, &Request::PlanNodes(Box::new(request)), 1)? {
        Reply::NodePlans(plans) => plans,
        _ => return Err(CliError::Unusable(OTHER_ANSWER.to_owned())),
    };
    let wave = if options.wave == WaveChoice::Wave32 { 32 } else { 64 };
    Ok(Found { graph, node, run, place, plans, roots, wave })
}

impl Found {
    /// Launches the node with the record.
    ///
    /// # Errors
    /// What the interpreter does not run.
    pub fn launch(self, inputs: &Inputs, limits: &Limits) -> Result<Reached, CliError> {
        let Found { graph, node, run, place, plans, roots, wave } = self;
        let launched = RecordLaunch::new(&plans, &run, place, wave, (inputs, &roots), limits).map_err(failed)?;
        Ok(Reached { graph, node, run, place, launched })
    }
}

/// What the whole launch writes. `machine` is where the session ended: it runs to its end.
///
/// # Errors
/// Records that cannot be read.
pub(super) fn report(reached: &Reached, mut machine: Machine) -> Result<RecordReport, CliError> {
    let Reached { graph, node, run, place, launched } = reached;
    machine.run();
    let ours = launched.written(graph, &machine).map_err(CliError::Unusable)?;
    let theirs = launched.written_in_run(run);
    let same = theirs.as_ref().filter(|_| machine.is_finished()).map(|theirs| same_records(&ours, theirs));
    let device_wrote = match same {
        Some(false) => rows(graph, theirs.as_deref().unwrap_or_default()),
        _ => Vec::new(),
    };
    Ok(RecordReport {
        node: graph.nodes.get(*node).map_or_else(String::new, |node| node.id.to_string()),
        generation: run.generations.get(place.generation).map_or(0, |generation| generation.number),
        records: [launched.records.0, launched.records.1],
        input: input_of(run, *node, RecordPlace { record: launched.records.0, ..*place }),
        written: rows(graph, &ours),
        same,
        device_wrote,
        device: run.device.clone(),
    })
}

/// The node and the number of `NODE:N`.
fn named(text: &str, graph: &WorkGraph) -> Result<(usize, u64), CliError> {
    let parts = text.rsplit_once(':').and_then(|(node, number)| Some((node.trim(), number.trim().parse().ok()?)));
    let (name, number) = parts.ok_or_else(|| CliError::Unusable(format!("--record `{text}`: expected NODE:N")))?;
    let node = graph.named(name).ok_or_else(|| {
        let names: Vec<String> = graph.nodes.iter().take(8).map(|node| node.id.to_string()).collect();
        CliError::Unusable(format!("--record: no node `{name}`; expected one of {}", names.join(", ")))
    })?;
    Ok((node, number))
}

/// The fields of a record of a run.
fn input_of(run: &GraphRun, node: usize, place: RecordPlace) -> String {
    let of = run.generations.get(place.generation).and_then(|is| Some((is, is.nodes.get(place.run)?)));
    let bytes = of.and_then(|(is, of)| run.records_of(is, of).get(place.record)).unwrap_or_default();
    record_text(&run.graph, Some(node), bytes)
}

fn rows(graph: &WorkGraph, records: &[WrittenRecord]) -> Vec<WrittenRow> {
    let row = |record: &WrittenRecord| WrittenRow {
        target: record.target.clone(),
        fields: record_text(graph, record.node, &record.bytes.0),
    };
    records.iter().map(row).collect()
}
