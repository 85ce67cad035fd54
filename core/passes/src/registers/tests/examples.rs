//! The worked examples of the register rules, word for word on every IP that they name.

use super::super::{Known, collect, compute};
use super::fixtures::{
    ALL, Pipeline, driver_value, glsl, packing, passed, pixel, register, smooth, value, vector, vertex,
};
use crate::liveness::Liveness;
use crate::packing::{At, AttributeBuiltIn, Interpolation};
use lanescope_model::options::{ColorTarget, Options};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target::{Gfx1010, Gfx1030, Gfx1100, Gfx1200};

fn color(format: &str) -> Options {
    let target = ColorTarget::new(format, false);
    Options { color: [(0, target)].into(), ..Options::default() }
}

/// E1: the design note's interface, packed as LLPC packs it.
#[test]
fn e1_the_design_note() {
    let flat = Interpolation::Flat;
    let mut scalars = vector(0, 0, 3);
    scalars.push(smooth((1, 0), (0, 3)));
    scalars.extend((0..2).map(|c| smooth((2, c), (2, c)).mode(flat)));
    scalars.extend((0..2).map(|c| smooth((3, c), (3, 0)).mode(flat).narrow(c == 1)));
    for (i, location) in (4..8).enumerate() {
        scalars.push(smooth((location, 0), (1, i as u8 / 2)).narrow(i % 2 == 1));
    }
    let pipeline = Pipeline { packing: packing(scalars, &[]), ..Pipeline::default() };
    let slots = [
        ("SPI_PS_INPUT_CNTL_0", 0x0),
        ("SPI_PS_INPUT_CNTL_1", 0x0308_0001),
        ("SPI_PS_INPUT_CNTL_2", 0x402),
        ("SPI_PS_INPUT_CNTL_3", 0x403),
        ("SPI_PS_INPUT_ADDR", 0x2),
        ("SPI_PS_INPUT_ENA", 0x2),
    ];
    pipeline.expect(&ALL, &slots);
    pipeline.expect(&[Gfx1010, Gfx1030, Gfx1100], &[("SPI_PS_IN_CONTROL", 0x4), ("SPI_VS_OUT_CONFIG", 0x6)]);
    pipeline.expect(&[Gfx1200], &[("SPI_PS_IN_CONTROL", 0x0), ("SPI_SHADER_GS_OUT_CONFIG_PS", 0x2003)]);
}

/// E1 with the design note's order: the flat 16-bit values follow the flat 32-bit ones.
#[test]
fn e1_the_note_variant() {
    let flat = Interpolation::Flat;
    let mut scalars = vector(0, 0, 4);
    scalars.extend((0..2).map(|c| smooth((2, c), (2, c)).mode(flat)));
    scalars.extend((0..2).map(|c| smooth((3, c), (2, 2)).mode(flat).narrow(c == 1)));
    for (i, location) in (4..8).enumerate() {
        scalars.push(smooth((location, 0), (1, i as u8 / 2)).narrow(i % 2 == 1));
    }
    let pipeline = Pipeline { packing: packing(scalars, &[]), ..Pipeline::default() };
    let slots = [("SPI_PS_INPUT_CNTL_0", 0x0), ("SPI_PS_INPUT_CNTL_1", 0x0308_0001), ("SPI_PS_INPUT_CNTL_2", 0x402)];
    pipeline.expect(&ALL, &slots);
    pipeline.expect(&[Gfx1010, Gfx1030, Gfx1100], &[("SPI_PS_IN_CONTROL", 0x3), ("SPI_VS_OUT_CONFIG", 0x4)]);
    pipeline.expect(&[Gfx1200], &[("SPI_SHADER_GS_OUT_CONFIG_PS", 0x1802)]);
}

const E2: &str = "layout(location=0) in vec4 a; layout(location=1) in vec2 b; layout(location=2) flat in uint c;
    layout(location=3) noperspective in float d; layout(location=0) out vec4 o;
    void main() { o = a + vec4(b, float(c), d); }";

