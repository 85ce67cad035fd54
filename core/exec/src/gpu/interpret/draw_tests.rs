//! Draws in the interpreter against the software device, away from the edges of triangles.

use std::time::Duration;

use super::{DrawCall, DrawPlace, Launch, Waves, run};
use crate::gpu::{Inputs, needs_of, run_graphics, testing, with_device};
use lanescope_interpreter::Options;
use lanescope_model::program::Program;
use lanescope_run::Execution;
use lanescope_spirv::shape::ScalarKind;
use lanescope_testing::program;

const LIMIT: Duration = Duration::from_secs(60);
const ALL: DrawCall = DrawCall { wave: 32, place: DrawPlace::All, groups: None };

/// Writes the position, and values of many sizes.
const VERTEX: &str = "layout(location = 0) in vec4 position;
    layout(location = 1) in vec2 given;
    layout(location = 0) out vec2 uv;
    layout(location = 1) noperspective out vec3 screen;
    layout(location = 2) flat out uint number;
    layout(location = 3) centroid out vec4 color;
    layout(location = 4) out vec3 direction;
    void main() {
        gl_Position = position;
        uv = given * 0.25 + position.xy;
        screen = position.xyz / position.w;
        number = uint(gl_VertexIndex) * 3u + 1u;
        color = vec4(float(gl_VertexIndex) * 0.125, position.zyx);
        direction = position.xyz + 0.5;
    }";

/// What a fragment shader has around its body.
const HEAD: &str = "layout(location = 0) in vec2 uv;
    layout(location = 1) noperspective in vec3 screen;
    layout(location = 2) flat in uint number;
    layout(location = 3) centroid in vec4 color;
    layout(location = 4) in vec3 direction;
    layout(binding = 0) uniform sampler2D image;
    layout(binding = 1) uniform samplerCube cube;
    layout(binding = 2) uniform sampler2D plain;
    layout(location = 0) out vec4 result;";

fn of(fragment: &str) -> Program {
    program(&[("vert", VERTEX), ("frag", &format!("{HEAD}\n{fragment}"))])
}

pub(super) fn device(program: &Program, inputs: &Inputs) -> Execution {
    let options = testing::device();
    let needs = needs_of(program).expect("a program that is drawn");
    with_device(&needs, &options, |device| run_graphics(device, program, inputs)).expect("it runs").value
}

pub(super) fn interpreted(program: &Program, inputs: &Inputs) -> Execution {
    run(program, &Waves::row_major(32, [0; 3]), None, inputs, LIMIT).unwrap_or_else(|why| panic!("{why}"))
}

/// The pixels away from edges, where devices must give the same. Of a triangle that is clipped, lavapipe's screen-linear
/// values are those of the triangles that it is cut into, NaN among them; these triangles share pixels.
fn interior(program: &Program, inputs: &Inputs, clipped: bool) -> Vec<bool> {
    let launch = Launch::draw(program, ALL, inputs, Options::default(), LIMIT).expect("a launch");
    launch.raster.expect("fragments").interior(clipped)
}

/// The greatest difference of any component from the device's, as a share of its magnitude where that is above 1; the
/// first pixel that is beyond `bound`.
fn difference(ours: &Execution, theirs: &Execution, inside: &[bool], bound: f64) -> (f64, Option<String>) {
    let mut worst = 0f64;
    let mut first = None;
    assert_eq!(ours.run.attachments.len(), theirs.run.attachments.len());
    assert!(!ours.run.attachments.is_empty());
    for (a, b) in ours.run.attachments.iter().zip(&theirs.run.attachments) {
        assert_eq!((&a.name, a.samples, a.kind, a.bytes), (&b.name, b.samples, b.kind, b.bytes));
        let words = |execution: &Execution| {
            let (words, _) = execution.contents(&a.name).as_chunks::<4>();
            words.iter().map(|word| u32::from_le_bytes(*word)).collect::<Vec<_>>()
        };
        let (ours, theirs) = (words(ours), words(theirs));
        let per_pixel = (a.samples * 4) as usize;
        for (pixel, (ours, theirs)) in ours.chunks(per_pixel).zip(theirs.chunks(per_pixel)).enumerate() {
            if !inside[pixel] {
                continue;
            }
            for (at, (x, y)) in ours.iter().zip(theirs).enumerate() {
                let distance = match a.kind {
                    ScalarKind::Float => {
                        let (x, y) = (f64::from(f32::from_bits(*x)), f64::from(f32::from_bits(*y)));
                        if x == y || (x.is_nan() && y.is_nan()) { 0.0 } else { (x - y).abs() / y.abs().max(1.0) }
                    }
                    _ if x == y => 0.0,
                    _ => f64::INFINITY,
                };
                let distance = if distance.is_nan() { f64::INFINITY } else { distance };
                worst = worst.max(distance);
                if distance > bound && first.is_none() {
                    let place = format!("{} pixel {},{} word {at}", a.name, pixel % 64, pixel / 64);
                    first = Some(format!("{place}: {:?}, expected {:?}", f32::from_bits(*x), f32::from_bits(*y)));
                }
            }
        }
    }
    (worst, first)
}

