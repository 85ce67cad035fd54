//! Sample runs, measurements and rewritten modules.

use std::collections::BTreeMap;

use lanescope_core::options::Derivatives;
use lanescope_core::program::StageKind;
use lanescope_core::run::{
    AttachmentRun, Blob, BufferRun, Disagreement, Execution, ImageRun, Measured, Probe, Ran, Run, RunMode, Shape,
    Slopes, compare,
};
use lanescope_core::spirv::shape::{Field, Scalar, ScalarKind};
use lanescope_core::workgroup::rewrite::SwizzledStage;
use lanescope_core::workgroup::{Macro, Micro};
use lanescope_inspector::tasks::{Rewriting, RewrittenModule};

/// A compute shader of `lines` instructions, and the same with its ids computed: every hundredth line is another one.
pub fn rewriting(lines: usize) -> Rewriting {
    let line = |at: usize| match at % 5 {
        0 => format!("       %v{at} = OpLoad %v3uint %gl_LocalInvocationID\n"),
        1 => format!("       %v{at} = OpIAdd %uint %v{} %uint_1\n", at - 1),
        2 => format!("       %v{at} = OpAccessChain %_ptr_Uniform_float %data %int_0 %v{}\n", at - 1),
        3 => format!("       %v{at} = OpCompositeExtract %uint %v{} 0\n", at - 3),
        _ => format!("               OpStore %v{} %float_{at} ; keeps what was there\n", at - 2),
    };
    let head = "               OpCapability Shader\n               OpMemoryModel Logical GLSL450\n";
    let original: String = (0..lines).map(line).collect();
    let changed = |at: usize| match at % 100 {
        20 => format!("{}       %new{at} = OpUDiv %uint %hardware_local_id %uint_8\n", line(at)),
        40 => line(at).replace("%gl_LocalInvocationID", "%hardware_local_id"),
        41 => String::new(),
        _ => line(at),
    };
    let rewritten: String = (0..lines).map(changed).collect();
    let module = |name: &str, stages, after: &str| RewrittenModule {
        name: name.to_owned(),
        stages,
        original: format!("{head}{original}"),
        rewritten: format!("{head}{after}"),
    };
    Rewriting {
        modules: vec![
            module("tile.comp", vec![StageKind::Compute], &rewritten),
            module("same.comp", vec![StageKind::Compute], &original),
        ],
        packing: Vec::new(),
        workgroup: vec![SwizzledStage {
            stage: StageKind::Compute,
            entry: "main".to_owned(),
            size: [16, 16, 1],
            micro: Micro::None,
            macro_tile: Macro::Block8,
            changed: true,
            why: "computes its ids: 8×N strips".to_owned(),
            built_ins: vec!["LocalInvocationId".to_owned(), "GlobalInvocationId".to_owned()],
            derivatives: Vec::new(),
        }],
        unchanged: Vec::new(),
    }
}

/// A dispatch that wrote a buffer of 256 structures; the rewritten one wrote the same, or three words otherwise.
pub fn compute_run(differs: bool) -> Ran {
    particles(256, if differs { &[5, 6, 700] } else { &[] })
}

/// The same with so many structures of four words, and with these words other ones in the rewritten program's run.
pub fn particles(count: u32, differing: &[usize]) -> Ran {
    let float = Scalar { kind: ScalarKind::Float, bits: 32 };
    let member = |name: &str, offset, shape| Field { name: name.to_owned(), offset, shape };
    let particle = Shape::Struct {
        members: vec![
            member("position", 0, Shape::Vector { scalar: float, count: 3 }),
            member("alive", 12, Shape::Scalar(Scalar::WORD)),
        ],
    };
    let array = Shape::Array { element: Box::new(particle), count: None, stride: 16 };
    let shape = Shape::Struct { members: vec![member("particles", 0, array)] };
    let word = |at: u32| match at % 4 {
        3 => at / 4 % 2,
        _ => (at as f32 / 8.0 - 3.0).to_bits(),
    };
    let words: Vec<u32> = (0..count.saturating_mul(4)).map(word).collect();
    let mut others = words.clone();
    for at in differing {
        if let Some(word) = others.get_mut(*at) {
            *word ^= 1 << 20;
        }
    }
    let execution = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let buffer = BufferRun {
            name: "set0.binding0".to_owned(),
            register: None,
            variable: Some("Particles".to_owned()),
            set: 0,
            binding: 0,
            element: 0,
            bytes: bytes.len() as u64,
            hash: lanescope_core::run::hash(&bytes),
            shape: shape.clone(),
        };
        let run = Run { groups: Some([4, 1, 1]), buffers: vec![buffer], ..run(RunMode::Compute) };
        Execution { run, data: BTreeMap::from([("set0.binding0".to_owned(), Blob(bytes))]) }
    };
    compared(execution(&words), execution(&others))
}

