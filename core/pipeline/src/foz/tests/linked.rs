//! Pipelines that are linked from libraries, and how much they may inflate.

use super::*;

const LAYOUT: &str = r#"{"version":6,"pipelineLayouts":{"0000000000000005":{"flags":0,"setLayouts":[]}}}"#;

#[test]
fn parts_add_up_to_all_targets() {
    let part = |hash: u64, more: &str| {
        pipeline_entry(6, hash, &format!(r#"{{"flags":2048,"layout":"0000000000000005"{more}}}"#))
    };
    let linked = r#","pNext":[{"sType":1000290000,"libraries":["0000000000000002","0000000000000003"]}]"#;
    let fragment = r#","pNext":[{"sType":1000320002,"flags":4},{"sType":1000044002,"colorAttachmentFormats":[],
        "depthAttachmentFormat":126,"stencilAttachmentFormat":0,"viewMask":0}]"#;
    let output = r#","colorBlendState":{"attachments":[{"blendEnable":1,"srcColorBlendFactor":6,"dstColorBlendFactor":7,
        "colorWriteMask":15}]},"pNext":[{"sType":1000320002,"flags":8},{"sType":1000044002,"colorAttachmentFormats":[37],
        "depthAttachmentFormat":0,"stencilAttachmentFormat":0,"viewMask":0}]"#;
    let read = opened(&[part(1, linked), part(2, fragment), part(3, output), Entry::new(3, 5, LAYOUT)], 1);
    let drawn = read.pipeline.state.attachments.expect("drawn");
    assert_eq!((drawn.depth, drawn.colors.len()), (Some(VkFormat(126)), 1));
    let target = drawn.colors[0].target("F".to_owned());
    assert_eq!((drawn.colors[0].format, target.to_string().as_str()), (Some(VkFormat(37)), "F:blend-by-alpha"));
}

