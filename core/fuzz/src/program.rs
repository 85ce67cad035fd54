//! What the reader names of the rest of the crate: stages, and what a converter made of entry points. The reader only
//! hands these on, so their fields are those that it fills.

use serde::{Deserialize, Serialize};

use crate::options::named_enum;

named_enum!(
    /// A shader stage.
    StageKind {
        Vertex = "vertex",
        TessControl = "tess_control",
        TessEval = "tess_eval",
        Geometry = "geometry",
        Task = "task",
        Mesh = "mesh",
        Fragment = "fragment",
        Compute = "compute",
        RayGeneration = "ray_generation",
        Intersection = "intersection",
        AnyHit = "any_hit",
        ClosestHit = "closest_hit",
        Miss = "miss",
        Callable = "callable",
    }
);

/// An entry point that was converted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvertedEntry {}

/// A register and its descriptor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescriptorBinding {}
