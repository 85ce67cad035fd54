//! Names and decorations, by target and member.

use super::by_id::ById;
use super::enums::{BuiltIn, Decoration as Kind, Op};
use super::module::{Inst, InstId, Module};
use lanescope_base::ids::Id;

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

/// The target of a name or a decoration: an id, or a member of one.
type Target = (Id, Option<Member>);

/// A decoration, where it is.
#[derive(Debug, Clone, Copy)]
struct Row {
    target: Target,
    inst: InstId,
    /// The decoration's number.
    kind: u32,
    /// The word of its first operand.
    operands: u16,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Decorations {
    /// The debug names, one after the other.
    texts: String,
    /// Sorted by target and member, each once: where its name starts in `texts`, and how long it is.
    names: Vec<(Target, u32, u32)>,
    /// Sorted by target and member, then by instruction.
    rows: Vec<Row>,
    /// By id: the index of its first row.
    first: ById,
    /// Sorted by target and member: the groups whose decorations they share.
    groups: Vec<(Target, Id)>,
}

/// Characters of a debug name that are kept: names are shown, often many times, and never looked up.
const MAX_NAME: usize = 128;

impl Decorations {
    /// Adds a name: the string in these words.
    fn add_name(&mut self, target: Target, words: &[u32], bytes: &mut Vec<u8>) {
        bytes.clear();
        // No character takes more than four bytes.
        for word in words.iter().take(MAX_NAME + 1) {
            let four = word.to_le_bytes();
            bytes.extend_from_slice(&four);
            if four.contains(&0) {
                break;
            }
        }
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        let text = String::from_utf8_lossy(&bytes[..end]);
        let start = self.texts.len();
        let cut = if text.len() > MAX_NAME { text.char_indices().nth(MAX_NAME) } else { None };
        match cut {
            Some((end, _)) => {
                self.texts.push_str(&text[..end]);
                self.texts.push('…');
            }
            None => self.texts.push_str(&text),
        }
        self.names.push((target, start as u32, (self.texts.len() - start) as u32));
    }

    /// The debug name of an id or a member.
    fn name(&self, target: Target) -> Option<&str> {
        let at = self.names.binary_search_by_key(&target, |(target, ..)| *target).ok()?;
        let (_, start, len) = *self.names.get(at)?;
        self.texts.get(start as usize..(start as usize).saturating_add(len as usize)).filter(|name| !name.is_empty())
    }

    /// The decorations of a target: its own, then those of its groups.
    fn all(&self, target: Target) -> impl Iterator<Item = &Row> {
        let start = self.groups.partition_point(|&(key, _)| key < target);
        let groups = self.groups[start..].iter().take_while(move |&&(key, _)| key == target);
        self.own(target).chain(groups.flat_map(|&(_, group)| self.own((group, None))))
    }

    fn own(&self, target: Target) -> impl Iterator<Item = &Row> {
        let (id, member) = target;
        let rows = self.first.get(id).and_then(|first| self.rows.get(first as usize..)).unwrap_or(&[]);
        // Those of the id itself come first.
        let start = if member.is_some() { rows.partition_point(|row| row.target < target) } else { 0 };
        rows[start..].iter().take_while(move |row| row.target == target)
    }

    /// Adds the decoration whose number is that word of an instruction.
    fn add(&mut self, target: Target, inst: &Inst<'_>, at: u16) {
        let kind = inst.word_at(usize::from(at));
        self.rows.push(Row { target, inst: inst.index, kind, operands: at + 1 });
    }

