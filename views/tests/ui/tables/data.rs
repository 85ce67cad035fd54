//! A hand-written report and texts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lanescope_core::findings;
use lanescope_core::ids::{Bytes, Component, Hex, Id, Location};
use lanescope_core::options::{Options, PackingOrder, SpecValue};
use lanescope_core::packing::{At, InterfaceScalar, Interpolation, Mapping, Packing, Place, Saving, Slots};
use lanescope_core::program::{Format, Input, StageKind};
use lanescope_core::registers::{Field, From, Register, Unknown, Why};
use lanescope_core::report::{Report, SpecConstant, StageReport};
use lanescope_core::target::Target;
use lanescope_inspector::selection::Varying;
use lanescope_inspector::source::{Language, SourceText, TextRole};

/// Name, bits, interpolation, place as written, place after packing.
type Scalar = (&'static str, u32, Interpolation, (u32, u8), (u32, u8, bool));

const SCALARS: &[Scalar] = &[
    ("normal", 32, Interpolation::Smooth, (0, 0), (0, 0, false)),
    ("normal", 32, Interpolation::Smooth, (0, 1), (0, 1, false)),
    ("normal", 32, Interpolation::Smooth, (0, 2), (0, 2, false)),
    ("fog", 32, Interpolation::Smooth, (1, 0), (0, 3, false)),
    ("material", 32, Interpolation::Flat, (2, 0), (2, 0, false)),
    ("material", 32, Interpolation::Flat, (2, 1), (2, 1, false)),
    ("uv", 16, Interpolation::Smooth, (3, 0), (1, 0, false)),
    ("uv", 16, Interpolation::Smooth, (3, 1), (1, 0, true)),
    ("tint", 16, Interpolation::Smooth, (4, 0), (1, 1, false)),
];

pub fn packing() -> Packing {
    let at = |(location, component): (u32, u8), half| Place {
        location: Location(location),
        component: Component(component),
        half,
    };
    let map: Vec<_> = SCALARS
        .iter()
        .map(|(variable, bits, interpolation, from, to)| Mapping {
            variable: (*variable).into(),
            variable_id: Id(20 + from.0),
            part: None,
            from: at(*from, false),
            to: at((to.0, to.1), to.2),
            bits: *bits,
            interpolation: *interpolation,
            at: At::Center.into(),
            per_primitive: false,
            written: true,
        })
        .collect();
    let interface = map.iter().map(|m| InterfaceScalar {
        variable: m.variable.clone(),
        input_id: Some(m.variable_id),
        output_id: Some(Id(7)),
        location: m.from.location,
        component: m.from.component,
        part: None,
        bits: m.bits,
        interpolation: m.interpolation,
        used: true,
        written: true,
    });
    Packing {
        producer: Some(StageKind::Vertex),
        consumer: StageKind::Fragment,
        order: PackingOrder::Llpc,
        interface: interface.collect(),
        semantics: Vec::new(),
        output_linkage: None,
        map,
        spans: Vec::new(),
        outputs: Vec::new(),
        dropped: Vec::new(),
        missing: Vec::new(),
        builtins: Vec::new(),
        raster_stream: 0,
        exports: Vec::new(),
        slots: Slots { before: 5, after: 3, per_primitive: 0 },
        saving: Saving {
            parameter_cache_per_vertex: [Bytes(80), Bytes(48)],
            lds_per_primitive: [Bytes(240), Bytes(144)],
            ..Saving::NONE
        },
        stored: None,
        fallback: None,
        per_patch: false,
    }
}

fn register(name: &str, address: u64, word: Option<u64>, from: From, fields: &[(&'static str, u32, u32)]) -> Register {
    let value = |lsb: u32, width: u32| {
        word.map(|word| u32::try_from((word >> lsb) & ((1 << width) - 1)).expect("a field fits 32 bits"))
    };
    let fields = fields.iter().map(|(name, lsb, width)| Field {
        name: Cow::Borrowed(name),
        lsb: *lsb,
        width: *width,
        value: value(*lsb, *width),
        why: <Why as std::convert::From<String>>::from(match (*name, value(*lsb, *width)) {
            ("OFFSET", Some(slot)) => format!("attribute {slot} reads parameter {slot}"),
            ("FLAT_SHADE", Some(1)) => "the slot holds flat inputs".to_owned(),
            ("FP16_INTERP_MODE", Some(1)) => "the slot holds interpolated 16-bit components".to_owned(),
            (_, None) => "known after register allocation".to_owned(),
            _ => "nothing sets it".to_owned(),
        }),
    });
    Register {
        target: Target::Gfx1030,
        stage: StageKind::Fragment,
        entry: None,
        name: name.to_owned().into(),
        address: Hex(address),
        value: word.map(Hex),
        from,
        unknown: None,
        driver_value: None,
        fields: fields.collect(),
    }
}

pub fn registers() -> Vec<Register> {
    let cntl = [
        ("OFFSET", 0, 6),
        ("DEFAULT_VAL", 8, 2),
        ("FLAT_SHADE", 10, 1),
        ("ROTATE_PC_PTR", 11, 1),
        ("CYL_WRAP", 13, 4),
        ("FP16_INTERP_MODE", 19, 1),
        ("ATTR0_VALID", 24, 1),
        ("ATTR1_VALID", 25, 1),
    ];
    let mut all = Vec::new();
    for (from, words) in
        [(From::Packed, &[0, 0x0308_0001, 0x402][..]), (From::Unpacked, &[0, 1, 0x402, 0x0108_0003, 0x0108_0004])]
    {
        for (index, word) in words.iter().enumerate() {
            let name = format!("SPI_PS_INPUT_CNTL_{index}");
            all.push(register(&name, 0xa191 + index as u64, Some(*word), from, &cntl));
        }
        let count = words.len() as u64;
        all.push(register(
            "SPI_PS_IN_CONTROL",
            0xa1b6,
            Some(count),
            from,
            &[("NUM_INTERP", 0, 6), ("PS_W32_EN", 15, 1)],
        ));
        let mut interp = register("SPI_INTERP_CONTROL_0", 0xa1b5, Some(0), from, &[("FLAT_SHADE_ENA", 0, 1)]);
        interp.driver_value = Some(Hex(1));
        all.push(interp);
        let mut rsrc = register("SPI_SHADER_PGM_RSRC1_PS", 0x2c0a, None, from, &[("VGPRS", 0, 6), ("SGPRS", 6, 4)]);
        rsrc.unknown = Some(Unknown::BackEnd);
        all.push(rsrc);
    }
    all
}

pub fn report() -> Report {
    let input = |path: &str, bytes| Input {
        path: path.to_owned(),
        format: Format::Glsl,
        bytes: Bytes(bytes),
        hash: Hex(bytes * 0x9e37_79b9_7f4a),
        compiler: None,
        bindings: Vec::new(),
    };
    let stage = |stage, input| StageReport {
        stage,
        entry: "main".to_owned(),
        input,
        workgroup_size: None,
        driver_hashes: None,
    };
    let constant = |id, name: &str, type_name: &str, default: &str, value: &str| SpecConstant {
        id,
        input: 1,
        name: Some(name.to_owned()),
        type_name: type_name.to_owned(),
        default: default.to_owned(),
        value: value.to_owned(),
    };
    let place = |name: &str| Some(findings::Place::variable(name));
    Report {
        schema: lanescope_core::report::SCHEMA,
        inputs: vec![input("samples/lit.vert", 912), input("samples/lit.frag", 1204)],
        options: Options {
            order: PackingOrder::DesignNote,
            spec: BTreeMap::from([(0, SpecValue("8".to_owned()))]),
            ..Options::default()
        },
        stages: vec![stage(StageKind::Vertex, 0), stage(StageKind::Fragment, 1)],
        pipeline: None,
        spec_constants: vec![
            constant(0, "light_count", "int32", "4", "8"),
            constant(1, "use_fog", "bool", "true", "true"),
            constant(2, "exposure", "float32", "1.5", "1.5"),
        ],
        packing: Some(packing()),
        workgroup: Vec::new(),
        inner_packing: Vec::new(),
        group_map: None,
        dxil: None,
        graph: None,
        registers: registers(),
        partial: Vec::new(),
        driver: Vec::new(),
        included: Vec::new(),
        driver_costs: Vec::new(),
        driver_failures: Vec::new(),
        driver_layouts: Vec::new(),
        driver_registers: Vec::new(),
        findings: vec![
            findings::NEEDS_BACK_END.at(
                Some(StageKind::Fragment),
                Some(findings::Place::Register { name: "SPI_SHADER_PGM_RSRC1_PS".to_owned() }),
                "VGPRS and SGPRS are known only after register allocation",
            ),
            findings::INPUT_NOT_WRITTEN.at(
                Some(StageKind::Fragment),
                place("tint"),
                "location 4 is read and the vertex shader does not write it: its value is undefined, and LLPC keeps the \
                 packed location in OFFSET where another driver would put a default value",
            ),
            findings::LOCATION_LIMIT.at(Some(StageKind::Vertex), place("far"), "location 900 is above the limit of 31"),
        ],
    }
}

const FRAGMENT: &str = "\
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
/* What the lighting
   needs from the vertex shader. */
layout(location = 0) in vec3 normal; // not normalised
layout(location = 1) in float fog;
layout(location = 2) flat in uvec2 material;
layout(location = 3) in f16vec2 uv;
layout(location = 4) in float16_t tint;

layout(constant_id = 0) const int light_count = 4;
layout(set = 0, binding = 0) uniform sampler2D albedo;
layout(location = 0) out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    vec4 base = texture(albedo, vec2(uv)) * float(tint);
    if (material.x > 0x10u || gl_FrontFacing == false) {
        discard;
    }
    colour = mix(base * n.z, vec4(0.5), fog * 1.25e-1);
}
";

const ASSEMBLY: &str = "\
; SPIR-V
; Version: 1.6
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main \"main\" %normal %uv
               OpExecutionMode %main OriginUpperLeft
               OpName %normal \"normal\"
               OpDecorate %normal Location 0
       %void = OpTypeVoid
      %float = OpTypeFloat 32
    %v3float = OpTypeVector %float 3
  %float_0_5 = OpConstant %float 0.5
     %normal = OpVariable %_ptr_Input_v3float Input
       %main = OpFunction %void None %3
         %12 = OpLoad %v3float %normal
               OpReturn
               OpFunctionEnd
";

pub fn texts() -> Vec<SourceText> {
    let at = |location| Varying { location, component: None };
    let marks = [(0, 4), (0, 15), (1, 5), (1, 20), (2, 6), (2, 17), (3, 7), (3, 16), (4, 8), (4, 16)];
    vec![
        SourceText {
            title: "lit.frag".to_owned(),
            language: Language::Glsl,
            input: 0,
            role: TextRole::Source,
            text: FRAGMENT.to_owned(),
            marks: marks.into_iter().map(|(location, line)| (at(location), line)).collect(),
            instructions: None,
        },
        SourceText {
            title: "lit.frag (SPIR-V)".to_owned(),
            language: Language::Spvasm,
            input: 0,
            role: TextRole::Module(0),
            text: ASSEMBLY.to_owned(),
            marks: vec![(at(0), 7), (at(0), 12), (at(0), 14)],
            instructions: None,
        },
    ]
}

/// A text of many lines, with location 0 far down.
pub fn large_text(lines: usize) -> SourceText {
    let text: String = (0..lines).map(|line| format!("%{line} = OpFAdd %float %{line} %uv ; line {line}\n")).collect();
    SourceText {
        title: "large".to_owned(),
        language: Language::Spvasm,
        input: 0,
        role: TextRole::Module(0),
        text,
        marks: vec![(Varying { location: 0, component: None }, lines - 10)],
        instructions: None,
    }
}
