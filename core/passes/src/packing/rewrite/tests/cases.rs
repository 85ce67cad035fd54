//! One interface a test: what each class, width, stage and use becomes.

use super::*;
use lanescope_model::options::PackingOrder;
use lanescope_model::program::Format;
use lanescope_pipeline::{Pipeline, PipelineKind, Raster};

pub(super) fn fragment(body: &str) -> String {
    format!("{COLOUR}{body}")
}

#[track_caller]
fn alone(body: &str, options: &Options) -> Rewritten {
    rewritten(&program(&[("frag", &fragment(body))]), options)
}

/// `location.component [width x count] interpolation at` of each variable.
pub(super) fn variables(map: &Map) -> String {
    let row = |v: &super::super::RewrittenVariable| {
        format!("{}.{} {}x{} {} {}", v.location, v.component, v.type_name, v.components, v.interpolation, v.at)
    };
    map.variables.iter().map(row).collect::<Vec<_>>().join("|")
}

/// `from > hardware > rewritten why` of each scalar that is not carried.
pub(super) fn not_carried(map: &Map) -> String {
    let place = |p: crate::packing::Place| format!("{}.{}{}", p.location, p.component, if p.half { "h" } else { "" });
    let row = |n: &super::super::NotCarried| {
        format!("{} > {} > {} {}", place(n.from), place(n.hardware), place(n.rewritten), n.why)
    };
    map.not_carried.iter().map(row).collect::<Vec<_>>().join("|")
}

#[test]
fn gives_separate_locations_to_qualifiers_vulkan_separates() {
    let body = "layout(location = 0) centroid in vec2 a; layout(location = 1) sample in float b;
        layout(location = 2) noperspective in vec2 c; layout(location = 3) flat in float d;
        layout(location = 4) centroid in vec2 e;
        void main() { colour = vec4(a, b, c.x) + c.y + d + e.xyxy; }";
    let map = alone(body, &Options::default()).map;
    assert_eq!(
        variables(&map),
        "0.0 float32x4 smooth centroid|1.0 float32x1 smooth sample|2.0 float32x2 noperspective center|\
         3.0 float32x1 flat center"
    );
    assert_eq!(
        not_carried(&map),
        "1.0 > 0.2 > 1.0 mixed-interpolation|2.0 > 0.3 > 2.0 mixed-interpolation|\
         2.1 > 1.0 > 2.1 mixed-interpolation|3.0 > 2.0 > 3.0 follows-others|\
         4.0 > 1.1 > 0.2 mixed-interpolation|4.1 > 1.2 > 0.3 mixed-interpolation"
    );
    assert_eq!((map.slots.hardware, map.slots.after), (3, 4));
}

/// Two variables of one shape change places, so both sides do.
#[test]
fn rewrites_outputs_that_only_move() {
    let vertex = "layout(location = 0) out vec4 p; layout(location = 1) out vec4 q;
        void main() { gl_Position = vec4(0); p = vec4(1); q = vec4(2); }";
    let body = fragment(
        "layout(location = 0) flat in vec4 p; layout(location = 1) in vec4 q; void main() { colour = p + q; }",
    );
    let done = rewritten(&program(&[("vert", vertex), ("frag", &body)]), &Options::default());
    assert_eq!(variables(&done.map), "0.0 float32x4 smooth center|1.0 float32x4 flat center");
    assert_eq!(done.map.changed, [StageKind::Vertex, StageKind::Fragment]);
}

/// An input at the sample has the shader run once per sample, used or not, and flat too.
#[test]
fn keeps_sample_rate_shading() {
    let q = "layout(location = 1) in vec4 q;";
    let rows = [
        ("layout(location = 0) sample flat in vec4 p;", "colour = q + p + gl_FragCoord;", 1),
        ("layout(location = 0) sample in vec4 p;", "colour = q + gl_FragCoord;", 1),
        ("layout(location = 0) sample in vec4 p;", "vec4 dead = p; colour = q + gl_SampleID;", 2),
        ("layout(location = 2) in B { sample vec4 p; vec4 r; } b;", "colour = q + b.r + gl_FragCoord;", 1),
        ("layout(location = 0) sample in vec4 p;", "colour = q + p.x;", 0),
        ("layout(location = 0) centroid in vec4 p;", "colour = q + gl_FragCoord;", 0),
    ];
    for (p, body, expected) in rows {
        let done = alone(&format!("{p} {q} void main() {{ {body} }}"), &Options::default());
        let text = text(&done.program, StageKind::Fragment);
        let built_in = text.lines().find_map(|line| line.trim().strip_suffix(" BuiltIn SampleId"));
        let id = built_in.and_then(|line| line.strip_prefix("OpDecorate ")).unwrap_or("none");
        let loads = text.lines().filter(|line| line.contains("OpLoad") && line.ends_with(id)).count();
        assert_eq!(loads, expected, "{p} {body}: {text}");
    }
}

