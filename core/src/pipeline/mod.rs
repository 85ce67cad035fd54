//! What an application tells a driver about a pipeline beside its shaders: layout, state, constants, options.
//!
//! Descriptions come from files ([`crate::load`] opens them) and are plain data. Whatever a file does not say is
//! absent here, which is not the same as off: the two formats leave out different things.
//!
//! * [`layout`]: descriptor sets as the API places them, and user data nodes as a driver places them. One description
//!   has the one or the other; sizes in dwords exist in nodes only.
//! * [`state`]: vertex input, rasterisation, attachments.
//! * [`settings`]: options of a description that set ours.
//! * [`summary`]: a description as tables.
//! * [`pipe`]: the reader of LLPC's text; [`foz`]: Fossilize databases, read and written.
//! * [`vulkan`]: the names of Vulkan's numbers.

mod constant;
pub mod foz;
pub mod layout;
pub(crate) mod notes;
pub mod pipe;
pub mod settings;
pub mod state;
pub mod summary;
pub mod vulkan;

use serde::{Deserialize, Serialize};

use crate::findings::{Finding, Rule};
use crate::ids::Hash64;
use crate::options::{SpecValue, named_enum};
use crate::program::{Format, StageKind};

pub(crate) use constant::ConstantTypes;
pub use layout::{
    Binding, DescriptorSet, Layout, NodeType, PushConstantRange, ResourceNode, RootNode, Sampler, StageMask,
    StaticDescriptor,
};
pub use settings::Setting;
pub use state::{
    Attachments, Blend, ColorAttachment, DepthStencil, Multisample, Raster, RayTracing, ShaderGroup, State,
    StencilFace, VertexAttribute, VertexBinding, VertexInput,
};

named_enum!(
    /// What is made of the stages.
    PipelineKind {
        /// Vertex or mesh shading.
        Graphics = "graphics",
        /// One compute shader.
        Compute = "compute",
        /// Shaders that rays start.
        RayTracing = "ray_tracing",
        /// A list of other descriptions that are linked.
        Library = "library",
    }
);

/// Why a file is no description at all, or why it holds none that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Fault {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// Where: `line 4`, `byte 0x38`.
    pub place: String,
    /// What was expected, and what was found.
    pub message: String,
}

/// The description of one pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pipeline {
    /// Where it was read.
    pub origin: Origin,
    /// What it describes.
    pub kind: PipelineKind,
    /// Its stages, in the order of the description.
    pub stages: Vec<StageDescription>,
    /// Where its resources lie.
    pub layout: Layout,
    /// Its state.
    pub state: State,
    /// Options of the description, in its order: those of the whole pipeline.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub settings: Vec<Setting>,
    /// What was read and is not understood, as it was written.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub kept: Vec<Kept>,
    /// Rules that the description breaks.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<Finding>,
}

/// Where a description was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The kind of file.
    pub format: Format,
    /// Index of the file in [`crate::program::Program::inputs`].
    pub input: usize,
    /// The version that the file names.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<u32>,
    /// The pipeline's key, where its file has many.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hash: Option<Hash64>,
    /// The application that was recorded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub application: Option<Application>,
    /// The libraries that it is linked from, each with its part.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub libraries: Vec<Library>,
}

/// A recorded application.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Application {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Its engine's name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub engine: Option<String>,
    /// The Vulkan version that it asked for, `major.minor.patch`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub api: Option<String>,
}

/// A library that a pipeline is linked from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// Its key, where its file has keys.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hash: Option<Hash64>,
    /// Its file, where it has one of its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Its parts: `vertex_input`, `pre_rasterization`, `fragment_shader`, `fragment_output`.
    pub parts: Vec<String>,
}

/// One stage of a description.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageDescription {
    /// Its stage.
    pub stage: StageKind,
    /// Its entry point.
    pub entry: String,
    /// The description names no entry point; this one is assumed.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub entry_assumed: bool,
    /// Index of its module in [`crate::program::Program::modules`]; absent where its shader cannot be had.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub module: Option<usize>,
    /// What the shader is: `GLSL`, `SPIR-V text`, `file a.spv`, `module 0x…`.
    pub shader: String,
    /// Where it stands: `line 4`, `graphics pipeline 0x…`.
    pub from: String,
    /// The subgroup size that is required.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub subgroup_size: Option<u32>,
    /// Creation flags of the stage.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub flags: Vec<String>,
    /// Specialization constants.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub constants: Vec<Constant>,
    /// Options of this stage, in the order of the description.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub settings: Vec<Setting>,
}

/// A specialization constant of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constant {
    /// Its SpecId.
    pub id: u32,
    /// Where its value lies in the stage's data, in bytes.
    pub offset: u64,
    /// How many bytes it has.
    pub size: u64,
    /// Its value, as its type reads it; absent where the data ends before it, it is of another size than its type or no
    /// module declares it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<SpecValue>,
    /// Its type is of another size.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub wrong_size: bool,
    /// Its bytes.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub bytes: String,
}

/// Something of a description that is kept as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Where it stands: `line 12`, `graphics pipeline 0x…`.
    pub from: String,
    /// What it is called: a section, a key, a structure's number.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl Pipeline {
    /// A description that says nothing.
    pub fn new(format: Format, kind: PipelineKind) -> Pipeline {
        let origin = Origin { format, input: 0, version: None, hash: None, application: None, libraries: Vec::new() };
        Pipeline {
            origin,
            kind,
            stages: Vec::new(),
            layout: Layout::default(),
            state: State::default(),
            settings: Vec::new(),
            kept: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Whether it is a library that others are linked from and rightly has no shader: vertex input, or outputs.
    pub fn is_part_without_shaders(&self) -> bool {
        self.is_library() && self.kind == PipelineKind::Graphics && self.stages.is_empty()
    }

    /// Whether others are linked from it.
    pub(crate) fn is_library(&self) -> bool {
        // VK_PIPELINE_CREATE_LIBRARY_BIT_KHR.
        self.state.flags.is_some_and(|flags| flags & 0x800 != 0)
    }

    /// The first stage of that kind.
    pub fn stage(&self, kind: StageKind) -> Option<&StageDescription> {
        self.stages.iter().find(|stage| stage.stage == kind)
    }

    /// The constants that a module of the program is specialised with.
    pub fn constants_of(&self, module: usize) -> impl Iterator<Item = (u32, &SpecValue)> {
        let stages = self.stages.iter().filter(move |stage| stage.module == Some(module));
        stages.flat_map(|stage| &stage.constants).filter_map(|c| Some((c.id, c.value.as_ref()?)))
    }
}
