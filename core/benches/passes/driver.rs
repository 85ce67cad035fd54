//! Our load and passes compared with a shipping driver's creation of the same pipeline: Mesa's AMD compiler, for a chip
//! that is not installed.
//!
//! The chip is chosen by the environment that the process was started with, so the benchmark starts itself with it.

use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion};
use lanescope_core::analyse;
use lanescope_core::driver::{CompileOptions, Way, choose, creations, environment};
use lanescope_core::gpu::devices;
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::target::Target;

use super::pipeline::{SIZES, program};
use super::{parsed, title};

/// The chip that is compiled for.
const CHIP: Target = Target::Gfx1030;
/// The exit status of a process whose driver does not offer the chip.
const NOT_OFFERED: u8 = 77;
/// Pairs of the samples.
const SAMPLES: [&str; 2] = ["lit_surface", "design_note"];

/// Starts this benchmark again in the chip's environment; none where this process has it.
pub fn in_environment() -> Option<ExitCode> {
    if let Some(way) = Way::of_process() {
        let with = CompileOptions { chip: Some(CHIP.into()), ..CompileOptions::default() };
        let found = devices().ok().and_then(|devices| choose(&devices, Some(&way), &with));
        return found.is_none().then(|| ExitCode::from(NOT_OFFERED));
    }
    let program = std::env::current_exe().expect("this executable");
    for way in Way::to(CHIP.into(), None) {
        let mut again = Command::new(&program);
        again.args(std::env::args_os().skip(1)).envs(environment(Some(&way)));
        // A driver that does not know the chip's name ends the process; then another name is tried.
        match again.status().expect("it starts").code().and_then(|code| u8::try_from(code).ok()) {
            Some(NOT_OFFERED) | None => {}
            Some(code) => return Some(ExitCode::from(code)),
        }
    }
    panic!("no installed driver compiles for {CHIP}: see `lanescope doctor`")
}

fn sample(name: &str) -> Program {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let files = ["vert", "frag"].map(|stage| folder.join(format!("{name}.{stage}")));
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Loading and all passes, without validation, compared with the creation of the pipeline by an application.
pub fn beside(criterion: &mut Criterion) {
    let options = Options::default();
    let with = CompileOptions { chip: Some(CHIP.into()), ..CompileOptions::default() };
    let made = SIZES.map(|(name, instructions)| (name, program(instructions)));
    for (name, program) in SAMPLES.map(|name| (name, sample(name))).into_iter().chain(made) {
        let mut group = criterion.benchmark_group(format!("beside a driver, {}", title(name, &program)));
        group.bench_with_input(
            BenchmarkId::from_parameter("RADV creates the pipeline"),
            &program,
            |bencher, program| {
                bencher.iter_custom(|times| {
                    let times = usize::try_from(times).expect("a number of runs");
                    let all = creations(program, &options, &with, times, || ()).expect("Mesa is installed");
                    Duration::from_nanos(all.iter().sum())
                });
            },
        );
        group.bench_with_input(BenchmarkId::from_parameter("load"), &program, |bencher, program| {
            bencher.iter(|| parsed(program).modules.len());
        });
        group.bench_with_input(BenchmarkId::from_parameter("load and all passes"), &program, |bencher, program| {
            bencher.iter(|| analyse(&parsed(program), &options).expect("is analysed").registers.len());
        });
        group.finish();
        println!("beside a driver, {}: {}", title(name, &program), ratio(&program, &options, &with));
    }
}

/// Runs of each side that the ratio is taken from.
const RUNS: usize = 101;

/// The medians of both sides, one run of each after the other on one open device, and how many of ours go into one of
/// the driver's.
fn ratio(program: &Program, options: &Options, with: &CompileOptions) -> String {
    let (mut loads, mut ours) = (Vec::new(), Vec::new());
    let one = || {
        let begin = Instant::now();
        let again = parsed(program);
        loads.push(begin.elapsed().as_secs_f64() * 1e3);
        black_box(analyse(&again, options).expect("is analysed"));
        drop(again);
        ours.push(begin.elapsed().as_secs_f64() * 1e3);
    };
    let driver = creations(program, options, with, RUNS, one).expect("Mesa is installed");
    let driver: Vec<f64> = driver.into_iter().map(|nanoseconds| nanoseconds as f64 / 1e6).collect();
    let [load, ours, driver] = [loads, ours, driver].map(|mut all| {
        all.sort_by(f64::total_cmp);
        all[RUNS / 2]
    });
    let kept = if driver >= 20.0 * ours { "under" } else { "OVER" };
    format!(
        "load {load:.3} ms, with all passes {ours:.3} ms, RADV {driver:.3} ms: 1/{:.1}, {kept} a twentieth",
        driver / ours
    )
}
