//! Which samplers the shaders compare depths with, and which they only sample with.

use std::collections::BTreeSet;

use super::resources::root;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Decoration, Op};
use lanescope_spirv::{EntryPoint, Module};

/// Samplers by set and binding, as far as it is known which one an instruction has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SamplerUses {
    compare: BTreeSet<(u32, u32)>,
    sample: BTreeSet<(u32, u32)>,
}

impl SamplerUses {
    /// Adds those of an entry point.
    pub fn add(&mut self, module: &Module, entry: &EntryPoint) {
        for function in module.reachable(entry) {
            for inst in module.insts_in(function.insts.clone()) {
                let Some(compares) = inst.op().and_then(compares) else { continue };
                let Some(place) = place(module, inst.id_at(3)) else { continue };
                let uses = if compares { &mut self.compare } else { &mut self.sample };
                uses.insert(place);
            }
        }
    }

    /// Whether a sampler is sampled with, and never compares.
    pub fn is_plain(&self, place: (u32, u32)) -> bool {
        self.sample.contains(&place) && !self.compare.contains(&place)
    }
}

/// Whether an instruction that samples compares with a reference; absent for all others.
fn compares(op: Op) -> Option<bool> {
    use Op::*;
    match op {
        ImageSampleImplicitLod
        | ImageSampleExplicitLod
        | ImageSampleProjImplicitLod
        | ImageSampleProjExplicitLod
        | ImageGather
        | ImageSparseSampleImplicitLod
        | ImageSparseSampleExplicitLod
        | ImageSparseSampleProjImplicitLod
        | ImageSparseSampleProjExplicitLod
        | ImageSparseGather => Some(false),
        ImageSampleDrefImplicitLod
        | ImageSampleDrefExplicitLod
        | ImageSampleProjDrefImplicitLod
        | ImageSampleProjDrefExplicitLod
        | ImageDrefGather
        | ImageSparseSampleDrefImplicitLod
        | ImageSparseSampleDrefExplicitLod
        | ImageSparseSampleProjDrefImplicitLod
        | ImageSparseSampleProjDrefExplicitLod
        | ImageSparseDrefGather => Some(true),
        _ => None,
    }
}

/// The sampler of a sampled image.
fn place(module: &Module, sampled: Id) -> Option<(u32, u32)> {
    let inst = module.def(sampled)?;
    let sampler = if inst.op() == Some(Op::SampledImage) { inst.id_at(4) } else { sampled };
    let variable = root(module, sampler)?;
    let number = |kind| module.decoration(variable, None, kind).unwrap_or(0);
    Some((number(Decoration::DescriptorSet), number(Decoration::Binding)))
}
