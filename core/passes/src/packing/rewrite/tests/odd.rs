//! Valid modules that the compilers used here do not emit.

use super::cases::{fragment, variables};
use super::*;
use lanescope_testing::program_of;

/// Preamble of the modules below, with the types that they share.
const FRAGMENT_HEAD: &str = "OpCapability Shader\nOpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main \"main\" %in %o\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %o Location 0";
const TYPES: &str = "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32
    %vec4 = OpTypeVector %float 4\n%uint = OpTypeInt 32 0\n%u0 = OpConstant %uint 0\n%u1 = OpConstant %uint 1
    %out = OpTypePointer Output %vec4\n%one = OpConstant %float 1\n%ones = OpConstantComposite %vec4 %one %one %one %one";

/// A member without any scalar has a leaf, so what follows it has not the leaf of its first scalar.
#[test]
fn members_after_an_empty_one_keep_their_components() {
    let body = format!(
        "{FRAGMENT_HEAD}\nOpDecorate %S Block\nOpMemberDecorate %S 0 Location 0\nOpMemberDecorate %S 1 Location 1
         {TYPES}\n%none = OpTypeStruct\n%S = OpTypeStruct %none %vec4\n%block = OpTypePointer Input %S
         %part = OpTypePointer Input %float\n%in = OpVariable %block Input\n%to = OpTypePointer Output %float
         %o = OpVariable %to Output\n%main = OpFunction %void None %fn\n%l = OpLabel
         %a = OpAccessChain %part %in %u1 %u0\n%x = OpLoad %float %a\nOpStore %o %x\nOpReturn\nOpFunctionEnd\n"
    );
    let vertex = "layout(location = 1) out vec4 a; void main() { a = vec4(1, 2, 3, 4); gl_Position = a; }";
    let program = program(&[("vert", vertex), ("spvasm", &body)]);
    let done = rewritten(&program, &Options::default());
    let carried: Vec<_> = done.map.carried.iter().map(|row| (row.from.location.0, row.from.component.0)).collect();
    assert_eq!(carried, [(1, 0)], "1.x is what is read");
    assert!(text(&done.program, StageKind::Vertex).contains("OpCompositeExtract"), "of a vec4 one component");
}

/// A copy of a pointer to a variable has the variable's type, and a copy of a copy as well.
#[test]
fn copies_of_pointers_follow_the_variable() {
    let body = format!(
        "{FRAGMENT_HEAD}\nOpDecorate %in Location 3\n{TYPES}\n%pointer = OpTypePointer Input %vec4
         %part = OpTypePointer Input %float\n%in = OpVariable %pointer Input\n%o = OpVariable %out Output
         %main = OpFunction %void None %fn\n%l = OpLabel\n%a = OpCopyObject %pointer %in
         %b = OpCopyObject %pointer %a\n%x = OpLoad %vec4 %b\n%c = OpAccessChain %part %b %u1
         %d = OpCopyObject %part %c\n%y = OpLoad %float %d\n%s = OpVectorTimesScalar %vec4 %x %y\nOpStore %o %s
         OpReturn\nOpFunctionEnd\n"
    );
    let done = rewritten(&program(&[("spvasm", &body)]), &Options::default());
    assert_eq!(variables(&done.map), "0.0 float32x4 smooth center");
}

/// Two entry points of one module; `%emitter` is what the first one calls, and the second one if `shared`.
fn two_geometry_shaders(shared: bool) -> Program {
    let modes = |entry: &str| {
        let modes = ["Triangles", "Invocations 1", "OutputTriangleStrip", "OutputVertices 3"];
        modes.map(|mode| format!("OpExecutionMode {entry} {mode}\n")).concat()
    };
    let emit = if shared { "%g = OpFunctionCall %void %emitter" } else { "OpEmitVertex" };
    let module = format!(
        "OpCapability Geometry\nOpMemoryModel Logical GLSL450\nOpEntryPoint Geometry %main \"main\" %a
         OpEntryPoint Geometry %second \"second\" %b\n{}{}OpDecorate %a Location 3\nOpDecorate %b Location 0\n{TYPES}
         %a = OpVariable %out Output\n%b = OpVariable %out Output\n%main = OpFunction %void None %fn\n%l = OpLabel
         OpStore %a %ones\n%f = OpFunctionCall %void %emitter\nOpReturn\nOpFunctionEnd
         %emitter = OpFunction %void None %fn\n%m = OpLabel\nOpEmitVertex\nOpReturn\nOpFunctionEnd
         %second = OpFunction %void None %fn\n%n = OpLabel\nOpStore %b %ones\n{emit}\nOpReturn\nOpFunctionEnd\n",
        modes("%main"),
        modes("%second")
    );
    let body = fragment("layout(location = 3) in vec4 a; void main() { colour = a; }");
    let vertex = "void main() { gl_Position = vec4(1); }";
    program_of(&[("vert", vertex), ("spvasm", &module), ("frag", &body)], &["main".to_owned()])
}

#[test]
fn leaves_vertices_of_other_entry_points_unchanged() {
    let done = rewritten(&two_geometry_shaders(false), &Options::default());
    assert_eq!(text(&done.program, StageKind::Geometry).matches("OpStore %packed0 ").count(), 1);
    // A function of both that emits is duplicated.
    let done = rewritten(&two_geometry_shaders(true), &Options::default());
    let text = text(&done.program, StageKind::Geometry);
    assert_eq!((text.matches("OpStore %packed0 ").count(), text.matches("OpEmitVertex").count()), (1, 2), "{text}");
}

/// One member of a block is invariant: so is the variable that carries it, and no other.
#[test]
fn invariant_members_stay_invariant() {
    let vertex = |first: &str, second: &str| {
        format!(
            "layout(location = 0) out B {{ {first} vec2 a; {second} flat uint i; }} b;
             void main() {{ gl_Position = vec4(0); b.a = vec2(1); b.i = 1; }}"
        )
    };
    let body = fragment(
        "layout(location = 0) in B { vec2 a; flat uint i; } b;
         void main() { colour = vec4(b.a, b.i, 1); }",
    );
    for (first, second, expected) in
        [("", "", &[][..]), ("invariant", "", &["packed0"]), ("", "invariant", &["packed1"])]
    {
        let program = program(&[("vert", &vertex(first, second)), ("frag", &body)]);
        let done = rewritten(&program, &Options::default());
        let text = text(&done.program, StageKind::Vertex);
        let lines = text.lines().filter_map(|line| line.trim().strip_suffix(" Invariant"));
        let found: Vec<&str> = lines.filter_map(|line| line.strip_prefix("OpDecorate %")).collect();
        assert_eq!(found, expected, "{text}");
    }
}
