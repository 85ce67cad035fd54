//! Folds a workgroup into one row: X·Y·Z, 1, 1.
//!
//! Lanes of a subgroup are counted along a row on every device that was measured (`lanescope probe`), but some start a
//! new subgroup with every row. In one row, four lanes are four consecutive indices for any X. Which thread runs
//! which invocation does not change: the index is the same number.

use super::RewriteError;
use lanescope_spirv::edit::{Editor, push};
use lanescope_spirv::enums::{BuiltIn, Decoration, ExecutionMode, Op};
use lanescope_spirv::{EntryPoint, InstId};

/// Makes the entry point's size one row of `invocations`.
///
/// Fails where a constant gives the size of another entry point's workgroups too.
pub(super) fn fold(editor: &mut Editor<'_>, index: usize, invocations: u32) -> Result<(), RewriteError> {
    let module = editor.module();
    let Some(entry) = module.entry_points().get(index) else { return Ok(()) };
    let sizes = [ExecutionMode::LocalSize as u32, ExecutionMode::LocalSizeId as u32];
    let mut row = Vec::new();
    push(&mut row, Op::ExecutionMode, &[entry.function.0, ExecutionMode::LocalSize as u32, invocations, 1, 1]);
    let mut last = None;
    for inst in module.globals() {
        match inst.op() {
            Some(Op::ExecutionMode | Op::ExecutionModeId)
                if inst.id_at(1) == entry.function && sizes.contains(&inst.word_at(2)) =>
            {
                editor.replace(inst.index, std::mem::take(&mut row));
            }
            // The constant comes before the execution modes; the shader keeps reading it as a plain one.
            Some(Op::Decorate)
                if inst.word_at(2) == Decoration::BuiltIn as u32
                    && inst.word_at(3) == BuiltIn::WorkgroupSize as u32 =>
            {
                only(module.entry_points(), index)?;
                editor.replace(inst.index, Vec::new());
            }
            Some(Op::EntryPoint) => last = Some(inst.index),
            _ => {}
        }
    }
    if let Some(InstId(last)) = last.filter(|_| !row.is_empty()) {
        editor.insert_before(InstId(last + 1), &row);
    }
    Ok(())
}

/// No other entry point has workgroups.
fn only(entries: &[EntryPoint], index: usize) -> Result<(), RewriteError> {
    let others = entries.iter().enumerate().filter(|(other, _)| *other != index);
    let other = others.map(|(_, other)| other).find(|other| other.stage.is_some_and(|stage| stage.has_workgroup()));
    let Some(entry) = entries.get(index) else { return Ok(()) };
    other.map_or(Ok(()), |other| {
        let (entry, built_in) = (entry.name.clone(), "WorkgroupSize".to_owned());
        Err(RewriteError::SharedEntry { entry, built_in, other: other.name.clone() })
    })
}