/// E2: flat, smooth and noperspective.
#[test]
fn e2_three_modes() {
    let mut scalars = vector(0, 0, 4);
    scalars.extend(vector(1, 1, 2));
    scalars.push(smooth((2, 0), (2, 0)).mode(Interpolation::Flat));
    scalars.push(smooth((3, 0), (1, 2)).mode(Interpolation::NoPerspective));
    let pipeline = Pipeline { pixel: pixel(E2), packing: packing(scalars, &[]), ..Pipeline::default() };
    let words = [
        ("SPI_PS_INPUT_CNTL_0", 0x0),
        ("SPI_PS_INPUT_CNTL_1", 0x1),
        ("SPI_PS_INPUT_CNTL_2", 0x402),
        ("SPI_PS_INPUT_ADDR", 0x22),
        ("SPI_PS_INPUT_ENA", 0x22),
        ("SPI_SHADER_COL_FORMAT", 0x4),
        ("CB_SHADER_MASK", 0xf),
        ("DB_SHADER_CONTROL", 0x810),
        ("SPI_BARYC_CNTL", 0x0100_0000),
        ("SPI_SHADER_Z_FORMAT", 0),
    ];
    pipeline.expect(&ALL, &words);
    pipeline.expect(&[Gfx1010, Gfx1030, Gfx1100], &[("SPI_PS_IN_CONTROL", 0x3), ("SPI_VS_OUT_CONFIG", 0x4)]);
    pipeline.expect(&[Gfx1200], &[("SPI_SHADER_GS_OUT_CONFIG_PS", 0x1802)]);
}

/// E2 with packing off.
#[test]
fn e2_unpacked() {
    let mut scalars = vector(0, 0, 4);
    scalars.extend(vector(1, 1, 2));
    scalars.push(smooth((2, 0), (2, 0)).mode(Interpolation::Flat));
    scalars.push(smooth((3, 0), (3, 0)).mode(Interpolation::NoPerspective));
    let pipeline = Pipeline { pixel: pixel(E2), packing: packing(scalars, &[]), ..Pipeline::default() };
    let words = [
        ("SPI_PS_INPUT_CNTL_0", 0x0),
        ("SPI_PS_INPUT_CNTL_1", 0x1),
        ("SPI_PS_INPUT_CNTL_2", 0x402),
        ("SPI_PS_INPUT_CNTL_3", 0x3),
    ];
    pipeline.expect(&ALL, &words);
}

/// E3: sample shading by a `sample` input and SampleId.
#[test]
fn e3_sample_shading() {
    let facts = pixel(
        "layout(location=0) sample in vec2 a; layout(location=0) out vec4 o;
         void main() { o = vec4(a, float(gl_SampleID), 1); }",
    );
    let scalars = vector(0, 0, 2).into_iter().map(|scalar| scalar.at(At::Sample)).collect();
    let pipeline = Pipeline { pixel: facts, packing: packing(scalars, &[]), ..Pipeline::default() };
    let words = [
        ("SPI_PS_INPUT_ADDR", 0x2001),
        ("SPI_PS_INPUT_ENA", 0x2001),
        ("SPI_PS_INPUT_CNTL_0", 0x0),
        ("SPI_BARYC_CNTL", 0x0102_0000),
    ];
    pipeline.expect(&ALL, &words);
    pipeline.expect(&[Gfx1010, Gfx1030, Gfx1100], &[("SPI_PS_IN_CONTROL", 0x1)]);
    pipeline.expect(&[Gfx1200], &[("SPI_SHADER_GS_OUT_CONFIG_PS", 0x800)]);
    assert!(ALL.iter().all(|&target| pipeline.on(target, |g| g.iterates_samples(&pipeline.packing))));
}

/// E4: depth export with discard, and what is left of it step by step.
#[test]
fn e4_depth_and_discard() {
    let shader = |layout: &str, color: bool, depth: bool| {
        pixel(&format!(
            "{layout} layout(location=0) in vec2 a; layout(location=0) out vec4 o;
             void main() {{ if (a.x < 0.5) discard; {} {} }}",
            if depth { "gl_FragDepth = a.y;" } else { "" },
            if color { "o = vec4(a, 0, 1);" } else { "" },
        ))
    };
    let pipeline = |facts| Pipeline { pixel: facts, packing: packing(vector(0, 0, 2), &[]), ..Pipeline::default() };
    let mut full = pipeline(shader("", true, true));
    let words = [
        ("DB_SHADER_CONTROL", 0x851),
        ("SPI_SHADER_Z_FORMAT", 1),
        ("SPI_SHADER_COL_FORMAT", 0x4),
        ("CB_SHADER_MASK", 0xf),
        ("SPI_PS_INPUT_ENA", 0x2),
        ("SPI_PS_INPUT_ADDR", 0x2),
    ];
    full.expect(&ALL, &words);
    full.expect(&[Gfx1010, Gfx1030, Gfx1100], &[("SPI_PS_IN_CONTROL", 0x1)]);

    let less = pipeline(shader("layout(depth_less) out float gl_FragDepth;", true, true));
    less.expect(&ALL, &[("DB_SHADER_CONTROL", 0x2851)]);

    full.options.alpha_to_coverage = true;
    full.expect(&ALL, &[("DB_SHADER_CONTROL", 0x51)]);
    full.expect(&[Gfx1010, Gfx1030], &[("SPI_SHADER_Z_FORMAT", 1)]);
    full.expect(&[Gfx1100, Gfx1200], &[("SPI_SHADER_Z_FORMAT", 3)]);

    let colorless = pipeline(shader("", false, true));
    let words = [("SPI_SHADER_Z_FORMAT", 1), ("SPI_SHADER_COL_FORMAT", 0), ("CB_SHADER_MASK", 0)];
    colorless.expect(&ALL, &words);
    let dummy = pipeline(shader("", false, false));
    let words = [("SPI_SHADER_COL_FORMAT", 1), ("CB_SHADER_MASK", 1), ("DB_SHADER_CONTROL", 0x850)];
    dummy.expect(&ALL, &words);
}

