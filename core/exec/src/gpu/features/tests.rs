use std::collections::BTreeSet;

use super::*;
use lanescope_spirv::enums::Op;

pub(super) fn offer() -> Offer {
    Offer {
        name: "test device".to_owned(),
        extensions: Vec::new(),
        features: Features::default(),
        subgroup: vk::SubgroupFeatureFlags::BASIC,
        subgroup_stages: vk::ShaderStageFlags::COMPUTE,
        quads_in_all_stages: false,
        float_controls: vk::PhysicalDeviceFloatControlsProperties::default(),
    }
}

fn needs(capability: Capability) -> Needs {
    Needs { capabilities: BTreeSet::from([capability]), ..Needs::default() }
}

#[test]
fn names_missing_features() {
    for (capability, words) in [
        (Capability::Float64, "does not support the feature shaderFloat64, required by capability Float64"),
        (Capability::GroupNonUniformQuad, "subgroup operations QUAD"),
        (Capability::ComputeDerivativeGroupLinearKHR, "VK_KHR_compute_shader_derivatives or VK_NV_"),
        (Capability::SubgroupVoteKHR, "the extension VK_EXT_shader_subgroup_vote"),
        (Capability::RoundingModeRTE, "float control"),
    ] {
        let error = offer().choose(&needs(capability)).err().expect("nothing is offered");
        assert!(error.is_missing() && error.to_string().contains(words), "{error}");
    }
    let error = offer().choose(&needs(Capability::RayQueryKHR)).err().expect("not run");
    assert!(error.is_missing() && error.to_string().contains("RayQueryKHR cannot be run"), "{error}");
}

#[test]
fn compiling_takes_what_the_registry_lists() {
    let compiled = |offer: &mut Offer, capability| {
        let needs = needs(capability).compiling(false);
        offer.choose(&needs).map(|chosen| (chosen.extensions, needs.handed_on())).map_err(|error| error.to_string())
    };
    let error = compiled(&mut offer(), Capability::CooperativeMatrixKHR).expect_err("nothing is offered");
    assert!(error.contains("the extension VK_KHR_cooperative_matrix, required by capability Coop"), "{error}");
    let extension = |name: &CStr| {
        let mut extension = vk::ExtensionProperties::default();
        extension.extension_name[..name.to_bytes().len()]
            .copy_from_slice(&name.to_bytes().iter().map(|&byte| byte as std::ffi::c_char).collect::<Vec<_>>());
        extension
    };
    let mut with = Offer { extensions: vec![extension(c"VK_KHR_cooperative_matrix")], ..offer() };
    let error = compiled(&mut with, Capability::CooperativeMatrixKHR).expect_err("the feature is off");
    assert!(error.contains("the feature cooperativeMatrix"), "{error}");
    let rows = registry::enabling(Capability::CooperativeMatrixKHR).expect("a row");
    rows.iter().filter_map(|row| row.feature).for_each(|feature| with.features.registered.turn_on(&feature));
    let found = compiled(&mut with, Capability::CooperativeMatrixKHR);
    assert_eq!(found, Ok((vec![c"VK_KHR_cooperative_matrix"], vec![])));
    // What the registry does not list is for the driver to decide.
    let found = compiled(&mut offer(), Capability::Kernel);
    assert_eq!(found, Ok((vec![], vec!["capability Kernel".to_owned()])));
    let mode = lanescope_spirv::enums::ExecutionMode::EarlyAndLateFragmentTestsAMD as u32;
    let modes = Needs { modes: BTreeSet::from([mode]), unknown: BTreeSet::from([70_000]), ..Needs::default() };
    assert!(offer().choose(&modes.clone().compiling(false)).is_ok(), "the driver decides");
    assert_eq!(modes.handed_on(), ["capability 70000", "execution mode EarlyAndLateFragmentTestsAMD"]);
    assert!(offer().choose(&modes).is_err(), "a run does not");
}

