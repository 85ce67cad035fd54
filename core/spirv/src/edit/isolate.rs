//! Entry points of one module taken apart: variables that they share are duplicated, with the functions that use them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Editor, Escape};
use crate::enums::Op;
use crate::opcode::Section;
use crate::{EntryPoint, Function, Inst, InstId, Module, ParseError};
use lanescope_base::StageKind;
use lanescope_base::ids::Id;

/// Why entry points cannot be taken apart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IsolateError {
    /// An instruction whose operands are unknown.
    #[error("{0}")]
    Instruction(#[from] Escape),
    /// The module with duplicates has more ids or instructions than SPIR-V allows.
    #[error("the module with duplicated variables: {0}")]
    Module(#[from] ParseError),
}

/// The module in which no other entry point than `entry` uses the variables `shared`, or emits the vertices of a
/// geometry shader in one of its functions; absent where none does.
///
/// The entry point keeps its ids. All others share one duplicate of each variable, and of each function that both sides
/// call and that uses one of the variables, emits vertices, or calls such a function. Decoration groups must be expanded
/// before (see [`super::ungrouped`]). The result has at most twice the instructions.
///
/// # Errors
/// An instruction that is not in the grammar, in a function that must be duplicated; a module that becomes too large.
pub fn isolated(module: &Module, entry: usize, shared: &BTreeSet<Id>) -> Result<Option<Module>, IsolateError> {
    let points = module.entry_points();
    let Some(own) = points.get(entry) else { return Ok(None) };
    let ours = reachable(module, [own.function]);
    let emitting: BTreeSet<Id> = match own.stage {
        Some(StageKind::Geometry) => ours.iter().copied().filter(|&id| emits(module, id)).collect(),
        _ => BTreeSet::new(),
    };
    let shares = |point: &EntryPoint| {
        point.interface.iter().any(|id| shared.contains(id))
            || (!emitting.is_empty() && !reachable(module, [point.function]).is_disjoint(&emitting))
    };
    let others = points.iter().enumerate().filter(|(index, point)| *index != entry && shares(point));
    let others: BTreeMap<usize, &EntryPoint> = others.collect();
    if others.is_empty() {
        return Ok(None);
    }
    let theirs = reachable(module, others.values().map(|point| point.function));
    let both: BTreeSet<Id> = ours.intersection(&theirs).copied().collect();
    let copied = copied(module, &both, own.function, shared);
    let mut editor = Editor::new(module);
    let mut copies = Copies { module, ids: BTreeMap::new() };
    for &variable in shared.iter().filter(|&&id| others.values().any(|point| point.interface.contains(&id))) {
        copies.ids.insert(variable.0, editor.fresh().0);
    }
    for inst in copied.iter().flat_map(|&id| module.function(id)).flat_map(|f| module.insts_in(f.insts.clone())) {
        if let Some(result) = inst.result() {
            copies.ids.insert(result.0, editor.fresh().0);
        }
    }
    let mut at = 0;
    for inst in module.globals() {
        let words = match inst.op() {
            Some(Op::EntryPoint) => {
                at += 1;
                if others.contains_key(&(at - 1)) { copies.of(&inst)? } else { continue }
            }
            Some(Op::Variable) if inst.result().is_some_and(|id| copies.has(id)) => copies.beside(&inst)?,
            _ if is_about_one(&inst) && copies.has(inst.id_at(1)) => copies.beside(&inst)?,
            _ => continue,
        };
        editor.replace(inst.index, words);
    }
    let mut added = Vec::new();
    for function in module.functions() {
        let insts = module.insts_in(function.insts.clone());
        if copied.contains(&function.id) {
            for inst in insts {
                added.extend(copies.of(&inst)?);
            }
        } else if theirs.contains(&function.id) && !both.contains(&function.id) {
            for inst in insts {
                let words = copies.of(&inst)?;
                if words != inst.words {
                    editor.replace(inst.index, words);
                }
            }
        }
    }
    editor.insert_before(InstId(module.len() as u32), &added);
    Ok(Some(editor.finish()?))
}

/// Whether an instruction names, decorates or describes what its first operand is.
fn is_about_one(inst: &Inst<'_>) -> bool {
    matches!(inst.facts().section, Section::Name | Section::Annotation | Section::ExecutionMode)
}

/// The duplicates of a module's ids.
struct Copies<'m> {
    module: &'m Module,
    ids: BTreeMap<u32, u32>,
}

