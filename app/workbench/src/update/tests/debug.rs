//! The debugger, in the job threads of the services.

use lanescope_core::interpreter::debugger::session::Chosen;
use lanescope_core::program::StageKind;
use lanescope_inspector::debugging::{DebugStop, DrawTarget, LaneGrid};
use lanescope_inspector::selection::Code;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::source::TextRole;
use lanescope_inspector::tasks::Work;
use lanescope_inspector::view::ViewId;

use super::*;

const LOOP: &str = "#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) buffer Out { uint at[]; };
void main() {
    uint sum = 0;
    for (uint i = 0; i < gl_LocalInvocationID.x; i++) {
        sum += i * 3;
    }
    at[gl_LocalInvocationIndex] = sum;
}
";

fn debug(bench: &mut Bench, command: DebugCommand) -> std::sync::Arc<DebugStop> {
    bench.run(Command::Debug(command));
    bench.settle();
    bench.program().debugging.stop.clone().expect("a session")
}

#[test]
pub fn steps_forwards_and_backwards() {
    let mut bench = Bench::opened("loop.comp", LOOP);
    let start = debug(&mut bench, DebugCommand::StepInto);
    assert_eq!(start.state.step, 0, "a new session is at its start");
    assert!(bench.state.tabs.shows(ViewId::Debug));
    assert_eq!((start.size, start.groups), ([8, 8, 1], [1, 1, 1]));
    let mut places = vec![start.instruction];
    for _ in 0..12 {
        places.push(debug(&mut bench, DebugCommand::StepOver).instruction);
    }
    assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "{places:?}");
    for expected in places.iter().rev().skip(1) {
        assert_eq!(debug(&mut bench, DebugCommand::StepBack).instruction, *expected);
    }
    let end = debug(&mut bench, DebugCommand::StepOut);
    assert!(end.state.finished, "main is the only function");
    let seek = end.strip.rows[end.strip.rows.len() / 2].first;
    assert_eq!(debug(&mut bench, DebugCommand::Seek(seek)).state.step, seek);
    assert_eq!(debug(&mut bench, DebugCommand::Restart).state.step, 0);
    // Lanes with another x leave the loop earlier: the strip shows it.
    let (least, most) = (end.strip.rows.iter().map(|row| row.least).min(), end.strip.rows.iter().map(|r| r.most).max());
    assert!(least < most && most == Some(end.strip.lanes), "{:?}", end.strip);
}

#[test]
pub fn stops_at_breakpoints() {
    let mut bench = Bench::opened("loop.comp", LOOP);
    let stop = debug(&mut bench, DebugCommand::AddBreakpoint("sum >= 9".to_owned()));
    assert_eq!(stop.breakpoints.len(), 1);
    let stop = debug(&mut bench, DebugCommand::Choose(Chosen { wave: 0, lane: 63 }));
    assert_eq!(stop.state.lane, 63);
    let stop = debug(&mut bench, DebugCommand::Continue);
    assert!(stop.why.starts_with("breakpoint 1"), "{}", stop.why);
    let value = stop.variables.iter().find(|variable| variable.name == "sum").map(|sum| sum.value.clone());
    assert_eq!(value.as_deref(), Some("9"), "0 + 3 + 6");
    debug(&mut bench, DebugCommand::RemoveBreakpoint(1));
    debug(&mut bench, DebugCommand::Watch("sum".to_owned()));
    let stop = debug(&mut bench, DebugCommand::Continue);
    assert!(stop.why.contains("9 to 18"), "{}", stop.why);
    let code = Code { module: stop.module, instructions: vec![stop.instruction] };
    let set = debug(&mut bench, DebugCommand::ToggleBreakpoint(code.clone(), TextRole::Source));
    assert_eq!(set.breakpoints.last().and_then(|row| row.instruction), Some(stop.instruction));
    let line = stop.state.line.as_ref().map_or(0, |line| line.line);
    let named = |stop: &DebugStop| stop.breakpoints.last().map(|row| row.text.clone()).unwrap_or_default();
    assert!(named(&set).ends_with(&format!(".comp:{line}")), "of one instruction too: {}", named(&set));
    // Backwards it stops before the change, then at the breakpoint.
    let change = debug(&mut bench, DebugCommand::ContinueBack);
    assert!(change.why.starts_with("watchpoint 2") && change.state.step < stop.state.step, "{}", change.why);
    let back = debug(&mut bench, DebugCommand::ContinueBack);
    assert!(back.state.step < change.state.step && back.instruction == stop.instruction, "{}", back.why);
    let unset = debug(&mut bench, DebugCommand::ToggleBreakpoint(code.clone(), TextRole::Source));
    assert_eq!(unset.breakpoints.len(), 1, "the watchpoint");
    debug(&mut bench, DebugCommand::RemoveBreakpoint(2));
    debug(&mut bench, DebugCommand::Restart);
    let there = debug(&mut bench, DebugCommand::RunTo(code));
    assert_eq!((there.instruction, there.why.as_str()), (stop.instruction, "run to the caret"));
    assert!(there.breakpoints.is_empty());
    debug(&mut bench, DebugCommand::AddBreakpoint("nowhere:999".to_owned()));
    assert!(bench.program().debugging.refused.as_ref().is_some_and(|why| why.contains("nowhere:999")));
}

