//! How the time of opening and analysing grows with the number of things in a file: the slope of time against size,
//! both on a logarithmic scale. 1 is linear; the goal for our own code is 1.1 at most.

use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, Instant};

use lanescope_core::analyse;
use lanescope_core::graph::{GraphSource, Overrides, check, link, nodes};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::pipeline::foz::Database;
use lanescope_core::program::{LoadedModule, Program, Stage};
use lanescope_core::spirv::Module;
use lanescope_fuzz::hostile::Class;
use lanescope_fuzz::{embedded, program};

/// The most that a slope may be.
const GOAL: f64 = 1.1;

/// Number of measurements of each size; the shortest counts.
const RUNS: usize = 3;

/// Prepares an input of a size, and returns what is measured.
type Prepare = fn(usize) -> Box<dyn FnMut()>;

/// Something that there may be much of.
struct Row {
    name: &'static str,
    /// Sizes, each twice the one before, all within the stated limits.
    sizes: [usize; 4],
    /// Our own code.
    prepare: Prepare,
    /// The same with foreign code, whose slope is shown beside ours.
    foreign: Option<Prepare>,
}

/// Opens a file of a class and analyses it.
fn open(class: &str, size: usize) -> Box<dyn FnMut()> {
    let class = Class::named(class).expect("is a class");
    let folder = std::env::temp_dir().join(format!("lanescope-scaling.{}", std::process::id()));
    let path = class.input(0, size).write(&folder).expect("writes");
    Box::new(move || {
        let program = load(std::slice::from_ref(&path), &[]).unwrap_or_else(|error| panic!("{error}"));
        report(&program);
    })
}

/// Like the above, for SPIR-V without SPIRV-Tools' validator, whose time is not ours.
fn parse(class: &str, size: usize) -> Box<dyn FnMut()> {
    let input = Class::named(class).expect("is a class").input(0, size);
    let bytes = input.files.into_iter().next().expect("a file").1;
    let (words, _) = bytes.as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    Box::new(move || {
        let module = Module::parse(words.clone()).unwrap_or_else(|error| panic!("{error}"));
        let stages = module.entry_points().iter().enumerate().map(|(entry_index, entry)| Stage {
            stage: entry.stage.expect("a shader"),
            entry: entry.name.clone(),
            module: 0,
            entry_index,
        });
        report(&Program {
            stages: stages.collect(),
            modules: vec![LoadedModule::new(0, module)],
            ..Program::default()
        });
    })
}

