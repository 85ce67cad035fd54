//! Shaders on the software device, under the validation layer. Never skipped: without either the tests fail.

use std::collections::BTreeMap;
use std::time::Duration;

use lanescope_core::gpu::{
    Content, DeviceOptions, Given, GpuError, Inputs, Needs, OPEN_ELEMENTS, devices, probe, run_compute, with_device,
};
use lanescope_core::load::load;
use lanescope_core::options::{Derivatives, SpecValue};
use lanescope_core::run::fill::Source;
use lanescope_core::run::{Blob, Execution, compare, order_dependence};
use lanescope_core::spirv::Module;
use lanescope_core::workgroup::{LaneMap, Macro, Micro};
use proptest::prelude::*;

fn device() -> DeviceOptions {
    DeviceOptions {
        device: Some("llvmpipe".to_owned()),
        validate: true,
        timeout: Duration::from_secs(20),
        ..DeviceOptions::default()
    }
}

fn module(name: &str, source: &str) -> Module {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, source).expect("writes");
    let program = load(&[path], &[]).unwrap_or_else(|error| panic!("{error}"));
    program.modules[0].module.clone()
}

fn run_module(module: &Module, groups: [u32; 3], inputs: &Inputs) -> Result<Execution, GpuError> {
    let entry = module.entry_points().first().expect("one entry point");
    let used = with_device(&Needs::of([module]), &device(), |device| {
        run_compute(device, module, entry, Some(groups), inputs, None)
    });
    used.map(|used| used.value)
}

fn run(source: &str, groups: [u32; 3], inputs: &Inputs) -> Execution {
    run_module(&module("a.comp", source), groups, inputs).unwrap_or_else(|error| panic!("{error}"))
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes"))).collect()
}

fn given(set: u32, binding: u32, words: &[u32]) -> Given {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Given { set, binding, element: None, content: Content::Bytes(Blob(bytes)) }
}