#[test]
pub fn counts_hits_and_passes_over_them() {
    let mut bench = Bench::opened("loop.comp", LOOP);
    debug(&mut bench, DebugCommand::AddBreakpoint("loop.comp:7".to_owned()));
    let first = debug(&mut bench, DebugCommand::Continue);
    assert_eq!((first.breakpoints[0].hits, first.breakpoints[0].ignored), (1, 0));
    let set = debug(&mut bench, DebugCommand::Ignore(1, 2));
    assert_eq!((set.breakpoints[0].hits, set.breakpoints[0].ignored), (1, 3));
    let fourth = debug(&mut bench, DebugCommand::Continue);
    assert_eq!(fourth.breakpoints[0].hits, 4);
    assert!(fourth.why.starts_with("breakpoint 1"), "{}", fourth.why);
    let table = lanescope_inspector::debugging::breakpoint_table(&fourth);
    let cells: Vec<String> = (0..4).filter_map(|at| Some(table.rows[0].cell(at)?.text().into_owned())).collect();
    assert_eq!(cells, ["1", "loop.comp:7", "4", "-"]);
    // From the start again the same hit stops.
    assert_eq!(debug(&mut bench, DebugCommand::Restart).breakpoints[0].hits, 0);
    let again = debug(&mut bench, DebugCommand::Continue);
    assert_eq!((again.state.step, again.breakpoints[0].hits), (fourth.state.step, 4));
    // Another session keeps it.
    bench.run(Command::Debug(DebugCommand::Group([0, 0, 0])));
    bench.settle();
    let kept = debug(&mut bench, DebugCommand::Continue);
    assert_eq!((kept.state.step, kept.breakpoints[0].ignored), (fourth.state.step, 3));
    debug(&mut bench, DebugCommand::Ignore(7, 1));
    assert_eq!(bench.program().debugging.refused.as_deref(), Some("no breakpoint 7"));
}

#[test]
fn another_session_keeps_the_condition_of_a_line() {
    let stop_of = |text: &str| {
        let mut bench = Bench::opened("loop.comp", LOOP);
        debug(&mut bench, DebugCommand::AddBreakpoint(text.to_owned()));
        let first = debug(&mut bench, DebugCommand::Continue).state.step;
        bench.run(Command::Debug(DebugCommand::Group([0, 0, 0])));
        bench.settle();
        let again = debug(&mut bench, DebugCommand::Continue);
        assert_eq!((again.state.step, again.breakpoints[0].text.as_str()), (first, text));
        first
    };
    assert!(stop_of("loop.comp:7") < stop_of("loop.comp:7 if sum >= 9"));
}

