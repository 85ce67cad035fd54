//! The sections of a `.pipe` file: their names, and what is in each.

use lanescope_base::StageKind;

/// In which form a section gives a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// GLSL source.
    Glsl,
    /// HLSL source.
    Hlsl,
    /// SPIR-V assembly.
    Spvasm,
    /// A SPIR-V binary, always in a file of its own.
    Spv,
}

/// Contents of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Version,
    /// A shader's text.
    Source(StageKind, Form),
    /// The name of a shader's file.
    File(StageKind, Form),
    /// A stage's settings.
    Info(StageKind),
    ResourceMapping,
    GraphicsState,
    ComputeState,
    RayTracingState,
    VertexInput,
    GraphicsLibrary,
    FragmentOutput,
    /// Free text.
    Text,
    /// A name that is known and no longer read.
    Dead,
    Unknown,
}

impl Kind {
    /// Whether lines are kept unchanged.
    pub fn is_text(self) -> bool {
        matches!(self, Kind::Source(..) | Kind::Text | Kind::Dead | Kind::Unknown)
    }

    /// Whether a second section of the name says more, rather than the same thing again.
    pub fn may_repeat(self) -> bool {
        matches!(self, Kind::Source(..) | Kind::File(..) | Kind::Info(_) | Kind::Unknown | Kind::Dead)
    }
}

/// The short and the long name of each stage.
const STAGES: [(StageKind, &str, &str); 14] = [
    (StageKind::Task, "Task", "TaskShader"),
    (StageKind::Vertex, "Vs", "VertexShader"),
    (StageKind::TessControl, "Tcs", "TessControlShader"),
    (StageKind::TessEval, "Tes", "TessEvalShader"),
    (StageKind::Geometry, "Gs", "GeometryShader"),
    (StageKind::Mesh, "Mesh", "MeshShader"),
    (StageKind::Fragment, "Fs", "FragmentShader"),
    (StageKind::Compute, "Cs", "ComputeShader"),
    (StageKind::RayGeneration, "rgen", ""),
    (StageKind::Intersection, "sect", ""),
    (StageKind::AnyHit, "ahit", ""),
    (StageKind::ClosestHit, "chit", ""),
    (StageKind::Miss, "miss", ""),
    (StageKind::Callable, "call", ""),
];

/// Contents of a section of that name.
pub fn kind_of(name: &str) -> Kind {
    match name {
        "Version" => return Kind::Version,
        "ResourceMapping" => return Kind::ResourceMapping,
        "GraphicsPipelineState" => return Kind::GraphicsState,
        "ComputePipelineState" => return Kind::ComputeState,
        "RayTracingPipelineState" => return Kind::RayTracingState,
        "VertexInputState" => return Kind::VertexInput,
        "GraphicsLibrary" => return Kind::GraphicsLibrary,
        "FsOutput" => return Kind::FragmentOutput,
        "RayTracingLibrarySummary" | "CompileLog" => return Kind::Text,
        "RtState" | "ApiXfbOutInfo" => return Kind::Dead,
        _ => {}
    }
    for (stage, short, long) in STAGES {
        let of_long = if long.is_empty() { None } else { name.strip_prefix(long) };
        match of_long {
            Some("Glsl") => return Kind::Source(stage, Form::Glsl),
            Some("Spirv") => return Kind::Source(stage, Form::Spvasm),
            _ => {}
        }
        match name.strip_prefix(short) {
            Some("Glsl") => return Kind::Source(stage, Form::Glsl),
            Some("Hlsl") => return Kind::Source(stage, Form::Hlsl),
            Some("Spirv") => return Kind::Source(stage, Form::Spvasm),
            Some("GlslFile") => return Kind::File(stage, Form::Glsl),
            Some("HlslFile") => return Kind::File(stage, Form::Hlsl),
            Some("SpvFile") => return Kind::File(stage, Form::Spv),
            Some("SpvasmFile") => return Kind::File(stage, Form::Spvasm),
            Some("Info") => return Kind::Info(stage),
            _ => {}
        }
    }
    Kind::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_section_names_by_prefix_and_form() {
        for (name, expected) in [
            ("VsGlsl", Kind::Source(StageKind::Vertex, Form::Glsl)),
            ("VertexShaderGlsl", Kind::Source(StageKind::Vertex, Form::Glsl)),
            ("TaskShaderSpirv", Kind::Source(StageKind::Task, Form::Spvasm)),
            ("TaskSpvFile", Kind::File(StageKind::Task, Form::Spv)),
            ("TcsInfo", Kind::Info(StageKind::TessControl)),
            ("chitHlslFile", Kind::File(StageKind::ClosestHit, Form::Hlsl)),
            ("FsSpvasmFile", Kind::File(StageKind::Fragment, Form::Spvasm)),
            ("vsGlsl", Kind::Unknown),
            ("VertexShaderInfo", Kind::Unknown),
            ("RtState", Kind::Dead),
            ("numthreads(8", Kind::Unknown),
        ] {
            assert_eq!(kind_of(name), expected, "{name}");
        }
    }
}
