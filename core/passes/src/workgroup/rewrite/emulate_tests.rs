//! Emulated derivatives: valid, reported, and rejected where they cannot be emulated.

use crate::workgroup::rewrite::{Emulated, RewriteError, SwizzledStage, rewrite, takes_derivatives};
use lanescope_load::{check, disassemble};
use lanescope_model::options::{Derivatives, DerivativesBy, Options};
use lanescope_model::program::Program;
use lanescope_testing::program;

const HEADER: &str = "#extension GL_NV_compute_shader_derivatives : require
    layout(local_size_x = 8, local_size_y = 4) in; layout(derivative_group_quadsNV) in;
    layout(binding = 0) buffer B { float b[]; }; layout(binding = 1) uniform sampler2D s;\n";

fn compute(body: &str) -> Program {
    program(&[("comp", &format!("{HEADER}{body}"))])
}

fn by(derivatives_by: DerivativesBy) -> Options {
    Options { derivatives_by, ..Options::default() }
}

#[track_caller]
fn emulated(program: &Program, options: &Options) -> (SwizzledStage, String) {
    let mut done = rewrite(program, options).unwrap_or_else(|error| panic!("{error}"));
    let module = &done.program.modules[0].module;
    check(module).unwrap_or_else(|message| panic!("{message}"));
    (done.stages.remove(0), disassemble(module).expect("disassembles"))
}

#[test]
fn needs_subgroup_operations_and_no_derivatives() {
    let given = compute("void main() { b[gl_LocalInvocationIndex] = dFdx(float(gl_GlobalInvocationID.x)); }");
    assert!(takes_derivatives(&given));
    for (method, present, absent) in [
        (DerivativesBy::Quad, "GroupNonUniformQuad", "GroupNonUniformShuffle"),
        (DerivativesBy::Shuffle, "GroupNonUniformShuffle", "GroupNonUniformQuad"),
    ] {
        let (row, text) = emulated(&given, &by(method));
        assert!(
            row.changed && row.why.ends_with(&format!("derivatives computed with {method} operations")),
            "{}",
            row.why
        );
        assert_eq!(row.derivatives[0].opcode, "OpDPdx");
        assert_eq!(row.derivatives[0].quad_rule, "x: 1−0, 1−0, 3−2, 3−2; 2×2 invocations");
        for word in [&format!("OpCapability {present}\n"), "LocalSize 32 1 1", "BuiltIn SubgroupLocalInvocationId"] {
            assert!(text.contains(word), "{word}\n{text}");
        }
        for word in [absent, "ComputeDerivative", "SPV_NV_compute_shader_derivatives", "DerivativeGroup", "OpDPdx "] {
            assert!(!text.contains(word), "{word}\n{text}");
        }
    }
    for method in [DerivativesBy::Auto, DerivativesBy::Native] {
        let (row, text) = emulated(&given, &by(method));
        assert!(row.derivatives.is_empty() && text.contains("OpDPdx") && text.contains("DerivativeGroupLinear"));
    }
    let (zero, text) = emulated(&given, &Options { derivatives: Some(Derivatives::None), ..by(DerivativesBy::Quad) });
    assert_eq!(zero.derivatives[0].quad_rule, "0: no derivative group");
    assert!(!text.contains("GroupNonUniform"), "{text}");
}

#[test]
fn lists_what_may_differ() {
    let body = "float f(float x) { return dFdyCoarse(x); }
        void main() {
            vec2 p = vec2(gl_GlobalInvocationID.xy); uint i = gl_LocalInvocationIndex;
            b[i] = f(p.x) + fwidth(p.y) + texture(s, p, 0.5).x;
            if (b[i] > 1.0) b[i] = dFdxFine(p.x);
        }";
    let (row, _) = emulated(&compute(body), &by(DerivativesBy::Quad));
    let mut rows: Vec<String> = row
        .derivatives
        .iter()
        .map(|Emulated { opcode, caveats, .. }| format!("{opcode}: {}", caveats.join("; ")))
        .collect();
    rows.sort();
    assert_eq!(
        rows,
        [
            "OpDPdxFine: inside control flow: undefined where the lanes of a quad diverge, as on any device",
            "OpDPdyCoarse: ",
            "OpFwidth: SPIR-V allows a coarse or a fine difference: a fine one is used",
            "OpImageSampleImplicitLod: the level of detail is computed from coarse gradients; a device may compute it \
             differently; the bias is applied as a factor of the gradients"
        ]
    );
}

