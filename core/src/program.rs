//! What was loaded: the files, their SPIR-V modules, and the entry points that make up the pipeline.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use crate::dxil::Dxil;
use crate::findings::NOT_VALID;
use crate::ids::{Bytes, Hash64};
use crate::options::named_enum;
use crate::pipeline::Pipeline;
use crate::spirv::Module;

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

    /// The stage with the entry point that tells it from another of its kind, where one is named: `compute Blur`.
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

named_enum!(
    /// What a file holds.
    Format {
        /// GLSL source.
        Glsl = "glsl",
        /// A SPIR-V binary.
        Spirv = "spirv",
        /// SPIR-V assembly text.
        Spvasm = "spvasm",
        /// HLSL source.
        Hlsl = "hlsl",
        /// A DXIL container.
        Dxil = "dxil",
        /// LLPC's text of one pipeline.
        Pipe = "pipe",
        /// A Fossilize database.
        Fossilize = "foz",
    }
);

/// Everything that was loaded. Whole, or there is none: every module is readable and was put before the validator.
/// Empty by default: nothing stands behind a report that was read from a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The files, in the order in which they were named.
    pub inputs: Vec<Input>,
    /// One module an input; of a DXIL container one module an entry point that could be converted.
    pub modules: Vec<LoadedModule>,
    /// DXIL containers, in the order of their inputs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub dxil: Vec<LoadedDxil>,
    /// The entry points that are analysed: in pipeline order, then in module order.
    pub stages: Vec<Stage>,
    /// What a file of the program says of the pipeline beside its shaders.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pipeline: Option<Box<Pipeline>>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// The path as it was given.
    pub path: String,
    /// What the file held.
    pub format: Format,
    /// The file's size.
    pub bytes: Bytes,
    /// XXH3 of the file's bytes.
    pub hash: Hash64,
    /// What compiled it, with its version, where that is a choice: HLSL has two compilers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub compiler: Option<String>,
    /// Where the registers of HLSL went that became SPIR-V without a container.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bindings: Vec<DescriptorBinding>,
}

impl Input {
    /// A file of which nothing else is known.
    pub fn new(path: String, format: Format, bytes: Bytes, hash: Hash64) -> Input {
        Input { path, format, bytes, hash, compiler: None, bindings: Vec::new() }
    }
}

/// One SPIR-V module with the texts that show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadedModule {
    /// The input it came from.
    pub input: usize,
    /// The module.
    pub module: Module,
    /// The source it was compiled or assembled from, as it stood in the file.
    pub source: Option<String>,
    /// Paths of files that the source included, in the order in which they were met.
    pub includes: Vec<OsString>,
    /// Rules that the validator saw broken in a module that can still be read.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub broken_rules: Vec<BrokenRule>,
    /// Whether the module is of text that does not state its SPIR-V version, so that the lowest one was chosen which
    /// assembles and validates.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub version_assumed: bool,
}

impl LoadedModule {
    /// A module of that input, of which nothing else is known.
    pub fn new(input: usize, module: Module) -> LoadedModule {
        let (source, includes, broken_rules) = (None, Vec::new(), Vec::new());
        LoadedModule { input, module, source, includes, broken_rules, version_assumed: false }
    }

    /// Whether the validator refuses it, so that it is open only because that was asked for.
    pub fn is_invalid(&self) -> bool {
        self.broken_rules.iter().any(|broken| broken.code == NOT_VALID.code)
    }
}

/// A DXIL container and what became of its entry points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadedDxil {
    /// The input it came from.
    pub input: usize,
    /// The container.
    pub dxil: Dxil,
    /// The HLSL that it was compiled from, where that was loaded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
    /// Paths of files that the source included, in the order in which they were met.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub includes: Vec<OsString>,
    /// Its entry points.
    pub entries: Vec<ConvertedEntry>,
    /// Where its registers went.
    pub bindings: Vec<DescriptorBinding>,
}

