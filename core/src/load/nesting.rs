//! Whether the validator will be done with a module soon: at each use of a type it may walk everything that the type
//! holds, each part as often as it is held, and a few types that hold two of the one before have millions of parts.

use super::error::Problem;
use crate::spirv::Module;
use crate::spirv::enums::{Op, StorageClass};

/// The most parts, of all types and all results together, that are walked: about a second of the validator's time.
const MAX_PARTS: u64 = 1 << 24;

/// Types of so few parts are not counted where they are used: vectors and matrices, which most results are.
const FEW_PARTS: u64 = 16;

/// Refuses a module whose types hold so many parts that the validator would seem to hang.
pub(super) fn check(module: &Module) -> Result<(), Problem> {
    // By index of the instruction that declares a type: the parts of the type, itself included.
    let mut parts: Vec<u64> = Vec::new();
    let mut walked = 0u64;
    for inst in module.globals() {
        let mut count = 0u64;
        if inst.result().is_some() && inst.result_type().is_none() {
            count = 1;
            // A pointer into memory behind an address is where the walk ends.
            let ends =
                inst.op() == Some(Op::TypePointer) && inst.word_at(2) == StorageClass::PhysicalStorageBuffer as u32;
            if !ends {
                let held =
                    |id| module.def_index(id).and_then(|index| parts.get(index.0 as usize)).copied().unwrap_or(0);
                let _ = module.for_each_id_used(&inst, |id| count = count.saturating_add(held(id)));
            }
        }
        parts.push(count);
        walked = walked.saturating_add(count);
        if walked > MAX_PARTS {
            return Err(Problem::Nested { instruction: inst.index.0 as usize, limit: MAX_PARTS });
        }
    }
    // Most modules have no type that could make it too many.
    let most = parts.iter().copied().max().unwrap_or(0);
    if most <= FEW_PARTS || most.saturating_mul(module.len() as u64) <= MAX_PARTS - walked {
        return Ok(());
    }
    for inst in module.insts() {
        let ty = inst.result_type().and_then(|ty| module.def_index(ty));
        let count = ty.and_then(|ty| parts.get(ty.0 as usize)).copied().unwrap_or(0);
        walked = walked.saturating_add(if count > FEW_PARTS { count } else { 0 });
        if walked > MAX_PARTS {
            return Err(Problem::Nested { instruction: inst.index.0 as usize, limit: MAX_PARTS });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Structures that each hold the one before twice, and as many loads of the last.
    fn doubled(levels: u32, loads: u32) -> Module {
        let mut text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %v
            OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%s0 = OpTypeInt 32 0\n"
            .to_owned();
        for level in 1..=levels {
            text += &format!("%s{level} = OpTypeStruct %s{0} %s{0}\n", level - 1);
        }
        text += &format!(
            "%pointer = OpTypePointer Private %s{levels}\n%v = OpVariable %pointer Private
             %main = OpFunction %void None %fn\n%l = OpLabel\n"
        );
        text.extend((0..loads).map(|load| format!("%x{load} = OpLoad %s{levels} %v\n")));
        text += "OpReturn\nOpFunctionEnd\n";
        use spirv_tools::assembler::{Assembler, AssemblerOptions, create};
        let assembler = create(Some(spirv_tools::TargetEnv::Universal_1_5));
        let binary = assembler.assemble(&text, AssemblerOptions::default()).expect("assembles");
        Module::parse(binary.as_words().to_vec()).expect("a module")
    }

    #[test]
    fn types_that_double_are_refused_before_they_take_long() {
        for (levels, loads, fits) in [(12, 1, true), (12, 3000, false), (23, 0, false), (250, 0, false)] {
            let module = doubled(levels, loads);
            let start = std::time::Instant::now();
            let found = super::super::validate::validate(&module);
            assert_eq!(found.is_ok(), fits, "{levels} levels, {loads} loads: {found:?}");
            if let Err(problem) = found {
                assert!(problem.to_string().contains("more than 16777216 parts"), "{problem}");
            }
            assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
        }
    }
}
