//! Storage images without a format, for devices that read or write none.

use lanescope_load::check_rewritten;
use lanescope_model::program::{Program, Validity};
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Capability, Dim, ImageFormat, Op};
use lanescope_spirv::shape::{Scalar, ScalarKind};

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
            // Subpass inputs have no format, and need none.
            Some(Op::TypeImage)
                if inst.word_at(7) == 2
                    && inst.word_at(3) != Dim::DimSubpassData as u32
                    && inst.word_at(8) == ImageFormat::Unknown as u32 =>
            {
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
    use lanescope_model::program::StageKind;

    use super::*;
    use crate::gpu::formats;

    #[test]
    fn what_breaks_a_rule_is_not_taken() {
        let module = |declared: &str, extra: &str| {
            let source = format!(
                "{declared}layout(location = 0) out vec4 color;\n\
                 layout(binding = 0) uniform writeonly image2D target;\n\
                 void main() {{ imageStore(target, ivec2(0), vec4(1)); color = vec4(0){extra}; }}\n"
            );
            lanescope_testing::glsl(StageKind::Fragment, &source)
        };
        let input = "layout(input_attachment_index = 0, binding = 1) uniform subpassInput last;\n";
        for (declared, extra) in [("", ""), (input, " + subpassLoad(last)")] {
            let made = formatted(&module(declared, extra), &Validity::default()).expect("is made");
            assert!(check_rewritten(&made, &Validity::default()).is_ok());
        }
        let whole = module("", "");
        let mode = whole.insts().find(|inst| inst.op() == Some(Op::ExecutionMode)).expect("an origin").word as usize;
        let mut words = whole.words().to_vec();
        words.drain(mode..mode + 3);
        let broken = Module::parse(words).expect("a module");
        assert!(formatted(&broken, &Validity::default()).is_none());
    }

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
