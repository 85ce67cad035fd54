//! Built-in variables and values of shader stages, for completion.
//!
//! GLSL: *Built-In Variables* of the OpenGL Shading Language 4.60, with `GL_KHR_vulkan_glsl`, `GL_KHR_shader_subgroup` and
//! `GL_EXT_mesh_shader`. HLSL: the signature points of the DXIL specification. WGSL: *Built-in Values* of the WebGPU Shading
//! Language.

use lanescope_core::program::StageKind;

use super::Language;

/// A built-in of stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name, as it is written.
    pub name: &'static str,
    /// Its type.
    pub type_name: &'static str,
    /// Letters of the stages that read it.
    read: &'static str,
    /// Letters of the stages that write it.
    written: &'static str,
    /// The extension that declares it; empty for none.
    pub extension: &'static str,
}

const fn row(name: &'static str, type_name: &'static str, read: &'static str, written: &'static str) -> BuiltIn {
    BuiltIn { name, type_name, read, written, extension: "" }
}

const fn extended(row: BuiltIn, extension: &'static str) -> BuiltIn {
    BuiltIn { extension, ..row }
}

/// The letter of a stage in the tables: V(ertex), C(ontrol), E(valuation), G(eometry), F(ragment), K (compute), T(ask),
/// M(esh); none for other stages.
fn letter(stage: StageKind) -> Option<char> {
    Some(match stage {
        StageKind::Vertex => 'V',
        StageKind::TessControl => 'C',
        StageKind::TessEval => 'E',
        StageKind::Geometry => 'G',
        StageKind::Fragment => 'F',
        StageKind::Compute => 'K',
        StageKind::Task => 'T',
        StageKind::Mesh => 'M',
        _ => return None,
    })
}

const BASIC: &str = "GL_KHR_shader_subgroup_basic";
const MESH: &str = "GL_EXT_mesh_shader";

/// Built-ins of GLSL.
const GLSL: &[BuiltIn] = &[
    row("gl_VertexIndex", "int", "V", ""),
    row("gl_InstanceIndex", "int", "V", ""),
    row("gl_BaseVertex", "int", "V", ""),
    row("gl_BaseInstance", "int", "V", ""),
    row("gl_DrawID", "int", "VTM", ""),
    row("gl_Position", "vec4", "", "VEG"),
    row("gl_PointSize", "float", "", "VEG"),
    row("gl_ClipDistance", "float[]", "F", "VEG"),
    row("gl_CullDistance", "float[]", "F", "VEG"),
    row("gl_in", "gl_PerVertex[]", "CEG", ""),
    row("gl_out", "gl_PerVertex[]", "", "C"),
    row("gl_PatchVerticesIn", "int", "CE", ""),
    row("gl_TessLevelOuter", "float[4]", "E", "C"),
    row("gl_TessLevelInner", "float[2]", "E", "C"),
    row("gl_TessCoord", "vec3", "E", ""),
    row("gl_PrimitiveIDIn", "int", "G", ""),
    row("gl_InvocationID", "int", "CG", ""),
    row("gl_PrimitiveID", "int", "CEF", "G"),
    row("gl_Layer", "int", "F", "G"),
    row("gl_ViewportIndex", "int", "F", "G"),
    row("gl_FragCoord", "vec4", "F", ""),
    row("gl_FrontFacing", "bool", "F", ""),
    row("gl_PointCoord", "vec2", "F", ""),
    row("gl_SampleID", "int", "F", ""),
    row("gl_SamplePosition", "vec2", "F", ""),
    row("gl_SampleMaskIn", "int[]", "F", ""),
    row("gl_HelperInvocation", "bool", "F", ""),
    row("gl_FragDepth", "float", "", "F"),
    row("gl_SampleMask", "int[]", "", "F"),
    row("gl_NumWorkGroups", "uvec3", "KTM", ""),
    row("gl_WorkGroupSize", "uvec3", "KTM", ""),
    row("gl_WorkGroupID", "uvec3", "KTM", ""),
    row("gl_LocalInvocationID", "uvec3", "KTM", ""),
    row("gl_GlobalInvocationID", "uvec3", "KTM", ""),
    row("gl_LocalInvocationIndex", "uint", "KTM", ""),
    extended(row("gl_SubgroupSize", "uint", "VCEGFKTM", ""), BASIC),
    extended(row("gl_SubgroupInvocationID", "uint", "VCEGFKTM", ""), BASIC),
    extended(row("gl_NumSubgroups", "uint", "KTM", ""), BASIC),
    extended(row("gl_SubgroupID", "uint", "KTM", ""), BASIC),
    extended(row("gl_MeshVerticesEXT", "gl_MeshPerVertexEXT[]", "", "M"), MESH),
    extended(row("gl_MeshPrimitivesEXT", "gl_MeshPerPrimitiveEXT[]", "", "M"), MESH),
    extended(row("gl_PrimitivePointIndicesEXT", "uint[]", "", "M"), MESH),
    extended(row("gl_PrimitiveLineIndicesEXT", "uvec2[]", "", "M"), MESH),
    extended(row("gl_PrimitiveTriangleIndicesEXT", "uvec3[]", "", "M"), MESH),
];

