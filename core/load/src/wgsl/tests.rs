use std::path::Path;

use super::*;
use lanescope_model::options::{Conversion, TargetEnv};
use lanescope_model::program::{LoadedModule, StageKind};
use lanescope_spirv::Lines;
use lanescope_spirv::enums::{ExecutionMode, Op};

const PAIR: &str = "struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) @interpolate(flat) id: u32,
}

@group(1) @binding(3) var<uniform> scale: vec4<f32>;

@vertex
fn vs(@location(0) at: vec3<f32>, @builtin(vertex_index) index: u32) -> Varyings {
    var out: Varyings;
    out.position = vec4(at, 1.0);
    out.uv = at.xy * scale.xy;
    out.id = index;
    return out;
}

@fragment
fn fs(in: Varyings) -> @location(0) vec4<f32> {
    if in.id > 3u {
        discard;
    }
    return vec4(in.uv / 2.0, 0.0, 1.0);
}
";

fn loaded_with(text: &str, defines: &[&str]) -> Result<LoadedModule, String> {
    let defines = defines.iter().map(|&one| one.to_owned()).collect();
    let conversion = Conversion { defines, ..Conversion::default() };
    let wanted = LoadOptions { conversion, ..LoadOptions::default() };
    match load(Path::new("some/a.wgsl"), text.as_bytes().to_vec(), &wanted) {
        Ok(Loaded::Module(module)) => Ok(*module),
        Ok(_) => Err("is no module".to_owned()),
        Err(problem) => Err(problem.to_string()),
    }
}

fn loaded(text: &str) -> Result<LoadedModule, String> {
    loaded_with(text, &[])
}

#[test]
fn all_entry_points_are_in_one_module() {
    let loaded = loaded(PAIR).expect("compiles");
    let entries = loaded.module.entry_points().iter().map(|entry| (entry.name.as_str(), entry.stage));
    let entries: Vec<_> = entries.collect();
    assert_eq!(entries, [("vs", Some(StageKind::Vertex)), ("fs", Some(StageKind::Fragment))]);
    assert_eq!(loaded.module.version(), (1, 6));
    assert_eq!(loaded.source.as_deref(), Some(PAIR));
    // naga gives every structure offsets, those of variables in functions too.
    let broken: Vec<_> = loaded.broken_rules.iter().map(|rule| rule.code.as_str()).collect();
    assert_eq!(broken, ["L008"]);
    assert!(loaded.broken_rules[0].message.contains("10684"), "{}", loaded.broken_rules[0].message);
}

#[test]
fn instructions_come_from_lines_of_the_text() {
    let loaded = loaded(PAIR).expect("compiles");
    let lines = Lines::of(&loaded.module);
    let line = |op| {
        let inst = loaded.module.insts().find(|inst| inst.op() == Some(op)).expect("is there");
        lines.line(inst.index).map(|at| (at.file, at.line))
    };
    assert_eq!(line(Op::FMul), Some(("some/a.wgsl".to_owned(), 13)));
    assert_eq!(line(Op::UGreaterThan), Some(("some/a.wgsl".to_owned(), 20)));
    assert_eq!(line(Op::FDiv), Some(("some/a.wgsl".to_owned(), 23)));
    // The text itself is kept beside the module, as for other sources.
    assert!(loaded.module.insts().all(|inst| !matches!(inst.op(), Some(Op::Line | Op::String))));
}

#[test]
fn errors_have_a_line_and_a_column() {
    for (text, at) in [
        ("@compute @workgroup_size(1)\nfn main() {\n    let é = 1; let x: u32 = y;\n}\n", "ERROR: a.wgsl:3:29: "),
        ("fn f() {\n  let x = ;\n}\n", "ERROR: a.wgsl:2:11: "),
        ("@fragment\nfn fs() -> vec4<f32> {\n    return vec4(1.0);\n}\n", "ERROR: a.wgsl:2:"),
        (
            "@group(0) @binding(0)\nvar<uniform> a: array<f32, 4>;\n@fragment fn fs() { _ = a[1]; }\n",
            "ERROR: a.wgsl:2:",
        ),
    ] {
        let error = loaded(text).expect_err("is wrong");
        assert!(error.starts_with("WGSL does not compile:\n") && error.contains(at), "{error}");
    }
}

#[test]
fn a_text_without_entry_points_says_so() {
    let error = loaded("fn half_of(x: f32) -> f32 { return x / 2.0; }\n").expect_err("has none");
    assert!(error.contains("ERROR: a.wgsl: has no entry point"), "{error}");
}

#[test]
fn directives_of_preprocessors_are_named() {
    let error = loaded("// of an engine\n#import engine::view\n@fragment fn fs() {}\n").expect_err("has a directive");
    assert!(error.contains("a.wgsl:2:1") && error.contains("line 2 has `#import`, but WGSL has no"), "{error}");
    let error = loaded("fn f() { let x = ; }").expect_err("is wrong");
    assert!(!error.contains("preprocessor"), "{error}");
}

#[test]
fn overrides_have_their_defaults_or_values_of_macros() {
    let text = "override width: u32 = 8;\n@id(7) override gain: f32;\n\
                @group(0) @binding(0) var<storage, read_write> out: f32;\n\
                @compute @workgroup_size(width, 2)\nfn main() { out = gain; }\n";
    let error = loaded(text).expect_err("gain has no value");
    assert!(error.contains("a.wgsl:2:") && error.contains("-D gain=VALUE"), "{error}");
    let size = |defines: &[&str]| {
        let loaded = loaded_with(text, defines).expect("compiles");
        loaded.module.entry_points()[0].mode(ExecutionMode::LocalSize).map(<[u32]>::to_vec)
    };
    assert_eq!(size(&["gain=0.5"]), Some(vec![8, 2, 1]));
    assert_eq!(size(&["gain=0.5", "width=0x20", "unused"]), Some(vec![32, 2, 1]));
    let error = loaded_with(text, &["gain=much"]).expect_err("is no number");
    assert!(error.contains("`much` of the override `gain`"), "{error}");
}

