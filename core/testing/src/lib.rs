//! For tests and benchmarks: GLSL as a module, several sources as a program; which executable is run, in a terminal, on a
//! display, or with messages to and from it.

#![forbid(unsafe_code)]

pub mod display;
pub mod framed;
pub mod terminal;

use std::ffi::OsString;
use std::path::PathBuf;

use lanescope_base::{StageKind, TargetEnv};
use lanescope_glslang::{Language, NoIncludes, Source};
use lanescope_model::program::Program;
use lanescope_spirv::Module;
use lanescope_spirv::enums::Op;

/// Compiles GLSL (version and extensions are added).
pub fn glsl(stage: StageKind, source: &str) -> Module {
    let extensions = [
        "GL_EXT_shader_explicit_arithmetic_types",
        "GL_ARB_shader_viewport_layer_array",
        "GL_ARB_shader_stencil_export",
        "GL_ARB_post_depth_coverage",
        "GL_ARB_fragment_shader_interlock",
        "GL_EXT_fragment_shading_rate",
        "GL_EXT_fragment_shader_barycentric",
        "GL_AMD_shader_explicit_vertex_parameter",
    ];
    let head: String = extensions.iter().map(|name| format!("#extension {name} : enable\n")).collect();
    let text = format!("#version 460\n{head}{source}");
    let source =
        Source { text: &text, language: Language::Glsl, stage, lines: false, macros: &[], env: TargetEnv::Vulkan13 };
    let compiled = lanescope_glslang::compile(&source, &mut NoIncludes).expect("GLSL that compiles");
    Module::parse(compiled.words).expect("a module")
}

/// A module whose arrays all contain themselves: what a validator refuses, and what a loader may be told to take.
pub fn with_endless_arrays(module: &Module) -> Module {
    let mut words = module.words().to_vec();
    let mut at = 5;
    while let [head, id, element, ..] = &mut words[at..] {
        let is_array = [Op::TypeArray as u32, Op::TypeRuntimeArray as u32].contains(&(*head & 0xffff));
        if is_array {
            *element = *id;
        }
        at += (*head >> 16) as usize;
    }
    Module::parse(words).expect("a module")
}

/// Writes sources to a folder under names that say their stages, and loads them as one pipeline.
pub fn program(sources: &[(&str, &str)]) -> Program {
    program_of(sources, &[])
}

/// The same, of the entry points that are named.
pub fn program_of(sources: &[(&str, &str)], entries: &[String]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths: Vec<PathBuf> = sources
        .iter()
        .map(|(stage, body)| {
            let path = folder.path().join(format!("shader.{stage}"));
            let header = "#version 460\n\
                #extension GL_EXT_shader_explicit_arithmetic_types : require\n\
                #extension GL_AMD_shader_explicit_vertex_parameter : enable\n\
                #extension GL_EXT_fragment_shader_barycentric : enable\n";
            let header = if *stage == "spvasm" { "" } else { header };
            std::fs::write(&path, format!("{header}{body}")).expect("writes");
            path
        })
        .collect();
    lanescope_load::load(&paths, entries).unwrap_or_else(|error| panic!("{error}"))
}

/// The executable that is run: the one that cargo built for the test or benchmark, or the one that `LANESCOPE_PROGRAM`
/// names, such as that of a package.
pub fn executable(built: &str) -> OsString {
    std::env::var_os("LANESCOPE_PROGRAM").unwrap_or_else(|| built.into())
}
