//! Functions: order of blocks, branches, phi instructions, calls.
//!
//! Blocks are laid out so that a merge block comes after its construct, and a continue target after the loop's body.
//! A wave always runs the lanes that are furthest behind in this order, so that lanes which diverge at a header meet
//! again at its merge block, and lanes of a loop are in the same iteration.

use std::collections::{BTreeMap, BTreeSet};

use super::{Decoder, Operation, Result};
use crate::code::{Block, Call, Code, Edge, Function, HandOver, Pc, Slot, Switch};
use crate::error::DecodeError;
use crate::types::Kind;
use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::{Inst, InstId};

/// A block of the module.
struct Body<'m> {
    id: Id,
    /// Its instructions, from the label to the terminator.
    insts: Vec<Inst<'m>>,
}

/// The blocks that a terminator may branch to.
fn successors(last: &Inst<'_>, case_words: usize) -> Vec<Id> {
    match last.op() {
        Some(Op::Branch) => vec![last.id_at(1)],
        Some(Op::BranchConditional) => vec![last.id_at(2), last.id_at(3)],
        Some(Op::Switch) => {
            let cases = last.words_from(3).chunks_exact(case_words + 1);
            std::iter::once(last.id_at(2)).chain(cases.map(|case| Id(case[case_words]))).collect()
        }
        _ => Vec::new(),
    }
}

impl<'m> Decoder<'m> {
    /// Decodes a function's body.
    pub(super) fn function(&mut self, index: u32, function: &lanescope_spirv::Function) -> Result<()> {
        let module = self.module;
        let bodies = self.split(function)?;
        let by_id: BTreeMap<Id, usize> = bodies.iter().enumerate().map(|(at, body)| (body.id, at)).collect();
        let order = self.order(&bodies, &by_id);
        self.partial = BTreeSet::new();
        for inst in module.insts_in(function.insts.clone()) {
            match inst.op() {
                Some(Op::CompositeInsert) => _ = self.partial.insert(inst.id_at(4)),
                Some(Op::VectorShuffle) => self.partial.extend([inst.id_at(3), inst.id_at(4)]),
                Some(Op::VectorInsertDynamic) => _ = self.partial.insert(inst.id_at(3)),
                _ => {}
            }
        }
        let start = self.code.len() as Pc;
        self.at = InstId(function.insts.start);
        let mut starts: BTreeMap<Id, Pc> = BTreeMap::new();
        // Edges to be completed: source block, target block.
        let mut edges: Vec<(u32, Id, Id)> = Vec::new();
        for (at, &body) in order.iter().enumerate() {
            let Body { id, insts } = &bodies[body];
            let pc = self.code.len() as Pc;
            starts.insert(*id, pc);
            let label = insts.first().map_or(0, |inst| inst.index.0);
            self.blocks.push(Block { id: *id, function: index, start: pc, label });
            if at == 0 {
                self.enter(index, function)?;
            }
            self.block(index, *id, insts, &mut edges)?;
        }
        self.complete(&bodies, &by_id, &starts, &edges)?;
        let result = self.signatures[index as usize].result;
        self.functions.push(Function { id: function.id, start, result });
        Ok(())
    }

