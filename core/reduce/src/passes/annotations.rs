//! What is around the code.

use std::collections::BTreeSet;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Decoration, Op};
use lanescope_spirv::opcode::Section;
use lanescope_spirv::{Inst, Module};

use crate::change::Change;

/// Entry points: each of them alone. The judge refuses those that the program is made of.
pub(super) fn entry_points(module: &Module) -> Vec<Change> {
    let entries: Vec<Inst<'_>> = module.globals().filter(|inst| inst.op() == Some(Op::EntryPoint)).collect();
    if entries.len() < 2 {
        return Vec::new();
    }
    let remove = |entry: &Inst<'_>| {
        let function = entry.id_at(2);
        let others = entries.iter().filter(|other| other.id_at(2) == function).count();
        let is_mode = |inst: &Inst<'_>| matches!(inst.op(), Some(Op::ExecutionMode | Op::ExecutionModeId));
        let modes = module.globals().filter(|inst| is_mode(inst) && inst.id_at(1) == function && others == 1);
        let removed = std::iter::once(entry.index).chain(modes.map(|inst| inst.index)).collect();
        Change { removed, ..Change::default() }
    };
    entries.iter().map(remove).collect()
}

/// Debug information, all at once.
pub(super) fn debug(module: &Module) -> Vec<Change> {
    let sets: BTreeSet<Id> = module
        .globals()
        .filter(|inst| inst.op() == Some(Op::ExtInstImport) && inst.string_at(2).0.starts_with("NonSemantic."))
        .filter_map(|inst| inst.result())
        .collect();
    let is_debug = |inst: &Inst<'_>| match inst.op() {
        Some(
            Op::Line
            | Op::NoLine
            | Op::Source
            | Op::SourceContinued
            | Op::SourceExtension
            | Op::ModuleProcessed
            | Op::String,
        ) => true,
        Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR) => sets.contains(&inst.id_at(3)),
        Some(Op::ExtInstImport) => inst.result().is_some_and(|id| sets.contains(&id)),
        _ => false,
    };
    let removed: Vec<_> = module.insts().filter(is_debug).map(|inst| inst.index).collect();
    if removed.is_empty() { Vec::new() } else { vec![Change { removed, ..Change::default() }] }
}

/// Definitions that nothing uses: global ones, and values without effects.
pub(super) fn unused(module: &Module) -> Vec<Change> {
    let mut used: BTreeSet<Id> = BTreeSet::new();
    for inst in module.insts().filter(|inst| !is_about(inst)) {
        match inst.op() {
            Some(Op::EntryPoint) => drop(used.insert(inst.id_at(2))),
            _ => module.for_each_possible_id(&inst, |id| {
                used.insert(id);
            }),
        }
    }
    let is_unused = |inst: &Inst<'_>| inst.result().is_some_and(|id| !used.contains(&id));
    let mut out: Vec<Change> = Vec::new();
    for function in module.functions() {
        let insts: Vec<Inst<'_>> = super::body(module, function).collect();
        if insts.first().is_some_and(is_unused) {
            let removed = insts.iter().map(|inst| inst.index).collect();
            out.push(Change { removed, ..Change::default() });
            continue;
        }
        let kept = |op: Op| matches!(op, Op::Label | Op::Function | Op::FunctionParameter | Op::FunctionCall);
        let gone = insts.iter().filter(|inst| is_unused(inst) && inst.op().is_some_and(|op| !kept(op)));
        out.extend(gone.map(|inst| Change::remove(inst.index)));
    }
    out.extend(module.globals().filter(is_unused).map(|inst| Change::remove(inst.index)));
    out
}

/// The same, each without its operands and called functions: they stay though nothing uses them.
pub(super) fn unused_alone(module: &Module) -> Vec<Change> {
    let with_operands = |mut change: Change| {
        let [only] = change.removed[..] else { return None };
        module.for_each_possible_id(&module.inst(only), |id| change.kept.push(id));
        (!change.kept.is_empty()).then_some(change)
    };
    unused(module).into_iter().filter_map(with_operands).collect()
}

fn is_about(inst: &Inst<'_>) -> bool {
    matches!(inst.facts().section, Section::Name | Section::Annotation) || inst.op() == Some(Op::TypeForwardPointer)
}

/// Whether a decoration is one without which accesses would be undefined.
fn is_promise(inst: &Inst<'_>) -> bool {
    let decoration = match inst.op() {
        Some(Op::Decorate) => inst.word_at(2),
        Some(Op::MemberDecorate) => inst.word_at(3),
        _ => return false,
    };
    [Decoration::NonUniform, Decoration::Coherent, Decoration::Volatile].iter().any(|own| *own as u32 == decoration)
}

/// Decorations, execution modes, extensions and capabilities.
pub(super) fn annotations(module: &Module) -> Vec<Change> {
    let is_one = |inst: &Inst<'_>| {
        use Section::*;
        matches!(inst.facts().section, Annotation | ExecutionMode | Extension | Capability) && !is_promise(inst)
    };
    module.globals().filter(is_one).map(|inst| Change::remove(inst.index)).collect()
}