#[test]
fn names_instruction_that_cannot_be_emulated() {
    let given = compute("void main() { b[0] = textureQueryLod(s, vec2(gl_GlobalInvocationID.xy)).x; }");
    let error = rewrite(&given, &by(DerivativesBy::Quad)).expect_err("takes no gradients").to_string();
    assert!(error.contains("(OpImageQueryLod): has no form with explicit gradients"), "{error}");
    assert!(rewrite(&given, &by(DerivativesBy::Native)).is_ok());
}

/// A SPIR-V 1.0 module of one or two entry points that take derivatives.
fn assembly(entries: &[&str], shared: bool) -> Program {
    let function = |name: &str| {
        let call = if shared { "OpFunctionCall %void %common" } else { "OpDPdx %float %one" };
        format!("%{name} = OpFunction %void None %fn\n%{name}l = OpLabel\n%{name}c = {call}\nOpReturn\nOpFunctionEnd\n")
    };
    let points: String = entries.iter().map(|name| format!("OpEntryPoint GLCompute %{name} \"{name}\"\n")).collect();
    let modes: String = entries
        .iter()
        .map(|name| {
            format!("OpExecutionMode %{name} DerivativeGroupQuadsNV\nOpExecutionMode %{name} LocalSize 2 2 1\n")
        })
        .collect();
    let functions: String = entries.iter().map(|name| function(name)).collect();
    let text = format!(
        "; Version: 1.0\nOpCapability Shader\nOpCapability ComputeDerivativeGroupQuadsNV
         OpExtension \"SPV_NV_compute_shader_derivatives\"\nOpMemoryModel Logical GLSL450\n{points}{modes}
         OpDecorate %size BuiltIn WorkgroupSize
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%one = OpConstant %float 1
         %uint = OpTypeInt 32 0\n%v = OpTypeVector %uint 3\n%four = OpConstant %uint 4\n%u1 = OpConstant %uint 1
         %size = OpConstantComposite %v %four %four %u1
         %common = OpFunction %void None %fn\n%cl = OpLabel\n%d = OpDPdx %float %one\nOpReturn\nOpFunctionEnd\n{functions}"
    );
    program(&[("spvasm", &text)])
}

#[test]
fn raises_version_for_subgroup_operations() {
    let (row, text) = emulated(&assembly(&["a"], true), &by(DerivativesBy::Quad));
    assert_eq!((row.size, row.changed), ([4, 4, 1], true));
    assert!(text.contains("LocalSize 16 1 1") && !text.contains("WorkgroupSize"), "{text}");
    let done = rewrite(&assembly(&["a"], false), &by(DerivativesBy::Shuffle)).expect("rewrites");
    assert_eq!(done.program.modules[0].module.version(), (1, 3));
}

#[test]
fn keeps_code_shared_by_two_entry_points() {
    let error = |shared| {
        let mut given = assembly(&["a", "b"], shared);
        given.stages.truncate(1);
        rewrite(&given, &by(DerivativesBy::Quad)).expect_err("is shared")
    };
    let text = error(true).to_string();
    assert!(text.contains("(OpDPdx): is also used by the entry point b, which is not rewritten"), "{text}");
    assert!(matches!(error(false), RewriteError::SharedEntry { built_in, .. } if built_in == "WorkgroupSize"));
}
