//! Tables as descriptions give them, of several stages.

use super::*;
use crate::pipeline::{ResourceNode, RootNode as Described};

#[test]
fn where_stages_have_a_table_each_for_one_set_the_stages_own_counts() {
    let node = |ty, place: Option<(u32, u32)>, offset_dwords, size_dwords, children| ResourceNode {
        from: String::new(),
        ty: Some(ty),
        offset_dwords,
        size_dwords,
        set: place.map(|place| place.0),
        binding: place.map(|place| place.1),
        stride_dwords: None,
        indirect_dwords: None,
        children,
    };
    let (uniform, image, storage) = (NodeType::ConstBuffer, NodeType::CombinedTexture, NodeType::Buffer);
    let own = vec![node(uniform, Some((0, 0)), 0, 4, vec![]), node(image, Some((0, 2)), 24, 12, vec![])];
    let second = vec![node(storage, Some((1, 1)), 12, 4, vec![]), node(NodeType::Image, Some((1, 3)), 36, 8, vec![])];
    // The vertex stage has set 0 elsewhere, and a binding of its own.
    let theirs = vec![
        node(image, Some((0, 2)), 0, 12, vec![]),
        node(uniform, Some((0, 0)), 12, 4, vec![]),
        node(uniform, Some((0, 5)), 16, 4, vec![]),
    ];
    let table = |offset, children| node(NodeType::TablePointer, None, offset, 1, children);
    let root = |visibility, node| Described { visibility, stages: StageMask::of_llpc(visibility), node };
    let mut pipeline = Pipeline::new(Format::Glsl, PipelineKind::Graphics);
    pipeline.layout.nodes = vec![
        root(2, table(0, theirs)),
        root(64, table(1, own)),
        root(66, table(2, second)),
        root(64, node(NodeType::PushConst, None, 3, 5, vec![])),
    ];
    for _ in 0..2 {
        let (_, found) = against(&pipeline, &options());
        assert!(found.hit, "{:?}", found.breaks);
        assert_eq!(found.application.hidden, [(0, 5)]);
        // Whichever comes first.
        pipeline.layout.nodes.swap(0, 1);
    }
    pipeline.layout.nodes[1].visibility = 2;
    pipeline.layout.nodes[1].stages = StageMask::of_llpc(2);
    let (_, found) = against(&pipeline, &options());
    let broken: Vec<BreakKind> = found.breaks.iter().map(|broken| broken.kind).collect();
    assert!(broken.contains(&BreakKind::Visibility), "{broken:?}");
}
