//! Graphics programs on the software device, under the validation layer.

use std::path::PathBuf;

use crate::drawing::{EVALUATION, program, try_draw};
use lanescope_core::gpu::GpuError;
use lanescope_core::load::load;
use lanescope_core::run::{Execution, compare, difference, picture};
use lanescope_core::spirv::shape::ScalarKind;

fn draw(files: &[(&str, &str)]) -> Execution {
    try_draw(&program(files)).unwrap_or_else(|error| panic!("{error}"))
}

const VERTEX: &str = "#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in uvec2 ids;
layout(location = 0) out vec3 n;
layout(location = 1) flat out uvec2 id;
layout(location = 2) noperspective out float depth;
void main() { gl_Position = position; n = normal; id = ids; depth = position.w; }
";

const FRAGMENT: &str = "#version 450
layout(location = 0) in vec3 n;
layout(location = 1) flat in uvec2 id;
layout(location = 2) noperspective in float depth;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec2 ids;
layout(location = 3) out int facing;
void main() { color = vec4(n, depth); ids = id; facing = gl_FrontFacing ? -7 : 7; }
";

/// The samples of an attachment, four words each.
fn samples(execution: &Execution, name: &str) -> Vec<[u32; 4]> {
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    let sample = |bytes: &[u8]| [0, 4, 8, 12].map(|at| word(&bytes[at..at + 4]));
    execution.contents(name).chunks_exact(16).map(sample).collect()
}

#[test]
fn every_output_is_read_back_with_every_sample_and_runs_repeat() {
    let pair = [("a.vert", VERTEX), ("a.frag", FRAGMENT)];
    let done = draw(&pair);
    let found: Vec<_> =
        done.run.attachments.iter().map(|a| (a.name.as_str(), a.size, a.samples, a.kind, a.bytes)).collect();
    let bytes = 64 * 64 * 4 * 16;
    assert_eq!(
        found,
        [
            ("color0", [64, 64], 4, ScalarKind::Float, bytes),
            ("color1", [64, 64], 4, ScalarKind::Uint, bytes),
            ("color3", [64, 64], 4, ScalarKind::Int, bytes)
        ]
    );
    assert!(compare(&done, &draw(&pair)).equal);

    let facing = samples(&done, "color3");
    let count = |value: i32| facing.iter().filter(|sample| sample[0] as i32 == value).count();
    // The clear value, both faces, and nothing else.
    assert!([1, 7, -7].map(count).into_iter().all(|n| n > 500), "{:?}", [1, 7, -7].map(count));
    assert_eq!([1, 7, -7].map(count).into_iter().sum::<usize>(), facing.len());
    let ids = samples(&done, "color1");
    assert!(ids.iter().all(|id| id[0] < 64 && id[1] < 64));
    let edges = facing.chunks(4).filter(|pixel| pixel.iter().any(|sample| sample != &pixel[0])).count();
    assert!(edges > 50, "{edges} pixels lie on an edge");
    let depth: Vec<f32> = samples(&done, "color0").iter().map(|sample| f32::from_bits(sample[3])).collect();
    assert!(depth.iter().any(|&w| w < 0.7) && depth.iter().any(|&w| w > 2.5), "w varies");
}

#[test]
fn a_depth_that_the_shader_writes_is_compared_too() {
    let fragment = |write: &str| {
        format!(
            "#version 450\nlayout(location = 0) in vec3 n; layout(location = 1) out vec4 color;\n\
             void main() {{ color = vec4(1.0); gl_FragDepth = {write}; }}"
        )
    };
    let (whole, bent) =
        (fragment("gl_FragCoord.x / 128.0"), fragment("gl_FragCoord.x > 9.0 ? gl_FragCoord.x / 128.0 : 0.5"));
    let done = draw(&[("a.vert", VERTEX), ("a.frag", &whole)]);
    let names: Vec<_> = done.run.attachments.iter().map(|a| (a.name.as_str(), a.location)).collect();
    assert_eq!(names, [("color1", Some(1)), ("depth", None)]);
    let (colors, depths) = (samples(&done, "color1"), samples(&done, "depth"));
    let mut covered = 0;
    for (index, (color, depth)) in colors.iter().zip(&depths).enumerate() {
        let is_covered = color[0] == 1f32.to_bits();
        covered += usize::from(is_covered);
        let expected = if is_covered { (((index / 4) % 64) as f32 + 0.5) / 128.0 } else { 0.625 };
        assert_eq!(f32::from_bits(depth[0]), expected, "sample {index}");
    }
    assert!((1000..depths.len()).contains(&covered), "{covered} samples are covered");
    let found = compare(&done, &draw(&[("a.vert", VERTEX), ("a.frag", &bent)]));
    let differing: Vec<_> = found.outputs.iter().map(|o| (o.name.as_str(), o.differing > 0)).collect();
    assert_eq!(differing, [("color1", false), ("depth", true)]);
    let only = "#version 450\nvoid main() { gl_FragDepth = 0.25; }";
    let only = draw(&[("a.vert", VERTEX), ("a.frag", only)]);
    assert!(samples(&only, "depth").iter().any(|depth| depth[0] == 0.25f32.to_bits()));
}

