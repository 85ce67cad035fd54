//! Sample guesses: the design note's example against an application that matches it, and one that does not.

use lanescope_core::driver::speculative::{
    Event, Form, Lane, Libraries, Lookup, PipelineBinaries, ShaderObjects, SpeculativeCompile, StageTime,
};
use lanescope_core::guessed_layout::{
    Against, Application, BasicType, Color, Entry, FragmentOutput, GuessedStage, Ingredient, Key, Layout, ModuleUsage,
    Placed, PushConstants, Resource, ResourceKind, UserData, VariablePointers, automatic, breaks, moved_sgprs, nodes,
    place, remap,
};
use lanescope_core::ids::{Bytes, Hex};
use lanescope_core::options::{AutoLayoutRule, KeyRule, Options};
use lanescope_core::program::StageKind;
use lanescope_core::report::Report;

use super::empty_report;

/// A report with that stage.
pub fn guessed_layout_report(stage: GuessedStage) -> Report {
    Report { partial: vec![stage], ..empty_report() }
}

fn resource(name: &str, set: u32, binding: u32, kind: ResourceKind, array_size: u64) -> Resource {
    let node = kind.node_type();
    Resource { name: Some(name.to_owned()), set, binding, kind, node, array_size, runtime: false, used: true }
}

fn color(location: u32, format: &str, export: u32, name: &str) -> Color {
    Color {
        location,
        format: format.to_owned(),
        blend: false,
        blends_by_alpha: false,
        unwritten: false,
        export,
        export_name: name.to_owned(),
        why: "wide".to_owned(),
    }
}

/// The words of a layout's nodes that the shader uses, as a key lists them.
fn key(used: &Layout, layout: &Layout, colors: &[Color], hash: u64) -> Key {
    let word = |label: String, value: u64| Ingredient { label: label.into(), value: Hex(value) };
    let mut ingredients = vec![word("module hash: low".to_owned(), 0x51de_0c3a), word("stage".to_owned(), 6)];
    for (node, _) in layout.nodes().filter(|(node, _)| used.find(node.set, node.binding).is_some()) {
        ingredients.push(word(format!("{}: type", node.place()), u64::from(node.node.number())));
        ingredients.push(word(format!("{}: size", node.place()), node.size));
        ingredients.push(word(format!("{}: offset", node.place()), node.offset));
    }
    for color in colors {
        ingredients.push(word(format!("target {}: export format", color.location), u64::from(color.export)));
    }
    Key { rule: KeyRule::Note, hash: Hex(hash), ingredients }
}

/// The same by every rule, as far as a picture distinguishes them.
fn keys(note: Key, today: u64, all_stages: u64) -> [Key; 3] {
    let other = |rule, hash| Key { rule, hash: Hex(hash), ..note.clone() };
    [note.clone(), other(KeyRule::Llpc, today), other(KeyRule::LlpcPipeline, all_stages)]
}

/// The user data of a shader that loads all of a root.
fn user_data(layout: &Layout) -> UserData {
    let loaded = layout.root_dwords as u32;
    let entry = |entry: u32| Entry { entry, what: layout.entry(u64::from(entry)).unwrap_or_default() };
    UserData {
        loaded,
        in_registers: loaded,
        spilled_from: None,
        dynamic: false,
        before: 1,
        after: 0,
        special: Vec::new(),
        registers: loaded + 1,
        available: 32,
        entries: (0..loaded).map(entry).collect(),
    }
}

