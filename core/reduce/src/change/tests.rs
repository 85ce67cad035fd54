use lanescope_base::StageKind;

use super::*;
use crate::testing::{assembled, check, disassemble, glsl};

fn find(module: &Module, name: &str) -> InstId {
    let found = module.insts().find(|inst| inst.name() == name);
    found.unwrap_or_else(|| panic!("{name}\n{}", disassemble(module))).index
}

#[test]
fn what_a_change_leaves_unused_goes_and_what_was_unused_stays() {
    let text = "layout(location = 0) in float a; layout(location = 0) out float o;
                void main() { cos(gl_FragCoord.x); o = sin(a) * 2.0; }";
    let module = glsl(StageKind::Fragment, text);
    let product =
        module.insts().find(|inst| inst.name() == "OpFMul").and_then(|inst| inst.result()).expect("a product");
    let change = Change::instead(product, Instead::Zero);
    let left = applied(&module, &[&change]).expect("smaller");
    check(&left).expect("valid");
    let text = disassemble(&left);
    assert!(!text.contains("Sin") && text.contains("Cos"), "{text}");
    assert!(!text.contains("%a"), "the input is not used, and not in the interface: {text}");
}

#[test]
fn a_loop_without_an_end_is_refused() {
    let module = glsl(
        StageKind::Compute,
        "layout(binding = 0) buffer B { uint n; uint b[]; };
         void main() { for (uint i = 0; i < n; i++) b[i] = i; }",
    );
    let branch = find(&module, "OpBranchConditional");
    let inst = module.inst(branch);
    let to = |label: u32| Change::replace(branch, vec![2 << 16 | 249, label]);
    let body = applied(&module, &[&to(inst.word_at(2))]);
    assert_eq!(body, None, "the loop would not end");
    let out = applied(&module, &[&to(inst.word_at(3))]).expect("smaller");
    check(&out).unwrap_or_else(|error| panic!("{error}\n{}", disassemble(&out)));
}

#[test]
fn a_variable_that_is_read_keeps_a_write() {
    let module = glsl(
        StageKind::Compute,
        "layout(binding = 0) buffer B { uint b[]; }; shared uint s;
         void main() { s = b[0]; barrier(); b[1] = s; }",
    );
    let store = find(&module, "OpStore");
    assert_eq!(applied(&module, &[&Change::remove(store)]), None);
}

#[test]
fn a_variable_that_a_function_reads_keeps_a_write() {
    let module = glsl(
        StageKind::Compute,
        "layout(binding = 0) buffer B { uint b[]; }; uint twice(uint x) { return x + x; }
         void main() { b[1] = twice(b[0]); }",
    );
    let call = module.inst(find(&module, "OpFunctionCall"));
    let is_argument = |inst: &lanescope_spirv::Inst<'_>| inst.name() == "OpStore" && inst.id_at(1) == call.id_at(4);
    let store = module.insts().find(is_argument).expect("the argument is stored").index;
    assert_eq!(applied(&module, &[&Change::remove(store)]), None);
}

#[test]
fn a_variable_stays_written_on_every_way_to_a_read() {
    let module = glsl(
        StageKind::Compute,
        "layout(binding = 0) buffer B { uint b[]; };
         void main() { uint x; if (b[0] > 1u) x = b[1]; else x = b[2]; b[3] = x; }",
    );
    let is_own = |inst: &lanescope_spirv::Inst<'_>| inst.name() == "OpStore" && module.name(inst.id_at(1)) == Some("x");
    for store in module.insts().filter(is_own) {
        assert_eq!(applied(&module, &[&Change::remove(store.index)]), None);
    }
}

#[test]
fn an_output_stays_written_on_every_way_and_in_every_part() {
    let module = glsl(
        StageKind::Vertex,
        "layout(location = 0) in vec4 b; layout(location = 0) out vec4 o;
         void main() { gl_Position = b; o = b; if (b.x > 1.0) { o = b * 2.0; } }",
    );
    let stores: Vec<InstId> = module.insts().filter(|inst| inst.name() == "OpStore").map(|inst| inst.index).collect();
    let [_, always, sometimes] = stores[..] else { panic!("three stores: {}", disassemble(&module)) };
    assert_eq!(applied(&module, &[&Change::remove(always)]), None, "the other one is behind a condition");
    assert!(applied(&module, &[&Change::remove(sometimes)]).is_some());
    // One component of the position is not the position.
    let partly = glsl(
        StageKind::Vertex,
        "layout(location = 0) in vec4 b; void main() { gl_Position = b; gl_Position.x = 1.0; }",
    );
    let whole = find(&partly, "OpStore");
    assert_eq!(applied(&partly, &[&Change::remove(whole)]), None, "{}", disassemble(&partly));
}

