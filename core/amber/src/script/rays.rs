//! Acceleration structures.

use lanescope_base::named_enum;

use super::Line;
use crate::number::Number;

/// An acceleration structure.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AccelerationStructure {
    /// Its line.
    pub line: Line,
    /// Its name.
    pub name: String,
    /// What it is made of.
    pub level: Level,
}

/// What an acceleration structure is made of.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Level {
    /// Geometries of one shape.
    Bottom(Vec<Geometry>),
    /// Instances of bottom levels.
    Top(Vec<Instance>),
}

named_enum!(
    serde if feature = "serde";
    /// The shape of a geometry.
    Shape {
        /// Triangles: three corners of three coordinates each.
        Triangles = "TRIANGLES",
        /// Boxes along the axes: two corners of three coordinates each.
        Boxes = "AABBS",
    }
);

impl Shape {
    /// Coordinates of one triangle or box.
    pub fn coordinates(self) -> usize {
        match self {
            Shape::Triangles => 9,
            Shape::Boxes => 6,
        }
    }
}

named_enum!(
    serde if feature = "serde";
    /// A property of a geometry.
    GeometryFlag {
        /// Any-hit shaders do not run.
        Opaque = "OPAQUE",
        /// Any-hit shaders run once for each primitive.
        NoDuplicateAnyHit = "NO_DUPLICATE_ANY_HIT",
    }
);

named_enum!(
    serde if feature = "serde";
    /// A property of an instance.
    InstanceFlag {
        /// Both faces are hit.
        CullDisable = "TRIANGLE_FACING_CULL_DISABLE",
        /// The other face is the front.
        FlipFacing = "TRIANGLE_FLIP_FACING",
        /// All geometries are opaque.
        ForceOpaque = "FORCE_OPAQUE",
        /// No geometry is opaque.
        ForceNoOpaque = "FORCE_NO_OPAQUE",
        /// Opacity micromaps have two states.
        ForceOpacityMicromap2State = "FORCE_OPACITY_MICROMAP_2_STATE",
        /// No opacity micromaps.
        DisableOpacityMicromaps = "DISABLE_OPACITY_MICROMAPS",
    }
);

impl InstanceFlag {
    /// The bit of VkGeometryInstanceFlagBitsKHR.
    pub fn bit(self) -> u32 {
        match self {
            InstanceFlag::CullDisable => 1,
            InstanceFlag::FlipFacing => 2,
            InstanceFlag::ForceOpaque => 4,
            InstanceFlag::ForceNoOpaque => 8,
            InstanceFlag::ForceOpacityMicromap2State => 0x10,
            InstanceFlag::DisableOpacityMicromaps => 0x20,
        }
    }
}

/// A geometry of a bottom level.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Geometry {
    /// Its line.
    pub line: Line,
    /// Its shape.
    pub shape: Shape,
    /// Its properties.
    pub flags: Vec<GeometryFlag>,
    /// Coordinates: [`Shape::coordinates`] for each.
    pub coordinates: Vec<Number>,
}

/// An instance of a bottom level.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Instance {
    /// Its line.
    pub line: Line,
    /// The name of the bottom level.
    pub bottom: String,
    /// The custom index, where it is given: else 0.
    pub index: Option<u32>,
    /// The offset in the hit table, where it is given: else 0.
    pub offset: Option<u32>,
    /// The mask, where it is given: else 255.
    pub mask: Option<u32>,
    /// Bits of VkGeometryInstanceFlagBitsKHR.
    pub flags: u32,
    /// Three rows of four, where they are given: else the identity.
    pub transform: Option<[Number; 12]>,
}
