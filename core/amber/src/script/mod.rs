//! A script as plain data. Every item has its line; lines do not distinguish items that are equal otherwise.

pub mod command;
pub mod pipeline;
pub mod rays;
pub mod state;

use lanescope_base::named_enum;

pub use crate::line::Line;
use crate::number::Number;
use crate::types::layout::{Layout, Packing, Struct};
use crate::types::{DataType, layout};
use command::Command;
use pipeline::Pipeline;
use rays::AccelerationStructure;
use state::Sampler;

/// A script.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Script {
    /// What a device must have, and what is set for the program that runs the script.
    pub requirements: Vec<Requirement>,
    /// Files that the script contains.
    pub files: Vec<VirtualFile>,
    /// Structures.
    pub structs: Vec<Struct>,
    /// Shaders.
    pub shaders: Vec<Shader>,
    /// Samplers.
    pub samplers: Vec<Sampler>,
    /// Buffers and images, in one order: they share their names.
    pub buffers: Vec<Buffer>,
    /// Acceleration structures.
    pub structures: Vec<AccelerationStructure>,
    /// Pipelines.
    pub pipelines: Vec<Pipeline>,
    /// Commands, in the order in which they run.
    pub commands: Vec<Command>,
}

named_enum!(
    serde if feature = "serde";
    /// What a requirement is about.
    RequirementKind {
        /// A feature of the device, as Vulkan's structures name it: `shaderInt8`, `Float16Int8Features.shaderFloat16`.
        DeviceFeature = "DEVICE_FEATURE",
        /// A property of the device.
        DeviceProperty = "DEVICE_PROPERTY",
        /// An extension of the device.
        DeviceExtension = "DEVICE_EXTENSION",
        /// An extension of the instance.
        InstanceExtension = "INSTANCE_EXTENSION",
    }
);

/// A requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Requirement {
    /// What the device must have.
    Device {
        /// Its line.
        line: Line,
        /// What it is about.
        kind: RequirementKind,
        /// The name.
        name: String,
    },
    /// `SET ENGINE_DATA fence_timeout_ms`: how long a run may take.
    FenceTimeout {
        /// Its line.
        line: Line,
        /// Milliseconds.
        milliseconds: u32,
    },
}

/// A file that the script contains.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VirtualFile {
    /// The line of its first line of text.
    pub line: Line,
    /// Its path.
    pub path: String,
    /// Its text.
    pub text: String,
}

named_enum!(
    serde if feature = "serde";
    /// What a shader is for.
    ShaderStage {
        /// Vertex shader.
        Vertex = "vertex",
        /// Fragment shader.
        Fragment = "fragment",
        /// Geometry shader.
        Geometry = "geometry",
        /// Tessellation evaluation shader.
        TessEval = "tessellation_evaluation",
        /// Tessellation control shader.
        TessControl = "tessellation_control",
        /// Compute shader.
        Compute = "compute",
        /// Ray generation shader.
        RayGeneration = "ray_generation",
        /// Any-hit shader.
        AnyHit = "any_hit",
        /// Closest-hit shader.
        ClosestHit = "closest_hit",
        /// Miss shader.
        Miss = "miss",
        /// Intersection shader.
        Intersection = "intersection",
        /// Callable shader.
        Callable = "callable",
        /// A module with entry points of several stages.
        Multi = "multi",
    }
);

named_enum!(
    serde if feature = "serde";
    /// The language of a shader.
    ShaderFormat {
        /// GLSL.
        Glsl = "GLSL",
        /// HLSL.
        Hlsl = "HLSL",
        /// SPIR-V assembly.
        SpirvAsm = "SPIRV-ASM",
        /// SPIR-V as words in hexadecimal.
        SpirvHex = "SPIRV-HEX",
        /// A SPIR-V binary, in a file.
        SpirvBin = "SPIRV-BIN",
        /// OpenCL C.
        OpenClC = "OPENCL-C",
    }
);

/// A shader.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shader {
    /// Its line.
    pub line: Line,
    /// Its stage.
    pub stage: ShaderStage,
    /// Its name.
    pub name: String,
    /// Its code.
    pub code: ShaderCode,
}

/// The code of a shader.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ShaderCode {
    /// The vertex shader that passes location 0 on as the position.
    Passthrough,
    /// A text or a file.
    Given {
        /// Its language.
        format: ShaderFormat,
        /// The environment of SPIR-V that it is compiled for: `spv1.3`, `vulkan1.1`.
        target: Option<String>,
        /// Where it is.
        source: ShaderSource,
    },
}

/// Where the code of a shader is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ShaderSource {
    /// In the script, after the line of the shader.
    Text(String),
    /// In a file that the script contains, by its path.
    VirtualFile(String),
    /// In a file, by its path from that of the script.
    File(String),
}

named_enum!(
    serde if feature = "serde";
    /// The dimensions of an image.
    Dimension {
        /// One dimension.
        One = "DIM_1D",
        /// Two dimensions.
        Two = "DIM_2D",
        /// Three dimensions.
        Three = "DIM_3D",
    }
);

