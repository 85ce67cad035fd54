//! Sample compilations: what Mesa's AMD compiler made of a lit surface, and a text as long as texts get.

use lanescope_core::driver::isa::{Does, ExportTarget, IsaFacts, read};
use lanescope_core::driver::origin::{Origin, OriginRule};
use lanescope_core::driver::registers::{Choice, RegisterRow};
use lanescope_core::driver::verified::{self, Verified};
use lanescope_core::driver::{
    DriverSections, DriverStage, Failure, Link, Outcome, Representation, Statistic, Value, Version,
};
use lanescope_core::packing::Interpolation;
use lanescope_core::program::StageKind;
use lanescope_core::report::{Report, StageReport};
use lanescope_core::spirv::SourceLine;
use lanescope_core::target::Target;
use lanescope_inspector::settings::CompileSettings;
use lanescope_inspector::source::{Instructions, Language, SourceText, TextRole};
use lanescope_inspector::tasks::Compiled;

use super::{Sample, empty_report};

/// An assembly text of the samples.
macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../../../driver/tests/data/isa_samples/lit_surface.", $name, ".s"))
    };
}

/// The report that goes with [`compiled`]: of the surface's six varyings five are read.
pub fn lit_report() -> Report {
    let mut sample = Sample::new(lanescope_core::options::PackingOrder::Llpc);
    let mut place = 0_u32;
    for (name, location, count) in
        [("world_position", 0, 3_u8), ("world_normal", 1, 3), ("texcoord", 3, 2), ("vertex_color", 4, 3)]
    {
        let variable = sample.variable(name, Interpolation::Smooth, 32);
        for component in 0..count {
            sample.used(variable, (location, component), (place / 4, (place % 4) as u8, false));
            place += 1;
        }
    }
    let material = sample.variable("material", Interpolation::Flat, 32);
    sample.used(material, (5, 0), (3, 0, false));
    let stage = |stage, input| StageReport {
        stage,
        entry: "main".to_owned(),
        input,
        workgroup_size: None,
        driver_hashes: None,
    };
    for component in 0..4 {
        sample.dropped("world_tangent", (2, component));
    }
    Report {
        packing: Some(sample.finish(4)),
        stages: vec![stage(StageKind::Vertex, 0), stage(StageKind::Fragment, 1)],
        ..empty_report()
    }
}

/// Two chips, each for the original and the packed surface, its stages apart; and a compiler that died.
pub fn compiled() -> Compiled {
    let settings = CompileSettings {
        chips: vec![Target::Gfx1030.into(), Target::Gfx1100.into()],
        link: Link::Apart,
        ..CompileSettings::DEFAULT
    };
    let (original, packed) = (Version::Original, Version::Packed);
    let stages = vec![
        row(Target::Gfx1030, original, StageKind::Vertex, text!("original.apart.vertex.gfx1030"), [32, 556, 0]),
        row(Target::Gfx1030, original, StageKind::Fragment, text!("original.apart.fragment.gfx1030"), [16, 412, 0]),
        row(Target::Gfx1030, packed, StageKind::Vertex, text!("packed.apart.vertex.gfx1030"), [24, 524, 0]),
        row(Target::Gfx1030, packed, StageKind::Fragment, text!("packed.apart.fragment.gfx1030"), [16, 408, 0]),
        row(Target::Gfx1100, original, StageKind::Vertex, text!("original.apart.vertex.gfx1100"), [24, 960, 0]),
        row(Target::Gfx1100, original, StageKind::Fragment, text!("original.apart.fragment.gfx1100"), [24, 640, 0]),
        row(Target::Gfx1100, packed, StageKind::Vertex, text!("packed.apart.vertex.gfx1100"), [24, 844, 2]),
        row(Target::Gfx1100, packed, StageKind::Fragment, text!("packed.apart.fragment.gfx1100"), [24, 636, 0]),
    ];
    let died = Failure {
        compiler: "RADV for gfx900 (radv Mesa 22.3.6)".to_owned(),
        of: Version::Packed,
        stages: vec![StageKind::Fragment],
        fate: Outcome::Died("SIGSEGV (segmentation fault)".to_owned()),
        place: "gfx900".to_owned(),
        icd: None,
        missing: false,
        repro: Some("/home/user/.cache/lanescope/repro/packed-fragment-gfx900".to_owned()),
    };
    let (pipelines, milliseconds, since_saved) = ([4, 1], 87, Some(312));
    let layouts = include_str!("../../../driver/tests/data/isa_samples/lit_surface.layouts.json");
    let sections = DriverSections {
        failures: vec![died.column()],
        layouts: serde_json::from_str(layouts).expect("a bundled sample reads back"),
        registers: registers(),
        findings: std::iter::once(died.finding()).chain(verified::findings(&stages)).collect(),
        costs: Vec::new(),
        stages,
    };
    Compiled { settings, sections, failures: vec![died], pipelines, milliseconds, since_saved }
}

