//! The register rules one by one.

use super::super::{ColorOutput, ComputeFacts, Known, Numeric, PixelFacts, ProducerFacts, compute};
use super::fixtures::{ALL, Pipeline, Scalar, driver_value, packing, passed, pixel, register, smooth, value, vector};
use crate::packing::{At, AttributeBuiltIn, Interpolation};
use lanescope_model::options::{ColorTarget, Options, WaveChoice};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target::{self, Gfx1010, Gfx1030, Gfx1100, Gfx1200};

const BEFORE_12: [Target; 3] = [Gfx1010, Gfx1030, Gfx1100];

const FROM_103: [Target; 3] = [Gfx1030, Gfx1100, Gfx1200];

fn with(scalars: Vec<Scalar>, builtins: &[(AttributeBuiltIn, u32)]) -> Pipeline {
    Pipeline { packing: packing(scalars, builtins), ..Pipeline::default() }
}

fn facts(pixel: PixelFacts) -> Pipeline {
    Pipeline { pixel, ..Pipeline::default() }
}

/// The word of each kind of slot.
#[test]
fn slots_by_kind() {
    use Interpolation::{Custom, Flat, NoPerspective};
    let mode = |mode| smooth((0, 0), (0, 0)).mode(mode);
    let rows: Vec<(&str, Scalar, u32)> = vec![
        ("smooth", smooth((0, 0), (0, 0)), 0x0),
        ("noperspective", mode(NoPerspective), 0x0),
        ("flat", mode(Flat), 0x400),
        ("custom", mode(Custom), 0x420),
        ("16-bit low", smooth((0, 0), (0, 0)).narrow(false), 0x0108_0000),
        ("16-bit high only", smooth((0, 0), (0, 0)).narrow(true), 0x0),
        ("flat 16-bit", mode(Flat).narrow(false), 0x400),
        ("custom 16-bit", mode(Custom).narrow(false), 0x420),
        ("no export", smooth((0, 0), (0, 0)).unwritten(), 0x0),
    ];
    for (name, scalar, expected) in rows {
        let pipeline = with(vec![scalar], &[]);
        for target in ALL {
            assert_eq!(value(&pipeline.registers(target), "SPI_PS_INPUT_CNTL_0"), Some(expected), "{target} {name}");
        }
    }
    use AttributeBuiltIn as B;
    let builtins = [(B::PointCoord, 2), (B::PrimitiveId, 3), (B::Layer, 4), (B::ClipCullDistance, 5)];
    let pipeline = with(vector(0, 0, 1), &builtins);
    let words = [
        ("SPI_PS_INPUT_CNTL_0", 0x0),
        ("SPI_PS_INPUT_CNTL_1", 0x1), // never read
        ("SPI_PS_INPUT_CNTL_2", 0x0002_0020),
        ("SPI_PS_INPUT_CNTL_3", 0x403),
        ("SPI_PS_INPUT_CNTL_4", 0x404),
        ("SPI_PS_INPUT_CNTL_5", 0x5),
    ];
    pipeline.expect(&ALL, &words);
    pipeline.expect(&[Gfx1010, Gfx1030, Gfx1100], &[("SPI_PS_IN_CONTROL", 6)]);
}

