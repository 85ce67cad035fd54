//! The sample graphs and the two-level, empty, recursive and sharing scenarios.

use lanescope_core::run::graph::{GraphMode, LocalRoots};

use super::common::{Sample, edges, words};

/// Both ways of leading a graph.
pub const MODES: &[GraphMode] = &[GraphMode::Step, GraphMode::Free];

/// The first words, and zeros after them.
fn begins(found: &[u32], expected: &[u32]) {
    assert_eq!(&found[..expected.len()], expected);
    assert!(found[expected.len()..].iter().all(|word| *word == 0), "{found:?}");
}

#[test]
fn tiles_are_classified_shaded_and_resolved() {
    for &mode in MODES {
        let run = Sample::of("01_tile_classify.dxil").mode(mode).run();
        let expected = [54080, 108160, 162240, 208000, 260000, 0, 0, 0, 26, 26, 26, 25, 25];
        begins(&words(&run, 0), &expected);
        let edges = edges(&run);
        let counts: Vec<u64> = (0..5).map(|material| edges[&format!("Material[{material}]")]).collect();
        assert_eq!((counts, edges["Resolve[0]"]), (vec![26, 26, 26, 25, 25], 128));
    }
}

#[test]
fn a_square_is_cut_down_to_its_leaves() {
    for &mode in MODES {
        let run = Sample::of("02_quadtree_recursion.dxil").mode(mode).run();
        begins(&words(&run, 0), &[4096, 1024, 1024, 256, 64, 16, 4, 1, 15872]);
        let generations: Vec<_> = run.generations.iter().map(|generation| generation.number).collect();
        assert_eq!(generations, [0, 1, 2, 3, 4, 5, 6]);
    }
}

#[test]
fn groups_of_records_are_reduced() {
    for &mode in MODES {
        let sample = Sample::of("03_coalescing_reduce.dxil").mode(mode);
        begins(&sample.result(), &[523776, 1024, 32, 1023]);
        let mut few = sample.clone();
        few.request.cut.coalesce = Some(1);
        if mode == GraphMode::Step {
            begins(&few.result(), &[523776, 1024, 1024, 1023]);
        }
        let twice = sample.dispatches(2).result();
        begins(&twice, &[2 * 523776, 2048, 64, 1023]);
    }
}

#[test]
fn runs_the_requested_grids() {
    for &mode in MODES {
        let found = Sample::of("04_broadcast_grids.dxil").mode(mode).result();
        assert_eq!(found[..8], [0, 8, 8, 24, 32, 80, 48, 112]);
        assert_eq!(found[8..16], [0, 10, 1, 36, 412, 1140, 630, 1624]);
        assert_eq!(found[16..25], [6, 12, 18, 24, 30, 36, 42, 48, 0]);
    }
}

#[test]
fn sparse_array_reports_its_gaps() {
    for &mode in MODES {
        let run = Sample::of("05_sparse_array.dxil").mode(mode).run();
        let mut expected = [0u32; 16];
        (expected[0], expected[1], expected[9], expected[10], expected[13]) = (38, 5, 101, 102, 105);
        begins(&words(&run, 0), &expected);
        assert_eq!(run.findings, []);
    }
}

#[test]
fn the_last_group_of_a_shared_record_is_one() {
    for &mode in MODES {
        begins(&Sample::of("06_cross_group_sharing.dxil").mode(mode).result(), &[701520, 1, 12880, 1, 42]);
    }
}

#[test]
fn a_node_runs_in_every_generation_that_reaches_it() {
    for &mode in MODES {
        let run = Sample::of("07_wide_dag.dxil").mode(mode).run();
        let mut expected = vec![1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 4, 4, 4, 12, 12, 24, 37];
        expected.resize(38, 0);
        (expected[34], expected[37]) = (1, 36);
        begins(&words(&run, 0), &expected);
        let sink = run.graph.named("Sink").expect("a node");
        let at =
            |number| run.generation(0, number).and_then(|g| g.nodes.iter().find(|n| n.node == sink)).map(|n| n.count);
        assert_eq!([at(1), at(2), at(3), at(4), at(5)], [None, Some(1), None, None, Some(36)]);
    }
}

#[test]
fn a_million_records_cross_one_edge() {
    for &mode in MODES {
        let run = Sample::of("08_million_records.dxil").mode(mode).run();
        let mut expected = vec![1 << 20, 4294443008];
        expected.extend([131072; 9]);
        expected.push((1 << 20) - 1);
        begins(&words(&run, 0), &expected);
        assert_eq!(run.generations[2].nodes[0].count, 1 << 20);
        if mode == GraphMode::Step {
            assert_eq!(run.generations[2].nodes[0].records.len(), 1 << 20);
        }
    }
}