/// Vulkan 1.3 lets formats decide, and a compilation has none.
#[test]
fn compiling_images_without_format_requires_no_feature() {
    for capability in [Capability::StorageImageReadWithoutFormat, Capability::StorageImageWriteWithoutFormat] {
        let mut offer = offer();
        let error = offer.choose(&needs(capability)).err().expect("a run needs it").to_string();
        assert!(error.contains("WithoutFormat, required by"), "{error}");
        let taken = |offer: &mut Offer| {
            let core = offer.choose(&needs(capability).compiling(false)).expect("compiles").features.core;
            core.shader_storage_image_read_without_format | core.shader_storage_image_write_without_format
        };
        assert_eq!(taken(&mut offer), vk::FALSE);
        offer.features.core.shader_storage_image_read_without_format = vk::TRUE;
        offer.features.core.shader_storage_image_write_without_format = vk::TRUE;
        assert_eq!(taken(&mut offer), vk::TRUE, "it is on where it is there");
    }
}

#[test]
fn runs_take_capabilities_that_need_a_feature_alone() {
    for capability in [Capability::GroupNonUniformRotateKHR, Capability::UniformTexelBufferArrayNonUniformIndexing] {
        let error = offer().choose(&needs(capability)).err().expect("nothing is offered").to_string();
        assert!(error.starts_with("test device does not support"), "{error}");
    }
    assert!(RUN.iter().all(|capability| registry::enabling(*capability).is_some()));
}

#[test]
fn enables_only_needed_features() {
    let mut offer = offer();
    offer.features.core.shader_float64 = vk::TRUE;
    offer.features.core.shader_int64 = vk::TRUE;
    offer.features.core.robust_buffer_access = vk::TRUE;
    let mut chosen = offer.choose(&needs(Capability::Float64)).expect("it is there");
    assert_eq!(chosen.features.core.shader_float64, vk::TRUE);
    assert_eq!(chosen.features.core.shader_int64, vk::FALSE);
    assert_eq!(chosen.features.core.robust_buffer_access, vk::TRUE);
    assert!(chosen.extensions.is_empty());
    let seen = chosen.features.chained(&[], |all| all.features.shader_float64);
    assert_eq!(seen, vk::TRUE);
}

/// What a compute or vertex shader needs.
fn needs_of(stage: &str, source: &str) -> Needs {
    let program = lanescope_testing::program(&[(stage, source)]);
    Needs::of(program.modules.iter().map(|module| &module.module))
}

