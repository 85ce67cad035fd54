//! Function bodies.

use smallvec::{Array, SmallVec};

use super::constant::unrotate;
use super::instruction::{Instruction, Kind, Operand};
use super::metadata::Metadata;
use super::names::Names;
use super::read::Reader;
use super::types::{Type, TypeId};
use super::{BlockId, Constant, MetadataId, Value, ValueId, ValueKind};
use crate::bitstream::Entry;
use crate::error::Fault;
use crate::findings;

/// The instructions of one basic block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BasicBlock {
    /// Index of its first instruction.
    pub first: u32,
    /// Number of instructions; the last one is the terminator.
    pub count: u32,
}

/// Source location of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DebugLocation {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 where it is not known.
    pub column: u32,
    /// Enclosing scope.
    pub scope: Option<MetadataId>,
    /// Location of the call that was inlined.
    pub inlined_at: Option<MetadataId>,
}

/// Metadata attached to an instruction, or to the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attachment {
    /// Index of the instruction; absent where the function itself is meant.
    pub instruction: Option<u32>,
    /// The kind's number: [`Metadata::kind_name`].
    pub kind: u64,
    /// The metadata node.
    pub node: MetadataId,
}

/// A function's code.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Body {
    /// Values of the function: the first one's number is the count of the module's values.
    pub values: Vec<Value>,
    /// Constants of the function.
    pub constants: Vec<Constant>,
    /// Basic blocks, in order; the first one is the entry.
    pub blocks: Vec<BasicBlock>,
    /// Every instruction, block after block.
    pub instructions: Vec<Instruction>,
    /// Lines of the source.
    pub locations: Vec<DebugLocation>,
    /// Attached metadata, in the order of the file.
    pub attachments: Vec<Attachment>,
    /// Names of its values.
    pub names: Names,
    /// Names of its blocks.
    pub block_names: Names,
    /// Metadata that only this function has.
    pub metadata: Metadata,
    /// Number of basic blocks that it declares.
    pub(super) declared: u32,
    /// Start: a bit of the file.
    pub place: u64,
}

impl Body {
    /// The instructions of a block, with their indices.
    pub fn block(&self, block: &BasicBlock) -> impl Iterator<Item = (usize, &Instruction)> {
        let range = block.first as usize..(block.first + block.count) as usize;
        range.clone().zip(self.instructions.get(range).unwrap_or_default())
    }
}

/// The operands of a record, read from front to back.
pub(super) struct Operands<'o> {
    ops: &'o [u64],
    at: usize,
}

impl<'o> Operands<'o> {
    #[inline]
    pub fn left(&self) -> usize {
        self.ops.len().saturating_sub(self.at)
    }

    #[inline]
    pub fn rest(&mut self) -> &'o [u64] {
        let rest = self.ops.get(self.at..).unwrap_or_default();
        self.at = self.ops.len();
        rest
    }

    #[inline]
    pub fn try_next(&mut self) -> Option<u64> {
        let op = self.ops.get(self.at).copied();
        self.at += 1;
        op
    }
}

