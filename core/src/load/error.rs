//! Why files could not be opened: the file, the place in it, what was expected, what was found.

use std::path::PathBuf;

use crate::program::StageKind;
use crate::spirv::ParseError;

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

impl Problem {
    /// Whether the validator refuses a module that can be read without it.
    pub fn is_invalid(&self) -> bool {
        matches!(self, Problem::Invalid { .. } | Problem::UnknownOpcode { .. })
    }

    /// Whether something is missing on this machine, rather than wrong with the file.
    pub fn is_missing(&self) -> bool {
        matches!(self, Problem::NoHlslCompiler { .. })
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// Nothing was named.
    #[error("no file was named")]
    NoFiles,
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// A dash was named, which is no file.
    #[error(
        "standard input is not read: a file's name says what a shader is (.vert, .frag, .comp, .spv, .dxil and others)"
    )]
    StandardInput,
    /// A directory was named.
    #[error(
        "is a folder; expected a shader file (`lanescope slots`, `lanescope partial --corpus` and the window open folders)"
    )]
    Directory,
    /// A FIFO, a socket or a device where a regular file is wanted.
    #[error("is {kind}; expected a regular file")]
    SpecialFile {
        /// What it is, with its article.
        kind: &'static str,
    },
    /// A file of a file system that shows what the kernel knows.
    #[error("is a file of {system}, which the kernel makes up when it is read; expected a regular file")]
    KernelFile {
        /// The file system.
        system: &'static str,
    },
    /// A FIFO whose writer does not come to an end.
    #[error("is a FIFO that no writer closed within {seconds} s; write all of it, then close it")]
    Silent {
        /// How long it was waited for.
        seconds: u64,
    },
    /// The file is larger than anything here reads.
    #[error("has {bytes} bytes; files up to {limit} bytes are opened")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The file holds nothing.
    #[error("is empty; SPIR-V, SPIR-V assembly, DXIL, GLSL, HLSL or the description of a pipeline was expected")]
    Empty,
    /// Neither content nor extension names a format.
    #[error("not a supported shader format: {why}")]
    NotAShader {
        /// What was found.
        why: String,
    },
    /// SPIR-V's magic number, but not whole words.
    #[error("byte {offset:#x}: SPIR-V comes in words of 4 bytes; the last one has {left}")]
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
    #[error("SPIR-V, word {word} (byte {:#x}): opcode {opcode} is in no SPIR-V grammar known here", word * 4)]
    UnknownOpcode {
        /// The opcode.
        opcode: u16,
        /// Offset of its instruction in words.
        word: usize,
    },
    /// The validator refused the module.
    #[error("invalid SPIR-V, instruction #{instruction}: {message}")]
    Invalid {
        /// Index of the instruction, from 0; the number of instructions where the whole module is meant.
        instruction: usize,
        /// The validator's message, the offending instruction below it.
        message: String,
    },
    /// Types that hold too much, one in another.
    #[error(
        "SPIR-V, instruction #{instruction}: checking the types up to here, with all that each holds, would take more \
         than {limit} steps"
    )]
    Nested {
        /// Index of the instruction, from 0.
        instruction: usize,
        /// The most steps.
        limit: u64,
    },
    /// A DXIL container that cannot be read.
    #[error("DXIL ({code}), {0}", code = .0.rule.code)]
    Dxil(crate::dxil::Fault),
    /// A description of a pipeline that cannot be read.
    #[error("{0} ({code})", code = .0.rule.code)]
    Description(crate::pipeline::Fault),
    /// A description whose shaders cannot be had.
    #[error("describes a pipeline without a shader that can be used: {why}")]
    NoStage {
        /// What the first finding says.
        why: String,
    },
    /// Several pipelines where one is wanted.
    #[error("has {count} pipelines ({names}); choose one with --pipeline HASH (`lanescope foz` lists them)")]
    ManyPipelines {
        /// How many.
        count: usize,
        /// The keys of the first ones.
        names: String,
    },
    /// The pipeline that is wanted is not there.
    #[error("{why} (`lanescope foz` lists what there is)")]
    PipelineMissing {
        /// What is missing.
        why: String,
    },
    /// A second description of a pipeline.
    #[error("is a second description of a pipeline; {first} is the first, and a program is one pipeline")]
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
    #[error("{language} does not compile as a {stage} shader:\n{log}")]
    Glsl {
        /// What the source is written in.
        language: &'static str,
        /// The stage that the extension names.
        stage: StageKind,
        /// The compiler's own messages.
        log: String,
    },
    /// GLSL without a stage.
    #[error(
        "is GLSL, but its name says no stage that opens: .vert, .frag, .comp, .geom, .tesc, .tese, .task or .mesh was \
         expected"
    )]
    StageUnknown,
    /// HLSL without a profile.
    #[error(
        "is HLSL, but nothing says what it is compiled for: a name like `a.ps.hlsl` (vs, hs, ds, gs, ps, cs, as, ms, \
         lib) or --profile ps_6_6 was expected"
    )]
    NoProfile,
    /// No compiler for HLSL.
    #[error(
        "is HLSL, and the DirectX shader compiler that it needs is not here ({why}); install libdxcompiler.so (in the \
         releases of DirectXShaderCompiler and in the Vulkan SDK), name it in {variable}, or compile the file with dxc \
         and open the container",
        variable = super::HLSL_LIBRARY_VARIABLE
    )]
    NoHlslCompiler {
        /// What was tried, and what came of it.
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
    /// Text that is not UTF-8.
    #[error("byte {offset:#x}: the text is not UTF-8")]
    NotUtf8 {
        /// The first byte that is not.
        offset: usize,
    },
    /// A zero byte in a text.
    #[error("byte {offset:#x}: a zero byte in GLSL source")]
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
    /// An entry point that was asked for is nowhere.
    #[error("no entry point is named `{name}`; there are {known}")]
    MissingEntry {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// One file with several entry points for one graphics stage.
    #[error("has {count} {stage} entry points ({names}); choose one with --entry")]
    Ambiguous {
        /// The stage.
        stage: StageKind,
        /// How many.
        count: usize,
        /// Their names.
        names: String,
    },
    /// Two files for one stage.
    #[error("is a second {stage} shader; {first} is the first, and a pipeline has one")]
    SecondOfStage {
        /// The stage.
        stage: StageKind,
        /// The file that has it already.
        first: String,
    },
    /// Stages that no pipeline has together.
    #[error("the files do not make one pipeline: {why}")]
    DoNotFit {
        /// Which stages, and why not.
        why: String,
    },
}
