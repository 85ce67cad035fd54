//! The worked example of the documentation; and properties of any set of resources.

mod keys;
mod many;
mod moved;
mod tables;
mod user_data;

use proptest::prelude::*;

use super::*;
use lanescope_base::ids::{Bytes, Hex};
use lanescope_model::options::GuessedColor;
use lanescope_model::program::{Format, Input, LoadedModule};
use lanescope_model::target::Target;
use lanescope_pipeline::layout::{Binding, DescriptorSet, PushConstantRange};
use lanescope_pipeline::vulkan::DescriptorType;
use lanescope_pipeline::{PipelineKind, StageDescription, StageMask};
use lanescope_testing::glsl;

const EXAMPLE: &str = "
    layout(set = 0, binding = 0) uniform U { vec4 scale; } u;
    layout(set = 0, binding = 2) uniform sampler2D image;
    layout(set = 1, binding = 1) buffer S { vec4 sum; } s;
    layout(set = 1, binding = 3, rgba8) uniform image2D target;
    layout(set = 2, binding = 7) uniform Unused { vec4 x; } unused;
    layout(push_constant) uniform P { vec4 tint; float k; } p;
    layout(location = 0) out vec4 color; layout(location = 1) out uvec2 id;
    void main() {
        vec2 at = u.scale.xy;
        color = texture(image, at) * p.tint * p.k;
        s.sum = color;
        imageStore(target, ivec2(0), color);
        id = uvec2(1);
    }";

fn program(stage: StageKind, source: &str) -> Program {
    let module = glsl(stage, source);
    let path = "a.glsl".to_owned();
    Program {
        inputs: vec![Input::new(path, Format::Glsl, Bytes(0), Hex(0))],
        modules: vec![LoadedModule::new(0, module)],
        stages: vec![Stage { stage, entry: "main".to_owned(), module: 0, entry_index: 0 }],
        ..Program::default()
    }
}

fn one_of(stage: StageKind, source: &str, options: &Options, side: Side<'_>) -> (GuessedStage, Vec<String>) {
    let program = program(stage, source);
    let mut findings = Vec::new();
    let mut all = stages(&program, options, side, &mut findings);
    let lines = findings.iter().map(|f| format!("{} {}", f.code, f.message)).collect();
    (all.remove(0), lines)
}

fn example(options: &Options) -> GuessedStage {
    one_of(StageKind::Fragment, EXAMPLE, options, Side::None).0
}

/// `set.binding offset+size`, table by table.
fn tables(layout: &Layout) -> Vec<String> {
    let node = |node: &Node| format!("{}.{} {}+{}", node.set, node.binding, node.offset, node.size);
    let table = |t: &Table| format!("{}: {}", t.dwords, t.nodes.iter().map(node).collect::<Vec<_>>().join(", "));
    layout.tables.iter().map(table).collect()
}

fn root(layout: &Layout) -> Vec<String> {
    let name = |item: &RootItem| match item {
        RootItem::Table { set } => format!("table {set}"),
        RootItem::Buffer(node) => format!("buffer {}.{}", node.set, node.binding),
        RootItem::PushConstants => "push".to_owned(),
        RootItem::Other { node } => node.to_string(),
    };
    layout.root.iter().map(|root| format!("{} {}+{}", name(&root.item), root.offset, root.size)).collect()
}

