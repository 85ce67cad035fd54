//! The samples computed on the CPU, node by node as their sources say, and both ways of running them compared with
//! that: every word of the result, and every record of every generation.

use std::collections::BTreeMap;

use lanescope_core::run::graph::GraphMode;

use super::common::{Multisets, Sample, multisets, words};

/// A record as words.
type Record = Vec<u32>;

/// What a node does with all of its records in one generation: the levels that it has left, and what it adds to the
/// buffer. Answers with the records that it writes, by the id of who gets them.
type NodeOf = fn(&str, &[Record], u32, &mut [u32]) -> Vec<(String, Record)>;

/// Runs the graph from one empty record at the entry: the words of the buffer, and the records that waited.
fn reference(sample: &Sample, node: NodeOf) -> (Vec<u32>, Multisets) {
    let graph = &sample.graph;
    let mut result = vec![0u32; 64];
    let mut all = Multisets::new();
    let entry = sample.request.inputs[0].entry.to_string();
    let mut waiting: BTreeMap<(String, u32), Vec<Record>> = BTreeMap::from([((entry, 0), vec![Vec::new()])]);
    for generation in 0.. {
        if waiting.is_empty() {
            break;
        }
        let mut next: BTreeMap<(String, u32), Vec<Record>> = BTreeMap::new();
        for ((id, remaining), records) in waiting {
            let mut bytes: Vec<Vec<u8>> =
                records.iter().map(|record| record.iter().flat_map(|word| word.to_le_bytes()).collect()).collect();
            bytes.sort();
            all.insert((generation, id.clone(), remaining), bytes);
            for (to, record) in node(&id, &records, remaining, &mut result) {
                let declared = graph.nodes[graph.named(&to).unwrap_or_else(|| panic!("{to}"))].recursion;
                let left = if to == id { remaining - 1 } else { declared };
                next.entry((to, left)).or_default().push(record);
            }
        }
        waiting = next;
    }
    (result, all)
}

fn tiles(id: &str, records: &[Record], _: u32, result: &mut [u32]) -> Vec<(String, Record)> {
    match id {
        "ClassifyTiles[0]" => (0..128).map(|tile| (format!("Material[{}]", tile % 5), vec![tile, tile % 5])).collect(),
        "Resolve[0]" => {
            for record in records {
                result[record[0] as usize] += record[1];
                result[8 + record[0] as usize] += 1;
            }
            Vec::new()
        }
        _ => {
            let sum = |material: u32| (0..64).map(|pixel| (material + 1) * (pixel + 1)).sum();
            records.iter().map(|record| ("Resolve[0]".to_owned(), vec![record[1], sum(record[1])])).collect()
        }
    }
}

fn squares(id: &str, records: &[Record], remaining: u32, result: &mut [u32]) -> Vec<(String, Record)> {
    if id == "Seed[0]" {
        return vec![("Split[0]".to_owned(), vec![0, 0, 64])];
    }
    let mut out = Vec::new();
    for record in records {
        let [x, y, size] = record[..] else { panic!("{record:?}") };
        result[2 + remaining as usize] += 1;
        if remaining == 0 || size <= 1 {
            result[0] += size * size;
            result[1] += 1;
            result[8] += x / 2;
            continue;
        }
        let half = size / 2;
        out.extend((0..4).map(|i| (id.to_owned(), vec![x + (i & 1) * half, y + (i >> 1) * half, half])));
    }
    out
}

fn reduction(id: &str, records: &[Record], _: u32, result: &mut [u32]) -> Vec<(String, Record)> {
    if id == "Produce[0]" {
        return (0..1024).map(|thread| ("Reduce[0]".to_owned(), vec![thread])).collect();
    }
    for group in records.chunks(32) {
        result[0] += group.iter().map(|record| record[0]).sum::<u32>();
        result[1] += group.len() as u32;
        result[2] += 1;
        result[3] = group.iter().map(|record| record[0]).fold(result[3], u32::max);
    }
    Vec::new()
}

fn grids(id: &str, records: &[Record], _: u32, result: &mut [u32]) -> Vec<(String, Record)> {
    let each = |grid: [u32; 3]| {
        (0..grid[2]).flat_map(move |z| (0..grid[1]).flat_map(move |y| (0..grid[0]).map(move |x| [x, y, z])))
    };
    match id {
        "Plan[0]" => {
            let dynamic = |i: u32| {
                let grid = [i, 1 + i % 2, 1 + i / 4];
                ("DynamicGrid[0]".to_owned(), [&[i], &grid[..], &grid[..]].concat())
            };
            let fixed = |i: u32| ("FixedGrid[0]".to_owned(), vec![i]);
            (0..8).flat_map(|i| [dynamic(i), fixed(i)]).collect()
        }
        "DynamicGrid[0]" => {
            for record in records {
                let index = record[0] as usize;
                for [x, y, z] in each([record[1], record[2], record[3]]) {
                    // Each of a group's four threads.
                    result[index] += 4;
                    result[8 + index] += x + 10 * y + 100 * z;
                }
            }
            Vec::new()
        }
        _ => {
            for record in records {
                result[16 + record[0] as usize] += (record[0] + 1) * each([3, 2, 1]).count() as u32;
            }
            Vec::new()
        }
    }
}

