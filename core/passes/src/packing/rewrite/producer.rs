//! The stage before: its outputs kept for the invocation, and written as whole packed vectors where it ends.

use std::collections::{BTreeMap, BTreeSet};

use super::RewriteError;
use super::plan::{PackedVariable, Part, Slot};
use super::sides::{Moved, decorate};
use super::values::{self, Node};
use crate::liveness::Shapes;
use lanescope_base::ids::Id;
use lanescope_model::program::StageKind;
use lanescope_spirv::edit::{Editor, Escape};
use lanescope_spirv::enums::{Decoration, Op, StorageClass};
use lanescope_spirv::{Function, Inst, InstId, Module};

/// The packed outputs, and what each of their components gets.
pub(super) struct Outputs<'a> {
    /// Name prefix of the replacement variables.
    pub prefix: &'a str,
    pub stage: StageKind,
    /// The vertex stream that they are of; 0 but for geometry shaders.
    pub stream: u32,
    /// Variables that leave the interface.
    pub moved: &'a [Moved],
    /// Variables that stay, and by how many locations they move.
    pub kept: &'a [(Moved, i64)],
    pub variables: &'a [PackedVariable],
    pub parts: &'a BTreeMap<Slot, Part>,
}

/// The stage's module with `outputs` instead of what it declares.
pub(super) fn rewrite(module: &Module, entry: usize, outputs: &Outputs<'_>) -> Result<Module, RewriteError> {
    let shapes = Shapes::of(module);
    let ids: BTreeSet<Id> = outputs.moved.iter().map(|moved| moved.id).collect();
    let mut editor = Editor::new(module);
    editor.privatise(&ids, &BTreeSet::new())?;
    outputs.kept.iter().for_each(|(kept, by)| editor.move_locations(kept.id, *by));
    let moved = outputs.moved.iter().map(|moved| (moved, StorageClass::Private));
    let mut held: BTreeMap<Id, Held> = BTreeMap::new();
    for (variable, class) in moved.chain(outputs.kept.iter().map(|(kept, _)| (kept, StorageClass::Output))) {
        let nodes = values::nodes(module, &shapes, variable.ty);
        let nodes = nodes.ok_or_else(|| RewriteError::Type { variable: variable.name.clone() })?;
        nodes.iter().for_each(|node| values::declare_narrow(&mut editor, node.scalar));
        held.insert(variable.id, Held { class, ty: variable.ty, nodes });
    }
    let is_invariant = |&(variable, leaf, _): &Part| {
        let of_member = || {
            let held = held.get(&variable)?;
            Some(is_in_invariant_member(module, &shapes, held.ty, &held.node(leaf)?.path))
        };
        module.is_decorated(variable, None, Decoration::Invariant) || of_member().unwrap_or(false)
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
        if outputs.stream != 0 {
            editor.decorate(id, Decoration::Stream, &[outputs.stream]);
        }
        if parts.iter().flatten().any(is_invariant) {
            editor.decorate(id, Decoration::Invariant, &[]);
        }
        written.push(Written { packed: *packed, id, ty, scalar, parts });
    }
    let exits = if written.is_empty() { Vec::new() } else { exits(module, entry, outputs)? };
    for exit in exits {
        let code = write_all(&mut editor, &written, &held);
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

/// A variable as written, where its values are kept.
struct Held {
    class: StorageClass,
    /// Of one vertex.
    ty: Id,
    nodes: Vec<Node>,
}

impl Held {
    /// The vector that a leaf is of.
    fn node(&self, leaf: u32) -> Option<&Node> {
        self.nodes.iter().find(|node| (node.leaf..node.leaf + node.count).contains(&leaf))
    }
}

/// Whether a path into a type leads through a member that is decorated as invariant.
fn is_in_invariant_member(module: &Module, shapes: &Shapes<'_>, ty: Id, path: &[u32]) -> bool {
    let mut at = ty;
    path.iter().any(|&index| {
        let is_invariant = module.is_decorated(at, Some(index), Decoration::Invariant);
        at = shapes.part(at, index).map_or(at, |(part, _)| part);
        is_invariant
    })
}

/// Before which instructions the outputs are complete: where the entry point returns, or where a vertex of their stream
/// is emitted. Fails where another entry point would run what is put there.
fn exits(module: &Module, entry: usize, outputs: &Outputs<'_>) -> Result<Vec<InstId>, RewriteError> {
    let point = module.entry_points().get(entry).ok_or(RewriteError::NoFragment)?;
    let emits = outputs.stage == StageKind::Geometry;
    let is_exit = |inst: &Inst<'_>| match inst.op() {
        Some(Op::Return) => !emits,
        Some(Op::EmitVertex) => emits,
        Some(Op::EmitStreamVertex) => {
            emits && module.constant(inst.id_at(1)).is_none_or(|stream| stream.bits == u64::from(outputs.stream))
        }
        _ => false,
    };
    let mut functions = module.reachable(point);
    functions.retain(|function| emits || function.id == point.function);
    let exits_of = |function: &Function| {
        let insts = module.insts_in(function.insts.clone()).filter(is_exit);
        insts.map(|inst| (function.id, inst)).collect::<Vec<_>>()
    };
    let exits: Vec<(Id, Inst<'_>)> = functions.into_iter().flat_map(exits_of).collect();
    for (_, other) in module.entry_points().iter().enumerate().filter(|(index, _)| *index != entry) {
        let reached: BTreeSet<Id> = module.reachable(other).into_iter().map(|function| function.id).collect();
        if let Some((_, inst)) = exits.iter().find(|(function, _)| reached.contains(function)) {
            let why = format!("is also used by the entry point {}, which is not rewritten", other.name);
            return Err(Escape::at(inst, why).into());
        }
    }
    Ok(exits.iter().map(|(_, inst)| inst.index).collect())
}

/// Code that writes every packed output.
fn write_all(editor: &mut Editor<'_>, written: &[Written], held: &BTreeMap<Id, Held>) -> Vec<u32> {
    let mut code = Vec::new();
    let mut loaded: BTreeMap<(Id, u32), Id> = BTreeMap::new();
    for output in written {
        let mut components = Vec::new();
        for part in &output.parts {
            let value = part.and_then(|(variable, leaf, dword)| {
                let held = held.get(&variable)?;
                let node = held.node(leaf)?;
                let vector = match loaded.get(&(variable, node.leaf)) {
                    Some(&known) => known,
                    None => {
                        let place = editor.part(&mut code, held.class, variable, &node.path, node.ty);
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