#[test]
fn the_worked_examples_nodes_outputs_and_push_constants() {
    let partial = example(&Options::default());
    let nodes: Vec<String> = partial
        .resources
        .iter()
        .filter(|resource| resource.used)
        .map(|one| format!("({}, {}, {}, {})", one.node, one.set, one.binding, one.array_size))
        .collect();
    let expected = [
        "(DescriptorBuffer, 0, 0, 1)",
        "(DescriptorCombinedTexture, 0, 2, 1)",
        "(DescriptorBuffer, 1, 1, 1)",
        "(DescriptorResource, 1, 3, 1)",
    ];
    assert_eq!(nodes, expected);
    assert!(partial.resources.iter().any(|one| (one.set, one.binding, one.used) == (2, 7, false)), "unused");
    let push = partial.push_constants.expect("push constants");
    assert_eq!((push.bytes, push.block_bytes, push.summed_bytes), (20, 20, 20));
    let outputs: Vec<String> = partial
        .outputs
        .iter()
        .map(|o| {
            format!("{} {} {} {} {} {:#x}", o.location, o.index, o.basic_type, o.components, o.format, o.write_mask)
        })
        .collect();
    assert_eq!(outputs, ["0 0 float32 4 R32G32B32A32_SFLOAT 0xf", "1 0 uint32 2 R32G32_UINT 0x3"]);
}

#[test]
fn the_worked_examples_tables_and_roots() {
    let partial = example(&Options::default());
    assert_eq!(tables(&partial.layout), ["36: 0.0 0+4, 0.2 24+12", "48: 1.1 12+4, 1.3 36+8"]);
    assert_eq!(tables(&partial.other_layout), ["16: 0.0 0+4, 0.2 4+12", "12: 1.1 0+4, 1.3 4+8"]);
    assert_eq!(root(&partial.layout), ["table 0 0+1", "table 1 1+1", "push 2+5"]);
    let dynamic = example(&Options { dynamic_uniform: true, ..Options::default() });
    assert_eq!(root(&dynamic.layout), ["table 0 0+1", "table 1 1+1", "buffer 0.0 2+4", "push 6+5"]);
    assert_eq!(tables(&dynamic.layout)[0], "36: 0.2 24+12", "the slot stays reserved");
}

/// The application of the page's last paragraph, each part of which a test may change.
fn application() -> Pipeline {
    let stages: StageMask = [StageKind::Vertex, StageKind::Fragment].into_iter().collect();
    let binding = |binding, ty: &str, count| Binding {
        binding,
        ty: DescriptorType::named(ty).expect("a type"),
        count,
        stages,
        flags: 0,
        immutable_samplers: Vec::new(),
        mutable_types: Vec::new(),
    };
    let set = |set, bindings| DescriptorSet { set, hash: None, flags: 0, bindings };
    let mut pipeline = Pipeline::new(Format::Glsl, PipelineKind::Graphics);
    pipeline.layout.sets = vec![
        set(
            0,
            vec![binding(0, "UNIFORM_BUFFER", 1), binding(1, "SAMPLER", 1), binding(2, "COMBINED_IMAGE_SAMPLER", 1)],
        ),
        set(1, vec![binding(1, "STORAGE_BUFFER", 1), binding(3, "STORAGE_IMAGE", 1)]),
        set(2, vec![binding(7, "UNIFORM_BUFFER", 1)]),
    ];
    pipeline.layout.push_constants = vec![PushConstantRange { stages, offset: 0, size: 64 }];
    pipeline
}

/// The targets of the example in a compatible application.
fn options() -> Options {
    let target = |format: &str| ColorTarget::new(format, false);
    let color = [(0, target("R32G32B32A32_SFLOAT")), (1, target("R32G32_UINT"))].into();
    Options { color, ..Options::default() }
}

fn against(pipeline: &Pipeline, options: &Options) -> (GuessedStage, Against) {
    let (partial, _) = one_of(StageKind::Fragment, EXAMPLE, options, Side::Described(pipeline, "app"));
    let against = partial.against.clone().expect("an application");
    assert_eq!(against.hit, partial.keys[0].hash == against.keys[0].hash, "{:?}", against.breaks);
    (partial, against)
}

