//! The same examples as shaders: from source to map, with the stage before.

use super::*;
use crate::liveness::Stages;
use crate::packing::{At, Fallback, InterfaceScalar, Linkage, Mapping, Saving};
use lanescope_model::options::{Options, ProducerChoice};
use lanescope_testing::program;

pub(super) fn linkage(sources: &[(&str, &str)]) -> Linkage {
    Linkage::of(&Stages::of(&program(sources)), ProducerChoice::Auto).expect("there is a fragment shader")
}

fn ordered(order: PackingOrder) -> Options {
    Options { order, ..Options::default() }
}

/// Packs, in a whole pipeline and in halves: what each half makes of it must be the same.
fn pack(sources: &[(&str, &str)]) -> Packing {
    let linkage = linkage(sources);
    let whole = linkage.pack(&Options::default());
    let halves = linkage.pack(&Options { part_pipeline: true, ..Options::default() });
    assert!(halves.stored.is_some());
    assert_eq!(Packing { stored: None, ..halves }, whole, "{sources:?}");
    // What is shown beside it as unpacked is what packing nothing gives.
    let unpacked = linkage.unpacked(&whole);
    let as_written = linkage.pack(&Options { no_pack: true, ..Options::default() });
    let captured = as_written.captured_slots();
    let beside = whole.map.iter().zip(unpacked.places).map(|(mapping, to)| Mapping { to, ..mapping.clone() });
    assert_eq!(
        (beside.collect(), unpacked.builtins, unpacked.captured),
        (as_written.map, as_written.builtins, captured),
        "{sources:?}"
    );
    whole
}

pub(super) const COLOUR: &str = "layout(location = 0) out vec4 colour;\n";

#[track_caller]
fn check_fragment(body: &str, expected: &str) {
    assert_eq!(map_of(&pack(&[("frag", &format!("{COLOUR}{body}"))])), trimmed(expected), "{body}");
}

#[test]
fn e1_from_glsl_in_both_orders() {
    let body = "
        layout(location = 0) in vec3 v1; layout(location = 1) in float v2;
        layout(location = 2) flat in int64_t v3; layout(location = 3) flat in i16vec2 v4;
        layout(location = 4) in float16_t v5; layout(location = 5) in float16_t v6;
        layout(location = 6) in float16_t v7; layout(location = 7) in float16_t v8;
        void main() { colour = vec4(v1, v2) + float(v3) + float(v4.x + v4.y) + float(v5 + v6 + v7 + v8); }";
    let linkage = linkage(&[("frag", &format!("{COLOUR}{body}"))]);
    for (order, slots) in [(PackingOrder::Llpc, 4), (PackingOrder::DesignNote, 3), (PackingOrder::NoteUnion, 4)] {
        let packing = linkage.pack(&ordered(order));
        assert_eq!((packing.slots.before, packing.slots.after), (8, slots), "{order}");
        let list = assign::pack(&entries(examples::E1, false), order);
        assert_eq!(map_of(&packing), table(&list), "{order}");
    }
}

