//! Which scalars of its outputs a stage writes, and which of those only with undefined values.

use std::collections::BTreeMap;

use super::interface::Arrayed;
use super::leaves::{LeafSet, Shapes};
use super::reach::Reach;
use crate::ids::Id;
use crate::spirv::enums::{Op, StorageClass};
use crate::spirv::{EntryPoint, Module, Type};

/// What is stored to one output variable.
#[derive(Debug, Clone, Default)]
pub(super) struct Stored {
    /// Leaves that are stored to.
    pub any: LeafSet,
    /// Leaves that get a defined value at least once.
    pub defined: LeafSet,
}

/// By output variable: what is stored.
pub(super) fn written(module: &Module, entry: &EntryPoint, arrayed: Arrayed) -> BTreeMap<Id, Stored> {
    let shapes = Shapes::of(module);
    let mut out: BTreeMap<Id, Stored> = BTreeMap::new();
    for &id in &entry.interface {
        let Some(inst) = module.def(id) else { continue };
        let is_output = inst.op() == Some(Op::Variable) && inst.word_at(3) == StorageClass::Output as u32;
        if let (true, Some(_), Some(ty)) = (is_output, inst.words.get(4), element(module, id, arrayed)) {
            let stored = out.entry(id).or_default();
            stored.any.add(&shapes.all(ty));
            stored.defined.add(&shapes.all(ty));
        }
    }
    for inst in Reach::of(module, entry).insts() {
        let (pointer, value) = match inst.op() {
            Some(Op::Store) => (inst.id_at(1), Some(inst.id_at(2))),
            Some(Op::CopyMemory | Op::CopyMemorySized) => (inst.id_at(1), None),
            _ => continue,
        };
        let Some((variable, path)) = output_path(module, pointer) else { continue };
        let Some(ty) = element(module, variable, arrayed) else { continue };
        let path = if arrayed == Arrayed::PerVertex { path.get(1..).unwrap_or(&[]) } else { &path[..] };
        let known: Vec<u32> = path.iter().map_while(|index| *index).collect();
        // Behind an index known only at run time any element may be the one.
        let range = shapes.range(ty, &known);
        let leaves = LeafSet::range(range.clone());
        let stored = out.entry(variable).or_default();
        stored.any.add(&leaves);
        let undefined = value.map(|value| undefined(module, &shapes, value, 32)).unwrap_or_default();
        let exact = known.len() == path.len();
        let mut defined = LeafSet::default();
        range.clone().filter(|leaf| !(exact && undefined.contains(leaf - range.start))).for_each(|l| defined.insert(l));
        stored.defined.add(&defined);
    }
    out
}

/// The type of an output: for arrayed outputs, of one vertex's or primitive's.
fn element(module: &Module, variable: Id, arrayed: Arrayed) -> Option<Id> {
    let ty = module.pointee(variable)?;
    match module.ty(ty)? {
        Type::Array { element, .. } if arrayed == Arrayed::PerVertex => Some(element),
        _ => Some(ty),
    }
}

/// The output that a pointer leads into, and the constants on the way (absent: known only at run time).
fn output_path(module: &Module, pointer: Id) -> Option<(Id, Vec<Option<u32>>)> {
    let mut path = Vec::new();
    let mut inst = module.def(pointer)?;
    for _ in 0..1024 {
        match inst.op()? {
            Op::AccessChain | Op::InBoundsAccessChain => {
                let indices = inst.words_from(4).iter().rev();
                path.extend(indices.map(|&id| module.constant(Id(id)).and_then(|c| c.as_u32())));
                inst = module.def(inst.id_at(3))?;
            }
            Op::CopyObject => inst = module.def(inst.id_at(3))?,
            Op::Variable if inst.word_at(3) == StorageClass::Output as u32 => {
                path.reverse();
                return Some((inst.result()?, path));
            }
            _ => return None,
        }
    }
    None
}

/// The leaves of a value that are undefined for certain.
fn undefined(module: &Module, shapes: &Shapes<'_>, value: Id, depth: u32) -> LeafSet {
    let mut out = LeafSet::default();
    let (Some(inst), Some(depth)) = (module.def(value), depth.checked_sub(1)) else { return out };
    let Some(ty) = inst.result_type() else { return out };
    match inst.op() {
        Some(Op::Undef) => return shapes.all(ty),
        Some(Op::CompositeConstruct | Op::ConstantComposite) => {
            let mut start = 0;
            for &part in inst.words_from(3) {
                out.add(&undefined(module, shapes, Id(part), depth).moved_by(start));
                start += module.type_of(Id(part)).map_or(1, |ty| shapes.leaves(ty));
            }
            if start != shapes.leaves(ty) {
                return LeafSet::default();
            }
        }
        Some(Op::VectorShuffle) => {
            let sources = [inst.id_at(3), inst.id_at(4)].map(|id| undefined(module, shapes, id, depth));
            let split = module.type_of(inst.id_at(3)).map_or(0, |ty| shapes.leaves(ty));
            for (&component, leaf) in inst.words_from(5).iter().zip(0u32..) {
                let is_undefined = match component {
                    u32::MAX => true,
                    c if c < split => sources[0].contains(c),
                    c => sources[1].contains(c - split),
                };
                if is_undefined {
                    out.insert(leaf);
                }
            }
        }
        Some(Op::CompositeInsert) => {
            let range = shapes.range(ty, inst.words_from(5));
            let of_part = undefined(module, shapes, inst.id_at(3), depth);
            let of_whole = undefined(module, shapes, inst.id_at(4), depth);
            of_whole.iter().filter(|leaf| !range.contains(leaf)).for_each(|leaf| out.insert(leaf));
            out.add(&of_part.moved_by(range.start));
        }
        _ => {}
    }
    out
}
