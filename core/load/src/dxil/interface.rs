//! The interface of stages that are linked by semantics, handed to the converter.

use std::collections::BTreeMap;

use dxil_spirv::Converter;
use dxil_spirv::binding::{VulkanShaderStageIo, VulkanShaderStageIoFlags};

use lanescope_dxil::metadata::{EntryPoint, SignatureElement, Signatures};
use lanescope_model::dxil_interface::{InterfacePlace, Outputs, Semantic};

fn converted(place: InterfacePlace) -> VulkanShaderStageIo {
    let flags = match place.per_primitive {
        true => VulkanShaderStageIoFlags::PerPrimitive,
        false => VulkanShaderStageIoFlags::None,
    };
    VulkanShaderStageIo { location: place.location, component: place.component, flags }
}

/// Whether a request of the converter is for a patch constant. It asks for each element of one signature first, then for those of the patch
/// constants; which one it means it does not say.
fn requests(first: &[SignatureElement]) -> impl FnMut(&str, u32) -> bool + use<> {
    let key = |semantic: &str, index: u32| (semantic.to_ascii_lowercase(), index);
    let mut left: BTreeMap<(String, u32), usize> = BTreeMap::new();
    for element in first {
        let index = element.indices.first().copied().unwrap_or_default();
        *left.entry(key(&element.semantic, index)).or_default() += 1;
    }
    move |semantic, index| match left.get_mut(&key(semantic, index)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    }
}

/// Sets the input locations of the next stage's converter. One that no stage outputs is moved after all that are, so
/// that it does not read what another semantic says.
pub(super) fn set_inputs(before: Outputs, next: &EntryPoint, converter: &mut Converter) {
    let own = next.signatures.clone();
    let mut is_patch = requests(&own.input);
    converter.set_stage_input_remapper(move |input| {
        let patch = is_patch(&input.semantic, input.semantic_index);
        let wanted = Semantic { name: &input.semantic, index: input.semantic_index, patch };
        Some(converted(before.place(&own, wanted)))
    });
}

/// Sets the output locations of this stage's converter, where it would not put them at their registers itself.
pub(super) fn set_outputs(own: Outputs, entry: &EntryPoint, converter: &mut Converter) {
    if matches!(&*entry.kind, "mesh" | "hull") {
        let mut is_patch = requests(&entry.signatures.output);
        converter.set_stage_output_remapper(move |output| {
            let patch = is_patch(&output.semantic, output.semantic_index);
            let wanted = Semantic { name: &output.semantic, index: output.semantic_index, patch };
            let place = converted(own.place(&Signatures::default(), wanted));
            Some(VulkanShaderStageIo { flags: VulkanShaderStageIoFlags::None, ..place })
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(semantic: &str, index: u32) -> SignatureElement {
        SignatureElement {
            semantic: semantic.to_owned(),
            indices: vec![index],
            kind: "none".into(),
            rows: 1,
            columns: 1,
            register: Some(0),
            ..SignatureElement::default()
        }
    }

    #[test]
    fn what_the_first_signature_lacks_is_of_a_patch_constant() {
        let mut is_patch = requests(&[element("UV", 0), element("Fog", 1)]);
        assert!(is_patch("UV", 1) && is_patch("COLOR", 0));
        assert!(!is_patch("uv", 0) && !is_patch("FOG", 1));
        assert!(is_patch("UV", 0) && is_patch("Fog", 1));
    }
}