fn report(program: &Program) {
    let report = analyse(program, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    std::hint::black_box(report);
}

/// Nodes of a work graph in a chain, linked and checked.
fn chain(size: usize) -> Box<dyn FnMut()> {
    let name = "work_graphs/01_tile_classify.dxil";
    let program = program(Path::new(name).file_name().and_then(|n| n.to_str()).expect("a name"), embedded(name));
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    let all = nodes(&program.dxil[0].dxil, 0);
    let one = all.into_iter().find(|node| !node.outputs.is_empty()).expect("a node with an output");
    let chain: Vec<_> = (0..size)
        .map(|at| {
            let mut node = one.clone();
            node.id.name = format!("n{at}");
            node.outputs.truncate(1);
            node.outputs[0].target.name = format!("n{}", at + 1);
            node
        })
        .collect();
    Box::new(move || {
        let graph = link(chain.clone(), GraphSource::Dxil, &Overrides::default());
        std::hint::black_box(check(&graph));
    })
}

/// Objects of a database, listed.
fn objects(class: &str, size: usize) -> Box<dyn FnMut()> {
    let input = Class::named(class).expect("is a class").input(0, size);
    let bytes = input.files.into_iter().next().expect("a file").1;
    Box::new(move || {
        let database = Database::open(vec![(String::new(), Cursor::new(bytes.as_slice()))]);
        let database = database.map_err(|(_, fault)| fault.message).expect("opens");
        std::hint::black_box(database.list("", |_| true));
    })
}

const ROWS: &[Row] = &[
    Row {
        name: "entry points",
        sizes: [500, 1000, 2000, 4000],
        prepare: |size| parse("spirv-entry-points", size),
        foreign: Some(|size| open("spirv-entry-points", size)),
    },
    Row {
        name: "functions",
        sizes: [5_000, 10_000, 20_000, 40_000],
        prepare: |size| parse("spirv-functions", size),
        foreign: Some(|size| open("spirv-functions", size)),
    },
    Row {
        name: "calls in a chain",
        sizes: [250, 500, 1_000, 2_000],
        prepare: |size| parse("spirv-calls", size),
        foreign: Some(|size| open("spirv-calls", size)),
    },
    Row {
        name: "blocks",
        sizes: [1_000, 2_000, 4_000, 8_000],
        prepare: |size| parse("spirv-selections", size),
        foreign: Some(|size| open("spirv-selections", size)),
    },
    Row {
        name: "variables",
        sizes: [7_500, 15_000, 30_000, 60_000],
        prepare: |size| parse("spirv-variables", size),
        foreign: Some(|size| open("spirv-variables", size)),
    },
    Row {
        name: "constants",
        sizes: [10_000, 20_000, 40_000, 80_000],
        prepare: |size| parse("spirv-constants", size),
        foreign: Some(|size| open("spirv-constants", size)),
    },
    Row {
        name: "no-ops",
        sizes: [250_000, 500_000, 1_000_000, 2_000_000],
        prepare: |size| parse("spirv-no-ops", size),
        foreign: Some(|size| open("spirv-no-ops", size)),
    },
    Row {
        name: "sections",
        sizes: [10_000, 20_000, 40_000, 80_000],
        prepare: |size| open("pipe-sections", size),
        foreign: None,
    },
    Row { name: "nodes", sizes: [5_000, 10_000, 20_000, 40_000], prepare: chain, foreign: None },
    Row {
        name: "empty objects",
        sizes: [10_000, 20_000, 40_000, 80_000],
        prepare: |size| objects("foz-empty", size),
        foreign: None,
    },
    Row {
        name: "deflated objects",
        sizes: [500, 1_000, 2_000, 4_000],
        prepare: |size| objects("foz-deflated", size),
        foreign: None,
    },
];

/// The slope of the straight line through the logarithms, by least squares.
fn slope(points: &[(usize, Duration)]) -> f64 {
    let points: Vec<(f64, f64)> =
        points.iter().map(|&(size, time)| ((size as f64).ln(), time.as_secs_f64().ln())).collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let both: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    both / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

fn main() {
    // `cargo bench NAME` passes the name on, and options of its own.
    let wanted: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .filter(|word| !word.starts_with('-'))
        .collect();
    println!("{:<24} {:<32} {:<36} slope", "", "sizes", "ms");
    for row in ROWS.iter().filter(|row| wanted.is_empty() || wanted.iter().any(|word| row.name.contains(word.as_str())))
    {
        let slope = measure(row.name, row.sizes, row.prepare);
        if slope > GOAL {
            println!("{:<24} above the goal of {GOAL}", "");
        }
        if let Some(foreign) = row.foreign {
            measure("  with the validator", row.sizes, foreign);
        }
    }
}

/// Measures each size and prints a line. The slope.
fn measure(name: &str, sizes: [usize; 4], prepare: Prepare) -> f64 {
    let points = sizes.map(|size| {
        let mut run = prepare(size);
        let time = (0..RUNS).map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        });
        (size, time.min().unwrap_or_default())
    });
    let sizes = points.map(|(size, _)| size.to_string()).join(" ");
    let times = points.map(|(_, time)| format!("{:.1}", 1e3 * time.as_secs_f64())).join(" ");
    let slope = slope(&points);
    println!("{name:<24} {sizes:<32} {times:<36} {slope:.2}");
    slope
}
