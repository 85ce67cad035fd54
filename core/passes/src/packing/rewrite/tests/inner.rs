//! Inputs of tessellation control and geometry shaders: arrays of vertices, packed as dwords.

use super::cases::{fragment, not_carried, variables};
use super::*;
use crate::liveness::Stages;
use crate::packing::{Fallback, Linkage, Packing};
use lanescope_model::options::PackingOrder;

const FRAGMENT: &str = "layout(location = 0) in vec4 c; void main() { colour = c; }";

fn inner_packing(program: &Program, options: &Options) -> Packing {
    let inner = Linkage::inner(&Stages::of(program));
    inner.first().expect("there is an inner interface").pack(options)
}

/// `from -> to` of each scalar.
fn places(packing: &Packing) -> String {
    let row = |m: &crate::packing::Mapping| {
        let (from, to) = (m.from, m.to);
        assert!(m.bits == 32 && !to.half, "all are dwords");
        format!("{}.{} -> {}.{}", from.location, from.component, to.location, to.component)
    };
    packing.map.iter().map(row).collect::<Vec<_>>().join("|")
}

/// A vertex and a geometry shader, then a fragment shader that reads one vec4.
fn geometry(outputs: &str, write: &str, inputs: &str, read: &str) -> Program {
    let vertex = format!("{outputs} void main() {{ float s = 2; gl_Position = vec4(s); {write} }}");
    let geometry = format!(
        "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; {inputs}
        layout(location = 0) out vec4 c;
        void main() {{
            for (int i = 0; i < 3; ++i) {{ gl_Position = gl_in[i].gl_Position; c = vec4(0); {read} EmitVertex(); }}
        }}"
    );
    program(&[("vert", &vertex), ("geom", &geometry), ("frag", &fragment(FRAGMENT))])
}

#[test]
fn classes_have_no_effect_before_a_geometry_shader() {
    let program = geometry(
        "layout(location = 1) out vec3 a; layout(location = 2) flat out ivec2 b; layout(location = 4) out float16_t n;
         layout(location = 5) out vec4 unread; layout(location = 7) flat out double d;",
        "a = vec3(s); b = ivec2(s); n = float16_t(s); unread = vec4(s); d = s;",
        "layout(location = 1) in vec3 a[]; layout(location = 2) flat in ivec2 b[]; layout(location = 4) in float16_t n[];
         layout(location = 7) flat in double d[];",
        "c += a[i].xzxz + float(b[i].y) + float(n[i]) + float(d[i]);",
    );
    let packing = inner_packing(&program, &Options::default());
    assert_eq!((packing.producer, packing.consumer), (Some(StageKind::Vertex), StageKind::Geometry));
    assert_eq!(places(&packing), "1.0 -> 0.0|1.2 -> 0.1|2.1 -> 0.2|4.0 -> 0.3|7.0 -> 1.0|7.1 -> 1.1");
    assert!(packing.spans.iter().all(|span| (span.class.as_ref(), span.key) == ("dword", 2)));
    let json = serde_json::to_string(&packing).expect("is JSON");
    assert!(!json.contains("interpolation") && !json.contains("\"at\""), "nothing interpolates here: {json}");
    assert_eq!(serde_json::from_str::<Packing>(&json).expect("reads back"), packing);
    assert_eq!((packing.slots.before, packing.slots.after), (4, 2));
    let dropped: Vec<_> = packing.dropped.iter().map(|d| (d.location.0, d.component.0)).collect();
    assert_eq!(dropped, [(1, 1), (2, 0), (5, 0), (5, 1), (5, 2), (5, 3)]);
    let done = rewritten(&program, &Options::default());
    // A 16-bit value shares no location with dwords in Vulkan.
    assert_eq!(variables(&done.inner[0]), "0.0 uint32x4 none none|1.0 uint32x1 none none|2.0 float16x1 none none");
    assert_eq!(
        not_carried(&done.inner[0]),
        "4.0 > 0.3 > 2.0 mixed-width|7.0 > 1.0 > 0.3 follows-others|7.1 > 1.1 > 1.0 follows-others"
    );
    let text = text(&done.program, StageKind::Geometry);
    assert!(text.contains("OpDecorate %passed0 Location 0"), "{text}");
    assert!(!text.lines().any(|line| line.contains("%passed") && line.contains("Flat")), "{text}");
    let wide = rewritten(&program, &widening());
    assert_eq!(variables(&wide.inner[0]), "0.0 uint32x4 none none|1.0 uint32x2 none none");
    assert_eq!(wide.map.changed, [StageKind::Vertex, StageKind::Geometry]);
}