/// Compares a program with the device.
fn agrees(name: &str, program: &Program, bound: f64) -> Result<f64, String> {
    agrees_over(name, program, bound, (WITH_CLIPPED.contains(&name), 300))
}

/// The same, at clipped triangles too or not, and over so many pixels at least.
pub(super) fn agrees_over(
    name: &str,
    program: &Program,
    bound: f64,
    (clipped, least): (bool, usize),
) -> Result<f64, String> {
    let inputs = Inputs { fill: 3, ..Inputs::default() };
    let bound = testing::bound(bound);
    let (ours, theirs) = (interpreted(program, &inputs), device(program, &inputs));
    let inside = interior(program, &inputs, clipped);
    let count = inside.iter().filter(|inside| **inside).count();
    assert!(count > least, "{name}: {count} pixels are compared");
    let (worst, first) = difference(&ours, &theirs, &inside, bound);
    if std::env::var_os("LANESCOPE_SHOW").is_some() {
        println!("{name}: {worst:e} over {count} pixels; {first:?}");
    }
    match first {
        Some(first) => Err(format!("{name}: {worst:e}: {first}")),
        None => Ok(worst),
    }
}

/// The programs that are compared at clipped triangles too.
const WITH_CLIPPED: [&str; 9] =
    ["smooth", "flat", "position", "pixel", "nearest", "depth", "mask", "sample rate", "outputs"];

/// Fragment shaders, and how far their results may be from the device's.
const SHADERS: [(&str, f64, &str); 19] = [
    ("smooth", 1e-5, "void main() { result = vec4(uv, direction.xy); }"),
    ("noperspective", 1e-5, "void main() { result = vec4(screen, 1.0); }"),
    ("flat", 0.0, "void main() { result = vec4(float(number), gl_PrimitiveID, gl_FrontFacing ? 1.0 : 0.0, 2.0); }"),
    ("centroid", 1e-5, "void main() { result = color; }"),
    ("position", 1e-5, "void main() { result = gl_FragCoord; }"),
    ("coverage", 0.0, "void main() { result = vec4(gl_SampleMaskIn[0], 0.0, 0.0, 1.0); }"),
    (
        "discard",
        1e-5,
        "void main() { if (gl_FragCoord.x > 20.0 && gl_FragCoord.y < 40.0) discard; result = vec4(uv, screen.xy); }",
    ),
    (
        "derivatives",
        1e-4,
        "void main() { result = vec4(dFdx(uv.x), dFdy(uv.y), dFdxFine(screen.z), fwidth(color.x)); }",
    ),
    ("coarse", 1e-4, "void main() { result = vec4(dFdxCoarse(screen.x), dFdyCoarse(screen.y), dFdyFine(uv)); }"),
    (
        "pixel",
        0.0,
        "void main() { result = vec4(dFdx(gl_FragCoord.x * gl_FragCoord.y), dFdy(gl_FragCoord.x * gl_FragCoord.y), 0.0, 0.0); }",
    ),
    ("nearest", 1e-5, "void main() { result = texelFetch(image, ivec2(gl_FragCoord.xy) & 15, 0); }"),
    ("level", 8e-3, "void main() { result = textureLod(image, screen.xy, 0.0) + textureLod(image, screen.yx, 1.5); }"),
    ("implicit", 2e-2, "void main() { result = texture(image, screen.xy * 0.5); }"),
    ("bias", 2e-2, "void main() { result = texture(image, screen.xy * 0.25, 1.0); }"),
    ("cube", 2e-2, "void main() { result = textureLod(cube, direction, 0.0); }"),
    ("gather", 8e-3, "void main() { result = textureGather(image, (floor(screen.xy * 16.0) + 0.25) / 16.0, 1); }"),
    (
        // With perspective, lavapipe divides by the w of the centre.
        "at offset",
        1e-5,
        "void main() { result = vec4(interpolateAtOffset(screen, vec2(0.25, -0.25)), \
         interpolateAtOffset(uv, vec2(0.0)).x); }",
    ),
    (
        "at centroid",
        1e-5,
        "void main() { result = vec4(interpolateAtCentroid(uv), interpolateAtCentroid(direction).xy); }",
    ),
    (
        "loop",
        1e-4,
        "void main() { vec4 sum = vec4(0.0); for (uint i = 0u; i < (number & 7u); i++) sum += sin(color * float(i)); \
         result = sum; }",
    ),
];

