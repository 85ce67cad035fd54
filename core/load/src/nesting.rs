//! Whether the validator finishes a module in reasonable time: at each use of a type it may walk everything that the
//! type holds, each part as often as it is held, and a few types that hold two of the one before have millions of
//! parts.

use super::error::Problem;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::{Inst, Module};

/// The most steps of such walks: one or two seconds of the validator's time.
const MAX_STEPS: u64 = 1 << 24;

/// Steps for each part of a type that is declared, or is a variable's: its layout is checked too.
const LAYOUT_STEPS: u64 = 8;

/// Types of so few parts are not counted: vectors and matrices, which most results are.
const FEW_PARTS: u64 = 16;

/// Refuses a module whose types hold so many parts that the validator would seem to hang.
pub(super) fn check(module: &Module) -> Result<(), Problem> {
    // By index of the instruction that declares a type: the parts of the type, itself included.
    let mut parts: Vec<u64> = Vec::new();
    let mut steps = Steps(0);
    for inst in module.globals() {
        let count =
            if inst.result().is_some() && inst.result_type().is_none() { count(module, &inst, &parts) } else { 0 };
        parts.push(count);
        steps.take(&inst, count, LAYOUT_STEPS)?;
    }
    // Most modules have no type that could make it too many.
    let most = parts.iter().copied().max().unwrap_or(0);
    if most <= FEW_PARTS {
        return Ok(());
    }
    for inst in module.insts() {
        let ty = inst.result_type().and_then(|ty| module.def_index(ty));
        let count = ty.and_then(|ty| parts.get(ty.0 as usize)).copied().unwrap_or(0);
        steps.take(&inst, count, if inst.op() == Some(Op::Variable) { LAYOUT_STEPS } else { 1 })?;
    }
    Ok(())
}

/// The parts of a type, itself included. `parts` are those of the types before it.
fn count(module: &Module, ty: &Inst<'_>, parts: &[u64]) -> u64 {
    let mut count = 1u64;
    // A pointer into memory at an address is where the walk ends.
    if !(ty.op() == Some(Op::TypePointer) && ty.word_at(2) == StorageClass::PhysicalStorageBuffer as u32) {
        let held = |id| module.def_index(id).and_then(|index| parts.get(index.0 as usize)).copied().unwrap_or(0);
        // Whatever the grammar cannot place is not a type that holds others.
        let _ = module.for_each_id_used(ty, |id| count = count.saturating_add(held(id)));
    }
    count
}

/// Steps so far.
struct Steps(u64);

impl Steps {
    /// So many steps for each part of the type that an instruction declares or gives.
    fn take(&mut self, inst: &Inst<'_>, parts: u64, each: u64) -> Result<(), Problem> {
        if parts > FEW_PARTS {
            self.0 = self.0.saturating_add(parts.saturating_mul(each));
        }
        match self.0 > MAX_STEPS {
            true => Err(Problem::Nested { instruction: inst.index.0 as usize, limit: MAX_STEPS }),
            false => Ok(()),
        }
    }
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
    fn refuses_exponentially_nested_types_quickly() {
        for (levels, loads, fits) in [(12, 1, true), (12, 3000, false), (20, 0, false), (250, 0, false)] {
            let module = doubled(levels, loads);
            let found = super::super::validate::validate(&module, &super::super::spirv_val::Validator::BuiltIn);
            assert_eq!(found.is_ok(), fits, "{levels} levels, {loads} loads: {found:?}");
            if let Err(problem) = found {
                assert!(problem.to_string().contains("more than 16777216 steps"), "{problem}");
            }
        }
    }
}
