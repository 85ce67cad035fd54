//! Our load and passes beside a shipping driver's creation of the same pipeline: Mesa's AMD compiler, for a chip that
//! nobody has plugged in.
//!
//! The chip is chosen by the environment that the process was started with, so the benchmark starts itself with it.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use criterion::{BenchmarkId, Criterion};
use lanescope_core::analyse;
use lanescope_core::driver::{CompileOptions, FAMILY_VARIABLE, Version, chips, compile, environment};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::target::Target;

use super::pipeline::{SIZES, program};
use super::{parsed, title};

/// The chip that is compiled for.
const CHIP: Target = Target::Gfx1030;
/// Pairs of the samples.
const SAMPLES: [&str; 2] = ["lit_surface", "design_note"];

/// Starts this benchmark again in the chip's environment; none where this process has it.
pub fn in_environment() -> Option<ExitCode> {
    if std::env::var_os(FAMILY_VARIABLE).is_some() {
        return None;
    }
    let chip = chips().find(|chip| chip.target == CHIP).expect("Mesa knows it");
    let program = std::env::current_exe().expect("this executable");
    let status = Command::new(program).args(std::env::args_os().skip(1)).envs(environment(Some(chip))).status();
    let code = status.expect("it starts").code().and_then(|code| u8::try_from(code).ok());
    Some(ExitCode::from(code.unwrap_or(1)))
}

fn sample(name: &str) -> Program {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let files = ["vert", "frag"].map(|stage| folder.join(format!("{name}.{stage}")));
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Loading and all passes, without validation, beside the creation of the pipeline as an application makes it.
pub fn beside(criterion: &mut Criterion) {
    let options = Options::default();
    let with = CompileOptions { chip: Some(CHIP), bare: true, ..CompileOptions::default() };
    let made = SIZES.map(|(name, instructions)| (name, program(instructions)));
    for (name, program) in SAMPLES.map(|name| (name, sample(name))).into_iter().chain(made) {
        let mut group = criterion.benchmark_group(format!("beside a driver, {}", title(name, &program)));
        group.bench_with_input(
            BenchmarkId::from_parameter("RADV creates the pipeline"),
            &program,
            |bencher, program| {
                // The device is opened each time; the clock is that of the creation alone.
                bencher.iter_custom(|times| {
                    let one = || {
                        let made = compile(program, &options, Version::Original, &with).expect("Mesa is installed");
                        made.pipelines.iter().map(|pipeline| pipeline.nanoseconds).sum::<u64>()
                    };
                    Duration::from_nanos((0..times).map(|_| one()).sum())
                });
            },
        );
        group.bench_with_input(BenchmarkId::from_parameter("load and all passes"), &program, |bencher, program| {
            bencher.iter(|| analyse(&parsed(program), &options).expect("is analysed").registers.len());
        });
        group.finish();
    }
}