/// A field that agrees, one that only the back end knows, and one that differs by a choice.
fn registers() -> Vec<RegisterRow> {
    let row = |register: &str, field: &str, [ours, driver]: [Option<u32>; 2], told: &str, choice| RegisterRow {
        device: "Null hardware (RADV NAVI21)".to_owned(),
        version: String::new(),
        target: Target::Gfx1030,
        of: Version::Original,
        link: Link::Apart,
        stage: StageKind::Fragment,
        entry: None,
        register: register.to_owned(),
        field: field.to_owned(),
        ours,
        driver: driver.unwrap_or(0),
        told: told.to_owned(),
        choice,
    };
    let rsrc1 = "SPI_SHADER_PGM_RSRC1_PS";
    let count = row("SPI_VS_OUT_CONFIG", "VS_EXPORT_COUNT", [Some(4), Some(6)], "7 slots exported", None);
    let packed = RegisterRow { of: Version::Packed, ..row(rsrc1, "VGPRS", [None, Some(3)], "16 VGPRs", None) };
    vec![
        row("SPI_PS_IN_CONTROL", "NUM_INTERP", [Some(5), Some(5)], "5 attributes", None),
        row(rsrc1, "VGPRS", [None, Some(3)], "16 VGPRs", Some(Choice::BackEnd)),
        RegisterRow { choice: Some(Choice::BackEnd), ..packed },
        RegisterRow { stage: StageKind::Vertex, choice: Some(Choice::WholeInterface), ..count },
    ]
}

/// The first of the instructions that [`lit_texts`] lists, and the source line of each.
const CODE: (u32, [(&str, u32); 6]) = (
    70,
    [
        ("%22 = OpLoad %v2float %texcoord", 17),
        ("%23 = OpImageSampleImplicitLod %v4float %21 %22", 17),
        ("%24 = OpLoad %v4float %vertex_color", 17),
        ("%28 = OpLoad %v3float %world_normal", 18),
        ("%30 = OpLoad %v3float %world_position", 18),
        ("OpStore %color %45", 19),
    ],
);

/// The texts that go with [`compiled`]: the fragment shader's module, and the source that it carries.
pub fn lit_texts() -> Vec<SourceText> {
    let (first, all) = CODE;
    let text = |title: &str, language, role, text: String, line: fn(usize, u32) -> usize| SourceText {
        title: title.to_owned(),
        language,
        input: 1,
        role,
        text,
        marks: Vec::new(),
        instructions: Some(Instructions {
            module: 1,
            stages: vec![StageKind::Fragment],
            lines: all.iter().enumerate().map(|(at, (_, of))| (line(at, *of), first + at as u32)).collect(),
        }),
    };
    let listing = all.iter().map(|(code, _)| format!("{code:>60}\n")).collect();
    let (module, source) = (TextRole::Module(1), include_str!("../../../../samples/lit_surface.frag"));
    vec![
        text("lit_surface.spv (SPIR-V)", Language::Spvasm, module, listing, |at, _| at),
        text("lit_surface.frag in lit_surface.spv", Language::Glsl, TextRole::Source, source.to_owned(), |_, of| {
            of as usize - 1
        }),
    ]
}

/// Where the lines of a fragment shader's assembly come from, as far as [`lit_texts`] goes.
fn origins(facts: &IsaFacts, of: Version) -> Vec<Origin> {
    let (first, all) = CODE;
    let origin = |instruction, at: usize, by| Origin {
        instruction,
        spirv: vec![first + at as u32],
        lines: vec![SourceLine { file: "lit_surface.frag".to_owned(), line: all[at].1 }],
        by,
    };
    // As authored, each attribute is one variable; the sample's first four locations.
    let reads = facts.interpolations.iter().filter(|read| of == Version::Original && read.attribute < 4);
    let mut out: Vec<_> = reads
        .map(|read| origin(read.instruction, [4, 3, 0, 2][read.attribute as usize], OriginRule::Varying))
        .collect();
    let samples = facts.memory.iter().filter(|memory| memory.does == Does::Sample);
    out.extend(samples.map(|memory| origin(memory.instruction, 1, OriginRule::OnlyOne)));
    let colours = facts.exports.iter().filter(|export| export.target == ExportTarget::Color);
    out.extend(colours.map(|export| origin(export.instruction, 5, OriginRule::Output)));
    out.sort_by_key(|origin| origin.instruction);
    out
}

