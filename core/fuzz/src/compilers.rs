//! What the C++ libraries read: sources for glslang, containers for dxil-spirv, modules for SPIRV-Tools' validator and
//! disassembler. All through the loader, as files are.

use lanescope_core::load::disassemble;

/// Names of GLSL files, by the first byte of an input.
pub const GLSL: [&str; 14] = [
    "a.vert", "a.frag", "a.comp", "a.geom", "a.tesc", "a.tese", "a.task", "a.mesh", "a.rgen", "a.rint", "a.rahit",
    "a.rchit", "a.rmiss", "a.rcall",
];

/// Names of HLSL files, likewise: those of stages that glslang's front end has.
pub const HLSL: [&str; 6] = ["a.vs.hlsl", "a.ps.hlsl", "a.cs.hlsl", "a.gs.hlsl", "a.hs.hlsl", "a.ds.hlsl"];

/// A file through the loader, and its modules as assembly.
fn load(name: &str, data: &[u8]) {
    let Ok(program) = crate::programs::program(name, data) else { return };
    for loaded in &program.modules {
        // A name that is not UTF-8 has no assembly.
        let _ = disassemble(&loaded.module);
    }
}

/// A text that the first byte names a file for.
fn named(names: &[&str], data: &[u8]) {
    if let Some((first, text)) = data.split_first() {
        load(names[usize::from(*first) % names.len()], text);
    }
}

/// GLSL: the first byte selects the stage.
pub fn glsl(data: &[u8]) {
    named(&GLSL, data);
}

/// HLSL, through glslang's front end: the first byte selects the stage.
pub fn hlsl(data: &[u8]) {
    named(&HLSL, data);
}

/// WGSL.
pub fn wgsl(data: &[u8]) {
    load("a.wgsl", data);
}

/// A test of shaders in sections: read, and its shaders compiled.
pub fn shader_test(data: &[u8]) {
    load("a.shader_test", data);
}

/// An Amber script: read, and the shaders of its pipeline compiled.
pub fn amber(data: &[u8]) {
    load("a.amber", data);
}

/// A container: every entry point is converted to SPIR-V.
pub fn dxil(data: &[u8]) {
    load("a.dxil", data);
}

/// A module: validated and disassembled.
pub fn module(data: &[u8]) {
    load("a.spv", data);
}
