//! Hand-written reports for tests of the text report.

use std::borrow::Cow;

use lanescope_core::findings;
use lanescope_core::ids::{Bytes, Component, Hex, Id, Location};
use lanescope_core::options::{Derivatives, LayoutRules, Options, PackingOrder, SpecValue, WaveChoice};
use lanescope_core::packing::{
    At, AttributeBuiltIn, BuiltInSlot, Dropped, InterfaceScalar, Interpolation, Mapping, Missing, Packing, Place,
    Saving, Slots,
};
use lanescope_core::program::{Format, Input, StageKind};
use lanescope_core::registers::{Field, From, Register, Unknown};
use lanescope_core::report::{Report, SpecConstant, StageReport};
use lanescope_core::target::Target;
use lanescope_core::workgroup::{GroupMap, Layout, Macro, Micro, Rule};
use lanescope_pictures::gallery::empty_report;

/// Every report, by name.
pub fn all() -> Vec<(&'static str, Report)> {
    let sized = |size, micro, macro_tile, wave| {
        let mut report = compute();
        report.workgroup = vec![layout(size, micro, macro_tile, wave)];
        report
    };
    let groups = |groups: [u32; 3], tile| {
        let ids = (0..groups[1]).flat_map(|y| (0..groups[0]).map(move |x| [x, y])).collect();
        let mut report = compute();
        report.group_map = Some(GroupMap { tile, groups, applies: tile < 8, ids });
        report
    };
    vec![
        ("design note", design_note()),
        ("hard interface", hard_interface()),
        ("128 slots", wide_interface()),
        ("findings", findings_only()),
        ("16x16", compute()),
        ("1x1x1", sized([1, 1, 1], Micro::None, Macro::None, 32)),
        ("32x32", sized([32, 32, 1], Micro::Quads, Macro::Block8, 32)),
        ("1024x1", sized([1024, 1, 1], Micro::None, Macro::None, 64)),
        ("1x1024", sized([1, 1024, 1], Micro::None, Macro::None, 64)),
        ("1x1x1024", sized([1, 1, 1024], Micro::None, Macro::None, 32)),
        ("4x4x64", sized([4, 4, 64], Micro::Quads, Macro::None, 32)),
        ("5x6x7", sized([5, 6, 7], Micro::None, Macro::None, 32)),
        ("96x4x2", sized([96, 4, 2], Micro::None, Macro::None, 32)),
        ("4096x16", sized([4096, 16, 1], Micro::None, Macro::None, 32)),
        ("9000x9000", sized([9000, 9000, 9000], Micro::None, Macro::None, 32)),
        ("few groups", groups([9, 5, 2], 4)),
        ("many groups", groups([300, 200, 1], 64)),
    ]
}

fn input(path: &str, bytes: u64) -> Input {
    Input::new(path.to_owned(), Format::Glsl, Bytes(bytes), Hex(bytes * 0x9e37_79b9))
}

fn stage(stage: StageKind, input: usize, workgroup_size: Option<[u32; 3]>) -> StageReport {
    StageReport { stage, entry: "main".to_owned(), input, workgroup_size, driver_hashes: None }
}

/// One scalar: variable, place as written, place after packing, class.
fn scalar(variable: &str, from: (u32, u8), to: (u32, u8, bool), bits: u32, interpolation: Interpolation) -> Mapping {
    Mapping {
        variable: variable.into(),
        variable_id: Id(10 + from.0),
        part: None,
        from: Place { location: Location(from.0), component: Component(from.1), half: false },
        to: Place { location: Location(to.0), component: Component(to.1), half: to.2 },
        bits,
        interpolation,
        at: At::Center.into(),
        per_primitive: false,
        written: true,
    }
}

