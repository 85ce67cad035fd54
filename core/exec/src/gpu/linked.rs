//! A pipeline that is linked from libraries: the fragment stage's is made with the guessed layout alone, as it would be
//! before the others are known.

use ash::vk;

use super::compute::own_pipeline;
use super::guessed_layout::Automatic;
use super::memory::Owned;
use super::pipeline::{GraphicsState, Stages, graphics_with, link};
use super::{Device, GpuError};
use lanescope_model::program::StageKind;

/// The library that holds the stages before rasterisation, with the vertex input that they read.
pub(crate) const BEFORE: vk::GraphicsPipelineLibraryFlagsEXT = vk::GraphicsPipelineLibraryFlagsEXT::from_raw(
    vk::GraphicsPipelineLibraryFlagsEXT::VERTEX_INPUT_INTERFACE.as_raw()
        | vk::GraphicsPipelineLibraryFlagsEXT::PRE_RASTERIZATION_SHADERS.as_raw(),
);
/// The library of the fragment stage alone: its outputs' formats are known later.
pub(crate) const FRAGMENT: vk::GraphicsPipelineLibraryFlagsEXT = vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_SHADER;
/// The library of the outputs.
pub(crate) const OUTPUT: vk::GraphicsPipelineLibraryFlagsEXT =
    vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_OUTPUT_INTERFACE;

/// What a run says of it.
pub(super) const LINKED_NOTE: &str = "the fragment stage is a library compiled with the guessed layout only, linked \
                                      with the library of the stages before it";
/// What a run says where there are no libraries.
pub(super) const UNLINKED_NOTE: &str = "the fragment stage was compiled with the guessed layout in the same pipeline \
                                        as the other stages: the device does not support \
                                        VK_EXT_graphics_pipeline_library";

/// Whether a device links libraries.
pub(super) fn links(device: &Device) -> bool {
    device.has(ash::ext::graphics_pipeline_library::NAME)
}

/// A linked pipeline, and what it was linked from.
pub(super) struct Linked<'d> {
    pub pipeline: Owned<'d, vk::Pipeline>,
    _parts: [Owned<'d, vk::Pipeline>; 3],
}

impl<'d> Linked<'d> {
    /// Makes the libraries of a state, each with the sets of its own stages, and links them.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn new(
        device: &'d Device,
        state: &GraphicsState<'_>,
        automatic: &Automatic<'d>,
    ) -> Result<Linked<'d>, GpuError> {
        let side = |fragment: bool| {
            let all = state.stages.all.iter().filter(|stage| (stage.0 == StageKind::Fragment) == fragment);
            Stages { all: all.copied().collect() }
        };
        let (before, fragment, none) = (side(false), side(true), Stages { all: Vec::new() });
        let layouts = automatic.layouts_apart(device)?;
        let library = |stages, parts, layout| {
            let flags = state.flags | vk::PipelineCreateFlags::LIBRARY_KHR;
            let state = GraphicsState { stages, flags, parts, ..*state };
            let made = graphics_with(&device.handle, &state, layout, vk::PipelineCache::null())?;
            Ok::<_, GpuError>(own_pipeline(device, made))
        };
        // The fragment stage first: it waits for nothing.
        let fragment = library(&fragment, FRAGMENT, layouts[1].handle)?;
        let before = library(&before, BEFORE, layouts[0].handle)?;
        let output = library(&none, OUTPUT, vk::PipelineLayout::null())?;
        let parts = [before, fragment, output];
        let handles = parts.each_ref().map(|part| part.handle);
        let made = link(&device.handle, &handles, automatic.layout.handle, false, vk::PipelineCache::null())?;
        Ok(Linked { pipeline: own_pipeline(device, made), _parts: parts })
    }
}
