//! The launch of a work graph's record in the debugger, and what the device's launch wrote.

use lanescope_core::gpu::{PairState, RecordLaunch, WrittenPair, WrittenRecord, pairs, record_text};
use lanescope_core::graph::WorkGraph;
use lanescope_core::interpreter::Machine;
use lanescope_core::run::graph::GraphRun;
use lanescope_inspector::debugging::{LaunchStop, LaunchVerdict, WrittenRow};

/// The launch of a record.
pub struct Record {
    launched: RecordLaunch,
    graph: WorkGraph,
    title: String,
    input: String,
    device: String,
    /// What the device's launch wrote, or why that is not known.
    theirs: Result<Vec<WrittenRecord>, &'static str>,
}

impl Record {
    /// The launch of a record of a run.
    pub fn new(launched: RecordLaunch, run: &GraphRun) -> Record {
        let place = launched.place;
        let generation = run.generations.get(place.generation);
        let of = generation.and_then(|is| is.nodes.get(place.run));
        let node = of.map(|of| of.node);
        let id = node.and_then(|node| run.graph.nodes.get(node)).map_or_else(String::new, |node| node.id.to_string());
        let (first, count) = launched.records;
        let which = match count {
            0 | 1 => format!("record {first}"),
            _ => format!("records {first} to {}", first + count - 1),
        };
        let number = generation.map_or(0, |generation| generation.number);
        let bytes = generation.zip(of).and_then(|(is, of)| run.records_of(is, of).get(first)).unwrap_or_default();
        let theirs = match generation.is_some_and(|generation| generation.waiting) {
            true => Err("the device has not run this generation"),
            false => launched.written_in_run(run).ok_or("the run does not say what the device's launch wrote"),
        };
        Record {
            title: format!("{which} of {id} in generation {number}"),
            input: record_text(&run.graph, node, bytes),
            device: run.device.clone(),
            graph: run.graph.clone(),
            theirs,
            launched,
        }
    }

    /// What a machine that started with the launch has written so far.
    pub fn stop(&self, machine: &Machine) -> LaunchStop {
        let ended = machine.is_finished();
        let (mut rows, mut more) = (Vec::new(), 0);
        let verdict = match self.launched.written(&self.graph, machine) {
            // An entry that is being written counts before it is there.
            Err(_) if !ended => LaunchVerdict::Running,
            Err(why) => LaunchVerdict::Broken(why),
            Ok(ours) => {
                let theirs = self.theirs.as_deref().unwrap_or_default();
                let pairs = pairs(&ours, theirs);
                more = pairs.len().saturating_sub(LaunchStop::ROWS);
                rows = pairs.iter().take(LaunchStop::ROWS).map(|pair| self.row(pair)).collect();
                let is_same = |pair: &WrittenPair| matches!(pair.state, PairState::Same | PairState::NotCompared);
                match &self.theirs {
                    Err(why) => LaunchVerdict::NotCompared(why),
                    Ok(_) if !ended => LaunchVerdict::Running,
                    Ok(_) if pairs.iter().all(is_same) => LaunchVerdict::Same,
                    Ok(_) => LaunchVerdict::Different,
                }
            }
        };
        let (title, input, device) = (self.title.clone(), self.input.clone(), self.device.clone());
        LaunchStop { title, input, device, verdict, rows, more }
    }

    fn row(&self, pair: &WrittenPair) -> WrittenRow {
        let text = |bytes: &lanescope_core::run::Blob| record_text(&self.graph, pair.node, &bytes.0);
        let known = self.theirs.is_ok();
        WrittenRow {
            target: pair.target.clone(),
            ours: pair.first.as_ref().map(text),
            theirs: pair.second.as_ref().map(text),
            state: if known { pair.state } else { PairState::NotCompared },
        }
    }
}