/// A case's literal may be any number, the id of a varying too.
#[test]
fn switch_literals_are_not_varyings() {
    let cases: String = (0..400).map(|literal| format!("case {literal}: ")).collect();
    let vertex = format!(
        "layout(location = 0) out vec4 a; layout(location = 1) in int i;
         void main() {{ gl_Position = vec4(0); a = vec4(1); switch (i) {{ {cases} a.x = 0; }} }}"
    );
    let body = fragment("layout(location = 0) in vec4 a; void main() { colour = vec4(a.xy, 0, 0); }");
    let done = rewritten(&program(&[("vert", &vertex), ("frag", &body)]), &Options::default());
    assert_eq!(variables(&done.map), "0.0 float32x2 smooth center");
}

#[test]
fn narrow_values_use_whole_components() {
    let body = "layout(location = 0) in f16vec3 a; layout(location = 1) in float16_t b;
        layout(location = 2) flat in i16vec2 c; layout(location = 3) flat in u16vec2 d; layout(location = 4) in vec2 e;
        void main() { colour = vec4(vec3(a), float(b)) + float(c.x + c.y) + float(d.x + d.y) + e.xyxy; }";
    let map = alone(body, &Options::default()).map;
    assert_eq!(
        variables(&map),
        "0.0 float32x2 smooth center|1.0 float16x4 smooth center|2.0 int16x2 flat center|3.0 uint16x2 flat center"
    );
    assert!(not_carried(&map).starts_with("0.0 > 1.0 > 1.0 half-component|0.1 > 1.0h > 1.1 half-component"));
    let wide = alone(body, &widening());
    assert_eq!(
        variables(&wide.map),
        "0.0 float32x4 smooth center|1.0 float32x2 smooth center|2.0 uint32x4 flat center"
    );
    assert!(text(&wide.program, StageKind::Fragment).lines().all(|line| !line.contains("StorageInputOutput16")));
}

#[test]
fn flat_values_share_locations_by_bits() {
    let body = "layout(location = 0) flat in int a; layout(location = 1) flat in float b;
        layout(location = 2) flat in uvec2 c; layout(location = 3) flat in dvec3 d; layout(location = 5) flat in int64_t e;
        void main() { colour = vec4(a, b, c) + float(d.x + d.z) + float(e); }";
    let done = alone(body, &Options::default());
    assert_eq!(variables(&done.map), "0.0 uint32x4 flat center|1.0 uint32x4 flat center|2.0 uint32x2 flat center");
    let text = text(&done.program, StageKind::Fragment);
    assert_eq!(text.lines().filter(|line| line.contains("OpBitcast %double")).count(), 2, "{text}");
    assert_eq!(not_carried(&done.map), "");
}

#[test]
fn interpolation_functions_address_the_packed_inputs() {
    let body = "layout(location = 0) in vec3 a; layout(location = 1) noperspective in vec2 arr[3];
        layout(location = 4) flat in int i; layout(location = 5) flat in vec2 f; layout(location = 6) in mat2 m;
        layout(location = 8) in B { vec2 p; flat int q; centroid vec3 r[2]; } b;
        vec2 at(int n) { return interpolateAtOffset(arr[n], vec2(0.25)); }
        void main() {
            colour = vec4(interpolateAtCentroid(a).zx, at(i)) + interpolateAtSample(f, i).xyxy
                + interpolateAtSample(m[1], 2).yyyy + interpolateAtCentroid(b.r[i].yz).xxyy
                + interpolateAtOffset(a.y, vec2(0)) + vec4(b.p, b.q, m[0].x) + a.x;
        }";
    let done = alone(body, &Options::default());
    let text = text(&done.program, StageKind::Fragment);
    let interpolants: Vec<&str> =
        text.lines().filter(|l| l.contains("InterpolateAt")).filter_map(|l| l.split("InterpolateAt").nth(1)).collect();
    // Only flat ones are read plainly; `arr` and `r` are interpolated for every element.
    assert_eq!(interpolants.len(), 6, "each packed input once a call: {interpolants:#?}");
    assert!(interpolants.iter().all(|call| call.contains("%packed")), "{interpolants:#?}");
    assert!(text.contains("%arr_interpolated") && text.contains("%b_interpolated"), "{text}");
}