#[test]
fn unused_bindings_root_order_and_push_size_keep_a_hit() {
    let (partial, against) = against(&application(), &options());
    assert_eq!(against.breaks, []);
    assert!(against.hit);
    assert_eq!(partial.keys[0].ingredients, against.keys[0].ingredients);
    assert_ne!(partial.keys[1].hash, against.keys[1].hash, "today's rule takes the whole root");
    let rows: Vec<String> =
        against.remap.iter().map(|r| format!("{} {:?} {:?}", r.what, r.automatic, r.application)).collect();
    let expected = [
        "table of set 0 [0, 1] Some([0, 1])",
        "table of set 1 [1, 1] Some([1, 1])",
        "push constants [2, 5] Some([3, 16])",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn names_what_breaks_a_hit() {
    let breaks = |change: &dyn Fn(&mut Pipeline, &mut Options)| {
        let (mut pipeline, mut options) = (application(), options());
        change(&mut pipeline, &mut options);
        let (partial, against) = against(&pipeline, &options);
        let difference = partial.keys[0].difference(&against.keys[0]);
        assert_eq!(difference.is_empty(), against.hit, "the keys' difference can be shown");
        against.breaks.iter().map(|b| format!("{} {}", b.kind, b.place)).collect::<Vec<_>>().join("; ")
    };
    let dynamic = DescriptorType::named("UNIFORM_BUFFER_DYNAMIC").expect("a type");
    assert_eq!(breaks(&|p, _| p.layout.sets[0].bindings[0].ty = dynamic), "dynamic set 0 binding 0");
    assert_eq!(breaks(&|p, _| p.layout.sets[0].bindings[2].count = 2), "array_size set 0 binding 2");
    let image = DescriptorType::named("SAMPLED_IMAGE").expect("a type");
    assert_eq!(
        breaks(&|p, _| p.layout.sets[1].bindings[0].ty = image),
        "type set 1 binding 1; array_size set 1 binding 1"
    );
    assert_eq!(breaks(&|p, _| p.layout.sets[1].bindings.truncate(1)), "missing set 1 binding 3");
    let vertex: StageMask = [StageKind::Vertex].into_iter().collect();
    assert_eq!(breaks(&|p, _| p.layout.sets[1].bindings[1].stages = vertex), "visibility set 1 binding 3");
    assert_eq!(breaks(&|p, _| p.layout.push_constants.clear()), "push_constants push constants");
    let narrow = ColorTarget::new("R8_UINT", false);
    assert_eq!(breaks(&|_, o| _ = o.color.insert(1, narrow.clone())), "export_format target 1");
    let of_size = |stage, size| StageDescription {
        stage,
        entry: "main".to_owned(),
        entry_assumed: false,
        module: None,
        shader: String::new(),
        from: String::new(),
        subgroup_size: Some(size),
        flags: Vec::new(),
        constants: Vec::new(),
        settings: Vec::new(),
    };
    let required = |p: &mut Pipeline, o: &mut Options| {
        p.stages.push(of_size(StageKind::Fragment, 32));
        o.wave = WaveChoice::Wave32;
    };
    assert_eq!(breaks(&required), "wave_size wave size");
    let apart = |p: &mut Pipeline, o: &mut Options| {
        p.stages.push(of_size(StageKind::Vertex, 64));
        required(p, o);
    };
    assert_eq!(breaks(&apart), "wave_size wave size", "of this stage, whatever another has");
    assert_eq!(breaks(&|_, o| o.wave = WaveChoice::Wave32), "", "a size that is asked for is no pipeline's");
    let sampler = lanescope_pipeline::Sampler::default();
    let fixed = |p: &mut Pipeline| p.layout.sets[0].bindings[2].immutable_samplers.push(sampler.clone());
    assert_eq!(breaks(&|p, _| fixed(p)), "fixed set 0 binding 2");
}

#[test]
fn immutable_samplers_enter_todays_key_by_their_creation_info() {
    let with = |hash| {
        let mut pipeline = application();
        let sampler = lanescope_pipeline::Sampler { hash: Hex(hash), ..<_>::default() };
        pipeline.layout.sets[0].bindings[2].immutable_samplers.push(sampler);
        against(&pipeline, &options()).1.keys.map(|key| key.hash)
    };
    let (one, other) = (with(0x11_0000_0022), with(0x33_0000_0022));
    assert_eq!(one[0], other[0], "the note's rule looks at no descriptor");
    assert_ne!(one[1], other[1]);
    assert_ne!(one[2], other[2]);
    assert_eq!(one, with(0x11_0000_0022));
}

#[test]
fn todays_key_counts_nodes_of_other_stages() {
    use lanescope_pipeline::{ResourceNode, RootNode as Described};
    let with = |offset: u32, visibility: u32, there: bool| {
        let node = ResourceNode {
            from: String::new(),
            ty: Some(NodeType::PushConst),
            offset_dwords: offset,
            size_dwords: 20,
            set: None,
            binding: None,
            stride_dwords: None,
            indirect_dwords: None,
            children: Vec::new(),
        };
        let root = |visibility, node| Described { visibility, stages: StageMask::of_llpc(visibility), node };
        let mut pipeline = Pipeline::new(Format::Glsl, PipelineKind::Graphics);
        pipeline.layout.nodes = vec![root(64, ResourceNode { offset_dwords: 1, ..node.clone() })];
        if there {
            pipeline.layout.nodes.push(root(visibility, node));
        }
        against(&pipeline, &options()).1.keys.map(|key| key.hash)
    };
    let base = with(21, 2, true);
    let same = |other: [Hash64; 3]| [0, 1, 2].map(|rule| other[rule] == base[rule]);
    assert_eq!(same(with(22, 2, true)), [true, true, false], "elsewhere");
    assert_eq!(same(with(21, 8, true)), [true, true, false], "for another stage");
    assert_eq!(same(with(21, 2, false)), [true, false, false], "not there");
    assert_eq!(same(with(21, 66, true)), [true, false, false], "for this stage too");
}

#[test]
fn reports_descriptors_that_overlap_the_next_slot() {
    let mut pipeline = application();
    pipeline.layout.sets[0].bindings[1].count = 4;
    let side = Side::Described(&pipeline, "app");
    let (partial, findings) = one_of(StageKind::Fragment, EXAMPLE, &options(), side);
    assert!(findings.iter().any(|f| f.starts_with("A009")), "{findings:?}");
    assert!(partial.against.expect("an application").hit, "the shader's own bindings lie where they should");
}

#[test]
fn equal_export_formats_are_enough() {
    // Three channels of 32 bits are exported as four are.
    let mut options = options();
    options.color.insert(0, ColorTarget::new("R32G32B32_SFLOAT", true));
    assert!(against(&application(), &options).1.hit);
    let mut guessed = Options { guessed_color: GuessedColor::Unorm8, ..options.clone() };
    guessed.color.insert(0, ColorTarget::new("B8G8R8A8_UNORM", true));
    assert!(against(&application(), &guessed).1.hit, "FP16_ABGR on both sides");
    guessed.guessed_color = GuessedColor::Widest;
    assert!(!against(&application(), &guessed).1.hit);
}

#[test]
fn changed_specialization_constant_breaks_a_hit() {
    let source = "layout(local_size_x = 8) in; layout(constant_id = 3) const int n = 4;
        layout(set = 0, binding = 0) buffer S { int sum; } s; void main() { s.sum = n; }";
    let hit = |value: &str| {
        let spec = [(3, lanescope_model::options::SpecValue(value.to_owned()))].into();
        let options = Options { spec, ..Options::default() };
        let (partial, _) = one_of(StageKind::Compute, source, &options, Side::Reflected);
        let against = partial.against.expect("an application");
        assert_eq!(against.hit, partial.keys[0].hash == against.keys[0].hash);
        assert!(partial.usage.spec_constants);
        against.hit
    };
    assert!(hit("4"));
    assert!(!hit("5"));
}

#[test]
fn resources_of_every_kind_have_a_node() {
    let source = "
        #extension GL_EXT_nonuniform_qualifier : enable
        layout(set = 0, binding = 0) uniform sampler s; layout(set = 0, binding = 1) uniform texture2D t[2][3];
        layout(set = 0, binding = 2) uniform textureBuffer tb; layout(set = 0, binding = 3, r32f) uniform imageBuffer ib;
        layout(set = 0, binding = 4, input_attachment_index = 0) uniform subpassInput sub;
        layout(set = 1, binding = 0) uniform texture2D open[];
        layout(location = 0) out vec4 o; layout(location = 2) out ivec3 more[2];
        void main() {
            o = texture(sampler2D(t[1][2], s), vec2(0)) + texelFetch(tb, 0) + imageLoad(ib, 0) + subpassLoad(sub);
            o += texture(sampler2D(open[int(o.x)], s), vec2(0));
            more[0] = ivec3(1); more[1] = ivec3(2);
        }";
    let (partial, findings) = one_of(StageKind::Fragment, source, &Options::default(), Side::None);
    let nodes: Vec<String> = partial
        .resources
        .iter()
        .map(|one| format!("{}.{} {} {} {}", one.set, one.binding, one.kind, one.node, one.array_size))
        .collect();
    let expected = [
        "0.0 sampler DescriptorSampler 1",
        "0.1 sampled_image DescriptorResource 6",
        "0.2 uniform_texels DescriptorTexelBuffer 1",
        "0.3 storage_texels DescriptorTexelBuffer 1",
        "0.4 input_attachment DescriptorResource 1",
        "1.0 sampled_image DescriptorResource 16",
    ];
    let mut sorted = nodes.clone();
    sorted.sort();
    assert_eq!(sorted, expected);
    assert_eq!(partial.ineligible.len(), 2, "{:?}", partial.ineligible);
    let locations: Vec<_> = partial.outputs.iter().map(|o| (o.location, o.components, o.basic_type)).collect();
    assert_eq!(locations, [(0, 4, BasicType::Float32), (2, 3, BasicType::Int32), (3, 3, BasicType::Int32)]);
    for code in ["A004", "A006"] {
        assert!(findings.iter().any(|f| f.starts_with(code)), "{code}: {findings:?}");
    }
}

#[test]
fn reports_two_descriptors_at_one_binding() {
    let both = "layout(set = 0, binding = 1) uniform sampler s; layout(set = 0, binding = 1) uniform texture2D t;
        layout(location = 0) out vec4 o; void main() { o = texture(sampler2D(t, s), vec2(0)); }";
    let (partial, findings) = one_of(StageKind::Fragment, both, &Options::default(), Side::None);
    assert_eq!(tables(&partial.layout), ["24: 0.1 12+12"], "a combined texture");
    let shared = "A002 2 variables: sampled_image `t`, sampler `s`";
    assert!(findings.iter().any(|f| f == shared), "{findings:?}");
    let clash = "layout(set = 0, binding = 1) uniform U { vec4 u; }; layout(set = 0, binding = 1) uniform sampler2D t;
        layout(location = 0) out vec4 o; void main() { vec2 at = u.xy; o = texture(t, at); }";
    let (partial, findings) = one_of(StageKind::Fragment, clash, &Options::default(), Side::None);
    assert_eq!(tables(&partial.layout), ["24: 0.1 12+4"], "the first stays");
    assert!(findings.iter().any(|f| f.starts_with("A001")), "{findings:?}");
    let mut converted = Vec::new();
    check::stage(&partial, "a.dxil", false, true, &mut converted);
    let codes: Vec<&str> = converted.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["A002"], "the converter's heap has every type at one place");
}

#[test]
fn many_variables_at_one_binding_give_one_note() {
    let source = "layout(local_size_x = 1) in; layout(set = 0, binding = 1) buffer A { int n; } a;
        layout(set = 0, binding = 1) buffer B { float n; } b; layout(set = 0, binding = 1) buffer C { uint n; } c;
        void main() { a.n = int(b.n) + int(c.n); }";
    let (partial, findings) = one_of(StageKind::Compute, source, &Options::default(), Side::None);
    let notes: Vec<&String> = findings.iter().filter(|f| f.starts_with("A002")).collect();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("3 variables: storage_block"), "{notes:?}");
    // The converter from DXIL declares a buffer once for each type that it is read as.
    let mut converted = Vec::new();
    check::stage(&partial, "a.dxil", false, true, &mut converted);
    assert!(converted.iter().all(|finding| finding.code != "A002"), "{converted:?}");
}

