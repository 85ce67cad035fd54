//! Where in the ring a batch has its records, its counters and what it writes.
//!
//! ```text
//! input half    first, first, end, 0 | address, stride, count | offsets, 4 bytes a record | records
//! output half   launches, limits, 32 bytes | payload used, entries | totals by slot, and of the sink | list | payload
//! after them   sink | guard
//! ```
//!
//! What a node may not write fills the sink; the guard is a pattern that nothing should ever change.

use std::ops::Range;

/// How far in front of the counters the limits are: bytes of payload, entries of the list, the sink's offset from the
/// payload's start, slots.
pub(super) const HEADER_PAYLOAD: u64 = 16;
pub(super) const HEADER_LIST: u64 = 12;
pub(super) const HEADER_SINK: u64 = 8;
pub(super) const HEADER_SLOTS: u64 = 4;
/// How far in front of the counters a node notes which launch wrote what, and how many words there are.
pub(super) const HEADER_PARENTS: u64 = 32;
pub(super) const HEADER_PARENT_WORDS: u64 = 24;
/// Records that one allocation may have: their number less one is kept in eight bits.
pub(super) const MAX_ALLOCATION: u32 = 256;
/// Room for what did not fit.
pub(super) const SINK: u64 = 4 << 20;
/// Bytes with a pattern.
pub(super) const GUARD: u64 = 64 << 10;
/// The pattern's word.
const GUARD_WORD: u32 = 0xa5c3_96e1;
/// The most bytes of a batch's output: offsets in it are 32-bit numbers, the sink's too.
pub(super) const MAX_OUTPUT: u64 = 3 << 30;
/// Bytes of an entry.
const ENTRY: u64 = 8;

/// Where a batch's input lies, from the start of the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InputBlock {
    /// Index of the first record of both dispatches, and after the last record: three words.
    pub words: u64,
    /// What device memory says of the host's records: address, stride and count, eight bytes each.
    pub described: u64,
    /// Offsets of the records.
    pub offsets: u64,
    /// The records.
    pub records: u64,
    /// Bytes from one to the next.
    pub stride: u64,
    /// After them.
    pub end: u64,
}

impl InputBlock {
    /// Room for so many records at a stride.
    pub fn of(count: u64, stride: u64, align: u64) -> InputBlock {
        let offsets = 64;
        let records = (offsets + 4 * count).next_multiple_of(256);
        let stride = stride.next_multiple_of(align.max(4));
        InputBlock { words: 0, described: 16, offsets, records, stride, end: records + stride * count }
    }
}

/// Where a batch writes, from the start of the output half.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OutputBlock {
    /// The counters; the limits stand before them.
    pub counters: u64,
    /// How many slots.
    pub slots: u32,
    /// Where the list begins, in words after the first eight bytes of the counters.
    pub list_word: u32,
    /// Entries that the list has room for, one for the sink aside.
    pub entries: u32,
    /// The payload.
    pub payload: u64,
    /// Its bytes.
    pub limit: u32,
    /// The sink.
    pub sink: u64,
    /// The guard.
    pub guard: u64,
}

impl OutputBlock {
    /// Room for so many records and so many bytes of payload, in so many bytes, after which sink and guard lie: batches
    /// of another size do not find them in their payload. `None` where there is no room, or offsets would not reach.
    pub fn of(slots: u32, records: u64, payload: u64, room: u64) -> Option<OutputBlock> {
        let list_word = (u64::from(slots) + 1).next_multiple_of(2);
        let counters = HEADER_PARENTS;
        let list = counters + 8 + 4 * list_word;
        let start = (list + ENTRY * (records + 1)).next_multiple_of(256);
        let limit = payload.next_multiple_of(16);
        let sink = room.next_multiple_of(256);
        if start.checked_add(limit)? > sink || sink > MAX_OUTPUT || records >= 1 << 29 {
            return None;
        }
        Some(OutputBlock {
            counters,
            slots,
            list_word: list_word as u32,
            entries: records as u32,
            payload: start,
            limit: limit as u32,
            sink,
            guard: sink + SINK,
        })
    }

    /// Bytes that a batch takes which writes nothing.
    pub fn fixed(slots: u32) -> u64 {
        OutputBlock::of(slots, 0, 0, MAX_OUTPUT).map_or(0, |block| block.payload)
    }

    /// Offset of the list.
    pub fn list(&self) -> u64 {
        self.counters + 8 + 4 * u64::from(self.list_word)
    }

    /// Makes it ready: limits, zeros, guard. `half` starts where the block does; `parents` says where launches are noted,
    /// and how many words there are.
    pub fn write(&self, half: &mut [u8], (parents, words): (u64, u32)) {
        let sink = (self.sink - self.payload) as u32;
        write(half, self.counters - HEADER_PARENTS, &parents.to_le_bytes());
        for (back, word) in [
            (HEADER_PARENT_WORDS, words),
            (HEADER_PAYLOAD, self.limit),
            (HEADER_LIST, self.entries),
            (HEADER_SINK, sink),
            (HEADER_SLOTS, self.slots),
        ] {
            put(half, self.counters - back, word);
        }
        fill(half, self.counters, self.list() - self.counters, 0);
        for at in (0..GUARD).step_by(4) {
            put(half, self.guard + at, GUARD_WORD);
        }
    }

