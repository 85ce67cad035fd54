//! Properties of every register of every IP for any facts.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::{
    ColorOutput, ComputeFacts, Known, Numeric, PixelFacts, ProducerFacts, Register, UserDataRegisters, collect,
    compute, tables,
};
use super::fixtures::{ALL, Pipeline, Scalar, glsl, packing, passed, smooth, value};
use crate::liveness::Liveness;
use crate::packing::{At, AttributeBuiltIn, Interpolation};
use lanescope_model::options::{ColorTarget, Options};
use lanescope_model::program::StageKind;
use lanescope_spirv::Module;

/// The fields are the table's, the word is composed of them, and each one has a reason.
fn check(registers: &[Register]) {
    let mut seen = BTreeSet::new();
    for register in registers {
        let Register { target, name, .. } = register;
        assert!(seen.insert(name), "{target} {name} stands twice");
        if let [data] = register.fields.as_slice()
            && data.is_mapping()
        {
            let range = UserDataRegisters::of_stage(*target, register.stage).expect("has some");
            let sgpr = range.sgpr_at(register.address.0).expect("one of them");
            assert_eq!(range.of_sgpr(sgpr).expect("exists").0, **name, "{target}");
            assert_eq!((data.lsb, data.width, data.value.map(u64::from)), (0, 32, register.value.map(|v| v.0)));
            assert!(!data.why.is_empty(), "{target} {name}");
            continue;
        }
        let table = tables::table(*target).expect("a table");
        let index = name.strip_prefix("SPI_PS_INPUT_CNTL_").and_then(|n| n.parse().ok());
        let row = table.register(if index.is_some() { "SPI_PS_INPUT_CNTL" } else { name }).expect("a row");
        assert_eq!(register.address.0, u64::from(row.address + index.unwrap_or(0)), "{target} {name}");
        let fields: Vec<_> = register.fields.iter().map(|f| (f.name.as_ref(), f.lsb, f.width)).collect();
        let expected: Vec<_> = row.fields.iter().map(|f| (f.name.as_str(), f.lsb, f.width)).collect();
        assert_eq!(fields, expected, "{target} {name}");
        let mut word = Some(0u64);
        for field in &register.fields {
            assert!(field.value.is_none_or(|v| u64::from(v) < 1 << field.width), "{target} {name} {}", field.name);
            assert!(!field.why.is_empty(), "{target} {name} {}", field.name);
            word = word.zip(field.value).map(|(word, value)| word | u64::from(value) << field.lsb);
        }
        assert_eq!(register.value.map(|v| v.0), word, "{target} {name}");
        assert_eq!(register.value.is_none(), register.unknown.is_some(), "{target} {name}");
        assert!(register.driver_value != register.value || register.value.is_none(), "{target} {name}");
    }
}

fn any_scalar() -> impl Strategy<Value = Scalar> {
    let modes = prop::sample::select(&Interpolation::ALL[..4]);
    let places = prop::sample::select(&At::ALL[..4]);
    (0..40u32, 0..4u8, any::<bool>(), any::<bool>(), modes, places, any::<bool>()).prop_map(
        |(to, component, half, is_narrow, mode, at, written)| {
            let scalar = smooth((to, component), (to, component)).mode(mode).at(at);
            let scalar = if is_narrow { scalar.narrow(half) } else { scalar };
            if written { scalar } else { scalar.unwritten() }
        },
    )
}

