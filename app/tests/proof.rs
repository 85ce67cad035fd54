//! Rewritten programs compute the same: originals and rewritten programs run on the software device, under the
//! validation layer, and every sample of every output and every byte of every buffer is the same.

use std::fmt::Write as _;

use crate::common::{lanescope, samples};

/// Runs original against rewritten; the outputs' number when all are equal, else what happened: a difference, or why
/// nothing was rewritten.
fn equal(files: &[String], flags: &[&str]) -> Result<usize, String> {
    equal_without("", files, flags)
}

/// The same on a device without some extensions.
fn equal_without(hidden: &str, files: &[String], flags: &[&str]) -> Result<usize, String> {
    let mut command = lanescope();
    command.arg("run").args(files).args(flags).args(["--validate", "--format", "json"]);
    command.env("LANESCOPE_HIDDEN_EXTENSIONS", hidden);
    let output = command.output().expect("starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|_| stderr.clone())?;
    let compare = &report["run"]["compare"];
    let outputs = compare["outputs"].as_array().map_or(0, Vec::len);
    let unchanged = report["run"]["not_rewritten"].as_str().unwrap_or_default();
    if compare["equal"] == true { Ok(outputs) } else { Err(format!("{compare} {unchanged}{stderr}")) }
}

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

#[test]
fn every_sample_pair_draws_the_same_packed() {
    for name in ["lit_surface", "flat_and_smooth", "matrix_and_array", "dynamic_index", "half_precision", "design_note"]
    {
        let files = [sample(&format!("{name}.vert")), sample(&format!("{name}.frag"))];
        for order in ["llpc", "design-note", "note-union"] {
            // 16-bit varyings need a feature that the software device has not.
            let outputs = equal(&files, &["--widen", "--order", order]);
            assert_eq!(outputs, Ok(1), "{name} in {order}");
        }
    }
}

#[test]
fn every_compute_sample_writes_the_same_swizzled() {
    let settings: &[&[&str]] = &[
        &["--reconfig"],
        &["--force-swizzle"],
        &["--derivatives", "quads", "--reconfig"],
        &["--layout-rules", "design-note", "--force-swizzle"],
        &["--groups", "3,2,1", "--reconfig"],
    ];
    // Forcing leaves groups of 8x8 as they are, but in the design note's rules.
    let derivatives = "VK_KHR_compute_shader_derivatives,VK_NV_compute_shader_derivatives";
    let shaders = [
        ("tile_16x16", &[][..], [true; 5]),
        ("quad_derivatives", &[], [true, false, true, true, true]),
        ("particles_1024", &[], [true; 5]),
        ("spec_size", &["--spec", "0=16", "--spec", "1=4"], [true; 5]),
    ];
    for (name, more, swizzled) in shaders {
        for (flags, swizzled) in settings.iter().zip(swizzled) {
            let (files, flags) = ([sample(&format!("{name}.comp"))], [flags, more].concat());
            let result = equal_without(derivatives, &files, &flags);
            assert_eq!(result.is_ok(), swizzled, "{name} with {flags:?}: {result:?}");
            // The original takes those of the device, if it has them.
            let result = equal(&files, &flags);
            let is_same = |why: &String| !swizzled && why.contains("is already the same program");
            assert!(result.as_ref().map_or_else(is_same, |_| true), "{name} with {flags:?}: {result:?}");
        }
    }
}

/// A small generator of numbers (xorshift), so that a failing pair can be made again from its seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// A vertex and a fragment shader with a random interface: types, arrays, matrices, component offsets, qualifiers;
/// outputs that no one reads, inputs of which only some components are read.
fn pair(seed: u64) -> (String, String) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut vertex = String::from("#version 460\nlayout(location = 0) in vec4 p; layout(location = 1) in ivec4 n;\n");
    let mut fragment = String::from("#version 460\nlayout(location = 0) out vec4 color;\n");
    let (mut writes, mut reads) = (String::new(), String::new());
    let mut location = 0;
    for index in 0..3 + dice.below(8) {
        let (name, kind) = (
            format!("v{index}"),
            dice.of(&["float", "vec2", "vec3", "vec4", "ivec2", "uint", "mat3", "mat2x3", "vec2[3]"]),
        );
        let is_integer = matches!(kind, "ivec2" | "uint");
        let qualifier =
            if is_integer { "flat" } else { dice.of(&["", "", "flat", "noperspective", "centroid", "sample"]) };
        let component = match kind {
            "float" => dice.below(4),
            "vec2" => dice.below(3),
            "vec3" => dice.below(2),
            _ => 0,
        };
        let place = format!("layout(location = {location}, component = {component}) {qualifier}");
        let place = if component == 0 { format!("layout(location = {location}) {qualifier}") } else { place };
        let (base, array) =
            kind.split_once('[').map_or((kind, String::new()), |(base, size)| (base, format!("[{size}")));
        let unread = dice.below(6) == 0;
        writeln!(vertex, "{place} out {base} {name}{array};").expect("writes to memory");
        if !unread {
            writeln!(fragment, "{place} in {base} {name}{array};").expect("writes to memory");
        }
        let scale = 1 + index;
        let (write, read, size) = match kind {
            "float" => (format!("{name} = p.x * {scale}.0;"), format!("color.x += {name};"), 1),
            "vec2" => {
                (format!("{name} = p.yx + {scale}.0;"), format!("color.y += {name}.{};", dice.of(&["x", "y"])), 1)
            }
            "vec3" => (
                format!("{name} = p.xyz * {scale}.0;"),
                format!("color.xz += {name}.{};", dice.of(&["zx", "yy", "xy"])),
                1,
            ),
            "vec4" => (
                format!("{name} = p.wzyx + {scale}.0;"),
                format!("color += {name}{};", dice.of(&["", ".xxww", ".wwzz"])),
                1,
            ),
            "ivec2" => (
                format!("{name} = n.xy + {scale};"),
                format!("color.w += float({name}.{} & 255);", dice.of(&["x", "y"])),
                1,
            ),
            "uint" => (format!("{name} = uint(n.z) * {scale}u;"), format!("color.z += float({name} & 255u);"), 1),
            "mat3" => (
                format!("{name} = mat3(p.xyz, p.yzw, p.zwx * {scale}.0);"),
                format!("color.xyz += {name} * vec3(1.0, {}, 0.5);", dice.of(&["0.0", "2.0"])),
                3,
            ),
            "mat2x3" => (
                format!("{name} = mat2x3(p.xyz, p.wzy * {scale}.0);"),
                format!("color.y += {name}[{}].{};", dice.of(&["0", "1"]), dice.of(&["x", "z"])),
                2,
            ),
            _ => (
                format!("for (int i = 0; i < 3; ++i) {{ {name}[i] = p.xy * float(i + {scale}); }}"),
                format!("color.zw += {name}[{}];", dice.of(&["0", "2", "int(color.x) & 1"])),
                3,
            ),
        };
        writes.push_str(&format!("    {write}\n"));
        if !unread {
            reads.push_str(&format!("    {read}\n"));
        }
        location += size;
    }
    writeln!(vertex, "void main() {{\n    gl_Position = p;\n{writes}}}").expect("writes to memory");
    writeln!(fragment, "void main() {{\n    color = vec4(0.0);\n{reads}}}").expect("writes to memory");
    (vertex, fragment)
}

