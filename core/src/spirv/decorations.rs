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
    /// Sorted by target and member: the groups whose decorations they share.
    groups: Vec<((Id, Option<Member>), Id)>,
}

/// Characters of a debug name that are kept: names are shown, often many times, and never looked up.
const MAX_NAME: usize = 128;

fn shortened(mut name: String) -> String {
    if let Some((end, _)) = name.char_indices().nth(MAX_NAME) {
        name.truncate(end);
        name.push('…');
    }
    name
}

impl Decorations {
    pub(super) fn of(module: &Module) -> Decorations {
        let mut out = Decorations::default();
        for inst in module.insts() {
            match inst.op() {
                Some(Op::Name) => {
                    out.names.insert((inst.id_at(1), None), shortened(inst.string_at(2).0));
                }
                Some(Op::MemberName) => {
                    out.names.insert((inst.id_at(1), Some(inst.word_at(2))), shortened(inst.string_at(3).0));
                }
                Some(Op::Decorate | Op::DecorateId | Op::DecorateString) => {
                    out.rows.push(((inst.id_at(1), None), inst.index, 2));
                }
                Some(Op::MemberDecorate | Op::MemberDecorateString) => {
                    out.rows.push(((inst.id_at(1), Some(inst.word_at(2))), inst.index, 3));
                }
                Some(Op::GroupDecorate) => {
                    let targets = inst.words_from(2).iter();
                    out.groups.extend(targets.map(|&target| ((Id(target), None), inst.id_at(1))));
                }
                Some(Op::GroupMemberDecorate) => {
                    let pairs = inst.words_from(2).chunks_exact(2);
                    out.groups.extend(pairs.map(|pair| ((Id(pair[0]), Some(pair[1])), inst.id_at(1))));
                }
                Some(Op::Function) => break,
                _ => {}
            }
        }
        out.rows.sort_by_key(|&(key, inst, _)| (key, inst));
        out.groups.sort();
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

    /// All decorations of an id (`member` absent) or of one of its members: its own in module order, then those of its
    /// groups. SPIR-V forbids groups of groups, so a group's own are all it has.
    pub fn decorations(&self, id: Id, member: Option<Member>) -> impl Iterator<Item = Decoration<'_>> {
        let groups = &self.decorations.groups;
        let start = groups.partition_point(|&(key, _)| key < (id, member));
        let groups = groups[start..].iter().take_while(move |&&(key, _)| key == (id, member));
        self.own_decorations(id, member).chain(groups.flat_map(|&(_, group)| self.own_decorations(group, None)))
    }

    fn own_decorations(&self, id: Id, member: Option<Member>) -> impl Iterator<Item = Decoration<'_>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn inst(op: Op, operands: &[u32]) -> Vec<u32> {
        let mut words = vec![((operands.len() as u32 + 1) << 16) | op as u32];
        words.extend(operands);
        words
    }

    /// Groups of many decorations on many targets: reading them takes memory for their sum, not for their product.
    #[test]
    fn groups_hand_their_decorations_on_without_copies() {
        let (decorations, targets) = (40_000, 40_000);
        let mut words = vec![0x0723_0203, 0x0001_0300, 0, 100_000, 0];
        words.extend(inst(Op::MemberDecorate, &[7, 1, Kind::Flat as u32]));
        (0..decorations).for_each(|n| words.extend(inst(Op::Decorate, &[1, Kind::Location as u32, n])));
        words.extend(inst(Op::Decorate, &[1, Kind::Centroid as u32]));
        words.extend(inst(Op::DecorationGroup, &[1]));
        words.extend(inst(Op::GroupDecorate, &(1..=targets).collect::<Vec<_>>()));
        words.extend(inst(Op::GroupMemberDecorate, &[1, 7, 1]));
        let module = Module::parse(words).expect("a module");
        assert_eq!(module.decoration(Id(targets), None, Kind::Location), Some(0));
        assert!(module.is_decorated(Id(7), None, Kind::Centroid));
        assert!(module.is_decorated(Id(7), Some(1), Kind::Flat) && module.is_decorated(Id(7), Some(1), Kind::Centroid));
        assert!(!module.is_decorated(Id(7), Some(0), Kind::Centroid));
        assert_eq!(module.decorations(Id(7), Some(1)).count(), decorations as usize + 2);
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shortened("normal".to_owned()), "normal");
        assert_eq!(shortened("é".repeat(60_000)).chars().count(), MAX_NAME + 1);
    }
}
