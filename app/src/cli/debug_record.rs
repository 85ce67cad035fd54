//! `lanescope debug --record`: the launch of a record of a work graph, and what it wrote beside what the device wrote.

use lanescope_core::findings::Severity;
use lanescope_core::gpu::{Inputs, RecordLaunch, RecordPlace, WrittenRecord, record_of, record_text, same_records};
use lanescope_core::graph::{GraphSource, NO_EXTENSION, WorkGraph, graph, why_not_run};
use lanescope_core::interpreter::debugger::session::Session;
use lanescope_core::options::WaveChoice;
use lanescope_core::program::Program;
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::graph::{GraphCommand, GraphRequest, GraphRun, Growing};

use super::debug::{Debug, failed};
use super::on_device::{Device, TIME};
use super::run_graph::only_entry;
use super::{CliError, Verdict};
use lanescope_host::debugging::report::{RecordReport, WrittenRow};
use lanescope_host::saved_runs;
use lanescope_host::worker::{GraphRunRequest, Loader, OTHER_ANSWER, PlanRequest, Reply, Request};

/// Debugs the launch of a record.
pub(super) fn run(
    debug: &Debug,
    record: &str,
    program: &Program,
    inputs: &Inputs,
    loader: &mut Loader,
) -> Result<Verdict, CliError> {
    let options = debug.analysis().options_for(program);
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
    let given = (inputs, &roots);
    let watchdog = debug.watchdog();
    let launched = RecordLaunch::new(&plans, &run, place, wave, given, &debug.limits()).map_err(failed)?;
    let launch = &launched.launch;
    let session = Session::new(launch.machine.clone(), debug.chosen(launch)?);
    let (mut debugged, mut machine) = debug.carry_out(launch, session, None, watchdog.as_ref())?;
    // What the whole launch writes, wherever the session ended.
    machine.run();
    let ours = launched.written(&graph, &machine).map_err(CliError::Unusable)?;
    let theirs = launched.written_in_run(&run);
    let same = theirs.as_ref().filter(|_| machine.is_finished()).map(|theirs| same_records(&ours, theirs));
    let device_wrote = match same {
        Some(false) => rows(&graph, theirs.as_deref().unwrap_or_default()),
        _ => Vec::new(),
    };
    debugged.record = Some(RecordReport {
        node: graph.nodes.get(node).map_or_else(String::new, |node| node.id.to_string()),
        generation: run.generations.get(place.generation).map_or(0, |generation| generation.number),
        records: [launched.records.0, launched.records.1],
        input: input_of(&run, node, RecordPlace { record: launched.records.0, ..place }),
        written: rows(&graph, &ours),
        same,
        device_wrote,
        device: run.device.clone(),
    });
    let broken = debugged.findings.iter().any(|finding| finding.severity == Severity::Error);
    debug.print(&debugged, launch.machine.size())?;
    Ok(if broken || same == Some(false) { Verdict::Findings } else { Verdict::Clean })
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
