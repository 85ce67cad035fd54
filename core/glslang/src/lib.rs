//! glslang's C interface, as far as it is needed: one text of GLSL or HLSL becomes one SPIR-V module, the texts of an
//! OpenGL program one module a stage.
//!
//! The crate `glslang` cannot ask for the lines of the source, so the calls are made here. Its limits are used.
//!
//! Also what else of C the loader needs: a validator that collects no names ([`is_valid`]), and a heap that grows in large
//! steps ([`heap`]).

#![allow(unsafe_code, reason = "glslang has a C interface")]

mod handles;
pub mod heap;
mod hlsl;
mod include;
mod linked;
mod validity;

use std::ffi::{CStr, CString};
use std::sync::OnceLock;

use glslang::limits::DEFAULT_LIMITS;
use glslang_sys as sys;
use lanescope_base::{StageKind, TargetEnv};

pub use include::{Include, Includes, NoIncludes};
pub use linked::{Linked, Part, Reading, Rules, compile_linked};
pub use validity::{is_valid, version as validator_version};

use handles::{Program, Shader};
use include::{Context, callbacks};

/// A source language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language<'a> {
    /// GLSL for Vulkan.
    Glsl,
    /// HLSL.
    Hlsl {
        /// The function that is the entry point.
        entry: &'a str,
        /// Whether `half`, `min16float` and the like are 16-bit types.
        narrow: bool,
    },
}

/// What is compiled.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The text.
    pub text: &'a str,
    /// Its language.
    pub language: Language<'a>,
    /// The stage that it is compiled for.
    pub stage: StageKind,
    /// Whether instructions carry the lines of the source that they come from (`OpLine`). The main text is named by an
    /// empty string, an included one by [`Include::name`].
    pub lines: bool,
    /// Macros that are defined before the text: `NAME` or `NAME=VALUE`.
    pub macros: &'a [String],
    /// What it is compiled for.
    pub env: TargetEnv,
}

/// What became of a source.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The module.
    pub words: Vec<u32>,
    /// The text after preprocessing, without comments.
    pub preprocessed: String,
}

/// Compiles a source.
///
/// # Errors
/// The compiler's messages, one a line; a text or an entry point with a zero byte; a compiler that does not start.
pub fn compile(source: &Source<'_>, includes: &mut dyn Includes) -> Result<Compiled, String> {
    if !is_started() {
        return Err("glslang could not be started".to_owned());
    }
    if let Some((line, number)) = wrapping_version(source.text) {
        return Err(format!("ERROR: 0:{line}: '#version' : {number} is not a version"));
    }
    let text = c_string("the text", source.text)?;
    let entry = match source.language {
        Language::Glsl => None,
        Language::Hlsl { entry, .. } => Some(c_string("the name of the entry point", entry)?),
    };
    let preamble = c_string("the value of a macro", &preamble_of(source.macros)?)?;
    let mut context = Context::new(includes);
    let (client_version, target_language_version) = versions_of(source.env);
    let input = sys::glslang_input_t {
        client_version,
        target_language_version,
        callbacks: callbacks(),
        callbacks_ctx: context.pointer(),
        ..input_of(source.language, source.stage, &text)
    };
    let shader = Shader::new(&input).ok_or("glslang could not make a shader")?;
    if let Some(entry) = &entry {
        shader.set_entry_point(entry);
    }
    if !source.macros.is_empty() {
        shader.set_preamble(&preamble);
    }
    shader.preprocess()?;
    let mut preprocessed = shader.preprocessed();
    if !source.macros.is_empty() {
        // The text after preprocessing is read once more.
        shader.set_preamble(c"");
    }
    if source.lines
        && let Some(named) = with_main_text_named(&preprocessed)
    {
        shader.set_preprocessed(&c_string("the text after preprocessing", &named)?);
        preprocessed = named;
    }
    if let Language::Hlsl { entry, .. } = source.language
        && let Some(error) = hlsl::fatal(&preprocessed, entry)
    {
        return Err(error);
    }
    shader.parse()?;
    let program = Program::new(&shader).ok_or("glslang could not make a program")?;
    let words = program.compile(input.stage, source.lines)?;
    Ok(Compiled { words, preprocessed })
}

/// What the compiler takes a text for. It has no includes yet.
fn input_of(language: Language<'_>, stage: StageKind, text: &CStr) -> sys::glslang_input_t {
    sys::glslang_input_t {
        language: match language {
            Language::Glsl => sys::glslang_source_t::GLSL,
            Language::Hlsl { .. } => sys::glslang_source_t::HLSL,
        },
        stage: stage_of(stage),
        client: sys::glslang_client_t::Vulkan,
        client_version: sys::glslang_target_client_version_t::Vulkan1_3,
        target_language: sys::glslang_target_language_t::SPIRV,
        target_language_version: sys::glslang_target_language_version_t::SPIRV1_6,
        code: text.as_ptr(),
        default_version: 100,
        default_profile: sys::glslang_profile_t::None,
        force_default_version_and_profile: 0,
        forward_compatible: 0,
        messages: messages_of(language),
        resource: (&raw const DEFAULT).cast(),
        callbacks: callbacks(),
        callbacks_ctx: std::ptr::null_mut(),
    }
}

