//! Passes of LDS for one instruction of a wave.
//!
//! 32 banks of 4 bytes; bank = address / 4 mod 32. All banks serve at once; equal addresses are read in one pass, different
//! ones of a bank one after the other (documented: RDNA's ISA guides, chapter LDS). Lanes take part in groups of 32, 16 or 8
//! consecutive ones, for accesses of 4, 8 or 16 bytes (a guess). Atomics of one address take a pass for each lane (a guess).

/// Banks of 4 bytes.
pub(crate) const BANKS: u64 = 32;

/// The widest access of a lane that is one instruction, in bytes.
pub(crate) const WIDEST: u32 = 16;

/// What a lane accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LaneBytes {
    pub lane: u32,
    /// Byte address in LDS.
    pub address: u64,
    /// Bytes, 1 to [`WIDEST`].
    pub bytes: u32,
}

/// Passes, and how many there would be without conflicts. Lanes are in ascending order; `words` is a buffer.
pub(crate) fn passes(lanes: &[LaneBytes], is_atomic: bool, words: &mut Vec<(u64, u32)>) -> [u64; 2] {
    let widest = lanes.iter().map(|lane| lane.bytes).max().unwrap_or(0);
    let at_once = match widest {
        0..=4 => 32,
        5..=8 => 16,
        _ => 8,
    };
    let groups = lanes.chunk_by(|a, b| a.lane / at_once == b.lane / at_once);
    groups.fold([0, 0], |[all, least], group| [all + of_group(group, is_atomic, words), least + 1])
}

/// Passes of lanes that take part at once.
fn of_group(lanes: &[LaneBytes], is_atomic: bool, words: &mut Vec<(u64, u32)>) -> u64 {
    words.clear();
    for lane in lanes {
        let last = (lane.address + u64::from(lane.bytes.max(1)) - 1) / 4;
        // Lanes of an atomic are kept apart.
        let own = if is_atomic { lane.lane } else { 0 };
        words.extend((lane.address / 4..=last).map(|word| (word, own)));
    }
    words.sort_unstable();
    words.dedup();
    let mut banks = [0u64; BANKS as usize];
    for (word, _) in words.iter() {
        banks[(word % BANKS) as usize] += 1;
    }
    banks.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Passes of `shared T tile[16][pitch]` by the invocation of each lane.
    fn tile(bytes: u32, pitch: u64, invocation: impl Fn(u32) -> [u64; 2]) -> u64 {
        let lanes = (0..32).map(|lane| {
            let [x, y] = invocation(lane);
            LaneBytes { lane, address: (y * pitch + x) * u64::from(bytes), bytes }
        });
        passes(&lanes.collect::<Vec<_>>(), false, &mut Vec::new())[0]
    }

    /// The table of conflicts by pitch: rows of 16 lanes against blocks of 8×4.
    #[test]
    fn tiles_in_shared_memory_conflict_by_pitch() {
        let rows = |lane: u32| [u64::from(lane % 16), u64::from(lane / 16)];
        let blocks = |lane: u32| [u64::from(lane % 8), u64::from(lane / 8)];
        for (bytes, pitch, expected) in
            [(4, 16, [1, 2]), (4, 17, [2, 2]), (4, 24, [2, 1]), (8, 16, [2, 4]), (16, 16, [4, 4]), (16, 17, [4, 4])]
        {
            assert_eq!(
                [tile(bytes, pitch, rows), tile(bytes, pitch, blocks)],
                expected,
                "{bytes} bytes, pitch {pitch}"
            );
        }
    }

    /// A block of 8×4 words is free of conflicts if the pitch mod 32 is 8 or 24, a strip of 16×2 if it is 16.
    #[test]
    fn pitches_without_conflicts_follow_the_rule() {
        for pitch in 16..80 {
            let rows = tile(4, pitch, |lane| [u64::from(lane % 16), u64::from(lane / 16)]);
            let blocks = tile(4, pitch, |lane| [u64::from(lane % 8), u64::from(lane / 8)]);
            assert_eq!(rows == 1, pitch % 32 == 16, "rows, pitch {pitch}");
            assert_eq!(blocks == 1, [8, 24].contains(&(pitch % 32)), "blocks, pitch {pitch}");
        }
    }

    #[test]
    fn equal_addresses_are_one_pass_except_of_atomics() {
        let lanes: Vec<LaneBytes> = (0..32).map(|lane| LaneBytes { lane, address: 64, bytes: 4 }).collect();
        assert_eq!(passes(&lanes, false, &mut Vec::new()), [1, 1]);
        assert_eq!(passes(&lanes, true, &mut Vec::new()), [32, 1]);
        assert_eq!(passes(&[], false, &mut Vec::new()), [0, 0]);
    }

    proptest! {
        #[test]
        fn lanes_of_a_group_may_change_places(
            addresses in prop::collection::vec(0u64..512, 1..32), by in 0usize..32, is_atomic: bool
        ) {
            let of = |addresses: &[u64]| {
                let lanes = (0..).zip(addresses).map(|(lane, word)| LaneBytes { lane, address: word * 4, bytes: 4 });
                passes(&lanes.collect::<Vec<_>>(), is_atomic, &mut Vec::new())
            };
            let mut moved = addresses.clone();
            moved.rotate_left(by % addresses.len());
            let [all, least] = of(&addresses);
            prop_assert_eq!(of(&moved), [all, least]);
            prop_assert!(all >= least && all <= addresses.len() as u64);
        }
    }
}
