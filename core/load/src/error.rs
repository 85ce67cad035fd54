//! Errors of opening files: the file, the place in it, what was expected, what was found.

use lanescope_base::text_format::size;
use std::fmt;
use std::path::PathBuf;

use lanescope_model::program::StageKind;
use lanescope_spirv::ParseError;

/// A file that cannot be used, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}{problem}", file(.path))]
pub struct LoadError {
    /// The file; empty where no single file is to blame.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

fn file(path: &std::path::Path) -> String {
    if path.as_os_str().is_empty() { String::new() } else { format!("{}: ", path.display()) }
}

/// How to get the DirectX shader compiler.
fn install_dxc() -> String {
    format!(
        "install libdxcompiler.so (part of the DirectXShaderCompiler releases and of the Vulkan SDK), set {} to its \
         path, or compile the file with dxc and open the container",
        super::HLSL_LIBRARY_VARIABLE
    )
}

/// Where else a file was looked for.
fn among(folders: &[String]) -> String {
    if folders.is_empty() { String::new() } else { format!(", also not in {}", folders.join(", ")) }
}

impl Problem {
    /// Whether the validator refuses a module that can be read without it.
    pub fn is_invalid(&self) -> bool {
        matches!(self, Problem::Invalid { .. } | Problem::UnknownOpcode { .. })
    }

    /// Whether the validator would take too long for a module that can be read without it.
    pub fn is_effort(&self) -> bool {
        matches!(self, Problem::Effort { .. })
    }

    /// Whether the validator that was asked for failed, rather than the module.
    pub fn is_of_validator(&self) -> bool {
        matches!(self, Problem::Validator { .. })
    }

    /// Whether something is missing on this machine, rather than wrong with the file.
    pub fn is_missing(&self) -> bool {
        matches!(self, Problem::NoHlslCompiler { .. } | Problem::HlslNeedsDxc { .. } | Problem::NoSlang { .. })
    }
}

/// An instruction of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstructionPlace {
    /// Its index, from 0.
    pub instruction: usize,
    /// Its offset, in words.
    pub word: usize,
}