const SQUARES: &str = "#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint source[]; };
layout(set = 0, binding = 1, std430) buffer Out { uint target[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    target[i] = source[i] * source[i] + i;
}
";

#[test]
fn a_buffer_holds_what_the_shader_wrote() {
    let numbers: Vec<u32> = (0..16).map(|i| i * 3).collect();
    let inputs = Inputs { buffers: vec![given(0, 0, &numbers), given(0, 1, &[7; 20])], ..Inputs::default() };
    let done = run(SQUARES, [2, 1, 1], &inputs);
    let mut expected: Vec<u32> = (0..16).map(|i| 9 * i * i + i).collect();
    expected.extend([7; 4]);
    assert_eq!(words(done.contents("set0.binding1")), expected);
    assert_eq!(done.run.buffers.len(), 1, "a buffer that is only read is not read back");
    let buffer = &done.run.buffers[0];
    assert_eq!(
        (buffer.bytes, buffer.variable.as_deref(), buffer.shape.name().as_str()),
        (80, Some("Out"), "{ target: uint32[] }")
    );
    let (rows, all) = buffer.shape.rows(done.contents("set0.binding1"), 2);
    assert_eq!((rows[1].path.as_str(), rows[1].values[0].as_u64(), all), ("target[1]", Some(10), 20));
    assert!(done.run.nanoseconds > 0 && done.run.device.contains("llvmpipe"));
    assert!(done.run.order_dependent.is_empty());
}

#[test]
fn default_contents_follow_the_formula_and_runs_repeat() {
    let inputs = Inputs { fill: 42, ..Inputs::default() };
    let done = run(SQUARES, [4, 1, 1], &inputs);
    let of = |binding, i: u64| Source { seed: 42, set: 0, binding, element: 0 }.integer(i * 4);
    let result = words(done.contents("set0.binding1"));
    assert_eq!(result.len() as u64, OPEN_ELEMENTS);
    for (i, &word) in (0u64..).zip(&result) {
        let expected = if i < 32 { of(0, i) * of(0, i) + i } else { of(1, i) };
        assert_eq!(u64::from(word), expected, "word {i}");
    }
    assert!(compare(&done, &run(SQUARES, [4, 1, 1], &inputs)).equal);
    let other = compare(&done, &run(SQUARES, [4, 1, 1], &Inputs { fill: 43, ..Inputs::default() }));
    assert!(!other.equal && other.outputs[0].differing > 500);
}

#[test]
fn a_storage_image_is_read_and_written() {
    let source = "#version 450
        layout(local_size_x = 8, local_size_y = 8) in;
        layout(set = 0, binding = 0, rgba8ui) uniform uimage2D both;
        layout(set = 1, binding = 3, r32f) uniform writeonly image2DArray layers;
        void main() {
            ivec2 at = ivec2(gl_GlobalInvocationID.xy);
            imageStore(both, at, imageLoad(both, at) + uvec4(1, 2, 3, at.x));
            imageStore(layers, ivec3(at, 2), vec4(at.x + 100 * at.y));
        }";
    let done = run(source, [8, 8, 1], &Inputs { fill: 5, ..Inputs::default() });
    let sizes: Vec<_> = done.run.images.iter().map(|i| (i.name.as_str(), i.size, i.layers, i.texel_bytes)).collect();
    assert_eq!(sizes, [("set0.binding0", [64, 64, 1], 1, 4), ("set1.binding3", [64, 64, 1], 4, 4)]);
    let source = Source { seed: 5, set: 0, binding: 0, element: 0 };
    for (texel, bytes) in (0u64..).zip(done.contents("set0.binding0").chunks(4)) {
        let expected: Vec<u64> =
            (0..4).map(|c| source.hash(texel * 4 + c) % 64 + [1, 2, 3, texel % 64][c as usize]).collect();
        let found: Vec<u64> = bytes.iter().map(|&b| u64::from(b)).collect();
        assert_eq!(found, expected, "texel {texel}");
    }
    let layer: Vec<u32> = words(done.contents("set1.binding3"))[2 * 4096..3 * 4096].to_vec();
    for (texel, bits) in layer.into_iter().enumerate() {
        assert_eq!(f32::from_bits(bits), (texel % 64 + 100 * (texel / 64)) as f32);
    }
}

#[test]
fn push_constants_uniforms_samplers_and_arrays_are_bound() {
    let source = "#version 450
        layout(local_size_x = 1) in;
        layout(push_constant) uniform Push { float a; uvec2 b; mat2 m; } push;
        layout(set = 0, binding = 0) uniform Block { vec4 v[2]; } block;
        layout(set = 0, binding = 1) uniform sampler2D image;
        layout(set = 0, binding = 2) uniform utexture3D apart;
        layout(set = 0, binding = 4) uniform sampler pick;
        layout(set = 0, binding = 5) uniform sampler2DShadow shadow;
        layout(set = 0, binding = 6) uniform usamplerBuffer texels;
        layout(set = 2, binding = 0, std430) buffer Out { float f[8]; uint u[8]; } outs[3];
        void main() {
            outs[1].f[0] = push.a; outs[1].u[0] = push.b.y; outs[1].f[1] = push.m[1][0]; outs[1].f[2] = push.m[0][0];
            outs[1].f[3] = block.v[1].z;
            outs[1].f[4] = texelFetch(image, ivec2(3, 2), 0).g;
            outs[1].u[1] = texelFetch(usampler3D(apart, pick), ivec3(1, 2, 3), 0).b;
            outs[1].u[2] = texelFetch(texels, 17).r;
            outs[2].f[0] = textureLod(shadow, vec3(0.5, 0.5, -1.0), 0.0);
            outs[2].f[1] = textureLod(shadow, vec3(0.5, 0.5, 2.0), 0.0);
        }";
    let done = run(source, [1, 1, 1], &Inputs::default());
    let names: Vec<_> = done.run.buffers.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["set2.binding0.0", "set2.binding0.1", "set2.binding0.2"]);
    let out = words(done.contents("set2.binding0.1"));
    let float = |i: usize| f32::from_bits(out[i]);
    let place = |set, binding| Source { seed: 0, set, binding, element: 0 };
    let push = place(u32::MAX, 0);
    assert_eq!(float(0), push.float(0) as f32);
    assert_eq!(u64::from(out[8]), push.integer(12));
    assert_eq!(float(1), (push.float(24) / 16.0) as f32);
    assert_eq!(float(2), (1.0 + push.float(16) / 16.0) as f32);
    assert_eq!(float(3), place(0, 0).float(24) as f32);
    let green = place(0, 1).hash((2 * 64 + 3) * 4 + 1) & 0xff;
    assert_eq!((float(4) * 255.0).round(), green as f32);
    assert_eq!(u64::from(out[9]), place(0, 2).hash(((3 * 16 + 2) * 16 + 1) * 4 + 2) % 64);
    assert_eq!(u64::from(out[10]), place(0, 6).hash(17 * 4) % 64);
    let shadow = words(done.contents("set2.binding0.2"));
    assert_eq!([f32::from_bits(shadow[0]), f32::from_bits(shadow[1])], [1.0, 0.0]);
}