#[test]
fn an_altered_fragment_shader_is_detected_with_its_first_pixel() {
    let altered = FRAGMENT.replace(
        "color = vec4(n, depth);",
        "color = vec4(n, depth); if (gl_FragCoord.x > 40.0 && gl_FragCoord.y > 20.0) color.g += 1.0 / 1024.0;",
    );
    let (left, right) =
        (draw(&[("a.vert", VERTEX), ("a.frag", FRAGMENT)]), draw(&[("a.vert", VERTEX), ("a.frag", &altered)]));
    let found = compare(&left, &right);
    assert!(!found.equal);
    let differing: Vec<_> = found.outputs.iter().map(|o| (o.name.as_str(), o.differing > 0)).collect();
    assert_eq!(differing, [("color0", true), ("color1", false), ("color3", false)]);
    let (a, b) = (samples(&left, "color0"), samples(&right, "color0"));
    let count = a.iter().zip(&b).filter(|(a, b)| a != b).count() as u64;
    let at = a.iter().zip(&b).position(|(a, b)| a != b).expect("one differs") as u64;
    let first = found.outputs[0].first.as_ref().expect("one differs");
    assert_eq!((found.outputs[0].differing, first.sample), (count, Some(at % 4)));
    assert_eq!(first.pixel, Some([at / 4 % 64, at / 4 / 64, 0]));
    let [x, y, _] = first.pixel.expect("an attachment has pixels");
    assert!(x >= 40 && y >= 20, "({x}, {y})");

    let pixels = difference(&left, &right, &left.run.attachments[0].surface(), None).expect("the same target");
    let lit = pixels.rgba.chunks(4).enumerate().filter(|(_, pixel)| pixel[..3] != [0; 3]);
    let lit: Vec<usize> = lit.map(|(index, _)| index).collect();
    assert_eq!(lit.first(), Some(&((at / 4) as usize)));
    assert!(lit.iter().all(|index| index % 64 >= 40 && index / 64 >= 20));
    let drawn = picture(&left, &left.run.attachments[0].surface(), None);
    assert_eq!((drawn.size, drawn.rgba.len()), ([64, 64], 64 * 64 * 4));
    assert_ne!(drawn, picture(&right, &right.run.attachments[2].surface(), None));
}

#[test]
fn the_clear_colour_stays_where_nothing_is_drawn() {
    let vertex = "#version 450\nvoid main() { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); }";
    let fragment = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(9.0); }";
    let done = draw(&[("a.vert", vertex), ("a.frag", fragment)]);
    let clear = [0.25f32, 0.5, 0.75, 1.0].map(f32::to_bits);
    assert!(samples(&done, "color0").iter().all(|sample| *sample == clear));
}

#[test]
fn tessellation_and_geometry_shaders_are_drawn() {
    let control = "#version 450
        layout(vertices = 3) out;
        layout(location = 0) in vec3 n[]; layout(location = 0) out vec3 o[];
        void main() {
            gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
            o[gl_InvocationID] = n[gl_InvocationID];
            gl_TessLevelOuter[0] = 2.0; gl_TessLevelOuter[1] = 3.0; gl_TessLevelOuter[2] = 4.0; gl_TessLevelInner[0] = 2.0;
        }";
    let geometry = "#version 450
        layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
        layout(location = 0) in vec3 n[]; layout(location = 0) out vec3 o;
        void main() {
            for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; o = n[i] * 0.5; EmitVertex(); }
            EndPrimitive();
        }";
    let fragment = "#version 450\nlayout(location = 0) in vec3 n;\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(n, 1.0); }";
    let plain = [("a.vert", VERTEX), ("a.frag", fragment)];
    let tessellated = [("a.vert", VERTEX), ("a.tesc", control), ("a.tese", EVALUATION), ("a.frag", fragment)];
    let through_geometry = [("a.vert", VERTEX), ("a.geom", geometry), ("a.frag", fragment)];
    let (plain, tessellated, through_geometry) = (draw(&plain), draw(&tessellated), draw(&through_geometry));
    assert_eq!(tessellated.run.entries.len(), 4);
    // Halved normals, exactly: the same triangles.
    let halves = samples(&through_geometry, "color0");
    let drawn = samples(&plain, "color0").into_iter().zip(halves).filter(|(a, _)| a[3] == 1f32.to_bits());
    let close = drawn.filter(|(a, b)| (f32::from_bits(a[0]) * 0.5 - f32::from_bits(b[0])).abs() < 1e-4).count();
    assert!(close > 2000, "{close}");
    assert!(!compare(&plain, &tessellated).equal);
}

