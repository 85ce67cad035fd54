//! Ops that the converter must not see: it would misread them, or stop without saying where.

use std::collections::BTreeSet;

use crate::dxil::module::{Body, Function, Kind, Module, Operand, ValueKind};

/// The first number behind the stable ops: the converter keeps ops of its own there.
const FIRST_PRIVATE: u32 = 312;

/// Why the functions that an entry point reaches cannot be converted: the first op that is not a stable one, by name.
pub(super) fn refused(module: &Module, entry: &str) -> Option<String> {
    for (function, body) in reached(module, entry) {
        for (index, instruction) in body.instructions.iter().enumerate() {
            let Kind::Call(call) = &instruction.kind else { continue };
            let callee = module.name(call.callee);
            let Some(class) = callee.strip_prefix("dx.op.") else { continue };
            let opcode = match call.arguments.first() {
                Some(Operand::Value(id)) => module.integer(Some(body), *id),
                _ => None,
            };
            let place = format!("instruction {index} of {}", module.function_name(function));
            match opcode {
                None => return Some(format!("{place} calls dx.op.{class} without a constant opcode")),
                Some(opcode) if (opcode as u32) < FIRST_PRIVATE => {}
                Some(opcode) => {
                    let opcode = opcode as u32;
                    let table = if opcode >> 16 == 0x8000 { "an experimental op" } else { "no stable op" };
                    return Some(format!("{place} is dx.op.{class} ({opcode:#010x}), {table}"));
                }
            }
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
