//! Calls that break one rule each.

use super::*;
use crate::module::{Call, Constant, Kind, Operand, Type, ValueKind};
use crate::op_calls::calls;
use crate::ops::{Tables, op};
use crate::testing::rewrite::{SYMBOLS, rewritten};
use crate::testing::{modules, sample};

/// A compute shader of the given model, signed as such a model is.
pub(super) fn facts(model: &str) -> Facts {
    let model: Version = model.parse().expect("a version");
    Facts {
        kind: ShaderKind::Compute,
        model: Some(model),
        header_model: Some(model),
        dxil: Some(Version { major: 1, minor: model.minor }),
        validator: Some(Version { major: 1, minor: model.minor }),
        digest: Some(if Tables::bundled().is_preview(model) { DigestState::Preview } else { DigestState::Valid }),
        entries: Vec::new(),
        experimental_rdat: false,
    }
}

/// Codes with messages, without the summary.
pub(super) fn check_all(module: &Module, facts: &Facts) -> Vec<(String, String)> {
    let place = |call: &OpCall<'_>| CallPlace {
        function: call.function.to_string(),
        instruction: call.instruction,
        line: None,
        source: None,
    };
    let found = check(module, &calls(module), facts, &place);
    found.into_iter().map(|finding| (finding.code, finding.message)).filter(|(code, _)| code != "X20").collect()
}

/// A sample with the number of the first call of an op replaced.
pub(super) fn renumbered(name: &str, old: u32, new: i64) -> Module {
    let mut module = sample(name);
    let (function, argument) = {
        let all = calls(&module);
        let call = all.iter().find(|call| call.opcode == Some(Opcode(old))).expect("the op is called");
        let first = match call.call.arguments[0] {
            Operand::Value(id) => id,
            _ => unreachable!("an opcode is a value"),
        };
        (call.function, first)
    };
    let shared = module.values.len() as u32;
    let ValueKind::Constant(index) =
        module.value(module.functions[function].body.as_deref(), argument).expect("there").kind
    else {
        unreachable!("an opcode is a constant")
    };
    let body = module.functions[function].body.as_mut().expect("defined");
    let constants = if argument.0 < shared { &mut module.constants } else { &mut body.constants };
    constants[index as usize] = Constant::Integer(new);
    module
}

/// Changes every call, by its callee's name.
fn each_call(module: &mut Module, mut change: impl FnMut(&str, &mut Call)) {
    let names = module.names.clone();
    for function in &mut module.functions {
        for is in function.body.iter_mut().flat_map(|body| &mut body.instructions) {
            if let Kind::Call(call) = &mut is.kind {
                change(names.of(call.callee.0), call);
            }
        }
    }
}

#[track_caller]
fn only(module: &Module, facts: &Facts, code: &str, words: &str) {
    let found = check_all(module, facts);
    assert!(!found.is_empty(), "nothing was found");
    assert!(found.iter().any(|(c, m)| c == code && m.contains(words)), "{found:?}");
}

#[test]
fn ops_of_nodes_end_with_shader_model_6_9() {
    let graph = sample("02_quadtree_recursion.dxil");
    let of_nodes = |model: &str| {
        let found = check_all(&graph, &facts(model));
        found.into_iter().filter(|(code, _)| code == "X21").map(|(_, message)| message).collect::<Vec<_>>()
    };
    let found = of_nodes("6.10");
    let message = "AllocateNodeOutputRecords is an op of work graphs, which shader model 6.10 does not have";
    assert!(found.iter().any(|found| found == message), "{found:?}");
    assert_eq!(of_nodes("6.9"), [""; 0]);
    // The offline target has all ops.
    assert_eq!(of_nodes("6.15"), [""; 0]);
}

#[test]
fn callees_of_proposals_that_were_not_adopted_are_named() {
    let (code, message) = with_callee(b"dx.opx.isDebugging");
    assert_eq!(code, "X23");
    let words = "callee dx.opx.isDebugging is in the form `dx.opx` of hlsl-specs 0052, a proposal not adopted";
    assert_eq!(message, words);
}

#[test]
fn distinguishes_numbers_that_are_not_ops() {
    let release = facts("6.6");
    // 96 is FlattenedThreadIdInGroup.
    for (new, code, words) in [
        (0x8001_0000u32 as i32, "X02", "0x8001"),
        (0x0001_0004, "X02", "0x0001"),
        (-1, "X03", "invalid value"),
        (312, "X04", "ends at 311"),
        (0x8000_0023u32 as i32, "X05", "newer compiler"),
        (230, "X06", "preview"),
        (0x8000_0020u32 as i32, "X06", "hole"),
    ] {
        only(&renumbered("experimental_ops.cs.dxil", 96, new.into()), &release, code, words);
    }
    // The same numbers as the bitcode's unsigned 32 bits.
    only(&renumbered("experimental_ops.cs.dxil", 96, 0xffff_ffff), &release, "X03", "invalid value");
}

