//! A run as it grows: sent piece by piece, so that a listener has all that was read even if the rest never comes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Generation, GraphRun, Hit, NodeRun, Replace, Stopped};
use crate::Blob;
use lanescope_passes::graph::{Node, WorkGraph};

/// A piece of a run, in the order in which pieces come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// It is paused before a generation, and waits for a command.
    Standing {
        /// The start.
        dispatch: u32,
        /// The generation.
        number: u32,
        /// The breakpoint's find, where one stopped it.
        hit: Option<Hit>,
    },
    /// A record that waits was changed.
    Replaced(Replace),
    /// Why one was not.
    Refused(String),
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
            GraphPart::Begin(_) | GraphPart::Running { .. } | GraphPart::Standing { .. } => {}
            GraphPart::Replaced(_) | GraphPart::Refused(_) => {}
            GraphPart::Waiting { nodes, .. } => nodes.iter_mut().for_each(strip),
            GraphPart::Ran(generation) => {
                generation.nodes.iter_mut().for_each(strip);
                generation.left_out.extend(std::mem::take(&mut generation.changed).into_keys());
            }
        }
        self
    }
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// The start.
    pub dispatch: u32,
    /// The generation.
    pub number: u32,
    /// Index of the node that runs.
    pub node: Option<usize>,
}

impl Reached {
    /// What a piece says of it.
    pub fn by(part: &GraphPart) -> Option<Reached> {
        match part {
            GraphPart::Waiting { dispatch, number, .. } | GraphPart::Standing { dispatch, number, .. } => {
                Some(Reached { dispatch: *dispatch, number: *number, node: None })
            }
            GraphPart::Running { dispatch, number, node } => {
                Some(Reached { dispatch: *dispatch, number: *number, node: Some(*node) })
            }
            _ => None,
        }
    }

    /// A short description: `generation 3: Climb[0]`.
    pub fn words(&self, graph: &WorkGraph) -> String {
        let node = self.node.and_then(|node| graph.nodes.get(node));
        let number = self.number;
        node.map_or_else(|| format!("generation {number}"), |node| format!("generation {number}: {}", node.id))
    }
}

impl GraphRun {
    /// Takes the next piece of itself.
    pub fn take(&mut self, part: GraphPart) {
        match part {
            GraphPart::Begin(run) => *self = *run,
            GraphPart::Waiting { nodes, .. } => self.pending = nodes,
            GraphPart::Replaced(Replace { run, record, bytes }) => {
                let Some(node) = self.pending.get_mut(run) else { return };
                let size = self.graph.nodes.get(node.node).and_then(Node::record).map_or(0, |record| record.bytes);
                // Who runs it has taken it; where the bytes are not kept here, there is nothing to show.
                let _ = node.records.replace(record, &bytes.0, size, &mut node.edited);
            }
            GraphPart::Ran(mut generation) => {
                for (node, waited) in generation.nodes.iter_mut().zip(std::mem::take(&mut self.pending)) {
                    node.records = waited.records;
                }
                self.nanoseconds = self.nanoseconds.saturating_add(generation.nanoseconds);
                self.findings.extend(generation.findings.iter().cloned());
                self.generations.push(*generation);
            }
            GraphPart::Running { .. } | GraphPart::Standing { .. } | GraphPart::Refused(_) => {}
        }
    }

    /// Takes its end: what came piece by piece stays, the rest is known only now.
    pub fn end(&mut self, end: GraphRun) {
        // A GPU-driven run reports everything at its end.
        if !end.generations.is_empty() {
            *self = end;
            return;
        }
        // A resumed run has the beginning, the time and the warnings of the one before.
        let mut warnings = std::mem::take(&mut self.warnings);
        let new = end.warnings.iter().filter(|warning| !warnings.contains(warning)).cloned();
        warnings.extend(new.collect::<Vec<_>>());
        *self = GraphRun {
            generations: std::mem::take(&mut self.generations),
            start: std::mem::take(&mut self.start),
            left_out: std::mem::take(&mut self.left_out),
            entries: std::mem::take(&mut self.entries),
            nanoseconds: end.nanoseconds.max(self.nanoseconds),
            wall_nanoseconds: end.wall_nanoseconds.saturating_add(self.wall_nanoseconds),
            warnings,
            ..end
        };
    }

