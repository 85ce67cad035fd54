//! Rewritten programs compared with the originals, on the software device: the same bits in every sample and every
//! buffer.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lanescope_core::gpu::{DeviceOptions, Inputs, run_program};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::packing::rewrite::rewrite as pack;
use lanescope_core::program::Program;
use lanescope_core::run::compare;
use lanescope_core::workgroup::rewrite::rewrite as swizzle;

fn device() -> DeviceOptions {
    DeviceOptions {
        device: Some("llvmpipe".to_owned()),
        validate: true,
        timeout: Duration::from_secs(20),
        ..DeviceOptions::default()
    }
}

#[track_caller]
fn check_equal(name: &str, given: &Program, rewritten: &Program, groups: [u32; 3]) {
    let inputs = Inputs { fill: 3, ..Inputs::default() };
    let run = |which: &str, program: &Program| {
        run_program(&device(), program, Some(groups), &inputs)
            .unwrap_or_else(|error| panic!("{name}, {which}: {error}"))
    };
    let (before, after) = (run("given", given), run("rewritten", rewritten));
    assert!(before.data.values().any(|blob| blob.0.iter().any(|&byte| byte != 0)), "{name}: nothing is drawn");
    let compared = compare(&before, &after);
    assert!(compared.equal, "{name}: {compared:?}");
}

#[track_caller]
fn check_pair(name: &str, program: &Program) {
    let done = pack(program, &Options { widen: true, ..Options::default() }).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(done.map.missing.is_empty(), "{name}: what nobody writes cannot be compared");
    check_equal(name, done.widened.as_ref().unwrap_or(program), &done.program, [1; 3]);
}

#[test]
fn sample_pairs_draw_the_same_bits() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    // The pair with a missing input is not among them: its values are undefined.
    let names =
        ["design_note", "dynamic_index", "flat_and_smooth", "half_precision", "lit_surface", "matrix_and_array"];
    for name in names {
        let files: Vec<PathBuf> = ["vert", "frag"].map(|s| samples.join(format!("{name}.{s}"))).to_vec();
        check_pair(name, &load(&files, &[]).unwrap_or_else(|error| panic!("{error}")));
    }
}

/// A pair of one interface: `out` and `in` declarations are made of `|qualifiers|type name` with locations.
fn pair(varyings: &[(&str, &str, &str)], write: &str, read: &str) -> Program {
    let declare = |direction: &str| {
        let row = |(place, qualifiers, name): &(&str, &str, &str)| {
            format!("layout(location = {place}) {qualifiers} {direction} {name};\n")
        };
        varyings.iter().map(row).collect::<String>()
    };
    let header = "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
    let vertex = format!(
        "{header}layout(location = 0) in vec4 p; layout(location = 1) in vec4 q;\n{}
        void main() {{ gl_Position = p; {write} }}",
        declare("out")
    );
    let fragment = format!("{header}layout(location = 0) out vec4 o;\n{}void main() {{ {read} }}", declare("in"));
    loaded(&[("a.vert", vertex), ("a.frag", fragment)])
}