/// E5: compute 8x8x1 with all its built-ins.
#[test]
fn e5_compute() {
    let module = glsl(
        StageKind::Compute,
        "layout(local_size_x=8, local_size_y=8) in; layout(set=0, binding=0) buffer B { uvec4 b[]; };
         void main() { b[gl_LocalInvocationIndex] = uvec4(gl_WorkGroupID, 0) + uvec4(gl_LocalInvocationID, 0)
             + uvec4(gl_NumWorkGroups, 0); }",
    );
    let known = Known {
        vgprs: Some(12),
        sgprs: Some(16),
        scratch: Some(false),
        code_bytes: Some(640),
        user_data: Some(passed(2, 1)),
        not_passed: None,
    };
    let rows = [
        (Gfx1010, 32, 0x402c_0041, 0, 0x8045),
        (Gfx1030, 64, 0x402c_0042, 0, 0x45),
        (Gfx1100, 64, 0x402c_0042, 0x8000_0050, 0x45),
        (Gfx1200, 64, 0x400c_0002, 0x8000_0050, 0x45),
    ];
    for (target, wave, rsrc1, rsrc3, initiator) in rows {
        let facts = collect::compute(&Liveness::of(&module, &module.entry_points()[0]), [8, 8, 1], wave);
        let registers = compute(target, &facts, &known);
        let words = [
            ("COMPUTE_NUM_THREAD_X", 8),
            ("COMPUTE_NUM_THREAD_Y", 8),
            ("COMPUTE_NUM_THREAD_Z", 1),
            ("COMPUTE_PGM_RSRC1", rsrc1),
            ("COMPUTE_PGM_RSRC2", 0xf88),
            ("COMPUTE_DISPATCH_INITIATOR", initiator),
        ];
        for (name, expected) in words {
            assert_eq!(value(&registers, name), Some(expected), "{target} {name}");
        }
        // The driver always sets IMAGE_OP; the compiler would not, for this one.
        let word = driver_value(&registers, "COMPUTE_PGM_RSRC3").or(value(&registers, "COMPUTE_PGM_RSRC3"));
        assert_eq!(word, Some(rsrc3), "{target}");
        assert_eq!(value(&registers, "COMPUTE_PGM_RSRC3"), Some(rsrc3 & 0xffff), "{target}");
    }
}

/// E5's checks: what is read decides TGID.
#[test]
fn e5_single_built_ins() {
    let rsrc2 = |body: &str, special: u32| {
        let source = format!("layout(set=0, binding=0) buffer B {{ uvec4 b; }}; void main() {{ {body} }}");
        let module = glsl(StageKind::Compute, &source);
        let facts = collect::compute(&Liveness::of(&module, &module.entry_points()[0]), [1, 1, 1], 64);
        let known = Known { user_data: Some(passed(special, 1)), scratch: Some(false), ..Known::default() };
        value(&compute(Gfx1030, &facts, &known), "COMPUTE_PGM_RSRC2")
    };
    assert_eq!(rsrc2("b = uvec4(gl_WorkGroupID, 0);", 0), Some(0x784));
    assert_eq!(rsrc2("b = uvec4(gl_NumWorkGroups, 0);", 2), Some(0x408));
}

