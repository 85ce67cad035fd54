//! Modules that were not validated: reading and analysing them ends, in bounded memory, and
//! never panics.
//!
//! `MUTATIONS=100000 SEED=7` runs it for longer, and elsewhere.

mod random;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lanescope_core::analyse;
use lanescope_core::load::load;
use lanescope_core::options::{Derivatives, LayoutRules, Options, PackingOrder, SpecValue};
use lanescope_core::program::{LoadedModule, Program, Stage, StageKind};
use lanescope_core::spirv::Module;
use lanescope_core::target::Target;
use random::Random;

/// The longest that one module of a few thousand words may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most memory that this process may ever have held.
const MOST_KIB: u64 = 2 << 20;

/// Shaders with what the samples lack: calls, interpolation functions, nested blocks, other stages.
const EXTRA: &[(&str, &str)] = &[
    (
        "a.frag",
        "struct S { vec3 n; float w[2]; }; layout(location=0) in B { S s; vec2 uv; } b; layout(location=5) flat in dvec3 d;
         layout(location=8) centroid in mat3 m; layout(location=11) flat in int i; layout(location=0) out vec4 o;
         layout(constant_id=1) const int N = 4; layout(constant_id=2) const bool on = true;
         layout(location=12) in float far[N];
         void add(inout vec4 v, in S s) { for (int k = 0; k < N; ++k) { if (on) v.xyz += s.n * s.w[k & 1]; } }
         vec4 twice(vec4 v) { return v * 2; }
         void main() {
           vec4 v = vec4(interpolateAtOffset(b.uv, vec2(0.1)), interpolateAtSample(b.uv, i));
           add(v, b.s);
           switch (i) { case 0: v = twice(v); break; case 3: v.x = float(d.y); case 5: v.z += far[i]; break; default: discard; }
           vec3 c = m * v.xyz; v = i > 3 ? v : c.xyzz; o = twice(v) + gl_FragCoord + float(gl_PrimitiveID + gl_Layer);
         }",
    ),
    (
        "b.vert",
        "layout(xfb_buffer=0, xfb_stride=32) out; layout(location=0, xfb_offset=0) out vec4 a;
         layout(location=1) out B { mat2 m; layout(location=7) vec3 c; } b; out float gl_ClipDistance[3];
         void main() { a = vec4(gl_VertexIndex); b.m[gl_VertexIndex & 1] = a.xy; b.c.y = 1; gl_ClipDistance[1] = 1; }",
    ),
    (
        "c.geom",
        "layout(points) in; layout(triangle_strip, max_vertices=3) out; layout(location=0, stream=0) out vec4 a;
         layout(location=2, stream=0) out float16_t h; void main() { a = vec4(1); EmitVertex(); }",
    ),
    (
        "d.mesh",
        "#extension GL_EXT_mesh_shader : require\n
         layout(local_size_x=32) in; layout(triangles, max_vertices=64, max_primitives=32) out;
         layout(location=0) out vec4 v[]; layout(location=1) perprimitiveEXT out uint p[];
         void main() { SetMeshOutputsEXT(3, 1); v[gl_LocalInvocationIndex] = vec4(1); p[0] = 2u; }",
    ),
    (
        "e.comp",
        "layout(local_size_x_id=0, local_size_y_id=1, local_size_z=1) in; layout(constant_id=5) const int64_t big = 7;
         layout(constant_id=6) const int16_t small = 7s; layout(constant_id=7) const double wide = 0.5;
         shared float s[gl_WorkGroupSize.x * gl_WorkGroupSize.y]; layout(set=0, binding=0) buffer O { float o[]; };
         void main() { s[gl_LocalInvocationIndex] = float(big) + float(small) + float(wide); barrier();
           o[gl_GlobalInvocationID.x] = s[gl_LocalInvocationIndex ^ 1u]; }",
    ),
];

const HEAD: &str = "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n";

/// Every sample and every shader above, as loaded.
fn programs() -> Vec<(String, Program)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(samples).expect("the samples").map(|entry| entry.expect("reads").path()).collect();
    for (name, source) in EXTRA {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("{HEAD}{source}")).expect("writes");
        paths.push(path);
    }
    // A database holds the same modules many times over.
    let left_out =
        |path: &PathBuf| path.extension().is_some_and(|e| ["md", "glsl", "foz", "sodb"].iter().any(|o| e == *o));
    paths.retain(|path| path.is_file() && !left_out(path));
    paths.sort();
    let loaded = |path: &PathBuf| (path.display().to_string(), load(std::slice::from_ref(path), &[]).expect("loads"));
    paths.iter().map(loaded).collect()
}

/// Where each instruction starts, and how many words it has.
fn instructions(words: &[u32]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut at = 5;
    while at < words.len() {
        let count = ((words[at] >> 16) as usize).clamp(1, words.len() - at);
        out.push((at, count));
        at += count;
    }
    out
}

