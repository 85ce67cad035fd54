//! Modules for tests, made and checked by the reference compilers.

use lanescope_base::StageKind;
use lanescope_glslang::{Language, NoIncludes, Source};
use lanescope_spirv::Module;
use lanescope_spirv::edit::ungrouped;
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions, DisassembleOptions};
use spirv_tools::val::{self, Validator};

/// A shader in GLSL, without its `#version`.
pub fn glsl(stage: StageKind, source: &str) -> Module {
    let text = format!("#version 460\n{source}");
    let env = lanescope_base::TargetEnv::Vulkan13;
    let source = Source { text: &text, language: Language::Glsl, stage, lines: false, macros: &[], env };
    let compiled = lanescope_glslang::compile(&source, &mut NoIncludes).expect("GLSL that compiles");
    let module = Module::parse(compiled.words).expect("a module");
    ungrouped(&module).expect("groups are expanded").unwrap_or(module)
}

/// A module of SPIR-V assembly.
pub fn assembled(text: &str) -> Module {
    let options = AssemblerOptions { preserve_numeric_ids: true };
    let binary = assembler::create(Some(TargetEnv::Universal_1_6)).assemble(text, options);
    let binary = binary.unwrap_or_else(|error| panic!("{error}\n{text}"));
    Module::parse(binary.as_words().to_vec()).expect("a module")
}

/// Puts a module to the validator.
pub fn check(module: &Module) -> Result<(), String> {
    val::create(Some(TargetEnv::Vulkan_1_4)).validate(module.words(), None).map_err(|error| error.to_string())
}

/// A module as assembly, with friendly names.
pub fn disassemble(module: &Module) -> String {
    let options =
        DisassembleOptions { print: false, color: false, indent: true, use_friendly_names: true, ..Default::default() };
    let text = assembler::create(Some(TargetEnv::Universal_1_6)).disassemble(module.words(), options);
    text.expect("disassembles").unwrap_or_default()
}
