//! Which variables an entry point has, and what they begin with.

use std::sync::Arc;

use lanescope_interpreter::Program;
use lanescope_interpreter::debugger::describe;
use lanescope_interpreter::debugger::session::{Chosen, Session};
use lanescope_spirv::Module;
use lanescope_spirv::enums::Op;

use crate::draw::{SIDE, TYPES, pixels, run, vertices};
use crate::harness::machine;
use crate::support::{Shader, assemble};

/// A program of the entry point with that name.
fn entry(module: &Module, name: &str) -> Arc<Program> {
    let entry = module.entry_points().iter().find(|entry| entry.name == name).expect("an entry point");
    Arc::new(Program::decode(module, entry).unwrap_or_else(|error| panic!("{error}")))
}

/// A vertex and a fragment shader in one module; the variable of the former's `VertexIndex` has the id 2, its output at
/// location 0 the id 4.
fn two_entry_points(body: &str) -> Module {
    let text = format!(
        "OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Vertex %vs \"vs\" %index %to %out
        OpEntryPoint Fragment %fs \"fs\" %in %color
        OpExecutionMode %fs OriginUpperLeft
        OpDecorate %index BuiltIn VertexIndex
        OpDecorate %to BuiltIn Position
        OpDecorate %out Location 0
        OpDecorate %in Location 0
        OpDecorate %color Location 0
        {TYPES}
        %index = OpVariable %in_uint Input
        %to = OpVariable %out_v4float Output
        %in = OpVariable %in_v2float Input
        %color = OpVariable %out_v4float Output
        %out = OpVariable %out_v4float Output
        %vs = OpFunction %void None %fn_void
        %vs_entry = OpLabel
        %number = OpLoad %uint %index
        %value = OpConvertUToF %float %number
        %all = OpCompositeConstruct %v4float %value %value %value %f:1
        OpStore %to %all
        OpStore %out %all
        OpReturn
        OpFunctionEnd
        %fs = OpFunction %void None %fn_void
        %fs_entry = OpLabel
        %v = OpLoad %v2float %in
        %four = OpCompositeConstruct %v4float %f:1 %f:2 %f:3 %f:4
        {body}
        OpReturn
        OpFunctionEnd"
    );
    assemble(&text)
}

#[test]
fn literals_that_equal_ids_of_other_entry_points_declare_no_variables() {
    // Literals of an extraction, of a shuffle (with the one for undefined values), and of an insertion.
    for (body, expected) in [
        ("%c = OpCompositeExtract %float %four 2\n%r = OpCompositeConstruct %v4float %c %c %c %c", [3.0; 4]),
        ("%r = OpVectorShuffle %v4float %four %four 4 2 2 4", [1.0, 3.0, 3.0, 1.0]),
        ("%r = OpCompositeInsert %v4float %f:9 %four 2", [1.0, 2.0, 9.0, 4.0]),
    ] {
        let module = two_entry_points(&format!("{body}\nOpStore %color %r"));
        let of = |name: &str| module.entry_points().iter().find(|entry| entry.name == name).expect("there");
        assert_eq!(of("vs").interface.iter().map(|id| id.0).collect::<Vec<_>>(), [2, 3, 4]);
        let found = pixels(&run(&vertices(), &entry(&module, "fs"), 32));
        assert_eq!(found, vec![expected.map(f32::to_bits); (SIDE * SIDE) as usize], "{body}");
    }
}

#[test]
fn outputs_with_initializers_have_values_without_stores() {
    let text = |body: &str| {
        format!(
            "OpCapability Shader
            OpMemoryModel Logical GLSL450
            OpEntryPoint Fragment %main \"main\" %color %unused
            OpExecutionMode %main OriginUpperLeft
            OpDecorate %color Location 0
            OpDecorate %unused Location 1
            {TYPES}
            %f3 = OpConstant %float 3
            %f4 = OpConstant %float 4
            %k = OpConstantComposite %v4float %f3 %f4 %f3 %f4
            %to_float = OpTypePointer Output %float
            %color = OpVariable %out_v4float Output %k
            %unused = OpVariable %out_v4float Output
            %main = OpFunction %void None %fn_void
            %entry = OpLabel
            {body}
            OpReturn
            OpFunctionEnd"
        )
    };
    for (body, expected) in [
        ("", [3.0, 4.0, 3.0, 4.0]),
        ("%y = OpAccessChain %to_float %color %u:1\nOpStore %y %f:9", [3.0, 9.0, 3.0, 4.0]),
    ] {
        let program = entry(&assemble(&text(body)), "main");
        let found = pixels(&run(&vertices(), &program, 32));
        assert_eq!(found, vec![expected.map(f32::to_bits); (SIDE * SIDE) as usize], "{body}");
        let function = program.module().entry_points()[0].function;
        let shown = describe::variables(&program, function);
        assert_eq!(shown.iter().filter(|variable| variable.ty == "float32x4").count(), 1, "{shown:?}");
    }
}

#[test]
fn instructions_of_extended_sets_are_named() {
    let shader = Shader::new(
        4,
        "%x = OpConvertUToF %float %index
         %root = OpExtInst %float %glsl Sqrt %x
         %u = OpConvertFToU %uint %root
         store %index %u",
    );
    let mut session = Session::new(machine(&shader, 4, 1, 4, &[]), Chosen { wave: 0, lane: 0 });
    let (rows, _) = session.trace(&[], 100).expect("a trace");
    let found: Vec<&str> =
        rows.iter().map(|row| row.instruction.as_str()).filter(|text| text.contains("ExtInst")).collect();
    let module = shader.module();
    let root = module.insts().find(|inst| inst.op() == Some(Op::ExtInst)).expect("an instruction");
    let (result, operand) = (root.result().expect("a result"), root.id_at(5));
    assert_eq!(found, [format!("%{result} = OpExtInst GLSL.std.450 Sqrt %{operand}")]);
}
