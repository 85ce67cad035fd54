//! Control flow: divergence, reconvergence, loops, calls.

use lanescope_interpreter::{DecodeError, EventKind, Outcome, Program};

use crate::harness::{run, same_at_all_sizes};
use crate::support::Shader;

#[test]
fn selections_reconverge() {
    let shader = Shader::new(
        64,
        "%odd = OpBitwiseAnd %uint %index %u:1
         %is_odd = OpINotEqual %bool %odd %u:0
         OpSelectionMerge %merge None
         OpBranchConditional %is_odd %yes %no
         %yes = OpLabel
         %a = OpIMul %uint %index %u:3
         OpBranch %merge
         %no = OpLabel
         %b = OpIAdd %uint %index %u:100
         OpBranch %merge
         %merge = OpLabel
         %c = OpPhi %uint %a %yes %b %no
         store %index %c",
    );
    let expected: Vec<u32> = (0..64).map(|i| if i % 2 == 1 { i * 3 } else { i + 100 }).collect();
    assert_eq!(same_at_all_sizes(&shader, 64, &[]), expected);
}

#[test]
fn loops_run_each_lane_its_own_number_of_times() {
    let shader = Shader::new(
        64,
        "OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u:0 %entry %next %continue
         %sum = OpPhi %uint %u:0 %entry %more %continue
         OpLoopMerge %merge %continue None
         OpBranch %test
         %test = OpLabel
         %less = OpULessThan %bool %i %index
         OpBranchConditional %less %body %merge
         %body = OpLabel
         %more = OpIAdd %uint %sum %i
         OpBranch %continue
         %continue = OpLabel
         %next = OpIAdd %uint %i %u:1
         OpBranch %head
         %merge = OpLabel
         store %index %sum",
    );
    let expected: Vec<u32> = (0..64).map(|i: u32| i * i.saturating_sub(1) / 2).collect();
    assert_eq!(same_at_all_sizes(&shader, 64, &[]), expected);
}

/// Phi instructions of one block read their operands before any of them is written.
#[test]
fn phis_swap_in_parallel() {
    let shader = Shader::new(
        8,
        "OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u:0 %entry %next %head
         %a = OpPhi %uint %u:1 %entry %b %head
         %b = OpPhi %uint %u:2 %entry %a %head
         %next = OpIAdd %uint %i %u:1
         %less = OpULessThan %bool %i %index
         OpLoopMerge %merge %head None
         OpBranchConditional %less %head %merge
         %merge = OpLabel
         store %index %a",
    );
    assert_eq!(same_at_all_sizes(&shader, 8, &[]), [1, 2, 1, 2, 1, 2, 1, 2]);
}

#[test]
fn switches_fall_through() {
    let shader = Shader::new(
        16,
        "%x = OpVariable %ptr_Function_uint Function
         OpStore %x %u:0
         %case = OpUMod %uint %index %u:4
         OpSelectionMerge %merge None
         OpSwitch %case %other 0 %zero 2 %two
         %zero = OpLabel
         OpStore %x %u:10
         OpBranch %two
         %two = OpLabel
         %old = OpLoad %uint %x
         %new = OpIAdd %uint %old %u:1
         OpStore %x %new
         OpBranch %merge
         %other = OpLabel
         OpStore %x %index
         OpBranch %merge
         %merge = OpLabel
         %end = OpLoad %uint %x
         store %index %end",
    );
    let expected: Vec<u32> = (0..16).map(|i| [11, i, 1, i][i as usize % 4]).collect();
    assert_eq!(same_at_all_sizes(&shader, 16, &[]), expected);
}

#[test]
fn functions_return_from_inside_loops() {
    let shader = Shader::new(
        32,
        "%r = OpFunctionCall %uint %first_power %index
         store %index %r",
    )
    .declare("%fn_uint = OpTypeFunction %uint %uint")
    .function(
        "%first_power = OpFunction %uint None %fn_uint
         %x = OpFunctionParameter %uint
         %f_entry = OpLabel
         OpBranch %f_head
         %f_head = OpLabel
         %p = OpPhi %uint %u:1 %f_entry %twice %f_continue
         OpLoopMerge %f_merge %f_continue None
         OpBranch %f_body
         %f_body = OpLabel
         %done = OpUGreaterThan %bool %p %x
         OpSelectionMerge %f_next None
         OpBranchConditional %done %f_return %f_next
         %f_return = OpLabel
         OpReturnValue %p
         %f_next = OpLabel
         OpBranch %f_continue
         %f_continue = OpLabel
         %twice = OpIMul %uint %p %u:2
         OpBranch %f_head
         %f_merge = OpLabel
         OpUnreachable
         OpFunctionEnd",
    );
    let expected: Vec<u32> = (0..32u32).map(|i| (i + 1).next_power_of_two()).collect();
    assert_eq!(same_at_all_sizes(&shader, 32, &[]), expected);
}