#[test]
fn e2_with_outputs_kept_by_the_vertex_shader() {
    let interface = |dir: &str, flat: &str, custom: &str| {
        format!(
            "layout(location = 7) {dir} vec2 a; layout(location = 8) {dir} vec2 b;
            layout(location = 9) {dir} f16vec4 c; layout(location = 10) {dir} f16vec4 d;
            layout(location = 11) {flat} {dir} i64vec3 e; layout(location = 13) {flat} {dir} int f;
            layout(location = 14) {flat} {dir} i16vec2 g; layout(location = 15) {flat} {dir} i16vec2 h;
            layout(location = 16) {flat} {dir} f16vec4 i; layout(location = 17) {custom} {dir} vec3 j;"
        )
    };
    let vertex = format!(
        "{}
        layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 72) out vec4 x0;
        layout(location = 1, xfb_buffer = 0, xfb_offset = 16) out vec3 x1[2];
        layout(location = 3, xfb_buffer = 0, xfb_offset = 40) out uvec2 x3;
        layout(location = 4) out float x4[2];
        layout(location = 6, xfb_buffer = 0, xfb_offset = 48) out uint x6;
        void main() {{
            float v = float(gl_VertexIndex);
            gl_Position = vec4(v);
            a = vec2(v); b = vec2(v); c = f16vec4(v); d = f16vec4(v); e = i64vec3(v); f = int(v);
            g = i16vec2(v); h = i16vec2(v); i = f16vec4(v); j = vec3(v);
            x0 = vec4(v); x1[0] = vec3(v); x1[1] = vec3(v); x3 = uvec2(v); x4[0] = v; x4[1] = v; x6 = uint(v);
        }}",
        interface("out", "flat", "")
    );
    let fragment = format!(
        "{}{COLOUR}
        void main() {{
            colour = vec4(a, b) + vec4(c) + vec4(d) + float(e.x + e.y + e.z) + float(f) + float(g.x + g.y + h.x + h.y)
                + vec4(i) + interpolateAtVertexAMD(j, 0).xyzz;
        }}",
        interface("in", "flat", "__explicitInterpAMD")
    );
    let packing = pack(&[("vert", &vertex), ("frag", &fragment)]);
    assert_eq!(map_of(&packing), table(&assign::pack(&entries(examples::E2, false), PackingOrder::Llpc)));
    let outputs: Vec<String> = packing
        .outputs
        .iter()
        .filter(|kept| kept.from.location.0 < 7)
        .map(|kept| {
            let (from, to) = (kept.from, kept.to);
            assert!(kept.captured);
            format!("{}.{} -> {}.{}", from.location, from.component, to.location, to.component)
        })
        .collect();
    let expected = "0.0 -> 6.0|0.1 -> 6.1|0.2 -> 6.2|0.3 -> 6.3|1.0 -> 7.0|1.1 -> 7.1|1.2 -> 7.2|2.0 -> 7.3|\
        2.1 -> 8.0|2.2 -> 8.1|3.0 -> 8.2|3.1 -> 8.3|6.0 -> 9.0";
    assert_eq!(outputs.join("|"), expected);
    let dropped: Vec<u32> = packing.dropped.iter().map(|d| d.location.0).collect();
    assert_eq!(dropped, [4, 5], "read by nobody, captured by nobody");
    assert!(packing.missing.is_empty());
    assert_eq!(packing.captured().len(), 13);
    // What is captured is exported too: ten slots, and each location where nothing is packed.
    let report = lanescope_report::analyse(&program(&[("vert", &vertex), ("frag", &fragment)]), &Options::default());
    let registers = report.expect("is analysed").registers;
    let config = registers.iter().filter(|register| register.name == "SPI_VS_OUT_CONFIG");
    let counts: Vec<_> = config.filter_map(|register| register.fields.first()?.value).collect();
    assert_eq!(counts, [9, 11 + 5 - 1]);
}

#[test]
fn scalars_name_their_part_of_the_variable() {
    let body = "layout(location = 0, component = 1) in vec2 a; layout(location = 1, component = 3) in float b;
        layout(location = 2) flat in dvec3 c; layout(location = 4, component = 2) flat in double d;
        layout(location = 5) in mat2 e; layout(location = 7) in vec3 f;
        void main() { colour = vec4(a, b, float(c.x + c.z + d)) + e[1].yyyy + f.xyzx; }";
    let packing = pack(&[("frag", &format!("{COLOUR}{body}"))]);
    let names: Vec<_> = packing.map.iter().map(|m| format!("{}.{}", m.variable, m.part())).collect();
    let expected = "a.x a.y b.x c.x_low c.x_high c.z_low c.z_high d.x_low d.x_high e[1].y f.x f.y f.z";
    assert_eq!(names.join(" ").replace(" low", "_low").replace(" high", "_high"), expected);
    let plain = packing.map.iter().filter(|m| m.part.is_none()).count();
    assert_eq!(plain, 4, "said only where the place does not");
    let parts: Vec<_> = packing.interface.iter().filter(|s| &*s.variable == "c").map(InterfaceScalar::part).collect();
    assert_eq!(parts.len(), 6);
    assert_eq!(parts.last().map(ToString::to_string).as_deref(), Some("z high"));
}

