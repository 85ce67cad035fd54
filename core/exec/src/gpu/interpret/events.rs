//! What the interpreter found, as findings with codes.

use lanescope_interpreter::debugger::describe;
use lanescope_interpreter::{Address, Event, EventKind, Machine, Place, Program};
use lanescope_model::findings::{self, Finding, Rule};
use lanescope_model::program::StageKind;
use lanescope_run::ResourceNames;
use lanescope_spirv::enums::Op;

/// What a machine has found so far, in the order in which it was found.
pub fn findings(machine: &Machine, names: &ResourceNames) -> Vec<Finding> {
    let mut out: Vec<Finding> = machine.events().iter().map(|event| finding(machine, event, names)).collect();
    if machine.events_truncated() {
        let message = "there were more findings than are kept, or more memory than is watched for data races";
        out.push(findings::EVENTS_TRUNCATED.at(Some(machine.program().stage()), None, message));
    }
    out
}

/// The rule that a kind of event violates.
pub fn rule_of(kind: EventKind) -> &'static Rule {
    match kind {
        EventKind::DataRace => findings::DATA_RACE,
        EventKind::EqualWrites => findings::EQUAL_WRITES,
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
    let rule = rule_of(event.kind);
    let mut message = rule.about.to_owned();
    if let Some(address) = event.address.and_then(|address| place_in_memory(program, address, names)) {
        message.push_str(&format!(": {address}"));
    }
    if event.kind == EventKind::OutOfBounds {
        match program.module().inst(event.place.inst).op() {
            Some(Op::EmitVertex) => message.push_str(": the vertex is beyond max_vertices"),
            Some(Op::SetMeshOutputsEXT) => message.push_str(": the counts are beyond max_vertices or max_primitives"),
            _ => {}
        }
    }
    let lanes = event.lanes.count_ones();
    let plural = if lanes == 1 { "" } else { "s" };
    let first = event.lanes.trailing_zeros();
    let stage = program.stage();
    let place = match stage {
        StageKind::Compute | StageKind::Task | StageKind::Mesh => {
            format!("; workgroup {}, wave {}, {lanes} lane{plural} from {first}", event.group, event.wave)
        }
        StageKind::TessControl => {
            format!("; patch {}, wave {}, {lanes} lane{plural} from {first}", event.group, event.wave)
        }
        _ => format!("; wave {}, {lanes} lane{plural} from {first}{}", event.group, pixel(machine, event.group, first)),
    };
    message.push_str(&place);
    if event.kind == EventKind::DivergentDerivative && stage.has_workgroup() {
        // Quad operations of subgroups are of consecutive lanes, derivatives of the derivative group's.
        let is_operation = program.module().inst(event.place.inst).name().starts_with("OpGroupNonUniform");
        let quad_of = |lane: u32| match is_operation {
            true => (0..4).map(|at| (lane as u8 & !3) + at).collect(),
            false => machine.quad_of(event.group, event.wave, lane),
        };
        message.push_str(&format!("; no helper invocations here: {}", quads(event.lanes, quad_of)));
    }
    if let Some(other) = &event.other {
        let what = if other.wrote { "written" } else { "read" };
        let at = executed(program, other.place);
        let by = match stage {
            StageKind::Compute | StageKind::Task | StageKind::Mesh => {
                format!("invocation {} of workgroup {}", other.invocation, other.group)
            }
            StageKind::TessControl => format!("invocation {} of patch {}", other.invocation, other.group),
            _ => {
                let pixel = pixel(machine, other.group, other.invocation);
                format!("lane {} of wave {}{pixel}", other.invocation, other.group)
            }
        };
        message.push_str(&format!("; {what} by {by} at {at}"));
    }
    if event.count > 1 {
        message.push_str(&format!("; {} times", event.count));
    }
    rule.at(Some(stage), Some(executed(program, event.place)), message)
}

/// Quads that are listed.
const QUADS: usize = 8;

