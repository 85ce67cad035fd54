//! A module with changes: instructions replaced, removed and inserted, types and constants found or created.
//!
//! An [`Editor`] keeps the original module and what is to change; [`Editor::finish`] writes the new words and
//! reads them again, so an edit ends in a [`Module`] like any other. Words only: nothing is printed and parsed.
//!
//! * `code`: values, one instruction at a time, into a list of words that is inserted later.
//! * `privatise`: interface variables taken out of the interface, with every pointer into them.
//! * `ungroup`: decoration groups expanded, for edits of one target.
//! * `isolate`: variables that entry points share duplicated, for edits of one entry point.

mod code;
mod isolate;
mod privatise;
mod ungroup;

use std::collections::BTreeMap;

pub use isolate::{IsolateError, isolated};
pub use privatise::{Escape, ext_set};
pub use ungroup::ungrouped;

use super::enums::{Capability, Decoration, Op, StorageClass};
use super::module::{Inst, InstId, Module, ParseError};
use super::opcode::Section;
use super::types::Type;
use lanescope_base::ids::Id;

/// A module and what is to change in it.
pub struct Editor<'m> {
    module: &'m Module,
    next: u32,
    version: (u8, u8),
    changes: BTreeMap<InstId, Change>,
    /// Types and constants by opcode and operands (result id apart): undecorated, so that any use may share them.
    known: BTreeMap<Vec<u32>, Id>,
    sections: Sections,
}

/// Changes at one instruction.
#[derive(Default)]
struct Change {
    before: Vec<u32>,
    /// Words in its place; absent where it stays.
    instead: Option<Vec<u32>>,
}

/// Words that are added at the end of a section, and the instruction each section ends before.
struct Sections {
    capabilities: (u32, Vec<u32>),
    imports: (u32, Vec<u32>),
    names: (u32, Vec<u32>),
    annotations: (u32, Vec<u32>),
    globals: (u32, Vec<u32>),
}

/// Adds an instruction to a list of words.
///
/// No instruction built here comes near 65,535 words, which is the most that SPIR-V can count.
pub fn push(words: &mut Vec<u32>, op: Op, operands: &[u32]) {
    words.push(((operands.len() as u32 + 1) << 16) | op as u32);
    words.extend(operands);
}

