//! Shader stages.

use crate::named_enum;

named_enum!(
    /// A shader stage.
    StageKind {
        /// Vertex shader.
        Vertex = "vertex",
        /// Tessellation control shader.
        TessControl = "tess_control",
        /// Tessellation evaluation shader.
        TessEval = "tess_eval",
        /// Geometry shader.
        Geometry = "geometry",
        /// Task shader.
        Task = "task",
        /// Mesh shader.
        Mesh = "mesh",
        /// Fragment shader.
        Fragment = "fragment",
        /// Compute shader.
        Compute = "compute",
        /// Ray generation shader.
        RayGeneration = "ray_generation",
        /// Intersection shader.
        Intersection = "intersection",
        /// Any-hit shader.
        AnyHit = "any_hit",
        /// Closest-hit shader.
        ClosestHit = "closest_hit",
        /// Miss shader.
        Miss = "miss",
        /// Callable shader.
        Callable = "callable",
    }
);

impl StageKind {
    /// Whether the stage runs in workgroups.
    pub fn has_workgroup(self) -> bool {
        matches!(self, StageKind::Compute | StageKind::Task | StageKind::Mesh)
    }

    /// The stage with the entry point that distinguishes it from others of its kind, where one is named: `compute
    /// Blur`.
    pub fn with_entry(self, entry: Option<&str>) -> String {
        entry.map_or_else(|| self.to_string(), |entry| format!("{self} {entry}"))
    }

    /// Whether the stage belongs to a ray tracing pipeline.
    pub fn is_ray_tracing(self) -> bool {
        !self.is_graphics() && self != StageKind::Compute
    }

    /// Whether the stage belongs to a graphics pipeline.
    pub fn is_graphics(self) -> bool {
        matches!(
            self,
            StageKind::Vertex
                | StageKind::TessControl
                | StageKind::TessEval
                | StageKind::Geometry
                | StageKind::Task
                | StageKind::Mesh
                | StageKind::Fragment
        )
    }
}
