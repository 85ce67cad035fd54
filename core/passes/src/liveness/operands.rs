//! What each instruction demands of its operands when some of its result is demanded.

use std::collections::BTreeMap;

use rspirv::spirv::GlslStd450Op as GLOp;

use super::flow::{Flow, Uses};
use super::frames::{self, Place};
use super::leaves::LeafSet;
use super::links::{ExtSet, Stored, input, reached};
use super::ops::is_component_wise_glsl;
use super::pointer::{self, Pointer, Step};
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::{Inst, Type};

/// One of the sets of leaves by where in the pixel they are read.
type ReadAt = fn(&mut Uses) -> &mut BTreeMap<Id, LeafSet>;

impl<'m> Flow<'_, 'm> {
    /// Demands what an instruction with an effect of its own uses.
    pub fn demand_operands_of_root(&mut self, inst: &Inst<'m>) {
        match inst.op() {
            // Only when its memory is demanded: see `demand_stores`.
            Some(Op::Store) if self.tracked(inst.id_at(1)).is_some() => {}
            // A volatile one.
            Some(Op::Load) => {
                if let Some(result) = inst.result() {
                    self.want_all(result);
                }
            }
            // Its result, its parameters' memory and what it does are followed; where its pointers lead is not.
            Some(Op::FunctionCall) => inst.words_from(4).iter().for_each(|&argument| self.demand_indices(Id(argument))),
            _ => self.demand_everything(inst),
        }
    }

    /// Demands all of each id that the instruction names.
    fn demand_everything(&mut self, inst: &Inst<'m>) {
        let mut ids = std::mem::take(&mut self.ids);
        ids.clear();
        self.module.for_each_possible_id(inst, |id| ids.push(id));
        ids.iter().for_each(|&id| self.want_anything(inst, id));
        self.ids = ids;
    }

    /// Demands all of a value that an instruction uses, and all of the memory that a pointer refers to.
    fn want_anything(&mut self, user: &Inst<'m>, id: Id) {
        self.want_all(id);
        if let Some(found) = self.tracked(id)
            && let Some(ty) = self.module.inst(found.pointer.base).result().and_then(|id| self.module.pointee(id))
        {
            let all = self.shapes.all(ty);
            self.want_memory(user.index, &found, &all);
        }
    }

    fn tracked(&self, pointer: Id) -> Option<Place> {
        self.links.tracked(self.module, self.frame, pointer)
    }

    /// Demands the indices of the access chains that make a pointer.
    fn demand_indices(&mut self, pointer: Id) {
        if let Some(inst) = self.module.def(pointer)
            && self.module.ty(inst.result_type().unwrap_or_default()).is_some_and(|t| matches!(t, Type::Pointer { .. }))
            && !matches!(inst.op(), Some(Op::Variable | Op::FunctionParameter))
        {
            self.want(pointer, &LeafSet::range(0..1));
        }
    }

    /// Hands on what is newly demanded of a result (or, for a variable, of its memory). Each leaf asks for the same
    /// whichever others are demanded, so what was handed on before need not be again.
    pub fn demand_operands(&mut self, inst: &Inst<'m>, demand: &LeafSet) {
        let Some(op) = inst.op() else { return self.demand_everything(inst) };
        match op {
            Op::Variable => self.demand_stores(inst, demand),
            Op::FunctionParameter => self.demand_arguments(inst, demand),
            Op::FunctionCall => {
                let Some(callee) = self.links.frames.callee(self.frame, inst.index) else { return };
                let values = self.links.returns(inst.id_at(3));
                self.inside(callee, |flow| values.iter().for_each(|&value| flow.want(value, demand)));
            }
            Op::Load => self.demand_load(inst, demand),
            _ if inst.is_access_chain() => {
                self.demand_indices(inst.id_at(3));
                inst.words_from(4).iter().for_each(|&index| self.want_all(Id(index)));
            }
            Op::CompositeExtract => {
                let Some(ty) = self.module.type_of(inst.id_at(3)) else { return };
                let range = self.shapes.range(ty, inst.words_from(4).iter().copied());
                let part = inst.result_type().map_or(1, |ty| self.shapes.leaves(ty));
                let moved =
                    if range.len() as u32 == part { demand.moved_by(range.start) } else { LeafSet::range(range) };
                self.want(inst.id_at(3), &moved);
            }
            Op::CompositeInsert => self.demand_insert(inst, demand),
            Op::CompositeConstruct => self.demand_construct(inst, demand),
            Op::VectorShuffle => self.demand_shuffle(inst, demand),
            Op::VectorInsertDynamic => {
                self.want(inst.id_at(3), demand);
                self.want_all(inst.id_at(4));
                self.want_all(inst.id_at(5));
            }
            Op::MatrixTimesVector
            | Op::VectorTimesMatrix
            | Op::MatrixTimesMatrix
            | Op::OuterProduct
            | Op::Transpose => self.demand_matrix(op, inst, demand),
            Op::Phi => {
                for pair in inst.words_from(3).chunks_exact(2) {
                    // Nothing comes from a block that cannot run.
                    if self.module.def(Id(pair[1])).is_some_and(|label| self.reach.can_run(label.index)) {
                        self.want(Id(pair[0]), demand);
                    }
                }
            }
            Op::ExtInst => self.demand_extended(inst, demand),
            _ if inst.facts().component_wise => self.demand_component_wise(inst, inst.words_from(3), demand),
            _ => self.demand_everything(inst),
        }
    }

    /// Each operand with as many leaves as the result is demanded leaf by leaf; a scalar beside a vector, whole.
    fn demand_component_wise(&mut self, inst: &Inst<'m>, operands: &[u32], demand: &LeafSet) {
        let leaves = inst.result_type().map_or(1, |ty| self.shapes.leaves(ty));
        for &operand in operands {
            let Some(ty) = self.module.type_of(Id(operand)) else { continue };
            if self.shapes.leaves(ty) == leaves {
                self.want(Id(operand), demand);
            } else {
                self.want_all(Id(operand));
            }
        }
    }

    /// The memory's stores in any function: what they put into demanded leaves is demanded.
    fn demand_stores(&mut self, base: &Inst<'m>, demand: &LeafSet) {
        let Some(memory) = self.links.memory(self.frame, base.index) else { return };
        let is_whole = self.links.is_whole(memory);
        for store in self.links.stores(memory) {
            if is_whole {
                self.inside(store.frame, |flow| {
                    flow.want_all(store.value);
                    flow.demand_indices(store.pointer);
                });
            } else {
                self.want_stored(store, demand);
            }
        }
    }

    /// Demands what a store puts into demanded leaves; says whether it writes all of the leaves that it reaches.
    pub(super) fn want_stored(&mut self, store: &Stored, demand: &LeafSet) -> bool {
        let stored = demand.within(store.leaves.clone());
        let fits = store.leaves.len() as u32 == self.shapes.leaves_of_value(store.value);
        let is_exact = fits && store.exact;
        if is_exact && stored.is_empty() {
            return true;
        }
        self.inside(store.frame, |flow| {
            if is_exact {
                flow.want(store.value, &stored);
            } else {
                flow.want_all(store.value);
            }
            flow.demand_indices(store.pointer);
        });
        is_exact
    }

    /// A parameter's arguments; for a pointer, what is stored through it.
    fn demand_arguments(&mut self, parameter: &Inst<'m>, demand: &LeafSet) {
        let is_pointer = parameter.result().and_then(|id| self.module.pointee(id)).is_some();
        if is_pointer && pointer::class(self.module, parameter.index) != Some(StorageClass::Input) {
            return self.demand_stores(parameter, demand);
        }
        let function = self.links.frames.function(self.frame);
        let place = function.and_then(|function| frames::parameter_place(self.module, function, parameter.index));
        let Some(place) = place else { return };
        for &(caller, call) in self.links.frames.callers(self.frame) {
            let argument = frames::argument(self.module, call, place);
            self.inside(caller, |flow| {
                if is_pointer {
                    flow.want_anything(&flow.module.inst(call), argument);
                } else {
                    flow.want(argument, demand);
                }
            });
        }
    }

    fn demand_load(&mut self, load: &Inst<'m>, demand: &LeafSet) {
        self.demand_indices(load.id_at(3));
        let Some(from) = self.tracked(load.id_at(3)) else { return self.want_anything(load, load.id_at(3)) };
        let leaves = self.loaded(&from.pointer, load.result_type(), demand);
        self.want_memory(load.index, &from, &leaves);
    }

    /// The leaves of memory that a load reads, of which `demand` is wanted.
    ///
    /// A dynamic index into an input keeps the whole variable alive; a dynamic component keeps its vector alive.
    fn loaded(&self, from: &Pointer, result: Option<Id>, demand: &LeafSet) -> LeafSet {
        let Some(ty) = self.module.inst(from.base).result().and_then(|id| self.module.pointee(id)) else {
            return LeafSet::range(0..1);
        };
        let Some(range) = reached(self.module, self.shapes, from) else { return self.shapes.all(ty) };
        if !from.is_dynamic() {
            let leaves = result.map_or(1, |ty| self.shapes.leaves(ty));
            return if range.len() as u32 == leaves { demand.moved_by(range.start) } else { LeafSet::range(range) };
        }
        let only_component = from.fixed().count() + 1 == from.path.len() && self.leads_to_vector(ty, from);
        if only_component { LeafSet::range(range) } else { self.shapes.all(ty) }
    }

    /// Whether the constants that a pointer's way starts with lead to a vector.
    fn leads_to_vector(&self, ty: Id, pointer: &Pointer) -> bool {
        let end = pointer.fixed().try_fold(ty, |ty, index| self.shapes.part(ty, index).map(|(part, _)| part));
        end.and_then(|ty| self.module.ty(ty)).is_some_and(|ty| matches!(ty, Type::Vector { .. }))
    }

    fn demand_insert(&mut self, inst: &Inst<'m>, demand: &LeafSet) {
        let Some(ty) = inst.result_type() else { return };
        let range = self.shapes.range(ty, inst.words_from(5).iter().copied());
        let part = self.shapes.leaves_of_value(inst.id_at(3));
        if range.len() as u32 != part {
            self.want_all(inst.id_at(3));
            return self.want(inst.id_at(4), demand);
        }
        let inside = demand.within(range.clone());
        if !inside.is_empty() {
            self.want(inst.id_at(3), &inside);
        }
        let outside = demand.without(range);
        if !outside.is_empty() {
            self.want(inst.id_at(4), &outside);
        }
    }

    fn demand_construct(&mut self, inst: &Inst<'m>, demand: &LeafSet) {
        let total = inst.result_type().map_or(1, |ty| self.shapes.leaves(ty));
        let parts = inst.words_from(3);
        let count = |&part: &u32| self.shapes.leaves_of_value(Id(part));
        // A collapsed result cannot be split into its parts.
        if parts.iter().map(count).fold(0, u32::saturating_add) != total {
            parts.iter().for_each(|&part| self.want_all(Id(part)));
            return;
        }
        let mut start = 0;
        for &part in parts {
            let count = self.shapes.leaves_of_value(Id(part));
            let wanted = demand.within(start..start + count);
            if !wanted.is_empty() {
                self.want(Id(part), &wanted);
            }
            start += count;
        }
    }

    fn demand_shuffle(&mut self, inst: &Inst<'m>, demand: &LeafSet) {
        let count = |id: Id| self.module.type_of(id).map_or(0, |ty| self.shapes.leaves(ty));
        let (first, second) = (inst.id_at(3), inst.id_at(4));
        let (split, total) = (count(first), count(first) + count(second));
        let (mut of_first, mut of_second) = (LeafSet::default(), LeafSet::default());
        for (&component, leaf) in inst.words_from(5).iter().zip(0u32..) {
            if demand.contains(leaf) {
                match component {
                    c if c < split => of_first.insert(c),
                    c if c < total => of_second.insert(c - split),
                    _ => {}
                }
            }
        }
        for (id, wanted) in [(first, of_first), (second, of_second)] {
            if !wanted.is_empty() {
                self.want(id, &wanted);
            }
        }
    }

    /// Columns and rows of matrix products; leaf `column * rows + row`.
    fn demand_matrix(&mut self, op: Op, inst: &Inst<'m>, demand: &LeafSet) {
        let (a, b) = (inst.id_at(3), inst.id_at(4));
        // What is too large to have leaves of its own has no columns and rows here either.
        let dims = |ty: Id| match self.module.ty(ty)? {
            _ if self.shapes.is_collapsed(ty) => None,
            Type::Matrix { column, count } => Some((count, self.shapes.leaves(column))),
            Type::Vector { count, .. } => Some((1, count)),
            _ => Some((1, 1)),
        };
        let of = |id: Id| dims(self.module.type_of(id)?);
        let sizes = (|| {
            let b = if op == Op::Transpose { (1, 1) } else { of(b)? };
            let result = inst.result_type()?;
            let rows = if matches!(self.module.ty(result)?, Type::Matrix { .. }) { dims(result)?.1 } else { 1 };
            Some((of(a)?, b, rows))
        })();
        let Some(((a_columns, a_rows), b_dims, rows)) = sizes else { return self.demand_everything(inst) };
        let (mut of_a, mut of_b) = (LeafSet::default(), LeafSet::default());
        for leaf in demand.iter() {
            let (column, row) = (leaf / rows.max(1), leaf % rows.max(1));
            match op {
                Op::Transpose => of_a.insert(row * a_rows + column),
                Op::OuterProduct => {
                    of_a.insert(row);
                    of_b.insert(column);
                }
                Op::MatrixTimesVector => {
                    (0..a_columns).for_each(|c| of_a.insert(c * a_rows + leaf));
                    (0..b_dims.1).for_each(|r| of_b.insert(r));
                }
                Op::VectorTimesMatrix => {
                    (0..a_rows).for_each(|r| of_a.insert(r));
                    (0..b_dims.1).for_each(|r| of_b.insert(leaf * b_dims.1 + r));
                }
                _ => {
                    (0..a_columns).for_each(|c| of_a.insert(c * a_rows + row));
                    (0..b_dims.1).for_each(|r| of_b.insert(column * b_dims.1 + r));
                }
            }
        }
        self.want(a, &of_a);
        if op != Op::Transpose {
            self.want(b, &of_b);
        }
    }

    fn demand_extended(&mut self, inst: &Inst<'m>, demand: &LeafSet) {
        let operands = inst.words_from(5);
        match self.links.ext_set(inst.id_at(3)) {
            ExtSet::Glsl => {}
            ExtSet::VertexParameter => return self.demand_interpolated(inst, demand, None),
            ExtSet::NonSemantic => return,
            ExtSet::Other => return self.demand_everything(inst),
        }
        let Some(op) = GLOp::from_u32(inst.word_at(4)) else { return self.demand_everything(inst) };
        match op {
            GLOp::InterpolateAtCentroid => self.demand_interpolated(inst, demand, Some(|uses| &mut uses.at_centroid)),
            GLOp::InterpolateAtSample => self.demand_interpolated(inst, demand, Some(|uses| &mut uses.at_sample)),
            GLOp::InterpolateAtOffset => self.demand_interpolated(inst, demand, Some(|uses| &mut uses.at_offset)),
            GLOp::Cross => {
                let mut others = LeafSet::default();
                for leaf in demand.iter() {
                    (0..3).filter(|&other| other != leaf).for_each(|other| others.insert(other));
                }
                operands.iter().for_each(|&operand| self.want(Id(operand), &others));
            }
            GLOp::ModfStruct | GLOp::FrexpStruct => {
                let Some(&operand) = operands.first() else { return };
                let count = self.shapes.leaves_of_value(Id(operand));
                let mut wanted = LeafSet::default();
                demand.iter().for_each(|leaf| wanted.insert(leaf % count));
                self.want(Id(operand), &wanted);
            }
            op if is_component_wise_glsl(op) => self.demand_component_wise(inst, operands, demand),
            _ => self.demand_everything(inst),
        }
    }

    /// `interpolateAt…`: a read of an input through a pointer, noted under its place in the pixel. Every element of a
    /// dynamically indexed dimension is interpolated, and the usual test on the result then says which components are
    /// used.
    fn demand_interpolated(&mut self, inst: &Inst<'m>, demand: &LeafSet, read_at: Option<ReadAt>) {
        let interpolant = inst.id_at(5);
        self.demand_indices(interpolant);
        inst.words_from(6).iter().for_each(|&operand| self.want_all(Id(operand)));
        let found = self.tracked(interpolant).and_then(|from| Some((input(self.module, &from.pointer)?, from)));
        let Some((variable, from)) = found else { return self.want_anything(inst, interpolant) };
        if from.pointer.is_dynamic() {
            self.uses.dynamic.insert(variable);
        }
        let Some(ty) = self.module.pointee(variable) else { return };
        let mut leaves = LeafSet::default();
        self.every_element(ty, 0, &from.pointer.path, demand, &mut leaves);
        if let Some(read_at) = read_at {
            read_at(&mut self.uses).entry(variable).or_default().add(&leaves);
        }
        self.want_memory(inst.index, &from, &leaves);
    }

    /// The demanded leaves of every element that a way with dynamic steps may lead to.
    fn every_element(&self, ty: Id, start: u32, path: &[Step], demand: &LeafSet, out: &mut LeafSet) {
        if self.shapes.is_collapsed(ty) {
            return out.insert(start);
        }
        let Some((step, rest)) = path.split_first() else {
            out.add(&demand.within(0..self.shapes.leaves(ty)).moved_by(start));
            return;
        };
        let indices = match step {
            Step::At(index) => *index..index.saturating_add(1),
            Step::Any => 0..self.shapes.leaves(ty),
        };
        for (part, offset) in indices.map_while(|index| self.shapes.part(ty, index)) {
            self.every_element(part, start.saturating_add(offset), rest, demand, out);
        }
    }
}
