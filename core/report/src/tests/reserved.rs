//! Locations that are kept though nothing reads them, and captured outputs where nothing is packed. The values are
//! those of LLPC's rules for interfaces after tessellation control and mesh shaders.

use super::COLOUR;
use crate::analyse;
use crate::report::Report;
use lanescope_model::options::Options;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;
use lanescope_passes::packing::{Fallback, Interpolation, Packing};
use lanescope_spirv::Module;
use lanescope_testing::program;

fn report(sources: &[(&str, &str)], options: &Options) -> Report {
    analyse(&program(sources), options).expect("analyses")
}

fn codes(report: &Report, code: &str) -> Vec<String> {
    let of = report.findings.iter().filter(|finding| finding.code == code);
    of.map(|finding| format!("{}: {}", finding.place_text(), finding.message)).collect()
}

/// The first field of a register, packed and unpacked.
fn field(report: &Report, register: &str, field: &str) -> Vec<u32> {
    let of = report.registers.iter().filter(|one| one.name == register);
    of.filter_map(|one| one.fields.iter().find(|one| one.name == field)?.value).collect()
}

fn dropped(packing: &Packing) -> Vec<u32> {
    packing.dropped.iter().map(|dropped| dropped.location.0).collect()
}

const MESH: &str = "#extension GL_EXT_mesh_shader : require
    layout(local_size_x = 32) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;\n";

fn mesh(outputs: &str, body: &str) -> String {
    format!("{MESH}{outputs} void main() {{ SetMeshOutputsEXT(3, 1); uint i = gl_LocalInvocationIndex; {body} }}")
}

fn fragment(inputs: &str, body: &str) -> String {
    format!("#extension GL_EXT_mesh_shader : require\n{COLOUR}{inputs} void main() {{ {body} }}")
}

const VERTEX: &str = "void main() { gl_Position = vec4(1); }";

fn tessellated(control: &str, evaluation: &str) -> Report {
    let control = format!("layout(vertices = 3) out; {control}");
    let evaluation = format!("layout(triangles) in; {evaluation}");
    let sources = [("vert", VERTEX), ("tesc", &control), ("tese", &evaluation), ("frag", "void main() {}")];
    report(&sources, &Options::default())
}

fn between(report: &Report) -> &Packing {
    let to_evaluation = |packing: &&Packing| packing.consumer == StageKind::TessEval && !packing.per_patch;
    report.inner_packing.iter().find(to_evaluation).expect("an interface of vertices")
}

#[test]
fn outputs_indexed_at_run_time_keep_all_their_locations() {
    let control = "layout(location = 0) out float lead[]; layout(location = 1) out float d[][5];
        void main() { lead[gl_InvocationID] = 1.0; d[gl_InvocationID][gl_PrimitiveID % 5] = 2.0; }";
    let evaluation = "layout(location = 0) in float lead[]; layout(location = 1) in float d[][5];
        layout(location = 0) out vec2 o; void main() { gl_Position = vec4(1); o = vec2(lead[0], d[1][3]); }";
    let found = tessellated(control, evaluation);
    let packing = between(&found);
    assert_eq!((packing.slots.before, packing.slots.after, dropped(packing)), (6, 6, vec![]));
    assert_eq!(packing.map.iter().map(|m| m.to.location.0).collect::<Vec<_>>(), [0, 4]);
    assert_eq!(packing.reserved().len(), 4);
    assert_eq!(codes(&found, "P004").len(), 1, "{:?}", found.findings);
    assert!(codes(&found, "P004")[0].starts_with("d: output"), "{:?}", codes(&found, "P004"));
    // With constant indices, and where nothing of a vertex is read, nothing is kept.
    let constant = control.replace("gl_PrimitiveID % 5", "3");
    assert_eq!(between(&tessellated(&constant, evaluation)).slots.after, 2);
    let unread = evaluation.replace("vec2(lead[0], d[1][3])", "vec2(1)");
    assert_eq!(between(&tessellated(control, &unread)).slots.after, 0);
    // The component of a vector takes no location of its own.
    let component = "layout(location = 0) out vec4 v[]; layout(location = 1) out float w[];
        void main() { v[gl_InvocationID][gl_PrimitiveID % 4] = 1.0; w[gl_InvocationID] = 1.0; }";
    let evaluation = "layout(location = 1) in float w[]; void main() { gl_Position = vec4(w[0]); }";
    assert_eq!(between(&tessellated(component, evaluation)).slots.after, 1);
}

