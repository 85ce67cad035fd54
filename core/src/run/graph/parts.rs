//! A run as it grows: handed on piece by piece, so that whoever listens has all that was read when the rest never comes.

use serde::{Deserialize, Serialize};

use super::{Generation, GraphRun, NodeRun, Stopped};
use crate::run::Blob;

/// A piece of a run, in the order in which pieces come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum GraphPart {
    /// Everything that is known before anything runs.
    Begin(Box<GraphRun>),
    /// The records that a generation is about to run with.
    Waiting {
        /// The start.
        dispatch: u32,
        /// The generation.
        number: u32,
        /// Its nodes with their records, in the order in which [`GraphPart::Ran`] has them.
        nodes: Vec<NodeRun>,
    },
    /// A node is about to run.
    Running {
        /// The start.
        dispatch: u32,
        /// The generation.
        number: u32,
        /// Index of the node.
        node: usize,
    },
    /// A generation that ran. Its records came before it.
    Ran(Box<Generation>),
}

impl GraphPart {
    /// The piece without the bytes that make it large.
    pub fn without_bytes(mut self) -> GraphPart {
        let strip = |node: &mut NodeRun| {
            node.records.bytes = Blob::default();
            node.records.origins.clear();
            node.after = None;
        };
        match &mut self {
            GraphPart::Begin(_) | GraphPart::Running { .. } => {}
            GraphPart::Waiting { nodes, .. } => nodes.iter_mut().for_each(strip),
            GraphPart::Ran(generation) => {
                generation.nodes.iter_mut().for_each(strip);
                generation.changed.clear();
            }
        }
        self
    }
}

/// A run that is put together from its pieces.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Growing {
    run: Option<Box<GraphRun>>,
    /// Where it is: start, generation, and the node that runs.
    place: Option<(u32, u32, Option<usize>)>,
}

impl Growing {
    /// Takes the next piece.
    pub fn take(&mut self, part: GraphPart) {
        match (part, &mut self.run) {
            (GraphPart::Begin(run), _) => *self = Growing { run: Some(run), place: None },
            (_, None) => {}
            (GraphPart::Waiting { dispatch, number, nodes }, Some(run)) => {
                run.pending = nodes;
                self.place = Some((dispatch, number, None));
            }
            (GraphPart::Running { dispatch, number, node }, Some(_)) => {
                self.place = Some((dispatch, number, Some(node)));
            }
            (GraphPart::Ran(mut generation), Some(run)) => {
                for (node, waited) in generation.nodes.iter_mut().zip(std::mem::take(&mut run.pending)) {
                    node.records = waited.records;
                }
                run.nanoseconds = run.nanoseconds.saturating_add(generation.nanoseconds);
                run.generations.push(*generation);
            }
        }
    }

    /// What is being done, in a few words: `generation 3: Climb[0]`.
    pub fn doing(&self) -> Option<String> {
        let (_, number, node) = self.place?;
        let node = node.and_then(|node| self.run.as_ref()?.graph.nodes.get(node));
        Some(node.map_or_else(|| format!("generation {number}"), |node| format!("generation {number}: {}", node.id)))
    }

    /// The whole run, from its end: what came piece by piece, and what is known only now.
    pub fn finish(self, end: GraphRun) -> GraphRun {
        match self.run {
            // A device that led itself tells everything at its end.
            Some(run) if end.generations.is_empty() => GraphRun { generations: run.generations, ..end },
            _ => end,
        }
    }