#[test]
fn custom_inputs_keep_their_vertices() {
    let body = "layout(location = 0) pervertexEXT in vec3 a[3]; layout(location = 1) pervertexEXT in vec2 b[3];
        layout(location = 2) flat in vec2 c; layout(location = 3) in float d;
        void main() { colour = vec4(a[2], 1) + b[1].xyxy + c.xyxy + d; }";
    let done = alone(body, &Options::default());
    assert_eq!(
        variables(&done.map),
        "0.0 float32x1 smooth center|1.0 float32x2 flat center|2.0 float32x4 custom center|3.0 float32x1 custom center"
    );
    let body = "layout(location = 0) __explicitInterpAMD in vec3 a; layout(location = 1) in vec3 b;
        void main() { colour = vec4(interpolateAtVertexAMD(a, 1).zx, b.xy); }";
    let done = alone(body, &Options::default());
    assert_eq!(variables(&done.map), "0.0 float32x2 smooth center|1.0 float32x2 custom center");
    let text = text(&done.program, StageKind::Fragment);
    assert!(text.contains("InterpolateAtVertexAMD %packed1"), "{text}");
}

#[test]
fn arrays_matrices_and_blocks_are_filled_element_by_element() {
    let vertex = "layout(location = 0) out mat3 m; layout(location = 3) out S { vec2 a; flat ivec2 b[2]; double c; } s;
        layout(location = 9) out float unread[2]; layout(location = 11, component = 1) out vec2 d;
        void main() {
            gl_Position = vec4(1); m = mat3(2); s.a = vec2(3); s.b[0] = ivec2(4); s.b[1] = ivec2(5); s.c = 6;
            unread[0] = 7; unread[1] = 8; d[gl_VertexIndex & 1] = 9;
        }";
    let body =
        "layout(location = 0) in mat3 m; layout(location = 3) in S { vec2 a; flat ivec2 b[2]; flat double c; } s;
        layout(location = 11, component = 1) in vec2 d; layout(location = 15) flat in int i;
        void main() { colour = vec4(m[1] + m[i], s.a.y) + vec4(s.b[1], s.b[0].x, float(s.c)) + d.xyxy; }";
    let done = rewritten(&program(&[("vert", vertex), ("frag", &fragment(body))]), &Options::default());
    let map = &done.map;
    assert_eq!((map.slots.before, map.slots.after), (9, 5));
    assert_eq!(map.missing.iter().map(|m| m.variable.as_str()).collect::<Vec<_>>(), ["i"]);
    let names: Vec<&str> = map.dropped.iter().map(|d| d.variable.as_str()).collect();
    assert!(names.contains(&"unread[0]") && names.contains(&"s.b[0]"), "{names:?}");
    let text = text(&done.program, StageKind::Vertex);
    let outputs = text.lines().filter(|line| line.contains("= OpVariable") && line.ends_with(" Output")).count();
    assert_eq!(outputs, 1 + 5, "gl_Position's block and the packed ones:\n{text}");
}

