//! Findings about whole modules, from files and from modules that no loader lets through.

use lanescope_core::analyse;
use lanescope_core::load::load;
use lanescope_core::options::{Options, SpecValue};
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::spirv::Module;
use lanescope_core::spirv::enums::Op;

fn program(name: &str, source: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, source).expect("writes");
    load(&[path], &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn report(program: &Program) -> Report {
    analyse(program, &Options::default()).expect("analyses")
}

fn codes(report: &Report) -> Vec<&str> {
    report.findings.iter().map(|finding| finding.code.as_str()).filter(|code| *code != "R002").collect()
}

const TWO_INPUTS: &str = "#version 450\nlayout(location = 0) in vec4 read; layout(location = 1) in vec4 unread;\n\
    layout(location = 0) out vec4 colour; void main() { colour = read; }";

/// rspirv's grammar has every opcode that SPIRV-Tools of the same age knows, so no file brings one here that lacks a
/// grammar: a module is made that has one, as a newer validator would let it through.
#[test]
fn an_instruction_without_grammar_is_kept_marked_and_makes_every_input_used() {
    let mut program = program("a.frag", TWO_INPUTS);
    let before = report(&program);
    assert_eq!((codes(&before), before.packing.as_ref().expect("packs").map.len()), (vec![], 4));

    let module = &program.modules[0].module;
    let at = module.insts().find(|inst| inst.op() == Some(Op::Return)).expect("a return").word as usize;
    let mut words = module.words().to_vec();
    words.splice(at..at, [0x0003_7fff, 1, 2]);
    program.modules[0].module = Module::parse(words).expect("reads");
    let after = report(&program);
    assert_eq!(codes(&after), ["L003", "P005"]);
    assert_eq!(after.packing.as_ref().expect("packs").map.len(), 8);
    let raw = &after.findings[0];
    assert!(raw.message.contains("opcode 32767") && raw.message.contains("3 raw words"), "{}", raw.message);
    assert!(raw.place_text().contains(&format!("word {at}")), "{:?}", raw.place);
}

#[test]
fn reports_a_rule_that_stops_the_validator() {
    let source = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
        OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
        %main = OpFunction %void None %fn\n%a = OpLabel\n%call = OpFunctionCall %void %again\nOpReturn\n\
        OpFunctionEnd\n%again = OpFunction %void None %fn\n%b = OpLabel\n%more = OpFunctionCall %void %again\n\
        OpReturn\nOpFunctionEnd\n";
    let report = report(&program("a.spvasm", source));
    assert_eq!(codes(&report), ["L002", "L007", "L001"]);
    assert!(report.workgroup[0].lanes.is_some(), "what can be shown is shown");
}

#[test]
fn reports_values_of_undeclared_constants() {
    let options = Options { spec: [(9, SpecValue("1".to_owned()))].into(), ..Options::default() };
    let report = analyse(&program("a.frag", TWO_INPUTS), &options).expect("analyses");
    assert_eq!(codes(&report), ["L004"]);
}

/// The validator refuses locations that overlap, so the module is changed after it.
#[test]
fn reports_one_location_with_two_classes() {
    let source = "#version 450\nlayout(location = 0) in float a; layout(location = 1) flat in float b;\n\
        layout(location = 0) out vec4 colour; void main() { colour = vec4(a, b, 0, 0); }";
    let mut program = program("a.frag", source);
    let mut words = program.modules[0].module.words().to_vec();
    let second = |words: &[u32]| words[0] == 0x0004_0047 && words[2..] == [30, 1];
    let at = words.windows(4).position(second).expect("OpDecorate %b Location 1");
    words[at + 3] = 0;
    program.modules[0].module = Module::parse(words).expect("reads");
    let report = report(&program);
    let packing = report.packing.as_ref().expect("packs");
    assert_eq!((codes(&report), packing.spans.len(), packing.map.len()), (vec!["P007", "P003"], 2, 1));
}
