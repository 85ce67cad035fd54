//! Decoration groups expanded: every target with decorations of its own, which an edit can then change alone.

use std::collections::{BTreeMap, BTreeSet};

use super::{Editor, Escape, push};
use crate::enums::Op;
use crate::{Inst, InstId, MAX_INSTRUCTIONS, Module};
use lanescope_base::ids::Id;

/// The module without decoration groups; absent where it has none.
///
/// Ids stay as they are. The size is bounded: a module whose groups apply more decorations than a module may have
/// instructions is rejected before anything is expanded.
///
/// # Errors
/// The instruction whose group cannot be expanded.
pub fn ungrouped(module: &Module) -> Result<Option<Module>, Escape> {
    let applies = |inst: &Inst<'_>| matches!(inst.op(), Some(Op::GroupDecorate | Op::GroupMemberDecorate));
    let groups = module.globals().filter(|inst| applies(inst) || inst.op() == Some(Op::DecorationGroup));
    let groups: BTreeSet<Id> = groups.map(|inst| inst.id_at(1)).collect();
    if groups.is_empty() {
        return Ok(None);
    }
    let mut editor = Editor::new(module);
    let mut decorations: BTreeMap<Id, Vec<InstId>> = BTreeMap::new();
    for inst in module.globals().filter(|inst| groups.contains(&inst.id_at(1))) {
        match inst.op() {
            Some(Op::Decorate | Op::DecorateId | Op::DecorateString) => {
                decorations.entry(inst.id_at(1)).or_default().push(inst.index);
                editor.replace(inst.index, Vec::new());
            }
            Some(Op::Name | Op::DecorationGroup) => editor.replace(inst.index, Vec::new()),
            _ => {}
        }
    }
    let mut left = MAX_INSTRUCTIONS.saturating_sub(module.len());
    // Targets that a group already has: a decoration may be applied once.
    let mut known: BTreeSet<(Id, u32, Option<u32>)> = BTreeSet::new();
    for inst in module.globals().filter(applies) {
        let group = inst.id_at(1);
        let of_members = inst.op() == Some(Op::GroupMemberDecorate);
        let step = 1 + usize::from(of_members);
        let rows = decorations.get(&group).map(Vec::as_slice).unwrap_or_default();
        let mut words = Vec::new();
        for target in inst.words_from(2).chunks_exact(step) {
            if !known.insert((group, target[0], target.get(1).copied())) {
                continue;
            }
            left = left
                .checked_sub(rows.len())
                .ok_or_else(|| Escape::at(&inst, "applies more decorations than a module can hold"))?;
            for row in rows.iter().map(|&row| module.inst(row)) {
                let op = match row.op() {
                    Some(Op::DecorateString) if of_members => Op::MemberDecorateString,
                    Some(Op::Decorate) if of_members => Op::MemberDecorate,
                    Some(op) if !of_members => op,
                    _ => return Err(Escape::at(&inst, "applies a decoration with ids to a member")),
                };
                let operands: Vec<u32> = target.iter().chain(row.words_from(2)).copied().collect();
                if operands.len() >= usize::from(u16::MAX) {
                    return Err(Escape::at(&row, "is too long to be expanded"));
                }
                push(&mut words, op, &operands);
            }
        }
        editor.replace(inst.index, words);
    }
    editor.finish().map(Some).map_err(|error| Escape {
        instruction: InstId(0),
        name: "the module".to_owned(),
        why: format!("cannot be read after its decoration groups are expanded: {error}"),
    })
}
