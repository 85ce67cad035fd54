//! Counts of accesses that are written here, against the worked tables and against what must always hold.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::count::{Counted, Counter, LayoutCounts, Placement};
use crate::layouts::layouts;
use crate::tiling::Tiling;
use lanescope_base::ids::Id;
use lanescope_interpreter::{Address, Image, LoggedAccess, LoggedKind, LoggedObject};
use lanescope_model::options::{Derivatives, Options};
use lanescope_spirv::enums::ImageFormat;

/// Width of the image in texels: rows of 4096 bytes.
const WIDTH: u32 = 1024;

/// An image of rgba8.
fn image(tiling: Tiling) -> Counted {
    let size = [WIDTH, 64, 1];
    let format = ImageFormat::Rgba8;
    let image = Image { set: 0, binding: 0, element: 0, format, size, layers: 1, levels: 1, texels: Vec::new() };
    let address = Address::Descriptor { set: 0, binding: 0, element: 0, offset: 0 };
    Counted::new(&LoggedObject { address, bytes: u64::from(WIDTH) * 64 * 4, image: Some(image) }, tiling, Some(4096))
}

fn buffer() -> Counted {
    let address = Address::Descriptor { set: 0, binding: 1, element: 0, offset: 0 };
    Counted::new(&LoggedObject { address, bytes: 1 << 30, image: None }, Tiling::Tiled, None)
}

fn shared() -> Counted {
    let address = Address::Workgroup { variable: Id(9), offset: 0 };
    Counted::new(&LoggedObject { address, bytes: 1 << 16, image: None }, Tiling::Tiled, None)
}

fn load(instruction: u32, invocation: u32, offset: u64, bytes: u32) -> LoggedAccess {
    let kind = LoggedKind::Load;
    LoggedAccess { offset, instruction, invocation, object: 1, bytes, kind, begins: true, helper: false, filter: None }
}

/// The placements of a 16×16 workgroup: row-major, and 8×N strips.
fn placements(wave: u32) -> Vec<Placement> {
    let all = layouts([16, 16, 1], Derivatives::None, &Options::default());
    let named = all.iter().filter(|one| ["row-major", "8×N strips"].contains(&one.name));
    named.map(|one| one.placement(wave)).collect()
}

/// Counts accesses of one workgroup after the other.
fn count(groups: &[Vec<LoggedAccess>], object: &Counted, placements: Vec<Placement>, line: u32) -> Vec<LayoutCounts> {
    let mut counter = Counter::new(placements, 256, line, false);
    for (at, rows) in (0..).zip(groups) {
        counter.group(at, rows, |_| Some(object));
    }
    counter.counts
}

/// What workgroups at x = 16 and x = 32 read, each lane with its neighbours up to a radius.
fn filter(radius: i32) -> Vec<Vec<LoggedAccess>> {
    let group = |x0: u32| {
        let mut out = Vec::new();
        for (tap, (dy, dx)) in (0..).zip((-radius..=radius).flat_map(|dy| (-radius..=radius).map(move |dx| (dy, dx)))) {
            for invocation in 0..256 {
                let x = x0.checked_add_signed(dx).expect("inside") + invocation % 16;
                let y = 16u32.checked_add_signed(dy).expect("inside") + invocation / 16;
                out.push(load(tap, invocation, u64::from(y * WIDTH + x) * 4, 4));
            }
        }
        out
    };
    vec![group(16), group(32)]
}

/// Lines that a wave touches on average, in all its accesses: wave64 of 16×4 and of 8×8, wave32 of 16×2 and of 8×4.
fn lines_by_wave(tiling: Tiling, line: u32, radius: i32) -> [f64; 4] {
    let of = |wave: u32| {
        let waves = f64::from(2 * 256 / wave);
        let counts = count(&filter(radius), &image(tiling), placements(wave), line);
        counts.into_iter().map(move |counts| counts.total.wave_lines as f64 / waves).collect::<Vec<f64>>()
    };
    let (wide, narrow) = (of(64), of(32));
    [wide[0], wide[1], narrow[0], narrow[1]]
}

