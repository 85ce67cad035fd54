//! What the next run of a work graph gets: first records, and its settings.

use lanescope_core::graph::{Node, NodeId, RecordType, WorkGraph};
use lanescope_core::run::Blob;
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::graph::{
    CountedAs, Cut, DEFAULT_RING, GraphInput, GraphMode, GraphRequest, InputMode, LocalRoots, MAX_DISPATCHES,
};

/// Bytes of all records of an entry point.
const MAX_BYTES: usize = 256 << 20;

/// The form of the next run.
#[derive(Debug)]
pub struct RunForm {
    /// Records by entry point; at least one where there are entry points.
    pub entries: Vec<EntryRecords>,
    /// Local root arguments as JSON.
    pub roots: String,
    /// Why records could not be read.
    pub error: Option<String>,
    /// Who schedules the generations.
    pub mode: GraphMode,
    /// A GPU-driven run is dispatched as vkd3d-proton does, and its groups are counted.
    pub counts_groups: bool,
    /// Records are described in device memory.
    pub described: bool,
    /// Number of starts.
    pub starts: u32,
    /// Memory for records, in MiB.
    pub ring: u64,
    /// The most records of a batch; any number where 0.
    pub batch: u64,
}

/// A change of the form.
#[derive(Debug, Clone, PartialEq)]
pub enum InputEdit {
    /// Choose another entry point (an index of the graph's nodes) for an entry of the form.
    Entry(usize, usize),
    /// Start the graph at another entry point too.
    AddEntry(usize),
    /// Remove an entry of the form.
    RemoveEntry(usize),
    /// Set the number of empty records of an entry.
    Count(usize, u64),
    /// Add a copy of the last record to an entry.
    AddRecord(usize),
    /// Remove the last record of an entry.
    RemoveLast(usize),
    /// Remove a record of an entry.
    RemoveRecord(usize, usize),
    /// Reset an entry to one record of zeros.
    Reset(usize),
    /// Overwrite bytes of an entry's records, from an offset on.
    Bytes {
        /// The entry of the form.
        entry: usize,
        /// Offset in all of its records.
        offset: usize,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Read records: JSON, CSV, or the records' own bytes.
    Read(Vec<u8>),
    /// Set local root arguments.
    Roots(String),
    /// Set who schedules the generations.
    Mode(GraphMode),
    /// Set whether a GPU-driven run counts groups.
    CountGroups(bool),
    /// Set where records are described.
    Described(bool),
    /// Set the number of starts.
    Starts(u32),
    /// Set the memory for records, in MiB.
    Ring(u64),
    /// Set the most records of a batch.
    Batch(u64),
}

/// The records for one entry point.
#[derive(Debug)]
pub struct EntryRecords {
    /// The entry point, by its name: another state of the file may number nodes otherwise.
    entry: Option<NodeId>,
    /// The records' bytes, one after the other.
    records: Vec<u8>,
    /// Number of empty records.
    count: u64,
}

impl Default for RunForm {
    fn default() -> Self {
        RunForm::NEW
    }
}

impl RunForm {
    /// The form before it is fitted to a graph.
    pub const NEW: RunForm = RunForm {
        entries: Vec::new(),
        roots: String::new(),
        error: None,
        mode: GraphMode::Step,
        counts_groups: false,
        described: false,
        starts: 1,
        ring: DEFAULT_RING >> 20,
        batch: 0,
    };

    /// Drops entry points that do not exist any more; takes the first entry point where none is left.
    pub fn fit(&mut self, graph: &WorkGraph) {
        self.entries.retain(|entry| entry.fits(graph));
        if self.entries.is_empty()
            && let Some(entry) = first_entry(graph)
        {
            self.entries.push(EntryRecords::new(graph, entry));
        }
    }

    /// Where the next run takes its records from.
    pub fn input_mode(&self, graph: &WorkGraph) -> InputMode {
        match (self.counts(graph).len() > 1, self.described) {
            (false, false) => InputMode::Cpu,
            (false, true) => InputMode::Gpu,
            (true, false) => InputMode::MultiCpu,
            (true, true) => InputMode::MultiGpu,
        }
    }

    /// The entry points, each with the number of its records.
    pub fn counts(&self, graph: &WorkGraph) -> Vec<(usize, u64)> {
        let count = |entry: &EntryRecords| Some((entry.entry(graph)?, entry.records(graph)?));
        self.entries.iter().filter_map(count).collect()
    }

