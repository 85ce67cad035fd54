//! Which of two names a device has for derivatives in compute shaders.
//!
//! `SPV_NV_compute_shader_derivatives` became `SPV_KHR_compute_shader_derivatives`, with the same capabilities and execution
//! modes. A module may declare one where the device enables the other; the declaration is all that differs.

use std::borrow::Cow;

use rspirv::spirv::Op;

use super::{Device, GpuError};
use lanescope_spirv::Module;

/// The extension's name in Vulkan and in SPIR-V, by who made it.
const NAMES: [(&std::ffi::CStr, &str); 2] = [
    (c"VK_KHR_compute_shader_derivatives", "SPV_KHR_compute_shader_derivatives"),
    (c"VK_NV_compute_shader_derivatives", "SPV_NV_compute_shader_derivatives"),
];

/// The module with the name that the device enables.
///
/// # Errors
/// The changed module does not parse, which cannot happen for a valid module.
pub(super) fn for_device<'m>(device: &Device, module: &'m Module) -> Result<Cow<'m, Module>, GpuError> {
    match NAMES.iter().find(|(vulkan, _)| device.has(vulkan)) {
        Some((_, spirv)) => named(module, spirv),
        None => Ok(Cow::Borrowed(module)),
    }
}

fn named<'m>(module: &'m Module, wanted: &str) -> Result<Cow<'m, Module>, GpuError> {
    let is_other = |name: &str| name != wanted && NAMES.iter().any(|(_, spirv)| *spirv == name);
    let is_declared =
        |inst: &lanescope_spirv::Inst<'_>| inst.op() == Some(Op::Extension) && is_other(&inst.string_at(1).0);
    if !module.globals().any(|inst| is_declared(&inst)) {
        return Ok(Cow::Borrowed(module));
    }
    let mut words: Vec<u32> = module.words().iter().take(5).copied().collect();
    for inst in module.insts() {
        if is_declared(&inst) {
            let mut bytes = wanted.as_bytes().to_vec();
            bytes.resize((bytes.len() / 4 + 1) * 4, 0);
            let count = u32::try_from(bytes.len() / 4 + 1).unwrap_or(u32::MAX);
            words.push(count << 16 | Op::Extension as u32);
            words.extend(bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])));
        } else {
            words.extend_from_slice(inst.words);
        }
    }
    let module = Module::parse(words).map_err(|error| GpuError::Unusable(error.to_string()))?;
    Ok(Cow::Owned(module))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_load::{check, load};

    #[test]
    fn renames_only_the_extension_declaration() {
        let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/quad_derivatives.comp");
        let program = load(&[sample], &[]).expect("a sample");
        let module = &program.modules[0].module;
        let declared = |module: &Module| {
            let names = module.globals().filter(|inst| inst.op() == Some(Op::Extension));
            names.map(|inst| inst.string_at(1).0).collect::<Vec<_>>()
        };
        let [khr, nv] = NAMES.map(|(_, spirv)| named(module, spirv).expect("parses").into_owned());
        assert_eq!(declared(&khr), ["SPV_KHR_compute_shader_derivatives"]);
        assert_eq!(declared(&nv), ["SPV_NV_compute_shader_derivatives"]);
        assert_eq!(named(&khr, NAMES[1].1).expect("parses").words(), nv.words());
        check(&khr).expect("the validator takes it");
    }
}