proptest! {
    #[test]
    fn any_graphics_facts_give_complete_words(
        scalars in prop::collection::vec(any_scalar(), 0..8),
        builtins in prop::collection::vec((prop::sample::select(AttributeBuiltIn::ALL), 0..40u32), 0..4),
        flags in any::<[bool; 16]>(),
        counts in any::<[u32; 3]>(),
        known in any::<[Option<u32>; 3]>(),
        outputs in prop::collection::btree_map((0..8u32, 0..2u32), (0..16u8, 0..3usize), 0..8),
        format in 0..super::super::FORMATS.len(),
    ) {
        let colors = outputs.into_iter().map(|((location, index), (mask, numeric))| ColorOutput {
            location, index, mask, numeric: [Numeric::Float, Numeric::Uint, Numeric::Sint][numeric],
        });
        let pixel = PixelFacts {
            frag_coord: counts[0] as u8, front_facing: flags[0], sample_id: flags[1], sample_mask_in: flags[2],
            barycentrics: counts[0] >> 8 & 0x7f, provoking_vertex: flags[3], discard: flags[4],
            resource_write: flags[5], depth: flags[6], stencil_ref: flags[7], sample_mask: flags[8],
            early_tests: flags[9], ordered: flags[10], integer_pixel_center: flags[11],
            colors: colors.collect(), ..PixelFacts::default()
        };
        let producer = ProducerFacts {
            layer: flags[12], shading_rate: flags[13], clip: counts[1], cull: counts[2],
            ..ProducerFacts::of(StageKind::Vertex)
        };
        let options = Options {
            alpha_to_coverage: flags[14],
            sample_shading: flags[15],
            color: [(0, ColorTarget::new(super::super::FORMATS[format].name, flags[0]))].into(),
            ..Options::default()
        };
        let known = Known {
            vgprs: known[0], sgprs: known[1], user_data: known[2].map(|loaded| passed(0, loaded)), scratch: known[0].map(|n| n & 1 != 0),
            code_bytes: known[1], not_passed: None,
        };
        let pipeline = Pipeline { pixel, producer: Some(producer), packing: packing(scalars, &builtins), options, known };
        for target in ALL {
            let registers = pipeline.registers(target);
            check(&registers);
            let addr = value(&registers, "SPI_PS_INPUT_ADDR").expect("known");
            let ena = value(&registers, "SPI_PS_INPUT_ENA").expect("known");
            prop_assert_eq!(ena & !addr, 0, "ENA is a subset of ADDR");
            prop_assert!(ena & 0x7f != 0, "a barycentric pair is enabled");
            prop_assert!(ena & 0x800 == 0 || ena & 0xf != 0, "POS_W has a perspective pair");
        }
    }

    #[test]
    fn any_compute_facts_give_complete_words(
        size in any::<[u32; 3]>(), wave in prop::sample::select(vec![32u32, 64]), id in 0..8u8,
        lds in any::<Option<u64>>(), known in any::<[Option<u32>; 4]>(), flags in any::<[bool; 2]>(),
    ) {
        let facts = ComputeFacts {
            stage: StageKind::Compute,
            workgroup_id: id, lds_bytes: lds, images: flags[1],
            ..ComputeFacts::of(size, wave)
        };
        let known = Known {
            vgprs: known[0], sgprs: known[1], code_bytes: known[2], user_data: known[3].map(|loaded| passed(if flags[0] { 2 } else { 0 }, loaded)),
            scratch: known[0].map(|n| n & 1 != 0), not_passed: None,
        };
        for target in ALL {
            check(&compute(target, &facts, &known));
        }
    }

    /// Words that are not a valid module must neither panic nor hang the facts.
    #[test]
    fn broken_modules_do_not_panic(words in prop::collection::vec(any::<u32>(), 0..80)) {
        // A real shader with some of its words overwritten.
        let mut broken = BROKEN_BASE.with(Clone::clone);
        for pair in words.chunks_exact(2) {
            let at = 5 + pair[0] as usize % (broken.len() - 5);
            broken[at] = if pair[1] & 1 == 0 { pair[1] >> 1 & 0x3f } else { broken[at] ^ 1 << (pair[1] >> 1 & 0xf) };
        }
        if let Ok(module) = Module::parse(broken) {
            for entry in module.entry_points() {
                let live = Liveness::of(&module, entry);
                collect::pixel(&live);
                collect::producer(&live, StageKind::Vertex);
                collect::compute(&live, [1, 1, 1], 64);
            }
        }
    }
}

thread_local! {
    static BROKEN_BASE: Vec<u32> = glsl(
        StageKind::Fragment,
        "layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(binding=0) buffer B { uint b[]; };
         void main() { vec4 c = gl_FragCoord; for (int i = 0; i < 3; i++) { c.xy += a.yz * float(i); }
             o = interpolateAtSample(a, gl_SampleID) + c; b[0] = 1; gl_FragDepth = o.x; }",
    ).words().to_vec();
}
