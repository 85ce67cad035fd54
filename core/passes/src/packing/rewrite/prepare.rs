//! Modules made ready for edits: decoration groups expanded, entry points taken apart.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::RewriteError;
use lanescope_base::ids::Id;
use lanescope_model::program::Program;
use lanescope_spirv::Module;
use lanescope_spirv::edit::{isolated, ungrouped};
use lanescope_spirv::enums::{Decoration, Op, StorageClass};

/// The program with modules that can be edited for its graphics stages alone: each decoration is of one target, and no
/// varying of a stage is used by another entry point. Ids of the stages stay.
///
/// # Errors
/// An instruction that stands in the way.
pub(super) fn prepared(given: &Program) -> Result<Cow<'_, Program>, RewriteError> {
    let mut out = Cow::Borrowed(given);
    for stage in given.stages.iter().filter(|stage| stage.stage.is_graphics()) {
        let module = ungrouped(out.module_of(stage))?;
        set(&mut out, stage.module, module);
        let module = out.module_of(stage);
        let apart = isolated(module, stage.entry_index, &shared(module, stage.entry_index))?;
        set(&mut out, stage.module, apart);
    }
    Ok(out)
}

/// Puts back the modules of `given` that only preparing changed.
pub(super) fn restore(out: &mut Program, prepared: &Program, given: &Program) {
    let modules = prepared.modules.iter().zip(&given.modules);
    for (now, (prepared, given)) in out.modules.iter_mut().zip(modules) {
        if now.module == prepared.module && prepared.module != given.module {
            now.clone_from(given);
        }
    }
}

fn set(program: &mut Cow<'_, Program>, index: usize, module: Option<Module>) {
    let Some(module) = module else { return };
    if let Some(loaded) = program.to_mut().modules.get_mut(index) {
        loaded.module = module;
        loaded.source = None;
        loaded.includes.clear();
    }
}

/// The varyings of an entry point that another one lists too.
fn shared(module: &Module, entry: usize) -> BTreeSet<Id> {
    let points = module.entry_points();
    let Some(own) = points.get(entry).filter(|_| points.len() > 1) else { return BTreeSet::new() };
    let is_varying = |id: &Id| {
        let class = module.def(*id).filter(|inst| inst.op() == Some(Op::Variable)).map(|inst| inst.word_at(3));
        let crosses = [StorageClass::Input, StorageClass::Output].map(|class| Some(class as u32)).contains(&class);
        crosses && !module.is_decorated(*id, None, Decoration::BuiltIn)
    };
    let own: BTreeSet<Id> = own.interface.iter().copied().filter(is_varying).collect();
    let others = points.iter().enumerate().filter(|(index, _)| *index != entry);
    others.flat_map(|(_, point)| &point.interface).copied().filter(|id| own.contains(id)).collect()
}
