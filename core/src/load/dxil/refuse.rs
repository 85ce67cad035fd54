//! Ops that the converter must not see: it would misread them, or stop without saying where.
//!
//! The converter compares the whole opcode with one upper limit, and keeps ops of its own behind the stable ones.

use std::collections::BTreeSet;

use crate::dxil::module::{Body, Function, Kind, Module, ValueKind};
use crate::dxil::ops::decode;

/// Why the functions that an entry point reaches cannot be converted: the first op that is not a stable one, by name.
pub(super) fn refused(module: &Module, entry: &str) -> Option<String> {
    for (function, body) in reached(module, entry) {
        for (index, instruction) in body.instructions.iter().enumerate() {
            let Kind::Call(call) = &instruction.kind else { continue };
            let Some(decoded) = decode(module, body, call) else { continue };
            let place = format!("instruction {index} of {}", module.function_name(function));
            let why = match (&decoded.opcode, &decoded.op) {
                (Some(_), Some(Ok(op))) if !op.is_experimental() => continue,
                (Some(opcode), Some(Ok(op))) => format!("is {}, experimental op {}", op.name, opcode.shown()),
                (_, Some(Err(no_op))) => format!("calls {}: {no_op}", decoded.callee),
                _ => format!("calls {} without a constant opcode", decoded.callee),
            };
            return Some(format!("{place} {why}, which the converter does not know"));
        }
    }
    None
}

/// The functions that a function reaches by calls, itself first.
fn reached<'m>(module: &'m Module, entry: &str) -> Vec<(&'m Function, &'m Body)> {
    let start = module.functions.iter().position(|function| module.function_name(function) == entry);
    let mut seen: BTreeSet<usize> = start.into_iter().collect();
    let mut work: Vec<usize> = start.into_iter().collect();
    let mut out = Vec::new();
    while let Some(index) = work.pop() {
        let Some((function, body)) = module.functions.get(index).and_then(|f| Some((f, f.body.as_ref()?))) else {
            continue;
        };
        out.push((function, body));
        for instruction in &body.instructions {
            let Kind::Call(call) = &instruction.kind else { continue };
            if let Some(ValueKind::Function(callee)) = module.value(None, call.callee).map(|value| value.kind)
                && seen.insert(callee as usize)
            {
                work.push(callee as usize);
            }
        }
    }
    out
}
