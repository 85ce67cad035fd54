use std::collections::BTreeMap;

use super::*;
use crate::exact::is_exact;
use crate::testing::{check, glsl};

/// Programs of each kind that are looked at.
const PROGRAMS: u64 = 60;

#[test]
fn programs_compile_and_are_valid() {
    for &kind in Kind::ALL {
        let mut stages: BTreeMap<StageKind, usize> = BTreeMap::new();
        for number in 0..PROGRAMS {
            for (stage, text) in Generated::of(kind, number).stages {
                let module = glsl(stage, &text).unwrap_or_else(|why| panic!("{} {number}: {why}\n{text}", kind.name()));
                check(&module).unwrap_or_else(|why| panic!("{} {number}: {why}\n{text}", kind.name()));
                *stages.entry(stage).or_default() += 1;
                assert!(kind != Kind::Kernel || is_exact(&module), "{number}\n{text}");
            }
        }
        // Each stage of the kind is there often enough to mean something.
        let expected = if kind == Kind::Pipeline { 6 } else { 1 };
        assert_eq!(stages.len(), expected, "{stages:?}");
    }
}

#[test]
fn a_number_gives_the_same_program() {
    for &kind in Kind::ALL {
        assert_eq!(Generated::of(kind, 5), Generated::of(kind, 5));
        assert_ne!(Generated::of(kind, 5), Generated::of(kind, 6));
    }
}