#[test]
fn accepts_huge_arrays_and_bindings() {
    let source = "layout(local_size_x = 1) in; layout(set = 3, binding = 65000) buffer S { int s; } a[65536][65536];
        void main() { a[1][2].s = 1; }";
    let (partial, findings) = one_of(StageKind::Compute, source, &Options::default(), Side::Reflected);
    assert_eq!(partial.resources[0].array_size, 1 << 32);
    let table = &partial.layout.tables[0];
    assert_eq!((table.nodes[0].offset, table.dwords), (65_000 * 12, 65_001 * 12));
    assert!(findings.iter().any(|f| f.starts_with("A003")), "{findings:?}");
    assert!(!partial.ineligible.is_empty());
    assert!(!partial.against.expect("an application").hit, "nothing was compiled ahead");
}

#[test]
fn push_constants_have_an_extent_and_a_sum() {
    let source = "layout(local_size_x = 1) in; layout(set = 0, binding = 0) buffer S { vec4 s; };
        layout(push_constant) uniform P { vec3 a; vec4 b; mat3 unused; } p; void main() { s = p.b + p.a.xyzx; }";
    let (partial, findings) = one_of(StageKind::Compute, source, &Options::default(), Side::None);
    let push = partial.push_constants.expect("push constants");
    assert_eq!((push.bytes, push.block_bytes, push.summed_bytes), (32, 80, 64), "28 + 36 without padding");
    let words = "32 of 80 bytes used; 64 bytes without padding, as LLPC's tool counts";
    assert!(findings.iter().any(|f| f.starts_with("A007") && f.contains(words)), "{findings:?}");
}

