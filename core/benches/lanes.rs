//! Lane-instructions per second of the interpreter, beside the device on the same dispatch and the same draw; the
//! device's time is divided by the same number, that of the interpreter's lane-instructions.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanescope_core::gpu::interpret::{self, Waves};
use lanescope_core::gpu::{DeviceOptions, Inputs, run_program};
use lanescope_core::load::load;
use lanescope_core::program::Program;
use lanescope_core::run::Execution;

/// Time limit of a run.
const LIMIT: Duration = Duration::from_secs(60);
/// Lanes of a wave.
const WAVE: u32 = 64;

const ARITHMETIC: &str = "#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint result[]; };
void main() {
    uint n = gl_GlobalInvocationID.x;
    float x = float(n);
    for (int i = 0; i < 2000; i++) {
        n = n * 1664525u + 1013904223u;
        n ^= n >> 13;
        x = x * 0.999 + 0.25;
        x = min(x, 4096.0);
    }
    result[gl_GlobalInvocationID.x] = n ^ floatBitsToUint(x);
}
";

fn program(files: &[(&str, &str)]) -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let paths: Vec<_> = files.iter().map(|(name, _)| folder.path().join(name)).collect();
    paths.iter().zip(files).for_each(|(path, (_, text))| std::fs::write(path, text).expect("writes"));
    load(&paths, &[]).expect("loads")
}

fn compare(criterion: &mut Criterion, name: &str, program: &Program, groups: Option<[u32; 3]>) {
    let inputs = Inputs::default();
    let waves = Waves::row_major(WAVE, [0; 3]);
    let interpreted = || interpret::run(program, &waves, groups, &inputs, LIMIT).expect("it runs");
    let device = || run_program(&DeviceOptions::default(), program, groups, &inputs).expect("it runs");
    let steps = interpreted().run.interpreter.map_or(0, |run| run.lane_steps);
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).throughput(Throughput::Elements(steps));
    // The time of the run itself, without decoding and opening the device.
    let mut bench = |name: &str, run: &dyn Fn() -> Execution| {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| Duration::from_nanos(run().run.nanoseconds.max(1))).sum());
        });
    };
    bench("interpreter", &interpreted);
    bench("device", &device);
    group.finish();
}

fn arithmetic(criterion: &mut Criterion) {
    compare(criterion, "arithmetic", &program(&[("a.comp", ARITHMETIC)]), Some([4, 1, 1]));
}

fn scene(criterion: &mut Criterion) {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let files = ["lit_surface.vert", "lit_surface.frag"].map(|name| samples.join(name));
    compare(criterion, "scene", &load(&files, &[]).expect("loads"), None);
}

criterion_group!(benches, arithmetic, scene);
criterion_main!(benches);