#[test]
fn specialization_constants_shape_the_run() {
    let source = "#version 450
        layout(local_size_x_id = 0) in;
        layout(constant_id = 1) const float scale = 1.0;
        layout(constant_id = 2) const bool negate = false;
        layout(set = 0, binding = 0) buffer Out { float f[16]; };
        void main() { f[gl_LocalInvocationIndex] = (negate ? -scale : scale) * float(gl_WorkGroupSize.x); }";
    let values = [(0, "5"), (1, "2.5"), (2, "true")].map(|(id, text)| (id, SpecValue(text.to_owned())));
    let set = module("a.comp", source).specialised(&BTreeMap::from(values)).expect("the values fit");
    let inputs = Inputs { buffers: vec![given(0, 0, &[0; 16])], ..Inputs::default() };
    let done = run_module(&set, [1, 1, 1], &inputs).expect("runs");
    let floats: Vec<f32> = words(done.contents("set0.binding0")).into_iter().map(f32::from_bits).collect();
    assert_eq!(floats[..5], [-12.5; 5]);
    assert_eq!(floats[5..], [0.0; 11]);
}

/// Mesa 25 has derivatives in compute, earlier versions do not.
#[test]
fn takes_derivatives_in_compute_or_names_the_missing_feature() {
    let source = "#version 450
        #extension GL_NV_compute_shader_derivatives : require
        layout(local_size_x = 4) in;
        layout(derivative_group_linearNV) in;
        layout(set = 0, binding = 0) buffer Out { float f[4]; };
        void main() { f[gl_LocalInvocationIndex] = dFdx(float(gl_LocalInvocationIndex * 3)); }";
    match run_module(&module("a.comp", source), [1, 1, 1], &Inputs::default()) {
        Ok(done) => {
            let floats: Vec<f32> = words(done.contents("set0.binding0")).into_iter().map(f32::from_bits).collect();
            assert!(has_derivatives() && floats == [3.0; 4], "{floats:?}");
        }
        Err(error) => {
            let text = error.to_string();
            assert!(error.is_missing() && !has_derivatives(), "{error}");
            assert!(text.contains("ComputeDerivativeGroupLinear"), "{text}");
            assert!(text.contains("compute_shader_derivatives"), "{text}");
        }
    }
}

/// Whether the device lists derivatives in compute.
fn has_derivatives() -> bool {
    let all = devices().expect("Vulkan answers");
    all.iter().find(|device| device.name.contains("llvmpipe")).expect("it is installed").compute_derivatives
}

#[test]
fn instructions_enable_features_or_are_refused() {
    for (declarations, statement, words) in [
        ("shared uint64_t s;", "if (i == 0) s = 0ul; barrier(); atomicAdd(s, 1ul); barrier(); o = uint(s);", "Int64"),
        ("shared float s;", "if (i == 0) s = 0; barrier(); atomicAdd(s, 1.0); barrier(); o = uint(s);", "Float32"),
        ("", "o = clockRealtimeEXT() == 0ul ? 9 : 8;", "Clock"),
    ] {
        let source = format!(
            "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n\
             #extension GL_EXT_shader_atomic_int64 : require\n#extension GL_EXT_shader_atomic_float : require\n\
             #extension GL_EXT_shader_realtime_clock : require\nlayout(local_size_x = 8) in;\n{declarations}\n\
             layout(binding = 0) buffer Out {{ uint o; }};\n\
             void main() {{ uint i = gl_LocalInvocationIndex; {statement} }}"
        );
        match run_module(&module("a.comp", &source), [1, 1, 1], &Inputs::default()) {
            Ok(done) => assert_eq!(words_of(&done), 8, "{statement}"),
            Err(error) => assert!(error.is_missing() && error.to_string().contains(words), "{error}"),
        }
    }
}

/// The first word of the only buffer.
fn words_of(done: &Execution) -> u32 {
    words(done.contents("set0.binding0"))[0]
}

