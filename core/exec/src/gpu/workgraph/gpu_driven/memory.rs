//! Device memory of a GPU-driven run: one buffer, divided once.

use ash::vk;

use super::rows::Rows;
use crate::gpu::GpuError;
use crate::gpu::memory::{Buffer, Near};
use crate::gpu::workgraph::batching::{Grid, Piece};
use crate::gpu::workgraph::block::{self, GUARD, InputBlock, SINK, put, word};
use crate::gpu::workgraph::job::Job;
use crate::gpu::workgraph::report::{Short, smallest_ring};
use crate::gpu::workgraph::stage::{Push, Stage};
use lanescope_passes::graph::{LAST_GENERATION, Node};
use lanescope_run::graph::{CountedAs, GroupCounts};

/// Bytes of the state in front of the rows, and of a row.
const STATE: u64 = 64;
const ROW: u64 = 64;
/// Bytes of an allocation's entry in the list.
const ENTRY: u64 = 8;
/// The smallest ring.
const MIN_RING: u64 = 1 << 16;
/// Rows that a workgroup of the leading shader holds.
const HELD_ROWS: u32 = 1024;
/// Words of the state.
const REASON: u64 = 0;
const ROOM: u64 = 20;
const DROPPED: u64 = 48;
const LAST: u64 = 56;
/// Words of a row's state.
const FIRST: u64 = 12;
const END: u64 = 32;
/// The most bytes of what is kept of every slot in every generation.
const MAX_HISTORY: u64 = 64 << 20;
/// Words of what is counted of a row in a generation: whether anything is, records that ask for groups, then groups that
/// they ask for, dispatched groups, passes and idle groups in 64 bits each.
const COUNTS: u64 = 10;
/// Generations with a history: those that may run, and the one after.
const GENERATIONS: u64 = LAST_GENERATION as u64 + 2;

fn max_history() -> u64 {
    #[cfg(test)]
    if super::tests::WITHOUT_SLOTS.get() {
        return 0;
    }
    MAX_HISTORY
}

/// Bytes for payload and entries for allocations, of either half of a ring.
fn rooms(ring: u64) -> (u64, u64) {
    let half = ring / 2;
    ((half / 8 * 5 / 16 * 16).min(3 << 30), (half / 4 / ENTRY).min(1 << 28))
}

/// What the device says of how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Status {
    pub reason: u32,
    /// The generation that was not run.
    pub generation: u32,
    pub needed: u32,
    pub available: u32,
    pub row: u32,
}

/// Addresses of a piece's records.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input {
    pub described: u64,
    pub records: u64,
    pub stride: u64,
}

/// One side of the ring: counters, list, payload.
#[derive(Debug, Clone, Copy)]
struct Side {
    counters: u64,
    payload: u64,
}

/// The buffer and where everything is in it.
pub(super) struct Memory<'d> {
    buffer: Buffer<'d>,
    address: u64,
    rows: u64,
    slots: u64,
    history: u64,
    /// Words of the history in front of the slots' part; 0 where slots have none.
    keep_slots: u64,
    /// Words of the history in front of what is counted; 0 where nothing is.
    keep_counts: u64,
    sides: [Side; 2],
    offsets: u64,
    host: u64,
    /// What rows read of the host's records: the first one of either dispatch, and after the last one.
    words: u64,
    /// Bytes for the host's records.
    pub input: u64,
    list_word: u32,
    slot_count: u32,
    row_count: u32,
    pub payload_room: u64,
    list_room: u64,
    offsets_room: u64,
}