/// What keeps its locations is named, not the block that it is in.
#[test]
fn an_array_in_a_block_is_indexed_without_its_neighbours() {
    let places = |outputs: &str, store: &str, read: &str| {
        let control = format!("{outputs} void main() {{ int i = gl_PrimitiveID & 1; {store} }}");
        let inputs = outputs.replace(" out ", " in ").replace("o[]", "o[gl_MaxPatchVertices]");
        let evaluation = format!("{inputs} void main() {{ gl_Position = {read}; }}");
        let found = codes(&tessellated(&control, &evaluation), "P004");
        let words = |line: &String| {
            let (place, message) = line.split_once(": ").expect("a place");
            let kept = message.split("run time, so ").last().unwrap_or_default();
            format!("{place}: {}", kept.trim_end_matches(" are kept, read or not"))
        };
        found.iter().map(words).collect::<Vec<_>>()
    };
    let block = "layout(location = 0) out Blk { vec4 a[2]; vec4 b[2]; vec4 c; } o[];";
    let at = "o[gl_InvocationID]";
    let read = "o[0].a[0] + o[0].b[1]";
    let rest = format!("{at}.b[1] = vec4(2); {at}.c = vec4(3);");
    let one = places(block, &format!("{at}.a[i] = vec4(1); {rest}"), read);
    assert_eq!(one, ["o.a: all its locations"]);
    let two = places(block, &format!("{at}.a[i] = vec4(1); {at}.b[i] = vec4(1); {rest}"), read);
    assert_eq!(two, ["o.a: all its locations", "o.b: all its locations"]);
    // Of an array of structures: an element keeps what is before it.
    let nested = "struct S { vec4 x[2]; vec4 y; }; layout(location = 0) out Blk { S s[2]; } o[];";
    let inner = places(nested, &format!("{at}.s[1].x[i] = vec4(1); {at}.s[1].y = vec4(1);"), "o[0].s[1].x[0]");
    assert_eq!(inner, ["o.s: the locations from o.s[0].x[0] to o.s[1].x[1]"]);
    let alone = places(nested, &format!("{at}.s[0].x[i] = vec4(1); {at}.s[1].y = vec4(1);"), "o[0].s[0].x[0]");
    assert_eq!(alone, ["o.s: the locations from o.s[0].x[0] to o.s[0].x[1]"]);
    let outer = places(nested, &format!("{at}.s[i].x[0] = vec4(1); {at}.s[i].y = vec4(1);"), "o[0].s[1].y");
    assert_eq!(outer, ["o.s: all its locations"]);
}

/// What the control shader itself reads of an array is not kept for its location alone.
#[test]
fn outputs_that_their_stage_reads_are_not_unread() {
    let control = "layout(location = 0) out float d[][3]; layout(location = 4) out float last[];
        void main() { d[gl_InvocationID][0] = 1.0; d[gl_InvocationID][1] = 2.0; d[gl_InvocationID][2] = 3.0;
            barrier(); last[gl_InvocationID] = d[0][gl_PrimitiveID % 3]; }";
    let evaluation = "layout(location = 4) in float last[]; void main() { gl_Position = vec4(last[0]); }";
    let found = tessellated(control, evaluation);
    let packing = between(&found);
    assert_eq!((packing.read_back().len(), packing.reserved().len(), packing.slots.after), (3, 0, 4));
    assert_eq!(packing.kept_why(), "read by its own stage only");
}

/// Nothing is marked of a stream that is not shown, and the legend names nothing then.
#[test]
fn the_legend_names_what_is_marked() {
    let geometry = |stream: u32| {
        format!(
            "layout(points) in; layout(points, max_vertices = 1) out;
             layout(stream = {stream}, location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 4) out float cap;
             void main() {{ cap = 1.0; EmitStreamVertex({stream}); EndStreamPrimitive({stream}); }}"
        )
    };
    let legend = |stream| {
        let (geometry, fragment) = (geometry(stream), format!("{COLOUR} void main() {{ colour = vec4(1); }}"));
        let sources = [("vert", VERTEX), ("geom", &geometry), ("frag", &fragment)];
        let packing = report(&sources, &Options::default()).packing.expect("packs");
        assert_eq!(packing.captured().len(), 1);
        (packing.kept().count(), packing.kept_why())
    };
    assert_eq!(legend(0), (1, "captured, not read".to_owned()));
    assert_eq!(legend(1), (0, String::new()));
}

#[test]
fn elements_before_an_indexed_one_and_columns_are_kept() {
    let control = "layout(location = 0) out float d[][2][3]; layout(location = 6) out mat2 m[];
        layout(location = 8) out float last[];
        void main() { d[gl_InvocationID][1][gl_PrimitiveID % 3] = 1.0; m[gl_InvocationID][gl_PrimitiveID % 2] = vec2(1);
            last[gl_InvocationID] = 1.0; }";
    let evaluation = "layout(location = 8) in float last[]; void main() { gl_Position = vec4(last[0]); }";
    assert_eq!(between(&tessellated(control, evaluation)).slots.after, 9);
}