#[test]
fn output_part_decides_blending() {
    let part = |hash: u64, more: &str| {
        pipeline_entry(6, hash, &format!(r#"{{"flags":2048,"layout":"0000000000000005"{more}}}"#))
    };
    let linked = r#","pNext":[{"sType":1000290000,"libraries":["0000000000000002","0000000000000003"]}]"#;
    let pass = r#"{"version":6,"renderPasses":{"0000000000000009":{"flags":0,"attachments":[{"format":37,"samples":1}],
        "subpasses":[{"colorAttachments":[{"attachment":0,"layout":2}]}]}}}"#;
    let blend = r#","colorBlendState":{"attachments":[{"blendEnable":1,"srcColorBlendFactor":6,"dstColorBlendFactor":7,
        "colorWriteMask":7}]}"#;
    let in_pass = r#","renderPass":"0000000000000009","subpass":0"#;
    let rendering = |formats: &str| {
        format!(r#"{{"sType":1000044002,"colorAttachmentFormats":[{formats}],"depthAttachmentFormat":0,"viewMask":0}}"#)
    };
    let next = |flags: u32, more: &str| format!(r#","pNext":[{{"sType":1000320002,"flags":{flags}}}{more}]"#);
    let also = |formats: &str| format!(",{}", rendering(formats));
    let cases = [
        ("a render pass in both", [in_pass.to_owned() + &next(4, ""), in_pass.to_owned() + blend + &next(8, "")]),
        ("a render pass in the first", [in_pass.to_owned() + &next(4, ""), blend.to_owned() + &next(8, "")]),
        ("rendering in both", [next(2, &also("37,0")), blend.to_owned() + &next(8, &also("37,0"))]),
        ("rendering of the others is not looked at", [next(2, &also("0")), blend.to_owned() + &next(8, &also("37"))]),
        ("outputs first", [blend.to_owned() + &next(8, &also("37")), next(4, &also("0"))]),
    ];
    for (name, [first, second]) in cases {
        let layout = Entry::new(3, 5, LAYOUT);
        let entries = [part(1, linked), part(2, &first), part(3, &second), layout, Entry::new(5, 9, pass)];
        let read = opened(&entries, 1);
        assert_eq!(codes(&read.pipeline.findings), [""; 0], "{name}");
        let drawn = read.pipeline.state.attachments.expect("drawn");
        let color = &drawn.colors[0];
        let target = color.target("F".to_owned()).to_string();
        let found = (color.format, color.write_mask, target.as_str());
        assert_eq!(found, (Some(VkFormat(37)), 7, "F:blend-by-alpha"), "{name}");
    }
}

#[test]
fn groups_of_a_library_refer_to_its_own_stages() {
    let stages = |bit: u32| format!(r#"[{{"flags":0,"stage":{bit},"module":"0000000000000009","name":"main"}}]"#);
    let group = |general: u32, closest: u32| {
        format!(
            r#"[{{"type":0,"generalShader":{general},"closestHitShader":{closest},"anyHitShader":4294967295,
            "intersectionShader":4294967295}}]"#
        )
    };
    let entry = |hash: u64, stages: String, groups: String, more: &str| {
        let members = format!(r#"{{"flags":0,"layout":"0000000000000005","stages":{stages},"groups":{groups}{more}}}"#);
        Entry::new(9, hash, format!(r#"{{"version":6,"raytracingPipelines":{{"{hash:016x}":{members}}}}}"#))
    };
    let linked = r#","libraryInfo":{"libraries":["0000000000000002"]}"#;
    let entries = [
        entry(1, stages(0x100), group(0, u32::MAX), linked),
        entry(2, stages(0x400), group(u32::MAX, 0), ""),
        Entry::new(3, 5, LAYOUT),
    ];
    let database = database(&entries);
    let place = *database.find(Tag::RayTracing, 1).expect("listed");
    let pipeline = open(&database, &place).unwrap_or_else(|fault| panic!("{fault}")).pipeline;
    let groups = pipeline.state.ray_tracing.expect("ray tracing").groups;
    let named: Vec<_> = groups.iter().map(|group| (group.general, group.closest_hit)).collect();
    assert_eq!(named, [(Some(0), None), (None, Some(1))]);
}

#[test]
fn limits_inflation() {
    // A module of zeros after SPIR-V's first word: they deflate to a thousandth.
    let code = [&[0x83, 0x84, 0x8c, 0x39][..], &vec![0; 2 << 20]].concat();
    let json = format!(r#"{{"varintOffset":0,"varintSize":{},"codeSize":{}}}"#, code.len(), 4 * (code.len() - 3));
    let payload = module_payload(&json, &code);
    let size = payload.len() as u32;
    let packed = |hash| Entry { kind: 2, size: Some(size), ..Entry::new(4, hash, deflated(&payload)) };
    let stage = |hash: u64| format!(r#"{{"flags":0,"stage":1,"module":"{hash:016x}","name":"main"}}"#);
    let pipeline = |hashes: &[u64]| {
        let stages = hashes.iter().copied().map(stage).collect::<Vec<_>>().join(",");
        let pipeline = format!(r#"{{"flags":0,"layout":"0000000000000005","stages":[{stages}]}}"#);
        let mut entries = vec![pipeline_entry(6, 1, &pipeline), Entry::new(3, 5, LAYOUT)];
        entries.extend((0x10..0x20).map(packed));
        opened(&entries, 1)
    };
    let distinct: Vec<u64> = (0x10..0x20).collect();
    let read = pipeline(&distinct);
    let refused: Vec<&String> = read.modules.iter().filter_map(|words| words.as_ref().err()).collect();
    assert!((1..16).contains(&refused.len()), "{refused:?}");
    assert!(refused.iter().all(|why| why.starts_with("foz.size-limit")), "{refused:?}");
    // One that many stages name is read once, and counts once.
    let read = pipeline(&[0x10; 200]);
    assert_eq!((read.stages.len(), read.modules.len()), (200, 1));
    assert!(read.modules[0].is_ok() && read.stages.iter().all(|stage| stage.module == 0));
}

/// A base that is missing, that is the pipeline itself, and that leads back to it: Fossilize replays none of them.
#[test]
fn derivatives_without_a_base_are_reported() {
    let derived = |hash: u64, base: u64| {
        let text = format!(
            r#"{{"flags":4,"layout":"0000000000000005","basePipelineHandle":"{base:016x}","basePipelineIndex":-1}}"#
        );
        pipeline_entry(6, hash, &text)
    };
    let layout = || Entry::new(3, 5, LAYOUT);
    let entries = |derivatives: &[(u64, u64)]| {
        let mut out: Vec<Entry> = derivatives.iter().map(|(hash, base)| derived(*hash, *base)).collect();
        out.push(layout());
        out
    };
    /// Derivatives with their bases, and the rules that they break.
    type Case = (&'static [(u64, u64)], &'static [&'static str]);
    let cases: [Case; 5] = [
        (&[(1, 0)], &[]),
        (&[(1, 2), (2, 3), (3, 0)], &[]),
        (&[(1, 7)], &["foz.missing-ref"]),
        (&[(1, 1)], &["foz.cycle"]),
        (&[(1, 2), (2, 3), (3, 1)], &["foz.cycle"]),
    ];
    for (derivatives, expected) in cases {
        let read = opened(&entries(derivatives), 1);
        assert_eq!(codes(&read.pipeline.findings), expected, "{derivatives:?}");
        let listed = database(&entries(derivatives)).list("", |_| true).findings;
        let mut listed = codes(&listed);
        listed.dedup();
        assert_eq!(listed, expected, "{derivatives:?}");
    }
    // A chain that is longer than what is read of one.
    let chain: Vec<(u64, u64)> = (1..=300).map(|hash| (hash, (hash + 1) % 301)).collect();
    assert_eq!(codes(&opened(&entries(&chain), 1).pipeline.findings), ["foz.size-limit"]);
    // A ring of 300 is one in a listing.
    let ring: Vec<(u64, u64)> = (1..=300).map(|hash| (hash, hash % 300 + 1)).collect();
    let listed = database(&entries(&ring)).list("", |_| true).findings;
    assert!(!listed.is_empty() && codes(&listed).iter().all(|code| *code == "foz.cycle"), "{listed:?}");
    // The base of a base is missing, and a pipeline beside a ring is not in it.
    assert_eq!(codes(&opened(&entries(&[(1, 2), (2, 7)]), 1).pipeline.findings), ["foz.missing-ref"]);
    let beside = database(&entries(&[(1, 2), (2, 2)])).list("", |_| true).findings;
    assert_eq!(codes(&beside), ["foz.cycle"]);
}
