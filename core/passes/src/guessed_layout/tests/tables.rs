//! Tables of descriptions with several stages.

use super::*;
use lanescope_pipeline::{ResourceNode, RootNode as Described};

fn node(
    ty: NodeType,
    place: Option<(u32, u32)>,
    offset_dwords: u32,
    size_dwords: u32,
    children: Vec<ResourceNode>,
) -> ResourceNode {
    ResourceNode {
        from: String::new(),
        ty: Some(ty),
        offset_dwords,
        size_dwords,
        set: place.map(|place| place.0),
        binding: place.map(|place| place.1),
        stride_dwords: None,
        indirect_dwords: None,
        children,
    }
}

/// A description whose fragment shader sees a table of this node, and one whose set 0 has this binding.
fn both(node_of_table: ResourceNode, of_set: Binding) -> [Pipeline; 2] {
    let mut placed = Pipeline::new(Format::Glsl, PipelineKind::Graphics);
    let table = node(NodeType::TablePointer, None, 0, 1, vec![node_of_table]);
    placed.layout.nodes = vec![Described { visibility: 64, stages: StageMask::of_llpc(64), node: table }];
    let mut api = Pipeline::new(Format::Glsl, PipelineKind::Graphics);
    api.layout.sets = vec![DescriptorSet { set: 0, hash: None, flags: 0, bindings: vec![of_set] }];
    [placed, api]
}

fn binding(ty: i32, count: u32, mutable_types: &[i32]) -> Binding {
    Binding {
        binding: 0,
        ty: DescriptorType(ty),
        count,
        stages: StageMask::of_llpc(64),
        flags: 0,
        immutable_samplers: Vec::new(),
        mutable_types: mutable_types.iter().map(|ty| DescriptorType(*ty)).collect(),
    }
}

#[test]
fn image_nodes_contain_input_attachments() {
    let source = "layout(set = 0, binding = 0, input_attachment_index = 0) uniform subpassInput sub;
        layout(location = 0) out vec4 o; void main() { o = subpassLoad(sub); }";
    let found = both(node(NodeType::Image, Some((0, 0)), 0, 8, vec![]), binding(3, 1, &[])).map(|pipeline| {
        let side = Side::Described(&pipeline, "app");
        let (_, findings) = one_of(StageKind::Fragment, source, &Options::default(), side);
        findings.into_iter().filter(|finding| finding.starts_with("A010")).collect::<Vec<_>>()
    });
    assert_eq!(found[0], [""; 0]);
    assert_eq!(found[1], ["A010 the shader declares an input_attachment, the layout has a storage_image"]);
}

#[test]
fn an_inline_block_is_one_block_of_its_bytes() {
    let source = "layout(set = 0, binding = 0) uniform U { vec4 x; vec4 y; } u;
        layout(location = 0) out vec4 o; void main() { o = u.x + u.y; }";
    let inline = both(node(NodeType::InlineBuffer, Some((0, 0)), 0, 8, vec![]), binding(1_000_138_000, 32, &[]));
    for pipeline in inline {
        let side = Side::Described(&pipeline, "app");
        let against = one_of(StageKind::Fragment, source, &Options::default(), side).0.against.expect("an application");
        let words: Vec<_> = against.breaks.iter().map(|broken| broken.application.as_str()).collect();
        assert!(words.contains(&"8 dwords (an inline block of 32 bytes)"), "{words:?}");
        assert_eq!(against.application.layout.find(0, 0).map(|(node, _)| node.array_size), Some(1));
    }
}

#[test]
fn mutable_descriptor_fits_its_largest_type() {
    let source = "layout(set = 0, binding = 0) uniform sampler2D t; layout(location = 0) out vec4 o;
        void main() { o = texture(t, vec2(0)); }";
    for (types, dwords) in [(&[6, 2][..], 8), (&[0, 7][..], 4), (&[1][..], 12), (&[][..], 4)] {
        let mut pipeline = Pipeline::new(Format::Glsl, PipelineKind::Graphics);
        let bindings = vec![binding(1_000_351_000, 2, types)];
        pipeline.layout.sets = vec![DescriptorSet { set: 0, hash: None, flags: 0, bindings }];
        let side = Side::Described(&pipeline, "app");
        let against = one_of(StageKind::Fragment, source, &Options::default(), side).0.against.expect("an application");
        let size = against.application.layout.find(0, 0).map(|(node, _)| node.size);
        assert_eq!(size, Some(2 * dwords), "{types:?}");
    }
}

#[test]
fn prefers_the_table_of_the_stage() {
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
