//! A cursor over tuples of metadata: unexpected operands are faults with their location.

use std::cell::Cell;

use crate::error::Fault;
use crate::findings;
use crate::module::{Constant, MetadataId, Module, NodeKind, Type, ValueId};

/// A tuple, or the root of the module's metadata.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'m> {
    pub module: &'m Module,
    node: Option<MetadataId>,
    /// The operands of the tuple; absent where it is none.
    operands: Option<&'m [u32]>,
    steps: &'m Steps,
}

/// What may still be read. Many nodes may name one long list or one long text, so the module's size alone bounds
/// nothing.
pub(super) struct Steps {
    /// Operands.
    operands: Cell<usize>,
    /// Bytes of texts that are copied.
    text: Cell<usize>,
}

impl Steps {
    /// Sixteen times what the module has, and what every module needs.
    pub fn of(module: &Module) -> Steps {
        let of = |have: usize, least: usize| Cell::new(have.saturating_mul(16).saturating_add(least));
        Steps { operands: of(module.metadata.len(), 1 << 14), text: of(module.metadata.text_bytes(), 1 << 20) }
    }
}

#[inline]
fn take(from: &Cell<usize>, count: usize) -> bool {
    let left = from.get().checked_sub(count);
    from.set(left.unwrap_or(0));
    left.is_some()
}

impl<'m> Cursor<'m> {
    pub fn new(module: &'m Module, steps: &'m Steps) -> Self {
        Cursor { module, node: None, operands: None, steps }
    }

    #[inline]
    pub fn at(&self, node: MetadataId) -> Self {
        Cursor { node: Some(node), operands: self.module.metadata.raw_operands(node), ..*self }
    }

    #[inline]
    fn step(&self, count: usize) -> Result<(), Fault> {
        match take(&self.steps.operands, count) {
            true => Ok(()),
            false => Err(self.again("nodes")),
        }
    }

    fn again(&self, what: &str) -> Fault {
        let message = format!("metadata refers to the same {what} too often");
        Fault::at_bit(findings::RECORD_BUDGET, self.place(), message)
    }

    /// A name of the module as a text of its own.
    pub fn owned(&self, name: &str) -> Result<String, Fault> {
        match take(&self.steps.text, name.len()) {
            true => Ok(name.to_owned()),
            false => Err(self.again("texts")),
        }
    }

    /// Start of the tuple's record; for the root, start of the metadata.
    pub fn place(&self) -> u64 {
        let node = self.node.and_then(|id| self.module.metadata.node(id));
        node.or_else(|| self.module.metadata.nodes().next().map(|(_, node)| node)).map_or(0, |node| node.place)
    }

    /// A fault at this tuple.
    pub fn bad(&self, message: &str) -> Fault {
        Fault::at_bit(findings::BAD_PROPERTY, self.place(), message)
    }

    pub fn len(&self) -> usize {
        self.operands.map_or(0, <[u32]>::len)
    }

    #[inline]
    fn operand(&self, index: usize) -> Result<Option<MetadataId>, Fault> {
        self.step(1)?;
        let operands = self.operands.ok_or_else(|| self.bad("expected a tuple"))?;
        match operands.get(index) {
            Some(id) => Ok(id.checked_sub(1).map(MetadataId)),
            None => Err(self.bad(&format!("operand {index} of {} is missing", operands.len()))),
        }
    }

