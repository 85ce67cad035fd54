//! Input attachments: a fragment shader reads them at its own pixel. Pipelines that have some are made for a render pass,
//! since dynamic rendering in Vulkan 1.3 has none.

use std::collections::BTreeMap;

use ash::vk;

use super::GpuError;
use super::pipeline::GraphicsState;
use super::resources::OPEN_DESCRIPTORS;
use lanescope_spirv::enums::{Decoration, Op};
use lanescope_spirv::{EntryPoint, Module, Type};

/// Indices of input attachments: more than a shader of any application has.
const MOST: u32 = 64;

/// An input attachment that a fragment shader reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InputAttachment {
    /// Its index in the subpass.
    pub index: u32,
    pub format: vk::Format,
    pub multisampled: bool,
}

/// The input attachments of a fragment shader, by index.
///
/// # Errors
/// Indices beyond what is made here.
pub(crate) fn inputs(module: &Module, entry: &EntryPoint) -> Result<Vec<InputAttachment>, GpuError> {
    let used = module.ids_used_by(entry);
    let mut out = BTreeMap::new();
    for inst in module.globals().filter(|inst| inst.is_variable()) {
        let Some(id) = inst.result().filter(|id| used.contains(id)) else { continue };
        let Some(first) = module.decoration(id, None, Decoration::InputAttachmentIndex) else { continue };
        let Some(mut ty) = module.pointee(id) else { continue };
        let mut count = 1u32;
        loop {
            let (element, length) = match module.ty(ty) {
                Some(Type::Array { element, length }) => (element, module.array_length(length).unwrap_or(1)),
                Some(Type::RuntimeArray { element }) => (element, OPEN_DESCRIPTORS),
                _ => break,
            };
            (ty, count) = (element, count.saturating_mul(length));
        }
        let Some(image) = module.def(ty).filter(|image| image.op() == Some(Op::TypeImage)) else { continue };
        let format = match module.ty(image.id_at(2)) {
            Some(Type::Int { signed: true, .. }) => vk::Format::R32G32B32A32_SINT,
            Some(Type::Int { .. }) => vk::Format::R32G32B32A32_UINT,
            _ => vk::Format::R32G32B32A32_SFLOAT,
        };
        let end = first.saturating_add(count);
        if end > MOST {
            let (needed, limit) = (u64::from(end), u64::from(MOST));
            return Err(GpuError::TooLarge { what: "the input attachments (indices)".to_owned(), needed, limit });
        }
        let multisampled = image.word_at(6) != 0;
        out.extend((first..end).map(|index| (index, InputAttachment { index, format, multisampled })));
    }
    Ok(out.into_values().collect())
}

/// A render pass of one subpass.
pub(super) struct RenderPass<'v> {
    vk: &'v ash::Device,
    pub handle: vk::RenderPass,
}

impl<'v> RenderPass<'v> {
    /// The one that a pipeline is made for; none where it has no input attachment.
    pub fn of(vk: &'v ash::Device, state: &GraphicsState<'_>) -> Result<Option<RenderPass<'v>>, GpuError> {
        let Some(last) = state.inputs.last() else { return Ok(None) };
        let mut attachments = Vec::new();
        let mut add = |format: vk::Format, samples: vk::SampleCountFlags, layout: vk::ImageLayout| {
            if format == vk::Format::UNDEFINED {
                return vk::AttachmentReference::default().attachment(vk::ATTACHMENT_UNUSED);
            }
            let description = vk::AttachmentDescription::default().format(format).samples(samples);
            let general = vk::ImageLayout::GENERAL;
            attachments.push(description.initial_layout(general).final_layout(general));
            vk::AttachmentReference::default().attachment(attachments.len() as u32 - 1).layout(layout)
        };
        let many = match state.samples {
            vk::SampleCountFlags::TYPE_1 => vk::SampleCountFlags::TYPE_4,
            samples => samples,
        };
        let inputs: Vec<_> = (0..=last.index)
            .map(|index| {
                let known = state.inputs.iter().find(|input| input.index == index);
                let format = known.map_or(vk::Format::UNDEFINED, |input| input.format);
                let samples =
                    if known.is_some_and(|input| input.multisampled) { many } else { vk::SampleCountFlags::TYPE_1 };
                add(format, samples, vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL)
            })
            .collect();
        let layout = vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL;
        let colors: Vec<_> = state.colors.iter().map(|color| add(color.format, state.samples, layout)).collect();
        let format = if state.depth == vk::Format::UNDEFINED { state.stencil } else { state.depth };
        let depth = add(format, state.samples, vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
        let mut subpass = vk::SubpassDescription::default().input_attachments(&inputs).color_attachments(&colors);
        if depth.attachment != vk::ATTACHMENT_UNUSED {
            subpass = subpass.depth_stencil_attachment(&depth);
        }
        let subpasses = [subpass];
        let create = vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(&subpasses);
        // SAFETY: the device is alive; everything that `create` points to lives through the call.
        let handle = unsafe { vk.create_render_pass(&create, None) }.map_err(GpuError::call("vkCreateRenderPass"))?;
        Ok(Some(RenderPass { vk, handle }))
    }
}

impl Drop for RenderPass<'_> {
    fn drop(&mut self) {
        // SAFETY: destroyed once; pipelines do not need it after they are made.
        unsafe { self.vk.destroy_render_pass(self.handle, None) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::program::StageKind;

    #[test]
    fn arrays_take_consecutive_indices() {
        let source = "layout(input_attachment_index = 1, binding = 0) uniform subpassInput a;
            layout(input_attachment_index = 2, binding = 1) uniform usubpassInputMS b[2];
            layout(input_attachment_index = 9, binding = 2) uniform subpassInput unused;
            layout(location = 0) out vec4 o;
            void main() { o = subpassLoad(a) + vec4(subpassLoad(b[1], 0)); }";
        let module = lanescope_testing::glsl(StageKind::Fragment, source);
        let found = inputs(&module, &module.entry_points()[0]).expect("few");
        let one = |index, format, multisampled| InputAttachment { index, format, multisampled };
        let uint = vk::Format::R32G32B32A32_UINT;
        let expected = [one(1, vk::Format::R32G32B32A32_SFLOAT, false), one(2, uint, true), one(3, uint, true)];
        assert_eq!(found, expected);
    }
}
