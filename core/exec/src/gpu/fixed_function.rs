//! The state between vertices and targets that is not a shader's: faces, depths, stencils, samples, how colours are
//! joined.

use ash::vk;

/// The state of a pipeline apart from its shaders and formats.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FixedFunction {
    pub polygon: vk::PolygonMode,
    /// Faces that are not drawn, and which ones face to the front.
    pub cull: vk::CullModeFlags,
    pub front: vk::FrontFace,
    pub depth_clamp: bool,
    /// Constant, clamp, slope.
    pub depth_bias: Option<[f32; 3]>,
    /// The depth test: which depths pass it, and whether these are written.
    pub depth: Option<(vk::CompareOp, bool)>,
    /// The lowest and the highest depth that may be there already.
    pub depth_bounds: Option<[f32; 2]>,
    /// The stencil test of front and back faces.
    pub stencil: Option<[vk::StencilOpState; 2]>,
    /// The share of samples that the shader runs for.
    pub sample_shading: Option<f32>,
    pub sample_mask: Option<u32>,
    pub alpha_to_coverage: bool,
    pub alpha_to_one: bool,
    pub logic_op: Option<vk::LogicOp>,
    pub blend_constants: [f32; 4],
}

impl Default for FixedFunction {
    /// Everything is drawn regardless of its depth, and the last depth stays.
    fn default() -> Self {
        FixedFunction {
            polygon: vk::PolygonMode::FILL,
            cull: vk::CullModeFlags::NONE,
            front: vk::FrontFace::COUNTER_CLOCKWISE,
            depth_clamp: false,
            depth_bias: None,
            depth: Some((vk::CompareOp::ALWAYS, true)),
            depth_bounds: None,
            stencil: None,
            sample_shading: None,
            sample_mask: None,
            alpha_to_coverage: false,
            alpha_to_one: false,
            logic_op: None,
            blend_constants: [0.0; 4],
        }
    }
}

impl FixedFunction {
    pub fn rasterization(&self) -> vk::PipelineRasterizationStateCreateInfo<'static> {
        let [constant, clamp, slope] = self.depth_bias.unwrap_or_default();
        vk::PipelineRasterizationStateCreateInfo::default()
            .depth_clamp_enable(self.depth_clamp)
            .polygon_mode(self.polygon)
            .cull_mode(self.cull)
            .front_face(self.front)
            .depth_bias_enable(self.depth_bias.is_some())
            .depth_bias_constant_factor(constant)
            .depth_bias_clamp(clamp)
            .depth_bias_slope_factor(slope)
            .line_width(1.0)
    }

    /// `mask` stores the sample mask as long as the result is used.
    pub fn multisample<'m>(
        &self,
        samples: vk::SampleCountFlags,
        mask: &'m mut [u32; 1],
    ) -> vk::PipelineMultisampleStateCreateInfo<'m> {
        let state = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(samples)
            .sample_shading_enable(self.sample_shading.is_some())
            .min_sample_shading(self.sample_shading.unwrap_or(0.0))
            .alpha_to_coverage_enable(self.alpha_to_coverage)
            .alpha_to_one_enable(self.alpha_to_one);
        let Some(given) = self.sample_mask else { return state };
        *mask = [given];
        // One word holds the samples of all counts here, which are 32 at most.
        state.sample_mask(mask)
    }

    /// `tests` says that there are stencils to test though nothing says how.
    pub fn depth_stencil(&self, tests: bool) -> vk::PipelineDepthStencilStateCreateInfo<'static> {
        let (compare, write) = self.depth.unwrap_or((vk::CompareOp::ALWAYS, false));
        let [low, high] = self.depth_bounds.unwrap_or([0.0, 1.0]);
        let [front, back] = self.stencil.unwrap_or_default();
        vk::PipelineDepthStencilStateCreateInfo::default()
            .depth_test_enable(self.depth.is_some())
            .depth_write_enable(write)
            .depth_compare_op(compare)
            .depth_bounds_test_enable(self.depth_bounds.is_some())
            .min_depth_bounds(low)
            .max_depth_bounds(high)
            .stencil_test_enable(tests || self.stencil.is_some())
            .front(front)
            .back(back)
    }

    pub fn blend<'a>(
        &self,
        attachments: &'a [vk::PipelineColorBlendAttachmentState],
    ) -> vk::PipelineColorBlendStateCreateInfo<'a> {
        vk::PipelineColorBlendStateCreateInfo::default()
            .attachments(attachments)
            .blend_constants(self.blend_constants)
            .logic_op_enable(self.logic_op.is_some())
            .logic_op(self.logic_op.unwrap_or_default())
    }
}

/// What of this state a device has only as a feature: all of it, as far as it is there, for a pipeline whose state is
/// described.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FixedFeatures {
    pub fill_mode_non_solid: bool,
    pub depth_clamp: bool,
    pub depth_bias_clamp: bool,
    pub depth_bounds: bool,
    pub sample_rate_shading: bool,
    pub alpha_to_one: bool,
    pub logic_op: bool,
    pub independent_blend: bool,
}

/// One of them among a device's own.
type Field = fn(&mut vk::PhysicalDeviceFeatures) -> &mut vk::Bool32;

const FIELDS: [Field; 8] = [
    |f| &mut f.fill_mode_non_solid,
    |f| &mut f.depth_clamp,
    |f| &mut f.depth_bias_clamp,
    |f| &mut f.depth_bounds,
    |f| &mut f.sample_rate_shading,
    |f| &mut f.alpha_to_one,
    |f| &mut f.logic_op,
    |f| &mut f.independent_blend,
];

/// Enables what is available.
pub(super) fn turn_on(mut there: vk::PhysicalDeviceFeatures, chosen: &mut vk::PhysicalDeviceFeatures) {
    for field in FIELDS {
        *field(chosen) |= *field(&mut there);
    }
}

impl FixedFeatures {
    /// What was turned on.
    pub fn of(mut chosen: vk::PhysicalDeviceFeatures) -> FixedFeatures {
        let on = FIELDS.map(|field| *field(&mut chosen) == vk::TRUE);
        let [
            fill_mode_non_solid,
            depth_clamp,
            depth_bias_clamp,
            depth_bounds,
            sample_rate_shading,
            alpha_to_one,
            logic_op,
            independent_blend,
        ] = on;
        FixedFeatures {
            fill_mode_non_solid,
            depth_clamp,
            depth_bias_clamp,
            depth_bounds,
            sample_rate_shading,
            alpha_to_one,
            logic_op,
            independent_blend,
        }
    }
}
