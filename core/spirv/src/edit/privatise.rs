//! Interface variables taken out of the interface: they keep their ids and become variables of the invocation.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::spirv::GlslStd450Op as GLOp;

use super::{Editor, push};
use crate::enums::{Decoration, Op, StorageClass};
use crate::{Inst, InstId, Module, Type};
use lanescope_base::ids::Id;

/// A use of an interface variable that cannot be taken along.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("instruction #{} ({name}): {why}", .instruction.0)]
pub struct Escape {
    /// The instruction.
    pub instruction: InstId,
    /// Its name.
    pub name: String,
    /// The reason why it cannot be moved.
    pub why: String,
}

impl Escape {
    /// An escape at an instruction.
    pub fn at(inst: &Inst<'_>, why: impl Into<String>) -> Escape {
        Escape { instruction: inst.index, name: inst.name(), why: why.into() }
    }
}

/// Decorations that only variables of the interface, or members of their types, may have.
fn is_of_interface(decoration: u32) -> bool {
    use Decoration::*;
    matches!(
        Decoration::from_u32(decoration),
        Some(
            Location
                | Component
                | Index
                | BuiltIn
                | Flat
                | NoPerspective
                | Centroid
                | Sample
                | Patch
                | Invariant
                | Stream
                | XfbBuffer
                | XfbStride
                | Block
                | PerVertexKHR
                | ExplicitInterpAMD
                | PerPrimitiveEXT
                | PerTaskNV
                | PerViewNV
        )
    )
}

/// Whether a decoration group has decorations of the interface.
fn group_is_of_interface(module: &Module, group: Id) -> bool {
    let of_group = |inst: &Inst<'_>| matches!(inst.op(), Some(Op::Decorate | Op::DecorateId)) && inst.id_at(1) == group;
    module.globals().filter(of_group).any(|inst| is_of_interface(inst.word_at(2)))
}

