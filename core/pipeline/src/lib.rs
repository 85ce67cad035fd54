//! What an application passes to a driver for a pipeline besides its shaders: layout, state, constants, options.
//!
//! Descriptions come from files (lanescope-load opens them) and are plain data. What a file does not specify is
//! absent here, which is not the same as off: the two formats leave out different things.
//!
//! * [`layout`]: descriptor sets as the API places them, and user data nodes as a driver places them. One description
//!   has the one or the other; sizes in dwords exist in nodes only.
//! * [`state`]: vertex input, rasterisation, attachments.
//! * [`settings`]: options of a description that set Lanescope's.
//! * [`summary`]: a description as tables.
//! * [`pipe`]: the reader of LLPC's text; [`foz`]: Fossilize databases, read and written.
//! * [`shader_test`]: the reader of the tests of shader_runner, shader-db and VkRunner.
//! * [`vulkan`]: the names of Vulkan's numbers.
//! * [`findings`]: the rules that a file can break, each with a stable code.
//!
//! # LLPC's text
//!
//! ```
//! use lanescope_pipeline::{NodeType, PipelineKind, pipe};
//!
//! let text = b"[CsGlsl]
//! #version 450
//! void main() {}
//!
//! [CsInfo]
//! entryPoint = main
//!
//! [ResourceMapping]
//! userDataNode[0].visibility = 128
//! userDataNode[0].type = DescriptorBuffer
//! userDataNode[0].offsetInDwords = 0
//! userDataNode[0].sizeInDwords = 4
//! userDataNode[0].set = 0
//! userDataNode[0].binding = 1
//! ";
//! let file = pipe::read("a.pipe", text)?;
//! assert_eq!(file.pipeline.kind, PipelineKind::Compute);
//! let node = &file.pipeline.layout.nodes[0];
//! assert_eq!((node.node.ty, node.stages.to_string()), (Some(NodeType::Buffer), "compute".to_owned()));
//!
//! // What is wrong is a finding with its line, and the rest is read.
//! let file = pipe::read("a.pipe", b"[CsInfo]\nentryPoint = main\noptions.waveSize = many\n")?;
//! assert_eq!(file.pipeline.findings[0].code, "pipe.bad-number");
//! # Ok::<(), lanescope_pipeline::Fault>(())
//! ```
//!
//! # A database
//!
//! ```
//! use std::io::Cursor;
//!
//! use lanescope_pipeline::foz::{Database, Tag, Writer, looks_like};
//!
//! let mut writer = Writer::new(Vec::new(), false)?;
//! let key = writer.module(&[0x0723_0203, 0x1_0300, 0, 1, 0])?;
//! let bytes = writer.finish()?;
//! assert!(looks_like(&bytes));
//!
//! // Files of one set are opened together; of an object that is in several, that of the first file counts.
//! let files = ["a.foz", "b.foz"].map(|name| (name.to_owned(), Cursor::new(bytes.clone())));
//! let database = Database::open(files.into()).map_err(|(_, fault)| fault)?;
//! assert_eq!((database.count(Tag::Module), database.of(Tag::Module)[0].hash), (1, key));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! `serde`: `Serialize` and `Deserialize` for descriptions and lists.

#![forbid(unsafe_code)]

mod color_target;
mod constant;
pub mod findings;
pub mod foz;
pub mod layout;
mod notes;
pub mod pipe;
pub mod settings;
pub mod shader_test;
mod source_sections;
pub mod state;
pub mod summary;
pub mod vulkan;

use crate::findings::{Finding, Rule};
use lanescope_base::ids::Hash64;
use lanescope_base::named_enum;
use lanescope_base::{Format, StageKind};
use lanescope_spirv::SpecValue;

pub use color_target::ColorTarget;
pub use constant::ConstantTypes;
pub use layout::{
    Binding, DescriptorSet, Layout, NodeType, PushConstantRange, ResourceNode, RootNode, Sampler, StageMask,
    StaticDescriptor,
};
pub use settings::Setting;
pub use source_sections::{SourceSection, source_sections};
pub use state::{
    Attachments, Blend, ColorAttachment, DepthStencil, Multisample, Raster, RayTracing, ShaderGroup, State,
    StencilFace, VertexAttribute, VertexBinding, VertexInput,
};

/// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

named_enum!(
    serde if feature = "serde";
    /// The kind of pipeline.
    PipelineKind {
        /// Vertex or mesh shading.
        Graphics = "graphics",
        /// One compute shader.
        Compute = "compute",
        /// Shaders that rays start.
        RayTracing = "ray_tracing",
        /// A list of other descriptions that are linked.
        Library = "library",
        /// A state object of D3D12: libraries, from which programs are made.
        StateObject = "state_object",
    }
);

/// Why a file is not a description at all, or why it holds none that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Fault {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// Location: `line 4`, `byte 0x38`.
    pub place: String,
    /// What was expected, and what was found.
    pub message: String,
}

/// The description of one pipeline.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pipeline {
    /// Origin of the description.
    pub origin: Origin,
    /// Kind of pipeline.
    pub kind: PipelineKind,
    /// Its stages, in the order of the description.
    pub stages: Vec<StageDescription>,
    /// Resource layout.
    pub layout: Layout,
    /// Its state.
    pub state: State,
    /// Options of the description, in its order: those of the whole pipeline.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub settings: Vec<Setting>,
    /// Text that was read but not interpreted, as written.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub kept: Vec<Kept>,
    /// Rules that the description breaks.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub findings: Vec<Finding>,
}

/// The origin of a description.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Origin {
    /// The kind of file.
    pub format: Format,
    /// Index of the file in the program's inputs.
    pub input: usize,
    /// The version that the file names.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub version: Option<u32>,
    /// The pipeline's key, where its file has many.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub hash: Option<Hash64>,
    /// The application that was recorded.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub application: Option<Application>,
    /// The libraries that it is linked from, each with its part.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub libraries: Vec<Library>,
}

/// A recorded application.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Application {
    /// Its name.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub name: Option<String>,
    /// Its engine's name.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub engine: Option<String>,
    /// The Vulkan version that it requested, `major.minor.patch`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub api: Option<String>,
}

/// A library that a pipeline is linked from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Library {
    /// Its key, where its file has keys.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub hash: Option<Hash64>,
    /// Its file, where it has one of its own.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub name: Option<String>,
    /// Its parts: `vertex_input`, `pre_rasterization`, `fragment_shader`, `fragment_output`.
    pub parts: Vec<String>,
}

/// One stage of a description.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageDescription {
    /// Its stage.
    pub stage: StageKind,
    /// Its entry point.
    pub entry: String,
    /// The description names no entry point; this one is assumed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not", default))]
    pub entry_assumed: bool,
    /// Index of its module in the program's modules; absent where its shader cannot be had.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub module: Option<usize>,
    /// Form of the shader: `GLSL`, `SPIR-V text`, `file a.spv`, `module 0x…`.
    pub shader: String,
    /// Location in the file: `line 4`, `graphics pipeline 0x…`.
    pub from: String,
    /// The subgroup size that is required.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub subgroup_size: Option<u32>,
    /// Creation flags of the stage.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub flags: Vec<String>,
    /// Specialization constants.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub constants: Vec<Constant>,
    /// Options of this stage, in the order of the description.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub settings: Vec<Setting>,
}

/// A specialization constant of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Constant {
    /// Its SpecId.
    pub id: u32,
    /// Offset of its value in the stage's data, in bytes.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// Its value, as its type reads it; absent where the data ends before it, it is of another size than its type or no
    /// module declares it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub value: Option<SpecValue>,
    /// Its type is of another size.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not", default))]
    pub wrong_size: bool,
    /// Its bytes.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub bytes: String,
}

/// Something of a description that is kept as written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Kept {
    /// Location in the file: `line 12`, `graphics pipeline 0x…`.
    pub from: String,
    /// Name: a section, a key, a structure's number.
    pub name: String,
    /// Text.
    pub text: String,
}

impl Pipeline {
    /// An empty description.
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
    pub fn is_library(&self) -> bool {
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
