//! The graph of metadata: strings, values, nodes, names.

use std::ops::Range;

use super::names::{Span, Texts};
use super::read::Reader;
use super::{MetadataId, TypeId, ValueId};
use crate::bytes::escaped;
use crate::error::Fault;
use crate::findings;

/// Kinds of metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A string.
    Text,
    /// A value of a type.
    Value(TypeId, ValueId),
    /// A tuple of metadata.
    Tuple,
    /// A tuple that equals no other.
    DistinctTuple,
    /// A node of debug information, by its record's code; its operands are numbers, some of them of metadata.
    Debug(u32),
}

/// A piece of metadata and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its kind.
    pub kind: NodeKind,
    /// Start of its record: a bit of the file.
    pub place: u64,
    /// Its bytes, its operands or its numbers.
    range: Range<u32>,
}

/// Metadata of a module, or what one function adds to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Number of ids before the first one here: those of the module, in a function.
    first: u32,
    nodes: Vec<Node>,
    text: Vec<u8>,
    operands: Vec<u32>,
    numbers: Vec<u64>,
    texts: Texts,
    /// Names, and where in `named_nodes` the nodes of each end.
    named: Vec<(Span, u32)>,
    named_nodes: Vec<MetadataId>,
    kinds: Vec<(u64, Span)>,
}

impl Metadata {
    /// Number of nodes, strings and values.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes of all strings.
    pub(crate) fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Every piece, with its number.
    pub fn nodes(&self) -> impl Iterator<Item = (MetadataId, &Node)> {
        (self.first..).map(MetadataId).zip(&self.nodes)
    }

    /// One piece.
    #[inline]
    pub fn node(&self, id: MetadataId) -> Option<&Node> {
        self.nodes.get(id.0.checked_sub(self.first)? as usize)
    }

    /// The operands of a tuple: each a piece of metadata, or null.
    pub fn operands(&self, id: MetadataId) -> Option<impl ExactSizeIterator<Item = Option<MetadataId>> + Clone> {
        Some(self.raw_operands(id)?.iter().map(|id| id.checked_sub(1).map(MetadataId)))
    }

    /// The operands of a tuple as records have them: 0 for null, otherwise one more than the number of a piece.
    #[inline]
    pub(crate) fn raw_operands(&self, id: MetadataId) -> Option<&[u32]> {
        let node = self.node(id)?;
        matches!(node.kind, NodeKind::Tuple | NodeKind::DistinctTuple).then_some(())?;
        self.operands.get(node.range.start as usize..node.range.end as usize)
    }

    /// The bytes of a string.
    #[inline]
    pub fn bytes(&self, id: MetadataId) -> Option<&[u8]> {
        let node = self.node(id)?;
        matches!(node.kind, NodeKind::Text).then_some(())?;
        self.text.get(node.range.start as usize..node.range.end as usize)
    }

    /// A string as text, escaped where it is not plain.
    pub fn text(&self, id: MetadataId) -> Option<String> {
        self.bytes(id).map(escaped)
    }

    /// The numbers of a node of debug information.
    pub fn numbers(&self, id: MetadataId) -> Option<&[u64]> {
        let node = self.node(id)?;
        matches!(node.kind, NodeKind::Debug(_)).then_some(())?;
        self.numbers.get(node.range.start as usize..node.range.end as usize)
    }

    /// Named lists of nodes, in the order of the file.
    pub fn named(&self) -> impl Iterator<Item = (&str, &[MetadataId])> {
        self.lists().map(|(name, nodes)| (self.texts.get(name), nodes))
    }

    /// The nodes of a name.
    pub fn of_name(&self, name: &str) -> Option<&[MetadataId]> {
        self.lists().find(|(other, _)| self.texts.bytes(*other) == name.as_bytes()).map(|(_, nodes)| nodes)
    }

    fn lists(&self) -> impl Iterator<Item = (Span, &[MetadataId])> {
        let mut start = 0;
        self.named.iter().map(move |(name, end)| {
            let nodes = self.named_nodes.get(start..*end as usize).unwrap_or_default();
            start = *end as usize;
            (*name, nodes)
        })
    }

    /// Name of a kind of attachment.
    pub fn kind_name(&self, kind: u64) -> Option<&str> {
        self.kinds.iter().find(|(number, _)| *number == kind).map(|(_, name)| self.texts.get(*name))
    }
}