#[test]
fn uses_nodes_of_a_description_and_reports_defects() {
    use lanescope_pipeline::{ResourceNode, RootNode as Described};
    let child = |ty, set, binding, offset_dwords, size_dwords| ResourceNode {
        from: "line 1".to_owned(),
        ty: Some(ty),
        offset_dwords,
        size_dwords,
        set: Some(set),
        binding: Some(binding),
        stride_dwords: None,
        indirect_dwords: None,
        children: Vec::new(),
    };
    let table = |offset_dwords, children| ResourceNode {
        children,
        set: None,
        binding: None,
        ..child(NodeType::TablePointer, 0, 0, offset_dwords, 1)
    };
    let push =
        |offset, size| ResourceNode { set: None, binding: None, ..child(NodeType::PushConst, 0, 0, offset, size) };
    let sees = |node| Described { visibility: 64, stages: StageMask::of_llpc(64), node };
    let mut pipeline = Pipeline::new(Format::Glsl, PipelineKind::Graphics);
    let sets = [
        table(30, vec![child(NodeType::ConstBuffer, 0, 0, 0, 4), child(NodeType::CombinedTexture, 0, 2, 24, 12)]),
        table(31, vec![child(NodeType::Buffer, 1, 1, 12, 4), child(NodeType::Image, 1, 3, 36, 8)]),
    ];
    pipeline.layout.nodes = sets.into_iter().map(sees).collect();
    pipeline.layout.nodes.push(sees(push(0, 20)));
    let (_, found) = against(&pipeline, &options());
    assert!(found.hit, "{:?}", found.breaks);
    assert_eq!(
        found.remap.iter().map(|row| row.application.map(|a| a[0])).collect::<Vec<_>>(),
        [Some(30), Some(31), Some(0)]
    );
    // Everything that contradicts itself.
    pipeline.layout.nodes[0].node.children[1].offset_dwords = 2;
    pipeline.layout.nodes[1].node.children[1].ty = Some(NodeType::Resource);
    pipeline.layout.nodes[1].node.children[0].ty = Some(NodeType::ConstBuffer);
    pipeline.layout.nodes.push(sees(push(10, 40)));
    let side = Side::Described(&pipeline, "app.pipe");
    let (partial, findings) = one_of(StageKind::Fragment, EXAMPLE, &options(), side);
    assert!(!partial.against.expect("an application").hit);
    for code in ["A008", "A010"] {
        assert!(findings.iter().any(|f| f.starts_with(code)), "{code}: {findings:#?}");
    }
    assert!(!findings.iter().any(|f| f.starts_with("A011")), "of the large root few dwords are loaded: {findings:#?}");
}

