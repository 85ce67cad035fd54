//! Runs of a session to breakpoints, watched values and findings, in both directions; steps that are interrupted.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lanescope_base::ids::Id;
use lanescope_interpreter::debugger::session::{Chosen, Command, Group, Listed, Output, Session, Stopped, parse_all};
use lanescope_interpreter::debugger::{Children, Location, Stop};
use lanescope_interpreter::{EventKind, Machine, Value};

use crate::debugger::{fresh, long};
use crate::harness::machine;
use crate::support::Shader;

fn say(session: &mut Session, text: &str) -> String {
    let commands = parse_all(text).expect("commands");
    let outputs = commands.iter().map(|command| session.run(command).unwrap_or_else(|why| panic!("{why}")));
    match outputs.last().expect("a command") {
        Output::Stopped(why) => why,
        Output::Breakpoint { at, .. } => at,
        Output::Breakpoints(_) => String::new(),
        other => panic!("{other:?}"),
    }
}

/// Each lane of two waves adds to its word, three times.
fn counting() -> Machine {
    let body = "store %index %u:1
                store %index %u:2
                store %index %u:3";
    machine(&Shader::new(16, body), 8, 1, 16, &[])
}

fn buffer(session: &Session) -> Listed {
    let all = session.variables(Id(0));
    // `%in` has no words.
    let is_out = |listed: &&Listed| {
        let words = session.shape(&listed.target.child(0)).map(|shape| shape.children);
        listed.group == Group::Buffer && words == Some(Children::Indexed(16))
    };
    all.iter().find(is_out).expect("a buffer").clone()
}

#[test]
fn watchpoints_stop_in_both_directions_at_the_same_changes() {
    for (wave, any) in [(1, false), (0, true)] {
        let mut session = Session::new(counting(), Chosen { wave, lane: 0 });
        if any {
            session = session.stopping_any_wave();
        }
        let word = buffer(&session).target.child(0).child(9);
        let number = session.watch(word.clone(), Chosen { wave: 1, lane: 1 }, "word");
        let value = |session: &Session| session.text_of(&word, Chosen { wave: 0, lane: 0 });
        let mut forwards = Vec::new();
        loop {
            let why = say(&mut session, "continue");
            if session.stopped() == Stopped::End {
                break;
            }
            assert_eq!(session.stopped(), Stopped::Watchpoint(number), "{why}");
            assert_eq!(session.chosen().wave, 1);
            forwards.push((session.debugger().position(), value(&session)));
        }
        let values: Vec<&str> = forwards.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["1", "2", "3"]);
        // Backwards, each stop is right before the instruction that changes it.
        let mut before = Vec::new();
        while session.stopped() != Stopped::Start {
            let why = say(&mut session, "reverse-continue");
            if session.stopped() != Stopped::Start {
                assert_eq!(why, format!("watchpoint {number}: word: changes after this instruction"));
                before.push((session.debugger().position() + 1, value(&session)));
            }
        }
        before.reverse();
        let positions = |all: &[(u64, String)]| all.iter().map(|(at, _)| *at).collect::<Vec<_>>();
        assert_eq!(positions(&before), positions(&forwards));
        let values: Vec<&str> = before.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["0", "1", "2"]);
    }
}

#[test]
fn a_run_back_stops_at_breakpoints_and_changes_whichever_is_later() {
    let mut session = Session::new(counting(), Chosen { wave: 0, lane: 0 });
    let word = buffer(&session).target.child(0).child(0);
    let store = session.debugger().machine().program().module().insts().filter(|inst| inst.name() == "OpStore");
    let second = store.map(|inst| inst.index).nth(1).expect("a store");
    say(&mut session, "continue");
    let at =
        session.break_at(second, lanescope_interpreter::debugger::session::BreakpointKind::instruction(second), "b");
    let number = session.watch(word, Chosen { wave: 0, lane: 0 }, "word");
    let mut stops = Vec::new();
    while session.stopped() != Stopped::Start {
        say(&mut session, "reverse-continue");
        stops.push(session.stopped());
    }
    let breakpoint = Stopped::Breakpoint(at.expect("is there"));
    // The second store is both: one stop.
    assert_eq!(stops.len(), 4, "{stops:?}");
    assert_eq!(
        [stops[0], stops[2], stops[3]],
        [Stopped::Watchpoint(number), Stopped::Watchpoint(number), Stopped::Start]
    );
    assert!(stops[1] == breakpoint || stops[1] == Stopped::Watchpoint(number), "{stops:?}");
}

#[test]
fn breakpoints_of_any_wave_choose_it() {
    let line = |session: &Session| session.state().line.map(|line| line.line);
    let mut session = Session::new(fresh(), Chosen { wave: 1, lane: 3 }).stopping_any_wave();
    say(&mut session, "break 13");
    let mut waves = BTreeSet::new();
    loop {
        let why = say(&mut session, "continue");
        if session.stopped() == Stopped::End {
            break;
        }
        assert_eq!(why, "breakpoint 1: test.comp:13");
        assert_eq!(line(&session), Some(13));
        waves.insert(session.chosen().wave);
    }
    assert_eq!(waves, BTreeSet::from([0, 1]));
    // A condition chooses a lane that fulfils it.
    let mut session = Session::new(fresh(), Chosen { wave: 0, lane: 0 }).stopping_any_wave();
    let index = session.variables(Id(0)).into_iter().find(|listed| listed.group == Group::BuiltIn).expect("an input");
    say(&mut session, &format!("break 13 if {} == 5; continue", index.name));
    assert_eq!((session.stopped(), session.chosen()), (Stopped::Breakpoint(1), Chosen { wave: 0, lane: 5 }));
    assert_eq!(session.value(&index.target, session.chosen()), Some(Value::Int(5)));
}

