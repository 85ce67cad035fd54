//! Tessellation in the interpreter against the software device: the points of patches, bit for bit, and pixels away from
//! the edges of triangles.

use super::draw_tests::{agrees_over, device, interpreted};
use super::{DrawCall, DrawPlace, Launch};
use crate::gpu::Inputs;
use lanescope_interpreter::Options;
use lanescope_model::program::Program;
use lanescope_run::Execution;
use lanescope_testing::program;
use std::time::Duration;

const VERTEX: &str = "layout(location = 0) in vec4 position;
    layout(location = 0) out vec2 uv;
    void main() { gl_Position = vec4(position.xy / max(position.w, 0.25), 0.5, 1.0); uv = position.xy; }";

const CONTROL: &str = "layout(vertices = 3) out;
    layout(location = 0) in vec2 uv[]; layout(location = 0) out vec2 to_uv[];
    layout(location = 1) patch out vec4 tint;
    void main() {
        to_uv[gl_InvocationID] = uv[gl_InvocationID] + float(gl_InvocationID);
        gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
        barrier();
        if (gl_InvocationID == 0) {
            // What another invocation has written.
            tint = vec4(to_uv[1], float(gl_PrimitiveID), float(gl_PatchVerticesIn));
            LEVELS
        }
    }";

const EVALUATION: &str = "layout(DOMAIN) in;
    layout(location = 0) in vec2 uv[]; layout(location = 1) patch in vec4 tint;
    layout(location = 0) out vec4 value; layout(location = 1) flat out vec4 constant;
    layout(binding = 0) buffer Points { uint count; uint pad; uvec4 at[6000]; };
    void main() {
        vec3 c = gl_TessCoord;
        at[atomicAdd(count, 1u)] = uvec4(gl_PrimitiveID, floatBitsToUint(c.x), floatBitsToUint(c.y), 0u);
        vec3 w = WEIGHTS;
        gl_Position = w.x * gl_in[0].gl_Position + w.y * gl_in[1].gl_Position + w.z * gl_in[2].gl_Position;
        value = vec4(w.x * uv[0] + w.y * uv[1] + w.z * uv[2], c.xy);
        constant = tint + vec4(gl_TessLevelOuter[0], gl_TessLevelInner[0], 0.0, gl_PatchVerticesIn);
    }";

const FRAGMENT: &str = "layout(location = 0) in vec4 value; layout(location = 1) flat in vec4 constant;
    layout(location = 0) out vec4 result; layout(location = 1) out vec4 second;
    void main() { result = value; second = vec4(constant.xyz, gl_FrontFacing ? 1.0 : 0.0); }";

/// Levels of a patch, by its number.
const LEVELS: &str = "float level = float(gl_PrimitiveID) * 1.75;
    gl_TessLevelOuter[0] = 1.0 + level; gl_TessLevelOuter[1] = 2.5; gl_TessLevelOuter[2] = 0.5 + level * 0.5;
    gl_TessLevelOuter[3] = 7.0; gl_TessLevelInner[0] = 1.0 + level * 0.75; gl_TessLevelInner[1] = 4.25;";

fn tessellated(domain: &str, levels: &str) -> Program {
    let weights = if domain.starts_with("triangles") { "c" } else { "vec3(1.0 - c.x - c.y * 0.5, c.x, c.y * 0.5)" };
    let control = CONTROL.replace("LEVELS", levels);
    let evaluation = EVALUATION.replace("DOMAIN", domain).replace("WEIGHTS", weights);
    program(&[("vert", VERTEX), ("tesc", &control), ("tese", &evaluation), ("frag", FRAGMENT)])
}

/// Patch and coordinates of the points that the evaluation shader ran for.
fn points(execution: &Execution) -> Vec<[u32; 3]> {
    let (words, _) = execution.contents("set0.binding0").as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let (rows, _) = words[4..].as_chunks::<4>();
    let mut out: Vec<[u32; 3]> = rows[..words[0] as usize].iter().map(|&[patch, x, y, _]| [patch, x, y]).collect();
    out.sort_unstable();
    out.dedup();
    out
}

const DOMAINS: [&str; 3] = ["triangles", "quads", "isolines"];
const SPACINGS: [&str; 3] = ["equal_spacing", "fractional_even_spacing", "fractional_odd_spacing"];

