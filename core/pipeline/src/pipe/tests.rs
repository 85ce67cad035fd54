//! The worked example of the documentation, and every kind of broken file.

use super::*;
use crate::vulkan::{InputRate, Topology, VkFormat};

/// Two stages and a mapping.
const EXAMPLE: &str = include_str!("../../../tests/data/pipe/quad.pipe");

fn parse(text: &str) -> PipeFile {
    read("a.pipe", text.as_bytes()).unwrap_or_else(|fault| panic!("{fault}"))
}

/// The codes of the findings, with their lines.
fn codes(text: &str) -> Vec<(&'static str, u32)> {
    let file = parse(text);
    let line = |finding: &findings::Finding| {
        let place = finding.place_text();
        place.rsplit(' ').next().and_then(|line| line.parse().ok()).unwrap_or(0)
    };
    let code = |code: &str| findings::PIPE.rules.iter().find(|rule| rule.code == code).map_or("?", |rule| rule.code);
    file.pipeline.findings.iter().map(|finding| (code(&finding.code), line(finding))).collect()
}

#[test]
fn reads_the_worked_example() {
    let file = parse(EXAMPLE);
    let pipeline = &file.pipeline;
    assert!(pipeline.findings.is_empty(), "{:#?}", pipeline.findings);
    assert!(pipeline.kept.is_empty());
    assert_eq!((pipeline.kind, pipeline.origin.version), (PipelineKind::Graphics, Some(75)));
    let stages: Vec<_> = pipeline.stages.iter().map(|s| (s.stage, s.entry.as_str(), s.entry_assumed)).collect();
    assert_eq!(stages, [(StageKind::Vertex, "main", false), (StageKind::Fragment, "main", false)]);
    assert_eq!(pipeline.stages[0].settings[0].key, "options.waveSize");
    let [table, push] = pipeline.layout.nodes.as_slice() else { panic!("two roots") };
    assert_eq!((table.visibility, table.stages.to_string().as_str()), (66, "vertex + fragment"));
    assert_eq!((table.node.ty, table.node.offset_dwords), (Some(NodeType::TablePointer), 0));
    let [child] = table.node.children.as_slice() else { panic!("one child") };
    assert_eq!((child.ty, child.offset_dwords, child.size_dwords), (Some(NodeType::ConstBuffer), 0, 4));
    assert_eq!((child.set, child.binding), (Some(0), Some(0)));
    assert_eq!((push.node.ty, push.node.offset_dwords, push.node.size_dwords), (Some(NodeType::PushConst), 1, 4));
    assert_eq!(push.stages.to_string(), "fragment");
    assert_eq!(pipeline.state.topology, Topology::named("TRIANGLE_STRIP"));
    let attachments = pipeline.state.attachments.as_ref().expect("one target");
    assert_eq!(attachments.colors[0].format, VkFormat::named("B8G8R8A8_UNORM"));
    assert_eq!(attachments.colors[0].write_mask, 15);
    let input = pipeline.state.vertex_input.as_ref().expect("one attribute");
    assert_eq!((input.bindings[0].stride, input.bindings[0].rate), (8, InputRate(0)));
    assert_eq!(input.attributes[0].format, VkFormat::named("R32G32_SFLOAT").expect("named"));
    assert!(matches!(&file.shaders[0].source, Source::Text(text) if text.starts_with("#version 450\n")));
}

