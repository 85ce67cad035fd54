//! Names and decorations, by target and member.

use std::collections::BTreeMap;

use super::enums::{Decoration as Kind, Op};
use super::module::{InstId, Module};
use crate::ids::Id;

/// A member of a structure type.
pub type Member = u32;

/// One decoration of an id or of a member.
#[derive(Debug, Clone, Copy)]
pub struct Decoration<'m> {
    /// The decoration's number (see [`super::enums::Decoration`]).
    pub kind: u32,
    /// Its operands.
    pub operands: &'m [u32],
}

#[derive(Debug, Clone, Default)]
pub(super) struct Decorations {
    names: BTreeMap<(Id, Option<Member>), String>,
    /// Sorted by target and member; each entry is the instruction and the word of the decoration's number.
    rows: Vec<((Id, Option<Member>), InstId, u16)>,
}

impl Decorations {
    pub(super) fn of(module: &Module) -> Decorations {
        let mut out = Decorations::default();
        let mut groups: Vec<(Id, Id, Option<Member>)> = Vec::new();
        for inst in module.insts() {
            match inst.op() {
                Some(Op::Name) => {
                    out.names.insert((inst.id_at(1), None), inst.string_at(2).0);
                }
                Some(Op::MemberName) => {
                    out.names.insert((inst.id_at(1), Some(inst.word_at(2))), inst.string_at(3).0);
                }
                Some(Op::Decorate | Op::DecorateId | Op::DecorateString) => {
                    out.rows.push(((inst.id_at(1), None), inst.index, 2));
                }
                Some(Op::MemberDecorate | Op::MemberDecorateString) => {
                    out.rows.push(((inst.id_at(1), Some(inst.word_at(2))), inst.index, 3));
                }
                Some(Op::GroupDecorate) => {
                    groups.extend(inst.words_from(2).iter().map(|&target| (inst.id_at(1), Id(target), None)));
                }
                Some(Op::GroupMemberDecorate) => {
                    let pairs = inst.words_from(2).chunks_exact(2);
                    groups.extend(pairs.map(|pair| (inst.id_at(1), Id(pair[0]), Some(pair[1]))));
                }
                Some(Op::Function) => break,
                _ => {}
            }
        }
        // A group hands its own decorations on once: SPIR-V forbids groups of groups, so no repetition is needed.
        let own = out.rows.clone();
        for (group, target, member) in groups {
            let of_group = own.iter().filter(|((id, m), ..)| *id == group && m.is_none());
            out.rows.extend(of_group.map(|&(_, inst, at)| ((target, member), inst, at)));
        }
        out.rows.sort_by_key(|&(key, inst, _)| (key, inst));
        out
    }
}

impl Module {
    /// The debug name of an id, if it has one that is not empty.
    pub fn name(&self, id: Id) -> Option<&str> {
        self.decorations.names.get(&(id, None)).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// The debug name of a member.
    pub fn member_name(&self, id: Id, member: Member) -> Option<&str> {
        self.decorations.names.get(&(id, Some(member))).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// All decorations of an id (`member` absent) or of one of its members, in module order.
    pub fn decorations(&self, id: Id, member: Option<Member>) -> impl Iterator<Item = Decoration<'_>> {
        let rows = &self.decorations.rows;
        let start = rows.partition_point(|&(key, ..)| key < (id, member));
        rows[start..].iter().take_while(move |&&(key, ..)| key == (id, member)).map(|&(_, inst, at)| {
            let inst = self.inst(inst);
            Decoration { kind: inst.word_at(usize::from(at)), operands: inst.words_from(usize::from(at) + 1) }
        })
    }

    /// The first operand of a decoration (0 where it has none), if it is there.
    pub fn decoration(&self, id: Id, member: Option<Member>, kind: Kind) -> Option<u32> {
        let found = self.decorations(id, member).find(|d| d.kind == kind as u32)?;
        Some(found.operands.first().copied().unwrap_or(0))
    }

    /// Whether a decoration is there.
    pub fn is_decorated(&self, id: Id, member: Option<Member>, kind: Kind) -> bool {
        self.decoration(id, member, kind).is_some()
    }
}