/// The design note's example: four bindings in two sets, push constants, two outputs.
fn stage(given: &[Resource], given_colors: Vec<Color>, push: Option<u64>) -> GuessedStage {
    let resources = vec![
        resource("scale", 0, 0, ResourceKind::UniformBlock, 1),
        resource("image", 0, 2, ResourceKind::CombinedImage, 1),
        resource("sum", 1, 1, ResourceKind::StorageBlock, 1),
        resource("target", 1, 3, ResourceKind::StorageImage, 1),
    ];
    let push_constants = PushConstants { name: None, bytes: 20, block_bytes: 20, summed_bytes: 20 };
    let options = Options::default();
    let layout = automatic(&resources, Some(&push_constants), &options);
    let sequential = Options { auto_layout: AutoLayoutRule::Sequential, ..options.clone() };
    let other_layout = automatic(&resources, Some(&push_constants), &sequential);
    let mut placed: Vec<Placed> = nodes(given, &options);
    placed.sort_by_key(|placed| (placed.node.set, placed.node.binding));
    let application = Application {
        origin: "app.pipe".to_owned(),
        layout: place(placed, push, AutoLayoutRule::Note),
        placed: false,
        hidden: Vec::new(),
        fixed: Vec::new(),
        colors: given_colors,
        spec: Vec::new(),
    };
    let colors = vec![color(0, "R32G32B32A32_SFLOAT", 9, "32_ABGR"), color(1, "R32G32_UINT", 2, "32_GR")];
    let broken = breaks(&layout, &colors, &application);
    let own = key(&layout, &layout, &colors, 0x82c1_77f0_3a5b_9e14);
    let own = keys(own, 0x1f00_a2d4_66c8_03b7, 0x64d9_0b51_f72e_8c30);
    let hash = if broken.is_empty() { 0x82c1_77f0_3a5b_9e14 } else { 0xd3a0_5512_98ee_4c70 };
    let theirs = key(&layout, &application.layout, &application.colors, hash);
    let rows = remap(&layout, &application.layout);
    let user_data = user_data(&layout);
    let sgprs = moved_sgprs(&user_data, &rows);
    let against = Against {
        keys: keys(theirs, 0x7a55_0912_41bd_ee02, 0x0f38_c6a7_9d14_52eb),
        hit: broken.is_empty(),
        usable: broken.is_empty(),
        breaks: broken,
        remap: rows,
        user_data: None,
        sgprs: sgprs.clone(),
        gaps: Vec::new(),
        application,
    };
    let output = |name: &str, location, basic_type, components, format: &str| FragmentOutput {
        name: Some(name.to_owned()),
        location,
        index: 0,
        basic_type,
        components,
        format: format.to_owned(),
        write_mask: (1 << components) - 1,
    };
    GuessedStage {
        stage: StageKind::Fragment,
        entry: "main".to_owned(),
        input: 0,
        resources,
        push_constants: Some(push_constants),
        user_data: Some(user_data),
        outputs: vec![
            output("color", 0, BasicType::Float32, 4, "R32G32B32A32_SFLOAT"),
            output("id", 1, BasicType::Uint32, 2, "R32G32_UINT"),
        ],
        usage: ModuleUsage {
            variable_pointers: VariablePointers::None,
            subgroup_size: false,
            helper_invocations: false,
            spec_constants: false,
            unused_functions: false,
        },
        rule: AutoLayoutRule::Note,
        layout,
        other_layout,
        ineligible: Vec::new(),
        colors,
        keys: own,
        against: Some(against),
        ahead: None,
    }
}

/// What both applications have.
fn given() -> Vec<Resource> {
    vec![
        resource("", 0, 0, ResourceKind::UniformBlock, 1),
        resource("", 0, 1, ResourceKind::Sampler, 1),
        resource("", 0, 2, ResourceKind::CombinedImage, 1),
        resource("", 1, 1, ResourceKind::StorageBlock, 1),
        resource("", 1, 3, ResourceKind::StorageImage, 1),
        resource("", 2, 0, ResourceKind::UniformBlock, 1),
    ]
}

/// An application that the guess serves, compiled speculatively.
pub fn guessed_hit() -> GuessedStage {
    let colors = vec![color(0, "R32G32B32_SFLOAT", 9, "32_ABGR"), color(1, "R32G32_UINT", 2, "32_GR")];
    let mut stage = stage(&given(), colors, Some(16));
    let event = |lane, what: &str, span, critical| Event { lane, what: what.to_owned(), span, critical };
    stage.ahead = Some(Box::new(SpeculativeCompile {
        device: "Null hardware (RADV NAVI21)".to_owned(),
        driver: "radv Mesa 26.1.6".to_owned(),
        chip: None,
        stages: vec![StageKind::Vertex, StageKind::Fragment],
        stage: StageKind::Fragment,
        entry: "main".to_owned(),
        form: Form::Library,
        key: stage.keys[0].hash,
        lookups: vec![Lookup { cache: "automatic layout".to_owned(), key: stage.keys[0].hash, found: true }],
        hit: true,
        why: Vec::new(),
        gaps: Vec::new(),
        kept: false,
        without: vec![3_200_000],
        with: vec![1_100_000],
        worker: vec![2_300_000],
        events: vec![
            event(Lane::Application, "create the shader module", [20_000, 60_000], false),
            event(Lane::Application, "guess a layout, queue the task", [60_000, 310_000], true),
            event(Lane::Application, "other work", [310_000, 2_700_000], false),
            event(Lane::Worker, "compile the guess", [330_000, 2_630_000], false),
            event(Lane::Application, "look up the guessed layout", [2_700_000, 2_760_000], true),
            event(Lane::Application, "compile the rest, link it", [2_760_000, 3_550_000], true),
        ],
        libraries: Some(Libraries {
            before: 700_000,
            fragment: 2_100_000,
            output: 4_000,
            link: 90_000,
            optimised: 2_900_000,
        }),
        objects: Some(ShaderObjects {
            stages: vec![
                StageTime { stage: StageKind::Vertex, time: 900_000 },
                StageTime { stage: StageKind::Fragment, time: 2_250_000 },
            ],
            linked: Some(2_900_000),
            bytes: Bytes(3_120),
            restored: 41_000,
        }),
        binaries: Some(PipelineBinaries { count: 2, bytes: Bytes(2_980), restore: 6_000, create: 38_000 }),
        bytes: Some(Bytes(5_432)),
        code: Some(Bytes(1_204)),
        notes: Vec::new(),
    }));
    stage
}

/// An application that breaks the guess: a longer array, a missing binding, no push constants, another export.
pub fn guessed_miss() -> GuessedStage {
    let mut given = given();
    given[2].array_size = 2;
    given.remove(4);
    let colors = vec![color(0, "B8G8R8A8_UNORM", 4, "FP16_ABGR"), color(1, "R32G32_UINT", 2, "32_GR")];
    stage(&given, colors, None)
}
