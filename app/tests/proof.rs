//! What was rewritten does what was written: original and rewritten programs run on the software device, under the
//! validation layer, and every sample of every output and every byte of every buffer is the same.

mod common;

use std::fmt::Write as _;

use common::{lanescope, samples};

/// Runs original against rewritten; the outputs' number when all are equal, else what happened: a difference, or why
/// nothing was rewritten.
fn equal(files: &[String], flags: &[&str]) -> Result<usize, String> {
    let mut command = lanescope();
    command.arg("run").args(files).args(flags).args(["--validate", "--format", "json"]);
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
    let shaders = [
        ("tile_16x16", &[][..], [true; 5]),
        ("quad_derivatives", &[], [true, false, true, true, true]),
        ("particles_1024", &[], [true; 5]),
        ("spec_size", &["--spec", "0=16", "--spec", "1=4"], [true; 5]),
    ];
    for (name, more, swizzled) in shaders {
        for (flags, swizzled) in settings.iter().zip(swizzled) {
            let result = equal(&[sample(&format!("{name}.comp"))], &[flags, more].concat());
            assert_eq!(result.is_ok(), swizzled, "{name} with {flags:?}: {result:?}");
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
/// outputs that nobody reads, inputs of which only some components are read.
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