#[test]
fn requires_opcode_to_be_constant_i32() {
    let mut module = sample("experimental_ops.cs.dxil");
    each_call(&mut module, |_, call| call.arguments.clear());
    only(&module, &facts("6.10"), "X01", "without a constant");
    let undefined = {
        let mut module = renumbered("experimental_ops.cs.dxil", 96, 0);
        for constant in module.functions.iter_mut().filter_map(|f| f.body.as_mut()).flat_map(|b| &mut b.constants) {
            *constant = Constant::Undef;
        }
        module.constants.iter_mut().for_each(|constant| *constant = Constant::Undef);
        module
    };
    only(&undefined, &facts("6.10"), "X01", "without a constant");
}

#[test]
fn requires_model_and_version_of_op() {
    let module = sample("quad_derivatives.cs.dxil");
    assert_eq!(check_all(&module, &facts("6.6")), []);
    let old = Facts { dxil: "1.5".parse().ok(), ..facts("6.5") };
    only(&module, &old, "X14", "AnnotateHandle needs shader model 6.6, but the module is for 6.5");
    only(&module, &old, "X07", "opcode 216 (AnnotateHandle) needs DXIL 1.6");
    let vectors = op(Opcode(311)).expect("FDot");
    assert_eq!((vectors.min_shader_model, vectors.since), ("6.0".parse().ok(), "6.9".parse().ok()));
}

#[test]
fn experimental_ops_need_a_marked_preview() {
    let module = sample("experimental_ops.cs.dxil");
    assert_eq!(check_all(&module, &facts("6.10")), []);
    let with = |digest| Facts { digest: Some(digest), ..facts("6.10") };
    only(&module, &facts("6.9"), "X08", "GetGroupWaveIndex in shader model 6.9");
    only(&module, &facts("6.15"), "X08", "in shader model 6.x");
    only(&module, &facts("6.9"), "X14", "needs shader model 6.10");
    only(&module, &with(DigestState::Valid), "X09", "signed as final");
    only(&module, &with(DigestState::Debug), "X09", "signed as final (debug)");
    only(&module, &with(DigestState::Wrong), "X10", "not marked preview");
    only(&module, &with(DigestState::Missing), "X11", "unsigned");
    only(&module, &with(DigestState::Bypass), "X11", "bypass");
    only(&sample("prefix_sum.cs.dxil"), &with(DigestState::Preview), "X12", "without experimental ops");
    let both = Facts { header_model: "6.9".parse().ok(), ..facts("6.10") };
    only(&module, &both, "X13", "6.9 in the program header, 6.10 in dx.shaderModel");
    let rdat = Facts { experimental_rdat: true, ..facts("6.9") };
    only(&sample("prefix_sum.cs.dxil"), &rdat, "X19", "shader model 6.9");
    let unvalidated = Facts { validator: "0.0".parse().ok(), ..rdat };
    assert_eq!(check_all(&sample("prefix_sum.cs.dxil"), &unvalidated), []);
    let place = |_: &OpCall<'_>| CallPlace { function: String::new(), instruction: 0, line: None, source: None };
    let found = check(&module, &calls(&module), &facts("6.10"), &place);
    assert_eq!((found[0].code.as_str(), found.len()), ("X20", 1));
    assert_eq!(found[0].message, "2 experimental calls, 2 distinct ops, FeatureIDs used: 0x0000, 0x8000");
}

#[test]
fn rejects_ops_in_other_stages() {
    let module = sample("experimental_ops.cs.dxil");
    let pixel = Facts { kind: ShaderKind::Pixel, ..facts("6.10") };
    only(&module, &pixel, "X15", "GetGroupWaveIndex is not available in pixel shaders");
    let library = sample("preview_hits.lib.dxil");
    let hits = Facts { kind: ShaderKind::Library, ..facts("6.10") };
    let of = |kind| {
        let all = (0..library.functions.len()).map(|index| (index, kind)).collect();
        Facts { entries: all, ..hits.clone() }
    };
    only(&library, &of(ShaderKind::Callable), "X15", "ClusterID is not available in callable shaders");
    let closest = check_all(&library, &of(ShaderKind::ClosestHit));
    assert!(closest.iter().all(|(_, message)| !message.starts_with("ClusterID")), "{closest:?}");
    // What no entry reaches is the library's.
    assert!(check_all(&library, &hits).iter().all(|(_, message)| !message.starts_with("ClusterID")));
}

#[test]
fn checks_name_and_type_of_callee() {
    let preview = facts("6.10");
    // GroupIndex as ThreadIdInGroup, which has a component.
    only(
        &renumbered("experimental_ops.cs.dxil", 96, 95),
        &preview,
        "X16",
        "is not the function of opcode 95 ThreadIdInGroup",
    );
    // An op of floats as one of integers.
    only(
        &renumbered("tessellated_patch.ps.dxil", 36, 37),
        &facts("6.9"),
        "X17",
        "overload float is not allowed for IMax",
    );
    let mut module = sample("lit_surface.ps.dxil");
    let integers = module.functions.iter().find(|function| module.function_name(function) == "dx.op.loadInput.i32");
    let integers = integers.expect("declared").value;
    each_call(&mut module, |name, call| {
        if name == "dx.op.loadInput.f32" {
            call.callee = integers;
        }
    });
    only(&module, &facts("6.9"), "X17", "type of callee dx.op.loadInput.i32 has overload `f32`");
}

