//! How the time of opening and analysing grows with the number of things in a file: the slope of time against size,
//! both on a logarithmic scale. 1 is linear; the goal for our own code is 1.1 at most.
//!
//! Times are of the processor, so that other processes count little. Each run is a process of its own, as a command is:
//! in one process, small inputs would find their memory ready and large ones would not. `--once SIZE NAME` is such a run:
//! under `valgrind --tool=callgrind --toggle-collect='*measured*'` it counts instructions.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use lanescope_core::analyse;
use lanescope_core::corpus::{Measure, Row as CorpusRow, measure as measure_row};
use lanescope_core::gpu::Inputs;
use lanescope_core::gpu::interpret::{Launch, Waves};
use lanescope_core::graph::{GraphSource, Overrides, check, link, nodes};
use lanescope_core::interpreter::Options as Limits;
use lanescope_core::interpreter::debugger::Debugger;
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::pipeline::foz::Database;
use lanescope_core::program::{LoadedModule, Program, Stage};
use lanescope_core::run::graph::{Origin, Records};
use lanescope_core::spirv::Module;
use lanescope_fuzz::hostile::Class;
use lanescope_fuzz::{embedded, program};
use rustix::time::{ClockId, clock_gettime};

/// The most that a slope may be.
const GOAL: f64 = 1.1;

/// Number of measurements of each size; the shortest counts.
const RUNS: usize = 8;

/// Makes the input of a size, and returns what is measured.
type Prepare = fn(usize) -> Box<dyn FnOnce()>;

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
fn open(class: &str, size: usize) -> Box<dyn FnOnce()> {
    let class = Class::named(class).expect("is a class");
    let folder = std::env::temp_dir().join(format!("lanescope-scaling.{}", std::process::id()));
    let path = class.input(0, size).write(&folder).expect("writes");
    Box::new(move || {
        let program = load(&[path], &[]).unwrap_or_else(|error| panic!("{error}"));
        report(&program);
    })
}

/// The words of a file of a class.
fn words(class: &str, size: usize) -> Vec<u32> {
    let input = Class::named(class).expect("is a class").input(0, size);
    let bytes = input.files.into_iter().next().expect("a file").1;
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// A program of the words of a module, which is not validated.
fn of_words(words: Vec<u32>) -> Program {
    let module = Module::parse(words).unwrap_or_else(|error| panic!("{error}"));
    let stages = module.entry_points().iter().enumerate().map(|(entry_index, entry)| Stage {
        stage: entry.stage.expect("a shader"),
        entry: entry.name.clone(),
        module: 0,
        entry_index,
    });
    Program { stages: stages.collect(), modules: vec![LoadedModule::new(0, module)], ..Program::default() }
}

/// Like the above, for SPIR-V without SPIRV-Tools' validator, whose time is not ours.
fn parse(class: &str, size: usize) -> Box<dyn FnOnce()> {
    let words = words(class, size);
    Box::new(move || report(&of_words(words)))
}

fn report(program: &Program) {
    let report = analyse(program, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    std::hint::black_box(report);
}

/// Nodes of a work graph in a chain, linked and checked.
fn chain(size: usize) -> Box<dyn FnOnce()> {
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
        let graph = link(chain, GraphSource::Dxil, &Overrides::default());
        std::hint::black_box(check(&graph));
    })
}

/// Objects of a database, listed.
fn objects(class: &str, size: usize) -> Box<dyn FnOnce()> {
    let input = Class::named(class).expect("is a class").input(0, size);
    let bytes = input.files.into_iter().next().expect("a file").1;
    Box::new(move || {
        let database = Database::open(vec![(String::new(), Cursor::new(bytes.as_slice()))]);
        let database = database.map_err(|(_, fault)| fault.message).expect("opens");
        std::hint::black_box(database.list("", |_| true));
    })
}