#[test]
fn buffers_and_images_that_a_fragment_shader_writes_are_read_back() {
    let fragment = "#version 450
        layout(set = 0, binding = 0) buffer Count { uint drawn; uint touched[64]; } count;
        layout(location = 0) out vec4 c;
        void main() { count.touched[uint(gl_FragCoord.x)] = 1000u; c = vec4(1.0); }";
    let vertex = "#version 450\nlayout(location = 0) in vec4 position;\nvoid main() { gl_Position = position; }";
    let done = draw(&[("a.vert", vertex), ("a.frag", fragment)]);
    let bytes = done.contents("set0.binding0");
    let touched = bytes[4..].chunks(4).filter(|word| *word == 1000u32.to_le_bytes()).count();
    assert!(touched > 55, "{touched} columns");
}

#[test]
fn reports_missing_formats_and_stages() {
    let wide = "#version 450\nlayout(location = 0) in dvec2 p;\nvoid main() { gl_Position = vec4(vec2(p), 0.0, 1.0); }";
    let fragment = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }";
    let error = try_draw(&program(&[("a.vert", wide), ("a.frag", fragment)])).expect_err("no 32-bit format");
    assert!(error.to_string().contains("`p` at location 0 is float64x2"), "{error}");
    let error = try_draw(&program(&[("a.frag", fragment)])).expect_err("half a pipeline");
    assert!(error.to_string().contains("vertex"), "{error}");
    let mesh = "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 1) in;\n\
        layout(triangles, max_vertices = 3, max_primitives = 1) out;\nvoid main() { SetMeshOutputsEXT(0, 0); }";
    let error = try_draw(&program(&[("a.mesh", mesh), ("a.frag", fragment)])).expect_err("mesh shaders are not drawn");
    assert!(error.to_string().contains("mesh"), "{error}");
}

#[test]
fn a_shader_that_needs_more_than_the_device_has_is_refused_by_name() {
    let vertex = "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n\
        layout(location = 0) out f16vec2 h;\nvoid main() { gl_Position = vec4(0.0); h = f16vec2(1.0); }";
    let fragment = "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n\
        layout(location = 0) in f16vec2 h;\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(vec2(h), 0.0, 1.0); }";
    let error = try_draw(&program(&[("a.vert", vertex), ("a.frag", fragment)])).expect_err("llvmpipe lacks it");
    assert!(error.is_missing(), "{error}");
    assert!(error.to_string().contains("storageInputOutput16") && error.to_string().contains("StorageInputOutput16"));
}

#[test]
fn every_sample_pair_is_drawn() {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut drawn = Vec::new();
    for entry in std::fs::read_dir(&samples).expect("the samples are there") {
        let fragment = entry.expect("reads").path();
        let vertex = fragment.with_extension("vert");
        if fragment.extension().is_none_or(|e| e != "frag") || !vertex.exists() {
            continue;
        }
        let name = fragment.file_stem().expect("a name").to_string_lossy().into_owned();
        let stages = ["vert", "tesc", "tese", "geom", "frag"].map(|stage| fragment.with_extension(stage));
        let files: Vec<PathBuf> = stages.into_iter().filter(|file| file.exists()).collect();
        let program = load(&files, &[]).expect("samples load");
        match try_draw(&program) {
            Ok(done) => {
                let clear = [0.25f32, 0.5, 0.75, 1.0].map(f32::to_bits);
                let touched = self::samples(&done, "color0").iter().filter(|sample| **sample != clear).count();
                assert!(touched > 2000, "{name}: {touched} samples are drawn");
                assert!(compare(&done, &try_draw(&program).expect("draws again")).equal, "{name}");
                drawn.push(name);
            }
            // An input that nothing writes has no value that two runs could share.
            Err(error @ GpuError::Validation { .. }) => {
                assert_eq!(name, "missing_input", "{error}");
                // As the layers of 2023 and of 2025 say it.
                let texts = ["not written by vertex shader", "not an Output declared in VK_SHADER_STAGE_VERTEX_BIT"];
                assert!(texts.iter().any(|text| error.to_string().contains(text)), "{error}");
            }
            // 16-bit varyings need a device feature that llvmpipe lacks.
            Err(error) => assert!(error.to_string().contains("storageInputOutput16"), "{name}: {error}"),
        }
    }
    assert!(drawn.len() >= 4, "{drawn:?}");
}
