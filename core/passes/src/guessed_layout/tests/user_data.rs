//! Which dwords of a root take registers.

use super::*;
use crate::guessed_layout::UserData;
use lanescope_pipeline::{ResourceNode, RootNode as Described, Setting};
use lanescope_testing::program as loaded;

pub(super) fn node(ty: NodeType, offset_dwords: u32, size_dwords: u32) -> ResourceNode {
    ResourceNode {
        from: "line 1".to_owned(),
        ty: Some(ty),
        offset_dwords,
        size_dwords,
        set: None,
        binding: None,
        stride_dwords: None,
        indirect_dwords: None,
        children: Vec::new(),
    }
}

/// A table with one buffer, then push constants of so many dwords.
fn described(size: u32) -> Pipeline {
    let buffer = ResourceNode { set: Some(0), binding: Some(0), ..node(NodeType::Buffer, 0, 4) };
    let table = ResourceNode { children: vec![buffer], ..node(NodeType::TablePointer, 0, 1) };
    let sees = |node| Described { visibility: 192, stages: StageMask::of_llpc(192), node };
    let mut pipeline = Pipeline::new(Format::Glsl, PipelineKind::Compute);
    pipeline.layout.nodes = [table, node(NodeType::PushConst, 1, size)].into_iter().map(sees).collect();
    pipeline
}

/// The user data of a fragment shader that reads so many push constants, and what else is given.
fn of_fragment(count: u32, body: &str, options: &Options, settings: &[(&str, &str)]) -> Option<UserData> {
    let mut pipeline = described(count);
    pipeline.settings = settings.iter().map(|(key, value)| Setting::new("line 1", *key, *value)).collect();
    let sum: Vec<String> = (0..count).map(|at| format!("p.a[{at}]")).collect();
    let source = format!(
        "#extension GL_EXT_multiview : enable
         layout(push_constant) uniform P {{ float a[{count}]; }} p; layout(location = 0) out vec4 o;
         void main() {{ o = vec4({}, {body}, 0, 1); }}",
        sum.join(" + ")
    );
    let (partial, _) = one_of(StageKind::Fragment, &source, options, Side::Described(&pipeline, "app.pipe"));
    partial.against.and_then(|against| against.user_data)
}

/// The index of the view goes after the dwords, where there are views.
#[test]
fn the_index_of_the_view_takes_a_register() {
    let passed = |count, body, multiview| {
        let data = of_fragment(count, body, &Options { multiview, ..options() }, &[]).expect("is followed");
        (data.after, data.in_registers, data.registers)
    };
    assert_eq!(passed(1, "gl_ViewIndex", true), (1, 1, 3));
    assert_eq!(passed(1, "gl_ViewIndex", false), (0, 1, 2));
    assert_eq!(passed(1, "gl_FragCoord.x", true), (0, 1, 2));
    assert_eq!(passed(31, "gl_FragCoord.x", true), (0, 31, 32));
    assert_eq!(passed(31, "gl_ViewIndex", true), (1, 29, 32));
}

/// More values may follow from them, so the number of registers is not known.
#[test]
fn settings_that_pass_state_leave_user_data_open() {
    let with = |key| of_fragment(1, "gl_SampleID", &options(), &[(key, "1")]);
    assert_eq!(with("alphaToCoverageEnable").map(|data| data.registers), Some(2));
    assert_eq!(with("dynamicSampleInfo"), None);
    assert_eq!(with("dualSourceBlendDynamic"), None);
    assert_eq!(of_fragment(1, "1", &options(), &[("dynamicSampleInfo", "0")]).map(|data| data.registers), Some(2));
}

#[test]
fn resources_without_a_node_leave_user_data_open() {
    let found = |binding: u32| {
        let source = format!(
            "layout(set = 0, binding = 0) buffer A {{ uint v; }} a;
             layout(set = 0, binding = {binding}) buffer B {{ uint v; }} b;
             void main() {{ a.v = b.v; }}"
        );
        let pipeline = described(1);
        let (partial, _) = one_of(StageKind::Compute, &source, &options(), Side::Described(&pipeline, "app.pipe"));
        partial.against.and_then(|against| against.user_data).map(|data| data.registers)
    };
    assert_eq!((found(0), found(7)), (Some(2), None));
}

/// Each load is followed once: as often as a shader may load all of its push constants, they are the same dwords.
#[test]
fn loads_of_one_place_count_once() {
    let body = "S s; ".to_owned() + &"s = p.s; v[0] += s.a[v[1] & 511u]; ".repeat(2500);
    let source = format!(
        "layout(local_size_x = 64) in; struct S {{ uint a[512]; }}; layout(push_constant) uniform P {{ S s; }} p;
         layout(set = 0, binding = 0) buffer B {{ uint v[]; }}; void main() {{ {body} }}"
    );
    let pipeline = described(512);
    let (partial, _) = one_of(StageKind::Compute, &source, &options(), Side::Described(&pipeline, "app.pipe"));
    let data = partial.against.and_then(|against| against.user_data).expect("loads are followed");
    assert_eq!((data.loaded, data.dynamic), (513, false));
}

