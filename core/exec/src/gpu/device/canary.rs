//! Proof that a device executes what it is given, before any of its results counts.
//!
//! A kernel driver may accept every submission and do nothing, as those of `mesa-drm-shim` do: fences are signalled, and
//! memory stays as it was. Two such runs are equal, and neither ran. So the first submission to a device is a compute
//! shader whose results are known.

use std::sync::OnceLock;
use std::time::Duration;

use super::{Device, DeviceOptions, with_device};
use crate::gpu::{Content, Given, GpuError, Inputs, Needs, run_compute};
use lanescope_load::compile_own;
use lanescope_model::program::StageKind;
use lanescope_run::Blob;
use lanescope_spirv::Module;

/// Whether a device was seen to execute a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// Nothing was submitted yet.
    None,
    /// The shader is being run.
    Underway,
    /// It did.
    Executes,
}

impl Proof {
    /// The time limit of a submission. That of a run is not one of the proof, which takes longer where a driver starts
    /// slowly.
    pub fn limit(self, of_run: Duration) -> Duration {
        match self {
            Proof::Underway => of_run.max(LEAST),
            Proof::None | Proof::Executes => of_run,
        }
    }
}

/// The least time limit of the proof.
const LEAST: Duration = Duration::from_secs(5);

/// Words that the shader changes.
const WORDS: u32 = 64;
/// What each word is multiplied with: odd, so that different words stay different.
const FACTOR: u32 = 0x9e37_79b1;

/// Whether a device executes shaders: runs one of which the results are known.
///
/// # Errors
/// [`GpuError::NotExecuting`]; those of [`with_device`].
pub fn executes(options: &DeviceOptions) -> Result<(), GpuError> {
    with_device(&Needs::default(), options, prove).map(|_| ())
}

/// Runs the shader, once for a device.
///
/// # Errors
/// [`GpuError::NotExecuting`]; what the calls return.
pub(super) fn prove(device: &Device) -> Result<(), GpuError> {
    if device.proof.get() != Proof::None {
        return Ok(());
    }
    device.proof.set(Proof::Underway);
    let written = written(device);
    device.proof.set(if written.is_ok() { Proof::Executes } else { Proof::None });
    written
}

fn written(device: &Device) -> Result<(), GpuError> {
    let internal = |why: &str| GpuError::NotRun(format!("internal error: {why}; please report it"));
    let module = module().map_err(|log| internal(&format!("the first shader does not compile: {log}")))?;
    let entry = module.entry_points().first().ok_or_else(|| internal("the first shader has no entry point"))?;
    let before: Vec<u8> = (0..WORDS).flat_map(|word| given(word).to_le_bytes()).collect();
    let inputs = Inputs {
        buffers: vec![Given { set: 0, binding: 0, element: None, content: Content::Bytes(Blob(before)) }],
        ..Inputs::default()
    };
    let execution = run_compute(device, module, entry, Some([1, 1, 1]), &inputs, None)
        .map_err(|error| GpuError::NotProven(Box::new(error)))?;
    let after = execution.contents("set0.binding0").chunks_exact(4);
    let arrived =
        (0..WORDS).zip(after).filter(|(word, bytes)| *bytes == expected(*word).to_le_bytes().as_slice()).count();
    match arrived == WORDS as usize {
        true => Ok(()),
        false => Err(GpuError::NotExecuting { device: device.info.name.clone(), arrived, expected: WORDS as usize }),
    }
}

fn given(word: u32) -> u32 {
    0x5a5a_0000 | word
}

fn expected(word: u32) -> u32 {
    given(word).wrapping_mul(FACTOR).wrapping_add(word)
}

fn module() -> Result<&'static Module, String> {
    static MODULE: OnceLock<Result<Module, String>> = OnceLock::new();
    let compiled = MODULE.get_or_init(|| {
        let text = format!(
            "#version 460\nlayout(local_size_x = {WORDS}) in;\n\
             layout(set = 0, binding = 0, std430) buffer Words {{ uint words[]; }};\n\
             void main() {{\n\
             uint at = gl_LocalInvocationIndex;\n\
             words[at] = words[at] * {FACTOR}u + at;\n\
             }}\n"
        );
        compile_own(&text, StageKind::Compute)
    });
    compiled.as_ref().map_err(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::testing;

    #[test]
    fn memory_that_nothing_changed_is_no_proof() {
        let words: std::collections::BTreeSet<u32> =
            (0..WORDS).flat_map(|word| [given(word), expected(word), 0]).collect();
        assert_eq!(words.len(), 2 * WORDS as usize + 1, "no result is there before");
    }

    #[test]
    fn a_device_that_executes_shaders_is_proven_once() {
        let used = with_device(&Needs::default(), &testing::device(), |device| {
            assert_eq!(device.proof.get(), Proof::None);
            prove(device)?;
            Ok(device.proof.get())
        });
        assert_eq!(used.expect("it executes").value, Proof::Executes);
    }
}