#[test]
fn generated_pairs_draw_the_same_packed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for seed in 1..=60 {
        let (vertex, fragment) = pair(seed);
        let paths = ["pair.vert", "pair.frag"].map(|name| folder.path().join(name).to_string_lossy().into_owned());
        std::fs::write(&paths[0], &vertex).expect("writes");
        std::fs::write(&paths[1], &fragment).expect("writes");
        let outputs = equal(&paths, &[]);
        assert_eq!(outputs, Ok(1), "seed {seed}\n{vertex}\n{fragment}");
    }
}

/// Type, locations, whether it must be flat, components of a column, what is written of a vec4 `s`.
const TYPES: &[(&str, u64, bool, u64, &str)] = &[
    ("float", 1, false, 1, "s.x * 1.5"),
    ("vec2", 1, false, 2, "s.yx + 1.0"),
    ("vec3", 1, false, 3, "s.xyz * 2.0"),
    ("vec4", 1, false, 4, "s.wzyx"),
    ("ivec2", 1, true, 2, "ivec2(s.xy * 9.0)"),
    ("uint", 1, true, 1, "uint(abs(s.z) * 99.0)"),
    ("uvec3", 1, true, 3, "uvec3(abs(s.zyx) * 99.0)"),
    ("double", 1, true, 1, "double(s.w)"),
    ("dvec3", 2, true, 3, "dvec3(s.yzw)"),
    ("int64_t", 1, true, 1, "int64_t(s.x * 77.0)"),
    ("float16_t", 1, false, 1, "float16_t(s.y)"),
    ("f16vec3", 1, false, 3, "f16vec3(s.xyz)"),
    ("i16vec2", 1, true, 2, "i16vec2(s.zw * 9.0)"),
    ("u16vec4", 1, true, 4, "u16vec4(abs(s) * 99.0)"),
    ("mat3", 3, false, 3, "mat3(s.xyz, s.yzw, s.zwx)"),
    ("mat2x3", 2, false, 3, "mat2x3(s.xyz, s.wzy)"),
];

