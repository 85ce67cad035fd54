//! Damaged modules: an error, events or a result, never a panic.

use std::sync::Arc;

use lanescope_interpreter::debugger::Debugger;
use lanescope_interpreter::{Buffer, Dispatch, Inputs, LaneMap, Machine, Options, Program};
use lanescope_spirv::Module;
use proptest::prelude::*;

use crate::support::Shader;

/// Programs that together use most kinds of instructions.
fn programs() -> Vec<Vec<u32>> {
    let arithmetic = Shader::new(
        8,
        "%v = fetch %index
         %f = OpConvertUToF %float %v
         %w = OpCompositeConstruct %v4float %f %f:1.5 %f %f:-2.0
         %d = OpDot %float %w %w
         %n = OpExtInst %v4float %glsl Normalize %w
         %p = OpExtInst %uint %glsl PackUnorm4x8 %n
         %s = OpVectorTimesScalar %v4float %n %d
         %x = OpVectorExtractDynamic %float %s %index
         %y = OpVectorInsertDynamic %v4float %s %x %v
         %b = OpBitFieldInsert %uint %v %p %u:3 %index
         %c = OpIAddCarry %pair %b %v
         %c1 = OpCompositeExtract %uint %c 1
         %i = OpCompositeInsert %pair %v %c 0
         %q = OpUDiv %uint %b %index
         %wide = OpUConvert %uint64 %q
         %two = OpBitcast %v2uint %wide
         %low = OpCompositeExtract %uint %two 0
         %sum = OpGroupNonUniformIAdd %uint %u:3 ClusteredReduce %low %u:4
         %sh = OpGroupNonUniformShuffleXor %uint %u:3 %sum %u:1
         store %index %sh
         %e = OpExtInst %frexp %glsl FrexpStruct %f
         %m = OpExtInst %float %glsl Ldexp %f %index",
    )
    .declare("%pair = OpTypeStruct %uint %uint\n%frexp = OpTypeStruct %float %int");
    let memory = Shader::new(
        8,
        "%x = OpVariable %ptr_array Function
         %p = OpAccessChain %ptr_Function_uint %x %index
         OpStore %p %index
         %all = OpLoad %array %x
         %three = OpCompositeExtract %uint %all 3
         share %index %three
         barrier
         %other = OpBitwiseXor %uint %index %u:1
         %value = shared %other
         %q = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %value
         %old = OpAtomicCompareExchange %uint %q %u:1 %u:0 %u:0 %value %u:3
         %length = OpArrayLength %uint %in 0
         %case = OpUMod %uint %index %u:3
         OpSelectionMerge %merge None
         OpSwitch %case %other_case 0 %zero 1 %one
         %zero = OpLabel
         OpBranch %one
         %one = OpLabel
         %r = OpFunctionCall %uint %add %value %length
         OpBranch %merge
         %other_case = OpLabel
         OpBranch %merge
         %merge = OpLabel
         %end = OpPhi %uint %r %one %length %other_case
         store %index %end
         OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u:0 %merge %next %continue
         OpLoopMerge %done %continue None
         OpBranch %body
         %body = OpLabel
         %next = OpIAdd %uint %i %u:1
         %less = OpULessThan %bool %next %index
         OpBranchConditional %less %continue %done
         %continue = OpLabel
         OpBranch %head
         %done = OpLabel",
    )
    .declare(
        "%n8 = OpConstant %uint 8
         %array = OpTypeArray %uint %n8
         %ptr_array = OpTypePointer Function %array
         %fn_add = OpTypeFunction %uint %uint %uint",
    )
    .function(
        "%add = OpFunction %uint None %fn_add
         %a = OpFunctionParameter %uint
         %b = OpFunctionParameter %uint
         %a_entry = OpLabel
         %sum = OpIAdd %uint %a %b
         OpReturnValue %sum
         OpFunctionEnd",
    );
    let images = Shader::new(
        8,
        "%img = OpLoad %storage %target
         %place = OpCompositeConstruct %v2uint %index %u:0
         %texel = OpImageRead %v4float %img %place
         OpImageWrite %img %place %texel
         %size = OpImageQuerySize %v2uint %img
         %both = OpLoad %combined %sampled
         %uv = OpCompositeConstruct %v2float %f:0.5 %f:0.25
         %s = OpImageSampleExplicitLod %v4float %both %uv Lod %f:0.5
         %dx = OpDPdx %v4float %s
         %s0 = OpCompositeExtract %float %dx 0
         %bits = OpBitcast %uint %s0
         store %index %bits",
    )
    .declare(
        "%storage = OpTypeImage %float 2D 0 0 0 2 Rgba8
         %ptr_storage = OpTypePointer UniformConstant %storage
         %target = OpVariable %ptr_storage UniformConstant
         %texture = OpTypeImage %float 2D 0 0 0 1 Unknown
         %combined = OpTypeSampledImage %texture
         %ptr_combined = OpTypePointer UniformConstant %combined
         %sampled = OpVariable %ptr_combined UniformConstant",
    );
    [arithmetic, memory, images].map(|shader| shader.module().words().to_vec()).into()
}

