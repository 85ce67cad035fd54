//! Stepping forwards and backwards, breakpoints, values.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lanescope_base::ids::Id;
use lanescope_interpreter::debugger::session::{BesidePoint, Chosen, Output, Session, parse_all};
use lanescope_interpreter::debugger::{Breakpoint, Comparison, Condition, Debugger, Location, Stop, WaveStatus};
use lanescope_interpreter::{Machine, NotReached, Value};
use lanescope_spirv::enums::Op;
use proptest::prelude::*;

use crate::harness::machine;
use crate::support::Shader;

/// A loop with lines, a call and a barrier, two waves of eight lanes.
pub fn shader() -> Shader {
    Shader::new(
        16,
        "OpLine %file 10 0
         share %index %index
         barrier
         OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u:0 %entry %next %continue
         %sum = OpPhi %uint %u:0 %entry %more %continue
         OpLoopMerge %merge %continue None
         OpLine %file 12 0
         OpBranch %body
         %body = OpLabel
         OpLine %file 13 0
         %tripled = OpFunctionCall %uint %triple %i
         OpLine %file 14 0
         %more = OpIAdd %uint %sum %tripled
         OpBranch %continue
         %continue = OpLabel
         OpLine %file 15 0
         %next = OpIAdd %uint %i %u:1
         %limit = OpIAdd %uint %index %u:3
         %less = OpULessThan %bool %next %limit
         OpBranchConditional %less %head %merge
         %merge = OpLabel
         OpLine %file 16 0
         %other = OpBitwiseXor %uint %index %u:8
         %value = shared %other
         %total = OpIAdd %uint %sum %value
         store %index %total",
    )
    .declare("%fn_uint = OpTypeFunction %uint %uint")
    .function(
        "%triple = OpFunction %uint None %fn_uint
         %x = OpFunctionParameter %uint
         %t_entry = OpLabel
         OpLine %file 3 0
         %y = OpIMul %uint %x %u:3
         OpReturnValue %y
         OpFunctionEnd",
    )
}

pub fn fresh() -> Machine {
    machine(&shader(), 8, 2, 32, &[])
}

/// The id of the n-th instruction with an opcode.
fn id_of(machine: &Machine, op: Op, n: usize) -> Id {
    let module = machine.program().module();
    let inst = module.insts().filter(|inst| inst.op() == Some(op)).nth(n).expect("an instruction");
    inst.result().expect("a result")
}

/// All that can be seen of a state.
pub fn state(debugger: &Debugger) -> String {
    let contents = debugger.machine().contents(0, 0, 0).map(<[u8]>::to_vec);
    let values: Vec<_> = (0..2)
        .flat_map(|wave| (0..8).map(move |lane| (wave, lane)))
        .map(|(wave, lane)| {
            let get = |op, n| debugger.value(wave, lane, id_of(debugger.machine(), op, n));
            [get(Op::IAdd, 0), get(Op::IAdd, 1), get(Op::IMul, 0), get(Op::Phi, 0), get(Op::Phi, 1)]
        })
        .collect();
    let waves = debugger.waves();
    format!("{:?} {waves:?} {contents:?} {values:?} {:?}", debugger.position(), debugger.machine().events())
}

/// The loop of [`shader`], so often that its waves run more than a million instructions.
pub fn long() -> Machine {
    let mut shader = shader();
    shader.body = shader.body.replace("%limit = OpIAdd %uint %index %u:3", "%limit = OpIAdd %uint %index %u:90000");
    machine(&shader, 8, 1, 32, &[])
}