/// What a mesh shader writes for each primitive is neither flat nor interpolated, and gfx1030 counts it apart.
#[test]
fn slots_of_the_primitive() {
    use AttributeBuiltIn as B;
    let flat = smooth((1, 0), (2, 0)).mode(Interpolation::Flat).per_primitive();
    let narrow = smooth((2, 0), (3, 0)).narrow(false).per_primitive();
    let scalars = vec![smooth((3, 0), (0, 0)), smooth((5, 0), (1, 0)), flat, narrow];
    let mut pipeline = with(scalars, &[(B::Layer, 4), (B::ClipCullDistance, 5)]);
    (pipeline.packing.producer, pipeline.producer) = (Some(StageKind::Mesh), None);
    let vertex = [("SPI_PS_INPUT_CNTL_0", 0x0), ("SPI_PS_INPUT_CNTL_1", 0x1), ("SPI_PS_INPUT_CNTL_5", 0x5)];
    let primitive = ["SPI_PS_INPUT_CNTL_2", "SPI_PS_INPUT_CNTL_3", "SPI_PS_INPUT_CNTL_4"];
    pipeline.expect(&FROM_103, &vertex);
    for (name, slot) in primitive.into_iter().zip(2..) {
        pipeline.expect(&[Gfx1030], &[(name, slot)]);
        pipeline.expect(&[Gfx1100, Gfx1200], &[(name, 0x1000 | slot)]);
    }
    // Three slots of vertices and three of the primitive.
    pipeline.expect(&[Gfx1030], &[("SPI_PS_IN_CONTROL", 3 | 3 << 9)]);
    pipeline.expect(&[Gfx1100], &[("SPI_PS_IN_CONTROL", 6)]);
    pipeline.expect(&[Gfx1200], &[("SPI_SHADER_GS_OUT_CONFIG_PS", 2 | 3 << 5 | 6 << 11)]);
    // Nothing is interpolated for the primitive alone.
    let alone = smooth((1, 0), (0, 0)).per_primitive();
    let mut pipeline = with(vec![alone], &[]);
    (pipeline.packing.producer, pipeline.producer) = (Some(StageKind::Mesh), None);
    pipeline.expect(&FROM_103, &[("SPI_PS_INPUT_ADDR", 1), ("SPI_PS_INPUT_ENA", 1)]);
    pipeline.expect(&[Gfx1200], &[("SPI_SHADER_GS_OUT_CONFIG_PS", 1 << 5 | 1 << 11)]);
    // The ring has a parameter of the vertex all the same.
    pipeline.expect(&[Gfx1030], &[("SPI_PS_INPUT_CNTL_0", 0)]);
    pipeline.expect(&[Gfx1100, Gfx1200], &[("SPI_PS_INPUT_CNTL_0", 0x1001)]);
}

/// After a geometry shader a 16-bit value takes a whole component, and stays a 16-bit value.
#[test]
fn widened_values_keep_the_16_bit_mode() {
    let mut pipeline = with(vec![smooth((0, 0), (0, 0))], &[]);
    pipeline.packing.interface[0].bits = 16;
    pipeline.expect(&ALL, &[("SPI_PS_INPUT_CNTL_0", 0x0108_0000)]);
}

/// ADDR is a cross product of modes and places; ENA is what the code uses.
#[test]
fn input_bits() {
    use Interpolation::{Custom, Flat, NoPerspective};
    let at = |interpolation, at| smooth((0, 0), (0, 0)).mode(interpolation).at(at);
    let s = Interpolation::Smooth;
    let rows: Vec<(&str, Vec<Scalar>, u32, u32)> = vec![
        ("nothing", vec![], 0x1, 0x1),
        ("flat only", vec![at(Flat, At::Center)], 0x1, 0x1),
        ("custom only", vec![at(Custom, At::Center)], 0x1, 0x1),
        ("center", vec![at(s, At::Center)], 0x2, 0x2),
        ("centroid sets and uses center too", vec![at(s, At::Centroid)], 0x6, 0x6),
        ("sample", vec![at(s, At::Sample)], 0x1, 0x1),
        ("offset", vec![at(s, At::Offset)], 0x8, 0x8),
        ("noperspective", vec![at(NoPerspective, At::Center)], 0x20, 0x20),
        ("noperspective centroid", vec![at(NoPerspective, At::Centroid)], 0x60, 0x60),
        ("noperspective sample", vec![at(NoPerspective, At::Sample)], 0x10, 0x10),
        ("noperspective offset", vec![at(NoPerspective, At::Offset)], 0x20, 0x20),
        ("cross product", vec![at(s, At::Center), at(NoPerspective, At::Centroid)], 0x66, 0x62),
        ("flat + sample smooth", vec![at(Flat, At::Center), at(s, At::Sample)], 0x3, 0x1),
        ("flat by function", vec![at(Flat, At::Offset)], 0x1, 0x1),
    ];
    for (name, scalars, addr, ena) in rows {
        let pipeline = with(scalars, &[]);
        for target in ALL {
            let registers = pipeline.registers(target);
            let found = (value(&registers, "SPI_PS_INPUT_ADDR"), value(&registers, "SPI_PS_INPUT_ENA"));
            assert_eq!(found, (Some(addr), Some(ena)), "{target} {name}");
        }
    }
}

