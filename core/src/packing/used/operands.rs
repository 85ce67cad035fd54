//! What each instruction demands of its operands when some of its result is demanded.

use rspirv::spirv::GlslStd450Op as GLOp;

use super::super::leaves::LeafSet;
use super::pointer::{self, Pointer, Step};
use super::{Flow, Uses};
use crate::ids::Id;
use crate::spirv::enums::{Op, StorageClass};
use crate::spirv::grammar;
use crate::spirv::{Inst, Module, Type};

/// Whether an instruction has an effect of its own: what it uses is used, whatever becomes of its result.
pub(super) fn is_root(op: Op, inst: &Inst<'_>) -> bool {
    match op {
        // Followed by what is demanded of their memory, their result or their callers.
        Op::FunctionCall | Op::ReturnValue | Op::FunctionParameter | Op::Variable => false,
        Op::Label | Op::Function | Op::FunctionEnd | Op::Line | Op::NoLine | Op::LoopMerge | Op::SelectionMerge => {
            false
        }
        Op::Store => true,
        // Volatile: the access itself is the effect.
        Op::Load => inst.word_at(4) & 1 != 0,
        Op::AtomicLoad
        | Op::AtomicExchange
        | Op::AtomicCompareExchange
        | Op::AtomicIIncrement
        | Op::AtomicIDecrement
        | Op::AtomicIAdd
        | Op::AtomicISub
        | Op::AtomicSMin
        | Op::AtomicUMin
        | Op::AtomicSMax
        | Op::AtomicUMax
        | Op::AtomicAnd
        | Op::AtomicOr
        | Op::AtomicXor
        | Op::AtomicFAddEXT
        | Op::AtomicFMinEXT
        | Op::AtomicFMaxEXT
        | Op::RayQueryProceedKHR => true,
        // Extended instructions that store through a pointer.
        Op::ExtInst => matches!(GLOp::from_u32(inst.word_at(4)), Some(GLOp::Modf | GLOp::Frexp)),
        _ => inst.result().is_none(),
    }
}

/// The extended instruction set of an `OpExtInst`.
fn ext_set(module: &Module, inst: &Inst<'_>) -> String {
    module.def(inst.id_at(3)).map(|import| import.string_at(2).0).unwrap_or_default()
}

impl<'m> Flow<'m> {
    pub(super) fn demand_operands_of_root(&mut self, inst: &Inst<'m>) {
        match inst.op() {
            Some(Op::Store) => {
                self.demand_indices(inst.id_at(1));
                match self.tracked(inst.id_at(1)) {
                    // Only when its memory is demanded: see `demand_stores`.
                    Some(_) => {}
                    None => {
                        self.want_all(inst.id_at(2));
                        self.want_anything(inst.id_at(1));
                    }
                }
            }
            Some(Op::ExtInst) if ext_set(self.module, inst).starts_with("NonSemantic") => {}
            _ => self.demand_everything(inst),
        }
    }

