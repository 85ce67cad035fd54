use lanescope_base::StageKind;
use lanescope_spirv::enums::Op;

use super::*;
use crate::exact::is_exact;
use crate::generate::{Generated, Kind};
use crate::testing::{check, glsl};

#[test]
fn what_is_altered_is_valid_and_as_exact() {
    for number in 0..60 {
        for &kind in Kind::ALL {
            for (stage, text) in Generated::of(kind, number).stages {
                let module = glsl(stage, &text).expect("compiles");
                let mut random = Rng::with_seed(number);
                let after = altered(&module, &mut random, 12).expect("the grammar knows all of it");
                assert!(after.len() > module.len(), "{} {number}", kind.name());
                check(&after).unwrap_or_else(|why| panic!("{} {number}: {why}", kind.name()));
                assert_eq!(is_exact(&after), is_exact(&module), "{} {number}", kind.name());
            }
        }
    }
}

#[test]
fn each_change_is_made_somewhere() {
    let modules: Vec<Module> = (0..20)
        .map(|number| glsl(StageKind::Compute, &Generated::of(Kind::Kernel, number).stages[0].1).expect("compiles"))
        .collect();
    for (at, alter) in ALL.iter().enumerate() {
        let made = modules.iter().filter(|module| {
            let mut random = Rng::with_seed(at as u64);
            let mut once = || {
                let mut code = Code::of(module).expect("is known");
                alter(&mut code, &mut random) && code.module().is_some_and(|after| after.words() != module.words())
            };
            // A place that was chosen may have nothing to change.
            (0..10).any(|_| once())
        });
        assert!(made.count() > 10, "change {at}");
    }
}

#[test]
fn the_same_seed_gives_the_same_module() {
    let module = glsl(StageKind::Compute, &Generated::of(Kind::Kernel, 1).stages[0].1).expect("compiles");
    let [one, same, other] = [3, 3, 4].map(|seed| altered(&module, &mut Rng::with_seed(seed), 20).expect("is known"));
    assert_eq!(one.words(), same.words());
    assert_ne!(one.words(), other.words());
    assert!(one.insts().any(|inst| inst.op() == Some(Op::LoopMerge)));
}