#[test]
fn records_of_two_levels_cover_their_cells() {
    let records = [2, 0, 1, 1, 1, 2, 1, 1, 3, 2, 3, 0, 3, 5, 3, 1, 1, 3, 4, 4];
    let cells = |ranges: [(usize, usize, u32); 2]| {
        let mut out = vec![0u32; 1024];
        for (first, last, step) in ranges {
            out[first..=last].iter_mut().for_each(|cell| *cell += step);
        }
        out
    };
    for &mode in MODES {
        for (file, counts) in [
            ("17_two_level_outputs", [("PutEven[0]", 40), ("PutOdd[0]", 24)]),
            ("18_two_level_array", [("Put[0]", 40), ("Put[1]", 24)]),
            ("19_two_level_threads_shared", [("PutEven[0]", 704), ("PutOdd[0]", 320)]),
            ("20_two_level_threads_array", [("Put[0]", 704), ("Put[1]", 320)]),
        ] {
            let run = Sample::of(&format!("scenarios/{file}.dxil")).words("Plan", &records).mode(mode).run();
            assert_eq!(words(&run, 0), cells([(1, 128, 1), (5, 580, 3)]), "{file}, {mode}");
            assert_eq!(words(&run, 1), cells([(3, 130, 2), (4, 195, 4)]), "{file}, {mode}");
            let edges = edges(&run);
            counts.iter().for_each(|(id, count)| assert_eq!(edges[*id], *count, "{file}, {mode}"));
        }
    }
}

#[test]
fn empty_records_are_counted() {
    for &mode in MODES {
        let run = Sample::of("scenarios/21_empty_records.dxil").mode(mode).run();
        begins(&words(&run, 0), &[5, 12, 16, 2, 6, 28, 32]);
        let edges: Vec<_> = edges(&run).into_iter().collect();
        let expected = [
            ("Far[7]", 7),
            ("Far[8]", 8),
            ("Gap[1]", 2),
            ("Gap[3]", 6),
            ("Lone[0]", 5),
            ("Pair[0]", 3),
            ("Pair[1]", 4),
        ];
        assert_eq!(edges, expected.map(|(id, count)| (id.to_owned(), count)));
    }
}

#[test]
fn recursion_ends_at_its_limit() {
    for &mode in MODES {
        let run = Sample::of("scenarios/22_recursion.dxil").mode(mode).run();
        begins(&words(&run, 0), &[0, 7, 13, 17, 25, 34, 46, 59, 71, 76, 68, 47, 23, 7, 1]);
        let climbs: Vec<_> = run.generations.iter().skip(1).map(|g| (g.nodes[0].count, g.nodes[0].remaining)).collect();
        assert_eq!(climbs, [(2, 6), (4, 5), (8, 4), (16, 3), (32, 2), (64, 1), (128, 0)]);
    }
}

#[test]
fn fresh_and_recursive_records_reach_one_node() {
    for &mode in MODES {
        let run = Sample::of("scenarios/32_fresh_and_recursive.dxil").mode(mode).run();
        begins(&words(&run, 0), &[2, 2, 2, 2]);
        let roam = run.graph.named("Roam").expect("a node");
        let second = run.generation(0, 2).expect("a generation");
        let mut jobs: Vec<_> = second.nodes.iter().filter(|n| n.node == roam).map(|n| (n.remaining, n.count)).collect();
        jobs.sort();
        assert_eq!(jobs, [(2, 1), (3, 1)]);
    }
}

#[test]
fn tracked_records_have_one_last_group() {
    for &mode in MODES {
        let found = Sample::of("scenarios/23_tracked_sharing.dxil").mode(mode).result();
        assert!(found[..64].iter().all(|word| *word == 32777), "{mode}: {found:?}");
        assert!(found[64..128].iter().all(|word| *word == 16395));
        assert_eq!(found[128..130], [1, 1]);
        begins(&Sample::of("scenarios/37_wide_tracked.dxil").mode(mode).result(), &[1, 40000, 40000]);
    }
}

#[test]
fn an_input_is_shared() {
    for &mode in MODES {
        let run = Sample::of("scenarios/24_share_input.dxil").mode(mode).run();
        let found = words(&run, 0);
        assert!(found[..64].iter().all(|word| *word == 4608), "{mode}");
        assert!(found[64..128].iter().all(|word| *word == 2304), "{mode}");
        let second = &run.generations[1];
        assert_eq!((second.nodes.len(), second.nodes[1].shares, second.nodes[1].launches), (2, Some(0), 256));
    }
}

#[test]
fn local_root_arguments_are_each_nodes_own() {
    let text = r#"{ "buffers": { "buf": 1024 }, "table": [["buf", 30, 20], ["buf", 40, 50]] }"#;
    let roots: LocalRoots = serde_json::from_str(text).expect("arguments");
    for &mode in MODES {
        let mut sample = Sample::of("scenarios/25_local_roots.dxil").mode(mode);
        sample.request.local_roots = roots.clone();
        let run = sample.run();
        let at = run.buffers.iter().position(|buffer| buffer.name == "local.buf").expect("its buffer");
        let mut expected = vec![0u32; 256];
        (expected[30], expected[50]) = (600, 2400);
        assert_eq!(words(&run, at), expected);
    }
}