/// The quads of a wave that these lanes belong to: `quads 3, 7` where quads are consecutive lanes, else by their lanes.
fn quads(lanes: u64, quad_of: impl Fn(u32) -> Vec<u8>) -> String {
    let mut all: Vec<Vec<u8>> = (0..u64::BITS).filter(|lane| lanes >> lane & 1 == 1).map(quad_of).collect();
    all.iter_mut().for_each(|quad| quad.sort_unstable());
    all.sort();
    all.dedup();
    let number =
        |quad: &Vec<u8>| quad.first().map(|first| first / 4).filter(|at| quad.iter().all(|one| one / 4 == *at));
    let numbers: Option<Vec<u8>> = all.iter().map(number).collect();
    let names: Vec<String> = match numbers {
        Some(numbers) => numbers.iter().map(ToString::to_string).collect(),
        None => all.iter().map(|quad| quad.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")).collect(),
    };
    let by_lanes = if all.iter().any(|quad| number(quad).is_none()) { " of lanes" } else { "" };
    let more = names.len().saturating_sub(QUADS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let plural = if names.len() == 1 { "" } else { "s" };
    format!("quad{plural}{by_lanes} {}{more}", names.into_iter().take(QUADS).collect::<Vec<_>>().join(", "))
}

/// The pixel of a lane of a wave of fragments.
fn pixel(machine: &Machine, wave: u64, lane: u32) -> String {
    let found = machine.fragment_of(wave, lane);
    found.map_or_else(String::new, |(pixel, triangle)| {
        let [x, y] = pixel;
        format!(" (pixel {x},{y}, triangle {triangle})")
    })
}

/// The set of the descriptors that hold records of a work graph's node: no shader has it.
pub(in crate::gpu) const RECORDS: u32 = u32::MAX;

/// An instruction and its source line: `%12 OpLoad, tile.comp:20`.
fn executed(program: &Program, at: Place) -> findings::Place {
    findings::Place::Operation {
        result: at.result,
        opcode: describe::opcode_name(program, at),
        source: program.line(at.inst),
    }
}

fn place_in_memory(program: &Program, address: Address, names: &ResourceNames) -> Option<String> {
    Some(match address {
        // Records of a work graph.
        Address::Descriptor { set: RECORDS, binding: 0, offset, .. } => format!("input records, byte {offset}"),
        Address::Descriptor { set: RECORDS, binding: 1, offset, .. } => format!("output records, byte {offset}"),
        Address::Descriptor { set: RECORDS, binding, offset, .. } => {
            format!("{}, byte {offset}", names.register(RECORDS, binding).unwrap_or("local root arguments"))
        }
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
            (EventKind::EqualWrites, "E015"),
        ];
        for (kind, code) in all {
            assert_eq!(rule_of(kind).code, code);
        }
    }

    fn codes(text: &str, zeros: bool) -> Vec<String> {
        use crate::gpu::interpret::{Waves, run};
        let program = lanescope_testing::program(&[("comp", text)]);
        let inputs = crate::gpu::Inputs { zeros, ..Default::default() };
        let time = std::time::Duration::from_secs(60);
        let ran = run(&program, &Waves::row_major(32, [8, 1, 1]), None, &inputs, time).expect("it runs");
        ran.run.findings.iter().map(|found| found.code.clone()).collect()
    }

    #[test]
    fn addresses_that_lead_nowhere_and_misaligned_ones_have_codes() {
        let text = "#extension GL_EXT_buffer_reference : require
            #extension GL_EXT_buffer_reference_uvec2 : require
            layout(local_size_x = 8) in;
            layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node { uint value; };
            layout(binding = 0) buffer Out { uint at[8]; };
            void main() {
                uvec2 address = gl_LocalInvocationIndex == 1u ? uvec2(4u, 0u) : uvec2(0u);
                at[gl_LocalInvocationIndex] = Node(address).value;
            }";
        // A run gives no addresses to such a program: the interpreter is used as it is.
        let found = |text: &str| {
            use lanescope_interpreter::{Buffer, Dispatch, Inputs, LaneMap, Options};
            let program = lanescope_testing::program(&[("comp", text)]);
            let module = program.module_of(&program.stages[0]);
            let decoded = Program::decode(module, &module.entry_points()[0]).expect("decodes");
            let buffers = vec![Buffer { bytes: vec![0; 32], ..Buffer::default() }];
            let dispatch = Dispatch { groups: [1; 3], only: None, lanes: LaneMap::linear(8, 8) };
            let inputs = Inputs { buffers, ..Inputs::default() };
            let machine = Machine::new(std::sync::Arc::new(decoded), &inputs, &dispatch, &Options::default());
            let mut machine = machine.expect("a machine");
            machine.run();
            let all = findings(&machine, &ResourceNames::default());
            all.into_iter().map(|found| found.code).collect::<Vec<_>>()
        };
        let mut both = found(text);
        both.sort();
        assert_eq!(both, ["E006", "E007"]);
        assert_eq!(found(&text.replace("uvec2(4u, 0u)", "uvec2(0u)")), ["E006"]);
    }

    #[test]
    fn a_function_that_does_not_return_reaches_unreachable() {
        let text = "layout(local_size_x = 8) in;
            layout(binding = 0) buffer Out { uint at[8]; };
            uint pick(uint of) { switch (of) { case 0u: return 5u; default: return 6u; } }
            void main() { at[gl_LocalInvocationIndex] = pick(at[gl_LocalInvocationIndex]); }";
        assert!(codes(text, true).is_empty(), "each path returns: the unreachable merge is not reached");
        // glslang ends such a function with OpUnreachable; here its switch leads there.
        let program = lanescope_testing::program(&[("comp", text)]);
        let module = program.module_of(&program.stages[0]);
        let is_unreachable = |inst: &lanescope_spirv::Inst<'_>| inst.op() == Some(Op::Unreachable);
        let merge = module.insts().find(is_unreachable).expect("an OpUnreachable").index.0 - 1;
        let label = module.inst(lanescope_spirv::InstId(merge)).result().expect("its label");
        let switch = module.insts().find(|inst| inst.op() == Some(Op::Switch)).expect("a switch");
        let mut words = module.words().to_vec();
        words[switch.word as usize + 2] = label.0;
        let mut program = program.clone();
        let index = program.stages[0].module;
        program.modules[index].module = lanescope_spirv::Module::parse(words).expect("a module");
        let inputs = crate::gpu::Inputs { fill: 3, ..Default::default() };
        let time = std::time::Duration::from_secs(60);
        use crate::gpu::interpret::{Waves, run};
        let ran = run(&program, &Waves::row_major(32, [8, 1, 1]), None, &inputs, time).expect("it runs");
        assert_eq!(ran.run.findings.first().map(|found| found.code.as_str()), Some("E012"));
    }

    #[test]
    fn a_derivative_after_an_early_exit_names_its_quads() {
        use crate::gpu::interpret::{Waves, run};
        let text = "#extension GL_NV_compute_shader_derivatives : require
            layout(local_size_x = 16, local_size_y = 2) in; layout(derivative_group_linearNV) in;
            layout(binding = 0) buffer Out { float at[32]; };
            void main() {
                uint i = gl_LocalInvocationIndex;
                if (i == 5u || i > 29u) return;
                at[i] = dFdx(float(i));
            }";
        let program = lanescope_testing::program(&[("comp", text)]);
        let inputs = crate::gpu::Inputs { zeros: true, ..Default::default() };
        let time = std::time::Duration::from_secs(60);
        let ran = run(&program, &Waves::row_major(32, [16, 2, 1]), None, &inputs, time).expect("it runs");
        let found: Vec<&str> = ran.run.findings.iter().map(|found| found.message.as_str()).collect();
        assert!(found.iter().any(|text| text.contains("; no helper invocations here: quads 1, 7")), "{found:?}");
        let consecutive = |lane: u32| (0..4).map(|at| (lane as u8 & !3) + at).collect();
        assert_eq!(quads(0xf0, consecutive), "quad 1");
        assert_eq!(quads(u64::MAX, consecutive), "quads 0, 1, 2, 3, 4, 5, 6, 7 and 8 more");
        // Rows of 16: quads of 2×2 are not consecutive lanes.
        let rows = |lane: u32| [0, 1, 16, 17].map(|at| (lane as u8 & !17) + at).to_vec();
        assert_eq!(quads(0x3000300, rows), "quad of lanes 8 9 24 25");
    }

    #[test]
    fn a_result_that_depends_on_the_wave_size_has_a_code() {
        let text = "#extension GL_KHR_shader_subgroup_arithmetic : require
            layout(local_size_x = 64) in;
            layout(binding = 0) buffer Out { uint at[64]; };
            shared uint total;
            void main() {
                if (gl_LocalInvocationIndex == 0u) total = 0u;
                barrier();
                uint sum = subgroupAdd(gl_LocalInvocationIndex);
                if (subgroupElect()) atomicAdd(total, sum);
                barrier();
                at[gl_LocalInvocationIndex] = total;
            }";
        assert!(codes(text, true).is_empty(), "the sum of all subgroups is the same");
        assert_eq!(codes(&text.replace("= total;", "= sum;"), true), ["E014"]);
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