fn loaded(sources: &[(&str, String)]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |(name, text): &(&str, String)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writes");
        path
    };
    let files: Vec<PathBuf> = sources.iter().map(path).collect();
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn pairs_of_every_class_draw_the_same_bits() {
    check_pair(
        "qualifiers",
        &pair(
            &[
                ("0", "centroid", "vec2 a"),
                ("1", "sample", "float b"),
                ("2", "noperspective", "vec2 c"),
                ("3", "", "vec3 d"),
                ("4", "noperspective centroid", "float e"),
                ("5", "flat", "vec2 f"),
            ],
            "a = q.xy; b = q.z; c = q.zw; d = p.xyw; e = q.x; f = q.yx;",
            "o = vec4(a, b, c.x) + vec4(c.y, d.zx, e) * f.xyxy;",
        ),
    );
    // Plain reads stand first: after an interpolation function of the same input, Mesa 22.3's llvmpipe returns that
    // function's value for them, which the rewritten shader (whose plain reads are all at its start) does not repeat.
    check_pair(
        "interpolation functions",
        &pair(
            &[
                ("0", "", "vec3 a"),
                ("1", "noperspective", "vec2 b[3]"),
                ("4", "flat", "int i"),
                ("5", "", "mat2 m"),
                ("7", "centroid", "float c"),
            ],
            "a = q.xyz; i = gl_VertexIndex % 3; m = mat2(q.xy, q.x, p.w); c = q.w; b[0] = q.xy; b[1] = q.yz; b[2] = q.zw;",
            "float y = a.y; o = vec4(interpolateAtOffset(a, vec2(0.25)).zx, interpolateAtCentroid(b[i])) + y
                + interpolateAtSample(m[1].y, 1) + interpolateAtOffset(b[2].x, vec2(-0.25, 0.125)) + c;",
        ),
    );
    check_pair(
        "flat numbers",
        &pair(
            &[
                ("0", "flat", "ivec3 a"),
                ("1", "flat", "double b"),
                ("2", "flat", "dvec3 c"),
                ("4", "flat", "uint d"),
                ("5", "flat", "float e"),
                ("6, component = 2", "flat", "int64_t f"),
            ],
            "a = ivec3(q * 9.0); b = double(q.x); c = dvec3(q.yzw); d = uint(gl_VertexIndex); e = q.w; f = int64_t(a.x);",
            "o = vec4(a, 1) + vec4(float(b), float(c.x), float(c.z), float(d)) + e + float(f);",
        ),
    );
    check_pair(
        "narrow numbers",
        &pair(
            &[
                ("0", "", "f16vec3 a"),
                ("1", "flat", "i16vec2 b"),
                ("2", "flat", "u16vec4 c"),
                ("3", "", "vec2 d"),
                ("4", "noperspective", "float16_t e[2]"),
            ],
            "a = f16vec3(q.xyz); b = i16vec2(q.xy * 9.0 - 4.0); c = u16vec4(q * 99.0); d = q.zw; e[0] = a.x; e[1] = a.y;",
            "o = vec4(vec3(a), d.y) + vec4(ivec2(b), uvec2(c.yw)) + float(e[1]) * d.x;",
        ),
    );
    check_pair(
        "returns, dropped outputs, components",
        &pair(
            &[
                ("0", "", "vec4 a"),
                ("1, component = 1", "", "vec2 b"),
                ("1, component = 3", "", "float c"),
                ("3", "", "vec4 d[2]"),
            ],
            "a = q; b = q.zw; c = q.x; d[0] = p; d[1] = q.wzyx; if (gl_VertexIndex == 1) { return; } a.y = 0.5; c += 1.0;",
            "o = vec4(a.yw, b.y, c) + d[1].x;",
        ),
    );
}

/// Every interface of a pipeline of vertex, tessellation, geometry and fragment shaders, of which `stages` are there.
///
/// The vertex shader passes on numbers of several kinds, arrays and a block; each later stage reads a part of it. A
/// geometry shader of the software device reads 64 components, 7 of them of gl_PerVertex: locations end at 13.
fn chain(stages: &[&str]) -> Program {
    let header = "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
    let declare = |direction: &str, arrays: &str| {
        format!(
            "layout(location = 1) {direction} vec3 a{arrays}; layout(location = 2, component = 1) {direction} vec2 b{arrays};
            layout(location = 3) flat {direction} ivec2 n{arrays}; layout(location = 5) {direction} S {{ vec2 p; mat2 m; }} s{arrays};
            layout(location = 8) {direction} float w{arrays}[3]; layout(location = 11) flat {direction} double d{arrays};
            layout(location = 12) {direction} float16_t h{arrays}; layout(location = 13) {direction} vec4 unread{arrays};\n"
        )
    };
    let vertex = format!(
        "{header}layout(location = 0) in vec4 p; layout(location = 1) in vec4 q;\n{}
        void main() {{
            gl_Position = p; a = q.xyz; b = q.zw; n = ivec2(q.xy * 9.0); s.p = p.xy; s.m = mat2(q.xy, p.zw);
            for (int i = 0; i < 3; ++i) {{ w[i] = q[i] * 2.0; }}
            d = double(q.w); h = float16_t(q.x); unread = p;
            if (n.x > 3) {{ b.x += 1.0; return; }}
            a.y *= 0.5;
        }}",
        declare("out", "")
    );
    // What a stage makes of one vertex: of each input a part, with indices known and not.
    let read = |v: &str| {
        let dynamic = if stages.contains(&"tesc") { "1" } else { "n[0].x & 1" };
        format!(
            "vec4(a[{v}].xz, b[{v}].y, float(n[{v}].y)) + s[{v}].p.yyxx + s[{v}].m[{dynamic}].xyxy
            + w[{v}][2] * w[{v}][{dynamic}] + float(d[{v}]) + float(h[{v}])"
        )
    };
    let control = format!(
        "{header}layout(vertices = 3) out;\n{} layout(location = 0) out vec4 c[];
        void main() {{
            gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
            c[gl_InvocationID] = {};
            gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 3; gl_TessLevelInner[0] = 2;
        }}",
        declare("in", "[]"),
        read("gl_InvocationID")
    );
    let mix =
        |name: &str| format!("{name}[0] * gl_TessCoord.x + {name}[1] * gl_TessCoord.y + {name}[2] * gl_TessCoord.z");
    let evaluation = format!(
        "{header}layout(triangles) in; layout(location = 0) in vec4 c[];
        layout(location = 2) out vec4 t; layout(location = 4) out vec3 u; layout(location = 6) out vec2 unread;
        layout(location = 8) out float o;
        void main() {{
            gl_Position = {}; vec4 m = {};
            t = m.wzyx; u = gl_TessCoord; unread = m.xy; o = m.x;
        }}",
        mix("gl_in").replace("]", "].gl_Position"),
        mix("c")
    );
    let behind = |inputs: &str, value: &str| {
        format!(
            "{header}layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n{inputs}
            layout(location = 3) out vec3 x; layout(location = 5) out vec2 y; layout(location = 7) out vec4 unread_too;
            void main() {{
                for (int i = 0; i < 3; ++i) {{
                    gl_Position = gl_in[i].gl_Position; vec4 v = {value};
                    x = v.xyz; y = v.wx; unread_too = v; EmitVertex();
                }}
                EndPrimitive();
            }}"
        )
    };
    let after_evaluation = "layout(location = 2) in vec4 t[]; layout(location = 4) in vec3 u[];
        layout(location = 6) in vec2 unread[]; layout(location = 8) in float o[];";
    let geometry = match stages.contains(&"tese") {
        true => behind(after_evaluation, "t[i].zyxw + u[2 - i].xyzx * o[i]"),
        false => behind(&declare("in", "[]"), &read("i")),
    };
    let fragment = |inputs: &str, value: &str| {
        format!("{header}layout(location = 0) out vec4 o_;\n{inputs} void main() {{ o_ = {value}; }}")
    };
    let fragment = match (stages.contains(&"geom"), stages.contains(&"tese")) {
        (true, _) => fragment("layout(location = 3) in vec3 x; layout(location = 5) in vec2 y;", "vec4(x, y.y) + y.x"),
        (_, true) => fragment("layout(location = 2) in vec4 t; layout(location = 8) in float o;", "t.xxzw * o"),
        _ => panic!("a vertex shader alone has a test of its own"),
    };
    let all = [("vert", vertex), ("tesc", control), ("tese", evaluation), ("geom", geometry), ("frag", fragment)];
    let wanted = all.into_iter().filter(|(stage, _)| ["vert", "frag"].contains(stage) || stages.contains(stage));
    let named: Vec<(String, String)> = wanted.map(|(stage, text)| (format!("a.{stage}"), text)).collect();
    loaded(&named.iter().map(|(name, text)| (name.as_str(), text.clone())).collect::<Vec<_>>())
}