/// A lane that has left a loop keeps the values of its last iteration.
#[test]
fn values_of_lanes_that_left_a_loop_stay() {
    let shader = Shader::new(
        8,
        "OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u:0 %entry %next %continue
         %square = OpIMul %uint %i %i
         %less = OpULessThan %bool %i %index
         OpLoopMerge %merge %continue None
         OpBranchConditional %less %continue %merge
         %continue = OpLabel
         %next = OpIAdd %uint %i %u:1
         OpBranch %head
         %merge = OpLabel
         store %index %square",
    );
    assert_eq!(same_at_all_sizes(&shader, 8, &[]), [0, 1, 4, 9, 16, 25, 36, 49]);
}

#[test]
fn pointers_to_variables_go_through_calls() {
    let shader = Shader::new(
        8,
        "%x = OpVariable %ptr_Function_uint Function
         %y = OpVariable %ptr_Function_uint Function
         OpStore %x %index
         OpStore %y %u:5
         %r1 = OpFunctionCall %void %add %x %y
         %r2 = OpFunctionCall %void %add %y %x
         %end = OpLoad %uint %y
         store %index %end",
    )
    .declare("%fn_add = OpTypeFunction %void %ptr_Function_uint %ptr_Function_uint")
    .function(
        "%add = OpFunction %void None %fn_add
         %p = OpFunctionParameter %ptr_Function_uint
         %q = OpFunctionParameter %ptr_Function_uint
         %a_entry = OpLabel
         %a = OpLoad %uint %p
         %b = OpLoad %uint %q
         %c = OpIAdd %uint %a %b
         OpStore %p %c
         OpReturn
         OpFunctionEnd",
    );
    let expected: Vec<u32> = (0..8).map(|i| 5 + i + 5).collect();
    assert_eq!(same_at_all_sizes(&shader, 8, &[]), expected);
}

#[test]
fn endless_loops_end_at_the_step_limit() {
    let shader = Shader::new(
        8,
        "OpBranch %head
         %head = OpLabel
         OpLoopMerge %merge %head None
         OpBranchConditional %true %head %merge
         %merge = OpLabel",
    );
    assert_eq!(run(&shader, 8, 1, 1, &[]).outcome, Outcome::StepLimit);
}

#[test]
fn unreachable_is_reported_and_ends_its_lanes() {
    let shader = Shader::new(
        8,
        "%less = OpULessThan %bool %index %u:4
         OpSelectionMerge %merge None
         OpBranchConditional %less %merge %never
         %never = OpLabel
         OpUnreachable
         %merge = OpLabel
         store %index %u:1",
    );
    let run = run(&shader, 8, 1, 8, &[]);
    assert_eq!(run.out(), [1, 1, 1, 1, 0, 0, 0, 0]);
    assert_eq!(run.kinds(), [EventKind::Unreachable]);
    assert_eq!(run.machine.events()[0].lanes, 0xf0);
}

#[test]
fn names_what_is_not_supported() {
    let shader = Shader::new(8, "%r = OpFunctionCall %void %main");
    let module = shader.module();
    let error = Program::decode(&module, &module.entry_points()[0]).expect_err("recursion");
    assert!(matches!(error, DecodeError::Unsupported { .. }));
    let text = error.to_string();
    assert!(text.starts_with("OpFunctionCall %") && text.ends_with("not supported: recursion"), "{text}");
    let module = Shader::new(8, "OpEmitVertex").module();
    let error = Program::decode(&module, &module.entry_points()[0]).expect_err("a geometry instruction");
    assert!(error.to_string().starts_with("OpEmitVertex at word"), "{error}");
}
