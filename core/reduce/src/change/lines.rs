//! The instructions of a module while it changes: a line each.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_base::ids::Id;
use lanescope_spirv::edit::push;
use lanescope_spirv::enums::Op;
use lanescope_spirv::opcode::Section;
use lanescope_spirv::{InstId, Module, facts, grammar};

use super::{Changes, Instead};

/// One instruction.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Its words.
    pub words: Vec<u32>,
    /// Its opcode.
    pub op: Op,
    /// The instruction of the module that it was; none for one that was added.
    from: Option<InstId>,
    has_type: bool,
    has_result: bool,
    /// Words of each case's literal, where it has cases.
    literal: usize,
}

impl Line {
    fn new(from: Option<InstId>, words: Vec<u32>, literal: usize) -> Option<Line> {
        let info = grammar::info((words.first()? & 0xffff) as u16)?;
        let (has_type, has_result) = (info.has_type, info.has_result);
        let line = Line { words, op: info.op, from, has_type, has_result, literal };
        // Every id must be known, or one that is renamed would stay.
        line.id_places()?;
        Some(line)
    }

    /// An instruction that the module did not have.
    pub fn added(words: Vec<u32>) -> Option<Line> {
        Line::new(None, words, 1)
    }

    /// Word `at`, or 0 where the instruction is shorter.
    pub fn word(&self, at: usize) -> u32 {
        self.words.get(at).copied().unwrap_or(0)
    }

    /// Word `at` as an id.
    pub fn id(&self, at: usize) -> Id {
        Id(self.word(at))
    }

    /// Its result.
    pub fn result(&self) -> Option<Id> {
        self.has_result.then(|| self.id(1 + usize::from(self.has_type)))
    }

    /// Its result's type.
    pub fn ty(&self) -> Option<Id> {
        self.has_type.then(|| self.id(1))
    }

    /// The indices of the words that are ids, its result apart; `None` where the grammar does not say.
    fn id_places(&self) -> Option<Vec<usize>> {
        let mut places = Vec::new();
        grammar::for_each_id_place(&self.words, self.literal, |at| places.push(at)).ok()?;
        Some(places)
    }

    /// The ids that it uses.
    pub fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.id_places().unwrap_or_default().into_iter().map(|at| self.id(at))
    }

    /// The blocks that may follow, if it ends a block.
    pub fn successors(&self) -> Option<Vec<Id>> {
        use Op::*;
        Some(match self.op {
            Branch => vec![self.id(1)],
            BranchConditional => vec![self.id(2), self.id(3)],
            Switch => {
                let cases = self.words.get(3..).unwrap_or_default().chunks_exact(self.literal + 1);
                let labels = cases.filter_map(|case| case.last()).map(|&label| Id(label));
                std::iter::once(self.id(2)).chain(labels).collect()
            }
            Return
            | ReturnValue
            | Kill
            | TerminateInvocation
            | Unreachable
            | IgnoreIntersectionKHR
            | TerminateRayKHR
            | EmitMeshTasksEXT => Vec::new(),
            _ => return None,
        })
    }

    /// Uses other ids.
    fn rename(&mut self, renamed: &BTreeMap<Id, Id>) {
        for place in self.id_places().unwrap_or_default() {
            if let Some(other) = renamed.get(&self.id(place)) {
                self.words[place] = other.0;
            }
        }
    }

    /// Leaves the variables of an entry point's interface that are wanted.
    fn keep_interface(&mut self, wanted: impl Fn(Id) -> bool) {
        let name = self.words.iter().skip(3).position(|word| word.to_le_bytes().contains(&0));
        let start = name.map_or(self.words.len(), |end| 3 + end + 1);
        let left: Vec<u32> = self
            .words
            .iter()
            .enumerate()
            .filter(|(at, id)| *at < start || wanted(Id(**id)))
            .map(|(_, id)| *id)
            .collect();
        self.words = left;
        self.words[0] = (self.words.len() as u32) << 16 | self.words[0] & 0xffff;
    }

    /// Whether it only says something of another instruction: a name, a decoration.
    pub fn is_about(&self) -> bool {
        matches!(facts(self.op).section, Section::Name | Section::Annotation) || self.op == Op::TypeForwardPointer
    }
}

/// The instructions of a module.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    head: Vec<u32>,
    pub all: Vec<Line>,
    next: u32,
    /// The types of all values, those that are gone too.
    types: BTreeMap<Id, Id>,
    /// Constants by type that were looked for.
    constants: BTreeMap<(Id, Instead), Option<Id>>,
}