fn packing(map: Vec<Mapping>) -> Packing {
    let count = |mut slots: Vec<u32>| {
        slots.sort();
        slots.dedup();
        u32::try_from(slots.len()).expect("few slots")
    };
    let slots = Slots {
        before: count(map.iter().map(|m| m.from.location.0).collect()),
        after: count(map.iter().map(|m| m.to.location.0).collect()),
        per_primitive: 0,
    };
    let bytes = |factor: u64| [slots.before, slots.after].map(|n| Bytes(u64::from(n) * factor));
    let used = |m: &Mapping| InterfaceScalar {
        variable: m.variable.clone(),
        input_id: Some(m.variable_id),
        output_id: m.written.then_some(Id(m.variable_id.0 + 100)),
        location: m.from.location,
        component: m.from.component,
        part: m.part,
        bits: m.bits,
        interpolation: m.interpolation,
        used: true,
        written: m.written,
    };
    Packing {
        producer: Some(StageKind::Vertex),
        consumer: StageKind::Fragment,
        order: PackingOrder::Llpc,
        interface: map.iter().map(used).collect(),
        semantics: Vec::new(),
        output_linkage: None,
        spans: Vec::new(),
        dropped: Vec::new(),
        missing: Vec::new(),
        builtins: Vec::new(),
        outputs: Vec::new(),
        raster_stream: 0,
        exports: Vec::new(),
        slots,
        saving: Saving { parameter_cache_per_vertex: bytes(16), lds_per_primitive: bytes(48), ..Saving::NONE },
        stored: None,
        fallback: None,
        per_patch: false,
        map,
    }
}

/// The design note's example in its own order: vec3, float, flat int64, flat i16vec2, four halves.
pub fn design_note() -> Report {
    use Interpolation::{Flat, Smooth};
    let packing = Packing {
        order: PackingOrder::DesignNote,
        ..packing(vec![
            scalar("v0", (0, 0), (0, 0, false), 32, Smooth),
            scalar("v0", (0, 1), (0, 1, false), 32, Smooth),
            scalar("v0", (0, 2), (0, 2, false), 32, Smooth),
            scalar("v1", (1, 0), (0, 3, false), 32, Smooth),
            scalar("v2", (2, 0), (2, 0, false), 32, Flat),
            scalar("v2", (2, 1), (2, 1, false), 32, Flat),
            scalar("v3", (3, 0), (2, 2, false), 16, Flat),
            scalar("v3", (3, 1), (2, 2, true), 16, Flat),
            scalar("v4", (4, 0), (1, 0, false), 16, Smooth),
            scalar("v5", (5, 0), (1, 0, true), 16, Smooth),
            scalar("v6", (6, 0), (1, 1, false), 16, Smooth),
            scalar("v7", (7, 0), (1, 1, true), 16, Smooth),
        ])
    };
    let mut registers = Vec::new();
    for (from, words) in [
        (From::Packed, vec![0, 0x0308_0001, 0x402]),
        (From::Unpacked, vec![0, 1, 0x402, 0x403, 0x0108_0004, 0x0108_0005, 0x0108_0006, 0x0108_0007]),
    ] {
        let count = u32::try_from(words.len()).expect("few words");
        for (index, word) in words.into_iter().enumerate() {
            registers.push(interpolant(index, word, from));
        }
        registers.push(register("SPI_PS_IN_CONTROL", 0xa1b6, Some(count), from, &[("NUM_INTERP", 0, 6)]));
        let mut rsrc = register("SPI_SHADER_PGM_RSRC1_PS", 0x2c0a, None, from, &[("VGPRS", 0, 6), ("SGPRS", 6, 4)]);
        rsrc.unknown = Some(Unknown::BackEnd);
        registers.push(rsrc);
        let mut interp = register("SPI_INTERP_CONTROL_0", 0xa1b5, Some(0), from, &[("FLAT_SHADE_ENA", 0, 1)]);
        interp.driver_value = Some(Hex(1));
        registers.push(interp);
    }
    Report {
        inputs: vec![input("samples/design-note.vert", 912), input("samples/design-note.frag", 1204)],
        options: Options { order: PackingOrder::DesignNote, ..Options::default() },
        stages: vec![stage(StageKind::Vertex, 0, None), stage(StageKind::Fragment, 1, None)],
        packing: Some(packing),
        inner_packing: Vec::new(),
        dxil: None,
        registers,
        findings: vec![findings::NEEDS_BACK_END.at(
            Some(StageKind::Fragment),
            Some(findings::Place::Register { name: "SPI_SHADER_PGM_RSRC1_PS".to_owned() }),
            "VGPRS and SGPRS are known only after register allocation",
        )],
        ..empty_report()
    }
}

