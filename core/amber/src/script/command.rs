//! Commands: what a script runs, and what it expects then.

use lanescope_base::named_enum;

use super::Line;
use crate::number::Number;

/// A command.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Command {
    /// Runs a pipeline.
    Run(Run),
    /// Clears the attachments of a pipeline.
    Clear {
        /// Its line.
        line: Line,
        /// The pipeline.
        pipeline: String,
    },
    /// Sets the color that clears.
    ClearColor {
        /// Its line.
        line: Line,
        /// The pipeline.
        pipeline: String,
        /// Red, green, blue and alpha, of 255.
        color: [u8; 4],
    },
    /// Sets the depth that clears.
    ClearDepth {
        /// Its line.
        line: Line,
        /// The pipeline.
        pipeline: String,
        /// The depth.
        depth: f32,
    },
    /// Sets the stencil value that clears.
    ClearStencil {
        /// Its line.
        line: Line,
        /// The pipeline.
        pipeline: String,
        /// The value.
        stencil: u8,
    },
    /// Checks the contents of a buffer.
    Expect(Expect),
    /// Copies a buffer.
    Copy {
        /// Its line.
        line: Line,
        /// The buffer that is read.
        from: String,
        /// The buffer that is written.
        to: String,
    },
    /// Commands that run several times. None of them is a `Repeat`.
    Repeat {
        /// Its line.
        line: Line,
        /// How often.
        count: u32,
        /// The commands.
        commands: Vec<Command>,
    },
}

impl Command {
    /// Its line.
    pub fn line(&self) -> Line {
        match self {
            Command::Run(run) => run.line,
            Command::Expect(expect) => expect.line,
            Command::Clear { line, .. }
            | Command::ClearColor { line, .. }
            | Command::ClearDepth { line, .. }
            | Command::ClearStencil { line, .. }
            | Command::Copy { line, .. }
            | Command::Repeat { line, .. } => *line,
        }
    }
}

/// A run of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// Its line.
    pub line: Line,
    /// Its time is asked for.
    pub timed: bool,
    /// The pipeline.
    pub pipeline: String,
    /// What runs.
    pub kind: RunKind,
}

/// What runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RunKind {
    /// A dispatch of workgroups.
    Compute {
        /// Their count in each dimension.
        groups: [u32; 3],
    },
    /// A rectangle of two triangles.
    DrawRect {
        /// Its upper left corner, in pixels.
        at: [u32; 2],
        /// Its size, in pixels.
        size: [u32; 2],
    },
    /// A rectangle of cells of two triangles each.
    DrawGrid {
        /// Its upper left corner, in pixels.
        at: [u32; 2],
        /// Its size, in pixels.
        size: [u32; 2],
        /// Columns and rows.
        cells: [u32; 2],
    },
    /// The vertices of the pipeline.
    DrawArray {
        /// What they are.
        topology: Topology,
        /// By the indices of the pipeline.
        indexed: bool,
        /// The first vertex or index, where it is given: else 0.
        start: Option<u32>,
        /// How many, where it is given: else all that follow.
        count: Option<u32>,
        /// The first instance, where it is given: else 0.
        start_instance: Option<u32>,
        /// Instances, where they are given: else 1.
        instances: Option<u32>,
    },
    /// Rays.
    Rays {
        /// The table of ray generation shaders.
        raygen: Option<String>,
        /// The table of miss shaders.
        miss: Option<String>,
        /// The table of hit groups.
        hit: Option<String>,
        /// The table of callable shaders.
        call: Option<String>,
        /// Rays in each dimension.
        size: [u32; 3],
    },
}

named_enum!(
    serde if feature = "serde";
    /// What vertices are.
    Topology {
        /// Points.
        PointList = "POINT_LIST",
        /// Lines.
        LineList = "LINE_LIST",
        /// Lines with the vertices next to them.
        LineListWithAdjacency = "LINE_LIST_WITH_ADJACENCY",
        /// Lines that continue.
        LineStrip = "LINE_STRIP",
        /// Lines that continue, with the vertices next to them.
        LineStripWithAdjacency = "LINE_STRIP_WITH_ADJACENCY",
        /// Triangles.
        TriangleList = "TRIANGLE_LIST",
        /// Triangles with the vertices next to them.
        TriangleListWithAdjacency = "TRIANGLE_LIST_WITH_ADJACENCY",
        /// Triangles that share edges.
        TriangleStrip = "TRIANGLE_STRIP",
        /// Triangles that share edges, with the vertices next to them.
        TriangleStripWithAdjacency = "TRIANGLE_STRIP_WITH_ADJACENCY",
        /// Triangles that share the first vertex.
        TriangleFan = "TRIANGLE_FAN",
        /// Patches.
        PatchList = "PATCH_LIST",
    }
);

/// A check of the contents of a buffer.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Expect {
    /// Its line.
    pub line: Line,
    /// The buffer.
    pub buffer: String,
    /// What is expected.
    pub check: Check,
}

/// What is expected of a buffer.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Check {
    /// Numbers from a place on.
    Values {
        /// Offset in bytes, a multiple of the element's size.
        offset: u32,
        /// How each is compared.
        comparison: Comparison,
        /// How far equal numbers may differ, where it is given; the first one counts.
        tolerances: Vec<Tolerance>,
        /// The numbers.
        values: Vec<Number>,
    },
    /// One color in a rectangle.
    Pixels {
        /// Its upper left corner.
        at: [u32; 2],
        /// Its size.
        size: [u32; 2],
        /// Red, green and blue of 255.
        color: [u8; 3],
        /// Alpha of 255, where it is compared.
        alpha: Option<u8>,
        /// How far each component may differ, where it is given: one for all or four.
        tolerances: Vec<Tolerance>,
    },
    /// The bytes of another buffer.
    EqualBuffer(String),
    /// The root mean square of differences from another buffer.
    Rmse {
        /// The other buffer.
        other: String,
        /// The most that it may be.
        tolerance: f32,
    },
    /// The distance of histograms from those of another buffer.
    HistogramEmd {
        /// The other buffer.
        other: String,
        /// The most that it may be.
        tolerance: f32,
    },
}

named_enum!(
    serde if feature = "serde";
    /// How numbers are compared.
    Comparison {
        /// Equal.
        Equal = "EQ",
        /// Not equal.
        NotEqual = "NE",
        /// Less.
        Less = "LT",
        /// Less or equal.
        LessOrEqual = "LE",
        /// Greater.
        Greater = "GT",
        /// Greater or equal.
        GreaterOrEqual = "GE",
    }
);

/// How far numbers may differ.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tolerance {
    /// The number.
    pub value: f64,
    /// It is percent of the expected number.
    pub is_percent: bool,
}