/// An entry point of a DXIL container, and its SPIR-V.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvertedEntry {
    /// Its name, as the source has it.
    pub name: String,
    /// Its shader kind.
    pub kind: String,
    /// Index of its module in [`Program::modules`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub module: Option<usize>,
    /// Why it has no module.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<String>,
    /// The converter's full output, where `why` leaves something out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub details: Option<String>,
    /// The line, from 1, of its container's disassembly that stops the conversion, where one does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped_at: Option<u32>,
    /// Whether its inputs have the registers of the outputs that feed them.
    pub registers_agree: bool,
    /// Lanes of the waves that it is made for, where it or the conversion says so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wave_size: Option<WaveSize>,
}

/// How many lanes a wave may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaveSize {
    /// At least so many.
    pub least: u32,
    /// At most so many.
    pub most: u32,
    /// Best so many; 0 where it is all the same.
    pub preferred: u32,
}

impl std::fmt::Display for WaveSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.least == self.most {
            true => write!(f, "{}", self.least),
            false => write!(f, "{} to {}", self.least, self.most),
        }
    }
}

/// A register and its descriptor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescriptorBinding {
    /// The register: `t0`.
    pub register: String,
    /// `cbv`, `srv`, `uav` or `sampler`.
    pub class: String,
    /// Register space.
    pub space: u32,
    /// The register's number.
    pub lower: u32,
    /// Whether it is the hidden counter of that register's buffer.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub counter: bool,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Offset in the push constants of the address that it is reached by; set and binding say nothing then.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub address: Option<u32>,
}

/// Bytes of an address in the push constants.
pub const ADDRESS_BYTES: u32 = 8;

impl DescriptorBinding {
    /// Where it is found: `set0.binding1`, or `push constant 8` where that holds its address.
    pub fn place(&self) -> String {
        match self.address {
            Some(offset) => format!("push constant {offset}"),
            None => format!("set{}.binding{}", self.set, self.binding),
        }
    }

    /// The register with its space, where that is not 0: `u0`, `t3,space1`.
    pub fn name(&self) -> String {
        let counter = if self.counter { " counter" } else { "" };
        match self.space {
            0 => format!("{}{counter}", self.register),
            space => format!("{},space{space}{counter}", self.register),
        }
    }
}

/// What SPIRV-Tools said of a module that is readable but breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenRule {
    /// The finding's code.
    pub code: String,
    /// The validator's own message.
    pub message: String,
    /// The validator saw no more of the module than up to here.
    pub stopped: bool,
}

/// One entry point that is analysed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Its stage.
    pub stage: StageKind,
    /// Its name.
    pub entry: String,
    /// Index of its module in [`Program::modules`].
    pub module: usize,
    /// Index among its module's entry points.
    pub entry_index: usize,
}

impl Program {
    /// The first stage of that kind.
    pub fn stage(&self, kind: StageKind) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.stage == kind)
    }

    /// Where registers went: those of containers, then those of HLSL that became SPIR-V without one.
    pub fn registers(&self) -> impl Iterator<Item = &DescriptorBinding> {
        let of_inputs = self.inputs.iter().flat_map(|input| &input.bindings);
        self.dxil.iter().flat_map(|loaded| &loaded.bindings).chain(of_inputs)
    }

    /// The vertex stream of its geometry shader that is rasterised.
    pub fn raster_stream(&self) -> u32 {
        let raster = self.pipeline.as_ref().and_then(|pipeline| pipeline.state.raster.as_ref());
        raster.and_then(|raster| raster.stream).unwrap_or(0)
    }

    /// Lanes of the waves that a stage is made for, where its container says so.
    pub fn wave_size_of(&self, stage: &Stage) -> Option<WaveSize> {
        let mut entries = self.dxil.iter().flat_map(|loaded| &loaded.entries);
        entries.find(|entry| entry.module == Some(stage.module))?.wave_size
    }

    /// The module of a stage.
    pub fn module_of(&self, stage: &Stage) -> &Module {
        &self.modules[stage.module].module
    }
}
