//! Memory of a graph: what is allocated, and whether the worst case fits.

use super::report::{ArrayBound, Fit, GenerationBound, Memory, RingPieces, Room};
use super::scheduler;

/// Rings that pieces are counted for: today's two rings of 128 MiB, and the 1 GiB that its document speaks of.
const RINGS: [u64; 2] = [2 * scheduler::RING, 1 << 30];

/// The memory of a graph with so many nodes, and the worst case of its generations.
pub(super) fn memory(nodes: u64, generations: &[GenerationBound]) -> Memory {
    let payload = worst(generations, 0, |bound| bound.payload);
    let offsets = worst(generations, 1, |bound| Some(bound.offsets?.saturating_mul(scheduler::OFFSET)));
    let list = worst(generations, 0, |bound| Some(bound.allocations?.saturating_mul(scheduler::LIST_ENTRY)));
    let backing = scheduler::LIST.map(|list| scheduler::backing(nodes, list));
    let scratch = scheduler::scratch(nodes);
    let [least, most] = backing.map(|backing| backing - scratch);
    let rooms = vec![
        room("payload ring, each of two", scheduler::RING, payload),
        room("unrolled offsets", scheduler::RING, offsets),
        room("allocation list, least backing memory", least, list),
        room("allocation list, most backing memory", most, list),
    ];
    let pieces = RINGS.map(|ring| RingPieces { ring, pieces: payload.1.map(|bytes| bytes.div_ceil(ring / 2).max(1)) });
    Memory {
        scratch,
        backing,
        rooms,
        smallest_ring: payload.1.map(|bytes| bytes.saturating_mul(2)),
        pieces: pieces.to_vec(),
    }
}

/// The first generation from `from` on with the most of something, and how much; unbounded is the most.
fn worst(generations: &[GenerationBound], from: u32, of: impl Fn(&ArrayBound) -> Option<u64>) -> (u32, Option<u64>) {
    let mut out = (from, Some(0));
    for bound in generations.iter().filter(|bound| bound.generation >= from) {
        match (of(&bound.total), out.1) {
            (_, None) => {}
            (Some(now), Some(most)) if now <= most => {}
            (now, Some(_)) => out = (bound.generation, now),
        }
    }
    out
}

fn room(holds: &str, bytes: u64, (generation, worst): (u32, Option<u64>)) -> Room {
    let fit = match worst {
        Some(worst) if worst <= bytes => Fit::Fits,
        Some(_) => Fit::TooLarge,
        None => Fit::Unbounded,
    };
    Room { holds: holds.to_owned(), bytes, worst, generation, fit }
}