impl fmt::Display for InstructionPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instruction #{} (byte {:#x})", self.instruction, self.word * 4)
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// Nothing was named.
    #[error("no input file")]
    NoFiles,
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// A file that another one names, outside of the folders that these may be in.
    #[error("outside of the folders that may be read")]
    Outside,
    /// `-` was named where standard input is not read.
    #[error("standard input is not supported by this command; name a file")]
    StandardInput,
    /// A directory was named.
    #[error(
        "is a folder; expected a shader file (`lanescope corpus`, `lanescope slots`, `lanescope guess-layout --corpus` and the window open folders)"
    )]
    Directory,
    /// A FIFO, a socket or a device where a regular file is wanted.
    #[error("is {kind}; expected a regular file")]
    SpecialFile {
        /// What it is, with its article.
        kind: &'static str,
    },
    /// A file of a file system that shows what the kernel knows.
    #[error("is a virtual file of {system}; expected a regular file")]
    KernelFile {
        /// The file system.
        system: &'static str,
    },
    /// A stream whose writer does not close it.
    #[error("is {what} that was not closed within {seconds} s; close it after writing, or set a longer --timeout")]
    Silent {
        /// What it is: `a FIFO`.
        what: &'static str,
        /// How long it was waited for.
        seconds: f64,
    },
    /// A stream, or a file that grows, with more bytes than are read.
    #[error("is larger than {}, the most that is read", size(*limit))]
    Endless {
        /// The limit.
        limit: u64,
    },
    /// Files that a description names, which are too large all together.
    #[error("the files of the description have more than {} in total, the most that is read", size(*limit))]
    FilesTooLarge {
        /// The limit.
        limit: u64,
    },
    /// A database of pipelines that is not a file.
    #[error("is a Fossilize database, which cannot be read from standard input or a FIFO; name the file")]
    DatabaseStream,
    /// The file is larger than anything here reads.
    #[error("is too large: {}; the limit is {}", size(*bytes), size(*limit))]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The file holds nothing.
    #[error("empty file; expected SPIR-V, SPIR-V assembly, DXIL, GLSL, HLSL, WGSL, Slang or a pipeline description")]
    Empty,
    /// Neither content nor extension names a format.
    #[error("not a supported shader format: {why}")]
    NotAShader {
        /// What was found.
        why: String,
    },
    /// SPIR-V's magic number, but not whole words.
    #[error("byte {offset:#x}: truncated SPIR-V: the last word has {left} of 4 bytes")]
    PartialWord {
        /// Where the last word starts.
        offset: usize,
        /// How many bytes it has.
        left: usize,
    },
    /// The words are not a module.
    #[error("SPIR-V, {0}")]
    Parse(ParseError),
    /// An opcode that SPIRV-Tools does not know.
    #[error("SPIR-V, word {word} (byte {:#x}): unknown opcode {opcode}", word * 4)]
    UnknownOpcode {
        /// The opcode.
        opcode: u16,
        /// Offset of its instruction, in words.
        word: usize,
    },
    /// The validator refused the module.
    #[error(
        "invalid SPIR-V{}{}: {message}",
        by.as_ref().map(|by| format!(" ({by})")).unwrap_or_default(),
        place.map(|place| format!(", {place}")).unwrap_or_default()
    )]
    Invalid {
        /// The validator's name and version, where it is not the one that is built in.
        by: Option<String>,
        /// The instruction; absent where the whole module is meant.
        place: Option<InstructionPlace>,
        /// The validator's message, the offending instruction below it.
        message: String,
    },
    /// A validator that was asked for and cannot be used, or that did not judge a module.
    #[error("validator {path}: {why}")]
    Validator {
        /// The executable.
        path: String,
        /// What is wrong with it, or what it did.
        why: String,
    },
    /// Types that are nested too deeply.
    #[error(
        "SPIR-V, instruction #{instruction}: types are nested too deeply: checking them would take more than {limit} \
         steps"
    )]
    Nested {
        /// Index of the instruction, from 0.
        instruction: usize,
        /// The most steps.
        limit: u64,
    },
    /// A check of the validator that would take too long.
    #[error(
        "SPIR-V, instruction #{instruction}: validating {what} would take more than {limit} steps, which is the limit"
    )]
    Effort {
        /// Index of the instruction, from 0; 0 where the whole module is meant.
        instruction: usize,
        /// What takes so many steps.
        what: String,
        /// The most steps.
        limit: u64,
    },
    /// More entry points than one report takes.
    #[error("has {count} {what}; at most {limit} are analyzed at once: choose entry points with --entry")]
    ManyEntries {
        /// How many.
        count: u64,
        /// Of what.
        what: &'static str,
        /// The most.
        limit: u64,
    },
    /// Op tables that cannot be read.
    #[error("opcode table {path}: {why}")]
    OpcodeTable {
        /// The file or folder.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// A DXIL container that cannot be read.
    #[error("DXIL ({code}), {0}", code = .0.rule.code)]
    Dxil(lanescope_dxil::Fault),
    /// A description of a pipeline that cannot be read.
    #[error("{0} ({code})", code = .0.rule.code)]
    Description(lanescope_pipeline::Fault),
    /// A description without usable shaders.
    #[error("the described pipeline has no usable shader: {why}")]
    NoStage {
        /// What the first finding says.
        why: String,
    },
    /// Several pipelines where one is expected.
    #[error("has {count} pipelines ({names}); choose one with --pipeline HASH (`lanescope foz` lists them)")]
    ManyPipelines {
        /// How many.
        count: usize,
        /// The keys of the first ones.
        names: String,
    },
    /// Several pipelines of a script.
    #[error("has {count} pipelines ({names}); choose one with --pipeline NAME")]
    ManyNamedPipelines {
        /// How many.
        count: usize,
        /// The names of the first ones.
        names: String,
    },
    /// The requested pipeline of a script does not exist.
    #[error("has no pipeline `{name}`; it has {names}")]
    NamedPipelineMissing {
        /// The name.
        name: String,
        /// The names of the first ones.
        names: String,
    },
    /// The requested pipeline does not exist.
    #[error("{why} (`lanescope foz` lists the pipelines)")]
    PipelineMissing {
        /// What is missing.
        why: String,
    },
    /// A state object database that cannot be read.
    #[error("{0} ({code})", code = .0.rule.code)]
    StateObjects(lanescope_sodb::Fault),
    /// Several groups where one is expected.
    #[error(
        "has {count} groups ({names}); choose one as FILE@KEY or with --pipeline KEY (`lanescope sodb` lists them)"
    )]
    ManyGroups {
        /// How many.
        count: usize,
        /// The keys of the first ones.
        names: String,
    },
    /// The requested group does not exist.
    #[error("{why} (`lanescope sodb` lists the groups)")]
    GroupMissing {
        /// What is missing.
        why: String,
    },
    /// A second description of a pipeline.
    #[error("duplicate pipeline description: {first} is one already, and a program has one pipeline")]
    SecondDescription {
        /// The first one.
        first: String,
    },
    /// The assembler refused the text.
    #[error("line {line}, column {column}: {message}")]
    Assembly {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The assembler's message.
        message: String,
    },
    /// The GLSL compiler refused the source.
    #[error("GLSL does not compile as a {stage} shader:\n{log}")]
    Glsl {
        /// The stage that the extension names.
        stage: StageKind,
        /// The compiler's own messages.
        log: String,
    },
    /// GLSL without a stage.
    #[error(
        "is GLSL without a known stage: expected the extension .vert, .frag, .comp, .geom, .tesc, .tese, .task, .mesh, \
         .rgen, .rint, .rahit, .rchit, .rmiss or .rcall, or --stage"
    )]
    StageUnknown,
    /// A file to include before the source that does not exist.
    #[error("--include {name}: there is no such file{}", among(folders))]
    NoSuchInclude {
        /// What was named.
        name: String,
        /// The folders that were looked through.
        folders: Vec<String>,
    },
    /// HLSL without a profile.
    #[error(
        "is HLSL without a target profile: expected a name like `a.ps.hlsl` (vs, hs, ds, gs, ps, cs, as, ms, \
         lib), a name like `a.frag` or --profile ps_6_6"
    )]
    NoProfile,
    /// The requested HLSL compiler is missing.
    #[error(
        "the DirectX shader compiler cannot be loaded ({why}); {}, or compile the file with glslang's HLSL front end \
         (--hlsl-compiler glslang)",
        install_dxc()
    )]
    NoHlslCompiler {
        /// What was tried, and the results.
        why: String,
    },
    /// HLSL that glslang's front end does not know, where there is no other compiler.
    #[error(
        "is HLSL with {what}, which glslang's HLSL front end cannot compile; it needs the DirectX shader compiler, \
         which is not used ({why}): {}",
        install_dxc()
    )]
    HlslNeedsDxc {
        /// What it has.
        what: String,
        /// Why the other compiler is not used.
        why: String,
    },
    /// The HLSL compiler refused the source.
    #[error("HLSL does not compile as {profile}:\n{log}")]
    Hlsl {
        /// The profile.
        profile: String,
        /// The compiler's own messages.
        log: String,
    },
    /// The WGSL compiler refused the source.
    #[error("WGSL does not compile:\n{log}")]
    Wgsl {
        /// The compiler's own messages.
        log: String,
    },
    /// Slang source, where its compiler cannot be loaded.
    #[error(
        "is Slang source, and the Slang compiler cannot be loaded ({why}): install a release of Slang, so that slangc is \
         in PATH, set {} to the path of libslang-compiler.so, or compile the file with slangc and open the module",
        super::SLANG_LIBRARY_VARIABLE
    )]
    NoSlang {
        /// What was tried, and the results.
        why: String,
    },
    /// The Slang compiler refused the source.
    #[error("Slang does not compile:\n{log}")]
    Slang {
        /// The compiler's own messages.
        log: String,
    },
    /// Text that is not UTF-8.
    #[error("byte {offset:#x}: the text is not UTF-8")]
    NotUtf8 {
        /// The first byte that is not.
        offset: usize,
    },
    /// Text that begins with the mark of UTF-16.
    #[error("byte {offset:#x}: the text is not UTF-16, although it begins with the byte order mark of it")]
    NotUtf16 {
        /// The first byte that is not.
        offset: usize,
    },
    /// A zero byte in a text.
    #[error("byte {offset:#x}: a zero byte in source text")]
    ZeroByte {
        /// Where.
        offset: usize,
    },
    /// No entry point, or none that a Vulkan pipeline can use.
    #[error("has no shader entry point{found}")]
    NoEntry {
        /// What it has instead, as text to append.
        found: String,
    },
    /// A requested entry point does not exist.
    #[error("no entry point is named `{name}`; available: {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    MissingEntry {
        /// What was requested.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// One file with several entry points for one graphics stage.
    #[error("has {count} {stage} entry points ({}); choose one with --entry", names.join(", "))]
    Ambiguous {
        /// The stage.
        stage: StageKind,
        /// How many.
        count: usize,
        /// Their names.
        names: Vec<String>,
    },
    /// Two files for one stage.
    #[error("duplicate {stage} shader: {first} is one already, and a pipeline has at most one")]
    SecondOfStage {
        /// The stage.
        stage: StageKind,
        /// The file that has it already.
        first: String,
    },
    /// Stages that no pipeline has together.
    #[error("the files do not form one pipeline: {why}")]
    DoNotFit {
        /// Which stages, and why not.
        why: String,
    },
}
