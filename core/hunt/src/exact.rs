//! Whether compilers have to agree about each bit of what a compute shader leaves.

use std::collections::BTreeSet;

use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{BuiltIn, Decoration, Op};
use lanescope_spirv::opcode::{Effect, Section};
use lanescope_spirv::{Inst, Module};

const SET: &str = "GLSL.std.450 ";

/// Extended instructions of GLSL.std.450 that have one result for each operand (Vulkan specification, "Precision and
/// Operation of SPIR-V Instructions").
const EXTENDED: [&str; 17] = [
    "Trunc",
    "FAbs",
    "SAbs",
    "FSign",
    "SSign",
    "Floor",
    "Ceil",
    "UMin",
    "SMin",
    "UMax",
    "SMax",
    "UClamp",
    "SClamp",
    "FindILsb",
    "FindSMsb",
    "FindUMsb",
    "RoundEven",
];

/// Values that follow from the dispatch alone. What others hold, a device chooses: which lane of which subgroup runs an
/// invocation.
const BUILT_IN: [BuiltIn; 6] = [
    BuiltIn::GlobalInvocationId,
    BuiltIn::LocalInvocationId,
    BuiltIn::LocalInvocationIndex,
    BuiltIn::WorkgroupId,
    BuiltIn::NumWorkgroups,
    BuiltIn::WorkgroupSize,
];

/// Whether each result of a module follows from its inputs bit by bit: it is of compute shaders, has only instructions
/// that are exact, and reads nothing that a device chooses.
///
/// Sums, differences and products of floats are exact if nothing may fuse them, conversions to floats too: as long as all
/// round to nearest, and none overflows or is denormal, which is not looked at.
pub fn is_exact(module: &Module) -> bool {
    if module.entry_points().iter().any(|entry| entry.stage != Some(StageKind::Compute)) {
        return false;
    }
    let decorations = || module.insts().filter(|inst| inst.op() == Some(Op::Decorate));
    let is_chosen = |inst: &Inst<'_>| {
        inst.word_at(2) == Decoration::BuiltIn as u32 && !BUILT_IN.iter().any(|own| *own as u32 == inst.word_at(3))
    };
    if decorations().any(|inst| is_chosen(&inst)) {
        return false;
    }
    let is_precise = |inst: &Inst<'_>| inst.word_at(2) == Decoration::NoContraction as u32;
    let precise: BTreeSet<Id> = decorations().filter(is_precise).map(|inst| inst.id_at(1)).collect();
    module.insts().all(|inst| match inst.op() {
        Some(Op::ExtInst) => {
            let name = module.extended_name(&inst);
            name.is_some_and(|name| name.strip_prefix(SET).is_some_and(|name| EXTENDED.contains(&name)))
        }
        Some(Op::FAdd | Op::FSub | Op::FMul) => inst.result().is_some_and(|result| precise.contains(&result)),
        Some(op) => is_exact_op(op),
        None => false,
    })
}

fn is_exact_op(op: Op) -> bool {
    use Op::*;
    !matches!(
        op,
        Undef
            | FDiv
            | FRem
            | FMod
            | VectorTimesScalar
            | MatrixTimesScalar
            | VectorTimesMatrix
            | MatrixTimesVector
            | MatrixTimesMatrix
            | OuterProduct
            | Dot
            | FConvert
            | QuantizeToF16
            | ReadClockKHR
            | ConvertPtrToU
    ) && {
        let facts = lanescope_spirv::facts(op);
        let is_known = facts.effect != Effect::Unknown || facts.section != Section::Function;
        is_known && facts.derivative.is_none() && facts.group.is_none() && facts.image.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::glsl;

    #[test]
    fn what_a_device_chooses_is_not_exact() {
        let kernel = |head: &str, body: &str| {
            let text = format!(
                "#version 460\n{head}\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B {{ uint u[8]; float f[8]; }};\n\
                 void main() {{ uint i = gl_LocalInvocationIndex; {body} }}"
            );
            is_exact(&glsl(StageKind::Compute, &text).expect("compiles"))
        };
        let subgroups = "#extension GL_KHR_shader_subgroup_basic : require";
        for (head, body, expected) in [
            ("", "u[i] = u[i] * 7u + gl_WorkGroupID.x;", true),
            ("", "precise float x = f[i] * 2.0 + 1.0; f[i] = x;", true),
            ("", "f[i] = f[i] * 2.0 + 1.0;", false),
            ("", "precise float x = f[i] / 3.0; f[i] = x;", false),
            ("", "f[i] = sin(f[i]);", false),
            ("", "f[i] = abs(f[i]);", true),
            (subgroups, "u[i] = gl_SubgroupInvocationID;", false),
        ] {
            assert_eq!(kernel(head, body), expected, "{body}");
        }
        let fragment = "#version 460\nlayout(location = 0) out vec4 c; void main() { c = vec4(1.0); }";
        assert!(!is_exact(&glsl(StageKind::Fragment, fragment).expect("compiles")));
    }
}
