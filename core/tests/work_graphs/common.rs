//! Running samples, and looking at the results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lanescope_core::dxil::Dxil;
use lanescope_core::findings::Severity;
use lanescope_core::gpu::{Content, DeviceOptions, Given, Inputs, run_graph};
use lanescope_core::graph::{GraphSource, Overrides, WorkGraph, apply_overrides, check, link, nodes};
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::graph::{GraphMode, GraphRequest, GraphRun, InputMode, file};

/// The folder of the samples.
pub fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/work_graphs")
}

/// A library and what is to be run of it.
#[derive(Clone)]
pub struct Sample {
    pub dxil: Dxil,
    pub graph: WorkGraph,
    pub request: GraphRequest,
    pub inputs: Inputs,
    pub validate: bool,
    pub timeout: Duration,
}

impl Sample {
    /// A library of the samples' folder, started with one record of zeros at its only entry point.
    pub fn of(name: &str) -> Sample {
        Sample::with(name, &Overrides::default())
    }

    pub fn with(name: &str, overrides: &Overrides) -> Sample {
        let path = samples().join(name);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Sample::of_bytes(bytes, overrides)
    }

    pub fn of_bytes(bytes: Vec<u8>, overrides: &Overrides) -> Sample {
        let dxil = Dxil::read(bytes).expect("a container");
        let mut all = nodes(&dxil, 0);
        apply_overrides(overrides, &mut all);
        let graph = link(all, GraphSource::Dxil, overrides);
        let broken: Vec<_> = check(&graph)
            .into_iter() // Scenario 23 has both kinds of grid in one array, which runs nevertheless.
            .filter(|finding| finding.severity == Severity::Error && finding.code != "G11")
            .collect();
        assert_eq!(broken, []);
        let timeout = Duration::from_secs(60);
        let sample = Sample {
            dxil,
            graph,
            request: GraphRequest { ring: 64 << 20, ..GraphRequest::default() },
            inputs: Inputs::default(),
            validate: true,
            timeout,
        };
        let entry = sample.graph.nodes.iter().find(|node| node.starts()).map(|node| node.id.to_string());
        match entry {
            Some(entry) => sample.count(&entry, 1),
            None => sample,
        }
    }

    /// So many records of zeros.
    pub fn count(mut self, entry: &str, count: u64) -> Sample {
        let options = InputOptions { entry: Some(entry), ..InputOptions::default() };
        self.request.inputs = input::counted(count, &self.graph, options).expect("records");
        self
    }

    /// Records as JSON.
    pub fn records(self, entry: &str, records: &str) -> Sample {
        self.strided(entry, records, None, None)
    }

    /// Records as JSON, with a stride and a number.
    pub fn strided(mut self, entry: &str, records: &str, stride: Option<u32>, count: Option<u64>) -> Sample {
        let options = InputOptions { entry: Some(entry), stride, count };
        self.request.inputs = input::parse(records, &self.graph, options).unwrap_or_else(|error| panic!("{error}"));
        self
    }

    /// Records as 32-bit words.
    pub fn words(self, entry: &str, words: &[u32]) -> Sample {
        let text = format!("{words:?}");
        self.records(entry, &text)
    }

    pub fn mode(mut self, mode: GraphMode) -> Sample {
        self.request.mode = mode;
        self
    }

    pub fn from(mut self, mode: InputMode) -> Sample {
        self.request.input_mode = mode;
        self
    }

    pub fn dispatches(mut self, dispatches: u32) -> Sample {
        self.request.dispatches = dispatches;
        self
    }

    pub fn ring(mut self, ring: u64) -> Sample {
        self.request.ring = ring;
        self
    }

    pub fn until(mut self, until: u32) -> Sample {
        self.request.until = Some(until);
        self
    }

    /// The size of a buffer.
    pub fn buffer(mut self, binding: u32, bytes: u64) -> Sample {
        self.inputs.buffers.push(Given { set: 0, binding, element: None, content: Content::Size(bytes) });
        self
    }

    /// Runs it on the software device under the validation layer.
    pub fn try_run(&self) -> Result<GraphRun, lanescope_core::gpu::GpuError> {
        let device = DeviceOptions {
            device: Some("llvmpipe".to_owned()),
            validate: self.validate,
            timeout: self.timeout,
            ..DeviceOptions::default()
        };
        let run = run_graph(&device, &self.dxil, &self.graph, &self.request, &self.inputs);
        if let Ok(run) = &run {
            assert_eq!(run.warnings, Vec::<String>::new());
            let nodes = run.generations.iter().flat_map(|is| &is.nodes);
            if nodes.map(|node| node.records.bytes.0.len()).sum::<usize>() < 1 << 20 {
                let saved = file::write(run).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(file::read(&saved).map(|saved| saved.generations), Ok(run.generations.clone()));
            }
        }
        run
    }

    /// The same, to its end.
    pub fn run(&self) -> GraphRun {
        let run = self.try_run().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(run.stopped, None, "{:?}", run.findings);
        run
    }

    /// Runs it, and answers with the words of the first buffer.
    pub fn result(&self) -> Vec<u32> {
        words(&self.run(), 0)
    }
}

/// The words of a buffer at the end, by its number in the list.
pub fn words(run: &GraphRun, buffer: usize) -> Vec<u32> {
    let name = &run.buffers.get(buffer).unwrap_or_else(|| panic!("no buffer {buffer}")).name;
    let bytes = &run.contents.get(name).expect("its contents").0;
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// How many records went where, over a whole run: by the id that they were sent to.
pub fn edges(run: &GraphRun) -> BTreeMap<String, u64> {
    let mut out = BTreeMap::new();
    for generation in &run.generations {
        for edge in &generation.edges {
            let node = &run.graph.nodes[generation.nodes[edge.from].node];
            let id = node.outputs[edge.output].id(edge.element).expect("an id");
            *out.entry(id.to_string()).or_insert(0) += edge.records;
        }
    }
    out
}

/// Records as a multiset, by the generation that they run in, their node and the levels that are left.
pub type Multisets = BTreeMap<(u32, String, u32), Vec<Vec<u8>>>;

/// Every record of a run, hidden counters aside, as multisets.
pub fn multisets(run: &GraphRun) -> Multisets {
    let mut out = Multisets::new();
    for generation in &run.generations {
        for node in generation.nodes.iter().filter(|node| node.shares.is_none()) {
            add(&mut out, run, generation.number, node);
        }
    }
    out.values_mut().for_each(|records| records.sort());
    out
}

pub fn add(out: &mut Multisets, run: &GraphRun, generation: u32, node: &lanescope_core::run::graph::NodeRun) {
    let is = &run.graph.nodes[node.node];
    let bytes = is.record().map_or(0, |record| record.bytes as usize);
    let records = out.entry((generation, is.id.to_string(), node.remaining)).or_default();
    match bytes {
        0 => records.extend((0..node.count).map(|_| Vec::new())),
        _ => records.extend(node.records.iter().map(|record| record[..bytes].to_vec())),
    }
}