#[test]
fn every_interface_before_the_fragment_shader_draws_the_same_bits() {
    for (stages, inner, slots) in [
        (&["geom"][..], 1, [(11, 5)].as_slice()),
        (&["tesc", "tese"], 1, &[(9, 4)]),
        (&["tesc", "tese", "geom"], 2, &[(9, 4), (3, 2)]),
    ] {
        let name = stages.join(" ");
        let program = chain(stages);
        for part_pipeline in [false, true] {
            let options = Options { widen: true, part_pipeline, ..Options::default() };
            let done = pack(&program, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(done.inner.len(), inner, "{name}");
            let found: Vec<_> = done.inner.iter().map(|map| (map.slots.before, map.slots.after)).collect();
            assert_eq!(found, slots, "{name}");
            assert!(done.inner.iter().all(|map| map.missing.is_empty() && map.changed.len() >= 3), "{name}");
            check_equal(&name, done.widened.as_ref().expect("it has a 16-bit varying"), &done.program, [1; 3]);
        }
    }
}

#[test]
fn swizzled_shaders_write_the_same_bytes() {
    let source = |size: &str| {
        format!(
            "#version 460\nlayout({size}) in;\nlayout(binding = 0) buffer B {{ uvec4 b[]; }};
            void main() {{
                uvec3 all = gl_NumWorkGroups * gl_WorkGroupSize;
                uvec3 g = gl_GlobalInvocationID;
                b[(g.z * all.y + g.y) * all.x + g.x] = uvec4(gl_LocalInvocationID, gl_LocalInvocationIndex);
            }}"
        )
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (size, force_swizzle, reconfig) in [
        ("local_size_x = 16, local_size_y = 8", true, false),
        ("local_size_x = 6, local_size_y = 4, local_size_z = 2", false, true),
        ("local_size_x = 8, local_size_y = 6", false, true),
    ] {
        let path = folder.path().join("a.comp");
        std::fs::write(&path, source(size)).expect("writes");
        let program = load(&[path], &[]).unwrap_or_else(|error| panic!("{error}"));
        let options = Options { force_swizzle, reconfig, ..Options::default() };
        let done = swizzle(&program, &options).unwrap_or_else(|error| panic!("{error}"));
        assert!(done.stages[0].changed, "{size}");
        check_equal(size, &program, &done.program, [2, 1, 1]);
    }
}
