//! Memory: layouts, robust access, atomics, addresses.

use std::sync::Arc;

use lanescope_interpreter::{
    Address, Buffer, Dispatch, EventKind, Inputs, LaneMap, LaunchError, Machine, Options, Program,
};

use crate::harness::{run, same_at_all_sizes, words};
use crate::support::Shader;

#[test]
fn accesses_beyond_a_buffer_read_zero_and_write_nothing() {
    let shader = Shader::new(
        8,
        "%value = fetch %index
         %one = OpIAdd %uint %value %u:1
         store %index %one",
    );
    let run = run(&shader, 8, 1, 5, &[10, 11, 12]);
    assert_eq!(run.out(), [11, 12, 13, 1, 1]);
    assert_eq!(run.kinds(), [EventKind::OutOfBounds; 2]);
    let events = run.machine.events();
    assert_eq!(events[0].lanes, 0b1111_1000);
    assert_eq!(events[0].address, Some(Address::Descriptor { set: 0, binding: 1, element: 0, offset: 12 }));
    assert_eq!(events[1].lanes, 0b1110_0000);
    assert_eq!((events[0].count, events[1].count), (1, 1));
}

#[test]
fn findings_are_counted_by_instructions_run() {
    let shader = Shader::new(32, "%value = fetch %u:9\nstore %index %value");
    let run = run(&shader, 8, 1, 32, &[]);
    let found: Vec<_> = run.machine.events().iter().map(|event| (event.lanes, event.wave, event.count)).collect();
    assert_eq!(found, [(0xff, 0, 4)]);
}

#[test]
fn negative_and_wrapping_indices_leave_the_object() {
    let shader = Shader::new(
        4,
        "%minus = OpISub %uint %index %u:2
         %value = fetch %minus
         store %index %value
         %huge = OpIMul %uint %index %u:0x40000000
         store %huge %u:9",
    );
    let run = run(&shader, 4, 1, 4, &[5, 6, 7, 8]);
    assert_eq!(run.out(), [9, 0, 5, 6]);
    assert_eq!(run.kinds(), [EventKind::OutOfBounds; 2]);
}