/// Built-ins, and the back end's steps that they lead to.
#[test]
fn input_bits_of_built_ins() {
    use AttributeBuiltIn as B;
    type Row = (&'static str, PixelFacts, Vec<Scalar>, Vec<(B, u32)>, u32, u32);
    let rows: Vec<Row> = vec![
        ("FragCoord.x", PixelFacts { frag_coord: 1, ..Default::default() }, vec![], vec![], 0xf01, 0x101),
        ("FragCoord.w", PixelFacts { frag_coord: 8, ..Default::default() }, vec![], vec![], 0xf01, 0x801),
        (
            "FragCoord needs a perspective pair beside a linear one",
            PixelFacts { frag_coord: 2, ..Default::default() },
            vec![smooth((0, 0), (0, 0)).mode(Interpolation::NoPerspective)],
            vec![],
            0xf21,
            0x221,
        ),
        (
            "FragCoord.w beside a perspective pair",
            PixelFacts { frag_coord: 8, ..Default::default() },
            vec![smooth((0, 0), (0, 0))],
            vec![],
            0xf02,
            0x802,
        ),
        ("FrontFacing", PixelFacts { front_facing: true, ..Default::default() }, vec![], vec![], 0x1001, 0x1001),
        ("ShadingRate", PixelFacts { shading_rate: true, ..Default::default() }, vec![], vec![], 0x2001, 0x2001),
        ("SampleMaskIn", PixelFacts { sample_mask_in: true, ..Default::default() }, vec![], vec![], 0x4001, 0x4001),
        (
            "SampleMaskIn at sample rate uses ANCILLARY",
            PixelFacts { sample_mask_in: true, sample_id_met: true, ..Default::default() },
            vec![],
            vec![],
            0x6001,
            0x6001,
        ),
        ("barycentrics", PixelFacts { barycentrics: 0x44, ..Default::default() }, vec![], vec![], 0x44, 0x44),
        ("PointCoord", PixelFacts::default(), vec![], vec![(B::PointCoord, 0)], 0x2, 0x2),
        ("clip distances", PixelFacts::default(), vec![], vec![(B::ClipCullDistance, 0)], 0x20, 0x20),
        ("PrimitiveId", PixelFacts::default(), vec![], vec![(B::PrimitiveId, 0)], 0x1, 0x1),
    ];
    for (name, pixel, scalars, builtins, addr, ena) in rows {
        let pipeline = Pipeline { pixel, packing: packing(scalars, &builtins), ..Pipeline::default() };
        for target in ALL {
            let registers = pipeline.registers(target);
            let found = (value(&registers, "SPI_PS_INPUT_ADDR"), value(&registers, "SPI_PS_INPUT_ENA"));
            assert_eq!(found, (Some(addr), Some(ena)), "{target} {name}");
        }
    }
}

/// When the shader runs once per sample.
#[test]
fn sample_rate() {
    let shading = Options { sample_shading: true, ..Options::default() };
    let plain = Options::default();
    let fact = |set: fn(&mut PixelFacts)| {
        let mut pixel = PixelFacts::default();
        set(&mut pixel);
        pixel
    };
    let rows = [
        ("nothing", fact(|_| {}), false, false),
        ("SampleId met", fact(|p| p.sample_id_met = true), true, true),
        ("FragCoord", fact(|p| p.frag_coord = 1), false, true),
        ("SampleMaskIn", fact(|p| p.sample_mask_in = true), false, true),
        ("memory write", fact(|p| p.resource_write = true), false, true),
        ("FrontFacing", fact(|p| p.front_facing = true), false, false),
    ];
    for (name, pixel, without, with_shading) in rows {
        for (options, on) in [(&plain, without), (&shading, with_shading)] {
            let pipeline = Pipeline { pixel: pixel.clone(), options: options.clone(), ..Pipeline::default() };
            let expected = if on { 0x0102_0000 } else { 0x0100_0000 };
            assert_eq!(value(&pipeline.registers(Gfx1030), "SPI_BARYC_CNTL"), Some(expected), "{name}");
        }
    }
    let mut point = with(vec![], &[(AttributeBuiltIn::PointCoord, 0)]);
    point.options = shading;
    point.expect(&ALL, &[("SPI_BARYC_CNTL", 0x0102_0000), ("SPI_PS_INPUT_ADDR", 0x1)]);
    let at_sample = facts(PixelFacts { frag_coord: 1, frag_coord_is_sample: true, ..Default::default() });
    at_sample.expect(&ALL, &[("SPI_BARYC_CNTL", 0x0100_0000)]);
    assert!(at_sample.on(Gfx1030, |g| g.iterates_samples(&at_sample.packing)));
    let centers = facts(PixelFacts { integer_pixel_center: true, sample_id_met: true, ..Default::default() });
    centers.expect(&ALL, &[("SPI_BARYC_CNTL", 0x0110_0000)]);
    assert_eq!(driver_value(&centers.registers(Gfx1030), "SPI_BARYC_CNTL"), Some(0x0100_0000));
}

/// Wave size and point sprites.
#[test]
fn wave_size_and_point_sprites() {
    let mut pipeline = with(vec![], &[(AttributeBuiltIn::PointCoord, 0)]);
    pipeline.expect(&ALL, &[("SPI_INTERP_CONTROL_0", 0x86a)]);
    assert_eq!(driver_value(&pipeline.registers(Gfx1100), "SPI_INTERP_CONTROL_0"), Some(0x86b));
    pipeline.expect(&[Gfx1200], &[("SPI_PS_IN_CONTROL", 0x0)]);
    pipeline.options.wave = WaveChoice::Wave32;
    pipeline.expect(&BEFORE_12, &[("SPI_PS_IN_CONTROL", 0x8001)]);
    pipeline.expect(&[Gfx1200], &[("SPI_PS_IN_CONTROL", 0x8000)]);
    let plain = Pipeline::default();
    plain.expect(&ALL, &[("SPI_INTERP_CONTROL_0", 0)]);
    assert_eq!(driver_value(&plain.registers(Gfx1030), "SPI_INTERP_CONTROL_0"), Some(1));
}

/// Exports of the vertex shader.
#[test]
fn exports() {
    let of = |set: fn(&mut ProducerFacts)| {
        let mut facts = ProducerFacts::of(StageKind::Vertex);
        set(&mut facts);
        Pipeline { producer: Some(facts), ..Pipeline::default() }
    };
    // Position export formats, then the compiler's word on gfx10.1 and on later ones.
    let rows = [
        ("position", of(|_| {}), 0x4, 0, 0),
        ("point size", of(|p| p.point_size = true), 0x44, 0x0121_0000, 0x0121_0000),
        ("layer", of(|p| p.layer = true), 0x44, 0x0124_0000, 0x0124_0000),
        ("8 distances", of(|p| (p.clip, p.cull) = (3, 5)), 0x444, 0x00c0_ff07, 0x01c0_ff07),
        ("too many", of(|p| (p.clip, p.cull) = (u32::MAX, 5)), 0x444, 0x00c0_ffff, 0x01c0_ffff),
        ("all", of(|p| (p.layer, p.clip, p.cull) = (true, 4, 1)), 0x4444, 0x01e4_1f0f, 0x01e4_1f0f),
    ];
    for (name, pipeline, pos, old, new) in rows {
        for target in ALL {
            let registers = pipeline.registers(target);
            let cntl = if target == Gfx1010 { old } else { new };
            assert_eq!(value(&registers, "SPI_SHADER_POS_FORMAT"), Some(pos), "{target} {name}");
            assert_eq!(value(&registers, "PA_CL_VS_OUT_CNTL"), Some(cntl), "{target} {name}");
        }
    }
    let rate = of(|p| p.shading_rate = true);
    rate.expect(&FROM_103, &[("PA_CL_VS_OUT_CNTL", 0x5120_0000), ("SPI_SHADER_POS_FORMAT", 0x44)]);
    rate.expect(&[Gfx1010], &[("PA_CL_VS_OUT_CNTL", 0), ("SPI_SHADER_POS_FORMAT", 0x4)]);
    let plain = Pipeline::default();
    plain.expect(&[Gfx1100, Gfx1200], &[("GE_NGG_SUBGRP_CNTL", 0x0002_0001)]);
    assert!(plain.registers(Gfx1030).iter().all(|register| register.name != "GE_NGG_SUBGRP_CNTL"));
}

/// Only what is written counts as exported; PointCoord never is.
#[test]
fn exported_slots() {
    use AttributeBuiltIn as B;
    let distances = |clip| {
        let mut facts = ProducerFacts::of(StageKind::Vertex);
        facts.clip = clip;
        facts
    };
    let two = [(B::ClipCullDistance, 1), (B::ClipCullDistance, 2)];
    let rows = [
        (vec![smooth((0, 0), (0, 0)), smooth((1, 0), (1, 0)).unwritten()], vec![], 0, 0x0),
        (vec![smooth((0, 0), (0, 0)).unwritten()], vec![], 0, 0x80),
        (vec![], vec![(B::PointCoord, 0)], 0, 0x80),
        (vec![], vec![(B::PointCoord, 0), (B::PrimitiveId, 1)], 0, 0x2),
        // Nothing writes it, and 0 is exported.
        (vector(0, 0, 1), vec![(B::Layer, 1)], 0, 0x2),
        (vector(0, 0, 1), two.to_vec(), 0, 0x0),
        (vector(0, 0, 1), two.to_vec(), 4, 0x2),
        (vector(0, 0, 1), two.to_vec(), 5, 0x4),
    ];
    for (i, (scalars, builtins, clip, expected)) in rows.into_iter().enumerate() {
        let mut pipeline = with(scalars, &builtins);
        pipeline.producer = Some(distances(clip));
        assert_eq!(value(&pipeline.registers(Gfx1030), "SPI_VS_OUT_CONFIG"), Some(expected), "row {i}");
    }
}

/// A fragment shader alone: the previous stage's registers are missing, but for the one that gfx12 shares.
#[test]
fn a_fragment_shader_alone() {
    let mut pipeline = with(vector(0, 0, 2), &[(AttributeBuiltIn::ViewportIndex, 1)]);
    pipeline.producer = None;
    pipeline.expect(&ALL, &[("SPI_PS_INPUT_CNTL_1", 0x401)]);
    pipeline.expect(&[Gfx1200], &[("SPI_SHADER_GS_OUT_CONFIG_PS", 0x1001)]);
    for target in ALL {
        let registers = pipeline.registers(target);
        assert!(registers.iter().all(|register| register.stage == StageKind::Fragment), "{target}");
        assert!(registers.iter().all(|register| register.name != "SPI_SHADER_POS_FORMAT"), "{target}");
    }
}

/// Export formats, unblended and blended, on gfx10.1 and later.
#[test]
fn color_formats() {
    let rows = [
        ("R8G8B8A8_UNORM", false, 4, 4),
        ("R8G8B8A8_SRGB", false, 4, 4),
        ("A2B10G10R10_UNORM_PACK32", false, 4, 4),
        ("R16G16B16A16_SFLOAT", false, 4, 4),
        ("B10G11R11_UFLOAT_PACK32", false, 4, 4),
        ("A8_UNORM", false, 4, 4),
        ("R32G32B32A32_SFLOAT", false, 9, 9),
        ("R32G32B32A32_UINT", false, 9, 9),
        ("R32G32_SFLOAT", false, 2, 2),
        ("R32_SFLOAT", false, 1, 1),
        ("R8G8B8A8_UINT", false, 7, 7),
        ("R8G8B8A8_SINT", false, 8, 8),
        ("R16G16B16A16_UNORM", false, 5, 5),
        ("R16G16B16A16_UNORM", true, 9, 9),
        ("R16G16B16A16_SNORM", false, 6, 6),
        ("R16G16B16A16_SNORM", true, 9, 9),
        ("R16G16_UNORM", true, 2, 2),
        ("R16_UNORM", true, 1, 3),
        ("R8_UNORM", false, 1, 4),
        ("R8_SRGB", false, 4, 4),
        ("R16_UINT", false, 1, 7),
        ("R8G8B8_UINT", false, 4, 4),
        ("UNDEFINED", false, 0, 0),
    ];
    let output = ColorOutput { location: 0, index: 0, mask: 0xf, numeric: Numeric::Float };
    for (format, blend, old, new) in rows {
        let mut pipeline = facts(PixelFacts { colors: vec![output.clone()], ..Default::default() });
        pipeline.options.color = [(0, ColorTarget::new(format, blend))].into();
        for target in ALL {
            let registers = pipeline.registers(target);
            let expected = if target == Gfx1010 { old } else { new };
            assert_eq!(value(&registers, "SPI_SHADER_COL_FORMAT"), Some(expected), "{target} {format} {blend}");
            let mask = if expected == 0 { 0 } else { 0xf };
            assert_eq!(value(&registers, "CB_SHADER_MASK"), Some(mask), "{target} {format}");
        }
    }
}

/// Colours that are multiplied by the output's alpha need it exported; where no channel is written nothing is.
#[test]
fn alpha_of_blends_and_unwritten_targets() {
    let rows = [
        ("R32G32_SFLOAT:blend", 0x2, 0xf),
        ("R32G32_SFLOAT:blend-by-alpha", 0x9, 0xf),
        ("R32_SFLOAT:blend-by-alpha", 0x3, 0xf),
        ("R8G8B8A8_UNORM:unwritten", 0x0, 0x0),
    ];
    for (target, code, mask) in rows {
        let output = ColorOutput { location: 0, index: 0, mask: 0xf, numeric: Numeric::Float };
        let mut pipeline = facts(PixelFacts { colors: vec![output], ..Default::default() });
        pipeline.options.color = [(0, target.parse().expect("a target"))].into();
        let registers = pipeline.registers(Gfx1030);
        assert_eq!(value(&registers, "SPI_SHADER_COL_FORMAT"), Some(code), "{target}");
        assert_eq!(value(&registers, "CB_SHADER_MASK"), Some(mask), "{target}");
        pipeline.options.alpha_to_coverage = true;
        let registers = pipeline.registers(Gfx1030);
        assert_ne!(value(&registers, "SPI_SHADER_COL_FORMAT"), Some(0), "{target}: alpha is wanted for coverage");
    }
}

/// Alpha to coverage wants alpha, on location 0 only.
#[test]
fn alpha_to_coverage() {
    let rows = [
        ("UNDEFINED", 0, 0x3, 0x9),
        ("R32_SFLOAT", 0, 0x3, 0xf),
        ("R32G32_SFLOAT", 0, 0x9, 0xf),
        ("R8G8B8A8_UINT", 0, 0x9, 0xf),
        ("R8G8B8A8_SINT", 0, 0x9, 0xf),
        ("R8G8B8A8_UINT", 1, 0x7, 0xf0),
        ("UNDEFINED", 1, 0x0, 0x0),
    ];
    for (format, location, code, mask) in rows {
        let output = ColorOutput { location, index: 0, mask: 0xf, numeric: Numeric::Float };
        let mut pipeline = facts(PixelFacts { colors: vec![output], ..Default::default() });
        pipeline.options.color = [(location, ColorTarget::new(format, false))].into();
        pipeline.options.alpha_to_coverage = true;
        let registers = pipeline.registers(Gfx1030);
        assert_eq!(value(&registers, "SPI_SHADER_COL_FORMAT"), Some(code), "{format} {location}");
        assert_eq!(value(&registers, "CB_SHADER_MASK"), Some(mask), "{format} {location}");
    }
}

/// Formats are compact, masks are by location; integer outputs have integer attachments by default.
#[test]
fn several_colors() {
    let shader = pixel(
        "layout(location=1) out vec4 a; layout(location=3) out uvec4 b; layout(location=4) out ivec4 c;
         layout(location=7) out vec4 never; layout(location=5) out vec2 d[2];
         void main() { a = vec4(1); b = uvec4(2); c = ivec4(3); d[0] = vec2(4); }",
    );
    let masks: Vec<_> = shader.colors.iter().map(|c| (c.location, c.mask, c.numeric)).collect();
    let (f, u, s) = (Numeric::Float, Numeric::Uint, Numeric::Sint);
    assert_eq!(masks, [(1, 0xf, f), (3, 0xf, u), (4, 0xf, s), (5, 3, f)]);
    facts(shader).expect(&ALL, &[("SPI_SHADER_COL_FORMAT", 0x4994), ("CB_SHADER_MASK", 0x00ff_f0f0)]);
    let dual = pixel(
        "layout(location=0, index=0) out vec4 a; layout(location=0, index=1) out vec4 b;
         void main() { a = vec4(1); b = vec4(2); }",
    );
    facts(dual).expect(&ALL, &[("SPI_SHADER_COL_FORMAT", 0x44), ("CB_SHADER_MASK", 0xff)]);
    let unwritten = pixel("layout(location=0) out vec4 a; void main() {}");
    facts(unwritten).expect(&ALL, &[("SPI_SHADER_COL_FORMAT", 0), ("CB_SHADER_MASK", 0)]);
    let ordered = facts(PixelFacts { ordered: true, ..Default::default() });
    ordered.expect(&ALL, &[("SPI_SHADER_COL_FORMAT", 1), ("CB_SHADER_MASK", 1), ("DB_SHADER_CONTROL", 0x1_0810)]);
}

/// LLPC exports the elements of an output array that are stored to; an index that is known only at run time may be any.
#[test]
fn elements_of_an_output_array() {
    let rows = [
        ("c[0] = vec4(1); c[3] = vec4(2);", 0x44, 0xf00f),
        ("c[3].x = 1;", 0x4, 0xf000),
        ("c[i] = vec4(1);", 0x4444, 0xffff),
        ("c = vec4[4](vec4(1), vec4(2), vec4(3), vec4(4));", 0x4444, 0xffff),
        ("set(c[2]);", 0x4, 0x0f00),
        ("", 0, 0),
    ];
    for (body, formats, mask) in rows {
        let shader = pixel(&format!(
            "layout(location=0) flat in int i; layout(location=0) out vec4 c[4];
             void set(out vec4 one) {{ one = vec4(1); }} void main() {{ {body} }}"
        ));
        let pipeline = facts(shader);
        for target in ALL {
            let registers = pipeline.registers(target);
            assert_eq!(value(&registers, "SPI_SHADER_COL_FORMAT"), Some(formats), "{target} {body}");
            assert_eq!(value(&registers, "CB_SHADER_MASK"), Some(mask), "{target} {body}");
        }
    }
}

/// Z_FORMAT and DB_SHADER_CONTROL.
#[test]
fn depth_and_stencil() {
    let fact = |set: fn(&mut PixelFacts)| {
        let mut pixel = PixelFacts::default();
        set(&mut pixel);
        facts(pixel)
    };
    let rows = [
        ("stencil", fact(|p| p.stencil_ref = true), 2, 0x812),
        ("mask", fact(|p| p.sample_mask = true), 9, 0x910),
        ("mask and depth", fact(|p| (p.sample_mask, p.depth) = (true, true)), 9, 0x911),
        ("stencil and depth", fact(|p| (p.stencil_ref, p.depth) = (true, true)), 2, 0x813),
        ("early", fact(|p| p.early_tests = true), 0, 0x1810),
        ("write", fact(|p| p.resource_write = true), 0, 0xa00),
        ("early and write", fact(|p| (p.early_tests, p.resource_write) = (true, true)), 0, 0x1c10),
        ("post-depth coverage", fact(|p| p.post_depth_coverage = true), 0, 0x0080_0810),
        ("ordered", fact(|p| p.ordered = true), 0, 0x1_0810),
        ("greater", fact(|p| p.conservative_depth = Some(super::super::ConservativeDepth::Greater)), 0, 0x4810),
    ];
    for (name, pipeline, z, db) in rows {
        for target in ALL {
            let registers = pipeline.registers(target);
            assert_eq!(value(&registers, "SPI_SHADER_Z_FORMAT"), Some(z), "{target} {name}");
            assert_eq!(value(&registers, "DB_SHADER_CONTROL"), Some(db), "{target} {name}");
            let driver = (name == "ordered" && matches!(target, Gfx1100 | Gfx1200)).then_some(db | 0x0200_0000);
            assert_eq!(driver_value(&registers, "DB_SHADER_CONTROL"), driver, "{target} {name}");
        }
    }
    let output = ColorOutput { location: 0, index: 0, mask: 0xf, numeric: Numeric::Float };
    let mut stencil = facts(PixelFacts { stencil_ref: true, colors: vec![output], ..Default::default() });
    stencil.options.alpha_to_coverage = true;
    stencil.expect(&[Gfx1010, Gfx1030], &[("SPI_SHADER_Z_FORMAT", 2)]);
    stencil.expect(&[Gfx1100, Gfx1200], &[("SPI_SHADER_Z_FORMAT", 9)]);
    stencil.pixel.colors[0].mask = 7;
    stencil.expect(&[Gfx1100, Gfx1200], &[("SPI_SHADER_Z_FORMAT", 2)]);
}

/// Open without the back end, and whole with it.
#[test]
fn pixel_program() {
    let open = Pipeline::default();
    for target in ALL {
        let registers = open.registers(target);
        let rsrc1 = register(&registers, "SPI_SHADER_PGM_RSRC1_PS");
        assert_eq!((rsrc1.value, rsrc1.unknown), (None, Some(super::super::Unknown::BackEnd)), "{target}");
        let mode = rsrc1.fields.iter().find(|f| f.name == "FLOAT_MODE").expect("a field");
        assert_eq!(mode.value, Some(0xc0), "{target}");
        let rsrc2 = register(&registers, "SPI_SHADER_PGM_RSRC2_PS");
        assert_eq!((rsrc2.value, rsrc2.unknown), (None, Some(super::super::Unknown::Layout)), "{target}");
    }
    let known = |vgprs, layout| Known {
        vgprs: Some(vgprs),
        sgprs: Some(0),
        scratch: Some(false),
        code_bytes: None,
        user_data: Some(passed(0, layout)),
        not_passed: None,
    };
    let base = Pipeline { known: known(0, 1), ..Pipeline::default() };
    base.expect(&BEFORE_12, &[("SPI_SHADER_PGM_RSRC1_PS", 0x022c_0000)]);
    base.expect(&[Gfx1200], &[("SPI_SHADER_PGM_RSRC1_PS", 0x000c_0000)]);
    base.expect(&ALL, &[("SPI_SHADER_PGM_RSRC2_PS", 0x4)]);
    let mut wave32 = Pipeline { known: known(17, 1), ..Pipeline::default() };
    wave32.options.wave = WaveChoice::Wave32;
    wave32.expect(&[Gfx1030], &[("SPI_SHADER_PGM_RSRC1_PS", 0x022c_0002), ("SPI_SHADER_PGM_RSRC2_PS", 0x4)]);
    // The workaround of gfx1100 in waves of 32.
    wave32.expect(&[Gfx1100], &[("SPI_SHADER_PGM_RSRC2_PS", 0x20)]);
    let many = Pipeline { known: known(17, 32), ..Pipeline::default() };
    many.expect(&ALL, &[("SPI_SHADER_PGM_RSRC2_PS", 0x0800_0002)]);
    let mut ordered = base;
    (ordered.pixel.ordered, ordered.pixel.provoking_vertex) = (true, true);
    ordered.expect(&[Gfx1010, Gfx1030], &[("SPI_SHADER_PGM_RSRC2_PS", 0x0200_0004)]);
    ordered.expect(&[Gfx1100, Gfx1200], &[("SPI_SHADER_PGM_RSRC2_PS", 0x4)]);
    ordered.expect(&[Gfx1010], &[("SPI_SHADER_PGM_RSRC1_PS", 0x022c_0000)]);
    ordered.expect(&[Gfx1030, Gfx1100], &[("SPI_SHADER_PGM_RSRC1_PS", 0x0a2c_0000)]);
    ordered.expect(&[Gfx1200], &[("SPI_SHADER_PGM_RSRC1_PS", 0x080c_0000)]);
}

/// Sizes as they are, components from the sizes, LDS in units of 512 bytes.
#[test]
fn compute_sizes() {
    for (size, tidig) in [
        ([5, 6, 7], 2),
        ([8, 10, 6], 2),
        ([6, 6, 5], 2),
        ([64, 1, 1], 0),
        ([8, 8, 1], 1),
        ([1, 1, 2], 2),
        ([0, 0, 0], 0),
    ] {
        let known = Known { scratch: Some(false), user_data: Some(passed(0, 0)), ..Known::default() };
        for target in ALL {
            let registers = compute(target, &ComputeFacts::of(size, 64), &known);
            for (axis, expected) in ["X", "Y", "Z"].iter().zip(size) {
                let name = format!("COMPUTE_NUM_THREAD_{axis}");
                assert_eq!(value(&registers, &name), Some(expected), "{target} {size:?} {axis}");
            }
            assert_eq!(value(&registers, "COMPUTE_PGM_RSRC2"), Some(0x402 | tidig << 11), "{target} {size:?}");
        }
    }
    for (bytes, units) in [(0, 0), (1, 1), (512, 1), (513, 2), (65536, 128)] {
        let facts = ComputeFacts { lds_bytes: Some(bytes), ..ComputeFacts::of([64, 1, 1], 64) };
        let registers = compute(Gfx1100, &facts, &Known::default());
        let field = register(&registers, "COMPUTE_PGM_RSRC2").fields.iter().find(|f| f.name == "LDS_SIZE");
        assert_eq!(field.and_then(|f| f.value), Some(units), "{bytes} bytes");
    }
    let facts = ComputeFacts::of([32, 1, 1], 32);
    let known = Known { scratch: Some(true), user_data: Some(passed(2, 2)), ..Known::default() };
    assert_eq!(value(&compute(Gfx1030, &facts, &known), "COMPUTE_PGM_RSRC2"), Some(0x40b));
    assert_eq!(value(&compute(Gfx1100, &facts, &known), "COMPUTE_PGM_RSRC2"), Some(0x421), "padded to 16");
}