/// Lines per wave of a 16×16 workgroup on rgba8, by tiling, line and filter radius.
#[test]
fn lines_per_wave_are_those_of_the_worked_table() {
    for (tiling, line, radius, expected) in [
        (Tiling::Linear, 64, 0, [4.0, 8.0, 2.0, 4.0]),
        (Tiling::Linear, 128, 0, [4.0, 8.0, 2.0, 4.0]),
        (Tiling::Linear, 128, 1, [12.0, 15.0, 8.0, 9.0]),
        (Tiling::Tiled, 64, 0, [4.0, 4.0, 4.0, 2.0]),
        (Tiling::Tiled, 128, 0, [2.0, 2.0, 2.0, 1.0]),
        (Tiling::Tiled, 64, 1, [18.0, 16.0, 12.0, 12.0]),
        (Tiling::Tiled, 128, 1, [12.0, 12.0, 8.0, 9.0]),
        (Tiling::Tiled, 64, 2, [18.0, 16.0, 12.0, 12.0]),
    ] {
        assert_eq!(lines_by_wave(tiling, line, radius), expected, "{tiling}, {line} bytes, radius {radius}");
    }
}

/// With one access the lines of a wave are those of the access; sectors are the same with each tiling.
#[test]
fn one_access_has_the_lines_of_its_wave() {
    for tiling in [Tiling::Linear, Tiling::Tiled] {
        for (wave, sectors) in [(64, 8), (32, 4)] {
            let waves = u64::from(2 * 256 / wave);
            for counts in count(&filter(0), &image(tiling), placements(wave), 128) {
                let total = counts.total;
                assert_eq!((total.runs, total.lanes, total.bytes), (waves, 512, 2048));
                assert_eq!((total.sectors, total.bytes_moved), (sectors * waves, sectors * waves * 32));
                assert_eq!(total.lines_128, total.wave_lines);
                // All lanes of a workgroup together touch 16×16 texels: 1024 bytes.
                assert_eq!(total.group_lines, if tiling == Tiling::Tiled { 16 } else { 32 });
            }
        }
    }
}

/// Four lanes in a row touch two blocks of 2×2 texels, a quad of lanes one.
#[test]
fn texel_quads_are_those_of_four_lanes() {
    let all = layouts([16, 16, 1], Derivatives::None, &Options::default());
    let placements = all.iter().map(|one| one.placement(64)).collect();
    let counts = count(&filter(0), &image(Tiling::Tiled), placements, 128);
    let quads: Vec<u64> = counts.iter().map(|counts| counts.total.texel_quads).collect();
    assert_eq!(quads, [256, 128, 256, 128]);
}

/// A tile of floats with a pitch of 16: rows of 16×2 are free of conflicts, blocks of 8×4 are not.
#[test]
fn passes_of_shared_memory_follow_the_layout() {
    let rows = (0..256).map(|at| load(0, at, u64::from(at) * 4, 4)).collect::<Vec<_>>();
    let counts = count(&[rows], &shared(), placements(32), 128);
    let passes: Vec<_> = counts.iter().map(|counts| (counts.total.lds_passes, counts.total.lds_least)).collect();
    assert_eq!(passes, [(8, 8), (16, 8)]);
    assert_eq!((counts[0].total.sectors, counts[0].total.bytes, counts[0].total.lds_bytes), (0, 0, 1024));
    // 64 bytes of each lane are four instructions of 16.
    let wide = (0..256).map(|at| load(0, at, u64::from(at) * 64, 64)).collect::<Vec<_>>();
    assert_eq!(count(&[wide], &shared(), placements(32), 128)[0].total.lds_least, 8 * 4 * 4);
}