#[test]
fn going_back_a_million_steps_gives_the_state_before() {
    let mut debugger = Debugger::new(long());
    debugger.resume();
    let end = debugger.position();
    assert!(end > 1_200_000, "{end} steps");
    debugger.back(1_000_000);
    let mut direct = Debugger::with_snapshots(long(), u64::MAX, usize::MAX);
    direct.seek(end - 1_000_000);
    assert_eq!(state(&debugger), state(&direct));
    debugger.seek(end);
    direct.seek(end);
    assert_eq!(state(&debugger), state(&direct));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn going_back_gives_the_state_before(n in 0u64..700, m in 0u64..700, interval in 1u64..90, memory in 0usize..60_000) {
        let mut debugger = Debugger::with_snapshots(fresh(), interval, memory);
        debugger.seek(n);
        let end = debugger.position();
        debugger.back(m);
        let mut direct = Debugger::with_snapshots(fresh(), u64::MAX, usize::MAX);
        direct.seek(end.saturating_sub(m));
        prop_assert_eq!(state(&debugger), state(&direct));
        debugger.seek(end);
        direct.seek(end);
        prop_assert_eq!(state(&debugger), state(&direct));
    }
}

#[test]
fn stops_at_lines_in_every_wave_and_iteration() {
    let mut debugger = Debugger::new(fresh());
    let line = |line| Location::Line { file: "test.comp".to_owned(), line };
    let (_, places) = debugger.add_breakpoint(Breakpoint { location: line(3), condition: None, skip: 0 });
    assert_eq!(places, 1);
    let mut hits = 0;
    while debugger.resume() == Stop::Breakpoint(0) {
        let wave = &debugger.waves()[debugger.current_wave() as usize];
        assert_eq!(wave.line.as_ref().map(|line| line.line), Some(3));
        assert_eq!(wave.calls.len(), 1);
        hits += 1;
    }
    // Lanes run index + 3 iterations: wave 0 at most 10, wave 1 at most 18; two workgroups.
    assert_eq!((hits, debugger.hits(0)), (56, 56));
    assert_eq!(debugger.resume_back(), Stop::Breakpoint(0));
    assert_eq!(debugger.current_wave(), 1);
    let last = debugger.position();
    assert_eq!(debugger.resume_back(), Stop::Breakpoint(0));
    assert!(debugger.position() < last);
    let (_, nowhere) = debugger.add_breakpoint(Breakpoint { location: line(99), condition: None, skip: 0 });
    assert_eq!(nowhere, 0);
}

#[test]
fn conditions_and_hit_counts_select_hits() {
    let mut debugger = Debugger::new(fresh());
    let phi = id_of(debugger.machine(), Op::Phi, 0);
    let more = id_of(debugger.machine(), Op::IAdd, 0);
    let condition = Condition { id: phi, path: vec![], comparison: Comparison::GreaterOrEqual, number: 5.0 };
    debugger.add_breakpoint(Breakpoint { location: Location::Id(more), condition: Some(condition), skip: 0 });
    assert_eq!(debugger.resume(), Stop::Breakpoint(0));
    assert_eq!(debugger.value(0, 7, phi), Some(Value::Int(5)));
    // Lanes 0 to 2 have left the loop with i = 2, 3, 4.
    assert_eq!(debugger.waves()[0].exec, 0b1111_1000);
    assert_eq!(debugger.value(0, 0, phi), Some(Value::Int(2)));
    debugger.remove_breakpoint(0);
    debugger.add_breakpoint(Breakpoint { location: Location::Id(more), condition: None, skip: 2 });
    debugger.seek(0);
    assert_eq!(debugger.resume(), Stop::Breakpoint(1));
    assert_eq!(debugger.value(0, 7, phi), Some(Value::Int(2)), "the third hit");
}

#[test]
fn steps_into_over_and_out_of_calls() {
    let mut debugger = Debugger::new(fresh());
    debugger.set_focus(Some(1));
    let line = |debugger: &Debugger| debugger.waves()[1].line.as_ref().map_or(0, |line| line.line);
    while line(&debugger) != 13 {
        assert_eq!(debugger.step(), Stop::Step);
    }
    let before = debugger.position();
    let mut into = debugger.clone();
    assert_eq!(into.step_line(false), Stop::Step);
    assert_eq!((line(&into), into.waves()[1].calls.len()), (3, 1));
    assert_eq!(into.step_out(), Stop::Step);
    assert_eq!((line(&into), into.waves()[1].calls.len()), (14, 0));
    assert_eq!(debugger.step_over(), Stop::Step);
    assert_eq!(line(&debugger), 14);
    assert_eq!(debugger.step_line(true), Stop::Step);
    assert_eq!(line(&debugger), 15);
    while debugger.position() > before {
        assert_eq!(debugger.step_back(1), Stop::Step);
    }
    assert_eq!(line(&debugger), 13);
}