#[test]
fn fragments_agree_with_the_software_device_away_from_edges() {
    let wrong: Vec<String> =
        SHADERS.iter().filter_map(|(name, bound, text)| agrees(name, &of(text), *bound).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn outputs_depths_and_masks_agree_with_the_software_device() {
    let several = "layout(location = 2) out uvec4 whole;
        layout(location = 3) out ivec2 pair;
        void main() {
            result = vec4(uv, 0.0, 1.0);
            whole = uvec4(number, gl_PrimitiveID, 7u, ~0u);
            pair = ivec2(-int(number), int(gl_FragCoord.x));
        }";
    agrees("outputs", &of(&several.replace("ivec2 pair", "ivec4 pair").replace("ivec2(", "ivec4(0, 1, ")), 1e-5)
        .expect("the same");
    let depth = "void main() { gl_FragDepth = gl_FragCoord.z * 0.5; result = vec4(1.0); }";
    agrees("depth", &of(depth), 1e-5).expect("the same");
    let mask = "void main() { gl_SampleMask[0] = int(gl_FragCoord.x) & 15; result = vec4(uv, 0.0, 1.0); }";
    agrees("mask", &of(mask), 1e-5).expect("the same");
    let rate = "void main() { result = vec4(gl_SampleID, gl_SamplePosition, gl_FragCoord.x); }";
    agrees("sample rate", &of(rate), 1e-5).expect("the same");
    let demote = "#extension GL_EXT_demote_to_helper_invocation : require\n";
    let text = "void main() { if (gl_FragCoord.x > 30.0) demote;
        result = vec4(dFdx(screen.x), dFdy(screen.y), helperInvocationEXT() ? 1.0 : 0.0, 1.0); }";
    let demoted = program(&[("vert", VERTEX), ("frag", &format!("{demote}{HEAD}\n{text}"))]);
    agrees("demote", &demoted, 1e-4).expect("the same");
}

#[test]
fn interpolated_elements_and_members_agree_with_the_software_device() {
    // Without perspective: see "at offset".
    let interface = |way: &str| {
        format!(
            "struct Part {{ vec2 a; vec3 b[2]; }};
             layout(location = 0) noperspective {way} vec3 all[3];
             layout(location = 3) noperspective {way} Part part;"
        )
    };
    let vertex = format!(
        "layout(location = 0) in vec4 position;
         {}
         void main() {{
             gl_Position = position;
             for (int i = 0; i < 3; i++) all[i] = position.xyz * float(i + 1);
             part.a = position.yx;
             part.b[0] = position.zyx;
             part.b[1] = position.xxy + 2.0;
         }}",
        interface("out")
    );
    let fragment = format!(
        "{}
         layout(location = 0) out vec4 result;
         void main() {{
             int k = int(gl_FragCoord.x) % 3;
             vec2 at = vec2(0.25, -0.25);
             result = vec4(interpolateAtOffset(all[k], at).x, interpolateAtOffset(part.b[k & 1].z, at),
                 interpolateAtCentroid(part.a).y, interpolateAtOffset(all[1].y, at));
         }}",
        interface("in")
    );
    let program = program(&[("vert", &vertex), ("frag", &fragment)]);
    agrees("at elements", &program, 1e-5).expect("the same");
}

#[test]
fn clip_and_cull_distances_of_fragments_agree_with_the_software_device() {
    // llvmpipe of Mesa 22.3 reads another input instead of a fifth distance.
    let vertex = "layout(location = 0) in vec4 position;
        out float gl_ClipDistance[2];
        out float gl_CullDistance[2];
        void main() {
            gl_Position = position;
            for (int i = 0; i < 2; i++) gl_ClipDistance[i] = 40.0 + position.x * float(i + 1);
            gl_CullDistance[0] = 50.0 + position.y;
            gl_CullDistance[1] = 60.0 + float(gl_VertexIndex);
        }";
    let fragment = "in float gl_ClipDistance[2];
        in float gl_CullDistance[2];
        layout(location = 0) out vec4 result;
        void main() {
            int k = int(gl_FragCoord.y) % 2;
            result = vec4(gl_ClipDistance[k], gl_ClipDistance[1], gl_CullDistance[0], gl_CullDistance[1]);
        }";
    agrees("distances", &program(&[("vert", vertex), ("frag", fragment)]), 1e-5).expect("the same");
}

#[test]
fn helper_invocations_write_nothing() {
    let text = "layout(binding = 4) buffer Count { uint fragments; uint at[]; };
        void main() { atomicAdd(fragments, 1u); at[uint(gl_FragCoord.y) * 64u + uint(gl_FragCoord.x)] = 1u;
        result = vec4(dFdx(uv), 0.0, 1.0); }";
    let program = of(text);
    let inputs = Inputs { zeros: true, ..Inputs::default() };
    let ours = interpreted(&program, &inputs);
    let words = ours.contents("set0.binding4");
    let word = |at: usize| u32::from_le_bytes([words[at], words[at + 1], words[at + 2], words[at + 3]]);
    let launch = Launch::draw(&program, ALL, &inputs, Options::default(), LIMIT).expect("a launch");
    let raster = launch.raster.expect("fragments");
    let covering: usize = (0..64 * 64).map(|at| raster.at([at % 64, at / 64]).len()).sum();
    assert_eq!(word(0) as usize, covering);
    assert!((covering as u32) < raster.invocations(), "there are helper invocations");
    // Fragments of several triangles write the same word, and the same value.
    assert!(ours.run.findings.iter().any(|found| found.code == "E015"));
}

#[test]
fn places_name_pixels_and_vertices() {
    let program = of("void main() { result = vec4(uv, 0.0, 1.0); }");
    let inputs = Inputs::default();
    let launch = |place| {
        let call = DrawCall { wave: 16, place, groups: None };
        Launch::draw(&program, call, &inputs, Options::default(), LIMIT)
    };
    let at = launch(DrawPlace::Pixel(Some([20, 40]))).expect("a fragment");
    let fragment = at.machine.fragment(at.chosen.1).expect("a fragment");
    assert_eq!((fragment.pixel, fragment.helper), ([20, 40], false));
    assert_eq!(at.machine.size(), [8, 2, 1]);
    let vertex = launch(DrawPlace::Vertex(17)).expect("a vertex");
    assert_eq!((vertex.machine.vertex(vertex.chosen.1), vertex.waves.lanes.waves[0][2]), (Some(17), None));
    for (place, expected) in [
        (DrawPlace::Pixel(Some([0, 0])), "no fragment covers it"),
        (DrawPlace::Pixel(Some([64, 0])), "the picture has 64×64 pixels"),
        (DrawPlace::Vertex(18), "the scene has 18 vertices"),
    ] {
        let why = launch(place).expect_err("nothing there").to_string();
        assert!(why.contains(expected), "{why}");
    }
}