/// Lanes that run an instruction for the n-th time access memory together; a lane that leaves a loop early does not.
#[test]
fn turns_of_a_loop_are_accesses_of_their_own() {
    let rows: Vec<LoggedAccess> = (0..256)
        .flat_map(|lane| (0..=lane % 2).map(move |turn| load(0, lane, u64::from(turn * 4096 + lane * 4), 4)))
        .collect();
    let total = count(&[rows], &buffer(), placements(64), 128)[0].total;
    assert_eq!((total.runs, total.lanes, total.bytes), (8, 384, 1536));
    assert_eq!((total.lines_128, total.sectors), (16, 64));
}

/// A range over the end of a line touches two; ranges of one access are one access.
#[test]
fn ranges_of_an_access_count_together() {
    let second = LoggedAccess { begins: false, ..load(0, 0, 256, 8) };
    let total = count(&[vec![load(0, 0, 124, 8), second]], &buffer(), placements(64), 128)[0].total;
    assert_eq!((total.runs, total.lanes, total.bytes), (1, 1, 16));
    assert_eq!((total.sectors, total.lines_64, total.lines_128), (3, 3, 3));
}

/// Accesses of a workgroup: instruction, invocation, offset in words, words.
fn accesses() -> impl Strategy<Value = Vec<LoggedAccess>> {
    let one = (0u32..3, 0u32..256, 0u64..4096, 1u32..5);
    let row = one.prop_map(|(at, invocation, word, words)| load(at, invocation, word * 4, words * 4));
    prop::collection::vec(row, 1..300)
}

proptest! {
    #[test]
    fn lines_hold_what_is_asked_for(rows in accesses(), wave in prop::sample::select(vec![32u32, 64])) {
        let different: BTreeSet<u64> =
            rows.iter().flat_map(|row| row.offset..row.offset + u64::from(row.bytes)).collect();
        for counts in count(std::slice::from_ref(&rows), &buffer(), placements(wave), 128) {
            let total = counts.total;
            prop_assert!(total.lines_128 <= total.lines_64 && total.lines_64 <= total.sectors);
            prop_assert!(total.lines_64 <= 2 * total.lines_128 && total.sectors <= 4 * total.lines_128);
            prop_assert!(total.group_lines * 128 >= different.len() as u64);
            prop_assert!(total.group_lines <= total.wave_lines && total.wave_lines <= total.lines_128);
            prop_assert_eq!(total.bytes, rows.iter().map(|row| u64::from(row.bytes)).sum::<u64>());
            prop_assert_eq!(total.lanes, rows.len() as u64);
        }
    }

    #[test]
    fn lanes_of_a_wave_may_change_places(rows in accesses(), by in 0u32..64) {
        let moved = |placement: Placement| {
            let threads = placement.threads.iter().map(|thread| thread / 64 * 64 + (thread + by) % 64);
            let threads: Vec<u32> = threads.collect();
            let mut invocations = vec![0; threads.len()];
            for (invocation, thread) in (0..).zip(&threads) {
                invocations[*thread as usize] = invocation;
            }
            Placement { threads, invocations, ..placement }
        };
        let plain = count(std::slice::from_ref(&rows), &buffer(), placements(64), 128);
        let turned = placements(64).into_iter().map(moved).collect();
        let turned = count(std::slice::from_ref(&rows), &buffer(), turned, 128);
        for (plain, turned) in plain.iter().zip(&turned) {
            prop_assert_eq!(plain.total, turned.total);
        }
    }

    #[test]
    fn the_order_of_rows_does_not_matter_between_invocations(rows in accesses()) {
        let mut sorted = rows.clone();
        sorted.sort_by_key(|row| (row.invocation, row.instruction));
        let totals = |rows: &Vec<LoggedAccess>| {
            let counts = count(std::slice::from_ref(rows), &buffer(), placements(32), 64);
            counts.into_iter().map(|counts| counts.total).collect::<Vec<_>>()
        };
        prop_assert_eq!(totals(&rows), totals(&sorted));
    }
}
