//! Running a shader on words.

use std::sync::Arc;

use lanescope_interpreter::{Buffer, Dispatch, EventKind, Inputs, LaneMap, Machine, Options, Outcome, Program};

use crate::support::Shader;

/// A run that has ended.
pub struct Run {
    pub machine: Machine,
    pub outcome: Outcome,
}

impl Run {
    /// The words of `%out`.
    pub fn out(&self) -> Vec<u32> {
        let bytes = self.machine.contents(0, 0, 0).expect("a buffer");
        bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
    }

    /// The kinds of what was found.
    pub fn kinds(&self) -> Vec<EventKind> {
        self.machine.events().iter().map(|event| event.kind).collect()
    }
}

pub fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A machine with `%out` of so many words, and `%in`.
pub fn machine(shader: &Shader, size: u32, groups: u32, out: usize, input: &[u32]) -> Machine {
    let module = shader.module();
    let program = Program::decode(&module, &module.entry_points()[0]).unwrap_or_else(|error| panic!("{error}"));
    let invocations = shader.local_size.iter().product();
    let inputs = Inputs {
        buffers: vec![
            Buffer { bytes: vec![0; out * 4], ..Buffer::default() },
            Buffer { binding: 1, bytes: words(input), ..Buffer::default() },
        ],
        ..Inputs::default()
    };
    let dispatch = Dispatch { groups: [groups, 1, 1], only: None, lanes: LaneMap::linear(size, invocations) };
    let options = Options { max_steps: 10_000_000, ..Options::default() };
    Machine::new(Arc::new(program), &inputs, &dispatch, &options).expect("a machine")
}

/// Runs a shader with waves of a size.
pub fn run(shader: &Shader, size: u32, groups: u32, out: usize, input: &[u32]) -> Run {
    let mut machine = machine(shader, size, groups, out, input);
    let outcome = machine.run();
    Run { machine, outcome }
}

/// Runs one group of a shader, and returns `%out`, which must be the same at every wave size.
pub fn same_at_all_sizes(shader: &Shader, out: usize, input: &[u32]) -> Vec<u32> {
    let results = [1, 8, 32, 64].map(|size| {
        let run = run(shader, size, 1, out, input);
        assert_eq!(run.outcome, Outcome::Finished);
        assert_eq!(run.kinds(), [], "size {size}");
        run.out()
    });
    for other in &results[1..] {
        assert_eq!(results[0], *other);
    }
    results.into_iter().next().unwrap_or_default()
}
