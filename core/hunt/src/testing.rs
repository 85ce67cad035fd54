//! Modules for tests, made and checked by the reference compilers.

use lanescope_base::{StageKind, TargetEnv};
use lanescope_glslang::{Language, NoIncludes, Source};
use lanescope_spirv::Module;
use spirv_tools::val::{self, Validator};

/// A shader in GLSL.
pub fn glsl(stage: StageKind, text: &str) -> Result<Module, String> {
    let env = TargetEnv::Vulkan13;
    let source = Source { text, language: Language::Glsl, stage, lines: false, macros: &[], env };
    let compiled = lanescope_glslang::compile(&source, &mut NoIncludes).map_err(|error| error.to_string())?;
    Module::parse(compiled.words).map_err(|error| error.to_string())
}

/// Puts a module to the validator.
pub fn check(module: &Module) -> Result<(), String> {
    let env = spirv_tools::TargetEnv::Vulkan_1_3;
    val::create(Some(env)).validate(module.words(), None).map_err(|error| error.to_string())
}
