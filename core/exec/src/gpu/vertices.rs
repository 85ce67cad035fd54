//! Vertex buffers as a description lays them out: the scene's values, encoded in the described formats.

use std::collections::BTreeMap;

use super::scene::{self, Slot, VERTICES};
use lanescope_base::half;
use lanescope_pipeline::vulkan::VkFormat;
use lanescope_pipeline::{VertexAttribute, VertexInput};
use lanescope_spirv::shape::ScalarKind;

/// The most bytes of one buffer.
const MAX_BYTES: u64 = 1 << 20;

/// How the numbers of a format are stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Numbers {
    Unorm,
    Snorm,
    Uscaled,
    Sscaled,
    Uint,
    Sint,
    #[default]
    Sfloat,
}

impl Numbers {
    /// What a shader sees of them.
    pub fn kind(self) -> ScalarKind {
        match self {
            Numbers::Uint => ScalarKind::Uint,
            Numbers::Sint => ScalarKind::Int,
            _ => ScalarKind::Float,
        }
    }
}

/// The channels of a format in memory order, each its place among red, green, blue, alpha and its bits; how they are
/// stored. None for formats whose channels are not whole bytes.
pub(super) fn channels(format: VkFormat) -> Option<(Vec<(usize, u32)>, Numbers)> {
    let (head, numbers) = format.name()?.split_once('_')?;
    let numbers = match numbers {
        "UNORM" => Numbers::Unorm,
        "SNORM" => Numbers::Snorm,
        "USCALED" => Numbers::Uscaled,
        "SSCALED" => Numbers::Sscaled,
        "UINT" => Numbers::Uint,
        "SINT" => Numbers::Sint,
        "SFLOAT" => Numbers::Sfloat,
        _ => return None,
    };
    let mut out = Vec::new();
    let mut rest = head;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.get(1..)?;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let bits: u32 = digits.get(..end)?.parse().ok()?;
        if !matches!(bits, 8 | 16 | 32) || (numbers == Numbers::Sfloat && bits == 8) {
            return None;
        }
        out.push(("RGBA".find(letter)?, bits));
        rest = digits.get(end..)?;
    }
    Some((out, numbers))
}

/// The bits of a value in a channel.
fn encode(value: f64, bits: u32, numbers: Numbers) -> u32 {
    let all = (1u64 << bits) - 1;
    let half = (all >> 1) as f64;
    let mask = all as u32;
    // A conversion of a float to an integer saturates.
    match numbers {
        Numbers::Unorm => (value.clamp(0.0, 1.0) * all as f64).round() as u32,
        Numbers::Snorm => (value.clamp(-1.0, 1.0) * half).round() as i32 as u32 & mask,
        Numbers::Uscaled | Numbers::Uint => value.clamp(0.0, all as f64) as u32,
        Numbers::Sscaled | Numbers::Sint => value.clamp(-half - 1.0, half) as i32 as u32 & mask,
        Numbers::Sfloat if bits == 16 => u32::from(half::toward_zero(value)),
        Numbers::Sfloat => (value as f32).to_bits(),
    }
}

/// Why the scene's values cannot be laid out as an input says; `Ok` where they can.
pub(super) fn fits(input: &VertexInput) -> Result<(), String> {
    for attribute in &input.attributes {
        if channels(attribute.format).is_none() {
            return Err(format!("attributes of format {} are not supported", attribute.format));
        }
    }
    for binding in &input.bindings {
        if binding.divisor.is_some_and(|divisor| divisor != 1) {
            return Err(format!("binding {} has a divisor, which is not supported", binding.binding));
        }
        if bytes(input, binding.binding, binding.stride) > MAX_BYTES {
            return Err(format!("vertices of {} bytes are too large", binding.stride));
        }
    }
    Ok(())
}

fn bytes(input: &VertexInput, binding: u32, stride: u32) -> u64 {
    let own = input.attributes.iter().filter(|attribute| attribute.binding == binding);
    let end = own.map(|attribute| u64::from(attribute.offset).saturating_add(16)).max().unwrap_or(16);
    (VERTICES.len() as u64 - 1).saturating_mul(u64::from(stride)).saturating_add(end)
}