    /// Offset in the guard of the first byte that is not as it was.
    pub fn damage(&self, half: &[u8]) -> Option<u64> {
        (0..GUARD).step_by(4).find(|at| word(half, self.guard + at) != GUARD_WORD)
    }

    /// Requested bytes of payload, and entries.
    pub fn used(&self, half: &[u8]) -> (u32, u32) {
        (word(half, self.counters), word(half, self.counters + 4))
    }

    /// Records that were sent to a slot; after the last one, those that went to the sink.
    pub fn total(&self, half: &[u8], slot: u32) -> u32 {
        word(half, self.counters + 8 + 4 * u64::from(slot))
    }

    /// An entry: slot, records, offset in the payload.
    pub fn entry(&self, half: &[u8], index: u32) -> (u32, u32, u32) {
        let at = self.list() + ENTRY * u64::from(index);
        let packed = word(half, at);
        (packed >> 8, (packed & 0xff) + 1, word(half, at + 4))
    }
}

/// A word; 0 outside.
pub(super) fn word(bytes: &[u8], at: u64) -> u32 {
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()).map_or(0, |word| u32::from_le_bytes(*word))
}

/// Writes a word.
pub(super) fn put(bytes: &mut [u8], at: u64, word: u32) {
    write(bytes, at, &word.to_le_bytes());
}

/// Writes bytes, as far as there is room.
pub(super) fn write(bytes: &mut [u8], at: u64, data: &[u8]) {
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.get_mut(..data.len())) {
        place.copy_from_slice(data);
    }
}

/// Fills bytes.
pub(super) fn fill(bytes: &mut [u8], at: u64, length: u64, byte: u8) {
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.get_mut(..length)) {
        place.fill(byte);
    }
}

/// Bytes of the output half that are 0: what a node leaves unwritten in a record has to be.
///
/// Unwritten memory has undefined contents. What is known to be 0 is kept as one range, and only the rest is filled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Zeros(Range<u64>);

impl Zeros {
    /// Fills a batch's payload, as far as it is not 0 yet.
    pub fn make(&mut self, half: &mut [u8], payload: Range<u64>) {
        let known = self.0.clone();
        for (from, to) in [(payload.start, payload.end.min(known.start)), (payload.start.max(known.end), payload.end)] {
            fill(half, from, to.saturating_sub(from), 0);
        }
        let touch = known.start <= payload.end && payload.start <= known.end;
        let longer = known.end.saturating_sub(known.start) > payload.end.saturating_sub(payload.start);
        if touch && !known.is_empty() {
            self.0 = known.start.min(payload.start)..known.end.max(payload.end);
        } else if known.start < payload.start || !longer {
            // What lies in front of a payload is not 0 any more.
            self.0 = payload;
        }
    }

    /// A batch wrote as far as there: its counters, its list and its payload.
    pub fn written(&mut self, end: u64) {
        self.0 = self.0.start.max(end)..self.0.end.max(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_block_do_not_overlap() {
        for (slots, records, payload) in [(0, 0, 0), (1, 5, 100), (7, 1000, 65536), (6, 1 << 20, 1 << 27)] {
            let block = OutputBlock::of(slots, records, payload, 1 << 28).expect("it fits");
            let totals_end = block.counters + 8 + 4 * (u64::from(slots) + 1);
            assert!(totals_end <= block.list() && block.list().is_multiple_of(8));
            assert!(block.list() + 8 * (records + 1) <= block.payload && block.payload.is_multiple_of(256));
            assert!(block.payload + payload <= block.sink && block.sink + SINK <= block.guard);
        }
        assert_eq!((OutputBlock::of(1, 1, 1 << 32, 1 << 33), OutputBlock::of(1, 1, 4096, 4096)), (None, None));
    }

    #[test]
    fn every_payload_starts_as_zeros() {
        let mut half = vec![0xee; 4096];
        let mut zeros = Zeros::default();
        // Payloads begin where their lists end; each batch writes a part of its own.
        let batches =
            [(256, 512, 40), (1024, 3000, 2000), (256, 300, 44), (512, 4096, 10), (256, 4096, 3840), (2048, 2048, 0)];
        for (start, end, used) in batches.into_iter().chain(batches.into_iter().rev()) {
            zeros.make(&mut half, start..end);
            assert!(half[start as usize..end as usize].iter().all(|byte| *byte == 0), "{start}..{end}: {zeros:?}");
            half[..(start + used) as usize].fill(0xdd);
            zeros.written(start + used);
            let Range { start, end } = zeros.0.clone();
            assert!(half[start as usize..end as usize].iter().all(|byte| *byte == 0), "{zeros:?}");
        }
    }

    #[test]
    fn guard_detects_a_change_of_any_word() {
        let block = OutputBlock::of(2, 4, 64, 4096).expect("it fits");
        let mut half = vec![0xff; (block.guard + GUARD) as usize];
        block.write(&mut half, (1 << 40, 7));
        assert_eq!((word(&half, 4), word(&half, 8), word(&half, 16)), (256, 7, 64));
        assert_eq!((block.damage(&half), block.used(&half), block.total(&half, 2)), (None, (0, 0), 0));
        put(&mut half, block.guard + 4096, 0);
        assert_eq!(block.damage(&half), Some(4096));
    }
}