#[test]
fn rejects_input_attachments_outside_fragment_shaders() {
    // No compiler emits such a module, so the stage is replaced.
    let source = "layout(set = 0, binding = 4, input_attachment_index = 0) uniform subpassInput sub;
        layout(location = 0) out vec4 o; void main() { o = subpassLoad(sub); }";
    let (mut partial, _) = one_of(StageKind::Fragment, source, &Options::default(), Side::None);
    partial.stage = StageKind::Compute;
    let mut findings = Vec::new();
    check::stage(&partial, "a.comp", false, false, &mut findings);
    assert!(findings.iter().any(|f| f.code == "A005"), "{findings:?}");
}

/// A resource of a kind, at set 0 binding 0.
fn any_of(kind: ResourceKind) -> Resource {
    Resource { name: None, set: 0, binding: 0, kind, node: kind.node_type(), array_size: 1, runtime: false, used: true }
}

/// Resources at places of their own.
fn any_resources() -> impl Strategy<Value = Vec<Resource>> {
    let kinds = proptest::sample::select(ResourceKind::ALL);
    let places = proptest::collection::btree_map((0u32..4, 0u32..9), (kinds, 1u64..4, any::<bool>()), 0..10);
    places.prop_map(|all| {
        let one = |((set, binding), (kind, array_size, used)): ((u32, u32), (ResourceKind, u64, bool))| Resource {
            name: None,
            set,
            binding,
            kind,
            node: kind.node_type(),
            array_size,
            runtime: false,
            used,
        };
        all.into_iter().map(one).collect()
    })
}