#[test]
fn distinguishes_operand_lists_by_callee_type() {
    let shortened = |last: usize| {
        let mut module = sample("preview_matrix.cs.dxil");
        let mut types = module.types.clone();
        each_call(&mut module, |name, call| {
            if name.starts_with("dx.op.linAlgMatrixStoreToDescriptor") {
                let Some(Type::Function { vararg, result, parameters }) = types.get(call.function_type).cloned() else {
                    unreachable!("a call has a function's type")
                };
                let parameters = parameters[..parameters.len() - last].into();
                call.function_type = types.intern(Type::Function { vararg, result, parameters });
                call.arguments = call.arguments[..call.arguments.len() - last].into();
            }
        });
        module.types = types;
        module
    };
    let names = |module: &Module| -> Vec<Option<&str>> {
        let all = calls(module);
        let store = all.iter().find(|call| call.callee.contains("StoreToDescriptor")).expect("is called");
        store.operands().map(|(name, _)| name).collect()
    };
    let today = ["matrix", "handle", "offset", "stride", "layout", "align"].map(Some);
    assert_eq!(names(&shortened(0)), today);
    assert_eq!(names(&shortened(1)), today[..5]);
    assert_eq!(names(&shortened(2)), [None; 4]);
    let preview = facts("6.10");
    assert_eq!(check_all(&shortened(0), &preview), []);
    let words = "LinAlgMatrixStoreToDescriptor is the one before March 2026; the table is from 9a3e225da";
    only(&shortened(1), &preview, "X18", words);
    only(&shortened(2), &preview, "X18", "operand list of LinAlgMatrixStoreToDescriptor differs: void (i32, ");
}

#[test]
fn samples_follow_the_rules() {
    for (name, module) in modules() {
        let preview = name.contains("preview") || name.contains("experimental");
        let found = check_all(&module, &facts(if preview { "6.10" } else { "6.9" }));
        // Stages need the facts of each sample, which are not read here.
        let found: Vec<_> = found.into_iter().filter(|(code, _)| code != "X15").collect();
        assert_eq!(found, [], "{name}");
    }
}

/// What is found in a shader whose callee of op 34 has another name.
fn with_callee(new: &[u8]) -> (String, String) {
    let file = rewritten("preview_debugging.cs.dxil", |block, _| {
        let old = b"dx.op.isDebuggingEnabled";
        let mut renamed = 0;
        for symbols in block.blocks(SYMBOLS) {
            for (_, operands) in symbols.records() {
                let name: Vec<u8> = operands.iter().skip(1).map(|letter| *letter as u8).collect();
                if name == old {
                    operands.truncate(1);
                    operands.extend(new.iter().map(|letter| u64::from(*letter)));
                    renamed += 1;
                }
            }
        }
        assert_eq!(renamed, 1);
    });
    let dxil = crate::Dxil::read(file).expect("is a container");
    let found = check_all(&dxil.program.expect("a program").module, &facts("6.10"));
    let [only] = found.as_slice() else { panic!("{found:?}") };
    only.clone()
}

/// The public preview of shader model 6.10 has another name for op 34, and another order in op 31.
#[test]
fn forms_of_the_public_preview_are_notes() {
    let (code, message) = with_callee(b"dx.op.isDebuggerPresent");
    assert_eq!(code, "X18");
    let words = "name and callee of IsDebuggingEnabled are those before July 2026, as in the 1.10.2605 preview \
                 (IsDebuggerPresent, dx.op.isDebuggerPresent)";
    assert!(message.starts_with(words), "{message}");
    // A name of no op is that of a compiler which is not known; one of another op is wrong.
    let (code, message) = with_callee(b"dx.op.isDebuggerHere");
    assert_eq!(code, "X18");
    let words = "callee dx.op.isDebuggerHere is of no op, opcode 0x80000022 (-2147483614) is IsDebuggingEnabled";
    assert!(message.starts_with(words), "{message}");
    assert_eq!(with_callee(b"dx.op.waveIsFirstLane").0, "X16");
    // A callee of no op is none of these.
    assert_eq!(earlier_name(op(Opcode(0x8000_0022)).expect("is there"), "dx.op.isDebugging"), None);
    assert_eq!(earlier_name(op(Opcode(34)).expect("is there"), "dx.op.isDebuggerPresent"), None);
}

#[test]
fn nodes_have_no_ops_of_models_without_nodes() {
    for (number, in_node, in_compute) in
        [(0x8000_0001, false, true), (0x8000_0021, false, true), (247, true, false), (96, true, true)]
    {
        let op = op(Opcode(number)).expect("is there");
        let allowed = [ShaderKind::Node, ShaderKind::Compute].map(|stage| op.allowed_in(stage));
        assert_eq!(allowed, [in_node, in_compute], "{}", op.name);
    }
}