    fn split(&self, function: &lanescope_spirv::Function) -> Result<Vec<Body<'m>>> {
        let mut bodies: Vec<Body<'m>> = Vec::new();
        let mut ids = BTreeSet::new();
        let mut open = false;
        let head = self.module.inst(InstId(function.insts.start));
        for inst in self.module.insts_in(function.insts.clone()) {
            if inst.op() == Some(Op::Label) {
                if open {
                    return Err(DecodeError::invalid(&inst, "the block before has no terminator"));
                }
                let id = inst.result().unwrap_or_default();
                if !ids.insert(id) {
                    return Err(DecodeError::invalid(&inst, "a second block of this id"));
                }
                bodies.push(Body { id, insts: Vec::new() });
                open = true;
            }
            if let (true, Some(body)) = (open, bodies.last_mut()) {
                body.insts.push(inst);
            }
            open = open && !inst.is_terminator();
        }
        if open || bodies.is_empty() {
            return Err(DecodeError::invalid(&head, "the function has no body that ends with a terminator"));
        }
        Ok(bodies)
    }

    /// Reachable blocks: reverse postorder of a search that visits merge blocks first, then continue targets.
    fn order(&self, bodies: &[Body<'m>], by_id: &BTreeMap<Id, usize>) -> Vec<usize> {
        let next: Vec<Vec<usize>> = bodies
            .iter()
            .map(|body| {
                let mut ids = Vec::new();
                if let Some(merge) = body.insts.iter().rev().nth(1) {
                    match merge.op() {
                        Some(Op::SelectionMerge) => ids.push(merge.id_at(1)),
                        Some(Op::LoopMerge) => ids.extend([merge.id_at(1), merge.id_at(2)]),
                        _ => {}
                    }
                }
                if let Some(last) = body.insts.last() {
                    let words = if last.op() == Some(Op::Switch) { self.module.case_words(last) } else { 1 };
                    // The last one is visited last and so comes first.
                    ids.extend(successors(last, words).into_iter().rev());
                }
                ids.iter().filter_map(|id| by_id.get(id).copied()).collect()
            })
            .collect();
        let mut seen = vec![false; bodies.len()];
        let mut order = Vec::new();
        let mut stack = vec![(0, 0)];
        seen[0] = true;
        while let Some((at, step)) = stack.pop() {
            match next[at].get(step) {
                None => order.push(at),
                Some(&to) => {
                    stack.push((at, step + 1));
                    if !seen[to] {
                        seen[to] = true;
                        stack.push((to, 0));
                    }
                }
            }
        }
        order.reverse();
        // Blocks that only a merge instruction names are never run; they are decoded all the same, since their values
        // may be named by phi instructions.
        order
    }

    fn block(&mut self, function: u32, id: Id, insts: &[Inst<'m>], edges: &mut Vec<(u32, Id, Id)>) -> Result<()> {
        for inst in insts {
            self.at = inst.index;
            let first = 1 + usize::from(inst.result_type().is_some()) + usize::from(inst.result().is_some());
            let Some(kind) = inst.op() else {
                return Err(DecodeError::unsupported(inst, "not in the SPIR-V grammar"));
            };
            let op = &Operation { inst: *inst, op: kind, args: inst.words_from(first) };
            match kind {
                Op::Phi => _ = self.define(op)?,
                Op::Variable => {}
                Op::FunctionCall => self.call(op)?,
                Op::Branch => {
                    let edge = self.edge(id, op.id(0), edges);
                    self.emit(Code::Branch { edge });
                }
                Op::BranchConditional => {
                    let condition = self.condition(op, 0)?;
                    let yes = self.edge(id, op.id(1), edges);
                    let no = self.edge(id, op.id(2), edges);
                    self.emit(Code::BranchIf { condition, yes, no });
                }
                Op::Switch => self.switch(op, id, edges)?,
                Op::Return => self.emit(Code::Return),
                Op::ReturnValue => {
                    let (dst, n) = self.signatures[function as usize].result;
                    let value = self.sized(op, 0, n)?;
                    self.emit(Code::ReturnValue { dst, src: value.slot, n });
                }
                Op::Kill | Op::TerminateInvocation => self.emit(Code::Kill),
                Op::EmitMeshTasksEXT => {
                    if self.stage != StageKind::Task {
                        return Err(op.invalid("not in a task shader"));
                    }
                    let slots = [self.integer(op, 0)?.slot, self.integer(op, 1)?.slot, self.integer(op, 2)?.slot];
                    self.emit(Code::HandOver { what: HandOver::Tasks(slots) });
                    self.emit(Code::Kill);
                }
                Op::Unreachable => self.emit(Code::Unreachable),
                _ if inst.is_terminator() => return Err(op.unsupported("this terminator")),
                _ => self.instruction(op)?,
            }
        }
        Ok(())
    }

    fn condition(&mut self, op: &Operation<'_>, i: usize) -> Result<Slot> {
        let val = self.sized(op, i, 1)?;
        match self.types.kind_of(val.ty) {
            Kind::Bool => Ok(val.slot),
            _ => Err(op.invalid(format!("operand %{} is not a boolean", op.id(i)))),
        }
    }

    fn edge(&mut self, from: Id, to: Id, edges: &mut Vec<(u32, Id, Id)>) -> u32 {
        let edge = self.tables.edges.len() as u32;
        self.tables.edges.push(Edge { target: 0, moves: Box::default(), overlaps: false });
        edges.push((edge, from, to));
        edge
    }

    fn switch(&mut self, op: &Operation<'_>, id: Id, edges: &mut Vec<(u32, Id, Id)>) -> Result<()> {
        let value = self.integer(op, 0)?;
        let bits = self.types.bits(value.ty);
        let default = self.edge(id, op.id(1), edges);
        let words = self.module.case_words(&op.inst);
        let mut cases = Vec::new();
        for case in op.rest(2).chunks_exact(words + 1) {
            let literal = u64::from(case[0]) | if words == 2 { u64::from(case[1]) << 32 } else { 0 };
            let edge = self.edge(id, Id(case[words]), edges);
            cases.push((literal & crate::kernels::int::ones(u64::from(bits)), edge));
        }
        // Of equal literals, which are not allowed, the first one is used.
        cases.sort_by_key(|&(literal, _)| literal);
        cases.dedup_by_key(|case| case.0);
        let switch = self.tables.switches.len() as u32;
        self.tables.switches.push(Switch { cases: cases.into(), default });
        self.emit(Code::Switch { value: value.slot, switch });
        Ok(())
    }

    fn call(&mut self, op: &Operation<'_>) -> Result<()> {
        let index = self.indices.get(&op.id(0)).copied();
        let function = index.ok_or_else(|| op.invalid(format!("%{} is not a function", op.id(0))))?;
        let signature = self.signatures[function as usize].clone();
        if signature.parameters.len() + 1 != op.args.len() {
            return Err(op.invalid("the number of arguments is not that of parameters"));
        }
        let mut arguments = Vec::new();
        for (at, (_, parameter)) in signature.parameters.iter().enumerate() {
            let n = self.types.scalars(parameter.ty, &op.inst)?;
            let argument = self.sized(op, at + 1, n)?;
            arguments.push((parameter.slot, argument.slot, n));
        }
        let n = signature.result.1;
        let dst = if n == 0 {
            0
        } else {
            let val = self.define(op)?;
            if self.scalars(op, val)? != n {
                return Err(op.invalid("the result type is not that of the function"));
            }
            val.slot
        };
        let call = self.tables.calls.len() as u32;
        self.tables.calls.push(Call { function, arguments: arguments.into(), dst, n });
        self.emit(Code::Call { call });
        Ok(())
    }

    /// Fills in the targets of edges, and what phi instructions copy along them.
    fn complete(
        &mut self,
        bodies: &[Body<'m>],
        by_id: &BTreeMap<Id, usize>,
        starts: &BTreeMap<Id, Pc>,
        edges: &[(u32, Id, Id)],
    ) -> Result<()> {
        for &(edge, from, to) in edges {
            let source = by_id.get(&from).and_then(|&at| bodies[at].insts.last());
            let target = by_id.get(&to).map(|&at| &bodies[at]).zip(starts.get(&to));
            let Some((body, &pc)) = target else {
                let why = format!("%{to} is not a block of the function");
                return Err(source.map_or_else(
                    || DecodeError::Stage { entry: self.entry.name.clone() },
                    |inst| DecodeError::invalid(inst, why),
                ));
            };
            let mut moves = Vec::new();
            for inst in body.insts.iter().filter(|inst| inst.op() == Some(Op::Phi)) {
                let op = Operation { inst: *inst, op: Op::Phi, args: inst.words_from(3) };
                let pair = op.args.chunks_exact(2).find(|pair| pair[1] == from.0);
                let pair = pair.ok_or_else(|| op.invalid(format!("no value for block %{from}")))?;
                let dst = inst.result().and_then(|id| self.values.get(&id).copied());
                let src = self.values.get(&Id(pair[0])).copied();
                let src = src.ok_or_else(|| match self.pointers.contains_key(&Id(pair[0])) {
                    true => op.unsupported("a phi of pointers to variables"),
                    false => op.invalid(format!("%{} has no value", pair[0])),
                })?;
                let dst = dst.ok_or_else(|| op.invalid("no result"))?;
                let n = self.types.scalars(dst.ty, inst)?;
                if self.types.scalars(src.ty, inst)? != n {
                    return Err(op.invalid(format!("%{} is of another type", pair[0])));
                }
                if n > 0 && dst.slot != src.slot {
                    moves.push((dst.slot, src.slot, n));
                }
            }
            let written = |slot: Slot, n: u32, before: &[(Slot, Slot, u32)]| {
                before.iter().any(|&(dst, _, m)| slot < dst + m && dst < slot + n)
            };
            let overlaps =
                moves.len() > 64 || (0..moves.len()).any(|at| written(moves[at].1, moves[at].2, &moves[..at]));
            self.tables.edges[edge as usize] = Edge { target: pc, moves: moves.into(), overlaps };
        }
        Ok(())
    }
}