#[test]
fn reports_broken_lines_and_reads_the_rest() {
    for (text, expected) in [
        ("\u{feff}[CsGlsl]\nx\n[CsInfo]\n", &[("pipe.bom", 1)][..]),
        ("[CsInfo\n[CsGlsl]\nx\n[CsInfo]\n[Version\n", &[("pipe.header", 1), ("pipe.header", 5)]),
        ("[CsGlsl]\nx\n[CsInfo]\n[Version\nentryPoint = main\n", &[("pipe.header", 4)]),
        ("[CsGlsl]\nx\n[CsInfo]\n[Future]\nwhat ever = \n", &[("pipe.unknown-section", 4)]),
        ("[CsGlsl]\nx\n[CsInfo]\nentryPoint main\n", &[("pipe.no-equals", 4)]),
        ("[CsGlsl]\nx\n[CsInfo]\nentryPoint =\n", &[("pipe.no-value", 4)]),
        ("[CsGlsl]\nx\n[CsInfo]\nentrypoint = main\n", &[("pipe.unknown-key", 4)]),
        ("[CsGlsl]\nx\n[CsInfo]\nvgprLimit = 3\n", &[("pipe.removed-key", 4)]),
        ("[CsGlsl]\nx\n[CsInfo]\noptions.fp32DenormalMode = Keep\n", &[("pipe.unknown-enum", 4)]),
        ("[CsGlsl]\nx\n[CsInfo]\noptions.fp32DenormalMode = 2\n", &[("pipe.unknown-enum", 4)]),
        ("[CsGlsl]\nx\n[CsInfo]\noptions.waveSize = 32abc\n", &[("pipe.bad-number", 4)]),
        ("[CsGlsl]\nx\n[CsInfo]\noptions.wgpMode = yes\n", &[("pipe.bad-number", 4)]),
        ("[FsGlsl]\nx\n[FsInfo]\noptions.waveBreakSize = _8x8\n", &[("pipe.llpc-enum-clash", 4)]),
        ("[CsGlsl]\nx\n[CsInfo]\nentryPoint = main ; note\noptions.waveSize = 32\n", &[("pipe.comment-join", 5)]),
        ("[CsGlsl]\nx\n[CsInfo]\nuserDataNode[4000000000].type = PushConst\n", &[("pipe.index-limit", 4)]),
        (
            "[FsGlsl]\nx\n[FsInfo]\n[GraphicsPipelineState]\ncolorBuffer[8].format = VK_FORMAT_R8_UNORM\n",
            &[("pipe.index-limit", 5)],
        ),
        ("[CsGlsl]\nx\n", &[("pipe.info-unpaired", 1)]),
        ("[VsGlsl]\nx\n[VsInfo]\n[CsGlsl]\nx\n[CsInfo]\n", &[("pipe.stage-conflict", 1), ("pipe.stage-conflict", 3)]),
        ("[Version]\nversion = 999\n[CsGlsl]\nx\n[CsInfo]\n", &[("pipe.version-new", 1)]),
        ("[Version]\nversion = 75\n[Version]\nversion = 3\n", &[("pipe.duplicate-section", 3)]),
        ("[CsGlsl]\nx\n[CsGlsl]\ny\n[CsInfo]\n", &[("pipe.duplicate-section", 3)]),
        ("[CsGlsl]\nx\n[CsInfo]\n[CsInfo]\noptions.waveSize = 32\n", &[("pipe.duplicate-section", 4)]),
        ("[rgenGlsl]\nx\n[rgenInfo]\n[rgenGlsl]\nx\n[rgenInfo]\n[RayTracingPipelineState]\n", &[]),
        ("hello\n[CsGlsl]\nx\n[CsInfo]\n", &[("pipe.text-before-section", 1)]),
        ("[CsHlsl]\n[numthreads(8,8,1)]\nvoid main() {}\n[CsInfo]\n", &[("pipe.bracket-in-source", 2)]),
        (
            "[CsGlsl]\nx\n[CsInfo]\nspecConst.mapEntry[0].constantID = 1\nspecConst.mapEntry[0].size = 4\n",
            &[("pipe.spec-range", 4)],
        ),
        ("[VertexInputState]\nattribute[0].binding = 2\n", &[("pipe.vertex-binding", 2)]),
        ("[CsSpvFile]\n[CsInfo]\n", &[("pipe.missing-file", 1)]),
        (
            "[rgenGlsl]\nx\n[rgenInfo]\n[RayTracingPipelineState]\ngroups[0].generalShader = 4\n",
            &[("pipe.group-range", 5)],
        ),
    ] {
        assert_eq!(codes(text), expected, "{text}");
    }
}

