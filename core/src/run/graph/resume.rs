//! Going on from a generation that a run has been at: its records and what buffers and images held are put back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Generation, GraphInput, GraphMode, GraphRun, NodeRun};
use crate::findings::Finding;
use crate::graph::{Launched, NodeId};
use crate::run::{Blob, BufferRun};

/// Where a run goes on, and everything that it takes to stand there again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resume {
    /// The start.
    pub dispatch: u32,
    /// The generation that runs next.
    pub number: u32,
    /// Its nodes with their records; who reads another one's records is left out.
    pub nodes: Vec<NodeRun>,
    /// The buffers that there were: a buffer that nobody gives a size gets the one that it had.
    pub buffers: Vec<BufferRun>,
    /// What buffers and images held before it, by name. What is not here held zeros.
    pub contents: BTreeMap<String, Blob>,
    /// What was found in the generations before.
    pub findings: Vec<Finding>,
}

/// What a buffer or image held at some time of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held<'r> {
    /// These bytes.
    Bytes(&'r [u8]),
    /// Zeros.
    Zeros,
    /// More than a run keeps: nobody knows any more.
    NotKept,
}

impl<'r> Held<'r> {
    /// The bytes, where they are not all zero and are known.
    pub fn bytes(self) -> Option<&'r [u8]> {
        match self {
            Held::Bytes(bytes) => Some(bytes),
            Held::Zeros | Held::NotKept => None,
        }
    }
}

