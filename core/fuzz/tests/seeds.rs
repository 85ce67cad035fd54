//! Every target runs its seeds within its memory limit, which checks the targets and the samples.

use std::collections::BTreeSet;

use lanescope_fuzz::{TARGETS, Target, seeds};

// One test, since memory is counted of the whole process.
#[test]
fn every_target_runs_its_seeds_within_its_memory() {
    let seeds = seeds().expect("the samples read");
    let mut taken = BTreeSet::new();
    for seed in &seeds {
        let target = Target::named(seed.target).expect("a seed is some target's");
        println!("{} {}", seed.target, seed.name);
        target.run_untimed(&seed.data);
        // An input that is cut short is what a reader meets next.
        target.run_untimed(&seed.data[..seed.data.len() / 2]);
        taken.insert(seed.target);
    }
    let all: BTreeSet<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(taken, all, "every target has seeds");
}
