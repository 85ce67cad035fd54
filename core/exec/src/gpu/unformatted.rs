//! Storage images without a format, for devices that read or write none.

use lanescope_load::check_rewritten;
use lanescope_model::program::{Program, Validity};
use lanescope_passes::run::types::{Scalar, ScalarKind};
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Capability, ImageFormat, Op};

/// The features that such images need.
pub(super) const FEATURES: [&str; 2] = ["shaderStorageImageReadWithoutFormat", "shaderStorageImageWriteWithoutFormat"];

/// The program with the formats in it that a run binds its images with: the same reads and writes. None where no image
/// lacks its format, or SPIR-V does not allow the format in addition to the declared capabilities.
pub(super) fn with_formats(program: &Program) -> Option<Program> {
    let mut out = program.clone();
    let mut changed = false;
    for loaded in &mut out.modules {
        if let Some(module) = formatted(&loaded.module, &loaded.validity()) {
            loaded.module = module;
            changed = true;
        }
    }
    changed.then_some(out)
}

fn formatted(module: &Module, validity: &Validity) -> Option<Module> {
    let mut words = module.words().to_vec();
    let mut dropped = Vec::new();
    let mut any = false;
    for inst in module.insts() {
        let at = inst.word as usize;
        match inst.op() {
            Some(Op::TypeImage) if inst.word_at(7) == 2 && inst.word_at(8) == ImageFormat::Unknown as u32 => {
                let format = match Scalar::of(module, inst.id_at(2)).map(|scalar| scalar.kind) {
                    Some(ScalarKind::Float) => ImageFormat::Rgba32f,
                    Some(ScalarKind::Int) => ImageFormat::Rgba32i,
                    Some(ScalarKind::Uint) => ImageFormat::Rgba32ui,
                    None => return None,
                };
                *words.get_mut(at + 8)? = format as u32;
                any = true;
            }
            Some(Op::Capability) => {
                let without = [Capability::StorageImageReadWithoutFormat, Capability::StorageImageWriteWithoutFormat];
                if without.iter().any(|capability| *capability as u32 == inst.word_at(1)) {
                    dropped.push(at);
                }
            }
            _ => {}
        }
    }
    if !any {
        return None;
    }
    // From the back, so that the places of the others stay.
    for at in dropped.into_iter().rev() {
        words.drain(at..at + 2);
    }
    Module::parse(words).ok().filter(|module| check_rewritten(module, validity).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::formats;

    #[test]
    fn the_formats_are_those_that_runs_bind() {
        for (format, kind) in [
            (ImageFormat::Rgba32f, ScalarKind::Float),
            (ImageFormat::Rgba32i, ScalarKind::Int),
            (ImageFormat::Rgba32ui, ScalarKind::Uint),
        ] {
            let bound = formats::storage(ImageFormat::Unknown, kind).map(|format| format.format);
            assert_eq!(formats::storage(format, kind).map(|format| format.format), bound);
        }
    }
}