#[test]
fn outputs_of_mesh_shaders_indexed_at_run_time_are_kept() {
    let mesh = mesh(
        "layout(location = 0) out float a[][4]; layout(location = 4) out float b[];",
        "a[i][i & 3u] = 1.0; b[i] = 2.0;",
    );
    let fragment =
        fragment("layout(location = 2) in float a2; layout(location = 4) in float b;", "colour = vec4(a2, b, 0, 1);");
    let found = report(&[("mesh", &mesh), ("frag", &fragment)], &Options::default());
    let packing = found.packing.as_ref().expect("packs");
    assert_eq!((packing.slots.after, dropped(packing)), (5, vec![]));
    assert_eq!(field(&found, "SPI_PS_IN_CONTROL", "NUM_INTERP")[0], 5);
}

#[test]
fn inputs_after_a_mesh_shader_stay_whole() {
    let block = "V { vec3 pos; vec4 col; vec2 uv; }";
    let mesh = mesh(
        &format!("layout(location = 0) out {block} o[]; layout(location = 3) perprimitiveEXT out vec4 face[];"),
        "o[i].pos = vec3(i); o[i].col = vec4(1); o[i].uv = vec2(i); face[0] = vec4(9);",
    );
    let inputs = format!("layout(location = 0) in {block} v; layout(location = 3) perprimitiveEXT in vec4 face;");
    let fragment = fragment(&inputs, "colour = vec4(v.uv, face.x, 1);");
    let found = report(&[("mesh", &mesh), ("frag", &fragment)], &Options::default());
    let packing = found.packing.as_ref().expect("packs");
    let places: Vec<u32> = packing.map.iter().map(|m| m.to.location.0).collect();
    assert_eq!((places, packing.slots.after), (vec![2, 2, 3], 4));
    assert_eq!(field(&found, "SPI_PS_IN_CONTROL", "NUM_INTERP")[0], 3);
    assert_eq!(field(&found, "SPI_PS_IN_CONTROL", "NUM_PRIM_INTERP")[0], 1);
    assert!(dropped(packing).is_empty() && packing.missing.is_empty());
    // A variable that is not read at all is not imported.
    let unread = fragment.replace("v.uv", "1, 1");
    let found = report(&[("mesh", &mesh), ("frag", &unread)], &Options::default());
    assert_eq!(found.packing.map(|packing| packing.slots.after), Some(1));
}

/// Exports of vertices and of primitives reach to the last location that is kept; built-ins that are read have one.
#[test]
fn mesh_shaders_export_what_is_kept() {
    let counts = |mesh: &str, fragment: &str| {
        let options = Options { target: Target::Gfx1201, ..Options::default() };
        let found = report(&[("mesh", mesh), ("frag", fragment)], &options);
        let of = |name| field(&found, "SPI_SHADER_GS_OUT_CONFIG_PS", name);
        let [vertices, primitives, none] = ["VS_EXPORT_COUNT", "PRIM_EXPORT_COUNT", "NO_PC_EXPORT"].map(of);
        assert_eq!(vertices[0], vertices[1]);
        (vertices[0], primitives[0], none[0])
    };
    let block = "V { vec4 a; vec4 b; }";
    let outputs =
        format!("layout(location = 0) out {block} v[]; layout(location = 2) perprimitiveEXT out vec4 pp[][3];");
    let whole = mesh(&outputs, "v[i].a = vec4(1); v[i].b = vec4(1); pp[0][i % 3] = vec4(2);");
    let inputs = format!("layout(location = 0) in {block} v; layout(location = 2) perprimitiveEXT in vec4 pp[3];");
    assert_eq!(counts(&whole, &fragment(&inputs, "colour = v.a + pp[0];")), (1, 3, 0));
    // What is not written is not exported, past the last one that is.
    let first = mesh(&outputs, "v[i].a = vec4(1); pp[0][1] = vec4(2);");
    assert_eq!(counts(&first, &fragment(&inputs, "colour = v.a + pp[0];")), (0, 2, 0));
    let none = mesh(&outputs, "gl_MeshVerticesEXT[i].gl_Position = vec4(1);");
    assert_eq!(counts(&none, &fragment(&inputs, "colour = v.a + pp[0];")), (0, 0, 1));
    // Written or not.
    let plain = mesh("layout(location = 0) out vec2 a[];", "a[i] = vec2(1);");
    let reads = |read: &str| fragment("layout(location = 0) in vec2 a;", &format!("colour = vec4(a, {read}, 1);"));
    assert_eq!(counts(&plain, &reads("gl_PrimitiveID")), (0, 1, 0));
    assert_eq!(counts(&plain, &reads("gl_PrimitiveID + gl_Layer")), (0, 2, 0));
    assert_eq!(counts(&plain, &reads("gl_PointCoord.x")), (0, 0, 0));
    let writes = plain.replace("a[i] =", "gl_MeshPrimitivesEXT[0].gl_PrimitiveID = 3; a[i] =");
    assert_eq!(counts(&writes, &reads("gl_PrimitiveID")), (0, 1, 0));
}