    pub(super) fn of(module: &Module) -> Decorations {
        let globals = module.globals();
        // About as many as most modules have.
        let some = globals.len() / 4;
        let mut out = Decorations {
            texts: String::with_capacity(some * 4),
            names: Vec::with_capacity(some),
            rows: Vec::with_capacity(some),
            first: ById::new(module.bound(), module.words().len()),
            groups: Vec::new(),
        };
        let mut bytes = Vec::with_capacity((MAX_NAME + 1) * 4);
        for inst in globals {
            match inst.op() {
                Some(Op::Name) => out.add_name((inst.id_at(1), None), inst.words_from(2), &mut bytes),
                Some(Op::MemberName) => {
                    out.add_name((inst.id_at(1), Some(inst.word_at(2))), inst.words_from(3), &mut bytes);
                }
                Some(Op::Decorate | Op::DecorateId | Op::DecorateString) => {
                    out.add((inst.id_at(1), None), &inst, 2);
                }
                Some(Op::MemberDecorate | Op::MemberDecorateString | Op::MemberDecorateIdEXT) => {
                    out.add((inst.id_at(1), Some(inst.word_at(2))), &inst, 3);
                }
                Some(Op::GroupDecorate) => {
                    let targets = inst.words_from(2).iter();
                    out.groups.extend(targets.map(|&target| ((Id(target), None), inst.id_at(1))));
                }
                Some(Op::GroupMemberDecorate) => {
                    let pairs = inst.words_from(2).chunks_exact(2);
                    out.groups.extend(pairs.map(|pair| ((Id(pair[0]), Some(pair[1])), inst.id_at(1))));
                }
                _ => {}
            }
        }
        out.rows.sort_unstable_by_key(|row| (row.target, row.inst));
        // From the last one on, so that the first one stays.
        for (at, row) in out.rows.iter().enumerate().rev() {
            out.first.set(row.target.0, at as u32);
        }
        // The last one of several names is used.
        out.names.sort_by_key(|(target, start, _)| (*target, std::cmp::Reverse(*start)));
        out.names.dedup_by_key(|(target, ..)| *target);
        out.groups.sort();
        out
    }
}

impl Module {
    /// The debug name of an id, if it has one that is not empty.
    pub fn name(&self, id: Id) -> Option<&str> {
        self.decorations.name((id, None))
    }

    /// The debug name of a member.
    pub fn member_name(&self, id: Id, member: Member) -> Option<&str> {
        self.decorations.name((id, Some(member)))
    }

    /// All decorations of an id (`member` absent) or of one of its members: its own in module order, then those of its
    /// groups. SPIR-V forbids groups of groups, so a group's own are all it has.
    pub fn decorations(&self, id: Id, member: Option<Member>) -> impl Iterator<Item = Decoration<'_>> {
        self.decorations.all((id, member)).map(|row| Decoration { kind: row.kind, operands: self.operands(row) })
    }

    fn operands(&self, row: &Row) -> &[u32] {
        self.inst(row.inst).words_from(usize::from(row.operands))
    }

    /// The first operand of a decoration (0 where it has none), if it is there.
    pub fn decoration(&self, id: Id, member: Option<Member>, kind: Kind) -> Option<u32> {
        let found = self.decorations.all((id, member)).find(|row| row.kind == kind as u32)?;
        Some(self.operands(found).first().copied().unwrap_or(0))
    }

    /// Whether anything is decorated as a built-in.
    pub fn has_built_in(&self, built_in: BuiltIn) -> bool {
        let mut rows = self.decorations.rows.iter().filter(|row| row.kind == Kind::BuiltIn as u32);
        rows.any(|row| self.operands(row).first() == Some(&(built_in as u32)))
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
    fn groups_apply_decorations_without_copies() {
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
    fn truncates_long_names() {
        let mut words = vec![0x0723_0203, 0x0001_0300, 0, 10, 0];
        let mut name = |id: u32, text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            bytes.resize((bytes.len() / 4 + 1) * 4, 0);
            let text: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
            words.extend(inst(Op::Name, &[&[id], &text[..]].concat()));
        };
        name(1, "first");
        name(2, &"é".repeat(60_000));
        name(3, "");
        name(1, "normal");
        let module = Module::parse(words).expect("a module");
        assert_eq!(module.name(Id(1)), Some("normal"), "the last one counts");
        assert_eq!(module.name(Id(2)).map(|name| name.chars().count()), Some(MAX_NAME + 1));
        assert_eq!((module.name(Id(3)), module.name(Id(4))), (None, None));
    }
}