#[test]
fn shows_waves_at_barriers_and_values_of_variables() {
    let shader = Shader::new(
        16,
        "%x = OpVariable %ptr_Function_uint Function
         %less = OpULessThan %bool %index %u:4
         OpSelectionMerge %merge None
         OpBranchConditional %less %then %merge
         %then = OpLabel
         OpStore %x %index
         OpBranch %merge
         %merge = OpLabel
         barrier
         store %index %u:1",
    );
    let mut debugger = Debugger::new(machine(&shader, 8, 1, 16, &[]));
    debugger.set_focus(Some(1));
    assert_eq!(debugger.step(), Stop::Step);
    let waves = debugger.waves();
    assert_eq!((waves[0].status, waves[1].status), (WaveStatus::AtBarrier, WaveStatus::Running));
    let module = debugger.machine().program().module();
    let variable = module.insts().rev().find(|inst| inst.op() == Some(Op::Variable)).and_then(|inst| inst.result());
    let variable = variable.expect("a variable");
    assert_eq!(debugger.value(0, 3, variable), Some(Value::Int(3)));
    assert_eq!(debugger.value(0, 4, variable), Some(Value::Unwritten));
    assert_eq!(debugger.value(0, 4, Id(9999)), None);
    assert_eq!(debugger.step_back(1), Stop::Step);
    assert_eq!(debugger.back(u64::MAX), Stop::Start);
    assert_eq!(debugger.position(), 0);
}

/// A session on lane 3 of wave 1.
fn session() -> Session {
    Session::new(fresh(), Chosen { wave: 1, lane: 3 })
}

/// Runs commands, and returns what the last one printed.
fn say(session: &mut Session, text: &str) -> Output {
    let commands = parse_all(text).expect("commands");
    let outputs = commands.iter().map(|command| session.run(command).unwrap_or_else(|why| panic!("{why}")));
    outputs.last().expect("a command")
}

#[test]
fn a_session_steps_lines_forwards_and_backwards() {
    let mut session = session();
    let line = |session: &Session| session.state().line.map(|line| line.line);
    say(&mut session, "break 14; continue");
    assert_eq!(line(&session), Some(14));
    let at = session.state();
    assert_eq!((at.wave, at.lane, at.invocation), (1, 3, Some(11)));
    say(&mut session, "delete 1; step");
    assert_eq!(line(&session), Some(15));
    say(&mut session, "back");
    assert_eq!(line(&session), Some(14));
    assert_eq!(session.state(), at);
    assert_eq!(say(&mut session, "continue"), Output::Stopped("end of the run".to_owned()));
    assert_eq!(say(&mut session, "restart"), Output::Stopped("start of the run".to_owned()));
}

#[test]
fn a_session_stops_where_a_watched_value_changes() {
    let mut session = session();
    let y = id_of(session.debugger().machine(), Op::IMul, 0);
    assert_eq!(say(&mut session, &format!("watch %{y}")), Output::Breakpoint { number: 1, at: format!("watch %{y}") });
    // %y is 3 times the iteration: 0, 3, 6 and so on; registers start at 0.
    let changes: Vec<Output> = (0..2).map(|_| say(&mut session, "continue")).collect();
    let stopped = |from, to| Output::Stopped(format!("watchpoint 1: watch %{y}: {from} to {to}"));
    assert_eq!(changes, [stopped(0, 3), stopped(3, 6)]);
    let value = Output::Value { name: format!("%{y}"), value: "6".to_owned() };
    assert_eq!(say(&mut session, &format!("print %{y}")), value);
    let condition = format!("%{y} >= 15");
    let found = say(&mut session, &format!("delete 1; break {condition}; continue"));
    assert_eq!(found, Output::Stopped(format!("breakpoint 2: {condition}")));
    let Output::Lanes(lanes) = say(&mut session, &format!("lanes %{y}")) else { panic!("values of lanes") };
    assert_eq!(lanes.values[1], vec![Some("15".to_owned()); 8]);
    assert_eq!(lanes.invocations[1][3], Some(11));
}