#[test]
fn captured_outputs_follow_the_packed_ones() {
    let vertex = "layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 32) out vec4 kept;
        layout(location = 1) out vec2 a; layout(location = 2) out vec3 unread;
        layout(location = 7, xfb_buffer = 0, xfb_offset = 16) out vec4 far;
        void main() { gl_Position = vec4(0); kept = vec4(1); a = vec2(2); unread = vec3(3); far = vec4(4); }";
    let body = "layout(location = 0) in vec4 kept; layout(location = 1) in vec2 a;
        void main() { colour = kept.wwww + a.xyxy; }";
    let done = rewritten(&program(&[("vert", vertex), ("frag", &fragment(body))]), &Options::default());
    let kept: Vec<_> = done.map.kept.iter().map(|k| (k.variable.as_str(), k.from.0, k.to.0)).collect();
    assert_eq!(kept, [("kept", 0, 8), ("far", 7, 7)]);
    let text = text(&done.program, StageKind::Vertex);
    for line in ["OpDecorate %kept Location 8", "OpDecorate %kept Offset 0", "OpDecorate %far Location 7"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn a_geometry_shader_writes_before_each_vertex_it_emits() {
    let geometry = "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
        layout(location = 0) in vec4 from[]; layout(location = 1) out vec3 a; layout(location = 2) out vec2 b;
        layout(location = 3) out vec2 unread; layout(location = 4) flat out u16vec2 c;
        void vertex(int n) { a = from[n].xyz; b = from[n].zw; c = u16vec2(n); unread = b; EmitVertex(); }
        void main() { vertex(0); vertex(1); gl_Position = vec4(1); EmitVertex(); EndPrimitive(); }";
    let body = "layout(location = 1) in vec3 a; layout(location = 2) in vec2 b; layout(location = 4) flat in u16vec2 c;
        void main() { colour = vec4(a, b.y) + float(c.x + c.y); }";
    let program = program(&[("geom", geometry), ("frag", &fragment(body))]);
    let done = rewritten(&program, &Options::default());
    let text = text(&done.program, StageKind::Geometry);
    assert_eq!(text.matches("OpStore %packed0 ").count(), 2, "one in each function that emits:\n{text}");
    assert!(done.map.not_carried.is_empty(), "widened to dwords, each at the hardware's place");
    let wide = rewritten(&program, &widening());
    assert_eq!(variables(&wide.map), "0.0 float32x4 smooth center|1.0 uint32x2 flat center");
}

#[test]
fn outputs_on_other_streams_stay() {
    let geometry = "layout(points) in; layout(points, max_vertices = 3) out;
        layout(location = 0, stream = 0) out vec2 a; layout(location = 1, stream = 0) out vec2 b;
        layout(location = 2, stream = 1, xfb_buffer = 1, xfb_offset = 0, xfb_stride = 16) out vec4 other;
        void main() { a = vec2(1); b = vec2(2); EmitStreamVertex(0); other = vec4(3); EmitStreamVertex(1); }";
    let body = "layout(location = 0) in vec2 a; layout(location = 1) in vec2 b;
        void main() { colour = vec4(a, b); }";
    let done = rewritten(&program(&[("geom", geometry), ("frag", &fragment(body))]), &Options::default());
    assert_eq!(done.map.kept.iter().map(|k| (k.variable.as_str(), k.to.0)).collect::<Vec<_>>(), [("other", 2)]);
    assert_eq!(text(&done.program, StageKind::Geometry).matches("OpStore %packed0 ").count(), 1);
}

/// The stream that the description rasterises is the one that the fragment shader reads.
#[test]
fn outputs_on_the_rasterised_stream_are_packed() {
    let geometry = "layout(points) in; layout(points, max_vertices = 2) out;
        layout(location = 0, stream = 0) out vec2 other; layout(location = 2, stream = 1) out vec2 a;
        layout(location = 4, stream = 1) out vec2 b; layout(location = 5, stream = 1) out vec4 unread;
        void main() {
            other = vec2(1); EmitStreamVertex(0);
            a = vec2(2); b = vec2(3); unread = vec4(4); EmitStreamVertex(1);
        }";
    let body = "layout(location = 2) in vec2 a; layout(location = 4) in vec2 b;
        void main() { colour = vec4(a, b); }";
    let mut program = program(&[("geom", geometry), ("frag", &fragment(body))]);
    let mut pipeline = Pipeline::new(Format::Pipe, PipelineKind::Graphics);
    pipeline.state.raster = Some(Raster { stream: Some(1), ..Raster::default() });
    program.pipeline = Some(Box::new(pipeline));
    let done = rewritten(&program, &Options::default());
    assert_eq!(variables(&done.map), "0.0 float32x4 smooth center");
    assert_eq!(done.map.missing, []);
    let dropped: Vec<_> = done.map.dropped.iter().map(|dropped| dropped.variable.as_str()).collect();
    assert_eq!(dropped, ["other", "other", "unread", "unread", "unread", "unread"]);
    let text = text(&done.program, StageKind::Geometry);
    assert!(text.contains("OpDecorate %packed0 Stream 1"), "{text}");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let stored = lines.iter().position(|line| line.starts_with("OpStore %packed0 ")).expect("is stored");
    assert!(lines[stored + 1].starts_with("OpEmitStreamVertex"), "{text}");
    let emitted = lines[..stored].iter().filter(|line| line.starts_with("OpEmitStreamVertex")).count();
    assert_eq!(emitted, 1, "before the second emit: {text}");
}

#[test]
fn tessellation_evaluation_shader_can_be_the_producer() {
    let evaluation = "layout(triangles) in; layout(location = 0) out vec2 a; layout(location = 1) out vec3 b;
        void main() { gl_Position = vec4(0); a = gl_TessCoord.xy; b = gl_TessCoord; }";
    let body = "layout(location = 0) in vec2 a; layout(location = 1) in vec3 b;
        void main() { colour = vec4(a, b.zx); }";
    let done = rewritten(&program(&[("tese", evaluation), ("frag", &fragment(body))]), &Options::default());
    assert_eq!(variables(&done.map), "0.0 float32x4 smooth center");
    assert_eq!(done.map.changed, [StageKind::TessEval, StageKind::Fragment]);
}

#[test]
fn renumbers_whole_variables_after_a_mesh_shader() {
    let mesh = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 1) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;
        layout(location = 3) out vec2 a[]; layout(location = 5) out vec4 b[]; layout(location = 7) out float unread[];
        layout(location = 1) perprimitiveEXT out int c[];
        void main() { SetMeshOutputsEXT(3, 1); a[0] = vec2(1); b[0] = vec4(1); c[0] = 1; unread[0] = 1; }";
    let body = "#extension GL_EXT_mesh_shader : require
        layout(location = 0) out vec4 colour; layout(location = 3) in vec2 a; layout(location = 5) in vec4 b;
        layout(location = 1) perprimitiveEXT flat in int c; void main() { colour = b + a.xyxy + float(c); }";
    let done = rewritten(&program(&[("mesh", mesh), ("frag", body)]), &Options::default());
    assert_eq!(not_carried(&done.map), "");
    let mesh = text(&done.program, StageKind::Mesh);
    for line in ["%a Location 0", "%b Location 1", "%c Location 2", "%unread Location 3"] {
        assert!(mesh.contains(&format!("OpDecorate {line}")), "{line}\n{mesh}");
    }
}

#[test]
fn renumbering_keeps_components() {
    let body = "layout(location = 2) flat in int i; layout(location = 4, component = 1) in vec2 a;
        layout(location = 4, component = 3) in float e; layout(location = 6) in vec2 arr[2];
        void main() { colour = vec4(a.y, e, arr[i]); }";
    let places =
        "0.0 int32x1 flat center|1.2 float32x2 smooth center|2.0 float32x2 smooth center|3.0 float32x2 smooth center";
    let off = alone(body, &Options { no_pack: true, ..Options::default() });
    assert_eq!((variables(&off.map).as_str(), not_carried(&off.map).as_str()), (places, ""));
    // The note gives up packing for dynamic indices. What is indexed afterwards is not an input any more: a second
    // rewrite would pack.
    let options = Options { order: PackingOrder::DesignNote, ..Options::default() };
    let note = rewrite(&program(&[("frag", &fragment(body))]), &options).expect("is rewritten");
    assert_eq!(variables(&note.map), places);
}

#[test]
fn removes_unread_outputs() {
    let vertex = "layout(location = 0) out vec4 a; void main() { gl_Position = vec4(0); a = vec4(1); }";
    let done = rewritten(
        &program(&[("vert", vertex), ("frag", &fragment("void main() { colour = vec4(1); }"))]),
        &Options::default(),
    );
    assert_eq!((variables(&done.map).as_str(), &done.map.changed[..]), ("", &[StageKind::Vertex][..]));
    assert!(!text(&done.program, StageKind::Vertex).contains("Location"));
}

#[test]
fn specialization_constants_decide_what_is_passed() {
    let body = "layout(constant_id = 0) const bool on = false; layout(location = 0) in vec2 a;
        layout(location = 1) in vec2 b; void main() { colour = a.xxxx; if (on) { colour = b.xyxy; } }";
    assert_eq!(variables(&alone(body, &Options::default()).map), "0.0 float32x1 smooth center");
    let spec = std::collections::BTreeMap::from([(0, lanescope_model::options::SpecValue("true".to_owned()))]);
    let on = alone(body, &Options { spec, ..Options::default() });
    assert_eq!(variables(&on.map), "0.0 float32x3 smooth center");
}