/// What the driver's own form of a stage declares of its varyings.
fn declarations(of: Version, stage: StageKind) -> String {
    let all: &[(&str, &str, u32)] = match of {
        Version::Packed => &[("vec4", "xyzw", 0), ("vec4", "xyzw", 1), ("vec3", "xyz", 2), ("uint", "x", 3)],
        _ => &[
            ("vec3", "xyz", 0),
            ("vec3", "xyz", 1),
            ("vec4", "xyzw", 2),
            ("vec2", "xy", 3),
            ("vec4", "xyzw", 4),
            ("uint", "x", 5),
        ],
    };
    let (name, is_read) = match stage {
        StageKind::Fragment => ("FRAGMENT", true),
        _ => ("VERTEX", false),
    };
    // No one reads the tangent.
    let used = all.iter().filter(|(.., location)| !is_read || of == Version::Packed || *location != 2);
    let line = |(at, (ty, channels, location)): (u32, &(&str, &str, u32))| {
        let (class, number) = if is_read { ("in", at) } else { ("out", 32 + location) };
        let mode = if *ty == "uint" { "FLAT" } else { "NONE" };
        format!(
            "decl_var shader_{class} INTERP_MODE_{mode} {ty} v{location} (VARYING_SLOT_VAR{location}.{channels}, {number}, 0)\n"
        )
    };
    let lines: String = (0u32..).zip(used).map(line).collect();
    format!("shader: MESA_SHADER_{name}\nsource_sha1: {{0x00000000}}\n{lines}")
}

/// A fragment shader of so many lines, with a branch and a loop in each hundred.
pub fn long_compiled(lines: usize) -> Compiled {
    let line = |at: usize| {
        let (block, r) = (at / 50, at % 60);
        match at % 50 {
            0 => format!("BB{block}:\n"),
            1 => format!("\tv_interp_p1_f32_e32 v{r}, v0, attr{}.x                ; c8080800\n", block % 5),
            2 => format!("\tv_interp_p2_f32_e32 v{}, v1, attr{}.x                ; c8090801\n", r - 1, block % 5),
            20 => format!("\tbuffer_load_dword v{r}, v{}, s[4:7], 0 offen        ; e0301000 80010000\n", r.max(1) - 1),
            21 => "\ts_waitcnt vmcnt(0)                                  ; bf8c3f70\n".to_owned(),
            49 => {
                format!("\ts_cbranch_scc1 BB{}                                  ; bf850003\n", block.saturating_sub(1))
            }
            _ => format!(
                "\tv_fma_f32 v{r}, v{}, s{}, v{}                        ; d54b0000 04100503\n",
                at % 7,
                at % 30,
                at % 13
            ),
        }
    };
    let text: String = (0..lines).map(line).collect::<String>() + "\ts_endpgm\n";
    let stages = vec![row(Target::Gfx1030, Version::Original, StageKind::Fragment, &text, [64, 1 << 20, 12])];
    let settings = CompileSettings { chips: vec![Target::Gfx1030.into()], ..CompileSettings::DEFAULT };
    Compiled {
        settings,
        sections: DriverSections { stages, ..DriverSections::default() },
        failures: Vec::new(),
        pipelines: [1, 0],
        milliseconds: 1200,
        since_saved: None,
    }
}

fn row(target: Target, of: Version, stage: StageKind, isa: &str, [vgprs, bytes, spilled]: [u64; 3]) -> DriverStage {
    let count = |name: &str, description: &str, value| Statistic {
        name: name.to_owned(),
        description: description.to_owned(),
        value: Value::Uint(value),
    };
    let facts = read(isa, stage);
    let instructions = facts.instructions.len() as u64;
    DriverStage {
        device: format!("Null hardware (RADV {})", if target == Target::Gfx1030 { "NAVI21" } else { "GFX1100" }),
        driver: "radv Mesa 22.3.6".to_owned(),
        target: Some(target.into()),
        icd: None,
        of,
        link: Link::Apart,
        stage,
        entry: None,
        merged: Vec::new(),
        name: format!("{}{} Shader", stage.name()[..1].to_uppercase(), &stage.name()[1..]),
        subgroup_size: Some(64),
        statistics: vec![
            count("SGPRs", "Number of SGPR registers allocated per subgroup", 128),
            count("VGPRs", "Number of VGPR registers allocated per subgroup", vgprs),
            count("Spilled VGPRs", "Number of VGPR registers spilled per subgroup", spilled),
            count("Code size", "Code size in bytes", bytes),
            count("Instructions", "Instruction count", instructions),
        ],
        common: Vec::new(),
        isa: Some(isa.to_owned()),
        verified: Some(Verified::Yes),
        facts: Some(facts.digest()),
        attributes: Vec::new(),
        origins: if stage == StageKind::Fragment { origins(&facts, of) } else { Vec::new() },
        lines: Vec::new(),
        derivatives: Vec::new(),
        texts: vec![Representation {
            name: "NIR Shader(s)".to_owned(),
            description: "The optimized NIR shader(s)".to_owned(),
            text: declarations(of, stage),
        }],
        notes: Vec::new(),
    }
}
