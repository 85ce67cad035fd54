//! Commands of the debugger: breakpoints, conditions, watched and printed variables.

use std::sync::OnceLock;

use lanescope_core::gpu::Inputs;
use lanescope_core::gpu::interpret::{Launch, Waves};
use lanescope_core::interpreter::Options;
use lanescope_core::interpreter::debugger::session::{Chosen, Session, parse_all};
use lanescope_core::options;

/// Instructions of a run.
const STEPS: u64 = 2000;
/// Bytes of registers, buffers and race detection.
const MEMORY: u64 = 4 << 20;
/// Commands that are carried out of an input.
const MOST: usize = 8;

/// Commands, separated by `;`, at the start of a compute shader.
pub fn commands(data: &[u8]) {
    static START: OnceLock<Session> = OnceLock::new();
    let start = START.get_or_init(|| {
        let name = "race.comp";
        let program = crate::program(name, crate::embedded(name)).unwrap_or_else(|error| panic!("{error}"));
        let waves = Waves::predicted(&program, &options::Options::default());
        let limits = Options { max_steps: STEPS, max_memory: MEMORY, ..Options::default() };
        let launch = Launch::new(&program, &waves, (None, None), &Inputs::default(), limits);
        let launch = launch.unwrap_or_else(|error| panic!("{error}"));
        Session::new(launch.machine, Chosen { wave: 0, lane: 0 })
    });
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(commands) = parse_all(text) else { return };
    let mut session = start.clone();
    for command in commands.iter().take(MOST) {
        let _ = session.run(command);
    }
    let _ = (session.state(), session.locals(), session.memory());
}
