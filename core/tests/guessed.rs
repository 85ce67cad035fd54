//! The guessed layout on the software device: where it matches an application's layout, its results are those of the
//! application's own pipeline.
//!
//! A failing case of the property test is printed, and kept in `core/tests/seeds`.

use std::sync::Mutex;
use std::time::Duration;

use lanescope_core::driver::CompileOptions;
use lanescope_core::driver::speculative::{SpeculativeOptions, Store, is_entry_name, speculate};
use lanescope_core::gpu::{Described, Descriptors, DeviceOptions, GpuError, Inputs, run_program_with};
use lanescope_core::guessed_layout::{BreakKind, Side, stages};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::pipeline::layout::{Binding, DescriptorSet, PushConstantRange};
use lanescope_core::pipeline::vulkan::DescriptorType;
use lanescope_core::pipeline::{Pipeline, PipelineKind, StageMask};
use lanescope_core::program::{Format, Program, StageKind};
use lanescope_core::run::{Execution, compare};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn program(sources: &[(&str, &str)]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |(extension, source): &(&str, &str)| {
        let path = folder.path().join(format!("a.{extension}"));
        std::fs::write(&path, format!("#version 460\n{source}")).expect("writes");
        path
    };
    let files: Vec<_> = sources.iter().map(write).collect();
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}\n{sources:?}"))
}

fn run(program: &Program, descriptors: Descriptors<'_>) -> Result<Execution, GpuError> {
    let device = DeviceOptions {
        device: Some("llvmpipe".to_owned()),
        validate: true,
        timeout: Duration::from_secs(20),
        ..DeviceOptions::default()
    };
    run_program_with(&device, program, None, &Inputs { fill: 11, ..Inputs::default() }, descriptors)
}

/// A store of one entry, which is returned with zeros after it: more than the header that identifies the driver.
#[derive(Default)]
struct Padded(Mutex<Option<(String, Vec<u8>)>>);

impl Store for Padded {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let entry = self.0.lock().expect("nobody panicked");
        Ok(entry.as_ref().filter(|(known, _)| known == name).map(|(_, bytes)| bytes.clone()))
    }

    fn store(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().max(64), 0);
        *self.0.lock().expect("nobody panicked") = Some((name.to_owned(), bytes));
        Ok(())
    }
}

#[test]
fn worker_gets_the_stored_cache() {
    let program = program(&[(
        "comp",
        "layout(local_size_x = 8) in; layout(binding = 0) buffer S { uint s; }; void main() { s = 3u; }",
    )]);
    let options = Options::default();
    let partial = stages(&program, &options, Side::of(&program), &mut Vec::new()).remove(0);
    let with = CompileOptions { device: Some("llvmpipe".to_owned()), validate: true, ..CompileOptions::default() };
    let with = SpeculativeOptions { with, repeats: 1, gap: None };
    let store = Padded::default();
    for kept in [false, true] {
        let done = speculate(&program, &partial, &options, &with, &store).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((done.kept, done.hit), (kept, true), "{done:?}");
        let what = if kept { "compile the guess from the stored cache" } else { "compile the guess" };
        assert!(done.events.iter().any(|event| event.what == what), "{:?}", done.events);
        let entry = store.0.lock().expect("nobody panicked");
        assert!(entry.as_ref().is_some_and(|(name, _)| is_entry_name(name)), "{entry:?}");
    }
}