impl Copies<'_> {
    fn has(&self, id: Id) -> bool {
        self.ids.contains_key(&id.0)
    }

    /// An instruction with the duplicates instead of the ids that have one.
    fn of(&self, inst: &Inst<'_>) -> Result<Vec<u32>, Escape> {
        let mut words = inst.words.to_vec();
        let mut places: Vec<usize> = Vec::new();
        self.module.for_each_id_place(inst, |at| places.push(at)).map_err(|_| {
            Escape::at(inst, "is not in the SPIR-V grammar and may use a variable of another entry point")
        })?;
        places.extend(inst.result().map(|_| 1 + usize::from(inst.result_type().is_some())));
        for word in places {
            if let Some(word) = words.get_mut(word)
                && let Some(&copy) = self.ids.get(word)
            {
                *word = copy;
            }
        }
        Ok(words)
    }

    /// An instruction, then its duplicate.
    fn beside(&self, inst: &Inst<'_>) -> Result<Vec<u32>, Escape> {
        let mut words = inst.words.to_vec();
        words.extend(self.of(inst)?);
        Ok(words)
    }
}

/// The functions that are called from some, those included.
fn reachable(module: &Module, from: impl IntoIterator<Item = Id>) -> BTreeSet<Id> {
    let mut work: Vec<Id> = from.into_iter().collect();
    let mut seen: BTreeSet<Id> = work.iter().copied().collect();
    while let Some(id) = work.pop() {
        let Some(function) = module.function(id) else { continue };
        let called = callees(module, function).filter(|&id| seen.insert(id)).collect::<Vec<_>>();
        work.extend(called);
    }
    seen.retain(|&id| module.function(id).is_some());
    seen
}

fn callees(module: &Module, function: &Function) -> impl Iterator<Item = Id> {
    let calls = module.insts_in(function.insts.clone()).filter(|inst| inst.op() == Some(Op::FunctionCall));
    calls.map(|inst| inst.id_at(3))
}

/// Whether a function emits vertices itself.
fn emits(module: &Module, function: Id) -> bool {
    module
        .function(function)
        .is_some_and(|function| module.insts_in(function.insts.clone()).any(|inst| emits_at(&inst)))
}

fn emits_at(inst: &Inst<'_>) -> bool {
    matches!(inst.op(), Some(Op::EmitVertex | Op::EmitStreamVertex))
}

/// Which functions of both sides the others need duplicates of: those that an edit of the entry point may change.
fn copied(module: &Module, both: &BTreeSet<Id>, entry: Id, shared: &BTreeSet<Id>) -> BTreeSet<Id> {
    let mut callers: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    let mut work = Vec::new();
    for function in both.iter().filter_map(|&id| module.function(id)) {
        callees(module, function).for_each(|callee| callers.entry(callee).or_default().push(function.id));
        let uses = |inst: Inst<'_>| {
            let mut found = emits_at(&inst);
            let unknown = module.for_each_id_used(&inst, |id| found |= shared.contains(&id)).is_err();
            found || unknown
        };
        if function.id == entry || module.insts_in(function.insts.clone()).any(uses) {
            work.push(function.id);
        }
    }
    let mut out: BTreeSet<Id> = work.iter().copied().collect();
    while let Some(id) = work.pop() {
        for &caller in callers.get(&id).into_iter().flatten() {
            if out.insert(caller) {
                work.push(caller);
            }
        }
    }
    out
}