    /// Notes that its rest never comes.
    pub fn break_off(&mut self, reached: Option<Reached>, why: &str) {
        let (dispatch, number) = self.waits_for();
        let reached = reached.unwrap_or(Reached { dispatch, number, node: None });
        let Reached { dispatch, number: generation, node } = reached;
        let node = node.and_then(|node| self.graph.nodes.get(node)).map(|node| node.id.clone());
        let why = format!("{}: {why}", reached.words(&self.graph));
        // The last contents of buffers were sent with the generations that wrote them.
        self.hold_last();
        self.stopped = Some(Stopped { dispatch, generation, node, why, needed: None, available: None });
    }

    /// Makes the records that wait a generation like the others, the last one, that has not run: so that stepping
    /// through the run stops there too.
    pub fn show_waiting(&mut self) {
        let last = self.generations.last();
        if self.pending.is_empty() || last.is_some_and(|last| last.waiting) {
            return;
        }
        let (dispatch, number) = self.waits_for();
        let nodes = std::mem::take(&mut self.pending);
        self.generations.push(Generation { dispatch, number, nodes, waiting: true, ..Generation::default() });
    }

    /// Takes that back: pending records are not a generation. As a run is saved, and as it takes its next piece.
    pub fn settle(&mut self) {
        if let Some(last) = self.generations.pop_if(|last| last.waiting) {
            self.pending = last.nodes;
        }
    }
}

/// A run that is put together from its pieces.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Growing {
    run: Option<Box<GraphRun>>,
    /// The run that it resumes, until it starts.
    before: Option<Box<GraphRun>>,
    reached: Option<Reached>,
    /// What a breakpoint hit where it is paused.
    hit: Option<Hit>,
}

impl Growing {
    /// A run that resumes another one, in the state of that one: see [`GraphRun::before_generation`].
    pub fn going_on_from(before: GraphRun) -> Growing {
        Growing { before: Some(Box::new(before)), ..Growing::default() }
    }

    /// Takes the next piece.
    pub fn take(&mut self, part: GraphPart) {
        if let GraphPart::Begin(run) = part {
            let run = match self.before.take() {
                Some(before) => Box::new(run.going_on_from(*before)),
                None => run,
            };
            *self = Growing { run: Some(run), ..Growing::default() };
            return;
        }
        let Some(run) = &mut self.run else { return };
        self.reached = Reached::by(&part).or(self.reached);
        if let GraphPart::Standing { hit, .. } = &part {
            self.hit = *hit;
        }
        run.take(part);
    }

    /// How far it has come.
    pub fn reached(&self) -> Option<Reached> {
        self.reached
    }

    /// What a breakpoint hit at the last pause.
    pub fn hit(&self) -> Option<Hit> {
        self.hit
    }

    /// The run as far as it is known.
    pub fn run(&self) -> Option<&GraphRun> {
        self.run.as_deref()
    }

    /// What is being done, in a few words: `generation 3: Climb[0]`.
    pub fn doing(&self) -> Option<String> {
        Some(self.reached?.words(&self.run.as_ref()?.graph))
    }

    /// The whole run, from its end: what came piece by piece, and what is known only now.
    pub fn finish(self, end: GraphRun) -> GraphRun {
        let Some(mut run) = self.run else { return end };
        run.end(end);
        *run
    }