proptest! {
    #[test]
    fn the_notes_layout_is_injective_and_independent_of_declaration_order(
        resources in any_resources().prop_shuffle(), dynamic in any::<[bool; 2]>(), bytes in proptest::option::of(1u32..9)
    ) {
        let options = Options { dynamic_uniform: dynamic[0], dynamic_storage: dynamic[1], ..Options::default() };
        let bytes = bytes.map(|dwords| dwords * 4);
        let push = bytes.map(|bytes| PushConstants { name: None, bytes, block_bytes: bytes, summed_bytes: bytes });
        let layout = automatic(&resources, push.as_ref(), &options);
        let mut sorted = resources.clone();
        sorted.sort_by_key(|one| (one.set, one.binding));
        prop_assert_eq!(&layout, &automatic(&sorted, push.as_ref(), &options));
        // Every binding that is used has one place, which is the one that its number says.
        let used = resources.iter().filter(|one| one.used).count();
        prop_assert_eq!(layout.nodes().count(), used);
        for table in &layout.tables {
            for node in &table.nodes {
                prop_assert_eq!((node.offset, node.set), (u64::from(node.binding) * SLOT, table.set));
                prop_assert!(node.offset + SLOT <= table.dwords);
            }
            let fits = |node: &&Node| node.size <= SLOT;
            let fitting: Vec<_> = table.nodes.iter().filter(fits).collect();
            prop_assert!(fitting.windows(2).all(|pair| pair[0].end() <= pair[1].offset));
        }
        // The root has neither gaps nor overlaps, and ends with the push constants.
        let mut next = 0;
        for root in &layout.root {
            prop_assert_eq!(root.offset, next);
            next += root.size;
        }
        prop_assert_eq!(layout.root_dwords, next);
        prop_assert_eq!(layout.push_constants(), push.as_ref().and_then(|_| layout.root.last()));
        // In sequence nothing overlaps either, regardless of size.
        let sequential = Options { auto_layout: AutoLayoutRule::Sequential, ..options };
        for table in &automatic(&resources, None, &sequential).tables {
            prop_assert!(table.nodes.windows(2).all(|pair| pair[0].end() <= pair[1].offset));
        }
    }

    #[test]
    fn keys_are_equal_iff_nothing_breaks_a_hit(
        mine in any_resources(), theirs in any_resources(), share in any::<bool>(), more in any_resources(),
        dynamic in any::<[bool; 4]>(), push in any::<[bool; 2]>(), fixed in any::<bool>(),
        exports in proptest::collection::vec((0u32..10, 0u32..10), 0..3), hide in 0usize..12,
        stride in proptest::option::of((any::<proptest::sample::Index>(), 0u64..3))
    ) {
        let module = glsl(StageKind::Fragment, "void main() {}");
        let entry = &module.entry_points()[0];
        let mut options = [Options::default(), Options::default()];
        for (options, [uniform, storage]) in options.iter_mut().zip([[dynamic[0], dynamic[1]], [dynamic[2], dynamic[3]]]) {
            (options.dynamic_uniform, options.dynamic_storage) = (uniform, storage);
        }
        // Applications that have the shader's bindings and more are met often enough this way.
        let theirs: Vec<Resource> = if share {
            let extra = more.iter().filter(|one| !mine.iter().any(|m| (m.set, m.binding) == (one.set, one.binding)));
            mine.iter().chain(extra).map(|one| Resource { used: true, ..one.clone() }).collect()
        } else {
            theirs.iter().map(|one| Resource { used: true, ..one.clone() }).collect()
        };
        let of = |resources: &[Resource], options: &Options, push: bool| {
            place(nodes(resources, options), push.then_some(3), AutoLayoutRule::Note)
        };
        let auto = of(&mine, &options[0], push[0]);
        let color = |(at, export): (usize, u32)| Color {
            location: at as u32, format: "F".to_owned(), blend: false, blends_by_alpha: false, unwritten: false, export, export_name: String::new(), why: String::new(),
        };
        let active: Vec<(u32, u32)> = auto.nodes().map(|(node, _)| (node.set, node.binding)).collect();
        let mut layout = of(&theirs, &options[1], push[1]);
        let mut placed: Vec<&mut Node> = layout.tables.iter_mut().flat_map(|table| &mut table.nodes).collect();
        if let Some((at, stride)) = stride.filter(|_| !placed.is_empty()) {
            let at = at.index(placed.len());
            placed[at].stride = stride;
        }
        let application = Application {
            origin: String::new(),
            layout,
            placed: false,
            hidden: theirs.get(hide).map(|one| (one.set, one.binding)).into_iter().collect(),
            fixed: if fixed { active.first().copied().into_iter().collect() } else { Vec::new() },
            colors: exports.iter().map(|e| e.1).enumerate().map(color).collect(),
            spec: Vec::new(),
        };
        let colors: Vec<Color> = exports.iter().map(|e| e.0).enumerate().map(color).collect();
        let subject = Subject {
            hash: module_hash(&module), entry, stage: StageKind::Fragment, options: &options[0], active: &active, hidden: &[],
            fixed: &[], push: push[0], layout: &auto, mapping: &Mapping::default(), colors: &colors, spec: &[],
        };
        let guessed = key(&subject, KeyRule::Note);
        let Application { layout, hidden, fixed, colors, .. } = &application;
        let asked = key(&Subject { hidden, fixed, layout, colors, ..subject }, KeyRule::Note);
        let mut broken = breaks(&auto, subject.colors, &application);
        // What is too large was never compiled, regardless of its key.
        broken.retain(|one| one.kind != BreakKind::TooLarge);
        prop_assert_eq!(guessed.ingredients == asked.ingredients, broken.is_empty(), "{:#?}", broken);
        prop_assert_eq!(guessed.hash == asked.hash, broken.is_empty());
    }
}