    /// Demands all of each id that the instruction names.
    fn demand_everything(&mut self, inst: &Inst<'m>) {
        let mut ids = Vec::new();
        match grammar::for_each_id_used(inst.words, |id| ids.push(id)) {
            Ok(()) => {
                for id in ids {
                    self.want_anything(id);
                    self.demand_indices(id);
                }
            }
            Err(grammar::Unplaced) => self.demand_raw(inst),
        }
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

    /// Hands on what is demanded of a result (or, for a variable, of its memory).
    pub(super) fn demand_operands(&mut self, inst: &Inst<'m>) {
        let demand = self.demand[inst.index.0 as usize].clone();
        let Some(op) = inst.op() else { return self.demand_raw(inst) };
        match op {
            Op::Variable => self.demand_stores(inst, &demand),
            Op::FunctionParameter => self.demand_arguments(inst, &demand),
            Op::FunctionCall => self.demand_returns(inst, &demand),
            Op::Load => self.demand_load(inst, &demand),
            Op::AccessChain | Op::InBoundsAccessChain => {
                self.demand_indices(inst.id_at(3));
                for &index in inst.words_from(4) {
                    self.want_all(Id(index));
                }
            }
            Op::CompositeExtract => {
                let Some(ty) = self.module.type_of(inst.id_at(3)) else { return };
                let range = self.shapes.range(ty, inst.words_from(4));
                let part = inst.result_type().map_or(1, |ty| self.shapes.leaves(ty));
                let moved =
                    if range.len() as u32 == part { demand.moved_by(range.start) } else { LeafSet::range(range) };
                self.want(inst.id_at(3), &moved);
            }
            Op::CompositeInsert => self.demand_insert(inst, &demand),
            Op::CompositeConstruct => self.demand_construct(inst, &demand),
            Op::VectorShuffle => self.demand_shuffle(inst, &demand),
            Op::VectorInsertDynamic => {
                self.want(inst.id_at(3), &demand);
                self.want_all(inst.id_at(4));
                self.want_all(inst.id_at(5));
            }
            Op::MatrixTimesVector
            | Op::VectorTimesMatrix
            | Op::MatrixTimesMatrix
            | Op::OuterProduct
            | Op::Transpose => {
                self.demand_matrix(op, inst, &demand);
            }
            Op::Phi => {
                for pair in inst.words_from(3).chunks_exact(2) {
                    self.want(Id(pair[0]), &demand);
                }
            }
            Op::ExtInst => self.demand_extended(inst, &demand),
            _ if is_component_wise(op) => self.demand_component_wise(inst, inst.words_from(3), &demand),
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

    /// The memory's stores: what they put into demanded leaves is demanded.
    fn demand_stores(&mut self, variable: &Inst<'m>, demand: &LeafSet) {
        let memory = self.memory(variable.index.0);
        for store in self.stores.get(&memory).cloned().unwrap_or_default() {
            let store = self.module.inst(store);
            let Some(to) = pointer::resolve(self.module, store.id_at(1)) else { continue };
            let Some(range) = self.memory_range(&to) else { continue };
            let Some(ty) = self.module.type_of(store.id_at(2)) else { continue };
            if self.whole[memory as usize] || range.len() as u32 != self.shapes.leaves(ty) {
                self.want_all(store.id_at(2));
            } else {
                let stored = demand.within(range);
                if !stored.is_empty() {
                    self.want(store.id_at(2), &stored);
                }
            }
        }
        if variable.op() == Some(Op::Variable) && variable.words.len() > 4 {
            self.want(variable.id_at(4), demand);
        }
    }

    /// The leaves of its memory that a pointer without dynamic steps covers.
    fn memory_range(&self, pointer: &Pointer) -> Option<std::ops::Range<u32>> {
        let ty = self.module.pointee(self.module.inst(pointer.base).result()?)?;
        let path: Vec<u32> =
            pointer.path.iter().map_while(|step| if let Step::At(i) = step { Some(*i) } else { None }).collect();
        Some(self.shapes.range(ty, &path))
    }

    fn demand_arguments(&mut self, parameter: &Inst<'m>, demand: &LeafSet) {
        let is_pointer = parameter.result().and_then(|id| self.module.pointee(id)).is_some();
        if is_pointer {
            self.demand_stores(parameter, demand);
        }
        let Some((function, place)) = self.parameters.get(&parameter.index).copied() else { return };
        for call in self.calls.get(&function).cloned().unwrap_or_default() {
            let argument = self.module.inst(call).id_at(4 + place as usize);
            if is_pointer {
                self.demand_indices(argument);
            } else {
                self.want(argument, demand);
            }
        }
    }

    fn demand_returns(&mut self, call: &Inst<'m>, demand: &LeafSet) {
        for ret in self.returns.get(&call.id_at(3)).cloned().unwrap_or_default() {
            let value = self.module.inst(ret).id_at(1);
            self.want(value, demand);
        }
    }

    fn demand_load(&mut self, load: &Inst<'m>, demand: &LeafSet) {
        self.demand_indices(load.id_at(3));
        let Some(from) = self.tracked(load.id_at(3)) else { return self.want_anything(load.id_at(3)) };
        let leaves = self.loaded(&from, load.result_type(), demand);
        self.want_memory(&from, &leaves);
    }

    /// The leaves of memory behind a load of which `demand` is wanted.
    ///
    /// A dynamic index into an input keeps the whole variable alive; a dynamic component keeps its vector alive.
    fn loaded(&self, from: &Pointer, result: Option<Id>, demand: &LeafSet) -> LeafSet {
        let Some(ty) = self.module.inst(from.base).result().and_then(|id| self.module.pointee(id)) else {
            return LeafSet::range(0..1);
        };
        let fixed = from.path.iter().take_while(|step| matches!(step, Step::At(_))).count();
        let Some(range) = self.memory_range(from) else { return self.shapes.all(ty) };
        if fixed == from.path.len() {
            let leaves = result.map_or(1, |ty| self.shapes.leaves(ty));
            return if range.len() as u32 == leaves { demand.moved_by(range.start) } else { LeafSet::range(range) };
        }
        let only_component = fixed + 1 == from.path.len() && self.is_vector(ty, &from.path[..fixed]);
        if only_component { LeafSet::range(range) } else { self.shapes.all(ty) }
    }

    fn is_vector(&self, ty: Id, path: &[Step]) -> bool {
        let end = path.iter().try_fold(ty, |ty, step| match step {
            Step::At(index) => self.shapes.part(ty, *index).map(|(part, _)| part),
            Step::Any(_) => None,
        });
        end.and_then(|ty| self.module.ty(ty)).is_some_and(|ty| matches!(ty, Type::Vector { .. }))
    }

    fn demand_insert(&mut self, inst: &Inst<'m>, demand: &LeafSet) {
        let Some(ty) = inst.result_type() else { return };
        let range = self.shapes.range(ty, inst.words_from(5));
        let part = self.module.type_of(inst.id_at(3)).map_or(1, |ty| self.shapes.leaves(ty));
        if range.len() as u32 != part {
            self.want_all(inst.id_at(3));
            return self.want(inst.id_at(4), demand);
        }
        let inside = demand.within(range.clone());
        if !inside.is_empty() {
            self.want(inst.id_at(3), &inside);
        }
        let mut outside = LeafSet::default();
        demand.iter().filter(|leaf| !range.contains(leaf)).for_each(|leaf| outside.insert(leaf));
        if !outside.is_empty() {
            self.want(inst.id_at(4), &outside);
        }
    }

    fn demand_construct(&mut self, inst: &Inst<'m>, demand: &LeafSet) {
        let total = inst.result_type().map_or(1, |ty| self.shapes.leaves(ty));
        let counts: Vec<u32> = inst
            .words_from(3)
            .iter()
            .map(|&part| self.module.type_of(Id(part)).map_or(1, |ty| self.shapes.leaves(ty)))
            .collect();
        // A collapsed result cannot be told apart into its parts.
        if counts.iter().try_fold(0u32, |sum, &n| sum.checked_add(n)) != Some(total) {
            inst.words_from(3).iter().for_each(|&part| self.want_all(Id(part)));
            return;
        }
        let mut start = 0;
        for (&part, count) in inst.words_from(3).iter().zip(counts) {
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
        let dims = |id: Id| {
            let ty = self.module.type_of(id)?;
            match self.module.ty(ty)? {
                Type::Matrix { column, count } => Some((count, self.shapes.leaves(column))),
                Type::Vector { count, .. } => Some((1, count)),
                _ => None,
            }
        };
        let result = inst.result_type().and_then(|ty| match self.module.ty(ty)? {
            Type::Matrix { column, .. } => Some(self.shapes.leaves(column)),
            _ => Some(1),
        });
        let (Some((a_columns, a_rows)), Some(rows)) = (dims(a), result) else { return self.demand_everything(inst) };
        let b_dims = dims(b).unwrap_or((1, 1));
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
        let set = ext_set(self.module, inst);
        let operands = inst.words_from(5);
        if set == "SPV_AMD_shader_explicit_vertex_parameter" {
            self.demand_interpolated(inst, demand, |uses| &mut uses.at_vertex);
            return;
        }
        if set != "GLSL.std.450" {
            return if set.starts_with("NonSemantic") {
            } else {
                self.demand_everything(inst)
            };
        }
        let Some(op) = GLOp::from_u32(inst.word_at(4)) else { return self.demand_everything(inst) };
        match op {
            GLOp::InterpolateAtCentroid => self.demand_interpolated(inst, demand, |uses| &mut uses.at_centroid),
            GLOp::InterpolateAtSample => self.demand_interpolated(inst, demand, |uses| &mut uses.at_sample),
            GLOp::InterpolateAtOffset => self.demand_interpolated(inst, demand, |uses| &mut uses.at_offset),
            GLOp::Cross => {
                let mut others = LeafSet::default();
                for leaf in demand.iter() {
                    (0..3).filter(|&other| other != leaf).for_each(|other| others.insert(other));
                }
                operands.iter().for_each(|&operand| self.want(Id(operand), &others));
            }
            GLOp::ModfStruct | GLOp::FrexpStruct => {
                let Some(&operand) = operands.first() else { return };
                let count = self.module.type_of(Id(operand)).map_or(1, |ty| self.shapes.leaves(ty)).max(1);
                let mut wanted = LeafSet::default();
                demand.iter().for_each(|leaf| wanted.insert(leaf % count));
                self.want(Id(operand), &wanted);
            }
            op if is_component_wise_glsl(op) => self.demand_component_wise(inst, operands, demand),
            _ => self.demand_everything(inst),
        }
    }

    /// `interpolateAt…`: a read of an input through a pointer. Every element of a dynamically indexed dimension is
    /// interpolated, and the usual test on the result then says which components are used.
    fn demand_interpolated(
        &mut self,
        inst: &Inst<'m>,
        demand: &LeafSet,
        uses: fn(&mut Uses) -> &mut std::collections::BTreeMap<Id, LeafSet>,
    ) {
        let interpolant = inst.id_at(5);
        self.demand_indices(interpolant);
        inst.words_from(6).iter().for_each(|&operand| self.want_all(Id(operand)));
        let Some(from) = pointer::resolve(self.module, interpolant) else { return self.want_anything(interpolant) };
        if pointer::class(self.module, from.base) != Some(StorageClass::Input) {
            return self.want_anything(interpolant);
        }
        self.note_dynamic(&from);
        let Some(variable) = self.module.inst(from.base).result() else { return };
        let Some(ty) = self.module.pointee(variable) else { return };
        let mut leaves = LeafSet::default();
        self.every_element(ty, 0, &from.path, demand, &mut leaves);
        uses(&mut self.uses).entry(variable).or_default().add(&leaves);
        self.want_memory(&from, &leaves);
    }

    fn every_element(&self, ty: Id, start: u32, path: &[Step], demand: &LeafSet, out: &mut LeafSet) {
        let Some((step, rest)) = path.split_first() else {
            out.add(&demand.within(0..self.shapes.leaves(ty)).moved_by(start));
            return;
        };
        let indices = match step {
            Step::At(index) => *index..index.saturating_add(1),
            Step::Any(_) => 0..self.shapes.leaves(ty),
        };
        for (part, offset) in indices.map_while(|index| self.shapes.part(ty, index)) {
            self.every_element(part, start + offset, rest, demand, out);
        }
    }
}

/// Core instructions whose result component `i` depends on component `i` of each operand.
fn is_component_wise(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        CopyObject
            | CopyLogical
            | Select
            | ConvertFToU
            | ConvertFToS
            | ConvertSToF
            | ConvertUToF
            | UConvert
            | SConvert
            | FConvert
            | QuantizeToF16
            | SNegate
            | FNegate
            | Not
            | LogicalNot
            | IAdd
            | FAdd
            | ISub
            | FSub
            | IMul
            | FMul
            | UDiv
            | SDiv
            | FDiv
            | UMod
            | SRem
            | SMod
            | FRem
            | FMod
            | FmaKHR
            | VectorTimesScalar
            | MatrixTimesScalar
            | IAddCarry
            | ISubBorrow
            | ShiftRightLogical
            | ShiftRightArithmetic
            | ShiftLeftLogical
            | BitwiseOr
            | BitwiseXor
            | BitwiseAnd
            | BitReverse
            | BitCount
            | BitFieldInsert
            | BitFieldSExtract
            | BitFieldUExtract
            | LogicalEqual
            | LogicalNotEqual
            | LogicalOr
            | LogicalAnd
            | IsNan
            | IsInf
            | IEqual
            | INotEqual
            | UGreaterThan
            | SGreaterThan
            | UGreaterThanEqual
            | SGreaterThanEqual
            | ULessThan
            | SLessThan
            | ULessThanEqual
            | SLessThanEqual
            | FOrdEqual
            | FUnordEqual
            | FOrdNotEqual
            | FUnordNotEqual
            | FOrdLessThan
            | FUnordLessThan
            | FOrdGreaterThan
            | FUnordGreaterThan
            | FOrdLessThanEqual
            | FUnordLessThanEqual
            | FOrdGreaterThanEqual
            | FUnordGreaterThanEqual
            | Bitcast
            | DPdx
            | DPdy
            | Fwidth
            | DPdxFine
            | DPdyFine
            | FwidthFine
            | DPdxCoarse
            | DPdyCoarse
            | FwidthCoarse
    )
}

/// The same for GLSL.std.450.
fn is_component_wise_glsl(op: GLOp) -> bool {
    use GLOp::*;
    !matches!(
        op,
        Determinant
            | MatrixInverse
            | Modf
            | Frexp
            | PackSnorm4x8
            | PackUnorm4x8
            | PackSnorm2x16
            | PackUnorm2x16
            | PackHalf2x16
            | PackDouble2x32
            | UnpackSnorm2x16
            | UnpackUnorm2x16
            | UnpackHalf2x16
            | UnpackSnorm4x8
            | UnpackUnorm4x8
            | UnpackDouble2x32
            | Length
            | Distance
            | Normalize
            | FaceForward
            | Reflect
            | Refract
    )
}
