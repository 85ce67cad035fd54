//! A work graph's run as JSON for people and scripts: names instead of indices, records by their members.

use std::collections::BTreeMap;
use std::iter;

use lanescope_core::findings::Finding;
use lanescope_core::graph::WorkGraph;
use lanescope_core::run::graph::{EdgeRun, Generation, GraphRun, NodeRun, Origin, Records};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// Elements of a buffer that are listed; `--save` keeps all.
const WORDS: usize = 1 << 16;

/// The form of [`Page`].
const SCHEMA: u32 = 2;

/// What `--format json` prints.
#[derive(Serialize, JsonSchema)]
pub struct Page<'p> {
    schema: u32,
    #[schemars(with = "Value")]
    run: Member<'p>,
    findings: &'p [Finding],
}

impl<'p> Page<'p> {
    /// A run, with at most so many records of each node.
    pub(super) fn of(run: &'p GraphRun, show: u64) -> Page<'p> {
        Page { schema: SCHEMA, run: short(run, show), findings: &run.findings }
    }
}

/// A value that is made while it is written: there may be millions of records.
pub enum Member<'m> {
    /// A value that is there.
    Value(Value),
    /// An object.
    Object(BTreeMap<String, Member<'m>>),
    /// A list, whose items are made one after the other.
    List(Items<'m>),
}

/// Makes the items of a list.
type Items<'m> = Box<dyn Fn() -> Box<dyn Iterator<Item = Member<'m>> + 'm> + 'm>;

impl<'m> Member<'m> {
    fn list<I: Iterator<Item = Member<'m>> + 'm>(items: impl Fn() -> I + 'm) -> Member<'m> {
        Member::List(Box::new(move || Box::new(items())))
    }

    /// An object with these members besides its own.
    fn with<const N: usize>(object: Value, more: [(&str, Member<'m>); N]) -> Member<'m> {
        let own = match object {
            Value::Object(own) => own,
            other => return Member::Value(other),
        };
        let own = own.into_iter().map(|(name, value)| (name, Member::Value(value)));
        Member::Object(own.chain(more.map(|(name, member)| (name.to_owned(), member))).collect())
    }
}

impl Serialize for Member<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Member::Value(value) => value.serialize(serializer),
            Member::Object(members) => serializer.collect_map(members),
            Member::List(items) => serializer.collect_seq(items()),
        }
    }
}

/// The run, with at most `shown` records of each node.
pub fn short(run: &GraphRun, show: u64) -> Member<'_> {
    let graph = &run.graph;
    let generations =
        Member::list(move || run.generations.iter().enumerate().map(move |of| generation(run, graph, of, show)));
    let last = run.generations.last();
    let pending =
        Member::list(move || run.pending.iter().map(move |node| node_run(graph, node, &node.records, last, show)));
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
    let rest = json!({
        "device": run.device, "file": run.file, "mode": run.mode, "input_mode": run.input_mode, "entries": entries,
        "ring": run.ring, "nanoseconds": run.nanoseconds, "wall_nanoseconds": run.wall_nanoseconds,
        "stopped": stopped, "refused": refused, "buffers": buffers, "images": images, "left_out": run.left_out,
        "warnings": run.warnings,
    });
    Member::with(rest, [("generations", generations), ("pending", pending)])
}

/// Whether the final contents of a buffer or image are known.
fn known(run: &GraphRun, name: &str) -> bool {
    run.contents.contains_key(name)
}

fn name(graph: &WorkGraph, node: usize) -> String {
    graph.nodes.get(node).map_or_else(|| format!("#{node}"), |node| node.id.to_string())
}

fn generation<'r>(run: &'r GraphRun, graph: &'r WorkGraph, (at, of): (usize, &'r Generation), show: u64) -> Member<'r> {
    let before = run.before(at).and_then(|before| run.generations.get(before));
    let nodes = Member::list(move || {
        of.nodes.iter().map(move |node| node_run(graph, node, run.records_of(of, node), before, show))
    });
    let edges: Vec<Value> = of.edges.iter().map(|is| edge(graph, of, is)).collect();
    let changed: Vec<&String> = of.changed.keys().collect();
    let rest = json!({
        "dispatch": of.dispatch, "generation": of.number, "edges": edges, "ring": of.ring, "changed": changed,
        "left_out": of.left_out, "nanoseconds": of.nanoseconds, "leading_nanoseconds": of.leading_nanoseconds,
    });
    Member::with(rest, [("nodes", nodes)])
}

/// A node's run, with its first records and who of the generation before wrote each: null for those from the host.
fn node_run<'r>(
    graph: &'r WorkGraph,
    run: &'r NodeRun,
    records: &'r Records,
    before: Option<&'r Generation>,
    show: u64,
) -> Member<'r> {
    let record = graph.nodes.get(run.node).and_then(|node| node.record());
    let most = run.count.min(show);
    let values = move || (0..most).filter_map(move |index| records.json(index, record?)).map(Member::Value);
    // Records that were not kept have no values.
    let known = record.map_or(0, |_| (0..most).filter(|index| records.get(*index).is_some()).count());
    let writer = move |origin: Option<Origin>| {
        let from = origin.and_then(|origin| Some((origin, before?.nodes.get(origin.run as usize)?)));
        let writer = from.map(|(origin, from)| {
            json!({ "node": name(graph, from.node), "record": origin.record, "allocation": origin.entry })
        });
        Member::Value(json!(writer))
    };
    let written_by = move || records.writers().map(Some).chain(iter::repeat(None)).take(known).map(writer);
    let edited = run
        .edited
        .iter()
        .map(|edit| json!({ "record": edit.record, "was": record.map(|record| record.shape.json(&edit.was.0)) }));
    let rest = json!({
        "node": name(graph, run.node), "remaining": run.remaining, "entry": run.entry, "shares": run.shares,
        "records": run.count, "launches": run.launches, "batches": run.batches, "edited": edited.collect::<Vec<_>>(),
        "nanoseconds": run.nanoseconds,
    });
    Member::with(rest, [("values", Member::list(values)), ("written_by", Member::list(written_by))])
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
