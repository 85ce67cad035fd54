//! Derivatives in compute shaders: shader model 6.6 says by the workgroup's size which invocations form a quad, and Vulkan
//! by an execution mode, which glslang does not write for HLSL.

use lanescope_base::StageKind;
use lanescope_spirv::edit::push;
use lanescope_spirv::enums::{Capability, ExecutionMode, Op};
use lanescope_spirv::{EntryPoint, Module};

/// The words with the execution mode, where the profile has derivatives in compute shaders, the shader takes some, and its
/// size has quads; else as they are.
pub(super) fn with_derivative_group(words: Vec<u32>, profile: &str) -> Vec<u32> {
    if !has_derivatives(profile) {
        return words;
    }
    let Ok(module) = Module::parse(words.clone()) else { return words };
    let [entry] = module.entry_points() else { return words };
    let functions = module.reachable(entry);
    let mut insts = functions.iter().flat_map(|function| module.insts_in(function.insts.clone()));
    let is_taken = insts.any(|inst| inst.facts().derivative.is_some());
    match group(entry) {
        Some((mode, capability)) if is_taken => with(&module, entry, mode, capability),
        _ => words,
    }
}

/// Whether a profile is one of compute shaders of shader model 6.6 or later.
fn has_derivatives(profile: &str) -> bool {
    let mut parts = profile.split('_');
    let stage = parts.next();
    let mut number = || parts.next().and_then(|part| part.parse::<u32>().ok()).unwrap_or(0);
    stage == Some("cs") && (number(), number()) >= (6, 6)
}

/// The mode of a size, with its capability. Source: HLSL's specification, 'Shader Model 6.6, Derivatives'.
fn group(entry: &EntryPoint) -> Option<(ExecutionMode, Capability)> {
    if entry.stage != Some(StageKind::Compute) {
        return None;
    }
    match *entry.mode(ExecutionMode::LocalSize)? {
        [x, 1, 1] if x % 4 == 0 => {
            Some((ExecutionMode::DerivativeGroupLinearKHR, Capability::ComputeDerivativeGroupLinearKHR))
        }
        [x, y, _] if x % 2 == 0 && y % 2 == 0 => {
            Some((ExecutionMode::DerivativeGroupQuadsKHR, Capability::ComputeDerivativeGroupQuadsKHR))
        }
        _ => None,
    }
}

/// The words with a mode, its capability and their extension.
fn with(module: &Module, entry: &EntryPoint, mode: ExecutionMode, capability: Capability) -> Vec<u32> {
    let mut words = module.words().get(..5).unwrap_or_default().to_vec();
    let (mut declared, mut executed) = (false, false);
    // A text ends in a zero byte.
    let name: Vec<u32> = b"SPV_KHR_compute_shader_derivatives\0"
        .chunks(4)
        .map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)))
        .collect();
    let mut met_entry = false;
    for inst in module.insts() {
        if !declared && inst.op() != Some(Op::Capability) {
            push(&mut words, Op::Capability, &[capability as u32]);
            push(&mut words, Op::Extension, &name);
            declared = true;
        }
        let is_entry = inst.op() == Some(Op::EntryPoint);
        if met_entry && !is_entry && !executed {
            push(&mut words, Op::ExecutionMode, &[entry.function.0, mode as u32]);
            executed = true;
        }
        met_entry |= is_entry;
        words.extend(inst.words);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shader_model_6_6_has_derivatives_in_compute_shaders() {
        let has = ["cs_6_6", "cs_6_10", "cs_7_0"].map(has_derivatives);
        let lack = ["cs_6_5", "cs_5_0", "cs", "ps_6_6", ""].map(has_derivatives);
        assert_eq!((has, lack), ([true; 3], [false; 5]));
    }
}