#[test]
fn refuses_resources_too_large_for_the_device() {
    let large = |declaration: &str, size: u32| {
        let source = format!(
            "#version 450\nlayout(local_size_x = {size}) in;\n{declaration}\n\
             layout(set = 0, binding = 9) buffer Out {{ uint u; }};\nvoid main() {{ u = uint(x[0].x); }}"
        );
        run_module(&module("a.comp", &source), [1, 1, 1], &Inputs::default()).expect_err("too large").to_string()
    };
    let storage = large("layout(set = 0, binding = 0) buffer B { uvec4 x[100000000]; };", 1);
    assert!(storage.contains("set0.binding0") && storage.contains("1600000000"), "{storage}");
    let uniform = large("layout(set = 0, binding = 0) uniform B { uvec4 x[100000]; };", 1);
    assert!(uniform.contains("1600000") && uniform.contains("limit"), "{uniform}");
    let group = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
        OpExecutionMode %main LocalSize 64 64 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
        %main = OpFunction %void None %fn\n%begin = OpLabel\nOpReturn\nOpFunctionEnd\n";
    let error = run_module(&module("a.spvasm", group), [1, 1, 1], &Inputs::default()).expect_err("too large");
    assert!(error.to_string().contains("the workgroup (invocations) needs 4096"), "{error}");
    let shared = large("shared uvec4 x[4000000];", 1);
    assert!(shared.contains("the workgroup's shared memory (bytes) needs 64000000"), "{shared}");
    let set = large("layout(set = 40, binding = 0) buffer B { uvec4 x[1]; };", 1);
    assert!(set.contains("the pipeline layout (descriptor sets) needs 41"), "{set}");
    let error = run_module(&module("a.comp", SQUARES), [1, 70_000, 1], &Inputs::default()).expect_err("too many");
    assert!(error.to_string().contains("70000"), "{error}");
}