/// No other stage writes per-primitive inputs, so nothing is packed where none was loaded.
#[test]
fn per_primitive_inputs_have_a_mesh_shader_before_them() {
    let inputs = "layout(location = 0) in vec3 a; layout(location = 2) in float b;
        layout(location = 3) perprimitiveEXT flat in int c;";
    let alone = fragment(inputs, "colour = vec4(a.xy, b, c + gl_PrimitiveID);");
    let mesh = mesh(
        "layout(location = 0) out vec3 a[]; layout(location = 2) out float b[];
         layout(location = 3) perprimitiveEXT out int c[];",
        "a[i] = vec3(1); b[i] = 2.0; c[0] = 3;",
    );
    let options = Options { target: Target::Gfx1201, ..Options::default() };
    let packed = |sources: &[(&str, &str)]| {
        let found = report(sources, &options);
        let counts = field(&found, "SPI_SHADER_GS_OUT_CONFIG_PS", "PRIM_EXPORT_COUNT");
        let packing = found.packing.expect("packs");
        let places: Vec<String> = packing.map.iter().map(|row| row.to.to_string()).collect();
        (packing.fallback, places, packing.slots, counts)
    };
    let found = packed(&[("frag", &alone)]);
    assert_eq!(found, packed(&[("mesh", &mesh), ("frag", &alone)]));
    let (fallback, places, slots, counts) = found;
    assert_eq!((fallback, places.join(" ")), (Some(Fallback::Mesh), "0.x 0.y 1.x 2.x".to_owned()));
    assert_eq!((slots.after, slots.per_primitive, counts), (3, 1, vec![2, 2]));
}

#[test]
fn per_primitive_on_one_side_only_does_not_match() {
    let outputs = "layout(location = 0) out vec2 uv[]; layout(location = 1) perprimitiveEXT out vec3 col[];";
    let mesh = mesh(outputs, "uv[i] = vec2(i); col[0] = vec3(1);");
    let inputs = "layout(location = 0) in vec2 uv; layout(location = 1) in vec3 col;";
    let plain = fragment(inputs, "colour = vec4(uv.y, col.z, gl_PrimitiveID, 1);");
    let found = report(&[("mesh", &mesh), ("frag", &plain)], &Options::default());
    let expected = [
        "col (location 1, component 2): read per vertex by the fragment shader, written per primitive by the mesh \
            shader: the two do not match, so its value is undefined",
        "PrimitiveId: read by the fragment shader, never written by the mesh shader: its value is undefined",
    ];
    assert_eq!(codes(&found, "P002"), expected);
    assert_eq!(codes(&found, "R001").len(), 2);
    assert_eq!(dropped(found.packing.as_ref().expect("packs")), [1, 1, 1]);
    // The other way round, and without a mesh shader.
    let flipped = mesh.replace("perprimitiveEXT ", "").replace("col[0]", "col[i]");
    let per_primitive = plain.replace("in vec3 col", "perprimitiveEXT in vec3 col");
    let found = report(&[("mesh", &flipped), ("frag", &per_primitive)], &Options::default());
    assert!(codes(&found, "P002")[0].contains("read per primitive by the fragment shader, written per vertex"));
    // Both sides agree.
    let found =
        report(&[("mesh", &mesh), ("frag", &per_primitive.replace("gl_PrimitiveID", "1"))], &Options::default());
    assert!(codes(&found, "P002").is_empty() && codes(&found, "R001").is_empty(), "{:?}", found.findings);
}