/// The varyings between two stages: declarations of both sides, what the first writes (of a vec4 `s`) and what the
/// second reads of them, of the vertex `@` where it sees several, with `pick` for an index known at run time.
#[derive(Default)]
struct Interface {
    outputs: String,
    inputs: String,
    writes: String,
    reads: String,
}

impl Interface {
    fn new(dice: &mut Dice, name: &str, to: &str) -> Interface {
        let mut out = Interface::default();
        let (mut location, vertices) = (dice.below(3), if to == "frag" { "" } else { "[]" });
        for index in 0..4 + dice.below(6) {
            let (ty, locations, must_be_flat, components, value) = TYPES[dice.below(TYPES.len() as u64) as usize];
            let array = if dice.below(3) == 0 { 2 } else { 0 };
            // The software device's geometry shaders read 64 components, 7 of them of gl_PerVertex.
            let limit = if to == "geom" { 14 } else { 16 };
            if location + locations * array.max(1) > limit {
                break;
            }
            let qualifier = match to {
                _ if must_be_flat => "flat",
                "frag" => dice.of(&["", "", "", "flat", "noperspective", "centroid", "sample", "noperspective sample"]),
                _ => "",
            };
            let wide = ty.starts_with('d') || ty.contains("64");
            // The validator of the device's layer takes no component on arrays of arrays.
            let is_fixed = locations > 1 || (array > 0 && !vertices.is_empty());
            let free = if is_fixed { 0 } else { 4 - components * if wide { 2 } else { 1 } };
            let component = if wide { dice.below(free / 2 + 1) * 2 } else { dice.below(free + 1) };
            let component = if component == 0 { String::new() } else { format!(", component = {component}") };
            let place = format!("layout(location = {location}{component}) {qualifier}");
            let (v, size) = (format!("{name}{index}"), if array > 0 { format!("[{array}]") } else { String::new() });
            location += locations * array.max(1) + dice.below(2);
            writeln!(out.outputs, "{place} out {ty} {v}{size};").expect("writes to memory");
            for element in 0..array.max(1) {
                let element = if array > 0 { format!("[{element}]") } else { String::new() };
                writeln!(out.writes, "    {v}{element} = {value};").expect("writes to memory");
            }
            if dice.below(6) == 0 {
                continue;
            }
            writeln!(out.inputs, "{place} in {ty} {v}{vertices}{size};").expect("writes to memory");
            // Where a tessellation control shader indexes dynamically nothing packs: it does so in one interface of
            // eight.
            let rare = to != "tesc" || dice.below(8) == 0;
            let element = match array {
                0 => "",
                _ if rare => dice.of(&["[0]", "[1]", "[pick]"]),
                _ => dice.of(&["[0]", "[1]"]),
            };
            let column = if ty.starts_with("mat") { dice.of(&["[0]", "[1]"]) } else { "" };
            let whole = format!("{v}{}{element}", if to == "frag" { "" } else { "[@]" });
            let interpolates = to == "frag" && !matches!(qualifier, "flat") && !ty.contains("16") && column.is_empty();
            let whole = match interpolates.then(|| dice.below(6)) {
                Some(0) => format!("interpolateAtOffset({whole}, vec2(0.25, -0.125))"),
                Some(1) => format!("interpolateAtCentroid({whole})"),
                Some(2) => format!("interpolateAtSample({whole}, 1)"),
                _ => format!("{whole}{column}"),
            };
            let at = match components {
                1 => String::new(),
                n => format!("[{}]", dice.below(n)),
            };
            let second = match components {
                1 => String::new(),
                n => format!(" - float({whole}[{}])", dice.below(n)),
            };
            let lane = dice.of(&["x", "y", "z", "w"]);
            writeln!(out.reads, "    r.{lane} += float({whole}{at}){second};").expect("writes to memory");
        }
        out
    }