#[test]
pub fn shows_a_value_in_all_lanes() {
    let mut bench = Bench::opened("loop.comp", LOOP);
    debug(&mut bench, DebugCommand::Restart);
    debug(&mut bench, DebugCommand::Map("sum".to_owned()));
    let end = debug(&mut bench, DebugCommand::Continue);
    assert!(end.state.finished);
    let grid = LaneGrid::of(&end);
    assert_eq!((grid.rows.len(), grid.by_wave, grid.range), (8, false, Some([0.0, 63.0])));
    for row in &grid.rows {
        let values: Vec<_> = row.iter().flatten().map(|cell| cell.value.clone().unwrap_or_default()).collect();
        assert_eq!(values, ["0", "0", "3", "9", "18", "30", "45", "63"]);
    }
    bench.run(Command::Debug(DebugCommand::Group([5, 0, 0])));
    bench.settle();
    let refused = bench.program().debugging.refused.clone().unwrap_or_default();
    assert!(refused.contains("workgroup 5,0,0"), "{refused}");
    let stop = debug(&mut bench, DebugCommand::Group([0, 0, 0]));
    assert_eq!(stop.state.group, [0, 0, 0]);
}

#[test]
pub fn ends_and_interrupts_sessions() {
    let endless = LOOP.replace("i < gl_LocalInvocationID.x", "i < 0xffffffff");
    let mut bench = Bench::opened("endless.comp", &endless);
    debug(&mut bench, DebugCommand::Restart);
    bench.run(Command::Debug(DebugCommand::Continue));
    assert!(bench.program().debugging.underway);
    std::thread::sleep(Duration::from_millis(50));
    bench.run(Command::Stop(Work::Debug));
    bench.settle();
    let debugging = &bench.program().debugging;
    let stop = debugging.stop.clone().expect("the session is kept");
    assert!(!debugging.underway && !stop.state.finished && stop.state.step > 0, "{}", stop.state.step);
    assert!(debug(&mut bench, DebugCommand::StepBack).state.step < stop.state.step);
    bench.run(Command::Debug(DebugCommand::Stop));
    bench.settle();
    assert!(bench.program().debugging.stop.is_none() && bench.program().debugger.is_none());
    // Other programs are refused before they run.
    for (name, text) in [("lone.geom", GEOMETRY), ("lit.frag", FRAGMENT)] {
        let mut bench = Bench::opened(name, text);
        bench.run(Command::Debug(DebugCommand::Restart));
        let expected = "Unavailable: the debugger runs a compute shader, or a graphics pipeline.";
        assert_eq!(bench.message(), expected);
        assert!(!bench.program().debugging.underway);
    }
}

#[test]
fn sessions_have_limits_of_memory_and_steps() {
    let array = "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer Out { uint at[]; };\nvoid main() { \
                 uint a[200000]; for (uint i = 0u; i < 100u; ++i) a[i] = i; at[gl_LocalInvocationIndex] = a[at[0] & 63u]; }\n";
    let mut bench = Bench::opened("array.comp", array);
    let refused = |bench: &mut Bench| {
        bench.run(Command::Debug(DebugCommand::Restart));
        bench.settle();
        bench.program().debugging.refused.clone()
    };
    bench.run(Command::SetRunSettings(RunSettings { memory: 64, ..RunSettings::DEFAULT }));
    let why = refused(&mut bench).expect("100 MB of registers are more than 32 MiB");
    assert!(why.contains("the limit is 33554432") && why.contains("Memory limit"), "{why}");
    bench.run(Command::SetRunSettings(RunSettings { steps: 1_000, ..RunSettings::DEFAULT }));
    assert_eq!(refused(&mut bench), None);
    let end = debug(&mut bench, DebugCommand::Continue);
    assert!(end.why.contains("limit of steps: 1000") && end.why.contains("Step limit"), "{}", end.why);
    assert!(debug(&mut bench, DebugCommand::StepBack).state.step < end.state.step, "the session goes on");
    // What a session file holds is not trusted.
    let odd = RunSettings { memory: 0, steps: u64::MAX, ..RunSettings::DEFAULT };
    assert_eq!((odd.memory_bytes(), odd.most_steps()), (64 << 20, 1_000_000_000_000));
}

