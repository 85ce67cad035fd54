//! The three C++ libraries in one process: glslang and dxil-spirv each carry a class `spv::Builder`, which must not be
//! one and the same symbol, or one of them builds with the other's code.

use lanescope_core::load::{disassemble, load};
use lanescope_core::program::StageKind;
use lanescope_core::spirv::Module;

#[test]
fn glslang_dxil_spirv_and_spirv_tools_work_side_by_side() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("double.comp");
    let source = "#version 460\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer B { uint b[]; };\n\
        void main() { b[gl_GlobalInvocationID.x] *= 2u; }";
    std::fs::write(&path, source).expect("writes");
    let dxil = include_bytes!("data/prefix_sum.cs.dxil");
    // In turns, so that either one's state would show in the other.
    for _ in 0..3 {
        let program = load(std::slice::from_ref(&path), &[]).expect("glslang compiles, SPIRV-Tools validates");
        let from_glsl = program.module_of(&program.stages[0]);
        assert_eq!(program.stages[0].stage, StageKind::Compute);
        assert!(disassemble(from_glsl).expect("disassembles").contains("LocalSize 64 1 1"));

        let words = dxil_spirv::convert_to_spirv(dxil).expect("dxil-spirv converts");
        let from_dxil = Module::parse(words).expect("is SPIR-V");
        assert_eq!(from_dxil.entry_points().len(), 1);
        assert_eq!(from_dxil.entry_points()[0].stage, Some(StageKind::Compute));
        assert!(disassemble(&from_dxil).expect("disassembles").contains("OpEntryPoint GLCompute"));
    }
}