impl Editor<'_> {
    /// Makes variables private, with their interface decorations removed and every pointer into them retyped.
    ///
    /// `handled` are instructions that the caller replaces: the caller is responsible for their uses of the pointers.
    /// Fails where a pointer goes anywhere but into access chains, copies, loads and stores, or where a block type is
    /// shared with a variable that stays.
    pub fn privatise(&mut self, variables: &BTreeSet<Id>, handled: &BTreeSet<InstId>) -> Result<(), Escape> {
        let module = self.module();
        self.strip_decorations(variables)?;
        let mut retyped = BTreeMap::new();
        for variable in variables.iter().filter_map(|&id| module.def(id)) {
            let Some(pointee) = variable.result_type().and_then(|ty| module.pointee(ty)) else { continue };
            // Declared right before, not at the end: what refers to the variable may be anywhere after it.
            let pointer = self.fresh();
            let mut words = Vec::new();
            push(&mut words, Op::TypePointer, &[pointer.0, StorageClass::Private as u32, pointee.0]);
            let mut operands = vec![pointer.0, variable.word_at(2), StorageClass::Private as u32];
            operands.extend(variable.words_from(4));
            push(&mut words, Op::Variable, &operands);
            self.replace(variable.index, words);
            retyped.extend(variable.result().map(|id| (id, pointer)));
        }
        self.retype_pointers(retyped, handled)
    }

    fn strip_decorations(&mut self, variables: &BTreeSet<Id>) -> Result<(), Escape> {
        let module = self.module();
        let mut structs = BTreeSet::new();
        for &variable in variables {
            module.pointee(variable).into_iter().for_each(|ty| collect_structs(module, ty, &mut structs));
        }
        let mut stripped = BTreeSet::new();
        for inst in module.globals() {
            let target = inst.id_at(1);
            let kind = match inst.op() {
                Some(Op::Decorate | Op::DecorateId) if variables.contains(&target) => inst.word_at(2),
                // Blocks.
                Some(Op::Decorate) if structs.contains(&target) => inst.word_at(2),
                Some(Op::MemberDecorate) if structs.contains(&target) => inst.word_at(3),
                Some(Op::GroupDecorate | Op::GroupMemberDecorate) => {
                    let named = |&id: &u32| variables.contains(&Id(id)) || structs.contains(&Id(id));
                    // A private variable may keep the group's decorations, unless they are of the interface.
                    if group_is_of_interface(module, target) && inst.words_from(2).iter().any(named) {
                        return Err(Escape::at(&inst, "decorates an interface variable through a group"));
                    }
                    continue;
                }
                _ => continue,
            };
            if is_of_interface(kind) {
                self.replace(inst.index, Vec::new());
                stripped.insert(target);
            }
        }
        for inst in module.globals() {
            let stays = inst.op() == Some(Op::Variable) && inst.result().is_some_and(|id| !variables.contains(&id));
            let mut used = BTreeSet::new();
            if stays && let Some(ty) = inst.result_type().and_then(|ty| module.pointee(ty)) {
                collect_structs(module, ty, &mut used);
            }
            if let Some(shared) = used.intersection(&stripped).next() {
                return Err(Escape::at(
                    &inst,
                    format!("shares the block type %{shared} with a variable that is moved"),
                ));
            }
        }
        Ok(())
    }

    /// Retypes what is derived from pointers. `derived` are the variables with their new types.
    fn retype_pointers(&mut self, mut derived: BTreeMap<Id, Id>, handled: &BTreeSet<InstId>) -> Result<(), Escape> {
        let module = self.module();
        let start = module.functions().first().map_or(module.len() as u32, |f| f.insts.start);
        let glsl = ext_set(module, "GLSL.std.450");
        for inst in module.insts_in(start..module.len() as u32) {
            match inst.op() {
                Some(op)
                    if (inst.is_access_chain() || op == Op::CopyObject)
                        && let Some(&of_operand) = derived.get(&inst.id_at(3)) =>
                {
                    let Some(pointee) = inst.result_type().and_then(|ty| module.pointee(ty)) else {
                        return Err(Escape::at(
                            &inst,
                            "derives a value other than a pointer from an interface variable",
                        ));
                    };
                    // A copy has the very type of what it copies, which for a variable is one of its own.
                    let pointer = match op {
                        Op::CopyObject => of_operand,
                        _ => self.pointer(StorageClass::Private, pointee),
                    };
                    let mut words = inst.words.to_vec();
                    if let Some(ty) = words.get_mut(1) {
                        *ty = pointer.0;
                    }
                    self.replace(inst.index, words);
                    derived.extend(inst.result().map(|id| (id, pointer)));
                }
                Some(Op::Load | Op::CopyMemory | Op::Name) => {}
                Some(Op::Store) if !derived.contains_key(&inst.id_at(2)) => {}
                Some(Op::ExtInst) if is_moved_along(module, glsl, &inst) || handled.contains(&inst.index) => {}
                _ => {
                    let mut escapes = false;
                    module.for_each_possible_id(&inst, |id| escapes |= derived.contains_key(&id));
                    if escapes {
                        return Err(Escape::at(&inst, "uses a pointer into the interface in an unsupported way"));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The id under which a set of extended instructions is imported.
pub fn ext_set(module: &Module, name: &str) -> Option<Id> {
    let mut imports = module.insts().take_while(|inst| inst.op() != Some(Op::MemoryModel));
    imports.find(|inst| inst.op() == Some(Op::ExtInstImport) && inst.string_at(2).0 == name)?.result()
}

/// An extended instruction for which any storage class will do: those that store a second result, and debug
/// information.
fn is_moved_along(module: &Module, glsl: Option<Id>, inst: &Inst<'_>) -> bool {
    if glsl == Some(inst.id_at(3)) {
        return matches!(GLOp::from_u32(inst.word_at(4)), Some(GLOp::Modf | GLOp::Frexp));
    }
    let import = module.def(inst.id_at(3)).filter(|import| import.op() == Some(Op::ExtInstImport));
    import.is_some_and(|import| import.string_at(2).0.starts_with("NonSemantic."))
}

/// Maximum number of types that are entered, for broken modules whose types contain themselves.
const MAX_TYPES: usize = 1 << 16;

/// The structures that a type is or holds.
fn collect_structs(module: &Module, ty: Id, out: &mut BTreeSet<Id>) {
    let (mut work, mut steps) = (vec![ty], 0);
    while let Some(ty) = work.pop() {
        steps += 1;
        if steps > MAX_TYPES {
            return;
        }
        match module.ty(ty) {
            Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => work.push(element),
            Some(Type::Struct { members }) if out.insert(ty) => work.extend(members.iter().map(|&m| Id(m))),
            _ => {}
        }
    }
}
