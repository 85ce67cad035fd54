//! What the interpreter found, as findings with codes.

use lanescope_interpreter::debugger::describe;
use lanescope_interpreter::{Address, Event, EventKind, Machine, Place, Program};
use lanescope_model::findings::{self, Finding, Rule};
use lanescope_model::program::StageKind;
use lanescope_passes::run::ResourceNames;

/// What a machine has found so far, in the order in which it was found.
pub fn findings(machine: &Machine, names: &ResourceNames) -> Vec<Finding> {
    let mut out: Vec<Finding> = machine.events().iter().map(|event| finding(machine, event, names)).collect();
    if machine.events_truncated() {
        let message = "there were more findings than are kept, or more memory than is watched for data races";
        out.push(findings::EVENTS_TRUNCATED.at(Some(StageKind::Compute), None, message));
    }
    out
}

/// The code of a kind of event.
fn rule(kind: EventKind) -> &'static Rule {
    match kind {
        EventKind::DataRace => findings::DATA_RACE,
        EventKind::BarrierNotReached => findings::BARRIER_NOT_REACHED,
        EventKind::Uninitialized => findings::UNINITIALIZED_READ,
        EventKind::DivergentDerivative => findings::DIVERGENT_DERIVATIVE,
        EventKind::OutOfBounds => findings::OUT_OF_BOUNDS,
        EventKind::NullPointer => findings::NULL_POINTER,
        EventKind::Misaligned => findings::MISALIGNED,
        EventKind::DivisionByZero => findings::DIVISION_BY_ZERO,
        EventKind::Nan => findings::NAN_APPEARS,
        EventKind::WaveSizeDependence => findings::WAVE_SIZE_DEPENDENCE,
        EventKind::InactiveLane => findings::INACTIVE_LANE,
        EventKind::Unreachable => findings::UNREACHABLE_REACHED,
    }
}

fn finding(machine: &Machine, event: &Event, names: &ResourceNames) -> Finding {
    let program = machine.program();
    let rule = rule(event.kind);
    let mut message = rule.about.to_owned();
    if let Some(address) = event.address.and_then(|address| place_in_memory(program, address, names)) {
        message.push_str(&format!(": {address}"));
    }
    let lanes = event.lanes.count_ones();
    let plural = if lanes == 1 { "" } else { "s" };
    let first = event.lanes.trailing_zeros();
    message.push_str(&format!("; workgroup {}, wave {}, {lanes} lane{plural} from {first}", event.group, event.wave));
    if let Some(other) = &event.other {
        let what = if other.wrote { "written" } else { "read" };
        let at = at(program, other.place);
        message.push_str(&format!("; {what} by invocation {} of workgroup {} at {at}", other.invocation, other.group));
    }
    if event.count > 1 {
        message.push_str(&format!("; {} times", event.count));
    }
    rule.at(Some(StageKind::Compute), Some(at(program, event.place)), message)
}

/// An instruction and its source line: `%12 OpLoad, tile.comp:20`.
fn at(program: &Program, place: Place) -> String {
    let text = describe::instruction_name(program, place);
    match program.line(place.inst) {
        Some(line) => format!("{text}, {}:{}", line.file, line.line),
        None => text,
    }
}

fn place_in_memory(program: &Program, address: Address, names: &ResourceNames) -> Option<String> {
    Some(match address {
        Address::Descriptor { set, binding, element, offset } => {
            format!("{}, byte {offset}", names.name(set, binding, element, element > 0))
        }
        Address::Workgroup { variable, offset } => {
            format!("{}, byte {offset}", describe::name(program.module(), variable))
        }
        Address::PushConstants { offset } => format!("push constants, byte {offset}"),
        Address::Physical(address) => format!("address {address:#x}"),
        Address::Variable { .. } | Address::Null => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_code() {
        let all = [
            (EventKind::NullPointer, "E006"),
            (EventKind::Misaligned, "E007"),
            (EventKind::Unreachable, "E012"),
            (EventKind::DataRace, "E001"),
        ];
        for (kind, code) in all {
            assert_eq!(rule(kind).code, code);
        }
    }

    #[test]
    fn more_findings_than_are_kept_are_noted() {
        use crate::gpu::interpret::{Waves, run};
        // 1,100 places that divide by 0.
        let body: String = (1..1100).map(|at| format!("w[{at}] = {at}u / w[0];")).collect();
        let text = format!(
            "layout(local_size_x = 1) in;
layout(binding = 0) buffer B {{ uint w[1100]; }};
void main() {{ {body} }}"
        );
        let program = lanescope_testing::program(&[("comp", &text)]);
        let inputs = crate::gpu::Inputs { zeros: true, ..Default::default() };
        let time = std::time::Duration::from_secs(60);
        let ran = run(&program, &Waves::row_major(32, [1, 1, 1]), None, &inputs, time).expect("it runs");
        assert!(ran.run.findings.iter().any(|found| found.code == "E008"));
        assert_eq!(ran.run.findings.last().map(|found| found.code.as_str()), Some("E013"));
    }
}