#[test]
fn points_are_those_of_the_software_device() {
    let inputs = Inputs { zeros: true, ..Inputs::default() };
    for domain in DOMAINS {
        for spacing in SPACINGS {
            let program = tessellated(&format!("{domain}, {spacing}"), LEVELS);
            let (ours, theirs) = (points(&interpreted(&program, &inputs)), points(&device(&program, &inputs)));
            assert!(ours.len() > 60, "{domain} {spacing}: {}", ours.len());
            let only = |own: &[[u32; 3]], other: &[[u32; 3]]| {
                let places = own.iter().filter(|point| !other.contains(point));
                let fixed = |bits: &u32| f32::from_bits(*bits) * 65536.0;
                places.map(|[patch, u, v]| (*patch, fixed(u), fixed(v))).collect::<Vec<_>>()
            };
            let (ours, theirs) = (only(&ours, &theirs), only(&theirs, &ours));
            assert!(ours.is_empty() && theirs.is_empty(), "{domain} {spacing}: {ours:?}, expected {theirs:?}");
        }
    }
}

#[test]
fn tessellated_triangles_agree_with_the_software_device() {
    let mut wrong = Vec::new();
    for domain in &DOMAINS[..2] {
        for spacing in SPACINGS {
            for order in ["cw", "ccw"] {
                let layout = format!("{domain}, {spacing}, {order}");
                let program = tessellated(&layout, LEVELS);
                wrong.extend(agrees_over(&layout, &program, 1e-4, (true, 100)).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn points_and_isolines_are_rasterised() {
    let levels = "gl_TessLevelOuter[0] = gl_PrimitiveID == 0 ? 2.0 : 0.0; gl_TessLevelOuter[1] = 2.0;
        gl_TessLevelOuter[2] = 2.0; gl_TessLevelOuter[3] = 2.0; gl_TessLevelInner[0] = 2.0; gl_TessLevelInner[1] = 2.0;";
    let inputs = Inputs { zeros: true, ..Inputs::default() };
    let count = |domain: &str| {
        let run = interpreted(&tessellated(domain, levels), &inputs);
        (points(&run).len(), super::stage_tests::drawn(&run))
    };
    let (at, drawn) = count("triangles, equal_spacing, point_mode");
    assert_eq!(at, 7);
    // Each is a pixel of four samples, or samples of up to four pixels.
    assert_eq!(drawn, 7 * 4);
    let (at, drawn) = count("isolines, equal_spacing");
    assert!(at == 6 && drawn > 100, "{at} {drawn}");
    assert_eq!(count("quads, equal_spacing").0, 9);
}

#[test]
fn a_missing_barrier_between_invocations_of_a_patch_is_a_race() {
    let with = |barrier: &str| {
        let control = CONTROL.replace("barrier();", barrier).replace("LEVELS", LEVELS);
        let evaluation = EVALUATION.replace("DOMAIN", "triangles").replace("WEIGHTS", "c");
        let program = program(&[("vert", VERTEX), ("tesc", &control), ("tese", &evaluation), ("frag", FRAGMENT)]);
        let inputs = Inputs { zeros: true, ..Inputs::default() };
        let findings = interpreted(&program, &inputs).run.findings;
        findings.into_iter().filter(|found| found.code == "E001").map(|found| found.message).collect::<Vec<_>>()
    };
    assert_eq!(with("barrier();"), Vec::<String>::new());
    let found = with("");
    assert!(found.iter().any(|message| message.contains("by invocation 1 of patch 0")), "{found:?}");
}

#[test]
fn places_name_patches_and_tessellated_points() {
    let program = tessellated("triangles", LEVELS);
    let launch = |place| {
        let call = DrawCall { wave: 8, place, groups: None };
        Launch::draw(&program, call, &Inputs::default(), Options::default(), Duration::from_secs(60))
    };
    let patch = launch(DrawPlace::Patch { patch: 4, invocation: 2 }).expect("a patch");
    assert_eq!((patch.machine.group(), patch.chosen), ([4, 0, 0], (0, 2)));
    let point = launch(DrawPlace::Point(5)).expect("a point");
    assert_eq!(point.machine.tessellated(point.chosen.1).map(|(number, ..)| number), Some(5));
    for (place, expected) in [
        (DrawPlace::Patch { patch: 6, invocation: 0 }, "patch 6: there are 6"),
        (DrawPlace::Patch { patch: 0, invocation: 3 }, "invocation 3: there are 3"),
        (DrawPlace::Point(100_000), "tessellated point 100000: there are"),
        (DrawPlace::Primitive { primitive: 0, invocation: 0 }, "a geometry shader is needed"),
    ] {
        let why = launch(place).expect_err("not there").to_string();
        assert!(why.contains(expected), "{why}");
    }
}
