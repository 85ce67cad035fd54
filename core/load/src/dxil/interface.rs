//! The interface of stages that are linked by semantics, handed to the converter.

use dxil_spirv::Converter;
use dxil_spirv::binding::{VulkanShaderStageIo, VulkanShaderStageIoFlags};

use lanescope_dxil::metadata::EntryPoint;
use lanescope_model::dxil_interface::{InterfacePlace, Outputs};

fn converted(place: InterfacePlace) -> VulkanShaderStageIo {
    let flags = match place.per_primitive {
        true => VulkanShaderStageIoFlags::PerPrimitive,
        false => VulkanShaderStageIoFlags::None,
    };
    VulkanShaderStageIo { location: place.location, component: place.component, flags }
}

/// Counts how often a semantic was asked for before. The converter asks for control points first, then for patch constants.
fn asked() -> impl FnMut(&str, u32) -> usize {
    let mut all: Vec<(String, u32)> = Vec::new();
    move |semantic, index| {
        let key = (semantic.to_ascii_lowercase(), index);
        let before = all.iter().filter(|other| **other == key).count();
        all.push(key);
        before
    }
}

/// Sets the input locations of the next stage's converter. One that no stage outputs is moved after all that are, so
/// that it does not read what another semantic says.
pub(super) fn set_inputs(before: Outputs, next: &EntryPoint, converter: &mut Converter) {
    let own = [next.signatures.input.as_slice(), &next.signatures.patch].concat();
    let mut asked = asked();
    converter.set_stage_input_remapper(move |input| {
        let nth = asked(&input.semantic, input.semantic_index);
        Some(converted(before.place(&own, &input.semantic, input.semantic_index, nth)))
    });
}

/// Sets the output locations of this stage's converter, where it would not put them at their registers itself.
pub(super) fn set_outputs(own: Outputs, entry: &EntryPoint, converter: &mut Converter) {
    if matches!(&*entry.kind, "mesh" | "hull") {
        let mut asked = asked();
        converter.set_stage_output_remapper(move |output| {
            let nth = asked(&output.semantic, output.semantic_index);
            let place = converted(own.place(&[], &output.semantic, output.semantic_index, nth));
            Some(VulkanShaderStageIo { flags: VulkanShaderStageIoFlags::None, ..place })
        });
    }
}
