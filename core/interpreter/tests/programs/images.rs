//! Images: loads, stores, atomics, sampling.

use std::sync::Arc;

use lanescope_interpreter::{
    Buffer, Dispatch, EventKind, Image, Inputs, LaneMap, LaunchError, LoggedFilter, LoggedKind, Machine, Options,
    Program, Sampler,
};
use lanescope_spirv::enums::ImageFormat;

use crate::harness::words;
use crate::support::Shader;

fn image(binding: u32, format: ImageFormat, size: [u32; 3], texels: Vec<u8>) -> Image {
    Image { set: 1, binding, element: 0, format, size, layers: 1, levels: 1, texels }
}

fn shader(body: &str) -> Shader {
    let mut shader = Shader::new(16, body).declare(
        "%v2int = OpTypeVector %int 2
         %storage = OpTypeImage %float 2D 0 0 0 2 Rgba8
         %ptr_storage = OpTypePointer UniformConstant %storage
         %target = OpVariable %ptr_storage UniformConstant
         %counters = OpTypeImage %uint 2D 0 0 0 2 R32ui
         %ptr_counters = OpTypePointer UniformConstant %counters
         %counter_image = OpVariable %ptr_counters UniformConstant
         %ptr_Image_uint = OpTypePointer Image %uint
         %texture = OpTypeImage %float 2D 0 0 0 1 Unknown
         %combined = OpTypeSampledImage %texture
         %ptr_combined = OpTypePointer UniformConstant %combined
         %sampled = OpVariable %ptr_combined UniformConstant",
    );
    shader.decorations = (0..3)
        .zip(["%target", "%counter_image", "%sampled"])
        .map(|(binding, name)| format!("OpDecorate {name} DescriptorSet 1\nOpDecorate {name} Binding {binding}\n"))
        .collect();
    shader
}

fn run(body: &str) -> Machine {
    run_on(image(0, ImageFormat::Rgba8, [4, 4, 1], (0..64).collect()), body)
}

fn run_on(target: Image, body: &str) -> Machine {
    let sampler = Sampler { mag_linear: true, ..Sampler::default() };
    let mut machine = launched((target, gradient(1)), sampler, body);
    machine.run();
    machine
}

/// 4×4 texels of floats with their numbers, and smaller levels.
fn gradient(levels: u32) -> Image {
    let count: u32 = (0..levels).map(|level| (4u32 >> level).max(1).pow(2)).sum();
    let texels = (0..count).flat_map(|at| (at as f32).to_le_bytes()).collect();
    Image { levels, ..image(2, ImageFormat::R32f, [4, 4, 1], texels) }
}

fn launched((target, sampled): (Image, Image), sampler: Sampler, body: &str) -> Machine {
    let module = shader(body).module();
    let program = Program::decode(&module, &module.entry_points()[0]).unwrap_or_else(|error| panic!("{error}"));
    let inputs = Inputs {
        buffers: vec![Buffer { bytes: vec![0; 64], ..Buffer::default() }],
        images: vec![target, image(1, ImageFormat::R32ui, [2, 1, 1], vec![0; 8]), sampled],
        samplers: vec![Sampler { set: 1, binding: 2, ..sampler }],
        ..Inputs::default()
    };
    let dispatch = Dispatch { groups: [1; 3], only: None, lanes: LaneMap::linear(8, 16) };
    Machine::new(Arc::new(program), &inputs, &dispatch, &Options::default()).expect("a machine")
}

const PLACE: &str = "%low = OpBitwiseAnd %uint %index %u:3
    %high = OpShiftRightLogical %uint %index %u:2
    %place = OpCompositeConstruct %v2uint %low %high\n";

#[test]
fn texels_are_converted_by_their_format() {
    let machine = run(&format!(
        "{PLACE}
         %img = OpLoad %storage %target
         %texel = OpImageRead %v4float %img %place
         %turned = OpVectorShuffle %v4float %texel %texel 3 2 1 0
         OpImageWrite %img %place %turned
         %size = OpImageQuerySize %v2uint %img
         %width = OpCompositeExtract %uint %size 0
         store %index %width"
    ));
    let expected: Vec<u8> = (0..16).flat_map(|at| [4 * at + 3, 4 * at + 2, 4 * at + 1, 4 * at]).collect();
    assert_eq!(machine.contents(1, 0, 0), Some(expected.as_slice()));
    assert_eq!(machine.contents(0, 0, 0), Some(words(&[4; 16]).as_slice()));
    assert_eq!(machine.events(), []);
}