    /// What there is of a run whose rest never comes; nothing where it had not begun.
    pub fn broken_off(self, why: &str) -> Option<GraphRun> {
        let ((dispatch, generation, node), mut run) = (self.place?, *self.run?);
        let node = node.and_then(|node| run.graph.nodes.get(node)).map(|node| node.id.clone());
        let (why, needed, available) = (why.to_owned(), None, None);
        // What buffers held last was handed on with the generations that wrote it.
        for ran in &run.generations {
            run.contents.extend(ran.changed.iter().map(|(name, blob)| (name.clone(), blob.clone())));
        }
        run.stopped = Some(Stopped { dispatch, generation, node, why, needed, available });
        Some(run)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::graph::{GraphSource, Overrides, link};
    use crate::run::graph::{GraphMode, InputMode, Records};

    fn empty() -> GraphRun {
        GraphRun {
            device: "paper".to_owned(),
            file: String::new(),
            mode: GraphMode::Step,
            input_mode: InputMode::Cpu,
            entries: Vec::new(),
            ring: 0,
            graph: link(Vec::new(), GraphSource::Dxil, &Overrides::default()),
            refused: Vec::new(),
            generations: Vec::new(),
            pending: Vec::new(),
            stopped: None,
            findings: Vec::new(),
            buffers: Vec::new(),
            images: Vec::new(),
            start: BTreeMap::new(),
            contents: BTreeMap::new(),
            nanoseconds: 0,
            wall_nanoseconds: 0,
            warnings: Vec::new(),
        }
    }

    fn waiting(number: u32, byte: u8) -> GraphPart {
        let records = Records { stride: 4, bytes: Blob(vec![byte; 8]), origins: Vec::new() };
        GraphPart::Waiting { dispatch: 0, number, nodes: vec![NodeRun { count: 2, records, ..NodeRun::default() }] }
    }

    fn ran(number: u32) -> GraphPart {
        let node = NodeRun { count: 2, launches: 2, ..NodeRun::default() };
        let changed = BTreeMap::from([("u0".to_owned(), Blob(vec![number as u8; 4]))]);
        GraphPart::Ran(Box::new(Generation {
            number,
            nodes: vec![node],
            changed,
            nanoseconds: 5,
            ..Generation::default()
        }))
    }

    #[test]
    fn pieces_make_the_run() {
        let mut growing = Growing::default();
        for part in [GraphPart::Begin(Box::new(empty())), waiting(0, 7), ran(0), waiting(1, 9), ran(1)] {
            growing.take(part);
        }
        let run = growing.finish(GraphRun { nanoseconds: 12, ..empty() });
        assert_eq!((run.generations.len(), run.nanoseconds, run.pending.len()), (2, 12, 0));
        assert_eq!(run.generations[1].nodes[0].records.bytes.0, [9; 8]);
        assert_eq!(run.generations[1].nodes[0].launches, 2);
    }

    #[test]
    fn what_was_read_outlives_what_never_comes() {
        let mut growing = Growing::default();
        growing.take(waiting(0, 1));
        assert_eq!(growing.clone().broken_off("gone"), None, "nothing had begun");
        for part in [GraphPart::Begin(Box::new(empty())), waiting(0, 7), ran(0), waiting(1, 9)] {
            growing.take(part);
        }
        growing.take(GraphPart::Running { dispatch: 0, number: 1, node: 0 });
        assert_eq!(growing.doing().as_deref(), Some("generation 1"));
        let run = growing.broken_off("the device is lost").expect("it had begun");
        assert_eq!((run.generations.len(), run.nanoseconds), (1, 5));
        assert_eq!(run.pending[0].records.bytes.0, [9; 8], "the records that were about to run");
        assert_eq!(run.contents["u0"].0, [0; 4]);
        let stopped = run.stopped.expect("it stopped");
        assert_eq!((stopped.generation, stopped.why.as_str()), (1, "the device is lost"));
    }

    #[test]
    fn a_piece_without_its_bytes_keeps_its_counts() {
        let GraphPart::Waiting { nodes, .. } = waiting(0, 7).without_bytes() else { panic!("the same piece") };
        assert!(nodes[0].records.is_empty() && nodes[0].count == 2);
        let GraphPart::Ran(generation) = ran(3).without_bytes() else { panic!("the same piece") };
        assert!(generation.changed.is_empty() && generation.nodes[0].launches == 2);
    }
}