#[test]
fn more_descriptors_than_a_stage_may_have_are_refused_or_run() {
    for (declarations, value, words) in [
        (
            "layout(binding = 0) uniform sampler2D t[40];",
            "textureLod(t[7], vec2(0), 0).x",
            "one stage (samplers) needs 40",
        ),
        (
            "layout(binding = 0) uniform texture2D t[100]; layout(binding = 1) uniform textureBuffer b[100];",
            "texelFetch(t[7], ivec2(0), 0).x + texelFetch(b[9], 0).x",
            "one stage (sampled images) needs 200",
        ),
    ] {
        let source = format!(
            "#version 450\n#extension GL_EXT_samplerless_texture_functions : require\n\
             layout(local_size_x = 1) in;\n{declarations}\n\
             layout(binding = 2) buffer Out {{ float x; }};\nvoid main() {{ x = {value}; }}"
        );
        // Later software devices take as many.
        if let Err(error) = run_module(&module("a.comp", &source), [1, 1, 1], &Inputs::default()) {
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}

#[test]
fn buffers_that_do_not_fit_the_shader_are_refused() {
    let with = |buffer| {
        let inputs = Inputs { buffers: vec![buffer], ..Inputs::default() };
        run_module(&module("a.comp", SQUARES), [1, 1, 1], &inputs).expect_err("it does not fit").to_string()
    };
    let unused = with(given(3, 1, &[0]));
    assert!(unused.contains("set3.binding1") && unused.contains("set0.binding0, set0.binding1"), "{unused}");
    let small = with(given(0, 0, &[]));
    assert!(small.contains("set0.binding0") && small.contains("0 bytes"), "{small}");
}

#[test]
fn unknown_device_lists_the_available_ones() {
    let options = DeviceOptions { device: Some("Voodoo".to_owned()), ..device() };
    let error = with_device(&Needs::default(), &options, |_| Ok(())).expect_err("there is none");
    assert!(error.is_missing() && error.to_string().contains("llvmpipe"), "{error}");
    // A digit of a name is not an index.
    let beyond = DeviceOptions { device: Some("256".to_owned()), ..device() };
    let error = with_device(&Needs::default(), &beyond, |_| Ok(())).expect_err("there are not so many");
    assert!(error.to_string().contains("no Vulkan device has the name or index `256`"), "{error}");
    let first = DeviceOptions { device: Some("0".to_owned()), ..device() };
    assert!(with_device(&Needs::default(), &first, |device| Ok(device.info().name.clone())).is_ok());
}

#[test]
fn reports_what_a_result_depends_on() {
    let of = |body: &str| {
        let source = format!(
            "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\nlayout(local_size_x = 8) in;\n\
             layout(set = 0, binding = 0) buffer Out {{ uint u[64]; }};\nvoid main() {{ {body} }}"
        );
        let module = module("a.comp", &source);
        order_dependence(&module, &module.entry_points()[0]).join("; ")
    };
    assert_eq!(of("u[gl_LocalInvocationIndex] = 1u;"), "");
    assert_eq!(of("atomicAdd(u[0], 1u);"), "");
    assert!(of("u[atomicAdd(u[0], 1u)] = 2u;").contains("OpAtomicIAdd"));
    assert!(of("u[0] = subgroupAdd(gl_LocalInvocationIndex);").contains("OpGroupNonUniformIAdd"));
    assert!(of("u[gl_LocalInvocationIndex] = gl_SubgroupInvocationID;").contains("SubgroupLocalInvocationId"));
}

/// llvmpipe of Mesa 22 gives every row of a group subgroups of its own; where a row has a multiple of 8 invocations
/// that is the row-major map, which Mesa 25 always has.
#[test]
fn the_software_device_counts_row_by_row() {
    for size in [[8, 8, 1], [16, 16, 1], [8, 3, 2], [1, 1, 1], [3, 1, 1], [64, 1, 1], [1024, 1, 1]] {
        let found = probe(&device(), size, Derivatives::None).unwrap_or_else(|error| panic!("{size:?}: {error}"));
        assert_eq!((found.subgroup_size, found.subgroup_range), (8, [8, 8]), "{size:?}");
        assert!(found.disagreements.is_empty(), "{size:?}: {:?}", found.disagreements.first());
        let count = size.iter().product::<u32>();
        assert_eq!((found.lanes.len() as u32, found.subgroups), (count, count.div_ceil(8)), "{size:?}");
        let map = LaneMap::new(Micro::None, Macro::None, size).expect("a map");
        assert_eq!(found.predicted, map.invocations());
        // Each invocation was counted once.
        let mut order: Vec<u32> = found.lanes.iter().map(|lane| lane.order).collect();
        order.sort_unstable();
        assert_eq!(order, (0..count).collect::<Vec<_>>());
    }
}

#[test]
fn lists_each_disagreement_with_the_device() {
    for size in [[5, 6, 7], [6, 4, 2], [2, 2, 200]] {
        let found = probe(&device(), size, Derivatives::None).unwrap_or_else(|error| panic!("{size:?}: {error}"));
        let by_row = found.lanes.iter().all(|lane| lane.lane == lane.id[0] % 8);
        let row_major = found.lanes.iter().all(|lane| lane.lane == lane.index % 8);
        assert!(by_row != row_major, "{size:?}: {:?}", found.lanes);
        assert_eq!(found.disagreements.is_empty(), row_major, "{size:?}");
        for lane in &found.lanes {
            let listed = found.disagreements.iter().find(|d| d.id == lane.id && d.what == "lane");
            let values = listed.map(|d| (d.predicted.clone(), d.measured.clone()));
            let differs = lane.index % 8 != lane.lane;
            assert_eq!(values, differs.then(|| ((lane.index % 8).to_string(), lane.lane.to_string())));
        }
    }
}

#[test]
fn measures_derivatives_or_reports_them_as_unmeasured() {
    let found = probe(&device(), [8, 8, 1], Derivatives::Quads).expect("the rest is measured");
    let has = has_derivatives();
    assert_eq!(found.derivatives, if has { Derivatives::Quads } else { Derivatives::None });
    let is_named = found.not_measured.iter().any(|text| text.contains("quads"));
    assert_eq!(is_named, !has, "{:?}", found.not_measured);
    assert!(found.lanes.iter().all(|lane| lane.slopes.is_some() == has));
    assert_eq!(found.disagreements, []);
    // llvmpipe computes both alike.
    assert_eq!(found.coarse_is_fine(), has);
    let error = probe(&device(), [4096, 1, 1], Derivatives::None).expect_err("too large");
    assert!(error.to_string().contains("4096"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whole_rows_agree_with_the_prediction(x in 1u32..5, y in 1u32..9, z in 1u32..4) {
        let found = probe(&device(), [x * 8, y, z], Derivatives::None).expect("measures");
        prop_assert!(found.disagreements.is_empty());
    }
}