#[test]
fn e3_missing_outputs_leave_undefined_channels() {
    let reads = (0..10).map(|n| format!("layout(location = {n}) in float v{n};")).collect::<String>();
    let sum = (0..10).map(|n| format!("v{n}")).collect::<Vec<_>>().join(" + ");
    let fragment = format!("{COLOUR}{reads} void main() {{ colour = vec4({sum}); }}");
    let vertex = "layout(location = 7) out float a; layout(location = 8) out float b; layout(location = 9) out float c;
        void main() { gl_Position = vec4(0); a = 1; b = 2; c = 3; }";
    let packing = pack(&[("vert", vertex), ("frag", &fragment)]);
    assert_eq!(packing.missing.iter().map(|m| m.location.0).collect::<Vec<_>>(), (0..7).collect::<Vec<_>>());
    let exports: Vec<_> = packing.exports.iter().map(|e| (e.slot.0, e.first.0, e.mask, e.undefined)).collect();
    assert_eq!(exports, [(1, 3, 0b1000, 0b0111), (2, 0, 0b0011, 0)]);
    let kept: Vec<_> = packing.outputs.iter().map(|o| (o.from.location.0, o.to.location.0, o.to.component.0)).collect();
    assert_eq!(kept, [(7, 1, 3), (8, 2, 0), (9, 2, 1)]);
}