fn register(name: &str, address: u64, word: Option<u32>, from: From, fields: &[(&'static str, u32, u32)]) -> Register {
    let value = |lsb: u32, width: u32| word.map(|word| (word >> lsb) & ((1 << width) - 1));
    Register {
        target: Target::Gfx1030,
        stage: StageKind::Fragment,
        entry: None,
        name: name.to_owned().into(),
        address: Hex(address),
        value: word.map(|word| Hex(u64::from(word))),
        from,
        unknown: None,
        driver_value: None,
        fields: fields
            .iter()
            .map(|(name, lsb, width)| Field {
                name: Cow::Borrowed(name),
                lsb: *lsb,
                width: *width,
                value: value(*lsb, *width),
                why: "by hand".into(),
            })
            .collect(),
    }
}

fn interpolant(index: usize, word: u32, from: From) -> Register {
    let fields = [
        ("OFFSET", 0, 6),
        ("DEFAULT_VAL", 8, 2),
        ("FLAT_SHADE", 10, 1),
        ("FP16_INTERP_MODE", 19, 1),
        ("ATTR0_VALID", 24, 1),
        ("ATTR1_VALID", 25, 1),
    ];
    register(&format!("SPI_PS_INPUT_CNTL_{index}"), 0xa191 + index as u64, Some(word), from, &fields)
}

/// Long names in several scripts, every class, gaps, a built-in, dropped outputs, missing inputs.
pub fn hard_interface() -> Report {
    use Interpolation::{Custom, Flat, NoPerspective, Smooth};
    let mut packing = packing(vec![
        scalar("worldSpaceNormalOfTheVertex", (0, 0), (0, 0, false), 32, Smooth),
        scalar("worldSpaceNormalOfTheVertex", (0, 1), (0, 1, false), 32, Smooth),
        scalar("材質の色", (3, 2), (0, 2, false), 32, NoPerspective),
        scalar("half_pair[1]", (4, 0), (1, 0, false), 16, Smooth),
        scalar("half_pair[1]", (4, 1), (1, 0, true), 16, Smooth),
        scalar("material\u{1b}[31m.id", (40, 0), (2, 0, false), 32, Flat),
        scalar("barycentric", (41, 3), (3, 0, false), 32, Custom),
    ]);
    packing.map[4].written = false;
    packing.map[5].written = false;
    packing.missing = [(4, 1), (40, 0)]
        .map(|(location, component)| Missing {
            variable: "half_pair[1]".into(),
            variable_id: Some(Id(9)),
            location: Location(location),
            component: Component(component),
        })
        .to_vec();
    packing.dropped = (0..9)
        .map(|index| Dropped {
            variable: format!("outputThatNobodyReads{index}").into(),
            variable_id: Id(50 + index),
            location: Location(60 + index / 4),
            component: Component(u8::try_from(index % 4).expect("below 4")),
            part: None,
            reason: "unread".into(),
        })
        .collect();
    packing.interface.extend(packing.dropped.iter().map(|dropped| InterfaceScalar {
        variable: dropped.variable.clone(),
        input_id: None,
        output_id: Some(dropped.variable_id),
        location: dropped.location,
        component: dropped.component,
        part: dropped.part,
        bits: 32,
        interpolation: Smooth,
        used: false,
        written: true,
    }));
    packing.builtins =
        vec![BuiltInSlot { built_in: AttributeBuiltIn::PointCoord, location: Location(4), written: true }];
    Report { packing: Some(packing), ..design_note() }
}

/// 128 locations of four scalars each.
fn wide_interface() -> Report {
    let place = |n: u32| (n / 4, u8::try_from(n % 4).expect("below 4"));
    let map = (0..512).map(|n| {
        let (location, component) = place(n);
        let interpolation = Interpolation::ALL[n as usize % 4];
        scalar(&format!("varying{location}"), place(n), (location, component, false), 32, interpolation)
    });
    Report { packing: Some(packing(map.collect())), ..design_note() }
}

fn layout(size: [u32; 3], micro: Micro, macro_tile: Macro, wave: u32) -> Layout {
    let [x, y, z] = size.map(u64::from);
    let count = x * y * z;
    let of = |h: u64| {
        let (t, iz) = (h % (x * y), h / (x * y));
        let (ix, iy) = match (micro, macro_tile) {
            (Micro::Quads, Macro::Block8) => {
                let q = t / 16;
                (8 * (q / (y / 2)) + 2 * ((t / 4) % 4) + t % 2, 2 * (q % (y / 2)) + (t / 2) % 2)
            }
            (Micro::Quads, Macro::None) => {
                let q = t / 4;
                (2 * (q % (x / 2)) + t % 2, 2 * (q / (x / 2)) + (t / 2) % 2)
            }
            (_, Macro::Block8) => (8 * ((t / 8) / y) + t % 8, (t / 8) % y),
            (_, Macro::None) => (t % x, t / x),
        };
        [ix, iy, iz].map(|n| u32::try_from(n).expect("inside the group"))
    };
    let rule = |rule: &str, held, why: &str| Rule { rule: rule.to_owned(), held, why: why.to_owned() };
    Layout {
        entry: "main".to_owned(),
        stage: StageKind::Compute,
        size,
        declared_size: size,
        derivatives: Derivatives::None,
        micro,
        macro_tile,
        layout_rules: LayoutRules::Llpc,
        force_swizzle: None,
        other_rules: None,
        folded: false,
        rules: vec![
            rule("micro-by-derivatives", false, "no derivative group: micro stays none"),
            rule("force-8xN", macro_tile == Macro::Block8, "X = 16 is at least 16, 16 mod 8 = 0, Y mod 4 = 0"),
            rule(
                "reconfig",
                false,
                "reconfigWorkgroupLayout is off, so neither the evenness of X and Y nor X mod 8 is looked at",
            ),
        ],
        lanes: (count <= 1 << 17).then(|| (0..count).map(of).collect()),
        interleave: None,
        wave,
        derivative_uses: Vec::new(),
    }
}

/// A compute shader of 16×16 under 8×N.
pub fn compute() -> Report {
    let mut dims = Vec::new();
    for (index, name) in ["X", "Y", "Z"].iter().enumerate() {
        let word = [16, 16, 1].get(index).copied();
        let name = format!("COMPUTE_NUM_THREAD_{name}");
        let mut register = register(&name, 0x2e07 + index as u64, word, From::Compute, &[("NUM_THREAD_FULL", 0, 16)]);
        register.stage = StageKind::Compute;
        dims.push(register);
    }
    let spec = std::collections::BTreeMap::from([(0, SpecValue("16".to_owned()))]);
    let constant = |id, name: Option<&str>, default: &str, value: &str| SpecConstant {
        id,
        input: 0,
        name: name.map(str::to_owned),
        type_name: "uint32".to_owned(),
        default: default.to_owned(),
        value: value.to_owned(),
    };
    Report {
        inputs: vec![input("samples/blur.comp", 702)],
        options: Options { wave: WaveChoice::Wave32, force_swizzle: true, spec, ..Options::default() },
        stages: vec![stage(StageKind::Compute, 0, Some([16, 16, 1]))],
        pipeline: None,
        spec_constants: vec![constant(0, Some("tile_width"), "8", "16"), constant(1, None, "4", "4")],
        workgroup: vec![layout([16, 16, 1], Micro::None, Macro::Block8, 32)],
        registers: dims,
        ..empty_report()
    }
}

/// A readable module that nothing can be laid out for.
pub fn findings_only() -> Report {
    let place = |text: &str| Some(findings::Place::text(text));
    Report {
        inputs: vec![input("broken.spv", 1 << 20)],
        stages: vec![stage(StageKind::Compute, 0, Some([0, 1 << 31, 1]))],
        findings: vec![
            findings::SIZE_ZERO.at(
                Some(StageKind::Compute),
                place("LocalSize"),
                "X is 0, so the group has no invocation",
            ),
            findings::UNKNOWN_SPEC_ID.at(
                None,
                None,
                "SpecId 77 is set and no module declares it; the modules declare 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 \
                 and nothing else",
            ),
            findings::RECURSION.at(Some(StageKind::Compute), place("%12 → %18 → %12"), "a function calls itself"),
            findings::VALIDATION_STOPPED.at(None, None, "the rest of the module is unchecked"),
        ],
        ..empty_report()
    }
}
