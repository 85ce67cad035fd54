//! Going back: where it leads, and how many instructions and bytes it takes.

use lanescope_interpreter::debugger::session::{Chosen, Output, Session, parse_all};
use lanescope_interpreter::debugger::{Debugger, Stop};
use proptest::prelude::*;

use crate::debugger::{fresh, long, shader, state};
use crate::harness::machine;

/// Goes back one instruction at a time.
fn instructions_back(debugger: &mut Debugger, count: u64) -> Stop {
    (0..count).map(|_| debugger.step_back(1)).find(|stop| *stop != Stop::Step).unwrap_or(Stop::Step)
}

/// Goes back by a line, one instruction at a time.
fn line_back(debugger: &mut Debugger, wave: usize) -> Stop {
    let at = |debugger: &Debugger| {
        let wave = &debugger.waves()[wave];
        (wave.line.clone(), wave.calls.len())
    };
    let now = at(debugger);
    let mut found = None;
    loop {
        let here = debugger.position();
        if debugger.step_back(1) != Stop::Step {
            return Stop::Start;
        }
        let before = at(debugger);
        match &found {
            Some(line) if before != *line => {
                debugger.seek(here);
                return Stop::Step;
            }
            None if before != now && before.0.is_some() => found = Some(before),
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn several_steps_back_are_as_many_single_ones(
        from in 0u64..900, count in 1u64..40, lines in 1u64..12, wave in 0u32..2, interval in 1u64..90
    ) {
        let mut debugger = Debugger::with_snapshots(fresh(), interval, 1 << 20);
        debugger.set_focus(Some(wave));
        debugger.seek(from);
        let (mut one, mut other) = (debugger.clone(), debugger.clone());
        let stops = (one.step_back(count), instructions_back(&mut other, count));
        prop_assert_eq!(stops.0, stops.1);
        prop_assert_eq!(state(&one), state(&other));
        let (mut one, mut other) = (debugger.clone(), debugger);
        let stop = one.line_back(lines);
        let single = (0..lines).map(|_| line_back(&mut other, wave as usize)).find(|stop| *stop != Stop::Step);
        prop_assert_eq!(stop, single.unwrap_or(Stop::Step));
        prop_assert_eq!(state(&one), state(&other));
    }
}

/// The loop of [`long`] on one line, which no instruction leaves before a million steps.
fn one_line() -> Debugger {
    let mut shader = shader();
    shader.body = shader.body.replace("%limit = OpIAdd %uint %index %u:3", "%limit = OpIAdd %uint %index %u:90000");
    for line in 12..16 {
        shader.body = shader.body.replace(&format!("OpLine %file {line} 0"), "OpLine %file 10 0");
    }
    // A line of a function that is called is another one.
    shader.body = shader.body.replace("OpFunctionCall %uint %triple %i", "OpIMul %uint %i %u:3");
    let mut debugger = Debugger::new(machine(&shader, 8, 1, 32, &[]));
    debugger.set_focus(Some(1));
    debugger
}

#[test]
fn a_step_back_repeats_each_section_once() {
    let mut session = Session::new(long(), Chosen { wave: 1, lane: 0 });
    let mut run = |text: &str| {
        let before = session.debugger().cost().instructions;
        let command = parse_all(text).expect("a command").remove(0);
        let Output::Stopped(why) = session.run(&command).expect("it runs") else { panic!("it moves") };
        (why, session.debugger().position(), session.debugger().cost().instructions - before)
    };
    let (_, end, forwards) = run("continue");
    assert!(end > 1_200_000 && forwards < end + 10, "{forwards} for {end}");
    // The section, and the way to the place in it: at most two intervals of snapshots each.
    for text in ["reverse-stepi", "reverse-step", "reverse-stepi 4000", "reverse-step 4000"] {
        let (why, _, ran) = run(text);
        assert_eq!(why, "step", "{text}");
        assert!(ran <= 4 << 16, "{text}: {ran} instructions");
    }
    // Most of the run: all of it once, and again from the snapshot before the place.
    let (why, at, ran) = run("reverse-stepi 500000");
    assert_eq!(why, "step");
    assert!(at < end - 500_000 && ran <= 2 * end, "{ran} instructions");
}

#[test]
fn a_line_of_a_million_steps_is_left_in_one_replay() {
    let mut debugger = one_line();
    debugger.resume();
    let end = debugger.position();
    assert!(end > 1_000_000, "{end} steps");
    let before = debugger.cost().instructions;
    // Before the last line all that has one is one line.
    assert_eq!(debugger.line_back(1), Stop::Step);
    assert!(debugger.position() < 1000, "{}", debugger.position());
    let ran = debugger.cost().instructions - before;
    assert!(ran <= 2 * end, "{ran} instructions for {end}");
}

#[test]
fn more_lines_than_are_kept_of_a_section_are_passed() {
    let back = |mut debugger: Debugger| {
        debugger.set_focus(Some(1));
        debugger.resume();
        assert_eq!(debugger.line_back(300_000), Stop::Step);
        state(&debugger)
    };
    assert_eq!(back(Debugger::with_snapshots(long(), u64::MAX, usize::MAX)), back(Debugger::new(long())));
}

#[test]
fn going_back_copies_only_pages_that_changed() {
    // A buffer of 16 MiB, of which a few bytes are written.
    let mut debugger = Debugger::with_snapshots(machine(&shader(), 8, 2, 1 << 22, &[]), 64, 1 << 30);
    let start = debugger.cost().copied;
    assert!(start >= 1 << 24, "the first snapshot has all of it: {start} bytes");
    debugger.set_focus(Some(1));
    assert_eq!(debugger.resume(), Stop::End);
    let end = state(&debugger);
    for _ in 0..50 {
        assert_eq!(debugger.step_back(3), Stop::Step);
    }
    debugger.seek(0);
    assert!(debugger.machine().contents(0, 0, 0).is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0)));
    debugger.seek(u64::MAX);
    assert_eq!(state(&debugger), end);
    let copied = debugger.cost().copied - start;
    assert!(copied < 1 << 22, "{copied} bytes");
}