#[test]
fn e4_and_e15_use_dwords_after_a_geometry_shader() {
    let geometry = "layout(points) in; layout(triangle_strip, max_vertices = 3) out;
        layout(location = 1) out vec4 a; layout(location = 2) out u16vec4 b; layout(location = 3) out vec2 c;
        layout(location = 4) out vec2 d;
        layout(location = 5, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out vec2 e;
        void main() { a = vec4(1); b = u16vec4(1); c = vec2(1); d = vec2(2); e = vec2(3); EmitVertex(); }";
    let fragment = format!(
        "{COLOUR} layout(location = 1) in vec4 a; layout(location = 2) flat in u16vec4 b; layout(location = 4) in vec2 d;
        void main() {{ colour = a + vec4(b) + d.xyxy; }}"
    );
    let packing = pack(&[("geom", geometry), ("frag", &fragment)]);
    assert_eq!(map_of(&packing), table(&assign::pack(&entries(examples::E4, true), PackingOrder::Llpc)));
    assert_eq!(packing.slots.after, 3);
    assert_eq!(packing.dropped.iter().map(|d| d.location.0).collect::<Vec<_>>(), [3, 3]);
    let captured: Vec<_> =
        packing.outputs.iter().filter(|o| o.captured).map(|o| (o.to.location.0, o.to.component.0)).collect();
    assert_eq!(captured, [(3, 0), (3, 1)]);
}

#[test]
fn e5_streams_are_counted_separately() {
    let geometry = "layout(points) in; layout(points, max_vertices = 3) out;
        layout(location = 0, stream = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 40) flat out ivec2 a;
        layout(location = 1, stream = 0, xfb_buffer = 0, xfb_offset = 8) flat out dvec3 b;
        layout(location = 4, stream = 0, xfb_buffer = 0, xfb_offset = 32) out vec2 c;
        layout(location = 3, stream = 1, xfb_buffer = 1, xfb_offset = 0, xfb_stride = 24) flat out dvec2 d;
        layout(location = 4, component = 3, stream = 1, xfb_buffer = 1, xfb_offset = 16) out float e;
        void main() {
            a = ivec2(1); b = dvec3(2); c = vec2(3); EmitStreamVertex(0);
            d = dvec2(4); e = 5; EmitStreamVertex(1);
        }";
    let fragment = format!(
        "{COLOUR} layout(location = 0) flat in ivec2 a; layout(location = 1) flat in dvec3 b;
        void main() {{ colour = vec4(a.x + a.y + float(b.x + b.y + b.z)); }}"
    );
    let packing = pack(&[("geom", geometry), ("frag", &fragment)]);
    let rows: Vec<String> = packing
        .outputs
        .iter()
        .map(|o| {
            let (from, to) = (o.from, o.to);
            format!("s{} {}.{} -> {}.{}", o.stream, from.location, from.component, to.location, to.component)
        })
        .collect();
    let expected = [
        "s0 0.0 -> 0.0",
        "s0 0.1 -> 0.1",
        "s0 1.0 -> 0.2",
        "s0 1.1 -> 0.3",
        "s0 1.2 -> 1.0",
        "s0 1.3 -> 1.1",
        "s0 2.0 -> 1.2",
        "s0 2.1 -> 1.3",
        "s0 4.0 -> 2.0",
        "s0 4.1 -> 2.1",
        "s1 3.0 -> 0.0",
        "s1 3.1 -> 0.1",
        "s1 3.2 -> 0.2",
        "s1 3.3 -> 0.3",
        "s1 4.3 -> 1.0",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn e6_a_tessellation_evaluation_shader_exports_two_slots() {
    let evaluation = "layout(triangles) in; layout(location = 0) out vec2 a; layout(location = 1) out vec3 b;
        layout(location = 2) out float c;
        void main() { gl_Position = vec4(0); a = gl_TessCoord.xy; b = gl_TessCoord; c = 1; }";
    let fragment = format!(
        "{COLOUR} layout(location = 0) in vec2 a; layout(location = 1) in vec3 b; layout(location = 2) in float c;
        void main() {{ colour = vec4(a + b.xy, b.z, c); }}"
    );
    let packing = pack(&[("tese", evaluation), ("frag", &fragment)]);
    assert_eq!(map_of(&packing), table(&assign::pack(&entries(examples::E6, false), PackingOrder::Llpc)));
    let exports: Vec<_> = packing.exports.iter().map(|e| (e.slot.0, e.mask)).collect();
    assert_eq!(exports, [(0, 0xF), (1, 0x3)]);
}

#[test]
fn e8_matrix_columns_are_elements() {
    let body = "layout(location = 0) in mat3 m; layout(location = 3) in float s;
        void main() { colour = vec4(m[0] + m[1] + m[2], s); }";
    check_fragment(body, &table(&assign::pack(&entries(examples::E8, false), PackingOrder::Llpc)));
}

#[test]
fn e9_only_the_used_element_of_the_second_dvec3() {
    let body = "layout(location = 7) flat in dvec3 a[2];
        void main() { colour = vec4(float(a[0].x), float(a[0].y), float(a[0].z), float(a[1].z)); }";
    check_fragment(body, &table(&assign::pack(&entries(examples::E9, false), PackingOrder::Llpc)));
}

#[test]
fn e11_component_decorations() {
    let body = "layout(location = 0, component = 0) in float a; layout(location = 0, component = 1) in vec2 b;
        layout(location = 1, component = 3) in float c; void main() { colour = vec4(a, b, c); }";
    check_fragment(body, &table(&assign::pack(&entries(examples::E11, false), PackingOrder::Llpc)));
}

#[test]
fn e12_qualifiers_pack_together_and_keep_their_location() {
    let body = "layout(location = 0) centroid in vec2 a; layout(location = 1) sample in float b;
        layout(location = 2) noperspective in vec2 c; layout(location = 3) flat in float d;
        void main() { colour = vec4(a, b, c.x) + c.y + d; }";
    let packing = pack(&[("frag", &format!("{COLOUR}{body}"))]);
    assert_eq!(map_of(&packing), table(&assign::pack(&entries(examples::E12, false), PackingOrder::Llpc)));
    let at: Vec<_> = packing.map.iter().map(|m| (m.interpolation, m.at)).collect();
    use Interpolation::{Flat, NoPerspective, Smooth};
    assert_eq!(
        at,
        [
            (Smooth, At::Centroid),
            (Smooth, At::Centroid),
            (Smooth, At::Sample),
            (NoPerspective, At::Center),
            (NoPerspective, At::Center),
            (Flat, At::Center)
        ]
        .map(|(interpolation, at)| (interpolation, at.into()))
    );
}

/// A scalar that is read in several ways is evaluated in as many places.
#[test]
fn names_every_interpolation_location() {
    let body = "layout(location = 0) sample in vec4 a; layout(location = 1) flat in float f;
        void main() { colour = interpolateAtOffset(a, vec2(0.1)) + interpolateAtCentroid(a.x) + a.x
            + interpolateAtSample(a.y, 1) + interpolateAtCentroid(f); }";
    let packing = pack(&[("frag", &format!("{COLOUR}{body}"))]);
    let at: Vec<String> = packing.map.iter().map(|m| m.at.to_string()).collect();
    assert_eq!(at, ["centroid+sample+offset", "offset", "offset", "offset", "center"]);
    let json = serde_json::to_string(&packing.map).expect("is written");
    assert!(json.contains(r#""at":"centroid+sample+offset""#), "{json}");
    assert_eq!(serde_json::from_str::<Vec<Mapping>>(&json).expect("is read"), packing.map);
}

#[test]
fn e13_per_vertex_inputs_take_no_locations_for_their_vertices() {
    let body = "layout(location = 0) pervertexEXT in vec3 a[3]; layout(location = 1) pervertexEXT in float16_t b[3];
        layout(location = 2) flat in vec2 c; layout(location = 3) in float d;
        void main() { colour = vec4(a[0] + a[1] + a[2], float(b[0]) + float(b[1])) + c.xyxy + d; }";
    check_fragment(body, &table(&assign::pack(&entries(examples::E13, false), PackingOrder::Llpc)));
}

#[test]
fn per_vertex_inputs_are_used_at_any_vertex_read() {
    let body = "layout(location = 0) pervertexEXT in Block { vec4 a; vec2 b; } v[3];
        layout(location = 4) pervertexEXT in vec3 n[3]; layout(location = 6) in vec2 uv;
        void main() { colour = vec4(v[0].a.w, v[2].b.y, n[1].z, uv.y); }";
    let expected = "(0, 3) -> (1, 0, low)
        (1, 1) -> (1, 1, low)
        (4, 2) -> (1, 2, low)
        (6, 1) -> (0, 0, low)";
    check_fragment(body, expected);
}

#[test]
fn e14_a_dynamic_index_keeps_the_whole_array() {
    let body = "layout(location = 0) flat in int i; layout(location = 1) in vec2 a[4];
        void main() { colour = vec4(a[i].y); }";
    let linkage = linkage(&[("frag", &format!("{COLOUR}{body}"))]);
    let packing = linkage.pack(&Options::default());
    assert_eq!(map_of(&packing), table(&assign::pack(&entries(examples::E14, false), PackingOrder::Llpc)));
    let note = linkage.pack(&ordered(PackingOrder::DesignNote));
    assert_eq!(note.fallback, Some(Fallback::DynamicIndex));
    assert!(note.map.iter().all(|m| m.to == m.from), "locations 0 to 4 keep their numbers and components");
    assert!(linkage.findings(&Default::default(), &packing).iter().any(|f| f.code == "P004"));
}

#[test]
fn a_dynamic_component_keeps_its_vector_only() {
    let body = "layout(location = 0) flat in int i; layout(location = 1) in vec3 a[2];
        void main() { colour = vec4(a[1][i]); }";
    check_fragment(
        body,
        "
        (0, 0) -> (1, 0, low)
        (2, 0) -> (0, 0, low)
        (2, 1) -> (0, 1, low)
        (2, 2) -> (0, 2, low)
        ",
    );
}

#[test]
fn interpolating_with_a_dynamic_index_reads_the_component_of_every_element() {
    let body = "layout(location = 0) flat in int i; layout(location = 1) in vec2 a[3];
        void main() { colour = vec4(interpolateAtOffset(a[i], vec2(0.25)).y); }";
    check_fragment(
        body,
        "
        (0, 0) -> (1, 0, low)
        (1, 1) -> (0, 0, low)
        (2, 1) -> (0, 1, low)
        (3, 1) -> (0, 2, low)
        ",
    );
}

#[test]
fn e16_only_renumbers_after_a_mesh_shader() {
    let mesh = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 1) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;
        layout(location = 3) out vec2 a[]; layout(location = 5) out vec4 b[];
        layout(location = 1) perprimitiveEXT out int c[];
        void main() { SetMeshOutputsEXT(3, 1); a[0] = vec2(1); b[0] = vec4(1); c[0] = 1; }";
    let fragment = format!(
        "#extension GL_EXT_mesh_shader : require
        {COLOUR} layout(location = 3) in vec2 a; layout(location = 5) in vec4 b;
        layout(location = 1) perprimitiveEXT flat in int c; void main() {{ colour = b + a.xyxy + float(c); }}"
    );
    let packing = pack(&[("mesh", mesh), ("frag", &fragment)]);
    assert_eq!(packing.fallback, Some(Fallback::Mesh));
    assert_eq!(
        map_of(&packing),
        trimmed(
            "
            (1, 0) -> (2, 0, low)
            (3, 0) -> (0, 0, low)
            (3, 1) -> (0, 1, low)
            (5, 0) -> (1, 0, low)
            (5, 1) -> (1, 1, low)
            (5, 2) -> (1, 2, low)
            (5, 3) -> (1, 3, low)
            "
        )
    );
    assert!(packing.missing.is_empty());
    // What there is one of for each primitive is no attribute of a vertex, and nothing interpolates it.
    let modes = packing.map.iter().map(|row| row.interpolation.name()).collect::<Vec<_>>();
    assert_eq!(modes, [&["per primitive"][..], &["smooth"; 6]].concat());
    let [of_float, unqualified] = [mesh.replace("int c", "float c"), fragment.replace("flat in int c", "in float c")];
    let alone = fragment.replace("b + a.xyxy + ", "vec4(0) + ");
    for (mesh, fragment, slots) in [(mesh, &fragment, 2), (&of_float, &unqualified, 2), (mesh, &alone, 0)] {
        let packing = pack(&[("mesh", mesh), ("frag", fragment)]);
        assert_eq!(packing.map[0].interpolation, Interpolation::PerPrimitive);
        let bytes = |of: u64| [lanescope_base::ids::Bytes(16 * of * slots); 2];
        let Saving { parameter_cache_per_vertex, lds_per_primitive, .. } = packing.saving;
        assert_eq!((parameter_cache_per_vertex, lds_per_primitive), (bytes(1), bytes(3)), "{slots}");
        assert_eq!((u64::from(packing.slots.after), packing.slots.per_primitive), (slots + 1, 1));
        let classes: Vec<_> = packing.spans.iter().map(|span| span.class.as_ref().to_owned()).collect();
        assert_eq!(classes.iter().filter(|class| *class == "32-bit per primitive").count(), 1, "{classes:?}");
    }
}

#[test]
fn e17_built_ins_come_after_the_generic_inputs() {
    let body = "layout(location = 0) in vec3 a; layout(location = 1) in vec3 b; layout(location = 2) in vec2 c;
        in float gl_ClipDistance[5];
        void main() { colour = vec4(a + b, c.x + c.y) + gl_PrimitiveID + gl_Layer + gl_ClipDistance[4]; }";
    let packing = pack(&[("frag", &format!("{COLOUR}{body}"))]);
    let slots: Vec<String> = packing.builtins.iter().map(|b| format!("{} {}", b.built_in, b.location)).collect();
    assert_eq!(slots, ["PrimitiveId 2", "Layer 3", "ClipCullDistance 4", "ClipCullDistance 5"]);
    assert_eq!(packing.slots.after, 2);
}

#[test]
fn follows_components_through_functions_variables_and_branches() {
    let body = "layout(location = 0) in vec4 a; layout(location = 1) in vec4 b; layout(location = 2) in mat2 m;
        layout(location = 4) in vec4 unread; layout(location = 5) in vec4 c;
        layout(constant_id = 0) const bool on = false;
        float pick(vec4 v, out float second) { second = v.w; return v.y; }
        void main() {
            float w; float y = pick(a, w);
            vec4 local; local.x = b.z; local.y = b.x;
            vec4 never = unread * 2.0;
            if (on) { y += c.x; }
            colour = vec4(y + w, local.x, (m * vec2(1)).x, 0);
        }";
    check_fragment(
        body,
        "
        (0, 1) -> (0, 0, low)
        (0, 3) -> (0, 1, low)
        (1, 2) -> (0, 2, low)
        (2, 0) -> (0, 3, low)
        (3, 0) -> (1, 0, low)
        ",
    );
}

/// Each value of the chain is named twice: looked at twice each, they would never end.
#[test]
fn visits_undefined_values_once() {
    let shuffles: String = (1..60).map(|n| format!("%v{n} = OpVectorShuffle %vec2 %v{0} %v{0} 0 3\n", n - 1)).collect();
    let vertex = format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" %a
         OpDecorate %a Location 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32
         %vec2 = OpTypeVector %float 2\n%out = OpTypePointer Output %vec2\n%a = OpVariable %out Output
         %v0 = OpUndef %vec2\n%main = OpFunction %void None %fn\n%begin = OpLabel\n{shuffles}
         OpStore %a %v59\nOpReturn\nOpFunctionEnd"
    );
    let fragment = format!("{COLOUR} layout(location = 0) in vec2 a; void main() {{ colour = a.xyxy; }}");
    let dropped = pack(&[("spvasm", &vertex), ("frag", &fragment)]).dropped;
    assert_eq!(dropped.iter().map(|d| d.reason.as_ref()).collect::<Vec<_>>(), ["undefined", "undefined"]);
}

#[test]
fn drops_locations_with_undefined_values_first() {
    let vertex = "
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Vertex %main \"main\" %a %b
        OpName %a \"a\"
        OpName %b \"b\"
        OpDecorate %a Location 0
        OpDecorate %b Location 1
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %float = OpTypeFloat 32
        %vec2 = OpTypeVector %float 2
        %out = OpTypePointer Output %vec2
        %one = OpConstant %float 1
        %a = OpVariable %out Output
        %b = OpVariable %out Output
        %none = OpUndef %vec2
        %main = OpFunction %void None %fn
        %begin = OpLabel
        %half = OpCompositeInsert %vec2 %one %none 1
        OpStore %a %half
        OpStore %b %none
        OpReturn
        OpFunctionEnd";
    let fragment = format!(
        "{COLOUR} layout(location = 0) in vec2 a; layout(location = 1) in vec2 b;
        void main() {{ colour = vec4(a, b); }}"
    );
    let packing = pack(&[("spvasm", vertex), ("frag", &fragment)]);
    let dropped: Vec<_> = packing.dropped.iter().map(|d| (d.variable.as_str(), d.reason.as_ref())).collect();
    assert_eq!(dropped, [("b", "undefined"), ("b", "undefined")]);
    let kept: Vec<_> = packing.outputs.iter().map(|o| (o.variable.as_str(), o.from.component.0)).collect();
    assert_eq!(kept, [("a", 0), ("a", 1)], "half of a location is enough to keep it");
}

#[test]
fn reports_invalid_interfaces() {
    let vertex = "layout(location = 0) out ivec2 a; layout(location = 40) out float far;
        void main() { gl_Position = vec4(0); a = ivec2(1); far = 1; }";
    let fragment = format!(
        "{COLOUR} layout(location = 0) in vec2 a; layout(location = 2) in float lost;
        void main() {{ colour = a.xyxy + lost; }}"
    );
    let linkage = linkage(&[("vert", vertex), ("frag", &fragment)]);
    let packing = linkage.pack(&Default::default());
    let findings = linkage.findings(&Default::default(), &packing);
    let codes: Vec<&str> = findings.iter().map(|f| f.code.as_str()).collect();
    assert_eq!(codes, ["P001", "P002", "P006"], "once for all components of a vector");
}
