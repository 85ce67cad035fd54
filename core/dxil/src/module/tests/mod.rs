mod malformed;

use std::path::PathBuf;

use super::*;
use crate::container;
use crate::findings;

/// The module of a part of a sample.
fn sample(name: &str, part: &[u8; 4]) -> Module {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    let file = std::fs::read(path).expect("the sample is there");
    let container = container::read(&file, &mut Vec::new()).expect("is a container");
    let part = container.part(part).expect("has the part");
    let data = container.data(&file, part, findings::BITCODE_RANGE);
    let size = data.u32(20, "size").expect("a header") as usize;
    Module::parse(data.slice(24, size, "bitcode").expect("inside"), data.place(24)).unwrap_or_else(|f| panic!("{f}"))
}

/// A call as LLVM would write it, with integer constants in place: enough to see that numbering is right.
fn calls(module: &Module) -> Vec<String> {
    let mut out = Vec::new();
    for (function, body) in module.defined() {
        for instruction in &body.instructions {
            let Kind::Call(call) = &instruction.kind else { continue };
            let argument = |argument: &Operand| match argument {
                Operand::Value(id) => match module.constant(Some(body), *id) {
                    Some(Constant::Undef) => "undef".to_owned(),
                    Some(_) => {
                        module.integer(Some(body), *id).map_or_else(|| "constant".to_owned(), |value| value.to_string())
                    }
                    None => "value".to_owned(),
                },
                Operand::Block(_) => "block".to_owned(),
                Operand::Metadata(_) => "metadata".to_owned(),
            };
            let arguments: Vec<String> = call.arguments.iter().map(argument).collect();
            let name = module.name(function.value);
            out.push(format!("{name}: {}({})", module.name(call.callee), arguments.join(", ")));
        }
    }
    out
}

/// The order of values, forward references and constants of every kind show in the calls' arguments.
#[test]
fn reads_calls_as_llvm_does() {
    insta::assert_snapshot!("calls_prefix_sum", calls(&sample("dxil/prefix_sum.cs.dxil", b"DXIL")).join("\n"));
    insta::assert_snapshot!("calls_orbit_debug", calls(&sample("dxil/orbit_debug.cs.dxil", b"ILDB")).join("\n"));
}

#[test]
fn writes_types_as_llvm_does() {
    let module = sample("dxil/preview_matrix.cs.dxil", b"DXIL");
    let names: Vec<String> = (0..module.types.all().len() as u32).map(|id| module.types.name(TypeId(id))).collect();
    insta::assert_snapshot!("types_preview_matrix", names.join("\n"));
}

#[test]
fn instructions_have_source_lines() {
    let module = sample("dxil/orbit_debug.cs.dxil", b"ILDB");
    let (_, body) = module.defined().next().expect("a function");
    let lines: Vec<u32> = body
        .instructions
        .iter()
        .filter_map(|instruction| body.locations.get(instruction.location? as usize).map(|location| location.line))
        .collect();
    assert!(lines.len() > 10 && lines.iter().all(|line| (1..60).contains(line)), "{lines:?}");
    let kinds: Vec<&str> = body.attachments.iter().filter_map(|a| module.metadata.kind_name(a.kind)).collect();
    assert_eq!(kinds.len(), body.attachments.len());
}

#[test]
fn finds_shader_model_in_named_metadata() {
    let module = sample("work_graphs/07_wide_dag.dxil", b"DXIL");
    let node = module.metadata.of_name("dx.shaderModel").expect("is there")[0];
    let operands: Vec<_> = module.metadata.operands(node).expect("a tuple").flatten().collect();
    assert_eq!(module.metadata.text(operands[0]).as_deref(), Some("lib"));
    let number = |id| match module.metadata.node(id).map(|node| node.kind) {
        Some(NodeKind::Value(_, value)) => module.integer(None, value),
        _ => None,
    };
    assert_eq!((number(operands[1]), number(operands[2])), (Some(6), Some(8)));
}