/// Definitions of macros. One without a value is 1, as on the command lines of compilers.
///
/// Errors: a value that would join the next line to its own.
fn preamble_of(macros: &[String]) -> Result<String, String> {
    let line = |one: &String| {
        let (name, value) = one.split_once('=').unwrap_or((one, "1"));
        if value.ends_with('\\') {
            return Err(format!("the value of the macro {name} ends with `\\`, which would join the next line to it"));
        }
        // A line break would end the definition.
        Ok(format!("#define {name} {}\n", value.replace(['\n', '\r'], " ")))
    };
    macros.iter().map(line).collect()
}

/// The limits of resources, where C can point at them.
static DEFAULT: glslang::limits::ResourceLimits = DEFAULT_LIMITS;

/// Starts the compiler once in a process: its tables are shared by all texts.
fn is_started() -> bool {
    static STARTED: OnceLock<bool> = OnceLock::new();
    *STARTED.get_or_init(|| {
        heap::reserve(heap::DECLARATIONS);
        // SAFETY: it may be called at any time; here once, before anything else of it.
        let started = unsafe { sys::glslang_initialize_process() };
        started != 0
    })
}

/// A text after preprocessing in which the lines after an included text are the main text's again: the compiler goes back
/// to it by its number, and keeps the name of the included text for the lines. `None` if nothing is included.
fn with_main_text_named(text: &str) -> Option<String> {
    let main = |line: &str| line.starts_with("#line ") && line.ends_with(" 0");
    let included = |line: &str| line.starts_with("#line ") && line.ends_with('"');
    if !text.lines().any(included) {
        return None;
    }
    let lines = text.split('\n').map(|line| match line.strip_suffix('0') {
        Some(start) if main(line) => format!("{start}\"\""),
        _ => line.to_owned(),
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// Digits of a number that does not overflow the compiler's `int`.
const VERSION_DIGITS: usize = 9;

/// The line and the number of a `#version` that overflows in the compiler: it takes 4294967756 for 460.
fn wrapping_version(text: &str) -> Option<(usize, &str)> {
    const NAME: &str = "version";
    const SPACE: [char; 2] = [' ', '\t'];
    let of_line = |line: &'_ str| -> Option<std::ops::Range<usize>> {
        line.match_indices(NAME).find_map(|(at, _)| {
            let start = line.len() - line[at + NAME.len()..].trim_start_matches(SPACE).len();
            let rest = line[start..].trim_start_matches(|c: char| c.is_ascii_digit());
            let number = start..line.len() - rest.len();
            let is_long = line[number.clone()].trim_start_matches('0').len() > VERSION_DIGITS;
            (is_long && line[..at].trim_end_matches(SPACE).ends_with('#')).then_some(number)
        })
    };
    text.lines().zip(1..).find_map(|(line, number)| Some((number, &line[of_line(line)?])))
}

fn c_string(what: &str, text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|error| format!("{what} contains a zero byte at {:#x}", error.nul_position()))
}

fn messages_of(language: Language<'_>) -> sys::glslang_messages_t {
    use sys::glslang_messages_t as M;
    let own = match language {
        Language::Glsl => 0,
        Language::Hlsl { narrow: false, .. } => M::READ_HLSL.0,
        Language::Hlsl { narrow: true, .. } => M::READ_HLSL.0 | M::HLSL_ENABLE_16BIT_TYPES.0,
    };
    M(M::DEFAULT.0 | M::VULKAN_RULES.0 | M::SPV_RULES.0 | own)
}

fn versions_of(env: TargetEnv) -> (sys::glslang_target_client_version_t, sys::glslang_target_language_version_t) {
    use sys::glslang_target_client_version_t as C;
    use sys::glslang_target_language_version_t as L;
    match env {
        TargetEnv::Vulkan10 => (C::Vulkan1_0, L::SPIRV1_0),
        TargetEnv::Vulkan11 => (C::Vulkan1_1, L::SPIRV1_3),
        TargetEnv::Vulkan12 => (C::Vulkan1_2, L::SPIRV1_5),
        TargetEnv::Vulkan13 => (C::Vulkan1_3, L::SPIRV1_6),
        TargetEnv::Vulkan14 => (C::Vulkan1_4, L::SPIRV1_6),
    }
}

fn stage_of(stage: StageKind) -> sys::glslang_stage_t {
    use sys::glslang_stage_t as G;
    match stage {
        StageKind::Vertex => G::Vertex,
        StageKind::TessControl => G::TesselationControl,
        StageKind::TessEval => G::TesselationEvaluation,
        StageKind::Geometry => G::Geometry,
        StageKind::Fragment => G::Fragment,
        StageKind::Task => G::Task,
        StageKind::Mesh => G::Mesh,
        StageKind::Compute => G::Compute,
        StageKind::RayGeneration => G::RayGeneration,
        StageKind::Intersection => G::Intersect,
        StageKind::AnyHit => G::AnyHit,
        StageKind::ClosestHit => G::ClosestHit,
        StageKind::Miss => G::Miss,
        StageKind::Callable => G::Callable,
    }
}

#[cfg(test)]
mod tests;