#[test]
fn a_record_is_shown_by_its_members() {
    for &mode in MODES {
        let run = Sample::of("scenarios/42_mixed_alignment.dxil").mode(mode).run();
        begins(&words(&run, 0), &[7, 0x3f000000, 0xc0000000, 0x40800000, 513, 5, 9, 100, 77]);
        if mode == GraphMode::Step {
            let check = run.graph.named("Check").expect("a node");
            let record = run.graph.nodes[check].record().expect("a record");
            let runs = &run.generations[1].nodes;
            let records = &runs.iter().find(|run| run.node == check).expect("it ran").records;
            let value = records.json(0, record).expect("a record");
            assert_eq!(value, serde_json::json!({"serial": 7, "place": [0.5, -2.0, 4.0], "code": 513, "weight": 1.25}));
            assert_eq!((record.bytes, record.align), (32, 8));
        }
    }
}

#[test]
fn pixels_are_shaded_by_their_materials() {
    let mut expected = vec![0u32; 64 + 256 * 128];
    for (x, y) in (0..128u32).flat_map(|y| (0..256u32).map(move |x| (x, y))) {
        let material = ((x * x + 3 * y * y) / 1024).min(31);
        let seed = x.wrapping_mul(747_796_405) ^ y.wrapping_mul(2_891_336_453);
        let round = |value: u32, _| (value ^ value >> 15).wrapping_mul(2_246_822_519).wrapping_add(material);
        expected[64 + (y * 256 + x) as usize] = (0..=material).fold(seed, round);
        expected[material as usize] += 1;
    }
    for &mode in MODES {
        let found = Sample::of("09_pixel_classify.dxil").mode(mode).buffer(0, 4 * expected.len() as u64).result();
        assert!(found.len() >= expected.len() && found[..expected.len()] == expected, "{mode:?}");
    }
}

#[test]
fn triangles_are_rasterized_in_groups() {
    let expected = rasterized::expected();
    for &mode in MODES {
        begins(&Sample::of("10_binned_triangles.dxil").mode(mode).result(), &expected);
    }
}

/// What `10_binned_triangles` computes, without groups.
mod rasterized {
    type At = [i32; 2];

    fn next(state: &mut u32) -> u32 {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mixed = (*state ^ *state >> 16).wrapping_mul(2_246_822_519);
        mixed ^ mixed >> 13
    }

    fn edge(from: At, to: At, at: At) -> i32 {
        (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0])
    }

    /// Covered pixels, groups of `Raster`, groups of `Split`, triangles that face away.
    pub fn expected() -> [u32; 4] {
        let mut out = [0; 4];
        for number in 0..512u32 {
            let mut state = number.wrapping_mul(2_654_435_761).wrapping_add(12345);
            let size = 4 << (next(&mut state) | 128).trailing_zeros().min(7);
            let origin = [next(&mut state) % 512, next(&mut state) % 512].map(|axis| axis as i32 - size as i32 / 2);
            let mut corner = || {
                let by = [next(&mut state) % size, next(&mut state) % size];
                [0, 1].map(|axis| (origin[axis] + by[axis] as i32).clamp(0, 511))
            };
            let corners = [corner(), corner(), corner()];
            let least = [0, 1].map(|axis| corners.map(|at| at[axis]).into_iter().min().unwrap_or(0));
            let most = [0, 1].map(|axis| corners.map(|at| at[axis]).into_iter().max().unwrap_or(0));
            let [a, b, c] = corners;
            if edge(a, b, c) <= 0 {
                out[3] += 1;
                continue;
            }
            let is_inside = |at: At| edge(a, b, at) >= 0 && edge(b, c, at) >= 0 && edge(c, a, at) >= 0;
            let all = (least[1]..=most[1]).flat_map(|y| (least[0]..=most[0]).map(move |x| [x, y]));
            out[0] += all.filter(|at| is_inside(*at)).count() as u32;
            let tiles =
                |first: At, last: At| (0..2).map(|axis| ((last[axis] - first[axis]) / 8 + 1) as u32).product::<u32>();
            if [0, 1].iter().all(|axis| most[*axis] - least[*axis] < 64) {
                out[1] += tiles(least.map(|axis| axis / 8 * 8), most);
                continue;
            }
            let block = least.map(|axis| axis / 64 * 64);
            for (x, y) in
                (0..=(most[1] - block[1]) / 64).flat_map(|y| (0..=(most[0] - block[0]) / 64).map(move |x| (x, y)))
            {
                out[2] += 1;
                let first = [block[0] + 64 * x, block[1] + 64 * y];
                let square = [[0, 0], [63, 0], [0, 63], [63, 63]].map(|by: At| [first[0] + by[0], first[1] + by[1]]);
                let is_outside = |from: At, to: At| square.iter().all(|at| edge(from, to, *at) < 0);
                if !is_outside(a, b) && !is_outside(b, c) && !is_outside(c, a) {
                    out[1] += tiles(first, [0, 1].map(|axis| most[axis].min(first[axis] + 63)));
                }
            }
        }
        out
    }
}