#[test]
fn atomics_require_features_of_their_storage_class() {
    let of = |declaration: &str, statement: &str| {
        let source = format!(
            "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
             #extension GL_EXT_shader_atomic_int64 : require
             #extension GL_EXT_shader_atomic_float : require
             #extension GL_EXT_shader_atomic_float2 : require
             #extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
             #extension GL_EXT_shader_realtime_clock : require
             #extension GL_ARB_shader_clock : require
             layout(local_size_x = 8) in;
             layout(binding = 0) buffer B {{ uint64_t whole; float part; uint64_t time; float16_t narrow; double wide; }};
             layout(binding = 1, r32f) uniform image2D picture;
             {declaration} void main() {{ {statement} }}"
        );
        needs_of("comp", &source)
            .uses
            .iter()
            .map(|used| used.need())
            .filter_map(|(need, _)| match need {
                Need::Feature(name, _) | Need::Extension(name, ..) => Some(name),
                Need::Registered(row) => row.feature.map(|feature| feature.name),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    let shared = "shared uint64_t s; shared float t; shared float16_t h; shared double w;";
    assert_eq!(of("", "atomicAdd(whole, 1ul);"), ["shaderBufferInt64Atomics"]);
    assert_eq!(of(shared, "atomicAdd(s, 1ul);"), ["shaderSharedInt64Atomics"]);
    assert_eq!(of("", "atomicAdd(part, 1.0);"), ["shaderBufferFloat32AtomicAdd"]);
    assert_eq!(of(shared, "atomicAdd(t, 1.0);"), ["shaderSharedFloat32AtomicAdd"]);
    assert_eq!(of(shared, "atomicExchange(t, 1.0);"), ["shaderSharedFloat32Atomics"]);
    assert_eq!(of("", "atomicAdd(narrow, 1.0hf);"), ["shaderBufferFloat16AtomicAdd"]);
    assert_eq!(of(shared, "atomicAdd(h, 1.0hf);"), ["shaderSharedFloat16AtomicAdd"]);
    assert_eq!(of("", "atomicExchange(narrow, 1.0hf);"), ["shaderBufferFloat16Atomics"]);
    assert_eq!(of(shared, "atomicExchange(h, 1.0hf);"), ["shaderSharedFloat16Atomics"]);
    assert_eq!(of("", "atomicMin(narrow, 1.0hf);"), ["shaderBufferFloat16AtomicMinMax"]);
    assert_eq!(of(shared, "atomicMax(h, 1.0hf);"), ["shaderSharedFloat16AtomicMinMax"]);
    assert_eq!(of("", "atomicMax(part, 1.0);"), ["shaderBufferFloat32AtomicMinMax"]);
    assert_eq!(of(shared, "atomicMin(t, 1.0);"), ["shaderSharedFloat32AtomicMinMax"]);
    assert_eq!(of("", "imageAtomicMax(picture, ivec2(0), 1.0);"), ["shaderImageFloat32AtomicMinMax"]);
    assert_eq!(of("", "atomicMin(wide, 1.0lf);"), ["shaderBufferFloat64AtomicMinMax"]);
    assert_eq!(of(shared, "atomicMax(w, 1.0lf);"), ["shaderSharedFloat64AtomicMinMax"]);
    assert_eq!(of("", "time = clockARB();"), ["shaderSubgroupClock"]);
    assert_eq!(of("", "time = clockRealtimeEXT();"), ["shaderDeviceClock"]);
    assert_eq!(of("", "time = whole;"), Vec::<&str>::new());
}

#[test]
fn atomic_enables_its_feature_or_names_the_missing_one() {
    let source = "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
        #extension GL_EXT_shader_atomic_int64 : require
        layout(local_size_x = 8) in; shared uint64_t s; void main() { atomicAdd(s, 1ul); }";
    let needs = needs_of("comp", source);
    let mut offer = offer();
    offer.features.core.shader_int64 = vk::TRUE;
    offer.features.v12.shader_buffer_int64_atomics = vk::TRUE;
    let error = offer.choose(&needs).err().expect("only buffers have it").to_string();
    assert!(error.contains("shaderSharedInt64Atomics, required by an atomic on 64-bit integers"), "{error}");
    offer.features.v12.shader_shared_int64_atomics = vk::TRUE;
    let chosen = offer.choose(&needs).expect("it is there");
    assert_eq!(chosen.features.v12.shader_shared_int64_atomics, vk::TRUE);
}

#[test]
fn subgroup_operations_are_required_per_stage() {
    let source = |what: &str| {
        format!(
            "#extension GL_KHR_shader_subgroup_arithmetic : require
             #extension GL_KHR_shader_subgroup_quad : require
             layout(location = 0) out float o; void main() {{ o = {what}(1.0); }}"
        )
    };
    let mut offer = offer();
    offer.subgroup = vk::SubgroupFeatureFlags::from_raw(u32::MAX);
    let needs = |what: &str| needs_of("vert", &source(what)).drawing(false, false);
    offer.features.v13.dynamic_rendering = vk::TRUE;
    offer.features.v13.synchronization2 = vk::TRUE;
    let error = offer.choose(&needs("subgroupAdd")).err().expect("not in vertex shaders").to_string();
    assert!(error.contains("subgroup operations in vertex shaders"), "{error}");
    offer.subgroup_stages |= vk::ShaderStageFlags::VERTEX;
    assert!(offer.choose(&needs("subgroupAdd")).is_ok());
    let error = offer.choose(&needs("subgroupQuadSwapHorizontal")).err().expect("no quads").to_string();
    assert!(error.contains("quad subgroup operations in vertex shaders"), "{error}");
}

#[test]
fn rotations_in_clusters_require_a_feature_of_their_own() {
    let of = |statement: &str| {
        let source = format!(
            "#extension GL_KHR_shader_subgroup_rotate : require
             layout(local_size_x = 8) in; layout(binding = 0) buffer B {{ uint word; }}; void main() {{ {statement} }}"
        );
        needs_of("comp", &source)
    };
    let extension = |name: &CStr| {
        let mut extension = vk::ExtensionProperties::default();
        for (to, from) in extension.extension_name.iter_mut().zip(name.to_bytes()) {
            *to = *from as std::ffi::c_char;
        }
        extension
    };
    let mut offer = Offer { extensions: vec![extension(c"VK_KHR_shader_subgroup_rotate")], ..offer() };
    let turn_on = |offer: &mut Offer, rows: &[registry::Enabling]| {
        rows.iter().filter_map(|row| row.feature).for_each(|feature| offer.features.registered.turn_on(&feature));
    };
    turn_on(&mut offer, registry::enabling(Capability::GroupNonUniformRotateKHR).expect("a row"));
    assert!(offer.choose(&of("word = subgroupRotate(word, 1);")).is_ok());
    let clustered = of("word = subgroupClusteredRotate(word, 1, 4);");
    let error = offer.choose(&clustered).err().expect("not offered").to_string();
    assert!(error.contains("shaderSubgroupRotateClustered, required by a rotation within clusters"), "{error}");
    turn_on(&mut offer, registry::ROTATE_CLUSTERED);
    let chosen = offer.choose(&clustered).expect("it is there");
    let on = registry::ROTATE_CLUSTERED[0].feature.expect("a feature");
    assert!(chosen.features.registered.has(&on), "it is enabled");
}

#[test]
fn fused_multiply_adds_require_the_feature_of_their_width() {
    let of = |bits: u32| {
        let op = |op: Op, operands: &[u32]| {
            let head = (operands.len() as u32 + 1) << 16 | op as u32;
            std::iter::once(head).chain(operands.iter().copied()).collect::<Vec<_>>()
        };
        let (void, function, float, vector, zero, main, label, result) = (1, 2, 3, 4, 5, 6, 7, 8);
        let insts = [
            op(Op::Capability, &[Capability::FMAKHR as u32]),
            op(Op::TypeVoid, &[void]),
            op(Op::TypeFunction, &[function, void]),
            op(Op::TypeFloat, &[float, bits]),
            op(Op::TypeVector, &[vector, float, 2]),
            op(Op::ConstantNull, &[vector, zero]),
            op(Op::Function, &[void, main, 0, function]),
            op(Op::Label, &[label]),
            op(Op::FmaKHR, &[vector, result, zero, zero, zero]),
            op(Op::Return, &[]),
            op(Op::FunctionEnd, &[]),
        ];
        let head = [0x0723_0203, 0x0001_0600, 0, 9, 0];
        let module = lanescope_spirv::Module::parse(head.into_iter().chain(insts.concat()).collect());
        let module = module.expect("a module");
        let uses = Needs::of([&module]).uses;
        uses.iter().map(|used| format!("{used:?}")).collect::<Vec<_>>()
    };
    assert_eq!([16, 32, 64].map(of), [["Fma(16)"], ["Fma(32)"], ["Fma(64)"]]);
}

#[test]
fn what_vulkan_has_without_a_feature_needs_none() {
    for capability in [Capability::DeviceGroup, Capability::StorageImageExtendedFormats, Capability::ShaderNonUniform] {
        assert!(matches!(need(capability), Some(Need::Nothing)), "{capability:?}");
    }
}