#[test]
fn rebuilds_reads_of_every_shape() {
    let block = "T { vec2 p; mat2x3 m; ivec2 q[2]; }";
    let program = geometry(
        &format!("layout(location = 0) out {block} t; layout(location = 8) out float w[3];"),
        "t.p = vec2(s); t.m = mat2x3(s); t.q[0] = ivec2(1); t.q[1] = ivec2(2); w[0] = w[1] = w[2] = s;",
        &format!("layout(location = 0) in {block} t[]; layout(location = 8) in float w[][3];"),
        "mat2x3 m = t[i].m; ivec2 q[2] = t[2 - i].q; float all[3][3] = w;
         c += vec4(t[0].p, m[1].z, t[i].m[i & 1][i]) + q[1].xyxy + w[1][i] + all[2][1];",
    );
    let done = rewritten(&program, &Options::default());
    assert_eq!(done.inner[0].slots.after, 4);
    let text = text(&done.program, StageKind::Geometry);
    assert!(text.contains("%t_vertex") && text.contains("%w_vertex"), "{text}");
}

#[test]
fn packs_both_interfaces_of_a_geometry_shader() {
    let vertex = "layout(location = 3) out vec2 a; layout(location = 5) out vec2 b; layout(location = 6) out vec4 u;
        void main() { gl_Position = vec4(1); a = vec2(1); b = vec2(2); u = vec4(3); }";
    let geometry = "layout(points) in; layout(points, max_vertices = 1) out;
        layout(location = 3) in vec2 a[]; layout(location = 5) in vec2 b[]; layout(location = 6) in vec4 u[];
        layout(location = 4) out vec2 x; layout(location = 7) out vec2 y; layout(location = 8) out vec4 unread;
        void main() { gl_Position = vec4(1); x = a[0]; y = b[0].yx; unread = u[0]; EmitVertex(); }";
    let body = "layout(location = 4) in vec2 x; layout(location = 7) in vec2 y; void main() { colour = vec4(x, y); }";
    let program = program(&[("vert", vertex), ("geom", geometry), ("frag", &fragment(body))]);
    let packing = inner_packing(&program, &Options::default());
    assert_eq!(packing.slots.after, 2, "the hardware's compiler looks before outputs are dropped");
    let done = rewritten(&program, &Options::default());
    assert_eq!((done.map.slots.after, done.inner[0].slots.after), (1, 1), "what only dropped outputs needed is gone");
    assert_eq!(done.inner[0].slots.hardware, 2, "the same that an analysis tells");
    assert_eq!(done.map.changed, [StageKind::Vertex, StageKind::Geometry, StageKind::Fragment]);
}