impl<'d> Memory<'d> {
    pub fn new(
        stage: &Stage<'d, '_>,
        rows: &Rows,
        ring: u64,
        counted: Option<CountedAs>,
    ) -> Result<Memory<'d>, GpuError> {
        if ring < MIN_RING {
            return Err(GpuError::Unusable(format!(
                "a ring of {ring} bytes is too small: a GPU-driven run needs at least {MIN_RING}"
            )));
        }
        let half = ring / 2;
        let (payload_room, list_room) = rooms(ring);
        let offsets_room = (half / 8 / 4).min(1 << 29);
        let (row_count, slot_count) = (rows.rows.len() as u64, rows.slots.len() as u64);
        let mut end = 0u64;
        let mut take = |bytes: u64| {
            let at = end;
            end = (end + bytes).next_multiple_of(256);
            at
        };
        let _state = take(STATE + ROW * row_count);
        let table = take(64 * row_count);
        let slots = take(4 * slot_count.max(1));
        // Records, and the groups that they ask for in 64 bits.
        let words = 3 * GENERATIONS * row_count;
        let slot_words = GENERATIONS * slot_count;
        let keep_slots = if 4 * slot_words <= max_history() { words + GENERATIONS } else { 0 };
        let before_counts = words + GENERATIONS + if keep_slots > 0 { slot_words } else { 0 };
        let counts = counted.map_or(0, |_| COUNTS * GENERATIONS * row_count);
        let keep_counts = if counts > 0 { before_counts } else { 0 };
        let history = take(4 * (before_counts + counts));
        let list_word = (slot_count + 1).next_multiple_of(2);
        let side_bytes = 16 + 8 + 4 * list_word + 8 * (list_room + 1);
        let mut side = || Side { counters: take(side_bytes) + 16, payload: take(payload_room + SINK + GUARD) };
        let sides = [side(), side()];
        let offsets = take(4 * offsets_room);
        let input = half.clamp(1 << 16, 1 << 30);
        let host = take(input + (1 << 12));
        let host_words = take(16 * row_count);
        let mut buffer = Buffer::arena(stage.device, end, Near::Device, "the ring")?;
        let address = buffer.address();
        let bytes = buffer.bytes_mut()?;
        block::fill(bytes, 0, offsets, 0);
        block::write(bytes, table, &rows.table(stage.graph, stage.plans, counted));
        let slot_rows: Vec<u8> = rows.slots.iter().flat_map(|row| row.to_le_bytes()).collect();
        block::write(bytes, slots, &slot_rows);
        let limits = [payload_room, list_room, payload_room, slot_count].map(|limit| limit as u32);
        for side in sides {
            (0u64..).zip(limits).for_each(|(at, limit)| put(bytes, side.counters - 16 + 4 * at, limit));
        }
        Ok(Memory {
            buffer,
            address,
            rows: table,
            slots,
            history,
            keep_slots,
            keep_counts,
            sides,
            offsets,
            host,
            words: host_words,
            input,
            list_word: list_word as u32,
            slot_count: slot_count as u32,
            row_count: row_count as u32,
            payload_room,
            list_room,
            offsets_room,
        })
    }

    /// The limits that every allocation is checked against: payload, list, sink, slots.
    pub fn limits(&self) -> [u32; 4] {
        [self.payload_room as u32, self.list_room as u32, self.payload_room as u32, self.slot_count]
    }

    /// Half of a ring, as [`super::cut`] counts: what the launches that it allows may write fits payload and list.
    pub fn room_for(&self, node: &Node) -> u64 {
        let (payload, listed) = (node.bound.payload, node.bound.listed);
        let each = payload.saturating_add(listed);
        let by_payload = self.payload_room.checked_div(payload).unwrap_or(u64::MAX);
        let by_list = (self.list_room * ENTRY).checked_div(listed).unwrap_or(u64::MAX);
        let launches = by_payload.min(by_list);
        if launches == u64::MAX { self.input } else { each.saturating_mul(launches).max(1) }
    }

    /// What there is too little of, for launches that may need so many bytes by [`Memory::room_for`].
    pub fn short(&self, node: &Node, needed: u64) -> Short {
        let (payload, listed) = (node.bound.payload, node.bound.listed);
        let launches = needed.checked_div(payload.saturating_add(listed)).unwrap_or(1).max(1);
        let (payload, listed) = (payload.saturating_mul(launches), listed.saturating_mul(launches));
        let ring = smallest_ring(|ring| {
            let (room, entries) = rooms(ring);
            ring >= MIN_RING && room >= payload && entries * ENTRY >= listed
        });
        match payload > self.payload_room {
            true => Short { part: "the ring's payload", needed: payload, available: self.payload_room, ring },
            false => Short { part: "the ring's list", needed: listed, available: self.list_room * ENTRY, ring },
        }
    }

    /// Puts the host's records into place and takes back what the pass before left. A part of a record's grid after the
    /// first one has the record as the parts before left it.
    pub fn begin(&mut self, node: &Node, job: &Job, piece: &Piece, grids: &[Grid]) -> Result<Input, GpuError> {
        let count = piece.records.len();
        let place = match node.record() {
            Some(record) => InputBlock::of(count, u64::from(record.stride()), u64::from(record.align)),
            None => InputBlock::of(0, 0, 4),
        };
        let room = self.input + (1 << 12);
        if place.end > room {
            let what = format!("the records of {} (bytes)", node.id);
            return Err(GpuError::TooLarge { what, needed: place.end, limit: room });
        }
        let (host, base, rows, words) = (self.host, self.address + self.host, self.row_count, self.history_words());
        let (counters, slots) = (self.sides[0].counters, u64::from(self.slot_count));
        let (history, rooms) = (self.history, [self.payload_room, self.list_room, self.offsets_room]);
        let bytes = self.buffer.bytes_mut()?;
        block::fill(bytes, 0, STATE + ROW * u64::from(rows), 0);
        (0u64..).zip(rooms).for_each(|(at, room)| put(bytes, ROOM + 4 * at, room as u32));
        put(bytes, LAST, LAST_GENERATION);
        block::fill(bytes, history, 4 * words, 0);
        // Those of later generations are cleared by the leading shader.
        block::fill(bytes, counters, 8 + 4 * (slots + 1), 0);
        for (at, value) in (0u64..).zip([base + place.records, place.stride, count]) {
            block::write(bytes, host + place.described + 8 * at, &value.to_le_bytes());
        }
        if let Some(record) = node.record().filter(|_| !piece.goes_on()) {
            let stride = u64::from(record.stride());
            for (at, index) in (0u64..).zip(piece.records.iter()) {
                let to = host + place.records + at * place.stride;
                block::write(bytes, to, job.records.get(index).unwrap_or_default());
                if record.tracked {
                    let grid = grids.get(if grids.len() == 1 { 0 } else { index as usize });
                    put(bytes, to + stride - 4, grid.map_or(1, |grid| grid.volume) as u32);
                }
            }
        }
        Ok(Input { described: base + place.described, records: base + place.records, stride: place.stride })
    }

    /// Says which of the host's records a row's dispatches start with, and how many there are: the address.
    pub fn words(&mut self, row: usize, piece: &Piece) -> Result<u64, GpuError> {
        let at = self.words + 16 * row as u64;
        let bytes = self.buffer.bytes_mut()?;
        block::fill(bytes, at, 16, 0);
        for (part, (_, first)) in (0u64..).zip(piece.dispatches()) {
            put(bytes, at + 4 * part, first);
        }
        put(bytes, at + 8, piece.records.len() as u32);
        Ok(self.address + at)
    }

    fn history_words(&self) -> u64 {
        let rows = GENERATIONS * (3 * u64::from(self.row_count) + 1);
        let slots = if self.keep_slots > 0 { GENERATIONS * u64::from(self.slot_count) } else { 0 };
        let counts = if self.keep_counts > 0 { COUNTS * GENERATIONS * u64::from(self.row_count) } else { 0 };
        rows + slots + counts
    }

    /// Where a generation writes.
    pub fn output(&self, generation: usize) -> Push {
        let side = self.sides[generation % 2];
        Push {
            output: self.address + side.payload,
            counters: self.address + side.counters,
            list_word: self.list_word,
            ..Push::default()
        }
    }

    /// What a row reads and writes in a generation.
    pub fn fed(&self, generation: usize, row: usize) -> Push {
        let before = self.sides[(generation + 1) % 2];
        let state = self.address + STATE + ROW * row as u64;
        Push {
            payload: self.address + before.payload,
            first: state + FIRST,
            end: state + END,
            stride: self.address + self.offsets,
            ..self.output(generation)
        }
    }

    /// The helper shaders' push constants in front of a generation, for these steps.
    pub fn push(&self, rows: &Rows, generation: u32, steps: u32) -> Vec<u8> {
        let [before, cleared] = [1, 0].map(|one| self.sides[(generation as usize + one) % 2]);
        let mut out = Vec::new();
        let places =
            [0, self.rows, self.slots, before.counters, before.payload, self.offsets, self.history, cleared.counters];
        places.iter().for_each(|place| out.extend((self.address + place).to_le_bytes()));
        let words = [
            rows.rows.len() as u32,
            rows.slots.len() as u32,
            self.list_word,
            generation,
            self.keep_slots as u32,
            steps,
            self.keep_counts as u32,
        ];
        words.iter().for_each(|word| out.extend(word.to_le_bytes()));
        out
    }

    /// Whether the tables of rows and slots fit a workgroup.
    pub fn is_whole(&self) -> bool {
        #[cfg(test)]
        if super::tests::IN_STEPS.get() {
            return false;
        }
        self.slot_count <= 4096 && self.row_count <= HELD_ROWS
    }

    /// A row's dispatch: the buffer and its offset.
    pub fn dispatch(&self, row: usize, part: u64) -> (vk::Buffer, u64) {
        (self.buffer.handle, STATE + ROW * row as u64 + 16 * part)
    }

    /// How it ended.
    pub fn status(&self) -> Result<Status, GpuError> {
        let bytes = self.buffer.contents()?;
        let at = |index: u64| word(bytes, REASON + 4 * index);
        Ok(Status { reason: at(0), generation: at(1), needed: at(2), available: at(3), row: at(4) })
    }

    /// Records that were sent to absent nodes, where slots have no history that shows which.
    pub fn dropped(&self) -> u64 {
        if self.keep_slots == 0 { u64::from(self.word(DROPPED)) } else { 0 }
    }

    fn word(&self, at: u64) -> u32 {
        self.buffer.contents().map_or(0, |bytes| word(bytes, at))
    }

    /// Records of a row in a generation.
    pub fn records(&self, generation: usize, row: usize, rows: &Rows) -> u64 {
        let at = generation as u64 * rows.rows.len() as u64 + row as u64;
        u64::from(self.word(self.history + 4 * at))
    }

    /// Groups that the records of a row in a generation ask for, where grids are the records' own.
    pub fn groups(&self, generation: usize, row: usize, rows: &Rows) -> u64 {
        let row = rows.rows.get(row).and_then(|is| is.shares).unwrap_or(row) as u64;
        let count = rows.rows.len() as u64;
        let at = self.history + 4 * (GENERATIONS * count + 2 * (generation as u64 * count + row));
        u64::from(self.word(at)) | u64::from(self.word(at + 4)) << 32
    }

    /// What was counted of a row in a generation.
    pub fn counts(&self, generation: usize, row: usize) -> Option<GroupCounts> {
        let before = generation as u64 * u64::from(self.row_count) + row as u64;
        let at = self.history + 4 * (self.keep_counts.checked_sub(1)? + 1 + COUNTS * before);
        let word = |index: u64| u64::from(self.word(at + 4 * index));
        let long = |index: u64| word(index) | word(index + 1) << 32;
        (word(0) != 0).then(|| GroupCounts {
            non_empty: word(1),
            asked: long(2),
            dispatched: long(4),
            passes: long(6),
            idle: long(8),
        })
    }

    /// Records that were sent to a slot, for a generation; 0 where slots have no history.
    pub fn sent(&self, generation: usize, slot: usize, rows: &Rows) -> u64 {
        if self.keep_slots == 0 {
            return 0;
        }
        let at = self.keep_slots + generation as u64 * rows.slots.len() as u64 + slot as u64;
        u64::from(self.word(self.history + 4 * at))
    }

    /// Bytes of payload that a generation's records took; 0 where that is not kept.
    pub fn used(&self, generation: usize) -> u64 {
        let at = self.keep_slots.checked_sub(GENERATIONS).map(|at| at + generation as u64);
        at.map_or(0, |at| u64::from(self.word(self.history + 4 * at)))
    }

    /// The bytes of a row's records that wait for a generation.
    pub fn waiting(&self, generation: usize, row: usize, count: u64, stride: u32) -> Result<Vec<u8>, GpuError> {
        let bytes = self.buffer.contents()?;
        let before = self.sides[(generation + 1) % 2];
        let base = u64::from(word(bytes, STATE + ROW * row as u64 + FIRST));
        let mut out = Vec::new();
        for index in 0..count {
            let offset = u64::from(word(bytes, self.offsets + 4 * (base + index)));
            let at = usize::try_from(before.payload + offset).unwrap_or(usize::MAX);
            let record = bytes.get(at..).and_then(|rest| rest.get(..stride as usize)).unwrap_or_default();
            out.extend_from_slice(record);
        }
        Ok(out)
    }
}