    /// The run that is requested, or what is wrong with it.
    ///
    /// # Errors
    /// Local root arguments that are not JSON of that form.
    pub fn request(&mut self, graph: &WorkGraph) -> Result<GraphRequest, String> {
        self.fit(graph);
        let inputs: Vec<GraphInput> = self.entries.iter().filter_map(|entry| entry.input(graph)).collect();
        let local_roots = self.local_roots()?;
        Ok(GraphRequest {
            mode: self.mode,
            input_mode: self.input_mode(graph),
            inputs,
            dispatches: self.starts,
            ring: self.ring << 20,
            until: None,
            led: None,
            resume: None,
            timed: true,
            counted: (self.counts_groups && self.mode == GraphMode::Free).then(CountedAs::default),
            local_roots,
            cut: Cut { batch: (self.batch > 0).then_some(self.batch), ..Cut::default() },
        })
    }

    /// The local root arguments.
    ///
    /// # Errors
    /// Text that is not JSON of that form.
    pub fn local_roots(&self) -> Result<LocalRoots, String> {
        match self.roots.trim() {
            "" => Ok(LocalRoots::default()),
            text => serde_json::from_str(text).map_err(|error| format!("local root arguments: {error}")),
        }
    }

    /// Whether the run is stepped.
    pub fn is_stepped(&self) -> bool {
        self.mode == GraphMode::Step
    }

    /// An entry point that has no records in the form.
    pub fn unused_entry(&self, graph: &WorkGraph) -> Option<usize> {
        let is_used = |at: usize| self.entries.iter().any(|entry| entry.entry(graph) == Some(at));
        (0..graph.nodes.len()).find(|&at| graph.nodes[at].starts() && !is_used(at))
    }

    /// Carries out a change.
    pub fn edit(&mut self, graph: &WorkGraph, edit: InputEdit) {
        match edit {
            InputEdit::Entry(at, node) => self.change(at, |entry| *entry = EntryRecords::new(graph, node)),
            InputEdit::AddEntry(node) => self.entries.push(EntryRecords::new(graph, node)),
            InputEdit::RemoveEntry(at) => {
                if at < self.entries.len() {
                    self.entries.remove(at);
                }
            }
            InputEdit::Count(at, count) => self.change(at, |entry| entry.count = count),
            InputEdit::AddRecord(at) => self.change(at, |entry| entry.add(graph)),
            InputEdit::RemoveLast(at) => self.change(at, |entry| entry.remove_last(graph)),
            InputEdit::RemoveRecord(at, row) => self.change(at, |entry| entry.remove(graph, row)),
            InputEdit::Reset(at) => self.change(at, |entry| {
                entry.records = entry.node(graph).and_then(Node::record).map(new_record).unwrap_or_default();
            }),
            InputEdit::Bytes { entry, offset, bytes } => self.change(entry, |entry| {
                let end = offset.checked_add(bytes.len());
                if let Some(place) = end.and_then(|end| entry.records.get_mut(offset..end)) {
                    place.copy_from_slice(&bytes);
                }
            }),
            InputEdit::Read(bytes) => self.read(graph, &bytes),
            InputEdit::Roots(text) => self.roots = text,
            InputEdit::Mode(mode) => self.mode = mode,
            InputEdit::CountGroups(counts) => self.counts_groups = counts,
            InputEdit::Described(described) => self.described = described,
            InputEdit::Starts(starts) => self.starts = starts.clamp(1, MAX_DISPATCHES),
            InputEdit::Ring(ring) => self.ring = ring,
            InputEdit::Batch(batch) => self.batch = batch,
        }
    }

    fn change(&mut self, at: usize, change: impl FnOnce(&mut EntryRecords)) {
        if let Some(entry) = self.entries.get_mut(at) {
            change(entry);
        }
    }

    /// Reads a file's or a text's records: JSON, CSV, or the records' own bytes.
    pub fn read(&mut self, graph: &WorkGraph, bytes: &[u8]) {
        self.fit(graph);
        self.error = self.try_read(graph, bytes).err();
    }