#[test]
fn removes_gaps_of_unneeded_scalars() {
    let program = geometry(
        "layout(location = 0) out vec3 a; layout(location = 1) out vec4 b;",
        "a = vec3(s); b = vec4(s);",
        "layout(location = 0) in vec3 a[]; layout(location = 1) in vec4 b[]; layout(location = 1) out float unread;",
        "unread = a[i].y; c += vec4(a[i].xz, b[i].xw);",
    );
    for (no_pack, slots, moved) in [
        (false, (2, 2, 1), "0.2 > 0.2 > 0.1 closed-up|1.0 > 0.3 > 0.2 closed-up|1.3 > 1.0 > 0.3 closed-up"),
        (true, (2, 2, 2), ""),
    ] {
        let options = Options { no_pack, ..Options::default() };
        let done = rewritten(&program, &options);
        let inner = &done.inner[0];
        assert_eq!(
            inner.slots.hardware,
            inner_packing(&program, &options).slots.after,
            "the same that an analysis tells"
        );
        assert_eq!((inner.slots.before, inner.slots.hardware, inner.slots.after), slots);
        assert_eq!(not_carried(inner), moved);
    }
}

/// A vertex shader before tessellation; `read` is in the control shader.
fn tessellated(read: &str) -> Program {
    let vertex =
        "layout(location = 2) out vec2 a; layout(location = 4) out vec3 b; layout(location = 6) out float arr[2];
        layout(location = 9) out vec4 unread;
        void main() { gl_Position = vec4(1); a = vec2(1); b = vec3(2); arr[0] = arr[1] = 3; unread = vec4(4); }";
    let control = format!(
        "layout(vertices = 3) out; layout(location = 2) in vec2 a[]; layout(location = 4) in vec3 b[];
        layout(location = 6) in float arr[][2]; layout(location = 0) out vec4 c[];
        void main() {{
            gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
            {read}
            gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2;
        }}"
    );
    let evaluation = "layout(triangles) in; layout(location = 0) in vec4 c[]; layout(location = 0) out vec4 o;
        void main() { gl_Position = gl_in[0].gl_Position; o = c[0] * gl_TessCoord.x; }";
    let fragment = fragment(FRAGMENT);
    program(&[("vert", vertex), ("tesc", &control), ("tese", evaluation), ("frag", &fragment)])
}

#[test]
fn a_tessellation_control_shader_reads_packed_vertices() {
    let program =
        tessellated("c[gl_InvocationID] = vec4(a[gl_InvocationID].y, b[0].xz, arr[(gl_InvocationID + 1) % 3][1]);");
    let packing = inner_packing(&program, &Options::default());
    assert_eq!((packing.producer, packing.consumer), (Some(StageKind::Vertex), StageKind::TessControl));
    assert_eq!(places(&packing), "2.1 -> 0.0|4.0 -> 0.1|4.2 -> 0.2|7.0 -> 0.3");
    let done = rewritten(&program, &Options::default());
    assert_eq!(
        (variables(&done.inner[0]).as_str(), not_carried(&done.inner[0]).as_str()),
        ("0.0 float32x4 none none", "")
    );
    assert_eq!(done.map.changed, [StageKind::Vertex, StageKind::TessControl]);
}

#[test]
fn dynamic_index_disables_packing_before_tessellation_control() {
    let program = tessellated("c[gl_InvocationID] = vec4(a[0], b[1].x, arr[0][gl_InvocationID & 1]);");
    for order in PackingOrder::ALL {
        let options = Options { order: *order, ..Options::default() };
        let packing = inner_packing(&program, &options);
        assert_eq!(packing.fallback, Some(Fallback::DynamicIndex));
        assert_eq!(places(&packing), "2.0 -> 0.0|2.1 -> 0.1|4.0 -> 1.0|6.0 -> 2.0|7.0 -> 3.0", "only renumbered");
        // What is indexed afterwards is not an input any more: a second rewrite would pack.
        let done = rewrite(&program, &options).expect("is rewritten");
        done.program.stages.iter().for_each(|stage| check(done.program.module_of(stage)).expect("is valid"));
        assert_eq!(done.inner[0].slots.after, 4);
    }
    let report = lanescope_report::analyse(&program, &Options::default()).expect("is analysed");
    let found = report.findings.iter().find(|finding| finding.code == "P004").expect("is said");
    assert_eq!((found.stage, found.message.contains("only renumbered")), (Some(StageKind::TessControl), true));
}
