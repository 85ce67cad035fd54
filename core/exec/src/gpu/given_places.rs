//! Inputs for descriptors that no shader has, or that cannot be what the shader has.

use super::GpuError;
use super::resources::{Kind, Resources};
use lanescope_base::text_format::counted;
use lanescope_run::fill::ADDRESS_SET;
use lanescope_run::inputs::{Content, GivenSampler, Inputs};
use lanescope_spirv::enums::Dim;
use lanescope_spirv::shape::ScalarKind;

impl Resources {
    /// Refuses contents that are given for places that no shader has, and samplers that the shaders' images cannot have.
    pub fn check(&self, inputs: &Inputs) -> Result<(), GpuError> {
        for given in &inputs.samplers {
            self.check_sampler(given, inputs)?;
        }
        for given in &inputs.buffers {
            if given.set == ADDRESS_SET && inputs.addressed.iter().any(|known| known.number == given.binding) {
                continue;
            }
            let at = self.bindings.iter().find(|b| (b.set, b.binding) == (given.set, given.binding));
            let place = format!("set{}.binding{}", given.set, given.binding);
            match at.map(|binding| &binding.kind) {
                // Texels of a size are those of a texel buffer.
                Some(Kind::UniformTexel(_) | Kind::StorageTexel(_)) => {}
                Some(Kind::Uniform(_) | Kind::Storage(_)) => {
                    if matches!(given.content, Content::Image(_)) {
                        return Err(GpuError::Unusable(format!("{place} is a buffer; it has no texels")));
                    }
                }
                Some(Kind::Sampler { .. }) => {
                    return Err(GpuError::Unusable(format!("{place} is a sampler; its contents cannot be set")));
                }
                Some(_) if matches!(given.content, Content::Size(_)) => {
                    return Err(GpuError::Unusable(format!("{place} is an image; its size cannot be set")));
                }
                Some(_) => {}
                None if inputs.spare => {}
                None => return Err(self.not_used(&place)),
            }
        }
        Ok(())
    }

    fn not_used(&self, place: &str) -> GpuError {
        let known: Vec<_> = self.bindings.iter().map(|b| format!("set{}.binding{}", b.set, b.binding)).collect();
        let known = if known.is_empty() { "no descriptors".to_owned() } else { known.join(", ") };
        GpuError::Unusable(format!("the shader does not use {place}; it uses {known}"))
    }

    fn check_sampler(&self, given: &GivenSampler, inputs: &Inputs) -> Result<(), GpuError> {
        let place = format!("set{}.binding{}", given.set, given.binding);
        let wrong = |why: String| Err(GpuError::Unusable(format!("{place}: {why}")));
        let state = given.state;
        if let Err(why) = state.check() {
            return wrong(why);
        }
        let at = self.bindings.iter().find(|b| (b.set, b.binding) == (given.set, given.binding));
        if let (Some(binding), Some(element)) = (at.filter(|_| !inputs.spare), given.element)
            && element >= binding.count
        {
            return wrong(format!("there is no element {element}: it has {}", counted(binding.count, "descriptor")));
        }
        let (compare, integers) = match at.map(|binding| &binding.kind) {
            Some(Kind::Combined(image)) => {
                let compares = at.and_then(|binding| binding.compares);
                (compares.unwrap_or(image.depth), Some(image.kind != ScalarKind::Float))
            }
            Some(Kind::Sampler { compare, integers, .. }) => (*compare, *integers),
            Some(other) => return wrong(format!("it is {}, and has no sampler", other.about())),
            None if inputs.spare => return Ok(()),
            None => return Err(self.not_used(&place)),
        };
        if compare && state.compare.is_none() {
            return wrong("the shader compares depths, and the sampler does not".to_owned());
        }
        if state.compare.is_some() && at.and_then(|binding| binding.compares) == Some(false) {
            let why = "the sampler compares, and the shader samples with no reference: implementations differ";
            return wrong(why.to_owned());
        }
        if state.unnormalized
            && let Some(Kind::Combined(image)) = at.map(|binding| &binding.kind)
        {
            let content = inputs.given(given.set, given.binding, given.element.unwrap_or(0));
            let one_level = matches!(content, Some(Content::Image(contents)) if contents.levels == 1);
            if !one_level || image.arrayed || !matches!(image.dim, Dim::Dim1D | Dim::Dim2D) {
                let needs = "an image of one or two dimensions that is given with one level";
                return wrong(format!("coordinates that count texels need {needs}"));
            }
        }
        if integers == Some(true) && state.is_linear() {
            return wrong("a linear filter, and the image has integers".to_owned());
        }
        let border = state.border_color().filter(|_| state.has_border());
        if let (Some((of_integers, _)), Some(integers)) = (border, integers)
            && of_integers != integers
        {
            let numbers = if integers { "integers" } else { "floating-point numbers" };
            return wrong(format!(
                "the border color {}, and the image has {numbers}: Vulkan leaves it undefined",
                state.border
            ));
        }
        Ok(())
    }
}
