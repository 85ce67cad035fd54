//! Data races and barriers: programs that race, and the same programs without the race.

use std::sync::Arc;

use lanescope_interpreter::{
    Address, Buffer, Dispatch, EventKind, Inputs, LaneMap, LaunchError, Machine, Options, Outcome, Program,
};

use crate::harness::{Run, run};
use crate::support::Shader;

fn neighbours(between: &str) -> Run {
    let shader = Shader::new(
        32,
        &format!(
            "share %index %index
             {between}
             %other = OpBitwiseXor %uint %index %u:1
             %value = shared %other
             store %index %value"
        ),
    );
    run(&shader, 8, 1, 32, &[])
}

#[test]
fn lockstep_orders_nothing() {
    let racing = neighbours("");
    assert_eq!(racing.kinds(), [EventKind::DataRace]);
    let event = &racing.machine.events()[0];
    assert!(matches!(event.address, Some(Address::Workgroup { offset: 4, .. })), "{event:?}");
    let other = event.other.expect("the other access");
    assert_eq!((other.invocation, other.wrote, other.group), (1, true, 0));
    assert_eq!(neighbours("barrier").kinds(), []);
}

#[test]
fn barriers_order_the_memory_that_they_name() {
    // Execution only; memory of buffers; workgroup memory, in a subgroup barrier.
    assert_eq!(neighbours("OpControlBarrier %u:2 %u:2 %u:0").kinds(), [EventKind::DataRace]);
    assert_eq!(neighbours("OpControlBarrier %u:2 %u:2 %u:72").kinds(), [EventKind::DataRace]);
    assert_eq!(neighbours("OpControlBarrier %u:3 %u:3 %u:264").kinds(), []);
    assert_eq!(neighbours("OpMemoryBarrier %u:2 %u:264\nOpControlBarrier %u:2 %u:2 %u:0").kinds(), []);
}

#[test]
fn workgroups_race_in_buffers_unless_both_are_atomic() {
    let store = Shader::new(8, "store %index %group");
    assert_eq!(run(&store, 8, 2, 8, &[]).kinds(), [EventKind::DataRace]);
    assert_eq!(run(&store, 8, 1, 8, &[]).kinds(), []);
    let equal = Shader::new(8, "store %index %index");
    assert_eq!(run(&equal, 8, 2, 8, &[]).kinds(), [EventKind::EqualWrites]);
    let atomic = |scope: u32| {
        Shader::new(
            8,
            &format!(
                "%p = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %u:0
                 %old = OpAtomicIAdd %uint %p %u:{scope} %u:0 %u:1"
            ),
        )
    };
    let device = run(&atomic(1), 8, 2, 8, &[]);
    assert_eq!((device.kinds(), device.out()[0]), (vec![], 16));
    assert_eq!(run(&atomic(2), 8, 2, 8, &[]).kinds(), [EventKind::DataRace], "workgroup scope across workgroups");
}

#[test]
fn bytes_of_one_word_do_not_race() {
    let bytes = |address: &str| {
        let mut shader = Shader::new(
            8,
            &format!(
                "%p = OpAccessChain %ptr_byte %bytes %u:0 {address}
                 %b = OpUConvert %byte %index
                 OpStore %p %b"
            ),
        )
        .declare(
            "%byte_array = OpTypeRuntimeArray %byte
             %byte_block = OpTypeStruct %byte_array
             %ptr_byte_block = OpTypePointer StorageBuffer %byte_block
             %ptr_byte = OpTypePointer StorageBuffer %byte
             %bytes = OpVariable %ptr_byte_block StorageBuffer",
        );
        shader.decorations = "OpDecorate %byte_array ArrayStride 1
            OpDecorate %byte_block Block
            OpMemberDecorate %byte_block 0 Offset 0
            OpDecorate %bytes DescriptorSet 0
            OpDecorate %bytes Binding 0"
            .to_owned();
        run(&shader, 8, 1, 2, &[])
    };
    let apart = bytes("%index");
    assert_eq!((apart.kinds(), apart.out()), (vec![], vec![0x0302_0100, 0x0706_0504]));
    assert_eq!(bytes("%u:3").kinds(), [EventKind::DataRace]);
}