impl Lines {
    /// Those of a module; `None` if it has an instruction whose ids are not known, or decoration groups.
    pub fn of(module: &Module) -> Option<Lines> {
        let mut all = Vec::with_capacity(module.len());
        let mut types = BTreeMap::new();
        for inst in module.insts() {
            let literal = if inst.op() == Some(Op::Switch) { module.case_words(&inst) } else { 1 };
            if matches!(inst.op(), Some(Op::DecorationGroup | Op::GroupDecorate | Op::GroupMemberDecorate)) {
                return None;
            }
            if let (Some(result), Some(ty)) = (inst.result(), inst.result_type()) {
                types.insert(result, ty);
            }
            all.push(Line::new(Some(inst.index), inst.words.to_vec(), literal)?);
        }
        let head = module.words().get(..5)?.to_vec();
        Some(Lines { head, all, next: module.bound(), types, constants: BTreeMap::new() })
    }

    /// The next new id.
    pub fn next_id(&mut self) -> &mut u32 {
        &mut self.next
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The module's words.
    pub fn words(&self) -> Vec<u32> {
        let mut words = self.head.clone();
        let above = self.all.iter().filter_map(Line::result).map(|id| id.0 + 1).max();
        if let (Some(bound), Some(above)) = (words.get_mut(3), above) {
            *bound = above.max(*bound);
        }
        words.extend(self.all.iter().flat_map(|line| &line.words));
        words
    }

    /// The index of each definition.
    pub fn definitions(&self) -> BTreeMap<Id, usize> {
        self.all.iter().enumerate().filter_map(|(at, line)| Some((line.result()?, at))).collect()
    }

    /// The functions, from `OpFunction` to `OpFunctionEnd`.
    pub fn functions(&self) -> Vec<std::ops::Range<usize>> {
        let mut out = Vec::new();
        let mut start = None;
        for (at, line) in self.all.iter().enumerate() {
            match line.op {
                Op::Function => start = Some(at),
                Op::FunctionEnd => out.extend(start.take().map(|start| start..at + 1)),
                _ => {}
            }
        }
        out
    }

    /// Removes instructions, gives them other words, and uses other values; `None` where a value has no constant in its
    /// place.
    pub fn change(&mut self, changes: &Changes) -> Option<()> {
        let mut renamed: BTreeMap<Id, Id> = BTreeMap::new();
        for &id in changes.instead.keys() {
            match changes.of_value(id) {
                Some(Instead::Id(other)) => drop(renamed.insert(id, other)),
                Some(constant) => drop(renamed.insert(id, self.constant(*self.types.get(&id)?, constant)?)),
                None => {}
            }
        }
        let always = if changes.leaving.is_empty() { None } else { Some(self.always()?) };
        let mut left = Vec::with_capacity(self.all.len());
        for mut line in std::mem::take(&mut self.all) {
            let inserted = line.from.and_then(|from| changes.inserted.get(&from));
            for mut line in lines_of(inserted.map_or(&[], Vec::as_slice))? {
                line.rename(&renamed);
                left.push(line);
            }
            if line.from.is_some_and(|from| changes.removed.contains(&from)) {
                continue;
            }
            if let Some(words) = line.from.and_then(|from| changes.replaced.get(&from)) {
                line = Line::new(line.from, words.clone(), line.literal)?;
            }
            if let Some([merge, header]) = line.from.and_then(|from| changes.leaving.get(&from)) {
                let mut words = Vec::new();
                push(&mut words, Op::BranchConditional, &[always?.0, merge.0, header.0]);
                line = Line::new(line.from, words, 1)?;
            }
            if !line.is_about() && line.op != Op::EntryPoint {
                line.rename(&renamed);
            }
            left.push(line);
        }
        self.all = left;
        let used: BTreeSet<Id> = renamed.values().copied().collect();
        self.define_before_use(&used);
        Some(())
    }

    /// Moves constants right after their types where something before them uses them.
    fn define_before_use(&mut self, constants: &BTreeSet<Id>) {
        for id in constants {
            let Some(at) = self.all.iter().position(|line| line.result() == Some(*id)) else { continue };
            let is_plain =
                matches!(self.all[at].op, Op::Constant | Op::ConstantTrue | Op::ConstantFalse | Op::ConstantNull);
            let ty = self.all[at].ty();
            let Some(ty) = self.all[..at].iter().position(|line| ty.is_some() && line.result() == ty) else { continue };
            // Execution modes come before all constants, and may use them.
            let is_used = |line: &Line| !line.is_about() && line.ids().any(|used| used == *id);
            if is_plain && self.all[ty + 1..at].iter().any(is_used) {
                let line = self.all.remove(at);
                self.all.insert(ty + 1, line);
            }
        }
    }

    /// The constant `true`; `None` in a module without truth values.
    fn always(&mut self) -> Option<Id> {
        let ty = self.all.iter().find(|line| line.op == Op::TypeBool)?.result()?;
        self.constant(ty, Instead::One)
    }

    /// The constant of a type, which is added where the module has none; `None` for a type without one.
    pub fn constant(&mut self, ty: Id, which: Instead) -> Option<Id> {
        if let Some(known) = self.constants.get(&(ty, which)) {
            return *known;
        }
        let found = self.find_constant(ty, which);
        self.constants.insert((ty, which), found);
        found
    }

    fn find_constant(&mut self, ty: Id, which: Instead) -> Option<Id> {
        let definitions = self.definitions();
        let declared = |ty: Id| definitions.get(&ty).and_then(|&at| self.all.get(at));
        let op = match (declared(ty)?.op, which) {
            (Op::TypeBool, Instead::Zero) => Op::ConstantFalse,
            (Op::TypeBool, _) => Op::ConstantTrue,
            (Op::TypeInt | Op::TypeFloat, _) => Op::Constant,
            (_, Instead::Zero) if is_nullable(ty, &declared, 0) => Op::ConstantNull,
            _ => return None,
        };
        let value = match op {
            Op::Constant => number(declared(ty)?, which)?,
            _ => Vec::new(),
        };
        let is_it = |line: &&Line| line.op == op && line.ty() == Some(ty) && line.words.get(3..) == Some(&value[..]);
        let is_plain =
            |id: &Id| !self.all.iter().any(|line| line.is_about() && line.op != Op::Name && line.id(1) == *id);
        if let Some(known) = self.all.iter().filter(is_it).filter_map(Line::result).find(is_plain) {
            return Some(known);
        }
        let id = Id(self.next);
        self.next = self.next.checked_add(1)?;
        let operands: Vec<u32> = [ty.0, id.0].into_iter().chain(value).collect();
        let mut words = Vec::new();
        push(&mut words, op, &operands);
        // Right after its type, before whatever may use it.
        let at = self.all.iter().position(|line| line.result() == Some(ty))?;
        self.all.insert(at + 1, Line::added(words)?);
        self.types.insert(id, ty);
        Some(id)
    }

    /// Takes variables that are gone from the interfaces of entry points.
    pub fn leave_interfaces(&mut self, defined: &BTreeSet<Id>) {
        for line in self.all.iter_mut().filter(|line| line.op == Op::EntryPoint) {
            line.keep_interface(|id| defined.contains(&id));
        }
    }

    /// Removes what is said of instructions that are gone, takes their variables from interfaces, and uses zeros in place
    /// of their values; `None` where a value that is gone has no zero.
    pub fn settle(&mut self) -> Option<()> {
        let defined: BTreeSet<Id> = self.all.iter().filter_map(Line::result).collect();
        self.all.retain(|line| !line.is_about() || defined.contains(&line.id(1)));
        self.leave_interfaces(&defined);
        let is_missing = |id: &Id| !defined.contains(id);
        let missing: BTreeSet<Id> = self.all.iter().flat_map(Line::ids).filter(is_missing).collect();
        let mut zeros = BTreeMap::new();
        for id in missing {
            let ty = *self.types.get(&id)?;
            zeros.insert(id, self.constant(ty, Instead::Zero)?);
        }
        if !zeros.is_empty() {
            self.all.iter_mut().for_each(|line| line.rename(&zeros));
        }
        Some(())
    }
}

/// Words as instructions; `None` where they are none. Of an `OpSwitch` among them the literals would not be known.
fn lines_of(mut words: &[u32]) -> Option<Vec<Line>> {
    let mut out = Vec::new();
    while let Some(first) = words.first() {
        let length = (first >> 16) as usize;
        let line = Line::added(words.get(..length).filter(|_| length > 0)?.to_vec())?;
        if line.op == Op::Switch {
            return None;
        }
        out.push(line);
        words = words.get(length..)?;
    }
    Some(out)
}

/// The words of a number of a type.
fn number(ty: &Line, which: Instead) -> Option<Vec<u32>> {
    let is_one = which == Instead::One;
    let one = match (ty.op, ty.word(2), ty.words.get(3)) {
        (Op::TypeInt, 8 | 16 | 32, _) => vec![1],
        (Op::TypeInt, 64, _) => vec![1, 0],
        (Op::TypeFloat, 16, None) => vec![0x3c00],
        (Op::TypeFloat, 32, None) => vec![1f32.to_bits()],
        (Op::TypeFloat, 64, None) => vec![0, (1f64.to_bits() >> 32) as u32],
        _ => return None,
    };
    Some(if is_one { one } else { vec![0; one.len()] })
}

/// Depth to which types are followed: they may not contain themselves, but a broken module's may.
const MAX_DEPTH: u32 = 64;

/// Whether a type has a null that any value of it may become: numbers, truth values and what is made of them.
fn is_nullable<'l>(ty: Id, declared: &impl Fn(Id) -> Option<&'l Line>, depth: u32) -> bool {
    let Some(line) = declared(ty).filter(|_| depth < MAX_DEPTH) else { return false };
    match line.op {
        Op::TypeBool | Op::TypeInt | Op::TypeFloat => true,
        Op::TypeVector | Op::TypeMatrix | Op::TypeArray => is_nullable(line.id(2), declared, depth + 1),
        Op::TypeStruct => {
            line.words.get(2..).unwrap_or_default().iter().all(|&member| is_nullable(Id(member), declared, depth + 1))
        }
        _ => false,
    }
}
