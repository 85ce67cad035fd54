//! Which samplers and images the shaders compare depths with, and which they only sample.

use std::collections::{BTreeMap, BTreeSet};

use super::descriptor_types::image_type;
use super::resources::{Binding, Kind, root};
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Decoration, Op};
use lanescope_spirv::opcode::ImageUse;
use lanescope_spirv::shape::ScalarKind;
use lanescope_spirv::{EntryPoint, Inst, Module};

/// Set and binding.
type Place = (u32, u32);

/// What instructions do with samplers and images, as far as it is known which ones they have. The type of an image may say
/// that it has depths, or leave it open: that alone decides nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SamplerUses {
    compare: BTreeSet<Place>,
    sample: BTreeSet<Place>,
    compared: BTreeSet<Place>,
    /// An instruction compares with a sampler of which the place is not known: it can be any.
    compares_with_any: bool,
}

impl SamplerUses {
    /// Adds those of an entry point.
    pub fn add(&mut self, module: &Module, entry: &EntryPoint) {
        for function in module.reachable(entry) {
            for inst in module.insts_in(function.insts.clone()) {
                let Some(compares) = compares(&inst) else { continue };
                let [image, sampler] = parts(module, inst.id_at(3)).map(|part| place(module, part));
                let uses = if compares { &mut self.compare } else { &mut self.sample };
                uses.extend(sampler);
                self.compares_with_any |= compares && sampler.is_none();
                self.compared.extend(image.filter(|_| compares));
            }
        }
    }

    /// Says of a binding what instructions say of its sampler and of its image.
    pub fn refine(&self, place: Place, binding: &mut Binding) {
        let compares = self.compare.contains(&place);
        let only_samples = self.sample.contains(&place) && !self.compares_with_any;
        binding.compares = (compares || only_samples).then_some(compares);
        match &mut binding.kind {
            Kind::Sampled(image) | Kind::Combined(image) => image.depth |= self.compared.contains(&place),
            Kind::Sampler { compare, nearest, .. } => {
                *compare = binding.compares.unwrap_or(*compare);
                *nearest |= *compare;
            }
            _ => {}
        }
    }

    /// Says of separate samplers what the images ask of them that they are combined with.
    pub fn refine_samplers(&self, module: &Module, entry: &EntryPoint, found: &mut BTreeMap<Place, Binding>) {
        for function in module.reachable(entry) {
            for inst in module.insts_in(function.insts.clone()).filter(|inst| inst.op() == Some(Op::SampledImage)) {
                let Some(image) = module.type_of(inst.id_at(3)).and_then(|ty| image_type(module, ty).ok()) else {
                    continue;
                };
                let depth = image.depth || place(module, inst.id_at(3)).is_some_and(|at| self.compared.contains(&at));
                let kind = place(module, inst.id_at(4)).and_then(|place| found.get_mut(&place));
                if let Some(Kind::Sampler { compare, nearest, integers }) = kind.map(|binding| &mut binding.kind) {
                    let own = image.kind != ScalarKind::Float;
                    *compare |= image.depth;
                    *nearest |= depth || own;
                    *integers = Some(integers.unwrap_or(own) || own);
                }
            }
        }
    }
}

/// Whether an instruction that samples compares with a reference; absent for all others.
fn compares(inst: &Inst<'_>) -> Option<bool> {
    let facts = inst.facts();
    matches!(facts.image, Some(ImageUse::Sample | ImageUse::Gather)).then_some(facts.compares)
}

/// The image and the sampler of a sampled image.
fn parts(module: &Module, sampled: Id) -> [Id; 2] {
    match module.def(sampled).filter(|inst| inst.op() == Some(Op::SampledImage)) {
        Some(inst) => [inst.id_at(3), inst.id_at(4)],
        None => [sampled; 2],
    }
}

/// Where the variable of a loaded value is.
fn place(module: &Module, value: Id) -> Option<Place> {
    let variable = root(module, value)?;
    let number = |kind| module.decoration(variable, None, kind).unwrap_or(0);
    Some((number(Decoration::DescriptorSet), number(Decoration::Binding)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::resources::Resources;
    use lanescope_model::program::StageKind;
    use lanescope_testing::glsl;

    fn compares(color: &str) -> Vec<Option<bool>> {
        let module = glsl(
            StageKind::Fragment,
            &format!(
                "layout(binding = 0) uniform sampler s; layout(binding = 1) uniform samplerShadow c;
                layout(binding = 2) uniform texture2D t; layout(location = 0) out vec4 o;
                float with(samplerShadow p) {{ return texture(sampler2DShadow(t, p), vec3(0)); }}
                void main() {{ o = texture(sampler2D(t, s), vec2(0)) + {color}; }}"
            ),
        );
        let entry = module.entry_points().first().expect("an entry point");
        let resources = Resources::of(&[(&module, entry)]).expect("bindings");
        let samplers = resources.bindings.iter().filter(|binding| matches!(binding.kind, Kind::Sampler { .. }));
        samplers.map(|binding| binding.compares).collect()
    }

    #[test]
    fn a_sampler_that_is_not_known_can_be_any() {
        let direct = "texture(sampler2DShadow(t, c), vec3(0))";
        assert_eq!(compares(direct), [Some(false), Some(true)]);
        assert_eq!(compares("with(c)"), [None, None], "the function compares with what it is given");
        assert_eq!(compares(&format!("with(c) + {direct}")), [None, Some(true)]);
    }
}