#[test]
fn reports_inconsistent_nodes() {
    let node = |lines: &str| codes(&format!("[CsGlsl]\nx\n[CsInfo]\n[ResourceMapping]\n{lines}"));
    let root = |n: u32, ty: &str, offset: u32, size: u32| {
        format!(
            "userDataNode[{n}].visibility = 128\nuserDataNode[{n}].type = {ty}\nuserDataNode[{n}].offsetInDwords = \
             {offset}\nuserDataNode[{n}].sizeInDwords = {size}\n"
        )
    };
    assert_eq!(node(&root(0, "PushConst", 0, 4)), [("", 0); 0]);
    assert_eq!(node(&root(0, "PushConst", 0, 0)), [("pipe.node-size", 5)]);
    assert_eq!(node(&root(0, "DescriptorTableVaPtr", 0, 2)), [("pipe.node-size", 5)]);
    assert_eq!(node(&root(0, "PushConst", 4294967295, 4)), [("pipe.node-size", 5)]);
    assert_eq!(node(&(root(0, "PushConst", 0, 4) + &root(1, "PushConst", 3, 4))), [("pipe.node-overlap", 9)]);
    assert_eq!(node(&root(1, "PushConst", 0, 4)), [("pipe.node-shape", 5)]);
    let table = root(0, "DescriptorTableVaPtr", 0, 1);
    let child = |n: u32, ty: &str, offset: u32, size: u32| {
        format!(
            "userDataNode[0].next[{n}].type = {ty}\nuserDataNode[0].next[{n}].offsetInDwords = {offset}\n\
             userDataNode[0].next[{n}].sizeInDwords = {size}\nuserDataNode[0].next[{n}].set = 0\n\
             userDataNode[0].next[{n}].binding = {n}\n"
        )
    };
    let image = child(0, "DescriptorResource", 0, 8);
    assert_eq!(node(&(table.clone() + &image)), [("", 0); 0]);
    assert_eq!(node(&(table.clone() + &child(0, "DescriptorResource", 0, 6))), [("pipe.node-size", 9)]);
    let on_it = child(1, "DescriptorSampler", 4, 4);
    assert_eq!(node(&(table.clone() + &image + &on_it)), [("pipe.node-overlap", 14)]);
    let deep = format!("userDataNode[0].{}type = PushConst\n", "next[0].".repeat(30));
    assert_eq!(node(&(table.clone() + &deep)), [("pipe.depth-limit", 9)]);
    let very_deep = format!("userDataNode[0].{}type = PushConst\n", "next[0].".repeat(1000));
    assert_eq!(node(&(table + &very_deep)), [("pipe.depth-limit", 9)]);
    assert_eq!(node("userDataNode[0].next = 3\n"), [("pipe.unknown-key", 5)]);
    assert_eq!(node("userDataNode[0] = 3\n"), [("pipe.unknown-key", 5)]);
    assert_eq!(node("userDataNode[0].type[1] = PushConst\n"), [("pipe.unknown-key", 5)]);
    let sampler = "descriptorRangeValue[0].type = DescriptorSampler\ndescriptorRangeValue[0].arraySize = 2\n\
                   descriptorRangeValue[0].uintData = 1, 2, 3\n";
    assert_eq!(node(sampler), [("pipe.node-size", 5)]);
    let converting = |dwords: &str| {
        node(&format!(
            "descriptorRangeValue[0].type = DescriptorYCbCrSampler\ndescriptorRangeValue[0].arraySize = 1\n\
             descriptorRangeValue[0].uintData = {dwords}\n"
        ))
    };
    assert_eq!(converting("1, 2, 3, 4, 5, 6, 7, 8"), [("", 0); 0]);
    assert_eq!(converting("1, 2, 3, 4"), [("pipe.node-size", 5)]);
}

#[test]
fn distinguishes_old_masks_from_empty_masks() {
    let file = |version: u32, masks: [u32; 2]| {
        let root = |n: usize| {
            let mask = masks[n];
            format!(
                "userDataNode[{n}].visibility = {mask}\nuserDataNode[{n}].type = PushConst\n\
                 userDataNode[{n}].offsetInDwords = {n}\nuserDataNode[{n}].sizeInDwords = 1\n"
            )
        };
        let stages = "[VsGlsl]\nx\n[VsInfo]\n[FsGlsl]\nx\n[FsInfo]\n";
        codes(&format!("[Version]\nversion = {version}\n{stages}[ResourceMapping]\n{}{}", root(0), root(1)))
    };
    assert_eq!(file(75, [66, 64]), [("", 0); 0]);
    assert_eq!(file(52, [1, 16]), [("pipe.visibility-old", 10)]);
    assert_eq!(file(75, [1, 64]), [("pipe.visibility-empty", 10)]);
}

#[test]
fn merges_nodes_of_all_stages() {
    let table = |binding: u32| {
        format!(
            "userDataNode[0].visibility = 66\nuserDataNode[0].type = DescriptorTableVaPtr\nuserDataNode[0].sizeInDwords \
             = 1\nuserDataNode[0].next[0].type = DescriptorBuffer\nuserDataNode[0].next[0].offsetInDwords = {}\n\
             userDataNode[0].next[0].sizeInDwords = 4\nuserDataNode[0].next[0].set = 0\n\
             userDataNode[0].next[0].binding = {binding}\n",
            4 * binding
        )
    };
    let text = format!("[VsGlsl]\nx\n[VsInfo]\n{}[FsGlsl]\nx\n[FsInfo]\n{}", table(0), table(1));
    assert_eq!(codes(&text), [("pipe.stage-tables-differ", 15)]);
    let file = parse(&text);
    let [root] = file.pipeline.layout.nodes.as_slice() else { panic!("one root") };
    let bindings: Vec<_> = root.node.children.iter().map(|child| child.binding).collect();
    assert_eq!(bindings, [Some(0), Some(1)]);
}

