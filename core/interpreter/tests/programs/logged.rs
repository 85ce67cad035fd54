//! The log of accesses to memory.

use lanescope_interpreter::{Address, LoggedAccess, LoggedKind};

use crate::harness::{machine, words};
use crate::support::Shader;

/// Kind, invocation, offset, bytes.
fn row(access: &LoggedAccess) -> (LoggedKind, u32, u64, u32) {
    (access.kind, access.invocation, access.offset, access.bytes)
}

#[test]
fn accesses_are_logged_by_invocation_if_asked_for() {
    let body = "%value = fetch %index
         store %index %value
         %counter = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %u:7
         %old = OpAtomicIAdd %uint %counter %u:1 %u:0 %u:1";
    let mut machine = machine(&Shader::new(4, body), 8, 1, 8, &[1, 2, 3]);
    let mut rows = Vec::new();
    machine.log_accesses(100);
    machine.run();
    assert!(machine.take_accesses(&mut rows));
    let of = |kind| rows.iter().map(row).filter(|row| row.0 == kind).collect::<Vec<_>>();
    // The fourth invocation reads beyond the buffer.
    assert_eq!(of(LoggedKind::Load), (0..3).map(|at| (LoggedKind::Load, at, u64::from(at) * 4, 4)).collect::<Vec<_>>());
    assert_eq!(
        of(LoggedKind::Store),
        (0..4).map(|at| (LoggedKind::Store, at, u64::from(at) * 4, 4)).collect::<Vec<_>>()
    );
    assert_eq!(of(LoggedKind::Atomic), (0..4).map(|at| (LoggedKind::Atomic, at, 28, 4)).collect::<Vec<_>>());
    assert!(rows.iter().all(|row| row.begins));
    let object = machine.logged_object(rows[0].object).expect("a buffer");
    assert_eq!(object.address, Address::Descriptor { set: 0, binding: 1, element: 0, offset: 0 });
    assert_eq!((object.bytes, object.image), (12, None));
    let place = machine.program().instruction(rows[0].instruction);
    assert_eq!(machine.program().module().inst(place.inst).name(), "OpLoad");
    // What was taken is gone.
    assert!(machine.take_accesses(&mut rows) && rows.is_empty());
}

#[test]
fn a_log_without_room_says_so() {
    let mut machine = machine(&Shader::new(8, "store %index %u:1"), 8, 1, 8, &[]);
    let mut rows = Vec::new();
    machine.log_accesses(5);
    machine.run();
    assert!(!machine.take_accesses(&mut rows));
    assert_eq!(rows.len(), 5);
}

#[test]
fn workgroups_in_between_can_be_left_out() {
    let body = "store %global %u:1";
    let mut machine = machine(&Shader::new(4, body), 4, 4, 16, &[]);
    assert!(machine.skip_to_group(2) && machine.group_index() == 2);
    assert!(!machine.skip_to_group(1) && !machine.skip_to_group(4));
    machine.run();
    let expected: Vec<u32> = (0..16).map(|at| u32::from(at >= 8)).collect();
    assert_eq!(machine.contents(0, 0, 0), Some(words(&expected).as_slice()));
}
