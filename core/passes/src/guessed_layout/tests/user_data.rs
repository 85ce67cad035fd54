//! Which dwords of a root take registers.

use super::*;
use lanescope_pipeline::{ResourceNode, RootNode as Described};

/// Beside the internal table, a compute shader has 15 registers for dwords that it loads, 13 with the number of
/// workgroups. What the root has beyond takes none.
#[test]
fn only_dwords_that_are_loaded_take_registers() {
    let found = |size: u32, body: &str| {
        let node = |ty, offset_dwords, size_dwords| ResourceNode {
            from: "line 1".to_owned(),
            ty: Some(ty),
            offset_dwords,
            size_dwords,
            set: None,
            binding: None,
            stride_dwords: None,
            indirect_dwords: None,
            children: Vec::new(),
        };
        let buffer = ResourceNode { set: Some(0), binding: Some(0), ..node(NodeType::Buffer, 0, 4) };
        let table = ResourceNode { children: vec![buffer], ..node(NodeType::TablePointer, 0, 1) };
        let sees = |node| Described { visibility: 128, stages: StageMask::of_llpc(128), node };
        let mut pipeline = Pipeline::new(Format::Glsl, PipelineKind::Compute);
        pipeline.layout.nodes = [table, node(NodeType::PushConst, 1, size)].into_iter().map(sees).collect();
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
