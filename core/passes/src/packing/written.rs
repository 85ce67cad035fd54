//! Which scalars of its outputs a stage writes, and which of those only with undefined values.

use std::collections::BTreeMap;
use std::ops::Range;

use super::interface::{Arrayed, is_per_vertex};
use crate::liveness::{LeafSet, Liveness, Shapes, Step};
use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::{Module, Type};

/// Stores to one output variable.
#[derive(Debug, Clone, Default)]
pub struct Stored {
    /// Leaves that are stored to.
    pub any: LeafSet,
    /// Leaves that get a defined value at least once.
    pub defined: LeafSet,
    /// Leaves of arrays into which an index is known only at run time.
    pub indexed: LeafSet,
}

/// By output variable: its stores.
pub fn written(stage: &Liveness<'_>, arrayed: Arrayed) -> BTreeMap<Id, Stored> {
    let (module, shapes) = (stage.module(), stage.shapes());
    let mut values = Undefined { module, shapes, known: BTreeMap::new() };
    let mut out: BTreeMap<Id, Stored> = BTreeMap::new();
    for write in stage.writes() {
        let Some(ty) = element(module, write.variable, arrayed) else { continue };
        let path = path_in_one(module, write.variable, &write.path, arrayed);
        // After an index known only at run time any element may be the one.
        let known = path.iter().map_while(|step| if let Step::At(index) = step { Some(*index) } else { None });
        let range = shapes.range(ty, known);
        let leaves = LeafSet::range(range.clone());
        let stored = out.entry(write.variable).or_default();
        stored.any.add(&leaves);
        if let Some(leaves) = indexed(module, shapes, ty, path) {
            stored.indexed.add(&LeafSet::range(leaves));
        }
        let undefined = write.value.map(|value| values.of(value, MAX_DEPTH)).unwrap_or_default();
        let exact = !undefined.is_empty() && !path.contains(&Step::Any);
        stored.defined.add(&if exact { leaves.less(&undefined.moved_by(range.start)) } else { leaves });
    }
    out
}

/// The leaves of an array into which an index of the path is known only at run time, with the elements before it where
/// it is itself an element. Absent where only a component of a vector is indexed so.
///
/// A driver cannot know which of these locations an access reaches, so it keeps them together.
fn indexed(module: &Module, shapes: &Shapes<'_>, ty: Id, path: &[Step]) -> Option<Range<u32>> {
    let is_array =
        |ty| matches!(module.ty(ty), Some(Type::Array { .. } | Type::RuntimeArray { .. } | Type::Matrix { .. }));
    let any = path.iter().position(|step| *step == Step::Any)?;
    let mut first = Vec::with_capacity(path.len());
    let mut at = ty;
    for (place, step) in path.iter().enumerate() {
        let index = match *step {
            _ if is_array(at) => 0,
            Step::At(index) => index,
            Step::Any => break,
        };
        if place == any && !is_array(at) {
            return None;
        }
        first.push(index);
        let Some((part, _)) = shapes.part(at, index) else { break };
        at = part;
    }
    let known = path.iter().take(any).map(|step| if let Step::At(index) = step { *index } else { 0 });
    (first.len() > any).then(|| shapes.range(ty, first).start..shapes.range(ty, known).end)
}

/// What a stage reads of one of its own output variables.
#[derive(Debug, Clone, Default)]
pub struct ReadBack {
    /// Leaves that are read.
    pub any: LeafSet,
    /// As [`Stored::indexed`].
    pub indexed: LeafSet,
}

/// By output variable: the leaves that the stage itself reads, as a tessellation control shader may.
pub fn read_back(stage: &Liveness<'_>, arrayed: Arrayed) -> BTreeMap<Id, ReadBack> {
    let (module, shapes) = (stage.module(), stage.shapes());
    let mut out: BTreeMap<Id, ReadBack> = BTreeMap::new();
    for (variable, path) in stage.output_reads() {
        let Some(ty) = element(module, variable, arrayed) else { continue };
        let path = path_in_one(module, variable, &path, arrayed);
        let known = path.iter().map_while(|step| if let Step::At(index) = step { Some(*index) } else { None });
        let read = out.entry(variable).or_default();
        read.any.add(&LeafSet::range(shapes.range(ty, known)));
        if let Some(leaves) = indexed(module, shapes, ty, path) {
            read.indexed.add(&LeafSet::range(leaves));
        }
    }
    out
}

/// The way into one vertex's (or primitive's) part of a variable, where it has a part for each.
fn path_in_one<'p>(module: &Module, variable: Id, path: &'p [Step], arrayed: Arrayed) -> &'p [Step] {
    if is_per_vertex(module, variable, arrayed) { path.get(1..).unwrap_or(&[]) } else { path }
}

/// The type of an output: for arrayed outputs, of one vertex's or primitive's.
fn element(module: &Module, variable: Id, arrayed: Arrayed) -> Option<Id> {
    let ty = module.pointee(variable)?;
    match module.ty(ty)? {
        Type::Array { element, .. } if is_per_vertex(module, variable, arrayed) => Some(element),
        _ => Some(ty),
    }
}

/// Maximum depth to which values are analysed; deeper ones count as defined.
const MAX_DEPTH: u32 = 64;

/// The leaves of values that are undefined for certain, each value looked at once.
struct Undefined<'a, 'm> {
    module: &'m Module,
    shapes: &'a Shapes<'m>,
    known: BTreeMap<Id, LeafSet>,
}

impl Undefined<'_, '_> {
    fn of(&mut self, value: Id, depth: u32) -> LeafSet {
        let of_parts = [Op::CompositeConstruct, Op::ConstantComposite, Op::VectorShuffle, Op::CompositeInsert];
        match self.module.def(value).and_then(|inst| inst.op()) {
            Some(op) if of_parts.contains(&op) => self.of_composite(value, depth),
            Some(Op::Undef) if depth > 0 => {
                self.module.type_of(value).map(|ty| self.shapes.all(ty)).unwrap_or_default()
            }
            _ => LeafSet::default(),
        }
    }

    fn of_composite(&mut self, value: Id, depth: u32) -> LeafSet {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        // A value that a broken module makes of itself counts as defined.
        self.known.insert(value, LeafSet::default());
        let found = depth.checked_sub(1).map(|depth| self.leaves(value, depth)).unwrap_or_default();
        self.known.insert(value, found.clone());
        found
    }

    fn leaves(&mut self, value: Id, depth: u32) -> LeafSet {
        let mut out = LeafSet::default();
        let Some(inst) = self.module.def(value) else { return out };
        let Some(ty) = inst.result_type() else { return out };
        match inst.op() {
            Some(Op::CompositeConstruct | Op::ConstantComposite) => {
                let mut start = 0u32;
                for &part in inst.words_from(3) {
                    out.add(&self.of(Id(part), depth).moved_by(start));
                    start = start.saturating_add(self.shapes.leaves_of_value(Id(part)));
                }
                if start != self.shapes.leaves(ty) {
                    return LeafSet::default();
                }
            }
            Some(Op::VectorShuffle) => {
                let sources = [inst.id_at(3), inst.id_at(4)].map(|id| self.of(id, depth));
                let split = self.shapes.leaves_of_value(inst.id_at(3));
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
                let range = self.shapes.range(ty, inst.words_from(5).iter().copied());
                let of_part = self.of(inst.id_at(3), depth);
                out = self.of(inst.id_at(4), depth).without(range.clone());
                out.add(&of_part.moved_by(range.start));
            }
            _ => {}
        }
        out
    }
}