#[test]
fn nothing_is_put_around_the_text() {
    let text = "@group(0) @binding(0) var<storage, read_write> data: array<i32>;\nvar<workgroup> shared_: array<i32, 4>;\n\
                @compute @workgroup_size(4)\nfn main(@builtin(local_invocation_index) i: u32) {\n\
                    shared_[i] = data[i];\n    workgroupBarrier();\n\
                    for (var n = 0; n < 4; n++) { data[i] = data[i] / shared_[n]; }\n}\n";
    let module = loaded(text).expect("compiles").module;
    let count = |op| module.insts().filter(|inst| inst.op() == Some(op)).count();
    // No clamped index, no length, no counter of iterations, no cleared memory, no checked division.
    assert_eq!((count(Op::ExtInst), count(Op::ArrayLength), count(Op::Function)), (0, 0, 1));
    assert_eq!((count(Op::ControlBarrier), count(Op::SDiv), count(Op::Select)), (1, 1, 0));
}

#[test]
fn deep_texts_are_errors_or_compile() {
    let sum = |terms: usize| format!("fn f(a: i32) -> i32 {{\n    return a{};\n}}\n", " + a".repeat(terms));
    let text = |terms| format!("{}@compute @workgroup_size(1) fn main() {{ _ = f(1); }}\n", sum(terms));
    assert!(loaded(&text(900)).is_ok());
    let error = loaded(&text(2000)).expect_err("is too deep");
    assert!(error.contains("a.wgsl:2:") && error.contains("more than 1000 levels"), "{error}");
    let branches = |count: usize| {
        let chain = format!("if a == 0 {{ }}{}", " else if a == 1 { x = 2; }".repeat(count));
        format!("@compute @workgroup_size(1) fn main() {{ var x = 1; var a = 1; {chain} }}\n")
    };
    assert!(loaded(&branches(150)).is_ok());
    assert!(loaded(&branches(3000)).is_err());
}

/// naga goes from a declaration to the one that it names.
#[test]
fn declarations_that_follow_each_other_fit_the_stack() {
    let text = |count: usize| {
        let names: String = (1..count).rev().map(|n| format!("const a{n} = a{};\n", n - 1)).collect();
        format!("{names}const a0 = 1u;\n@compute @workgroup_size(a{}) fn main() {{ }}\n", count - 1)
    };
    assert!(loaded(&text(65_535)).is_ok());
    let error = loaded(&text(400_000)).expect_err("are too many");
    assert!(error.contains("a.wgsl:65537:1: more than 65536 declarations"), "{error}");
}

/// What naga counts grows with the lines and the statements of a text.
#[test]
fn long_texts_have_lines_as_long_as_that_is_quick() {
    let text = |lines: usize| {
        let start = "@group(0) @binding(0) var<storage, read_write> o: u32;\n@compute @workgroup_size(1) fn main() {\n";
        format!("{start}{}}}\n", "    o += 1u; // and a comment that makes the text longer\n".repeat(lines))
    };
    let line = |lines: usize| {
        let loaded = loaded(&text(lines)).expect("compiles");
        let last = loaded.module.insts().rfind(|inst| inst.op() == Some(Op::IAdd)).expect("is there");
        Lines::of(&loaded.module).line(last.index).map(|at| at.line)
    };
    assert_eq!(line(9000), Some(9002));
    assert_eq!(line(20_000), None);
}

/// On the first line too.
#[test]
fn a_text_of_one_line_has_it() {
    let loaded = loaded("@compute @workgroup_size(1) fn main() { var a = 1; a /= 2; }").expect("compiles");
    let inst = loaded.module.insts().find(|inst| inst.op() == Some(Op::SDiv)).expect("is there");
    assert_eq!(Lines::of(&loaded.module).line(inst.index).map(|at| at.line), Some(1));
}

#[test]
fn environments_have_versions() {
    for env in TargetEnv::ALL {
        let conversion = Conversion { target_env: Some(*env), ..Conversion::default() };
        let wanted = LoadOptions { conversion, ..LoadOptions::default() };
        let Ok(Loaded::Module(made)) = load(Path::new("a.wgsl"), PAIR.as_bytes().to_vec(), &wanted) else {
            panic!("{env}")
        };
        let (major, minor) = env.spirv();
        assert_eq!(made.module.version(), (major, minor), "{env}");
    }
}

#[test]
fn macros_that_no_override_has_are_unread() {
    let text = "override size = 1;\n@compute @workgroup_size(size) fn main() { }\n";
    assert_eq!(loaded_with(text, &["size=2", "sise=3"]).expect("compiles").unread_macros, ["sise"]);
}

#[test]
fn any_text_is_read_without_a_panic() {
    for text in
        ["", "@", "/*", "fn", "@vertex fn", "\u{feff}fn f() {}", "struct A { a: A }", "alias A = B; alias B = A;"]
    {
        // Nothing but the end matters.
        let _ = loaded(text);
    }
    assert!(loaded("a\0b").is_err_and(|error| error.contains("zero byte")));
}
