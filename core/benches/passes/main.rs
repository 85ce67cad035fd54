//! Our passes compared with SPIRV-Tools' nearest work on the same modules in the same run: loading plus all passes with
//! validation, rewriting with the optimizer's passes that touch interfaces; and all with a shipping driver's creation
//! of the same pipelines.

mod driver;
mod optimizer;
mod pipeline;

use criterion::{BenchmarkId, Criterion, criterion_group};
use lanescope_core::analyse;
use lanescope_core::options::Options;
use lanescope_core::packing::rewrite::rewrite;
use lanescope_core::program::{LoadedModule, Program};
use lanescope_core::spirv::Module;
use optimizer::Optimizer;
use pipeline::{SIZES, program};
use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator};

/// Reads both modules again from their words.
fn parsed(program: &Program) -> Program {
    let modules = program
        .modules
        .iter()
        .map(|loaded| {
            let module = Module::parse(loaded.module.words().to_vec()).expect("is a module");
            LoadedModule::new(loaded.input, module)
        })
        .collect();
    Program {
        inputs: program.inputs.clone(),
        modules,
        stages: program.stages.clone(),
        dxil: program.dxil.clone(),
        pipeline: program.pipeline.clone(),
        overrides: program.overrides.clone(),
    }
}

/// The group name of a program's benchmarks: its size.
fn title(name: &str, program: &Program) -> String {
    let counts: Vec<_> = program.modules.iter().map(|loaded| loaded.module.len().to_string()).collect();
    format!("{name}: {} instructions", counts.join(" + "))
}

fn passes(criterion: &mut Criterion) {
    let options = Options::default();
    for (name, instructions) in SIZES {
        let program = program(instructions);
        let mut group = criterion.benchmark_group(title(name, &program));
        group.bench_with_input(BenchmarkId::from_parameter("SPIRV-Tools validates"), &program, |bencher, program| {
            bencher.iter(|| {
                let validator = val::create(Some(TargetEnv::Vulkan_1_4));
                program.modules.iter().all(|loaded| validator.validate(loaded.module.words(), None).is_ok())
            });
        });
        group.bench_with_input(BenchmarkId::from_parameter("load and all passes"), &program, |bencher, program| {
            bencher.iter(|| analyse(&parsed(program), &options).expect("is analysed").registers.len());
        });
        group.finish();
    }
}

/// From words to words on both sides, without validation on either.
fn rewriting(criterion: &mut Criterion) {
    let options = Options::default();
    for (name, instructions) in SIZES {
        let program = program(instructions);
        let mut group = criterion.benchmark_group(format!("rewriting, {}", title(name, &program)));
        group.bench_with_input(
            BenchmarkId::from_parameter("three of spirv-opt's passes"),
            &program,
            |bencher, given| {
                let words = |loaded: &LoadedModule| Optimizer::of_interfaces().run(loaded.module.words()).len();
                bencher.iter(|| given.modules.iter().map(words).sum::<usize>());
            },
        );
        group.bench_with_input(BenchmarkId::from_parameter("packing, rewritten"), &program, |bencher, given| {
            bencher.iter(|| {
                let packed = rewrite(&parsed(given), &options).expect("is rewritten").program;
                packed.modules.iter().map(|loaded| loaded.module.words().len()).sum::<usize>()
            });
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(3));
    targets = passes, rewriting, driver::beside
}

fn main() -> std::process::ExitCode {
    if let Some(code) = driver::in_environment() {
        return code;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
    std::process::ExitCode::SUCCESS
}