    /// The reads of one vertex.
    fn of_vertex(&self, vertex: &str) -> String {
        self.reads.replace('@', vertex)
    }
}

/// The files of a random pipeline: a vertex and a fragment shader, tessellation and a geometry shader between them or
/// not, each with varyings of its own.
fn pipeline(seed: u64) -> Vec<(&'static str, String)> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (tessellates, has_geometry) = (seed & 1 != 0, seed & 2 != 0);
    let header = "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
    let next = if has_geometry { "geom" } else { "frag" };
    let first = if tessellates { "tesc" } else { next };
    let mut out = Vec::new();
    let mut interface = Interface::new(&mut dice, "v", first);
    let early = dice
        .of(&["", "    if (s.x > 0.1) { return; }\n    s = s.yxwz;\n{again}"])
        .replace("{again}", &interface.writes);
    out.push((
        "vert",
        format!(
            "{header}layout(location = 0) in vec4 p; layout(location = 1) in vec4 q;\n{}
void main() {{\n    gl_Position = p; vec4 s = q;\n{}{early}}}\n",
            interface.outputs, interface.writes
        ),
    ));
    if tessellates {
        out.push((
            "tesc",
            format!(
                "{header}layout(vertices = 3) out;\n{}layout(location = 0) out vec4 c[];
void main() {{
    const int pick = 1; vec4 r = vec4(0.0);
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
{}    c[gl_InvocationID] = r;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2; gl_TessLevelInner[0] = 2;
}}\n",
                interface.inputs,
                interface.of_vertex(dice.of(&["gl_InvocationID", "(gl_InvocationID + 1) % 3", "0"]))
            )
            .replace("const int pick = 1", dice.of(&["const int pick = 1", "int pick = gl_InvocationID & 1"])),
        ));
        interface = Interface::new(&mut dice, "e", next);
        let mix = |v: &str| {
            [("[0]", "x"), ("[1]", "y"), ("[2]", "z")].map(|(i, c)| v.replace('#', i) + " * gl_TessCoord." + c)
        };
        out.push((
            "tese",
            format!(
                "{header}layout(triangles) in;\nlayout(location = 0) in vec4 c[];\n{}
void main() {{\n    gl_Position = {}; vec4 s = {};\n{}}}\n",
                interface.outputs,
                mix("gl_in#.gl_Position").join(" + "),
                mix("c#").join(" + "),
                interface.writes
            ),
        ));
    }
    if has_geometry {
        let inputs = interface;
        interface = Interface::new(&mut dice, "g", "frag");
        out.push((
            "geom",
            format!(
                "{header}layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n{}{}
void main() {{
    for (int i = 0; i < 3; ++i) {{
    int pick = i & 1; vec4 r = vec4(0.0);
{}    vec4 s = r; gl_Position = gl_in[i].gl_Position;
{}    EmitVertex();
    }}
    EndPrimitive();
}}\n",
                inputs.inputs,
                interface.outputs,
                inputs.of_vertex(dice.of(&["i", "2 - i", "1"])),
                interface.writes
            ),
        ));
    }
    out.push((
        "frag",
        format!(
            "{header}layout(location = 0) out vec4 color;\n{}
void main() {{\n    int pick = int(gl_FragCoord.x) & 1; vec4 r = vec4(0.0);\n{}    color = r;\n}}\n",
            interface.inputs, interface.reads
        ),
    ));
    out
}

#[test]
fn generated_pipelines_of_every_producer_draw_the_same_packed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for seed in 1..=80 {
        let sources = pipeline(seed);
        let path = |(stage, source): &(&str, String)| {
            let path = folder.path().join(format!("{seed}.{stage}"));
            std::fs::write(&path, source).expect("writes");
            path.to_string_lossy().into_owned()
        };
        let files: Vec<String> = sources.iter().map(path).collect();
        // 16-bit varyings need a feature that the software device has not.
        let flags: &[&str] = if seed % 3 == 0 { &["--widen", "--part-pipeline"] } else { &["--widen"] };
        let whole = || sources.iter().map(|(stage, source)| format!("// {stage}\n{source}")).collect::<String>();
        assert_eq!(equal(&files, flags), Ok(1), "seed {seed}\n{}", whole());
    }
}
