//! Pipelines of several sizes, made from one pattern.

use std::fmt::Write as _;
use std::path::PathBuf;

use lanescope_core::load::load;
use lanescope_core::program::Program;

/// Names, and about how many instructions a shader of the pipeline has.
pub const SIZES: [(&str, usize); 3] = [("small", 60), ("middle", 800), ("large", 5000)];

/// A pipeline whose two shaders hold about so many instructions each: arithmetic over sixteen varyings, some of it in
/// branches, loops and local arrays.
pub fn pipeline(instructions: usize) -> [(&'static str, String); 2] {
    let mut vertex = String::from("#version 460\nlayout(location = 0) in vec4 position;\n");
    let mut fragment = String::from("#version 460\nlayout(location = 0) out vec4 color;\n");
    for n in 0..16 {
        let kind = ["vec4", "vec3", "vec2", "float"][n % 4];
        let qualifier = ["", "flat ", "noperspective ", ""][n / 4];
        writeln!(vertex, "layout(location = {n}) {qualifier}out {kind} v{n};").expect("writes to memory");
        writeln!(fragment, "layout(location = {n}) {qualifier}in {kind} v{n};").expect("writes to memory");
    }
    vertex.push_str("void main() {\n  vec4 s = position;\n  gl_Position = s;\n");
    fragment.push_str("void main() {\n  vec4 s = vec4(0.0);\n  float t[4] = float[4](0.0, 0.0, 0.0, 0.0);\n");
    for n in 0..16 {
        let swizzle = ["xyzw", "xyz", "xy", "x"][n % 4];
        writeln!(vertex, "  v{n} = s.{swizzle};").expect("writes to memory");
    }
    // A line below is some ten instructions.
    for n in 0..instructions / 10 {
        let (a, b) = (n % 16, (n * 7 + 3) % 16);
        let component = |v: usize| if v % 4 == 3 { String::new() } else { ".y".to_owned() };
        writeln!(
            fragment,
            "  s.{} += v{a}{} * v{b}{} + t[{}];",
            ["x", "y", "z", "w"][n % 4],
            component(a),
            component(b),
            n % 4
        )
        .expect("writes to memory");
        writeln!(vertex, "  s = s.yzwx * 0.5 + vec4({n}.0) * s.x; gl_Position += s;").expect("writes to memory");
        if n % 16 == 15 {
            writeln!(fragment, "  if (s.x > {n}.0) {{ t[{}] = s.y; }}", n % 4).expect("writes to memory");
        }
    }
    vertex.push_str("}\n");
    fragment.push_str("  color = s;\n}\n");
    [("pipeline.vert", vertex), ("pipeline.frag", fragment)]
}

/// The pipeline, loaded.
pub fn program(instructions: usize) -> Program {
    let folder = std::env::temp_dir().join(format!("lanescope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the sources");
    let paths: Vec<PathBuf> = pipeline(instructions)
        .iter()
        .map(|(name, source)| {
            let path = folder.join(name);
            std::fs::write(&path, source).expect("writes");
            path
        })
        .collect();
    let program = load(&paths, &[]).unwrap_or_else(|error| panic!("{error}"));
    std::fs::remove_dir_all(&folder).expect("removes");
    program
}