/// A loop of so many turns on one line: back to the line before it.
fn back(size: usize) -> Box<dyn FnOnce()> {
    let text = format!(
        "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B {{ uint sum[]; }};\nvoid main() {{\n\
         uint n = 0;\nfor (uint i = 0; i < {size}; ++i) {{ n += i * n + 1; }}\nsum[gl_LocalInvocationIndex] = n;\n}}\n"
    );
    let program = program("loop.comp", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let waves = Waves::predicted(&program, &Options::default());
    let launch = Launch::new(&program, &waves, (None, None), &Inputs::default(), Limits::default());
    let mut debugger = Debugger::new(launch.unwrap_or_else(|error| panic!("{error}")).machine);
    debugger.set_focus(Some(0));
    debugger.resume();
    Box::new(move || {
        debugger.line_back(2);
        debugger.step_back(size as u64);
    })
}

/// Entry points, measured as those of a corpus are.
fn measured_entries(size: usize) -> Box<dyn FnOnce()> {
    let program = of_words(words("spirv-entry-points", size));
    let measures = BTreeSet::from([Measure::Workgroup, Measure::Registers, Measure::Layout]);
    Box::new(move || {
        let mut row = CorpusRow::new(0, String::new(), String::new());
        measure_row(&mut row, &program, &Options::default(), &measures, &()).unwrap_or_else(|error| panic!("{error}"));
        std::hint::black_box(row);
    })
}

/// Records that as many launches wrote, with the writer of each.
fn writers(size: usize) -> Box<dyn FnOnce()> {
    let origin = |entry| Origin { count: 1, run: 0, entry, record: None };
    let records = Records { origins: (0..size as u64).map(origin).collect(), ..Records::default() };
    Box::new(move || {
        let sum: u64 = records.writers().map(|writer| writer.entry).sum();
        std::hint::black_box(sum);
    })
}

const ROWS: &[Row] = &[
    Row { name: "turns on one line", sizes: [10_000, 20_000, 40_000, 80_000], prepare: back, foreign: None },
    Row {
        name: "records with writers",
        sizes: [250_000, 500_000, 1_000_000, 2_000_000],
        prepare: writers,
        foreign: None,
    },
    Row { name: "measured entry points", sizes: [500, 1000, 2000, 4000], prepare: measured_entries, foreign: None },
    Row {
        name: "private variables",
        sizes: [500, 1_000, 2_000, 4_000],
        prepare: |size| parse("spirv-private", size),
        foreign: None,
    },
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
    let (mut once, mut timed, mut with_foreign, mut wanted) = (None, false, false, Vec::new());
    let mut words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    while let Some(word) = words.next() {
        match word.as_str() {
            ONCE => once = words.next().and_then(|size| size.parse().ok()),
            TIMED => timed = true,
            FOREIGN => with_foreign = true,
            option if option.starts_with('-') => {}
            _ => wanted.push(word),
        }
    }
    let rows = ROWS.iter();
    let rows = rows.filter(|row| wanted.is_empty() || wanted.iter().any(|word| row.name.contains(word.as_str())));
    if let Some(size) = once {
        for row in rows {
            let prepare = if with_foreign { row.foreign } else { Some(row.prepare) };
            let prepare = prepare.expect("has one");
            // What is set up once in a process is not measured.
            prepare(WARM_UP)();
            let run = prepare(size);
            // Valgrind does not run the clock.
            let start = timed.then(processor_time);
            measured(run);
            if let Some(start) = start {
                println!("{}", processor_time().saturating_sub(start).as_nanos());
            }
        }
        return;
    }
    println!("{:<24} {:<32} {:<36} slope", "", "sizes", "ms of the processor");
    for row in rows {
        let slope = measure(row.name, row, &[]);
        if slope > GOAL {
            println!("{:<24} above the goal of {GOAL}", "");
        }
        if row.foreign.is_some() {
            measure("  with the validator", row, &[FOREIGN]);
        }
    }
}

/// A size that takes moments.
const WARM_UP: usize = 16;

/// Runs one size once.
const ONCE: &str = "--once";

/// Prints the nanoseconds of that run.
const TIMED: &str = "--timed";

/// With foreign code.
const FOREIGN: &str = "--foreign";

/// Measures each size and prints a line. The slope.
fn measure(title: &str, row: &Row, options: &[&str]) -> f64 {
    let points = row.sizes.map(|size| {
        let once = || {
            let mut command = Command::new(std::env::current_exe().expect("a path"));
            let output =
                command.args([ONCE, &size.to_string(), TIMED, row.name]).args(options).output().expect("starts");
            let text = String::from_utf8_lossy(&output.stdout);
            Duration::from_nanos(text.trim().parse().unwrap_or_else(|_| panic!("{}: {output:?}", row.name)))
        };
        (size, (0..RUNS).map(|_| once()).min().unwrap_or_default())
    });
    let sizes = points.map(|(size, _)| size.to_string()).join(" ");
    let times = points.map(|(_, time)| format!("{:.1}", 1e3 * time.as_secs_f64())).join(" ");
    let slope = slope(&points);
    println!("{title:<24} {sizes:<32} {times:<36} {slope:.2}");
    slope
}

/// What is measured. A function of its own, which a profiler finds by its name.
#[inline(never)]
fn measured(run: Box<dyn FnOnce()>) {
    run();
}

/// What this process has used of the processor so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