impl GraphRun {
    /// What a buffer or image held after a generation, or before all of them.
    pub fn contents_after(&self, generation: Option<usize>, name: &str) -> Held<'_> {
        let ran = generation.map_or(0, |generation| generation.saturating_add(1));
        for is in self.generations.iter().take(ran).rev() {
            match is.changed.get(name) {
                Some(blob) => return Held::Bytes(&blob.0),
                None if is.left_out.iter().any(|left| left == name) => return Held::NotKept,
                None => {}
            }
        }
        match self.start.get(name) {
            Some(blob) => Held::Bytes(&blob.0),
            None if self.left_out.iter().any(|left| left == name) => Held::NotKept,
            None => Held::Zeros,
        }
    }

    /// The generation that records wait for: its start and its number.
    pub fn waits_for(&self) -> (u32, u32) {
        let last = self.generations.last();
        // Records of the host begin another start.
        let starts = self.pending.iter().any(|node| node.entry);
        match last {
            None => (0, 0),
            Some(last) if last.waiting => (last.dispatch, last.number),
            Some(last) if starts => (last.dispatch.saturating_add(1), 0),
            Some(last) => (last.dispatch, last.number.saturating_add(1)),
        }
    }

    /// What it takes to go on from before a generation: an index into [`GraphRun::generations`], or behind the last one
    /// where records wait.
    ///
    /// # Errors
    /// A generation that is not there; records or contents that were more than a run keeps.
    pub fn resume(&self, at: usize) -> Result<Resume, String> {
        if self.mode == GraphMode::Free {
            return Err("the device led itself: what was there between two generations is not known".to_owned());
        }
        let (dispatch, number, nodes) = match self.generations.get(at) {
            Some(is) => (is.dispatch, is.number, &is.nodes),
            None if at == self.generations.len() && !self.pending.is_empty() => {
                let (dispatch, number) = self.waits_for();
                (dispatch, number, &self.pending)
            }
            None => return Err("no records wait there".to_owned()),
        };
        let own = nodes.iter().filter(|node| node.shares.is_none() && node.count > 0);
        let nodes: Vec<NodeRun> = own.map(waiting).collect();
        for node in &nodes {
            let is = self.graph.nodes.get(node.node).ok_or("a node of the run is not among its graph's")?;
            if is.record().is_some() && node.records.len() != node.count {
                return Err(format!("the records of {} in generation {number} are more than a run keeps", is.id));
            }
        }
        let mut contents = BTreeMap::new();
        let images = self.images.iter().map(|image| &image.name);
        for name in self.buffers.iter().map(|buffer| &buffer.name).chain(images) {
            match self.contents_after(at.checked_sub(1), name) {
                Held::Bytes(bytes) => drop(contents.insert(name.clone(), Blob(bytes.to_vec()))),
                Held::Zeros => {}
                Held::NotKept => {
                    return Err(format!("what {name} held before generation {number} is more than a run keeps"));
                }
            }
        }
        let findings = self.generations.iter().take(at).flat_map(|is| self.lost_in(is)).collect();
        Ok(Resume { dispatch, number, nodes, buffers: self.buffers.clone(), contents, findings })
    }

    /// The records that its first start began with, for whoever starts it once more.
    ///
    /// # Errors
    /// Records that were more than a run keeps.
    pub fn first_inputs(&self) -> Result<Vec<GraphInput>, String> {
        let first = self.generations.first().filter(|first| (first.dispatch, first.number) == (0, 0));
        let nodes = first.map_or(&self.pending, |first| &first.nodes);
        let hosts = nodes.iter().filter(|node| node.entry && node.shares.is_none());
        let input = |node: &NodeRun| {
            let is = self.graph.nodes.get(node.node).ok_or("a node of the run is not among its graph's")?;
            if is.record().is_some() && node.records.len() != node.count {
                return Err(format!("the first records of {} are more than a run keeps", is.id));
            }
            let (stride, bytes) = (node.records.stride, node.records.bytes.clone());
            Ok(GraphInput { entry: is.id.clone(), count: node.count, stride, bytes })
        };
        hosts.map(input).collect()
    }

    /// Records of a generation that reached nobody, as findings.
    fn lost_in(&self, generation: &Generation) -> Vec<Finding> {
        let mut lost: Vec<(usize, NodeId, u64)> = Vec::new();
        for edge in generation.edges.iter().filter(|edge| edge.to.is_none()) {
            let Some(from) = generation.nodes.get(edge.from).map(|from| from.node) else { continue };
            let output = self.graph.nodes.get(from).and_then(|node| node.outputs.get(edge.output));
            let Some(id) = output.and_then(|output| output.id(edge.element)) else { continue };
            match lost.iter_mut().find(|(node, to, _)| *node == from && *to == id) {
                Some((.., records)) => *records = records.saturating_add(edge.records),
                None => lost.push((from, id, edge.records)),
            }
        }
        let launched = Launched { graph: &self.graph };
        lost.into_iter().map(|(node, id, records)| launched.dropped(node, records, &id)).collect()
    }

    /// The run as it was before a generation (an index), without what came of it.
    pub fn before_generation(&self, at: usize) -> GraphRun {
        let generations: Vec<Generation> = self.generations.iter().take(at).filter(|is| !is.waiting).cloned().collect();
        let nanoseconds = generations.iter().map(|is| is.nanoseconds).fold(0, u64::saturating_add);
        GraphRun {
            device: self.device.clone(),
            file: self.file.clone(),
            mode: self.mode,
            input_mode: self.input_mode,
            entries: self.entries.clone(),
            ring: self.ring,
            graph: self.graph.clone(),
            refused: Vec::new(),
            generations,
            pending: Vec::new(),
            stopped: None,
            findings: Vec::new(),
            buffers: self.buffers.clone(),
            images: self.images.clone(),
            start: self.start.clone(),
            left_out: self.left_out.clone(),
            contents: BTreeMap::new(),
            nanoseconds,
            wall_nanoseconds: 0,
            warnings: Vec::new(),
        }
    }

    /// The run that begins where another one went on from: that one's generations are its own.
    pub fn going_on_from(self, before: GraphRun) -> GraphRun {
        let GraphRun { generations, start, left_out, entries, nanoseconds, .. } = before;
        GraphRun { generations, start, left_out, entries, nanoseconds, ..self }
    }
}

/// A node's records as they wait: without what came of them.
fn waiting(node: &NodeRun) -> NodeRun {
    let NodeRun { node, remaining, entry, count, ref records, ref edited, .. } = *node;
    NodeRun { node, remaining, entry, count, records: records.clone(), edited: edited.clone(), ..NodeRun::default() }
}