#[test]
fn geometry_shaders_must_write_the_primitive_id_that_is_read() {
    let geometry = |body: &str| {
        format!(
            "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
             void main() {{ gl_Position = vec4(1); {body} EmitVertex(); }}"
        )
    };
    let fragment = format!("{COLOUR} void main() {{ colour = vec4(gl_PrimitiveID); }}");
    let of = |geometry: &str| report(&[("vert", VERTEX), ("geom", geometry), ("frag", &fragment)], &Options::default());
    assert_eq!(codes(&of(&geometry("")), "P002").len(), 1);
    assert!(codes(&of(&geometry("gl_PrimitiveID = 3;")), "P002").is_empty());
    let found = report(&[("vert", VERTEX), ("frag", &fragment)], &Options::default());
    assert!(codes(&found, "P002").is_empty(), "the hardware counts primitives");
}

#[test]
fn layer_that_no_stage_writes_is_exported_as_0() {
    let vertex = "layout(location = 0) out vec2 uv; void main() { gl_Position = vec4(1); uv = vec2(1); }";
    for (built_in, count) in [("gl_Layer", 1), ("gl_ViewportIndex", 0)] {
        let fragment = format!(
            "{COLOUR} layout(location = 0) in vec2 uv; void main() {{ colour = vec4(uv, float({built_in}), 1); }}"
        );
        let found = report(&[("vert", vertex), ("frag", &fragment)], &Options::default());
        assert!(codes(&found, "R001").is_empty(), "{built_in}");
        assert_eq!(field(&found, "SPI_VS_OUT_CONFIG", "VS_EXPORT_COUNT")[0], count, "{built_in}");
    }
}

#[test]
fn captured_outputs_stay_where_nothing_is_packed() {
    let vertex = "layout(location = 0) out vec2 o1;
        layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 32) out vec2 cap;
        layout(location = 2) out float unused; layout(location = 3) out vec2 o2;
        layout(location = 4, component = 1, xfb_buffer = 0, xfb_offset = 8) out vec3 cap3;
        layout(location = 5, xfb_buffer = 1, xfb_offset = 0, xfb_stride = 32) flat out dvec3 dcap;
        void main() { gl_Position = vec4(1); o1 = vec2(1); cap = vec2(2); unused = 3; o2 = vec2(4); cap3 = vec3(5);
            dcap = dvec3(6); }";
    let fragment = format!(
        "{COLOUR} layout(location = 0) in vec2 o1; layout(location = 3) in vec2 o2;
         void main() {{ colour = vec4(o1, o2); }}"
    );
    let options = Options { no_pack: true, ..Options::default() };
    let found = report(&[("vert", vertex), ("frag", &fragment)], &options);
    let packing = found.packing.as_ref().expect("packs");
    let captured: Vec<String> = packing.captured().iter().map(|o| format!("{} > {}", o.from, o.to)).collect();
    let expected = "1.x > 2.x, 1.y > 2.y, 4.y > 3.y, 4.z > 3.z, 4.w > 3.w, 5.x > 4.x, 5.y > 4.y, 5.z > 4.z, \
        5.w > 4.w, 6.x > 5.x, 6.y > 5.y";
    assert_eq!(captured.join(", "), expected);
    assert_eq!(field(&found, "SPI_VS_OUT_CONFIG", "VS_EXPORT_COUNT"), [5, 5]);
    // Packed, the row beside it has the interface as written.
    let found = report(&[("vert", vertex), ("frag", &fragment)], &Options::default());
    assert_eq!(field(&found, "SPI_VS_OUT_CONFIG", "VS_EXPORT_COUNT"), [3, 5]);
}

#[test]
fn one_location_read_flat_and_interpolated_is_a_finding() {
    // GLSL forbids it: the second input is moved to the location of the first in the module.
    let inputs = "layout(location = 0, component = 0) in float shade;
        layout(location = 9, component = 1) flat in float layer;";
    let found = |used: &str| {
        let mut program = program(&[("frag", &format!("{COLOUR}{inputs} void main() {{ colour = vec4({used}); }}"))]);
        let mut words = program.modules[0].module.words().to_vec();
        let second = |words: &[u32]| words[0] == 0x0004_0047 && words[2..] == [30, 9];
        let at = words.windows(4).position(second).expect("OpDecorate %layer Location 9");
        words[at + 3] = 0;
        program.modules[0].module = Module::parse(words).expect("a module");
        analyse(&program, &Options::default()).expect("analyses")
    };
    let expected = "location 0: read flat (layer) and interpolated (shade): the hardware reads a location in one way";
    assert_eq!(codes(&found("shade + layer"), "P007"), [expected]);
    assert!(codes(&found("shade"), "P007").is_empty(), "what is not read has no effect");
    let packed = found("shade + layer").packing.expect("packs");
    let slots: Vec<_> = packed.map.iter().map(|m| (m.interpolation, m.to.location.0)).collect();
    assert_eq!(slots, [(Interpolation::Smooth, 0), (Interpolation::Flat, 1)]);
}