/// A pipeline that drew a picture of 48x32 pixels, 4 samples each, and its depth; in the rewritten one some of the
/// picture's samples are other ones.
pub fn graphics_run(differs: bool) -> Ran {
    let size = [48_u32, 32];
    let samples = 4;
    let execution = |other: bool| {
        let mut color = Vec::new();
        let mut index = Vec::new();
        for (y, x) in (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (y, x))) {
            for sample in 0..samples {
                let at = x as f32 + sample as f32 / 4.0;
                let inside = (at - 24.0).powi(2) / 400.0 + (y as f32 - 16.0).powi(2) / 180.0 < 1.0;
                let mut rgba = if inside { [at / 48.0, y as f32 / 32.0, 0.35, 1.0] } else { [0.05, 0.05, 0.08, 1.0] };
                if other && inside && x > 30 && y < 16 && sample == 1 {
                    rgba[1] += 0.02;
                }
                color.extend(rgba.iter().flat_map(|value| value.to_bits().to_le_bytes()));
                let words = [u32::from(inside) * (x / 4 + y), x, y, 1];
                index.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        let attachment = |name: &str, location, kind, bytes: &[u8]| AttachmentRun {
            name: name.to_owned(),
            location,
            size,
            samples,
            kind,
            bytes: bytes.len() as u64,
            hash: lanescope_core::run::hash(bytes),
        };
        let attachments = vec![
            attachment("color0", Some(0), ScalarKind::Float, &color),
            attachment("color1", Some(1), ScalarKind::Uint, &index),
        ];
        let data = [("color0", color), ("color1", index)].map(|(name, bytes)| (name.to_owned(), Blob(bytes)));
        let run = Run { attachments, entries: vec!["main".to_owned(); 2], ..run(RunMode::Graphics) };
        Execution { run, data: BTreeMap::from(data) }
    };
    compared(execution(false), execution(differs))
}

/// A dispatch that wrote an image of two layers; in the rewritten one a few texels of the second are other ones.
pub fn image_run() -> Ran {
    let size = [64_u32, 64, 1];
    let execution = |other: bool| {
        let texel = |layer: u32, x: u32, y: u32| {
            let odd = (x / 8 + y / 8 + layer) % 2;
            let wrong = other && layer == 1 && x == 9 && y < 4;
            [(x * 4) as u8, (y * 4 + u32::from(wrong)) as u8, (odd * 160) as u8, 255]
        };
        let places = (0..2).flat_map(|layer| (0..64 * 64).map(move |at| (layer, at % 64, at / 64)));
        let bytes: Vec<u8> = places.flat_map(|(layer, x, y)| texel(layer, x, y)).collect();
        let image = ImageRun {
            name: "set0.binding1".to_owned(),
            register: None,
            variable: Some("tiles".to_owned()),
            set: 0,
            binding: 1,
            element: 0,
            size,
            layers: 2,
            format: "R8G8B8A8_UNORM".to_owned(),
            texel_bytes: 4,
            bytes: bytes.len() as u64,
            hash: lanescope_core::run::hash(&bytes),
        };
        let run = Run { groups: Some([4, 4, 1]), images: vec![image], ..run(RunMode::Compute) };
        Execution { run, data: BTreeMap::from([("set0.binding1".to_owned(), Blob(bytes))]) }
    };
    compared(execution(false), execution(true))
}

fn run(mode: RunMode) -> Run {
    Run { entries: vec!["main".to_owned()], nanoseconds: 812_000, ..Run::new("a device made of paper", mode) }
}

fn compared(mut execution: Execution, against: Execution) -> Ran {
    execution.run.compare = Some(compare(&execution, &against));
    Ran { execution, against: Some(against) }
}

/// An 8x8 group measured on a device with subgroups of 8 that runs it row by row; or one that swaps the lanes of the
/// third row's first pair, and takes their derivatives the other way round.
pub fn probe(obedient: bool) -> Probe {
    let size = [8_u32, 8, 1];
    let ids: Vec<[u32; 3]> = (0..64).map(|h| [h % 8, h / 8, 0]).collect();
    let square = |index: u32| (index * index) as f32;
    let lanes: Vec<Measured> = (0..64_u32)
        .zip(&ids)
        .map(|(index, id)| {
            let thread = if obedient || index / 2 != 8 { index } else { index ^ 1 };
            let quad = [0, 1, 2, 3].map(|place| index / 4 * 4 + place);
            let pair = square(index / 2 * 2 + 1) - square(index / 2 * 2);
            let slope = if thread == index { pair } else { -pair };
            let slopes = Slopes { fine_x: slope, fine_y: 8.0, coarse_x: pair, coarse_y: 8.0 };
            Measured {
                id: *id,
                index,
                subgroup: thread / 8,
                lane: thread % 8,
                order: index,
                quad: Some(quad),
                slopes: Some(slopes),
            }
        })
        .collect();
    let wrong = |index: u32| {
        let id = [index % 8, index / 8, 0];
        let says = |what: &str, predicted: String, measured: String| Disagreement {
            id,
            what: what.to_owned(),
            predicted,
            measured,
        };
        let (lane, slope) = (index % 8, square(17) - square(16));
        [
            says("lane", lane.to_string(), (lane ^ 1).to_string()),
            says("dFdxFine", slope.to_string(), (-slope).to_string()),
        ]
    };
    Probe {
        device: "a device made of paper".to_owned(),
        size,
        subgroup_range: [4, 16],
        subgroup_size: 8,
        subgroups: 8,
        // What the layout says that it is shown beside.
        wanted_derivatives: Derivatives::Quads,
        derivatives: Derivatives::Linear,
        quads: true,
        lanes,
        predicted: ids,
        disagreements: if obedient { Vec::new() } else { [16, 17].into_iter().flat_map(wrong).collect() },
        contradictions: Vec::new(),
        not_measured: Vec::new(),
    }
}
