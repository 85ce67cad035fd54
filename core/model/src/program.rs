//! What was loaded: the files, their SPIR-V modules, and the entry points that make up the pipeline.

use std::borrow::Cow;
use std::ffi::OsString;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::findings::{NOT_VALID, Place};
use lanescope_base::ids::{Bytes, Hash64};
use lanescope_dxil::Dxil;
use lanescope_pipeline::Pipeline;
use lanescope_spirv::{Module, SourceFile};

use crate::driver_hashes::DriverHashes;
use crate::dxil_interface::Linked;
use crate::options::Options;
use crate::overrides::Overrides;

pub use lanescope_base::converted::{ADDRESS_BYTES, ConvertedEntry, DescriptorBinding, WaveSize};
pub use lanescope_base::{Format, StageKind};

/// Everything that was loaded. Whole, or there is none: every module is readable and was put before the validator.
/// Empty by default: a report that was read from a file has none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What a state object of the program changes in the nodes of its libraries.
    #[serde(skip_serializing_if = "Overrides::is_default", default)]
    pub overrides: Overrides,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// The path as it was given.
    pub path: String,
    /// What the file held.
    pub format: Format,
    /// The file's size.
    pub bytes: Bytes,
    /// XXH3 of the file's bytes.
    pub hash: Hash64,
    /// What compiled it, with its version, where that is a choice: HLSL has two compilers, and that of Slang
    /// is loaded.
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoadedModule {
    /// The input it came from.
    pub input: usize,
    /// The module.
    pub module: Module,
    /// The source it was compiled or assembled from, as it was in the file.
    pub source: Option<String>,
    /// Where a source that was compiled is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source_place: Option<SourcePlace>,
    /// Paths of files that the source included, in the order in which they were met.
    pub includes: Vec<OsString>,
    /// Macros that were defined before its source, and that neither the source nor what it includes names. Empty where
    /// that is not known.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unread_macros: Vec<String>,
    /// Warnings of the compiler that made it of the source.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<CompilerMessage>,
    /// Rules that the validator saw broken in a module that can still be read.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub broken_rules: Vec<BrokenRule>,
    /// The path of the validator, where it is not the one that is built in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub validator: Option<String>,
    /// Whether the module is of text that does not state its SPIR-V version, so that the lowest one was chosen which
    /// assembles and validates.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub version_assumed: bool,
}

/// Where a source text is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourcePlace {
    /// What the lines of its module call its file ([`SourceLine::file`](lanescope_spirv::SourceLine)).
    pub file: String,
    /// Lines of that file before it.
    pub after: u32,
}

impl LoadedModule {
    /// A module of that input, of which nothing else is known.
    pub fn new(input: usize, module: Module) -> LoadedModule {
        LoadedModule {
            input,
            module,
            source: None,
            source_place: None,
            includes: Vec::new(),
            unread_macros: Vec::new(),
            warnings: Vec::new(),
            broken_rules: Vec::new(),
            validator: None,
            version_assumed: false,
        }
    }

    /// The source that it was compiled from, as the file that the lines of its instructions name.
    pub fn source_file(&self) -> Option<SourceFile> {
        let (text, place) = (self.source.as_ref()?, self.source_place.as_ref()?);
        let text = format!("{}{text}", "\n".repeat(place.after as usize));
        Some(SourceFile { file: place.file.clone(), text })
    }

    /// How it was validated: what a module that a pass makes of it is held to.
    pub fn validity(&self) -> Validity {
        Validity { broken_rules: self.broken_rules.clone(), validator: self.validator.clone() }
    }

    /// Whether the validator refuses it, so that it is open only because that was requested.
    pub fn is_invalid(&self) -> bool {
        self.broken_rules.iter().any(|broken| broken.code == NOT_VALID.code)
    }
}

/// A DXIL container and the results for its entry points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// Warnings of the compiler that made it of the source.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<CompilerMessage>,
    /// Its entry points.
    pub entries: Vec<ConvertedEntry>,
    /// Of each of them the entry point whose outputs it reads, by the containers of the program.
    #[serde(default)]
    pub before: Vec<Option<Linked>>,
    /// Where its registers went.
    pub bindings: Vec<DescriptorBinding>,
}

impl LoadedDxil {
    /// The names of its entry points that have no module.
    pub fn unconverted(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(|entry| entry.module.is_none()).map(|entry| entry.name.as_str())
    }

