//! Modules for tests, made and checked by the reference compilers.

use lanescope_base::StageKind;
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions, DisassembleOptions};
use spirv_tools::val::{self, Validator};

use crate::Module;

/// A shader in GLSL, without its `#version`.
pub fn glsl(stage: StageKind, source: &str) -> Module {
    use glslang::{CompilerOptions, ShaderInput, ShaderSource, ShaderStage, SpirvVersion, Target, VulkanVersion};
    let kind = match stage {
        StageKind::Vertex => ShaderStage::Vertex,
        StageKind::Fragment => ShaderStage::Fragment,
        _ => ShaderStage::Compute,
    };
    let source = ShaderSource::from(format!("#version 460\n{source}"));
    let target = Target::Vulkan { version: VulkanVersion::Vulkan1_3, spirv_version: SpirvVersion::SPIRV1_6 };
    let options = CompilerOptions { target, ..CompilerOptions::default() };
    let defines: Option<&[(&str, Option<&str>)]> = None;
    let input = ShaderInput::new(&source, kind, &options, defines, None).expect("an input");
    let compiler = glslang::Compiler::acquire().expect("glslang");
    let shader = compiler.create_shader(input).expect("GLSL that compiles");
    Module::parse(shader.compile().expect("SPIR-V")).expect("a module")
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
