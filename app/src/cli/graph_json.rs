//! A work graph's run as JSON for people and scripts: names instead of indices, records by their members.

use std::iter;

use lanescope_core::findings::Finding;
use lanescope_core::graph::WorkGraph;
use lanescope_core::run::graph::{EdgeRun, Generation, GraphRun, NodeRun, Origin, Records};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// Elements of a buffer that are listed; `--save` keeps all.
const WORDS: usize = 1 << 16;

/// The form of [`Page`].
const SCHEMA: u32 = 2;

/// What `--format json` prints.
#[derive(Serialize, JsonSchema)]
pub struct Page<'p> {
    schema: u32,
    run: Value,
    findings: &'p [Finding],
}

impl<'p> Page<'p> {
    /// A run, with at most so many records of each node.
    pub(super) fn of(run: &'p GraphRun, show: u64) -> Page<'p> {
        Page { schema: SCHEMA, run: short(run, show), findings: &run.findings }
    }
}

/// The run, with at most `shown` records of each node.
pub fn short(run: &GraphRun, show: u64) -> Value {
    let graph = &run.graph;
    let generations = run.generations.iter().enumerate().map(|(at, of)| generation(run, graph, (at, of), show));
    let generations: Vec<Value> = generations.collect();
    let last = run.generations.last();
    let pending = run.pending.iter().map(|node| node_run(graph, node, &node.records, last, show));
    let pending: Vec<Value> = pending.collect();
    let buffers: Vec<Value> = run
        .buffers
        .iter()
        .map(|buffer| {
            let contents = run.contents.get(&buffer.name).map_or(&[][..], |blob| &blob.0);
            let contents = contents.get(..4 * WORDS).unwrap_or(contents);
            json!({
                "name": buffer.name, "register": buffer.register, "variable": buffer.variable, "bytes": buffer.bytes,
                "hash": known(run, &buffer.name).then_some(buffer.hash), "values": buffer.shape.json(contents),
            })
        })
        .collect();
    let images = run.images.iter().map(|image| {
        let contents = run.contents.get(&image.name).map_or(&[][..], |blob| &blob.0);
        let mut value = json!(image);
        if let Value::Object(members) = &mut value {
            members.insert("hash".to_owned(), json!(known(run, &image.name).then_some(image.hash)));
            members.insert("values".to_owned(), image.shape().json(contents.get(..4 * WORDS).unwrap_or(contents)));
        }
        value
    });
    let images: Vec<Value> = images.collect();
    let stopped = run.stopped.as_ref().map(|stopped| {
        json!({
            "dispatch": stopped.dispatch, "generation": stopped.generation, "why": stopped.why,
            "node": stopped.node.as_ref().map(ToString::to_string),
            "needed": stopped.needed, "available": stopped.available,
        })
    });
    let entries: Vec<String> = run.entries.iter().map(ToString::to_string).collect();
    let refused: Vec<Value> =
        run.refused.iter().map(|refused| json!({ "node": name(graph, refused.node), "why": refused.why })).collect();
    json!({
        "device": run.device, "file": run.file, "mode": run.mode, "input_mode": run.input_mode, "entries": entries,
        "ring": run.ring, "nanoseconds": run.nanoseconds, "wall_nanoseconds": run.wall_nanoseconds,
        "generations": generations, "pending": pending, "stopped": stopped, "refused": refused,
        "buffers": buffers, "images": images, "left_out": run.left_out, "warnings": run.warnings,
    })
}

/// Whether the final contents of a buffer or image are known.
fn known(run: &GraphRun, name: &str) -> bool {
    run.contents.contains_key(name)
}

fn name(graph: &WorkGraph, node: usize) -> String {
    graph.nodes.get(node).map_or_else(|| format!("#{node}"), |node| node.id.to_string())
}

fn generation(run: &GraphRun, graph: &WorkGraph, (at, of): (usize, &Generation), show: u64) -> Value {
    let before = run.before(at).and_then(|before| run.generations.get(before));
    let nodes = of.nodes.iter().map(|node| node_run(graph, node, run.records_of(of, node), before, show));
    let nodes: Vec<Value> = nodes.collect();
    let edges: Vec<Value> = of.edges.iter().map(|is| edge(graph, of, is)).collect();
    let changed: Vec<&String> = of.changed.keys().collect();
    json!({
        "dispatch": of.dispatch, "generation": of.number, "nodes": nodes, "edges": edges, "ring": of.ring,
        "changed": changed, "left_out": of.left_out, "nanoseconds": of.nanoseconds, "leading_nanoseconds": of.leading_nanoseconds,
    })
}

/// A node's run, with its first records and who of the generation before wrote each: null for those from the host.
fn node_run(graph: &WorkGraph, run: &NodeRun, records: &Records, before: Option<&Generation>, show: u64) -> Value {
    let record = graph.nodes.get(run.node).and_then(|node| node.record());
    let most = run.count.min(show);
    let values: Vec<Value> = (0..most).filter_map(|index| records.json(index, record?)).collect();
    let writer = |origin: Option<Origin>| {
        let origin = origin?;
        let from = before?.nodes.get(origin.run as usize)?;
        Some(json!({ "node": name(graph, from.node), "record": origin.record, "allocation": origin.entry }))
    };
    let writers = records.writers().map(Some).chain(iter::repeat(None));
    let written_by: Vec<Option<Value>> = writers.take(values.len()).map(writer).collect();
    let edited = run
        .edited
        .iter()
        .map(|edit| json!({ "record": edit.record, "was": record.map(|record| record.shape.json(&edit.was.0)) }));
    json!({
        "node": name(graph, run.node), "remaining": run.remaining, "entry": run.entry, "shares": run.shares,
        "records": run.count, "launches": run.launches, "values": values, "written_by": written_by, "batches": run.batches,
        "edited": edited.collect::<Vec<_>>(), "nanoseconds": run.nanoseconds,
    })
}

fn edge(graph: &WorkGraph, of: &Generation, edge: &EdgeRun) -> Value {
    let from = of.nodes.get(edge.from).map(|run| run.node);
    let output = from.and_then(|from| graph.nodes.get(from)?.outputs.get(edge.output));
    let id = output.and_then(|output| output.id(edge.element)).map(|id| id.to_string());
    json!({
        "from": from.map(|from| name(graph, from)), "run": edge.from, "output": edge.output, "element": edge.element,
        "to": id, "reached": edge.to.is_some(), "records": edge.records,
    })
}
