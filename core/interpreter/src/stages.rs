//! What execution modes say of the stages between vertices and fragments.

use crate::error::DecodeError;
use lanescope_base::StageKind;
use lanescope_spirv::EntryPoint;
use lanescope_spirv::enums::ExecutionMode as Mode;

/// The most vertices that a geometry shader or a mesh workgroup may output, and the most primitives.
const MAX_OUTPUTS: u32 = 1 << 12;
/// The most invocations of a geometry shader for each primitive.
const MAX_INVOCATIONS: u32 = 128;
/// The most vertices of a patch.
pub(crate) const MAX_PATCH: u32 = 64;

/// What an input or output has one value for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Rate {
    /// Each vertex.
    #[default]
    Vertex,
    /// Each primitive or patch.
    Primitive,
}

/// A scalar of an output in memory that invocations share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SharedScalar {
    /// Index of the resource.
    pub resource: u32,
    /// Offset in the element, in bytes.
    pub offset: u64,
    pub bytes: u32,
    /// Distance of elements in bytes, and how many there are: one for each vertex or primitive; a single one of a patch.
    pub stride: u64,
    pub count: u32,
}

/// What vertices form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topology {
    /// Each vertex is a point.
    PointList,
    /// Each two vertices are a line.
    LineList,
    /// Each vertex ends a line from the one before it.
    LineStrip,
    /// Each three vertices are a triangle.
    TriangleList,
    /// Each vertex ends a triangle of the two before it.
    TriangleStrip,
    /// Each vertex ends a triangle of the one before it and the first one.
    TriangleFan,
    /// Lines, with a neighbour on either side.
    LineListWithAdjacency,
    /// Triangles, with a neighbour after each corner.
    TriangleListWithAdjacency,
    /// Patches of so many vertices.
    Patches(u32),
}

impl Topology {
    /// Vertices of a primitive, with its neighbours.
    pub fn vertices(self) -> u32 {
        match self {
            Topology::PointList => 1,
            Topology::LineList | Topology::LineStrip => 2,
            Topology::TriangleList | Topology::TriangleStrip | Topology::TriangleFan => 3,
            Topology::LineListWithAdjacency => 4,
            Topology::TriangleListWithAdjacency => 6,
            Topology::Patches(vertices) => vertices,
        }
    }

    /// What is rasterised of a primitive; absent for patches.
    pub(crate) fn form(self) -> Option<Form> {
        Some(match self {
            Topology::PointList => Form::Points,
            Topology::LineList | Topology::LineStrip | Topology::LineListWithAdjacency => Form::Lines,
            Topology::Patches(_) => return None,
            _ => Form::Triangles,
        })
    }
}

/// What is rasterised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Points,
    Lines,
    Triangles,
}

impl Form {
    /// Primitives that share no vertices.
    pub fn list(self) -> Topology {
        match self {
            Form::Points => Topology::PointList,
            Form::Lines => Topology::LineList,
            Form::Triangles => Topology::TriangleList,
        }
    }
}

/// What a patch's domain is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Domain {
    Triangles,
    Quads,
    Isolines,
}

/// How edges are subdivided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spacing {
    Equal,
    FractionalEven,
    FractionalOdd,
}

/// What either stage of tessellation may say of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tessellation {
    pub domain: Option<Domain>,
    pub spacing: Option<Spacing>,
    /// Whether triangles are clockwise in the domain.
    pub clockwise: Option<bool>,
    pub points: bool,
}

/// Execution modes of an entry point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Modes {
    /// The primitives that a geometry shader takes.
    pub input: Option<Topology>,
    /// The primitives that a geometry or mesh shader makes: strips of them in a geometry shader.
    pub output: Option<Form>,
    /// Vertices of an output patch, or the most vertices that an invocation or a workgroup makes.
    pub vertices: u32,
    /// The most primitives that a workgroup makes.
    pub primitives: u32,
    /// Invocations of a geometry shader for each primitive.
    pub invocations: u32,
    pub tessellation: Tessellation,
}