fn inputs() -> Inputs {
    let image = |binding| lanescope_interpreter::Image {
        set: 0,
        binding,
        element: 0,
        format: lanescope_spirv::enums::ImageFormat::Rgba8,
        size: [4, 4, 1],
        layers: 1,
        levels: 1,
        texels: (0..64).collect(),
    };
    Inputs {
        buffers: (0..2).map(|binding| Buffer { binding, bytes: vec![1; 128], ..Buffer::default() }).collect(),
        images: vec![image(5), image(6)],
        push_constants: vec![0; 16],
        ..Inputs::default()
    }
}

/// Decodes and runs words, if they are a module that is supported. Returns whether they ran.
fn attempt(words: Vec<u32>) -> bool {
    let Ok(module) = Module::parse(words) else { return false };
    let Some(entry) = module.entry_points().first() else { return false };
    let Ok(program) = Program::decode(&module, entry) else { return false };
    let size = program.local_size().iter().fold(1u32, |all, &d| all.saturating_mul(d));
    if size > 1024 {
        return false;
    }
    let dispatch = Dispatch { groups: [2, 1, 1], only: None, lanes: LaneMap::linear(8, size) };
    let options = Options { max_steps: 3000, max_memory: 64 << 20, ..Options::default() };
    let Ok(machine) = Machine::new(Arc::new(program), &inputs(), &dispatch, &options) else { return false };
    let mut debugger = Debugger::with_snapshots(machine, 500, 1 << 20);
    debugger.resume();
    debugger.back(100);
    let ids: Vec<_> = debugger.machine().program().module().insts().filter_map(|inst| inst.result()).collect();
    for id in ids {
        let _ = debugger.value(0, 0, id);
    }
    true
}

#[test]
fn whole_programs_run() {
    assert!(programs().into_iter().all(attempt));
}

#[test]
fn single_words_of_every_program_may_be_anything() {
    let mut ran = 0;
    for words in programs() {
        for at in 5..words.len() {
            let near = [words[at].wrapping_add(1), words[at].wrapping_sub(1), words[at] ^ 0x10, 0, 3, u32::MAX];
            for value in near {
                let mut words = words.clone();
                words[at] = value;
                ran += u32::from(attempt(words));
            }
        }
    }
    assert!(ran > 500, "only {ran} ran");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn several_words_may_be_anything(
        program in 0usize..3,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0u32..160, 0usize..3), 1..8),
    ) {
        let mut words = programs().swap_remove(program);
        for (at, value, how) in changes {
            let at = 5 + at.index(words.len() - 5);
            match how {
                0 => words[at] = value,
                1 => words[at] = (words[at] & 0xffff_0000) | value,
                _ => words[at] = words[5 + value as usize % (words.len() - 5)],
            }
        }
        attempt(words);
    }
}

#[test]
fn results_of_another_type_than_what_they_share_are_refused() {
    let declarations = "%texture = OpTypeImage %float 2D 0 0 0 1 Unknown
        %ptr_texture = OpTypePointer UniformConstant %texture
        %sampled = OpVariable %ptr_texture UniformConstant";
    // A handle, a copied pointer and a pointer to a variable have one register each.
    for body in [
        "%wide = OpLoad %v4uint %sampled",
        "%wide = OpCopyObject %v4uint %out",
        "%x = OpVariable %ptr_Function_uint Function\n%p = OpCopyObject %v4uint %x\n%wide = OpCopyObject %v4uint %p",
    ] {
        let body =
            format!("{body}\n%w = OpCompositeExtract %uint %wide 3\n%all = OpCompositeConstruct %v4uint %w %w %w %w");
        let module = Shader::new(8, &body).declare(declarations).module();
        let error = Program::decode(&module, &module.entry_points()[0]).expect_err(&body);
        assert!(matches!(error, lanescope_interpreter::DecodeError::Invalid { .. }), "{error}");
    }
}