#[test]
fn a_trace_lists_each_instruction_with_its_exec_mask() {
    let mut session = session();
    let (rows, more) = session.trace(&[], 100_000).expect("a trace");
    assert!(!more);
    // Lanes leave the loop one by one: index + 3 iterations.
    let multiplied: Vec<u32> =
        rows.iter().filter(|row| row.instruction.contains("OpIMul")).map(|row| row.active).collect();
    let group: Vec<u32> =
        (0..18).map(|iteration| (8..16).filter(|index| index + 3 > iteration).count() as u32).collect();
    assert_eq!(multiplied, [group.clone(), group].concat());
    let mut session = self::session();
    assert_eq!(session.trace(&[], 5).map(|(rows, more)| (rows.len(), more)), Ok((5, true)));
}

#[test]
fn a_session_names_what_it_cannot_do() {
    let mut session = session();
    let mut error = |text: &str| {
        let commands = parse_all(text).expect("commands");
        session.run(&commands[0]).expect_err(text).to_string()
    };
    assert_eq!(error("break 99"), "`99`: no instruction is there");
    assert_eq!(error("break %100000"), "`%100000`: no instruction is there");
    assert_eq!(error("delete 7"), "no breakpoint 7");
    assert!(error("print nobody").starts_with("no variable `nobody` here"));
}

#[test]
fn memory_is_printed_and_watched() {
    let mut session = Session::new(fresh(), Chosen { wave: 0, lane: 3 });
    let run = |session: &mut Session, text: &str| {
        let command = parse_all(text).expect("a command").remove(0);
        session.run(&command).unwrap_or_else(|why| panic!("{text}: {why}"))
    };
    let shared = session.memory().into_iter().find(|variable| variable.value.contains("unwritten"));
    let shared = shared.expect("workgroup memory is not written at first").name;
    assert_eq!(
        run(&mut session, &format!("print {shared}[5]")),
        Output::Value { name: format!("{shared}[5]"), value: "unwritten".into() }
    );
    run(&mut session, &format!("watch {shared}[5]"));
    let Output::Stopped(why) = run(&mut session, "continue") else { panic!("it stops") };
    assert!(why.ends_with("unwritten to 5"), "{why}");
    run(&mut session, "delete 1");
    run(&mut session, "continue");
    // Element i is i: every invocation writes its own index.
    for at in [0, 7, 15] {
        assert_eq!(
            run(&mut session, &format!("print {shared}[{at}]")),
            Output::Value { name: format!("{shared}[{at}]"), value: at.to_string() }
        );
    }
    let Output::Value { value: beyond, .. } = run(&mut session, &format!("print {shared}[99999]")) else {
        panic!("a value")
    };
    assert!(beyond.starts_with("no value"), "{beyond}");
    // A condition on memory, at an instruction that every lane runs.
    run(&mut session, "restart");
    run(&mut session, &format!("break {shared}[2] == 2"));
    let Output::Stopped(why) = run(&mut session, "continue") else { panic!("it stops") };
    assert!(why.starts_with("breakpoint"), "{why}");
}

#[test]
fn the_same_program_is_at_the_same_point() {
    let chosen = Chosen { wave: 1, lane: 2 };
    let (mut one, mut other) = (Session::new(fresh(), chosen), Session::new(fresh(), chosen));
    for command in
        parse_all("stepi; stepi 9; next; stepi 7; reverse-stepi 3; break %1 if %1 == 77; step; finish").expect("all")
    {
        // A breakpoint at an id that is not there is refused: it changes nothing.
        let _ = one.run(&command);
        let here = one.state();
        let beside = one.beside(&mut other);
        assert_eq!(one.state(), here, "it stays where it is");
        assert!(matches!(beside.point, BesidePoint::Same | BesidePoint::End), "{beside:?}");
        assert!(beside.variables.iter().all(|row| row.value == row.other && !row.differs), "{beside:?}");
        assert_eq!(other.state().waves[1], here.waves[1]);
    }
}