/// A buffer or an image.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Buffer {
    /// Its line.
    pub line: Line,
    /// Its name.
    pub name: String,
    /// Its form, which states what is given.
    pub form: BufferForm,
    /// The type of its elements.
    pub ty: DataType,
    /// What it contains at first.
    pub initializer: Initializer,
}

/// What a buffer is declared as.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum BufferForm {
    /// `BUFFER … DATA_TYPE`.
    Elements {
        /// The rules of its layout, where they are given: else those of std430.
        packing: Option<Packing>,
        /// Its size.
        size: Size,
    },
    /// `BUFFER … FORMAT`: an attachment, of the size of the framebuffer, or the image of a file.
    Attachment {
        /// Mip levels, where they are given: else 1.
        mip_levels: Option<u32>,
        /// Samples, where they are given: else 1.
        samples: Option<u32>,
    },
    /// `IMAGE`.
    Image {
        /// It is declared with `FORMAT`, not with `DATA_TYPE`.
        is_format: bool,
        /// Its dimensions.
        dimension: Dimension,
        /// Width, height and depth; 1 in the dimensions that it does not have.
        extent: [u32; 3],
        /// Mip levels, where they are given: else 1.
        mip_levels: Option<u32>,
        /// Samples, where they are given: else 1.
        samples: Option<u32>,
    },
}

/// The size of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Size {
    /// As many elements as its data has.
    OfData,
    /// A count of elements.
    Elements(u32),
    /// Elements in rows.
    Area {
        /// Width.
        width: u32,
        /// Height.
        height: u32,
    },
}

named_enum!(
    serde if feature = "serde";
    /// The form of a file with the contents of a buffer.
    FileForm {
        /// Numbers as a script has them.
        Text = "TEXT",
        /// Bytes.
        Binary = "BINARY",
        /// A picture.
        Png = "PNG",
    }
);

/// What a buffer contains at first.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Initializer {
    /// Nothing is stated; it is zero.
    Absent,
    /// Numbers.
    Data(Vec<Number>),
    /// One number everywhere.
    Fill(Number),
    /// Numbers that increase.
    Series {
        /// The first.
        from: Number,
        /// What each is more than the one before.
        by: Number,
    },
    /// The contents of a file, by its path from that of the script.
    File {
        /// Its form.
        form: FileForm,
        /// Its path.
        path: String,
    },
}

impl Buffer {
    /// The rules of its layout.
    pub fn packing(&self) -> Packing {
        match self.form {
            BufferForm::Elements { packing: Some(packing), .. } => packing,
            _ => Packing::Std430,
        }
    }

    /// Width, height and depth in elements, where they are given.
    pub fn extent(&self) -> Option<[u32; 3]> {
        match self.form {
            BufferForm::Elements { size: Size::Area { width, height }, .. } => Some([width, height, 1]),
            BufferForm::Image { extent, .. } => Some(extent),
            _ => None,
        }
    }

    /// Mip levels.
    pub fn mip_levels(&self) -> u32 {
        match self.form {
            BufferForm::Attachment { mip_levels, .. } | BufferForm::Image { mip_levels, .. } => mip_levels.unwrap_or(1),
            BufferForm::Elements { .. } => 1,
        }
    }

    /// Samples of each texel.
    pub fn samples(&self) -> u32 {
        match self.form {
            BufferForm::Attachment { samples, .. } | BufferForm::Image { samples, .. } => samples.unwrap_or(1),
            BufferForm::Elements { .. } => 1,
        }
    }
}

impl Script {
    /// The shader of that name.
    pub fn shader(&self, name: &str) -> Option<&Shader> {
        self.shaders.iter().find(|one| one.name == name)
    }

    /// The buffer or image of that name.
    pub fn buffer(&self, name: &str) -> Option<&Buffer> {
        self.buffers.iter().find(|one| one.name == name)
    }

    /// The sampler of that name.
    pub fn sampler(&self, name: &str) -> Option<&Sampler> {
        self.samplers.iter().find(|one| one.name == name)
    }

    /// The pipeline of that name, as it is written: see [`Script::resolved`].
    pub fn pipeline(&self, name: &str) -> Option<&Pipeline> {
        self.pipelines.iter().find(|one| one.name == name)
    }

    /// Where the numbers of an element of this type lie. What cannot be laid out is said.
    ///
    /// # Errors
    /// A structure that is not declared, or is too large.
    pub fn layout(&self, ty: &DataType, packing: Packing) -> Result<Layout, String> {
        let mut known = Vec::new();
        if let DataType::Struct(_) = ty {
            for one in &self.structs {
                known.push((one.name.clone(), layout::of_struct(one, &known)?));
            }
        }
        layout::of(ty, packing, &known)
    }

    /// The pipeline of that name, with what it derives from others.
    pub fn resolved(&self, name: &str) -> Option<Pipeline> {
        let mut out = self.pipeline(name)?.clone();
        // A pipeline derives from one before it, so this ends.
        for _ in 0..self.pipelines.len() {
            let Some(parent) = out.parent.take().and_then(|parent| self.pipeline(&parent)) else { break };
            out = parent.clone().overridden_by(out);
        }
        Some(out)
    }
}
