//! Whether compilers have to agree about each bit of what a compute shader leaves.

use std::collections::BTreeSet;

use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Decoration, Op};

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

/// Whether each result of a module follows from its inputs bit by bit: it is of compute shaders, and has only
/// instructions that are exact. Sums, differences and products of floats are if nothing may fuse them, as long as they
/// neither overflow nor are denormal, which is not looked at.
pub fn is_exact(module: &Module) -> bool {
    if module.entry_points().iter().any(|entry| entry.stage != Some(StageKind::Compute)) {
        return false;
    }
    let precise = not_contracted(module);
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

fn not_contracted(module: &Module) -> BTreeSet<Id> {
    let decorations = module.insts().filter(|inst| inst.op() == Some(Op::Decorate));
    let is_it = |word: u32| word == Decoration::NoContraction as u32;
    decorations.filter(|inst| is_it(inst.word_at(2))).map(|inst| inst.id_at(1)).collect()
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
    ) && {
        let facts = lanescope_spirv::facts(op);
        facts.derivative.is_none() && facts.group.is_none() && facts.image.is_none()
    }
}