#[test]
fn a_program_with_another_constant_differs_from_there_on() {
    let mut changed = shader();
    changed.body = changed
        .body
        .replace("%tripled = OpFunctionCall %uint %triple %i", "%tripled = OpFunctionCall %uint %triple %index");
    let chosen = Chosen { wave: 0, lane: 3 };
    let mut one = Session::new(fresh(), chosen);
    let mut other = Session::new(machine(&changed, 8, 2, 32, &[]), chosen);
    let all = parse_all("break test.comp:13; continue; continue; delete 1; continue").expect("commands");
    let mut found = Vec::new();
    for command in &all {
        one.run(command).expect("it runs");
        let beside = one.beside(&mut other);
        assert!(beside.point != BesidePoint::Nowhere, "{beside:?}");
        found.push(beside.variables.iter().filter(|row| row.differs).map(|row| row.name.clone()).collect::<Vec<_>>());
    }
    assert!(found[1].is_empty(), "before the first call: {found:?}");
    assert!(!found[4].is_empty(), "what the run wrote: {found:?}");
}

/// Workgroups that write what others read.
fn across_workgroups() -> Shader {
    Shader::new(
        8,
        "store %global %global
         %far = OpIAdd %uint %global %u:8
         %at = OpUMod %uint %far %u:32
         %p = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 %at
         %seen = OpLoad %uint %p
         %to = OpIAdd %uint %global %u:32
         store %to %seen",
    )
}

#[test]
fn other_workgroups_run_before_and_after_the_one_that_is_stepped() {
    let shader = across_workgroups();
    let whole = crate::harness::run(&shader, 8, 4, 64, &[]);
    assert!(!whole.machine.events().is_empty(), "it races");
    for group in 0..4 {
        let mut focused = machine(&shader, 8, 4, 64, &[]);
        assert_eq!(focused.focus_on(group, 1_000_000, || false), Ok(()));
        assert_eq!(focused.group(), [group as u32, 0, 0]);
        let others = focused.others().expect("other workgroups");
        assert_eq!((others.before, others.after), (group, 3 - group));
        let mut session = Session::new(focused, Chosen { wave: 0, lane: 2 });
        let at_start = session.state();
        assert_eq!(at_start.step, 0);
        say(&mut session, "stepi 5; continue");
        let at_end = session.state();
        let ran = session.debugger().machine();
        assert!(ran.is_finished() && ran.group() == [group as u32, 0, 0]);
        assert_eq!(ran.contents(0, 0, 0), whole.machine.contents(0, 0, 0));
        assert_eq!((ran.events(), ran.steps()), (whole.machine.events(), whole.machine.steps()));
        // Back over the end, and to the start.
        say(&mut session, "reverse-stepi; continue");
        assert_eq!(session.state(), at_end);
        say(&mut session, "restart");
        assert_eq!(session.state(), at_start);
    }
    let mut beyond = machine(&shader, 8, 4, 64, &[]);
    assert_eq!(beyond.focus_on(4, 1_000_000, || false), Err(NotReached::NoSuchGroup));
    let mut long = machine(&shader, 8, 20_000, 64, &[]);
    assert_eq!(long.clone().focus_on(19_999, 10_000, || false), Err(NotReached::TooMuch));
    assert_eq!(long.clone().focus_on(19_999, u64::MAX, || true), Err(NotReached::Interrupted));
    assert_eq!(long.focus_on(10, 10_000, || true), Ok(()), "it ends before the first look");
}