    /// Entry points of one graphics stage, where a library has several and the program none of them: the stage as DXIL
    /// names it, and the names of its entry points.
    pub fn unchosen(&self, stages: &[Stage]) -> Vec<(&str, Vec<&str>)> {
        let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
        let is_used = |entry: &ConvertedEntry| stages.iter().any(|stage| entry.module == Some(stage.module));
        for entry in self.entries.iter().filter(|entry| entry.module.is_some() && GRAPHICS.contains(&&*entry.kind)) {
            match kinds.iter_mut().find(|(kind, _)| *kind == entry.kind) {
                Some((_, names)) => names.push(&entry.name),
                None => kinds.push((&entry.kind, vec![&entry.name])),
            }
        }
        let used: Vec<&str> = self.entries.iter().filter(|entry| is_used(entry)).map(|entry| &*entry.kind).collect();
        kinds.retain(|(kind, names)| names.len() > 1 && !used.contains(kind));
        if self.dxil.is_library() { kinds } else { Vec::new() }
    }
}

/// The graphics stages, as DXIL names them.
const GRAPHICS: [&str; 7] = ["vertex", "hull", "domain", "geometry", "pixel", "mesh", "amplification"];

/// What a compiler said of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompilerMessage {
    /// The file, the line and the column, if it says one: `a.hlsl, line 2, column 5`.
    pub place: Option<Place>,
    /// The message.
    pub text: String,
    /// What the compiler prints below it: lines of the source, notes.
    pub details: String,
}

/// How a loaded module was validated.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Validity {
    /// The rules that it breaks.
    pub broken_rules: Vec<BrokenRule>,
    /// The path of the validator, where it is not the one that is built in.
    pub validator: Option<String>,
}

/// What SPIRV-Tools said of a module that is readable but breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrokenRule {
    /// The finding's code.
    pub code: String,
    /// The validator's own message.
    pub message: String,
    /// The validator saw no more of the module than up to here.
    pub stopped: bool,
}

/// One entry point that is analysed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

    /// The sources that lines of instructions name and modules do not carry: what modules were compiled from, and what
    /// containers keep.
    pub fn source_files(&self) -> Vec<SourceFile> {
        let kept = self.dxil.iter().flat_map(|loaded| loaded.dxil.source_texts());
        let kept = kept.map(|(file, text)| SourceFile { file, text });
        self.modules.iter().filter_map(LoadedModule::source_file).chain(kept).collect()
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

    /// The wave size that a stage is compiled for, where its container says so.
    pub fn wave_size_of(&self, stage: &Stage) -> Option<WaveSize> {
        let mut entries = self.dxil.iter().flat_map(|loaded| &loaded.entries);
        entries.find(|entry| entry.module == Some(stage.module))?.wave_size
    }

    /// The module of a stage.
    pub fn module_of(&self, stage: &Stage) -> &Module {
        &self.modules[stage.module].module
    }
}

impl Program {
    /// The hashes by which AMD's drivers name an entry point of a module, if drivers see the module's bytes.
    pub fn driver_hashes(&self, module: usize, entry: &str) -> Option<DriverHashes> {
        let loaded = self.modules.get(module)?;
        DriverHashes::of_loaded(loaded, self.inputs.get(loaded.input)?.format, entry)
    }

    /// The options of one stage (see [`Options::of_stage`]).
    pub fn options_of_stage<'o>(&self, options: &'o Options, stage: StageKind) -> Cow<'o, Options> {
        match &self.pipeline {
            Some(pipeline) => Cow::Owned(options.of_stage(pipeline, stage)),
            None => Cow::Borrowed(options),
        }
    }

    /// The macros that no source of the program uses. HLSL that became a container was read by a compiler that does not
    /// say.
    pub fn unread_macros(&self) -> Vec<&str> {
        let mut sources = self.modules.iter().filter(|module| module.source_place.is_some());
        let Some(first) = sources.next().filter(|_| self.dxil.iter().all(|loaded| loaded.source.is_none())) else {
            return Vec::new();
        };
        let others: Vec<&[String]> = sources.map(|module| module.unread_macros.as_slice()).collect();
        let unread = first.unread_macros.iter().filter(|name| others.iter().all(|other| other.contains(name)));
        unread.map(String::as_str).collect()
    }

    /// The options with what the program's description says, if it has one (see [`Options::with_pipeline`]).
    pub fn options(&self, given: &Options) -> Options {
        let mut out = self.pipeline.as_ref().map_or_else(|| given.clone(), |pipeline| given.with_pipeline(pipeline));
        out.overrides = given.overrides.over(&self.overrides);
        out
    }
}