#[test]
fn structures_follow_their_decorations() {
    let mut shader = Shader::new(
        1,
        "%p_m = OpAccessChain %ptr_U_mat %u_block %u:0
         %m = OpLoad %mat %p_m
         %m10 = OpCompositeExtract %float %m 1 0
         %p_c = OpAccessChain %ptr_U_v2 %u_block %u:0 %u:1
         %c = OpLoad %v2float %p_c
         %c1 = OpCompositeExtract %float %c 1
         %p_s = OpAccessChain %ptr_U_f %u_block %u:0 %u:0 %u:1
         %s = OpLoad %float %p_s
         %p_a = OpAccessChain %ptr_U_f %u_block %u:1 %u:2
         %a = OpLoad %float %p_a
         %u0 = OpBitcast %uint %m10
         store %u:0 %u0
         %u1 = OpBitcast %uint %c1
         store %u:1 %u1
         %u2 = OpBitcast %uint %s
         store %u:2 %u2
         %u3 = OpBitcast %uint %a
         store %u:3 %u3",
    )
    .declare(
        "%mat = OpTypeMatrix %v2float 2
         %floats = OpTypeArray %float %u:4
         %u_type = OpTypeStruct %mat %floats
         %ptr_U = OpTypePointer Uniform %u_type
         %ptr_U_mat = OpTypePointer Uniform %mat
         %ptr_U_v2 = OpTypePointer Uniform %v2float
         %ptr_U_f = OpTypePointer Uniform %float
         %u_block = OpVariable %ptr_U Uniform",
    );
    // The constant that sizes the array has to come first.
    shader.declarations = format!("%u:4 = OpConstant %uint 4\n{}", shader.declarations.replace("%u:4\n", "%four\n"));
    shader.declarations = shader.declarations.replace("%u:4 = OpConstant", "%four = OpConstant");
    shader.decorations = "OpDecorate %u_type Block
        OpMemberDecorate %u_type 0 Offset 0
        OpMemberDecorate %u_type 0 RowMajor
        OpMemberDecorate %u_type 0 MatrixStride 16
        OpMemberDecorate %u_type 1 Offset 32
        OpDecorate %floats ArrayStride 16
        OpDecorate %u_block DescriptorSet 2
        OpDecorate %u_block Binding 3"
        .to_owned();
    let module = shader.module();
    let program = Program::decode(&module, &module.entry_points()[0]).unwrap_or_else(|error| panic!("{error}"));
    // Rows (1, 2) and (3, 4) at 0 and 16; the array at 32, 48, 64.
    let mut bytes = vec![0u8; 96];
    for (at, value) in [(0, 1f32), (4, 2.0), (16, 3.0), (20, 4.0), (64, 5.0)] {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    let inputs = Inputs {
        buffers: vec![
            Buffer { bytes: vec![0; 16], ..Buffer::default() },
            Buffer { set: 2, binding: 3, bytes, ..Buffer::default() },
        ],
        ..Inputs::default()
    };
    let dispatch = Dispatch { groups: [1; 3], only: None, lanes: LaneMap::linear(1, 1) };
    let mut machine = Machine::new(Arc::new(program), &inputs, &dispatch, &Options::default()).expect("a machine");
    machine.run();
    // Column 1, row 0; column 1, row 1; column 0, row 1.
    assert_eq!(machine.contents(0, 0, 0), Some(words(&[2f32, 4.0, 3.0, 5.0].map(f32::to_bits)).as_slice()));
    assert_eq!(machine.events(), []);
}

#[test]
fn atomics_take_turns() {
    let shader = Shader::new(
        64,
        "%counter = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %u:64
         %place = OpAtomicIAdd %uint %counter %u:1 %u:0 %u:1
         %highest = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %u:65
         %old = OpAtomicUMax %uint %highest %u:1 %u:0 %index
         store %place %u:1",
    );
    let out = same_at_all_sizes(&shader, 66, &[]);
    assert_eq!(out[..64], [1; 64]);
    assert_eq!(out[64..], [64, 63]);
}

#[test]
fn array_length_is_that_of_the_buffer() {
    let shader = Shader::new(1, "%n = OpArrayLength %uint %in 0\nstore %u:0 %n");
    assert_eq!(same_at_all_sizes(&shader, 1, &[1, 2, 3]), [3]);
}

#[test]
fn addresses_lead_to_buffers() {
    let shader = Shader::new(
        4,
        "%low = fetch %index
         %pair = OpCompositeConstruct %v2uint %low %u:1
         %p = OpBitcast %ptr_phys %pair
         %value = OpLoad %uint %p Aligned 4
         store %index %value",
    )
    .declare("%ptr_phys = OpTypePointer PhysicalStorageBuffer %uint");
    // Lane 0 reads the first word, lane 1 the second one, lane 2 beyond, lane 3 is not aligned.
    let module = shader.module();
    let program = Program::decode(&module, &module.entry_points()[0]).unwrap_or_else(|error| panic!("{error}"));
    let inputs = Inputs {
        buffers: vec![
            Buffer { bytes: vec![0; 16], ..Buffer::default() },
            Buffer { binding: 1, bytes: words(&[0x1000, 0x1004, 0x1008, 0x1002]), ..Buffer::default() },
            Buffer { set: 9, bytes: words(&[77, 88]), address: Some(0x1_0000_1000), ..Buffer::default() },
        ],
        ..Inputs::default()
    };
    let dispatch = Dispatch { groups: [1; 3], only: None, lanes: LaneMap::linear(4, 4) };
    let mut machine = Machine::new(Arc::new(program), &inputs, &dispatch, &Options::default()).expect("a machine");
    machine.run();
    assert_eq!(machine.contents(0, 0, 0), Some(words(&[77, 88, 0, 0]).as_slice()));
    let kinds: Vec<_> = machine.events().iter().map(|event| (event.kind, event.lanes)).collect();
    assert_eq!(kinds, [(EventKind::OutOfBounds, 0b100), (EventKind::Misaligned, 0b1000)]);
}

#[test]
fn narrow_and_wide_numbers_keep_their_bits() {
    let shader = Shader::new(
        1,
        "%x = fetch %u:0
         %short_x = OpUConvert %short %x
         %wide = OpSConvert %int64 %short_x
         %pair = OpBitcast %v2uint %wide
         %low = OpCompositeExtract %uint %pair 0
         %high = OpCompositeExtract %uint %pair 1
         store %u:0 %low
         store %u:1 %high
         %d = OpConvertSToF %double %wide
         %h = OpFConvert %half %d
         %bits = OpBitcast %short %h
         %bits32 = OpUConvert %uint %bits
         store %u:2 %bits32",
    );
    assert_eq!(same_at_all_sizes(&shader, 3, &[0x1_8000]), [0xffff_8000, 0xffff_ffff, 0xf800]);
}

#[test]
fn reports_reads_of_what_was_never_written() {
    let shader = Shader::new(
        8,
        "%x = OpVariable %ptr_Function_uint Function
         %less = OpULessThan %bool %index %u:4
         OpSelectionMerge %merge None
         OpBranchConditional %less %write %merge
         %write = OpLabel
         OpStore %x %u:3
         OpBranch %merge
         %merge = OpLabel
         %value = OpLoad %uint %x
         store %index %value
         %never = shared %index
         store %index %never",
    );
    let run = run(&shader, 8, 1, 8, &[]);
    assert_eq!(run.kinds(), [EventKind::Uninitialized; 2]);
    let lanes: Vec<u64> = run.machine.events().iter().map(|event| event.lanes).collect();
    assert_eq!(lanes, [0xf0, 0xff]);
}

#[test]
fn reports_division_by_zero_and_the_first_nan_only() {
    let shader = Shader::new(
        4,
        "%q = OpUDiv %uint %u:12 %index
         store %index %q
         %f = OpConvertUToF %float %index
         %zero = OpFSub %float %f %f
         %nan = OpFDiv %float %zero %zero
         %more = OpFAdd %float %nan %f
         %bits = OpBitcast %uint %more
         %at = OpIAdd %uint %index %u:4
         store %at %bits",
    );
    let run = run(&shader, 4, 1, 8, &[]);
    assert_eq!(run.out()[..4], [u32::MAX, 12, 6, 4]);
    assert_eq!(run.kinds(), [EventKind::DivisionByZero, EventKind::Nan]);
    assert_eq!(run.machine.events()[0].lanes, 1);
    assert_eq!(run.machine.events()[1].lanes, 0xf);
}

#[test]
fn rejects_contradicting_inputs() {
    let module = Shader::new(8, "").module();
    let program = Arc::new(Program::decode(&module, &module.entry_points()[0]).expect("decodes"));
    let twice = Inputs { buffers: vec![Buffer::default(), Buffer::default()], ..Inputs::default() };
    let dispatch = Dispatch { groups: [1; 3], only: None, lanes: LaneMap::linear(8, 8) };
    let error = Machine::new(program.clone(), &twice, &dispatch, &Options::default()).map(|_| ());
    assert_eq!(error, Err(LaunchError::Twice { set: 0, binding: 0, element: 0 }));
    let small = Options { max_memory: 100, ..Options::default() };
    let error = Machine::new(program, &Inputs::default(), &dispatch, &small).map(|_| ());
    assert!(matches!(error, Err(LaunchError::Memory { limit: 100, .. })));
}

#[test]
fn only_one_workgroup_runs_where_asked() {
    let shader = Shader::new(4, "store %global %group");
    let module = shader.module();
    let program = Arc::new(Program::decode(&module, &module.entry_points()[0]).expect("decodes"));
    let inputs = Inputs { buffers: vec![Buffer { bytes: vec![0; 48], ..Buffer::default() }], ..Inputs::default() };
    let dispatch = Dispatch { groups: [3, 1, 1], only: Some([1, 0, 0]), lanes: LaneMap::linear(8, 4) };
    let mut machine = Machine::new(program, &inputs, &dispatch, &Options::default()).expect("a machine");
    machine.run();
    assert_eq!(machine.contents(0, 0, 0), Some(words(&[0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]).as_slice()));
}

#[test]
fn distances_of_pointers_are_in_elements() {
    let distance = |chains: &str| {
        let shader = Shader::new(
            8,
            &format!(
                "{chains}
                 %d = OpPtrDiff %int %p %q
                 %bits = OpBitcast %uint %d
                 %same = OpPtrEqual %bool %p %q
                 %differ = OpPtrNotEqual %bool %p %q
                 %flag = OpSelect %uint %same %u:100 %u:0
                 %other = OpSelect %uint %differ %u:0 %u:1000
                 %sum = OpIAdd %uint %bits %flag
                 %all = OpIAdd %uint %sum %other
                 store %index %all"
            ),
        );
        run(&shader, 8, 1, 8, &[]).out()
    };
    let expected: Vec<u32> = (0..8u32).map(|index| index.wrapping_sub(3) + if index == 3 { 1100 } else { 0 }).collect();
    let buffer = distance(
        "%p = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %index
         %q = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %u:3",
    );
    assert_eq!(buffer, expected);
    let shared = distance(
        "%p = OpAccessChain %ptr_Workgroup_uint %shared %index
         %q = OpAccessChain %ptr_Workgroup_uint %shared %u:3",
    );
    assert_eq!(shared, expected);
    // The array is not known from the pointer, but there is one only.
    let selected = distance(
        "%one = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %index
         %p = OpSelect %ptr_StorageBuffer_uint %true %one %one
         %two = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %u:3
         %q = OpCopyObject %ptr_StorageBuffer_uint %two",
    );
    assert_eq!(selected, expected);
}

/// `ArrayStride` of a pointer type counts for memory with an explicit layout only.
#[test]
fn strides_of_pointers_count_where_memory_has_a_layout() {
    let mut shader = Shader::new(
        8,
        "%mine = OpAccessChain %strided_shared %shared %index
         OpStore %mine %index
         %i8 = OpIAdd %uint %index %u:8
         share %i8 %i8
         barrier
         %next = OpPtrAccessChain %strided_shared %mine %u:1
         %seen = OpLoad %uint %next
         store %index %seen",
    )
    .declare(
        "%strided_shared = OpTypePointer Workgroup %uint
         %strided = OpTypePointer StorageBuffer %uint",
    );
    shader.decorations = "OpDecorate %strided_shared ArrayStride 16
        OpDecorate %strided ArrayStride 8"
        .to_owned();
    let shared = run(&shader, 8, 1, 8, &[]);
    assert_eq!((shared.kinds(), shared.out()), (vec![], vec![1, 2, 3, 4, 5, 6, 7, 8]));
    shader.body = "%first = OpAccessChain %strided %out %u:0 %u:0
         %mine = OpPtrAccessChain %strided %first %index
         OpStore %mine %index"
        .to_owned();
    assert_eq!(run(&shader, 8, 1, 16, &[]).out()[..8], [0, 0, 1, 0, 2, 0, 3, 0]);
}
