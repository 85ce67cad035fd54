//! GLSL that makes a compiler recurse deeply, or that expands to much more than is written.

use super::{Input, Random};

fn shader(name: &str, before: &str, body: &str) -> Input {
    let text = format!("#version 460\n{before}layout(location = 0) out vec4 o;\nvoid main()\n{{\n{body}\n}}\n");
    Input::one(name, text)
}

/// Brackets, blocks, calls, conditions, indices or array types nested.
pub fn nesting(random: &mut Random, depth: usize) -> Input {
    let around = |open: &str, middle: &str, close: &str| open.repeat(depth) + middle + &close.repeat(depth);
    let (before, body) = match random.below(7) {
        0 => (String::new(), format!("o = vec4({});", around("(", "1.0", ")"))),
        1 => (String::new(), around("{", "o = vec4(1.0);", "}")),
        2 => (String::new(), format!("o = vec4({});", around("sin(", "1.0", ")"))),
        3 => (String::new(), around("if (gl_FragCoord.x > 1.0) ", "o = vec4(1.0);", "")),
        4 => (String::new(), format!("int a[2]; a[0] = 0; o = vec4(a{});", around("[a", "[0]", "]"))),
        5 => (format!("float a{};\n", "[1]".repeat(depth)), "o = vec4(1.0);".to_owned()),
        _ => (String::new(), format!("o = vec4({});", around("-(", "1.0", ")"))),
    };
    shader("nesting.frag", &before, &body)
}

/// One expression of many operators, one beside the other.
pub fn expression(random: &mut Random, operators: usize) -> Input {
    let operator = random.one_of(&["+", ",", "*", "==", "&&", "?1.0:", "-"]);
    let (first, last) = match *operator {
        "&&" => ("true", "true"),
        "?1.0:" => ("true", "true"),
        _ => ("1.0", "1.0"),
    };
    let one = format!("{operator}{last}");
    let body = match *operator {
        "?1.0:" => format!("float x = {}1.0; o = vec4(x);", "true?1.0:".repeat(operators)),
        "&&" => format!("bool x = {first}{}; o = vec4(x);", one.repeat(operators)),
        "==" => format!("bool x = true{}; o = vec4(x);", "==true".repeat(operators)),
        _ => format!("float x = ({first}{}); o = vec4(x);", one.repeat(operators)),
    };
    shader("expression.frag", "", &body)
}

/// Arrays in each invocation, or in a workgroup: one, of arrays, of structures with matrices, copied as a whole.
pub fn arrays(random: &mut Random, elements: usize) -> Input {
    let side = elements.isqrt().max(1);
    let (types, declared) = match random.below(3) {
        0 => (format!("struct S {{ uint a[{elements}]; }};\n"), "s.a[v[0]]"),
        1 => (format!("struct S {{ uint a[{side}][{side}]; }};\n"), "s.a[v[0]][v[1]]"),
        _ => (format!("struct R {{ mat4 m; uint a; }};\nstruct S {{ R r[{side}]; }};\n"), "s.r[v[0]].a"),
    };
    let (outer, inner) = match random.below(4) {
        0 => ("S s;\n", ""),
        1 => ("shared S s;\n", ""),
        2 => ("", "S s; S t = s; s = t;"),
        _ => ("S f(S s, uint i) { s = s; return s; }\n", "S s; for (uint i = 0u; i < v[2]; ++i) s = f(s, i);"),
    };
    let text = format!(
        "#version 460\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer B {{ uint v[]; }};\n{types}{outer}\
         void main()\n{{\n{inner}\n{declared} = 1u;\nv[gl_GlobalInvocationID.x] = {declared};\n}}\n"
    );
    Input::one("arrays.comp", text)
}

/// Macros that each use the one before twice, or each other in a circle.
pub fn macros(random: &mut Random, levels: usize) -> Input {
    let mut before = "#define M0 1.0\n".to_owned();
    match random.below(3) {
        0 => before.extend((1..=levels).map(|at| format!("#define M{at} M{0} + M{0}\n", at - 1))),
        1 => {
            before = "#define M0(x) x\n".to_owned();
            before.extend((1..=levels).map(|at| format!("#define M{at}(x) M{0}(x) + M{0}(x)\n", at - 1)));
            before += &format!("#define M M{levels}(1.0)\n");
            return shader("macros.frag", &before, "o = vec4(M);");
        }
        _ => before.extend((1..=levels).map(|at| format!("#define M{at} M{}\n", (at + 1) % (levels + 1)))),
    }
    shader("macros.frag", &before, &format!("o = vec4(M{levels});"))
}

/// Files that each include two others, down to a depth, or themselves.
pub fn includes(random: &mut Random, depth: usize) -> Input {
    let root = "#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"i0.glsl\"\n\
                layout(location = 0) out vec4 o;\nvoid main() { o = vec4(1.0); }\n";
    let mut input = Input::one("includes.frag", root);
    let circle = random.below(4) == 0;
    for at in 0..depth {
        let next = if circle { (at + 1) % depth } else { at + 1 };
        let text = match at + 1 < depth || circle {
            true => format!("#include \"i{next}.glsl\"\n#include \"i{next}.glsl\"\n"),
            false => "// nothing\n".to_owned(),
        };
        input.files.push((format!("i{at}.glsl").into(), text.into_bytes()));
    }
    input
}