fn bins(id: &str, records: &[Record], _: u32, result: &mut [u32]) -> Vec<(String, Record)> {
    if id != "Scatter[0]" {
        let slot = id.trim_start_matches("Bin[").trim_end_matches(']').parse::<usize>().expect("a number");
        result[8 + slot] += records.iter().map(|record| record[0]).sum::<u32>();
        return Vec::new();
    }
    let mut out = Vec::new();
    for i in 0..8 {
        match [1, 2, 5].contains(&i) {
            true => {
                result[0] |= 1 << i;
                out.push((format!("Bin[{i}]"), vec![100 + i]));
            }
            false => result[1] += 1,
        }
    }
    out
}

fn sharing(id: &str, records: &[Record], _: u32, result: &mut [u32]) -> Vec<(String, Record)> {
    if id == "Start[0]" {
        return vec![("GatherDynamic[0]".to_owned(), vec![37, 0]), ("GatherFixed[0]".to_owned(), vec![0])];
    }
    for record in records {
        let (groups, at) = if id == "GatherDynamic[0]" { (record[0], 0) } else { (5, 2) };
        result[at] += (0..32 * groups).map(|thread| thread + 1).sum::<u32>();
        result[at + 1] += 1;
        result[4] += groups;
    }
    Vec::new()
}

/// The nodes of the wide graph: who each feeds, in the order of the words that count them.
const WIDE: [(&str, &[&str]); 20] = [
    ("Root", &["A0", "A1", "A2", "A3", "A4", "A5"]),
    ("A0", &["B0", "B1", "Sink"]),
    ("A1", &["B1", "B2"]),
    ("A2", &["B2", "B3"]),
    ("A3", &["B3", "B4"]),
    ("A4", &["B4", "B5"]),
    ("A5", &["B5", "B0"]),
    ("B0", &["C0", "D"]),
    ("B1", &["C1", "D"]),
    ("B2", &["C2", "D"]),
    ("B3", &["C0", "D"]),
    ("B4", &["C1", "D"]),
    ("B5", &["C2", "D"]),
    ("C0", &["E0", "E1"]),
    ("C1", &["E0", "E1"]),
    ("C2", &["E0", "E1"]),
    ("D", &["E1"]),
    ("E0", &["Sink"]),
    ("E1", &["Sink"]),
    ("Sink", &[]),
];

fn wide(id: &str, records: &[Record], _: u32, result: &mut [u32]) -> Vec<(String, Record)> {
    let name = id.trim_end_matches("[0]");
    let at = WIDE.iter().position(|(other, _)| *other == name).expect("a node");
    let mut out = Vec::new();
    for record in records {
        let hops = record.first().copied().unwrap_or(0);
        result[at] += 1;
        if name == "Sink" {
            result[32 + hops as usize] += 1;
        }
        out.extend(WIDE[at].1.iter().map(|to| (format!("{to}[0]"), vec![hops + 1])));
    }
    out
}

fn million(id: &str, records: &[Record], _: u32, result: &mut [u32]) -> Vec<(String, Record)> {
    match id {
        "Seed[0]" => (0..512 * 256).map(|thread| ("Produce[0]".to_owned(), vec![thread])).collect(),
        "Produce[0]" => {
            result[10] += records.len() as u32;
            let items = |block: u32| (0..8).map(move |i| ("Consume[0]".to_owned(), vec![block * 8 + i]));
            records.iter().flat_map(|record| items(record[0])).collect()
        }
        _ => {
            for record in records {
                let index = record[0];
                result[0] += 1;
                result[1] = result[1].wrapping_add(index);
                result[2 + (index & 7) as usize] += 1;
                result[11] = result[11].max(index);
            }
            Vec::new()
        }
    }
}

#[test]
fn samples_match_the_cpu_reference() {
    let samples: [(&str, NodeOf); 8] = [
        ("01_tile_classify", tiles),
        ("02_quadtree_recursion", squares),
        ("03_coalescing_reduce", reduction),
        ("04_broadcast_grids", grids),
        ("05_sparse_array", bins),
        ("06_cross_group_sharing", sharing),
        ("07_wide_dag", wide),
        ("08_million_records", million),
    ];
    for (name, node) in samples {
        let sample = Sample::of(&format!("{name}.dxil"));
        let (expected, records) = reference(&sample, node);
        for mode in [GraphMode::Step, GraphMode::Free] {
            let run = sample.clone().mode(mode).run();
            let found = words(&run, 0);
            assert_eq!(found[..64], expected[..], "{name}, {mode}");
            assert!(found[64..].iter().all(|word| *word == 0), "{name}, {mode}");
            if mode == GraphMode::Step {
                assert!(multisets(&run) == records, "{name}: the records of each generation");
            }
            let counts = |generation: u32| -> u64 {
                let of = run.generation(0, generation).map(|is| is.nodes.iter().map(|node| node.count).sum());
                of.unwrap_or(0)
            };
            for generation in 0..records.keys().map(|(generation, ..)| generation + 1).max().unwrap_or(0) {
                let expected =
                    records.iter().filter(|((at, ..), _)| *at == generation).map(|(_, all)| all.len() as u64);
                assert_eq!(counts(generation), expected.sum::<u64>(), "{name}, {mode}, generation {generation}");
            }
        }
    }
}
