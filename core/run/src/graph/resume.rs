//! Resuming from a generation of an earlier run: its records and the contents of buffers and images are restored.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Generation, GraphInput, GraphMode, GraphRun, NodeRun};
use crate::{Blob, BufferRun, hash};
use lanescope_passes::findings::Finding;

/// Where a run resumes, and all the state that this needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resume {
    /// The start.
    pub dispatch: u32,
    /// The generation that runs next.
    pub number: u32,
    /// Its nodes with their records; who reads another one's records is left out.
    pub nodes: Vec<NodeRun>,
    /// The buffers of the run: without a new size a buffer keeps the one that it had.
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
    /// Too large to keep: unknown.
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

    /// The state to resume from before a generation: an index into [`GraphRun::generations`], or after the last one
    /// where records wait.
    ///
    /// # Errors
    /// A generation that does not exist; records or contents that were too large to keep.
    pub fn resume(&self, at: usize) -> Result<Resume, String> {
        if self.mode == GraphMode::Free {
            return Err("a GPU-driven run does not record the state between generations".to_owned());
        }
        let (dispatch, number, nodes) = match self.generations.get(at) {
            Some(is) => (is.dispatch, is.number, &is.nodes),
            None if at == self.generations.len() && !self.pending.is_empty() => {
                let (dispatch, number) = self.waits_for();
                (dispatch, number, &self.pending)
            }
            None => return Err("no records are pending there".to_owned()),
        };
        let own = nodes.iter().filter(|node| node.shares.is_none() && node.count > 0);
        let nodes: Vec<NodeRun> = own.map(waiting).collect();
        for node in &nodes {
            let is = self.graph.nodes.get(node.node).ok_or("a node of the run is not in its graph")?;
            if is.record().is_some() && node.records.len() != node.count {
                return Err(format!("the records of {} in generation {number} were too large to keep", is.id));
            }
        }
        let mut contents = BTreeMap::new();
        let images = self.images.iter().map(|image| &image.name);
        for name in self.buffers.iter().map(|buffer| &buffer.name).chain(images) {
            match self.contents_after(at.checked_sub(1), name) {
                Held::Bytes(bytes) => drop(contents.insert(name.clone(), Blob(bytes.to_vec()))),
                Held::Zeros => {}
                Held::NotKept => {
                    return Err(format!("the contents of {name} before generation {number} were too large to keep"));
                }
            }
        }
        let findings = self.generations.iter().take(at).flat_map(|is| is.findings.iter().cloned()).collect();
        Ok(Resume { dispatch, number, nodes, buffers: self.buffers.clone(), contents, findings })
    }

    /// The records of its first start, to run it again.
    ///
    /// # Errors
    /// Records that were too large to keep.
    pub fn first_inputs(&self) -> Result<Vec<GraphInput>, String> {
        let first = self.generations.first().filter(|first| (first.dispatch, first.number) == (0, 0));
        let nodes = first.map_or(&self.pending, |first| &first.nodes);
        let hosts = nodes.iter().filter(|node| node.entry && node.shares.is_none());
        let input = |node: &NodeRun| {
            let is = self.graph.nodes.get(node.node).ok_or("a node of the run is not in its graph")?;
            if is.record().is_some() && node.records.len() != node.count {
                return Err(format!("the first records of {} were too large to keep", is.id));
            }
            let mut bytes = node.records.bytes.clone();
            // Edits apply to this start only.
            for edit in &node.edited {
                let at = usize::try_from(edit.record).ok().and_then(|at| at.checked_mul(node.records.stride as usize));
                let place = at.and_then(|at| bytes.0.get_mut(at..at.checked_add(edit.was.0.len())?));
                let missing =
                    || format!("edited record {} of {} does not exist; there are {}", edit.record, is.id, node.count);
                place.ok_or_else(missing)?.copy_from_slice(&edit.was.0);
            }
            Ok(GraphInput { entry: is.id.clone(), count: node.count, stride: node.records.stride, bytes })
        };
        hosts.map(input).collect()
    }

    /// The run before a generation (an index), without its results.
    pub fn before_generation(&self, at: usize) -> GraphRun {
        let generations: Vec<Generation> = self.generations.iter().take(at).filter(|is| !is.waiting).cloned().collect();
        let nanoseconds = generations.iter().map(|is| is.nanoseconds).fold(0, u64::saturating_add);
        GraphRun {
            counted: self.counted,
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
            // How long the host took for what is left out is not known.
            wall_nanoseconds: self.wall_nanoseconds.saturating_sub(self.nanoseconds.saturating_sub(nanoseconds)),
            warnings: self.warnings.clone(),
        }
    }

    /// The run that begins where another one went on from: that one's generations are its own.
    pub fn going_on_from(self, before: GraphRun) -> GraphRun {
        let GraphRun { generations, start, left_out, entries, nanoseconds, wall_nanoseconds, warnings, .. } = before;
        GraphRun { generations, start, left_out, entries, nanoseconds, wall_nanoseconds, warnings, ..self }
    }

    /// Final contents where buffers and images are no longer read back: the last ones that were kept. A GPU-driven run
    /// reports nothing on the way.
    pub fn hold_last(&mut self) {
        let last = self.generations.iter().rposition(|generation| !generation.waiting);
        let names = self.buffers.iter().map(|buffer| (&buffer.name, buffer.bytes));
        let names = names.chain(self.images.iter().map(|image| (&image.name, image.bytes)));
        let mut contents = BTreeMap::new();
        for (name, bytes) in names.filter(|_| self.mode == GraphMode::Step) {
            let held = match self.contents_after(last, name) {
                Held::Bytes(bytes) => Some(bytes.to_vec()),
                Held::Zeros => {
                    usize::try_from(bytes).ok().filter(|bytes| *bytes <= MAX_ZEROS).map(|bytes| vec![0; bytes])
                }
                Held::NotKept => None,
            };
            contents.extend(held.map(|bytes| (name.clone(), Blob(bytes))));
        }
        let hashes = self.buffers.iter_mut().map(|buffer| (&buffer.name, &mut buffer.hash));
        for (name, is) in hashes.chain(self.images.iter_mut().map(|image| (&image.name, &mut image.hash))) {
            if let Some(Blob(bytes)) = contents.get(name) {
                *is = hash(bytes);
            }
        }
        self.contents = contents;
    }
}

/// The largest buffer of zeros that is written out.
const MAX_ZEROS: usize = 256 << 20;

/// A node's pending records, without results.
fn waiting(node: &NodeRun) -> NodeRun {
    let NodeRun { node, remaining, entry, count, ref records, ref edited, .. } = *node;
    NodeRun { node, remaining, entry, count, records: records.clone(), edited: edited.clone(), ..NodeRun::default() }
}
