//! Which kinds of shader run a function.

use std::collections::BTreeSet;

use crate::module::{Body, Call, Kind, Module, ValueKind};
use crate::ops::ShaderKind;

/// The kinds of shader that run each function, by its index. `entries` are the functions that a library's entry points
/// name, with their kinds. What no entry reaches runs in a program of `kind`: for a library, that is any program that
/// links it.
pub fn stages_of(module: &Module, kind: ShaderKind, entries: &[(usize, ShaderKind)]) -> Vec<BTreeSet<ShaderKind>> {
    let mut out = vec![BTreeSet::new(); module.functions.len()];
    if kind == ShaderKind::Library {
        let called = called(module);
        let mut work: Vec<(usize, ShaderKind)> = entries.to_vec();
        // A function enters at most once for each kind of shader.
        while let Some((function, stage)) = work.pop() {
            if out.get_mut(function).is_some_and(|stages| stages.insert(stage)) {
                work.extend(called.get(function).into_iter().flatten().map(|callee| (*callee, stage)));
            }
        }
    }
    for stages in &mut out {
        if stages.is_empty() {
            stages.insert(kind);
        }
    }
    out
}

/// Callees of each function, by index.
fn called(module: &Module) -> Vec<BTreeSet<usize>> {
    let index_of = |call: &Call| match module.value(None, call.callee)?.kind {
        ValueKind::Function(index) => Some(index as usize),
        _ => None,
    };
    let callees = |body: &Body| {
        let calls = body.instructions.iter().filter_map(|is| match &is.kind {
            Kind::Call(call) => index_of(call),
            _ => None,
        });
        calls.collect()
    };
    module.functions.iter().map(|function| function.body.as_deref().map(callees).unwrap_or_default()).collect()
}