/// System values of HLSL.
const HLSL: &[BuiltIn] = &[
    row("SV_VertexID", "uint", "V", ""),
    row("SV_InstanceID", "uint", "V", ""),
    row("SV_StartVertexLocation", "int", "V", ""),
    row("SV_StartInstanceLocation", "uint", "V", ""),
    row("SV_Position", "float4", "CEGF", "VCEGM"),
    row("SV_ClipDistance", "float", "CEGF", "VCEGM"),
    row("SV_CullDistance", "float", "CEGF", "VCEGM"),
    row("SV_RenderTargetArrayIndex", "uint", "F", "VEGM"),
    row("SV_ViewportArrayIndex", "uint", "F", "VEGM"),
    row("SV_ViewID", "uint", "VCEGFM", ""),
    row("SV_OutputControlPointID", "uint", "C", ""),
    row("SV_PrimitiveID", "uint", "CEGF", "GM"),
    row("SV_TessFactor", "float[]", "E", "C"),
    row("SV_InsideTessFactor", "float[]", "E", "C"),
    row("SV_DomainLocation", "float3", "E", ""),
    row("SV_GSInstanceID", "uint", "G", ""),
    row("SV_IsFrontFace", "bool", "F", ""),
    row("SV_SampleIndex", "uint", "F", ""),
    row("SV_Coverage", "uint", "F", "F"),
    row("SV_InnerCoverage", "uint", "F", ""),
    row("SV_Barycentrics", "float3", "F", ""),
    row("SV_ShadingRate", "uint", "F", "VGM"),
    row("SV_Target", "float4", "", "F"),
    row("SV_Depth", "float", "", "F"),
    row("SV_DepthGreaterEqual", "float", "", "F"),
    row("SV_DepthLessEqual", "float", "", "F"),
    row("SV_StencilRef", "uint", "", "F"),
    row("SV_DispatchThreadID", "uint3", "KTM", ""),
    row("SV_GroupID", "uint3", "KTM", ""),
    row("SV_GroupThreadID", "uint3", "KTM", ""),
    row("SV_GroupIndex", "uint", "KTM", ""),
    row("SV_CullPrimitive", "bool", "", "M"),
];

/// Built-in values of WGSL.
const WGSL: &[BuiltIn] = &[
    row("vertex_index", "u32", "V", ""),
    row("instance_index", "u32", "V", ""),
    row("position", "vec4<f32>", "F", "V"),
    row("front_facing", "bool", "F", ""),
    row("frag_depth", "f32", "", "F"),
    row("sample_index", "u32", "F", ""),
    row("sample_mask", "u32", "F", "F"),
    row("local_invocation_id", "vec3<u32>", "K", ""),
    row("local_invocation_index", "u32", "K", ""),
    row("global_invocation_id", "vec3<u32>", "K", ""),
    row("workgroup_id", "vec3<u32>", "K", ""),
    row("num_workgroups", "vec3<u32>", "K", ""),
];

impl BuiltIn {
    /// Whether a stage reads it, and whether the stage writes it.
    pub fn access(&self, stage: StageKind) -> (bool, bool) {
        let has = |stages: &str| letter(stage).is_some_and(|letter| stages.contains(letter));
        (has(self.read), has(self.written))
    }
}

/// The built-ins of a language; of a stage, where one is given.
pub fn built_ins(language: Language, stage: Option<StageKind>) -> impl Iterator<Item = &'static BuiltIn> {
    let table = match language {
        Language::Glsl => GLSL,
        Language::Hlsl => HLSL,
        Language::Wgsl => WGSL,
    };
    table.iter().filter(move |row| stage.is_none_or(|stage| row.access(stage) != (false, false)))
}