/// The buffers of an input that [`fits`], by binding. Attributes that lie over each other are written in their order.
pub(super) fn buffers(input: &VertexInput, slots: &[Slot], position: Option<u32>, seed: u64) -> BTreeMap<u32, Vec<u8>> {
    let mut out = BTreeMap::new();
    for binding in &input.bindings {
        // Its size was checked.
        let mut buffer = vec![0; bytes(input, binding.binding, binding.stride) as usize];
        let own = |attribute: &&VertexAttribute| attribute.binding == binding.binding;
        for attribute in input.attributes.iter().filter(own) {
            let Some((channels, numbers)) = channels(attribute.format) else { continue };
            let slot = slots.iter().find(|slot| slot.location == attribute.location);
            let kind = slot.map_or(ScalarKind::Float, |slot| slot.kind);
            for vertex in 0..VERTICES.len() {
                let is_position = slot.is_some_and(|slot| Some(slot.location) == position);
                let whole = slot.is_some_and(|slot| slot.components == 4);
                let place = is_position.then_some(whole && channels.len() == 4);
                let values = scene::values(vertex, attribute.location, kind, place, seed);
                let mut at = vertex as u64 * u64::from(binding.stride) + u64::from(attribute.offset);
                for (channel, bits) in &channels {
                    let word = encode(values[*channel], *bits, numbers).to_le_bytes();
                    for byte in word.iter().take((*bits / 8) as usize) {
                        if let Some(cell) = usize::try_from(at).ok().and_then(|at| buffer.get_mut(at)) {
                            *cell = *byte;
                        }
                        at += 1;
                    }
                }
            }
        }
        out.insert(binding.binding, buffer);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_pipeline::VertexBinding;

    fn format(name: &str) -> VkFormat {
        VkFormat::named(name).expect("a format")
    }

    #[test]
    fn reads_channels_from_format_names() {
        assert_eq!(channels(format("R32G32_SFLOAT")), Some((vec![(0, 32), (1, 32)], Numbers::Sfloat)));
        let swapped = Some((vec![(2, 8), (1, 8), (0, 8), (3, 8)], Numbers::Unorm));
        assert_eq!(channels(format("B8G8R8A8_UNORM")), swapped);
        for name in ["A2B10G10R10_UNORM_PACK32", "R64_SFLOAT", "D32_SFLOAT", "BC1_RGB_UNORM_BLOCK", "R8G8B8A8_SRGB"] {
            assert_eq!(channels(format(name)), None, "{name}");
        }
        // Whatever the table holds, nothing falls over.
        VkFormat::NAMES.iter().for_each(|(value, _)| drop(channels(VkFormat(*value))));
    }

    #[test]
    fn stores_values_in_vulkan_formats() {
        for (value, bits, numbers, expected) in [
            (1.0, 8, Numbers::Unorm, 255),
            (-0.5, 8, Numbers::Unorm, 0),
            (-1.0, 8, Numbers::Snorm, 0x81),
            (0.5, 16, Numbers::Snorm, 0x4000),
            (63.0, 16, Numbers::Uint, 63),
            (-2.0, 16, Numbers::Sscaled, 0xfffe),
            (1.5, 16, Numbers::Sfloat, 0x3e00),
            (1.5, 32, Numbers::Sfloat, 0x3fc0_0000),
            (1.0, 32, Numbers::Unorm, u32::MAX),
        ] {
            assert_eq!(encode(value, bits, numbers), expected, "{value} {bits} {numbers:?}");
        }
    }

    #[test]
    fn an_input_is_filled_by_its_offsets_and_strides() {
        let slot = |location, components| Slot { location, kind: ScalarKind::Float, bits: 32, components, name: None };
        let slots = [slot(0, 2), slot(1, 4)];
        let attribute =
            |location, binding, name: &str, offset| VertexAttribute { location, binding, format: format(name), offset };
        let binding = |binding, stride| VertexBinding { binding, stride, ..VertexBinding::default() };
        let input = VertexInput {
            from: "line 1".to_owned(),
            bindings: vec![binding(0, 12), binding(3, 0)],
            attributes: vec![
                attribute(0, 0, "R32G32_SFLOAT", 4),
                attribute(1, 3, "R8G8B8A8_UNORM", 0),
                attribute(9, 0, "R32_UINT", 0),
            ],
        };
        assert_eq!(fits(&input), Ok(()));
        let buffers = buffers(&input, &slots, Some(0), 7);
        assert_eq!(buffers.keys().copied().collect::<Vec<_>>(), [0, 3]);
        for (index, vertex) in VERTICES.iter().enumerate() {
            let at = index * 12 + 4;
            assert_eq!(buffers[&0][at..at + 4], vertex[0].to_le_bytes());
            assert_eq!(buffers[&0][at + 4..at + 8], vertex[1].to_le_bytes());
        }
        assert!(buffers[&3].len() >= 4, "all vertices share one");
        let wide = VertexInput { bindings: vec![binding(0, u32::MAX)], ..input.clone() };
        assert!(fits(&wide).is_err());
        let odd = VertexInput { attributes: vec![attribute(0, 0, "A2B10G10R10_UNORM_PACK32", 0)], ..input };
        assert!(fits(&odd).is_err_and(|why| why.contains("A2B10G10R10")));
    }
}