#[test]
fn a_breakpoint_at_the_start_is_hit_before_anything_runs() {
    let mut session = Session::new(fresh(), Chosen { wave: 0, lane: 0 });
    assert_eq!(session.hit_here(), None);
    let place = session.place().expect("a place").inst;
    let kind = lanescope_interpreter::debugger::session::BreakpointKind::Place {
        location: Location::Inst(place),
        condition: None,
    };
    session.set_breakpoint(&kind, "start").expect("is there");
    assert_eq!(session.hit_here().as_deref(), Some("breakpoint 1: start"));
    assert_eq!((session.stopped(), session.debugger().position()), (Stopped::Breakpoint(1), 0));
    assert_eq!(session.breakpoints()[0].hits, 1);
}

#[test]
fn findings_stop_where_they_are_found() {
    let shader = Shader::new(16, "%d = OpUDiv %uint %index %u:0\nstore %index %d\nstore %u:99 %d");
    let machine = || machine(&shader, 8, 1, 16, &[]);
    let mut session = Session::new(machine(), Chosen { wave: 0, lane: 2 }).stopping_any_wave();
    say(&mut session, "continue");
    assert_eq!(session.stopped(), Stopped::End, "nothing stops at first");
    let kinds = |session: &Session| session.debugger().machine().events().iter().map(|e| e.kind).collect::<Vec<_>>();
    assert!(kinds(&session).contains(&EventKind::OutOfBounds));
    let mut session = Session::new(machine(), Chosen { wave: 0, lane: 2 }).stopping_any_wave();
    session.stop_at(BTreeSet::from([EventKind::OutOfBounds]));
    say(&mut session, "continue");
    let Stopped::Finding(at) = session.stopped() else { panic!("{:?}", session.stopped()) };
    let event = session.debugger().machine().events()[at].clone();
    assert_eq!(event.kind, EventKind::OutOfBounds);
    assert_eq!(session.chosen(), Chosen { wave: event.wave, lane: 2 });
    assert_eq!(session.debugger().position(), event.step, "right after the instruction");
    // Back and forth it is found again.
    say(&mut session, "reverse-stepi 2; continue");
    assert_eq!(session.stopped(), Stopped::Finding(at));
}

#[test]
fn an_interrupted_step_goes_on_from_where_it_began() {
    let interrupt = Arc::new(AtomicBool::new(false));
    for (text, command) in
        [("next", Command::Next(1)), ("finish", Command::Finish), ("nexti", Command::NextInstruction(1))]
    {
        let mut direct = Session::new(fresh(), Chosen { wave: 1, lane: 0 });
        say(&mut direct, "break 13; continue; delete 1");
        let mut session = direct.clone();
        session.set_interrupt(Some(Arc::clone(&interrupt)));
        say(&mut direct, text);
        // Interrupted before its first instruction, and in the midst of the call.
        interrupt.store(true, Ordering::Relaxed);
        say(&mut session, text);
        assert_eq!(session.stopped(), Stopped::Interrupted);
        interrupt.store(false, Ordering::Relaxed);
        session.go_on(&command).expect("it runs");
        assert_eq!(session.debugger().position(), direct.debugger().position(), "{text}");
        assert_eq!(session.stopped(), direct.stopped());
    }
}

#[test]
fn steps_over_instructions_run_whole_calls() {
    let mut session = Session::new(fresh(), Chosen { wave: 1, lane: 0 });
    say(&mut session, "break 13; continue; delete 1");
    let into = {
        let mut session = session.clone();
        say(&mut session, "stepi");
        session.debugger().waves()[1].calls.len()
    };
    say(&mut session, "nexti");
    assert_eq!((into, session.debugger().waves()[1].calls.len()), (1, 0));
    assert_eq!(session.state().line.map(|line| line.line), Some(14));
}

#[test]
fn shapes_are_those_of_types() {
    let session = Session::new(long(), Chosen { wave: 0, lane: 0 });
    let all = session.variables(session.place().expect("a place").function);
    let of = |group| all.iter().filter(move |listed| listed.group == group);
    // Of the five built-ins one is never read.
    assert_eq!(of(Group::BuiltIn).count(), 4);
    let shared = of(Group::Workgroup).next().expect("workgroup memory");
    let shape = session.shape(&shared.target).expect("a shape");
    assert_eq!((shape.ty.as_str(), shape.children), ("uint32[256]", Children::Indexed(256)));
    assert_eq!(session.shape(&shared.target.child(255)).map(|shape| shape.children), Some(Children::None));
    assert_eq!(session.shape(&shared.target.child(256)), None);
    let out = of(Group::Buffer).next().expect("a buffer");
    assert!(
        matches!(session.shape(&out.target).map(|shape| shape.children), Some(Children::Named(names)) if names.len() == 1)
    );
    assert_eq!(session.debugger().clone().resume(), Stop::End);
}