impl Reader<'_> {
    /// Reads the body of the next function that has one.
    pub(super) fn function_block(&mut self) -> Result<(), Fault> {
        let Some(index) = self.bodies.pop_front() else {
            return Err(self.stream.fault(findings::BODY_COUNT, "function body without a function declaration"));
        };
        let parameters =
            self.module.functions.get(index as usize).and_then(|function| match self.module.types.get(function.ty) {
                Some(Type::Function { parameters, .. }) => Some(parameters.clone()),
                _ => None,
            });
        let parameters = parameters.unwrap_or_default();
        self.stream.charge(size_of::<Body>() + 2 * size_of::<Value>() * parameters.len())?;
        let values =
            parameters.iter().zip(0..).map(|(ty, index)| Value { ty: *ty, kind: ValueKind::Argument(index) }).collect();
        let metadata = self.function_metadata();
        self.body = Some(Body { values, metadata, place: self.stream.place(), ..Body::default() });
        self.block_start = 0;
        // An instruction takes eight bytes or so.
        let instructions = self.stream.block_bits() / 64;
        if let Some(body) = &mut self.body {
            body.instructions.reserve(instructions);
            body.values.reserve(instructions);
        }
        loop {
            match self.stream.next()? {
                Entry::End => break,
                Entry::Block(11) => {
                    self.stream.enter(11)?;
                    self.constants()?;
                }
                Entry::Block(14) => {
                    self.stream.enter(14)?;
                    let (values, blocks) = self.symbols()?;
                    if let Some(body) = &mut self.body {
                        (body.names, body.block_names) = (values, blocks);
                    }
                }
                Entry::Block(15) => {
                    self.stream.enter(15)?;
                    self.metadata()?;
                }
                Entry::Block(16) => {
                    self.stream.enter(16)?;
                    self.attachments()?;
                }
                Entry::Block(id) => self.unknown_block(id)?,
                Entry::Record(code) => {
                    let ops = self.stream.take_operands();
                    self.instruction(code, &mut Operands { ops: &ops, at: 0 })?;
                    self.stream.recycle(ops);
                }
            }
        }
        self.check_metadata()?;
        let Some(mut body) = self.body.take().map(Box::new) else { return Ok(()) };
        self.check_body(&body, index)?;
        if body.instructions.capacity() > 2 * body.instructions.len() {
            body.instructions.shrink_to_fit();
            body.values.shrink_to_fit();
        }
        if let Some(function) = self.module.functions.get_mut(index as usize) {
            function.body = Some(body);
        }
        Ok(())
    }

    fn attachments(&mut self) -> Result<(), Fault> {
        while let Some((code, ops)) = self.record()? {
            if code == 11 {
                self.stream.charge(2 * size_of::<Attachment>() * (ops.len() / 2))?;
                let odd = ops.len() % 2;
                let instruction = if odd == 1 { ops.first().map(|index| *index as u32) } else { None };
                let mut found = Vec::new();
                for pair in ops.get(odd..).unwrap_or_default().chunks_exact(2) {
                    let node = u32::try_from(pair[1]).unwrap_or(u32::MAX);
                    found.push(Attachment { instruction, kind: pair[0], node: MetadataId(node) });
                }
                let count = self.body.as_ref().map_or(0, |body| body.instructions.len());
                let metadata = self.module.metadata.len() + self.body.as_ref().map_or(0, |body| body.metadata.len());
                let outside = instruction.is_some_and(|index| index as usize >= count)
                    || found.iter().any(|attachment| attachment.node.0 as usize >= metadata);
                if outside {
                    let message = "attachment refers to an instruction or a metadata node that does not exist";
                    return Err(self.stream.fault(findings::BAD_METADATA, message));
                }
                if let Some(body) = &mut self.body {
                    body.attachments.extend(found);
                }
            }
            self.stream.recycle(ops);
        }
        Ok(())
    }

    /// Reads a record of a function: an instruction, or what belongs to the one before.
    fn instruction(&mut self, code: u64, ops: &mut Operands<'_>) -> Result<(), Fault> {
        match code {
            1 => return self.declare_blocks(ops),
            33 | 35 => return self.debug_location(code, ops),
            _ => {}
        }
        let (declared, finished, count) =
            self.body.as_ref().map_or((0, 0, 0), |body| (body.declared, body.blocks.len(), body.instructions.len()));
        if finished >= declared as usize {
            let message = format!("instruction {count} follows the terminator of the last of {declared} blocks");
            return Err(self.stream.fault(findings::BAD_BLOCK, message));
        }
        let (kind, ty) = self.decode(code, ops)?;
        let size = match &kind {
            Kind::Call(call) => size_of_val(&**call) + spilled(&call.arguments),
            Kind::Gep { operands, .. } => spilled(operands),
            Kind::Switch { cases, .. } => size_of_val(&**cases),
            Kind::Phi(incoming) => size_of_val(&**incoming),
            Kind::ExtractValue { indices, .. } | Kind::InsertValue { indices, .. } => spilled(indices),
            _ => 0,
        };
        self.stream.charge(size_of::<Instruction>() * 3 / 2 + size_of::<Value>() + size)?;
        let has_result = !matches!(self.module.types.get(ty), Some(Type::Void));
        let place = self.stream.place();
        let result = has_result.then_some(ValueId(self.next_value()));
        let terminator = kind.is_terminator();
        let start = self.block_start;
        let Some(body) = &mut self.body else { return Ok(()) };
        if has_result {
            body.values.push(Value { ty, kind: ValueKind::Instruction(count as u32) });
        }
        body.instructions.push(Instruction { kind, ty, result, location: None, place });
        if terminator {
            let end = body.instructions.len() as u32;
            body.blocks.push(BasicBlock { first: start, count: end - start });
            self.block_start = end;
        }
        Ok(())
    }

    fn declare_blocks(&mut self, ops: &mut Operands<'_>) -> Result<(), Fault> {
        let count = ops.try_next().unwrap_or(0);
        // Each block has a terminator, which takes a record of its own.
        if count == 0 || count > self.stream.bits_left() as u64 {
            let message = format!("function declares {count} basic blocks");
            return Err(self.stream.fault(findings::BAD_BLOCK, message));
        }
        if let Some(body) = &mut self.body {
            body.declared = u32::try_from(count).unwrap_or(u32::MAX);
        }
        Ok(())
    }

    fn debug_location(&mut self, code: u64, ops: &mut Operands<'_>) -> Result<(), Fault> {
        self.stream.charge(2 * size_of::<DebugLocation>())?;
        let Some(body) = &mut self.body else { return Ok(()) };
        if code == 35 {
            let mut number = || ops.try_next().map_or(0, |op| op as u32);
            let (line, column, scope, inlined) = (number(), number(), number(), number());
            let node = |id: u32| id.checked_sub(1).map(MetadataId);
            body.locations.push(DebugLocation { line, column, scope: node(scope), inlined_at: node(inlined) });
        }
        let last = (body.locations.len() as u32).checked_sub(1);
        if let Some(instruction) = body.instructions.last_mut() {
            instruction.location = last;
        }
        Ok(())
    }

    /// The id of the next value.
    #[inline]
    pub(super) fn next_value(&self) -> u32 {
        (self.module.values.len() + self.body.as_ref().map_or(0, |body| body.values.len())) as u32
    }

    #[inline]
    pub(super) fn op(&self, ops: &mut Operands<'_>) -> Result<u64, Fault> {
        ops.try_next().ok_or_else(|| self.malformed("an operand is missing"))
    }

    pub(super) fn malformed(&self, why: &str) -> Fault {
        let count = self.body.as_ref().map_or(0, |body| body.instructions.len());
        self.stream.fault(findings::UNDEFINED_VALUE, format!("instruction {count} of {}: {why}", self.function_label()))
    }

    /// The number of the function that is being read, for messages: its name may come later.
    pub(super) fn function_label(&self) -> String {
        let left = self.bodies.len();
        let defined = self.defined.saturating_sub(left);
        format!("body {}", defined.saturating_sub(1))
    }

    /// A value of known type: a relative number.
    #[inline]
    pub(super) fn value(&self, ops: &mut Operands<'_>) -> Result<ValueId, Fault> {
        Ok(self.absolute(self.op(ops)?))
    }

    #[inline]
    pub(super) fn absolute(&self, op: u64) -> ValueId {
        if self.relative { ValueId(self.next_value().wrapping_sub(op as u32)) } else { ValueId(op as u32) }
    }

    /// A relative number with a sign, as incoming values of a phi have it.
    #[inline]
    pub(super) fn signed_value(&self, op: u64) -> ValueId {
        if self.relative { ValueId(self.next_value().wrapping_sub(unrotate(op) as u32)) } else { ValueId(op as u32) }
    }

    /// A value whose type follows where it is not defined yet.
    #[inline]
    pub(super) fn typed_value(&self, ops: &mut Operands<'_>) -> Result<(ValueId, TypeId), Fault> {
        let id = self.value(ops)?;
        if id.0 >= self.next_value() {
            let ty = self.type_id(self.op(ops)?)?;
            return Ok((id, ty));
        }
        let value = self.module.value(self.body.as_ref(), id);
        let value = value.ok_or_else(|| self.malformed(&format!("value {} is not defined", id.0)))?;
        Ok((id, value.ty))
    }

    /// An argument of a call for a parameter of a type.
    #[inline]
    pub(super) fn argument(&self, ops: &mut Operands<'_>, ty: TypeId) -> Result<Operand, Fault> {
        let op = self.op(ops)?;
        Ok(match self.module.types.get(ty) {
            Some(Type::Label) => Operand::Block(BlockId(op as u32)),
            Some(Type::Metadata) => Operand::Metadata(MetadataId(self.absolute(op).0)),
            _ => Operand::Value(self.absolute(op)),
        })
    }

    /// Everything that the body names is there.
    fn check_body(&self, body: &Body, function: u32) -> Result<(), Fault> {
        let fault = |rule, place, message| Err(Fault::at_bit(rule, place, message));
        if body.blocks.len() != body.declared as usize {
            let message = format!(
                "function {function} declares {} basic blocks, but {} have a terminator",
                body.declared,
                body.blocks.len()
            );
            return fault(findings::BAD_BLOCK, body.place, message);
        }
        let values = (self.module.values.len() + body.values.len()) as u32;
        let metadata = self.module.metadata.len() + body.metadata.len();
        for (index, instruction) in body.instructions.iter().enumerate() {
            let mut bad = None;
            instruction.kind.values(|id| {
                if id.0 >= values {
                    bad.get_or_insert((findings::UNDEFINED_VALUE, format!("value {} is not defined", id.0)));
                }
            });
            instruction.kind.blocks(|id| {
                if id.0 >= body.declared {
                    bad.get_or_insert((findings::BAD_BLOCK, format!("refers to block {} of {}", id.0, body.declared)));
                }
            });
            if let Kind::Call(call) = &instruction.kind {
                for argument in &call.arguments {
                    if let Operand::Metadata(id) = argument
                        && id.0 as usize >= metadata
                    {
                        bad.get_or_insert((
                            findings::BAD_METADATA,
                            format!("refers to metadata {} of {metadata}", id.0),
                        ));
                    }
                }
            }
            if let Some((rule, what)) = bad {
                let message = format!("instruction {index} of function {function}: {what}");
                return fault(rule, instruction.place, message);
            }
        }
        for (_, node) in body.metadata.nodes() {
            if let super::NodeKind::Value(_, id) = node.kind
                && id.0 >= values
            {
                let message = format!("metadata of function {function} refers to value {}, which is not defined", id.0);
                return fault(findings::BAD_METADATA, node.place, message);
            }
        }
        Ok(())
    }
}

/// The memory that a list takes beside its own.
fn spilled<A: Array>(list: &SmallVec<A>) -> usize {
    if list.spilled() { list.capacity() * size_of::<A::Item>() } else { 0 }
}