    /// The tuple that an operand is; `None` for null.
    #[inline]
    pub fn tuple(&self, index: usize) -> Result<Option<Cursor<'m>>, Fault> {
        let Some(id) = self.operand(index)? else { return Ok(None) };
        match self.module.metadata.node(id).map(|node| node.kind) {
            Some(NodeKind::Tuple | NodeKind::DistinctTuple) => Ok(Some(self.at(id))),
            _ => Err(self.bad(&format!("operand {index} is not a tuple"))),
        }
    }

    /// The tuple that an operand is; null is a fault.
    #[inline]
    pub fn some_tuple(&self, index: usize) -> Result<Cursor<'m>, Fault> {
        self.tuple(index)?.ok_or_else(|| self.bad(&format!("operand {index} is null, expected a tuple")))
    }

    /// Every operand as a tuple.
    pub fn tuples(&self) -> impl Iterator<Item = Result<Cursor<'m>, Fault>> + '_ {
        (0..self.len()).map(|index| self.some_tuple(index))
    }

    pub fn bytes(&self, index: usize) -> Result<&'m [u8], Fault> {
        let id = self.operand(index)?;
        let bytes = id.and_then(|id| self.module.metadata.bytes(id));
        let bytes = bytes.ok_or_else(|| self.bad(&format!("operand {index} is not a string")))?;
        self.step(bytes.len() / 64)?;
        Ok(bytes)
    }

    pub fn text(&self, index: usize) -> Result<String, Fault> {
        let bytes = self.bytes(index)?;
        match take(&self.steps.text, bytes.len()) {
            true => Ok(crate::escaped(bytes)),
            false => Err(self.again("texts")),
        }
    }

    /// The value that an operand is; `None` for null.
    #[inline]
    pub fn value(&self, index: usize) -> Result<Option<ValueId>, Fault> {
        let Some(id) = self.operand(index)? else { return Ok(None) };
        match self.module.metadata.node(id).map(|node| node.kind) {
            Some(NodeKind::Value(_, value)) => Ok(Some(value)),
            _ => Err(self.bad(&format!("operand {index} is not a value"))),
        }
    }

    #[inline]
    pub fn integer(&self, index: usize) -> Result<i64, Fault> {
        let value = self.value(index)?.and_then(|value| self.module.integer(None, value));
        value.ok_or_else(|| self.bad(&format!("operand {index} is not an integer")))
    }

    /// An integer as its low 32 bits.
    #[inline]
    pub fn number(&self, index: usize) -> Result<u32, Fault> {
        self.integer(index).map(|value| value as u32)
    }

    /// A flag: any integer but 0.
    pub fn flag(&self, index: usize) -> Result<bool, Fault> {
        self.integer(index).map(|value| value != 0)
    }

    /// A float's value.
    pub fn float(&self, index: usize) -> Result<f64, Fault> {
        let bad = || self.bad(&format!("operand {index} is not a float"));
        let id = self.value(index)?.ok_or_else(bad)?;
        let wide = self.module.value(None, id).and_then(|value| self.module.types.get(value.ty));
        match (self.module.constant(None, id), wide) {
            (Some(Constant::Float(bits)), Some(Type::Float)) => Ok(f64::from(f32::from_bits(*bits as u32))),
            (Some(Constant::Float(bits)), Some(Type::Double)) => Ok(f64::from_bits(*bits)),
            (Some(Constant::Null), _) => Ok(0.0),
            _ => Err(bad()),
        }
    }

    /// The size of a constant array of bytes that an operand is, or is a tuple of.
    pub fn bytes_of_data(&self, index: usize) -> Result<u32, Fault> {
        let id = match self.value(index) {
            Ok(id) => id,
            Err(_) => self.some_tuple(index)?.value(0)?,
        };
        let ty = id.and_then(|id| self.module.value(None, id)).and_then(|value| self.module.types.get(value.ty));
        match ty {
            Some(Type::Array(count, _)) => Ok(u32::try_from(*count).unwrap_or(u32::MAX)),
            _ => Err(self.bad(&format!("operand {index} is not an array of bytes"))),
        }
    }

    /// Three numbers of a tuple.
    pub fn size(&self) -> Result<[u32; 3], Fault> {
        Ok([self.number(0)?, self.number(1)?, self.number(2)?])
    }

    /// Every operand as a number.
    pub fn numbers(&self) -> Result<Vec<u32>, Fault> {
        (0..self.len()).map(|index| self.number(index)).collect()
    }

    /// A flat list of tags and values: calls `with` for each with the tag and the index of its value.
    pub fn tags(&self, mut with: impl FnMut(u32, usize) -> Result<(), Fault>) -> Result<(), Fault> {
        if !self.len().is_multiple_of(2) {
            return Err(self.bad(&format!("list of tags and values has an odd number of operands ({})", self.len())));
        }
        for index in (0..self.len()).step_by(2) {
            let tag = self.number(index)?;
            with(tag, index + 1).map_err(|mut fault| {
                fault.message = format!("tag {tag} malformed: {}", fault.message);
                fault
            })?;
        }
        Ok(())
    }
}