#[test]
fn private_variables_and_pointers_are_followed_through_calls() {
    let module = glsl(
        StageKind::Compute,
        "layout(binding = 0) buffer B { uint b[]; }; uint g;
         void add(inout uint x) { x += g; } void set() { g = b[7]; }
         void main() { set(); uint x = b[0]; add(x); b[1] = x; }",
    );
    let refused = |is_it: &dyn Fn(&lanescope_spirv::Inst<'_>) -> bool| {
        let inst = module.insts().find(|inst| is_it(inst)).expect("is there");
        assert_eq!(applied(&module, &[&Change::remove(inst.index)]), None, "{}", inst.name());
    };
    refused(&|inst| inst.name() == "OpStore" && module.name(inst.id_at(1)) == Some("g"));
    refused(&|inst| inst.name() == "OpFunctionCall" && inst.words.len() == 4);
    let call = module.insts().find(|inst| inst.name() == "OpFunctionCall" && inst.words.len() == 5).expect("a call");
    refused(&|inst| inst.name() == "OpStore" && inst.id_at(1) == call.id_at(4));
}

#[test]
fn an_index_stays_in_its_array_and_a_loop_ends() {
    let module = glsl(
        StageKind::Compute,
        "layout(binding = 0) buffer B { uint b[]; }; shared uint s[4];
         void main() { s[2] = b[0]; b[1] = s[2]; uint i = 0; do { i++; b[i] = i; } while (i < b[3]); }",
    );
    let length = module.insts().find(|inst| inst.name() == "OpTypeArray").expect("an array").id_at(3);
    assert_eq!(applied(&module, &[&Change::instead(length, Instead::One)]), None);
    let compares = module.insts().find(|inst| inst.name() == "OpULessThan").and_then(|inst| inst.result());
    let compares = compares.expect("a condition");
    assert_eq!(applied(&module, &[&Change::instead(compares, Instead::One)]), None, "it would not end");
    assert!(applied(&module, &[&Change::instead(compares, Instead::Zero)]).is_some());
}

#[test]
fn constants_of_execution_modes_stay_where_they_are() {
    let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"
                OpExecutionModeId %main LocalSizeId %one %one %one
                %void = OpTypeVoid\n%type = OpTypeFunction %void\n%uint = OpTypeInt 32 0
                %one = OpConstant %uint 1\n%two = OpConstant %uint 2
                %main = OpFunction %void None %type\n%start = OpLabel
                %sum = OpIAdd %uint %one %two\n%double = OpIMul %uint %sum %two\nOpReturn\nOpFunctionEnd";
    let module = assembled(text);
    let sum = module.insts().find(|inst| inst.name() == "OpIAdd").and_then(|inst| inst.result()).expect("a sum");
    let left = applied(&module, &[&Change::instead(sum, Instead::One)]).expect("smaller");
    check(&left).unwrap_or_else(|error| panic!("{error}\n{}", disassemble(&left)));
}

#[test]
fn a_position_stays_written_and_other_outputs_go() {
    let text = "layout(location = 0) out vec4 a; layout(location = 0) in vec4 b;
                void main() { gl_Position = b; gl_PointSize = 1.0; a = b; }";
    let module = glsl(StageKind::Vertex, text);
    let stores: Vec<InstId> = module.insts().filter(|inst| inst.name() == "OpStore").map(|inst| inst.index).collect();
    let without = |store: usize| applied(&module, &[&Change::remove(stores[store])]);
    assert_eq!(without(0), None, "the position");
    assert!(without(1).is_some(), "the size of a point");
    let gone = without(2).expect("an output goes with its only write");
    assert!(!disassemble(&gone).contains("%a"));
}

#[test]
fn integers_are_not_divided_by_zero() {
    let module =
        glsl(StageKind::Compute, "layout(binding = 0) buffer B { uint b[]; }; void main() { b[0] = b[1] / b[2]; }");
    let loads: Vec<Id> =
        module.insts().filter(|inst| inst.name() == "OpLoad").filter_map(|inst| inst.result()).collect();
    let [dividend, divisor] = loads[..] else { panic!("two loads") };
    assert!(applied(&module, &[&Change::instead(dividend, Instead::Zero)]).is_some());
    assert_eq!(applied(&module, &[&Change::instead(divisor, Instead::Zero)]), None);
    assert!(applied(&module, &[&Change::instead(divisor, Instead::One)]).is_some());
}

#[test]
fn values_that_become_each_other_stay() {
    let changes = [(1, 2), (2, 3), (4, 4), (5, 6), (6, 5)].map(|(a, b)| Change::instead(Id(a), Instead::Id(Id(b))));
    let all = Changes::of(&changes.iter().collect::<Vec<_>>(), &mut 9);
    let of = |id| all.of_value(Id(id));
    assert_eq!((of(1), of(2)), (Some(Instead::Id(Id(3))), Some(Instead::Id(Id(3)))));
    assert_eq!((of(4), of(5), of(6)), (None, None, None));
}

#[test]
fn modules_whose_ids_are_not_known_stay() {
    let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n";
    let mut words = assembled(text).words().to_vec();
    words.extend([1 << 16 | 0xfff0]);
    let module = Module::parse(words).expect("read");
    assert_eq!(applied(&module, &[&Change::remove(InstId(2))]), None);
}