/// A set layout's bindings: number, type, count.
type Bindings = Vec<(u32, &'static str, u32)>;

fn described(sets: &[(u32, Bindings)], push: u32) -> Pipeline {
    let stages: StageMask = [StageKind::Vertex, StageKind::Fragment, StageKind::Compute].into_iter().collect();
    let binding = |(binding, ty, count): &(u32, &str, u32)| Binding {
        binding: *binding,
        ty: DescriptorType::named(ty).expect("a type"),
        count: *count,
        stages,
        flags: 0,
        immutable_samplers: Vec::new(),
        mutable_types: Vec::new(),
    };
    let mut pipeline = Pipeline::new(Format::Glsl, PipelineKind::Graphics);
    let set = |(set, all): &(u32, Bindings)| DescriptorSet {
        set: *set,
        hash: None,
        flags: 0,
        bindings: all.iter().map(binding).collect(),
    };
    pipeline.layout.sets = sets.iter().map(set).collect();
    if push > 0 {
        pipeline.layout.push_constants = vec![PushConstantRange { stages, offset: 0, size: push }];
    }
    pipeline
}

/// Both runs' results, where the guess serves; what breaks it, else.
fn both(program: &Program, pipeline: &Pipeline, options: &Options) -> Result<[Execution; 2], Vec<BreakKind>> {
    let mut findings = Vec::new();
    let all = stages(program, options, Side::Described(pipeline, "app"), &mut findings);
    let against: Vec<_> = all.iter().filter_map(|stage| stage.against.as_ref()).collect();
    // Colour targets are the device's own here, regardless of the description.
    let broken: Vec<BreakKind> = against
        .iter()
        .flat_map(|against| &against.breaks)
        .map(|one| one.kind)
        .filter(|kind| *kind != BreakKind::ExportFormat)
        .collect();
    if !broken.is_empty() {
        return Err(broken);
    }
    let application: Vec<Described> = against.first().map(|a| Described::of(&a.application)).unwrap_or_default();
    let dynamic = [options.dynamic_uniform, options.dynamic_storage];
    let given = run(program, Descriptors::Application(&application)).unwrap_or_else(|error| panic!("given: {error}"));
    let guessed = Descriptors::Automatic { application: &application, dynamic };
    let guessed = run(program, guessed).unwrap_or_else(|error| panic!("guessed: {error}"));
    Ok([given, guessed])
}

const COMPUTE: &str = "layout(local_size_x = 64) in;
    layout(set = 0, binding = 2) uniform U { vec4 scale; uint more; } u;
    layout(set = 1, binding = 1, std430) buffer S { vec4 all[]; } s;
    layout(set = 1, binding = 3, rgba32f) uniform image2D image;
    layout(set = 1, binding = 4) uniform sampler2D texels;
    layout(push_constant) uniform P { vec4 tint; float k; } p;
    void main() {
        // A run covers the image with workgroups: one row of them, so that each element has one writer.
        if (gl_GlobalInvocationID.y != 0) return;
        uint i = gl_GlobalInvocationID.x;
        vec4 v = imageLoad(image, ivec2(i, 1)) + texture(texels, vec2(i) / 64.0);
        s.all[i] = s.all[i] * u.scale + v * p.tint * p.k + float(u.more);
        imageStore(image, ivec2(i, 0), s.all[i]);
    }";

fn full() -> Vec<(u32, Bindings)> {
    vec![
        (0, vec![(0, "SAMPLED_IMAGE", 1), (2, "UNIFORM_BUFFER", 1)]),
        (
            1,
            vec![
                (0, "STORAGE_BUFFER", 2),
                (1, "STORAGE_BUFFER", 1),
                (3, "STORAGE_IMAGE", 1),
                (4, "COMBINED_IMAGE_SAMPLER", 1),
            ],
        ),
        (3, vec![(5, "SAMPLER", 1)]),
    ]
}

#[test]
fn a_compute_shader_computes_the_same_with_the_guessed_layout() {
    let program = program(&[("comp", COMPUTE)]);
    let [given, guessed] = both(&program, &described(&full(), 64), &Options::default()).expect("a hit");
    let compared = compare(&given, &guessed);
    assert!(compared.equal, "{compared:#?}");
    assert!(compared.outputs.len() >= 2, "a buffer and an image: {compared:#?}");
}

#[test]
fn dynamic_buffers_compute_the_same_if_guessed_as_dynamic() {
    let program = program(&[("comp", COMPUTE)]);
    let mut sets = full();
    sets[0].1[1].1 = "UNIFORM_BUFFER_DYNAMIC";
    let pipeline = described(&sets, 20);
    let broken = both(&program, &pipeline, &Options::default()).expect_err("a miss");
    assert_eq!(broken, [BreakKind::Dynamic]);
    let options = Options { dynamic_uniform: true, ..Options::default() };
    let [given, guessed] = both(&program, &pipeline, &options).expect("a hit");
    assert!(compare(&given, &guessed).equal);
}

#[test]
fn a_fragment_shader_draws_the_same_beside_a_vertex_shader_of_the_same_sets() {
    let vertex = "layout(location = 0) in vec4 position; layout(location = 0) out vec4 color;
        layout(set = 0, binding = 1) uniform Place { vec4 move; } place;
        void main() { gl_Position = position + place.move * 0.0; color = position + place.move; }";
    let fragment = "layout(location = 0) in vec4 color; layout(location = 0) out vec4 result;
        layout(set = 0, binding = 2) uniform Ink { vec4 ink; }; layout(set = 2, binding = 0) uniform sampler2D image;
        layout(push_constant) uniform P { float k; } p;
        void main() { result = color * ink + texture(image, color.xy) * p.k; }";
    let program = program(&[("vert", vertex), ("frag", fragment)]);
    let sets = [
        (0, vec![(0, "UNIFORM_BUFFER", 1), (1, "UNIFORM_BUFFER", 1), (2, "UNIFORM_BUFFER", 1)]),
        (2, vec![(0, "COMBINED_IMAGE_SAMPLER", 1), (1, "STORAGE_IMAGE", 1)]),
    ];
    let [given, guessed] = both(&program, &described(&sets, 16), &Options::default()).expect("a hit");
    let compared = compare(&given, &guessed);
    assert!(compared.equal && !given.run.attachments.is_empty(), "{compared:#?}");
}

#[test]
fn unusable_guess_is_refused_on_the_device() {
    let program = program(&[("comp", COMPUTE)]);
    // The application has no such binding: nothing can be copied from it.
    let nothing = Descriptors::Automatic { application: &[], dynamic: [true, false] };
    let error = run(&program, nothing).expect_err("a uniform buffer is not a dynamic one");
    assert!(error.to_string().contains("not in the application's layout"), "{error}");
}

/// Kinds of buffers that a compute shader reads: how they are declared, and what the application calls them.
const KINDS: [(&str, &str); 3] =
    [("uniform", "UNIFORM_BUFFER"), ("readonly buffer", "STORAGE_BUFFER"), ("sampler", "COMBINED_IMAGE_SAMPLER")];

fn source(used: &[((u32, u32), usize)]) -> String {
    let mut head = String::from(
        "layout(local_size_x = 32) in;\nlayout(set = 0, binding = 0, std430) buffer Out { vec4 all[]; } o;\n",
    );
    let mut body = String::from("    uint i = gl_LocalInvocationIndex;\n    vec4 v = vec4(float(i));\n");
    for (at, ((set, binding), kind)) in used.iter().enumerate() {
        let place = format!("layout(set = {set}, binding = {binding}");
        match KINDS[*kind].0 {
            "sampler" => {
                head.push_str(&format!("{place}) uniform sampler2D r{at};\n"));
                body.push_str(&format!("    v += texture(r{at}, vec2(i) / 32.0) * {at}.5;\n"));
            }
            "uniform" => {
                head.push_str(&format!("{place}) uniform B{at} {{ vec4 x[32]; }} r{at};\n"));
                body.push_str(&format!("    v = v * 0.75 + r{at}.x[i];\n"));
            }
            other => {
                head.push_str(&format!("{place}, std430) {other} B{at} {{ vec4 x[32]; }} r{at};\n"));
                body.push_str(&format!("    v = v.yzwx - r{at}.x[i];\n"));
            }
        }
    }
    format!("{head}void main() {{\n{body}    o.all[i] = v;\n}}")
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct("tests/seeds/guessed.txt"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_hit_never_yields_other_results(
        used in proptest::collection::btree_map((0u32..3, 1u32..7), 0usize..3, 0..6),
        more in proptest::collection::btree_map((0u32..4, 0u32..9), (0usize..3, 1u32..3), 0..6),
        wrong in proptest::option::weighted(0.3, (0usize..6, 0usize..3)),
        order in any::<bool>(),
    ) {
        let used: Vec<_> = used.into_iter().collect();
        let program = program(&[("comp", &source(&used))]);
        let mut sets: std::collections::BTreeMap<u32, Bindings> = std::collections::BTreeMap::new();
        sets.entry(0).or_default().push((0, "STORAGE_BUFFER", 1));
        for (at, ((set, binding), kind)) in used.iter().enumerate() {
            let kind = wrong.filter(|(which, _)| *which == at).map_or(*kind, |(_, kind)| kind);
            sets.entry(*set).or_default().push((*binding, KINDS[kind].1, 1));
        }
        for ((set, binding), (kind, count)) in more {
            let all = sets.entry(set).or_default();
            if !all.iter().any(|one| one.0 == binding) {
                all.push((binding, KINDS[kind].1, count));
            }
        }
        let mut sets: Vec<_> = sets.into_iter().collect();
        if order {
            sets.iter_mut().for_each(|(_, all)| all.reverse());
        }
        // A storage buffer where the shader has a uniform one is one node type and an error of the application.
        let buffers = |one: &((u32, u32), usize), at: usize| {
            wrong.is_some_and(|(which, kind)| which == at && kind != one.1 && kind < 2 && one.1 < 2)
        };
        if used.iter().enumerate().any(|(at, one)| buffers(one, at)) {
            return Ok(());
        }
        let right = wrong.is_none_or(|(which, kind)| used.get(which).is_none_or(|one| one.1 == kind));
        match both(&program, &described(&sets, 0), &Options::default()) {
            Ok([given, guessed]) => {
                prop_assert!(right);
                let compared = compare(&given, &guessed);
                prop_assert!(compared.equal, "{:#?}", compared);
            }
            Err(broken) => prop_assert!(!right, "{:?}", broken),
        }
    }
}
