//! Input attachments: a fragment shader reads them at its own pixel. Pipelines that have some are made for a render pass,
//! since dynamic rendering in Vulkan 1.3 has none.

use std::collections::{BTreeMap, BTreeSet};

use ash::vk;

use super::GpuError;
use super::pipeline::GraphicsState;
use super::resources::OPEN_DESCRIPTORS;
use lanescope_spirv::enums::{Decoration, Op};
use lanescope_spirv::{EntryPoint, Module, Type};

/// Indices of input attachments. A render pass lists all below the last one, those that no shader reads as unused ones:
/// the bound is this program's own, of the size of that list. How many of them a shader may read is a limit of the
/// device.
const MOST: u32 = 1 << 16;

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
    // However many variables share indices, each is met once.
    let mut free: Option<BTreeSet<u32>> = None;
    for inst in module.globals().filter(|inst| inst.is_variable()) {
        let Some(id) = inst.result().filter(|id| used.contains(id)) else { continue };
        let Some(first) = module.decoration(id, None, Decoration::InputAttachmentIndex) else { continue };
        let Some(arrays) = module.pointee(id).and_then(|ty| module.peeled(ty)) else { continue };
        let image = module.def(arrays.element).filter(|image| image.op() == Some(Op::TypeImage));
        let Some(image) = image else { continue };
        let format = match module.ty(image.id_at(2)) {
            Some(Type::Int { signed: true, .. }) => vk::Format::R32G32B32A32_SINT,
            Some(Type::Int { .. }) => vk::Format::R32G32B32A32_UINT,
            _ => vk::Format::R32G32B32A32_SFLOAT,
        };
        let end = u64::from(first).saturating_add(arrays.count(OPEN_DESCRIPTORS.into()));
        let Some(end) = u32::try_from(end).ok().filter(|end| *end <= MOST) else {
            let last = end.saturating_sub(1);
            let message = format!(
                "input attachment index {last}: this program makes render passes with indices below {MOST} only; Vulkan \
                 and the device set no such limit"
            );
            return Err(GpuError::NotRun(message));
        };
        let multisampled = image.word_at(6) != 0;
        let free = free.get_or_insert_with(|| (0..MOST).collect());
        for index in free.range(first..end).copied().collect::<Vec<_>>() {
            free.remove(&index);
            out.insert(index, InputAttachment { index, format, multisampled });
        }
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
                let known = state.inputs.binary_search_by_key(&index, |input| input.index);
                let known = known.ok().and_then(|at| state.inputs.get(at));
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

    #[test]
    fn indices_may_have_gaps() {
        let of = |index: u32, count: u32| {
            let source = format!(
                "layout(input_attachment_index = {index}, binding = 0) uniform subpassInput a[{count}];
                 layout(location = 0) out vec4 o; void main() {{ o = subpassLoad(a[0]); }}"
            );
            let module = lanescope_testing::glsl(StageKind::Fragment, &source);
            inputs(&module, &module.entry_points()[0]).map(|found| found.iter().map(|input| input.index).collect())
        };
        assert_eq!(of(70, 2), Ok(vec![70, 71]));
        assert_eq!(of(MOST - 1, 1), Ok(vec![MOST - 1]));
        let refused = |index, count| of(index, count).expect_err("too many").to_string();
        assert!(refused(MOST - 1, 2).starts_with("input attachment index 65536: this program makes"));
        assert!(refused(1, 70_000).contains("index 70000"));
    }

    /// Nothing is known of what is in them, and looking for it ends.
    #[test]
    fn arrays_of_themselves_are_no_attachments() {
        for length in ["2", ""] {
            let source = format!(
                "#extension GL_EXT_nonuniform_qualifier : require
                 layout(input_attachment_index = 1, binding = 0) uniform subpassInput a[{length}];
                 layout(location = 0) out vec4 o; void main() {{ o = subpassLoad(a[1]); }}"
            );
            let module = lanescope_testing::glsl(StageKind::Fragment, &source);
            let entry = |module: &Module| module.entry_points()[0].clone();
            assert!(!inputs(&module, &entry(&module)).expect("few").is_empty());
            let endless = lanescope_testing::with_endless_arrays(&module);
            assert_eq!(inputs(&endless, &entry(&endless)), Ok(Vec::new()));
            let error = super::super::Resources::of(&[(&endless, &entry(&endless))]).expect_err("is refused");
            assert_eq!(error.to_string(), "set 0, binding 0: an array of so many dimensions is not supported");
        }
    }
}