#[test]
fn texels_race_and_lie_beyond_like_memory() {
    let machine = run("%img = OpLoad %storage %target
         %place = OpCompositeConstruct %v2uint %index %u:0
         %texel = OpImageRead %v4float %img %place
         %zero = OpCompositeConstruct %v2uint %u:0 %u:0
         OpImageWrite %img %zero %texel");
    let kinds: Vec<_> = machine.events().iter().map(|event| (event.kind, event.lanes)).collect();
    assert_eq!(kinds[0], (EventKind::OutOfBounds, 0xf0), "{kinds:?}");
    // What is read beyond the image is 0: lanes that write it write the same.
    let known = [EventKind::DataRace, EventKind::EqualWrites, EventKind::OutOfBounds];
    assert!(kinds[1..].iter().all(|(kind, _)| known.contains(kind)), "{kinds:?}");
    assert!(kinds.iter().any(|(kind, _)| *kind == EventKind::DataRace));
}

#[test]
fn texels_that_share_a_word_do_not_race() {
    use ImageFormat::{R8, R8ui, R16, R16f, Rg8, Rg8Snorm, Rgba8};
    for (format, bytes) in [(R8, 1), (R8ui, 1), (R16, 2), (R16f, 2), (Rg8, 2), (Rg8Snorm, 2), (Rgba8, 4)] {
        let kinds = |place: &str| {
            let target = image(0, format, [4, 4, 1], vec![0; 16 * bytes]);
            let body = format!(
                "{PLACE}
                 {place}
                 %img = OpLoad %storage %target
                 %texel = OpImageRead %v4float %img %place
                 %real = OpConvertUToF %float %index
                 %part = OpFMul %float %real %f:0.125
                 %new = OpCompositeConstruct %v4float %part %part %part %part
                 OpImageWrite %img %other %new"
            );
            run_on(target, &body).events().iter().map(|event| event.kind).collect::<Vec<_>>()
        };
        assert_eq!(kinds("%other = OpCompositeConstruct %v2uint %low %high"), [], "{format:?}");
        // A neighbour's texel.
        let other = "%beside = OpBitwiseXor %uint %low %u:1\n%other = OpCompositeConstruct %v2uint %beside %high";
        assert_eq!(kinds(other), [EventKind::DataRace], "{format:?}");
    }
}

#[test]
fn atomics_reach_texels() {
    let machine = run("%odd = OpBitwiseAnd %uint %index %u:1
         %place = OpCompositeConstruct %v2uint %odd %u:0
         %p = OpImageTexelPointer %ptr_Image_uint %counter_image %place %u:0
         %old = OpAtomicIAdd %uint %p %u:1 %u:0 %index");
    assert_eq!(machine.contents(1, 1, 0), Some(words(&[56, 64]).as_slice()));
    assert_eq!(machine.events(), []);
}

#[test]
fn samples_fetches_and_gathers() {
    let machine = run("%both = OpLoad %combined %sampled
         %uv = OpCompositeConstruct %v2float %f:0.5 %f:0.5
         %s = OpImageSampleExplicitLod %v4float %both %uv Lod %f:0.0
         %s0 = OpCompositeExtract %float %s 0
         %s3 = OpCompositeExtract %float %s 3
         %only = OpImage %texture %both
         %two = OpCompositeConstruct %v2uint %u:2 %u:1
         %t = OpImageFetch %v4float %only %two Lod %u:0
         %t0 = OpCompositeExtract %float %t 0
         %g = OpImageGather %v4float %both %uv %u:0
         %g0 = OpCompositeExtract %float %g 0
         %g2 = OpCompositeExtract %float %g 2
         %u0 = OpConvertFToU %uint %s0
         %u1 = OpConvertFToU %uint %s3
         %u2 = OpConvertFToU %uint %t0
         %u3 = OpConvertFToU %uint %g0
         %u4 = OpConvertFToU %uint %g2
         %first = OpIEqual %bool %index %u:0
         OpSelectionMerge %end None
         OpBranchConditional %first %then %end
         %then = OpLabel
         store %u:0 %u0
         store %u:1 %u1
         store %u:2 %u2
         store %u:3 %u3
         store %u:4 %u4
         OpBranch %end
         %end = OpLabel");
    // The middle is between 5, 6, 9 and 10; missing components are 0, 0, 1... filtered alpha is 1.
    assert_eq!(machine.contents(0, 0, 0).map(|bytes| &bytes[..20]), Some(words(&[7, 1, 6, 9, 6]).as_slice()));
}

/// What each lookup logs: how it filters, and how many texels of which levels it reads.
#[test]
fn lookups_log_their_filter_and_their_texels() {
    let logged = |linear: bool, mip_linear: bool, lod: &str| {
        let body = format!(
            "%both = OpLoad %combined %sampled
             %uv = OpCompositeConstruct %v2float %f:0.5 %f:0.5
             %s = OpImageSampleExplicitLod %v4float %both %uv Lod %f:{lod}"
        );
        let sampler =
            Sampler { mag_linear: linear, min_linear: linear, mip_linear, max_lod: 9.0, ..Sampler::default() };
        let target = image(0, ImageFormat::Rgba8, [4, 4, 1], vec![0; 64]);
        let mut machine = launched((target, gradient(3)), sampler, &body);
        machine.log_accesses(1000);
        machine.run();
        let mut rows = Vec::new();
        assert!(machine.take_accesses(&mut rows) && rows.iter().all(|row| row.kind == LoggedKind::Load && !row.helper));
        // The texels of the first lane: 16 of level 0, then 4, then 1.
        let own = || rows.iter().filter(|row| row.invocation == 0);
        let of_level = |texels: std::ops::Range<u64>| own().filter(|row| texels.contains(&(row.offset / 4))).count();
        let filters: Vec<Option<LoggedFilter>> = own().map(|row| row.filter).collect();
        assert!(filters.windows(2).all(|pair| pair[0] == pair[1]), "{filters:?}");
        assert_eq!(own().filter(|row| row.begins).count(), 1, "one access");
        (filters[0], [of_level(0..16), of_level(16..20), of_level(20..21)])
    };
    use LoggedFilter::{Linear, LinearOfTwo, Nearest, NearestOfTwo};
    assert_eq!(logged(false, false, "0.0"), (Some(Nearest), [1, 0, 0]));
    assert_eq!(logged(true, true, "0.0"), (Some(Linear), [4, 0, 0]));
    assert_eq!(logged(true, true, "1.0"), (Some(Linear), [0, 4, 0]));
    assert_eq!(logged(true, true, "0.5"), (Some(LinearOfTwo), [4, 4, 0]));
    assert_eq!(logged(false, true, "1.5"), (Some(NearestOfTwo), [0, 1, 1]));
    assert_eq!(logged(false, false, "1.0"), (Some(Nearest), [0, 1, 0]));
    let mut machine = launched(
        (image(0, ImageFormat::Rgba8, [4, 4, 1], vec![0; 64]), gradient(1)),
        Sampler::default(),
        "%both = OpLoad %combined %sampled
         %uv = OpCompositeConstruct %v2float %f:0.5 %f:0.5
         %only = OpImage %texture %both
         %two = OpCompositeConstruct %v2uint %u:2 %u:1
         %t = OpImageFetch %v4float %only %two Lod %u:0
         %g = OpImageGather %v4float %both %uv %u:0",
    );
    machine.log_accesses(1000);
    machine.run();
    let mut rows = Vec::new();
    assert!(machine.take_accesses(&mut rows));
    let of_first: Vec<_> = rows.iter().filter(|row| row.invocation == 0).map(|row| row.filter).collect();
    assert_eq!(
        of_first,
        [
            None,
            Some(LoggedFilter::Gather),
            Some(LoggedFilter::Gather),
            Some(LoggedFilter::Gather),
            Some(LoggedFilter::Gather)
        ]
    );
}

#[test]
fn rejects_texels_of_another_size() {
    let module = shader("").module();
    let program = Arc::new(Program::decode(&module, &module.entry_points()[0]).expect("decodes"));
    let inputs = Inputs { images: vec![image(0, ImageFormat::Rgba8, [4, 4, 1], vec![0; 63])], ..Inputs::default() };
    let dispatch = Dispatch { groups: [1; 3], only: None, lanes: LaneMap::linear(8, 16) };
    let error = Machine::new(program, &inputs, &dispatch, &Options::default()).map(|_| ());
    assert!(matches!(error, Err(LaunchError::Image { set: 1, binding: 0, .. })), "{error:?}");
}