#[test]
fn keeps_static_descriptors_visible_to_their_stage() {
    let own = "userDataNode[0].type = PushConst\nuserDataNode[0].sizeInDwords = 4\n\
               descriptorRangeValue[0].type = DescriptorSampler\ndescriptorRangeValue[0].set = 0\n\
               descriptorRangeValue[0].binding = 3\ndescriptorRangeValue[0].arraySize = 1\n\
               descriptorRangeValue[0].uintData = 1, 2, 3, 4\n";
    let text = format!("[VsGlsl]\nx\n[VsInfo]\n{own}[FsGlsl]\nx\n[FsInfo]\n{own}");
    let layout = parse(&text).pipeline.layout;
    let [root] = layout.nodes.as_slice() else { panic!("one root: {:?}", layout.nodes) };
    assert_eq!(root.stages.to_string(), "vertex + fragment");
    let seen: Vec<_> = layout.static_descriptors.iter().map(|one| (one.visibility, one.data.clone())).collect();
    assert_eq!(seen, [(2, vec![1, 2, 3, 4]), (64, vec![1, 2, 3, 4])]);
    // With a mapping of the whole pipeline those of the stages are ignored.
    let whole = format!(
        "{text}[ResourceMapping]\nuserDataNode[0].visibility = 64\nuserDataNode[0].type = PushConst\n\
                         userDataNode[0].sizeInDwords = 8\n"
    );
    let layout = parse(&whole).pipeline.layout;
    assert_eq!((layout.nodes.len(), layout.static_descriptors.len()), (1, 0));
}

#[test]
fn constants_share_one_buffer() {
    let text = "[CsGlsl]\nx\n[CsInfo]\nspecConst.mapEntry[0].constantID = 3\nspecConst.mapEntry[0].offset = 8\n\
                specConst.mapEntry[0].size = 4\nspecConst.uintData = 1, 2,\nspecConst.floatData = 0.5\n";
    let file = parse(text);
    // A separator at the end adds a zero.
    assert_eq!(file.shaders[0].constants, [vec![0, 0, 0, 0]]);
    let text = text.replace("2,\n", "2\n");
    assert_eq!(parse(&text).shaders[0].constants, [0.5f32.to_le_bytes().to_vec()]);
    // No type has as many bytes, however many there are.
    let large = text.replace("offset = 8", "offset = 0").replace("size = 4", "size = 12");
    assert_eq!(
        (parse(&large).shaders[0].constants.as_slice(), codes(&large)),
        (&[vec![]][..], vec![("pipe.spec-range", 4)])
    );
}

#[test]
fn rejects_files_that_are_not_descriptions() {
    for (bytes, code) in [(&b"; only a comment\n"[..], "pipe.empty"), (b"[CsGlsl]\n\0", "pipe.not-text")] {
        assert_eq!(read("a.pipe", bytes).expect_err("refused").rule.code, code);
    }
    let long = [b"[CsInfo]\n".as_slice(), &vec![b'x'; 2 << 20], b"\nentryPoint = other\n"].concat();
    let file = read("a.pipe", &long).expect("the rest is read");
    assert_eq!(file.pipeline.findings[0].code, "pipe.line-limit");
}

#[test]
fn counts_findings_beyond_the_listed_ones() {
    let many = format!("[CsInfo]\n{}", "what = 1\n".repeat(10_000));
    let file = read("a.pipe", many.as_bytes()).expect("reads");
    assert!(file.pipeline.findings.len() < 60);
    assert!(file.pipeline.findings.iter().any(|f| f.message.starts_with("9960 more")), "{:?}", file.pipeline.findings);
}

proptest::proptest! {
    #[test]
    fn reads_any_text(text in "(\\[(VsGlsl|VsInfo|ResourceMapping|GraphicsPipelineState|CsHlsl|Version|Nope)\\]?\n|[a-z]{1,6}(\\[[0-9]{1,3}\\])?(\\.(next|type|set)(\\[[0-9]\\])?){0,3} ?=? ?[0-9a-z]{0,4}[;,]?\n|userDataNode\\[[0-9]\\]\\.(type|sizeInDwords) = (PushConst|[0-9]{1,9})\n){0,30}") {
        let _ = read("a.pipe", text.as_bytes());
    }
}
