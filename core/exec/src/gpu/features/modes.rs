//! What execution modes require of a device in addition to the capability that enables them.

use super::{Need, NeededBy};
use crate::gpu::GpuError;
use lanescope_spirv::enums::ExecutionMode;

/// What a mode needs, and the words for who needs it.
///
/// Source: Vulkan specification, appendix 'Vulkan Environment for SPIR-V'. A mode that comes with a capability of its own
/// needs what that needs.
///
/// # Errors
/// A mode of other environments than Vulkan, or of an extension that is not used here.
pub(super) fn need(number: u32) -> Result<(Need, NeededBy), GpuError> {
    use ExecutionMode as M;
    let unsupported = || GpuError::Unsupported(format!("entry points with {} cannot be run", name(number)));
    let Some(mode) = M::from_u32(number) else { return Err(unsupported()) };
    let need = match mode {
        M::Invocations
        | M::SpacingEqual
        | M::SpacingFractionalEven
        | M::SpacingFractionalOdd
        | M::VertexOrderCw
        | M::VertexOrderCcw
        | M::OriginUpperLeft
        | M::EarlyFragmentTests
        | M::PointMode
        | M::Xfb
        | M::DepthReplacing
        | M::DepthGreater
        | M::DepthLess
        | M::DepthUnchanged
        | M::LocalSize
        | M::InputPoints
        | M::InputLines
        | M::InputLinesAdjacency
        | M::Triangles
        | M::InputTrianglesAdjacency
        | M::Quads
        | M::Isolines
        | M::OutputVertices
        | M::OutputPoints
        | M::OutputLineStrip
        | M::OutputTriangleStrip => Need::Nothing,
        // Their capabilities say what they need.
        M::PostDepthCoverage
        | M::StencilRefReplacingEXT
        | M::DenormPreserve
        | M::DenormFlushToZero
        | M::SignedZeroInfNanPreserve
        | M::RoundingModeRTE
        | M::RoundingModeRTZ
        | M::DerivativeGroupQuadsKHR
        | M::DerivativeGroupLinearKHR
        | M::OutputLinesEXT
        | M::OutputPrimitivesEXT
        | M::OutputTrianglesEXT
        | M::PixelInterlockOrderedEXT
        | M::PixelInterlockUnorderedEXT
        | M::SampleInterlockOrderedEXT
        | M::SampleInterlockUnorderedEXT
        | M::ShadingRateInterlockOrderedEXT
        | M::ShadingRateInterlockUnorderedEXT
        | M::QuadDerivativesKHR
        | M::RequireFullQuadsKHR
        | M::FPFastMathDefault => Need::Nothing,
        M::LocalSizeId => Need::Feature("maintenance4", |f| &mut f.v13.maintenance4),
        M::SubgroupUniformControlFlowKHR => Need::Extension(
            "shaderSubgroupUniformControlFlow",
            |f| &mut f.uniform_flow.shader_subgroup_uniform_control_flow,
            &[c"VK_KHR_shader_subgroup_uniform_control_flow"],
        ),
        M::MaximallyReconvergesKHR => Need::Extension(
            "shaderMaximalReconvergence",
            |f| &mut f.reconvergence.shader_maximal_reconvergence,
            &[c"VK_KHR_shader_maximal_reconvergence"],
        ),
        _ => return Err(unsupported()),
    };
    Ok((need, name(number).into()))
}

/// A mode as text: `execution mode LocalSizeId`.
pub(super) fn name(number: u32) -> String {
    let name = ExecutionMode::from_u32(number).map_or_else(|| number.to_string(), |mode| format!("{mode:?}"));
    format!("execution mode {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_of_other_environments_are_named() {
        for (mode, name) in [
            (ExecutionMode::ContractionOff as u32, "ContractionOff"),
            (ExecutionMode::OriginLowerLeft as u32, "OriginLowerLeft"),
            (ExecutionMode::EarlyAndLateFragmentTestsAMD as u32, "EarlyAndLateFragmentTestsAMD"),
            (99_999, "99999"),
        ] {
            let error = need(mode).err().expect("not supported");
            let words = format!("execution mode {name} cannot be run");
            assert!(error.is_missing() && error.to_string().contains(&words), "{error}");
        }
        assert!(need(ExecutionMode::LocalSize as u32).is_ok());
    }
}