/// Where the workgroups after it have too much to run, the one that is stepped is still the one that is shown.
#[test]
fn the_stepped_workgroup_is_shown_after_an_end_that_came_early() {
    let shader = Shader::new(8, "%far = OpIMul %uint %group %u:100\nstore %global %far");
    let mut whole = machine(&shader, 8, 200, 8 * 200, &[]);
    assert_eq!(whole.focus_on(3, 1_000_000, || false), Ok(()));
    let mut cut = machine(&shader, 8, 20_000, 8 * 200, &[]);
    assert_eq!(cut.focus_on(3, 1_000, || false), Ok(()));
    // It is not the limit of steps that ends it.
    let mut session = Session::new(cut.clone(), Chosen { wave: 0, lane: 0 });
    let text = "end of the workgroup; the workgroups after it do not end within 1000 instructions";
    assert_eq!(say(&mut session, "continue"), Output::Stopped(text.to_owned()));
    let far = id_of(&whole, Op::IMul, 0);
    let [mut whole, mut cut] = [whole, cut].map(Debugger::new);
    assert_eq!(whole.resume(), Stop::End);
    assert_eq!((cut.resume(), cut.resume()), (Stop::End, Stop::End));
    assert!(!cut.machine().is_finished() && cut.machine().is_past_focus());
    assert_eq!(cut.machine().group(), [3, 0, 0]);
    assert_eq!((cut.waves(), cut.current_wave()), (whole.waves(), whole.current_wave()));
    assert!(cut.waves().iter().all(|wave| wave.status == WaveStatus::Done));
    assert_eq!(
        cut.value(0, 5, far).map(|value| value.to_string()),
        whole.value(0, 5, far).map(|value| value.to_string())
    );
    // Interrupted, they go on where they were.
    let mut waits = machine(&shader, 8, 20_000, 8 * 200, &[]);
    assert_eq!(waits.focus_on(3, 100_000_000, || false), Ok(()));
    let mut waits = Debugger::with_snapshots(waits, 1, 1 << 30);
    let interrupt = Arc::new(AtomicBool::new(false));
    waits.set_interrupt(Some(interrupt.clone()));
    while waits.step() == Stop::Step && waits.position() < whole.position() - 1 {}
    interrupt.store(true, Ordering::Relaxed);
    waits.seek(whole.position());
    assert!(waits.machine().is_past_focus() && !waits.machine().is_finished());
    assert_eq!((waits.waves(), waits.machine().group()), (whole.waves(), [3, 0, 0]));
    interrupt.store(false, Ordering::Relaxed);
    assert_eq!(waits.resume(), Stop::End);
    assert!(waits.machine().is_finished());
    assert_eq!(waits.waves(), whole.waves());
    waits.seek(0);
    waits.seek(whole.position());
    assert!(waits.machine().is_finished(), "no snapshot of workgroups that were in the midst of running");
}

#[test]
fn each_instruction_is_one_step_and_one_row() {
    let shader = Shader::new(
        4,
        "%local = OpVariable %ptr_Function_uint Function
         OpStore %local %index
         %result = OpFunctionCall %uint %twice %local %local
         %as_int = OpBitcast %int %result
         %copy = OpCopyObject %int %as_int
         %back = OpBitcast %uint %copy
         store %index %back",
    )
    .declare("%fn_twice = OpTypeFunction %uint %ptr_Function_uint %ptr_Function_uint")
    .function(
        "%twice = OpFunction %uint None %fn_twice
         %a = OpFunctionParameter %ptr_Function_uint
         %b = OpFunctionParameter %ptr_Function_uint
         %twice_entry = OpLabel
         %x = OpLoad %uint %a
         %y = OpLoad %uint %b
         %sum = OpIAdd %uint %x %y
         OpReturnValue %sum
         OpFunctionEnd",
    );
    let chosen = Chosen { wave: 0, lane: 0 };
    let mut session = Session::new(machine(&shader, 4, 1, 4, &[]), chosen);
    let (rows, _) = session.trace(&[], 1000).expect("a trace");
    let count = |name: &str| rows.iter().filter(|row| row.instruction.contains(name)).count();
    assert_eq!((count("OpFunctionCall"), count("OpBitcast"), count("OpCopyObject")), (1, 2, 1), "{rows:#?}");
    // A step leaves each instruction, forwards and backwards.
    let mut session = Session::new(machine(&shader, 4, 1, 4, &[]), chosen);
    let mut places = vec![session.place()];
    while !session.debugger().machine().is_finished() {
        say(&mut session, "stepi");
        places.push(session.place());
    }
    places.pop();
    assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "{places:?}");
    for place in places.iter().rev() {
        say(&mut session, "reverse-stepi");
        assert_eq!(session.place(), *place);
    }
}