const GEOMETRY: &str = "#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }
";

#[test]
pub fn steps_a_fragment_and_a_vertex_of_the_scene() {
    let mut bench = Bench::new();
    bench.open(&[&sample("flat_and_smooth.vert"), &sample("flat_and_smooth.frag")]);
    let start = debug(&mut bench, DebugCommand::Restart);
    let fragment = start.state.fragment.expect("a fragment");
    assert_eq!((start.stage, fragment.pixel), (StageKind::Fragment, [32, 32]));
    let stop = debug(&mut bench, DebugCommand::Target(DrawTarget::Pixel(Some([20, 40]))));
    let fragment = stop.state.fragment.expect("a fragment");
    assert_eq!((fragment.pixel, fragment.helper, stop.state.step), ([20, 40], false, 0));
    assert_eq!(stop.fragments.get(stop.state.lane as usize), Some(&fragment));
    // Quads lie beside each other.
    let grid = LaneGrid::of(&stop);
    assert_eq!((grid.rows.len(), grid.rows[0].len(), grid.by_wave), (4, 16, false));
    let pixel = |x: usize, y: usize| {
        let cell = grid.rows[y][x].as_ref().expect("a lane");
        stop.fragments[cell.lane.lane as usize].pixel
    };
    let [x, y] = pixel(0, 0);
    assert_eq!((pixel(1, 0), pixel(0, 1), pixel(1, 1)), ([x + 1, y], [x, y + 1], [x + 1, y + 1]));
    debug(&mut bench, DebugCommand::StepOver);
    debug(&mut bench, DebugCommand::Map("uv[0]".to_owned()));
    let shown = debug(&mut bench, DebugCommand::StepBack);
    assert!(shown.lanes.numbers[0].iter().all(Option::is_some));
    let vertex = debug(&mut bench, DebugCommand::Target(DrawTarget::Stage(StageKind::Vertex, [4, 0, 0])));
    assert_eq!((vertex.stage, vertex.state.vertex, vertex.state.lane), (StageKind::Vertex, Some(4), 4));
    bench.run(Command::Debug(DebugCommand::Target(DrawTarget::Pixel(Some([0, 0])))));
    bench.settle();
    let refused = bench.program().debugging.refused.clone().unwrap_or_default();
    assert!(refused.contains("pixel 0,0: no fragment covers it"), "{refused}");
}

#[test]
pub fn steps_the_stages_between_vertices_and_fragments() {
    let mut bench = Bench::new();
    let [a, b, c, d] = ["vert", "tesc", "tese", "frag"].map(|stage| sample(&format!("bent_patch.{stage}")));
    bench.open(&[&a, &b, &c, &d]);
    let targets = DrawTarget::of(&bench.program().analysis.report);
    let of = |stage, numbers| DrawTarget::Stage(stage, numbers);
    use StageKind::{TessControl, TessEval, Vertex};
    let first = [of(Vertex, [0; 3]), of(TessControl, [0; 3]), of(TessEval, [0; 3])];
    assert_eq!(targets, [&[DrawTarget::Pixel(None)], &first[..]].concat());
    for (stage, numbers, lane) in [(TessControl, [1, 2, 0], 2), (TessEval, [5, 0, 0], 5)] {
        let stop = debug(&mut bench, DebugCommand::Target(of(stage, numbers)));
        assert_eq!((stop.stage, stop.state.lane, stop.state.step), (stage, lane, 0));
        assert!(!debug(&mut bench, DebugCommand::StepInto).state.finished);
    }
    bench.run(Command::Debug(DebugCommand::Target(of(TessControl, [99, 0, 0]))));
    bench.settle();
    let refused = bench.program().debugging.refused.clone().unwrap_or_default();
    assert!(refused.contains("patch 99"), "{refused}");
}