    fn try_read(&mut self, graph: &WorkGraph, bytes: &[u8]) -> Result<(), String> {
        let form = self.entries.first_mut().ok_or("this graph has no entry point")?;
        let node = form.node(graph).ok_or("the entry node no longer exists")?;
        if let Some(text) = input::json_text(bytes) {
            let name = node.id.to_string();
            let options = InputOptions { entry: Some(&name), ..InputOptions::default() };
            let inputs = input::parse(text, graph, options).map_err(|error| error.to_string())?;
            let entries = inputs.iter().filter_map(|input| {
                let entry = graph.find(&input.entry)?;
                let mut form = EntryRecords::new(graph, entry);
                match graph.nodes.get(entry)?.record() {
                    Some(record) => form.records = packed(input, record),
                    None => form.count = input.count,
                }
                Some(form)
            });
            self.entries = entries.collect();
            self.described |= input::mode_of(bytes).is_some();
            return Ok(());
        }
        let record = node.record().ok_or("the entry node has empty records: only their number can be set")?;
        form.records = record.read_plain(bytes, None)?;
        Ok(())
    }
}

impl EntryRecords {
    /// One record of zeros, with a grid of one group.
    pub fn new(graph: &WorkGraph, entry: usize) -> EntryRecords {
        let node = graph.nodes.get(entry);
        let records = node.and_then(Node::record).map(new_record).unwrap_or_default();
        EntryRecords { entry: node.map(|node| node.id.clone()), records, count: 1 }
    }

    /// Index of the entry point.
    pub fn entry(&self, graph: &WorkGraph) -> Option<usize> {
        graph.find(self.entry.as_ref()?)
    }

    /// The entry point.
    pub fn node<'g>(&self, graph: &'g WorkGraph) -> Option<&'g Node> {
        graph.nodes.get(self.entry(graph)?)
    }

    /// The records' bytes, one after the other.
    pub fn bytes(&self) -> &[u8] {
        &self.records
    }

    /// Number of empty records.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether the entry point exists, with records of that size.
    pub fn fits(&self, graph: &WorkGraph) -> bool {
        let node = self.node(graph).filter(|node| node.starts());
        node.is_some_and(|node| match node.record() {
            Some(record) => self.records.len().is_multiple_of(record.bytes.max(1) as usize),
            None => self.records.is_empty(),
        })
    }

    /// Number of records, empty or not; none where the entry point does not exist.
    fn records(&self, graph: &WorkGraph) -> Option<u64> {
        Some(match self.node(graph)?.record() {
            Some(record) => self.records.len() as u64 / u64::from(record.bytes.max(1)),
            None => self.count,
        })
    }

    /// Input of the graph.
    pub fn input(&self, graph: &WorkGraph) -> Option<GraphInput> {
        let node = self.node(graph)?;
        let stride = node.record().map_or(0, |record| record.bytes);
        let count = self.records(graph)?;
        Some(GraphInput { entry: node.id.clone(), count, stride, bytes: Blob(self.records.clone()) })
    }

    /// Bytes of a record.
    fn size(&self, graph: &WorkGraph) -> usize {
        self.node(graph).and_then(Node::record).map_or(1, |record| record.bytes.max(1) as usize)
    }

    fn add(&mut self, graph: &WorkGraph) {
        let Some(record) = self.node(graph).and_then(Node::record) else { return };
        let size = record.bytes.max(1) as usize;
        if self.records.len() + size <= MAX_BYTES {
            let last = self.records.len().checked_sub(size).and_then(|at| self.records.get(at..));
            let last = last.map_or_else(|| new_record(record), <[u8]>::to_vec);
            self.records.extend(last);
        }
    }

    fn remove_last(&mut self, graph: &WorkGraph) {
        let size = self.size(graph);
        self.records.truncate(self.records.len().saturating_sub(size));
    }

    fn remove(&mut self, graph: &WorkGraph, row: usize) {
        let size = self.size(graph);
        let (start, end) = (row.saturating_mul(size), row.saturating_add(1).saturating_mul(size));
        if end <= self.records.len() {
            self.records.drain(start..end);
        }
    }
}

/// An input's records without what lies between them.
fn packed(input: &GraphInput, record: &RecordType) -> Vec<u8> {
    let (size, stride) = (record.bytes as usize, input.stride as usize);
    let count = usize::try_from(input.count).unwrap_or(0).min(MAX_BYTES / size.max(1));
    let mut out = Vec::new();
    for at in 0..count {
        let start = at.saturating_mul(stride);
        out.extend(input.bytes.0.get(start..start.saturating_add(size)).unwrap_or_default());
    }
    out
}

/// A record of zeros, with a grid of one group.
fn new_record(record: &RecordType) -> Vec<u8> {
    let mut out = vec![0; record.bytes as usize];
    if let Some(grid) = record.grid {
        for component in 0..grid.components {
            let at = grid.offset as usize + component as usize * grid.scalar.bytes() as usize;
            // A grid that lies outside of its record is left alone.
            let _ = grid.scalar.put(&mut out, at, "1");
        }
    }
    out
}

/// The default entry point of a run.
fn first_entry(graph: &WorkGraph) -> Option<usize> {
    let declared = graph.nodes.iter().position(|node| node.entry);
    declared.or_else(|| graph.nodes.iter().position(|node| node.starts()))
}