/// A compute shader with push constants of two blocks of four dwords that an untyped pointer goes into.
fn untyped(chains: &str, load: &str) -> GuessedStage {
    let text = format!(
        "OpCapability Shader\nOpCapability UntypedPointersKHR\nOpExtension \"SPV_KHR_untyped_pointers\"
         OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %pc %buf
         OpExecutionMode %main LocalSize 64 1 1\nOpDecorate %P Block\nOpMemberDecorate %P 0 Offset 0
         OpMemberDecorate %P 1 Offset 4\nOpMemberDecorate %P 2 Offset 16\nOpDecorate %a ArrayStride 4
         OpDecorate %B Block\nOpMemberDecorate %B 0 Offset 0\nOpDecorate %buf DescriptorSet 0
         OpDecorate %buf Binding 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0
         %v2 = OpTypeVector %uint 2\n%v4 = OpTypeVector %uint 4\n%4 = OpConstant %uint 4\n%a = OpTypeArray %uint %4
         %P = OpTypeStruct %uint %uint %a\n%B = OpTypeStruct %uint\n%pPC = OpTypeUntypedPointerKHR PushConstant
         %pSB = OpTypePointer StorageBuffer %B\n%pU = OpTypePointer StorageBuffer %uint\n%0 = OpConstant %uint 0
         %1 = OpConstant %uint 1\n%2 = OpConstant %uint 2\n%pc = OpUntypedVariableKHR %pPC PushConstant %P
         %buf = OpVariable %pSB StorageBuffer\n%main = OpFunction %void None %fn\n%entry = OpLabel
         %d = OpAccessChain %pU %buf %0\n%n = OpLoad %uint %d\n{chains}\n%l = OpLoad {load}
         %sum = OpBitcast %uint %l\nOpStore %d %sum\nOpReturn\nOpFunctionEnd\n"
    );
    let text = match load.split(' ').next() {
        Some("%uint") => text,
        _ => text.replace("OpBitcast %uint %l", "OpCompositeExtract %uint %l 0"),
    };
    let program = loaded(&[("spvasm", &text)]);
    let pipeline = described(8);
    stages(&program, &options(), Side::Described(&pipeline, "app.pipe"), &mut Vec::new()).remove(0)
}

/// Of a pointer without a type, what is loaded counts: it may reach past the member that the pointer is made for.
#[test]
fn loads_through_untyped_pointers_count_by_what_they_load() {
    let found = |chains: &str, load: &str| {
        let partial = untyped(chains, load);
        let push = partial.push_constants.expect("push constants");
        let data = partial.against.and_then(|against| against.user_data).map(|data| (data.loaded, data.dynamic));
        (push.bytes, data)
    };
    let chain = |indices: &str| format!("%p = OpUntypedAccessChainKHR %pPC %P %pc {indices}");
    // The table of the buffer takes one of the dwords.
    assert_eq!(found(&chain("%0"), "%uint %p"), (4, Some((2, false))));
    assert_eq!(found(&chain("%1"), "%v2 %p"), (32, Some((3, false))));
    assert_eq!(found(&chain("%0"), "%v4 %p"), (32, Some((5, false))));
    assert_eq!(found(&chain("%2 %1"), "%uint %p"), (32, Some((2, false))));
    assert_eq!(found("", "%v4 %pc"), (32, Some((5, false))));
    assert_eq!(found(&chain("%2 %n"), "%uint %p"), (32, Some((1, true))));
    // Another type over a part of the block is not followed.
    let second = format!("{}\n%q = OpUntypedAccessChainKHR %pPC %a %p %1", chain("%0"));
    assert_eq!(found(&second, "%uint %q"), (32, None));
}

/// Beside the internal table, a compute shader has 15 registers for dwords that it loads, 13 with the number of
/// workgroups. What the root has beyond takes none.
#[test]
fn only_dwords_that_are_loaded_take_registers() {
    let found = |size: u32, body: &str| {
        let pipeline = described(size);
        let source = format!(
            "layout(local_size_x = 64) in; layout(push_constant) uniform P {{ uint a[{size}]; }} p;
             layout(set = 0, binding = 0) buffer B {{ uint v[]; }}; void main() {{ v[0] = {body}; }}"
        );
        let side = Side::Described(&pipeline, "app.pipe");
        let (partial, findings) = one_of(StageKind::Compute, &source, &options(), side);
        let data = partial.against.and_then(|against| against.user_data).expect("loads are followed");
        let spills = findings.iter().any(|finding| finding.starts_with("A011"));
        (data.loaded, data.in_registers, data.registers, data.spilled_from, spills)
    };
    let sum = |count: u32| (0..count).map(|at| format!("p.a[{at}]")).collect::<Vec<_>>().join(" + ");
    assert_eq!(found(15, &sum(15)), (16, 14, 16, Some(14), true));
    assert_eq!(found(15, &sum(14)), (15, 15, 16, None, false));
    assert_eq!(found(32, "p.a[0] + p.a[31]"), (3, 3, 4, None, false));
    let counted = format!("{} + gl_NumWorkGroups.x", sum(13));
    assert_eq!(found(14, &counted), (14, 12, 16, Some(12), true));
    assert!(found(8, "p.a[gl_LocalInvocationIndex & 7u]").4, "an index known only at run time needs memory");
}