fn mutate(words: &mut Vec<u32>, random: &mut Random) {
    const ODD: &[u32] = &[0, 1, 2, 31, 32, 33, 63, 64, 65, 4095, 4096, 65_536, 1 << 31, u32::MAX - 1, u32::MAX];
    let instructions = instructions(words);
    let (at, count) = random.one_of(&instructions);
    // An operand of an instruction: its own count stays, so that the rest of the module stays readable.
    let operand = at + 1 + random.below(count - 1);
    match random.below(12) {
        0 => *random_word(words, random) ^= 1 << random.below(32),
        1 => *random_word(words, random) = random.next() as u32,
        2 if count > 1 => words[operand] = random.one_of(ODD),
        3 | 4 if count > 1 => words[operand] = random.below(words[3] as usize) as u32,
        5 if count > 1 => words[operand] ^= 1 << random.below(8),
        6 => words[at] = (words[at] & 0xffff_0000) | random.below(430) as u32,
        7 => drop(words.drain(at..at + count)),
        8 | 9 => {
            let copy = words[at..at + count].to_vec();
            let (to, _) = random.one_of(&instructions);
            words.splice(to..to, copy);
        }
        10 => words.truncate(at),
        _ => {
            let (other, other_count) = random.one_of(&instructions);
            if count == other_count && at != other {
                (0..count).for_each(|i| words.swap(at + i, other + i));
            }
        }
    }
}

fn random_word<'w>(words: &'w mut [u32], random: &mut Random) -> &'w mut u32 {
    let at = random.below(words.len());
    &mut words[at]
}

fn options(random: &mut Random) -> Options {
    let mut options = Options {
        order: random.one_of(PackingOrder::ALL),
        layout_rules: random.one_of(LayoutRules::ALL),
        target: random.one_of(&[Target::Gfx1010, Target::Gfx1030, Target::Gfx1100, Target::Gfx1200]),
        no_pack: random.below(4) == 0,
        reconfig: random.below(2) == 0,
        force_swizzle: random.below(2) == 0,
        ..Options::default()
    };
    if random.below(3) == 0 {
        options.derivatives = Some(random.one_of(Derivatives::ALL));
    }
    if random.below(3) == 0 {
        let value = random.one_of(&["0", "-1", "7", "4294967295", "1.5", "true", "0x7fff"]);
        options.spec = BTreeMap::from([(random.below(8) as u32, SpecValue(value.to_owned()))]);
    }
    options
}

/// One to three of the programs' modules, changed, as a program; stages as the modules say them.
fn changed(programs: &[(String, Program)], random: &mut Random) -> Option<(String, Program)> {
    let (name, program) = &programs[random.below(programs.len())];
    let mut names = name.clone();
    let mut program = program.clone();
    if random.below(2) == 0 {
        let (other, more) = &programs[random.below(programs.len())];
        names = format!("{names} and {other}");
        program.inputs.extend(more.inputs.iter().cloned());
        program.modules.extend(more.modules.iter().cloned());
    }
    for (index, loaded) in program.modules.iter_mut().enumerate() {
        let mut words = loaded.module.words().to_vec();
        for _ in 0..=random.below(6) {
            if words.len() > 5 {
                mutate(&mut words, random);
            }
        }
        let module = Module::parse(words).ok()?;
        *loaded = LoadedModule { input: index, module, ..loaded.clone() };
    }
    program.stages.clear();
    for (module, loaded) in program.modules.iter().enumerate() {
        for (entry_index, entry) in loaded.module.entry_points().iter().enumerate() {
            let stage = entry.stage.unwrap_or(StageKind::Compute);
            program.stages.push(Stage { stage, entry: entry.name.clone(), module, entry_index });
        }
    }
    Some((names, program))
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn broken_modules_are_analysed_without_panic_or_end() {
    let programs = programs();
    let (first, count) = (number("SEED", 1), number("MUTATIONS", 4_000));
    let mut analysed = 0;
    let mut failed = Vec::new();
    for seed in first..first + count {
        let start = Instant::now();
        let result = std::panic::catch_unwind(|| {
            let mut random = Random(seed);
            let (names, program) = changed(&programs, &mut random)?;
            Some((names, analyse(&program, &options(&mut random)).is_ok()))
        });
        let elapsed = start.elapsed();
        match result {
            Ok(Some(_)) => analysed += 1,
            Ok(None) => {}
            Err(_) => failed.push(format!("seed {seed} panics")),
        }
        if elapsed > PATIENCE {
            failed.push(format!("seed {seed} takes {elapsed:?}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(analysed > count / 3, "only {analysed} of {count} were modules at all");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak: Option<u64> = peak.and_then(|text| text.trim().trim_end_matches("kB").trim().parse().ok());
    assert!(peak.is_none_or(|kib| kib < MOST_KIB), "{peak:?} KiB were held");
}
