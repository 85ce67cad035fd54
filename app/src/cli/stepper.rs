//! Stepping a work graph's run from the command line: breakpoints, and changes to waiting records.

use std::path::Path;

use lanescope_core::graph::WorkGraph;
use lanescope_core::run::Blob;
use lanescope_core::run::graph::{
    Advance, Breakpoint, GraphCommand, GraphMode, GraphRun, Growing, NodeRun, Replace, input,
};
use serde::Deserialize;
use serde_json::Value;

use super::CliError;

/// What `--edit` reads.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edits {
    edits: Vec<Edit>,
}

/// A record to change before its generation runs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    #[serde(default)]
    start: u32,
    generation: u32,
    node: String,
    /// Remaining recursion levels; the first run of the node if absent.
    remaining: Option<u32>,
    record: u64,
    /// Its members that change, or all of its words.
    value: Value,
}

/// The commands for a paused run.
#[derive(Debug)]
pub struct Stepper<'g> {
    graph: &'g WorkGraph,
    breakpoints: Vec<Breakpoint>,
    /// Changes that are not applied yet.
    edits: Vec<Edit>,
    /// The file with the changes, for messages.
    file: String,
    /// Start and generation that the run continues from; breakpoints are ignored there.
    from: Option<(u32, u32)>,
    failed: Option<String>,
    stopped: Option<String>,
}

impl<'g> Stepper<'g> {
    /// Parses breakpoints (`NODE` or `NODE: CONDITION`) and a file of changes (its name and text).
    pub fn new(
        graph: &'g WorkGraph,
        stops: &[String],
        edits: Option<(&Path, &str)>,
        from: Option<(u32, u32)>,
    ) -> Result<Stepper<'g>, CliError> {
        let breakpoints = stops.iter().map(|text| breakpoint(graph, text)).collect::<Result<_, _>>()?;
        let parse = |(path, text): (&Path, &str)| match serde_json::from_str::<Edits>(text) {
            Ok(edits) => Ok(edits.edits),
            Err(error) => {
                let path = path.display();
                Err(CliError::Unusable(format!(
                    "{path}: not a file of record changes (`lanescope help graphs` shows the format): {error}"
                )))
            }
        };
        let file = edits.map(|(path, _)| path.display().to_string()).unwrap_or_default();
        let edits = edits.map(parse).transpose()?.unwrap_or_default();
        Ok(Stepper { graph, breakpoints, edits, file, from, failed: None, stopped: None })
    }

    /// How far the run goes before its next pause; it is not stepped if there are no breakpoints and no changes.
    pub fn start(&self, mode: GraphMode) -> Result<Option<Advance>, CliError> {
        if self.edits.is_empty() && self.breakpoints.is_empty() {
            return Ok(None);
        }
        match mode {
            GraphMode::Step => Ok(Some(self.going(0))),
            GraphMode::Free => {
                let message = "--break and --edit cannot be used with --gpu-driven: such a run does not stop";
                Err(CliError::Unusable(message.to_owned()))
            }
        }
    }

    /// The number of generations to run while changes are left.
    fn going(&self, generations: u32) -> Advance {
        let generations = (!self.edits.is_empty()).then_some(generations);
        Advance { generations, breakpoints: self.breakpoints.clone() }
    }

    /// How a paused run continues.
    pub fn next(&mut self, growing: &Growing) -> GraphCommand {
        let (Some(reached), Some(run)) = (growing.reached(), growing.run()) else { return GraphCommand::End };
        let here = |edit: &Edit| (edit.start, edit.generation) == (reached.dispatch, reached.number);
        if let Some(at) = self.edits.iter().position(here) {
            let edit = self.edits.remove(at);
            return match replace(self.graph, &run.pending, &edit) {
                Ok(replace) => GraphCommand::Replace(replace),
                Err(why) => {
                    let Edit { generation, node, record, .. } = edit;
                    self.failed = Some(format!("record {record} of {node} in generation {generation}: {why}"));
                    GraphCommand::End
                }
            };
        }
        if let Some(hit) = growing.hit().filter(|_| self.from != Some((reached.dispatch, reached.number))) {
            let node = run.pending.get(hit.run).and_then(|is| self.graph.nodes.get(is.node));
            let node = node.map_or_else(|| "?".to_owned(), |node| node.id.to_string());
            let record = hit.record.map(|record| format!(", record {record}")).unwrap_or_default();
            self.stopped = Some(format!("before {}: {node}{record}", reached.words(self.graph)));
            return GraphCommand::End;
        }
        GraphCommand::Go(self.going(1))
    }

    /// Where a breakpoint ended the run, as text.
    ///
    /// # Errors
    /// A change that could not be applied, or whose generation never ran.
    pub fn end(self, run: &GraphRun) -> Result<Option<String>, CliError> {
        let left = self.edits.first().filter(|_| self.stopped.is_none() && run.stopped.is_none());
        let never =
            left.map(|edit| format!("no records wait for generation {} of start {}", edit.generation, edit.start));
        match self.failed.or(never) {
            Some(why) => Err(CliError::Unusable(format!("{}: {why}", self.file))),
            None => Ok(self.stopped),
        }
    }
}

fn breakpoint(graph: &WorkGraph, text: &str) -> Result<Breakpoint, CliError> {
    let wrong = |why: String| CliError::Unusable(format!("--break {text}: {why}"));
    let (name, condition) = text.split_once(':').unwrap_or((text, ""));
    let node = graph.named(name.trim()).ok_or_else(|| wrong(format!("no node `{}` in this graph", name.trim())))?;
    let breakpoint = Breakpoint { node, condition: condition.trim().to_owned() };
    breakpoint.parse(graph).map_err(wrong)?;
    Ok(breakpoint)
}

/// Changes one waiting record; unnamed members keep their values.
fn replace(graph: &WorkGraph, waiting: &[NodeRun], edit: &Edit) -> Result<Replace, String> {
    let node = graph.named(&edit.node).ok_or("no such node in this graph")?;
    let is_meant = |run: &NodeRun| run.node == node && edit.remaining.is_none_or(|left| left == run.remaining);
    let run = waiting.iter().position(is_meant).ok_or("the node has no records there")?;
    let record = graph.nodes.get(node).and_then(|node| node.record()).ok_or("its records are empty")?;
    let records = waiting.get(run).map(|run| &run.records).ok_or("the node has no records there")?;
    let now = records.json(edit.record, record).ok_or_else(|| format!("only {} records are kept", records.len()))?;
    let value = match (&edit.value, now) {
        (Value::Object(members), Value::Object(mut all)) => {
            all.extend(members.clone());
            Value::Object(all)
        }
        (words, _) => words.clone(),
    };
    let bytes = input::encode("value", &value, record).map_err(|error| error.to_string())?;
    Ok(Replace { run, record: edit.record, bytes: Blob(bytes) })
}
