//! Loading plus all passes, beside SPIRV-Tools validating the same modules in the same run.

use std::fmt::Write as _;
use std::path::PathBuf;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use lanescope_core::analyse;
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::program::{LoadedModule, Program};
use lanescope_core::spirv::Module;
use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator};

/// A pipeline whose two shaders hold about so many instructions each: arithmetic over sixteen varyings, some of it in
/// branches, loops and local arrays.
fn pipeline(instructions: usize) -> [(&'static str, String); 2] {
    let mut vertex = String::from("#version 460\nlayout(location = 0) in vec4 position;\n");
    let mut fragment = String::from("#version 460\nlayout(location = 0) out vec4 color;\n");
    for n in 0..16 {
        let kind = ["vec4", "vec3", "vec2", "float"][n % 4];
        let qualifier = ["", "flat ", "noperspective ", ""][n / 4];
        writeln!(vertex, "layout(location = {n}) {qualifier}out {kind} v{n};").expect("writes to memory");
        writeln!(fragment, "layout(location = {n}) {qualifier}in {kind} v{n};").expect("writes to memory");
    }
    vertex.push_str("void main() {\n  vec4 s = position;\n  gl_Position = s;\n");
    fragment.push_str("void main() {\n  vec4 s = vec4(0.0);\n  float t[4] = float[4](0.0, 0.0, 0.0, 0.0);\n");
    for n in 0..16 {
        let swizzle = ["xyzw", "xyz", "xy", "x"][n % 4];
        writeln!(vertex, "  v{n} = s.{swizzle};").expect("writes to memory");
    }
    // A line below is some ten instructions.
    for n in 0..instructions / 10 {
        let (a, b) = (n % 16, (n * 7 + 3) % 16);
        let component = |v: usize| if v % 4 == 3 { String::new() } else { ".y".to_owned() };
        writeln!(
            fragment,
            "  s.{} += v{a}{} * v{b}{} + t[{}];",
            ["x", "y", "z", "w"][n % 4],
            component(a),
            component(b),
            n % 4
        )
        .expect("writes to memory");
        writeln!(vertex, "  s = s.yzwx * 0.5 + vec4({n}.0) * s.x; gl_Position += s;").expect("writes to memory");
        if n % 16 == 15 {
            writeln!(fragment, "  if (s.x > {n}.0) {{ t[{}] = s.y; }}", n % 4).expect("writes to memory");
        }
    }
    vertex.push_str("}\n");
    fragment.push_str("  color = s;\n}\n");
    [("pipeline.vert", vertex), ("pipeline.frag", fragment)]
}

fn program(instructions: usize) -> Program {
    let folder = std::env::temp_dir().join(format!("lanescope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the sources");
    let paths: Vec<PathBuf> = pipeline(instructions)
        .iter()
        .map(|(name, source)| {
            let path = folder.join(name);
            std::fs::write(&path, source).expect("writes");
            path
        })
        .collect();
    let program = load(&paths, &[]).unwrap_or_else(|error| panic!("{error}"));
    std::fs::remove_dir_all(&folder).expect("removes");
    program
}

/// Reads both modules again from their words, then runs every pass.
fn load_and_analyse(program: &Program, options: &Options) -> usize {
    let modules = program
        .modules
        .iter()
        .map(|loaded| LoadedModule {
            module: Module::parse(loaded.module.words().to_vec()).expect("is a module"),
            source: None,
            includes: Vec::new(),
            ..loaded.clone()
        })
        .collect();
    let again = Program { inputs: program.inputs.clone(), modules, stages: program.stages.clone() };
    analyse(&again, options).expect("is analysed").registers.len()
}

fn passes(criterion: &mut Criterion) {
    let options = Options::default();
    for (name, instructions) in [("small", 60), ("middle", 800), ("large", 5000)] {
        let program = program(instructions);
        let counts: Vec<usize> = program.modules.iter().map(|m| m.module.len()).collect();
        let mut group = criterion.benchmark_group(format!("{name}: {} + {} instructions", counts[0], counts[1]));
        group.bench_with_input(BenchmarkId::from_parameter("SPIRV-Tools validates"), &program, |bencher, program| {
            bencher.iter(|| {
                let validator = val::create(Some(TargetEnv::Vulkan_1_4));
                program.modules.iter().all(|loaded| validator.validate(loaded.module.words(), None).is_ok())
            });
        });
        group.bench_with_input(BenchmarkId::from_parameter("load and all passes"), &program, |bencher, program| {
            bencher.iter(|| load_and_analyse(program, &options));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(3));
    targets = passes
}
criterion_main!(benches);
