//! Snapshots: how many there are, and that they are not needed for correctness.

use super::snapshots::Snapshots;

#[test]
fn wants_states_at_multiples_of_the_interval() {
    let snapshots = Snapshots::new(100, 0);
    assert!(snapshots.wants(200) && !snapshots.wants(201));
    assert_eq!((snapshots.until_next(200), snapshots.until_next(299)), (100, 1));
    assert_eq!((snapshots.len(), snapshots.step_before(5)), (0, None));
}