#[test]
fn barriers_that_some_do_not_reach_are_reported() {
    let divergent = Shader::new(
        16,
        "%less = OpULessThan %bool %index %u:4
         OpSelectionMerge %merge None
         OpBranchConditional %less %then %merge
         %then = OpLabel
         barrier
         OpBranch %merge
         %merge = OpLabel
         store %index %u:1",
    );
    let one_wave = run(&divergent, 16, 1, 16, &[]);
    assert_eq!(one_wave.kinds(), [EventKind::BarrierNotReached]);
    assert_eq!(one_wave.machine.events()[0].lanes, 0xfff0);
    assert_eq!(one_wave.out(), [1; 16]);
    let waves = run(&divergent, 8, 1, 16, &[]);
    assert!(waves.kinds().iter().all(|&kind| kind == EventKind::BarrierNotReached), "{:?}", waves.kinds());
    assert_eq!(waves.out(), [1; 16]);
}

/// Waves take turns, so that a wave that waits for another one in a loop does not wait for ever.
#[test]
fn waves_that_wait_for_each_other_go_on() {
    let shader = Shader::new(
        16,
        "%p = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %u:0
         %first = OpULessThan %bool %index %u:8
         OpSelectionMerge %end None
         OpBranchConditional %first %wait %set
         %wait = OpLabel
         OpBranch %head
         %head = OpLabel
         %flag = OpAtomicLoad %uint %p %u:1 %u:66
         %unset = OpIEqual %bool %flag %u:0
         OpLoopMerge %merge %continue None
         OpBranchConditional %unset %continue %merge
         %continue = OpLabel
         OpBranch %head
         %merge = OpLabel
         OpBranch %end
         %set = OpLabel
         OpAtomicStore %p %u:1 %u:68 %u:1
         OpBranch %end
         %end = OpLabel",
    );
    let run = run(&shader, 8, 1, 1, &[]);
    assert_eq!(run.outcome, Outcome::Finished);
    assert_eq!((run.out(), run.kinds()), (vec![1], vec![]));
}

/// Where memory for what orders accesses is short, that is said: no two accesses are then called a race for want of it.
#[test]
fn too_little_memory_makes_no_race() {
    let shader = Shader::new(
        64,
        "store %global %global
         OpMemoryBarrier %u:1 %u:72
         %at = OpIAdd %uint %index %u:2000
         %own = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %at
         %old = OpAtomicIAdd %uint %own %u:1 %u:0 %u:1
         OpMemoryBarrier %u:1 %u:72
         barrier
         %far = OpBitwiseXor %uint %global %u:63
         store %far %old",
    );
    let module = shader.module();
    let program = Arc::new(Program::decode(&module, &module.entry_points()[0]).expect("decodes"));
    let inputs = Inputs { buffers: vec![Buffer { bytes: vec![0; 16384], ..Buffer::default() }], ..Inputs::default() };
    let dispatch = Dispatch { groups: [8, 1, 1], only: None, lanes: LaneMap::linear(16, 64) };
    let with =
        |max_memory| Machine::new(program.clone(), &inputs, &dispatch, &Options { max_memory, ..Options::default() });
    let Err(LaunchError::Memory { needed, .. }) = with(0) else { panic!("it needs memory") };
    let mut verdicts = Vec::new();
    for spare in [0, 1_000, 10_000, 30_000, 60_000, 100_000, 200_000, 500_000, 1_000_000, 100_000_000] {
        let mut machine = with(needed + spare).expect("a machine");
        assert_eq!(machine.run(), Outcome::Finished);
        assert!(machine.events().is_empty(), "with {spare} bytes: {:?}", machine.events());
        verdicts.push(machine.events_truncated());
    }
    assert!(verdicts[0] && !verdicts[verdicts.len() - 1] && verdicts.is_sorted_by(|a, b| a >= b), "{verdicts:?}");
}