    /// What there is of a run whose rest never comes; nothing where it had not begun.
    pub fn broken_off(self, why: &str) -> Option<GraphRun> {
        let (mut run, reached) = (self.run?, self.reached?);
        run.break_off(Some(reached), why);
        Some(*run)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::graph::{GraphMode, InputMode, Records};
    use crate::{BufferRun, Shape, hash};
    use lanescope_passes::findings::{GRAPH_UNFINISHED, Place};
    use lanescope_passes::graph::{GraphSource, Overrides, link};

    fn empty() -> GraphRun {
        GraphRun {
            counted: None,
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
            left_out: Vec::new(),
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
    fn pieces_add_up_to_the_run() {
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
    fn keeps_what_was_read_of_an_unfinished_run() {
        let mut growing = Growing::default();
        growing.take(waiting(0, 1));
        assert_eq!(growing.clone().broken_off("gone"), None, "nothing had begun");
        let begun = GraphRun { buffers: vec![buffer("u0")], ..empty() };
        for part in [GraphPart::Begin(Box::new(begun)), waiting(0, 7), ran(0), waiting(1, 9)] {
            growing.take(part);
        }
        growing.take(GraphPart::Running { dispatch: 0, number: 1, node: 0 });
        assert_eq!(growing.doing().as_deref(), Some("generation 1"));
        let run = growing.broken_off("the device is lost").expect("it had begun");
        assert_eq!((run.generations.len(), run.nanoseconds), (1, 5));
        assert_eq!(run.pending[0].records.bytes.0, [9; 8], "the records that were about to run");
        assert_eq!(run.contents["u0"].0, [0; 4]);
        let stopped = run.stopped.expect("it stopped");
        assert_eq!((stopped.generation, stopped.why.as_str()), (1, "generation 1: the device is lost"));
    }

    fn buffer(name: &str) -> BufferRun {
        BufferRun {
            name: name.to_owned(),
            register: None,
            variable: None,
            set: 0,
            binding: 0,
            element: 0,
            bytes: 4,
            hash: hash(&[]),
            shape: Shape::Words { count: 1 },
        }
    }

    #[test]
    fn unfinished_run_keeps_last_buffer_contents() {
        let mut run = empty();
        run.buffers = ["u0", "never", "begun", "lost", "large"].map(buffer).to_vec();
        run.start.insert("begun".to_owned(), Blob(vec![7; 4]));
        let huge = BufferRun { bytes: u64::MAX, ..buffer("huge") };
        run.buffers.push(huge);
        run.take(waiting(0, 7));
        run.take(ran(0));
        run.generations[0].changed.insert("lost".to_owned(), Blob(vec![1; 4]));
        run.take(waiting(1, 9));
        run.take(ran(1));
        run.generations[1].left_out = vec!["lost".to_owned()];
        run.left_out = vec!["large".to_owned()];
        run.take(waiting(2, 9));
        run.show_waiting();
        run.hold_last();
        let held = |name: &str| run.contents.get(name).map(|blob| blob.0.clone());
        assert_eq!((held("u0"), held("never"), held("begun")), (Some(vec![1; 4]), Some(vec![0; 4]), Some(vec![7; 4])));
        assert_eq!((held("lost"), held("large"), held("huge")), (None, None, None));
        for (buffer, bytes) in run.buffers.iter().zip([[1; 4], [0; 4], [7; 4]]) {
            assert_eq!(buffer.hash, hash(&bytes), "{}", buffer.name);
        }
        run.mode = GraphMode::Free;
        run.hold_last();
        assert!(run.contents.is_empty(), "what a device did that led itself is not known");
    }

    #[test]
    fn resumed_run_keeps_earlier_warnings_and_time() {
        let before = GraphRun {
            generations: [0, 1].map(|number| Generation { number, nanoseconds: 5, ..Generation::default() }).to_vec(),
            nanoseconds: 10,
            wall_nanoseconds: 100,
            warnings: vec!["old".to_owned()],
            ..empty()
        };
        let mut growing = Growing::going_on_from(before.before_generation(1));
        for part in [GraphPart::Begin(Box::new(empty())), waiting(1, 9), ran(1)] {
            growing.take(part);
        }
        let warnings = vec!["old".to_owned(), "new".to_owned()];
        let run =
            growing.finish(GraphRun { nanoseconds: 5, wall_nanoseconds: 50, warnings: warnings.clone(), ..empty() });
        assert_eq!((run.nanoseconds, run.wall_nanoseconds, run.warnings), (10, 145, warnings));
    }

    #[test]
    fn findings_come_with_their_generation() {
        let place = Place::Node { function: None, name: "A".to_owned(), index: 0 };
        let found = GRAPH_UNFINISHED.at(None, Some(place), "some did not");
        let mut run = empty();
        run.take(waiting(0, 7));
        run.take(GraphPart::Ran(Box::new(Generation { findings: vec![found.clone()], ..Generation::default() })));
        assert_eq!(run.findings, std::slice::from_ref(&found));
        run.generations.push(Generation { number: 1, ..Generation::default() });
        assert_eq!(run.resume(1).expect("nothing is missing").findings, [found], "it goes on with them");
    }

    #[test]
    fn a_piece_without_its_bytes_keeps_its_counts() {
        let GraphPart::Waiting { nodes, .. } = waiting(0, 7).without_bytes() else { panic!("the same piece") };
        assert!(nodes[0].records.is_empty() && nodes[0].count == 2);
        let GraphPart::Ran(generation) = ran(3).without_bytes() else { panic!("the same piece") };
        assert!(generation.changed.is_empty() && generation.nodes[0].launches == 2);
        assert_eq!(generation.left_out, ["u0"], "that it changed is known all the same");
    }
}
