//! The stage before: its outputs kept for the invocation, and written as whole packed vectors where it ends.

use std::collections::{BTreeMap, BTreeSet};

use super::RewriteError;
use super::plan::{PackedVariable, Part, Slot};
use super::sides::{Moved, decorate};
use super::values::{self, Node};
use crate::ids::Id;
use crate::liveness::Shapes;
use crate::program::StageKind;
use crate::spirv::edit::Editor;
use crate::spirv::enums::{Decoration, Op, StorageClass};
use crate::spirv::{Inst, InstId, Module};

/// The packed outputs, and what each of their components gets.
pub(super) struct Outputs<'a> {
    /// How the variables in their place are named.
    pub prefix: &'a str,
    pub stage: StageKind,
    /// Variables that leave the interface.
    pub moved: &'a [Moved],
    /// Variables that stay, and by how many locations they move.
    pub kept: &'a [(Moved, i64)],
    pub variables: &'a [PackedVariable],
    pub parts: &'a BTreeMap<Slot, Part>,
}

/// The stage's module with `outputs` in place of what it declares.
pub(super) fn rewrite(module: &Module, entry: usize, outputs: &Outputs<'_>) -> Result<Module, RewriteError> {
    let point = module.entry_points().get(entry).ok_or(RewriteError::NoFragment)?;
    let shapes = Shapes::of(module);
    let ids: BTreeSet<Id> = outputs.moved.iter().map(|moved| moved.id).collect();
    let mut editor = Editor::new(module);
    editor.privatise(&ids, &BTreeSet::new())?;
    outputs.kept.iter().for_each(|(kept, by)| editor.move_locations(kept.id, *by));
    let invariant = |parts: &[Option<Part>]| {
        parts.iter().flatten().any(|(variable, ..)| module.is_decorated(*variable, None, Decoration::Invariant))
    };
    let mut written = Vec::new();
    for (index, packed) in outputs.variables.iter().enumerate() {
        let parts: Vec<Option<Part>> =
            (0..packed.count).map(|component| outputs.parts.get(&(index, component)).copied()).collect();
        if parts.iter().all(Option::is_none) {
            continue;
        }
        let scalar = values::type_of(&mut editor, packed.base);
        let ty = editor.vector(scalar, packed.count);
        let id = editor.variable(StorageClass::Output, ty);
        decorate(&mut editor, id, outputs.prefix, packed);
        if invariant(&parts) {
            editor.decorate(id, Decoration::Invariant, &[]);
        }
        written.push(Written { packed: *packed, id, ty, scalar, parts });
    }
    let mut nodes: BTreeMap<Id, (StorageClass, Vec<Node>)> = BTreeMap::new();
    let moved = outputs.moved.iter().map(|moved| (moved, StorageClass::Private));
    for (variable, class) in moved.chain(outputs.kept.iter().map(|(kept, _)| (kept, StorageClass::Output))) {
        let found = values::nodes(module, &shapes, variable.ty);
        let found = found.ok_or_else(|| RewriteError::Type { variable: variable.name.clone() })?;
        found.iter().for_each(|node| values::declare_narrow(&mut editor, node.scalar));
        nodes.insert(variable.id, (class, found));
    }
    for exit in exits(module, point.function, outputs.stage) {
        let code = write_all(&mut editor, &written, &nodes);
        editor.insert_before(exit, &code);
    }
    let enter: Vec<(Id, StorageClass)> = written.iter().map(|w| (w.id, StorageClass::Output)).collect();
    editor.change_interface(entry, |id| ids.contains(&id), &enter);
    Ok(editor.finish()?)
}

struct Written {
    packed: PackedVariable,
    id: Id,
    ty: Id,
    scalar: Id,
    parts: Vec<Option<Part>>,
}

/// Before which instructions the outputs are complete: where the entry point returns, or where a vertex of stream 0 is
/// emitted.
fn exits(module: &Module, function: Id, stage: StageKind) -> Vec<InstId> {
    let is_exit = |inst: &Inst<'_>| match inst.op() {
        Some(Op::EmitVertex) => true,
        Some(Op::EmitStreamVertex) => module.constant(inst.id_at(1)).is_none_or(|stream| stream.bits == 0),
        _ => false,
    };
    let functions = module.functions().iter();
    let found: Vec<Inst<'_>> = match stage {
        StageKind::Geometry => functions.flat_map(|f| module.insts_in(f.insts.clone())).filter(is_exit).collect(),
        _ => functions
            .filter(|f| f.id == function)
            .flat_map(|f| module.insts_in(f.insts.clone()))
            .filter(|inst| inst.op() == Some(Op::Return))
            .collect(),
    };
    found.iter().map(|inst| inst.index).collect()
}

/// Code that writes every packed output.
fn write_all(
    editor: &mut Editor<'_>,
    written: &[Written],
    nodes: &BTreeMap<Id, (StorageClass, Vec<Node>)>,
) -> Vec<u32> {
    let mut code = Vec::new();
    let mut loaded: BTreeMap<(Id, u32), Id> = BTreeMap::new();
    for output in written {
        let mut components = Vec::new();
        for part in &output.parts {
            let value = part.and_then(|(variable, leaf, dword)| {
                let (class, nodes) = nodes.get(&variable)?;
                let node = nodes.iter().find(|node| (node.leaf..node.leaf + node.count).contains(&leaf))?;
                let vector = match loaded.get(&(variable, node.leaf)) {
                    Some(&known) => known,
                    None => {
                        let place = editor.part(&mut code, *class, variable, &node.path, node.ty);
                        let value = editor.load(&mut code, node.ty, place);
                        loaded.insert((variable, node.leaf), value);
                        value
                    }
                };
                let scalar = editor.component(&mut code, vector, node.count, leaf - node.leaf, node.scalar);
                values::pack(editor, &mut code, (scalar, node.scalar), dword, output.packed.base)
            });
            components.push(value.unwrap_or_else(|| editor.undefined(output.scalar)));
        }
        let value = editor.compose(&mut code, output.ty, &components);
        editor.store(&mut code, output.id, value);
    }
    code
}
