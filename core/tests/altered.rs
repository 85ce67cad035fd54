//! Altered kernels leave what the kernels leave, in the interpreter and on the software device.

use std::time::Duration;

use lanescope_core::gpu::interpret::{self, Waves};
use lanescope_core::gpu::{DeviceOptions, Inputs, run_program};
use lanescope_core::hunt::alter::altered;
use lanescope_core::hunt::generate::{Generated, Kind};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::program::{LoadedModule, Program};
use lanescope_core::run::inputs::{Content, Given};
use lanescope_core::run::{Blob, Execution, compare};

/// Kernels, and changes of each.
const KERNELS: u64 = 40;
const CHANGES: u32 = 25;
const LIMIT: Duration = Duration::from_secs(20);

fn program(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.comp");
    std::fs::write(&path, text).expect("writes");
    load(&[path], &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What a kernel leaves on a device, or in the interpreter.
fn run(device: Option<&str>, program: &Program, input: &[u8]) -> Execution {
    let content = Content::Bytes(Blob(input.to_vec()));
    let buffers = vec![Given { set: 0, binding: 0, element: None, content }];
    let inputs = Inputs { zeros: true, spare: true, buffers, ..Inputs::default() };
    let ended = match device {
        Some(name) => {
            let device = DeviceOptions { device: Some(name.to_owned()), timeout: LIMIT, ..DeviceOptions::default() };
            run_program(&device, program, None, &inputs)
        }
        None => interpret::run(program, &Waves::predicted(program, &Options::default()), None, &inputs, LIMIT),
    };
    ended.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn altered_kernels_leave_the_same() {
    let mut differ = Vec::new();
    let mut kernels = 0;
    for number in 0..KERNELS {
        let Generated { stages, input, .. } = Generated::of(Kind::Kernel, number);
        let given = program(&stages[0].1);
        let mut random = fastrand::Rng::with_seed(number);
        let module = altered(&given.modules[0].module, &mut random, CHANGES).expect("the grammar knows all of it");
        assert_ne!(module.words(), given.modules[0].module.words(), "{number}");
        let mut other = given.clone();
        other.modules[0] = LoadedModule::new(given.modules[0].input, module);
        let before = run(None, &given, &input);
        assert!(
            before.run.findings.iter().all(|finding| !finding.code.starts_with('E')),
            "{number}: {:?}",
            before.run.findings
        );
        for device in [None, Some("llvmpipe")] {
            let after = run(device, &other, &input);
            if !compare(&after, &before).equal {
                differ.push(format!("{number} on {}", device.unwrap_or(interpret::NAME)));
            }
        }
        kernels += usize::from(before.contents("set0.binding1").iter().any(|byte| *byte != 0));
    }
    assert!(differ.is_empty(), "{differ:?}");
    // Equal zeros would say little.
    assert!(kernels > 35, "{kernels} leave something");
}
