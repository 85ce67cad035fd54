//! A run of a work graph, made up: every node hands on as many records as its first output may.

use std::collections::BTreeMap;

use lanescope_core::graph::WorkGraph;
use lanescope_core::run::graph::{
    Batch, EdgeRun, Generation, GraphMode, GraphRun, InputMode, NodeRun, Origin, Records, RingUse,
};
use lanescope_core::run::{Blob, BufferRun, Shape};
use lanescope_core::spirv::shape::{Field, Scalar};

/// The most records of a node in a generation.
const MOST: u64 = 12;

/// A run of five generations at most: records count up from 0, in every word.
pub fn graph_run(graph: &WorkGraph) -> GraphRun {
    let mut generations = Vec::new();
    let mut waiting: BTreeMap<usize, (u64, Vec<Origin>)> = BTreeMap::new();
    for (node, _) in graph.nodes.iter().enumerate().filter(|(_, node)| node.entry) {
        waiting.insert(node, (1, Vec::new()));
    }
    for number in 0..5 {
        if waiting.is_empty() {
            break;
        }
        let mut generation =
            Generation { number, nanoseconds: 42_000 + u64::from(number) * 1000, ..Generation::default() };
        let mut next: BTreeMap<usize, (u64, Vec<Origin>)> = BTreeMap::new();
        for (node, (count, origins)) in std::mem::take(&mut waiting) {
            let Some(is) = graph.nodes.get(node) else { continue };
            let stride = is.record().map_or(0, |record| record.bytes);
            let words = (0..count).flat_map(|record| (0..stride / 4).map(move |word| record as u32 + word));
            let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
            let run = generation.nodes.len();
            let entries = graph.edges_from(node).count() as u64;
            let batch = Batch {
                records: count,
                dispatches: vec![[count as u32, 1, 1]],
                entries,
                used: 64,
                bound: 256,
                ..Batch::default()
            };
            for (entry, edge) in graph.edges_from(node).enumerate() {
                let Some(slot) = edge.slot.filter(|_| edge.to != node || number < 3) else { continue };
                let records = (count * 2).min(MOST);
                let to = next.entry(edge.to).or_default();
                to.0 += records;
                to.1.push(Origin { count: records as u32, run: run as u32, entry: entry as u64, record: None });
                let (output, element, to) = (slot.output, slot.element, Some(edge.to));
                generation.edges.push(EdgeRun { from: run, output, element, to, records });
            }
            generation.nodes.push(NodeRun {
                node,
                remaining: is.recursion.saturating_sub(number),
                entry: number == 0,
                count,
                launches: count,
                records: Records { stride, bytes: Blob(bytes), origins },
                batches: vec![batch],
                nanoseconds: 12_000,
                ..NodeRun::default()
            });
        }
        generation.ring = RingUse { input: 64, bound: 4096, used: 512, half: 128 << 20 };
        let words = (0..32u32).map(|word| if word <= number { 1 + number } else { 0 });
        let contents: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        generation.changed.insert("set0.binding0".to_owned(), Blob(contents));
        generations.push(generation);
        waiting = next;
    }
    let contents = generations.last().map(|last| last.changed.clone()).unwrap_or_default();
    GraphRun {
        device: "paper".to_owned(),
        file: "sample.dxil".to_owned(),
        mode: GraphMode::Step,
        input_mode: InputMode::Cpu,
        entries: graph.nodes.iter().filter(|node| node.entry).map(|node| node.id.clone()).collect(),
        ring: 256 << 20,
        counted: None,
        graph: graph.clone(),
        refused: Vec::new(),
        generations,
        pending: Vec::new(),
        stopped: None,
        findings: Vec::new(),
        buffers: vec![buffer()],
        images: Vec::new(),
        start: BTreeMap::new(),
        left_out: Vec::new(),
        contents,
        nanoseconds: 210_000,
        wall_nanoseconds: 9_000_000,
        warnings: Vec::new(),
    }
}

/// A run with so many records in every node of its second generation.
pub fn many_records(graph: &WorkGraph, count: u32) -> GraphRun {
    let mut run = graph_run(graph);
    let Some(generation) = run.generations.get_mut(1) else { return run };
    for node in generation.nodes.iter_mut().take(1) {
        let words = (0..count).map(|record| record.wrapping_mul(2_654_435_761) >> 8);
        node.records.bytes = Blob(words.flat_map(u32::to_le_bytes).collect());
        node.records.stride = 4;
        node.count = count.into();
        node.records.origins =
            (0..count / 4).map(|entry| Origin { count: 4, run: 0, entry: entry.into(), record: None }).collect();
    }
    run
}

fn buffer() -> BufferRun {
    let element = Box::new(Shape::Scalar(Scalar::WORD));
    BufferRun {
        name: "set0.binding0".to_owned(),
        variable: Some("Result".to_owned()),
        register: None,
        set: 0,
        binding: 0,
        element: 0,
        bytes: 128,
        hash: lanescope_core::run::hash(&[0; 128]),
        shape: Shape::Struct {
            members: vec![Field {
                name: "words".to_owned(),
                offset: 0,
                shape: Shape::Array { element, count: None, stride: 4 },
            }],
        },
    }
}
