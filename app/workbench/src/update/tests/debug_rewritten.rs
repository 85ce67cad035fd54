//! The original and the rewritten program in the debugger.

use lanescope_core::interpreter::debugger::session::{Beside, BesidePoint, Chosen};
use lanescope_inspector::debugging::{DebugStop, DrawTarget, variable_name, variable_table};

use super::*;

fn debug(bench: &mut Bench, command: DebugCommand) -> std::sync::Arc<DebugStop> {
    bench.run(Command::Debug(command));
    bench.settle();
    let debugging = &bench.program().debugging;
    debugging.stop.clone().unwrap_or_else(|| panic!("no session: {:?}", debugging.refused))
}

fn differing(beside: &Beside) -> Vec<&str> {
    beside.variables.iter().filter(|row| row.differs).map(|row| row.name.as_str()).collect()
}

#[test]
pub fn compares_both_programs() {
    let mut bench = Bench::new();
    bench.open(&[&sample("lit_surface.vert"), &sample("lit_surface.frag")]);
    debug(&mut bench, DebugCommand::Target(DrawTarget::Pixel(Some([30, 20]))));
    let start = debug(&mut bench, DebugCommand::ToggleBeside);
    assert_eq!(start.beside.as_ref().map(|beside| beside.point), Some(BesidePoint::Start));
    let mut stops = 0;
    let mut points = Vec::new();
    loop {
        let stop = debug(&mut bench, DebugCommand::StepInto);
        let beside = stop.beside.clone().expect("compared");
        // Packing moves inputs, and leaves out the component that is never read.
        let found = differing(&beside);
        assert!(found.iter().all(|name| *name == "vertex_color"), "{found:?} at {}", stop.state.instruction);
        points.push(beside.point);
        stops += 1;
        if stop.state.finished {
            break;
        }
        assert!(stops < 300, "it ends");
    }
    assert!(points.contains(&BesidePoint::Same) && points.last() == Some(&BesidePoint::End), "{points:?}");
    assert!(!points.contains(&BesidePoint::Nowhere), "{points:?}");
    // The other program at the same point, and back.
    let here = debug(&mut bench, DebugCommand::StepBack);
    let there = debug(&mut bench, DebugCommand::SwitchProgram);
    assert!(there.is_rewritten && !here.is_rewritten && !there.texts.is_empty() && here.texts.is_empty());
    assert_eq!(there.state.fragment, here.state.fragment);
    let beside = there.beside.as_ref().expect("compared");
    assert_eq!(differing(beside), ["vertex_color"]);
    let table = variable_table(&there);
    assert_eq!((table.columns.len(), table.rows.len()), (5, beside.variables.len()));
    assert_eq!(variable_name(&there, 0), Some(beside.variables[0].name.as_str()));
    debug(&mut bench, DebugCommand::StepBack);
    let again = debug(&mut bench, DebugCommand::SwitchProgram);
    assert!(!again.is_rewritten && again.state.step < here.state.step);
    let off = debug(&mut bench, DebugCommand::ToggleBeside);
    assert!(off.beside.is_none() && variable_table(&off).columns.len() == 3);
}

#[test]
fn a_swizzled_shader_is_at_the_same_invocation() {
    const SHADER: &str = "#version 450
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) buffer Out { uint at[]; };
void main() {
    uvec3 id = gl_LocalInvocationID;
    uint index = id.y * 16 + id.x;
    uint lane = gl_SubgroupInvocationID;
    for (uint i = 0; i < id.x; i++) { index += i; }
    at[gl_LocalInvocationIndex] = index + lane;
}
";
    let mut bench = Bench::opened("tile.comp", SHADER);
    let options =
        lanescope_core::options::Options { force_swizzle: true, interleave: [3, 3], ..bench.program().options.clone() };
    bench.run(Command::SetOptions(Box::new(options)));
    bench.settle();
    debug(&mut bench, DebugCommand::Restart);
    debug(&mut bench, DebugCommand::Choose(Chosen { wave: 1, lane: 37 }));
    debug(&mut bench, DebugCommand::AddBreakpoint("tile.comp:10".to_owned()));
    debug(&mut bench, DebugCommand::Continue);
    let stop = debug(&mut bench, DebugCommand::ToggleBeside);
    let beside = stop.beside.as_ref().unwrap_or_else(|| panic!("{:?}", bench.program().debugging.refused));
    assert_eq!(beside.point, BesidePoint::Same);
    let row = |name: &str| beside.variables.iter().find(|row| row.name == name).expect("a variable").clone();
    assert!(row("index").value.is_some() && !row("index").differs && !row("lane").differs, "{beside:?}");
    // The hardware's id is another one: the module computes the id of the layout from it.
    let there = debug(&mut bench, DebugCommand::SwitchProgram);
    assert!(there.is_rewritten && there.state.lane == 37);
    assert_ne!(there.state.invocation, stop.state.invocation);
    debug(&mut bench, DebugCommand::Restart);
    let end = debug(&mut bench, DebugCommand::Continue);
    assert!(end.why.starts_with("breakpoint 1"), "it has the breakpoint: {}", end.why);
}

#[test]
fn a_program_that_stays_is_refused() {
    let mut bench = Bench::opened("plain.comp", "#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}\n");
    let stop = debug(&mut bench, DebugCommand::ToggleBeside);
    assert!(stop.beside.is_none() && !bench.program().debugging.beside);
    let refused = bench.program().debugging.refused.clone().unwrap_or_default();
    assert!(refused.starts_with("the rewritten program is the original: "), "{refused}");
}