/// A string as SPIR-V stores it.
fn string(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

impl<'m> Editor<'m> {
    /// An editor without changes.
    pub fn new(module: &'m Module) -> Editor<'m> {
        let end = |last: Section| {
            let count = module.insts().take_while(|inst| inst.facts().section <= last).count();
            (count as u32, Vec::new())
        };
        let globals = module.globals().len() as u32;
        let sections = Sections {
            capabilities: end(Section::Capability),
            imports: end(Section::Import),
            names: end(Section::Name),
            annotations: end(Section::Annotation),
            globals: (globals, Vec::new()),
        };
        let mut known = BTreeMap::new();
        for inst in module.insts_in(0..globals) {
            if let (Some(op), Some(result)) = (inst.op(), inst.result())
                && is_shared(op)
                && module.decorations(result, None).next().is_none()
            {
                known.entry(key(&inst)).or_insert(result);
            }
        }
        Editor { module, next: module.bound(), version: module.version(), changes: BTreeMap::new(), known, sections }
    }

    /// The original module.
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// A new id.
    pub fn fresh(&mut self) -> Id {
        let id = Id(self.next);
        // A bound above the limit is refused by `finish`.
        self.next = self.next.saturating_add(1);
        id
    }

    /// Replaces an instruction by words; no words remove it.
    pub fn replace(&mut self, inst: InstId, words: Vec<u32>) {
        self.changes.entry(inst).or_default().instead = Some(words);
    }

    /// Puts words before an instruction, after what was put there already.
    pub fn insert_before(&mut self, inst: InstId, words: &[u32]) {
        self.changes.entry(inst).or_default().before.extend(words);
    }

    /// Declares a capability, unless it is declared.
    pub fn capability(&mut self, capability: Capability) {
        let mut words = Vec::new();
        push(&mut words, Op::Capability, &[capability as u32]);
        let declared = self.module.insts().take_while(|inst| inst.op() == Some(Op::Capability));
        let added = &mut self.sections.capabilities.1;
        if !declared.map(|inst| inst.word_at(1)).any(|c| c == capability as u32)
            && !added.chunks_exact(2).any(|c| c == words)
        {
            added.extend(words);
        }
    }

    /// The id of a set of extended instructions: the module's own import, or a new one.
    pub fn import(&mut self, name: &str) -> Id {
        if let Some(known) = ext_set(self.module, name) {
            return known;
        }
        let mut key = vec![Op::ExtInstImport as u32];
        key.extend(string(name));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let id = self.fresh();
        let operands: Vec<u32> = std::iter::once(id.0).chain(string(name)).collect();
        push(&mut self.sections.imports.1, Op::ExtInstImport, &operands);
        self.known.insert(key, id);
        id
    }

    /// Makes the module of a version of SPIR-V, unless it is of a later one.
    pub fn at_least_version(&mut self, version: (u8, u8)) {
        self.version = self.version.max(version);
    }

    /// Names an id.
    pub fn name(&mut self, id: Id, name: &str) {
        let mut operands = vec![id.0];
        operands.extend(string(name));
        push(&mut self.sections.names.1, Op::Name, &operands);
    }

    /// Decorates an id.
    pub fn decorate(&mut self, id: Id, decoration: Decoration, operands: &[u32]) {
        let mut all = vec![id.0, decoration as u32];
        all.extend(operands);
        push(&mut self.sections.annotations.1, Op::Decorate, &all);
    }

    /// Declares a variable of a type, after all other globals.
    pub fn variable(&mut self, class: StorageClass, ty: Id) -> Id {
        let pointer = self.pointer(class, ty);
        let id = self.fresh();
        push(&mut self.sections.globals.1, Op::Variable, &[pointer.0, id.0, class as u32]);
        id
    }

    /// A type by its opcode and operands: the module's own, or a new one.
    fn ty(&mut self, op: Op, operands: &[u32]) -> Id {
        let key: Vec<u32> = std::iter::once(op as u32).chain(operands.iter().copied()).collect();
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let id = self.fresh();
        let all: Vec<u32> = std::iter::once(id.0).chain(operands.iter().copied()).collect();
        push(&mut self.sections.globals.1, op, &all);
        self.known.insert(key, id);
        id
    }

    /// An integer type.
    pub fn int(&mut self, bits: u32, signed: bool) -> Id {
        self.ty(Op::TypeInt, &[bits, u32::from(signed)])
    }

    /// The type of truth values.
    pub fn bool(&mut self) -> Id {
        self.ty(Op::TypeBool, &[])
    }

    /// A floating-point type.
    pub fn float(&mut self, bits: u32) -> Id {
        self.ty(Op::TypeFloat, &[bits])
    }

    /// A vector type; of one component, the component's.
    pub fn vector(&mut self, component: Id, count: u32) -> Id {
        if count == 1 { component } else { self.ty(Op::TypeVector, &[component.0, count]) }
    }

    /// An array type.
    pub fn array(&mut self, element: Id, length: u32) -> Id {
        let length = self.u32(length);
        self.ty(Op::TypeArray, &[element.0, length.0])
    }

    /// A pointer type.
    pub fn pointer(&mut self, class: StorageClass, pointee: Id) -> Id {
        self.ty(Op::TypePointer, &[class as u32, pointee.0])
    }

    fn constant(&mut self, op: Op, ty: Id, value: &[u32]) -> Id {
        let key: Vec<u32> = [op as u32, ty.0].into_iter().chain(value.iter().copied()).collect();
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let id = self.fresh();
        let all: Vec<u32> = [ty.0, id.0].into_iter().chain(value.iter().copied()).collect();
        push(&mut self.sections.globals.1, op, &all);
        self.known.insert(key, id);
        id
    }

    /// A 32-bit unsigned constant.
    pub fn u32(&mut self, value: u32) -> Id {
        let ty = self.int(32, false);
        self.constant(Op::Constant, ty, &[value])
    }

    /// A 32-bit unsigned specialization constant of an id that the module does not have; 0 until it is set.
    pub fn spec_u32(&mut self, spec: u32) -> Id {
        let ty = self.int(32, false);
        let key = vec![Op::SpecConstant as u32, ty.0, spec, Decoration::SpecId as u32];
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let id = self.fresh();
        push(&mut self.sections.globals.1, Op::SpecConstant, &[ty.0, id.0, 0]);
        self.decorate(id, Decoration::SpecId, &[spec]);
        self.known.insert(key, id);
        id
    }

    /// A 64-bit unsigned constant.
    pub fn u64(&mut self, value: u64) -> Id {
        let ty = self.int(64, false);
        self.constant(Op::Constant, ty, &[value as u32, (value >> 32) as u32])
    }

    /// The zero of a type.
    pub fn null(&mut self, ty: Id) -> Id {
        self.constant(Op::ConstantNull, ty, &[])
    }

    /// The undefined value of a type.
    pub fn undefined(&mut self, ty: Id) -> Id {
        self.constant(Op::Undef, ty, &[])
    }

    /// Changes an entry point's interface: variables that leave the interface, and new ones of any storage class.
    ///
    /// From SPIR-V 1.4 on all globals are listed, before only inputs and outputs.
    pub fn change_interface(&mut self, entry: usize, leave: impl Fn(Id) -> bool, enter: &[(Id, StorageClass)]) {
        let all = self.module.version() >= (1, 4);
        let is_entry = |inst: &Inst<'_>| inst.op() == Some(Op::EntryPoint);
        let Some(inst) = self.module.insts().filter(is_entry).nth(entry) else { return };
        let length = inst.string_at(3).1;
        let mut words = inst.words.get(1..3 + length).unwrap_or(&[]).to_vec();
        words.extend(inst.words_from(3 + length).iter().copied().filter(|&id| all || !leave(Id(id))));
        let listed = |class| all || matches!(class, StorageClass::Input | StorageClass::Output);
        words.extend(enter.iter().filter(|(_, class)| listed(*class)).map(|(id, _)| id.0));
        let mut out = Vec::new();
        push(&mut out, Op::EntryPoint, &words);
        self.replace(inst.index, out);
    }

    /// Adds to the locations of an interface variable and of its block's members.
    pub fn move_locations(&mut self, variable: Id, by: i64) {
        let block = self.module.pointee(variable).map(|ty| match self.module.ty(ty) {
            Some(Type::Array { element, .. }) => element,
            _ => ty,
        });
        for inst in self.module.insts_in(0..self.sections.annotations.0) {
            let at = match inst.op() {
                Some(Op::Decorate) if inst.id_at(1) == variable => 2,
                Some(Op::MemberDecorate) if Some(inst.id_at(1)) == block => 3,
                _ => continue,
            };
            if inst.word_at(at) == Decoration::Location as u32 {
                let mut words = inst.words.to_vec();
                let location = i64::from(inst.word_at(at + 1)).saturating_add(by);
                if let Some(word) = words.get_mut(at + 1) {
                    *word = u32::try_from(location).unwrap_or_default();
                }
                self.replace(inst.index, words);
            }
        }
    }

    /// Insertion point at the start of a function: after the variables of its first block.
    pub fn function_start(&self, function: Id) -> Option<InstId> {
        let function = self.module.function(function)?;
        let insts = || self.module.insts_in(function.insts.clone());
        let label = insts().find(|inst| inst.op() == Some(Op::Label))?.index;
        // Variables are in the first block only; debug instructions may be between them.
        let last = insts().filter(|inst| inst.op() == Some(Op::Variable)).map(|inst| inst.index).next_back();
        let next = InstId(last.unwrap_or(label).0 + 1);
        (next.0 < function.insts.end).then_some(next)
    }

    /// The new module.
    pub fn finish(self) -> Result<Module, ParseError> {
        let module = self.module;
        let mut words = module.words().get(..5).unwrap_or(&[]).to_vec();
        if let Some(bound) = words.get_mut(3) {
            *bound = self.next;
        }
        if self.version > module.version()
            && let Some(version) = words.get_mut(1)
        {
            *version = u32::from(self.version.0) << 16 | u32::from(self.version.1) << 8;
        }
        let Sections { capabilities, imports, names, annotations, globals } = &self.sections;
        let sections = [capabilities, imports, names, annotations, globals];
        // By instruction of the result: the one that it comes from, whose line it has.
        let mut from: Vec<u32> = Vec::new();
        for index in 0..=module.len() as u32 {
            let start = words.len();
            sections.iter().filter(|(end, _)| *end == index).for_each(|(_, added)| words.extend(added));
            let inst = module.inst(InstId(index));
            match self.changes.get(&InstId(index)) {
                Some(change) => {
                    words.extend(&change.before);
                    words.extend(change.instead.as_deref().unwrap_or(inst.words));
                }
                None if index < module.len() as u32 => words.extend(inst.words),
                None => {}
            }
            if module.given_lines().is_some() {
                from.extend(std::iter::repeat_n(index, instructions_in(words.get(start..).unwrap_or_default())));
            }
        }
        let edited = Module::parse(words)?;
        Ok(match module.given_lines() {
            Some(lines) => edited.with_lines(lines.of_those_left(from)),
            None => edited,
        })
    }
}

/// How many instructions some words are.
fn instructions_in(words: &[u32]) -> usize {
    let mut rest = words;
    std::iter::from_fn(|| {
        let length = (rest.first()? >> 16).max(1) as usize;
        rest = rest.get(length..).unwrap_or_default();
        Some(())
    })
    .count()
}

/// Opcode and operands without the result id.
fn key(inst: &Inst<'_>) -> Vec<u32> {
    let mut out = vec![u32::from(inst.opcode())];
    out.extend(inst.result_type().map(|ty| ty.0));
    out.extend(inst.words_from(2 + usize::from(inst.result_type().is_some())));
    out
}

/// Types and constants of which equal ones are the same. Structures are distinguished by what decorates them.
fn is_shared(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        TypeBool | TypeInt | TypeFloat | TypeVector | TypeArray | TypePointer | Constant | ConstantNull | Undef
    )
}

#[cfg(test)]
mod tests;