impl Reader<'_> {
    /// Reads a block of metadata, of the module or of the function being read.
    pub(super) fn metadata(&mut self) -> Result<(), Fault> {
        let mut name: Option<Span> = None;
        self.reserve_metadata();
        while let Some((code, ops)) = self.record()? {
            if code != 10 && name.is_some() {
                return Err(self.bad_metadata("a name record is not followed by its nodes"));
            }
            match code {
                4 => {
                    self.stream.charge(2 * ops.len())?;
                    name = Some(self.metadata_target().texts.add(&ops));
                }
                10 => {
                    let Some(name) = name.take() else {
                        return Err(self.bad_metadata("named nodes without a name"));
                    };
                    self.stream.charge(64 + 4 * ops.len())?;
                    for id in ops.iter() {
                        let id = self.metadata_id(*id)?;
                        self.metadata_target().named_nodes.push(id);
                    }
                    let target = self.metadata_target();
                    target.named.push((name, target.named_nodes.len() as u32));
                }
                6 => {
                    if let [kind, name @ ..] = &*ops {
                        self.stream.charge(64 + name.len())?;
                        let target = self.metadata_target();
                        let name = target.texts.add(name);
                        target.kinds.push((*kind, name));
                    }
                }
                _ => self.metadata_node(code, &ops)?,
            }
            self.stream.recycle(ops);
        }
        Ok(())
    }

    /// Reserves space for what a block of this size usually holds: no more than what its bits may be.
    fn reserve_metadata(&mut self) {
        let bytes = self.stream.block_bits() / 8;
        let target = self.metadata_target();
        if target.nodes.is_empty() {
            target.nodes.reserve(bytes / 8);
            target.operands.reserve(bytes / 4);
            target.text.reserve(bytes / 2);
            target.texts.reserve(bytes.min(256));
            target.named.reserve((bytes / 64).min(16));
            target.named_nodes.reserve((bytes / 64).min(16));
        } else {
            // A second block holds the kinds of attachments.
            target.kinds.reserve(24);
            target.texts.reserve(bytes / 2);
        }
    }

    fn metadata_node(&mut self, code: u64, ops: &[u64]) -> Result<(), Fault> {
        let kind = match code {
            1 => NodeKind::Text,
            2 => match ops {
                [ty, value] => NodeKind::Value(self.type_id(*ty)?, ValueId(u32::try_from(*value).unwrap_or(u32::MAX))),
                _ => return Err(self.bad_metadata(&format!("a value has {} operands, expected 2", ops.len()))),
            },
            3 => NodeKind::Tuple,
            5 => NodeKind::DistinctTuple,
            7 | 12..=32 => NodeKind::Debug(code as u32),
            _ => return Err(self.bad_metadata(&format!("code {code} is not a metadata record of LLVM 3.7"))),
        };
        let width = match kind {
            NodeKind::Text => 1,
            NodeKind::Value(..) => 0,
            NodeKind::Tuple | NodeKind::DistinctTuple => 4,
            NodeKind::Debug(_) => 8,
        };
        self.stream.charge(2 * (size_of::<Node>() + width * ops.len()))?;
        if let NodeKind::Tuple | NodeKind::DistinctTuple = kind {
            // The furthest one stands for all of them.
            let furthest = ops.iter().copied().max().unwrap_or(0);
            if furthest > u64::from(u32::MAX) {
                let wrong = ops.iter().find(|id| **id > u64::from(u32::MAX)).map_or(0, |id| *id - 1);
                return Err(self.bad_metadata(&format!("metadata {wrong} does not exist")));
            }
            if let Some(furthest) = furthest.checked_sub(1) {
                self.metadata_id(furthest)?;
            }
        }
        let place = self.stream.place();
        let target = self.metadata_target();
        let range = match kind {
            NodeKind::Text => {
                let start = target.text.len() as u32;
                target.text.extend(ops.iter().map(|byte| *byte as u8));
                start..target.text.len() as u32
            }
            NodeKind::Value(..) => 0..0,
            NodeKind::Tuple | NodeKind::DistinctTuple => {
                let start = target.operands.len() as u32;
                target.operands.extend(ops.iter().map(|id| *id as u32));
                start..target.operands.len() as u32
            }
            NodeKind::Debug(_) => {
                let start = target.numbers.len() as u32;
                target.numbers.extend(ops);
                start..target.numbers.len() as u32
            }
        };
        target.nodes.push(Node { kind, place, range });
        Ok(())
    }

    /// A number of metadata from a record. Nodes may name what follows; that it is there is checked at the end.
    #[inline]
    fn metadata_id(&mut self, id: u64) -> Result<MetadataId, Fault> {
        let Some(id) = u32::try_from(id).ok().filter(|id| *id < u32::MAX) else {
            return Err(self.bad_metadata(&format!("metadata {id} does not exist")));
        };
        if self.furthest_metadata.is_none_or(|(furthest, _)| id > furthest) {
            self.furthest_metadata = Some((id, self.stream.place()));
        }
        Ok(MetadataId(id))
    }

    fn bad_metadata(&self, why: &str) -> Fault {
        self.stream.fault(findings::BAD_METADATA, format!("metadata {}: {why}", self.next_metadata()))
    }

    #[inline]
    fn metadata_target(&mut self) -> &mut Metadata {
        match &mut self.body {
            Some(body) => &mut body.metadata,
            None => &mut self.module.metadata,
        }
    }

    /// The id of the next node.
    fn next_metadata(&self) -> usize {
        self.module.metadata.len() + self.body.as_ref().map_or(0, |body| body.metadata.len())
    }

    /// Metadata of a function, whose ids continue those of the module.
    pub(super) fn function_metadata(&self) -> Metadata {
        Metadata { first: self.module.metadata.len() as u32, ..Metadata::default() }
    }

    /// Checks that everything which was named is there.
    pub(super) fn check_metadata(&mut self) -> Result<(), Fault> {
        match self.furthest_metadata.take() {
            Some((id, place)) if id as usize >= self.next_metadata() => {
                let message = format!("metadata {id} does not exist; the list has {}", self.next_metadata());
                Err(Fault::at_bit(findings::BAD_METADATA, place, message))
            }
            _ => Ok(()),
        }
    }
}
