//! Corrupted saved runs: each number in turn is replaced by a wrong one.

use lanescope_core::findings::{self, Finding, ListingLine};
use lanescope_core::graph::WorkGraph;
use lanescope_core::run::graph::{Edited, GraphRun, NodeRun, Refused, Stopped, file};
use lanescope_core::run::{Blob, ImageRun, hash};
use serde_json::Value;

use super::graph_run;

/// Replacements for each number.
const NUMBERS: [u64; 3] = [999, u32::MAX as u64, u64::MAX];
/// Entries of a list whose numbers are changed: the first ones and the last one.
const FIRST: usize = 2;

/// A run with one of everything that a saved run may hold.
pub fn full_run(graph: &WorkGraph) -> GraphRun {
    let mut run = graph_run(graph);
    let waiting = |node: &NodeRun| NodeRun { batches: Vec::new(), launches: 0, shares: None, ..node.clone() };
    run.pending = run.generations.last().map_or(Vec::new(), |last| last.nodes.iter().map(waiting).collect());
    let (needed, available) = (Some(4096), Some(1024));
    let why = "the ring is full".to_owned();
    run.stopped = Some(Stopped { dispatch: 0, generation: 2, node: None, why, needed, available });
    let line = Some(ListingLine { input: 0, line: 1 });
    let place = findings::Place::Node { function: None, name: "A".to_owned(), index: 0 };
    let found = findings::GRAPH_UNFINISHED.at(None, Some(place), "some groups did not finish");
    run.findings = vec![Finding { line, ..found }];
    run.refused = vec![Refused { node: 0, why: "it is not converted".to_owned() }];
    run.images = vec![ImageRun {
        name: "set0.binding1".to_owned(),
        register: None,
        variable: None,
        set: 0,
        binding: 1,
        element: 0,
        size: [4, 2, 1],
        layers: 1,
        format: "R32_UINT".to_owned(),
        texel_bytes: 4,
        bytes: 32,
        hash: hash(&[0; 32]),
    }];
    for node in run.generations.iter_mut().flat_map(|is| &mut is.nodes) {
        if let Some(was) = node.records.get(0).map(|bytes| Blob(bytes.to_vec())) {
            node.edited.push(Edited { record: 0, was });
            node.after = Some(node.records.bytes.clone());
        }
    }
    run
}

/// The run as a file, and for each of its numbers the same with other ones in its place: what was changed, and what
/// opening the file has.
pub fn hostile_runs(run: &GraphRun) -> Vec<(String, Result<GraphRun, file::FileError>)> {
    let Ok(mut saved) = file::write(run).and_then(|bytes| {
        serde_json::from_slice::<Value>(&bytes).map_err(|error| file::FileError::Unreadable(error.to_string()))
    }) else {
        return Vec::new();
    };
    let mut places = Vec::new();
    numbers(&saved, String::new(), &mut places);
    let mut out = Vec::new();
    for place in places {
        for number in NUMBERS {
            let Some(there) = saved.pointer_mut(&place) else { continue };
            let was = std::mem::replace(there, number.into());
            let opened = serde_json::to_vec(&saved).map(|bytes| file::read(&bytes));
            if let Ok(opened) = opened {
                out.push((format!("{place} = {number}"), opened));
            }
            if let Some(there) = saved.pointer_mut(&place) {
                *there = was;
            }
        }
    }
    out
}

/// Where numbers are.
fn numbers(value: &Value, place: String, out: &mut Vec<String>) {
    match value {
        Value::Number(_) => out.push(place),
        Value::Array(entries) => {
            for (at, entry) in entries.iter().enumerate() {
                if at < FIRST || at + 1 == entries.len() {
                    numbers(entry, format!("{place}/{at}"), out);
                }
            }
        }
        Value::Object(members) => members.iter().for_each(|(name, is)| numbers(is, format!("{place}/{name}"), out)),
        _ => {}
    }
}