/// E6: an empty fragment shader.
#[test]
fn e6_empty() {
    let pipeline = Pipeline {
        pixel: pixel("void main() {}"),
        producer: Some(vertex("void main() { gl_Position = vec4(0); }")),
        ..Pipeline::default()
    };
    let words = [
        ("SPI_PS_INPUT_ADDR", 0x1),
        ("SPI_PS_INPUT_ENA", 0x1),
        ("SPI_PS_INPUT_CNTL_0", 0),
        ("SPI_PS_IN_CONTROL", 0),
        ("SPI_SHADER_POS_FORMAT", 0x4),
        ("SPI_SHADER_COL_FORMAT", 0),
        ("CB_SHADER_MASK", 0),
        ("DB_SHADER_CONTROL", 0x810),
        ("SPI_BARYC_CNTL", 0x0100_0000),
    ];
    pipeline.expect(&ALL, &words);
    pipeline.expect(&[Gfx1010, Gfx1030, Gfx1100], &[("SPI_VS_OUT_CONFIG", 0x80)]);
    pipeline.expect(&[Gfx1200], &[("SPI_SHADER_GS_OUT_CONFIG_PS", 0x400)]);
}

/// E7: the viewport index as an interpolant.
#[test]
fn e7_viewport_index() {
    let mut pipeline = Pipeline {
        pixel: pixel("layout(location=0) out int o; void main() { o = gl_ViewportIndex; }"),
        producer: Some(vertex("void main() { gl_Position = vec4(0); gl_ViewportIndex = 3; }")),
        packing: packing(Vec::new(), &[(AttributeBuiltIn::ViewportIndex, 0)]),
        ..Pipeline::default()
    };
    let words = [
        ("SPI_PS_INPUT_CNTL_0", 0x400),
        ("PA_CL_VS_OUT_CNTL", 0x0128_0000),
        ("SPI_SHADER_POS_FORMAT", 0x44),
        ("SPI_PS_INPUT_ADDR", 0x1),
        ("SPI_PS_INPUT_ENA", 0x1),
    ];
    pipeline.expect(&ALL, &words);
    pipeline.expect(&[Gfx1010, Gfx1030, Gfx1100], &[("SPI_VS_OUT_CONFIG", 0x0)]);
    for target in ALL {
        let driver = (target != Gfx1010).then_some(0x4128_0000);
        assert_eq!(driver_value(&pipeline.registers(target), "PA_CL_VS_OUT_CNTL"), driver, "{target}");
    }
    pipeline.producer = Some(vertex("void main() { gl_Position = vec4(0); }"));
    pipeline.expect(&ALL, &[("SPI_PS_INPUT_CNTL_0", 0x20)]);
}

/// E8: a textured quad to A8.
#[test]
fn e8_textured_quad() {
    let pipeline = Pipeline {
        pixel: pixel(
            "layout(location=0) in vec2 uv; layout(location=0) out vec4 o; layout(binding=0) uniform sampler2D s;
             void main() { o = texture(s, uv); }",
        ),
        packing: packing(vector(0, 0, 2), &[]),
        options: color("A8_UNORM"),
        ..Pipeline::default()
    };
    let words = [
        ("SPI_PS_INPUT_ADDR", 0x2),
        ("SPI_PS_INPUT_ENA", 0x2),
        ("SPI_PS_INPUT_CNTL_0", 0),
        ("SPI_SHADER_COL_FORMAT", 0x4),
        ("CB_SHADER_MASK", 0xf),
        ("DB_SHADER_CONTROL", 0x810),
        ("SPI_SHADER_POS_FORMAT", 0x4),
    ];
    pipeline.expect(&ALL, &words);
    let words = [("SPI_PS_IN_CONTROL", 0x1), ("SPI_VS_OUT_CONFIG", 0x0)];
    pipeline.expect(&[Gfx1010, Gfx1030, Gfx1100], &words);
}

/// E9: one clip distance that the fragment shader does not read.
#[test]
fn e9_one_clip_distance() {
    let pipeline = Pipeline {
        pixel: pixel("void main() {}"),
        producer: Some(vertex(
            "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; };
             void main() { gl_Position = vec4(0); gl_ClipDistance[0] = 1; }",
        )),
        ..Pipeline::default()
    };
    pipeline.expect(&[Gfx1010], &[("PA_CL_VS_OUT_CNTL", 0x0040_0101)]);
    pipeline.expect(&[Gfx1030, Gfx1100, Gfx1200], &[("PA_CL_VS_OUT_CNTL", 0x0140_0101)]);
    for target in [Gfx1030, Gfx1100, Gfx1200] {
        assert_eq!(driver_value(&pipeline.registers(target), "PA_CL_VS_OUT_CNTL"), Some(0x4140_0101), "{target}");
    }
    pipeline.expect(&ALL, &[("SPI_SHADER_POS_FORMAT", 0x44)]);
    pipeline.expect(&[Gfx1010, Gfx1030, Gfx1100], &[("SPI_VS_OUT_CONFIG", 0x80)]);
    assert_eq!(register(&pipeline.registers(Gfx1200), "SPI_SHADER_GS_OUT_CONFIG_PS").address.0, 0x2c31);
}