impl Modes {
    /// The modes of an entry point that runs as a stage.
    pub fn of(entry: &EntryPoint, stage: StageKind) -> Result<Modes, DecodeError> {
        let has = |mode| entry.mode(mode).is_some();
        let number = |mode| entry.mode(mode).and_then(|words| words.first().copied());
        let wrong = |reason: String| DecodeError::Mode { entry: entry.name.clone(), reason };
        let needed = |what: &str| wrong(format!("invalid: the execution mode {what} is missing"));
        let within = |what: &str, value: u32, most: u32| match value {
            value if value <= most => Ok(value),
            value => Err(wrong(format!("not supported: {what} {value}, at most {most}"))),
        };
        fn first<T: Copy>(has: impl Fn(Mode) -> bool, all: &[(Mode, T)]) -> Option<T> {
            all.iter().find(|(mode, _)| has(*mode)).map(|(_, value)| *value)
        }
        let mut modes = Modes { invocations: 1, ..Modes::default() };
        match stage {
            StageKind::Geometry => {
                let inputs = [
                    (Mode::InputPoints, Topology::PointList),
                    (Mode::InputLines, Topology::LineList),
                    (Mode::InputLinesAdjacency, Topology::LineListWithAdjacency),
                    (Mode::Triangles, Topology::TriangleList),
                    (Mode::InputTrianglesAdjacency, Topology::TriangleListWithAdjacency),
                ];
                modes.input = Some(first(has, &inputs).ok_or_else(|| needed("of the input primitive"))?);
                let outputs = [
                    (Mode::OutputPoints, Form::Points),
                    (Mode::OutputLineStrip, Form::Lines),
                    (Mode::OutputTriangleStrip, Form::Triangles),
                ];
                modes.output = Some(first(has, &outputs).ok_or_else(|| needed("of the output primitive"))?);
                let vertices = number(Mode::OutputVertices).ok_or_else(|| needed("OutputVertices"))?;
                modes.vertices = within("OutputVertices", vertices, MAX_OUTPUTS)?;
                let invocations = number(Mode::Invocations).unwrap_or(1).max(1);
                modes.invocations = within("Invocations", invocations, MAX_INVOCATIONS)?;
            }
            StageKind::Mesh => {
                let outputs = [
                    (Mode::OutputPoints, Form::Points),
                    (Mode::OutputLinesEXT, Form::Lines),
                    (Mode::OutputTrianglesEXT, Form::Triangles),
                ];
                modes.output = Some(first(has, &outputs).ok_or_else(|| needed("of the output primitive"))?);
                let vertices = number(Mode::OutputVertices).ok_or_else(|| needed("OutputVertices"))?;
                modes.vertices = within("OutputVertices", vertices, MAX_OUTPUTS)?;
                let primitives = number(Mode::OutputPrimitivesEXT).ok_or_else(|| needed("OutputPrimitivesEXT"))?;
                modes.primitives = within("OutputPrimitivesEXT", primitives, MAX_OUTPUTS)?;
            }
            StageKind::TessControl | StageKind::TessEval => {
                let domains = [
                    (Mode::Triangles, Domain::Triangles),
                    (Mode::Quads, Domain::Quads),
                    (Mode::Isolines, Domain::Isolines),
                ];
                let spacings = [
                    (Mode::SpacingEqual, Spacing::Equal),
                    (Mode::SpacingFractionalEven, Spacing::FractionalEven),
                    (Mode::SpacingFractionalOdd, Spacing::FractionalOdd),
                ];
                modes.tessellation = Tessellation {
                    domain: first(has, &domains),
                    spacing: first(has, &spacings),
                    clockwise: first(has, &[(Mode::VertexOrderCw, true), (Mode::VertexOrderCcw, false)]),
                    points: has(Mode::PointMode),
                };
                let vertices = number(Mode::OutputVertices).unwrap_or(0);
                modes.vertices = within("OutputVertices", vertices, MAX_PATCH)?;
            }
            _ => {}
        }
        Ok(modes)
    }
}

impl Tessellation {
    /// What one stage says, or else the other one.
    pub fn or(self, other: Tessellation) -> Tessellation {
        Tessellation {
            domain: self.domain.or(other.domain),
            spacing: self.spacing.or(other.spacing),
            clockwise: self.clockwise.or(other.clockwise),
            points: self.points || other.points,
        }
    }
}
